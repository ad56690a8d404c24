"""What a document looks like to the checker: formulas in reading order, with the prose and blocks round them.

Offers `Document`, `Piece` and `Block`, which every document reader (text, TeX, PreTeXt, Markdown, notebook, HTML)
returns.  It rests on nothing and interprets nothing: what the prose claims is read by `context`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Block:
    """A part of a document with its own values: a definition, theorem, activity, example, warning, exercise …

    Args:
        key: unique in the document, increasing in reading order.
        kind: lower-case word: ``document``, ``section``, ``subsection``, ``paragraphs``, ``definition``, ``theorem``,
            ``activity``, ``example``, ``warning``, ``note``, ``exercise``, ``remark``, ``solution``, ``proof``, ``statement`` …
        title: the heading as read.
        parent: the block that it stands in; a ``solution``, ``proof``, ``hint``, ``answer`` or ``statement`` stands in
            the activity or theorem that it belongs to (also when the format puts it after, as plain text does).
    """

    key: int
    kind: str
    title: str
    parent: Block | None = None


@dataclass(frozen=True, slots=True)
class Piece:
    """One thing in reading order: a formula, or a run of prose, or a listing.

    Args:
        kind: ``inline`` or ``display`` for formulas, ``prose`` for words, ``listing`` and ``output`` for code,
            ``directive`` for a comment ``symlin: …`` (its `text` is what follows the colon).
        text: the LaTeX as in the source without its delimiters (outer white space stripped); entities of XML decoded;
            for prose the words, white space folded to single spaces.
        line: 1-based line in the file of the first character of `text`.
        column: 1-based column there (characters, not bytes).
        block: the innermost block.
        paragraph: number of the paragraph (or list item) it stands in; pieces of one paragraph share it.
        claim: False inside a denied claim (``<choice correct="no">`` …), None where nothing is asserted either way (a
            choice that is not marked).
        environment: for displays the environment or element (``equation``, ``align``, ``md``, ``me``, ``$$``, ``\\[``), for
            several rows of one display each row is its own piece only where the format makes them so (``<mrow>`` rows are
            joined with ``\\\\`` into one piece).
        item: marker of the list item the piece stands in (``"1"``, ``"a"``), or "".
    """

    kind: Literal["inline", "display", "prose", "listing", "output", "directive"]
    text: str
    line: int
    column: int
    block: Block
    paragraph: int
    claim: bool | None = True
    environment: str = ""
    item: str = ""


@dataclass(frozen=True, slots=True)
class Document:
    """A document as read: its path as given, its format and its pieces in reading order.

    `complaints` are troubles that did not stop the reading (an unfinished ``\\(``), each with line and column.
    """

    path: str
    format: str
    pieces: tuple[Piece, ...]
    complaints: tuple[tuple[int, int, str], ...] = ()
