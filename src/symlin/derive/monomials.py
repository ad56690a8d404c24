"""Scalars multiplied out: sums of products of entries, each under its own sums over bound indices.

Offers `Monomial`, `multiply_out`, `collect` and `same`; rests on `term`.  It shows what the entries engine has
proved; where an expression is too large for a reader, it gives up with None.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias, cast

from symlin.construct import add, conjugate, divide, neg, number, sum_over
from symlin.derive.letters import Letters
from symlin.derive.unfold import counted, product
from symlin.dims import ONE, Dim
from symlin.term import Term, dim_symbols, substitute

MOST = 200
Bound: TypeAlias = tuple[str, Dim, Dim]


class TooLargeError(Exception):
    """More products than a reader would look at."""


@dataclass(frozen=True, slots=True)
class Monomial:
    """coefficient · Σ … Σ factors.

    Args:
        coefficient: a number.
        bound: index, lower and upper limit of each sum, outermost first.
        factors: entries and other scalars, in the order in which they were written.
    """

    coefficient: Fraction
    bound: tuple[Bound, ...]
    factors: tuple[Term, ...]

    def term(self) -> Term:
        """This product as a Term."""
        size = abs(self.coefficient)
        factors = list(self.factors)
        if size != 1 or not factors:
            factors.insert(0, number(size))
        body = product(*factors)
        for index, lo, hi in reversed(self.bound):
            body = sum_over(index, lo, hi, body)
        return neg(body) if self.coefficient < 0 else body


def sum_term(monomials: Sequence[Monomial]) -> Term:
    """A sum of products as a Term."""
    terms = [monomial.term() for monomial in monomials]
    if not terms:
        return number(0)
    return add(*terms) if len(terms) > 1 else terms[0]


def multiply_out(term: Term, letters: Letters) -> list[Monomial] | None:
    """A scalar as a sum of products in the order in which they arise; None when there are too many."""
    try:
        return _Expansion(letters).of(term)
    except TooLargeError:
        return None


class _Expansion:
    def __init__(self, letters: Letters) -> None:
        self.letters = letters

    def of(self, term: Term) -> list[Monomial]:
        handler = _HANDLERS.get(term.op)
        found = handler(self, term) if handler is not None else [Monomial(Fraction(1), (), (term,))]
        if len(found) > MOST:
            raise TooLargeError
        return found

    def times(self, left: list[Monomial], right: list[Monomial]) -> list[Monomial]:
        if len(left) * len(right) > MOST:
            raise TooLargeError
        return [self.join(one, other) for one in left for other in right]

    def join(self, left: Monomial, right: Monomial) -> Monomial:
        """The product of two products; indices that both bind are renamed on the right."""
        used = _names(left)
        right = self.apart(right, used)
        return Monomial(
            left.coefficient * right.coefficient, left.bound + right.bound, left.factors + right.factors
        )

    def apart(self, monomial: Monomial, used: set[str]) -> Monomial:
        for index, _, _ in monomial.bound:
            if index in used:
                fresh = self.letters.fresh(used | _names(monomial))
                monomial = rename(monomial, {index: fresh})
        return monomial


def _names(monomial: Monomial) -> set[str]:
    names = {index for index, _, _ in monomial.bound}
    for _, lo, hi in monomial.bound:
        names |= lo.symbols | hi.symbols
    for factor in monomial.factors:
        names |= dim_symbols(factor)
    return names


def rename(monomial: Monomial, names: dict[str, str]) -> Monomial:
    """Bound indices renamed, all at once."""
    dims = {old: Dim.symbol(new) for old, new in names.items()}
    bound = tuple(
        (names.get(index, index), lo.substitute(dims), hi.substitute(dims))
        for index, lo, hi in monomial.bound
    )
    return Monomial(monomial.coefficient, bound, tuple(substitute(one, {}, dims) for one in monomial.factors))


def _number(expansion: _Expansion, term: Term) -> list[Monomial]:
    value = cast(Fraction, term.data[0])
    return [Monomial(value, (), ())] if value else []


def _size(expansion: _Expansion, term: Term) -> list[Monomial]:
    dim = cast(Dim, term.data[0])
    found = []
    for powers, coefficient in dim.terms:
        factors = tuple(counted(Dim.symbol(name)) for name, exponent in powers for _ in range(exponent))
        found.append(Monomial(Fraction(coefficient), (), factors))
    return found


def _add(expansion: _Expansion, term: Term) -> list[Monomial]:
    return [monomial for arg in term.args for monomial in expansion.of(arg)]


def _neg(expansion: _Expansion, term: Term) -> list[Monomial]:
    return [_scaled(monomial, Fraction(-1)) for monomial in expansion.of(term.args[0])]


def _scaled(monomial: Monomial, by: Fraction) -> Monomial:
    return Monomial(monomial.coefficient * by, monomial.bound, monomial.factors)


def _product(expansion: _Expansion, term: Term) -> list[Monomial]:
    if not all(arg.is_scalar for arg in term.args):
        return [Monomial(Fraction(1), (), (term,))]
    found = expansion.of(term.args[0])
    for arg in term.args[1:]:
        found = expansion.times(found, expansion.of(arg))
    return found


def _power(expansion: _Expansion, term: Term) -> list[Monomial]:
    exponent = cast(Dim, term.data[0]).constant
    if exponent is None or not 1 <= exponent <= 6:
        return [Monomial(Fraction(1), (), (term,))]
    one = expansion.of(term.args[0])
    found = one
    for _ in range(exponent - 1):
        found = expansion.times(found, one)
    return found


def _divide(expansion: _Expansion, term: Term) -> list[Monomial]:
    body, by = term.args
    if by.op == "number" and by.data[0]:
        return [_scaled(one, 1 / cast(Fraction, by.data[0])) for one in expansion.of(body)]
    if body.op == "number" and body.data[0] == 1:
        return [Monomial(Fraction(1), (), (term,))]
    reciprocal = [Monomial(Fraction(1), (), (divide(number(1), by),))]
    return expansion.times(expansion.of(body), reciprocal)


def _sum(expansion: _Expansion, term: Term) -> list[Monomial]:
    index, lo, hi = cast("tuple[str, Dim, Dim]", term.data)
    found = []
    for monomial in expansion.of(term.args[0]):
        inner = expansion.apart(monomial, {index, *lo.symbols, *hi.symbols})
        found.append(Monomial(inner.coefficient, ((index, lo, hi), *inner.bound), inner.factors))
    return found


def _conjugate(expansion: _Expansion, term: Term) -> list[Monomial]:
    found = []
    for monomial in expansion.of(term.args[0]):
        factors = tuple(_conjugated(factor) for factor in monomial.factors)
        found.append(Monomial(monomial.coefficient, monomial.bound, factors))
    return found


def _conjugated(factor: Term) -> Term:
    if factor.op == "conjugate":
        return factor.args[0]
    return factor if factor.op == "size" else conjugate(factor)


_HANDLERS: dict[str, Callable[[_Expansion, Term], list[Monomial]]] = {
    "number": _number,
    "size": _size,
    "add": _add,
    "neg": _neg,
    "scale": _product,
    "matmul": _product,
    "hadamard": _product,
    "power": _power,
    "divide": _divide,
    "sum": _sum,
    "conjugate": _conjugate,
}


# --- sums in which only one term is not zero --------------------------------------------------------------------


def contract(monomials: Iterable[Monomial]) -> list[Monomial]:
    """Sums over an entry of the identity done: only the term where its indices agree is left.

    Examples:
        >>> from symlin.construct import entry, identity, symbol
        >>> A = symbol("A", "n", "k")
        >>> one = Monomial(Fraction(1), (("p", ONE, Dim.of("n")),), (entry(identity("n"), "i", "p"), A["p", "j"]))
        >>> print(sum_term(contract([one])))
        a_{ij}
    """
    found = []
    for monomial in monomials:
        after: Monomial | None = monomial
        while after is not None:
            monomial, after = after, _contracted(after)
        found.append(monomial)
    return found


def _contracted(monomial: Monomial) -> Monomial | None:
    for place, factor in enumerate(monomial.factors):
        if factor.op != "entry" or factor.args[0].op != "identity":
            continue
        n = factor.args[0].rows
        i, j = cast("tuple[Dim, Dim]", factor.data)
        for bound in monomial.bound:
            index, lo, hi = bound
            for one, other in ((i, j), (j, i)):
                if one.lone_symbol == index and index not in other.symbols and lo == ONE and hi == n:
                    rest = monomial.factors[:place] + monomial.factors[place + 1 :]
                    bounds = tuple(other_bound for other_bound in monomial.bound if other_bound is not bound)
                    if any(index in (low.symbols | high.symbols) for _, low, high in bounds):
                        continue
                    factors = tuple(substitute(part, {}, {index: other}) for part in rest)
                    return Monomial(monomial.coefficient, bounds, factors)
    return None


# --- comparing ------------------------------------------------------------------------------------------------


def collect(monomials: Iterable[Monomial]) -> list[Monomial]:
    """Like products added; what cancels is left out."""
    found: list[Monomial] = []
    for monomial in monomials:
        for place, other in enumerate(found):
            if same(other, monomial) is not None:
                found[place] = Monomial(other.coefficient + monomial.coefficient, other.bound, other.factors)
                break
        else:
            found.append(monomial)
    return [monomial for monomial in found if monomial.coefficient]


def same(left: Monomial, right: Monomial) -> dict[str, str] | None:
    """The renaming of the right product's bound indices that makes it the left one up to the order of factors."""
    if len(left.bound) != len(right.bound) or len(left.factors) != len(right.factors):
        return None
    if len(left.bound) > 6:
        return None
    wanted = Counter(left.factors)
    ranges = Counter((lo, hi) for _, lo, hi in left.bound)
    for order in itertools.permutations([index for index, _, _ in left.bound]):
        names = dict(zip((index for index, _, _ in right.bound), order, strict=True))
        renamed = rename(right, names)
        if Counter((lo, hi) for _, lo, hi in renamed.bound) != ranges:
            continue
        if {index: (lo, hi) for index, lo, hi in renamed.bound} != {
            index: (lo, hi) for index, lo, hi in left.bound
        }:
            continue
        if Counter(renamed.factors) == wanted:
            return names
    return None


def matched(
    left: Sequence[Monomial], right: Sequence[Monomial]
) -> list[tuple[Monomial, dict[str, str]]] | None:
    """For each product on the left, the one on the right that is the same, with its renaming."""
    rest = list(right)
    found = []
    for monomial in left:
        for place, other in enumerate(rest):
            if other.coefficient == monomial.coefficient:
                names = same(monomial, other)
                if names is not None:
                    found.append((rest.pop(place), names))
                    break
        else:
            return None
    return found if not rest else None
