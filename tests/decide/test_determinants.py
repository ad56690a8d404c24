"""Determinants of any size: what must be proved, what must be refuted, and what a proof says of itself."""

from __future__ import annotations

import pytest

from symlin import prove
from symlin.decide import theory
from symlin.decide.determinants import decide_determinants
from symlin.decide.equations import Known
from symlin.errors import ShapeError
from symlin.kernel import is_theorem

SQUARE = ["A, B, C, D, P: n x n", "c: scalar"]

PROVED = [
    (r"\det(cA)=c^n\det(A)", SQUARE),
    (r"\det(A^3)=\det(A)^3", SQUARE),
    (r"\det(AB)=\det(A)\det(B)=\det(BA)", SQUARE),
    (r"\det(A^T)=\det(A)", SQUARE),
    (r"\det(-A)=(-1)^n\det(A)", SQUARE),
    (r"\det(ABC)=\det(CBA)", SQUARE),
    (r"\det(A^TA)=\det(A)^2", SQUARE),
    (r"\det\begin{bmatrix}A&B\\0&D\end{bmatrix}=\det(A)\det(D)", ["A: m x m", "D: n x n"]),
    (r"\det\begin{bmatrix}A&0\\C&D\end{bmatrix}=\det(A)\det(D)", ["A: m x m", "D: n x n"]),
    (r"\det(I+\mathbf u\mathbf v^T)=1+\mathbf v^T\mathbf u", []),
    (r"\det(I+AB)=\det(I+BA)", ["A: m x n", "B: n x m"]),
    (r"\operatorname{tr}(\det(A)B)=\det(A)\operatorname{tr}(B)", SQUARE),
    (r"\det(P^{-1}AP)=\det(A)", SQUARE),
    (r"\det(A^k)=\det(A)^k", SQUARE),
    (r"\det(A\otimes B)=\det(A)^n\det(B)^m", ["A: m x m", "B: n x n"]),
]


@pytest.mark.parametrize(("statement", "where"), PROVED)
def test_proved(statement: str, where: list[str]) -> None:
    result = prove(statement, where=where)
    assert result.verdict == "proved", result.reason
    for verdict in result.verdicts:
        assert verdict.proof is not None
        assert is_theorem(verdict.proof.theorem)
        assert verdict.proof.theorem.lhs is verdict.statement.lhs
        assert verdict.proof.theorem.rhs is verdict.statement.rhs
        assert verdict.proof.trusted == ()


REFUTED = [
    (r"\det(A+B)=\det(A)+\det(B)", SQUARE, 2),
    (r"\det(cA)=c\det(A)", SQUARE, 2),
    (r"\det\begin{bmatrix}A&B\\C&D\end{bmatrix}=\det(A)\det(D)-\det(B)\det(C)", SQUARE, 2),
    (r"\det(-A)=-\det(A)", SQUARE, 2),
]


@pytest.mark.parametrize(("statement", "where", "size"), REFUTED)
def test_refuted(statement: str, where: list[str], size: int) -> None:
    result = prove(statement, where=where)
    assert result.verdict == "refuted", result.reason
    assert result.counterexample is not None
    assert result.counterexample.sizes == {"n": size}


def test_a_product_of_matrices_that_are_not_square() -> None:
    with pytest.raises(ShapeError, match="det needs a square matrix, but A is m×n"):
        prove(r"\det(AB)=\det(A)\det(B)", where=["A: m x n", "B: n x m"])


def test_every_axiom_used_is_listed() -> None:
    result = prove(r"\det(cA^TB)=c^n\det(BA)", where=SQUARE)
    proof = result.decisive.proof
    assert proof is not None
    assert proof.axioms == ("detZ", "det_mulmx", "det_tr")
    assert all(theory.is_listed(*axiom) for axiom in proof.theorem.axioms)


def test_the_history_ends_in_the_theorem() -> None:
    statement = prove(r"\det(AB)=\det(BA)", where=SQUARE).decisive.statement
    proof = decide_determinants(statement)
    assert proof is not None
    history = proof.certificate
    assert isinstance(history, Known)
    *before, last = history.history()
    assert last.theorem is proof.theorem
    assert {known.rule for known in before} >= {"axiom", "instantiate", "transitivity"}
