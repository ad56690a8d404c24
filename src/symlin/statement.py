"""Statements: what is claimed of Terms.

Offers `Statement`, one relation between two Terms under hypotheses; rests on `term`.  A statement means:
for all values of its symbols, all sizes its shapes allow and all values of its free indices in range.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import Any

from symlin.errors import ShapeError
from symlin.term import Term, as_term, size_text


@dataclass(frozen=True, slots=True)
class Statement:
    """`lhs relation rhs`, given the hypotheses.

    Args:
        lhs: a Term, m×n.
        rhs: a Term of the same shape (for ``=`` and ``\\ne``).
        relation: ``=``, ``\\ne``, ``<``, ``>``, ``\\le``, ``\\ge`` or ``\\approx``.
        hypotheses: statements assumed.

    Raises:
        ShapeError: the two sides differ in shape.

    Examples:
        >>> from symlin.construct import symbol
        >>> A, B = symbol("A", "m", "n"), symbol("B", "m", "n")
        >>> print((A + B).eq(B + A))
        A + B = B + A
        >>> A.eq(B.T)
        Traceback (most recent call last):
        symlin.errors.ShapeError: A is m×n and B^T is n×m: the two sides of = differ in size
    """

    lhs: Term
    rhs: Term
    relation: str = "="
    hypotheses: tuple[Statement, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "lhs", as_term(self.lhs))
        object.__setattr__(self, "rhs", as_term(self.rhs))
        if self.lhs.shape != self.rhs.shape:
            left = f"{self.lhs} is {size_text(self.lhs.shape)}"
            right = f"{self.rhs} is {size_text(self.rhs.shape)}"
            raise ShapeError(
                f"{left} and {right}: the two sides of {self.relation} differ in size", left, right
            )

    def given(self, *hypotheses: Statement) -> Statement:
        """The same statement under more hypotheses."""
        return Statement(self.lhs, self.rhs, self.relation, self.hypotheses + hypotheses)

    def __str__(self) -> str:
        text = f"{self.lhs} {self.relation} {self.rhs}"
        if self.hypotheses:
            text += " given " + ", ".join(str(one) for one in self.hypotheses)
        return text

    def to_sympy(self) -> Any:
        """An unevaluated SymPy ``Eq`` (or other relation)."""
        return importlib.import_module("symlin.sympy_bridge").statement_to_sympy(self)

    def _repr_latex_(self) -> str:
        return f"${importlib.import_module('symlin.write.latex').statement_latex(self)}$"
