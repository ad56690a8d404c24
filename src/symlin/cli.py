"""The command line: `symlin check`, `batch`, `prove`, `derive`, `shapes`, `doctor`.

Offers `main`; rests on the verbs of the package and on click.  Bad input gives a message and an exit code, never a
traceback; heavy parts are imported by the command that needs them.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from symlin.errors import BudgetError, ProofError, ReadError, ShapeError, SymlinError, UnsupportedError

if TYPE_CHECKING:
    from symlin.check import Row
    from symlin.proving import Result

EXIT_BAD_INPUT = 2
EXIT_UNDECIDED = 3
Command = TypeVar("Command", bound=Callable[..., Any])

COLOURS = {
    "proved": "green",
    "holds": "green",
    "refuted": "red",
    "unread": "magenta",
    "unknown": "yellow",
    "unsupported": "cyan",
}


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="symlin")
def cli() -> None:
    """symlin checks, proves and derives the matrix mathematics of a text.

    \b
    symlin check chapter.ptx            a verdict on every formula
    symlin batch formulas.jsonl         the same for formulas as JSON lines
    symlin prove '(AB)^T=B^TA^T'        a proof for all sizes, or a counterexample
    symlin derive 'AB' --entry i,j      the entry formula, step by step
    symlin shapes 'A(B+C)'              the size of every name and part
    """


def _where(command: Command) -> Command:
    return click.option(
        "--where",
        "where",
        multiple=True,
        metavar="DECL",
        help="What names mean: 'A, B: m x n', 'x: n', 'r: scalar', 'Q: L x d rows'.  May be repeated.",
    )(command)


@cli.command()
@click.argument("paths", nargs=-1, required=True, metavar="PATH…")
@click.option(
    "--format", "form", type=click.Choice(["text", "jsonl"]), default="text", help="How to print verdicts."
)
@click.option("--strict", is_flag=True, help="Exit with 3 when something is unread, unknown or unsupported.")
@click.option("--jobs", type=click.IntRange(1), default=1, help="Files checked side by side.")
@click.option("--all", "show_all", is_flag=True, help="Show every formula, not only what needs attention.")
def check(paths: tuple[str, ...], form: str, strict: bool, jobs: int, show_all: bool) -> None:
    """Give every formula of the documents PATH… a verdict.

    Reads plain text, LaTeX, PreTeXt and Markdown; `-` is standard input.  Exit codes: 0 nothing refuted, 1 something
    refuted, 2 a file could not be read, 3 (with --strict) something was not decided.
    """
    code = 0
    counts: dict[str, int] = {}
    for path, outcome in _checked(paths, jobs):
        if isinstance(outcome, SymlinError):
            click.echo(f"{path}: {outcome}", err=True)
            code = EXIT_BAD_INPUT
            continue
        for row in outcome:
            counts[row.verdict] = counts.get(row.verdict, 0) + 1
            if form == "jsonl":
                click.echo(json.dumps(row.to_json(), ensure_ascii=False))
            elif show_all or row.verdict in ("refuted", "unread", "unknown", "unsupported"):
                _show_row(row)
    if form == "text":
        _summary(counts)
    sys.exit(code or _check_code(counts, strict))


def _checked(paths: tuple[str, ...], jobs: int) -> Iterable[tuple[str, list[Row] | SymlinError]]:
    if jobs == 1 or len(paths) == 1:
        return ((path, _check_one(path)) for path in paths)
    from concurrent.futures import ProcessPoolExecutor

    with ProcessPoolExecutor(jobs) as pool:
        return list(zip(paths, pool.map(_check_one, paths), strict=True))


def _check_one(path: str) -> list[Row] | SymlinError:
    from symlin.check import check_file

    try:
        return check_file(path)
    except SymlinError as error:
        return error


def _check_code(counts: dict[str, int], strict: bool) -> int:
    if counts.get("refuted"):
        return 1
    if strict and any(counts.get(kind) for kind in ("unread", "unknown", "unsupported")):
        return EXIT_UNDECIDED
    return 0


def _show_row(row: Row) -> None:
    latex = " ".join(row.latex.split())
    if len(latex) > 100:
        latex = latex[:99] + "…"
    where = click.style(f"{row.file}:{row.line}:{row.column}:", bold=True)
    verdict = click.style(row.verdict, fg=COLOURS.get(row.verdict), bold=True)
    click.echo(f"{where} {verdict}  {latex}")
    if row.reason:
        for line in row.reason.splitlines():
            click.echo(f"    {line}")


def _summary(counts: dict[str, int]) -> None:
    total = sum(counts.values())
    order = (
        "refuted",
        "unread",
        "unknown",
        "unsupported",
        "condition",
        "definition",
        "holds",
        "proved",
        "expression",
    )
    parts = [
        click.style(f"{counts[kind]} {kind}", fg=COLOURS.get(kind)) for kind in order if counts.get(kind)
    ]
    noun = "formula" if total == 1 else "formulas"
    click.echo(f"{total} {noun}" + (": " + ", ".join(parts) if parts else ""))


@cli.command()
@click.argument("path", metavar="FILE")
@click.option("--jobs", type=click.IntRange(1), default=1, help="Processes that share the work.")
@click.option("--echo", is_flag=True, help="Add to each row under 'read' the formula as it was understood.")
@click.option("--strict", is_flag=True, help="Exit with 3 when something is unread, unknown or unsupported.")
def batch(path: str, jobs: int, echo: bool, strict: bool) -> None:
    """Give every formula of the JSON lines in FILE (plain or .gz; - for standard input) a verdict.

    A line is {"id", "latex", "block"?, "context"?}: lines of one block share their context, "context" lists
    formulas to be read first.  Prints a JSON object a line, in order.  Exit codes: 0 nothing refuted, 1 something
    refuted, 2 the file or one of its lines could not be read, 3 (with --strict) something was not decided.
    """
    from symlin.batch import check_lines, opened

    counts: dict[str, int] = {}
    bad = 0
    with opened(path) as lines:
        for row in check_lines(lines, jobs=jobs, echo=echo):
            click.echo(json.dumps(row, ensure_ascii=False))
            if "line" in row:
                bad += 1
            else:
                counts[str(row["verdict"])] = counts.get(str(row["verdict"]), 0) + 1
    if bad:
        click.echo(f"symlin: {bad} of the lines hold no formula (their rows have the key 'line')", err=True)
    sys.exit(EXIT_BAD_INPUT if bad else _check_code(counts, strict))


@cli.command()
@click.argument("statement")
@_where
@click.option(
    "--given",
    multiple=True,
    metavar="EQUATION",
    help="An equation that is assumed, such as 'AB=BA' or 'H=\\alpha V'.  May be repeated.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "latex", "markdown", "pretext", "json"]),
    default="text",
    help="Output format.",
)
@click.option(
    "--budget",
    type=float,
    default=10.0,
    metavar="SECONDS",
    help="Time for the search for a proof and for a counterexample.",
)
@click.option("--explain", is_flag=True, help="Say in a sentence why a refuted statement fails.")
def prove(
    statement: str, where: tuple[str, ...], given: tuple[str, ...], form: str, budget: float, explain: bool
) -> None:
    """Prove STATEMENT (LaTeX) for all values and sizes, or refute it with a smallest counterexample.

    Exit codes: 0 proved, 1 refuted, 2 bad input or a shape clash, 3 unknown or unsupported.
    """
    from symlin.proving import prove as decide_statement
    from symlin.write.result import render

    try:
        result = decide_statement(_argument(statement), where=where, given=given, budget=budget)
    except (UnsupportedError, BudgetError) as error:
        if form == "json":
            click.echo(
                json.dumps(
                    {"verdict": "unsupported", "statement": statement, "reason": str(error)},
                    ensure_ascii=False,
                )
            )
        else:
            click.echo(f"unsupported: {error}")
        sys.exit(EXIT_UNDECIDED)
    click.echo(_stored(result, where, given) if form == "json" else render(result, form, explain=explain))
    sys.exit({"proved": 0, "holds": 0, "refuted": 1}.get(result.verdict, EXIT_UNDECIDED))


def _stored(result: Result, where: tuple[str, ...], given: tuple[str, ...]) -> str:
    """The one JSON object of `prove`: the stored proof, with the verdicts of the links and the steps for a reader."""
    from symlin.proof_file import store
    from symlin.write.result import result_record

    record = result_record(result)
    record["derivation"] = record.pop("steps")
    record.update({"names": list(where), "hypotheses": list(given), "steps": []})
    if result.verdict in ("proved", "holds"):
        try:
            record.update(store(result.source, result.verdicts, where=where, given=given))
        except ProofError as error:
            # A rounding, say, is exact arithmetic that the kernel has no rule for: the verdict stands, without steps.
            record["unstored"] = str(error)
    return json.dumps(record, ensure_ascii=False)


@cli.command()
@click.argument("path", metavar="FILE")
def verify(path: str) -> None:
    """Check a stored proof (FILE, or - for standard input) with the kernel alone.

    Prints the statement from the kernel's own theorem.  Exit codes: 0 accepted, 1 rejected, 2 not a proof file.
    """
    from symlin.proof_file import NotAProofError
    from symlin.proof_file import verify as check_proof

    try:
        verified = check_proof(_read_file(path))
    except NotAProofError as error:
        click.echo(f"{path}: {error}", err=True)
        sys.exit(EXIT_BAD_INPUT)
    except ProofError as error:
        click.echo(f"{path}: rejected: {error}")
        sys.exit(1)
    click.echo(f"accepted: {verified.text()}")


def _read_file(path: str) -> str:
    if path == "-":
        return _argument("-")
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except OSError as error:
        raise ReadError(f"{path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise ReadError(f"{path} is not UTF-8 (byte {error.start})") from None


@cli.command()
@click.argument("expression")
@_where
@click.option("--entry", metavar="I,J", help="The entry to derive, counted from 1: 'i,j' or '2,4'.")
@click.option("--row", metavar="I", help="The row to derive, as a combination of rows.")
@click.option("--column", metavar="J", help="The column to derive, as a combination of columns.")
@click.option("--as-column", is_flag=True, help="Write the row as a column vector.")
@click.option(
    "--by",
    type=click.Choice(["entries", "columns", "rows", "outer", "table", "blocks"]),
    help="The view: outer products, a table of dot products, blocks …",
)
@click.option(
    "--value",
    "values",
    multiple=True,
    metavar="NAME=EXPR",
    help="What a name stands for: 'S=QK^T', or a matrix of numbers.  May be repeated.",
)
@click.option(
    "--through",
    "forms",
    multiple=True,
    type=click.Choice(["dot", "row-column", "sum"]),
    help="A form that the entry goes through.  May be repeated.",
)
@click.option("--to", metavar="FORM", help="Stop at this form: dot, row-column, sum, combination, value …")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "latex", "markdown", "pretext", "json"]),
    default="text",
    help="Output format.",
)
def derive(
    expression: str, form: str, values: tuple[str, ...], forms: tuple[str, ...], **options: Any
) -> None:
    """Derive the entry formula of EXPRESSION (LaTeX), one of its rows or columns, or a view of it.

    Every step has a reason; with --format json also the verdict of the engines on it.
    """
    from symlin.verbs import derive as derive_expression

    derivation = derive_expression(_argument(expression), values=values, forms=forms or None, **options)
    click.echo(derivation.render(form))


@cli.command()
@click.argument("statements", nargs=-1, required=True, metavar="STATEMENT…")
@_where
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", help="Output format.")
def shapes(statements: tuple[str, ...], where: tuple[str, ...], form: str) -> None:
    """Show the size of every name and part of STATEMENT… (LaTeX)."""
    from symlin.verbs import shapes as shapes_of

    for statement in statements:
        table = shapes_of(_argument(statement), where=where)
        click.echo(json.dumps(table.to_json(), ensure_ascii=False) if form == "json" else table.text())


@cli.command()
def doctor() -> None:
    """Say which optional parts are there, and how to get the rest."""
    from symlin.doctor import findings

    for finding in findings():
        mark = click.style("ok     ", fg="green") if finding.present else click.style("missing", fg="yellow")
        click.echo(f"{mark} {finding.name}: {finding.note}")


def _argument(text: str) -> str:
    if text != "-":
        return text
    try:
        return sys.stdin.buffer.read().decode("utf-8").strip()
    except UnicodeDecodeError as error:
        raise ReadError(f"standard input is not UTF-8 (byte {error.start})") from None


def main(arguments: list[str] | None = None) -> None:
    """Run the command line; every SymlinError becomes a message on standard error and exit code 2."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8")
    try:
        cli.main(args=arguments, prog_name="symlin", standalone_mode=False)
    except click.exceptions.Abort:
        sys.exit(130)
    except click.ClickException as error:
        error.show()
        sys.exit(EXIT_BAD_INPUT)
    except (ReadError, ShapeError, SymlinError) as error:
        click.echo(f"symlin: {error}", err=True)
        sys.exit(EXIT_BAD_INPUT)
    except RecursionError:
        click.echo("symlin: the input is nested too deeply", err=True)
        sys.exit(EXIT_BAD_INPUT)
    except BrokenPipeError:
        # The reader of our output has gone (symlin … | head): nothing is left to say.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
