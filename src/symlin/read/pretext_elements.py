"""What the elements of PreTeXt are to a reader of mathematics: blocks, paragraphs, displays, code, or nothing.

Offers tables that `pretext` follows.  It rests on `blocks`; an element that stands in no table is transparent: its
words and formulas belong to what it stands in.
"""

from __future__ import annotations

from collections.abc import Mapping

from symlin.read.blocks import ATTACHED, DIVISIONS, INNER, NUMBERED, words

#: Elements that hold a display.
DISPLAYS = frozenset({"me", "men", "md", "mdn"})
#: Elements whose title is that of the document.
TITLED = frozenset({"book", "article", "slideshow", "letter", "memo"})
_SPECIAL_DIVISIONS = words(
    "exercises worksheet handout reading-questions solutions references glossary preface acknowledgement biography "
    "dedication subexercises slide"
)
_OTHER_BLOCKS = words(
    "exercisegroup openproblem openquestion openconjecture hypothesis heuristic computation technology data aside "
    "biographical historical objectives outcomes discussion case choice feedback prelude interlude postlude"
)
#: Elements that are blocks, and the kinds of block.
BLOCKS: Mapping[str, str] = {
    each: each for each in [*DIVISIONS, *NUMBERED, *ATTACHED, *INNER, *_SPECIAL_DIVISIONS, *_OTHER_BLOCKS]
}
#: Elements that are paragraphs of their own.
PARAGRAPHS = words(
    "p cell caption line subtitle shorttitle creator cline attribution shortdescription description instructions "
    "headnote premise response"
)
#: Elements that are not read: indexes, metadata, programs that draw, what only a machine reads.
SKIPPED = words(
    "idx notation bibinfo metadata latex-image latex-image-preamble asymptote sageplot prefigure tikz pg-code "
    "pg-macros script style slate rename cross-references setup tests stdin url-visual initialism "
    "html5 document-id website blurb feedback-link numeric-evaluation evaluation shorttitle plaintitle image-preamble"
)
#: Elements that hold code, and the elements in which they do so ("" for everywhere).
CODE: Mapping[str, frozenset[str]] = {
    "program": frozenset(),
    "code": frozenset({"program"}),
    "pre": frozenset(),
    "cd": frozenset(),
    "input": frozenset({"sage", "console", "program"}),
    "output": frozenset({"sage", "console"}),
}
#: Elements inside a formula that are blanks or values unknown here.
BLANKS = frozenset({"fillin", "var"})
#: Elements that stand for characters in running text.
CHARACTERS: Mapping[str, str] = {
    "nbsp": " ",
    "ndash": "–",
    "mdash": "—",
    "ellipsis": "…",
    "times": "×",
    "minus": "−",
    "solidus": "/",
    "degree": "°",
    "prime": "′",
    "plusminus": "±",
    "fillin": "____",
    "lsq": "‘",
    "rsq": "’",
    "lq": "“",
    "rq": "”",
    "latex": "LaTeX",
    "tex": "TeX",
    "pretext": "",
}
