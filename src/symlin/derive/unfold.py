r"""One definition at a time: what an entry of a product, a transpose, a sum … is by definition.

Offers `unfold_entry`, `unfold_scalar` and the table of definitions; rests on `construct`.  Each definition takes the
entry (i, j) of one constructor to entries of its parts and says why in words; nothing is computed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import TypeAlias, cast

from symlin.construct import (
    add,
    conjugate,
    divide,
    entry,
    entrywise,
    identity,
    matmul,
    neg,
    number,
    scale,
    size,
    sum_over,
)
from symlin.derive.letters import DIAGONAL_LETTERS, Letters
from symlin.dims import ONE, ZERO, Dim
from symlin.term import Term, dim_symbols, make, substitute

WRITE_OUT = 8
"""A sum over at most this many values is written out."""


@dataclass(frozen=True, slots=True)
class Unfolded:
    """What something is by definition, and the definition in words."""

    term: Term
    reason: str


@dataclass(frozen=True, slots=True)
class Place:
    """Where a definition is unfolded.

    Args:
        letters: what letters are taken.
        scope: letters bound around the place.
        write_out: sums over at most this many values are written out.
    """

    letters: Letters
    scope: tuple[str, ...] = field(default=())
    write_out: int = WRITE_OUT

    def index(self, *used: Dim | Term, first: tuple[str, ...] = ()) -> str:
        """A letter for a sum in which these indices and parts occur."""
        names = set(self.scope)
        for one in used:
            names |= one.symbols if isinstance(one, Dim) else dim_symbols(one)
        return self.letters.fresh(names, first)

    def sum(self, index: str, count: Dim, body: Term) -> Term:
        """The sum of `body` over index = 1 … count, written out when it is short."""
        if count.constant is not None and count.constant <= self.write_out:
            return plus([seen_through(body, index, Dim.of(at)) for at in range(1, count.constant + 1)])
        return sum_over(index, 1, count, body)


def seen_through(body: Term, index: str, at: Dim) -> Term:
    """The body of a sum at one value of its index, with the entries of given numbers looked up."""
    return _looked_up(substitute(body, {}, {index: at}))


def _looked_up(term: Term) -> Term:
    if term.op == "entry":
        i, j = cast("tuple[Dim, Dim]", term.data)
        return parts_scalar(term.args[0], i, j) if term.args[0].op == "literal" else term
    if term.op not in ("scale", "add", "neg", "sum", "entrywise", "divide"):
        return term
    args = tuple(_looked_up(arg) for arg in term.args)
    return term if args == term.args else make(term.op, *args, data=term.data)


def plus(members: Iterable[Term]) -> Term:
    """One flat sum."""
    flat = [part for member in members for part in (member.args if member.op == "add" else (member,))]
    return add(*flat) if len(flat) > 1 else flat[0]


Definition: TypeAlias = Callable[[Term, Dim, Dim, Place], "Unfolded | None"]


def unfold_entry(term: Term, place: Place) -> Unfolded | None:
    """What an entry is by the definition of the constructor it is taken of; None when there is nothing to unfold.

    Examples:
        >>> from symlin.construct import symbol
        >>> A, B = symbol("A", "m", "n"), symbol("B", "n", "k")
        >>> found = unfold_entry((A @ B)["i", "j"], Place(Letters.of([A @ B])))
        >>> print(found.term, "|", found.reason)
        Σ_{ℓ=1}^{n} a_{iℓ} b_{ℓj} | an entry of a product is row times column
    """
    (base,) = term.args
    i, j = cast("tuple[Dim, Dim]", term.data)
    if base.is_scalar and base.op not in _WHOLE:
        return Unfolded(base, "a 1×1 matrix is its entry")
    definition = ENTRIES.get(base.op)
    return definition(base, i, j, place) if definition is not None else None


_WHOLE = frozenset(
    {"literal", "row", "column", "columns", "rows", "block", "column_family", "row_family", "transpose"}
)


def unfold_scalar(term: Term, place: Place) -> Unfolded | None:
    """What a scalar that is no entry is by definition: a trace, a dot product, a row times a column."""
    definition = SCALARS.get(term.op)
    if definition is not None:
        return definition(term, place)
    if term.is_scalar and term.op in ("matmul", "transpose", "row", "column") and not _simple_product(term):
        found = ENTRIES[term.op](term, ONE, ONE, place)
        if found is not None and term.op == "matmul":
            return Unfolded(found.term, "a row times a column is the sum of the products of their entries")
        return found
    return None


def _simple_product(term: Term) -> bool:
    return term.op == "matmul" and all(arg.is_scalar for arg in term.args)


# --- entries --------------------------------------------------------------------------------------------------


def parts_scalar(term: Term, i: Dim, j: Dim) -> Term:
    """The entry (i, j), or the scalar itself where the Term is 1×1; rows, columns and given numbers are seen through."""
    if term.is_scalar and term.op not in _WHOLE:
        return term
    if term.op == "row":
        return parts_scalar(term.args[0], cast(Dim, term.data[0]), j)
    if term.op == "column":
        return parts_scalar(term.args[0], i, cast(Dim, term.data[0]))
    if term.op == "transpose" and term.args[0].op in ("row", "column", "literal"):
        return parts_scalar(term.args[0], j, i)
    if term.op == "literal" and i.constant is not None and j.constant is not None:
        return term.args[(i.constant - 1) * cast(int, term.data[1]) + j.constant - 1]
    return entry(term, i, j)


def product(*factors: Term) -> Term:
    """Scalars multiplied, from the right: a(b(c…))."""
    *rest, result = factors
    for factor in reversed(rest):
        result = scale(factor, result)
    return result


def _matmul(term: Term, i: Dim, j: Dim, place: Place) -> Unfolded:
    factors = term.args
    body: list[Term] = []
    bound: list[tuple[str, Dim]] = []
    scope = place
    left = i
    for at, factor in enumerate(factors):
        if at == len(factors) - 1:
            right = j
        elif factor.cols == ONE:
            right = ONE
        else:
            letter = scope.index(i, j, *factors)
            scope = Place(scope.letters, (*scope.scope, letter), scope.write_out)
            bound.append((letter, factor.cols))
            right = Dim.symbol(letter)
        body.append(parts_scalar(factor, left, right))
        left = right
    result = product(*body)
    for letter, count in reversed(bound):
        result = place.sum(letter, count, result)
    several = len(bound) > 1
    reason = (
        "an entry of a product of several matrices is a sum over all inner indices"
        if several
        else ROW_TIMES_COLUMN
    )
    return Unfolded(result, reason if bound else "an entry of a column times a row is one product")


ROW_TIMES_COLUMN = "an entry of a product is row times column"


def _power(term: Term, i: Dim, j: Dim, place: Place) -> Unfolded | None:
    exponent = cast(Dim, term.data[0]).constant
    (base,) = term.args
    if exponent is None or not 1 <= exponent <= place.write_out:
        return None
    repeated = entry(matmul(*[base] * exponent), i, j)
    return Unfolded(
        repeated, f"a power is a product of {exponent} factors" if exponent > 1 else "a first power"
    )


def _add(term: Term, i: Dim, j: Dim, place: Place) -> Unfolded:
    return Unfolded(add(*(parts_scalar(arg, i, j) for arg in term.args)), "matrices are added entry by entry")


def _neg(term: Term, i: Dim, j: Dim, place: Place) -> Unfolded:
    return Unfolded(neg(parts_scalar(term.args[0], i, j)), "the sign goes to each entry")


def _scale(term: Term, i: Dim, j: Dim, place: Place) -> Unfolded:
    factor, body = term.args
    return Unfolded(scale(factor, parts_scalar(body, i, j)), "a scalar multiplies each entry")


def _divide(term: Term, i: Dim, j: Dim, place: Place) -> Unfolded:
    body, by = term.args
    return Unfolded(divide(parts_scalar(body, i, j), by, cast(str, term.data[0])), "each entry is divided")


def _transpose(term: Term, i: Dim, j: Dim, place: Place) -> Unfolded:
    return Unfolded(parts_scalar(term.args[0], j, i), "a transpose exchanges rows and columns")


def _conjugate(term: Term, i: Dim, j: Dim, place: Place) -> Unfolded:
    return Unfolded(conjugate(parts_scalar(term.args[0], i, j)), "each entry is conjugated")


def _adjoint(term: Term, i: Dim, j: Dim, place: Place) -> Unfolded:
    reason = "a conjugate transpose exchanges rows and columns and conjugates"
    return Unfolded(conjugate(parts_scalar(term.args[0], j, i)), reason)


def _hadamard(term: Term, i: Dim, j: Dim, place: Place) -> Unfolded:
    left, right = term.args
    reason = "an entrywise product multiplies entry by entry"
    return Unfolded(scale(parts_scalar(left, i, j), parts_scalar(right, i, j)), reason)


def _kronecker(term: Term, i: Dim, j: Dim, place: Place) -> Unfolded | None:
    left, right = term.args
    rows, cols = right.rows.constant, right.cols.constant
    if i.constant is None or j.constant is None or rows is None or cols is None:
        return None
    row, inner_row = divmod(i.constant - 1, rows)
    col, inner_col = divmod(j.constant - 1, cols)
    value = scale(
        parts_scalar(left, Dim.of(row + 1), Dim.of(col + 1)),
        parts_scalar(right, Dim.of(inner_row + 1), Dim.of(inner_col + 1)),
    )
    return Unfolded(value, "a Kronecker product multiplies every entry of the left factor into the right one")


def _delta(equal: Term, i: Dim, j: Dim, reason: str) -> Unfolded | None:
    """A value on the diagonal and 0 elsewhere, where the indices tell which."""
    if i == j:
        return Unfolded(equal, reason)
    if (i - j).constant is not None:
        return Unfolded(number(0), reason)
    return None


def delta(n: Dim, i: Dim, j: Dim) -> Term:
    """1 where i = j and 0 elsewhere: an entry of the identity."""
    return entry(identity(n), i, j)


def _identity(term: Term, i: Dim, j: Dim, place: Place) -> Unfolded | None:
    return _delta(number(1), i, j, "the identity has ones on the diagonal and zeros elsewhere")


def _diag(term: Term, i: Dim, j: Dim, place: Place) -> Unfolded | None:
    reason = "a diagonal matrix has its entries on the diagonal and zeros elsewhere"
    value = parts_scalar(term.args[0], i, ONE)
    return _delta(value, i, j, reason) or Unfolded(scale(value, delta(term.rows, i, j)), reason)


def _diagpart(term: Term, i: Dim, j: Dim, place: Place) -> Unfolded:
    return Unfolded(parts_scalar(term.args[0], i, i), "the diagonal consists of the entries (i, i)")


def _zero(term: Term, i: Dim, j: Dim, place: Place) -> Unfolded:
    return Unfolded(number(0), "every entry of a zero matrix is 0")


def _ones(term: Term, i: Dim, j: Dim, place: Place) -> Unfolded:
    return Unfolded(number(1), "every entry is 1")


def _unit(term: Term, i: Dim, j: Dim, place: Place) -> Unfolded | None:
    reason = "a unit vector has one 1 and zeros elsewhere"
    at = cast(Dim, term.data[0])
    return _delta(number(1), at, i, reason) or Unfolded(delta(term.rows, i, at), reason)


def _permutation(term: Term, i: Dim, j: Dim, place: Place) -> Unfolded | None:
    order = cast("tuple[int, ...]", term.data[0])
    if i.constant is None or j.constant is None:
        return None
    return Unfolded(
        number(int(order[i.constant - 1] == j.constant)), "a permutation matrix has one 1 in each row"
    )


def _literal(term: Term, i: Dim, j: Dim, place: Place) -> Unfolded | None:
    width = cast(int, term.data[1])
    if i.constant is None or j.constant is None:
        return None
    return Unfolded(term.args[(i.constant - 1) * width + j.constant - 1], "the entry as given")


def _row(term: Term, i: Dim, j: Dim, place: Place) -> Unfolded:
    return Unfolded(
        parts_scalar(term.args[0], cast(Dim, term.data[0]), j), "an entry of a row is an entry of the matrix"
    )


def _column(term: Term, i: Dim, j: Dim, place: Place) -> Unfolded:
    reason = "an entry of a column is an entry of the matrix"
    return Unfolded(parts_scalar(term.args[0], i, cast(Dim, term.data[0])), reason)


def _column_family(term: Term, i: Dim, j: Dim, place: Place) -> Unfolded:
    index, lo, _ = cast("tuple[str, Dim, Dim]", term.data)
    member = substitute(term.args[0], {}, {index: lo + j - ONE})
    return Unfolded(parts_scalar(member, i, ONE), "an entry of column j is an entry of the matrix")


def _row_family(term: Term, i: Dim, j: Dim, place: Place) -> Unfolded:
    index, lo, _ = cast("tuple[str, Dim, Dim]", term.data)
    member = substitute(term.args[0], {}, {index: lo + i - ONE})
    return Unfolded(parts_scalar(member, ONE, j), "an entry of row i is an entry of the matrix")


def _columns(term: Term, i: Dim, j: Dim, place: Place) -> Unfolded | None:
    return _in_grid(term, 1, len(term.args), i, j)


def _rows(term: Term, i: Dim, j: Dim, place: Place) -> Unfolded | None:
    return _in_grid(term, len(term.args), 1, i, j)


def _block(term: Term, i: Dim, j: Dim, place: Place) -> Unfolded | None:
    height, width = cast("tuple[int, int]", term.data)
    return _in_grid(term, height, width, i, j)


def _in_grid(term: Term, height: int, width: int, i: Dim, j: Dim) -> Unfolded | None:
    """The block that the entry lies in, where numbers tell which."""
    row = _locate((term.args[line * width].rows for line in range(height)), i)
    col = _locate((term.args[place].cols for place in range(width)), j)
    if row is None or col is None:
        return None
    part = term.args[row[0] * width + col[0]]
    return Unfolded(parts_scalar(part, row[1], col[1]), "the entry lies in this block")


def _locate(sizes: Iterator[Dim], index: Dim) -> tuple[int, Dim] | None:
    """Which part an index falls into, and the index within that part."""
    offset = ZERO
    for place, count in enumerate(sizes):
        inside = index - offset
        if count == ONE and inside == ONE:
            return place, ONE
        if inside.constant is None:
            return None
        if count.constant is None:
            # The index is at most a number and the part at least one row high: only its first row is sure.
            return (place, inside) if inside == ONE else None
        if inside.constant <= count.constant:
            return place, inside
        offset = offset + count
    return None


def _sum(term: Term, i: Dim, j: Dim, place: Place) -> Unfolded:
    index, lo, hi = cast("tuple[str, Dim, Dim]", term.data)
    (body,) = term.args
    if index in i.symbols | j.symbols:
        letter = place.index(i, j, body)
        body = substitute(body, {}, {index: Dim.symbol(letter)})
        index = letter
    return Unfolded(
        sum_over(index, lo, hi, parts_scalar(body, i, j)), "a sum of matrices is taken entry by entry"
    )


def _entrywise(term: Term, i: Dim, j: Dim, place: Place) -> Unfolded:
    name = cast(str, term.data[0])
    return Unfolded(entrywise(name, parts_scalar(term.args[0], i, j)), f"{name} is taken of each entry")


def _row_softmax(term: Term, i: Dim, j: Dim, place: Place) -> Unfolded:
    (scores,) = term.args
    letter = place.index(i, j, scores)
    bottom = place.sum(letter, scores.cols, entrywise("exp", parts_scalar(scores, i, Dim.symbol(letter))))
    top = entrywise("exp", parts_scalar(scores, i, j))
    return Unfolded(divide(top, bottom), "softmax divides each exponential by the sum of those in its row")


ENTRIES: dict[str, Definition] = {
    "matmul": _matmul,
    "power": _power,
    "add": _add,
    "neg": _neg,
    "scale": _scale,
    "divide": _divide,
    "transpose": _transpose,
    "conjugate": _conjugate,
    "adjoint": _adjoint,
    "hadamard": _hadamard,
    "kronecker": _kronecker,
    "identity": _identity,
    "diag": _diag,
    "diagpart": _diagpart,
    "zero": _zero,
    "ones": _ones,
    "unit": _unit,
    "permutation": _permutation,
    "literal": _literal,
    "row": _row,
    "column": _column,
    "column_family": _column_family,
    "row_family": _row_family,
    "columns": _columns,
    "rows": _rows,
    "block": _block,
    "sum": _sum,
    "entrywise": _entrywise,
    "row_softmax": _row_softmax,
}


# --- scalars --------------------------------------------------------------------------------------------------


def _trace(term: Term, place: Place) -> Unfolded:
    (base,) = term.args
    letter = place.index(base, first=DIAGONAL_LETTERS)
    at = Dim.symbol(letter)
    return Unfolded(
        place.sum(letter, base.rows, parts_scalar(base, at, at)), "a trace is the sum of the diagonal entries"
    )


def _dot(term: Term, place: Place) -> Unfolded:
    left, right = term.args
    letter = place.index(left, right)
    at = Dim.symbol(letter)
    body = scale(parts_scalar(left, at, ONE), parts_scalar(right, at, ONE))
    return Unfolded(
        place.sum(letter, left.rows, body), "a dot product is the sum of the products of the entries"
    )


def _size_one_sum(term: Term, place: Place) -> Unfolded | None:
    """A sum over a short range that was written with a sign is written out."""
    index, lo, hi = cast("tuple[str, Dim, Dim]", term.data)
    count = (hi - lo + ONE).constant
    if count is None or count > place.write_out or lo.constant is None:
        return None
    members = [seen_through(term.args[0], index, lo + offset) for offset in range(count)]
    return Unfolded(plus(members), "the sum is written out")


SCALARS: dict[str, Callable[[Term, Place], Unfolded | None]] = {
    "trace": _trace,
    "dot": _dot,
    "sum": _size_one_sum,
}


def counted(dim: Dim) -> Term:
    """A size as a number or a letter."""
    return number(dim.constant) if dim.constant is not None else size(dim)
