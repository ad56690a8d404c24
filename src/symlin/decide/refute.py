"""Counterexamples: values for which a statement fails, smallest first.

Offers `refute`; rests on `explicit` for what both sides are at concrete sizes and on `numeric` to evaluate what
is found once more.  Sizes come in order of their total; then as few entries as possible are not zero, and those
are as small as possible; how far that was searched is part of the answer.
"""

from __future__ import annotations

import itertools
import random
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from symlin.decide.evaluation import Evaluator, UndefinedError
from symlin.decide.explicit import Difference, Unknown, difference
from symlin.decide.numeric import Rationals, differing, evaluate
from symlin.decide.polynomials import Poly, field_mask, support
from symlin.decide.verdict import Counterexample, Value
from symlin.errors import BudgetError, UnsupportedError
from symlin.statement import Statement
from symlin.term import Term, dim_symbols, symbols

SIZE_LIMIT = 4
"""Sizes are tried up to this, unless more are asked for."""
ASSIGNMENT_LIMIT = 400
"""How many assignments of sizes are tried."""
VALUES = (1, -1, 2, -2, 3, -3, 5, -5, 7, -7)
POINT_LIMIT = 20_000
ENUMERATION_LIMIT = 300
"""How many points are tried one by one at given sizes."""


@dataclass(frozen=True, slots=True)
class Search:
    """What a search found.

    Args:
        counterexample: values for which the statement fails; None when none was found.
        reason: why none was found.
    """

    counterexample: Counterexample | None
    reason: str = ""


def refute(
    statement: Statement,
    *,
    definitions: Sequence[tuple[Term, Term]] = (),
    original: Statement | None = None,
    least: int = 1,
    deadline: float | None = None,
) -> Search:
    """Look for values for which `statement` fails.

    Args:
        statement: an equation between Terms, definitions put in.
        definitions: (symbol, value) pairs that the values must satisfy.
        original: the statement before definitions were put in; the counterexample is for this one.
        least: sizes are searched at least up to this (from which on a difference must show).
        deadline: a `time.monotonic` to stop at.

    Raises:
        UnsupportedError: the statement has no exact value at concrete sizes.

    Examples:
        >>> from symlin.construct import symbol
        >>> A, B = symbol("A", "n", "n"), symbol("B", "n", "n")
        >>> found = refute((A @ B).eq(B @ A)).counterexample
        >>> found.sizes["n"], [[int(x) for x in row] for row in found.values[A]], found.place
        (2, [[0, 1], [0, 0]], (1, 1))
    """
    whole = original or statement
    names = sorted(dim_symbols(statement.lhs) | dim_symbols(statement.rhs) | _hidden(whole, definitions))
    complete = True
    tried = 0
    limit = max(SIZE_LIMIT, least)
    unsupported: UnsupportedError | None = None
    for sizes in _assignments(names, limit):
        if tried >= ASSIGNMENT_LIMIT or (deadline is not None and time.monotonic() > deadline):
            return Search(None, f"no counterexample was found in {tried} choices of sizes")
        tried += 1
        try:
            there = difference(statement, sizes, deadline, real=True)
        except UndefinedError:
            continue
        except BudgetError:
            complete = False
            point = _random_point(statement, sizes, deadline)
        except UnsupportedError as error:
            # Not a rational function of the entries, but perhaps computable where they are known.
            complete = False
            unsupported = unsupported or error
            try:
                point = _enumerated_point(statement, sizes, deadline)
            except UnsupportedError:
                raise error from None
        else:
            if there.vanishes:
                continue
            point, sure = _smallest_point(there)
            complete = complete and sure
        if point is None:
            complete = False
            continue
        # Beyond this total some choices (one large size, the others 1) were left out.
        complete = complete and sum(sizes.values()) < limit + len(names)
        found = _counterexample(whole, statement, definitions, sizes, point)
        if found is not None:
            return Search(_with_claim(found, names, complete))
        complete = False
    if unsupported is not None:
        raise unsupported
    sizes_text = f"with sizes up to {limit}" if names else ""
    return Search(None, f"no counterexample was found {sizes_text}".strip())


def _hidden(original: Statement, definitions: Sequence[tuple[Term, Term]]) -> frozenset[str]:
    """Sizes that putting in definitions may have removed from the statement, but that symbols still need."""
    found = dim_symbols(original.lhs) | dim_symbols(original.rhs)
    for symbol, value in definitions:
        found |= dim_symbols(symbol) | dim_symbols(value)
    return found


def _assignments(names: Sequence[str], limit: int) -> Iterator[dict[str, int]]:
    """All values 1 … limit of the names, by total, then in order."""
    for total in range(len(names), len(names) * limit + 1):
        for parts in _compositions(len(names), total, limit):
            yield dict(zip(names, parts, strict=True))


def _compositions(count: int, total: int, limit: int) -> Iterator[tuple[int, ...]]:
    if count == 0:
        if total == 0:
            yield ()
        return
    for first in range(max(1, total - limit * (count - 1)), min(limit, total - count + 1) + 1):
        for rest in _compositions(count - 1, total - first, limit):
            yield (first, *rest)


def _with_claim(found: Counterexample, names: Sequence[str], complete: bool) -> Counterexample:
    claim = ""
    if complete:
        parts = ["at smaller total size both sides agree"] if names else []
        claim = ", ".join([*parts, "no counterexample of these sizes has fewer entries that are not zero"])
    return Counterexample(found.values, found.sizes, found.lhs, found.rhs, found.place, claim)


# --- points ---------------------------------------------------------------------------------------------------


def _smallest_point(there: Difference) -> tuple[dict[Unknown, int] | None, bool]:
    """Values of the unknowns where some entry of the difference is not zero, and all divisors are not zero.

    The second part of the answer says whether fewer entries that are not zero are known to be impossible.

    Where a polynomial is not zero, the variables that are not zero include those of one of its monomials; so a
    monomial in the fewest variables gives the fewest entries that are not zero.
    """
    best: dict[Unknown, int] | None = None
    best_key: tuple[int, int] | None = None
    divisors = there.divisors
    missed: list[int] = []
    for poly in dict.fromkeys(one for one in there.numerators if one):
        supports = sorted({support(mono) for mono in poly.terms}, key=lambda one: (len(one), one))
        if divisors:
            supports, whole = _grown(supports, divisors, len(there.unknowns))
            if not whole:
                missed.append(0)
        for variables in supports:
            if best_key is not None and len(variables) > best_key[0]:
                break
            mask = field_mask(variables)
            conditions = [poly.restricted(mask), *(one.restricted(mask) for one in divisors)]
            if not all(conditions):
                continue
            values = _nonzero_values(conditions, variables)
            if values is None:
                missed.append(len(variables))
            else:
                key = (len(variables), sum(abs(value) for value in values.values()))
                if best_key is None or key < best_key:
                    best_key = key
                    best = {there.unknowns[index]: value for index, value in values.items()}
                if not divisors:
                    break
    return best, best_key is not None and all(size >= best_key[0] for size in missed)


def _grown(
    supports: list[tuple[int, ...]], divisors: Sequence[Poly], count: int
) -> tuple[list[tuple[int, ...]], bool]:
    """Unions of the supports of one monomial of the difference and of each divisor, smallest first."""
    unions = {frozenset(one) for one in supports}
    whole = True
    for divisor in divisors:
        own = {frozenset(support(mono)) for mono in divisor.terms}
        unions = {left | right for left in unions for right in own}
        if len(unions) > 2_000:
            whole = False
            unions = set(sorted(unions, key=lambda one: (len(one), sorted(one)))[:2_000])
    unions.add(frozenset(range(count)))
    return sorted((tuple(sorted(one)) for one in unions), key=lambda one: (len(one), one)), whole


def _nonzero_values(conditions: Sequence[Poly], variables: Sequence[int]) -> dict[int, int] | None:
    """Small non-zero integers for the variables at which all conditions are not zero."""
    tried = 0
    for top in range(1, len(VALUES) + 1):
        for choice in itertools.product(VALUES[:top], repeat=len(variables)):
            if top > 1 and VALUES[top - 1] not in choice:
                continue
            tried += 1
            if tried > POINT_LIMIT:
                return None
            values = dict(zip(variables, choice, strict=True))
            if all(one.at(values) for one in conditions):
                return values
    return None


def _random_point(
    statement: Statement, sizes: Mapping[str, int], deadline: float | None
) -> dict[Unknown, int] | None:
    """Random small values, thinned out while the statement still fails; only finds, never concludes."""
    source = random.Random(1)
    unknowns = _unknowns(statement, sizes)
    for _ in range(4):
        point = {unknown: source.choice((-2, -1, 1, 2, 3)) for unknown in unknowns}
        if _fails(statement, sizes, point, deadline):
            return _thinned(statement, sizes, point, deadline)
    return None


def _enumerated_point(
    statement: Statement, sizes: Mapping[str, int], deadline: float | None
) -> dict[Unknown, int] | None:
    """The first point with entries 0, 1, -1 where the statement fails, few entries that are not zero first."""
    unknowns = _unknowns(statement, sizes)
    tried = 0
    for count in range(len(unknowns) + 1):
        for places in itertools.combinations(unknowns, count):
            for signs in itertools.product((1, -1), repeat=count):
                tried += 1
                if tried > ENUMERATION_LIMIT:
                    return _random_point(statement, sizes, deadline)
                point = dict(zip(places, signs, strict=True))
                if _fails(statement, sizes, point, deadline):
                    return point
    return None


def _unknowns(statement: Statement, sizes: Mapping[str, int]) -> list[Unknown]:
    letters = dict.fromkeys(symbols(statement.lhs) + symbols(statement.rhs))
    shapes = {letter: _shape(letter, sizes) for letter in letters}
    return [
        Unknown(letter, i, j)
        for letter, (rows, cols) in shapes.items()
        for i in range(1, rows + 1)
        for j in range(1, cols + 1)
    ]


def _thinned(
    statement: Statement, sizes: Mapping[str, int], point: dict[Unknown, int], deadline: float | None
) -> dict[Unknown, int]:
    for unknown in list(point):
        for smaller in (0, 1):
            if point[unknown] != smaller:
                trial = {**point, unknown: smaller}
                if _fails(statement, sizes, trial, deadline):
                    point = trial
                    break
    return point


def _shape(term: Term, sizes: Mapping[str, int]) -> tuple[int, int]:
    evaluator = Evaluator(Rationals({}), sizes)
    return evaluator.size(term.rows), evaluator.size(term.cols)


def _fails(
    statement: Statement, sizes: Mapping[str, int], point: Mapping[Unknown, int], deadline: float | None
) -> bool:
    letters = dict.fromkeys(symbols(statement.lhs) + symbols(statement.rhs))
    values = {letter: _value(letter, sizes, point) for letter in letters}
    try:
        lhs = evaluate(statement.lhs, values, sizes, deadline)
        rhs = evaluate(statement.rhs, values, sizes, deadline)
    except UndefinedError:
        return False
    return lhs != rhs


def _value(letter: Term, sizes: Mapping[str, int], point: Mapping[Unknown, int]) -> Value:
    rows, cols = _shape(letter, sizes)
    return tuple(
        tuple(Fraction(point.get(Unknown(letter, i, j), 0)) for j in range(1, cols + 1))
        for i in range(1, rows + 1)
    )


def _counterexample(
    whole: Statement,
    statement: Statement,
    definitions: Sequence[tuple[Term, Term]],
    sizes: Mapping[str, int],
    point: Mapping[Unknown, int],
) -> Counterexample | None:
    """The counterexample, after everything about it has been evaluated again; None when something is amiss."""
    everything: dict[Term, None] = {}
    for term in (
        whole.lhs,
        whole.rhs,
        statement.lhs,
        statement.rhs,
        *(part for pair in definitions for part in pair),
    ):
        everything.update(dict.fromkeys(symbols(term)))
    values = {letter: _value(letter, sizes, point) for letter in everything}
    try:
        for _ in definitions:
            # A definition may use names that a later one defines.
            for symbol, value in definitions:
                if symbol.op == "symbol":
                    values[symbol] = evaluate(value, values, sizes)
        if any(
            evaluate(value, values, sizes) != evaluate(symbol, values, sizes) for symbol, value in definitions
        ):
            return None
        lhs = evaluate(whole.lhs, values, sizes)
        rhs = evaluate(whole.rhs, values, sizes)
    except UndefinedError:
        return None
    places = differing([list(line) for line in lhs], [list(line) for line in rhs])
    if not places:
        return None
    shown = dict.fromkeys(symbols(whole.lhs) + symbols(whole.rhs))
    needed = {letter: values[letter] for letter in everything if letter in shown or definitions}
    return Counterexample(needed, dict(sizes), lhs, rhs, places[0])
