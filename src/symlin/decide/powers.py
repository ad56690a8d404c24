"""Scalars with powers of symbolic exponent, brought to a sum of products in which every base occurs once.

Offers `Powers`; rests on `equations`, so that every step is a theorem of the kernel.  Entries are compared afterwards
by the kernel with such powers as letters: what is done here is only what these letters need (exponents add, powers
of products and of numbers, divisions that cancel).
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TypeAlias, cast

from symlin.construct import conjugate, divide, number, power, scale
from symlin.decide.equations import (
    Known,
    by_entries,
    chain,
    congruent,
    flipped,
    instance,
    nonnegative,
    rewritten,
    same,
)
from symlin.decide.power_lemmas import (
    common,
    constant_part,
    factors,
    in_product,
    joined,
    nested,
    raised,
    sign,
    spread,
    times,
)
from symlin.decide.theory import LETTERS
from symlin.dims import ONE, ZERO, Dim
from symlin.errors import BudgetError
from symlin.term import Term, make

Pair: TypeAlias = "tuple[Term, Dim]"
"""A base with its exponent."""
MONOMIAL_LIMIT = 200


@dataclass(frozen=True, slots=True)
class Monomial:
    """coefficient · product of base^exponent."""

    coefficient: Fraction
    pairs: tuple[Pair, ...] = ()

    def term(self) -> Term:
        """It as a Term."""
        return times(number(self.coefficient), *(raised(*pair) for pair in self.pairs))

    def shown(self) -> Term:
        """It as one writes it."""
        powers = [raised(*pair) for pair in self.pairs]
        if self.coefficient == 1 and powers:
            return times(*powers)
        if self.coefficient == -1 and powers:
            return make("neg", times(*powers))
        return times(number(self.coefficient), *powers)


@dataclass(frozen=True, slots=True)
class Normal:
    """⊢ t = the sum of the monomials."""

    known: Known
    monomials: tuple[Monomial, ...]

    def shown(self) -> Term:
        """The sum as one writes it: without factors 1, and with signs."""
        terms = [one.shown() for one in self.monomials]
        if len(terms) < 2:
            return terms[0] if terms else number(0)
        return make("add", *terms)


@dataclass(frozen=True, slots=True)
class Unit:
    """A monomial that is 1: ⊢ product = 1."""

    product: Monomial
    known: Known

    def times_in(self, exponents: Mapping[Term, Dim]) -> Dim:
        """How often it is contained in a product with these exponents, as far as that is plain."""
        pairs = self.product.pairs
        if not all(base in exponents for base, _ in pairs):
            return ZERO
        if self.product.coefficient == 1 and all(e == ONE for _, e in pairs):
            return common([exponents[base] for base, _ in pairs])
        return ONE if all(nonnegative(exponents[base] - e) for base, e in pairs) else ZERO

    def power(self, exponent: Dim) -> Known:
        """⊢ the product of base^(e·exponent) = 1; the exponent is 1 unless the unit is a plain product."""
        if exponent == ONE:
            return self.known
        bases = times(*(base for base, _ in self.product.pairs))
        known = flipped(spread(bases, len(self.product.pairs), exponent))
        one = chain(rewritten(bases, self.known.lhs), self.known)
        known = chain(known, congruent(known.rhs, one))
        if exponent.constant is not None:
            return chain(known, rewritten(known.rhs, number(1)))
        return chain(known, instance("expr1n", {}, {"k": exponent + 1}))


@dataclass(slots=True)
class Powers:
    """Normal forms of scalars; bases that have the same entries are one base.

    Args:
        units: products that are 1, so that their bases cancel.
    """

    units: list[Unit] = field(default_factory=list)
    _bases: list[Term] = field(default_factory=list)
    _memo: dict[Term, Normal] = field(default_factory=dict)

    def normal(self, term: Term) -> Normal:
        """The normal form of a scalar.

        Examples:
            >>> from symlin.construct import symbol
            >>> c = symbol("c", 1)
            >>> print(Powers().normal((-c)**"n" * c**"n").known.theorem)
            ⊢ (-c)^nc^n = 1(-1)^nc^{2n}
        """
        found = self._memo.get(term)
        if found is None:
            found = self._memo[term] = _RULES.get(term.op, Powers._atom)(self, term)
        return found

    def add_unit(self, unit: Unit) -> None:
        """From now on this product is 1."""
        self.units.append(unit)
        self._memo.clear()

    def _from(self, known: Known) -> Normal:
        """The normal form of s from ⊢ s = t and that of t."""
        found = self.normal(known.rhs)
        return Normal(chain(known, found.known), found.monomials)

    def representative(self, term: Term) -> Known:
        """⊢ t = b for the base b that has the same entries."""
        for base in self._bases:
            known = by_entries(term, base)
            if known is not None:
                return known
        self._bases.append(term)
        return same(term)

    def _atom(self, term: Term) -> Normal:
        known = self.representative(term)
        return self._gathered(known, [Monomial(Fraction(1), ((known.rhs, ONE),))])

    def _number(self, term: Term) -> Normal:
        return self._gathered(same(term), [Monomial(cast(Fraction, term.data[0]))])

    def _linear(self, term: Term) -> Normal:
        parts = [self.normal(arg) for arg in term.args]
        sign = -1 if term.op == "neg" else 1
        monomials = [Monomial(sign * one.coefficient, one.pairs) for part in parts for one in part.monomials]
        return self._gathered(congruent(term, *(part.known for part in parts)), monomials)

    def _product(self, term: Term) -> Normal:
        left, right = (self.normal(arg) for arg in term.args)
        if len(left.monomials) * len(right.monomials) > MONOMIAL_LIMIT:
            raise BudgetError("monomials", f"a scalar of more than {MONOMIAL_LIMIT} terms")
        products = [
            Monomial(one.coefficient * two.coefficient, one.pairs + two.pairs)
            for one in left.monomials
            for two in right.monomials
        ]
        return self._merged(congruent(term, left.known, right.known), products)

    def _narrow(self, term: Term) -> Normal:
        """A product of scalars that is written as one of matrices."""
        if not all(arg.is_scalar for arg in term.args):
            return self._atom(term)
        return self._from(rewritten(term, times(*term.args)))

    def _divide(self, term: Term) -> Normal:
        left, by = term.args
        if by.op == "number" and by.data[0]:
            return self._from(rewritten(term, scale(number(1 / cast(Fraction, by.data[0])), left)))
        if left is number(1):
            return self._atom(term)
        return self._from(rewritten(term, scale(left, divide(number(1), by))))

    def _conjugate(self, term: Term) -> Normal:
        (body,) = term.args
        if body.op == "power" and nonnegative(cast(Dim, body.data[0])):
            exponent = cast(Dim, body.data[0])
            return self._from(instance("conjX", {LETTERS["x"]: body.args[0]}, {"k": exponent + 1}))
        if body.op in ("scale", "add", "neg"):
            parts = make(body.op, *map(conjugate, body.args), data=body.data)
            return self._from(rewritten(term, parts))
        return self._atom(term)

    def _gathered(self, known: Known, monomials: Iterable[Monomial]) -> Normal:
        """The sum of these monomials, like ones put together; `known` ends at a Term with the same entries."""
        found: dict[frozenset[Pair], Monomial] = {}
        for one in monomials:
            before = found.setdefault(frozenset(one.pairs), Monomial(Fraction(0), one.pairs))
            found[frozenset(one.pairs)] = Monomial(before.coefficient + one.coefficient, before.pairs)
        kept = tuple(one for one in found.values() if one.coefficient)
        return Normal(chain(known, rewritten(known.rhs, total(kept))), kept)

    def _merged(self, known: Known, products: Sequence[Monomial]) -> Normal:
        """As `_gathered`, for products in which a base may occur several times."""
        if not products:
            return self._gathered(known, [])
        spread = chain(known, rewritten(known.rhs, total(products)))
        merged = [self._once(one) for one in products]
        knowns = [one for one, _ in merged]
        whole = knowns[0] if len(knowns) == 1 else congruent(spread.rhs, *knowns)
        return self._gathered(chain(spread, whole), [one for _, one in merged])

    # --- one product ---

    def _once(self, product: Monomial) -> tuple[Known, Monomial]:
        """⊢ the product = the same with each base once, bases that cancel cancelled."""
        groups: dict[Term, list[Dim]] = {}
        for base, exponent in product.pairs:
            groups.setdefault(base, []).append(exponent)
        settled = [_settled(base, exponents) for base, exponents in groups.items()]
        grouped = times(number(product.coefficient), *(one.lhs for one, _ in settled))
        known = chain(rewritten(product.term(), grouped), in_product(grouped, [one for one, _ in settled]))
        coefficient = product.coefficient
        pairs: list[Pair] = []
        for _, one in settled:
            coefficient *= one.coefficient
            pairs += one.pairs
        result = Monomial(coefficient, tuple(pairs))
        return self._cancelled(chain(known, rewritten(known.rhs, result.term())), result)

    def _cancelled(self, known: Known, product: Monomial) -> tuple[Known, Monomial]:
        for unit in [*self.units, *_number_units(dict(product.pairs))]:
            while True:
                exponents = dict(product.pairs)
                count = unit.times_in(exponents)
                if count == ZERO:
                    break
                taken = {base: e * count for base, e in unit.product.pairs}
                rest = tuple((base, e - taken.get(base, ZERO)) for base, e in product.pairs)
                left = Monomial(
                    product.coefficient / unit.product.coefficient,
                    tuple(pair for pair in rest if pair[1] != ZERO),
                )
                apart, one = _apart(product, taken), unit.power(count)
                known = chain(known, apart, rewritten(apart.rhs, scale(one.lhs, left.term())))
                known = chain(known, congruent(known.rhs, one, same(left.term())))
                product = left
                known = chain(known, rewritten(known.rhs, product.term()))
        return known, product

    # --- powers ---

    def _power(self, term: Term) -> Normal:
        exponent = cast(Dim, term.data[0])
        if not nonnegative(exponent):
            return self._atom(term)
        body = self.normal(term.args[0])
        known = congruent(term, body.known)
        if len(body.monomials) == 1:
            split, monomial = _power_of(body.monomials[0], exponent)
            return self._merged(chain(known, split), [monomial])
        fixed = constant_part(exponent)
        if fixed == exponent:
            repeated = times(*(body.known.rhs,) * (fixed.constant or 0), number(1))
            return self._from(chain(known, rewritten(known.rhs, repeated)))
        if not body.monomials and nonnegative(exponent - 1):  # 0^e is 0·0^(e - 1)
            return self._gathered(chain(known, flipped(joined(number(0), ONE, exponent - 1))), [])
        if fixed != ZERO and nonnegative(fixed):
            return self._from(chain(known, flipped(joined(body.known.rhs, exponent - fixed, fixed))))
        base = self.representative(body.known.rhs)
        known = chain(known, congruent(known.rhs, base))
        return self._gathered(known, [Monomial(Fraction(1), ((base.rhs, exponent),))])


_RULES = {
    "number": Powers._number,
    "add": Powers._linear,
    "neg": Powers._linear,
    "scale": Powers._product,
    "matmul": Powers._narrow,
    "divide": Powers._divide,
    "transpose": lambda powers, term: powers._from(rewritten(term, term.args[0])),
    "conjugate": Powers._conjugate,
    "power": Powers._power,
}
STRUCTURED = frozenset(_RULES)
"""Constructors that a normal form looks into."""


def total(monomials: Sequence[Monomial]) -> Term:
    """A sum of monomials as a Term."""
    terms = [one.term() for one in monomials]
    if len(terms) < 2:
        return terms[0] if terms else number(0)
    return make("add", *terms)


def _apart(product: Monomial, taken: Mapping[Term, Dim]) -> Known:
    """⊢ the product = the same, where base^e is base^t base^(e - t) for what is taken."""
    parts = []
    for base, exponent in product.pairs:
        part = taken.get(base, exponent)
        parts.append(
            same(raised(base, exponent)) if part == exponent else flipped(joined(base, part, exponent - part))
        )
    return in_product(product.term(), parts)


def _power_of(one: Monomial, exponent: Dim) -> tuple[Known, Monomial]:
    """⊢ (q a^i b^j …)^e = p^e … a^(ie) b^(je) …, where q is the product of the numbers p."""
    numbers = factors(one.coefficient)
    pairs = [*((number(p), ONE) for p in numbers), *one.pairs]
    if not pairs:
        known = instance("expr1n", {}, {"k": exponent + 1})
        return chain(rewritten(raised(number(1), exponent), known.lhs), known), Monomial(Fraction(1))
    product = times(*(raised(*pair) for pair in pairs))
    term = one.term()
    known = chain(congruent(power(term, exponent), rewritten(term, product)))
    if exponent == ONE:
        known = chain(known, rewritten(known.rhs, product))
    known = chain(known, spread(product, len(pairs), exponent))
    parts = [nested(base, inner, exponent) for base, inner in pairs]
    result = Monomial(Fraction(1), tuple((base, inner * exponent) for base, inner in pairs))
    whole = scale(number(1), known.rhs)
    known = chain(known, rewritten(known.rhs, whole), in_product(whole, parts))
    return chain(known, rewritten(known.rhs, result.term())), result


def _settled(base: Term, exponents: Sequence[Dim]) -> tuple[Known, Monomial]:
    """⊢ b^i b^j … = q b^(i + j + …), where q is 1 unless b is a number."""
    known, exponent = same(raised(base, exponents[-1])), exponents[-1]
    for before in reversed(exponents[:-1]):
        both = scale(raised(base, before), known.lhs)
        known = chain(congruent(both, same(both.args[0]), known), joined(base, before, exponent))
        exponent = before + exponent
    if base.op == "number":
        return _number_settled(known, cast(Fraction, base.data[0]), exponent)
    if exponent == ZERO:
        return chain(known, rewritten(known.rhs, number(1))), Monomial(Fraction(1))
    return known, Monomial(Fraction(1), ((base, exponent),))


def _number_settled(known: Known, value: Fraction, exponent: Dim) -> tuple[Known, Monomial]:
    """p^(s + k) is p^k·p^s for a number k; powers of -1 depend on the parity of the exponent."""
    base, fixed = number(value), constant_part(exponent)
    rest = exponent - fixed
    if rest == ZERO:
        result = Monomial(value ** (fixed.constant or 0))
        return chain(known, rewritten(known.rhs, result.term())), result
    coefficient = Fraction(1)
    if fixed != ZERO and nonnegative(rest) and value:
        coefficient = value ** (fixed.constant or 0)
        if nonnegative(fixed):
            known = chain(known, flipped(joined(base, fixed, rest)))
            known = chain(known, rewritten(known.rhs, scale(number(coefficient), raised(base, rest))))
        else:  # p^(s - k) is p^-k times p^k p^(s - k)
            apart = scale(number(coefficient), scale(raised(base, -fixed), raised(base, exponent)))
            known = chain(known, rewritten(known.rhs, apart))
            known = chain(known, congruent(apart, same(apart.args[0]), joined(base, -fixed, exponent)))
        exponent = rest
    if value != -1:
        result = Monomial(coefficient, ((base, exponent),))
        return chain(known, rewritten(known.rhs, result.term())), result
    signed, exponent = sign(exponent)
    pairs = ((base, exponent),) if exponent != ZERO else ()
    result = Monomial(coefficient, pairs)
    whole = scale(number(coefficient), signed.lhs)
    known = chain(known, rewritten(known.rhs, whole), congruent(whole, same(whole.args[0]), signed))
    return chain(known, rewritten(known.rhs, result.term())), result


def _number_units(exponents: Mapping[Term, Dim]) -> list[Unit]:
    """Numbers among the bases whose product is 1."""
    found = []
    numbers = [base for base in exponents if base.op == "number" and base.data[0] not in (0, 1, -1)]
    for one, two in itertools.combinations(numbers, 2):
        if cast(Fraction, one.data[0]) * cast(Fraction, two.data[0]) == 1:
            product = Monomial(Fraction(1), ((one, ONE), (two, ONE)))
            found.append(Unit(product, rewritten(product.term(), number(1))))
    return found
