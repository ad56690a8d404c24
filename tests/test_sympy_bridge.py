"""Terms to and from SymPy and NumPy: values against NumPy integers, structure kept, exact error texts."""

from __future__ import annotations

import doctest
import itertools
import subprocess
import sys
from collections.abc import Callable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

import symlin
from symlin import construct as c
from symlin.dims import Dim
from symlin.errors import BudgetError, ShapeError, SymlinError, UnsupportedError
from symlin.statement import Statement
from symlin.sympy_bridge import from_any, statement_from, statement_to_sympy, to_sympy
from symlin.term import Term, symbols

ONE = Dim.of(1)
m, n, k = sp.symbols("m n k", integer=True, positive=True)
A, B, C = c.symbol("A", "m", "n"), c.symbol("B", "n", "k"), c.symbol("C", "k", "m")
S, T = c.symbol("S", "n", "n"), c.symbol("T", "n", "n")
x, y = c.symbol("x", "n", 1, "bold"), c.symbol("y", "n", 1, "bold")
r, s = c.symbol("r", 1, 1), c.symbol("s", 1, 1)
SA, SB, SC = sp.MatrixSymbol("A", m, n), sp.MatrixSymbol("B", n, k), sp.MatrixSymbol("C", k, m)
SS, ST = sp.MatrixSymbol("S", n, n), sp.MatrixSymbol("T", n, n)


def symlin_accepts() -> str:
    return "a Term, an int, a Fraction, a SymPy expression or matrix, a NumPy array of exact numbers or a list of rows"


# --- the oracle: Terms evaluated by NumPy on exact integers and fractions --------------------------------------


class Oracle:
    """The value of a Term as an object array; knows nothing of the bridge."""

    def __init__(self, sizes: Mapping[str, int], values: dict[tuple[Any, int, int], np.ndarray]) -> None:
        self.sizes, self.values = sizes, values

    def dim(self, dim: object) -> int:
        total = 0
        for mono, coefficient in cast(Dim, dim).terms:
            total += coefficient * int(
                np.prod([self.sizes[name] ** power for name, power in mono], dtype=object)
            )
        return total

    def under(self, term: Term) -> list[np.ndarray]:
        index, lo, hi = cast("tuple[str, Dim, Dim]", term.data)
        return [
            Oracle({**self.sizes, index: at}, self.values).value(term.args[0])
            for at in range(self.dim(lo), self.dim(hi) + 1)
        ]

    def value(self, term: Term) -> np.ndarray:
        if term.op in ("sum", "column_family", "row_family"):
            bodies = self.under(term)
            return {"sum": sum, "column_family": np.hstack, "row_family": np.vstack}[term.op](bodies)
        return self.combine(term, [self.value(arg) for arg in term.args])

    def combine(self, term: Term, parts: list[np.ndarray]) -> np.ndarray:
        rows, cols = self.dim(term.rows), self.dim(term.cols)
        data, first = term.data, parts[0] if parts else np.zeros((1, 1), object)
        match term.op:
            case "symbol":
                return self.values[data[0], rows, cols]
            case "number":
                return np.array([[data[0]]], object)
            case "size":
                return np.array([[self.dim(data[0])]], object)
            case "literal" | "block":
                width = cast(int, data[1])
                return np.block([parts[at : at + width] for at in range(0, len(parts), width)])
            case "columns":
                return np.hstack(parts)
            case "rows":
                return np.vstack(parts)
            case "identity":
                return np.eye(rows, dtype=int).astype(object)
            case "zero" | "ones":
                return np.full((rows, cols), int(term.op == "ones"), object)
            case "unit":
                return np.array([[int(i + 1 == self.dim(data[0]))] for i in range(rows)], object)
            case "permutation":
                return np.array([[int(p == j + 1) for j in range(cols)] for p in cast(Any, data[0])], object)
            case "add":
                return sum(parts[1:], first)
            case "neg":
                return -first
            case "scale":
                return first[0, 0] * parts[1]
            case "divide":
                return first * (Fraction(1) / parts[1][0, 0])
            case "matmul":
                product = first
                for part in parts[1:]:
                    product = product.dot(part)
                return product
            case "power":
                product = np.eye(rows, dtype=int).astype(object)
                for _ in range(self.dim(data[0])):
                    product = product.dot(first)
                return product
            case "transpose" | "adjoint":
                return first.T
            case "conjugate":
                return first
            case "trace":
                return np.array([[sum(first[i, i] for i in range(len(first)))]], object)
            case "determinant":
                return np.array([[leibniz(first)]], object)
            case "dot":
                return first.T.dot(parts[1])
            case "hadamard":
                return first * parts[1]
            case "kronecker":
                return np.kron(first, parts[1])
            case "diag":
                return np.array(
                    [[first[i, 0] * int(i == j) for j in range(rows)] for i in range(rows)], object
                )
            case "diagpart":
                return np.array([[first[i, i]] for i in range(rows)], object)
            case "vec":
                return first.reshape((-1, 1), order="F")
            case "entry":
                return np.array([[first[self.dim(data[0]) - 1, self.dim(data[1]) - 1]]], object)
            case "row":
                return first[[self.dim(data[0]) - 1], :]
            case "column":
                return first[:, [self.dim(data[0]) - 1]]
        raise AssertionError(term.op)


def leibniz(matrix: np.ndarray) -> Any:
    total: Any = 0
    for order in itertools.permutations(range(len(matrix))):
        swaps = sum(a > b for a, b in itertools.combinations(order, 2))
        product: Any = (-1) ** swaps
        for i, j in enumerate(order):
            product *= matrix[i, j]
        total += product
    return total


# --- random Terms -----------------------------------------------------------------------------------------------

SIZES = [Dim.of("m"), Dim.of("n"), Dim.of(2), Dim.of("m") + 1]


class Draw:
    """Draws Terms of a given shape; indices in scope may be used."""

    def __init__(self, draw: Callable[[Any], Any]) -> None:
        self.pull = draw
        self.indices: list[tuple[str, Dim]] = []
        self.count = 0

    def choose(self, options: Any) -> Any:
        return self.pull(st.sampled_from(list(options)))

    def size(self) -> Dim:
        return cast(Dim, self.choose(SIZES))

    def within(self, count: Dim) -> Dim:
        """An index that is in range for this size."""
        fitting = [Dim.of(name) for name, top in self.indices if top == count]
        return cast(Dim, self.choose([ONE, count, *fitting]))

    def binder(self, op: Callable[..., Term], count: Dim, body: Callable[[], Term]) -> Term:
        name = self.choose(["i", "j", r"\ell"])
        outer = list(self.indices)
        self.indices = [pair for pair in outer if pair[0] != name] + [(name, count)]
        try:
            return op(name, 1, count, body())
        finally:
            self.indices = outer

    def leaf(self, rows: Dim, cols: Dim) -> Term:
        scalar = rows.constant == cols.constant == 1
        options: list[Callable[[], Term]] = [
            lambda: (
                c.symbol(self.choose("AB"), rows, cols)
                if not scalar and cols.constant != 1
                else c.symbol(
                    self.choose([r"\alpha", "r"] if scalar else "xy"), rows, cols, "" if scalar else "bold"
                )
            )
        ] * 4
        options += [lambda: c.zero(rows, cols), lambda: c.ones(rows, cols)]
        if rows == cols:
            options.append(lambda: c.identity(rows))
        if cols.constant == 1:
            options.append(lambda: c.unit(self.within(rows), rows))
        if scalar:
            number = st.fractions(-3, 3, max_denominator=3)
            options += [lambda: c.number(self.pull(number)), lambda: c.size(self.size())]
            options += [lambda: c.size(self.choose(self.indices or [("n", ONE)])[0])]
        if rows.constant is not None and cols.constant is not None and not scalar:
            height, width = rows.constant, cols.constant
            options.append(
                lambda: c.literal(
                    [[self.pull(st.integers(-2, 2)) for _ in range(width)] for _ in range(height)]
                )
            )
        if rows == cols and rows.constant == 2:
            options.append(lambda: c.permutation(self.choose([(1, 2), (2, 1)])))
        return cast(Term, self.choose(options)())

    def term(self, rows: Dim, cols: Dim, depth: int) -> Term:
        if depth == 0:
            return self.leaf(rows, cols)
        d = depth - 1

        def same() -> Term:
            return self.term(rows, cols, d)

        def product() -> Term:
            inner = self.size()
            return c.matmul(self.term(rows, inner, d), self.term(inner, cols, d))

        def sized(make: Callable[[Dim], Term]) -> Callable[[], Term]:
            return lambda: make(self.size())

        options: list[Callable[[], Term]] = [
            product,
            product,
            lambda: c.add(same(), same()),
            lambda: c.neg(same()),
            lambda: c.scale(self.term(ONE, ONE, d), same(), self.choose(["left", "right"])),
            lambda: c.divide(same(), c.number(self.choose([2, -3]))),
            lambda: self.choose([c.transpose, c.adjoint])(self.term(cols, rows, d)),
            lambda: c.conjugate(same()),
            lambda: c.hadamard(same(), same()),
            lambda: self.binder(c.sum_over, self.size(), same),
            lambda: self.binder(c.column_family, cols, lambda: self.term(rows, ONE, d)),
            lambda: self.binder(c.row_family, rows, lambda: self.term(ONE, cols, d)),
            sized(
                lambda p: (lambda t: c.column(t, self.within(p)) if cols.constant == 1 else t)(
                    self.term(rows, p if cols.constant == 1 else cols, d)
                )
            ),
            sized(
                lambda p: (lambda t: c.row(t, self.within(p)) if rows.constant == 1 else t)(
                    self.term(p if rows.constant == 1 else rows, cols, d)
                )
            ),
        ]
        if rows == cols and rows.constant != 1:
            options += [
                lambda: c.power(same(), self.choose([0, 1, 2])),
                lambda: c.diag(self.term(rows, ONE, d)),
            ]
        if cols.constant == 1:
            options.append(lambda: c.diagpart(self.term(rows, rows, d)))
        if rows.constant == cols.constant == 1:
            options += [
                sized(lambda p: c.trace(self.term(p, p, d))),
                sized(lambda p: c.determinant(self.term(p, p, d))),
                sized(lambda p: c.dot(self.term(p, ONE, d), self.term(p, ONE, d))),
                sized(
                    lambda p: (lambda q: c.entry(self.term(p, q, d), self.within(p), self.within(q)))(
                        self.size()
                    )
                ),
            ]
        if rows.constant == 2:
            options += [lambda: c.rows([self.term(ONE, cols, d), self.term(ONE, cols, d)])]
            options += [lambda: c.kronecker(self.term(rows, ONE, d), self.term(ONE, cols, d))]
        if cols.constant == 2:
            options += [lambda: c.columns([self.term(rows, ONE, d), self.term(rows, ONE, d)])]
        if rows.constant == cols.constant == 2:
            options += [lambda: c.block([[self.term(ONE, ONE, d) for _ in range(2)] for _ in range(2)])]
        if rows == Dim.of("m") + 1:
            options += [lambda: c.rows([self.term(Dim.of("m"), cols, d), self.term(ONE, cols, d)])]
        return cast(Term, self.choose(options)())


@st.composite
def terms(draw: Any, depth: int = 3) -> Term:
    drawer = Draw(draw)
    rows, cols = drawer.size(), drawer.size()
    shape = drawer.choose([(rows, cols), (rows, rows), (rows, ONE), (ONE, ONE)])
    return drawer.term(*shape, draw(st.integers(1, depth)))


@st.composite
def situations(draw: Any, depth: int = 3) -> tuple[Term, Oracle]:
    """A Term with numbers for its sizes and entries."""
    term = draw(terms(depth))
    sizes = {"m": draw(st.integers(1, 2)), "n": draw(st.integers(1, 3))}
    oracle = Oracle(sizes, {})
    for letter in symbols(term):
        rows, cols = oracle.dim(letter.rows), oracle.dim(letter.cols)
        entries = draw(st.lists(st.integers(-3, 3), min_size=rows * cols, max_size=rows * cols))
        oracle.values.setdefault((letter.data[0], rows, cols), np.array(entries, object).reshape(rows, cols))
    return term, oracle


def entry_values(term: Term, oracle: Oracle) -> dict[sp.Symbol, Any] | None:
    """The number of each entry symbol, by the names that docs/sympy.md promises."""
    found: dict[str, tuple[Term, Any]] = {}
    for letter in symbols(term):
        name = cast(str, letter.data[0])
        value = oracle.value(letter)
        for (i, j), number in np.ndenumerate(value):
            where = f"{i + 1}" if letter.cols.constant == 1 else f"{i + 1}{j + 1}"
            key = (
                "alpha" if name == r"\alpha" else name if letter.is_scalar else f"{name.lower()}_{{{where}}}"
            )
            if found.setdefault(key, (letter, number))[0] is not letter:
                return None  # A of two sizes: refused, see test_two_symbols_of_one_name
    return {sp.Symbol(key): number for key, (_, number) in found.items()}


def as_array(value: Any, numbers: Mapping[Any, Any]) -> np.ndarray:
    """An explicit SymPy result with numbers put in."""
    matrix = value if isinstance(value, sp.MatrixBase) else sp.Matrix([[value]])
    done = matrix.applyfunc(lambda entry: sp.sympify(entry).subs(numbers))
    assert all(entry.is_Rational for entry in done), done
    return np.array([[Fraction(int(e.p), int(e.q)) for e in done.row(i)] for i in range(done.rows)], object)


@settings(max_examples=150, deadline=None)
@given(situations())
def test_explicit_agrees_with_numpy(case: tuple[Term, Oracle]) -> None:
    term, oracle = case
    numbers = entry_values(term, oracle)
    if numbers is None:
        with pytest.raises(SymlinError, match="rename one of them"):
            to_sympy(term, explicit=True, sizes=oracle.sizes)
        return
    found = to_sympy(term, explicit=True, sizes=oracle.sizes)
    assert isinstance(found, sp.MatrixBase) != term.is_scalar
    assert (as_array(found, numbers) == oracle.value(term)).all()


@settings(max_examples=200, deadline=None)
@given(situations())
def test_there_and_back_has_the_same_value(case: tuple[Term, Oracle]) -> None:
    term, oracle = case
    back = from_any(to_sympy(term))
    assert back.shape == term.shape
    assert (oracle.value(back) == oracle.value(term)).all()


# --- structure is kept ----------------------------------------------------------------------------------------

KEPT = [
    A @ (B @ C),
    (A @ B) @ C,
    c.matmul(A, B, C),
    A + (A + A),
    c.add(A, A, A),
    S.T.T,
    c.neg(c.neg(S)),
    2 * (3 * S),
    r * (S @ T),
    (r * S) @ T,
    S @ (T * r),
    S / 2,
    S / r,
    c.divide(c.number(1), r),
    (A @ B).T,
    S.inv @ S,
    (S @ T).inv,
    S**2 @ S,
    c.power(S, "k"),
    c.power(S, 0),
    c.power(r, 3),
    S.H,
    c.conjugate(S),
    c.conjugate(r),
    c.trace(S @ T),
    c.trace(S) * c.trace(T),
    c.determinant(S @ T),
    c.hadamard(S, T),
    c.kronecker(A, c.kronecker(B, C)),
    c.kronecker(c.kronecker(A, B), C),
    c.identity("n") @ S,
    c.zero("m", "n") + A,
    c.ones("m", 1) @ x.T,
    c.unit("i", "n"),
    c.permutation([2, 3, 1]),
    c.literal([[1, Fraction(1, 2)], [r, -2]]),
    c.literal([[1, 2]]) + c.literal([[3, 4]]),
    c.dot(x, y),
    x.T @ y,
    c.matmul(x, r),
    (A @ B)["i", "j"],
    A[1, 2],
    A.row("i"),
    A.column(2),
    c.columns([A, A @ S]),
    c.rows([A, C.T @ c.zero("k", "n")]),
    c.block([[A, A], [A, A]]),
    c.diag(x),
    c.diagpart(S),
    c.diagpart(c.literal([[1, 2], [3, 4]])),
    c.sum_over("l", 1, "n", c.scale(A["i", "l"], B["l", "j"])),
    c.sum_over("l", 1, "n", c.matmul(A.column("l"), B.row("l"))),
    c.matmul(A, c.sum_over("l", 1, "k", c.matmul(B.column("l"), C.row("l")))),
    c.sum_over("l", 1, "n", A @ (B @ C)),
    c.column_family("j", 1, "k", A @ B.column("j")),
    c.row_family("i", 1, "m", A.row("i") @ B),
    c.entrywise("exp", S),
    c.entrywise("sqrt", c.number(4)),
    c.entrywise("sin", r),
    c.scalar_function("abs", r),
    c.size("n") * S,
    c.symbol(r"\alpha", 1, 1) * c.symbol(r"\Lambda_1", "n", "n"),
    c.symbol(r"A_{\mathrm{att}}", "n", "n") @ c.symbol("W_Q", "n", "d"),
    c.opaque(sp.gamma(sp.Symbol("t"))) * S,
]


@pytest.mark.parametrize("term", KEPT, ids=str)
def test_there_and_back_is_the_same_term(term: Term) -> None:
    assert from_any(term.to_sympy()) is term


def test_different_terms_are_different_expressions() -> None:
    written = [term.to_sympy() for term in KEPT]
    assert len(set(written)) == len(KEPT)


@pytest.mark.parametrize(
    ("term", "text"),
    [
        (A @ (B @ C), "A*(B*C)"),
        ((A @ B) @ C, "(A*B)*C"),
        (2 * (3 * S), "2*(3*S)"),
        ((A @ B).T, "(A*B).T"),
        (S.inv @ S, "S**(-1)*S"),
        (A["i", "j"], "A[i - 1, j - 1]"),
        (
            c.sum_over("l", 1, "n", c.scale(A["i", "l"], B["l", "j"])),
            "Sum(A[i - 1, l - 1]*B[l - 1, j - 1], (l, 1, n))",
        ),
        (c.sum_over("l", 1, "n", A @ (B @ C)), "Sum(A*(B*C), (l, 1, n))"),
        (c.symbol(r"\alpha", 1, 1) * S, "alpha*S"),
    ],
    ids=str,
)
def test_printed_form(term: Term, text: str) -> None:
    assert str(term.to_sympy()) == text


def test_symbols_are_what_a_sympy_user_would_write() -> None:
    assert to_sympy(A) == SA
    assert to_sympy(x) == sp.MatrixSymbol("x", n, 1)
    assert to_sympy(r) == sp.Symbol("r")
    assert to_sympy(c.size("n")) == n
    assert to_sympy(A @ B).shape == (m, k)
    assert to_sympy(c.symbol("B", "2n+1", 2)).shape == (2 * n + 1, 2)


def test_an_index_of_a_sum_is_renamed_rather_than_captured() -> None:
    inner = c.sum_over("i", 1, "n", c.matmul(A.column("i"), A.column("i").T))
    back = from_any(to_sympy(c.transpose(inner) @ inner))
    assert back is c.transpose(inner) @ inner
    free = c.sum_over("i", 1, "n", S["i", "j"]) + S["i", "i"]
    assert [str(part) for part in to_sympy(free).args] == [
        "Sum(S[i' - 1, j - 1], (i', 1, n))",
        "S[i - 1, i - 1]",
    ]


# --- SymPy's own evaluation of what it is given ---------------------------------------------------------------

EVALUATED = [
    A @ (B @ C),
    c.matmul(A, B) + c.matmul(A, B),
    r * (S @ T) - S / 2,
    (S @ T).T @ S,
    S**2,
    c.trace(S @ T) * S,
    c.determinant(S) * c.identity("n"),
    c.hadamard(S, T),
    c.kronecker(S, T),
    c.ones("n", "n") @ S,
    c.zero("n", "n") + S,
    (A @ B)[1, 2],
    S.row(2) @ T,
    c.columns([S, T]),
    c.block([[S, T], [T, S]]),
    c.permutation([2, 1]) @ c.symbol("P", 2, 2),
    c.sum_over("l", 1, "n", c.scale(S[1, "l"], T["l", 2])),
    c.column_family("j", 1, "n", S @ T.column("j")),
    c.row_family("i", 1, "n", S.row("i") @ T),
    c.unit(2, "n"),
    c.diag(x) @ S,
]


def at_sizes(term: Term) -> Oracle:
    """Numbers for sizes and entries."""
    oracle = Oracle({"m": 3, "n": 2, "k": 2}, {("r", 1, 1): np.array([[5]], object)})
    for place, letter in enumerate(letter for letter in symbols(term) if not letter.is_scalar):
        rows, cols = oracle.dim(letter.rows), oracle.dim(letter.cols)
        value = (np.arange(rows * cols) * (place + 2) % 7 - 2).reshape(rows, cols).astype(object)
        oracle.values[letter.data[0], rows, cols] = value
    return oracle


@pytest.mark.parametrize("term", EVALUATED, ids=str)
def test_sympy_evaluates_what_it_is_given_to_the_same(term: Term) -> None:
    oracle = at_sizes(term)
    numbers: dict[Any, Any] = {sp.Symbol("r"): 5}
    for (name, rows, cols), value in oracle.values.items():
        numbers[sp.MatrixSymbol(name, rows, cols)] = sp.ImmutableMatrix(value)
    expression = to_sympy(term, sizes=oracle.sizes).xreplace(numbers)
    result = expression.as_explicit() if isinstance(expression, sp.MatrixExpr) else expression
    assert (as_array(result.doit(), {}) == oracle.value(term)).all()


@pytest.mark.parametrize(
    "term",
    [*EVALUATED, c.diagpart(S), c.kronecker(A, S), c.kronecker(S, A.T), c.vec(A), c.kronecker(c.vec(A), S)],
    ids=str,
)
def test_explicit_values_of_each_construct(term: Term) -> None:
    oracle = at_sizes(term)
    numbers = entry_values(term, oracle)
    assert numbers is not None
    found = to_sympy(term, explicit=True, sizes=oracle.sizes)
    assert (as_array(found, numbers) == oracle.value(term)).all()


# --- explicit matrices ----------------------------------------------------------------------------------------


def test_explicit_names_of_entries() -> None:
    assert str(c.symbol("A", 2, 2).to_sympy(explicit=True)) == "Matrix([[a_{11}, a_{12}], [a_{21}, a_{22}]])"
    assert str(c.symbol("x", 2, 1, "bold").to_sympy(explicit=True)) == "Matrix([[x_{1}], [x_{2}]])"
    assert str(c.symbol("W_Q", 1, 2).to_sympy(explicit=True)) == "Matrix([[(W_Q)_{11}, (W_Q)_{12}]])"
    assert str(c.symbol(r"\alpha", 1, 2).to_sympy(explicit=True)) == r"Matrix([[\alpha_{11}, \alpha_{12}]])"
    assert str(r.to_sympy(explicit=True)) == "r"
    wide = c.symbol("A", 11, 11).to_sympy(explicit=True)
    assert str(wide[0, 10]) == "a_{1,11}" and str(wide[10, 0]) == "a_{11,1}"
    assert len(wide.free_symbols) == 121


def test_explicit_results_are_ordinary_matrices_and_scalars() -> None:
    square = c.symbol("A", 2, 2)
    a11, a12, a21, a22 = sp.symbols("a_{11} a_{12} a_{21} a_{22}")
    assert isinstance(square.to_sympy(explicit=True), sp.Matrix)
    assert c.trace(square).to_sympy(explicit=True) == a11 + a22
    assert sp.expand(c.determinant(square).to_sympy(explicit=True) - (a11 * a22 - a12 * a21)) == 0
    assert sp.simplify(c.matmul(square, square.inv).to_sympy(explicit=True)) == sp.eye(2)
    assert sp.simplify(
        c.power(square, -2).to_sympy(explicit=True) - (square.inv**2).to_sympy(explicit=True)
    ) == sp.zeros(2)
    assert c.vec(square).to_sympy(explicit=True) == sp.Matrix([a11, a21, a12, a22])
    assert square.H.to_sympy(explicit=True)[0, 1] == sp.conjugate(a21)


def test_a_result_does_not_share_state() -> None:
    square = c.symbol("A", 2, 2)
    first = square.to_sympy(explicit=True)
    first[0, 0] = 7
    assert square.to_sympy(explicit=True)[0, 0] == sp.Symbol("a_{11}")


def test_explicit_functions() -> None:
    line = c.literal([[0, 0, 0]])
    assert c.row_softmax(line).to_sympy(explicit=True) == sp.Matrix([[sp.Rational(1, 3)] * 3])
    assert c.scalar_function("norm", c.literal([[3], [4]])).to_sympy(explicit=True) == 5
    assert c.scalar_function("rank", c.literal([[1, 2], [2, 4]])).to_sympy(explicit=True) == 1
    assert c.entrywise("exp", line).to_sympy(explicit=True) == sp.ones(1, 3)
    assert c.pseudoinverse(c.literal([[1], [1]])).to_sympy(explicit=True) == sp.Matrix([[1, 1]]) / 2


def test_sizes_by_symbol_by_name_and_partly() -> None:
    wanted = (A @ B).to_sympy(explicit=True, sizes={"m": 1, "n": 2, "k": 1})
    assert (A @ B).to_sympy(explicit=True, sizes={m: sp.Integer(1), n: np.int64(2), Dim.of("k"): 1}) == wanted
    assert to_sympy(A, sizes={"m": 2}) == sp.MatrixSymbol("A", 2, n)
    assert to_sympy(A["i", 1], sizes={"i": 3}) == SA[2, 0]


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (
            lambda: (A @ B).to_sympy(explicit=True, sizes={"m": 2}),
            ShapeError,
            "AB is m×k: an explicit matrix needs a number for k, n; give them as sizes={'k': 2, 'n': 3}",
        ),
        (
            lambda: A.to_sympy(explicit=True, sizes={"m": 0, "n": 1}),
            ShapeError,
            "the size m cannot be 0: sizes are positive integers",
        ),
        (
            lambda: A.to_sympy(sizes={"m": 1.5}),
            ShapeError,
            "the size m cannot be 1.5: sizes are positive integers",
        ),
        (lambda: A.to_sympy(sizes={3: 1}), TypeError, "3 is no name of a size"),
        (
            lambda: A["i", 1].to_sympy(explicit=True, sizes={"m": 2, "n": 2, "i": 3}),
            ShapeError,
            "a_{i1}: the index i is 3, outside 1 … 2",
        ),
        (
            lambda: c.literal([[1, 2], [2, 4]]).inv.to_sympy(explicit=True),
            SymlinError,
            "[1 2; 2 4]^{-1}: the matrix is singular, so it has no inverse",
        ),
        (lambda: (r / c.number(0)).to_sympy(explicit=True), SymlinError, "r/0 divides by zero"),
        (
            lambda: c.vec(A).to_sympy(),
            UnsupportedError,
            "vec(A): SymPy has no vec of a matrix with symbolic entries",
        ),
        (
            lambda: c.pseudoinverse(A).to_sympy(),
            UnsupportedError,
            "A^+: SymPy has no pseudoinverse of a matrix with symbolic entries",
        ),
        (
            lambda: c.scalar_function("rank", A).to_sympy(),
            UnsupportedError,
            "rank(A): SymPy has no rank of a matrix with symbolic entries",
        ),
        (
            lambda: c.pseudoinverse(c.symbol("A", 1, 2)).to_sympy(explicit=True),
            UnsupportedError,
            "A^+: the rank of a matrix of symbols is not known",
        ),
        (
            lambda: c.apply("T_A", "m", x).to_sympy(),
            UnsupportedError,
            "T_A(x): SymPy has no T_A of a matrix with symbolic entries",
        ),
        (
            lambda: (x + c.symbol("x", "n", 1)).to_sympy(),
            SymlinError,
            "two different symbols x (set differently, or of other sizes) would be the same symbol in SymPy; "
            "rename one of them",
        ),
        (
            lambda: Statement(S, T, r"\approx").to_sympy(),
            UnsupportedError,
            r"SymPy has no relation for \approx in S \approx T",
        ),
    ],
)
def test_what_cannot_go_out_says_why(call: Callable[[], Any], error: type[Exception], text: str) -> None:
    with pytest.raises(error) as caught:
        call()
    assert str(caught.value) == text


def test_two_symbols_of_one_name() -> None:
    """A and a column a have entries of different names, A and a 2×2 matrix a have not."""
    square, small = c.symbol("A", 2, 2), c.symbol("a", 2, 2)
    assert c.matmul(square, c.symbol("a", 2, 1)).to_sympy(explicit=True).shape == (2, 1)
    with pytest.raises(SymlinError, match="two different symbols a "):
        (square @ small).to_sympy(explicit=True)
    assert str((square @ small).to_sympy()) == "A*a"


def test_unsupported_names_the_construct() -> None:
    with pytest.raises(UnsupportedError) as caught:
        (c.vec(A) + c.vec(A)).to_sympy()
    assert caught.value.construct == "vec"


# --- SymPy in ---------------------------------------------------------------------------------------------------

i, j, l = sp.symbols("i j l", integer=True)  # noqa: E741
R, Q = sp.symbols("r q")


@pytest.mark.parametrize(
    ("expression", "term"),
    [
        (SA * SB, A @ B),
        (SA * SB * SC, c.matmul(A, B, C)),
        (2 * SA * SB, c.scale(c.number(2), A @ B)),
        (-SA, -A),
        (SA - 2 * SA.T.T, -A),
        (R * SA, r * A),
        (SA / 3, c.scale(c.number(Fraction(1, 3)), A)),
        (SS**2, c.power(S, 2)),
        (SS**-1, S.inv),
        (SS.I, S.inv),
        (SS**-2, c.power(S, -2)),
        (SS**k, c.power(S, "k")),
        (SA.T, A.T),
        (SA.conjugate(), c.conjugate(A)),
        (sp.Trace(SS), c.trace(S)),
        (sp.det(SS), c.determinant(S)),
        (sp.trace(SS) ** 2, c.power(c.trace(S), 2)),
        (sp.HadamardProduct(SS, ST, SS), c.hadamard(c.hadamard(S, T), S)),
        (sp.HadamardPower(SS, 2), c.hadamard(S, S)),
        (sp.KroneckerProduct(SA, SB, SC), c.kronecker(c.kronecker(A, B), C)),
        (sp.Identity(n), c.identity("n")),
        (sp.ZeroMatrix(m, n), c.zero("m", "n")),
        (sp.OneMatrix(m, n), c.ones("m", "n")),
        (sp.BlockMatrix([[SS, ST], [ST, SS]]), c.block([[S, T], [T, S]])),
        (sp.BlockDiagMatrix(SS, ST), c.block([[S, c.zero("n", "n")], [c.zero("n", "n"), T]])),
        (sp.DiagonalMatrix(SS), c.diag(c.diagpart(S))),
        (SA[0, 1], A[1, 2]),
        (SA[:, 2], A.column(3)),
        (SA[1, :], A.row(2)),
        (SA[i, j], A["i", "j"]),  # from 0 in SymPy, from 1 in texts
        (
            sp.Sum(SA[i, l] * SB[l, j], (l, 0, n - 1)),
            c.sum_over("l", 1, "n", c.scale(A["i", "l"], B["l", "j"])),
        ),
        (sp.Matrix([[1, R], [sp.Rational(1, 2), 0]]), c.literal([[1, r], [Fraction(1, 2), 0]])),
        (sp.SparseMatrix([[1, 0], [0, 2]]), c.literal([[1, 0], [0, 2]])),
        (sp.Integer(3), c.number(3)),
        (R + 1, 1 + r),
        (R / sp.Symbol("s"), r / s),
        (1 / R**2, c.divide(c.number(1), c.power(r, 2))),
        (sp.sqrt(2), c.entrywise("sqrt", c.number(2))),
        (sp.exp(R), c.entrywise("exp", r)),
        (sp.E, c.entrywise("exp", c.number(1))),
        (sp.log(R), c.entrywise("log", r)),
        (sp.gamma(R), c.opaque(sp.gamma(R))),
        (sp.pi, c.opaque(sp.pi)),
        (n * SS, c.size("n") * S),
        (sp.Symbol("lambda") * SS, c.symbol(r"\lambda", 1, 1) * S),
        (sp.MatrixSymbol("x", n, 1), x),
        (sp.MatrixSymbol("A", m + n, 2 * k), c.symbol("A", "m+n", "2k")),
    ],
    ids=str,
)
def test_reading_sympy(expression: Any, term: Term) -> None:
    assert str(from_any(expression)) == str(term)
    assert from_any(expression) is term


def test_plain_symbols_as_sizes() -> None:
    """Sizes are often declared without assumptions; where a symbol stands in a shape, it is a size everywhere."""
    p = sp.Symbol("p")
    P = sp.MatrixSymbol("P", p, p)
    assert from_any(p * P) is c.size("p") * c.symbol("P", "p", "p")
    assert from_any(p * SA) is c.symbol("p", 1, 1) * A


def test_indices_count_from_one_and_keep_their_range() -> None:
    positive = sp.Symbol("i", integer=True, positive=True)
    assert from_any(SA[positive, 0]) is A[Dim.of("i") + 1, 1]
    assert from_any(SA[positive - 1, 0]) is A["i", 1]
    assert from_any(SA[i, 0]) is A["i", 1]
    assert from_any(i * sp.Trace(SS) + SA[i, 0]) is (c.scale(c.size(Dim.of("i") - 1), c.trace(S)) + A["i", 1])
    assert from_any((SA * SB)[0, 0]).op == "sum"


def test_a_bound_index_keeps_clear_of_a_symbol_of_its_name() -> None:
    one, two = sp.Dummy("l"), sp.Dummy("l")
    both = from_any(sp.Sum(SS[one, two], (one, 0, n - 1), (two, 0, n - 1)))
    assert both is c.sum_over("l", 1, "n", c.sum_over("l'", 1, "n", S["l'", "l"]))


def test_a_sum_that_is_no_polynomial_is_kept_whole() -> None:
    series = sp.Sum(sp.binomial(n, l), (l, 0, n))
    assert from_any(series) is c.opaque(series)


@pytest.mark.parametrize(
    ("value", "error", "text"),
    [
        (
            SA * sp.MatrixSymbol("B", m, n),
            ShapeError,
            "in AB: A is m×n and B is m×n: the n columns of A do not match the m rows of B",
        ),
        (
            sp.Float(0.5) * SA,
            TypeError,
            "0.5 is a floating-point number; write an exact one: sympy.Rational('0.5')",
        ),
        (sp.oo, TypeError, "oo is no number"),
        (sp.MatrixSymbol("A", 0, 2), ShapeError, "a size of 0: sizes are positive"),
        (sp.zeros(0, 2), ShapeError, "an explicit matrix of size 0×2: sizes are positive"),
        (
            SS ** sp.Rational(1, 2),
            UnsupportedError,
            "S**(1/2): only integer powers of matrices are supported",
        ),
        (
            sp.Permanent(SS),
            UnsupportedError,
            "Permanent(S): Permanent of an index or of a matrix is not supported",
        ),
        (
            sp.Sum(sp.binomial(n, l) * SA, (l, 0, n)),
            UnsupportedError,
            "binomial(n, l): binomial of an index or of a matrix is not supported",
        ),
        (
            R + sp.Symbol("r", real=True),
            SymlinError,
            "two different SymPy symbols are called r; declare the name once, with the same assumptions",
        ),
        (
            sp.Symbol("a", commutative=False),
            UnsupportedError,
            "a: a scalar here is any real number, not a non-commutative, integer or imaginary one; use MatrixSymbol "
            "for a matrix and a positive integer Symbol for a size",
        ),
        (
            sp.Eq(SS, ST),
            TypeError,
            "Eq(S, T) is a statement, not an expression; prove takes it, or symlin.sympy_bridge.statement_from",
        ),
        ("A", TypeError, "'A' is a text; read LaTeX with symlin.read, or give " + symlin_accepts()),
        (None, TypeError, "NoneType is no matrix expression; accepted: " + symlin_accepts()),
        (1j, TypeError, "complex is no matrix expression; accepted: " + symlin_accepts()),
        (True, TypeError, "a truth value is not a matrix expression"),
        (
            [1, 2],
            TypeError,
            "a list must hold the rows of a matrix: [[1, 2], [3, 4]], or [[1], [2]] for a column",
        ),
        ([[1, 2], [3]], ShapeError, "the rows of a matrix differ in length: 2, 1"),
        (
            [[1, 0.5]],
            TypeError,
            "entry (1, 2) is the float 0.5; give exact numbers, such as fractions.Fraction('0.5')",
        ),
        ([[1, A]], ShapeError, "entry (1, 2) must be a scalar, but A is m×n"),
    ],
    ids=str,
)
def test_what_is_not_accepted_says_why(value: Any, error: type[Exception], text: str) -> None:
    with pytest.raises(error) as caught:
        from_any(value)
    assert str(caught.value) == text


def test_deep_expressions_raise_a_budget_error() -> None:
    deep = SS
    for _ in range(3000):
        deep = sp.Transpose(deep)
    with pytest.raises(BudgetError, match="nested too deeply for SymPy"):
        from_any(deep)


# --- NumPy in ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "array",
    [
        np.array([[1, 2], [3, 4]]),
        np.array([[1, 2], [3, 4]], dtype=np.uint8),
        np.array([[1.0, 2.0], [3.0, 4.0]]),
        np.array([[Fraction(1), 2], [sp.Integer(3), c.number(4)]], dtype=object),
        [[1, 2], [3, 4]],
        ((1, 2), (3, 4)),
        sp.Matrix([[1, 2], [3, 4]]),
        sp.ImmutableMatrix([[1, 2], [3, 4]]),
    ],
    ids=lambda array: type(array).__name__,
)
def test_arrays_and_lists_are_literals(array: Any) -> None:
    assert from_any(array) is c.literal([[1, 2], [3, 4]])


def test_one_dimension_is_a_column_and_none_is_a_number() -> None:
    assert from_any(np.array([1, 2])) is c.literal([[1], [2]])
    assert from_any(np.array(5)) is c.number(5)
    assert from_any(np.int64(5)) is c.number(5)
    assert from_any(np.array([[7]])) is c.literal([[7]])


@pytest.mark.parametrize(
    ("array", "text"),
    [
        (
            np.array([[1.0, 0.1]]),
            "entry (1, 2) is the float 0.1; give exact numbers, such as fractions.Fraction('0.1')",
        ),
        (
            np.array([[np.nan]]),
            "entry (1, 1) is the float nan; give exact numbers, such as fractions.Fraction('nan')",
        ),
        (np.array([[True]]), "entry (1, 1) is a truth value, not a number"),
        (
            np.zeros((2, 2, 2)),
            "an array of shape 2×2×2 is no matrix: two dimensions, or one for a column, and no empty one",
        ),
        (
            np.zeros((0, 2)),
            "an array of shape 0×2 is no matrix: two dimensions, or one for a column, and no empty one",
        ),
        (np.array(["A"]), "'A' is a text; read LaTeX with symlin.read, or give " + symlin_accepts()),
        (np.array([[1j]]), "complex is no matrix expression; accepted: " + symlin_accepts()),
    ],
    ids=str,
)
def test_arrays_that_are_refused(array: np.ndarray, text: str) -> None:
    with pytest.raises(TypeError) as caught:
        from_any(array)
    assert str(caught.value) == text


# --- operators ------------------------------------------------------------------------------------------------

M = c.symbol("M", 2, 2)
PAIR = c.literal([[1, 2], [3, 4]])
needs_priority = pytest.mark.xfail(
    not hasattr(Term, "_op_priority"),
    reason="explicit SymPy matrices give way to a Term on their right only when Term has _op_priority",
    strict=True,
)


@pytest.mark.parametrize(
    ("make", "term"),
    [
        (lambda: 2 * A, c.scale(c.number(2), A)),
        (lambda: SA @ B, A @ B),
        (lambda: SA * B, A @ B),
        (lambda: A @ SB, A @ B),
        (lambda: SS + T, S + T),
        (lambda: S - ST, S - T),
        (lambda: sp.Integer(2) * A, c.scale(c.number(2), A)),
        (lambda: sp.Rational(1, 2) * A, c.scale(c.number(Fraction(1, 2)), A)),
        (lambda: R * A, r * A),
        (lambda: A * R, A * r),
        (lambda: A / R, A / r),
        (lambda: R + r, r + r),
        (lambda: sp.Trace(SS) * A, c.trace(S) * A),
        (lambda: np.array([[1, 2], [3, 4]]) @ M, PAIR @ M),
        (lambda: M @ np.array([[1, 2], [3, 4]]), M @ PAIR),
        (lambda: np.array([[1, 2], [3, 4]]) + M, PAIR + M),
        (lambda: np.int64(3) * M, c.number(3) * M),
        (lambda: M @ [[1, 2], [3, 4]], M @ PAIR),
        (lambda: M @ sp.Matrix([[1, 2], [3, 4]]), M @ PAIR),
        pytest.param(lambda: sp.Matrix([[1, 2], [3, 4]]) @ M, PAIR @ M, marks=needs_priority),
        pytest.param(lambda: sp.ImmutableMatrix([[1, 2], [3, 4]]) * M, PAIR @ M, marks=needs_priority),
        pytest.param(lambda: sp.Matrix([[1, 2], [3, 4]]) - M, PAIR - M, marks=needs_priority),
    ],
)
def test_operators_with_neighbours_give_terms(make: Callable[[], Any], term: Term) -> None:
    assert make() is term


# --- statements -----------------------------------------------------------------------------------------------


def test_statements_there_and_back() -> None:
    for statement in (
        (A @ (B @ C)).eq((A @ B) @ C),
        S.eq(S),
        Statement(c.trace(S), c.number(0), r"\ne"),
        Statement(r, s, "<"),
        Statement(r, s, r"\ge"),
        (S @ T).eq(T @ S).given(S.eq(S.T), T.eq(T.T)),
        S.eq(T).given((S @ T).eq(c.identity("n"))),
        (x.T @ y).eq(c.dot(x, y)),
    ):
        assert statement_from(statement.to_sympy()) == statement


def test_statement_text() -> None:
    assert str((A @ (B @ C)).eq((A @ B) @ C).to_sympy()) == "Eq(A*(B*C), (A*B)*C)"
    assert isinstance(S.eq(S).to_sympy(), sp.Eq)  # not evaluated to True


def test_explicit_statements() -> None:
    square, other = c.symbol("A", 2, 2), c.symbol("B", 2, 2)
    relation = statement_to_sympy((square + other).eq(other + square), explicit=True)
    assert relation.lhs == relation.rhs and relation.lhs.shape == (2, 2)
    commuting = statement_to_sympy(S.eq(T), explicit=True, sizes={"n": 1})
    assert str(commuting) == "Eq(Matrix([[s_{11}]]), Matrix([[t_{11}]]))"


def test_a_scalar_zero_is_the_zero_matrix() -> None:
    assert statement_from(sp.Eq(SA, 0, evaluate=False)) == A.eq(c.zero("m", "n"))
    assert statement_from(sp.Eq(R, 0)) == r.eq(0)


def test_assumptions_become_hypotheses() -> None:
    positive, real = sp.Symbol("r", positive=True), sp.Symbol("r", real=True)
    assert statement_from(sp.Eq(positive * SA, SA)) == (r * A).eq(A).given(Statement(r, c.number(0), ">"))
    assert statement_from(sp.Eq(real * SA, SA)) == (r * A).eq(A)
    adjoint = sp.Eq(sp.Adjoint(sp.MatMul(real, SA)), SA.T, evaluate=False)
    assert statement_from(adjoint) == (r * A).H.eq(A.T).given(c.conjugate(r).eq(r))


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (sp.Eq(SA, SA), "SymPy has already evaluated this relation to True; write it with evaluate=False"),
        (False, "SymPy has already evaluated this relation to False; write it with evaluate=False"),
        (SA, "A is no statement: a SymPy relation such as Eq(A*B, B*A, evaluate=False) is accepted"),
        (3, "3 is no statement: a SymPy relation such as Eq(A*B, B*A, evaluate=False) is accepted"),
    ],
)
def test_no_statement(value: Any, text: str) -> None:
    with pytest.raises(TypeError) as caught:
        statement_from(value)
    assert str(caught.value) == text


def test_sides_of_different_size() -> None:
    with pytest.raises(ShapeError, match="A is m×n and A\\^T is n×m: the two sides of = differ in size"):
        statement_from(sp.Eq(SA, SA.T, evaluate=False))


def test_prove_takes_sympy() -> None:
    assert symlin.prove(sp.Eq((SA * SB).T, SB.T * SA.T, evaluate=False)).verdict == "proved"
    assert symlin.prove(sp.Eq(sp.Trace(SA * SA.T), sp.Trace(SA.T * SA), evaluate=False)).verdict == "proved"
    found = symlin.prove(sp.Eq(SS * ST, ST * SS))
    assert found.verdict == "refuted"
    assert found.to_sympy() == sp.Eq(SS * ST, ST * SS, evaluate=False)
    positive = sp.Symbol("r", positive=True)
    assert symlin.prove(sp.Eq(positive * SA, SA)).verdict in ("refuted", "unknown")


def test_what_is_not_a_polynomial_is_never_refuted() -> None:
    t = sp.Symbol("t")
    assert symlin.prove(sp.Eq(sp.gamma(t + 1), t * sp.gamma(t))).verdict in ("unknown", "unsupported")
    assert symlin.prove(sp.Eq(sp.sin(t) ** 2 + sp.cos(t) ** 2, 1)).verdict in ("unknown", "unsupported")
    assert (
        symlin.prove(sp.Eq(sp.Adjoint(sp.I * SA), sp.I * sp.Adjoint(SA), evaluate=False)).verdict != "proved"
    )


def test_sympy_is_imported_only_when_needed() -> None:
    code = (
        "import sys, symlin.sympy_bridge, symlin.construct as c; c.symbol('A', 2, 2) @ [[1, 2], [3, 4]]; "
        "print('sympy' in sys.modules)"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "False"


def test_the_sessions_of_the_documentation() -> None:
    page = Path(__file__).parents[1] / "docs" / "sympy.md"
    found = doctest.testfile(str(page), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert found.attempted > 30
    assert found.failed == 0
