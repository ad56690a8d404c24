r"""The surface tree written back as LaTeX: what the reader understood, for an author to compare with the source.

Offers `echo`, one function a kind of node, found in one table; rests on `syntax` and `latex_tables`.  It writes from the
tree alone, so that what the reader dropped is missing in it; spacing, sizes of brackets and fonts of words are not kept.
"""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Sequence as Several
from typing import Any

from symlin.read import latex_tables as tables
from symlin.read.syntax import (
    Arrow,
    BigOperator,
    Chain,
    Decorated,
    Dots,
    Empty,
    Formula,
    Fraction_,
    Function,
    Grid,
    Group,
    Name,
    Node,
    Number,
    Product,
    Relation,
    Root,
    Sequence,
    Subscript,
    Sum,
    Superscript,
    Symbolic,
    Text,
)

_FONTS = {
    "bold": r"\mathbf",
    "vec": r"\vec",
    "rm": r"\mathrm",
    "it": r"\mathit",
    "cal": r"\mathcal",
    "bb": r"\mathbb",
    "frak": r"\mathfrak",
    "sf": r"\mathsf",
    "tt": r"\mathtt",
}
_STANDARD = frozenset(
    "det dim ker deg gcd sin cos tan cot sec csc arcsin arccos arctan sinh cosh tanh exp log ln lg arg hom max min sup inf".split()
)
"""Operators that LaTeX has a command for."""


def echo(formula: Formula) -> str:
    r"""A formula as it was read.

    Examples:
        >>> from symlin.read.latex import parse
        >>> echo(parse(r"\left(AB\right)^{T} \; \leq {\bf x}_1,\qquad \tfrac12 y."))
        '(AB)^{T} \\le \\mathbf{x}_{1},\\quad \\tfrac{1}{2}y.'
    """
    parts = [write(formula.clauses[0])] if formula.clauses else []
    for separator, clause in zip(formula.separators, formula.clauses[1:], strict=True):
        parts += [_SEPARATORS.get(separator) or rf"\quad\text{{{separator}}}\quad ", write(clause)]
    parts += [rf"\quad {write(note)}" for note in formula.notes]
    return "".join(parts) + formula.punctuation


_SEPARATORS = {",": r",\quad ", ";": r";\quad ", r"\\": r" \\ ", "space": r"\quad "}


def write(node: Node) -> str:
    """One node as LaTeX."""
    return _WRITERS[type(node)](node)


def _joined(parts: Several[str]) -> str:
    """Pieces side by side, a blank where a command would run into a letter."""
    text = ""
    for part in parts:
        if text and part and part[0].isalpha() and _ends_in_command(text):
            text += " "
        text += part
    return text


def _ends_in_command(text: str) -> bool:
    letters = len(text) - len(text.rstrip("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"))
    return letters > 0 and text[len(text) - letters - 1 : len(text) - letters] == "\\"


def _name(node: Name) -> str:
    text = node.letter
    command = _FONTS.get(node.font)
    if command is not None:
        text = f"{command}{{{text}}}"
    for accent in node.accents:
        text = f"{text}'" if accent == "prime" else rf"\{accent}{{{text}}}"
    return text


def _subscript(node: Subscript) -> str:
    return f"{_base(node.base)}_{{{write(node.sub)}}}"


def _superscript(node: Superscript) -> str:
    sup = write(node.sup)
    if isinstance(node.sup, Symbolic) and set(sup) == {"'"}:
        return f"{_base(node.base)}{sup}"
    return f"{_base(node.base)}^{{{sup}}}"


def _base(node: Node) -> str:
    """What a script stands on: braces round what is longer than one piece and has no brackets of its own."""
    text = write(node)
    if isinstance(
        node, Name | Number | Symbolic | Group | Grid | Subscript | Function | Text | Empty | Decorated | Dots
    ):
        return text if text else "{}"
    return f"{{{text}}}"


def _product(node: Product) -> str:
    parts = [write(node.factors[0])]
    for operator, factor in zip(node.operators, node.factors[1:], strict=True):
        text = write(factor)
        if operator:
            text = f"{operator} {text}" if operator[0] == "\\" else f"{operator}{text}"
        elif isinstance(factor, Number) and parts[-1][-1:].isdigit():
            text = f" {text}"
        parts.append(text)
    return _joined(parts)


def _sum(node: Sum) -> str:
    parts = []
    for place, (sign, term) in enumerate(zip(node.signs, node.terms, strict=True)):
        text = write(term)
        if not sign:
            parts.append(text)
        elif place == 0:
            parts.append(_joined([sign, text]))
        else:
            parts.append(f" {sign} {text}")
    return "".join(parts)


def _fraction(node: Fraction_) -> str:
    return f"{node.command}{{{write(node.numerator)}}}{{{write(node.denominator)}}}"


def _root(node: Root) -> str:
    degree = "" if node.degree is None else f"[{write(node.degree)}]"
    return rf"\sqrt{degree}{{{write(node.body)}}}"


def _group(node: Group) -> str:
    body = write(node.body)
    if not node.opening and not node.closing:
        return f"{{{body}}}"
    if "." in (node.opening, node.closing):
        return rf"\left{node.opening} {body}\right{node.closing}"
    return _joined([node.opening, body, node.closing])


def _sequence(node: Sequence) -> str:
    parts = [write(node.items[0])]
    for separator, item in zip(node.separators, node.items[1:], strict=True):
        parts += [_separator(separator), write(item)]
    return "".join(parts)


def _separator(separator: str) -> str:
    """What stands between two items: a comma, a sign, or the words that connect them."""
    if separator == "space":
        return r"\quad "
    if separator[0] == "\\":
        return f" {separator} "
    return separator if not separator[0].isalpha() else rf" \text{{ {separator} }} "


def _grid(node: Grid) -> str:
    environment, opening, closing = node.environment, node.opening, node.closing
    if environment == "substack":
        lines = r" \\ ".join(write(row[0]) for row in node.rows)
        return rf"\substack{{{lines}}}"
    own = tables.ENVIRONMENTS.get(environment, ("", ""))
    body = r" \\ ".join(" & ".join(write(cell) for cell in row) for row in node.rows)
    columns = f"{{{node.columns}}}" if environment in tables.WITH_COLUMNS else ""
    text = rf"\begin{{{environment}}}{columns} {body} \end{{{environment}}}"
    if (opening, closing) == own or (not opening and not closing):
        return text
    return rf"\left{opening or '.'} {text}\right{closing or '.'}"


def _limits(lower: Node | None, upper: Node | None) -> str:
    below = "" if lower is None else f"_{{{write(lower)}}}"
    above = "" if upper is None else f"^{{{write(upper)}}}"
    return below + above


def _big(node: BigOperator) -> str:
    return f"{node.operator}{_limits(node.lower, node.upper)} {write(node.body)}"


def _function(node: Function) -> str:
    if node.name == "binom":
        return rf"\binom{{{write(node.arguments[0])}}}{{{write(node.arguments[1])}}}"
    if node.name == "pmod":
        return rf"\pmod{{{write(node.arguments[0])}}}"
    head = rf"\{node.name}" if node.name in _STANDARD else rf"\operatorname{{{node.name}}}"
    head = rf"\text{{{node.name}}}" if " " in node.name else head
    head += _limits(node.sub, node.sup)
    inner = ",".join(write(argument) for argument in node.arguments)
    if node.brackets == "(":
        return f"{head}({inner})"
    return f"{head} {inner}" if inner else head


def _decorated(node: Decorated) -> str:
    body = write(node.body)
    if node.decoration.endswith("factorial"):
        return _base(node.body) + ("!!" if node.decoration.startswith("double") else "!")
    if node.decoration == "multicolumn":
        count = "1" if node.note is None else write(node.note)
        return rf"\multicolumn{{{count}}}{{c}}{{{body}}}"
    if node.note is None:
        return rf"\{node.decoration}{{{body}}}"
    if rf"\{node.decoration}" in tables.STACKED:
        return rf"\{node.decoration}{{{write(node.note)}}}{{{body}}}"
    mark = "^" if node.decoration.startswith("over") else "_"
    return rf"\{node.decoration}{{{body}}}{mark}{{{write(node.note)}}}"


def _chain(node: Chain) -> str:
    parts = [write(node.operands[0])]
    for relation, operand in zip(node.relations, node.operands[1:], strict=True):
        parts += [f" {_relation(relation)} ", write(operand)]
    return "".join(parts).strip()


def _relation(relation: Relation) -> str:
    return relation.sign if relation.arrow is None else _arrow(relation.sign, relation.arrow)


def _arrow(sign: str, arrow: Arrow) -> str:
    above = "" if arrow.above is None else write(arrow.above)
    below = "" if arrow.below is None else write(arrow.below)
    if arrow.command in tables.LABELLED_ARROWS:
        option = f"[{below}]" if below else ""
        return f"{arrow.command}{option}{{{above}}}"
    # The parser turns what stands over the sign into a sign of its own, and keeps the words.
    text = sign.removeprefix(r"\overset{?}{").removesuffix("}") if sign.startswith(r"\overset") else sign
    text = "=" if text == ":=" and above else text
    if below:
        text = rf"\underset{{{below}}}{{{text}}}"
    return rf"\overset{{{above}}}{{{text}}}" if above else text


_WRITERS: dict[type, Callable[[Any], str]] = {
    Number: lambda node: node.digits,
    Name: _name,
    Symbolic: lambda node: node.symbol,
    Dots: lambda node: node.command,
    Empty: lambda node: "",
    Text: lambda node: rf"\text{{{node.words}}}",
    Subscript: _subscript,
    Superscript: _superscript,
    Product: _product,
    Sum: _sum,
    Fraction_: _fraction,
    Root: _root,
    Group: _group,
    Sequence: _sequence,
    Grid: _grid,
    BigOperator: _big,
    Function: _function,
    Decorated: _decorated,
    Chain: _chain,
}
