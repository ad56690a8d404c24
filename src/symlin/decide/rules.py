"""The named rules of matrix algebra, and derivations made of them.

Offers `RULES`, `derivation` and `check_derivation`; rests on `words` for a second, independent look at every
step.  A derivation is for a reader: both sides are rewritten, one rule at a time, until they meet; statements
that are too large for one, or need more than these rules, get none.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Literal, TypeAlias, cast

from symlin.construct import identity, number, power, transpose, zero
from symlin.decide.verdict import Step
from symlin.decide.words import same_words
from symlin.dims import Dim
from symlin.errors import ProofError
from symlin.statement import Statement
from symlin.term import BINDERS, Op, Term, make, walk

Kind: TypeAlias = Literal["law", "expand"]

NODE_LIMIT = 60
GROWTH_LIMIT = 400
STEP_LIMIT = 40


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule that rewrites a Term at its root.

    Args:
        name: by the naming code of MathComp: mulmxA associativity, trmx_mul the transpose of a product …
        reason: the rule in words.
        on: the constructors at whose root it can apply.
        apply: the rewritten Term, or None where the rule does not apply.
    """

    name: str
    reason: str
    on: tuple[Op, ...]
    apply: Callable[[Term], Term | None]


@dataclass(frozen=True, slots=True)
class Derivation:
    """Steps from both sides to one Term.

    Args:
        left: from the left side.
        right: from the right side.
        kind: ``law`` when one basic law is all there is, so that the steps explain nothing.
    """

    left: tuple[Step, ...]
    right: tuple[Step, ...]
    kind: Kind


# --- one function a rule --------------------------------------------------------------------------------------


def _flatten(op: Literal["add", "matmul"]) -> Callable[[Term], Term | None]:
    def apply(term: Term) -> Term | None:
        if term.op != op or not any(arg.op == op for arg in term.args):
            return None
        parts: list[Term] = []
        for arg in term.args:
            parts.extend(arg.args if arg.op == op else (arg,))
        return make(op, *parts)

    return apply


def _transpose_of(op: str, image: Callable[[Term], Term]) -> Callable[[Term], Term | None]:
    def apply(term: Term) -> Term | None:
        if term.op != "transpose" or term.args[0].op != op:
            return None
        return image(term.args[0])

    return apply


def _transposed_product(product: Term) -> Term:
    return make("matmul", *(transpose(factor) for factor in reversed(product.args)))


def _transposed_sum(total: Term) -> Term:
    return make("add", *(transpose(part) for part in total.args))


def _transposed_scalar(term: Term) -> Term | None:
    return term.args[0] if term.op == "transpose" and term.args[0].is_scalar else None


def _repeated(term: Term) -> Term | None:
    """A^3 = AAA."""
    exponent = cast(Dim, term.data[0]).constant if term.op == "power" else None
    if exponent is None or not 0 <= exponent <= 12 or term.args[0].is_scalar:
        return None
    if exponent == 0:
        return identity(term.rows)
    return make("matmul", *[term.args[0]] * exponent) if exponent > 1 else term.args[0]


def _quotient(term: Term) -> Term | None:
    """A/2 = (1/2)A."""
    if term.op != "divide" or term.args[1].op != "number" or not term.args[1].data[0]:
        return None
    return make("scale", number(1 / cast(Fraction, term.args[1].data[0])), term.args[0], data=("left",))


def _dot(term: Term) -> Term | None:
    return make("matmul", transpose(term.args[0]), term.args[1]) if term.op == "dot" else None


def _factor_at(term: Term, op: str) -> int | None:
    """The place of the first factor of a product that is such a Term."""
    if term.op != "matmul":
        return None
    return next((place for place, factor in enumerate(term.args) if factor.op == op), None)


def _distribute(first: bool) -> Callable[[Term], Term | None]:
    def apply(term: Term) -> Term | None:
        place = _factor_at(term, "add")
        if place is None or (place == 0) is not first:
            return None
        before, after = term.args[:place], term.args[place + 1 :]
        return make("add", *(make("matmul", *before, part, *after) for part in term.args[place].args))

    return apply


def _pull_scalar(first: bool) -> Callable[[Term], Term | None]:
    def apply(term: Term) -> Term | None:
        place = _factor_at(term, "scale")
        if place is None or (place == 0) is not first:
            return None
        factor, body = term.args[place].args
        product = make("matmul", *term.args[:place], body, *term.args[place + 1 :])
        return make("scale", factor, product, data=("left",))

    return apply


def _pull_sign(first: bool) -> Callable[[Term], Term | None]:
    def apply(term: Term) -> Term | None:
        place = _factor_at(term, "neg")
        if place is None or (place == 0) is not first:
            return None
        product = make("matmul", *term.args[:place], term.args[place].args[0], *term.args[place + 1 :])
        return make("neg", product)

    return apply


def _of(outer: str, inner: str, image: Callable[[Term, Term], Term]) -> Callable[[Term], Term | None]:
    """A rule for `outer` applied to `inner` (its last part): image(outer Term, inner Term)."""

    def apply(term: Term) -> Term | None:
        if term.op != outer or term.args[-1].op != inner:
            return None
        return image(term, term.args[-1])

    return apply


def _scaled(factor: Term, body: Term) -> Term:
    return make("scale", factor, body, data=("left",))


def _without_identity(first: bool) -> Callable[[Term], Term | None]:
    def apply(term: Term) -> Term | None:
        place = _factor_at(term, "identity")
        if place is None or (place == 0) is not first:
            return None
        rest = term.args[:place] + term.args[place + 1 :]
        return make("matmul", *rest) if len(rest) > 1 else rest[0]

    return apply


def _zero_product(term: Term) -> Term | None:
    return None if _factor_at(term, "zero") is None else zero(term.rows, term.cols)


def _zero_multiple(term: Term) -> Term | None:
    inside = term.op in ("scale", "neg", "transpose") and term.args[-1].op == "zero"
    return zero(term.rows, term.cols) if inside else None


def _turned(term: Term) -> Term | None:
    """x^T A y = y^T A^T x: the one of the two whose factors come first in order."""
    if term.op != "matmul" or not term.is_scalar:
        return None
    turned = make(
        "matmul", *(arg.args[0] if arg.op == "transpose" else transpose(arg) for arg in reversed(term.args))
    )
    return turned if _order(turned) < _order(term) else None


def _as_matrix_scalar(term: Term) -> Term | None:
    """A scalar multiple whose scalar is written on the right, with it on the left."""
    if term.op != "scale" or term.data != ("right",):
        return None
    return _scaled(*term.args)


def _computed_scalar(term: Term) -> Term | None:
    """The scalar of a multiple of a matrix, multiplied out and put in order."""
    if term.op != "scale" or term.is_scalar:
        return None
    found = _scalar_term(_scalar(term.args[0]))
    return None if found is term.args[0] else _scaled(found, term.args[1])


def _collected(term: Term) -> Term | None:
    """A sum (or a single summand) with like terms collected, in one order."""
    parts = term.args if term.op == "add" else (term,)
    if term.op not in ("add", "scale", "neg") or term.is_scalar or any(part.op == "add" for part in parts):
        return None
    totals: dict[Term, Scalar] = {}
    for part in parts:
        coefficient, body = _summand(part)
        totals[body] = _scalar_sum(totals.get(body, {}), coefficient)
    terms = [
        _multiple(totals[body], body)
        for body in sorted(totals, key=_order)
        if totals[body] and body.op != "zero"
    ]
    result = make("add", *terms) if len(terms) > 1 else (terms or [zero(term.rows, term.cols)])[0]
    return None if result is term else result


def _summand(term: Term) -> tuple[Scalar, Term]:
    """The scalar and the product of a summand."""
    if term.op == "neg":
        coefficient, body = _summand(term.args[0])
        return _scalar_product({(): Fraction(-1)}, coefficient), body
    if term.op == "scale" and not term.is_scalar:
        coefficient, body = _summand(term.args[1])
        return _scalar_product(_scalar(term.args[0]), coefficient), body
    return {(): Fraction(1)}, term


def _multiple(coefficient: Scalar, body: Term) -> Term:
    plain = coefficient.get(()) if len(coefficient) == 1 else None
    if plain == 1:
        return body
    if plain is not None and plain < 0:
        return make("neg", _multiple({(): -plain}, body))
    return _scaled(_scalar_term(coefficient), body)


def _order(term: Term) -> tuple[int, tuple[str, ...]]:
    """Shorter products first, then by the names of the factors: I, A, AB, BA."""
    if term.op == "identity":
        return 0, ()
    parts = term.args if term.op == "matmul" else (term,)
    return len(parts), tuple(_name(part) for part in parts)


def _name(term: Term) -> str:
    own = str(term.data[0]) if term.op == "symbol" else f"{term.op}{tuple(map(str, term.data))}"
    inner = "".join(_name(arg) for arg in term.args)
    return f"{inner} {own}" if inner else own


# --- scalars, multiplied out ----------------------------------------------------------------------------------

Scalar: TypeAlias = "dict[tuple[Term, ...], Fraction]"
"""A polynomial: from each product of scalar Terms, in order, to its coefficient, none zero."""


def _scalar(term: Term) -> Scalar:
    if term.op == "number":
        value = cast(Fraction, term.data[0])
        return {(): value} if value else {}
    if term.op == "add":
        total: Scalar = {}
        for arg in term.args:
            total = _scalar_sum(total, _scalar(arg))
        return total
    if term.op == "neg":
        return _scalar_product({(): Fraction(-1)}, _scalar(term.args[0]))
    if term.op == "scale":
        return _scalar_product(_scalar(term.args[0]), _scalar(term.args[1]))
    if term.op == "divide" and term.args[1].op == "number" and term.args[1].data[0]:
        by = cast(Fraction, term.args[1].data[0])
        return _scalar_product({(): 1 / by}, _scalar(term.args[0]))
    return {(term,): Fraction(1)}


def _scalar_sum(left: Scalar, right: Scalar) -> Scalar:
    out = dict(left)
    for product, coefficient in right.items():
        out[product] = out.get(product, Fraction(0)) + coefficient
    return {product: coefficient for product, coefficient in out.items() if coefficient}


def _scalar_product(left: Scalar, right: Scalar) -> Scalar:
    out: Scalar = {}
    for one, a in left.items():
        for two, b in right.items():
            product = tuple(sorted(one + two, key=_name))
            out[product] = out.get(product, Fraction(0)) + a * b
    return {product: coefficient for product, coefficient in out.items() if coefficient}


def _scalar_term(scalar: Scalar) -> Term:
    parts = []
    for product in sorted(scalar, key=lambda one: (-len(one), tuple(map(_name, one)))):
        coefficient = scalar[product]
        factors = list(product)
        if abs(coefficient) != 1 or not factors:
            factors.insert(0, number(abs(coefficient)))
        shown = factors[-1]
        for factor in reversed(factors[:-1]):
            shown = _scaled(factor, shown)
        parts.append(make("neg", shown) if coefficient < 0 else shown)
    return make("add", *parts) if len(parts) > 1 else (parts or [number(0)])[0]


# --- the table, in the order in which rules are tried ---------------------------------------------------------


RULES: tuple[Rule, ...] = (
    Rule("exprS", "a power is a repeated product", ("power",), _repeated),
    Rule("dotE", "a dot product is the product of a row and a column", ("dot",), _dot),
    Rule("divrE", "dividing by a number is multiplying by its reciprocal", ("divide",), _quotient),
    Rule("scalemxC", "a scalar may be written on either side of a matrix", ("scale",), _as_matrix_scalar),
    Rule(
        "trmxK",
        "transposing twice gives the matrix back",
        ("transpose",),
        _transpose_of("transpose", lambda one: one.args[0]),
    ),
    Rule("trmx11", "a 1×1 matrix is its own transpose", ("transpose",), _transposed_scalar),
    Rule(
        "trmx_mul",
        "the transpose of a product is the product of the transposes in reverse order",
        ("transpose",),
        _transpose_of("matmul", _transposed_product),
    ),
    Rule(
        "trmxD",
        "the transpose of a sum is the sum of the transposes",
        ("transpose",),
        _transpose_of("add", _transposed_sum),
    ),
    Rule(
        "trmxN",
        "the transpose of -A is -A^T",
        ("transpose",),
        _transpose_of("neg", lambda one: make("neg", transpose(one.args[0]))),
    ),
    Rule(
        "trmxZ",
        "a scalar factor stays when a matrix is transposed",
        ("transpose",),
        _transpose_of("scale", lambda one: _scaled(one.args[0], transpose(one.args[1]))),
    ),
    Rule(
        "trmx1",
        "the identity is its own transpose",
        ("transpose",),
        _transpose_of("identity", lambda one: one),
    ),
    Rule(
        "trmxX",
        "the transpose of a power is the power of the transpose",
        ("transpose",),
        _transpose_of("power", lambda one: power(transpose(one.args[0]), cast(Dim, one.data[0]))),
    ),
    Rule(
        "zeroE",
        "a multiple or the transpose of a zero matrix is a zero matrix",
        ("scale", "neg", "transpose"),
        _zero_multiple,
    ),
    Rule("mulmx0", "a product with a zero matrix is a zero matrix", ("matmul",), _zero_product),
    Rule("mul1mx", "the identity on the left changes nothing", ("matmul",), _without_identity(True)),
    Rule("mulmx1", "the identity on the right changes nothing", ("matmul",), _without_identity(False)),
    Rule("mulNmx", "a sign comes out of a product", ("matmul",), _pull_sign(True)),
    Rule("mulmxN", "a sign comes out of a product", ("matmul",), _pull_sign(False)),
    Rule("scalemxAl", "a scalar comes out of the left factor", ("matmul",), _pull_scalar(True)),
    Rule("scalemxAr", "a scalar comes out of the right factor", ("matmul",), _pull_scalar(False)),
    Rule("mulmxDl", "a product distributes over a sum on the left", ("matmul",), _distribute(True)),
    Rule("mulmxDr", "a product distributes over a sum on the right", ("matmul",), _distribute(False)),
    Rule("mulmxA", "products may be bracketed in any way", ("matmul",), _flatten("matmul")),
    Rule("trmx11", "a 1×1 product is its own transpose", ("matmul",), _turned),
    Rule("opprK", "two signs cancel", ("neg",), _of("neg", "neg", lambda outer, inner: inner.args[0])),
    Rule(
        "opprD",
        "a sign goes to every term of a sum",
        ("neg",),
        _of("neg", "add", lambda outer, inner: make("add", *(make("neg", part) for part in inner.args))),
    ),
    Rule(
        "scalerDr",
        "a scalar goes to every term of a sum",
        ("scale",),
        _of(
            "scale",
            "add",
            lambda outer, inner: make("add", *(_scaled(outer.args[0], part) for part in inner.args)),
        ),
    ),
    Rule(
        "scalerN",
        "a scalar multiple of -A is minus that multiple of A",
        ("scale",),
        _of("scale", "neg", lambda outer, inner: make("neg", _scaled(outer.args[0], inner.args[0]))),
    ),
    Rule(
        "scalerA",
        "two scalar factors are one",
        ("scale",),
        _of(
            "scale",
            "scale",
            lambda outer, inner: _scaled(_scaled(outer.args[0], inner.args[0]), inner.args[1]),
        ),
    ),
    Rule("scalrE", "the scalar is multiplied out", ("scale",), _computed_scalar),
    Rule("addrA", "sums may be bracketed in any way", ("add",), _flatten("add")),
    Rule(
        "addrC",
        "the terms of a sum are put in order and like terms collected",
        ("add", "scale", "neg"),
        _collected,
    ),
)


# --- derivations ----------------------------------------------------------------------------------------------

_FAMILY = {"scalemxAl": "scalemxA", "scalemxAr": "scalemxA", "mulNmx": "mulmxN"}
_BOOKKEEPING = frozenset({"addrA", "addrC", "scalrE", "scalemxC"})


def everywhere(rule: Rule, term: Term) -> Term:
    """`term` with a rule applied wherever it applies, from the inside out, each place once."""
    memo: dict[Term, Term] = {}
    for node in walk(term):
        # The bodies of sums and families stay: what is rebuilt there is not used.
        args = node.args if node.op in BINDERS else tuple(memo[arg] for arg in node.args)
        rebuilt = node if args == node.args else make(node.op, *args, data=node.data)
        memo[node] = (rule.apply(rebuilt) if rebuilt.op in rule.on else None) or rebuilt
    return memo[term]


def normalise(term: Term) -> list[Step] | None:
    """The steps that bring a Term to its normal form; None when that takes too many or too large ones.

    Examples:
        >>> from symlin.construct import symbol
        >>> A, B = symbol("A", "m", "n"), symbol("B", "n", "k")
        >>> [step.rule for step in normalise((A @ B.T.T).T)]
        ['trmxK', 'trmx_mul']
    """
    steps: list[Step] = []
    while True:
        present = {node.op for node in walk(term)}
        for rule in RULES:
            if present.isdisjoint(rule.on):
                continue
            after = everywhere(rule, term)
            if after is not term:
                break
        else:
            return steps
        if len(steps) >= STEP_LIMIT or _size(after) > GROWTH_LIMIT:
            return None
        if steps and steps[-1].rule == rule.name:
            steps[-1] = Step(steps[-1].before, after, rule.name, rule.reason)
        else:
            steps.append(Step(term, after, rule.name, rule.reason))
        term = after


def _size(term: Term) -> int:
    """How many nodes are written out, counted with repetition."""
    sizes: dict[Term, int] = {}
    for node in walk(term):
        sizes[node] = 1 + sum(sizes[arg] for arg in node.args)
    return sizes[term]


def derivation(statement: Statement) -> Derivation | None:
    """Steps from both sides of a small equation to where they meet; None when these rules do not get there."""
    if _size(statement.lhs) + _size(statement.rhs) > NODE_LIMIT:
        return None
    left, right = normalise(statement.lhs), normalise(statement.rhs)
    if left is None or right is None:
        return None
    lefts = [statement.lhs, *(step.after for step in left)]
    rights = [statement.rhs, *(step.after for step in right)]
    meetings = [(i + rights.index(one), i, rights.index(one)) for i, one in enumerate(lefts) if one in rights]
    if not meetings:
        return None
    _, i, j = min(meetings)
    left, right = left[:i], right[:j]
    rules = {_FAMILY.get(step.rule, step.rule) for step in (*left, *right)}
    kind: Kind = "law" if len(rules - _BOOKKEEPING) <= 1 else "expand"
    found = Derivation(tuple(left), tuple(right), kind)
    check_derivation(statement, found)
    return found


def check_derivation(statement: Statement, found: Derivation) -> None:
    """A second look at a derivation: the steps connect, and no step changes the normal form in words.

    Raises:
        ProofError: a step does not follow.
    """
    ends = []
    for start, steps in ((statement.lhs, found.left), (statement.rhs, found.right)):
        chain = [start, *(step.after for step in steps)]
        for step, (before, after) in zip(steps, pairwise(chain), strict=True):
            if step.before is not before or step.after is not after or not same_words(before, after):
                raise ProofError(f"the step {step.rule} does not follow", step.rule)
        ends.append(chain[-1])
    if ends[0] is not ends[1]:
        raise ProofError("the two sides of the derivation do not meet")
