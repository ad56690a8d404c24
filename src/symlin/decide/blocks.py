"""Block matrices as sums EᵢMᵢⱼFⱼ: the matrices Eᵢ that put a block at its place, and how they multiply.

Offers `corner` and `corner_relations`; rests on `construct`.  Each relation is an equation that entries show, so that
a proof which uses it assumes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from symlin.construct import add, identity, matmul, rows, transpose, zero
from symlin.dims import Dim
from symlin.term import Term

Equation = tuple[Term, Term]


def corner(sizes: Sequence[Dim], place: int) -> Term | None:
    """The matrix Eᵢ of zeros and one identity that takes block i to its place; None where there is one block.

    Examples:
        >>> str(corner((Dim.of("m"), Dim.of("n")), 0).shape[0])
        'm + n'
    """
    if len(sizes) == 1:
        return None
    own = sizes[place]
    return rows([identity(own) if k == place else zero(n, own) for k, n in enumerate(sizes)])


def partition(atom: Term) -> tuple[Dim, ...] | None:
    """The sizes of the blocks when `atom` was made by `corner`; else None."""
    if atom.op != "rows":
        return None
    sizes = tuple(part.rows for part in atom.args)
    return sizes if any(corner(sizes, place) is atom for place in range(len(sizes))) else None


def corner_relations(sizes: Sequence[Dim]) -> list[Equation]:
    """EᵢᵀEⱼ is the identity or zero, and ΣEᵢEᵢᵀ = I."""
    every = [one for one in (corner(sizes, place) for place in range(len(sizes))) if one is not None]
    found: list[Equation] = []
    total = sizes[0]
    for size in sizes[1:]:
        total = total + size
    for i, left in enumerate(every):
        for j, right in enumerate(every):
            value = identity(sizes[i]) if i == j else zero(sizes[i], sizes[j])
            found.append((matmul(transpose(left), right), value))
    found.append((add(*(matmul(one, transpose(one)) for one in every)), identity(total)))
    return found
