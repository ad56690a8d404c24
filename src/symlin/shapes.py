"""Shape inference: unification over sizes, and Terms that wait for it.

Offers `Sizes`, a set of equations between sizes solved as they come, and `Draft`, a Term-to-be whose sizes may
still be unknown; rests on `term`.  The result is the most general typing where one exists; an equation between
products of sizes that nothing settles is kept as a constraint.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from symlin.dims import ONE, Dim, Monomial
from symlin.errors import ShapeError
from symlin.term import Op, Term, make, size_text

FRESH_LETTERS = ("m", "n", "k", "p", "q", "s", "t", "u", "v", "w")


@dataclass(slots=True)
class Sizes:
    """What is known of sizes: unknowns (``?1``, ``?2`` …), letters that may still be settled, and equations.

    Args:
        stated: letters that a text has fixed as sizes of their own; two different ones are never made equal.

    Examples:
        >>> sizes = Sizes()
        >>> a, b = sizes.unknown(), sizes.unknown()
        >>> sizes.unify(a, b), sizes.unify(b, Dim.of(3)), sizes.resolve(a) == Dim.of(3)
        (True, True, True)
        >>> sizes.unify(a, Dim.of(4))
        False
    """

    stated: frozenset[str] = frozenset()
    bindings: dict[str, Dim] = field(default_factory=dict)
    pending: list[tuple[Dim, Dim]] = field(default_factory=list)
    count: int = 0

    def copy(self) -> Sizes:
        """An independent copy, to try something out."""
        return Sizes(self.stated, dict(self.bindings), list(self.pending), self.count)

    def unknown(self) -> Dim:
        """A new unknown size."""
        self.count += 1
        return Dim.symbol(f"?{self.count}")

    def resolve(self, dim: Dim) -> Dim:
        """`dim` with everything put in that is known."""
        while dim.constant is None and any(name in self.bindings for name in dim.symbols):
            dim = dim.substitute(self.bindings)
        return dim

    def unify(self, left: Dim, right: Dim) -> bool:
        """Make two sizes equal; False when they cannot be."""
        if not self._solve(left, right):
            return False
        # What was settled may settle or refute what was pending.
        waiting, self.pending = self.pending, []
        return all(self._solve(one, other) for one, other in waiting)

    def is_one(self, dim: Dim) -> bool:
        """Whether `dim` is known to be 1."""
        return self.resolve(dim).constant == 1

    def _solve(self, left: Dim, right: Dim) -> bool:
        difference = self.resolve(left) - self.resolve(right)
        if difference.constant is not None:
            return difference.constant == 0
        difference = _reduced(difference)
        name = self._solvable(difference)
        if name is None:
            if self._is_open(difference):
                self.pending.append((left, right))
                return True
            return False
        coeff = dict(difference.terms)[((name, 1),)]
        rest = difference - Dim.symbol(name) * coeff
        value = -rest if coeff == 1 else rest
        if (value.constant is not None and value.constant < 1) or _never_positive(value):
            return False
        self.bindings[name] = value
        return True

    def _is_open(self, dim: Dim) -> bool:
        return any(name.startswith("?") or name not in self.stated for name in dim.symbols)

    def _solvable(self, dim: Dim) -> str | None:
        """A symbol that stands alone with coefficient ±1: an unknown first, then a letter not stated."""
        best: str | None = None
        for mono, coeff in dim.terms:
            if coeff not in (1, -1) or len(mono) != 1 or mono[0][1] != 1:
                continue
            name = mono[0][0]
            if any(name == other for more, _ in dim.terms if more != mono for other, _ in more):
                continue
            if name.startswith("?"):
                return name
            if name not in self.stated and best is None:
                best = name
        return best


def _reduced(dim: Dim) -> Dim:
    """Divide by common positive factors: sizes are positive, so an equation between sizes keeps its meaning."""
    common: dict[str, int] | None = None
    for mono, _ in dim.terms:
        exponents = dict(mono)
        if common is None:
            common = exponents
        else:
            common = {n: min(e, exponents.get(n, 0)) for n, e in common.items() if n in exponents}
    factor = 0
    for _, coeff in dim.terms:
        factor = _gcd(factor, abs(coeff))
    if not common and factor <= 1:
        return dim
    out: dict[Monomial, int] = {}
    for mono, coeff in dim.terms:
        rest = tuple((n, e - (common or {}).get(n, 0)) for n, e in mono)
        out[tuple((n, e) for n, e in rest if e)] = coeff // max(factor, 1)
    return Dim(out)


def _gcd(a: int, b: int) -> int:
    while b:
        a, b = b, a % b
    return a


def _never_positive(dim: Dim) -> bool:
    return all(coeff <= 0 for _, coeff in dim.terms)


class Draft:
    """A Term-to-be: constructor, parts and data as for `Term`, with a shape that may hold unknown sizes.

    `text` is how it was written, for messages.
    """

    __slots__ = ("args", "cols", "data", "op", "rows", "text", "traits")

    def __init__(
        self,
        op: str,
        args: tuple[Draft, ...],
        data: tuple[Any, ...],
        rows: Dim,
        cols: Dim,
        text: str = "",
        traits: frozenset[str] = frozenset(),
    ) -> None:
        self.op = op
        self.args = args
        self.data = data
        self.rows = rows
        self.cols = cols
        self.text = text
        self.traits = traits

    def with_text(self, text: str, *traits: str) -> Draft:
        """The same, written as `text`."""
        return Draft(self.op, self.args, self.data, self.rows, self.cols, text, self.traits | set(traits))

    def walk(self) -> Iterator[Draft]:
        """Every part, parts before the whole."""
        for arg in self.args:
            yield from arg.walk()
        yield self


@dataclass(slots=True)
class Finish:
    """Turns Drafts into Terms once sizes are solved.

    Args:
        sizes: the solved sizes.
        size_letters: letters that are sizes or indices, so that as scalars they mean their number.
        taken: letters not to be used for unknown sizes.
    """

    sizes: Sizes
    size_letters: frozenset[str] = frozenset()
    taken: frozenset[str] = frozenset()
    names: dict[str, Dim] = field(default_factory=dict)
    memo: dict[int, Term] = field(default_factory=dict)

    def dim(self, dim: Dim) -> Dim:
        """A size with letters for what is still unknown."""
        dim = self.sizes.resolve(dim)
        unknown = [name for name in sorted(dim.symbols) if name.startswith("?")]
        if not unknown:
            return dim
        for name in unknown:
            if name not in self.names:
                self.names[name] = Dim.symbol(self._fresh())
        return dim.substitute(self.names)

    def _fresh(self) -> str:
        used = {next(iter(dim.symbols)) for dim in self.names.values()} | self.taken
        for letter in FRESH_LETTERS:
            if letter not in used:
                return letter
        number = 1
        while f"n_{{{number}}}" in used:
            number += 1
        return f"n_{{{number}}}"

    def term(self, draft: Draft) -> Term:
        """The Term that a Draft becomes.

        Raises:
            ShapeError: sizes do not fit after all.
        """
        found = self.memo.get(id(draft))
        if found is None:
            found = self._term(draft)
            self.memo[id(draft)] = found
        return found

    def _term(self, draft: Draft) -> Term:
        special = _LATE.get(draft.op)
        if special is not None:
            return special(self, draft)
        args = tuple(self.term(arg) for arg in draft.args)
        data = tuple(self.dim(part) if isinstance(part, Dim) else part for part in draft.data)
        op: Op = draft.op  # type: ignore[assignment]  # make() checks it
        return make(op, *args, data=data)


def _late_zero(finish: Finish, draft: Draft) -> Term:
    """The numeral 0: a number, or the zero matrix where a matrix is due."""
    rows, cols = finish.sizes.resolve(draft.rows), finish.sizes.resolve(draft.cols)
    for dim in (rows, cols):
        lone = dim.lone_symbol
        if lone is not None and lone.startswith("?") and lone not in finish.names and "alone" in draft.traits:
            finish.sizes.bindings[lone] = ONE
    rows, cols = finish.dim(rows), finish.dim(cols)
    if rows == ONE and cols == ONE:
        return make("number", data=draft.data)
    return make("zero", data=(rows, cols))


def _late_letter(finish: Finish, draft: Draft) -> Term:
    """A plain letter: a size or index used as a number, or a scalar."""
    name, style = draft.data
    dim = finish.sizes.resolve(Dim.symbol(name))
    if name in finish.size_letters:
        return make("size", data=(finish.dim(dim),))
    return make("symbol", data=(name, style, ONE, ONE))


def _late_symbol(finish: Finish, draft: Draft) -> Term:
    name, style = draft.data[:2]
    return make("symbol", data=(name, style, finish.dim(draft.rows), finish.dim(draft.cols)))


_LATE: dict[str, Callable[[Finish, Draft], Term]] = {
    "late zero": _late_zero,
    "late letter": _late_letter,
    "symbol": _late_symbol,
}


def clash(whole: str, sizes: Sizes, left: Draft, right: Draft, why: str) -> ShapeError:
    """The error for two Drafts that do not fit; names both and both sizes."""
    parts = []
    for draft in (left, right):
        parts.append(f"{draft.text} is {size_text(shown(sizes, draft))}")
    prefix = f"in {whole}: " if whole and whole not in (left.text, right.text) else ""
    return ShapeError(f"{prefix}{parts[0]} and {parts[1]}: {why}", *parts)


def shown(sizes: Sizes, draft: Draft) -> tuple[Dim, Dim]:
    """The shape of a Draft for a message, unknown sizes as ``?``."""
    return shown_dim(sizes, draft.rows), shown_dim(sizes, draft.cols)


def shown_dim(sizes: Sizes, dim: Dim) -> Dim:
    """A size for a message, unknown ones as ``?``."""
    dim = sizes.resolve(dim)
    return dim.substitute({name: Dim.symbol("?") for name in dim.symbols if name.startswith("?")})


def join(sizes: Sizes, pairs: Iterable[tuple[Dim, Dim]]) -> bool:
    """Unify several pairs; False at the first that cannot be."""
    return all(sizes.unify(left, right) for left, right in pairs)
