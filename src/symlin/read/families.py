r"""Families with dots: ``\mathbf b_1 \; \mathbf b_2 \cdots \mathbf b_k`` is one pattern and a range.

Offers `family`, which finds the pattern that the written items share; rests on `syntax`.  It works on what is
written, knows nothing of meaning, and gives up (None) where the items do not fit one pattern.
"""

from __future__ import annotations

from collections.abc import Sequence as Items
from dataclasses import dataclass, fields, replace
from fractions import Fraction

from symlin.read.syntax import Dots, Empty, Name, Node, Number, Product, Subscript, Sum

INDEX = "\\index"
"""The letter of the index in a pattern; no LaTeX command is called that."""


@dataclass(frozen=True, slots=True)
class Family:
    """`body` holds for index = lo, lo + 1, …, hi; in it the index is a Name with the letter `letter`.

    `odd` lists written members that break the pattern of the first and the last, each with what the pattern has there.
    """

    letter: str
    lo: Node
    hi: Node
    body: Node
    odd: tuple[tuple[Node, Node], ...] = ()


def is_dots(node: Node) -> bool:
    """Whether a node is an ellipsis."""
    return isinstance(node, Dots)


def family(items: Items[Node], letter: str) -> Family | None:
    """The family that items with one ellipsis among them stand for, or None.

    Before the ellipsis stand one or more members, after it one or more; the first and the last determine the pattern.
    A member between them that breaks it is reported as odd, unless it goes on in other steps (x_1, x_3, …).
    """
    at = [place for place, item in enumerate(items) if isinstance(item, Dots)]
    if len(at) != 1 or at[0] == 0 or at[0] == len(items) - 1:
        return None
    before, after = list(items[: at[0]]), list(items[at[0] + 1 :])
    written = [*before, *after]
    loose: Family | None = None
    for members in (written, [_split_digits(item) for item in written]):
        found = _pattern(members[: len(before)], members[len(before) :], letter)
        if found is not None and not found.odd:
            return found
        loose = loose or found
    return loose


def _pattern(before: list[Node], after: list[Node], letter: str) -> Family | None:
    first, last = before[0], after[-1]
    pairs: list[tuple[Node, Node]] = []
    body = _generalise(first, last, letter, pairs)
    if body is None or not pairs:
        return None
    lo, hi = pairs[0]
    if any(pair != (lo, hi) for pair in pairs):
        return None
    odd: list[tuple[Node, Node]] = []
    places = [(item, shift(lo, offset)) for offset, item in enumerate(before)]
    places += [(item, shift(hi, -offset)) for offset, item in enumerate(reversed(after))]
    for item, value in places:
        expected = instantiate(body, letter, value)
        if expected != item:
            if _other_steps(first, item, body, letter):
                return None
            odd.append((item, expected))
    return Family(letter, lo, hi, body, tuple(odd))


def _other_steps(first: Node, item: Node, body: Node, letter: str) -> bool:
    """Whether a member follows the same pattern at another index: x_3 after x_1."""
    pairs: list[tuple[Node, Node]] = []
    return _generalise(first, item, letter, pairs) == body and len(set(pairs)) == 1


def _generalise(first: Node, last: Node, letter: str, pairs: list[tuple[Node, Node]]) -> Node | None:
    """What `first` and `last` share, with the index where they differ; the pairs that differ are collected."""
    if first == last:
        return first
    if isinstance(first, Number) and isinstance(last, Number | Name | Sum):
        pairs.append((first, last))
        return Name(letter, span=first.span)
    if type(first) is not type(last):
        return None
    changed: dict[str, object] = {}
    for part in fields(first):
        if part.name == "span":
            continue
        one, other = getattr(first, part.name), getattr(last, part.name)
        if one == other:
            continue
        merged = _generalise_part(one, other, letter, pairs)
        if merged is None:
            return None
        changed[part.name] = merged
    return replace(first, **changed)  # type: ignore[arg-type]  # the fields are those of `first`


def _generalise_part(
    one: object, other: object, letter: str, pairs: list[tuple[Node, Node]]
) -> object | None:
    if isinstance(one, tuple) and isinstance(other, tuple) and len(one) == len(other):
        merged = []
        for left, right in zip(one, other, strict=True):
            part = _generalise_part(left, right, letter, pairs) if left != right else left
            if part is None:
                return None
            merged.append(part)
        return tuple(merged)
    if _is_node(one) and _is_node(other):
        return _generalise(one, other, letter, pairs)  # type: ignore[arg-type]
    return None


def _is_node(value: object) -> bool:
    return hasattr(value, "span")


def instantiate(body: Node, letter: str, value: Node) -> Node:
    """`body` with the index replaced by `value`."""
    if isinstance(body, Name) and body.letter == letter:
        return value
    changed: dict[str, object] = {}
    for part in fields(body):
        old = getattr(body, part.name)
        if part.name == "span":
            continue
        if isinstance(old, tuple):
            new: object = tuple(_instantiate_item(item, letter, value) for item in old)
        elif _is_node(old):
            new = instantiate(old, letter, value)
        else:
            continue
        if new != old:
            changed[part.name] = new
    return replace(body, **changed) if changed else body  # type: ignore[arg-type]


def _instantiate_item(item: object, letter: str, value: Node) -> object:
    if isinstance(item, tuple):
        return tuple(_instantiate_item(part, letter, value) for part in item)
    return instantiate(item, letter, value) if _is_node(item) else item  # type: ignore[arg-type]


def shift(value: Node, by: int) -> Node:
    """`value` + `by`, written as a person would."""
    if by == 0:
        return value
    if isinstance(value, Number):
        moved = value.value + by
        return Number(str(moved), Fraction(moved), span=value.span)
    if isinstance(value, Sum) and isinstance(value.terms[-1], Number) and value.signs[-1] in ("+", "-"):
        sign = 1 if value.signs[-1] == "+" else -1
        moved = sign * value.terms[-1].value + by
        head = Sum(value.terms[:-1], value.signs[:-1], span=value.span)
        base = head.terms[0] if len(head.terms) == 1 and head.signs[0] == "" else head
        return shift(base, int(moved))
    term = Number(str(abs(by)), Fraction(abs(by)))
    return Sum((value, term), ("", "+" if by > 0 else "-"))


def _split_digits(node: Node) -> Node:
    """Subscripts of several digits as several indices: the 12 of a_{12} beside a_{1n}."""
    if isinstance(node, Subscript) and isinstance(node.sub, Number) and len(node.sub.digits) > 1:
        if node.sub.decimals:
            return node
        digits = tuple(Number(d, Fraction(int(d)), span=node.sub.span) for d in node.sub.digits)
        sub = Product(digits, ("",) * (len(digits) - 1), span=node.sub.span)
        return replace(node, base=_split_digits(node.base), sub=sub)
    changed: dict[str, object] = {}
    for part in fields(node):
        if part.name == "span":
            continue
        old = getattr(node, part.name)
        if isinstance(old, tuple):
            new: object = tuple(_split_digits(item) if _is_node(item) else item for item in old)
        elif _is_node(old):
            new = _split_digits(old)
        else:
            continue
        if new != old:
            changed[part.name] = new
    return replace(node, **changed) if changed else node  # type: ignore[arg-type]


def is_dots_row(row: Items[Node]) -> bool:
    r"""Whether a row of a matrix holds nothing but ``\vdots``, ``\ddots`` and empty cells."""
    return any(isinstance(cell, Dots) for cell in row) and all(isinstance(cell, Dots | Empty) for cell in row)
