"""Documents to verdicts: every formula of a text, in reading order.

Offers `check_document` and `check_file`, which give a `Row` for each formula; rests on the readers, `context`,
`prose` and `decide`.  A formula that cannot be read costs only its own verdict.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal

from symlin.context import Context
from symlin.dims import Dim
from symlin.errors import Place, ReadError, SymlinError
from symlin.judge import Judgement, LinkVerdict, judge, judge_part, judge_size, judge_space
from symlin.prose import Naming, PartClaim, Remarks, ShapeClaim, read_paragraph
from symlin.read.document import Block, Document, Piece
from symlin.read.latex import parse
from symlin.read.syntax import Chain, Dots, Formula, Node
from symlin.read.syntax import Sequence as Listed

BESIDE = frozenset({"solution", "proof", "hint", "answer", "statement", "task", "choice", "part"})
"""Blocks that share the context of the block that they belong to."""

DIVISIONS = frozenset(
    {"document", "chapter", "section", "subsection", "subsubsection", "paragraphs", "part", "appendix"}
)


@dataclass(frozen=True, slots=True)
class Row:
    """The verdict on one formula of a document.

    Args:
        file: path as given.
        line: 1-based line of its first character.
        column: 1-based column.
        kind: ``inline`` or ``display``; ``directive`` for an author's comment that cannot be carried out.
        latex: as in the source.
        verdict: one of the verdicts of DESIGN §5.
        reason: one sentence for a person, or "".
        links: the relations of a chain with their own verdicts.
    """

    file: str
    line: int
    column: int
    kind: str
    latex: str
    verdict: str
    reason: str = ""
    links: tuple[LinkVerdict, ...] = ()

    def to_json(self) -> dict[str, object]:
        """The row as `check --format jsonl` prints it."""
        return {
            "file": self.file,
            "line": self.line,
            "column": self.column,
            "kind": self.kind,
            "latex": self.latex,
            "verdict": self.verdict,
            "reason": self.reason,
            "links": [link.to_json() for link in self.links],
        }


@dataclass(slots=True)
class _Paragraph:
    """The pieces of one paragraph with what its words say."""

    pieces: list[Piece]
    formulas: dict[int, Formula | ReadError]
    remarks: Remarks

    @property
    def spaces(self) -> dict[int, Literal["domain", "codomain"]]:
        """The formulas that the words call a domain or a codomain."""
        return {claim.space: claim.side for claim in self.remarks.spaces}


@dataclass(slots=True)
class _State:
    """Where the checker stands: a context for each block, and the conventions of the subsection."""

    contexts: dict[int, Context] = field(default_factory=dict)
    shared: dict[int, Context] = field(default_factory=dict)
    expressions: dict[tuple[int, int, str, str], Judgement] = field(default_factory=dict)
    doubting: int | None = None

    def context(self, block: Block) -> Context:
        """The context of a block, made when first asked for."""
        home = block
        while home.kind in BESIDE and home.parent is not None:
            home = home.parent
        found = self.contexts.get(home.key)
        if found is None:
            found = self.conventions(home).fork()
            self.contexts[home.key] = found
        return found

    def conventions(self, block: Block) -> Context:
        """The context that keeps the naming conventions of the subsection that a block stands in."""
        home: Block = block
        while home.kind not in ("subsection", "section", "chapter", "document") and home.parent is not None:
            home = home.parent
        return self.shared.setdefault(home.key, Context())

    def publish(self, block: Block, context: Context) -> None:
        """Let conventions that a block has introduced last through the subsection."""
        self.conventions(block).conventions.update(context.conventions)


def check_document(document: Document) -> list[Row]:
    """The verdict on every formula of a document, in reading order."""
    state = _State()
    rows: list[Row] = []
    for pieces in _paragraphs(document):
        rows.extend(_check_paragraph(document, pieces, state))
    return rows


def _paragraphs(document: Document) -> Iterator[list[Piece]]:
    current: list[Piece] = []
    for piece in document.pieces:
        if current and (piece.paragraph != current[-1].paragraph or piece.block.key != current[-1].block.key):
            yield current
            current = []
        current.append(piece)
    if current:
        yield current


def _check_paragraph(document: Document, pieces: list[Piece], state: _State) -> Iterable[Row]:
    paragraph = _read(pieces)
    block = pieces[0].block
    context = state.context(block)
    remarks = paragraph.remarks
    if pieces[0].item and state.doubting == block.key:
        # "Which of the following hold?": what the items say is only shown.
        remarks.doubted.update(paragraph.formulas)
    elif not pieces[0].item:
        state.doubting = block.key if remarks.doubts_items else None
    claims = {claim.size: claim for claim in paragraph.remarks.shapes}
    namings: dict[int, list[Naming]] = {}
    for naming in paragraph.remarks.namings:
        namings.setdefault(max(naming.member, naming.matrix), []).append(naming)
        if naming.matrix < naming.member:
            namings.setdefault(naming.matrix, []).append(naming)
    ignore = False
    for number, piece in enumerate(pieces):
        if piece.kind == "directive":
            try:
                ignore = _directive(piece, context) or ignore
            except SymlinError as error:
                yield _row(document, piece, Judgement("unread", f"the comment symlin: {piece.text}: {error}"))
            continue
        if piece.kind not in ("inline", "display"):
            continue
        formula = paragraph.formulas[number]
        if isinstance(formula, ReadError):
            yield _row(document, piece, Judgement("unread", formula.describe()))
            continue
        for naming in namings.get(number, ()):
            _name(naming, paragraph.formulas, context)
        _suppose(number, paragraph, context)
        judgement = _judge(
            number, piece, formula, paragraph, claims.get(number), context, ignore, state.expressions
        )
        ignore = False
        state.publish(block, context)
        yield _row(document, piece, judgement)


def _judge(
    number: int,
    piece: Piece,
    formula: Formula,
    paragraph: _Paragraph,
    claim: ShapeClaim | None,
    context: Context,
    ignore: bool,
    expressions: dict[tuple[int, int, str, str], Judgement],
) -> Judgement:
    if ignore:
        return Judgement("expression", "ignored on the author's word")
    if claim is not None:
        subjects = [(node, source) for source in _spoken_of(claim, paragraph) for node in _subjects(source)]
        said = judge_size(formula, subjects, context, place=f"line {piece.line}")
        if said is not None:
            return said
    for part in paragraph.remarks.parts:
        if part.value == number:
            said = _judge_part(part, paragraph, context, place=f"line {piece.line}")
            if said is not None:
                return said
    if number in paragraph.spaces:
        said = judge_space(formula, context, paragraph.spaces[number])
        if said is not None:
            return said
    mood = paragraph.remarks.moods.get(number, "")
    if number in paragraph.remarks.doubted | paragraph.remarks.undefined:
        mood = "doubt"
    elif number in paragraph.remarks.supposed and mood != "doubt":
        mood = "if"
    if not any(isinstance(clause, Chain) for clause in formula.clauses):
        # A name or an expression claims nothing and teaches nothing: one look is enough while the context stays.
        key = (id(context), context.version, mood, piece.text)
        if key not in expressions:
            expressions[key] = judge(formula, context, mood=mood, place=f"line {piece.line}")
        return expressions[key]
    return judge(
        formula,
        context,
        mood=mood,
        theorem=_in_theorem(piece.block),
        claim=piece.claim,
        place=f"line {piece.line}",
    )


THEOREMS = frozenset({"theorem", "proposition", "lemma", "corollary", "fact", "identity"})


def _in_theorem(block: Block) -> bool:
    """Whether a block is a theorem or stands in one (as PreTeXt's ``statement`` does)."""
    home: Block | None = block
    while home is not None and home.kind not in DIVISIONS and home.kind != "proof":
        if home.kind in THEOREMS:
            return True
        home = home.parent
    return False


def _suppose(number: int, paragraph: _Paragraph, context: Context) -> None:
    """Note the properties that the words give to the names in a formula."""
    from symlin.read.names import spell

    formula = paragraph.formulas.get(number)
    if not isinstance(formula, Formula):
        return
    for supposition in paragraph.remarks.suppositions:
        if number not in supposition.subjects:
            continue
        for node in _subjects(formula):
            for item in node.items if isinstance(node, Listed) else (node,):
                name = spell(item)
                if name is not None:
                    context.assumptions[name.key] = f"{name.name}: {supposition.property}"


def _judge_part(part: PartClaim, paragraph: _Paragraph, context: Context, place: str) -> Judgement | None:
    """The verdict on a value that the words give to a row, a column or an entry."""
    matrix, value = paragraph.formulas.get(part.matrix), paragraph.formulas.get(part.value)
    if not isinstance(matrix, Formula) or not isinstance(value, Formula):
        return None
    if any(isinstance(clause, Chain) for clause in (*matrix.clauses, *value.clauses)):
        return None
    index: list[Node] = []
    for one in part.index:
        formula = paragraph.formulas.get(one) if isinstance(one, int) else _parsed(one)
        if not isinstance(formula, Formula) or len(formula.clauses) != 1:
            return None
        index.append(formula.clauses[0])
    return judge_part(part.part, matrix, tuple(index), value, context, place)


def _spoken_of(claim: ShapeClaim, paragraph: _Paragraph) -> list[Formula]:
    """The formulas that a claim of size is about.

    In "K^T ∈ R^{2×3} and S is 3×3" only S is: a relation before the last one is a clause of its own.
    """
    found: list[Formula] = []
    for subject in reversed(claim.subjects):
        formula = paragraph.formulas.get(subject)
        if not isinstance(formula, Formula):
            continue
        if found and any(isinstance(clause, Chain) for clause in formula.clauses):
            break
        found.insert(0, formula)
    return found


def _subjects(formula: Formula) -> list[Node]:
    """What a formula speaks of: the left side of a chain, or the expressions themselves."""
    found: list[Node] = []
    for clause in formula.clauses:
        found.append(clause.operands[0] if isinstance(clause, Chain) else clause)
    return found


def _read(pieces: list[Piece]) -> _Paragraph:
    formulas: dict[int, Formula | ReadError] = {}
    parts: list[str | tuple[int, str]] = []
    for number, piece in enumerate(pieces):
        if piece.kind == "prose":
            parts.append(piece.text)
        elif piece.kind in ("inline", "display"):
            try:
                formula = _parsed(piece.text)
            except ReadError as error:
                formulas[number] = error
                parts.append((number, ""))
                continue
            formulas[number] = formula
            parts.append((number, formula.punctuation))
    return _Paragraph(pieces, formulas, read_paragraph(parts))


@lru_cache(maxsize=4096)
def _parsed(latex: str) -> Formula:
    """Parse a formula; the same letters stand in a text again and again."""
    return parse(latex)


def _name(naming: Naming, formulas: dict[int, Formula | ReadError], context: Context) -> None:
    """Note that a letter names the rows or columns of a matrix, as the words say."""
    from symlin.read.names import spell
    from symlin.read.syntax import Superscript

    matrix, member = formulas.get(naming.matrix), formulas.get(naming.member)
    if not isinstance(matrix, Formula) or not isinstance(member, Formula):
        return
    nodes = [
        item for node in _subjects(member) for item in (node.items if isinstance(node, Listed) else (node,))
    ]
    for node in nodes:
        inner = node.base if isinstance(node, Superscript) else node
        letter, base = spell(inner), spell(_subjects(matrix)[0])
        if letter is not None and base is not None and letter.is_vector and len(letter.indices) == 1:
            context.name_convention(letter.key, base.name, naming.role)
            if naming.whole:
                _count(naming, nodes, base.name, context)


def _count(naming: Naming, nodes: list[Node], matrix: str, context: Context) -> None:
    """All rows or columns are listed: so many there are."""
    if any(isinstance(node, Dots) for node in nodes):
        return
    total = Dim.of(max(naming.count, len(nodes)))
    if matrix not in context.names:
        context.declare(matrix, "matrix", context.sizes.unknown(), context.sizes.unknown(), how="stated")
    symbol = context.names[matrix].symbol
    context.sizes.unify(symbol.rows if naming.role == "rows" else symbol.cols, total)


def _directive(piece: Piece, context: Context) -> bool:
    """Carry out an author's comment; True when the next formula is to be ignored.

    Raises:
        ReadError: it is no comment that symlin knows, or what it says cannot be read.
    """
    from symlin.proving import assume
    from symlin.read.declare import declare

    word, _, rest = piece.text.strip().partition(" ")
    action = {"where": declare, "given": assume}.get(word)
    if action is not None:
        action(context, rest.strip())
    elif word != "ignore" and not word.startswith("claim"):
        raise ReadError(
            f"{word!r} is no comment for symlin",
            Place(piece.text, 0, max(1, len(word))),
            "where, given, ignore or claim=false",
        )
    return word == "ignore"


def _row(document: Document, piece: Piece, judgement: Judgement) -> Row:
    return Row(
        document.path,
        piece.line,
        piece.column,
        piece.kind,
        piece.text,
        judgement.verdict,
        judgement.reason,
        judgement.links,
    )


def check_file(path: str) -> list[Row]:
    """The verdict on every formula of a file (``-`` for standard input).

    Raises:
        ReadError: the file cannot be read as text.
    """
    from symlin.read.sources import read_document

    return check_document(read_document(path))
