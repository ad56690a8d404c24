"""No false `proved`, no false `refuted`: random statements against evaluation modulo a prime.

2,000 statements in an ordinary run and 20,000 with SYMLIN_FULL=1; `python tools/soundness.py --count N --seed S`
for more.
"""

from __future__ import annotations

import importlib.util
import os
import random
import sys
from pathlib import Path
from types import ModuleType

import pytest

from symlin import construct as c
from symlin.decide import Proof, Verdict
from symlin.decide.verdict import Counterexample
from symlin.statement import Statement


def load() -> ModuleType:
    """The command, which is no part of the package."""
    path = Path(__file__).parents[2] / "tools" / "soundness.py"
    spec = importlib.util.spec_from_file_location("soundness", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["soundness"] = module
    spec.loader.exec_module(module)
    return module


soundness = load()
COUNT = 20_000 if os.environ.get("SYMLIN_FULL") else 2_000


@pytest.mark.parametrize("seed", [11, 12])
def test_no_wrong_verdict(seed: int) -> None:
    problems: list[str] = []
    counts, errors = soundness.run(COUNT // 2, seed, problems.append)
    assert errors == 0, "\n".join(problems)
    # The answers must be worth something: most true statements proved, most false ones refuted.
    assert counts["true", "proved"] > 0.85 * sum(n for (how, _), n in counts.items() if how == "true")
    assert counts["pair", "refuted"] > 0.85 * sum(n for (how, _), n in counts.items() if how == "pair")


def test_the_judge_sees_wrong_verdicts() -> None:
    P, Q = c.symbol("P", "n", "n"), c.symbol("Q", "n", "n")
    false = Statement(P @ Q, Q @ P)
    judge = random.Random(5)
    assert "fails at" in soundness.wrong(
        false, Verdict("proved", false, proof=Proof(false, "words")), "pair", judge, 20
    )
    one = ((1, 0), (0, 1))
    same = Counterexample({P: one, Q: one}, {"n": 2}, one, one, (1, 1))
    assert "both sides agree" in soundness.wrong(
        false, Verdict("refuted", false, "x", counterexample=same), "pair", judge
    )
    true = Statement(P + Q, Q + P)
    assert "true by construction" in soundness.wrong(true, Verdict("refuted", true, "x"), "true", judge)


def test_rewriting_keeps_the_value_and_damage_mostly_does_not() -> None:
    source = random.Random(3)
    differing = 0
    for _ in range(300):
        statement, how = soundness.random_statement(source)
        sizes, values, bars = soundness.random_values(statement, source)
        try:
            lhs, rhs = (
                soundness.value_of(side, sizes, values, bars) for side in (statement.lhs, statement.rhs)
            )
        except soundness.NoValue:
            continue
        if how == "true":
            assert lhs == rhs
        differing += lhs != rhs
    assert differing > 60
