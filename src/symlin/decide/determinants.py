"""Statements with determinants of any size, decided with the named facts of the theory.

Offers `decide_determinants`; rests on `determinant_rules`, `powers` and `equations`.  Each determinant is rewritten
into determinants that cannot be taken apart, equal ones are found by comparing entries, and the rest is left to the
kernel, for which these determinants are letters: equal answers are a proof, others show nothing.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import cast

from symlin.construct import divide, matmul, number, scale
from symlin.decide.determinant_rules import reduced, variants
from symlin.decide.equations import (
    Known,
    assumed,
    axioms,
    by_entries,
    chain,
    congruent,
    flipped,
    hypotheses,
    inside,
    instance,
    rewritten,
    same,
)
from symlin.decide.matrix_powers import MatrixPowers, is_symbolic
from symlin.decide.powers import STRUCTURED, Monomial, Powers, Unit
from symlin.decide.theory import AXIOMS, LETTERS, A, B, existence, negative
from symlin.decide.verdict import Explanation, Proof, Step, Steps
from symlin.dims import ONE, Dim
from symlin.errors import BudgetError, ProofError, ShapeError
from symlin.kernel import Equation
from symlin.statement import Statement
from symlin.term import BINDERS, Term, make, walk

LETTER_LIMIT = 8
"""Among how many determinants one is looked for whose matrix is the product of two others."""
ROUNDS = 200
"""How many determinants of one side are rewritten."""


def applies(statement: Statement) -> bool:
    """Whether determinants, or powers with a symbolic exponent, occur."""
    nodes = {node for side in (statement.lhs, statement.rhs) for node in walk(side)}
    return any(node.op == "determinant" or _is_symbolic_power(node) or is_symbolic(node) for node in nodes)


def _is_symbolic_power(node: Term) -> bool:
    return node.op == "power" and node.is_scalar and cast(Dim, node.data[0]).constant is None


def decide_determinants(statement: Statement, *, deadline: float | None = None) -> Proof | None:
    """A proof from the named facts about determinants; None when none was found.

    Examples:
        >>> from symlin.construct import determinant, symbol
        >>> A, B = symbol("A", "n", "n"), symbol("B", "n", "n")
        >>> proof = decide_determinants(determinant(A @ B).eq(determinant(B @ A)))
        >>> print(proof.theorem)
        ⊢ det(AB) = det(BA)
        >>> proof.axioms
        ('det_mulmx',)
        >>> decide_determinants(determinant(A + B).eq(determinant(A))) is None
        True
    """
    if statement.relation != "=" or not applies(statement):
        return None
    try:
        return _Case(statement, deadline).proof()
    except (ProofError, ShapeError, BudgetError, RecursionError):
        # What the kernel does not accept, or the budget does not allow, is no proof; the caller goes on without one.
        return None


def taken_apart(term: Term, given: Iterable[Equation], deadline: float) -> Known:
    """⊢ t = t', where determinants are taken apart as far as the listed facts do it.

    Raises:
        ProofError, BudgetError: a rewriting fails, or takes too long.

    Examples:
        >>> from symlin.construct import determinant, symbol
        >>> A, B = symbol("A", "n", "n"), symbol("B", "n", "n")
        >>> print(taken_apart(determinant(A.T @ B), (), time.monotonic() + 5).theorem)
        ⊢ det(A^TB) = det(A)det(B)
    """
    bodies = [_inverted(lhs) for lhs, _ in given if lhs.op == "matmul" and len(lhs.args) == 2]
    side = _Side(same(term))
    _Case(Statement(term, term), deadline)._take_apart(
        side, frozenset(body for one in bodies for body in one)
    )
    return side.known


@dataclass(slots=True)
class _Side:
    """⊢ side = where it has come to, and the steps on the way."""

    known: Known
    steps: list[Step] = field(default_factory=list)

    def go(self, known: Known, rule: str, reason: str) -> None:
        """One step further."""
        if not known.trivial:
            if str(known.lhs) != str(known.rhs):
                self.steps.append(Step(known.lhs, known.rhs, rule, reason))
            self.known = chain(self.known, known)


@dataclass(slots=True)
class _Case:
    """One statement, and what has been found on the way."""

    statement: Statement
    deadline: float | None
    representatives: list[Term] = field(default_factory=list)
    found: dict[Term, tuple[Known, str, str] | None] = field(default_factory=dict)
    powers: Powers = field(default_factory=Powers)
    matrices: MatrixPowers = field(default_factory=MatrixPowers)
    values: list[tuple[Term, Known]] = field(default_factory=list)

    def proof(self) -> Proof | None:
        given = existence(self.statement)
        left, right = _Side(same(self.statement.lhs)), _Side(same(self.statement.rhs))
        invertible = frozenset(
            body for product, _ in given if product.op == "matmul" for body in _inverted(product)
        )
        for side in (left, right):
            self._take_apart(side, invertible)
        for side in (left, right):
            side.go(self.matrices.settled(side.known.rhs), "expmxD", "powers of one matrix are put together")
            self._quotients(side)
        self._find_units(given, invertible)
        for side in (left, right):
            for inverse, value in self.values:
                side.go(inside(side.known.rhs, inverse, value), "unit", "the inverse of a scalar is unique")
            side.go(self._settled(side.known.rhs, True), "exprD", "powers of one base are put together")
        last = by_entries(left.known.rhs, right.known.rhs)
        if last is None and self._multiplied(left, right):
            for side in (left, right):
                side.go(self._settled(side.known.rhs, True), "exprD", "powers of one base are put together")
            last = by_entries(left.known.rhs, right.known.rhs)
        if last is None:
            return None
        left.go(last, "ring", "the same products of scalars")
        whole = chain(left.known, flipped(right.known))
        used = hypotheses(whole)
        if not used <= given:
            raise ProofError("a hypothesis was used that the statement does not make")
        return Proof(
            self.statement,
            "determinants",
            Explanation(lambda: Steps(tuple(left.steps), tuple(right.steps))),
            theorem=whole.theorem,
            certificate=whole,
            hypotheses=_assumptions(used),
            axioms=axioms(whole),
            trusted=tuple(sorted(whole.theorem.trusted)),
        )

    def _take_apart(self, side: _Side, invertible: frozenset[Term]) -> None:
        """Rewrite determinants until none can be taken apart; then equal ones into one."""
        for _ in range(ROUNDS):
            if self.deadline is not None and time.monotonic() > self.deadline:
                raise BudgetError("time", "the time allowed was spent in taking determinants apart")
            before = side.known.rhs
            for node in walk(before):
                step = self._step(node, invertible) if node.op == "determinant" else None
                if step is None:
                    continue
                known, rule, reason = step
                whole = inside(before, node, known)
                if not whole.trivial:
                    side.go(whole, rule, reason)
                    break
            else:
                return
        raise BudgetError("steps", f"more than {ROUNDS} determinants")

    def _step(self, node: Term, invertible: frozenset[Term]) -> tuple[Known, str, str] | None:
        if node not in self.found:
            try:
                step = reduced(node, invertible)
                self.found[node] = self._matched(node) if step is None else (step[0], "det", step[1])
            except (ProofError, ShapeError):
                # A rewriting that entries do not show: this determinant stays a letter, the others go on.
                self.representatives.append(node)
                self.found[node] = None
        return self.found[node]

    def _matched(self, node: Term) -> tuple[Known, str, str] | None:
        """⊢ a determinant = one that was met before, when there is one that is equal."""
        for representative in self.representatives:
            known = _equal(node, representative)
            if known is not None:
                return known, "entries", "the same matrix"
        for other, reason in variants(node):
            dets = [part for part in walk(other.rhs) if part.op == "determinant"]
            for representative in self.representatives:
                known = _equal(dets[-1], representative)
                if known is not None:
                    return chain(other, inside(other.rhs, dets[-1], known)), "det", reason
        self.representatives.append(node)
        return None

    def _multiplied(self, left: _Side, right: _Side) -> bool:
        """Rewrite a determinant whose matrix is the product of two others; whether there is one."""
        letters = self.representatives[:LETTER_LIMIT]
        for whole in letters:
            for one, two in itertools.product(letters, repeat=2):
                if whole in (one, two) or not whole.args[0].shape == one.args[0].shape == two.args[0].shape:
                    continue
                parts = {A: one.args[0], B: two.args[0]}
                product = matmul(*parts.values())
                same_matrix = by_entries(whole.args[0], product)
                if same_matrix is None:
                    continue
                fact = instance("det_mulmx", parts, {"n": product.rows})
                known = chain(congruent(whole, same_matrix), fact)
                for side in (left, right):
                    side.go(inside(side.known.rhs, whole, known), "det", AXIOMS["det_mulmx"].reason)
                return True
        return False

    # --- inverses ---

    def _quotients(self, side: _Side) -> None:
        """a/s written as a·(1/s), and s^(-k) as a power of s^(-1)."""
        for node in list(walk(side.known.rhs)):
            if node.op == "divide" and node.args[1].op != "number":
                inverse = divide(number(1), node.args[1])
                product = inverse if node.args[0] is number(1) else scale(inverse, node.args[0])
                side.known = chain(side.known, inside(side.known.rhs, node, rewritten(node, product)))
            elif node.op == "power" and node.is_scalar and negative(node) and node.data != (Dim.of(-1),):
                known = instance("exprVn", {LETTERS["x"]: node.args[0]}, {"k": 1 - cast(Dim, node.data[0])})
                side.known = chain(side.known, inside(side.known.rhs, node, known))

    def _find_units(self, given: frozenset[Equation], invertible: frozenset[Term]) -> None:
        """What the inverses and divisions of the statement make cancel, small products first."""
        found: list[tuple[Monomial, Known, Term]] = []
        for equation in sorted(given, key=lambda pair: (str(pair[0]), str(pair[1]))):
            one = self._one(equation)
            if one is None:
                continue
            side = _Side(same(one.lhs))
            self._take_apart(side, invertible)
            normal = self.powers.normal(side.known.rhs)
            known = chain(flipped(normal.known), flipped(side.known), one)
            if len(normal.monomials) == 1 and normal.monomials[0].pairs:
                found.append((normal.monomials[0], known, side.known.rhs.args[1]))
        for product, known, inverse in sorted(found, key=lambda one: len(one[0].pairs)):
            self._add_unit(product, known, inverse)

    def _one(self, equation: Equation) -> Known | None:
        """⊢ x·y = 1 for scalars, from one of the equations that say what exists."""
        lhs, rhs = equation
        known = assumed(equation)
        if lhs.op == "scale":
            return known
        body, inverse = lhs.args
        if inverse.op != "inverse":
            return None
        if body.is_scalar:
            known = chain(rewritten(scale(body, inverse), lhs), known)
            return chain(known, rewritten(rhs, number(1)))
        size = {"n": body.rows}
        product = instance("det_mulmx", {A: body, B: inverse}, size)
        return chain(flipped(product), congruent(product.lhs, known), instance("det1", {}, size))

    def _add_unit(self, product: Monomial, known: Known, inverse: Term) -> None:
        """A new unit, unless its inverse is a product of inverses that are known."""
        unit = Unit(product, known)
        for value in self._candidates(product, inverse):
            # w = w·(the unit) = the inverse, when all else cancels
            whole = chain(
                rewritten(value, scale(value, number(1))),
                congruent(scale(value, number(1)), same(value), flipped(known)),
            )
            normal = self.powers.normal(whole.rhs)
            same_inverse = by_entries(normal.known.rhs, inverse)
            if same_inverse is not None:
                self.values.append((inverse, flipped(chain(whole, normal.known, same_inverse))))
                return
        self.powers.add_unit(unit)

    def _candidates(self, product: Monomial, inverse: Term) -> Iterator[Term]:
        """What the inverse in a unit may be in terms of inverses that are known."""
        rest = [pair for pair in product.pairs if pair[0] is not inverse]
        for unit in self.powers.units:
            others = [pair for pair in unit.product.pairs if pair not in rest]
            if len(others) == len(unit.product.pairs) - len(rest) == 1:
                ratio = unit.product.coefficient / product.coefficient
                yield Monomial(ratio, tuple(others)).shown()
        partners: dict[Term, Term] = {}
        for unit in self.powers.units:
            if len(unit.product.pairs) == 2 and unit.product.coefficient == 1:
                (first, one), (second, two) = unit.product.pairs
                if one == two == ONE:
                    partners[first] = second
        for base, _ in rest:
            if base.op == "number" and base.data[0]:
                partners[base] = number(1 / cast(Fraction, base.data[0]))
        if all(base in partners for base, _ in rest):
            yield Monomial(1 / product.coefficient, tuple((partners[b], e) for b, e in rest)).shown()

    # --- scalars ---

    def _settled(self, term: Term, top: bool) -> Known:
        """⊢ t = t', where the powers in every scalar of t are put together."""
        if not any(_is_symbolic_power(node) or self._is_unit(node) for node in walk(term)):
            return same(term)
        if term.op in BINDERS and (cast(Dim, term.data[1]).constant or 0) < 1:
            return same(term)
        scalar = term.is_scalar and term.op in STRUCTURED
        known = congruent(term, *(self._settled(arg, not scalar) for arg in term.args))
        new = known.rhs
        if new.op == "scale" and not new.is_scalar and new.args[1].op == "scale":
            inner = new.args[1]
            known = chain(known, rewritten(new, scale(scale(new.args[0], inner.args[0]), inner.args[1])))
            return chain(known, self._settled(known.rhs, True))
        if scalar and top:
            normal = self.powers.normal(new)
            known = chain(known, normal.known, rewritten(normal.known.rhs, normal.shown()))
        return known

    def _is_unit(self, node: Term) -> bool:
        return any(node is base for unit in self.powers.units for base, _ in unit.product.pairs)


def _assumptions(used: frozenset[Equation]) -> tuple[Statement, ...]:
    """What the theorem rests on, as a reader sees it: A·A⁻¹ = I, and x ≠ 0 where x·(1/x) = 1 was used."""
    ordered = sorted(used, key=lambda pair: (str(pair[0]), str(pair[1])))
    return tuple(
        Statement(lhs.args[0], number(0), r"\ne") if lhs.op == "scale" else Statement(lhs, rhs)
        for lhs, rhs in ordered
    )


def _inverted(product: Term) -> tuple[Term, ...]:
    """A of A·A⁻¹."""
    body, inverse = product.args
    return (body,) if inverse is make("inverse", body) else ()


def _equal(one: Term, other: Term) -> Known | None:
    """⊢ det X = det Y where X and Y have the same entries."""
    if one is other:
        return same(one)
    known = by_entries(one.args[0], other.args[0])
    return None if known is None else congruent(one, known)
