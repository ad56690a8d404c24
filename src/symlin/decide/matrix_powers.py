"""Matrices with powers of symbolic exponent, as sums of products in which neighbouring powers of one matrix are one.

Offers `MatrixPowers`; rests on `summands` and on the listed facts about powers, so that every step is a theorem of the
kernel.  What is left is compared by entries, with such powers as letters: equal answers are a proof, others show
nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import cast

from symlin.construct import conjugate, inverse, matmul, number, power, transpose, zero
from symlin.decide.equations import (
    Known,
    by_entries,
    chain,
    congruent,
    flipped,
    inside,
    instance,
    nonnegative,
    rewritten,
    same,
)
from symlin.decide.summands import LONGEST_POWER, Summand, factors_of, joined_sum, summands
from symlin.decide.theory import LETTERS, A, B
from symlin.dims import ONE, Dim
from symlin.errors import BudgetError
from symlin.term import BINDERS, Term, make, walk

ROUNDS, SUMMAND_LIMIT = 60, 200
_LINEAR = frozenset({"add", "neg", "scale", "divide", "matmul", "transpose", "conjugate", "adjoint", "power"})


def is_symbolic(node: Term) -> bool:
    """Whether a node is a power of a matrix with a symbolic exponent."""
    return node.op == "power" and not node.is_scalar and cast(Dim, node.data[0]).constant is None


@dataclass(slots=True)
class MatrixPowers:
    """Normal forms of matrices; bases that have the same entries are one base."""

    bases: list[Term] = field(default_factory=list)

    def settled(self, term: Term) -> Known:
        """⊢ t = t', where powers of one matrix that stand side by side in t are put together.

        Examples:
            >>> from symlin.construct import symbol
            >>> X = symbol("X", "n", "n")
            >>> print(MatrixPowers().settled(X**"p" @ X + X).theorem)
            ⊢ X^pX + X = X^{p + 1} + X
        """
        if not any(is_symbolic(node) for node in walk(term)):
            return same(term)
        if term.op in BINDERS and (cast(Dim, term.data[1]).constant or 0) < 1:
            return same(term)
        if term.op in _LINEAR and not (term.is_scalar and all(arg.is_scalar for arg in term.args)):
            return self._normal(term)
        return congruent(term, *map(self.settled, term.args))

    def _normal(self, term: Term) -> Known:
        known = self._bases_first(term)
        for _ in range(ROUNDS):
            step = _pushed(known.rhs)
            if step is None:
                break
            known = chain(known, step)
        parts = expanded(known.rhs)
        if not parts:
            return chain(known, rewritten(known.rhs, zero(*term.shape)))
        known = chain(known, rewritten(known.rhs, joined_sum(parts)))
        merged = [_merged(one) for one in parts]
        known = chain(known, merged[0] if len(merged) == 1 else congruent(known.rhs, *merged))
        return chain(known, self._represented(known.rhs))

    def _bases_first(self, term: Term) -> Known:
        """⊢ t = t', where the bases of powers are in normal form."""
        known = same(term)
        for node in list(walk(term)):
            if is_symbolic(node) and any(is_symbolic(part) for part in walk(node.args[0])):
                base = self.settled(node.args[0])
                known = chain(known, inside(known.rhs, node, congruent(node, base)))
        return known

    def _represented(self, term: Term) -> Known:
        """⊢ t = t', where the base of each power is the first that was met with the same entries."""
        known = same(term)
        for node in list(walk(term)):
            if is_symbolic(node):
                equal = self._representative(node.args[0])
                known = chain(known, inside(known.rhs, node, congruent(node, equal)))
        return known

    def _representative(self, base: Term) -> Known:
        for other in self.bases:
            equal = by_entries(base, other)
            if equal is not None:
                return equal
        self.bases.append(base)
        return same(base)


# --- powers are brought next to the letters -------------------------------------------------------------------


def _pushed(term: Term) -> Known | None:
    """One power rewritten somewhere: of a transpose, of a power, of a multiple, of the identity."""
    for node in walk(term):
        rule = _RULES.get(node.op)
        step = rule(node) if rule is not None else None
        if step is not None:
            return inside(term, node, step)
    return None


def _turned(name: str, outer: Callable[[Term], Term], backwards: bool) -> Callable[[Term], Known | None]:
    """(A^e)^T is (A^T)^e and (AB)^T is B^T A^T, and the same for conjugates."""

    def rule(node: Term) -> Known | None:
        (body,) = node.args
        if not any(is_symbolic(part) for part in walk(body)):
            return None
        if body.op in ("add", "neg"):
            return rewritten(node, make(body.op, *map(outer, body.args)))
        if body.op == "matmul":
            factors = [outer(arg) for arg in body.args]
            return rewritten(node, matmul(*(reversed(factors) if backwards else factors)))
        if not is_symbolic(body) or not nonnegative(cast(Dim, body.data[0])):
            return None
        sizes = {"n": body.rows, "k": cast(Dim, body.data[0]) + 1}
        return instance(name, {A: body.args[0]}, sizes)

    return rule


def _adjoint(node: Term) -> Known | None:
    (body,) = node.args
    if not any(is_symbolic(part) for part in walk(body)):
        return None
    return rewritten(node, transpose(conjugate(body)))


def _power(node: Term) -> Known | None:
    (body,) = node.args
    exponent = cast(Dim, node.data[0])
    if 1 < (exponent.constant or 0) <= LONGEST_POWER and any(is_symbolic(part) for part in walk(body)):
        return rewritten(node, matmul(*[body] * (exponent.constant or 0)))
    if not is_symbolic(node) or not nonnegative(exponent):
        return None
    sizes = {"n": body.rows, "k": exponent + 1}
    if body.op == "identity":
        return instance("exp1mx", {}, sizes)
    if body.op == "power" and nonnegative(cast(Dim, body.data[0])):
        return instance("expmxM", {A: body.args[0]}, {**sizes, "j": cast(Dim, body.data[0]) + 1})
    if body.op == "scale":
        known = instance("expmxZ", {LETTERS["c"]: body.args[0], A: body.args[1]}, sizes)
        return chain(rewritten(node, known.lhs), known) if known.lhs is not node else known
    if body.op == "neg":
        known = instance("expmxZ", {LETTERS["c"]: number(-1), A: body.args[0]}, sizes)
        return chain(congruent(node, rewritten(body, known.lhs.args[0])), known)
    if body.op == "matmul":
        return _conjugated(node, sizes) or _repeated(node)
    return None


def _repeated(node: Term) -> Known | None:
    """(ABAB)^e is ((AB)^2)^e."""
    factors = factors_of(node.args[0])
    count = len(factors)
    for width in range(1, count // 2 + 1):
        if count % width == 0 and factors == factors[:width] * (count // width):
            whole = power(matmul(*factors[:width]), count // width)
            return congruent(node, rewritten(node.args[0], whole))
    return None


def _product(node: Term) -> Known | None:
    """B^i B^j is B^(i + j), before B is multiplied out."""
    factors = tuple(factors_of(node))
    found = _neighbours(factors) if any(map(is_symbolic, factors)) else None
    if found is None:
        return None
    joint, start, end = found
    grouped = matmul(*factors[:start], joint.lhs, *factors[end:])
    return chain(rewritten(node, grouped), inside(grouped, joint.lhs, joint))


def _conjugated(node: Term, sizes: dict[str, Dim]) -> Known | None:
    """(BAB⁻¹)^e is BA^eB⁻¹, and the same for B⁻¹AB."""
    first, *middle, last = factors_of(node.args[0])
    for name, body, other in (("conjmxX", first, last), ("conjVmxX", last, first)):
        if middle and other is inverse(body):
            fact = instance(name, {A: matmul(*middle), B: body}, sizes)
            return chain(congruent(node, rewritten(node.args[0], fact.lhs.args[0])), fact)
    return None


_RULES: dict[str, Callable[[Term], Known | None]] = {
    "transpose": _turned("trmxX", transpose, True),
    "conjugate": _turned("map_mxX", conjugate, False),
    "adjoint": _adjoint,
    "power": _power,
    "matmul": _product,
}


# --- products are multiplied out, and neighbours put together -------------------------------------------------


def expanded(term: Term) -> list[Summand]:
    """A matrix as a sum of products of factors that are no sums."""
    out: list[Summand] = []
    pending = summands(term)
    while pending:
        one = pending.pop(0)
        place = next(
            (at for at, factor in enumerate(one.factors) if factor.op in ("add", "scale", "neg")), None
        )
        if place is None:
            out.append(one)
            continue
        before, after = one.factors[:place], one.factors[place + 1 :]
        pending[:0] = [
            Summand(
                one.coefficient * part.coefficient,
                one.scalars + part.scalars,
                before + part.factors + after,
                one.size,
            )
            for part in summands(one.factors[place])
        ]
        if len(out) + len(pending) > SUMMAND_LIMIT:
            raise BudgetError("summands", f"more than {SUMMAND_LIMIT} products")
    return out


def _merged(one: Summand) -> Known:
    """⊢ a product = the same with neighbouring powers of one matrix as one power."""
    known = same(one.term())
    while True:
        found = _neighbours(one.factors)
        if found is None:
            return known
        joint, start, end = found
        before, after = one.factors[:start], one.factors[end:]
        grouped = replace(one, factors=(*before, joint.lhs, *after))
        new = joint.rhs.args if joint.rhs.op == "matmul" else (joint.rhs,)
        one = replace(one, factors=(*before, *new, *after))
        known = chain(known, rewritten(known.rhs, grouped.term()))
        known = chain(known, inside(known.rhs, joint.lhs, joint))
        known = chain(known, rewritten(known.rhs, one.term()))


def _neighbours(factors: tuple[Term, ...]) -> tuple[Known, int, int] | None:
    """Neighbours that are powers of one matrix, or a factor that moves past a power, and where they are."""
    for place, factor in enumerate(factors):
        if not is_symbolic(factor):
            continue
        width = len(factors_of(factor.args[0]))
        for start, end in ((place, place + 2), (place - 1, place + 1), (place, place + 1 + width)):
            if start < 0 or end > len(factors):
                continue
            left, right = factors[start], factors[start + 1 : end]
            joint = _joined(left, matmul(*right)) or (_shifted(left, factor) if start < place else None)
            if joint is not None:
                return joint, start, end
    return None


def _joined(left: Term, right: Term) -> Known | None:
    """⊢ B^i B^j = B^(i + j) where one of the exponents is symbolic."""
    if not (is_symbolic(left) or is_symbolic(right)):
        return None
    (base, i), (other, j) = _as_power(left), _as_power(right)
    if base.shape != other.shape or not (nonnegative(i) and nonnegative(j)):
        return None
    equal = by_entries(other, base)
    if equal is None:
        return None
    fact = instance("expmxD", {A: base}, {"n": base.rows, "j": i + 1, "k": j + 1})
    known = inside(matmul(left, right), right, congruent(right, equal) if right.op == "power" else equal)
    return chain(known, rewritten(known.rhs, fact.rhs), flipped(fact))


def _shifted(left: Term, right: Term) -> Known | None:
    """⊢ P(QP)^e = (PQ)^eP"""
    if not is_symbolic(right) or not nonnegative(cast(Dim, right.data[0])):
        return None
    *front, last = factors_of(right.args[0])
    if last is not left or not front:
        return None
    letters = {LETTERS["P"]: left, LETTERS["Q"]: matmul(*front)}
    sizes = {"m": left.rows, "n": left.cols, "k": cast(Dim, right.data[0]) + 1}
    fact = instance("expmx_shift", letters, sizes)
    inner = congruent(right, rewritten(right.args[0], fact.lhs.args[1].args[0]))
    return chain(inside(matmul(left, right), right, inner), fact)


def _as_power(factor: Term) -> tuple[Term, Dim]:
    return (factor.args[0], cast(Dim, factor.data[0])) if factor.op == "power" else (factor, ONE)
