"""Figures on textbooks: what `symlin batch` says of the formulas, errata and traps of a folder.

Run as ``python tools/textbooks.py FOLDER [--jobs N] [--only bench|errata|traps] [--every K] [--list FILE]``; the folder
holds ``textbook-formulas.jsonl.gz``, ``errata.jsonl`` and ``traps.jsonl``.  It prints the tables of
``docs/textbooks.md`` and writes what falls short, one JSON object a line, to the file after ``--list``.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from symlin.batch import check_lines
from symlin.read import latex_tables as tables

Record = dict[str, Any]

VERDICTS = (
    "proved",
    "holds",
    "definition",
    "condition",
    "expression",
    "refuted",
    "unsupported",
    "unknown",
    "unread",
)
DECIDED = frozenset({"proved", "holds", "definition"})
LABELS = ("closed", "context", "identity")


def records(path: Path) -> Iterator[Record]:
    """The JSON objects of a file of lines, plain or with gzip."""
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            if line.strip():
                yield json.loads(line)


def judged(rows: Iterable[Record], jobs: int) -> Iterator[tuple[Record, Record]]:
    """Each record with the row that `symlin batch --echo` gives it."""
    kept = list(rows)
    lines = (json.dumps(record).encode() for record in kept)
    yield from zip(kept, check_lines(lines, jobs=jobs, echo=True), strict=True)


def table(head: Iterable[str], lines: Iterable[Iterable[object]]) -> None:
    """A table in Markdown."""
    names = list(head)
    print("| " + " | ".join(names) + " |")
    print("|" + "---|" * len(names))
    for line in lines:
        print("| " + " | ".join(f"{cell:,}" if isinstance(cell, int) else str(cell) for cell in line) + " |")
    print()


def share(part: int, whole: int) -> str:
    """A percentage with its numbers."""
    return f"{part:,} of {whole:,} ({part / whole:.1%})" if whole else "none"


# --- the bench -----------------------------------------------------------------------------------------------------


def bench(path: Path, jobs: int, every: int, kept: list[Record]) -> None:
    """Figures by book, label and verdict; what is refuted, and what a label wanted and did not get."""
    books: Counter[tuple[str, str]] = Counter()
    labels: Counter[tuple[str, str]] = Counter()
    constructs: Counter[str] = Counter()
    faithful = 0
    started = time.perf_counter()
    for record, row in judged(_sample(records(path), every), jobs):
        verdict, label = str(row["verdict"]), record.get("expect")
        books[record["book"], verdict] += 1
        if verdict == "unsupported":
            constructs[construct(str(row["reason"]))] += 1
        if verdict != "unread":
            same = content(record["latex"]) == content(str(row["read"]))
            faithful += same
            if not same:
                kept.append(finding("not kept", record, row))
        if label:
            labels[label, verdict] += 1
        if verdict == "refuted" or (label and verdict not in DECIDED):
            kept.append(finding(label or "unlabelled", record, row))
        elif verdict in ("unread", "unsupported", "unknown"):
            kept.append(finding(verdict, record, row))
    seconds = time.perf_counter() - started
    total = sum(books.values())
    print(f"### The bench: {total:,} formulas in {seconds:.0f} s\n")
    names = sorted({book for book, _ in books})
    table(("book", *VERDICTS), ([book, *(books[book, one] for one in VERDICTS)] for book in names))
    read = total - sum(count for (_, verdict), count in books.items() if verdict == "unread")
    unsupported = sum(constructs.values())
    print(
        f"Read: {share(read, total)}. Content kept: {share(faithful, read)}. Unsupported: {share(unsupported, total)}.\n"
    )
    table(("label", *VERDICTS), ([one, *(labels[one, verdict] for verdict in VERDICTS)] for one in LABELS))
    for one in LABELS:
        count = sum(labels[one, verdict] for verdict in VERDICTS)
        print(f"- {one}: {share(sum(labels[one, verdict] for verdict in DECIDED), count)} decided")
    print("\nThe commonest constructs among `unsupported`:\n")
    table(("construct", "formulas"), constructs.most_common(25))


def _sample(rows: Iterable[Record], every: int) -> Iterator[Record]:
    """Every K-th block, whole."""
    number, block = -1, object()
    for record in rows:
        if record.get("block") != block:
            number, block = number + 1, record.get("block")
        if number % every == 0:
            yield record


def finding(kind: str, record: Record, row: Record) -> Record:
    """What is written to the list."""
    return {
        "kind": kind,
        "id": record["id"],
        "verdict": row["verdict"],
        "latex": record.get("latex", ""),
        "reason": row["reason"],
        "links": [
            f"{link['lhs']} {link['rel']} {link['rhs']}: {link['verdict']} ({link['reason']})"
            for link in row["links"]
        ],
        "read": row.get("read", ""),
        **({"context": record["context"]} if record.get("context") else {}),
    }


def construct(reason: str) -> str:
    """The construct that a reason names."""
    head = reason.split(" is outside what symlin decides")[0]
    return re.sub(r"^.*: (?=[a-z])", "", head)[:60]


_TOKEN = re.compile(r"\\[A-Za-z]+|\d|[A-Za-z]|[=<>∈≠≤≥]")
_RELATIONS = {name: sign for name, sign in tables.RELATIONS.items() if name[0] == "\\"}
_LETTERS = tables.LETTERS


def content(latex: str) -> Counter[str]:
    """The letters, digits and relations of a formula, without lay-out, fonts, words and the names of operators."""
    text = re.sub(
        r"\\begin\{(array|alignedat|alignat\*?|subarray)\}(\[\w\])?\s*(\{(?:[^{}]|\{[^{}]*\})*\})", " ", latex
    )
    text = re.sub(r"\\(begin|end)\s*\{[^{}]*\}", " ", text)
    text = re.sub(
        r"\\(hspace|vspace|hphantom|phantom|vphantom|rule|kern|label|setlength|cline|tag|raisebox|class|cssId)\*?(\{[^{}]*\}|\[[^\]]*\])*",
        " ",
        text,
    )
    text = re.sub(r"\\(text\w*|mbox|operatorname|mathrm|rm|intertext)\*?\s*\{([^{}]*)\}", r" \2 ", text)
    text = re.sub(r"\\\\(\[[^\]]*\])?", " ", text)
    found: Counter[str] = Counter()
    for token in _TOKEN.findall(text):
        if token in _RELATIONS or token in tables.RELATIONS:
            found[_RELATIONS.get(token, tables.RELATIONS.get(token, token))] += 1
        elif token in _LETTERS or token[0] != "\\":
            found[token] += 1
        elif token[1:] in tables.FUNCTION_WORDS:
            found.update(token[1:])
    return found


# --- errata and traps ------------------------------------------------------------------------------------------------


def errata(path: Path, jobs: int, kept: list[Record]) -> None:
    """How many wrong formulas are refuted, by origin and by what it takes; no right one may be."""
    rows = list(records(path))
    wrong = [{**record, "latex": record["wrong"], "block": None} for record in rows]
    right = [
        {**record, "latex": record["right"], "block": None} for record in rows if record["right"] is not None
    ]
    refuted: Counter[tuple[str, str]] = Counter()
    count: Counter[tuple[str, str]] = Counter()
    alarms: Counter[tuple[str, str]] = Counter()
    for record, row in judged(wrong, jobs):
        key = (record["origin"], record["checkable"])
        count[key] += 1
        refuted[key] += row["verdict"] == "refuted"
        if row["verdict"] != "refuted":
            kept.append(finding(f"erratum {key[0]} {key[1]} missed", record, row))
    for record, row in judged(right, jobs):
        if row["verdict"] == "refuted":
            alarms[record["origin"], record["checkable"]] += 1
            kept.append(finding("right refuted", record, row))
    print("### Errata\n")
    table(
        ("origin", "checkable", "wrong refuted", "right refuted"),
        ([*key, share(refuted[key], count[key]), alarms[key]] for key in sorted(count)),
    )


def traps(path: Path, jobs: int, kept: list[Record]) -> None:
    """Traps that are refuted, by who tells."""
    count: Counter[str] = Counter()
    fallen: Counter[str] = Counter()
    for record, row in judged(({**record, "block": None} for record in records(path)), jobs):
        count[record["told_by"]] += 1
        if row["verdict"] == "refuted":
            fallen[record["told_by"]] += 1
            kept.append(finding(f"trap {record['told_by']} {record['trap']}: {record['why']}", record, row))
    print("### Traps\n")
    table(("told by", "traps", "refuted"), ([one, count[one], fallen[one]] for one in sorted(count)))


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--only", choices=("bench", "errata", "traps"))
    parser.add_argument("--every", type=int, default=1, help="take every K-th block of the bench only")
    parser.add_argument("--list", type=Path, help="file for what falls short")
    given = parser.parse_args()
    kept: list[Record] = []
    if given.only in (None, "bench"):
        bench(given.folder / "textbook-formulas.jsonl.gz", given.jobs, given.every, kept)
    if given.only in (None, "errata"):
        errata(given.folder / "errata.jsonl", given.jobs, kept)
    if given.only in (None, "traps"):
        traps(given.folder / "traps.jsonl", given.jobs, kept)
    if given.list:
        given.list.write_text(
            "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in kept), encoding="utf-8"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
