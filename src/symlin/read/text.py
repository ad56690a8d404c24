r"""Plain text that carries LaTeX between delimiters: the reader for ``.txt`` and whatever else is running text.

Offers `read`; headings, list items and listings are recognised as a reader would, without markup.  It rests on
`delimiters` (where formulas stand), `listings` (what is code) and `flow` (paragraphs); it reads no formula.
"""

from __future__ import annotations

import re

from symlin.read.assemble import Assembly
from symlin.read.delimiters import Rules, find_formulas
from symlin.read.document import Document
from symlin.read.flow import Code, Running, flow, outside
from symlin.read.listings import find_listings
from symlin.read.positions import blank_out

#: Lines that hold nothing but the sign of a permanent link, which web pages print after each paragraph.
_MARKS = re.compile(r"^[ \t]*[\U0001F517¶⚓§\uFE0E\uFE0F]+[ \t]*(?=\r?$)", re.MULTILINE)
_RULES = Rules(money=True)


def read(text: str, path: str = "") -> Document:
    r"""Read a plain text.

    Args:
        text: the text of the file.
        path: its path, as it is to be reported.

    Examples:
        >>> document = read("Example 3.\n\nLet \\(A\\) be \\(2\\times 2\\text{.}\\)")
        >>> [(piece.kind, piece.text, piece.column) for piece in document.pieces]
        [('prose', 'Let', 1), ('inline', 'A', 7), ('prose', 'be', 11), ('inline', '2\\times 2\\text{.}', 16)]
        >>> document.pieces[1].block.kind
        'example'
    """
    assembly = Assembly(text, path, "text")
    marks = [(found.start(), found.end()) for found in _MARKS.finditer(text)]
    masked = blank_out(text, marks) if marks else text
    found = find_formulas(masked, _RULES)
    displays = [(span.start, span.end) for span in found.spans if span.kind == "display" and span.closed]
    codes = [
        Code(each.kind, each.start, each.end, text[each.start : each.end], each.start)
        for each in find_listings(masked, displays)
    ]
    spans, complaints = outside(codes, found.spans, found.complaints)
    flow(assembly, Running(masked, spans, codes, [start for start, _ in marks]))
    for offset, message in complaints:
        assembly.complain(offset, message)
    return assembly.document()
