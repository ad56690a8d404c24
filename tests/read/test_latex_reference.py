"""The reader on the reference section and the public formulas, where they are at hand."""

from __future__ import annotations

import gzip
import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from symlin.errors import ReadError
from symlin.read.latex import parse

SHARED = Path(__file__).resolve().parents[3] / "shared"


def rows(name: str) -> Iterator[dict[str, object]]:
    """The lines of a file of the public material; skips where it is absent."""
    path = SHARED / name
    if not path.exists():
        pytest.skip(f"{path} is not there: the public formulas are not part of this repository")
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def unread(formulas: list[str]) -> list[str]:
    """The formulas that the reader refuses."""
    found = []
    for latex in formulas:
        try:
            parse(latex)
        except ReadError as error:
            found.append(f"{latex}: {error.message}")
    return found


def test_every_formula_of_the_reference_section_is_read() -> None:
    formulas = [str(row["latex"]) for row in rows("seed/formulas.jsonl")]
    assert len(formulas) == 218
    assert unread(formulas) == []


def test_the_reference_section_is_read_fast() -> None:
    formulas = [str(row["latex"]) for row in rows("seed/formulas.jsonl")]
    times = []
    for _ in range(3):
        start = time.perf_counter()
        unread(formulas)
        times.append(time.perf_counter() - start)
    assert min(times) < 0.2  # 0.03 s on an idle machine


@pytest.mark.parametrize(
    ("name", "keys", "share"),
    [
        ("bench/identities.jsonl", ("statement",), 1.0),
        ("bench/traps.jsonl", ("latex",), 0.99),
        ("bench/errata.jsonl", ("wrong", "right"), 0.98),
        ("bench/textbook-formulas.jsonl.gz", ("latex",), 0.995),
    ],
)
def test_the_share_of_public_formulas_that_is_read(name: str, keys: tuple[str, ...], share: float) -> None:
    # Every eighth line of the long file is enough to see a construct fail.
    lines = list(rows(name))
    lines = lines[:: 8 if len(lines) > 10_000 else 1]
    formulas = [latex for row in lines for key in keys if isinstance(latex := row.get(key), str)]
    failed = unread(formulas)
    assert len(failed) <= (1 - share) * len(formulas), failed[:20]
