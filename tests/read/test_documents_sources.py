"""The door: decoding, missing files, the choice of a reader, and texts of any size."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from time import perf_counter

import pytest

from symlin.errors import ReadError
from symlin.read.sources import formulas, read_document


def refusal(path: str, **options: str) -> str:
    with pytest.raises(ReadError) as error:
        read_document(path, **options)
    return str(error.value)


def test_missing_file_and_directory(tmp_path: Path) -> None:
    missing = str(tmp_path / "no.txt")
    assert refusal(missing) == f"{missing}: there is no such file"
    assert refusal(str(tmp_path)) == f"{tmp_path}: this is a directory; expected a file"
    assert "this cannot be the name of a file" in refusal("a\0b")


def test_latin_1(tmp_path: Path) -> None:
    path = tmp_path / "old.tex"
    path.write_bytes("eins\nzwei\nMatrixgr\u00f6\u00dfe".encode("latin-1"))
    assert refusal(str(path)) == (
        f"{path}: byte 18 (counted from 0, line 3) is 0xf6, which is not UTF-8; if the file is Latin-1, convert "
        "it: iconv -f ISO-8859-1 -t UTF-8"
    )


def test_binary_and_utf_16(tmp_path: Path) -> None:
    path = tmp_path / "x.txt"
    path.write_bytes(b"\x89PNG\x00")
    assert refusal(str(path)) == (
        f"{path}: this is no text: byte 4 (counted from 0) is zero; give a UTF-8 text file"
    )
    path.write_bytes("A".encode("utf-16"))
    assert refusal(str(path)) == f"{path}: this is UTF-16 text; save it as UTF-8 (iconv -f UTF-16 -t UTF-8)"


def test_what_is_read_elsewhere() -> None:
    assert refusal("a.ipynb", text="{}") == (
        "a.ipynb: this is a notebook; export it first (jupyter nbconvert --to markdown)"
    )
    page = "-: this is a web page; save it as text, or check its source"
    assert refusal("-", text="<!DOCTYPE html><p>") == page
    assert read_document("a.html", text="\\(A\\)", format="text").format == "text"


def test_byte_order_mark_and_empty_file(tmp_path: Path) -> None:
    path = tmp_path / "x.txt"
    path.write_bytes(b"\xef\xbb\xbf\\(A\\)")
    assert [(each.text, each.column) for each in read_document(str(path)).pieces] == [("A", 3)]
    path.write_bytes(b"")
    assert read_document(str(path)).pieces == ()
    assert read_document(str(path)).path == str(path)


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO("Let $é$".encode())))
    document = read_document("-")
    assert (document.path, document.format) == ("-", "text")
    assert [piece.text for piece in formulas(document)] == ["é"]


FORMATS = [
    ("a.ptx", "<p/>", "pretext"),
    ("a.XML", "<p/>", "pretext"),
    ("a.tex", "x", "tex"),
    ("a.md", "x", "markdown"),
    ("a.txt", "<p/>", "text"),
    ("a", "<?xml version='1.0'?><p/>", "pretext"),
    ("a", "  <section/>", "pretext"),
    ("a.unknown", "\\documentclass{article}", "tex"),
    ("-", "\\section{A}", "tex"),
    ("-", "Let \\(A\\)", "text"),
    ("-", "<!-- symlin: ignore -->\nLet \\(A\\)", "text"),
]


@pytest.mark.parametrize(("path", "text", "format"), FORMATS)
def test_choice_of_reader(path: str, text: str, format: str) -> None:
    assert read_document(path, text=text).format == format


def test_format_by_name() -> None:
    assert read_document("a.txt", text="$5 and $6", format="tex").format == "tex"
    assert refusal("a", text="", format="word") == (
        "'word' is not a format that symlin reads; expected one of text, tex, pretext, markdown"
    )


SENTENCE = (
    r"Let \(A_{1}\) be a matrix with \(A=\begin{bmatrix}1\\3\end{bmatrix}\text{.}\) and some more words. "
)
LARGE = {
    "one line": SENTENCE * 50_000,
    "unclosed": "\\( " * 100_000,
    "unclosed displays": "\\begin{align} x\n\n" * 50_000,
    "braces": "${ " * 200_000,
    "dollars": "$5 " * 300_000,
    "comments": "<!-- " * 200_000,
    "brackets": "\\section[" * 50_000,
    "groups": "\\section{" * 50_000,
    "definitions": "\\newcommand{\\a}{" * 50_000,
    "lists": "\\begin{enumerate}\\item " * 50_000,
    "ends": "\\begin{theorem}" * 50_000 + "\\end{lemma}" * 50_000,
    "blank": " \n" * 500_000,
    "code": "import numpy as np\nA = [\n" + "1,\n" * 50_000,
    "names": "a = " + "b" * 1_000_000,
    "ticks": "` `` " * 100_000,
}


@pytest.mark.parametrize("format", ["text", "markdown", "tex"])
@pytest.mark.parametrize("name", LARGE)
def test_large_texts_take_seconds(name: str, format: str) -> None:
    start = perf_counter()
    document = read_document("x", text=LARGE[name], format=format)
    assert perf_counter() - start < 20
    if name == "one line":
        assert len(formulas(document)) == 100_000


@pytest.mark.parametrize(
    "source",
    [
        "<p>" + "<m>A &lt; é</m> b " * 50_000 + "</p>",
        "<p>" + "<ol><li>" * 50_000 + "</li></ol>" * 50_000 + "</p>",
        "<m>" + "a &amp; " * 200_000 + "</m>",
    ],
    ids=["formulas", "lists", "entities"],
)
def test_large_xml_takes_seconds(source: str) -> None:
    start = perf_counter()
    read_document("x.ptx", text=source)
    assert perf_counter() - start < 20
