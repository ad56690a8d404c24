"""The public verbs: what a notebook types first.

Offers `check`, `prove`, `derive`, `shapes`, `read`, `write`, and `matrix`, `vector`, `scalar` for generic objects;
rests on the layers below and adds nothing to them but the doors: LaTeX, Terms and SymPy are accepted alike.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from symlin.context import Context
from symlin.dims import DimLike
from symlin.errors import Place, ReadError, UnsupportedError
from symlin.proving import prove
from symlin.statement import Statement
from symlin.term import Shape, Term, as_term, size_text, walk

__all__ = ["check", "derive", "matrix", "prove", "read", "scalar", "shapes", "vector", "write"]


def matrix(name: str, rows: DimLike, cols: DimLike) -> Term:
    """A generic rows×cols matrix.

    Examples:
        >>> matrix("A", "m", "n")
        <A: m×n>
        >>> matrix("A", 2, 2).to_sympy(explicit=True)
        Matrix([
        [a_{11}, a_{12}],
        [a_{21}, a_{22}]])
    """
    from symlin.construct import symbol

    return symbol(name, rows, cols)


def vector(name: str, size: DimLike) -> Term:
    """A generic column vector, set in bold.

    Examples:
        >>> vector("x", "n").shape[1].constant
        1
    """
    from symlin.construct import symbol

    return symbol(name, size, 1, "bold")


def scalar(name: str) -> Term:
    """A generic scalar.

    Examples:
        >>> r, A = scalar("r"), matrix("A", "m", "n")
        >>> r * A
        <rA: m×n>
    """
    from symlin.construct import symbol

    return symbol(name, 1, 1)


def _context(where: Sequence[str] | str) -> Context:
    from symlin.read.declare import declare

    context = Context()
    for text in (where,) if isinstance(where, str) else where:
        declare(context, text)
    return context


def read(latex: str, *, where: Sequence[str] | str = ()) -> Any:
    """The Term or the Statement that LaTeX means; for a chain or a list, a tuple of them.

    Args:
        latex: one formula, without its delimiters.
        where: declarations such as ``A: m x n``; sizes not declared are inferred.

    Raises:
        ReadError: it cannot be parsed; with line, column, caret and what was expected.
        ShapeError: sizes clash.
        UnsupportedError: it is read, but is no matrix expression.

    Examples:
        >>> read("A(BC)", where="B: 3 x 4").shape[0]
        Dim('m')
        >>> print(read("AB=BA"))
        AB = BA
    """
    from symlin.read.elaborate import elaborate
    from symlin.read.latex import parse
    from symlin.read.scope import construct_of
    from symlin.shapes import Draft

    reading = elaborate(parse(latex), _context(where))
    finish = reading.finish()
    found: list[Term | Statement] = []
    for clause in reading.clauses:
        if clause.links:
            found.extend(reading.statement(link, finish) for link in clause.links)
        elif isinstance(clause.value, Draft):
            found.append(finish.term(clause.value))
        elif clause.value is not None:
            what = construct_of(clause.value)
            raise UnsupportedError(what, f"{clause.text}: {what} is no matrix expression")
    if not found:
        raise ReadError("nothing to read", Place(latex, 0, len(latex)), "a formula")
    return found[0] if len(found) == 1 else tuple(found)


def write(value: Any, form: str = "latex", **options: Any) -> str:
    """A Term, a Statement, a result or a derivation (or a SymPy expression) as text of the given form.

    Args:
        value: what to write.
        form: ``latex``, ``text``, ``markdown`` or ``pretext``.
        options: passed to the writer (``style=`` for LaTeX).

    Examples:
        >>> write(read(r"A\\mathbf{b}_1"))
        'A\\\\mathbf{b}_1'
        >>> write(read("AB=BA"), "text")
        'AB = BA'
    """
    from symlin.write.formats import write_as

    return write_as(value, form, **options)


def derive(
    expression: Any,
    *,
    entry: str | tuple[DimLike, DimLike] | None = None,
    by: str | None = None,
    row: str | DimLike | None = None,
    column: str | DimLike | None = None,
    as_column: bool = False,
    forms: Sequence[str] | None = None,
    to: str | None = None,
    values: Mapping[Any, Any] | Sequence[str] | str = (),
    where: Sequence[str] | str = (),
    write_out: int | None = None,
) -> Any:
    r"""The entry formula of an expression, one of its rows or columns, or a view of it, as a derivation.

    Args:
        expression: LaTeX, a Term or a SymPy expression; m×n.
        entry: which entry, counted from 1: ``"i,j"`` or ``(2, 4)``.
        by: ``entries`` (the default), ``columns``, ``rows``, ``outer``, ``table`` or ``blocks``.
        row: which row, as a combination of rows; with ``as_column`` it is written as a column vector.
        column: which column, as a combination of columns.
        as_column: whether a row is written as a column vector.
        forms: the forms an entry goes through: ``dot``, ``row-column``, ``sum``.
        to: the form at which to stop.
        values: what names stand for: ``"S=QK^T"`` for LaTeX, or a mapping of Terms to Terms.
        where: declarations for LaTeX.
        write_out: sums over at most this many values are written out.

    Raises:
        ReadError, ShapeError, UnsupportedError: as `read`.

    Examples:
        >>> print(write(derive("AB", entry="i,j").result, "text"))
        Σ_{ℓ=1}^{n} a_{iℓ} b_{ℓj}
        >>> found = derive("S_{24}", values="S=QK^T", where="Q, K: 5 x 3", forms=["dot"], to="dot")
        >>> print(found.result)
        q_2·k_4
    """
    from symlin.derive.unfold import WRITE_OUT
    from symlin.derive.views import derive as derive_term

    if isinstance(expression, str):
        term, known = _with_values(expression, where, values)
    else:
        term, known = as_term(expression), _value_terms(values)
    place = _entry_place(entry)
    if term.op == "entry" and (entry, by, row, column) == (None, None, None, None):
        place = cast("tuple[DimLike, DimLike]", term.data)
        term = term.args[0]
    found = derive_term(
        term,
        entry=place,
        by=by,
        row=_one_index(row),
        column=_one_index(column),
        as_column=as_column,
        forms=forms,
        values=known,
        write_out=WRITE_OUT if write_out is None else write_out,
    )
    return found if to is None else found.to(to)


def _entry_place(entry: str | tuple[DimLike, DimLike] | None) -> tuple[DimLike, DimLike] | None:
    if entry is None or isinstance(entry, tuple):
        return entry
    parts = [part.strip().strip("()") for part in entry.split(",")]
    if len(parts) != 2:
        raise ReadError(
            f"{entry!r} is no entry", Place(entry, 0, len(entry)), "a row and a column such as i,j or 2,4"
        )
    return _index(parts[0]), _index(parts[1])


def _one_index(index: str | DimLike | None) -> DimLike | None:
    return _index(index.strip()) if isinstance(index, str) else index


def _with_values(
    expression: str, where: Sequence[str] | str, values: Mapping[Any, Any] | Sequence[str] | str
) -> tuple[Term, dict[Term, Term]]:
    """An expression in LaTeX, and what its names stand for."""
    from symlin.claims import definitions_for
    from symlin.proving import assume
    from symlin.read.elaborate import elaborate
    from symlin.read.latex import parse
    from symlin.shapes import Draft

    context = _context(where)
    if not isinstance(values, Mapping):
        for text in (values,) if isinstance(values, str) else values:
            assume(context, text)
    reading = elaborate(parse(expression), context)
    found = [clause.value for clause in reading.clauses if isinstance(clause.value, Draft)]
    if len(found) != 1 or len(reading.clauses) != 1 or reading.clauses[0].links:
        raise UnsupportedError("a relation", f"{expression}: derive takes one expression, not a relation")
    finish = reading.finish()
    term = finish.term(found[0])
    if isinstance(values, Mapping):
        return term, _value_terms(values)
    trial = context.trial()
    trial.sizes = reading.scope.sizes
    return term, dict(definitions_for((term,), trial, finish))


def _value_terms(values: Mapping[Any, Any] | Sequence[str] | str) -> dict[Term, Term]:
    if not isinstance(values, Mapping):
        if values:
            raise UnsupportedError("values", "values of a Term are a mapping of symbols to Terms")
        return {}
    return {as_term(symbol): as_term(value) for symbol, value in values.items()}


def _index(text: str) -> DimLike:
    return int(text) if text.isdigit() else text


@dataclass(frozen=True, slots=True)
class ShapeTable:
    """The sizes of a formula: names first, then every part, then domain and codomain of a map.

    Args:
        latex: the formula.
        names: name and shape.
        parts: subexpression as text, and shape.
        maps: map as text, domain and codomain sizes.
    """

    latex: str
    names: tuple[tuple[str, Shape], ...]
    parts: tuple[tuple[str, Shape], ...]
    maps: tuple[tuple[str, str, str], ...] = ()

    def text(self) -> str:
        """The table for a terminal."""
        rows = [*self.names, *self.parts]
        width = max((len(name) for name, _ in rows), default=0)
        lines = [f"{name:<{width}}  {size_text(shape)}" for name, shape in rows]
        lines += [f"{name}: ℝ^{domain} → ℝ^{codomain}" for name, domain, codomain in self.maps]
        return "\n".join(lines)

    def __str__(self) -> str:
        return self.text()

    def to_json(self) -> dict[str, object]:
        """The table as one JSON object."""
        return {
            "statement": self.latex,
            "names": {name: [str(dim) for dim in shape] for name, shape in self.names},
            "parts": [{"text": name, "shape": [str(dim) for dim in shape]} for name, shape in self.parts],
            "maps": [
                {"map": name, "domain": domain, "codomain": codomain} for name, domain, codomain in self.maps
            ],
        }

    def _repr_markdown_(self) -> str:
        lines = ["| part | size |", "|---|---|"]
        lines += [f"| {name} | {size_text(shape)} |" for name, shape in (*self.names, *self.parts)]
        return "\n".join(lines)


def shapes(statement: Any, *, where: Sequence[str] | str = ()) -> ShapeTable:
    r"""The shape of every name and subexpression, with domain and codomain of maps.

    Args:
        statement: LaTeX (an expression, a relation, ``\mathbf x\mapsto A(B\mathbf x)``), a Term or a Statement.
        where: declarations; what is not declared is inferred.

    Examples:
        >>> print(shapes("A(BC)", where="B: 3 x 4"))
        A      m×3
        B      3×4
        C      4×n
        BC     3×n
        A(BC)  m×n
    """
    if not isinstance(statement, str):
        sides = (statement.lhs, statement.rhs) if isinstance(statement, Statement) else (as_term(statement),)
        return _table(str(statement), sides, ())
    from symlin.read.elaborate import elaborate
    from symlin.read.latex import parse
    from symlin.read.scope import MapsTo
    from symlin.shapes import Draft

    reading = elaborate(parse(statement), _context(where))
    finish = reading.finish()
    terms: list[Term] = []
    maps: list[tuple[str, str, str]] = []
    for clause in reading.clauses:
        for value in (clause.value, *(side for link in clause.links for side in (link.lhs, link.rhs))):
            if isinstance(value, Draft):
                terms.append(finish.term(value))
            elif isinstance(value, MapsTo):
                body = finish.term(value.body)
                text = f"{finish.term(value.parameter)} ↦ {body}"
                entry = (text, str(finish.dim(value.parameter.rows)), str(body.rows))
                if entry not in maps:
                    maps.append(entry)
                    terms.append(body)
        for link in clause.links:
            if link.clash is not None:
                raise link.clash
    return _table(statement, tuple(terms), tuple(maps))


def _table(latex: str, terms: tuple[Term, ...], maps: tuple[tuple[str, str, str], ...]) -> ShapeTable:
    names: dict[str, Shape] = {}
    parts: dict[str, Shape] = {}
    for term in terms:
        for node in walk(term):
            if node.op == "symbol":
                names.setdefault(str(node), node.shape)
            elif node.op not in ("number", "size", "opaque"):
                parts.setdefault(str(node), node.shape)
    return ShapeTable(latex, tuple(sorted(names.items())), tuple(parts.items()), maps)


@dataclass(frozen=True, slots=True)
class Report:
    """The verdicts on a document, one row a formula."""

    rows: tuple[Any, ...]

    def count(self, verdict: str) -> int:
        """How many formulas have this verdict."""
        return sum(row.verdict == verdict for row in self.rows)

    @property
    def findings(self) -> tuple[Any, ...]:
        """The rows that need attention."""
        return tuple(
            row for row in self.rows if row.verdict in ("refuted", "unread", "unknown", "unsupported")
        )

    def __str__(self) -> str:
        lines = [f"{row.file}:{row.line}:{row.column}: {row.verdict}  {row.latex}" for row in self.findings]
        return "\n".join([*lines, f"{len(self.rows)} formulas, {self.count('refuted')} refuted"])

    def _repr_markdown_(self) -> str:
        lines = ["| line | formula | verdict | reason |", "|---|---|---|---|"]
        for row in self.findings:
            reason = row.reason.replace("\n", " ").replace("|", "\\|")
            lines.append(f"| {row.line} | ${row.latex}$ | {row.verdict} | {reason} |")
        return "\n".join([*lines, "", f"{len(self.rows)} formulas, {self.count('refuted')} refuted"])


def check(source: str | os.PathLike[str], *, text: bool = False) -> Report:
    """A verdict on every formula of a document.

    Args:
        source: path of a file (plain text, LaTeX, PreTeXt, Markdown), or the text itself with ``text=True``.
        text: whether `source` is the text of a document.

    Raises:
        ReadError: the file cannot be read as text.

    Examples:
        >>> report = check(r"Clearly \\(1+1=2\\), and \\(2\\cdot 3=5\\).", text=True)
        >>> [row.verdict for row in report.rows]
        ['holds', 'refuted']
    """
    from symlin.check import check_document
    from symlin.read.sources import read_document

    path = os.fspath(source)
    document = read_document("text", text=path) if text else read_document(path)
    return Report(tuple(check_document(document)))
