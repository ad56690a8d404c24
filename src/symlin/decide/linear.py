"""Matrices that satisfy linear equations: the solutions of an exact linear system, sampled.

Offers `solutions`; rests on exact rational elimination.  Whether equations are linear in a matrix is found by values.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from symlin.decide.verdict import Value

Gaps = Callable[[Value], "list[list[Fraction]] | None"]
SAMPLES = 60


@dataclass(frozen=True, slots=True)
class Solutions:
    """particular + Σ cᵢ·directionᵢ.

    Args:
        shape: of the matrix.
        particular: one solution, entry by entry.
        directions: what may be added.
        exact: whether every equation was linear, so that there is no other solution.
    """

    shape: tuple[int, int]
    particular: list[Fraction]
    directions: list[list[Fraction]]
    exact: bool

    def sampled(self, source: random.Random) -> Iterator[Value]:
        """Solutions, few and small multiples of the directions first; finitely many."""
        seen: set[Value] = set()
        count = len(self.directions)
        choices: list[tuple[int, ...]] = [(0,) * count]
        for active in (1, 2):
            for places in itertools.combinations(range(count), min(active, count)):
                for signs in itertools.product((1, -1), repeat=len(places)):
                    vector = [0] * count
                    for place, sign in zip(places, signs, strict=True):
                        vector[place] = sign
                    choices.append(tuple(vector))
        choices = choices[: 4 * SAMPLES]
        choices += [tuple(source.choice((-2, -1, 0, 1, 2)) for _ in range(count)) for _ in range(SAMPLES)]
        for choice in choices:
            entries = list(self.particular)
            for factor, direction in zip(choice, self.directions, strict=True):
                if factor:
                    entries = [a + factor * b for a, b in zip(entries, direction, strict=True)]
            value = _matrix(entries, self.shape)
            if value not in seen:
                seen.add(value)
                yield value


def _matrix(entries: Sequence[Fraction], shape: tuple[int, int]) -> Value:
    rows, cols = shape
    return tuple(tuple(entries[i * cols : (i + 1) * cols]) for i in range(rows))


def solutions(letter: Any, shape: tuple[int, int], equations: Sequence[Any], gaps: Gaps) -> Solutions | None:
    """The matrices that satisfy those of the equations that are linear in the letter; None where there are no such.

    Args:
        letter: the letter, for which equations are asked.
        shape: its size.
        equations: at least those that `gaps` answers for.
        gaps: for a value of the letter, lhs - rhs of each equation, entry by entry.
    """
    if not equations:
        return None
    count = shape[0] * shape[1]
    nothing = [Fraction(0)] * count
    base = gaps(_matrix(nothing, shape))
    units = []
    for place in range(count):
        entries = list(nothing)
        entries[place] = Fraction(1)
        units.append(gaps(_matrix(entries, shape)))
    probe = [Fraction(3 * place + 2, 1 + place % 2) for place in range(count)]
    there = gaps(_matrix(probe, shape))
    if base is None or there is None or any(one is None for one in units):
        return None
    rows: list[list[Fraction]] = []
    linear = []
    for number, start in enumerate(base):
        columns = [
            [a - b for a, b in zip(one[number], start, strict=True)] for one in units if one is not None
        ]
        guessed = [
            start[k]
            + sum((factor * column[k] for factor, column in zip(probe, columns, strict=True)), Fraction(0))
            for k in range(len(start))
        ]
        linear.append(guessed == there[number])
        if linear[-1]:
            rows += [[column[k] for column in columns] + [-start[k]] for k in range(len(start))]
    if not any(linear):
        return None
    solved = _solve(rows, count)
    if solved is None:
        return Solutions(shape, nothing, [], False) if not all(linear) else None
    return Solutions(shape, *solved, all(linear))


def _solve(rows: list[list[Fraction]], count: int) -> tuple[list[Fraction], list[list[Fraction]]] | None:
    """A particular solution and a basis of the directions; None where there is none."""
    rows = [list(row) for row in rows]
    pivots: list[int] = []
    at = 0
    for column in range(count):
        place = next((k for k in range(at, len(rows)) if rows[k][column]), None)
        if place is None:
            continue
        rows[at], rows[place] = rows[place], rows[at]
        factor = rows[at][column]
        rows[at] = [value / factor for value in rows[at]]
        for k, row in enumerate(rows):
            if k != at and row[column]:
                times = row[column]
                rows[k] = [a - times * b for a, b in zip(row, rows[at], strict=True)]
        pivots.append(column)
        at += 1
    if any(row[count] for row in rows[at:]):
        return None
    particular = [Fraction(0)] * count
    for k, column in enumerate(pivots):
        particular[column] = rows[k][count]
    directions = []
    for free in (column for column in range(count) if column not in pivots):
        direction = [Fraction(0)] * count
        direction[free] = Fraction(1)
        for k, column in enumerate(pivots):
            direction[column] = -rows[k][free]
        directions.append(direction)
    return particular, directions
