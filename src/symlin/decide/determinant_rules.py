"""How one determinant is taken apart: by a named fact of the theory, after its matrix is written to suit.

Offers `reduced` (one step towards determinants that cannot be taken apart) and `variants` (other determinants of the
same value); rests on `equations`.  The facts do the work and entries do the rest: that A - A is 0 or that
[A 0; C D] has a zero block is seen in the Terms or by comparing entries, and never guessed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TypeAlias, cast

from symlin.construct import (
    add,
    block,
    conjugate,
    divide,
    identity,
    inverse,
    matmul,
    neg,
    number,
    ones,
    scale,
    transpose,
    zero,
)
from symlin.decide.equations import (
    Known,
    assumed,
    by_entries,
    chain,
    computed,
    congruent,
    flipped,
    inside,
    instance,
    nonnegative,
    rewritten,
    same,
)
from symlin.decide.powers import times
from symlin.decide.theory import AXIOMS, LETTERS, A, B
from symlin.dims import ONE, Dim
from symlin.term import Term

Reduced: TypeAlias = "tuple[Known, str]"
"""What a determinant equals, and the reason in words."""
LONGEST_POWER = 4
"""Powers up to this are written out as products when sums are compared."""
E_, P_, Q_ = (LETTERS[name] for name in "EPQ")


# --- sums of words --------------------------------------------------------------------------------------------


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
            for factor in _factors(term):
                while factor.op in ("scale", "neg"):
                    if factor.op == "neg":
                        coefficient = -coefficient
                    else:
                        coefficient, inner = _with_scalar(factor.args[0], coefficient, inner)
                    factor = factor.args[-1]
                if factor.op != "identity":
                    factors += _factors(factor)
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


def _factors(term: Term) -> list[Term]:
    if term.op == "matmul":
        return [factor for arg in term.args for factor in _factors(arg)]
    if term.op == "transpose" and term.args[0].op == "matmul":
        return [factor for arg in reversed(term.args[0].args) for factor in _factors(transpose(arg))]
    if term.op == "transpose" and term.args[0].op == "transpose":
        return _factors(term.args[0].args[0])
    if term.op == "power" and 0 < (cast(Dim, term.data[0]).constant or 0) <= LONGEST_POWER:
        return _factors(term.args[0]) * (cast(Dim, term.data[0]).constant or 0)
    if term.op == "ones" and term.rows == term.cols and term.rows != ONE:
        return [ones(term.rows, 1), transpose(ones(term.rows, 1))]
    return [term]


def joined_sum(parts: Sequence[Summand]) -> Term:
    """A sum of summands as a Term."""
    terms = [one.term() for one in parts]
    return terms[0] if len(terms) == 1 else add(*terms)


# --- one step -------------------------------------------------------------------------------------------------


def reduced(term: Term, invertible: frozenset[Term] = frozenset()) -> Reduced | None:
    """⊢ det X = something simpler, and the reason; None for a determinant that cannot be taken apart.

    Args:
        term: a determinant.
        invertible: matrices whose inverse the statement assumes to exist.

    Examples:
        >>> from symlin.construct import determinant, symbol
        >>> A, B = symbol("A", "n", "n"), symbol("B", "n", "n")
        >>> known, reason = reduced(determinant(A @ B))
        >>> print(known.theorem)
        ⊢ det(AB) = det(A)det(B)
        >>> reason
        'the determinant of a product of square matrices is the product of the determinants'
    """
    (body,) = term.args
    if body.rows == ONE:
        return rewritten(term, body), "a 1×1 determinant is its entry"
    rule = _RULES.get(body.op)
    return rule(term, body, invertible) if rule is not None else None


def by_axiom(term: Term, name: str, letters: dict[Term, Term], **sizes: Dim) -> Reduced:
    """⊢ det X = … by an axiom, X being written as the axiom has it."""
    known = instance(name, letters, sizes)
    return chain(congruent(term, rewritten(term.args[0], known.lhs.args[0])), known), AXIOMS[name].reason


def _product(term: Term, body: Term, invertible: frozenset[Term]) -> Reduced | None:
    factors = _factors(body)
    n = body.rows
    for place in range(1, len(factors)):
        if factors[place].rows == n:
            left, right = matmul(*factors[:place]), matmul(*factors[place:])
            return by_axiom(term, "det_mulmx", {A: left, B: right}, n=n)
    return _sum(term, body, invertible)


def _scale(term: Term, body: Term, invertible: frozenset[Term]) -> Reduced:
    return by_axiom(term, "detZ", {LETTERS["c"]: body.args[0], A: body.args[1]}, n=body.rows)


def _neg(term: Term, body: Term, invertible: frozenset[Term]) -> Reduced:
    return by_axiom(term, "detZ", {LETTERS["c"]: number(-1), A: body.args[0]}, n=body.rows)


def _divide(term: Term, body: Term, invertible: frozenset[Term]) -> Reduced:
    one = divide(number(1), body.args[1])
    return by_axiom(term, "detZ", {LETTERS["c"]: one, A: body.args[0]}, n=body.rows)


def _power(term: Term, body: Term, invertible: frozenset[Term]) -> Reduced | None:
    exponent = cast(Dim, body.data[0])
    if nonnegative(-exponent) and body.args[0] in invertible:
        known = instance("expmxVn", {A: body.args[0]}, {"n": body.rows, "k": 1 - exponent})
        return congruent(term, chain(rewritten(body, known.lhs), known)), AXIOMS["expmxVn"].reason
    if not nonnegative(exponent):
        return None
    return by_axiom(term, "det_pow", {A: body.args[0]}, n=body.rows, k=exponent + 1)


def _adjoint(term: Term, body: Term, invertible: frozenset[Term]) -> Reduced:
    return by_axiom(term, "det_tr", {A: conjugate(body.args[0])}, n=body.rows)


def _zero(term: Term, body: Term, invertible: frozenset[Term]) -> Reduced:
    return by_axiom(term, "detZ", {LETTERS["c"]: number(0), A: identity(body.rows)}, n=body.rows)


def _permutation(term: Term, body: Term, invertible: frozenset[Term]) -> Reduced:
    order = cast("tuple[int, ...]", body.data[0])
    sign = (-1) ** sum(p > q for place, q in enumerate(order) for p in order[:place])
    known = by_entries(term, number(sign)) if len(order) <= 4 else None
    return known or computed("explicit", term, number(sign)), "the sign of the permutation"


def _kronecker(term: Term, body: Term, invertible: frozenset[Term]) -> Reduced | None:
    left, right = body.args
    if left.rows != left.cols:
        return None
    return by_axiom(term, "det_kron", {E_: left, A: right}, m=left.rows, n=right.rows)


# --- blocks ---------------------------------------------------------------------------------------------------


def _grid(term: Term, body: Term, invertible: frozenset[Term]) -> Reduced | None:
    width = {"rows": 1, "columns": len(body.args)}.get(body.op) or cast(int, body.data[1])
    grid = [list(body.args[start : start + width]) for start in range(0, len(body.args), width)]
    for i in range(1, len(grid)):
        for j in range(1, width):
            m = _sum_of(line[0].rows for line in grid[:i])
            if m != _sum_of(part.cols for part in grid[0][:j]):
                continue
            parts = [
                [_part(lines, places) for places in ((0, j), (j, width))] for lines in (grid[:i], grid[i:])
            ]
            found = _halves(term, parts, invertible)
            if found is not None:
                return found
    return None


def _sum_of(sizes: Iterator[Dim]) -> Dim:
    return sum(sizes, Dim.of(0))


def _part(lines: Sequence[Sequence[Term]], places: tuple[int, int]) -> Term:
    grid = [line[slice(*places)] for line in lines]
    return grid[0][0] if len(grid) == len(grid[0]) == 1 else block(grid)


def _is_zero(term: Term) -> bool:
    return by_entries(term, zero(term.rows, term.cols)) is not None


def _halves(term: Term, parts: list[list[Term]], invertible: frozenset[Term]) -> Reduced | None:
    (first, upper), (lower, last) = parts
    m, n = first.rows, last.rows
    if _is_zero(lower):
        return by_axiom(term, "det_ublock", {E_: first, P_: upper, A: last}, m=m, n=n)
    if _is_zero(upper):
        return by_axiom(term, "det_lblock", {E_: first, Q_: lower, A: last}, m=m, n=n)
    letters = {E_: first, P_: upper, Q_: lower, A: last}
    if first in invertible:
        return by_axiom(term, "det_schur_upper", letters, m=m, n=n)
    if last in invertible:
        return by_axiom(term, "det_schur_lower", letters, m=m, n=n)
    if m == n and by_entries(first, last) is not None and by_entries(upper, lower) is not None:
        one, none = identity(n), zero(n, n)
        middle = block([[first + upper, upper], [none, first - upper]])
        ends = block([[one, none], [one, one]]), block([[one, none], [neg(one), one]])
        known = congruent(term, rewritten(term.args[0], matmul(ends[0], middle, ends[1])))
        return known, "a product with block triangular factors"
    return None


# --- sums -----------------------------------------------------------------------------------------------------


def _sum(term: Term, body: Term, invertible: frozenset[Term]) -> Reduced | None:
    parts = summands(body)
    if not parts:
        return _zero(term, body, invertible)
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
    for front, rest in _common_fronts(parts):
        if front.cols == n:
            return by_axiom(term, "det_mulmx", {A: front, B: joined_sum(rest)}, n=n)
    for end, rest in _common_ends(parts):
        if end.rows == n:
            return by_axiom(term, "det_mulmx", {A: joined_sum(rest), B: end}, n=n)
    return None


def _common_fronts(parts: Sequence[Summand]) -> Iterator[tuple[Term, list[Summand]]]:
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


def _common_ends(parts: Sequence[Summand]) -> Iterator[tuple[Term, list[Summand]]]:
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


def _with_identity(parts: Sequence[Summand]) -> tuple[list[Summand], Term | None] | None:
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
    for front, left in _common_fronts(rest):
        if all(one.factors for one in left):
            yield front, joined_sum(left)
    if len(rest) > 1:
        for end, left in _common_ends(rest):
            if all(one.factors for one in left):
                yield joined_sum(left), end


def _narrow(term: Term, parts: list[Summand], invertible: frozenset[Term]) -> Reduced | None:
    """det(xI + PQ) where QP is smaller for sure."""
    found = _with_identity(parts)
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
    found = _with_identity(parts)
    if found is None or found[1] is not None:
        return None
    for left, right in splittings(found[0]):
        first = _factors(right)[0]
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


def _is_smaller(inner: Dim, n: Dim) -> bool:
    return inner.constant is not None and (n.constant is None or inner.constant < n.constant)


_RULES: dict[str, Callable[[Term, Term, frozenset[Term]], Reduced | None]] = {
    "matmul": _product,
    "scale": _scale,
    "neg": _neg,
    "divide": _divide,
    "power": _power,
    "transpose": lambda term, body, _: by_axiom(term, "det_tr", {A: body.args[0]}, n=body.rows),
    "conjugate": lambda term, body, _: by_axiom(term, "det_conj", {A: body.args[0]}, n=body.rows),
    "adjoint": _adjoint,
    "identity": lambda term, body, _: by_axiom(term, "det1", {}, n=body.rows),
    "zero": _zero,
    "permutation": _permutation,
    "kronecker": _kronecker,
    "block": _grid,
    "rows": _grid,
    "columns": _grid,
    "add": _sum,
    "ones": _sum,
}


# --- other determinants of the same value ---------------------------------------------------------------------


def variants(term: Term) -> Iterator[Reduced]:
    """⊢ det X = det Y, or a multiple of it, for matrices Y that X is often met as."""
    (body,) = term.args
    n = body.rows
    turned = instance("det_tr", {A: transpose(body)}, {"n": n})
    yield chain(congruent(term, rewritten(body, turned.lhs.args[0])), turned), "a matrix and its transpose"
    yield by_axiom(term, "detZ", {LETTERS["c"]: number(-1), A: neg(body)}, n=n)
    if body.op == "block" and body.data == (2, 2) and body.args[0].rows == body.args[0].cols:
        yield _exchanged(term, body)
    found = _with_identity(summands(body))
    if found is None:
        return
    rest, factor = found
    for left, right in splittings(rest):
        if factor is None:
            yield by_axiom(term, "det_sylvester", {P_: left, Q_: right}, m=n, n=left.cols)
        elif left.cols == n:
            yield by_axiom(term, "det_commute", {LETTERS["x"]: factor, A: left, B: right}, n=n)


def _exchanged(term: Term, body: Term) -> Reduced:
    """⊢ det [E P; Q A] = det [A Q; P E], by a block permutation S with SSᵀ = I."""
    first, upper, lower, last = body.args
    m, n = first.rows, last.rows
    swap = block([[zero(m, n), identity(m)], [identity(n), zero(n, m)]])
    other = block([[last, lower], [upper, first]])
    size = {"n": body.rows}
    known = congruent(term, rewritten(body, matmul(swap, matmul(other, transpose(swap)))))
    product = instance("det_mulmx", {A: swap, B: matmul(other, transpose(swap))}, size)
    inner = instance("det_mulmx", {A: other, B: transpose(swap)}, size)
    known = chain(known, product, congruent(product.rhs, same(product.rhs.args[0]), inner))
    # det S det Sᵀ = det(SSᵀ) = det I = 1
    one = instance("det_mulmx", {A: swap, B: transpose(swap)}, size)
    apart = scale(one.rhs, inner.rhs.args[0])
    known = chain(known, rewritten(known.rhs, apart))
    eye = congruent(one.lhs, rewritten(one.lhs.args[0], identity(body.rows)))
    unit = chain(flipped(one), eye, instance("det1", {}, size))
    known = chain(known, congruent(apart, unit, same(apart.args[1])))
    return chain(known, rewritten(known.rhs, inner.rhs.args[0])), "rows and columns of blocks in another order"
