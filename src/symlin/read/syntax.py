"""What a formula looks like, before anything is known of what its names mean.

Offers the surface tree that `read.latex` returns: names, numbers, products as they were
written, matrices as grids of cells, chains of relations, lists of clauses.  It rests on
nothing, keeps the place of every node in the LaTeX, and never interprets: whether ``A(B)``
is a product or an application is settled by `read.elaborate`, which knows the context.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal, TypeAlias


@dataclass(frozen=True, slots=True)
class Span:
    """Offsets of a node in the LaTeX that was read: text[start:end]."""

    start: int
    end: int


NOWHERE = Span(0, 0)


def _span() -> Span:
    return field(default=NOWHERE, compare=False, kw_only=True, repr=False)


@dataclass(frozen=True, slots=True)
class Number:
    """An unsigned numeral as printed: ``3``, ``0.25``, ``3{,}628{,}800``.

    `digits` is the numeral as written (digit groups removed), `value` its exact value,
    `decimals` the number of digits after the point (0 for an integer).
    """

    digits: str
    value: Fraction
    decimals: int = 0
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Name:
    r"""A single letter, a Greek command or an upright word: ``A``, ``\alpha``, ``\mathrm{att}``.

    `letter` is the bare letter or command (``A``, ``\alpha``, ``\ell``, ``att``); `font` is how it
    is set; `accents` lists accents from the inside out (``hat``, ``bar``, ``tilde``, ``dot``,
    ``prime`` …).  ``\vec v`` and ``\overrightarrow{v}`` have the font ``vec``.
    """

    letter: str
    font: Literal["", "bold", "vec", "rm", "cal", "bb", "frak", "sf", "tt", "it"] = ""
    accents: tuple[str, ...] = ()
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Subscript:
    r"""``base_{sub}``; `sub` is a node: ``a_{i\ell}`` has a Product of two names, ``a_{i,j}`` a Sequence."""

    base: Node
    sub: Node
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Superscript:
    r"""``base^{sup}``: powers, ``^T``, ``^\top``, ``^{-1}``, ``^*``, ``^+``, ``^\perp``; primes are accents of names.

    Bare symbols in the exponent become `Symbolic`: ``*``, ``+``, ``-``, ``\dagger``, ``\perp``, ``\top``, ``\intercal``, ``\circ``.
    """

    base: Node
    sup: Node
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Symbolic:
    r"""A symbol that stands alone for something: ``*``, ``+``, ``\dagger``, ``\perp``, ``\top``, ``\infty``, ``\emptyset``, ``\cdot`` as a placeholder."""

    symbol: str
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Product:
    r"""Factors side by side; ``operators[i]`` stands before ``factors[i + 1]``.

    An operator is the command as written, or ``""`` for juxtaposition:
    ``""``, ``\cdot``, ``\times``, ``*``, ``/``, ``\div``, ``\otimes``, ``\circ``, ``\odot``, ``\oplus`` is NOT
    here (it is additive), ``\wedge``, ``\bullet``.
    """

    factors: tuple[Node, ...]
    operators: tuple[str, ...]
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Sum:
    r"""Terms with their signs as written: ``-a + b - c``.  A leading sign that was not written is ``""``.

    Signs: ``""``, ``+``, ``-``, ``\pm``, ``\mp``, ``\oplus``, ``\ominus``, ``\setminus``, ``\cup``, ``\cap``.
    A lone ``-a`` is a Sum of one term with sign ``-``.
    """

    terms: tuple[Node, ...]
    signs: tuple[str, ...]
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Fraction_:
    r"""``\frac{a}{b}``, ``\frac12``, ``\dfrac``, ``\tfrac``, ``\cfrac``; `command` is the command as written."""

    numerator: Node
    denominator: Node
    command: str = r"\frac"
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Root:
    r"""``\sqrt{a}`` or ``\sqrt[n]{a}``."""

    body: Node
    degree: Node | None = None
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Group:
    r"""Something in brackets: ``(a)``, ``[a]``, ``\{a\}``, ``|a|``, ``\|a\|``, ``\langle a\rangle``, ``\left( \right.``.

    `opening` and `closing` are the bare delimiters: ``(``, ``[``, ``\{``, ``|``, ``\|``, ``\langle``, ``\lfloor``, ``\lceil``, ``.``.
    The body may be a Sequence (a tuple ``(5,-2,-1)``), a Chain (set builder), or an EmptyNode.
    """

    opening: str
    closing: str
    body: Node
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Sequence:
    r"""Items with commas or semicolons between them: ``A,B,C``, ``(2,4,0)``, ``\alpha_{i1},\ldots,\alpha_{iL}``.

    ``separators[i]`` stands before ``items[i + 1]``: ``,``, ``;``, ``\mid``, ``:``.
    """

    items: tuple[Node, ...]
    separators: tuple[str, ...]
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Dots:
    r"""``\cdots``, ``\ldots``, ``\dots``, ``\vdots``, ``\ddots``; `command` as written."""

    command: str
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Empty:
    r"""Nothing: an empty cell, ``{}``, an empty group."""

    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Text:
    r"""Words inside a formula: ``\text{and}``, ``\mbox{…}``, ``\textrm{…}``; `words` with outer space stripped."""

    words: str
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Grid:
    r"""A matrix environment, ``array``, ``cases``, ``vmatrix`` …: rows of cells.

    `environment` is the name without star (``bmatrix``, ``pmatrix``, ``vmatrix``, ``Vmatrix``, ``Bmatrix``, ``matrix``,
    ``smallmatrix``, ``array``, ``cases``, ``aligned`` …); `opening`/`closing` the delimiters that stand round it
    (those of the environment, or of ``\left[ \begin{array} … \right]``), "" for none.
    `columns` is the column specification of an array (``"rr|r"``), or "".
    `bars` are the numbers of columns after which a vertical rule stands (from the specification).
    """

    environment: str
    rows: tuple[tuple[Node, ...], ...]
    opening: str = ""
    closing: str = ""
    columns: str = ""
    bars: tuple[int, ...] = ()
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class BigOperator:
    r"""``\sum_{\ell=1}^{n} body``, ``\prod``, ``\bigcup``, ``\bigoplus``, ``\int``, ``\lim`` … with limits and body.

    `lower` is what stands below (a Chain ``\ell=1`` mostly), `upper` what stands above; None where absent.
    The body reaches to the next ``+``/``-`` or relation outside it (``\sum a + b`` is ``(\sum a) + b``).
    """

    operator: str
    lower: Node | None
    upper: Node | None
    body: Node
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Function:
    r"""A named operator and its arguments: ``\operatorname{tr}(A)``, ``\det A``, ``\sin\theta``, ``\dim V``, ``\vspan\{…\}``.

    `name` is the bare word (``tr``, ``det``, ``sin``, ``vec``, ``rank``, ``diag`` …; ``\operatorname{Tr}`` gives ``Tr``).
    `arguments` are the items in its parentheses, or the one operand that follows without them;
    `brackets` is the opening delimiter written ("(", "[", r"\{", "|" or "" for none).
    ``\det\begin{bmatrix}…`` has the Grid as its argument.  An operator with nothing after it has no arguments.
    `sub` and `sup` are scripts on the name (``\operatorname{proj}_{u}``, ``\sin^2``).
    """

    name: str
    arguments: tuple[Node, ...]
    brackets: str = ""
    sub: Node | None = None
    sup: Node | None = None
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Decorated:
    r"""Something written over or under a node: ``\overline{z}``, ``\overset{a}{b}``, ``\underbrace{a}_{text}``, ``\boxed{a}``, ``\cancel{a}``, ``\widehat{AB}``.

    `decoration` is the bare command (``overline``, ``underbrace``, ``boxed`` …); `note` what is written over or under.
    """

    decoration: str
    body: Node
    note: Node | None = None
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Arrow:
    r"""What stands on a labelled arrow: ``\xrightarrow[below]{above}``; used as a relation of a Chain."""

    command: str
    above: Node | None = None
    below: Node | None = None
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Relation:
    r"""A relation sign: ``=``, ``\ne`` (also ``\not=``, ``\neq``), ``<``, ``>``, ``\le``, ``\ge``, ``\in``, ``\notin``,
    ``\subset``, ``\subseteq``, ``\supseteq``, ``\approx``, ``\equiv``, ``\sim``, ``\cong``, ``\perp``, ``\parallel``, ``\mapsto``,
    ``\to``, ``\rightarrow``, ``\longrightarrow``, ``\Rightarrow``, ``\iff``, ``\leftrightarrow``, ``:=``, ``\colon``, ``:`` …

    `sign` is normalised: ``\neq``/``\not=`` → ``\ne``, ``\leq`` → ``\le``, ``\geq`` → ``\ge``, ``\lt`` → ``<``, ``\gt`` → ``>``,
    ``\to`` → ``\rightarrow``, ``\colon`` → ``:``, ``\not\in`` → ``\notin``; all others as written.
    `arrow` carries the labels of a labelled arrow.
    """

    sign: str
    arrow: Arrow | None = None
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Chain:
    """Operands with relations between them: ``relations[i]`` stands between operands i and i + 1.

    An operand that is missing (a line that begins with ``=``) is `Empty`.
    """

    operands: tuple[Node, ...]
    relations: tuple[Relation, ...]
    span: Span = _span()


Node: TypeAlias = (
    Number
    | Name
    | Subscript
    | Superscript
    | Symbolic
    | Product
    | Sum
    | Fraction_
    | Root
    | Group
    | Sequence
    | Dots
    | Empty
    | Text
    | Grid
    | BigOperator
    | Function
    | Decorated
    | Chain
)


@dataclass(frozen=True, slots=True)
class Formula:
    r"""A whole formula: the clauses in order and what stood between and after them.

    A clause is an expression or a Chain.  ``Q=XW_Q,\qquad K=XW_K.`` has two clauses; the separators are
    ``","`` (with or without space), ``";"``, ``"\\"`` (a new line of a display that begins a new relation),
    ``"space"`` (``\quad`` or ``\qquad`` alone), or the words of a ``\text{and}`` between clauses.
    ``separators[i]`` stands before ``clauses[i + 1]``.  `punctuation` is the closing punctuation, inside
    ``\text{.}`` or bare.  ``A,B,C`` is ONE clause (a Sequence); ``W_Q,W_K\in X`` is one Chain whose first operand is a
    Sequence; ``i=1,2,\ldots,n`` one Chain whose last operand is a Sequence.

    `notes` are what stands beside the clauses and is no part of them: reasons in a column of their own
    (``&& \text{by (1)}``, ``&& k\ne i``), words before the first clause or after the last.
    """

    latex: str
    clauses: tuple[Node, ...]
    separators: tuple[str, ...] = ()
    punctuation: str = ""
    notes: tuple[Node, ...] = ()
