r"""A cursor over the tokens of one run, and what stands at it: a factor, another term, words and their part.

Offers `Cursor`, on which the parser is built; rests on `lexer`, `latex_pairs` and `latex_tables`.  It looks ahead and
takes tokens, but reads no mathematics.
"""

from __future__ import annotations

from typing import TypeGuard

from symlin.errors import Place, ReadError
from symlin.read import latex_tables as tables
from symlin.read.latex_atoms import NOT_ATOMS, is_function_name
from symlin.read.latex_pairs import begins_operand, is_relation, stacked_relation
from symlin.read.lexer import Token
from symlin.read.syntax import Empty, Name, Node, Span, Text

ENDS = frozenset({"end", "close", "mark", "finish"})
"""Kinds of tokens before which an operand ends."""
CUTS = frozenset({"&", "}", ",", ";"})
"""Characters before which an operand ends."""


class Cursor:
    """Where the parser is in its tokens; `level` counts the brackets, braces and cells around it."""

    def __init__(self, latex: str, tokens: list[Token]) -> None:
        self.latex = latex
        self.tokens = tokens
        self.position = 0
        self.depth = 0
        self.level = 0
        self.related = False

    def peek(self, ahead: int = 0) -> Token:
        """The token at the cursor (or `ahead` of it)."""
        place = self.position + ahead
        return self.tokens[place] if place < len(self.tokens) else self.tokens[-1]

    def advance(self) -> Token:
        """Take the token at the cursor; the last one is never left."""
        token = self.tokens[self.position]
        if self.position < len(self.tokens) - 1:
            self.position += 1
        return token

    def error(self, token: Token, message: str, expected: str = "") -> ReadError:
        """A ReadError that points at a token."""
        return ReadError(message, Place(self.latex, token.start, max(token.end, token.start + 1)), expected)

    def span(self, start: int) -> Span:
        """From an offset to the end of the last token taken."""
        return Span(start, max(self.tokens[self.position - 1].end if self.position else start, start))

    def here(self) -> Empty:
        """Nothing, at the cursor."""
        start = self.tokens[self.position].start
        return Empty(span=Span(start, start))

    def skip_quads(self) -> bool:
        r"""Skip ``\quad`` and ``\qquad``; whether there was one."""
        before = self.position
        while self.tokens[self.position].text in tables.QUADS:
            self.advance()
        return self.position > before

    def at_sign(self, token: Token) -> bool:
        """Whether a token is an additive operator."""
        return token.text in tables.ADDITIVE and token.kind in ("char", "command")

    # --- what begins or goes on here ---------------------------------------------------------------------------

    def starts_factor(self) -> bool:
        """Whether a factor begins at the cursor."""
        token = self.tokens[self.position]
        kind = token.kind
        if kind in ("letter", "number", "open", "begin", "bar"):
            return True
        if kind == "command":
            if token.text in tables.STACKED:
                return stacked_relation(self.tokens, self.position) is None
            return token.text not in NOT_ATOMS
        if kind == "words":
            return token.text not in tables.TEXTS or self.words_are_a_factor()
        return kind == "char" and token.text in ("{", "?")

    def sum_goes_on(self) -> bool:
        """Whether another term follows, over space too: in a system terms stand in columns."""
        token = self.tokens[self.position]
        if self.at_sign(token):
            return True
        if token.text not in tables.QUADS:
            return False
        ahead = 0
        while self.peek(ahead).text in tables.QUADS:
            ahead += 1
        sign, after = self.peek(ahead), self.peek(ahead + 1)
        if not self.at_sign(sign) or after.kind in ENDS or after.text in CUTS:
            return False
        if sign.text == "-" and (self.level or self.related or not self.relation_follows(ahead + 1)):
            return False
        self.skip_quads()
        return True

    def relation_follows(self, ahead: int) -> bool:
        """Whether a relation comes before the next space, comma or end: then a minus goes on with a sum."""
        depth = 0
        for at in range(self.position + ahead, len(self.tokens)):
            token = self.tokens[at]
            if depth == 0 and (
                is_relation(self.tokens, at) or token.text in CUTS or token.text in tables.QUADS
            ):
                return is_relation(self.tokens, at)
            depth += (token.kind in ("open", "begin") or token.text == "{") - (
                token.kind in ("close", "finish") or token.text == "}"
            )
        return False

    def is_function_word(self, node: Node) -> TypeGuard[Name]:
        r"""Whether a node is a known function that was only set upright: ``\mathrm{rank}``."""
        return (
            isinstance(node, Name)
            and node.font in ("rm", "sf", "tt")
            and node.letter in tables.FUNCTION_WORDS
        )

    def subscripted_function(self) -> bool:
        r"""Whether a function with a subscript is applied here: ``\mathrm{proj}_W(v)``."""
        if self.tokens[self.position].text != "_":
            return False
        after = self.peek(2)
        if self.peek(1).text == "{":
            depth = ahead = 0
            while self.peek(1 + ahead).kind != "end":
                depth += (self.peek(1 + ahead).text == "{") - (self.peek(1 + ahead).text == "}")
                ahead += 1
                if depth == 0:
                    break
            after = self.peek(1 + ahead)
        return after.kind == "open" and after.text == "("

    # --- words --------------------------------------------------------------------------------------------------

    def at_words(self) -> bool:
        r"""Whether ``\text`` or the like stands at the cursor."""
        token = self.tokens[self.position]
        return token.kind == "words" and token.text in tables.TEXTS

    def words_are_a_factor(self) -> bool:
        r"""Whether the words at the cursor are part of the mathematics.

        They are when they have a script or brackets of their own (``\text{H}_2``, ``\text{rref}(A)``), stand beside
        an operator (``0.05\cdot\text{dist}``), are a unit after a number, or a known function before its argument.
        """
        token, after = self.tokens[self.position], self.peek(1)
        if len(token.argument) == 1 and (token.argument.isalpha() or token.text == r"\textbf"):
            return True
        before = self.tokens[self.position - 1] if self.position else None
        one_word = token.argument.isalpha()
        if is_function_name(token.argument) and after.kind == "open" and after.start == token.end:
            return True
        if after.text in ("_", "^") or (
            after.text in tables.MULTIPLICATIVE and after.kind in ("char", "command")
        ):
            return True
        if one_word and after.start == token.end and after.kind == "words":
            return after.argument.isalpha()
        if one_word and token.argument in tables.FUNCTION_WORDS and after.kind in ("letter", "open", "begin"):
            return True
        if before is None:
            return False
        script = self.position > 1 and self.tokens[self.position - 2].text in ("_", "^")
        if (
            not script
            and before.kind in ("char", "command")
            and (before.text in tables.ADDITIVE or before.text in tables.MULTIPLICATIVE)
        ):
            return True
        if before.kind == "words" and before.end == token.start and one_word:
            return before.argument.isalpha()
        return before.kind == "number" and self.is_unit(token, after)

    def is_unit(self, token: Token, after: Token) -> bool:
        """Whether words after a number name what is counted: one or two words, and nothing but an end after them."""
        words = token.argument.split()
        ended = after.kind in ENDS or after.text in CUTS or is_relation([after], 0) or self.at_sign(after)
        return ended and 0 < len(words) <= 2 and all(word.strip(".").isalpha() for word in words)

    def loose_words(self) -> Text | None:
        """Words at the cursor that are no part of the mathematics: ``if`` before a condition."""
        if not self.at_words() or self.words_are_a_factor() or self.words_are_an_operand():
            return None
        token = self.advance()
        self.skip_quads()
        return Text(" ".join(token.argument.split()), span=Span(token.start, token.end))

    def connects(self) -> bool:
        """Whether words stand between two items: ``a=0 \\text{ and } b=0``."""
        if not self.at_words() or self.words_are_a_factor() or self.words_are_an_operand():
            return False
        ahead = 1
        while self.peek(ahead).text in tables.QUADS:
            ahead += 1
        return begins_operand(self.peek(ahead)) or self.at_sign(self.peek(ahead))

    def words_are_an_operand(self) -> bool:
        """Whether the words at the cursor stand as an operand: beside a relation, or alone."""
        if self.position and is_relation([self.tokens[self.position - 1]], 0):
            return True
        ahead = 1
        while self.peek(ahead).text in tables.QUADS:
            ahead += 1
        after = self.peek(ahead)
        if is_relation(self.tokens, min(self.position + ahead, len(self.tokens) - 1)):
            return True
        before = self.tokens[self.position - 1] if self.position else None
        first = (
            before is None
            or before.kind in ("open", "begin", "mark")
            or before.text in ("{", "&", ",", r"\mid")
        )
        return first and (after.kind in ENDS or after.text in CUTS)
