"""Laws of the readers, on random texts: a piece stands where it says, in order, and nothing is read twice."""

from __future__ import annotations

from html import unescape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from symlin.errors import ReadError
from symlin.read.document import Document
from symlin.read.positions import Lines
from symlin.read.sources import read_document

SNIPPETS = st.sampled_from(
    [
        *(
            "\\(",
            "\\)",
            "\\[",
            "\\]",
            "$",
            "$$",
            "\\begin{align}",
            "\\end{align}",
            "\\\\",
            "{",
            "}",
            "\\$",
            "%",
            "#",
        ),
        *(
            "Theorem 2.3.",
            "Solution.",
            "Let",
            "A=B",
            "a, b",
            "5",
            ".",
            "🔗",
            "𝐀",
            "é",
            "\t",
            " ",
            "(a) ",
            "1. ",
        ),
        *(
            "\n",
            "\r\n",
            "\n\n",
            "\r\n\r\n",
            "\n🔗\n",
            "import numpy as np\n",
            "A = np.eye(2)\n",
            "Output:\n",
            "`",
            "```",
        ),
        *(
            "\\text{",
            "<!-- symlin: ignore -->",
            "> ",
            "symlin: ",
            "---",
            "[[1, 2]]",
            "\\item ",
            "\\section{",
            "\\par",
        ),
    ]
)
TEXTS = st.lists(st.one_of(SNIPPETS, st.text(max_size=3)), max_size=30).map("".join)


def in_order(document: Document) -> None:
    places = [(piece.line, piece.column) for piece in document.pieces]
    assert places == sorted(places)
    keys = [piece.paragraph for piece in document.pieces]
    assert keys == sorted(keys)
    for piece in document.pieces:
        assert piece.text == piece.text.strip() or piece.kind in ("listing", "output", "directive")


def slice_at(text: str, line: int, column: int) -> str:
    return text[Lines(text).starts[line - 1] + column - 1 :]


@given(TEXTS)
def test_text_stands_where_it_says(text: str) -> None:
    document = read_document("x", text=text, format="text")
    in_order(document)
    for piece in document.pieces:
        source = slice_at(text.removeprefix("\ufeff"), piece.line, piece.column)
        if piece.kind == "prose":
            assert " ".join(source.replace("🔗", " ").split()).startswith(piece.text.split("🔗")[0].strip())
            assert source[:1] == piece.text[:1]
        else:
            assert source.startswith(piece.text)


@given(TEXTS)
def test_formulas_of_markdown_stand_where_they_say(text: str) -> None:
    document = read_document("x", text=text, format="markdown")
    in_order(document)
    for piece in document.pieces:
        source = slice_at(text.removeprefix("\ufeff"), piece.line, piece.column)
        if piece.kind == "inline" and piece.text:
            assert source[:1] == piece.text[:1]


@given(TEXTS.filter(lambda text: "%" not in text and "verb" not in text))
def test_formulas_of_tex_stand_where_they_say(text: str) -> None:
    document = read_document("x", text=text, format="tex")
    in_order(document)
    for piece in document.pieces:
        if piece.kind in ("inline", "display"):
            assert slice_at(text.removeprefix("\ufeff"), piece.line, piece.column).startswith(piece.text)


XML = st.sampled_from(
    [
        *(
            "<p>",
            "</p>",
            "<m>",
            "</m>",
            "<md>",
            "</md>",
            "<mrow>",
            "</mrow>",
            "<section>",
            "</section>",
            "<title>",
        ),
        *(
            "</title>",
            "<ol>",
            "</ol>",
            "<li>",
            "</li>",
            "<choice>",
            "</choice>",
            "&amp;",
            "&lt;",
            "&#955;",
            "🔗",
            "A",
        ),
        *(
            "<fn>",
            "</fn>",
            "<program>",
            "</program>",
            "<pre>",
            "</pre>",
            "<!-- symlin: x -->",
            " ",
            "\n",
            "b",
            "<xref/>",
        ),
    ]
)


@given(st.lists(XML, max_size=25).map(lambda parts: f"<s>{''.join(parts)}</s>"))
def test_any_xml_is_read_or_refused(source: str) -> None:
    try:
        document = read_document("x.ptx", text=source)
    except ReadError:
        return
    for piece in document.pieces:
        if piece.text and piece.kind != "directive":
            rest = unescape(slice_at(source, piece.line, piece.column)[:6])
            assert rest[:1] == piece.text[:1]


@pytest.mark.parametrize("format", ["text", "markdown", "tex", "pretext"])
@given(text=st.text(max_size=60))
def test_any_text_is_read_or_refused(format: str, text: str) -> None:
    try:
        read_document("x", text=text, format=format)
    except ReadError as error:
        assert format == "pretext", error
