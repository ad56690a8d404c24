"""Trusted expansion: every entry of a Term as a sum of products of entries, with bound indices.

Offers `expand`, `renamed`, `Certificate` and `Summand`, and the one table of entry formulas; rests on `term`, `dims`
and `errors`; searches for nothing.  Both sides of an equation are expanded here and compared by the kernel.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import chain, count, product
from math import inf
from typing import Any, NamedTuple, TypeAlias, cast
from weakref import WeakKeyDictionary

from symlin.dims import ONE, ZERO, Dim
from symlin.errors import BudgetError, ProofError
from symlin.term import BINDERS, Term, make, substitute, walk

LONGEST_POWER, LARGEST_DETERMINANT = 200, 5  # what is longer or larger is a letter
Factor: TypeAlias = tuple[Any, tuple[Dim, ...]]
Bound: TypeAlias = tuple[tuple[str, Dim], ...]


def need(condition: bool, message: str) -> None:
    """Raise ProofError with this message unless the condition holds."""
    if not condition:
        raise ProofError(message)


_FREE: WeakKeyDictionary[Term, frozenset[tuple[Dim, Dim]]] = WeakKeyDictionary()


def free_indices(terms: Iterable[Term]) -> set[tuple[Dim, Dim]]:
    """The free indices of the terms, each with the size that it must be within."""
    terms, nothing = list(terms), frozenset[Any]()
    for t in chain(*(walk(term) for term in terms if term not in _FREE)):
        free = nothing.union(*(_FREE[arg] for arg in t.args))
        if t.op in ("entry", "row", "column", "unit"):  # (i, m), (j, n) of the m×n matrix indexed
            shape = t.data[1:] if t.op == "unit" else t.args[0].shape
            free = free.union(zip(t.data, shape[t.op == "column" :], strict=False))
        if t.op in BINDERS:
            free = frozenset(pair for pair in free if t.data[0] not in pair[0].symbols | pair[1].symbols)
        _FREE[t] = free
    return set().union(*(_FREE[term] for term in terms))


def all_names(terms: Iterable[Term]) -> set[str]:
    """The names of all sizes and indices, bound ones too."""
    data = {(t.op, part) for t in chain(*map(walk, terms)) for part in t.data}
    bound = {part for op, part in data if op in BINDERS and isinstance(part, str)}
    return bound.union(*(part.symbols for _, part in data if isinstance(part, Dim)))


class Certificate(NamedTuple):
    """What a search found.

    Args:
        splits: how composite sizes split: (n, "+" or "*", a, b) with n = a + b or n = ab.
        ways: which of its splits each index of a composite size takes, where there are several.
        unroll: up to which size indices are written out one by one.
        labels: for each summand, in the order of `expand`, the numbers that its bound indices get.
    """

    splits: tuple[tuple[Dim, str, Dim, Dim], ...] = ()
    ways: tuple[int, ...] = ()
    unroll: int = 1
    labels: tuple[tuple[int, ...], ...] = ()


class Summand(NamedTuple):
    """coefficient · factors, summed over 1 ≤ index ≤ end of all bound indices.

    A factor is a letter and its indices.  A letter is a Term and whether it is conjugated, or one of these: "δ" (of a,
    b, n: the entry a, b of the n×n identity), and of one index d "=" (1 where d is 0, else 0), "#" (d as a number),
    "/" (1/d).
    """

    coefficient: int | Fraction = 1
    factors: tuple[Factor, ...] = ()
    bound: Bound = ()


Sums: TypeAlias = list[Summand]


def expand(lhs: Term, rhs: Term, certificate: Certificate, budget: float = inf) -> tuple[str, list[Any]]:
    """How bound names begin; and (case of the outer indices, 1 or -1 for the side, summand) for all entries."""
    x, rows = Expander((lhs, rhs), certificate, budget), []
    for case, ((i, _), (j, _)) in enumerate(product(x.places(lhs.rows), x.places(lhs.cols))):
        for sign, side in ((1, lhs), (-1, rhs)):
            rows += [(case, sign, s) for raw in x(side, i, j) for s in x.settled(raw)]
    return x.mark, rows


def renamed(mark: str, summand: Summand, order: tuple[int, ...]) -> list[tuple[Any, Any]]:
    """The summand, once its bound indices are called by the numbers in `order`, as pairs (what, coefficient)."""
    need(sorted(order) == [*range(len(summand.bound))], "bound indices are not renamed one to one")
    new = {name: Dim.symbol(f"{mark}c{order[k]}") for k, (name, _) in enumerate(summand.bound)}
    need(len(new) == len(order), "an index is bound twice")
    letters, over, under, coefficient = list[Factor](), ONE, Counter[str](), summand.coefficient
    for letter, dims in _put(summand.factors, new):
        if letter == "#":
            over *= dims[0]
        elif letter == "/" and len(dims[0].terms) == 1:
            ((powers, c),) = dims[0].terms
            under.update(dict(powers))
            coefficient /= Fraction(c)
        else:
            letters.append((letter, dims))
    ends = frozenset((new[name], end.substitute(new)) for name, end in summand.bound)
    what, out = (ends, frozenset(Counter(letters).items())), []
    for powers, c in over.terms:
        exponents = Counter(dict(powers))
        exponents.subtract(under)
        scalar = frozenset((name, power) for name, power in exponents.items() if power)
        out.append(((*what, scalar), coefficient * c))
    return out


def _put(factors: Iterable[Factor], new: Mapping[str, Dim]) -> tuple[Factor, ...]:
    """The factors with names replaced; that d is 0 is claimed by -d as well."""
    put = [(letter, tuple(d.substitute(new) for d in dims)) for letter, dims in factors]
    return tuple((letter, tuple(min(d, -d) for d in dims) if letter == "=" else dims) for letter, dims in put)


class Expander:
    """Expands entries; `env` says what the indices of the binders around stand for, `flag` whether to conjugate.

    An index is a Dim: a number, a free name, a fresh bound name with its end in `ends`, or made of these.  What is
    called with an index may take it to be within the size that it counts.
    """

    def __init__(self, terms: Sequence[Term], certificate: Certificate, budget: float = inf) -> None:
        self.known = free_indices(terms)  # (index, size) where the index is within the size
        free = {index.lone_symbol: size for index, size in sorted(self.known) if index.lone_symbol}
        self.ends: dict[Any, Dim] = {
            name: size for name, size in free.items() if not size.symbols & free.keys()
        }
        self.mark = max(all_names(terms), key=len, default="") + "·"  # no name of the terms begins with it
        self.unroll, self.room, self.numbers = max(certificate.unroll, 1), [budget], count()
        self.env, self.flag = cast("dict[str, Dim]", {}), False
        self.splits, self.ways = cast("dict[Dim, list[Any]]", {}), iter(certificate.ways)
        for size, op, a, b in certificate.splits:
            fits = size == (a + b if op == "+" else a * b) and self.nonnegative(a) and self.nonnegative(b)
            need(fits, f"{size} does not split into {a} and {b}")
            self.splits.setdefault(size, []).append((op, a, b))

    def __call__(self, term: Term, i: Dim, j: Dim) -> Sums:
        """The entry (i, j) of the term."""
        return FORMULAS.get(term.op, _letter)(self, term, i, j)

    def but(self, **changes: Any) -> Expander:
        inner = object.__new__(Expander)
        inner.__dict__ = {**self.__dict__, **changes}
        return inner

    def dim(self, raw: Any) -> Dim:
        return cast(Dim, raw.substitute(self.env))

    def index(self, raw: Dim, size: Dim) -> Dim:
        """An index as written: free, and so within the size by its type, or provably within it."""
        dim = self.dim(raw)
        need(self.within(dim, self.dim(size)), f"the index {raw} may leave 1 … {size}")
        return dim

    # --- order: what is plain of indices and sizes ---

    def within(self, dim: Dim, size: Dim) -> bool:
        if (dim, size) in self.known or self.ends.get(dim.lone_symbol) == size:
            return True
        return self.nonnegative(dim - 1) and self.nonnegative(size - dim)

    def nonnegative(self, dim: Dim) -> bool:
        """Whether dim ≥ 0 is plain: no coefficient is negative once each symbol s ≥ 1 is written as 1 + s."""
        low = self.extreme(dim, True)
        return all(c == abs(c) for _, c in low.substitute({s: Dim.symbol(s) + 1 for s in low.symbols}).terms)

    def extreme(self, dim: Dim, low: bool) -> Dim:
        """A bound from below, or else from above: in each term every index stands at 1 or at its end."""
        total = ZERO
        for powers, c in dim.terms:
            part = Dim({(): c})
            for name in (name for name, power in powers for _ in range(power)):
                end = self.ends.get(name)
                least = (c == abs(c)) == low
                part *= Dim.symbol(name) if end is None else ONE if least else self.extreme(end, False)
            total += part
        return total

    # --- ranges and composite indices ---

    def places(self, size: Dim) -> list[tuple[Dim, Bound]]:
        """All indices from 1 to size, each with the bound indices that it is made of."""
        if size.constant is not None and size.constant <= self.unroll:
            self.spend(size.constant)
            return [(Dim.of(k), ()) for k in range(1, size.constant + 1)]
        if size in self.splits:
            ways = self.splits[size]
            way = next(self.ways, 0) if len(ways) > 1 else 0
            need(0 <= way < len(ways), f"{size} does not split in so many ways")
            op, a, b = ways[way]
            first, second = self.places(a), self.places(b)
            if op == "+":
                return first + [(a + v, bound) for v, bound in second]
            return [((u - 1) * b + v, left + right) for u, left in first for v, right in second]
        name = f"{self.mark}{next(self.numbers)}"
        self.ends[name] = size
        return [(Dim.symbol(name), ((name, size),))]

    def halves(self, k: Dim, minor: Dim) -> tuple[Dim, Dim]:
        """The only q and r with k = (q - 1)·minor + r and 1 ≤ r ≤ minor."""
        (lead, c), whole = minor.terms[-1], ZERO
        for powers, a in k.terms:
            left = Counter(dict(powers))
            left.subtract(dict(lead))
            if all(power >= 0 for power in left.values()) and (a % c == 0 or not powers):
                whole += Dim({tuple(sorted((+left).items())): a // c})
        for q in (whole + 1, whole):
            r = k - (q - 1) * minor
            if self.within(r, minor):
                return q, r
        raise ProofError(f"the index {k} is not known to split by {minor}")

    def locate(self, k: Dim, sizes: Iterable[Dim]) -> tuple[int, Dim]:
        """Which of the parts, laid end to end, the index k is in, and where there."""
        for number, size in enumerate(sizes):
            if self.within(k, size):
                return number, k
            k -= size
        raise ProofError(f"the index {k} is not known to lie in one block")

    # --- sums ---

    def over(self, size: Dim, body: Callable[[Dim], Sums]) -> Sums:
        """The sum of body(v) for v from 1 to size."""
        return [Summand(s[0], s[1], s[2] + bound) for v, bound in self.places(size) for s in body(v)]

    def spend(self, count: int) -> None:
        self.room[0] -= count
        if self.room[0] < 0:
            raise BudgetError("summands", "the expansion into sums of entries exceeds its budget")

    def times(self, left: Sums, right: Sums) -> Sums:
        self.spend(len(left) * len(right))
        return [Summand(a[0] * b[0], a[1] + b[1], a[2] + b[2]) for a in left for b in right]

    def delta(self, a: Dim, b: Dim, size: Dim) -> Sums:
        """The entry (a, b) of the identity of this size."""
        gap = (a - b).constant
        if gap is not None:
            return [] if gap else [Summand()]
        for op, *parts in self.splits.get(size, ()):
            try:
                if op == "*":
                    (p, q), (r, s) = self.halves(a, parts[1]), self.halves(b, parts[1])
                    return self.times(self.delta(p, r, parts[0]), self.delta(q, s, parts[1]))
                (k, p), (m, q) = self.locate(a, parts), self.locate(b, parts)
                return self.delta(p, q, parts[k]) if k == m else []
            except ProofError:
                continue  # a or b is not known to be made this way
        return [Summand(factors=(("δ", (a, b, size)),))]

    def settled(self, s: Summand) -> Sums:
        """`s` with its δ used up (what cannot be stays as a claim "="), and indices that nothing mentions counted."""
        ends = dict(s.bound)
        for place, (letter, dims) in enumerate(s.factors):
            if letter != "δ":
                continue
            (a, b, size), rest = dims, s.factors[:place] + s.factors[place + 1 :]
            d = a - b
            if d.constant is not None:
                return [] if d.constant else self.settled(s._replace(factors=rest))
            options = {}  # names that d = 0 determines
            for powers, c in d.terms:
                if len(powers) == 1 and powers[0][1] == 1 and c * c == 1:
                    value = Dim({powers: 1}) - d * c
                    if powers[0][0] not in value.symbols:
                        options[powers[0][0]] = value
            whole = [
                n for n, e in options.items() if n in ends and (ends[n] == size or self.within(e, ends[n]))
            ]
            claim = () if whole else _put([("=", (d,))], {})
            if not options:
                return self.settled(s._replace(factors=rest + claim))
            name = max(whole or options)
            new = {name: options[name]}
            bound = tuple((n, end.substitute(new)) for n, end in s.bound if n != name or not whole)
            return self.settled(Summand(s.coefficient, _put(rest, new) + claim, bound))
        used = set[str]().union(*(dim.symbols for _, dims in s.factors for dim in dims))
        used = used.union(*(end.symbols for end in ends.values()))
        for name, end in s.bound:
            if name not in used and self.nonnegative(end):
                left = tuple(pair for pair in s.bound if pair[0] != name)
                return self.settled(Summand(s.coefficient, (*s.factors, ("#", (end,))), left))
        return [s]


# --- the table of entry formulas ------------------------------------------------------------------------------


def _letter(x: Expander, t: Term, i: Dim, j: Dim) -> Sums:
    """A letter, or what is treated as one: a function of i, j and of the bound indices that occur inside."""
    t = substitute(t, {}, x.env)
    dims = [part for node in walk(t) for part in node.data if isinstance(part, Dim)]
    inside = dict.fromkeys(
        n for dim in dims for powers, _ in dim.terms for n, _ in powers if n.startswith(x.mark)
    )
    t = substitute(t, {}, {name: Dim.symbol(f"{x.mark}t{k}") for k, name in enumerate(inside)})
    return [Summand(factors=(((t, x.flag), (i, j, *map(Dim.symbol, inside))),))]


def _product(x: Expander, factors: Sequence[Term], i: Dim, j: Dim) -> Sums:
    if len(factors) == 1:
        return x(factors[0], i, j)
    return x.over(
        x.dim(factors[0].cols), lambda v: x.times(x(factors[0], i, v), _product(x, factors[1:], v, j))
    )


def _power(x: Expander, t: Any, i: Dim, j: Dim) -> Sums:
    k = x.dim(t.data[0]).constant
    if k is None or not 0 <= k <= LONGEST_POWER:
        return _letter(x, t, i, j)
    return _product(x, t.args * k, i, j) if k else x.delta(i, j, x.dim(t.rows))


def _determinant(x: Expander, t: Any, i: Dim, j: Dim) -> Sums:
    n = x.dim(t.args[0].rows).constant
    if n is None or n > LARGEST_DETERMINANT:
        return _letter(x, t, i, j)
    places = [Dim.of(k + 1) for k in range(n)]
    return _minor(x, t.args[0], places, places)


def _minor(x: Expander, t: Term, rows: list[Dim], cols: list[Dim]) -> Sums:
    """The determinant of these rows and columns, by its first row."""
    out = [] if rows else [Summand()]
    for k, col in enumerate(cols):
        rest = _minor(x, t, rows[1:], cols[:k] + cols[k + 1 :])
        out += x.times([Summand((-1) ** k)], x.times(x(t, rows[0], col), rest))
    return out


def _divide(x: Expander, t: Any, i: Dim, j: Dim) -> Sums:
    above, below = x(t.args[0], i, j), x(t.args[1], ONE, ONE)
    need(bool(below), "a division by zero")
    for c, factors, bound in below:
        if len(below) == 1 and not bound and all(letter == "#" for letter, _ in factors):
            return x.times(above, [Summand(1 / Fraction(c), tuple(("/", dims) for _, dims in factors))])
    return x.times(above, _letter(x, make("inverse", t.args[1]), ONE, ONE))


def _kronecker(x: Expander, t: Any, i: Dim, j: Dim) -> Sums:
    a, b = t.args
    (p, r), (q, s) = x.halves(i, x.dim(b.rows)), x.halves(j, x.dim(b.cols))
    return x.times(x(a, p, q), x(b, r, s))


def _vec(x: Expander, t: Any, i: Dim, j: Dim) -> Sums:
    q, r = x.halves(i, x.dim(t.args[0].rows))
    return x(t.args[0], r, q)


def _grid(x: Expander, t: Any, i: Dim, j: Dim) -> Sums:
    width = {"rows": 1, "columns": len(t.args)}.get(t.op) or t.data[1]
    p, i = x.locate(i, [x.dim(part.rows) for part in t.args[::width]])
    q, j = x.locate(j, [x.dim(part.cols) for part in t.args[:width]])
    return x(t.args[p * width + q], i, j)


def _picked(x: Expander, i: Dim, n: Dim) -> list[tuple[int, Sums]]:
    """Every k from 0 to n - 1, under the claim that i is k + 1."""
    every = [(k, x.delta(i, Dim.of(k + 1), n)) for k in range(cast(int, n.constant))]
    return [(k, claim) for k, claim in every if claim]


def _literal(x: Expander, t: Any, i: Dim, j: Dim) -> Sums:
    chosen = product(_picked(x, i, t.rows), _picked(x, j, t.cols))
    return [
        s for (k, p), (m, q) in chosen for s in x.times(x.times(p, q), x(t.args[k * t.data[1] + m], ONE, ONE))
    ]


def _permutation(x: Expander, t: Any, i: Dim, j: Dim) -> Sums:
    return [s for k, p in _picked(x, i, t.rows) for s in x.times(p, x.delta(j, Dim.of(t.data[0][k]), t.rows))]


def _inside(x: Expander, t: Any, k: Dim) -> Expander:
    """Inside a binder, for its k-th value: the index is lo - 1 + k."""
    return x.but(env={**x.env, t.data[0]: k + x.dim(t.data[1]) - 1})


FORMULAS: dict[str, Callable[[Expander, Any, Dim, Dim], Sums]] = {
    "number": lambda x, t, i, j: [Summand(t.data[0])] if t.data[0] else [],
    "size": lambda x, t, i, j: [Summand(factors=(("#", (x.dim(t.data[0]),)),))],
    "literal": _literal,
    "identity": lambda x, t, i, j: x.delta(i, j, x.dim(t.rows)),
    "zero": lambda x, t, i, j: [],
    "ones": lambda x, t, i, j: [Summand()],
    "unit": lambda x, t, i, j: x.delta(i, x.index(t.data[0], t.rows), x.dim(t.rows)),
    "permutation": _permutation,
    "add": lambda x, t, i, j: [s for part in t.args for s in x(part, i, j)],
    "neg": lambda x, t, i, j: [Summand(-s[0], s[1], s[2]) for s in x(t.args[0], i, j)],
    "scale": lambda x, t, i, j: x.times(x(t.args[0], ONE, ONE), x(t.args[1], i, j)),
    "divide": _divide,
    "matmul": lambda x, t, i, j: _product(x, t.args, i, j),
    "power": _power,
    "transpose": lambda x, t, i, j: x(t.args[0], j, i),
    "conjugate": lambda x, t, i, j: x.but(flag=not x.flag)(t.args[0], i, j),
    "adjoint": lambda x, t, i, j: x.but(flag=not x.flag)(t.args[0], j, i),
    "determinant": _determinant,
    "trace": lambda x, t, i, j: x.over(x.dim(t.args[0].rows), lambda v: x(t.args[0], v, v)),
    "dot": lambda x, t, i, j: _product(x, [make("transpose", t.args[0]), t.args[1]], ONE, ONE),
    "hadamard": lambda x, t, i, j: x.times(x(t.args[0], i, j), x(t.args[1], i, j)),
    "kronecker": _kronecker,
    "diag": lambda x, t, i, j: x.times(x.delta(i, j, x.dim(t.rows)), x(t.args[0], i, ONE)),
    "diagpart": lambda x, t, i, j: x(t.args[0], i, i),
    "vec": _vec,
    "entry": lambda x, t, i, j: x(t.args[0], *map(x.index, t.data, t.args[0].shape)),
    "row": lambda x, t, i, j: x(t.args[0], x.index(t.data[0], t.args[0].rows), j),
    "column": lambda x, t, i, j: x(t.args[0], i, x.index(t.data[0], t.args[0].cols)),
    "columns": _grid,
    "rows": _grid,
    "block": _grid,
    "column_family": lambda x, t, i, j: _inside(x, t, j)(t.args[0], i, ONE),
    "row_family": lambda x, t, i, j: _inside(x, t, i)(t.args[0], ONE, j),
    "sum": lambda x, t, i, j: x.over(
        x.dim(t.data[2]) - x.dim(t.data[1]) + 1, lambda v: _inside(x, t, v)(t.args[0], i, j)
    ),
}
