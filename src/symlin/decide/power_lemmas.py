"""Lemmas about powers of scalars, each a theorem of the kernel made from the listed facts about powers.

Offers `joined`, `nested`, `spread`, `sign` and the terms they speak of; rests on `equations`.  Exponents are sizes: what
needs an exponent to be at least 0 is used only where that is plain for all sizes that are at least 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from symlin.construct import number, power, scale
from symlin.decide.equations import Known, chain, congruent, flipped, instance, nonnegative, rewritten, same
from symlin.decide.theory import LETTERS
from symlin.dims import ONE, ZERO, Dim
from symlin.term import Term

LARGEST_FACTOR = 10_000
"""Numbers with a larger prime factor are not taken apart."""


def times(*factors: Term) -> Term:
    """A product of scalars, nested to the right."""
    *front, last = factors
    for factor in reversed(front):
        last = scale(factor, last)
    return last


def raised(base: Term, exponent: Dim) -> Term:
    """base^exponent, the first power being the base itself."""
    return base if exponent == ONE else power(base, exponent)


def in_product(product: Term, parts: Sequence[Known]) -> Known:
    """⊢ q·(s·(t·…)) = q·(s'·(t'·…)) from ⊢ s = s', ⊢ t = t', …, where q is what comes before these."""
    chainlike: list[Term] = []
    node = product
    for _ in parts:
        chainlike.append(node)
        node = node.args[1]
    if not parts:
        return same(product)
    known = parts[-1]
    for node, part in zip(reversed(chainlike[1:]), reversed(parts[:-1]), strict=True):
        known = congruent(node, part, known)
    return congruent(product, same(product.args[0]), known)


def joined(base: Term, first: Dim, second: Dim) -> Known:
    """⊢ b^i b^j = b^(i + j)"""
    both = scale(raised(base, first), raised(base, second))
    whole = raised(base, first + second)
    if first.constant is not None and second.constant is not None:
        return rewritten(both, whole)
    split = instance("exprD", {LETTERS["x"]: base}, {"j": first + 1, "k": second + 1})
    return chain(rewritten(both, split.rhs), flipped(split), rewritten(split.lhs, whole))


def nested(base: Term, inner: Dim, outer: Dim) -> Known:
    """⊢ (b^i)^j = b^(ij)"""
    if inner == ONE:
        return rewritten(raised(raised(base, inner), outer), raised(base, outer))
    known = instance("exprM", {LETTERS["x"]: base}, {"j": inner + 1, "k": outer + 1})
    known = chain(rewritten(raised(power(base, inner), outer), known.lhs), known)
    return chain(known, rewritten(known.rhs, raised(base, inner * outer)))


def spread(product: Term, count: int, exponent: Dim) -> Known:
    """⊢ (s·(t·…))^e = s^e·(t^e·…) for that many factors."""
    term = raised(product, exponent)
    if count < 2:
        return same(term)
    first, rest = product.args
    known = instance("exprMn", {LETTERS["x"]: first, LETTERS["y"]: rest}, {"k": exponent + 1})
    known = chain(rewritten(term, known.lhs), known)
    ends = scale(raised(first, exponent), raised(rest, exponent))
    known = chain(known, rewritten(known.rhs, ends))
    return chain(known, congruent(ends, same(ends.args[0]), spread(rest, count - 1, exponent)))


def factors(value: Fraction) -> list[Fraction]:
    """-1, primes and inverses of primes whose product the value is (as far as its factors are small)."""
    out = [Fraction(-1)] if value < 0 else []
    for part, inverse in ((abs(value.numerator), False), (value.denominator, True)):
        left, p = part, 2
        while left > 1 and p <= LARGEST_FACTOR:
            while left % p == 0:
                out.append(Fraction(1, p) if inverse else Fraction(p))
                left //= p
            p += 1
        if left != 1:
            out.append(Fraction(1, left) if inverse else Fraction(left))
    return out


def constant_part(exponent: Dim) -> Dim:
    return Dim({(): dict(exponent.terms).get((), 0)})


def sign(exponent: Dim) -> tuple[Known, Dim]:
    """⊢ (-1)^e = (-1)^f, where f is e with its coefficients modulo 2 and squares of sizes replaced by sizes."""
    base = number(-1)
    known = same(raised(base, exponent))
    while True:
        odd = Dim({mono: c % 2 for mono, c in exponent.terms})
        even = exponent - odd
        if even != ZERO and nonnegative(even) and nonnegative(odd):
            half = Dim({mono: c // 2 for mono, c in even.terms})
            known = chain(known, flipped(joined(base, even, odd)))
            two = chain(flipped(nested(base, Dim.of(2), half)), _ones(half))
            known = chain(known, congruent(known.rhs, two, same(known.rhs.args[1])))
            known = chain(known, rewritten(known.rhs, raised(base, odd)))
            exponent = odd
            continue
        square = _with_square(exponent)
        if square is None:
            return known, exponent
        size, rest = square
        others = exponent - size * size * rest
        if not nonnegative(others) or not nonnegative(rest):
            return known, exponent
        known = chain(known, flipped(joined(base, size * size * rest, others)))
        known = chain(known, congruent(known.rhs, _fewer(size, rest), same(known.rhs.args[1])))
        known = chain(known, joined(base, size * rest, others))
        exponent = others + size * rest


def _fewer(size: Dim, rest: Dim) -> Known:
    """⊢ (-1)^(nnr) = (-1)^(nr)"""
    base = number(-1)
    known = chain(flipped(nested(base, size, size)), instance("signr_odd", {}, {"k": size}))
    if rest == ONE:
        return known
    whole = congruent(power(known.lhs, rest), known)
    return chain(flipped(nested(base, size * size, rest)), whole, nested(base, size, rest))


def _ones(exponent: Dim) -> Known:
    """⊢ ((-1)^2)^e = 1"""
    known = congruent(raised(power(number(-1), 2), exponent), rewritten(power(number(-1), 2), number(1)))
    if exponent.constant is not None:
        return rewritten(known.lhs, number(1))
    return chain(known, instance("expr1n", {}, {"k": exponent + 1}))


def _with_square(exponent: Dim) -> tuple[Dim, Dim] | None:
    """A size n and a rest r such that n²r is a term of the exponent."""
    for mono, c in exponent.terms:
        for name, count in mono:
            if count > 1:
                rest = [(other, e - 2 if other == name else e) for other, e in mono]
                return Dim.symbol(name), Dim({tuple(pair for pair in rest if pair[1]): c})
    return None


def common(exponents: Sequence[Dim]) -> Dim:
    """What all exponents contain: the least of them where that is plain, else what their terms share."""
    tables = [dict(one.terms) for one in exponents]
    names = {mono for table in tables for mono in table}
    shared = Dim({mono: min(table.get(mono, 0) for table in tables) for mono in names})
    for common in (*exponents, shared, ONE):
        if common != ZERO and all(nonnegative(one - common) for one in exponents) and nonnegative(common):
            return common
    return ZERO
