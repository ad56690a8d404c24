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
from symlin.context import Context, Meaning, Role
from symlin.context import Kind as NameKind
from symlin.decide import decide
from symlin.decide.properties import is_complex, property_equations
from symlin.decide.theory import existence
from symlin.decide.verdict import Counterexample, Kind, Verdict
from symlin.errors import Place, ReadError, ShapeError, SymlinError, UnsupportedError
from symlin.read.declare import declare
from symlin.read.elaborate import Reading, elaborate
from symlin.read.latex import parse
from symlin.read.relations import Link
from symlin.shapes import Draft, Finish
from symlin.statement import Statement
from symlin.term import Shape, Term, symbols, walk

Provable: TypeAlias = "str | Statement | Any"
Given: TypeAlias = "str | Statement"
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
    given: Sequence[Given] | Given = (),
    budget: float = 10.0,
) -> Result:
    """Decide a statement for all values and all sizes that its shapes allow.

    Args:
        statement: LaTeX such as ``(AB)^T=B^TA^T``, a `Statement`, or a SymPy ``Eq`` of matrix expressions.
        where: declarations such as ``A, B: n x n``; sizes not declared are inferred.
        given: equations assumed: definitions such as ``H=\\alpha V``, put in where needed, and hypotheses such as
            ``AB=BA``; a `Statement` is taken as well.
        budget: seconds for the search for a proof and for a counterexample.

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
        >>> prove("A^{-1}B=BA^{-1}", where="A: n x n", given="AB=BA").verdict
        'proved'
    """
    if not isinstance(statement, str):
        return _prove_terms(_as_statement(statement), given, budget)
    context = Context()
    for text in (where,) if isinstance(where, str) else where:
        declare(context, text)
    for one in _listed(given):
        if isinstance(one, Statement):
            raise UnsupportedError("Terms beside LaTeX", f"{one}: give the hypotheses of LaTeX as LaTeX")
        assume(context, one)
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


def _listed(texts: Sequence[Given] | Given) -> Sequence[Given]:
    return (texts,) if isinstance(texts, str | Statement) else texts


def _as_statement(value: Any) -> Statement:
    if isinstance(value, Statement):
        return value
    import importlib

    found: Statement = importlib.import_module("symlin.sympy_bridge").statement_from(value)
    return found


def _prove_terms(statement: Statement, given: Sequence[Given] | Given, budget: float) -> Result:
    context = Context()
    for symbol in (*symbols(statement.lhs), *symbols(statement.rhs)):
        name, style = str(symbol.data[0]), str(symbol.data[1])
        kind: NameKind = "scalar" if symbol.is_scalar else "vector" if style else "matrix"
        context.declare(name, kind, *symbol.shape, style=style)
    stated: list[Statement] = []
    for one in _listed(given):
        if isinstance(one, Statement):
            stated.append(one)
        else:
            assume(context, one)
    finish = Finish(context.sizes)
    statement = statement.given(*stated, *hypotheses_of(context, finish, (statement,)))
    definitions = definitions_for(_terms(statement), context, finish)
    verdict = decide(statement, definitions=definitions, budget=budget)
    return Result(str(statement), (verdict,), (statement,))


def _terms(statement: Statement) -> tuple[Term, ...]:
    """Both sides, and those of the hypotheses."""
    return tuple(side for one in (statement, *statement.hypotheses) for side in (one.lhs, one.rhs))


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
    """Enter an equation given into a context: a definition NAME=EXPR, or a hypothesis.

    Raises:
        ReadError: it is no equation.
        ShapeError: its sizes clash.
        UnsupportedError: a relation that is no equation, or a side that is no matrix expression.
    """
    formula = parse(text)
    reading = elaborate(formula, context)
    links: list[Link] = []
    for clause in reading.clauses:
        if not clause.links:
            raise ReadError(
                f"{text!r} is no equation",
                Place(text, 0, len(text)),
                "an equation such as AB=BA or H=\\alpha V",
            )
        links += clause.links
    for link in links:
        if link.clash is not None:
            raise link.clash
        if (
            link.relation not in ("=", ":=")
            or not isinstance(link.lhs, Draft)
            or not isinstance(link.rhs, Draft)
        ):
            raise UnsupportedError(
                "a hypothesis that is no equation", f"{text}: a hypothesis must be an equation"
            )
        context.sizes = reading.scope.sizes
        context.conventions.update(reading.scope.conventions)
        for key, meaning in reading.scope.names.items():
            context.names.setdefault(key, meaning)
        name = link.name
        if name is None or name.indices or not _defines(name.key, link.rhs, context):
            context.hypotheses.append((link.lhs, link.rhs))
        else:
            context.values[name.key] = link.rhs


def _defines(key: str, value: Draft, context: Context) -> bool:
    """Whether NAME = VALUE can be put in: the name has no other value and does not come back in its own."""
    if key in context.values:
        return False
    letter = key.removeprefix("v:")
    reached = {str(part.data[0]) for part in value.walk() if part.op in ("symbol", "late letter")}
    todo = list(reached)
    while todo:
        name = todo.pop()
        for other in (name, f"v:{name}"):
            if other in context.values:
                inner = {str(part.data[0]) for part in context.values[other].walk() if part.op == "symbol"}
                todo += inner - reached
                reached |= inner
    return letter not in reached


def hypotheses_of(context: Context, finish: Finish, statements: Sequence[Statement]) -> list[Statement]:
    """The equations given that define no name, and what the declared properties of all names that occur say.

    Raises:
        ShapeError: a property that only a square matrix has.
    """
    found = [Statement(finish.term(lhs), finish.term(rhs)) for lhs, rhs in context.hypotheses]
    every = [*statements, *found]
    values = [finish.term(unfold(draft, context)) for draft in context.values.values()]
    sides = [side for one in every for side in (one.lhs, one.rhs)] + values
    letters = dict.fromkeys(letter for side in sides for letter in symbols(side))
    complex_entries = has_complex_entries(sides, context)
    for letter in letters:
        meaning = meaning_of(letter, context)
        if meaning is not None:
            equations = property_equations(letter, meaning.properties, complex_entries)
            found += [Statement(lhs, rhs) for lhs, rhs in equations]
    written = {(lhs, rhs) for one in every for lhs, rhs in existence(one, complex_entries)}
    return [one for one in dict.fromkeys(found) if (one.lhs, one.rhs) not in written]


def has_complex_entries(sides: Sequence[Term], context: Context) -> bool:
    """Whether entries are complex: a conjugate occurs, or a property that speaks of it."""
    if any(node.op in ("conjugate", "adjoint") for side in sides for node in walk(side)):
        return True
    letters = {letter for side in sides for letter in symbols(side)}
    meanings = [meaning_of(letter, context) for letter in letters]
    return any(is_complex(meaning.properties) for meaning in meanings if meaning is not None)


def properties_of(sides: Sequence[Term], context: Context) -> dict[Term, frozenset[str]]:
    """The declared properties of the symbols that occur."""
    letters = dict.fromkeys(letter for side in sides for letter in symbols(side))
    meanings = {letter: meaning_of(letter, context) for letter in letters}
    return {letter: one.properties for letter, one in meanings.items() if one is not None and one.properties}


def meaning_of(letter: Term, context: Context) -> Meaning | None:
    """What the context knows of a symbol."""
    name = str(letter.data[0])
    return context.names.get(f"v:{name}" if letter.data[1] in ("bold", "vec") else name) or context.names.get(
        name
    )


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
        hypotheses = hypotheses_of(trial, finish, (plain,))
        definitions = definitions_for(_terms(plain.given(*hypotheses)), trial, finish)
        sides = [side for one in (plain, *hypotheses) for side in (one.lhs, one.rhs)]
        verdict = decide(
            plain.given(*hypotheses),
            definitions=definitions,
            budget=budget,
            complex_entries=has_complex_entries(sides, trial),
            properties=properties_of(sides, trial),
        )
        verdicts.append(verdict)
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
