"""Proofs and counterexamples as something to read.

Offers `proof_blocks`, `counterexample_blocks` and `sizes_prose`; rests on `exposition`.  Records are read by
their fields, so that this layer does not import the engines that fill them in.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

from symlin.construct import literal, number
from symlin.dims import Dim
from symlin.statement import Statement
from symlin.term import Shape, Term, dim_symbols, substitute, symbols
from symlin.write.exposition import Block, Chain, Inline, Line, Math, Prose
from symlin.write.names import dim_latex, symbol_latex
from symlin.write.plain import dim_text, name_text


def size_math(rows: Dim, cols: Dim) -> Math:
    r"""A size as a formula: ``m\times n``."""
    latex, text = [], []
    for dim in (rows, cols):
        several = len(dim.terms) > 1
        latex.append(f"({dim_latex(dim)})" if several else dim_latex(dim))
        text.append(f"({dim_text(dim)})" if several else dim_text(dim))
    return Math(r"\times ".join(latex), "×".join(text))


def sizes_prose(names: Iterable[Term], lead: str = "") -> Prose | None:
    """ "A is m×n, B is n×k, r is a scalar" for these symbols; None when there are none."""
    groups: dict[tuple[Shape, bool], list[Term]] = {}
    for symbol in sorted(dict.fromkeys(names), key=lambda one: (one.is_scalar, str(one.data[0]))):
        groups.setdefault((symbol.shape, symbol.is_scalar), []).append(symbol)
    if not groups:
        return None
    parts: list[Inline] = [lead] if lead else []
    for place, ((shape, scalar), members) in enumerate(groups.items()):
        if place:
            parts.append(", ")
        parts.extend(listed(members))
        verb = " is " if len(members) == 1 else " are "
        if scalar:
            parts.append(f"{verb}{'a scalar' if len(members) == 1 else 'scalars'}")
        else:
            parts.extend([verb, size_math(*shape)])
    return Prose((*parts, "."))


def listed(members: Sequence[Inline] | Sequence[Statement]) -> list[Inline]:
    """Formulas with commas between them and "and" before the last."""
    out: list[Inline] = []
    for place, member in enumerate(members):
        if place:
            out.append(" and " if place == len(members) - 1 else ", ")
        out.append(member)
    return out


# --- proofs ---------------------------------------------------------------------------------------------------

ENGINE_REASONS = {
    "words": "Both sides expand to the same sum of products.",
    "entries": "Each entry of the left side and of the right side is the same sum of products of entries.",
    "explicit": "Both sides were computed entry by entry as polynomials in the entries, and they agree.",
    "numeric": "Both sides were computed exactly, and they agree.",
    "hypotheses": "The difference of both sides is a sum of multiples of the equations used.",
    "determinants": "Both sides come to the same by the listed facts on determinants and powers.",
}


TRUSTED = {
    "explicit": "exact arithmetic with polynomials",
    "numeric": "exact arithmetic with numbers",
    "words": "the expansion of both sides",
}


def proof_blocks(proof: Any, reason: str = "") -> list[Block]:
    """A proof as blocks: the chain of steps where there is one, what was assumed, what was trusted.

    Args:
        proof: the record.
        reason: the verdict's own reason, shown where there are no steps.
    """
    blocks: list[Block] = []
    chain = proof_chain(proof)
    if chain is not None:
        blocks.append(chain)
    elif reason:
        blocks.append(Prose((reason[:1].upper() + reason[1:] + ".",)))
    else:
        blocks.append(Prose((ENGINE_REASONS.get(proof.engine, "Both sides were found equal."),)))
    if proof.hypotheses:
        blocks.append(Prose(("Used: ", *_statements(proof.hypotheses), ".")))
    if proof.axioms:
        blocks.append(Prose((f"Axioms: {', '.join(proof.axioms)}.",)))
    if proof.trusted:
        blocks.append(Prose((f"Trusted: {', '.join(TRUSTED.get(name, name) for name in proof.trusted)}.",)))
    return blocks


def _statements(statements: Sequence[Statement]) -> list[Inline]:
    out: list[Inline] = []
    for parts in dict.fromkeys(tuple(_assumption(statement)) for statement in statements):
        out += [", ", *parts] if out else parts
    return out


def _assumption(statement: Statement) -> list[Inline]:
    """A hypothesis; A A^{-1} = I is the assumption that the inverse exists."""
    lhs = statement.lhs
    if statement.relation == "=" and lhs.op == "scale" and lhs.args[1].op == "divide":
        return [Statement(lhs.args[0], number(0), r"\ne")]
    if statement.relation == "=" and statement.rhs.op == "identity" and lhs.op == "matmul":
        for factor in lhs.args:
            if factor.op == "inverse":
                return [factor, " exists"]
    return [statement]


def proof_chain(proof: Any) -> Chain | None:
    """The steps of a proof from the left side to the right side."""
    if proof.left or proof.right:
        return steps_chain(proof.left, proof.right)
    if proof.engine == "entries" or (proof.steps.law and proof.theorem is not None):
        # One rule of matrix algebra is no explanation of itself: entries show why it is true.
        # Derivations stand above writers; they are asked for by name.
        by_entries = importlib.import_module("symlin.derive.by_entries")
        found: Chain | None = by_entries.entries_chain(proof.statement)
        return found
    return None


def steps_chain(left: Sequence[Any], right: Sequence[Any]) -> Chain:
    """Steps from both sides to where they meet, as one chain."""
    lines = [Line(step.after, step.reason) for step in left]
    lines += [Line(step.before, step.reason) for step in reversed(right)]
    return Chain(left[0].before if left else right[-1].after, tuple(lines))


# --- counterexamples ------------------------------------------------------------------------------------------


def value_term(value: Sequence[Sequence[Any]]) -> Term:
    """An exact value as a Term: a number, or a matrix of numbers."""
    rows = [[_number(entry) for entry in line] for line in value]
    return rows[0][0] if len(rows) == len(rows[0]) == 1 else literal(rows)


def _number(value: Any) -> Term:
    if isinstance(value, int | Fraction):
        return number(value)
    from symlin.construct import opaque

    return opaque(value)


def counterexample_blocks(statement: Statement, found: Any) -> list[Block]:
    """A counterexample as blocks: the values, both sides, the place where they differ."""
    blocks: list[Block] = []
    letters = [
        one for one in dict.fromkeys(symbols(statement.lhs) + symbols(statement.rhs)) if one in found.values
    ]
    blocks += [
        Chain(_at_sizes(letter, found.sizes), (Line(value_term(found.values[letter])),)) for letter in letters
    ]
    free = sorted(_free_numbers(statement, letters) & set(found.sizes))
    if free:
        texts = [
            Math(f"{symbol_latex(name)}={found.sizes[name]}", f"{name_text(name)} = {found.sizes[name]}")
            for name in free
        ]
        blocks.append(Prose(("With ", *listed(texts), ".")))
    blocks.append(Prose(("Then the two sides are",)))
    for side, value in ((statement.lhs, found.lhs), (statement.rhs, found.rhs)):
        blocks.append(Chain(side, (Line(value_term(value)),)))
    blocks.append(Prose((_difference(found),)))
    if found.smallest:
        blocks.append(Prose((_sentence(found.smallest),)))
    return blocks


def _at_sizes(letter: Term, sizes: Any) -> Term:
    """The symbol at the sizes of the counterexample, so that it can stand beside its value."""
    return substitute(letter, {}, {name: Dim.of(value) for name, value in sizes.items()})


def _free_numbers(statement: Statement, letters: Sequence[Term]) -> set[str]:
    """Sizes and indices that the values of the matrices do not show."""
    shown = {name for letter in letters for dim in letter.shape for name in dim.symbols}
    return set((dim_symbols(statement.lhs) | dim_symbols(statement.rhs)) - shown)


def _difference(found: Any) -> str:
    row, column = found.place
    left, right = found.lhs[row - 1][column - 1], found.rhs[row - 1][column - 1]
    if len(found.lhs) == len(found.lhs[0]) == 1:
        return f"The left side is {left} and the right side is {right}."
    if len(found.lhs[0]) == 1:
        return f"They differ first in entry {row}: {left} on the left, {right} on the right."
    return f"They differ first in entry ({row}, {column}): {left} on the left, {right} on the right."


def _sentence(words: str) -> str:
    return words[:1].upper() + words[1:] + ("" if words.endswith(".") else ".")
