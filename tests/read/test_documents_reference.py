"""The reference section, where it is at hand, is read formula by formula."""

from __future__ import annotations

import json
from pathlib import Path
from time import perf_counter

import pytest

from symlin.read.document import Document, Piece
from symlin.read.sources import formulas, read_document

SEED = Path(__file__).resolve().parents[3] / "shared" / "seed"
SECTION = SEED / "section-1.4.txt"


@pytest.fixture(scope="module")
def document() -> Document:
    if not SECTION.exists():
        pytest.skip(f"{SECTION} is not there: the reference section is not part of the project")
    return read_document(str(SECTION))


def place(piece: Piece) -> str:
    """Where a piece stands, in the words of the list of formulas."""
    block = piece.block
    return f"{block.parent.title} / Solution" if block.kind == "solution" and block.parent else block.title


def test_formulas_are_those_of_the_list(document: Document) -> None:
    rows = [json.loads(line) for line in (SEED / "formulas.jsonl").read_text(encoding="utf-8").splitlines()]
    wanted = [(row["kind"], row["line"], row["where"], row["latex"]) for row in rows]
    assert [(piece.kind, piece.line, place(piece), piece.text) for piece in formulas(document)] == wanted


def test_columns_are_exact(document: Document) -> None:
    lines = SECTION.read_text(encoding="utf-8").split("\n")
    for piece in formulas(document):
        assert lines[piece.line - 1].startswith(piece.text, piece.column - 1)


def test_every_word_is_kept(document: Document) -> None:
    """What is no formula, heading or mark is prose or code."""
    assert document.complaints == ()
    code = [piece for piece in document.pieces if piece.kind in ("listing", "output")]
    assert [piece.kind for piece in code] == ["listing", "output", "listing", "output"]
    prose = " ".join(piece.text for piece in document.pieces if piece.kind == "prose")
    for words in (
        "matrices of appropriate sizes",
        "all have shape",
        "Which line creates",
        "the weights add to",
    ):
        assert words in prose


def test_it_takes_milliseconds(document: Document) -> None:
    text = SECTION.read_text(encoding="utf-8")
    times = []
    for _ in range(5):
        start = perf_counter()
        read_document("section.txt", text=text)
        times.append(perf_counter() - start)
    # The aim is 10 ms; the bound leaves room for a busy machine.
    assert min(times) < 0.03
