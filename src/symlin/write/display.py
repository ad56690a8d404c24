r"""Formulas put into a text: delimiters, closing punctuation inside or outside, lists of clauses.

Offers `inline_math`, `display_math` and `clauses`; rests on `style`.  It takes LaTeX that is already written and adds
what the place needs: ``\(AB\text{,}\)``, ``<m>AB</m>,``, ``\begin{equation*}…\end{equation*}``.
"""

from __future__ import annotations

from collections.abc import Iterable

from symlin.errors import SymlinError
from symlin.write.exposition import pretext_math
from symlin.write.style import DEFAULT, Style

INLINE = {"latex": (r"\(", r"\)"), "markdown": ("$", "$"), "pretext": ("<m>", "</m>")}
DISPLAY = {
    "latex": ("\\begin{equation*}\n", "\n\\end{equation*}"),
    "markdown": ("$$\n", "\n$$"),
    "pretext": ("<md>", "</md>"),
}


def inline_math(latex: str, form: str = "latex", punctuation: str = "", style: Style = DEFAULT) -> str:
    r"""A formula in a line of text, with the punctuation that follows it.

    Examples:
        >>> from symlin.write.style import PRETEXT, PRETEXT_RENDERED
        >>> inline_math("AB", "pretext", ",", PRETEXT), inline_math("AB", "latex", ",", PRETEXT_RENDERED)
        ('<m>AB</m>,', '\\(AB\\text{,}\\)')
    """
    opening, closing = _delimiters(INLINE, form)
    body = pretext_math(latex) if form == "pretext" else latex
    if style.inline_punctuation == "outside" or not punctuation:
        return f"{opening}{body}{closing}{punctuation}"
    inside = rf"\text{{{punctuation}}}" if style.text_punctuation else punctuation
    return f"{opening}{body}{inside}{closing}"


def display_math(latex: str, form: str = "latex", punctuation: str = "", style: Style = DEFAULT) -> str:
    r"""A formula on a line of its own.

    Examples:
        >>> from symlin.write.style import PRETEXT
        >>> display_math("AB=BA", "pretext", ".", PRETEXT)
        '<md>AB=BA.</md>'
    """
    opening, closing = _delimiters(DISPLAY, form)
    body = pretext_math(latex) if form == "pretext" else latex
    if style.display_punctuation == "outside":
        return f"{opening}{body}{closing}{punctuation}"
    return f"{opening}{body}{punctuation}{closing}"


def _delimiters(table: dict[str, tuple[str, str]], form: str) -> tuple[str, str]:
    found = table.get(form)
    if found is None:
        raise SymlinError(f"{form!r} has no delimiters for formulas; use one of {', '.join(table)}")
    return found


def clauses(formulas: Iterable[str], separator: str = r",\qquad ") -> str:
    r"""Formulas side by side in one display.

    Examples:
        >>> clauses(["Q=XW_Q", "K=XW_K"])
        'Q=XW_Q,\\qquad K=XW_K'
    """
    return separator.join(formulas)
