#!/usr/bin/env python3
"""Ask symlin to decide random statements and compare each answer with exact evaluation modulo a prime.

    python tools/soundness.py --count 20000 --seed 1

Statements are true by construction (random rewriting by laws), damaged copies of these, or unrelated pairs; sizes
are symbolic, concrete or mixed.  The evaluation below is written for this purpose and shares no code with symlin
but the Terms it walks over.  A `proved` that fails at random values, or a `refuted` whose values do not refute,
is wrong; the command prints every one and then exits with 1.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from symlin import construct as c
from symlin.decide import Verdict, decide
from symlin.dims import Dim
from symlin.errors import ShapeError
from symlin.statement import Statement
from symlin.term import Term, dim_symbols, make, symbols

PRIME = (1 << 61) - 1
Grid = list[list[int]]


class NoValue(Exception):
    """A singular matrix, a zero denominator, or an index out of range at these values."""


# --- evaluation modulo a prime --------------------------------------------------------------------------------


def dim_value(dim: Dim, sizes: dict[str, int]) -> int:
    total = 0
    for mono, coeff in dim.terms:
        for name, exponent in mono:
            coeff *= sizes[name] ** exponent
        total += coeff
    return total


def product(a: Grid, b: Grid) -> Grid:
    if len(a[0]) != len(b):
        raise AssertionError("a product of matrices that do not fit")
    return [
        [sum(a[i][t] * b[t][j] for t in range(len(b))) % PRIME for j in range(len(b[0]))]
        for i in range(len(a))
    ]


def unit_matrix(n: int) -> Grid:
    return [[int(i == j) for j in range(n)] for i in range(n)]


def determinant(a: Grid) -> int:
    """By the sum over the first row, straight from the definition."""
    if len(a) == 1:
        return a[0][0] % PRIME
    total = 0
    for j, value in enumerate(a[0]):
        minor = [line[:j] + line[j + 1 :] for line in a[1:]]
        total += (-1) ** j * value * determinant(minor)
    return total % PRIME


def inverse(a: Grid) -> Grid:
    """Cramer's rule."""
    n = len(a)
    det = determinant(a)
    if not det:
        raise NoValue
    scale = pow(det, -1, PRIME)
    if n == 1:
        return [[scale]]
    out = [[0] * n for _ in range(n)]
    for i in range(n):
        for j in range(n):
            minor = [line[:j] + line[j + 1 :] for k, line in enumerate(a) if k != i]
            out[j][i] = (-1) ** (i + j) * determinant(minor) * scale % PRIME
    return out


def residue(value: Fraction) -> int:
    return value.numerator * pow(value.denominator, -1, PRIME) % PRIME


def value_of(
    term: Term, sizes: dict[str, int], values: dict[Term, Grid], bars: dict[Term, Grid] | None = None
) -> Grid:
    """The value of a Term; a long list of cases on purpose: it is meant to be read against the definitions.

    `bars` holds the conjugates of the letters: they are independent of the letters as far as polynomials see.
    """
    conjugates = values if bars is None else bars

    def of(one: Term) -> Grid:
        return value_of(one, sizes, values, conjugates)

    def at(dim: Any, count: int) -> int:
        place = dim_value(dim, sizes)
        if not 1 <= place <= count:
            raise NoValue
        return place - 1

    op, args, data = term.op, term.args, term.data
    rows, cols = dim_value(term.rows, sizes), dim_value(term.cols, sizes)
    if op == "symbol":
        return values[term]
    if op == "number":
        return [[residue(data[0])]]  # type: ignore[arg-type]
    if op == "size":
        return [[dim_value(data[0], sizes) % PRIME]]  # type: ignore[arg-type]
    if op == "literal":
        entries = [of(arg)[0][0] for arg in args]
        return [entries[i * cols : (i + 1) * cols] for i in range(rows)]
    if op == "identity":
        return unit_matrix(rows)
    if op == "zero":
        return [[0] * cols for _ in range(rows)]
    if op == "ones":
        return [[1] * cols for _ in range(rows)]
    if op == "unit":
        place = at(data[0], rows)
        return [[int(i == place)] for i in range(rows)]
    if op == "permutation":
        return [[int(p == j + 1) for j in range(cols)] for p in data[0]]  # type: ignore[attr-defined]
    if op == "add":
        parts = [of(arg) for arg in args]
        return [[sum(part[i][j] for part in parts) % PRIME for j in range(cols)] for i in range(rows)]
    if op == "neg":
        return [[-x % PRIME for x in line] for line in of(args[0])]
    if op == "scale":
        factor = of(args[0])[0][0]
        return [[factor * x % PRIME for x in line] for line in of(args[1])]
    if op == "divide":
        by = of(args[1])[0][0]
        if not by:
            raise NoValue
        factor = pow(by, -1, PRIME)
        return [[factor * x % PRIME for x in line] for line in of(args[0])]
    if op == "matmul":
        total = of(args[0])
        for arg in args[1:]:
            total = product(total, of(arg))
        return total
    if op == "power":
        count = dim_value(data[0], sizes)  # type: ignore[arg-type]
        base = of(args[0])
        if count < 0:
            base, count = inverse(base), -count
        total = unit_matrix(rows)
        for _ in range(count):
            total = product(total, base)
        return total
    if op == "transpose":
        return [list(column) for column in zip(*of(args[0]), strict=True)]
    if op == "conjugate":
        return value_of(args[0], sizes, conjugates, values)
    if op == "adjoint":
        return [list(column) for column in zip(*value_of(args[0], sizes, conjugates, values), strict=True)]
    if op == "inverse":
        return inverse(of(args[0]))
    if op == "trace":
        body = of(args[0])
        return [[sum(body[i][i] for i in range(len(body))) % PRIME]]
    if op == "determinant":
        return [[determinant(of(args[0]))]]
    if op == "dot":
        u, v = of(args[0]), of(args[1])
        return [[sum(x[0] * y[0] for x, y in zip(u, v, strict=True)) % PRIME]]
    if op == "hadamard":
        a, b = of(args[0]), of(args[1])
        return [[a[i][j] * b[i][j] % PRIME for j in range(cols)] for i in range(rows)]
    if op == "kronecker":
        a, b = of(args[0]), of(args[1])
        h, w = len(b), len(b[0])
        return [[a[i // h][j // w] * b[i % h][j % w] % PRIME for j in range(cols)] for i in range(rows)]
    if op == "diag":
        body = of(args[0])
        return [[body[i][0] if i == j else 0 for j in range(cols)] for i in range(rows)]
    if op == "diagpart":
        body = of(args[0])
        return [[body[i][i]] for i in range(rows)]
    if op == "vec":
        body = of(args[0])
        return [[body[i][j]] for j in range(len(body[0])) for i in range(len(body))]
    if op == "entry":
        body = of(args[0])
        return [[body[at(data[0], len(body))][at(data[1], len(body[0]))]]]
    if op == "row":
        body = of(args[0])
        return [body[at(data[0], len(body))]]
    if op == "column":
        body = of(args[0])
        j = at(data[0], len(body[0]))
        return [[line[j]] for line in body]
    if op in ("block", "columns", "rows"):
        width = {"columns": len(args), "rows": 1}.get(op) or data[1]
        out: Grid = []
        for start in range(0, len(args), width):  # type: ignore[arg-type]
            line = [of(arg) for arg in args[start : start + width]]  # type: ignore[operator]
            out += [[x for part in line for x in part[i]] for i in range(len(line[0]))]
        return out
    if op in ("sum", "column_family", "row_family"):
        index, lo, hi = data
        bodies = [
            value_of(args[0], {**sizes, index: k}, values, conjugates)  # type: ignore[dict-item]
            for k in range(dim_value(lo, sizes), dim_value(hi, sizes) + 1)  # type: ignore[arg-type]
        ]
        if op == "column_family":
            return [[body[i][0] for body in bodies] for i in range(rows)]
        if op == "row_family":
            return [body[0] for body in bodies]
        return [[sum(body[i][j] for body in bodies) % PRIME for j in range(cols)] for i in range(rows)]
    raise AssertionError(f"no evaluation for {op}")


# --- random statements ----------------------------------------------------------------------------------------


@dataclass
class World:
    """The sizes and letters that one statement is made of."""

    source: random.Random
    dims: list[Dim]
    letters: list[Term] = field(default_factory=list)
    complex: bool = False
    inverses: bool = False

    def dim(self) -> Dim:
        return self.source.choice(self.dims)

    def letter(self, rows: Dim, cols: Dim) -> Term:
        fitting = [one for one in self.letters if one.shape == (rows, cols)]
        if fitting and (len(fitting) > 2 or self.source.random() < 0.6):
            return self.source.choice(fitting)
        new = c.symbol(f"X_{{{len(self.letters)}}}", rows, cols)
        self.letters.append(new)
        return new


def new_world(source: random.Random) -> World:
    style = source.randrange(5)
    if style == 0:
        names = source.sample(["m", "n", "k", "p"], 2)
        dims = [Dim.of(name) for name in names]
    elif style == 1:
        dims = [Dim.of("n")]
    elif style == 2:
        dims = [Dim.of(1), Dim.of("n")]
    elif style == 3:
        dims = [Dim.of(source.choice((1, 2, 3))), Dim.of(2)]
    else:
        dims = [Dim.of(2), Dim.of("n"), Dim.of(1)]
    return World(source, dims, complex=source.random() < 0.15, inverses=source.random() < 0.15)


def random_term(world: World, rows: Dim, cols: Dim, depth: int) -> Term:
    """A random Term of this shape."""
    source = world.source
    if depth <= 0:
        if rows == cols and source.random() < 0.1:
            return c.identity(rows)
        if source.random() < 0.04:
            return c.zero(rows, cols)
        if source.random() < 0.05:
            return c.ones(rows, cols)
        if rows.constant and cols.constant and source.random() < 0.2:
            entry = random_term(world, Dim.of(1), Dim.of(1), 0)
            grid = [
                [source.choice((0, 1, -2, entry)) for _ in range(cols.constant)] for _ in range(rows.constant)
            ]
            return c.literal(grid)
        if cols.constant == 1 and source.random() < 0.1:
            return c.unit(1, rows)
        if rows == cols and rows.constant and source.random() < 0.1:
            order = list(range(1, rows.constant + 1))
            source.shuffle(order)
            return c.permutation(order)
        return world.letter(rows, cols)

    def again(r: Dim, k: Dim, less: int = 1) -> Term:
        return random_term(world, r, k, depth - less - source.randrange(2))

    one = Dim.of(1)
    makers: list[Callable[[], Term]] = [
        lambda: again(rows, cols) + again(rows, cols),
        lambda: again(rows, cols) - again(rows, cols),
        lambda: -again(rows, cols),
        lambda: c.scale(c.number(source.choice((2, 3, -1, Fraction(1, 2)))), again(rows, cols)),
        lambda: c.scale(again(one, one, 2), again(rows, cols)),
        lambda: chain(),
        lambda: chain(),
        lambda: c.transpose(again(cols, rows)),
        lambda: c.transpose(again(cols, rows)),
        lambda: c.hadamard(again(rows, cols), again(rows, cols)),
    ]

    def chain() -> Term:
        middle = world.dim()
        return c.matmul(again(rows, middle), again(middle, cols))

    def blocks() -> Term:
        first, second = world.dim(), world.dim()
        return c.matmul(
            c.columns([again(rows, first, 2), again(rows, second, 2)]),
            c.rows([again(first, cols, 2), again(second, cols, 2)]),
        )

    makers.append(lambda: c.kronecker(again(rows, one), again(one, cols)))
    makers.append(lambda: c.kronecker(again(one, cols), again(rows, one)))
    makers.append(blocks)
    makers.append(lambda: c.column_family("t", 1, cols, again(rows, cols).column("t")))
    makers.append(lambda: c.row_family("t", 1, rows, again(rows, cols).row("t")))
    if world.complex:
        makers += [lambda: c.conjugate(again(rows, cols)), lambda: c.adjoint(again(cols, rows))] * 2
    if world.inverses:
        makers.append(lambda: c.divide(again(rows, cols), again(one, one, 2)))
        if rows == cols:
            makers += [lambda: c.inverse(again(rows, cols, 2))] * 3
    if rows == cols:
        makers.append(lambda: c.power(again(rows, rows), source.choice((2, 2, 3))))
        makers.append(lambda: c.diag(again(rows, one)))
    if cols == one:
        makers.append(lambda: c.diagpart(again(rows, rows)))
    if rows == cols == one:
        middle = world.dim()
        makers += [
            lambda: c.trace(again(middle, middle)),
            lambda: c.dot(again(middle, one), again(middle, one)),
            lambda: c.entry(again(middle, middle), 1, 1),
            lambda: c.dot(c.vec(again(middle, middle)), c.vec(again(middle, middle))),
            lambda: c.trace(c.kronecker(again(middle, middle, 2), again(one, one, 2))),
        ]
        if middle.constant and world.inverses:
            makers.append(lambda: c.determinant(again(middle, middle)))
    else:
        makers.append(
            lambda: c.sum_over(
                "t",
                1,
                world.dims[0],
                c.matmul(c.column(again(rows, world.dims[0]), "t"), c.row(again(world.dims[0], cols), "t")),
            )
        )
    return source.choice(makers)()


Law = Callable[[Term, random.Random], "Term | None"]


def _split(term: Term, source: random.Random) -> tuple[tuple[Term, ...], tuple[Term, ...]]:
    cut = source.randrange(1, len(term.args))
    return term.args[:cut], term.args[cut:]


def _distributed(term: Term, source: random.Random) -> Term | None:
    places = [i for i, arg in enumerate(term.args) if arg.op == "add"] if term.op == "matmul" else []
    if not places:
        return None
    i = source.choice(places)
    return make(
        "add", *(make("matmul", *term.args[:i], part, *term.args[i + 1 :]) for part in term.args[i].args)
    )


def _rebracketed(term: Term, source: random.Random) -> Term | None:
    if term.op not in ("matmul", "add"):
        return None
    parts: list[Term] = []
    for arg in term.args:
        parts += arg.args if arg.op == term.op else (arg,)
    if len(parts) < 3:
        return None
    cut = source.randrange(len(parts) - 1)
    inner = make(term.op, *parts[cut : cut + 2])
    return make(term.op, *parts[:cut], inner, *parts[cut + 2 :])


def _shuffled(term: Term, source: random.Random) -> Term | None:
    if term.op != "add":
        return None
    parts = list(term.args)
    source.shuffle(parts)
    return make("add", *parts)


def _transposed(term: Term, source: random.Random) -> Term | None:
    if term.op != "transpose":
        return c.transpose(c.transpose(term)) if source.random() < 0.1 else None
    body = term.args[0]
    if body.op == "matmul":
        return make("matmul", *(c.transpose(arg) for arg in reversed(body.args)))
    if body.op == "add":
        return make("add", *(c.transpose(arg) for arg in body.args))
    if body.op == "transpose":
        return body.args[0]
    if body.op == "hadamard":
        return c.hadamard(*(c.transpose(arg) for arg in body.args))
    if body.op == "scale":
        return c.scale(body.args[0], c.transpose(body.args[1]))
    return None


def _scaled(term: Term, source: random.Random) -> Term | None:
    if term.op == "matmul":
        for i, arg in enumerate(term.args):
            if arg.op == "scale":
                return c.scale(arg.args[0], make("matmul", *term.args[:i], arg.args[1], *term.args[i + 1 :]))
    if term.op == "scale" and term.args[1].op == "add":
        return make("add", *(c.scale(term.args[0], arg) for arg in term.args[1].args))
    if term.op == "neg":
        return c.scale(c.number(-1), term.args[0])
    return None


def _traced(term: Term, source: random.Random) -> Term | None:
    if term.op == "trace":
        body = term.args[0]
        if body.op == "matmul":
            left, right = _split(body, source)
            return c.trace(make("matmul", *right, *left))
        if body.op == "add":
            return make("add", *(c.trace(arg) for arg in body.args))
        return c.trace(c.transpose(body))
    if term.op == "dot":
        return c.matmul(c.transpose(term.args[1]), term.args[0])
    if term.op == "hadamard":
        return c.hadamard(term.args[1], term.args[0])
    if term.op == "power" and term.data[0] == Dim.of(2):
        return c.matmul(term.args[0], term.args[0])
    if term.op == "power" and term.data[0] == Dim.of(3):
        return c.matmul(term.args[0], c.power(term.args[0], 2))
    return None


def _composite(term: Term, source: random.Random) -> Term | None:
    """Kronecker products, blocks, families, vectorisation."""
    if term.op == "trace" and term.args[0].op == "kronecker":
        return c.scale(*(c.trace(arg) for arg in term.args[0].args))
    if term.op == "dot" and all(arg.op == "vec" for arg in term.args):
        left, right = (arg.args[0] for arg in term.args)
        return c.trace(c.matmul(c.transpose(left), right))
    if term.op == "matmul" and [arg.op for arg in term.args] == ["columns", "rows"]:
        return make(
            "add", *(c.matmul(*pair) for pair in zip(term.args[0].args, term.args[1].args, strict=True))
        )
    if term.op == "transpose" and term.args[0].op in ("columns", "rows"):
        flipped = {"columns": c.rows, "rows": c.columns}[term.args[0].op]
        return flipped(c.transpose(arg) for arg in term.args[0].args)
    if term.op == "kronecker" and source.random() < 0.5:
        return c.transpose(c.kronecker(*(c.transpose(arg) for arg in term.args)))
    if term.op == "kronecker" and term.args[0].op == "add":
        return make("add", *(c.kronecker(part, term.args[1]) for part in term.args[0].args))
    if term.op in ("column_family", "row_family") and term.args[0].op in ("column", "row"):
        return term.args[0].args[0]
    return None


def _conjugated(term: Term, source: random.Random) -> Term | None:
    if term.op == "adjoint":
        body = term.args[0]
        if body.op == "matmul":
            return make("matmul", *(c.adjoint(arg) for arg in reversed(body.args)))
        return c.conjugate(c.transpose(body)) if source.random() < 0.5 else c.transpose(c.conjugate(body))
    if term.op == "conjugate" and term.args[0].op in ("matmul", "add", "hadamard", "scale"):
        body = term.args[0]
        return make(body.op, *(c.conjugate(arg) for arg in body.args), data=body.data)
    return None


def _inverted(term: Term, source: random.Random) -> Term | None:
    body = term.args[0] if term.op == "inverse" else None
    if body is None:
        return None
    if body.op == "matmul" and all(arg.rows == arg.cols for arg in body.args):
        return make("matmul", *(c.inverse(arg) for arg in reversed(body.args)))
    return c.transpose(c.inverse(c.transpose(body)))


LAWS: tuple[Law, ...] = (
    _composite,
    _conjugated,
    _inverted,
    _distributed,
    _rebracketed,
    _shuffled,
    _transposed,
    _scaled,
    _traced,
)


def rewritten(term: Term, source: random.Random, rate: float) -> Term:
    """An equal Term, by laws applied at random places."""
    args = tuple(rewritten(arg, source, rate) for arg in term.args)
    result = term if args == term.args else make(term.op, *args, data=term.data)
    if source.random() < rate:
        new = source.choice(LAWS)(result, source)
        if new is not None:
            return new
    return result


def damaged(term: Term, source: random.Random) -> Term | None:
    """A Term of the same shape with one random place altered; it may happen to be equal."""
    places = _places(term)
    for _ in range(20):
        path = source.choice(places)
        target = _at(term, path)
        new = _altered(target, source)
        if new is not None and new is not target and new.shape == target.shape:
            try:
                return _replace(term, path, new)
            except ShapeError:
                continue
    return None


def _altered(term: Term, source: random.Random) -> Term | None:
    if term.op in ("matmul", "hadamard", "kronecker") and source.random() < 0.6:
        args = list(term.args)
        source.shuffle(args)
        try:
            return make(term.op, *args, data=term.data)
        except ShapeError:
            return None
    if term.op == "transpose" and term.rows == term.cols:
        return term.args[0]
    if term.op == "add":
        return make("add", *term.args[:-1], c.neg(term.args[-1]))
    if term.op == "scale":
        return c.scale(term.args[0], term) if source.random() < 0.5 else term.args[1]
    if term.rows == term.cols and source.random() < 0.5:
        return c.transpose(term)
    if term.op in ("power", "neg"):
        return term.args[0]
    return c.add(term, term) if source.random() < 0.3 else None


def _places(term: Term) -> list[tuple[int, ...]]:
    found: list[tuple[int, ...]] = [()]
    for i, arg in enumerate(term.args):
        found += [(i, *rest) for rest in _places(arg)]
    return found


def _at(term: Term, path: tuple[int, ...]) -> Term:
    for i in path:
        term = term.args[i]
    return term


def _replace(term: Term, path: tuple[int, ...], new: Term) -> Term:
    if not path:
        return new
    i, *rest = path
    args = list(term.args)
    args[i] = _replace(args[i], tuple(rest), new)
    return make(term.op, *args, data=term.data)


def random_statement(source: random.Random) -> tuple[Statement, str]:
    """A statement and how it was made: ``true``, ``damaged`` or ``pair``."""
    while True:
        world = new_world(source)
        rows, cols = world.dim(), world.dim()
        if source.random() < 0.2:
            rows = cols = Dim.of(1)
        depth = source.choice((1, 2, 2, 3, 3, 4))
        try:
            term = random_term(world, rows, cols, depth)
            kind = source.choice(("true", "true", "damaged", "damaged", "pair"))
            other: Term | None = rewritten(term, source, 0.6)
            for _ in range(source.randrange(3)):
                other = rewritten(other, source, 0.4) if other is not None else None
            if kind == "damaged" and other is not None:
                other = damaged(other, source)
            if kind == "pair":
                other = random_term(world, rows, cols, depth)
            if other is None or len(_places(term)) + len(_places(other)) > 120:
                continue
            return Statement(term, other), kind
        except ShapeError:
            continue


# --- judging --------------------------------------------------------------------------------------------------


def random_values(
    statement: Statement, source: random.Random
) -> tuple[dict[str, int], dict[Term, Grid], dict[Term, Grid]]:
    """Random sizes from 1 to 3, random entries, and independent ones for the conjugates."""
    names = dim_symbols(statement.lhs) | dim_symbols(statement.rhs)
    sizes = {name: source.choice((1, 2, 2, 3, 3)) for name in sorted(names)}
    values, bars = (
        {
            letter: [
                [source.randrange(PRIME) for _ in range(dim_value(letter.cols, sizes))]
                for _ in range(dim_value(letter.rows, sizes))
            ]
            for letter in dict.fromkeys(symbols(statement.lhs) + symbols(statement.rhs))
        }
        for _ in range(2)
    )
    return sizes, values, bars


def wrong(statement: Statement, verdict: Verdict, kind: str, source: random.Random, rounds: int = 3) -> str:
    """What is wrong with a verdict; empty when nothing is."""
    if verdict.kind in ("proved", "holds"):
        for _ in range(rounds):
            sizes, values, bars = random_values(statement, source)
            try:
                lhs, rhs = (value_of(side, sizes, values, bars) for side in (statement.lhs, statement.rhs))
                if lhs != rhs:
                    return f"{verdict.kind}, but it fails at {sizes}"
            except NoValue:
                continue
    if verdict.kind == "refuted":
        if kind == "true":
            return "refuted, but true by construction"
        found = verdict.counterexample
        if found is None:
            return "" if "has no inverse" in verdict.reason else "refuted without values"
        given = {
            letter: [[residue(x) for x in line] for line in value] for letter, value in found.values.items()
        }
        sizes = dict(found.sizes)
        lhs, rhs = (value_of(side, sizes, given) for side in (statement.lhs, statement.rhs))
        row, column = found.place
        if lhs[row - 1][column - 1] == rhs[row - 1][column - 1]:
            return "refuted by values at which both sides agree"
        if [[residue(x) for x in line] for line in found.lhs] != lhs:
            return "refuted with a wrong value of the left side"
    return ""


def show(term: Term) -> str:
    """A Term as text, without a writer."""
    if term.op == "symbol":
        return str(term.data[0])
    data = ",".join(str(part) for part in term.data)
    return f"{term.op}{f'[{data}]' if data else ''}({', '.join(show(arg) for arg in term.args)})"


def run(
    count: int, seed: int, report: Callable[[str], None] = print, budget: float = 2.0
) -> tuple[Counter[Any], int]:
    """Decide `count` random statements; the counts of (how it was made, verdict) and how many are wrong."""
    source = random.Random(seed)
    counts: Counter[Any] = Counter()
    errors = 0
    for number in range(count):
        statement, kind = random_statement(source)
        judge = random.Random(source.random())
        verdict = decide(statement, budget=budget, steps=number % 20 == 0)
        counts[kind, verdict.kind] += 1
        problem = wrong(statement, verdict, kind, judge)
        if problem:
            errors += 1
            report(
                f"WRONG (statement {number}, seed {seed}): {problem}\n  {show(statement.lhs)}\n  {show(statement.rhs)}"
            )
    return counts, errors


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--count", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    start = time.monotonic()
    counts, errors = run(options.count, options.seed)
    spent = time.monotonic() - start
    for (kind, verdict), number in sorted(counts.items()):
        print(f"{kind:8} {verdict:12} {number:8}")
    print(f"{options.count} statements, seed {options.seed}, {spent:.0f} s: {errors} wrong")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
