r"""Products, sums and transposes of matrices of blocks, block by block.

Offers `blocks_view`; rests on `line_views` and `construct`.  The blocks are those that a matrix is written with; where a
symbol stands for a matrix of blocks, that is put in first.
"""

from __future__ import annotations

from typing import TypeAlias, cast

from symlin.construct import add, block, columns, matmul, neg, rows, scale, transpose, zero
from symlin.derive.derivation import Derivation
from symlin.derive.line_views import with_all
from symlin.derive.options import Options
from symlin.derive.steps import Step
from symlin.derive.unfold import plus
from symlin.errors import ShapeError, UnsupportedError
from symlin.term import Term, size_text

Grid: TypeAlias = list[list[Term]]

_REASONS = {
    "matmul": "matrices of blocks are multiplied like matrices of numbers, the factors of each block in this order",
    "power": "matrices of blocks are multiplied like matrices of numbers, the factors of each block in this order",
    "add": "matrices of blocks are added block by block",
    "neg": "the sign goes to each block",
    "scale": "a scalar multiplies each block",
    "transpose": "a transpose exchanges the places of the blocks and transposes each of them",
}


def blocks_view(start: Term, chosen: Options) -> Derivation:
    """The blocks of a product, a sum, a multiple or a transpose of matrices of blocks.

    Raises:
        UnsupportedError: no factor is written with blocks.
        ShapeError: the blocks do not fit.
    """
    steps: list[Step] = []
    term = with_all(start, chosen)
    if term is not start:
        steps.append(Step(term, "the blocks are put in", "values"))
    reason = _REASONS.get(term.op)
    grid = _grid(term) if reason is not None else None
    if reason is None or grid is None:
        what = "a product, a sum or a transpose of matrices of blocks"
        raise UnsupportedError(
            "the view by blocks",
            f"{term} is not {what}; write them with their blocks, or say what a name stands for "
            r"(A=\begin{bmatrix}A_1 & A_2\end{bmatrix})",
        )
    steps.append(Step(_assembled(grid), reason, "blocks"))
    simple = _assembled([[_without_zeros(cell) for cell in line] for line in grid])
    if simple is not steps[-1].term:
        steps.append(Step(simple, "products with zero blocks are zero, and identity blocks change nothing"))
    return Derivation(start, tuple(steps))


def _assembled(grid: Grid) -> Term:
    if len(grid) == len(grid[0]) == 1:
        return grid[0][0]
    if len(grid) == 1:
        return columns(grid[0])
    return rows([line[0] for line in grid]) if len(grid[0]) == 1 else block(grid)


def _grid(term: Term) -> Grid | None:
    """The blocks of a Term, or None where it has none."""
    match term.op:
        case "block":
            width = cast(int, term.data[1])
            return [list(term.args[at : at + width]) for at in range(0, len(term.args), width)]
        case "columns":
            return [list(term.args)]
        case "rows":
            return [[part] for part in term.args]
        case "transpose":
            inner = _grid(term.args[0])
            return (
                None
                if inner is None
                else [[_flipped(line[j]) for line in inner] for j in range(len(inner[0]))]
            )
        case "neg":
            inner = _grid(term.args[0])
            return None if inner is None else [[neg(cell) for cell in line] for line in inner]
        case "scale":
            inner = _grid(term.args[1])
            return None if inner is None else [[scale(term.args[0], cell) for cell in line] for line in inner]
        case "add":
            return _sum(term)
        case "matmul":
            return _product(list(term.args))
        case "power":
            exponent = getattr(term.data[0], "constant", None)
            return _product([term.args[0]] * exponent) if exponent is not None and exponent > 1 else None
    return None


def _flipped(cell: Term) -> Term:
    return cell.args[0] if cell.op == "transpose" else transpose(cell)


def _sum(term: Term) -> Grid | None:
    grids = [_grid(arg) for arg in term.args]
    found = [grid for grid in grids if grid is not None]
    if len(found) != len(grids):
        return None
    sizes = {(len(grid), len(grid[0])) for grid in found}
    if len(sizes) > 1:
        raise ShapeError(f"the terms of {term} are not cut into blocks in the same way")
    return [
        [plus([grid[i][j] for grid in found]) for j in range(len(found[0][0]))] for i in range(len(found[0]))
    ]


def _product(factors: list[Term]) -> Grid | None:
    """The product of grids; a factor without blocks is one block of its own where that fits."""
    grids = [_grid(factor) for factor in factors]
    if all(grid is None for grid in grids):
        return None
    whole = [grid if grid is not None else [[factor]] for grid, factor in zip(grids, factors, strict=True)]
    total = whole[0]
    for right in whole[1:]:
        total = _times(total, right)
    return total


def _times(left: Grid, right: Grid) -> Grid:
    if len(left[0]) != len(right):
        raise ShapeError(
            f"{len(left[0])} blocks in a row of the left factor do not match {len(right)} blocks in a column "
            "of the right one"
        )
    for one, other in zip(left[0], (line[0] for line in right), strict=True):
        if one.cols != other.rows:
            raise ShapeError(
                f"the block {one} is {size_text(one.shape)} and {other} is {size_text(other.shape)}: the factors "
                "are cut at different places"
            )
    return [
        [plus([matmul_flat(line[k], right[k][j]) for k in range(len(right))]) for j in range(len(right[0]))]
        for line in left
    ]


def matmul_flat(left: Term, right: Term) -> Term:
    """One flat product; a sum on a side stays a factor of its own."""
    flat = [part for side in (left, right) for part in (side.args if side.op == "matmul" else (side,))]
    return matmul(*flat)


def _without_zeros(cell: Term) -> Term:
    """A sum of products without those that have a zero factor, and without identity factors."""
    terms = cell.args if cell.op == "add" else (cell,)
    left = [_without_identities(one) for one in terms if not _is_zero(one)]
    if not left:
        return zero(cell.rows, cell.cols)
    return left[0] if len(left) == 1 else add(*left)


def _is_zero(term: Term) -> bool:
    if term.op in ("neg", "transpose"):
        return _is_zero(term.args[0])
    return term.op == "zero" or (term.op in ("matmul", "scale") and any(_is_zero(arg) for arg in term.args))


def _without_identities(term: Term) -> Term:
    if term.op != "matmul":
        return term
    left = [arg for arg in term.args if arg.op != "identity"]
    return matmul(*left) if left else term.args[0]
