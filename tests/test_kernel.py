"""The kernel: nothing but its rules makes a Theorem, and each rule refuses what does not follow."""

from __future__ import annotations

import copy
import dataclasses
import gc
import pickle
from typing import Any

import pytest

from symlin import construct as c
from symlin import kernel as k
from symlin.decide.entries import decide_entries
from symlin.dims import Dim
from symlin.errors import ProofError, SymlinError, UnsupportedError
from symlin.statement import Statement
from symlin.sums import Certificate
from symlin.term import Term

n, m = Dim.of("n"), Dim.of("m")
A, B, C = (c.symbol(name, n, n) for name in "ABC")
x = c.symbol("x", n)
i = Dim.of("i")


def entries(lhs: Term, rhs: Term) -> k.Theorem:
    found = decide_entries(Statement(lhs, rhs))
    assert found.proof is not None, found.difference
    theorem = found.proof.theorem
    assert isinstance(theorem, k.Theorem)
    return theorem


# --- forgery --------------------------------------------------------------------------------------------------


class Impostor:
    """Claims to be equal to a theorem."""

    def __init__(self, theorem: k.Theorem) -> None:
        self.theorem = theorem

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return hash(self.theorem)


class Child(k.Theorem):
    """A subclass."""


def test_a_theorem_cannot_be_forged() -> None:
    theorem = k.reflexivity(A)
    assert k.is_theorem(theorem)
    for forged in (object.__new__(k.Theorem), object.__new__(Child), Impostor(theorem), None, "A = A"):
        assert not k.is_theorem(forged)
        with pytest.raises(ProofError, match="no Theorem of the kernel"):
            k.symmetry(forged)  # type: ignore[arg-type]
    with pytest.raises(ProofError, match="made by the rules"):
        k.Theorem()
    with pytest.raises(ProofError, match="made by the rules"):
        Child()


@pytest.mark.parametrize("way", [copy.copy, copy.deepcopy, pickle.dumps])
def test_a_theorem_cannot_be_copied(way: Any) -> None:
    with pytest.raises(ProofError, match="neither copied nor stored"):
        way(k.reflexivity(A))


def test_a_theorem_cannot_be_changed() -> None:
    theorem: Any = k.reflexivity(A)
    with pytest.raises(AttributeError):
        theorem.lhs = B
    with pytest.raises(AttributeError):
        object.__setattr__(theorem, "lhs", B)
    with pytest.raises(TypeError):
        dataclasses.replace(theorem, lhs=B)
    assert theorem.lhs is A
    for name in ("proof", "count", "_replace"):
        with pytest.raises(AttributeError):
            getattr(theorem, name)


def test_another_theorem_at_the_same_address_is_not_taken_for_it() -> None:
    address = id(k.reflexivity(A))
    gc.collect()
    assert not any(k.is_theorem(object.__new__(k.Theorem)) for _ in range(100)), address


def fake_of(term: Term, **changes: Any) -> Term:
    """An object that looks like a Term in every attribute, with some of them changed."""
    fake = object.__new__(Term)
    for name in ("op", "args", "data", "rows", "cols", "_hash"):
        object.__setattr__(fake, name, changes.get(name, getattr(term, name)))
    return fake


def test_terms_must_be_genuine() -> None:
    fake = fake_of(A, rows=m, cols=m)
    for make in (lambda: k.reflexivity(fake), lambda: k.assume(fake, c.symbol("M", m, m))):
        with pytest.raises(ProofError, match="speaks of genuine Terms only"):
            make()
    with pytest.raises(ProofError, match="speaks of genuine Terms only"):
        k.axiom("listed", A, A, [(fake, fake)])
    with pytest.raises(ProofError, match="replaced by what is no genuine Term"):
        k.instantiate(k.reflexivity(A), {A: fake_of(B)}, {})


# --- rules ----------------------------------------------------------------------------------------------------


def test_equality() -> None:
    one = entries(A + B, B + A)
    other = entries(B + A, B + A + c.zero(n, n))
    assert k.symmetry(one).lhs is B + A
    both = k.transitivity(one, other)
    assert (both.lhs, both.rhs) == (A + B, B + A + c.zero(n, n))
    with pytest.raises(ProofError, match="does not end where the second begins"):
        k.transitivity(other, one)


def test_hypotheses_are_inherited_and_cut() -> None:
    given = k.assume(A, B)
    assert given.hypotheses == {(A, B)}
    product = k.congruence(A @ C, given, k.reflexivity(C))
    assert (product.lhs, product.rhs, product.hypotheses) == (A @ C, B @ C, {(A, B)})
    lemma = k.symmetry(k.assume(B, A))
    assert k.cut(lemma, product).hypotheses == {(B, A)}
    assert k.cut(entries(A + B, B + A), k.assume(A + B, B + A)).hypotheses == frozenset()


def test_cut_removes_only_what_was_proved() -> None:
    theorem = k.transitivity(k.assume(A, B), k.assume(B, C))
    assert k.cut(entries(A + B, B + A), theorem).hypotheses == {(A, B), (B, C)}


def test_congruence_needs_its_parts() -> None:
    with pytest.raises(ProofError, match="do not start at the parts"):
        k.congruence(A @ B, k.reflexivity(A))
    with pytest.raises(ProofError, match="do not start at the parts"):
        k.congruence(A @ B, k.reflexivity(B), k.reflexivity(A))


def test_a_bound_index_must_not_occur_in_a_hypothesis() -> None:
    body, zero = c.entry(x, "i", 1), c.number(0)
    total = c.sum_over("i", 1, n, body)
    with pytest.raises(ProofError, match="the index i occurs in a hypothesis"):
        k.congruence(total, k.assume(body, zero))
    free = c.entry(c.symbol("y", n), "j", 1)
    other = k.assume(free, zero)
    assert k.congruence(c.scale(free, A), other, k.reflexivity(A)).hypotheses == {(free, zero)}


def test_a_bound_index_must_stay_in_range() -> None:
    short = c.symbol("d", 2)
    body = c.entry(short, "i", 1)
    same = k.reflexivity(body)
    assert k.congruence(c.sum_over("i", 1, 2, body), same).rhs is c.sum_over("i", 1, 2, body)
    assert k.congruence(c.sum_over("i", 2, 2, body), same).rhs is c.sum_over("i", 2, 2, body)
    for lo, hi in [(1, n), (0, 2), (m, Dim.of(2))]:
        with pytest.raises(ProofError, match="the index i may leave 1 … 2"):
            k.congruence(c.sum_over("i", lo, hi, body), same)


def test_the_range_of_an_index_is_not_lost() -> None:
    """The entry is 1 for i ≤ 2 and 0 beyond; a term that is only there for i ≤ 2 must not vanish on the way."""
    long = c.rows([c.ones(2, 1), c.zero(m, 1)])
    seen = c.entry(long, "i", 1)
    limit = c.scale(c.number(0), c.entry(c.symbol("d", 2), "i", 1))
    one = entries(seen + limit, c.number(1))
    two = entries(seen, seen + limit)
    with pytest.raises(ProofError, match="the range of an index was used and is lost: i"):
        k.transitivity(two, one)


def test_a_size_that_a_binder_counts_says_nothing_of_a_free_one() -> None:
    """3 ≤ l holds inside a sum from l = 3, and is nothing to the l outside of it."""
    count = Dim.of("l")
    body = c.entry(c.ones(count, 1), 3, 1)
    inner = c.scale(c.number(0), c.sum_over("l", 3, 5, body))
    third = c.entry(c.rows([c.ones(count, 1), c.zero(m, 1)]), 3, 1)
    with pytest.raises(SymlinError):
        k.by_entries(inner + third, c.number(1), Certificate(labels=((), (), (), ())))
    with pytest.raises(UnsupportedError, match=r"the index 3 may leave 1 … l|not known to lie in one block"):
        entries(inner + third, c.number(1))
    with pytest.raises(ProofError, match="the index 3 may leave 1 … l"):
        k.congruence(c.sum_over("l", 1, 5, body), k.reflexivity(body))


def _certificate(lhs: Term, rhs: Term) -> Certificate:
    found = decide_entries(Statement(lhs, rhs))
    assert found.proof is not None
    certificate = found.proof.certificate
    assert isinstance(certificate, Certificate)
    return certificate


def test_instances() -> None:
    theorem = entries((A @ B).T, B.T @ A.T)
    X = c.symbol("X", m, m)
    square = k.instantiate(theorem, {A: X, B: X @ X}, {"n": m})
    assert (square.lhs, square.rhs) == ((X @ (X @ X)).T, (X @ X).T @ X.T)
    with pytest.raises(ProofError, match="of another size"):
        k.instantiate(theorem, {A: X}, {})
    with pytest.raises(ProofError, match="of another size"):
        k.instantiate(theorem, {A @ B: A}, {})
    with pytest.raises(ProofError, match="may be less than 1"):
        k.instantiate(theorem, {}, {"n": m - 1})
    given = k.instantiate(k.assume(A, B), {A: C}, {})
    assert given.hypotheses == {(C, B)}


def test_an_instance_captures_no_index() -> None:
    y = c.symbol("y", n)
    scalar = c.symbol("r", 1)
    theorem = entries(
        c.sum_over("i", 1, n, scalar @ c.entry(y, "i", 1)), scalar @ c.sum_over("i", 1, n, c.entry(y, "i", 1))
    )
    put = k.instantiate(theorem, {scalar: c.entry(x, "i", 1)}, {})
    assert put.lhs.data[0] != "i"
    assert entries(put.lhs, put.rhs)


def test_axioms_and_computations_are_listed() -> None:
    lemma = k.axiom("real: XᵀX = 0", A, c.zero(n, n), [(A.T @ A, c.zero(n, n))])
    assert {name for name, *_ in lemma.axioms} == {"real: XᵀX = 0"}
    later = k.congruence(A @ B, lemma, k.reflexivity(B))
    assert later.axioms == lemma.axioms
    with pytest.raises(ProofError, match="an axiom of the reals"):
        k.instantiate(lemma, {A: A.H}, {})
    with pytest.raises(ProofError, match="no computation that a proof may trust"):
        k.computed("hope", A, B)
    value = k.computed("numeric", A, A)
    assert value.trusted == {"numeric"} and k.symmetry(value).trusted == {"numeric"}


def test_two_sizes() -> None:
    with pytest.raises(ProofError, match="the two sides differ in size"):
        k.assume(A, x)
    with pytest.raises(ProofError, match="the two sides differ in size"):
        k.axiom("listed", A, A, [(A, A), (A, x)])


# --- entries --------------------------------------------------------------------------------------------------


def test_every_alteration_of_a_certificate_is_refused_or_proves_the_same() -> None:
    lhs, rhs = c.trace(A @ B @ C @ A), c.trace(C @ A @ A @ B)
    certificate = _certificate(lhs, rhs)
    altered = [
        certificate._replace(labels=certificate.labels[:-1]),
        certificate._replace(labels=(*certificate.labels, ())),
        certificate._replace(labels=((0, 0, 1, 2), certificate.labels[1])),
        certificate._replace(labels=((0, 1, 2), certificate.labels[1])),
        certificate._replace(labels=((1, 2, 3, 4), certificate.labels[1])),
        certificate._replace(
            labels=tuple(label[::-1] for label in certificate.labels[:1]) + certificate.labels[1:]
        ),
        certificate._replace(splits=((n, "+", n - 1, m),)),
        certificate._replace(splits=((n, "*", n, m),)),
        certificate._replace(splits=((n, "+", n + 1, Dim.of(-1)),)),
    ]
    for one in altered:
        with pytest.raises(ProofError):
            k.by_entries(lhs, rhs, one)


def test_no_certificate_proves_what_is_false() -> None:
    for labels in [((0,), (0,)), ((0, 1), (0, 1)), ((), ()), ()]:
        with pytest.raises(ProofError):
            k.by_entries(A @ B, B @ A, Certificate(labels=labels))


def test_a_combination_of_equations() -> None:
    """From AB = BA and BC = CB follows B(AC) = (AC)B: the difference is a combination with cofactors."""
    one, two = k.assume(A @ B, B @ A), k.assume(B @ C, C @ B)
    lhs, rhs = c.matmul(B, A, C), c.matmul(A, C, B)
    minus = c.number(-1)
    theorem = _combine(lhs, rhs, [(minus, None, one, C), (c.number(1), A, two, None)])
    assert theorem.hypotheses == {(A @ B, B @ A), (B @ C, C @ B)}
    with pytest.raises(ProofError, match="do not expand to the same sums"):
        _combine(lhs, rhs, [(minus, None, one, C)])


def _combine(lhs: Term, rhs: Term, pieces: list[k.Piece]) -> k.Theorem:
    total = rhs
    for coefficient, left, theorem, right in pieces:
        factors = [f for f in (left, c.add(theorem.lhs, c.neg(theorem.rhs)), right) if f is not None]
        total = c.add(total, c.scale(coefficient, c.matmul(*factors)))
    from symlin.decide.canonical import Labeller
    from symlin.sums import expand

    labeller = Labeller()
    _, rows = expand(lhs, total, Certificate())
    return k.by_entries(lhs, rhs, Certificate(labels=tuple(labeller.order(s) for _, _, s in rows)), *pieces)


def test_symmetry_from_nothing_is_refused() -> None:
    with pytest.raises(ProofError):
        _combine(A, B, [(c.number(1), None, k.reflexivity(A), None)])


def test_congruence_keeps_an_index_at_one_or_more() -> None:
    """0^k = 0 holds for k ≥ 1 only, so it must not be put under a sum that starts at 0."""
    zero = c.number(0)
    fact = k.axiom("zero power", c.power(zero, "k"), zero)
    with pytest.raises(ProofError, match="the index k may be less than 1"):
        k.congruence(c.sum_over("k", 0, "n", c.power(zero, "k")), fact)
    assert k.congruence(c.sum_over("k", 1, "n", c.power(zero, "k")), fact).rhs is c.sum_over(
        "k", 1, "n", zero
    )
    same = k.reflexivity(c.power(zero, "k"))
    assert k.congruence(c.sum_over("k", 0, "n", c.power(zero, "k")), same).rhs.op == "sum"
