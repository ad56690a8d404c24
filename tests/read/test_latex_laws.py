"""Laws of the LaTeX reader: it fails in one way only, keeps places, and does not see white space."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import fields
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symlin.errors import ReadError
from symlin.read.latex import parse
from symlin.read.lexer import tokenize
from symlin.read.syntax import Chain, Empty, Formula, Number, Relation, Span

TOKENS = (
    r"a B x 1 2 12 0.5 .5 1,000 3{,}628 + - * / = < > , ; . : ! ? ' | \| ( ) [ ] \{ \} { } _ ^ & \\ ~ % $ "
    r"\amp \cdot \times \otimes \oplus \pm \le \in \to \mapsto \ne \not \mid \middle| \left( \right) \left. \right. "
    r"\left[ \right] \left| \right| \big| \bigl( \quad \qquad \, \! \frac \dfrac \sqrt \hat \vec \bar \mathbf \mathbb "
    r"\mathrm \bf \boldsymbol \overline \underbrace \overset \stackrel \xrightarrow \alpha \ell \infty \perp \top "
    r"\cdots \ldots \vdots \vdotswithin \sum \prod \int \lim \max \det \operatorname{tr} \operatorname \rank \sin \log "
    r"\text{and} \text{rank} \text{.} \text{H} \text \mbox{a} \hbox{} \substack \binom \pmod \bmod \langle \rangle \lt \gt "
    r"\begin{bmatrix} \end{bmatrix} \begin{array}{rr|r} \end{array} \begin{cases} \end{cases} \begin{aligned} "
    r"\end{aligned} \begin{align*} \end{align*} \pmatrix{ \multicolumn{2}{c}{a} \hline \label{x} \phantom{x} \color{red} "
    r"\hspace{1em} \kern \setlength \displaystyle \limits \norm \set \foo \begin \end é ∈ 𝐀"
).split()
PIECES = st.one_of(
    st.sampled_from(TOKENS), st.sampled_from(TOKENS), st.sampled_from([" ", "\n", "{a}", "x_1", "A^T"])
)
STRINGS = st.lists(PIECES, max_size=25).map("".join)
SPACED = st.lists(PIECES, max_size=25).map(" ".join)


def read(latex: str) -> Formula | None:
    """The formula, or None where the reader refuses it."""
    try:
        return parse(latex)
    except ReadError as error:
        assert error.message
        assert error.place is not None
        assert 0 <= error.place.start <= max(len(error.place.text), 1)
        return None


@settings(max_examples=1500, deadline=None)
@given(st.one_of(STRINGS, SPACED))
def test_it_fails_only_with_a_read_error(latex: str) -> None:
    read(latex)


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=40))
def test_any_text_at_all(latex: str) -> None:
    read(latex)


def nodes(value: Any) -> Iterator[Any]:
    """A node and all nodes in it."""
    if isinstance(value, tuple):
        for item in value:
            yield from nodes(item)
    elif hasattr(value, "span"):
        yield value
        for part in fields(value):
            if part.name != "span":
                yield from nodes(getattr(value, part.name))


@settings(max_examples=600, deadline=None)
@given(SPACED)
def test_every_node_lies_inside_the_text(latex: str) -> None:
    formula = read(latex)
    if formula is None:
        return
    for node in nodes((formula.clauses, formula.notes)):
        assert isinstance(node.span, Span)
        assert 0 <= node.span.start <= node.span.end <= len(latex), (node, node.span)


@settings(max_examples=600, deadline=None)
@given(SPACED)
def test_operands_signs_and_separators_match(latex: str) -> None:
    formula = read(latex)
    if formula is None:
        return
    assert len(formula.separators) == max(len(formula.clauses) - 1, 0)
    for node in nodes(formula.clauses):
        if isinstance(node, Chain):
            assert len(node.operands) == len(node.relations) + 1
            assert all(isinstance(relation, Relation) for relation in node.relations)
        for items, marks, extra in (
            ("factors", "operators", 1),
            ("terms", "signs", 0),
            ("items", "separators", 1),
        ):
            if hasattr(node, items):
                assert len(getattr(node, items)) == len(getattr(node, marks)) + extra, node
                assert len(getattr(node, items)) >= 1


TERMS = st.recursive(
    st.sampled_from(["A", "B", "x", "2", r"\alpha", r"\mathbf{v}", "a_{ij}", r"B^T"]),
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(["+", "-", r"\cdot", "", r"\otimes"]), inner).map(" ".join),
        inner.map(lambda body: f"( {body} )"),
        st.tuples(inner, inner).map(lambda two: rf"\frac {{ {two[0]} }} {{ {two[1]} }}"),
        st.tuples(inner, inner).map(lambda two: rf"\begin{{bmatrix}} {two[0]} & {two[1]} \end{{bmatrix}}"),
    ),
    max_leaves=8,
)


@settings(max_examples=300, deadline=None)
@given(TERMS, TERMS)
def test_white_space_means_nothing(left: str, right: str) -> None:
    latex = f"{left} = {right}"
    expected = parse(latex).clauses
    assert parse(latex.replace(" ", "\n  ")).clauses == expected
    assert parse(latex.replace(" ", r" \, ")).clauses == expected
    assert parse(latex.replace(" ", " % remark {\n ")).clauses == expected


@settings(max_examples=300, deadline=None)
@given(TERMS, TERMS, TERMS)
def test_a_chain_may_be_cut_into_lines(first: str, second: str, third: str) -> None:
    whole = parse(f"{first} = {second} = {third}")
    lines = parse(rf"{first} &= {second} && \text{{why}} \\ &= {third}")
    assert lines.clauses == whole.clauses
    assert len(lines.notes) == 1


@settings(max_examples=200, deadline=None)
@given(st.lists(TERMS, min_size=2, max_size=4))
def test_a_list_without_relations_is_one_clause(items: list[str]) -> None:
    assert len(parse(", ".join(items)).clauses) == 1
    assert len(parse(r",\qquad ".join(items)).clauses) == 1


@settings(max_examples=200, deadline=None)
@given(st.lists(st.tuples(TERMS, TERMS), min_size=2, max_size=4))
def test_equations_after_commas_and_space_are_clauses(pairs: list[tuple[str, str]]) -> None:
    latex = r",\qquad ".join(f"{left} = {right}" for left, right in pairs)
    assert len(parse(latex).clauses) == len(pairs)


@given(st.integers(0, 10**12))
def test_grouped_digits_are_one_numeral(number: int) -> None:
    for written in (f"{number:,}", f"{number:,}".replace(",", "{,}"), f"{number:,}".replace(",", r"\,")):
        (clause,) = parse(written).clauses
        assert isinstance(clause, Number)
        assert clause.value == number


@given(st.integers(0, 999), st.integers(1, 8))
def test_decimals_are_counted(number: int, decimals: int) -> None:
    written = f"{number}.{'7' * decimals}"
    (clause,) = parse(written).clauses
    assert isinstance(clause, Number)
    assert (clause.decimals, clause.digits) == (decimals, written)


LONG = (
    "a", "a+", "a,", "1,", "&", r"\\", r"a=b\\", "a=b&&", r"&=c\\", r"-a\\", "|a|", r"\quad -a", r"\text{a}", "{}+", "'",
    r"\left.\right.\\", r"&\vdots\\&=", r"\overset{a}{=}", r"\overset{a}", r"\stackrel{a}{", "1,000", r"\kern", "%\n", r"\mathrm{rank}", r"\mathrm{p}_",
    r"\begin{aligned}a\end{aligned}", r"\multicolumn{9}{c}{a}&", "a|_b", "<a,b>", "x^1,000", r"\substack{a\\", "..",
)  # fmt: skip


def seconds(latex: str) -> float:
    """The shorter of two times that reading takes."""
    times = []
    for _ in range(2):
        start = time.perf_counter()
        read(latex)
        times.append(time.perf_counter() - start)
    return min(times)


@pytest.mark.parametrize("piece", LONG)
def test_the_time_is_linear_in_the_length(piece: str) -> None:
    short, long = piece * (10_000 // len(piece)), piece * (40_000 // len(piece))
    # Four times as long takes about four times the time; quadratic time would take sixteen times.
    assert seconds(long) < max(11 * seconds(short), 0.4)


def test_tokens_cover_what_is_not_skipped() -> None:
    latex = r"A &= \begin{bmatrix} 1 \\ 2 \end{bmatrix} \text{ if } x"
    tokens = tokenize(latex)
    assert [latex[token.start : token.end] for token in tokens][:4] == ["A", "&", "=", r"\begin{bmatrix}"]
    assert tokens[-1].kind == "end"
    assert all(left.end <= right.start for left, right in pairwise(tokens))


def test_nothing_at_all_is_no_clause() -> None:
    for latex in ("", " ", "%", r"\quad", r"\\"):
        assert parse(latex).clauses == ()
    assert parse("{}").clauses in ((), (Empty(),))
