"""The trees of formulas by topic, kept in `golden/*.txt` and looked at as a diff.

A case is the LaTeX on lines that begin with ``>``, then the tree, one clause a line, then an empty line.  After a
change that is meant, ``python tests/read/test_latex_golden.py`` writes the files anew.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from sexpr import show, show_formula

from symlin.errors import ReadError
from symlin.read.latex import parse

FOLDER = Path(__file__).parent / "golden"
FILES = sorted(FOLDER.glob("*.txt"))


def cases(path: Path) -> list[tuple[str, str]]:
    """The LaTeX and the tree of every case of a file."""
    found: list[tuple[str, str]] = []
    for block in path.read_text(encoding="utf-8").split("\n\n"):
        lines = block.strip("\n").split("\n")
        latex = "\n".join(line.removeprefix("> ") for line in lines if line.startswith(">"))
        tree = "\n".join(line for line in lines if not line.startswith(">"))
        if latex:
            found.append((latex, tree))
    return found


def tree_of(latex: str) -> str:
    """What the reader makes of a formula, as the files have it."""
    try:
        formula = parse(latex)
    except ReadError as error:
        return f"error: {error}"
    notes = [f"note {show(note)}" for note in formula.notes]
    return "\n".join([show_formula(formula), *notes]).strip("\n")


def test_there_are_golden_files() -> None:
    assert len(FILES) >= 12


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_golden(path: Path) -> None:
    found = cases(path)
    assert found, f"{path.name} holds no case"
    for latex, tree in found:
        assert tree_of(latex) == tree, latex


def test_printer_knows_every_node() -> None:
    printed = "\n".join(path.read_text(encoding="utf-8") for path in FILES)
    for mark in (
        "(fn ",
        "(chain ",
        "(list ",
        "(group ",
        "sym:",
        "dots:",
        "empty",
        "(sqrt ",
        "(\\sum ",
        "bars=",
    ):
        assert mark in printed, mark


def write_anew() -> None:
    """Write every file with the trees that the reader gives now."""
    for path in FILES:
        blocks = []
        for latex, _ in cases(path):
            source = "\n".join(f"> {line}" for line in latex.split("\n"))
            blocks.append(f"{source}\n{tree_of(latex)}")
        path.write_text("\n\n".join(blocks) + "\n", encoding="utf-8")


if __name__ == "__main__":
    write_anew()
