"""One entry of an expression, or all of them: unfolded, with values put in, computed.

Offers `entry_view`, `entries_view` and `FORMS`; rests on `steps`, `parts` and `arithmetic`.  An entry of a product
goes through the forms asked for: a dot product, a row times a column, the sum written out.
"""

from __future__ import annotations

from typing import cast

from symlin.construct import column_family, dot, entry, literal, matmul, row_family, transpose
from symlin.derive.arithmetic import computed
from symlin.derive.derivation import Derivation
from symlin.derive.letters import DIAGONAL_LETTERS, Letters
from symlin.derive.monomials import multiply_out, sum_term
from symlin.derive.options import Options, opened
from symlin.derive.parts import column_of, entries_column, entries_row, resolved, row_of
from symlin.derive.steps import Step, unfold_all
from symlin.derive.unfold import ROW_TIMES_COLUMN, Place
from symlin.dims import ONE, Dim, DimLike
from symlin.errors import SymlinError
from symlin.term import Term, substitute, symbols, walk

TABLE = 36
"""A matrix of at most this many entries is shown with every entry worked out."""
FORMS = ("dot", "row-column", "sum")


def entry_view(term: Term, i: DimLike, j: DimLike, chosen: Options) -> Derivation:
    """The entry (i, j), down to entries of symbols and numbers."""
    start = entry(term, i, j)
    return Derivation(start, tuple(_steps(start, chosen)))


def entries_view(term: Term, chosen: Options) -> Derivation:
    """The entry formula for all entries at once; a small matrix with every entry worked out."""
    if term.is_scalar:
        return Derivation(term, tuple(_steps(term, chosen)))
    if term.op == "symbol" and term not in chosen.values:
        return Derivation(term, (Step(all_entries(term), "written by entries"),))
    height, width = term.rows.constant, term.cols.constant
    if height is not None and width is not None and height * width <= TABLE:
        return _table(term, height, width, chosen)
    letters = Letters.of([term, *chosen.values.values()], DIAGONAL_LETTERS)
    first = letters.fresh()
    second = letters.fresh((first,))
    i = ONE if term.rows == ONE else Dim.symbol(first)
    j = ONE if term.cols == ONE else Dim.symbol(second)
    return entry_view(term, i, j, chosen)


def all_entries(term: Term) -> Term:
    r"""The matrix of all entries of a symbol: ``[a_{ij}]``.

    Examples:
        >>> from symlin.construct import symbol
        >>> from symlin.write.latex import latex
        >>> from symlin.write.style import Style
        >>> latex(all_entries(symbol("A", "m", "n")), Style(tables="brackets"))
        '[a_{ij}]'
    """
    letters = Letters.of([term], DIAGONAL_LETTERS)
    first = letters.fresh()
    second = letters.fresh((first,))
    i = ONE if term.rows == ONE else Dim.symbol(first)
    j = ONE if term.cols == ONE else Dim.symbol(second)
    body = column_family(second, 1, term.cols, entry(term, i, j)) if term.cols != ONE else entry(term, i, j)
    return row_family(first, 1, term.rows, body) if term.rows != ONE else body


def _table(term: Term, height: int, width: int, chosen: Options) -> Derivation:
    if term.op == "literal":
        return Derivation(term, ())
    cells = [[entry(term, i, j) for j in range(1, width + 1)] for i in range(1, height + 1)]
    plain_forms = Options(chosen.values, ("sum",), chosen.write_out)
    return Derivation(term, tuple(_steps(literal(cells), plain_forms)))


def _steps(start: Term, chosen: Options) -> list[Step]:
    """Unfolded as far as it goes, then with values put in, then computed."""
    letters = Letters.of([start, *chosen.values, *chosen.values.values()])
    steps: list[Step] = []
    at = start
    values = dict(chosen.values)
    forms = chosen.forms if chosen.forms is not None else _usual_forms(start)
    if start.op == "entry" and any(form != "sum" for form in forms):
        base, names, left = opened(start.args[0], chosen)
        i, j = cast("tuple[Dim, Dim]", start.data)
        steps += [Step(entry(name.term, i, j), name.reason, name.form) for name in names]
        at, values = entry(base, i, j), dict(left.values)
    spot = at
    for form in forms:
        found = _in_form(spot, form, Place(letters, (), chosen.write_out))
        if found is not None and found.term is not at:
            steps.append(found)
            at = found.term
    while True:
        for step in unfold_all(at, letters, chosen.write_out):
            steps.append(Step(step.term, step.reason, step.form or "sum"))
            at = step.term
        after = _put_in(at, values)
        if after is None:
            break
        steps.append(after)
        at = after.term
    value = computed(at)
    if value is not None:
        steps.append(Step(value, "arithmetic", "value"))
    elif start.is_scalar:
        outside = _sums_outside(at, letters)
        if outside is not None:
            steps.append(outside)
    return steps


def _sums_outside(term: Term, letters: Letters) -> Step | None:
    """Sums taken outside products, where this needs no multiplying out of sums of terms."""
    if any(node.op in ("add", "neg", "power", "divide") for node in walk(term)):
        return None
    products = multiply_out(term, letters)
    flat = sum_term(products) if products is not None and len(products) == 1 else term
    return None if flat is term else Step(flat, "a factor may go inside a sum", "sum")


def _put_in(term: Term, values: dict[Term, Term]) -> Step | None:
    """The first of the values that a Term mentions put in; each is used once."""
    for symbol in symbols(term):
        if symbol in values:
            value = values.pop(symbol)
            together = {symbol: value}
            if value.op == "literal":
                for other in symbols(term):
                    if other in values and values[other].op == "literal":
                        together[other] = values.pop(other)
                return Step(resolved(substitute(term, together)), "the values are put in", "values")
            return Step(substitute(term, together), f"{symbol} = {value}", "definition")
    return None


def _usual_forms(start: Term) -> tuple[str, ...]:
    """Numbers are shown as a dot product first."""
    base = start.args[0] if start.op == "entry" else start
    product = base.op == "matmul" and len(base.args) == 2 and base.args[0].cols != ONE
    numeric = product and all(factor.op == "literal" for factor in base.args)
    return ("dot", "sum") if numeric else ("sum",)


def _in_form(start: Term, form: str, place: Place) -> Step | None:
    """An entry of a product (or a 1×1 product) in one of its forms; None where the form does not apply."""
    if form not in FORMS:
        raise SymlinError(f"{form!r} is no form of an entry; use one of {', '.join(FORMS)}")
    if form == "sum":
        return None
    if start.op == "entry":
        base, (i, j) = start.args[0], cast("tuple[Dim, Dim]", start.data)
    else:
        base, i, j = start, ONE, ONE
    if base.op != "matmul":
        return None
    *first, last = base.args
    left = matmul(*first)
    if form == "dot":
        sides = transposed(row_of(left, i)), column_of(last, j)
        reason = f"row {i} of the left factor and column {j} of the right one"
        return Step(dot(*sides), reason, "dot")
    row_entries, column_entries = entries_row(left, i), entries_column(last, j)
    if row_entries is None or column_entries is None:
        return None
    inner = [matmul(row_entries, column_entries)]
    return Step(_simplified(inner[0], place), ROW_TIMES_COLUMN, "row-column")


def _simplified(term: Term, place: Place) -> Term:
    """Entries of transposes and the like taken of their parts, in the cells of a row or a column."""
    for step in unfold_all(term.args[0], place.letters, place.write_out):
        term = matmul(step.term, term.args[1])
    for step in unfold_all(term.args[1], place.letters, place.write_out):
        term = matmul(term.args[0], step.term)
    return term


def transposed(term: Term) -> Term:
    """The transpose; of a transpose, what it is the transpose of; of a row of numbers, the column."""
    if term.op == "transpose":
        return term.args[0]
    if term.op == "literal":
        return literal([[cell] for cell in term.args])
    return transpose(term)
