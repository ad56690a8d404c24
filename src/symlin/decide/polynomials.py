"""Exact polynomials and quotients of polynomials in commuting variables.

Offers `Poly` and `Ratio`; rests on `errors`.  They mix with int and Fraction, are zero exactly when they are
false, and stop with a `BudgetError` before they become large; nothing is factored here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from heapq import heapify, heappop, heappush
from typing import TypeAlias

from symlin.errors import BudgetError

Coefficient: TypeAlias = "int | Fraction"
Element: TypeAlias = "int | Fraction | Poly | Ratio"

BITS = 16
"""Each variable has this many bits of a monomial; the topmost one stays free, so that no exponent spills over."""
DEGREE_LIMIT = (1 << (BITS - 1)) - 1
TERM_LIMIT = 200_000
DIVISION_LIMIT = 5_000
"""How many pairs of terms one multiplication may form."""
_MASK = (1 << BITS) - 1


class Poly:
    """A polynomial with rational coefficients: packed exponents to coefficients.

    Args:
        terms: from a monomial (variable k has its exponent in bits 16k … 16k+15) to its coefficient, none zero.
        degree: an upper bound for the total degree.

    Examples:
        >>> x, y = Poly.variable(0), Poly.variable(1)
        >>> (x + y) * (x - y) == x * x - y * y
        True
        >>> bool(x * y - y * x), (2 * x + 1).at({0: 3})
        (False, 7)
    """

    __slots__ = ("degree", "terms")

    def __init__(self, terms: dict[int, Coefficient], degree: int) -> None:
        if degree > DEGREE_LIMIT:
            raise BudgetError("degree", f"a polynomial of degree above {DEGREE_LIMIT}")
        self.terms = terms
        self.degree = degree

    @staticmethod
    def variable(index: int) -> Poly:
        """The polynomial that is the variable with this index."""
        return Poly({1 << (BITS * index): 1}, 1)

    @staticmethod
    def constant(value: Coefficient) -> Poly:
        """A constant polynomial."""
        return Poly({0: value} if value else {}, 0)

    def __bool__(self) -> bool:
        return bool(self.terms)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Poly):
            return self.terms == other.terms
        if isinstance(other, int | Fraction):
            return self.terms == ({0: other} if other else {})
        return NotImplemented

    def __hash__(self) -> int:
        return hash(frozenset(self.terms.items()))

    def __neg__(self) -> Poly:
        return Poly({mono: -coeff for mono, coeff in self.terms.items()}, self.degree)

    def __add__(self, other: Element) -> Element:
        if isinstance(other, Ratio):
            return NotImplemented
        terms = other.terms if isinstance(other, Poly) else {0: other}
        degree = other.degree if isinstance(other, Poly) else 0
        out = dict(self.terms)
        for mono, coeff in terms.items():
            total = out.get(mono, 0) + coeff
            if total:
                out[mono] = total
            else:
                out.pop(mono, None)
        return Poly(out, max(self.degree, degree))

    __radd__ = __add__

    def __sub__(self, other: Element) -> Element:
        return self + (-other)

    def __rsub__(self, other: Element) -> Element:
        return (-self) + other

    def __mul__(self, other: Element) -> Element:
        if isinstance(other, Ratio):
            return NotImplemented
        if not isinstance(other, Poly):
            if not other:
                return Poly({}, 0)
            return Poly({mono: coeff * other for mono, coeff in self.terms.items()}, self.degree)
        out: dict[int, Coefficient] = {}
        accumulate(out, self, other)
        return Poly({mono: coeff for mono, coeff in out.items() if coeff}, self.degree + other.degree)

    __rmul__ = __mul__

    @property
    def value(self) -> Coefficient | None:
        """The number that this is, when it is constant; else None."""
        if not self.terms:
            return 0
        return self.terms.get(0) if len(self.terms) == 1 else None

    def variables(self) -> tuple[int, ...]:
        """The indices of the variables that occur."""
        return support(_union(self.terms))

    def at(self, values: Mapping[int, Coefficient]) -> Coefficient:
        """The value when every variable has a value."""
        total: Coefficient = 0
        for mono, coeff in self.terms.items():
            term = coeff
            for index in support(mono):
                term = term * values[index] ** ((mono >> (BITS * index)) & _MASK)
            total += term
        return total

    def restricted(self, kept: int) -> Poly:
        """What is left when all variables outside the field mask `kept` are zero."""
        return Poly({mono: coeff for mono, coeff in self.terms.items() if not mono & ~kept}, self.degree)

    def quotient(self, divisor: Poly) -> Poly | None:
        """self / divisor when the division leaves no remainder (and is not too long); else None."""
        lead, last = max(divisor.terms), min(divisor.terms)
        if self.terms and (
            len(self.terms) > DIVISION_LIMIT
            or _monomial_quotient(max(self.terms), lead) is None
            or _monomial_quotient(min(self.terms), last) is None
        ):
            # Packed monomials are ordered as words are, so the last terms divide as well.
            return None
        lead_coeff = divisor.terms[lead]
        rest = dict(self.terms)
        waiting = [-mono for mono in rest]
        heapify(waiting)
        out: dict[int, Coefficient] = {}
        while waiting:
            top = -heappop(waiting)
            coeff = rest.pop(top, 0)
            if not coeff:
                continue
            shift = _monomial_quotient(top, lead)
            if shift is None:
                return None
            factor = _plain(Fraction(coeff) / lead_coeff)
            out[shift] = factor
            for mono, other in divisor.terms.items():
                if mono != lead:
                    at = mono + shift
                    if at not in rest:
                        heappush(waiting, -at)
                    rest[at] = rest.get(at, 0) - other * factor
        return Poly(out, self.degree)


def accumulate(out: dict[int, Coefficient], left: Poly, right: Poly) -> None:
    """Add left · right to `out`, which may then hold zeros."""
    if len(left.terms) * len(right.terms) > TERM_LIMIT:
        raise BudgetError(
            "polynomial size", f"a product of polynomials with more than {TERM_LIMIT} pairs of terms"
        )
    if left.degree + right.degree > DEGREE_LIMIT:
        raise BudgetError("degree", f"a polynomial of degree above {DEGREE_LIMIT}")
    get = out.get
    items = tuple(right.terms.items())
    for mono_a, coeff_a in left.terms.items():
        for mono_b, coeff_b in items:
            mono = mono_a + mono_b
            out[mono] = get(mono, 0) + coeff_a * coeff_b


def support(mono: int) -> tuple[int, ...]:
    """The indices of the variables of a monomial (or of a union of monomials)."""
    found = []
    index = 0
    while mono:
        if mono & _MASK:
            found.append(index)
        mono >>= BITS
        index += 1
    return tuple(found)


def field_mask(indices: Iterable[int]) -> int:
    """The bits that belong to the given variables."""
    return sum(_MASK << (BITS * index) for index in indices)


def _union(monomials: Iterable[int]) -> int:
    out = 0
    for mono in monomials:
        out |= mono
    return out


def _monomial_quotient(top: int, lead: int) -> int | None:
    """top / lead as monomials, or None: a guard bit above each exponent shows where one would become negative."""
    width = max(top.bit_length(), lead.bit_length()) // BITS + 1
    guard = sum(1 << (BITS * index + BITS - 1) for index in range(width))
    shifted = (top | guard) - lead
    return top - lead if shifted & guard == guard else None


def _plain(value: Coefficient) -> Coefficient:
    """An int where the value is one: ints are much faster."""
    return value.numerator if isinstance(value, Fraction) and value.denominator == 1 else value


class Ratio:
    """A polynomial divided by a product of powers of polynomials, which are assumed not to vanish.

    Denominators stay in factors, so that the sums that occur (entries of an inverse, all over one determinant)
    need no greatest common divisors.

    Args:
        num: the numerator.
        den: the exponent of each factor of the denominator.

    Examples:
        >>> x, y = Poly.variable(0), Poly.variable(1)
        >>> a = divide(1, x + y)
        >>> bool(a * x + a * y - 1)
        False
    """

    __slots__ = ("den", "num")

    def __init__(self, num: Poly, den: dict[Poly, int]) -> None:
        self.num = num
        self.den = den

    def __bool__(self) -> bool:
        return bool(self.num)

    def __neg__(self) -> Ratio:
        return Ratio(-self.num, self.den)

    def __add__(self, other: Element) -> Element:
        right = _ratio(other)
        common = dict(self.den)
        for factor, exponent in right.den.items():
            common[factor] = max(common.get(factor, 0), exponent)
        left_num = _times(self.num, common, self.den)
        right_num = _times(right.num, common, right.den)
        return _cancelled(_poly(left_num + right_num), common)

    __radd__ = __add__

    def __sub__(self, other: Element) -> Element:
        return self + (-other)

    def __rsub__(self, other: Element) -> Element:
        return (-self) + other

    def __mul__(self, other: Element) -> Element:
        right = _ratio(other)
        den = dict(self.den)
        for factor, exponent in right.den.items():
            den[factor] = den.get(factor, 0) + exponent
        return _cancelled(_poly(self.num * right.num), den)

    __rmul__ = __mul__


def divide(left: Element, right: Element) -> Element:
    """left / right; the caller sees to it that right is not zero and notes the assumption."""
    if isinstance(right, int | Fraction):
        return left * (Fraction(1) / right)
    upper, lower = _ratio(left), _ratio(right)
    constant = lower.num.value
    den = dict(upper.den)
    num = upper.num
    for factor, exponent in lower.den.items():
        shared = min(den.get(factor, 0), exponent)
        den[factor] = den.get(factor, 0) - shared
        for _ in range(exponent - shared):
            num = _poly(num * factor)
    if constant is not None:
        num = _poly(num * (Fraction(1) / constant))
    else:
        factor, lead = _monic(lower.num)
        num = _poly(num * (Fraction(1) / lead))
        den[factor] = den.get(factor, 0) + 1
    return _cancelled(num, {factor: exponent for factor, exponent in den.items() if exponent})


def mapped(value: Element, image: Callable[[int], Element]) -> Element:
    """`value` with each variable replaced by its image."""
    if isinstance(value, Ratio):
        result = mapped(value.num, image)
        for factor, exponent in value.den.items():
            for _ in range(exponent):
                result = divide(result, mapped(factor, image))
        return result
    if not isinstance(value, Poly):
        return value
    images = {index: image(index) for index in value.variables()}
    total: Element = 0
    for mono, coeff in value.terms.items():
        term: Element = coeff
        for index in support(mono):
            for _ in range((mono >> (BITS * index)) & _MASK):
                term = term * images[index]
        total = total + term
    return total


def numerator(value: Element) -> Poly:
    """The polynomial that vanishes exactly where `value` does (and is defined)."""
    return _ratio(value).num


def denominators(value: Element) -> tuple[Poly, ...]:
    """The factors of the denominator."""
    return tuple(_ratio(value).den)


def _poly(value: Element) -> Poly:
    if isinstance(value, Poly):
        return value
    if isinstance(value, Ratio):
        raise TypeError("a quotient where a polynomial was expected")
    return Poly.constant(value)


def _ratio(value: Element) -> Ratio:
    return value if isinstance(value, Ratio) else Ratio(_poly(value), {})


def _monic(poly: Poly) -> tuple[Poly, Coefficient]:
    """The polynomial with leading coefficient 1, and what it was, so that multiples count as one factor."""
    lead = poly.terms[max(poly.terms)]
    return _poly(poly * (Fraction(1) / lead)), lead


def _times(num: Poly, common: Mapping[Poly, int], own: Mapping[Poly, int]) -> Poly:
    for factor, exponent in common.items():
        for _ in range(exponent - own.get(factor, 0)):
            num = _poly(num * factor)
    return num


def _cancelled(num: Poly, den: dict[Poly, int]) -> Element:
    """Divide out the factors that divide; growth is what this prevents, equality does not need it."""
    if not num:
        return 0
    left: dict[Poly, int] = {}
    for factor, exponent in den.items():
        while exponent:
            quotient = num.quotient(factor)
            if quotient is None:
                left[factor] = exponent
                break
            num = quotient
            exponent -= 1
    return Ratio(num, left) if left else num
