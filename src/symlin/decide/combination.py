"""From a combination of equations to a theorem: the kernel expands what the basis found.

Offers `Combiner`; rests on `groebner` for the histories and on `equations` for the kernel's rules.
Histories are written out down to the equations given where that stays short; else elements of the basis become lemmas.
"""

from __future__ import annotations

from collections.abc import Iterable

from symlin.construct import identity, matmul, number, scale, trace
from symlin.decide.equations import Cofactor, Known, combined, congruent, same
from symlin.decide.free_algebra import Coefficient, Converter, Element, add_to
from symlin.decide.groebner import Basis, Shape, Use
from symlin.dims import ONE
from symlin.errors import BudgetError
from symlin.term import Term

LONGEST = 80
"""A combination of at most this many pieces is written out without lemmas."""
Place = tuple[tuple[str, ...], str, int, str, str, str]


class Combiner:
    """Makes theorems from the history of a basis."""

    def __init__(self, basis: Basis, converter: Converter) -> None:
        self.basis = basis
        self.converter = converter
        self.alphabet = basis.alphabet
        self._given: dict[int, Known] = {}
        self._shown: Basis | None = None
        self._flat: dict[int, dict[Place, Coefficient]] = {}

    def combine(self, uses: Iterable[Use], lhs: Term, rhs: Term) -> Known:
        """⊢ lhs = rhs, where lhs - rhs is the sum of the uses."""
        uses = list(uses)
        try:
            flat = self._flattened(uses)
        except BudgetError:
            flat = self._merged(uses)
        pieces = []
        for use in self._needed(flat):
            piece = self._piece(use, lhs.shape)
            if piece[1].theorem.hypotheses or piece[1].theorem.axioms:
                pieces.append(piece)
        return combined(lhs, rhs, pieces)

    def _needed(self, flat: dict[Place, Coefficient]) -> list[Use]:
        """The uses, without equations that entries show and those whose multiples cancel: none is listed in vain."""
        by_source: dict[int, list[Use]] = {}
        for (scalars, left, source, right, frame, body), coefficient in flat.items():
            use = Use(coefficient, scalars, left, source, right, frame, body)
            if not self._is_free(source):
                by_source.setdefault(source, []).append(use)
        out = []
        for uses in by_source.values():
            total: Element = {}
            for use in uses:
                add_to(total, self.basis.applied(use))
            if self._reduced(total):
                out += uses
        return out

    def _reduced(self, element: Element) -> Element:
        """What is left of an element by what entries show alone."""
        free = self._shown
        if free is None:
            free = self._shown = Basis(self.alphabet, self.basis.deadline)
            for entry in self.basis.entries:
                if entry.uses is None and entry.given is None:
                    free.give(entry.element, entry.shape, None)
            while len(free.entries) < LONGEST and free.grow() is not None:
                pass  # a few rules more or less: what does not cancel by them counts as used
        shape = ONE, ONE
        for _, word in element:
            if word:
                shape = self.alphabet.rows(word[0]), self.alphabet.cols(word[-1])
        return free.reduce(element, shape, []) if free.entries else element

    def equation(self, source: int, lhs: Term, rhs: Term) -> Known:
        """⊢ lhs = rhs, where lhs - rhs is an element of the basis."""
        return self.combine([Use(1, (), "", source, "")], lhs, rhs)

    def from_zero(self, lhs: Term, rhs: Term, nothing: Known) -> Known:
        """⊢ lhs = rhs from ⊢ lhs - rhs = 0, written in whatever way."""
        return combined(lhs, rhs, [((number(1), None, None), nothing)])

    def _is_free(self, source: int) -> bool:
        entry = self.basis.entries[source]
        return entry.uses is None and entry.given is None

    # --- writing out ---

    def _merged(self, uses: Iterable[Use]) -> dict[Place, Coefficient]:
        total: dict[Place, Coefficient] = {}
        for use in uses:
            _count(total, _place(use), use.coefficient)
        return total

    def _flattened(self, uses: Iterable[Use]) -> dict[Place, Coefficient]:
        """The uses in terms of the equations given.

        Raises:
            BudgetError: there would be too many, or one has no such form.
        """
        total: dict[Place, Coefficient] = {}
        for use in uses:
            if self.basis.entries[use.source].uses is None:
                _count(total, _place(use), use.coefficient)
                continue
            for place, coefficient in self._history(use.source).items():
                inner = Use(coefficient, *place)
                outer = self.basis.inside(use, inner)
                _count(total, _place(outer), outer.coefficient)
            if len(total) > LONGEST:
                raise BudgetError("pieces", "the combination is long")
        return total

    def _history(self, source: int) -> dict[Place, Coefficient]:
        found = self._flat.get(source)
        if found is None:
            entry = self.basis.entries[source]
            found = self._flat[source] = self._flattened(entry.uses or ())
        return found

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


def _count(total: dict[Place, Coefficient], place: Place, coefficient: Coefficient) -> None:
    new = total.get(place, 0) + coefficient
    if new:
        total[place] = new
    else:
        total.pop(place, None)
