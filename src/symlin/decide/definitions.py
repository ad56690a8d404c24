"""What a text has defined, put into a statement as far as it is needed.

Offers `tiers` (a statement without definitions, with formulas, with all) and `under_definitions`, which turns a
theorem about the last into one about the statement as it was written; rests on `term` and the kernel's rules.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

from symlin.errors import ProofError
from symlin.statement import Statement
from symlin.term import Term, dim_symbols, substitute, symbols

Definition: TypeAlias = tuple[Term, Term]
"""A symbol and its value."""


@dataclass(frozen=True, slots=True)
class Tier:
    """A statement with some definitions put in.

    Args:
        statement: with them put in.
        applied: those that were there to put in, in the order in which that was done.
        numeric: whether values in numbers were among them.
    """

    statement: Statement
    applied: tuple[Definition, ...] = ()
    numeric: bool = False

    @property
    def used(self) -> tuple[Statement, ...]:
        """The definitions put in, as equations, in the order of the text as far as that is known."""
        return tuple(Statement(symbol, value) for symbol, value in reversed(self.applied))


def tiers(statement: Statement, definitions: tuple[Definition, ...]) -> list[Tier]:
    """Without definitions, with formulas put in one after the other, with all; each only when it differs.

    One at a time, because what follows from S = QK^T alone need not know that Q = XW.

    Examples:
        >>> from symlin.construct import literal, symbol
        >>> S, X = symbol("S", 2, 2), symbol("X", 2, 2)
        >>> found = tiers((S @ S).eq(X), ((S, X @ X), (X, literal([[1, 0], [0, 1]]))))
        >>> [(len(one.applied), one.numeric) for one in found]
        [(0, False), (1, False), (2, True)]
    """
    found = [Tier(statement)]
    formulas = list(_order(tuple(one for one in definitions if not is_numeric(one))))
    steps = [tuple(reversed(formulas[:count])) for count in range(1, len(formulas) + 1)]
    for chosen in (*steps, definitions):
        tier = put_in(statement, chosen)
        last = found[-1].statement
        if tier.statement.lhs is not last.lhs or tier.statement.rhs is not last.rhs:
            found.append(tier)
    return found


def is_numeric(definition: Definition) -> bool:
    """Whether a definition gives values in numbers (a matrix of numbers, perhaps with some entries left open)."""
    symbol, value = definition
    return not dim_symbols(value) and all(one is symbol for one in symbols(value))


def put_in(statement: Statement, definitions: tuple[Definition, ...]) -> Tier:
    """A statement with all these definitions put in, each once."""
    lhs, rhs = statement.lhs, statement.rhs
    applied: list[Definition] = []
    for symbol, value in _order(definitions):
        new_lhs, new_rhs = substitute(lhs, {symbol: value}), substitute(rhs, {symbol: value})
        if new_lhs is not lhs or new_rhs is not rhs:
            lhs, rhs = new_lhs, new_rhs
            applied.append((symbol, value))
    if not applied:
        return Tier(statement)
    new = Statement(lhs, rhs, statement.relation, statement.hypotheses)
    return Tier(new, tuple(applied), any(is_numeric(one) for one in applied))


def _order(definitions: tuple[Definition, ...]) -> Iterator[Definition]:
    """From last to first, but a definition that mentions a name before the definition of that name."""
    left = list(definitions)
    mentioned = {value: frozenset(symbols(value)) for _, value in left}
    while left:
        place = next(
            (at for at in range(len(left) - 1, -1, -1) if not _awaited(left[at][0], left, mentioned)),
            len(left) - 1,
        )
        yield left.pop(place)


def _awaited(name: Term, left: list[Definition], mentioned: dict[Term, frozenset[Term]]) -> bool:
    """Whether a definition that is still to be put in, of another name, mentions this one."""
    return any(name in mentioned[value] for symbol, value in left if symbol is not name)


def under_definitions(statement: Statement, tier: Tier, theorem: Any) -> Any:
    """From ⊢ s' = t' with definitions put in, Γ ⊢ s = t with the definitions as Γ; None where that is not found.

    The definitions stay hypotheses of the theorem, so that it says what it rests on.
    """
    from symlin import kernel

    try:
        ends = [kernel.reflexivity(side) for side in (statement.lhs, statement.rhs)]
        for symbol, value in tier.applied:
            given = kernel.assume(symbol, value)
            ends = [kernel.transitivity(end, _rewritten(end.rhs, symbol, given)) for end in ends]
        whole = kernel.transitivity(ends[0], theorem)
        return kernel.transitivity(whole, kernel.symmetry(ends[1]))
    except ProofError:
        # A bound index was renamed on the way, or occurs in a definition: the verdict stands without a theorem.
        return None


def _rewritten(term: Term, symbol: Term, given: Any) -> Any:
    """Γ ⊢ t = t', where t' has the symbol replaced: by congruence from the inside out."""
    from symlin import kernel

    memo: dict[Term, Any] = {symbol: given}
    stack = [(term, False)]
    while stack:
        node, ready = stack.pop()
        if node in memo:
            continue
        if symbol not in symbols(node):
            memo[node] = kernel.reflexivity(node)
        elif ready:
            memo[node] = kernel.congruence(node, *(memo[arg] for arg in node.args))
        else:
            stack.append((node, True))
            stack.extend((arg, False) for arg in node.args)
    return memo[term]
