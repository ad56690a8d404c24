"""The verdict on one formula in its context.

Offers `judge`, which reads a parsed formula, decides its links and lets the context learn from it, and `judge_size`,
for a size that the words claim; rests on `read.elaborate`, `claims` and `decide`.  A refutation must survive every
reasonable reading: guesses of rows or columns are tried both ways, and an equation to be solved is a condition.
"""

from __future__ import annotations

import itertools
import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from symlin.claims import definitions_for, looks_like_claim, unfold
from symlin.context import Context, How, Meaning, Partial, Role
from symlin.context import Kind as NameKind
from symlin.decide import decide
from symlin.decide.evaluation import UndefinedError
from symlin.decide.verdict import Verdict
from symlin.dims import ONE, Dim
from symlin.errors import BudgetError, ShapeError, SymlinError, UnsupportedError
from symlin.prose import Mood
from symlin.read.elaborate import Clause, Reading, elaborate, interpret
from symlin.read.names import Spelled, default_is_object, index_dim
from symlin.read.relations import Link, member_of
from symlin.read.scope import Items, MapsTo, Scope, SizeOf, Space, Thing, Value, bare_names, construct_of
from symlin.read.syntax import Formula, Group, Node
from symlin.read.syntax import Sequence as Listed
from symlin.shapes import Draft, Finish, shown, shown_dim
from symlin.statement import Statement
from symlin.term import Term, size_text, substitute, symbols, walk

Kind: TypeAlias = Literal[
    "proved", "holds", "refuted", "definition", "condition", "expression", "unsupported", "unknown", "unread"
]

SERIOUS: tuple[Kind, ...] = (
    "refuted",
    "unread",
    "unknown",
    "unsupported",
    "condition",
    "definition",
    "holds",
    "proved",
    "expression",
)
"""Verdicts from the most serious down (DESIGN §5)."""

BUDGET = 1.5
"""Seconds for one relation of a document: a text has thousands."""
FORMULA_BUDGET = 6.0
"""Seconds for one formula of a document with all its relations and readings."""

CONTENT = frozenset({"proved", "holds", "definition", "expression"})
"""Verdicts after which no other reading is looked for."""


@dataclass(frozen=True, slots=True)
class LinkVerdict:
    """The verdict on one relation of a chain."""

    lhs: str
    rel: str
    rhs: str
    verdict: str
    reason: str = ""

    def to_json(self) -> dict[str, str]:
        """The link as a JSON object."""
        return {
            "lhs": self.lhs,
            "rel": self.rel,
            "rhs": self.rhs,
            "verdict": self.verdict,
            "reason": self.reason,
        }


@dataclass(frozen=True, slots=True)
class Judgement:
    """The verdict on a formula, its reason, and its links."""

    verdict: Kind
    reason: str = ""
    links: tuple[LinkVerdict, ...] = ()


@dataclass(slots=True)
class _Attempt:
    """One reading of a formula with its verdicts and what the context would learn from it."""

    judgement: Judgement
    context: Context | None = None
    guessed: tuple[str, ...] = ()
    clashes: bool = False


def judge(
    formula: Formula,
    context: Context,
    *,
    mood: Mood = "",
    theorem: bool = False,
    claim: bool | None = True,
    place: str = "",
    budget: float = FORMULA_BUDGET,
) -> Judgement:
    """The verdict on a formula; the context learns what the formula defines.

    Args:
        formula: as parsed.
        context: what names mean here; changed by definitions and statements of shape.
        mood: what the words before it make of it (supposed, defined, concluded, asked).
        theorem: whether it stands in a theorem, so that an equation is a claim.
        claim: False in a denied claim (a wrong choice on purpose), None where nothing is asserted either way.
        place: for messages.
        budget: seconds; relations that are not decided by then are `unknown`.
    """
    deadline = time.monotonic() + budget
    best = _attempt(formula, context, {}, mood, theorem, place, deadline)
    if best.judgement.verdict not in CONTENT:
        for roles in _other_readings(best.guessed):
            attempt = _attempt(formula, context, roles, mood, theorem, place, deadline)
            if _better(attempt, best):
                best = attempt
            if best.judgement.verdict in CONTENT:
                break
    judgement = best.judgement
    if judgement.verdict != "refuted" and best.context is not None:
        context.adopt(best.context)
    if judgement.verdict == "refuted" and mood in ("doubt", "question"):
        judgement = Judgement("condition", f"not asserted, and false: {judgement.reason}", judgement.links)
    if claim is None and judgement.verdict == "refuted":
        return Judgement("condition", f"a choice, and false: {judgement.reason}", judgement.links)
    return _denied(judgement) if claim is False else judgement


def _better(new: _Attempt, old: _Attempt) -> bool:
    """A reading under which the formula is right counts before one under which it is wrong.

    One under which its sizes clash is no reasonable reading beside one under which they fit.
    """
    if old.clashes != new.clashes:
        return old.clashes
    return SERIOUS.index(new.judgement.verdict) > SERIOUS.index(old.judgement.verdict)


def _denied(judgement: Judgement) -> Judgement:
    if judgement.verdict == "refuted":
        return Judgement("condition", f"denied, and indeed false: {judgement.reason}", judgement.links)
    if judgement.verdict in ("proved", "holds"):
        return Judgement("refuted", "denied but true", judgement.links)
    return judgement


def _other_readings(guessed: Sequence[str]) -> Iterator[dict[str, Role]]:
    """Each way to take vector letters of unknown convention as columns or rows of their matrix."""
    choices: tuple[Role, Role] = ("columns", "rows")
    if 0 < len(guessed) <= 3:
        for combination in itertools.product(choices, repeat=len(guessed)):
            yield dict(zip(guessed, combination, strict=True))


def _attempt(
    formula: Formula,
    context: Context,
    roles: dict[str, Role],
    mood: Mood,
    theorem: bool,
    place: str,
    deadline: float,
) -> _Attempt:
    trial = context.trial()
    try:
        reading = elaborate(formula, trial, roles)
    except ShapeError as error:
        keys = {key for clause in formula.clauses for key in bare_names(clause) if key.startswith("v:")}
        guessed = tuple(sorted(keys - set(context.conventions)))
        if mood == "doubt" and not _has_relation(formula):
            return _Attempt(Judgement("expression", f"said not to be defined, and indeed: {error}"))
        return _Attempt(_shape_judgement(formula, trial, error), None, guessed, True)
    except UnsupportedError as error:
        kind: Kind = "unsupported" if _has_relation(formula) else "expression"
        return _Attempt(Judgement(kind, str(error)))
    session = _Session(reading, trial, context, mood, theorem, place, deadline)
    try:
        judgement = session.run()
    except ShapeError as error:
        judgement = _shape_judgement(formula, context, error)
    except UnsupportedError as error:
        judgement = Judgement("unsupported", str(error))
    except SymlinError as error:
        judgement = Judgement("unknown", str(error))
    clashes = any(link.clash is not None for clause in reading.clauses for link in clause.links)
    return _Attempt(judgement, session.learned(), tuple(reading.scope.guessed), clashes)


def _has_relation(formula: Formula) -> bool:
    from symlin.read.syntax import Chain

    return any(isinstance(clause, Chain) for clause in formula.clauses)


def _shape_judgement(formula: Formula, context: Context, error: ShapeError) -> Judgement:
    """Sizes that the text itself fixed make a formula impossible; without a relation nothing is claimed."""
    if not _has_relation(formula):
        return Judgement("unknown", f"shape: {error}")
    names = {name for clause in formula.clauses for name in bare_names(clause)}
    said = f"{error.left} {error.right}"
    letters = {name for name in names if default_is_object(name) and name.removeprefix("v:") in said}
    guessed = sorted(
        name
        for name in letters
        if name not in context.names or context.names[name].how in ("inferred", "guessed")
    )
    if guessed:
        return Judgement(
            "unknown", f"shape: {error}; but what {guessed[0].removeprefix('v:')} is was only guessed"
        )
    return Judgement("refuted", f"shape: {error}")


@dataclass(slots=True)
class _Session:
    """The deciding of one reading, clause by clause, with the context growing as it goes."""

    reading: Reading
    context: Context
    origin: Context
    mood: Mood
    theorem: bool
    place: str
    deadline: float = math.inf
    learns: bool = False
    finish: Finish | None = None

    def run(self) -> Judgement:
        """The verdicts of all clauses together."""
        scope = self.reading.scope
        self.context.sizes = scope.sizes
        self.context.conventions.update(scope.conventions)
        for key, rule in scope.maps.items():
            self.context.maps[key] = rule
        links: list[LinkVerdict] = []
        kinds: list[tuple[Kind, str]] = []
        for clause in self.reading.clauses:
            if clause.links:
                for link in clause.links:
                    try:
                        kind, reason = self.link(link)
                    except BudgetError as error:
                        kind, reason = "unknown", str(error)
                    links.append(LinkVerdict(link.left_text, link.relation, link.right_text, kind, reason))
                    kinds.append((kind, reason))
            else:
                kinds.append(self.expression(clause))
        kinds.extend(self._odd_members(kinds))
        worst = min(kinds, key=lambda pair: SERIOUS.index(pair[0]), default=("expression", ""))
        return Judgement(worst[0], worst[1], tuple(links))

    def _odd_members(self, kinds: list[tuple[Kind, str]]) -> list[tuple[Kind, str]]:
        """The verdict on members of families that break the pattern of the others: wrong, unless they are equal anyway."""
        found: list[tuple[Kind, str]] = []
        defining = all(kind in ("definition", "expression", "condition") for kind, _ in kinds)
        for member, expected in self.reading.scope.odd:
            right = self.finished().term(expected)
            left = self.finished().term(member)
            if left.shape == right.shape and decide(Statement(left, right), budget=self.budget()).kind in (
                "proved",
                "holds",
            ):
                continue
            reason = f"{member.text} stands where the pattern of the other members has {right}"
            found.append(("unknown" if defining else "refuted", reason))
        return found

    def budget(self) -> float:
        """Seconds for the next relation.

        Raises:
            BudgetError: none are left.
        """
        left = self.deadline - time.monotonic()
        if left <= 0:
            raise BudgetError("time", "the time for this formula is spent")
        return min(BUDGET, left)

    def learned(self) -> Context | None:
        """The context after the formula; None when it is as before."""
        if self.learns:
            return self.context
        if not self.reading.scope.conventions and not self.reading.scope.maps:
            return None
        fresh = self.origin.trial()
        fresh.conventions.update(self.reading.scope.conventions)
        fresh.maps.update(self.reading.scope.maps)
        return fresh

    def learn(self, *keys: str, how: How = "defined") -> None:
        """Keep what this reading found out of sizes, and the names met in it; `keys` are those that it fixes."""
        self.learns = True
        for key, meaning in self.reading.scope.names.items():
            if key in self.reading.scope.maps or self._is_parameter(key):
                continue
            if key not in self.context.names:
                self.context.names[key] = Meaning(key, meaning.kind, meaning.symbol, "inferred", self.place)
        for key in keys:
            known = self.context.names.get(key)
            if known is not None and known.how in ("inferred", "guessed"):
                self.context.names[key] = replace(known, how=how, place=self.place)

    def _is_parameter(self, key: str) -> bool:
        return any(
            rule.parameter.data[:1] == self.reading.scope.names[key].symbol.data[:1]
            for rule in self.reading.scope.maps.values()
        )

    def expression(self, clause: Clause) -> tuple[Kind, str]:
        """A clause without a relation: nothing is claimed, but its sizes must fit."""
        if isinstance(clause.value, MapsTo):
            return self._map(clause.value)
        if isinstance(clause.value, Draft):
            try:
                self.finished().term(clause.value)
            except ShapeError as error:
                return ("expression", "") if self.mood == "doubt" else ("unknown", f"shape: {error}")
        return "expression", ""

    def suppose(self, link: Link) -> None:
        """Remember for the rest of the block that something is supposed of the names in a relation."""
        self.learns = True
        words = f"{link.left_text} = {link.right_text}"
        for side in (link.lhs, link.rhs):
            for draft in _drafts(side):
                for part in draft.walk():
                    if part.op in ("symbol", "late letter"):
                        self.context.assumptions.setdefault(str(part.data[0]), words)

    def _map(self, value: MapsTo) -> tuple[Kind, str]:
        """A map is shown: words that follow may speak of its domain and codomain."""
        self.learn()
        self.context.arrow = (value.parameter.rows, value.body.rows)
        return "expression", ""

    def finished(self) -> Finish:
        """What makes Terms of Drafts; made once, so that unknown sizes keep their letters."""
        if self.finish is None:
            self.finish = self.reading.finish()
        return self.finish

    # --- links ---------------------------------------------------------------------------------------------

    def link(self, link: Link) -> tuple[Kind, str]:
        """The verdict on one relation."""
        if link.clash is not None:
            return self._clash(link)
        match link.relation:
            case "=" | ":=":
                return self._equation(link)
            case r"\in":
                return self._membership(link)
            case r"\ne" | "<" | ">" | r"\le" | r"\ge" | r"\approx":
                return self._comparison(link)
            case r"\mapsto" if isinstance(link.lhs, MapsTo):
                return self._map(link.lhs)
            case (
                r"\mapsto"
                | r"\rightarrow"
                | r"\longrightarrow"
                | r"\Rightarrow"
                | r"\leftrightarrow"
                | r"\iff"
            ):
                return "expression", ""
        return "unsupported", f"the relation {link.relation} is outside what symlin decides"

    def _clash(self, link: Link) -> tuple[Kind, str]:
        sides = [side for side in (link.lhs, link.rhs) if isinstance(side, Draft)]
        if any("tuple" in side.traits for side in sides):
            return "unknown", f"{link.clash}; a list in parentheses is read as a column"
        if self._names_anew(link):
            return "definition", f"gives {link.left_text} a new meaning"
        doubtful = [name for side in sides for name in self._guessed_names(side)]
        if doubtful:
            return "unknown", f"shape: {link.clash}; but what {doubtful[0]} is was only guessed"
        return "refuted", f"shape: {link.clash}"

    def _names_anew(self, link: Link) -> bool:
        """A bare name set equal to explicit entries of another size is used anew, unless it is a conclusion."""
        name, value = link.name, link.rhs
        if (
            name is None
            or name.indices
            or self.mood == "thus"
            or not isinstance(value, Draft)
            or value.op != "literal"
        ):
            return False
        style = name.font if name.font != "it" else ""
        symbol = Draft("symbol", (), (name.name, style), value.rows, value.cols, link.left_text)
        kind: NameKind = "vector" if self.reading.scope.sizes.is_one(value.cols) else "matrix"
        self.learn()
        self.context.names[name.key] = Meaning(name.key, kind, symbol, "defined", self.place)
        self.context.values.pop(name.key, None)
        self.context.partials.pop(name.key, None)
        self.context.values[name.key] = value
        return True

    def _guessed_names(self, draft: Draft) -> list[str]:
        """The names in a Draft whose kind or size the text has not fixed before."""
        known = self.reading.scope.context.names
        found = []
        for part in draft.walk():
            if part.op not in ("symbol", "late letter"):
                continue
            name = str(part.data[0])
            meaning = known.get(f"v:{name}") or known.get(name)
            if meaning is None or meaning.how in ("inferred", "guessed"):
                found.append(name)
        return found

    def _membership(self, link: Link) -> tuple[Kind, str]:
        if not isinstance(link.rhs, Space):
            return "condition", ""
        scope = self.reading.scope
        if link.rhs.field not in ("R", "C", "Q", "F", "K"):
            return "condition", ""
        known = [self._stated(draft) for draft in _drafts(link.lhs)]
        members = member_of(scope, link.lhs, link.rhs.rows, link.rhs.cols)
        if not members:
            return "condition", ""
        self.context.sizes = scope.sizes
        for draft, fits in members:
            if not fits and self._is_named_again(link, draft):
                return "condition", f"{draft.text} seems to be named again with another size"
            if not fits:
                want = size_text((link.rhs.rows, link.rhs.cols))
                return "refuted", f"shape: {draft.text} is {size_text(shown(scope.sizes, draft))}, not {want}"
        self.learn(*(key for draft, _ in members if (key := self._key_of(draft)) is not None), how="stated")
        self.context.state_letters(link.rhs.rows, link.rhs.cols)
        if all(known):
            return "holds", "the sizes agree with what the text has fixed"
        return "definition", ""

    def _is_named_again(self, link: Link, draft: Draft) -> bool:
        """A vector letter with letters for sizes is often used again: x in R^n, later x in R^m."""
        sizes = self.reading.scope.sizes
        old, new = sizes.resolve(draft.rows), link.rhs.rows if isinstance(link.rhs, Space) else draft.rows
        return (
            draft.op == "symbol"
            and draft.data[1] in ("bold", "vec")
            and old.constant is None
            and new.constant is None
        )

    def _stated(self, draft: Draft) -> bool:
        """Whether both sizes of a Draft were settled before this formula."""
        sizes = self.origin.sizes
        for dim in (draft.rows, draft.cols):
            resolved = sizes.resolve(dim)
            if any(name.startswith("?") or name not in sizes.stated for name in resolved.symbols):
                return False
        return True

    def _comparison(self, link: Link) -> tuple[Kind, str]:
        if not isinstance(link.lhs, Draft) or not isinstance(link.rhs, Draft):
            return "condition", ""
        verdict = self._decide(link)
        if verdict.kind in ("proved", "holds"):
            return verdict.kind, verdict.reason
        if verdict.kind == "refuted" and not _free_symbols(verdict.statement):
            return "refuted", verdict.reason
        return "condition", ""

    def _equation(self, link: Link) -> tuple[Kind, str]:
        if not isinstance(link.lhs, Draft) or not isinstance(link.rhs, Draft):
            return self._notation(link)
        if link.introduces == "map":
            self.learn()
            return "definition", f"defines the map {link.left_text}"
        if link.introduces in ("columns", "rows", "entries"):
            self.learn()
            return "definition", f"names the {link.introduces} of {link.left_text}"
        if self._defines(link):
            return self._define(link)
        partial = self._partial(link)
        if partial is not None:
            return partial
        kind, reason = self._claim(link)
        if kind == "condition":
            if self._specialises(link):
                return self._define(link)
            if self.mood in ("if", "let"):
                self.suppose(link)
        return kind, reason

    def _specialises(self, link: Link) -> bool:
        """Whether a name known only by a rule (V = XW) now gets explicit entries, which the rule does not settle."""
        name = link.name
        if name is None or name.indices or not isinstance(link.rhs, Draft) or self.mood == "thus":
            return False
        explicit = not any(part.op in ("symbol", "late letter") for part in link.rhs.walk())
        return explicit and name.key in self.context.values

    def _notation(self, link: Link) -> tuple[Kind, str]:
        for value in (link.lhs, link.rhs):
            if isinstance(value, Thing) and value.construct == "nothing":
                return "expression", ""
        if link.name is not None and not link.name.indices:
            return "definition", ""
        odd = link.lhs if not isinstance(link.lhs, Draft) else link.rhs
        return "unsupported", f"{construct_of(odd)} is outside what symlin decides"

    def _defines(self, link: Link) -> bool:
        """Whether a bare name without a value stands on the left."""
        name = link.name
        if name is None or name.indices or not isinstance(link.lhs, Draft):
            return False
        if link.lhs.op not in ("symbol", "late letter") or (
            self.mood == "question" and name.key in self.context.values
        ):
            return False
        if name.key in self.context.values or name.key in self.context.partials:
            return self._redefines(link, name)
        return not _mentions(link.rhs, link.lhs)

    def _redefines(self, link: Link, name: Spelled) -> bool:
        """A second explicit value for a name is a new object, not a claim about the old one."""
        old = self.context.values.get(name.key)
        if old is None or self.mood == "thus" or not isinstance(link.rhs, Draft):
            return False
        if link.rhs.op == "literal":
            return old.op == "literal" and not _same(old, link.rhs)
        # z = (A + 2I)x, all in numbers, after z was another product: the letter is used again.
        statement = self._statement(link)
        if not _same(old, link.rhs) and isinstance(link.lhs, Draft) and not _mentions(link.rhs, link.lhs):
            verdict = decide(
                statement,
                definitions=definitions_for((statement.lhs, statement.rhs), self.context, self.finished()),
                budget=self.budget(),
            )
            return verdict.kind == "refuted" and not _free(verdict)
        return False

    def _define(self, link: Link) -> tuple[Kind, str]:
        name, value = link.name, link.rhs
        if name is None or not isinstance(value, Draft) or not isinstance(link.lhs, Draft):
            return "condition", ""
        scalar = self.reading.scope.is_scalar(link.lhs)
        if scalar and self.mood not in ("let", "thus"):
            return "condition", ""
        self.finished().term(value)
        self.learn(name.key)
        if name.key in self.reading.scope.names:
            meaning = self.reading.scope.names[name.key]
            self.context.names[name.key] = Meaning(
                name.key, meaning.kind, meaning.symbol, "defined", self.place
            )
        self.context.values.pop(name.key, None)
        self.context.values[name.key] = value
        return "definition", ""

    def _partial(self, link: Link) -> tuple[Kind, str] | None:
        """A row, column or entry of a matrix that has no value yet: true anyway, or a definition of that part."""
        if not isinstance(link.lhs, Draft) or not isinstance(link.rhs, Draft):
            return None
        part, index, flip = _part_of(link.lhs)
        if part is None:
            return None
        base = part.args[0]
        key = self._key_of(base)
        if key is None or key in self.context.values or _mentions(link.rhs, base):
            return None
        if any(dim.constant is None for dim in index):
            return self._family_definition(link, part, key)
        numbers = tuple(int(dim.constant) for dim in index if dim.constant is not None)
        kind = part.op
        known = self.context.partials.setdefault(key, [])
        if any(old.part == kind and old.index == numbers for old in known):
            return None
        value = link.rhs
        if flip:
            value = Draft("transpose", (value,), (), value.cols, value.rows, value.text)
        self.finished().term(value)
        known.append(Partial(kind, numbers, value))  # type: ignore[arg-type]  # row, column or entry
        self.learn(key)
        return "definition", f"gives {link.left_text} a value"

    def _family_definition(self, link: Link, part: Draft, key: str) -> tuple[Kind, str] | None:
        """S_{ij} = … for all i and j, where S has no value yet."""
        if part.op != "entry" or not isinstance(link.rhs, Draft) or self.mood == "thus":
            return None
        letters = [dim.lone_symbol for dim in part.data]
        if (
            None in letters
            or letters[0] == letters[1]
            or set(letters) & self.reading.scope.context.sizes.stated
        ):
            return None
        base = part.args[0]
        row = Draft(
            "column_family", (link.rhs,), (letters[1], ONE, base.cols), ONE, base.cols, link.right_text
        )
        value = Draft(
            "row_family", (row,), (letters[0], ONE, base.rows), base.rows, base.cols, link.right_text
        )
        self.learn(key)
        self.context.values[key] = value
        return "definition", f"gives the entries of {base.text}"

    def _key_of(self, base: Draft) -> str | None:
        if base.op not in ("symbol", "late letter"):
            return None
        name = str(base.data[0])
        for key in (f"v:{name}", name):
            meaning = self.context.names.get(key) or self.reading.scope.names.get(key)
            if meaning is not None and meaning.symbol.data == base.data:
                return key
        return None

    def _claim(self, link: Link) -> tuple[Kind, str]:
        forced = self._forced()
        if forced is not None:
            return forced
        verdict = self._decide(link)
        match verdict.kind:
            case "proved" | "holds":
                return verdict.kind, verdict.reason
            case "refuted":
                unused = self._unused_definition(verdict)
                if unused:
                    return "unknown", f"the definition of {unused} could not be put in: its size is not known"
                if _free(verdict) and not self._is_claim(verdict, link):
                    return "condition", "not true of all values, so read as an equation to be satisfied"
                doubt = self._doubt(link, verdict)
                return (
                    ("unknown", f"{doubt}; as read here, {verdict.reason}")
                    if doubt
                    else ("refuted", verdict.reason)
                )
            case "unknown" | "unsupported":
                if _free_symbols(verdict.statement) and not self._is_claim(verdict, link):
                    return "condition", verdict.reason
                return verdict.kind, verdict.reason

    def _forced(self) -> tuple[Kind, str] | None:
        """A claim must not make a size of a matrix that the text has introduced 1: it is meant for every size."""
        before, after = self.origin.sizes, self.reading.scope.sizes
        for meaning in self.origin.names.values():
            for dim, what in ((meaning.symbol.rows, "row"), (meaning.symbol.cols, "column")):
                open_before = before.resolve(dim).lone_symbol
                if open_before is None or not open_before.startswith("?") or not after.is_one(dim):
                    continue
                name = meaning.symbol.text or str(meaning.symbol.data[0])
                fixed = meaning.how in ("declared", "stated", "defined")
                return (
                    "refuted" if fixed else "unknown"
                ), f"shape: the sizes fit only if {name} has a single {what}"
        return None

    def _unused_definition(self, verdict: Verdict) -> str:
        """A name that the text has defined and the counterexample chose freely all the same; "" when there is none."""
        if verdict.counterexample is None:
            return ""
        used = {one.lhs for one in verdict.used}
        for symbol in verdict.counterexample.values:
            name = str(symbol.data[0])
            defined = name in self.context.values or f"v:{name}" in self.context.values
            if symbol.op == "symbol" and defined and symbol not in used:
                return str(symbol)
        return ""

    def _doubt(self, link: Link, verdict: Verdict) -> str:
        """Another reasonable reading under which the formula may be right, in words; "" when there is none."""
        known = self.reading.scope.context.names
        terms = [node for side in (verdict.statement.lhs, verdict.statement.rhs) for node in walk(side)]
        if _free(verdict):
            names = {str(symbol.data[0]) for symbol in _free_symbols(verdict.statement)}
            supposed = self.origin.assumptions
            words = ", ".join(
                sorted({text for key, text in supposed.items() if key.removeprefix("v:") in names})
            )
            if words:
                return f"the text supposes something that is not used yet ({words})"
        if self.reading.formula.notes:
            return "the reasons beside the lines may bring in what is not known here"
        if _free(verdict) and any(node.op == "symbol" and node.data[:2] == ("i", "") for node in terms):
            return "i may be the imaginary unit"
        for node in terms:
            if node.op == "hadamard" and not all(str(s.data[0]) in known for s in symbols(node)):
                return "∘ may be the composition of maps"
        component = link.lhs
        if isinstance(component, Draft) and component.op == "entry" and self.mood != "thus":
            letter = link.left_text[:1]
            if (
                letter.islower()
                and component.args[0].op == "symbol"
                and str(component.args[0].data[0]) == letter
            ):
                return f"{link.left_text} may be an unknown of its own"
        return ""

    def _is_defined(self, link: Link, sides: Sequence[Term]) -> bool:
        """Whether the left side speaks of what the text has defined, and both of nothing unknown besides.

        `sides` have the definitions put in: what is left in them must be matrices and vectors that the text has
        fixed; a scalar left in a value (the k of a matrix with an entry k) makes an equation to be solved.
        """
        if self._specialises(link):
            return False
        names = [
            part
            for draft in _drafts(link.lhs)
            for part in draft.walk()
            if part.op in ("symbol", "late letter")
        ]
        defined = bool(names) and all(
            (key := self._key_of(name)) is not None and key in self.context.values for name in names
        )
        left = {symbol for side in sides for symbol in symbols(side)}
        return defined and not any(symbol.is_scalar or not self._is_fixed(symbol) for symbol in left)

    def _is_fixed(self, symbol: Term) -> bool:
        """Whether the text has said what a symbol is, or at least its size."""
        name = str(symbol.data[0])
        meaning = self.context.names.get(f"v:{name}") or self.context.names.get(name)
        return meaning is not None and meaning.how in ("declared", "stated", "defined")

    def _is_claim(self, verdict: Verdict, link: Link) -> bool:
        """Whether an equation with symbols that the text leaves open is meant for all of their values."""
        if self.mood in ("question", "doubt") or (self.mood == "if" and not self._lists_a_part(link)):
            return False
        if self.theorem:
            return True
        sides = [verdict.statement.lhs, verdict.statement.rhs]
        for symbol, value in reversed(definitions_for(tuple(sides), self.context, self.finished())):
            sides = [substitute(side, {symbol: value}) for side in sides]
        return self._is_defined(link, sides) or looks_like_claim(sides[0], sides[1])

    def _lists_a_part(self, link: Link) -> bool:
        """Whether a row or column is written out: q_2 = [q_21; q_22; q_23] supposes nothing and is right or wrong."""
        return (
            isinstance(link.lhs, Draft)
            and isinstance(link.rhs, Draft)
            and _part_of(link.lhs)[0] is not None
            and link.rhs.op == "literal"
        )

    def _statement(self, link: Link) -> Statement:
        finish = self.finished()
        lhs, rhs = link.lhs, link.rhs
        if not isinstance(lhs, Draft) or not isinstance(rhs, Draft):
            raise UnsupportedError("a relation between things that are no matrix expressions")
        relation = "=" if link.relation == ":=" else link.relation
        return Statement(
            finish.term(unfold(lhs, self.context)), finish.term(unfold(rhs, self.context)), relation
        )

    def _decide(self, link: Link) -> Verdict:
        statement = self._statement(link)
        definitions = definitions_for((statement.lhs, statement.rhs), self.context, self.finished())
        return decide(statement, definitions=definitions, budget=self.budget())


def _drafts(value: Value) -> list[Draft]:
    if isinstance(value, Draft):
        return [value]
    if isinstance(value, Items):
        return [draft for item in value.values for draft in _drafts(item)]
    return []


def _mentions(value: Value, symbol: Draft) -> bool:
    return any(
        part.op == symbol.op and part.data == symbol.data for draft in _drafts(value) for part in draft.walk()
    )


def _same(left: Draft, right: Draft) -> bool:
    return left.op == right.op and left.data == right.data and left.text == right.text


def _part_of(draft: Draft) -> tuple[Draft | None, tuple[Dim, ...], bool]:
    """The row, column or entry of a symbol that a Draft names, with its indices; True when it is written turned."""
    flip = draft.op == "transpose"
    inner = draft.args[0] if flip else draft
    if inner.op in ("row", "column", "entry") and inner.args[0].op in ("symbol", "late letter"):
        return inner, inner.data, flip
    return None, (), False


def _free(verdict: Verdict) -> bool:
    """Whether a refutation chose values for symbols that the text leaves open."""
    return verdict.counterexample is not None and bool(verdict.counterexample.values)


def _free_symbols(statement: Statement) -> tuple[Term, ...]:
    return symbols(statement.lhs) + symbols(statement.rhs)


def judge_size(
    formula: Formula, subjects: Sequence[tuple[Node, Formula]], context: Context, place: str = ""
) -> Judgement | None:
    """The verdict on a size that the words give to other formulas; None when the formula shows no size.

    What has no size yet gets it; what has one must agree.
    """
    if len(formula.clauses) != 1:
        return None
    trial = context.trial()
    try:
        reading = elaborate(formula, trial)
    except SymlinError:
        return None
    value = reading.clauses[0].value
    if isinstance(value, Space):
        value = SizeOf(value.rows, value.cols, value.text)
    if not isinstance(value, SizeOf):
        return None
    scope = reading.scope
    trial.sizes = scope.sizes
    stated = True
    for node, source in subjects:
        for item in node.items if isinstance(node, Listed) else (node,):
            verdict = _size_of_subject(item, source, value, trial, scope, place)
            if verdict is not None and verdict.verdict == "refuted":
                return verdict
            stated = stated and verdict is not None
    trial.state_letters(value.rows, value.cols)
    context.adopt(trial)
    return (
        Judgement("holds", "the size agrees with what the text has fixed")
        if stated and subjects
        else Judgement("definition")
    )


def judge_part(
    part: Literal["row", "column", "entry"],
    matrix: Formula,
    index: Sequence[Node],
    value: Formula,
    context: Context,
    place: str = "",
) -> Judgement | None:
    """The verdict on what the words call a row, a column or an entry of a matrix; None when no such claim is made out.

    A part that is not known yet is learnt.  A row given as a tuple is meant as a row.
    """
    if len(matrix.clauses) != 1 or len(value.clauses) != 1:
        return None
    if len(index) == 1 and part == "entry" and isinstance(index[0], Group):
        inner = index[0].body
        index = inner.items if isinstance(inner, Listed) else (inner,)
    dims = tuple(dim for dim in map(index_dim, index) if dim is not None)
    if len(dims) != len(index) or len(dims) != (2 if part == "entry" else 1):
        return None
    trial = context.trial()
    try:
        reading = elaborate(value, trial)
        right = reading.clauses[0].value
        scope = reading.scope
        scope.latex = matrix.latex
        scope.present = scope.present | bare_names(matrix.clauses[0])
        base = scope.draft(matrix.clauses[0])
    except SymlinError:
        return None
    if not isinstance(right, Draft) or scope.is_scalar(base):
        return None
    size, text = {
        "row": ((ONE, base.cols), f"row {dims[0]} of {base.text}"),
        "column": ((base.rows, ONE), f"column {dims[0]} of {base.text}"),
        "entry": ((ONE, ONE), f"entry ({', '.join(map(str, dims))}) of {base.text}"),
    }[part]
    left = Draft(part, (base,), dims, *size, text)
    if part == "row" and scope.sizes.is_one(right.cols) and not scope.sizes.is_one(right.rows):
        right = Draft("transpose", (right,), (), right.cols, right.rows, right.text, right.traits)
    if not (scope.sizes.unify(left.rows, right.rows) and scope.sizes.unify(left.cols, right.cols)):
        have, want = size_text(shown(scope.sizes, left)), size_text(shown(scope.sizes, right))
        return Judgement("refuted", f"shape: {text} is {have}, but {right.text} is {want}")
    trial.sizes = scope.sizes
    session = _Session(reading, trial, context, "", False, place)
    fixed = not session._guessed_names(base)
    try:
        kind, reason = session.link(Link(left, "=", right, text, right.text))
    except (ShapeError, UndefinedError) as error:
        return Judgement("refuted" if fixed else "unknown", f"shape: {error}")
    except SymlinError as error:
        return Judgement("unknown", str(error))
    learned = session.learned()
    if kind != "refuted" and learned is not None:
        context.adopt(learned)
    return Judgement("expression" if kind == "condition" else kind, reason)


def judge_space(formula: Formula, context: Context, side: Literal["domain", "codomain"]) -> Judgement | None:
    """The verdict on a space that the words call the domain or codomain of the map last shown; None without one."""
    trial = context.trial()
    try:
        reading = elaborate(formula, trial)
    except SymlinError:
        return None
    value = reading.clauses[0].value if len(reading.clauses) == 1 else None
    if not isinstance(value, Space) or context.arrow is None:
        return None
    have = context.arrow[0 if side == "domain" else 1]
    sizes = reading.scope.sizes
    if not (sizes.unify(have, value.rows) and sizes.unify(ONE, value.cols)):
        shown_size = shown_dim(context.sizes, have)
        return Judgement("refuted", f"shape: the {side} of the map is ℝ^{shown_size}, not ℝ^{value.rows}")
    return Judgement("holds", f"the {side} of the map")


def _size_of_subject(
    node: Node, source: Formula, size: SizeOf, context: Context, scope: Scope, place: str
) -> Judgement | None:
    """Give a subject its size, or compare: None when it had none, else what the comparison says."""
    inner = Scope(
        latex=source.latex,
        context=context,
        interpret=interpret,
        sizes=context.sizes.copy(),
        present=frozenset(bare_names(node)),
    )
    try:
        draft = inner.draft(node)
    except SymlinError:
        return None
    before = inner.sizes.copy()
    known = not any(
        name.startswith("?") or name not in before.stated
        for dim in (draft.rows, draft.cols)
        for name in before.resolve(dim).symbols
    )
    if not (inner.sizes.unify(draft.rows, size.rows) and inner.sizes.unify(draft.cols, size.cols)):
        have = size_text(shown(before, draft))
        return Judgement("refuted", f"shape: {draft.text} is {have}, not {size_text((size.rows, size.cols))}")
    context.sizes = inner.sizes
    for key, meaning in inner.names.items():
        context.names.setdefault(key, Meaning(key, meaning.kind, meaning.symbol, "inferred", place))
    for key, meaning in context.names.items():
        if (
            meaning.symbol.op == draft.op
            and meaning.symbol.data == draft.data
            and meaning.how in ("inferred", "guessed")
        ):
            context.names[key] = replace(meaning, how="stated", place=place)
    return Judgement("holds") if known else None
