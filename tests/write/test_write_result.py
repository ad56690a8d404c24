"""Results of proofs in every format, from records made by hand."""

from __future__ import annotations

import json
from dataclasses import dataclass
from fractions import Fraction

import pytest

from symlin.construct import identity, matmul, symbol
from symlin.decide.verdict import Counterexample, Explanation, Proof, Step, Steps, Verdict
from symlin.errors import SymlinError
from symlin.statement import Statement
from symlin.term import Shape
from symlin.write.exposition import Chain, Exposition, Line, Prose, escape_latex, escape_xml, render
from symlin.write.formats import write_as
from symlin.write.result import render as render_result
from symlin.write.result import result_latex, result_record, result_text

A, B = symbol("A", "m", "n"), symbol("B", "n", "k")
S, T = symbol("S", "n", "n"), symbol("T", "n", "n")


@dataclass(frozen=True)
class Result:
    """The fields of a result."""

    source: str
    verdicts: tuple[Verdict, ...]
    shapes: tuple[tuple[str, Shape], ...] = ()
    constraints: tuple[str, ...] = ()

    @property
    def verdict(self) -> str:
        return self.verdicts[0].kind

    @property
    def reason(self) -> str:
        return self.verdicts[0].reason

    @property
    def counterexample(self) -> Counterexample | None:
        return self.verdicts[0].counterexample


def _proved(statement: Statement, *steps: Step, engine: str = "words", **more: object) -> Result:
    proof = Proof(statement, engine, Explanation(lambda: Steps(steps)), **more)  # type: ignore[arg-type]
    return Result(str(statement), (Verdict("proved", statement, proof=proof),))


BY_TRANSPOSING = _proved(
    (S + S.T).T.eq(S + S.T),
    Step((S + S.T).T, S.T + S.T.T, "raddfD", "the transpose of a sum is the sum of the transposes"),
    Step(S.T + S.T.T, S.T + S, "trmxK", "transposing twice gives the matrix back"),
    Step(S.T + S, S + S.T, "addrC", "sums commute"),
)
ONE, NULL = Fraction(1), Fraction(0)
REFUTED = Result(
    "ST=TS",
    (
        Verdict(
            "refuted",
            (S @ T).eq(T @ S),
            "it fails",
            counterexample=Counterexample(
                {S: ((NULL, ONE), (NULL, NULL)), T: ((NULL, NULL), (ONE, NULL))},
                {"n": 2},
                ((ONE, NULL), (NULL, NULL)),
                ((NULL, NULL), (NULL, ONE)),
                (1, 1),
                "smaller sizes were searched",
            ),
        ),
    ),
)


def test_proof_as_text() -> None:
    assert result_text(BY_TRANSPOSING) == (
        "Proved: (S + S^T)^T = S + S^T for all values and all sizes that fit.\n\n"
        "Here S is n×n.\n\n"
        "(S + S^T)^T = S^T + (S^T)^T    the transpose of a sum is the sum of the transposes\n"
        "            = S^T + S          transposing twice gives the matrix back\n"
        "            = S + S^T          sums commute"
    )


def test_proof_as_latex() -> None:
    assert render_result(BY_TRANSPOSING, "latex") == (
        "Proved: \\((S+S^T)^T=S+S^T\\) for all values and all sizes that fit.\n\n"
        "Here \\(S\\) is \\(n\\times n\\).\n\n"
        "\\begin{align*}\n"
        "(S+S^T)^T &= S^T+(S^T)^T && \\text{the transpose of a sum is the sum of the transposes} \\\\\n"
        "&= S^T+S && \\text{transposing twice gives the matrix back} \\\\\n"
        "&= S+S^T && \\text{sums commute}\n"
        "\\end{align*}"
    )


def test_proof_as_markdown() -> None:
    text = render_result(BY_TRANSPOSING, "markdown")
    assert text.startswith("Proved: $(S+S^T)^T=S+S^T$ for all values")
    assert "$$\n\\begin{aligned}\n(S+S^T)^T &= S^T+(S^T)^T && \\text{" in text
    assert text.endswith("\\end{aligned}\n$$")


def test_proof_as_pretext() -> None:
    assert render_result(BY_TRANSPOSING, "pretext") == (
        "<p>\n  Proved: <m>(S+S^T)^T=S+S^T</m> for all values and all sizes that fit.\n</p>\n"
        "<p>\n  Here <m>S</m> is <m>n\\times n</m>.\n"
        '  <md alignment="align">\n'
        "    <mrow>(S+S^T)^T \\amp= S^T+(S^T)^T \\amp\\amp \\text{the transpose of a sum is the sum of the transposes}</mrow>\n"
        "    <mrow>\\amp= S^T+S \\amp\\amp \\text{transposing twice gives the matrix back}</mrow>\n"
        "    <mrow>\\amp= S+S^T \\amp\\amp \\text{sums commute}</mrow>\n"
        "  </md>\n</p>"
    )


def test_entries_are_shown_for_an_entries_proof() -> None:
    result = _proved((A @ B).T.eq(B.T @ A.T), engine="entries")
    assert result_text(result).splitlines()[2:] == [
        "Here A is m×n, B is n×k.",
        "",
        "((AB)^T)_{ij} = (AB)_{ji}                            a transpose exchanges rows and columns",
        "              = Σ_{ℓ=1}^{n} a_{jℓ} b_{ℓi}            an entry of a product is row times column",
        "              = Σ_{ℓ=1}^{n} b_{ℓi} a_{jℓ}            numbers commute",
        "              = Σ_{ℓ=1}^{n} (B^T)_{iℓ} (A^T)_{ℓj}    a transpose exchanges rows and columns",
        "              = (B^TA^T)_{ij}                        an entry of a product is row times column",
    ]


def test_counterexample_as_text() -> None:
    assert result_text(REFUTED) == (
        "Refuted: ST = TS is not true in general.\n\n"
        "Here S and T are n×n.\n\n"
        "S = [0 1; 0 0]\n\n"
        "T = [0 0; 1 0]\n\n"
        "Then the two sides are\n\n"
        "ST = [1 0; 0 0]\n\n"
        "TS = [0 0; 0 1]\n\n"
        "They differ first in entry (1, 1): 1 on the left, 0 on the right.\n\n"
        "Smaller sizes were searched."
    )


def test_counterexample_as_latex_for_a_notebook() -> None:
    assert result_latex(REFUTED) == (
        "$$\\begin{aligned}\n"
        "S &= \\begin{bmatrix}0 & 1\\\\0 & 0\\end{bmatrix} \\\\\n"
        "T &= \\begin{bmatrix}0 & 0\\\\1 & 0\\end{bmatrix} \\\\\n"
        "ST &= \\begin{bmatrix}1 & 0\\\\0 & 0\\end{bmatrix} \\\\\n"
        "TS &= \\begin{bmatrix}0 & 0\\\\0 & 1\\end{bmatrix}\n"
        "\\end{aligned}$$"
    )


def test_what_was_used_is_named() -> None:
    exists = matmul(S, S.inv).eq(identity("n"))
    result = _proved(
        (S @ S.inv).eq(identity("n")), hypotheses=(exists,), axioms=("real",), trusted=("numeric",)
    )
    text = result_text(result)
    assert "Used: S^{-1} exists." in text
    assert "Axioms: real." in text
    assert "Trusted: exact arithmetic with numbers." in text


def test_undecided_says_why() -> None:
    result = Result("A", (Verdict("unknown", S.eq(T), "the budget was spent"),))
    assert result_text(result) == "Not decided: S = T.\n\nHere S and T are n×n.\n\nThe budget was spent."


def test_record_of_a_refutation() -> None:
    record = result_record(REFUTED)
    assert record["verdict"] == "refuted" and record["statement"] == "ST=TS"
    assert record["counterexample"] == {
        "values": {"S": [["0", "1"], ["0", "0"]], "T": [["0", "0"], ["1", "0"]]},
        "sizes": {"n": 2},
        "lhs": [["1", "0"], ["0", "0"]],
        "rhs": [["0", "0"], ["0", "1"]],
        "place": [1, 1],
        "smallest": "smaller sizes were searched",
    }
    assert json.loads(json.dumps(record)) == record


def test_record_of_a_proof() -> None:
    record = result_record(BY_TRANSPOSING)
    assert record["verdict"] == "proved"
    assert record["steps"][0] == {
        "lhs": "(S+S^T)^T",
        "rhs": "S^T+(S^T)^T",
        "rule": "raddfD",
        "reason": "the transpose of a sum is the sum of the transposes",
    }


def test_unknown_forms_are_refused() -> None:
    with pytest.raises(SymlinError, match="'html' is no form; use one of text, latex, markdown, pretext"):
        render_result(BY_TRANSPOSING, "html")
    with pytest.raises(SymlinError, match="'html' is no form; use one of latex, text, markdown, pretext"):
        write_as(A, "html")


def test_write_as_takes_what_has_a_meaning() -> None:
    assert write_as(A.T, "pretext") == "<m>A^T</m>"
    assert write_as(Statement(S, T, "<"), "pretext") == r"<m>S\lt T</m>"
    assert write_as(3) == "3"
    assert write_as(BY_TRANSPOSING, "text").startswith("Proved:")


def test_words_are_escaped() -> None:
    assert escape_latex("50% of A_1 & m×n") == r"50\% of A\_1 \& m$\times$n"
    assert escape_xml("a < b & c") == "a &lt; b &amp; c"
    shown = Exposition((Prose(("a < b",)), Chain(S, (Line(T, "100% sure"),))))
    assert "a &lt; b" in render(shown, "pretext")
    assert r"\text{100\% sure}" in render(shown, "latex")
