"""Files, standard input and strings to documents: the door of the document readers.

Offers `read_document`, which decodes a file and picks the reader by extension and content, and `formulas`, which
lists the formulas of a document.  It rests on the readers of the formats, loaded when needed; it knows no format.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import cast

from symlin.errors import ReadError
from symlin.read.document import Document, Piece

#: The formats and the modules that read them (each has ``read(text, path) -> Document``).
READERS = {
    "text": "symlin.read.text",
    "tex": "symlin.read.tex",
    "pretext": "symlin.read.pretext",
    "markdown": "symlin.read.markdown",
}
_EXTENSIONS = {
    ".ptx": "pretext",
    ".xml": "pretext",
    ".tex": "tex",
    ".ltx": "tex",
    ".md": "markdown",
    ".markdown": "markdown",
    ".txt": "text",
    ".text": "text",
}
#: What is no document of ours, and what to do with it.
_ELSEWHERE = {
    ".ipynb": "a notebook; export it first (jupyter nbconvert --to markdown)",
    ".html": "a web page; save it as text, or check its source",
    ".htm": "a web page; save it as text, or check its source",
    ".pdf": "a PDF; check its source",
}


def read_document(path: str, *, text: str | None = None, format: str | None = None) -> Document:
    r"""Read a document.

    Args:
        path: a file, or ``-`` for standard input; with `text` only the name under which it is reported.
        text: the text itself, when it is at hand.
        format: ``text``, ``tex``, ``pretext`` or ``markdown``; found out when not given.

    Returns:
        The document: its pieces in reading order.

    Raises:
        ReadError: the file is missing, no file, or no UTF-8 text; or it is XML that is not well-formed.

    Examples:
        >>> document = read_document("notes.md", text="The product $AB$ is $$C.$$")
        >>> document.format, [piece.text for piece in formulas(document)]
        ('markdown', ['AB', 'C.'])
    """
    if format is not None and format not in READERS:
        raise ReadError(f"{format!r} is not a format that symlin reads", None, f"one of {', '.join(READERS)}")
    content = _load(path) if text is None else text
    content = content.removeprefix("\ufeff")
    reader = import_module(READERS[format or _format(path, content)])
    return cast(Callable[[str, str], Document], reader.read)(content, path)


def formulas(document: Document) -> tuple[Piece, ...]:
    """The formulas of a document, inline and display, in reading order.

    Examples:
        >>> formulas(read_document("-", text="no formula", format="text"))
        ()
    """
    return tuple(piece for piece in document.pieces if piece.kind in ("inline", "display"))


def _load(path: str) -> str:
    """The text of a file or of standard input."""
    if path == "-":
        return _decode(sys.stdin.buffer.read(), "standard input")
    file = Path(path)
    try:
        return _decode(file.read_bytes(), path)
    except FileNotFoundError:
        raise ReadError(f"{path}: there is no such file") from None
    except IsADirectoryError:
        raise ReadError(f"{path}: this is a directory", None, "a file") from None
    except OSError as error:
        raise ReadError(f"{path}: cannot be read ({error.strerror or error})") from None
    except ValueError as error:
        raise ReadError(f"{path!r}: this cannot be the name of a file ({error})") from None


def _decode(data: bytes, name: str) -> str:
    """UTF-8 to text, or an error that says where the first wrong byte stands."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise ReadError(f"{name}: this is UTF-16 text; save it as UTF-8 (iconv -f UTF-16 -t UTF-8)")
    if b"\0" in data:
        at = data.index(b"\0")
        raise ReadError(
            f"{name}: this is no text: byte {at} (counted from 0) is zero; give a UTF-8 text file"
        )
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = data[: error.start]
        line = before.count(b"\n") + 1
        raise ReadError(
            f"{name}: byte {error.start} (counted from 0, line {line}) is 0x{data[error.start]:02x}, which is not "
            f"UTF-8; if the file is Latin-1, convert it: iconv -f ISO-8859-1 -t UTF-8"
        ) from None


def _format(path: str, text: str) -> str:
    """The format by extension, else by content."""
    known = _EXTENSIONS.get(Path(path).suffix.lower()) if path != "-" else None
    if known is not None:
        return known
    head = text[:5000].lstrip()
    page = head[:200].lower().startswith(("<!doctype html", "<html"))
    elsewhere = _ELSEWHERE.get(".html" if page else Path(path).suffix.lower())
    if elsewhere is not None:
        raise ReadError(f"{path}: this is {elsewhere}")
    if head.startswith("<") and not head.startswith("<!-- symlin:"):
        return "pretext"
    if "\\documentclass" in head or "\\begin{document}" in head or "\\section{" in head:
        return "tex"
    return "text"
