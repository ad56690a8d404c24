r"""Declarations: ``A, B: m x n symmetric``, ``x: n``, ``r: scalar``, ``Q: L x d rows``, ``\alpha: L x L``, ``1: n``.

Offers `declare`, which enters one declaration into a `Context`; rests on `latex` for names and on `dims` for sizes.
What a declaration does not say (an unknown property, a size that is none) is an error with its place.
"""

from __future__ import annotations

import re

from symlin.context import PROPERTIES, Context
from symlin.dims import ONE, Dim
from symlin.errors import Place, ReadError
from symlin.read.latex import parse
from symlin.read.names import Spelled, is_capital, spell
from symlin.read.syntax import Node, Number, Sequence

_BY = re.compile(r"\s*(?:\\times(?![A-Za-z])|×|\bby\b|(?<![A-Za-z\\])x(?![A-Za-z_]))\s*")
_PROPERTY_TAIL = re.compile(r"(?:^|\s)((?:[a-z]{4,}(?:\s+\d+)?)(?:[\s,]+[a-z]{4,}(?:\s+\d+)?)*)\s*$")
FORM = "a declaration such as 'A: m x n', 'x: n', 'r: scalar' or 'Q: L x d rows'"


def declare(context: Context, text: str) -> None:
    """Enter a declaration into a context.

    Raises:
        ReadError: it is no declaration; with line, column, caret and what was expected.

    Examples:
        >>> context = Context()
        >>> declare(context, "A, B: m x n symmetric")
        >>> sorted(context.names), str(context.names["B"].symbol.cols)
        (['A', 'B'], 'n')
        >>> declare(context, "A: m x n smooth")
        Traceback (most recent call last):
        symlin.errors.ReadError: line 1, column 10: 'smooth' is no property; expected one of columns, complex, hermitian, idempotent, invertible, involution, nilpotent, orthogonal, permutation, projection, real, rows, scalar, skew, symmetric, unitary
        A: m x n smooth
                 ^^^^^^
    """
    colon = text.find(":")
    if colon < 0:
        raise ReadError(f"{text!r} has no colon", Place(text, len(text), len(text) + 1), FORM)
    names = _names(text, colon)
    sizes, properties = _right_side(text, colon + 1)
    for spelled in names:
        _enter(context, spelled, sizes, properties, text)


def _names(text: str, colon: int) -> list[Spelled]:
    try:
        formula = parse(text[:colon])
    except ReadError as error:
        place = error.place
        moved = Place(text, place.start, place.end) if place is not None else None
        raise ReadError(error.message, moved, error.expected) from None
    nodes: list[Node] = []
    for clause in formula.clauses:
        nodes.extend(clause.items if isinstance(clause, Sequence) else [clause])
    found = []
    for node in nodes:
        spelled = (
            Spelled("1", "1", "bold", (), node)
            if isinstance(node, Number) and node.digits == "1"
            else spell(node)
        )
        if spelled is None or spelled.indices:
            name = _spelled_with_index(spelled)
            if name is None:
                raise ReadError(
                    "this is no name",
                    Place(text, node.span.start, max(node.span.end, node.span.start + 1)),
                    "a name such as A, W_Q or \\alpha",
                )
            spelled = name
        found.append(spelled)
    if not found:
        raise ReadError("no name before the colon", Place(text, 0, max(colon, 1)), FORM)
    return found


def _spelled_with_index(spelled: Spelled | None) -> Spelled | None:
    """A declared x_1, P_k or A_{12} is a name of its own."""
    from symlin.read.meaning import indexed_name
    from symlin.read.names import index_dim

    if spelled is None:
        return None
    dims = [index_dim(index) for index in spelled.indices]
    if any(dim is None for dim in dims):
        return None
    name = indexed_name(spelled, tuple(dim for dim in dims if dim is not None))
    return Spelled(name, spelled.letter, spelled.font, (), spelled.node)


def _right_side(text: str, start: int) -> tuple[tuple[Dim, Dim] | None, frozenset[str]]:
    body = text[start:]
    tail = _PROPERTY_TAIL.search(body)
    words: list[str] = []
    if tail is not None:
        offset = start + tail.start(1)
        for match in re.finditer(r"[a-z]+(?:\s+\d+)?", tail.group(1)):
            word = match.group().split()[0]
            if word not in PROPERTIES:
                known = ", ".join(sorted(PROPERTIES))
                at = offset + match.start()
                raise ReadError(
                    f"{word!r} is no property", Place(text, at, at + len(word)), f"one of {known}"
                )
            index = match.group().split()[1:]
            if index and (word != "nilpotent" or index == ["0"]):
                raise ReadError(
                    f"{match.group()!r} is no property",
                    Place(text, offset + match.start(), offset + match.end()),
                    f"{word} without a number" if word != "nilpotent" else "an index of at least 1",
                )
            words.append(" ".join([word, *index]))
        body = body[: tail.start()]
    if not body.strip():
        if "scalar" in words:
            return (ONE, ONE), frozenset(words)
        if words:
            return None, frozenset(words)
        raise ReadError(
            "nothing stands after the colon",
            Place(text, len(text), len(text) + 1),
            "a size such as m x n, or scalar",
        )
    parts = _BY.split(body.strip())
    if len(parts) > 2:
        raise ReadError(
            f"{body.strip()!r} has more than two sizes",
            Place(text, start, len(text)),
            "a size such as m x n, or n for a column vector",
        )
    dims = []
    for part in parts:
        at = text.find(part, start)
        try:
            dim = Dim.of(part)
        except ReadError as error:
            inner = error.place
            moved = (
                Place(text, at + inner.start, at + inner.end)
                if inner is not None
                else Place(text, start, len(text))
            )
            raise ReadError(error.message, moved, "a size such as 3, n or m+1") from None
        if dim.constant is not None and dim.constant < 1:
            raise ReadError(
                f"the size {part} is not positive", Place(text, at, at + len(part)), "a size of at least 1"
            )
        dims.append(dim)
    return (dims[0], dims[1] if len(dims) == 2 else ONE), frozenset(words)


def _enter(
    context: Context, spelled: Spelled, sizes: tuple[Dim, Dim] | None, properties: frozenset[str], text: str
) -> None:
    style = spelled.font if spelled.font not in ("it",) else ""
    if sizes is None:
        rows, cols = context.sizes.unknown(), context.sizes.unknown()
    else:
        rows, cols = sizes
    if rows == ONE and cols == ONE:
        kind = "scalar"
    elif cols == ONE and not is_capital(spelled.letter):
        kind = "vector"
        style = style or "bold"
    else:
        kind = "matrix"
    name = "1" if spelled.letter == "1" else spelled.name
    context.declare(name, kind, rows, cols, style=style, properties=properties)  # type: ignore[arg-type]
    if name == "1":
        context.names["1"] = context.names.pop("v:1", context.names.get("1"))  # type: ignore[arg-type]
    for role in ("rows", "columns"):
        if role in properties:
            letter = spelled.letter.lower() if len(spelled.letter) == 1 else spelled.letter
            context.name_convention(f"v:{letter}", spelled.name, role)
            context.name_convention(letter, spelled.name, role)
