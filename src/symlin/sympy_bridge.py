"""The border with SymPy: Terms to and from its expressions, matrices and equations, and from NumPy arrays.

Offers `to_sympy`, `statement_to_sympy`, `from_any` and `statement_from`; rests on `construct` and `statement`, and
imports SymPy only when one of them is called.  What goes out is never evaluated unless ``explicit=True`` asks for
entries, and what one side cannot say raises, so that nothing changes its meaning on the way.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from fractions import Fraction
from functools import cache
from typing import Any, TypeAlias, cast

from symlin import construct as c
from symlin.dims import Dim
from symlin.errors import BudgetError, ShapeError, SymlinError, UnsupportedError
from symlin.statement import Statement
from symlin.term import BINDERS, Term, as_term, dim_symbols, size_text, symbols, walk

__all__ = ["from_any", "statement_from", "statement_to_sympy", "to_sympy"]

Expr: TypeAlias = Any
"""A SymPy object; SymPy has no types that a checker could use."""

ACCEPTED = "a Term, an int, a Fraction, a SymPy expression or matrix, a NumPy array of exact numbers or a list of rows"
_GREEK_NAMES = (
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma tau upsilon phi "
    "chi psi omega varepsilon varphi vartheta varrho varsigma ell hbar "
    "Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega"
)
_GREEK = frozenset(_GREEK_NAMES.split())
_FUNCTIONS = {
    "sin": "sin",
    "cos": "cos",
    "tan": "tan",
    "tanh": "tanh",
    "arcsin": "asin",
    "arccos": "acos",
    "arctan": "atan",
    "exp": "exp",
    "log": "log",
    "ln": "log",
    "sqrt": "sqrt",
}
"""Scalar functions: our name, SymPy's name."""
_RELATIONS = {"=": "Eq", r"\ne": "Ne", "<": "Lt", ">": "Gt", r"\le": "Le", r"\ge": "Ge"}


@cache
def _sympy() -> Any:
    import sympy
    import sympy.matrices.expressions as expressions
    from sympy.matrices.expressions.applyfunc import ElementwiseApplyFunction
    from sympy.matrices.expressions.matexpr import MatrixElement

    class Names:
        """SymPy's public names, and the few that it keeps in submodules."""

        def __getattr__(self, name: str) -> Any:
            return getattr(sympy, name) if hasattr(sympy, name) else getattr(expressions, name)

    names: Any = Names()
    names.MatrixElement = MatrixElement
    names.ElementwiseApplyFunction = ElementwiseApplyFunction
    return names


# --- names ------------------------------------------------------------------------------------------------------


def _name_out(name: str) -> str:
    r"""``\alpha_1`` is called alpha_1 in SymPy; a name with braces goes as it is, and SymPy prints it as it is."""
    match = re.fullmatch(r"\\([A-Za-z]+)([^{}\\]*)", name)
    return match.group(1) + match.group(2) if match and match.group(1) in _GREEK else name


def _name_in(name: str) -> str:
    match = re.fullmatch(r"([A-Za-z]+)((?:_[^{}\\]*)?'*)", name)
    return f"\\{name}" if match and match.group(1) in _GREEK else name


def _primed(name: str, taken: Any) -> str:
    while name in taken:
        name += "'"
    return name


@contextmanager
def _depth_bounded() -> Iterator[None]:
    try:
        yield
    except RecursionError as error:
        raise BudgetError("depth", "the expression is nested too deeply for SymPy") from error


# --- Terms to SymPy -----------------------------------------------------------------------------------------------


def to_sympy(term: Term, *, explicit: bool = False, sizes: Mapping[Any, int] | None = None) -> Any:
    """A Term as SymPy writes it.

    Args:
        term: m×n.
        explicit: compute an explicit matrix of entry symbols (a scalar for a 1×1 Term) instead of an unevaluated
            expression of matrix symbols; every size must be a number then.
        sizes: numbers for symbolic sizes and free indices, by name or by SymPy symbol.

    Raises:
        ShapeError: `explicit` with a size that is still symbolic.
        UnsupportedError: SymPy has no such construct; it is named.
        SymlinError: two different symbols would become the same SymPy symbol; a division by zero.

    Notes:
        Products, sums and powers are nested as the Term is nested: A(BC) stays A(BC).  Indices count from 1 here
        and from 0 in SymPy, so a_{ij} is ``A[i - 1, j - 1]``.  Sizes and free indices are positive integer symbols.

    Examples:
        >>> from symlin.construct import symbol
        >>> A, B, C = symbol("A", "m", "n"), symbol("B", "n", "k"), symbol("C", "k", "p")
        >>> to_sympy(A @ (B @ C)), to_sympy((A @ B) @ C)
        (A*(B*C), (A*B)*C)
        >>> to_sympy(A @ B, explicit=True, sizes={"m": 1, "n": 2, "k": 1})
        Matrix([[a_{11}*b_{11} + a_{12}*b_{21}]])
    """
    return _shown(term, (term,), explicit, sizes)


def statement_to_sympy(
    statement: Statement, *, explicit: bool = False, sizes: Mapping[Any, int] | None = None
) -> Any:
    """A Statement as an unevaluated SymPy relation (an ``Implies`` when there are hypotheses).

    Examples:
        >>> from symlin.construct import symbol
        >>> A, B = symbol("A", "m", "n"), symbol("B", "n", "m")
        >>> statement_to_sympy((A @ B).T.eq(B.T @ A.T))
        Eq((A*B).T, B.T*A.T)
    """
    sp = _sympy()
    parts = (statement, *statement.hypotheses)
    together = tuple(side for one in parts for side in (one.lhs, one.rhs))
    relations = []
    for one in parts:
        if one.relation not in _RELATIONS:
            raise UnsupportedError(
                f"the relation {one.relation}", f"SymPy has no relation for {one.relation} in {one}"
            )
        lhs, rhs = (_shown(side, together, explicit, sizes) for side in (one.lhs, one.rhs))
        if one.lhs.is_scalar:
            lhs, rhs = _scalar(lhs), _scalar(rhs)
        try:
            relations.append(getattr(sp, _RELATIONS[one.relation])(lhs, rhs, evaluate=False))
        except TypeError as error:
            raise UnsupportedError(
                f"the relation {one.relation} between matrices", f"{one}: SymPy compares numbers only"
            ) from error
    conclusion, *hypotheses = relations
    if not hypotheses:
        return conclusion
    premise = hypotheses[0] if len(hypotheses) == 1 else sp.And(*hypotheses, evaluate=False)
    return sp.Implies(premise, conclusion, evaluate=False)


def _shown(term: Term, together: tuple[Term, ...], explicit: bool, sizes: Mapping[Any, int] | None) -> Any:
    with _depth_bounded():
        return _shown_within(term, together, explicit, sizes)


def _shown_within(
    term: Term, together: tuple[Term, ...], explicit: bool, sizes: Mapping[Any, int] | None
) -> Any:
    numbers = dict(_checked_size(*pair) for pair in (sizes or {}).items())
    letters = [letter for one in together for letter in symbols(one)]
    if explicit:
        _need_numbers(term, numbers)
        return _Entries(numbers, _entry_names(letters, numbers)).result(term)
    _distinct((_symbol_key(letter), letter) for letter in letters)
    env = {name: _sympy().Integer(value) for name, value in numbers.items()}
    return _Writer(env, frozenset(numbers).union(*map(dim_symbols, together))).value(term)


def _checked_size(key: Any, value: Any) -> tuple[str, int]:
    """A size's name (given as a text, a Dim or a SymPy symbol) and its number."""
    name = (
        key
        if isinstance(key, str)
        else key.lone_symbol
        if isinstance(key, Dim)
        else getattr(key, "name", None)
    )
    if name is None:
        raise TypeError(f"{key!r} is no name of a size")
    if isinstance(value, bool) or not hasattr(value, "__index__") or operator.index(value) < 1:
        raise ShapeError(f"the size {name} cannot be {value!r}: sizes are positive integers")
    return name if isinstance(key, str | Dim) else _name_in(name), operator.index(value)


def _need_numbers(term: Term, numbers: Mapping[str, int]) -> None:
    missing = sorted(dim_symbols(term) - set(numbers))
    if missing:
        example = ", ".join(f"{name!r}: {2 + place}" for place, name in enumerate(missing))
        raise ShapeError(
            f"{term} is {size_text(term.shape)}: an explicit matrix needs a number for {', '.join(missing)}; "
            f"give them as sizes={{{example}}}"
        )


def _distinct(pairs: Any) -> None:
    """Two Terms must not become the same SymPy symbol: SymPy could not tell them apart."""
    owner: dict[Any, Term] = {}
    for key, letter in pairs:
        if owner.setdefault(key, letter) is not letter:
            raise SymlinError(
                f"two different symbols {letter} (set differently, or of other sizes) would be the same symbol "
                f"in SymPy; rename one of them"
            )


def _symbol_key(letter: Term) -> tuple[str, bool, Any]:
    return _name_out(cast(str, letter.data[0])), letter.is_scalar, letter.shape


def _scalar(expr: Expr) -> Expr:
    """A scalar of SymPy from a scalar or a 1×1 matrix."""
    return _sympy().MatrixElement(expr, 0, 0) if _is_matrix(expr) else expr


def _is_matrix(expr: Expr) -> bool:
    sp = _sympy()
    body = expr.function if isinstance(expr, sp.Sum) else expr
    return bool(getattr(body, "is_Matrix", False))


def _dim(dim: Dim, env: Mapping[str, Expr]) -> Expr:
    """A size or index as a polynomial in positive integer symbols."""
    sp = _sympy()
    total = sp.Integer(0)
    for mono, coefficient in dim.terms:
        product = sp.Integer(coefficient)
        for name, exponent in mono:
            letter = env.get(name)
            if letter is None:
                letter = sp.Symbol(_name_out(name), integer=True, positive=True)
            product *= letter**exponent
        total += product
    return total


def _fold(term: Term, memo: dict[Term, Any], rule: Callable[[Term, list[Any]], Any]) -> Any:
    """`rule` on every subterm, parts first; a binder gets no parts and evaluates its body itself."""
    stack = [term]
    while stack:
        node = stack[-1]
        if node in memo:
            stack.pop()
            continue
        args = () if node.op in BINDERS else node.args
        waiting = [arg for arg in args if arg not in memo]
        if waiting:
            stack.extend(waiting)
        else:
            memo[node] = rule(node, [memo[arg] for arg in args])
            stack.pop()
    return memo[term]


class _Writer:
    """Writes Terms as unevaluated expressions.

    Args:
        env: what indices (and sizes given as numbers) stand for.
        taken: names that a new bound index must avoid.
    """

    def __init__(self, env: Mapping[str, Expr], taken: frozenset[str]) -> None:
        self.sp = _sympy()
        self.env = env
        self.taken = taken
        self._memo: dict[Term, Expr] = {}

    def value(self, term: Term) -> Expr:
        """`term` as an expression."""
        return _fold(term, self._memo, self._rule)

    def _rule(self, term: Term, parts: list[Expr]) -> Expr:
        writer = _WRITERS.get(term.op)
        if writer is None:
            what = str(term.data[0]) if term.op in ("scalar_function", "apply") else term.op
            raise UnsupportedError(what, f"{term}: SymPy has no {what} of a matrix with symbolic entries")
        try:
            return writer(self, term, parts)
        except (IndexError, ValueError, TypeError) as error:
            raise UnsupportedError(term.op, f"{term}: SymPy refuses it ({str(error).strip()})") from error

    def dim(self, dim: object) -> Expr:
        """A size or index."""
        return _dim(cast(Dim, dim), self.env)

    def fresh(self, name: str, *within: Expr) -> Expr:
        """A new index symbol that nothing around, and nothing in the expressions given, uses."""
        inner = {_name_in(letter.name) for expr in within for letter in expr.atoms(self.sp.Symbol)}
        return self.sp.Symbol(_name_out(_primed(name, self.taken | inner)), integer=True)

    def inside(self, index: str, value: Expr, *used: Expr) -> _Writer:
        """A writer for the body of a binder, in which `index` is `value`."""
        names = {_name_in(letter.name) for letter in used}
        return _Writer({**self.env, index: value}, self.taken | names | {index})

    def matrix(self, expr: Expr, rows: Dim, cols: Dim) -> Expr:
        """A MatrixExpr from any expression: a sum of matrices is written by its entries, a scalar as 1×1."""
        sp = self.sp
        if isinstance(expr, sp.Sum) and _is_matrix(expr):
            i, j = self.fresh("i", expr), self.fresh("j", expr)
            entry = sp.Sum(sp.MatrixElement(expr.function, i, j), *expr.limits)
            return sp.FunctionMatrix(self.dim(rows), self.dim(cols), sp.Lambda((i, j), entry))
        return expr if _is_matrix(expr) else sp.ImmutableDenseMatrix([[expr]])

    def matrices(self, term: Term, parts: list[Expr]) -> list[Expr]:
        """The parts of `term` as MatrixExprs."""
        return [self.matrix(part, arg.rows, arg.cols) for part, arg in zip(parts, term.args, strict=True)]


_WriteRule: TypeAlias = Callable[[_Writer, Term, list[Expr]], Expr]


def _w_symbol(w: _Writer, term: Term, parts: list[Expr]) -> Expr:
    name, _, rows, cols = term.data
    label = _name_out(cast(str, name))
    return w.sp.Symbol(label) if term.is_scalar else w.sp.MatrixSymbol(label, w.dim(rows), w.dim(cols))


def _w_opaque(w: _Writer, term: Term, parts: list[Expr]) -> Expr:
    if not isinstance(term.data[0], w.sp.Expr):
        raise UnsupportedError(str(term.data[0]), f"{term.data[0]} is no SymPy expression")
    return term.data[0]


def _w_add(w: _Writer, term: Term, parts: list[Expr]) -> Expr:
    if all(_is_matrix(part) for part in parts):
        return w.sp.MatAdd(*w.matrices(term, parts), evaluate=False)
    return w.sp.Add(*map(_scalar, parts), evaluate=False)


def _times(w: _Writer, factor: Expr, body: Expr, term: Term, *, right: bool = False) -> Expr:
    """A scalar times a scalar or a matrix; `term` has the size of the body."""
    matrix = _is_matrix(body)
    pair = [factor, w.matrix(body, term.rows, term.cols) if matrix else body]
    product = w.sp.MatMul if matrix else w.sp.Mul
    return product(*(reversed(pair) if right else pair), evaluate=False)


def _w_scale(w: _Writer, term: Term, parts: list[Expr]) -> Expr:
    return _times(w, _scalar(parts[0]), parts[1], term, right=term.data[0] == "right")


def _w_divide(w: _Writer, term: Term, parts: list[Expr]) -> Expr:
    return _times(w, w.sp.Pow(_scalar(parts[1]), -1, evaluate=False), parts[0], term, right=True)


def _w_matmul(w: _Writer, term: Term, parts: list[Expr]) -> Expr:
    return w.sp.MatMul(*w.matrices(term, parts), evaluate=False)


def _w_power(w: _Writer, term: Term, parts: list[Expr]) -> Expr:
    exponent = w.dim(term.data[0])
    if not _is_matrix(parts[0]):
        return w.sp.Pow(parts[0], exponent, evaluate=False)
    return w.sp.MatPow(*w.matrices(term, parts), exponent)


def _w_conjugate(w: _Writer, term: Term, parts: list[Expr]) -> Expr:
    if not _is_matrix(parts[0]):
        return w.sp.conjugate(parts[0], evaluate=False)
    return w.sp.Adjoint(w.sp.Transpose(*w.matrices(term, parts)))  # as SymPy itself writes it


def _w_inverse(w: _Writer, term: Term, parts: list[Expr]) -> Expr:
    if not _is_matrix(parts[0]):
        return w.sp.Pow(parts[0], -1, evaluate=False)
    return w.sp.Inverse(*w.matrices(term, parts))


def _w_hadamard(w: _Writer, term: Term, parts: list[Expr]) -> Expr:
    if not any(_is_matrix(part) for part in parts):
        return w.sp.Mul(*parts, evaluate=False)
    return w.sp.HadamardProduct(*w.matrices(term, parts), evaluate=False)


def _w_entry(w: _Writer, term: Term, parts: list[Expr]) -> Expr:
    i, j = (w.dim(index) - 1 for index in term.data)
    return w.sp.MatrixElement(*w.matrices(term, parts), i, j)


def _w_row(w: _Writer, term: Term, parts: list[Expr]) -> Expr:
    at, (body,) = w.dim(term.data[0]), w.matrices(term, parts)
    return w.sp.MatrixSlice(body, (at - 1, at), (0, w.dim(term.cols)))


def _w_column(w: _Writer, term: Term, parts: list[Expr]) -> Expr:
    at, (body,) = w.dim(term.data[0]), w.matrices(term, parts)
    return w.sp.MatrixSlice(body, (0, w.dim(term.rows)), (at - 1, at))


def _w_blocks(w: _Writer, term: Term, parts: list[Expr]) -> Expr:
    width = {"columns": len(parts), "rows": 1}.get(term.op) or cast(int, term.data[1])
    cells = w.matrices(term, parts)
    return w.sp.BlockMatrix([cells[start : start + width] for start in range(0, len(cells), width)])


def _w_literal(w: _Writer, term: Term, parts: list[Expr]) -> Expr:
    height, width = cast("tuple[int, int]", term.data)
    return w.sp.ImmutableDenseMatrix(height, width, [_scalar(part) for part in parts])


def _w_unit(w: _Writer, term: Term, parts: list[Expr]) -> Expr:
    at, n = (w.dim(dim) for dim in term.data)
    i, j = w.fresh("i"), w.fresh("j")
    return w.sp.FunctionMatrix(n, 1, w.sp.Lambda((i, j), w.sp.KroneckerDelta(i, at - 1, (0, n - 1))))


def _w_diagpart(w: _Writer, term: Term, parts: list[Expr]) -> Expr:
    (body,) = w.matrices(term, parts)
    if all(isinstance(count, w.sp.Basic) for count in body.shape):
        return w.sp.DiagonalOf(body)
    # DiagonalOf of SymPy 1.14 fails where the sizes are Python's ints.
    i, j = w.fresh("i", body), w.fresh("j", body)
    return w.sp.FunctionMatrix(w.dim(term.rows), 1, w.sp.Lambda((i, j), w.sp.MatrixElement(body, i, i)))


def _w_permutation(w: _Writer, term: Term, parts: list[Expr]) -> Expr:
    from sympy.combinatorics import Permutation

    order = cast("tuple[int, ...]", term.data[0])
    return w.sp.PermutationMatrix(Permutation([place - 1 for place in order]))


def _w_family(w: _Writer, term: Term, parts: list[Expr]) -> Expr:
    index, lo, _ = cast("tuple[str, Dim, Dim]", term.data)
    (body,) = term.args
    i, j = w.fresh("i"), w.fresh("j")
    running, across = (j, i) if term.op == "column_family" else (i, j)
    cell = w.inside(index, w.dim(lo) + running, i, j).value(body)
    if not body.is_scalar or _is_matrix(cell):
        place = (across, 0) if term.op == "column_family" else (0, across)
        cell = w.sp.MatrixElement(w.matrix(cell, body.rows, body.cols), *place)
    return w.sp.FunctionMatrix(w.dim(term.rows), w.dim(term.cols), w.sp.Lambda((i, j), cell))


def _w_sum(w: _Writer, term: Term, parts: list[Expr]) -> Expr:
    index, lo, hi = cast("tuple[str, Dim, Dim]", term.data)
    (body,) = term.args
    name = _name_out(_primed(index, w.taken))
    letter = w.sp.Symbol(name, integer=True, positive=(lo.constant or 0) > 0 or None)
    inner = w.inside(index, letter, letter).value(body)
    if body.is_scalar:
        inner = _scalar(inner)
    limits = (letter, w.dim(lo), w.dim(hi))
    return _matrix_sum(inner, limits) if _is_matrix(inner) else w.sp.Sum(inner, limits)


def _matrix_sum(body: Expr, limit: tuple[Expr, Expr, Expr]) -> Expr:
    """A Sum of matrices; made from its parts, since Sum multiplies its body by 1, and SymPy evaluates that product."""
    sp = _sympy()
    nested = isinstance(body, sp.Sum)
    limits = (*(body.limits if nested else ()), sp.Tuple(*limit))
    made = sp.Expr.__new__(sp.Sum, body.function if nested else body, *limits)
    made.is_commutative = False
    return made


def _w_entrywise(w: _Writer, term: Term, parts: list[Expr]) -> Expr:
    function = _function(cast(str, term.data[0]), term)
    if term.is_scalar:
        return function(_scalar(parts[0]), evaluate=False)
    slot = w.fresh("x")
    return w.sp.ElementwiseApplyFunction(w.sp.Lambda(slot, function(slot)), *w.matrices(term, parts))


def _function(name: str, term: Term) -> Callable[..., Expr]:
    if name not in _FUNCTIONS:
        raise UnsupportedError(name, f"{term}: there is no SymPy function for {name} here")
    function: Callable[..., Expr] = getattr(_sympy(), _FUNCTIONS[name])
    return function


def _w_scalar_function(w: _Writer, term: Term, parts: list[Expr]) -> Expr:
    name = cast(str, term.data[0])
    if name != "abs" or not term.args[0].is_scalar:
        raise UnsupportedError(name, f"{term}: SymPy has no {name} of a matrix with symbolic entries")
    return w.sp.Abs(_scalar(parts[0]), evaluate=False)


def _of_matrices(name: str) -> _WriteRule:
    """A SymPy class that takes the parts as matrices and does not evaluate."""
    return lambda w, term, parts: getattr(w.sp, name)(*w.matrices(term, parts))


def _of_sizes(name: str) -> _WriteRule:
    return lambda w, term, parts: getattr(w.sp, name)(*(w.dim(dim) for dim in term.data))


def _rational(value: Fraction) -> Expr:
    return _sympy().Rational(value.numerator, value.denominator)


_WRITERS: dict[str, _WriteRule] = {
    "symbol": _w_symbol,
    "number": lambda w, term, parts: _rational(cast(Fraction, term.data[0])),
    "size": lambda w, term, parts: w.dim(term.data[0]),
    "opaque": _w_opaque,
    "literal": _w_literal,
    "identity": _of_sizes("Identity"),
    "zero": _of_sizes("ZeroMatrix"),
    "ones": _of_sizes("OneMatrix"),
    "unit": _w_unit,
    "permutation": _w_permutation,
    "add": _w_add,
    "neg": lambda w, term, parts: _times(w, w.sp.Integer(-1), parts[0], term),
    "scale": _w_scale,
    "divide": _w_divide,
    "matmul": _w_matmul,
    "power": _w_power,
    "transpose": _of_matrices("Transpose"),
    "conjugate": _w_conjugate,
    "adjoint": _of_matrices("Adjoint"),
    "inverse": _w_inverse,
    "trace": _of_matrices("Trace"),
    "determinant": _of_matrices("Determinant"),
    "dot": _of_matrices("DotProduct"),
    "hadamard": _w_hadamard,
    "kronecker": _of_matrices("KroneckerProduct"),
    "diag": _of_matrices("DiagMatrix"),
    "diagpart": _w_diagpart,
    "entry": _w_entry,
    "row": _w_row,
    "column": _w_column,
    "columns": _w_blocks,
    "rows": _w_blocks,
    "block": _w_blocks,
    "column_family": _w_family,
    "row_family": _w_family,
    "sum": _w_sum,
    "entrywise": _w_entrywise,
    "scalar_function": _w_scalar_function,
}


# --- Terms to explicit matrices -----------------------------------------------------------------------------------


def _entry_names(letters: list[Term], sizes: Mapping[str, int]) -> dict[Term, Expr]:
    """The explicit matrix of each symbol, with no entry symbol used twice."""
    sp = _sympy()
    found: dict[Term, Expr] = {}
    used: list[tuple[Any, Term]] = []
    for letter in dict.fromkeys(letters):
        if dim_symbols(letter) - set(sizes):
            continue  # a symbol of another side of the statement; it reports its own sizes
        rows, cols = (_number_of(dim, sizes, letter) for dim in letter.shape)
        name = cast(str, letter.data[0])
        if letter.is_scalar:
            cells = [_name_out(name)]
        else:
            vector = letter.cols.constant == 1
            cells = [
                _entry_name(name, (i,) if vector else (i, j))
                for i in range(1, rows + 1)
                for j in range(1, cols + 1)
            ]
        used += [(cell, letter) for cell in cells]
        found[letter] = sp.Matrix(rows, cols, [sp.Symbol(cell) for cell in cells])
    _distinct(used)
    return found


def _entry_name(name: str, indices: tuple[int, ...]) -> str:
    """``a_{12}`` for A, ``x_{1}`` for a vector x, ``(W_Q)_{12}``; a comma where two digits meet."""
    base = name.lower() if len(name) == 1 else f"({name})" if "_" in name else name
    joined = ("," if max(indices) > 9 else "").join(map(str, indices))
    return f"{base}_{{{joined}}}"


def _number_of(dim: object, sizes: Mapping[str, int], where: Term) -> int:
    value = cast(Dim, dim).substitute({name: Dim.of(number) for name, number in sizes.items()}).constant
    if value is None:
        raise ShapeError(f"the size {dim} of {where} has no number")
    return value


class _Entries:
    """Computes explicit matrices of entry symbols.

    Args:
        sizes: the number for every size and index.
        letters: the explicit matrix of every symbol.
    """

    def __init__(self, sizes: Mapping[str, int], letters: Mapping[Term, Expr]) -> None:
        self.sp = _sympy()
        self.sizes = sizes
        self.letters = letters
        self._memo: dict[Term, Expr] = {}

    def result(self, term: Term) -> Expr:
        """The matrix, or the scalar for a 1×1 Term."""
        value = self.value(term)
        return value[0, 0] if term.is_scalar else value.copy()

    def value(self, term: Term) -> Expr:
        """The matrix that `term` is (1×1 for a scalar)."""
        return _fold(term, self._memo, self._rule)

    def _rule(self, term: Term, parts: list[Expr]) -> Expr:
        rule = _ENTRIES.get(term.op)
        if rule is None:
            what = str(term.data[0]) if term.op == "apply" else term.op
            raise UnsupportedError(what, f"{term}: {what} has no entries to compute")
        return rule(self, term, parts)

    def number(self, dim: object, term: Term) -> int:
        """The number that a size or index is."""
        return _number_of(dim, self.sizes, term)

    def grid(self, term: Term, cell: Callable[[int, int], Any]) -> Expr:
        """The matrix of the size of `term` with these entries, counted from 0."""
        rows, cols = self.number(term.rows, term), self.number(term.cols, term)
        if rows < 1 or cols < 1:
            raise ShapeError(f"{term} would be {rows}×{cols}: sizes are positive")
        return self.sp.Matrix(rows, cols, cell)

    def bodies(self, term: Term) -> list[Expr]:
        """The values of the body of a binder."""
        index, lo, hi = cast("tuple[str, Dim, Dim]", term.data)
        first, last = self.number(lo, term), self.number(hi, term)
        return [
            _Entries({**self.sizes, index: at}, self.letters).value(term.args[0])
            for at in range(first, last + 1)
        ]

    def place(self, term: Term, index: object, count: int) -> int:
        """An index counted from 0, checked."""
        at = self.number(index, term)
        if not 1 <= at <= count:
            raise ShapeError(f"{term}: the index {index} is {at}, outside 1 … {count}")
        return at - 1


_EntryRule: TypeAlias = Callable[[_Entries, Term, list[Expr]], Expr]


def _one(value: Any) -> Expr:
    return _sympy().Matrix([[value]])


def _e_divide(e: _Entries, term: Term, parts: list[Expr]) -> Expr:
    by = parts[1][0, 0]
    if by.is_zero:
        raise SymlinError(f"{term} divides by zero")
    return parts[0] / by


def _e_matmul(e: _Entries, term: Term, parts: list[Expr]) -> Expr:
    product = parts[0]
    for part in parts[1:]:
        product = product * part
    return product


def _e_power(e: _Entries, term: Term, parts: list[Expr]) -> Expr:
    exponent = e.number(term.data[0], term)
    return parts[0] ** exponent if exponent >= 0 else _inverted(parts[0], term) ** -exponent


def _inverted(matrix: Expr, term: Term) -> Expr:
    """The inverse by the adjugate, which divides by the determinant alone and so guesses no pivot."""
    sp = _sympy()
    determinant = _determinant(matrix)
    if determinant.is_zero or sp.simplify(determinant).is_zero:
        raise SymlinError(f"{term}: the matrix is singular, so it has no inverse")
    return matrix.adjugate(method="berkowitz") / determinant


def _determinant(matrix: Expr) -> Expr:
    return matrix.det(method="berkowitz")


def _e_pseudoinverse(e: _Entries, term: Term, parts: list[Expr]) -> Expr:
    if parts[0].free_symbols:
        raise UnsupportedError("pseudoinverse", f"{term}: the rank of a matrix of symbols is not known")
    return parts[0].pinv()


def _e_kronecker(e: _Entries, term: Term, parts: list[Expr]) -> Expr:
    left, right = parts
    height, width = right.shape
    return e.grid(term, lambda i, j: left[i // height, j // width] * right[i % height, j % width])


def _e_vec(e: _Entries, term: Term, parts: list[Expr]) -> Expr:
    height = parts[0].rows
    return e.grid(term, lambda k, _: parts[0][k % height, k // height])


def _e_entry(e: _Entries, term: Term, parts: list[Expr]) -> Expr:
    (body,) = parts
    i, j = (e.place(term, index, count) for index, count in zip(term.data, body.shape, strict=True))
    return _one(body[i, j])


def _e_block(e: _Entries, term: Term, parts: list[Expr]) -> Expr:
    width = cast(int, term.data[1])
    lines = [parts[start : start + width] for start in range(0, len(parts), width)]
    return e.sp.Matrix.vstack(*(e.sp.Matrix.hstack(*line) for line in lines))


def _e_sum(e: _Entries, term: Term, parts: list[Expr]) -> Expr:
    total = e.grid(term, lambda i, j: 0)
    for body in e.bodies(term):
        total = total + body
    return total


def _e_unit(e: _Entries, term: Term, parts: list[Expr]) -> Expr:
    at = e.place(term, term.data[0], e.number(term.data[1], term))
    return e.grid(term, lambda i, j: int(i == at))


def _e_permutation(e: _Entries, term: Term, parts: list[Expr]) -> Expr:
    order = cast("tuple[int, ...]", term.data[0])
    return e.grid(term, lambda i, j: int(order[i] == j + 1))


def _e_row_softmax(e: _Entries, term: Term, parts: list[Expr]) -> Expr:
    powers = parts[0].applyfunc(e.sp.exp)
    return e.grid(term, lambda i, j: powers[i, j] / sum(powers.row(i)))


def _e_scalar_function(e: _Entries, term: Term, parts: list[Expr]) -> Expr:
    name = cast(str, term.data[0])
    (body,) = parts if len(parts) == 1 else (None,)
    if body is not None and name == "abs" and body.shape == (1, 1):
        return _one(e.sp.Abs(body[0, 0]))
    if body is not None and name == "norm" and body.cols == 1:
        return _one(e.sp.sqrt(sum(value * e.sp.conjugate(value) for value in body)))
    if body is not None and name == "rank" and not body.free_symbols:
        return _one(body.rank())
    raise UnsupportedError(name, f"{term}: {name} is not computed here")


_ENTRIES: dict[str, _EntryRule] = {
    "symbol": lambda e, term, parts: e.letters[term],
    "number": lambda e, term, parts: _one(_rational(cast(Fraction, term.data[0]))),
    "size": lambda e, term, parts: _one(e.number(term.data[0], term)),
    "opaque": lambda e, term, parts: _one(term.data[0]),
    "literal": lambda e, term, parts: e.sp.Matrix(*term.data, [part[0, 0] for part in parts]),
    "identity": lambda e, term, parts: e.grid(term, lambda i, j: int(i == j)),
    "zero": lambda e, term, parts: e.grid(term, lambda i, j: 0),
    "ones": lambda e, term, parts: e.grid(term, lambda i, j: 1),
    "unit": _e_unit,
    "permutation": _e_permutation,
    "add": lambda e, term, parts: sum(parts[1:], parts[0]),
    "neg": lambda e, term, parts: -parts[0],
    "scale": lambda e, term, parts: parts[0][0, 0] * parts[1],
    "divide": _e_divide,
    "matmul": _e_matmul,
    "power": _e_power,
    "transpose": lambda e, term, parts: parts[0].T,
    "conjugate": lambda e, term, parts: parts[0].conjugate(),
    "adjoint": lambda e, term, parts: parts[0].H,
    "inverse": lambda e, term, parts: _inverted(parts[0], term),
    "pseudoinverse": _e_pseudoinverse,
    "trace": lambda e, term, parts: _one(parts[0].trace()),
    "determinant": lambda e, term, parts: _one(_determinant(parts[0])),
    "dot": lambda e, term, parts: parts[0].T * parts[1],
    "hadamard": lambda e, term, parts: parts[0].multiply_elementwise(parts[1]),
    "kronecker": _e_kronecker,
    "diag": lambda e, term, parts: e.grid(term, lambda i, j: parts[0][i, 0] if i == j else 0),
    "diagpart": lambda e, term, parts: e.grid(term, lambda i, j: parts[0][i, i]),
    "vec": _e_vec,
    "entry": _e_entry,
    "row": lambda e, term, parts: parts[0].row(e.place(term, term.data[0], parts[0].rows)),
    "column": lambda e, term, parts: parts[0].col(e.place(term, term.data[0], parts[0].cols)),
    "columns": lambda e, term, parts: e.sp.Matrix.hstack(*parts),
    "rows": lambda e, term, parts: e.sp.Matrix.vstack(*parts),
    "column_family": lambda e, term, parts: e.sp.Matrix.hstack(*e.bodies(term)),
    "row_family": lambda e, term, parts: e.sp.Matrix.vstack(*e.bodies(term)),
    "block": _e_block,
    "sum": _e_sum,
    "entrywise": lambda e, term, parts: parts[0].applyfunc(_function(cast(str, term.data[0]), term)),
    "row_softmax": _e_row_softmax,
    "scalar_function": _e_scalar_function,
}


# --- SymPy and NumPy to Terms -------------------------------------------------------------------------------------


def from_any(value: Any) -> Term:
    r"""The Term meant by a SymPy expression or matrix, a NumPy array, or a list of rows.

    Args:
        value: see Notes; m×n.

    Raises:
        TypeError: nothing of the kind, or a number that is not exact; the message says what is accepted.
        ShapeError: sizes do not match (SymPy does not check symbolic ones).
        UnsupportedError: a SymPy construct that has no Term; it is named.
        SymlinError: two different SymPy symbols of one name.

    Notes:
        ``MatrixSymbol`` becomes a symbol (a lower-case column is set in bold), an explicit matrix a literal, a Symbol a
        scalar.  A Symbol that is an integer and positive, or that stands in a shape, an index, a limit or the exponent
        of a matrix, is a size; an index that is not declared positive counts from 0 in SymPy and from 1 here.
        A scalar that is no polynomial is kept as it is.  A 1-D array is a column.

    Examples:
        >>> import sympy
        >>> m, n = sympy.symbols("m n", integer=True, positive=True)
        >>> A = sympy.MatrixSymbol("A", m, n)
        >>> from_any(2 * A * A.T)
        <2AA^T: m×m>
        >>> from_any([[1, 2], [3, 4]])
        <[1 2; 3 4]: 2×2>
        >>> from_any(sympy.Symbol("r") * A[0, 1])
        <r a_{12}: 1×1>
    """
    return _read_all((value,))[0]


def statement_from(value: Any) -> Statement:
    """The Statement meant by a SymPy relation (``Eq``, ``Ne``, ``<`` …, or ``Implies`` for hypotheses).

    Raises:
        TypeError: no relation; for one that SymPy has already evaluated, how to avoid that.

    Notes:
        A Symbol declared positive, nonzero and the like brings that as a hypothesis.  A scalar 0 on one side of a
        matrix equation is the zero matrix.

    Examples:
        >>> import sympy
        >>> A, B = sympy.MatrixSymbol("A", 2, 2), sympy.MatrixSymbol("B", 2, 2)
        >>> print(statement_from(sympy.Eq(A * B, B * A)))
        AB = BA
        >>> statement_from(sympy.Eq(A, A))
        Traceback (most recent call last):
        TypeError: SymPy has already evaluated this relation to True; write it with evaluate=False
    """
    if isinstance(value, Statement):
        return value
    sp = _sympy()
    if isinstance(value, bool | type(sp.true) | type(sp.false)):
        raise TypeError(
            f"SymPy has already evaluated this relation to {bool(value)}; write it with evaluate=False"
        )
    premise: tuple[Any, ...] = ()
    conclusion = value
    if isinstance(value, sp.Implies):
        first, conclusion = value.args
        premise = first.args if isinstance(first, sp.And) else (first,)
    kinds = {getattr(sp, name): relation for relation, name in _RELATIONS.items()}
    for one in (conclusion, *premise):
        if type(one) not in kinds:
            raise TypeError(
                f"{one!r} is no statement: a SymPy relation such as Eq(A*B, B*A, evaluate=False) is accepted"
            )
    parts = (conclusion, *premise)
    reader = _Reader([side for one in parts for side in one.args])
    made = [_related(kinds[type(one)], *(reader.read(side) for side in one.args)) for one in parts]
    conjugates = any(
        node.op in ("conjugate", "adjoint")
        for one in made
        for side in (one.lhs, one.rhs)
        for node in walk(side)
    )
    return made[0].given(*made[1:], *reader.assumptions(conjugates=conjugates))


def _related(relation: str, lhs: Term, rhs: Term) -> Statement:
    zero = c.number(0)
    if lhs is zero and not rhs.is_scalar:
        lhs = c.zero(*rhs.shape)
    if rhs is zero and not lhs.is_scalar:
        rhs = c.zero(*lhs.shape)
    return Statement(lhs, rhs, relation)


def _read_all(values: tuple[Any, ...]) -> list[Term]:
    plain = [_without_sympy(value) for value in values]
    expressions = [value for value in plain if not isinstance(value, Term)]
    reader = _Reader(expressions) if expressions else None
    return [value if reader is None or isinstance(value, Term) else reader.read(value) for value in plain]


def _without_sympy(value: Any) -> Any:
    """A Term for what needs no SymPy; SymPy objects as they are."""
    if isinstance(value, Term | int | Fraction | Dim | float):
        return as_term(value)
    if isinstance(value, str):
        raise TypeError(f"{value!r} is a text; read LaTeX with symlin.read, or give {ACCEPTED}")
    module = type(value).__module__.partition(".")[0]
    if module == "numpy":
        return _from_numpy(value)
    if isinstance(value, list | tuple):
        return _from_rows(value)
    sp = _sympy()
    if isinstance(value, sp.Rel):
        raise TypeError(
            f"{value} is a statement, not an expression; prove takes it, or symlin.sympy_bridge.statement_from"
        )
    if isinstance(value, sp.MatrixBase):
        return value.as_immutable()
    if isinstance(value, sp.Basic):
        return value
    raise TypeError(f"{type(value).__name__} is no matrix expression; accepted: {ACCEPTED}")


def _from_numpy(array: Any) -> Term:
    """An array (or a NumPy scalar) of exact numbers; a 1-D array is a column."""
    values, dimensions = array.tolist(), array.ndim
    if dimensions == 0:
        return _exact(values, "the number")
    if dimensions > 2 or not array.size:
        shape = "×".join(map(str, array.shape))
        raise TypeError(
            f"an array of shape {shape} is no matrix: two dimensions, or one for a column, and no empty one"
        )
    rows = [[value] for value in values] if dimensions == 1 else values
    return _grid(rows)


def _from_rows(rows: Any) -> Term:
    if not rows or not all(isinstance(line, list | tuple) and line for line in rows):
        raise TypeError("a list must hold the rows of a matrix: [[1, 2], [3, 4]], or [[1], [2]] for a column")
    return _grid(rows)


def _grid(rows: Any) -> Term:
    return c.literal(
        [_exact(value, f"entry ({i}, {j})") for j, value in enumerate(line, 1)]
        for i, line in enumerate(rows, 1)
    )


def _exact(value: Any, where: str) -> Term:
    """A scalar of an array; a float only when it is a whole number, since others are seldom what is meant."""
    if isinstance(value, bool):
        raise TypeError(f"{where} is a truth value, not a number")
    if isinstance(value, float):
        if not value.is_integer():
            raise TypeError(
                f"{where} is the float {value!r}; give exact numbers, such as fractions.Fraction({str(value)!r})"
            )
        return as_term(int(value))
    term = as_term(value)
    if not term.is_scalar:
        raise ShapeError(f"{where} must be a scalar, but {term} is {size_text(term.shape)}")
    return term


def _shape_places(node: Expr) -> tuple[Expr, ...]:
    """The sizes that a leaf of a matrix expression names."""
    sp = _sympy()
    leaves = (sp.MatrixSymbol, sp.Identity, sp.ZeroMatrix, sp.OneMatrix, sp.FunctionMatrix)
    return tuple(node.shape) if isinstance(node, leaves) else ()


def _index_places(node: Expr) -> tuple[Expr, ...]:
    """The indices, limits and exponents of matrices that an expression names at its top."""
    sp = _sympy()
    if isinstance(node, sp.MatrixElement):
        return tuple(node.args[1:])
    if isinstance(node, sp.MatrixSlice):
        return (*node.rowslice[:2], *node.colslice[:2])
    if isinstance(node, sp.Sum):
        return tuple(end for limit in node.limits for end in limit[1:])
    return (node.exp,) if isinstance(node, sp.MatPow) else ()


class _Reader:
    """Reads SymPy expressions that belong together, so that one name means one thing in all of them.

    Args:
        expressions: everything that will be read.
    """

    def __init__(self, expressions: list[Expr]) -> None:
        self.sp = _sympy()
        self._shapes: set[Expr] = set()
        self._indices: set[Expr] = set()
        self._owners: dict[tuple[str, str], Expr] = {}
        self._free: dict[str, Expr] = {}
        self._bound: dict[Expr, Dim] = {}
        self._scalars: dict[Expr, Term] = {}
        with _depth_bounded():
            for expression in expressions:
                self._collect(expression)

    def _collect(self, expression: Expr) -> None:
        """Which free symbols stand in shapes, and which in indices, limits and exponents of matrices."""
        sp = self.sp
        self._free.update(
            (_name_in(letter.name), letter) for letter in expression.free_symbols if letter.is_Symbol
        )
        stack: list[tuple[Expr, frozenset[Expr]]] = [(expression, frozenset())]
        while stack:
            node, bound = stack.pop()
            if isinstance(node, sp.Sum):
                bound = bound | {limit[0] for limit in node.limits}
            elif isinstance(node, sp.Lambda):
                bound = bound | set(node.variables)
            for places, found in ((_shape_places, self._shapes), (_index_places, self._indices)):
                for place in places(node):
                    found.update(place.free_symbols - bound)
            stack.extend((arg, bound) for arg in node.args)

    def read(self, expression: Expr) -> Term:
        """The Term of one expression."""
        with _depth_bounded():
            return self.term(expression)

    def term(self, expr: Expr) -> Term:
        """The Term of a part."""
        for kind in type(expr).__mro__:
            rule = _readers().get(kind)
            if rule is not None:
                return rule(self, expr)
        what = type(expr).__name__
        if getattr(expr, "is_Matrix", False):
            raise UnsupportedError(what, f"{expr}: {what} of SymPy has no Term")
        if not isinstance(expr, self.sp.Expr):
            raise TypeError(f"{expr} ({what}) is no expression; accepted: {ACCEPTED}")
        return self.opaque(expr)

    def opaque(self, expr: Expr) -> Term:
        """A scalar kept as it is; what depends on an index or a matrix cannot be."""
        if self._bound.keys() & expr.free_symbols or expr.has(self.sp.MatrixExpr):
            what = type(expr).__name__
            raise UnsupportedError(what, f"{expr}: {what} of an index or of a matrix is not supported")
        if expr.has(self.sp.nan, self.sp.zoo, self.sp.oo, -self.sp.oo):
            raise TypeError(f"{expr} is no number")
        for number in expr.atoms(self.sp.Float):
            self.refuse_float(number)
        return c.opaque(expr)

    def refuse_float(self, number: Expr) -> Term:
        """Floating-point numbers are refused with advice."""
        digits = re.sub(r"0+(?=e|$)", "", str(number)) if "." in str(number) else str(number)
        raise TypeError(
            f"{digits} is a floating-point number; write an exact one: sympy.Rational({digits!r})"
        )

    # Symbols

    def _own(self, kind: str, name: str, letter: Expr) -> str:
        owner = self._owners.setdefault((kind, name), letter)
        if owner != letter:
            raise SymlinError(
                f"two different SymPy symbols are called {letter}; declare the name once, with the same assumptions"
            )
        return name

    def size_symbol(self, letter: Expr) -> Dim:
        """The size or index that a symbol is."""
        if letter in self._bound:
            return self._bound[letter]
        dim = Dim.symbol(self._own("size", _name_in(letter.name), letter))
        counts_from_zero = letter not in self._shapes and not letter.is_positive
        return dim - 1 if counts_from_zero else dim

    def scalar_symbol(self, letter: Expr) -> Term:
        """A scalar, unless the symbol is a size."""
        if letter in self._bound or letter in self._shapes or letter in self._indices:
            return c.size(self.size_symbol(letter))
        if letter.is_integer and letter.is_positive:
            return c.size(self.size_symbol(letter))
        if letter.is_commutative is False or letter.is_integer or letter.is_imaginary:
            raise UnsupportedError(
                "an assumption on a symbol",
                f"{letter}: a scalar here is any real number, not a non-commutative, integer or imaginary one; "
                "use MatrixSymbol for a matrix and a positive integer Symbol for a size",
            )
        found = c.symbol(self._own("scalar", _name_in(letter.name), letter), 1, 1)
        self._scalars[letter] = found
        return found

    def assumptions(self, *, conjugates: bool) -> tuple[Statement, ...]:
        """What SymPy assumes of the scalars that occur, as hypotheses; that one is real, where conjugates occur."""
        zero = c.number(0)
        found = []
        for letter, term in self._scalars.items():
            found += [Statement(term, zero, sign) for fact, sign in _FACTS if getattr(letter, f"is_{fact}")][
                :1
            ]
            if conjugates and letter.is_real:
                found.append(Statement(c.conjugate(term), term))
        return tuple(found)

    # Sizes

    def dim(self, expr: Expr) -> Dim:
        """A size or index: an integer polynomial in symbols."""
        expr = self.sp.sympify(expr)
        if expr.is_Integer:
            return Dim.of(int(expr))
        if expr.is_Symbol:
            return self.size_symbol(expr)
        if expr.is_Add or expr.is_Mul:
            first, *rest = (self.dim(arg) for arg in expr.args)
            for other in rest:
                first = first + other if expr.is_Add else first * other
            return first
        if expr.is_Pow and expr.exp.is_Integer and expr.exp > 0:
            base = self.dim(expr.base)
            power = base
            for _ in range(int(expr.exp) - 1):
                power = power * base
            return power
        raise UnsupportedError(
            "a size", f"{expr} is no size: sizes and indices are integer polynomials in symbols"
        )

    def size(self, expr: Expr) -> Dim:
        """A size, which cannot be a number below 1."""
        dim = self.dim(expr)
        if dim.constant is not None and dim.constant < 1:
            raise ShapeError(f"a size of {dim}: sizes are positive")
        return dim

    @contextmanager
    def binding(self, letter: Expr, shift: int) -> Iterator[str]:
        """Within this, `letter` is a bound index whose name is given, plus `shift`."""
        taken = {name for (kind, name), owner in self._owners.items() if kind == "size" and owner != letter}
        name = _primed(
            _name_in(letter.name), taken | {one for one, owner in self._free.items() if owner != letter}
        )
        self._owners.setdefault(("size", name), letter)
        outer = self._bound
        self._bound = {**outer, letter: Dim.symbol(name) + shift}
        try:
            yield name
        finally:
            self._bound = outer


_ReadRule: TypeAlias = Callable[[_Reader, Expr], Term]
_FACTS = (
    ("positive", ">"),
    ("negative", "<"),
    ("zero", "="),
    ("nonnegative", r"\ge"),
    ("nonpositive", r"\le"),
    ("nonzero", r"\ne"),
)
"""SymPy's assumption and the relation to 0 that it says, the stronger first."""


def _r_matrix_symbol(r: _Reader, expr: Expr) -> Term:
    rows, cols = (r.size(size) for size in expr.shape)
    name = _name_in(expr.name)
    column = cols.constant == 1 and rows.constant != 1 and name[:1].islower()
    return c.symbol(name, rows, cols, "bold" if column else "")


def _r_explicit(r: _Reader, expr: Expr) -> Term:
    if not expr.rows or not expr.cols:
        raise ShapeError(f"an explicit matrix of size {expr.rows}×{expr.cols}: sizes are positive")
    rows = [[r.term(expr[i, j]) for j in range(expr.cols)] for i in range(expr.rows)]
    return rows[0][0] if expr.shape == (1, 1) else c.literal(rows)


def _r_product(r: _Reader, expr: Expr) -> Term:
    """Scalar factors first (a leading -1 is a sign, a power -1 a denominator), then the matrices in order."""
    factors = list(expr.args)
    negative = len(factors) > 1 and factors[0] == -1
    matrices, above, below = [], [], []
    for factor in factors[negative:]:
        if _is_matrix(factor):
            matrices.append(r.term(factor))
        elif factor.is_Pow and factor.exp == -1 and len(factors) > 1:
            below.append(r.term(factor.base))
        else:
            above.append(r.term(factor))
    side = "right" if _is_matrix(factors[0]) else "left"
    body = c.matmul(*matrices) if matrices else above.pop() if above else c.number(1)
    for scalar in reversed(above):
        body = c.scale(scalar, body, side)
    for scalar in below:
        body = c.divide(body, scalar)
    return c.neg(body) if negative else body


def _r_sum(r: _Reader, expr: Expr) -> Term:
    return c.add(*(r.term(arg) for arg in expr.args)) if len(expr.args) > 1 else r.term(expr.args[0])


def _r_power(r: _Reader, expr: Expr) -> Term:
    base, exponent = expr.args
    if exponent == r.sp.Rational(1, 2):
        return c.entrywise("sqrt", r.term(base))
    if exponent.is_Rational and exponent < 0:
        below = r.term(r.sp.Pow(base, -exponent)) if exponent != -1 else r.term(base)
        return c.divide(c.number(1), below)
    if base is r.sp.E:
        return c.entrywise("exp", r.term(exponent))
    if exponent.is_integer and exponent.is_positive:
        return c.power(r.term(base), r.dim(exponent))
    return r.opaque(expr)


def _r_matrix_power(r: _Reader, expr: Expr) -> Term:
    base, exponent = expr.args
    if exponent == -1:
        return c.inverse(r.term(base))
    if exponent.is_Number and not exponent.is_Integer:
        raise UnsupportedError("a fractional power", f"{expr}: only integer powers of matrices are supported")
    return c.power(r.term(base), r.dim(exponent))


def _r_adjoint(r: _Reader, expr: Expr) -> Term:
    (body,) = expr.args
    if isinstance(body, r.sp.Transpose):  # how SymPy writes the conjugate of a matrix
        return c.conjugate(r.term(body.arg))
    return c.adjoint(r.term(body))


def _r_element(r: _Reader, expr: Expr) -> Term:
    body, i, j = expr.args
    term = r.term(body)
    return term if term.is_scalar else c.entry(term, r.dim(i) + 1, r.dim(j) + 1)


def _r_slice(r: _Reader, expr: Expr) -> Term:
    body = r.term(expr.parent)
    for cut, count, one, family, name in (
        (expr.rowslice, body.rows, c.row, c.row_family, "i"),
        (expr.colslice, body.cols, c.column, c.column_family, "j"),
    ):
        first, last = r.dim(cut[0]) + 1, r.dim(cut[1])
        if cut[2] != 1:
            raise UnsupportedError("a slice with steps", f"{expr}: only slices of neighbours are supported")
        if first.constant == 1 and last == count:
            continue
        if first == last:
            body = one(body, first)
        else:
            index = _primed(name, dim_symbols(body) | first.symbols | last.symbols)
            body = family(index, first, last, one(body, index))
    return body


def _r_blocks(r: _Reader, expr: Expr) -> Term:
    grid = [[r.term(cell) for cell in expr.blocks.row(i)] for i in range(expr.blocks.rows)]
    if len(grid) == 1:
        return c.columns(grid[0])
    return c.rows(line[0] for line in grid) if len(grid[0]) == 1 else c.block(grid)


def _r_function_matrix(r: _Reader, expr: Expr) -> Term:
    """Entries given by a rule: a matrix that has these entries, or rows stacked, each a family of entries."""
    rows, cols = (r.size(size) for size in expr.shape)
    down, across = expr.lamda.variables
    with r.binding(down, -1) as i, r.binding(across, -1) as j:
        body = r.term(expr.lamda.expr)
    whole = _with_entries(body, i, j, rows, cols)
    if whole is not None:
        return whole
    if cols.constant != 1 or j in dim_symbols(body):
        body = c.column_family(j, 1, cols, body)
    if rows.constant != 1 or i in dim_symbols(body):
        body = c.row_family(i, 1, rows, body)
    return body


def _with_entries(cell: Term, i: str, j: str, rows: Dim, cols: Dim) -> Term | None:
    """The rows×cols matrix whose (i, j)-entry is written `cell`, where `cell` is plainly an entry of something."""
    if cell.op == "sum":
        index, lo, hi = cast("tuple[str, Dim, Dim]", cell.data)
        inner = None if {i, j} & {index, *lo.symbols, *hi.symbols} else cell.args[0]
        whole = None if inner is None else _with_entries(inner, i, j, rows, cols)
        return None if whole is None else c.sum_over(index, lo, hi, whole)
    if cell.op != "entry":
        return None
    (base,), place = cell.args, cast("tuple[Dim, Dim]", cell.data)
    at_i, at_j = Dim.symbol(i), Dim.symbol(j)
    used = dim_symbols(base) & {i, j}
    if base.op == "identity" and place[1] == at_i:
        place = (place[1], place[0])  # SymPy sorts the indices of a KroneckerDelta
    if not used and place == (at_i, at_j):
        return base if base.shape == (rows, cols) else None
    if not used and place == (at_i, at_i) and base.shape == (rows, rows) and cols.constant == 1:
        return c.diagpart(base)
    if place[0] == at_i and not place[1].symbols & {i, j} and base.rows == rows:
        if not used and cols.constant == 1:
            if base.cols.constant == 1:
                return base
            return c.unit(place[1], rows) if base.op == "identity" else c.column(base, place[1])
        if used <= {j} and base.cols.constant == 1:
            return c.column_family(j, 1, cols, base)
    if place[1] == at_j and used <= {i} and base.rows.constant == 1 and base.cols == cols:
        return c.row_family(i, 1, rows, base)
    return None


def _r_series(r: _Reader, expr: Expr) -> Term:
    """Sums over indices, the innermost limit first; one without matrices that has no Term is kept as it is."""

    def inside(limits: Any) -> Term:
        if not limits:
            return r.term(expr.function)
        if len(limits[-1]) != 3:
            raise UnsupportedError("a sum without limits", f"{expr}: a sum needs a first and a last index")
        letter, lo, hi = limits[-1]
        first, last = r.dim(lo), r.dim(hi)
        shift = -1 if first.constant == 0 else 0  # SymPy's 0 … n - 1 is 1 … n in a text
        with r.binding(letter, shift) as name:
            return c.sum_over(name, first - shift, last - shift, inside(limits[:-1]))

    try:
        return inside(expr.limits)
    except UnsupportedError:
        if _is_matrix(expr) or expr.has(r.sp.MatrixExpr):
            raise
        return r.opaque(expr)


def _r_delta(r: _Reader, expr: Expr) -> Term:
    """δ_ij is an entry of the identity, whose size the range says."""
    if len(expr.args) != 3:
        raise UnsupportedError(
            "KroneckerDelta", f"{expr}: only a KroneckerDelta with a range of indices is supported"
        )
    first, last = (r.dim(end) for end in expr.args[2])
    i, j = (r.dim(index) - first + 1 for index in expr.args[:2])
    return c.entry(c.identity(last - first + 1), i, j)


def _r_entrywise(r: _Reader, expr: Expr) -> Term:
    (slot,) = expr.function.variables
    body = expr.function.expr
    name = _function_names().get(type(body))
    if body == r.sp.sqrt(slot):
        name = "sqrt"
    if name is None or (name != "sqrt" and body.args != (slot,)):
        raise UnsupportedError(str(body), f"{expr}: the function {body} of entries has no Term")
    return c.entrywise(name, r.term(expr.expr))


def _r_hadamard(r: _Reader, expr: Expr) -> Term:
    first, *rest = (r.term(arg) for arg in expr.args)
    for other in rest:
        first = c.hadamard(first, other)
    return first


def _r_hadamard_power(r: _Reader, expr: Expr) -> Term:
    base, exponent = expr.args
    if not (exponent.is_Integer and 1 <= exponent <= 20):
        raise UnsupportedError("HadamardPower", f"{expr}: only entrywise powers 1 … 20 are supported")
    body = r.term(base)
    result = body
    for _ in range(int(exponent) - 1):
        result = c.hadamard(result, body)
    return result


def _r_kronecker(r: _Reader, expr: Expr) -> Term:
    first, *rest = (r.term(arg) for arg in expr.args)
    for other in rest:
        first = c.kronecker(first, other)
    return first


def _upright(term: Term) -> Term:
    """A vector as a column."""
    return c.transpose(term) if term.cols.constant != 1 and term.rows.constant == 1 else term


def _of_terms(constructor: Callable[..., Term], *, vectors: bool = False) -> _ReadRule:
    def rule(r: _Reader, expr: Expr) -> Term:
        parts = [r.term(arg) for arg in expr.args]
        return constructor(*map(_upright, parts)) if vectors else constructor(*parts)

    return rule


def _of_lengths(constructor: Callable[..., Term]) -> _ReadRule:
    return lambda r, expr: constructor(*(r.size(size) for size in expr.args))


@cache
def _function_names() -> dict[Any, str]:
    # The first of two names of one function wins: "log", which is what SymPy calls it.
    return {
        getattr(_sympy(), theirs): ours for ours, theirs in reversed(_FUNCTIONS.items()) if theirs != "sqrt"
    }


@cache
def _readers() -> dict[Any, _ReadRule]:
    sp = _sympy()
    table: dict[Any, _ReadRule] = {
        sp.Rational: lambda r, expr: c.number(Fraction(int(expr.p), int(expr.q))),
        sp.Float: lambda r, expr: r.refuse_float(expr),
        type(sp.E): lambda r, expr: c.entrywise("exp", c.number(1)),
        sp.Symbol: lambda r, expr: r.scalar_symbol(expr),
        sp.MatrixSymbol: _r_matrix_symbol,
        sp.MatrixBase: _r_explicit,
        sp.Identity: lambda r, expr: c.identity(r.size(expr.args[0])),
        sp.ZeroMatrix: _of_lengths(c.zero),
        sp.OneMatrix: _of_lengths(c.ones),
        sp.Mul: _r_product,
        sp.MatMul: _r_product,
        sp.Add: _r_sum,
        sp.MatAdd: _r_sum,
        sp.Pow: _r_power,
        sp.MatPow: _r_matrix_power,
        sp.Inverse: lambda r, expr: c.inverse(r.term(expr.arg)),
        sp.Transpose: _of_terms(c.transpose),
        sp.transpose: _of_terms(c.transpose),
        sp.Adjoint: _r_adjoint,
        sp.adjoint: _of_terms(c.adjoint),
        sp.conjugate: _of_terms(c.conjugate),
        sp.Trace: _of_terms(c.trace),
        sp.Determinant: _of_terms(c.determinant),
        sp.DotProduct: _of_terms(c.dot, vectors=True),
        sp.DiagMatrix: _of_terms(c.diag, vectors=True),
        sp.DiagonalOf: _of_terms(c.diagpart),
        sp.DiagonalMatrix: _of_terms(lambda term: c.diag(c.diagpart(term))),
        sp.HadamardProduct: _r_hadamard,
        sp.HadamardPower: _r_hadamard_power,
        sp.KroneckerProduct: _r_kronecker,
        sp.MatrixElement: _r_element,
        sp.MatrixSlice: _r_slice,
        sp.BlockMatrix: _r_blocks,
        sp.FunctionMatrix: _r_function_matrix,
        sp.PermutationMatrix: lambda r, expr: c.permutation(int(at) + 1 for at in expr.args[0].array_form),
        sp.KroneckerDelta: _r_delta,
        sp.ElementwiseApplyFunction: _r_entrywise,
        sp.Sum: _r_series,
        sp.Abs: _of_terms(lambda term: c.scalar_function("abs", term)),
    }
    for function, name in _function_names().items():
        table[function] = _of_terms(lambda term, name=name: c.entrywise(name, term))
    return table
