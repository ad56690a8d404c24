r"""Which letters the parts of matrices get in one formula: ``a_{ij}`` of A, ``\mathbf{b}_j`` of B, ``\mathbf{q}_i^T`` of Q.

Offers `Notation`; rests on `term`, `names` and `style`.  A letter is given only where a reader who knows the
declarations can tell what it means: a column of B is no ``\mathbf{b}_j`` where a vector b occurs as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import cast

from symlin.term import Term, walk
from symlin.write.names import letter_latex, split_name, symbol_latex
from symlin.write.style import Letters, Style

_LATIN_CAPITAL = re.compile(r"[A-Z]\Z")
_LOWER = re.compile(r"(?:[a-z]|\\[a-z]+)\Z")
_CAPITAL = re.compile(r"(?:[A-Z]|\\[A-Z][a-z]+)\Z")
VECTOR_STYLES = frozenset({"bold", "vec"})


def is_vector_name(symbol: Term) -> bool:
    """Whether a symbol is written as a vector: bold or arrowed, and lower case."""
    letter, style = split_name(cast(str, symbol.data[0]))[0], symbol.data[1]
    core = re.sub(r"\\[A-Za-z]+\{(.*)\}", r"\1", letter).rstrip("'")
    return style in VECTOR_STYLES and not _CAPITAL.match(core)


def has_one_index(symbol: Term) -> bool:
    """Whether the entries of a symbol are written with one index: a column vector with a small letter."""
    if symbol.cols.constant != 1 or symbol.is_scalar:
        return False
    letter = split_name(cast(str, symbol.data[0]))[0]
    return is_vector_name(symbol) or bool(_LOWER.match(letter))


@dataclass(slots=True)
class Notation:
    """The letters of one formula.

    Args:
        style: how to write.
        entries: for a matrix, the letter of its entries.
        columns: for a matrix, the letter of its columns with its font.
        rows: for a matrix, the letter of its rows, which is that of a column.
    """

    style: Style
    entries: dict[Term, str] = field(default_factory=dict)
    columns: dict[Term, str] = field(default_factory=dict)
    rows: dict[Term, str] = field(default_factory=dict)

    @staticmethod
    def of(terms: Iterable[Term], style: Style) -> Notation:
        """The letters for these Terms together."""
        symbols: dict[Term, None] = {}
        roles: dict[Term, set[str]] = {}
        for term in terms:
            for node in walk(term):
                if node.op == "symbol":
                    symbols[node] = None
                elif node.op in ("row", "column", "entry") and node.args[0].op == "symbol":
                    roles.setdefault(node.args[0], set()).add(node.op)
        chosen = Notation(style)
        taken = _Taken.of(symbols)
        for symbol, used in roles.items():
            chosen._parts(symbol, used, taken)
        for symbol, used in roles.items():
            if "entry" in used:
                chosen._entries(symbol, taken)
        return chosen

    def _parts(self, symbol: Term, used: set[str], taken: _Taken) -> None:
        given = self.style.names.get(cast(str, symbol.data[0]), Letters())
        default = "" if taken.by_vectors(symbol) else _vector_letter(symbol)
        if "column" in used:
            letter = given.column or default
            if letter and letter not in (*self.columns.values(), *self.rows.values()):
                self.columns[symbol] = letter
        if "row" in used:
            letter = given.row or (default if "column" not in used else "")
            if letter and letter not in (*self.columns.values(), *self.rows.values()):
                self.rows[symbol] = letter

    def _entries(self, symbol: Term, taken: _Taken) -> None:
        name = cast(str, symbol.data[0])
        given = self.style.names.get(name, Letters())
        letter = given.entry or _entry_letter(symbol, taken)
        if letter and symbol.cols.constant == 1 and not given.entry:
            bold = letter_latex(name, "bold")
            if bold in (*self.columns.values(), *self.rows.values()):
                letter = ""
        if letter:
            self.entries[symbol] = letter


@dataclass(slots=True)
class _Taken:
    """Letters that mean something of their own.

    Args:
        labelled: letters that occur with a label (the x of x_1).
        lower: lower-case names of matrices.
        vectors: letters of vectors.
    """

    labelled: frozenset[str]
    lower: frozenset[str]
    vectors: dict[str, Term]

    @staticmethod
    def of(symbols: Iterable[Term]) -> _Taken:
        labelled, lower, vectors = set(), set(), {}
        for symbol in symbols:
            name = cast(str, symbol.data[0])
            letter, label = split_name(name)
            if label:
                labelled.add(letter)
            if _LOWER.match(name) and not is_vector_name(symbol) and not symbol.is_scalar:
                lower.add(name)
            if is_vector_name(symbol):
                vectors[letter] = symbol
        return _Taken(frozenset(labelled), frozenset(lower), vectors)

    def by_vectors(self, matrix: Term) -> bool:
        letter = _small(cast(str, matrix.data[0]))
        return letter in self.vectors or letter in self.labelled


def _small(name: str) -> str:
    return name.lower() if _LATIN_CAPITAL.match(name) else name


def _vector_letter(symbol: Term) -> str:
    """The letter for rows or columns: bold, and small for a Latin capital; "" where there is none."""
    name = cast(str, symbol.data[0])
    if symbol.data[1] not in ("", "bold") or is_vector_name(symbol):
        return ""
    if _LATIN_CAPITAL.match(name) or (_LOWER.match(name) and name.startswith("\\")):
        return letter_latex(_small(name), "bold")
    return ""


def _entry_letter(symbol: Term, taken: _Taken) -> str:
    name = cast(str, symbol.data[0])
    if symbol.data[1] not in ("", "bold", "vec"):
        return ""
    if split_name(name)[1]:
        return ""
    if is_vector_name(symbol):
        return name if name not in taken.labelled and symbol.cols.constant == 1 else ""
    small = _small(name)
    if _LATIN_CAPITAL.match(name) and not {small} & (taken.labelled | taken.lower):
        return small
    if symbol.data[1] == "" and name not in taken.labelled and (_CAPITAL.match(name) or _LOWER.match(name)):
        return name
    return ""


def whole(symbol: Term) -> str:
    """A symbol's own name."""
    name, style = cast("tuple[str, str]", symbol.data[:2])
    return symbol_latex(name, style)
