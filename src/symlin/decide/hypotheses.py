"""Statements that follow from equations: inverses, pseudoinverses, and whatever is given.

Offers `Search`, which looks for a proof within a budget and can go on later; rests on `groebner`, which finds the
combination of the equations, and on `combination`, which has the kernel check it.  Whether a combination exists is
undecidable in general, so that finding none shows nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import count

from symlin.construct import (
    add,
    adjoint,
    conjugate,
    determinant,
    identity,
    kronecker,
    matmul,
    neg,
    transpose,
    zero,
)
from symlin.decide.blocks import corner_relations, partition
from symlin.decide.combination import Combiner
from symlin.decide.determinants import taken_apart
from symlin.decide.equations import (
    Known,
    assumed,
    axioms,
    chain,
    congruent,
    cut,
    flipped,
    hypotheses,
    instance,
    same,
)
from symlin.decide.free_algebra import UNIT, Alphabet, Converter, Element, add_to, degree
from symlin.decide.groebner import Basis, Goal
from symlin.decide.kroneckers import commuting, contexts, lift
from symlin.decide.theory import LETTERS, A, B, existence, negative
from symlin.decide.unravel import chain_steps
from symlin.decide.verdict import Explanation, Proof
from symlin.dims import ONE, Dim
from symlin.errors import BudgetError, ProofError, ShapeError
from symlin.kernel import Equation
from symlin.statement import Statement
from symlin.term import Term, walk

MIRRORED = 20
"""After so many elements the scalars of the goal are looked at again."""
SQUARES = 100
"""After so many elements it is tried to show that a sum of squares is 0."""
DIVIDING = frozenset({"inverse", "pseudoinverse", "divide"})


def applies(statement: Statement, given: Sequence[Equation] = ()) -> bool:
    """Whether there is anything to use: equations given, or an inverse, a pseudoinverse or a quotient written."""
    nodes = (node for side in (statement.lhs, statement.rhs) for node in walk(side))
    return bool(given) or any(node.op in DIVIDING or _negative_power(node) for node in nodes)


def _negative_power(node: Term) -> bool:
    return node.op == "power" and negative(node)


def assumptions(statement: Statement, given: Sequence[Equation], complex_entries: bool) -> list[Equation]:
    """The equations given, and what all that is written assumes by its inverses and pseudoinverses."""
    every = [Statement(statement.lhs, statement.rhs), *(Statement(*equation) for equation in given)]
    written = {equation for one in every for equation in existence(one, complex_entries)}
    return [*dict.fromkeys(given), *sorted(written - set(given), key=_order)]


def _order(equation: Equation) -> tuple[int, str]:
    text = " = ".join(map(str, equation))
    return len(text), text


@dataclass(slots=True)
class _Square:
    """A square to be shown to be 0: of the last of `gaps`, each of which is the square of the one before."""

    goal: Goal
    gaps: tuple[Term, ...]


class Search:
    """The search for a proof of one statement.

    Args:
        statement: an equation.
        given: the equations that may be used; those that inverses bring are added.
        defined: symbols that are to be replaced by what they equal.
        complex_entries: whether entries are complex.
        deadline: a `time.monotonic` to stop at.

    Examples:
        >>> import time
        >>> from symlin.construct import symbol
        >>> A, B = symbol("A", "n", "n"), symbol("B", "n", "n")
        >>> search = Search((A.inv @ B).eq(B @ A.inv), [(A @ B, B @ A)], deadline=time.monotonic() + 5)
        >>> proof = search.run()
        >>> sorted(str(one) for one in proof.hypotheses)
        ['AA^{-1} = I_n', 'AB = BA', 'A^{-1}A = I_n']
    """

    def __init__(
        self,
        statement: Statement,
        given: Sequence[Equation] = (),
        *,
        defined: Sequence[Term] = (),
        complex_entries: bool = False,
        deadline: float,
    ) -> None:
        self.statement = statement
        self.complex = complex_entries or _has_conjugates(statement, given)
        self.given = assumptions(statement, given, self.complex)
        self.reason = ""
        self.alphabet = self._alphabet(deadline)
        self.converter = Converter(self.alphabet, deadline)
        heavy = {self.alphabet.letter(one) for one in defined}
        flagged = frozenset(chr(ord(char) + flags) for char in heavy for flags in range(4))
        self.basis = Basis(self.alphabet, deadline, flagged)
        self.basis.noticed = self._notice
        self._mirrored: dict[str, int] = {}
        self._seen: set[tuple[object, ...]] = set()
        for equation in self.given:
            self._give(partial(assumed, equation), *equation)
        for known in self._extra():
            self._give(lambda known=known: known, known.lhs, known.rhs)  # type: ignore[misc]
        self._give_relations()
        shape = statement.lhs.shape
        difference = self._difference(statement.lhs, statement.rhs)
        self.goal = Goal(difference, shape)
        self.squares = self._squares(statement.lhs, statement.rhs)

    def run(self, deadline: float | None = None) -> Proof | None:
        """A proof; None with `reason` when there is none or the time is up."""
        if deadline is not None:
            self.basis.deadline = self.converter.deadline = deadline
        try:
            for turn in count():
                if self.basis.settle(self.goal):
                    return self._proof(self._known(self.goal, self.statement.lhs, self.statement.rhs))
                if turn % MIRRORED == MIRRORED - 1:
                    self._mirror()
                grown = self.basis.grow()
                if grown is None and self._mirror():
                    continue
                if grown is None or turn % SQUARES == SQUARES - 1:
                    for square in self.squares:
                        if self.basis.settle(square.goal):
                            return self._proof(self._by_square(square))
                if grown is None:
                    rules = len(self.basis.active)
                    self.reason = f"it does not follow from the equations by the rules of matrix algebra ({rules} rules)"
                    return None
        except BudgetError as error:
            self.reason = str(error)
        except ProofError as error:
            self.reason = f"a combination of the equations was found that the kernel does not accept: {error}"
        return None

    def _mirror(self) -> bool:
        """Let the basis look at scalars of the goal, written both ways; whether there was anything to do."""
        count = len(self.basis.entries)
        scalars = {scalar for mono in self.goal.rest for scalar in mono[0]}
        stale = [scalar for scalar in sorted(scalars) if self._mirrored.get(scalar) != count]
        for scalar in stale:
            self._mirrored[scalar] = count
            self.basis.mirror(scalar)
        return bool(stale)

    # --- what is known ---

    def _alphabet(self, deadline: float) -> Alphabet:
        """Letters in order of their length, so that what is built from others is larger."""
        trial = Alphabet(self.complex)
        converter = Converter(trial, deadline)
        for side in (self.statement.lhs, self.statement.rhs, *(side for pair in self.given for side in pair)):
            converter.of(side)
        alphabet = Alphabet(self.complex)
        for atom in sorted(trial.atoms, key=lambda atom: (sum(1 for _ in walk(atom)), str(atom))):
            alphabet.letter(atom)
        return alphabet

    def _difference(self, lhs: Term, rhs: Term) -> Element:
        total = dict(self.converter.of(lhs))
        add_to(total, self.converter.of(rhs), -1)
        return total

    def _give(self, known: Callable[[], Known] | None, lhs: Term, rhs: Term) -> None:
        """An equation, with its transpose and conjugates; no theorem is asked for where entries show it."""
        for op in ("", "transpose", "conjugate", "adjoint") if self.complex else ("", "transpose"):
            if not op:
                element, made = self._difference(lhs, rhs), known
            else:
                turn = INVOLUTIONS[op]
                element, made = self._difference(turn(lhs), turn(rhs)), known and partial(_through, op, known)
            shape = (lhs.cols, lhs.rows) if op in ("transpose", "adjoint") else lhs.shape
            self._enter(element, shape, made)

    def _enter(self, element: Element, shape: tuple[Dim, Dim], made: Callable[[], Known] | None) -> None:
        keys = [(shape, frozenset((mono, sign * c) for mono, c in element.items())) for sign in (1, -1)]
        if element and self._seen.isdisjoint(keys):
            self._seen.add(keys[0])
            self.basis.give(element, shape, made)

    def _extra(self) -> Iterator[Known]:
        """What negative powers are, and determinants of what is equal."""
        for atom in list(self.alphabet.atoms):
            if _negative_power(atom) and not atom.is_scalar:
                (base,) = atom.args
                exponent = atom.data[0]
                if isinstance(exponent, Dim):
                    yield instance("expmxVn", {A: base}, {"n": base.rows, "k": 1 - exponent})
        nodes = {node for side in (self.statement.lhs, self.statement.rhs) for node in walk(side)}
        dets = sorted((node for node in nodes if node.op == "determinant"), key=str)
        if not dets:
            return
        square = [pair for pair in self.given if pair[0].rows == pair[0].cols and not pair[0].is_scalar]
        for make in [partial(self._apart, one) for one in dets] + [
            partial(self._equal_dets, one) for one in square
        ]:
            try:
                known = make()
            except (ProofError, BudgetError, ShapeError):
                continue  # this determinant stays a letter
            if not known.trivial:
                yield known

    def _apart(self, det: Term) -> Known:
        return taken_apart(det, self.given, self.basis.deadline)

    def _equal_dets(self, equation: Equation) -> Known:
        """⊢ det s = det t from s = t, both taken apart."""
        known = assumed(equation)
        whole = congruent(determinant(known.lhs), known)
        return chain(flipped(self._apart(whole.lhs)), whole, self._apart(whole.rhs))

    def _give_relations(self) -> None:
        """What entries show of the letters that put blocks at their places, and of Kronecker products."""
        atoms = list(self.alphabet.atoms)
        parts = dict.fromkeys(sizes for sizes in map(partition, atoms) if sizes is not None)
        for sizes in parts:
            for lhs, rhs in corner_relations(sizes):
                self._give(None, lhs, rhs)
        for equation in list(self.given):
            bodies = {node for side in equation for node in walk(side)}
            for left, right in contexts(atoms, bodies):
                known = partial(_lifted, equation, left, right)
                self._give(known, *(lift(side, left, right) for side in equation))
        for lhs, rhs in commuting(self.alphabet.atoms, self.complex):
            self._give(None, lhs, rhs)

    def _notice(self, number: int) -> None:
        """What follows from a new element by an axiom: one-sided inverses of square matrices."""
        entry = self.basis.entries[number]
        (scalars, word), element = entry.lead, entry.element
        if scalars or not word:
            return
        alphabet = self.alphabet
        if len(element) == 2 and element.get(UNIT) and entry.shape[0] == entry.shape[1]:
            value = -element[UNIT]
            for at in range(1, len(word)):
                if alphabet.cols(word[at - 1]) == entry.shape[0] and value == 1:
                    turned: Element = {((), word[at:] + word[:at]): 1, UNIT: -1}
                    self._enter(turned, entry.shape, partial(self._other_side, number, word, at))

    def _other_side(self, number: int, word: str, at: int) -> Known:
        """⊢ ba = 1 from ⊢ ab = 1."""
        left, right = self.alphabet.term(word[:at]), self.alphabet.term(word[at:])
        shape = self.basis.entries[number].shape
        lemma = self._combiner().equation(number, matmul(left, right), identity(shape[0]))
        return cut(lemma, instance("mulmx1C", {A: left, B: right}, {"n": shape[0]}))

    # --- goals ---

    def _squares(self, lhs: Term, rhs: Term) -> list[_Square]:
        """(s - t)ᵀ(s - t) and (s - t)(s - t)ᵀ, and the squares of the first: where one of them is 0, so is s - t."""
        gap, turn = add(lhs, neg(rhs)), adjoint if self.complex else transpose
        element = self._difference(lhs, rhs)
        if not element or len(element) > 6:
            return []
        found = [_Square(self._square(turn(gap)), (turn(gap),))]
        gaps: tuple[Term, ...] = (gap,)
        while len(gaps) <= 3:
            goal = self._square(gaps[-1])
            found.append(_Square(goal, gaps))
            if sum(map(degree, goal.rest)) > 40:
                break
            gaps = (*gaps, matmul(turn(gaps[-1]), gaps[-1]))
        return found

    def _square(self, gap: Term) -> Goal:
        turn = adjoint if self.complex else transpose
        return Goal(dict(self.converter.of(matmul(turn(gap), gap))), (gap.cols, gap.cols))

    def _by_square(self, square: _Square) -> Known:
        """⊢ s = t from a square that is 0."""
        lhs, rhs = self.statement.lhs, self.statement.rhs
        turn, name = (adjoint, "complex_gram") if self.complex else (transpose, "real_gram")
        last = matmul(turn(square.gaps[-1]), square.gaps[-1])
        nothing = self._known(square.goal, last, zero(*last.shape))
        for gap in reversed(square.gaps):
            fact = instance(name, {LETTERS["P"]: gap}, {"m": gap.rows, "n": gap.cols})
            nothing = cut(nothing, fact)
        if nothing.lhs.shape != lhs.shape or square.gaps[0].op != "add":
            nothing = congruent(turn(nothing.lhs), nothing)
        return self._combiner().from_zero(lhs, rhs, nothing)

    def _combiner(self) -> Combiner:
        return Combiner(self.basis, self.converter)

    def _known(self, goal: Goal, lhs: Term, rhs: Term) -> Known:
        return self._combiner().combine(goal.uses, lhs, rhs)

    def _proof(self, known: Known) -> Proof:
        used = hypotheses(known)
        if not used <= set(self.given):
            raise ProofError("a hypothesis was used that was not given")
        ordered = [Statement(*equation) for equation in self.given if equation in used]
        return Proof(
            self.statement,
            "hypotheses",
            Explanation(lambda: chain_steps(self.statement, known, self.converter)),
            theorem=known.theorem,
            certificate=known,
            hypotheses=tuple(ordered),
            axioms=axioms(known),
            trusted=tuple(sorted(known.theorem.trusted)),
        )


INVOLUTIONS: dict[str, Callable[[Term], Term]] = {
    "transpose": transpose,
    "conjugate": conjugate,
    "adjoint": adjoint,
}


def _through(op: str, known: Callable[[], Known]) -> Known:
    """⊢ f(s) = f(t) from ⊢ s = t"""
    inner = known()
    return congruent(INVOLUTIONS[op](inner.lhs), inner)


def _lifted(equation: Equation, left: Dim, right: Dim) -> Known:
    """⊢ I⊗s⊗I = I⊗t⊗I from s = t."""
    known = assumed(equation)
    if right != ONE:
        known = congruent(kronecker(known.lhs, identity(right)), known, same(identity(right)))
    if left != ONE:
        known = congruent(kronecker(identity(left), known.lhs), same(identity(left)), known)
    return known


def _has_conjugates(statement: Statement, given: Sequence[Equation]) -> bool:
    sides = [statement.lhs, statement.rhs, *(side for pair in given for side in pair)]
    return any(node.op in ("conjugate", "adjoint") for side in sides for node in walk(side))
