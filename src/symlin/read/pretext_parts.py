"""What the PreTeXt reader holds while it reads: gathered characters, an open formula, list or title, and offsets.

Offers small mutable records, each with the place of its first character.  It rests on the standard library; which
element opens and closes them is for `pretext` to say.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal


@dataclass(slots=True)
class Gathered:
    """Characters that were gathered, each run with the offset of its first character in the source."""

    runs: list[tuple[str, int]] = field(default_factory=list)

    def text(self) -> str:
        return "".join(run for run, _ in self.runs)

    def ink(self, fallback: int) -> int:
        """The offset of the first character that is no white space."""
        for run, offset in self.runs:
            bare = run.lstrip()
            if bare:
                return offset + len(run) - len(bare)
        return fallback


@dataclass(slots=True)
class Formula:
    """A formula being read: its own text, and its rows when it has ``<mrow>``."""

    kind: Literal["inline", "display"]
    environment: str
    start: int
    own: Gathered = field(default_factory=Gathered)
    rows: list[Gathered] = field(default_factory=list)
    in_row: bool = False

    def take(self, run: str, offset: int) -> None:
        (self.rows[-1] if self.in_row else self.own).runs.append((run, offset))

    def read(self) -> tuple[str, int]:
        """The LaTeX and the offset of its first character."""
        rows = [row for row in self.rows if row.text().strip()]
        if rows and not self.own.text().strip():
            return " \\\\\n".join(row.text().strip() for row in rows), rows[0].ink(self.start)
        return self.own.text().strip(), self.own.ink(self.start)


@dataclass(slots=True)
class List:
    """An open list: the shape of its markers, how many ordered lists hold it, how many items it had."""

    shape: str
    depth: int
    count: int = 0


@dataclass(slots=True)
class Title:
    """A title being read, with the formulas that stand in it."""

    words: list[str] = field(default_factory=list)
    formulas: list[tuple[str, int]] = field(default_factory=list)


class Offsets:
    """Byte offsets of the UTF-8 form of a text to offsets in the text, for a sequence that mostly ascends."""

    __slots__ = ("ascii", "byte", "char", "data")

    def __init__(self, text: str) -> None:
        self.ascii = text.isascii()
        self.data = b"" if self.ascii else text.encode("utf-8", "surrogatepass")
        self.byte = self.char = 0

    def at(self, byte: int) -> int:
        if self.ascii:
            return byte
        if byte < self.byte:
            self.byte = self.char = 0
        self.char += len(self.data[self.byte : byte].decode("utf-8", "replace"))
        self.byte = byte
        return self.char
