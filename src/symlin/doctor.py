"""Which optional parts are installed, and how to get the others.

Offers `findings`; rests on importlib's metadata only, so that asking imports nothing heavy.
"""

from __future__ import annotations

import importlib.metadata
import shutil
import sys
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """One part: whether it is there, and its version or how to get it."""

    name: str
    present: bool
    note: str


_PACKAGES = (
    ("sympy", "generic and explicit matrices to and from SymPy", "pip install symlin"),
    ("python-flint", "fast exact polynomials", "pip install symlin"),
    (
        "latex2sympy2",
        "scalars such as integrals and functions in formulas",
        "pip install 'symlin[latex2sympy2]'",
    ),
    ("nbclient", "running the notebooks in the tests", "pip install 'symlin[test]'"),
)
_PROGRAMS = (("coqc", "a second opinion on proofs", "apt-get install coq libcoq-mathcomp-algebra"),)


def findings() -> list[Finding]:
    """What is there and what is not.

    Examples:
        >>> any(finding.name == "sympy" for finding in findings())
        True
    """
    found = []
    for package, purpose, advice in _PACKAGES:
        try:
            version = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            if package == "latex2sympy2" and sys.version_info >= (3, 13):
                advice = "needs Python 3.12 or earlier: its parser runtime does not import on 3.13"
            found.append(Finding(package, False, f"{purpose}; {advice}"))
        else:
            found.append(Finding(package, True, f"{version}, {purpose}"))
    for program, purpose, advice in _PROGRAMS:
        path = shutil.which(program)
        note = purpose if path else f"{purpose}; {advice}"
        found.append(Finding(program, path is not None, note))
    return found
