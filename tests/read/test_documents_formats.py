"""The same content in every format gives the same formulas in the same blocks."""

from __future__ import annotations

from pathlib import Path

import pytest

from symlin.read.document import Block, Document
from symlin.read.sources import formulas, read_document

FOLDER = Path(__file__).parent / "documents"
PATHS = [str(FOLDER / f"stretch.{extension}") for extension in ("txt", "tex", "ptx", "md")]

STRETCH = r"D=\begin{bmatrix}p \amp 0\\0 \amp q\end{bmatrix}."
GIVEN = r"D=\begin{bmatrix}3 \amp 0\\0 \amp 1\end{bmatrix}, \qquad J=\begin{bmatrix}0 \amp -1\\1 \amp 0\end{bmatrix}."
FORMULAS = [
    ("inline", "D", "definition"),
    ("inline", r"2\times 2", "definition"),
    ("inline", r"d_{ij}\text{,}", "definition"),
    ("display", STRETCH, "definition"),
    ("inline", r"p,q\gt 0\text{.}", "definition"),
    ("display", GIVEN, "activity"),
    ("inline", r"JD\text{.}", "activity"),
    ("inline", r"DJ\text{.}", "activity"),
    ("display", r"JD=\begin{bmatrix}0 \amp -1\\3 \amp 0\end{bmatrix}", "solution"),
    ("inline", "DJ", "solution"),
    ("inline", r"\det S=1\text{.}", "paragraphs"),
]
LISTING = "import numpy as np\n\nD = np.diag([3, 1])\nD @ D"
OUTPUT = "array([[9, 0],\n       [0, 1]])"


@pytest.fixture(params=PATHS, ids=lambda path: Path(path).suffix)
def document(request: pytest.FixtureRequest) -> Document:
    return read_document(request.param)


def outer(block: Block) -> Block:
    """The block, or the one round it when it only holds a statement."""
    return block.parent if block.kind == "statement" and block.parent is not None else block


def test_formulas(document: Document) -> None:
    assert [(each.kind, each.text, outer(each.block).kind) for each in formulas(document)] == FORMULAS
    assert document.complaints == ()


def test_solution_belongs_to_activity(document: Document) -> None:
    [solution] = {each.block for each in document.pieces if each.block.kind == "solution"}
    assert solution.parent is not None
    assert solution.parent.kind == "activity"


def test_code(document: Document) -> None:
    code = [(each.kind, each.text) for each in document.pieces if each.kind in ("listing", "output")]
    assert code == [("listing", LISTING), ("output", OUTPUT)]


def test_places(document: Document) -> None:
    """Each formula begins in the source where its piece says, up to the first macro."""
    lines = Path(document.path).read_text(encoding="utf-8").split("\n")
    for piece in formulas(document):
        beginning = piece.text.split("\\begin")[0]
        assert lines[piece.line - 1].startswith(beginning, piece.column - 1), piece


def test_items_and_paragraphs(document: Document) -> None:
    first, second = [each for each in formulas(document) if each.text in (r"JD\text{.}", r"DJ\text{.}")]
    assert first.paragraph != second.paragraph
    if document.format != "text":
        assert first.item in ("a", "1")
        assert second.item in ("b", "2")
    column = [each for each in document.pieces if each.text == "Column by column,"]
    display = [each for each in formulas(document) if each.text.startswith("JD=")]
    neighbour = [each for each in document.pieces if each.text.startswith("is its neighbour")]
    assert {each.paragraph for each in (*column, *display, *neighbour)} == {column[0].paragraph}
    assert len(neighbour) == 1


def test_document_title(document: Document) -> None:
    block = document.pieces[0].block
    while block.parent is not None:
        block = block.parent
    assert (block.key, block.kind) == (0, "document")
    assert block.title == ("" if document.format == "markdown" else "Stretches and turns")
