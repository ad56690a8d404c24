"""Equations that the kernel has proved, each with the rule and the premises that it was made from.

Offers `Known` and one function for each rule that engines chain; rests on the kernel, `theory` and `entries`.
Every function asks the kernel at once, so that a `Known` is never more than a theorem and its history.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from typing import Any, TypeAlias, cast

from symlin import kernel
from symlin.decide import theory
from symlin.decide.canonical import Labeller
from symlin.decide.composite import find_splits
from symlin.decide.entries import decide_entries
from symlin.dims import Dim
from symlin.errors import BudgetError, ProofError, UnsupportedError
from symlin.kernel import Equation, Theorem
from symlin.statement import Statement
from symlin.sums import Certificate, Expander, expand
from symlin.term import BINDERS, Term, make, walk

ENTRIES_BUDGET = 20_000
Cofactor: TypeAlias = tuple[Term, Term | None, Term | None]
"""c, L and R of c·L(p - q)R."""


@dataclass(frozen=True, slots=True, eq=False)
class Known:
    """A theorem of the kernel and how it was made.

    Args:
        theorem: the theorem.
        rule: the rule of the kernel.
        premises: what the rule was applied to.
        name: of an axiom.
        letters: what an instance puts for the letters.
        sizes: what an instance puts for the sizes.
        certificate: of a comparison by entries.
        cofactors: (c, L, R) for each premise of a comparison by entries: c·L(p - q)R is added to the right side.
    """

    theorem: Theorem
    rule: str
    premises: tuple[Known, ...] = ()
    name: str = ""
    letters: Mapping[Term, Term] = field(default_factory=dict)
    sizes: Mapping[str, Dim] = field(default_factory=dict)
    certificate: Certificate | None = None
    cofactors: tuple[Cofactor, ...] = ()

    @property
    def lhs(self) -> Term:
        return cast(Term, self.theorem.lhs)

    @property
    def rhs(self) -> Term:
        return cast(Term, self.theorem.rhs)

    @property
    def trivial(self) -> bool:
        """Whether both sides are the same Term."""
        return self.lhs is self.rhs

    def history(self) -> tuple[Known, ...]:
        """All that this was made from, premises first, each once, and this last."""
        seen: dict[Known, None] = {}
        stack = [(self, False)]
        while stack:
            known, ready = stack.pop()
            if known in seen:
                continue
            if ready:
                seen[known] = None
            else:
                stack.append((known, True))
                stack.extend((premise, False) for premise in reversed(known.premises))
        return tuple(seen)


def same(term: Term) -> Known:
    """⊢ t = t"""
    return Known(kernel.reflexivity(term), "reflexivity")


def assumed(equation: Equation) -> Known:
    """s = t ⊢ s = t"""
    return Known(kernel.assume(*equation), "assume")


def flipped(known: Known) -> Known:
    """⊢ t = s from ⊢ s = t"""
    if known.trivial:
        return known
    return Known(kernel.symmetry(known.theorem), "symmetry", (known,))


def chain(first: Known, *others: Known) -> Known:
    """⊢ r = t from ⊢ r = s, ⊢ s = t, …"""

    def join(one: Known, two: Known) -> Known:
        if one.trivial or two.trivial:
            return two if one.trivial else one
        return Known(kernel.transitivity(one.theorem, two.theorem), "transitivity", (one, two))

    return reduce(join, others, first)


def congruent(term: Term, *premises: Known) -> Known:
    """⊢ f(s, …) = f(t, …) from ⊢ s = t, …"""
    if all(premise.trivial for premise in premises):
        return same(term)
    theorems = [premise.theorem for premise in premises]
    return Known(kernel.congruence(term, *theorems), "congruence", premises)


def instance(name: str, letters: Mapping[Term, Term], sizes: Mapping[str, Dim] | None = None) -> Known:
    """An axiom of the theory with letters and sizes replaced.

    Raises:
        ProofError: a size may be less than 1, or a letter does not fit.
    """
    axiom = Known(theory.theorem(name), "axiom", name=name)
    put = sizes or {}
    return Known(
        kernel.instantiate(axiom.theorem, letters, put), "instantiate", (axiom,), letters=letters, sizes=put
    )


def computed(name: str, lhs: Term, rhs: Term) -> Known:
    """⊢ s = t by exact arithmetic outside the kernel, which the theorem lists as trusted."""
    return Known(kernel.computed(name, lhs, rhs), "computed", name=name)


def by_entries(lhs: Term, rhs: Term) -> Known | None:
    """⊢ s = t where both sides have the same entries; None where that is not found."""
    if lhs is rhs:
        return same(lhs)
    if lhs.shape != rhs.shape:
        return None
    try:
        found = decide_entries(Statement(lhs, rhs), budget=ENTRIES_BUDGET)
    except (UnsupportedError, BudgetError):
        return None
    if found.proof is None:
        return None
    certificate = cast(Certificate, found.proof.certificate)
    return Known(cast(Theorem, found.proof.theorem), "by_entries", certificate=certificate)


def combined(lhs: Term, rhs: Term, pieces: Sequence[tuple[Cofactor, Known]]) -> Known:
    """⊢ s = t, where s and t + Σ cL(p - q)R have the same entries; each ⊢ p = q with its cofactors.

    Raises:
        ProofError: they have not.
    """
    total = rhs
    for (coefficient, left, right), known in pieces:
        factors = [f for f in (left, make("add", known.lhs, make("neg", known.rhs)), right) if f is not None]
        total = make("add", total, make("scale", coefficient, make("matmul", *factors), data=("left",)))
    found = decide_entries(Statement(lhs, total), budget=ENTRIES_BUDGET)
    if found.proof is None:
        raise ProofError(f"the combination is not {lhs} = {rhs}: {found.difference}")
    certificate = cast(Certificate, found.proof.certificate)
    theorem = kernel.by_entries(
        lhs, rhs, certificate, *((c, left, known.theorem, right) for (c, left, right), known in pieces)
    )
    return Known(
        theorem,
        "by_entries",
        tuple(known for _, known in pieces),
        certificate=certificate,
        cofactors=tuple(cofactor for cofactor, _ in pieces),
    )


def cut(lemma: Known, known: Known) -> Known:
    """Γ ∪ Δ ⊢ s = t from Γ ⊢ p = q and Δ ∪ {p = q} ⊢ s = t"""
    return Known(kernel.cut(lemma.theorem, known.theorem), "cut", (lemma, known))


def by_ways(lhs: Term, rhs: Term, ways: tuple[int, ...]) -> Known:
    """⊢ s = t by entries, where it is known which of its splits each index of a composite size takes.

    Raises:
        ProofError: the entries are not the same.
    """
    splits, _ = find_splits((lhs, rhs))
    certificate, labeller = Certificate(splits, ways), Labeller()
    _, summands = expand(lhs, rhs, certificate, ENTRIES_BUDGET)
    certificate = certificate._replace(labels=tuple(labeller.order(summand) for *_, summand in summands))
    return Known(kernel.by_entries(lhs, rhs, certificate), "by_entries", certificate=certificate)


def rewritten(lhs: Term, rhs: Term) -> Known:
    """⊢ s = t by entries, where that ought to be so.

    Raises:
        ProofError: it is not found so.
    """
    known = by_entries(lhs, rhs)
    if known is None:
        raise ProofError(f"{lhs} = {rhs} is not seen by entries")
    return known


def inside(term: Term, part: Term, known: Known) -> Known:
    """⊢ t = t', where t' has the part replaced by what it equals, wherever no binder forbids that."""
    memo: dict[Term, Known] = {part: known}
    for node in walk(term):
        if node in memo:
            continue
        premises = [memo[arg] for arg in node.args]
        if all(premise.trivial for premise in premises) or _from_zero(node):
            memo[node] = same(node)
        else:
            memo[node] = congruent(node, *premises)
    return memo[term]


def _from_zero(node: Term) -> bool:
    """Whether a binder's index may be less than 1, where a fact about sizes and exponents need not hold."""
    return node.op in BINDERS and (cast(Dim, node.data[1]).constant or 0) < 1


def nonnegative(dim: Dim) -> bool:
    """Whether dim ≥ 0 is plain for all sizes that are at least 1."""
    return Expander((), Certificate()).nonnegative(dim)


def hypotheses(known: Known) -> frozenset[Equation]:
    """What a theorem rests on."""
    return cast(Any, known.theorem).hypotheses  # type: ignore[no-any-return]


def axioms(known: Known) -> tuple[str, ...]:
    """The names of the axioms that a theorem rests on."""
    return tuple(sorted({name for name, *_ in cast(Any, known.theorem).axioms}))
