"""What was asked of a derivation: the values that symbols stand for, the forms to go through, how far to write out.

Offers `Options` and `opened`; rests on `steps`.  Views read it and leave it as it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from symlin.derive.steps import Step
from symlin.derive.unfold import WRITE_OUT
from symlin.errors import ShapeError
from symlin.term import Term, size_text


@dataclass(frozen=True, slots=True)
class Options:
    """What was asked for.

    Args:
        values: what symbols stand for, a formula or a matrix of numbers.
        forms: for an entry, the forms to go through; None for the usual ones.
        write_out: sums over at most this many values are written out.

    Raises:
        ShapeError: a value differs in size from its symbol.
    """

    values: Mapping[Term, Term] = field(default_factory=dict)
    forms: tuple[str, ...] | None = None
    write_out: int = WRITE_OUT

    def __post_init__(self) -> None:
        for symbol, value in self.values.items():
            if symbol.shape != value.shape:
                sizes = f"{symbol} is {size_text(symbol.shape)}, but its value is {size_text(value.shape)}"
                raise ShapeError(sizes)

    def without(self, *used: Term) -> Options:
        """The same without the values of symbols that are put in already."""
        left = {symbol: value for symbol, value in self.values.items() if symbol not in used}
        return Options(left, self.forms, self.write_out)


def opened(term: Term, chosen: Options) -> tuple[Term, list[Step], Options]:
    """What a symbol stands for, where that is a formula: S becomes QKᵀ, so that a view of S is one of QKᵀ.

    Examples:
        >>> from symlin.construct import symbol
        >>> S, Q, K = symbol("S", "L", "L"), symbol("Q", "L", "d"), symbol("K", "L", "d")
        >>> term, steps, _ = opened(S, Options({S: Q @ K.T}))
        >>> print(term, [step.reason for step in steps])
        QK^T ['S = QK^T']
    """
    steps: list[Step] = []
    while term in chosen.values and chosen.values[term].op != "literal":
        value = chosen.values[term]
        steps.append(Step(value, f"{term} = {value}", "definition"))
        term, chosen = value, chosen.without(term)
    return term, steps, chosen
