r"""How names are spelled: letters, fonts, labels and indices.

Offers `key_of`, `default_kind` and the split of a subscript into a label (W_Q, A_{\mathrm{att}}) or indices
(a_{ij}, x_1); rests on `syntax`.  What a name means is not decided here.
"""

from __future__ import annotations

from dataclasses import dataclass

from symlin.context import Kind
from symlin.dims import Dim
from symlin.read.syntax import (
    Group,
    Name,
    Node,
    Number,
    Product,
    Sequence,
    Subscript,
    Sum,
    Superscript,
    Symbolic,
    Text,
)

CAPITAL_GREEK = frozenset(
    {
        r"\Gamma",
        r"\Delta",
        r"\Theta",
        r"\Lambda",
        r"\Xi",
        r"\Pi",
        r"\Sigma",
        r"\Upsilon",
        r"\Phi",
        r"\Psi",
        r"\Omega",
    }
)
THING_FONTS = frozenset({"cal", "bb", "frak"})
INDEX_LETTERS = frozenset("ijklmnpqrst") | {r"\ell"}
VECTOR_FONTS = frozenset({"bold", "vec"})


@dataclass(frozen=True, slots=True)
class Spelled:
    r"""A name as spelled: letter with accents and label, font, and the indices that follow.

    Args:
        name: LaTeX of the name without its font (``W_Q``, ``A_{\mathrm{att}}``, ``\hat{x}``).
        letter: the bare letter with accents.
        font: the font of the letter.
        indices: the index nodes of a subscript that is no label (none for a bare name).
        node: where it stands.
    """

    name: str
    letter: str
    font: str
    indices: tuple[Node, ...]
    node: Node

    @property
    def is_vector(self) -> bool:
        """Whether it is spelled as a vector: bold or arrowed, and lower case."""
        return self.font in VECTOR_FONTS and not is_capital(self.letter)

    @property
    def key(self) -> str:
        """The key under which a Context knows the bare name (indices left out)."""
        if self.font in THING_FONTS:
            return f"{self.font}:{self.name}"
        return f"v:{self.name}" if self.is_vector else self.name


def is_capital(letter: str) -> bool:
    """Whether a letter is a capital, Latin or Greek, whatever its accents."""
    core = letter
    while core.startswith("\\") and "{" in core:
        core = core[core.index("{") + 1 : -1]
    core = core.rstrip("'")
    return core in CAPITAL_GREEK or (len(core) == 1 and core.isalpha() and core.isupper())


def default_kind(spelled: Spelled) -> Kind:
    """What a name is taken for while nothing is known of it."""
    if spelled.font in THING_FONTS:
        return "thing"
    if is_capital(spelled.letter):
        return "matrix"
    if spelled.is_vector:
        return "vector"
    return "scalar"


def default_is_object(key: str) -> bool:
    """Whether a key of `Spelled.key` is by custom a matrix or a vector, not an index or a scalar."""
    return key.startswith("v:") or is_capital(key.split("_")[0])


def bare_letter(node: Name) -> str:
    """The letter with its accents, without its font."""
    letter = node.letter
    for accent in node.accents:
        letter = f"{letter}'" if accent == "prime" else f"\\{accent}{{{letter}}}"
    return letter


def spell(node: Node) -> Spelled | None:
    """The name that a Name or a Subscript of a Name spells; None for anything else."""
    if isinstance(node, Name):
        letter = bare_letter(node)
        return Spelled(letter, letter, node.font, (), node)
    if isinstance(node, Subscript) and isinstance(node.base, Name):
        letter = bare_letter(node.base)
        label = label_of(node.sub)
        if label is not None:
            return Spelled(f"{letter}_{label}", letter, node.base.font, (), node)
        indices = indices_of(node.sub)
        if indices is not None:
            return Spelled(letter, letter, node.base.font, indices, node)
    if isinstance(node, Subscript):
        inner = spell(node.base)
        indices = indices_of(node.sub)
        if inner is not None and not inner.indices and indices is not None:
            return Spelled(inner.name, inner.letter, inner.font, indices, node)
    return None


def label_of(sub: Node) -> str | None:
    """The LaTeX of a subscript that is a label (a word, a capital, an upright or starred mark), or None."""
    if isinstance(sub, Text):
        return f"{{\\text{{{sub.words}}}}}"
    if isinstance(sub, Name):
        if sub.font in ("rm", "sf", "tt", "it") or (
            len(sub.letter.lstrip("\\")) > 1 and sub.letter[0] != "\\"
        ):
            return f"{{\\mathrm{{{sub.letter}}}}}"
        letter = bare_letter(sub)
        if is_capital(letter) and sub.font == "":
            return letter if len(letter) == 1 else f"{{{letter}}}"
        if sub.font in THING_FONTS or sub.font in VECTOR_FONTS:
            return f"{{\\{_FONT_COMMAND[sub.font]}{{{letter}}}}}"
        return None
    if isinstance(sub, Symbolic):
        return f"{{{sub.symbol}}}"
    if isinstance(sub, Sequence):
        labels = [label_of(item) for item in sub.items]
        if all(label is not None for label in labels):
            return "{" + ",".join(str(label) for label in labels) + "}"
        return None
    if isinstance(sub, Product) and all(isinstance(f, Name) for f in sub.factors):
        parts = [label_of(factor) for factor in sub.factors]
        capitals = [part for part in parts if part is not None]
        if len(capitals) == len(parts):
            return "{" + "".join(part.strip("{}") if len(part) == 1 else part for part in capitals) + "}"
    return None


_FONT_COMMAND = {"cal": "mathcal", "bb": "mathbb", "frak": "mathfrak", "bold": "mathbf", "vec": "vec"}


def indices_of(sub: Node) -> tuple[Node, ...] | None:
    """The indices that a subscript holds: ``ij``, ``i,j``, ``24``, ``i+1``; None when it holds none."""
    if isinstance(sub, Sequence):
        return sub.items if all(index_dim(item) is not None for item in sub.items) else None
    if isinstance(sub, Group) and sub.opening == "(" and isinstance(sub.body, Sequence):
        return indices_of(sub.body)
    if isinstance(sub, Product) and all(op == "" for op in sub.operators):
        if all(isinstance(f, Number | Name) and index_dim(f) is not None for f in sub.factors):
            return sub.factors
        return None
    if index_dim(sub) is not None:
        return (sub,)
    return None


def index_dim(node: Node) -> Dim | None:
    """The index or size that a node means (3, i, n-1, 2k, m+n), or None."""
    if isinstance(node, Number):
        return Dim.of(int(node.value)) if node.decimals == 0 else None
    if isinstance(node, Name):
        if node.font in ("", "it") and (len(node.letter) == 1 or node.letter.startswith("\\")):
            return Dim.symbol(bare_letter(node))
        return None
    if isinstance(node, Subscript):
        spelled = spell(node)
        if spelled is None or spelled.font not in ("", "it"):
            return None
        parts = [index_dim(index) for index in spelled.indices]
        if any(part is None for part in parts):
            return None
        tail = ",".join(str(part) for part in parts)
        return Dim.symbol(f"{spelled.name}_{{{tail}}}" if tail else spelled.name)
    if isinstance(node, Group) and node.opening == "(" and node.closing == ")":
        return index_dim(node.body)
    if isinstance(node, Sum):
        return _sum_dim(node)
    if isinstance(node, Product) and all(op in ("", r"\cdot", "*") for op in node.operators):
        value = Dim.of(1)
        for factor in node.factors:
            part = index_dim(factor)
            if part is None:
                return None
            value = value * part
        return value
    if isinstance(node, Superscript) and isinstance(node.sup, Number) and node.sup.value <= 6:
        base = index_dim(node.base)
        if base is None or node.sup.decimals:
            return None
        value = Dim.of(1)
        for _ in range(int(node.sup.value)):
            value = value * base
        return value
    return None


def _sum_dim(node: Sum) -> Dim | None:
    total = Dim.of(0)
    for sign, term in zip(node.signs, node.terms, strict=True):
        part = index_dim(term)
        if part is None or sign not in ("", "+", "-"):
            return None
        total = total - part if sign == "-" else total + part
    return total
