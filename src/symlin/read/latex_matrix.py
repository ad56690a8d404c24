r"""Environments: matrices, arrays, cases, and displays whose rows go on with the formula.

Offers `environment` and `substack`; rests on `latex_atoms` for what stands in a cell.  Rows of a matrix must have one
length; arrays and cases are filled up, as LaTeX fills them.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from symlin.read import latex_tables as tables
from symlin.read.families import is_dots_row
from symlin.read.lexer import Token
from symlin.read.syntax import Empty, Grid, Node, Span

if TYPE_CHECKING:
    from symlin.read.latex_atoms import Parser

_REPEAT = re.compile(r"\*\{?(\d+)\}?\{([^{}]*)\}")
_ENTRY = re.compile(r"[@!>]\{[^{}]*\}|[pmbw]\{[^{}]*\}")


def environment(parser: Parser, begin: Token) -> Node:
    r"""The environment that starts after ``\begin``."""
    name = _name(parser, begin)
    base = name.rstrip("*")
    columns = ""
    if base in ("array", "tabular", "alignat", "alignedat"):
        _skip_optional(parser)
        columns = _specification(parser)
    elif name.endswith("*") or base in ("aligned", "gathered", "split", "matrix"):
        _skip_optional(parser)
    parser.enter(begin)
    rows = _rows(parser, begin, name)
    parser.depth -= 1
    span = parser.span(begin.start)
    if base in tables.TRANSPARENT_ENVIRONMENTS:
        return _transparent(rows, base, span)
    if base not in tables.ENVIRONMENTS:
        raise parser.error(
            begin, f"unknown environment {name}", "a matrix, array, cases or align environment"
        )
    opening, closing = tables.ENVIRONMENTS[base]
    rows = _even(parser, begin, name, rows, base in tables.RIGID)
    return Grid(base, tuple(tuple(row) for row in rows), opening, closing, columns, _bars(columns), span=span)


def _name(parser: Parser, command: Token) -> str:
    opening = parser.advance()
    if opening.text != "{":
        raise parser.error(command, f"{command.text} has no environment name", f"{command.text}{{…}}")
    name = ""
    while parser.peek().text != "}" and parser.peek().kind != "end":
        name += parser.advance().text
    if parser.peek().kind == "end":
        raise parser.error(opening, "this { is never closed", "a closing }")
    parser.advance()
    return name


def _skip_optional(parser: Parser) -> None:
    if parser.peek().text == "[" and parser.peek(1).text in ("t", "b", "c") and parser.peek(2).text == "]":
        for _ in range(3):
            parser.advance()


def _specification(parser: Parser) -> str:
    opening = parser.peek()
    if opening.text != "{":
        return ""
    depth = 0
    start = opening.end
    while True:
        token = parser.advance()
        if token.text == "{":
            depth += 1
        elif token.text == "}":
            depth -= 1
            if depth == 0:
                text = parser.latex[start : token.start]
                break
        elif token.kind == "end":
            raise parser.error(opening, "this { is never closed", "a closing }")
    for _ in range(8):
        expanded = _REPEAT.sub(lambda match: match.group(2) * min(int(match.group(1)), 60), text)
        if expanded == text:
            break
        text = expanded
    return _ENTRY.sub("", text).replace(" ", "")


def _bars(columns: str) -> tuple[int, ...]:
    found: list[int] = []
    count = 0
    for mark in columns:
        if mark in "lcr":
            count += 1
        elif mark == "|" and count and (not found or found[-1] != count):
            found.append(count)
    return tuple(place for place in found if place < count)


def _rows(parser: Parser, begin: Token, name: str) -> list[list[Node]]:
    bars, parser.bars = parser.bars, []
    cells, parser.cells = parser.cells, parser.cells + 1
    rows: list[list[Node]] = [[]]
    while True:
        rows[-1].append(_cell(parser))
        token = parser.peek()
        if token.text == "&":
            parser.advance()
        elif token.text == "\\\\":
            parser.advance()
            rows.append([])
        elif token.text == r"\end":
            parser.advance()
            other = _name(parser, token)
            if other != name:
                raise parser.error(
                    token, rf"\end{{{other}}} does not close \begin{{{name}}}", rf"\end{{{name}}}"
                )
            break
        elif token.kind == "end":
            raise parser.error(begin, f"the environment {name} is never closed", rf"\end{{{name}}}")
        else:
            raise parser.error(token, f"{token.text} cannot stand here", rf"&, \\ or \end{{{name}}}")
    parser.bars, parser.cells = bars, cells
    if len(rows) > 1 and all(isinstance(cell, Empty) for cell in rows[-1]):
        rows.pop()
    return rows


def _cell(parser: Parser) -> Node:
    start = parser.peek().start
    node = parser.listing()
    if parser.peek().kind == "char" and parser.peek().text in (".", "?", ":"):
        parser.advance()
    return node if not isinstance(node, Empty) else Empty(span=Span(start, start))


def _even(parser: Parser, begin: Token, name: str, rows: list[list[Node]], rigid: bool) -> list[list[Node]]:
    """Rows of one length; what is short in a matrix is an error, elsewhere it is filled up."""
    width = max(len(row) for row in rows)
    for number, row in enumerate(rows, start=1):
        if len(row) == width:
            continue
        if rigid and not is_dots_row(row):
            longest = next(place for place, other in enumerate(rows, start=1) if len(other) == width)
            raise parser.error(
                begin,
                f"row {number} of this {name} has {_entries(len(row))}, row {longest} has {_entries(width)}",
                "rows of one length",
            )
        row.extend(Empty(span=begin_span(begin)) for _ in range(width - len(row)))
    return rows


def _entries(count: int) -> str:
    return "1 entry" if count == 1 else f"{count} entries"


def begin_span(begin: Token) -> Span:
    """An empty span where an environment begins."""
    return Span(begin.start, begin.start)


def _transparent(rows: list[list[Node]], name: str, span: Span) -> Node:
    """A display environment inside a formula: its rows as one grid of relations."""
    return Grid(name, tuple(tuple(row) for row in rows), span=span)


def substack(parser: Parser, command: Token) -> Node:
    r"""``\substack{a \\ b}`` as a column."""
    opening = parser.advance()
    if opening.text != "{":
        raise parser.error(command, r"\substack has no argument", r"{…} after \substack")
    parser.enter(opening)
    lines: list[tuple[Node, ...]] = []
    while True:
        lines.append((parser.listing(),))
        token = parser.advance()
        if token.text == "}":
            break
        if token.text != "\\\\":
            raise parser.error(opening, "this { is never closed", "a closing }")
    parser.depth -= 1
    return Grid("substack", tuple(lines), span=parser.span(command.start))
