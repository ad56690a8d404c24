"""What names mean at a place in a text: shapes, values, naming conventions.

Offers `Context`, which the elaborator consults and the checker fills; rests on `shapes` and `term`.  Sizes that
nothing has settled stay unknown in it and are settled by what follows; a `fork` starts a new block, which keeps
conventions (q_i are the rows of Q) and forgets values and sizes.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from symlin.dims import ONE, Dim
from symlin.shapes import Draft, Sizes

Kind: TypeAlias = Literal["matrix", "vector", "scalar", "map", "thing"]
How: TypeAlias = Literal["declared", "stated", "defined", "inferred", "guessed"]
Role: TypeAlias = Literal["rows", "columns", "entries", "row vectors"]

PROPERTIES = frozenset(
    {
        "invertible",
        "symmetric",
        "skew",
        "orthogonal",
        "hermitian",
        "unitary",
        "idempotent",
        "projection",
        "involution",
        "nilpotent",
        "permutation",
        "real",
        "complex",
        "scalar",
        "rows",
        "columns",
    }
)


@dataclass(frozen=True, slots=True)
class Meaning:
    """What one name means.

    Args:
        key: the name with a leading ``v:`` for bold or arrowed lower-case letters.
        kind: matrix, vector, scalar, map, or thing (a set, a basis: no Term).
        symbol: the Draft of its symbol, whose shape may hold unknown sizes.
        how: where the shape comes from.
        place: for messages ("line 12"), or "".
        properties: declared properties.
    """

    key: str
    kind: Kind
    symbol: Draft
    how: How = "inferred"
    place: str = ""
    properties: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Convention:
    """A naming convention: the letter's indexed names are rows, columns or entries of a matrix."""

    matrix: str
    role: Role


@dataclass(frozen=True, slots=True)
class MapRule:
    """A named map: `body` is its value at the symbol `parameter` (a Draft)."""

    name: str
    parameter: Draft
    body: Draft


@dataclass(frozen=True, slots=True)
class Partial:
    """A row, column or entry of a matrix whose value is known: data of the `row`, `column` or `entry`, and the value."""

    part: Literal["row", "column", "entry"]
    index: tuple[int, ...]
    value: Draft


@dataclass(slots=True)
class Context:
    """What names mean at a place; `arrow` holds the sizes of domain and codomain of the map last shown,
    `assumptions` what the words or formulas of the block suppose of a name and no engine uses yet, `hypotheses` the
    equations given that define no name.

    Examples:
        >>> context = Context()
        >>> context.declare("A", "matrix", Dim.of("m"), Dim.of("n"))
        >>> str(context.names["A"].symbol.rows)
        'm'
        >>> context.fork().names
        {}
    """

    sizes: Sizes = field(default_factory=Sizes)
    names: dict[str, Meaning] = field(default_factory=dict)
    values: dict[str, Draft] = field(default_factory=dict)
    partials: dict[str, list[Partial]] = field(default_factory=dict)
    maps: dict[str, MapRule] = field(default_factory=dict)
    conventions: dict[str, Convention] = field(default_factory=dict)
    arrow: tuple[Dim, Dim] | None = None
    assumptions: dict[str, str] = field(default_factory=dict)
    hypotheses: list[tuple[Draft, Draft]] = field(default_factory=list)
    version: int = 0

    def fork(self) -> Context:
        """A new block: conventions last, values and sizes do not."""
        return Context(conventions=dict(self.conventions))

    def trial(self) -> Context:
        """A copy to try something on."""
        return Context(
            self.sizes.copy(),
            dict(self.names),
            dict(self.values),
            {key: list(parts) for key, parts in self.partials.items()},
            dict(self.maps),
            dict(self.conventions),
            self.arrow,
            dict(self.assumptions),
            list(self.hypotheses),
        )

    def adopt(self, other: Context) -> None:
        """Take over what was tried on a copy."""
        self.version += 1
        self.sizes = other.sizes
        self.names = other.names
        self.values = other.values
        self.partials = other.partials
        self.maps = other.maps
        self.conventions = other.conventions
        self.arrow = other.arrow
        self.assumptions = other.assumptions
        self.hypotheses = other.hypotheses

    def declare(
        self,
        name: str,
        kind: Kind,
        rows: Dim = ONE,
        cols: Dim = ONE,
        *,
        how: How = "declared",
        style: str = "",
        place: str = "",
        properties: frozenset[str] = frozenset(),
    ) -> None:
        """Say what a name means; letters in its sizes count as sizes stated by the text."""
        key = f"v:{name}" if kind == "vector" and style in ("bold", "vec") else name
        symbol = Draft("symbol", (), (name, style), rows, cols, name)
        self.names[key] = Meaning(key, kind, symbol, how, place, properties)
        self.state_letters(rows, cols)

    def state_letters(self, *dims: Dim) -> None:
        """Count the letters of these sizes as fixed by the text."""
        letters = {name for dim in dims for name in dim.symbols if not name.startswith("?")}
        self.sizes.stated = self.sizes.stated | frozenset(letters)

    def name_convention(self, letter: str, matrix: str, role: Role) -> None:
        """From here on, the indexed names of `letter` are rows, columns or entries of `matrix`."""
        self.conventions[letter] = Convention(matrix, role)
