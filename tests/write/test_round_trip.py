"""The law of the writer: what it writes, read with the declarations it returns, is the same Term."""

from __future__ import annotations

import sys
from pathlib import Path

from hypothesis import HealthCheck, given, settings

import symlin
from symlin.term import Term
from symlin.write.latex import latex_with_declarations

sys.path.insert(0, str(Path(__file__).parent))
from normal_terms import normal_terms


@settings(max_examples=400, deadline=None, suppress_health_check=list(HealthCheck))
@given(normal_terms())
def test_written_and_read_is_the_same_term(term: Term) -> None:
    text, where = latex_with_declarations(term)
    found = symlin.read(text, where=where)
    assert found is term, f"{text}  {where}\n{found!r} for {term!r}"
