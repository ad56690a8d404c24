r"""LaTeX to tokens: one regular expression, linear in the length of the text.

Offers `tokenize` and `Token`; rests on `latex_tables` for what is skipped and for what holds words.  Comments, spacing
and marks that say nothing of the mathematics are dropped, ``\text{…}`` becomes one token, and ``\left``/``\right``
make a delimiter an opening or a closing one; which bar closes which is left to `latex_pairs`.
"""

from __future__ import annotations

import re
from difflib import get_close_matches
from typing import Literal, NamedTuple, TypeAlias

from symlin.errors import Place, ReadError
from symlin.read import latex_tables as tables

TokenKind: TypeAlias = Literal[
    "letter", "number", "command", "words", "begin", "finish", "open", "close", "bar", "mark", "char", "end"
]

LIMIT = 200_000
"""Formulas longer than this are refused: nothing that a person wrote is."""
DEPTH = 50
"""Brackets, braces and commands inside one another to this depth are read: a bound that keeps the stack."""
DIGITS = 1_000
"""Numerals longer than this are refused, since reading digits takes quadratic time."""

_TOKEN = re.compile(
    r"""(?P<space>[\s~$]+|%[^\n]*(?:\n|$)|\\[ ,;:!>/()\n\t]|\\$)
    |(?P<newline>\\\\(?:\*)?(?:\[[-+\d.\s]*(?:\\?[A-Za-z]+)?\])?|\\(?:newline|cr|tabularnewline)(?![A-Za-z]))
    |(?P<command>\\[A-Za-z]+|\\.)
    |(?P<dots>\.{2,3})
    |(?P<number>\d{1,3}(?:(?:\{,\}|\\,)\d{3})+(?!\d)(?:\.\d+)?
        |\d*\.\d{3}(?:\\,\d{3})*\\,\d{1,3}(?!\d)|\d+(?:\.\d+)?|\.\d+)
    |(?P<letter>[^\W\d_])
    |(?P<char>.)""",
    re.VERBOSE | re.DOTALL,
)
_GROUPED = re.compile(r"\d{1,3}(?:,\d{3})+(?![\d,])(?:\.\d+)?")
_BRACE = re.compile(r"\\.|[{}]", re.DOTALL)
_DIMENSION = re.compile(r"\s*=?\s*[-+]?[\d.]*\s*(?:em|ex|pt|mu|in|cm|mm|pc|bp|sp|true\w*|\\[A-Za-z]+)?")
_OPTION = re.compile(r"\s*\[[^\[\]]*\]")
_OVERLAY = re.compile(r"\s*<[-\d,]*>")
_MATHEMATICS = re.compile(r"\s*(?:\$[^$]*\$|\\\((?:(?!\\\)).)*\\\))\s*", re.DOTALL)
_ENVIRONMENT = re.compile(r"\s*\{\s*([^{}\\]*?)\s*\}")
_PLACE = re.compile(r"\s*\[\s*[tbclr]?\s*\]")
_BLANK = re.compile(r"(?:\s|%[^\n]*(?:\n|$))*")
_IN_WORDS = (
    (re.compile(r"\\[ ,;:!]|~"), " "),
    (
        re.compile(
            r"\\(?:scriptsize|small|tiny|footnotesize|normalsize|large|rm|it|bf|em|sl|tt)(?![A-Za-z])"
        ),
        "",
    ),
    (re.compile(r"\\textcolor\{[^{}]*\}"), ""),
    (re.compile(r"\\(?:text(?:rm|it|bf|sf|tt|up|sc|normal)?|emph|mbox|hbox)\{([^{}]*)\}"), r"\1"),
)


_BRACES = frozenset({"brace", "script"})
_ENVIRONMENTS = frozenset({"environment"})
_NOT_A_TUPLE = frozenset({"brace", "environment"})


class Token(NamedTuple):
    """One token: its kind, its normal text, and where it stands.

    `argument` is what stood in the braces of a command that holds words; `sized` says that a delimiter came with
    ``\\left``, ``\\right`` or the like, and may then be closed by any other.
    """

    kind: TokenKind
    text: str
    start: int
    end: int
    argument: str = ""
    sized: bool = False


def tokenize(latex: str) -> list[Token]:
    r"""The tokens of a formula, an ``end`` token last.

    Raises:
        ReadError: it is longer than anything a person writes, or the braces after ``\text`` are never closed.

    Examples:
        >>> [token.text for token in tokenize(r"a_{1}\, b % note")]
        ['a', '_', '{', '1', '}', 'b', '']
        >>> [token.text for token in tokenize(r"3{,}628{,}800 = 3,628,800")]
        ['3628800', '=', '3628800', '']
    """
    if len(latex) > LIMIT:
        raise ReadError(
            f"a formula of {len(latex):,} characters",
            Place(latex[:200], 0, 1),
            f"at most {LIMIT:,} characters",
        )
    return _Lexer(latex).run()


def too_deep(latex: str, token: Token) -> ReadError:
    """The error for a formula that is nested too deep."""
    place = Place(latex, token.start, max(token.end, token.start + 1))
    return ReadError(f"brackets are nested more than {DEPTH} deep", place, "a formula that a person can read")


class _Lexer:
    """A walk over the text; `brackets` are the open ones, to tell a tuple from a numeral with commas."""

    def __init__(self, latex: str) -> None:
        self.latex = latex
        self.at = 0
        self.sizer: str | None = None
        self.brackets: list[str] = []
        self.tokens: list[Token] = []

    def run(self) -> list[Token]:
        latex, match = self.latex, _TOKEN.match
        while self.at < len(latex):
            found = match(latex, self.at)
            if found is None:
                raise ReadError("this character cannot be read", Place(latex, self.at, self.at + 1), "LaTeX")
            start, self.at = self.at, found.end()
            kind = found.lastgroup
            if kind != "space":
                _STEPS[kind or "char"](self, found.group(), start)
        self.tokens.append(Token("end", "", len(latex), len(latex)))
        return self.tokens

    def add(self, kind: TokenKind, text: str, start: int, argument: str = "") -> None:
        self.tokens.append(Token(kind, text, start, self.at, argument))

    def newline(self, text: str, start: int) -> None:
        self.add("mark", "\\\\", start)

    def letter(self, text: str, start: int) -> None:
        self.add("letter", text, start)

    def dots(self, text: str, start: int) -> None:
        if self.sizer is not None:
            self.at = start + 1
            self.delimiter("char", ".", start)
            return
        self.add("command", r"\ldots", start)

    def number(self, text: str, start: int) -> None:
        if self.sizer is not None and text[0] == ".":
            self.dots(text, start)
            return
        if "," not in text and self.may_group():
            grouped = _GROUPED.match(self.latex, start)
            if grouped is not None and self.is_numeral(grouped.group()):
                text = grouped.group()
                self.at = grouped.end()
        digits = text.replace("{,}", "").replace("\\,", "").replace(",", "")
        if len(digits) > DIGITS:
            raise ReadError(
                f"a numeral of {len(digits):,} digits",
                Place(self.latex, start, self.at),
                f"at most {DIGITS:,} digits",
            )
        self.add("number", digits, start)

    def may_group(self) -> bool:
        """Whether a comma may belong to a numeral here: not in a script, which lists indices."""
        script = self.brackets and self.brackets[-1] == "script"
        return not script and not (self.tokens and self.tokens[-1].text in ("_", "^"))

    def enter(self, kind: str) -> None:
        self.brackets.append(kind)
        if len(self.brackets) > DEPTH:
            raise too_deep(self.latex, self.tokens[-1])

    def leave(self, kinds: frozenset[str]) -> None:
        """Leave the innermost of some kinds, with the brackets that are open in it."""
        if not kinds.isdisjoint(self.brackets):
            while self.brackets.pop() not in kinds:
                pass

    def is_numeral(self, text: str) -> bool:
        """In brackets ``12,345`` is a pair; ``1,000`` is a numeral, since nobody writes 000 for a number."""
        if not self.brackets or self.brackets[-1] in _NOT_A_TUPLE:
            return True
        return text[0] != "0" and any(part[0] == "0" for part in text.split(",")[1:])

    def char(self, text: str, start: int) -> None:
        if text == "{":
            script = bool(self.tokens) and self.tokens[-1].text in ("_", "^")
            self.add("char", text, start)
            self.enter("script" if script else "brace")
        elif text == "}":
            self.leave(_BRACES)
            self.add("char", text, start)
        else:
            self.delimiter("char", text, start)

    def command(self, text: str, start: int) -> None:
        if text in tables.SIZERS:
            self.sizer = tables.SIZERS[text]
        elif text in tables.SKIPPED:
            self.star()
        elif text in tables.SKIPPED_WITH_ARGUMENTS:
            self.star()
            self.skip(tables.SKIPPED_WITH_ARGUMENTS[text], start)
        elif text in tables.WORDS:
            self.words(text, start)
        elif text in (r"\begin", r"\end"):
            self.environment(text, start)
        else:
            self.delimiter("command", text, start)

    def star(self) -> None:
        if self.latex[self.at : self.at + 1] == "*":
            self.at += 1

    def words(self, text: str, start: int) -> None:
        """A command and the words in the braces after it are one token; no words, no token."""
        self.star()
        if text in tables.OPTIONS_FIRST:
            self.skip("oo", start)
        begin = self.blank()
        if self.latex[begin : begin + 1] != "{":
            bare = self.latex[begin : begin + 1].strip("\\}&_^")
            self.at = begin + len(bare)
            self.add("words" if bare else "command", text, start, bare)
            return
        after = self.after_braces(begin)
        words = self.latex[begin + 1 : after - 1]
        if _MATHEMATICS.fullmatch(words):
            return
        self.at = after
        for pattern, replacement in _IN_WORDS:
            words = pattern.sub(replacement, words)
        if words.strip():
            self.add("words", text, start, words)

    def skip(self, pattern: str, start: int) -> None:
        """Skip the arguments that a pattern describes: m in braces, o in brackets, d a length, c a command."""
        for mark in pattern:
            begin = self.blank()
            after = self.latex[begin : begin + 1]
            if mark == "o":
                option = _OPTION.match(self.latex, self.at)
                self.at = option.end() if option else self.at
            elif mark == "v":
                overlay = _OVERLAY.match(self.latex, self.at)
                self.at = overlay.end() if overlay else self.at
            elif mark == "d" and after != "{":
                length = _DIMENSION.match(self.latex, self.at)
                self.at = length.end() if length else self.at
            elif after == "{":
                self.at = self.after_braces(begin)
            elif after == "\\":
                name = _TOKEN.match(self.latex, begin)
                self.at = name.end() if name else self.at

    def environment(self, text: str, start: int) -> None:
        r"""``\begin{array}[t]{rr|r}`` is one token, with the specification of the columns as its argument."""
        named = _ENVIRONMENT.match(self.latex, self.at)
        if named is None:
            raise ReadError(
                f"{text} has no environment name", Place(self.latex, start, self.at), f"{text}{{…}}"
            )
        self.at = named.end()
        name = named.group(1)
        if text == r"\end":
            self.leave(_ENVIRONMENTS)
            self.add("finish", name, start)
            return
        base = name.rstrip("*")
        if base not in tables.ENVIRONMENTS and base not in tables.TRANSPARENT_ENVIRONMENTS:
            known = [*tables.ENVIRONMENTS, *tables.TRANSPARENT_ENVIRONMENTS]
            near = get_close_matches(base, known, n=1)
            hint = (
                f"a known environment (did you mean {near[0]}?)"
                if near
                else "a matrix, array, cases or align"
            )
            raise ReadError(f"unknown environment {name}", Place(self.latex, start, self.at), hint)
        specification = ""
        if base in tables.WITH_COLUMNS or base in tables.OPTIONAL_PLACE or name.endswith("*"):
            place = _PLACE.match(self.latex, self.at)
            self.at = place.end() if place else self.at
        if base in tables.WITH_COLUMNS:
            begin = self.blank()
            if self.latex[begin : begin + 1] == "{":
                self.at = self.after_braces(begin)
                specification = self.latex[begin + 1 : self.at - 1]
        self.add("begin", name, start, specification)
        self.enter("environment")

    def blank(self) -> int:
        found = _BLANK.match(self.latex, self.at)
        return found.end() if found else self.at

    def after_braces(self, begin: int) -> int:
        """The offset after the braces that open at `begin`."""
        depth = 0
        for found in _BRACE.finditer(self.latex, begin):
            if found.group() == "{":
                depth += 1
            elif found.group() == "}":
                depth -= 1
                if depth == 0:
                    return found.end()
        raise ReadError("this { is never closed", Place(self.latex, begin, begin + 1), "a closing }")

    def delimiter(self, kind: TokenKind, text: str, start: int) -> None:
        """A character or command that may be a delimiter, with the size that was given before it."""
        sizer, self.sizer = self.sizer, None
        name = tables.DELIMITER_NAMES.get(text, text)
        found: TokenKind = kind
        if sizer in ("open", "close"):
            found = "open" if sizer == "open" else "close"
        elif name in ("|", r"\|"):
            found, name = ("char", r"\mid") if sizer == "middle" else ("bar", name)
        elif text in tables.OPENERS:
            found = "open"
        elif text in tables.CLOSERS:
            found = "close"
        elif text in tables.RENAMED:
            found, name = "char", tables.RENAMED[text]
        else:
            name = text
        self.tokens.append(Token(found, name, start, self.at, "", sizer in ("open", "close")))
        if found == "open":
            self.enter("bracket")
        elif found == "close" and self.brackets and self.brackets[-1] == "bracket":
            self.brackets.pop()


_STEPS = {
    "newline": _Lexer.newline,
    "dots": _Lexer.dots,
    "command": _Lexer.command,
    "number": _Lexer.number,
    "letter": _Lexer.letter,
    "char": _Lexer.char,
}
