"""Square matrices as sums of products, each with its scalars in front: what rules for sums look at.

Offers `Summand`, `summands`, `splittings` and the products that all summands begin or end with; rests on `construct`.
Nothing here is proved: a rule that uses it shows by entries that what it made is the same matrix.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import cast

from symlin.construct import (
    add,
    divide,
    identity,
    matmul,
    number,
    ones,
    scale,
    transpose,
)
from symlin.decide.power_lemmas import times
from symlin.dims import ONE, Dim
from symlin.term import Term

LONGEST_POWER = 4
"""Powers up to this are written out as products when sums are compared."""


@dataclass(frozen=True, slots=True)
class Summand:
    """coefficient · scalars · product of the factors; no factors mean the identity."""

    coefficient: Fraction
    scalars: tuple[Term, ...]
    factors: tuple[Term, ...]
    size: Dim

    def term(self) -> Term:
        """It as a Term."""
        core = matmul(*self.factors) if self.factors else identity(self.size)
        by = self.scalar()
        return core if by is None else scale(by, core)

    def scalar(self) -> Term | None:
        """The scalar in front; None when it is 1."""
        parts = [*([number(self.coefficient)] if self.coefficient != 1 else []), *self.scalars]
        return times(*parts) if parts else None


def summands(term: Term) -> list[Summand]:
    """A square matrix as a sum of products, as far as it is written as one."""
    found: dict[tuple[tuple[Term, ...], tuple[Term, ...]], Summand] = {}
    for one in _summands(term, Fraction(1), ()):
        key = (one.scalars, one.factors)
        before = found[key].coefficient if key in found else 0
        found[key] = Summand(one.coefficient + before, *key, one.size)
    return [one for one in found.values() if one.coefficient]


def _summands(term: Term, coefficient: Fraction, scalars: tuple[Term, ...]) -> Iterator[Summand]:
    match term.op:
        case "add":
            for arg in term.args:
                yield from _summands(arg, coefficient, scalars)
        case "neg":
            yield from _summands(term.args[0], -coefficient, scalars)
        case "scale":
            yield from _scaled(term.args[1], term.args[0], coefficient, scalars)
        case "divide":
            one = divide(number(1), term.args[1])
            yield from _scaled(term.args[0], one, coefficient, scalars)
        case "zero":
            return
        case _:
            inner = scalars
            factors: list[Term] = []
            for factor in factors_of(term):
                while factor.op in ("scale", "neg"):
                    if factor.op == "neg":
                        coefficient = -coefficient
                    else:
                        coefficient, inner = _with_scalar(factor.args[0], coefficient, inner)
                    factor = factor.args[-1]
                if factor.op != "identity":
                    factors += factors_of(factor)
            yield Summand(coefficient, inner, tuple(factors), term.rows)


def _scaled(body: Term, by: Term, coefficient: Fraction, scalars: tuple[Term, ...]) -> Iterator[Summand]:
    coefficient, scalars = _with_scalar(by, coefficient, scalars)
    yield from _summands(body, coefficient, scalars)


def _with_scalar(
    by: Term, coefficient: Fraction, scalars: tuple[Term, ...]
) -> tuple[Fraction, tuple[Term, ...]]:
    if by.op == "number":
        return coefficient * cast(Fraction, by.data[0]), scalars
    if by.op == "neg":
        return _with_scalar(by.args[0], -coefficient, scalars)
    if by.op == "scale":
        return _with_scalar(by.args[1], *_with_scalar(by.args[0], coefficient, scalars))
    if by.op == "divide" and by.args[0].op == by.args[1].op == "number" and by.args[1].data[0]:
        top, below = (cast(Fraction, arg.data[0]) for arg in by.args)
        return coefficient * top / below, scalars
    return coefficient, (*scalars, by)


def factors_of(term: Term) -> list[Term]:
    if term.op == "matmul":
        return [factor for arg in term.args for factor in factors_of(arg)]
    if term.op == "transpose" and term.args[0].op == "matmul":
        return [factor for arg in reversed(term.args[0].args) for factor in factors_of(transpose(arg))]
    if term.op == "transpose" and term.args[0].op == "transpose":
        return factors_of(term.args[0].args[0])
    if term.op == "power" and 0 < (cast(Dim, term.data[0]).constant or 0) <= LONGEST_POWER:
        return factors_of(term.args[0]) * (cast(Dim, term.data[0]).constant or 0)
    if term.op == "ones" and term.rows == term.cols and term.rows != ONE:
        return [ones(term.rows, 1), transpose(ones(term.rows, 1))]
    return [term]


def joined_sum(parts: Sequence[Summand]) -> Term:
    """A sum of summands as a Term."""
    terms = [one.term() for one in parts]
    return terms[0] if len(terms) == 1 else add(*terms)


def common_fronts(parts: Sequence[Summand]) -> Iterator[tuple[Term, list[Summand]]]:
    """Products that all summands begin with, and what is left of these."""
    length = 0
    shortest = min(len(one.factors) for one in parts)
    while length < shortest and len({one.factors[length] for one in parts}) == 1:
        length += 1
        front = matmul(*parts[0].factors[:length])
        if all(len(one.factors) > length for one in parts) or front.cols == parts[0].size:
            yield (
                front,
                [Summand(one.coefficient, one.scalars, one.factors[length:], front.cols) for one in parts],
            )


def common_ends(parts: Sequence[Summand]) -> Iterator[tuple[Term, list[Summand]]]:
    """Products that all summands end with, and what is left of these."""
    length = 0
    shortest = min(len(one.factors) for one in parts)
    while length < shortest and len({one.factors[-1 - length] for one in parts}) == 1:
        length += 1
        end = matmul(*parts[0].factors[-length:])
        if all(len(one.factors) > length for one in parts) or end.rows == parts[0].size:
            yield (
                end,
                [
                    Summand(one.coefficient, one.scalars, one.factors[:-length], parts[0].size)
                    for one in parts
                ],
            )


def with_identity(parts: Sequence[Summand]) -> tuple[list[Summand], Term | None] | None:
    """For xI + …: the other summands, and x (None when it is 1)."""
    eyes = [one for one in parts if not one.factors]
    rest = [one for one in parts if one.factors]
    if not eyes or not rest:
        return None
    if all(not one.scalars for one in eyes):
        total = sum(one.coefficient for one in eyes)
        return rest, None if total == 1 else number(total)
    scalars = [one.scalar() or number(1) for one in eyes]
    return rest, scalars[0] if len(scalars) == 1 else add(*scalars)


def splittings(rest: Sequence[Summand]) -> Iterator[tuple[Term, Term]]:
    """Ways to write a sum of products as one product PQ."""
    for front, left in common_fronts(rest):
        if all(one.factors for one in left):
            yield front, joined_sum(left)
    if len(rest) > 1:
        for end, left in common_ends(rest):
            if all(one.factors for one in left):
                yield joined_sum(left), end
