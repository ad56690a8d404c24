r"""LaTeX to tokens: one regular expression, linear in the length of the text.

Offers `tokenize` and `Token`; rests on `latex_tables` for what is skipped.  Comments, spacing and marks that say
nothing of the mathematics are dropped; ``\left``/``\right`` make a delimiter an opening or a closing one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, TypeAlias

from symlin.errors import Place, ReadError
from symlin.read.latex_tables import (
    CLOSERS,
    DELIMITER_NAMES,
    OPENERS,
    RENAMED,
    SIZERS,
    SKIPPED,
    SKIPPED_WITH_ARGUMENT,
)

TokenKind: TypeAlias = Literal["letter", "number", "command", "open", "close", "bar", "mark", "char", "end"]

LIMIT = 200_000
"""Formulas longer than this are refused: nothing that a person wrote is."""

_TOKEN = re.compile(
    r"""(?P<space>[\s~]+|%[^\n]*(?:\n|$)|\\[ ,;:!>/]|\\(?=\s))
    |(?P<newline>\\\\(?:\*|\[[^\]]*\])?)
    |(?P<command>\\[A-Za-z]+\*?|\\.)
    |(?P<number>\d+(?:\{,\}\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)
    |(?P<letter>[^\W\d_])
    |(?P<char>.)""",
    re.VERBOSE | re.DOTALL,
)
_GROUPED = re.compile(r"\d{1,3}(?:,\d{3})+(?![\d,])")


@dataclass(frozen=True, slots=True)
class Token:
    """One token: `kind`, its normal `text`, and where it stands."""

    kind: TokenKind
    text: str
    start: int
    end: int


def tokenize(latex: str) -> list[Token]:
    """The tokens of a formula, an ``end`` token last.

    Raises:
        ReadError: it is longer than anything a person writes.

    Examples:
        >>> [token.text for token in tokenize(r"a_{1}\\, b % note")]
        ['a', '_', '{', '1', '}', 'b', '']
    """
    if len(latex) > LIMIT:
        raise ReadError(
            f"a formula of {len(latex):,} characters",
            Place(latex[:200], 0, 1),
            f"at most {LIMIT:,} characters",
        )
    tokens: list[Token] = []
    at, depth, forced = 0, 0, ""
    while at < len(latex):
        match = _TOKEN.match(latex, at)
        if match is None:
            raise ReadError("this character cannot be read", Place(latex, at, at + 1), "LaTeX")
        kind = match.lastgroup or "char"
        text, start = match.group(), at
        at = match.end()
        if kind == "space":
            continue
        if kind == "newline":
            tokens.append(Token("mark", "\\\\", start, at))
            continue
        if kind == "number":
            grouped = _GROUPED.match(latex, start) if depth == 0 else None
            if grouped is not None and "," not in text:
                at = grouped.end()
                text = grouped.group()
            tokens.append(Token("number", text.replace("{,}", "").replace(",", ""), start, at))
            continue
        if kind == "command":
            name = text.rstrip("*") if text not in (r"\*",) else text
            if name in SIZERS:
                forced = SIZERS[name]
                continue
            if name in SKIPPED:
                continue
            if name in SKIPPED_WITH_ARGUMENT:
                at = _after_argument(latex, at)
                continue
        token = _delimiter(kind, text, start, at, forced)
        forced = ""
        depth += {"open": 1, "close": -1}.get(token.kind, 0)
        tokens.append(token)
    tokens.append(Token("end", "", len(latex), len(latex)))
    return tokens


def _delimiter(kind: str, text: str, start: int, end: int, forced: str) -> Token:
    name = DELIMITER_NAMES.get(text, text)
    if forced in ("open", "close"):
        return Token(forced, name, start, end)  # type: ignore[arg-type]
    if name in ("|", r"\|"):
        return Token("bar", name, start, end)
    if text in OPENERS:
        return Token("open", name, start, end)
    if text in CLOSERS:
        return Token("close", name, start, end)
    if text in RENAMED:
        return Token("char", RENAMED[text], start, end)
    if kind == "command":
        return Token("command", text if text == r"\*" else text.rstrip("*"), start, end)
    return Token("letter" if kind == "letter" else "char", text, start, end)


def _after_argument(latex: str, at: int) -> int:
    """The offset after a braced argument (or one character)."""
    while at < len(latex) and latex[at].isspace():
        at += 1
    if at >= len(latex) or latex[at] != "{":
        return at
    depth = 0
    for place in range(at, len(latex)):
        if latex[place] == "{" and latex[place - 1] != "\\":
            depth += 1
        elif latex[place] == "}" and latex[place - 1] != "\\":
            depth -= 1
            if depth == 0:
                return place + 1
    raise ReadError("this brace is never closed", Place(latex, at, at + 1), "a closing brace }")
