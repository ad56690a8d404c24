"""Determinants of any size: what must be proved, what must be refuted, and what a proof says of itself.

Random statements are checked against values in F_p × F_p at sizes 1, 2 and 3: 300 in an ordinary run and 10,000 with
SYMLIN_FULL=1.
"""

from __future__ import annotations

import itertools
import os
import random
import sys
import time
from collections import Counter
from fractions import Fraction
from pathlib import Path

import pytest

from symlin import construct as c
from symlin import kernel, prove
from symlin.decide import decide, theory
from symlin.decide.determinants import applies, decide_determinants
from symlin.decide.equations import Known, by_entries
from symlin.decide.numeric import evaluate
from symlin.decide.powers import Powers
from symlin.dims import Dim
from symlin.errors import ProofError, ShapeError
from symlin.kernel import is_theorem
from symlin.statement import Statement
from symlin.term import Term
from symlin.write.latex import latex

sys.path.insert(0, str(Path(__file__).parent))
from determinant_values import Maker, Undefined, Values, agree

COUNT = 10_000 if os.environ.get("SYMLIN_FULL") else 300
SQUARE = ["A, B, C, D, P: n x n", "c, d, \\lambda: scalar", "u, v: n"]

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
    (r"\det(A\otimes A)=\det(A)^{2n}", SQUARE),
    (r"\det(A^{-1})=1/\det(A)", SQUARE),
    (r"\det(A^{-1})=\det(A)^{-1}", SQUARE),
    (r"\det(A)\det(A^{-1})=1", SQUARE),
    (r"\det((AB)^{-1})=\frac{1}{\det(A)\det(B)}", SQUARE),
    (r"\det((cA)^{-1})=c^{-n}\det(A)^{-1}", SQUARE),
    (r"\det(A)^n\det(A^{-1})=\det(A)^{n-1}", SQUARE),
    (r"\frac{\det(cA)}{c^n}=\det(A)", SQUARE),
    (r"\frac{\det(AB)}{\det(B)}=\det(A)", SQUARE),
    (r"\det(A^{-2})=\det(A)^{-2}", SQUARE),
    (r"\det(A/2)=\det(A)/2^n", SQUARE),
    (r"\det(\frac{1}{c}A)=\frac{1}{c^n}\det(A)", SQUARE),
    (r"\det(P^{-1}AP-\lambda I)=\det(A-\lambda I)", SQUARE),
    (r"\det(AB-\lambda I)=\det(BA-\lambda I)", SQUARE),
    (r"\det(\lambda I-A)=(-1)^n\det(A-\lambda I)", SQUARE),
    (r"\det(A-B)=(-1)^n\det(B-A)", SQUARE),
    (r"\det(AB+AC)=\det(A)\det(B+C)", SQUARE),
    (r"\det(A^2-A)=\det(A)\det(A-I)", SQUARE),
    (r"\det(2A+2B)=2^n\det(A+B)", SQUARE),
    (r"\det(A-A)=0", SQUARE),
    (r"\det(A+\mathbf u\mathbf v^T)=\det(A)(1+\mathbf v^TA^{-1}\mathbf u)", SQUARE),
    (r"\det(I-\mathbf u\mathbf v^T)=1-\mathbf v^T\mathbf u", SQUARE),
    (r"\det(\lambda I+\mathbf u\mathbf v^T)=\lambda^{n-1}(\lambda+\mathbf v^T\mathbf u)", SQUARE),
    (r"\det(A+UV)=\det(A)\det(I+VA^{-1}U)", ["A: n x n", "U: n x k", "V: k x n"]),
    (r"\det(I+A^{-1}B)=\frac{\det(A+B)}{\det A}", SQUARE),
    (r"\det\begin{bmatrix}A&B\\B&A\end{bmatrix}=\det(A+B)\det(A-B)", SQUARE),
    (r"\det\begin{bmatrix}A&B&C\\0&P&B\\0&0&C\end{bmatrix}=\det(A)\det(P)\det(C)", SQUARE),
    (r"\det\begin{bmatrix}A&B\\C&P\end{bmatrix}=\det(A)\det(P-CA^{-1}B)", SQUARE),
    (r"\det\begin{bmatrix}A&B\\C&D\end{bmatrix}=\det\begin{bmatrix}D&C\\B&A\end{bmatrix}", SQUARE),
    (r"\det\begin{bmatrix}0&B\\C&D\end{bmatrix}=(-1)^{mn}\det(B)\det(C)", ["B: m x m", "C: n x n"]),
    (r"\det\begin{bmatrix}0&B\\C&0\end{bmatrix}=(-1)^n\det(B)\det(C)", SQUARE),
    (r"\det\begin{bmatrix}A&B\\C&D\end{bmatrix}=(-1)^n\det\begin{bmatrix}C&D\\A&B\end{bmatrix}", SQUARE),
    (r"\det\begin{bmatrix}I&B\\C&D\end{bmatrix}=\det(D-CB)", ["B: m x n", "C: n x m"]),
    (r"\det\begin{bmatrix}A&B\\C&I\end{bmatrix}=\det(A-BC)", ["B: m x n", "C: n x m"]),
    (r"\det(A^2-I)=\det(A-I)\det(A+I)", SQUARE),
    (r"\det(A+I)^2=\det(A^2+2A+I)", SQUARE),
    (
        r"\det(\operatorname{diag}(\mathbf u)\operatorname{diag}(\mathbf v))=\det(\operatorname{diag}(\mathbf u\circ\mathbf v))",
        SQUARE,
    ),
    (r"\det(AB)=\det(A)\det(B)", ["A, B: 6 x 6"]),
    (r"\det(c\det(A)B)=c^n\det(A)^n\det(B)", SQUARE),
    (r"\det(ABA^{-1}B^{-1})=1", SQUARE),
    (r"\det(A^HA)=\det(A)\overline{\det(A)}", SQUARE),
    (r"\det(A)^2B=\det(A^2)B", SQUARE),
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
    (r"\det(cA)=c^{n+1}\det(A)", SQUARE, 1),
    (r"\det(AA^T)=\det(A)", SQUARE, 1),
    (r"\det(A-B)=\det(B-A)", SQUARE, 1),
    (r"\det(I+A)=1+\det(A)", SQUARE, 2),
    (r"\det(I+A)=1+\operatorname{tr}(A)", SQUARE, 2),
    (r"\det(\lambda I+\mathbf u\mathbf v^T)=\lambda^n+\mathbf v^T\mathbf u", SQUARE, 2),
    (r"\det(A\otimes A)=\det(A)^2", SQUARE, 2),
    (r"\det\begin{bmatrix}A&B\\B&A\end{bmatrix}=\det(A)^2-\det(B)^2", SQUARE, 2),
    (r"\det(P^{-1}AP)=\det(P)", SQUARE, 1),
    (r"\det(A^2-B^2)=\det(A-B)\det(A+B)", SQUARE, 2),
    (r"\det\begin{bmatrix}A&B\\C&D\end{bmatrix}=\det(AD-BC)", SQUARE, 2),
    (r"\det\begin{bmatrix}0&B\\C&D\end{bmatrix}=-\det(B)\det(C)", SQUARE, 2),
    (r"\det(A\circ B)=\det(A)\det(B)", SQUARE, 2),
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


# --- random statements ----------------------------------------------------------------------------------------

SIZES = [{"n": n, "m": m, "k": 2} for n, m in itertools.product((1, 2, 3), (1, 2))]


def holds(statement: Statement, seed: int) -> bool | None:
    """Whether both sides agree at small sizes; None when they have no value."""
    seen = None
    for sizes in SIZES:
        try:
            seen = agree(statement, sizes, Values(seed)) and seen is not False
        except Undefined:
            continue
    return seen


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_random_statements(seed: int) -> None:
    maker, counts = Maker(seed), Counter[tuple[str, bool]]()
    for place in range(COUNT // 3):
        statement, how = maker.statement()
        proof = decide_determinants(statement, deadline=time.monotonic() + 20)
        truth = holds(statement, place)
        if how == "true":
            assert truth is not False, f"the maker is wrong: {statement}"
        if proof is not None:
            assert truth is not False, f"proved, and false: {statement} by {proof.axioms}"
            assert (proof.theorem.lhs, proof.theorem.rhs) == (statement.lhs, statement.rhs)
            assert proof.theorem.hypotheses <= theory.existence(statement)
            listed = {(name, axiom.lhs, axiom.rhs) for name, axiom in theory.AXIOMS.items()}
            assert proof.theorem.axioms <= listed
        if truth and statement.lhs is not statement.rhs and applies(statement):
            counts[how, proof is not None] += 1
    # What is true by these laws is proved, and enough of it was drawn.
    assert counts["true", True] > 0.95 * (counts["true", True] + counts["true", False])
    assert counts["true", True] > COUNT // 3 // 4


def test_random_verdicts() -> None:
    maker, kinds = Maker(7), Counter[str]()
    for place in range(COUNT // 5):
        statement, how = maker.statement()
        verdict = decide(statement, budget=1.0)
        kinds[verdict.kind] += 1
        if verdict.kind == "proved":
            assert holds(statement, place) is not False, statement
        if verdict.kind == "refuted":
            assert how != "true", statement
            found = verdict.counterexample
            assert found is not None
            assert not agree(statement, found.sizes, Values(0, found.values)), statement
    assert kinds["proved"] > COUNT // 20
    assert kinds["refuted"] > COUNT // 20


def test_the_values_see_a_false_statement() -> None:
    A, B = c.symbol("A", "n", "n"), c.symbol("B", "n", "n")
    assert holds(Statement(c.determinant(A + B), c.determinant(A) + c.determinant(B)), 0) is False
    assert holds(Statement(c.determinant(A @ B), c.determinant(A) * c.determinant(B)), 0) is True


# --- the theory itself ----------------------------------------------------------------------------------------


CONDITIONAL = {"mulmx1C", "real_gram", "complex_gram"}
"""Axioms whose hypotheses random values do not satisfy."""


def test_conditional_axioms_at_values_that_satisfy_them() -> None:
    source = random.Random(3)
    for name in sorted(CONDITIONAL):
        axiom = theory.AXIOMS[name]
        ((lhs, rhs),) = axiom.hypotheses
        met = 0
        for _ in range(400):
            sizes = {"m": source.randint(1, 3), "n": source.randint(1, 2)}
            values = {}
            for letter in (theory.A, theory.B, theory.P):
                rows, cols = (sizes[str(dim)] for dim in letter.shape)
                choices = (0, 0, 0, 1, -1)
                values[letter] = tuple(
                    tuple(Fraction(source.choice(choices)) for _ in range(cols)) for _ in range(rows)
                )
            if evaluate(lhs, values, sizes) == evaluate(rhs, values, sizes):
                met += 1
                assert evaluate(axiom.lhs, values, sizes) == evaluate(axiom.rhs, values, sizes), (
                    name,
                    values,
                )
        assert met > 3


@pytest.mark.parametrize("name", sorted(theory.AXIOMS.keys() - CONDITIONAL))
def test_every_axiom_is_true_at_small_sizes(name: str) -> None:
    axiom = theory.AXIOMS[name]
    statement = Statement(axiom.lhs, axiom.rhs)
    for m, n, j, k in itertools.product((1, 2, 3), repeat=4):
        for seed in (1, 2):
            assert agree(statement, {"m": m, "n": n, "j": j, "k": k}, Values(seed)), (m, n, j, k)


@pytest.mark.parametrize("name", sorted(theory.AXIOMS))
def test_every_axiom_is_listed_as_it_stands(name: str) -> None:
    axiom = theory.AXIOMS[name]
    assert axiom.source
    assert axiom.reason
    assert theory.is_listed(name, axiom.lhs, axiom.rhs, axiom.hypotheses)
    assert not theory.is_listed(name, axiom.lhs, c.number(7), axiom.hypotheses)
    assert not theory.is_listed(name + "x", axiom.lhs, axiom.rhs, axiom.hypotheses)
    if axiom.hypotheses:
        assert not theory.is_listed(name, axiom.lhs, axiom.rhs)


@pytest.mark.parametrize("name", sorted(theory.AXIOMS))
def test_the_page_states_the_axiom(name: str) -> None:
    page = (Path(__file__).parents[2] / "docs" / "theory.md").read_text(encoding="utf-8")
    axiom = theory.AXIOMS[name]
    hypotheses = ", ".join(f"${latex(lhs)}={latex(rhs)}$" for lhs, rhs in axiom.hypotheses)
    cells = (
        f"`{name}`",
        f"${latex(axiom.lhs)}={latex(axiom.rhs)}$",
        axiom.conditions,
        hypotheses,
        axiom.source,
    )
    assert f"| {' | '.join(cells)} |\n" in page


def test_an_exponent_that_may_be_negative_is_left_alone() -> None:
    x = c.symbol("x", 1)
    n, two = Dim.of("n"), Dim.of(2)
    assert decide_determinants((x ** (n - two) * x**two).eq(x**n)) is None
    with pytest.raises(ProofError):
        kernel.instantiate(theory.theorem("exprD"), {theory.LETTERS["x"]: x}, {"j": n - 1, "k": Dim.of(3)})


def test_a_division_is_not_used_unless_the_statement_makes_it() -> None:
    A = c.symbol("A", "n", "n")
    proof = decide_determinants((c.determinant(A.inv) * c.determinant(A)).eq(c.number(1)))
    assert proof is not None
    assert {str(lhs) for lhs, _ in proof.theorem.hypotheses} <= {"AA^{-1}", "A^{-1}A"}
    x = c.symbol("x", 1)
    proof = decide_determinants((c.determinant(A) * x / x).eq(c.determinant(A)))
    assert proof is not None
    assert [str(one) for one in proof.hypotheses] == [r"x \ne 0"]


def test_a_sum_from_zero_is_left_alone() -> None:
    # 0^k is 0 for k ≥ 1 only, and the sum begins with 0^0 = 1.
    k = Dim.of("k")
    sum_from_0 = c.sum_over("k", 0, "n", c.power(c.number(0), k))
    assert decide_determinants(sum_from_0.eq(c.number(0))) is None
    sum_from_1 = c.sum_over("k", 1, "n", c.power(c.number(0), k))
    assert decide_determinants(sum_from_1.eq(c.number(0))) is not None


@pytest.mark.parametrize(
    ("term", "shown"),
    [
        (c.number(-1) ** Dim.of("2n"), "1"),
        (c.number(-1) ** Dim.of("n n"), "(-1)^n"),
        (c.number(4) ** "n", "2^{2n}"),
        (c.number(Dim.of(2).constant or 0) ** Dim.of("n+1"), "2(2^n)"),
        (c.number(0) ** "n", "0"),
        (c.symbol("x", 1) ** "n" * c.symbol("x", 1), "x^{n + 1}"),
        ((-c.symbol("x", 1)) ** "n", "(-1)^nx^n"),
    ],
)
def test_powers(term: Term, shown: str) -> None:
    normal = Powers().normal(term)
    assert normal.known.lhs is term
    assert str(normal.shown()) == shown
    assert by_entries(normal.known.rhs, normal.shown()) is not None
