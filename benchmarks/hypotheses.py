"""Classical results under hypotheses: the time of each, and of Singular's `freegb` on the same equations.

Run:  python benchmarks/hypotheses.py [--rounds N] [--markdown]

Both complete a basis of the same words until the same element is reduced to zero: symlin until that is so, Singular
(Letterplace, over the rationals, as a whole process less an empty one) up to the degree that symlin needed.  Beside
that stands the time of `prove` with reading, kernel and all.
"""

from __future__ import annotations

import argparse
import json
import shutil
import statistics
import subprocess
import time
from pathlib import Path
from typing import Any

from symlin import prove
from symlin.decide.free_algebra import TRACE, Element, degree
from symlin.decide.hypotheses import Search
from symlin.proving import Result

LIST = Path(__file__).with_name("classical.jsonl")


def rows() -> list[dict[str, Any]]:
    with LIST.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def timed(row: dict[str, Any], rounds: int) -> tuple[Result, float]:
    """The result and the median of the times of `prove`."""
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        result = prove(row["statement"], where=row["where"], given=row["given"])
        times.append(time.perf_counter() - start)
    return result, statistics.median(times)


def search_of(result: Result) -> Search:
    """The search of the first link, as it was before anything was done."""
    verdict = result.verdicts[0]
    statement = result.statements[0]
    given = [(one.lhs, one.rhs) for one in (*statement.hypotheses, *verdict.used)]
    defined = [one.lhs for one in verdict.used]
    return Search(statement, given, defined=defined, deadline=time.monotonic() + 30)


def basis_time(result: Result, rounds: int) -> tuple[float, Search]:
    times = []
    for _ in range(rounds):
        search = search_of(result)
        start = time.perf_counter()
        while not search.basis.settle(search.goal) and search.basis.grow() is not None:
            pass
        times.append(time.perf_counter() - start)
    return statistics.median(times), search


def singular_program(result: Result) -> str | None:
    """The same ideal and goal for Singular; None where scalars are more than words."""
    search = search_of(result)
    elements = [entry.element for entry in search.basis.entries if entry.uses is None]
    goal = dict(search.goal.rest)
    if not elements or not goal or any(scalars for element in (*elements, goal) for scalars, _ in element):
        return None
    _, done = basis_time(result, 1)
    top = max(done.basis.reached, *(degree(mono) for element in (*elements, goal) for mono in element))
    letters = sorted({char for element in (*elements, goal) for _, word in element for char in word})
    names = {char: f"x{k}" for k, char in enumerate(letters)}

    def written(element: Element) -> str:
        terms = [
            f"({coeff})" + "".join(f"*{names[char]}" for char in word) for (_, word), coeff in element.items()
        ]
        return "+".join(terms) or "0"

    if any(TRACE in word for element in elements for _, word in element):
        return None
    return "\n".join(
        [
            'LIB "freegb.lib";',
            f"ring r = 0,({','.join(reversed(list(names.values())))}),Dp;",
            f"def R = freeAlgebra(r, {max(top, 2)});",
            "setring R;",
            f"ideal I = {','.join(written(element) for element in elements)};",
            "ideal J = twostd(I);",
            f"poly f = {written(goal)};",
            "print(reduce(f, J) == 0);",
            "quit;",
        ]
    )


def singular(program: str, rounds: int) -> tuple[float, bool]:
    times, last = [], ""
    for _ in range(rounds):
        start = time.perf_counter()
        run = subprocess.run(
            ["Singular", "-q"], input=program, capture_output=True, text=True, check=False, timeout=60
        )
        times.append(time.perf_counter() - start)
        last = run.stdout
    return statistics.median(times), last.strip().endswith("1")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--markdown", action="store_true")
    options = parser.parse_args()
    there = shutil.which("Singular") is not None
    empty = singular('LIB "freegb.lib";\nquit;', options.rounds)[0] if there else 0.0
    ratios = []
    for row in rows():
        result, seconds = timed(row, options.rounds)
        line = [row["name"], result.verdict, f"{seconds * 1000:.0f} ms"]
        if result.verdict == "proved" and there:
            program = singular_program(result)
            if program is not None:
                ours, _ = basis_time(result, options.rounds)
                peer, agrees = singular(program, options.rounds)
                peer = max(peer - empty, 0.001)
                if agrees:
                    ratios.append(ours / peer)
                line += [f"{ours * 1000:.1f} ms", f"{peer * 1000:.1f} ms", f"{ours / peer:.2f}", str(agrees)]
        if options.markdown:
            given = ", ".join([*row["where"], *(f"${one}$" for one in row["given"])])
            cells = [row["name"], f"${row['statement']}$", given, line[2], row["source"]]
            print("| " + " | ".join(cells) + " |")
        else:
            print(
                "  ".join(f"{cell:>12}" if place else f"{cell:52}" for place, cell in enumerate(line)),
                flush=True,
            )
    if ratios and not options.markdown:
        print(
            f"symlin / Singular: median {statistics.median(ratios):.2f}, worst {max(ratios):.2f}, of {len(ratios)}"
        )


if __name__ == "__main__":
    main()
