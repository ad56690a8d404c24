"""Statements in which every value is known, decided by exact computation.

Offers `evaluate` and `decide_numeric`; rests on `evaluation` and, only for roots and other functions, on
`algebraic`.  Decimals count as roundings to the digits shown; no verdict rests on floating point.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt
from typing import Any, cast

from symlin.decide.evaluation import Evaluator, IrrationalError, SingularError, UndefinedError
from symlin.decide.intervals import IntervalArithmetic
from symlin.decide.matrices import Matrix
from symlin.decide.verdict import Counterexample, Proof, Value, Verdict
from symlin.decide.wording import decimal_text, fraction_text, matrix_text, side_text
from symlin.errors import BudgetError, SymlinError, UnsupportedError
from symlin.statement import Statement
from symlin.term import Term, walk


class Rationals:
    """Exact rational arithmetic; ints stand for whole numbers because they are faster.

    Args:
        values: the value of each symbol.
    """

    field = True

    def __init__(self, values: Mapping[Term, Value]) -> None:
        self.values = {term: [[_plain(x) for x in line] for line in value] for term, value in values.items()}

    def number(self, value: Fraction, digits: int = 0) -> Any:
        return _plain(value)

    def symbol(self, term: Term, rows: int, cols: int) -> Matrix:
        value = self.values.get(term)
        if value is None:
            raise UnsupportedError(f"the unknown {term.data[0]}", f"{term.data[0]} has no value here")
        if len(value) != rows or len(value[0]) != cols:
            raise UndefinedError(
                f"{term.data[0]} is {rows}×{cols} here, but its value is {len(value)}×{len(value[0])}"
            )
        return value

    def opaque(self, value: object) -> Any:
        raise IrrationalError(str(value))

    def divide(self, left: Any, right: Any) -> Any:
        if not right:
            raise UndefinedError("a division by 0")
        return _plain(Fraction(left) / right)

    def conjugate(self, value: Any) -> Any:
        return value

    def function(self, name: str, values: list[Any]) -> Any:
        if name == "sqrt":
            value = Fraction(values[0])
            if value >= 0:
                top, bottom = isqrt(value.numerator), isqrt(value.denominator)
                if top * top == value.numerator and bottom * bottom == value.denominator:
                    return _plain(Fraction(top, bottom))
        elif name == "abs":
            return abs(values[0])
        raise IrrationalError(name)

    def dot(self, left: list[Any], right: list[Any]) -> Any:
        return sum(map(operator.mul, left, right))


def _plain(value: Any) -> Any:
    return value.numerator if value.denominator == 1 else value


def evaluate(
    term: Term,
    values: Mapping[Term, Value] | None = None,
    sizes: Mapping[str, int] | None = None,
    deadline: float | None = None,
) -> Value:
    """The exact value of a Term.

    Args:
        term: m×n.
        values: the value of each symbol in it.
        sizes: the value of each size symbol and free index in it.
        deadline: a `time.monotonic` to stop at.

    Raises:
        UnsupportedError: something in it has no rational value; names the construct.
        UndefinedError: a zero denominator, a singular matrix, an index out of range.

    Examples:
        >>> from symlin.construct import literal
        >>> [[str(x) for x in row] for row in evaluate(literal([[1, 2], [3, 4]]).inv)]
        [['-2', '1'], ['3/2', '-1/2']]
    """
    matrix = Evaluator(Rationals(values or {}), sizes or {}, deadline).value(term)
    return to_value(matrix)


def to_value(matrix: Matrix) -> Value:
    """A computed matrix as a record."""
    return tuple(tuple(Fraction(value) for value in line) for line in matrix)


@dataclass(frozen=True, slots=True)
class _Sides:
    """Both sides, computed; `exact` when the entries are rational."""

    lhs: Matrix
    rhs: Matrix
    exact: bool


@dataclass(frozen=True, slots=True)
class _Case:
    """The statement, the same as its author wrote it, and the sizes."""

    statement: Statement
    shown: Statement
    sizes: Mapping[str, int]


def decide_numeric(
    statement: Statement,
    *,
    shown: Statement | None = None,
    sizes: Mapping[str, int] | None = None,
    deadline: float | None = None,
) -> Verdict:
    """Decide a statement without symbols.

    Args:
        statement: what is to be computed.
        shown: the same statement before values were put in, for the reason.
        sizes: the value of each size symbol and free index in it.
        deadline: a `time.monotonic` to stop at.

    Examples:
        >>> from symlin.construct import literal, number
        >>> from fractions import Fraction
        >>> decide_numeric((number(Fraction(1, 2)) + Fraction(1, 3)).eq(Fraction(5, 6))).kind
        'holds'
        >>> decide_numeric(number(Fraction(1, 3)).eq(number(Fraction(33, 100), 2))).reason
        'true as a rounding to 2 digits after the point: the exact value is 1/3'
    """
    try:
        sides = _sides(statement, sizes or {}, deadline)
        return _RELATIONS[statement.relation](_Case(statement, shown or statement, sizes or {}), sides)
    except SingularError as error:
        return _without_inverse(_Case(statement, shown or statement, sizes or {}), error, deadline)
    except UndefinedError as error:
        return Verdict("unknown", statement, f"the statement has no value: {error}")
    except BudgetError as error:
        return Verdict("unknown", statement, str(error))
    except UnsupportedError as error:
        return Verdict("unsupported", statement, str(error))
    except KeyError:
        return Verdict("unsupported", statement, f"the relation {statement.relation} is not decided")


def _sides(statement: Statement, sizes: Mapping[str, int], deadline: float | None) -> _Sides:
    evaluator = Evaluator(Rationals({}), sizes, deadline)
    try:
        return _Sides(evaluator.value(statement.lhs), evaluator.value(statement.rhs), True)
    except IrrationalError:
        # SymPy is slow to import and needed only here.
        from symlin.decide.algebraic import AlgebraicNumbers

        general = Evaluator(AlgebraicNumbers(), sizes, deadline)
        both = general.value(statement.lhs), general.value(statement.rhs)
        lhs, rhs = ([[value.plain() for value in line] for line in side] for side in both)
        return _Sides(lhs, rhs, False)


def _without_inverse(case: _Case, error: SingularError, deadline: float | None) -> Verdict:
    """An equation between something and the inverse of a singular matrix is false; between two such, nothing."""
    reason = f"{side_text(error.term, 'a matrix')} has no inverse: its determinant is 0"
    defined = 0
    for side in (case.statement.lhs, case.statement.rhs):
        try:
            Evaluator(Rationals({}), case.sizes, deadline).value(side)
            defined += 1
        except SymlinError:
            continue
    return Verdict(
        "refuted" if defined and case.statement.relation == "=" else "unknown", case.statement, reason
    )


def _decide_equal(case: _Case, sides: _Sides) -> Verdict:
    places = differing(sides.lhs, sides.rhs)
    if not places:
        return _holds(case.statement, "both sides were computed exactly")
    rounded = _as_rounding(case, sides)
    if rounded is not None:
        return rounded
    return _refuted(case, sides, places)


def _decide_near(case: _Case, sides: _Sides) -> Verdict:
    places = differing(sides.lhs, sides.rhs)
    if not places:
        return _holds(case.statement, "both sides were computed exactly and are equal")
    rounded = _as_rounding(case, sides)
    if rounded is not None:
        return rounded
    if bare_digits(case.statement.lhs) is None and bare_digits(case.statement.rhs) is None:
        reason = (
            "neither side of the approximation is a number or matrix whose digits say how close it should be"
        )
        return Verdict("unknown", case.statement, reason)
    return _refuted(case, sides, places)


def _decide_unequal(case: _Case, sides: _Sides) -> Verdict:
    if differing(sides.lhs, sides.rhs):
        return _holds(case.statement, "both sides were computed exactly and differ")
    return Verdict("refuted", case.statement, f"both sides are {matrix_text(sides.lhs) or 'equal'}")


def _ordered(holds: Callable[[Any, Any], bool]) -> Callable[[_Case, _Sides], Verdict]:
    def decide(case: _Case, sides: _Sides) -> Verdict:
        if not case.statement.lhs.is_scalar:
            raise UnsupportedError("an inequality between matrices")
        left, right = sides.lhs[0][0], sides.rhs[0][0]
        if not (_real(left) and _real(right)):
            raise UnsupportedError("an inequality between numbers that are not real")
        if holds(left, right):
            return _holds(case.statement, "both sides were computed exactly")
        texts = [f"the {name} side is {fraction_text(x)}" for name, x in (("left", left), ("right", right))]
        return Verdict("refuted", case.statement, ", ".join(texts), counterexample=_evidence(sides, (1, 1)))

    return decide


def _real(value: Any) -> bool:
    return isinstance(value, int | Fraction) or bool(value.is_real)


_RELATIONS: dict[str, Callable[[_Case, _Sides], Verdict]] = {
    "=": _decide_equal,
    r"\ne": _decide_unequal,
    r"\approx": _decide_near,
    "<": _ordered(lambda a, b: bool(a < b)),
    ">": _ordered(lambda a, b: bool(a > b)),
    r"\le": _ordered(lambda a, b: bool(a <= b)),
    r"\ge": _ordered(lambda a, b: bool(a >= b)),
}


def _holds(statement: Statement, reason: str, certificate: str = "exact") -> Verdict:
    return Verdict(
        "holds", statement, reason, Proof(statement, "numeric", certificate=certificate, trusted=("numeric",))
    )


def differing(lhs: Matrix, rhs: Matrix) -> list[tuple[int, int]]:
    """The places, counted from 1 and row by row, where two matrices differ."""
    return [
        (i, j)
        for i, (one, two) in enumerate(zip(lhs, rhs, strict=True), start=1)
        for j, (a, b) in enumerate(zip(one, two, strict=True), start=1)
        if a is not b and a - b
    ]


def _evidence(sides: _Sides, place: tuple[int, int]) -> Counterexample | None:
    if not sides.exact:
        return None
    return Counterexample({}, {}, to_value(sides.lhs), to_value(sides.rhs), place)


def _refuted(case: _Case, sides: _Sides, places: list[tuple[int, int]]) -> Verdict:
    """What was computed, and the first place where the other side has something else.

    The other side is the right one, unless only the left one is nothing but numbers.
    """
    statement, shown = case.statement, case.shown
    place = places[0]
    digits = {"left": bare_digits(statement.lhs), "right": bare_digits(statement.rhs)}
    other = "left" if digits["left"] is not None and digits["right"] is None else "right"
    computed, written, term = (
        (sides.rhs, sides.lhs, shown.rhs) if other == "left" else (sides.lhs, sides.rhs, shown.lhs)
    )
    name = side_text(term, "the right side" if other == "left" else "the left side")
    right = computed[place[0] - 1][place[1] - 1]
    grid = digits[other]
    count = grid[place[0] - 1][place[1] - 1] if grid is not None else 0
    wrong = decimal_text(written[place[0] - 1][place[1] - 1], count)
    value = fraction_text(right)
    if count:
        value += f", which rounds to {decimal_text(right, count)}"
    if statement.lhs.is_scalar:
        if name == fraction_text(right):
            name = "the left side" if other == "right" else "the right side"
        reason = f"{name} is {value}, but the {other} side is {wrong}"
    else:
        whole = matrix_text(computed)
        of = f"{name} is {whole}: its" if whole else f"in {name} the"
        reason = f"{of} entry {place_text(place)} is {value}, but the {other} side has {wrong}"
        if len(places) > 1:
            rest = len(places) - 1
            reason += f" ({rest} more {'entry differs' if rest == 1 else 'entries differ'})"
    return Verdict("refuted", statement, reason, counterexample=_evidence(sides, place))


def place_text(place: tuple[int, int]) -> str:
    """A place in a matrix, for messages."""
    return f"({place[0]}, {place[1]})"


# --- decimals -------------------------------------------------------------------------------------------------


def bare_digits(term: Term) -> list[list[int]] | None:
    """The digits after the point of a side that is nothing but a number or a matrix of numbers; else None."""
    if term.op == "neg":
        return bare_digits(term.args[0])
    if term.op == "number":
        value, count = cast("tuple[Fraction, int]", term.data)
        return [[count]] if count or value.denominator == 1 else None
    if term.op in ("literal", "columns", "rows"):
        width = {"columns": len(term.args), "rows": 1}.get(term.op) or cast(int, term.data[1])
        digits = [bare_digits(arg) for arg in term.args]
        if not all(one is not None and len(one) == 1 and len(one[0]) == 1 for one in digits):
            return None
        flat = [one[0][0] for one in digits if one is not None]
        return [flat[start : start + width] for start in range(0, len(flat), width)]
    return None


def has_decimals(term: Term) -> bool:
    """Whether a number written with a decimal point occurs."""
    return any(node.op == "number" and node.data[1] for node in walk(term))


def _as_rounding(case: _Case, sides: _Sides) -> Verdict | None:
    """The verdict when the statement may be meant as a rounding; None when decimals do not explain the difference."""
    statement = case.statement
    near = statement.relation == r"\approx"
    for shown, exact, other in (
        (statement.rhs, sides.lhs, sides.rhs),
        (statement.lhs, sides.rhs, sides.lhs),
    ):
        digits = bare_digits(shown)
        if digits is None or not (near or has_decimals(shown)):
            continue
        if _rounds_to(exact, other, digits):
            count = max(max(line) for line in digits)
            value = f": the exact value is {matrix_text(exact)}" if matrix_text(exact) else ""
            places = "1 digit" if count == 1 else f"{count} digits"
            return _holds(statement, f"true as a rounding to {places} after the point{value}", "rounding")
    if not (has_decimals(statement.lhs) or has_decimals(statement.rhs)):
        return None
    inside = [
        side for side in (statement.lhs, statement.rhs) if bare_digits(side) is None and has_decimals(side)
    ]
    if inside and _may_agree(case, sides):
        value = matrix_text(sides.lhs if inside[0] is statement.lhs else sides.rhs)
        reason = "the decimals given may be rounded"
        if value:
            reason = f"with the digits given the value is {value}, and these may be rounded"
        return Verdict("unknown", statement, reason)
    if near and any(
        digits is not None and _cut_to(exact, other, digits)
        for exact, other, digits in (
            (sides.lhs, sides.rhs, bare_digits(statement.rhs)),
            (sides.rhs, sides.lhs, bare_digits(statement.lhs)),
        )
    ):
        return Verdict("unknown", statement, "the digits were cut off and not rounded")
    return None


def _may_agree(case: _Case, sides: _Sides) -> bool:
    """Whether the digits given may themselves be rounded so that both sides are equal."""
    if not sides.exact:
        return True
    try:
        general = Evaluator(IntervalArithmetic(), case.sizes)
        left, right = general.value(case.statement.lhs), general.value(case.statement.rhs)
    except SymlinError:
        return True
    return all(
        a.meets(b) for one, two in zip(left, right, strict=True) for a, b in zip(one, two, strict=True)
    )


def _cut_to(exact: Matrix, shown: Matrix, digits: list[list[int]]) -> bool:
    """Whether each number shown is within one unit of its last digit, and nearer to zero."""
    return all(
        abs(value - other) * 10**count < 1 and abs(other) <= abs(value)
        for one, two, counts in zip(exact, shown, digits, strict=True)
        for value, other, count in zip(one, two, counts, strict=True)
    )


def _rounds_to(exact: Matrix, shown: Matrix, digits: list[list[int]]) -> bool:
    return all(
        abs(value - other) * 2 * 10**count <= 1
        for one, two, counts in zip(exact, shown, digits, strict=True)
        for value, other, count in zip(one, two, counts, strict=True)
    )
