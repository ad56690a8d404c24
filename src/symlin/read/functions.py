r"""Named operators: ``\operatorname{tr}(A)``, ``\det A``, ``\operatorname{vec}``, ``\sqrt2``, ``\sum_{\ell=1}^n`` and fractions.

Offers `function_value`, `big_value`, `fraction_value` and `root_value`; rests on `scope`.  A function is one line of
the table; what is not in it is `unsupported` by name.
"""

from __future__ import annotations

from collections.abc import Callable

from symlin.dims import ONE, Dim
from symlin.errors import UnsupportedError
from symlin.read.names import index_dim
from symlin.read.products import in_range
from symlin.read.scope import Scope, Thing, Value
from symlin.read.syntax import BigOperator, Chain, Decorated, Fraction_, Function, Name, Node, Root
from symlin.shapes import Draft


def function_value(scope: Scope, node: Function) -> Value:
    """The value of a named operator and its arguments."""
    text = scope.text(node)
    if not node.arguments:
        return Thing(f"the operator {node.name} without an argument", text)
    if node.sub is not None:
        part = _row_or_column(scope, node, text)
        return part or Thing(f"the operator {node.name} with a subscript", text)
    handler = FUNCTIONS.get(node.name)
    if handler is None:
        return Thing(f"the operator {node.name}", text)
    drafts = [scope.draft(argument) for argument in node.arguments]
    result = handler(scope, node.name, drafts, text)
    if node.sup is not None:
        exponent = index_dim(node.sup)
        if exponent is None or exponent.constant is None or exponent.constant < 0:
            return Thing(f"the operator {node.name} with this superscript", text)
        return Draft("power", (result,), (exponent,), result.rows, result.cols, text)
    return result


def _row_or_column(scope: Scope, node: Function, text: str) -> Draft | None:
    r"""``\operatorname{row}_i(A)`` and ``\operatorname{col}_j(A)``."""
    index = index_dim(node.sub) if node.sub is not None else None
    if index is None or node.name not in ("row", "col") or len(node.arguments) != 1:
        return None
    scope.see_index(index)
    body = scope.draft(node.arguments[0])
    if node.name == "row":
        return Draft("row", (body,), (index,), ONE, body.cols, text)
    return Draft("column", (body,), (index,), body.rows, ONE, text)


def _one(name: str, drafts: list[Draft]) -> Draft:
    if len(drafts) != 1:
        raise UnsupportedError(f"{name} of {len(drafts)} arguments")
    return drafts[0]


def _of_square(op: str) -> Callable[[Scope, str, list[Draft], str], Draft]:
    def handler(scope: Scope, name: str, drafts: list[Draft], text: str) -> Draft:
        body = _one(name, drafts)
        scope.square(body, f"{name}")
        return Draft(op, (body,), (), ONE, ONE, text)

    return handler


def _vec(scope: Scope, name: str, drafts: list[Draft], text: str) -> Draft:
    body = _one(name, drafts)
    return Draft("vec", (body,), (), body.rows * body.cols, ONE, text)


def _diag(scope: Scope, name: str, drafts: list[Draft], text: str) -> Draft:
    if len(drafts) > 1:
        for draft in drafts:
            scope.need(draft, ONE, ONE, "the entries of a diagonal are scalars")
        count = Dim.of(len(drafts))
        column = Draft("literal", tuple(drafts), (len(drafts), 1), count, ONE, text)
        return Draft("diag", (column,), (), count, count, text)
    body = drafts[0]
    if scope.sizes.is_one(body.cols):
        return Draft("diag", (body,), (), body.rows, body.rows, text)
    scope.square(body, "the diagonal")
    return Draft("diagpart", (body,), (), body.rows, ONE, text)


def _softmax(scope: Scope, name: str, drafts: list[Draft], text: str) -> Draft:
    body = _one(name, drafts)
    return Draft("row_softmax", (body,), (), body.rows, body.cols, text)


def _scalar_of(label: str) -> Callable[[Scope, str, list[Draft], str], Draft]:
    def handler(scope: Scope, name: str, drafts: list[Draft], text: str) -> Draft:
        return Draft("scalar_function", tuple(drafts), (label,), ONE, ONE, text)

    return handler


def _entrywise(scope: Scope, name: str, drafts: list[Draft], text: str) -> Draft:
    body = _one(name, drafts)
    scope.need(body, ONE, ONE, f"{name} needs a scalar")
    return Draft("entrywise", (body,), (name,), ONE, ONE, text)


FUNCTIONS: dict[str, Callable[[Scope, str, list[Draft], str], Draft]] = {
    "tr": _of_square("trace"),
    "Tr": _of_square("trace"),
    "trace": _of_square("trace"),
    "det": _of_square("determinant"),
    "Det": _of_square("determinant"),
    "vec": _vec,
    "diag": _diag,
    "Diag": _diag,
    "softmax": _softmax,
    "rank": _scalar_of("rank"),
    "rk": _scalar_of("rank"),
    **dict.fromkeys(("sin", "cos", "tan", "exp", "log", "ln", "arcsin", "arccos", "arctan"), _entrywise),
}


ANALYSIS = frozenset({r"\int", r"\lim", r"\prod"})
"""Operators of scalars that our grammar leaves to latex2sympy2."""


def foreign_scalar(scope: Scope, node: Node, text: str) -> Draft:
    """A scalar beyond our grammar, read by latex2sympy2 and kept as one opaque SymPy object.

    Raises:
        UnsupportedError: the extra is not installed, or the piece is no scalar.
        ReadError: latex2sympy2 cannot read it faithfully.
    """
    from symlin.read.scalars import scalar_from_latex

    value = scalar_from_latex(scope.latex[node.span.start : node.span.end])
    return Draft("opaque", (), (value,), ONE, ONE, text)


def big_value(scope: Scope, node: BigOperator) -> Value:
    r"""``\sum_{\ell=1}^{n} body``; other big operators are named."""
    text = scope.text(node)
    if node.operator in ANALYSIS:
        return foreign_scalar(scope, node, text)
    if node.operator != r"\sum":
        return Thing(f"the operator {node.operator}", text)
    limits = _limits(node)
    if limits is None:
        return Thing("a sum whose index has no limits of the form i = a to b", text)
    letter, lo, hi = limits
    scope.see_index(lo)
    scope.see_index(hi)
    body = in_range(scope, letter, node.body, lo, hi)
    return Draft("sum", (body,), (letter, lo, hi), body.rows, body.cols, text)


def _limits(node: BigOperator) -> tuple[str, Dim, Dim] | None:
    lower = node.lower
    if not isinstance(lower, Chain) or node.upper is None or len(lower.operands) != 2:
        return None
    if lower.relations[0].sign != "=" or not isinstance(lower.operands[0], Name):
        return None
    letter = index_dim(lower.operands[0])
    lo, hi = index_dim(lower.operands[1]), index_dim(node.upper)
    if letter is None or letter.lone_symbol is None or lo is None or hi is None:
        return None
    return letter.lone_symbol, lo, hi


def fraction_value(scope: Scope, node: Fraction_) -> Value:
    """A fraction; its numerator may be a matrix, its denominator is a scalar."""
    top = scope.draft(node.numerator)
    if top.op == "late zero":
        scope.need(top, ONE, ONE, "a numerator 0 is the number 0")
    bottom = scope.scalar(node.denominator)
    form = "slash" if node.command == "/" else "frac"
    return Draft("divide", (top, bottom), (form,), top.rows, top.cols, scope.text(node))


def root_value(scope: Scope, node: Root) -> Value:
    """A root of a scalar; one of another degree than 2 is read by latex2sympy2."""
    if node.degree is not None:
        return foreign_scalar(scope, node, scope.text(node))
    body = scope.scalar(node.body)
    return Draft("entrywise", (body,), ("sqrt",), ONE, ONE, scope.text(node))


TRANSPARENT = frozenset(
    {"underbrace", "overbrace", "boxed", "fbox", "underline", "cancel", "bcancel", "smash", "mathstrut"}
)


def decorated_value(scope: Scope, node: Decorated) -> Value:
    """Something written over, under or round a node."""
    if node.decoration in TRANSPARENT:
        return scope.value(node.body)
    if node.decoration in ("overline", "bar"):
        body = scope.draft(node.body)
        return Draft("conjugate", (body,), (), body.rows, body.cols, scope.text(node))
    return Thing(f"the decoration {node.decoration}", scope.text(node))
