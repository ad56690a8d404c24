"""The value of a Term at concrete sizes, over any exact arithmetic.

Offers `Evaluator` and the `Arithmetic` it works in (numbers, polynomials, algebraic numbers); rests on `term`
and `matrices`.  Every constructor has one function in one table; what has no exact value raises.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, Protocol, cast

from symlin.decide import matrices
from symlin.decide.matrices import Matrix
from symlin.dims import Dim
from symlin.errors import BudgetError, SymlinError, UnsupportedError
from symlin.term import BINDERS, Term

ENTRY_LIMIT = 40_000
"""How many entries one matrix may have."""


class UndefinedError(SymlinError):
    """A Term has no value here: a zero denominator, a singular matrix, an index out of range."""


class IrrationalError(UnsupportedError):
    """A value that is not rational: algebraic numbers are needed."""


class Arithmetic(Protocol):
    """Exact scalars, for the Evaluator: + - * come from the elements themselves."""

    field: bool
    """Whether division is cheap, so that elimination beats expansion by minors."""

    def number(self, value: Fraction, digits: int = 0) -> Any:
        """A rational number, written with that many digits after the point."""

    def symbol(self, term: Term, rows: int, cols: int) -> Matrix:
        """The value of a symbol."""

    def opaque(self, value: object) -> Any:
        """The value of a scalar that Terms do not look into."""

    def divide(self, left: Any, right: Any) -> Any:
        """left / right, or UndefinedError."""

    def conjugate(self, value: Any) -> Any:
        """The complex conjugate."""

    def function(self, name: str, values: list[Any]) -> Any:
        """A named scalar function of scalars."""

    def dot(self, left: list[Any], right: list[Any]) -> Any:
        """The sum of the products."""


class Evaluator:
    """Evaluates Terms; values of subterms are kept.

    Args:
        arithmetic: the scalars.
        sizes: the value of every size symbol and free index.
        deadline: a `time.monotonic` after which BudgetError is raised.
    """

    def __init__(
        self, arithmetic: Arithmetic, sizes: Mapping[str, int], deadline: float | None = None
    ) -> None:
        self.arithmetic = arithmetic
        self.sizes = sizes
        self.deadline = deadline
        self._memo: dict[Term, Matrix] = {}
        self._outer: Evaluator | None = None
        self._bound = ""
        self._mentions: dict[tuple[Term, str], bool] = {}

    def dim(self, dim: Dim) -> int:
        """The value of a size or index."""
        if dim.constant is not None:
            return dim.constant
        total = 0
        for mono, coeff in dim.terms:
            for name, exponent in mono:
                if name not in self.sizes:
                    raise UnsupportedError(f"the size {name}", f"the size {name} has no value here")
                coeff *= self.sizes[name] ** exponent
            total += coeff
        return total

    def size(self, dim: Dim) -> int:
        """The value of a size, which must be positive."""
        value = self.dim(dim)
        if value < 1:
            raise UndefinedError(f"the size {dim} would be {value}")
        return value

    def value(self, term: Term) -> Matrix:
        """The matrix that `term` is; callers must not change it."""
        memo = self._memo
        stack: list[tuple[Term, bool]] = [(term, False)]
        while stack:
            node, ready = stack.pop()
            if node in memo:
                continue
            outer = self._outer
            if outer is not None and not self.mentions(node, self._bound):
                memo[node] = outer.value(node)
                continue
            if not ready and node.args and node.op not in BINDERS:
                stack.append((node, True))
                stack.extend((arg, False) for arg in reversed(node.args))
                continue
            self.check_time()
            memo[node] = _OPS[node.op](self, node, [memo[arg] for arg in node.args if arg in memo])
        return memo[term]

    def scalar(self, term: Term) -> Any:
        """The value of a 1×1 Term."""
        return self.value(term)[0][0]

    def check_time(self) -> None:
        """Stop when the time is up."""
        if self.deadline is not None and time.monotonic() > self.deadline:
            raise BudgetError("time", "the time allowed was spent in an exact computation")

    def bodies(self, term: Term) -> list[Matrix]:
        """The values of the body of a sum or family at each value of its index."""
        index, lo, hi = cast("tuple[str, Dim, Dim]", term.data)
        first, last = self.dim(lo), self.dim(hi)
        if last - first > ENTRY_LIMIT:
            raise BudgetError("sum length", f"a sum of more than {ENTRY_LIMIT} terms")
        found = []
        for at in range(first, last + 1):
            inner = Evaluator(self.arithmetic, {**self.sizes, index: at}, self.deadline)
            inner._outer = self
            inner._bound = index
            inner._mentions = self._mentions
            found.append(inner.value(term.args[0]))
        return found

    def mentions(self, term: Term, name: str) -> bool:
        """Whether a size or index called `name` occurs free in `term`."""
        key = (term, name)
        found = self._mentions.get(key)
        if found is None:
            bound = term.op in BINDERS and term.data[0] == name
            found = any(isinstance(part, Dim) and name in part.symbols for part in term.data) or (
                not bound and any(self.mentions(arg, name) for arg in term.args)
            )
            self._mentions[key] = found
        return found


Rule = Callable[[Evaluator, Term, list[Matrix]], Matrix]


def _area(ev: Evaluator, rows: Dim, cols: Dim) -> tuple[int, int]:
    height, width = ev.size(rows), ev.size(cols)
    if height * width > ENTRY_LIMIT:
        raise BudgetError("matrix size", f"a matrix with more than {ENTRY_LIMIT} entries")
    return height, width


def _symbol(ev: Evaluator, term: Term, parts: list[Matrix]) -> Matrix:
    height, width = _area(ev, term.rows, term.cols)
    return ev.arithmetic.symbol(term, height, width)


def _number(ev: Evaluator, term: Term, parts: list[Matrix]) -> Matrix:
    return [[ev.arithmetic.number(*cast("tuple[Fraction, int]", term.data))]]


def _size(ev: Evaluator, term: Term, parts: list[Matrix]) -> Matrix:
    return [[ev.arithmetic.number(Fraction(ev.dim(cast(Dim, term.data[0]))))]]


def _opaque(ev: Evaluator, term: Term, parts: list[Matrix]) -> Matrix:
    return [[ev.arithmetic.opaque(term.data[0])]]


def _literal(ev: Evaluator, term: Term, parts: list[Matrix]) -> Matrix:
    width = cast(int, term.data[1])
    entries = [ev.scalar(arg) for arg in term.args]
    return [entries[start : start + width] for start in range(0, len(entries), width)]


def _constant(ev: Evaluator, rows: Dim, cols: Dim, at: Callable[[int, int], bool]) -> Matrix:
    """The matrix with 1 where `at(i, j)` (counted from 0) and 0 elsewhere."""
    height, width = _area(ev, rows, cols)
    zero, one = ev.arithmetic.number(Fraction(0)), ev.arithmetic.number(Fraction(1))
    return [[one if at(i, j) else zero for j in range(width)] for i in range(height)]


def _unit(ev: Evaluator, term: Term, parts: list[Matrix]) -> Matrix:
    place = _index(ev, cast(Dim, term.data[0]), ev.size(term.rows), "unit vector")
    return _constant(ev, term.rows, term.cols, lambda i, j: i == place)


def _permutation(ev: Evaluator, term: Term, parts: list[Matrix]) -> Matrix:
    order = cast("tuple[int, ...]", term.data[0])
    return _constant(ev, term.rows, term.cols, lambda i, j: order[i] == j + 1)


def _index(ev: Evaluator, dim: Dim, count: int, what: str) -> int:
    """An index as an offset from 0."""
    value = ev.dim(dim)
    if not 1 <= value <= count:
        raise UndefinedError(f"there is no {what} {value} among {count}")
    return value - 1


def _add(ev: Evaluator, term: Term, parts: list[Matrix]) -> Matrix:
    total = ev.value(term.args[0])
    for arg in term.args[1:]:
        total = matrices.add(total, ev.value(arg))
    return total


def _scale(ev: Evaluator, term: Term, parts: list[Matrix]) -> Matrix:
    return matrices.scale(ev.scalar(term.args[0]), ev.value(term.args[1]))


def _divide(ev: Evaluator, term: Term, parts: list[Matrix]) -> Matrix:
    by = ev.scalar(term.args[1])
    return [[ev.arithmetic.divide(value, by) for value in line] for line in ev.value(term.args[0])]


def _matmul(ev: Evaluator, term: Term, parts: list[Matrix]) -> Matrix:
    total = ev.value(term.args[0])
    for arg in term.args[1:]:
        total = _times(ev, total, ev.value(arg))
    return total


def _times(ev: Evaluator, left: Matrix, right: Matrix) -> Matrix:
    ev.check_time()
    return matrices.multiply(left, right, ev.arithmetic.dot)


def _power(ev: Evaluator, term: Term, parts: list[Matrix]) -> Matrix:
    exponent = ev.dim(cast(Dim, term.data[0]))
    base = ev.value(term.args[0])
    if abs(exponent) > 10_000:
        raise BudgetError("exponent", f"a power with exponent {exponent}")
    if exponent < 0:
        base = _inverted(ev, base, term.args[0])
    result = _constant(ev, term.rows, term.cols, lambda i, j: i == j)
    remaining = abs(exponent)
    while remaining:
        if remaining & 1:
            result = _times(ev, result, base)
        remaining >>= 1
        if remaining:
            base = _times(ev, base, base)
    return result


def _conjugated(ev: Evaluator, matrix: Matrix) -> Matrix:
    return [[ev.arithmetic.conjugate(value) for value in line] for line in matrix]


def _inverted(ev: Evaluator, matrix: Matrix, term: Term) -> Matrix:
    if ev.arithmetic.field:
        found = matrices.eliminate_inverse(matrix, ev.arithmetic)
        if found is None:
            raise SingularError(f"a matrix that is inverted has determinant 0 ({term.op})", term)
        return found
    det = matrices.determinant(matrix, ev.arithmetic, ev.check_time)
    if not det:
        raise SingularError(f"a matrix that is inverted has determinant 0 ({term.op})", term)
    adjugate = matrices.adjugate(matrix, ev.arithmetic, ev.check_time)
    return [[ev.arithmetic.divide(value, det) for value in line] for line in adjugate]


class SingularError(UndefinedError):
    """A matrix whose inverse is written has determinant 0; `term` is that matrix."""

    def __init__(self, message: str, term: Term) -> None:
        self.term = term
        super().__init__(message)


def _pseudoinverse(ev: Evaluator, term: Term, parts: list[Matrix]) -> Matrix:
    """A⁺ = F*(FF*)⁻¹(C*C)⁻¹C* for a full-rank factorization A = CF (Ben-Israel, Greville, Generalized Inverses)."""
    if not ev.arithmetic.field:
        raise UnsupportedError("a pseudoinverse", "a pseudoinverse of a matrix with unknown entries")
    body = ev.value(term.args[0])
    reduced, pivots = matrices.row_reduce(body, ev.arithmetic)
    if not pivots:
        return matrices.transpose(body)
    left = [[line[place] for place in pivots] for line in body]
    right = reduced[: len(pivots)]
    left_h = _conjugated(ev, matrices.transpose(left))
    right_h = _conjugated(ev, matrices.transpose(right))
    middle_right = _inverted(ev, _times(ev, right, right_h), term)
    middle_left = _inverted(ev, _times(ev, left_h, left), term)
    return _times(ev, _times(ev, right_h, middle_right), _times(ev, middle_left, left_h))


def _trace(ev: Evaluator, term: Term, parts: list[Matrix]) -> Matrix:
    body = ev.value(term.args[0])
    total = body[0][0]
    for place in range(1, len(body)):
        total = total + body[place][place]
    return [[total]]


def _determinant(ev: Evaluator, term: Term, parts: list[Matrix]) -> Matrix:
    return [[matrices.determinant(ev.value(term.args[0]), ev.arithmetic, ev.check_time)]]


def _dot(ev: Evaluator, term: Term, parts: list[Matrix]) -> Matrix:
    left, right = (ev.value(arg) for arg in term.args)
    return [[ev.arithmetic.dot([line[0] for line in left], [line[0] for line in right])]]


def _hadamard(ev: Evaluator, term: Term, parts: list[Matrix]) -> Matrix:
    left, right = (ev.value(arg) for arg in term.args)
    return [[a * b for a, b in zip(one, two, strict=True)] for one, two in zip(left, right, strict=True)]


def _kronecker(ev: Evaluator, term: Term, parts: list[Matrix]) -> Matrix:
    _area(ev, term.rows, term.cols)
    left, right = (ev.value(arg) for arg in term.args)
    return [[a * b for a in one for b in two] for one in left for two in right]


def _diag(ev: Evaluator, term: Term, parts: list[Matrix]) -> Matrix:
    _area(ev, term.rows, term.cols)
    column = ev.value(term.args[0])
    zero = ev.arithmetic.number(Fraction(0))
    return [[line[0] if i == j else zero for j in range(len(column))] for i, line in enumerate(column)]


def _entry(ev: Evaluator, term: Term, parts: list[Matrix]) -> Matrix:
    body = ev.value(term.args[0])
    i, j = cast("tuple[Dim, Dim]", term.data)
    return [[body[_index(ev, i, len(body), "row")][_index(ev, j, len(body[0]), "column")]]]


def _row(ev: Evaluator, term: Term, parts: list[Matrix]) -> Matrix:
    body = ev.value(term.args[0])
    return [body[_index(ev, cast(Dim, term.data[0]), len(body), "row")]]


def _column(ev: Evaluator, term: Term, parts: list[Matrix]) -> Matrix:
    body = ev.value(term.args[0])
    place = _index(ev, cast(Dim, term.data[0]), len(body[0]), "column")
    return [[line[place]] for line in body]


def _grid(ev: Evaluator, blocks: list[Matrix], width: int) -> Matrix:
    out: Matrix = []
    for start in range(0, len(blocks), width):
        line = blocks[start : start + width]
        if len({len(one) for one in line}) > 1:
            raise UndefinedError("blocks side by side differ in their number of rows")
        out.extend([value for part in parts for value in part] for parts in zip(*line, strict=True))
    if len({len(one) for one in out}) > 1:
        raise UndefinedError("blocks above each other differ in their number of columns")
    return out


def _block(ev: Evaluator, term: Term, parts: list[Matrix]) -> Matrix:
    _area(ev, term.rows, term.cols)
    width = {"columns": len(term.args), "rows": 1}.get(term.op) or cast(int, term.data[1])
    return _grid(ev, [ev.value(arg) for arg in term.args], width)


def _family(ev: Evaluator, term: Term, parts: list[Matrix]) -> Matrix:
    _area(ev, term.rows, term.cols)
    blocks = ev.bodies(term)
    return _grid(ev, blocks, len(blocks) if term.op == "column_family" else 1)


def _sum(ev: Evaluator, term: Term, parts: list[Matrix]) -> Matrix:
    total = _constant(ev, term.rows, term.cols, lambda i, j: False)
    for body in ev.bodies(term):
        total = matrices.add(total, body)
    return total


def _entrywise(ev: Evaluator, term: Term, parts: list[Matrix]) -> Matrix:
    name = cast(str, term.data[0])
    return [[ev.arithmetic.function(name, [value]) for value in line] for line in ev.value(term.args[0])]


def _row_softmax(ev: Evaluator, term: Term, parts: list[Matrix]) -> Matrix:
    out = []
    for line in ev.value(term.args[0]):
        try:
            powers = [ev.arithmetic.function("exp", [value]) for value in line]
        except IrrationalError:
            raise
        except UnsupportedError as error:
            raise UnsupportedError("softmax", "softmax of unknown entries") from error
        total = powers[0]
        for value in powers[1:]:
            total = total + value
        out.append([ev.arithmetic.divide(value, total) for value in powers])
    return out


def _scalar_function(ev: Evaluator, term: Term, parts: list[Matrix]) -> Matrix:
    name = cast(str, term.data[0])
    values = [ev.value(arg) for arg in term.args]
    if name == "rank" and ev.arithmetic.field:
        return [[ev.arithmetic.number(Fraction(len(matrices.row_reduce(values[0], ev.arithmetic)[1])))]]
    if name == "norm" and len(values[0][0]) == 1:
        column = [line[0] for line in values[0]]
        square = ev.arithmetic.dot([ev.arithmetic.conjugate(value) for value in column], column)
        return [[ev.arithmetic.function("sqrt", [square])]]
    if any(len(value) != 1 or len(value[0]) != 1 for value in values):
        raise UnsupportedError(name)
    return [[ev.arithmetic.function(name, [value[0][0] for value in values])]]


def _apply(ev: Evaluator, term: Term, parts: list[Matrix]) -> Matrix:
    raise UnsupportedError(f"the map {term.data[0]}", f"the map {term.data[0]} has no formula here")


_OPS: dict[str, Rule] = {
    "symbol": _symbol,
    "number": _number,
    "size": _size,
    "opaque": _opaque,
    "literal": _literal,
    "identity": lambda ev, term, parts: _constant(ev, term.rows, term.cols, lambda i, j: i == j),
    "zero": lambda ev, term, parts: _constant(ev, term.rows, term.cols, lambda i, j: False),
    "ones": lambda ev, term, parts: _constant(ev, term.rows, term.cols, lambda i, j: True),
    "unit": _unit,
    "permutation": _permutation,
    "add": _add,
    "neg": lambda ev, term, parts: [[-value for value in line] for line in parts[0]],
    "scale": _scale,
    "divide": _divide,
    "matmul": _matmul,
    "power": _power,
    "transpose": lambda ev, term, parts: matrices.transpose(parts[0]),
    "conjugate": lambda ev, term, parts: _conjugated(ev, parts[0]),
    "adjoint": lambda ev, term, parts: _conjugated(ev, matrices.transpose(parts[0])),
    "inverse": lambda ev, term, parts: _inverted(ev, parts[0], term.args[0]),
    "pseudoinverse": _pseudoinverse,
    "trace": _trace,
    "determinant": _determinant,
    "dot": _dot,
    "hadamard": _hadamard,
    "kronecker": _kronecker,
    "diag": _diag,
    "diagpart": lambda ev, term, parts: [[line[place]] for place, line in enumerate(parts[0])],
    "vec": lambda ev, term, parts: [[value] for column in zip(*parts[0], strict=True) for value in column],
    "entry": _entry,
    "row": _row,
    "column": _column,
    "columns": _block,
    "rows": _block,
    "column_family": _family,
    "row_family": _family,
    "block": _block,
    "sum": _sum,
    "apply": _apply,
    "entrywise": _entrywise,
    "row_softmax": _row_softmax,
    "scalar_function": _scalar_function,
}
