"""Stored proofs: one JSON object that a person can read and the kernel can check again.

Offers `store`, which writes what was proved, and `verify`, which replays the steps in the kernel and compares what
they prove with the statement as it is read again; rests on `kernel`, and on the reader for that comparison only.
A refutation is stored with its counterexample, which `verify` evaluates again.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, cast

from symlin import kernel
from symlin.decide import theory
from symlin.decide.entries import decide_entries
from symlin.decide.equations import Cofactor, Known
from symlin.decide.verdict import Verdict
from symlin.dims import Dim
from symlin.errors import ProofError, SymlinError
from symlin.kernel import Theorem
from symlin.statement import Statement
from symlin.sums import Certificate
from symlin.term import BINDERS, Term, make, walk

VERSION = 1
FIELDS = ("version", "verdict", "statement", "names", "shapes", "hypotheses", "axioms", "trusted", "steps")


class NotAProofError(SymlinError):
    """The file is no stored proof of this version."""


@dataclass(slots=True)
class Script:
    """Kernel steps, each done at once and noted down.

    Examples:
        >>> from symlin.construct import symbol
        >>> A, B = symbol("A", "n", "n"), symbol("B", "n", "n")
        >>> script = Script()
        >>> number = script.entries((A + B).eq(B + A))
        >>> print(script.theorems[number])
        ⊢ A + B = B + A
        >>> script.steps[number]["rule"]
        'by_entries'
    """

    steps: list[dict[str, Any]] = field(default_factory=list)
    theorems: list[Theorem] = field(default_factory=list)

    def add(self, step: dict[str, Any]) -> int:
        """Do a step; the answer is its number."""
        rule = RULES.get(step.get("rule", ""))
        if rule is None:
            raise ProofError(f"{step.get('rule')!r} is no rule of the kernel", f"step {len(self.steps)}")
        self.theorems.append(rule(self, step))
        self.steps.append(step)
        return len(self.steps) - 1

    def premises(self, step: dict[str, Any]) -> list[Theorem]:
        """The theorems that a step starts from; they stand before it."""
        numbers = step["from"]
        if not all(type(number) is int and 0 <= number < len(self.theorems) for number in numbers):
            raise ProofError(
                "a step starts from one that does not stand before it", f"step {len(self.steps)}"
            )
        return [self.theorems[number] for number in numbers]

    def entries(self, statement: Statement) -> int:
        """Prove an equation by entries.

        Raises:
            ProofError: it is not proved that way.
        """
        found = decide_entries(statement)
        if found.proof is None:
            raise ProofError(f"no proof by entries: {found.difference}")
        certificate = cast(Certificate, found.proof.certificate)
        terms = [term_json(statement.lhs), term_json(statement.rhs)]
        return self.add({"rule": "by_entries", "terms": terms, **_certificate_json(certificate)})

    def known(self, known: Known) -> int:
        """Do again all that an engine has done with the kernel."""
        numbers: dict[Known, int] = {}
        for one in known.history():
            step: dict[str, Any] = {"rule": one.rule}
            if one.rule in ("reflexivity", "congruence"):
                step["terms"] = [term_json(one.lhs)]
            elif one.rule in ("assume", "by_entries", "computed", "axiom"):
                step["terms"] = [term_json(one.lhs), term_json(one.rhs)]
            if one.name:
                step["name"] = one.name
            if one.rule == "axiom":
                given = theory.AXIOMS[one.name].hypotheses
                step["given"] = [[term_json(lhs), term_json(rhs)] for lhs, rhs in given]
            if one.premises:
                step["from"] = [numbers[premise] for premise in one.premises]
            if one.rule == "instantiate":
                step["letters"] = [
                    [term_json(letter), term_json(value)] for letter, value in one.letters.items()
                ]
                step["sizes"] = {name: dim_json(size) for name, size in one.sizes.items()}
            if one.certificate is not None:
                step.update(_certificate_json(one.certificate))
            if one.cofactors:
                step["cofactors"] = [_cofactor_json(cofactor) for cofactor in one.cofactors]
            numbers[one] = self.add(step)
        return numbers[known]

    def unfold(self, term: Term, symbol: Term, definition: int) -> int:
        """From ⊢ symbol = value, that the term equals the term with the value put in."""
        if term is symbol:
            return definition
        if symbol not in walk(term):
            return self.add({"rule": "reflexivity", "terms": [term_json(term)]})
        parts = [self.unfold(arg, symbol, definition) for arg in term.args]
        return self.add({"rule": "congruence", "terms": [term_json(term)], "from": parts})

    def under_definitions(
        self,
        statement: Statement,
        definitions: Sequence[tuple[Term, Term]],
        prove: Callable[[Statement], int],
    ) -> int:
        """Prove an equation after putting in definitions, one after the other; they become hypotheses."""
        chains: list[list[int]] = [[], []]
        sides = [statement.lhs, statement.rhs]
        for symbol, value in definitions:
            given = self.add({"rule": "assume", "terms": [term_json(symbol), term_json(value)]})
            for place, side in enumerate(sides):
                if symbol in walk(side):
                    chains[place].append(self.unfold(side, symbol, given))
                    sides[place] = self.theorems[-1].rhs if side is not symbol else value
        middle = Statement(sides[0], sides[1])
        last = prove(middle)
        for number in reversed(chains[0]):
            last = self.add({"rule": "transitivity", "from": [number, last]})
        for number in reversed(chains[1]):
            back = self.add({"rule": "symmetry", "from": [number]})
            last = self.add({"rule": "transitivity", "from": [last, back]})
        return last


# --- rules as they are stored ---------------------------------------------------------------------------------


def _terms(step: dict[str, Any]) -> list[Term]:
    return [term_of(term) for term in step["terms"]]


def _certificate_json(certificate: Certificate) -> dict[str, Any]:
    return {
        "splits": [[dim_json(n), op, dim_json(a), dim_json(b)] for n, op, a, b in certificate.splits],
        "ways": list(certificate.ways),
        "unroll": certificate.unroll,
        "labels": [list(label) for label in certificate.labels],
    }


def _by_entries(script: Script, step: dict[str, Any]) -> Theorem:
    lhs, rhs = _terms(step)
    certificate = Certificate(
        tuple((dim_of(n), str(op), dim_of(a), dim_of(b)) for n, op, a, b in step["splits"]),
        tuple(int(way) for way in step["ways"]),
        int(step["unroll"]),
        tuple(tuple(int(number) for number in label) for label in step["labels"]),
    )
    premises, cofactors = script.premises(step) if "from" in step else [], step.get("cofactors", [])
    pieces = []
    for theorem, (coefficient, left, right) in zip(premises, cofactors, strict=True):
        sides = [None if side is None else term_of(side) for side in (left, right)]
        pieces.append((term_of(coefficient), sides[0], theorem, sides[1]))
    return kernel.by_entries(lhs, rhs, certificate, *pieces)


def _cofactor_json(cofactor: Cofactor) -> list[Any]:
    """c, L, R; null where there is no L or R."""
    return [None if term is None else term_json(term) for term in cofactor]


def _computed(script: Script, step: dict[str, Any]) -> Theorem:
    """A trusted computation is done again before the kernel is told its outcome."""
    lhs, rhs = _terms(step)
    statement, name = Statement(lhs, rhs), step["name"]
    if name == "numeric":
        from symlin.decide.numeric import decide_numeric

        agreed = decide_numeric(statement).kind == "holds"
    else:
        from symlin.decide.explicit import decide_explicit

        agreed = decide_explicit(statement) is not None
    if not agreed:
        raise ProofError(f"the computation {name!r} does not confirm {statement}")
    return kernel.computed(name, lhs, rhs)


def _axiom(script: Script, step: dict[str, Any]) -> Theorem:
    """Only what stands in the theory, exactly as it stands there."""
    lhs, rhs = _terms(step)
    given = [(term_of(one), term_of(other)) for one, other in step["given"]]
    if not theory.is_listed(step["name"], lhs, rhs, given):
        raise ProofError(f"{step['name']!r} is no axiom of the theory that says {lhs} = {rhs}")
    return theory.theorem(step["name"])


def _instantiate(script: Script, step: dict[str, Any]) -> Theorem:
    (premise,) = script.premises(step)
    letters = {term_of(letter): term_of(value) for letter, value in step["letters"]}
    sizes = {name: dim_of(size) for name, size in step["sizes"].items()}
    return kernel.instantiate(premise, letters, sizes)


RULES: dict[str, Callable[[Script, dict[str, Any]], Theorem]] = {
    "reflexivity": lambda script, step: kernel.reflexivity(*_terms(step)),
    "symmetry": lambda script, step: kernel.symmetry(*script.premises(step)),
    "transitivity": lambda script, step: kernel.transitivity(*script.premises(step)),
    "congruence": lambda script, step: kernel.congruence(_terms(step)[0], *script.premises(step)),
    "assume": lambda script, step: kernel.assume(*_terms(step)),
    "cut": lambda script, step: kernel.cut(*script.premises(step)),
    "axiom": _axiom,
    "instantiate": _instantiate,
    "by_entries": _by_entries,
    "computed": _computed,
}


# --- storing --------------------------------------------------------------------------------------------------


def store(
    source: str, verdicts: Sequence[Verdict], *, where: Sequence[str] = (), given: Sequence[str] = ()
) -> dict[str, Any]:
    """The stored proof of a statement that was proved, or the stored counterexample of one that was refuted.

    Args:
        source: the statement as given, in LaTeX.
        verdicts: one for each link of its chain.
        where: the declarations given with it.
        given: the definitions given with it.

    Raises:
        ProofError: a link is neither, or its proof has no steps that the kernel knows.
    """
    script, links = Script(), []
    for verdict in verdicts:
        if verdict.kind not in ("proved", "holds"):
            raise ProofError(f"there is no proof to store: {verdict.reason or verdict.kind}")
        links.append(_link(script, verdict))
    theorems = [script.theorems[number] for number in links]
    kind = "proved" if all(verdict.kind == "proved" for verdict in verdicts) else "holds"
    return {
        "version": VERSION,
        "verdict": kind,
        "statement": source,
        "names": list(where),
        "shapes": _shapes(theorems),
        "hypotheses": list(given),
        "axioms": sorted({name for theorem in theorems for name, *_ in theorem.axioms}),
        "trusted": sorted({name for theorem in theorems for name in theorem.trusted}),
        "steps": script.steps,
        "proves": links,
    }


def _link(script: Script, verdict: Verdict) -> int:
    """The number of the step that proves one link: by entries where that does it, else as the engine did it."""
    definitions = [(one.lhs, one.rhs) for one in reversed(verdict.used)]
    proof = verdict.proof
    history = proof.certificate if proof is not None and isinstance(proof.certificate, Known) else None
    trusted = proof.trusted if proof is not None and history is None else ()

    def prove(middle: Statement) -> int:
        if history is not None and (history.lhs, history.rhs) == (middle.lhs, middle.rhs):
            return script.known(history)
        try:
            return script.entries(middle)
        except SymlinError:
            if len(trusted) != 1:
                raise
        terms = [term_json(middle.lhs), term_json(middle.rhs)]
        return script.add({"rule": "computed", "name": trusted[0], "terms": terms})

    return script.under_definitions(verdict.statement, definitions, prove)


def _shapes(theorems: Sequence[Theorem]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for theorem in theorems:
        for side in (theorem.lhs, theorem.rhs):
            for node in walk(side):
                if node.op == "symbol":
                    found.setdefault(str(node.data[0]), [str(node.rows), str(node.cols)])
    return dict(sorted(found.items()))


# --- verifying ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Verified:
    """What a stored proof proves.

    Args:
        source: the statement as it stands in the file.
        theorems: the kernel's theorems, one for each link.
    """

    source: str
    theorems: tuple[Theorem, ...]

    def text(self) -> str:
        """The statements from the theorems themselves, with all that they rest on."""
        lines = [str(theorem) for theorem in self.theorems]
        axioms = sorted({name for theorem in self.theorems for name, *_ in theorem.axioms})
        trusted = sorted({name for theorem in self.theorems for name in theorem.trusted})
        lines += [f"axiom: {name}" for name in axioms] + [f"trusted computation: {name}" for name in trusted]
        return "\n".join(lines)


def verify(text: str) -> Verified:
    """Check a stored proof with the kernel.

    Raises:
        NotAProofError: it is no stored proof.
        ProofError: the steps do not prove the statement.

    Examples:
        >>> verify("{}")
        Traceback (most recent call last):
        symlin.proof_file.NotAProofError: no stored proof: the fields version, verdict, … are missing
    """
    stored = _parse(text)
    script = Script()
    try:
        for step in stored["steps"]:
            script.add(step)
        theorems = tuple(script.theorems[number] for number in _numbers(stored["proves"], len(script.steps)))
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, RecursionError) as error:
        raise ProofError(
            f"step {len(script.steps)} cannot be read: {error}", f"step {len(script.steps)}"
        ) from None
    except SymlinError as error:
        raise ProofError(
            f"step {len(script.steps)} does not follow: {error}", f"step {len(script.steps)}"
        ) from None
    for name, found in (
        ("shapes", _shapes(theorems)),
        ("axioms", sorted({name for theorem in theorems for name, *_ in theorem.axioms})),
        ("trusted", sorted({name for theorem in theorems for name in theorem.trusted})),
    ):
        if stored[name] != found:
            raise ProofError(f"the file says {name} {stored[name]}, but the steps have {found}")
    _compare(stored, theorems)
    return Verified(stored["statement"], theorems)


def _parse(text: str) -> dict[str, Any]:
    try:
        stored = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise NotAProofError(f"no stored proof: {error}") from None
    if not isinstance(stored, dict) or any(name not in stored for name in (*FIELDS, "proves")):
        raise NotAProofError("no stored proof: the fields version, verdict, … are missing")
    if stored["version"] != VERSION:
        raise NotAProofError(f"a stored proof of version {stored['version']!r}; this is version {VERSION}")
    if stored["verdict"] not in ("proved", "holds"):
        raise NotAProofError(f"a stored verdict {stored['verdict']!r}, which has no proof")
    texts = [stored["statement"], *stored["names"], *stored["hypotheses"]] if _lists(stored) else [None]
    if not all(isinstance(one, str) for one in texts):
        raise NotAProofError("no stored proof: statement, names and hypotheses are texts")
    return stored


def _lists(stored: dict[str, Any]) -> bool:
    return all(isinstance(stored[name], list) for name in ("names", "hypotheses", "steps", "proves"))


def _numbers(numbers: list[Any], count: int) -> list[int]:
    if not numbers or not all(type(number) is int and 0 <= number < count for number in numbers):
        raise ProofError("the file does not say which steps prove the statement")
    return numbers


def _compare(stored: dict[str, Any], theorems: tuple[Theorem, ...]) -> None:
    """The statement, read again, must be what the steps prove, from no hypotheses but those given, those declared, and
    that the inverses and quotients written exist."""
    proved = [(theorem.lhs, theorem.rhs) for theorem in theorems]
    for statements, definitions, complex_entries in _readings(
        stored["statement"], stored["names"], stored["hypotheses"]
    ):
        if proved != [(one.lhs, one.rhs) for one in statements]:
            continue
        if any(one.relation not in ("=", ":=") for one in statements):
            continue
        assumed = [*statements, *(Statement(*pair) for pair in definitions)]
        allowed = set(definitions).union(*(theory.existence(one, complex_entries) for one in assumed))
        if all(theorem.hypotheses <= allowed for theorem in theorems):
            return
    raise ProofError(f"the steps do not prove {stored['statement']}, but {'; '.join(map(str, theorems))}")


def _readings(
    source: str, where: Sequence[str], given: Sequence[str]
) -> Iterator[tuple[list[Statement], list[tuple[Term, Term]], bool]]:
    """What the statement may mean, as `prove` reads it, with the equations that bear on it and whether entries are
    complex."""
    from symlin import proving
    from symlin.claims import definitions_for, unfold
    from symlin.context import Context
    from symlin.read.declare import declare
    from symlin.read.elaborate import elaborate
    from symlin.read.latex import parse
    from symlin.shapes import Draft

    context = Context()
    for text in where:
        declare(context, text)
    for text in given:
        proving.assume(context, text)
    formula = parse(source)
    for roles in proving.readings(formula, context):
        try:
            reading = elaborate(formula, context, roles)
            finish, trial = reading.finish(), context.trial()
            trial.sizes = reading.scope.sizes
            trial.maps.update(reading.scope.maps)
            statements = []
            for link in proving.statement_links(reading):
                statement = reading.statement(link, finish)
                if isinstance(link.lhs, Draft) and isinstance(link.rhs, Draft):
                    sides = [finish.term(unfold(side, trial)) for side in (link.lhs, link.rhs)]
                    statement = Statement(sides[0], sides[1], statement.relation)
                statements.append(statement)
            hypotheses = proving.hypotheses_of(trial, finish, statements)
        except SymlinError:
            continue
        terms = tuple(side for one in (*statements, *hypotheses) for side in (one.lhs, one.rhs))
        equations = [*definitions_for(terms, trial, finish), *((one.lhs, one.rhs) for one in hypotheses)]
        yield statements, equations, proving.has_complex_entries(terms, trial)


# --- terms as JSON --------------------------------------------------------------------------------------------


def dim_json(dim: Dim) -> Any:
    """A size: an integer, a name, or a list of [coefficient, name, power, name, power, …]."""
    if dim.constant is not None:
        return dim.constant
    if dim.lone_symbol is not None:
        return dim.lone_symbol
    return [[c, *(part for pair in powers for part in pair)] for powers, c in dim.terms]


def dim_of(value: Any) -> Dim:
    """The size that `dim_json` wrote."""
    if isinstance(value, str):
        return Dim.symbol(value)
    if type(value) is int:
        return Dim.of(value)
    total = Dim.of(0)
    for c, *powers in value:
        part = Dim.of(c)
        for name, power in zip(powers[::2], powers[1::2], strict=True):
            if type(power) is not int or not 0 < power < 100:
                raise ProofError(f"{power!r} is no exponent of a size")
            for _ in range(power):
                part = part * Dim.symbol(str(name))
        total = total + part
    return total


def _data_json(part: Any) -> Any:
    match part:
        case Dim():
            return {"dim": dim_json(part)}
        case Fraction():
            return {"number": str(part)}
        case tuple():
            return {"order": list(part)}
        case bool() | int() | str():
            return part
    raise ProofError(f"{part!r} cannot be stored")


def _data_of(part: Any) -> Any:
    if isinstance(part, dict):
        ((kind, value),) = part.items()
        made: dict[str, Callable[[Any], Any]] = {"dim": dim_of, "number": Fraction, "order": _order_of}
        return made[kind](value)
    if type(part) not in (int, str):
        raise ProofError(f"{part!r} is no part of a term")
    return part


def _order_of(value: Any) -> tuple[int, ...]:
    if not all(type(number) is int for number in value):
        raise ProofError("an order is a list of integers")
    return tuple(value)


def term_json(term: Term) -> Any:
    """A Term as [constructor, data, parts …]."""
    return [term.op, [_data_json(part) for part in term.data], *map(term_json, term.args)]


def term_of(value: Any) -> Term:
    """The Term that `term_json` wrote, made anew, so that its shape is computed and checked."""
    op, data, *args = value
    parts = tuple(_data_of(part) for part in data)
    if _DATA.get(op, ()) != tuple(type(part) for part in parts):
        raise ProofError(f"{op} has no such data")
    if op == "number" and cast(int, parts[1]) < 0:
        raise ProofError("a number has no negative number of digits")
    return make(op, *map(term_of, args), data=parts)


_DATA: dict[str, tuple[type, ...]] = {
    "symbol": (str, str, Dim, Dim),
    "number": (Fraction, int),
    "size": (Dim,),
    "literal": (int, int),
    "identity": (Dim,),
    "zero": (Dim, Dim),
    "ones": (Dim, Dim),
    "unit": (Dim, Dim),
    "permutation": (tuple,),
    "scale": (str,),
    "divide": (str,),
    "power": (Dim,),
    "entry": (Dim, Dim),
    "row": (Dim,),
    "column": (Dim,),
    "block": (int, int),
    "apply": (str, str, Dim),
    "entrywise": (str,),
    "scalar_function": (str,),
    **dict.fromkeys(BINDERS, (str, Dim, Dim)),
}
"""What data each constructor has; those not named have none."""
