"""Exact values, decimals as roundings, and the reasons of refutations."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
import sympy

from symlin import construct as c
from symlin.decide.evaluation import UndefinedError
from symlin.decide.numeric import decide_numeric, evaluate
from symlin.errors import UnsupportedError
from symlin.statement import Statement
from symlin.term import Term

M = c.literal([[1, 2], [3, 4]])
N = c.literal([[0, -1], [1, 0]])
col = c.literal([[1], [2], [3]])


def ints(term: Term, sizes: dict[str, int] | None = None) -> list[list[Any]]:
    return [[int(x) if x.denominator == 1 else x for x in line] for line in evaluate(term, sizes=sizes)]


def rational(text: str) -> Term:
    digits = len(text.split(".")[1]) if "." in text else 0
    return c.number(Fraction(text), digits)


VALUES: dict[str, tuple[Term, list[list[Any]]]] = {
    "matmul": (M @ N, [[2, -1], [4, -3]]),
    "add": (M + N, [[1, 1], [4, 4]]),
    "neg": (-M, [[-1, -2], [-3, -4]]),
    "scale": (c.scale(c.number(3), N), [[0, -3], [3, 0]]),
    "divide": (M / 2, [[Fraction(1, 2), 1], [Fraction(3, 2), 2]]),
    "power": (M**3, [[37, 54], [81, 118]]),
    "power zero": (M**0, [[1, 0], [0, 1]]),
    "negative power": (M**-2, [[Fraction(11, 2), Fraction(-5, 2)], [Fraction(-15, 4), Fraction(7, 4)]]),
    "transpose": (M.T, [[1, 3], [2, 4]]),
    "adjoint": (M.H, [[1, 3], [2, 4]]),
    "inverse": (M.inv, [[-2, 1], [Fraction(3, 2), Fraction(-1, 2)]]),
    "pseudoinverse": (
        c.pseudoinverse(c.literal([[1, 1], [0, 0]])),
        [[Fraction(1, 2), 0], [Fraction(1, 2), 0]],
    ),
    "pseudoinverse of zero": (c.pseudoinverse(c.zero(2, 1)), [[0, 0]]),
    "trace": (c.trace(M), [[5]]),
    "determinant": (c.determinant(M), [[-2]]),
    "determinant 4": (
        c.determinant(c.literal([[2, 0, 1, 3], [0, 1, 0, 2], [1, 1, 0, 0], [3, 0, 2, 1]])),
        [[7]],
    ),
    "dot": (c.dot(col, col), [[14]]),
    "hadamard": (c.hadamard(M, N), [[0, -2], [3, 0]]),
    "kronecker": (c.kronecker(c.literal([[1, 2]]), N), [[0, -1, 0, -2], [1, 0, 2, 0]]),
    "diag": (c.diag(c.literal([[1], [2]])), [[1, 0], [0, 2]]),
    "diagpart": (c.diagpart(M), [[1], [4]]),
    "vec": (c.vec(M), [[1], [3], [2], [4]]),
    "entry": (M[2, 1], [[3]]),
    "row": (M.row(2), [[3, 4]]),
    "column": (M.column(1), [[1], [3]]),
    "columns": (c.columns([c.literal([[1], [2]]), N]), [[1, 0, -1], [2, 1, 0]]),
    "rows": (c.rows([c.literal([[7, 8]]), N]), [[7, 8], [0, -1], [1, 0]]),
    "block": (
        c.block([[c.number(1), c.literal([[2, 3]])], [c.literal([[4], [5]]), N]]),
        [[1, 2, 3], [4, 0, -1], [5, 1, 0]],
    ),
    "identity": (c.identity(2), [[1, 0], [0, 1]]),
    "zero": (c.zero(1, 2), [[0, 0]]),
    "ones": (c.ones(2, 1), [[1], [1]]),
    "unit": (c.unit(2, 3), [[0], [1], [0]]),
    "permutation": (c.permutation([2, 3, 1]), [[0, 1, 0], [0, 0, 1], [1, 0, 0]]),
    "sum": (c.sum_over("t", 1, 2, M["t", "t"] * c.size("t")), [[9]]),
    "nested sum": (c.sum_over("i", 1, 2, c.sum_over("j", 1, "i", M["i", "j"])), [[8]]),
    "empty sum": (c.sum_over("t", 3, 2, M.column(1)), [[0], [0]]),
    "column family": (c.column_family("j", 1, 2, M @ N.column("j")), [[2, -1], [4, -3]]),
    "row family": (c.row_family("i", 1, 2, M.row("i") @ N), [[2, -1], [4, -3]]),
    "rank": (c.scalar_function("rank", c.literal([[1, 2], [2, 4]])), [[1]]),
    "norm": (c.scalar_function("norm", c.literal([[3], [4]])), [[5]]),
}


@pytest.mark.parametrize("name", VALUES)
def test_the_value_of_each_constructor(name: str) -> None:
    term, expected = VALUES[name]
    assert ints(term) == expected


def test_symbolic_sizes_take_values() -> None:
    assert ints(c.trace(c.identity("n")) - c.size("n+1"), {"n": 4}) == [[-1]]
    A = c.symbol("A", "m", "n")
    assert evaluate(A @ c.ones("n", 1), {A: ((Fraction(1), Fraction(2)),)}, {"m": 1, "n": 2}) == ((3,),)


def test_sympy_agrees_on_determinants_and_inverses() -> None:
    grid = [[2, -1, 0, 3], [4, 1, 1, 0], [0, 5, -2, 1], [1, 1, 1, 1]]
    theirs = sympy.Matrix(grid)
    ours = evaluate(c.literal(grid).inv)
    assert [
        [sympy.Rational(x.numerator, x.denominator) for x in line] for line in ours
    ] == theirs.inv().tolist()
    assert evaluate(c.determinant(c.literal(grid)))[0][0] == int(theirs.det())


def test_what_has_no_value_says_so() -> None:
    with pytest.raises(UndefinedError, match="a division by 0"):
        evaluate(M / c.number(0))
    with pytest.raises(UndefinedError, match="determinant 0"):
        evaluate(c.literal([[1, 2], [2, 4]]).inv)
    with pytest.raises(UndefinedError, match="there is no row 3 among 2"):
        evaluate(M["i", 1], sizes={"i": 3})
    with pytest.raises(UnsupportedError, match="T_A has no formula here"):
        evaluate(c.apply("T_A", 2, c.literal([[1], [2]])))
    with pytest.raises(UnsupportedError, match="A has no value here"):
        evaluate(c.symbol("A", 2, 2))
    with pytest.raises(UnsupportedError, match="the size n has no value here"):
        evaluate(c.identity("n"))


# --- statements -----------------------------------------------------------------------------------------------


def outcome(lhs: Term, rhs: Term, relation: str = "=") -> tuple[str, str]:
    verdict = decide_numeric(Statement(lhs, rhs, relation))
    return verdict.kind, verdict.reason


EXACT = "both sides were computed exactly"


def test_exact_equations() -> None:
    assert outcome(rational("1/2") + rational("1/3"), rational("5/6")) == ("holds", EXACT)
    assert outcome(M @ N, c.literal([[2, -1], [4, -3]])) == ("holds", EXACT)


def test_a_wrong_number_is_refuted_with_the_right_one() -> None:
    lhs = c.dot(c.literal([[2], [4]]), c.literal([[-4], [-1]]))
    assert outcome(lhs, c.number(-10))[0] == "refuted"
    assert outcome(lhs, c.number(-10))[1].endswith("is -12, but the right side is -10")
    assert outcome(c.number(7), c.number(8)) == ("refuted", "the left side is 7, but the right side is 8")


def test_a_wrong_matrix_is_refuted_at_its_first_wrong_entry() -> None:
    statement = Statement(M @ N, c.literal([[2, 1], [4, 3]]))
    verdict = decide_numeric(
        statement, shown=Statement(c.symbol("M", 2, 2) @ c.symbol("N", 2, 2), statement.rhs)
    )
    assert verdict.kind == "refuted"
    assert verdict.reason == (
        "MN is [2 -1; 4 -3]: its entry (1, 2) is -1, but the right side has 1 (1 more entry differs)"
    )
    assert verdict.counterexample is not None
    assert verdict.counterexample.place == (1, 2)
    assert verdict.counterexample.lhs == ((2, -1), (4, -3))


def test_the_side_that_is_only_numbers_is_the_wrong_one() -> None:
    kind, reason = outcome(c.literal([[2, 1], [4, -3]]), M @ N)
    assert kind == "refuted"
    assert reason.endswith("is [2 -1; 4 -3]: its entry (1, 2) is -1, but the left side has 1")


def test_decimals_are_roundings() -> None:
    third = rational("1/3")
    assert outcome(third, rational("0.33")) == (
        "holds",
        "true as a rounding to 2 digits after the point: the exact value is 1/3",
    )
    assert outcome(third, rational("0.34")) == (
        "refuted",
        "the left side is 1/3, which rounds to 0.33, but the right side is 0.34",
    )
    assert outcome(rational("0.5"), rational("1/2")) == ("holds", EXACT)
    assert outcome(rational("0.33"), third, r"\approx")[0] == "holds"


def test_decimals_inside_may_be_rounded() -> None:
    kind, reason = outcome(rational("0.33") * c.number(3), c.number(1))
    assert kind == "unknown"
    assert reason == "with the digits given the value is 99/100, and these may be rounded"
    assert outcome(rational("0.33") * c.number(3), c.number(2))[0] == "refuted"
    assert outcome(rational("0.5") * c.number(3), rational("1.6"))[0] == "refuted"
    assert outcome(rational("0.333") * c.number(3), rational("1.00"))[0] == "holds"


def test_approximations() -> None:
    assert outcome(rational("2/3"), rational("0.66"), r"\approx") == (
        "unknown",
        "the digits were cut off and not rounded",
    )
    assert outcome(rational("2/3"), rational("0.68"), r"\approx")[0] == "refuted"
    assert outcome(rational("22/7"), c.number(3), r"\approx")[0] == "holds"
    assert outcome(rational("1/3"), rational("1/2"), r"\approx")[0] == "unknown"


def test_order_and_inequality() -> None:
    assert outcome(c.number(2), c.number(3), "<")[0] == "holds"
    assert outcome(c.number(3), c.number(3), r"\le")[0] == "holds"
    assert outcome(c.number(2), c.number(3), r"\ge") == (
        "refuted",
        "the left side is 2, the right side is 3",
    )
    assert outcome(M @ N, N @ M, r"\ne")[0] == "holds"
    assert outcome(M, M, r"\ne") == ("refuted", "both sides are [1 2; 3 4]")
    assert outcome(M, N, "<")[0] == "unsupported"


def test_singular_and_undefined() -> None:
    kind, reason = outcome(c.literal([[1, 2], [2, 4]]).inv, M)
    assert kind == "refuted"
    assert reason.endswith("has no inverse: its determinant is 0")
    singular = c.literal([[1, 2], [2, 4]])
    assert outcome(singular.inv, singular.T.inv)[0] == "unknown"
    assert outcome(c.number(1) / c.number(0), c.number(1)) == (
        "unknown",
        "the statement has no value: a division by 0",
    )


def test_algebraic_numbers() -> None:
    root2, root3 = c.opaque(sympy.sqrt(2)), c.opaque(sympy.sqrt(3))
    assert outcome(root2 * root3, c.opaque(sympy.sqrt(6)))[0] == "holds"
    assert outcome(root2 * root2, c.number(2))[0] == "holds"
    assert outcome(root2 + root3, c.opaque(sympy.sqrt(5)))[0] == "refuted"
    assert outcome(root2, rational("1.41"))[0] == "holds"
    assert outcome(root2, rational("1.42"))[0] == "refuted"
    assert outcome(root2, rational("3/2"), "<")[0] == "holds"
    imaginary = c.opaque(sympy.I)
    assert outcome(imaginary * imaginary, c.number(-1))[0] == "holds"
    assert outcome(c.conjugate(imaginary), -imaginary)[0] == "holds"
    rotation = c.literal([[root2 / 2, -root2 / 2], [root2 / 2, root2 / 2]])
    assert outcome(rotation @ rotation.T, c.identity(2))[0] == "holds"
    assert outcome(rotation.inv, rotation.T)[0] == "holds"


def test_softmax() -> None:
    scores = c.literal([[1, 0]])
    assert outcome(c.row_softmax(scores), c.literal([[rational("0.731"), rational("0.269")]]))[0] == "holds"
    assert outcome(c.row_softmax(scores), c.literal([[rational("0.732"), rational("0.269")]]))[0] == "refuted"
    assert outcome(c.row_softmax(c.zero(1, 2)), c.literal([[Fraction(1, 2), Fraction(1, 2)]]))[0] == "holds"


def test_what_cannot_be_computed_is_named() -> None:
    kind, reason = outcome(c.scalar_function("cond", M), c.number(3))
    assert (kind, reason) == ("unsupported", "cond is outside what symlin decides")
