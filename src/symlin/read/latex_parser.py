r"""The parser proper: a cursor over tokens, chains of relations, lists, sums, products, scripts and brackets.

Offers `Parser`; rests on `latex_atoms`, whose table says how each command is read, and on `syntax`.  One method a
level of binding; nesting is bounded, so that no input exhausts the stack.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from symlin.errors import ReadError
from symlin.read import latex_tables as tables
from symlin.read.latex_atoms import ATOMS, applied, unknown_command
from symlin.read.latex_clauses import Clauses
from symlin.read.latex_cursor import CUTS, ENDS, Cursor
from symlin.read.latex_fonts import with_font
from symlin.read.latex_pairs import EVALUATION, is_relation
from symlin.read.lexer import DEPTH, Token, too_deep
from symlin.read.syntax import (
    Arrow,
    Chain,
    Decorated,
    Empty,
    Grid,
    Group,
    Name,
    Node,
    Number,
    Product,
    Relation,
    Sequence,
    Span,
    Subscript,
    Sum,
    Superscript,
    Symbolic,
    Text,
)

_BARE_GRIDS = frozenset({"array", "matrix", "smallmatrix", "tabular", "subarray"})


class Parser(Cursor):
    """One method a level of binding, over the cursor."""

    # --- relations and lists ------------------------------------------------------------------------------------

    def chain(self) -> Node:
        """Operands with relations between them; one operand alone is itself."""
        start = self.tokens[self.position].start
        outer, self.related = self.related, False
        operands: list[Node] = [self.operand()]
        relations: list[Relation] = []
        while True:
            before = self.position
            self.skip_quads()
            relation = self.relation()
            if relation is None:
                self.position = before
                break
            self.related = True
            relations.append(relation)
            self.skip_quads()
            operands.append(self.operand())
        self.related = outer
        if not relations:
            return operands[0]
        return Chain(tuple(operands), tuple(relations), span=self.span(start))

    def operand(self) -> Node:
        """A sum, words that stand as an operand, or nothing."""
        token = self.tokens[self.position]
        if self.at_words() and not self.words_are_a_factor() and self.words_are_an_operand():
            self.advance()
            words: Node = Text(" ".join(token.argument.split()), span=self.span(token.start))
            if self.starts_factor():
                return Product((words, self.sum()), ("",), span=self.span(token.start))
            return words
        if self.starts_factor() or token.text in tables.ADDITIVE or token.text in tables.MULTIPLICATIVE:
            return self.lone_signs() or self.sum()
        return self.here()

    def lone_signs(self) -> Node | None:
        """Operators that stand alone in their cell, bracket or formula: ``*``, ``+``, ``(**)``."""
        ahead = 0
        while self.peek(ahead).text in tables.ADDITIVE or self.peek(ahead).text in tables.MULTIPLICATIVE:
            ahead += 1
            if ahead > 3:
                return None
        after = self.peek(ahead)
        if not ahead or not (after.kind in ENDS or after.text in CUTS or after.text in tables.QUADS):
            return None
        start = self.tokens[self.position].start
        signs = "".join(self.advance().text for _ in range(ahead))
        return Symbolic(signs, span=self.span(start))

    def relation(self) -> Relation | None:
        """The relation at the cursor, if one stands there."""
        token = self.tokens[self.position]
        if self.level == 0 and token.text == r"\mid":
            self.advance()
            return Relation(r"\mid", span=self.span(token.start))
        if not is_relation(self.tokens, self.position):
            return None
        if token.text in tables.STACKED:
            return self.stacked()
        self.advance()
        if token.text in tables.LABELLED_ARROWS:
            below = self.optional(newlines=True)
            above = self.argument(token, newlines=True)
            arrow = Arrow(token.text, above, below, span=self.span(token.start))
            return Relation(token.text, arrow, span=self.span(token.start))
        if token.text == r"\not":
            following = self.advance()
            sign = tables.RELATIONS.get(following.text, following.text)
            return Relation(tables.NEGATED.get(sign, rf"\not{sign}"), span=self.span(token.start))
        sign = tables.RELATIONS[token.text]
        if sign == ":" and self.tokens[self.position].text == "=":
            self.advance()
            sign = ":="
        return Relation(sign, span=self.span(token.start))

    def stacked(self) -> Relation:
        r"""A relation with something over it: ``\overset{?}{=}`` is not asserted, ``\stackrel{def}{=}`` defines."""
        command = self.advance()
        note = self.argument(command)
        braced = self.tokens[self.position].text == "{"
        if braced:
            self.advance()
        inner = self.relation() or Relation("=")
        if braced:
            self.advance()
        span = self.span(command.start)
        words = self.latex[note.span.start : note.span.end]
        sign = inner.sign
        if any(mark in words for mark in tables.QUESTIONS):
            sign = rf"\overset{{?}}{{{sign}}}"
        elif "def" in words:
            sign = ":="
        above, below = (inner.arrow.above, inner.arrow.below) if inner.arrow is not None else (None, None)
        if command.text == r"\underset":
            below = note
        else:
            above = note
        return Relation(sign, Arrow(command.text, above, below, span=span), span=span)

    def listing(self, newlines: bool = False) -> Node:
        """What stands in brackets, braces or a cell: a chain, a list of chains, a set with its condition, or nothing."""
        start = self.tokens[self.position].start
        parts = [self.items(newlines)]
        while self.tokens[self.position].text == r"\mid":
            self.advance()
            parts.append(self.items(newlines, condition=True))
        if len(parts) == 1:
            return parts[0]
        return Sequence(tuple(parts), (r"\mid",) * (len(parts) - 1), span=self.span(start))

    def items(self, newlines: bool, condition: bool = False) -> Node:
        """Chains with commas, semicolons, space or words between them.

        In the condition of a set a relation takes the list before it: ``x,y\\in R`` is one chain there.
        """
        start = self.tokens[self.position].start
        found = Clauses()
        separator = ""
        self.skip_quads()
        while True:
            words = self.loose_words()
            item = words or self.chain()
            if condition:
                found.add(item, separator, spaced=False)
            else:
                found.done.append(item)
                found.separators.append(separator)
            spaced = self.skip_quads()
            token = self.tokens[self.position]
            if token.kind == "char" and token.text in (",", ";"):
                separator = token.text
                self.advance()
                self.skip_quads()
            elif token.kind == "mark" and newlines:
                separator = "\\\\"
                self.advance()
            elif self.connects():
                separator = " ".join(token.argument.split())
                self.advance()
                self.skip_quads()
            elif self.at_words() or ((spaced or words) and (self.starts_factor() or self.at_sign(token))):
                separator = "space"
            else:
                break
        found.close()
        items, separators = found.done, found.separators if condition else found.separators[1:]
        if len(items) > 1 and isinstance(items[-1], Empty):
            items.pop()
            separators.pop()
        return (
            items[0] if len(items) == 1 else Sequence(tuple(items), tuple(separators), span=self.span(start))
        )

    # --- sums and products --------------------------------------------------------------------------------------

    def sum(self) -> Node:
        """Terms with their signs."""
        start = self.tokens[self.position].start
        terms: list[Node] = []
        signs: list[str] = []
        while True:
            token = self.tokens[self.position]
            sign = ""
            if self.at_sign(token):
                sign = token.text
                self.advance()
                self.skip_quads()
            if not self.starts_factor():
                terms.append(self.signed(token))
            else:
                terms.append(self.product())
            signs.append(sign)
            if not self.sum_goes_on():
                break
        if len(terms) == 1 and not signs[0]:
            return terms[0]
        return Sum(tuple(terms), tuple(signs), span=self.span(start))

    def signed(self, before: Token) -> Node:
        """A term or factor with a sign of its own after an operator: ``3 + -4``, ``2 \\cdot -1``."""
        sign = self.tokens[self.position]
        after = self.peek(1)
        if sign.text in ("+", "-", r"\pm", r"\mp") and not (
            after.kind in ENDS or after.text in tables.ADDITIVE
        ):
            self.advance()
            if self.starts_factor():
                return Sum((self.product(),), (sign.text,), span=self.span(sign.start))
        raise self.error(before, f"after {before.text} nothing follows", "a term")

    def product(self) -> Node:
        """Factors side by side or with an operator between them."""
        start = self.tokens[self.position].start
        factors = [self.factor()]
        operators: list[str] = []
        while True:
            token = self.tokens[self.position]
            operator = tables.MULTIPLICATIVE.get(token.text) if token.kind in ("char", "command") else None
            if operator is not None:
                self.advance()
                self.skip_quads()
                operators.append(operator)
                factors.append(self.factor() if self.starts_factor() else self.signed_factor(token))
            elif self.starts_factor():
                operators.append("")
                factors.append(self.factor())
            else:
                break
        if len(factors) == 1:
            return factors[0]
        return Product(tuple(factors), tuple(operators), span=self.span(start))

    def signed_factor(self, before: Token) -> Node:
        """A factor with a sign after an operator: ``2 \\cdot -1`` binds the sign to that factor only."""
        sign = self.tokens[self.position]
        if sign.text in ("+", "-", r"\pm") and self.peek(1).kind not in ENDS:
            self.advance()
            if self.starts_factor():
                return Sum((self.factor(),), (sign.text,), span=self.span(sign.start))
        raise self.error(before, f"after {before.text} nothing follows", "a factor")

    # --- factors ------------------------------------------------------------------------------------------------

    def factor(self) -> Node:
        """An atom with its scripts; an upright word with brackets after it is a function."""
        token = self.tokens[self.position]
        node = self.atom()
        if self.is_function_word(node) and (self.starts_factor() or self.subscripted_function()):
            node = applied(self, token, node.letter)
        node = self.scripts(node, token.start)
        while self.tokens[self.position].text == EVALUATION:
            self.advance()
            node = Group(".", "|", node, span=self.span(token.start))
            node = self.scripts(node, token.start)
        return node

    def atom(self) -> Node:
        """One atom, by the kind of its first token."""
        token = self.tokens[self.position]
        kind = token.kind
        if kind == "letter":
            self.advance()
            return Name(token.text, span=Span(token.start, token.end))
        if kind == "number":
            return self.number()
        self.descend(token)
        node = self.compound(token)
        self.depth -= 1
        return node

    def descend(self, token: Token) -> None:
        """Count one more level, for what goes deeper without an atom of its own."""
        self.depth += 1
        if self.depth > DEPTH:
            raise too_deep(self.latex, token)

    def compound(self, token: Token) -> Node:
        """An atom that may hold others."""
        if token.kind == "open":
            return self.group()
        if token.kind in ("command", "words", "begin"):
            handler = ATOMS.get(token.text if token.kind != "begin" else r"\begin")
            if handler is None:
                raise unknown_command(self, token)
            self.advance()
            return handler(self, token)
        if token.kind == "char" and token.text == "{":
            return self.braces()
        if token.kind == "char" and token.text == "?":
            self.advance()
            return Symbolic("?", span=self.span(token.start))
        if token.kind == "bar":
            raise self.error(token, f"this {token.text} is never closed", f"a closing {token.text}")
        raise self.error(
            token, f"{token.text or 'the end'} cannot stand here", "a letter, a number or a bracket"
        )

    def number(self) -> Node:
        """A numeral."""
        token = self.advance()
        point = token.text.find(".")
        decimals = len(token.text) - point - 1 if point >= 0 else 0
        value = Fraction(token.text) if point >= 0 else Fraction(int(token.text))
        return Number(token.text, value, decimals, span=Span(token.start, token.end))

    def scripts(self, node: Node, start: int) -> Node:
        """Subscripts, superscripts, primes and factorials after a node; the subscript goes inside."""
        sub: Node | None = None
        sup: Node | None = None
        while self.tokens[self.position].kind == "char":
            token = self.tokens[self.position]
            if token.text == "_":
                self.advance()
                if sub is not None:
                    raise self.error(token, "a second subscript", "braces round the first one")
                sub = self.script(token)
            elif token.text == "^":
                self.advance()
                if sup is not None:
                    raise self.error(token, "a second superscript", "braces round the first one")
                sup = self.script(token)
            elif token.text in ("'", "’", "′"):
                node = self.primed(node, start)
            elif token.text == "!":
                node = self.factorial(_scripted(node, sub, sup, self.span(start)), start)
                sub = sup = None
            else:
                break
        return _scripted(node, sub, sup, self.span(start))

    def primed(self, node: Node, start: int) -> Node:
        """A node with the primes after it: accents of a name, else one superscript."""
        count = 0
        while self.tokens[self.position].text in ("'", "’", "′"):
            self.advance()
            count += 1
        span = self.span(start)
        if isinstance(node, Name):
            return replace(node, accents=(*node.accents, *("prime",) * count), span=span)
        return Superscript(node, Symbolic("'" * count, span=span), span=span)

    def factorial(self, node: Node, start: int) -> Node:
        """``n!`` and ``n!!``."""
        first = self.advance()
        name = "factorial"
        if self.tokens[self.position].text == "!":
            self.advance()
            name = "double factorial"
        if self.tokens[self.position].text == "!":
            raise self.error(first, "more than two signs !", "n! or n!!")
        return Decorated(name, node, span=self.span(start))

    def script(self, after: Token) -> Node:
        """The argument of ``_`` or ``^``: a group or one token."""
        token = self.tokens[self.position]
        if token.text == "{" and token.kind == "char":
            sign = self.peek(1)
            if (
                self.peek(2).text != "}"
                or sign.kind not in ("char", "command")
                or sign.text not in tables.SCRIPT_SIGNS
            ):
                return self.braces()
            self.position += 3
            return Symbolic(sign.text, span=Span(sign.start, sign.end))
        if token.kind in ("char", "command") and token.text in tables.SCRIPT_SIGNS:
            self.advance()
            return Symbolic(token.text, span=self.span(token.start))
        if token.kind in ENDS or (token.kind == "char" and token.text != "?"):
            raise self.error(after, f"after {after.text} nothing follows", "a script such as i or {ij}")
        return self.single(token)

    def single(self, token: Token) -> Node:
        r"""One token as an argument: a letter, one digit, or a command with its own arguments."""
        written = self.latex[token.start : token.end]
        if token.kind == "number" and len(written) > 1 and written[0] != ".":
            # \frac12 and x_12 take one digit; the rest stays for what follows.
            mark = next((mark for mark in ("{,}", "\\,", ",") if written.startswith(mark, 1)), "")
            rest = written[1 + len(mark) :]
            digits = rest.replace("{,}", "").replace("\\,", "").replace(",", "")
            number = Token("number", digits, token.end - len(rest), token.end)
            comma = Token("char", ",", token.start + 1, number.start)
            self.tokens[self.position : self.position + 1] = [comma, number] if "," in mark[:2] else [number]
            first = Span(token.start, token.start + 1)
            return Number(written[0], Fraction(int(written[0])), span=first)
        return self.atom()

    # --- arguments and brackets ---------------------------------------------------------------------------------

    def argument(self, command: Token, newlines: bool = False) -> Node:
        """The argument of a command: a group in braces or one token."""
        token = self.tokens[self.position]
        if token.text == "{" and token.kind == "char":
            return self.braces(newlines)
        if token.kind in ENDS or (token.kind == "char" and token.text != "?"):
            raise self.error(command, f"{command.text} has no argument", f"{{…}} after {command.text}")
        return self.single(token)

    def optional(self, newlines: bool = False) -> Node | None:
        """An optional argument in square brackets."""
        token = self.tokens[self.position]
        if token.text != "[" or token.kind != "open":
            return None
        self.advance()
        self.level += 1
        inner = self.listing(newlines)
        self.level -= 1
        if self.tokens[self.position].text != "]":
            raise self.unclosed(token, "]")
        self.advance()
        return inner

    def braces(self, newlines: bool = False) -> Node:
        """A group in braces, whose braces mean nothing but grouping."""
        token = self.advance()
        self.level += 1
        font = tables.FONTS.get(self.tokens[self.position].text)
        if font is not None and self.tokens[self.position].text in tables.SWITCHES:
            self.advance()
            inner = with_font(self.listing(newlines), font)
        else:
            inner = self.listing(newlines)
        self.level -= 1
        if self.tokens[self.position].text != "}" or self.tokens[self.position].kind != "char":
            raise self.unclosed(token, "}")
        self.advance()
        return inner

    def group(self) -> Node:
        r"""Something in brackets, ``\left`` … ``\right`` included; an array in brackets is a matrix."""
        token = self.advance()
        self.level += 1
        inner = self.listing()
        self.level -= 1
        closing = self.tokens[self.position]
        wanted = tables.CLOSING_OF.get(token.text, ())
        if closing.kind != "close" or not (token.sized or closing.sized or closing.text in wanted):
            raise self.unclosed(token, wanted[0] if wanted else "delimiter")
        self.advance()
        span = self.span(token.start)
        if isinstance(inner, Grid) and not inner.opening and inner.environment in _BARE_GRIDS:
            return replace(inner, opening=token.text, closing=closing.text, span=span)
        return Group(token.text, closing.text, inner, span=span)

    def unclosed(self, opening: Token, name: str) -> ReadError:
        """The error for brackets or braces that end too early, or hold what cannot stand in them."""
        token = self.tokens[self.position]
        if token.text == "&" and token.kind == "char":
            return self.error(
                token, f"this & stands between {opening.text} and {name}", f"a closing {name} before it"
            )
        if token.kind in ENDS or token.text == "}":
            return self.error(opening, f"this {opening.text} is never closed", f"a closing {name}")
        return self.error(
            token, f"{token.text} cannot stand here", f"a closing {name} for the {opening.text} before it"
        )


def _scripted(node: Node, sub: Node | None, sup: Node | None, span: Span) -> Node:
    if sub is not None:
        node = Subscript(node, sub, span=span)
    if sup is not None:
        node = Superscript(node, sup, span=span)
    return node
