r"""Chains of relations: links between values, and the definitions that a chain may begin with.

Offers `chain_links`, `Link` and `Introduction`; rests on `scope`.  Both sides of ``=`` get one shape; what a link
introduces (a map, the columns of a matrix, the letter of its entries) is noted for the context, and whether a link
is a definition or a claim is left to the checker, which knows what came before.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, is_dataclass

from symlin.context import Convention, Kind, MapRule, Meaning, Role
from symlin.dims import Dim
from symlin.errors import ShapeError
from symlin.read.names import Spelled, indices_of, spell
from symlin.read.scope import Items, MapsTo, Scope, Thing, Value
from symlin.read.syntax import (
    Chain,
    Dots,
    Empty,
    Grid,
    Group,
    Name,
    Node,
    Product,
    Subscript,
    Superscript,
)
from symlin.shapes import Draft, clash

EQUALITIES = frozenset({"=", ":=", r"\ne", r"\approx", r"\equiv", "<", ">", r"\le", r"\ge"})


@dataclass(frozen=True, slots=True)
class Link:
    """One relation of a chain.

    Args:
        lhs: value of the left operand.
        relation: the sign.
        rhs: value of the right operand.
        left_text: how the left operand was written.
        right_text: how the right operand was written.
        clash: the error, when the two sides of an equation differ in shape.
        introduces: what the link brings in besides values ("map", "columns", "rows", "entries"), or "".
        name: the bare name on the left, when it is one.
    """

    lhs: Value
    relation: str
    rhs: Value
    left_text: str
    right_text: str
    clash: ShapeError | None = None
    introduces: str = ""
    name: Spelled | None = None


def chain_links(scope: Scope, chain: Chain) -> tuple[Link, ...]:
    """The links of a chain, with shapes made equal where a link says so."""
    introduced = _introduction(scope, chain)
    texts = [scope.text(operand) for operand in chain.operands]
    if chain.relations and chain.relations[0].sign == r"\mapsto":
        return (_maps_to(scope, chain, texts),)
    values: list[Value] = [_operand(scope, operand) for operand in chain.operands]
    links = []
    for place, relation in enumerate(chain.relations):
        left, right = values[place], values[place + 1]
        name = spell(chain.operands[place])
        if place == 0 and name is not None and not name.indices:
            left = values[0] = _retyped(scope, name, left, right)
        error = _equalise(scope, left, right, relation.sign)
        links.append(
            Link(
                left,
                relation.sign,
                right,
                texts[place],
                texts[place + 1],
                error,
                introduced if place == 0 else "",
                spell(chain.operands[place]),
            )
        )
    return tuple(links)


def _operand(scope: Scope, operand: Node) -> Value:
    if isinstance(operand, Empty):
        return Thing("nothing", "")
    return scope.value(operand)


def _retyped(scope: Scope, name: Spelled, left: Value, right: Value) -> Value:
    """A name met first, whose usual kind does not fit what it is set equal to, is of the other kind."""
    if not isinstance(left, Draft) or not isinstance(right, Draft) or name.key in scope.context.names:
        return left
    before = scope.sizes.copy()
    if scope.sizes.unify(left.rows, right.rows) and scope.sizes.unify(left.cols, right.cols):
        return left
    scope.sizes = before
    meaning = scope.names.get(name.key)
    special = left.op in ("identity", "unit", "zero", "ones")
    if (meaning is None and not special) or any(
        part.op == left.op and part.data == left.data for part in right.walk()
    ):
        return left
    style = name.font if name.font != "it" else ""
    symbol = Draft("symbol", (), (name.name, style), right.rows, right.cols, left.text)
    kind: Kind = (
        "scalar" if scope.is_scalar(right) else "vector" if scope.sizes.is_one(right.cols) else "matrix"
    )
    scope.names[name.key] = Meaning(name.key, kind, symbol)
    scope.scalar_letters.discard(name.name)
    return symbol


def _equalise(scope: Scope, left: Value, right: Value, sign: str) -> ShapeError | None:
    if sign not in EQUALITIES or not isinstance(left, Draft) or not isinstance(right, Draft):
        return None
    before = scope.sizes.copy()
    if scope.sizes.unify(left.rows, right.rows) and scope.sizes.unify(left.cols, right.cols):
        return None
    scope.sizes = before
    return clash("", scope.sizes, left, right, f"the two sides of {sign} differ in size")


def _maps_to(scope: Scope, chain: Chain, texts: list[str]) -> Link:
    head = chain.operands[0]
    parameter = scope.value(head)
    body = scope.value(chain.operands[1])
    if isinstance(parameter, Draft) and isinstance(body, Draft):
        value: Value = MapsTo(parameter, body, " \\mapsto ".join(texts[:2]))
    else:
        value = Thing("a map whose value is no matrix expression", texts[1])
    return Link(value, r"\mapsto", value, texts[0], texts[1])


def _introduction(scope: Scope, chain: Chain) -> str:
    """What the first link introduces: noted in the scope before anything is interpreted."""
    if not chain.relations or chain.relations[0].sign not in ("=", ":="):
        return ""
    head, body = chain.operands[0], chain.operands[1]
    rule = _map_rule(scope, head, body)
    if rule is not None:
        scope.maps[rule.name] = rule
        return "map"
    spelled = spell(head)
    if spelled is None or spelled.indices or spelled.is_vector:
        return ""
    found = family_letter(body)
    if found is None:
        return ""
    letter, role = found
    if letter == spelled.key or (role == "entries" and letter == spelled.name):
        return ""
    before = scope.convention(letter)
    if before == Convention(spelled.name, role):
        return ""
    if role == "entries" and len(letter) == 1 and letter.upper() == spelled.name:
        return ""
    scope.conventions[letter] = Convention(spelled.name, role)
    return role


def _map_rule(scope: Scope, head: Node, body: Node) -> MapRule | None:
    """T(x) = …: a named map of a bare variable."""
    if not isinstance(head, Product) or len(head.factors) != 2 or head.operators != ("",):
        return None
    name, group = head.factors
    if not isinstance(group, Group) or group.opening != "(" or not isinstance(name, Name | Subscript):
        return None
    spelled, variable = spell(name), spell(group.body)
    if spelled is None or spelled.indices or variable is None or variable.indices:
        return None
    if (
        scope.known(spelled.key) is not None
        or spelled.name in scope.maps
        or spelled.name in scope.context.maps
    ):
        return None
    if spelled.name in {other.name for other in _spelled_in(body)}:
        return None
    from symlin.read.products import MAP_LETTERS

    customary = spelled.letter in MAP_LETTERS
    if not customary and not (variable.is_vector and not spelled.is_vector):
        return None
    parameter = scope.draft(group.body)
    value = scope.value(body)
    if not isinstance(value, Draft):
        return None
    return MapRule(spelled.name, parameter, value)


def _spelled_in(node: object) -> list[Spelled]:
    found: list[Spelled] = []
    stack: list[object] = [node]
    while stack:
        item = stack.pop()
        if isinstance(item, tuple):
            stack.extend(item)
        elif is_dataclass(item) and hasattr(item, "span"):
            if isinstance(item, Name | Subscript):
                spelled = spell(item)
                if spelled is not None:
                    found.append(spelled)
                    continue
            stack.extend(getattr(item, part.name) for part in fields(item) if part.name != "span")
    return found


def family_letter(body: Node) -> tuple[str, Role] | None:
    r"""The letter and role that a displayed family gives: [b_1 b_2 … b_k], rows q_i^T, [\alpha_{ij}]."""
    if isinstance(body, Group) and body.opening == "[" and isinstance(body.body, Subscript):
        spelled = spell(body.body)
        if (
            spelled is not None
            and len(spelled.indices) == 2
            and all(isinstance(i, Name) for i in spelled.indices)
        ):
            return spelled.name, "entries"
        return None
    if not isinstance(body, Grid) or body.bars or body.opening not in ("[", "("):
        return None
    rows = [row for row in body.rows if not all(isinstance(cell, Dots | Empty) for cell in row)]
    if len(body.rows) == 1:
        letters = {_vector_letter(cell) for cell in body.rows[0] if not isinstance(cell, Dots)}
        role: Role = "columns"
    elif all(len(row) == 1 for row in rows):
        letters = {_row_letter(row[0]) for row in rows}
        role = "rows"
        if letters == {""} and len(rows) < len(body.rows):
            # Bold letters stacked with dots and no transpose: rows that are written as rows.
            letters, role = {_vector_letter(row[0]) for row in rows}, "row vectors"
    else:
        letters = {_entry_letter(cell) for row in rows for cell in row if not isinstance(cell, Dots | Empty)}
        role = "entries"
    if len(letters) != 1:
        return None
    (letter,) = letters
    return (letter, role) if letter else None


def _vector_letter(cell: Node) -> str:
    """The key of an indexed vector letter; in a family a capital index (the L of x_L) is an index, not a label."""
    if not isinstance(cell, Subscript):
        return ""
    spelled = spell(cell.base)
    if spelled is None or not spelled.is_vector or indices_of(cell.sub) is None:
        return ""
    return spelled.key


def _row_letter(cell: Node) -> str:
    if not isinstance(cell, Superscript) or not isinstance(cell.sup, Name) or cell.sup.letter != "T":
        from symlin.read.syntax import Symbolic

        if not (
            isinstance(cell, Superscript) and isinstance(cell.sup, Symbolic) and cell.sup.symbol == r"\top"
        ):
            return ""
    return _vector_letter(cell.base)


def _entry_letter(cell: Node) -> str:
    spelled = spell(cell)
    if spelled is None or spelled.is_vector or len(spelled.indices) not in (1, 2):
        return ""
    if len(spelled.indices) == 1:
        from symlin.read.names import index_dim

        dim = index_dim(spelled.indices[0])
        if dim is None or dim.constant is None or dim.constant < 11:
            return ""
    return spelled.name


def member_of(scope: Scope, value: Value, space_rows: Dim, space_cols: Dim) -> list[tuple[Draft, bool]]:
    """For each value said to lie in a space, whether its shape can be the space's (tried one by one)."""
    drafts = [
        item for item in (value.values if isinstance(value, Items) else (value,)) if isinstance(item, Draft)
    ]
    found = []
    for draft in drafts:
        before = scope.sizes.copy()
        fits = scope.sizes.unify(draft.rows, space_rows) and scope.sizes.unify(draft.cols, space_cols)
        if not fits:
            scope.sizes = before
        found.append((draft, fits))
    return found
