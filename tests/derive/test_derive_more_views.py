"""Tables of dot products, blocks, values put in where a view needs them, and the command line's views."""

from __future__ import annotations

import json
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

import symlin
from symlin.cli import cli
from symlin.construct import block, columns, identity, literal, matmul, rows, symbol, zero
from symlin.derive.derivation import Derivation
from symlin.derive.views import derive
from symlin.errors import ShapeError, SymlinError, UnsupportedError

Q, K = symbol("Q", "L", "d"), symbol("K", "L", "d")
S, H, V = symbol("S", "L", "L"), symbol("H", "L", "d"), symbol("V", "L", "d")


def test_a_product_as_a_table_of_dot_products() -> None:
    found = derive(S, by="table", values={S: Q @ K.T})
    assert [str(term) for term in found.terms] == [
        "S",
        "QK^T",
        "[q_1^T; …; q_L^T][k_1 … k_L]",
        "[[q_1·k_1 … q_1·k_L]; …; [q_L·k_1 … q_L·k_L]]",
    ]
    assert {verdict.kind for verdict in found.verdicts()} == {"proved"}


def test_a_symbol_is_opened_where_a_view_needs_it() -> None:
    found = derive(S, entry=("i", "j"), values={S: Q @ K.T}, forms=("dot",)).to("dot")
    assert [str(term) for term in found.terms] == ["s_{ij}", "(QK^T)_{ij}", "q_i·k_j"]
    row = derive(H, row="i", as_column=True, values={H: S @ V})
    assert str(row.result) == "Σ_{j=1}^{L} s_{ij} v_j"
    assert {verdict.kind for verdict in row.verdicts()} == {"proved"}


matrices = st.integers(1, 3).flatmap(
    lambda n: st.tuples(
        st.lists(st.lists(st.integers(-4, 4), min_size=n, max_size=n), min_size=1, max_size=3),
        st.integers(1, 3).flatmap(
            lambda k: st.lists(st.lists(st.integers(-4, 4), min_size=k, max_size=k), min_size=n, max_size=n)
        ),
    )
)


@given(matrices, st.sampled_from(["columns", "rows", "outer", "table"]))
def test_every_view_of_numbers_ends_at_the_product(pair: Any, by: str) -> None:
    numpy = pytest.importorskip("numpy")
    left, right = pair
    A = symbol("A", len(left), len(right))
    B = symbol("B", len(right), len(right[0]))
    found = derive(matmul(A, B), by=by, values={A: literal(left), B: literal(right)})
    expected = (numpy.array(left) @ numpy.array(right)).tolist()
    numbers = found.result.args if found.result.op == "literal" else (found.result,)
    values = [int(str(one)) for one in numbers]
    assert values == [value for line in expected for value in line]
    for work in found.details:
        whole = Derivation(work.start, work.steps, found.given)
        assert {verdict.kind for verdict in whole.verdicts()} <= {"proved", "holds"}


def test_blocks_multiply_in_order() -> None:
    A, B, D = symbol("A", "m", "n"), symbol("B", "m", "p"), symbol("D", "q", "p")
    E, F = symbol("E", "n", "k"), symbol("F", "p", "k")
    left, right = block([[A, B], [zero("q", "n"), D]]), rows([E, F])
    found = derive(left @ right, by="blocks")
    assert str(found.result) == "[AE + BF; DF]"
    assert {verdict.kind for verdict in found.verdicts()} == {"proved"}
    assert str(derive(left.T, by="blocks").terms[1]) == "[A^T  0^T; B^T  D^T]"
    assert str(derive(columns([identity("n"), E]) @ rows([E, zero("k", "k")]), by="blocks").result) == "E"


def test_what_has_no_blocks_or_other_cuts_is_an_error() -> None:
    A, B = symbol("A", "m", "n"), symbol("B", "n", "k")
    with pytest.raises(UnsupportedError, match="matrices of blocks"):
        derive(A @ B, by="blocks")
    C, D = symbol("C", "n", "n"), symbol("D", "p", "n")
    with pytest.raises(ShapeError, match="cut at different places"):
        derive(columns([symbol("E", "m", "p"), symbol("F", "m", "n")]) @ rows([C, D]), by="blocks")


def test_stopping_at_a_form_that_never_comes_says_which_there_are() -> None:
    with pytest.raises(SymlinError, match="no step has the form 'dot'; there is sum"):
        derive(Q @ K.T, entry=(1, 2)).to("dot")


def run(*arguments: str) -> str:
    outcome = CliRunner().invoke(cli, ["derive", *arguments], catch_exceptions=False)
    assert outcome.exit_code == 0, outcome.output
    return outcome.output


@pytest.mark.parametrize(
    "options",
    [
        ("--entry", "i,j"),
        ("--row", "i"),
        ("--row", "i", "--as-column"),
        ("--column", "j"),
        *(("--by", view) for view in ("entries", "columns", "rows", "outer", "table")),
    ],
    ids=" ".join,
)
def test_every_view_in_every_format(options: tuple[str, ...]) -> None:
    for form in ("text", "latex", "markdown", "pretext"):
        assert run("AB", *options, "--format", form).strip()
    record = json.loads(run("AB", *options, "--format", "json"))
    assert record["start"] and record["steps"]
    assert all(step["verdict"] == "proved" for step in record["steps"])


def test_one_entry_in_three_forms_on_the_command_line() -> None:
    common = ("S_{24}", "--value", "S=QK^T", "--where", "Q, K: 5 x 3", "--format", "json")
    results = {
        form: json.loads(run(*common, "--through", form, "--to", form))["result"]
        for form in ("dot", "row-column", "sum")
    }
    assert results["dot"] == r"\mathbf{q}_2\cdot \mathbf{k}_4"
    assert results["sum"] == "q_{21}k_{41}+q_{22}k_{42}+q_{23}k_{43}"
    assert results["row-column"].startswith(r"\begin{bmatrix}q_{21} & q_{22} & q_{23}\end{bmatrix}")


def test_values_in_numbers_and_python() -> None:
    found = symlin.derive(
        "AB",
        by="columns",
        values=[r"A=\begin{bmatrix}1&2\end{bmatrix}", r"B=\begin{bmatrix}3&0\\4&1\end{bmatrix}"],
    )
    assert str(found.result) == "[11 2]"
    assert [str(work.result) for work in found.details] == ["11", "2"]
