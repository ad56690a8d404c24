"""LaTeX of Terms: exact strings, styles, and laws on random Terms."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import HealthCheck, given, settings
from normal_terms import normal_terms

from symlin.construct import (
    add,
    adjoint,
    apply,
    column,
    column_family,
    columns,
    conjugate,
    determinant,
    diag,
    divide,
    dot,
    entrywise,
    hadamard,
    identity,
    kronecker,
    literal,
    matmul,
    neg,
    number,
    ones,
    permutation,
    power,
    pseudoinverse,
    row,
    row_family,
    row_softmax,
    scalar_function,
    scale,
    size,
    sum_over,
    symbol,
    trace,
    transpose,
    unit,
    vec,
    zero,
)
from symlin.dims import Dim
from symlin.errors import BudgetError
from symlin.read.latex import parse
from symlin.term import Term
from symlin.write.latex import chain_latex, latex, latex_with_declarations, statement_latex
from symlin.write.style import PLAIN, PRETEXT, Letters

A = symbol("A", "m", "n")
B = symbol("B", "n", "k")
C = symbol("C", "k", "p")
S = symbol("S", "n", "n")
x = symbol("x", "n", 1, "bold")
y = symbol("y", "n", 1, "vec")
r = symbol("r", 1, 1)
Q = symbol("Q", "L", "d")
K = symbol("K", "L", "d")
WEIGHTS = symbol(r"A_{\mathrm{att}}", "L", "L")
W = symbol("W_Q", "d", "h")
alpha = symbol(r"\alpha", 1, 1)
beta = symbol(r"\beta", "n", 1, "bold")

GOLDEN: list[tuple[Term, str]] = [
    # products: flat ones side by side, brackets where the Term has them
    (matmul(A, B, C), "ABC"),
    (matmul(matmul(A, B), C), "(AB)C"),
    (matmul(A, matmul(B, C)), "A(BC)"),
    (matmul(add(A, A), B), "(A+A)B"),
    (matmul(A, neg(B)), "A(-B)"),
    # scalars: a letter keeps its product in brackets, a number does not
    (scale(r, matmul(A, B)), "r(AB)"),
    (scale(number(2), matmul(A, B)), "2AB"),
    (matmul(scale(r, A), B), "(rA)B"),
    (matmul(A, scale(r, B)), "A(rB)"),
    (scale(r, A, "right"), "Ar"),
    (scale(r, matmul(A, B), "right"), "(AB)r"),
    (scale(alpha, A), r"\alpha A"),
    (scale(r, add(A, A)), "r(A+A)"),
    # signs and numbers
    (scale(number(2), number(-4)), "2(-4)"),
    (scale(number(0), number(1)), "0(1)"),
    (scale(number(-3), number(-2)), "(-3)(-2)"),
    (scale(number(-3), A), "-3A"),
    (add(A, scale(number(-3), A)), "A-3A"),
    (add(number(5), number(-8), number(0)), "5-8+0"),
    (neg(neg(A)), "-(-A)"),
    (neg(add(A, A)), "-(A+A)"),
    (add(A, neg(add(A, A))), "A-(A+A)"),
    (add(add(A, A), A), "(A+A)+A"),
    (add(A, neg(neg(A))), "A-(-A)"),
    (number(Fraction(1, 2)), r"\frac12"),
    (number(Fraction(-13, 4)), r"-\frac{13}{4}"),
    (number(Fraction(5, 4), 2), "1.25"),
    (number(Fraction(-1, 20), 2), "-0.05"),
    (scale(number(Fraction(1, 2)), A), r"\frac12A"),
    (divide(A, r), r"\frac{A}{r}"),
    (divide(A, r, "slash"), "A/r"),
    (divide(add(A, A), add(r, r), "slash"), "(A+A)/(r+r)"),
    (power(number(Fraction(1, 2)), 2), r"\left(\frac12\right)^2"),
    # scripts
    (transpose(matmul(A, B)), "(AB)^T"),
    (transpose(transpose(A)), "(A^T)^T"),
    (transpose(S.inv), "(S^{-1})^T"),
    (power(S, 2), "S^2"),
    (power(S, "k"), "S^k"),
    (power(S, -2), "S^{-2}"),
    (power(trace(S), 2), r"\operatorname{tr}(S)^2"),
    (adjoint(A), "A^H"),
    (adjoint(r), "r^*"),
    (conjugate(matmul(A, B)), r"\overline{AB}"),
    (pseudoinverse(A), "A^+"),
    (transpose(WEIGHTS), r"A_{\mathrm{att}}^T"),
    # operators
    (hadamard(A, A), r"A\circ A"),
    (kronecker(matmul(A, B), C), r"(AB)\otimes C"),
    (kronecker(kronecker(A, B), C), r"(A\otimes B)\otimes C"),
    (scale(number(2), dot(x, x)), r"2(\mathbf{x}\cdot \mathbf{x})"),
    (dot(matmul(S, x), x), r"S\mathbf{x}\cdot \mathbf{x}"),
    (dot(literal([[2], [4], [0]]), literal([[-4], [-1], [1]])), r"(2,4,0)\cdot (-4,-1,1)"),
    # functions
    (trace(S), r"\operatorname{tr}(S)"),
    (determinant(add(S, S)), r"\det(S+S)"),
    (vec(A), r"\operatorname{vec}(A)"),
    (diag(x), r"\operatorname{diag}(\mathbf{x})"),
    (entrywise("exp", r), r"\exp(r)"),
    (entrywise("sqrt", number(2)), r"\sqrt{2}"),
    (row_softmax(A), r"\operatorname{softmax}(A)"),
    (scalar_function("norm", x), r"\|\mathbf{x}\|"),
    (scalar_function("rank", A), r"\operatorname{rank}(A)"),
    (apply("T_A", "m", apply("T_B", "n", x)), r"T_A(T_B(\mathbf{x}))"),
    (trace(divide(S, r)), r"\operatorname{tr}\left(\frac{S}{r}\right)"),
    # special matrices
    (identity("n"), "I_n"),
    (identity(3), "I_3"),
    (identity(Dim.of("m") * Dim.of("n")), r"I_{m\cdot n}"),
    (add(A, zero("m", "n")), "A+0"),
    (matmul(zero("k", "m"), A), r"0_{k\times m}A"),
    (zero("n"), r"\mathbf{0}"),
    (ones("n"), r"\mathbf{1}_n"),
    (unit("i", "n"), r"\mathbf{e}_i"),
    (permutation([2, 1]), r"\begin{bmatrix}0 & 1\\1 & 0\end{bmatrix}"),
    (size("n"), "n"),
    (scale(size(Dim.of("n") + 1), A), "(n+1)A"),
    # names
    (x, r"\mathbf{x}"),
    (y, r"\vec{y}"),
    (beta, r"\boldsymbol{\beta}"),
    (symbol("b_1", "n", 1, "bold"), r"\mathbf{b}_1"),
    (symbol(r"\hat{x}", "n", 1, "bold"), r"\hat{\mathbf{x}}"),
    (symbol("x'", "n", 1, "bold"), r"\mathbf{x}'"),
    (symbol("B", "n", "n", "cal"), r"\mathcal{B}"),
    # entries
    (A["i", r"\ell"], r"a_{i\ell}"),
    (B[r"\ell", "j"], r"b_{\ell j}"),
    (A[2, 4], "a_{24}"),
    (A[2, 12], "a_{2,12}"),
    (A["i+1", "j"], "a_{i+1,j}"),
    (matmul(A, B)["i", "j"], "(AB)_{ij}"),
    (W["i", "j"], "(W_Q)_{ij}"),
    (symbol(r"\Sigma", "n", "n")["i", "j"], r"\Sigma_{ij}"),
    (symbol(r"\alpha", "n", "n")["i", "j"], r"\alpha_{ij}"),
    (x["i", 1], "x_i"),
    (y["i", 1], "y_i"),
    (beta[1, 1], r"\beta_1"),
    (symbol("z", "n")["i", 1], "z_i"),
    (symbol("Z", "n")["i", 1], "z_{i1}"),
    (matmul(A, x)["i", 1], r"(A\mathbf{x})_i"),
    (column(B, "j")["i", 1], r"(\mathbf{b}_j)_i"),
    # rows and columns
    (matmul(A, column(B, 1)), r"A\mathbf{b}_1"),
    (transpose(column(B, "j")), r"\mathbf{b}_j^T"),
    (row(Q, "i"), r"\mathbf{q}_i^T"),
    (transpose(row(Q, "i")), r"\mathbf{q}_i"),
    (column(W, "j"), r"\operatorname{col}_j(W_Q)"),
    (matmul(column(S, 1), row(S, 1)), r"\mathbf{s}_1\operatorname{row}_1(S)"),
    # sums
    (sum_over(r"\ell", 1, "n", scale(A["i", r"\ell"], B[r"\ell", "j"])), r"\sum_{\ell=1}^{n}a_{i\ell}b_{\ell j}"),
    (scale(r, sum_over("p", 1, 3, A["p", "p"])), r"r\sum_{p=1}^{3}a_{pp}"),
    (scale(sum_over("p", 1, 3, A["p", "p"]), r), r"\left(\sum_{p=1}^{3}a_{pp}\right)r"),
    (sum_over("p", 1, 3, add(r, r)), r"\sum_{p=1}^{3}(r+r)"),
    (sum_over("p", 1, "n", sum_over("q", 1, "n", S["p", "q"])), r"\sum_{p=1}^{n}\sum_{q=1}^{n}s_{pq}"),
    # matrices and families
    (literal([[1, -3], [Fraction(1, 2), Fraction(-1, 4)]]), r"\begin{bmatrix}1 & -3\\1/2 & -1/4\end{bmatrix}"),
    (columns([A, A]), r"\begin{bmatrix}A & A\end{bmatrix}"),
    (
        column_family("j", 1, "k", matmul(A, column(B, "j"))),
        r"\begin{bmatrix}A\mathbf{b}_1 & A\mathbf{b}_2 & \cdots & A\mathbf{b}_k\end{bmatrix}",
    ),
    (column_family("j", 1, 3, column(B, "j")), r"\begin{bmatrix}\mathbf{b}_1 & \mathbf{b}_2 & \mathbf{b}_3\end{bmatrix}"),
    (
        column_family("j", 1, 4, column(B, "j")),
        r"\begin{bmatrix}\mathbf{b}_1 & \mathbf{b}_2 & \cdots & \mathbf{b}_4\end{bmatrix}",
    ),
    (row_family("i", 1, "L", row(Q, "i")), r"\begin{bmatrix}\mathbf{q}_1^T\\\mathbf{q}_2^T\\\vdots\\\mathbf{q}_L^T\end{bmatrix}"),
    (
        row_family("i", 1, "L", column_family("j", 1, "L", dot(transpose(row(Q, "i")), transpose(row(K, "j"))))),
        r"\begin{bmatrix}\mathbf{q}_1\cdot \mathbf{k}_1 & \mathbf{q}_1\cdot \mathbf{k}_2 & \cdots & \mathbf{q}_1\cdot \mathbf{k}_L\\"
        r"\mathbf{q}_2\cdot \mathbf{k}_1 & \mathbf{q}_2\cdot \mathbf{k}_2 & \cdots & \mathbf{q}_2\cdot \mathbf{k}_L\\"
        r"\vdots & \vdots & \ddots & \vdots\\"
        r"\mathbf{q}_L\cdot \mathbf{k}_1 & \mathbf{q}_L\cdot \mathbf{k}_2 & \cdots & \mathbf{q}_L\cdot \mathbf{k}_L\end{bmatrix}",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("term", "expected"), GOLDEN, ids=[text for _, text in GOLDEN])
def test_golden(term: Term, expected: str) -> None:
    assert latex(term) == expected


def test_styles() -> None:
    matrix = literal([[1, 2], [3, 4]])
    assert latex(matrix, PRETEXT) == r"\begin{bmatrix}1 \amp 2\\3 \amp 4\end{bmatrix}"
    assert latex(matrix, replace(PLAIN, matrix="pmatrix")) == r"\begin{pmatrix}1 & 2\\3 & 4\end{pmatrix}"
    assert latex(A.T, replace(PLAIN, transpose=r"\top")) == r"A^{\top}"
    assert latex(number(Fraction(1, 2)), replace(PLAIN, short_fractions=False)) == r"\frac{1}{2}"
    assert latex(number(Fraction(1, 2)), replace(PLAIN, fractions="slash")) == "1/2"
    assert (
        latex(literal([[Fraction(1, 2)]]), replace(PLAIN, cell_fractions="frac"))
        == r"\begin{bmatrix}\frac12\end{bmatrix}"
    )
    assert latex(hadamard(A, A), replace(PLAIN, hadamard=r"\odot")) == r"A\odot A"
    columns_style = replace(PLAIN, vectors="never")
    assert latex(dot(literal([[1], [2]]), literal([[3], [4]])), columns_style) == (
        r"\begin{bmatrix}1\\2\end{bmatrix}\cdot \begin{bmatrix}3\\4\end{bmatrix}"
    )


def test_columns_as_tuples() -> None:
    column_of_numbers = literal([[5], [-2], [Fraction(1, 2)]])
    assert latex(column_of_numbers, replace(PLAIN, vectors="always")) == "(5,-2,1/2)"
    assert latex(literal([[5]]), replace(PLAIN, vectors="always")) == r"\begin{bmatrix}5\end{bmatrix}"


def test_names_of_parts_are_a_style() -> None:
    style = PLAIN.with_names(
        **{
            r"A_{\mathrm{att}}": Letters(entry=r"\alpha", row=r"\boldsymbol{\alpha}"),
            "S": Letters(entry="S"),
            "B": Letters(column=r"\vec{b}"),
        }
    )
    assert latex(WEIGHTS["i", "j"], style) == r"\alpha_{ij}"
    assert latex(row(WEIGHTS, 2), style) == r"\boldsymbol{\alpha}_2^T"
    assert latex(S["i", "j"], style) == "S_{ij}"
    assert latex(column(B, 3), style) == r"\vec{b}_3"


def test_sums_with_dots() -> None:
    V = symbol("V", "L", "d")
    style = replace(PLAIN, sums="dots").with_names(**{r"A_{\mathrm{att}}": Letters(entry=r"\alpha")})
    rows = sum_over("j", 1, "L", matmul(WEIGHTS["i", "j"], row(V, "j")))
    assert latex(rows, style) == (
        r"\alpha_{i1}\mathbf{v}_1^T+\alpha_{i2}\mathbf{v}_2^T+\cdots+\alpha_{iL}\mathbf{v}_L^T"
    )
    short = sum_over("j", 1, 3, scale(WEIGHTS["i", "j"], transpose(row(V, "j"))))
    assert latex(short, style) == r"\alpha_{i1}\mathbf{v}_1+\alpha_{i2}\mathbf{v}_2+\alpha_{i3}\mathbf{v}_3"


def test_table_of_all_entries_in_brackets() -> None:
    a = symbol(r"\alpha", "L", "L")
    table = row_family("i", 1, "L", column_family("j", 1, "L", a["i", "j"]))
    assert latex(table, replace(PLAIN, tables="brackets")) == r"[\alpha_{ij}]"
    other = row_family("i", 1, "L", column_family("j", 1, "L", a["j", "i"]))
    assert latex(other, replace(PLAIN, tables="brackets")).startswith(r"\begin{bmatrix}")


def test_letters_that_would_mislead_are_not_used() -> None:
    b = symbol("b", "n", 1, "bold")
    assert latex(add(column(B, "j"), b)) == r"\operatorname{col}_j(B)+\mathbf{b}"
    a12 = symbol("a_{12}", 1, 1)
    assert latex(add(a12, A[1, 2])) == "a_{12}+A_{12}"
    x1 = symbol("x_1", 1, 1)
    assert latex(add(x1, x[1, 1])) == r"x_1+(\mathbf{x})_1"


def test_a_letter_that_is_customarily_a_map_is_kept_from_brackets() -> None:
    f = symbol("f", 1, 1)
    assert latex(scale(f, add(A, A))) == r"f\cdot (A+A)"
    assert latex(scale(r, scale(f, add(A, A)))) == r"r(f\cdot (A+A))"


def test_a_family_that_can_have_one_member_only() -> None:
    z = symbol("z", "n", 1, "bold")
    assert latex(column_family("j", 1, "n", column(z, "j"))) == (
        r"\begin{bmatrix}\operatorname{col}_1(\mathbf{z}) & \cdots & \operatorname{col}_n(\mathbf{z})\end{bmatrix}"
    )


def test_statements_and_chains() -> None:
    assert statement_latex((A @ B).T.eq(B.T @ A.T)) == "(AB)^T=B^TA^T"
    assert chain_latex([A @ B, A @ B], PLAIN) == "AB=AB"
    assert chain_latex([S, S.T, S], PRETEXT, split=True) == "S \\amp= S^T \\\\\n  \\amp= S"
    from symlin.statement import Statement

    assert statement_latex(Statement(A, A, r"\ne")) == r"A\ne A"


def test_declarations() -> None:
    text, where = latex_with_declarations(add(matmul(A, column(B, 1)), scale(r, symbol("z", "m", 1, "bold"))))
    assert text == r"A\mathbf{b}_1+r\mathbf{z}"
    assert where == ["A: m x n", "B: n x k columns", "r: scalar", "z: m"]
    assert latex_with_declarations(row(Q, "i"))[1] == ["Q: L x d rows"]
    assert latex_with_declarations(symbol("M", Dim.of("m") + 1, 2))[1] == ["M: m + 1 x 2"]
    assert latex_with_declarations(y)[1] == [r"\vec{y}: n"]


def test_very_deep_terms_are_written() -> None:
    term = S
    for _ in range(3000):
        term = matmul(term, S)
    assert latex(term).count("S") == 3001


def test_too_long_is_refused() -> None:
    term = S
    for _ in range(40):
        term = matmul(term, term)
    with pytest.raises(BudgetError, match="longer than 1,000,000 characters"):
        latex(term)


@settings(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck))
@given(normal_terms())
def test_signs_and_braces(term: Term) -> None:
    for style in (PLAIN, PRETEXT):
        text = latex(term, style)
        bare = text.replace("^+", "^")  # the sign of a pseudoinverse is no sum
        assert "+-" not in bare and "--" not in bare and r"\cdot-" not in bare
        depth = 0
        for char in text:
            depth += {"{": 1, "}": -1}.get(char, 0)
            assert depth >= 0
        assert depth == 0
        assert text.count(r"\left") == text.count(r"\right")


@settings(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck))
@given(normal_terms())
def test_the_reader_parses_whatever_is_written(term: Term) -> None:
    for style in (
        PLAIN,
        PRETEXT,
        replace(PLAIN, transpose=r"\mathsf{T}", matrix="pmatrix", short_fractions=False),
    ):
        assert parse(latex(term, style)).clauses
