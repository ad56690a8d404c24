"""Alterations of other kinds: each is refuted at its formula, with the place and the right value, and nothing else is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from symlin.check import Row, check_document
from symlin.read.sources import read_document

EXAMPLE = Path(__file__).parent.parent / "examples" / "matrix-products.ptx"


def compare(before: list[Row], after: list[Row]) -> list[tuple[int, Row]]:
    assert len(before) == len(after)
    return [
        (place, new)
        for place, (old, new) in enumerate(zip(before, after, strict=True))
        if old.verdict != new.verdict
    ]


# what stands in our example section, what it becomes, and what the message must say
EXAMPLE_ALTERATIONS = [
    (r"\begin{bmatrix}-1 \amp -5\\13 \amp 17\end{bmatrix}", r"\begin{bmatrix}-1 \amp 5\\13 \amp 17\end{bmatrix}", "its entry (1, 2) is -5, but the right side has 5"),
    (r"A\mathbf{b}_1 \amp A\mathbf{b}_2 \amp \cdots", r"A\mathbf{b}_1 \amp \mathbf{b}_2 \amp \cdots", "stands where the pattern of the other members has Ab_2"),
    (r"\mathbf{b}_2=(-2,5,1)", r"\mathbf{b}_2=(-2,1,5)", "b_2 is [-2; 5; 1]: its entry (2, 1) is 5"),
    (r"\sum_{\ell=1}^{n}a_{i\ell}b_{\ell j}", r"\sum_{\ell=1}^{k}a_{i\ell}b_{\ell j}", "it fails for"),
    (r"\sum_{\ell=1}^{n}a_{i\ell}b_{\ell j}", r"\sum_{\ell=1}^{n}a_{i\ell}b_{i\ell}", "it fails for"),
    ("(-3)(4)+2(-1)=-14", "(-3)(4)+2(-1)=-10", "is -14, but the right side is -10"),
    ("(-3)(4)+2(-1)=-14", "(-3)(4)-2(-1)=-14", "is -14, but the right side is -10"),
    ("A(BC)=(AB)C", "A(BC)=(BA)C", "it fails for"),
    ("(A+B)C=AC+BC", "(A+B)C=CA+CB", "it fails for"),
    ("A(rB)=r(AB)=(rA)B", "A(rB)=r(BA)=(rA)B", "it fails for"),
    ("(AB)^T=B^TA^T", "(AB)^T=BA^T", "it fails for"),
    (r"=(AB)\mathbf{x}", r"=(BA)\mathbf{x}", "it fails for"),
    (r"RP=\begin{bmatrix}0 \amp 1\\1 \amp 0\end{bmatrix}", r"RP=\begin{bmatrix}0 \amp -1\\-1 \amp 0\end{bmatrix}", "its entry (1, 2) is 1, but the right side has -1"),
    (r"S_{ij}=\mathbf{q}_i\cdot\mathbf{k}_j", r"S_{ij}=\mathbf{q}_j\cdot\mathbf{k}_i", "it fails for"),
    (r"are all <m>3\times 2</m>", r"are all <m>3\times 4</m>", "shape: Q is 3×2, not 3×4"),
    (r"K^T\in\mathbb R^{2\times 3}", r"K^T\in\mathbb R^{3\times 2}", "shape: K^T is 2×3, not 3×2"),
    (r"<m>S</m> is <m>3\times 3</m>", r"<m>S</m> is <m>2\times 2</m>", "shape: S is 3×3, not 2×2"),
    (r"+\alpha_{i3}\mathbf{v}_3^T", r"+\alpha_{i3}\mathbf{v}_2^T", "it fails for"),
    (r"+\alpha_{i3}\mathbf{v}_3^T", "", "it fails for"),
    (r"is the <m>m\times k</m> matrix", r"is the <m>k\times m</m> matrix", "shape: AB is m×k, not k×m"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "message"), EXAMPLE_ALTERATIONS, ids=range(len(EXAMPLE_ALTERATIONS)))
def test_an_altered_example(old: str, new: str, message: str) -> None:
    text = EXAMPLE.read_text(encoding="utf-8")
    assert text.count(old) == 1
    before = check_document(read_document("example.ptx", text=text))
    after = check_document(read_document("example.ptx", text=text.replace(old, new)))
    changed = compare(before, after)
    assert [row.verdict for _, row in changed] == ["refuted"], changed
    assert message in changed[0][1].reason


# formula of the reference section, a part of it, what that becomes
REFERENCE_ALTERATIONS = [
    ("F011", r"A\mathbf{b}_2", r"\mathbf{b}_2"),
    ("F015", "-2", "2"),
    ("F016", "(1,-6,0)", "(5,-2,-1)"),
    ("F028", "{n}", "{k}"),
    ("F036", "4(-1)", "4(1)"),
    ("F039", "(AB)C", "(BA)C"),
    ("F041", "CA+CB", "AC+CB"),
    ("F042", "(rA)B", "(rB)A"),
    ("F048", "(AB)", "(BA)"),
    ("F059", "2", "3"),
    ("F060", "4", "2"),
    ("F090", r"\mathbf{k}_2", r"\mathbf{q}_2"),
    ("F091", r"\mathbf{q}_2\cdot \mathbf{k}_1", r"\mathbf{q}_1\cdot \mathbf{k}_1"),
    ("F114", r"5\times 3", r"5\times 4"),
    ("F117", r"5\times 5", r"3\times 3"),
    ("F127", "+q_{23}k_{43}", ""),
    ("F128", r"\mathbf{k}_4", r"\mathbf{k}_3"),
    ("F154", r"\mathbf{v}_2^T", r"\mathbf{v}_1^T"),
    ("F155", r"\alpha_{i2}", r"\alpha_{2i}"),
    ("F179", r"4\times 2", r"4\times 3"),
    ("F184", r"2\times 4", r"4\times 2"),
    ("F199", r"4\times 2", r"4\times 4"),
    ("F198", r"A_{\mathrm{att}}V", r"VA_{\mathrm{att}}"),
    ("F202", r"\alpha_{i3}\mathbf{v}_3", r"\alpha_{i3}\mathbf{v}_4"),
    ("F207", r"\frac12", r"\frac13"),
]


@pytest.mark.parametrize(("name", "old", "new"), REFERENCE_ALTERATIONS, ids=lambda value: str(value)[:20])
def test_an_altered_reference_section(name: str, old: str, new: str, shared: Path) -> None:
    text = (shared / "seed" / "section-1.4.txt").read_text(encoding="utf-8")
    formulas = (shared / "seed" / "formulas.jsonl").read_text(encoding="utf-8").splitlines()
    formula = next(one for one in map(json.loads, formulas) if one["id"] == name)
    start = sum(len(line) + 1 for line in text.split("\n")[: formula["line"] - 1])
    at = text.index(formula["latex"], start)
    assert old in formula["latex"]
    latex = formula["latex"].replace(old, new, 1)
    before = check_document(read_document("section.txt", text=text))
    after = check_document(
        read_document("section.txt", text=text[:at] + latex + text[at + len(formula["latex"]) :])
    )
    changed = compare(before, after)
    assert [(place, row.verdict) for place, row in changed] == [(int(name[1:]) - 1, "refuted")], changed
    assert changed[0][1].reason
