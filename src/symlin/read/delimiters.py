r"""Formulas between LaTeX delimiters in a running text: ``\( \)``, ``\[ \]``, ``$ $``, ``$$ $$``, environments.

Offers `find_formulas`, one pass over a text that returns where each formula stands, and complaints about what is
not closed.  It rests on `positions` and reads no formula: what stands between the delimiters is not looked at.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from symlin.read.positions import BLANK, BREAK

#: Environments that hold one formula, and whether it is displayed (with and without a star).
ENVIRONMENTS: Mapping[str, Literal["inline", "display"]] = {
    "math": "inline",
    "displaymath": "display",
    "equation": "display",
    "align": "display",
    "gather": "display",
    "multline": "display",
    "eqnarray": "display",
    "flalign": "display",
    "alignat": "display",
    "xalignat": "display",
    "xxalignat": "display",
    "dmath": "display",
}
#: Environments whose first argument counts columns and is no part of the formula.
_COUNTED = frozenset({"alignat", "xalignat", "xxalignat"})


@dataclass(frozen=True, slots=True)
class Span:
    """A formula in a text.

    Args:
        kind: ``inline`` or ``display``.
        start: offset of the opening delimiter.
        end: offset just past the closing one.
        inner: offset just past the opening delimiter.
        inner_end: offset of the closing one.
        environment: what opened it (``\\(``, ``$$``, ``equation*`` …).
        closed: False when its end was not found; then the formula is the text from `start` to `end`.
    """

    kind: Literal["inline", "display"]
    start: int
    end: int
    inner: int
    inner_end: int
    environment: str
    closed: bool = True


@dataclass(frozen=True, slots=True)
class Rules:
    r"""Which delimiters a format knows.

    Args:
        money: whether ``$5 and $6`` is money; in TeX a dollar is always a delimiter.
        doubled: whether ``\\( \\)`` and ``\\[ \\]`` are delimiters too (Markdown takes one backslash away).
        opens: commands without arguments that stand for an opening delimiter (``\be`` for ``\begin{equation}``).
        closes: commands that stand for a closing one.
    """

    money: bool = True
    doubled: bool = False
    opens: Mapping[str, str] = field(default_factory=dict)
    closes: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Found:
    """The formulas of a text in order, and complaints (offset, message)."""

    spans: list[Span]
    complaints: list[tuple[int, str]]


_NAME = r"[ \t]*\{[ \t]*(?P<name>[A-Za-z]+\*?)[ \t]*\}"
_DELIMITER = re.compile(
    r"\\(?:(?P<edge>begin|end)"
    + _NAME
    + r"|(?P<command>[A-Za-z]+)|(?P<double>\\[()\[\]])|(?P<other>.))|\$\$?",
    re.DOTALL,
)
_DOLLAR_STEP = re.compile(r"\\.|[{}$]|" + BREAK + r"[ \t]*" + BREAK, re.DOTALL)
_INNER = re.compile(
    r"\\(?:(?P<edge>begin|end)"
    + _NAME
    + r"|(?P<command>[A-Za-z]+)|(?P<other>.))|\$\$|"
    + BREAK
    + r"[ \t]*"
    + BREAK,
    re.DOTALL,
)
_DOUBLED_STEP = re.compile(r"\\\\[()\[\]](?!\d)|" + BREAK + r"[ \t]*" + BREAK)
_COUNT_ARGUMENT = re.compile(r"\s*\{\s*\d+\s*\}")
_CLOSER = {"(": ")", "[": "]"}
_WORDS_IN_FORMULA = re.compile(r"\\(?:text\w*|mbox|mathrm|operatorname)\*?\s*\{[^{}]*\}")
_AMOUNT = re.compile(
    r"\d[\d.,]*[;:]?\s+(?:and|or|to|for|per|each|an?|the|is|are|was|in|on|at|of|from|but|dollars?|million|billion|plus)\b"
)
_TWO_WORDS = re.compile(r"(?<![\\A-Za-z{])[a-z]{2,}[ \t\r\n]+[a-z]{2,}(?![A-Za-z{])")


def find_formulas(text: str, rules: Rules | None = None) -> Found:
    r"""Find the formulas of a text in one pass.

    Args:
        text: the whole text (what must not be searched has been blanked out).
        rules: what the format knows as delimiters.

    Examples:
        >>> found = find_formulas(r"Let \(A\) be \[B=\begin{bmatrix}1\\[2pt] 2\end{bmatrix}\] for $5 or $6 or $x$.")
        >>> [span.environment for span in found.spans]
        ['\\(', '\\[', '$']
    """
    return _Finder(text, rules or Rules()).run()


class _Finder:
    """The state of one pass: the text, what was found, and how far nested dollars may be trusted."""

    def __init__(self, text: str, rules: Rules) -> None:
        self.text = text
        self.rules = rules
        self.spans: list[Span] = []
        self.complaints: list[tuple[int, str]] = []
        self.flat_until = 0

    def run(self) -> Found:
        at = 0
        while (found := _DELIMITER.search(self.text, at)) is not None:
            at = self.step(found)
        return Found(self.spans, self.complaints)

    def step(self, found: re.Match[str]) -> int:
        """Read what begins at a delimiter; return where to go on."""
        token = found.group()
        if token == "$$":
            return self.display_dollars(found.start())
        if token == "$":
            return self.dollar(found.start())
        if found["edge"] == "begin":
            return self.environment(found, found["name"])
        if found["edge"] == "end":
            return self.stray(found, token) if _kind(found["name"]) else found.end()
        if found["command"] is not None:
            return self.command(found)
        if found["double"] is not None:
            return self.doubled(found)
        if token in ("\\(", "\\["):
            return self.bracket(found.start(), token, "\\" + _CLOSER[token[1]])
        if token in ("\\)", "\\]"):
            return self.stray(found, token)
        return found.end()

    def command(self, found: re.Match[str]) -> int:
        name = found["command"]
        if name in self.rules.opens:
            meant = self.rules.opens[name]
            if meant in ("\\[", "$$"):
                return self.bracket(found.start(), found.group(), "\\]", "\\[")
            return self.environment(found, meant)
        if name in self.rules.closes:
            return self.stray(found, found.group())
        return found.end()

    def doubled(self, found: re.Match[str]) -> int:
        token = found.group()
        if not self.rules.doubled:
            return found.start() + 2
        if token[-1] in _CLOSER:
            ends = _DOUBLED_STEP.search(self.text, found.end())
            if ends is not None and ends.group() == "\\\\" + _CLOSER[token[-1]]:
                kind: Literal["inline", "display"] = "inline" if token[-1] == "(" else "display"
                self.spans.append(Span(kind, found.start(), ends.end(), found.end(), ends.start(), token[1:]))
                return ends.end()
        return found.end()

    def stray(self, found: re.Match[str], token: str) -> int:
        self.complaints.append((found.start(), f"{token} closes nothing that was opened before it"))
        return found.end()

    # Each of the four below looks for its closing delimiter and stops at what cannot stand inside a formula,
    # which is also what keeps the whole pass linear: no stretch of text is searched by two unclosed delimiters.

    def bracket(self, start: int, opener: str, closer: str, environment: str = "") -> int:
        inline = closer == "\\)"
        inner = start + len(opener)
        for found in _INNER.finditer(self.text, inner):
            token = found.group()
            if token == closer or self.rules.closes.get(found["command"] or "") in (closer, "$$"):
                kind: Literal["inline", "display"] = "inline" if inline else "display"
                self.spans.append(Span(kind, start, found.end(), inner, found.start(), environment or opener))
                return found.end()
            if self.forbidden(found, inline):
                break
        return self.unclosed(start, inner, opener, closer, "inline" if inline else "display")

    def environment(self, opened: re.Match[str], name: str) -> int:
        kind, start, inner = _kind(name), opened.start(), opened.end()
        if kind is None:
            return inner
        if name.rstrip("*") in _COUNTED and (count := _COUNT_ARGUMENT.match(self.text, inner)):
            inner = count.end()
        for found in _INNER.finditer(self.text, inner):
            ends = found["name"] if found["edge"] == "end" else self.rules.closes.get(found["command"] or "")
            if ends == name:
                self.spans.append(Span(kind, start, found.end(), inner, found.start(), name))
                return found.end()
            if self.forbidden(found, kind == "inline") or (ends and _kind(ends)):
                break
        return self.unclosed(start, inner, opened.group(), f"\\end{{{name}}}", kind, name)

    def forbidden(self, found: re.Match[str], inline: bool) -> bool:
        """Whether a formula cannot go on past this: a formula that begins, or a blank line when inline."""
        token = found.group()
        if found["edge"] is not None:
            return found["edge"] == "begin" and _kind(found["name"]) is not None
        if found["command"] is not None:
            return found["command"] in self.rules.opens
        if token == "$$" or token == "\\[":
            return True
        if found["other"] is not None:
            return token == "\\(" and inline
        return inline

    def display_dollars(self, start: int) -> int:
        at = start + 2
        for found in _INNER.finditer(self.text, at):
            token = found.group()
            if token == "$$":
                self.spans.append(Span("display", start, found.end(), at, found.start(), "$$"))
                return found.end()
            if found["edge"] is None and found["command"] is None and found["other"] is None:
                break
            if self.forbidden(found, False):
                break
        return self.unclosed(start, at, "$$", "$$", "display")

    def dollar(self, start: int) -> int:
        end = self.closing_dollar(start + 1)
        if end >= 0:
            if self.rules.money and self.is_money(start, end):
                return start + 1
            self.spans.append(Span("inline", start, end + 1, start + 1, end, "$"))
            return end + 1
        follows = self.text[start + 1 : start + 2]
        if self.rules.money and (not follows.strip() or follows.isdigit()):
            return start + 1
        return self.unclosed(start, start + 1, "$", "$", "inline")

    def closing_dollar(self, at: int) -> int:
        """The dollar that closes: the first outside braces, so that ``\\text{if $x$}`` may stand inside."""
        depth, first = 0, -1
        flat = at < self.flat_until
        for found in _DOLLAR_STEP.finditer(self.text, at):
            token = found.group()
            if token == "$":
                if depth <= 0 or flat:
                    return found.start()
                first = found.start() if first < 0 else first
            elif token == "{":
                depth += 1
            elif token == "}":
                depth -= 1
            elif token[0] != "\\":
                break
        if first >= 0:
            # Braces of this paragraph do not pair: from here on every dollar counts, and none is searched twice.
            blank = BLANK.search(self.text, at)
            self.flat_until = blank.start() if blank else len(self.text)
        return first

    def is_money(self, start: int, end: int) -> bool:
        """Whether the text between two dollars is an amount and words, as in ``$5 and $6``."""
        body = self.text[start + 1 : end]
        if not body.strip():
            return True
        opens, closes = body[0], body[-1]
        after = self.text[end + 1 : end + 2]
        if opens.isdigit() or opens.isspace():
            if self.text[max(0, start - 1) : start].isalpha():
                return True  # US$ 5
            wordy = _TWO_WORDS.search(_WORDS_IN_FORMULA.sub("", body)) is not None
            wordy = wordy or _AMOUNT.match(body) is not None
            return wordy or after.isdigit() or opens.isspace() != closes.isspace()
        return closes.isspace() and after.isalnum()

    def unclosed(
        self,
        start: int,
        inner: int,
        opener: str,
        closer: str,
        kind: Literal["inline", "display"],
        environment: str = "",
    ) -> int:
        """Keep what was opened, to the end of its paragraph or the next formula, so that it is reported."""
        end = len(self.text)
        for found in _INNER.finditer(self.text, inner):
            plain = found["edge"] is None and found["command"] is None and found["other"] is None
            if plain or found.group() == "\\(" or self.forbidden(found, True):
                end = found.start()
                break
        self.complaints.append((start, f"{opener} is not closed: expected {closer}"))
        self.spans.append(Span(kind, start, end, inner, end, environment or opener, closed=False))
        return max(end, inner)


def _kind(name: str) -> Literal["inline", "display"] | None:
    """How the formula of an environment stands, or None when it holds no formula of its own."""
    return ENVIRONMENTS.get(name.removesuffix("*"))
