"""Sizes and indices: canonical polynomials with integer coefficients in symbols such as m, n, L.

Offers `Dim`; rests on `errors`.  A size symbol stands for a positive integer, so m + n is n + m and
mn is nm by construction; nothing else is ever rewritten, and no inequality between sizes is decided.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TypeAlias

from symlin.errors import Place, ReadError

Monomial: TypeAlias = tuple[tuple[str, int], ...]
DimLike: TypeAlias = "Dim | int | str"

_TOKEN = re.compile(
    r"\s*(?:(?P<number>\d+)|(?P<name>(?:\\[A-Za-z]+|[A-Za-z])(?:_(?:\w|\{\w+\}))?'*)|(?P<op>[-+*()]|\\cdot(?![A-Za-z])))"
)


class Dim:
    """A size or an index: an integer polynomial in symbols, kept in one canonical form.

    Args:
        terms: the canonical terms; use `Dim.of` or arithmetic instead.

    Examples:
        >>> m, n = Dim.of("m"), Dim.of("n")
        >>> m + n == n + m, str(m * n + 1), Dim.of("2n+1") == n * 2 + 1
        (True, 'mn + 1', True)
        >>> Dim.of(4).constant, (m - m).constant, m.constant is None
        (4, 0, True)
    """

    __slots__ = ("_hash", "constant", "terms")

    terms: tuple[tuple[Monomial, int], ...]
    constant: int | None
    _hash: int

    def __init__(self, terms: Mapping[Monomial, int]) -> None:
        canonical = tuple(pair for pair in terms.items() if pair[1])
        if len(canonical) > 1:
            canonical = tuple(sorted(canonical))
        constant: int | None = None
        if not canonical:
            constant = 0
        elif len(canonical) == 1 and not canonical[0][0]:
            constant = canonical[0][1]
        object.__setattr__(self, "terms", canonical)
        object.__setattr__(self, "constant", constant)
        object.__setattr__(self, "_hash", hash(canonical))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a Dim cannot be changed")

    def __delattr__(self, name: str) -> None:
        raise AttributeError("a Dim cannot be changed")

    def __reduce__(self) -> tuple[type[Dim], tuple[dict[Monomial, int]]]:
        return Dim, (dict(self.terms),)

    @staticmethod
    def of(value: DimLike) -> Dim:
        """The Dim meant by an int, a text such as ``m+n`` or ``2n``, or a Dim.

        Raises:
            ReadError: the text is no sum or product of sizes.
        """
        if isinstance(value, Dim):
            return value
        if isinstance(value, bool):
            raise TypeError("a size is an integer or a symbol, not a truth value")
        if isinstance(value, int):
            return Dim({(): value})
        if isinstance(value, str):
            return _parse(value)
        raise TypeError(f"a size is an integer, a text or a Dim, not {type(value).__name__}")

    @staticmethod
    def symbol(name: str) -> Dim:
        """The size called `name`, whatever characters that has."""
        found = _SYMBOLS.get(name)
        if found is None:
            found = _SYMBOLS[name] = Dim({((name, 1),): 1})
        return found

    @property
    def symbols(self) -> frozenset[str]:
        """The names of all symbols that occur."""
        return frozenset(name for mono, _ in self.terms for name, _ in mono)

    @property
    def lone_symbol(self) -> str | None:
        """The name, when this is just one symbol; else None."""
        if len(self.terms) == 1:
            mono, coeff = self.terms[0]
            if coeff == 1 and len(mono) == 1 and mono[0][1] == 1:
                return mono[0][0]
        return None

    def substitute(self, values: Mapping[str, Dim]) -> Dim:
        """This Dim with symbols replaced, all at once."""
        if self.constant is not None or not any(name in values for mono, _ in self.terms for name, _ in mono):
            return self
        alone = self.lone_symbol
        if alone is not None:
            return values[alone]
        total = ZERO
        for mono, coeff in self.terms:
            product = Dim({(): coeff})
            for name, exponent in mono:
                factor = values.get(name)
                if factor is None:
                    factor = Dim.symbol(name)
                for _ in range(exponent):
                    product = product * factor
            total = total + product
        return total

    def __add__(self, other: DimLike) -> Dim:
        out = dict(self.terms)
        for mono, coeff in Dim.of(other).terms:
            out[mono] = out.get(mono, 0) + coeff
        return Dim(out)

    __radd__ = __add__

    def __neg__(self) -> Dim:
        return Dim({mono: -coeff for mono, coeff in self.terms})

    def __sub__(self, other: DimLike) -> Dim:
        return self + (-Dim.of(other))

    def __rsub__(self, other: DimLike) -> Dim:
        return Dim.of(other) - self

    def __mul__(self, other: DimLike) -> Dim:
        out: dict[Monomial, int] = {}
        right = Dim.of(other).terms
        for mono_a, coeff_a in self.terms:
            for mono_b, coeff_b in right:
                mono = _multiply(mono_a, mono_b)
                out[mono] = out.get(mono, 0) + coeff_a * coeff_b
        return Dim(out)

    __rmul__ = __mul__

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Dim) and self.terms == other.terms

    def __hash__(self) -> int:
        return self._hash

    def __lt__(self, other: Dim) -> bool:
        return self.terms < other.terms

    def __str__(self) -> str:
        if not self.terms:
            return "0"
        out = ""
        # Symbols first and the constant last, as people write n + 1.
        for mono, coeff in sorted(self.terms, key=lambda term: (not term[0], term[0])):
            size = abs(coeff)
            body = _join(name if exponent == 1 else f"{name}^{exponent}" for name, exponent in mono)
            if size != 1 or not body:
                body = f"{size}{body}"
            sign = "-" if coeff < 0 else "+"
            out += f" {sign} {body}" if out else (f"-{body}" if coeff < 0 else body)
        return out

    def __repr__(self) -> str:
        return f"Dim({str(self)!r})"


def _multiply(left: Monomial, right: Monomial) -> Monomial:
    if not left:
        return right
    if not right:
        return left
    exponents = dict(left)
    for name, exponent in right:
        exponents[name] = exponents.get(name, 0) + exponent
    return tuple(sorted(exponents.items()))


def _join(names: Iterable[str]) -> str:
    """Names side by side; a command such as \\ell needs a space before a following letter."""
    out = ""
    for name in names:
        if out and re.search(r"\\[A-Za-z]+$", out) and name[:1].isalpha():
            out += " "
        out += name
    return out


def _parse(text: str) -> Dim:
    """Read a sum of products of integers and symbols; recursion is bounded by the 200 characters allowed."""
    if len(text) > 200:
        raise ReadError(
            "a size of more than 200 characters", Place(text, 0, len(text)), "a size such as n or m+1"
        )
    tokens: list[tuple[str, str, int]] = []
    at = 0
    stripped = text.rstrip()
    while at < len(stripped):
        match = _TOKEN.match(stripped, at)
        if match is None:
            raise ReadError(f"{text!r} is not a size", Place(text, at, at + 1), "a size such as 3, n or m+1")
        kind = match.lastgroup or ""
        tokens.append((kind, match.group(kind), match.start(kind)))
        at = match.end()
    position = 0

    def fail(expected: str) -> ReadError:
        start = tokens[position][2] if position < len(tokens) else len(stripped)
        return ReadError(f"{text!r} is not a size", Place(text, start, start + 1), expected)

    def atom() -> Dim:
        nonlocal position
        if position >= len(tokens):
            raise fail("a number or a letter")
        kind, value, _ = tokens[position]
        position += 1
        if kind == "number":
            return Dim.of(int(value))
        if kind == "name":
            return Dim.symbol(value)
        if value == "(":
            inner = expression()
            if position >= len(tokens) or tokens[position][1] != ")":
                raise fail("a closing parenthesis")
            position += 1
            return inner
        position -= 1
        raise fail("a number or a letter")

    def product() -> Dim:
        nonlocal position
        value = atom()
        while position < len(tokens) and tokens[position][1] not in ("+", "-", ")"):
            if tokens[position][1] in ("*", r"\cdot"):
                position += 1
            value = value * atom()
        return value

    def expression() -> Dim:
        nonlocal position
        negative = position < len(tokens) and tokens[position][1] == "-"
        if negative:
            position += 1
        value = -product() if negative else product()
        while position < len(tokens) and tokens[position][1] in ("+", "-"):
            sign = tokens[position][1]
            position += 1
            value = value + product() if sign == "+" else value - product()
        return value

    result = expression()
    if position < len(tokens):
        raise fail("the end of the size")
    return result


_SYMBOLS: dict[str, Dim] = {}
ZERO = Dim({})
ONE = Dim({(): 1})
