"""The examples of the pages on writing and deriving are run as they stand."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize("page", ["writing-latex.md", "deriving.md"])
def test_examples_of_a_page(page: str) -> None:
    if not (DOCS / page).exists():
        pytest.skip(f"docs/{page} is not here: the tests run without the sources of the documentation")
    result = doctest.testfile(str(DOCS / page), module_relative=False)
    assert result.attempted > 5
    assert result.failed == 0
