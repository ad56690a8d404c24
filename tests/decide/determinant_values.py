"""Values of Terms with determinants in F_p × F_p, and random statements about determinants.

Offers `Values`, `value` and `Maker`; rests on `term` and `construct` alone.  Conjugation swaps the two components, so
that what holds in every commutative ring with involution holds here; determinants are found by elimination, which
the engine under test never does.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Any

from symlin import construct as c
from symlin.dims import Dim
from symlin.statement import Statement
from symlin.term import Term

P = 1_000_003
Matrix = list[list[int]]


class Undefined(Exception):
    """A division by zero."""


def number(dim: Dim, sizes: Mapping[str, int]) -> int:
    total = 0
    for powers, coefficient in dim.terms:
        for name, power in powers:
            coefficient *= sizes[name] ** power
        total += coefficient
    return total


class Values:
    """Values of letters, for each of the two components: drawn at random, or given."""

    def __init__(self, seed: int, given: Mapping[Term, Any] | None = None) -> None:
        self._random = random.Random(seed)
        self._given = dict(given or {})
        self._drawn: dict[Any, Matrix] = {}

    def of(self, term: Term, rows: int, cols: int, bar: bool) -> Matrix:
        if term in self._given:
            return [[x.numerator * pow(x.denominator, -1, P) % P for x in line] for line in self._given[term]]
        if (term, bar) not in self._drawn:
            self._drawn[term, bar] = [[self._random.randrange(P) for _ in range(cols)] for _ in range(rows)]
        return self._drawn[term, bar]


def product(a: Matrix, b: Matrix) -> Matrix:
    return [[sum(x * y for x, y in zip(r, s, strict=True)) % P for s in zip(*b, strict=True)] for r in a]


def eye(n: int) -> Matrix:
    return [[int(i == j) for j in range(n)] for i in range(n)]


def eliminated(a: Matrix) -> tuple[int, Matrix]:
    """The determinant and, when it is not 0, the inverse."""
    n = len(a)
    work = [[*line, *unit] for line, unit in zip(a, eye(n), strict=True)]
    det = 1
    for k in range(n):
        pivot = next((i for i in range(k, n) if work[i][k]), None)
        if pivot is None:
            return 0, []
        if pivot != k:
            work[k], work[pivot], det = work[pivot], work[k], -det
        det = det * work[k][k] % P
        inverse = pow(work[k][k], -1, P)
        work[k] = [x * inverse % P for x in work[k]]
        for i in range(n):
            if i != k and work[i][k]:
                factor = work[i][k]
                work[i] = [(x - factor * y) % P for x, y in zip(work[i], work[k], strict=True)]
    return det % P, [line[n:] for line in work]


def inverted(a: Matrix) -> Matrix:
    det, inverse = eliminated(a)
    if not det:
        raise Undefined
    return inverse


def value(term: Term, sizes: Mapping[str, int], values: Values, bar: bool = False) -> Matrix:
    """The value of a Term in one component."""
    ev: Callable[[Term], Matrix] = lambda t: value(t, sizes, values, bar)  # noqa: E731
    rows, cols = number(term.rows, sizes), number(term.cols, sizes)
    args, data = term.args, term.data
    match term.op:
        case "symbol":
            return values.of(term, rows, cols, bar)
        case "number":
            return [[data[0].numerator * pow(data[0].denominator, -1, P) % P]]
        case "size":
            return [[number(data[0], sizes) % P]]
        case "identity":
            return eye(rows)
        case "zero":
            return [[0] * cols for _ in range(rows)]
        case "ones":
            return [[1] * cols for _ in range(rows)]
        case "add":
            parts = [ev(arg) for arg in args]
            return [[sum(xs) % P for xs in zip(*lines, strict=True)] for lines in zip(*parts, strict=True)]
        case "neg":
            return [[-x % P for x in line] for line in ev(args[0])]
        case "scale" | "divide":
            by, body = (args[0], args[1]) if term.op == "scale" else (args[1], args[0])
            factor = ev(by)[0][0]
            if term.op == "divide":
                factor = inverted([[factor]])[0][0]
            return [[factor * x % P for x in line] for line in ev(body)]
        case "matmul":
            out = ev(args[0])
            for arg in args[1:]:
                out = product(out, ev(arg))
            return out
        case "power":
            exponent, base = number(data[0], sizes), ev(args[0])
            if exponent < 0:
                exponent, base = -exponent, inverted(base)
            out = eye(rows)
            for _ in range(exponent):
                out = product(out, base)
            return out
        case "inverse":
            return inverted(ev(args[0]))
        case "transpose":
            return [list(line) for line in zip(*ev(args[0]), strict=True)]
        case "conjugate":
            return value(args[0], sizes, values, not bar)
        case "adjoint":
            return [list(line) for line in zip(*value(args[0], sizes, values, not bar), strict=True)]
        case "trace":
            a = ev(args[0])
            return [[sum(a[k][k] for k in range(len(a))) % P]]
        case "determinant":
            return [[eliminated(ev(args[0]))[0]]]
        case "kronecker":
            a, b = ev(args[0]), ev(args[1])
            return [[x * y % P for x in r for y in s] for r in a for s in b]
        case "block":
            out = []
            for start in range(0, len(args), data[1]):
                parts = [ev(arg) for arg in args[start : start + data[1]]]
                out += [[x for part in parts for x in part[k]] for k in range(len(parts[0]))]
            return out
    raise NotImplementedError(term.op)


def agree(statement: Statement, sizes: Mapping[str, int], values: Values) -> bool:
    """Whether both sides have the same value in both components."""
    sides = statement.lhs, statement.rhs
    one, two = ([value(side, sizes, values, bar) for bar in (False, True)] for side in sides)
    return one == two


# --- random statements ----------------------------------------------------------------------------------------

N, M, K, ONE = Dim.of("n"), Dim.of("m"), Dim.of("k"), Dim.of(1)
SQUARE = [c.symbol(name, N, N) for name in "ABCD"]
SCALARS = [c.symbol(name, 1, 1) for name in ("c", "d")]
TALL, WIDE = c.symbol("P", N, M), c.symbol("Q", M, N)
SMALL = c.symbol("E", M, M)
COLUMNS = [c.symbol(name, N, 1) for name in "uv"]


class Maker:
    """Draws scalars with determinants, and rewrites them by laws that are written down here once more."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def square(self, depth: int) -> Term:
        """A random n×n matrix."""
        r = self.random
        if depth <= 0:
            return r.choice([*SQUARE, *SQUARE, c.identity(N)])
        draw = r.randrange(15)
        if draw < 4:
            return c.matmul(*(self.square(depth - 1) for _ in range(r.choice([2, 2, 3]))))
        if draw < 6:
            return self.square(depth - 1) + self.square(depth - 1)
        if draw == 6:
            return c.scale(self.scalar(depth - 2), self.square(depth - 1), r.choice(["left", "right"]))
        if draw == 7:
            return -self.square(depth - 1)
        if draw == 8:
            return r.choice([c.transpose, c.conjugate, c.adjoint])(self.square(depth - 1))
        if draw == 9:
            return c.power(self.square(depth - 1), r.choice([2, 3, K, N - 1, N]))
        if draw == 10:
            return self.eye() + self.outer()
        if draw == 11:
            return self.square(depth - 1) + self.outer()
        if draw == 12:
            return c.inverse(r.choice(SQUARE))
        return c.divide(self.square(depth - 1), r.choice([*SCALARS, c.number(2)]))

    def eye(self) -> Term:
        r = self.random
        return r.choice([c.identity(N), c.scale(r.choice([*SCALARS, c.number(2)]), c.identity(N))])

    def outer(self) -> Term:
        r = self.random
        body = r.choice(
            [c.matmul(TALL, WIDE), c.matmul(TALL, SMALL, WIDE), c.matmul(COLUMNS[0], COLUMNS[1].T)]
        )
        return r.choice([body, body, -body])

    def big(self, depth: int) -> Term:
        """A determinant of another size."""
        r, a = self.random, self.square(depth - 1)
        draw = r.randrange(5)
        if draw == 0:
            return c.determinant(c.block([[SMALL, WIDE], [c.zero(N, M), a]]))
        if draw == 1:
            return c.determinant(c.block([[a, c.zero(N, M)], [WIDE, SMALL]]))
        if draw == 2:
            return c.determinant(c.block([[SMALL, WIDE], [TALL, a]]))
        if draw == 3:
            return c.determinant(c.kronecker(SMALL, r.choice(SQUARE)))
        return c.determinant(c.identity(M) + c.matmul(WIDE, TALL))

    def scalar(self, depth: int) -> Term:
        """A random scalar."""
        r = self.random
        if depth <= 0:
            return r.choice([*SCALARS, c.number(r.choice([2, -1, 3])), c.determinant(r.choice(SQUARE))])
        draw = r.randrange(12)
        if draw < 5:
            return c.determinant(self.square(depth - 1))
        if draw == 5:
            return self.big(depth)
        if draw < 8:
            return c.scale(self.scalar(depth - 1), self.scalar(depth - 1))
        if draw == 8:
            return self.scalar(depth - 1) + self.scalar(depth - 1)
        if draw == 9:
            return c.power(self.scalar(depth - 2), r.choice([N, M, 2, N - 1, N + 1, K]))
        if draw == 10:
            return c.divide(c.number(1), r.choice([*SCALARS, c.determinant(r.choice(SQUARE))]))
        return c.power(c.number(r.choice([-1, 2])), r.choice([N, M, N + 1, 2 * N]))

    # --- laws ---

    def rewritten(self, term: Term) -> Term:
        """The same value, written otherwise somewhere."""
        places = [node for node in _nodes(term) if self.law(node) is not None]
        if not places:
            return term
        place = self.random.choice(places)
        new = self.law(place)
        return term if new is None else _replaced(term, place, new)

    def law(self, t: Term) -> Term | None:
        """One true equation with this left side, if there is one."""
        if t.op == "determinant":
            return self._law_of_determinant(t.args[0])
        if t.op == "scale" and t.args[0].is_scalar and t.args[1].is_scalar:
            left, right = t.args
            if left.op == right.op == "determinant" and left.args[0].shape == right.args[0].shape:
                return c.determinant(c.matmul(left.args[0], right.args[0]))
            return c.scale(right, left)
        if t.op == "add":
            return c.add(*reversed(t.args))
        if t.op == "power" and t.is_scalar:
            (e,) = t.data
            base = t.args[0]
            if base.op == "scale":
                return c.scale(c.power(base.args[0], e), c.power(base.args[1], e))
            if base.op == "determinant" and (e.constant is None or e.constant > 0):
                return c.determinant(c.power(base.args[0], e))
            return c.scale(base, c.power(base, e - 1)) if e in (N, M, K) else None
        return None

    def _law_of_determinant(self, x: Term) -> Term | None:
        n = x.rows
        match x.op:
            case "matmul" if all(arg.shape == x.shape for arg in x.args):
                args = list(x.args)
                self.random.shuffle(args)
                return c.determinant(c.matmul(*args))
            case "scale":
                return c.scale(c.power(x.args[0], n), c.determinant(x.args[1]))
            case "neg":
                return c.scale(c.power(c.number(-1), n), c.determinant(x.args[0]))
            case "power":
                return c.power(c.determinant(x.args[0]), x.data[0])
            case "adjoint":
                return c.conjugate(c.determinant(x.args[0]))
            case "conjugate":
                return c.conjugate(c.determinant(x.args[0]))
            case "block":
                first, upper, lower, last = x.args
                if "zero" in (upper.op, lower.op):
                    return c.scale(c.determinant(last), c.determinant(first))
                return c.determinant(c.block([[last, lower], [upper, first]]))
            case "kronecker":
                a, b = x.args
                return c.scale(c.power(c.determinant(b), a.rows), c.power(c.determinant(a), b.rows))
            case "add" if x.args[0].op == "identity" and x.args[1].op == "matmul":
                left, *rest = x.args[1].args
                inner = c.matmul(*rest, left)
                eye = c.identity(left.cols)
                return c.determinant(eye + inner) if left.cols != ONE else c.number(1) + inner
        return c.determinant(c.transpose(x))

    def damaged(self, term: Term) -> Term:
        """Something near it that mostly has another value."""
        r = self.random
        places = [
            node for node in _nodes(term) if node.op in ("power", "determinant", "neg", "symbol", "add")
        ]
        place = r.choice(places or [term])
        match place.op:
            case "power":
                new = c.power(place.args[0], place.data[0] + 1)
            case "determinant":
                new = r.choice([c.scale(c.number(2), place), -place, c.power(place, 2)])
            case "neg":
                new = place.args[0]
            case "add":
                new = c.add(place.args[0], c.neg(place.args[-1]))
            case _:
                new = r.choice(
                    [one for one in [*SQUARE, *SCALARS, *COLUMNS, place] if one.shape == place.shape]
                )
        return _replaced(term, place, new)

    def statement(self) -> tuple[Statement, str]:
        """A statement, and how it was made: true, damaged or pair."""
        lhs = self.scalar(3)
        how = self.random.choice(["true", "true", "damaged", "pair"])
        if how == "pair":
            return Statement(lhs, self.scalar(3)), how
        rhs = lhs
        for _ in range(self.random.choice([1, 2, 3, 5])):
            rhs = self.rewritten(rhs)
        return Statement(lhs, rhs if how == "true" else self.damaged(rhs)), how


def _nodes(term: Term) -> list[Term]:
    found = [term]
    for arg in term.args:
        found += _nodes(arg)
    return found


def _replaced(term: Term, place: Term, new: Term) -> Term:
    from symlin.term import make

    if term is place:
        return new
    return make(term.op, *(_replaced(arg, place, new) for arg in term.args), data=term.data)
