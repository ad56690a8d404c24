"""LaTeX sources: comments, macros, environments, lists, verbatim text, positions."""

from __future__ import annotations

from itertools import pairwise

import pytest

from symlin.read.macros import Braces, Macros, definitions
from symlin.read.sources import formulas
from symlin.read.tex import printed, read


def macros_of(source: str) -> Macros:
    macros = Macros()
    for each in definitions(source):
        macros.add(each)
    return macros


EXPANSIONS = [
    (r"\newcommand{\R}{\mathbb{R}}", r"\R^n", r"\mathbb{R}^n"),
    (r"\newcommand\R{\mathbb R}", r"A\in\R n", r"A\in\mathbb R n"),
    (r"\newcommand*{\v}[1]{\mathbf{#1}}", r"\v x+\v{yz}\v\alpha", r"\mathbf{x}+\mathbf{yz}\mathbf{\alpha}"),
    (r"\newcommand{\v}[1]{\mathbf#1}", r"\v x", r"\mathbf x"),
    (r"\newcommand{\al}{\alpha}", r"\al x \al{}x", r"\alpha x \alpha{}x"),
    (r"\newcommand{\t}[2][\top]{#2^{#1}}", r"\t{A}\t[T]{B}", r"A^{\top}B^{T}"),
    (r"\def\ip#1#2{\langle #1,#2\rangle}", r"\ip{x}y", r"\langle x,y\rangle"),
    (r"\DeclareMathOperator{\rank}{rank}", r"\rank A", r"\operatorname{rank} A"),
    (r"\DeclareMathOperator*{\argmin}{arg\,min}", r"\argmin_x", r"\operatorname*{arg\,min}_x"),
    (r"\let\eps=\varepsilon", r"\eps", r"\varepsilon"),
    (r"\newcommand{\a}{\b\b}\newcommand{\b}{x}", r"\a", "xx"),
    (r"\newcommand{\a}{1}\renewcommand{\a}{2}", r"\a", "2"),
    (r"\newcommand{\a}{1}\providecommand{\a}{2}", r"\a", "1"),
    (r"\newcommand{\R}{\ensuremath{\mathbb R}\xspace}", r"\R", r"\mathbb R"),
    ("", r"\frac{1}{2} \unknown", r"\frac{1}{2} \unknown"),
]


@pytest.mark.parametrize(("source", "latex", "wanted"), EXPANSIONS)
def test_expansion(source: str, latex: str, wanted: str) -> None:
    assert macros_of(source).expand(latex) == (wanted, True)


@pytest.mark.parametrize(
    "source",
    [r"\def\a{\a x}", r"\def\a{\b\b}\def\b{\a\a}", r"\newcommand{\a}[1]{\a{#1#1}}"],
)
def test_expansion_has_bounds(source: str) -> None:
    """A macro that does not end is left alone, and its neighbours are not."""
    macros = macros_of(source + r"\newcommand{\R}{\mathbb R}")
    assert macros.expand(r"\a{x}+\R") == (r"\a{x}+\R", False)
    assert macros.expand(r"\R") == (r"\mathbb R", True)


def test_expansion_that_doubles_thirty_times_is_refused() -> None:
    names = "abcdefghijklmnopqrstuvwxyzABCD"
    source = "".join(f"\\def\\{name}{{\\{after}\\{after}}}" for name, after in pairwise(names))
    assert macros_of(source + r"\def\D{x}").expand(r"\a") == (r"\a", False)


def test_endless_macro_is_a_complaint() -> None:
    document = read("\\def\\a{\\a x}\nLet $\\a$ and $b$.")
    assert document.complaints == ((2, 6, "the macros here do not come to an end"),)
    assert [piece.text for piece in formulas(document)] == ["\\a", "b"]


def test_macros_count_from_where_they_are_defined() -> None:
    document = read("$\\a$ \\newcommand{\\a}{1} $\\a$ \\renewcommand{\\a}{2} $\\a$")
    assert [piece.text for piece in formulas(document)] == ["\\a", "1", "2"]


def test_braces() -> None:
    assert Braces(r"{a\}{b}}").group(0) == (r"a\}{b}", 8)
    assert Braces(r"{a").group(0) is None
    assert Braces(r"a{b}").group(0) is None


def test_comments() -> None:
    source = "A % $x$ \\(\nB 100\\% $y%\n+z$\n% alone\nC\n\n\\verb|$%\\(| D\n\\begin{comment}\n$no$\n\\end{comment}"
    document = read(source)
    assert [(each.kind, each.text, each.line, each.column, each.paragraph) for each in document.pieces] == [
        ("prose", "A B 100%", 1, 1, 1),
        ("inline", "y\n+z", 2, 10, 1),
        ("prose", "C", 5, 1, 1),
        ("prose", "( D", 7, 10, 2),
    ]


def test_document_body_only() -> None:
    source = "\\documentclass{a}\n\\title{On $x$}\n$no$\n\\begin{document}\n$yes$\n\\end{document}\n$no$"
    document = read(source)
    assert [piece.text for piece in document.pieces] == ["yes"]
    assert document.pieces[0].block.title == "On $x$"


def test_theorems_by_printed_name() -> None:
    source = (
        "\\newtheorem{satz}{Theorem}[section]\n\\newtheorem*{bsp}{Worked Example}\n"
        "\\declaretheorem[name=Definition]{dd}\n"
        "\\begin{satz}[Cauchy \\& Binet]\\label{s} $1$\\end{satz}\\begin{proof}[Idea] $2$\\end{proof}"
        "\\begin{bsp}$3$\\begin{solution}$4$\\end{solution}\\end{bsp}$5$\\begin{dd}$6$\\end{dd}"
        "\\begin{lemma}$7$\\end{lemma}"
    )
    blocks = [piece.block for piece in formulas(read(source))]
    assert [(block.kind, block.title, block.parent.kind if block.parent else "") for block in blocks] == [
        ("theorem", "Cauchy & Binet", "document"),
        ("proof", "Idea", "theorem"),
        ("example", "", "document"),
        ("solution", "", "example"),
        ("document", "", ""),
        ("definition", "", "document"),
        ("lemma", "", "document"),
    ]


def test_solution_behind_its_exercise() -> None:
    document = read("\\begin{exercise}a\\end{exercise}\\begin{solution}$b$\\end{solution}")
    block = document.pieces[-1].block
    assert block.parent is not None
    assert (block.kind, block.parent.kind) == ("solution", "exercise")


def test_lists() -> None:
    source = (
        "\\begin{enumerate}\\item $1$\n\n more\n\\item $2$\\begin{enumerate}\\item $a$\\item[(z)] $z$\\end{enumerate}"
        "rest\\end{enumerate}out\\begin{enumerate}[label=(\\roman*)]\\item $i$\\end{enumerate}"
        "\\begin{itemize}\\item $x$\\end{itemize}"
    )
    assert [(each.text, each.item, each.paragraph) for each in read(source).pieces] == [
        ("1", "1", 1),
        ("more", "1", 2),
        ("2", "2", 3),
        ("a", "a", 4),
        ("z", "z", 5),
        ("rest", "2", 6),
        ("out", "", 7),
        ("i", "i", 8),
        ("x", "•", 9),
    ]


def test_numbering_is_no_mathematics() -> None:
    [piece] = read(
        "\\begin{align}\\label{a}\n A &= B \\nonumber \\\\ \\label{eq:x} &= C\\tag{1}\\end{align}"
    ).pieces
    assert piece.text == "A &= B  \\\\  &= C\\tag{1}"
    assert (piece.line, piece.column) == (2, 2)


def test_short_names_for_displays() -> None:
    source = "\\def\\be{\\begin{align*}}\\def\\ee{\\end{align*}}\\newcommand{\\bd}{\\[}\\newcommand{\\ed}{\\]}\\be A\\ee \\bd B\\ed"
    assert [(each.text, each.environment) for each in read(source).pieces] == [("A", "align*"), ("B", "\\[")]


def test_dollar_is_never_money() -> None:
    assert [piece.text for piece in read("$5 and $6").pieces] == ["5 and", "6"]


def test_included_files_are_complained_of() -> None:
    complaints = read("a\n \\input{chapter} b").complaints
    assert complaints == ((2, 2, "the file chapter that is included here is not read with this one"),)


def test_unended_verbatim() -> None:
    document = read("$a$ \\begin{verbatim} x\n\n$b$")
    assert document.complaints == ((1, 5, "\\begin{verbatim} has no \\end{verbatim}"),)
    assert [piece.text for piece in formulas(document)] == ["a", "b"]


def test_directives() -> None:
    document = read("x.\n\n% symlin: claim=false\n$1=2$ %% symlin: where A: m x n\n\n$1=1$")
    assert [(each.kind, each.text, each.claim) for each in document.pieces] == [
        ("prose", "x.", True),
        ("directive", "claim=false", True),
        ("inline", "1=2", False),
        ("directive", "where A: m x n", True),
        ("inline", "1=1", True),
    ]


def test_sections_and_formulas_in_titles() -> None:
    document = read("\\chapter{One}\n\\section*[s]{On $A$ \\emph{b}}\\paragraph{Two} text")
    assert [
        (each.text, each.block.kind, each.block.title, each.line, each.column) for each in document.pieces
    ] == [
        ("A", "section", "On $A$ b", 2, 18),
        ("text", "paragraphs", "Two", 2, 46),
    ]


def test_unbalanced_environments_do_not_stop_the_reading() -> None:
    source = (
        "\\end{theorem}\\begin{theorem}$1$\\begin{enumerate}\\item $2$\\end{theorem}$3$\\end{enumerate}$4$"
    )
    assert [(each.text, each.block.kind, each.item) for each in read(source).pieces] == [
        ("1", "theorem", ""),
        ("2", "theorem", "1"),
        ("3", "document", ""),
        ("4", "document", ""),
    ]


def test_printed_words() -> None:
    assert printed(r"the \textbf{$n$-th}~row\footnote{a} \& \S 3 \ldots\label{x}\cite[p.~3]{y}") == (
        "the $n$-th rowa & § 3 …"
    )
