"""The picker: which engine answers, what definitions do to a verdict, and the reasons given."""

from __future__ import annotations

from fractions import Fraction
from time import perf_counter

import pytest

from symlin import construct as c
from symlin.decide import Verdict, decide
from symlin.decide.numeric import evaluate
from symlin.kernel import is_theorem
from symlin.statement import Statement
from symlin.term import Term

A, B, C = c.symbol("A", "m", "n"), c.symbol("B", "n", "k"), c.symbol("C", "k", "l")
D = c.symbol("D", "m", "n")
P, Q, R = (c.symbol(name, "n", "n") for name in "PQR")
r = c.symbol("r", 1)
M, N = c.symbol("M", 2, 2), c.symbol("N", 2, 2)
VALUES = [(M, c.literal([[2, 0], [0, 1]])), (N, c.literal([[0, -1], [1, 0]]))]


def kind(
    lhs: Term, rhs: Term, relation: str = "=", definitions: list[tuple[Term, Term]] | None = None
) -> str:
    return verdict(lhs, rhs, relation, definitions).kind


def verdict(
    lhs: Term, rhs: Term, relation: str = "=", definitions: list[tuple[Term, Term]] | None = None
) -> Verdict:
    return decide(Statement(lhs, rhs, relation), definitions=definitions or ())


LAWS = {
    "associativity": (A @ (B @ C), (A @ B) @ C),
    "distributivity on the left": ((A + D) @ B, A @ B + D @ B),
    "distributivity on the right": (P @ (Q + R), P @ Q + P @ R),
    "a scalar moves": (A @ (r * B), (r * A) @ B),
    "transpose of a product": ((A @ B).T, B.T @ A.T),
}


@pytest.mark.parametrize("name", LAWS)
def test_laws_are_proved_for_all_sizes(name: str) -> None:
    found = verdict(*LAWS[name])
    assert found.kind == "proved"
    assert found.reason == ""
    assert found.proof is not None
    assert found.proof.statement == found.statement
    assert found.proof.trusted == ()


def test_refutation_in_a_sentence() -> None:
    found = verdict(P @ Q, Q @ P)
    assert found.kind == "refuted"
    assert found.reason == (
        "it fails for P = [0 1; 0 0], Q = [0 0; 1 0]: entry (1, 1) is 1 on the left and 0 on the right"
    )
    entry = verdict((P @ Q)["i", "j"], (Q @ P)["i", "j"])
    assert entry.reason == (
        "it fails for P = [0 1; 0 0], Q = [0 0; 1 0], i = 1, j = 1: the left side is 1 and the right side 0"
    )
    size = verdict(c.trace(c.identity("n")), c.number(1))
    assert size.reason == "it fails for n = 2: the left side is 2 and the right side 1"


def test_concrete_sizes_are_decided_for_what_they_are() -> None:
    X = [c.symbol(name, 2, 2) for name in "ABC"]
    hall = (X[0] @ X[1] - X[1] @ X[0]) ** 2
    assert kind(hall @ X[2], X[2] @ hall) == "proved"
    Y = [c.symbol(name, "n", "n") for name in "ABC"]
    hall = (Y[0] @ Y[1] - Y[1] @ Y[0]) ** 2
    found = verdict(hall @ Y[2], Y[2] @ hall)
    assert found.kind == "refuted"
    assert found.counterexample is not None
    assert found.counterexample.sizes == {"n": 3}
    assert (
        kind(c.symbol("a", 1, 1) @ c.symbol("b", 1, 1), c.symbol("b", 1, 1) @ c.symbol("a", 1, 1)) == "proved"
    )


# --- definitions ----------------------------------------------------------------------------------------------


def test_what_holds_in_general_is_proved_although_values_are_known() -> None:
    found = verdict((M @ N).T, N.T @ M.T, definitions=VALUES)
    assert found.kind == "proved"
    assert found.used == ()


def test_what_needs_values_holds() -> None:
    found = verdict(N @ M, c.literal([[0, -1], [2, 0]]), definitions=VALUES)
    assert found.kind == "holds"
    assert [one.lhs for one in found.used] == [M, N]
    assert found.statement.lhs is N @ M


def test_what_contradicts_values_is_refuted() -> None:
    found = verdict(N @ M, c.literal([[0, -2], [1, 0]]), definitions=VALUES)
    assert found.kind == "refuted"
    assert found.reason == (
        "NM is [0 -1; 2 0]: its entry (1, 2) is -1, but the right side has -2 (1 more entry differs)"
    )


def test_formulas_are_put_in_before_numbers() -> None:
    X, W = c.symbol("X", "L", "d"), c.symbol("W", "d", "d")
    Qs, Ks, S = (c.symbol(name, "L", cols) for name, cols in (("Q", "d"), ("K", "d"), ("S", "L")))
    definitions = [(Qs, X @ W), (Ks, X), (S, Qs @ Ks.T)]
    found = verdict(S["i", "j"], c.dot(Qs.row("i").T, Ks.row("j").T), definitions=definitions)
    assert found.kind == "proved"
    assert [one.lhs for one in found.used] == [S] or {one.lhs for one in found.used} == {Qs, Ks, S}
    assert kind(S, X @ W @ X.T, definitions=definitions) == "proved"
    wrong = verdict(S, X @ W.T @ X.T, definitions=definitions)
    assert wrong.kind == "refuted"
    assert wrong.counterexample is not None
    values, sizes = wrong.counterexample.values, wrong.counterexample.sizes
    for symbol, value in definitions:
        assert evaluate(value, values, sizes) == values[symbol]


def test_definitions_in_an_unusual_order() -> None:
    S, Qs, Ks = (c.symbol(name, 2, 2) for name in "SQK")
    definitions = [(S, Qs @ Ks.T), (Qs, VALUES[0][1]), (Ks, VALUES[1][1])]
    assert kind(S, c.literal([[0, 2], [-1, 0]]), definitions=definitions) == "holds"
    assert kind(S, c.literal([[0, 2], [1, 0]]), definitions=definitions) == "refuted"
    assert kind(S, c.literal([[0, 2], [-1, 0]]), definitions=definitions[::-1]) == "holds"


def test_entries_left_open() -> None:
    S = c.symbol("S", 2, 2)
    definitions = [(S, c.literal([[1, 2], [S[2, 1], 3]]))]
    assert kind((S @ S)[1, 1], 1 + 2 * S[2, 1], definitions=definitions) == "holds"
    assert kind((S @ S)[1, 1], 1 + 3 * S[2, 1], definitions=definitions) == "refuted"


def test_two_values_for_one_name_refute_nothing() -> None:
    definitions = [(r, c.number(1)), (r, c.number(2))]
    found = verdict(r, c.number(3), definitions=definitions)
    assert (found.kind, found.reason) == ("unknown", "r may have two different values here")
    agreeing = [(r, c.number(2)), (r, c.number(1) + 1)]
    assert kind(r, c.number(3), definitions=agreeing) == "refuted"


def test_a_value_that_does_not_fit() -> None:
    found = verdict(P, P, definitions=[(P, c.literal([[1, 2], [3, 4]]))])
    assert (found.kind, found.reason) == ("unknown", "P is n×n, but its value is 2×2")


# --- relations ------------------------------------------------------------------------------------------------


def test_inequalities() -> None:
    assert kind(M @ N, N @ M, r"\ne", VALUES) == "holds"
    assert kind(P @ Q, Q @ P, r"\ne") == "unknown"
    assert verdict(P + Q, Q + P, r"\ne").reason == "both sides are equal for all values"
    assert kind(P + Q, Q + P, r"\ne") == "refuted"
    assert kind(r, c.number(1), "<") == "unknown"
    assert kind(r, c.number(1), "<", [(r, c.number(Fraction(1, 2)))]) == "holds"


def test_decimals_are_never_proved() -> None:
    half = c.number(Fraction(1, 2), 1)
    found = verdict(half * P + half * P, P)
    assert (found.kind, found.reason) == ("holds", "the decimals were taken as exact")
    third = c.number(Fraction(33, 100), 2)
    assert kind(third * P + third * P + third * P, P) == "unknown"
    assert kind(P + Q, Q + P, r"\approx") == "holds"


def test_hypotheses_are_used() -> None:
    commuting = Statement(P @ Q, Q @ P)
    assert decide(Statement(P + Q, Q + P).given(commuting)).kind == "proved"
    found = decide(Statement(P @ Q @ P, P @ P @ Q).given(commuting))
    assert found.kind == "proved"
    assert found.proof is not None
    assert [str(one) for one in found.proof.hypotheses] == ["PQ = QP"]


def test_unsupported_names_the_construct() -> None:
    x = c.symbol("x", "n", 1)
    found = verdict(c.apply("T", "n", x), x)
    assert (found.kind, found.reason) == ("unsupported", "the map T has no formula here")
    found = verdict(c.row_softmax(P), P)
    assert (found.kind, found.reason) == ("unsupported", "softmax of unknown entries")


def test_divisions_and_inverses_are_listed() -> None:
    found = verdict((P @ Q).inv, Q.inv @ P.inv)
    assert found.proof is not None
    inverses = {node for one in found.proof.hypotheses for node in one.lhs.args if node.op == "inverse"}
    assert inverses == {P.inv, Q.inv, (P @ Q).inv}
    assert frozenset((one.lhs, one.rhs) for one in found.proof.hypotheses) == found.proof.theorem.hypotheses


# --- time -----------------------------------------------------------------------------------------------------


def test_a_small_refutation_is_fast() -> None:
    verdict(P @ Q, Q @ P)
    times = []
    for _ in range(5):
        start = perf_counter()
        verdict(Q @ P, P @ Q)
        times.append(perf_counter() - start)
    assert min(times) < 0.02


def test_the_budget_is_kept() -> None:
    lhs = c.determinant(c.matmul(*[P + Q + R] * 9))
    start = perf_counter()
    found = decide(Statement(lhs, c.determinant(c.matmul(*[P + Q] * 9))), budget=0.5)
    assert perf_counter() - start < 5
    assert found.kind in ("refuted", "unknown")


# --- theorems -------------------------------------------------------------------------------------------------


def test_the_kernel_has_a_theorem_for_what_is_proved() -> None:
    for lhs, rhs in ((P @ (Q + R), P @ Q + P @ R), ((P + Q) ** 2, P**2 + P @ Q + Q @ P + Q**2)):
        proof = verdict(lhs, rhs).proof
        assert proof is not None
        assert is_theorem(proof.theorem)
        assert (proof.theorem.lhs, proof.theorem.rhs) == (lhs, rhs)
        assert proof.trusted == ()


def test_a_theorem_under_definitions_has_them_as_hypotheses() -> None:
    X, S = c.symbol("X", 2, 2), c.symbol("S", 2, 2)
    definitions = [(X, c.literal([[1, 2], [0, 1]])), (S, X @ X.T)]
    for lhs, rhs, used in (
        (S, (X @ X.T).T, definitions[1:]),
        (S, c.literal([[5, 2], [2, 1]]), definitions),
        (c.trace(c.sum_over("t", 1, 2, S)), c.number(12), definitions),
    ):
        found = verdict(lhs, rhs, definitions=definitions)
        assert found.proof is not None
        theorem = found.proof.theorem
        assert is_theorem(theorem)
        assert (theorem.lhs, theorem.rhs) == (lhs, rhs)
        assert theorem.hypotheses == frozenset(used)
        assert [(one.lhs, one.rhs) for one in found.used] == used


def test_roundings_make_no_theorem() -> None:
    found = verdict(c.number(Fraction(1, 3)), c.number(Fraction(33, 100), 2))
    assert found.kind == "holds"
    assert found.proof is not None
    assert found.proof.theorem is None


def test_what_the_kernel_cannot_expand_is_listed_as_trusted() -> None:
    found = verdict((P ** "p").inv, P.inv ** "p")
    assert found.kind == "proved"
    assert found.proof is not None
    assert found.proof.theorem is None
    assert found.proof.trusted == ("words",)


def test_symbolic_exponents_rest_on_a_listed_fact() -> None:
    found = verdict(P ** "p" @ P, P ** "p+1")
    assert found.proof is not None
    assert found.proof.theorem is not None
    assert (found.proof.axioms, found.proof.trusted) == (("expmxD",), ())


def test_deep_statements_do_not_overflow() -> None:
    deep = P
    for _ in range(5_000):
        deep = c.transpose(deep)
    assert verdict(deep, P).kind in ("proved", "unknown")
