"""Counterexamples under hypotheses: values that satisfy every equation given and make the two sides differ.

Offers `refute_given`; rests on `evaluation`, exact rational numbers, and linear algebra.  Letters get their values one
after the other, from families that suit what is given of them (symmetric, orthogonal, nilpotent …); where an
equation is linear in the letter that comes last, it is solved.  Whatever is found is evaluated again, exactly.
"""

from __future__ import annotations

import itertools
import random
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TypeAlias

from symlin.decide.evaluation import Evaluator, UndefinedError
from symlin.decide.families import SELECTIVE, candidates, has_properties
from symlin.decide.linear import solutions
from symlin.decide.numeric import Rationals, differing, evaluate
from symlin.decide.verdict import Counterexample, Value
from symlin.errors import BudgetError, UnsupportedError
from symlin.statement import Statement
from symlin.term import Term, dim_symbols, symbols

Equation: TypeAlias = tuple[Term, Term]
LARGEST = 3
"""Sizes up to this are tried."""
TRIES = 4_000
"""How many choices of values are looked at for each choice of sizes."""


@dataclass(frozen=True, slots=True)
class Found:
    """What the search found.

    Args:
        counterexample: values that satisfy the hypotheses and not the statement.
        model: whether any values were found that satisfy the hypotheses.
        reason: why there is no counterexample.
    """

    counterexample: Counterexample | None
    model: bool
    reason: str = ""


def refute_given(
    statement: Statement,
    given: Sequence[Equation],
    *,
    properties: Mapping[Term, frozenset[str]] | None = None,
    complex_entries: bool = False,
    deadline: float,
) -> Found:
    """Look for values that satisfy the equations given and not the statement, small sizes first.

    Args:
        statement: lhs = rhs.
        given: the hypotheses; inverses in them must exist.
        properties: declared properties of symbols.
        complex_entries: whether entries are complex; a counterexample found is real all the same, and so complex.
        deadline: a `time.monotonic` to stop at.

    Examples:
        >>> from symlin.construct import symbol, zero
        >>> A = symbol("A", "n", "n")
        >>> found = refute_given(A.eq(zero("n", "n")), [(A @ A, zero("n", "n"))], deadline=time.monotonic() + 5)
        >>> found.counterexample.sizes, [[int(x) for x in row] for row in found.counterexample.values[A]]
        ({'n': 2}, [[0, 1], [0, 0]])
    """
    case = _Case(statement, tuple(given), dict(properties or {}), deadline)
    model, late = False, False
    for sizes in _assignments(case.names(), LARGEST):
        if time.monotonic() > deadline:
            late = True
            break
        try:
            for values in case.models(sizes):
                model = True
                found = case.counterexample(values, sizes)
                if found is not None:
                    return Found(found, True)
        except (UndefinedError, BudgetError):
            continue
    limit = "in the time allowed" if late else f"with sizes up to {LARGEST}"
    return Found(None, model, f"no counterexample was found {limit}")


def _assignments(names: Sequence[str], limit: int) -> Iterator[dict[str, int]]:
    choices = itertools.product(range(1, limit + 1), repeat=len(names))
    for choice in sorted(choices, key=lambda one: (sum(one), one)):
        yield dict(zip(names, choice, strict=True))


@dataclass(slots=True)
class _Case:
    """What is asked."""

    statement: Statement
    given: tuple[Equation, ...]
    properties: dict[Term, frozenset[str]]
    deadline: float
    order: list[Term] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.order = self._ordered()

    def sides(self) -> list[Term]:
        return [self.statement.lhs, self.statement.rhs, *(side for pair in self.given for side in pair)]

    def names(self) -> list[str]:
        """All sizes and free indices."""
        return sorted(frozenset().union(*(dim_symbols(side) for side in self.sides())))

    def _ordered(self) -> list[Term]:
        """The letters, those first that most equations speak of alone; what is defined by others last."""
        letters = list(dict.fromkeys(letter for side in self.sides() for letter in symbols(side)))
        defined = [lhs for lhs, rhs in self.given if lhs in letters and lhs not in symbols(rhs)]
        shared = {
            letter: sum(letter in symbols(lhs) or letter in symbols(rhs) for lhs, rhs in self.given)
            for letter in letters
        }
        return sorted(letters, key=lambda one: (one in defined, -shared[one], str(one)))

    def models(self, sizes: Mapping[str, int]) -> Iterator[dict[Term, Value]]:
        """Values that satisfy all equations given."""
        source = random.Random(sum(sizes.values()))
        budget = [TRIES]
        yield from self._extended({}, 0, sizes, source, budget)

    def _extended(
        self,
        values: dict[Term, Value],
        at: int,
        sizes: Mapping[str, int],
        source: random.Random,
        budget: list[int],
    ) -> Iterator[dict[Term, Value]]:
        if time.monotonic() > self.deadline or budget[0] < 0:
            return
        if at == len(self.order):
            yield values
            return
        letter = self.order[at]
        known = {*values, letter}
        checks = [
            pair
            for pair in self.given
            if letter in (*symbols(pair[0]), *symbols(pair[1]))
            and known.issuperset((*symbols(pair[0]), *symbols(pair[1])))
        ]
        width = max(2, int(TRIES ** (1 / len(self.order))))
        tried = 0
        for value in self._values(letter, values, checks, sizes, source):
            budget[0] -= 1
            if budget[0] < 0 or time.monotonic() > self.deadline:
                return
            trial = {**values, letter: value}
            if all(self._holds(pair, trial, sizes) for pair in checks):
                yield from self._extended(trial, at + 1, sizes, source, budget)
                tried += 1
                if tried > 4 * width:
                    return

    def _values(
        self,
        letter: Term,
        values: dict[Term, Value],
        checks: list[Equation],
        sizes: Mapping[str, int],
        source: random.Random,
    ) -> Iterator[Value]:
        """Candidates for a letter: what the linear equations leave open, or the families."""
        evaluator = Evaluator(Rationals({}), sizes)
        rows, cols = evaluator.size(letter.rows), evaluator.size(letter.cols)
        properties = self.properties.get(letter, frozenset())
        if properties & SELECTIVE:
            yield from candidates(rows, cols, properties, source)
            return
        linear = solutions(
            letter, (rows, cols), checks, lambda trial: self._gaps(checks, {**values, letter: trial}, sizes)
        )
        if linear is not None:
            yield from linear.sampled(source)
            if linear.exact:
                return
        yield from candidates(rows, cols, properties, source)

    def _gaps(
        self, checks: list[Equation], values: dict[Term, Value], sizes: Mapping[str, int]
    ) -> list[list[Fraction]] | None:
        """For each equation the entries of lhs - rhs; None where something has no value."""
        try:
            evaluator = Evaluator(Rationals(values), sizes, self.deadline)
            pairs = [(evaluator.value(lhs), evaluator.value(rhs)) for lhs, rhs in checks]
        except (UndefinedError, UnsupportedError):
            return None
        return [
            [
                Fraction(a - b)
                for left, right in zip(one, two, strict=True)
                for a, b in zip(left, right, strict=True)
            ]
            for one, two in pairs
        ]

    def _holds(self, pair: Equation, values: dict[Term, Value], sizes: Mapping[str, int]) -> bool:
        try:
            evaluator = Evaluator(Rationals(values), sizes, self.deadline)
            return bool(evaluator.value(pair[0]) == evaluator.value(pair[1]))
        except UndefinedError:
            return False

    def counterexample(self, values: dict[Term, Value], sizes: Mapping[str, int]) -> Counterexample | None:
        """The counterexample that these values are, everything evaluated again; None where they are none."""
        try:
            if not all(
                evaluate(lhs, values, sizes) == evaluate(rhs, values, sizes) for lhs, rhs in self.given
            ):
                return None
            lhs, rhs = (evaluate(side, values, sizes) for side in (self.statement.lhs, self.statement.rhs))
        except UndefinedError:
            return None
        if not all(
            has_properties(value, self.properties.get(letter, frozenset()))
            for letter, value in values.items()
        ):
            return None
        places = differing([list(line) for line in lhs], [list(line) for line in rhs])
        return Counterexample(values, dict(sizes), lhs, rhs, places[0]) if places else None
