"""Terms as one line of readable text.

Offers `plain`, `statement_plain`, `name_text` and `dim_text`; rests on `term`, `statement` and `pieces`.  What
would be too long to read is cut with an ellipsis, so that a Term of any depth or size has a text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TypeAlias, cast

from symlin.dims import Dim
from symlin.statement import Statement
from symlin.term import Term, substitute
from symlin.write.notation import Notation, has_one_index
from symlin.write.pieces import Level, Piece, fold
from symlin.write.style import DEFAULT

LONGEST_PART = 600
"""A part with a longer text than this is shown as an ellipsis."""

Parts: TypeAlias = tuple[Piece, ...]
Handler: TypeAlias = Callable[[Term, Parts], Piece]
Placed: TypeAlias = Callable[[Term, Parts, Notation], Piece]

_GREEK_NAMES = (
    "alpha beta gamma delta epsilon varepsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau upsilon phi "
    "varphi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega ell"
)
_GREEK = dict(zip(_GREEK_NAMES.split(), "αβγδϵεζηθικλμνξπρστυϕφχψωΓΔΘΛΞΠΣΥΦΨΩℓ", strict=True))
_FONT = re.compile(
    r"\\(?:mathrm|text|mathcal|mathbb|mathbf|boldsymbol|vec|mathfrak|operatorname)\{([^{}]*)\}"
)
_COMMAND = re.compile(r"\\([A-Za-z]+)\s?")
_LABEL = re.compile(r"_\{([^{}]*)\}")


def plain(term: Term, notation: Notation | None = None) -> str:
    """A Term as readable text.

    Args:
        term: what to write.
        notation: letters for rows and columns, when more than this Term is to agree on them.

    Examples:
        >>> from symlin.construct import symbol, matmul, transpose
        >>> A, B = symbol("A", "m", "n"), symbol("B", "n", "k")
        >>> plain(transpose(A @ B)), plain((A + A) @ B), plain((A @ B)["i", "j"]), plain(A["i", "l"])
        ('(AB)^T', '(A + A)B', '(AB)_{ij}', 'a_{il}')
    """
    chosen = notation if notation is not None else Notation.of((term,), DEFAULT)
    return fold(term, lambda node, parts: _write(node, parts, chosen)).signed


def statement_plain(statement: Statement) -> str:
    r"""A statement as readable text, its hypotheses left out.

    Examples:
        >>> from symlin.construct import symbol
        >>> A = symbol("A", "n", "n")
        >>> statement_plain(Statement(A, A.T, r"\ne"))
        'A ≠ A^T'
    """
    sign = RELATION_SIGNS.get(statement.relation, statement.relation)
    chosen = Notation.of((statement.lhs, statement.rhs), DEFAULT)
    return f"{plain(statement.lhs, chosen)} {sign} {plain(statement.rhs, chosen)}"


RELATION_SIGNS = {r"\ne": "≠", r"\le": "≤", r"\ge": "≥", r"\approx": "≈"}


def name_text(name: str) -> str:
    r"""A LaTeX name as text: ``\alpha`` is α, ``A_{\mathrm{att}}`` is A_att."""
    name = _FONT.sub(r"\1", name)
    name = _COMMAND.sub(lambda match: _GREEK.get(match.group(1), match.group(1)), name)
    return _LABEL.sub(r"_\1", name)


def dim_text(dim: Dim) -> str:
    """A size or index as text."""
    return name_text(str(dim))


def _write(term: Term, parts: Parts, notation: Notation) -> Piece:
    short = tuple(Piece("…") if len(part.text) > LONGEST_PART else part for part in parts)
    placed = _PLACED.get(term.op)
    return placed(term, short, notation) if placed is not None else _WRITERS[term.op](term, short)


def _symbol(term: Term, parts: Parts) -> Piece:
    return Piece(name_text(cast(str, term.data[0])))


def _number(term: Term, parts: Parts) -> Piece:
    value, decimals = cast("tuple[Fraction, int]", term.data)
    size = abs(value)
    if decimals:
        digits = f"{(size * 10**decimals).numerator:0{decimals + 1}d}"
        return Piece(f"{digits[:-decimals]}.{digits[-decimals:]}", Level.ATOM, value < 0)
    return Piece(str(size), Level.ATOM if size.denominator == 1 else Level.OPERATOR, value < 0)


def _size(term: Term, parts: Parts) -> Piece:
    dim = cast(Dim, term.data[0])
    text = dim_text(dim)
    if len(dim.terms) > 1:
        return Piece(text, Level.SUM)
    if text.startswith("-"):
        return Piece(text[1:], Level.PRODUCT, True)
    return Piece(text, Level.ATOM if dim.constant is not None or dim.lone_symbol else Level.PRODUCT)


def _grid(width: int, parts: Parts, cell_level: Level, between: str) -> Piece:
    cells = [_cell(part, cell_level) for part in parts]
    rows = [cells[start : start + width] for start in range(0, len(cells), width)]
    return Piece("[" + "; ".join(between.join(row) for row in rows) + "]")


def _cell(piece: Piece, least: Level) -> str:
    """A cell: a sign may stand in front of what holds together."""
    return piece.signed if piece.level >= least else f"({piece.signed})"


def _literal(term: Term, parts: Parts) -> Piece:
    return _grid(cast(int, term.data[1]), parts, Level.OPERATOR, " ")


def _add(term: Term, parts: Parts) -> Piece:
    text = ""
    for arg, piece in zip(term.args, parts, strict=True):
        negative = piece.negative and arg.op != "add"
        body = (
            f"({piece.signed})" if piece.level < Level.OPERATOR and piece.negative is negative else piece.text
        )
        if arg.op == "add":
            body = f"({piece.signed})"
        if text:
            text += f" - {body}" if negative else f" + {body}"
        else:
            text = f"-{body}" if negative else body
    return Piece(text, Level.SUM)


def _neg(term: Term, parts: Parts) -> Piece:
    return Piece(parts[0].within(Level.OPERATOR), Level.OPERATOR, True)


def _scale(term: Term, parts: Parts) -> Piece:
    factor, body = term.args
    negative = factor.op == "number" and parts[0].negative and body.op != "number"
    first = parts[0].text if negative and parts[0].level >= Level.FACTOR else parts[0].within(Level.FACTOR)
    numeral = factor.op == "number"
    if body.op == "sum" and not parts[1].negative and term.data[0] == "left":
        return Piece(f"{first} {parts[1].text}", Level.PRODUCT, negative)
    second = parts[1].within(Level.SCRIPTED if body.op == "matmul" and not numeral else Level.PRODUCT)
    if term.data[0] == "right":
        second = parts[1].within(Level.ATOM)
        return Piece(_beside(second, first, False), Level.PRODUCT)
    spaced = not numeral and (_is_indexed(factor) or _is_indexed(body))
    return Piece(_beside(first, second, spaced), Level.PRODUCT, negative)


def _is_indexed(term: Term) -> bool:
    """Whether a factor carries indices, so that its neighbour needs a space."""
    if term.op == "scale":
        return any(_is_indexed(arg) for arg in term.args)
    return term.op == "entry"


def _beside(left: str, right: str, spaced: bool) -> str:
    if right[:1].isdigit():
        return f"{left}({right})"
    if right.startswith("[") and left[-1:] != "]":
        return f"{left} {right}"
    return f"{left} {right}" if spaced else f"{left}{right}"


def _matmul(term: Term, parts: Parts) -> Piece:
    text = ""
    indexed = False
    for arg, piece in zip(term.args, parts, strict=True):
        factor = piece.within(Level.FACTOR)
        text = _beside(text, factor, indexed or _is_indexed(arg)) if text else factor
        indexed = _is_indexed(arg)
    return Piece(text, Level.PRODUCT)


def _divide(term: Term, parts: Parts) -> Piece:
    return Piece(f"{parts[0].within(Level.PRODUCT)}/{parts[1].within(Level.SCRIPTED)}", Level.OPERATOR)


def _postfix(mark: str) -> Handler:
    return lambda term, parts: Piece(parts[0].within(Level.ATOM) + mark, Level.SCRIPTED)


def _power(term: Term, parts: Parts) -> Piece:
    exponent = dim_text(cast(Dim, term.data[0]))
    braced = exponent if len(exponent) == 1 else "{" + exponent + "}"
    return Piece(f"{parts[0].within(Level.ATOM)}^{braced}", Level.SCRIPTED)


def _call(name: str) -> Handler:
    return lambda term, parts: Piece(f"{name}({', '.join(part.signed for part in parts)})")


def _named(term: Term, parts: Parts) -> Piece:
    return _call(cast(str, term.data[0]))(term, parts)


def _infix(sign: str) -> Handler:
    return lambda term, parts: Piece(sign.join(part.within(Level.FACTOR) for part in parts), Level.OPERATOR)


def _dot(term: Term, parts: Parts) -> Piece:
    texts = [
        "(" + ", ".join(plain(cell) for cell in arg.args) + ")"
        if arg.op == "literal" and len(arg.args) <= 20
        else part.within(Level.PRODUCT)
        for arg, part in zip(term.args, parts, strict=True)
    ]
    return Piece("·".join(texts), Level.OPERATOR)


def _indices(*dims: object) -> str:
    parts = [dim_text(cast(Dim, dim)) for dim in dims]
    joined = ("" if all(len(part) == 1 for part in parts) else ",").join(parts)
    return joined if len(joined) == 1 else "{" + joined + "}"


def _lower(term: Term) -> str | None:
    """The letter of the entries of a plain matrix: a for A; None where there is no such letter."""
    if term.op != "symbol":
        return None
    name = cast(str, term.data[0])
    return name.lower() if len(name) == 1 and name.isupper() else None


def _entry(term: Term, parts: Parts) -> Piece:
    base = term.args[0]
    i, j = term.data
    if base.op == "symbol" and has_one_index(base):
        return Piece(f"{parts[0].text}_{_indices(i)}")
    letter = _lower(base)
    if letter is None and base.op == "symbol" and "_" not in parts[0].text:
        letter = parts[0].text
    return Piece(f"{letter or '(' + parts[0].signed + ')'}_{_indices(i, j)}")


def _row(term: Term, parts: Parts, notation: Notation) -> Piece:
    letter = notation.rows.get(term.args[0])
    if letter is not None:
        return Piece(f"{name_text(letter)}_{_indices(term.data[0])}^T", Level.SCRIPTED)
    return Piece(f"row_{_indices(term.data[0])}({parts[0].signed})")


def _column(term: Term, parts: Parts, notation: Notation) -> Piece:
    letter = notation.columns.get(term.args[0])
    if letter is not None:
        return Piece(f"{name_text(letter)}_{_indices(term.data[0])}")
    return Piece(f"column_{_indices(term.data[0])}({parts[0].signed})")


def _transpose(term: Term, parts: Parts, notation: Notation) -> Piece:
    (inner,) = term.args
    letter = notation.rows.get(inner.args[0]) if inner.op == "row" else None
    if letter is not None:
        return Piece(f"{name_text(letter)}_{_indices(inner.data[0])}")
    return Piece(parts[0].within(Level.ATOM) + "^T", Level.SCRIPTED)


def _block(term: Term, parts: Parts) -> Piece:
    return _grid(cast(int, term.data[1]), parts, Level.SUM, "  ")


def _family(between: str) -> Placed:
    def write(term: Term, parts: Parts, notation: Notation) -> Piece:
        index, lo, hi = cast("tuple[str, Dim, Dim]", term.data)
        first, last = (plain(substitute(term.args[0], {}, {index: at}), notation) for at in (lo, hi))
        return Piece(f"[{first}{between}…{between}{last}]")

    return write


def _sum(term: Term, parts: Parts) -> Piece:
    index, lo, hi = cast("tuple[str, Dim, Dim]", term.data)
    limits = f"Σ_{{{name_text(index)}={dim_text(lo)}}}^{{{dim_text(hi)}}}"
    return Piece(f"{limits} {parts[0].within(Level.OPERATOR)}", Level.OPERATOR)


def _apply(term: Term, parts: Parts) -> Piece:
    return Piece(f"{name_text(cast(str, term.data[0]))}({parts[0].signed})")


def _ones(term: Term, parts: Parts) -> Piece:
    return Piece("𝟏" if cast(Dim, term.data[1]).constant == 1 else "ones")


def _between(opening: str, closing: str) -> Handler:
    return lambda term, parts: Piece(f"{opening}{parts[0].signed}{closing}")


_NAMED: dict[str, Handler] = {
    "norm": _between("‖", "‖"),
    "abs": _between("|", "|"),
    "sqrt": _between("√(", ")"),
}


def _function(term: Term, parts: Parts) -> Piece:
    return _NAMED.get(cast(str, term.data[0]), _named)(term, parts)


def _joined(separator: str) -> Handler:
    def write(term: Term, parts: Sequence[Piece]) -> Piece:
        return Piece("[" + separator.join(part.signed for part in parts) + "]")

    return write


_WRITERS: dict[str, Handler] = {
    "symbol": _symbol,
    "number": _number,
    "size": _size,
    "opaque": lambda term, parts: Piece(str(term.data[0]), Level.SUM),
    "literal": _literal,
    "identity": lambda term, parts: Piece(f"I_{_indices(term.data[0])}"),
    "zero": lambda term, parts: Piece("0"),
    "ones": _ones,
    "unit": lambda term, parts: Piece(f"e_{_indices(term.data[0])}"),
    "permutation": lambda term, parts: Piece(f"P{term.data[0]}"),
    "add": _add,
    "neg": _neg,
    "scale": _scale,
    "divide": _divide,
    "matmul": _matmul,
    "power": _power,
    "conjugate": _postfix("^*"),
    "adjoint": _postfix("^H"),
    "inverse": _postfix("^{-1}"),
    "pseudoinverse": _postfix("^+"),
    "trace": _call("tr"),
    "determinant": _call("det"),
    "dot": _dot,
    "hadamard": _infix("∘"),
    "kronecker": _infix("⊗"),
    "diag": _call("diag"),
    "diagpart": _call("diagonal"),
    "vec": _call("vec"),
    "entry": _entry,
    "columns": _joined("  "),
    "rows": _joined("; "),
    "block": _block,
    "sum": _sum,
    "apply": _apply,
    "entrywise": _function,
    "row_softmax": _call("softmax"),
    "scalar_function": _function,
}
_PLACED: dict[str, Placed] = {
    "row": _row,
    "column": _column,
    "transpose": _transpose,
    "column_family": _family(" "),
    "row_family": _family("; "),
}
"""Constructors whose text depends on the letters chosen for rows and columns."""
