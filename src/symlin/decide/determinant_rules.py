"""How one determinant is taken apart: by a named fact of the theory, after its matrix is written to suit.

Offers `reduced` (one step towards determinants that cannot be taken apart) and `variants` (other determinants of the
same value); rests on `determinant_sums` and `equations`.  The facts do the work and entries do the rest: that a block
is zero is seen in the Terms or by comparing entries, and never guessed.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import cast

from symlin.construct import (
    block,
    conjugate,
    divide,
    identity,
    matmul,
    neg,
    number,
    scale,
    transpose,
    zero,
)
from symlin.decide.determinant_sums import Reduced, by_axiom, reduced_sum, reduced_zero
from symlin.decide.equations import (
    by_entries,
    by_ways,
    chain,
    computed,
    congruent,
    flipped,
    instance,
    nonnegative,
    rewritten,
    same,
)
from symlin.decide.summands import factors_of, splittings, summands, with_identity
from symlin.decide.theory import AXIOMS, LETTERS, A, B
from symlin.dims import ONE, Dim
from symlin.term import Term

_FACTORS = "a product with block triangular factors"
E_, P_, Q_ = (LETTERS[name] for name in "EPQ")


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


def _product(term: Term, body: Term, invertible: frozenset[Term]) -> Reduced | None:
    factors = factors_of(body)
    n = body.rows
    for place in range(1, len(factors)):
        if factors[place].rows == n:
            left, right = matmul(*factors[:place]), matmul(*factors[place:])
            return by_axiom(term, "det_mulmx", {A: left, B: right}, n=n)
    return reduced_sum(term, body, invertible)


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
    for i, j in itertools.product(range(1, len(grid)), range(1, width)):
        parts = [[_part(lines, places) for places in ((0, j), (j, width))] for lines in (grid[:i], grid[i:])]
        (first, upper), _ = parts
        found = None
        if first.rows == first.cols:
            found = _halves(term, parts, invertible)
        if found is None and upper.rows == upper.cols:
            found = _other_halves(term, parts)
        if found is not None:
            return found
    return None


def _other_halves(term: Term, parts: list[list[Term]]) -> Reduced | None:
    """0 on the diagonal of blocks: their columns are exchanged."""
    (first, upper), (lower, last) = parts
    if not _is_zero(first) and not _is_zero(last):
        return None
    letters = {P_: first, E_: upper, A: lower, Q_: last}
    return by_axiom(term, "det_block_columns", letters, m=upper.rows, n=lower.rows)


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
    if first.op == "identity":  # [I B; C D] = [I 0; C I][I B; 0 D - CB]
        left = block([[first, zero(m, n)], [lower, identity(n)]])
        right = block([[first, upper], [zero(n, m), last - matmul(lower, upper)]])
        return congruent(term, rewritten(term.args[0], matmul(left, right))), _FACTORS
    if last.op == "identity":  # [A B; C I] = [A - BC B; 0 I][I 0; C I]
        left = block([[first - matmul(upper, lower), upper], [zero(n, m), last]])
        right = block([[identity(m), zero(m, n)], [lower, last]])
        return congruent(term, rewritten(term.args[0], matmul(left, right))), _FACTORS
    if m == n and by_entries(first, last) is not None and by_entries(upper, lower) is not None:
        one, none = identity(n), zero(n, n)
        middle = block([[first + upper, upper], [none, first - upper]])
        ends = block([[one, none], [one, one]]), block([[one, none], [neg(one), one]])
        known = congruent(term, rewritten(term.args[0], matmul(ends[0], middle, ends[1])))
        return known, _FACTORS
    return None


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
    "zero": reduced_zero,
    "permutation": _permutation,
    "kronecker": _kronecker,
    "block": _grid,
    "rows": _grid,
    "columns": _grid,
    "add": reduced_sum,
    "ones": reduced_sum,
}


# --- other determinants of the same value ---------------------------------------------------------------------


def variants(term: Term) -> Iterator[Reduced]:
    """⊢ det X = det Y, or a multiple of it, for matrices Y that X is often met as."""
    (body,) = term.args
    n = body.rows
    turned = instance("det_tr", {A: transpose(body)}, {"n": n})
    yield chain(congruent(term, rewritten(body, turned.lhs.args[0])), turned), "a matrix and its transpose"
    yield by_axiom(term, "detZ", {LETTERS["c"]: number(-1), A: neg(body)}, n=n)
    if body.op == "block" and body.data == (2, 2):
        first, upper, lower, last = body.args
        if first.rows == first.cols:
            yield _exchanged(term, body)
        if upper.rows == upper.cols:
            letters = {P_: first, E_: upper, A: lower, Q_: last}
            columns, reason = by_axiom(term, "det_block_columns", letters, m=upper.rows, n=lower.rows)
            yield columns, reason
            sign, other = columns.rhs.args
            rows, _ = _exchanged(other, other.args[0])
            yield (
                chain(columns, congruent(columns.rhs, same(sign), rows)),
                "each of n rows moves past m others",
            )
    found = with_identity(summands(body))
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
    # Outer indices are split as m + n, those that are summed over as n + m.
    whole = by_ways(body, matmul(swap, matmul(other, transpose(swap))), (0, 0, *[1] * 100))
    known = congruent(term, whole)
    product = instance("det_mulmx", {A: swap, B: matmul(other, transpose(swap))}, size)
    inner = instance("det_mulmx", {A: other, B: transpose(swap)}, size)
    known = chain(known, product, congruent(product.rhs, same(product.rhs.args[0]), inner))
    # det S det Sᵀ = det(SSᵀ) = det I = 1
    one = instance("det_mulmx", {A: swap, B: transpose(swap)}, size)
    apart = scale(one.rhs, inner.rhs.args[0])
    known = chain(known, rewritten(known.rhs, apart))
    product_is_one = by_ways(one.lhs.args[0], identity(body.rows), (0, 0, *[1] * 100))
    eye = congruent(one.lhs, product_is_one)
    unit = chain(flipped(one), eye, instance("det1", {}, size))
    known = chain(known, congruent(apart, unit, same(apart.args[1])))
    return chain(
        known, rewritten(known.rhs, inner.rhs.args[0])
    ), "rows and columns of blocks in another order"
