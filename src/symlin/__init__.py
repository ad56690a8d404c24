"""symlin: a compiler and a test suite for the mathematics of a linear-algebra text.

Offers the verbs `check`, `prove`, `derive`, `shapes`, `read`, `write`, the generic objects `matrix`, `vector`, `scalar`,
and the types they return; every name is imported when first used, so that `import symlin` is fast.
"""

from __future__ import annotations

import importlib
import sys
from types import ModuleType
from typing import Any

__version__ = "0.1.0"

_PUBLIC = {
    # verbs
    "check": "symlin.verbs",
    "derive": "symlin.verbs",
    "prove": "symlin.verbs",
    "read": "symlin.verbs",
    "shapes": "symlin.verbs",
    "write": "symlin.verbs",
    # generic objects
    "matrix": "symlin.verbs",
    "scalar": "symlin.verbs",
    "vector": "symlin.verbs",
    # types
    "Dim": "symlin.dims",
    "Statement": "symlin.statement",
    "Term": "symlin.term",
    # errors
    "BudgetError": "symlin.errors",
    "ProofError": "symlin.errors",
    "ReadError": "symlin.errors",
    "ShapeError": "symlin.errors",
    "SymlinError": "symlin.errors",
    "UnsupportedError": "symlin.errors",
}

__all__ = sorted(_PUBLIC)


def __getattr__(name: str) -> Any:
    home = _PUBLIC.get(name)
    if home is None:
        raise AttributeError(f"module 'symlin' has no attribute {name!r}")
    value = getattr(importlib.import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_PUBLIC})


class _Package(ModuleType):
    """Keeps the verbs callable: importing the submodule symlin.check must not hide the function symlin.check."""

    def __setattr__(self, name: str, value: object) -> None:
        if isinstance(value, ModuleType) and name in _PUBLIC:
            return
        super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
