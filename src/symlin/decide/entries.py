"""The entries engine: both sides as sums of products of entries with bound indices, compared.

Offers `decide_entries` and `entry_sum`; rests on the kernel, which expands and checks, and on `canonical`, which
finds the renaming of bound indices.  Equal sums prove the statement at all sizes; different ones show that it
fails at sizes large enough only where `complete` says so.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, cast

from symlin import kernel
from symlin.decide.canonical import Labeller
from symlin.decide.composite import find_splits
from symlin.decide.verdict import Proof
from symlin.dims import ONE, Dim
from symlin.errors import BudgetError, ProofError, ShapeError, UnsupportedError
from symlin.statement import Statement
from symlin.sums import Certificate, Summand, expand, renamed
from symlin.term import BINDERS, Term, walk

UNROLL = 40
"""Indices that run to at most this number are written out one by one."""

FORCED = 300
"""How often the ways of splitting sizes are changed where an expansion fails."""

SITES = 5
"""Where a composite size splits in several ways, the choice is searched for this many indices."""


@dataclass(frozen=True, slots=True)
class EntriesResult:
    """What the comparison of entries found.

    Args:
        equal: whether both sides expand to the same sums; then `proof` is checked by the kernel.
        complete: when not equal, whether this shows that the statement fails at large enough sizes.
        proof: the proof, when equal.
        difference: the first summand that one side has and the other has not, in words.
        sizes_needed: the least size at which values that tell the sides apart exist for sure, when complete.
    """

    equal: bool
    complete: bool
    proof: Proof | None
    difference: str
    sizes_needed: int


def decide_entries(statement: Statement, *, budget: int = 200_000) -> EntriesResult:
    """Decide an equation by the entries of both sides.

    Args:
        statement: lhs = rhs, each m×n; hypotheses are not used.
        budget: how many summands may be formed.

    Raises:
        UnsupportedError: an index or a construct that cannot be expanded.
        BudgetError: more summands than the budget allows.

    Examples:
        >>> from symlin.construct import symbol, trace
        >>> A, B = symbol("A", "m", "n"), symbol("B", "n", "m")
        >>> decide_entries(trace(A @ B).eq(trace(B @ A))).equal
        True
        >>> A, B = symbol("A", "n", "n"), symbol("B", "n", "n")
        >>> found = decide_entries((A @ B).eq(B @ A))
        >>> found.equal, found.complete
        (False, True)
    """
    if statement.relation != "=":
        raise UnsupportedError(f"the relation {statement.relation}")
    try:
        return _decide(statement, UNROLL, budget)
    except BudgetError as error:
        # Perhaps it holds whatever the sizes are: then nothing need be written out.
        found = _decide(statement, 1, budget)
        if not found.equal:
            raise error from None
        return found


def _decide(statement: Statement, unroll: int, budget: int) -> EntriesResult:
    splits, one_way = find_splits((statement.lhs, statement.rhs))
    sizes = [size for size, *_ in splits]
    several = max((sizes.count(size) for size in sizes), default=1)
    refused: ProofError | ShapeError | None = None
    first: _Comparison | None = None
    forced = (
        _forced_ways(statement, Certificate(splits, (), unroll), several, budget) if several > 1 else None
    )
    searched = itertools.product(range(several), repeat=SITES if several > 1 else 0)
    for ways in itertools.chain([] if forced is None else [forced], searched):
        try:
            compared = _compare(statement, Certificate(splits, ways, unroll), budget)
            if not compared.left_over:
                theorem = kernel.by_entries(statement.lhs, statement.rhs, compared.certificate)
                proof = Proof(statement, "entries", theorem=theorem, certificate=compared.certificate)
                return EntriesResult(True, True, proof, "", 0)
        except (ProofError, ShapeError) as error:
            refused = refused or error
        except RecursionError:
            raise BudgetError("depth", "the terms are nested too deeply to compare entries") from None
        else:
            first = first or compared
    if first is None:
        raise UnsupportedError("an index", f"entries cannot be compared: {refused}")
    left_over = [summand for _, summand in first.left_over]
    needed = min(len({name for d in _dims(summand) for name in d.symbols}) for summand in left_over)
    complete = one_way and _is_complete(statement, left_over)
    return EntriesResult(False, complete, None, _difference(first), max(needed, 1))


class _Counted:
    """Ways that count how many were asked for."""

    def __init__(self, ways: tuple[int, ...]) -> None:
        self.ways = ways
        self.count = 0

    def __iter__(self) -> Iterator[int]:
        for way in itertools.chain(self.ways, itertools.repeat(0)):
            self.count += 1
            yield way


def _forced_ways(
    statement: Statement, certificate: Certificate, several: int, budget: int
) -> tuple[int, ...] | None:
    """Which of its splits each index takes, changed only where an expansion fails: the first that succeeds."""
    ways: list[int] = []
    for _ in range(FORCED):
        counted = _Counted(tuple(ways))
        try:
            expand(statement.lhs, statement.rhs, certificate._replace(ways=cast(Any, counted)), budget)
        except (ProofError, ShapeError):
            ways += [0] * (counted.count - len(ways))
            del ways[counted.count :]
            while ways and ways[-1] == several - 1:
                ways.pop()
            if not ways:
                return None
            ways[-1] += 1
        else:
            return tuple(ways)
    return None


@dataclass(frozen=True, slots=True)
class _Comparison:
    """Both sides expanded and labelled; `left_over` has one (side, summand) for each sum that does not cancel."""

    certificate: Certificate
    left_over: list[tuple[int, Summand]]


def _compare(statement: Statement, certificate: Certificate, budget: int) -> _Comparison:
    mark, rows = expand(statement.lhs, statement.rhs, certificate, budget)
    labeller = Labeller()
    labels = tuple(labeller.order(summand) for _, _, summand in rows)
    balance: dict[Any, int | Fraction] = {}
    shown: dict[Any, tuple[int, Summand]] = {}
    for (case, sign, summand), order in zip(rows, labels, strict=True):
        for what, coefficient in renamed(mark, summand, order):
            key = (case, what)
            balance[key] = balance.get(key, 0) + sign * coefficient
            shown.setdefault(key, (sign, summand))
    left_over = [shown[key] for key, total in balance.items() if total]
    return _Comparison(certificate._replace(labels=labels), left_over)


def _difference(compared: _Comparison) -> str:
    sign, summand = min(compared.left_over, key=lambda pair: (len(pair[1].bound), len(pair[1].factors)))
    side, other = ("left", "right") if sign > 0 else ("right", "left")
    return f"the {side} side has the term {summand_text(summand)}, which the {other} side has not (or not as often)"


def summand_text(summand: Summand) -> str:
    """A summand for a person: ``Σ_{ℓ=1}^{n} A_{iℓ} B_{ℓj}``.

    Examples:
        >>> from symlin.construct import symbol
        >>> A, B = symbol("A", "m", "n"), symbol("B", "n", "k")
        >>> _, rows = expand((A @ B)["i", "j"], A["i", "j"], Certificate())
        >>> summand_text(rows[0][2])
        'Σ_{ℓ=1}^{n} A_{iℓ} B_{ℓj}'
    """
    names = dict.fromkeys(name for dim in _dims(summand) for powers, _ in dim.terms for name, _ in powers)
    bound = dict(summand.bound)
    called = {name for name in names if name.isalpha()}
    fresh = iter(letter for letter in _BOUND if letter not in called)
    outer = iter(letter for letter in _OUTER if letter not in called)
    put = {}
    for name in {**names, **bound}:
        if name in bound or "·" in name:
            put[name] = Dim.symbol(next(fresh if name in bound else outer, name))
    parts = [f"Σ_{{{put[name]}=1}}^{{{end.substitute(put)}}}" for name, end in summand.bound]
    if summand.coefficient != 1 or not summand.factors:
        parts.append(str(summand.coefficient))
    for letter, dims in summand.factors:
        parts.append(_factor_text(letter, [dim.substitute(put) for dim in dims]))
    return " ".join(parts)


_BOUND, _OUTER = "ℓpqrstuvw", "ijhg"


def _factor_text(letter: Any, dims: list[Dim]) -> str:
    if letter == "#":
        return f"({dims[0]})" if len(dims[0].terms) > 1 else str(dims[0])
    if letter == "/":
        return f"1/({dims[0]})"
    if letter == "=":
        return f"[{dims[0]} = 0]"
    term, conjugated = letter
    name = f"({term})" if term.op != "symbol" else str(term)
    indices = [dim for dim, size in zip(dims, term.shape, strict=False) if size != ONE]
    comma = "," if any(len(str(dim)) > 1 for dim in indices) else ""
    below = f"_{{{comma.join(map(str, indices))}}}" if indices else ""
    return f"conj({name}{below})" if conjugated else f"{name}{below}"


def _dims(summand: Summand) -> list[Dim]:
    return [dim for _, dims in summand.factors for dim in dims]


# --- completeness -----------------------------------------------------------------------------------------------

_OPEN = frozenset(
    {
        "opaque",
        "inverse",
        "pseudoinverse",
        "determinant",
        "apply",
        "entrywise",
        "row_softmax",
        "scalar_function",
    }
)


def _is_complete(statement: Statement, left_over: list[Summand]) -> bool:
    """Whether different sums differ in value at large enough sizes: every size a free symbol or written out, every
    letter a symbol, every index a plain one."""
    nodes = [node for side in (statement.lhs, statement.rhs) for node in walk(side)]
    sizes = {dim for node in nodes for dim in node.shape}
    if any(dim.constant is not None and dim.constant > UNROLL for dim in sizes):
        return False
    if any(node.op in _OPEN for node in nodes) or not all(_plain_indices(node) for node in nodes):
        return False
    return all(_plain_factor(summand, *factor) for summand in left_over for factor in summand.factors)


def _plain_factor(summand: Summand, letter: Any, dims: tuple[Dim, ...]) -> bool:
    """An entry of a symbol; a size; the claim i = j of two free indices, or i = 3."""
    bound = {name for name, _ in summand.bound}
    if letter in ("#", "/"):
        return not dims[0].symbols & bound and (letter == "#" or len(dims[0].terms) == 1)
    if letter == "=":
        return not dims[0].symbols & bound and len(dims[0].terms) <= 2
    return bool(letter[0].op == "symbol")


def _plain_indices(node: Term) -> bool:
    if node.op in BINDERS:
        _, lo, hi = cast("tuple[str, Dim, Dim]", node.data)
        return lo == ONE and (hi.lone_symbol is not None or (hi.constant or UNROLL + 1) <= UNROLL)
    if node.op in ("entry", "row", "column", "unit"):
        shape = {"entry": (0, 1), "row": (0,), "column": (1,), "unit": ()}[node.op]
        counted = [node.args[0].shape[k] for k in shape] if node.op != "unit" else [node.rows]
        return all(
            index.constant is not None or (index.lone_symbol is not None and size.constant is None)
            for index, size in zip(cast("tuple[Dim, ...]", node.data), counted, strict=False)
        )
    return True
