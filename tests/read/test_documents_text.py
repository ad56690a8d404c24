"""Plain text: headings, titles, paragraphs, listings, money, items, directives, what is not closed."""

from __future__ import annotations

import pytest

from symlin.read.document import Document
from symlin.read.headings import heading_of
from symlin.read.text import read


def shown(document: Document) -> list[tuple[str, str]]:
    return [(piece.kind, piece.text) for piece in document.pieces]


HEADINGS = [
    ("Definition 1.4.1. Matrix-matrix product.", "definition"),
    ("Theorem 2.3.", "theorem"),
    ("THEOREM 2.3. Cauchy and Binet.", "theorem"),
    ("Theorem 2.3 (Cauchy–Binet)", "theorem"),
    ("Example 3", "example"),
    ("Example 3: Turning a square", "example"),
    ("Preview Activity 5.1.1", "activity"),
    ("Warning 1.4.4. Order matters.", "warning"),
    ("Subsection Matrix product by columns", "subsection"),
    (r"Subsection The map \(T_A\)", "subsection"),
    ("Section 1.4 Matrix multiplication and map composition", "section"),
    ("Chapter 3 Eigenvalues", "chapter"),
    ("Exercise 5.", "exercise"),
    ("Solution.", "solution"),
    ("Solution", "solution"),
    ("Solution to Exercise 3.", "solution"),
    ("Proof of Theorem 2.3.", "proof"),
    ("Hint 2.", "hint"),
    ("Note", "note"),
    ("Remark 4.2.", "remark"),
    ("## Products of blocks", "subsection"),
    ("### Theorem 3.1", "theorem"),
    ("From attention scores to attention output.", "paragraphs"),
    ("Toward a general rule.", "paragraphs"),
    ("Matrices and their maps", "paragraphs"),
    ("The inverse of a product", "paragraphs"),
]
SENTENCES = [
    "Matrix multiplication represents composition of matrix maps.",
    "Rotating after a horizontal stretch is not the same as stretching after a rotation.",
    "Theorem 2.3 shows that the order of factors matters.",
    "Section 3.2 explains the idea.",
    "Note that the sizes must agree.",
    "Note: the sizes must agree.",
    "Example of a matrix without an inverse, as promised:",
    "By Theorem 2.3.",
    "Then",
    "Write",
    "Let",
    "and",
    "has entries",
    "Output:",
    "Thus the score matrix",
    "Define the following matrices",
    "Every row adds to one",
    "A grid of input points gives more information.",
    "What are the columns of X?",
    "So each updated token vector is a weighted average of value vectors.",
]


@pytest.mark.parametrize(("line", "kind"), HEADINGS)
def test_headings(line: str, kind: str) -> None:
    heading = heading_of(line, True)
    assert heading is not None
    assert heading.kind == kind


@pytest.mark.parametrize("line", SENTENCES)
def test_sentences(line: str) -> None:
    assert heading_of(line, True) is None


def test_a_phrase_before_a_display_is_no_title() -> None:
    document = read("It holds.\n\nFor the two matrices\n\n\\[ A=B \\]")
    assert shown(document)[1:] == [("prose", "For the two matrices"), ("display", "A=B")]
    assert document.pieces[1].block.kind == "document"


def test_heading_with_content_on_its_line() -> None:
    document = read(
        "Theorem 2.3. If \\(A\\) is square\nthen it is.\n\nProof. Clear from \\(B\\).\n\nSee Theorem 2.3."
    )
    assert [(each.kind, each.text, each.block.kind, each.column) for each in document.pieces] == [
        ("prose", "If", "theorem", 14),
        ("inline", "A", "theorem", 19),
        ("prose", "is square then it is.", "theorem", 23),
        ("prose", "Clear from", "proof", 8),
        ("inline", "B", "proof", 21),
        ("prose", ".", "proof", 24),
        ("prose", "See Theorem 2.3.", "proof", 1),
    ]


def test_owner_of_solutions_and_proofs() -> None:
    lines = ["Theorem 1.", "Remark 2.", "Proof.", r"\(a\)", "Exercise 3.", "Hint.", "Solution.", r"\(b\)"]
    proof, solution = [piece.block for piece in read("\n\n".join(lines)).pieces]
    assert (proof.kind, proof.parent and proof.parent.title) == ("proof", "Theorem 1.")
    assert (solution.kind, solution.parent and solution.parent.title) == ("solution", "Exercise 3.")


def test_divisions_nest() -> None:
    text = "Chapter 1 One\n\nSection 1.1 Two\n\nSubsection Three\n\nSection 1.2 Four\n\nExample 1.\n\n\\(x\\)"
    block = read(text).pieces[0].block
    chain = [block.title]
    while block.parent is not None:
        block = block.parent
        chain.append(block.title)
    assert chain == ["Example 1.", "Section 1.2 Four", "Chapter 1 One", ""]


def test_paragraphs_go_on_across_displays_until_a_sentence_ends() -> None:
    text = "The matrices\n\n\\[ A \\]\n\nand\n\n\\[ B. \\]\n\nThen\n\n\\[ C \\]\n\n🔗\n\nD\n\nE\n"
    assert [(piece.text, piece.paragraph) for piece in read(text).pieces] == [
        ("The matrices", 1),
        ("A", 1),
        ("and", 1),
        ("B.", 1),
        ("Then", 2),
        ("C", 2),
        ("D", 3),
        ("E", 4),
    ]


def test_lines_of_formulas_are_paragraphs() -> None:
    document = read("Then\n\n\\(A=B\\)\n\n\\(C=D\\)\n🔗\n\n🔗\n\\(E=F\\)")
    assert [piece.paragraph for piece in document.pieces] == [1, 2, 3, 4]


def test_items() -> None:
    document = read("Do this:\n(a) \\(x\\)\n(b) \\(y\\)\n\n1. one\n2. two\n\n- \\(z\\)\n\nof rank\n2. Then")
    assert [(each.text, each.item) for each in document.pieces] == [
        ("Do this:", ""),
        ("x", "a"),
        ("y", "b"),
        ("one", "1"),
        ("two", "2"),
        ("z", "•"),
        ("of rank 2. Then", ""),
    ]


def test_money_and_dollars() -> None:
    text = (
        r"It costs $5 and $6, or \$7, US$ 8 and A$ 9; $x$, $ y $, $5x$, $n$th, $3\text{ if it is so}$. $$A$$"
    )
    assert [piece.text for piece in read(text).pieces if piece.kind in ("inline", "display")] == [
        "x",
        "y",
        "5x",
        "n",
        r"3\text{ if it is so}",
        "A",
    ]
    assert "It costs $5 and $6, or \\$7, US$ 8 and A$ 9;" in read(text).pieces[0].text


def test_nested_dollars() -> None:
    assert shown(read(r"$x\text{ if $y>0$}$")) == [("inline", r"x\text{ if $y>0$}")]


@pytest.mark.parametrize("name", ["equation", "align", "gather", "multline", "eqnarray", "displaymath"])
@pytest.mark.parametrize("star", ["", "*"])
def test_environments(name: str, star: str) -> None:
    [piece] = read(f"\\begin{{{name}{star}}}\n  A &= B \\\\[2pt]\n\n C\n\\end{{{name}{star}}}").pieces
    assert (piece.kind, piece.text) == ("display", "A &= B \\\\[2pt]\n\n C")
    assert (piece.environment, piece.line, piece.column) == (name + star, 2, 3)


def test_math_environment_is_inline() -> None:
    assert shown(read(r"\begin{math}A\end{math} \begin{alignat*}{2}B\end{alignat*}")) == [
        ("inline", "A"),
        ("display", "B"),
    ]


UNFINISHED = [
    ("Let \\(A be.\n\nNext \\(B\\).", (1, 5, "\\( is not closed: expected \\)"), "\\(A be."),
    ("Let \\(A and \\(B\\).", (1, 5, "\\( is not closed: expected \\)"), "\\(A and"),
    ("It $x is.\n\nNext \\(B\\).", (1, 4, "$ is not closed: expected $"), "$x is."),
    ("$$ x \n\nNext \\(B\\).", (1, 1, "$$ is not closed: expected $$"), "$$ x"),
    ("\n\\[ x \\(y\\) z\n\n\\(B\\)", (2, 1, "\\[ is not closed: expected \\]"), "\\[ x"),
    (
        "\\begin{align*} x\n y\n\n\\(B\\)",
        (1, 1, "\\begin{align*} is not closed: expected \\end{align*}"),
        "\\begin{align*} x\n y",
    ),
    (
        "\\begin{align*} x \\end{align}\n\n\\(B\\)",
        (1, 1, "\\begin{align*} is not closed: expected \\end{align*}"),
        "\\begin{align*} x \\end{align}",
    ),
]


@pytest.mark.parametrize(("text", "complaint", "piece"), UNFINISHED)
def test_unfinished_formula(text: str, complaint: tuple[int, int, str], piece: str) -> None:
    """One complaint, one piece at its place, and the rest is read."""
    document = read(text)
    formulas = [each for each in document.pieces if each.kind in ("inline", "display")]
    assert complaint in document.complaints
    assert (formulas[0].text, formulas[0].line, formulas[0].column) == (piece, *complaint[:2])
    assert formulas[-1].text == "B"


def test_stray_closing_delimiters() -> None:
    document = read("a \\) b\n\\] \\end{equation} \\(c\\)")
    assert document.complaints == (
        (1, 3, "\\) closes nothing that was opened before it"),
        (2, 1, "\\] closes nothing that was opened before it"),
        (2, 4, "\\end{equation} closes nothing that was opened before it"),
    )
    assert document.pieces[-1].text == "c"


CODE = """Run it.

import sympy as sp

# the matrix
M = sp.Matrix([
    [1, 2],

    [3, 4],
])
for i in range(2):
    print(M[i, i], "costs $5", '\\\\(')
N = M.T
N, M

Output:

(Matrix([[1, 3]]),
 Matrix([[2, 4]]))

1 2
3 4

Then the trace is \\(5\\).
"""


def test_listing_and_output() -> None:
    document = read(CODE)
    listing = CODE[CODE.index("import") : CODE.index("N, M") + 4]
    output = CODE[CODE.index("(Matrix") : CODE.index("3 4\n\nThen") + 3]
    assert shown(document) == [
        ("prose", "Run it."),
        ("listing", listing),
        ("prose", "Output:"),
        ("output", output),
        ("prose", "Then the trace is"),
        ("inline", "5"),
        ("prose", "."),
    ]


def test_code_before_the_first_sure_line_belongs_to_the_listing() -> None:
    document = read("Try\n\nn = 3\n# ones\nA = np.ones((n, n))\nThen look at it.")
    assert shown(document)[1:] == [
        ("listing", "n = 3\n# ones\nA = np.ones((n, n))"),
        ("prose", "Then look at it."),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "The line A = B @ C makes it.",
        "Since Q has shape (5, 3) and K.T has shape (3, 5), it fits.",
        "x = 5",
        "y = f(x)",
        "from the definition it follows",
        "Let A = 3, say.",
        "Output:\n\nall is well",
        "\\[\nA = [[1, 2], [3, 4]]\n\\]",
    ],
)
def test_no_listing(text: str) -> None:
    assert not [piece for piece in read(text).pieces if piece.kind in ("listing", "output")]


def test_name_alone_is_code_only_when_the_listing_set_it() -> None:
    document = read("import numpy as np\nY = np.eye(2)\n\nY\n\nThen")
    assert shown(document) == [
        ("listing", "import numpy as np\nY = np.eye(2)\n\nY"),
        ("prose", "Then"),
    ]


def test_directives() -> None:
    text = "% symlin: where A: m x n\nLet \\(A\\).\n\n# symlin: claim=false\n\n\\(1=2\\)\n\n<!-- symlin: ignore -->\n\\(x\\)"
    assert [(each.kind, each.text, each.line, each.column, each.claim) for each in read(text).pieces] == [
        ("directive", "where A: m x n", 1, 11, True),
        ("prose", "Let", 2, 1, True),
        ("inline", "A", 2, 7, True),
        ("prose", ".", 2, 10, True),
        ("directive", "claim=false", 4, 11, True),
        ("inline", "1=2", 6, 3, False),
        ("directive", "ignore", 8, 14, True),
        ("inline", "x", 9, 3, True),
    ]


def test_columns_with_tabs_carriage_returns_and_wide_characters() -> None:
    text = "\t\\(A\\)\r\n\r\n𝐀 🔗 é \\( B \\)\r\n\\[\r\n\tC\r\n\\]\r\n🔗\r\nD"
    assert [(each.text, each.line, each.column) for each in read(text).pieces] == [
        ("A", 1, 4),
        ("𝐀 🔗 é", 3, 1),
        ("B", 3, 10),
        ("C", 5, 2),
        ("D", 8, 1),
    ]


def test_carriage_returns_change_nothing_else() -> None:
    bare = [(each.kind, each.text, each.line, each.column) for each in read(CODE).pieces]
    windows = read(CODE.replace("\n", "\r\n"))
    assert [
        (each.kind, each.text.replace("\r\n", "\n"), each.line, each.column) for each in windows.pieces
    ] == bare


def test_empty() -> None:
    assert read("").pieces == ()
    assert read(" \n\n\t\n").pieces == ()
