r"""The one door to latex2sympy2: scalars that our own grammar does not cover.

Offers `scalar_from_latex`; rests on the extra ``latex2sympy2``, imported when first asked.  It clears the package's
module state, guards its failures, and refuses a result that is not made of exactly what was written.
"""

from __future__ import annotations

import importlib
import re
import sys
from collections import Counter
from typing import Any

from symlin.errors import Place, ReadError, UnsupportedError

_REFUSED = (
    (re.compile(r"=|\\neq?(?![A-Za-z])|<|>|\\le|\\ge|\\approx|\\in(?![A-Za-z])|\\gets"), "a relation"),
    (re.compile(r"^(?!.*\\lim).*\\to(?![A-Za-z])"), "an arrow"),
    (re.compile(r"\\begin|\\end|&|\\\\"), "a matrix or several lines"),
    (re.compile(r"\^\s*\{?\s*(?:T|\\top|\\mathsf|\\mathrm|\\dagger|\*)"), "a transpose"),
    (re.compile(r"\\math(?:bf|bb|cal|frak)|\\boldsymbol|\\vec"), "a vector or a set"),
    (re.compile(r"_\s*\{[^{}]*,"), "several indices"),
    (re.compile(r"\\text|\\mbox|\\operatorname|\\det|\\max|\\min"), "words"),
    (re.compile(r"\.\.|\\[lcvd]?dots"), "an ellipsis"),
)
_NAME = re.compile(r"\\[A-Za-z]+|[A-Za-z](?:_(?:\{[^{}]*\}|[A-Za-z0-9]))?")
_WORDS = frozenset(
    r"\frac \dfrac \tfrac \sqrt \sin \cos \tan \cot \sec \csc \arcsin \arccos \arctan \sinh \cosh \tanh \exp \ln \log \int "
    r"\sum \prod \lim \left \right \cdot \times \div \pi \infty \, \; \! \quad \mathrm \limits \displaystyle \binom".split()
)
LIMIT = 2_000


def scalar_from_latex(latex: str) -> Any:
    r"""The SymPy expression that a scalar piece of LaTeX means.

    Args:
        latex: functions, roots, integrals, sums of scalars; no relation, no matrix, no words.

    Raises:
        UnsupportedError: the extra is not installed (with the command that installs it), or the piece is no scalar.
        ReadError: it cannot be read, or what came back is not what was written.

    Examples:
        >>> scalar_from_latex(r"S=QK^T")
        Traceback (most recent call last):
        symlin.errors.UnsupportedError: S=QK^T: a relation is no scalar for latex2sympy2
    """
    for pattern, what in _REFUSED:
        if pattern.search(latex):
            raise UnsupportedError(what, f"{latex}: {what} is no scalar for latex2sympy2")
    if len(latex) > LIMIT:
        raise UnsupportedError("a scalar of this length", f"a scalar of more than {LIMIT:,} characters")
    package = _package()
    try:
        value = _call(package, latex)
    except (KeyboardInterrupt, MemoryError):
        raise
    except Exception as error:
        # The package raises whatever its parser runtime or SymPy raises; none of it is meant for a reader.
        raise _refusal(latex, f"latex2sympy2 cannot read it ({type(error).__name__})") from None
    return _audited(latex, value)


def _package() -> Any:
    try:
        return importlib.import_module("latex2sympy2")
    except ImportError:
        advice = "pip install 'symlin[latex2sympy2]'"
        if sys.version_info >= (3, 13):
            advice = "its parser runtime does not import on Python 3.13; use 3.12 or earlier"
        raise UnsupportedError(
            "a scalar that needs latex2sympy2", f"latex2sympy2 is not installed: {advice}"
        ) from None


def _call(package: Any, latex: str) -> Any:
    """One call with the module's memory of earlier calls cleared before and after."""
    state: dict[str, Any] = {"variances": {}, "var": {}, "VARIABLE_VALUES": {}, "is_real": None}
    for name, empty in state.items():
        setattr(package, name, empty)
    try:
        return package.latex2sympy(latex)
    finally:
        for name in ("variances", "var", "VARIABLE_VALUES"):
            setattr(package, name, {})


def _audited(latex: str, value: Any) -> Any:
    """The value, if every letter and numeral of the input is in it and no other."""
    sympy = importlib.import_module("sympy")
    if not isinstance(value, sympy.Expr) or getattr(value, "is_Matrix", False):
        raise _refusal(latex, "what came back is no scalar")
    written = Counter(_letters(latex))
    found = {
        str(symbol).replace("\\", "").replace("{", "").replace("}", "")
        for symbol in value.atoms(sympy.Symbol)
    }
    wanted = {name.replace("\\", "").replace("{", "").replace("}", "") for name in written}
    wanted -= {"e", "i", "d"}  # constants and the d of an integral
    missing = {name for name in wanted if name not in found and f"d{name}" not in found}
    extra = {name for name in found if name not in wanted and name not in ("e", "i", "d")}
    if missing or extra:
        names = ", ".join(sorted(missing or extra))
        raise _refusal(latex, f"latex2sympy2 {'drops' if missing else 'invents'} {names}")
    bare = re.sub(r"(?<!\\log)_(?:\{[^{}]*\}|\w)", " ", latex)
    numerals = {text for text in re.findall(r"\d+(?:\.\d+)?", bare) if text not in ("0", "1")}
    shown = {str(abs(int(n))) for number in value.atoms(sympy.Rational) for n in (number.p, number.q)}
    lost = {text for text in numerals if "." not in text and text not in shown and not _absorbed(text, shown)}
    if lost and not value.atoms(sympy.Float):
        if not value.free_symbols and value.is_number:
            return value  # a closed number may be written with other numerals
        raise _refusal(latex, f"latex2sympy2 drops {', '.join(sorted(lost))}")
    return value


def _absorbed(text: str, shown: set[str]) -> bool:
    """Whether a numeral may stand in a product with another (2·3x is 6x)."""
    return any(int(other) % int(text) == 0 for other in shown if int(other))


def _letters(latex: str) -> list[str]:
    return [name for name in _NAME.findall(latex) if name.split("_")[0] not in _WORDS]


def _refusal(latex: str, why: str) -> ReadError:
    return ReadError(f"{latex!r} is not read as a scalar: {why}", Place(latex, 0, max(1, len(latex))))
