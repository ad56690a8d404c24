r"""Matrices and brackets: grids of entries, blocks, columns and rows, families with dots, commutators, determinants.

Offers `grid_value` and `group_value`; rests on `scope`, `families` and `products`.  What the cells are decides what
the matrix is: scalars make a literal, columns side by side a matrix by columns, anything else blocks.
"""

from __future__ import annotations

from symlin.dims import ONE, Dim
from symlin.errors import UnsupportedError
from symlin.read.families import Family, family, instantiate, is_dots, is_dots_row, shift
from symlin.read.names import index_dim, spell
from symlin.read.products import in_range, tuple_value
from symlin.read.scope import Items, MapsTo, Scope, SizeOf, Space, Thing, Value, Words
from symlin.read.syntax import Chain, Empty, Grid, Group, Name, Node, Product, Sequence, Subscript
from symlin.shapes import Draft, clash

MATRIX_DELIMITERS = frozenset({("[", "]"), ("(", ")"), ("", "")})
SYSTEMS = frozenset({"cases", "aligned", "split", "gathered", "alignedat", "rcases", "dcases"})


def grid_value(scope: Scope, node: Grid) -> Value:
    """The value of a matrix environment."""
    text = scope.text(node)
    if node.environment in SYSTEMS:
        return Thing(f"the environment {node.environment}", text)
    if node.bars:
        return Thing("an augmented matrix", text)
    rows = [row for row in node.rows if not all(isinstance(cell, Empty) for cell in row)]
    if not rows:
        return Thing("an empty matrix", text)
    if (node.opening, node.closing) == ("|", "|"):
        body = _matrix(scope, rows, text)
        if not isinstance(body, Draft):
            return body
        scope.square(body, "a determinant")
        return Draft("determinant", (body,), (), ONE, ONE, text)
    if (node.opening, node.closing) not in MATRIX_DELIMITERS:
        return Thing(f"a matrix between {node.opening or 'nothing'} and {node.closing or 'nothing'}", text)
    return _matrix(scope, rows, text)


def _matrix(scope: Scope, rows: list[tuple[Node, ...]], text: str) -> Value:
    if any(is_dots(cell) for row in rows for cell in row):
        return _with_dots(scope, rows, text)
    cells: list[list[Draft]] = []
    for row in rows:
        line: list[Draft] = []
        for cell in row:
            if isinstance(cell, Empty):
                return Thing("a matrix with empty cells", text)
            value = _cell(scope, cell)
            if not isinstance(value, Draft):
                return Thing("a matrix with a cell that is no matrix expression", text)
            line.append(value)
        cells.append(line)
    if len({len(line) for line in cells}) > 1:
        return Thing("a table with rows of different length", text)
    return assemble(scope, cells, text)


def _cell(scope: Scope, cell: Node) -> Value:
    if isinstance(cell, Chain | Sequence):
        return Thing("a relation or a list in a cell", scope.text(cell))
    return scope.value(cell)


def assemble(scope: Scope, cells: list[list[Draft]], text: str) -> Draft:
    """The matrix that a grid of Drafts makes."""
    height, width = len(cells), len(cells[0])
    flat = [cell for line in cells for cell in line]
    known = [cell for cell in flat if cell.op != "late zero"]
    if all(scope.is_scalar(cell) for cell in known):
        for cell in flat:
            scope.need(cell, ONE, ONE, "the entries of a matrix are scalars")
        return Draft("literal", tuple(flat), (height, width), Dim.of(height), Dim.of(width), text)
    for line in cells:
        for cell in line[1:]:
            if not scope.sizes.unify(line[0].rows, cell.rows):
                raise clash(
                    scope.whole,
                    scope.sizes,
                    line[0],
                    cell,
                    "blocks side by side need the same number of rows",
                )
    for place in range(width):
        for line in cells[1:]:
            if not scope.sizes.unify(cells[0][place].cols, line[place].cols):
                why = "blocks above each other need the same number of columns"
                raise clash(scope.whole, scope.sizes, cells[0][place], line[place], why)
    rows = sum((line[0].rows for line in cells[1:]), cells[0][0].rows)
    cols = sum((cell.cols for cell in cells[0][1:]), cells[0][0].cols)
    if height == 1 and width == 1:
        return flat[0]
    if height == 1:
        return Draft("columns", tuple(flat), (), rows, cols, text)
    if width == 1:
        return Draft("rows", tuple(flat), (), rows, cols, text)
    return Draft("block", tuple(flat), (height, width), rows, cols, text)


def _with_dots(scope: Scope, rows: list[tuple[Node, ...]], text: str) -> Value:
    if all(len(row) == 1 for row in rows):
        return _stacked(scope, [row[0] for row in rows], text)
    if len(rows) == 1:
        found = _range(scope, family(rows[0], scope.fresh_index()), text)
        if found is None:
            return Thing("an ellipsis whose pattern was not found", text)
        return _column_family(scope, found, text)
    return _table(scope, rows, text)


_Range = tuple[str, Dim, Dim, Node]


def _range(scope: Scope, found: Family | None, text: str) -> _Range | None:
    if found is None:
        return None
    lo, hi = index_dim(found.lo), index_dim(found.hi)
    if lo is None or hi is None:
        return None
    if not any(isinstance(member, Sequence) for member, _ in found.odd):
        scope.note_odd(found.odd)
    return found.letter, scope.see_index(lo), scope.see_index(hi), found.body


def _column_family(scope: Scope, found: _Range, text: str) -> Value:
    letter, lo, hi, body = found
    draft = in_range(scope, letter, body, lo, hi)
    if not scope.sizes.unify(draft.cols, ONE):
        raise UnsupportedError("a family of blocks", f"{text}: the members between the dots are not columns")
    return Draft("column_family", (draft,), (letter, lo, hi), draft.rows, hi - lo + 1, text)


def _row_family(scope: Scope, draft: Draft, letter: str, lo: Dim, hi: Dim, text: str) -> Value:
    if not scope.sizes.unify(draft.rows, ONE):
        raise UnsupportedError("a family of blocks", f"{text}: the members between the dots are not rows")
    return Draft("row_family", (draft,), (letter, lo, hi), hi - lo + 1, draft.cols, text)


def _stacked(scope: Scope, cells: list[Node], text: str) -> Value:
    found = _range(scope, family(cells, scope.fresh_index()), text)
    if found is None:
        return Thing("an ellipsis whose pattern was not found", text)
    letter, lo, hi, body = found
    return _row_family(scope, in_range(scope, letter, body, lo, hi), letter, lo, hi, text)


def _table(scope: Scope, rows: list[tuple[Node, ...]], text: str) -> Value:
    """A table with dots across, down or both: rows are generalised across first, then against each other."""
    from symlin.read.syntax import Dots

    across = any(is_dots(cell) for row in rows if not is_dots_row(row) for cell in row)
    down = any(is_dots_row(row) for row in rows)
    inner = scope.fresh_index()
    scope.bounds[inner] = (ONE, ONE)  # so that the outer index takes another letter
    try:
        outer = scope.fresh_index()
    finally:
        del scope.bounds[inner]
    shorthand: list[Node] = []
    ranges: set[tuple[Node, Node]] = set()
    broken: list[int] = []
    for place, row in enumerate(rows):
        if is_dots_row(row):
            shorthand.append(Dots(r"\vdots"))
        elif across:
            found = family(row, inner)
            if found is None or found.odd:
                broken.append(place)
                shorthand.append(Empty())
                continue
            ranges.add((found.lo, found.hi))
            shorthand.append(found.body)
        else:
            shorthand.append(Sequence(row, (",",) * (len(row) - 1), span=row[0].span))
    if len(ranges) != across:
        return Thing("an ellipsis whose pattern was not found", text)
    if broken:
        if not down or 0 in broken or len(rows) - 1 in broken:
            return Thing("an ellipsis whose pattern was not found", text)
        _note_broken_rows(scope, rows, broken, shorthand, inner, outer, next(iter(ranges)))
        shorthand = [node for place, node in enumerate(shorthand) if place not in broken]
    if not down:
        return _rows_across(scope, shorthand, inner, next(iter(ranges)), text)
    tall = _range(scope, family(shorthand, outer), text)
    if tall is None:
        return Thing("an ellipsis whose pattern was not found", text)
    letter, lo, hi, body = tall
    scope.bounds[letter] = (lo, hi)
    scope.bound[letter] = scope.bound.get(letter, 0) + 1
    scope.size_letters.add(letter)
    try:
        row_draft = _row_of(scope, body, inner, ranges, text)
    finally:
        del scope.bounds[letter]
        scope.bound[letter] -= 1
        if not scope.bound[letter]:
            del scope.bound[letter]
    if not isinstance(row_draft, Draft):
        return row_draft
    return _row_family(scope, row_draft, letter, lo, hi, text)


def _note_broken_rows(
    scope: Scope,
    rows: list[tuple[Node, ...]],
    broken: list[int],
    shorthand: list[Node],
    inner: str,
    outer: str,
    limits: tuple[Node, Node],
) -> None:
    """Compare the written cells of rows that break the pattern with what the other rows make of them."""
    kept = [node for place, node in enumerate(shorthand) if place not in broken]
    tall = family(kept, outer)
    if tall is None:
        return
    dots = next(place for place, row in enumerate(rows) if is_dots_row(row))
    for place in broken:
        value = shift(tall.lo, place) if place < dots else shift(tall.hi, place - len(rows) + 1)
        across = instantiate(tall.body, outer, value)
        row = rows[place]
        gap = next((at for at, cell in enumerate(row) if is_dots(cell)), len(row))
        for at, cell in enumerate(row):
            if at != gap:
                index = shift(limits[0], at) if at < gap else shift(limits[1], at - len(row) + 1)
                expected = instantiate(across, inner, index)
                if expected != cell:
                    scope.note_odd([(cell, expected)])


def _row_of(scope: Scope, body: Node, inner: str, ranges: set[tuple[Node, Node]], text: str) -> Value:
    if ranges:
        low, high = next(iter(ranges))
        lo, hi = index_dim(low), index_dim(high)
        if lo is None or hi is None:
            return Thing("an ellipsis whose range was not found", text)
        return _column_family(scope, (inner, scope.see_index(lo), scope.see_index(hi), body), text)
    if isinstance(body, Sequence):
        return _matrix(scope, [body.items], text)
    return Thing("an ellipsis whose pattern was not found", text)


def _rows_across(scope: Scope, bodies: list[Node], inner: str, limits: tuple[Node, Node], text: str) -> Value:
    lines: list[list[Draft]] = []
    for body in bodies:
        value = _row_of(scope, body, inner, {limits}, text)
        if not isinstance(value, Draft):
            return value
        lines.append([value])
    return assemble(scope, lines, text)


def group_value(scope: Scope, node: Group) -> Value:
    """The value of something in brackets."""
    text = scope.text(node)
    body = node.body
    match (node.opening, node.closing):
        case ("(", ")") | ("[", "]") | ("", ""):
            return _bracketed(scope, node, text)
        case ("|", "|"):
            return _bars(scope, body, text)
        case (r"\|", r"\|"):
            inner = scope.draft(body)
            return Draft("scalar_function", (inner,), ("norm",), ONE, ONE, text)
        case (r"\{", r"\}") | (r"\lbrace", r"\rbrace"):
            return Thing("a set", text)
        case (r"\langle", r"\rangle"):
            return Thing("angle brackets", text)
    return Thing(f"something between {node.opening} and {node.closing}", text)


def _bars(scope: Scope, body: Node, text: str) -> Value:
    inner = scope.value(body)
    if not isinstance(inner, Draft):
        return Thing("vertical bars round something that is no matrix expression", text)
    if scope.is_scalar(inner) or inner.op == "late zero":
        scope.need(inner, ONE, ONE, "an absolute value needs a scalar")
        return Draft("scalar_function", (inner,), ("abs",), ONE, ONE, text)
    if scope.sizes.is_one(inner.cols):
        return Draft("scalar_function", (inner,), ("norm",), ONE, ONE, text)
    scope.square(inner, "a determinant")
    return Draft("determinant", (inner,), (), ONE, ONE, text)


def _bracketed(scope: Scope, node: Group, text: str) -> Value:
    body = node.body
    if isinstance(body, Empty):
        return Thing("empty brackets", text)
    if isinstance(body, Sequence):
        if node.opening == "(":
            return tuple_value(scope, body, text)
        return _commutator(scope, body, text)
    if node.opening == "[" and isinstance(body, Product) and _is_row_of_vectors(body):
        return _matrix(scope, [body.factors], text)
    if node.opening == "[":
        family_of_entries = entry_family(scope, body, text)
        if family_of_entries is not None:
            return family_of_entries
    value = scope.value(body)
    match value:
        case Draft():
            return value.with_text(text)
        case SizeOf() | Space() | Words() | Items() | MapsTo() | Thing():
            return value


def _is_row_of_vectors(body: Product) -> bool:
    r"""``[\mathbf a_1\ \mathbf a_2\ \cdots\ \mathbf a_n]``: columns set apart by blanks."""
    if any(body.operators) or len(body.factors) < 2:
        return False
    names = [spell(factor) for factor in body.factors if not is_dots(factor)]
    return all(name is not None and name.is_vector and name.indices for name in names)


def _commutator(scope: Scope, body: Sequence, text: str) -> Value:
    if len(body.items) != 2 or any(is_dots(item) for item in body.items):
        return tuple_or_row(scope, body, text)
    left, right = (scope.draft(item) for item in body.items)
    if scope.is_scalar(left) or scope.is_scalar(right):
        return Thing("an interval or a list in square brackets", text)
    scope.square(left, "a commutator")
    scope.same(left, right, "a commutator needs square matrices of the same size")
    first = Draft("matmul", (left, right), (), left.rows, left.cols, f"{left.text}{right.text}")
    second = Draft("matmul", (right, left), (), left.rows, left.cols, f"{right.text}{left.text}")
    minus = Draft("neg", (second,), (), left.rows, left.cols, f"-{second.text}")
    return Draft("add", (first, minus), (), left.rows, left.cols, text)


def tuple_or_row(scope: Scope, body: Sequence, text: str) -> Value:
    """[1, 2, 3]: a row in some books, a column in others, so it is kept as a list."""
    return Items(tuple(scope.value(item) for item in body.items if not is_dots(item)), text)


def entry_family(scope: Scope, body: Node, text: str) -> Draft | None:
    r"""``[\alpha_{ij}]``: the matrix of all entries, as a family over both indices."""
    if not isinstance(body, Subscript):
        return None
    spelled = spell(body)
    if (
        spelled is None
        or len(spelled.indices) != 2
        or not all(isinstance(index, Name) for index in spelled.indices)
    ):
        return None
    dims = [index_dim(index) for index in spelled.indices]
    letters = [dim.lone_symbol for dim in dims if dim is not None]
    if len(letters) != 2 or None in letters or letters[0] == letters[1]:
        return None
    if any(letter in scope.bounds for letter in letters):
        return None
    height, width = scope.sizes.unknown(), scope.sizes.unknown()
    first, second = str(letters[0]), str(letters[1])
    scope.bounds[first] = (ONE, height)
    scope.bounds[second] = (ONE, width)
    try:
        inner = scope.draft(body)
    finally:
        del scope.bounds[first]
        del scope.bounds[second]
    row = Draft("column_family", (inner,), (second, ONE, width), ONE, width, text)
    return Draft(
        "row_family", (row,), (first, ONE, height), height, width, text, frozenset({"entries", spelled.name})
    )
