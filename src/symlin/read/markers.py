"""The markers of list items: how the n-th item of a list is marked.

Offers `counted`; rests on nothing, and knows no format.
"""

from __future__ import annotations

_ROMAN = ((100, "c"), (90, "xc"), (50, "l"), (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"))
#: Shapes of the markers of ordered lists, outermost first.
SHAPES = ("1", "a", "i", "A")


def counted(shape: str, before: int) -> str:
    """The marker of an item.

    Args:
        shape: ``1``, ``0``, ``a``, ``A``, ``i`` or ``I``; any other is the marker of every item.
        before: how many items stand before it.

    Examples:
        >>> [counted(shape, 3) for shape in "10aAiI•"]
        ['4', '3', 'd', 'D', 'iv', 'IV', '•']
    """
    if shape in ("a", "A"):
        letters = chr(ord("a") + before % 26) * (before // 26 + 1)
        return letters.upper() if shape == "A" else letters
    if shape in ("i", "I"):
        return _roman(before + 1) if shape == "i" else _roman(before + 1).upper()
    if shape in ("0", "1"):
        return str(before + int(shape))
    return shape


def _roman(number: int) -> str:
    parts = []
    for value, letters in _ROMAN:
        parts.append(letters * (number // value))
        number %= value
    return "".join(parts)
