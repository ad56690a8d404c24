r"""LaTeX to the surface tree: one recursive-descent parser over the tables of `latex_tables`.

Offers `parse`; rests on `lexer`, `latex_atoms` and `syntax`.  It knows how formulas are written and nothing of what
they mean; every failure is a `ReadError` with line, column, caret and what was expected.
"""

from __future__ import annotations

from typing import TypeGuard

from symlin.read.latex_atoms import Parser
from symlin.read.latex_tables import QUADS
from symlin.read.lexer import Token, tokenize
from symlin.read.syntax import Chain, Empty, Formula, Node, Sequence, Span, Sum, Text

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
        >>> formula = parse(r"Q=XW_Q,\\qquad K=XW_K.")
        >>> len(formula.clauses), formula.separators, formula.punctuation
        (2, (',',), '.')
        >>> parse(r"(A+B")
        Traceback (most recent call last):
        symlin.errors.ReadError: line 1, column 1: this ( is never closed; expected a closing )
        (A+B
        ^
    """
    tokens = tokenize(latex)
    punctuation = _closing_punctuation(tokens, latex)
    parser = Parser(latex, tokens)
    clauses, separators = _clauses(parser)
    return Formula(latex, tuple(clauses), tuple(separators), punctuation)


def _closing_punctuation(tokens: list[Token], latex: str) -> str:
    r"""Take the closing punctuation, bare or in ``\text{.}``, off the end of the tokens."""
    end = tokens.pop()
    found = ""
    while tokens:
        last = tokens[-1]
        if (last.kind == "command" and last.text in QUADS) or last.text == "\\\\":
            tokens.pop()
        elif last.kind == "char" and last.text in PUNCTUATION and not _is_factorial(tokens):
            found = last.text + found
            tokens.pop()
        elif (
            len(tokens) >= 4
            and last.text == "}"
            and tokens[-2].text in PUNCTUATION
            and tokens[-3].text == "{"
            and tokens[-4].text in (r"\text", r"\mbox", r"\textrm")
        ):
            found = tokens[-2].text + found
            del tokens[-4:]
        else:
            break
    tokens.append(end)
    return found


def _is_factorial(tokens: list[Token]) -> bool:
    return tokens[-1].text == "!" and len(tokens) >= 2 and tokens[-2].kind in ("number", "letter", "close")


def _clauses(parser: Parser) -> tuple[list[Node], list[str]]:
    clauses: list[Node] = []
    separators: list[str] = []
    pending = ""
    while True:
        pending = _separator(parser, pending, bool(clauses))
        token = parser.peek()
        if token.kind == "end":
            break
        if token.kind == "close" or token.text == "}":
            raise parser.error(token, f"this {token.text} closes nothing", "an opening one before it")
        before = parser.position
        item = parser.chain()
        if parser.position == before:
            raise parser.error(token, f"{token.text!r} cannot stand here", "a formula")
        _place(parser, clauses, separators, item, pending)
        pending = ""
    return clauses, separators


def _separator(parser: Parser, pending: str, some: bool) -> str:
    """Read commas, spaces, line breaks and connecting words; the most telling one names the separator."""
    comma = quad = False
    parser.aligned = False
    while True:
        token = parser.peek()
        if token.kind == "char" and token.text in (",", ";", "."):
            comma = True
            pending = pending if pending not in ("", "space") else (";" if token.text == ";" else ",")
        elif token.kind == "command" and token.text in QUADS:
            quad = True
            pending = pending or "space"
        elif token.text == "\\\\":
            quad = True
            pending = "\\\\" if pending in ("", "space") else pending
        elif token.text == "&":
            parser.aligned = parser.aligned or pending == "\\\\"
        elif some and parser.at_text() and not parser.text_is_operand():
            pending = parser.text().words or pending
            quad = True
            continue
        else:
            break
        parser.advance()
    parser.spaced = quad or not comma
    return pending


def _place(parser: Parser, clauses: list[Node], separators: list[str], item: Node, separator: str) -> None:
    """Put an item into its clause: lists without relations are one clause, relations begin a new one."""
    if not clauses:
        clauses.append(item)
        return
    last = clauses[-1]
    listed = separator in (",", ";")
    if separator == "\\\\" and isinstance(item, Chain) and isinstance(item.operands[0], Empty):
        clauses[-1] = _continue_chain(last, item)
    elif separator == "\\\\" and isinstance(item, Sum) and item.signs[0] and _can_grow(last):
        clauses[-1] = _grow(last, item)
    elif separator == "\\\\" and _goes_on(item, parser.aligned) and isinstance(last, Chain):
        first = item.operands[0]
        grown = _grow(last, first)
        clauses[-1] = _continue_chain(
            grown, Chain((Empty(), *item.operands[1:]), item.relations, span=item.span)
        )
    elif listed and not isinstance(last, Chain) and not isinstance(item, Chain):
        clauses[-1] = _listed(last, item, separator)
    elif listed and not parser.spaced and isinstance(last, Chain) and not isinstance(item, Chain):
        operands = (*last.operands[:-1], _listed(last.operands[-1], item, separator))
        clauses[-1] = Chain(operands, last.relations, span=_joined(last, item))
    elif listed and not parser.spaced and not isinstance(last, Chain) and isinstance(item, Chain):
        operands = (_listed(last, item.operands[0], separator), *item.operands[1:])
        clauses[-1] = Chain(operands, item.relations, span=_joined(last, item))
    elif separator == "" and isinstance(item, Chain) and isinstance(item.operands[0], Empty):
        clauses[-1] = _continue_chain(last, item)
    else:
        clauses.append(item)
        separators.append(separator or "space")


def _joined(first: Node, last: Node) -> Span:
    return Span(first.span.start, last.span.end)


def _listed(first: Node, item: Node, separator: str) -> Sequence:
    if isinstance(first, Sequence):
        return Sequence((*first.items, item), (*first.separators, separator), span=_joined(first, item))
    return Sequence((first, item), (separator,), span=_joined(first, item))


def _continue_chain(last: Node, item: Chain) -> Chain:
    if isinstance(last, Chain):
        operands, relations = (*last.operands, *item.operands[1:]), (*last.relations, *item.relations)
    else:
        operands, relations = (last, *item.operands[1:]), item.relations
    return Chain(operands, relations, span=_joined(last, item))


def _goes_on(item: Node, aligned: bool) -> TypeGuard[Chain]:
    """Whether a line goes on with the sum of the line before and then to a relation: ``& + b = c`` after ``a = d``.

    A line that begins with a minus and no alignment mark is an equation of its own, as in a system.
    """
    if not isinstance(item, Chain) or not isinstance(item.operands[0], Sum):
        return False
    sign = item.operands[0].signs[0]
    return bool(sign) and (aligned or sign == "+")


def _can_grow(last: Node) -> bool:
    return not isinstance(last, Text)


def _grow(last: Node, item: Node) -> Node:
    """A line that begins with a sign goes on with the sum of the line before."""
    if not isinstance(item, Sum):
        return last
    target = last.operands[-1] if isinstance(last, Chain) else last
    if isinstance(target, Sum):
        grown = Sum((*target.terms, *item.terms), (*target.signs, *item.signs), span=_joined(target, item))
    else:
        grown = Sum((target, *item.terms), ("", *item.signs), span=_joined(target, item))
    if isinstance(last, Chain):
        return Chain((*last.operands[:-1], grown), last.relations, span=_joined(last, item))
    return grown
