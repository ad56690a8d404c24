r"""A product as the table of all dot products: rows of the left factor against columns of the right one.

Offers `table_view`; rests on `line_views`.  It is the form in which a text shows that every entry of QKᵀ compares a
row of Q with a row of K.
"""

from __future__ import annotations

from symlin.construct import column_family, dot, literal, matmul, row_family
from symlin.derive.arithmetic import computed
from symlin.derive.derivation import Derivation
from symlin.derive.entry_views import transposed
from symlin.derive.letters import DIAGONAL_LETTERS, Letters
from symlin.derive.line_views import factors_of, listing, with_all
from symlin.derive.options import Options, opened
from symlin.derive.parts import column_of, row_of
from symlin.derive.steps import Step, unfold_all
from symlin.dims import ONE, Dim
from symlin.term import Term

LARGEST = 36
"""A table of numbers of at most this many entries is shown with the work of each."""


def table_view(start: Term, chosen: Options) -> Derivation:
    """Rows against columns, then the table of their dot products; with numbers, their sums and values."""
    term, steps, chosen = opened(start, chosen)
    left, right = factors_of(term, "table")
    if left.op != "literal" and right.op != "literal":
        both = matmul(_family(left, "rows"), _family(right, "columns"))
        steps.append(Step(both, "the left factor by its rows, the right one by its columns", "families"))
    table = _symbolic(left, right)
    reason = "each entry is the dot product of a row of the left factor and a column of the right one"
    numbers = _numeric(with_all(left, chosen), with_all(right, chosen))
    if numbers is None or left.op != "literal":
        steps.append(Step(table, reason, "dot"))
    if numbers is not None:
        steps.append(Step(numbers, reason if left.op == "literal" else "the values are put in", "values"))
        shown = numbers
        for step in unfold_all(numbers):
            steps.append(Step(step.term, step.reason, "sum"))
            shown = step.term
        value = computed(shown)
        if value is not None:
            steps.append(Step(value, "arithmetic", "value"))
    return Derivation(start, tuple(steps))


def _family(term: Term, role: str) -> Term:
    """A vector is its only row or column."""
    return term if (term.rows if role == "rows" else term.cols) == ONE else listing(term, role)


def _symbolic(left: Term, right: Term) -> Term:
    letters = Letters.of([left, right], DIAGONAL_LETTERS)
    first = letters.fresh()
    second = letters.fresh((first,))
    i = ONE if left.rows == ONE else Dim.symbol(first)
    j = ONE if right.cols == ONE else Dim.symbol(second)
    body = dot(transposed(row_of(left, i)), column_of(right, j))
    if right.cols != ONE:
        body = column_family(second, 1, right.cols, body)
    return row_family(first, 1, left.rows, body) if left.rows != ONE else body


def _numeric(left: Term, right: Term) -> Term | None:
    """The table of dot products of numbers; None where a factor is no matrix of numbers, or the table is large."""
    height, width = left.rows.constant, right.cols.constant
    if left.op != "literal" or right.op != "literal" or height is None or width is None:
        return None
    if height * width > LARGEST:
        return None
    cells = [
        [dot(transposed(row_of(left, Dim.of(i))), column_of(right, Dim.of(j))) for j in range(1, width + 1)]
        for i in range(1, height + 1)
    ]
    return literal(cells) if height * width > 1 else cells[0][0]
