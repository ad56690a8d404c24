r"""The lay-out of a display: which lines and columns belong to one clause, which are reasons beside it.

Offers `runs`, which turns the tokens of a formula into pieces without ``&`` and ``\\`` at top level; rests on
`latex_pairs` and `latex_tables`.  A line that begins with a relation or an operator goes on with the clause above it
in the same pair of columns; words in a column of their own are notes; it looks at first and last tokens and parses
nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from symlin.read import latex_tables as tables
from symlin.read.latex_pairs import begins_operand, is_blank, is_relation, leave_frame, relation_end
from symlin.read.lexer import Token


@dataclass(slots=True)
class Run:
    """Tokens to be read as one line; `separator` is what stood before it: a new line, a space, or nothing.

    `related` says that a relation stands in it, `aligned` that its first line began before the first ``&``.
    """

    tokens: list[Token]
    separator: str = ""
    related: bool = False
    aligned: bool = False

    def grow(self, tokens: list[Token]) -> None:
        """Add the tokens of a line that goes on with this one."""
        self.tokens += tokens
        self.related = self.related or bool(_relation_places(tokens))


@dataclass(slots=True)
class Layout:
    """The runs of a formula in reading order, and the notes beside its lines."""

    runs: list[Run] = field(default_factory=list)
    notes: list[list[Token]] = field(default_factory=list)


@dataclass(slots=True)
class _Segment:
    """Cells of one row that are read together; `column` is the first column of the pair where they begin."""

    column: int
    cells: list[list[Token]]

    @property
    def tokens(self) -> list[Token]:
        """The tokens of all cells; between two operands a new pair of columns is a space, one ``&`` is nothing."""
        joined: list[Token] = []
        pair = 0
        for at, cell in enumerate(self.cells):
            if not cell:
                continue
            new = (self.column + at) // 2 > pair and begins_operand(cell[0])
            if joined and new and not _waits(joined) and not is_blank(joined[-1]):
                joined.append(Token("command", r"\quad", cell[0].start, cell[0].start))
            joined += cell
            pair = (self.column + at) // 2
        return joined

    @property
    def first(self) -> Token | None:
        """The first token that is not a space."""
        return next((token for cell in self.cells for token in cell if not is_blank(token)), None)

    def words_only(self) -> bool:
        """Whether nothing but words, punctuation and space stands here."""
        tokens = [token for cell in self.cells for token in cell]
        return any(token.kind == "words" and token.text in tables.TEXTS for token in tokens) and all(
            (token.kind == "words" and token.text in tables.TEXTS) or is_blank(token) or token.text in ",.;()"
            for token in tokens
        )

    def dots_only(self) -> bool:
        """Whether nothing but dots stands here: a line left out."""
        tokens = [token for cell in self.cells for token in cell if not is_blank(token)]
        if tokens and tokens[0].text in tables.ROW_DOTS:
            return True
        return bool(tokens) and all(token.text in tables.DOTS for token in tokens)


def _waits(tokens: list[Token], end: int | None = None) -> bool:
    """Whether tokens (up to `end`) end with an operator or a relation, and so wait for an operand.

    A sign in a script waits for nothing: ``U^*``.
    """
    at = (len(tokens) if end is None else end) - 1
    while at >= 0 and is_blank(tokens[at]):
        at -= 1
    if at < 0 or (at and tokens[at - 1].text in ("_", "^")):
        return False
    return _is_operator(tokens[at]) or is_relation([tokens[at]], 0)


def _is_operator(token: Token) -> bool:
    if token.kind not in ("char", "command"):
        return False
    return token.text in tables.ADDITIVE or token.text in tables.MULTIPLICATIVE


def runs(tokens: list[Token]) -> Layout:
    """The runs and notes of a formula, given all its tokens but the ``end``.

    Examples:
        >>> from symlin.read.lexer import tokenize
        >>> laid = runs(tokenize(r"a &= b && \\text{by (1)} \\\\\\\\ &= c + \\\\\\\\ &\\quad d")[:-1])
        >>> ["".join(token.text for token in run.tokens) for run in laid.runs], len(laid.notes)
        (['a=b=c+d'], 1)
    """
    if not any(token.kind in ("mark", "begin") or token.text == "&" for token in tokens):
        return Layout([Run(tokens)])
    rows = _rows(_within_brackets(_unwrapped(tokens)))
    return _Merge([_segments(row) for row in rows]).layout()


# --- environments and brackets --------------------------------------------------------------------------------------


def _unwrapped(tokens: list[Token]) -> list[Token]:
    """Without the ``\\begin`` and ``\\end`` of displays whose lines are lines of the formula."""
    kept: list[Token] = []
    at = depth = 0
    while at < len(tokens):
        token = tokens[at]
        if depth == 0 and token.kind == "begin" and (_is_display(token) or token.argument == "l"):
            close = _finish(tokens, at)
            inner = tokens[at + 1 : close]
            if close < len(tokens) and tokens[close].text == token.text:
                replaced = _replacement(tokens, at, close, inner)
                if replaced is not None:
                    kept += replaced
                    at = close + 1
                    continue
        depth += _step(token)
        depth = max(depth, 0)
        kept.append(token)
        at += 1
    return kept


def _is_display(token: Token) -> bool:
    return token.text.rstrip("*") in tables.TRANSPARENT_ENVIRONMENTS


def _step(token: Token) -> int:
    if token.kind in ("open", "begin") or (token.text == "{" and token.kind == "char"):
        return 1
    if token.kind in ("close", "finish") or (token.text == "}" and token.kind == "char"):
        return -1
    return 0


def _finish(tokens: list[Token], begin: int) -> int:
    """The place of the ``\\end`` that closes a ``\\begin``, or the number of tokens."""
    depth = 0
    for at in range(begin, len(tokens)):
        if tokens[at].kind == "begin":
            depth += 1
        elif tokens[at].kind == "finish":
            depth -= 1
            if depth == 0:
                return at
    return len(tokens)


def _replacement(tokens: list[Token], at: int, close: int, inner: list[Token]) -> list[Token] | None:
    """What stands for an environment: its rows, one flowing line, or None to keep it as a grid."""
    before = tokens[at - 1] if at else None
    after = tokens[close + 1] if close + 1 < len(tokens) else None
    line = Token("mark", "\\\\", tokens[at].start, tokens[at].end)
    lone = (before is None or is_blank(before)) and (after is None or is_blank(after) or after.text in ",.;")
    if _is_display(tokens[at]) and lone:
        return [
            *([line] if at else []),
            *_unwrapped(inner),
            *([line] if after is not None and is_blank(after) else []),
        ]
    rows = _rows(inner)
    if len(rows) > 1 and all(_flows(rows[place - 1], rows[place]) for place in range(1, len(rows))):
        return [token for row in rows for token in _without_lead([token for cell in row for token in cell])]
    return None


def _without_lead(tokens: list[Token]) -> list[Token]:
    """Tokens without the space before the first of them."""
    start = next((at for at, token in enumerate(tokens) if not is_blank(token)), len(tokens))
    return tokens[start:]


def _flows(above: list[list[Token]], row: list[list[Token]]) -> bool:
    """Whether a row goes on with the one above it: it begins, or that one ends, with an operator or a relation."""
    tokens = [token for cell in row for token in cell if not is_blank(token)]
    previous = [token for cell in above for token in cell if not is_blank(token)]
    if not tokens or not previous:
        return False
    if _waits(previous):
        return True
    return len(tokens) > 1 and (_is_operator(tokens[0]) or is_relation(tokens, 0))


def _within_brackets(tokens: list[Token]) -> list[Token]:
    """Without the line breaks, and the ``&`` of a display of several lines, inside brackets that stand at top level."""
    kept: list[Token] = []
    frames: list[str] = []
    lines = any(token.kind == "mark" for token in tokens)
    for at, token in enumerate(tokens):
        if token.kind in ("open", "begin") or (token.text == "{" and token.kind == "char"):
            label = bool(at) and tokens[at - 1].text in tables.LABELLED_ARROWS
            frames.append("label" if label and token.kind == "open" else token.kind)
        elif token.kind in ("close", "finish") or (token.text == "}" and token.kind == "char"):
            leave_frame(frames, {"close": "open", "finish": "begin"}.get(token.kind, "char"))
        inside = bool(frames) and all(frame == "open" for frame in frames)
        if inside and (token.kind == "mark" or (lines and token.text == "&")):
            continue
        kept.append(token)
    return kept


# --- rows and cells ---------------------------------------------------------------------------------------------


def _rows(tokens: list[Token]) -> list[list[list[Token]]]:
    """The rows of cells at top level, empty rows left out."""
    rows: list[list[list[Token]]] = [[[]]]
    frames: list[str] = []
    for token in tokens:
        if token.kind in ("open", "begin") or (token.text == "{" and token.kind == "char"):
            frames.append(token.kind)
        elif token.kind in ("close", "finish") or (token.text == "}" and token.kind == "char"):
            leave_frame(frames, {"close": "open", "finish": "begin"}.get(token.kind, "char"))
        if frames or token.kind == "finish":
            rows[-1][-1].append(token)
        elif token.kind == "mark":
            rows.append([[]])
        elif token.text == "&" and token.kind == "char":
            rows[-1].append([])
        else:
            rows[-1][-1].append(token)
    return [row for row in rows if any(row)]


def _relation_places(tokens: list[Token]) -> list[int]:
    """Where relations stand among the tokens, outside brackets."""
    found: list[int] = []
    depth = 0
    for at, token in enumerate(tokens):
        if (
            depth == 0
            and is_relation(tokens, at)
            and (not at or tokens[at - 1].text not in ("_", "^", r"\not"))
        ):
            found.append(at)
        depth = max(0, depth + _step(token))
    return found


def _segments(row: list[list[Token]]) -> list[_Segment]:
    """A row cut at the pairs of columns where a new relation, words or an expression begins."""
    current = _Segment(0, [])
    segments = [current]
    related, complete, empty = False, False, True
    filled, words = _next_filled(row), _words_only_from(row)
    for at, cell in enumerate(row):
        if at % 2 == 0 and empty:
            current.column, current.cells = at, []
        elif complete and not empty and _is_cut(row, at, filled[at], related, words[at]):
            current = _Segment(at, [])
            segments.append(current)
            related, empty = False, True
        current.cells.append(cell)
        solid = [token for token in cell if not is_blank(token)]
        if solid:
            empty = False
            places = _relation_places(solid)
            related = related or bool(places)
            complete = not _waits(cell) and not (places and relation_end(solid, places[-1]) >= len(solid))
    return [segment for segment in segments if any(segment.cells)]


def _is_cut(row: list[list[Token]], at: int, filled: int, related: bool, words: bool) -> bool:
    """Whether something new begins at a cell: in a new pair of columns, or a second relation after a first."""
    if at % 2 == 0:
        return words or (related and _begins_anew(row, at, filled))
    cell = [token for token in row[at] if not is_blank(token)]
    if not related or not cell or not begins_operand(cell[0]):
        return False
    following = [token for token in row[at + 1] if not is_blank(token)] if at + 1 < len(row) else []
    return bool(_relation_places(cell)) or (bool(following) and is_relation(following, 0))


def _next_filled(row: list[list[Token]]) -> list[int]:
    """For each cell the place of the first cell from it on that holds more than space; the number of cells for none."""
    places = [len(row)] * (len(row) + 1)
    for at in range(len(row) - 1, -1, -1):
        places[at] = places[at + 1] if all(is_blank(token) for token in row[at]) else at
    return places


def _words_only_from(row: list[list[Token]]) -> list[bool]:
    """For each cell whether from it on there are words, and only words."""
    only = [False] * (len(row) + 1)
    blank = True
    for at in range(len(row) - 1, -1, -1):
        cell = _Segment(0, [row[at]])
        empty = all(is_blank(token) for token in row[at])
        only[at] = (only[at + 1] or blank) and (cell.words_only() or (empty and only[at + 1]))
        blank = blank and empty
    return only


def _begins_anew(row: list[list[Token]], at: int, filled: int) -> bool:
    """Whether the cells from `at` on are no continuation of a complete relation before them.

    `filled` is the place of the first of them that holds something.
    """
    if filled == len(row):
        return False
    cell = [token for token in row[filled] if not is_blank(token)]
    if is_relation(cell, 0):
        return filled == at + 1 and cell[0].text not in tables.IMPLICATIONS
    if _is_operator(cell[0]):
        following = row[filled + 1] if filled + 1 < len(row) else []
        return filled == at and len(cell) > 1 and bool(following) and is_relation(following, 0)
    return True


# --- clauses over several rows ----------------------------------------------------------------------------------


class _Merge:
    """Rows of segments into runs; `open` is the run that a later line of the same column goes on with."""

    def __init__(self, rows: list[list[_Segment]]) -> None:
        self.rows = rows
        self.found = Layout()
        self.open: dict[int, Run] = {}
        self.dots: list[Token] = []

    def layout(self) -> Layout:
        for number, row in enumerate(self.rows):
            for place, segment in enumerate(row):
                self.place(number, place, segment)
        return self.found

    def place(self, number: int, place: int, segment: _Segment) -> None:
        run = self.open.get(segment.column) or (
            self.found.runs[-1] if self.found.runs and not place else None
        )
        tokens = segment.tokens
        if place and segment.words_only():
            self.found.notes.append(tokens)
        elif run is not None and segment.dots_only() and self.next_goes_on(number, segment.column, run):
            dots = next(token for token in tokens if not is_blank(token))
            self.dots = [dots._replace(text=r"\vdots")]
        elif run is not None and self.goes_on(run, segment):
            self.keep_words(run)
            tokens = _without_lead(tokens)
            run.grow(self.left_out(run, tokens[0]) + tokens)
        elif place and self.is_reason(number, segment):
            self.found.notes.append(tokens)
        else:
            separator = "" if not self.found.runs else "space" if place else "\\\\"
            run = Run([], separator, aligned=bool(segment.cells[0]) or is_relation(tokens, 0))
            run.grow(tokens[:1] if segment.dots_only() else tokens)
            self.found.runs.append(run)
            self.open[segment.column] = run

    def left_out(self, run: Run, first: Token) -> list[Token]:
        """Dots that stood in a line of their own, with the sign that joins them to the lines beside them."""
        dots, self.dots = self.dots, []
        if not dots:
            return []
        if _waits(run.tokens):
            return [*dots, next(token for token in reversed(run.tokens) if not is_blank(token))]
        labelled = first.text in tables.LABELLED_ARROWS or first.text in tables.STACKED
        return [first._replace(text=r"\rightarrow") if labelled else first, *dots]

    def keep_words(self, run: Run) -> None:
        """Words at the end of a line that goes on are a note beside it."""
        at = len(run.tokens)
        while at and (is_blank(run.tokens[at - 1]) or run.tokens[at - 1].text in (",", ".", ";")):
            at -= 1
        if at < 2 or run.tokens[at - 1].kind != "words" or run.tokens[at - 1].text not in tables.TEXTS:
            return
        if not _waits(run.tokens, at - 1):
            self.found.notes.append(run.tokens[at - 1 : at])
            del run.tokens[at - 1 :]

    def goes_on(self, run: Run, segment: _Segment) -> bool:
        """Whether a segment goes on with a run: by its first token, or because the run waits for an operand."""
        first = segment.first
        if first is None:
            return False
        if _waits(run.tokens) and (len(run.tokens) > 1 or run.related):
            return True
        tokens = [token for token in segment.tokens if not is_blank(token)]
        if is_relation(tokens, 0):
            return True
        if not _is_operator(first) or len(tokens) < 2:
            return False
        return first.text not in tables.ADDITIVE or self.sum_goes_on(run, segment, tokens, first)

    def sum_goes_on(self, run: Run, segment: _Segment, tokens: list[Token], first: Token) -> bool:
        """Whether a line that begins with a sign goes on with the sum above, and is not an equation of its own."""
        if not _relation_places(tokens):
            return True
        if len(segment.cells) == 1:
            return first.text != "-" or not run.related
        filled = [cell for cell in segment.cells if cell]
        lead = [token for token in filled[0] if not is_blank(token)]
        within = not segment.cells[0] and len(lead) > 1 and bool(_relation_places(lead))
        indented = within and filled[0][0].text in tables.QUADS
        return within and (first.text != "-" or run.aligned or indented)

    def next_goes_on(self, number: int, column: int, run: Run) -> bool:
        following = self.rows[number + 1] if number + 1 < len(self.rows) else []
        return any(segment.column == column and self.goes_on(run, segment) for segment in following)

    def is_reason(self, number: int, segment: _Segment) -> bool:
        """Whether mathematics in a later column is a reason: its line is one of a chain, and it is not."""
        return segment.first is not None and self.in_chain(number) and not self.own_chain(number, segment)

    def in_chain(self, number: int) -> bool:
        """Whether the first column of this row goes on with the row above, or the next row with this one."""
        return any(
            0 <= other < len(self.rows)
            and self.rows[other]
            and (first := self.rows[other][0].first) is not None
            and is_relation([first], 0)
            and first.text not in tables.IMPLICATIONS
            for other in (number, number + 1)
        )

    def own_chain(self, number: int, segment: _Segment) -> bool:
        """Whether the next row goes on with this segment in its own column."""
        following = self.rows[number + 1] if number + 1 < len(self.rows) else []
        return any(
            other.column == segment.column and other.first is not None and is_relation([other.first], 0)
            for other in following
        )
