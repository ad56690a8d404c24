"""From a combination of equations to a theorem: the kernel expands what the basis found.

Offers `Combiner`; rests on `groebner` for the histories and on `equations` for the kernel's rules.
Histories are written out down to the equations given where that stays short; else elements of the basis become lemmas.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from fractions import Fraction

from symlin.construct import identity, matmul, number, scale, trace
from symlin.decide.equations import Cofactor, Known, combined, congruent, same
from symlin.decide.free_algebra import Converter
from symlin.decide.groebner import Basis, Shape, Use
from symlin.dims import ONE
from symlin.errors import BudgetError, ProofError
from symlin.term import Term

LONGEST = 80
"""A combination of at most this many pieces is written out without lemmas."""
PATIENCE = 2.0
"""So many seconds are spent in finding equations whose multiples cancel."""
Place = tuple[tuple[str, ...], str, int, str, str, str]


class Combiner:
    """Makes theorems from the history of a basis."""

    def __init__(self, basis: Basis, converter: Converter) -> None:
        self.basis = basis
        self.converter = converter
        self.alphabet = basis.alphabet
        self._given: dict[int, Known] = {}
        self._flat: dict[int, dict[Place, Fraction]] = {}

    def combine(self, uses: Iterable[Use], lhs: Term, rhs: Term) -> Known:
        """⊢ lhs = rhs, where lhs - rhs is the sum of the uses."""
        uses = list(uses)
        try:
            flat = self._flattened(uses)
        except BudgetError:
            flat = self._merged(uses)
        pieces = []
        for (scalars, left, source, right, frame, body), coefficient in flat.items():
            use = Use(coefficient, scalars, left, source, right, frame, body)
            piece = self._piece(use, lhs.shape)
            if piece[1].theorem.hypotheses or piece[1].theorem.axioms:
                pieces.append((source, piece))
        return _least(lhs, rhs, pieces)

    def equation(self, source: int, lhs: Term, rhs: Term) -> Known:
        """⊢ lhs = rhs, where lhs - rhs is an element of the basis."""
        return self.combine([Use(Fraction(1), (), "", source, "")], lhs, rhs)

    def from_zero(self, lhs: Term, rhs: Term, nothing: Known) -> Known:
        """⊢ lhs = rhs from ⊢ lhs - rhs = 0, written in whatever way."""
        return combined(lhs, rhs, [((number(1), None, None), nothing)])

    # --- writing out ---

    def _merged(self, uses: Iterable[Use]) -> dict[Place, Fraction]:
        total: dict[Place, Fraction] = {}
        for use in uses:
            _count(total, _place(use), use.coefficient)
        return total

    def _flattened(self, uses: Iterable[Use]) -> dict[Place, Fraction]:
        """The uses in terms of the equations given.

        Raises:
            BudgetError: there would be too many, or one has no such form.
        """
        total: dict[Place, Fraction] = {}
        for use in uses:
            if self.basis.entries[use.source].uses is None:
                _count(total, _place(use), use.coefficient)
                continue
            for place, coefficient in self._history(use.source).items():
                inner = Use(coefficient, *place)
                outer = self._inside(use, inner)
                _count(total, _place(outer), outer.coefficient)
            if len(total) > LONGEST:
                raise BudgetError("pieces", "the combination is long")
        return total

    def _history(self, source: int) -> dict[Place, Fraction]:
        found = self._flat.get(source)
        if found is None:
            entry = self.basis.entries[source]
            found = self._flat[source] = self._flattened(entry.uses or ())
        return found

    def _inside(self, outer: Use, inner: Use) -> Use:
        """What an outer use makes of an inner one: both as one use."""
        alphabet = self.alphabet
        coefficient = outer.coefficient * inner.coefficient
        scalars = tuple(sorted(outer.scalars + inner.scalars))
        if not inner.frame:
            left, right = outer.left + inner.left, inner.right + outer.right
            return Use(coefficient, scalars, left, inner.source, right, outer.frame, outer.body)
        word = outer.left + inner.body + outer.right
        if not outer.frame:
            scalars, body = alphabet.canonical(scalars, word)
        elif outer.frame == "scale":
            scalars, body = alphabet.canonical(scalars, word)[0], outer.body
        elif word:
            scalars, body = alphabet.traced(scalars, word)[0], outer.body
        else:
            raise BudgetError("traces", "the trace of an identity in a combination")
        return Use(coefficient, scalars, inner.left, inner.source, inner.right, inner.frame, body)

    # --- pieces for the kernel ---

    def _piece(self, use: Use, shape: Shape) -> tuple[Cofactor, Known]:
        known = self._theorem(use.source)
        alphabet = self.alphabet
        left = alphabet.term(use.left) if use.left else None
        right = alphabet.term(use.right) if use.right else None
        factor: Term = number(use.coefficient)
        for scalar in use.scalars:
            factor = scale(factor, alphabet.scalar_term(scalar))
        if not use.frame:
            return (factor, left, right), known
        sides = [
            known if side is known.lhs else same(side)
            for side in (left, known.lhs, right)
            if side is not None
        ]
        if len(sides) > 1:
            known = congruent(matmul(*(side.lhs for side in sides)), *sides)
        if use.frame == "trace":
            known = congruent(trace(known.lhs), known)
        if use.body or shape != (ONE, ONE):
            body = alphabet.term(use.body) if use.body else identity(shape[0])
            known = congruent(scale(known.lhs, body), known, same(body))
        return (factor, None, None), known

    def _theorem(self, source: int) -> Known:
        """The theorem of an element: as given, or a lemma."""
        found = self._given.get(source)
        if found is None:
            entry = self.basis.entries[source]
            if entry.uses is None:
                found = entry.given()
            else:
                lhs = self.alphabet.element_term(entry.element, entry.shape)
                rhs = self.alphabet.element_term({}, entry.shape)
                found = self.combine(entry.uses, lhs, rhs)
            self._given[source] = found
        return found


def _place(use: Use) -> Place:
    return use.scalars, use.left, use.source, use.right, use.frame, use.body


def _count(total: dict[Place, Fraction], place: Place, coefficient: Fraction) -> None:
    new = total.get(place, Fraction(0)) + coefficient
    if new:
        total[place] = new
    else:
        total.pop(place, None)


def _least(lhs: Term, rhs: Term, pieces: list[tuple[int, tuple[Cofactor, Known]]]) -> Known:
    """The combination without the equations whose multiples cancel, so that none is listed that is not used."""
    start = time.monotonic()
    known = combined(lhs, rhs, [piece for _, piece in pieces])
    for source in dict.fromkeys(source for source, _ in pieces):
        rest = [one for one in pieces if one[0] != source]
        try:
            known = combined(lhs, rhs, [piece for _, piece in rest])
        except ProofError:
            continue  # it is needed
        pieces = rest
        if time.monotonic() > start + PATIENCE:
            break
    return known
