"""The entries engine: what it proves, what it does not, and that what it proves is true in a finite field."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from modular import Values, evaluate
from random_terms import Maker

from symlin import construct as c
from symlin.decide.entries import decide_entries
from symlin.dims import Dim
from symlin.errors import BudgetError, UnsupportedError
from symlin.kernel import by_entries, is_theorem
from symlin.statement import Statement
from symlin.term import Term

m, n, k = Dim.of("m"), Dim.of("n"), Dim.of("k")
A, A2, B, C = c.symbol("A", m, n), c.symbol("G", m, n), c.symbol("B", n, k), c.symbol("C", k, "p")
S, T, U = (c.symbol(name, n, n) for name in "STU")
r = c.symbol("r", 1)
u, v, w = c.symbol("u", m), c.symbol("v", n), c.symbol("w", n)
Q, K = c.symbol("Q", "L", "d"), c.symbol("K", "L", "d")
P = c.symbol("P", "p", "q")
CENTRE = c.identity(n) - (c.number(1) / c.size(n)) * c.ones(n, n)
E, F = c.symbol("E", n, "r"), c.symbol("F", "q", "r")
D = c.symbol("D", m, "q")
i, j, p, q = (Dim.of(name) for name in "ijpq")

TRUE = {
    "associativity": (A @ (B @ C)).eq((A @ B) @ C),
    "distributivity on the right": ((A + A2) @ B).eq(A @ B + A2 @ B),
    "distributivity on the left": (B.T @ (A + A2).T).eq(B.T @ A.T + B.T @ A2.T),
    "a scalar moves out": (A @ (r * B)).eq(r * (A @ B)),
    "a scalar moves in": (r * (A @ B)).eq((r * A) @ B),
    "transpose of a product": (A @ B).T.eq(B.T @ A.T),
    "adjoint of a product": (A @ B).H.eq(B.H @ A.H),
    "trace of two": c.trace(A @ A2.T).eq(c.trace(A2.T @ A)),
    "trace of three": c.trace(S @ T @ U).eq(c.trace(T @ U @ S)),
    "entry formula": (A @ B)["i", "j"].eq(c.sum_over("l", 1, n, A["i", "l"] @ B["l", "j"])),
    "score": (Q @ K.T)["i", "j"].eq(c.dot(Q.row("i").T, K.row("j").T)),
    "columns of a product": (A @ B).eq(c.column_family("j", 1, k, A @ B.column("j"))),
    "column of a family": c.column(c.column_family("j", 1, k, A @ B.column("j")), 2).eq(A @ B.column(2)),
    "rows of a product": (A @ B).eq(c.row_family("i", 1, m, A.row("i") @ B)),
    "outer products": (A @ B).eq(c.sum_over("l", 1, n, A.column("l") @ B.row("l"))),
    "two columns": c.columns([A @ v, A @ w]).eq(A @ c.columns([v, w])),
    "outer product applied": ((u @ v.T) @ w).eq(c.dot(v, w) * u),
    "count": (c.ones(n).T @ c.ones(n)).eq(c.size(n)),
    "trace of the identity": c.trace(c.identity(n)).eq(c.size(n)),
    "Hadamard commutes": c.hadamard(S, T).eq(c.hadamard(T, S)),
    "Hadamard and trace": c.dot(u, c.hadamard(A, A2) @ v).eq(c.trace(c.diag(u) @ A @ c.diag(v) @ A2.T)),
    "diagonal is symmetric": c.diag(u).T.eq(c.diag(u)),
    "diagonal part": c.diagpart(c.diag(u)).eq(u),
    "unit column": (A @ c.unit("j", n)).eq(A.column("j")),
    "centring": (CENTRE @ CENTRE).eq(CENTRE),
    "Kronecker of products": c.kronecker(A @ B, C.T @ B.T).eq(c.kronecker(A, C.T) @ c.kronecker(B, B.T)),
    "Kronecker associates": c.kronecker(A, c.kronecker(P, B)).eq(c.kronecker(c.kronecker(A, P), B)),
    "Kronecker transposed": c.kronecker(A, P).T.eq(c.kronecker(A.T, P.T)),
    "Kronecker of identities": c.kronecker(c.identity(m), c.identity(n)).eq(c.identity(m * n)),
    "trace of Kronecker": c.trace(c.kronecker(S, c.symbol("M", m, m))).eq(
        c.trace(S) @ c.trace(c.symbol("M", m, m))
    ),
    "entry of Kronecker": c.kronecker(A, P)[(i - 1) * p + Dim.of("s"), (j - 1) * q + Dim.of("t")].eq(
        A["i", "j"] @ P["s", "t"]
    ),
    "vec of a product": c.vec(A @ B @ C).eq(c.kronecker(C.T, A) @ c.vec(B)),
    "vec and trace": c.trace(A.T @ A2).eq(c.vec(A).T @ c.vec(A2)),
    "block transposed": c.block([[A, D], [P @ c.symbol("W", "q", n), P]]).T.eq(
        c.block([[A.T, (P @ c.symbol("W", "q", n)).T], [D.T, P.T]])
    ),
    "blocks multiplied": (c.columns([A, D]) @ c.rows([E, F])).eq(A @ E + D @ F),
    "identity in blocks": c.block([[c.identity(m), c.zero(m, n)], [c.zero(n, m), c.identity(n)]]).eq(
        c.identity(m + n)
    ),
    "rows of blocks in a Kronecker": c.kronecker(c.rows([A, P @ c.symbol("W", "q", n)]), B).eq(
        c.rows([c.kronecker(A, B), c.kronecker(P @ c.symbol("W", "q", n), B)])
    ),
    "two copies": c.kronecker(c.literal([[1, 0], [0, 1]]), S).eq(
        c.block([[S, c.zero(n, n)], [c.zero(n, n), S]])
    ),
    "shifted sum": c.sum_over("l", 2, n, v["l", 1]).eq(c.sum_over("l", 1, n - 1, v[Dim.of("l") + 1, 1])),
    "a map of each row": c.row_family("i", 1, m, c.apply("f", 3, A.row("i").T).T).eq(
        c.row_family("j", 1, m, c.apply("f", 3, A.row("j").T).T)
    ),
    "permutation": (c.permutation([2, 3, 1]) @ c.permutation([3, 1, 2])).eq(c.identity(3)),
    "literal": (c.literal([[1, 2], [3, 4]]) @ c.literal([[0, 1], [1, 0]])).eq(c.literal([[2, 1], [4, 3]])),
    "1×1 products commute": (c.symbol("a", 1, n) @ v).eq(v.T @ c.symbol("a", 1, n).T),
    "2×2 products, written out": (lambda X, Y: c.trace(X @ Y).eq(c.trace(Y @ X)))(
        c.symbol("X", 2, n), c.symbol("Y", n, 2)
    ),
    "same denominator": (A @ (B / r)).eq((A / r) @ B),
    "division by a number": ((S + S.T) / c.number(2) + (S - S.T) / c.number(2)).eq(S),
}

FALSE = {
    "transpose in the same order": (S @ T).T.eq(S.T @ T.T),
    "commutes": (S @ T).eq(T @ S),
    "trace of three, swapped": c.trace(S @ T @ U).eq(c.trace(S @ U @ T)),
    "indices swapped": (S @ T)["i", "j"].eq(c.sum_over("l", 1, n, S["i", "l"] @ T["j", "l"])),
    "Hadamard distributes over products": (c.hadamard(S, T) @ U).eq(c.hadamard(S @ U, T @ U)),
    "Kronecker commutes": c.kronecker(S, T).eq(c.kronecker(T, S)),
    "block transposed in place": c.block([[S, T], [U, S]]).T.eq(c.block([[S.T, T.T], [U.T, S.T]])),
    "conjugate is idle": S.H.eq(S.T),
    "count": (c.ones(n).T @ c.ones(n)).eq(c.size(n) + 1),
    "diagonal part put back": c.diag(c.diagpart(S)).eq(S),
}


@pytest.mark.parametrize("name", TRUE)
def test_proves(name: str) -> None:
    statement = TRUE[name]
    found = decide_entries(statement)
    assert found.equal
    assert found.proof is not None and is_theorem(found.proof.theorem)
    assert (found.proof.theorem.lhs, found.proof.theorem.rhs) == (statement.lhs, statement.rhs)
    assert not found.proof.theorem.hypotheses and not found.proof.theorem.trusted
    assert is_theorem(by_entries(statement.lhs, statement.rhs, found.proof.certificate))


@pytest.mark.parametrize("name", FALSE)
def test_tells_apart(name: str) -> None:
    found = decide_entries(FALSE[name])
    assert not found.equal and found.complete and found.proof is None
    assert found.difference and found.sizes_needed >= 1


def test_an_index_that_may_leave_its_size_is_refused() -> None:
    statement = c.sum_over("l", 1, m, v["l", 1]).eq(c.sum_over("l", 1, m, v["l", 1]))
    with pytest.raises(UnsupportedError, match="the index l may leave 1 … n"):
        decide_entries(statement)


def test_an_empty_sum_is_not_counted_as_negative() -> None:
    statement = c.sum_over("l", 1, n - 3, c.number(1)).eq(c.size(n - 3))
    found = decide_entries(statement)
    assert not found.equal and not found.complete


def test_a_delta_does_not_leave_a_shorter_range() -> None:
    # The sum stops at n - 1, so it is 0 for i = n.
    short = c.sum_over("l", 1, n - 1, c.entry(c.identity(n), "l", "i") @ v["l", 1])
    found = decide_entries(short.eq(v["i", 1]))
    assert not found.equal and not found.complete


def test_letters_under_a_binder_keep_their_index() -> None:
    f = lambda t: c.apply("f", 1, t)  # noqa: E731
    X = c.symbol("X", n, m)
    pair = lambda a, b, d: f(X.row(a).T) @ v[b, 1] @ w[d, 1]  # noqa: E731
    left = c.sum_over("a", 1, n, c.sum_over("b", 1, n, pair("a", "a", "b")))
    right = c.sum_over("a", 1, n, c.sum_over("b", 1, n, pair("a", "b", "a")))
    assert not decide_entries(left.eq(right)).equal
    assert decide_entries(left.eq(left + c.zero(1))).equal


def test_budget() -> None:
    big = c.power(c.add(*(c.symbol(f"M_{t}", n, n) for t in range(9))), 8)
    with pytest.raises(BudgetError, match="exceeds its budget"):
        decide_entries(big.eq(big.T.T), budget=10_000)


def test_relations_other_than_equality() -> None:
    with pytest.raises(UnsupportedError, match="the relation"):
        decide_entries(Statement(A, A2, r"\ne"))


@pytest.mark.parametrize("count", [30, 200])
def test_long_products(count: int) -> None:
    letters = [c.symbol(f"M_{{{t}}}", n, n) for t in range(count)]
    assert decide_entries(c.trace(c.matmul(*letters)).eq(c.trace(c.matmul(*letters[7:], *letters[:7])))).equal


def test_symmetric_summands() -> None:
    circle = c.trace(c.matmul(*[S] * 30))
    assert decide_entries(circle.eq(c.trace(c.matmul(*[S.T] * 30)))).equal
    many = c.matmul(*[c.trace(S)] * 30)
    assert decide_entries(many.eq(c.power(c.trace(S), 30))).equal
    star = c.diag(S @ v)
    assert decide_entries(c.power(star, 12).eq(c.matmul(*[star] * 12))).equal


SIZES = [(1, 1, 1), (2, 1, 2), (1, 2, 1), (2, 2, 2), (2, 3, 1), (3, 2, 2), (3, 3, 3)]


def differ(one: Term, other: Term, seed: int) -> bool:
    for sizes in SIZES:
        at, values = dict(zip("mnk", sizes, strict=True)), Values(seed)
        if evaluate(one, at, values) != evaluate(other, at, values):
            return True
    return False


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 10**9), st.integers(0, 3), st.booleans())
def test_agrees_with_a_finite_field(seed: int, steps: int, damaged: bool) -> None:
    maker = Maker(seed)
    rows = maker.size()
    one = maker.term(
        rows, maker.random.choice([maker.size(), Dim.of(1), rows]), maker.random.choice([1, 2, 2, 3])
    )
    other = one
    for _ in range(steps):
        other = maker.rewrite(other)
    if damaged:
        other = maker.damage(other)
    try:
        found = decide_entries(Statement(one, other), budget=5_000)
    except BudgetError:
        return
    if found.equal:
        assert not differ(one, other, seed)
    else:
        assert damaged  # whatever only laws have rewritten is proved
        assert not found.complete or differ(one, other, seed)
