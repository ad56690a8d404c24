"""Explanations by entries: goldens, and every link of a chain true."""

from __future__ import annotations

import pytest

import symlin
from symlin.decide import decide
from symlin.derive.by_entries import entries_chain
from symlin.derive.letters import Letters
from symlin.derive.monomials import collect, multiply_out, same, sum_term
from symlin.statement import Statement

TRUE = [
    ("(AB)^T=B^TA^T", ()),
    ("A(BC)=(AB)C", ()),
    ("(A+B)C=AC+BC", ()),
    ("C(A+B)=CA+CB", ()),
    ("A(rB)=(rA)B", ()),
    ("(ABC)^T=C^TB^TA^T", ()),
    (r"\operatorname{tr}(AB)=\operatorname{tr}(BA)", ()),
    (r"\operatorname{tr}(A+B)=\operatorname{tr}(A)+\operatorname{tr}(B)", ()),
    (r"\operatorname{tr}(ABC)=\operatorname{tr}(CAB)", ()),
    (r"A\circ B=B\circ A", ()),
    (r"(A\circ B)^T=A^T\circ B^T", ()),
    ("(A+B)(A-B)=A^2-AB+BA-B^2", ()),
    ("A-A=0", ()),
    ("A+A=2A", ()),
    ("I_nA=A", ("A: n x k",)),
    (r"(\mathbf x+\mathbf y)^T\mathbf z=\mathbf x^T\mathbf z+\mathbf y^T\mathbf z", ()),
    (r"\mathbf u\mathbf v^T\mathbf w=(\mathbf v^T\mathbf w)\mathbf u", ()),
    ("(A+B)C=AC+BC", ("A: 2 x 2", "C: 2 x 2")),
    (r"\frac{A+A^T}{2}+\frac{A-A^T}{2}=A", ()),
    (
        r"\operatorname{tr}(A\operatorname{diag}(\mathbf x))=\operatorname{tr}(\operatorname{diag}(\mathbf x)A)",
        (),
    ),
]


def _statement(latex: str, where: tuple[str, ...]) -> Statement:
    found = symlin.read(latex, where=where)
    assert isinstance(found, Statement)
    return found


@pytest.mark.parametrize(("latex", "where"), TRUE, ids=[latex for latex, _ in TRUE])
def test_every_link_is_true(latex: str, where: tuple[str, ...]) -> None:
    statement = _statement(latex, where)
    chain = entries_chain(statement)
    assert chain is not None
    before = chain.start
    for line in chain.lines:
        assert line.reason
        assert line.term is not before
        assert decide(Statement(before, line.term), steps=False).kind == "proved", (
            str(before),
            str(line.term),
        )
        before = line.term
    ends = (statement.lhs, statement.rhs)
    assert chain.start in (ends[0], *(one for one in [chain.start] if one.args and one.args[0] is ends[0]))
    assert before is ends[1] or before.args[0] is ends[1]


@pytest.mark.parametrize(
    "latex",
    [
        "AB=BA",
        "(AB)^T=A^TB^T",
        "A+B=A",
        "A^2=A",
        r"\operatorname{tr}(AB)=\operatorname{tr}(A)\operatorname{tr}(B)",
    ],
)
def test_nothing_false_is_explained(latex: str) -> None:
    assert entries_chain(_statement(latex, ("A, B: n x n",))) is None


def test_what_the_reasons_say() -> None:
    chain = entries_chain(_statement(r"\operatorname{tr}(AB)=\operatorname{tr}(BA)", ("A: m x n",)))
    assert chain is not None
    assert [line.reason for line in chain.lines] == [
        "a trace is the sum of the diagonal entries",
        "an entry of a product is row times column",
        "numbers commute; the order of summation does not matter; an index that is summed over may have any name",
        "an entry of a product is row times column",
        "a trace is the sum of the diagonal entries",
    ]


def test_products_are_compared_up_to_names_and_order() -> None:
    one = _scalar(r"\sum_{p=1}^{n}\sum_{q=1}^{n}a_{pq}b_{qp}")
    other = _scalar(r"\sum_{q=1}^{n}\sum_{p=1}^{n}b_{pq}a_{qp}")
    different = _scalar(r"\sum_{p=1}^{n}\sum_{q=1}^{n}a_{pq}b_{pq}")
    assert same(one, other) is not None
    assert same(one, different) is None


def _scalar(latex: str):
    term = symlin.read(latex, where=("A, B: n x n",))
    (monomial,) = multiply_out(term, Letters.of([term]))
    return monomial


def test_like_terms_cancel() -> None:
    term = symlin.read("2a_{11}b_{11}-b_{11}a_{11}-a_{11}b_{11}", where=("A, B: n x n",))
    products = multiply_out(term, Letters.of([term]))
    assert str(sum_term(collect(products))) == "0"
