"""Values as they stand in the reason of a verdict.

Offers short texts for numbers, matrices and sides; rests on the plain writer when it is there; what would be
too long to read in a sentence is left out.
"""

from __future__ import annotations

import importlib
from fractions import Fraction
from typing import Any

from symlin.decide.matrices import Matrix
from symlin.term import Term

SHORT = 40
"""A side or a matrix longer than this is not quoted in a sentence."""


def fraction_text(value: Any) -> str:
    """A number, for messages.

    Examples:
        >>> fraction_text(Fraction(-3, 2)), fraction_text(Fraction(4))
        ('-3/2', '4')
    """
    return str(Fraction(value)) if isinstance(value, int | Fraction) else str(value)


def decimal_text(value: Any, digits: int) -> str:
    """A number with that many digits after the point, rounded; as a fraction when there are none.

    Examples:
        >>> decimal_text(Fraction(1, 3), 2), decimal_text(Fraction(-1, 200), 3), decimal_text(Fraction(1, 2), 0)
        ('0.33', '-0.005', '1/2')
    """
    if not digits:
        return fraction_text(value)
    if not isinstance(value, int | Fraction):
        return str(value.decimal(digits))
    scaled = round(abs(Fraction(value)) * 10**digits)
    whole, rest = divmod(scaled, 10**digits)
    return f"{'-' if value < 0 and scaled else ''}{whole}.{rest:0{digits}d}"


def matrix_text(matrix: Matrix | tuple[tuple[Any, ...], ...], limit: int = 60) -> str:
    """A small matrix on one line, rows separated by semicolons; empty when it is too long.

    Examples:
        >>> matrix_text([[0, -1], [2, 0]])
        '[0 -1; 2 0]'
    """
    if len(matrix) == 1 and len(matrix[0]) == 1:
        return fraction_text(matrix[0][0])
    text = "[" + "; ".join(" ".join(fraction_text(value) for value in line) for line in matrix) + "]"
    return text if len(text) <= limit else ""


def side_text(term: Term, otherwise: str) -> str:
    """A side as plain text, or `otherwise` where that is too long to stand in a sentence."""
    try:
        text = str(importlib.import_module("symlin.write.plain").plain(term))
    except ImportError:
        return otherwise
    return text if len(text) <= SHORT else otherwise
