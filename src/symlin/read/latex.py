r"""LaTeX to the surface tree: tokens, what belongs together, the lay-out of a display, and then a descent.

Offers `parse`; rests on `lexer`, `latex_pairs`, `latex_layout`, `latex_clauses` and `latex_parser`, each of which
does one of these.  It knows how formulas are written and nothing of what they mean; every failure is a `ReadError`
with line, column, caret and what was expected.
"""

from __future__ import annotations

from symlin.read import latex_tables as tables
from symlin.read.latex_clauses import Clauses, read_run
from symlin.read.latex_layout import runs
from symlin.read.latex_pairs import pair
from symlin.read.latex_parser import Parser
from symlin.read.lexer import Token, tokenize
from symlin.read.syntax import Formula, Node

PUNCTUATION = frozenset(".,;:?!")


def parse(latex: str) -> Formula:
    r"""Parse one formula, given without its delimiters.

    Args:
        latex: the LaTeX of the formula; alignment marks and line breaks of displays are allowed.

    Returns:
        The surface tree, whose spans are offsets into `latex`.

    Raises:
        ReadError: with line, column, caret and what was expected.

    Examples:
        >>> formula = parse(r"Q=XW_Q,\qquad K=XW_K.")
        >>> len(formula.clauses), formula.separators, formula.punctuation
        (2, (',',), '.')
        >>> parse(r"(A+B")
        Traceback (most recent call last):
        symlin.errors.ReadError: line 1, column 1: this ( is never closed; expected a closing )
        (A+B
        ^
    """
    tokens = tokenize(latex)
    end = tokens.pop()
    punctuation = _closing_punctuation(tokens)
    tokens = pair([*tokens, end])
    laid = runs(tokens[:-1])
    clauses = Clauses()
    notes: list[Node] = []
    separator = ""
    for number, run in enumerate(laid.runs, start=1):
        separator = separator if separator not in ("", "space") else run.separator
        separator = read_run(
            _parser(latex, run.tokens, end), clauses, notes, separator, number == len(laid.runs)
        )
    clauses.close()
    beside = Clauses()
    for note in laid.notes:
        read_run(_parser(latex, note, end), beside, notes, "", last=True)
    beside.close()
    return Formula(latex, tuple(clauses.done), tuple(clauses.separators), punctuation, (*notes, *beside.done))


def _parser(latex: str, tokens: list[Token], end: Token) -> Parser:
    """A parser for some tokens; their end is where the last one ends."""
    at = tokens[-1].end if tokens else end.end
    return Parser(latex, [*tokens, Token("end", "", at, at)])


def _closing_punctuation(tokens: list[Token]) -> str:
    r"""Take the closing punctuation, bare or in ``\text{.}``, off the end of the tokens."""
    found = ""
    while tokens:
        last = tokens[-1]
        if last.text in tables.QUADS or last.kind == "mark":
            tokens.pop()
        elif last.kind == "char" and last.text in PUNCTUATION and not _is_operand(tokens):
            found = last.text + found
            tokens.pop()
        elif last.kind == "words" and last.argument.strip() and not last.argument.strip().strip(".,;:?!"):
            found = last.argument.strip() + found
            tokens.pop()
        else:
            break
    return found


def _is_operand(tokens: list[Token]) -> bool:
    """Whether the sign at the end is a factorial, or a question mark in the place of what is asked for."""
    sign = tokens[-1].text
    before = tokens[-2] if len(tokens) > 1 else None
    if sign == "!":
        return before is not None and (
            before.kind in ("number", "letter", "close") or before.text in ("}", "!")
        )
    if sign == "?":
        return before is None or (
            before.kind in ("char", "command")
            and (before.text in tables.RELATIONS or before.text in tables.ADDITIVE)
        )
    return False
