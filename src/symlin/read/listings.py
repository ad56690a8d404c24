r"""Python listings and their printed output in a text without markup.

Offers `find_listings`, which finds runs of lines that can only be Python, and what stands after ``Output:`` behind
them.  It rests on `positions`; nothing is executed or even parsed, and prose is kept when in doubt.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from symlin.read.blocks import words
from symlin.read.positions import BREAK


@dataclass(frozen=True, slots=True)
class Listing:
    """A listing or an output: where it stands in the text."""

    kind: Literal["listing", "output"]
    start: int
    end: int


_TARGET = r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*(?:\[[^\]\r\n]{0,80}\])?"
_ASSIGN = rf"{_TARGET}(?:[ \t]*,[ \t]*{_TARGET}){{0,12}}[ \t]*(?:[-+*/@]|\*\*|//)?=(?!=)"
# What cannot be prose or a formula without delimiters: imports, definitions, dotted calls, lists of lists, `A @ B`.
_STRONG = re.compile(
    rf"""^[ \t]*(?:
        import[ ]+[A-Za-z_][\w.]*(?:[ ]+as[ ]+\w+)?[ \t]*(?:\#.*|,.*)?\r?$
      | from[ ]+[A-Za-z_][\w.]*[ ]+import[ ]+[\w*(]
      | def[ ]+\w+\(.*\).*:[ \t]*\r?$ | class[ ]+\w+(?:\(.*\))?:[ \t]*\r?$
      | >>>[ ]
      | print\(.*
      | [A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+\(.*
      | {_ASSIGN}[ \t]*(?:.{{0,200}}?[A-Za-z_]\w{{0,60}}\.[A-Za-z_]\w{{0,60}}\(|\[\[|\w{{1,60}}\(\[|.{{0,200}}?\w[ ]@[ ]\w)
    )""",
    re.VERBOSE | re.MULTILINE,
)
_WEAK = re.compile(
    rf"""[ \t]*(?:
        \#.* | @\w[\w.]*(?:\(.*\))?[ \t]*$ | %\w+.* | (?:else|try|finally)[ \t]*:.*
      | (?:for|while|if|elif|with|except|def|class)\b.*:[ \t]*(?:\#.*)?$
      | (?:return|raise|assert|del|yield|global|nonlocal)\b.* | (?:pass|break|continue)[ \t]*$
      | [)\]}}].*
      | {_ASSIGN}.*
    )""",
    re.VERBOSE,
)
_NAMES_SET = re.compile(rf"[ \t]*(?P<targets>{_ASSIGN})")
_IMPORTED = re.compile(r"[ \t]*(?:from[ ]+[\w.]+[ ]+)?import[ ]+(?P<what>[^#]*)")
_IDENTIFIER = re.compile(r"(?<![\w.])[A-Za-z_]\w*")
_PROSE_PAIR = re.compile(r"[A-Za-z_]\w*[ \t]+(?!in\b|and\b|or\b|not\b|if\b|else\b|for\b|is\b)[A-Za-z_]")
_MATH = re.compile(r"\\[(\[]|\\begin\{")
_STRING = re.compile(r"(?:[rRbBfFuU]{0,2})(?:'(?:\\.|[^'\\\r\n])*'|\"(?:\\.|[^\"\\\r\n])*\")")
_BUILTINS = words("print len range sum abs max min list tuple zip map round True False None sorted")
_OUTPUT = re.compile(r"[ \t]*(?:Output|Printed output|Result|Out|Out\[\d+\])[ \t]*:[ \t]*", re.IGNORECASE)
_NUMERIC = re.compile(r"[\s\d.,+\-*eEj()\[\]{}:/]+")
_LONGEST = 4000


def find_listings(text: str, hidden: list[tuple[int, int]]) -> list[Listing]:
    """Find listings and outputs.

    Args:
        text: the whole text.
        hidden: spans (ascending) of displays, inside which nothing is a listing.

    Examples:
        >>> source = "Run this.\\n\\nimport numpy as np\\nA = np.eye(2)\\n\\nA\\n\\nOutput:\\n\\n[[1 0]]\\n\\nThen"
        >>> [(each.kind, source[each.start : each.end]) for each in find_listings(source, [])]
        [('listing', 'import numpy as np\\nA = np.eye(2)\\n\\nA'), ('output', '[[1 0]]')]
    """
    found: list[Listing] = []
    if _STRONG.search(text) is None:
        return found
    at, hidden_at = 0, 0
    while (strong := _STRONG.search(text, at)) is not None:
        while hidden_at < len(hidden) and hidden[hidden_at][1] <= strong.start():
            hidden_at += 1
        if hidden_at < len(hidden) and hidden[hidden_at][0] < strong.start():
            at = hidden[hidden_at][1]
            continue
        listing = _Listing(text, at, strong.start()).run()
        found.append(listing)
        at = max(listing.end, strong.end())
        output = _output_after(text, listing.end)
        if output is not None:
            found.append(output)
            at = output.end
    return found


_LINE = re.compile(rf"(?P<line>[^\r\n]*)(?:{BREAK}|\Z)")


class _Listing:
    """The growing of one listing from the line that can only be code."""

    def __init__(self, text: str, floor: int, start: int) -> None:
        self.text = text
        self.floor = floor
        self.start = start
        self.known = set(_BUILTINS)
        self.depth = 0
        self.triple = ""

    def run(self) -> Listing:
        start = self.backwards()
        end = at = start
        blank = False
        while at < len(self.text) and (found := _LINE.match(self.text, at)) is not None:
            line = found["line"]
            if not line.strip():
                blank = True
            elif self.accepts(line, blank):
                end = found.start() + len(line.rstrip())
                self.follow(line)
                blank = False
            else:
                break
            at = found.end()
        return Listing("listing", self.text.find(self.text[start:end].lstrip()[:1], start), end)

    def backwards(self) -> int:
        """The start of the comments and assignments that stand directly before."""
        start = self.start
        while start > self.floor:
            before = self.text.rfind("\n", self.floor, start - 1) + 1 or self.floor
            line = self.text[before : start - 1].rstrip("\r")
            comment_or_assignment = (line[:1] == "#" and line[1:2] != "#") or _NAMES_SET.match(line)
            if (
                not line.strip()
                or len(line) > 200
                or not comment_or_assignment
                or _MATH.search(line)
                or "$" in line
            ):
                break
            start = before
        return start

    def accepts(self, line: str, blank: bool) -> bool:
        """Whether a line goes on with the listing."""
        if len(line) > _LONGEST:
            return False
        if self.triple:
            return True
        if self.depth > 0:
            return not (blank and line[:1].isalpha()) and not _MATH.search(line)
        if _STRONG.match(line):
            return True
        bare = _STRING.sub("''", line)
        if _MATH.search(bare) or "$" in bare:
            return False
        if line[:1] in " \t" and not blank:
            return True
        if line[:2] == "##":
            return False
        if _WEAK.match(bare):
            return True
        names = _IDENTIFIER.findall(bare)
        return bool(names) and self.known.issuperset(names) and not _PROSE_PAIR.search(bare)

    def follow(self, line: str) -> None:
        """Take note of the names a line sets and of the brackets and strings it leaves open."""
        for quotes in ('"""', "'''"):
            if self.triple in ("", quotes) and line.count(quotes) % 2:
                self.triple = "" if self.triple else quotes
        if self.triple:
            return
        if (imported := _IMPORTED.match(line)) is not None:
            self.known.update(_IDENTIFIER.findall(imported["what"]))
        elif (targets := _NAMES_SET.match(line)) is not None:
            self.known.update(_IDENTIFIER.findall(targets["targets"]))
        bare = _STRING.sub("", line).split("#", 1)[0]
        opened = sum(bare.count(each) for each in "([{")
        self.depth = max(0, self.depth + opened - sum(bare.count(each) for each in ")]}"))


def _output_after(text: str, at: int) -> Listing | None:
    """The output that ``Output:`` announces directly after a listing."""
    blank = re.compile(r"\s*").match(text, at)
    label = _OUTPUT.match(text, blank.end() if blank else at)
    if label is None:
        return None
    start = re.compile(r"\s*").match(text, label.end())
    first = start.end() if start else label.end()
    end = at_line = first
    depth, blank_before = 0, False
    while at_line < len(text) and (found := _LINE.match(text, at_line)) is not None:
        line = found["line"]
        if not line.strip():
            blank_before = True
        elif (
            (blank_before and depth <= 0 and not _NUMERIC.fullmatch(line))
            or _MATH.search(line)
            or "$" in line
            or len(line) > _LONGEST
        ):
            break
        else:
            end = found.start() + len(line.rstrip())
            depth += sum(line.count(each) for each in "([{") - sum(line.count(each) for each in ")]}")
            blank_before = False
        at_line = found.end()
    return Listing("output", first, end) if end > first else None
