"""Concrete sizes with unknown entries: exact polynomials and their quotients."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations

import flint
import pytest
from hypothesis import given
from hypothesis import strategies as st

from symlin import construct as c
from symlin.decide.explicit import decide_explicit, difference
from symlin.decide.polynomials import Element, Poly, Ratio, divide, numerator
from symlin.errors import BudgetError, UnsupportedError
from symlin.term import Term


def square(size: int, *names: str) -> list[Term]:
    return [c.symbol(name, size, size) for name in names]


def amitsur(*letters: Term) -> Term:
    parts = []
    for order in permutations(range(len(letters))):
        inversions = sum(order[i] > order[j] for j in range(len(order)) for i in range(j))
        product = c.matmul(*(letters[i] for i in order))
        parts.append(-product if inversions % 2 else product)
    return c.add(*parts)


A2, B2, C2, D2 = square(2, "A", "B", "C", "D")
A3, B3, C3, D3 = square(3, "A", "B", "C", "D")
U, V = c.symbol("U", 2, 1), c.symbol("V", 1, 2)
I2, I3 = c.identity(2), c.identity(3)
TRUE = {
    "amitsur and levitzki": (amitsur(A2, B2, C2, D2), c.zero(2, 2)),
    "hall": (
        (A2 @ B2 - B2 @ A2) ** 2 @ C2,
        C2 @ (A2 @ B2 - B2 @ A2) ** 2,
    ),
    "determinant of a product": (c.determinant(A3 @ B3), c.determinant(A3) * c.determinant(B3)),
    "cayley and hamilton": (A2**2 - c.trace(A2) * A2 + c.determinant(A2) * I2, c.zero(2, 2)),
    "determinant of I + A": (c.determinant(I2 + A2), 1 + c.determinant(A2) + c.trace(A2)),
    "determinant of an inverse": (c.determinant(A2.inv), 1 / c.determinant(A2)),
    "inverse of a product": ((A3 @ B3).inv, B3.inv @ A3.inv),
    "woodbury": (
        (A2 + B2 @ C2 @ D2).inv,
        A2.inv - A2.inv @ B2 @ (C2.inv + D2 @ A2.inv @ B2).inv @ D2 @ A2.inv,
    ),
    "sherman and morrison": (
        (A2 + U @ V).inv,
        A2.inv - (A2.inv @ U @ V @ A2.inv) / (1 + V @ A2.inv @ U),
    ),
    "matrix determinant lemma": (c.determinant(I2 + U @ V), 1 + V @ U),
    "parallel sum": ((A2.inv + B2.inv).inv, A2 @ (A2 + B2).inv @ B2),
    "adjoint": ((A2 @ B2).H, B2.H @ A2.H),
    "conjugate determinant": (c.conjugate(c.determinant(A2)), c.determinant(c.conjugate(A2))),
    "trace of kronecker": (c.trace(c.kronecker(A2, B2)), c.trace(A2) * c.trace(B2)),
}
FALSE = {
    "amitsur and levitzki for 3×3": (amitsur(A3, B3, C3, D3), c.zero(3, 3)),
    "cayley and hamilton for 3×3": (A3**2 - c.trace(A3) * A3 + c.determinant(A3) * I3, c.zero(3, 3)),
    "determinant of a sum": (c.determinant(A2 + B2), c.determinant(A2) + c.determinant(B2)),
    "inverse of a sum": ((A2 + B2).inv, A2.inv + B2.inv),
    "adjoint without conjugate": (A2.H, A2.T),
}


@pytest.mark.parametrize("name", TRUE)
def test_true(name: str) -> None:
    lhs, rhs = TRUE[name]
    proof = decide_explicit(lhs.eq(rhs))
    assert proof is not None
    assert proof.trusted == ("explicit",)


@pytest.mark.parametrize("name", FALSE)
def test_false(name: str) -> None:
    lhs, rhs = FALSE[name]
    assert decide_explicit(lhs.eq(rhs)) is None


def test_inverses_written_are_assumptions() -> None:
    proof = decide_explicit(c.determinant(A2.inv).eq(1 / c.determinant(A2)))
    assert proof is not None
    assert [(one.lhs, one.relation) for one in proof.hypotheses] == [(c.determinant(A2), r"\ne")]


def test_large_determinants_are_a_budget_and_unknown_functions_unsupported() -> None:
    big = c.symbol("A", 9, 9)
    with pytest.raises(BudgetError, match="a determinant of size 9 with unknown entries"):
        difference(c.determinant(big).eq(c.number(0)), {})
    with pytest.raises(UnsupportedError, match="exp of unknown entries"):
        difference(c.entrywise("exp", A2).eq(A2), {})


# --- polynomials against python-flint -------------------------------------------------------------------------

CONTEXT = flint.fmpq_mpoly_ctx.get(("x", "y", "z"), flint.Ordering.lex)
GENERATORS = CONTEXT.gens()
monomials = st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(0, 3))
coefficients = st.fractions(min_value=-5, max_value=5, max_denominator=4)
tables = st.dictionaries(monomials, coefficients, max_size=5)


def ours(table: dict[tuple[int, int, int], Fraction]) -> Element:
    total: Element = Poly.constant(0)
    for exponents, coefficient in table.items():
        term: Element = Poly.constant(coefficient)
        for index, exponent in enumerate(exponents):
            for _ in range(exponent):
                term = term * Poly.variable(index)
        total = total + term
    return total


def theirs(table: dict[tuple[int, int, int], Fraction]) -> flint.fmpq_mpoly:
    return CONTEXT.from_dict(
        {key: flint.fmpq(value.numerator, value.denominator) for key, value in table.items() if value}
    )


def unpacked(value: Element) -> dict[tuple[int, ...], Fraction]:
    return {
        tuple((mono >> (16 * index)) & 0xFFFF for index in range(3)): Fraction(coefficient)
        for mono, coefficient in numerator(value).terms.items()
    }


def plain(value: flint.fmpq_mpoly) -> dict[tuple[int, ...], Fraction]:
    return {
        tuple(map(int, key)): Fraction(int(number.numerator), int(number.denominator))
        for key, number in value.to_dict().items()
    }


@given(tables, tables)
def test_ring_operations_agree_with_flint(a: dict, b: dict) -> None:  # type: ignore[type-arg]
    assert unpacked(ours(a) + ours(b)) == plain(theirs(a) + theirs(b))
    assert unpacked(ours(a) - ours(b)) == plain(theirs(a) - theirs(b))
    assert unpacked(ours(a) * ours(b)) == plain(theirs(a) * theirs(b))


@given(tables, tables)
def test_exact_division(a: dict, b: dict) -> None:  # type: ignore[type-arg]
    left, right = numerator(ours(a)), numerator(ours(b))
    if right:
        product = numerator(left * right)
        assert product.quotient(right) == left
        remainder_free = left.quotient(right)
        if remainder_free is not None:
            assert numerator(remainder_free * right) == left


@given(tables, tables, tables, tables)
def test_quotients(a: dict, b: dict, d: dict, e: dict) -> None:  # type: ignore[type-arg]
    p, q, r, s = (ours(one) for one in (a, b, d, e))
    if q and s:
        total = divide(p, q) + divide(r, s)
        assert not (total - divide(p * s + r * q, q * s))
        assert not (divide(p, q) * divide(r, s) - divide(p * r, q * s))
        assert bool(divide(p, q)) == bool(p)


def test_degrees_cannot_overflow() -> None:
    x: Element = Poly.variable(0)
    with pytest.raises(BudgetError, match="degree"):
        for _ in range(20):
            x = x * x


def test_a_quotient_that_cancels_is_a_polynomial() -> None:
    x, y = Poly.variable(0), Poly.variable(1)
    assert divide(x * x - y * y, x - y) == x + y
    assert isinstance(divide(1, x), Ratio)
