"""Why two expressions are equal, entry by entry: both sides unfolded until they are the same sum of products.

Offers `entries_chain`; rests on `steps` and `monomials`.  It explains an equality that an engine has proved, and
returns None where the explanation would be no shorter than the proof.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from symlin.construct import entry
from symlin.derive.letters import DIAGONAL_LETTERS, Letters
from symlin.derive.monomials import Monomial, collect, contract, matched, multiply_out, rename, sum_term
from symlin.derive.steps import Step, unfold_all
from symlin.dims import ONE, Dim
from symlin.statement import Statement
from symlin.term import Term, walk
from symlin.write.exposition import Chain, Line

TOO_MANY_STEPS = 24


@dataclass(frozen=True, slots=True)
class _Side:
    """One side unfolded and multiplied out."""

    start: Term
    steps: tuple[Step, ...]
    products: tuple[Monomial, ...]

    @property
    def end(self) -> Term:
        return self.steps[-1].term if self.steps else self.start


def entries_chain(statement: Statement) -> Chain | None:
    r"""The chain from an entry of the left side to the same entry of the right side.

    Examples:
        >>> from symlin.construct import symbol
        >>> A, B = symbol("A", "m", "n"), symbol("B", "n", "k")
        >>> chain = entries_chain((A @ B).T.eq(B.T @ A.T))
        >>> [str(term) for term in chain.terms]
        ['((AB)^T)_{ij}', '(AB)_{ji}', 'Σ_{ℓ=1}^{n} a_{jℓ} b_{ℓi}', 'Σ_{ℓ=1}^{n} b_{ℓi} a_{jℓ}', 'Σ_{ℓ=1}^{n} (B^T)_{iℓ} (A^T)_{ℓj}', '(B^TA^T)_{ij}']
    """
    lhs, rhs = statement.lhs, statement.rhs
    if statement.relation != "=":
        return None
    i, j = _free_indices(lhs, rhs)
    start, end = (_entry(side, i, j) for side in (lhs, rhs))
    letters = Letters.of((start, end))
    left, right = _side(start, letters), _side(end, letters)
    if left is None or right is None:
        return None
    lines = _joined(left, right)
    if lines is None or len(lines) > TOO_MANY_STEPS:
        return None
    return Chain(left.start, tuple(lines))


def _free_indices(*terms: Term) -> tuple[Dim, Dim]:
    taken = Letters.of(terms, DIAGONAL_LETTERS)
    first = taken.fresh()
    return Dim.symbol(first), Dim.symbol(taken.fresh((first,)))


def _entry(side: Term, i: Dim, j: Dim) -> Term:
    """The entry that stands for all: (i, j), or fewer indices where a size is 1."""
    if side.is_scalar:
        return side
    return entry(side, ONE if side.rows == ONE else i, ONE if side.cols == ONE else j)


def _side(start: Term, letters: Letters) -> _Side | None:
    steps = tuple(unfold_all(start, letters))
    end = steps[-1].term if steps else start
    products = multiply_out(end, letters)
    return None if products is None else _Side(start, steps, tuple(products))


def _joined(left: _Side, right: _Side) -> list[Line] | None:
    """Both sides brought together: down the left one, across, and up the right one."""
    down = [Line(step.term, step.reason) for step in left.steps]
    up = _upward(right)
    meeting = _meeting(left, right)
    if meeting is None:
        return None
    lines = down + meeting + up
    return _without_repeats(left.start, lines)


def _upward(side: _Side) -> list[Line]:
    """The steps of a side read backwards: each line is what the step started from, with the step's reason."""
    before = [side.start, *(step.term for step in side.steps)]
    return [Line(before[place], side.steps[place].reason) for place in range(len(side.steps) - 1, -1, -1)]


def _meeting(left: _Side, right: _Side) -> list[Line] | None:
    """From the unfolded left side to the unfolded right side."""
    lines: list[Line] = []
    down, up = _simplified(left.products), _simplified(right.products)
    pairs = matched(down[-1][0], up[-1][0])
    if pairs is None:
        return None
    before = left.end
    for place, (products, reason) in enumerate(down):
        after = sum_term(products)
        if after is not before:
            lines.append(Line(after, reason if place else "; ".join(_regrouped(left.end, _DOWN))))
        before = after
    across = sum_term(up[-1][0])
    if across is not before:
        lines.append(Line(across, _difference(down[-1][0], up[-1][0], pairs)))
    for place in range(len(up) - 1, -1, -1):
        before = sum_term(up[place - 1][0]) if place else right.end
        if before is not sum_term(up[place][0]):
            lines.append(Line(before, up[place][1] if place else "; ".join(_regrouped(right.end, _UP))))
    return lines


def _simplified(products: Sequence[Monomial]) -> list[tuple[list[Monomial], str]]:
    """A sum of products, then with sums over the identity done, then with like terms added."""
    contracted = contract(products)
    return [
        (list(products), ""),
        (contracted, "in a sum with the identity only the term with equal indices is left"),
        (collect(contracted), "like terms are added"),
    ]


_DOWN = {
    "distribute": "multiplied out",
    "inside": "a factor may go inside a sum",
    "split": "a sum of sums is split",
    "bracket": "products of numbers may be bracketed in any way",
}
_UP = {
    "distribute": "a common factor is taken out",
    "inside": "a factor that is the same in all terms is taken out of the sum",
    "split": "sums over the same range are put together",
    "bracket": "products of numbers may be bracketed in any way",
}


def _regrouped(term: Term, words: Mapping[str, str]) -> list[str]:
    """In words, what it takes to write a scalar as a sum of products."""
    found: dict[str, None] = {}
    for node in walk(term):
        kinds = {arg.op for arg in node.args}
        if node.op in ("scale", "power") and "add" in kinds:
            found["distribute"] = None
        elif node.op == "scale" and "sum" in kinds:
            found["inside"] = None
        elif node.op == "sum" and kinds & {"add", "neg"}:
            found["split"] = None
    return [words[kind] for kind in found] or [words["bracket"]]


def _difference(
    left: Sequence[Monomial], right: Sequence[Monomial], pairs: Sequence[tuple[Monomial, dict[str, str]]]
) -> str:
    """In words, what makes two sums of products the same."""
    reasons: list[str] = []
    renamed = [rename(monomial, names) for monomial, names in pairs]
    if any(one.factors != other.factors for one, other in zip(left, renamed, strict=True)):
        reasons.append("numbers commute")
    if any(
        [index for index, _, _ in one.bound] != [index for index, _, _ in other.bound]
        for one, other in zip(left, renamed, strict=True)
    ):
        reasons.append("the order of summation does not matter")
    if any(old != new for _, names in pairs for old, new in names.items()):
        reasons.append("an index that is summed over may have any name")
    if [monomial for monomial, _ in pairs] != list(right):
        reasons.append("the order of the terms does not matter")
    return "; ".join(reasons) or "the same sum"


def _without_repeats(start: Term, lines: Sequence[Line]) -> list[Line]:
    """Lines that say something new."""
    found: list[Line] = []
    before = start
    for line in lines:
        if line.term is not before:
            found.append(line)
            before = line.term
    return found
