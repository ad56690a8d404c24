r"""What each command is read as: one function a kind of command, found in one table.

Offers `ATOMS`, from a command to its reader, and `applied` for named operators; rests on `latex_tables`,
`latex_fonts` and `latex_matrix`.  A reader gets the parser, whose cursor stands after the command, and the command.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from difflib import get_close_matches
from typing import TYPE_CHECKING, TypeAlias

from symlin.errors import ReadError
from symlin.read import latex_tables as tables
from symlin.read.latex_fonts import with_font
from symlin.read.latex_matrix import environment, plain_matrix, substack
from symlin.read.lexer import Token
from symlin.read.syntax import (
    BigOperator,
    Decorated,
    Dots,
    Fraction_,
    Function,
    Group,
    Name,
    Node,
    Number,
    Product,
    Root,
    Sequence,
    Span,
    Subscript,
    Sum,
    Symbolic,
    Text,
)

if TYPE_CHECKING:
    from symlin.read.latex_parser import Parser

Handler: TypeAlias = "Callable[[Parser, Token], Node]"


def unknown_command(parser: Parser, token: Token) -> ReadError:
    """The error for a command that no table holds, with the nearest known one."""
    near = get_close_matches(token.text[:40], _KNOWN, n=1, cutoff=0.75)
    hint = f"a known command (did you mean {near[0]}?)" if near else "a known command"
    return parser.error(token, f"unknown command {token.text[:40]}", hint)


# --- letters, symbols, fonts, accents --------------------------------------------------------------------------------


def _letter(parser: Parser, token: Token) -> Node:
    return Name(token.text, span=parser.span(token.start))


def _blackboard(parser: Parser, token: Token) -> Node:
    return Name(tables.BLACKBOARD[token.text], "bb", span=parser.span(token.start))


def _symbol(parser: Parser, token: Token) -> Node:
    return Symbolic(token.text, span=parser.span(token.start))


def _dots(parser: Parser, token: Token) -> Node:
    return Dots(token.text, span=parser.span(token.start))


def _row_dots(parser: Parser, token: Token) -> Node:
    r"""``\vdotswithin{=}`` and ``\hdotsfor{4}``: dots whose argument only places them."""
    if parser.peek().text == "{":
        parser.argument(token)
    return Dots(r"\vdots" if "vdots" in token.text else r"\hdots", span=parser.span(token.start))


def _font(parser: Parser, token: Token) -> Node:
    font = tables.FONTS[token.text]
    if token.text in tables.SWITCHES:
        return with_font(parser.product(), font)
    node = with_font(parser.argument(token), font)
    return replace(node, span=parser.span(token.start)) if isinstance(node, Name) else node


def _vector(parser: Parser, token: Token) -> Node:
    inner = parser.argument(token)
    return _on_letter(parser, token, inner, lambda name: replace(name, font="vec"), "overrightarrow")


def _accent(parser: Parser, token: Token) -> Node:
    inner = parser.argument(token)
    accent = token.text[1:]
    return _on_letter(
        parser, token, inner, lambda name: replace(name, accents=(*name.accents, accent)), accent
    )


def _on_letter(
    parser: Parser, token: Token, inner: Node, change: Callable[[Name], Name], decoration: str
) -> Node:
    """Put an accent on a letter, also under a script; anything longer is decorated as a whole."""
    span = parser.span(token.start)
    if isinstance(inner, Name):
        return replace(change(inner), span=span)
    if isinstance(inner, Number) and inner.digits in ("0", "1"):
        return replace(change(Name(inner.digits, "bold")), font="bold", span=span)
    if isinstance(inner, Subscript) and isinstance(inner.base, Name):
        return replace(inner, base=change(inner.base), span=span)
    return Decorated(decoration, inner, span=span)


# --- things with arguments ---------------------------------------------------------------------------------------


def _decoration(parser: Parser, token: Token) -> Node:
    if token.text in tables.OPTIONAL_FIRST:
        parser.optional()
    inner = parser.argument(token)
    note: Node | None = None
    if token.text in (r"\underbrace", r"\overbrace") and parser.peek().text in ("_", "^"):
        note = parser.script(parser.advance())
    return Decorated(token.text[1:], inner, note, span=parser.span(token.start))


def _stacked(parser: Parser, token: Token) -> Node:
    note = parser.argument(token)
    inner = parser.argument(token)
    return Decorated(token.text[1:], inner, note, span=parser.span(token.start))


def _enclosing(parser: Parser, token: Token) -> Node:
    """A macro for something in brackets: ``\\norm{v}``, ``\\set{x}``, ``\\inner{u}{v}``."""
    opening, closing = tables.ENCLOSING[token.text]
    body = parser.argument(token)
    if opening == r"\langle" and parser.peek().text == "{":
        second = parser.argument(token)
        body = Sequence((body, second), (",",), span=Span(body.span.start, second.span.end))
    return Group(opening, closing, body, span=parser.span(token.start))


def _fraction(parser: Parser, token: Token) -> Node:
    top = parser.argument(token)
    bottom = parser.argument(token)
    return Fraction_(top, bottom, token.text, span=parser.span(token.start))


def _binomial(parser: Parser, token: Token) -> Node:
    top = parser.argument(token)
    bottom = parser.argument(token)
    return Function("binom", (top, bottom), "{", span=parser.span(token.start))


def _root(parser: Parser, token: Token) -> Node:
    degree = parser.optional()
    return Root(parser.argument(token), degree, span=parser.span(token.start))


def _modulus(parser: Parser, token: Token) -> Node:
    return Function("pmod", (parser.argument(token),), "(", span=parser.span(token.start))


def _several_columns(parser: Parser, token: Token) -> Node:
    r"""``\multicolumn{2}{c}{body}``; the grid fills up the columns that it covers."""
    count = parser.argument(token)
    parser.argument(token)
    return Decorated("multicolumn", parser.argument(token), count, span=parser.span(token.start))


# --- named operators ---------------------------------------------------------------------------------------------


def is_function_name(words: str) -> bool:
    r"""Whether words right before a bracket name a function: ``\text{col rank}(A)``, but not ``\text{and}(a,b)``."""
    parts = words.split()
    named = words == words.strip() and 0 < len(parts) <= 2 and all(part.isalpha() for part in parts)
    return named and tables.CONNECTING.isdisjoint(parts)


def _words(parser: Parser, token: Token) -> Node:
    """Words as a factor: a function's name before brackets, a name of one word, or text."""
    if token.kind != "words":
        raise _without_argument(parser, token)
    words = " ".join(token.argument.split())
    following = parser.peek()
    known = words in tables.FUNCTION_WORDS and (parser.starts_factor() or parser.subscripted_function())
    bracketed = following.kind == "open" and following.text == "(" and following.start == token.end
    if known or (bracketed and is_function_name(token.argument)):
        return applied(parser, token, words)
    span = Span(token.start, token.end)
    if len(words) == 1 and words.isalpha():
        return with_font(Name(words, span=span), tables.LETTER_FONTS.get(token.text, "rm"))
    if words in ("0", "1") and token.text == r"\textbf":
        return Name(words, "bold", span=span)
    if words.isalpha():
        return Name(words, "rm", span=span)
    return Text(words, span=span)


def _without_argument(parser: Parser, token: Token) -> ReadError:
    return parser.error(token, f"{token.text} has no argument", f"{{…}} after {token.text}")


def _operator_name(parser: Parser, token: Token) -> Node:
    if token.kind != "words":
        raise _without_argument(parser, token)
    name = "".join(ch for ch in token.argument.split("\\")[-1] if ch.isalnum())
    return applied(parser, token, name)


def _function(parser: Parser, token: Token) -> Node:
    return applied(parser, token, tables.FUNCTIONS[token.text])


def applied(parser: Parser, token: Token, name: str) -> Node:
    """A named operator with its scripts and its arguments."""
    sub, sup = _limits(parser, token)
    parser.descend(token)
    arguments, brackets = _arguments(parser, name)
    parser.depth -= 1
    return Function(name, arguments, brackets, sub, sup, span=parser.span(token.start))


def _limits(parser: Parser, token: Token) -> tuple[Node | None, Node | None]:
    """What stands below and above an operator, in any order."""
    found: dict[str, Node] = {}
    while parser.peek().kind == "char" and parser.peek().text in ("_", "^"):
        mark = parser.advance()
        if mark.text in found:
            place = "subscript" if mark.text == "_" else "superscript"
            raise parser.error(mark, f"a second {place}", "braces round the first one")
        found[mark.text] = parser.script(mark)
    return found.get("_"), found.get("^")


def _arguments(parser: Parser, name: str) -> tuple[tuple[Node, ...], str]:
    if not parser.starts_factor():
        return (), ""
    token = parser.peek()
    if token.kind == "open" and token.text == "(":
        group = parser.atom()
        if isinstance(group, Group):
            body = group.body
            return (
                body.items if isinstance(body, Sequence) and r"\mid" not in body.separators else (body,)
            ), "("
        return (parser.scripts(group, token.start),), ""
    if token.kind == "open":
        return (parser.factor(),), token.text
    if name in tables.GREEDY_FUNCTIONS:
        return (_greedy(parser),), ""
    return (parser.factor(),), ""


def _greedy(parser: Parser) -> Node:
    """The numerals and letters after sin, cos, log …: sin 2x is sin(2x)."""
    start = parser.peek().start
    factors = [parser.factor()]
    while parser.peek().kind in ("letter", "number") or parser.peek().text in tables.LETTERS:
        factors.append(parser.factor())
    if len(factors) == 1:
        return factors[0]
    return Product(tuple(factors), ("",) * (len(factors) - 1), span=parser.span(start))


def _big(parser: Parser, token: Token) -> Node:
    """A sum, product, integral or limit with its limits; the body ends before the next + or relation."""
    lower, upper = _limits(parser, token)
    sign = parser.peek()
    body: Node = parser.here()
    if parser.starts_factor():
        body = parser.product()
    elif sign.text == "-" and sign.kind == "char":
        parser.advance()
        if not parser.starts_factor():
            raise parser.error(sign, "after - nothing follows", "a term")
        body = Sum((parser.product(),), ("-",), span=parser.span(sign.start))
    return BigOperator(token.text, lower, upper, body, span=parser.span(token.start))


def _extremum(parser: Parser, token: Token) -> Node:
    r"""``\max(a,b)`` and ``\min\{…\}`` are functions, ``\max_{x} f(x)`` is an operator with a body."""
    following = parser.peek()
    if following.kind == "open" and following.text in ("(", r"\{"):
        return applied(parser, token, tables.EXTREMA[token.text])
    return _big(parser, token)


def _table(names: Iterable[str], handler: Handler) -> dict[str, Handler]:
    return dict.fromkeys(names, handler)


ATOMS: dict[str, Handler] = {
    **_table(tables.LETTERS, _letter),
    **_table(tables.BLACKBOARD, _blackboard),
    **_table(tables.SYMBOLS, _symbol),
    **_table(tables.DOTS, _dots),
    **_table(tables.ROW_DOTS, _row_dots),
    **_table(tables.FONTS, _font),
    **_table(tables.VECTORS, _vector),
    **_table(tables.ACCENTS, _accent),
    **_table(tables.DECORATIONS, _decoration),
    **_table(tables.STACKED, _stacked),
    **_table(tables.ENCLOSING, _enclosing),
    **_table(tables.FRACTIONS, _fraction),
    **_table((r"\binom", r"\dbinom", r"\tbinom"), _binomial),
    r"\sqrt": _root,
    r"\operatorname": _operator_name,
    **_table(tables.FUNCTIONS, _function),
    **_table(tables.BIG_OPERATORS, _big),
    **_table(tables.EXTREMA, _extremum),
    r"\begin": environment,
    **_table(tables.PLAIN_MATRICES, plain_matrix),
    r"\substack": substack,
    r"\multicolumn": _several_columns,
    r"\pmod": _modulus,
    **_table(tables.TEXTS, _words),
}
"""The reader of every command that begins an atom."""
NOT_ATOMS = frozenset(
    {
        *tables.RELATIONS,
        *tables.ADDITIVE,
        *tables.MULTIPLICATIVE,
        *tables.QUADS,
        *tables.LABELLED_ARROWS,
        r"\not",
        r"\mid",
    }
)
"""Commands at which no factor begins; any other unknown command is an error where a factor may stand."""
_KNOWN = sorted({*ATOMS, *(name for name in NOT_ATOMS if name[0] == "\\"), *tables.SKIPPED})
