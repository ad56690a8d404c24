"""Formulas as JSON lines to verdicts as JSON lines, streaming.

Offers `check_lines`, which gives a row for each line in order, by as many processes as wanted; rests on `read.latex`,
`context` and `judge`.  Lines of one block that follow each other share a context; nothing else lasts, so that memory
stays flat however long the file is.
"""

from __future__ import annotations

import gzip
import json
import signal
import sys
import threading
import time
import zlib
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain
from typing import IO, TypeAlias

from symlin.context import Context
from symlin.errors import ReadError, SymlinError
from symlin.judge import Judgement, judge
from symlin.read.latex import parse
from symlin.read.syntax import Formula

Row: TypeAlias = dict[str, object]

SECONDS = 1.0
"""Time for one formula, reading and deciding together."""
PORTION = 64
"""Lines that a process gets at a time, more where a block is longer."""
AHEAD = 3
"""Portions in work or waiting for each process: enough to keep all busy, few enough to keep memory flat."""


@dataclass(frozen=True, slots=True)
class _Line:
    """A line of the file: `number` counts from 1, `problem` says why it holds no formula ("" when it does)."""

    number: int
    id: object = None
    latex: str = ""
    block: str | None = None
    context: tuple[str, ...] = ()
    problem: str = ""


def check_lines(
    lines: Iterable[bytes], *, jobs: int = 1, echo: bool = False, seconds: float = SECONDS
) -> Iterator[Row]:
    r"""A row for each line that is not blank, in order.

    Args:
        lines: JSON objects ``{"id", "latex", "block"?, "context"?: [latex, …]}`` as UTF-8.  Lines of one block that
            follow each other share a context; the formulas of ``context`` are read first.
        jobs: processes that share the work.
        echo: whether a row shows under ``read`` the formula as it was understood ("" for one that was not).
        seconds: time for one formula; what is not decided by then is ``unknown``.

    Yields:
        ``{"id", "verdict", "reason", "links"}``; for a line without a formula ``id`` is None where it has none, the
        verdict is ``unread``, and ``line`` tells its number.

    Examples:
        >>> rows = check_lines([b'{"id": 7, "latex": "1+1=3"}', b'{"id": 8}'])
        >>> [(row["id"], row["verdict"], row["reason"]) for row in rows]
        [(7, 'refuted', '1 + 1 is 2, but the right side is 3'), (8, 'unread', 'line 2: no "latex" with a formula in it')]
    """
    portions = _portions(_parsed(lines))
    if jobs == 1:
        return chain.from_iterable(_check(portion, echo, seconds) for portion in portions)
    return _side_by_side(portions, jobs, echo, seconds)


def _side_by_side(portions: Iterator[list[_Line]], jobs: int, echo: bool, seconds: float) -> Iterator[Row]:
    from concurrent.futures import Future, ProcessPoolExecutor

    waiting: deque[Future[list[Row]]] = deque()
    with ProcessPoolExecutor(jobs) as pool:
        try:
            for portion in portions:
                waiting.append(pool.submit(_checked, portion, echo, seconds))
                if len(waiting) >= AHEAD * jobs:
                    yield from waiting.popleft().result()
            while waiting:
                yield from waiting.popleft().result()
        finally:
            for future in waiting:
                future.cancel()


@contextmanager
def opened(path: str) -> Iterator[IO[bytes]]:
    """The lines of a file, of one that gzip has packed (``.gz``), or of standard input (``-``).

    Raises:
        ReadError: it cannot be read.
    """
    try:
        if path == "-":
            yield sys.stdin.buffer
            return
        with gzip.open(path, "rb") if path.endswith(".gz") else open(path, "rb") as file:
            yield file  # type: ignore[misc]  # a GzipFile is read as a file of bytes is
    except (OSError, EOFError, zlib.error) as error:
        if isinstance(error, BrokenPipeError):
            raise
        raise ReadError(f"{path} cannot be read: {getattr(error, 'strerror', None) or error}") from None


# --- lines --------------------------------------------------------------------------------------------------------


def _parsed(lines: Iterable[bytes]) -> Iterator[_Line]:
    for number, raw in enumerate(lines, start=1):
        text = raw.removeprefix(b"\xef\xbb\xbf") if number == 1 else raw
        if text.strip():
            yield _line(number, text)


def _line(number: int, raw: bytes) -> _Line:
    def bad(problem: str, id: object = None) -> _Line:
        return _Line(number, id, problem=f"line {number}: {problem}")

    try:
        record = json.loads(raw.decode("utf-8"))
    except UnicodeDecodeError as error:
        return bad(f"not UTF-8 (byte {error.start + 1} of the line)")
    except json.JSONDecodeError as error:
        return bad(f"no JSON: {error.msg} at column {error.colno}")
    except (RecursionError, ValueError):
        return bad("no JSON that can be read: nested too deeply, or a number of too many digits")
    if not isinstance(record, dict):
        return bad("a JSON object with an id and a formula under latex is expected")
    latex, block, context = record.get("latex"), record.get("block"), record.get("context")
    id = record.get("id")
    if not isinstance(latex, str):
        return bad('no "latex" with a formula in it', id)
    if context is not None and not (
        isinstance(context, list) and all(isinstance(one, str) for one in context)
    ):
        return bad('"context" must be a list of formulas', id)
    return _Line(number, id, latex, None if block is None else json.dumps(block), tuple(context or ()))


def _portions(lines: Iterator[_Line]) -> Iterator[list[_Line]]:
    """Lines by portions; a block is never divided."""
    portion: list[_Line] = []
    for line in lines:
        follows = portion and line.block is not None and line.block == portion[-1].block
        if len(portion) >= PORTION and not follows:
            yield portion
            portion = []
        portion.append(line)
    if portion:
        yield portion


# --- deciding -----------------------------------------------------------------------------------------------------


def _checked(portion: list[_Line], echo: bool, seconds: float) -> list[Row]:
    return list(_check(portion, echo, seconds))


def _check(portion: list[_Line], echo: bool, seconds: float) -> Iterator[Row]:
    context, block = Context(), None
    for line in portion:
        if line.block is None or line.block != block:
            context, block = Context(), line.block
        if line.problem:
            yield {
                "id": line.id,
                "verdict": "unread",
                "reason": line.problem,
                "links": [],
                "line": line.number,
            }
            continue
        for latex in line.context:
            _judged(latex, context, seconds)
        formula, judgement = _judged(line.latex, context, seconds)
        yield _row(line, formula, judgement, echo)


def _row(line: _Line, formula: Formula | None, judgement: Judgement, echo: bool) -> Row:
    row: Row = {
        "id": line.id,
        "verdict": judgement.verdict,
        "reason": judgement.reason,
        "links": [link.to_json() for link in judgement.links],
    }
    if echo:
        from symlin.read.echo import echo as written_back

        row["read"] = "" if formula is None else written_back(formula)
    return row


def _judged(latex: str, context: Context, seconds: float) -> tuple[Formula | None, Judgement]:
    """A formula read and judged within its time; the context learns from it."""
    formula: Formula | None = None
    started = time.monotonic()
    try:
        with _alarm(seconds):
            formula = parse(latex)
            left = seconds - (time.monotonic() - started)
            # The engines stop by themselves before the alarm, which cannot say what was left undone.
            return formula, judge(formula, context, budget=0.8 * left)
    except ReadError as error:
        return None, Judgement("unread", error.describe())
    except _TimeIsUpError:
        kind = "unread" if formula is None else "unknown"
        return formula, Judgement(kind, f"not decided within {seconds:g} s")  # type: ignore[arg-type]  # both are verdicts
    except SymlinError as error:
        return formula, Judgement("unknown", str(error))
    except RecursionError:
        return formula, Judgement(
            "unread" if formula is None else "unknown", "the formula is nested too deeply"
        )


class _TimeIsUpError(BaseException):
    """The time for a formula is over; not to be caught on the way as an engine's error would be."""


@contextmanager
def _alarm(seconds: float) -> Iterator[None]:
    """Stop what runs in the block once the time is over, wherever it is.

    Engines watch their budget, but what they rest on (SymPy, long integers) does not.  The alarm needs the main
    thread of a system that has one; elsewhere the budgets alone hold.
    """
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def ring(signum: int, frame: object) -> None:
        raise _TimeIsUpError

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
