"""Interval arithmetic with rational end points, for decimals that may be rounded.

Offers `IntervalArithmetic`, in which a number written with two or more digits after the point is any number
that rounds to it; rests on `evaluation`; it answers only whether two values may still be equal.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from symlin.decide.evaluation import UndefinedError
from symlin.decide.matrices import Matrix
from symlin.errors import UnsupportedError
from symlin.term import Term


@dataclass(frozen=True, slots=True)
class Interval:
    """All numbers from `low` to `high`.

    Examples:
        >>> a = Interval(Fraction(1), Fraction(2))
        >>> (a - a).low, (a * -a).low, a.meets(Interval(Fraction(2), Fraction(3)))
        (Fraction(-1, 1), Fraction(-4, 1), True)
    """

    low: Fraction
    high: Fraction

    def __add__(self, other: Interval) -> Interval:
        return Interval(self.low + other.low, self.high + other.high)

    def __neg__(self) -> Interval:
        return Interval(-self.high, -self.low)

    def __sub__(self, other: Interval) -> Interval:
        return self + (-other)

    def __mul__(self, other: Interval) -> Interval:
        ends = [a * b for a in (self.low, self.high) for b in (other.low, other.high)]
        return Interval(min(ends), max(ends))

    def __bool__(self) -> bool:
        return not self.low == self.high == 0

    def meets(self, other: Interval) -> bool:
        """Whether some number lies in both."""
        return self.low <= other.high and other.low <= self.high


class IntervalArithmetic:
    """The arithmetic of intervals; each decimal stands for the numbers that round to it."""

    field = False

    def number(self, value: Fraction, digits: int = 0) -> Interval:
        # One digit after the point (0.5, 1.2) is how exact values are written.
        slack = Fraction(1, 2 * 10**digits) if digits > 1 else Fraction(0)
        return Interval(value - slack, value + slack)

    def symbol(self, term: Term, rows: int, cols: int) -> Matrix:
        raise UnsupportedError(f"the unknown {term.data[0]}")

    def opaque(self, value: object) -> Any:
        raise UnsupportedError(str(value))

    def divide(self, left: Interval, right: Interval) -> Interval:
        if right.low <= 0 <= right.high:
            raise UndefinedError("a division by a number that may be 0")
        return left * Interval(1 / right.high, 1 / right.low)

    def conjugate(self, value: Interval) -> Interval:
        return value

    def function(self, name: str, values: list[Interval]) -> Any:
        raise UnsupportedError(name)

    def dot(self, left: list[Interval], right: list[Interval]) -> Interval:
        total = Interval(Fraction(0), Fraction(0))
        for a, b in zip(left, right, strict=True):
            total = total + a * b
        return total
