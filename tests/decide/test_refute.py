"""Counterexamples: small, exact, and honest about how small."""

from __future__ import annotations

from fractions import Fraction

import pytest

from symlin import construct as c
from symlin.decide.numeric import evaluate
from symlin.decide.refute import refute
from symlin.decide.verdict import Counterexample
from symlin.errors import UnsupportedError
from symlin.statement import Statement
from symlin.term import Term

P, Q, R = (c.symbol(name, "n", "n") for name in "PQR")
A, B = c.symbol("A", "m", "n"), c.symbol("B", "m", "n")
u, v = c.symbol("u", "n", 1), c.symbol("v", "n", 1)


def found(lhs: Term, rhs: Term) -> Counterexample:
    search = refute(Statement(lhs, rhs))
    assert search.counterexample is not None, search.reason
    return search.counterexample


def ints(example: Counterexample, letter: Term) -> list[list[int]]:
    return [[int(x) for x in line] for line in example.values[letter]]


SMALLEST = "at smaller total size both sides agree, no counterexample of these sizes has fewer entries that are not zero"


def test_products_do_not_commute() -> None:
    example = found(P @ Q, Q @ P)
    assert example.sizes == {"n": 2}
    assert ints(example, P) == [[0, 1], [0, 0]]
    assert ints(example, Q) == [[0, 0], [1, 0]]
    assert example.lhs == ((1, 0), (0, 0))
    assert example.rhs == ((0, 0), (0, 1))
    assert example.place == (1, 1)
    assert example.smallest == SMALLEST


REFUTED = {
    "transpose in the same order": ((P @ Q).T, P.T @ Q.T, {"n": 2}),
    "binomial": ((P + Q) ** 2, P**2 + 2 * (P @ Q) + Q**2, {"n": 2}),
    "trace of three": (c.trace(P @ Q @ R), c.trace(P @ R @ Q), {"n": 2}),
    "double": (A + A, A, {"m": 1, "n": 1}),
    "transpose": (P.T, P, {"n": 2}),
    "kronecker": (c.kronecker(P, Q), c.kronecker(Q, P), {"n": 2}),
    "hadamard and product": (c.hadamard(P, Q) @ R, c.hadamard(P @ R, Q @ R), {"n": 1}),
    "determinant of a sum": (c.determinant(P + Q), c.determinant(P) + c.determinant(Q), {"n": 2}),
    "trace of the identity": (c.trace(c.identity("n")), c.number(1), {"n": 2}),
    "inverse in the same order": ((P @ Q).inv, P.inv @ Q.inv, {"n": 2}),
    "inverse of a sum": ((P + Q).inv, P.inv + Q.inv, {"n": 1}),
    "true for 1×1 and 2×2": (
        (P @ Q - Q @ P) ** 2 @ R,
        R @ (P @ Q - Q @ P) ** 2,
        {"n": 3},
    ),
    "outer product": (u @ v.T, v @ u.T, {"n": 2}),
    "entries": ((P @ Q)["i", "j"], (Q @ P)["i", "j"], {"i": 1, "j": 1, "n": 2}),
    "a sum that leaves one out": (
        c.sum_over("t", 1, "n-1", P["t", "t"]),
        c.trace(P),
        {"n": 1},
    ),
    "pseudoinverse of a product": (
        c.pseudoinverse(P @ Q),
        c.pseudoinverse(Q) @ c.pseudoinverse(P),
        {"n": 2},
    ),
}


@pytest.mark.parametrize("name", REFUTED)
def test_refuted_at_the_smallest_sizes(name: str) -> None:
    lhs, rhs, sizes = REFUTED[name]
    example = found(lhs, rhs)
    assert example.sizes == sizes
    left = evaluate(lhs, example.values, example.sizes)
    right = evaluate(rhs, example.values, example.sizes)
    assert (left, right) == (example.lhs, example.rhs)
    row, column = example.place
    assert left[row - 1][column - 1] != right[row - 1][column - 1]


def test_true_statements_are_not_refuted() -> None:
    search = refute(c.trace(P @ Q).eq(c.trace(Q @ P)))
    assert search.counterexample is None
    assert search.reason == "no counterexample was found with sizes up to 4"


def test_singular_values_are_no_counterexample() -> None:
    example = found(P @ P.inv, P.inv)
    assert example.values[P] != ((0,),)
    assert refute((P @ P.inv).eq(c.identity("n"))).counterexample is None


def test_values_satisfy_the_definitions() -> None:
    S, X = c.symbol("S", "n", "n"), c.symbol("X", "n", "n")
    statement = S.eq(X)
    definitions = [(S, X @ X.T)]
    put_in = (X @ X.T).eq(X)
    example = refute(put_in, definitions=definitions, original=statement).counterexample
    assert example is not None
    assert example.values[S] == evaluate(X @ X.T, example.values, example.sizes)
    assert example.lhs == example.values[S]


def test_definitions_that_contradict_refute_nothing() -> None:
    S = c.symbol("S", 1)
    definitions = [(S, c.number(1)), (S, c.number(2))]
    search = refute(c.number(2).eq(c.number(3)), definitions=definitions, original=S.eq(3))
    assert search.counterexample is None


def test_a_name_for_something_else_restricts_nothing() -> None:
    far = [c.symbol(f"X_{{{k}}}", f"a_{k}", f"b_{k}") for k in range(6)]
    definitions = [(c.symbol("Y", one.rows, one.rows), one @ one.T) for one in far]
    example = refute((P @ Q).eq(Q @ P), definitions=definitions).counterexample
    assert example is not None
    assert example.sizes == {"n": 2}


def test_a_name_with_two_values_restricts_what_it_names() -> None:
    S, x, y = c.symbol("S", 1), c.symbol("x", 1), c.symbol("y", 1)
    definitions = [(S, x * y), (S, c.number(0))]
    # x = y = 1 would be the smallest values, but then S would be 1.
    assert refute((x * y).eq(c.number(0)), definitions=definitions).counterexample is None


def test_entries_left_open() -> None:
    S = c.symbol("S", 2, 2)
    partial = c.literal([[1, 2], [S[2, 1], 3]])
    example = refute(partial.eq(partial.T), definitions=[(S, partial)], original=S.eq(S.T)).counterexample
    assert example is not None
    assert example.values[S][0] == (Fraction(1), Fraction(2))
    assert example.values[S][1][1] == Fraction(3)


def test_maps_without_a_formula_are_unsupported() -> None:
    with pytest.raises(UnsupportedError, match="the map T has no formula here"):
        refute(c.apply("T", "n", u).eq(u))
