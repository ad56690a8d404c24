"""A derivation: an expression, what it becomes step by step, and why.

Offers `Derivation`; rests on `steps` and the writers.  Every step is a Term, so that what is shown can be computed
with, handed to SymPy, or stopped at any form.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from symlin.decide import Verdict, decide
from symlin.derive.steps import Step
from symlin.errors import SymlinError
from symlin.statement import Statement
from symlin.term import Term
from symlin.write.derivation import listed
from symlin.write.exposition import Block, Chain, Exposition, Line, Prose, render
from symlin.write.latex import Writer, chain_latex
from symlin.write.notation import Notation
from symlin.write.plain import plain
from symlin.write.style import DEFAULT, Style


@dataclass(frozen=True, slots=True)
class Derivation:
    r"""An expression and the steps that lead from it to a result.

    Args:
        start: what is derived.
        steps: what it becomes, each with a reason.
        given: what symbols stand for, where values were put in: statements ``symbol = value``.
        details: how parts of it were worked out, each a derivation of its own.

    Examples:
        >>> from symlin.construct import symbol
        >>> from symlin.derive.views import derive
        >>> A, B = symbol("A", "m", "n"), symbol("B", "n", "k")
        >>> found = derive(A @ B, entry=("i", "j"))
        >>> found.latex()
        '(AB)_{ij}=\\sum_{\\ell=1}^{n}a_{i\\ell}b_{\\ell j}'
        >>> print(found)
        (AB)_{ij} = Σ_{ℓ=1}^{n} a_{iℓ} b_{ℓj}    an entry of a product is row times column
    """

    start: Term
    steps: tuple[Step, ...]
    given: tuple[Statement, ...] = ()
    details: tuple[Derivation, ...] = ()

    @property
    def result(self) -> Term:
        """What the last step arrives at."""
        return self.steps[-1].term if self.steps else self.start

    @property
    def terms(self) -> tuple[Term, ...]:
        """The expression and what every step makes of it."""
        return (self.start, *(step.term for step in self.steps))

    @property
    def statement(self) -> Statement:
        """What the derivation shows: start = result, given the values."""
        return Statement(self.start, self.result, "=", self.given)

    def statements(self) -> Iterator[Statement]:
        """What each step claims, one equation a step."""
        before = self.start
        for step in self.steps:
            yield Statement(before, step.term)
            before = step.term

    def verdicts(self) -> tuple[Verdict, ...]:
        """Every step decided on its own, by the engines that decide any statement.

        Examples:
            >>> from symlin.construct import symbol
            >>> from symlin.derive.views import derive
            >>> A, B, C = symbol("A", "m", "n"), symbol("B", "n", "k"), symbol("C", "k", "p")
            >>> [verdict.kind for verdict in derive(A @ (B @ C), entry=("i", "j")).verdicts()]
            ['proved', 'proved', 'proved']
        """
        definitions = [(one.lhs, one.rhs) for one in self.given]
        return tuple(decide(one, definitions=definitions, steps=False) for one in self.statements())

    def until(self, count: int) -> Derivation:
        """The same derivation, stopped after `count` steps."""
        details = self.details if count >= len(self.steps) else ()
        return Derivation(self.start, self.steps[:count], self.given, details)

    def to(self, form: str) -> Derivation:
        r"""The same derivation, stopped where it first has a form: at the last step of its first run in that form.

        Args:
            form: ``dot``, ``row-column``, ``sum`` (written out), ``combination``, ``value`` and the like.

        Raises:
            SymlinError: it never has that form; says which forms it has.

        Examples:
            >>> from symlin.construct import symbol
            >>> from symlin.derive.views import derive
            >>> Q, K = symbol("Q", "L", "d"), symbol("K", "L", "d")
            >>> derive(Q @ K.T, entry=("i", "j"), forms=("dot",)).to("dot").latex()
            '(QK^T)_{ij}=\\mathbf{q}_i\\cdot \\mathbf{k}_j'
        """
        places = [place for place, step in enumerate(self.steps) if step.form == form]
        if not places:
            forms = dict.fromkeys(step.form for step in self.steps if step.form)
            raise SymlinError(
                f"no step has the form {form!r}; there is {', '.join(forms) or 'none to choose'}"
            )
        last = places[0]
        while last + 1 in places:
            last += 1
        return self.until(last + 1)

    def step(self, form: str) -> Term:
        """What the expression is in this form.

        Raises:
            SymlinError: it never has that form.
        """
        return self.to(form).result

    def keep(self, *numbers: int) -> Derivation:
        """Only these steps, counted from 1: what lies between is left to the reader.

        Raises:
            SymlinError: no such step.
        """
        for number in numbers:
            if not 1 <= number <= len(self.steps):
                raise SymlinError(f"there is no step {number}: the derivation has {len(self.steps)}")
        kept = tuple(self.steps[number - 1] for number in numbers)
        return Derivation(self.start, kept, self.given, self.details)

    def latex(self, style: Style = DEFAULT) -> str:
        """The chain start = … = result, on one line or, where it is long, one link a line."""
        return chain_latex(self.terms, style)

    def text(self) -> str:
        """The chain with its reasons as text."""
        return self.render("text")

    def exposition(self) -> Exposition:
        """The values given and the chain with its reasons, for a writer."""
        blocks: list[Block] = [self._chain()]
        if self.given:
            blocks.insert(0, Prose(("With ", *listed(self.given), ":")))
        if self.details:
            blocks += [Prose(("Worked out:",)), *(one._chain() for one in self.details)]
        return Exposition(tuple(blocks))

    def _chain(self) -> Chain:
        return Chain(self.start, tuple(Line(step.term, step.reason) for step in self.steps))

    def render(self, form: str = "text", style: Style | None = None) -> str:
        """The derivation as `text`, `latex` (an align environment with reasons), `markdown`, `pretext` or `json`."""
        if form == "json":
            return json.dumps(self.to_json(style), ensure_ascii=False)
        return render(self.exposition(), form, style)

    def to_json(self, style: Style | None = None) -> dict[str, object]:
        """The derivation as one JSON object: every step with its reason, its form and the verdict on it."""
        pairs = [(one.lhs, one.rhs) for one in self.given]
        chosen = style or DEFAULT
        links = [*self.terms, *(side for pair in pairs for side in pair)]
        writer = Writer(Notation.of(links, chosen))
        steps = [
            {
                "latex": writer.text(step.term),
                "text": plain(step.term),
                "reason": step.reason,
                "form": step.form,
                "verdict": verdict.kind,
            }
            for step, verdict in zip(self.steps, self.verdicts(), strict=True)
        ]
        return {
            "version": 1,
            "start": writer.text(self.start),
            "shape": [str(dim) for dim in self.start.shape],
            "given": [f"{writer.text(lhs)}={writer.text(rhs)}" for lhs, rhs in pairs],
            "steps": steps,
            "result": writer.text(self.result),
            "latex": self.latex(chosen),
            "details": [one.to_json(style) for one in self.details],
        }

    def to_sympy(self) -> Any:
        """``Eq(start, result)``, unevaluated."""
        return Statement(self.start, self.result).to_sympy()

    def __str__(self) -> str:
        return self.text()

    def _repr_latex_(self) -> str:
        lines = chain_latex(self.terms, DEFAULT, split=len(self.terms) > 2)
        return f"$$\\begin{{aligned}}\n{lines}\n\\end{{aligned}}$$" if "&" in lines else f"$${lines}$$"
