r"""Environments: matrices, arrays, cases, and displays that stand inside a formula.

Offers `environment`, `plain_matrix` and `substack`, readers in the table of `latex_atoms`; rests on `syntax`.  Rows
of a matrix must have one length unless dots stand in it; arrays and cases are filled up, as LaTeX fills them.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING

from symlin.read import latex_tables as tables
from symlin.read.lexer import Token
from symlin.read.syntax import Decorated, Dots, Empty, Grid, Node, Number, Product, Span

if TYPE_CHECKING:
    from symlin.read.latex_parser import Parser

_REPEAT = re.compile(r"\*\s*\{?\s*(\d{1,2})\s*\}?\s*\{([^{}]*)\}")
_ENTRY = re.compile(r"[@!><]\{[^{}]*\}|(?<=[pmbw])\{[^{}]*\}")
COLUMNS = 500
"""More columns than this in a specification are not written out."""


def environment(parser: Parser, begin: Token) -> Node:
    r"""The environment whose ``\begin{…}`` was just taken."""
    base = begin.text.rstrip("*")
    rows = _rows(parser, begin)
    columns = columns_of(begin.argument)
    opening, closing = tables.ENVIRONMENTS.get(base, ("", ""))
    rows = _even(parser, begin, rows, base in tables.RIGID)
    cells = tuple(tuple(row) for row in rows)
    return Grid(base, cells, opening, closing, columns, bars_of(columns), span=parser.span(begin.start))


def columns_of(specification: str) -> str:
    """The letters and bars of a specification of columns, repetitions written out.

    Examples:
        >>> columns_of("*{2}{rc}r|@{\\\\;}c")
        'rcrcr|c'
    """
    text = specification
    for _ in range(4):
        expanded = _REPEAT.sub(lambda match: match.group(2) * int(match.group(1)), text)
        if expanded == text or len(expanded) > COLUMNS:
            break
        text = expanded
    return "".join(_ENTRY.sub("", text).split())


def bars_of(columns: str) -> tuple[int, ...]:
    """The numbers of columns after which a vertical rule stands, those at the edges left out.

    Examples:
        >>> bars_of("|rr|r|")
        (2,)
    """
    found: list[int] = []
    count = 0
    for mark in columns:
        if mark == "|":
            if count and (not found or found[-1] != count):
                found.append(count)
        else:
            count += 1
    return tuple(place for place in found if place < count)


def _rows(parser: Parser, begin: Token) -> list[list[Node]]:
    parser.level += 1
    rows: list[list[Node]] = [[]]
    while True:
        rows[-1] += _cell(parser)
        token = parser.peek()
        if token.text == "&" and token.kind == "char":
            parser.advance()
        elif token.kind == "mark":
            parser.advance()
            rows.append([])
        elif token.kind == "finish":
            if token.text != begin.text:
                raise parser.error(
                    token,
                    rf"\end{{{token.text}}} does not close \begin{{{begin.text}}}",
                    rf"\end{{{begin.text}}}",
                )
            parser.advance()
            break
        elif token.kind == "end" or (token.text == "}" and token.kind == "char"):
            raise parser.error(
                begin, f"the environment {begin.text} is never closed", rf"\end{{{begin.text}}}"
            )
        else:
            raise _misplaced(parser, token, rf"&, \\ or \end{{{begin.text}}}")
    parser.level -= 1
    if len(rows) > 1 and all(isinstance(cell, Empty) for cell in rows[-1]):
        rows.pop()
    return rows


def _misplaced(parser: Parser, token: Token, expected: str) -> Exception:
    if token.kind == "close":
        return parser.error(token, f"this {token.text} closes nothing", "an opening one before it")
    return parser.error(token, f"{token.text} cannot stand here", expected)


def _cell(parser: Parser) -> list[Node]:
    """One cell, and the empty ones that it covers where it goes over several columns."""
    node = parser.listing()
    while parser.peek().kind == "char" and parser.peek().text in (".", "?", ":"):
        parser.advance()
    if isinstance(node, Decorated) and node.decoration == "multicolumn":
        count = node.note.value if isinstance(node.note, Number) else Fraction(1)
        covered = min(int(count), COLUMNS) - 1
        return [node.body, *(Empty(span=Span(node.span.end, node.span.end)) for _ in range(covered))]
    return [node]


def _even(parser: Parser, begin: Token, rows: list[list[Node]], rigid: bool) -> list[list[Node]]:
    """Rows of one length; what is short in a matrix without dots is an error, elsewhere it is filled up."""
    width = max(len(row) for row in rows)
    if all(len(row) == width for row in rows):
        return rows
    if rigid and not any(_is_shorthand(cell) for row in rows for cell in row):
        number, row = next((place, row) for place, row in enumerate(rows, start=1) if len(row) != width)
        longest = next(place for place, other in enumerate(rows, start=1) if len(other) == width)
        raise parser.error(
            begin,
            f"row {number} of this {begin.text} has {_entries(len(row))}, row {longest} has {_entries(width)}",
            "rows of one length",
        )
    end = parser.peek().start
    return [[*row, *(Empty(span=Span(end, end)) for _ in range(width - len(row)))] for row in rows]


def _is_shorthand(cell: Node) -> bool:
    """Whether a cell shows that entries were left out."""
    if isinstance(cell, Product):
        return all(isinstance(factor, Dots) for factor in cell.factors)
    return isinstance(cell, Dots)


def _entries(count: int) -> str:
    return "1 entry" if count == 1 else f"{count} entries"


def plain_matrix(parser: Parser, command: Token) -> Node:
    r"""``\pmatrix{a & b \cr c & d}``, as plain TeX writes a matrix."""
    name = tables.PLAIN_MATRICES[command.text]
    opening, closing = tables.ENVIRONMENTS[name]
    rows = _even(parser, command._replace(text=name), _braced_rows(parser, command), name in tables.RIGID)
    cells = tuple(tuple(row) for row in rows)
    return Grid(name, cells, opening, closing, span=parser.span(command.start))


def substack(parser: Parser, command: Token) -> Node:
    r"""``\substack{a \\ b}`` as a column."""
    rows = _braced_rows(parser, command)
    return Grid("substack", tuple(tuple(row) for row in rows), span=parser.span(command.start))


def _braced_rows(parser: Parser, command: Token) -> list[list[Node]]:
    opening = parser.peek()
    if opening.text != "{":
        raise parser.error(command, f"{command.text} has no argument", f"{{…}} after {command.text}")
    parser.advance()
    parser.level += 1
    rows: list[list[Node]] = [[]]
    while True:
        rows[-1] += _cell(parser)
        token = parser.peek()
        if token.text == "&" and token.kind == "char":
            parser.advance()
        elif token.kind == "mark":
            parser.advance()
            rows.append([])
        elif token.text == "}" and token.kind == "char":
            parser.advance()
            break
        else:
            raise parser.unclosed(opening, "}")
    parser.level -= 1
    if len(rows) > 1 and all(isinstance(cell, Empty) for cell in rows[-1]):
        rows.pop()
    return rows
