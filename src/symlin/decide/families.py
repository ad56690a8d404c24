"""Families of small exact matrices: what a search for counterexamples tries for a letter.

Offers `candidates`; rests on nothing but numbers.  First come few entries 0, 1, -1; then structured families that
random entries would not meet: permutations, reflections, rotations with rational entries, projections, nilpotent ones.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from fractions import Fraction

from symlin.decide.verdict import Value

SPARSE = 3_000
RANDOM = 40
SELECTIVE = frozenset({"permutation", "projection"})
"""Properties that are more than their equations: only the family is tried."""
Rows = list[list[Fraction]]


def candidates(rows: int, cols: int, properties: frozenset[str], source: random.Random) -> Iterator[Value]:
    """Values of this size that have the properties as far as families for these are known, without repetition.

    Examples:
        >>> found = candidates(2, 2, frozenset({"permutation"}), random.Random(1))
        >>> [[[int(x) for x in row] for row in one] for one in found]
        [[[1, 0], [0, 1]], [[0, 1], [1, 0]]]
    """
    seen: set[Value] = set()
    for value in _all(rows, cols, properties, source):
        if value not in seen:
            seen.add(value)
            yield value


def has_properties(value: Value, properties: frozenset[str]) -> bool:
    """Whether a value has what no equation of these properties says: entries 0 and 1, or symmetry.

    Examples:
        >>> has_properties(((Fraction(1), Fraction(1)), (Fraction(0), Fraction(0))), frozenset({"projection"}))
        False
    """
    if "permutation" in properties and any(x not in (0, 1) for row in value for x in row):
        return False
    return "projection" not in properties or value == tuple(zip(*value, strict=True))


def _all(rows: int, cols: int, properties: frozenset[str], source: random.Random) -> Iterator[Value]:
    if "permutation" in properties:
        yield from _permutations(rows)
        return
    if "projection" in properties:
        # Some authors mean orthogonal projections only: what refutes must be one.
        yield from _projections(rows, source)
        return
    if rows == cols and rows > 1 and any(name.split()[0] in _FAMILIES for name in properties):
        for name in sorted(properties):
            family = _FAMILIES.get(name.split()[0])
            if family is not None:
                yield from family(rows, source)
    for count in range(min(rows * cols, 4) + 1):
        total = 0
        for places in itertools.combinations(range(rows * cols), count):
            for signs in itertools.product((1, -1), repeat=count):
                total += 1
                if total > SPARSE:
                    break
                entries = [Fraction(0)] * (rows * cols)
                for place, sign in zip(places, signs, strict=True):
                    entries[place] = Fraction(sign)
                yield tuple(tuple(entries[i * cols : (i + 1) * cols]) for i in range(rows))
        if count == 2 and rows == cols:
            for family in _FAMILIES.values():
                yield from family(rows, source)
    for _ in range(RANDOM):
        yield tuple(tuple(Fraction(source.randint(-2, 2)) for _ in range(cols)) for _ in range(rows))


def _value(matrix: Rows) -> Value:
    return tuple(map(tuple, matrix))


def _identity(n: int) -> Rows:
    return [[Fraction(int(i == j)) for j in range(n)] for i in range(n)]


def _times(a: Rows, b: Rows) -> Rows:
    return [
        [
            sum((x * y for x, y in zip(row, column, strict=True)), Fraction(0))
            for column in zip(*b, strict=True)
        ]
        for row in a
    ]


def _transposed(a: Rows) -> Rows:
    return [list(column) for column in zip(*a, strict=True)]


def _permutations(n: int) -> Iterator[Value]:
    for order in itertools.permutations(range(n)):
        yield _value([[Fraction(int(order[i] == j)) for j in range(n)] for i in range(n)])


def _vectors(n: int, source: random.Random) -> Iterator[list[Fraction]]:
    for entries in itertools.product((0, 1, -1), repeat=n):
        if any(entries):
            yield [Fraction(x) for x in entries]
    for _ in range(4):
        yield [Fraction(source.choice((1, 2, -1, 3))) for _ in range(n)]


def _onto(vector: list[Fraction]) -> Rows:
    """The orthogonal projection onto a line."""
    length = sum(x * x for x in vector)
    return [[x * y / length for y in vector] for x in vector]


def _projections(n: int, source: random.Random) -> Iterator[Value]:
    """Orthogonal projections: onto axes, lines and their complements."""
    for chosen in itertools.product((0, 1), repeat=n):
        yield _value([[Fraction(chosen[i] if i == j else 0) for j in range(n)] for i in range(n)])
    one = _identity(n)
    for vector in _vectors(n, source):
        line = _onto(vector)
        yield _value(line)
        yield _value([[a - b for a, b in zip(r, s, strict=True)] for r, s in zip(one, line, strict=True)])


def _orthogonal(n: int, source: random.Random) -> Iterator[Value]:
    """Signed permutations, reflections, products of two, and rotations by the angle of a 3-4-5 triangle."""
    for order in itertools.permutations(range(n)):
        for signs in itertools.product((1, -1), repeat=n):
            yield _value([[Fraction(signs[i] if order[i] == j else 0) for j in range(n)] for i in range(n)])
    one, mirrors = _identity(n), list[Rows]()
    for vector in _vectors(n, source):
        line = _onto(vector)
        mirrors.append(
            [[a - 2 * b for a, b in zip(r, s, strict=True)] for r, s in zip(one, line, strict=True)]
        )
    turn = _identity(n)
    if n > 1:
        turn[0][:2], turn[1][:2] = [Fraction(3, 5), Fraction(-4, 5)], [Fraction(4, 5), Fraction(3, 5)]
        yield _value(turn)
    for mirror in mirrors:
        yield _value(mirror)
        yield _value(_times(turn, mirror))


def _conjugated(diagonals: Iterator[Rows], n: int, source: random.Random) -> Iterator[Value]:
    """S·D·S⁻¹ for unitriangular S."""
    for core in diagonals:
        yield _value(core)
        for _ in range(3):
            s, inverse = _identity(n), _identity(n)
            for _ in range(2):
                i, j = source.randrange(n), source.randrange(n)
                if i != j:
                    k = Fraction(source.choice((1, -1, 2)))
                    step, back = _identity(n), _identity(n)
                    step[i][j], back[i][j] = k, -k
                    s, inverse = _times(s, step), _times(back, inverse)
            yield _value(_times(_times(s, core), inverse))


def _diagonals(n: int, choices: tuple[int, ...]) -> Iterator[Rows]:
    for chosen in itertools.product(choices, repeat=n):
        yield [[Fraction(chosen[i] if i == j else 0) for j in range(n)] for i in range(n)]


def _idempotent(n: int, source: random.Random) -> Iterator[Value]:
    yield from _conjugated(_diagonals(n, (0, 1)), n, source)


def _involution(n: int, source: random.Random) -> Iterator[Value]:
    yield from _conjugated(_diagonals(n, (1, -1)), n, source)


def _nilpotent(n: int, source: random.Random) -> Iterator[Value]:
    def shifts() -> Iterator[Rows]:
        for chosen in itertools.product((0, 1), repeat=n - 1):
            yield [[Fraction(chosen[i] if j == i + 1 else 0) for j in range(n)] for i in range(n)]

    yield from _conjugated(shifts(), n, source)


def _symmetric(n: int, source: random.Random) -> Iterator[Value]:
    for _ in range(40):
        grid = [[Fraction(source.choice((0, 0, 1, -1, 2))) for _ in range(n)] for _ in range(n)]
        yield tuple(tuple(grid[min(i, j)][max(i, j)] for j in range(n)) for i in range(n))


def _skew(n: int, source: random.Random) -> Iterator[Value]:
    for _ in range(20):
        grid = [[Fraction(source.choice((0, 1, -1, 2))) for _ in range(n)] for _ in range(n)]
        yield tuple(
            tuple(grid[i][j] if i < j else -grid[j][i] if j < i else Fraction(0) for j in range(n))
            for i in range(n)
        )


_FAMILIES = {
    "orthogonal": _orthogonal,
    "unitary": _orthogonal,
    "symmetric": _symmetric,
    "hermitian": _symmetric,
    "skew": _skew,
    "idempotent": _idempotent,
    "involution": _involution,
    "nilpotent": _nilpotent,
}
