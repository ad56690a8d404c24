"""Statements under hypotheses: proofs that list exactly what they use, and counterexamples that satisfy it."""

from __future__ import annotations

import json
import os
import random
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import symlin
from symlin import prove
from symlin.decide.numeric import evaluate
from symlin.errors import ProofError, ReadError, ShapeError, UnsupportedError
from symlin.kernel import is_theorem
from symlin.proof_file import store, verify
from symlin.statement import Statement

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))
import replay

CLASSICAL = Path(__file__).parents[2] / "benchmarks" / "classical.jsonl"
PAGE = (Path(__file__).parents[2] / "docs" / "hypotheses.md").read_text(encoding="utf-8")
OWN = Path(__file__).with_name("hypotheses.jsonl")


def rows(path: Path) -> list[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def decided_as_it_is(row: dict[str, Any]) -> None:
    result = prove(row["statement"], where=row["where"], given=row["given"])
    assert result.verdict == ("proved" if row["truth"] else "refuted"), result.reason
    if row["truth"]:
        assert all(is_theorem(verdict.proof.theorem) for verdict in result.verdicts if verdict.proof)
        stored = store(row["statement"], result.verdicts, where=row["where"], given=row["given"])
        text = json.dumps(stored)
        assert verify(text).source == row["statement"]
        assert len(replay.replay(json.loads(text))) == len(result.verdicts)
        by_equations = any("cofactors" in step for step in stored["steps"])
        for place, step in enumerate(stored["steps"]):
            if by_equations and step["rule"] == "assume":
                dropped = json.loads(text)
                dropped["steps"][place] = {"rule": "reflexivity", "terms": step["terms"][:1]}
                with pytest.raises(ProofError):
                    verify(json.dumps(dropped))
    else:
        found = result.counterexample
        assert found is not None
        for one in result.statements[0].hypotheses:
            assert evaluate(one.lhs, found.values, found.sizes) == evaluate(
                one.rhs, found.values, found.sizes
            )
        assert found.lhs != found.rhs


@pytest.mark.parametrize("row", rows(OWN), ids=lambda row: row["statement"])
def test_own(row: dict[str, Any]) -> None:
    decided_as_it_is(row)


def test_shared(shared: Path) -> None:
    for row in rows(shared / "bench" / "identities.jsonl"):
        if row["cls"] in ("inverse", "pinv", "given"):
            decided_as_it_is(row)


def test_random_consequences() -> None:
    import consequences

    asker, kinds = consequences.Asker(11), set()
    for place in range(2_000 if os.environ.get("SYMLIN_FULL") else 150):
        statement, kind = asker.statement()
        verdict, wrong = consequences.check(statement, kind, random.Random(place), 0.5)
        kinds.add((kind, verdict))
        assert not wrong, f"{statement}: {wrong}"
    assert {("true", "proved"), ("altered", "refuted"), ("unrelated", "refuted")} <= kinds


def test_the_random_test_sees_a_false_statement() -> None:
    import consequences

    A, B = consequences.LETTERS["A"], consequences.LETTERS["B"]
    commuting = Statement(A @ B, B @ A)
    found = list(consequences.models(Statement(A, B).given(commuting), random.Random(1)))
    assert any(values[A] != values[B] for values, _ in found)


def test_messages() -> None:
    with pytest.raises(ShapeError, match=r"^A is m×n, but only a square matrix can be symmetric$"):
        prove("A=A", where="A: m x n symmetric")
    with pytest.raises(ReadError, match="'symmetric 2' is no property"):
        prove("A=A", where="A: n x n symmetric 2")
    with pytest.raises(ReadError, match="is no equation"):
        prove("A=A", given="AB")
    with pytest.raises(UnsupportedError, match="a hypothesis must be an equation"):
        prove("A=A", given=r"A\ne B")


def test_hypotheses_without_a_model_refute_nothing() -> None:
    found = prove("A=B", where="A, B: n x n", given=["AB-BA=I", "A=A^2"])
    assert found.verdict == "proved" or found.reason.startswith("the hypotheses may contradict each other")
    found = prove("A=B", where="A, B: n x n", given=["A^2=-I", "A^T=A"])
    assert found.verdict != "refuted"


def test_a_projection_may_or_may_not_be_symmetric() -> None:
    assert prove("P^T=P", where="P: n x n projection").verdict == "unknown"
    assert prove("P^T=P", where="P: n x n idempotent").verdict == "refuted"


def test_terms_with_hypotheses() -> None:
    A, B = symlin.matrix("A", "n", "n"), symlin.matrix("B", "n", "n")
    commuting = (A @ B).eq(B @ A)
    assert prove((A.inv @ B).eq(B @ A.inv), given=commuting).verdict == "proved"
    assert prove((A.inv @ B).eq(B @ A.inv).given(commuting)).verdict == "proved"
    assert prove((A.inv @ B).eq(B @ A.inv), given="AB=BA").verdict == "proved"
    assert prove((A.inv @ B).eq(B @ A.inv)).verdict == "refuted"


def test_a_definition_is_put_in_and_a_fixed_point_is_not() -> None:
    assert prove("P^2=P", where="P: n x n", given="P=P^2").verdict == "proved"
    assert prove("A^T=A", where="A: n x n", given="A=A^T").verdict == "proved"
    assert prove("S^T=S", where="A: m x n", given=["S=A^TA"]).verdict == "proved"


def test_the_budget_is_kept() -> None:
    start = time.monotonic()
    found = prove("AB=BA", where="A, B: n x n", given=["ABA=BAB", "A^2B=BA^2", "ABAB=B^3A"], budget=2)
    assert time.monotonic() - start < 4
    assert found.verdict in ("refuted", "unknown")


def test_the_chain_of_a_proof_names_each_equation() -> None:
    text = prove("A^{-1}B=BA^{-1}", where="A: n x n", given="AB=BA").text()
    assert "A^{-1}B = A^{-1}BAA^{-1}    AA^{-1} = I_n" in text
    assert "= A^{-1}ABA^{-1}    AB = BA" in text
    assert "Used: AB = BA, A^{-1} exists." in text


@pytest.mark.parametrize("row", rows(CLASSICAL), ids=lambda row: row["name"])
def test_classical_results(row: dict[str, Any]) -> None:
    start = time.monotonic()
    decided_as_it_is({**row, "truth": True})
    assert f"${row['statement']}$" in PAGE
    assert time.monotonic() - start < 5


def test_the_page_shows_what_is_printed() -> None:
    text = prove("A^{-1}B=BA^{-1}", where="A, B: n x n", given="AB=BA").text()
    assert text.strip() in PAGE
    text = prove(
        r"(A+UBV)^{-1}=A^{-1}-A^{-1}U(B^{-1}+VA^{-1}U)^{-1}VA^{-1}", where=["A: n x n", "B: m x m"]
    ).text()
    assert text.strip() in PAGE
