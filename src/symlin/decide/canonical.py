"""Canonical labelling: numbers for the bound indices of a summand that do not depend on how they were called.

Offers `Labeller`; rests on `dims` and on the summands of `kernel`.  A summand is a small labelled multigraph
(vertices its bound indices, edges its factors): colours are refined, and what stays alike is told apart by a
search that skips what an automorphism already covers, within a budget.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any, TypeAlias

from symlin.dims import Dim
from symlin.errors import BudgetError
from symlin.sums import Summand

Slot: TypeAlias = "int | tuple[int] | Dim"
"""A vertex, the number of something without vertices, or an index made of several vertices."""
Edge: TypeAlias = tuple[int, tuple[Slot, ...], tuple[int, ...]]
"""What it is, its slots, its vertices."""

LEAVES = 2_000
"""How many labellings are compared for one summand before the budget is spent."""


class Labeller:
    """Numbers bound indices canonically; one Labeller for all summands that are to be compared.

    Examples:
        >>> from symlin.sums import Summand
        >>> i, j, n = Dim.of("i"), Dim.of("j"), Dim.of("n")
        >>> first = Summand(1, (("a", (i, j)), ("b", (j, i))), (("i", n), ("j", n)))
        >>> other = Summand(1, (("b", (i, j)), ("a", (j, i))), (("i", n), ("j", n)))
        >>> labeller = Labeller()
        >>> labeller.order(first) == labeller.order(other)[::-1]
        True
    """

    def __init__(self) -> None:
        self._numbers: dict[Hashable, int] = {}

    def order(self, summand: Summand) -> tuple[int, ...]:
        """The number of each bound index, in the order in which they stand in the summand.

        Raises:
            BudgetError: the summand is too symmetric.
        """
        count = len(summand.bound)
        if count < 2:
            return tuple(range(count))
        graph = _Graph(self._number, summand)
        colours = graph.refine([self._number(("end", end)) for end in graph.plain_ends], range(count))
        if len(set(colours)) == count:
            ranked = sorted(range(count), key=colours.__getitem__)
        else:
            parts = [_Search(graph, self._number, part).run(colours) for part in graph.components()]
            ranked = [vertex for _, vertices in sorted(parts) for vertex in vertices]
        place = {vertex: number for number, vertex in enumerate(ranked)}
        return tuple(place[vertex] for vertex in range(count))

    def _number(self, what: Hashable) -> int:
        """One number for equal things: it depends on nothing but the thing, so it may be compared across summands."""
        return self._numbers.setdefault(what, len(self._numbers))


class _Graph:
    """A summand as edges over vertices 0, 1, …"""

    def __init__(self, number: Any, summand: Summand) -> None:
        self._number = number
        names = {name: vertex for vertex, (name, _) in enumerate(summand.bound)}
        lone = {Dim.symbol(name): vertex for name, vertex in names.items()}
        self.names = names
        self.count = len(names)
        self.plain_ends: list[Dim | None] = []
        edges = [self._edge(letter, dims, lone) for letter, dims in summand.factors]
        for name, end in summand.bound:
            plain = not (end.symbols & names.keys())
            self.plain_ends.append(end if plain else None)
            if not plain:
                edges.append(self._edge("end", (Dim.symbol(name), end), lone))
        self.edges: list[Edge] = edges

    def _edge(self, what: Hashable, dims: Iterable[Dim], lone: dict[Dim, int]) -> Edge:
        slots: list[Slot] = []
        vertices: list[int] = []
        for dim in dims:
            vertex = lone.get(dim)
            if vertex is not None:
                slots.append(vertex)
                vertices.append(vertex)
                continue
            inside = [self.names[name] for name in dim.symbols if name in self.names]
            slots.append(dim if inside else (self._number(("fixed", dim)),))
            vertices.extend(inside)
        return self._number(("edge", what)), tuple(slots), tuple(dict.fromkeys(vertices))

    def seen(self, edge: Edge, colours: list[int], own: int = -1) -> int:
        """The edge with every vertex replaced by its colour, the vertex `own` marked."""
        head, slots, _ = edge
        out: list[Hashable] = [head]
        for slot in slots:
            if isinstance(slot, int):
                out.append((colours[slot], slot == own))
            elif isinstance(slot, tuple):
                out.append(slot)
            else:
                out.append(self._seen_dim(slot, colours, own, signed=head != self._number(("edge", "="))))
        return int(self._number(tuple(out)))

    def _seen_dim(self, dim: Dim, colours: list[int], own: int, signed: bool) -> Dim:
        # A blank begins these names, so that no size is called the same.
        put = {
            name: Dim.symbol(f" {colours[vertex]}{' own' if vertex == own else ''}")
            for name, vertex in self.names.items()
            if name in dim.symbols
        }
        seen = dim.substitute(put)
        return seen if signed else min(seen, -seen)

    def refine(self, colours: list[int], among: Iterable[int]) -> list[int]:
        """Tell vertices apart by what they stand beside, until nothing more is told apart."""
        vertices = list(among)
        inside = set(vertices)
        edges = [edge for edge in self.edges if any(vertex in inside for vertex in edge[2])]
        classes = len({colours[vertex] for vertex in vertices})
        while classes < len(vertices):
            beside: dict[int, list[int]] = {vertex: [] for vertex in vertices}
            for edge in edges:
                for vertex in edge[2]:
                    beside[vertex].append(self.seen(edge, colours, vertex))
            fresh = list(colours)
            for vertex in vertices:
                fresh[vertex] = self._number((colours[vertex], tuple(sorted(beside[vertex]))))
            colours = fresh
            found = len({colours[vertex] for vertex in vertices})
            if found == classes:
                break
            classes = found
        return colours

    def components(self) -> list[list[int]]:
        """The vertices, apart where no edge joins them."""
        parent = list(range(self.count))

        def root(vertex: int) -> int:
            while parent[vertex] != vertex:
                parent[vertex] = parent[parent[vertex]]
                vertex = parent[vertex]
            return vertex

        for _, _, vertices in self.edges:
            for vertex in vertices[1:]:
                parent[root(vertex)] = root(vertices[0])
        parts: dict[int, list[int]] = {}
        for vertex in range(self.count):
            parts.setdefault(root(vertex), []).append(vertex)
        return list(parts.values())


class _Search:
    """The least form of one connected part over all labellings that refinement leaves open."""

    def __init__(self, graph: _Graph, number: Any, part: list[int]) -> None:
        self._graph = graph
        self._number = number
        self._part = part
        inside = set(part)
        self._edges = [edge for edge in graph.edges if any(vertex in inside for vertex in edge[2])]
        self._leaves = 0
        self._best: tuple[tuple[int, ...], list[int], tuple[int, ...]] | None = None
        self._symmetries: list[dict[int, int]] = []

    def run(self, colours: list[int]) -> tuple[tuple[int, ...], list[int]]:
        self._descend(self._graph.refine(list(colours), self._part), ())
        if self._best is None:
            raise BudgetError("labelling", "a summand could not be labelled")
        return self._best[0], self._best[1]

    def _descend(self, colours: list[int], chosen: tuple[int, ...]) -> int:
        """Search below `chosen`; the answer is the depth to go back to."""
        cells: dict[int, list[int]] = {}
        for vertex in self._part:
            cells.setdefault(colours[vertex], []).append(vertex)
        open_cells = [(len(cell), colour, cell) for colour, cell in cells.items() if len(cell) > 1]
        if not open_cells:
            return self._leaf(colours, chosen)
        depth = len(chosen)
        tried: list[int] = []
        for vertex in min(open_cells)[2]:
            if tried and self._covered(vertex, tried, chosen):
                continue
            tried.append(vertex)
            told = list(colours)
            told[vertex] = self._number(("chosen", colours[vertex]))
            back = self._descend(self._graph.refine(told, self._part), (*chosen, vertex))
            if back < depth:
                return back
        return depth

    def _leaf(self, colours: list[int], chosen: tuple[int, ...]) -> int:
        self._leaves += 1
        if self._leaves > LEAVES:
            raise BudgetError("labelling", "a summand is too symmetric to be compared within the budget")
        ranked = sorted(self._part, key=colours.__getitem__)
        places = [0] * self._graph.count
        for place, vertex in enumerate(ranked):
            places[vertex] = place
        form = (len(ranked), *sorted(self._graph.seen(edge, places) for edge in self._edges))
        if self._best is None or form < self._best[0]:
            self._best = (form, ranked, chosen)
            return len(chosen)
        if form > self._best[0]:
            return len(chosen)
        self._symmetries.append(dict(zip(self._best[1], ranked, strict=True)))
        # Everything below the place where the two ways part is the same up to this symmetry.
        return next((d for d, (a, b) in enumerate(zip(self._best[2], chosen, strict=False)) if a != b), 0)

    def _covered(self, vertex: int, tried: list[int], chosen: tuple[int, ...]) -> bool:
        """Whether a product of symmetries that leave `chosen` alone takes a tried vertex to this one."""
        able = [one for one in self._symmetries if all(one[fixed] == fixed for fixed in chosen)]
        reached, frontier = set(tried), list(tried)
        while frontier:
            at = frontier.pop()
            for one in able:
                after = one[at]
                if after not in reached:
                    reached.add(after)
                    frontier.append(after)
        return vertex in reached
