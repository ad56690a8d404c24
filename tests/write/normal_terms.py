"""Random Terms in the reader's normal form: what reading a formula can return."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import strategies as st

from symlin.construct import (
    add,
    adjoint,
    column,
    conjugate,
    determinant,
    diag,
    divide,
    dot,
    entry,
    hadamard,
    identity,
    inverse,
    kronecker,
    literal,
    matmul,
    neg,
    number,
    power,
    pseudoinverse,
    row,
    scale,
    sum_over,
    symbol,
    trace,
    transpose,
    vec,
    zero,
)
from symlin.dims import ONE, Dim
from symlin.term import Term

SIZES = [Dim.of(size) for size in ("m", "n", "k", 2, 3)]
MATRICES = ["A", "B", "C", "W_Q", r"A_{\mathrm{att}}", r"\Sigma"]
VECTORS = ["x", "y", r"\beta"]
SCALARS = ["r", "s", r"\lambda", "c_1"]
BOUND = [r"\ell", "p", "q"]


class Builder:
    """Draws Terms of a given shape; one name has one shape."""

    def __init__(self, draw: st.DrawFn) -> None:
        self.draw = draw
        self.shapes: dict[str, tuple[Dim, Dim]] = {}
        self.roles: dict[str, str] = {}
        self.depth = 0

    def pick(self, options: list):
        return self.draw(st.sampled_from(options))

    def size(self) -> Dim:
        return self.pick(SIZES)

    def matrix(self, rows: Dim, cols: Dim) -> Term:
        letters = [name for name in MATRICES if self.shapes.setdefault(name, (rows, cols)) == (rows, cols)]
        name = self.pick(letters) if letters else f"M_{{\\mathrm{{{_word(rows, cols)}}}}}"
        return symbol(name, rows, cols)

    def vector(self, rows: Dim) -> Term:
        letters = [name for name in VECTORS if self.shapes.setdefault("v" + name, (rows, ONE)) == (rows, ONE)]
        name = self.pick(letters) if letters else f"v_{{\\mathrm{{{_word(rows, ONE)}}}}}"
        return symbol(name, rows, 1, "bold")

    def term(self, rows: Dim, cols: Dim, depth: int) -> Term:
        if rows == ONE and cols == ONE:
            return self.scalar(depth)
        if cols == ONE:
            kinds = (
                ["vector"]
                if depth <= 0
                else ["vector", "matmul", "add", "neg", "scale", "literal", "column", "divide"]
            )
        elif rows == ONE:
            kinds = (
                ["transposed vector"] if depth <= 0 else ["transposed vector", "matmul", "add", "neg", "row"]
            )
        else:
            kinds = ["matrix", "identity"]
            if depth > 0:
                kinds += [
                    "matmul", "matmul", "add", "neg", "scale", "right", "transpose", "adjoint", "conjugate", "pseudoinverse",
                    "hadamard", "kronecker", "literal", "divide", "slash", "sum", "outer", "zero",
                ]  # fmt: skip
                if rows == cols:
                    kinds += ["inverse", "power", "diag"]
        kind = self.pick(kinds)
        return getattr(self, "_" + kind.replace(" ", "_"))(rows, cols, depth - 1)

    def _matrix(self, rows, cols, depth):
        return self.matrix(rows, cols)

    def _vector(self, rows, cols, depth):
        return self.vector(rows)

    def _transposed_vector(self, rows, cols, depth):
        return transpose(self.vector(cols))

    def _identity(self, rows, cols, depth):
        return identity(rows) if rows == cols else self.matrix(rows, cols)

    def _matmul(self, rows, cols, depth):
        inner = self.size()
        if rows != ONE and cols != ONE and self.draw(st.booleans()):
            second = self.size()
            return matmul(
                self.term(rows, inner, depth), self.term(inner, second, depth), self.term(second, cols, depth)
            )
        return matmul(self.term(rows, inner, depth), self.term(inner, cols, depth))

    def _outer(self, rows, cols, depth):
        return matmul(self.term(rows, ONE, depth), self.term(ONE, cols, depth))

    def _add(self, rows, cols, depth):
        count = self.draw(st.integers(2, 3))
        return add(*(self.term(rows, cols, depth) for _ in range(count)))

    def _neg(self, rows, cols, depth):
        return neg(self.term(rows, cols, depth))

    def _scale(self, rows, cols, depth):
        return scale(self.scalar(depth), self.term(rows, cols, depth))

    def _right(self, rows, cols, depth):
        return scale(self.scalar(0), self.term(rows, cols, depth), "right")

    def _divide(self, rows, cols, depth):
        return divide(self.term(rows, cols, depth), self.scalar(depth), "frac")

    def _slash(self, rows, cols, depth):
        return divide(self.term(rows, cols, depth), self.scalar(0), "slash")

    def _transpose(self, rows, cols, depth):
        return transpose(self.term(cols, rows, depth))

    def _adjoint(self, rows, cols, depth):
        return adjoint(self.term(cols, rows, depth))

    def _conjugate(self, rows, cols, depth):
        return conjugate(self.term(rows, cols, depth))

    def _pseudoinverse(self, rows, cols, depth):
        return pseudoinverse(self.term(cols, rows, depth))

    def _inverse(self, rows, cols, depth):
        return inverse(self.term(rows, cols, depth))

    def _power(self, rows, cols, depth):
        return power(self.term(rows, cols, depth), self.pick([2, 3, "j", -2]))

    def _hadamard(self, rows, cols, depth):
        return hadamard(self.term(rows, cols, depth), self.term(rows, cols, depth))

    def _kronecker(self, rows, cols, depth):
        if rows.constant is None or cols.constant is None:
            return self._hadamard(rows, cols, depth)
        return kronecker(literal([[self.scalar(0)]]), self.term(rows, cols, depth))

    def _diag(self, rows, cols, depth):
        return diag(self.term(rows, ONE, depth))

    def _zero(self, rows, cols, depth):
        return add(self.term(rows, cols, depth), zero(rows, cols))

    def _literal(self, rows, cols, depth):
        if rows.constant is None or cols.constant is None:
            return self.term(rows, cols, 0)
        return literal([[self.scalar(depth - 1) for _ in range(cols.constant)] for _ in range(rows.constant)])

    def _column(self, rows, cols, depth):
        base = self.matrix(rows, self.size())
        role = self.roles.setdefault(base.data[0], "columns")
        if role != "columns" or base.data[0] not in ("A", "B", "C"):
            return self.vector(rows)
        return column(base, self.index(base.cols))

    def _row(self, rows, cols, depth):
        base = self.matrix(self.size(), cols)
        role = self.roles.setdefault(base.data[0], "rows")
        if role != "rows" or base.data[0] not in ("A", "B", "C"):
            return transpose(self.vector(cols))
        return row(base, self.index(base.rows))

    def _sum(self, rows, cols, depth):
        self.depth += 1
        letter = BOUND[self.depth % 3]
        body = scale(entry(self.matrix(rows, cols), letter, 1), self.term(rows, cols, depth))
        self.depth -= 1
        return sum_over(letter, 1, self.size(), body)

    def index(self, size: Dim) -> Dim:
        if size.constant is not None:
            return Dim.of(self.draw(st.integers(1, size.constant)))
        return Dim.of(self.pick(["i", "j", 1, 2]))

    def scalar(self, depth: int) -> Term:
        kinds = ["symbol", "number", "entry", "decimal"]
        if depth > 0:
            kinds += [
                "add",
                "neg",
                "scale",
                "divide",
                "dot",
                "trace",
                "determinant",
                "power",
                "inner",
                "entry of",
                "sum",
            ]
        kind = self.pick(kinds)
        match kind:
            case "symbol":
                return symbol(self.pick(SCALARS), 1, 1)
            case "number":
                return number(self.draw(st.integers(1, 12)))
            case "decimal":
                return number(Fraction(self.draw(st.integers(1, 99)), 100), 2)
            case "entry":
                base = self.matrix(self.size(), self.size())
                return entry(base, self.index(base.rows), self.pick(["i", "j"]))
            case "add":
                return add(self.scalar(depth - 1), self.scalar(depth - 1))
            case "neg":
                return neg(self.scalar(depth - 1))
            case "scale":
                return scale(self.scalar(depth - 1), self.scalar(depth - 1))
            case "divide":
                return divide(self.scalar(depth - 1), self.scalar(depth - 1), self.pick(["frac", "slash"]))
            case "dot":
                size = self.size()
                return dot(self.term(size, ONE, depth - 1), self.term(size, ONE, depth - 1))
            case "trace":
                size = self.size()
                return trace(self.term(size, size, depth - 1))
            case "determinant":
                size = self.size()
                return determinant(self.term(size, size, depth - 1))
            case "power":
                return power(self.scalar(depth - 1), self.pick([2, 3]))
            case "inner":
                size = self.size()
                return matmul(transpose(self.vector(size)), self.term(size, ONE, depth - 1))
            case "entry of":
                rows, cols = self.size(), self.size()
                return entry(self.term(rows, cols, depth - 1), self.index(rows), self.pick(["i", "j"]))
            case "sum":
                self.depth += 1
                letter = BOUND[self.depth % 3]
                size = self.size()
                body = scale(entry(self.vector(size), letter, 1), self.scalar(depth - 1))
                self.depth -= 1
                return sum_over(letter, 1, size, body)
        raise AssertionError(kind)


def _word(rows: Dim, cols: Dim) -> str:
    """A label that says a shape in letters."""
    letters = dict(zip(["m", "n", "k", "1", "2", "3"], "mnkabc", strict=True))
    return letters[str(rows)] + letters[str(cols)]


@st.composite
def normal_terms(draw: st.DrawFn, depth: int = 3) -> Term:
    """A Term that a reader could return."""
    builder = Builder(draw)
    kind = draw(st.sampled_from(["matrix", "matrix", "scalar", "vector"]))
    if kind == "scalar":
        return builder.scalar(depth)
    rows = builder.size()
    return builder.term(rows, ONE if kind == "vector" else builder.size(), depth)


@st.composite
def vec_terms(draw: st.DrawFn) -> Term:
    """vec of a Term."""
    return vec(draw(normal_terms(depth=2)))
