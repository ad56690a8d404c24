"""Statements that follow from equations: inverses, pseudoinverses, and whatever is given.

Offers `Search`, which looks for a proof within a budget and can go on later; rests on `groebner`, which finds the
combination of the equations, and on `combination`, which has the kernel check it.  Whether a combination exists is
undecidable in general, so that finding none shows nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from itertools import count

from symlin.construct import add, adjoint, conjugate, identity, kronecker, matmul, neg, transpose, zero
from symlin.decide.blocks import corner_relations, partition
from symlin.decide.combination import Combiner
from symlin.decide.equations import (
    Known,
    assumed,
    axioms,
    congruent,
    cut,
    hypotheses,
    instance,
    same,
)
from symlin.decide.free_algebra import UNIT, Alphabet, Converter, Element, add_to
from symlin.decide.groebner import Basis, Goal
from symlin.decide.kroneckers import commuting, contexts, lift
from symlin.decide.theory import LETTERS, A, B, existence, negative
from symlin.decide.verdict import Proof
from symlin.dims import ONE, Dim
from symlin.errors import BudgetError, ProofError
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
        self.squares = self._squares(difference)

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
                    for which, goal in enumerate(self.squares):
                        if self.basis.settle(goal):
                            return self._proof(self._by_square(which, goal))
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
        add_to(total, self.converter.of(rhs), Fraction(-1))
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
        """What negative powers are."""
        for atom in list(self.alphabet.atoms):
            if _negative_power(atom) and not atom.is_scalar:
                (base,) = atom.args
                exponent = atom.data[0]
                if isinstance(exponent, Dim):
                    yield instance("expmxVn", {A: base}, {"n": base.rows, "k": 1 - exponent})

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
        """What follows from a new element by an axiom: one-sided inverses of square matrices, AᵀA = 0."""
        entry = self.basis.entries[number]
        (scalars, word), element = entry.lead, entry.element
        if scalars or not word:
            return
        alphabet = self.alphabet
        if len(element) == 2 and element.get(UNIT) and entry.shape[0] == entry.shape[1]:
            value = -element[UNIT]
            for at in range(1, len(word)):
                if alphabet.cols(word[at - 1]) == entry.shape[0] and value == 1:
                    turned = {((), word[at:] + word[:at]): Fraction(1), UNIT: Fraction(-1)}
                    self._enter(turned, entry.shape, partial(self._other_side, number, word, at))
        half = len(word) // 2
        if len(element) == 1 and not self.complex and word == alphabet.transposed(word[half:]) + word[half:]:
            shape = alphabet.rows(word[half]), entry.shape[1]
            self._enter({((), word[half:]): Fraction(1)}, shape, partial(self._gram, number, word[half:]))

    def _other_side(self, number: int, word: str, at: int) -> Known:
        """⊢ ba = 1 from ⊢ ab = 1."""
        left, right = self.alphabet.term(word[:at]), self.alphabet.term(word[at:])
        shape = self.basis.entries[number].shape
        lemma = self._combiner().equation(number, matmul(left, right), identity(shape[0]))
        return cut(lemma, instance("mulmx1C", {A: left, B: right}, {"n": shape[0]}))

    def _gram(self, number: int, half: str) -> Known:
        """⊢ a = 0 from ⊢ aᵀa = 0."""
        term = self.alphabet.term(half)
        square = matmul(transpose(term), term)
        lemma = self._combiner().equation(number, square, zero(*square.shape))
        return cut(lemma, instance("real_gram", {LETTERS["P"]: term}, {"m": term.rows, "n": term.cols}))

    # --- goals ---

    def _squares(self, difference: Element) -> list[Goal]:
        """(s - t)ᵀ(s - t) and (s - t)(s - t)ᵀ: where one of them is 0, so is s - t, over the reals."""
        if self.complex or not difference or len(difference) > 12:
            return []
        turned = self.converter.mapped(difference, self.alphabet.transposed_monomial)
        rows, cols = self.statement.lhs.shape
        return [
            Goal(self.converter.times(turned, difference), (cols, cols)),
            Goal(self.converter.times(difference, turned), (rows, rows)),
        ]

    def _by_square(self, which: int, goal: Goal) -> Known:
        lhs, rhs = self.statement.lhs, self.statement.rhs
        body = add(lhs, neg(rhs))
        gap = transpose(body) if which else body
        square = matmul(transpose(gap), gap)
        lemma = self._known(goal, square, zero(*square.shape))
        fact = instance("real_gram", {LETTERS["P"]: gap}, {"m": gap.rows, "n": gap.cols})
        nothing = cut(lemma, fact)
        if which:
            nothing = congruent(transpose(nothing.lhs), nothing)
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
