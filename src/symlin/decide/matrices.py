"""Matrix arithmetic on lists of rows, over any exact scalars.

Offers products, determinants, inverses and row reduction; rests on nothing; scalars add, multiply and are
false when zero.  Determinants without division are meant for polynomials and small matrices.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import combinations
from typing import Any, Protocol, TypeAlias

from symlin.errors import BudgetError

Matrix: TypeAlias = list[list[Any]]

MINOR_LIMIT = 8
"""Up to this size a determinant is expanded by minors."""


class Scalars(Protocol):
    """What elimination needs to know of the scalars."""

    field: bool

    def number(self, value: Fraction) -> Any:
        """A rational number."""

    def divide(self, left: Any, right: Any) -> Any:
        """left / right."""


def add(left: Matrix, right: Matrix) -> Matrix:
    """left + right."""
    return [[a + b for a, b in zip(one, two, strict=True)] for one, two in zip(left, right, strict=True)]


def scale(factor: Any, matrix: Matrix) -> Matrix:
    """A scalar multiple."""
    return [[factor * value for value in line] for line in matrix]


def transpose(matrix: Matrix) -> Matrix:
    """The transpose."""
    return [list(column) for column in zip(*matrix, strict=True)]


def multiply(left: Matrix, right: Matrix, dot: Callable[[list[Any], list[Any]], Any]) -> Matrix:
    """The product, entry by entry a row times a column."""
    columns = [list(column) for column in zip(*right, strict=True)]
    return [[dot(line, column) for column in columns] for line in left]


def determinant(matrix: Matrix, scalars: Scalars, tick: Callable[[], None]) -> Any:
    """The determinant: by elimination in a field, else by minors of the first rows."""
    size = len(matrix)
    if scalars.field and size > 3:
        return _eliminated_determinant(matrix, scalars)
    if size > MINOR_LIMIT:
        raise BudgetError("determinant", f"a determinant of size {size} with unknown entries")
    return _minors(matrix, scalars, tick)[tuple(range(size))]


def _minors(matrix: Matrix, scalars: Scalars, tick: Callable[[], None]) -> dict[tuple[int, ...], Any]:
    """The determinants of the first k rows with any k columns, k the number of rows of `matrix`."""
    size = len(matrix[0]) if matrix else 0
    found: dict[tuple[int, ...], Any] = {(): scalars.number(Fraction(1))}
    for depth, line in enumerate(matrix, start=1):
        deeper: dict[tuple[int, ...], Any] = {}
        for columns in combinations(range(size), depth):
            tick()
            total: Any = scalars.number(Fraction(0))
            for place, column in enumerate(columns):
                if line[column]:
                    product = line[column] * found[columns[:place] + columns[place + 1 :]]
                    # Expansion along the last of the rows taken so far.
                    total = total + product if (depth + place) % 2 else total - product
            deeper[columns] = total
        found = deeper
    return found


def _eliminated_determinant(matrix: Matrix, scalars: Scalars) -> Any:
    rows = [list(line) for line in matrix]
    result: Any = scalars.number(Fraction(1))
    for place in range(len(rows)):
        pivot = next((at for at in range(place, len(rows)) if rows[at][place]), None)
        if pivot is None:
            return scalars.number(Fraction(0))
        if pivot != place:
            rows[place], rows[pivot] = rows[pivot], rows[place]
            result = -result
        result = result * rows[place][place]
        for at in range(place + 1, len(rows)):
            if rows[at][place]:
                factor = scalars.divide(rows[at][place], rows[place][place])
                rows[at] = [a - factor * b for a, b in zip(rows[at], rows[place], strict=True)]
    return result


def adjugate(matrix: Matrix, scalars: Scalars, tick: Callable[[], None]) -> Matrix:
    """The transposed matrix of cofactors."""
    size = len(matrix)
    if size > MINOR_LIMIT - 1:
        raise BudgetError("inverse", f"an inverse of size {size} with unknown entries")
    out: Matrix = [[None] * size for _ in range(size)]
    for i in range(size):
        minors = _minors(matrix[:i] + matrix[i + 1 :], scalars, tick)
        for j in range(size):
            columns = tuple(k for k in range(size) if k != j)
            minor = minors[columns]
            out[j][i] = -minor if (i + j) % 2 else minor
    return out


def row_reduce(matrix: Matrix, scalars: Scalars) -> tuple[Matrix, list[int]]:
    """The reduced row echelon form and its pivot columns."""
    rows = [list(line) for line in matrix]
    pivots: list[int] = []
    for column in range(len(rows[0])):
        top = len(pivots)
        pivot = next((at for at in range(top, len(rows)) if rows[at][column]), None)
        if pivot is None:
            continue
        rows[top], rows[pivot] = rows[pivot], rows[top]
        lead = rows[top][column]
        rows[top] = [scalars.divide(value, lead) for value in rows[top]]
        for at in range(len(rows)):
            if at != top and rows[at][column]:
                factor = rows[at][column]
                rows[at] = [a - factor * b for a, b in zip(rows[at], rows[top], strict=True)]
        pivots.append(column)
        if len(pivots) == len(rows):
            break
    return rows, pivots


def eliminate_inverse(matrix: Matrix, scalars: Scalars) -> Matrix | None:
    """The inverse by row reduction, or None when there is none."""
    size = len(matrix)
    one, zero = scalars.number(Fraction(1)), scalars.number(Fraction(0))
    wide = [list(line) + [one if i == j else zero for j in range(size)] for i, line in enumerate(matrix)]
    reduced, pivots = row_reduce(wide, scalars)
    if pivots[:size] != list(range(size)):
        return None
    return [line[size:] for line in reduced]
