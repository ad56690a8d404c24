"""What a declared property says: symmetric, orthogonal, idempotent … as equations.

Offers `PROPERTIES` and `property_equations`; rests on `construct`.  An equation here is one that every source agrees on;
where authors differ (a projection may have to be symmetric), proofs get the weaker reading.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from symlin.construct import adjoint, conjugate, identity, inverse, matmul, neg, ones, power, transpose, zero
from symlin.errors import ShapeError
from symlin.term import Term, size_text

Equation = tuple[Term, Term]


@dataclass(frozen=True, slots=True)
class Property:
    """One property of a matrix.

    Args:
        equations: what it says of a matrix.
        square: whether only a square matrix can have it.
        source: where it is defined.
        complex_entries: whether it speaks of complex entries.
    """

    equations: Callable[[Term], list[Equation]]
    source: str
    square: bool = True
    complex_entries: bool = False


_HJ = "Horn and Johnson, Matrix Analysis, 2nd ed."


def _unit(matrix: Term) -> Term:
    return identity(matrix.rows)


def _permutation(matrix: Term) -> list[Equation]:
    """PᵀP = PPᵀ = I, and rows and columns add to 1; that entries are 0 or 1 is left to the search for values."""
    column = ones(matrix.rows, 1)
    return [
        (matmul(transpose(matrix), matrix), _unit(matrix)),
        (matmul(matrix, transpose(matrix)), _unit(matrix)),
        (matmul(matrix, column), column),
        (matmul(transpose(matrix), column), column),
    ]


PROPERTIES: dict[str, Property] = {
    "symmetric": Property(lambda A: [(transpose(A), A)], f"{_HJ}, 0.2.5"),
    "skew": Property(lambda A: [(transpose(A), neg(A))], f"{_HJ}, 0.2.5"),
    "hermitian": Property(lambda A: [(adjoint(A), A)], f"{_HJ}, 0.2.5", complex_entries=True),
    "orthogonal": Property(
        lambda A: [(matmul(transpose(A), A), _unit(A)), (matmul(A, transpose(A)), _unit(A))], f"{_HJ}, 2.1.3"
    ),
    "unitary": Property(
        lambda A: [(matmul(adjoint(A), A), _unit(A)), (matmul(A, adjoint(A)), _unit(A))],
        f"{_HJ}, 2.1.3",
        complex_entries=True,
    ),
    "idempotent": Property(lambda A: [(power(A, 2), A)], f"{_HJ}, 0.9.13"),
    "projection": Property(lambda A: [(power(A, 2), A)], f"{_HJ}, 0.9.13"),
    "involution": Property(lambda A: [(power(A, 2), _unit(A))], f"{_HJ}, 0.9.13"),
    "nilpotent": Property(lambda A: [(power(A, A.rows), zero(*A.shape))], f"{_HJ}, 0.9.13"),
    "permutation": Property(_permutation, f"{_HJ}, 0.9.5"),
    "invertible": Property(
        lambda A: [(matmul(A, inverse(A)), _unit(A)), (matmul(inverse(A), A), _unit(A))], f"{_HJ}, 0.5"
    ),
    "real": Property(lambda A: [(conjugate(A), A)], f"{_HJ}, 0.1", square=False),
}
"""By the word of a declaration.  Real entries are an equation only where complex ones occur."""


def is_complex(properties: Iterable[str]) -> bool:
    """Whether a property speaks of complex entries."""
    return any(
        name == "complex" or (name in PROPERTIES and PROPERTIES[name].complex_entries) for name in properties
    )


def property_equations(
    matrix: Term, properties: Iterable[str], complex_entries: bool = False
) -> list[Equation]:
    """What the properties of a matrix say, as equations.

    Args:
        matrix: the symbol.
        properties: words such as "symmetric" or "nilpotent 3"; others say nothing here.
        complex_entries: whether complex entries occur.

    Raises:
        ShapeError: a property that only square matrices have.

    Examples:
        >>> from symlin.construct import symbol
        >>> [f"{s} = {t}" for s, t in property_equations(symbol("N", "n", "n"), ["nilpotent 3"])]
        ['N^3 = 0']
    """
    found: list[Equation] = []
    for text in sorted(properties):
        name, _, index = text.partition(" ")
        meaning = PROPERTIES.get(name)
        if meaning is None or (name == "real" and not complex_entries):
            continue
        if meaning.square and matrix.rows != matrix.cols:
            what = f"{matrix} is {size_text(matrix.shape)}"
            raise ShapeError(f"{what}, but only a square matrix can be {name}", what, name)
        if index:
            found.append((power(matrix, int(index)), zero(*matrix.shape)))
        else:
            found += meaning.equations(matrix)
    return found
