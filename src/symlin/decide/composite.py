"""Composite sizes: how an index up to mn or m + n is made of smaller ones.

Offers `find_splits`; rests on `term`.  Kronecker products and vec ask for products, blocks for sums; where two
requests for one size have a common refinement it is taken, else both are offered and the answer says so.
"""

from __future__ import annotations

from collections.abc import Iterable

from symlin.dims import Dim, Monomial
from symlin.term import Term, walk

Split = tuple[Dim, str, Dim, Dim]


def find_splits(terms: Iterable[Term]) -> tuple[tuple[Split, ...], bool]:
    """The splits that the terms ask for, and whether each size is split one way only.

    Examples:
        >>> from symlin.construct import kronecker, symbol
        >>> A, B = symbol("A", "m", "m"), symbol("B", "n", "n")
        >>> [(str(n), op, str(a), str(b)) for n, op, a, b in find_splits([kronecker(A, B)])[0]]
        [('mn', '*', 'm', 'n')]
    """
    products: dict[Dim, list[list[Dim]]] = {}
    sums: dict[Dim, list[list[Dim]]] = {}
    for term in terms:
        for node in walk(term):
            for kind, parts in _requests(node):
                _ask(products if kind == "*" else sums, kind, parts)
    chosen: dict[Dim, list[Split]] = {}
    one_way = True
    for kind, requests in (("*", products), ("+", sums)):
        for size, ways in requests.items():
            for merged in _merge(kind, [_flatten(way, requests) for way in ways]):
                one_way = _choose(chosen, kind, size, merged) and one_way
    return tuple(split for splits in chosen.values() for split in splits), one_way


def _requests(node: Term) -> list[tuple[str, list[Dim]]]:
    args = node.args
    if node.op == "kronecker":
        return [("*", [args[0].rows, args[1].rows]), ("*", [args[0].cols, args[1].cols])]
    if node.op == "vec":
        return [("*", [args[0].cols, args[0].rows])]
    if node.op in ("columns", "rows", "block"):
        width = {"columns": len(args), "rows": 1}.get(node.op) or int(str(node.data[1]))
        return [("+", [part.rows for part in args[::width]]), ("+", [part.cols for part in args[:width]])]
    return []


def _ask(requests: dict[Dim, list[list[Dim]]], kind: str, parts: list[Dim]) -> None:
    whole = Dim.of(1) if kind == "*" else Dim.of(0)
    for part in parts:
        whole = whole * part if kind == "*" else whole + part
    parts = [part for part in parts if not (kind == "*" and part.constant == 1)]
    if whole.constant is None and len(parts) > 1 and parts not in requests.setdefault(whole, []):
        requests[whole].append(parts)


def _flatten(parts: list[Dim], requests: dict[Dim, list[list[Dim]]]) -> list[Dim]:
    out: list[Dim] = []
    for part in parts:
        out.extend(_flatten(requests[part][0], requests) if part in requests else [part])
    return out


def _merge(kind: str, ways: list[list[Dim]]) -> list[list[Dim]]:
    """Common refinements, as far as they are seen; one if all agree."""
    merged = [ways[0]]
    for way in ways[1:]:
        for place, other in enumerate(merged):
            finer = _refine(kind, other, way)
            if finer is not None:
                merged[place] = finer
                break
        else:
            merged.append(way)
    return merged


def _refine(kind: str, left: list[Dim], right: list[Dim]) -> list[Dim] | None:
    out: list[Dim] = []
    left, right = list(left), list(right)
    while left and right:
        a, b = left.pop(0), right.pop(0)
        if a == b:
            out.append(a)
            continue
        rest = _rest(kind, a, b)
        if rest is not None:  # a is b and then the rest
            out.append(b)
            left.insert(0, rest)
            continue
        rest = _rest(kind, b, a)
        if rest is None:
            return None
        out.append(a)
        right.insert(0, rest)
    return out if not left and not right else None


def _rest(kind: str, whole: Dim, part: Dim) -> Dim | None:
    """What is left of the whole behind the part, when that is plainly a size."""
    if kind == "+":
        rest = whole - part
        return rest if rest.terms and all(c > 0 for _, c in rest.terms) else None
    if len(part.terms) != 1:
        return None
    ((lead, c),) = part.terms
    out: dict[Monomial, int] = {}
    for powers, a in whole.terms:
        left = dict(powers)
        for name, power in lead:
            left[name] = left.get(name, 0) - power
        if a % c or any(power < 0 for power in left.values()):
            return None
        out[tuple(sorted((name, power) for name, power in left.items() if power))] = a // c
    rest = Dim(out)
    return rest if rest.constant != 1 else None


def _choose(chosen: dict[Dim, list[Split]], kind: str, size: Dim, parts: list[Dim]) -> bool:
    """Split off one part after the other; False where a size is already split otherwise."""
    alone = True
    while len(parts) > 1:
        first, *parts = parts
        rest = Dim.of(1) if kind == "*" else Dim.of(0)
        for part in parts:
            rest = rest * part if kind == "*" else rest + part
        split = (size, kind, first, rest)
        others = [other for other in chosen.setdefault(size, []) if other != split]
        if any(_same_places(other, split) for other in others):
            break
        alone = alone and not others
        if split not in chosen[size]:
            chosen[size].append(split)
        size = rest
        if size.constant is not None:
            break
    return alone


def _same_places(one: Split, other: Split) -> bool:
    """2n as two rows of blocks is also 2 times n: both lead to the same indices."""
    kinds = {one[1]: one, other[1]: other}
    if set(kinds) != {"*", "+"}:
        return False
    _, _, times, minor = kinds["*"]
    _, _, first, rest = kinds["+"]
    return first == minor and (times.constant or 0) > 1 and rest == minor * (times - 1)
