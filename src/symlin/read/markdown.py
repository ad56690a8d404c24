r"""Markdown to a document: dollars and LaTeX delimiters, fenced code, headings, lists, quotations, comments.

Offers `read`.  It rests on the scanner of plain text (`delimiters`, `listings`, `flow`), not on a Markdown library:
those give each block its lines, but inline tokens no column, and a verdict needs the place of every formula.
What is not read: tables as tables, and code that is marked by nothing but its indentation.
"""

from __future__ import annotations

import re
import textwrap
from dataclasses import dataclass, field

from symlin.read.assemble import Assembly, PieceKind
from symlin.read.delimiters import Rules, find_formulas
from symlin.read.document import Document
from symlin.read.flow import Code, Running, flow, outside
from symlin.read.listings import find_listings
from symlin.read.positions import BREAK, blank_out

_RULES = Rules(money=True, doubled=True)
_LINE = re.compile(rf"(?P<line>[^\r\n]*)(?P<break>{BREAK}|\Z)")
_QUOTED = re.compile(r"(?:[ \t]{0,3}>[ ]?)+")
_FENCE = re.compile(
    r"(?P<indent>[ \t>]*(?:[-*+]|\d{1,3}[.)])?[ \t]*)(?P<fence>`{3,}|~{3,})[ \t]*(?P<info>[^`\r\n]*)$"
)
_FRONT = re.compile(rf"---[ \t]*{BREAK}")
_FRONT_END = re.compile(r"^(?:---|\.\.\.)[ \t]*(?=\r?\n|\r|\Z)", re.MULTILINE)
_INFO = re.compile(r"\{?[ \t]*[.{]?[ \t]*(?P<word>[\w+-]+)\}?(?:[ \t]+(?P<second>[\w+-]+))?")
_OPTIONS = re.compile(r"(?:[ \t]*:[\w-]+:[^\r\n]*(?:\r\n|\n|\r))*")
#: What is taken out of the running text: comments, code spans (their words stay), escaped characters.
_INLINE = re.compile(
    r"\\[`<\\]|(?P<comment><!--)|(?P<ticks>`+)(?P<code>(?:(?!\r?\n[ \t]*\r?\n)[^`])+?)(?P=ticks)(?!`)|`+",
    re.DOTALL,
)
_MARKS_IN_CODE = re.compile(r"[$\\]")
_DIRECTIVE = re.compile(r"\s*symlin:\s*(?P<what>.*?)\s*\Z", re.DOTALL)
#: Marks of emphasis, links and tags, which are no words.
_MARKUP = re.compile(
    r"\*+|(?<!\w)_{1,2}|_{1,2}(?!\w)|`+|!?\[(?P<link>[^\[\]]*)\]\([^()\s]*(?:[ ]\"[^\"]*\")?\)|</?[A-Za-z][^<>]{0,200}>"
    r"|\\(?P<escaped>[!-/:-@\[-`{-~])"
)
_OUTPUTS = frozenset({"output", "out", "stdout", "console"})


def read(text: str, path: str = "") -> Document:
    r"""Read a Markdown text.

    Args:
        text: the text of the file.
        path: its path, as it is to be reported.

    Examples:
        >>> document = read("## Products\n\nLet $A$ cost $5, `$x$` not.\n\n```python\nA @ B\n```\n")
        >>> [(piece.kind, piece.text, piece.line, piece.column) for piece in document.pieces][:2]
        [('prose', 'Let', 3, 1), ('inline', 'A', 3, 6)]
        >>> [(piece.kind, piece.text, piece.environment) for piece in document.pieces][2:]
        [('prose', 'cost $5, x not.', ''), ('listing', 'A @ B', 'python')]
    """
    assembly = Assembly(text, path, "markdown")
    masked, fences = _without_fences(text)
    masked, directives = _without_comments_and_code(masked)
    found = find_formulas(masked, _RULES)
    displays = sorted(
        [(span.start, span.end) for span in found.spans if span.kind == "display" and span.closed]
        + [(code.start, code.end) for code in fences]
    )
    plain = [
        Code(each.kind, each.start, each.end, text[each.start : each.end], each.start)
        for each in find_listings(masked, displays)
    ]
    codes = _named_outputs(_merged(fences, plain), masked)
    spans, complaints = outside(codes, found.spans, found.complaints)
    flow(
        assembly,
        Running(masked, spans, codes, (), directives, titles=False, printed=_printed),
    )
    for offset, message in complaints:
        assembly.complain(offset, message)
    return assembly.document()


def _merged(fences: list[Code], plain: list[Code]) -> list[Code]:
    """Fenced code and listings without fences, in order; what overlaps a fence is part of it."""
    merged: list[Code] = []
    for code in sorted([*fences, *plain], key=lambda each: (each.start, -each.end)):
        if not merged or code.start >= merged[-1].end:
            merged.append(code)
    return merged


def _named_outputs(codes: list[Code], text: str) -> list[Code]:
    """Code without a language that stands directly behind a listing, or behind "Output:", is its output."""
    named: list[Code] = []
    for code in codes:
        before = named[-1] if named else None
        between = (
            text[before.end : code.start].strip() if before is not None and before.kind == "listing" else None
        )
        follows = between is not None and re.fullmatch(r"(?:\W*output\W*)?", between, re.IGNORECASE)
        if code.kind == "listing" and not code.environment and follows:
            code = Code("output", code.start, code.end, code.text, code.offset)
        named.append(code)
    return named


@dataclass(slots=True)
class _Open:
    """A fence that has been opened."""

    mark: str
    info: str
    start: int
    inner: int
    lines: list[str] = field(default_factory=list)


def _without_fences(text: str) -> tuple[str, list[Code]]:
    """Blank out front matter, fenced code and the marks of quotations."""
    hidden: list[tuple[int, int]] = []
    codes: list[Code] = []
    at = _front_matter(text)
    if at:
        hidden.append((0, at))
    fence: _Open | None = None
    while at < len(text) and (found := _LINE.match(text, at)) is not None:
        line = found["line"]
        marks = _FENCE.match(line)
        if fence is None and marks is not None:
            fence = _Open(marks["fence"], marks["info"], at, found.end())
        elif fence is not None and marks is not None and _closes(marks, fence.mark):
            codes.append(_code(text, fence, at, found.end("line")))
            hidden.append((fence.start, found.end("line")))
            fence = None
        elif fence is not None:
            fence.lines.append(line)
        elif (quoted := _QUOTED.match(line)) is not None:
            hidden.append((at, at + quoted.end()))
        at = found.end()
    if fence is not None:
        codes.append(_code(text, fence, len(text), len(text)))
        hidden.append((fence.start, len(text)))
    return blank_out(text, hidden) if hidden else text, [code for code in codes if code.text]


def _front_matter(text: str) -> int:
    """Where the text begins behind a front matter of YAML."""
    begins = _FRONT.match(text)
    ends = _FRONT_END.search(text, begins.end()) if begins is not None else None
    return ends.end() if ends is not None else 0


def _closes(marks: re.Match[str], opening: str) -> bool:
    closing = marks["fence"]
    return closing[0] == opening[0] and len(closing) >= len(opening) and not marks["info"].strip()


def _code(text: str, fence: _Open, inner_end: int, end: int) -> Code:
    """What stands between two fences: a display when they say ``math``, else a listing or an output."""
    told = _INFO.match(fence.info.strip())
    word = told["word"].lower() if told is not None else ""
    raw = text[fence.inner : inner_end]
    kind: PieceKind = "output" if word in _OUTPUTS else "listing"
    environment = word
    inner = fence.inner
    if word == "math":
        kind = "display"
        options = _OPTIONS.match(raw)
        inner += options.end() if options is not None else 0
    elif word == "code-cell" and told is not None:
        environment = (told["second"] or "").lower()
    quoted = all(line.lstrip().startswith(">") for line in fence.lines if line.strip()) and "> " in raw
    lines = [_QUOTED.sub("", line, count=1) for line in fence.lines] if quoted else fence.lines
    body = text[inner:inner_end].strip() if kind == "display" and not quoted else "\n".join(lines)
    body = body if kind == "display" else textwrap.dedent(body).strip("\n").rstrip()
    ink = re.compile(r"[\s>]*" if quoted else r"\s*").match(text, inner)
    offset = min(ink.end() if ink is not None else inner, end)
    return Code(kind, fence.start, end, body, offset, environment if kind != "output" else "")


def _without_comments_and_code(text: str) -> tuple[str, list[tuple[int, str]]]:
    """Blank out comments and what looks like LaTeX in code spans; the answer has the directives, too."""
    hidden: list[tuple[int, int]] = []
    directives: list[tuple[int, str]] = []
    at = 0
    last_end = text.rfind("-->")
    while (found := _INLINE.search(text, at)) is not None:
        at = found.end()
        if found["comment"] is not None:
            if found.start() > last_end:
                continue
            end = text.find("-->", at)
            directive = _DIRECTIVE.match(text[at:end])
            if directive is not None:
                directives.append((at + directive.start("what"), directive["what"]))
            at = end + 3
            hidden.append((found.start(), at))
        elif found["code"] is not None:
            start, end = found.span()
            if text[start - 1 : start] == "$" and text[end : end + 1] == "$" and start > 0:
                # ``$`A B`$`` is a formula whose ticks only keep Markdown away from it.
                hidden += [(start, found.start("code")), (found.end("code"), end)]
            else:
                hidden += [
                    (each.start(), each.end())
                    for each in _MARKS_IN_CODE.finditer(text, found.start("code"), found.end("code"))
                ]
    return blank_out(text, hidden) if hidden else text, directives


def _printed(words: str) -> str:
    """Words without marks of emphasis, links and tags."""
    return _MARKUP.sub(lambda found: found["link"] or found["escaped"] or "", words)
