"""The second checker agrees with the kernel on stored proofs and on altered ones."""

from __future__ import annotations

import copy
import importlib.util
import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from symlin import construct as c
from symlin.dims import Dim
from symlin.errors import SymlinError
from symlin.kernel import Theorem
from symlin.proof_file import Script
from symlin.statement import Statement
from test_proof_file import PROVABLE, altered, leaves, stored

REPLAY = Path(__file__).parent.parent / "tools" / "replay.py"
specification = importlib.util.spec_from_file_location("replay", REPLAY)
assert specification is not None and specification.loader is not None
replay = importlib.util.module_from_spec(specification)
specification.loader.exec_module(replay)


def by_entries(statement: Statement) -> dict[str, Any]:
    script = Script()
    number = script.entries(statement)
    fields = {"version": 1, "verdict": "proved", "statement": str(statement), "hypotheses": [], "axioms": []}
    return json.loads(json.dumps({**fields, "trusted": [], "steps": script.steps, "proves": [number]}))


m, n, k = Dim.of("m"), Dim.of("n"), Dim.of("k")
A, B, S, T = c.symbol("A", m, n), c.symbol("B", n, k), c.symbol("S", n, n), c.symbol("T", n, n)
u, v = c.symbol("u", m), c.symbol("v", n)
MORE = [
    (A @ B).eq(c.column_family("j", 1, k, A @ B.column("j"))),
    (A @ B).eq(c.sum_over("l", 1, n, A.column("l") @ B.row("l"))),
    c.kronecker(A, c.kronecker(S, B)).eq(c.kronecker(c.kronecker(A, S), B)),
    c.kronecker(A @ B, B.T @ A.T).eq(c.kronecker(A, B.T) @ c.kronecker(B, A.T)),
    c.vec(A @ S @ B).eq(c.kronecker(B.T, A) @ c.vec(S)),
    c.block([[A, A @ S], [S, T]]).T.eq(c.block([[A.T, S.T], [(A @ S).T, T.T]])),
    c.diag(u).H.eq(c.diag(c.conjugate(u))),
    c.sum_over("l", 2, n, v["l", 1]).eq(c.sum_over("l", 1, n - 1, v[Dim.of("l") + 1, 1])),
    c.row_family("i", 1, m, c.apply("f", 3, A.row("i").T).T).eq(
        c.row_family("j", 1, m, c.apply("f", 3, A.row("j").T).T)
    ),
    ((c.identity(n) - (c.number(1) / c.size(n)) * c.ones(n, n)) @ c.ones(n)).eq(c.zero(n)),
    c.determinant(c.literal([[1, 2], [3, 4]])).eq(c.number(-2)),
    (c.permutation([2, 3, 1]) @ c.permutation([3, 1, 2])).eq(c.identity(3)),
    c.trace(S @ T).eq(c.sum_over("i", 1, n, c.sum_over("j", 1, n, S["i", "j"] @ T["j", "i"]))),
]
PROOFS: list[dict[str, Any]] = []


def proofs() -> list[dict[str, Any]]:
    if not PROOFS:
        PROOFS.extend(proof for proof in (stored(*one) for one in PROVABLE) if not proof["trusted"])
        PROOFS.extend(by_entries(statement) for statement in MORE)
    return PROOFS


def test_axioms_and_their_instances() -> None:
    for source, where in [
        (r"\det(XY)=\det(YX)", ["X, Y: n x n"]),
        (r"\det(cX)=c^n\det(X)", ["X: n x n", "c: scalar"]),
    ]:
        proof = stored(source, where, [])
        assert proof["axioms"] and by_kernel(proof) and by_replay(proof)
        for number, step in enumerate(proof["steps"]):
            if step["rule"] == "instantiate":
                changed = copy.deepcopy(proof)
                changed["steps"][number]["sizes"] = {"n": 0, "k": 0}
                assert by_kernel(changed) is None and by_replay(changed) is None
                changed["steps"][number]["letters"] = [letter[::-1] for letter in step["letters"]]
                assert by_kernel(changed) is None and by_replay(changed) is None
    done = run("-", text=json.dumps(proof))
    assert done.returncode == 0 and "axiom detZ, not proved here: " in done.stdout


def by_kernel(proof: dict[str, Any]) -> list[Theorem] | None:
    script = Script()
    try:
        for step in proof["steps"]:
            script.add(step)
        return [script.theorems[number] for number in proof["proves"]]
    except (SymlinError, KeyError, TypeError, ValueError, IndexError, AttributeError):
        return None


def by_replay(proof: dict[str, Any]) -> list[Any] | None:
    try:
        return list(replay.replay(proof))
    except replay.Refused:
        return None


def test_both_accept_what_is_stored() -> None:
    for proof in proofs():
        one, other = by_kernel(proof), by_replay(proof)
        assert one is not None and other is not None
        assert [len(theorem.hypotheses) for theorem in one] == [len(theorem[2]) for theorem in other]


def agree(seed: int, count: int) -> int:
    draw, accepted = random.Random(seed), 0
    for _ in range(count):
        changed = copy.deepcopy(draw.choice(proofs()))
        path = draw.choice([path for path in leaves(changed["steps"]) if path])
        at = changed["steps"]
        for key in path[:-1]:
            at = at[key]
        at[path[-1]] = altered(at[path[-1]], draw)
        one, other = by_kernel(changed), by_replay(changed)
        assert (one is None) == (other is None), (path, changed)
        accepted += one is not None
    return accepted


@pytest.mark.parametrize("seed", range(10))
def test_both_agree_on_alterations(seed: int) -> None:
    agree(seed, 40)


@pytest.mark.slow
def test_both_agree_on_thousands_of_alterations() -> None:
    assert agree(12345, 10_000) < 2_000


def run(*arguments: str, text: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-I", str(REPLAY), *arguments]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=False)


def test_the_command() -> None:
    proof = stored(*PROVABLE[1])
    done = run("-", text=json.dumps(proof))
    assert done.returncode == 0
    assert done.stdout.splitlines() == [
        "the file states: (AB)^T=B^TA^T",
        "the steps prove, at k by m: transpose(matmul(A, B)) = matmul(transpose(B), transpose(A))",
    ]
    proof["steps"][-1]["labels"] = []
    refused = run("-", text=json.dumps(proof))
    assert refused.returncode == 1 and refused.stdout.startswith("refused: step ")
    assert run("-", text="{}").returncode == 2
    assert run("no such file").returncode == 2


def test_it_shares_no_code() -> None:
    imports = [
        line
        for line in REPLAY.read_text(encoding="utf-8").splitlines()
        if "import " in line and "symlin" in line
    ]
    assert imports == []
