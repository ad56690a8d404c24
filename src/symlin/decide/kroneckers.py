"""Kronecker products in words: A⊗B is (A⊗I)(I⊗B), and what acts on different factors commutes.

Offers `lifted`, `contexts`, `commuting` and `lift`; rests on `construct`.  A lifted letter is I_l⊗X⊗I_r in one fixed way of
writing it; that two of them commute is an equation that entries show.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from symlin.construct import adjoint, conjugate, identity, kronecker, matmul, transpose
from symlin.dims import ONE, Dim
from symlin.term import Term

Equation = tuple[Term, Term]


class Lift(NamedTuple):
    """I_left ⊗ body ⊗ I_right."""

    left: Dim
    body: Term
    right: Dim

    @property
    def term(self) -> Term:
        """The one way in which it is written."""
        return lift(self.body, self.left, self.right)


def lift(body: Term, left: Dim, right: Dim) -> Term:
    """I_left ⊗ (body ⊗ I_right), without what is 1.

    Examples:
        >>> from symlin.construct import symbol
        >>> str(lift(symbol("A", "n", "n"), ONE, Dim.of("m")))
        'A⊗I_m'
    """
    inner = body if right == ONE else kronecker(body, identity(right))
    return inner if left == ONE else kronecker(identity(left), inner)


def parsed(atom: Term) -> Lift:
    """A letter as I_l⊗X⊗I_r."""
    left, right = ONE, ONE
    while atom.op == "kronecker":
        if atom.args[0].op == "identity":
            left, atom = left * atom.args[0].rows, atom.args[1]
        elif atom.args[1].op == "identity":
            right, atom = atom.args[1].rows * right, atom.args[0]
        else:
            break
    return Lift(left, atom, right)


def lifted(atom: Term, left: Dim, right: Dim) -> Term:
    """I_left ⊗ atom ⊗ I_right, where the atom may be lifted already."""
    inner = parsed(atom)
    return lift(inner.body, left * inner.left, inner.right * right)


def contexts(atoms: Iterable[Term], bodies: Iterable[Term]) -> list[tuple[Dim, Dim]]:
    """How these bodies are lifted among the letters."""
    wanted = set(bodies)
    found = [(one.left, one.right) for one in map(parsed, atoms) if one.body in wanted]
    return [pair for pair in dict.fromkeys(found) if pair != (ONE, ONE)]


def commuting(atoms: Iterable[Term], complex_entries: bool) -> list[Equation]:
    """(X⊗I)(I⊗Y) = (I⊗Y)(X⊗I) for the lifted letters X and Y and their transposes, with the sizes that fit."""
    lifts = [one for one in map(parsed, atoms) if (one.left, one.right) != (ONE, ONE)]
    found: list[Equation] = []
    for first in lifts:
        for second in lifts:
            for X in _variants(first.body, complex_entries):
                for Y in _variants(second.body, complex_entries):
                    found += _exchange(Lift(first.left, X, first.right), Lift(second.left, Y, second.right))
    return list(dict.fromkeys(found))


def _variants(body: Term, complex_entries: bool) -> list[Term]:
    plain = [body, transpose(body)]
    return [*plain, conjugate(body), adjoint(body)] if complex_entries else plain


def _exchange(x: Lift, y: Lift) -> list[Equation]:
    """The equation for X to the left of Y among the factors, when their product is defined."""
    found = []
    # Either X stands on the left of the product, or Y does.
    for rows, cols in ((y.body.rows, x.body.cols), (y.body.cols, x.body.rows)):
        gap = _quotient(y.left, x.left * cols)
        if gap is None or x.right != gap * rows * y.right:
            continue
        m, n = x.body.shape
        p, q = y.body.shape
        if (rows, cols) == (p, n):
            one = lift(x.body, x.left, gap * p * y.right), lift(y.body, x.left * n * gap, y.right)
            two = lift(y.body, x.left * m * gap, y.right), lift(x.body, x.left, gap * q * y.right)
            found.append((matmul(*one), matmul(*two)))
        if (rows, cols) == (q, m):
            one = lift(y.body, x.left * m * gap, y.right), lift(x.body, x.left, gap * q * y.right)
            two = lift(x.body, x.left, gap * p * y.right), lift(y.body, x.left * n * gap, y.right)
            found.append((matmul(*one), matmul(*two)))
    return found


def _quotient(whole: Dim, part: Dim) -> Dim | None:
    """whole / part where that is plain."""
    if whole == part:
        return ONE
    if part == ONE:
        return whole
    if len(whole.terms) != 1 or len(part.terms) != 1:
        return None
    (above, c), (below, d) = whole.terms[0], part.terms[0]
    powers = dict(above)
    for name, power in below:
        powers[name] = powers.get(name, 0) - power
    if c % d or any(power < 0 for power in powers.values()):
        return None
    return Dim({tuple(sorted((name, power) for name, power in powers.items() if power)): c // d})
