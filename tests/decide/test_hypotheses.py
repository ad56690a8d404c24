"""Statements under hypotheses: proofs that list exactly what they use, and counterexamples that satisfy it."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from symlin import prove
from symlin.decide.numeric import evaluate
from symlin.errors import ProofError
from symlin.kernel import is_theorem
from symlin.proof_file import store, verify

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))
import replay

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
