r"""Terms and statements as LaTeX.

Offers `latex`, `statement_latex`, `chain_latex` and `latex_with_declarations`; rests on `term` and on the modules
beside it.  A constructor is one line of the table; what is written reads back as the same Term.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import cast

from symlin.errors import BudgetError
from symlin.statement import Statement
from symlin.term import Term
from symlin.write.latex_table import WRITERS, number_piece
from symlin.write.notation import Notation
from symlin.write.pieces import Level, Piece, fold, glue
from symlin.write.style import DEFAULT, Style

LONGEST = 1_000_000
_TALL = re.compile(r"\\(?:sum|frac|begin)(?![A-Za-z])")


def latex(term: Term, style: Style = DEFAULT) -> str:
    r"""A Term as LaTeX, without delimiters.

    Args:
        term: what to write.
        style: how (see `symlin.write.style.Style`).

    Raises:
        BudgetError: it would be more than a million characters.

    Examples:
        >>> from symlin.construct import number, scale, symbol
        >>> A, B, x = symbol("A", "m", "n"), symbol("B", "n", "k"), symbol("x", "k", 1, "bold")
        >>> latex((A @ B).T @ A), latex((A @ B)["i", "j"]), latex(A["i", r"\ell"]), latex(A @ B.column(1))
        ('(AB)^TA', '(AB)_{ij}', 'a_{i\\ell}', 'A\\mathbf{b}_1')
        >>> latex(scale(number(2), number(-4))), latex(A - A), latex(A @ (B @ x))
        ('2(-4)', 'A-A', 'A(B\\mathbf{x})')
    """
    return Writer(Notation.of((term,), style)).text(term)


def statement_latex(statement: Statement, style: Style = DEFAULT) -> str:
    r"""A statement as LaTeX, its hypotheses after it.

    Examples:
        >>> from symlin.construct import symbol
        >>> A, B = symbol("A", "n", "n"), symbol("B", "n", "n")
        >>> statement_latex((A @ B).eq(B @ A))
        'AB=BA'
        >>> statement_latex((A @ B).eq(B @ A).given(A.eq(A.T)))
        'AB=BA\\quad\\text{given }A=A^T'
    """
    links = [statement, *statement.hypotheses]
    writer = Writer(Notation.of([side for one in links for side in (one.lhs, one.rhs)], style))
    first, *given = (
        glue(writer.text(one.lhs), relation_latex(one.relation), writer.text(one.rhs)) for one in links
    )
    return first + (rf"\quad\text{{given }}{', '.join(given)}" if given else "")


def chain_latex(
    terms: Sequence[Term], style: Style = DEFAULT, relation: str = "=", split: bool | None = None
) -> str:
    r"""Terms with a relation between them, one chain.

    Args:
        terms: two or more Terms of one shape.
        style: how to write.
        relation: the sign between them.
        split: one line a link with alignment marks; None decides by the length of the chain.

    Examples:
        >>> from symlin.construct import symbol
        >>> A = symbol("A", "n", "n")
        >>> chain_latex([A, A.T, A.T.T])
        'A=A^T=(A^T)^T'
        >>> print(chain_latex([A, A.T, A.T.T], split=True))
        A &= A^T \\
          &= (A^T)^T
    """
    writer = Writer(Notation.of(terms, style))
    texts = [writer.text(term) for term in terms]
    sign = relation_latex(relation)
    line = sign.join(texts)
    if split is None:
        split = len(line) > style.one_line and len(texts) > 2
    if not split:
        return line
    mark = style.ampersand + (" " if style.ampersand.startswith("\\") and sign[:1].isalpha() else "")
    first = f"{texts[0]} {mark}{sign} {texts[1]}"
    indent = " " * (min(len(texts[0]), 20) + 1)
    rest = [f"{indent}{mark}{sign} {text}" for text in texts[2:]]
    return " \\\\\n".join([first, *rest])


_RELATIONS = {"=": "=", r"\approx": r"\approx ", r"\ne": r"\ne ", r"\le": r"\le ", r"\ge": r"\ge "}


def relation_latex(relation: str) -> str:
    """The sign of a relation, with a space after it where it is a command."""
    return _RELATIONS.get(relation, relation)


def latex_with_declarations(term: Term, style: Style = DEFAULT) -> tuple[str, list[str]]:
    r"""A Term as LaTeX with the declarations under which it reads back as the same Term.

    Returns:
        The LaTeX, and declarations in the form of ``--where``.

    Examples:
        >>> from symlin.construct import symbol
        >>> B, x = symbol("B", "n", "k"), symbol("x", "k", 1, "bold")
        >>> latex_with_declarations(B @ x), latex_with_declarations(B.column(1))
        (('B\\mathbf{x}', ['B: n x k', 'x: k']), ('\\mathbf{b}_1', ['B: n x k columns']))
    """
    from symlin.write.declarations import declarations

    notation = Notation.of((term,), replace(style, zero_sizes=term.op == "zero"))
    return Writer(notation).text(term), declarations(term, notation)


class Writer:
    """Writes Terms in one notation."""

    __slots__ = ("notation", "style")

    def __init__(self, notation: Notation) -> None:
        self.notation = notation
        self.style = notation.style

    def text(self, term: Term) -> str:
        """A whole Term."""
        return self.piece(term).signed

    def piece(self, term: Term) -> Piece:
        """A Term as a piece of a larger text."""
        return fold(term, self._write)

    def _write(self, term: Term, parts: tuple[Piece, ...]) -> Piece:
        piece = WRITERS[term.op](self, term, parts)
        if not piece.tall and _TALL.search(piece.text):
            piece = replace(piece, tall=True)
        if len(piece.text) > LONGEST:
            raise BudgetError("length", f"the formula would be longer than {LONGEST:,} characters")
        return piece

    def cell(self, term: Term, piece: Piece) -> str:
        """A cell of a matrix."""
        inner = term.args[0] if term.op == "neg" else term
        if inner.op == "number" and self.style.cell_fractions != self.style.fractions:
            value, decimals = cast("tuple[Fraction, int]", inner.data)
            number = number_piece(value, decimals, self.style.cell_fractions, self.style.short_fractions)
            if term.op == "neg":
                return f"-{number.within(Level.OPERATOR)}"
            return number.signed
        return piece.signed

    def grid(self, rows: Sequence[Sequence[str]]) -> str:
        """A matrix of cells."""
        amp = f" {self.style.ampersand} "
        body = "\\\\".join(amp.join(row) for row in rows)
        return rf"\begin{{{self.style.matrix}}}{body}\end{{{self.style.matrix}}}"
