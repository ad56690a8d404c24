"""Deciding statements: engines that prove or refute, and the choice among them.

Offers `decide`, which asks the cheapest engine that applies and puts in the definitions of a text only as far
as they are needed; rests on the engines beside it.  It answers with a reason rather than guess.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, cast

from symlin.decide.definitions import Definition, Tier, is_numeric, put_in, tiers, under_definitions
from symlin.decide.verdict import Counterexample, Kind, Proof, Step, Verdict
from symlin.decide.wording import fraction_text, matrix_text, side_text
from symlin.errors import BudgetError, ShapeError, SymlinError, UnsupportedError
from symlin.statement import Statement
from symlin.term import Term, dim_symbols, size_text, symbols, walk

if TYPE_CHECKING:
    from symlin.decide.words import WordsResult

ENTRIES_BUDGET = 200_000
KERNEL_BUDGET = 5_000
"""How many sums of entries the kernel may form to check what words have found."""
SHARE = 0.1
"""The part of the time in which a proof is looked for before a counterexample."""
SMALL_DETERMINANT = 3
"""Determinants up to this size are multiplied out before named facts are asked."""

__all__ = ["Counterexample", "Kind", "Proof", "Step", "Verdict", "decide"]


def decide(
    statement: Statement,
    *,
    definitions: Sequence[Definition] = (),
    budget: float = 10.0,
    steps: bool = True,
    complex_entries: bool = False,
    properties: Mapping[Term, frozenset[str]] | None = None,
) -> Verdict:
    """Decide a statement in the light of definitions.

    First without any definition, then with those that are formulas (S = QK^T), then with all, so that what is
    true in general is proved in general.

    Args:
        statement: what is claimed.
        definitions: (symbol, value) in the order in which a text introduced them.
        budget: seconds; what is not decided by then is `unknown`.
        steps: whether a reader may ask for the steps, and theorems under definitions are made.
        complex_entries: whether entries are complex even where no conjugate is written.
        properties: what is declared of symbols beyond the hypotheses, for the search for counterexamples.

    Returns:
        A verdict; `refuted` only when all definitions were put in and the values found satisfy them.

    Examples:
        >>> from symlin.construct import literal, symbol
        >>> A, B = symbol("A", "m", "n"), symbol("B", "n", "k")
        >>> decide((A @ B).T.eq(B.T @ A.T)).kind
        'proved'
        >>> A, B = symbol("A", "n", "n"), symbol("B", "n", "n")
        >>> decide((A @ B).eq(B @ A)).counterexample.sizes
        {'n': 2}
        >>> S = symbol("S", 2, 2)
        >>> decide((S @ S).eq(S), definitions=[(S, literal([[1, 0], [0, 0]]))]).kind
        'holds'
    """
    deadline = time.monotonic() + budget
    for symbol, value in definitions:
        if symbol.shape != value.shape:
            sizes = f"{size_text(symbol.shape)}, but its value is {size_text(value.shape)}"
            return Verdict("unknown", statement, f"{symbol.data[0]} is {sizes}")
    case = _Case(statement, tuple(definitions), deadline, steps, complex_entries, dict(properties or {}))
    verdict = Verdict("unknown", statement, "not decided")
    attempts = tiers(statement, case.definitions)
    for tier in attempts:
        try:
            verdict = _decide_tier(case, tier, last=tier is attempts[-1])
        except ShapeError as error:
            verdict = Verdict("unknown", statement, error.message)
        except BudgetError as error:
            verdict = Verdict("unknown", statement, str(error))
        except RecursionError:
            verdict = Verdict("unknown", statement, "the statement is nested too deeply")
        except UnsupportedError as error:
            verdict = Verdict("unsupported", statement, str(error))
        if verdict.kind in ("proved", "holds", "refuted"):
            break
    if statement.hypotheses and verdict.kind not in ("proved", "holds"):
        return _under_hypotheses(case)
    return verdict


@dataclass(frozen=True, slots=True)
class _Case:
    """What was asked."""

    statement: Statement
    definitions: tuple[Definition, ...]
    deadline: float
    steps: bool
    complex_entries: bool = False
    properties: Mapping[Term, frozenset[str]] = field(default_factory=dict)


# --- one tier -------------------------------------------------------------------------------------------------


def _decide_tier(case: _Case, tier: Tier, last: bool) -> Verdict:
    if is_closed(tier.statement):
        return _decide_closed(case, tier)
    found = _RELATIONS.get(tier.statement.relation, _decide_order)(case, tier, last)
    return replace(found, used=tier.used) if found.kind in ("proved", "holds", "refuted") else found


def _decide_closed(case: _Case, tier: Tier) -> Verdict:
    """A statement in numbers."""
    from symlin import kernel
    from symlin.decide.numeric import decide_numeric

    verdict = decide_numeric(tier.statement, shown=case.statement, deadline=case.deadline)
    if verdict.kind == "refuted":
        doubt = _contradiction(case)
        if doubt:
            return Verdict("unknown", case.statement, doubt, used=tier.used)
    proof = verdict.proof
    if proof is not None:
        if tier.statement.relation == "=" and proof.certificate == "exact" and case.steps:
            theorem = kernel.computed("numeric", tier.statement.lhs, tier.statement.rhs)
            proof = replace(proof, theorem=theorem)
        proof = _for_case(case, tier, proof)
    return replace(verdict, statement=case.statement, used=tier.used, proof=proof)


def _for_case(case: _Case, tier: Tier, proof: Proof) -> Proof:
    """A proof with definitions put in, as a proof of the statement under these definitions."""
    theorem = proof.theorem
    if theorem is not None and tier.applied:
        theorem = under_definitions(case.statement, tier, theorem) if case.steps else None
    return replace(proof, statement=case.statement, hypotheses=tier.used + proof.hypotheses, theorem=theorem)


def is_closed(statement: Statement) -> bool:
    """Whether a statement speaks of numbers only."""
    sides = (statement.lhs, statement.rhs)
    return not any(symbols(side) or dim_symbols(side) for side in sides) and not any(
        node.op == "apply" for side in sides for node in walk(side)
    )


def _contradiction(case: _Case) -> str:
    """A name with two values that differ: then nothing is refuted by either."""
    from symlin.decide.numeric import decide_numeric

    seen: dict[Term, Term] = {}
    for symbol, value in case.definitions:
        first = seen.setdefault(symbol, value)
        if first is value or first.shape != value.shape:
            continue
        both = put_in(Statement(first, value), case.definitions).statement
        if not is_closed(both) or decide_numeric(both).kind != "holds":
            return f"{symbol.data[0]} may have two different values here"
    return ""


def _decide_equality(case: _Case, tier: Tier, last: bool) -> Verdict:
    proof, difference = _prove(tier.statement, case)
    decimals = _has_decimals(tier.statement)
    if proof is not None:
        proof = _for_case(case, tier, proof)
        if decimals:
            return Verdict("holds", case.statement, "the decimals were taken as exact", proof)
        if tier.numeric:
            return Verdict("holds", case.statement, "it follows from the values given", proof)
        return Verdict("proved", case.statement, "", proof)
    if not last or case.statement.hypotheses:
        return Verdict("unknown", case.statement, "not proved")
    if decimals:
        return Verdict(
            "unknown", case.statement, "the decimals may be rounded, and as exact numbers they do not agree"
        )
    verdict = _refuted(case, tier, difference)
    if verdict.kind == "unknown":
        # There is time left: perhaps it follows from its inverses after all.
        proof = _by_equations(tier.statement, case, 1.0)
        if proof is not None:
            return Verdict("proved", case.statement, "", _for_case(case, tier, proof))
    return verdict


def _refuted(case: _Case, tier: Tier, least: int) -> Verdict:
    from symlin.decide.hypotheses import applies
    from symlin.decide.refute import refute

    search = refute(
        tier.statement,
        definitions=case.definitions,
        original=case.statement,
        least=least,
        deadline=_share(case, 0.2) if applies(tier.statement) else case.deadline,
    )
    found = search.counterexample
    if found is None:
        return Verdict("unknown", case.statement, f"not proved, and {search.reason}")
    return Verdict(
        "refuted", case.statement, counterexample_text(case.statement, found), counterexample=found
    )


def counterexample_text(statement: Statement, found: Counterexample) -> str:
    """A counterexample in one sentence."""
    letters = dict.fromkeys(symbols(statement.lhs) + symbols(statement.rhs))
    values = [
        f"{side_text(letter, str(letter.data[0]))} = {matrix_text(found.values[letter])}"
        for letter in letters
    ]
    scalar_names = sorted((dim_symbols(statement.lhs) | dim_symbols(statement.rhs)) - _shape_names(statement))
    values += [f"{name} = {found.sizes[name]}" for name in scalar_names]
    row, column = found.place
    left, right = found.lhs[row - 1][column - 1], found.rhs[row - 1][column - 1]
    if len(found.lhs) == len(found.lhs[0]) == 1:
        outcome = f"the left side is {fraction_text(left)} and the right side {fraction_text(right)}"
    else:
        outcome = f"entry ({row}, {column}) is {fraction_text(left)} on the left and {fraction_text(right)} on the right"
    if not values or any(text.endswith("= ") for text in values):
        sizes = ", ".join(f"{name} = {value}" for name, value in found.sizes.items())
        return f"it fails at {sizes}: {outcome}" if sizes else f"it fails: {outcome}"
    return f"it fails for {', '.join(values)}: {outcome}"


def _shape_names(statement: Statement) -> frozenset[str]:
    """Sizes that the value of a symbol shows."""
    letters = symbols(statement.lhs) + symbols(statement.rhs)
    return frozenset(name for letter in letters for dim in letter.shape for name in dim.symbols)


def _decide_inequality(case: _Case, tier: Tier, last: bool) -> Verdict:
    equation = Statement(tier.statement.lhs, tier.statement.rhs)
    proof, _ = _prove(equation, case)
    if proof is not None and not tier.statement.hypotheses:
        return Verdict("refuted", case.statement, "both sides are equal for all values")
    return Verdict("unknown", case.statement, "whether the sides differ depends on the values")


def _decide_order(case: _Case, tier: Tier, last: bool) -> Verdict:
    return Verdict("unknown", case.statement, f"{tier.statement.relation} is decided for known numbers only")


def _decide_near(case: _Case, tier: Tier, last: bool) -> Verdict:
    proof, _ = _prove(Statement(tier.statement.lhs, tier.statement.rhs), case)
    if proof is not None:
        return Verdict("holds", case.statement, "both sides are equal", _for_case(case, tier, proof))
    return Verdict("unknown", case.statement, "an approximation is decided for known numbers only")


_RELATIONS: dict[str, Callable[[_Case, Tier, bool], Verdict]] = {
    "=": _decide_equality,
    r"\ne": _decide_inequality,
    r"\approx": _decide_near,
}


def _has_decimals(statement: Statement) -> bool:
    return any(
        node.op == "number" and bool(node.data[1])
        for side in (statement.lhs, statement.rhs)
        for node in walk(side)
    )


# --- engines --------------------------------------------------------------------------------------------------


def _prove(statement: Statement, case: _Case) -> tuple[Proof | None, int]:
    """A proof from the cheapest engine that has one; else from which size on a difference must show."""
    if statement.lhs is statement.rhs:
        from symlin.kernel import reflexivity

        return Proof(statement, "words", theorem=reflexivity(statement.lhs), certificate="reflexivity"), 1
    words = _by_words(statement, case)
    if words is not None and words.proof is not None:
        # The kernel checks by entries; only what it cannot expand, or would expand too far, has no theorem.
        entries = _by_entries(statement, KERNEL_BUDGET)
        checked = entries.proof if entries is not None and entries.equal else None
        if checked is None:
            found = _by_determinants(statement, case) or _by_equations(statement, case)
            return found or replace(words.proof, trusted=("words",)), 1
        return replace(words.proof, theorem=checked.theorem, certificate=checked.certificate), 1
    large = _has_large_determinant(statement)
    by_facts = _by_determinants(statement, case) if large else None
    entries = _by_entries(statement) if by_facts is None else None
    if entries is not None and entries.equal:
        return cast(Proof, entries.proof), 1
    concrete = not dim_symbols(statement.lhs) and not dim_symbols(statement.rhs)
    if not concrete and not large:
        by_facts = _by_determinants(statement, case)
    by_facts = by_facts or _by_equations(statement, case)
    if by_facts is not None:
        return by_facts, 1
    if concrete:
        return _by_polynomials(statement, case), 1
    return None, int(entries.sizes_needed) if entries is not None else 1


def _by_words(statement: Statement, case: _Case) -> WordsResult | None:
    from symlin.decide.words import decide_words

    try:
        return decide_words(statement, deadline=case.deadline, steps=case.steps)
    except BudgetError:
        return None


def _by_entries(statement: Statement, budget: int = ENTRIES_BUDGET) -> Any:
    """The answer of the entries engine, or None where it does not apply."""
    from symlin.decide.entries import decide_entries

    try:
        return decide_entries(statement, budget=budget)
    except (UnsupportedError, BudgetError):
        return None


def _by_determinants(statement: Statement, case: _Case) -> Proof | None:
    """Half of the time that is left is kept for the search for a counterexample."""
    from symlin.decide.determinants import decide_determinants

    now = time.monotonic()
    return decide_determinants(statement, deadline=now + (case.deadline - now) / 2)


def _by_equations(statement: Statement, case: _Case, share: float = SHARE) -> Proof | None:
    """From what the inverses and pseudoinverses in a statement say, in a part of the time that is left."""
    from symlin.decide.hypotheses import Search, applies

    if statement.relation != "=" or not applies(statement):
        return None
    try:
        return Search(statement, complex_entries=case.complex_entries, deadline=_share(case, share)).run()
    except (BudgetError, ShapeError, UnsupportedError, RecursionError):
        # No proof by this engine: the caller goes on with others.
        return None


def _under_hypotheses(case: _Case) -> Verdict:
    """A statement that is not true without its hypotheses: a proof from them, or values that satisfy them."""
    from symlin.decide.structured import refute_given

    statement = case.statement
    equations = [(one.lhs, one.rhs) for one in statement.hypotheses if one.relation == "="]
    if statement.relation != "=" or len(equations) < len(statement.hypotheses):
        return Verdict("unknown", statement, "only equations are used and decided under hypotheses")
    from symlin.decide.hypotheses import Search

    formulas = [one for one in case.definitions if not is_numeric(one)]
    try:
        search = Search(
            statement,
            [*equations, *formulas],
            defined=[symbol for symbol, _ in formulas if symbol.op == "symbol"],
            complex_entries=case.complex_entries,
            deadline=_share(case, SHARE),
        )
        proof = search.run()
        if proof is not None:
            return Verdict("proved", statement, "", proof)
        found = refute_given(
            Statement(statement.lhs, statement.rhs),
            [*equations, *case.definitions],
            properties=case.properties,
            complex_entries=search.complex,
            deadline=_share(case, 0.5),
        )
        if found.counterexample is not None:
            text = counterexample_text(statement, found.counterexample)
            return Verdict("refuted", statement, text, counterexample=found.counterexample)
        proof = search.run(case.deadline)
    except (BudgetError, ShapeError) as error:
        return Verdict("unknown", statement, str(error))
    except UnsupportedError as error:
        return Verdict("unsupported", statement, str(error))
    except RecursionError:
        return Verdict("unknown", statement, "the statement is nested too deeply")
    if proof is not None:
        return Verdict("proved", statement, "", proof)
    if not found.model:
        return Verdict(
            "unknown",
            statement,
            "the hypotheses may contradict each other: no values were found that satisfy them",
        )
    return Verdict("unknown", statement, f"not proved ({search.reason}), and {found.reason}")


def _share(case: _Case, part: float) -> float:
    """The end of this part of the time that is left."""
    now = time.monotonic()
    return now + (case.deadline - now) * part


def _has_large_determinant(statement: Statement) -> bool:
    """Whether a determinant occurs whose polynomial is long."""
    dets = [
        node for side in (statement.lhs, statement.rhs) for node in walk(side) if node.op == "determinant"
    ]
    return any((node.args[0].rows.constant or 0) > SMALL_DETERMINANT for node in dets)


def _by_polynomials(statement: Statement, case: _Case) -> Proof | None:
    from symlin import kernel
    from symlin.decide.explicit import decide_explicit

    try:
        proof = decide_explicit(statement, deadline=case.deadline)
    except SymlinError:
        return None
    return proof and replace(proof, theorem=kernel.computed("explicit", statement.lhs, statement.rhs))
