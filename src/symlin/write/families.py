r"""Families as a person writes them: the first members, dots, the last one; small ones in full.

Offers `member_terms` and `family_cells`; rests on `term`.  Where the number of members is a symbol, two members
stand before the dots.
"""

from __future__ import annotations

from typing import TypeAlias, cast

from symlin.dims import Dim
from symlin.errors import ShapeError
from symlin.term import Term, substitute

Grid: TypeAlias = list[list["Term | str"]]
BEFORE_DOTS = 2


def member_terms(term: Term, dots_from: int) -> list[Term | None] | None:
    """The members of a family or a sum, None for the dots; None for a whole that has no fixed first member."""
    index, lo, hi = cast("tuple[str, Dim, Dim]", term.data)
    (body,) = term.args
    count = (hi - lo + 1).constant
    if count is not None and count < dots_from:
        return [_member(body, index, lo + offset) for offset in range(count)]
    # A second member that is out of range (a family that can have one member only) is left to the dots.
    first = [_member(body, index, lo + offset) for offset in range(BEFORE_DOTS)]
    return [*(member for member in first if member is not None), None, _member(body, index, hi)]


def _member(body: Term, index: str, at: Dim) -> Term | None:
    try:
        return substitute(body, {}, {index: at})
    except ShapeError:
        return None


def family_cells(term: Term, dots_from: int) -> Grid:
    r"""The cells of a family: a row of columns, stacked rows, or a table, with ``\cdots``, ``\vdots`` and ``\ddots``."""
    members = member_terms(term, dots_from) or []
    if term.op == "column_family":
        return [[r"\cdots" if member is None else member for member in members]]
    rows: list[list[Term | str] | None] = [
        None if member is None else _row_cells(member, dots_from) for member in members
    ]
    model = next(row for row in rows if row is not None)
    dots: list[Term | str] = [r"\ddots" if cell == r"\cdots" else r"\vdots" for cell in model]
    return [dots if row is None else row for row in rows]


def _row_cells(row: Term, dots_from: int) -> list[Term | str]:
    match row.op:
        case "column_family":
            return family_cells(row, dots_from)[0]
        case "columns":
            return list(row.args)
        case "literal":
            return list(row.args)
    return [row]
