"""How the determinant of a sum is taken apart: what all summands share, what is narrow, what an inverse makes so.

Offers `reduced_sum`, `by_axiom` and `Reduced`; rests on `summands` and `equations`.  A matrix is written otherwise by
comparing entries, or under the assumption that an inverse exists that the statement itself makes.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TypeAlias

from symlin.construct import (
    identity,
    inverse,
    matmul,
    number,
    transpose,
)
from symlin.decide.equations import (
    Known,
    assumed,
    chain,
    congruent,
    flipped,
    inside,
    instance,
    rewritten,
    same,
)
from symlin.decide.power_lemmas import times
from symlin.decide.summands import (
    Summand,
    common_ends,
    common_fronts,
    factors_of,
    joined_sum,
    splittings,
    summands,
    with_identity,
)
from symlin.decide.theory import AXIOMS, LETTERS, A, B
from symlin.dims import ONE, Dim
from symlin.term import Term

Reduced: TypeAlias = "tuple[Known, str]"
"""What a determinant equals, and the reason in words."""
P_, Q_ = LETTERS["P"], LETTERS["Q"]


def by_axiom(term: Term, name: str, letters: dict[Term, Term], **sizes: Dim) -> Reduced:
    """⊢ det X = … by an axiom, X being written as the axiom has it."""
    known = instance(name, letters, sizes)
    return chain(congruent(term, rewritten(term.args[0], known.lhs.args[0])), known), AXIOMS[name].reason


def reduced_zero(term: Term, body: Term, invertible: frozenset[Term]) -> Reduced:
    return by_axiom(term, "detZ", {LETTERS["c"]: number(0), A: identity(body.rows)}, n=body.rows)


def reduced_sum(term: Term, body: Term, invertible: frozenset[Term]) -> Reduced | None:
    parts = summands(body)
    if not parts:
        return reduced_zero(term, body, invertible)
    if len(parts) == 1 and body.op == "add":
        return congruent(term, rewritten(body, parts[0].term())), "the sum has one term"
    for attempt in (_content, _cancelled, _narrow, _cleared, _shared, _turned, _taken_out):
        found = attempt(term, parts, invertible)
        if found is not None:
            return found
    return None


def _content(term: Term, parts: list[Summand], invertible: frozenset[Term]) -> Reduced | None:
    """A scalar that all summands share comes out."""
    numerators = math.gcd(*(one.coefficient.numerator for one in parts))
    content = Fraction(numerators, math.lcm(*(one.coefficient.denominator for one in parts)))
    scalars = list(parts[0].scalars)
    for one in parts[1:]:
        left = list(one.scalars)
        scalars = [scalar for scalar in scalars if scalar in left and left.remove(scalar) is None]  # type: ignore[func-returns-value]
    if content == 1 and not scalars:
        return None
    rest = [
        Summand(one.coefficient / content, _without(one.scalars, scalars), one.factors, one.size)
        for one in parts
    ]
    common = [*([number(content)] if content != 1 else []), *scalars]
    letters = {LETTERS["c"]: times(*common), A: joined_sum(rest)}
    return by_axiom(term, "detZ", letters, n=parts[0].size)


def _without(scalars: tuple[Term, ...], taken: Sequence[Term]) -> tuple[Term, ...]:
    left = list(scalars)
    for one in taken:
        left.remove(one)
    return tuple(left)


def _shared(term: Term, parts: list[Summand], invertible: frozenset[Term]) -> Reduced | None:
    """A square factor that all summands begin or end with comes out."""
    n = parts[0].size
    for front, rest in common_fronts(parts):
        if front.cols == n and not _is_whole(rest):
            return by_axiom(term, "det_mulmx", {A: front, B: joined_sum(rest)}, n=n)
    for end, rest in common_ends(parts):
        if end.rows == n and not _is_whole(rest):
            return by_axiom(term, "det_mulmx", {A: joined_sum(rest), B: end}, n=n)
    return None


def _is_whole(rest: list[Summand]) -> bool:
    """Whether nothing but the identity is left."""
    return len(rest) == 1 and not rest[0].factors


def _narrow(term: Term, parts: list[Summand], invertible: frozenset[Term]) -> Reduced | None:
    """det(xI + PQ) where QP is smaller for sure."""
    found = with_identity(parts)
    if found is None:
        return None
    rest, factor = found
    n = parts[0].size
    for left, right in splittings(rest):
        inner = left.cols
        if factor is None and _is_smaller(inner, n):
            return by_axiom(term, "det_sylvester", {P_: left, Q_: right}, m=n, n=inner)
        if inner == ONE:
            letters = {LETTERS["x"]: factor or number(1), LETTERS["u"]: left, LETTERS["v"]: transpose(right)}
            return by_axiom(term, "det_rank_one", letters, n=n)
    return None


def _is_smaller(inner: Dim, n: Dim) -> bool:
    return inner.constant is not None and (n.constant is None or inner.constant < n.constant)


# --- sums with inverses ---------------------------------------------------------------------------------------


def _inverse_of(factor: Term, invertible: frozenset[Term]) -> Term | None:
    """The matrix F such that the factor is F⁻¹ or the inverse of the factor is F, where the statement has F⁻¹."""
    if factor.op == "inverse" and factor.args[0] in invertible:
        return factor.args[0]
    return inverse(factor) if factor in invertible else None


def _unit(left: Term, right: Term) -> Known:
    """FF⁻¹ = I ⊢ FF⁻¹ = I, or the same for F⁻¹F."""
    return assumed((matmul(left, right), identity(left.rows)))


def _cancelled(term: Term, parts: list[Summand], invertible: frozenset[Term]) -> Reduced | None:
    """F and F⁻¹ side by side."""
    for place, one in enumerate(parts):
        for at in range(len(one.factors) - 1):
            left, right = one.factors[at : at + 2]
            if _inverse_of(left, invertible) is not right:
                continue
            pair = matmul(left, right)
            grouped = replace(one, factors=(*one.factors[:at], pair, *one.factors[at + 2 :]))
            short = replace(one, factors=(*one.factors[:at], *one.factors[at + 2 :]))
            before, after = (
                joined_sum([*parts[:place], new, *parts[place + 1 :]]) for new in (grouped, short)
            )
            known = chain(
                rewritten(term.args[0], before), inside(before, pair, assumed((pair, identity(left.rows))))
            )
            return congruent(term, chain(known, rewritten(known.rhs, after))), "a matrix meets its inverse"
    return None


def _cleared(term: Term, parts: list[Summand], invertible: frozenset[Term]) -> Reduced | None:
    """F⁻¹ comes out on the side where it stands first or last."""
    n = parts[0].size
    for front in (True, False):
        for one in parts:
            factor = one.factors[0 if front else -1] if one.factors else None
            if (
                factor is None
                or factor.op != "inverse"
                or factor.args[0] not in invertible
                or factor.rows != n
            ):
                continue
            body = factor.args[0]
            rest = [_without_end(part, factor, body, front) for part in parts]
            return _pulled(term, parts, rest, factor, body, front)
    return None


def _without_end(part: Summand, factor: Term, other: Term, front: bool) -> Summand:
    """The summand multiplied by `other`, the inverse of the factor, in front or at the end."""
    factors = part.factors
    if factors and factors[0 if front else -1] is factor:
        return replace(part, factors=factors[1:] if front else factors[:-1])
    return replace(part, factors=(other, *factors) if front else (*factors, other))


def _pulled(
    term: Term, parts: list[Summand], rest: list[Summand], factor: Term, other: Term, front: bool
) -> Reduced:
    """⊢ det X = det F · det(F⁻¹X), or with F at the end."""
    body, n = term.args[0], parts[0].size
    unit = _unit(factor, other) if front else _unit(other, factor)
    whole = matmul(unit.lhs, body) if front else matmul(body, unit.lhs)
    eye = matmul(unit.rhs, body) if front else matmul(body, unit.rhs)
    ends = (unit, same(body)) if front else (same(body), unit)
    known = chain(rewritten(body, eye), flipped(congruent(whole, *ends)))
    # Inside the bracket: F⁻¹X, where F⁻¹ meets F.
    meeting = matmul(other, factor) if front else matmul(factor, other)
    grouped = [_grouped(one, factor, other, meeting, front) for one in parts]
    bracket = joined_sum(grouped)
    product = matmul(factor, bracket) if front else matmul(bracket, factor)
    short = inside(bracket, meeting, assumed((meeting, identity(n))))
    short = chain(short, rewritten(short.rhs, joined_sum(rest)))
    known = chain(known, rewritten(known.rhs, product), inside(product, bracket, short))
    return congruent(term, known), "the inverse comes out"


def _grouped(one: Summand, factor: Term, other: Term, meeting: Term, front: bool) -> Summand:
    if one.factors and one.factors[0 if front else -1] is factor:
        inner = one.factors[1:] if front else one.factors[:-1]
        return replace(one, factors=(meeting, *inner) if front else (*inner, meeting))
    return replace(one, factors=(other, *one.factors) if front else (*one.factors, other))


def _turned(term: Term, parts: list[Summand], invertible: frozenset[Term]) -> Reduced | None:
    """det(I + PF⁻¹Q) is det(I + F⁻¹QP), from which F⁻¹ comes out."""
    found = with_identity(parts)
    if found is None or found[1] is not None:
        return None
    for left, right in splittings(found[0]):
        first = factors_of(right)[0]
        if first.op == "inverse" and first.args[0] in invertible and first.rows == left.cols:
            return by_axiom(term, "det_sylvester", {P_: left, Q_: right}, m=parts[0].size, n=left.cols)
    return None


def _taken_out(term: Term, parts: list[Summand], invertible: frozenset[Term]) -> Reduced | None:
    """det(F + uvᵀ) is det F · det(I + F⁻¹uvᵀ)."""
    for one in parts:
        if one.factors[1:] or not one.factors or one.factors[0] not in invertible or one.scalar() is not None:
            continue
        others = [part for part in parts if part is not one]
        narrow = any(_is_smaller(left.cols, one.size) for left, _ in splittings(others)) if others else False
        if narrow:
            body = one.factors[0]
            rest = [_without_end(part, body, inverse(body), True) for part in parts]
            return _pulled(term, parts, rest, body, inverse(body), True)
    return None
