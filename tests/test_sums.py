"""The expansion into sums of entries: every condition of it, one at a time."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from symlin import construct as c
from symlin.decide.entries import decide_entries
from symlin.dims import Dim
from symlin.errors import BudgetError, ProofError, SymlinError
from symlin.kernel import by_entries
from symlin.statement import Statement
from symlin.sums import Certificate, Expander, Summand, expand, free_indices, renamed
from symlin.term import Term

m, n, k, p, q = (Dim.of(name) for name in "mnkpq")
i, j, l = (Dim.of(name) for name in "ijl")  # noqa: E741
ONE = Dim.of(1)
S, T = c.symbol("S", n, n), c.symbol("T", n, n)
x, y, z = c.symbol("x", n), c.symbol("y", m), c.symbol("z", m * n)
r, s = c.symbol("r", 1), c.symbol("s", 1)


def equal(lhs: Term, rhs: Term) -> bool:
    return decide_entries(Statement(lhs, rhs)).equal


def expander(*terms: Term, **fields: Any) -> Expander:
    return Expander(terms, Certificate(**fields))


# --- free indices ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("term", "found"),
    [
        (c.entry(c.symbol("A", m, n), i, j), {(i, m), (j, n)}),
        (c.row(c.symbol("A", m, n), i), {(i, m)}),
        (c.column(c.symbol("A", m, n), j), {(j, n)}),
        (c.unit(i, n), {(i, n)}),
        (c.sum_over("i", 1, n, c.entry(c.symbol("A", n, n), i, j)), {(j, n)}),
        (c.sum_over("l", 1, n, c.entry(c.ones(l, 1), i, 1)), set()),
        (c.column_family("l", 1, n, c.unit(l, n)), set()),
        (c.size(i), set()),
    ],
)
def test_free_indices(term: Term, found: set[tuple[Dim, Dim]]) -> None:
    assert {pair for pair in free_indices([term]) if pair[0].constant is None} == found


# --- order ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("dim", "plain"),
    [
        (Dim.of(0), True),
        (ONE, True),
        (-ONE, False),
        (n, True),
        (-n, False),
        (n - 1, True),
        (n - 2, False),
        (m * n - m, True),
        (m * n - m - n + 1, True),
        (m * n - 2, False),
        (m - n, False),
        (2 * n - 2, True),
    ],
)
def test_nonnegative(dim: Dim, plain: bool) -> None:
    assert expander().nonnegative(dim) is plain


def test_a_free_index_is_at_most_its_size() -> None:
    lower = c.sum_over("l", 1, i, S[i, "l"] @ x["l", 1])
    assert equal(lower, c.sum_over("l", 1, i, x["l", 1] @ S[i, "l"]))
    with pytest.raises(SymlinError, match="the index l may leave 1 … n"):
        equal(c.sum_over("l", 1, k, x["l", 1]), c.sum_over("l", 1, k, x["l", 1]))


def test_the_end_of_an_end() -> None:
    inner = c.sum_over("i", 1, n, c.sum_over("j", 1, i, y[j, 1]))
    with pytest.raises(SymlinError, match="the index j may leave 1 … m"):
        equal(inner, inner)
    fine = c.sum_over("i", 1, n, c.sum_over("j", 1, i, x[j, 1]))
    assert equal(fine, fine + c.zero(1))


def test_sizes_that_are_indices_of_each_other() -> None:
    one, other = c.symbol("a", j), c.symbol("b", i)
    term = c.entry(one, i, 1) @ c.entry(other, j, 1)
    assert equal(term, c.entry(other, j, 1) @ c.entry(one, i, 1))
    total = c.sum_over("l", 1, i, c.entry(one, "l", 1))
    with pytest.raises(SymlinError, match="the index l may leave 1 … j"):
        equal(total + term, term + total)


def test_an_index_from_zero_leaves_its_size() -> None:
    with pytest.raises(SymlinError, match="may leave 1 … n"):
        equal(c.sum_over("l", 0, n, x["l", 1]), c.zero(1))
    with pytest.raises(SymlinError, match="may leave 1 … n"):
        equal(c.sum_over("l", 0, n, x[l + 1, 1]), c.zero(1))
    assert equal(c.sum_over("l", 0, n - 1, x[l + 1, 1]), c.ones(n).T @ x)


# --- the identity ---------------------------------------------------------------------------------------------


def test_delta_with_a_number() -> None:
    assert equal(S @ c.unit(1, n), S.column(1))
    assert not equal(c.unit(1, n), c.zero(n))
    assert equal(c.dot(c.unit(1, n), c.unit(2, n)), c.number(0))
    assert equal(c.dot(c.unit(2, n), c.unit(2, n)), c.number(1))
    assert equal(c.dot(c.unit(i, n), c.unit(i, n)), c.number(1))
    assert equal(c.entry(c.identity(n), i, i), c.number(1))
    assert not equal(c.entry(c.identity(n), i, j), c.number(1))
    assert equal(c.entry(c.identity(n + 1), i, i + 1), c.number(0))


def test_delta_of_parts() -> None:
    terms = [c.entry(c.symbol("a", m, m), "i", "u"), c.entry(c.symbol("b", n, n), "j", "v")]
    u, v = Dim.of("u"), Dim.of("v")
    whole = Expander(terms, Certificate(((m * n, "*", m, n),)))
    (found,) = whole.delta((i - 1) * n + j, (u - 1) * n + v, m * n)
    assert found.factors == (("δ", (i, u, m)), ("δ", (j, v, n)))
    assert whole.delta(ONE, Dim.of(2), n) == [] and whole.delta(ONE, ONE, n) == [Summand()]
    parts = Expander(terms, Certificate(((m + n, "+", m, n),)))
    (found,) = parts.delta(m + j, m + v, m + n)
    assert found.factors == (("δ", (j, v, n)),)
    assert parts.delta(i, m + v, m + n) == []


def test_delta_does_not_divide_an_index() -> None:
    """i·n = j does not say that i = j, i² = j neither."""
    product = c.entry(c.identity(m * n), i * n, j)
    power = c.entry(c.identity(m * m), i * i, j)
    double = c.entry(c.identity(2 * m), 2 * i, j)
    for delta in (product, power, double):
        for value in (y[1, 1], y[j, 1]):
            assert not equal(c.sum_over("i", 1, m, delta @ y[i, 1]), value)


def test_delta_that_determines_nothing_stays() -> None:
    claim = c.entry(c.identity(m * n), i * n, j * m)
    tall = c.symbol("a", n, m)
    typed = c.entry(tall, j, i) @ claim
    assert equal(typed, claim @ c.entry(tall, j, i))
    assert not equal(typed @ z[i * n, 1], typed @ z[i * n - n + 1, 1])
    assert equal(claim, c.entry(c.identity(m * n), j * m, i * n))


def test_delta_does_not_solve_for_an_index_that_stays() -> None:
    """i + i·n = j has i on both sides of i = j - i·n."""
    e = expander(c.entry(y, j, 1))
    both = Summand(1, (("δ", (i * n + i, j, m)), ((y, False), (i, ONE))), (("i", m),))
    (found,) = e.settled(both)
    assert found.bound == (("i", m),) and len(found.factors) == 2


def test_delta_between_free_indices() -> None:
    claim = c.entry(c.identity(n), i, j)
    assert equal(claim @ x[i, 1], claim @ x[j, 1])
    assert not equal(claim @ x[i, 1], x[i, 1])
    assert not equal(claim @ c.size(i), c.size(i))
    assert equal(claim @ c.size(i), claim @ c.size(j))


def test_delta_in_a_triangular_sum() -> None:
    triangle = c.sum_over("i", 1, n, c.sum_over("j", 1, i, c.entry(c.identity(n), i, j) @ x[j, 1]))
    assert equal(triangle, c.ones(n).T @ x)
    strict = c.sum_over("i", 1, n, c.sum_over("j", 1, i - 1, c.entry(c.identity(n), i, j) @ x[j, 1]))
    assert not equal(strict, c.ones(n).T @ x)


def test_delta_in_a_reversed_sum() -> None:
    flip = c.column_family("l", 1, n, c.unit(n + 1 - l, n))
    assert equal(flip @ c.unit(j, n), c.unit(n + 1 - j, n))
    assert equal(flip @ flip, c.identity(n))
    assert not equal(flip, c.identity(n))


def test_delta_outside_a_shorter_range() -> None:
    for hi in (n - 1, i, k):
        delta = c.entry(c.identity(n + k), "l", j)
        assert not equal(
            c.sum_over("l", 1, hi, delta) if hi != i else c.sum_over("l", 1, n, delta), c.number(1)
        )


# --- counting -------------------------------------------------------------------------------------------------


def test_idle_sums_are_counted() -> None:
    count = lambda lo, hi: c.sum_over("l", lo, hi, c.number(1))  # noqa: E731
    assert equal(count(1, n), c.size(n))
    assert equal(count(2, n), c.size(n - 1))
    assert equal(count(1, 2 * n), c.size(2 * n))
    assert not equal(count(1, n - 2), c.size(n - 2))  # for n = 1 it is 0
    assert equal(c.sum_over("i", 1, n, c.sum_over("l", 1, i, c.number(1))), c.sum_over("i", 1, n, c.size(i)))
    assert equal(count(3, 2), c.number(0)) and equal(count(3, 3), c.number(1))
    assert not equal(c.size(n) @ x, x)
    assert not equal(c.ones(n).T @ c.ones(n), c.ones(m).T @ c.ones(m))


def test_sizes_cancel() -> None:
    assert equal((c.number(1) / c.size(2 * n)) @ c.size(n), c.number(Fraction(1, 2)))
    assert equal((c.number(1) / c.size(n)) @ c.size(n * m), c.size(m))
    assert not equal(c.number(1) / c.size(2 * n), c.number(1) / c.size(n))
    assert not equal((c.number(1) / c.size(n + 1)) @ c.size(n), c.number(1))
    assert not equal(c.number(1) / c.size(n), c.number(1) / c.size(m))
    assert equal(c.number(1) / c.number(-2), c.number(Fraction(-1, 2)))


def test_denominators_are_letters() -> None:
    one = c.number(1)
    assert equal((r @ s) / (r + s), r @ (s / (r + s)))
    assert not equal(one / (r + s), one / r)
    assert not equal(one / r, one / s)
    assert not equal(one / (c.size(n) @ r), one / c.size(n))
    assert not equal(one / c.trace(c.identity(n)), one / c.trace(S))
    assert not equal(one / c.sum_over("l", 1, n, c.size(l)), one / c.size(n))
    with pytest.raises(ProofError, match="a division by zero"):
        by_entries(one / c.number(0), one / c.number(0), Certificate(labels=((), ())))


# --- letters --------------------------------------------------------------------------------------------------


def test_conjugates() -> None:
    assert not equal(c.conjugate(r), r)
    assert equal(c.conjugate(c.conjugate(r)), r)
    assert equal(c.conjugate(c.trace(S)), c.trace(S.H))
    assert not equal(c.determinant(c.conjugate(c.symbol("A", 2, 2))), c.determinant(c.symbol("A", 2, 2)))


def test_powers() -> None:
    assert equal(c.power(S, 0), c.identity(n))
    assert equal(c.power(S, 1), S)
    assert equal(c.power(S, 3), S @ S @ S)
    assert not equal(c.power(S, k), S)
    assert equal(c.power(S, 200), c.power(S, 199) @ S)
    assert not equal(c.power(S, 201), c.power(S, 200) @ S)
    assert equal(c.power(S, -1) @ T, c.power(S, -1) @ T) and not equal(c.power(S, -1) @ S, c.identity(n))


def test_determinants() -> None:
    def det(size: int) -> tuple[Term, Term]:
        letter = c.symbol("A", size, size)
        return c.determinant(letter), c.determinant(letter.T)

    assert all(equal(*det(size)) for size in (1, 2, 3, 4, 5))
    assert not equal(*det(6))
    a, b = c.symbol("A", 2, 2), c.symbol("B", 2, 2)
    assert equal(c.determinant(a @ b), c.determinant(a) @ c.determinant(b))
    assert equal(c.determinant(a), a[1, 1] @ a[2, 2] - a[1, 2] @ a[2, 1])
    assert not equal(c.determinant(a + b), c.determinant(a) + c.determinant(b))
    assert not equal(c.determinant(S), c.determinant(T))


def test_literals_at_any_index() -> None:
    grid = c.literal([[r, s], [s, c.number(2)]])
    assert equal(c.entry(grid, i, j), c.entry(grid.T, j, i))
    assert not equal(c.entry(grid, i, 1), c.entry(grid, i, 2))
    order = c.permutation([2, 3, 1])
    assert equal(c.entry(order, i, j), c.entry(order.T, j, i))
    assert equal(order @ c.symbol("u", 3), c.rows([c.symbol("u", 3)[t, 1] for t in (2, 3, 1)]))


def test_a_letter_of_a_bound_index() -> None:
    f = lambda term: c.apply("f", 1, term)  # noqa: E731
    one = c.sum_over("l", 1, n, f(S.row("l").T) @ x["l", 1])
    assert equal(one, c.sum_over("t", 1, n, x["t", 1] @ f(S.row("t").T)))
    assert not equal(one, c.sum_over("l", 1, n, f(S.column("l")) @ x["l", 1]))
    assert not equal(one, f(S.row(1).T) @ c.sum_over("l", 1, n, x["l", 1]))
    nested = c.sum_over("l", 1, n, f(c.sum_over("t", 1, n, S["l", "t"] @ T["t", "l"])))
    assert equal(nested, c.sum_over("l", 1, n, f(c.sum_over("t", 1, n, S["l", "t"] @ T["t", "l"]))))


# --- composite sizes ------------------------------------------------------------------------------------------


def test_halves() -> None:
    e = expander(c.entry(y, i, 1), c.entry(x, j, 1))
    assert e.halves((i - 1) * n + j, n) == (i, j)
    assert e.halves(Dim.of(7), Dim.of(3)) == (Dim.of(3), ONE)
    assert e.halves(Dim.of(6), Dim.of(3)) == (Dim.of(2), Dim.of(3))
    assert e.halves(i, ONE) == (i, ONE)
    assert e.halves(j, n) == (ONE, j)
    with pytest.raises(ProofError, match="not known to split"):
        e.halves(i, n)
    with pytest.raises(ProofError, match="not known to split"):
        e.halves((i - 1) * n + j + 1, n)


def test_locate() -> None:
    e = expander(c.entry(y, i, 1), c.entry(x, j, 1))
    assert e.locate(i, [m, n]) == (0, i)
    assert e.locate(m + j, [m, n]) == (1, j)
    assert e.locate(Dim.of(4), [Dim.of(2), Dim.of(3)]) == (1, Dim.of(2))
    with pytest.raises(ProofError, match="not known to lie"):
        e.locate(j, [m, n])


def test_which_way_a_size_splits() -> None:
    a, b = c.symbol("A", m, n), c.symbol("B", n, m)
    lhs = rhs = c.kronecker(a, b)
    both = ((m * n, "*", m, n), (m * n, "*", n, m))
    assert by_entries(lhs, rhs, Certificate(both, (0, 1), 1, ((0,) * 0,) * 2)).lhs is lhs
    for ways in [(0, 0), (1, 1), (1, 0), ()]:
        with pytest.raises(ProofError, match="not known to split"):
            by_entries(lhs, rhs, Certificate(both, ways, 1, ((), ())))
    for ways in [(2, 0), (-1, 0), (0, 2)]:
        with pytest.raises(ProofError, match="does not split in so many ways"):
            by_entries(lhs, rhs, Certificate(both, ways, 1, ((), ())))


def test_the_first_way_is_taken_where_none_is_said() -> None:
    term = c.kronecker(c.symbol("A", m, m), c.symbol("B", n, n))
    both = ((m * n, "*", m, n), (m * n, "*", n, m))
    for ways in [(), (0,), (0, 0)]:
        assert by_entries(term, term, Certificate(both, ways, 1, ((), ()))).lhs is term


def test_a_size_with_one_way_takes_none() -> None:
    a, b = c.symbol("A", p, n), c.symbol("B", q, m)
    splits = ((p * q, "*", p, q), (m * n, "*", m, n), (m * n, "*", n, m))
    term = c.kronecker(a, b)
    assert by_entries(term, term, Certificate(splits, (1,), 1, ((), ()))).lhs is term


@pytest.mark.parametrize(
    "split",
    [
        (n, "+", m, m),
        (n, "*", m, m),
        (n, "+", n + 1, Dim.of(-1)),
        (n, "+", Dim.of(-1), n + 1),
        (n, "-", n, n),
        (m * n, "*", -m, -n),
    ],
)
def test_splits_are_checked(split: tuple[Dim, str, Dim, Dim]) -> None:
    with pytest.raises(ProofError, match="does not split into"):
        expander(splits=(split,))


def test_disjoint_blocks() -> None:
    parts = c.block([[c.identity(m), c.zero(m, n)], [c.zero(n, m), c.identity(n)]])
    assert equal(parts @ parts, c.identity(m + n))
    assert not equal(c.block([[c.identity(m), c.zero(m, n)], [c.ones(n, m), c.identity(n)]]), parts)


# --- writing out, budgets, renaming ---------------------------------------------------------------------------


def test_writing_out() -> None:
    two = c.trace(c.symbol("A", 2, 2))
    for unroll, count in [(1, 1), (2, 2), (3, 2)]:
        _, rows = expand(two, c.zero(1), Certificate(unroll=unroll))
        assert len(rows) == count
    assert len(expand(two, c.zero(1), Certificate())[1]) == 1
    assert [len(place) for place in expander().places(ONE)] == [2]


def test_budget() -> None:
    three, two = c.add(S, T, S), S + T
    lhs = c.hadamard(three, two)
    assert len(expand(lhs, c.zero(n, n), Certificate(), 6)[1]) == 6
    for budget in (5, 0):
        with pytest.raises(BudgetError, match="exceeds its budget"):
            expand(lhs, c.zero(n, n), Certificate(), budget)
    with pytest.raises(BudgetError, match="exceeds its budget"):
        expand(c.trace(c.symbol("A", 9, 9)), c.zero(1), Certificate(unroll=9), 8)


def test_renaming() -> None:
    factors = ((("a", False), (i, j)), (("a", False), (i, j)), (("b", False), (j, i)))
    summand = Summand(3, factors, (("i", n), ("j", n)))
    one = renamed("·", summand, (0, 1))
    assert one == renamed("·", Summand(3, factors[::-1], (("j", n), ("i", n))), (1, 0))
    assert one != renamed("·", summand, (1, 0))
    assert one != renamed("·", Summand(3, factors[1:], summand.bound), (0, 1))
    assert one != renamed("·", Summand(3, factors, (("i", n), ("j", m))), (0, 1))
    for order in [(0,), (0, 0), (1, 2), (0, 1, 2)]:
        with pytest.raises(ProofError, match="not renamed one to one"):
            renamed("·", summand, order)
    with pytest.raises(ProofError, match="an index is bound twice"):
        renamed("·", Summand(1, (), (("i", n), ("i", n))), (0, 1))


def test_a_claim_has_no_sign() -> None:
    one, other = Summand(1, (("=", (i - j,)),)), Summand(1, (("=", (j - i,)),))
    assert renamed("·", one, ()) == renamed("·", other, ())
    assert renamed("·", one, ()) != renamed("·", Summand(1, (("=", (i + j,)),)), ())


def test_bound_names_are_like_no_other() -> None:
    strange = c.symbol("A", Dim.symbol("·0"), Dim.symbol("·c0"))
    mark, _ = expand(strange, strange, Certificate())
    assert not "·0".startswith(mark) and not "·c0".startswith(mark)
    assert equal(strange @ strange.T, strange @ strange.T)
    assert not equal(c.trace(strange @ strange.T), c.size(Dim.symbol("·0")))
