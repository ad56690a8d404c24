r"""What is to be shown, before it has a format: prose with formulas in it, and chains of equalities with reasons.

Offers `Exposition` and its blocks, and `render`, which turns one into text, LaTeX, Markdown or PreTeXt; rests on
`latex`, `plain` and `style`.  It knows nothing of proofs: whoever has something to show fills it in.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from symlin.errors import SymlinError
from symlin.statement import Statement
from symlin.term import Term
from symlin.write.latex import Writer, relation_latex
from symlin.write.notation import Notation
from symlin.write.plain import plain, statement_plain
from symlin.write.style import DEFAULT, FORMS, PRETEXT, Style


@dataclass(frozen=True, slots=True)
class Math:
    """A formula given as LaTeX and as text, where no Term stands for it (a size, a map)."""

    latex: str
    text: str


Inline: TypeAlias = "str | Term | Statement | Math"


@dataclass(frozen=True, slots=True)
class Prose:
    """A paragraph: words with formulas among them."""

    parts: tuple[Inline, ...]


@dataclass(frozen=True, slots=True)
class Line:
    """One link of a chain: what it goes on with, and why."""

    term: Term
    reason: str = ""
    relation: str = "="


@dataclass(frozen=True, slots=True)
class Chain:
    """A chain of equalities with reasons."""

    start: Term
    lines: tuple[Line, ...]

    @property
    def terms(self) -> tuple[Term, ...]:
        """Every Term of the chain, in order."""
        return (self.start, *(line.term for line in self.lines))


Block: TypeAlias = Prose | Chain


@dataclass(frozen=True, slots=True)
class Exposition:
    """Blocks in order."""

    blocks: tuple[Block, ...]

    def terms(self) -> Iterator[Term]:
        """Every Term that occurs, so that one notation serves all."""
        for block in self.blocks:
            parts: Iterable[object] = block.terms if isinstance(block, Chain) else block.parts
            for part in parts:
                if isinstance(part, Term):
                    yield part
                elif isinstance(part, Statement):
                    for one in (part, *part.hypotheses):
                        yield from (one.lhs, one.rhs)


def render(exposition: Exposition, form: str = "text", style: Style | None = None) -> str:
    r"""An exposition in one of the forms `text`, `latex`, `markdown`, `pretext`.

    Examples:
        >>> from symlin.construct import symbol
        >>> A, B = symbol("A", "m", "n"), symbol("B", "n", "k")
        >>> shown = Exposition((Chain((A @ B)["i", "j"], (Line((A @ B).T["j", "i"], "rows become columns"),)),))
        >>> print(render(shown))
        (AB)_{ij} = ((AB)^T)_{ji}    rows become columns
        >>> print(render(shown, "latex"))
        \begin{align*}
        (AB)_{ij} &= ((AB)^T)_{ji} && \text{rows become columns}
        \end{align*}
    """
    renderer = RENDERERS.get(form)
    if renderer is None:
        raise SymlinError(f"{form!r} is no form; use one of {', '.join(FORMS)}")
    return renderer(exposition, style)


# --- text -----------------------------------------------------------------------------------------------------

TEXT_WIDTH = 76


def _text(exposition: Exposition, style: Style | None) -> str:
    notation = Notation.of(exposition.terms(), style or DEFAULT)
    blocks = [
        _text_chain(one, notation) if isinstance(one, Chain) else _text_prose(one)
        for one in exposition.blocks
    ]
    return "\n\n".join(block for block in blocks if block)


def _text_prose(prose: Prose) -> str:
    return "".join(inline_text(part) for part in prose.parts)


def inline_text(part: Inline) -> str:
    """A piece of prose as text."""
    match part:
        case str():
            return part
        case Math():
            return part.text
        case Statement():
            return statement_plain(part)
        case Term():
            return plain(part)


def _text_chain(chain: Chain, notation: Notation) -> str:
    start = plain(chain.start, notation)
    if not chain.lines:
        return start
    bodies = [f"{line.relation} {plain(line.term, notation)}" for line in chain.lines]
    if len(start) > 30:
        rows = [start, *(f"  {body}" for body in bodies)]
        reasons = ["", *(line.reason for line in chain.lines)]
    else:
        indent = " " * (len(start) + 1)
        rows = [f"{start} {bodies[0]}", *(indent + body for body in bodies[1:])]
        reasons = [line.reason for line in chain.lines]
    width = max((len(row) for row, reason in zip(rows, reasons, strict=True) if reason), default=0)
    width = min(width, TEXT_WIDTH)
    return "\n".join(
        f"{row:<{width}}    {reason}" if reason else row for row, reason in zip(rows, reasons, strict=True)
    )


# --- LaTeX ----------------------------------------------------------------------------------------------------

_SPECIAL = {
    "\\": r"\textbackslash{}",
    "^": r"\^{}",
    "~": r"\~{}",
    **{char: f"\\{char}" for char in "&%$#_{}"},
}
_SIGNS = {
    "×": r"$\times$",
    "Σ": r"$\sum$",
    "ℓ": r"$\ell$",
    "ᵀ": r"$^T$",
    "⁻¹": r"$^{-1}$",
    "∘": r"$\circ$",
    "⊗": r"$\otimes$",
    "·": r"$\cdot$",
    "≠": r"$\ne$",
    "…": r"\dots{}",
    "→": r"$\to$",
    "ℝ": r"$\mathbb{R}$",
}
_ESCAPE = re.compile(
    "|".join(re.escape(sign) for sign in sorted({**_SPECIAL, **_SIGNS}, key=len, reverse=True))
)


def escape_latex(words: str) -> str:
    r"""Words for a LaTeX text.

    Examples:
        >>> escape_latex("A is m×n, 50% of A_1")
        'A is m$\\times$n, 50\\% of A\\_1'
    """
    return _ESCAPE.sub(lambda match: {**_SPECIAL, **_SIGNS}[match.group()], words)


def _latex(exposition: Exposition, style: Style | None) -> str:
    writer = Writer(Notation.of(exposition.terms(), style or DEFAULT))
    blocks = []
    for block in exposition.blocks:
        if isinstance(block, Chain):
            lines = align_lines(writer, block, reason=lambda words: rf"\text{{{escape_latex(words)}}}")
            blocks.append("\\begin{align*}\n" + " \\\\\n".join(lines) + "\n\\end{align*}")
        else:
            blocks.append(_marked(writer, block.parts, r"\(", r"\)", escape_latex))
    return "\n\n".join(blocks)


def align_lines(writer: Writer, chain: Chain, reason: object = None, mark: str | None = None) -> list[str]:
    """The lines of a chain with alignment marks; `reason` turns the words of a reason into LaTeX."""
    amp = writer.style.ampersand if mark is None else mark
    space = " " if amp.startswith("\\") else ""
    start = writer.text(chain.start)
    if not chain.lines:
        return [start]
    lines = []
    for place, line in enumerate(chain.lines):
        head = start if place == 0 else ""
        sign = relation_latex(line.relation).strip()
        text = f"{head} {amp}{space if sign[:1].isalpha() else ''}{sign} {writer.text(line.term)}".lstrip()
        if line.reason and callable(reason):
            text += f" {amp}{amp} {reason(line.reason)}"
        lines.append(text)
    return lines


def inline_latex(writer: Writer, part: Term | Statement | Math) -> str:
    """A formula in prose as LaTeX without delimiters."""
    match part:
        case Math():
            return part.latex
        case Term():
            return writer.text(part)
        case Statement():
            return f"{writer.text(part.lhs)}{relation_latex(part.relation)}{writer.text(part.rhs)}"


def _marked(writer: Writer, parts: Sequence[Inline], opening: str, closing: str, words: object) -> str:
    out = ""
    for part in parts:
        if isinstance(part, str):
            out += str(words(part)) if callable(words) else part
        else:
            out += f"{opening}{inline_latex(writer, part)}{closing}"
    return out


# --- Markdown -------------------------------------------------------------------------------------------------


def _markdown(exposition: Exposition, style: Style | None) -> str:
    writer = Writer(Notation.of(exposition.terms(), style or DEFAULT))
    blocks = []
    for block in exposition.blocks:
        if isinstance(block, Chain):
            lines = align_lines(writer, block, reason=lambda words: rf"\text{{{escape_latex(words)}}}")
            blocks.append("$$\n\\begin{aligned}\n" + " \\\\\n".join(lines) + "\n\\end{aligned}\n$$")
        else:
            blocks.append(_marked(writer, block.parts, "$", "$", None))
    return "\n\n".join(blocks)


# --- PreTeXt --------------------------------------------------------------------------------------------------

_XML = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}


def escape_xml(words: str) -> str:
    """Words for XML."""
    return re.sub("[&<>]", lambda match: _XML[match.group()], words)


def pretext_math(latex: str) -> str:
    r"""LaTeX for PreTeXt source: ``<`` is ``\lt``, ``>`` is ``\gt``, ``&`` is ``\amp``.

    Examples:
        >>> pretext_math("a<b"), pretext_math(r"x & y")
        ('a\\lt b', 'x \\amp  y')
    """
    return latex.replace("<", r"\lt ").replace(">", r"\gt ").replace("&", r"\amp ")


def _pretext(exposition: Exposition, style: Style | None) -> str:
    """Paragraphs; a chain stands inside the paragraph before it, one mrow a link."""
    chosen = style or PRETEXT
    if chosen.ampersand == "&":
        chosen = replace(chosen, ampersand=r"\amp")
    writer = Writer(Notation.of(exposition.terms(), chosen))
    paragraphs: list[str] = []
    for block in exposition.blocks:
        if isinstance(block, Chain):
            display = pretext_display(writer, block)
            if paragraphs:
                paragraphs[-1] += "\n" + display
            else:
                paragraphs.append(display)
        else:
            paragraphs.append(_pretext_prose(writer, block))
    return "\n".join(f"<p>\n{_indent(text)}\n</p>" for text in paragraphs)


def _pretext_prose(writer: Writer, prose: Prose) -> str:
    out = ""
    for part in prose.parts:
        if isinstance(part, str):
            out += escape_xml(part)
        else:
            out += f"<m>{pretext_math(inline_latex(writer, part))}</m>"
    return out


def pretext_display(writer: Writer, chain: Chain) -> str:
    """A chain as a display: the new form of ``md``, aligned only where the links are."""
    lines = align_lines(writer, chain, reason=lambda words: rf"\text{{{_pretext_words(words)}}}")
    if len(lines) == 1 and not chain.lines:
        return f"<md>{pretext_math(lines[0])}</md>"
    rows = "\n".join(f"  <mrow>{pretext_math(line)}</mrow>" for line in lines)
    return f'<md alignment="align">\n{rows}\n</md>'


def _pretext_words(words: str) -> str:
    return escape_latex(words)


def _indent(text: str) -> str:
    return "\n".join(f"  {line}" if line else line for line in text.splitlines())


RENDERERS = {"text": _text, "latex": _latex, "markdown": _markdown, "pretext": _pretext}
