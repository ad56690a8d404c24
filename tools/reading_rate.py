"""How much of a file of formulas the LaTeX reader reads, and what it says of the rest.

Run as ``python tools/reading_rate.py FILE.jsonl[.gz]…``; rests on `symlin.read.latex` alone.  Every string under
``latex``, ``statement``, ``wrong``, ``right``, ``context`` and ``given`` of each line counts as one formula.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

from symlin.errors import ReadError
from symlin.read.latex import parse

ONE = ("latex", "statement", "wrong", "right")
MANY = ("context", "given")


def formulas(path: Path) -> Iterator[tuple[str, str]]:
    """The formulas of a file, each with the identifier of its line."""
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8") as lines:
        for number, line in enumerate(lines, start=1):
            if not line.strip():
                continue
            row = json.loads(line)
            name = str(row.get("id", number))
            for key in ONE:
                if isinstance(row.get(key), str):
                    yield name, row[key]
            for key in MANY:
                for latex in row.get(key) or ():
                    yield name, latex


def report(path: Path, shown: int, examples: int) -> float:
    """Read a file, print what came of it, and return the share that was read."""
    count = 0
    messages: Counter[str] = Counter()
    where: dict[str, list[str]] = defaultdict(list)
    start = time.perf_counter()
    for name, latex in formulas(path):
        count += 1
        try:
            parse(latex)
        except ReadError as error:
            messages[error.message] += 1
            if len(where[error.message]) < examples:
                where[error.message].append(f"{name}: {' '.join(latex.split())[:100]}")
    seconds = time.perf_counter() - start
    unread = sum(messages.values())
    share = (count - unread) / count if count else 1.0
    print(f"{path.name}: {count - unread:,} of {count:,} formulas read ({share:.2%}) in {seconds:.2f} s")
    for message, times in messages.most_common(shown):
        print(f"{times:8,}  {message}")
        for example in where[message]:
            print(f"{'':10}{example}")
    return share


def main() -> int:
    """The command line; 1 when a file falls short of ``--at-least``."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="+", type=Path, help="JSON lines, plain or with gzip")
    parser.add_argument("--messages", type=int, default=12, help="how many messages are shown (default 12)")
    parser.add_argument("--examples", type=int, default=1, help="how many formulas are shown for each")
    parser.add_argument("--at-least", type=float, default=0.0, help="the share that must be read, as in 0.97")
    given = parser.parse_args()
    shares = [report(path, given.messages, given.examples) for path in given.files]
    return 0 if min(shares) >= given.at_least else 1


if __name__ == "__main__":
    sys.exit(main())
