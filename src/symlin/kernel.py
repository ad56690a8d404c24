"""The trusted kernel: the only code that can make a `Theorem`, by the rules below and no others.

Offers Theorem, is_theorem, the rules, Certificate and expand; rests on `term`, `dims`, `errors`; searches for nothing.
Γ ⊢ s = t says: in every commutative ring with involution where the divisions written exist, for all letters, sizes
and free indices (integers ≥ 1, each within the size that it counts) that satisfy Γ, s equals t.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, count, product
from typing import Any, NamedTuple, Self, TypeAlias, cast
from weakref import WeakKeyDictionary

from symlin.dims import ONE, ZERO, Dim, Monomial
from symlin.errors import BudgetError, ProofError
from symlin.term import BINDERS, Term, is_genuine, make, substitute, walk

COMPUTATIONS = frozenset({"explicit", "numeric"})  # exact arithmetic that a proof may trust, and then lists
Equation: TypeAlias = tuple[Term, Term]


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
    lost = (
        [index for index, _ in _indexed(before) - _indexed(terms) if bound not in index.symbols]
        if before
        else []
    )
    _need(not lost, f"the range of an index was used and is lost: {', '.join(map(str, lost))}")
    theorem = object.__new__(Theorem)
    _GENUINE[theorem] = new._replace(axioms=axioms, trusted=trusted)
    return theorem


def _indexed(terms: Iterable[Term]) -> set[tuple[Dim, Dim]]:
    """The free indices of the terms, each with the size that it must be within."""
    found: dict[Term, set[tuple[Dim, Dim]]] = {}
    for t in chain(*map(walk, terms := list(terms))):
        shape = {"entry": 0, "row": 0, "column": 1}.get(t.op)
        sizes = t.data[1:] if t.op == "unit" else () if shape is None else t.args[0].shape[shape:]
        own = cast("set[tuple[Dim, Dim]]", set(zip(t.data, sizes)))  # (i, m), (j, n) of an m×n matrix
        free = own.union(*(found[arg] for arg in t.args))
        found[t] = {pair for pair in free if t.op not in BINDERS or t.data[0] not in pair[0].symbols}
    return set().union(*(found[term] for term in terms))


def _names(terms: Iterable[Term]) -> set[str]:
    """The names of all sizes and indices, bound ones too."""
    parts = [part for t in chain(*map(walk, terms)) for part in (t.data if t.op != "symbol" else t.shape)]
    binders = {cast(str, t.data[0]) for t in chain(*map(walk, terms)) if t.op in BINDERS}
    return binders.union(*(part.symbols for part in parts if isinstance(part, Dim)))


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
    _need(one.rhs is two.lhs, "the first equation does not end where the second begins")
    return _mint(Facts(one.lhs, two.rhs, one.hypotheses | two.hypotheses), first, second)


def congruence(term: Term, *premises: Theorem) -> Theorem:
    """Γₖ ⊢ sₖ = tₖ for each k  ⟹  ∪Γₖ ⊢ f(s₁, …) = f(t₁, …), where an index that f binds does not occur in Γ"""
    known = [_facts(premise) for premise in premises]
    _need(tuple(one.lhs for one in known) == term.args, "the premises do not start at the parts of the term")
    bound, lo, hi = cast("tuple[str, Dim, Dim]", term.data if term.op in BINDERS else ("", ONE, ONE))
    given = frozenset[Equation]().union(*(one.hypotheses for one in known))
    _need(bound not in _names([*chain(*given)]), f"the index {bound} occurs in a hypothesis")
    for index, size in _indexed(chain(*(one[:2] for one in known))):
        inside = (index, size) == (Dim.symbol(bound), hi) and (lo.constant or 0) > 0
        _need(inside or bound not in index.symbols, f"the index {index} may leave 1 … {size}")
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
    _need(name in COMPUTATIONS, f"{name!r} is no computation that a proof may trust")
    return _mint(Facts(lhs, rhs, trusted=frozenset({name})))


def instantiate(theorem: Theorem, letters: Mapping[Term, Term], sizes: Mapping[str, Dim]) -> Theorem:
    """Γ ⊢ s = t  ⟹  Γσ ⊢ sσ = tσ, where σ keeps sizes ≥ 1 and gives every letter a term of its own size"""
    known = _facts(theorem)
    for letter, value in letters.items():
        size = (letter.rows.substitute(sizes), letter.cols.substitute(sizes))
        _need(letter.op == "symbol" and value.shape == size, "a letter is replaced by a term of another size")
    positive = Expander((), Certificate()).nonnegative
    _need(
        all(positive(value - 1) for value in sizes.values()), "a size is replaced by what may be less than 1"
    )
    (lhs, rhs), *given = (
        tuple(substitute(side, letters, sizes) for side in equation)
        for equation in (known[:2], *known.hypotheses)
    )
    return _mint(Facts(lhs, rhs, frozenset(cast("list[Equation]", given)), known.axioms, known.trusted))


def by_entries(lhs: Term, rhs: Term, certificate: Certificate, *pieces: Piece) -> Theorem:
    """Γₖ ⊢ pₖ = qₖ,  s and t + Σ cₖLₖ(pₖ − qₖ)Rₖ expand to the same sums of entries  ⟹  ∪Γₖ ⊢ s = t"""
    total, given = rhs, frozenset[Equation]()
    for coefficient, left, theorem, right in pieces:
        known = _facts(theorem)
        given |= known.hypotheses
        factors = [f for f in (left, make("add", known.lhs, make("neg", known.rhs)), right) if f is not None]
        total = make("add", total, make("scale", coefficient, make("matmul", *factors), data=("left",)))
    mark, rows = expand(lhs, total, certificate)
    _need(len(rows) == len(certificate.labels), "the certificate is for other sums")
    balance: dict[tuple[int, Any], int | Fraction] = {}
    for (case, sign, summand), order in zip(rows, certificate.labels, strict=True):
        key = case, renamed(mark, summand, order)
        balance[key] = balance.get(key, 0) + sign * summand.coefficient
    _need(not any(balance.values()), "the two sides do not expand to the same sums of entries")
    return _mint(Facts(lhs, rhs, given), *(piece[2] for piece in pieces), used=[total])


# --- expansion: every entry is a sum of products of entries ---------------------------------------------------


@dataclass(frozen=True, slots=True)
class Certificate:
    """What a search found: how composite sizes split (n, "+" or "*", a, b), up to which size indices are written
    out, and for each summand, in the order of `expand`, the numbers that its bound indices get."""

    splits: tuple[tuple[Dim, str, Dim, Dim], ...] = ()
    unroll: int = 1
    labels: tuple[tuple[int, ...], ...] = ()


class Summand(NamedTuple):
    """coefficient · sizes · factors (letter, conjugated?, indices), summed over 1 ≤ index ≤ end of bound indices."""

    coefficient: int | Fraction = 1
    sizes: Monomial = ()
    factors: tuple[tuple[Any, bool, tuple[Dim, ...]], ...] = ()
    bound: tuple[tuple[str, Dim], ...] = ()


Sums: TypeAlias = list[Summand]
Bound: TypeAlias = tuple[tuple[str, Dim], ...]
Piece: TypeAlias = tuple[Term, Term | None, Theorem, Term | None]


def expand(lhs: Term, rhs: Term, certificate: Certificate, budget: int = 1_000_000) -> tuple[str, list[Any]]:
    """How bound names begin; and (case of the outer indices, 1 or -1 for the side, summand) for all entries."""
    x = Expander((lhs, rhs), certificate, budget)
    rows = []
    try:
        for case, ((i, _), (j, _)) in enumerate(product(x.places(lhs.rows), x.places(lhs.cols))):
            for sign, side in ((1, lhs), (-1, rhs)):
                rows += [(case, sign, s) for summand in x(side, i, j) for s in x.settled(summand)]
    except RecursionError:
        raise BudgetError("depth", "the terms are nested too deeply to be expanded") from None
    return x.mark, rows


def renamed(mark: str, summand: Summand, order: tuple[int, ...]) -> tuple[Any, ...]:
    """The summand without its coefficient, once its bound indices are called by the numbers in `order`."""
    _need(sorted(order) == list(range(len(summand.bound))), "bound indices are not renamed one to one")
    new = {name: Dim.symbol(f"{mark}c{k}") for (name, _), k in zip(summand.bound, order, strict=True)}
    seen = {Dim.symbol(name): dim for name, dim in new.items()}

    def put(dim: Dim) -> Dim:
        return seen[dim] if dim in seen else seen.setdefault(dim, dim.substitute(new))

    factors = Counter(_factor(letter, flag, map(put, dims)) for letter, flag, dims in summand.factors)
    sizes = frozenset((new.get(name, name), power) for name, power in summand.sizes)
    return sizes, frozenset(factors.items()), frozenset((new[name], put(end)) for name, end in summand.bound)


def _factor(letter: Any, flag: bool, dims: Iterable[Dim]) -> tuple[Any, bool, tuple[Dim, ...]]:
    """A factor; the claim ("=", d) that d is 0 claims the same of -d."""
    return letter, flag, tuple(dims) if letter != "=" else tuple(min(d, -d) for d in dims)


def _powers(left: Monomial, right: Monomial) -> Monomial:
    if not left or not right:
        return left or right
    total = Counter(dict(left))
    total.update(dict(right))
    return tuple(sorted((name, power) for name, power in total.items() if power))


def _replaceable(s: Summand, name: str, value: Dim) -> bool:
    """Whether no range of `s` would come to depend on an index that it bounds."""
    in_range = any(name in end.symbols for _, end in s.bound)
    return name not in value.symbols and not (in_range and value.symbols & {bound for bound, _ in s.bound})


def _put(s: Summand, name: str, value: Dim) -> Sums:
    """`s` with the index `name`, which is equal to `value`, replaced by it."""
    new, power = {name: value}, dict(s.sizes).get(name, 0)
    _need(power >= 0, f"a division by {name} stands where {name} is replaced")
    factors = tuple(
        _factor(letter, flag, [d.substitute(new) for d in dims]) for letter, flag, dims in s.factors
    )
    bound = tuple((other, end.substitute(new)) for other, end in s.bound)
    sizes, scale = tuple(pair for pair in s.sizes if pair[0] != name), ONE
    for _ in range(power):
        scale *= value
    return [Summand(s.coefficient * c, _powers(sizes, powers), factors, bound) for powers, c in scale.terms]


class Expander:
    """Expands entries; `env` says what the indices of the binders around stand for, `flag` whether to conjugate."""

    def __init__(self, terms: Sequence[Term], certificate: Certificate, budget: int = 1_000_000) -> None:
        free = {index.lone_symbol: size for index, size in sorted(_indexed(terms)) if index.lone_symbol}
        self.ends = {name: size for name, size in free.items() if name and not size.symbols & free.keys()}
        self.splits = {size: split for size, *split in certificate.splits}
        self.mark = max(_names(terms), key=len, default="") + "·"  # no name of the terms begins with it
        self.unroll, self.room, self.numbers = max(certificate.unroll, 1), [budget], count()
        self.known: set[tuple[Dim, Dim]] = set()  # (index, size) where the index is within the size
        self.env: dict[str, Dim] = {}
        self.flag = False
        for size, op, a, b in certificate.splits:
            fits = size == (a + b if op == "+" else a * b) and self.nonnegative(a) and self.nonnegative(b)
            _need(fits, f"{size} does not split into {a} and {b}")

    def __call__(self, term: Term, i: Dim, j: Dim) -> Sums:
        return FORMULAS.get(term.op, _letter)(self, term, i, j)

    def but(self, **changes: Any) -> Expander:
        inner = object.__new__(Expander)
        inner.__dict__ = {**self.__dict__, **changes}
        return inner

    def dim(self, raw: Any) -> Dim:
        return cast(Dim, raw.substitute(self.env) if self.env else raw)

    def index(self, raw: Any, size: Dim) -> Dim:
        """An index as written: what binders bring in must provably stay within the size."""
        dim = self.dim(raw)
        _need(dim == raw or self.within(dim, self.dim(size)), f"the index {raw} may leave 1 … {size}")
        return dim

    def within(self, dim: Dim, size: Dim) -> bool:
        if (dim, size) in self.known or self.ends.get(dim.lone_symbol or "") == size:
            return True
        return self.nonnegative(dim - 1) and self.nonnegative(size - dim)

    def nonnegative(self, dim: Dim) -> bool:
        """Whether dim ≥ 0 is plain: no coefficient is negative once each symbol s ≥ 1 is written as 1 + s."""
        low = self.extreme(dim, 1)
        return all(c >= 0 for _, c in low.substitute({s: Dim.symbol(s) + 1 for s in low.symbols}).terms)

    def extreme(self, dim: Dim, sign: int) -> Dim:
        """A bound from below (sign 1) or above (-1): in each term every index stands at 1 or at its end."""
        total = ZERO
        for powers, c in dim.terms:
            part = Dim({(): c})
            for name in (name for name, power in powers for _ in range(power)):
                end = self.ends.get(name)
                part *= Dim.symbol(name) if end is None else ONE if c * sign > 0 else self.extreme(end, -1)
            total += part
        return total

    def places(self, size: Dim) -> list[tuple[Dim, Bound]]:
        """All indices from 1 to size, each with the bound indices that it is made of."""
        if size.constant is not None and size.constant <= self.unroll:
            return [(Dim.of(k), ()) for k in range(1, size.constant + 1)]
        if size in self.splits:
            op, a, b = self.splits[size]
            first, second = self.places(a), self.places(b)
            if op == "+":
                return first + [(a + v, bound) for v, bound in second]
            return [((u - 1) * b + v, left + right) for u, left in first for v, right in second]
        name = f"{self.mark}{next(self.numbers)}"
        self.ends[name] = size
        return [(Dim.symbol(name), ((name, size),))]

    def halves(self, k: Dim, minor: Dim) -> tuple[Dim, Dim]:
        """The only q and r with k = (q - 1)·minor + r and 1 ≤ r ≤ minor."""
        (lead, c), q = minor.terms[-1], ZERO
        for powers, a in k.terms:
            left = Counter(dict(powers))
            left.subtract(dict(lead))
            if min(left.values(), default=0) >= 0 and (a % c == 0 or not powers):
                q += Dim({tuple(sorted((+left).items())): (a - (not powers)) // c})
        for r in (k - q * minor, k - (q - 1) * minor):
            if self.within(r, minor):
                return q + (1 if r == k - q * minor else 0), r
        raise ProofError(f"the index {k} is not known to split by {minor}")

    def locate(self, k: Dim, sizes: Iterable[Dim]) -> tuple[int, Dim]:
        """Which of the parts, laid end to end, the index k is in, and where there."""
        for number, size in enumerate(sizes):
            if self.within(k, size):
                return number, k
            k -= size
        raise ProofError(f"the index {k} is not known to lie in one block")

    def times(self, left: Sums, right: Sums, bound: Bound = ()) -> Sums:
        self.room[0] -= len(left) * len(right)
        if self.room[0] < 0:
            raise BudgetError("summands", "the expansion into sums of entries exceeds its budget")
        pairs = product(left, right)
        return [Summand(a[0] * b[0], _powers(a[1], b[1]), a[2] + b[2], a[3] + b[3] + bound) for a, b in pairs]

    def delta(self, a: Dim, b: Dim, size: Dim) -> Sums:
        """The entry (a, b) of the identity."""
        if a == b or (a.constant is not None and b.constant is not None):
            return [Summand()] if a == b else []
        if size not in self.splits:
            return [Summand(factors=(("δ", False, (a, b, size)),))]
        op, *parts = self.splits[size]
        if op == "*":
            (p, q), (r, s) = self.halves(a, parts[1]), self.halves(b, parts[1])
            return self.times(self.delta(p, r, parts[0]), self.delta(q, s, parts[1]))
        (k, a), (m, b) = self.locate(a, parts), self.locate(b, parts)
        return self.delta(a, b, parts[k]) if k == m else []

    def settled(self, s: Summand) -> Sums:
        """`s` with its δ carried out (one between free indices stays as a claim), and idle bound indices counted."""
        ends = dict(s.bound)
        for place, (letter, _, dims) in enumerate(s.factors):
            if letter != "δ":
                continue
            a, b, size = dims
            rest = s._replace(factors=s.factors[:place] + s.factors[place + 1 :])
            if a == b or (a.constant is not None and b.constant is not None):
                return self.settled(rest) if a == b else []
            swaps = [(p.lone_symbol, q) for p, q in ((b, a), (a, b)) if p.lone_symbol is not None]
            for name, value in swaps:
                whole = name in ends and (ends[name] == size or self.within(value, ends[name]))
                if whole and _replaceable(s, name, value):
                    rest = rest._replace(bound=tuple(pair for pair in s.bound if pair[0] != name))
                    return [t for put in _put(rest, name, value) for t in self.settled(put)]
            claim = (_factor("=", False, [a - b]),)
            for name, value in sorted(swaps, reverse=True, key=lambda swap: swap[0]):
                if _replaceable(s, name, value):
                    puts = _put(rest, name, value)
                    return [t for p in puts for t in self.settled(p._replace(factors=p.factors + claim))]
            return self.settled(rest._replace(factors=rest.factors + claim))
        used = {name for name, _ in s.sizes}.union(*(d.symbols for factor in s.factors for d in factor[2]))
        used = used.union(*(end.symbols for end in ends.values()))
        for name, end in s.bound:
            if name not in used and self.nonnegative(end):
                bound = tuple(pair for pair in s.bound if pair[0] != name)
                counted = [(s.coefficient * c, _powers(s.sizes, powers)) for powers, c in end.terms]
                return [t for c, sizes in counted for t in self.settled(Summand(c, sizes, s.factors, bound))]
        return [s]


# --- the table of entry formulas ------------------------------------------------------------------------------


def _letter(x: Expander, t: Term, i: Dim, j: Dim) -> Sums:
    """A letter, or what is treated as one: a function of i, j and of the bound indices that occur inside."""
    if not x.env:
        return [Summand(factors=((t, x.flag, (i, j)),))]
    t = substitute(t, {}, x.env)
    dims = [part for node in walk(t) for part in node.data if isinstance(part, Dim)]
    inside = dict.fromkeys(
        n for dim in dims for powers, _ in dim.terms for n, _ in powers if n.startswith(x.mark)
    )
    t = substitute(t, {}, {name: Dim.symbol(f"{x.mark}t{k}") for k, name in enumerate(inside)})
    return [Summand(factors=((t, x.flag, (i, j, *map(Dim.symbol, inside))),))]


def _product(x: Expander, factors: Sequence[Term], i: Dim, j: Dim) -> Sums:
    head, *tail = factors
    if not tail:
        return x(head, i, j)
    inner = x.places(x.dim(head.cols))
    return [s for v, bound in inner for s in x.times(x(head, i, v), _product(x, tail, v, j), bound)]


def _power(x: Expander, t: Any, i: Dim, j: Dim) -> Sums:
    k = x.dim(t.data[0]).constant
    if k is None or k < 0:
        return _letter(x, t, i, j)
    return _product(x, t.args * k, i, j) if k else x.delta(i, j, x.dim(t.rows))


def _divide(x: Expander, t: Any, i: Dim, j: Dim) -> Sums:
    body, by = t.args
    value = [s for summand in x(by, ONE, ONE) for s in x.settled(summand)]
    _need(bool(value), "a division by zero")
    inverse = _letter(x, make("divide", make("number", data=(Fraction(1), 0)), by, data=("frac",)), ONE, ONE)
    if len(value) == 1 and value[0][2:] == ((), ()) and not any(n.startswith(x.mark) for n, _ in value[0][1]):
        inverse = [Summand(1 / Fraction(value[0][0]), tuple((name, -power) for name, power in value[0][1]))]
    return x.times(x(body, i, j), inverse)


def _kronecker(x: Expander, t: Any, i: Dim, j: Dim) -> Sums:
    left, right = t.args
    (p, r), (q, s) = x.halves(i, x.dim(right.rows)), x.halves(j, x.dim(right.cols))
    return x.times(x(left, p, q), x(right, r, s))


def _bound_sum(x: Expander, t: Any, i: Dim, j: Dim) -> Sums:
    index, lo, hi = t.data[0], x.dim(t.data[1]), x.dim(t.data[2])
    places = [(x.but(env={**x.env, index: v + lo - 1}), bound) for v, bound in x.places(hi - lo + 1)]
    return [s for y, bound in places for s in x.times(y(t.args[0], i, j), [Summand()], bound)]


def _member(x: Expander, t: Any, k: Dim) -> Expander:
    """Inside a family: its index is lo - 1 + k, and k is within the family."""
    index, lo, hi = t.data[0], x.dim(t.data[1]), x.dim(t.data[2])
    if lo == ONE:
        x.known.add((k, hi))
    return x.but(env={**x.env, index: k + lo - 1})


def _grid(x: Expander, t: Any, i: Dim, j: Dim) -> Sums:
    _, width = {"rows": (len(t.args), 1), "columns": (1, len(t.args))}.get(t.op) or t.data
    p, i = x.locate(i, [x.dim(part.rows) for part in t.args[::width]])
    q, j = x.locate(j, [x.dim(part.cols) for part in t.args[:width]])
    return x(t.args[p * width + q], i, j)


def _literal(x: Expander, t: Any, i: Dim, j: Dim) -> Sums:
    return [
        s
        for place, part in enumerate(t.args)
        for d in [
            x.times(
                x.delta(i, Dim.of(place // t.data[1] + 1), t.rows),
                x.delta(j, Dim.of(place % t.data[1] + 1), t.cols),
            )
        ]
        for s in (x.times(d, x(part, ONE, ONE)) if d else [])
    ]


FORMULAS: dict[str, Callable[[Expander, Any, Dim, Dim], Sums]] = {
    "number": lambda x, t, i, j: [Summand(t.data[0])] if t.data[0] else [],
    "size": lambda x, t, i, j: [Summand(c, powers) for powers, c in x.dim(t.data[0]).terms],
    "literal": _literal,
    "identity": lambda x, t, i, j: x.delta(i, j, x.dim(t.rows)),
    "zero": lambda x, t, i, j: [],
    "ones": lambda x, t, i, j: [Summand()],
    "unit": lambda x, t, i, j: x.delta(i, x.index(t.data[0], t.rows), x.dim(t.rows)),
    "permutation": lambda x, t, i, j: [
        s
        for k, p in enumerate(t.data[0])
        for s in x.times(x.delta(i, Dim.of(k + 1), t.rows), x.delta(j, Dim.of(p), t.rows))
    ],
    "add": lambda x, t, i, j: [s for part in t.args for s in x(part, i, j)],
    "neg": lambda x, t, i, j: [s._replace(coefficient=-s.coefficient) for s in x(t.args[0], i, j)],
    "scale": lambda x, t, i, j: x.times(x(t.args[0], ONE, ONE), x(t.args[1], i, j)),
    "divide": _divide,
    "matmul": lambda x, t, i, j: _product(x, t.args, i, j),
    "power": _power,
    "transpose": lambda x, t, i, j: x(t.args[0], j, i),
    "conjugate": lambda x, t, i, j: x.but(flag=not x.flag)(t.args[0], i, j),
    "adjoint": lambda x, t, i, j: x.but(flag=not x.flag)(t.args[0], j, i),
    "trace": lambda x, t, i, j: [
        s
        for v, bound in x.places(x.dim(t.args[0].rows))
        for s in x.times(x(t.args[0], v, v), [Summand()], bound)
    ],
    "dot": lambda x, t, i, j: [
        s
        for v, bound in x.places(x.dim(t.args[0].rows))
        for s in x.times(x(t.args[0], v, ONE), x(t.args[1], v, ONE), bound)
    ],
    "hadamard": lambda x, t, i, j: x.times(x(t.args[0], i, j), x(t.args[1], i, j)),
    "kronecker": _kronecker,
    "diag": lambda x, t, i, j: x.times(x.delta(i, j, x.dim(t.rows)), x(t.args[0], i, ONE)),
    "diagpart": lambda x, t, i, j: x(t.args[0], i, i),
    "vec": lambda x, t, i, j: x(t.args[0], *reversed(x.halves(i, x.dim(t.args[0].rows)))),
    "entry": lambda x, t, i, j: x(
        t.args[0], x.index(t.data[0], t.args[0].rows), x.index(t.data[1], t.args[0].cols)
    ),
    "row": lambda x, t, i, j: x(t.args[0], x.index(t.data[0], t.args[0].rows), j),
    "column": lambda x, t, i, j: x(t.args[0], i, x.index(t.data[0], t.args[0].cols)),
    "columns": _grid,
    "rows": _grid,
    "block": _grid,
    "column_family": lambda x, t, i, j: _member(x, t, j)(t.args[0], i, ONE),
    "row_family": lambda x, t, i, j: _member(x, t, i)(t.args[0], ONE, j),
    "sum": _bound_sum,
}
