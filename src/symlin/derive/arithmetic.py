"""Arithmetic with numbers as the last step of a derivation.

Offers `computed`; rests on the exact numbers of `decide.numeric`.  What has no exact rational value stays as it is.
"""

from __future__ import annotations

from symlin.construct import literal, number
from symlin.decide.numeric import evaluate
from symlin.errors import SymlinError
from symlin.term import Term, dim_symbols, symbols


def is_closed(term: Term) -> bool:
    """Whether a Term holds numbers only."""
    return not symbols(term) and not dim_symbols(term)


def computed(term: Term) -> Term | None:
    """The value of a Term of numbers; None where there is none or nothing is left to do.

    Examples:
        >>> print(computed(number(2) * number(-4) + number(4) * number(-1)))
        -12
    """
    if not is_closed(term) or term.op == "number":
        return None
    try:
        value = evaluate(term)
    except SymlinError:
        return None
    rows = [[number(entry) for entry in line] for line in value]
    found = rows[0][0] if term.is_scalar else literal(rows)
    return None if found is term else found
