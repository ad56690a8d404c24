"""Every message of the LaTeX reader, word for word, with its place and its caret."""

from __future__ import annotations

import pytest

from symlin.errors import ReadError
from symlin.read.latex import parse

MESSAGES = [
    ("(A+B", "line 1, column 1: this ( is never closed; expected a closing )\n(A+B\n^"),
    ("A+[B", "line 1, column 3: this [ is never closed; expected a closing ]\nA+[B\n  ^"),
    (r"\{a", "line 1, column 1: this \\{ is never closed; expected a closing \\}\n\\{a\n^^"),
    (r"(a\}", "line 1, column 1: this ( is never closed; expected a closing )\n(a\\}\n^"),
    (r"x^{2", "line 1, column 3: this { is never closed; expected a closing }\nx^{2\n  ^"),
    ("a}", "line 1, column 2: this } closes nothing; expected an opening one before it\na}\n ^"),
    ("a)+b", "line 1, column 2: this ) closes nothing; expected an opening one before it\na)+b\n ^"),
    ("|a", "line 1, column 1: this | is never closed; expected a closing |\n|a\n^"),
    (
        r"\left(a\right",
        "line 1, column 6: this ( is never closed; expected a closing )\n\\left(a\\right\n     ^",
    ),
    (r"\text{a", "line 1, column 6: this { is never closed; expected a closing }\n\\text{a\n     ^"),
    (
        r"\begin{bmatrix}1 & 2",
        "line 1, column 1: the environment bmatrix is never closed; expected \\end{bmatrix}\n"
        "\\begin{bmatrix}1 & 2\n^^^^^^^^^^^^^^^",
    ),
    (
        r"\begin{bmatrix}1\end{pmatrix}",
        "line 1, column 17: \\end{pmatrix} does not close \\begin{bmatrix}; expected \\end{bmatrix}\n"
        "\\begin{bmatrix}1\\end{pmatrix}\n                ^^^^^^^^^^^^^",
    ),
    (
        r"1\end{bmatrix}",
        "line 1, column 2: this \\end{bmatrix} closes nothing; expected an opening one before it\n"
        "1\\end{bmatrix}\n ^^^^^^^^^^^^^",
    ),
    (
        r"\begin{bmatrx}1\end{bmatrx}",
        "line 1, column 1: unknown environment bmatrx; expected a known environment (did you mean bmatrix?)\n"
        "\\begin{bmatrx}1\\end{bmatrx}\n^^^^^^^^^^^^^^",
    ),
    (
        r"\begin{CD}A\end{CD}",
        "line 1, column 1: unknown environment CD; expected a matrix, array, cases or align\n"
        "\\begin{CD}A\\end{CD}\n^^^^^^^^^^",
    ),
    (
        r"\begin bmatrix",
        "line 1, column 1: \\begin has no environment name; expected \\begin{…}\n\\begin bmatrix\n^^^^^^",
    ),
    (
        "\\begin{bmatrix}1 & 2\\\\\n3\\end{bmatrix}",
        "line 1, column 1: row 2 of this bmatrix has 1 entry, row 1 has 2 entries; expected rows of one length\n"
        "\\begin{bmatrix}1 & 2\\\\\n^^^^^^^^^^^^^^^",
    ),
    (
        r"\begin{pmatrix}1\\2 & 3\end{pmatrix}",
        "line 1, column 1: row 1 of this pmatrix has 1 entry, row 2 has 2 entries; expected rows of one length\n"
        "\\begin{pmatrix}1\\\\2 & 3\\end{pmatrix}\n^^^^^^^^^^^^^^^",
    ),
    (
        r"\alhpa+1",
        "line 1, column 1: unknown command \\alhpa; expected a known command (did you mean \\alpha?)\n"
        "\\alhpa+1\n^^^^^^",
    ),
    (r"\qwxyz", "line 1, column 1: unknown command \\qwxyz; expected a known command\n\\qwxyz\n^^^^^^"),
    ("x^2^3", "line 1, column 4: a second superscript; expected braces round the first one\nx^2^3\n   ^"),
    ("x_1_2", "line 1, column 4: a second subscript; expected braces round the first one\nx_1_2\n   ^"),
    ("a+", "line 1, column 2: after + nothing follows; expected a term\na+\n ^"),
    ("a+=b", "line 1, column 2: after + nothing follows; expected a term\na+=b\n ^"),
    ("(a-)", "line 1, column 3: after - nothing follows; expected a term\n(a-)\n  ^"),
    (
        r"a\cdot",
        "line 1, column 2: after \\cdot nothing follows; expected a factor\na\\cdot\n ^^^^^",
    ),
    (r"a/=b", "line 1, column 2: after / nothing follows; expected a factor\na/=b\n ^"),
    ("x^", "line 1, column 2: after ^ nothing follows; expected a script such as i or {ij}\nx^\n ^"),
    (r"\frac{1}", "line 1, column 1: \\frac has no argument; expected {…} after \\frac\n\\frac{1}\n^^^^^"),
    (r"\sqrt", "line 1, column 1: \\sqrt has no argument; expected {…} after \\sqrt\n\\sqrt\n^^^^^"),
    (r"\text", "line 1, column 1: \\text has no argument; expected {…} after \\text\n\\text\n^^^^^"),
    (
        "(a & b)",
        "line 1, column 4: this & stands between ( and ); expected a closing ) before it\n(a & b)\n   ^",
    ),
    (
        r"\frac{a & b}{c}",
        "line 1, column 9: this & stands between { and }; expected a closing } before it\n"
        "\\frac{a & b}{c}\n        ^",
    ),
    ("a @ b", "line 1, column 3: @ cannot stand here; expected a formula\na @ b\n  ^"),
    (
        "(a @ b)",
        "line 1, column 4: @ cannot stand here; expected a closing ) for the ( before it\n(a @ b)\n   ^",
    ),
    ("n!!!", "line 1, column 2: more than two signs !; expected n! or n!!\nn!!!\n ^"),
    ("A=B\n+C)", "line 2, column 3: this ) closes nothing; expected an opening one before it\n+C)\n  ^"),
]


@pytest.mark.parametrize(("latex", "text"), MESSAGES)
def test_message(latex: str, text: str) -> None:
    with pytest.raises(ReadError) as caught:
        parse(latex)
    assert str(caught.value) == text


def test_an_error_knows_its_place_and_what_was_expected() -> None:
    with pytest.raises(ReadError) as caught:
        parse("A + (B")
    error = caught.value
    assert error.place is not None
    assert (error.place.line, error.place.column, error.expected) == (1, 5, "a closing )")


@pytest.mark.parametrize(
    "opening", ["(", "{", "[", r"\left(", r"\frac{", r"\hat", r"\sqrt", "x^{", r"\sum_{"]
)
def test_deep_nesting_is_refused_in_words(opening: str) -> None:
    with pytest.raises(ReadError) as caught:
        parse(opening * 10_000)
    assert caught.value.message == "brackets are nested more than 50 deep"
    assert caught.value.expected == "a formula that a person can read"


def test_nesting_that_a_person_writes_is_read() -> None:
    depth = 40
    formula = parse("(" * depth + "a" + ")" * depth)
    assert len(formula.clauses) == 1


def test_a_formula_that_is_too_long_is_refused_at_once() -> None:
    with pytest.raises(ReadError) as caught:
        parse("a" * 10_000_000)
    assert caught.value.message == "a formula of 10,000,000 characters"
    assert caught.value.expected == "at most 200,000 characters"


def test_a_numeral_that_is_too_long_is_refused() -> None:
    with pytest.raises(ReadError, match="a numeral of 5,000 digits"):
        parse("9" * 5_000)
