"""Numbers that are not rational (roots, i, exponentials), by SymPy's exact expressions.

Offers `AlgebraicNumbers`; rests on SymPy, which is imported here and nowhere else in `decide`.  A number counts
as zero only when its minimal polynomial says so and as non-zero only when it is bounded away from zero.
"""

from __future__ import annotations

import importlib
from fractions import Fraction
from typing import Any

from symlin.decide.evaluation import UndefinedError
from symlin.decide.matrices import Matrix
from symlin.errors import UnsupportedError
from symlin.term import Term

sympy: Any = importlib.import_module("sympy")

DIGITS = 60
_FUNCTIONS: dict[str, Any] = {
    "sqrt": sympy.sqrt,
    "exp": sympy.exp,
    "abs": sympy.Abs,
    "ln": sympy.log,
    "log": sympy.log,
    "sin": sympy.sin,
    "cos": sympy.cos,
    "tan": sympy.tan,
    "tanh": sympy.tanh,
}


class Number:
    """An exact real or complex number.

    Args:
        expr: a SymPy expression without symbols.

    Examples:
        >>> root = Number(sympy.sqrt(2))
        >>> bool(root * root - 2), bool(root - 1)
        (False, True)
    """

    __slots__ = ("expr",)

    def __init__(self, expr: Any) -> None:
        self.expr = expr

    def __add__(self, other: Any) -> Number:
        return Number(sympy.expand(self.expr + _expr(other)))

    __radd__ = __add__

    def __sub__(self, other: Any) -> Number:
        return Number(sympy.expand(self.expr - _expr(other)))

    def __rsub__(self, other: Any) -> Number:
        return Number(sympy.expand(_expr(other) - self.expr))

    def __mul__(self, other: Any) -> Number:
        return Number(sympy.expand(self.expr * _expr(other)))

    __rmul__ = __mul__

    def __neg__(self) -> Number:
        return Number(-self.expr)

    def __abs__(self) -> Number:
        return Number(sympy.Abs(self.expr))

    def __bool__(self) -> bool:
        return not is_zero(self.expr)

    def __lt__(self, other: Any) -> bool:
        difference = self.expr - _expr(other)
        return not is_zero(difference) and bool(sympy.re(difference.evalf(DIGITS)) < 0)

    def __le__(self, other: Any) -> bool:
        return not self > other

    def __gt__(self, other: Any) -> bool:
        difference = self.expr - _expr(other)
        return not is_zero(difference) and bool(sympy.re(difference.evalf(DIGITS)) > 0)

    def __ge__(self, other: Any) -> bool:
        return not self < other

    @property
    def is_real(self) -> bool:
        """Whether the imaginary part is known to be zero."""
        return bool(self.expr.is_real) or is_zero(sympy.im(self.expr))

    def plain(self) -> Number | Fraction:
        """A Fraction when this is rational."""
        return Fraction(self.expr.p, self.expr.q) if self.expr.is_Rational else self

    def decimal(self, digits: int) -> str:
        """The value rounded to that many digits after the point."""
        return str(sympy.Float(self.expr.evalf(DIGITS), DIGITS).round(digits))

    def __str__(self) -> str:
        return str(self.expr)


def is_zero(expr: Any) -> bool:
    """Whether a number is zero.

    Raises:
        UnsupportedError: neither zero nor non-zero could be established.
    """
    if expr.is_Rational:
        return bool(expr == 0)
    approximate = expr.evalf(DIGITS)
    if not approximate.is_number:
        raise UnsupportedError(str(expr), f"{expr} is not a number")
    if abs(approximate) > sympy.Float(10) ** -(DIGITS // 2):
        return False
    try:
        unknown = sympy.Dummy("x")
        return bool(sympy.minimal_polynomial(expr, unknown) == unknown)
    except (NotImplementedError, sympy.polys.polyerrors.NotAlgebraic) as error:
        raise UnsupportedError(str(expr), f"whether {expr} is zero could not be established") from error


def _expr(value: Any) -> Any:
    if isinstance(value, Number):
        return value.expr
    fraction = Fraction(value)
    return sympy.Rational(fraction.numerator, fraction.denominator)


class AlgebraicNumbers:
    """The arithmetic of `Number`, for the Evaluator."""

    field = True

    def number(self, value: Fraction, digits: int = 0) -> Number:
        return Number(_expr(value))

    def symbol(self, term: Term, rows: int, cols: int) -> Matrix:
        raise UnsupportedError(f"the unknown {term.data[0]}", f"{term.data[0]} has no value here")

    def opaque(self, value: object) -> Number:
        if not isinstance(value, sympy.Expr) or value.free_symbols or not value.is_number:
            raise UnsupportedError(str(value), f"{value} has no exact value here")
        return Number(value)

    def divide(self, left: Number, right: Number) -> Number:
        if not right:
            raise UndefinedError("a division by 0")
        return Number(sympy.radsimp(left.expr / right.expr))

    def conjugate(self, value: Number) -> Number:
        return Number(sympy.conjugate(value.expr))

    def function(self, name: str, values: list[Any]) -> Number:
        found = _FUNCTIONS.get(name)
        if found is None:
            raise UnsupportedError(name)
        return Number(found(*(_expr(value) for value in values)))

    def dot(self, left: list[Any], right: list[Any]) -> Number:
        return Number(
            sympy.expand(sum((_expr(a) * _expr(b) for a, b in zip(left, right, strict=True)), sympy.S(0)))
        )
