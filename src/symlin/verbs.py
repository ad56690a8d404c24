"""The public verbs: what a notebook types first.

Offers `check`, `prove`, `derive`, `shapes`, `read`, `write`, and `matrix`, `vector`, `scalar` for generic objects;
rests on the layers below and adds nothing to them but the doors: LaTeX, Terms and SymPy are accepted alike.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

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
    where: Sequence[str] | str = (),
) -> Any:
    """The entry formula of an expression, or a view of a product, as a derivation.

    Args:
        expression: LaTeX, a Term or a SymPy expression; m×n.
        entry: which entry, counted from 1: ``"i,j"`` or ``(2, 4)``.
        by: ``entries``, ``columns``, ``rows`` or ``outer`` (the default is entries).
        where: declarations for LaTeX.

    Raises:
        ReadError, ShapeError, UnsupportedError: as `read`.

    Examples:
        >>> print(write(derive("AB", entry="i,j").result, "text"))
        Σ_{ℓ=1}^{n} a_{iℓ} b_{ℓj}
    """
    from symlin.derive.views import derive as derive_term

    term = read(expression, where=where) if isinstance(expression, str) else as_term(expression)
    if not isinstance(term, Term):
        raise UnsupportedError("a relation", f"{expression}: derive takes an expression, not a relation")
    place: tuple[DimLike, DimLike] | None = None
    if isinstance(entry, tuple):
        place = entry
    elif entry is not None:
        parts = [part.strip().strip("()") for part in entry.split(",")]
        if len(parts) != 2:
            raise ReadError(
                f"{entry!r} is no entry", Place(entry, 0, len(entry)), "a row and a column such as i,j or 2,4"
            )
        place = (_index(parts[0]), _index(parts[1]))
    return derive_term(term, entry=place, by=by)


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
