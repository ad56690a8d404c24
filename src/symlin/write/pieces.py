"""Pieces of text with a binding strength, and the walk that writes a Term from its parts.

Offers `Piece`, `Level`, `fold` and `glue`; rests on `term`.  The walk goes from the parts to the whole without
recursion, so that a Term of any depth can be written.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum

from symlin.term import Term, walk


class Level(IntEnum):
    """How tightly a piece holds together, loosest first."""

    SUM = 1
    OPERATOR = 2  # A∘B, A⊗B, u·v, x/2, and a big sum
    PRODUCT = 3  # factors side by side
    FACTOR = 4  # a fraction: a factor as it stands, but no base of a script
    SCRIPTED = 5  # something with a superscript
    ATOM = 6


@dataclass(frozen=True, slots=True)
class Piece:
    """A written part.

    Args:
        text: the text, without its sign.
        level: how tightly it holds together.
        negative: whether a minus sign stands before it.
        tall: whether parentheses round it must grow.
    """

    text: str
    level: Level = Level.ATOM
    negative: bool = False
    tall: bool = False

    @property
    def signed(self) -> str:
        """The text with its sign."""
        return f"-{self.text}" if self.negative else self.text

    @property
    def bracketed(self) -> str:
        """The text with its sign, in parentheses."""
        return rf"\left({self.signed}\right)" if self.tall else f"({self.signed})"

    def within(self, least: Level) -> str:
        """The text where at least this level is needed: in parentheses, if it is looser."""
        return self.bracketed if self.negative or self.level < least else self.text


def fold(term: Term, write: Callable[[Term, tuple[Piece, ...]], Piece]) -> Piece:
    """Write a Term from its parts; `write` is called once for each distinct part."""
    done: dict[Term, Piece] = {}
    for node in walk(term):
        done[node] = write(node, tuple(done[arg] for arg in node.args))
    return done[term]


_COMMAND_END = re.compile(r"\\[A-Za-z]+$")


def glue(*parts: str) -> str:
    r"""Texts side by side; a command needs a space before a letter.

    Examples:
        >>> glue(r"\alpha", "A"), glue("a", r"\ell"), glue(r"\alpha", r"\beta")
        ('\\alpha A', 'a\\ell', '\\alpha\\beta')
    """
    out = ""
    for part in parts:
        if part[:1].isalpha() and _COMMAND_END.search(out):
            out += " "
        out += part
    return out
