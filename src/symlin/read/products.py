r"""Products and sums as textbooks write them: ``A(rB)``, ``\mathbf u\cdot\mathbf v``, ``A\otimes B``, ``2(-4)``, ``1/2``.

Offers `product_value` and `sum_value`; rests on `scope`.  A 1×1 factor that does not conform is a scalar multiple;
a flat product of conformable factors stays flat; a product in parentheses is one factor.
"""

from __future__ import annotations

from collections.abc import Callable

from symlin.dims import ONE
from symlin.errors import UnsupportedError
from symlin.read.families import family, is_dots
from symlin.read.names import index_dim, spell
from symlin.read.scope import Scope, SizeOf, Thing, Value
from symlin.read.syntax import Fraction_, Group, Name, Node, Number, Product, Sequence, Subscript, Sum
from symlin.shapes import Draft, clash, shown_dim

MAP_LETTERS = frozenset({"T", "f", "g", r"\phi", r"\varphi", r"\psi"})


def product_value(scope: Scope, node: Product) -> Value:
    """The value of factors side by side."""
    if r"\times" in node.operators:
        size = _size(scope, node)
        if size is not None:
            return size
    factors, operators = _merge_slashes(node)
    segments: list[list[Node]] = [[factors[0]]]
    between: list[str] = []
    for operator, factor in zip(operators, factors[1:], strict=True):
        if operator == "":
            segments[-1].append(factor)
        else:
            between.append(operator)
            segments.append([factor])
    value = _juxtaposed(scope, segments[0])
    for operator, segment in zip(between, segments[1:], strict=True):
        combine = OPERATORS.get(operator)
        if combine is None:
            raise UnsupportedError(f"the operator {operator}")
        if operator in ("/", r"\div") and len(segment) > 1:
            raise UnsupportedError(
                "a slash before a product", f"{scope.text(node)}: what the slash divides by is not clear"
            )
        value = combine(scope, value, _juxtaposed(scope, segment))
        value = value.with_text(scope.text(node))
    return value


def _size(scope: Scope, node: Product) -> SizeOf | None:
    r"""``m\times n`` by itself."""
    if node.operators.count(r"\times") != 1:
        return None
    at = node.operators.index(r"\times")
    sides = []
    for part, ops in (
        (node.factors[: at + 1], node.operators[:at]),
        (node.factors[at + 1 :], node.operators[at + 1 :]),
    ):
        side = part[0] if len(part) == 1 else Product(part, ops, span=node.span)
        if any(isinstance(factor, Group) for factor in part) and len(part) > 1:
            return None
        dim = index_dim(side)
        if dim is None:
            return None
        sides.append(dim)
    if all(side.constant is not None for side in sides) and "numbers" in scope.bound:
        return None
    return SizeOf(scope.see_index(sides[0]), scope.see_index(sides[1]), scope.text(node))


def _merge_slashes(node: Product) -> tuple[list[Node], list[str]]:
    """Numeral/numeral is one number before anything else: 1/2 A is half of A."""
    factors: list[Node] = [node.factors[0]]
    operators: list[str] = []
    for operator, factor in zip(node.operators, node.factors[1:], strict=True):
        last = factors[-1]
        first_in_row = not operators or operators[-1] == ""
        if operator == "/" and isinstance(last, Number) and isinstance(factor, Number) and first_in_row:
            span = type(node.span)(last.span.start, factor.span.end)
            factors[-1] = Fraction_(last, factor, "/", span=span)
        else:
            operators.append(operator)
            factors.append(factor)
    return factors, operators


def _juxtaposed(scope: Scope, nodes: list[Node]) -> Draft:
    drafts: list[Draft] = []
    at = 0
    while at < len(nodes):
        node = nodes[at]
        after = nodes[at + 1] if at + 1 < len(nodes) else None
        if isinstance(after, Group) and after.opening == "(" and is_map_name(scope, node, after):
            drafts.append(application(scope, node, after))
            at += 2
            continue
        drafts.append(scope.draft(node))
        at += 1
    text = scope.latex[nodes[0].span.start : nodes[-1].span.end]
    return fold(scope, drafts, " ".join(text.split()))


def is_map_name(scope: Scope, node: Node, group: Group) -> bool:
    """Whether a name before parentheses is a map applied: known as one, or a letter that customarily is one."""
    if not isinstance(node, Name | Subscript):
        return False
    spelled = spell(node)
    if spelled is None or spelled.indices:
        return False
    if spelled.name in scope.maps or spelled.name in scope.context.maps:
        return True
    if (
        scope.known(spelled.key) is not None
        or spelled.letter not in MAP_LETTERS
        or spelled.font not in ("", "it")
    ):
        return False
    return spelled.letter != "T" or not isinstance(group.body, Number)


def application(scope: Scope, node: Node, group: Group) -> Draft:
    """f(x): the known rule put in, or an uninterpreted value."""
    spelled = spell(node)
    if spelled is None:
        raise UnsupportedError("a map of this form")
    text = f"{scope.text(node)}{scope.text(group)}"
    argument = _argument(scope, group)
    rule = scope.maps.get(spelled.name) or scope.context.maps.get(spelled.name)
    if rule is None:
        raise UnsupportedError(f"the map {spelled.name}, of which no rule is known,")
    scope.same(argument, rule.parameter, f"the argument of {spelled.name} and its parameter differ in size")
    return Draft("apply", (argument,), (spelled.name, "", rule.body.rows), rule.body.rows, ONE, text)


def _argument(scope: Scope, group: Group) -> Draft:
    return scope.draft(group)


def fold(scope: Scope, drafts: list[Draft], text: str) -> Draft:
    """The product of factors written side by side, from the left."""
    if len(drafts) == 1:
        return drafts[0]
    prefix: list[Draft] = []
    chain: list[Draft] = []
    for draft in drafts:
        if draft.op == "late zero":
            scope.need(draft, ONE, ONE, "a zero in a product is the number 0")
        if not chain:
            chain.append(draft)
            continue
        one = scope.is_scalar(draft)
        scalar = scope.sizes.is_one(chain[0].rows) and scope.sizes.is_one(chain[-1].cols)
        lone = len(chain) == 1 and _plain_scalar(chain[0])
        if scalar and (one or lone or not scope.sizes.is_one(draft.rows)):
            prefix.append(_chained(chain, text))
            chain = [draft]
            continue
        if one and (not scope.sizes.is_one(chain[-1].cols) or _plain_scalar(draft)):
            last = chain[-1]
            chain[-1] = Draft(
                "scale", (draft, last), ("right",), last.rows, last.cols, f"{last.text} {draft.text}"
            )
            continue
        if not scope.sizes.unify(chain[-1].cols, draft.rows):
            left = (
                _chained(chain, chain[-1].text)
                if len(chain) == 1
                else _chained(chain, "".join(c.text for c in chain))
            )
            cols, rows = shown_dim(scope.sizes, left.cols), shown_dim(scope.sizes, draft.rows)
            why = f"the {cols} columns of {left.text} do not match the {rows} rows of {draft.text}"
            raise clash(text, scope.sizes, left, draft, why)
        chain.append(draft)
    value = _chained(chain, text if not prefix else "".join(c.text for c in chain))
    for factor in reversed(prefix):
        value = Draft("scale", (factor, value), ("left",), value.rows, value.cols, text)
    return value


def _chained(chain: list[Draft], text: str) -> Draft:
    if len(chain) == 1:
        return chain[0]
    return Draft("matmul", tuple(chain), (), chain[0].rows, chain[-1].cols, text)


def _plain_scalar(draft: Draft) -> bool:
    return draft.op in ("late letter", "number", "size", "divide", "entry") or (
        draft.op == "neg" and _plain_scalar(draft.args[0])
    )


def _dot_or_product(scope: Scope, left: Draft, right: Draft) -> Draft:
    r"""``\cdot``: the dot product of two columns, else an ordinary product."""
    columns = scope.sizes.is_one(left.cols) and scope.sizes.is_one(right.cols)
    if columns and not scope.sizes.is_one(left.rows) and not scope.sizes.is_one(right.rows):
        scope.same(left, right, "a dot product needs vectors of the same size")
        return Draft("dot", (left, right), (), ONE, ONE)
    return fold(scope, [left, right], f"{left.text}{right.text}")


def _times(scope: Scope, left: Draft, right: Draft) -> Draft:
    if scope.is_scalar(left) or scope.is_scalar(right):
        return fold(scope, [left, right], f"{left.text}{right.text}")
    raise UnsupportedError(
        "the cross product", f"{left.text} × {right.text}: a cross product is outside what symlin decides"
    )


def _divide(scope: Scope, left: Draft, right: Draft) -> Draft:
    scope.need(right, ONE, ONE, "a denominator must be a scalar")
    if left.op == "late zero":
        scope.need(left, ONE, ONE, "a numerator 0 is the number 0")
    return Draft("divide", (left, right), ("slash",), left.rows, left.cols)


def _kronecker(scope: Scope, left: Draft, right: Draft) -> Draft:
    return Draft("kronecker", (left, right), (), left.rows * right.rows, left.cols * right.cols)


def _hadamard(scope: Scope, left: Draft, right: Draft) -> Draft:
    scope.same(left, right, "an entrywise product needs matrices of the same size")
    return Draft("hadamard", (left, right), (), left.rows, left.cols)


OPERATORS: dict[str, Callable[[Scope, Draft, Draft], Draft]] = {
    r"\cdot": _dot_or_product,
    r"\bullet": _dot_or_product,
    "*": _dot_or_product,
    r"\times": _times,
    "/": _divide,
    r"\div": _divide,
    r"\otimes": _kronecker,
    r"\circ": _hadamard,
    r"\odot": _hadamard,
}


def sum_value(scope: Scope, node: Sum) -> Value:
    """The value of a sum, or of a sum with dots as a sum over an index."""
    if any(sign not in ("", "+", "-") for sign in node.signs):
        sign = next(sign for sign in node.signs if sign not in ("", "+", "-"))
        return Thing(f"the operation {sign}", scope.text(node))
    if any(is_dots(term) for term in node.terms):
        return _family_sum(scope, node)
    drafts: list[Draft] = []
    for sign, term in zip(node.signs, node.terms, strict=True):
        draft = scope.draft(term)
        if sign == "-":
            text = f"-{draft.text}"
            draft = Draft("neg", (draft,), (), draft.rows, draft.cols, text)
        drafts.append(draft)
    return add(scope, drafts, scope.text(node))


def add(scope: Scope, drafts: list[Draft], text: str) -> Draft:
    """A sum of Drafts of one shape."""
    first = drafts[0]
    if len(drafts) == 1:
        return first
    for other in drafts[1:]:
        for one, two in ((first, other), (other, first)):
            if (
                one.op in ("number", "neg")
                and scope.is_scalar(one)
                and not scope.is_scalar(two)
                and _fixed(scope, two)
            ):
                raise UnsupportedError(
                    "a number added to a matrix",
                    f"{text}: {one.text} is a number and {two.text} a matrix; write {one.text}I if that is meant",
                )
        scope.same(first, other, "a sum needs matrices of the same size")
    return Draft("add", tuple(drafts), (), first.rows, first.cols, text)


def _fixed(scope: Scope, draft: Draft) -> bool:
    """Whether a Draft is known not to be 1×1."""
    return any((scope.sizes.resolve(dim).constant or 1) > 1 for dim in (draft.rows, draft.cols))


def _family_sum(scope: Scope, node: Sum) -> Draft:
    text = scope.text(node)
    if any(sign == "-" for sign in node.signs):
        raise UnsupportedError(
            "an ellipsis in a sum with minus signs", f"{text}: the pattern of the terms was not found"
        )
    letter = scope.fresh_index()
    found = family(node.terms, letter)
    if found is None:
        raise UnsupportedError(
            "an ellipsis", f"{text}: the terms do not follow one pattern that symlin can find"
        )
    lo, hi = index_dim(found.lo), index_dim(found.hi)
    if lo is None or hi is None:
        raise UnsupportedError("an ellipsis", f"{text}: the range of the terms was not found")
    scope.see_index(lo)
    scope.see_index(hi)
    body = in_range(scope, letter, found.body, lo, hi)
    scope.note_odd(found.odd)
    return Draft("sum", (body,), (letter, lo, hi), body.rows, body.cols, text)


def in_range(scope: Scope, letter: str, body: Node, lo: object, hi: object) -> Draft:
    """The Draft of `body` while `letter` is an index that runs from lo to hi."""
    from symlin.dims import Dim

    if not isinstance(lo, Dim) or not isinstance(hi, Dim):
        raise TypeError("the limits of an index are Dims")
    previous = scope.bounds.get(letter)
    scope.bounds[letter] = (lo, hi)
    scope.bound[letter] = scope.bound.get(letter, 0) + 1
    scope.size_letters.add(letter)
    try:
        return scope.draft(body)
    finally:
        scope.bound[letter] -= 1
        if not scope.bound[letter]:
            del scope.bound[letter]
        if previous is None:
            del scope.bounds[letter]
        else:
            scope.bounds[letter] = previous


def tuple_value(scope: Scope, items: Sequence, text: str) -> Value:
    """(5, -2, -1) as a column vector."""
    if any(separator != "," for separator in items.separators):
        return Thing("a list in parentheses", text)
    if any(is_dots(item) for item in items.items):
        return _family_tuple(scope, items, text)
    drafts = [scope.draft(item) for item in items.items]
    for draft in drafts:
        if not scope.is_scalar(draft) and draft.op != "late zero":
            return Thing("a list in parentheses", text)
        scope.need(draft, ONE, ONE, "the entries of a tuple are scalars")
    from symlin.dims import Dim

    count = Dim.of(len(drafts))
    return Draft("literal", tuple(drafts), (len(drafts), 1), count, ONE, text, frozenset({"tuple"}))


def _family_tuple(scope: Scope, items: Sequence, text: str) -> Value:
    letter = scope.fresh_index()
    found = family(items.items, letter)
    if found is None:
        return Thing("a list with dots", text)
    lo, hi = index_dim(found.lo), index_dim(found.hi)
    if lo is None or hi is None:
        return Thing("a list with dots", text)
    body = in_range(scope, letter, found.body, scope.see_index(lo), scope.see_index(hi))
    scope.note_odd(found.odd)
    scope.need(body, ONE, ONE, "the entries of a tuple are scalars")
    count = hi - lo + 1
    return Draft("row_family", (body,), (letter, lo, hi), count, ONE, text)
