"""Statements of concrete sizes with unknown entries, decided by exact polynomials in the entries.

Offers `Difference` (both sides as matrices of rational functions of the entries) and `decide_explicit`; rests on
`evaluation` and `polynomials`.  Complete for what is polynomial or rational in the entries, up to its budget.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, cast

from symlin.construct import determinant, number
from symlin.decide.evaluation import Evaluator, UndefinedError
from symlin.decide.matrices import Matrix
from symlin.decide.polynomials import Element, Poly, Ratio, accumulate, divide, mapped, numerator
from symlin.decide.verdict import Proof
from symlin.dims import Dim
from symlin.errors import BudgetError, UnsupportedError
from symlin.statement import Statement
from symlin.term import Term, walk


@dataclass(frozen=True, slots=True)
class Unknown:
    """One unknown entry: of a symbol, at (i, j) counted from 1, or the conjugate of that entry."""

    symbol: Term
    i: int
    j: int
    conjugated: bool = False


class EntryPolynomials:
    """The arithmetic of rational functions in the entries of symbols.

    Args:
        complex_entries: whether entries are complex, so that z and its conjugate are independent.
        deadline: a `time.monotonic` to stop at.
    """

    field = False

    def __init__(self, complex_entries: bool = False, deadline: float | None = None) -> None:
        self.unknowns: list[Unknown] = []
        self.divisors: list[Poly] = []
        self._variables: dict[Unknown, int] = {}
        self._complex = complex_entries
        self._deadline = deadline

    def number(self, value: Fraction, digits: int = 0) -> Element:
        return value.numerator if value.denominator == 1 else value

    def symbol(self, term: Term, rows: int, cols: int) -> Matrix:
        return [[self._variable(Unknown(term, i, j)) for j in range(1, cols + 1)] for i in range(1, rows + 1)]

    def _variable(self, unknown: Unknown) -> Poly:
        index = self._variables.setdefault(unknown, len(self.unknowns))
        if index == len(self.unknowns):
            self.unknowns.append(unknown)
        return Poly.variable(index)

    def opaque(self, value: object) -> Any:
        raise UnsupportedError(str(value), f"{value} among unknown entries")

    def divide(self, left: Element, right: Element) -> Element:
        if not right:
            raise UndefinedError("a division by 0")
        if isinstance(right, Poly | Ratio):
            top = numerator(right)
            if top.value is None:
                self.divisors.append(top)
        return divide(left, right)

    def conjugate(self, value: Element) -> Element:
        if not self._complex:
            return value
        return mapped(value, self._conjugate_variable)

    def _conjugate_variable(self, index: int) -> Poly:
        unknown = self.unknowns[index]
        return self._variable(Unknown(unknown.symbol, unknown.i, unknown.j, not unknown.conjugated))

    def function(self, name: str, values: list[Any]) -> Any:
        raise UnsupportedError(name, f"{name} of unknown entries")

    def dot(self, left: list[Any], right: list[Any]) -> Any:
        """The sum of products, gathered in one dictionary."""
        if self._deadline is not None and time.monotonic() > self._deadline:
            raise BudgetError("time", "the time allowed was spent in an exact computation")
        out: dict[int, Any] = {}
        degree = 0
        rest: Any = 0
        for a, b in zip(left, right, strict=True):
            if isinstance(a, Poly) and isinstance(b, Poly):
                accumulate(out, a, b)
                degree = max(degree, a.degree + b.degree)
            elif a and b:
                rest = rest + a * b
        if not out:
            return rest
        total = Poly({mono: coeff for mono, coeff in out.items() if coeff}, degree)
        return total + rest if rest else total


@dataclass(frozen=True, slots=True)
class Difference:
    """lhs - rhs of a statement at concrete sizes, as rational functions of the entries.

    Args:
        numerators: the numerators of the entries of lhs - rhs, row by row.
        width: how many columns there are.
        unknowns: which entry each variable is.
        divisors: polynomials that the statement assumes not to vanish.
    """

    numerators: tuple[Poly, ...]
    width: int
    unknowns: tuple[Unknown, ...]
    divisors: tuple[Poly, ...]

    @property
    def vanishes(self) -> bool:
        """Whether both sides are equal for all values (where they are defined)."""
        return not any(self.numerators)


def is_complex(statement: Statement) -> bool:
    """Whether a conjugate occurs, which makes all entries complex."""
    sides = (statement, *statement.hypotheses)
    return any(
        node.op in ("conjugate", "adjoint")
        for one in sides
        for side in (one.lhs, one.rhs)
        for node in walk(side)
    )


def difference(
    statement: Statement, sizes: Mapping[str, int], deadline: float | None = None, *, real: bool = False
) -> Difference:
    """lhs - rhs at concrete sizes; `real` when only real values of the entries are of interest.

    Raises:
        UnsupportedError: something is no rational function of the entries.
        UndefinedError: a division by zero or an index out of range.
        BudgetError: the polynomials became too large.
    """
    arithmetic = EntryPolynomials(not real and is_complex(statement), deadline)
    evaluator = Evaluator(arithmetic, sizes, deadline)
    lhs, rhs = evaluator.value(statement.lhs), evaluator.value(statement.rhs)
    found = [
        numerator(a - b) for one, two in zip(lhs, rhs, strict=True) for a, b in zip(one, two, strict=True)
    ]
    return Difference(
        tuple(found), len(lhs[0]), tuple(arithmetic.unknowns), tuple(dict.fromkeys(arithmetic.divisors))
    )


def decide_explicit(statement: Statement, *, deadline: float | None = None) -> Proof | None:
    """A proof when both sides agree as rational functions of the entries; None when they differ.

    Examples:
        >>> from symlin.construct import symbol
        >>> A, B = symbol("A", 2, 2), symbol("B", 2, 2)
        >>> from symlin.construct import determinant, trace
        >>> decide_explicit(determinant(A @ B).eq(determinant(A) * determinant(B))).engine
        'explicit'
        >>> decide_explicit((A @ B).eq(B @ A)) is None
        True
    """
    if not difference(statement, {}, deadline).vanishes:
        return None
    return Proof(
        statement,
        "explicit",
        hypotheses=assumptions(statement),
        trusted=("explicit",),
    )


def assumptions(statement: Statement) -> tuple[Statement, ...]:
    """What a statement assumes by writing inverses and quotients."""
    zero = number(0)
    found: dict[Statement, None] = {}
    for side in (statement.lhs, statement.rhs):
        for node in walk(side):
            if node.op == "inverse" or (node.op == "power" and _negative(cast(Dim, node.data[0]))):
                found[Statement(determinant(node.args[0]), zero, r"\ne")] = None
            elif node.op == "divide" and node.args[1].op not in ("number", "neg"):
                found[Statement(node.args[1], zero, r"\ne")] = None
    return tuple(found)


def _negative(exponent: Dim) -> bool:
    """Whether a power with this exponent is one of the inverse."""
    if exponent.constant is not None:
        return exponent.constant < 0
    return any(coeff < 0 for mono, coeff in exponent.terms if mono)
