"""Counterexamples: values for which a statement fails, smallest first.

Offers `refute`; rests on `explicit` for what both sides are at concrete sizes and on `numeric` to evaluate what
is found once more.  Sizes come in order of their total; then as few entries as possible are not zero, and those
are as small as possible; how far that was searched is part of the answer.
"""

from __future__ import annotations

import itertools
import random
import time
from collections import Counter
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
from symlin.term import Term, dim_symbols, symbols, walk

SIZE_LIMIT = 4
"""Sizes are tried up to this, unless more are asked for."""
ASSIGNMENT_LIMIT = 400
"""How many assignments of sizes are tried."""
VALUES = (1, -1, 2, -2, 3, -3, 5, -5, 7, -7)
POINT_LIMIT = 20_000
CONFIRM_SECONDS = 1.0
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
    case = _Case(statement, whole, _relevant(whole, definitions), deadline)
    names = case.names()
    limit = max(SIZE_LIMIT, least)
    unsupported: UnsupportedError | None = None
    agreeing: list[dict[str, int]] = []
    sure = True
    for tried, sizes in enumerate(_assignments(names, limit)):
        if tried >= ASSIGNMENT_LIMIT or case.is_late():
            return Search(None, f"no counterexample was found in {tried} choices of sizes")
        probe = _probe(case, sizes)
        if probe == "agree":
            agreeing.append(sizes)
        if probe in ("agree", "undefined"):
            continue
        try:
            found, smallest = _at(case, sizes)
        except UnsupportedError as error:
            if probe == "unsupported":
                raise
            unsupported, found, smallest = error, None, False
        # Beyond this total some choices (one large size, the others 1) were left out.
        sure = sure and smallest and sum(sizes.values()) < limit + len(names)
        if found is not None:
            return Search(_smallest(case, found, agreeing, names, sure))
    if unsupported is not None:
        raise unsupported
    sizes_text = f"with sizes up to {limit}" if names else ""
    return Search(None, f"no counterexample was found {sizes_text}".strip())


@dataclass(frozen=True, slots=True)
class _Case:
    """The statement with definitions put in, as it was written, and what its values must satisfy."""

    statement: Statement
    whole: Statement
    definitions: tuple[tuple[Term, Term], ...]
    deadline: float | None

    def names(self) -> list[str]:
        """All sizes and free indices: also those of symbols that putting in definitions has removed."""
        terms = [side for one in (self.statement, self.whole) for side in (one.lhs, one.rhs)]
        terms += [part for definition in self.definitions for part in definition]
        return sorted(frozenset().union(*(dim_symbols(term) for term in terms)))

    def letters(self) -> tuple[Term, ...]:
        """The symbols of the statement with definitions put in."""
        return tuple(dict.fromkeys(symbols(self.statement.lhs) + symbols(self.statement.rhs)))

    def is_late(self) -> bool:
        """Whether the time is up."""
        return self.deadline is not None and time.monotonic() > self.deadline


def _relevant(whole: Statement, definitions: Sequence[tuple[Term, Term]]) -> tuple[tuple[Term, Term], ...]:
    """The definitions that restrict the values of the statement's symbols.

    One that only gives a name to something else does not, unless that name has another value as well.
    """
    known = set(symbols(whole.lhs)) | set(symbols(whole.rhs))
    twice = {symbol for symbol, count in Counter(symbol for symbol, _ in definitions).items() if count > 1}
    chosen: set[int] = set()
    grown = True
    while grown:
        grown = False
        for place, (symbol, value) in enumerate(definitions):
            if place in chosen:
                continue
            touched = set(symbols(symbol)) | (set(symbols(value)) if symbol in twice else set())
            if touched & known:
                chosen.add(place)
                known |= set(symbols(symbol)) | set(symbols(value))
                grown = True
    return tuple(definitions[place] for place in sorted(chosen))


def _probe(case: _Case, sizes: Mapping[str, int]) -> str:
    """Whether both sides ``agree`` at two random points, ``differ`` at one, or have no value that is known.

    This only decides where to look closer: agreement is confirmed before anything is said about it.
    """
    source = random.Random(len(sizes) + sum(sizes.values()))
    unknowns = _unknowns(case, sizes)
    seen, agreed = "undefined", 0
    # Where both sides are rational functions, points in general position tell them apart; else also special ones.
    special = any(node.op in _NOT_RATIONAL for side in _sides(case.statement) for node in walk(side))
    for turn in range(16 if special else 4):
        choices: Sequence[int] = (0, 0, 1, -1) if special and turn % 4 else range(-60, 61)
        point = {unknown: source.choice(choices) for unknown in unknowns}
        try:
            if _differs(case, sizes, point):
                return "differ"
        except UndefinedError:
            continue
        except UnsupportedError:
            return "unsupported"
        except BudgetError:
            return "undefined"
        seen, agreed = "agree", agreed + 1
        if agreed == 2 and not special:
            break
    return seen


_NOT_RATIONAL = frozenset({"pseudoinverse", "scalar_function", "entrywise", "row_softmax"})


def _sides(statement: Statement) -> tuple[Term, Term]:
    return statement.lhs, statement.rhs


def _at(case: _Case, sizes: Mapping[str, int]) -> tuple[Counterexample | None, bool]:
    """A counterexample of these sizes, and whether none has fewer entries that are not zero."""
    sure = False
    try:
        there = difference(case.statement, sizes, case.deadline, real=True)
    except UndefinedError:
        return None, False
    except BudgetError:
        point = _random_point(case, sizes)
    except UnsupportedError as error:
        # Not a rational function of the entries, but perhaps computable where they are known.
        try:
            point = _enumerated_point(case, sizes)
        except UnsupportedError:
            raise error from None
        if point is None:
            raise
    else:
        if there.vanishes:
            return None, True
        point, sure = _smallest_point(there)
    if point is None:
        return None, False
    found = _counterexample(case, sizes, point)
    return found, sure and found is not None


def _smallest(
    case: _Case, found: Counterexample, agreeing: list[dict[str, int]], names: list[str], sure: bool
) -> Counterexample:
    """The counterexample with the claim that can be made for it, after a closer look at smaller sizes."""
    limit = time.monotonic() + CONFIRM_SECONDS
    late = min(limit, case.deadline) if case.deadline is not None else limit
    closer = _Case(case.statement, case.whole, case.definitions, late)
    for sizes in agreeing:
        try:
            there = difference(closer.statement, sizes, late, real=True)
        except UndefinedError:
            continue
        except (BudgetError, UnsupportedError):
            sure = False
            break
        if not there.vanishes:
            other, smallest = _at(closer, sizes)
            if other is not None:
                found, sure = other, sure and smallest
                break
            sure = False
    claim = ""
    if sure:
        parts = ["at smaller total size both sides agree"] if names else []
        claim = ", ".join([*parts, "no counterexample of these sizes has fewer entries that are not zero"])
    return Counterexample(found.values, found.sizes, found.lhs, found.rhs, found.place, claim)


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


def _random_point(case: _Case, sizes: Mapping[str, int]) -> dict[Unknown, int] | None:
    """Random small values, thinned out while the statement still fails; only finds, never concludes."""
    source = random.Random(1)
    unknowns = _unknowns(case, sizes)
    for _ in range(4):
        point = {unknown: source.choice((-2, -1, 1, 2, 3)) for unknown in unknowns}
        if _fails(case, sizes, point):
            return _thinned(case, sizes, point)
    return None


def _enumerated_point(case: _Case, sizes: Mapping[str, int]) -> dict[Unknown, int] | None:
    """The first point with entries 0, 1, -1 where the statement fails, few entries that are not zero first."""
    unknowns = _unknowns(case, sizes)
    tried = 0
    for count in range(len(unknowns) + 1):
        for places in itertools.combinations(unknowns, count):
            for signs in itertools.product((1, -1), repeat=count):
                tried += 1
                if tried > ENUMERATION_LIMIT:
                    return _random_point(case, sizes)
                point = dict(zip(places, signs, strict=True))
                if _fails(case, sizes, point):
                    return point
    return None


def _unknowns(case: _Case, sizes: Mapping[str, int]) -> list[Unknown]:
    shapes = {letter: _shape(letter, sizes) for letter in case.letters()}
    return [
        Unknown(letter, i, j)
        for letter, (rows, cols) in shapes.items()
        for i in range(1, rows + 1)
        for j in range(1, cols + 1)
    ]


def _thinned(case: _Case, sizes: Mapping[str, int], point: dict[Unknown, int]) -> dict[Unknown, int]:
    for unknown in list(point):
        for smaller in (0, 1):
            if point[unknown] != smaller:
                trial = {**point, unknown: smaller}
                if _fails(case, sizes, trial):
                    point = trial
                    break
    return point


def _shape(term: Term, sizes: Mapping[str, int]) -> tuple[int, int]:
    evaluator = Evaluator(Rationals({}), sizes)
    return evaluator.size(term.rows), evaluator.size(term.cols)


def _fails(case: _Case, sizes: Mapping[str, int], point: Mapping[Unknown, int]) -> bool:
    try:
        return _differs(case, sizes, point)
    except UndefinedError:
        return False


def _differs(case: _Case, sizes: Mapping[str, int], point: Mapping[Unknown, int]) -> bool:
    values = {letter: _value(letter, sizes, point) for letter in case.letters()}
    evaluator = Evaluator(Rationals(values), sizes, case.deadline)
    return bool(evaluator.value(case.statement.lhs) != evaluator.value(case.statement.rhs))


def _value(letter: Term, sizes: Mapping[str, int], point: Mapping[Unknown, int]) -> Value:
    rows, cols = _shape(letter, sizes)
    return tuple(
        tuple(Fraction(point.get(Unknown(letter, i, j), 0)) for j in range(1, cols + 1))
        for i in range(1, rows + 1)
    )


def _counterexample(
    case: _Case, sizes: Mapping[str, int], point: Mapping[Unknown, int]
) -> Counterexample | None:
    """The counterexample, after everything about it has been evaluated again; None when something is amiss."""
    whole, definitions = case.whole, case.definitions
    everything: dict[Term, None] = dict.fromkeys(case.letters())
    for term in (whole.lhs, whole.rhs, *(part for pair in definitions for part in pair)):
        everything.update(dict.fromkeys(symbols(term)))
    try:
        values = {letter: _value(letter, sizes, point) for letter in everything}
        for _ in definitions:
            # A definition may use names that a later one defines.
            for symbol, value in definitions:
                if symbol.op == "symbol":
                    values[symbol] = evaluate(value, values, sizes)
        if any(evaluate(one, values, sizes) != evaluate(two, values, sizes) for one, two in definitions):
            return None
        lhs = evaluate(whole.lhs, values, sizes)
        rhs = evaluate(whole.rhs, values, sizes)
    except UndefinedError:
        return None
    places = differing([list(line) for line in lhs], [list(line) for line in rhs])
    return Counterexample(values, dict(sizes), lhs, rhs, places[0]) if places else None
