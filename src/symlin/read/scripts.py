r"""Superscripts: transposes, powers, inverses, adjoints, and spaces such as ``\mathbb R^{m\times n}``.

Offers `superscript_value`; rests on `scope`.  What a superscript means is decided by one table of signs and by
whether its base is a matrix or a scalar.
"""

from __future__ import annotations

from symlin.dims import ONE, Dim
from symlin.errors import UnsupportedError
from symlin.read.names import bare_letter, index_dim
from symlin.read.scope import Scope, SizeOf, Space, Thing, Value
from symlin.read.syntax import Fraction_, Group, Name, Node, Number, Product, Sum, Superscript, Symbolic, Text
from symlin.shapes import Draft

TRANSPOSES = frozenset({"T", r"\top", r"\intercal", "tr", r"\mathsf{T}"})
ADJOINTS = frozenset({"H", r"\dagger", "*", r"\ast"})


def superscript_value(scope: Scope, node: Superscript) -> Value:
    """The value of a base with a superscript."""
    text = scope.text(node)
    if isinstance(node.base, Name) and node.base.font == "bb" and node.base.letter != "1":
        return _space(scope, node, text)
    base = scope.value(node.base)
    if not isinstance(base, Draft):
        return Thing(f"a superscript on {scope.text(node.base)}", text)
    sign = _sign(node.sup)
    scalar = scope.is_scalar(base)
    if sign in TRANSPOSES or (sign == "t" and not scalar and "t" not in scope.size_letters):
        return transposed(base, text)
    if sign in ADJOINTS and not (scalar and sign != "*"):
        return Draft("adjoint", (base,), (), base.cols, base.rows, text)
    if sign == "+":
        return Draft("pseudoinverse", (base,), (), base.cols, base.rows, text)
    if sign == "-1":
        return _inverse(scope, base, text)
    if sign in ("-T", r"-\top", r"-\mathsf{T}"):
        return transposed(_inverse(scope, base, text), text)
    if sign in (r"\circ", r"\perp", r"\infty"):
        return Thing(f"the superscript {sign}", text)
    return _power(scope, base, node.sup, text)


def _sign(sup: Node) -> str:
    match sup:
        case Symbolic():
            return sup.symbol
        case Name():
            return "T" if sup.letter == "T" else bare_letter(sup)
        case Text():
            return sup.words
        case Number():
            return sup.digits
        case Sum(terms=(term,), signs=("-",)):
            return f"-{_sign(term)}"
        case Group(body=body):
            return _sign(body)
    return ""


def transposed(base: Draft, text: str) -> Draft:
    r"""The transpose; ``\mathbf q_i^T`` of a vector that names row i is that row itself."""
    if "row vector" in base.traits:
        return base.args[0].with_text(text)
    return Draft("transpose", (base,), (), base.cols, base.rows, text)


def _inverse(scope: Scope, base: Draft, text: str) -> Draft:
    if scope.is_scalar(base):
        return Draft("power", (base,), (Dim.of(-1),), ONE, ONE, text)
    scope.square(base, "an inverse")
    return Draft("inverse", (base,), (), base.rows, base.cols, text)


def _power(scope: Scope, base: Draft, sup: Node, text: str) -> Value:
    if isinstance(sup, Fraction_):
        raise UnsupportedError("a fractional power")
    exponent = index_dim(sup)
    if exponent is None:
        if isinstance(sup, Product) and any(op == "/" for op in sup.operators):
            raise UnsupportedError(
                "a fractional power", f"{text}: a fractional power is outside what symlin decides"
            )
        return Thing(f"the superscript of {text}", text)
    if base.op == "late zero":
        scope.need(base, ONE, ONE, "a power of the number 0")
    scope.square(base, "a power")
    scope.see_index(exponent)
    return Draft("power", (base,), (exponent,), base.rows, base.cols, text)


def _space(scope: Scope, node: Superscript, text: str) -> Value:
    letter = bare_letter(node.base) if isinstance(node.base, Name) else ""
    sup = node.sup
    if isinstance(sup, Group) and sup.opening in ("", "("):
        sup = sup.body
    if isinstance(sup, Product) and r"\times" in sup.operators:
        value = scope.value(sup)
        if isinstance(value, SizeOf):
            return Space(letter, value.rows, value.cols, text)
        return Thing("a space of this form", text)
    dim = index_dim(sup)
    if dim is None:
        return Thing("a space of this form", text)
    return Space(letter, scope.see_index(dim), ONE, text)
