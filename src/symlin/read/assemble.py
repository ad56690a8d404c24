"""Putting a document together: pieces in order, each with its place, block and paragraph.

Offers `Assembly`, the one mutable object of the document readers, which numbers blocks and paragraphs, attaches
solutions and proofs to what they belong to and handles directives.  It rests on `document`, `blocks` and
`positions`; it knows no format.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Literal

from symlin.read.blocks import ATTACHED, DEEPEST, DIVISIONS
from symlin.read.document import Block, Document, Piece
from symlin.read.positions import Lines, ends_sentence

_DENIED = re.compile(r"claim\s*=\s*(?:false|no)\b", re.IGNORECASE)
_ANNOUNCES = re.compile(r"\boutput\W*\Z", re.IGNORECASE)
PieceKind = Literal["inline", "display", "prose", "listing", "output", "directive"]


class Assembly:
    """A document that is being read.

    Args:
        text: the source, for lines and columns.
        path: its path as given.
        format: name of the format.
    """

    def __init__(self, text: str, path: str, format: str) -> None:
        self.text = text
        self.path = path
        self.format = format
        self.lines = Lines(text)
        self.pieces: list[Piece] = []
        self.complaints: list[tuple[int, int, str]] = []
        self.root = Block(0, "document", "")
        self.paragraph = 1
        self.item = ""
        self.claim: bool | None = True
        self._blocks = 1
        self._highest = 1  # highest number of a paragraph given so far
        self._tail: Piece | None = None  # last piece of the current paragraph that is no directive
        self._filled = False  # whether the current paragraph has a piece
        self._denied = False  # whether a directive denies the claims of the current (or next) paragraph
        self._divisions: list[Block] = []
        self._stack: list[Block] = []
        self._flat: Block | None = None  # current block of a format without end markers
        self._owners: dict[tuple[int, str], Block] = {}

    # Blocks

    @property
    def block(self) -> Block:
        """The innermost block."""
        if self._stack:
            return self._stack[-1]
        return self._flat or self._container()

    def _container(self) -> Block:
        if self._stack:
            return self._stack[-1]
        return self._divisions[-1] if self._divisions else self.root

    @property
    def untitled(self) -> bool:
        """Whether nothing has been read yet, not even a title."""
        return not self.pieces and self._blocks == 1 and not self.root.title

    def name_document(self, title: str) -> None:
        """Give the document its title, as long as nothing has been read."""
        if self.untitled:
            self.root = Block(0, self.root.kind, title)

    def begin(self, kind: str, title: str) -> None:
        """Begin a block that ends where the next one begins (text, Markdown; sections of TeX)."""
        self.new_paragraph()
        if kind in DIVISIONS:
            self._stack.clear()
            while self._divisions and DIVISIONS[self._divisions[-1].kind] >= DIVISIONS[kind]:
                self._divisions.pop()
            self._divisions.append(self._make(kind, title))
            self._flat = None
        else:
            self._flat = None
            self._flat = self._make(kind, title)

    def enter(self, kind: str, title: str) -> None:
        """Enter a block that has an end of its own; `leave` ends it."""
        self.new_paragraph()
        if len(self._stack) >= DEEPEST:
            self._stack.append(self._stack[-1])
        else:
            self._flat = None
            self._stack.append(self._make(kind, title))

    def leave(self) -> None:
        """Leave the block entered last."""
        self.new_paragraph()
        if self._stack:
            self._stack.pop()

    @property
    def depth(self) -> int:
        """How many blocks with an end of their own are open."""
        return len(self._stack)

    def _make(self, kind: str, title: str) -> Block:
        container = self._container()
        parent = container
        owners = ATTACHED.get(kind)
        if owners is not None and container.kind not in owners:
            parent = (
                self._owners.get((container.key, kind)) or self._owners.get((container.key, "")) or container
            )
        block = Block(self._blocks, kind, title, parent)
        self._blocks += 1
        if owners is None:
            # What comes after a task or a theorem and asks for an owner finds the nearest that fits, else the nearest.
            self._owners[container.key, ""] = block
            for attached, kinds in ATTACHED.items():
                if kind in kinds:
                    self._owners[container.key, attached] = block
        return block

    # Paragraphs

    def new_paragraph(self, item: str = "") -> None:
        """Begin a paragraph (nothing happens to the count while the current one is empty)."""
        if self._filled:
            self._highest = max(self._highest, self.paragraph) + 1
            self.paragraph = self._highest
            self._filled = False
            self._denied = False
            self._tail = None
        self.item = item

    def step_aside(self) -> Callable[[], None]:
        """Begin a paragraph that stands inside the current one (a footnote); the answer goes back to that."""
        before = (self.paragraph, self._filled, self._tail)
        self._highest = max(self._highest, self.paragraph) + 1
        self.paragraph, self._filled, self._tail = self._highest, False, None

        def back() -> None:
            self._highest = max(self._highest, self.paragraph)
            self.paragraph, self._filled, self._tail = before

        return back

    @property
    def sentence_open(self) -> bool:
        """Whether the paragraph has pieces and the last of them does not end a sentence."""
        return self._tail is not None and not ends_sentence(self._tail.text)

    @property
    def after_display(self) -> bool:
        """Whether the last piece of the paragraph is a display."""
        return self._tail is not None and self._tail.kind == "display"

    @property
    def follows_code(self) -> bool:
        """Whether the last piece is a listing, or the words that announce its output."""
        last = self.pieces[-1] if self.pieces else None
        if last is None or last.kind == "listing":
            return last is not None
        return last.kind == "prose" and _ANNOUNCES.search(last.text[-30:]) is not None

    # Pieces

    def add(self, kind: PieceKind, text: str, offset: int, environment: str = "") -> None:
        """Add a piece whose first character stands at `offset`."""
        line, column = self.lines.at(offset)
        self.place(kind, text, line, column, environment)

    def place(self, kind: PieceKind, text: str, line: int, column: int, environment: str = "") -> None:
        """Add a piece at a line and column."""
        claim = False if self._denied else self.claim
        environment = "" if kind == "inline" else environment
        self._tail = Piece(
            kind, text, line, column, self.block, self.paragraph, claim, environment, self.item
        )
        self.pieces.append(self._tail)
        self._filled = True

    def directive(self, text: str, offset: int) -> None:
        """Add a directive; ``claim=false`` denies the rest of this paragraph, or the next when this is empty."""
        line, column = self.lines.at(offset)
        self.pieces.append(
            Piece("directive", text, line, column, self.block, self.paragraph, self.claim, "", self.item)
        )
        if _DENIED.search(text):
            self._denied = True

    def prose(self, start: int, end: int) -> None:
        """Add the words of the source between two offsets, white space folded."""
        words = self.text[start:end]
        folded = " ".join(words.split())
        if folded:
            self.add("prose", folded, start + len(words) - len(words.lstrip()))

    def complain(self, offset: int, message: str) -> None:
        """Note a trouble that did not stop the reading."""
        line, column = self.lines.at(offset)
        self.complaints.append((line, column, message))

    def document(self) -> Document:
        """The document as read."""
        # A comment inside a display is met after the display has begun: places decide.
        pieces = sorted(self.pieces, key=lambda piece: (piece.line, piece.column))
        return Document(self.path, self.format, tuple(pieces), tuple(sorted(self.complaints)))
