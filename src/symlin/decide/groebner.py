"""Non-commutative Gröbner bases in the typed free algebra, every element with its history.

Offers `Basis`; rests on `free_algebra`.  Each element knows from which others, multiplied by what, it was made, so
that a goal that reduces to zero is a combination of the equations given: its cofactors.  Membership is undecidable:
the completion is stopped by a deadline or by the number and length of its elements.
Method: Mora, "An introduction to commutative and noncommutative Gröbner bases" (1994); cofactors as in Hofstadler,
Raab, Regensburger, "Certifying operator identities via noncommutative Gröbner bases" (2019).
"""

from __future__ import annotations

import heapq
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import Any, TypeAlias

from symlin.decide.free_algebra import TRACE, Alphabet, Coefficient, Element, Monomial, add_to, degree, exact
from symlin.dims import ONE, Dim
from symlin.errors import BudgetError

Shape: TypeAlias = tuple[Dim, Dim]
LONGEST = 400
"""An element with more terms than this is put aside."""
ELEMENTS = 3_000


@dataclass(frozen=True, slots=True)
class Use:
    """coefficient · scalars · left·g·right for an element g of the basis.

    Args:
        coefficient: a number.
        scalars: 1×1 words and traces that multiply it.
        left: the word on the left.
        source: the number of the element.
        right: the word on the right.
        frame: "" as it stands; "scale": left·g·right is 1×1 and multiplies `body`; "trace": its trace does.
        body: the word that is multiplied.
    """

    coefficient: Coefficient
    scalars: tuple[str, ...]
    left: str
    source: int
    right: str
    frame: str = ""
    body: str = ""


@dataclass(slots=True)
class Entry:
    """An element of the basis.

    Args:
        element: the element; its leading coefficient is 1 unless it was given.
        shape: its size.
        uses: how it was made; None for one that was given.
        given: what the caller gave with it.
        lead: its leading monomial.
        active: whether it is still used for reduction.
    """

    element: Element
    shape: Shape
    uses: tuple[Use, ...] | None
    given: Any
    lead: Monomial
    active: bool = True


@dataclass(slots=True)
class Goal:
    """What is to be reduced to zero: what is left of it, and the combination that was taken away."""

    rest: Element
    shape: Shape
    uses: list[Use] = field(default_factory=list)
    tried: int = 0


class Basis:
    """A basis that grows by completion; `reached` is the degree up to which overlaps were looked at.

    Args:
        alphabet: the letters.
        deadline: a `time.monotonic` to stop at.
        heavy: letters that are to be eliminated: monomials with more of them are larger.
    """

    def __init__(self, alphabet: Alphabet, deadline: float, heavy: frozenset[str] = frozenset()) -> None:
        self.alphabet = alphabet
        self.deadline = deadline
        self.heavy = heavy
        self.entries: list[Entry] = []
        self.active: list[int] = []
        self.reached = 0
        self.noticed: Callable[[int], None] = lambda number: None
        self._queue: list[tuple[tuple[int, int], int, Shape, tuple[Use, ...], Any, Element | None]] = []
        self._count = count()
        self._keys: dict[Monomial, tuple[Any, ...]] = {}

    # --- order ---

    def key(self, mono: Monomial) -> tuple[Any, ...]:
        """Where a monomial stands in the order: heavy letters, then length, then letters."""
        found = self._keys.get(mono)
        if found is None:
            whole = "".join((*mono[0], mono[1]))
            heavy = sum(char in self.heavy for char in whole) if self.heavy else 0
            found = self._keys[mono] = (heavy, degree(mono), mono[1], mono[0])
        return found

    def lead(self, element: Element) -> Monomial:
        """The largest monomial."""
        return max(element, key=self.key)

    # --- what an element gives in its place ---

    def applied(self, use: Use) -> Element:
        """The element that a use stands for."""
        alphabet = self.alphabet
        out: Element = {}
        for (scalars, word), coeff in self.entries[use.source].element.items():
            whole = use.left + word + use.right
            if not use.frame:
                mono = alphabet.canonical(use.scalars + scalars, whole)
            elif use.frame == "scale":
                mono = alphabet.canonical(use.scalars + scalars, whole)[0], use.body
            elif whole:
                mono = alphabet.traced(use.scalars + scalars, whole)[0], use.body
            else:
                for (letters, _), times in alphabet.size_terms(self.entries[use.source].shape[0]).items():
                    mono = tuple(sorted(use.scalars + scalars + letters)), use.body
                    add_to(out, {mono: coeff * use.coefficient * times})
                continue
            add_to(out, {mono: coeff * use.coefficient})
        return out

    def matches(self, mono: Monomial, entry: Entry, number: int, shape: Shape) -> Iterator[Use]:
        """The ways in which the leading monomial of an entry is part of a monomial."""
        scalars, word = entry.lead
        have, body = mono
        rest = have
        if scalars:
            left = Counter(have)
            left.subtract(scalars)
            if any(times < 0 for times in left.values()):
                return
            rest = tuple(sorted(left.elements()))
        one = 1
        if not word:
            if entry.shape == (ONE, ONE):
                plain = shape == (ONE, ONE)
                yield Use(one, rest, "", number, "", "" if plain else "scale", body)
            else:
                for at in range(len(body) + 1):
                    here = self.alphabet.rows(body[at]) if at < len(body) else shape[1]
                    if here == entry.shape[0]:
                        yield Use(one, rest, body[:at], number, body[at:])
            return
        at = body.find(word)
        while at >= 0:
            yield Use(one, rest, body[:at], number, body[at + len(word) :])
            at = body.find(word, at + 1)
        for place, scalar in enumerate(rest):
            if len(scalar) < len(word):
                continue
            others = rest[:place] + rest[place + 1 :]
            if scalar.startswith(TRACE):
                cycle = scalar[1:]
                at = (cycle + cycle[:-1]).find(word) if len(word) <= len(cycle) else -1
                if at >= 0:
                    turned = cycle[at:] + cycle[:at]
                    yield Use(one, others, "", number, turned[len(word) :], "trace", body)
                continue
            frame = "" if shape == (ONE, ONE) else "scale"
            for turned in dict.fromkeys((scalar, self.alphabet.transposed(scalar))):
                at = turned.find(word)
                if at >= 0:
                    yield Use(one, others, turned[:at], number, turned[at + len(word) :], frame, body)

    # --- reduction ---

    def reduce(self, element: Element, shape: Shape, uses: list[Use], first: int = 0) -> Element:
        """What is left of an element; `uses` gets what was taken away.  Entries before `first` are not tried on
        monomials that stand there already."""
        rest = dict(element)
        old = set(rest) if first else set()
        done: set[Monomial] = set()
        while todo := rest.keys() - done:
            mono = max(todo, key=self.key)
            use = self._step(mono, shape, first if mono in old else 0)
            if use is None:
                done.add(mono)
                continue
            coeff = rest[mono]
            part = self.applied(use)
            lead_coeff = part[mono]
            factor = exact(coeff, lead_coeff)
            add_to(rest, part, -factor)
            uses.append(_scaled(use, factor))
            if len(rest) > LONGEST:
                raise BudgetError("terms", f"an element of more than {LONGEST} terms")
        return rest

    def _step(self, mono: Monomial, shape: Shape, first: int) -> Use | None:
        if time.monotonic() > self.deadline:
            raise BudgetError(
                "time", f"the time allowed was spent with a basis of {len(self.active)} elements"
            )
        key, (scalars, body) = self.key(mono), mono
        for number in self.active:
            if number < first:
                continue
            entry = self.entries[number]
            if not scalars and (entry.lead[0] or entry.lead[1] not in body):
                continue
            for use in self.matches(mono, entry, number, shape):
                part = self.applied(use)
                if part.get(mono) and all(other == mono or self.key(other) < key for other in part):
                    return use
        return None

    # --- growing ---

    def give(self, element: Element, shape: Shape, given: Any) -> None:
        """Add an element that is given."""
        if element:
            number = len(self.entries)
            self.entries.append(Entry(element, shape, None, given, self.lead(element), active=False))
            use = Use(1, (), "", number, "")
            self._push(shape, (use,), element)

    def _push(self, shape: Shape, uses: tuple[Use, ...], element: Element) -> None:
        if element:
            size = (max(map(degree, element)), len(element))
            heapq.heappush(self._queue, (size, next(self._count), shape, uses, None, element))

    def grow(self) -> int | None:
        """Take the next element or overlap; the number of the new element, or None when nothing is left.

        Raises:
            BudgetError: the time is up, or there are too many elements.
        """
        while self._queue:
            size, _, shape, made, pair, element = heapq.heappop(self._queue)
            if pair is not None and not all(self.entries[number].active for number in pair):
                continue
            self.reached = max(self.reached, size[0])
            uses = list(made)
            if element is None:
                element = {}
                for use in made:
                    add_to(element, self.applied(use))
            try:
                taken: list[Use] = []
                rest = self.reduce(element, shape, taken)
            except BudgetError as error:
                if error.budget == "time":
                    raise
                continue
            if not rest:
                continue
            uses += [_scaled(use, -1) for use in taken]
            return self._enter(rest, shape, uses)
        return None

    def _enter(self, rest: Element, shape: Shape, uses: list[Use]) -> int:
        if len(self.active) > ELEMENTS:
            raise BudgetError("elements", f"a basis of more than {ELEMENTS} elements")
        lead = self.lead(rest)
        factor = exact(1, rest[lead])
        number = len(self.entries)
        entry = Entry(
            {mono: coeff * factor for mono, coeff in rest.items()},
            shape,
            tuple(_scaled(use, factor) for use in uses),
            None,
            lead,
        )
        self.entries.append(entry)
        for other in list(self.active):
            old = self.entries[other]
            if not old.lead[0] and (lead[0] or lead[1] not in old.lead[1]):
                continue
            if next(self.matches(old.lead, entry, number, old.shape), None) is not None:
                old.active = False
                self.active.remove(other)
                self._push(old.shape, (Use(1, (), "", other, ""),), old.element)
        self.active.append(number)
        for other in self.active:
            self._pair(number, other)
            if other != number:
                self._pair(other, number)
        self.noticed(number)
        return number

    def _pair(self, i: int, j: int) -> None:
        """All overlaps of the end of one leading word with the beginning of another; common scalars."""
        one, two = self.entries[i], self.entries[j]
        (s, u), (t, v) = one.lead, two.lead
        left, right, least = t, s, 0
        if s and t:
            common = Counter(s) | Counter(t)
            left = tuple(sorted((common - Counter(s)).elements()))
            right = tuple(sorted((common - Counter(t)).elements()))
        if s or t:
            least = sum(map(len, (*s, *left)))
        for k in range(1, min(len(u), len(v)) + (i != j)):
            if u[-k:] != v[:k] or (k == len(u) == len(v) and i > j):
                continue
            uses = (Use(1, left, "", i, v[k:]), Use(-1, right, u[:-k], j, ""))
            self._overlap(
                (one.shape[0], two.shape[1]),
                uses,
                (i, j),
                len(u) + len(v) - k + least,
            )
        if i < j and (not u or not v) and Counter(s) & Counter(t):
            first = self._beside(left, i, v, two.shape)
            second = self._beside(right, j, u, one.shape)
            if first is not None and second is not None:
                shape = two.shape if one.shape == (ONE, ONE) else one.shape
                self._overlap(shape, (first, _scaled(second, -1)), (i, j), 2)

        if i != j:
            self._across(i, j)

    def _across(self, i: int, j: int) -> None:
        """A word u = ab that passes through the size 1, and a scalar xa or bx in the lead of a 1×1 element."""
        one, two = self.entries[i], self.entries[j]
        (s, u), (t, v) = one.lead, two.lead
        if s or v or not t or two.shape != (ONE, ONE):
            return
        minus = -1
        for cut in (at for at in self.alphabet.cuts(u) if 0 < at < len(u)):
            head, tail = u[:cut], u[cut:]
            for place, scalar in enumerate(t):
                if scalar.startswith(TRACE):
                    continue
                others = t[:place] + t[place + 1 :]
                size = len(u) + sum(map(len, t))
                for turned in dict.fromkeys((scalar, self.alphabet.transposed(scalar))):
                    if turned.endswith(head):
                        left = Use(1, others, turned[: -len(head)], i, "")
                        beside = Use(minus, (), "", j, "", "scale", tail)
                        self._overlap((ONE, one.shape[1]), (left, beside), (i, j), size)
                    if turned.startswith(tail):
                        right = Use(1, others, "", i, turned[len(tail) :])
                        beside = Use(minus, (), "", j, "", "scale", head)
                        self._overlap((one.shape[0], ONE), (right, beside), (i, j), size)

    def _beside(self, scalars: tuple[str, ...], number: int, word: str, shape: Shape) -> Use | None:
        """An entry times a word: where the entry is 1×1, a scalar multiple of the word."""
        entry = self.entries[number]
        if entry.shape == (ONE, ONE) and shape != (ONE, ONE):
            return Use(1, scalars, "", number, "", "scale", word)
        return Use(1, scalars, "", number, "") if not word else None

    def _overlap(self, shape: Shape, uses: tuple[Use, ...], pair: tuple[int, int], size: int) -> None:
        terms = sum(len(self.entries[number].element) for number in pair)
        heapq.heappush(self._queue, ((size, terms), next(self._count), shape, uses, pair, None))

    # --- goals ---

    def settle(self, goal: Goal) -> bool:
        """Reduce a goal by all that is known; whether nothing is left."""
        taken: list[Use] = []
        goal.rest = self.reduce(goal.rest, goal.shape, taken, goal.tried)
        goal.uses += taken
        goal.tried = len(self.entries)
        return not goal.rest

    def inside(self, outer: Use, inner: Use) -> Use:
        """What an outer use makes of an inner one: both as one use.

        Raises:
            BudgetError: there is no such use.
        """
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

    def mirror(self, scalar: str) -> None:
        """Reduce what stands inside a scalar, as it stands and transposed: both are the same scalar, though what is
        left of them need not look so."""
        alphabet = self.alphabet
        whole = scalar[1:] if scalar.startswith(TRACE) else scalar
        for word in (whole, alphabet.transposed(whole)):
            if scalar.startswith(TRACE):
                outer, body = Use(1, (), "", 0, "", "trace"), word
            else:
                outer, body = Use(1, (), word[0], 0, ""), word[1:]
            if not body:
                continue
            taken: list[Use] = []
            shape = alphabet.rows(body[0]), alphabet.cols(body[-1])
            self.reduce({((), body): 1}, shape, taken)
            uses = tuple(self.inside(outer, use) for use in taken)
            element: Element = {}
            for use in uses:
                add_to(element, self.applied(use))
            self._push((ONE, ONE), uses, element)


def _scaled(use: Use, factor: Coefficient) -> Use:
    return Use(use.coefficient * factor, use.scalars, use.left, use.source, use.right, use.frame, use.body)
