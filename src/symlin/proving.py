"""Proving a statement given as LaTeX, as Terms or as a SymPy equation.

Offers `prove` and its `Result`; rests on `read`, `decide` and `claims`.  A chain a = b = c is one result with a
verdict for each link and the most serious one overall.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from symlin.claims import definitions_for, unfold
from symlin.context import Context, Role
from symlin.decide import decide
from symlin.decide.verdict import Counterexample, Kind, Verdict
from symlin.errors import Place, ReadError, ShapeError, SymlinError, UnsupportedError
from symlin.read.declare import declare
from symlin.read.elaborate import Reading, elaborate
from symlin.read.latex import parse
from symlin.read.relations import Link
from symlin.shapes import Draft, Finish
from symlin.statement import Statement
from symlin.term import Shape, symbols

Provable: TypeAlias = "str | Statement | Any"
RELATIONS = frozenset({"=", ":=", r"\ne", "<", ">", r"\le", r"\ge", r"\approx"})
_SERIOUS: tuple[Kind, ...] = ("refuted", "unknown", "unsupported", "holds", "proved")


@dataclass(frozen=True, slots=True)
class Result:
    """What became of a statement.

    Args:
        source: the statement as given (LaTeX), or as written from Terms.
        verdicts: one for each link of the chain.
        statements: the links as Terms, definitions not put in.
        constraints: equations between sizes that nothing settled, in words.
    """

    source: str
    verdicts: tuple[Verdict, ...]
    statements: tuple[Statement, ...]
    constraints: tuple[str, ...] = ()

    @property
    def shapes(self) -> tuple[tuple[str, Shape], ...]:
        """The size of each name, as given or inferred."""
        letters = [one for link in self.statements for side in (link.lhs, link.rhs) for one in symbols(side)]
        return tuple(sorted({str(symbol): symbol.shape for symbol in reversed(letters)}.items()))

    @property
    def verdict(self) -> Kind:
        """The most serious verdict of the links."""
        return min((one.kind for one in self.verdicts), key=_SERIOUS.index)

    @property
    def decisive(self) -> Verdict:
        """The first link that has the overall verdict."""
        return next(one for one in self.verdicts if one.kind == self.verdict)

    @property
    def counterexample(self) -> Counterexample | None:
        """The counterexample, when the statement is refuted."""
        return self.decisive.counterexample

    @property
    def reason(self) -> str:
        """Why the verdict is what it is."""
        return self.decisive.reason

    def __str__(self) -> str:
        return self.text()

    def text(self) -> str:
        """The result as text: verdict, sizes, then the derivation or the counterexample."""
        from symlin.write.result import result_text

        return result_text(self)

    def to_sympy(self) -> Any:
        """The statement's links as unevaluated SymPy relations (one, or a list)."""
        links = [one.statement.to_sympy() for one in self.verdicts]
        return links[0] if len(links) == 1 else links

    def _repr_markdown_(self) -> str:
        from symlin.write.result import render

        return render(self, "markdown")

    def _repr_latex_(self) -> str:
        from symlin.write.result import result_latex

        return result_latex(self)


def prove(
    statement: Provable,
    *,
    where: Sequence[str] | str = (),
    given: Sequence[str] | str = (),
    budget: float = 10.0,
) -> Result:
    """Decide a statement for all values and all sizes that its shapes allow.

    Args:
        statement: LaTeX such as ``(AB)^T=B^TA^T``, a `Statement`, or a SymPy ``Eq`` of matrix expressions.
        where: declarations such as ``A, B: n x n``; sizes not declared are inferred.
        given: definitions such as ``H=\\alpha V``, put in where needed.
        budget: seconds for the search for a counterexample.

    Raises:
        ReadError: the statement or a declaration cannot be read.
        ShapeError: sizes clash; both places and both sizes are named.
        UnsupportedError: the statement is no relation between matrix expressions.

    Examples:
        >>> prove("(AB)^T=B^TA^T").verdict
        'proved'
        >>> prove("AB=BA").verdict
        'refuted'
        >>> prove("H_{ij}=0", where="H: 2 x 2").verdict
        'refuted'
    """
    if not isinstance(statement, str):
        return _prove_terms(_as_statement(statement), given, budget)
    context = Context()
    for text in _listed(where):
        declare(context, text)
    for text in _listed(given):
        assume(context, text)
    formula = parse(statement)
    last: SymlinError | None = None
    best: Result | None = None
    for roles in readings(formula, context):
        try:
            result = _prove_reading(elaborate(formula, context, roles), context, budget)
        except (ShapeError, UnsupportedError) as error:
            last = last or error
            continue
        if best is None or _SERIOUS.index(result.verdict) > _SERIOUS.index(best.verdict):
            best = result
        if best.verdict in ("proved", "holds"):
            break
    if best is None:
        raise last or UnsupportedError("this statement")
    return best


def _listed(texts: Sequence[str] | str) -> Sequence[str]:
    return (texts,) if isinstance(texts, str) else texts


def _as_statement(value: Any) -> Statement:
    if isinstance(value, Statement):
        return value
    import importlib

    found: Statement = importlib.import_module("symlin.sympy_bridge").statement_from(value)
    return found


def _prove_terms(statement: Statement, given: Sequence[str] | str, budget: float) -> Result:
    context = Context()
    for text in _listed(given):
        assume(context, text)
    definitions = definitions_for((statement.lhs, statement.rhs), context, Finish(context.sizes))
    verdict = decide(statement, definitions=definitions, budget=budget)
    return Result(str(statement), (verdict,), (statement,))


def readings(formula: Any, context: Context) -> Iterator[dict[str, Role]]:
    """The ways to take vector letters of unknown convention: the customary one, then all as columns or rows."""
    yield {}
    try:
        guessed = list(elaborate(formula, context).scope.guessed)
    except SymlinError:
        return
    choices: tuple[Role, Role] = ("columns", "rows")
    if 0 < len(guessed) <= 3:
        for combination in itertools.product(choices, repeat=len(guessed)):
            yield dict(zip(guessed, combination, strict=True))


def assume(context: Context, text: str) -> None:
    """Enter a definition NAME=EXPR into a context."""
    formula = parse(text)
    reading = elaborate(formula, context)
    for clause in reading.clauses:
        if not clause.links:
            raise ReadError(
                f"{text!r} is no equation", Place(text, 0, len(text)), "a definition such as H=\\alpha V"
            )
        for link in clause.links:
            if link.clash is not None:
                raise link.clash
            name = link.name
            if (
                link.relation not in ("=", ":=")
                or name is None
                or name.indices
                or not isinstance(link.rhs, Draft)
            ):
                raise UnsupportedError(
                    "a hypothesis that is no definition",
                    f"{text}: hypotheses other than definitions NAME=EXPR are not used yet",
                )
            context.sizes = reading.scope.sizes
            context.conventions.update(reading.scope.conventions)
            for key, meaning in reading.scope.names.items():
                context.names.setdefault(key, meaning)
            context.values[name.key] = link.rhs


def _prove_reading(reading: Reading, context: Context, budget: float) -> Result:
    links = statement_links(reading)
    finish = reading.finish()
    trial = context.trial()
    trial.sizes = reading.scope.sizes
    trial.maps.update(reading.scope.maps)
    verdicts = []
    statements = []
    for link in links:
        if link.clash is not None:
            raise link.clash
        plain = reading.statement(link, finish)
        statements.append(plain)
        lhs, rhs = link.lhs, link.rhs
        if isinstance(lhs, Draft) and isinstance(rhs, Draft):
            plain = Statement(
                finish.term(unfold(lhs, trial)), finish.term(unfold(rhs, trial)), plain.relation
            )
        definitions = definitions_for((plain.lhs, plain.rhs), trial, finish)
        verdicts.append(decide(plain, definitions=definitions, budget=budget))
    constraints = tuple(
        f"{finish.dim(left)} = {finish.dim(right)}" for left, right in reading.scope.sizes.pending
    )
    return Result(reading.formula.latex, tuple(verdicts), tuple(statements), constraints)


def statement_links(reading: Reading) -> list[Link]:
    """The relations of a formula that is a statement.

    Raises:
        ReadError: it holds something besides relations.
        UnsupportedError: a relation that is none between matrix expressions.
    """
    links = [link for clause in reading.clauses for link in clause.links]
    if not links or len(links) != sum(max(1, len(clause.links)) for clause in reading.clauses):
        latex = reading.formula.latex
        raise ReadError(
            "no statement: there is nothing to prove",
            Place(latex, 0, len(latex)),
            "an equation such as AB=BA",
        )
    for link in links:
        if link.relation not in RELATIONS:
            raise UnsupportedError(f"the relation {link.relation}")
    return links
