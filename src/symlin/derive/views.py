r"""The views of an expression: its entries, its columns, its rows, products taken apart in every usual way.

Offers `derive` and the table `VIEWS`; rests on the views beside it.  A view is worked out from shapes alone; with
numbers the arithmetic is shown.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from symlin.derive.block_views import blocks_view
from symlin.derive.derivation import Derivation
from symlin.derive.entry_views import FORMS, entries_view, entry_view
from symlin.derive.line_views import columns_view, line_view, outer_view, rows_view
from symlin.derive.options import Options
from symlin.derive.table_views import table_view
from symlin.derive.unfold import WRITE_OUT
from symlin.dims import Dim, DimLike
from symlin.errors import SymlinError
from symlin.statement import Statement
from symlin.term import Term

Values: TypeAlias = Mapping[Term, Term]
Entry: TypeAlias = "tuple[DimLike, DimLike]"

__all__ = ["FORMS", "VIEWS", "derive"]


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
        by: ``entries``, ``columns``, ``rows``, ``outer`` (outer products), ``table`` (rows of the left factor
            against columns of the right one, each entry a dot product) or ``blocks``.
        row: which row, as a combination of rows.
        column: which column, as a combination of columns.
        values: what symbols stand for (a formula or a matrix of numbers).  A formula is put in where the view needs
            it, numbers when nothing else is left to do.
        as_column: whether a row is derived as a column vector (its transpose).
        forms: for an entry of a product, the forms to go through, in this order: ``dot`` (a dot product of a row
            and a column), ``row-column`` (a row times a column, entries written out), ``sum``.
        write_out: sums over at most this many values are written out.

    Raises:
        ShapeError: there is no such entry, row or column, or a value does not fit its symbol.
        UnsupportedError: the view does not apply; says to what.
        SymlinError: no such view or form.

    Examples:
        >>> from symlin.construct import literal, symbol
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
    chosen = Options(dict(values or {}), tuple(forms) if forms is not None else None, write_out)
    if entry is not None:
        found = entry_view(term, *entry, chosen)
    elif row is not None:
        found = line_view(term, Dim.of(row), "upright row" if as_column else "row", chosen)
    elif column is not None:
        found = line_view(term, Dim.of(column), "column", chosen)
    else:
        view = VIEWS.get(by or "entries")
        if view is None:
            raise SymlinError(f"{by!r} is no view; use one of {', '.join(VIEWS)}")
        found = view(term, chosen)
    pairs = tuple(Statement(*pair) for pair in chosen.values.items())
    return Derivation(found.start, found.steps, pairs, found.details)


View: TypeAlias = Callable[[Term, Options], Derivation]
VIEWS: dict[str, View] = {
    "entries": entries_view,
    "columns": columns_view,
    "rows": rows_view,
    "outer": outer_view,
    "table": table_view,
    "blocks": blocks_view,
}
