"""The reference section: every verdict acceptable, every altered formula refuted, whatever its letters are."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from symlin.check import Row, check_document
from symlin.read.sources import read_document


def lines(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def check(text: str) -> list[Row]:
    return check_document(read_document("section.txt", text=text))


@pytest.fixture(scope="module")
def section(shared: Path) -> str:
    return (shared / "seed" / "section-1.4.txt").read_text(encoding="utf-8")


def refused(rows: list[Row], accept: list[dict[str, object]]) -> list[tuple[object, str, str]]:
    assert len(rows) == len(accept)
    return [
        (want["id"], row.verdict, row.reason)
        for row, want in zip(rows, accept, strict=True)
        if row.verdict not in want["accept"]  # type: ignore[operator]
    ]


def test_every_formula_in_order_with_an_acceptable_verdict(section: str, shared: Path) -> None:
    rows = check(section)
    formulas = lines(shared / "seed" / "formulas.jsonl")
    assert [(row.kind, row.line) for row in rows] == [(one["kind"], one["line"]) for one in formulas]
    assert [" ".join(row.latex.split()) for row in rows] == [
        " ".join(str(one["latex"]).split()) for one in formulas
    ]
    assert refused(rows, lines(shared / "seed" / "verdicts.jsonl")) == []


RENAMINGS = [
    {"A": "P", "B": "M", "C": "D", "S": "G", "R": "H", "Q": "F", "K": "J", "V": "U", "q": "f", "k": "j", "v": "u", "j": "k",
     "b": "m", "a": "p", "X": "Z", "x": "z", "Y": "N", "m": "r", "n": "s", "r": "c", "L": "N", "d": "e"},
    {"A": "F", "B": "G", "b": "g", "a": "f", "m": "p", "n": "q", "k": "r", "q": "a", "Q": "A", "K": "B", "V": "C", "v": "c"},
    {"A": "M", "a": "m", "m": "h"},
]  # fmt: skip
FORMULA = re.compile(r"\\\((.*?)\\\)|\\begin\{equation\*\}(.*?)\\end\{equation\*\}", re.DOTALL)
TOKEN = re.compile(
    r"\\mathbb ?R|\\begin\{\w+\*?\}|\\end\{\w+\*?\}|\\(?:text|mathrm)\{[^}]*\}|\\[A-Za-z]+|.", re.DOTALL
)


def renamed(text: str, letters: dict[str, str]) -> str:
    def formula(match: re.Match[str]) -> str:
        return TOKEN.sub(lambda token: letters.get(token.group(), token.group()), match.group())

    return FORMULA.sub(formula, text)


@pytest.mark.parametrize("letters", RENAMINGS, ids=["most letters", "matrices and sizes", "one matrix"])
def test_other_letters_make_no_difference(letters: dict[str, str], section: str, shared: Path) -> None:
    text = renamed(section, letters)
    assert text != section
    assert refused(check(text), lines(shared / "seed" / "verdicts.jsonl")) == []


def test_altered_formulas_are_refuted_and_nothing_else(section: str, shared: Path) -> None:
    before = [row.verdict for row in check(section)]
    for mutation in lines(shared / "seed" / "mutations.jsonl"):
        number = int(str(mutation["formula"])[1:]) - 1
        start = sum(len(line) + 1 for line in section.split("\n")[: int(str(mutation["line"])) - 1])
        old, new = str(mutation["old"]), str(mutation["new"])
        at = section.find(old, start)
        assert at >= 0
        rows = check(section[:at] + new + section[at + len(old) :])
        assert rows[number].verdict == "refuted", (mutation["formula"], rows[number])
        assert rows[number].reason
        others = [
            (place + 1, row.verdict, row.reason)
            for place, row in enumerate(rows)
            if place != number and row.verdict != before[place]
        ]
        assert others == [], mutation["formula"]
