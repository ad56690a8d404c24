"""Identities of sums and products of matrices of any size, decided by a normal form in words.

Offers `decide_words`; rests on `polynomials` and on `rules` for the steps that a reader sees.  A word is a
product of letters (symbols, their transposes and conjugates); what the words do not look into is one letter, so
equal normal forms are a proof and unequal ones need not refute.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import TypeAlias, cast

from symlin.decide.explicit import assumptions, is_complex
from symlin.decide.polynomials import Element, Poly, Ratio, divide, mapped
from symlin.decide.verdict import Explanation, Proof, Steps
from symlin.dims import ONE, Dim, Monomial
from symlin.errors import BudgetError
from symlin.statement import Statement
from symlin.term import Term

Words: TypeAlias = "dict[str, Element]"
"""A sum of words: from each word to its coefficient, none zero.  The empty word is the identity."""

WORD_LIMIT = 200_000
POWER_LIMIT = 1_000
TRANSPOSED, CONJUGATED = 1, 2


@dataclass(frozen=True, slots=True)
class WordsResult:
    """What the words say.

    Args:
        equal: whether both sides have the same normal form (then they are equal).
        complete: whether unequal normal forms mean that the sides differ for some sizes.
        proof: when equal.
    """

    equal: bool
    complete: bool
    proof: Proof | None = None


@dataclass(frozen=True, slots=True)
class Letter:
    """One letter: a Term that is not looked into, or a power of one.

    Args:
        base: the Term, or the normal form of what is raised to a power.
        exponent: which power: one monomial of the exponent (the empty monomial for the first power).
        sign: -1 for the inverse of that power.
        rows: its number of rows.
        cols: its number of columns.
    """

    base: object
    exponent: Monomial
    sign: int
    rows: Dim
    cols: Dim


class Alphabet:
    """The letters of one statement: each has a code, and four characters for itself, ᵀ, conjugate and ᴴ."""

    def __init__(self, complex_entries: bool) -> None:
        self.letters: list[Letter] = []
        self.complex = complex_entries
        self.opaque = False
        self.narrow = False
        self.powers = False
        self._codes: dict[Letter, int] = {}
        self._scalars: dict[str, int] = {}
        self._transposing: dict[int, int] = {}
        self._conjugating: dict[int, int] = {}

    def letter(self, letter: Letter) -> str:
        """The character of a letter."""
        code = self._codes.get(letter)
        if code is None:
            code = self._codes[letter] = len(self.letters)
            self.letters.append(letter)
            one = letter.rows.constant == 1 and letter.cols.constant == 1
            self.narrow |= letter.rows.constant == 1 or letter.cols.constant == 1
            self.powers |= bool(letter.exponent) or letter.sign < 0
            for flags in range(4):
                at = 4 * code + flags
                self._transposing[at] = at if one else 4 * code + (flags ^ TRANSPOSED)
                self._conjugating[at] = 4 * code + (flags ^ CONJUGATED) if self.complex else at
        return chr(4 * code)

    def transposed(self, word: str) -> str:
        """The word for the transpose: reversed, each letter transposed."""
        return word[::-1].translate(self._transposing)

    def conjugated(self, word: str) -> str:
        """The word for the conjugate."""
        return word.translate(self._conjugating)

    def variable(self, scalar: str) -> Poly:
        """The commuting variable for a 1×1 word."""
        return Poly.variable(self._scalars.setdefault(scalar, len(self._scalars)))

    def sizes(self, char: str) -> tuple[Dim, Dim]:
        """Rows and columns of a letter."""
        code, flags = divmod(ord(char), 4)
        letter = self.letters[code]
        return (letter.cols, letter.rows) if flags & TRANSPOSED else (letter.rows, letter.cols)

    def scalar_words(self) -> tuple[str, ...]:
        """The 1×1 words in the order of their variables."""
        return tuple(self._scalars)


class Expansion:
    """The normal form of Terms over one alphabet.

    Args:
        alphabet: shared by both sides.
        deadline: a `time.monotonic` after which BudgetError is raised.
    """

    def __init__(self, alphabet: Alphabet, deadline: float | None = None) -> None:
        self.alphabet = alphabet
        self.deadline = deadline
        self._memo: dict[Term, Words] = {}

    def of(self, term: Term) -> Words:
        """The words of a Term, before `normal`."""
        memo = self._memo
        stack = [(term, False)]
        while stack:
            node, ready = stack.pop()
            if node in memo:
                continue
            rule = _OPS.get(node.op)
            if rule is None:
                memo[node] = self.atom(node)
            elif ready or not node.args:
                memo[node] = rule(self, node, [memo[arg] for arg in node.args])
            else:
                stack.append((node, True))
                stack.extend((arg, False) for arg in node.args)
        return memo[term]

    def atom(self, term: Term) -> Words:
        """A Term as one letter."""
        if term.op != "symbol":
            self.alphabet.opaque = True
        return {self.alphabet.letter(Letter(term, (), 1, term.rows, term.cols)): 1}

    def check(self, count: int) -> None:
        """Stop when there would be too many words or the time is up."""
        if count > WORD_LIMIT:
            raise BudgetError("words", f"more than {WORD_LIMIT} words")
        if self.deadline is not None and time.monotonic() > self.deadline:
            raise BudgetError("time", "the time allowed was spent in expanding products")

    def normal(self, words: Words) -> Words:
        """Powers of one matrix merged, 1×1 parts moved into the coefficient."""
        alphabet = self.alphabet
        if not (alphabet.narrow or alphabet.powers):
            return words
        out: Words = {}
        for word, coeff in words.items():
            if alphabet.powers:
                word = self._merged(word)
            if alphabet.narrow:
                word, scalars = self._cut(word)
                for scalar in scalars:
                    coeff = coeff * alphabet.variable(scalar)
            _add_to(out, word, coeff)
        return out

    def scalar(self, words: Words) -> Element:
        """The coefficient that a 1×1 sum of words is."""
        total: Element = 0
        for word, coeff in self.normal(words).items():
            total = total + (coeff * self.alphabet.variable(word) if word else coeff)
        return total

    def _cut(self, word: str) -> tuple[str, list[str]]:
        """A word without its 1×1 parts, and these parts (one of a part and its transpose: they are equal)."""
        alphabet = self.alphabet
        cuts = [at for at, char in enumerate(word) if alphabet.sizes(char)[0].constant == 1]
        if word and alphabet.sizes(word[-1])[1].constant == 1:
            cuts.append(len(word))
        if len(cuts) < 2:
            return word, []
        parts = []
        for start, end in pairwise(cuts):
            part = word[start:end]
            parts.append(min(part, alphabet.transposed(part)))
        return word[: cuts[0]] + word[cuts[-1] :], parts

    def _merged(self, word: str) -> str:
        """Neighbouring powers of the same letter as one power, written in one order."""
        alphabet = self.alphabet
        groups: list[tuple[object, int, dict[Monomial, int]]] = []
        for char in word:
            code, flags = divmod(ord(char), 4)
            letter = alphabet.letters[code]
            if not groups or groups[-1][0] != letter.base or groups[-1][1] != flags:
                groups.append((letter.base, flags, {}))
            exponents = groups[-1][2]
            exponents[letter.exponent] = exponents.get(letter.exponent, 0) + letter.sign
            if not exponents[letter.exponent]:
                del exponents[letter.exponent]
            if not exponents:
                groups.pop()
        shapes = {letter.base: (letter.rows, letter.cols) for letter in alphabet.letters}
        out = []
        for base, flags, exponents in groups:
            for mono, count in sorted(exponents.items()):
                char = alphabet.letter(Letter(base, mono, 1 if count > 0 else -1, *shapes[base]))
                out.append(chr(ord(char) + flags) * abs(count))
        return "".join(out)

    def key(self, term: Term, words: Words) -> tuple[object, ...]:
        """What determines the value of a Term as far as words see: its shape and its normal form."""
        return (term.rows, term.cols, tuple(sorted(words.items(), key=lambda item: item[0])))


def _add_to(out: Words, word: str, coeff: Element) -> None:
    total = out.get(word, 0) + coeff
    if total:
        out[word] = total
    else:
        out.pop(word, None)


def _hashable(words: Words) -> bool:
    return not any(isinstance(coeff, Ratio) for coeff in words.values())


# --- one function a constructor -------------------------------------------------------------------------------

Rule = Callable[[Expansion, Term, "list[Words]"], Words]


def _add(ex: Expansion, term: Term, parts: list[Words]) -> Words:
    out = dict(parts[0])
    for part in parts[1:]:
        for word, coeff in part.items():
            _add_to(out, word, coeff)
    return out


def _neg(ex: Expansion, term: Term, parts: list[Words]) -> Words:
    return {word: -coeff for word, coeff in parts[0].items()}


def _scaled(words: Words, factor: Element) -> Words:
    if not factor:
        return {}
    return {word: coeff * factor for word, coeff in words.items()}


def _scale(ex: Expansion, term: Term, parts: list[Words]) -> Words:
    return _scaled(parts[1], ex.scalar(parts[0]))


def _divide(ex: Expansion, term: Term, parts: list[Words]) -> Words:
    by = ex.scalar(parts[1])
    if not by:
        return _atom(ex, term, parts)
    return {word: divide(coeff, by) for word, coeff in parts[0].items()}


def _times(ex: Expansion, left: Words, right: Words) -> Words:
    ex.check(len(left) * len(right))
    out: Words = {}
    get = out.get
    zeros = False
    items = tuple(right.items())
    for word_a, coeff_a in left.items():
        for word_b, coeff_b in items:
            word = word_a + word_b
            total = get(word, 0) + coeff_a * coeff_b
            zeros = zeros or not total
            out[word] = total
    return {word: coeff for word, coeff in out.items() if coeff} if zeros else out


def _matmul(ex: Expansion, term: Term, parts: list[Words]) -> Words:
    total = parts[0]
    for part in parts[1:]:
        total = _times(ex, total, part)
    return total


def _transpose(ex: Expansion, term: Term, parts: list[Words]) -> Words:
    return {ex.alphabet.transposed(word): coeff for word, coeff in parts[0].items()}


def _conjugate(ex: Expansion, term: Term, parts: list[Words]) -> Words:
    alphabet = ex.alphabet

    def image(index: int) -> Element:
        word = alphabet.conjugated(alphabet.scalar_words()[index])
        return alphabet.variable(min(word, alphabet.transposed(word)))

    return {alphabet.conjugated(word): mapped(coeff, image) for word, coeff in parts[0].items()}


def _adjoint(ex: Expansion, term: Term, parts: list[Words]) -> Words:
    return _transpose(ex, term, [_conjugate(ex, term, parts)])


def _dot(ex: Expansion, term: Term, parts: list[Words]) -> Words:
    return _times(ex, _transpose(ex, term, parts[:1]), parts[1])


def _atom(ex: Expansion, term: Term, parts: list[Words]) -> Words:
    """A construct that words do not look into: one letter, the same for arguments with the same normal form."""
    normals = [ex.normal(part) for part in parts]
    if not all(_hashable(one) for one in normals):
        return ex.atom(term)
    ex.alphabet.opaque = True
    keys = tuple(ex.key(arg, one) for arg, one in zip(term.args, normals, strict=True))
    base = (term.op, term.data, keys)
    return {ex.alphabet.letter(Letter(base, (), 1, term.rows, term.cols)): 1}


def _size(ex: Expansion, term: Term, parts: list[Words]) -> Words:
    total: Element = 0
    for mono, coeff in cast(Dim, term.data[0]).terms:
        product: Element = coeff
        for name, exponent in mono:
            letter = ex.alphabet.letter(Letter(("size", name), (), 1, ONE, ONE))
            for _ in range(exponent):
                product = product * ex.alphabet.variable(letter)
        total = total + product
    return {"": total} if total else {}


def _inverse(ex: Expansion, term: Term, parts: list[Words]) -> Words:
    """The inverse of a single word of square letters, reversed; of anything else a letter of its own."""
    words = ex.normal(parts[0])
    if term.rows.constant == 1:
        value = ex.scalar(words)
        return {"": divide(1, value)} if value else _atom(ex, term, parts)
    if len(words) == 1:
        ((word, coeff),) = words.items()
        if all(ex.alphabet.sizes(char) == (term.rows, term.rows) for char in word):
            return {_inverted(ex, word): divide(1, coeff)}
    return _power_letter(ex, term.args[0], words, Dim.of(-1))


def _inverted(ex: Expansion, word: str) -> str:
    out = []
    for char in reversed(word):
        code, flags = divmod(ord(char), 4)
        one = ex.alphabet.letters[code]
        other = ex.alphabet.letter(Letter(one.base, one.exponent, -one.sign, one.rows, one.cols))
        out.append(chr(ord(other) + flags))
    return "".join(out)


def _power_letter(ex: Expansion, body: Term, words: Words, exponent: Dim) -> Words:
    """A power of a sum, as letters: A + B and (A^T + B^T)^T give the same ones."""
    alphabet = ex.alphabet
    alphabet.opaque = True
    base: object = body
    flags = 0
    if _hashable(words):
        flipped = ex.normal(_transpose(ex, body, [words]))
        own, other = ex.key(body, words), ex.key(body, flipped)
        base = own
        if [word for word, _ in other[2]] < [word for word, _ in own[2]]:  # type: ignore[attr-defined]
            base, flags = other, TRANSPOSED
    word = "".join(
        chr(
            ord(alphabet.letter(Letter(("power", base), mono, 1 if count > 0 else -1, body.rows, body.cols)))
            + flags
        )
        * abs(count)
        for mono, count in exponent.terms
    )
    return {word: 1}


def _power(ex: Expansion, term: Term, parts: list[Words]) -> Words:
    exponent = cast(Dim, term.data[0])
    words = parts[0]
    if exponent.constant is None:
        return _symbolic_power(ex, term, words, exponent)
    count = exponent.constant
    if count < 0:
        words = _inverse(ex, term, parts)
    if abs(count) > POWER_LIMIT:
        raise BudgetError("exponent", f"a power with exponent {count}")
    result: Words = {"": 1}
    for bit in bin(abs(count))[2:]:
        result = _times(ex, result, result)
        if bit == "1":
            result = _times(ex, result, words)
        if ex.alphabet.narrow:
            # A power of a scalar, or of a product through a 1×1 part, must not grow as a word.
            result = ex.normal(result)
    return result


def _symbolic_power(ex: Expansion, term: Term, words: Words, exponent: Dim) -> Words:
    if words == {"": 1}:
        return words
    if len(words) == 1 and sum(abs(count) for _, count in exponent.terms) <= POWER_LIMIT:
        ((word, coeff),) = words.items()
        if coeff == 1 and len(word) == 1:
            code, flags = divmod(ord(word), 4)
            one = ex.alphabet.letters[code]
            inner = Dim({one.exponent: one.sign})
            chars = [
                chr(
                    ord(
                        ex.alphabet.letter(Letter(one.base, mono, 1 if count > 0 else -1, one.rows, one.cols))
                    )
                    + flags
                )
                * abs(count)
                for mono, count in (inner * exponent).terms
            ]
            return {"".join(chars): 1}
    return _power_letter(ex, term.args[0], ex.normal(words), exponent)


_OPS: dict[str, Rule] = {
    "number": lambda ex, term, parts: {"": _number(term)} if _number(term) else {},
    "size": _size,
    "identity": lambda ex, term, parts: {"": 1},
    "zero": lambda ex, term, parts: {},
    "add": _add,
    "neg": _neg,
    "scale": _scale,
    "divide": _divide,
    "matmul": _matmul,
    "power": _power,
    "transpose": _transpose,
    "conjugate": _conjugate,
    "adjoint": _adjoint,
    "inverse": _inverse,
    "dot": _dot,
    **dict.fromkeys(
        (
            "pseudoinverse",
            "trace",
            "determinant",
            "hadamard",
            "kronecker",
            "diag",
            "diagpart",
            "vec",
            "entry",
            "row",
            "column",
            "columns",
            "rows",
            "block",
            "literal",
            "apply",
            "entrywise",
            "row_softmax",
            "scalar_function",
        ),
        _atom,
    ),
}


def _number(term: Term) -> int | Fraction:
    value = cast(Fraction, term.data[0])
    return value.numerator if value.denominator == 1 else value


# --- deciding -------------------------------------------------------------------------------------------------


def decide_words(statement: Statement, *, deadline: float | None = None, steps: bool = True) -> WordsResult:
    """Decide an equation by expanding both sides.

    Args:
        statement: an equation.
        deadline: a `time.monotonic` to stop at.
        steps: whether to work out the steps for a reader.

    Raises:
        BudgetError: an expansion became too large.

    Examples:
        >>> from symlin.construct import symbol
        >>> A, B = symbol("A", "m", "n"), symbol("B", "n", "k")
        >>> decide_words((A @ B).T.eq(B.T @ A.T)).equal
        True
        >>> C = symbol("C", "n", "n")
        >>> decide_words((C @ C.T).eq(C.T @ C)).equal
        False
    """
    alphabet = Alphabet(is_complex(statement))
    equal = _equal_over(alphabet, statement.lhs, statement.rhs, deadline)
    free = all(
        dim.constant == 1 or dim.lone_symbol is not None
        for letter in alphabet.letters
        for dim in (letter.rows, letter.cols)
    )
    complete = free and not alphabet.opaque
    if not equal:
        return WordsResult(False, complete)
    return WordsResult(True, complete, _proof(statement, steps))


def _equal_over(alphabet: Alphabet, left: Term, right: Term, deadline: float | None = None) -> bool:
    expansion = Expansion(alphabet, deadline)
    lhs = expansion.normal(expansion.of(left))
    rhs = expansion.normal(expansion.of(right))
    return lhs.keys() == rhs.keys() and not any(coeff - rhs[word] for word, coeff in lhs.items())


def same_words(left: Term, right: Term) -> bool:
    """Whether two Terms have the same normal form."""
    return _equal_over(Alphabet(is_complex(Statement(left, right))), left, right)


def _proof(statement: Statement, steps: bool) -> Proof:
    explanation = Explanation(lambda: _steps(statement)) if steps else None
    return Proof(statement, "words", explanation, certificate="expand", hypotheses=assumptions(statement))


def _steps(statement: Statement) -> Steps:
    # The rules are only needed by those who want to read.
    from symlin.decide.rules import derivation

    found = derivation(statement)
    if found is None:
        return Steps()
    return Steps(law=True) if found.kind == "law" else Steps(found.left, found.right)
