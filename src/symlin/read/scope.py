"""The state of one elaboration: the context tried on, sizes, letters met, and what the formula introduces.

Offers `Scope` and the values that are no Terms (`Space`, `SizeOf`, `Items` …); rests on `context` and `shapes`.
Interpreting nodes is left to `elaborate` and the modules beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, fields, is_dataclass
from typing import TypeAlias

from symlin.context import Context, Convention, MapRule, Meaning, Role
from symlin.dims import ONE, Dim
from symlin.errors import ShapeError, UnsupportedError
from symlin.read.names import Spelled, default_kind
from symlin.read.syntax import Name, Node, Subscript, Superscript
from symlin.shapes import Draft, Sizes, clash


@dataclass(frozen=True, slots=True)
class Space:
    r"""A space of matrices or vectors: ``\mathbb R^{m\times n}``; a plain ``\mathbb R`` is 1×1."""

    field: str
    rows: Dim
    cols: Dim
    text: str = ""


@dataclass(frozen=True, slots=True)
class SizeOf:
    r"""A size by itself: ``m\times n``."""

    rows: Dim
    cols: Dim
    text: str = ""


@dataclass(frozen=True, slots=True)
class Words:
    """Text in a formula."""

    text: str


@dataclass(frozen=True, slots=True)
class Items:
    """Several values with commas between them; `dots` when some were left to the reader."""

    values: tuple[Value, ...]
    text: str = ""
    dots: bool = False


@dataclass(frozen=True, slots=True)
class MapsTo:
    r"""``\mathbf x \mapsto A(B\mathbf x)``: parameter and value."""

    parameter: Draft
    body: Draft
    text: str = ""


@dataclass(frozen=True, slots=True)
class Thing:
    """Something read and named that is no matrix expression (a set, a basis, a blank)."""

    construct: str
    text: str = ""


Value: TypeAlias = Draft | Space | SizeOf | Words | Items | MapsTo | Thing


@dataclass(slots=True)
class Scope:
    """One elaboration.

    Args:
        latex: the LaTeX that the nodes point into.
        context: what names mean so far; it is not changed.
        roles: guesses for vector letters whose convention is not known.
        interpret: the function that gives a node its value (set by `elaborate`).
    """

    latex: str
    context: Context
    interpret: Callable[[Scope, Node], Value]
    roles: dict[str, Role] = field(default_factory=dict)
    sizes: Sizes = field(default_factory=Sizes)
    names: dict[str, Meaning] = field(default_factory=dict)
    conventions: dict[str, Convention] = field(default_factory=dict)
    maps: dict[str, MapRule] = field(default_factory=dict)
    present: frozenset[str] = frozenset()
    bound: dict[str, int] = field(default_factory=dict)
    size_letters: set[str] = field(default_factory=set)
    scalar_letters: set[str] = field(default_factory=set)
    ranges: list[tuple[Dim, Dim]] = field(default_factory=list)
    bounds: dict[str, tuple[Dim, Dim]] = field(default_factory=dict)
    guessed: dict[str, str] = field(default_factory=dict)
    odd: list[tuple[Draft, Draft]] = field(default_factory=list)
    identities: list[Dim] = field(default_factory=list)

    def text(self, node: Node) -> str:
        """How a node was written."""
        return " ".join(self.latex[node.span.start : node.span.end].split())

    def value(self, node: Node) -> Value:
        """What a node means."""
        return self.interpret(self, node)

    def draft(self, node: Node) -> Draft:
        """The matrix expression that a node means.

        Raises:
            UnsupportedError: it means something else.
        """
        value = self.value(node)
        if isinstance(value, Draft):
            return value
        raise UnsupportedError(
            construct_of(value), f"{self.text(node)}: {construct_of(value)} where a matrix expression is due"
        )

    def scalar(self, node: Node) -> Draft:
        """The scalar that a node means.

        Raises:
            ShapeError: it is a matrix.
        """
        draft = self.draft(node)
        self.need(draft, ONE, ONE, f"{draft.text} must be a scalar")
        return draft

    def is_scalar(self, draft: Draft) -> bool:
        """Whether a Draft is known to be 1×1."""
        return self.sizes.is_one(draft.rows) and self.sizes.is_one(draft.cols)

    def need(self, draft: Draft, rows: Dim, cols: Dim, why: str) -> None:
        """Make the shape of a Draft rows×cols or raise a ShapeError that says why."""
        if not (self.sizes.unify(draft.rows, rows) and self.sizes.unify(draft.cols, cols)):
            other = Draft("size", (), (), rows, cols, "what is due")
            raise clash(self.whole, self.sizes, draft, other, why)

    def same(self, left: Draft, right: Draft, why: str) -> None:
        """Make two shapes equal or raise a ShapeError that names both."""
        if not (self.sizes.unify(left.rows, right.rows) and self.sizes.unify(left.cols, right.cols)):
            raise clash(self.whole, self.sizes, left, right, why)

    def square(self, draft: Draft, what: str) -> None:
        """Make a Draft square or raise a ShapeError."""
        if not self.sizes.unify(draft.rows, draft.cols):
            from symlin.shapes import shown
            from symlin.term import size_text

            described = f"{draft.text} is {size_text(shown(self.sizes, draft))}"
            raise ShapeError(f"{what} needs a square matrix, but {described}", described)

    @property
    def whole(self) -> str:
        """The whole formula for a message, if it is short."""
        text = " ".join(self.latex.split())
        return text if len(text) <= 80 else ""

    def see_index(self, dim: Dim) -> Dim:
        """Remember the letters of an index or size as such."""
        self.size_letters.update(dim.symbols)
        return dim

    def known(self, key: str) -> Meaning | None:
        """What a bare name means so far, if anything is known of it."""
        return self.names.get(key) or self.context.names.get(key)

    def convention(self, key: str) -> Convention | None:
        """The convention for a letter's indexed names, if one is known."""
        return self.conventions.get(key) or self.context.conventions.get(key)

    def meaning(self, spelled: Spelled) -> Meaning:
        """What a bare name means; a name met first gets its default reading with unknown sizes."""
        found = self.known(spelled.key)
        if found is None and spelled.is_vector:
            plain = self.known(spelled.name)
            if plain is not None and (plain.kind in ("vector", "matrix") or plain.how == "declared"):
                found = plain
        if found is None and not spelled.is_vector:
            vector = self.known(f"v:{spelled.name}")
            if vector is not None and vector.how == "declared" and spelled.font == "":
                found = vector
        if found is not None:
            return found
        kind = default_kind(spelled)
        style = spelled.font if spelled.font != "it" else ""
        one = {"matrix": (False, False), "vector": (False, True)}.get(kind, (True, True))
        rows = ONE if one[0] else self.sizes.unknown()
        cols = ONE if one[1] else self.sizes.unknown()
        op = "late letter" if kind == "scalar" and style == "" else "symbol"
        symbol = Draft(op, (), (spelled.name, style), rows, cols, spelled.name)
        meaning = Meaning(spelled.key, kind, symbol)
        self.names[spelled.key] = meaning
        if op == "late letter":
            self.scalar_letters.add(spelled.name)
        return meaning

    def note_odd(self, pairs: Iterable[tuple[Node, Node]]) -> None:
        """Remember members of a family that break its pattern, each with what the pattern has there."""
        for member, expected in pairs:
            value = self.draft(expected)
            self.odd.append((self.draft(member), value.with_text(value.text if member == expected else "")))

    def fresh_index(self) -> str:
        """A letter for a bound index that occurs nowhere in the formula."""
        for letter in ("j", "i", r"\ell", "p", "q", "r", "s", "t"):
            taken = letter in self.present or f"v:{letter}" in self.present
            if not taken and letter not in self.bound and letter not in self.bounds:
                return letter
        number = 1
        while f"j_{{{number}}}" in self.bounds:
            number += 1
        return f"j_{{{number}}}"


def construct_of(value: Value) -> str:
    """A value's kind in words."""
    match value:
        case Draft():
            return "a matrix expression"
        case Space():
            return "a space"
        case SizeOf():
            return "a size"
        case Words():
            return "words"
        case Items():
            return "a list"
        case MapsTo():
            return "a map"
        case Thing():
            return value.construct


def bare_names(node: object) -> set[str]:
    """All letters that occur in a node, labels and indices included, as spelled."""
    from symlin.read.names import spell

    found: set[str] = set()
    stack: list[object] = [node]
    while stack:
        item = stack.pop()
        if isinstance(item, tuple):
            stack.extend(item)
        elif isinstance(item, Name | Subscript):
            spelled = spell(item)
            if spelled is not None:
                found.add(spelled.key)
                if not spelled.indices and isinstance(item, Name):
                    continue
            if isinstance(item, Subscript):
                stack.append(item.sub)
                if spelled is None:
                    stack.append(item.base)
        elif isinstance(item, Superscript) and isinstance(item.sup, Name) and item.sup.letter == "T":
            stack.append(item.base)  # the sign of a transpose is no name
        elif is_dataclass(item) and hasattr(item, "span"):
            stack.extend(getattr(item, part.name) for part in fields(item) if part.name != "span")
    return found
