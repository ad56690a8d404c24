"""Headings in a text without markup: which lines begin a block, and which are ordinary sentences.

Offers `heading_of`, which looks at the first line of a paragraph and says whether it is a heading, of what kind,
and where its own text goes on.  It rests on `blocks`; it is a heuristic, and prefers prose when in doubt.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from symlin.read.blocks import ATTACHED, DIVISIONS, NUMBERED, words


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading: the kind of block it begins, its title, and the offset in the line where content follows.

    `content` is the length of the line when nothing follows on it.
    """

    kind: str
    title: str
    content: int


#: Words that stand for a kind (besides the kinds themselves).
_SYNONYMS = {"exercises": "exercise", "solutions": "solution", "answers": "answer", "hints": "hint"}
#: Words that may stand before the name of a numbered block ("Preview Activity 2.1").
_ADJECTIVES = "Preview|Reading|Review|Worked|Practice|Challenge|Guided|Motivating|Key|Main|Extended|Class|Group|Lab|Optional"
_KINDS = "|".join(sorted([*DIVISIONS, *NUMBERED, *ATTACHED, *_SYNONYMS], key=len, reverse=True))
_KIND = rf"(?:(?:{_ADJECTIVES})\s+)?(?P<kind>{_KINDS})"
_NUMBER = r"(?P<number>[A-Z]?\d+(?:\.\d+)*[a-z]?|[A-Z](?:\.\d+)+|[IVX]+)"
_NUMBERED = re.compile(rf"{_KIND}\s+{_NUMBER}(?P<mark>[.:])?(?=\s|\(|$)", re.IGNORECASE)
_BARE = re.compile(rf"{_KIND}(?P<name>\s*\([^()]*\))?(?P<mark>[.:])?(?=\s|$)", re.IGNORECASE)
_OF = re.compile(
    rf"(?P<kind>{'|'.join(ATTACHED)})\s+(?:of|to|for)\s+(?:the\s+)?\w+(?:\s+[\w.]+)?[.:]?\s*$", re.IGNORECASE
)
_HASHES = re.compile(r"(?P<hashes>#{1,6})[ \t]+(?P<title>\S.*?)[ \t]*#*[ \t]*$")
#: "Theorem 2.3" inside a line: the line talks about it.
_REFERENCE = re.compile(rf"\b(?:{_KINDS})s?\s+\d", re.IGNORECASE)
_MATH = re.compile(r"\\[(\[a-zA-Z]|\$")
#: Divisions that Markdown's levels of heading stand for.
_LEVELS = ("section", "subsection", "subsubsection", "paragraphs", "paragraphs", "paragraphs")
_TITLE_WORDS = 12
#: Remarks that a colon does not begin: "Note: the sizes must agree" is a sentence.
_TALKATIVE = words("note remark warning caution observation insight notation convention tip question")


def heading_of(line: str, alone: bool, *, next_display: bool = False, fresh: bool = True) -> Heading | None:
    r"""The heading that a line is or begins with, or None for prose.

    Args:
        line: the first line of a paragraph, stripped on the right.
        alone: whether it is the whole paragraph.
        next_display: whether a display follows (then an unfinished phrase is prose that goes on in it).
        fresh: whether the sentence before has ended.

    Examples:
        >>> heading_of("Theorem 2.3. Order matters.", True).title
        'Theorem 2.3. Order matters.'
        >>> heading_of("Theorem 2.3 shows that sizes matter.", True) is None
        True
        >>> heading_of("From attention scores to attention output.", True).kind
        'paragraphs'
        >>> heading_of("Matrix multiplication represents composition of matrix maps.", True) is None
        True
    """
    hashes = _HASHES.match(line)
    if hashes is not None:
        return _under_hashes(hashes, len(line))
    plain, shift = _unmarked(line)
    found = _numbered(plain, alone) or _bare(plain, alone)
    if found is None:
        return _title_like(plain, len(line)) if alone and fresh and is_title(plain, next_display) else None
    content = len(line) if found.content >= len(plain) else found.content + shift
    return Heading(found.kind, found.title, content)


def _under_hashes(hashes: re.Match[str], length: int) -> Heading:
    """A Markdown heading: of the kind that its words name, else a division of its level."""
    title = _unmarked(hashes["title"])[0]
    named = _numbered(title, True) or _bare(title, True)
    known = named is not None and (named.kind not in DIVISIONS or _NUMBERED.match(title) is not None)
    kind = named.kind if named is not None and known else _LEVELS[len(hashes["hashes"]) - 1]
    return Heading(kind, title, length)


def _unmarked(line: str) -> tuple[str, int]:
    """The line without marks of emphasis round its beginning (``**Proof.** Let``), and how many were cut before."""
    found = re.match(r"(\*\*|__|\*|_)(?=[A-Z])(.+?)\1(?=\s|[.:]|$)", line)
    if found is None:
        return line, 0
    marks = found[1]
    rest = line[found.end() :]
    # The closing marks become spaces, so that offsets past them only differ by the opening ones.
    return found[2] + ("" if not rest else rest[:1] + " " * len(marks) + rest[1:]), len(marks)


def _kind(word: str) -> str:
    lower = word.lower()
    return _SYNONYMS.get(lower, lower)


def _written_as_heading(word: str) -> bool:
    return word[:1].isupper() and (word[1:].islower() or word.isupper())


def _numbered(line: str, alone: bool) -> Heading | None:
    found = _NUMBERED.match(line)
    if found is None or not _written_as_heading(found["kind"]):
        return None
    rest = line[found.end() :].strip()
    start = len(line) - len(line[found.end() :].lstrip())
    kind = _kind(found["kind"])
    if not rest:
        return Heading(kind, line.strip(), len(line)) if alone or found["mark"] else None
    if found["mark"] is None and not (rest[0] in "(—–-:" or (rest[0].isupper() and alone and _short(rest))):
        return None
    if found["mark"] is None and rest[0] == "(":
        return _with_name(line, found.end(), kind, alone)
    titled = _short(rest) and (alone or rest.endswith(".")) and not _MATH.search(rest)
    if kind in DIVISIONS or titled:
        return Heading(kind, line.strip(), len(line))
    return Heading(kind, line[: found.end()].strip(), start)


def _with_name(line: str, at: int, kind: str, alone: bool) -> Heading | None:
    """``Theorem 3 (Name). Content``."""
    named = re.compile(r"\s*\([^()]*\)(?P<mark>[.:])?\s*").match(line, at)
    if named is None or not (named["mark"] or (alone and named.end() == len(line))):
        return None
    return Heading(kind, line[: named.end()].strip(), named.end())


def _bare(line: str, alone: bool) -> Heading | None:
    of = _OF.match(line)
    if of is not None and alone and _written_as_heading(of["kind"]):
        return Heading(_kind(of["kind"]), line.strip(), len(line))
    found = _BARE.match(line)
    if found is None or not _written_as_heading(found["kind"]):
        return None
    kind = _kind(found["kind"])
    rest = line[found.end() :].strip()
    start = len(line) - len(line[found.end() :].lstrip())
    if not rest:
        return Heading(kind, line.strip(), len(line)) if found["mark"] or alone else None
    if found["mark"] is None:
        # "Subsection Matrix product by columns": only divisions are named without a number or a stop.
        division = kind in DIVISIONS and alone and rest[0].isupper() and rest[-1] not in ".,;:?!"
        return Heading(kind, line.strip(), len(line)) if division and _short(rest) else None
    if found["mark"] == ":" and kind in _TALKATIVE:
        return None
    if kind in ATTACHED or kind in NUMBERED:
        return Heading(kind, line[: found.end()].strip(), start)
    return None


def _short(text: str) -> bool:
    return len(text) < 120 and len(text.split()) <= _TITLE_WORDS


def _title_like(line: str, length: int) -> Heading:
    return Heading("paragraphs", line.strip(), length)


# A line that stands alone and has no name of a block: a title, unless it is or begins a sentence.

_FINITE = words(
    """is are was were be been am isn't aren't has have had does do did don't doesn't can cannot could may might must
    shall should will would let lets gives give gave represents represent sends send contains follows implies imply
    becomes become depends depend says say tells tell preserves commutes commute exists exist satisfies satisfy
    applies apply produces produce computes compute consists consist corresponds correspond belongs belong
    determines determine describes describe defines define denotes denote yields agrees agree fails fail vanishes
    vanish equals comes goes we you they it i he she who this these those there here"""
)
#: Words that are verbs or nouns; verbs unless they lead the line or a preposition does.
_EITHER = words(
    """maps forms uses results scores points shapes products changes moves turns measures multiplies divides shows
    means works needs takes matters stretches rotates acts sums counts holds stays makes adds returns covers"""
)
_OPENINGS = words(
    """then thus hence so therefore write let suppose assume compute find show prove determine consider use put give
    given explain describe verify check note recall define expand solve evaluate sketch draw state justify since
    because if when where and or but also moreover furthermore similarly likewise conversely equivalently now next
    finally first second third again indeed namely that which what why how is are does do can otherwise every each
    all no both either neither with under while whereas as such here there we you it they this these say denote set
    take choose calculate estimate simplify substitute replace observe notice remember see try complete fill type run
    output input result yes no true false"""
)
_PREPOSITIONS = words("from toward towards on about beyond into between behind inside for by in to at")
_WORD = re.compile(r"[A-Za-z'’-]+")


def is_title(line: str, next_display: bool = False) -> bool:
    """Whether a line alone in its paragraph is a title rather than a sentence or the beginning of one."""
    text = line.strip()
    if not text[:1].isupper() or _MATH.search(text) or len(text) > 90 or text[-1:] in ",;:?!":
        return False
    if _REFERENCE.search(text) or not re.fullmatch(r"[\w\s'’“”\"(),.&/–—-]+", text):
        return False
    words = [word.lower().replace("’", "'") for word in _WORD.findall(text)]
    if not 2 <= len(words) <= 10 or words[0] in _OPENINGS or _FINITE.intersection(words[1:]):
        return False
    leads = words[0] in _PREPOSITIONS
    if text.endswith("."):
        # A full stop: only a phrase that a preposition leads is surely no sentence.
        return leads and "," not in text and ". " not in text
    if next_display or ". " in text:
        return False
    return leads or not _EITHER.intersection(words[1:-1])
