"""Columns, rows and outer products of a product, and one row or column as a linear combination.

Offers `columns_view`, `rows_view`, `outer_view` and `line_view`; rests on `parts`, `unfold` and `arithmetic`.  A symbol
that stands for a formula is replaced by it first; numbers are put in last.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from symlin.construct import (
    add,
    column,
    column_family,
    columns,
    entry,
    matmul,
    row,
    row_family,
    rows,
    scale,
    transpose,
)
from symlin.derive.arithmetic import computed
from symlin.derive.derivation import Derivation
from symlin.derive.entry_views import transposed
from symlin.derive.letters import DIAGONAL_LETTERS, Letters
from symlin.derive.options import Options, opened
from symlin.derive.parts import column_of, resolved, row_of
from symlin.derive.steps import Step
from symlin.derive.unfold import Place, plus
from symlin.dims import ONE, Dim
from symlin.errors import UnsupportedError
from symlin.term import Term, multiply, substitute

LISTED = 4
"""From this many columns or rows on, a view is a family with dots."""


def factors_of(term: Term, view: str) -> tuple[Term, Term]:
    """The two factors of a product: all but the last, and the last.

    Raises:
        UnsupportedError: it is no product.
    """
    if term.op == "power":
        exponent = getattr(term.data[0], "constant", None)
        if exponent is not None and exponent >= 2:
            return matmul(*[term.args[0]] * (exponent - 1)), term.args[0]
    if term.op != "matmul":
        raise UnsupportedError(f"the view by {view}", f"{term} is no product, so it has no view by {view}")
    *first, last = term.args
    return matmul(*first), last


def columns_view(term: Term, chosen: Options) -> Derivation:
    """AB = [A b_1 … A b_k]; with numbers, how each A b_j is worked out stands in the details."""
    return _listed(term, "columns", chosen)


def rows_view(term: Term, chosen: Options) -> Derivation:
    """The rows a_iᵀB stacked."""
    return _listed(term, "rows", chosen)


def listing(term: Term, role: str) -> Term:
    """A matrix written by its columns or rows: a family with dots from four of them on.

    Examples:
        >>> from symlin.construct import symbol
        >>> print(listing(symbol("K", "L", "d").T, "columns"))
        [k_1 … k_L]
    """
    part, count = (column_of, term.cols) if role == "columns" else (row_of, term.rows)
    letters = Letters.of([term], ("j", "i", *DIAGONAL_LETTERS) if role == "columns" else DIAGONAL_LETTERS)
    number = count.constant
    has_numbers = any(factor.op == "literal" for factor in (*term.args, term))
    if number is not None and (number < LISTED or has_numbers):
        members = [part(term, Dim.of(place)) for place in range(1, number + 1)]
        return columns(members) if role == "columns" else rows(members)
    index = letters.fresh()
    member = part(term, Dim.symbol(index))
    family = column_family if role == "columns" else row_family
    return family(index, 1, count, member)


def _listed(start: Term, role: str, chosen: Options) -> Derivation:
    """All columns side by side, or all rows stacked."""
    term, steps, chosen = opened(start, chosen)
    listed = listing(term, role)
    steps.append(Step(listed, _LISTED_REASON[role] if term.op == "matmul" else f"written by {role}"))
    finished = _finished(listed, term, chosen)
    details = _line_work(term, role, chosen) if finished and term.op == "matmul" else ()
    return Derivation(start, tuple(steps + finished), details=details)


_LISTED_REASON = {
    "columns": "the columns of a product are the left factor times the columns of the right one",
    "rows": "the rows of a product are the rows of the left factor times the right one",
}


def _line_work(term: Term, role: str, chosen: Options) -> tuple[Derivation, ...]:
    """Each column A b_j, or each row, of a product of numbers worked out on its own."""
    count, one = (term.cols, "column") if role == "columns" else (term.rows, "row")
    lines = range(1, (count.constant or 0) + 1)
    found = (line_view(term, Dim.of(place), one, chosen) for place in lines)
    return tuple(Derivation(work.terms[1], work.steps[1:]) for work in found if len(work.steps) > 1)


def with_all(term: Term, chosen: Options) -> Term:
    """All values put in, values inside values too."""
    for _ in range(len(chosen.values)):
        after = substitute(term, chosen.values)
        if after is term:
            break
        term = after
    return resolved(term)


def _finished(shown: Term, term: Term, chosen: Options) -> list[Step]:
    """The values put in and everything computed, as one last step."""
    value = computed(with_all(term, chosen) if chosen.values else term)
    return [Step(value, "arithmetic", "value")] if value is not None and value is not shown else []


def outer_view(start: Term, chosen: Options) -> Derivation:
    """AB as the sum of columns of A times rows of B."""
    term, steps, chosen = opened(start, chosen)
    left, right = factors_of(term, "outer products")
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
    reason = "a product is the sum of the columns of the left factor times the rows of the right one"
    steps.append(Step(shown, reason))
    shown = _in_numbers(shown, chosen, steps)
    worked = _worked(shown)
    if worked is not None:
        steps.append(Step(worked, "each product is worked out"))
    return Derivation(start, tuple(steps + _finished(worked or shown, term, chosen)))


def _in_numbers(shown: Term, chosen: Options, steps: list[Step]) -> Term:
    """The values put in, as a step of its own."""
    if not chosen.values:
        return shown
    put = with_all(shown, chosen)
    if put is not shown:
        steps.append(Step(put, "the values are put in", "values"))
    return put


def _worked(term: Term) -> Term | None:
    """A sum with each of its terms computed."""
    if term.op != "add":
        return None
    values = [computed(arg) for arg in term.args]
    if any(value is None for value in values):
        return None
    return add(*(value for value in values if value is not None))


def line_view(whole: Term, at: Dim, role: str, chosen: Options) -> Derivation:
    """A row of a product as a combination of rows, a column as a combination of columns.

    Args:
        whole: the expression.
        at: which row or column.
        role: ``row``, ``upright row`` (written as a column) or ``column``.
        chosen: what was asked.
    """
    direction = _DIRECTIONS[role]
    term, opening, chosen = opened(whole, chosen)
    start = direction.start(whole, at)
    steps = [Step(direction.start(one.term, at), one.reason, one.form) for one in opening]
    shown = direction.part(term, at)
    if shown is not (steps[-1].term if steps else start) and role != "upright row":
        steps.append(Step(shown, _LINE_REASON[role] if term.op == "matmul" else f"the {role} of the whole"))
    combination = _combination(term, at, direction, chosen)
    if combination is not None:
        shown = combination
        steps.append(Step(shown, direction.reason, "combination"))
    shown = _in_numbers(shown, chosen, steps)
    worked = _worked(shown)
    if worked is not None and worked is not shown:
        steps.append(Step(worked, "each multiple is worked out", "multiples"))
    value = computed(worked or shown)
    if value is not None:
        steps.append(Step(value, "arithmetic", "value"))
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
        lambda term, i: row(term, i) if term.rows != ONE else term,
        row_of,
        row_of,
        True,
        "a row times a matrix is a combination of the rows of the matrix",
    ),
    "upright row": _Direction(
        lambda term, i: transpose(row(term, i)),
        _upright,
        _upright,
        True,
        "a row of a product is a combination of the rows of the right factor, written as columns",
    ),
    "column": _Direction(
        lambda term, j: column(term, j) if term.cols != ONE else term,
        column_of,
        column_of,
        False,
        "a matrix times a column is a combination of the columns of the matrix",
    ),
}


def _combination(term: Term, at: Dim, direction: _Direction, chosen: Options) -> Term | None:
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
    weight = entry(weights.args[0], spot[1], spot[0]) if weights.op == "transpose" else entry(weights, *spot)
    vector = direction.vector(vectors, index)
    body = multiply(weight, vector) if vector.rows == ONE else scale(weight, vector)
    count = weights.cols if direction.weights_first else weights.rows
    return place.sum(letter, count, body)
