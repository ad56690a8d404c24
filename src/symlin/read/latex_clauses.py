r"""Clauses of a formula: where one ends and the next begins, and what a comma belongs to.

Offers `read_run`, which reads one run of a lay-out, and `Clauses`, which gather what is read; rests on `syntax`.  Lists without relations are one clause, a relation after a list takes the whole list as its operand.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeGuard

from symlin.read import latex_tables as tables
from symlin.read.syntax import Chain, Empty, Name, Node, Number, Relation, Sequence, Span, Subscript, Text

if TYPE_CHECKING:
    from symlin.read.latex_parser import Parser

_STOPS = frozenset(",;.")
_ORDER = frozenset({"<", r"\le"})


class Clauses:
    """Clauses as they grow; the last one is kept open, since a comma may go on with it.

    Examples:
        >>> clauses = Clauses()
        >>> for letter, separator in (("A", ""), ("B", ","), ("C", "and")):
        ...     clauses.add(Name(letter), separator, spaced=True)
        >>> clauses.close()
        >>> [type(clause).__name__ for clause in clauses.done], clauses.separators
        (['Sequence', 'Name'], ['and'])
    """

    def __init__(self) -> None:
        self.done: list[Node] = []
        self.separators: list[str] = []
        self.chain: Chain | None = None
        self.items: list[Node] = []
        self.marks: list[str] = []

    def __bool__(self) -> bool:
        return bool(self.done or self.items or self.chain)

    def add(self, item: Node, separator: str, spaced: bool) -> None:
        """Put an item into its clause: lists without relations are one clause, relations begin a new one.

        `spaced` says that more than a bare comma stands before the item.
        """
        listed = separator in (",", ";") and bool(self)
        if listed and not isinstance(item, Chain) and (self.chain is None or not spaced):
            self.items.append(item)
            self.marks.append(separator)
        elif listed and not spaced and isinstance(item, Chain) and self.chain is None:
            self.items.append(item.operands[0])
            self.marks.append(separator)
            self.begin(_chain((self.listed(), *item.operands[1:]), item.relations))
        elif listed and not spaced and not self.items and _shares_bounds(self.chain, item):
            self.begin(_between(self.chain, item, separator))
        elif self and separator == "" and isinstance(item, Chain) and isinstance(item.operands[0], Empty):
            last = self.taken()
            first = (last.operands, last.relations) if isinstance(last, Chain) else ((last,), ())
            self.begin(_chain((*first[0], *item.operands[1:]), (*first[1], *item.relations)))
        else:
            self.new(item, separator)

    def new(self, item: Node, separator: str) -> None:
        """Begin a new clause with an item."""
        if self:
            self.close()
            self.separators.append(separator or "space")
        self.begin(item)

    def begin(self, item: Node) -> None:
        """Make an item the clause that is open."""
        self.chain = item if isinstance(item, Chain) else None
        self.items = [] if self.chain else [item]
        self.marks = []

    def listed(self) -> Node:
        """The items of the open list as one node."""
        if len(self.items) == 1:
            return self.items[0]
        span = Span(self.items[0].span.start, self.items[-1].span.end)
        return Sequence(tuple(self.items), tuple(self.marks), span=span)

    def taken(self) -> Node:
        """The clause that is open, taken out."""
        chain, items = self.chain, self.items
        if chain is None:
            node = self.listed()
        elif items:
            self.items = [chain.operands[-1], *items]
            node = _chain((*chain.operands[:-1], self.listed()), chain.relations)
        else:
            node = chain
        self.chain, self.items, self.marks = None, [], []
        return node

    def close(self) -> None:
        """Put the clause that is open to those that are done."""
        if self.chain or self.items:
            self.done.append(self.taken())


def read_run(parser: Parser, clauses: Clauses, notes: list[Node], separator: str, last: bool) -> str:
    """Read one run to its end; `separator` is what stood before it, `last` says that no run follows.

    Returns:
        What stood at its end: a comma, or words that connect it to the next run.
    """
    pending, begun = separator, False
    while True:
        pending, spaced, words = _separator(parser, pending)
        if (not begun and not clauses) or (last and parser.peek().kind == "end"):
            notes += words
        token = parser.peek()
        if token.kind == "end":
            return pending if begun or pending != "space" else separator
        if token.kind in ("close", "finish") or (token.text == "}" and token.kind == "char"):
            what = rf"\end{{{token.text}}}" if token.kind == "finish" else token.text
            raise parser.error(token, f"this {what} closes nothing", "an opening one before it")
        before = parser.position
        item = parser.chain()
        if parser.position == before:
            raise parser.error(token, f"{token.text} cannot stand here", "a formula")
        if begun:
            clauses.add(item, pending, spaced)
        else:
            clauses.new(item, pending)
        pending, begun = "", True


def _separator(parser: Parser, pending: str) -> tuple[str, bool, list[Node]]:
    """Read commas, space and connecting words; the most telling one names the separator.

    The words are returned as well: before the first clause and after the last they connect nothing and are notes.
    """
    comma = quad = False
    words: list[Node] = []
    while True:
        token = parser.peek()
        if token.kind == "char" and token.text in _STOPS:
            comma = True
            if pending in ("", "space"):
                pending = ";" if token.text == ";" else ","
        elif token.text in tables.QUADS:
            quad = True
            pending = pending or "space"
        elif parser.at_words() and not parser.words_are_a_factor() and not parser.words_are_an_operand():
            text = " ".join(token.argument.split())
            if text.strip(".,;:"):
                words.append(Text(text, span=Span(token.start, token.end)))
                quad, pending = True, text
            else:
                comma = True
        else:
            break
        parser.advance()
    return pending, quad or not comma, words


def _chain(operands: tuple[Node, ...], relations: tuple[Relation, ...]) -> Chain:
    return Chain(operands, relations, span=Span(operands[0].span.start, operands[-1].span.end))


def _shares_bounds(last: Chain | None, item: Node) -> TypeGuard[Chain]:
    r"""Whether a comma stands between letters with common bounds: ``1\le i,j\le n``."""
    if last is None or not isinstance(item, Chain):
        return False
    return (
        len(last.operands) == len(item.operands) == 2
        and isinstance(last.operands[0], Number)
        and last.relations[0].sign in _ORDER
        and item.relations[0].sign in _ORDER
        and isinstance(last.operands[1], Name | Subscript)
        and isinstance(item.operands[0], Name | Subscript)
    )


def _between(last: Chain, item: Node, separator: str) -> Chain:
    r"""``1\le i`` and ``j\le n`` as one chain whose middle is the list ``i,j``."""
    if not isinstance(item, Chain):
        raise TypeError("two chains share bounds")
    span = Span(last.operands[1].span.start, item.operands[0].span.end)
    middle = Sequence((last.operands[1], item.operands[0]), (separator,), span=span)
    return _chain((last.operands[0], middle, item.operands[1]), (*last.relations, *item.relations))
