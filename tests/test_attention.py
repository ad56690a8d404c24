"""Statements on attention: theorems of the kernel with their axioms listed, and true of numbers by NumPy."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symlin import attention
from symlin.construct import symbol
from symlin.errors import ProofError
from symlin.kernel import is_theorem
from symlin.statement import Statement
from symlin.term import Term

FACTS = {fact.name: fact for fact in attention.facts()}
AXIOM_NAMES = {*attention.AXIOMS, "mulmx1C"}


def value(term: Term, env: dict[str, np.ndarray], at: dict[str, int]) -> np.ndarray:
    """A Term at floating values: an evaluator that shares nothing with symlin's own."""

    def size(dim: object) -> int:
        return at[str(dim)] if str(dim) in at else int(str(dim))

    def of(one: Term) -> np.ndarray:
        return value(one, env, at)

    args, data = term.args, term.data
    match term.op:
        case "symbol":
            return env[str(data[0])]
        case "number":
            return np.array([[float(data[0])]])
        case "identity":
            return np.eye(size(data[0]))
        case "ones":
            return np.ones((size(data[0]), size(data[1])))
        case "matmul":
            return np.linalg.multi_dot([of(a) for a in args]) if len(args) > 1 else of(args[0])
        case "add":
            return sum((of(a) for a in args[1:]), of(args[0]))
        case "scale":
            return of(args[0])[0, 0] * of(args[1])
        case "divide":
            return of(args[0]) / of(args[1])[0, 0]
        case "transpose":
            return of(args[0]).T
        case "inverse":
            return np.linalg.inv(of(args[0]))
        case "diag":
            return np.diag(of(args[0])[:, 0])
        case "hadamard":
            return of(args[0]) * of(args[1])
        case "dot":
            return of(args[0]).T @ of(args[1])
        case "entry":
            i, j = size(data[0]), size(data[1])
            return of(args[0])[i - 1 : i, j - 1 : j]
        case "row":
            return of(args[0])[size(data[0]) - 1 : size(data[0]), :]
        case "column":
            return of(args[0])[:, size(data[0]) - 1 : size(data[0])]
        case "rows":
            return np.vstack([of(a) for a in args])
        case "columns":
            return np.hstack([of(a) for a in args])
        case "block":
            height, width = data
            return np.block([[of(args[i * width + j]) for j in range(width)] for i in range(height)])
        case "sum":
            index, lo, hi = data
            return sum(value(args[0], env, {**at, index: k}) for k in range(size(lo), size(hi) + 1))
        case "entrywise":
            assert data[0] == "exp"
            return np.exp(of(args[0]))
        case "row_softmax":
            top = np.exp(of(args[0]))
            return top / top.sum(axis=1, keepdims=True)
    raise AssertionError(term.op)


def environment(seed: int, at: dict[str, int]) -> dict[str, np.ndarray]:
    source = np.random.default_rng(seed)
    big, other, d, r, s = (at[name] for name in ("L", "M", "d", "r", "s"))
    shapes = {
        "X": (big, d), "Y": (other, d), "W_Q": (d, r), "W_K": (d, r), "W_V": (d, s), "Q": (big, r), "K": (big, r),
        "V": (big, s), "S": (big, big), "A_1": (big, big), "A_2": (big, big), "V_1": (big, s), "V_2": (big, s),
        "O_1": (s, d), "O_2": (s, d), "Q_1": (big, r), "Q_2": (big, r),
    }  # fmt: skip
    env = {name: source.normal(size=shape) for name, shape in shapes.items()}
    weights = source.random((big, big)) + 0.1
    env[r"A_{\mathrm{att}}"] = weights / weights.sum(axis=1, keepdims=True)
    env["P"] = np.eye(big)[source.permutation(big)]
    env["t"] = np.array([[np.sqrt(r)]])
    mask = (source.random((big, big)) < 0.5).astype(float)
    mask[:, 0] = 1
    env["M"] = mask
    return env


@pytest.mark.parametrize("name", sorted(FACTS))
@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10**6), sizes=st.tuples(*[st.integers(1, 5)] * 5))
def test_every_fact_is_true_of_numbers(name: str, seed: int, sizes: tuple[int, ...]) -> None:
    fact = FACTS[name]
    at = dict(zip(("L", "M", "d", "r", "s"), sizes, strict=True))
    env = environment(seed, at)
    source = np.random.default_rng(seed)
    at |= {"i": int(source.integers(1, at["L"] + 1)), "j": int(source.integers(1, at["L"] + 1))}
    env["c"] = source.normal(size=(at["s"] if name == "constants are kept" else at["L"], 1))
    if name == "masked out":
        env["M"][at["i"] - 1] = 1
        if at["L"] == 1:
            return
        env["M"][at["i"] - 1, at["j"] - 1] = 0
    assert len(fact.theorem.hypotheses) < 4
    for one in fact.statement.hypotheses:
        assert np.allclose(value(one.lhs, env, at), value(one.rhs, env, at))
    assert np.allclose(value(fact.theorem.lhs, env, at), value(fact.theorem.rhs, env, at))


@pytest.mark.parametrize("name", sorted(FACTS))
def test_every_fact_is_a_theorem_that_trusts_no_computation(name: str) -> None:
    theorem = FACTS[name].theorem
    assert is_theorem(theorem)
    assert not theorem.trusted
    assert {axiom for axiom, *_ in theorem.axioms} <= AXIOM_NAMES


def test_what_the_softmax_facts_rest_on() -> None:
    assert FACTS["softmax rows"].axioms == ("mulmx1C", "real_exp_pos", "real_softmax_def")
    assert FACTS["softmax shift"].axioms == ("mulmx1C", "real_expD", "real_exp_pos", "real_softmax_def")
    assert not FACTS["softmax rows"].theorem.hypotheses
    assert FACTS["weights sum to 1"].theorem.hypotheses == {attention.WEIGHTS}
    assert FACTS["outputs as columns"].carried == (attention.NONNEGATIVE,)


@pytest.mark.parametrize("name", sorted(attention.AXIOMS))
@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10**6), m=st.integers(1, 4), n=st.integers(1, 4))
def test_every_axiom_is_true_of_numbers(name: str, seed: int, m: int, n: int) -> None:
    axiom = attention.AXIOMS[name]
    source = np.random.default_rng(seed)
    rows = n if axiom.hypotheses else m
    env = {
        "S": source.normal(size=(rows, n)),
        "c": source.normal(size=(m, 1)),
        "v": source.normal(size=(n, 1)),
    }
    env["P"] = np.eye(n)[source.permutation(n)]
    at = {"m": m, "n": n}
    for lhs, rhs in ((axiom.lhs, axiom.rhs), *axiom.hypotheses):
        assert np.allclose(value(lhs, env, at), value(rhs, env, at))


def test_what_is_false_has_no_proof() -> None:
    scores, other = symbol("S", "L", "L"), symbol("T", "L", "L")
    false = Statement(attention.exp(scores + other), attention.exp(scores) @ attention.exp(other))
    with pytest.raises(ProofError, match="no proof of"):
        attention.from_lemmas(false)


def test_the_page_shows_every_fact_as_it_is() -> None:
    page = (Path(__file__).parents[1] / "docs" / "attention.md").read_text(encoding="utf-8")
    assert "\n".join(map(str, FACTS.values())) in page
