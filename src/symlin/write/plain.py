"""Terms as one line of readable text.

Offers `plain`; rests on `term`.  Parentheses follow one table of precedences, and a Term too deep to read is cut
with an ellipsis rather than overflowing the stack.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import cast

from symlin.dims import Dim
from symlin.term import Term

SUM, PRODUCT, SIGN, POWER, ATOM = 1, 2, 3, 4, 5
DEPTH = 60
_GREEK = dict(
    zip(
        "alpha beta gamma delta epsilon varepsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau upsilon phi varphi "
        "chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega ell".split(),
        "αβγδϵεζηθικλμνξπρστυϕφχψωΓΔΘΛΞΠΣΥΦΨΩℓ",
        strict=True,
    )
)


def plain(term: Term) -> str:
    """A Term as readable text.

    Examples:
        >>> from symlin.construct import symbol, matmul, transpose
        >>> A, B = symbol("A", "m", "n"), symbol("B", "n", "k")
        >>> plain(transpose(A @ B)), plain((A + A) @ B), plain((A @ B)["i", "j"]), plain(A["i", "l"])
        ('(AB)^T', '(A + A)B', '(AB)_{ij}', 'a_{il}')
    """
    return _write(term, 0, 0)


def name_text(name: str) -> str:
    r"""A LaTeX name as text: ``\alpha`` is α, ``A_{\mathrm{att}}`` is A_att."""
    import re

    name = re.sub(r"\\(?:mathrm|text|mathcal|mathbb|mathbf|mathfrak|operatorname)\{([^{}]*)\}", r"\1", name)
    name = re.sub(r"\\([A-Za-z]+)\s?", lambda match: _GREEK.get(match.group(1), match.group(1)), name)
    return re.sub(r"_\{([^{}]*)\}", r"_\1", name)


def dim_text(dim: Dim) -> str:
    """A size or index as text."""
    return name_text(str(dim))


def _write(term: Term, around: int, depth: int) -> str:
    if depth > DEPTH:
        return "…"
    level, writer = _WRITERS[term.op]
    text = writer(term, depth + 1)
    if term.op == "number" and (text.startswith("-") or "/" in text):
        level = SUM if text.startswith("-") else PRODUCT
    return f"({text})" if level < around else text


def _symbol(term: Term, depth: int) -> str:
    return name_text(cast(str, term.data[0]))


def _number(term: Term, depth: int) -> str:
    value, decimals = cast("tuple[Fraction, int]", term.data)
    if decimals:
        scaled = value * 10**decimals
        digits = f"{abs(scaled.numerator):0{decimals + 1}d}"
        return f"{'-' if value < 0 else ''}{digits[:-decimals]}.{digits[-decimals:]}"
    return str(value)


def _size(term: Term, depth: int) -> str:
    return dim_text(cast(Dim, term.data[0]))


def _literal(term: Term, depth: int) -> str:
    width = cast(int, term.data[1])
    rows = [term.args[start : start + width] for start in range(0, len(term.args), width)]
    return "[" + "; ".join(" ".join(_write(cell, PRODUCT, depth) for cell in row) for row in rows) + "]"


def _add(term: Term, depth: int) -> str:
    text = ""
    for place, arg in enumerate(term.args):
        negative = arg.op == "neg"
        body = _write(arg.args[0], PRODUCT, depth) if negative else _write(arg, PRODUCT if place else SUM + 1, depth)
        if not negative and arg.op == "number" and cast(Fraction, arg.data[0]) < 0:
            body = f"({_number(arg, depth)})"
        if place:
            text += f" - {body}" if negative else f" + {body}"
        else:
            text = f"-{body}" if negative else body
    return text


def _neg(term: Term, depth: int) -> str:
    return f"-{_write(term.args[0], PRODUCT, depth)}"


def _scale(term: Term, depth: int) -> str:
    factor, body = term.args
    left, right = (factor, body) if term.data[0] == "left" else (body, factor)
    first = _write(left, PRODUCT, depth)
    second = _write(right, POWER if right.op in ("neg", "number") and left.op in ("number", "neg") else PRODUCT, depth)
    if right.op in ("neg", "number") and not second.startswith("("):
        second = f"({second})"
    return f"{first}{second}"


def _matmul(term: Term, depth: int) -> str:
    return "".join(_write(arg, POWER if arg.op in ("matmul", "scale") else PRODUCT + 1, depth) for arg in term.args)


def _divide(term: Term, depth: int) -> str:
    return f"{_write(term.args[0], PRODUCT, depth)}/{_write(term.args[1], POWER, depth)}"


def _postfix(mark: str) -> Callable[[Term, int], str]:
    return lambda term, depth: f"{_write(term.args[0], ATOM, depth)}{mark}"


def _power(term: Term, depth: int) -> str:
    exponent = dim_text(cast(Dim, term.data[0]))
    return f"{_write(term.args[0], ATOM, depth)}^{exponent if len(exponent) == 1 else '{' + exponent + '}'}"


def _call(name: str) -> Callable[[Term, int], str]:
    return lambda term, depth: f"{name}({', '.join(_write(arg, 0, depth) for arg in term.args)})"


def _infix(sign: str) -> Callable[[Term, int], str]:
    return lambda term, depth: sign.join(_write(arg, POWER if arg.op != "matmul" else SUM, depth) for arg in term.args)


def _lower(term: Term) -> str | None:
    """The letter of the entries of a plain matrix: a for A; None where there is no such letter."""
    if term.op != "symbol":
        return None
    name = cast(str, term.data[0])
    if len(name) == 1 and name.isupper():
        return name.lower()
    return None


def _indices(*dims: object) -> str:
    parts = [dim_text(cast(Dim, dim)) for dim in dims]
    joined = ("" if all(len(part) == 1 for part in parts) else ",").join(parts)
    return joined if len(joined) == 1 else "{" + joined + "}"


def _entry(term: Term, depth: int) -> str:
    base = term.args[0]
    i, j = term.data
    letter = _lower(base)
    if base.cols.constant == 1 and base.op == "symbol":
        return f"{_symbol(base, depth)}_{_indices(i)}"
    if letter is not None:
        return f"{letter}_{_indices(i, j)}"
    return f"{_write(base, ATOM, depth)}_{_indices(i, j)}"


def _row(term: Term, depth: int) -> str:
    return f"row_{_indices(term.data[0])}({_write(term.args[0], 0, depth)})"


def _column(term: Term, depth: int) -> str:
    letter = _lower(term.args[0])
    if letter is not None:
        return f"{letter}_{_indices(term.data[0])}"
    return f"column_{_indices(term.data[0])}({_write(term.args[0], 0, depth)})"


def _columns(term: Term, depth: int) -> str:
    return "[" + "  ".join(_write(arg, 0, depth) for arg in term.args) + "]"


def _rows(term: Term, depth: int) -> str:
    return "[" + "; ".join(_write(arg, 0, depth) for arg in term.args) + "]"


def _block(term: Term, depth: int) -> str:
    width = cast(int, term.data[1])
    lines = [term.args[start : start + width] for start in range(0, len(term.args), width)]
    return "[" + "; ".join("  ".join(_write(arg, 0, depth) for arg in line) for line in lines) + "]"


def _family(between: str) -> Callable[[Term, int], str]:
    def write(term: Term, depth: int) -> str:
        from symlin.term import substitute

        index, lo, hi = cast("tuple[str, Dim, Dim]", term.data)
        (body,) = term.args
        first, last = (substitute(body, {}, {index: at}) for at in (lo, hi))
        return f"[{_write(first, 0, depth)}{between}…{between}{_write(last, 0, depth)}]"

    return write


def _sum(term: Term, depth: int) -> str:
    index, lo, hi = cast("tuple[str, Dim, Dim]", term.data)
    return f"Σ_{{{name_text(index)}={dim_text(lo)}}}^{{{dim_text(hi)}}} {_write(term.args[0], PRODUCT, depth)}"


def _apply(term: Term, depth: int) -> str:
    return f"{name_text(cast(str, term.data[0]))}({_write(term.args[0], 0, depth)})"


def _named(term: Term, depth: int) -> str:
    inner = ", ".join(_write(arg, 0, depth) for arg in term.args)
    return f"{term.data[0]}({inner})"


_WRITERS: dict[str, tuple[int, Callable[[Term, int], str]]] = {
    "symbol": (ATOM, _symbol),
    "number": (ATOM, _number),
    "size": (ATOM, _size),
    "opaque": (ATOM, lambda term, depth: str(term.data[0])),
    "literal": (ATOM, _literal),
    "identity": (ATOM, lambda term, depth: f"I_{_indices(term.data[0])}"),
    "zero": (ATOM, lambda term, depth: "0"),
    "ones": (ATOM, lambda term, depth: "𝟏" if cast(Dim, term.data[1]).constant == 1 else "ones"),
    "unit": (ATOM, lambda term, depth: f"e_{_indices(term.data[0])}"),
    "permutation": (ATOM, lambda term, depth: f"P{term.data[0]}"),
    "add": (SUM, _add),
    "neg": (SUM, _neg),
    "scale": (PRODUCT, _scale),
    "divide": (PRODUCT, _divide),
    "matmul": (PRODUCT, _matmul),
    "power": (POWER, _power),
    "transpose": (POWER, _postfix("^T")),
    "conjugate": (POWER, _postfix("^*")),
    "adjoint": (POWER, _postfix("^H")),
    "inverse": (POWER, _postfix("^{-1}")),
    "pseudoinverse": (POWER, _postfix("^+")),
    "trace": (ATOM, _call("tr")),
    "determinant": (ATOM, _call("det")),
    "dot": (PRODUCT, _infix("·")),
    "hadamard": (PRODUCT, _infix("∘")),
    "kronecker": (PRODUCT, _infix("⊗")),
    "diag": (ATOM, _call("diag")),
    "diagpart": (ATOM, _call("diagonal")),
    "vec": (ATOM, _call("vec")),
    "entry": (ATOM, _entry),
    "row": (ATOM, _row),
    "column": (ATOM, _column),
    "columns": (ATOM, _columns),
    "rows": (ATOM, _rows),
    "column_family": (ATOM, _family(" ")),
    "row_family": (ATOM, _family("; ")),
    "block": (ATOM, _block),
    "sum": (SUM, _sum),
    "apply": (ATOM, _apply),
    "entrywise": (ATOM, _named),
    "row_softmax": (ATOM, _call("softmax")),
    "scalar_function": (ATOM, _named),
}
