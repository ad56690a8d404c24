r"""The parser proper: chains, sums, products, scripts, and the atoms that commands stand for.

Offers `Parser`; rests on `lexer`, `latex_tables`, `latex_matrix` and `syntax`.  Each kind of command has one method,
found by a table; nesting is bounded, so that no input exhausts the stack.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from difflib import get_close_matches
from fractions import Fraction
from typing import Any

from symlin.errors import Place, ReadError
from symlin.read import latex_tables as tables
from symlin.read.lexer import Token
from symlin.read.syntax import (
    Arrow,
    BigOperator,
    Chain,
    Decorated,
    Dots,
    Empty,
    Fraction_,
    Function,
    Grid,
    Group,
    Name,
    Node,
    Number,
    Product,
    Relation,
    Root,
    Sequence,
    Span,
    Subscript,
    Sum,
    Superscript,
    Symbolic,
    Text,
)

DEPTH = 120
"""Brackets and braces deeper than this are refused."""


class Parser:
    """A cursor over tokens with one method a construct."""

    def __init__(self, latex: str, tokens: list[Token]) -> None:
        self.latex = latex
        self.tokens = tokens
        self.position = 0
        self.depth = 0
        self.bars: list[str] = []
        self.cells = 0
        self.spaced = False
        self.aligned = False

    # --- the cursor ------------------------------------------------------------------------------------------

    def peek(self, ahead: int = 0) -> Token:
        """The token at the cursor (or `ahead` of it)."""
        place = self.position + ahead
        return self.tokens[place] if place < len(self.tokens) else self.tokens[-1]

    def advance(self) -> Token:
        """Take the token at the cursor."""
        token = self.peek()
        if self.position < len(self.tokens) - 1:
            self.position += 1
        return token

    def error(self, token: Token, message: str, expected: str = "") -> ReadError:
        """A ReadError that points at a token."""
        return ReadError(message, Place(self.latex, token.start, max(token.end, token.start + 1)), expected)

    def span(self, start: int) -> Span:
        """From an offset to the end of the last token taken."""
        last = self.tokens[self.position - 1] if self.position else self.tokens[0]
        return Span(start, max(last.end, start))

    def enter(self, token: Token) -> None:
        """Go one level deeper, if that is still allowed."""
        self.depth += 1
        if self.depth > DEPTH:
            raise self.error(
                token, f"brackets are nested more than {DEPTH} deep", "a formula that a person can read"
            )

    # --- relations and lists ---------------------------------------------------------------------------------

    def chain(self) -> Node:
        """Operands with relations between them; one operand alone is itself."""
        start = self.peek().start
        operands: list[Node] = [self.operand()]
        relations: list[Relation] = []
        while True:
            skipped = self.skip_to_relation()
            relation = self.relation()
            if relation is None:
                self.position -= skipped
                break
            relations.append(relation)
            self.skip_blanks()
            operands.append(self.operand())
        if not relations:
            return operands[0]
        return Chain(tuple(operands), tuple(relations), span=self.span(start))

    def operand(self) -> Node:
        """A sum, words that stand as an operand, or nothing."""
        if self.at_text() and not self.words_are_a_factor() and self.text_is_operand():
            start = self.peek().start
            words: Node = self.text()
            if self.starts_atom():
                rest = self.sum()
                return Product((words, rest), ("",), span=self.span(start))
            return words
        if self.starts_atom() or self.peek().text in tables.ADDITIVE:
            return self.lone_sign() or self.sum()
        if self.peek().text in tables.PLACEHOLDERS:
            return self.lone_sign() or Empty(span=Span(self.peek().start, self.peek().start))
        return Empty(span=Span(self.peek().start, self.peek().start))

    def lone_sign(self) -> Node | None:
        """An operator or a placeholder that stands alone in its cell or formula: ``*``, ``?``, ``+``."""
        token, after = self.peek(), self.peek(1)
        ends = after.kind in ("end", "close", "mark") or after.text in ("&", "}", ",", r"\end")
        if not ends or (token.text not in tables.PLACEHOLDERS and token.text not in tables.ADDITIVE):
            return None
        self.advance()
        return Symbolic(token.text, span=self.span(token.start))

    def skip_to_relation(self) -> int:
        r"""Skip ``\quad``, ``&`` and, at top level, a line break before a relation; how many tokens were skipped."""
        ahead = 0
        while self._is_blank(self.peek(ahead)):
            ahead += 1
        if ahead and self._is_relation(self.peek(ahead)):
            for _ in range(ahead):
                self.advance()
            return ahead
        return 0

    def skip_blanks(self) -> None:
        """Skip what separates without meaning, after a relation or an operator."""
        while self._is_blank(self.peek()):
            self.advance()

    def _is_blank(self, token: Token) -> bool:
        if token.kind == "command" and token.text in tables.QUADS:
            return True
        return self.cells == 0 and token.text in ("&", "\\\\")

    def _is_relation(self, token: Token) -> bool:
        if token.kind in ("char", "command") and token.text in tables.RELATIONS:
            return True
        return token.text == r"\not" or token.text in tables.LABELLED_ARROWS

    def relation(self) -> Relation | None:
        """The relation at the cursor, if one stands there."""
        token = self.peek()
        if not self._is_relation(token):
            return None
        self.advance()
        if token.text in tables.LABELLED_ARROWS:
            below = self.optional()
            above = self.argument(token)
            arrow = Arrow(token.text, above, below, span=self.span(token.start))
            return Relation(token.text, arrow, span=self.span(token.start))
        if token.text == r"\not":
            following = self.advance()
            sign = tables.RELATIONS.get(following.text, following.text)
            return Relation(tables.NEGATED.get(sign, rf"\not{sign}"), span=self.span(token.start))
        sign = tables.RELATIONS[token.text]
        if sign == ":" and self.peek().text == "=":
            self.advance()
            sign = ":="
        return Relation(sign, span=self.span(token.start))

    def listing(self) -> Node:
        """What stands in brackets, braces or a cell: a chain, a list of chains, or nothing."""
        start = self.peek().start
        items: list[Node] = []
        separators: list[str] = []
        while True:
            self.skip_inner_blanks()
            items.append(self.chain())
            self.skip_inner_blanks()
            token = self.peek()
            if token.kind == "char" and token.text in (",", ";"):
                separators.append(token.text)
            elif token.text == r"\mid" or (token.kind == "bar" and token.text == "|" and not self.bars):
                separators.append(r"\mid")
            elif self.at_text() or (self.spaced and self.starts_atom()):
                separators.append("space")
                self.spaced = False
                continue
            else:
                break
            self.advance()
        if len(items) == 1:
            return items[0]
        if isinstance(items[-1], Empty):
            items.pop()
            separators.pop()
            if len(items) == 1:
                return items[0]
        return Sequence(tuple(items), tuple(separators), span=self.span(start))

    def skip_inner_blanks(self) -> None:
        r"""Skip ``\quad`` in brackets, noting that there was one."""
        self.spaced = False
        while self.peek().kind == "command" and self.peek().text in tables.QUADS:
            self.spaced = True
            self.advance()

    # --- sums and products -----------------------------------------------------------------------------------

    def sum(self) -> Node:
        """Terms with their signs."""
        start = self.peek().start
        terms: list[Node] = []
        signs: list[str] = []
        while True:
            token = self.peek()
            sign = ""
            if token.text in tables.ADDITIVE and token.kind in ("char", "command"):
                sign = "-" if token.text == "−" else token.text
                self.advance()
                self.skip_blanks()
            elif terms:
                break
            if not self.starts_atom():
                if sign:
                    raise self.error(token, f"after {sign} nothing follows", "a term")
                break
            terms.append(self.product())
            signs.append(sign)
            if not self._sum_goes_on():
                break
        if len(terms) == 1 and not signs[0]:
            return terms[0]
        return Sum(tuple(terms), tuple(signs), span=self.span(start))

    def _sum_goes_on(self) -> bool:
        token = self.peek()
        if token.text in tables.ADDITIVE and token.kind in ("char", "command"):
            return True
        if self.cells:
            return False
        ahead = 0
        while self.peek(ahead).text == "&":
            ahead += 1
        if ahead and self.peek(ahead).text in tables.ADDITIVE:
            for _ in range(ahead):
                self.advance()
            return True
        return False

    def product(self) -> Node:
        """Factors side by side or with an operator between them."""
        start = self.peek().start
        factors = [self.factor()]
        operators: list[str] = []
        while True:
            token = self.peek()
            operator = tables.MULTIPLICATIVE.get(token.text) if token.kind in ("char", "command") else None
            if operator is not None:
                self.advance()
                self.skip_blanks()
                if not self.starts_atom():
                    if self.peek().text in ("+", "-") and self.peek(1).kind in ("number", "letter"):
                        sign = self.advance()
                        inner = self.factor()
                        factors.append(Sum((inner,), (sign.text,), span=self.span(sign.start)))
                        operators.append(operator)
                        continue
                    raise self.error(token, f"after {token.text} nothing follows", "a factor")
            elif self.starts_atom():
                operator = ""
            else:
                break
            factors.append(self.factor())
            operators.append(operator)
        if len(factors) == 1:
            return factors[0]
        return Product(tuple(factors), tuple(operators), span=self.span(start))

    def starts_atom(self) -> bool:
        """Whether a factor begins at the cursor."""
        token = self.peek()
        match token.kind:
            case "letter" | "number" | "open":
                return True
            case "close" | "end" | "mark":
                return False
            case "bar":
                return token.text not in self.bars
            case "char":
                return token.text == "{"
        if token.text in tables.TEXTS:
            return self.words_are_a_factor()
        return token.text in _ATOMS or token.text not in _KNOWN_NOT_ATOMS

    def factor(self) -> Node:
        """An atom with its scripts."""
        start = self.peek().start
        node = self.atom()
        return self.scripts(node, start)

    def scripts(self, node: Node, start: int) -> Node:
        """Subscripts, superscripts, primes and factorials after a node; the subscript goes inside."""
        sub: Node | None = None
        sup: Node | None = None
        while True:
            token = self.peek()
            if token.text == "_" and token.kind == "char":
                self.advance()
                if sub is not None:
                    raise self.error(token, "a second subscript", "braces round the first one")
                sub = self.script(token)
            elif token.text == "^" and token.kind == "char":
                self.advance()
                if sup is not None:
                    raise self.error(token, "a second superscript", "braces round the first one")
                sup = self.script(token)
            elif token.text in ("'", "’") and token.kind == "char":
                self.advance()
                node = self._primed(node, start)
            elif token.text == "!" and token.kind == "char":
                self.advance()
                node = Decorated("factorial", node, span=self.span(start))
            else:
                break
        if sub is not None:
            node = Subscript(node, sub, span=self.span(start))
        if sup is not None:
            node = Superscript(node, sup, span=self.span(start))
        return node

    def _primed(self, node: Node, start: int) -> Node:
        if isinstance(node, Name):
            return replace(node, accents=(*node.accents, "prime"), span=self.span(start))
        return Superscript(node, Symbolic("'", span=self.span(start)), span=self.span(start))

    def script(self, after: Token) -> Node:
        """The argument of ``_`` or ``^``: a group or one token."""
        token = self.peek()
        if token.text == "{" and token.kind == "char":
            return self.braces(lone_signs=True)
        if token.text in ("+", "-", "*", "'") and token.kind == "char":
            self.advance()
            return Symbolic(token.text, span=self.span(token.start))
        if token.kind == "command" and token.text in (r"\circ", r"\star", r"\perp", r"\prime"):
            self.advance()
            return Symbolic(token.text, span=self.span(token.start))
        if token.kind in ("end", "close", "mark") or token.text in ("}", "&", ",", "="):
            raise self.error(token, f"after {after.text} nothing follows", "a script such as i or {ij}")
        return self.single(token)

    def single(self, token: Token) -> Node:
        """One token as an argument: a letter, one digit, or a command with its own arguments."""
        if token.kind == "number" and len(token.text) > 1:
            # \\frac12 and x_12 take one digit; the rest stays for what follows.
            rest = Token("number", token.text[1:], token.start + 1, token.end)
            self.tokens[self.position] = rest
            digit = token.text[0]
            return Number(digit, Fraction(int(digit)), span=Span(token.start, token.start + 1))
        return self.atom()

    def argument(self, command: Token) -> Node:
        """The argument of a command: a group in braces or one token."""
        token = self.peek()
        if token.text == "{" and token.kind == "char":
            return self.braces()
        if token.kind in ("end", "close", "mark") or token.text in ("}", "&"):
            raise self.error(command, f"{command.text} has no argument", f"{{…}} after {command.text}")
        return self.single(token)

    def optional(self) -> Node | None:
        """An optional argument in square brackets."""
        token = self.peek()
        if token.text != "[":
            return None
        self.advance()
        self.enter(token)
        inner = self.listing()
        self._close(token, "]", frozenset({"]"}))
        self.depth -= 1
        return inner

    def braces(self, lone_signs: bool = False) -> Node:
        """A group in braces, whose braces mean nothing but grouping."""
        token = self.advance()
        self.enter(token)
        bars, self.bars = self.bars, []
        cells, self.cells = self.cells, self.cells or 1
        if (
            lone_signs
            and self.peek().text in ("+", "-", "*", r"\circ", r"\star", r"\times", r"\dagger")
            and self.peek(1).text == "}"
        ):
            sign = self.advance()
            inner: Node = Symbolic(sign.text, span=self.span(sign.start))
        elif self.peek().kind == "command" and self.peek().text in tables.SWITCHES:
            font = tables.FONTS[self.advance().text]
            inner = with_font(self.listing(), font)
        else:
            inner = self.listing()
        self._close(token, "}", frozenset({"}"}))
        self.depth -= 1
        self.bars = bars
        self.cells = cells
        return inner

    def _close(self, opening: Token, name: str, closings: frozenset[str]) -> Token:
        token = self.peek()
        if token.text in closings:
            return self.advance()
        if token.kind == "end" or token.text in ("}", "&", "\\\\", r"\end") or token.kind == "close":
            raise self.error(opening, f"this {opening.text} is never closed", f"a closing {name}")
        raise self.error(
            token, f"{token.text} cannot stand here", f"a closing {name} for the {opening.text} before it"
        )

    # --- atoms -----------------------------------------------------------------------------------------------

    def atom(self) -> Node:
        """One atom, by the kind of its first token."""
        token = self.peek()
        match token.kind:
            case "letter":
                self.advance()
                return Name(token.text, span=self.span(token.start))
            case "number":
                return self.number()
            case "open":
                return self.group()
            case "bar":
                return self.bar_group()
            case "char" if token.text == "{":
                return self.braces()
            case "command":
                handler = _ATOMS.get(token.text)
                if handler is not None:
                    self.advance()
                    return handler(self, token)
                raise self.unknown_command(token)
        raise self.error(
            token, f"{token.text or 'the end'} cannot stand here", "a letter, a number or a bracket"
        )

    def unknown_command(self, token: Token) -> ReadError:
        """The error for a command that no table holds, with the nearest known one."""
        near = get_close_matches(token.text, _ATOMS, n=1, cutoff=0.75)
        hint = f"a known command (did you mean {near[0]}?)" if near else "a known command"
        return self.error(token, f"unknown command {token.text}", hint)

    def number(self) -> Node:
        """A numeral."""
        token = self.advance()
        point = token.text.find(".")
        decimals = len(token.text) - point - 1 if point >= 0 else 0
        return Number(token.text, Fraction(token.text), decimals, span=self.span(token.start))

    def group(self) -> Node:
        """Something in brackets, ``\\left`` … ``\\right`` included; an array in brackets is a matrix."""
        token = self.advance()
        self.enter(token)
        bars, self.bars = self.bars, []
        cells, self.cells = self.cells, self.cells or 1
        inner = self.listing()
        self.bars, self.cells = bars, cells
        closing = self.peek()
        wanted = tables.CLOSING_OF.get(token.text, frozenset())
        if closing.kind == "close" or closing.text in wanted:
            self.advance()
        else:
            self._close(token, tables.CLOSING_NAME.get(token.text, "delimiter"), wanted)
        self.depth -= 1
        if (
            isinstance(inner, Grid)
            and not inner.opening
            and inner.environment in ("array", "matrix", "smallmatrix")
        ):
            return replace(inner, opening=token.text, closing=closing.text, span=self.span(token.start))
        return Group(token.text, closing.text, inner, span=self.span(token.start))

    def bar_group(self) -> Node:
        """Something between vertical bars."""
        token = self.advance()
        self.enter(token)
        self.bars.append(token.text)
        inner = self.listing()
        self.bars.pop()
        closing = self.peek()
        if closing.text != token.text:
            raise self.error(token, f"this {token.text} is never closed", f"a closing {token.text}")
        self.advance()
        self.depth -= 1
        if isinstance(inner, Grid) and not inner.opening and inner.environment in ("array", "matrix"):
            return replace(inner, opening=token.text, closing=token.text, span=self.span(token.start))
        return Group(token.text, token.text, inner, span=self.span(token.start))

    # --- words -----------------------------------------------------------------------------------------------

    def at_text(self) -> bool:
        r"""Whether ``\text`` or the like stands at the cursor."""
        token = self.peek()
        return token.kind == "command" and token.text in tables.TEXTS

    def text_is_operand(self) -> bool:
        """Whether the words at the cursor stand as an operand: beside a relation, or alone."""
        before = self.tokens[self.position - 1] if self.position else None
        if before is not None and self._is_relation(before):
            return True
        place = self._after_text(self.position)
        while self._is_blank(self.tokens[place]):
            place += 1
        if self._is_relation(self.tokens[place]) or (self.tokens[place].kind == "end" and self.position == 0):
            return True
        return self.cells > 0 or (self.position == 0 and self.tokens[place].kind == "end")

    def words_are_a_factor(self) -> bool:
        r"""Whether the words at the cursor are part of the mathematics: ``\text{rref}(A)``, ``\text{H}_2``."""
        after = self.tokens[self._after_text(self.position)]
        return (
            after.text in ("(", "_", "^")
            and after.start == self.tokens[self._after_text(self.position) - 1].end
        )

    def _after_text(self, place: int) -> int:
        depth = 0
        for at in range(place + 1, len(self.tokens)):
            if self.tokens[at].text == "{":
                depth += 1
            elif self.tokens[at].text == "}":
                depth -= 1
                if depth == 0:
                    return min(at + 1, len(self.tokens) - 1)
        return len(self.tokens) - 1

    def text(self) -> Text:
        r"""The words of ``\text{…}``."""
        token = self.advance()
        return self.words(token)

    def words(self, token: Token) -> Text:
        """The words in the braces after a text command."""
        opening = self.peek()
        if opening.text != "{":
            raise self.error(token, f"{token.text} has no argument", f"{{…}} after {token.text}")
        end = self._after_text(self.position - 1)
        if self.tokens[end - 1].text != "}":
            raise self.error(opening, "this { is never closed", "a closing }")
        words = self.latex[opening.end : self.tokens[end - 1].start]
        self.position = end
        return Text(" ".join(words.split()), span=self.span(token.start))


def with_font(node: Node, font: str) -> Node:
    """A node with a font put on every letter that has none; a run of upright letters is one word."""
    if isinstance(node, Name):
        return replace(node, font=node.font or font)  # type: ignore[arg-type]
    if isinstance(node, Number) and font in ("bold", "bb") and node.digits in ("0", "1"):
        return Name(node.digits, font, span=node.span)  # type: ignore[arg-type]
    if isinstance(node, Product) and font in ("rm", "sf", "tt", "it") and _is_word(node):
        word = "".join(f.letter for f in node.factors if isinstance(f, Name))
        return Name(word, font, span=node.span)  # type: ignore[arg-type]
    if isinstance(node, Subscript | Superscript):
        return replace(node, base=with_font(node.base, font))
    if isinstance(node, Product):
        return replace(node, factors=tuple(with_font(factor, font) for factor in node.factors))
    if isinstance(node, Sum):
        return replace(node, terms=tuple(with_font(term, font) for term in node.terms))
    if isinstance(node, Group):
        return replace(node, body=with_font(node.body, font))
    if isinstance(node, Sequence):
        return replace(node, items=tuple(with_font(item, font) for item in node.items))
    if isinstance(node, Grid):
        return replace(node, rows=tuple(tuple(with_font(cell, font) for cell in row) for row in node.rows))
    return node


def _is_word(node: Product) -> bool:
    """Whether single letters stand side by side."""
    return not any(node.operators) and all(isinstance(f, Name) and len(f.letter) == 1 for f in node.factors)


# --- handlers: one a kind of command, found by the table below ----------------------------------------------------


def _letter(parser: Parser, token: Token) -> Node:
    return Name(token.text, span=parser.span(token.start))


def _symbol(parser: Parser, token: Token) -> Node:
    return Symbolic(token.text, span=parser.span(token.start))


def _dots(parser: Parser, token: Token) -> Node:
    return Dots(token.text, span=parser.span(token.start))


def _font(parser: Parser, token: Token) -> Node:
    if token.text in tables.SWITCHES:
        return with_font(parser.product(), tables.FONTS[token.text])
    node = with_font(parser.argument(token), tables.FONTS[token.text])
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


def _decoration(parser: Parser, token: Token) -> Node:
    inner = parser.argument(token)
    note: Node | None = None
    if token.text in (r"\underbrace", r"\overbrace") and parser.peek().text in ("_", "^"):
        mark = parser.advance()
        note = parser.script(mark)
    return Decorated(token.text[1:], inner, note, span=parser.span(token.start))


def _stacked(parser: Parser, token: Token) -> Node:
    note = parser.argument(token)
    inner = parser.argument(token)
    return Decorated(token.text[1:], inner, note, span=parser.span(token.start))


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


def _text(parser: Parser, token: Token) -> Node:
    """Words as a factor: a function's name before parentheses, else a name of its own."""
    words = parser.words(token)
    if parser.peek().text == "(" and words.words.isalpha():
        return _applied(parser, token, words.words)
    if words.words.isalpha():
        return Name(words.words, "rm", span=words.span)
    return words


def _operator_name(parser: Parser, token: Token) -> Node:
    opening = parser.peek()
    if opening.text != "{":
        raise parser.error(token, f"{token.text} has no argument", f"{{…}} after {token.text}")
    words = parser.words(token)
    name = "".join(ch for ch in words.words if ch.isalnum())
    return _applied(parser, token, name)


def _function(parser: Parser, token: Token) -> Node:
    return _applied(parser, token, tables.FUNCTIONS[token.text])


def _applied(parser: Parser, token: Token, name: str) -> Node:
    """A named operator with its scripts and its arguments."""
    sub: Node | None = None
    sup: Node | None = None
    while parser.peek().text in ("_", "^") and parser.peek().kind == "char":
        mark = parser.advance()
        if mark.text == "_":
            sub = parser.script(mark)
        else:
            sup = parser.script(mark)
    arguments, brackets = _arguments(parser, name)
    return Function(name, arguments, brackets, sub, sup, span=parser.span(token.start))


def _arguments(parser: Parser, name: str) -> tuple[tuple[Node, ...], str]:
    if not parser.starts_atom():
        return (), ""
    token = parser.peek()
    if token.kind == "open" and token.text == "(":
        group = parser.group()
        if isinstance(group, Group):
            body = group.body
            return (body.items if isinstance(body, Sequence) else (body,)), "("
        return (group,), ""
    if token.kind in ("open", "bar"):
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
    lower: Node | None = None
    upper: Node | None = None
    while parser.peek().text in ("_", "^") and parser.peek().kind == "char":
        mark = parser.advance()
        if mark.text == "_":
            lower = parser.script(mark)
        else:
            upper = parser.script(mark)
    if parser.starts_atom():
        body = parser.product()
    else:
        body = Empty(span=Span(parser.peek().start, parser.peek().start))
    return BigOperator(token.text, lower, upper, body, span=parser.span(token.start))


def _environment(parser: Parser, token: Token) -> Node:
    from symlin.read.latex_matrix import environment

    return environment(parser, token)


def _substack(parser: Parser, token: Token) -> Node:
    from symlin.read.latex_matrix import substack

    return substack(parser, token)


def _modulus(parser: Parser, token: Token) -> Node:
    return Function("pmod", (parser.argument(token),), "(", span=parser.span(token.start))


def _table(
    names: Any, handler: Callable[[Parser, Token], Node]
) -> dict[str, Callable[[Parser, Token], Node]]:
    return dict.fromkeys(names, handler)


_ATOMS: dict[str, Callable[[Parser, Token], Node]] = {
    **_table(tables.LETTERS, _letter),
    **_table(tables.SYMBOLS, _symbol),
    **_table(tables.DOTS, _dots),
    **_table(tables.FONTS, _font),
    **_table(tables.VECTORS, _vector),
    **_table(tables.ACCENTS, _accent),
    **_table(tables.DECORATIONS, _decoration),
    **_table(tables.STACKED, _stacked),
    **_table(tables.FRACTIONS, _fraction),
    **_table((r"\binom", r"\dbinom", r"\tbinom"), _binomial),
    r"\sqrt": _root,
    **_table((r"\operatorname", r"\mathop"), _operator_name),
    **_table(tables.FUNCTIONS, _function),
    **_table(tables.BIG_OPERATORS, _big),
    r"\begin": _environment,
    r"\substack": _substack,
    r"\pmod": _modulus,
    **_table(tables.TEXTS, _text),
}
_KNOWN_NOT_ATOMS = frozenset(
    {
        *tables.RELATIONS,
        *tables.ADDITIVE,
        *tables.MULTIPLICATIVE,
        *tables.QUADS,
        *tables.LABELLED_ARROWS,
        r"\not",
        r"\end",
        r"\mid",
    }
)
