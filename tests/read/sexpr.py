"""A compact print of the surface tree, for golden files: one s-expression a node, nothing left out but places.

Offers `show` and `show_formula`; rests on `symlin.read.syntax`.  It knows every node by name, so that a new one
without a line here fails its tests.
"""

from __future__ import annotations

from symlin.read.syntax import (
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


def show_formula(formula: Formula) -> str:
    """A whole formula: one clause a line, each but the first after its separator; the punctuation last."""
    lines = [show(clause) for clause in formula.clauses]
    for place, separator in enumerate(formula.separators, start=1):
        lines[place] = f"{separator!r} {lines[place]}"
    if formula.punctuation:
        lines.append(f"end {formula.punctuation!r}")
    return "\n".join(lines)


def _optional(node: Node | None) -> str:
    return "none" if node is None else show(node)


def _between(items: tuple[Node, ...], signs: tuple[str, ...]) -> str:
    parts = [show(items[0])]
    for sign, item in zip(signs, items[1:], strict=True):
        parts += [sign, show(item)] if sign else [show(item)]
    return " ".join(parts)


def _relation(relation: Relation) -> str:
    if relation.arrow is None:
        return relation.sign
    return f"({relation.sign} {_optional(relation.arrow.above)} {_optional(relation.arrow.below)})"


def _name(node: Name) -> str:
    text = f"{node.font}:{node.letter}" if node.font else node.letter
    return "".join([text, *(f"~{accent}" for accent in node.accents)])


def show(node: Node) -> str:
    r"""One node.

    Examples:
        >>> from symlin.read.latex import parse
        >>> print(show(parse(r"(AB)^T=B^TA^T").clauses[0]))
        (chain (^ (group ( ) (* A B)) T) = (* (^ B T) (^ A T)))
    """
    match node:
        case Number():
            return node.digits
        case Name():
            return _name(node)
        case Symbolic():
            return f"sym:{node.symbol}"
        case Dots():
            return f"dots:{node.command}"
        case Empty():
            return "empty"
        case Text():
            return f'"{node.words}"'
        case Subscript():
            return f"(_ {show(node.base)} {show(node.sub)})"
        case Superscript():
            return f"(^ {show(node.base)} {show(node.sup)})"
        case Product():
            return f"(* {_between(node.factors, node.operators)})"
        case Sum():
            terms = (
                f"{sign} {show(term)}" if sign else show(term)
                for sign, term in zip(node.signs, node.terms, strict=True)
            )
            return f"(+ {' '.join(terms)})"
        case Fraction_():
            return f"({node.command[1:]} {show(node.numerator)} {show(node.denominator)})"
        case Root():
            return f"(sqrt {show(node.body)}{'' if node.degree is None else ' ' + show(node.degree)})"
        case Group():
            return f"(group {node.opening} {node.closing} {show(node.body)})"
        case Sequence():
            return f"(list {_between(node.items, node.separators)})"
        case Grid():
            rows = " ".join("[" + " & ".join(show(cell) for cell in row) + "]" for row in node.rows)
            extra = f" {{{node.columns}}}" if node.columns else ""
            bars = f" bars={','.join(map(str, node.bars))}" if node.bars else ""
            return f"({node.environment} {node.opening or '-'}{node.closing or '-'}{extra}{bars} {rows})"
        case BigOperator():
            limits = f"{_optional(node.lower)} {_optional(node.upper)}"
            return f"({node.operator} {limits} {show(node.body)})"
        case Function():
            scripts = "".join(
                f" {mark}{show(script)}"
                for mark, script in (("_", node.sub), ("^", node.sup))
                if script is not None
            )
            inner = " ".join(show(argument) for argument in node.arguments)
            return f"(fn {node.name}{scripts} {node.brackets or '-'} {inner})".replace(" )", ")")
        case Decorated():
            note = "" if node.note is None else " " + show(node.note)
            return f"({node.decoration} {show(node.body)}{note})"
        case Chain():
            parts = [show(node.operands[0])]
            for relation, operand in zip(node.relations, node.operands[1:], strict=True):
                parts += [_relation(relation), show(operand)]
            return f"(chain {' '.join(parts)})"
