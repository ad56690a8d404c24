"""The command line: what is printed, exit codes, and bad input without tracebacks."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).parent.parent / "examples" / "matrix-products.ptx"


def symlin(*arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [sys.executable, "-m", "symlin", *arguments],
        input=stdin,
        capture_output=True,
        timeout=120,
        check=False,
    )
    result = subprocess.CompletedProcess(
        done.args, done.returncode, done.stdout.decode("utf-8"), done.stderr.decode("utf-8")
    )
    assert "Traceback" not in result.stderr
    assert "Traceback" not in result.stdout
    return result


THEOREM = ["A(BC)=(AB)C", "(A+B)C=AC+BC", "C(A+B)=CA+CB", "A(rB)=r(AB)=(rA)B", "(AB)^T=B^TA^T"]


@pytest.mark.parametrize("statement", THEOREM)
def test_the_five_properties_are_proved_and_verified(statement: str, tmp_path: Path) -> None:
    done = symlin("prove", statement, "--format", "json")
    assert done.returncode == 0
    stored = json.loads(done.stdout)
    assert stored["verdict"] == "proved"
    assert stored["trusted"] == [] and stored["axioms"] == []
    file = tmp_path / "proof.json"
    file.write_text(done.stdout, encoding="utf-8")
    verified = symlin("verify", str(file))
    assert verified.returncode == 0
    assert verified.stdout.startswith("accepted: ⊢ ")
    stored["statement"] = statement.replace("=", "+0=", 1) if "T" not in statement else "(AB)^T=A^TB^T"
    file.write_text(json.dumps(stored), encoding="utf-8")
    assert symlin("verify", str(file)).returncode == 1


@pytest.mark.parametrize(
    ("statement", "size"),
    [("AB=BA", 2), ("(AB)^T=A^TB^T", 2), ("(A+B)^2=A^2+2AB+B^2", 2)],
)
def test_false_ones_are_refuted_with_a_smallest_counterexample(statement: str, size: int) -> None:
    done = symlin("prove", statement, "--format", "json")
    assert done.returncode == 1
    found = json.loads(done.stdout)["counterexample"]
    for value in found["values"].values():
        assert len(value) == len(value[0]) == size
        assert {entry for row in value for entry in row} <= {"0", "1", "-1"}
    i, j = found["place"]
    assert found["lhs"][i - 1][j - 1] != found["rhs"][i - 1][j - 1]


def test_a_derivation_a_student_can_follow() -> None:
    assert symlin("prove", "(AB)^T=B^TA^T").stdout == (
        "Proved: (AB)^T = B^TA^T for all values and all sizes that fit.\n\nHere A is m×n, B is n×k.\n\n"
        "((AB)^T)_{ij} = (AB)_{ji}                            a transpose exchanges rows and columns\n"
        "              = Σ_{ℓ=1}^{n} a_{jℓ} b_{ℓi}            an entry of a product is row times column\n"
        "              = Σ_{ℓ=1}^{n} b_{ℓi} a_{jℓ}            numbers commute\n"
        "              = Σ_{ℓ=1}^{n} (B^T)_{iℓ} (A^T)_{ℓj}    a transpose exchanges rows and columns\n"
        "              = (B^TA^T)_{ij}                        an entry of a product is row times column\n"
    )


@pytest.mark.parametrize(
    ("arguments", "first"),
    [
        (("derive", "AB", "--entry", "i,j"), "(AB)_{ij} = Σ_{ℓ=1}^{n} a_{iℓ} b_{ℓj}"),
        (
            ("derive", "AB", "--entry", "i,j", "--where", "A: 5 x 3"),
            "(AB)_{ij} = a_{i1} b_{1j} + a_{i2} b_{2j} + a_{i3} b_{3j}",
        ),
        (("derive", "AB", "--by", "columns"), "AB = [Ab_1 … Ab_k]"),
    ],
)
def test_derive(arguments: tuple[str, ...], first: str) -> None:
    done = symlin(*arguments)
    assert done.returncode == 0
    assert done.stdout.startswith(first)


def test_shapes_with_domain_and_codomain() -> None:
    done = symlin("shapes", r"\mathbf x\mapsto A(B\mathbf x)", "--where", "A: 4 x 3", "--where", "B: 3 x 2")
    assert done.stdout.splitlines()[-1] == "x ↦ A(Bx): ℝ^2 → ℝ^4"


def test_the_example_section_is_clean() -> None:
    done = symlin("check", "--strict", str(EXAMPLE))
    assert done.returncode == 0
    assert done.stdout.count("\n") == 1
    assert "refuted" not in done.stdout


def test_rows_have_exactly_the_documented_fields() -> None:
    done = symlin("check", "--format", "jsonl", "-", stdin=rb"Clearly \(1+1=2=3\) and \(A\).")
    assert done.returncode == 1
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert [set(row) for row in rows] == [
        {"file", "line", "column", "kind", "latex", "verdict", "reason", "links"}
    ] * 2
    assert [link["verdict"] for link in rows[0]["links"]] == ["holds", "refuted"]
    assert set(rows[0]["links"][0]) == {"lhs", "rel", "rhs", "verdict", "reason"}
    assert rows[0]["column"] == 11


@pytest.mark.parametrize(
    ("formula", "message"),
    [
        (r"A+(B", "this ( is never closed; expected a closing )"),
        (r"\frac{1}{2", "this { is never closed; expected a closing }"),
        (r"\begin{bmatrix}1&2\\3\end{bmatrix}", "row 2 of this bmatrix has 1 entry, row 1 has 2 entries; expected rows of one length"),
        (r"\begin{bmatrix}1&2", r"the environment bmatrix is never closed; expected \end{bmatrix}"),
        (r"\begin{bmatrix}1\end{pmatrix}", r"\end{pmatrix} does not close \begin{bmatrix}; expected \end{bmatrix}"),
        (r"\fooo A", r"unknown command \fooo; expected a known command"),
        ("A^T^T", "a second superscript; expected braces round the first one"),
        ("A+", "after + nothing follows; expected a term"),
    ],
)  # fmt: skip
def test_a_formula_that_cannot_be_read_costs_only_itself(formula: str, message: str) -> None:
    text = rf"First \(1+1=2\). Then \({formula}\). Last \(2+2=4\)."
    done = symlin("check", "--format", "jsonl", "-", stdin=text.encode())
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert [row["verdict"] for row in rows] == ["holds", "unread", "holds"]
    assert message in rows[1]["reason"]
    assert "^" in rows[1]["reason"].splitlines()[-1]
    assert done.returncode == 0
    assert symlin("check", "--strict", "-", stdin=text.encode()).returncode == 3


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("prove", "A+B=C", "--where", "A: 2 x 3", "--where", "B: 3 x 2"), "A is 2×3 and B is 3×2"),
        (("prove", "A+(B=C"), "this ( is never closed"),
        (("prove", "AB"), "there is nothing to prove; expected an equation such as AB=BA"),
        (("prove", "A=B", "--where", "A: m x n smooth"), "'smooth' is no property"),
        (("prove", "A=B", "--where", "A"), "'A' has no colon"),
        (("derive", "AB", "--entry", "3"), "'3' is no entry; expected a row and a column"),
        (("check", "no-such-file.txt"), "there is no such file"),
        (("verify", "no-such-file.json"), "cannot be read"),
        (("bogus",), "No such command 'bogus'"),
    ],
)
def test_bad_input_is_a_message_and_exit_code_2(arguments: tuple[str, ...], message: str) -> None:
    done = symlin(*arguments)
    assert done.returncode == 2
    assert message in done.stderr


def test_odd_files(tmp_path: Path) -> None:
    empty, binary, latin, good = (tmp_path / name for name in ("e.txt", "b.txt", "l.txt", "g.txt"))
    empty.write_bytes(b"")
    binary.write_bytes(bytes(range(256)))
    latin.write_bytes("café \\(x\\)".encode("latin-1"))
    good.write_text("It is \\(1=1\\).", encoding="utf-8")
    assert symlin("check", str(empty)).returncode == 0
    for path in (binary, latin, tmp_path):
        done = symlin("check", str(path), str(good))
        assert done.returncode == 2
        assert "1 formula: 1 holds" in done.stdout
        assert str(path) in done.stderr


def test_megabytes_on_one_line(tmp_path: Path) -> None:
    path = tmp_path / "long.txt"
    path.write_text("\\(A+B\\) " * 200_000, encoding="utf-8")
    assert symlin("check", str(path)).stdout == "200000 formulas: 200000 expression\n"
    path.write_text("\\(" + "x+" * 5_000_000 + "x\\)", encoding="utf-8")
    done = symlin("check", str(path))
    assert "1 unread" in done.stdout
    assert "characters; expected at most 200,000 characters" in done.stdout


def test_help_and_import_bring_in_nothing_heavy() -> None:
    code = (
        "import sys, symlin\n"
        "from symlin.cli import main\n"
        "try:\n    main(['--help'])\nexcept SystemExit:\n    pass\n"
        "heavy = {'sympy', 'matplotlib', 'nbformat', 'latex2sympy2', 'numpy', 'flint'} & set(sys.modules)\n"
        "sys.exit(str(heavy) if heavy else 0)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_nothing_of_a_document_is_evaluated(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    text = rf"\(\operatorname{{__import__}}('os').system('touch {mark}')\) \(x=__import__('os')\)"
    symlin("check", "-", stdin=text.encode())
    symlin("prove", f"__import__('os').system('touch {mark}')=1")
    assert not mark.exists()
