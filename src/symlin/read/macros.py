r"""Macros of LaTeX sources: what ``\newcommand``, ``\def``, ``\DeclareMathOperator`` and ``\let`` define.

Offers `definitions`, which finds them in a text, and `Macros`, which expands them in a formula within fixed bounds.
It rests on the standard library; nothing but textual replacement is done, so a document can neither run code here
nor make the expansion go on for ever.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

#: An expanded formula may be this many times as long as what stands in the source (plus a constant).
_GROWTH = 40
_SLACK = 20_000
_PASSES = 60


@dataclass(frozen=True, slots=True)
class Macro:
    r"""A macro: what stands for ``\name`` and its arguments (``#1`` … in the body).

    `default` is the value of an optional first argument, or None when there is none.
    """

    name: str
    arguments: int
    default: str | None
    body: str


@dataclass(frozen=True, slots=True)
class Definition:
    """A definition in a source, from `start` to `end`; `keep` when it yields to an earlier one (``provide…``)."""

    start: int
    end: int
    macro: Macro
    keep: bool = False


_DEFINES = re.compile(
    r"\\(?P<how>newcommand|renewcommand|providecommand|DeclareRobustCommand|DeclareMathOperator|[gex]?def|let)"
    r"(?P<star>\*?)(?![A-Za-z])"
)
_NAME = re.compile(r"\s*(?:\{\s*)?\\(?P<name>[A-Za-z@]+|[^A-Za-z\s{}])(?:\s*\})?")
_COUNT = re.compile(r"\s*\[\s*(?P<count>\d)\s*\]")
_OPTION = re.compile(r"\s*\[(?P<value>[^\[\]]{0,300})\]")
_PARAMETERS = re.compile(r"\s*(?P<all>(?:#\d\s*)*)(?=\{)")
_LET = re.compile(r"\s*=?\s*(?P<body>\\(?:[A-Za-z@]+|.)|[^\s\\])")
_BRACE = re.compile(r"\\.|[{}]", re.DOTALL)
_SPACE = re.compile(r"\s*")


class Braces:
    r"""Which braces of a text belong together, found in one pass when first asked.

    Examples:
        >>> text = r"  {a{b}\}} c {"
        >>> Braces(text).group(0)
        ('a{b}\\}', 10)
        >>> Braces(text).group(11) is None
        True
    """

    __slots__ = ("pairs", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.pairs: dict[int, int] | None = None

    def group(self, at: int) -> tuple[str, int] | None:
        """The inside of the braces that begin at `at` (after white space), and the offset past them."""
        start = _SPACE.match(self.text, at)
        opening = start.end() if start is not None else at
        if self.text[opening : opening + 1] != "{":
            return None
        if self.pairs is None:
            self.pairs = self._match()
        end = self.pairs.get(opening)
        return None if end is None else (self.text[opening + 1 : end], end + 1)

    def _match(self) -> dict[int, int]:
        pairs: dict[int, int] = {}
        open_braces: list[int] = []
        for found in _BRACE.finditer(self.text):
            if found.group() == "{":
                open_braces.append(found.start())
            elif found.group() == "}" and open_braces:
                pairs[open_braces.pop()] = found.start()
        return pairs


def definitions(text: str) -> list[Definition]:
    r"""The definitions of a source, in order (comments have been blanked out).

    Examples:
        >>> [each.macro for each in definitions(r"\newcommand{\vect}[1]{\mathbf{#1}} \def\R{\mathbb R}")]
        [Macro(name='vect', arguments=1, default=None, body='\\mathbf{#1}'), Macro(name='R', arguments=0, default=None, body='\\mathbb R')]
    """
    found: list[Definition] = []
    braces = Braces(text)
    at = 0
    while (defines := _DEFINES.search(text, at)) is not None:
        definition = _definition(braces, defines)
        at = definition.end if definition is not None else defines.end()
        if definition is not None:
            found.append(definition)
    return found


def _definition(braces: Braces, defines: re.Match[str]) -> Definition | None:
    text = braces.text
    name = _NAME.match(text, defines.end())
    if name is None:
        return None
    how, at = defines["how"], name.end()
    if how == "let":
        meant = _LET.match(text, at)
        return meant and Definition(defines.start(), meant.end(), Macro(name["name"], 0, None, meant["body"]))
    arguments, default = 0, None
    if how.endswith("def"):
        parameters = _PARAMETERS.match(text, at)
        if parameters is None:
            return None
        arguments, at = parameters["all"].count("#"), parameters.end()
    elif how != "DeclareMathOperator" and (count := _COUNT.match(text, at)) is not None:
        arguments, at = int(count["count"]), count.end()
        if (option := _OPTION.match(text, at)) is not None:
            default, at = option["value"], option.end()
    body = braces.group(at)
    if body is None:
        return None
    inside = f"\\operatorname{defines['star']}{{{body[0]}}}" if how == "DeclareMathOperator" else body[0]
    macro = Macro(name["name"], arguments, default, inside.strip())
    return Definition(defines.start(), body[1], macro, how == "providecommand")


#: What has no meaning inside a formula, or means its argument.
_ALWAYS = {"ensuremath": Macro("ensuremath", 1, None, "#1"), "xspace": Macro("xspace", 0, None, "")}
_COMMAND = re.compile(r"\\([A-Za-z@]+|.)", re.DOTALL)
_TOKEN = re.compile(r"\s*(\\(?:[A-Za-z@]+|.)|[^\s\\{}])", re.DOTALL)
_PARAMETER = re.compile(r"#(\d)")
_ENDS_IN_NAME = re.compile(r"\\[A-Za-z@]+\Z")


class Macros:
    r"""The macros in force, growing as definitions are met.

    Examples:
        >>> macros = Macros()
        >>> for each in definitions(r"\newcommand{\v}[1]{\mathbf#1}\newcommand{\T}[2][\top]{#2^{#1}}"):
        ...     macros.add(each)
        >>> macros.expand(r"\v x \cdot \T{A} \T[T]{\v{y}}")
        ('\\mathbf x \\cdot A^{\\top} \\mathbf y^{T}', True)
    """

    __slots__ = ("endless", "known", "tried")

    def __init__(self) -> None:
        self.known = dict(_ALWAYS)
        self.endless: set[str] = set()  # names whose expansion does not end
        self.tried: set[str] = set()

    def add(self, definition: Definition) -> None:
        """Put a definition into force."""
        if not (definition.keep and definition.macro.name in self.known):
            self.known[definition.macro.name] = definition.macro
            self.endless.clear()
            self.tried.clear()

    def expand(self, latex: str) -> tuple[str, bool]:
        """Expand the macros of a formula; the flag says whether it could be done within the bounds."""
        if "\\" not in latex:
            return latex, True
        if self.endless and any(each[1] in self.endless for each in _COMMAND.finditer(latex)):
            return latex, False
        expanded = self._all(latex)
        if expanded is None:
            self._blame(latex)
            return latex, False
        return expanded, True

    def _all(self, latex: str) -> str | None:
        """Expand until nothing is left to expand, or None when the bounds are passed."""
        bound = _GROWTH * len(latex) + _SLACK
        text = latex
        for _ in range(_PASSES):
            expanded = self._once(text, bound)
            if expanded is None or expanded == text:
                return expanded
            text = expanded
        return None

    def _blame(self, latex: str) -> None:
        """Find the macros that do not end by themselves, so that no other formula is spent on them."""
        for command in _COMMAND.finditer(latex):
            macro = self.known.get(command[1])
            if macro is not None and macro.name not in self.tried:
                self.tried.add(macro.name)
                if self._all(f"\\{macro.name}" + "{}" * macro.arguments) is None:
                    self.endless.add(macro.name)

    def _once(self, text: str, bound: int) -> str | None:
        """One pass over a formula: every macro that stands in it is replaced by its body."""
        parts: list[str] = []
        braces = Braces(text)
        length = done = at = 0
        while (command := _COMMAND.search(text, at)) is not None:
            at = command.end()
            macro = self.known.get(command[1])
            if macro is None:
                continue
            call = _arguments(braces, at, macro)
            if call is None:
                continue
            values, at = call
            body = _fill(macro.body, values)
            parts += (text[done : command.start()], body)
            length += command.start() - done + len(body)
            done = at
            if _ENDS_IN_NAME.search(body[-80:]) and text[at : at + 1].isalpha():
                parts.append(" ")
            if length > bound:
                return None
        if not done:
            return text
        parts.append(text[done:])
        return "".join(parts)


def _arguments(braces: Braces, at: int, macro: Macro) -> tuple[list[str], int] | None:
    text = braces.text
    values: list[str] = []
    if macro.default is not None:
        option = _OPTION.match(text, at)
        values.append(option["value"] if option is not None else macro.default)
        at = option.end() if option is not None else at
    while len(values) < macro.arguments:
        if (braced := braces.group(at)) is not None:
            values.append(braced[0])
            at = braced[1]
        elif (token := _TOKEN.match(text, at)) is not None:
            values.append(token[1])
            at = token.end()
        else:
            return None
    return values, at


def _fill(body: str, values: list[str]) -> str:
    """A body with its arguments in place; a command's name is kept apart from the letter that follows it."""
    if not values:
        return body
    parts: list[str] = []
    done = 0
    for parameter in _PARAMETER.finditer(body):
        index = int(parameter[1]) - 1
        if index < 0 or index >= len(values):
            continue
        before = body[done : parameter.start()]
        apart = " " if _ENDS_IN_NAME.search(before[-80:]) and values[index][:1].isalpha() else ""
        after = body[parameter.end() : parameter.end() + 1]
        close = " " if _ENDS_IN_NAME.search(values[index][-80:]) and after.isalpha() else ""
        parts += (before, apart, values[index], close)
        done = parameter.end()
    parts.append(body[done:])
    return "".join(parts)
