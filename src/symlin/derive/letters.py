r"""Letters for bound indices: ℓ, p, q, … that mean nothing else where they stand.

Offers `Letters`; rests on `term`.  A letter is free when it is no size, no index, no name and no letter of the
entries of a matrix in the expression.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import cast

from symlin.dims import Dim
from symlin.term import BINDERS, Term, walk

PRODUCT_LETTERS = (r"\ell", "p", "q", "r", "s", "t", "u", "v", "w")
DIAGONAL_LETTERS = ("i", "j", "k", *PRODUCT_LETTERS)


@dataclass(frozen=True, slots=True)
class Letters:
    """The letters that an expression has taken.

    Args:
        taken: names of sizes, free indices, symbols and entry letters.
        order: letters for new indices, in order of use.
    """

    taken: frozenset[str]
    order: tuple[str, ...] = PRODUCT_LETTERS

    @staticmethod
    def of(terms: Iterable[Term], order: tuple[str, ...] = PRODUCT_LETTERS) -> Letters:
        """The letters taken in these Terms (bound indices do not count: they may be used again)."""
        taken: set[str] = set()
        bound: set[str] = set()
        for term in terms:
            for node in walk(term):
                if node.op == "symbol":
                    name = cast(str, node.data[0])
                    taken |= {name, name.lower()} if len(name) == 1 else {name}
                elif node.op in BINDERS:
                    bound.add(cast(str, node.data[0]))
                for part in (*node.data, *node.shape):
                    if isinstance(part, Dim):
                        taken |= part.symbols
        return Letters(frozenset(taken - bound), order)

    def fresh(self, scope: Iterable[str] = (), first: tuple[str, ...] = ()) -> str:
        """A letter that is neither taken nor bound around the place.

        Args:
            scope: letters bound around the place.
            first: letters to try before the usual ones.
        """
        used = self.taken | set(scope)
        for letter in (*first, *self.order):
            if letter not in used:
                return letter
        number = 1
        while f"\\ell_{{{number}}}" in used:
            number += 1
        return f"\\ell_{{{number}}}"
