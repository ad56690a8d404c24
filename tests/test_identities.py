"""Identities and near-identities of matrix algebra, each decided as the truth is.

The list beside this file is our own (commutators, vec and Kronecker products, diagonal scalings, determinants, block
products, attention, traps at sizes 1 and 2); the shared benchmark is read where it is present.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from symlin import prove
from symlin.errors import SymlinError
from symlin.kernel import is_theorem
from symlin.proof_file import store, verify

OWN = Path(__file__).with_name("identities.jsonl")
WITHOUT_HYPOTHESES = frozenset({"det", "explicit", "ring", "entries", "kron", "block"})
CLASSES = WITHOUT_HYPOTHESES | {"inverse", "pinv", "given"}


def rows(path: Path) -> list[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def decided_as_it_is(row: dict[str, Any]) -> None:
    result = prove(row["statement"], where=row["where"], given=row["given"])
    assert result.verdict == ("proved" if row["truth"] else "refuted"), result.reason
    if row["truth"]:
        for verdict in result.verdicts:
            assert verdict.proof is not None
            assert is_theorem(verdict.proof.theorem)
        stored = store(row["statement"], result.verdicts, where=row["where"], given=row["given"])
        assert verify(json.dumps(stored)).source == row["statement"]
    else:
        found = result.counterexample
        assert found is not None
        row_, column = found.place
        assert found.lhs[row_ - 1][column - 1] != found.rhs[row_ - 1][column - 1]


@pytest.mark.parametrize("row", rows(OWN), ids=lambda row: f"{row['cls']}: {row['statement']}")
def test_own(row: dict[str, Any]) -> None:
    decided_as_it_is(row)


def test_own_list_covers_each_class_both_ways() -> None:
    kinds = {(row["cls"], row["truth"]) for row in rows(OWN)}
    assert kinds >= {(cls, truth) for cls in WITHOUT_HYPOTHESES for truth in (True, False)}


def test_shared(shared: Path) -> None:
    wrong = []
    for row in rows(shared / "bench" / "identities.jsonl"):
        if row["cls"] not in CLASSES:
            continue
        try:
            decided_as_it_is(row)
        except (AssertionError, SymlinError) as error:
            wrong.append(f"{row['id']}: {row['statement']}: {error}")
    assert not wrong, "\n".join(wrong)
