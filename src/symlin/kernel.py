"""The trusted kernel: the only code that can make a `Theorem`, by the rules below and no others.

Offers Theorem, is_theorem and the rules; rests on `sums` (which expands entries), `term`, `dims` and `errors`; it
searches for nothing.
Γ ⊢ s = t says: in every commutative ring with involution where the divisions written exist, for all letters, sizes
and free indices (integers ≥ 1, each within the size that it counts) that satisfy Γ, s equals t.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple, Self, TypeAlias, cast
from weakref import WeakKeyDictionary

from symlin.dims import ONE, Dim
from symlin.errors import ProofError
from symlin.sums import Certificate, Expander, all_names, expand, free_indices, need, renamed
from symlin.term import BINDERS, Term, is_genuine, make, substitute, walk

COMPUTATIONS = frozenset({"explicit", "numeric"})  # exact arithmetic that a proof may trust, and then lists
Equation: TypeAlias = tuple[Term, Term]
Piece: TypeAlias = "tuple[Term, Term | None, Theorem, Term | None]"  # c, L, ⊢ p = q, R


class Facts(NamedTuple):
    """What a theorem says and what it rests on."""

    lhs: Term
    rhs: Term
    hypotheses: frozenset[Equation] = frozenset()
    axioms: frozenset[tuple[str, Term, Term]] = frozenset()
    trusted: frozenset[str] = frozenset()


class Theorem:
    """Γ ⊢ lhs = rhs.  It holds nothing itself: the kernel knows its theorems by identity, and what they say."""

    __slots__ = ("__weakref__",)

    def __new__(cls, *_: object) -> Self:
        raise ProofError("a Theorem is made by the rules of symlin.kernel only")

    def __reduce__(self) -> str:
        raise ProofError("a Theorem can be neither copied nor stored: store its proof")

    def __getattr__(self, name: str) -> Any:
        if name not in Facts._fields:
            raise AttributeError(name)
        return getattr(_facts(self), name)

    def __repr__(self) -> str:
        given = sorted(f"{lhs} = {rhs}" for lhs, rhs in self.hypotheses)
        return f"{', '.join(given)} ⊢ {self.lhs} = {self.rhs}".strip()


_GENUINE: WeakKeyDictionary[Theorem, Facts] = WeakKeyDictionary()


def is_theorem(value: object) -> bool:
    """Whether `value` was made by a rule of this kernel."""
    return type(value) is Theorem and value in _GENUINE


def _facts(theorem: Theorem) -> Facts:
    need(is_theorem(theorem), "this is no Theorem of the kernel")
    return _GENUINE[theorem]


def _mint(new: Facts, *premises: Theorem, used: Sequence[Term] = (), bound: str = "") -> Theorem:
    """The theorem, with all that its premises rest on; it speaks of every index they speak of, save `bound`."""
    parents = [_facts(premise) for premise in premises]
    axioms = new.axioms.union(*(parent.axioms for parent in parents))
    trusted = new.trusted.union(*(parent.trusted for parent in parents))
    terms = [new.lhs, new.rhs, *chain(*new.hypotheses)]
    need(all(map(is_genuine, terms)), "a theorem speaks of genuine Terms only")
    need(all(s.shape == t.shape for s, t in [new[:2], *new.hypotheses]), "the two sides differ in size")
    if any(name.startswith("real") for name, *_ in axioms):
        conjugates = any(node.op in ("conjugate", "adjoint") for term in terms for node in walk(term))
        need(not conjugates, "an axiom of the reals is used where conjugates occur")
    before = free_indices([*used, *chain(*([p.lhs, p.rhs, *chain(*p.hypotheses)] for p in parents))])
    lost = [str(i) for i, n in before - free_indices(terms) if bound not in i.symbols | n.symbols]
    need(not lost, f"the range of an index was used and is lost: {', '.join(lost)}")
    theorem = object.__new__(Theorem)
    _GENUINE[theorem] = new._replace(axioms=axioms, trusted=trusted)
    return theorem


# --- rules, each with its picture -----------------------------------------------------------------------------


def reflexivity(term: Term) -> Theorem:
    """⊢ t = t"""
    return _mint(Facts(term, term))


def symmetry(theorem: Theorem) -> Theorem:
    """Γ ⊢ s = t  ⟹  Γ ⊢ t = s"""
    known = _facts(theorem)
    return _mint(Facts(known.rhs, known.lhs, known.hypotheses), theorem)


def transitivity(first: Theorem, second: Theorem) -> Theorem:
    """Γ ⊢ r = s,  Δ ⊢ s = t  ⟹  Γ ∪ Δ ⊢ r = t"""
    one, two = _facts(first), _facts(second)
    need(one.rhs is two.lhs, "the first equation does not end where the second begins")
    return _mint(Facts(one.lhs, two.rhs, one.hypotheses | two.hypotheses), first, second)


def congruence(term: Term, *premises: Theorem) -> Theorem:
    """Γₖ ⊢ sₖ = tₖ for each k  ⟹  ∪Γₖ ⊢ f(s₁, …) = f(t₁, …), where an index that f binds does not occur in Γ"""
    known = [_facts(premise) for premise in premises]
    need(tuple(one.lhs for one in known) == term.args, "the premises do not start at the parts of the term")
    given = frozenset[Equation]().union(*(one.hypotheses for one in known))
    bound, lo, hi = cast("tuple[str, Dim, Dim]", term.data if term.op in BINDERS else ("", ONE, ONE))
    need(bound not in all_names(chain(*given)), f"the index {bound} occurs in a hypothesis")
    moved = chain(*(one[:2] for one in known if one.lhs is not one.rhs))
    above = Expander((), Certificate()).nonnegative(lo - 1)
    need(above or bound not in all_names(moved), f"the index {bound} may be less than 1")
    for index, size in free_indices(chain(*(one[:2] for one in known))):
        inside = (index, size) == (Dim.symbol(bound), hi) and (lo.constant or 0) > 0
        need(inside or bound not in index.symbols | size.symbols, f"the index {index} may leave 1 … {size}")
    whole = make(term.op, *(one.rhs for one in known), data=term.data)
    return _mint(Facts(term, whole, given), *premises, bound=bound)


def assume(lhs: Term, rhs: Term) -> Theorem:
    """s = t ⊢ s = t"""
    return _mint(Facts(lhs, rhs, frozenset({(lhs, rhs)})))


def cut(lemma: Theorem, theorem: Theorem) -> Theorem:
    """Γ ⊢ p = q,  Δ ∪ {p = q} ⊢ s = t  ⟹  Γ ∪ Δ ⊢ s = t"""
    known, new = _facts(lemma), _facts(theorem)
    given = known.hypotheses | (new.hypotheses - {(known.lhs, known.rhs)})
    return _mint(Facts(new.lhs, new.rhs, given), lemma, theorem)


def axiom(name: str, lhs: Term, rhs: Term, hypotheses: Iterable[Equation] = ()) -> Theorem:
    """Γ ⊢ s = t, listed by name; the name of an axiom that needs the reals begins with "real"."""
    return _mint(Facts(lhs, rhs, frozenset(hypotheses), frozenset({(name, lhs, rhs)})))


def computed(name: str, lhs: Term, rhs: Term) -> Theorem:
    """⊢ s = t, listed as trusted: exact arithmetic outside the kernel."""
    need(name in COMPUTATIONS, f"{name!r} is no computation that a proof may trust")
    return _mint(Facts(lhs, rhs, trusted=frozenset({name})))


def instantiate(theorem: Theorem, letters: Mapping[Term, Term], sizes: Mapping[str, Dim]) -> Theorem:
    """Γ ⊢ s = t  ⟹  Γσ ⊢ sσ = tσ, where σ keeps sizes ≥ 1 and gives every letter a term of its own size"""
    known, positive = _facts(theorem), Expander((), Certificate()).nonnegative
    need(all(map(is_genuine, letters.values())), "a letter is replaced by what is no genuine Term")
    for letter, value in letters.items():
        fits = value.shape == (letter.rows.substitute(sizes), letter.cols.substitute(sizes))
        need(letter.op == "symbol" and fits, "a letter is replaced by a term of another size")
    for size in sizes.values():
        need(positive(size - 1), "a size is replaced by what may be less than 1")
    sides = [known[:2], *known.hypotheses]
    new = [(substitute(s, letters, sizes), substitute(t, letters, sizes)) for s, t in sides]
    return _mint(Facts(*new[0], frozenset(new[1:]), known.axioms, known.trusted))


def by_entries(lhs: Term, rhs: Term, certificate: Certificate, *pieces: Piece) -> Theorem:
    """Γₖ ⊢ pₖ = qₖ,  s and t + Σ cₖLₖ(pₖ − qₖ)Rₖ expand to the same sums of entries  ⟹  ∪Γₖ ⊢ s = t"""
    total, given = rhs, frozenset[Equation]()
    for coefficient, left, theorem, right in pieces:
        known = _facts(theorem)
        given |= known.hypotheses
        factors = [f for f in (left, make("add", known.lhs, make("neg", known.rhs)), right) if f is not None]
        total = make("add", total, make("scale", coefficient, make("matmul", *factors), data=("left",)))
    mark, rows = expand(lhs, total, certificate)
    need(len(rows) == len(certificate.labels), "the certificate is for other sums")
    balance, labels = Counter[Any](), iter(certificate.labels)
    for case, sign, summand in rows:
        for key, coefficient in renamed(mark, summand, next(labels)):
            balance[case, key] += sign * coefficient
    need(not any(balance.values()), "the two sides do not expand to the same sums of entries")
    return _mint(Facts(lhs, rhs, given), *(piece[2] for piece in pieces), used=[total])
