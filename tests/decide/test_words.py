"""The normal form in words, and the derivations made of named rules."""

from __future__ import annotations

from fractions import Fraction
from time import perf_counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from symlin import construct as c
from symlin.decide import rules
from symlin.decide.verdict import Step
from symlin.decide.words import Alphabet, Expansion, decide_words, same_words
from symlin.errors import BudgetError, ProofError
from symlin.statement import Statement
from symlin.term import Term

A, B, C = c.symbol("A", "m", "n"), c.symbol("B", "n", "k"), c.symbol("C", "k", "l")
D = c.symbol("D", "m", "n")
P, Q, R = (c.symbol(name, "n", "n") for name in "PQR")
I = c.identity("n")  # noqa: E741
r, s = c.symbol("r", 1), c.symbol("s", 1)
u, v, w = (c.symbol(name, "n", 1, "bold") for name in "uvw")
half = c.number(Fraction(1, 2))


def commutator(left: Term, right: Term) -> Term:
    return left @ right - right @ left


TRUE = {
    "associativity": (A @ (B @ C), (A @ B) @ C),
    "distributivity on the left": ((A + D) @ B, A @ B + D @ B),
    "distributivity on the right": (P @ (Q + R), P @ Q + P @ R),
    "a scalar moves": (A @ (r * B), (r * A) @ B),
    "transpose of a product": ((A @ B).T, B.T @ A.T),
    "square of a sum": ((P + Q) ** 2, P**2 + P @ Q + Q @ P + Q**2),
    "gram matrix": ((A.T @ A).T, A.T @ A),
    "symmetric and skew part": (P, half * (P + P.T) + half * (P - P.T)),
    "geometric sum": ((I - P) @ (I + P + P**2 + P**3), I - P**4),
    "jacobi": (
        commutator(P, commutator(Q, R)) + commutator(Q, commutator(R, P)) + commutator(R, commutator(P, Q)),
        c.zero("n", "n"),
    ),
    "symbolic powers": (P ** "p" @ P ** "q", P ** "p+q"),
    "a symbolic power and one more": (P ** "p" @ P, P ** "p+1"),
    "power of a power": ((P ** "p") ** "q", P ** "pq"),
    "power of a transpose": ((P ** "p").T, P.T ** "p"),
    "power of a sum, written in two ways": ((P + Q) ** "p", (Q + P) ** "p"),
    "quadratic form": (u.T @ P @ v, v.T @ P.T @ u),
    "outer product applied": ((u @ v.T) @ w, c.dot(v, w) * u),
    "scalars commute": (c.dot(u, v) * (c.dot(v, w) * P), c.dot(w, v) * (c.dot(v, u) * P)),
    "scalar polynomials": ((r + s) * (r - s) * P, r * (r * P) - s * (s * P)),
    "a quotient": ((P + Q) / r, P / r + Q / r),
    "a quotient cancels": (r * (P / r), P),
    "inverse of a product": ((P @ Q).inv, Q.inv @ P.inv),
    "similar powers": ((Q.inv @ P @ Q) ** 3, Q.inv @ P**3 @ Q),
    "inverse of a transpose": ((P.inv).T, P.T.inv),
    "adjoint of a product": ((A @ B).H, B.H @ A.H),
    "conjugate of a scalar": (c.conjugate(r * A), c.conjugate(r) * c.conjugate(A)),
    "sum inside a trace": (c.trace(P + Q), c.trace(Q + P)),
    "a size is a scalar": (c.size("n") * P + P, c.size("n+1") * P),
}
FALSE = {
    "commutativity": (P @ Q, Q @ P),
    "transpose in the same order": ((P @ Q).T, P.T @ Q.T),
    "binomial": ((P + Q) ** 2, P**2 + 2 * (P @ Q) + Q**2),
    "transpose dropped": (P.T, P),
    "conjugate dropped": (P.H, P.T),
    "inverse in the same order": ((P @ Q).inv, P.inv @ Q.inv),
    "power of a product": ((P @ Q) ** "p", P ** "p" @ Q ** "p"),
    "powers that differ": (P ** "p", P ** "q"),
    "outer and inner": (u @ v.T @ P, P @ u @ v.T),
    "double": (P + P, P),
    "traces of identities of different sizes": (c.trace(c.identity(2)), c.trace(c.identity(3))),
    "powers of different sums": ((P + Q) ** "p", (P - Q) ** "p"),
}


@pytest.mark.parametrize("name", TRUE)
def test_true_identities_have_one_normal_form(name: str) -> None:
    lhs, rhs = TRUE[name]
    found = decide_words(lhs.eq(rhs))
    assert found.equal
    assert found.proof is not None
    assert found.proof.engine == "words"


@pytest.mark.parametrize("name", FALSE)
def test_false_identities_have_two_normal_forms(name: str) -> None:
    lhs, rhs = FALSE[name]
    assert not decide_words(lhs.eq(rhs)).equal


def test_complete_only_for_free_sizes_and_letters_that_are_symbols() -> None:
    assert decide_words((P @ Q).eq(Q @ P)).complete
    assert decide_words((u.T @ v).eq(u.T @ u)).complete
    X, Y = c.symbol("X", 2, 2), c.symbol("Y", 2, 2)
    assert not decide_words((X @ Y).eq(Y @ X)).complete
    assert not decide_words(c.trace(P @ Q).eq(c.trace(Q @ P))).complete


def test_inverses_and_quotients_are_assumptions() -> None:
    proof = decide_words((P @ Q).inv.eq(Q.inv @ P.inv)).proof
    assert proof is not None
    assert [one.lhs for one in proof.hypotheses] == [c.determinant(P @ Q), c.determinant(Q), c.determinant(P)]
    assert all(one.relation == r"\ne" for one in proof.hypotheses)
    quotient = decide_words((r * (P / r)).eq(P)).proof
    assert quotient is not None
    assert [one.lhs for one in quotient.hypotheses] == [r]


def test_expansion_of_fourteen_sums_is_flat() -> None:
    product = c.matmul(*[P + Q] * 14)
    start = perf_counter()
    words = Expansion(Alphabet(False)).of(product)
    assert len(words) == 2**14
    assert perf_counter() - start < 0.5


def test_too_many_words_is_a_budget() -> None:
    with pytest.raises(BudgetError, match="more than 200000 words"):
        decide_words(c.matmul(*[P + Q] * 20).eq(P**20))


def test_long_products_and_deep_terms() -> None:
    assert decide_words(c.matmul(*[P] * 200).eq(P**200)).equal
    deep = P
    for _ in range(3_000):
        deep = c.transpose(deep)
    assert decide_words(deep.eq(P)).equal


# --- derivations ----------------------------------------------------------------------------------------------


def names(steps: tuple[Step, ...]) -> list[str]:
    return [step.rule for step in steps]


def test_the_steps_of_a_gram_matrix() -> None:
    proof = decide_words((A.T @ A).T.eq(A.T @ A)).proof
    assert proof is not None
    assert names(proof.left) == ["trmx_mul", "trmxK"]
    assert proof.right == ()
    first = proof.left[0]
    assert (first.before, first.after) == ((A.T @ A).T, A.T @ A.T.T)
    assert first.reason == "the transpose of a product is the product of the transposes in reverse order"


def test_the_steps_of_the_square_of_a_sum() -> None:
    proof = decide_words(((P + Q) ** 2).eq(P**2 + P @ Q + Q @ P + Q**2)).proof
    assert proof is not None
    assert names(proof.left) == ["exprS", "mulmxDl", "mulmxDr", "addrA"]
    assert names(proof.right)[0] == "exprS"
    assert proof.certificate == "expand"
    assert (proof.left[-1].after) is (proof.right[-1].after)


@pytest.mark.parametrize(
    "name",
    [
        "associativity",
        "distributivity on the left",
        "distributivity on the right",
        "a scalar moves",
        "transpose of a product",
    ],
)
def test_a_basic_law_is_flagged(name: str) -> None:
    lhs, rhs = TRUE[name]
    proof = decide_words(lhs.eq(rhs)).proof
    assert proof is not None
    assert proof.steps.law and not proof.left and not proof.right


STEPPED = [
    "associativity",
    "distributivity on the left",
    "distributivity on the right",
    "a scalar moves",
    "transpose of a product",
    "square of a sum",
    "gram matrix",
    "symmetric and skew part",
    "geometric sum",
    "power of a transpose",
    "quadratic form",
    "scalar polynomials",
]


@pytest.mark.parametrize("name", STEPPED)
def test_every_derivation_connects(name: str) -> None:
    lhs, rhs = TRUE[name]
    found = rules.derivation(lhs.eq(rhs))
    assert found is not None
    rules.check_derivation(lhs.eq(rhs), found)


def test_a_wrong_step_is_found() -> None:
    wrong = rules.Derivation((Step(P @ Q, Q @ P, "mulmxC", "products commute"),), (), "expand")
    with pytest.raises(ProofError, match="the step mulmxC does not follow"):
        rules.check_derivation((P @ Q).eq(Q @ P), wrong)
    broken = rules.Derivation((), (), "expand")
    with pytest.raises(ProofError, match="do not meet"):
        rules.check_derivation((P @ Q).eq(Q @ P), broken)


def test_large_statements_get_no_steps() -> None:
    big = Statement(c.matmul(*[P + Q] * 12), c.matmul(*[Q + P] * 12))
    proof = decide_words(big).proof
    assert proof is not None
    assert proof.left == proof.right == ()


letters = st.sampled_from((P, Q, R, I, r * P, P.T))
terms = st.recursive(
    letters,
    lambda inner: st.one_of(
        st.builds(lambda a, b: a + b, inner, inner),
        st.builds(lambda a, b: a @ b, inner, inner),
        st.builds(lambda a: a.T, inner),
        st.builds(lambda a: -a, inner),
        st.builds(lambda a: c.scale(half, a), inner),
    ),
    max_leaves=6,
)


@given(terms)
def test_normalising_keeps_the_value(term: Term) -> None:
    steps = rules.normalise(term)
    if steps:
        assert steps[0].before is term
        for step in steps:
            assert same_words(step.before, step.after)


@given(terms, terms, terms)
def test_ring_laws(a: Term, b: Term, d: Term) -> None:
    assert same_words(a @ (b + d), a @ b + a @ d)
    assert same_words((a + b) @ d, a @ d + b @ d)
    assert same_words((a @ b) @ d, a @ (b @ d))
    assert same_words((a @ b).T, b.T @ a.T)
    assert same_words(a - a, c.zero("n", "n"))


@given(terms, terms)
def test_a_letter_more_is_another_value(a: Term, b: Term) -> None:
    X = c.symbol("X", "n", "n")
    assert not same_words(a + X, a)
    assert not same_words(X @ a + b, a @ X + b) or same_words(X @ a, a @ X)
