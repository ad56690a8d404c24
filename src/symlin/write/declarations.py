r"""Declarations under which a written formula reads back: ``B: n x k columns``, ``x: n``, ``r: scalar``.

Offers `declarations`; rests on `notation`.  The form is that of the command line's ``--where``.
"""

from __future__ import annotations

import re
from typing import cast

from symlin.dims import Dim
from symlin.term import Term, symbols
from symlin.write.names import symbol_latex
from symlin.write.notation import Notation, is_vector_name

_LOWER = re.compile(r"(?:[a-z]|\\[a-z]+)")


def declarations(term: Term, notation: Notation) -> list[str]:
    """One declaration for each name of a Term."""
    return [declaration(symbol, notation) for symbol in symbols(term)]


def declaration(symbol: Term, notation: Notation) -> str:
    """What one symbol is, with how its rows or columns are written."""
    name, style = cast("tuple[str, str]", symbol.data[:2])
    rows, cols = symbol.shape
    # A bold lower-case vector needs no font: a declared vector is bold.
    shown = symbol_latex(name, "" if style == "bold" and is_vector_name(symbol) else style)
    if symbol.is_scalar:
        return f"{shown}: scalar"
    sizes = str(rows) if cols.constant == 1 and is_vector_name(symbol) else f"{_size(rows)} x {_size(cols)}"
    role = "columns" if symbol in notation.columns else "rows" if symbol in notation.rows else ""
    return f"{shown}: {sizes} {role}".rstrip()


def _size(dim: Dim) -> str:
    return str(dim)
