r"""LaTeX sources to a document: sections, theorem-like environments, lists, listings, and macros expanded.

Offers `read`.  It rests on `tex_source` (comments, verbatim text and definitions taken out), `delimiters` (where
formulas stand) and `macros`; no TeX is run, so what only TeX can know (counters, conditionals) is not known here.
"""

from __future__ import annotations

import re
import textwrap
from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass

from symlin.read.assemble import Assembly
from symlin.read.blocks import words
from symlin.read.delimiters import Rules, Span, find_formulas
from symlin.read.document import Document
from symlin.read.macros import Braces, Macros
from symlin.read.markers import SHAPES, counted
from symlin.read.positions import BREAK
from symlin.read.tex_source import FILLER, Verbatim, prepare


def read(text: str, path: str = "") -> Document:
    r"""Read a LaTeX source.

    Args:
        text: the text of the file.
        path: its path, as it is to be reported.

    Examples:
        >>> source = "\\newcommand{\\R}{\\mathbb R}\n\\begin{thm}[Sums] Let $A\\in\\R^n$.\\end{thm}"
        >>> document = read(source)
        >>> [(piece.kind, piece.text, piece.line, piece.column) for piece in document.pieces]
        [('prose', 'Let', 2, 19), ('inline', 'A\\in\\mathbb R^n', 2, 24), ('prose', '.', 2, 33)]
        >>> document.pieces[0].block.kind, document.pieces[0].block.title
        ('theorem', 'Sums')
    """
    return _Reader(text, path).run()


_DIVISIONS = {"paragraph": "paragraphs", "subparagraph": "paragraphs"}
_LISTS = words("enumerate itemize description compactenum compactitem inparaenum tasks enumerate* parts")
_STRUCTURE = re.compile(
    r"\\(?P<division>part|chapter|section|subsection|subsubsection|paragraph|subparagraph)\*?"
    r"[ \t]*(?:\[[^\]]{0,300}\])?[ \t\r\n]{0,9}(?=\{)"
    r"|\\(?P<edge>begin|end)[ \t]*\{(?P<name>[^{}\r\n]{1,60})\}"
    r"|\\item(?![A-Za-z])[ \t]*(?:\[(?P<label>[^\]\r\n]{0,300})\])?"
    r"|\\(?P<par>par)(?![A-Za-z])"
    r"|\\(?P<input>input|include)[ \t]*\{(?P<file>[^{}\r\n]{0,300})\}"
    rf"|{BREAK}[ \t]*{BREAK}"
    r"|\\.",
    re.DOTALL,
)
_OPTION = re.compile(r"[ \t]*\[(?P<title>(?:[^\[\]{}]|\{[^{}]*\})*)\]")
_SHAPE = re.compile(r"\\(?P<how>arabic|alph|Alph|roman|Roman)|label=|(?P<sample>[1aAiI])(?=[).\]]|\Z)")
_SHAPES = {"arabic": "1", "alph": "a", "Alph": "A", "roman": "i", "Roman": "I"}

# What the words of a source look like when printed.
_ARGUMENTS_GONE = (
    r"\\(?:label|ref|eqref|autoref|cref|Cref|pageref|cite[tp]?|index|vspace|hspace|includegraphics|bibliography"
    r"|bibliographystyle|pagestyle|thispagestyle|setcounter|addtocounter|color|url|input|include|usepackage"
    r"|documentclass|setlength|hypersetup|graphicspath)\*?[ \t]*(?:\[[^\]]{0,300}\])*(?:\{[^{}]{0,300}\})*"
)
_PRINTED = re.compile(
    rf"(?P<gone>{_ARGUMENTS_GONE})|\\(?P<command>[A-Za-z@]+)\*?|\\(?P<character>.)|(?P<quotes>``|'')|(?P<dash>---?)"
    r"|(?P<space>[~{}&\v])",
    re.DOTALL,
)
_WORDS_OF = {"ldots": "…", "dots": "…", "LaTeX": "LaTeX", "TeX": "TeX", "qed": "", "S": "§"}
_BEFORE_WORDS = re.compile(rf"(?:\s|[~{{}}&]|{_ARGUMENTS_GONE}|\\[A-Za-z@]+\*?(?!\w)|\\[\\ ,;!/])*")
#: Numbering inside a display is no mathematics.
_NUMBERING = re.compile(r"\\label[ \t]*\{[^{}]*\}|\\(?:nonumber|notag)(?![A-Za-z])")
_BEFORE_FORMULA = re.compile(r"(?:\s|\\label[ \t]*\{[^{}]*\}|\\(?:nonumber|notag)(?![A-Za-z]))*")
_FILLED = re.compile(rf"[ \t]*{FILLER}+")


@dataclass(slots=True)
class _List:
    """An open list: the shape of its markers, how many ordered lists hold it, how many items it had."""

    shape: str
    depth: int
    count: int = 0


class _Reader:
    def __init__(self, text: str, path: str) -> None:
        self.source = prepare(text)
        self.text = self.source.text
        self.original = text
        self.assembly = Assembly(text, path, "tex")
        rules = Rules(money=False, opens=self.source.opens, closes=self.source.closes)
        found = find_formulas(self.text, rules)
        self.spans = found.spans
        for offset, message in (*found.complaints, *self.source.complaints):
            self.assembly.complain(offset, message)
        self.braces = Braces(self.text)
        self.macros = Macros()
        self.next_definition = 0
        self.environments: list[str] = []  # open environments that are blocks or lists
        self.opened: Counter[str] = Counter()  # how many of each name are open
        self.lists: list[_List] = []
        self.items: list[str] = []
        self.broken = False  # whether a blank line stands before what comes
        self.asides = sorted(
            [(each.start, each) for each in self.source.verbatim]
            + [(offset, words) for offset, words in self.source.directives],
            key=lambda each: each[0],
        )
        self.next_aside = 0

    def run(self) -> Document:
        self.assembly.name_document(self.source.title)
        start = index = 0
        for found in _STRUCTURE.finditer(self.text):
            while index < len(self.spans) and self.spans[index].end <= found.start():
                index += 1
            if index < len(self.spans) and self.spans[index].start <= found.start():
                continue
            if found.start() < start or self.is_plain(found):
                continue
            self.words(start, found.start())
            start = self.structure(found)
        self.words(start, len(self.text))
        return self.assembly.document()

    @staticmethod
    def is_plain(found: re.Match[str]) -> bool:
        """Whether a match is only an escaped character or another command."""
        token = found.group()
        return token[0] == "\\" and len(token) == 2

    # Structure

    def structure(self, found: re.Match[str]) -> int:
        """Follow a command of structure; return where the text goes on."""
        if found["division"] is not None:
            return self.division(found)
        if found["edge"] == "begin":
            return self.begin(found["name"].strip(), found.end())
        if found["edge"] == "end":
            self.end(found["name"].strip())
        elif found["input"] is not None:
            self.assembly.complain(
                found.start(), f"the file {found['file']} that is included here is not read with this one"
            )
        elif found.group().startswith("\\item"):
            self.item(found["label"])
        else:
            self.broken = True
        return found.end()

    def division(self, found: re.Match[str]) -> int:
        titled = self.braces.group(found.end())
        title, end = titled if titled is not None else ("", found.end())
        kind = _DIVISIONS.get(found["division"], found["division"])
        self.environments.clear()
        self.opened.clear()
        self.lists.clear()
        self.items.clear()
        self.assembly.begin(kind, printed(title))
        # A formula in a title is a formula; the words of the title are no prose.
        index = bisect_left(self.spans, found.end(), key=lambda each: each.start)
        while index < len(self.spans) and self.spans[index].start < end:
            self.formula(self.spans[index])
            index += 1
        self.assembly.new_paragraph()
        self.broken = False
        return end

    def begin(self, name: str, end: int) -> int:
        bare = name.removesuffix("*")
        if name in _LISTS:
            option = _OPTION.match(self.text, end)
            self.open(name)
            shape = self.shape(bare, option["title"] if option else "")
            self.lists.append(_List(shape, self.depth + (shape != "•")))
            self.items.append("")
            return option.end() if option else end
        kind = self.source.kinds.get(bare)
        if kind is None:
            return end
        option = _OPTION.match(self.text, end)
        self.open(name)
        self.assembly.enter(kind, printed(option["title"]) if option else "")
        self.broken = False
        return option.end() if option else end

    def open(self, name: str) -> None:
        self.environments.append(name)
        self.opened[name] += 1

    def shape(self, name: str, options: str) -> str:
        """The shape of the markers of a list: what its options say, else the usual one of its depth."""
        if name in ("itemize", "compactitem", "description"):
            return "•"
        for told in _SHAPE.finditer(options):
            if told["how"] or told["sample"]:
                return _SHAPES.get(told["how"] or "", told["sample"] or "1")
        return SHAPES[min(self.depth, len(SHAPES) - 1)]

    @property
    def depth(self) -> int:
        """How many ordered lists are open."""
        return self.lists[-1].depth if self.lists else 0

    def end(self, name: str) -> None:
        """End an environment, and those inside it that were never ended."""
        if not self.opened[name]:
            return
        while self.environments:
            last = self.environments.pop()
            self.opened[last] -= 1
            if last in _LISTS:
                self.lists.pop()
                self.items.pop()
            else:
                self.assembly.leave()
            if last == name:
                break
        self.assembly.new_paragraph(self.marker)
        self.broken = False

    def item(self, label: str | None) -> None:
        if not self.lists:
            self.assembly.new_paragraph("•")
            return
        inner = self.lists[-1]
        self.items[-1] = printed(label).strip("().: ") if label else counted(inner.shape, inner.count)
        inner.count += label is None
        self.assembly.new_paragraph(self.marker)
        self.broken = False

    @property
    def marker(self) -> str:
        return self.items[-1] if self.items else ""

    # Words and formulas

    def words(self, start: int, end: int) -> None:
        """The prose, formulas, listings and directives between two offsets."""
        at = start
        index = bisect_left(self.spans, start, key=lambda each: each.start)
        while True:
            span = self.spans[index] if index < len(self.spans) and self.spans[index].start < end else None
            aside = self.asides[self.next_aside] if self.next_aside < len(self.asides) else None
            if aside is not None and aside[0] < (span.start if span else end):
                self.prose(at, max(at, aside[0]))
                at = max(at, self.aside(aside[0], aside[1]))
                self.next_aside += 1
            elif span is not None:
                self.prose(at, max(at, span.start))
                self.settle(span.kind == "display")
                self.formula(span)
                at = max(at, span.end)
                index += 1
            else:
                break
        self.prose(at, end)

    def settle(self, display: bool) -> None:
        """Begin the paragraph that a blank line announced, unless a sentence goes on across it."""
        assembly = self.assembly
        if self.broken and not (assembly.sentence_open and (assembly.after_display or display)):
            assembly.new_paragraph(self.marker)
        self.broken = False

    def prose(self, start: int, end: int) -> None:
        raw = self.text[start:end]
        words = printed(raw)
        if words:
            self.settle(False)
            before = _BEFORE_WORDS.match(raw)
            self.assembly.add("prose", words, start + (before.end() if before else 0))

    def formula(self, span: Span) -> None:
        while (
            self.next_definition < len(self.source.definitions)
            and self.source.definitions[self.next_definition].start < span.start
        ):
            self.macros.add(self.source.definitions[self.next_definition])
            self.next_definition += 1
        start, end = (span.inner, span.inner_end) if span.closed else (span.start, span.end)
        inner = self.text[start:end]
        if span.kind == "display" and span.closed:
            before = _BEFORE_FORMULA.match(inner)
            offset = before.end() if before else 0
            inner = _NUMBERING.sub("", inner)
        else:
            offset = len(inner) - len(inner.lstrip())
        if FILLER in inner and FILLER not in self.original[start:end]:
            inner = _FILLED.sub("", inner)
        latex, whole = self.macros.expand(inner.strip())
        if not whole:
            self.assembly.complain(start, "the macros here do not come to an end")
        self.assembly.add(span.kind, latex, start + (offset if latex else 0), span.environment)

    def aside(self, offset: int, what: Verbatim | str) -> int:
        """A directive or a listing that was taken out of the text; return where the text goes on."""
        if isinstance(what, str):
            self.settle(False)
            self.assembly.directive(what, offset)
            return offset
        assembly = self.assembly
        is_output = (
            what.name in ("verbatim", "Verbatim", "alltt") and not what.language and assembly.follows_code
        )
        assembly.new_paragraph(self.marker)
        raw = self.original[what.inner : what.inner_end]
        body = textwrap.dedent(raw).strip("\r\n").rstrip()
        if body:
            ink = what.inner + len(raw) - len(raw.lstrip())
            assembly.add("output" if is_output else "listing", body, ink, what.language)
        assembly.new_paragraph(self.marker)
        self.broken = False
        return what.end


def printed(raw: str) -> str:
    r"""The words of a source as they are printed, white space folded.

    Examples:
        >>> printed(r"see~\emph{this} --- 50\% of\label{x} ``it''\\")
        'see this — 50% of “it”'
    """
    return " ".join(_PRINTED.sub(_print, raw).split())


def _print(found: re.Match[str]) -> str:
    if found["gone"] is not None or found["space"] is not None:
        return "" if found["gone"] or found["space"] in "{}" else " "
    if found["command"] is not None:
        return _WORDS_OF.get(found["command"], "")
    if found["character"] is not None:
        return found["character"] if found["character"] in "%$&#_{}" else " "
    if found["quotes"] is not None:
        return "“" if found["quotes"] == "``" else "”"
    return "—" if found["dash"] == "---" else "–"
