r"""Unfolding an expression level by level, until nothing but entries of symbols and numbers is left.

Offers `unfold_all` and `unfold_once`; rests on `unfold`.  One step unfolds every outermost place where the same
definition applies, so that a reader sees one idea at a time.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import cast

from symlin.derive.letters import Letters
from symlin.derive.unfold import WRITE_OUT, Place, Unfolded, unfold_entry, unfold_scalar
from symlin.term import BINDERS, Term, make

LONGEST = 60
"""No derivation has more steps than this."""

_CARRIERS = frozenset(
    {
        "add",
        "neg",
        "scale",
        "divide",
        "power",
        "sum",
        "conjugate",
        "entrywise",
        "matmul",
        "literal",
        "column_family",
        "row_family",
        "scalar_function",
    }
)
"""Constructors inside which scalars are unfolded; others are left as they are."""


@dataclass(frozen=True, slots=True)
class Step:
    """What an expression becomes, and why.

    Args:
        term: what it becomes.
        reason: why, in words.
        form: what form it has now, where that has a name by which a reader may ask for it.
    """

    term: Term
    reason: str
    form: str = ""


def unfold_once(term: Term, letters: Letters, write_out: int = WRITE_OUT) -> Step | None:
    """One level of definitions unfolded, or None when there is nothing left to unfold."""
    kind = _first_kind(term, Place(letters, (), write_out))
    if kind is None:
        return None
    reasons: list[str] = []
    result = _rewrite(term, kind, Place(letters, (), write_out), reasons)
    return Step(result, reasons[0])


def unfold_all(term: Term, letters: Letters | None = None, write_out: int = WRITE_OUT) -> Iterator[Step]:
    """Steps until only entries of symbols, numbers and what has no definition by entries are left."""
    letters = letters or Letters.of([term])
    for _ in range(LONGEST):
        step = unfold_once(term, letters, write_out)
        if step is None or step.term is term:
            return
        yield step
        term = step.term


def _kind(term: Term) -> str:
    return f"entry {term.args[0].op}" if term.op == "entry" else term.op


def _unfolded(term: Term, place: Place) -> Unfolded | None:
    if not term.is_scalar:
        return None
    return unfold_entry(term, place) if term.op == "entry" else unfold_scalar(term, place)


def _first_kind(term: Term, place: Place) -> str | None:
    """The kind of the first outermost place that can be unfolded."""
    if _unfolded(term, place) is not None:
        return _kind(term)
    if term.op not in _CARRIERS:
        return None
    for arg in term.args:
        found = _first_kind(arg, _inside(term, place))
        if found is not None:
            return found
    return None


def _inside(term: Term, place: Place) -> Place:
    if term.op not in BINDERS:
        return place
    return Place(place.letters, (*place.scope, cast(str, term.data[0])), place.write_out)


def _rewrite(term: Term, kind: str, place: Place, reasons: list[str]) -> Term:
    if _kind(term) == kind:
        found = _unfolded(term, place)
        if found is not None:
            reasons.append(found.reason)
            return found.term
    if term.op not in _CARRIERS:
        return term
    inner = _inside(term, place)
    args = tuple(_rewrite(arg, kind, inner, reasons) for arg in term.args)
    if args == term.args:
        return term
    if term.op == "add":
        # A sum that a term has become needs no brackets; one that was written in brackets keeps them.
        flat = [(old, new) for old, new in zip(term.args, args, strict=True)]
        args = tuple(
            part
            for old, new in flat
            for part in (new.args if new.op == "add" and old.op != "add" else (new,))
        )
    return make(term.op, *args, data=term.data)
