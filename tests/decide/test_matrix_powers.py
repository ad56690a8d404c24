"""Powers of matrices with a symbolic exponent: what is proved, with which facts, and that nothing false is."""

from __future__ import annotations

import random
import sys
import time
from pathlib import Path

import pytest

from symlin import construct as c
from symlin import prove
from symlin.decide.determinants import applies, decide_determinants
from symlin.dims import Dim
from symlin.kernel import is_theorem
from symlin.statement import Statement
from symlin.term import Term, make, substitute

sys.path.insert(0, str(Path(__file__).parent))
from determinant_values import Values, agree

WHERE = ["X, Y, P: n x n", "c: scalar", "u: n"]

PROVED = [
    r"X^pX^q=X^{p+q}",
    r"(X^p)^q=X^{pq}",
    r"X^nX=XX^n",
    r"X^pX^qX=X^{q+1}X^p",
    r"(X^n)^T=(X^T)^n",
    r"(X^n)^H=(X^H)^n",
    r"(X^pY)^T=Y^T(X^T)^p",
    r"X^p(X^q+X)=X^{p+q}+X^{p+1}",
    r"X^{n+1}-X^n=X^n(X-I)",
    r"(cX)^n=c^nX^n",
    r"(-X)^n=(-1)^nX^n",
    r"(\frac12(X+X^T))^n=\frac1{2^n}(X+X^T)^n",
    r"I^n=I",
    r"X(YX)^n=(XY)^nX",
    r"X(YX)^nY=(XY)^{n+1}",
    r"(PXP^{-1})^n=PX^nP^{-1}",
    r"(P^{-1}XP)^n=P^{-1}X^nP",
    r"\operatorname{tr}(X^pX^q)=\operatorname{tr}(X^{q+p})",
    r"\mathbf u^TX^pX^2\mathbf u=\mathbf u^TX^{p+2}\mathbf u",
    r"\det(X^pX^q)=\det(X)^{p+q}",
    r"c^pc^q=c^{p+q}",
]


@pytest.mark.parametrize("statement", PROVED)
def test_proved(statement: str) -> None:
    proof = prove(statement, where=WHERE).decisive.proof
    assert proof is not None
    assert is_theorem(proof.theorem)
    assert proof.trusted == ()


@pytest.mark.parametrize(
    "statement",
    [r"(XY)^n=X^nY^n", r"(I+X)^n=I+nX", r"X^p+X^q=X^{p+q}", r"(X^p)^q=X^{p+q}", r"(cX)^n=cX^n"],
)
def test_refuted(statement: str) -> None:
    assert prove(statement, where=WHERE).verdict == "refuted"


def test_a_power_that_may_be_negative_is_left_alone() -> None:
    X = c.symbol("X", "n", "n")
    p = Dim.of("p")
    statement = Statement(c.matmul(c.power(X, p - 2), X, X), c.power(X, p))
    assert decide_determinants(statement) is None


# --- random products ------------------------------------------------------------------------------------------

N = Dim.of("n")
LETTERS = [c.symbol(name, N, N) for name in "XY"]
EXPONENTS = [Dim.of(text) for text in ("p", "q", "p+1", "p+q", "2p")]


class Maker:
    """Products and sums of powers, and laws that rewrite them."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def term(self, depth: int) -> Term:
        r = self.random
        if depth == 0:
            return r.choice(LETTERS)
        kind = r.randrange(6)
        if kind < 2:
            return c.power(self.term(depth - 1), r.choice(EXPONENTS))
        if kind < 4:
            return c.matmul(self.term(depth - 1), self.term(depth - 1))
        if kind == 4:
            return self.term(depth - 1) + self.term(depth - 1)
        return r.choice([c.transpose, c.adjoint, c.neg])(self.term(depth - 1))

    def rewritten(self, t: Term) -> Term:
        """The same value, written otherwise."""
        r = self.random
        if t.op == "power" and r.random() < 0.5:
            (e,) = t.data
            (base,) = t.args
            choice = r.randrange(3)
            if choice == 0:
                return c.matmul(base, c.power(base, e - 1)) if e not in EXPONENTS[:2] else t
            if choice == 1 and e == EXPONENTS[3]:
                return c.matmul(c.power(base, "q"), c.power(base, "p"))
            return c.power(c.power(base, "p"), 2) if e == EXPONENTS[4] else c.power(self.rewritten(base), e)
        if t.op == "matmul" and t.args[0] is t.args[1]:
            return c.power(t.args[0], 2)
        if t.op == "add":
            return c.add(*(self.rewritten(arg) for arg in reversed(t.args)))
        if t.op in ("matmul", "neg", "transpose", "adjoint"):
            return make(t.op, *map(self.rewritten, t.args), data=t.data)
        return t

    def statement(self) -> tuple[Statement, bool]:
        lhs = self.term(3)
        if self.random.random() < 0.5:
            return Statement(lhs, self.rewritten(self.rewritten(lhs))), True
        other = substitute(lhs, {}, {"p": Dim.of("q")}) if self.random.random() < 0.3 else self.term(3)
        return Statement(lhs, other), False


@pytest.mark.parametrize("seed", [1, 2])
def test_random_products(seed: int) -> None:
    maker, proved, true = Maker(seed), 0, 0
    for place in range(100):
        statement, by_law = maker.statement()
        sizes = [{"n": n, "p": p, "q": q} for n, p, q in ((1, 1, 2), (2, 1, 1), (2, 2, 1), (3, 2, 3))]
        truth = all(agree(statement, one, Values(place)) for one in sizes)
        assert truth or not by_law, f"the maker is wrong: {statement}"
        proof = decide_determinants(statement, deadline=time.monotonic() + 5)
        assert truth or proof is None, f"proved, and false: {statement} by {proof and proof.axioms}"
        if by_law and statement.lhs is not statement.rhs and applies(statement):
            true += 1
            proved += proof is not None
    assert true > 15
    assert proved > 0.9 * true, (proved, true)
