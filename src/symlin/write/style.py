r"""How a house writes its mathematics: `Style`, with presets for plain LaTeX and PreTeXt source.

Offers `Style`, `Letters` and the presets; rests on nothing.  A Style changes how a Term looks and never what it
says: what is written in any of them reads back as the same Term.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

Form: TypeAlias = Literal["latex", "text", "markdown", "pretext"]
FORMS: tuple[Form, ...] = ("latex", "text", "markdown", "pretext")


@dataclass(frozen=True, slots=True)
class Letters:
    r"""How the parts of one matrix are written.

    Args:
        entry: letter of its entries (``b``, ``\alpha``, ``S``), "" for the default.
        column: letter of its columns with its font (``\mathbf{b}``), "" for the default.
        row: letter of its rows, which are written as columns: row i is this letter with index i, transposed.
    """

    entry: str = ""
    column: str = ""
    row: str = ""


@dataclass(frozen=True, slots=True)
class Style:
    r"""How LaTeX is written.

    Args:
        matrix: the matrix environment (``bmatrix``, ``pmatrix`` …).
        ampersand: what separates cells: ``&`` or ``\amp``.
        transpose: what stands in the superscript of a transpose: ``T``, ``\top``, ``\mathsf{T}``.
        adjoint: the same for a conjugate transpose.
        fractions: ``frac`` (``\frac12``) or ``slash`` (``1/2``) for fractions of numbers.
        cell_fractions: the same inside a matrix.
        short_fractions: whether digits go without braces: ``\frac12``.
        zero_sizes: whether a zero matrix always shows its size; beside a factor it does anyway.
        hadamard: the sign of the entrywise product.
        dots_from: a family of at least this many members gets dots; a smaller one is written out.
        sums: ``sigma`` (``\sum_{\ell=1}^{n}``) or ``dots`` (the terms with ``\cdots``).
        tables: ``dots`` or ``brackets`` (``[\alpha_{ij}]``) for a matrix of all entries.
        vectors: where a column given by its entries is written as a tuple (2,4,0): ``dot`` (in a dot product),
            ``always`` or ``never``.
        indices: letters for new bound indices, in order of use.
        names: for a matrix's name, the letters of its parts.
        inline_punctuation: whether closing punctuation stands ``inside`` or ``outside`` an inline formula.
        display_punctuation: the same for a display.
        text_punctuation: whether punctuation inside an inline formula is written ``\text{.}``.
        one_line: the longest formula, in characters of its text, that a display puts on one line.

    Examples:
        >>> PRETEXT.ampersand, PLAIN.with_names(B=Letters(column=r"\vec b")).names["B"].column
        ('\\amp', '\\vec b')
    """

    matrix: str = "bmatrix"
    ampersand: str = "&"
    transpose: str = "T"
    adjoint: str = "H"
    fractions: Literal["frac", "slash"] = "frac"
    cell_fractions: Literal["frac", "slash"] = "slash"
    short_fractions: bool = True
    zero_sizes: bool = False
    hadamard: str = r"\circ"
    dots_from: int = 4
    sums: Literal["sigma", "dots"] = "sigma"
    tables: Literal["dots", "brackets"] = "dots"
    vectors: Literal["dot", "always", "never"] = "dot"
    indices: tuple[str, ...] = (r"\ell", "p", "q", "r", "s", "t", "u", "v", "w")
    names: Mapping[str, Letters] = field(default_factory=dict)
    inline_punctuation: Literal["inside", "outside"] = "outside"
    display_punctuation: Literal["inside", "outside"] = "inside"
    text_punctuation: bool = False
    one_line: int = 72

    def with_names(self, **letters: Letters) -> Style:
        """The same style with letters for the parts of more matrices."""
        return replace(self, names={**self.names, **letters})


PLAIN = Style()
PRETEXT = Style(ampersand=r"\amp")
PRETEXT_RENDERED = replace(PRETEXT, inline_punctuation="inside", text_punctuation=True)
DEFAULT = PLAIN
PRESETS: Mapping[str, Style] = {"latex": PLAIN, "pretext": PRETEXT, "pretext-rendered": PRETEXT_RENDERED}
