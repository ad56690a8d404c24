"""Markdown: delimiters, fences, code spans, comments, quotations, headings, money."""

from __future__ import annotations

from symlin.read.markdown import read
from symlin.read.sources import formulas


def test_delimiters() -> None:
    text = r"$a$ \(b\) \\(c\\) $`d`$ $$e$$ \[f\] \\[g\\] \begin{align}h\end{align} \$i\$"
    assert [(each.kind, each.text) for each in formulas(read(text))] == [
        ("inline", "a"),
        ("inline", "b"),
        ("inline", "c"),
        ("inline", "d"),
        ("display", "e"),
        ("display", "f"),
        ("display", "g"),
        ("display", "h"),
    ]
    assert read(text).pieces[-1].text == "$i$"


def test_code_is_no_formula() -> None:
    text = "Type `$x$` or ``\\(y\\)`` \\`$z$\\`.\n\n~~~ python\n$u$\n```\n~~~\n\n    indented $v$\n"
    document = read(text)
    assert [piece.text for piece in formulas(document)] == ["z", "v"]
    assert [piece.text for piece in document.pieces if piece.kind == "listing"] == ["$u$\n```"]
    assert document.pieces[0].text == "Type x or (y ) `"


def test_fence_to_the_end() -> None:
    assert [(each.kind, each.text) for each in read("```\nx\n\n$y$").pieces] == [("listing", "x\n\n$y$")]


def test_math_fence() -> None:
    document = read("Then\n\n```math\n A=B\n```\n\nand\n\n```{math}\n:label: x\n\nC\n```\n")
    assert [(each.kind, each.text, each.line, each.column, each.paragraph) for each in document.pieces] == [
        ("prose", "Then", 1, 1, 1),
        ("display", "A=B", 4, 2, 1),
        ("prose", "and", 7, 1, 1),
        ("display", "C", 12, 1, 1),
    ]


def test_languages_and_outputs() -> None:
    text = "```{code-cell} python\nA\n```\n\n```\n1\n```\n\ntext\n\n```\nraw\n```\n\n```output\n2\n```\n"
    assert [(each.kind, each.text, each.environment) for each in read(text).pieces] == [
        ("listing", "A", "python"),
        ("output", "1", ""),
        ("prose", "text", ""),
        ("listing", "raw", ""),
        ("output", "2", ""),
    ]


def test_quotation() -> None:
    document = read("> Let $A$\n> > and $B$\n>\n> ```\n> code\n> ```\n")
    assert [(each.text, each.line, each.column) for each in document.pieces] == [
        ("Let", 1, 3),
        ("A", 1, 8),
        ("and", 2, 5),
        ("B", 2, 10),
        ("code", 5, 3),
    ]


def test_front_matter_and_comments() -> None:
    text = "---\ntitle: $no$\n---\nA <!-- $no$ --> $b$ <!-- symlin: given A=B --> c\n\n<!--\nsymlin: claim=false -->\n$1=2$\n"
    assert [(each.kind, each.text, each.line, each.column, each.claim) for each in read(text).pieces] == [
        ("prose", "A", 4, 1, True),
        ("inline", "b", 4, 18, True),
        ("directive", "given A=B", 4, 34, True),
        ("prose", "c", 4, 48, True),
        ("directive", "claim=false", 7, 9, True),
        ("inline", "1=2", 8, 2, False),
    ]


def test_unended_comment_hides_nothing() -> None:
    assert [piece.text for piece in formulas(read("a <!-- b $c$"))] == ["c"]


def test_headings() -> None:
    text = "Title $t$\n===\n\n## Part\n\n$a$\n\n### Exercise 3\n$b$\n\n**Solution.** $c$\n\nShort line\n\n$d$"
    assert [(each.text, each.block.kind, each.block.title) for each in read(text).pieces] == [
        ("t", "section", "Title $t$"),
        ("a", "subsection", "Part"),
        ("b", "exercise", "Exercise 3"),
        ("c", "solution", "Solution."),
        ("Short line", "solution", "Solution."),
        ("d", "solution", "Solution."),
    ]


def test_markup_is_no_word() -> None:
    text = "The **full** _rank_ of [row 2](http://x_y_z) is <b>a_1</b>, *not* 2\\*3."
    assert [piece.text for piece in read(text).pieces] == ["The full rank of row 2 is a_1, not 2*3."]


def test_items() -> None:
    text = "- $a$\n- [ ] $b$\n\n  $$c$$\n1. $d$\n\n   $$e$$\n2. $f$\n"
    assert [(each.text, each.item) for each in formulas(read(text))] == [
        ("a", "•"),
        ("b", "•"),
        ("c", "•"),
        ("d", "1"),
        ("e", "1"),
        ("f", "2"),
    ]


def test_tabs_and_carriage_returns() -> None:
    assert [
        (each.text, each.line, each.column) for each in read("# A\r\n\r\n\t$b$\r\n> 🔗 $c$\r\n").pieces
    ] == [
        ("b", 3, 3),
        ("🔗", 4, 3),
        ("c", 4, 6),
    ]
