"""Running text, line by line: paragraphs, headings, list items and directives of text and Markdown.

Offers `flow`, which walks a text whose formulas and listings have been found and hands the pieces to an `Assembly`.
It rests on `positions`, `headings` and `delimiters`; what the words mean is not its business.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from symlin.read.assemble import Assembly, PieceKind
from symlin.read.delimiters import Span
from symlin.read.headings import Heading, heading_of
from symlin.read.positions import BLANK_RUN, BREAK, ends_sentence

_DIRECTIVE = re.compile(
    r"[ \t]*(?:(?:%+|#+|//+|;+|\.\.|<!--+|\[//\]:[ ]*#[ ]*\(?)[ \t]*)?symlin:[ \t]*(?P<what>[^\r\n]*?)"
    r"[ \t]*(?:--+>|\))?[ \t]*$"
)
_ITEM = re.compile(
    r"[ \t]*(?:\((?P<in>\d{1,3}|[a-z]|[ivx]{1,5})\)|(?P<out>\d{1,3}|[a-z]|[ivx]{1,5})[.)]|(?P<bullet>[-*+•‣]))[ \t]+(?=\S)"
)
_NEXT_LINE = re.compile(BREAK)
_UNDERLINE = re.compile(r"[ \t]*(=+|-{3,})[ \t]*$")
_RULE = re.compile(r"[ \t]*(?:[-*_=~][ \t]*){3,}$")


@dataclass(frozen=True, slots=True)
class Code:
    """A listing, an output or another stretch that is no running text; `text` is what the piece holds."""

    kind: PieceKind
    start: int
    end: int
    text: str
    offset: int
    environment: str = ""


@dataclass(frozen=True, slots=True)
class Chunk:
    """A stretch between blank lines; `breaks` when a mark before it ends the paragraph, `code` when it is code."""

    start: int
    end: int
    breaks: bool
    code: Code | None = None


@dataclass(frozen=True, slots=True)
class Running:
    """A running text and what was found in it.

    Args:
        text: the text with everything blanked out that is no running text.
        spans: the formulas, in order.
        codes: the listings, in order.
        marks: offsets of the marks that end a paragraph, in order.
        directives: offset and words of directives that were taken out of the text, in order.
        titles: whether a short line that stands alone can be a title without any mark.
        printed: what a run of source words looks like when printed.
    """

    text: str
    spans: Sequence[Span]
    codes: Sequence[Code] = ()
    marks: Sequence[int] = ()
    directives: Sequence[tuple[int, str]] = ()
    titles: bool = True
    printed: Callable[[str], str] = str


def outside(
    codes: Sequence[Code], spans: Sequence[Span], complaints: Sequence[tuple[int, str]]
) -> tuple[list[Span], list[tuple[int, str]]]:
    """The formulas and complaints that do not begin inside a listing."""
    starts = [code.start for code in codes]

    def is_outside(offset: int) -> bool:
        index = bisect_right(starts, offset) - 1
        return index < 0 or offset >= codes[index].end

    return [span for span in spans if is_outside(span.start)], [
        each for each in complaints if is_outside(each[0])
    ]


def flow(assembly: Assembly, running: Running) -> None:
    """Hand a running text to an assembly, piece by piece."""
    _Flow(assembly, running).run()


class _Flow:
    def __init__(self, assembly: Assembly, running: Running) -> None:
        self.assembly = assembly
        self.running = running
        self.text = running.text
        self.spans = running.spans
        self.marks = running.marks
        self.next_directive = 0

    def run(self) -> None:
        chunks = self.chunks()
        for index, chunk in enumerate(chunks):
            if chunk.code is not None:
                self.code(chunk.code)
                continue
            after = chunks[index + 1] if index + 1 < len(chunks) else None
            self.chunk(chunk, after is not None and not after.breaks and self.begins_with_display(after))
        self.assembly.new_paragraph()
        self.directives(len(self.text) + 1)

    # Cutting

    def chunks(self) -> list[Chunk]:
        """The stretches between blank lines, formulas and listings kept whole."""
        chunks: list[Chunk] = []
        at = 0
        for code in self.running.codes:
            self.cut(at, code.start, chunks)
            chunks.append(Chunk(code.start, code.end, True, code))
            at = code.end
        self.cut(at, len(self.text), chunks)
        return chunks

    def cut(self, start: int, end: int, chunks: list[Chunk]) -> None:
        at = start
        span = bisect_left(self.spans, start, key=lambda each: each.start)
        for found in BLANK_RUN.finditer(self.text, start, end):
            while span < len(self.spans) and self.spans[span].end <= found.start():
                span += 1
            if span < len(self.spans) and self.spans[span].start < found.start():
                continue
            self.keep(at, found.start(), chunks)
            at = found.end()
        self.keep(at, end, chunks)

    def keep(self, start: int, end: int, chunks: list[Chunk]) -> None:
        body = self.text[start:end]
        if body.strip():
            first = start + len(body) - len(body.lstrip("\r\n"))
            before = chunks[-1].end if chunks else 0
            marked = bisect_left(self.marks, before) < bisect_left(self.marks, first)
            code = chunks[-1].code if chunks else None
            after_code = code is not None and code.kind != "display"
            chunks.append(Chunk(first, start + len(body.rstrip()), marked or after_code))

    def span_at(self, offset: int) -> Span | None:
        """The first formula that begins at or after an offset."""
        index = bisect_left(self.spans, offset, key=lambda each: each.start)
        return self.spans[index] if index < len(self.spans) else None

    def begins_with_display(self, chunk: Chunk) -> bool:
        if chunk.code is not None:
            return chunk.code.kind == "display"
        span = self.span_at(chunk.start)
        return span is not None and span.kind == "display" and not self.text[chunk.start : span.start].strip()

    # Reading

    def code(self, code: Code) -> None:
        if code.kind != "display" or not self.assembly.sentence_open:
            self.assembly.new_paragraph()
        self.directives(code.start)
        self.assembly.add(code.kind, code.text, code.offset, code.environment)

    def chunk(self, chunk: Chunk, next_display: bool) -> None:
        """Read one stretch between blank lines."""
        assembly = self.assembly
        goes_on = (
            not chunk.breaks
            and assembly.sentence_open
            and (assembly.after_display or self.begins_with_display(chunk))
        )
        fresh = chunk.breaks or not assembly.sentence_open
        if not goes_on:
            # What is indented behind a list item is a further paragraph of that item.
            indented = self.text[chunk.start : chunk.start + 2].isspace()
            assembly.new_paragraph(assembly.item if indented else "")
        self.directives(chunk.start)
        lines = self.lines(chunk)
        start = chunk.start
        first = True
        items, introduced = bool(assembly.item), False
        for index, (begin, end) in enumerate(lines):
            line = self.text[begin:end].rstrip()
            if (directive := _DIRECTIVE.match(line)) is not None:
                self.words(start, begin)
                self.directives(begin + directive.start("what"))
                assembly.directive(directive["what"], begin + directive.start("what"))
                start = end
                continue
            if not line.strip():
                continue
            heading = self.heading(lines, index, line, first, next_display, fresh)
            if heading is not None:
                self.words(start, begin)
                start = self.begin(heading, begin, end)
                if index + 1 < len(lines) and _UNDERLINE.match(self.text[slice(*lines[index + 1])]):
                    start = lines[index + 1][1]
            elif _RULE.match(line):
                self.words(start, begin)
                assembly.new_paragraph()
                start = end
            elif (first or items or introduced) and (item := self.item(line, first or items)):
                self.words(start, begin)
                assembly.new_paragraph(item[0])
                items = True
                start = begin + item[1]
            first = False
            introduced = line.endswith(":") or ends_sentence(line)
        self.words(start, chunk.end)

    def lines(self, chunk: Chunk) -> list[tuple[int, int]]:
        """The lines of a chunk that do not begin inside a formula, each as start and end."""
        bounds: list[tuple[int, int]] = []
        at = chunk.start
        span = bisect_left(self.spans, chunk.start, key=lambda each: each.start)
        for found in _NEXT_LINE.finditer(self.text, chunk.start, chunk.end):
            while span < len(self.spans) and self.spans[span].end <= found.start():
                span += 1
            if span < len(self.spans) and self.spans[span].start < found.start():
                continue
            bounds.append((at, found.start()))
            at = found.end()
        bounds.append((at, chunk.end))
        return bounds

    def heading(
        self,
        lines: list[tuple[int, int]],
        index: int,
        line: str,
        first: bool,
        next_display: bool,
        fresh: bool,
    ) -> Heading | None:
        """The heading that a line of a chunk begins with; only ``#`` headings stand after other lines."""
        if len(line) > 4000:
            line = line[:4000]
        if line[:1] == "#":
            return heading_of(line, True)
        if not first:
            return None
        if index + 1 < len(lines) and len(line) < 120:
            under = _UNDERLINE.match(self.text[slice(*lines[index + 1])])
            if under is not None:
                return heading_of(("# " if under[1][0] == "=" else "## ") + line.strip(), True)
        fresh = fresh and self.running.titles
        return heading_of(line.strip(), len(lines) == 1, next_display=next_display, fresh=fresh)

    def begin(self, heading: Heading, begin: int, end: int) -> int:
        """Begin the block of a heading; return where its content goes on."""
        assembly = self.assembly
        if heading.kind == "paragraphs" and assembly.untitled:
            assembly.name_document(heading.title)
        else:
            assembly.begin(heading.kind, heading.title)
        line = self.text[begin:end]
        content = begin + (len(line) - len(line.lstrip())) + heading.content
        if content < begin + len(line.rstrip()):
            return content
        # A formula in a heading is a formula; the words of the heading are its title.
        index = bisect_left(self.spans, begin, key=lambda each: each.start)
        while index < len(self.spans) and self.spans[index].start < end:
            self.formula(self.spans[index])
            index += 1
        assembly.new_paragraph()
        return end

    def item(self, line: str, bullets: bool) -> tuple[str, int] | None:
        """The marker of a list item that a line begins with, and where its words begin."""
        found = _ITEM.match(line)
        if found is None or (found["bullet"] is not None and not bullets):
            return None
        return found["in"] or found["out"] or "•", found.end()

    def words(self, start: int, end: int) -> None:
        """The prose and the formulas between two offsets."""
        at = start
        index = bisect_left(self.spans, start, key=lambda each: each.start)
        while index < len(self.spans) and self.spans[index].start < end:
            span = self.spans[index]
            self.prose(at, span.start)
            self.formula(span)
            at = span.end
            index += 1
        self.prose(at, end)

    def prose(self, start: int, end: int) -> None:
        """The words between two offsets, with the directives that were taken out between them."""
        while (
            self.next_directive < len(self.running.directives)
            and self.running.directives[self.next_directive][0] < end
        ):
            middle = max(start, self.running.directives[self.next_directive][0])
            self.plain(start, middle)
            self.directives(middle + 1)
            start = middle
        self.plain(start, end)

    def plain(self, start: int, end: int) -> None:
        words = self.text[start:end]
        folded = " ".join(self.running.printed(words).split())
        if folded:
            # The first word as printed is the first in the source, or stands behind marks of emphasis.
            at = words.find(folded[0])
            self.assembly.add("prose", folded, start + (at if at >= 0 else 0))

    def directives(self, end: int) -> None:
        """Add the directives that stand before an offset."""
        given = self.running.directives
        while self.next_directive < len(given) and given[self.next_directive][0] < end:
            offset, words = given[self.next_directive]
            self.assembly.directive(words, offset)
            self.next_directive += 1

    def formula(self, span: Span) -> None:
        start, end = (span.inner, span.inner_end) if span.closed else (span.start, span.end)
        inner = self.text[start:end]
        latex = inner.strip()
        offset = start + (len(inner) - len(inner.lstrip()) if latex else 0)
        self.assembly.add(span.kind, latex, offset, span.environment)
