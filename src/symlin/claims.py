"""From a link to a verdict: put in what the context knows, ask the engines, and weigh how sure the reading is.

Offers `definitions_for`, which gives the engines what the text has defined, `unfold`, which applies named maps, and
`looks_like_claim`, which tells an identity from an equation to be solved; rests on `decide` and `context`.
"""

from __future__ import annotations

from symlin.context import Context, Partial
from symlin.dims import ONE, Dim
from symlin.shapes import Draft, Finish
from symlin.term import Term, make, symbols


def unfold(draft: Draft, context: Context) -> Draft:
    """A Draft with every named map of the context replaced by its rule."""
    args = tuple(unfold(arg, context) for arg in draft.args)
    if draft.op == "apply":
        rule = context.maps.get(str(draft.data[0]))
        if rule is not None:
            return _put(unfold(rule.body, context), rule.parameter, args[0])
    if all(new is old for new, old in zip(args, draft.args, strict=True)):
        return draft
    return Draft(draft.op, args, draft.data, draft.rows, draft.cols, draft.text, draft.traits)


def _put(body: Draft, parameter: Draft, argument: Draft) -> Draft:
    if body.op == parameter.op and body.data == parameter.data:
        return argument
    if parameter.op == "literal":
        for place, entry in enumerate(parameter.args):
            if body.op == entry.op and body.data == entry.data and not body.args:
                return Draft("entry", (argument,), (Dim.of(place + 1), ONE), ONE, ONE, body.text)
    args = tuple(_put(arg, parameter, argument) for arg in body.args)
    return Draft(body.op, args, body.data, body.rows, body.cols, body.text, body.traits)


def definitions_for(terms: tuple[Term, ...], context: Context, finish: Finish) -> list[tuple[Term, Term]]:
    """The definitions of the context that bear on these Terms, in the order in which the text gave them."""
    wanted: set[str] = set()
    values: dict[str, Term] = {}
    keys: dict[str, Term] = {}
    todo = [symbol for term in terms for symbol in symbols(term)]
    while todo:
        symbol = todo.pop()
        key = _key(symbol, context)
        if key is None or key in wanted:
            continue
        wanted.add(key)
        value = _value(key, symbol, context, finish)
        if value is None or value.shape != symbol.shape:
            continue
        values[key] = value
        keys[key] = symbol
        todo.extend(symbols(value))
    order = [*context.values, *(key for key in context.partials if key not in context.values)]
    return [(keys[key], values[key]) for key in order if key in values]


def _key(symbol: Term, context: Context) -> str | None:
    name = str(symbol.data[0])
    for key in (f"v:{name}", name):
        if key in context.values or key in context.partials:
            meaning = context.names.get(key)
            if meaning is None or meaning.symbol.data[1] == symbol.data[1] or key == name:
                return key
    return None


def _value(key: str, symbol: Term, context: Context, finish: Finish) -> Term | None:
    draft = context.values.get(key)
    if draft is not None:
        return finish.term(unfold(draft, context))
    return _from_parts(symbol, context.partials.get(key, []), finish)


def _from_parts(symbol: Term, parts: list[Partial], finish: Finish) -> Term | None:
    """A matrix of which some rows, columns or entries are known; the others are its own entries."""
    height, width = symbol.rows.constant, symbol.cols.constant
    if height is None or width is None or not parts or height * width > 400:
        return None
    grid = {
        (i, j): make("entry", symbol, data=(Dim.of(i), Dim.of(j)))
        for i in range(1, height + 1)
        for j in range(1, width + 1)
    }
    for part in parts:
        value = finish.term(part.value)
        match part.part:
            case "row":
                cells = {(part.index[0], j): (1, j) for j in range(1, width + 1)}
            case "column":
                cells = {(i, part.index[0]): (i, 1) for i in range(1, height + 1)}
            case "entry":
                cells = {(part.index[0], part.index[1]): (1, 1)}
        for place, (i, j) in cells.items():
            if place in grid:
                grid[place] = _cell(value, i, j)
    return make("literal", *grid.values(), data=(height, width))


def _cell(value: Term, i: int, j: int) -> Term:
    if value.op == "literal":
        width = value.cols.constant or 1
        return value.args[(i - 1) * width + j - 1]
    if value.is_scalar:
        return value
    if value.op == "transpose":
        return _cell(value.args[0], j, i)
    return make("entry", value, data=(Dim.of(i), Dim.of(j)))


def letters_of(term: Term) -> frozenset[str]:
    """The names of the symbols of a Term."""
    return frozenset(str(symbol.data[0]) for symbol in symbols(term))


def has_matrices(term: Term) -> bool:
    """Whether a symbol occurs that is no scalar."""
    return any(not symbol.is_scalar for symbol in symbols(term))


def looks_like_claim(lhs: Term, rhs: Term) -> bool:
    """Whether an equation with free symbols reads as an identity, not as an equation to be solved.

    Both sides speak of the same symbols, to the same degree in each: AB = BA may be meant for all A and B, while
    Ax = b, A² = A or AB = I cannot.
    """
    left, right = degrees(lhs), degrees(rhs)
    return bool(left) and left == right and sum(left.values()) >= 2


def degrees(term: Term) -> dict[Term, int]:
    """The degree of a Term in each of its symbols, counted along one longest summand."""
    match term.op:
        case "symbol":
            return {term: 1}
        case "add" | "columns" | "rows" | "block" | "literal":
            return _largest([degrees(arg) for arg in term.args])
        case "power":
            exponent = term.data[0]
            times = exponent.constant if isinstance(exponent, Dim) and exponent.constant is not None else 1
            return {key: value * abs(times) for key, value in degrees(term.args[0]).items()}
        case _:
            total: dict[Term, int] = {}
            for arg in term.args:
                for key, value in degrees(arg).items():
                    total[key] = total.get(key, 0) + value
            return total


def _largest(parts: list[dict[Term, int]]) -> dict[Term, int]:
    total: dict[Term, int] = {}
    for part in parts:
        for key, value in part.items():
            total[key] = max(total.get(key, 0), value)
    return total
