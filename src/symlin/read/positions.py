"""Lines and columns of a text, and what ends a line, a paragraph and a sentence in it.

Offers `Lines` (offset to 1-based line and column) and the few patterns that every document reader shares.
It rests on the standard library and knows nothing about formulas or blocks.
"""

from __future__ import annotations

import re
from bisect import bisect_right

#: One line break; a carriage return before a newline belongs to it.
BREAK = r"(?:\r\n|\n|\r(?!\n))"
#: The break before a blank line, the blank line and its break.
BLANK = re.compile(BREAK + r"[ \t]*" + BREAK)
#: One or more blank lines with the break before them.
BLANK_RUN = re.compile(BREAK + r"(?:[ \t]*" + BREAK + r")+")
_LINE_END = re.compile(BREAK)
_SENTENCE_END = re.compile(r"(?<!\\right)(?<!\\left)[.?!](?:\\?[)\]}\"'’”]|\\,|\s)*\Z")


class Lines:
    """Where the lines of a text start.

    Args:
        text: the text that the offsets belong to.

    Examples:
        >>> lines = Lines("ab\\ncd")
        >>> lines.at(4)
        (2, 2)
    """

    __slots__ = ("starts",)

    def __init__(self, text: str) -> None:
        self.starts = [0, *(found.end() for found in _LINE_END.finditer(text))]

    def at(self, offset: int) -> tuple[int, int]:
        """The 1-based line and column of the character at `offset`."""
        line = bisect_right(self.starts, offset)
        return line, offset - self.starts[line - 1] + 1


def ends_sentence(text: str) -> bool:
    r"""Whether a run of prose or a formula ends with a full stop, a question mark or an exclamation mark.

    Examples:
        >>> ends_sentence(r"AB\text{.}"), ends_sentence("all have shape"), ends_sentence(r"x \right.")
        (True, False, False)
    """
    # Only the tail can match, and a long text must not be searched from its beginning.
    return _SENTENCE_END.search(text[-40:]) is not None


def first_ink(text: str, start: int, end: int) -> int:
    """The offset of the first character from `start` that is no white space (`end` when there is none)."""
    body = text[start:end]
    return start + len(body) - len(body.lstrip())


def blank_out(text: str, spans: list[tuple[int, int]]) -> str:
    """The text with the given spans (ascending, disjoint) replaced by spaces, line breaks kept: offsets stay.

    Examples:
        >>> blank_out("a % b", [(2, 5)])
        'a    '
    """
    parts: list[str] = []
    done = 0
    for start, end in spans:
        parts.append(text[done:start])
        parts.append(_NOT_BREAK.sub(" ", text[start:end]))
        done = end
    parts.append(text[done:])
    return "".join(parts)


_NOT_BREAK = re.compile(r"[^\r\n]")
