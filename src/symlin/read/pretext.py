"""PreTeXt XML to a document: formulas from ``<m>`` and ``<md>``, blocks from elements, positions from the parser.

Offers `read`; both the old displays (``<me>``, ``<men>``, ``<mdn>``) and the new form are read.  It rests on the
standard library's expat, `pretext_elements` (what each element is) and `macros`; entities declared by a document
are refused unless they are plain words, and nothing outside the file is ever opened.
"""

from __future__ import annotations

import html.entities
import textwrap
from collections.abc import Callable
from dataclasses import replace
from typing import Literal
from xml.parsers import expat

from symlin.errors import Place, ReadError
from symlin.read.assemble import Assembly
from symlin.read.document import Document, Piece
from symlin.read.macros import Macros, definitions
from symlin.read.markers import SHAPES, counted
from symlin.read.pretext_elements import (
    BLANKS,
    BLOCKS,
    CHARACTERS,
    CODE,
    DISPLAYS,
    PARAGRAPHS,
    SKIPPED,
    TITLED,
)
from symlin.read.pretext_parts import Formula, Gathered, List, Offsets, Title

_LONGEST_ENTITY = 1000
_MOST_ENTITIES = 500


def read(text: str, path: str = "") -> Document:
    r"""Read a PreTeXt source.

    Args:
        text: the text of the file.
        path: its path, as it is to be reported.

    Raises:
        ReadError: the text is not well-formed XML, or declares entities that are not plain words.

    Examples:
        >>> source = "<section><title>Sums</title><p>Let <m>A</m> be <md>A=B.</md></p></section>"
        >>> document = read(source)
        >>> [(piece.kind, piece.text, piece.column) for piece in document.pieces]
        [('prose', 'Let', 32), ('inline', 'A', 39), ('prose', 'be', 45), ('display', 'A=B.', 52)]
        >>> document.pieces[0].block.title
        'Sums'
    """
    return _Reader(text, path).run()


_End = Callable[[], None]


class _Reader:
    """Handlers of expat; each start tag leaves what its end tag has to do."""

    def __init__(self, text: str, path: str) -> None:
        self.text = text
        self.path = path
        self.assembly = Assembly(text, path, "pretext")
        self.macros = Macros()
        self.offsets = Offsets(text)
        self.ends: list[_End | None] = []
        self.elements: list[str] = []
        self.skipped = 0
        self.pending: list[tuple[str, str]] = []  # blocks whose title may still come
        self.waiting: list[tuple[str, int]] = []  # directives that stand before those titles
        self.words = Gathered()
        self.formula: Formula | None = None
        self.title: Title | None = None
        self.code: Gathered | None = None
        self.definitions: Gathered | None = None
        self.lists: list[List] = []
        self.items: list[str] = []
        self.entities: dict[str, str] = {}
        self.parser = expat.ParserCreate(encoding="utf-8")

    def run(self) -> Document:
        parser = self.parser
        parser.buffer_text = False
        parser.StartElementHandler = self.start
        parser.EndElementHandler = self.end
        parser.CharacterDataHandler = self.characters
        parser.CommentHandler = self.comment
        parser.EntityDeclHandler = self.entity
        parser.ExternalEntityRefHandler = self.external
        parser.SkippedEntityHandler = self.undeclared
        if not self.text.strip():
            return self.assembly.document()
        try:
            parser.Parse(self.text.encode("utf-8", "surrogatepass"), True)
        except expat.ExpatError as error:
            raise self.malformed(error) from None
        self.flush()
        document = self.assembly.document()
        return replace(document, pieces=tuple(self.expanded(piece) for piece in document.pieces))

    # Errors

    def here(self) -> int:
        """The offset in the text of what the parser is at."""
        return self.offsets.at(self.parser.CurrentByteIndex)

    def refuse(self, message: str, expected: str = "") -> ReadError:
        at = self.here()
        return ReadError(message, Place(self.text, at, min(at + 1, len(self.text))), expected)

    def malformed(self, error: expat.ExpatError) -> ReadError:
        at = self.offsets.at(max(0, self.parser.ErrorByteIndex))
        at -= self.text[at - 1 : at] == "&"  # the parser only stumbles over what follows a bare ampersand
        reason = expat.errors.messages.get(error.code, str(error))
        expected = {
            expat.errors.XML_ERROR_INVALID_TOKEN: r"\amp for & and \lt for < inside a formula",
            expat.errors.XML_ERROR_UNDEFINED_ENTITY: "the character itself, or &amp; &lt; &gt;",
            expat.errors.XML_ERROR_TAG_MISMATCH: "the end tag of the element opened last"
            + (f" (</{self.elements[-1]}>)" if self.elements else ""),
        }.get(reason, "")
        return ReadError(
            f"this is not well-formed XML: {reason}",
            Place(self.text, at, min(at + 1, len(self.text))),
            expected,
        )

    def entity(
        self,
        name: str,
        parameter: bool,
        value: str | None,
        base: str | None,
        system: str | None,
        public: str | None,
        notation: str | None,
    ) -> None:
        """Accept an entity that stands for plain words; refuse what opens files or multiplies itself."""
        if value is None:
            raise self.refuse(
                f"the entity {name} is external: {system or public}; no other file is opened here"
            )
        if parameter or any(each in value for each in "&%<") or len(value) > _LONGEST_ENTITY:
            raise self.refuse(f"the entity {name} is not plain words; write what it stands for in its place")
        self.entities[name] = value
        if len(self.entities) > _MOST_ENTITIES:
            raise self.refuse(f"more than {_MOST_ENTITIES} entities are declared; write them out")

    def external(self, context: str, base: str | None, system: str | None, public: str | None) -> int:
        raise self.refuse(f"the external entity {system or public} is not opened; write what it stands for")

    def undeclared(self, name: str, parameter: bool) -> None:
        point = html.entities.name2codepoint.get(name)
        if point is not None:
            self.characters(chr(point))
        elif not parameter:
            self.assembly.complain(self.here(), f"the entity &{name}; is declared nowhere in this file")

    # Elements

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if self.skipped:
            self.skipped += 1
            return
        name = name.rpartition(":")[2]
        end: _End | None = None
        if self.formula is not None:
            end = self.inside_formula(name)
        elif self.title is not None:
            end = self.open_title_formula() if name == "m" else None
            self.literally(name)
        elif name in SKIPPED:
            self.skipped = 1
            return
        else:
            end = self.element(name, attributes)
        self.elements.append(name)
        self.ends.append(end)

    def end(self, name: str) -> None:
        if self.skipped:
            self.skipped -= 1
            return
        self.elements.pop()
        end = self.ends.pop()
        if end is not None:
            end()

    def element(self, name: str, attributes: dict[str, str]) -> _End | None:
        """Open an element of the running text; the answer is what its end tag does."""
        if name == "m":
            return self.open_formula("inline", "")
        if name in DISPLAYS:
            return self.open_formula("display", name)
        if name in BLOCKS:
            return self.open_block(name, attributes)
        if name == "title":
            return self.open_title()
        if name in PARAGRAPHS:
            return self.open_paragraph()
        if name in ("ol", "ul", "dl"):
            return self.open_list(name, attributes.get("marker", "") or attributes.get("label", ""))
        if name == "li":
            return self.open_item()
        if name in CODE and self.in_code_element(name):
            return self.open_code(name, attributes)
        if name == "fn":
            return self.open_footnote()
        if name == "macros":
            return self.open_macros()
        if name == "q" or name == "sq":
            return self.open_quotation()
        if name == "include":
            wanted = attributes.get("href", "")
            self.assembly.complain(
                self.here(), f"the file {wanted} that is included here is not read with this one"
            )
        self.literally(name)
        return None

    def literally(self, name: str) -> None:
        """An element that stands for a character."""
        character = CHARACTERS.get(name)
        if character is not None:
            self.characters(character)

    # Formulas

    def open_formula(self, kind: Literal["inline", "display"], environment: str) -> _End:
        self.flush()
        self.formula = Formula(kind, environment, self.here())
        return self.close_formula

    def close_formula(self) -> None:
        formula, self.formula = self.formula, None
        if formula is None:
            return
        latex, offset = formula.read()
        if latex or formula.kind == "inline" or not formula.rows:
            self.settle()
            self.assembly.add(formula.kind, latex, offset, formula.environment)

    def inside_formula(self, name: str) -> _End | None:
        formula = self.formula
        if formula is None:
            return None
        if name == "mrow" and not formula.in_row:
            formula.in_row = True
            formula.rows.append(Gathered())
            return self.close_row
        if name == "intertext" and not formula.in_row:
            self.close_formula()
            return lambda: self.resume_formula(formula)
        if name in BLANKS:
            formula.take(r"\fillin ", self.here())
        return None

    def close_row(self) -> None:
        if self.formula is not None:
            self.formula.in_row = False

    def resume_formula(self, formula: Formula) -> None:
        """Go on with the rows after words that stand between them."""
        self.flush()
        self.formula = Formula(formula.kind, formula.environment, self.here())
        # Rows follow: without one, nothing is added at the end.
        self.formula.rows.append(Gathered())

    # Blocks and titles

    def open_block(self, name: str, attributes: dict[str, str]) -> _End:
        self.flush()
        self.settle()
        self.assembly.new_paragraph(self.item)
        self.pending.append((BLOCKS[name], ""))
        claim = self.assembly.claim
        if name == "feedback" or (name == "choice" and attributes.get("correct") == "yes"):
            self.assembly.claim = True
        elif name in ("choice", "statement") and attributes.get("correct") == "no":
            self.assembly.claim = False
        elif name == "choice":
            self.assembly.claim = None

        def close() -> None:
            self.flush()
            self.settle()
            self.assembly.leave()
            self.assembly.claim = claim
            self.assembly.new_paragraph(self.item)

        return close

    def settle(self) -> None:
        """Enter the blocks that were waiting for a title."""
        for kind, title in self.pending:
            self.assembly.enter(kind, title)
            self.assembly.item = self.item
        self.pending.clear()
        for what, at in self.waiting:
            self.assembly.directive(what, at)
        self.waiting.clear()

    def open_title(self) -> _End:
        self.flush()
        self.title = Title()
        return self.close_title

    def open_title_formula(self) -> _End:
        self.formula = Formula("inline", "", self.here())
        return self.close_title_formula

    def close_title_formula(self) -> None:
        formula, self.formula = self.formula, None
        if formula is not None and self.title is not None:
            latex, offset = formula.read()
            self.title.words.append(f"\\({latex}\\)")
            self.title.formulas.append((latex, offset))

    def close_title(self) -> None:
        title, self.title = self.title, None
        if title is None:
            return
        words = " ".join("".join(title.words).split())
        owner = self.elements[-1] if self.elements else ""
        if owner in BLOCKS and self.pending:
            self.pending[-1] = (self.pending[-1][0], words)
        elif owner in TITLED:
            self.assembly.name_document(words)
        if title.formulas:
            self.settle()
            for latex, offset in title.formulas:
                self.assembly.add("inline", latex, offset)
            self.assembly.new_paragraph(self.item)

    # Paragraphs, lists, footnotes

    @property
    def item(self) -> str:
        return self.items[-1] if self.items else ""

    def open_paragraph(self) -> _End:
        self.break_paragraph()
        return self.break_paragraph

    def break_paragraph(self) -> None:
        self.flush()
        self.assembly.new_paragraph(self.item)

    def open_list(self, name: str, marker: str) -> _End:
        self.break_paragraph()
        depth = self.lists[-1].depth if self.lists else 0
        usual = SHAPES[min(depth, len(SHAPES) - 1)]
        shape = next((each for each in marker if each in "1aAiI0"), usual) if name == "ol" else "•"
        self.lists.append(List(shape, depth + (name == "ol")))

        def close() -> None:
            self.break_paragraph()
            self.lists.pop()

        return close

    def open_item(self) -> _End:
        inner = self.lists[-1] if self.lists else List("•", 0)
        self.items.append(counted(inner.shape, inner.count))
        inner.count += 1
        self.break_paragraph()

        def close() -> None:
            self.flush()
            self.items.pop()
            self.assembly.new_paragraph(self.item)

        return close

    def open_footnote(self) -> _End:
        """A footnote is a paragraph of its own; the one that it stands in goes on after it."""
        self.flush()
        self.settle()
        return_to = self.assembly.step_aside()

        def close() -> None:
            self.flush()
            return_to()

        return close

    def open_quotation(self) -> _End:
        self.characters("“")
        return lambda: self.characters("”")

    # Code

    def in_code_element(self, name: str) -> bool:
        """Whether an element holds code here (``<input>`` does so only in a cell or a console)."""
        holders = CODE[name]
        return not holders or any(each in holders for each in self.elements[-4:])

    def open_code(self, name: str, attributes: dict[str, str]) -> _End | None:
        if self.code is not None:
            # ``<program><code>…`` : the inner element tells which part is code.
            self.code.runs.clear()
            return None
        self.flush()
        self.settle()
        is_output = name == "output" or (name == "pre" and self.assembly.follows_code)
        self.break_paragraph()
        self.code = Gathered()
        kind: Literal["listing", "output"] = "output" if is_output else "listing"
        language = attributes.get("language", "") if kind == "listing" else ""
        start = self.here()

        def close() -> None:
            code, self.code = self.code, None
            if code is not None and code.text().strip():
                body = textwrap.dedent(code.text().expandtabs()).strip("\n").rstrip()
                self.assembly.add(kind, body, code.ink(start), language)
            self.assembly.new_paragraph(self.item)

        return close

    # Characters

    def characters(self, data: str) -> None:
        if self.skipped:
            return
        if self.formula is not None:
            self.formula.take(data, self.here())
        elif self.code is not None:
            self.code.runs.append((data, self.here()))
        elif self.definitions is not None:
            self.definitions.runs.append((data, self.here()))
        elif self.title is not None:
            self.title.words.append(data)
        else:
            self.words.runs.append((data, self.here()))

    def flush(self) -> None:
        """Add the words gathered so far as a piece."""
        if not self.words.runs:
            return
        folded = " ".join(self.words.text().split())
        if folded:
            self.settle()
            self.assembly.add("prose", folded, self.words.ink(0))
        self.words = Gathered()

    def comment(self, data: str) -> None:
        bare = data.strip()
        if bare.startswith("symlin:") and not self.skipped:
            self.flush()
            at = self.here()
            what = bare.removeprefix("symlin:").strip()
            self.waiting.append((what, max(at, self.text.find(what, at))))
            if not self.pending:
                self.settle()

    # Macros

    def open_macros(self) -> _End:
        self.definitions = Gathered()

        def close() -> None:
            gathered, self.definitions = self.definitions, None
            if gathered is not None:
                for each in definitions(gathered.text()):
                    self.macros.add(each)

        return close

    def expanded(self, piece: Piece) -> Piece:
        """A formula with the document's macros expanded."""
        if piece.kind not in ("inline", "display"):
            return piece
        latex, whole = self.macros.expand(piece.text)
        if not whole:
            self.assembly.complaints.append(
                (piece.line, piece.column, "the macros here do not come to an end")
            )
        return piece if latex == piece.text else replace(piece, text=latex)
