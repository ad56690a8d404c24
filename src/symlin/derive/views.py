r"""The views of an expression: its entries, its columns, its rows, a product as a sum of outer products.

Offers `derive`; rests on `steps`, `parts` and `arithmetic`.  A view is worked out from shapes alone; with numbers the
arithmetic is shown.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias, cast

from symlin.construct import (
    add,
    column,
    column_family,
    columns,
    dot,
    entry,
    literal,
    matmul,
    row,
    row_family,
    rows,
    scale,
    transpose,
)
from symlin.derive.arithmetic import computed
from symlin.derive.derivation import Derivation
from symlin.derive.letters import DIAGONAL_LETTERS, Letters
from symlin.derive.monomials import multiply_out, sum_term
from symlin.derive.parts import column_of, entries_column, entries_row, resolved, row_of
from symlin.derive.steps import Step, unfold_all
from symlin.derive.unfold import ROW_TIMES_COLUMN, WRITE_OUT, Place, plus
from symlin.dims import ONE, Dim, DimLike
from symlin.errors import ShapeError, SymlinError, UnsupportedError
from symlin.statement import Statement
from symlin.term import Term, multiply, size_text, substitute, symbols, walk

LISTED = 4
"""From this many columns or rows on, a view is a family with dots."""
TABLE = 36
"""A matrix of at most this many entries is shown with every entry worked out."""

Values: TypeAlias = Mapping[Term, Term]
Entry: TypeAlias = "tuple[DimLike, DimLike]"


def derive(
    term: Term,
    *,
    entry: Entry | None = None,
    by: str | None = None,
    row: DimLike | None = None,
    column: DimLike | None = None,
    values: Values | None = None,
    forms: Sequence[str] | None = None,
    as_column: bool = False,
    write_out: int = WRITE_OUT,
) -> Derivation:
    r"""Derive the entry formula of an expression, one of its rows or columns, or a view of it.

    Args:
        term: an expression, m×n.
        entry: which entry (i, j), counted from 1: numbers, letters or sizes such as ``"i+1"``.
        by: ``entries``, ``columns``, ``rows`` or ``outer``.
        row: which row, as a combination of rows.
        column: which column, as a combination of columns.
        values: what symbols stand for (a formula or a matrix of numbers), put in when nothing else is left to do.
        as_column: whether a row is derived as a column vector (its transpose).
        forms: for an entry of a product, the forms to go through, in this order: ``dot`` (a dot product of a row
            and a column), ``row-column`` (a row times a column, entries written out), ``sum``.
        write_out: sums over at most this many values are written out.

    Raises:
        ShapeError: there is no such entry, row or column.
        UnsupportedError: the view does not apply; says to what.
        SymlinError: no such view or form.

    Examples:
        >>> from symlin.construct import symbol
        >>> A, B = symbol("A", "m", 3), symbol("B", 3, "k")
        >>> print(derive(A @ B, entry=("i", "j")).result)
        a_{i1} b_{1j} + a_{i2} b_{2j} + a_{i3} b_{3j}
        >>> print(derive(A @ B, by="columns").result)
        [Ab_1 … Ab_k]
        >>> print(derive(literal([[2, 4, 0]]) @ literal([[-4], [-1], [1]])))
        [2 4 0][-4; -1; 1] = (2, 4, 0)·(-4, -1, 1)     row 1 of the left factor and column 1 of the right one
                           = 2(-4) + 4(-1) + 0(1)      a dot product is the sum of the products of the entries
                           = -12                       arithmetic
    """
    given = sum(one is not None for one in (entry, row, column)) + int(by not in (None, "entries"))
    if given > 1:
        raise SymlinError("derive one thing at a time: an entry, a row, a column, or a view")
    chosen = _Options(dict(values or {}), tuple(forms) if forms is not None else None, write_out)
    if entry is not None:
        found = _entry(term, *entry, chosen)
    elif row is not None:
        found = _line(term, Dim.of(row), "upright row" if as_column else "row", chosen)
    elif column is not None:
        found = _line(term, Dim.of(column), "column", chosen)
    else:
        view = VIEWS.get(by or "entries")
        if view is None:
            raise SymlinError(f"{by!r} is no view; use one of {', '.join(VIEWS)}")
        found = view(term, chosen)
    return Derivation(found.start, found.steps, tuple(Statement(*pair) for pair in chosen.values.items()))


class _Options:
    """What was asked for."""

    __slots__ = ("forms", "values", "write_out")

    def __init__(self, values: dict[Term, Term], forms: tuple[str, ...] | None, write_out: int) -> None:
        self.values = values
        self.forms = forms
        self.write_out = write_out
        for symbol, value in values.items():
            if symbol.shape != value.shape:
                sizes = f"{symbol} is {size_text(symbol.shape)}, but its value is {size_text(value.shape)}"
                raise ShapeError(sizes)


# --- entries --------------------------------------------------------------------------------------------------


def _entry(term: Term, i: DimLike, j: DimLike, chosen: _Options) -> Derivation:
    start = entry(term, i, j)
    return Derivation(start, tuple(_steps(start, chosen)))


def _entries(term: Term, chosen: _Options) -> Derivation:
    """The entry formula for all entries at once; a small matrix with every entry worked out."""
    if term.is_scalar:
        return Derivation(term, tuple(_steps(term, chosen)))
    height, width = term.rows.constant, term.cols.constant
    if height is not None and width is not None and height * width <= TABLE:
        return _table(term, height, width, chosen)
    letters = Letters.of([term, *chosen.values.values()], DIAGONAL_LETTERS)
    first = letters.fresh()
    second = letters.fresh((first,))
    i = ONE if term.rows == ONE else Dim.symbol(first)
    j = ONE if term.cols == ONE else Dim.symbol(second)
    return _entry(term, i, j, chosen)


def _table(term: Term, height: int, width: int, chosen: _Options) -> Derivation:
    if term.op in ("symbol", "literal"):
        return Derivation(term, ())
    cells = [[entry(term, i, j) for j in range(1, width + 1)] for i in range(1, height + 1)]
    plain_forms = _Options(chosen.values, ("sum",), chosen.write_out)
    steps = list(_steps(literal(cells), plain_forms))
    return Derivation(term, tuple(steps))


def _steps(start: Term, chosen: _Options) -> list[Step]:
    """Unfolded as far as it goes, then with values put in, then computed."""
    letters = Letters.of([start, *chosen.values, *chosen.values.values()])
    steps: list[Step] = []
    at = start
    values = dict(chosen.values)
    for form in chosen.forms if chosen.forms is not None else _usual_forms(start):
        found = _in_form(start, form, Place(letters, (), chosen.write_out))
        if found is not None and found.term is not at:
            steps.append(found)
            at = found.term
    while True:
        for step in unfold_all(at, letters, chosen.write_out):
            steps.append(step)
            at = step.term
        after = _put_in(at, values)
        if after is None:
            break
        steps.append(after)
        at = after.term
    value = computed(at)
    if value is not None:
        steps.append(Step(value, "arithmetic"))
    elif start.is_scalar:
        outside = _sums_outside(at, letters)
        if outside is not None:
            steps.append(outside)
    return steps


def _sums_outside(term: Term, letters: Letters) -> Step | None:
    """Sums taken outside products, where this needs no multiplying out of sums of terms."""
    if any(node.op in ("add", "neg", "power", "divide") for node in walk(term)):
        return None
    products = multiply_out(term, letters)
    flat = sum_term(products) if products is not None and len(products) == 1 else term
    return None if flat is term else Step(flat, "a factor may go inside a sum")


def _put_in(term: Term, values: dict[Term, Term]) -> Step | None:
    """The first of the values that a Term mentions put in; each is used once."""
    for symbol in symbols(term):
        if symbol in values:
            value = values.pop(symbol)
            together = {symbol: value}
            if value.op == "literal":
                for other in symbols(term):
                    if other in values and values[other].op == "literal":
                        together[other] = values.pop(other)
                return Step(resolved(substitute(term, together)), "the values are put in")
            return Step(substitute(term, together), f"{symbol} = {value}")
    return None


FORMS = ("dot", "row-column", "sum")


def _usual_forms(start: Term) -> tuple[str, ...]:
    """Numbers are shown as a dot product first."""
    base = start.args[0] if start.op == "entry" else start
    product = base.op == "matmul" and len(base.args) == 2 and base.args[0].cols != ONE
    numeric = product and all(factor.op == "literal" for factor in base.args)
    return ("dot", "sum") if numeric else ("sum",)


def _in_form(start: Term, form: str, place: Place) -> Step | None:
    """An entry of a product (or a 1×1 product) in one of its forms; None where the form does not apply."""
    if form not in FORMS:
        raise SymlinError(f"{form!r} is no form of an entry; use one of {', '.join(FORMS)}")
    if form == "sum":
        return None
    if start.op == "entry":
        base, (i, j) = start.args[0], cast("tuple[Dim, Dim]", start.data)
    else:
        base, i, j = start, ONE, ONE
    if base.op != "matmul":
        return None
    *first, last = base.args
    left = matmul(*first)
    if form == "dot":
        sides = transposed(row_of(left, i)), column_of(last, j)
        reason = f"row {i} of the left factor and column {j} of the right one"
        return Step(dot(*sides), reason)
    row_entries, column_entries = entries_row(left, i), entries_column(last, j)
    if row_entries is None or column_entries is None:
        return None
    inner = [matmul(row_entries, column_entries)]
    return Step(_simplified(inner[0], place), ROW_TIMES_COLUMN)


def _simplified(term: Term, place: Place) -> Term:
    """Entries of transposes and the like taken of their parts, in the cells of a row or a column."""
    for step in unfold_all(term.args[0], place.letters, place.write_out):
        term = matmul(step.term, term.args[1])
    for step in unfold_all(term.args[1], place.letters, place.write_out):
        term = matmul(term.args[0], step.term)
    return term


def transposed(term: Term) -> Term:
    """The transpose; of a transpose, what it is the transpose of; of a row of numbers, the column."""
    if term.op == "transpose":
        return term.args[0]
    if term.op == "literal":
        return literal([[cell] for cell in term.args])
    return transpose(term)


# --- rows, columns, outer products ------------------------------------------------------------------------------


def _product(term: Term, view: str) -> tuple[Term, Term]:
    """The two factors of a product: all but the last, and the last."""
    if term.op == "power" and term.data[0] == Dim.of(2):
        return term.args[0], term.args[0]
    if term.op != "matmul":
        raise UnsupportedError(f"the view by {view}", f"{term} is no product, so it has no view by {view}")
    *first, last = term.args
    return matmul(*first), last


def _columns(term: Term, chosen: _Options) -> Derivation:
    return _listed(term, "columns", chosen)


def _rows(term: Term, chosen: _Options) -> Derivation:
    return _listed(term, "rows", chosen)


def _listed(term: Term, role: str, chosen: _Options) -> Derivation:
    """All columns side by side, or all rows stacked."""
    part, count = (column_of, term.cols) if role == "columns" else (row_of, term.rows)
    letters = Letters.of([term], ("j", "i", *DIAGONAL_LETTERS) if role == "columns" else DIAGONAL_LETTERS)
    number = count.constant
    has_numbers = any(factor.op == "literal" for factor in (*term.args, term))
    if number is not None and (number < LISTED or has_numbers):
        members = [part(term, Dim.of(place)) for place in range(1, number + 1)]
        listed = columns(members) if role == "columns" else rows(members)
    else:
        index = letters.fresh()
        member = part(term, Dim.symbol(index))
        family = column_family if role == "columns" else row_family
        listed = family(index, 1, count, member)
    steps = [Step(listed, _LISTED_REASON[role] if term.op == "matmul" else f"written by {role}")]
    return Derivation(term, tuple(steps + _finished(listed, term, chosen)))


_LISTED_REASON = {
    "columns": "the columns of a product are the left factor times the columns of the right one",
    "rows": "the rows of a product are the rows of the left factor times the right one",
}


def _finished(shown: Term, term: Term, chosen: _Options) -> list[Step]:
    """The values put in and everything computed, as one last step."""
    value = computed(substitute(term, chosen.values) if chosen.values else term)
    return [Step(value, "arithmetic")] if value is not None and value is not shown else []


def _outer(term: Term, chosen: _Options) -> Derivation:
    left, right = _product(term, "outer products")
    place = Place(Letters.of([term]), (), chosen.write_out)
    letter = place.index(left, right)
    at = Dim.symbol(letter)
    count = left.cols.constant
    if count is not None and (count <= chosen.write_out):
        shown = plus(
            [matmul(column_of(left, Dim.of(k)), row_of(right, Dim.of(k))) for k in range(1, count + 1)]
        )
    else:
        shown = place.sum(letter, left.cols, matmul(column_of(left, at), row_of(right, at)))
    steps = [
        Step(shown, "a product is the sum of the columns of the left factor times the rows of the right one")
    ]
    worked = _worked(shown)
    if worked is not None:
        steps.append(Step(worked, "each product is worked out"))
    return Derivation(term, tuple(steps + _finished(worked or shown, term, chosen)))


def _worked(term: Term) -> Term | None:
    """A sum with each of its terms computed."""
    if term.op != "add":
        return None
    values = [computed(arg) for arg in term.args]
    if any(value is None for value in values):
        return None
    return add(*(value for value in values if value is not None))


def _line(term: Term, at: Dim, role: str, chosen: _Options) -> Derivation:
    """A row of a product as a combination of rows, a column as a combination of columns."""
    direction = _DIRECTIONS[role]
    start = direction.start(term, at)
    steps: list[Step] = []
    shown = direction.part(term, at)
    if shown is not start and role != "upright row":
        steps.append(Step(shown, _LINE_REASON[role] if term.op == "matmul" else f"the {role} of the whole"))
    combination = _combination(term, at, direction, chosen)
    if combination is not None:
        shown = combination
        steps.append(Step(shown, direction.reason))
    if chosen.values:
        put = resolved(substitute(shown, chosen.values))
        if put is not shown:
            shown = put
            steps.append(Step(shown, "the values are put in"))
    worked = _worked(shown)
    if worked is not None:
        steps.append(Step(worked, "each multiple is worked out"))
    value = computed(worked or shown)
    if value is not None:
        steps.append(Step(value, "arithmetic"))
    return Derivation(start, tuple(steps))


_LINE_REASON = {
    "row": "a row of a product is the row of the left factor times the right one",
    "column": "a column of a product is the left factor times the column of the right one",
}


@dataclass(frozen=True, slots=True)
class _Direction:
    """A way to take a product apart: what is derived, and which factor gives weights and which vectors."""

    start: Callable[[Term, Dim], Term]
    part: Callable[[Term, Dim], Term]
    vector: Callable[[Term, Dim], Term]
    weights_first: bool
    reason: str


def _upright(term: Term, i: Dim) -> Term:
    return transposed(row_of(term, i))


_DIRECTIONS = {
    "row": _Direction(
        row, row_of, row_of, True, "a row times a matrix is a combination of the rows of the matrix"
    ),
    "upright row": _Direction(
        lambda term, i: transpose(row(term, i)),
        _upright,
        _upright,
        True,
        "a row of a product is a combination of the rows of the right factor, written as columns",
    ),
    "column": _Direction(
        column,
        column_of,
        column_of,
        False,
        "a matrix times a column is a combination of the columns of the matrix",
    ),
}


def _combination(term: Term, at: Dim, direction: _Direction, chosen: _Options) -> Term | None:
    """The weights are entries of one factor, the vectors rows or columns of the other."""
    if term.op != "matmul":
        return None
    if direction.weights_first:
        weights, *rest = term.args
    else:
        *rest, weights = term.args
    vectors = matmul(*rest)
    place = Place(Letters.of([term], ("j", "k", "i", *DIAGONAL_LETTERS)), (), chosen.write_out)
    letter = place.index(at, weights, vectors)
    index = Dim.symbol(letter)
    spot = (at, index) if direction.weights_first else (index, at)
    weight, vector = entry(weights, *spot), direction.vector(vectors, index)
    body = multiply(weight, vector) if vector.rows == ONE else scale(weight, vector)
    count = weights.cols if direction.weights_first else weights.rows
    return place.sum(letter, count, body)


View: TypeAlias = Callable[[Term, _Options], Derivation]
VIEWS: dict[str, View] = {"entries": _entries, "columns": _columns, "rows": _rows, "outer": _outer}
