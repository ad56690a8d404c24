"""What is written as PreTeXt is valid by PreTeXt's own schema."""

from __future__ import annotations

import importlib.util
import re
import zipfile
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import symlin
from symlin.write.result import render


@cache
def schema() -> Any:
    etree = pytest.importorskip("lxml.etree", reason="lxml is not installed: PreTeXt is not validated")
    spec = importlib.util.find_spec("pretext")
    if spec is None or not spec.submodule_search_locations:
        pytest.skip("pretext is not installed: PreTeXt is not validated (pip install --no-deps pretext)")
    core = Path(next(iter(spec.submodule_search_locations))) / "resources" / "core.zip"
    with zipfile.ZipFile(core) as archive:
        name = next(name for name in archive.namelist() if name.endswith("schema/pretext.rng"))
        text = archive.read(name).decode()
    # The parts for publication files are of no concern here, and lxml cannot load them from an archive.
    text = re.sub(r'<externalRef href="pf[^"]*"/>', "<notAllowed/>", text)
    return etree.RelaxNG(etree.fromstring(text.encode()))


def _assert_valid(fragment: str) -> None:
    rules = schema()
    from lxml import etree

    section = etree.fromstring(f'<section xml:id="s"><title>Title</title>{fragment}</section>')
    assert rules.validate(section), [str(error) for error in rules.error_log][:3]


@pytest.mark.parametrize(
    ("statement", "where"),
    [
        ("(AB)^T=B^TA^T", ()),
        ("AB=BA", ()),
        ("A(rB)=r(AB)=(rA)B", ()),
        ("2+3=5", ()),
        (r"A\ne A", ("A: 2 x 2",)),
    ],
)
def test_results(statement: str, where: tuple[str, ...]) -> None:
    _assert_valid(render(symlin.prove(statement, where=where), "pretext"))


@pytest.mark.parametrize("options", [{"entry": "i,j"}, {"by": "columns"}, {"by": "rows"}, {"by": "outer"}])
def test_derivations(options: dict[str, str]) -> None:
    _assert_valid(symlin.derive("AB", **options).render("pretext"))  # type: ignore[arg-type]


def test_the_schema_refuses_what_is_no_pretext() -> None:
    with pytest.raises(AssertionError):
        _assert_valid("<p><md><m>nested</m></md></p>")
