"""The adapter to latex2sympy2 passes on what was written, and nothing else."""

import importlib
import sys
from typing import Any

import pytest

from symlin import read
from symlin.errors import ReadError, UnsupportedError
from symlin.read.scalars import scalar_from_latex

installed = pytest.mark.skipif(
    importlib.util.find_spec("latex2sympy2") is None,
    reason="latex2sympy2 is not installed: pip install 'symlin[latex2sympy2]'",
)


@installed
@pytest.mark.parametrize(
    ("latex", "text"),
    [
        (r"\int_0^1 x^2 dx", "Integral(x**2, (x, 0, 1))"),
        (r"\sqrt[3]{2}", "2**(1/3)"),
        (r"\frac{\sin\theta}{\theta}", "sin(theta)/theta"),
        (r"e^{x}", "exp(x)"),
        (r"x_1+x_2", "x_1 + x_2"),
    ],
)
def test_scalars(latex: str, text: str) -> None:
    assert str(scalar_from_latex(latex)) == text


@pytest.mark.parametrize(
    ("latex", "what"),
    [
        ("x=5", "a relation"),
        ("S=QK^T", "a relation"),
        (r"\begin{bmatrix}1\end{bmatrix}", "a matrix or several lines"),
        ("QK^T", "a transpose"),
        (r"\mathbf{x}+1", "a vector or a set"),
        (r"\operatorname{tr}(A)", "words"),
        (r"1+2+\cdots+n", "an ellipsis"),
        (r"x\to 2", "an arrow"),
    ],
)
def test_what_it_would_change_is_refused(latex: str, what: str) -> None:
    with pytest.raises(UnsupportedError) as caught:
        scalar_from_latex(latex)
    assert str(caught.value) == f"{latex}: {what} is no scalar for latex2sympy2"


class Stub:
    """Stands in for the package, to answer what no release should answer."""

    variances: Any = {"x": 5}
    var: Any = {"x": 5}
    VARIABLE_VALUES: Any = {"x": 5}
    is_real: Any = None

    def __init__(self, answer: Any) -> None:
        self.answer = answer
        self.seen: Any = None

    def latex2sympy(self, latex: str) -> Any:
        self.seen = (dict(self.variances), dict(self.var))
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


def test_module_state_is_cleared_before_a_call(monkeypatch: pytest.MonkeyPatch) -> None:
    import sympy

    stub = Stub(sympy.Symbol("x") + 1)
    monkeypatch.setitem(sys.modules, "latex2sympy2", stub)  # type: ignore[arg-type]
    scalar_from_latex("x+1")
    assert stub.seen == ({}, {})


@pytest.mark.parametrize(
    ("latex", "answer", "why"),
    [
        ("x+y", "x", "latex2sympy2 drops y"),
        ("x", "x+y", "latex2sympy2 invents y"),
        ("2x+7", "2*x", "latex2sympy2 drops 7"),
        ("x", [], "what came back is no scalar"),
        ("x", ValueError("boom"), "latex2sympy2 cannot read it (ValueError)"),
    ],
)
def test_a_result_that_is_not_what_was_written_is_refused(
    latex: str, answer: Any, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    import sympy

    x, y = sympy.symbols("x y")
    value = {"x": x, "x+y": x + y, "2*x": 2 * x}.get(answer, answer) if isinstance(answer, str) else answer
    monkeypatch.setitem(sys.modules, "latex2sympy2", Stub(value))  # type: ignore[arg-type]
    with pytest.raises(ReadError) as caught:
        scalar_from_latex(latex)
    assert f"{latex!r} is not read as a scalar: {why}" in str(caught.value)


def test_absence_costs_only_these_scalars(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "latex2sympy2", None)
    with pytest.raises(UnsupportedError, match="latex2sympy2 is not installed"):
        read(r"\int_0^1 x\,dx")
    assert str(read("AB")) == "AB"


@installed
def test_the_reader_asks_for_what_its_grammar_lacks() -> None:
    term = read(r"\sqrt[3]{2}")
    assert term.op == "opaque"
    assert str(term.data[0]) == "2**(1/3)"
