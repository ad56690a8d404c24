#!/usr/bin/env python3
"""Ask symlin for consequences of random hypotheses, and compare each answer with exact values.

    python tools/consequences.py --count 20000 --seed 1

Hypotheses are random equations and declared properties of one to three letters.  Statements are combinations
Σ c·L(p - q)R of the hypotheses (true), such combinations with one thing changed, or unrelated.  The values that
answer are drawn from families made to satisfy hypotheses (diagonal and permutation matrices, projections, Jordan
blocks, rotations, and what commutes with them) and evaluated modulo a prime by code of this file alone.  A `proved`
that fails at one of them, a `refuted` that was built to be true, or whose values break a hypothesis, is wrong: the
command prints every one and then exits with 1.
"""

from __future__ import annotations

import argparse
import itertools
import random
import sys
import time
from collections import Counter
from fractions import Fraction
from typing import Any

from symlin import construct as c
from symlin.decide import decide
from symlin.decide.properties import property_equations
from symlin.statement import Statement
from symlin.term import Term, symbols

PRIME = (1 << 61) - 1
Grid = tuple[tuple[int, ...], ...]
NAMES = "ABC"
LETTERS = {name: c.symbol(name, "n", "n") for name in NAMES}
SIGHT = 60
"""How many values are looked at for one statement."""


# --- values -----------------------------------------------------------------------------------------------------


def times(a: Grid, b: Grid) -> Grid:
    return tuple(
        tuple(sum(x * y for x, y in zip(r, s, strict=True)) % PRIME for s in zip(*b, strict=True)) for r in a
    )


def unit(n: int) -> Grid:
    return tuple(tuple(int(i == j) for j in range(n)) for i in range(n))


def combine(a: Grid, b: Grid, factor: int = 1) -> Grid:
    return tuple(
        tuple((x + factor * y) % PRIME for x, y in zip(r, s, strict=True)) for r, s in zip(a, b, strict=True)
    )


def value(term: Term, values: dict[Term, Grid], n: int) -> Grid:
    """The matrix that a term of this test is, straight from the definitions."""
    parts = [value(arg, values, n) for arg in term.args]
    if term.op == "symbol":
        return values[term]
    if term.op == "identity":
        return unit(n)
    if term.op == "zero":
        return tuple((0,) * n for _ in range(n))
    if term.op == "number":
        fraction = Fraction(term.data[0])  # type: ignore[arg-type]
        return ((fraction.numerator * pow(fraction.denominator, -1, PRIME) % PRIME,),)
    if term.op == "add":
        total = parts[0]
        for part in parts[1:]:
            total = combine(total, part)
        return total
    if term.op == "neg":
        return tuple(tuple(-x % PRIME for x in row) for row in parts[0])
    if term.op == "scale":
        return tuple(tuple(parts[0][0][0] * x % PRIME for x in row) for row in parts[1])
    if term.op == "transpose":
        return tuple(zip(*parts[0], strict=True))
    if term.op == "matmul":
        total = parts[0]
        for part in parts[1:]:
            total = times(total, part)
        return total
    if term.op == "power":
        total = unit(n)
        for _ in range(int(str(term.data[0]))):
            total = times(total, parts[0])
        return total
    raise AssertionError(term.op)


def pool(n: int, source: random.Random) -> list[Grid]:
    """Matrices that satisfy many an equation."""
    found = [unit(n), tuple((0,) * n for _ in range(n))]
    for order in itertools.permutations(range(n)):
        found.append(tuple(tuple(int(order[i] == j) for j in range(n)) for i in range(n)))
    for signs in itertools.product((0, 1, -1), repeat=n):
        found.append(tuple(tuple(signs[i] if i == j else 0 for j in range(n)) for i in range(n)))
    shift = tuple(tuple(int(j == i + 1) for j in range(n)) for i in range(n))
    found += [shift, times(shift, shift), combine(unit(n), shift), tuple(zip(*shift, strict=True))]
    if n > 1:
        half = pow(2, -1, PRIME)
        rest = [tuple(int(i == j) for j in range(n)) for i in range(2, n)]
        for block in (
            ((half, half), (half, half)),
            ((0, 1), (-1, 0)),
            ((1, 1), (0, 0)),
            ((3 * pow(5, -1, PRIME), -4 * pow(5, -1, PRIME)), (4 * pow(5, -1, PRIME), 3 * pow(5, -1, PRIME))),
            ((1, 2), (2, 1)),
            ((0, 1), (0, 0)),
        ):
            found.append((*((*row, *[0] * (n - 2)) for row in block), *rest))
    found += [tuple(tuple(source.randint(-2, 2) for _ in range(n)) for _ in range(n)) for _ in range(6)]
    return [tuple(tuple(x % PRIME for x in row) for row in one) for one in found]


# --- questions --------------------------------------------------------------------------------------------------


class Asker:
    """Random hypotheses and statements."""

    def __init__(self, seed: int) -> None:
        self.source = random.Random(seed)

    def word(self, longest: int) -> Term:
        letters = [self.letter() for _ in range(self.source.randint(1, longest))]
        return letters[0] if len(letters) == 1 else c.matmul(*letters)

    def letter(self) -> Term:
        letter = LETTERS[self.source.choice(NAMES)]
        return letter.T if self.source.random() < 0.25 else letter

    def side(self) -> Term:
        kind = self.source.random()
        if kind < 0.15:
            return c.identity("n")
        if kind < 0.3:
            return c.zero("n", "n")
        return self.word(2)

    def hypotheses(self) -> list[Statement]:
        found = []
        for _ in range(self.source.randint(1, 3)):
            if self.source.random() < 0.5:
                words = (
                    "symmetric",
                    "skew",
                    "orthogonal",
                    "idempotent",
                    "involution",
                    "nilpotent 2",
                    "nilpotent 3",
                )
                pairs = property_equations(LETTERS[self.source.choice(NAMES)], [self.source.choice(words)])
                found += [Statement(*pair) for pair in pairs]
            else:
                found.append(Statement(self.word(3), self.side()))
        return found

    def statement(self) -> tuple[Statement, str]:
        given = self.hypotheses()
        kind = self.source.choice(("true", "true", "altered", "altered", "unrelated"))
        if kind == "unrelated":
            return Statement(self.word(3), self.side()).given(*given), kind
        lhs = rhs = self.word(3)
        for _ in range(self.source.randint(1, 3)):
            one = self.source.choice(given)
            p, q = (one.lhs, one.rhs) if self.source.random() < 0.5 else (one.rhs, one.lhs)
            if self.source.random() < 0.3:
                p, q = p.T, q.T
            frame = [self.word(1) for _ in range(self.source.randint(0, 2))]
            place = self.source.randint(0, len(frame))
            sides = [c.matmul(*frame[:place], x, *frame[place:]) if frame else x for x in (p, q)]
            factor = c.number(self.source.choice((1, 2, -1, -3)))
            lhs, rhs = lhs + c.scale(factor, sides[0]), rhs + c.scale(factor, sides[1])
        if kind == "altered":
            rhs = rhs + self.word(2) if self.source.random() < 0.5 else -rhs
        return Statement(lhs, rhs).given(*given), kind


def models(statement: Statement, source: random.Random) -> Any:
    """Values that satisfy the hypotheses, found among the pool."""
    sides = [statement.lhs, statement.rhs, *(x for one in statement.hypotheses for x in (one.lhs, one.rhs))]
    letters = list(dict.fromkeys(letter for side in sides for letter in symbols(side)))
    for n in (1, 2, 3):
        grids, seen = pool(n, source), 0
        alone = {
            letter: [
                one for one in statement.hypotheses if set(symbols(one.lhs) + symbols(one.rhs)) == {letter}
            ]
            for letter in letters
        }
        fitting = {
            letter: [
                g
                for g in grids
                if all(
                    value(one.lhs, {letter: g}, n) == value(one.rhs, {letter: g}, n) for one in alone[letter]
                )
            ]
            for letter in letters
        }
        if not all(fitting.values()):
            continue
        for _ in range(SIGHT):
            values = {letter: source.choice(fitting[letter]) for letter in letters}
            if all(value(one.lhs, values, n) == value(one.rhs, values, n) for one in statement.hypotheses):
                seen += 1
                yield values, n


def residues(found: Any, n: int) -> dict[Term, Grid]:
    """The values of a counterexample modulo the prime."""
    return {
        letter: tuple(tuple(x.numerator * pow(x.denominator, -1, PRIME) % PRIME for x in row) for row in rows)
        for letter, rows in found.values.items()
    }


def check(statement: Statement, kind: str, source: random.Random, budget: float) -> tuple[str, str]:
    """The verdict, and what is wrong with it ("" when nothing is)."""
    verdict = decide(statement, budget=budget)
    if verdict.kind == "proved":
        used = set(verdict.proof.theorem.hypotheses) if verdict.proof and verdict.proof.theorem else set()
        if not used <= {(one.lhs, one.rhs) for one in statement.hypotheses}:
            return verdict.kind, "a hypothesis that was not given"
        for values, n in models(statement, source):
            if value(statement.lhs, values, n) != value(statement.rhs, values, n):
                return verdict.kind, f"proved, but false at {values}"
    if verdict.kind == "refuted":
        if kind == "true":
            return verdict.kind, "refuted, but it is a combination of the hypotheses"
        found = verdict.counterexample
        if found is None:
            return verdict.kind, "refuted without values"
        n = found.sizes.get("n", 1)
        values = residues(found, n)
        if any(value(one.lhs, values, n) != value(one.rhs, values, n) for one in statement.hypotheses):
            return verdict.kind, "the values break a hypothesis"
        if value(statement.lhs, values, n) == value(statement.rhs, values, n):
            return verdict.kind, "the values do not refute"
    return verdict.kind, ""


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--count", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--budget", type=float, default=1.0)
    options = parser.parse_args()
    asker, counts, wrong, start = Asker(options.seed), Counter[tuple[str, str]](), 0, time.monotonic()
    for place in range(options.count):
        statement, kind = asker.statement()
        answer, fault = check(statement, kind, random.Random(place), options.budget)
        counts[kind, answer] += 1
        if fault:
            wrong += 1
            print(f"{statement}: {fault}", flush=True)
    for (kind, answer), number in sorted(counts.items()):
        print(f"{kind:10} {answer:12} {number}")
    print(f"{options.count} statements, {wrong} wrong, {time.monotonic() - start:.0f} s")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
