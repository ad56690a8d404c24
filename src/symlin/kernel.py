"""The trusted kernel: the only code that can make a `Theorem`, by the rules below and no others.

Offers Theorem with its rules, is_theorem, Certificate and expand; rests on `term`, `dims`, `errors`; searches for nothing.
Γ ⊢ s = t says: in every commutative ring with involution where the divisions written exist, for all letters, sizes and
free indices (integers ≥ 1, each within the size that it counts) that satisfy Γ, s equals t.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import chain, count, product
from typing import Any, NamedTuple, TypeAlias, cast
from weakref import WeakKeyDictionary

from symlin.dims import ONE, ZERO, Dim, Monomial
from symlin.errors import BudgetError, ProofError
from symlin.term import BINDERS, Term, is_genuine, make, substitute, walk

Equation: TypeAlias = tuple[Term, Term]
Bound: TypeAlias = tuple[tuple[str, Dim], ...]
COMPUTATIONS = frozenset({"explicit", "numeric"})  # exact arithmetic that a proof may trust, and then lists


class Facts(NamedTuple):
    """What a theorem says and what it rests on."""

    lhs: Term
    rhs: Term
    hypotheses: frozenset[Equation] = frozenset()
    axioms: frozenset[tuple[str, Term, Term]] = frozenset()
    trusted: frozenset[str] = frozenset()


class Theorem:
    """Γ ⊢ lhs = rhs.  It holds nothing itself: the kernel knows its own theorems by identity, and what they say."""

    __slots__ = ("__weakref__",)

    def __new__(cls, *_: object) -> Theorem:
        raise ProofError("a Theorem is made by the rules of symlin.kernel only")

    def __reduce__(self) -> str:
        raise ProofError("a Theorem can be neither copied nor stored: store its proof")

    def __getattr__(self, name: str) -> Any:
        if name not in Facts._fields:
            raise AttributeError(name)
        return getattr(_facts(self), name)


_GENUINE: WeakKeyDictionary[Theorem, Facts] = WeakKeyDictionary()


def is_theorem(value: object) -> bool:
    """Whether `value` was made by a rule of this kernel."""
    return type(value) is Theorem and value in _GENUINE


def _need(condition: bool, message: str) -> None:
    if not condition:
        raise ProofError(message)


def _facts(theorem: Theorem) -> Facts:
    _need(is_theorem(theorem), "this is no Theorem of the kernel")
    return _GENUINE[theorem]


def _mint(new: Facts, *premises: Theorem, used: Iterable[Term] = (), bound: str = "") -> Theorem:
    """The theorem, with all that its premises rest on; it speaks of every index they speak of, save `bound`."""
    parents = [_facts(premise) for premise in premises]
    axioms = new.axioms.union(*(parent.axioms for parent in parents))
    trusted = new.trusted.union(*(parent.trusted for parent in parents))
    terms = [new.lhs, new.rhs, *chain(*new.hypotheses)]
    _need(all(map(is_genuine, terms)), "a theorem speaks of genuine Terms only")
    _need(all(s.shape == t.shape for s, t in [new[:2], *new.hypotheses]), "the two sides differ in size")
    if any(name.startswith("real") for name, *_ in axioms):
        conjugates = any(node.op in ("conjugate", "adjoint") for term in terms for node in walk(term))
        _need(not conjugates, "an axiom of the reals is used where conjugates occur")
    before = [*used, *chain(*([p.lhs, p.rhs, *chain(*p.hypotheses)] for p in parents))]
    lost = [index for index, _ in _indexed(before) - _indexed(terms) if bound not in index.symbols] if before else []
    _need(not lost, f"the range of an index was used and is lost: {', '.join(map(str, lost))}")
    theorem = object.__new__(Theorem)
    _GENUINE[theorem] = new._replace(axioms=axioms, trusted=trusted)
    return theorem
