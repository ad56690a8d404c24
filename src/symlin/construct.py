"""One function for each constructor of Terms, with the field's standard name.

Offers `symbol`, `matmul`, `transpose`, `kronecker` and the like; rests on `term`, which computes and checks
every shape.  Nothing is simplified on the way: what is written is what stands in the Term.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from fractions import Fraction

from symlin.dims import Dim, DimLike
from symlin.errors import ShapeError
from symlin.term import Term, TermLike, as_term, make


def symbol(name: str, rows: DimLike, cols: DimLike = 1, style: str = "") -> Term:
    """A named matrix (rows × cols), column vector (cols 1) or scalar (1×1); `style` is how it is set ("bold", "vec")."""
    return make("symbol", data=(name, style, Dim.of(rows), Dim.of(cols)))


def number(value: int | Fraction, decimals: int = 0) -> Term:
    """An exact number; `decimals` remembers how many digits after the point were written."""
    return make("number", data=(Fraction(value), decimals))


def size(dim: DimLike) -> Term:
    """A size or index used as a scalar."""
    return make("size", data=(Dim.of(dim),))


def opaque(value: Hashable) -> Term:
    """A scalar that symlin does not look into."""
    return make("opaque", data=(value,))


def literal(rows: Iterable[Iterable[TermLike]]) -> Term:
    """A matrix of explicit scalar entries, given by rows."""
    grid = [[as_term(value) for value in line] for line in rows]
    if len({len(line) for line in grid}) > 1:
        raise ShapeError(
            "the rows of a matrix differ in length: " + ", ".join(str(len(line)) for line in grid)
        )
    return make(
        "literal", *(value for line in grid for value in line), data=(len(grid), len(grid[0]) if grid else 0)
    )


def identity(n: DimLike) -> Term:
    """The n×n identity."""
    return make("identity", data=(Dim.of(n),))


def zero(rows: DimLike, cols: DimLike = 1) -> Term:
    """The zero matrix."""
    return make("zero", data=(Dim.of(rows), Dim.of(cols)))


def ones(rows: DimLike, cols: DimLike = 1) -> Term:
    """The matrix of ones."""
    return make("ones", data=(Dim.of(rows), Dim.of(cols)))


def unit(i: DimLike, n: DimLike) -> Term:
    """The i-th unit column with n entries."""
    return make("unit", data=(Dim.of(i), Dim.of(n)))


def permutation(order: Iterable[int]) -> Term:
    """The permutation matrix whose row i is row p_i of the identity."""
    return make("permutation", data=(tuple(order),))


def add(*terms: Term) -> Term:
    """A + B + … as written: a sum in parentheses stays one term of the outer sum."""
    return make("add", *terms)


def neg(term: Term) -> Term:
    """-A."""
    return make("neg", term)


def scale(factor: Term, term: Term, side: str = "left") -> Term:
    """A scalar multiple; `side` says where the scalar is written."""
    return make("scale", factor, term, data=(side,))


def divide(term: Term, by: Term, form: str = "frac") -> Term:
    """A/s for a scalar s (a statement that uses it assumes s ≠ 0)."""
    return make("divide", term, by, data=(form,))


def matmul(*factors: Term) -> Term:
    """The product of conformable factors as written: a product in parentheses stays one factor."""
    return make("matmul", *factors) if len(factors) > 1 else factors[0]


def power(term: Term, exponent: DimLike) -> Term:
    """A^k, k an integer or a symbol (a negative k assumes that the inverse exists)."""
    return make("power", term, data=(Dim.of(exponent),))


def transpose(term: Term) -> Term:
    """Aᵀ."""
    return make("transpose", term)


def conjugate(term: Term) -> Term:
    """The entrywise complex conjugate."""
    return make("conjugate", term)


def adjoint(term: Term) -> Term:
    """The conjugate transpose Aᴴ."""
    return make("adjoint", term)


def inverse(term: Term) -> Term:
    """A⁻¹ (a statement that uses it assumes that it exists)."""
    return make("inverse", term)


def pseudoinverse(term: Term) -> Term:
    """The Moore–Penrose pseudoinverse A⁺."""
    return make("pseudoinverse", term)


def trace(term: Term) -> Term:
    """tr A."""
    return make("trace", term)


def determinant(term: Term) -> Term:
    """det A."""
    return make("determinant", term)


def dot(left: Term, right: Term) -> Term:
    """u·v = uᵀv of two columns, without conjugation."""
    return make("dot", left, right)


def hadamard(left: Term, right: Term) -> Term:
    """The entrywise product A∘B."""
    return make("hadamard", left, right)


def kronecker(left: Term, right: Term) -> Term:
    """The Kronecker product A⊗B."""
    return make("kronecker", left, right)


def diag(term: Term) -> Term:
    """The diagonal matrix with the entries of a column."""
    return make("diag", term)


def diagpart(term: Term) -> Term:
    """The diagonal of a square matrix, as a column."""
    return make("diagpart", term)


def vec(term: Term) -> Term:
    """The columns of a matrix stacked into one column."""
    return make("vec", term)


def entry(term: Term, i: DimLike, j: DimLike) -> Term:
    """The (i, j)-entry, counted from 1."""
    return make("entry", term, data=(Dim.of(i), Dim.of(j)))


def row(term: Term, i: DimLike) -> Term:
    """Row i, 1×n."""
    return make("row", term, data=(Dim.of(i),))


def column(term: Term, j: DimLike) -> Term:
    """Column j, m×1."""
    return make("column", term, data=(Dim.of(j),))


def columns(parts: Iterable[Term]) -> Term:
    """Columns (or blocks) side by side."""
    return make("columns", *parts)


def rows(parts: Iterable[Term]) -> Term:
    """Rows (or blocks) stacked."""
    return make("rows", *parts)


def column_family(index: str, lo: DimLike, hi: DimLike, body: Term) -> Term:
    """[c_lo … c_hi], where c_j is `body` with j = index."""
    return make("column_family", body, data=(index, Dim.of(lo), Dim.of(hi)))


def row_family(index: str, lo: DimLike, hi: DimLike, body: Term) -> Term:
    """Rows r_lo … r_hi stacked, where r_i is `body` with i = index."""
    return make("row_family", body, data=(index, Dim.of(lo), Dim.of(hi)))


def block(grid: Iterable[Iterable[Term]]) -> Term:
    """A matrix of blocks, given by rows of blocks."""
    lines = [list(line) for line in grid]
    if len({len(line) for line in lines}) > 1:
        raise ShapeError("the rows of a block matrix differ in length")
    return make(
        "block", *(part for line in lines for part in line), data=(len(lines), len(lines[0]) if lines else 0)
    )


def sum_over(index: str, lo: DimLike, hi: DimLike, body: Term) -> Term:
    """The sum of `body` for index = lo, …, hi."""
    return make("sum", body, data=(index, Dim.of(lo), Dim.of(hi)))


def apply(name: str, rows: DimLike, argument: Term, style: str = "") -> Term:
    """f(x) for a map called `name` whose values have `rows` entries."""
    return make("apply", argument, data=(name, style, Dim.of(rows)))


def entrywise(name: str, term: Term) -> Term:
    """A scalar function applied in each entry."""
    return make("entrywise", term, data=(name,))


def row_softmax(term: Term) -> Term:
    """Each row turned into weights exp(s_j) / Σ exp(s_ℓ)."""
    return make("row_softmax", term)


def scalar_function(name: str, *arguments: Term) -> Term:
    """A named scalar of its arguments (rank, norm, …) that symlin types but need not decide."""
    return make("scalar_function", *arguments, data=(name,))
