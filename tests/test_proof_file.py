"""Stored proofs: what is stored verifies, and what was altered is refused or proves what it then says."""

from __future__ import annotations

import copy
import json
import random
from typing import Any

import pytest

from symlin.errors import ProofError, SymlinError
from symlin.proof_file import NotAProofError, dim_json, dim_of, store, term_json, term_of, verify
from symlin.proving import prove
from symlin.verbs import read

PROVABLE: list[tuple[str, list[str], list[str]]] = [
    ("A(BC)=(AB)C", [], []),
    ("(AB)^T=B^TA^T", ["A: m x n", "B: n x k"], []),
    (r"(AB)_{ij}=\sum_{p=1}^{n}a_{ip}b_{pj}", ["A: m x n", "B: n x k"], []),
    (r"\operatorname{tr}(XYZ)=\operatorname{tr}(YZX)=\operatorname{tr}(ZXY)", [], []),
    (r"(X+Y)^2=X^2+XY+YX+Y^2", ["X, Y: n x n"], []),
    (r"(X\otimes Y)^T=X^T\otimes Y^T", [], []),
    (r"\det(X)=x_{11}x_{22}-x_{12}x_{21}", ["X: 2 x 2"], []),
    (
        r"\begin{bmatrix}1&2\\3&4\end{bmatrix}\begin{bmatrix}0&1\\1&0\end{bmatrix}=\begin{bmatrix}2&1\\4&3\end{bmatrix}",
        [],
        [],
    ),
    (r"G_{ij}=\mathbf{u}_i\cdot\mathbf{w}_j", ["U, W: L x d rows", "G: L x L"], ["G=UW^T"]),
]


def stored(source: str, where: list[str], given: list[str]) -> dict[str, Any]:
    result = prove(source, where=where, given=given)
    assert result.verdict in ("proved", "holds"), result.reason
    return json.loads(json.dumps(store(source, result.verdicts, where=where, given=given)))


@pytest.mark.parametrize(("source", "where", "given"), PROVABLE)
def test_what_is_stored_verifies(source: str, where: list[str], given: list[str]) -> None:
    proof = stored(source, where, given)
    assert list(proof)[:9] == [
        "version",
        "verdict",
        "statement",
        "names",
        "shapes",
        "hypotheses",
        "axioms",
        "trusted",
        "steps",
    ]
    verified = verify(json.dumps(proof))
    assert verified.source == source and not proof["axioms"]
    if not proof["trusted"] and not given:
        assert all(not theorem.hypotheses for theorem in verified.theorems)
        found = read(source, where=where)
        statements = list(found) if isinstance(found, tuple) else [found]
        assert [(one.lhs, one.rhs) for one in statements] == [(t.lhs, t.rhs) for t in verified.theorems]


def test_nothing_false_is_stored() -> None:
    with pytest.raises(ProofError, match="there is no proof to store"):
        store("AB=BA", prove("AB=BA").verdicts)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no stored proof"),
        ("[]", "the fields version, verdict, … are missing"),
        ("{", "no stored proof"),
    ],
)
def test_what_is_no_proof(text: str, message: str) -> None:
    with pytest.raises(NotAProofError, match=message):
        verify(text)


def test_another_version() -> None:
    proof = stored(*PROVABLE[0])
    with pytest.raises(NotAProofError, match="a stored proof of version 2; this is version 1"):
        verify(json.dumps({**proof, "version": 2}))


def test_a_proof_of_something_else_is_refused() -> None:
    proof = stored(*PROVABLE[1])
    with pytest.raises(ProofError, match=r"the steps do not prove \(AB\)\^T=A\^TB\^T"):
        verify(json.dumps({**proof, "statement": "(AB)^T=A^TB^T", "names": ["A, B: n x n"]}))
    with pytest.raises(ProofError, match="the file says trusted"):
        verify(json.dumps({**proof, "trusted": ["numeric"]}))
    with pytest.raises(ProofError, match="the file says shapes"):
        verify(json.dumps({**proof, "shapes": {}}))


@pytest.mark.parametrize(
    ("source", "where", "axioms"),
    [
        (r"\det(XY)=\det(YX)", ["X, Y: n x n"], ["det_mulmx"]),
        (r"\det(X^{-1})=1/\det(X)", ["X: n x n invertible"], ["det1", "det_mulmx"]),
    ],
)
def test_axioms_of_the_theory(source: str, where: list[str], axioms: list[str]) -> None:
    proof = stored(source, where, [])
    assert proof["axioms"] == axioms and not proof["trusted"]
    assert verify(json.dumps(proof)).text().endswith("\n".join(f"axiom: {name}" for name in axioms))
    with pytest.raises(ProofError, match="the file says axioms"):
        verify(json.dumps({**proof, "axioms": []}))
    step = next(step for step in proof["steps"] if step["rule"] == "axiom")
    step["terms"] = step["terms"][::-1]
    with pytest.raises(ProofError, match="is no axiom of the theory that says"):
        verify(json.dumps(proof))


def test_a_trusted_computation_is_done_again() -> None:
    proof = stored(*PROVABLE[0])
    false = read("XY=YX", where=["X, Y: 2 x 2"])
    step = {"rule": "computed", "name": "explicit", "terms": [term_json(false.lhs), term_json(false.rhs)]}
    altered = {**proof, "statement": "XY=YX", "names": ["X, Y: 2 x 2"], "steps": [step], "proves": [0]}
    with pytest.raises(ProofError, match="does not confirm"):
        verify(json.dumps({**altered, "trusted": ["explicit"], "shapes": {"X": ["2", "2"], "Y": ["2", "2"]}}))


def leaves(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    if isinstance(value, dict):
        return [p for key, part in value.items() for p in leaves(part, (*path, key))]
    if isinstance(value, list):
        return [path, *(p for place, part in enumerate(value) for p in leaves(part, (*path, place)))]
    return [path]


def altered(value: Any, draw: random.Random) -> Any:
    if isinstance(value, list):
        if not value:
            return [0]
        change = draw.randrange(3)
        if change == 0:
            return value[:-1]
        if change == 1:
            return [*value, value[0]]
        return value[::-1]
    if isinstance(value, bool) or value is None:
        return 1
    if isinstance(value, int):
        return value + draw.choice([-1, 1, 2])
    return draw.choice([value + "'", "A", "B", "matmul", "transpose", "add", "n", "m", "hadamard", "+", "*"])


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("number", range(len(PROVABLE)))
def test_alterations(number: int, seed: int) -> None:
    draw = random.Random(1000 * number + seed)
    proof = PROOFS.setdefault(number, stored(*PROVABLE[number]))
    for _ in range(5):
        changed = copy.deepcopy(proof)
        path = draw.choice(leaves(proof))
        at = changed
        for key in path[:-1]:
            at = at[key]
        at[path[-1]] = altered(at[path[-1]], draw)
        if changed == proof:
            continue
        try:
            verified = verify(json.dumps(changed))
        except SymlinError:
            continue
        # What was accepted must be the statement as it now stands, and the same theorem as before.
        assert changed["statement"] == verified.source
        before = verify(json.dumps(proof))
        assert {(t.lhs, t.rhs) for t in verified.theorems} <= {(t.lhs, t.rhs) for t in before.theorems}


PROOFS: dict[int, dict[str, Any]] = {}


def test_terms_and_sizes_come_back() -> None:
    source = r"\sum_{p=1}^{n}\begin{bmatrix}a_{1p}\\ \frac23\end{bmatrix}\otimes X^T"
    term = read(source, where=["A: m x n", "X: q x 2"])
    assert term_of(json.loads(json.dumps(term_json(term)))) is term
    for node in (term.rows, term.cols):
        assert dim_of(dim_json(node)) == node
