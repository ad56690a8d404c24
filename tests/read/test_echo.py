"""A formula written back from its surface tree reads as the same tree."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from test_latex_golden import FILES, cases

from symlin.read.echo import echo
from symlin.read.latex import parse

FORMULAS = [
    r"(AB)^T=B^TA^T",
    r"\alpha x_{1}+2\cdot 3\,y^{n-1}\leq\tfrac12",
    r"\left[\begin{array}{rr|r}1&2&3\\0&-1&4\end{array}\right]\xrightarrow[R_2]{2R_1+R_2}\begin{bmatrix}1&0\\0&1\end{bmatrix}",
    r"\sum_{\ell=1}^{n}a_{i\ell}b_{\ell j}",
    r"\operatorname{tr}(A)=\det(B)+\sin^2\theta",
    r"\underbrace{A+A}_{2}=\overline{z}+\hat{\mathbf x}'",
    r"\{x\in\mathbb R^3\mid Ax=\vec 0\}",
    r"Q=XW_Q,\qquad K=XW_K.",
    r"x=1\text{ and }y=-\sqrt[3]{2}",
    r"f\overset{?}{=}\binom{n}{k}\pmod{5}",
    r"\begin{cases}x&x>0\\-x&\text{otherwise}\end{cases}",
    r"2\cdot 10^{3}\neq 1{,}000",
    r"x''+3y=|z|\,\|\mathbf v\|",
]


@pytest.mark.parametrize("latex", FORMULAS)
def test_what_is_written_back_reads_as_the_same(latex: str) -> None:
    formula = parse(latex)
    again = parse(echo(formula))
    assert again.clauses == formula.clauses
    assert again.punctuation == formula.punctuation


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_what_is_written_back_stays_when_it_is_read_again(path: Path) -> None:
    for latex, tree in cases(path):
        if not tree.startswith("error"):
            once = echo(parse(latex))
            assert echo(parse(once)).replace(" ", "") == once.replace(" ", ""), latex
