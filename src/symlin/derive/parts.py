r"""Rows and columns of expressions: column j of AB is A b_j, row i of it is a_i^T B, column j of Kᵀ is row j of K.

Offers `column_of` and `row_of`; rests on `construct`.  Each goes down as far as definitions of matrix operations go
and stops at rows and columns of symbols.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias, cast

from symlin.construct import (
    add,
    column,
    conjugate,
    divide,
    entry,
    literal,
    matmul,
    neg,
    ones,
    row,
    scale,
    transpose,
    unit,
    zero,
)
from symlin.derive.unfold import parts_scalar
from symlin.dims import ONE, Dim
from symlin.term import Term, make, multiply, substitute

LONGEST_POWER = 8
"""A power of at most this many factors is taken apart."""
Part: TypeAlias = Callable[[Term, Dim], Term | None]


def column_of(term: Term, j: Dim) -> Term:
    """Column j of an expression, with the column taken of its parts where that is possible.

    Examples:
        >>> from symlin.construct import symbol
        >>> A, B = symbol("A", "m", "n"), symbol("B", "n", "k")
        >>> print(column_of(A @ B, Dim.of("j")), column_of((A @ B).T, Dim.of("j")))
        Ab_j (a_j^TB)^T
    """
    if term.cols == ONE and term.op != "literal":
        return term
    part = _COLUMNS.get(term.op)
    found = part(term, j) if part is not None else None
    return found if found is not None else column(term, j)


def row_of(term: Term, i: Dim) -> Term:
    """Row i of an expression, with the row taken of its parts where that is possible."""
    if term.rows == ONE and term.op != "literal":
        return term
    part = _ROWS.get(term.op)
    found = part(term, i) if part is not None else None
    return found if found is not None else row(term, i)


def _column_of_product(term: Term, j: Dim) -> Term:
    *first, last = term.args
    return _flat(*first, column_of(last, j))


def _row_of_product(term: Term, i: Dim) -> Term:
    first, *rest = term.args
    return _flat(row_of(first, i), *rest)


def _column_of_power(term: Term, j: Dim) -> Term | None:
    """Column j of A^k is A^{k-1} times column j of A."""
    factors = _repeated(term)
    return None if factors is None else _flat(*factors[:-1], column_of(factors[-1], j))


def _row_of_power(term: Term, i: Dim) -> Term | None:
    factors = _repeated(term)
    return None if factors is None else _flat(row_of(factors[0], i), *factors[1:])


def _repeated(term: Term) -> list[Term] | None:
    exponent = cast(Dim, term.data[0]).constant
    return [term.args[0]] * exponent if exponent is not None and 2 <= exponent <= LONGEST_POWER else None


def _flat(*factors: Term) -> Term:
    """One flat product."""
    flat = [part for factor in factors for part in (factor.args if factor.op == "matmul" else (factor,))]
    return matmul(*flat)


def _each(part: Callable[[Term, Dim], Term], build: Callable[..., Term]) -> Part:
    return lambda term, at: build(*(part(arg, at) for arg in term.args))


def _scaled(part: Callable[[Term, Dim], Term]) -> Part:
    def of(term: Term, at: Dim) -> Term:
        factor, body = term.args
        inner = part(body, at)
        return multiply(factor, inner) if inner.rows == ONE else scale(factor, inner)

    return of


def _divided(part: Callable[[Term, Dim], Term]) -> Part:
    return lambda term, at: divide(part(term.args[0], at), term.args[1], cast(str, term.data[0]))


def _literal_column(term: Term, j: Dim) -> Term | None:
    height, width = cast("tuple[int, int]", term.data)
    if j.constant is None:
        return None
    return literal([[term.args[line * width + j.constant - 1]] for line in range(height)])


def _literal_row(term: Term, i: Dim) -> Term | None:
    _, width = cast("tuple[int, int]", term.data)
    if i.constant is None:
        return None
    return literal([term.args[(i.constant - 1) * width : i.constant * width]])


def _listed(term: Term, at: Dim) -> Term | None:
    """The member of a finite list of columns or rows."""
    single = all((arg.cols if term.op == "columns" else arg.rows) == ONE for arg in term.args)
    if at.constant is None or not single:
        return None
    return term.args[at.constant - 1]


def _member(term: Term, at: Dim) -> Term:
    index, lo, _ = cast("tuple[str, Dim, Dim]", term.data)
    return substitute(term.args[0], {}, {index: lo + at - ONE})


_COLUMNS: dict[str, Part] = {
    "matmul": _column_of_product,
    "power": _column_of_power,
    "add": _each(column_of, add),
    "neg": _each(column_of, neg),
    "conjugate": _each(column_of, conjugate),
    "scale": _scaled(column_of),
    "divide": _divided(column_of),
    "transpose": lambda term, j: transpose(row_of(term.args[0], j)),
    "identity": lambda term, j: unit(j, term.rows),
    "zero": lambda term, j: zero(term.rows, 1),
    "ones": lambda term, j: ones(term.rows, 1),
    "literal": _literal_column,
    "columns": _listed,
    "column_family": _member,
}
_ROWS: dict[str, Part] = {
    "matmul": _row_of_product,
    "power": _row_of_power,
    "add": _each(row_of, add),
    "neg": _each(row_of, neg),
    "conjugate": _each(row_of, conjugate),
    "scale": _scaled(row_of),
    "divide": _divided(row_of),
    "transpose": lambda term, i: transpose(column_of(term.args[0], i)),
    "identity": lambda term, i: transpose(unit(i, term.rows)),
    "zero": lambda term, i: zero(1, term.cols),
    "literal": _literal_row,
    "rows": _listed,
    "row_family": _member,
}


def resolved(term: Term) -> Term:
    """Rows, columns and entries of matrices of numbers looked up, wherever they stand."""
    args = tuple(resolved(arg) for arg in term.args)
    if term.op == "row":
        return row_of(args[0], cast(Dim, term.data[0]))
    if term.op == "column":
        return column_of(args[0], cast(Dim, term.data[0]))
    if term.op == "entry" and args[0].op == "literal":
        return parts_scalar(args[0], *cast("tuple[Dim, Dim]", term.data))
    if term.op == "transpose" and args[0].op == "literal" and args[0].rows == ONE:
        return literal([[cell] for cell in args[0].args])
    return term if args == term.args else make(term.op, *args, data=term.data)


def entries_row(term: Term, i: Dim) -> Term | None:
    """Row i as a matrix of its entries, where their number is known."""
    if term.cols.constant is None:
        return None
    return literal([[entry(term, i, j) for j in range(1, term.cols.constant + 1)]])


def entries_column(term: Term, j: Dim) -> Term | None:
    """Column j as a matrix of its entries, where their number is known."""
    if term.rows.constant is None:
        return None
    return literal([[entry(term, i, j)] for i in range(1, term.rows.constant + 1)])
