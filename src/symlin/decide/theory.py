"""The theory: every named fact that a proof may use beyond expanding entries, each one equation with its source.

Offers `AXIOMS`, `theorem`, `is_listed` and `existence`; rests on the kernel.  An axiom is an equation between two
fixed Terms in letters of general size, and what a proof needs of it is obtained by the kernel's rule of instantiation,
so that checking a proof against this theory means comparing its axioms with this list.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from symlin import kernel
from symlin.construct import (
    adjoint,
    block,
    conjugate,
    determinant,
    identity,
    inverse,
    kronecker,
    matmul,
    number,
    power,
    scale,
    symbol,
    transpose,
    zero,
)
from symlin.dims import Dim
from symlin.kernel import Equation, Theorem
from symlin.statement import Statement
from symlin.term import Term, make, walk


@dataclass(frozen=True, slots=True)
class Axiom:
    """One named fact.

    Args:
        name: its name, MathComp's where MathComp has the fact.
        lhs: the left side, in the letters A, B, … of the general sizes m, n.
        rhs: the right side.
        conditions: what the letters and sizes are, in words; sizes and exponents j, k, m, n are at least 1.
        source: where it is proved.
        reason: the fact in words, for a reader of a derivation.
        hypotheses: equations under which it holds.
    """

    name: str
    lhs: Term
    rhs: Term
    conditions: str
    source: str
    reason: str
    hypotheses: tuple[Equation, ...] = ()


m, n, j, k = (Dim.symbol(name) for name in "mnjk")
A, B, C, D = (symbol(name, n, n) for name in "ABCD")
LETTERS = {
    "P": symbol("P", m, n),
    "Q": symbol("Q", n, m),
    "E": symbol("E", m, m),
    "c": symbol("c", 1, 1),
    "x": symbol("x", 1, 1),
    "y": symbol("y", 1, 1),
    "u": symbol("u", n, 1),
    "v": symbol("v", n, 1),
}
P, Q, E, c, x, y, u, v = LETTERS.values()
_ONE = number(1)
_SQUARE = "A, B: n×n"


def _times(*factors: Term) -> Term:
    """A product of scalars, nested to the right."""
    *front, last = factors
    for factor in reversed(front):
        last = scale(factor, last)
    return last


_HORN_JOHNSON = "Horn and Johnson, Matrix Analysis, 2nd ed."
_SOURCES = {
    "leibniz": f"{_HORN_JOHNSON}, 0.3.2; MathComp matrix.v",
    "product": f"{_HORN_JOHNSON}, 0.3.5; MathComp matrix.v",
    "block": f"{_HORN_JOHNSON}, 0.9.4; MathComp matrix.v",
    "schur": f"{_HORN_JOHNSON}, 0.8.5",
    "spectrum": f"{_HORN_JOHNSON}, theorem 1.3.22",
    "sylvester": "Sylvester 1851; Harville, Matrix Algebra From a Statistician's Perspective, 18.1",
    "kronecker": "Horn and Johnson, Topics in Matrix Analysis, section 4.2",
    "monoid": "powers in a ring, by induction on the exponent",
    "ring": "powers in a commutative ring; MathComp ssralg.v",
}

_LIST = (
    Axiom(
        "det_mulmx",
        determinant(matmul(A, B)),
        _times(determinant(A), determinant(B)),
        _SQUARE,
        _SOURCES["product"],
        "the determinant of a product of square matrices is the product of the determinants",
    ),
    Axiom(
        "det_tr",
        determinant(transpose(A)),
        determinant(A),
        "A: n×n",
        _SOURCES["leibniz"],
        "a matrix and its transpose have the same determinant",
    ),
    Axiom(
        "detZ",
        determinant(scale(c, A)),
        _times(power(c, n), determinant(A)),
        "A: n×n, c a scalar",
        _SOURCES["leibniz"],
        "a factor of the matrix comes out of each of its n rows",
    ),
    Axiom("det1", determinant(identity(n)), _ONE, "", _SOURCES["leibniz"], "the identity has determinant 1"),
    Axiom(
        "det_pow",
        determinant(power(A, k - 1)),
        power(determinant(A), k - 1),
        "A: n×n, the exponent k - 1 at least 0",
        _SOURCES["product"] + " (by induction)",
        "the determinant of a power is the power of the determinant",
    ),
    Axiom(
        "det_conj",
        determinant(conjugate(A)),
        conjugate(determinant(A)),
        "A: n×n",
        _SOURCES["leibniz"],
        "the determinant of the conjugate is the conjugate of the determinant",
    ),
    Axiom(
        "det_ublock",
        determinant(block([[E, P], [zero(n, m), A]])),
        _times(determinant(E), determinant(A)),
        "E: m×m, P: m×n, A: n×n",
        _SOURCES["block"],
        "a block triangular matrix has the product of the determinants of its diagonal blocks",
    ),
    Axiom(
        "det_lblock",
        determinant(block([[E, zero(m, n)], [Q, A]])),
        _times(determinant(E), determinant(A)),
        "E: m×m, Q: n×m, A: n×n",
        _SOURCES["block"],
        "a block triangular matrix has the product of the determinants of its diagonal blocks",
    ),
    Axiom(
        "det_schur_upper",
        determinant(block([[E, P], [Q, A]])),
        _times(determinant(E), determinant(A - matmul(Q, inverse(E), P))),
        "E: m×m invertible, P: m×n, Q: n×m, A: n×n",
        _SOURCES["schur"],
        "the determinant of a block and that of its Schur complement",
        ((matmul(E, inverse(E)), identity(m)),),
    ),
    Axiom(
        "det_schur_lower",
        determinant(block([[E, P], [Q, A]])),
        _times(determinant(A), determinant(E - matmul(P, inverse(A), Q))),
        "E: m×m, P: m×n, Q: n×m, A: n×n invertible",
        _SOURCES["schur"],
        "the determinant of a block and that of its Schur complement",
        ((matmul(A, inverse(A)), identity(n)),),
    ),
    Axiom(
        "det_block_columns",
        determinant(block([[P, E], [A, Q]])),
        _times(power(number(-1), m * n), determinant(block([[E, P], [Q, A]]))),
        "E: m×m, P: m×n, Q: n×m, A: n×n",
        _SOURCES["leibniz"] + " (m·n exchanges of columns)",
        "each of n columns moves past m others",
    ),
    Axiom(
        "det_kron",
        determinant(kronecker(E, A)),
        _times(power(determinant(E), n), power(determinant(A), m)),
        "E: m×m, A: n×n",
        _SOURCES["kronecker"],
        "the determinant of a Kronecker product",
    ),
    Axiom(
        "det_sylvester",
        determinant(identity(m) + matmul(P, Q)),
        determinant(identity(n) + matmul(Q, P)),
        "P: m×n, Q: n×m",
        _SOURCES["sylvester"],
        "Sylvester's identity det(I + PQ) = det(I + QP)",
    ),
    Axiom(
        "det_rank_one",
        determinant(scale(x, identity(n)) + matmul(u, transpose(v))),
        _times(power(x, n - 1), x + matmul(transpose(v), u)),
        "u, v: n, x a scalar",
        _SOURCES["sylvester"],
        "a multiple of the identity and a matrix of rank one",
    ),
    Axiom(
        "det_commute",
        determinant(scale(x, identity(n)) + matmul(A, B)),
        determinant(scale(x, identity(n)) + matmul(B, A)),
        f"{_SQUARE}, x a scalar",
        _SOURCES["spectrum"],
        "AB and BA have the same characteristic polynomial",
    ),
    Axiom(
        "exprD",
        power(x, j + k - 2),
        _times(power(x, j - 1), power(x, k - 1)),
        "x a scalar, the exponents j - 1 and k - 1 at least 0",
        _SOURCES["ring"],
        "exponents add",
    ),
    Axiom(
        "exprM",
        power(power(x, j - 1), k - 1),
        power(x, (j - 1) * (k - 1)),
        "x a scalar, the exponents j - 1 and k - 1 at least 0",
        _SOURCES["ring"],
        "exponents multiply",
    ),
    Axiom(
        "exprMn",
        power(_times(x, y), k - 1),
        _times(power(x, k - 1), power(y, k - 1)),
        "x, y scalars, the exponent k - 1 at least 0",
        _SOURCES["ring"],
        "the power of a product of scalars",
    ),
    Axiom(
        "expmxD",
        power(A, j + k - 2),
        matmul(power(A, j - 1), power(A, k - 1)),
        "A: n×n, the exponents j - 1 and k - 1 at least 0",
        _SOURCES["monoid"],
        "exponents add",
    ),
    Axiom(
        "expmxM",
        power(power(A, j - 1), k - 1),
        power(A, (j - 1) * (k - 1)),
        "A: n×n, the exponents j - 1 and k - 1 at least 0",
        _SOURCES["monoid"],
        "exponents multiply",
    ),
    Axiom(
        "expmxZ",
        power(scale(c, A), k - 1),
        scale(power(c, k - 1), power(A, k - 1)),
        "A: n×n, c a scalar, the exponent k - 1 at least 0",
        _SOURCES["monoid"],
        "the power of a multiple",
    ),
    Axiom(
        "exp1mx",
        power(identity(n), k - 1),
        identity(n),
        "the exponent k - 1 at least 0",
        _SOURCES["monoid"],
        "powers of the identity",
    ),
    Axiom(
        "trmxX",
        transpose(power(A, k - 1)),
        power(transpose(A), k - 1),
        "A: n×n, the exponent k - 1 at least 0",
        _SOURCES["monoid"],
        "the transpose of a power",
    ),
    Axiom(
        "map_mxX",
        conjugate(power(A, k - 1)),
        power(conjugate(A), k - 1),
        "A: n×n, the exponent k - 1 at least 0",
        _SOURCES["monoid"],
        "the conjugate of a power",
    ),
    Axiom(
        "expmx_shift",
        matmul(P, power(matmul(Q, P), k - 1)),
        matmul(power(matmul(P, Q), k - 1), P),
        "P: m×n, Q: n×m, the exponent k - 1 at least 0",
        _SOURCES["monoid"],
        "a factor moves past a power",
    ),
    Axiom(
        "conjmxX",
        power(matmul(B, A, inverse(B)), k - 1),
        matmul(B, power(A, k - 1), inverse(B)),
        "A, B: n×n, B invertible, the exponent k - 1 at least 0",
        _SOURCES["monoid"],
        "the power of a similar matrix",
        ((matmul(B, inverse(B)), identity(n)),),
    ),
    Axiom(
        "conjVmxX",
        power(matmul(inverse(B), A, B), k - 1),
        matmul(inverse(B), power(A, k - 1), B),
        "A, B: n×n, B invertible, the exponent k - 1 at least 0",
        _SOURCES["monoid"],
        "the power of a similar matrix",
        ((matmul(B, inverse(B)), identity(n)),),
    ),
    Axiom(
        "expr1n",
        power(_ONE, k - 1),
        _ONE,
        "the exponent k - 1 at least 0",
        _SOURCES["ring"],
        "powers of 1",
    ),
    Axiom(
        "exprVn",
        power(x, 1 - k),
        power(power(x, -1), k - 1),
        "x an invertible scalar, the exponent k - 1 at least 0",
        "definition of negative powers; MathComp ssralg.v (exprVn)",
        "negative powers are powers of the inverse",
        ((scale(x, power(x, -1)), _ONE),),
    ),
    Axiom(
        "expmxVn",
        power(A, 1 - k),
        power(inverse(A), k - 1),
        "A: n×n invertible, the exponent k - 1 at least 0",
        "definition of negative powers",
        "negative powers are powers of the inverse",
        ((matmul(A, inverse(A)), identity(n)),),
    ),
    Axiom(
        "signr_odd",
        power(power(number(-1), k), k),
        power(number(-1), k),
        "k at least 1",
        "k² and k are both even or both odd; MathComp ssralg.v",
        "the sign (-1)^k depends on the parity of k",
    ),
    Axiom(
        "mulmx1C",
        matmul(B, A),
        identity(n),
        _SQUARE,
        "MathComp matrix.v (mulmx1C); Horn and Johnson, Matrix Analysis, 2nd ed., 0.5",
        "a one-sided inverse of a square matrix is two-sided",
        ((matmul(A, B), identity(n)),),
    ),
    Axiom(
        "real_gram",
        P,
        zero(m, n),
        "P: m×n with real entries",
        f"{_HORN_JOHNSON}, 0.4.6 (the rank of AᵀA is that of A)",
        "a sum of squares of real numbers is zero only if all of them are",
        ((matmul(transpose(P), P), zero(n, n)),),
    ),
    Axiom(
        "complex_gram",
        P,
        zero(m, n),
        "P: m×n with complex entries",
        f"{_HORN_JOHNSON}, 0.4.6 (the rank of AᴴA is that of A)",
        "a sum of squares of absolute values is zero only if all of them are",
        ((matmul(adjoint(P), P), zero(n, n)),),
    ),
    Axiom(
        "conjX",
        conjugate(power(x, k - 1)),
        power(conjugate(x), k - 1),
        "x a scalar, the exponent k - 1 at least 0",
        "conjugation is a homomorphism of rings; MathComp ssralg.v (rmorphXn)",
        "the conjugate of a power",
    ),
)

AXIOMS: dict[str, Axiom] = {axiom.name: axiom for axiom in _LIST}
"""All axioms by name."""


@cache
def theorem(name: str) -> Theorem:
    """The axiom with this name as a theorem of the kernel.

    Examples:
        >>> print(theorem("det_mulmx"))
        ⊢ det(AB) = det(A)det(B)
        >>> sorted(name for name, *_ in theorem("det_tr").axioms)
        ['det_tr']
    """
    axiom = AXIOMS[name]
    return kernel.axiom(name, axiom.lhs, axiom.rhs, axiom.hypotheses)


def is_listed(name: str, lhs: Term, rhs: Term, hypotheses: Iterable[Equation] = ()) -> bool:
    """Whether this is an axiom of the theory, exactly as it stands there.

    Examples:
        >>> is_listed("det_tr", AXIOMS["det_tr"].lhs, AXIOMS["det_tr"].rhs)
        True
        >>> is_listed("det_tr", AXIOMS["det_tr"].lhs, number(1))
        False
    """
    axiom = AXIOMS.get(name)
    return (
        axiom is not None
        and (axiom.lhs, axiom.rhs) == (lhs, rhs)
        and frozenset(axiom.hypotheses) == frozenset(hypotheses)
    )


def existence(statement: Statement, complex_entries: bool = False) -> frozenset[Equation]:
    """What a statement assumes by writing inverses, negative powers of scalars and quotients, as equations; and
    the four equations that a pseudoinverse is defined by.

    Args:
        statement: what is stated.
        complex_entries: whether entries are complex, so that a pseudoinverse is defined with the conjugate transpose.

    Examples:
        >>> from symlin.construct import trace
        >>> sorted(f"{lhs} = {rhs}" for lhs, rhs in existence(Statement(trace(A.inv), trace(A))))
        ['AA^{-1} = I_n', 'A^{-1}A = I_n']
    """
    nodes = [node for side in (statement.lhs, statement.rhs) for node in walk(side)]
    defined = [equation for node in nodes for equation in penrose(node, complex_entries)]
    return frozenset([*(equation for node in nodes for equation in exists(node)), *defined])


def penrose(node: Term, complex_entries: bool = False) -> tuple[Equation, ...]:
    """The equations that define a pseudoinverse (Penrose, A generalized inverse for matrices, 1955).

    Examples:
        >>> [f"{lhs} = {rhs}" for lhs, rhs in penrose(make("pseudoinverse", LETTERS["P"]))]
        ['PP^+P = P', 'P^+PP^+ = P^+', '(PP^+)^T = PP^+', '(P^+P)^T = P^+P']
    """
    if node.op != "pseudoinverse":
        return ()
    turned = make("adjoint" if complex_entries else "transpose", matmul(node.args[0], node))
    other = make("adjoint" if complex_entries else "transpose", matmul(node, node.args[0]))
    (body,) = node.args
    return (
        (matmul(body, node, body), body),
        (matmul(node, body, node), node),
        (turned, matmul(body, node)),
        (other, matmul(node, body)),
    )


def exists(node: Term) -> tuple[Equation, ...]:
    """That what this constructor divides by can be divided by (parts not looked into)."""
    if node.op == "inverse":
        return _inverse_exists(node.args[0])
    if node.op == "power" and negative(node):
        (base,) = node.args
        if not node.is_scalar:
            return _inverse_exists(base)
        return ((scale(base, power(base, -1)), _ONE),)
    if node.op == "divide" and node.args[1].op != "number":
        return ((scale(node.args[1], make("divide", _ONE, node.args[1], data=("frac",))), _ONE),)
    return ()


def _inverse_exists(body: Term) -> tuple[Equation, ...]:
    one, other = identity(body.rows), inverse(body)
    return (matmul(body, other), one), (matmul(other, body), one)


def negative(node: Term) -> bool:
    """Whether a power is plainly one of the inverse: no coefficient of its exponent is positive."""
    (exponent,) = node.data
    return isinstance(exponent, Dim) and bool(exponent.terms) and all(c < 0 for _, c in exponent.terms)
