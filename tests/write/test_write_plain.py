"""Readable text of Terms."""

from __future__ import annotations

from fractions import Fraction

import pytest

from symlin.construct import (
    add,
    column,
    column_family,
    dot,
    identity,
    kronecker,
    literal,
    matmul,
    neg,
    number,
    ones,
    row,
    scale,
    sum_over,
    symbol,
    trace,
    transpose,
)
from symlin.statement import Statement
from symlin.term import Term
from symlin.write.plain import plain, statement_plain

A = symbol("A", "m", "n")
B = symbol("B", "n", "k")
S = symbol("S", "n", "n")
r = symbol("r", 1, 1)
W = symbol("W_Q", "m", "n")
WEIGHTS = symbol(r"A_{\mathrm{att}}", "n", "n")

GOLDEN: list[tuple[Term, str]] = [
    ((A @ B).T, "(AB)^T"),
    (scale(number(2), A), "2A"),
    (neg(A), "-A"),
    (r * (A @ B), "r(AB)"),
    (A @ (r * B), "A(rB)"),
    ((A + A) @ B, "(A + A)B"),
    (add(A, neg(add(A, A))), "A - (A + A)"),
    (add(A, scale(number(-2), A)), "A - 2A"),
    ((A @ B)["i", "j"], "(AB)_{ij}"),
    (A["i", r"\ell"], "a_{iℓ}"),
    (W["i", "j"], "(W_Q)_{ij}"),
    (literal([[1, Fraction(-1, 2)], [3, 4]]), "[1 -1/2; 3 4]"),
    (sum_over(r"\ell", 1, "n", scale(A["i", r"\ell"], B[r"\ell", "j"])), "Σ_{ℓ=1}^{n} a_{iℓ} b_{ℓj}"),
    (dot(literal([[2], [4]]), literal([[-4], [-1]])), "(2, 4)·(-4, -1)"),
    (kronecker(A, A @ B), "A⊗(AB)"),
    (trace(S) ** 2, "tr(S)^2"),
    (identity("n"), "I_n"),
    (ones("n"), "𝟏"),
    (WEIGHTS, "A_att"),
    (symbol(r"\alpha", 1, 1), "α"),
    (matmul(A, column(B, 1)), "Ab_1"),
    (row(A, "i"), "a_i^T"),
    (transpose(row(A, "i")), "a_i"),
    (matmul(column(S, 1), row(S, 1)), "s_1row_1(S)"),
    (column_family("j", 1, "k", column(B, "j")), "[b_1 … b_k]"),
    (scale(number(2), number(-4)) + number(-3), "2(-4) - 3"),
]


@pytest.mark.parametrize(("term", "expected"), GOLDEN, ids=[text for _, text in GOLDEN])
def test_golden(term: Term, expected: str) -> None:
    assert plain(term) == str(term) == expected


def test_statement() -> None:
    assert statement_plain(Statement(S, S.T, r"\ne")) == "S ≠ S^T"


def test_a_term_too_long_to_read_is_cut() -> None:
    shared = S
    for _ in range(200):
        shared = shared @ shared
    deep = S
    for _ in range(20_000):
        deep = deep.T
    for term in (shared, deep):
        assert "…" in plain(term)
        assert len(plain(term)) < 2000
