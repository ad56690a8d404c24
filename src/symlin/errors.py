"""The errors that symlin raises, each one made to be read by a person.

Offers `SymlinError` and its five kinds; rests on nothing; every message says what was
read, what is wrong with it and what to do.  Positions are 1-based lines and columns.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Place:
    """Where something stands in a text.

    Args:
        text: the whole text that was read (a formula, a declaration).
        start: offset of the first character meant.
        end: offset just past the last character meant.

    Examples:
        >>> place = Place("A + * B", 4, 5)
        >>> (place.line, place.column)
        (1, 5)
        >>> print(place.caret())
        A + * B
            ^
    """

    text: str
    start: int
    end: int

    @property
    def line(self) -> int:
        """The 1-based line of the first character meant."""
        return self.text.count("\n", 0, self.start) + 1

    @property
    def column(self) -> int:
        """The 1-based column of the first character meant."""
        return self.start - (self.text.rfind("\n", 0, self.start) + 1) + 1

    def caret(self, width: int = 76) -> str:
        """The line meant, cut to about `width` characters, with a caret line under it."""
        first = self.text.rfind("\n", 0, self.start) + 1
        last = self.text.find("\n", self.start)
        line = self.text[first : last if last >= 0 else len(self.text)].replace("\t", " ")
        at = self.start - first
        length = max(1, min(self.end, first + len(line)) - self.start)
        if len(line) > width:
            left = max(0, min(at - width // 2, len(line) - width))
            head = "…" if left else ""
            tail = "…" if left + width < len(line) else ""
            line = head + line[left : left + width] + tail
            at = at - left + len(head)
            length = min(length, max(1, len(line) - len(tail) - at))
        return f"{line}\n{' ' * at}{'^' * length}"


class SymlinError(Exception):
    """Root of every error that symlin raises on purpose."""


class ReadError(SymlinError):
    """A text could not be read.

    Args:
        message: what was read and what is wrong with it.
        place: where, when known.
        expected: what would have been right there ("a closing brace").
    """

    def __init__(self, message: str, place: Place | None = None, expected: str = "") -> None:
        self.message = message
        self.place = place
        self.expected = expected
        super().__init__(self.describe())

    def describe(self) -> str:
        """The whole message, with line, column, caret and what was expected."""
        parts = [self.message]
        if self.place is not None:
            parts[0] = f"line {self.place.line}, column {self.place.column}: {self.message}"
        if self.expected:
            parts[0] += f"; expected {self.expected}"
        if self.place is not None:
            parts.append(self.place.caret())
        return "\n".join(parts)


class ShapeError(SymlinError):
    """Two sizes that must agree do not; `left` and `right` describe both operands."""

    def __init__(self, message: str, left: str = "", right: str = "") -> None:
        self.message = message
        self.left = left
        self.right = right
        super().__init__(message)


class UnsupportedError(SymlinError):
    """Something was read that symlin cannot decide; `construct` names it."""

    def __init__(self, construct: str, message: str = "") -> None:
        self.construct = construct
        super().__init__(message or f"{construct} is outside what symlin decides")


class BudgetError(SymlinError):
    """A computation would exceed its budget; `budget` names which one."""

    def __init__(self, budget: str, message: str = "") -> None:
        self.budget = budget
        super().__init__(message or f"the budget was spent: {budget}")


class ProofError(SymlinError):
    """A proof step does not follow; `step` says which."""

    def __init__(self, message: str, step: str = "") -> None:
        self.step = step
        super().__init__(message)
