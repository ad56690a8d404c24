r"""Fonts over what is already read: ``\mathbf{x}_1``, ``{\bf AB}``, ``\mathrm{att}``.

Offers `with_font`; rests on `syntax`.  It sets the font of every letter that has none of its own, and makes one word
of a run of upright letters.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from symlin.read.syntax import (
    Chain,
    Fraction_,
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
)

_UPRIGHT = frozenset({"rm", "sf", "tt", "it"})


def with_font(node: Node, font: str) -> Node:
    r"""A node with a font put on every letter that has none; a run of upright letters is one word.

    Examples:
        >>> with_font(Product((Name("i"), Name("d")), ("",)), "rm").letter
        'id'
    """
    step = _STEPS.get(type(node))
    return node if step is None else step(node, font)


def _name(node: Name, font: str) -> Node:
    return node if node.font or not font else replace(node, font=font)  # type: ignore[arg-type]


def _number(node: Number, font: str) -> Node:
    r"""``\mathbf{1}`` and ``\mathbf{0}`` are names of vectors."""
    if font in ("bold", "bb") and node.digits in ("0", "1"):
        return Name(node.digits, font, span=node.span)  # type: ignore[arg-type]
    return node


def _product(node: Product, font: str) -> Node:
    if font in _UPRIGHT and not any(node.operators) and all(_is_letter(factor) for factor in node.factors):
        word = "".join(factor.letter for factor in node.factors if isinstance(factor, Name))
        return Name(word, font, span=node.span)  # type: ignore[arg-type]
    return replace(node, factors=_all(node.factors, font))


def _is_letter(node: Node) -> bool:
    return isinstance(node, Name) and len(node.letter) == 1 and not node.font and not node.accents


def _all(nodes: tuple[Node, ...], font: str) -> tuple[Node, ...]:
    return tuple(with_font(node, font) for node in nodes)


_STEPS: dict[type, Callable[[Any, str], Node]] = {
    Name: _name,
    Number: _number,
    Product: _product,
    Subscript: lambda node, font: replace(node, base=with_font(node.base, font)),
    Superscript: lambda node, font: replace(node, base=with_font(node.base, font)),
    Sum: lambda node, font: replace(node, terms=_all(node.terms, font)),
    Group: lambda node, font: replace(node, body=with_font(node.body, font)),
    Sequence: lambda node, font: replace(node, items=_all(node.items, font)),
    Chain: lambda node, font: replace(node, operands=_all(node.operands, font)),
    Root: lambda node, font: replace(node, body=with_font(node.body, font)),
    Fraction_: lambda node, font: replace(
        node, numerator=with_font(node.numerator, font), denominator=with_font(node.denominator, font)
    ),
    Grid: lambda node, font: replace(node, rows=tuple(_all(row, font) for row in node.rows)),
}
