"""Formulas as JSON lines: rows in order, shared context, bad lines, exit codes, time and memory."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest

from symlin.batch import check_lines


def rows(*records: object, **options: object) -> list[dict[str, object]]:
    lines = [json.dumps(record).encode() for record in records]
    return list(check_lines(lines, **options))  # type: ignore[arg-type]


def batch(*arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    done = subprocess.run(
        [sys.executable, "-m", "symlin", "batch", *arguments],
        input=stdin,
        capture_output=True,
        timeout=120,
        check=False,
    )
    assert b"Traceback" not in done.stderr + done.stdout
    return done


def test_lines_of_a_block_share_what_they_define_and_the_next_block_does_not() -> None:
    matrix = r"G=\begin{bmatrix}1&4\\0&2\end{bmatrix}"
    square = r"G^2=\begin{bmatrix}1&12\\0&4\end{bmatrix}"
    wrong = r"G^2=\begin{bmatrix}1&8\\0&4\end{bmatrix}"
    found = rows(
        {"id": 1, "block": "p", "latex": matrix},
        {"id": 2, "block": "p", "latex": square},
        {"id": 3, "block": "p", "latex": wrong},
        {"id": 4, "block": "q", "latex": wrong},
        {"id": 5, "latex": wrong},
    )
    assert [row["verdict"] for row in found] == [
        "definition",
        "holds",
        "refuted",
        found[3]["verdict"],
        found[4]["verdict"],
    ]
    assert found[3]["verdict"] not in ("holds", "refuted")
    assert found[4]["verdict"] not in ("holds", "refuted")


def test_formulas_of_the_context_are_read_first() -> None:
    record = {"id": "a", "latex": "AB=12", "context": ["A=3", "B=5"]}
    (alone,) = rows({**record, "context": []})
    (with_values,) = rows(
        {
            "id": "a",
            "latex": r"M\mathbf v=\begin{bmatrix}7\\1\end{bmatrix}",
            "context": [
                r"M=\begin{bmatrix}2&1\\0&1\end{bmatrix}",
                r"\mathbf v=\begin{bmatrix}2\\1\end{bmatrix}",
            ],
        }
    )
    assert alone["verdict"] != "refuted"
    assert with_values["verdict"] == "refuted"
    assert "5" in str(with_values["reason"])


def test_a_row_has_the_fields_of_the_contract() -> None:
    (row,) = rows({"id": 9, "latex": r"2+2\neq 5"}, echo=True)
    assert list(row) == ["id", "verdict", "reason", "links", "read"]
    assert row["read"] == r"2 + 2 \ne 5"
    assert row["links"] == [
        {
            "lhs": "2+2",
            "rel": r"\ne",
            "rhs": "5",
            "verdict": "holds",
            "reason": "both sides were computed exactly and differ",
        }
    ]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (b"{", "line 1: no JSON: "),
        (b"[1, 2]", "line 1: a JSON object"),
        (b'{"id": 3}', 'line 1: no "latex"'),
        (b'{"id": 3, "latex": 4}', 'line 1: no "latex"'),
        (b'{"id": 3, "latex": "x", "context": "y"}', 'line 1: "context" must be a list'),
        (b'{"id": 3, "latex": "\xe9"}', "line 1: not UTF-8 (byte "),
        (b"[" * 100_000, "line 1: no JSON"),
        (b'{"id": 3, "latex": "x", "n": ' + b"9" * 5000 + b"}", "line 1: no JSON"),
    ],
)
def test_a_bad_line_costs_only_itself(line: bytes, told: str) -> None:
    first, second = check_lines([line, b'{"id": "next", "latex": "1=1"}'])
    assert first["verdict"] == "unread" and first["line"] == 1
    assert str(first["reason"]).startswith(told)
    assert second["id"] == "next" and second["verdict"] == "holds"


def test_a_long_file_is_streamed_in_flat_memory() -> None:
    def lines(count: int) -> Iterator[bytes]:
        for number in range(count):
            yield json.dumps({"id": number, "block": number // 3, "latex": f"x_{{{number % 50}}}"}).encode()

    list(check_lines(lines(2_000)))  # tables and caches are filled
    tracemalloc.start()
    for seen, row in enumerate(check_lines(lines(2_000))):
        assert row["id"] == seen
        if seen == 500:
            early = tracemalloc.get_traced_memory()[0]
    late = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert late < early + 1_000_000


def test_rows_come_while_lines_are_still_to_come() -> None:
    taken = 0

    def lines() -> Iterator[bytes]:
        nonlocal taken
        for number in range(10_000):
            taken += 1
            yield json.dumps({"id": number, "latex": "1=1"}).encode()

    assert next(check_lines(lines()))["id"] == 0
    assert taken < 500


def test_several_processes_give_the_same_rows_in_the_same_order() -> None:
    records = [
        {
            "id": n,
            "block": n // 5,
            "latex": [f"k={n}", r"\det(AB)=\det(A)\det(B)", f"{n}+1={n + n % 3}", "(", "AB=BA"][n % 5],
        }
        for n in range(400)
    ]
    assert rows(*records, jobs=2, echo=True) == rows(*records, echo=True)


def test_no_formula_takes_longer_than_its_time() -> None:
    size = 12
    entry = " & ".join(rf"\sqrt{{{k + 2}}}" for k in range(size))
    matrix = r"\begin{bmatrix}" + r"\\".join([entry] * size) + r"\end{bmatrix}"
    rows({"latex": r"\sqrt2\sqrt3=\sqrt6"})  # what has to be imported is
    started = time.monotonic()
    (row,) = rows({"id": 0, "latex": rf"{matrix}^{{30}}={matrix}"}, seconds=0.3)
    assert time.monotonic() - started < 3
    assert row["verdict"] == "unknown"


def test_exit_codes_and_standard_input(tmp_path: Path) -> None:
    right, wrong, bad = b'{"id": 1, "latex": "1+1=2"}\n', b'{"id": 2, "latex": "1+1=3"}\n', b"oh\n"
    assert batch("-", stdin=right).returncode == 0
    assert batch("-", stdin=right + wrong).returncode == 1
    done = batch("-", stdin=right + bad + wrong)
    assert done.returncode == 2 and b"1 of the lines" in done.stderr
    assert [json.loads(line)["id"] for line in done.stdout.splitlines()] == [1, None, 2]
    undecided = b'{"id": 3, "latex": "((("}\n'
    assert batch("-", stdin=undecided).returncode == 0
    assert batch("-", "--strict", stdin=undecided).returncode == 3
    packed = tmp_path / "formulas.jsonl.gz"
    packed.write_bytes(gzip.compress(right + wrong))
    assert len(batch(str(packed), "--jobs", "2").stdout.splitlines()) == 2
    packed.write_bytes(gzip.compress(right * 4000)[:-40])
    for path in (str(packed), str(tmp_path / "missing.jsonl"), str(tmp_path)):
        done = batch(path)
        assert done.returncode == 2 and b"cannot be read" in done.stderr
    assert batch("-", stdin=b"").returncode == 0
