"""A combination of equations as a chain of equalities that a reader follows.

Offers `chain_steps`; rests on `free_algebra`.  Each step exchanges one side of one equation for the other at one place;
the order is chosen so that what is written stays short.  The proof does not rest on it.
"""

from __future__ import annotations

from symlin.decide.equations import Known
from symlin.decide.free_algebra import Converter, Element, add_to, degree
from symlin.decide.verdict import Step, Steps
from symlin.errors import BudgetError, SymlinError
from symlin.statement import Statement
from symlin.term import make

LONGEST = 24
"""A chain of more steps than this is not shown."""


def chain_steps(statement: Statement, known: Known, converter: Converter) -> Steps:
    """The steps from the left side to the right side; none where they would be too many, or rest on an axiom.

    Args:
        statement: what was proved.
        known: the theorem, a combination with its cofactors.
        converter: to expand with.
    """
    axiomatic = any(one.rule == "cut" for one in known.history())
    if known.rule != "by_entries" or axiomatic or not 0 < len(known.premises) <= LONGEST:
        return Steps()
    try:
        return _chain(statement, known, converter)
    except SymlinError:
        return Steps()


def _chain(statement: Statement, known: Known, converter: Converter) -> Steps:
    shape = statement.lhs.shape
    changes: list[tuple[Element, str]] = []
    for (coefficient, left, right), premise in zip(known.cofactors, known.premises, strict=True):
        factors = [
            f for f in (left, make("add", premise.lhs, make("neg", premise.rhs)), right) if f is not None
        ]
        whole = make("scale", coefficient, make("matmul", *factors), data=("left",))
        changes.append((converter.of(whole), _reason(premise)))
    at = dict(converter.of(statement.lhs))
    term, steps = statement.lhs, list[Step]()

    def go(new: Element, reason: str) -> None:
        nonlocal term
        after = converter.alphabet.element_term(new, shape)
        if str(after) != str(term):
            steps.append(Step(term, after, "hypothesis", reason))
            term = after

    if len(at) > 1:
        go(at, "multiplied out")
    while changes:
        place = min(range(len(changes)), key=lambda k: _cost(at, changes[k][0]))
        change, reason = changes.pop(place)
        add_to(at, change, -1)
        go(at, reason)
    end = converter.alphabet.element_term(at, shape)
    if end is not term:
        raise BudgetError("chain", "the chain does not meet the right side")
    if len(at) == 1 and steps:
        steps[-1] = Step(steps[-1].before, statement.rhs, steps[-1].rule, steps[-1].reason)
    elif str(term) != str(statement.rhs):
        steps.append(Step(term, statement.rhs, "hypothesis", "put together"))
    return Steps(tuple(steps))


def _cost(at: Element, change: Element) -> tuple[int, int]:
    """How long what is written becomes."""
    new = dict(at)
    add_to(new, change, -1)
    return len(new), sum(map(degree, new))


def _reason(known: Known) -> str:
    """What a theorem that is used says, for a reader."""
    if known.rule == "assume":
        return f"{known.lhs} = {known.rhs}"
    if known.rule == "congruence" and len(known.premises) == 1 and known.premises[0].rule == "assume":
        how = {"transpose": "transposed", "conjugate": "conjugated", "adjoint": "transposed and conjugated"}
        inner = known.premises[0]
        return f"{inner.lhs} = {inner.rhs}" + (f", {how[known.lhs.op]}" if known.lhs.op in how else "")
    return f"{known.lhs} = {known.rhs}"
