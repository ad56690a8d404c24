"""What formulas mean: kinds of names, products, families, sizes, and the messages when sizes clash."""

import pytest

from symlin import read, shapes
from symlin.construct import (
    column,
    column_family,
    dot,
    entry,
    hadamard,
    identity,
    kronecker,
    literal,
    matmul,
    neg,
    number,
    ones,
    power,
    row,
    row_family,
    scale,
    sum_over,
    symbol,
    trace,
    transpose,
)
from symlin.context import Context
from symlin.dims import Dim
from symlin.errors import ReadError, ShapeError, UnsupportedError
from symlin.read.elaborate import elaborate
from symlin.read.latex import parse
from symlin.read.scope import Items, MapsTo, SizeOf, Space, Thing
from symlin.statement import Statement
from symlin.term import Term

A = symbol("A", "m", "n")
B = symbol("B", "n", "k")
C = symbol("C", "k", "p")
u = symbol("u", "n", 1, "bold")
v = symbol("v", "n", 1, "bold")
r = symbol("r", 1, 1)
WHERE = ["A: m x n", "B: n x k", "C: k x p", "r: scalar", "u, v: n"]


@pytest.mark.parametrize(
    ("latex", "term"),
    [
        ("ABC", matmul(A, B, C)),
        ("A(BC)", matmul(A, matmul(B, C))),
        ("(AB)C", matmul(matmul(A, B), C)),
        ("A(rB)", matmul(A, scale(r, B))),
        ("r(AB)", scale(r, matmul(A, B))),
        ("(rA)B", matmul(scale(r, A), B)),
        ("rAB", scale(r, matmul(A, B))),
        ("Ar", scale(r, A, "right")),
        (r"A^\top", transpose(A)),
        (r"A^{\mathsf T}", transpose(A)),
        (r"\mathbf{A}^{T}", transpose(symbol("A", "m", "n"))),
        (r"A\mathbf{u}", matmul(A, u)),
        (r"A\vec{u}", matmul(A, u)),
        (r"\mathbf{u}\cdot\mathbf{v}", dot(u, v)),
        (r"\mathbf{u}^T\mathbf{v}A", scale(matmul(transpose(u), v), A)),
        (r"(\mathbf{u}\cdot\mathbf{v})A", scale(dot(u, v), A)),
        ("2(-4)", scale(number(2), neg(number(4)))),
        (r"A\circ A", hadamard(A, A)),
        (r"A\otimes B", kronecker(A, B)),
        (r"\operatorname{tr}(AA^T)", trace(matmul(A, transpose(A)))),
        ("(AA^T)^2", power(matmul(A, transpose(A)), 2)),
        ("(AB)_{ij}", entry(matmul(A, B), "i", "j")),
        ("(AB)_{2,3}", entry(matmul(A, B), 2, 3)),
        ("a_{ij}", entry(A, "i", "j")),
        ("a_{24}", entry(A, 2, 4)),
        ("A_{24}", entry(A, 2, 4)),
        ("u_3", entry(u, 3, 1)),
        (r"\mathbf{b}_j", column(B, "j")),
        (r"\sum_{\ell=1}^{n}a_{i\ell}b_{\ell j}", sum_over(r"\ell", 1, "n", scale(entry(A, "i", r"\ell"), entry(B, r"\ell", "j")))),
        (r"(5,-2,-1)", literal([[5], [neg(number(2))], [neg(number(1))]])),
        (r"\begin{bmatrix}1 & 2\\3 & 4\end{bmatrix}", literal([[1, 2], [3, 4]])),
        (r"\begin{pmatrix}1 \amp 2\end{pmatrix}", literal([[1, 2]])),
        (r"\left[\begin{array}{rr}1&0\\0&1\end{array}\right]", literal([[1, 0], [0, 1]])),
        (r"I_3", identity(3)),
        (r"\mathbf{1}_n", ones("n")),
    ],
)  # fmt: skip
def test_terms(latex: str, term: Term) -> None:
    assert read(latex, where=WHERE) is term


def test_families_with_dots() -> None:
    family = read(
        r"\begin{bmatrix}A\mathbf{b}_1 & A\mathbf{b}_2 & \cdots & A\mathbf{b}_k\end{bmatrix}", where=WHERE
    )
    assert family is column_family("j", 1, "k", matmul(A, column(B, "j")))
    rows = read(
        r"\begin{bmatrix}\mathbf{q}_1^T\\ \mathbf{q}_2^T\\ \vdots\\ \mathbf{q}_L^T\end{bmatrix}",
        where="Q: L x d rows",
    )
    assert rows is row_family("j", 1, "L", row(symbol("Q", "L", "d"), "j"))
    table = read(
        r"\begin{bmatrix}a_{11} & a_{12} & \cdots & a_{1n}\\a_{21} & a_{22} & \cdots & a_{2n}\\"
        r"\vdots & \vdots & \ddots & \vdots\\a_{m1} & a_{m2} & \cdots & a_{mn}\end{bmatrix}",
        where="A: m x n",
    )
    assert table is row_family("i", 1, "m", column_family("j", 1, "n", entry(A, "i", "j")))
    total = read(
        r"a_{i1}\mathbf{v}_1+a_{i2}\mathbf{v}_2+\cdots+a_{in}\mathbf{v}_n",
        where=["A: m x n", "V: d x n columns"],
    )
    V = symbol("V", "d", "n")
    assert total is sum_over("j", 1, "n", scale(entry(A, "i", "j"), column(V, "j")))


def test_a_family_whose_members_do_not_follow_one_pattern_is_not_guessed() -> None:
    with pytest.raises(UnsupportedError, match="do not follow one pattern"):
        read("x_1+x_3+\\cdots+x_n")


def statement(latex: str, where: object = ()) -> Statement:
    found = read(latex, where=where)  # type: ignore[arg-type]
    assert isinstance(found, Statement)
    return found


def test_sizes_are_inferred_most_generally() -> None:
    lines = shapes("(AB)^T=B^TA^T").names
    assert [(name, str(rows), str(cols)) for name, (rows, cols) in lines] == [
        ("A", "m", "n"),
        ("B", "n", "k"),
    ]
    square = shapes("AB=BA").names
    assert len({size for _, (rows, cols) in square for size in (rows, cols)}) == 1  # AB and BA of one size
    assert statement("AB=0").rhs.op == "zero"
    assert statement("rA=0", "r: scalar").rhs.op == "zero"
    assert statement("IA=A").lhs.args[0].op == "identity"


def test_a_sum_limit_settles_the_inner_size() -> None:
    found = statement(r"(AB)_{ij}=\sum_{\ell=1}^{n}a_{i\ell}b_{\ell j}")
    product = found.lhs.args[0]
    assert product.args[0].cols == Dim.of("n") == product.args[1].rows


@pytest.mark.parametrize(
    ("latex", "where", "message"),
    [
        (
            "AB",
            ["A: 2 x 3", "B: 2 x 3"],
            "A is 2×3 and B is 2×3: the 3 columns of A do not match the 2 rows of B",
        ),
        ("A+B", ["A: 2 x 3", "B: 3 x 2"], "A is 2×3 and B is 3×2: a sum needs matrices of the same size"),
        ("A^2", ["A: 2 x 3"], "a power needs a square matrix, but A is 2×3"),
        (r"\operatorname{tr}(A)", ["A: 2 x 3"], "tr needs a square matrix, but A is 2×3"),
        (
            r"\mathbf{u}\cdot\mathbf{v}",
            ["u: 2", "v: 3"],
            r"\mathbf{u} is 2×1 and \mathbf{v} is 3×1: a dot product needs vectors of the same size",
        ),
        ("a_{31}", ["A: 2 x 2"], "there is no row 3 in A, which is 2×2"),
    ],
)
def test_a_clash_names_both_places_and_both_sizes(latex: str, where: list[str], message: str) -> None:
    with pytest.raises(ShapeError) as caught:
        read(latex, where=where)
    assert message in str(caught.value)


def test_sides_of_different_size_clash() -> None:
    with pytest.raises(ShapeError, match=r"K\^T is 3×5 and K is 5×3: the two sides of = differ in size"):
        read("K^T=K", where="K: 5 x 3")


@pytest.mark.parametrize(
    ("latex", "kind"),
    [
        (r"m\times n", SizeOf),
        (r"\mathbb R^{m\times n}", Space),
        (r"\mathbb{R}^3", Space),
        ("A,B,C", Items),
        (r"\mathbf{x}\mapsto A(B\mathbf{x})", MapsTo),
        (r"\{1,2,3\}", Thing),
    ],
)
def test_values_that_are_no_terms(latex: str, kind: type) -> None:
    (clause,) = elaborate(parse(latex)).clauses
    value = clause.value if clause.value is not None else clause.links[0].lhs
    assert isinstance(value, kind)


def test_a_map_has_a_domain_and_a_codomain() -> None:
    table = shapes(r"\mathbf{x}\mapsto A(B\mathbf{x})", where=["A: 4 x 3", "B: 3 x 2"])
    assert table.maps == (("x ↦ A(Bx)", "2", "4"),)


def test_elaboration_leaves_the_context_alone() -> None:
    context = Context()
    elaborate(parse("AB=BA"), context)
    assert context == Context()


def test_what_is_no_matrix_expression_says_so() -> None:
    with pytest.raises(UnsupportedError, match="a set"):
        read(r"\{1,2\}")
    with pytest.raises(ReadError):
        read("")
