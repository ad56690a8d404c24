"""The free algebra in which hypotheses are combined: words of letters, typed by sizes, with an involution.

Offers `Alphabet`, `Converter` and the arithmetic of elements; rests on `term`.  A monomial is a product of scalars
(1×1 words and traces, which commute) and of one word; what words cannot look into is one letter.  Nothing here is
trusted: the kernel expands again whatever is found.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import TypeAlias, cast

from symlin.construct import adjoint, conjugate, identity, matmul, number, scale, size, trace, transpose
from symlin.decide.blocks import corner
from symlin.decide.kroneckers import lifted
from symlin.dims import ONE, Dim
from symlin.errors import BudgetError
from symlin.term import Term, make

Monomial: TypeAlias = tuple[tuple[str, ...], str]
"""Scalars in order (a 1×1 word, or TRACE and a word up to rotation), and a word; "" is an identity."""
Coefficient: TypeAlias = "int | Fraction"
Element: TypeAlias = "dict[Monomial, Coefficient]"

TRACE = "\0"
TRANSPOSED, CONJUGATED = 1, 2
POWER_LIMIT, TERM_LIMIT = 60, 20_000
UNIT: Monomial = ((), "")
_SELF_CONJUGATE = frozenset({"size", "ones", "unit", "permutation", "rows"})


def degree(mono: Monomial) -> int:
    """How many letters a monomial has."""
    return sum(map(len, mono[0])) + len(mono[1])


def add_to(total: Element, other: Element, factor: Coefficient = 1) -> None:
    """total += factor · other, in place."""
    for mono, coeff in other.items():
        new = total.get(mono, 0) + factor * coeff
        if new:
            total[mono] = new
        else:
            total.pop(mono, None)


def exact(above: Coefficient, below: Coefficient) -> Coefficient:
    """above / below, as an integer where it is one: integers are faster."""
    value = Fraction(above) / below
    return value.numerator if value.denominator == 1 else value


class Alphabet:
    """Letters with their codes: four characters each, for itself, ᵀ, the conjugate and ᴴ.

    Args:
        complex_entries: whether entries are complex; if not, everything is its own conjugate.

    Examples:
        >>> from symlin.construct import symbol
        >>> letters = Alphabet(False)
        >>> word = letters.letter(symbol("A", "m", "n")) + letters.letter(symbol("B", "n", "k"))
        >>> str(letters.term(letters.transposed(word)))
        'B^TA^T'
    """

    def __init__(self, complex_entries: bool) -> None:
        self.complex = complex_entries
        self.atoms: list[Term] = []
        self._codes: dict[Term, int] = {}
        self._shape: dict[str, tuple[Dim, Dim]] = {}
        self._transposing: dict[int, str] = {}
        self._conjugating: dict[int, str] = {}

    def letter(self, atom: Term) -> str:
        """The character of a Term that words do not look into."""
        code = self._codes.get(atom)
        if code is None:
            code = self._codes[atom] = len(self.atoms) + 1
            self.atoms.append(atom)
            mirrored = 0 if atom.is_scalar else TRANSPOSED
            barred = 0 if atom.op in _SELF_CONJUGATE or not self.complex else CONJUGATED
            for flags in range(4):
                at = 4 * code + flags
                turned = (atom.cols, atom.rows) if flags & TRANSPOSED else atom.shape
                self._shape[chr(at)] = turned
                self._transposing[at] = chr(at ^ mirrored)
                self._conjugating[at] = chr(at ^ barred)
        return chr(4 * code)

    def atom(self, char: str) -> Term:
        """The Term that a character, whatever its flags, stands for."""
        return self.atoms[ord(char) // 4 - 1]

    def rows(self, char: str) -> Dim:
        """Rows of a letter."""
        return self._shape[char][0]

    def cols(self, char: str) -> Dim:
        """Columns of a letter."""
        return self._shape[char][1]

    def transposed(self, word: str) -> str:
        """The word for the transpose."""
        return word[::-1].translate(self._transposing)

    def conjugated(self, word: str) -> str:
        """The word for the conjugate."""
        return word.translate(self._conjugating) if self.complex else word

    # --- monomials ---

    def cuts(self, word: str) -> list[int]:
        """The places of a word where the size is 1."""
        found = [at for at, char in enumerate(word) if self._shape[char][0] == ONE]
        if word and self._shape[word[-1]][1] == ONE:
            found.append(len(word))
        return found

    def canonical(self, scalars: Iterable[str], word: str) -> Monomial:
        """The monomial of these scalars and this word: its 1×1 parts become scalars."""
        found = list(scalars)
        cuts = self.cuts(word)
        if len(cuts) > 1:
            for start, end in itertools.pairwise(cuts):
                part = word[start:end]
                found.append(min(part, self.transposed(part)))
            word = word[: cuts[0]] + word[cuts[-1] :]
        return tuple(sorted(found)), word

    def traced(self, scalars: Iterable[str], word: str) -> Monomial:
        """The monomial of these scalars and of the trace of a word that is not empty."""
        cuts = self.cuts(word)
        if cuts:
            return self.canonical(scalars, word[cuts[0] :] + word[: cuts[0]])
        turned = self.transposed(word)
        least = min(one[k:] + one[:k] for one in (word, turned) for k in range(len(one)))
        return tuple(sorted([*scalars, TRACE + least])), ""

    def size_terms(self, dim: Dim) -> Element:
        """A size as a scalar."""
        total: Element = {}
        for powers, c in dim.terms:
            letters = [self.letter(size(Dim.symbol(name))) for name, power in powers for _ in range(power)]
            add_to(total, {(tuple(sorted(letters)), ""): c})
        return total

    def times(self, left: Monomial, right: Monomial) -> Monomial:
        """The product of two monomials."""
        if not left[0] and not right[0] and not left[1]:
            return right
        return self.canonical(left[0] + right[0], left[1] + right[1])

    def transposed_monomial(self, mono: Monomial) -> Monomial:
        """The transpose of a monomial."""
        return mono[0], self.transposed(mono[1])

    def conjugated_monomial(self, mono: Monomial) -> Monomial:
        """The conjugate of a monomial."""
        if not self.complex:
            return mono
        scalars = list[str]()
        for one in mono[0]:
            if one.startswith(TRACE):
                scalars += self.traced((), self.conjugated(one[1:]))[0]
            else:
                bar = self.conjugated(one)
                scalars.append(min(bar, self.transposed(bar)))
        return tuple(sorted(scalars)), self.conjugated(mono[1])

    def lifted(self, mono: Monomial, left: Dim, right: Dim) -> Monomial:
        """I⊗mono⊗I, letter by letter."""
        if left == ONE and right == ONE:
            return mono
        flagged = (
            chr(ord(self.letter(lifted(self.atom(char), left, right))) + ord(char) % 4) for char in mono[1]
        )
        return mono[0], "".join(flagged)

    # --- back to Terms ---

    def letter_term(self, char: str) -> Term:
        """The Term of one letter."""
        atom, flags = self.atom(char), ord(char) % 4
        if flags == TRANSPOSED:
            return transpose(atom)
        if flags == CONJUGATED:
            return conjugate(atom)
        return adjoint(atom) if flags else atom

    def term(self, word: str, rows: Dim | None = None) -> Term:
        """The Term of a word; `rows` is the size of an identity."""
        if not word:
            return identity(rows if rows is not None else ONE)
        return matmul(*map(self.letter_term, word))

    def scalar_term(self, scalar: str) -> Term:
        """The 1×1 Term of a scalar."""
        if scalar.startswith(TRACE):
            return trace(self.term(scalar[1:]))
        return self.term(scalar)

    def monomial_term(self, mono: Monomial, coefficient: Coefficient, shape: tuple[Dim, Dim]) -> Term:
        """A monomial with its coefficient as a Term of this shape."""
        scalars = [self.scalar_term(one) for one in mono[0]]
        if mono[1] or shape != (ONE, ONE):
            body = self.term(mono[1], shape[0])
        elif scalars:
            body = scalars.pop()
        else:
            return number(coefficient)
        for factor in reversed(scalars):
            body = scale(factor, body)
        if coefficient == 1:
            return body
        return -body if coefficient == -1 else scale(number(coefficient), body)

    def element_term(self, element: Element, shape: tuple[Dim, Dim]) -> Term:
        """An element as a sum, short words first."""
        if not element:
            return number(0) if shape == (ONE, ONE) else make("zero", data=shape)
        order = sorted(element, key=lambda mono: (degree(mono), mono))
        parts = [self.monomial_term(mono, element[mono], shape) for mono in order]
        return parts[0] if len(parts) == 1 else make("add", *parts)


class Converter:
    """Terms as elements over one alphabet.

    Args:
        alphabet: shared by all elements that are to be compared.
        deadline: a `time.monotonic` after which BudgetError is raised.
    """

    def __init__(self, alphabet: Alphabet, deadline: float) -> None:
        self.alphabet = alphabet
        self.deadline = deadline
        self._memo: dict[Term, Element] = {}

    def of(self, term: Term) -> Element:
        """The element of a Term.

        Raises:
            BudgetError: too many words.
        """
        stack = [(term, False)]
        memo = self._memo
        while stack:
            node, ready = stack.pop()
            if node in memo:
                continue
            rule = _OPS.get(node.op)
            if rule is None:
                memo[node] = self.one(node)
            elif ready or not node.args:
                memo[node] = rule(self, node, [memo[arg] for arg in node.args])
            else:
                stack.append((node, True))
                stack.extend((arg, False) for arg in node.args)
        return memo[term]

    def one(self, atom: Term) -> Element:
        """A Term as one letter."""
        return {self.alphabet.canonical((), self.alphabet.letter(atom)): 1}

    def times(self, left: Element, right: Element) -> Element:
        """The product."""
        if len(left) * len(right) > TERM_LIMIT or time.monotonic() > self.deadline:
            raise BudgetError("words", "the products have too many terms")
        total: Element = {}
        for a, c in left.items():
            for b, d in right.items():
                add_to(total, {self.alphabet.times(a, b): c * d})
        return total

    def scaled(self, factor: Element, element: Element) -> Element:
        """A 1×1 element times an element."""
        return self.times(factor, element)

    def mapped(self, element: Element, change: Callable[[Monomial], Monomial]) -> Element:
        """The element with every monomial changed."""
        total: Element = {}
        for mono, coeff in element.items():
            add_to(total, {change(mono): coeff})
        return total

    def trace(self, element: Element, n: Dim) -> Element:
        """The trace of an n×n element."""
        total: Element = {}
        for (scalars, word), coeff in element.items():
            if word:
                add_to(total, {self.alphabet.traced(scalars, word): coeff})
            else:
                add_to(total, self.times({(scalars, ""): coeff}, self.alphabet.size_terms(n)))
        return total


Rule: TypeAlias = "Callable[[Converter, Term, list[Element]], Element]"


def _sum(x: Converter, t: Term, parts: Sequence[Element]) -> Element:
    total = dict(parts[0])
    for part in parts[1:]:
        add_to(total, part)
    return total


def _product(x: Converter, t: Term, parts: Sequence[Element]) -> Element:
    total = parts[0]
    for part in parts[1:]:
        total = x.times(total, part)
    return total


def _power(x: Converter, t: Term, parts: list[Element]) -> Element:
    exponent = cast(Dim, t.data[0]).constant
    if exponent is None or not 0 <= exponent <= POWER_LIMIT:
        return x.one(t)
    return _product(x, t, [{UNIT: 1}, *(parts * exponent)])


def _divide(x: Converter, t: Term, parts: list[Element]) -> Element:
    below = parts[1]
    if set(below) == {UNIT}:
        return {mono: exact(coeff, below[UNIT]) for mono, coeff in parts[0].items()}
    return x.times(x.one(make("inverse", t.args[1])), parts[0])


def _adjoint(x: Converter, t: Term, parts: list[Element]) -> Element:
    turned = x.mapped(parts[0], x.alphabet.transposed_monomial)
    return x.mapped(turned, x.alphabet.conjugated_monomial)


def _grid(x: Converter, t: Term, parts: list[Element]) -> Element:
    """Σ EᵢMᵢⱼFⱼ, where Eᵢ and Fⱼ put a block at its place."""
    width = {"rows": 1, "columns": len(t.args)}.get(t.op) or cast(int, t.data[1])
    heights = tuple(part.rows for part in t.args[::width])
    widths = tuple(part.cols for part in t.args[:width])
    total: Element = {}
    for place, part in enumerate(parts):
        left, right = corner(heights, place // width), corner(widths, place % width)
        if left is not None:
            part = x.times(x.one(left), part)
        if right is not None:
            part = x.times(part, x.mapped(x.one(right), x.alphabet.transposed_monomial))
        add_to(total, part)
    return total


def _kronecker(x: Converter, t: Term, parts: list[Element]) -> Element:
    """(A⊗I)(I⊗B)."""
    a, b = t.args
    left = x.mapped(parts[0], lambda mono: x.alphabet.lifted(mono, ONE, b.rows))
    return x.times(left, x.mapped(parts[1], lambda mono: x.alphabet.lifted(mono, a.cols, ONE)))


_OPS: dict[str, Rule] = {
    "kronecker": _kronecker,
    "number": lambda x, t, parts: {UNIT: exact(cast(Fraction, t.data[0]), 1)} if t.data[0] else {},
    "size": lambda x, t, parts: x.alphabet.size_terms(cast(Dim, t.data[0])),
    "identity": lambda x, t, parts: {UNIT: 1},
    "zero": lambda x, t, parts: {},
    "add": _sum,
    "neg": lambda x, t, parts: {mono: -coeff for mono, coeff in parts[0].items()},
    "scale": lambda x, t, parts: x.scaled(parts[0], parts[1]),
    "divide": _divide,
    "matmul": _product,
    "power": _power,
    "transpose": lambda x, t, parts: x.mapped(parts[0], x.alphabet.transposed_monomial),
    "conjugate": lambda x, t, parts: x.mapped(parts[0], x.alphabet.conjugated_monomial),
    "adjoint": _adjoint,
    "dot": lambda x, t, parts: x.times(x.mapped(parts[0], x.alphabet.transposed_monomial), parts[1]),
    "trace": lambda x, t, parts: x.trace(parts[0], t.args[0].rows),
    "rows": _grid,
    "columns": _grid,
    "block": _grid,
}
