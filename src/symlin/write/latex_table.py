r"""How each constructor is written in LaTeX: one function, one line of the table.

Offers `WRITERS`, `number_piece` and `plus`; rests on `families`, `names` and `pieces`.  Levels decide where brackets stand; a
minus sign is carried beside a piece, so that no +- can arise.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, TypeAlias, cast

from symlin.dims import Dim
from symlin.term import Term
from symlin.write.families import Grid, family_cells, member_terms
from symlin.write.names import dim_latex, index_latex, script, symbol_latex
from symlin.write.notation import has_one_index, whole
from symlin.write.pieces import Level, Piece, glue
from symlin.write.style import Style

if TYPE_CHECKING:
    from symlin.write.latex import Writer

_OPERATORS = frozenset(
    {"sin", "cos", "tan", "exp", "log", "ln", "arcsin", "arccos", "arctan", "sinh", "cosh", "tanh", "det"}
)

Parts: TypeAlias = tuple[Piece, ...]
Handler: TypeAlias = Callable[["Writer", Term, Parts], Piece]


# --- leaves ---------------------------------------------------------------------------------------------------


def number_piece(value: Fraction, decimals: int, form: str, short: bool = True) -> Piece:
    """A number as a piece: an integer, a decimal, or a fraction of the given form."""
    size = abs(value)
    if decimals:
        digits = f"{(size * 10**decimals).numerator:0{decimals + 1}d}"
        return Piece(f"{digits[:-decimals]}.{digits[-decimals:]}", Level.ATOM, value < 0)
    if size.denominator == 1:
        return Piece(str(size.numerator), Level.ATOM, value < 0)
    if form == "slash":
        return Piece(f"{size.numerator}/{size.denominator}", Level.OPERATOR, value < 0)
    return Piece(_fraction(str(size.numerator), str(size.denominator), short=short), Level.FACTOR, value < 0)


def _fraction(top: str, bottom: str, *, short: bool = False) -> str:
    if short and len(top) == len(bottom) == 1 and (top + bottom).isdigit():
        return rf"\frac{top}{bottom}"
    return rf"\frac{{{top}}}{{{bottom}}}"


def _number(writer: Writer, term: Term, parts: Parts) -> Piece:
    value, decimals = cast("tuple[Fraction, int]", term.data)
    return number_piece(value, decimals, writer.style.fractions, writer.style.short_fractions)


def _symbol(writer: Writer, term: Term, parts: Parts) -> Piece:
    return Piece(whole(term))


def _size(writer: Writer, term: Term, parts: Parts) -> Piece:
    dim = cast(Dim, term.data[0])
    text = dim_latex(dim)
    if len(dim.terms) > 1:
        return Piece(text, Level.SUM)
    if text.startswith("-"):
        return Piece(text[1:], Level.PRODUCT, True)
    return Piece(text, Level.ATOM if dim.constant is not None or dim.lone_symbol else Level.PRODUCT)


def _opaque(writer: Writer, term: Term, parts: Parts) -> Piece:
    value = term.data[0]
    shown = getattr(value, "_repr_latex_", None)
    if callable(shown):
        # What a notebook would show, without its delimiters.
        text = str(shown()).strip("$ ").removeprefix(r"\displaystyle").strip()
        return Piece(text, Level.SUM)
    return Piece(rf"\text{{{value}}}", Level.SUM)


def _identity(writer: Writer, term: Term, parts: Parts) -> Piece:
    return Piece("I" + _size_index(cast(Dim, term.data[0])))


def _size_index(dim: Dim) -> str:
    r"""A size as an index; mn as ``m\cdot n``, since I_{mn} would be an entry."""
    if len(dim.terms) == 1 and dim.constant is None and dim.lone_symbol is None:
        (powers, coeff), *_ = dim.terms
        factors = [] if coeff == 1 else [str(coeff)]
        factors += [name for name, exponent in powers for _ in range(exponent)]
        return "_{" + r"\cdot ".join(factors) + "}"
    return index_latex(dim)


def _zero(writer: Writer, term: Term, parts: Parts) -> Piece:
    rows, cols = cast("tuple[Dim, Dim]", term.data)
    if rows.constant == cols.constant == 1:
        return Piece("0")
    if cols.constant == 1:
        return Piece(r"\mathbf{0}" + (_size_index(rows) if writer.style.zero_sizes else ""))
    return _sized_zero(term) if writer.style.zero_sizes else Piece("0")


def _sized_zero(term: Term) -> Piece:
    rows, cols = cast("tuple[Dim, Dim]", term.data)
    return Piece(rf"0_{{{_by(rows, cols)}}}")


def _factor_piece(term: Term, piece: Piece) -> Piece:
    """A factor; beside another one a bare 0 would be the number."""
    sized = term.op == "zero" and piece.text == "0" and not term.is_scalar
    return _sized_zero(term) if sized else piece


def _by(rows: Dim, cols: Dim) -> str:
    sides = (f"({dim_latex(dim)})" if len(dim.terms) > 1 else dim_latex(dim) for dim in (rows, cols))
    return r"\times ".join(sides)


def _ones(writer: Writer, term: Term, parts: Parts) -> Piece:
    rows, cols = cast("tuple[Dim, Dim]", term.data)
    if cols.constant == 1:
        return Piece(r"\mathbf{1}" + _size_index(rows))
    return Piece(rf"\mathbf{{1}}_{{{_by(rows, cols)}}}")


def _unit(writer: Writer, term: Term, parts: Parts) -> Piece:
    return Piece(r"\mathbf{e}" + index_latex(cast(Dim, term.data[0])))


def _permutation(writer: Writer, term: Term, parts: Parts) -> Piece:
    order = cast("tuple[int, ...]", term.data[0])
    places = range(1, len(order) + 1)
    return Piece(writer.grid([["1" if place == target else "0" for place in places] for target in order]))


# --- sums and products ----------------------------------------------------------------------------------------


def _add(writer: Writer, term: Term, parts: Parts) -> Piece:
    return Piece(plus(term.args, parts), Level.SUM)


def plus(terms: Sequence[Term], parts: Sequence[Piece]) -> str:
    """The text of a sum: a minus sign takes the place of a plus, never +-."""
    text = ""
    for term, piece in zip(terms, parts, strict=True):
        inner = replace(piece, negative=False).within(Level.OPERATOR)
        if term.op == "add":
            inner, negative = piece.bracketed, False
        else:
            negative = piece.negative
        if not text:
            text = f"-{inner}" if negative else inner
        else:
            text = glue(text, "-" if negative else "+", inner)
    return text


def _neg(writer: Writer, term: Term, parts: Parts) -> Piece:
    (body,) = parts
    return Piece(body.within(Level.OPERATOR), Level.OPERATOR, True)


def _scale(writer: Writer, term: Term, parts: Parts) -> Piece:
    factor, body = term.args
    first, second = parts[0], _factor_piece(body, parts[1])
    if term.data[0] == "right":
        return Piece(beside(second.within(Level.FACTOR), first.within(Level.FACTOR)), Level.PRODUCT)
    # A negative number in front is the sign of the whole: -2A.  Where -2 itself is meant, it is a neg.
    negative = factor.op == "number" and first.negative and body.op != "number"
    left = first.text if negative and first.level >= Level.FACTOR else first.within(Level.FACTOR)
    right = body_text(body, second, in_product=not _is_numeral(factor))
    if factor.op == "symbol" and right.startswith(("(", r"\left(")) and _reads_as_map(factor):
        return Piece(glue(left, r"\cdot ", right), Level.OPERATOR, negative)
    return Piece(beside(left, right), Level.PRODUCT, negative)


def _is_numeral(term: Term) -> bool:
    if term.op == "divide":
        return all(arg.op == "number" for arg in term.args)
    return term.op == "number"


_MAP_LETTERS = frozenset({"T", "f", "g", r"\phi", r"\varphi", r"\psi"})


def _reads_as_map(factor: Term) -> bool:
    return factor.data[0] in _MAP_LETTERS and factor.data[1] == ""


def body_text(body: Term, piece: Piece, *, in_product: bool) -> str:
    """What a scalar multiplies: a product stands in parentheses after a letter, r(AB), not after a number, 2AB."""
    if body.op == "sum" and not piece.negative and piece.level >= Level.OPERATOR:
        return piece.text
    if (body.op == "matmul" and in_product) or (body.op == "scale" and body.data[0] == "right"):
        return piece.bracketed
    return piece.within(Level.PRODUCT)


def beside(left: str, right: str) -> str:
    """Two factors side by side; digits after anything and a fraction after digits go into parentheses."""
    digits = right[:1].isdigit() or (right.startswith(r"\frac") and left[-1:].isdigit())
    return glue(left, f"({right})" if digits else right)


def _matmul(writer: Writer, term: Term, parts: Parts) -> Piece:
    text = ""
    for arg, piece in zip(term.args, parts, strict=True):
        factor = _factor_piece(arg, piece).within(Level.FACTOR)
        text = beside(text, factor) if text else factor
    return Piece(text, Level.PRODUCT)


def _divide(writer: Writer, term: Term, parts: Parts) -> Piece:
    top, bottom = parts
    if term.data[0] == "slash":
        return Piece(f"{top.within(Level.PRODUCT)}/{bottom.within(Level.SCRIPTED)}", Level.OPERATOR)
    short = writer.style.short_fractions
    return Piece(_fraction(top.signed, bottom.signed, short=short), Level.FACTOR)


def _infix(sign: Callable[[Style], str], loosest: Level) -> Handler:
    def write(writer: Writer, term: Term, parts: Parts) -> Piece:
        left, right = (
            piece.within(Level.SCRIPTED if arg.op == "scale" else loosest)
            for arg, piece in zip(term.args, parts, strict=True)
        )
        return Piece(glue(left, f"{sign(writer.style)} ", right), Level.OPERATOR)

    return write


def _dot(writer: Writer, term: Term, parts: Parts) -> Piece:
    texts = []
    for arg, piece in zip(term.args, parts, strict=True):
        if arg.op == "literal" and writer.style.vectors != "never":
            texts.append("(" + ",".join(_tuple_cells(writer, arg)) + ")")
        else:
            texts.append(piece.within(Level.SCRIPTED if arg.op == "scale" else Level.PRODUCT))
    return Piece(rf"{texts[0]}\cdot {texts[1]}", Level.OPERATOR)


def _tuple_cells(writer: Writer, column: Term) -> list[str]:
    return [writer.cell(cell, writer.piece(cell)) for cell in column.args]


# --- scripts and functions ------------------------------------------------------------------------------------


def _scripted(mark: Callable[[Style], str]) -> Handler:
    def write(writer: Writer, term: Term, parts: Parts) -> Piece:
        return Piece(f"{parts[0].within(Level.ATOM)}{script(mark(writer.style))}", Level.SCRIPTED)

    return write


_plain_transpose = _scripted(lambda style: style.transpose)


def _transpose(writer: Writer, term: Term, parts: Parts) -> Piece:
    (row,) = term.args
    if row.op == "row":
        letter = writer.notation.rows.get(row.args[0])
        if letter is not None:
            return Piece(letter + index_latex(cast(Dim, row.data[0])))
    return _plain_transpose(writer, term, parts)


def _adjoint(writer: Writer, term: Term, parts: Parts) -> Piece:
    mark = "*" if term.is_scalar else writer.style.adjoint
    return Piece(f"{parts[0].within(Level.ATOM)}{script(mark)}", Level.SCRIPTED)


def _power(writer: Writer, term: Term, parts: Parts) -> Piece:
    exponent = dim_latex(cast(Dim, term.data[0]))
    return Piece(f"{parts[0].within(Level.ATOM)}{script(exponent)}", Level.SCRIPTED)


def _conjugate(writer: Writer, term: Term, parts: Parts) -> Piece:
    return Piece(rf"\overline{{{parts[0].signed}}}")


def _named(name: Callable[[Term], str]) -> Handler:
    def write(writer: Writer, term: Term, parts: Parts) -> Piece:
        inner = ",".join(piece.signed for piece in parts)
        if any(piece.tall for piece in parts):
            return Piece(rf"{operator_latex(name(term))}\left({inner}\right)")
        return Piece(f"{operator_latex(name(term))}({inner})")

    return write


def operator_latex(name: str) -> str:
    r"""A named operator: ``\sin`` where LaTeX has it, else ``\operatorname{tr}``."""
    return f"\\{name}" if name in _OPERATORS else rf"\operatorname{{{name}}}"


def _entrywise(writer: Writer, term: Term, parts: Parts) -> Piece:
    if term.data[0] == "sqrt":
        return Piece(rf"\sqrt{{{parts[0].signed}}}")
    return _named(lambda one: cast(str, one.data[0]))(writer, term, parts)


_BARS = {"norm": (r"\|", r"\|"), "abs": ("|", "|")}


def _scalar_function(writer: Writer, term: Term, parts: Parts) -> Piece:
    bars = _BARS.get(cast(str, term.data[0]))
    if bars is not None and len(parts) == 1:
        return Piece(f"{bars[0]}{parts[0].signed}{bars[1]}")
    return _named(lambda one: cast(str, one.data[0]))(writer, term, parts)


def _apply(writer: Writer, term: Term, parts: Parts) -> Piece:
    name, style = cast("tuple[str, str]", term.data[:2])
    return Piece(f"{symbol_latex(name, style)}({parts[0].signed})")


# --- parts of matrices ----------------------------------------------------------------------------------------


def _entry(writer: Writer, term: Term, parts: Parts) -> Piece:
    base = term.args[0]
    i, j = cast("tuple[Dim, Dim]", term.data)
    vector = base.cols.constant == 1 and j.constant == 1 and not base.is_scalar
    if base.op == "symbol":
        vector = has_one_index(base)
    letter = writer.notation.entries.get(base)
    dims = (i,) if vector else (i, j)
    return Piece((letter or parts[0].bracketed) + index_latex(*dims))


def _row(writer: Writer, term: Term, parts: Parts) -> Piece:
    base, index = term.args[0], cast(Dim, term.data[0])
    letter = writer.notation.rows.get(base)
    if letter is not None:
        return Piece(letter + index_latex(index) + script(writer.style.transpose), Level.SCRIPTED)
    return Piece(rf"\operatorname{{row}}{index_latex(index)}({parts[0].signed})")


def _column(writer: Writer, term: Term, parts: Parts) -> Piece:
    base, index = term.args[0], cast(Dim, term.data[0])
    letter = writer.notation.columns.get(base)
    if letter is not None:
        return Piece(letter + index_latex(index))
    return Piece(rf"\operatorname{{col}}{index_latex(index)}({parts[0].signed})")


# --- matrices and families ------------------------------------------------------------------------------------


def _literal(writer: Writer, term: Term, parts: Parts) -> Piece:
    if writer.style.vectors == "always" and term.data[1] == 1 and len(parts) > 1:
        return Piece(f"({','.join(_tuple_cells(writer, term))})")
    return _rectangle(writer, term, parts, cast(int, term.data[1]))


def _rectangle(writer: Writer, term: Term, parts: Parts, width: int) -> Piece:
    cells = [writer.cell(arg, piece) for arg, piece in zip(term.args, parts, strict=True)]
    return Piece(writer.grid([cells[start : start + width] for start in range(0, len(cells), width)]))


def _columns(writer: Writer, term: Term, parts: Parts) -> Piece:
    return _rectangle(writer, term, parts, len(parts))


def _rows(writer: Writer, term: Term, parts: Parts) -> Piece:
    return _rectangle(writer, term, parts, 1)


def _family(writer: Writer, term: Term, parts: Parts) -> Piece:
    if writer.style.tables == "brackets":
        body = _all_entries(term)
        if body is not None:
            return Piece(f"[{writer.text(body)}]")
    grid: Grid = family_cells(term, writer.style.dots_from)
    return Piece(
        writer.grid(
            [
                [cell if isinstance(cell, str) else writer.cell(cell, writer.piece(cell)) for cell in row]
                for row in grid
            ]
        )
    )


def _all_entries(term: Term) -> Term | None:
    """The entry that stands for all, when a family is the matrix of all entries of a symbol."""
    if term.op != "row_family" or term.args[0].op != "column_family":
        return None
    inner = term.args[0]
    body = inner.args[0]
    if body.op != "entry" or body.args[0].op != "symbol":
        return None
    base = body.args[0]
    letters = (Dim.symbol(cast(str, term.data[0])), Dim.symbol(cast(str, inner.data[0])))
    full = (term.data[1], term.data[2], inner.data[1], inner.data[2]) == (
        Dim.of(1),
        base.rows,
        Dim.of(1),
        base.cols,
    )
    return body if full and body.data == letters else None


def _sum(writer: Writer, term: Term, parts: Parts) -> Piece:
    index, lo, hi = cast("tuple[str, Dim, Dim]", term.data)
    if writer.style.sums == "dots":
        members = member_terms(term, writer.style.dots_from)
        if members is not None:
            return _dotted_sum(writer, members)
    (body,) = parts
    limits = rf"\sum_{{{index}={dim_latex(lo)}}}{script_braced(dim_latex(hi))}"
    return Piece(glue(limits, body.within(Level.OPERATOR)), Level.OPERATOR)


def script_braced(text: str) -> str:
    """An upper limit, always in braces."""
    return f"^{{{text}}}"


def _dotted_sum(writer: Writer, members: Sequence[Term | None]) -> Piece:
    text = ""
    for member in members:
        if member is None:
            text += r"+\cdots"
            continue
        piece = writer.piece(member)
        inner = replace(piece, negative=False).within(Level.OPERATOR)
        text = glue(text, "-" if piece.negative else "+" if text else "", inner)
    return Piece(text, Level.SUM if len(members) > 1 else Level.OPERATOR)


WRITERS: dict[str, Handler] = {
    "symbol": _symbol,
    "number": _number,
    "size": _size,
    "opaque": _opaque,
    "literal": _literal,
    "identity": _identity,
    "zero": _zero,
    "ones": _ones,
    "unit": _unit,
    "permutation": _permutation,
    "add": _add,
    "neg": _neg,
    "scale": _scale,
    "divide": _divide,
    "matmul": _matmul,
    "power": _power,
    "transpose": _transpose,
    "conjugate": _conjugate,
    "adjoint": _adjoint,
    "inverse": _scripted(lambda style: "-1"),
    "pseudoinverse": _scripted(lambda style: "+"),
    "trace": _named(lambda term: "tr"),
    "determinant": _named(lambda term: "det"),
    "dot": _dot,
    "hadamard": _infix(lambda style: style.hadamard, Level.FACTOR),
    "kronecker": _infix(lambda style: r"\otimes", Level.FACTOR),
    "diag": _named(lambda term: "diag"),
    "diagpart": _named(lambda term: "diag"),
    "vec": _named(lambda term: "vec"),
    "entry": _entry,
    "row": _row,
    "column": _column,
    "columns": _columns,
    "rows": _rows,
    "column_family": _family,
    "row_family": _family,
    "block": lambda writer, term, parts: _rectangle(writer, term, parts, cast(int, term.data[1])),
    "sum": _sum,
    "apply": _apply,
    "entrywise": _entrywise,
    "row_softmax": _named(lambda term: "softmax"),
    "scalar_function": _scalar_function,
}
