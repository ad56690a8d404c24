"""The notebooks run from top to bottom in a real Jupyter kernel, and show what they promise."""

from pathlib import Path
from typing import Any

import pytest

NOTEBOOKS = sorted((Path(__file__).parent.parent / "notebooks").glob("*.ipynb"))


def run(path: Path) -> Any:
    nbclient = pytest.importorskip("nbclient", reason="needs nbclient: pip install 'symlin[test]'")
    nbformat = pytest.importorskip("nbformat", reason="needs nbformat: pip install 'symlin[test]'")
    notebook = nbformat.read(path, as_version=4)
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    return notebook


def outputs(notebook: Any, kind: str) -> list[str]:
    return [
        str(output["data"][kind])
        for cell in notebook.cells
        if cell.cell_type == "code"
        for output in cell.outputs
        if kind in output.get("data", {})
    ]


def test_there_are_notebooks() -> None:
    assert [path.name for path in NOTEBOOKS] == ["theorem_1_4_3.ipynb"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_and_shows_mathematics(path: Path) -> None:
    notebook = run(path)
    formulas = outputs(notebook, "text/latex")
    texts = outputs(notebook, "text/plain")
    assert sum("proved" in text for text in texts) >= 5
    assert sum("refuted" in text for text in texts) >= 4
    assert any(r"\sum_{\ell=1}^{n}" in formula or r"\sum_{\ell=1}^n" in formula for formula in formulas)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            assert not any(output.output_type == "error" for output in cell.outputs)
