"""PreTeXt: elements, old and new displays, titles, lists, claims, code, entities, refusals."""

from __future__ import annotations

import pytest

from symlin.errors import ReadError
from symlin.read.pretext import read
from symlin.read.sources import formulas


@pytest.mark.parametrize("element", ["me", "men", "md", "mdn"])
def test_displays(element: str) -> None:
    [piece] = read(f"<p>\n  <{element}>\n   A=B\n  </{element}></p>").pieces
    assert (piece.kind, piece.text, piece.environment, piece.line, piece.column) == (
        "display",
        "A=B",
        element,
        3,
        4,
    )


def test_rows_are_joined() -> None:
    [piece] = read("<md>\n <mrow> A \\amp= B </mrow>\n <mrow number='yes'>\\amp= C</mrow>\n</md>").pieces
    assert piece.text == "A \\amp= B \\\\\n\\amp= C"
    assert (piece.line, piece.column) == (2, 9)


def test_intertext_parts_a_display() -> None:
    pieces = read(
        "<md><mrow>A</mrow><mrow>B</mrow><intertext>so <m>x</m></intertext><mrow>C</mrow></md>"
    ).pieces
    assert [(piece.kind, piece.text) for piece in pieces] == [
        ("display", "A \\\\\nB"),
        ("prose", "so"),
        ("inline", "x"),
        ("display", "C"),
    ]
    assert len({piece.paragraph for piece in pieces}) == 1


ELEMENTS = [
    "chapter",
    "section",
    "subsection",
    "paragraphs",
    "definition",
    "theorem",
    "lemma",
    "corollary",
    "proposition",
    "example",
    "activity",
    "exercise",
    "exploration",
    "task",
    "warning",
    "note",
    "remark",
    "observation",
    "insight",
    "solution",
    "proof",
    "hint",
    "answer",
    "statement",
]


@pytest.mark.parametrize("element", ELEMENTS)
def test_blocks(element: str) -> None:
    [piece] = read(f"<{element}><title>On <em>it</em></title><p><m>A</m></p></{element}>").pieces
    assert (piece.block.kind, piece.block.title) == (element, "On it")


def test_solution_inside_and_proof_behind() -> None:
    source = "<section><theorem><p>a</p></theorem><proof><p><m>b</m></p></proof><p>c</p></section>"
    blocks = [piece.block for piece in read(source).pieces]
    assert [block.kind for block in blocks] == ["theorem", "proof", "section"]
    assert blocks[1].parent is blocks[0]


def test_formula_in_title() -> None:
    document = read("<section><title>The map <m>T_A</m></title><p>x</p></section>")
    assert [(each.kind, each.text, each.block.title, each.column) for each in document.pieces] == [
        ("inline", "T_A", "The map \\(T_A\\)", 28),
        ("prose", "x", "The map \\(T_A\\)", 46),
    ]
    assert document.pieces[0].paragraph != document.pieces[1].paragraph


def test_entities_and_places() -> None:
    source = "<p>🔗 &amp; &#955;<m> x &lt; y &#x26; é</m>\n\t𝐀 <m>&lt;z</m><![CDATA[ a<b & ]]><m><![CDATA[C & D]]></m></p>"
    assert [(each.text, each.line, each.column) for each in read(source).pieces] == [
        ("🔗 & λ", 1, 4),
        ("x < y & é", 1, 22),
        ("𝐀", 2, 2),
        ("<z", 2, 7),
        ("a<b &", 2, 26),
        ("C & D", 2, 47),
    ]


def test_columns_with_carriage_returns() -> None:
    assert [
        (each.text, each.line, each.column) for each in read("<p>a\r\n\r\n <m>\r\n B</m></p>").pieces
    ] == [
        ("a", 1, 4),
        ("B", 4, 2),
    ]


def test_words_of_elements_are_prose() -> None:
    source = "<p>A <term>full</term> <q>rank</q> row<nbsp/>2<xref ref='x'/> <c>A @ B</c>, see <url href='y'>this</url></p>"
    assert [piece.text for piece in read(source).pieces] == ["A full “rank” row 2 A @ B, see this"]


def test_lists() -> None:
    source = (
        "<s><p>x<ol><li>one <m>1</m><ol><li><p><m>a</m></p><p><m>b</m></p></li></ol>rest</li><li><p><m>2</m></p></li></ol>"
        "y</p><ol marker='(i)'><li><m>i</m></li></ol><ul><li><m>u</m></li></ul></s>"
    )
    assert [(each.text, each.item) for each in read(source).pieces] == [
        ("x", ""),
        ("one", "1"),
        ("1", "1"),
        ("a", "a"),
        ("b", "a"),
        ("rest", "1"),
        ("2", "2"),
        ("y", ""),
        ("i", "i"),
        ("u", "•"),
    ]
    paragraphs = [piece.paragraph for piece in read(source).pieces]
    assert paragraphs == [1, 2, 2, 3, 4, 5, 6, 7, 8, 9]


def test_footnote_is_a_paragraph_of_its_own() -> None:
    pieces = read("<s><p>Let <m>A</m><fn>or <m>B</m></fn> be.</p><p>C</p></s>").pieces
    assert [(piece.text, piece.paragraph) for piece in pieces] == [
        ("Let", 1),
        ("A", 1),
        ("or", 2),
        ("B", 2),
        ("be.", 1),
        ("C", 3),
    ]


def test_denied_claims() -> None:
    source = (
        "<exercise><statement><p><m>0</m></p></statement><choices>"
        "<choice correct='no'><statement><p><m>1</m></p></statement><feedback><p><m>2</m></p></feedback></choice>"
        "<choice correct='yes'><statement><p><m>3</m></p></statement></choice>"
        "<choice><p><m>4</m></p></choice></choices></exercise>"
        "<exercise><statement correct='no'><p><m>5</m></p></statement></exercise><p><m>6</m></p>"
    )
    assert [(each.text, each.claim) for each in formulas(read(f"<section>{source}</section>"))] == [
        ("0", True),
        ("1", False),
        ("2", True),
        ("3", True),
        ("4", None),
        ("5", False),
        ("6", True),
    ]


def test_comments() -> None:
    source = "<s><!-- symlin: where A: m x n --><p>a <!-- no --><m>b</m></p><!--symlin: claim=false--><p><m>c</m></p></s>"
    assert [(each.kind, each.text, each.column, each.claim) for each in read(source).pieces] == [
        ("directive", "where A: m x n", 17, True),
        ("prose", "a", 38, True),
        ("inline", "b", 54, True),
        ("directive", "claim=false", 75, True),
        ("inline", "c", 95, False),
    ]


def test_comment_before_a_title() -> None:
    source = "<section><!-- symlin: where A: m x n --><title>T</title><p><m>A</m></p></section>"
    assert [(each.kind, each.block.title, each.paragraph) for each in read(source).pieces] == [
        ("directive", "T", 1),
        ("inline", "T", 1),
    ]


def test_code() -> None:
    source = (
        "<s><program language='python'>\n   A = 1\n     B &lt; 2\n</program><p>Output:</p><pre>1\n 2</pre>"
        "<program><input>\n  C\n</input><tests>no</tests></program><pre>3</pre><p>text</p><pre>raw</pre>"
        "<sage><input>D</input><output>4</output></sage>"
        "<console><prompt>$ </prompt><input>ls</input><output>x</output></console></s>"
    )
    code = [(each.kind, each.text) for each in read(source).pieces if each.kind in ("listing", "output")]
    assert code == [
        ("listing", "A = 1\n  B < 2"),
        ("output", "1\n 2"),
        ("listing", "C"),
        ("output", "3"),
        ("listing", "raw"),
        ("listing", "D"),
        ("output", "4"),
        ("listing", "ls"),
        ("output", "x"),
    ]
    first = read(source).pieces[0]
    assert (first.line, first.column, first.environment) == (2, 4, "python")


def test_what_is_not_read() -> None:
    source = "<s><idx><m>a</m></idx><image><latex-image>$b$</latex-image></image><docinfo><x>c</x></docinfo><p><m>d</m></p></s>"
    assert [piece.text for piece in formulas(read(source))] == ["d"]


def test_macros_of_docinfo() -> None:
    source = "<pretext><p><m>\\R x</m></p><docinfo><macros>\\newcommand{\\R}{\\mathbb R}\n</macros></docinfo></pretext>"
    assert [piece.text for piece in read(source).pieces] == ["\\mathbb R x"]


def test_blanks() -> None:
    assert [piece.text for piece in read("<p><m>x=<fillin characters='3'/>y</m></p>").pieces] == [
        "x=\\fillin y"
    ]


def test_included_files_are_complained_of() -> None:
    source = "<book xmlns:xi='http://www.w3.org/2001/XInclude'>\n<xi:include href='ch.xml'/></book>"
    assert read(source).complaints == (
        (2, 1, "the file ch.xml that is included here is not read with this one"),
    )


def test_plain_entities_are_words() -> None:
    source = "<!DOCTYPE p [<!ENTITY LA 'linear algebra'>]><p>&LA; <m>a</m></p>"
    assert [piece.text for piece in read(source).pieces] == ["linear algebra", "a"]


REFUSED = [
    (
        "<!DOCTYPE p [<!ENTITY a 'ha'><!ENTITY b '&a;&a;'>]><p>&b;</p>",
        "line 1, column 41: the entity b is not plain words; write what it stands for in its place",
    ),
    (
        "<!DOCTYPE p [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><p>&x;</p>",
        "line 1, column 52: the entity x is external: file:///etc/passwd; no other file is opened here",
    ),
    (
        "<p>a\n <m>b & c</m></p>",
        r"line 2, column 7: this is not well-formed XML: not well-formed (invalid token); expected \amp for & "
        r"and \lt for < inside a formula",
    ),
    (
        "<p><m>b</p>",
        "line 1, column 10: this is not well-formed XML: mismatched tag; expected the end tag of the element "
        "opened last (</m>)",
    ),
    ("<p>a", "line 1, column 5: this is not well-formed XML: no element found"),
    (
        "<p>&nope;</p>",
        "line 1, column 4: this is not well-formed XML: undefined entity; expected the character itself, or "
        "&amp; &lt; &gt;",
    ),
]


@pytest.mark.parametrize(("source", "message"), REFUSED)
def test_refusals(source: str, message: str) -> None:
    with pytest.raises(ReadError) as error:
        read(source)
    assert str(error.value).splitlines()[0] == message


def test_entity_bomb_is_refused_quickly() -> None:
    levels = "".join(f"<!ENTITY e{n} '&e{n - 1};&e{n - 1};'>" for n in range(1, 60))
    with pytest.raises(ReadError, match="is not plain words"):
        read(f"<!DOCTYPE p [<!ENTITY e0 'x'>{levels}]><p>&e59;</p>")


def test_deep_nesting() -> None:
    depth = 50_000
    [piece] = read("<section>" * depth + "<p><m>x</m></p>" + "</section>" * depth).pieces
    height, block = 0, piece.block
    while block.parent is not None:
        block, height = block.parent, height + 1
    assert height <= 60


def test_empty() -> None:
    assert read("").pieces == ()
    assert read("<section/>").pieces == ()
