"""Anything symlin has to show, in any of its forms.

Offers `write_as`; rests on the writers beside it.  What can show itself (a result, a derivation) is asked to.
"""

from __future__ import annotations

from typing import Any

from symlin.errors import SymlinError
from symlin.statement import Statement
from symlin.term import Term, as_term
from symlin.write.exposition import pretext_math
from symlin.write.latex import latex, statement_latex
from symlin.write.plain import plain, statement_plain
from symlin.write.style import DEFAULT, FORMS, PRETEXT, Style


def write_as(value: Any, form: str = "latex", *, style: Style | None = None) -> str:
    r"""A Term, a Statement, a result, a derivation or a SymPy expression as text of the given form.

    Args:
        value: what to write; anything with a `render` method shows itself.
        form: ``latex``, ``text``, ``markdown`` or ``pretext``.
        style: how LaTeX is written.

    Raises:
        SymlinError: no such form.

    Examples:
        >>> from symlin.construct import symbol
        >>> A = symbol("A", "n", "n")
        >>> [write_as(A.T, form) for form in ("latex", "text", "markdown", "pretext")]
        ['A^T', 'A^T', '$A^T$', '<m>A^T</m>']
    """
    if form not in FORMS:
        raise SymlinError(f"{form!r} is no form; use one of {', '.join(FORMS)}")
    if hasattr(value, "verdicts"):
        from symlin.write.result import render

        return render(value, form)
    if hasattr(value, "render") and not isinstance(value, Term):
        return str(value.render(form, style=style))
    if not isinstance(value, Statement):
        value = as_term(value)
    if form == "text":
        return statement_plain(value) if isinstance(value, Statement) else plain(value)
    chosen = style or (PRETEXT if form == "pretext" else DEFAULT)
    text = statement_latex(value, chosen) if isinstance(value, Statement) else latex(value, chosen)
    match form:
        case "markdown":
            return f"${text}$"
        case "pretext":
            return f"<m>{pretext_math(text)}</m>"
    return text
