"""Exact values of Terms in a finite field with conjugation: an oracle that shares nothing with the engines.

Offers `evaluate`; rests on `term` for the tree alone.  The field is F_p[i] with p = 3 mod 4, conjugation sends
i to -i, so that a statement true in every commutative ring with involution is true here.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from symlin.dims import Dim
from symlin.term import Term

P = 2**31 - 1  # a prime, 3 mod 4
Number = tuple[int, int]
Matrix = list[list[Number]]


def add(a: Number, b: Number) -> Number:
    return (a[0] + b[0]) % P, (a[1] + b[1]) % P


def mul(a: Number, b: Number) -> Number:
    return (a[0] * b[0] - a[1] * b[1]) % P, (a[0] * b[1] + a[1] * b[0]) % P


def inverse(a: Number) -> Number:
    norm = (a[0] * a[0] + a[1] * a[1]) % P
    if not norm:
        raise ZeroDivisionError
    scale = pow(norm, P - 2, P)
    return a[0] * scale % P, -a[1] * scale % P


def number(dim: Dim, sizes: Mapping[str, int]) -> int:
    total = 0
    for powers, c in dim.terms:
        for name, power in powers:
            c *= sizes[name] ** power
        total += c
    return total


class Values:
    """Random values for symbols, each drawn once."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._seen: dict[Any, Matrix] = {}

    def of(self, term: Term, rows: int, cols: int) -> Matrix:
        key = (term.data[0], term.data[1], rows, cols)
        if key not in self._seen:
            self._seen[key] = [
                [(self._random.randrange(P), self._random.randrange(P)) for _ in range(cols)]
                for _ in range(rows)
            ]
        return self._seen[key]


def product(a: Matrix, b: Matrix) -> Matrix:
    out = []
    for line in a:
        row = []
        for k in range(len(b[0])):
            total = (0, 0)
            for value, other in zip(line, b, strict=True):
                total = add(total, mul(value, other[k]))
            row.append(total)
        out.append(row)
    return out


def transpose(a: Matrix) -> Matrix:
    return [list(line) for line in zip(*a, strict=True)]


def conjugate(a: Matrix) -> Matrix:
    return [[(x, -y % P) for x, y in line] for line in a]


def total(parts: list[Matrix]) -> Matrix:
    out = parts[0]
    for part in parts[1:]:
        out = [[add(x, y) for x, y in zip(r, s, strict=True)] for r, s in zip(out, part, strict=True)]
    return out


def scaled(c: Number, a: Matrix) -> Matrix:
    return [[mul(c, x) for x in line] for line in a]


def eye(n: int) -> Matrix:
    return [[(int(i == j), 0) for j in range(n)] for i in range(n)]


def evaluate(term: Term, sizes: Mapping[str, int], values: Values) -> Matrix:
    """The value of a Term at these sizes (and free indices), symbols valued by `values`."""
    ev = lambda t: evaluate(t, sizes, values)  # noqa: E731
    size = lambda dim: number(dim, sizes)  # noqa: E731
    rows, cols = size(term.rows), size(term.cols)
    args, data = term.args, term.data
    match term.op:
        case "symbol":
            return values.of(term, rows, cols)
        case "number":
            return [[(data[0].numerator * pow(data[0].denominator, P - 2, P) % P, 0)]]
        case "size":
            return [[(size(data[0]) % P, 0)]]
        case "literal":
            flat = [ev(arg)[0][0] for arg in args]
            return [flat[k * cols : (k + 1) * cols] for k in range(rows)]
        case "identity":
            return eye(rows)
        case "zero":
            return [[(0, 0)] * cols for _ in range(rows)]
        case "ones":
            return [[(1, 0)] * cols for _ in range(rows)]
        case "unit":
            return [[(int(k + 1 == size(data[0])), 0)] for k in range(rows)]
        case "permutation":
            return [[(int(p == k + 1), 0) for k in range(rows)] for p in data[0]]
        case "add":
            return total([ev(arg) for arg in args])
        case "neg":
            return scaled((P - 1, 0), ev(args[0]))
        case "scale":
            return scaled(ev(args[0])[0][0], ev(args[1]))
        case "divide":
            return scaled(inverse(ev(args[1])[0][0]), ev(args[0]))
        case "matmul":
            out = ev(args[0])
            for arg in args[1:]:
                out = product(out, ev(arg))
            return out
        case "power":
            out = eye(rows)
            for _ in range(size(data[0])):
                out = product(out, ev(args[0]))
            return out
        case "transpose":
            return transpose(ev(args[0]))
        case "conjugate":
            return conjugate(ev(args[0]))
        case "adjoint":
            return conjugate(transpose(ev(args[0])))
        case "trace":
            out = ev(args[0])
            return [[total([[[out[k][k]]] for k in range(len(out))])[0][0]]]
        case "dot":
            return product(transpose(ev(args[0])), ev(args[1]))
        case "hadamard":
            a, b = ev(args[0]), ev(args[1])
            return [[mul(x, y) for x, y in zip(r, s, strict=True)] for r, s in zip(a, b, strict=True)]
        case "kronecker":
            a, b = ev(args[0]), ev(args[1])
            return [[mul(x, y) for x in r for y in s] for r in a for s in b]
        case "diag":
            a = ev(args[0])
            return [[a[i][0] if i == j else (0, 0) for j in range(rows)] for i in range(rows)]
        case "diagpart":
            a = ev(args[0])
            return [[a[i][i]] for i in range(rows)]
        case "vec":
            a = ev(args[0])
            return [[a[i][j]] for j in range(len(a[0])) for i in range(len(a))]
        case "entry":
            return [[_pick(_pick(ev(args[0]), size(data[0])), size(data[1]))]]
        case "row":
            return [_pick(ev(args[0]), size(data[0]))]
        case "column":
            return [[_pick(line, size(data[0]))] for line in ev(args[0])]
        case "columns" | "rows" | "block":
            width = {"columns": len(args), "rows": 1}.get(term.op) or data[1]
            out = []
            for start in range(0, len(args), width):
                parts = [ev(arg) for arg in args[start : start + width]]
                out += [[x for part in parts for x in part[k]] for k in range(len(parts[0]))]
            return out
        case "column_family":
            return transpose([[line[0] for line in part] for part in _members(term, sizes, values)])
        case "row_family":
            return [part[0] for part in _members(term, sizes, values)]
        case "sum":
            return total([[[(0, 0)] * cols for _ in range(rows)], *_members(term, sizes, values)])
    raise NotImplementedError(term.op)


def _pick(line: list[Any], index: int) -> Any:
    if not 1 <= index <= len(line):
        raise IndexError(index)
    return line[index - 1]


def _members(term: Term, sizes: Mapping[str, int], values: Values) -> list[Matrix]:
    index, lo, hi = term.data
    span = range(number(lo, sizes), number(hi, sizes) + 1)
    return [evaluate(term.args[0], {**sizes, index: k}, values) for k in span]
