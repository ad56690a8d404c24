r"""What the words between formulas say of shapes, names and values, and what they only suppose.

Offers `read_paragraph`, which finds in a paragraph the shape claims ("A is m×n", "Q, K, and V all have shape …"), the
naming of rows and columns ("b_j is column j of B"), values of parts ("row 2 of A is …"), suppositions ("A is
symmetric", "if AB = BA") and what is only asked or doubted.  It rests on nothing but the words; formulas stand in it
as numbered marks, and each kind of saying is a table of patterns.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

Mood: TypeAlias = Literal["", "let", "if", "thus", "question", "doubt"]
Role: TypeAlias = Literal["rows", "columns"]

_F = r"⟦(\d+)⟧"
_M = r"⟦\d+⟧"
_LIST = rf"{_M}(?:\s*(?:,\s*and|,\s*or|,|and|or|&)\s*{_M})*"
_WORD = r"(?:matrix|matrices|product|vector|vectors)"
_SHAPE_WORD = r"(?:shape|size|order|dimensions?|dimension)"
_BE = r"(?:is|are|be|being|has|have|is again|is also|are also|is therefore|is then|must be|must have|will be|will have|to be)"
_OF = r"of\s+(?:the\s+)?(?:matrix\s+|product\s+)?"

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_ORDINAL = rf"(?:{'|'.join(ORDINALS)})"
_INDEX = rf"(?:{_M}|\d+)"
_VALUE_FOLLOWS = r"(?:is|are|equals|is then|is therefore)\s*(?:then\s+|the\s+(?:vector|row|column)\s+)?"

RESPECTIVELY = re.compile(
    rf"(?P<subjects>{_LIST})\s*,?\s*(?:{_BE})\s+(?:of\s+|the\s+)?(?:{_SHAPE_WORD}s?\s+(?:of\s+)?)?(?P<sizes>{_LIST})\s*,?\s*"
    r"respectively"
)
SHAPE_IS = re.compile(
    rf"(?P<subjects>{_LIST})\s*,?\s*(?:each\s+|both\s+|all\s+)?{_BE}\s+(?:all\s+|both\s+|each\s+|also\s+)?"
    rf"(?:of\s+)?(?:an?\s+|the\s+)?(?:{_SHAPE_WORD}\s+(?:of\s+)?)?(?:an?\s+|the\s+)?{_F}"
    rf"(?!\s*(?:and|,)\s*{_M}\s*(?:entr|posit))"
)
MATRIX_OF = re.compile(rf"(?:an?|the|any|every|some|two|three)\s+{_F}\s+{_WORD}\s+(?P<subjects>{_LIST})")
LIES_IN = re.compile(
    rf"(?P<subjects>{_LIST})\s+(?:is|are|lies?|belongs?|must\s+be)\s+(?:all\s+|both\s+|(?:an?\s+)?vectors?\s+|(?:an?\s+)?"
    rf"elements?\s+)?(?:in|to|of)\s+(?:the\s+space\s+)?{_F}"
)
PART_IS = re.compile(
    rf"\b(?:(?P<role>row|column)\s+(?P<index>{_INDEX})|(?P<ordinal>{_ORDINAL})\s+(?P<role2>row|column))\s+"
    rf"{_OF}(?P<matrix>{_M})\s*{_VALUE_FOLLOWS}(?P<value>{_M})(?!\s*(?:times|multiplied))",
    re.IGNORECASE,
)
ENTRY_IS = re.compile(
    rf"\b(?:entry|element)\s+{_OF}(?P<matrix>{_M})\s+in\s+row\s+(?P<row>{_INDEX})\s*(?:,|and)\s*column\s+(?P<column>{_INDEX})\s*"
    rf"{_VALUE_FOLLOWS}(?P<value>{_M})",
    re.IGNORECASE,
)
PLACE_IS = re.compile(
    rf"(?P<place>{_M})\s*-?\s*(?:entry|element)\s+{_OF}(?P<matrix>{_M})\s*{_VALUE_FOLLOWS}(?P<value>{_M})",
    re.IGNORECASE,
)
SPACE_IS = re.compile(
    r"(?:(?P<out>outputs?\b[\w\s]{0,30}?\bin|values?\s+in|codomain(?:\s+is)?|\bto\s+(?:vectors?\s+|points?\s+)in|\binto)"
    r"|inputs?\s+(?:vectors?\s+)?(?:from|in)|domain(?:\s+is)?|takes\s+(?:vectors?|points?|inputs?)\s+(?:from|in))"
    r"\s+(?:the\s+space\s+)?⟦(?P<space>\d+)⟧",
    re.IGNORECASE,
)
ROW_OF_IS = re.compile(
    rf"\b(?P<role>rows?|columns?)\s+{_F}\s+of\s+(?:the\s+)?(?:matrix\s+)?{_F}\s*(?:is|are|equals|:)\s*(?:then\s+)?{_F}",
    re.IGNORECASE,
)
IS_ROW_OF = re.compile(
    rf"{_F}\s+(?:is|denotes|be|for)\s+(?:the\s+)?(?P<role>row|column)\s+{_F}\s+of\s+(?:the\s+)?(?:matrix\s+)?{_F}"
)
ROWS_OF_ARE = re.compile(
    rf"\b(?:the\s+)?(?P<role>rows|columns)\s+{_OF}(?P<matrix>{_M})\s+(?:are|be|by)\s+(?P<members>{_LIST})",
    re.IGNORECASE,
)
HAS_ROWS = re.compile(
    rf"(?P<matrices>{_LIST})\s+(?:(?:be|is|are)\s+(?:an?\s+|two\s+|the\s+)?{_M}\s+{_WORD}\s+)?(?:has|have|having|with)\s+"
    rf"(?:the\s+|its\s+|their\s+)?(?P<role>rows|columns)\s+(?P<members>{_LIST})(?!\s*(?:has|have|is|are|be)\b)",
    re.IGNORECASE,
)
_PROPERTY = (
    r"(?:(?:skew-?|anti)?symmetric|hermitian|orthogonal|orthonormal|unitary|(?:non-?)?singular|invertible|(?:bi)?diagonal|"
    r"(?:upper[- ]|lower[- ])?triangular|idempotent|nilpotent|involut\w+|projections?|projectors?|permutations?|"
    r"stochastic|(?:positive|negative)[- ](?:semi-?)?definite|normal|(?:linearly[- ])?(?:in)?dependent|eigen\w+|unit|"
    r"perpendicular|parallel|commut\w+|similar|inverses?|identity|zero|rotations?|reflections?|circulant|toeplitz)"
)
_KIND = r"(?:\s+(?:matrix|matrices|vectors?|maps?|square|real|constant))*"
SUPPOSED_PROPERTY = (
    re.compile(
        rf"(?P<subjects>{_LIST})\s*,?\s*(?:are|is|be|being|remains?)\s+(?:[\w×-]+\s+|{_M}\s+){{0,5}}?(?P<property>{_PROPERTY})\b",
        re.IGNORECASE,
    ),
    re.compile(rf"\b(?P<property>{_PROPERTY}){_KIND}\s+(?P<subjects>{_LIST})", re.IGNORECASE),
    re.compile(
        rf"(?P<subjects>{_LIST})[^.;:⟦]{{0,40}}?(?:\s|{_M}\s)(?:and\s+)?(?P<property>commute|anticommute)\b",
        re.IGNORECASE,
    ),
)
"""Words that say more of a matrix than its size; the name that they are said of is not free any more."""

DOUBT = re.compile(
    r"\b(?:true or false|prove or disprove|not (?:\w+ )?true that|(?:is|was) (?:it )?false that|(?:is|are) (?:wrong|false|incorrect"
    r"|not true|not correct|a mistake)|(?:does|do|did|need) not (?:always |necessarily )?(?:hold|imply|follow)|fails|nor|neither|"
    r"(?:student|friend|classmate|colleague|someone|somebody|he|she|they|people) (?:\w+ )?(?:claims?|claimed|says?|said|writes?|"
    r"wrote|thinks?|believes?|argues?|guess(?:es|ed)?|concludes?)|one (?:might|may|could)|tempt\w+|which of (?:the following|these)"
    r"|find the (?:error|mistake)|what is wrong|common (?:error|mistake)|may happen|possible that|whether|conjecture)\b",
    re.IGNORECASE,
)
"""Words with which a sentence shows a statement without making it."""

NOT_DEFINED = re.compile(
    rf"(?P<subjects>{_LIST})\s+(?:is|are)\s+(?:then\s+)?(?:not|never|un)\s*-?(?:defined|possible|meaningful)|"
    rf"(?P<subjects2>{_LIST})\s+(?:does|do)\s+not\s+(?:exist|make\s+sense)|"
    rf"(?:cannot|can\s+not|can't)\s+(?:form|multiply|add|compute)\s+(?:the\s+product\s+)?(?P<subjects3>{_LIST})"
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

_SUPPOSES = re.compile(
    r"\b(?:if|when|whenever|suppose|supposing|assume|assuming|such that|provided(?: that)?|satisf\w+|given that|for which|unless|"
    r"although|(?:let|with|where)(?=\s*$))\b",
    re.IGNORECASE,
)
_CONCLUDES = re.compile(
    r"\b(?:thus|hence|therefore|so|then|gives|yields|get|have|has|had|obtain|follows|shows|because|since|implies|is|are|let|define"
    r"|write|put|set)\b|,",
    re.IGNORECASE,
)


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
    """Formula `member` names a row or column of the matrix in formula `matrix`.

    `whole` says that the words list all rows or columns: `count` formulas (one of them may be a list with dots).
    """

    role: Role
    matrix: int
    member: int
    whole: bool = False
    count: int = 1


@dataclass(frozen=True, slots=True)
class PartClaim:
    """A part of the matrix in formula `matrix` is said to be what formula `value` shows.

    `index` holds what the words give as indices: the number of a formula, or the digits themselves; one index for a
    row or a column, two for an entry, and for an entry at "the (2, 3)-entry" the one formula that shows the pair.
    """

    part: Literal["row", "column", "entry"]
    matrix: int
    index: tuple[int | str, ...]
    value: int


@dataclass(frozen=True, slots=True)
class Supposition:
    """The things in the formulas `subjects` are said to have a property."""

    subjects: tuple[int, ...]
    property: str


@dataclass(slots=True)
class Remarks:
    """What a paragraph says; numbers are those of formulas.

    Args:
        shapes: sizes of matrices and vectors.
        namings: letters for rows and columns.
        spaces: domains and codomains.
        parts: values of rows, columns and entries.
        suppositions: properties, which restrict what a name may be.
        supposed: formulas that are supposed and not concluded ("if AB = BA").
        doubted: formulas of a sentence that shows a statement without making it ("true or false", "a student claims").
        undefined: expressions that are said not to be defined.
        doubts_items: whether the items of a list that follows are only shown ("which of the following hold?").
        moods: what the words before a formula make of it.
    """

    shapes: list[ShapeClaim] = field(default_factory=list)
    namings: list[Naming] = field(default_factory=list)
    spaces: list[SpaceClaim] = field(default_factory=list)
    parts: list[PartClaim] = field(default_factory=list)
    suppositions: list[Supposition] = field(default_factory=list)
    supposed: set[int] = field(default_factory=set)
    doubted: set[int] = field(default_factory=set)
    undefined: set[int] = field(default_factory=set)
    doubts_items: bool = False
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
        >>> read_paragraph(["Row", (1, ""), "of", (2, ""), "is", (3, ".")]).parts
        [PartClaim(part='row', matrix=2, index=(1,), value=3)]
        >>> remarks = read_paragraph(["If", (1, ""), "is symmetric and", (2, ","), "then", (3, ".")])
        >>> remarks.suppositions, remarks.supposed
        ([Supposition(subjects=(1,), property='symmetric')], {1, 2})
        >>> read_paragraph(["A student claims that", (1, ".")]).doubted
        {1}
    """
    text = " ".join(part if isinstance(part, str) else f"⟦{part[0]}⟧{part[1]}" for part in parts)
    remarks = Remarks()
    sentences = _sentences(text)
    for place, sentence in enumerate(sentences):
        question = sentence.rstrip().endswith("?")
        doubt = bool(DOUBT.search(sentence)) or question
        # "One might think so: … But this is wrong." takes back what stands before it.
        following = sentences[place + 1] if place + 1 < len(sentences) else ""
        doubt = doubt or bool(
            re.match(r"(?:But )?(?:[Tt]his|[Tt]hat|[Ii]t) is (?:wrong|false|not true|incorrect)", following)
        )
        for match in re.finditer(_F, sentence):
            number = int(match.group(1))
            head = sentence[max(0, match.start() - REACH) : match.start()]
            remarks.moods[number] = _mood(head, question)
            if doubt:
                remarks.doubted.add(number)
            if _is_supposed(head):
                remarks.supposed.add(number)
        remarks.doubts_items = doubt and (question or sentence.rstrip().endswith(":"))
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


def _is_supposed(head: str) -> bool:
    """Whether the last word that supposes or concludes is one that supposes.

    In "if A is symmetric and AB = BA, then" all up to the comma is supposed: a verb does not end a supposition that an
    "and" goes on with.
    """
    last = None
    for match in _SUPPOSES.finditer(head):
        last = match
    if last is None:
        return False
    rest = re.sub(rf"{_LIST}\s*,?\s*(?:is|are|has|have)\b[^,;:]*?\band\b", " ", head[last.end() :])
    rest = re.sub(rf"{_M}(?:\s*,\s*(?:and\s+)?|\s+and\s+)", " ", rest)
    return _CONCLUDES.search(rest) is None


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(number) for number in re.findall(_F, text))


def _number(text: str) -> int:
    return _numbers(text)[0]


def _role(word: str) -> Role:
    return "rows" if word.lower().startswith("row") else "columns"


def _index(text: str) -> int | str:
    return _number(text) if text.startswith("⟦") else text


# --- what is found, one function for each kind of saying ---------------------------------------------------------


def _shapes(sentence: str) -> Iterator[ShapeClaim]:
    paired: set[int] = set()
    for match in RESPECTIVELY.finditer(sentence):
        subjects, sizes = _numbers(match.group("subjects")), _numbers(match.group("sizes"))
        if len(subjects) == len(sizes):
            paired.update(sizes)
            yield from (ShapeClaim((subject,), size) for subject, size in zip(subjects, sizes, strict=True))
    for match in SHAPE_IS.finditer(sentence):
        size = int(match.groups()[-1])
        if size not in paired:
            yield ShapeClaim(_numbers(match.group("subjects")), size)
    for match in MATRIX_OF.finditer(sentence):
        yield ShapeClaim(_numbers(match.group("subjects")), int(match.group(1)))
    for match in LIES_IN.finditer(sentence):
        yield ShapeClaim(_numbers(match.group("subjects")), int(match.groups()[-1]))


def _spaces(sentence: str) -> Iterator[SpaceClaim]:
    for match in SPACE_IS.finditer(sentence):
        yield SpaceClaim("codomain" if match.group("out") else "domain", int(match.group("space")))


def _namings(sentence: str) -> Iterator[Naming]:
    for match in ROW_OF_IS.finditer(sentence):
        yield Naming(_role(match.group("role")), int(match.group(3)), int(match.group(4)))
    for match in IS_ROW_OF.finditer(sentence):
        yield Naming(_role(match.group("role")), int(match.group(4)), int(match.group(1)))
    for match in ROWS_OF_ARE.finditer(sentence):
        yield from _members(
            match.group("role"), _numbers(match.group("matrix")), _numbers(match.group("members"))
        )
    for match in HAS_ROWS.finditer(sentence):
        yield from _members(
            match.group("role"), _numbers(match.group("matrices")), _numbers(match.group("members"))
        )


def _members(role: str, matrices: tuple[int, ...], members: tuple[int, ...]) -> Iterator[Naming]:
    """All rows or columns: of one matrix, or of as many matrices as there are lists."""
    if len(matrices) == 1:
        for member in members:
            yield Naming(_role(role), matrices[0], member, True, len(members))
    elif len(matrices) == len(members):
        for matrix, member in zip(matrices, members, strict=True):
            yield Naming(_role(role), matrix, member, True)


def _parts(sentence: str) -> Iterator[PartClaim]:
    for match in PART_IS.finditer(sentence):
        role = (match.group("role") or match.group("role2")).lower()
        ordinal = match.group("ordinal")
        index = _index(match.group("index")) if ordinal is None else str(ORDINALS.index(ordinal.lower()) + 1)
        yield PartClaim(
            "row" if role == "row" else "column",
            _number(match.group("matrix")),
            (index,),
            _number(match.group("value")),
        )
    for match in ENTRY_IS.finditer(sentence):
        indices = (_index(match.group("row")), _index(match.group("column")))
        yield PartClaim("entry", _number(match.group("matrix")), indices, _number(match.group("value")))
    for match in PLACE_IS.finditer(sentence):
        place = (_number(match.group("place")),)
        yield PartClaim("entry", _number(match.group("matrix")), place, _number(match.group("value")))


def _suppositions(sentence: str) -> Iterator[Supposition]:
    for pattern in SUPPOSED_PROPERTY:
        for match in pattern.finditer(sentence):
            yield Supposition(_numbers(match.group("subjects")), match.group("property").lower())


def _undefined(sentence: str) -> Iterator[int]:
    for match in NOT_DEFINED.finditer(sentence):
        yield from _numbers(" ".join(group for group in match.groups() if group))


_FINDERS: tuple[tuple[str, Callable[[str], Iterator[object]]], ...] = (
    ("shapes", _shapes),
    ("namings", _namings),
    ("spaces", _spaces),
    ("parts", _parts),
    ("suppositions", _suppositions),
)
"""What is looked for in every sentence that is no question, and where it is kept."""


def _find(sentence: str, remarks: Remarks) -> None:
    for name, finder in _FINDERS:
        kept = getattr(remarks, name)
        kept.extend(found for found in finder(sentence) if found not in kept)
    remarks.undefined.update(_undefined(sentence))
