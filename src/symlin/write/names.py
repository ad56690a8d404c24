r"""Names in LaTeX: letters with fonts, accents and labels, sizes and indices.

Offers `symbol_latex`, `dim_latex` and `index_latex`; rests on `dims`.  A name is kept without its font
(``A_{\mathrm{att}}``), so the font goes on the letter only: ``\mathbf{b}_1``.
"""

from __future__ import annotations

import re

from symlin.dims import Dim
from symlin.write.pieces import glue

FONTS = {
    "bold": r"\mathbf",
    "vec": r"\vec",
    "rm": r"\mathrm",
    "cal": r"\mathcal",
    "bb": r"\mathbb",
    "frak": r"\mathfrak",
    "sf": r"\mathsf",
    "tt": r"\mathtt",
    "it": r"\mathit",
}
_ACCENTED = re.compile(r"\\([A-Za-z]+)\{(.*)\}('*)\Z", re.DOTALL)
_SPACED_SIGN = re.compile(r"\s*([+-])\s*")
_SIMPLE_INDEX = re.compile(r"(?:[A-Za-z0-9]|\\[A-Za-z]+)\Z")


def split_name(name: str) -> tuple[str, str]:
    r"""The letter and the label of a name, the label with its underscore.

    Examples:
        >>> split_name(r"A_{\mathrm{att}}"), split_name("W_Q"), split_name("x")
        (('A', '_{\\mathrm{att}}'), ('W', '_Q'), ('x', ''))
    """
    depth = 0
    for place, char in enumerate(name):
        depth += {"{": 1, "}": -1}.get(char, 0)
        if char == "_" and depth == 0:
            return name[:place], name[place:]
    return name, ""


def letter_latex(letter: str, style: str) -> str:
    r"""A letter in its font; accents stay outside.

    Examples:
        >>> letter_latex("x", "bold"), letter_latex(r"\alpha", "bold"), letter_latex(r"\hat{x}", "bold")
        ('\\mathbf{x}', '\\boldsymbol{\\alpha}', '\\hat{\\mathbf{x}}')
    """
    if not style:
        return letter
    accented = _ACCENTED.match(letter)
    if accented:
        accent, inner, primes = accented.groups()
        return f"\\{accent}{{{letter_latex(inner, style)}}}{primes}"
    core = letter.rstrip("'")
    primes = letter[len(core) :]
    font = r"\boldsymbol" if style == "bold" and core.startswith("\\") else FONTS.get(style, r"\mathrm")
    return f"{font}{{{core}}}{primes}"


def symbol_latex(name: str, style: str = "") -> str:
    r"""A whole name in its font.

    Examples:
        >>> symbol_latex("b_1", "bold"), symbol_latex("W_Q"), symbol_latex(r"\alpha", "bold")
        ('\\mathbf{b}_1', 'W_Q', '\\boldsymbol{\\alpha}')
    """
    letter, label = split_name(name)
    return letter_latex(letter, style) + _SPACED_SIGN.sub(r"\1", label)


def dim_latex(dim: Dim) -> str:
    """A size or index, without spaces round its signs."""
    return str(dim).replace(" + ", "+").replace(" - ", "-")


def index_latex(*dims: Dim) -> str:
    r"""Indices as a subscript: ``_{ij}``, ``_1``, ``_{i\ell}``, ``_{i+1,j}``.

    Examples:
        >>> index_latex(Dim.of("i"), Dim.of(r"\ell")), index_latex(Dim.of(1)), index_latex(Dim.of(2), Dim.of(12))
        ('_{i\\ell}', '_1', '_{2,12}')
    """
    parts = [dim_latex(dim) for dim in dims]
    if all(_SIMPLE_INDEX.match(part) for part in parts):
        joined = glue(*parts)
    else:
        joined = ",".join(parts)
    return f"_{joined}" if len(joined) == 1 else f"_{{{joined}}}"


def script(text: str) -> str:
    """What stands in a superscript, in braces when it is more than one character."""
    return f"^{text}" if len(text) == 1 else f"^{{{text}}}"
