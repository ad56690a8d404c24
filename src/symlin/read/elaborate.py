"""From what a formula looks like to what it means: the second half of reading.

Offers `elaborate`, which gives a parsed formula its meaning in a `Context`, and `Reading`, from which Terms and
Statements are taken once sizes are solved; rests on the tables of the modules beside it.  It changes no context:
the checker adopts what it wants to keep.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from symlin.context import Context, Role
from symlin.dims import Dim
from symlin.errors import UnsupportedError
from symlin.read.functions import big_value, decorated_value, fraction_value, function_value, root_value
from symlin.read.grids import grid_value, group_value
from symlin.read.meaning import name_value, subscript_value
from symlin.read.products import product_value, sum_value
from symlin.read.relations import Link, chain_links
from symlin.read.scope import Items, Scope, Thing, Value, Words, bare_names
from symlin.read.scripts import superscript_value
from symlin.read.syntax import (
    BigOperator,
    Chain,
    Decorated,
    Dots,
    Empty,
    Formula,
    Fraction_,
    Function,
    Grid,
    Group,
    Name,
    Node,
    Number,
    Product,
    Root,
    Sequence,
    Subscript,
    Sum,
    Superscript,
    Symbolic,
    Text,
)
from symlin.shapes import Draft, Finish
from symlin.statement import Statement
from symlin.term import Term


def _number(scope: Scope, node: Number) -> Value:
    from symlin.dims import ONE

    if node.value == 0 and node.decimals == 0:
        rows, cols = scope.sizes.unknown(), scope.sizes.unknown()
        return Draft("late zero", (), (node.value, 0), rows, cols, node.digits, frozenset({"alone"}))
    return Draft("number", (), (node.value, node.decimals), ONE, ONE, node.digits)


def _sequence(scope: Scope, node: Sequence) -> Value:
    values = tuple(scope.value(item) for item in node.items if not isinstance(item, Dots))
    return Items(values, scope.text(node), any(isinstance(item, Dots) for item in node.items))


def _text(scope: Scope, node: Text) -> Value:
    return Words(node.words)


def _empty(scope: Scope, node: Empty) -> Value:
    return Thing("nothing", "")


def _dots(scope: Scope, node: Dots) -> Value:
    return Thing("an ellipsis by itself", node.command)


def _symbolic(scope: Scope, node: Symbolic) -> Value:
    return Thing(f"the sign {node.symbol}", node.symbol)


def _chain(scope: Scope, node: Chain) -> Value:
    return Thing("a relation inside an expression", scope.text(node))


INTERPRET: dict[type, Callable[[Scope, Any], Value]] = {
    Number: _number,
    Name: name_value,
    Subscript: subscript_value,
    Superscript: superscript_value,
    Symbolic: _symbolic,
    Product: product_value,
    Sum: sum_value,
    Fraction_: fraction_value,
    Root: root_value,
    Group: group_value,
    Sequence: _sequence,
    Dots: _dots,
    Empty: _empty,
    Text: _text,
    Grid: grid_value,
    BigOperator: big_value,
    Function: function_value,
    Decorated: decorated_value,
    Chain: _chain,
}


def interpret(scope: Scope, node: Node) -> Value:
    """The value of a node, by the table."""
    return INTERPRET[type(node)](scope, node)


@dataclass(frozen=True, slots=True)
class Clause:
    """One clause of a formula: an expression (`value`) or a chain (`links`); `text` is how it was written."""

    text: str
    value: Value | None = None
    links: tuple[Link, ...] = ()


@dataclass(slots=True)
class Reading:
    """A formula with its meaning.

    Args:
        formula: the surface tree.
        clauses: in order.
        scope: the sizes, names and conventions that came up.
    """

    formula: Formula
    clauses: tuple[Clause, ...]
    scope: Scope

    def finish(self) -> Finish:
        """What turns the Drafts of this reading into Terms."""
        letters = frozenset(self.scope.size_letters) | self.scope.context.sizes.stated
        taken = letters | {key.removeprefix("v:") for key in self.scope.present}
        return Finish(self.scope.sizes, letters, frozenset(taken))

    def statement(self, link: Link, finish: Finish | None = None) -> Statement:
        """The Statement that a link makes.

        Raises:
            ShapeError: the two sides differ in shape.
            UnsupportedError: a side is no matrix expression.
        """
        if link.clash is not None:
            raise link.clash
        finish = finish or self.finish()
        sides: list[Term] = []
        for value, text in ((link.lhs, link.left_text), (link.rhs, link.right_text)):
            if not isinstance(value, Draft):
                from symlin.read.scope import construct_of

                raise UnsupportedError(
                    construct_of(value), f"{text}: {construct_of(value)} is outside what symlin decides"
                )
            sides.append(finish.term(value))
        return Statement(sides[0], sides[1], "=" if link.relation == ":=" else link.relation)


def elaborate(
    formula: Formula, context: Context | None = None, roles: Mapping[str, Role] | None = None
) -> Reading:
    """Give a parsed formula its meaning.

    Args:
        formula: what `read.latex.parse` returned.
        context: what names mean at this place (nothing is known without it).
        roles: whether indexed vector letters of unknown convention are taken as columns or rows.

    Raises:
        ShapeError: sizes clash; names both places and both sizes.
        UnsupportedError: a construct that is read but has no meaning here.
    """
    context = context or Context()
    present: set[str] = set()
    for clause in formula.clauses:
        present |= bare_names(clause)
    scope = Scope(
        latex=formula.latex,
        context=context,
        interpret=interpret,
        roles=dict(roles or {}),
        sizes=context.sizes.copy(),
        present=frozenset(present),
    )
    clauses = []
    for node in formula.clauses:
        text = scope.text(node) if node.span.end else formula.latex
        if isinstance(node, Chain):
            clauses.append(Clause(text, None, chain_links(scope, node)))
        else:
            clauses.append(Clause(text, scope.value(node)))
    _suggest(scope)
    return Reading(formula, tuple(clauses), scope)


def _suggest(scope: Scope) -> None:
    """Sizes that nothing settled take the upper limit of the index that runs through them.

    An I without a size, in a formula with a single letter for sizes (det(cI) = c^n), is of that size.
    """
    for size, limit in scope.ranges:
        resolved = scope.sizes.resolve(size)
        lone = resolved.lone_symbol
        if lone is not None and lone.startswith("?"):
            scope.sizes.unify(resolved, limit)
    letters = scope.size_letters - set(scope.bound)
    for size in scope.identities:
        resolved = scope.sizes.resolve(size)
        lone = resolved.lone_symbol
        if lone is not None and lone.startswith("?") and len(letters) == 1:
            scope.sizes.unify(resolved, Dim.symbol(next(iter(letters))))


def sizes_of(reading: Reading) -> dict[str, tuple[Dim, Dim]]:
    """The shape of every name of a reading that is a matrix, a vector or a scalar, unknown sizes lettered."""
    finish = reading.finish()
    found: dict[str, tuple[Dim, Dim]] = {}
    for key, meaning in {**reading.scope.context.names, **reading.scope.names}.items():
        if meaning.kind in ("matrix", "vector", "scalar") and key in _mentioned(reading):
            found[key] = (finish.dim(meaning.symbol.rows), finish.dim(meaning.symbol.cols))
    return found


def _mentioned(reading: Reading) -> set[str]:
    keys: set[str] = set(reading.scope.names)
    for clause in reading.clauses:
        for value in [clause.value, *(side for link in clause.links for side in (link.lhs, link.rhs))]:
            for draft in _drafts(value):
                for part in draft.walk():
                    if part.op in ("symbol", "late letter"):
                        keys.add(str(part.data[0]))
                        keys.add(f"v:{part.data[0]}")
    return keys


def _drafts(value: Value | None) -> list[Draft]:
    if isinstance(value, Draft):
        return [value]
    if isinstance(value, Items):
        return [draft for item in value.values for draft in _drafts(item)]
    return []
