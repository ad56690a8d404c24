"""Derivations: exact results, every step a true equation, and errors."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from symlin.construct import (
    add,
    hadamard,
    kronecker,
    literal,
    matmul,
    neg,
    number,
    power,
    row_softmax,
    scale,
    symbol,
    trace,
    transpose,
)
from symlin.derive.derivation import Derivation
from symlin.derive.views import derive
from symlin.errors import ShapeError, SymlinError, UnsupportedError
from symlin.term import Term
from symlin.write.style import PLAIN, PRETEXT

A, B, C = symbol("A", "m", "n"), symbol("B", "n", "k"), symbol("C", "k", "p")
Q, K = symbol("Q", 5, 3), symbol("K", 5, 3)
S = symbol("S", "n", "n")
x = symbol("x", "n", 1, "bold")
LEFT = literal([[1, 0, 2], [-3, 5, 1]])
RIGHT = literal([[2, -1], [4, 0], [-2, 3]])


def lines(found: Derivation) -> list[str]:
    return [str(term) for term in found.terms]


def test_entry_formula_from_shapes_alone() -> None:
    found = derive(A @ B, entry=("i", "j"))
    assert found.latex() == r"(AB)_{ij}=\sum_{\ell=1}^{n}a_{i\ell}b_{\ell j}"
    assert (
        found.text() == "(AB)_{ij} = Σ_{ℓ=1}^{n} a_{iℓ} b_{ℓj}    an entry of a product is row times column"
    )
    assert found._repr_latex_() == r"$$(AB)_{ij}=\sum_{\ell=1}^{n}a_{i\ell}b_{\ell j}$$"


def test_concrete_inner_size_is_written_out() -> None:
    found = derive(symbol("A", "m", 3) @ symbol("B", 3, "k"), entry=("i", 2))
    assert str(found.result) == "a_{i1} b_{12} + a_{i2} b_{22} + a_{i3} b_{32}"
    long = derive(symbol("A", "m", 50) @ symbol("B", 50, "k"), entry=("i", "j"))
    assert str(long.result) == "Σ_{ℓ=1}^{50} a_{iℓ} b_{ℓj}"


def test_the_index_letter_is_free() -> None:
    P = symbol("P", "m", r"\ell")
    found = derive(P @ symbol("R", r"\ell", "q"), entry=("i", "j"))
    assert found.latex() == r"(PR)_{ij}=\sum_{s=1}^{\ell}p_{is}r_{sj}"


def test_nested_products() -> None:
    assert lines(derive(A @ (B @ C), entry=("i", "j"))) == [
        "(A(BC))_{ij}",
        "Σ_{ℓ=1}^{n} a_{iℓ} (BC)_{ℓj}",
        "Σ_{ℓ=1}^{n} a_{iℓ} Σ_{q=1}^{k} b_{ℓq} c_{qj}",
        "Σ_{ℓ=1}^{n} Σ_{q=1}^{k} a_{iℓ} b_{ℓq} c_{qj}",
    ]
    assert lines(derive(matmul(A, B, C), entry=("i", "j"))) == [
        "(ABC)_{ij}",
        "Σ_{ℓ=1}^{n} Σ_{q=1}^{k} a_{iℓ} b_{ℓq} c_{qj}",
    ]


def test_sums_transposes_powers_traces() -> None:
    D = symbol("D", "m", "n")
    assert str(derive((A + D) @ B, entry=("i", "j")).result) == "Σ_{ℓ=1}^{n} (a_{iℓ} + d_{iℓ}) b_{ℓj}"
    assert str(derive(A.T @ D, entry=("i", "j")).result) == "Σ_{ℓ=1}^{m} a_{ℓi} d_{ℓj}"
    assert str(derive(S**2, entry=(1, 2)).result) == "Σ_{ℓ=1}^{n} s_{1ℓ} s_{ℓ2}"
    assert str(derive(trace(A @ A.T)).result) == "Σ_{i=1}^{m} Σ_{ℓ=1}^{n} a_{iℓ} a_{iℓ}"
    assert str(derive(S @ x, entry=("i", 1)).result) == "Σ_{ℓ=1}^{n} s_{iℓ} x_ℓ"
    assert str(derive(row_softmax(A), entry=("i", "j")).result) == "exp(a_{ij})/(Σ_{ℓ=1}^{n} exp(a_{iℓ}))"


def test_one_entry_in_three_forms() -> None:
    product = Q @ K.T
    written_out = "q_{21} k_{41} + q_{22} k_{42} + q_{23} k_{43}"
    assert lines(derive(product, entry=(2, 4), forms=("dot",)))[1:] == ["q_2·k_4", written_out]
    assert lines(derive(product, entry=(2, 4), forms=("row-column", "sum")))[1:] == [
        "[q_{21} q_{22} q_{23}][k_{41}; k_{42}; k_{43}]",
        written_out,
    ]
    found = derive(product, entry=(2, 4), forms=("dot",)).until(1)
    assert found.latex() == r"(QK^T)_{24}=\mathbf{q}_2\cdot \mathbf{k}_4"


def test_numbers_with_their_arithmetic() -> None:
    found = derive(LEFT @ RIGHT, entry=(2, 1))
    assert (
        found.keep(1, 2, 3)
        .latex()
        .endswith(
            "(-3,5,1)\\cdot (2,4,-2) \\\\\n                     &= (-3)(2)+5(4)+1(-2) \\\\\n                     &= 12"
        )
    )
    assert lines(derive(LEFT @ RIGHT))[1:] == [
        "[(1(2) + 0(4) + 2(-2)) (1(-1) + 0(0) + 2(3)); ((-3)(2) + 5(4) + 1(-2)) ((-3)(-1) + 5(0) + 1(3))]",
        "[-2 5; 12 6]",
    ]


def test_product_by_columns() -> None:
    found = derive(A @ B, by="columns")
    assert found.latex(PRETEXT) == (
        r"AB=\begin{bmatrix}A\mathbf{b}_1 \amp A\mathbf{b}_2 \amp \cdots \amp A\mathbf{b}_k\end{bmatrix}"
    )
    small = symbol("A", 2, 3) @ symbol("B", 3, 2)
    values = dict(zip(small.args, (LEFT, RIGHT), strict=True))
    assert lines(derive(small, by="columns", values=values)) == ["AB", "[Ab_1  Ab_2]", "[-2 5; 12 6]"]
    assert derive(Q @ K.T, by="columns").latex() == (
        r"QK^T=\begin{bmatrix}Q\mathbf{k}_1 & Q\mathbf{k}_2 & \cdots & Q\mathbf{k}_5\end{bmatrix}"
    )


def test_product_by_rows_and_outer_products() -> None:
    assert derive(A @ B, by="rows").latex() == (
        r"AB=\begin{bmatrix}\mathbf{a}_1^TB\\\mathbf{a}_2^TB\\\vdots\\\mathbf{a}_m^TB\end{bmatrix}"
    )
    assert lines(derive(A @ B, by="outer")) == ["AB", "Σ_{ℓ=1}^{n} a_ℓb_ℓ^T"]
    assert lines(derive(LEFT @ RIGHT, by="outer"))[1:] == [
        "[1; -3][2 -1] + [0; 5][4 0] + [2; 1][-2 3]",
        "[2 -1; -6 3] + [0 0; 20 0] + [-4 6; -2 3]",
        "[-2 5; 12 6]",
    ]


def test_rows_and_columns_as_combinations() -> None:
    weights, V = symbol("P", 2, 3), symbol("V", 3, 2)
    assert lines(derive(weights @ V, row="i"))[1:] == ["p_i^TV", "p_{i1} v_1^T + p_{i2} v_2^T + p_{i3} v_3^T"]
    assert lines(derive(weights @ V, row=2, as_column=True))[1:] == ["p_{21} v_1 + p_{22} v_2 + p_{23} v_3"]
    values = {
        weights: literal([[0, 0, 1], [Fraction(1, 2), 0, Fraction(1, 2)]]),
        V: literal([[2, 0], [5, 5], [4, 6]]),
    }
    assert lines(derive(weights @ V, row=2, as_column=True, values=values))[2:] == [
        "(1/2) [2; 0] + 0 [5; 5] + (1/2) [4; 6]",
        "[1; 0] + [0; 0] + [2; 3]",
        "[3; 3]",
    ]
    assert lines(derive(A @ B, column="j"))[1:] == ["Ab_j", "Σ_{i=1}^{n} b_{ij} a_i"]


def test_values_that_are_formulas_are_put_in() -> None:
    score = symbol("S", 5, 5)
    found = derive(score, entry=(2, 4), values={score: Q @ K.T})
    assert lines(found)[:2] == ["s_{24}", "(QK^T)_{24}"]
    assert str(found.result) == "q_{21} k_{41} + q_{22} k_{42} + q_{23} k_{43}"


def test_every_step_holds_given_the_values() -> None:
    score, left, right = symbol("S", 5, 5), symbol("A", 2, 3), symbol("B", 3, 2)
    values = {left: LEFT, right: RIGHT}
    for found in (
        derive(score, entry=(2, 4), values={score: Q @ K.T}),
        derive(left @ right, by="columns", values=values),
        derive(left @ right, row=2, values=values),
        derive(left @ right, column=1, values=values),
        derive(left @ right, entry=(1, 2), values=values),
        derive(LEFT @ RIGHT, by="outer"),
    ):
        kinds = [verdict.kind for verdict in found.verdicts()]
        assert kinds and set(kinds) <= {"proved", "holds"}, (kinds, found.text())


def test_values_are_stated_before_the_chain() -> None:
    left, right = symbol("A", 1, 2), symbol("B", 2, 1)
    found = derive(left @ right, values={left: literal([[1, 2]]), right: literal([[3], [4]])})
    assert found.text() == (
        "With A = [1 2] and B = [3; 4]:\n\n"
        "AB = a_{11} b_{11} + a_{12} b_{21}    a row times a column is the sum of the products of their entries\n"
        "   = 1(3) + 2(4)                      the values are put in\n"
        "   = 11                               arithmetic"
    )


def test_every_form_renders() -> None:
    found = derive(A @ B, entry=("i", "j"))
    assert found.render("latex") == (
        "\\begin{align*}\n(AB)_{ij} &= \\sum_{\\ell=1}^{n}a_{i\\ell}b_{\\ell j} "
        "&& \\text{an entry of a product is row times column}\n\\end{align*}"
    )
    assert found.render("pretext") == (
        '<p>\n  <md alignment="align">\n'
        "    <mrow>(AB)_{ij} \\amp= \\sum_{\\ell=1}^{n}a_{i\\ell}b_{\\ell j} "
        "\\amp\\amp \\text{an entry of a product is row times column}</mrow>\n  </md>\n</p>"
    )
    assert found.render("markdown").startswith("$$\n\\begin{aligned}\n(AB)_{ij} &= ")


def test_derivations_go_to_sympy() -> None:
    assert str(derive(A @ B, entry=(1, 2)).to_sympy()).startswith("Eq((A*B)[0, 1], Sum(A[0, ")


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"entry": (6, 1)}, ShapeError, r"there is no row 6 in QK\^T, which is 5×5"),
        ({"by": "diagonals"}, SymlinError, "'diagonals' is no view; use one of entries, columns, rows, outer"),
        ({"entry": (1, 1), "forms": ("matrix",)}, SymlinError, "'matrix' is no form of an entry; use one of dot, row-column, sum"),
        ({"entry": (1, 1), "row": 2}, SymlinError, "derive one thing at a time"),
    ],
)  # fmt: skip
def test_errors(options: dict, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        derive(Q @ K.T, **options)


def test_outer_products_need_a_product() -> None:
    with pytest.raises(UnsupportedError, match="A \\+ A is no product, so it has no view by outer products"):
        derive(A + A, by="outer")


def test_values_must_fit() -> None:
    with pytest.raises(ShapeError, match="Q is 5×3, but its value is 2×2"):
        derive(Q @ K.T, entry=(1, 1), values={Q: literal([[1, 2], [3, 4]])})


def test_steps_can_be_chosen() -> None:
    found = derive(A @ (B @ C), entry=("i", "j"))
    assert len(found.keep(1, 3).steps) == 2
    with pytest.raises(SymlinError, match="there is no step 9: the derivation has 3"):
        found.keep(9)


# --- laws -------------------------------------------------------------------------------------------------------


SIZES = ["m", 2, 3]


@st.composite
def expressions(draw: st.DrawFn, rows: object = None, cols: object = None, depth: int = 2) -> Term:
    rows = draw(st.sampled_from(SIZES)) if rows is None else rows
    cols = draw(st.sampled_from(SIZES)) if cols is None else cols
    kinds = (
        ["symbol"]
        if depth == 0
        else ["symbol", "product", "sum", "transpose", "scale", "hadamard", "neg", "power", "kronecker"]
    )
    match draw(st.sampled_from(kinds)):
        case "product":
            inner = draw(st.sampled_from(SIZES))
            return draw(expressions(rows, inner, depth - 1)) @ draw(expressions(inner, cols, depth - 1))
        case "sum":
            return add(draw(expressions(rows, cols, depth - 1)), draw(expressions(rows, cols, depth - 1)))
        case "transpose":
            return transpose(draw(expressions(cols, rows, depth - 1)))
        case "scale":
            factor = draw(st.sampled_from([number(2), number(Fraction(-1, 3)), symbol("r", 1, 1)]))
            return scale(factor, draw(expressions(rows, cols, depth - 1)))
        case "hadamard":
            return hadamard(
                draw(expressions(rows, cols, depth - 1)), draw(expressions(rows, cols, depth - 1))
            )
        case "neg":
            return neg(draw(expressions(rows, cols, depth - 1)))
        case "power" if rows == cols:
            return power(draw(expressions(rows, cols, depth - 1)), 2)
        case "kronecker" if isinstance(rows, int) and isinstance(cols, int):
            return kronecker(symbol("E", 1, 1), draw(expressions(rows, cols, depth - 1)))
    name = draw(st.sampled_from(["A", "B", "C"]))
    return symbol(f"{name}_{{\\mathrm{{{rows}{cols}}}}}", rows, cols)  # type: ignore[arg-type]


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(expressions(), st.data())
def test_every_step_is_proved(term: Term, data: st.DataObject) -> None:
    options = [{"by": "entries"}, {"entry": (1, 2 if term.cols.constant != 1 else 1)}]
    if term.op == "matmul":
        options += [
            {"by": "outer"},
            {"by": "columns"},
            {"by": "rows"},
            {"row": 1},
            {"column": 1},
            {"row": 1, "as_column": True},
        ]
        options += [{"entry": (1, 1), "forms": ("dot",)}, {"entry": (1, 1), "forms": ("row-column", "sum")}]
    found = derive(term, **data.draw(st.sampled_from(options)))
    for statement, verdict in zip(found.statements(), found.verdicts(), strict=True):
        assert verdict.kind == "proved", statement


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_numbers_agree_with_numpy(data: st.DataObject) -> None:
    numpy = pytest.importorskip("numpy")
    rows, inner, cols = (data.draw(st.integers(1, 4)) for _ in range(3))
    draw = st.integers(-9, 9)
    left = [[data.draw(draw) for _ in range(inner)] for _ in range(rows)]
    right = [[data.draw(draw) for _ in range(cols)] for _ in range(inner)]
    expected = numpy.array(left) @ numpy.array(right)
    product = literal(left) @ literal(right)
    if product.op != "matmul":
        return
    for view in ("entries", "columns", "rows", "outer"):
        result = derive(product, by=view).result
        values = result.args if result.op == "literal" else (result,)
        assert [int(value.data[0]) for value in values] == expected.flatten().tolist(), view
    i, j = data.draw(st.integers(1, rows)), data.draw(st.integers(1, cols))
    assert derive(product, entry=(i, j)).result == number(int(expected[i - 1, j - 1]))


def test_the_steps_of_a_style_are_the_same_terms() -> None:
    found = derive(A @ B, entry=("i", "j"))
    assert found.latex(PLAIN) == found.latex(PRETEXT)
