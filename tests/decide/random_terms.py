"""Random Terms of a given shape and laws that rewrite them: material for testing engines that decide.

Offers `Maker`; rests on `construct`.  `Maker.term` draws over every constructor that has entries, `Maker.rewrite`
keeps the value of a term, `Maker.damage` mostly does not.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable

from symlin import construct as c
from symlin.dims import Dim
from symlin.term import BINDERS, Term, make

SIZES = ["m", "n", "k"]
SMALL = [1, 2]


class Maker:
    """Draws terms with one seed."""

    def __init__(self, seed: int, concrete: float = 0.15) -> None:
        self.random = random.Random(seed)
        self.concrete = concrete
        self.fresh = 0

    def size(self) -> Dim:
        if self.random.random() < self.concrete:
            return Dim.of(self.random.choice(SMALL))
        return Dim.of(self.random.choice(SIZES))

    def letter(self, rows: Dim, cols: Dim) -> Term:
        name = self.random.choice("AB") if cols.constant != 1 else self.random.choice("xy")
        return c.symbol(f"{name}_{rows}_{cols}", rows, cols)

    def index(self) -> str:
        self.fresh += 1
        return f"l_{{{self.fresh}}}"

    def term(self, rows: Dim, cols: Dim, depth: int) -> Term:
        """A random term of this shape."""
        if depth <= 0:
            return self._leaf(rows, cols)
        choices: list[Callable[[Dim, Dim, int], Term]] = [
            self._add,
            self._neg,
            self._scale,
            self._matmul,
            self._matmul,
            self._transpose,
            self._conjugate,
            self._hadamard,
            self._column_family,
            self._row_family,
            self._sum,
            self._kronecker_row,
        ]
        if rows == cols and rows.constant != 1:
            choices += [self._power, self._diag]
        if cols.constant == 1 and rows.constant != 1:
            choices += [self._diagpart, self._column]
        if rows.constant == 1 and cols.constant == 1:
            choices += [self._trace, self._dot, self._entry_sum, self._vec_dot, self._block_dot]
        if rows.constant == 1:
            choices += [self._row]
        return self.random.choice(choices)(rows, cols, depth - 1)

    def _leaf(self, rows: Dim, cols: Dim) -> Term:
        draw = self.random.random()
        if draw < 0.1:
            return c.ones(rows, cols)
        if draw < 0.2 and rows == cols:
            return c.identity(rows) if rows.constant != 1 else c.number(self.random.choice([2, -1, 3]))
        if draw < 0.25 and rows.constant == 1 and cols.constant == 1:
            return c.size(self.random.choice(SIZES))
        if draw < 0.28:
            return c.zero(rows, cols)
        if draw < 0.4 and rows.constant is not None and cols.constant is not None:
            return c.literal(
                [[self.random.randrange(-2, 3) for _ in range(cols.constant)] for _ in range(rows.constant)]
            )
        return self.letter(rows, cols)

    def _add(self, r: Dim, s: Dim, d: int) -> Term:
        return c.add(*(self.term(r, s, d) for _ in range(self.random.choice([2, 2, 3]))))

    def _neg(self, r: Dim, s: Dim, d: int) -> Term:
        return c.neg(self.term(r, s, d))

    def _scale(self, r: Dim, s: Dim, d: int) -> Term:
        return c.scale(self.term(Dim.of(1), Dim.of(1), d - 1), self.term(r, s, d))

    def _matmul(self, r: Dim, s: Dim, d: int) -> Term:
        inner = [self.size() for _ in range(self.random.choice([1, 1, 2]))]
        dims = [r, *inner, s]
        return c.matmul(*(self.term(a, b, d) for a, b in itertools.pairwise(dims)))

    def _transpose(self, r: Dim, s: Dim, d: int) -> Term:
        return self.random.choice([c.transpose, c.adjoint])(self.term(s, r, d))

    def _conjugate(self, r: Dim, s: Dim, d: int) -> Term:
        return c.conjugate(self.term(r, s, d))

    def _hadamard(self, r: Dim, s: Dim, d: int) -> Term:
        return c.hadamard(self.term(r, s, d), self.term(r, s, d))

    def _power(self, r: Dim, s: Dim, d: int) -> Term:
        return c.power(self.term(r, r, d - 1), self.random.choice([0, 1, 2]))

    def _diag(self, r: Dim, s: Dim, d: int) -> Term:
        return c.diag(self.term(r, Dim.of(1), d))

    def _diagpart(self, r: Dim, s: Dim, d: int) -> Term:
        return c.diagpart(self.term(r, r, d))

    def _column(self, r: Dim, s: Dim, d: int) -> Term:
        return c.column(self.term(r, self.size(), d), 1)

    def _row(self, r: Dim, s: Dim, d: int) -> Term:
        return c.row(self.term(self.size(), s, d), 1)

    def _column_family(self, r: Dim, s: Dim, d: int) -> Term:
        index = self.index()
        return c.column_family(
            index,
            1,
            s,
            self.random.choice(
                [
                    lambda: c.column(self.term(r, s, d), index),
                    lambda: c.matmul(self.term(r, s, d), c.unit(index, s)),
                ]
            )(),
        )

    def _row_family(self, r: Dim, s: Dim, d: int) -> Term:
        index = self.index()
        return c.row_family(index, 1, r, c.row(self.term(r, s, d), index))

    def _sum(self, r: Dim, s: Dim, d: int) -> Term:
        index, n = self.index(), self.size()
        return c.sum_over(
            index, 1, n, c.matmul(c.column(self.term(r, n, d), index), c.row(self.term(n, s, d), index))
        )

    def _entry_sum(self, r: Dim, s: Dim, d: int) -> Term:
        index, n, m = self.index(), self.size(), self.size()
        return c.sum_over(index, 1, n, c.entry(self.term(n, m, d), index, 1))

    def _trace(self, r: Dim, s: Dim, d: int) -> Term:
        n = self.size()
        return c.trace(self.term(n, n, d))

    def _dot(self, r: Dim, s: Dim, d: int) -> Term:
        n = self.size()
        return c.dot(self.term(n, Dim.of(1), d), self.term(n, Dim.of(1), d))

    def _vec_dot(self, r: Dim, s: Dim, d: int) -> Term:
        n, m = Dim.of("n"), Dim.of("m")
        return c.dot(
            c.vec(self.term(n, m, d)), c.kronecker(self.term(m, Dim.of(1), d), self.term(n, Dim.of(1), d))
        )

    def _block_dot(self, r: Dim, s: Dim, d: int) -> Term:
        n, m, one = Dim.of("n"), Dim.of("m"), Dim.of(1)
        return c.dot(
            c.rows([self.term(n, one, d), self.term(m, one, d)]),
            c.rows([self.term(n, one, d), self.term(m, one, d)]),
        )

    def _kronecker_row(self, r: Dim, s: Dim, d: int) -> Term:
        n, one = Dim.of("n"), Dim.of(1)
        left = c.kronecker(self.term(r, Dim.of("m"), d), self.term(one, n, d))
        return c.matmul(left, c.kronecker(self.term(Dim.of("m"), one, d), self.term(n, s, d)))

    # --- laws ---------------------------------------------------------------------------------------------------

    def rewrite(self, term: Term, laws: tuple[str, ...] = ("true",)) -> Term:
        """The term with one law applied at a random place."""
        places = self._places(term)
        path = self.random.choice(places)
        return self._at(term, path, lambda node: self._law(node, self.random.choice(laws)))

    def damage(self, term: Term) -> Term:
        """The term with a plausible error put in at a random place."""
        return self.rewrite(term, ("false",))

    def _places(self, term: Term) -> list[tuple[int, ...]]:
        out: list[tuple[int, ...]] = [()]
        for k, arg in enumerate(term.args):
            out += [(k, *path) for path in self._places(arg)]
        return out

    def _at(self, term: Term, path: tuple[int, ...], change: Callable[[Term], Term]) -> Term:
        if not path:
            return change(term)
        args = list(term.args)
        args[path[0]] = self._at(args[path[0]], path[1:], change)
        return make(term.op, *args, data=term.data)

    def _law(self, t: Term, kind: str) -> Term:
        if kind == "false":
            return self._false_law(t)
        options: list[Callable[[], Term]] = [
            lambda: c.transpose(c.transpose(t)),
            lambda: c.neg(c.neg(t)),
            lambda: c.conjugate(c.conjugate(t)),
            lambda: c.adjoint(c.conjugate(c.transpose(t))),
            lambda: c.matmul(c.identity(t.rows), t),
            lambda: c.matmul(t, c.identity(t.cols)),
            lambda: c.add(t, c.zero(t.rows, t.cols)),
            lambda: c.hadamard(c.ones(t.rows, t.cols), t),
            lambda: c.scale(c.number(2), c.scale(c.number(1) / c.number(2), t)),
            lambda: self._by_columns(t),
            lambda: self._by_rows(t),
            lambda: self._by_units(t),
        ]
        special = self._special(t)
        return self.random.choice(special if special and self.random.random() < 0.75 else options)()

    def _by_columns(self, t: Term) -> Term:
        index = self.index()
        return c.column_family(index, 1, t.cols, c.column(t, index))

    def _by_rows(self, t: Term) -> Term:
        index = self.index()
        return c.row_family(index, 1, t.rows, c.row(t, index))

    def _by_units(self, t: Term) -> Term:
        i = self.index()
        return c.sum_over(i, 1, t.cols, c.matmul(c.column(t, i), c.transpose(c.unit(i, t.cols))))

    def _special(self, t: Term) -> list[Callable[[], Term]]:
        a = t.args
        inner = a[0] if a else t
        out: list[Callable[[], Term]] = []
        if t.op == "matmul":
            out += [lambda: c.transpose(c.matmul(*(c.transpose(x) for x in reversed(a))))]
            out += [lambda: c.adjoint(c.matmul(*(c.adjoint(x) for x in reversed(a))))]
            if len(a) == 3:
                out += [
                    lambda: c.matmul(c.matmul(a[0], a[1]), a[2]),
                    lambda: c.matmul(a[0], c.matmul(a[1], a[2])),
                ]
            if a[0].op == "add":
                out += [lambda: c.add(*(c.matmul(x, *a[1:]) for x in a[0].args))]
            if len(a) == 2:
                i = self.index()
                out += [lambda: c.sum_over(i, 1, a[0].cols, c.matmul(c.column(a[0], i), c.row(a[1], i)))]
                out += [lambda: c.column_family(i, 1, t.cols, c.matmul(a[0], c.column(a[1], i)))]
            if t.is_scalar:
                out += [lambda: c.trace(c.matmul(*a[1:], a[0]))]
        if t.op == "add":
            out += [lambda: c.add(*reversed(a))]
        if t.op == "hadamard":
            out += [lambda: c.hadamard(a[1], a[0])]
        if t.op == "transpose" and inner.op == "matmul":
            out += [lambda: c.matmul(*(c.transpose(x) for x in reversed(inner.args)))]
        if t.op == "transpose" and inner.op in ("add", "hadamard"):
            out += [lambda: make(inner.op, *(c.transpose(x) for x in inner.args))]
        if t.op == "trace":
            i = self.index()
            out += [
                lambda: c.sum_over(i, 1, inner.rows, c.entry(inner, i, i)),
                lambda: c.trace(c.transpose(inner)),
            ]
            out += [lambda: c.matmul(c.transpose(c.ones(inner.rows, 1)), c.diagpart(inner))]
            if inner.op == "matmul":
                out += [lambda: c.trace(c.matmul(*inner.args[1:], inner.args[0]))]
        if t.op == "dot":
            out += [lambda: c.dot(a[1], a[0]), lambda: c.matmul(c.transpose(a[0]), a[1])]
            out += [lambda: c.trace(c.matmul(a[1], c.transpose(a[0])))]
        if t.op == "scale":
            out += [lambda: c.neg(c.scale(c.neg(a[0]), a[1]))]
        if t.op == "diag":
            out += [
                lambda: c.transpose(t),
                lambda: c.hadamard(c.identity(t.rows), c.matmul(a[0], c.transpose(c.ones(t.rows, 1)))),
            ]
        if t.op == "kronecker":
            out += [lambda: c.transpose(c.kronecker(c.transpose(a[0]), c.transpose(a[1])))]
        if t.op == "power" and t.data[0].constant:
            out += [lambda: c.matmul(inner, c.power(inner, t.data[0] - 1))]
        return out

    def _false_law(self, t: Term) -> Term:
        a = t.args
        out: list[Callable[[], Term]] = []
        if t.op == "matmul" and len(a) == 2:
            if a[0].cols == a[0].rows == a[1].cols:
                out += [lambda: c.matmul(a[1], a[0])]
            if t.rows == t.cols:
                out += [lambda: c.transpose(t)]
            out += [lambda: c.matmul(a[0], c.neg(a[1]))]
        if t.op == "hadamard" and a[0].rows == a[0].cols:
            out += [lambda: c.matmul(*a), lambda: c.hadamard(c.transpose(a[0]), a[1])]
        if t.op == "trace":
            out += [lambda: c.trace(c.conjugate(a[0]))]
        if t.op in ("transpose", "adjoint") and t.rows == t.cols:
            out += [lambda: a[0]]
        if t.op == "identity" and t.rows.constant != 1:
            out += [lambda: c.ones(t.rows, t.cols)]
        if t.op == "conjugate":
            out += [lambda: a[0]]
        if t.op == "symbol":
            out += [lambda: c.symbol(f"Z_{t.rows}_{t.cols}", t.rows, t.cols), lambda: c.conjugate(t)]
            if t.rows == t.cols:
                out += [lambda: c.transpose(t)]
        if t.op == "size":
            out += [lambda: c.add(t, c.number(1))]
        if t.op in ("entry", "column", "row") and t.args[0].rows == t.args[0].cols:
            out += [lambda: make(t.op, c.transpose(a[0]), data=t.data)]
        if t.op == "add":
            out += [lambda: c.add(*a[:-1], c.neg(a[-1]))]
        return self.random.choice(out)() if out else t


def binders(term: Term) -> bool:
    """Whether the term binds an index at its top."""
    return term.op in BINDERS
