"""The law of the writer: what it writes, read with the declarations it returns, is the same Term."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from normal_terms import normal_terms

import symlin
from symlin.construct import (
    column,
    column_family,
    dot,
    literal,
    matmul,
    row,
    row_family,
    scale,
    sum_over,
    symbol,
    transpose,
)
from symlin.term import Term
from symlin.write.latex import latex_with_declarations
from symlin.write.style import PLAIN, PRETEXT, Style

Q, K = symbol("Q", "L", "d"), symbol("K", "L", "d")
A, B = symbol("A", "m", "n"), symbol("B", "n", "k")


def _check(term: Term, style: Style = PLAIN) -> None:
    text, where = latex_with_declarations(term, style)
    found = symlin.read(text, where=where)
    assert found is term, f"{text}  {where}\n{found!r} for {term!r}"


@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
@given(normal_terms())
def test_written_and_read_is_the_same_term(term: Term) -> None:
    _check(term)


@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
@given(normal_terms(depth=2))
def test_in_other_styles_too(term: Term) -> None:
    _check(term, PRETEXT)
    _check(
        term, replace(PLAIN, transpose=r"\top", matrix="pmatrix", short_fractions=False, hadamard=r"\odot")
    )


@pytest.mark.parametrize(
    "term",
    [
        matmul(A, column_family("j", 1, "k", column(B, "j"))),
        column_family("j", 1, "k", matmul(A, column(B, "j"))),
        row_family("j", 1, "L", row(Q, "j")),
        column_family("j", 1, "L", transpose(row(K, "j"))),
        row_family(
            "i", 1, "L", column_family("j", 1, "L", dot(transpose(row(Q, "i")), transpose(row(K, "j"))))
        ),
        sum_over(r"\ell", 1, "n", scale(A["i", r"\ell"], B[r"\ell", "j"])),
        dot(literal([[2], [4], [0]]), literal([[1], [5], [1]])),
    ],
    ids=str,
)
def test_families(term: Term) -> None:
    _check(term)
