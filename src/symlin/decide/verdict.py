"""What an engine answers: a verdict with the proof or the counterexample that earned it.

Offers `Verdict`, `Proof`, `Step` and `Counterexample`; rests on `statement`.  These are records: engines
fill them in, writers show them, and neither can turn one verdict into another.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any, Literal, NamedTuple, TypeAlias

from symlin.statement import Statement
from symlin.term import Term

Kind: TypeAlias = Literal["proved", "holds", "refuted", "unknown", "unsupported"]
Value: TypeAlias = tuple[tuple[Fraction, ...], ...]
"""An exact matrix, by rows."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a derivation: `before` becomes `after` by `rule`.

    Args:
        before: the Term before the step.
        after: the Term after it, of the same shape.
        rule: the rule's name in the glossary's naming code (``mulmxA``, ``trmx_mul`` …).
        reason: the rule in words, for a reader ("the transpose of a product is the product of the transposes
            in reverse order").
    """

    before: Term
    after: Term
    rule: str
    reason: str


class Steps(NamedTuple):
    """Steps from the left side, and from the right side, to where both sides meet.

    Args:
        left: steps from the left side.
        right: steps from the right side.
        law: whether one rule of matrix algebra was the whole story, so that steps would explain nothing.
    """

    left: tuple[Step, ...] = ()
    right: tuple[Step, ...] = ()
    law: bool = False


class Explanation:
    """Steps for a reader, worked out when somebody looks: most proofs are only counted."""

    def __init__(self, work: Callable[[], Steps]) -> None:
        self._work = work

    @cached_property
    def steps(self) -> Steps:
        """The steps."""
        return self._work()


@dataclass(frozen=True, slots=True)
class Proof:
    """How a statement was proved.

    Args:
        statement: what was proved.
        engine: ``words``, ``entries``, ``explicit``, ``numeric`` …
        explanation: the steps that a reader follows, where there are any.
        theorem: the kernel's Theorem, when the kernel has checked it.
        certificate: the data that the kernel needs to check it again.
        hypotheses: statements used (definitions and assumptions, also that inverses exist).
        axioms: names of listed axioms used.
        trusted: names of trusted computations used.
    """

    statement: Statement
    engine: str
    explanation: Explanation | None = None
    theorem: Any = None
    certificate: Any = None
    hypotheses: tuple[Statement, ...] = ()
    axioms: tuple[str, ...] = ()
    trusted: tuple[str, ...] = ()

    @property
    def steps(self) -> Steps:
        """What a reader can follow; empty where there is nothing but the comparison of entries or values."""
        return self.explanation.steps if self.explanation is not None else Steps()

    @property
    def left(self) -> tuple[Step, ...]:
        """Steps from the left side to where both sides meet."""
        return self.steps.left

    @property
    def right(self) -> tuple[Step, ...]:
        """Steps from the right side to the same Term."""
        return self.steps.right


@dataclass(frozen=True, slots=True)
class Counterexample:
    """Values for which a statement fails, with both sides evaluated exactly.

    Args:
        values: the value of each symbol of the statement.
        sizes: the value of each size symbol and free index.
        lhs: the left side at these values.
        rhs: the right side.
        place: the first entry (row, column) that differs, counted from 1.
        smallest: how far "smallest" was searched, in words ("" when it was not).
    """

    values: Mapping[Term, Value]
    sizes: Mapping[str, int]
    lhs: Value
    rhs: Value
    place: tuple[int, int]
    smallest: str = ""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The answer to one statement.

    Args:
        kind: ``proved`` (all values, all sizes), ``holds`` (true of the particular objects given, computed exactly),
            ``refuted``, ``unsupported`` (a construct no engine decides; `reason` names it) or ``unknown``.
        statement: the statement as it was decided (definitions not yet put in).
        reason: one sentence for a person; never empty unless `kind` is ``proved``.
        proof: for ``proved`` and ``holds``.
        counterexample: for ``refuted``.
        used: the definitions that were needed, as statements ``symbol = term``.
    """

    kind: Kind
    statement: Statement
    reason: str = ""
    proof: Proof | None = None
    counterexample: Counterexample | None = None
    used: tuple[Statement, ...] = field(default=())
