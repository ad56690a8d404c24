"""The one type in the middle: an immutable, interned tree of matrix mathematics that knows its own shape.

Offers `Term`, `make` and walking (`substitute`, `symbols`); rests on `dims` and `errors`.  A Term is never
simplified: A(BC) and (AB)C are different Terms, and what makes them equal is proved elsewhere.  The shape is
computed from the parts and cannot be passed in; a function for each constructor stands in `construct`.
"""

from __future__ import annotations

import importlib
import itertools
from collections.abc import Callable, Hashable, Iterator, Mapping
from fractions import Fraction
from typing import Any, Literal, TypeAlias, cast
from weakref import WeakValueDictionary

from symlin.dims import ONE, Dim, DimLike
from symlin.errors import ShapeError

Op: TypeAlias = Literal[
    "symbol",  # a named matrix, vector or scalar                 data: name, style, rows, columns
    "number",  # an exact number                                  data: value, digits shown after the point
    "size",  # a size or index as a scalar (tr I_n = n)           data: dim
    "opaque",  # a scalar that is no polynomial (a SymPy object)  data: the object
    "literal",  # explicit entries, row by row                    data: rows, columns (ints)
    "identity",  # I_n                                            data: n
    "zero",  # the m×n zero matrix                                data: m, n
    "ones",  # the m×n matrix of ones                             data: m, n
    "unit",  # the column e_i of I_n                              data: i, n
    "permutation",  # row i of it is row p_i of I                 data: (p_1, …, p_n)
    "add",  # A + B + …
    "neg",  # -A
    "scale",  # sA, s a scalar                                    data: "left" or "right", where s is written
    "divide",  # A/s                                              data: "frac" or "slash"
    "matmul",  # AB…
    "power",  # A^k                                               data: k
    "transpose",
    "conjugate",
    "adjoint",  # conjugate transpose
    "inverse",
    "pseudoinverse",
    "trace",
    "determinant",
    "dot",  # u·v of two columns
    "hadamard",
    "kronecker",
    "diag",  # a column -> diagonal matrix
    "diagpart",  # the diagonal of a square matrix, as a column
    "vec",  # columns stacked
    "entry",  # A_ij                                              data: i, j
    "row",  # row i, 1×n                                          data: i
    "column",  # column j, m×1                                    data: j
    "columns",  # [c_1 … c_k], columns (or blocks) side by side
    "rows",  # rows (or blocks) stacked
    "column_family",  # [c_lo … c_hi], c_j the body               data: index, lo, hi
    "row_family",  # the same stacked                             data: index, lo, hi
    "block",  # blocks in a grid, row by row                      data: rows, columns of the grid
    "sum",  # sum of the body over an index                       data: index, lo, hi
    "apply",  # f(x), f a named map                               data: name, style, rows of f(x)
    "entrywise",  # a named scalar function in each entry         data: name
    "row_softmax",
    "scalar_function",  # rank, norm … of anything                data: name
]

Data: TypeAlias = tuple[Hashable, ...]
Shape: TypeAlias = tuple[Dim, Dim]
TermLike: TypeAlias = "Term | int | Fraction | Any"

_KEY = object()
_TABLE: WeakValueDictionary[tuple[str, tuple[Any, ...], Data], Term] = WeakValueDictionary()


class Term:
    """A matrix expression with its shape; equal means identical.

    Entries are counted from 1, as texts count them.  Build Terms with the functions of `symlin.construct`
    (`symbol`, `matmul`, …) or with operators.

    Examples:
        >>> from symlin.construct import symbol
        >>> A, B = symbol("A", "m", "n"), symbol("B", "n", "k")
        >>> (A @ B).shape == (Dim.of("m"), Dim.of("k")), A @ B is A @ B
        (True, True)
        >>> A @ (B @ B.T) is (A @ B) @ B.T
        False
        >>> str((A @ B)[1, 2].args[0]), (A @ B)[1, 2].data == (Dim.of(1), Dim.of(2))
        ('AB', True)
        >>> A @ A
        Traceback (most recent call last):
        symlin.errors.ShapeError: in AA: A is m×n and A is m×n: the n columns of A do not match the m rows of A
    """

    __slots__ = ("__weakref__", "_hash", "args", "cols", "data", "op", "rows")

    op: Op
    args: tuple[Term, ...]
    data: Data
    rows: Dim
    cols: Dim
    _hash: int

    __array_ufunc__ = None  # NumPy arrays leave operators to us,
    _op_priority = 20.0  # and so do SymPy's explicit matrices.

    def __new__(cls, key: object, op: Op, args: tuple[Term, ...], data: Data) -> Term:
        if key is not _KEY or cls is not Term:
            raise TypeError("Terms are made by the constructors of symlin.term")
        where = (op, args, data)
        found = _TABLE.get(where)
        if found is not None:
            return found
        rows, cols = _SHAPES[op](args, data)
        self = object.__new__(cls)
        for name, value in (("op", op), ("args", args), ("data", data), ("rows", rows), ("cols", cols)):
            object.__setattr__(self, name, value)
        object.__setattr__(self, "_hash", hash(where))
        _TABLE[where] = self
        return self

    def __init__(self, *_: object) -> None:
        """Nothing is left to set: `__new__` does it all."""

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a Term cannot be changed")

    def __delattr__(self, name: str) -> None:
        raise AttributeError("a Term cannot be changed")

    def __reduce__(self) -> tuple[Callable[..., Term], tuple[Op, tuple[Term, ...], Data]]:
        return _unpickle, (self.op, self.args, self.data)

    def __copy__(self) -> Term:
        return self

    def __deepcopy__(self, memo: object) -> Term:
        return self

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return self is other

    @property
    def shape(self) -> Shape:
        """(rows, columns), each a `Dim`."""
        return self.rows, self.cols

    @property
    def is_scalar(self) -> bool:
        """Whether the shape is 1×1."""
        return self.rows.constant == 1 and self.cols.constant == 1

    # Operators: what a person types for the constructor of the same meaning.

    @property
    def T(self) -> Term:
        """The transpose."""
        return make("transpose", self)

    @property
    def H(self) -> Term:
        """The conjugate transpose."""
        return make("adjoint", self)

    @property
    def inv(self) -> Term:
        """The inverse (a statement that uses it assumes that it exists)."""
        return make("inverse", self)

    def __getitem__(self, index: tuple[DimLike, DimLike]) -> Term:
        i, j = index
        return make("entry", self, data=(Dim.of(i), Dim.of(j)))

    def row(self, i: DimLike) -> Term:
        """Row i, 1×n."""
        return make("row", self, data=(Dim.of(i),))

    def column(self, j: DimLike) -> Term:
        """Column j, m×1."""
        return make("column", self, data=(Dim.of(j),))

    def __add__(self, other: TermLike) -> Term:
        return make("add", self, as_term(other))

    def __radd__(self, other: TermLike) -> Term:
        return make("add", as_term(other), self)

    def __sub__(self, other: TermLike) -> Term:
        return make("add", self, -as_term(other))

    def __rsub__(self, other: TermLike) -> Term:
        return make("add", as_term(other), -self)

    def __neg__(self) -> Term:
        return make("neg", self)

    def __matmul__(self, other: TermLike) -> Term:
        return multiply(self, as_term(other))

    def __rmatmul__(self, other: TermLike) -> Term:
        return multiply(as_term(other), self)

    __mul__ = __matmul__
    __rmul__ = __rmatmul__

    def __truediv__(self, other: TermLike) -> Term:
        return make("divide", self, as_term(other), data=("frac",))

    def __rtruediv__(self, other: TermLike) -> Term:
        return make("divide", as_term(other), self, data=("frac",))

    def __pow__(self, exponent: DimLike) -> Term:
        return self.inv if exponent == -1 else make("power", self, data=(Dim.of(exponent),))

    def eq(self, other: TermLike) -> Any:
        """The statement that both sides are equal (`symlin.statement.Statement`)."""
        return _late("symlin.statement", "Statement")(self, as_term(other))

    def to_sympy(self, **options: Any) -> Any:
        """This Term as an unevaluated SymPy expression; see `symlin.sympy_bridge.to_sympy`."""
        return _late("symlin.sympy_bridge", "to_sympy")(self, **options)

    def __str__(self) -> str:
        return cast(str, _late("symlin.write.plain", "plain")(self))

    def __repr__(self) -> str:
        return f"<{self}: {size_text(self.shape)}>"

    def _repr_latex_(self) -> str:
        return f"${_late('symlin.write.latex', 'latex')(self)}$"


def _late(module: str, name: str) -> Any:
    """Writers and bridges stand above this layer: a Term asks for them by name when it must show itself."""
    return getattr(importlib.import_module(module), name)


def is_genuine(term: object) -> bool:
    """Whether `term` is the interned Term that its parts determine (so that its shape was computed, not forged)."""
    if type(term) is not Term:
        return False
    try:
        return bool(_TABLE.get((term.op, term.args, term.data)) is term)
    except AttributeError:
        return False


def size_text(shape: Shape) -> str:
    """A shape for messages: ``m×n``, with parentheses round sums."""
    rows, cols = (f"({dim})" if len(dim.terms) > 1 else str(dim) for dim in shape)
    return f"{rows}×{cols}"


def as_term(value: TermLike) -> Term:
    """The Term meant by a Term, an exact number, or a SymPy or NumPy object.

    Raises:
        TypeError: none of these, or a float (whose exact value is seldom meant).
    """
    if isinstance(value, Term):
        return value
    if isinstance(value, bool):
        raise TypeError("a truth value is not a matrix expression")
    if isinstance(value, int | Fraction):
        return make("number", data=(Fraction(value), 0))
    if isinstance(value, Dim):
        return make("size", data=(value,))
    if isinstance(value, float):
        raise TypeError(f"{value!r} is a float; write an exact number: fractions.Fraction({str(value)!r})")
    return cast(Term, _late("symlin.sympy_bridge", "from_any")(value))


# --- shapes: one small function a constructor -----------------------------------------------------------------


def _describe(term: Term) -> str:
    return f"{term} is {size_text(term.shape)}"


def _clash(whole: str, left: Term, right: Term, why: str) -> ShapeError:
    prefix = f"in {whole}: " if whole else ""
    return ShapeError(
        f"{prefix}{_describe(left)} and {_describe(right)}: {why}", _describe(left), _describe(right)
    )


def _square(what: str) -> Callable[[tuple[Term, ...], Data], Shape]:
    def shape(args: tuple[Term, ...], data: Data) -> Shape:
        (body,) = args
        if body.rows != body.cols:
            raise ShapeError(f"{what} needs a square matrix, but {_describe(body)}", _describe(body))
        return body.shape

    return shape


def _scalar_of_square(what: str) -> Callable[[tuple[Term, ...], Data], Shape]:
    check = _square(what)

    def shape(args: tuple[Term, ...], data: Data) -> Shape:
        check(args, data)
        return ONE, ONE

    return shape


def _same(args: tuple[Term, ...], data: Data) -> Shape:
    first = args[0]
    for other in args[1:]:
        if other.shape != first.shape:
            raise _clash("", first, other, "the sizes must agree")
    return first.shape


def _matmul_shape(args: tuple[Term, ...], data: Data) -> Shape:
    for left, right in itertools.pairwise(args):
        if left.cols != right.rows:
            why = f"the {left.cols} columns of {left} do not match the {right.rows} rows of {right}"
            raise _clash("".join(_factor(arg) for arg in args), left, right, why)
    return args[0].rows, args[-1].cols


def _factor(term: Term) -> str:
    return f"({term})" if term.op in ("add", "neg") else str(term)


def _need_scalar(what: str, term: Term) -> None:
    if not term.is_scalar:
        raise ShapeError(f"{what} must be a scalar, but {_describe(term)}", _describe(term))


def _scale_shape(args: tuple[Term, ...], data: Data) -> Shape:
    _need_scalar("the multiple of a matrix", args[0])
    return args[1].shape


def _divide_shape(args: tuple[Term, ...], data: Data) -> Shape:
    _need_scalar("a denominator", args[1])
    return args[0].shape


def _column_vector(what: str, term: Term) -> None:
    if term.cols.constant != 1:
        raise ShapeError(f"{what} needs a column vector, but {_describe(term)}", _describe(term))


def _dot_shape(args: tuple[Term, ...], data: Data) -> Shape:
    for arg in args:
        _column_vector("a dot product", arg)
    _same(args, data)
    return ONE, ONE


def _diag_shape(args: tuple[Term, ...], data: Data) -> Shape:
    _column_vector("a diagonal matrix", args[0])
    return args[0].rows, args[0].rows


def _in_range(what: str, index: Dim, count: Dim, of: Term) -> None:
    low = index.constant is not None and index.constant < 1
    high = index.constant is not None and count.constant is not None and index.constant > count.constant
    if low or high:
        raise ShapeError(f"there is no {what} {index} in {of}, which is {size_text(of.shape)}", _describe(of))


def _entry_shape(args: tuple[Term, ...], data: Data) -> Shape:
    i, j = cast("tuple[Dim, Dim]", data)
    _in_range("row", i, args[0].rows, args[0])
    _in_range("column", j, args[0].cols, args[0])
    return ONE, ONE


def _row_shape(args: tuple[Term, ...], data: Data) -> Shape:
    _in_range("row", cast(Dim, data[0]), args[0].rows, args[0])
    return ONE, args[0].cols


def _column_shape(args: tuple[Term, ...], data: Data) -> Shape:
    _in_range("column", cast(Dim, data[0]), args[0].cols, args[0])
    return args[0].rows, ONE


def _literal_shape(args: tuple[Term, ...], data: Data) -> Shape:
    height, width = cast("tuple[int, int]", data)
    if height < 1 or width < 1 or len(args) != height * width:
        raise ShapeError(f"{len(args)} entries do not fill a {height}×{width} matrix")
    for arg in args:
        _need_scalar("an entry", arg)
    return Dim.of(height), Dim.of(width)


def _block_shape(args: tuple[Term, ...], data: Data) -> Shape:
    height, width = cast("tuple[int, int]", data)
    if height < 1 or width < 1 or len(args) != height * width:
        raise ShapeError(f"{len(args)} blocks do not fill a {height}×{width} grid")
    grid = [args[start : start + width] for start in range(0, height * width, width)]
    for line in grid:
        for other in line[1:]:
            if other.rows != line[0].rows:
                raise _clash("", line[0], other, "blocks side by side need the same number of rows")
    for place in range(width):
        for line in grid[1:]:
            if line[place].cols != grid[0][place].cols:
                why = "blocks above each other need the same number of columns"
                raise _clash("", grid[0][place], line[place], why)
    rows, cols = grid[0][0].rows, grid[0][0].cols
    for line in grid[1:]:
        rows = rows + line[0].rows
    for other in grid[0][1:]:
        cols = cols + other.cols
    return rows, cols


def _count(data: Data) -> Dim:
    _, lo, hi = cast("tuple[str, Dim, Dim]", data)
    count = hi - lo + 1
    if count.constant is not None and count.constant < 1:
        raise ShapeError(f"a family from {lo} to {hi} is empty")
    return count


def _column_family_shape(args: tuple[Term, ...], data: Data) -> Shape:
    _column_vector("a family of columns", args[0])
    return args[0].rows, _count(data)


def _row_family_shape(args: tuple[Term, ...], data: Data) -> Shape:
    if args[0].rows.constant != 1:
        raise ShapeError(f"a family of rows needs rows, but {_describe(args[0])}", _describe(args[0]))
    return _count(data), args[0].cols


def _permutation_shape(args: tuple[Term, ...], data: Data) -> Shape:
    order = cast("tuple[int, ...]", data[0])
    if sorted(order) != list(range(1, len(order) + 1)) or not order:
        raise ShapeError(f"{order} is not a permutation of 1 … {len(order)}")
    return Dim.of(len(order)), Dim.of(len(order))


def _unit_shape(args: tuple[Term, ...], data: Data) -> Shape:
    i, n = cast("tuple[Dim, Dim]", data)
    if i.constant is not None and (i.constant < 1 or (n.constant is not None and i.constant > n.constant)):
        raise ShapeError(f"there is no unit vector e_{i} with {n} entries")
    return n, ONE


def _power_shape(args: tuple[Term, ...], data: Data) -> Shape:
    return _square("a power")(args, data)


def _dims(*places: int) -> Callable[[tuple[Term, ...], Data], Shape]:
    def shape(args: tuple[Term, ...], data: Data) -> Shape:
        rows, cols = (cast(Dim, data[place]) for place in places)
        return rows, cols

    return shape


def _scalar(args: tuple[Term, ...], data: Data) -> Shape:
    return ONE, ONE


def _flip(args: tuple[Term, ...], data: Data) -> Shape:
    return args[0].cols, args[0].rows


_SHAPES: dict[str, Callable[[tuple[Term, ...], Data], Shape]] = {
    "symbol": _dims(2, 3),
    "number": _scalar,
    "size": _scalar,
    "opaque": _scalar,
    "literal": _literal_shape,
    "identity": _dims(0, 0),
    "zero": _dims(0, 1),
    "ones": _dims(0, 1),
    "unit": _unit_shape,
    "permutation": _permutation_shape,
    "add": _same,
    "neg": _same,
    "scale": _scale_shape,
    "divide": _divide_shape,
    "matmul": _matmul_shape,
    "power": _power_shape,
    "transpose": _flip,
    "conjugate": _same,
    "adjoint": _flip,
    "inverse": _square("an inverse"),
    "pseudoinverse": _flip,
    "trace": _scalar_of_square("a trace"),
    "determinant": _scalar_of_square("a determinant"),
    "dot": _dot_shape,
    "hadamard": _same,
    "kronecker": lambda args, data: (args[0].rows * args[1].rows, args[0].cols * args[1].cols),
    "diag": _diag_shape,
    "diagpart": lambda args, data: (_square("the diagonal")(args, data)[0], ONE),
    "vec": lambda args, data: (args[0].rows * args[0].cols, ONE),
    "entry": _entry_shape,
    "row": _row_shape,
    "column": _column_shape,
    "columns": lambda args, data: _block_shape(args, (1, len(args))),
    "rows": lambda args, data: _block_shape(args, (len(args), 1)),
    "column_family": _column_family_shape,
    "row_family": _row_family_shape,
    "block": _block_shape,
    "sum": lambda args, data: args[0].shape,
    "apply": lambda args, data: (cast(Dim, data[2]), ONE),
    "entrywise": lambda args, data: args[0].shape,
    "row_softmax": _same,
    "scalar_function": _scalar,
}


def make(op: Op, *args: Term, data: Data = ()) -> Term:
    """The Term with these parts; its shape is computed and checked.

    Raises:
        ShapeError: the parts do not fit together.
        TypeError: no such constructor, or a part that is no Term.
    """
    if op not in _SHAPES:
        raise TypeError(f"{op!r} is no constructor of Terms")
    if not all(is_genuine(arg) for arg in args):
        raise TypeError("the parts of a Term must be Terms")
    return Term(_KEY, op, args, data)


def _unpickle(op: Op, args: tuple[Term, ...], data: Data) -> Term:
    return make(op, *args, data=data)


def multiply(left: Term, right: Term) -> Term:
    """The product as people mean it: a 1×1 factor that does not conform is a scalar multiple."""
    if left.is_scalar and (right.is_scalar or right.rows.constant != 1):
        return make("scale", left, right, data=("left",))
    if right.is_scalar and left.cols.constant != 1:
        return make("scale", right, left, data=("right",))
    return make("matmul", left, right)


# --- walking --------------------------------------------------------------------------------------------------

BINDERS = frozenset({"sum", "column_family", "row_family"})


def walk(term: Term) -> Iterator[Term]:
    """Every distinct subterm, each once, parts before the whole."""
    seen: set[Term] = set()
    stack = [term]
    while stack:
        node = stack.pop()
        if node in seen:
            continue
        later = [arg for arg in node.args if arg not in seen]
        if later:
            stack.append(node)
            stack.extend(reversed(later))
        else:
            seen.add(node)
            yield node


def symbols(term: Term) -> tuple[Term, ...]:
    """The symbols of a Term in order of first appearance."""
    return tuple(node for node in walk(term) if node.op == "symbol")


def dim_symbols(term: Term) -> frozenset[str]:
    """The names of all sizes and free indices that occur (bound ones left out)."""
    found: set[str] = set()
    for arg in term.args:
        found |= dim_symbols(arg)
    if term.op in BINDERS:
        found.discard(cast(str, term.data[0]))
    for part in term.data:
        if isinstance(part, Dim):
            found |= part.symbols
    return frozenset(found)


def substitute(term: Term, letters: Mapping[Term, Term], dims: Mapping[str, Dim] | None = None) -> Term:
    """Replace symbols by Terms and sizes or free indices by Dims, all at once.

    Bound indices are renamed where they would capture a free one.  A symbol in `letters` is looked up as it
    stands, before sizes are replaced.

    Raises:
        ShapeError: a replacement does not fit.
    """
    return _substitute(term, letters, dims or {}, {})


def _substitute(
    term: Term, letters: Mapping[Term, Term], dims: Mapping[str, Dim], memo: dict[Term, Term]
) -> Term:
    found = memo.get(term)
    if found is not None:
        return found
    if term in letters:
        result = letters[term]
    elif term.op in BINDERS:
        result = _substitute_bound(term, letters, dims)
    else:
        args = tuple(_substitute(arg, letters, dims, memo) for arg in term.args)
        data = term.data
        if dims:
            data = tuple(part.substitute(dims) if isinstance(part, Dim) else part for part in data)
        result = term if args == term.args and data == term.data else Term(_KEY, term.op, args, data)
    memo[term] = result
    return result


def _substitute_bound(term: Term, letters: Mapping[Term, Term], dims: Mapping[str, Dim]) -> Term:
    index, lo, hi = cast("tuple[str, Dim, Dim]", term.data)
    inner = {name: dim for name, dim in dims.items() if name != index}
    (body,) = term.args
    incoming = {name for dim in inner.values() for name in dim.symbols}
    incoming.update(name for new in letters.values() for name in dim_symbols(new))
    if index in incoming:
        taken = incoming | dim_symbols(body) | set(inner)
        fresh = next(
            f"{index}{'′' * count}" for count in range(1, 1000) if f"{index}{'′' * count}" not in taken
        )
        inner[index] = Dim.symbol(fresh)
        index = fresh
    new_body = _substitute(body, letters, inner, {})
    new_data = (index, lo.substitute(dims), hi.substitute(dims))
    return Term(_KEY, term.op, (new_body,), new_data)
