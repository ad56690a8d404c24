"""Terms compute their own shape, are interned, and cannot be forged."""

import copy
import pickle

import pytest

from symlin import construct as c
from symlin.dims import Dim
from symlin.errors import ShapeError
from symlin.term import Term, is_genuine, make, substitute, symbols

A = c.symbol("A", "m", "n")
B = c.symbol("B", "n", "k")
x = c.symbol("x", "n", 1, "bold")
r = c.symbol("r", 1, 1)


def test_equal_means_identical() -> None:
    assert A @ B is c.matmul(A, B)
    assert c.matmul(A, B, B.T) is not c.matmul(c.matmul(A, B), B.T)


def test_nothing_is_simplified() -> None:
    assert A.T.T is not A
    assert (A + A).op == "add"
    assert c.neg(c.neg(A)) is not A


@pytest.mark.parametrize(
    ("term", "rows", "cols"),
    [
        (A @ B, "m", "k"),
        (A.T, "n", "m"),
        (c.kronecker(A, B), "mn", "kn"),
        (c.vec(A), "mn", 1),
        (c.trace(A @ A.T), 1, 1),
        (c.column(A, "j"), "m", 1),
        (c.row(A, 2), 1, "n"),
        (A[1, 2], 1, 1),
        (c.columns([A, c.symbol("C", "m", "p")]), "m", "n+p"),
        (c.column_family("j", 1, "k", A @ c.column(B, "j")), "m", "k"),
        (c.row_family("i", 1, "m", c.row(A, "i")), "m", "n"),
        (c.diag(x), "n", "n"),
        (c.diagpart(A @ A.T), "m", 1),
        (c.literal([[1, 2, 3], [4, 5, 6]]), 2, 3),
        (c.dot(x, x), 1, 1),
        (c.divide(A, r), "m", "n"),
        (c.sum_over("l", 1, "n", c.column(A, "l")), "m", 1),
        (c.permutation([2, 1, 3]), 3, 3),
        (c.unit("i", "n"), "n", 1),
    ],
)
def test_shapes(term: Term, rows: object, cols: object) -> None:
    assert term.shape == (Dim.of(rows), Dim.of(cols))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "build",
    [
        lambda: A @ A,
        lambda: A + B,
        lambda: c.trace(A),
        lambda: c.inverse(A),
        lambda: c.hadamard(A, B),
        lambda: c.dot(x, c.symbol("y", "m", 1)),
        lambda: c.dot(A, A),
        lambda: c.literal([[1, 2], [3]]),
        lambda: c.literal([[1, A]]),
        lambda: c.scale(A, B),
        lambda: c.divide(A, B),
        lambda: c.entry(c.symbol("M", 2, 3), 3, 1),
        lambda: c.entry(A, 0, 1),
        lambda: c.block([[A, A], [B, B]]),
        lambda: c.permutation([1, 1]),
        lambda: c.unit(4, 3),
        lambda: c.row_family("i", 1, 3, A),
        lambda: c.column_family("j", 3, 1, x),
        lambda: c.power(A, 2),
    ],
)
def test_parts_that_do_not_fit_are_refused(build: object) -> None:
    with pytest.raises(ShapeError):
        build()  # type: ignore[operator]


def test_the_message_names_both_operands_and_both_sizes() -> None:
    with pytest.raises(ShapeError) as caught:
        c.symbol("A", 2, 3) @ c.symbol("B", 2, 3)
    assert str(caught.value) == (
        "in AB: A is 2×3 and B is 2×3: the 3 columns of A do not match the 2 rows of B"
    )
    assert (caught.value.left, caught.value.right) == ("A is 2×3", "B is 2×3")


def test_a_one_by_one_factor_that_does_not_conform_is_a_scalar_multiple() -> None:
    assert (r * A).op == "scale"
    assert (A * r).op == "scale"
    assert (c.dot(x, x) * A).op == "scale"
    assert (x @ c.dot(x, x)).op == "matmul"


def test_ill_shaped_terms_cannot_be_forged() -> None:
    with pytest.raises(TypeError):
        Term(object(), "symbol", (), ("A", "", Dim.of(2), Dim.of(2)))
    with pytest.raises(TypeError):
        make("no such constructor")  # type: ignore[arg-type]
    with pytest.raises(AttributeError):
        A.rows = Dim.of(7)  # type: ignore[misc]
    blank = object.__new__(Term)
    assert not is_genuine(blank)
    for name, value in (
        ("op", "symbol"),
        ("args", ()),
        ("data", A.data),
        ("rows", Dim.of(1)),
        ("cols", Dim.of(1)),
    ):
        object.__setattr__(blank, name, value)
    assert not is_genuine(blank)
    with pytest.raises(TypeError):
        make("transpose", blank)
    with pytest.raises(TypeError):

        class Fake(Term):
            pass

        Fake(None, "symbol", (), A.data)


def test_copies_and_pickles_are_the_term_itself() -> None:
    term = A @ B + c.zero("m", "k")
    assert copy.copy(term) is term
    assert copy.deepcopy(term) is term
    assert pickle.loads(pickle.dumps(term)) is term
    assert is_genuine(term)


def test_substitution_replaces_letters_and_sizes_at_once() -> None:
    square = c.symbol("S", "n", "n")
    swapped = substitute(A @ B, {A: c.symbol("P", "m", "n"), B: c.symbol("Q", "n", "k")})
    assert [str(s.data[0]) for s in symbols(swapped)] == ["P", "Q"]
    assert substitute(square, {}, {"n": Dim.of(3)}).shape == (Dim.of(3), Dim.of(3))
    with pytest.raises(ShapeError):
        substitute(A @ B, {B: c.symbol("Q", "m", "k")})


def test_substitution_does_not_capture_a_free_index() -> None:
    body = c.entry(A, "i", "l")
    total = c.sum_over("l", 1, "n", body)
    moved = substitute(total, {}, {"i": Dim.symbol("l")})
    assert moved.data[0] != "l"
    assert moved.args[0].data[0] == Dim.symbol("l")
    assert moved.args[0].data[1] == Dim.symbol(str(moved.data[0]))


def test_floats_are_refused_with_advice() -> None:
    with pytest.raises(
        TypeError, match=r"0\.5 is a float; write an exact number: fractions\.Fraction\('0\.5'\)"
    ):
        A * 0.5
