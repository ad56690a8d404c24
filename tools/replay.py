#!/usr/bin/env python3
"""A second checker for stored proofs: one file, the standard library, nothing of symlin.

    python tools/replay.py proof.json

It reads the steps of a stored proof, computes every size again, expands both sides of every `by_entries` step into
sums of products of entries, and says what the steps prove.  It does not read LaTeX, so it prints the statement of the
file beside the one that the steps prove.  Exit code 0: the steps hold; 1: a step does not follow; 2: no stored proof.
"""

import itertools
import json
import pathlib
import sys
from collections import Counter
from fractions import Fraction

sys.setrecursionlimit(5000)


class Refused(Exception):
    """A step does not follow."""


def check(condition, message):
    if not condition:
        raise Refused(message)


# --- polynomials: a tuple of (((name, power), …), coefficient), sorted, no coefficient zero ---------------------


def poly(mapping):
    return tuple(sorted((powers, c) for powers, c in mapping.items() if c))


def const(k):
    return poly({(): k})


def var(name):
    return poly({((name, 1),): 1})


ZERO, ONE = const(0), const(1)


def plus(a, b, sign=1):
    out = dict(a)
    for powers, c in b:
        out[powers] = out.get(powers, 0) + sign * c
    return poly(out)


def minus(a, b):
    return plus(a, b, -1)


def join(p, q):
    out = dict(p)
    for name, power in q:
        out[name] = out.get(name, 0) + power
    return tuple(sorted(out.items()))


def mul(a, b):
    out = {}
    for p, c in a:
        for q, d in b:
            key = join(p, q)
            out[key] = out.get(key, 0) + c * d
    return poly(out)


def names_of(a):
    return {name for powers, _ in a for name, _ in powers}


def value(a):
    """The integer that a is, or None."""
    if not a:
        return 0
    return a[0][1] if len(a) == 1 and not a[0][0] else None


def lone(a):
    """The name that a is, or None."""
    if len(a) == 1 and a[0][1] == 1 and len(a[0][0]) == 1 and a[0][0][0][1] == 1:
        return a[0][0][0][0]
    return None


def subs(a, new):
    if not any(name in new for name in names_of(a)):
        return a
    total = ZERO
    for powers, c in a:
        part = const(c)
        for name, power in powers:
            for _ in range(power):
                part = mul(part, new.get(name, var(name)))
        total = plus(total, part)
    return total


# --- terms: (op, data, args), read from JSON; sizes are computed -------------------------------------------------

DATA = {
    "symbol": "ssdd", "number": "qi", "size": "d", "literal": "ii", "identity": "d", "zero": "dd", "ones": "dd",
    "unit": "dd", "permutation": "p", "scale": "s", "divide": "s", "power": "d", "entry": "dd", "row": "d",
    "column": "d", "block": "ii", "apply": "ssd", "entrywise": "s", "scalar_function": "s",
    "sum": "sdd", "column_family": "sdd", "row_family": "sdd",
}  # fmt: skip
BINDERS = ("sum", "column_family", "row_family")
ARITY = {
    "symbol": 0, "number": 0, "size": 0, "identity": 0, "zero": 0, "ones": 0, "unit": 0, "permutation": 0,
    "neg": 1, "scale": 2, "divide": 2, "power": 1, "transpose": 1, "conjugate": 1, "adjoint": 1, "inverse": 1,
    "pseudoinverse": 1, "trace": 1, "determinant": 1, "dot": 2, "hadamard": 2, "kronecker": 2, "diag": 1,
    "diagpart": 1, "vec": 1, "entry": 1, "row": 1, "column": 1, "column_family": 1, "row_family": 1, "sum": 1,
    "apply": 1, "entrywise": 1, "row_softmax": 1,
}  # fmt: skip


def read_size(x):
    if type(x) is int:
        return const(x)
    if type(x) is str:
        return var(x)
    check(type(x) is list, "a size is an integer, a name or a list")
    total = ZERO
    for c, *powers in x:
        check(
            type(c) is int and len(powers) % 2 == 0,
            "a term of a size is a coefficient, then names and powers",
        )
        part = const(c)
        for name, power in zip(powers[::2], powers[1::2], strict=False):
            check(type(power) is int and 0 < power < 100, "a power in a size is a small integer")
            for _ in range(power):
                part = mul(part, var(str(name)))
        total = plus(total, part)
    return total


def read_term(x):
    check(type(x) is list and len(x) >= 2, "a term is a list: constructor, data, parts")
    op, raw, *args = x
    kinds = DATA.get(op, "")
    check(type(raw) is list and len(raw) == len(kinds), f"{op} has other data")
    data = []
    for kind, part in zip(kinds, raw, strict=False):
        if kind in "si":
            check(type(part) is {"s": str, "i": int}[kind], f"{op} has other data")
        elif kind == "d":
            check(type(part) is dict and list(part) == ["dim"], f"{op} has other data")
            part = read_size(part["dim"])
        elif kind == "q":
            check(type(part) is dict and list(part) == ["number"], f"{op} has other data")
            part = Fraction(part["number"])
        else:
            check(type(part) is dict and list(part) == ["order"], f"{op} has other data")
            check(all(type(k) is int for k in part["order"]), "an order is a list of integers")
            part = tuple(part["order"])
        data.append(part)
    check(op != "number" or data[1] >= 0, "a number has no negative number of digits")
    term = (op, tuple(data), tuple(read_term(arg) for arg in args))
    shape(term)
    return term


SHAPES = {}


def shape(t):
    """(rows, columns), or Refused when the parts do not fit."""
    if t not in SHAPES:
        SHAPES[t] = compute_shape(*t)
    return SHAPES[t]


def compute_shape(op, data, args):
    if op in ARITY:
        check(len(args) == ARITY[op], f"{op} has {ARITY[op]} parts")
    elif op != "scalar_function":
        check(len(args) >= 1, f"{op} has parts")
    sizes = [shape(arg) for arg in args]
    one = (ONE, ONE)
    first = sizes[0] if sizes else None

    def scalar(k):
        check(sizes[k] == one, f"a part of {op} must be a scalar")

    def square():
        check(first[0] == first[1], f"{op} needs a square matrix")

    def same():
        check(all(size == first for size in sizes), f"the parts of {op} must agree in size")

    def column():
        check(first[1] == ONE, f"{op} needs a column")

    def in_range(index, count):
        k, n = value(index), value(count)
        check(k is None or (k >= 1 and (n is None or k <= n)), f"{op}: an index out of range")

    def count():
        n = plus(minus(data[2], data[1]), ONE)
        check(value(n) is None or value(n) >= 1, "a family is empty")
        return n

    if op == "symbol":
        return data[2], data[3]
    if op in ("number", "size", "scalar_function"):
        return one
    if op == "identity":
        return data[0], data[0]
    if op in ("zero", "ones"):
        return data
    if op == "unit":
        in_range(data[0], data[1])
        return data[1], ONE
    if op == "permutation":
        check(data[0] and sorted(data[0]) == list(range(1, len(data[0]) + 1)), "this is no permutation")
        return const(len(data[0])), const(len(data[0]))
    if op == "literal":
        check(
            data[0] >= 1 and data[1] >= 1 and len(args) == data[0] * data[1],
            "the entries do not fill the matrix",
        )
        for k in range(len(args)):
            scalar(k)
        return const(data[0]), const(data[1])
    if op in ("add", "hadamard", "neg", "conjugate", "row_softmax", "entrywise"):
        same()
        return first
    if op in ("scale", "divide"):
        scalar(0 if op == "scale" else 1)
        return sizes[1 if op == "scale" else 0]
    if op == "matmul":
        for left, right in itertools.pairwise(sizes):
            check(left[1] == right[0], "the factors of a product do not fit")
        return first[0], sizes[-1][1]
    if op in ("power", "inverse"):
        square()
        return first
    if op in ("transpose", "adjoint", "pseudoinverse"):
        return first[1], first[0]
    if op in ("trace", "determinant"):
        square()
        return one
    if op == "dot":
        check(all(size[1] == ONE for size in sizes), "a dot product is of columns")
        same()
        return one
    if op == "kronecker":
        return mul(first[0], sizes[1][0]), mul(first[1], sizes[1][1])
    if op == "diag":
        column()
        return first[0], first[0]
    if op == "diagpart":
        square()
        return first[0], ONE
    if op == "vec":
        return mul(*first), ONE
    if op == "entry":
        in_range(data[0], first[0])
        in_range(data[1], first[1])
        return one
    if op == "row":
        in_range(data[0], first[0])
        return ONE, first[1]
    if op == "column":
        in_range(data[0], first[1])
        return first[0], ONE
    if op == "column_family":
        column()
        return first[0], count()
    if op == "row_family":
        check(first[0] == ONE, "a family of rows needs rows")
        return count(), first[1]
    if op == "sum":
        return first
    if op == "apply":
        return data[2], ONE
    if op in ("columns", "rows", "block"):
        height, width = {"columns": (1, len(args)), "rows": (len(args), 1)}.get(op) or data
        check(height >= 1 and width >= 1 and len(args) == height * width, "the blocks do not fill the grid")
        grid = [sizes[k : k + width] for k in range(0, len(sizes), width)]
        rows, cols = ZERO, ZERO
        for line in grid:
            check(all(size[0] == line[0][0] for size in line), "blocks side by side differ in rows")
            rows = plus(rows, line[0][0])
        for k in range(width):
            check(
                all(line[k][1] == grid[0][k][1] for line in grid), "blocks above each other differ in columns"
            )
            cols = plus(cols, grid[0][k][1])
        return rows, cols
    raise Refused(f"{op!r} is no constructor")


def nodes(t):
    yield t
    for arg in t[2]:
        yield from nodes(arg)


def sizes_in(t):
    """The sizes among the data, in order."""
    return [part for kind, part in zip(DATA.get(t[0], ""), t[1], strict=False) if kind == "d"]


def free_names(t):
    found = {name for part in sizes_in(t) for name in names_of(part)}
    for arg in t[2]:
        inner = free_names(arg)
        found |= inner - {t[1][0]} if t[0] in BINDERS else inner
    return found


def all_names(terms):
    found = set()
    for term in terms:
        for t in nodes(term):
            found |= {name for part in sizes_in(t) for name in names_of(part)}
            if t[0] in BINDERS:
                found.add(t[1][0])
    return found


def free_indices(t):
    """(index, size) for every index that no binder of t binds."""
    op, data, args = t
    found = set()
    for arg in args:
        found |= free_indices(arg)
    if op == "entry":
        found |= set(zip(data, shape(args[0]), strict=False))
    elif op == "row":
        found.add((data[0], shape(args[0])[0]))
    elif op == "column":
        found.add((data[0], shape(args[0])[1]))
    elif op == "unit":
        found.add(data)
    if op in BINDERS:
        found = {(i, n) for i, n in found if data[0] not in names_of(i) | names_of(n)}
    return found


def put_all(t, letters, new):
    """t with letters and free names replaced, all at once; a bound name is renamed where it would capture."""
    if t in letters:
        return letters[t]
    op, data, args = t
    if op not in BINDERS:
        kinds = DATA.get(op, "")
        new_data = tuple(
            subs(part, new) if kind == "d" else part for kind, part in zip(kinds, data, strict=False)
        )
        out = (op, new_data, tuple(put_all(arg, letters, new) for arg in args))
    else:
        index, lo, hi = data
        inner = {name: size for name, size in new.items() if name != index}
        incoming = {name for size in inner.values() for name in names_of(size)}
        incoming |= {name for term in letters.values() for name in free_names(term)}
        if index in incoming:
            taken = incoming | free_names(args[0]) | set(inner)
            fresh = index + "′"
            while fresh in taken:
                fresh += "′"
            inner[index], index = var(fresh), fresh
        out = (op, (index, subs(lo, new), subs(hi, new)), (put_all(args[0], letters, inner),))
    shape(out)
    return out


def put_sizes(t, new):
    """t with free names replaced."""
    return put_all(t, {}, new)


# --- entries ----------------------------------------------------------------------------------------------------
#
# A summand is (coefficient, factors, bound): factors are (letter, conjugated, indices), bound are (name, end).
# Beside terms the letters are "δ" (a, b, n), "=" (d is 0), "#" (the number d), "/" (one over d).

UNIT = (Fraction(1), (), ())


def plainly_nonnegative(a):
    """Whether a size polynomial has no negative coefficient once each symbol s >= 1 is written as 1 + s."""
    return all(c >= 0 for _, c in subs(a, {name: plus(var(name), ONE) for name in names_of(a)}))


class Expansion:
    def __init__(self, lhs, rhs, step):
        self.known = free_indices(lhs) | free_indices(rhs)
        single = {lone(index): size for index, size in sorted(self.known) if lone(index) is not None}
        self.ends = {name: size for name, size in single.items() if not names_of(size) & set(single)}
        self.mark = max(sorted(all_names([lhs, rhs])), key=len, default="") + "·"
        self.next = 0
        self.unroll = max(step["unroll"], 1)
        self.ways = list(step["ways"])
        self.splits = {}
        for n, op, a, b in step["splits"]:
            n, a, b = read_size(n), read_size(a), read_size(b)
            check(n == (plus(a, b) if op == "+" else mul(a, b)), "a size does not split so")
            check(self.nonnegative(a) and self.nonnegative(b), "a size splits into negative parts")
            self.splits.setdefault(n, []).append((op, a, b))

    def bound_of(self, a, low):
        """A bound of a from below or above, each index with a known end standing at one of its ends."""
        total = ZERO
        for powers, c in a:
            part = const(c)
            for name, power in powers:
                for _ in range(power):
                    if name not in self.ends:
                        part = mul(part, var(name))
                    elif (c > 0) != low:
                        part = mul(part, self.bound_of(self.ends[name], False))
            total = plus(total, part)
        return total

    def nonnegative(self, a):
        return plainly_nonnegative(self.bound_of(a, True))

    def within(self, a, size):
        if (a, size) in self.known or (lone(a) in self.ends and self.ends[lone(a)] == size):
            return True
        return self.nonnegative(minus(a, ONE)) and self.nonnegative(minus(size, a))

    def places(self, size):
        n = value(size)
        if n is not None and n <= self.unroll:
            return [(const(k), ()) for k in range(1, n + 1)]
        if size in self.splits:
            options = self.splits[size]
            way = 0
            if len(options) > 1 and self.ways:
                way = self.ways.pop(0)
            check(0 <= way < len(options), "a size does not split in so many ways")
            op, a, b = options[way]
            first, second = self.places(a), self.places(b)
            if op == "+":
                return first + [(plus(a, v), bound) for v, bound in second]
            out = []
            for u, left in first:
                for v, right in second:
                    out.append((plus(mul(minus(u, ONE), b), v), left + right))
            return out
        name = f"{self.mark}{self.next}"
        self.next += 1
        self.ends[name] = size
        return [(var(name), ((name, size),))]

    def halves(self, k, minor):
        lead, c = minor[-1]
        whole = ZERO
        for powers, a in k:
            left = dict(powers)
            for name, power in lead:
                left[name] = left.get(name, 0) - power
            if any(power < 0 for power in left.values()):
                continue
            rest = tuple(sorted((name, power) for name, power in left.items() if power))
            if a % c == 0 or not powers:
                whole = plus(whole, poly({rest: a // c}))
        for q in (plus(whole, ONE), whole):
            r = minus(k, mul(minus(q, ONE), minor))
            if self.within(r, minor):
                return q, r
        raise Refused("an index is not known to split")

    def locate(self, k, sizes):
        for part, size in enumerate(sizes):
            if self.within(k, size):
                return part, k
            k = minus(k, size)
        raise Refused("an index is not known to lie in one block")

    def times(self, left, right):
        return [(c * d, f + g, u + v) for c, f, u in left for d, g, v in right]

    def over(self, size, body):
        return [(c, f, b + bound) for v, bound in self.places(size) for c, f, b in body(v)]

    def delta(self, a, b, n):
        gap = value(minus(a, b))
        if gap is not None:
            return [] if gap else [UNIT]
        for op, major, minor in self.splits.get(n, ()):
            try:
                if op == "*":
                    p, q = self.halves(a, minor)
                    r, s = self.halves(b, minor)
                    return self.times(self.delta(p, r, major), self.delta(q, s, minor))
                k, p = self.locate(a, (major, minor))
                m, q = self.locate(b, (major, minor))
                return self.delta(p, q, (major, minor)[k]) if k == m else []
            except Refused:
                continue
        return [(Fraction(1), (("δ", False, (a, b, n)),), ())]

    # --- one summand: use up δ, count idle indices ---

    def settle(self, s):
        while True:
            c, factors, bound = s
            place = next((k for k, factor in enumerate(factors) if factor[0] == "δ"), None)
            if place is None:
                break
            a, b, n = factors[place][2]
            rest = factors[:place] + factors[place + 1 :]
            difference = minus(a, b)
            if value(difference) == 0:
                s = (c, rest, bound)
                continue
            if value(difference) is not None:
                return []
            best = None
            ends = dict(bound)
            for powers, sign in difference:
                if len(powers) != 1 or powers[0][1] != 1 or abs(sign) != 1:
                    continue
                name = powers[0][0]
                other = minus(var(name), mul(const(sign), difference))
                if name in names_of(other):
                    continue
                whole = name in ends and (ends[name] == n or self.within(other, ends[name]))
                if best is None or (whole, name) > best[:2]:
                    best = (whole, name, other)
            whole, name, other = best or (False, "", ZERO)
            new = {name: other} if best else {}
            claim = () if whole else (("=", False, (difference,)),)
            bound = tuple((v, subs(end, new)) for v, end in bound if not (whole and v == name))
            s = (c, put(rest, new) + put(claim, {}), bound)
        while True:
            c, factors, bound = s
            used = {name for _, _, dims in factors for d in dims for name in names_of(d)}
            used |= {name for _, end in bound for name in names_of(end)}
            idle = next((p for p in bound if p[0] not in used and self.nonnegative(p[1])), None)
            if idle is None:
                return [s]
            s = (c, (*factors, ("#", False, (idle[1],))), tuple(p for p in bound if p[0] != idle[0]))

    # --- formulas ---

    def letter(self, t, i, j, env, flag):
        if not env:
            return [(Fraction(1), ((t, flag, (i, j)),), ())]
        t = put_sizes(t, env)
        inside = []
        for t_ in post_order(t):
            for part in sizes_in(t_):
                for powers, _ in part:
                    for name, _ in powers:
                        if name.startswith(self.mark) and name not in inside:
                            inside.append(name)
        t = put_sizes(t, {name: var(f"{self.mark}t{k}") for k, name in enumerate(inside)})
        return [(Fraction(1), ((t, flag, (i, j, *map(var, inside))),), ())]

    def product(self, factors, i, j, env, flag):
        if len(factors) == 1:
            return self.entry(factors[0], i, j, env, flag)
        inner = subs(shape(factors[0])[1], env)

        def body(v):
            left = self.entry(factors[0], i, v, env, flag)
            return self.times(left, self.product(factors[1:], v, j, env, flag))

        return self.over(inner, body)

    def index(self, raw, size, env):
        found = subs(raw, env)
        inside = self.within(found, subs(size, env))
        check(inside, "an index may leave its range")
        return found

    def inside(self, t, k, env):
        index, lo = t[1][0], subs(t[1][1], env)
        return {**env, index: minus(plus(k, lo), ONE)}

    def picked(self, i, n):
        every = [(k, self.delta(i, const(k + 1), n)) for k in range(value(n))]
        return [(k, claim) for k, claim in every if claim]

    def entry(self, t, i, j, env, flag):
        """The entry (i, j) of t as a list of summands."""
        op, data, args = t
        size = lambda term, side: subs(shape(term)[side], env)  # noqa: E731
        at = lambda term, p, q: self.entry(term, p, q, env, flag)  # noqa: E731
        if op == "number":
            return [(data[0], (), ())] if data[0] else []
        if op == "size":
            return [(Fraction(1), (("#", False, (subs(data[0], env),)),), ())]
        if op == "zero":
            return []
        if op == "ones":
            return [UNIT]
        if op == "identity":
            return self.delta(i, j, size(t, 0))
        if op == "unit":
            return self.delta(i, self.index(data[0], shape(t)[0], env), size(t, 0))
        if op == "permutation":
            out = []
            for k, claim in self.picked(i, shape(t)[0]):
                out += self.times(claim, self.delta(j, const(data[0][k]), shape(t)[0]))
            return out
        if op == "literal":
            out = []
            rows, cols = self.picked(i, shape(t)[0]), self.picked(j, shape(t)[1])
            for k, row in rows:
                for m, col in cols:
                    out += self.times(self.times(row, col), at(args[k * data[1] + m], ONE, ONE))
            return out
        if op == "add":
            return [s for arg in args for s in at(arg, i, j)]
        if op == "neg":
            return [(-c, f, b) for c, f, b in at(args[0], i, j)]
        if op == "scale":
            return self.times(at(args[0], ONE, ONE), at(args[1], i, j))
        if op == "divide":
            below = at(args[1], ONE, ONE)
            check(below, "a division by zero")
            if len(below) == 1 and not below[0][2] and all(f[0] == "#" for f in below[0][1]):
                over = tuple(("/", False, f[2]) for f in below[0][1])
                inverse = [(1 / Fraction(below[0][0]), over, ())]
            else:
                inverse = self.letter(("inverse", (), (args[1],)), ONE, ONE, env, flag)
            return self.times(at(args[0], i, j), inverse)
        if op == "matmul":
            return self.product(args, i, j, env, flag)
        if op == "power":
            k = value(subs(data[0], env))
            if k is None or not 0 <= k <= 200:
                return self.letter(t, i, j, env, flag)
            return self.product(args * k, i, j, env, flag) if k else self.delta(i, j, size(t, 0))
        if op == "transpose":
            return at(args[0], j, i)
        if op == "conjugate":
            return self.entry(args[0], i, j, env, not flag)
        if op == "adjoint":
            return self.entry(args[0], j, i, env, not flag)
        if op == "determinant":
            n = value(size(args[0], 0))
            if n is None or n > 5:
                return self.letter(t, i, j, env, flag)
            out = []
            for order in itertools.permutations(range(1, n + 1)):
                odd = sum(order[a] > order[b] for b in range(n) for a in range(b)) % 2
                part = [(Fraction(-1 if odd else 1), (), ())]
                for k in range(n):
                    part = self.times(part, at(args[0], const(k + 1), const(order[k])))
                out += part
            return out
        if op == "trace":
            return self.over(size(args[0], 0), lambda v: at(args[0], v, v))
        if op == "dot":
            return self.over(size(args[0], 0), lambda v: self.times(at(args[0], v, ONE), at(args[1], v, ONE)))
        if op == "hadamard":
            return self.times(at(args[0], i, j), at(args[1], i, j))
        if op == "kronecker":
            p, r = self.halves(i, size(args[1], 0))
            q, s = self.halves(j, size(args[1], 1))
            return self.times(at(args[0], p, q), at(args[1], r, s))
        if op == "diag":
            return self.times(self.delta(i, j, size(t, 0)), at(args[0], i, ONE))
        if op == "diagpart":
            return at(args[0], i, i)
        if op == "vec":
            q, r = self.halves(i, size(args[0], 0))
            return at(args[0], r, q)
        if op == "entry":
            rows, cols = shape(args[0])
            return at(args[0], self.index(data[0], rows, env), self.index(data[1], cols, env))
        if op == "row":
            return at(args[0], self.index(data[0], shape(args[0])[0], env), j)
        if op == "column":
            return at(args[0], i, self.index(data[0], shape(args[0])[1], env))
        if op in ("columns", "rows", "block"):
            width = {"rows": 1, "columns": len(args)}.get(op) or data[1]
            p, u = self.locate(i, [size(arg, 0) for arg in args[::width]])
            q, v = self.locate(j, [size(arg, 1) for arg in args[:width]])
            return at(args[p * width + q], u, v)
        if op == "column_family":
            return self.entry(args[0], i, ONE, self.inside(t, j, env), flag)
        if op == "row_family":
            return self.entry(args[0], ONE, j, self.inside(t, i, env), flag)
        if op == "sum":
            count = plus(minus(subs(data[2], env), subs(data[1], env)), ONE)
            return self.over(count, lambda v: self.entry(args[0], i, j, self.inside(t, v, env), flag))
        return self.letter(t, i, j, env, flag)


def post_order(t):
    """Each distinct subterm once, parts before the whole."""
    seen = []
    for arg in t[2]:
        for node in post_order(arg):
            if node not in seen:
                seen.append(node)
    return [*seen, t] if t not in seen else seen


def put(factors, new):
    out = []
    for letter, flag, dims in factors:
        dims = tuple(subs(d, new) for d in dims)
        if letter == "=":
            dims = (min(dims[0], minus(ZERO, dims[0])),)
        out.append((letter, flag, dims))
    return tuple(out)


def numbered(s, order, mark):
    """What a summand is once its bound indices have the numbers given: {what: coefficient}."""
    c, factors, bound = s
    check(sorted(order) == list(range(len(bound))), "bound indices are not renamed one to one")
    new = {name: var(f"{mark}c{k}") for (name, _), k in zip(bound, order, strict=False)}
    ends = frozenset((new[name], subs(end, new)) for name, end in bound)
    over, under, letters = ONE, Counter(), Counter()
    for letter, flag, dims in put(factors, new):
        if letter == "#":
            over = mul(over, dims[0])
        elif letter == "/" and len(dims[0]) == 1:
            ((powers, k),) = dims[0]
            c = c / k
            for name, power in powers:
                under[name] += power
        else:
            letters[(letter, flag, dims)] += 1
    out = {}
    for powers, k in over:
        left = Counter(dict(powers))
        for name, power in under.items():
            left[name] -= power
        scalar = frozenset((name, power) for name, power in left.items() if power)
        out[(ends, frozenset(letters.items()), scalar)] = c * k
    return out


def check_entries(lhs, rhs, step):
    check(shape(lhs) == shape(rhs), "the two sides differ in size")
    for key in ("ways", "labels", "splits"):
        check(type(step[key]) is list, f"{key} is a list")
    check(type(step["unroll"]) is int, "unroll is a number")
    check(
        all(type(k) is int for k in [*step["ways"], *itertools.chain(*step["labels"])]), "labels are numbers"
    )
    x = Expansion(lhs, rhs, step)
    labels = list(step["labels"])
    balance = {}
    rows, cols = x.places(shape(lhs)[0]), x.places(shape(lhs)[1])
    for case, ((i, _), (j, _)) in enumerate(itertools.product(rows, cols)):
        for sign, side in ((1, lhs), (-1, rhs)):
            for raw in x.entry(side, i, j, {}, False):
                for s in x.settle(raw):
                    check(labels, "the certificate is for other sums")
                    for what, c in numbered(s, labels.pop(0), x.mark).items():
                        balance[case, what] = balance.get((case, what), 0) + sign * c
    check(not labels, "the certificate is for other sums")
    check(not any(balance.values()), "the two sides do not expand to the same sums of entries")


# --- steps --------------------------------------------------------------------------------------------------------


def everything(theorem):
    lhs, rhs, given, *_ = theorem
    return [lhs, rhs, *(side for equation in sorted(given, key=repr) for side in equation)]


def indexed(terms):
    return set().union(*(free_indices(term) for term in terms))


def conclude(lhs, rhs, given, premises, bound=None):
    check(all(shape(s) == shape(t) for s, t in [(lhs, rhs), *given]), "the two sides differ in size")
    trusted, axioms = (frozenset().union(*(p[k] for p in premises)) for k in (3, 4))
    theorem = (lhs, rhs, frozenset(given), trusted, axioms)
    real_only(theorem)
    lost = indexed(t for p in premises for t in everything(p)) - indexed(everything(theorem))
    check(
        all(bound in names_of(i) | names_of(n) for i, n in lost), "the range of an index was used and is lost"
    )
    return theorem


def real_only(theorem):
    """An axiom of the reals says nothing where conjugates occur."""
    if any(axiom[0].startswith("real") for axiom in theorem[4]):
        ops = {t[0] for term in everything(theorem) for t in nodes(term)}
        check(not ops & {"conjugate", "adjoint"}, "an axiom of the reals is used where conjugates occur")


def replay_step(step, theorems):
    """The theorem (lhs, rhs, hypotheses, trusted, axioms) of one step."""
    rule = step["rule"]
    terms = [read_term(x) for x in step.get("terms", [])]
    numbers = step.get("from", [])
    check(
        all(type(n) is int and 0 <= n < len(theorems) for n in numbers), "a step from what is not before it"
    )
    premises = [theorems[n] for n in numbers]
    if rule == "reflexivity":
        (t,) = terms
        return conclude(t, t, (), ())
    if rule == "assume":
        s, t = terms
        return conclude(s, t, {(s, t)}, ())
    if rule == "symmetry":
        (p,) = premises
        return conclude(p[1], p[0], p[2], premises)
    if rule == "transitivity":
        p, q = premises
        check(p[1] == q[0], "the first equation does not end where the second begins")
        return conclude(p[0], q[1], p[2] | q[2], premises)
    if rule == "cut":
        p, q = premises
        return conclude(q[0], q[1], p[2] | (q[2] - {(p[0], p[1])}), premises)
    if rule == "congruence":
        t = terms[0]
        op, data, args = t
        check(tuple(p[0] for p in premises) == args, "the premises do not start at the parts")
        given = frozenset().union(*(p[2] for p in premises))
        bound = data[0] if op in BINDERS else None
        if bound is not None:
            check(
                bound not in all_names(side for pair in given for side in pair),
                "an index occurs in a hypothesis",
            )
            moved = [p for p in premises if p[0] != p[1]]
            above = plainly_nonnegative(minus(data[1], ONE))
            check(
                above or bound not in all_names(side for p in moved for side in p[:2]),
                "an index may be less than 1",
            )
            for index, size in indexed([*premises[0][:2]]):
                if bound in names_of(index) | names_of(size):
                    inside = index == var(bound) and size == data[2] and (value(data[1]) or 0) > 0
                    check(inside, "an index may leave its range")
        whole = (op, data, tuple(p[1] for p in premises))
        shape(whole)
        return conclude(t, whole, given, premises, bound)
    if rule == "by_entries":
        s, t = terms
        total, cofactors = t, step.get("cofactors", [])
        check(type(cofactors) is list and len(cofactors) == len(premises), "a premise without its cofactors")
        for (c, left, right), p in zip(cofactors, premises, strict=True):
            sides = [read_term(left)] if left is not None else []
            sides.append(("add", (), (p[0], ("neg", (), (p[1],)))))
            sides += [read_term(right)] if right is not None else []
            total = ("add", (), (total, ("scale", ("left",), (read_term(c), ("matmul", (), tuple(sides))))))
        shape(total)
        check_entries(s, total, step)
        given = frozenset().union(*(p[2] for p in premises))
        theorem = conclude(s, t, given, premises)
        check(indexed([total]) <= indexed(everything(theorem)), "the range of an index was used and is lost")
        return theorem
    if rule == "computed":
        s, t = terms
        check(shape(s) == shape(t), "the two sides differ in size")
        return s, t, frozenset(), frozenset([step["name"]]), frozenset()
    if rule == "axiom":
        s, t = terms
        given = frozenset((read_term(p), read_term(q)) for p, q in step["given"])
        check(all(shape(p) == shape(q) for p, q in [(s, t), *given]), "the two sides differ in size")
        check(type(step["name"]) is str, "an axiom has a name")
        return s, t, given, frozenset(), frozenset([(step["name"], s, t, given)])
    if rule == "instantiate":
        (p,) = premises
        letters = {read_term(letter): read_term(new) for letter, new in step["letters"]}
        sizes = {name: read_size(size) for name, size in step["sizes"].items()}
        for letter, new in letters.items():
            fits = letter[0] == "symbol" and shape(new) == tuple(subs(n, sizes) for n in shape(letter))
            check(fits, "a letter is replaced by a term of another size")
        for size in sizes.values():
            low = subs(size, {name: plus(var(name), ONE) for name in names_of(size)})
            check(all(c >= 0 for _, c in minus(low, ONE)), "a size is replaced by what may be less than 1")
        s, t = (put_all(side, letters, sizes) for side in p[:2])
        given = frozenset((put_all(a, letters, sizes), put_all(b, letters, sizes)) for a, b in p[2])
        check(all(shape(a) == shape(b) for a, b in [(s, t), *given]), "the two sides differ in size")
        real_only((s, t, given, p[3], p[4]))
        return s, t, given, p[3], p[4]
    raise Refused(f"{rule!r} is no rule")


def replay(stored):
    """The theorems that a stored proof proves, or Refused."""
    theorems = []
    for number, step in enumerate(stored["steps"]):
        try:
            theorems.append(replay_step(step, theorems))
        except Refused as error:
            raise Refused(f"step {number}: {error}") from None
        except (
            KeyError,
            TypeError,
            ValueError,
            IndexError,
            AttributeError,
            RecursionError,
            ZeroDivisionError,
        ) as error:
            raise Refused(f"step {number} cannot be read: {error!r}") from None
    numbers = stored["proves"]
    check(type(numbers) is list and numbers, "the file does not say which steps prove the statement")
    check(all(type(n) is int and 0 <= n < len(theorems) for n in numbers), "no such step")
    found = [theorems[n] for n in numbers]
    check(
        stored["trusted"] == sorted({name for theorem in found for name in theorem[3]}),
        "trusted: not as listed",
    )
    check(
        stored["axioms"] == sorted({a[0] for theorem in found for a in theorem[4]}), "axioms: not as listed"
    )
    return found


# --- showing ------------------------------------------------------------------------------------------------------


def show_size(a):
    out = []
    for powers, c in sorted(a, key=lambda pair: (not pair[0], pair[0])):
        body = "".join(name if power == 1 else f"{name}^{power}" for name, power in powers)
        out.append(f"{c if c != 1 or not body else ''}{body}")
    return "+".join(out).replace("+-", "-") or "0"


def show(t):
    """A term in prefix form: plain, so that nothing is hidden by notation."""
    op, data, args = t
    if op == "symbol":
        return data[0]
    kinds = DATA.get(op, "")
    parts = [show_size(part) if kind == "d" else str(part) for kind, part in zip(kinds, data, strict=False)]
    return f"{op}({', '.join([*parts, *map(show, args)])})"


def main(arguments):
    if len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        path = pathlib.Path(arguments[0])
        stored = json.loads(sys.stdin.read() if arguments[0] == "-" else path.read_text(encoding="utf-8"))
        fields = ("version", "verdict", "statement", "hypotheses", "axioms", "trusted", "steps", "proves")
        missing = [name for name in fields if name not in stored] if type(stored) is dict else fields
    except (OSError, ValueError) as error:
        print(f"no stored proof: {error}", file=sys.stderr)
        return 2
    if missing or stored["version"] != 1 or type(stored["steps"]) is not list:
        print("no stored proof of version 1", file=sys.stderr)
        return 2
    try:
        theorems = replay(stored)
    except Refused as error:
        print(f"refused: {error}")
        return 1
    print(f"the file states: {stored['statement']}")
    for lhs, rhs, given, trusted, axioms in theorems:
        for p, q in sorted(given, key=repr):
            print(f"given {show(p)} = {show(q)}")
        rows, cols = map(show_size, shape(lhs))
        print(f"the steps prove, at {rows} by {cols}: {show(lhs)} = {show(rhs)}")
        for name, s, t, _ in sorted(axioms, key=repr):
            print(f"axiom {name}, not proved here: {show(s)} = {show(t)}")
        for name in sorted(trusted):
            print(f"trusted, and not checked here: {name}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
