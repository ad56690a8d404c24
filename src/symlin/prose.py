r"""What the words between formulas say of shapes and names.

Offers `read_paragraph`, which finds in a paragraph the shape claims ("A is m×n", "Q, K, and V all have shape …"),
the naming of rows and columns ("b_j is column j of B", "row 2 of A is …") and whether a formula is supposed, defined
or concluded; it rests on nothing but the words.  Formulas stand in it as numbered marks.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

Mood: TypeAlias = Literal["", "let", "if", "thus", "question"]

_F = r"⟦(\d+)⟧"
_LIST = r"(?:⟦\d+⟧)(?:\s*(?:,\s*and|,\s*or|,|and|or|&)\s*⟦\d+⟧)*"
_WORD = r"(?:matrix|matrices|product|vector|vectors)"
_SHAPE_WORD = r"(?:shape|size|order|dimensions?|dimension)"
_BE = r"(?:is|are|be|being|has|have|is again|is also|are also|is therefore|is then|must be|must have|will be|will have|to be)"

SHAPE_IS = re.compile(
    rf"(?P<subjects>{_LIST})\s*,?\s*(?:each\s+|both\s+|all\s+)?{_BE}\s+(?:all\s+|both\s+|each\s+|also\s+)?"
    rf"(?:of\s+)?(?:an?\s+|the\s+)?(?:{_SHAPE_WORD}\s+(?:of\s+)?)?(?:an?\s+|the\s+)?{_F}"
    rf"(?!\s*(?:and|,)\s*⟦\d+⟧\s*(?:entr|posit))"
)
MATRIX_OF = re.compile(rf"(?:an?|the|any|every|some|two|three)\s+{_F}\s+{_WORD}\s+(?P<subjects>{_LIST})")
ROW_OF_IS = re.compile(
    rf"\b(?P<role>rows?|columns?)\s+{_F}\s+of\s+(?:the\s+)?(?:matrix\s+)?{_F}\s*(?:is|are|equals|:)\s*(?:then\s+)?{_F}",
    re.IGNORECASE,
)
SPACE_IS = re.compile(
    r"(?:(?P<out>outputs?\b[\w\s]{0,30}?\bin|values?\s+in|codomain(?:\s+is)?)"
    r"|inputs?\s+(?:vectors?\s+)?(?:from|in)|domain(?:\s+is)?)\s+(?:the\s+space\s+)?⟦(?P<space>\d+)⟧",
    re.IGNORECASE,
)
IS_ROW_OF = re.compile(
    rf"{_F}\s+(?:is|denotes|be|for)\s+(?:the\s+)?(?P<role>row|column)\s+{_F}\s+of\s+(?:the\s+)?(?:matrix\s+)?{_F}"
)
ROWS_OF_ARE = re.compile(
    rf"\b(?:the\s+)?(?P<role>rows|columns)\s+of\s+(?:the\s+)?(?:matrix\s+)?{_F}\s+(?:are|be|by)\s+(?P<members>{_LIST})",
    re.IGNORECASE,
)
_MOODS: tuple[tuple[Mood, re.Pattern[str]], ...] = (
    (
        "if",
        re.compile(
            r"\b(?:if|when|whenever|suppose|assume|assuming|such that|provided|satisf\w+|solv\w+|solutions?|given that|for which|"
            r"unless|does not|do not|need not|is not|cannot|find|determine|whether|equations?|system|commut\w*|"
            r"points? with|points? where)\b",
            re.IGNORECASE,
        ),
    ),
    (
        "let",
        re.compile(
            r"\b(?:let|suppose|define|consider|set|put|write|denote|choose|take|given|say|where|call)\b",
            re.IGNORECASE,
        ),
    ),
    (
        "thus",
        re.compile(
            r"\b(?:thus|hence|therefore|so|then|gives|yields|we get|we have|we obtain|equals|it follows|shows|because|since)\b",
            re.IGNORECASE,
        ),
    ),
)
"""Words that make a formula a condition, a definition or a conclusion; the last one before it counts."""


@dataclass(frozen=True, slots=True)
class ShapeClaim:
    """`subjects` (numbers of formulas) are said to have the size that formula `size` shows."""

    subjects: tuple[int, ...]
    size: int


@dataclass(frozen=True, slots=True)
class SpaceClaim:
    """Formula `space` is said to be the domain or the codomain of the map last shown."""

    side: Literal["domain", "codomain"]
    space: int


@dataclass(frozen=True, slots=True)
class Naming:
    """Formula `member` names a row or column of the matrix in formula `matrix`."""

    role: Literal["rows", "columns"]
    matrix: int
    member: int


@dataclass(slots=True)
class Remarks:
    """What a paragraph says; `moods` are by formula number."""

    shapes: list[ShapeClaim] = field(default_factory=list)
    namings: list[Naming] = field(default_factory=list)
    spaces: list[SpaceClaim] = field(default_factory=list)
    moods: dict[int, Mood] = field(default_factory=dict)


REACH = 600
"""How many characters before a formula may set its mood."""
WINDOW = 4_000
"""Sentences longer than this are searched piece by piece, so that time stays linear."""


def read_paragraph(parts: Sequence[str | tuple[int, str]]) -> Remarks:
    """Find what a paragraph says.

    Args:
        parts: words, and for each formula its number and closing punctuation, in order.

    Examples:
        >>> remarks = read_paragraph(["Let", (1, ""), "be an", (2, ""), "matrix and", (3, ""), "is", (4, ".")])
        >>> [(claim.subjects, claim.size) for claim in remarks.shapes]
        [((1,), 2), ((3,), 4)]
        >>> remarks.moods[1]
        'let'
    """
    text = " ".join(part if isinstance(part, str) else f"⟦{part[0]}⟧{part[1]}" for part in parts)
    remarks = Remarks()
    for sentence in _sentences(text):
        question = sentence.rstrip().endswith("?")
        for match in re.finditer(_F, sentence):
            number = int(match.group(1))
            head = sentence[max(0, match.start() - REACH) : match.start()]
            remarks.moods[number] = _mood(head, question)
        if not question:
            for start in range(0, len(sentence), WINDOW):
                _find(sentence[start : start + WINDOW], remarks)
    return remarks


def _sentences(text: str) -> list[str]:
    return [part for part in re.split(r"(?<=[.?!])\s+(?=[A-Z⟦(])", text) if part]


def _mood(head: str, question: bool) -> Mood:
    if question:
        return "question"
    latest: Mood = ""
    at = -1
    for mood, pattern in _MOODS:
        for match in pattern.finditer(head):
            # "suppose" is both a supposition and a definition: the later table wins at the same place.
            if match.start() >= at:
                at, latest = match.start(), mood
    return latest


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(number) for number in re.findall(r"⟦(\d+)⟧", text))


def _role(word: str) -> Literal["rows", "columns"]:
    return "rows" if word.lower().startswith("row") else "columns"


def _find(sentence: str, remarks: Remarks) -> None:
    for match in SHAPE_IS.finditer(sentence):
        remarks.shapes.append(ShapeClaim(_numbers(match.group("subjects")), int(match.groups()[-1])))
    for match in MATRIX_OF.finditer(sentence):
        remarks.shapes.append(ShapeClaim(_numbers(match.group("subjects")), int(match.group(1))))
    for match in SPACE_IS.finditer(sentence):
        remarks.spaces.append(
            SpaceClaim("codomain" if match.group("out") else "domain", int(match.group("space")))
        )
    for match in ROW_OF_IS.finditer(sentence):
        remarks.namings.append(Naming(_role(match.group("role")), int(match.group(3)), int(match.group(4))))
    for match in IS_ROW_OF.finditer(sentence):
        remarks.namings.append(Naming(_role(match.group("role")), int(match.group(4)), int(match.group(1))))
    for match in ROWS_OF_ARE.finditer(sentence):
        matrix = int(match.group(2))
        for member in _numbers(match.group("members")):
            remarks.namings.append(Naming(_role(match.group("role")), matrix, member))
