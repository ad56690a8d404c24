"""Speed of the main jobs, each as a ratio against a peer measured in the same run.

Run:  python benchmarks/spine.py [--rounds N] [SECTION]

Peers: `import sympy` as a whole process (for start-up and for checking a section), and SymPy's expansion of
A(BC) - (AB)C for explicit 6×6 matrices of symbols (for reading and proving one identity with fresh letters).
"""

from __future__ import annotations

import argparse
import itertools
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
REFERENCE = ROOT.parent / "shared" / "seed" / "section-1.4.txt"
EXAMPLE = ROOT / "examples" / "matrix-products.ptx"


def process(*arguments: str) -> float:
    """Seconds of wall time of one run of Python as a whole process."""
    start = time.perf_counter()
    subprocess.run([sys.executable, *arguments], check=False, capture_output=True)
    return time.perf_counter() - start


def paired(one: Callable[[], float], other: Callable[[], float], rounds: int) -> tuple[float, float, float]:
    """Medians of both, run in turn, and the median of the ratios pair by pair."""
    one(), other()
    pairs = [(one(), other()) for _ in range(rounds)]
    return (
        statistics.median(first for first, _ in pairs),
        statistics.median(second for _, second in pairs),
        statistics.median(first / second for first, second in pairs),
    )


def in_process_check(path: str) -> float:
    """Seconds to read and check a section in this process."""
    from symlin.check import check_file

    start = time.perf_counter()
    check_file(path)
    return time.perf_counter() - start


IDENTITIES = (
    "{0}({1}{2})=({0}{1}){2}",
    "({0}+{1}){2}={0}{2}+{1}{2}",
    "{2}({0}+{1})={2}{0}+{2}{1}",
    "{0}({3}{1})={3}({0}{1})=({3}{0}){1}",
    "({0}{1})^T={1}^T{0}^T",
)


def identities(letters: itertools.cycle[tuple[str, str, str]]) -> float:
    """Seconds to read and prove one identity of Theorem 1.4.3, letters fresh each round (mean over the five)."""
    from symlin import prove

    start = time.perf_counter()
    for pattern in IDENTITIES:
        a, b, c = next(letters)
        if prove(pattern.format(a, b, c, "r")).verdict != "proved":
            raise SystemExit(f"not proved: {pattern}")
    return (time.perf_counter() - start) / len(IDENTITIES)


def sympy_associativity() -> float:
    """Seconds for SymPy to expand A(BC) - (AB)C, 6×6 matrices of symbols, to zero."""
    import sympy

    a, b, c = (sympy.Matrix(6, 6, lambda i, j, n=n: sympy.Symbol(f"{n}{i}{j}")) for n in "abc")
    start = time.perf_counter()
    difference = ((a * b) * c - a * (b * c)).expand()
    seconds = time.perf_counter() - start
    if not difference.is_zero_matrix:
        raise SystemExit("SymPy did not expand the difference to zero")
    return seconds


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("section", nargs="?", default=str(REFERENCE if REFERENCE.exists() else EXAMPLE))
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()
    rounds = options.rounds

    def peer() -> float:
        return process("-c", "import sympy")

    rows = [
        (
            "symlin --help",
            "import sympy",
            *paired(lambda: process("-m", "symlin", "--help"), peer, rounds),
            "< 0.5",
        ),
        (
            "symlin prove '(AB)^T=B^TA^T'",
            "import sympy",
            *paired(lambda: process("-m", "symlin", "prove", "(AB)^T=B^TA^T"), peer, rounds),
            "< 0.5",
        ),
        (
            f"symlin check {Path(options.section).name}",
            "import sympy",
            *paired(lambda: process("-m", "symlin", "check", options.section), peer, rounds),
            "",
        ),
        (
            f"check of {Path(options.section).name} in a running process",
            "import sympy",
            *paired(lambda: in_process_check(options.section), peer, rounds),
            "< 1",
        ),
    ]
    names = [chr(code) for code in range(ord("A"), ord("Z") + 1) if chr(code) not in "ITO"]
    letters = itertools.cycle(list(itertools.permutations(names, 3)))
    rows.append(
        (
            "an identity of Theorem 1.4.3, read and proved",
            "SymPy, 6×6 associativity",
            *paired(lambda: identities(letters), sympy_associativity, rounds),
            "< 0.01",
        )
    )
    print("| job | seconds | peer | seconds | ratio (median) | wanted |")
    print("|---|---|---|---|---|---|")
    for job, other, first, second, ratio, wanted in rows:
        print(f"| {job} | {first:.4f} | {other} | {second:.4f} | {ratio:.4f} | {wanted} |")


if __name__ == "__main__":
    main()
