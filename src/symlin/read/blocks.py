"""The kinds of block that documents have, whatever their format calls them.

Offers the tables of divisions, theorem-like blocks and attached blocks (solution, proof …) and the words that name
them.  It rests on nothing; which kind gives its values to which is for `context` to say.
"""

from __future__ import annotations

from collections.abc import Mapping


def words(text: str) -> frozenset[str]:
    """A set of words, written as a text.

    Examples:
        >>> sorted(words("theorem lemma"))
        ['lemma', 'theorem']
    """
    return frozenset(text.split())


#: Divisions and how deep they stand.
DIVISIONS: Mapping[str, int] = {
    "part": 0,
    "chapter": 1,
    "appendix": 1,
    "section": 2,
    "subsection": 3,
    "subsubsection": 4,
    "paragraphs": 5,
}
_STATEMENTS = words(
    "theorem lemma corollary proposition claim fact identity conjecture axiom principle property algorithm definition"
)
_TASKS = words(
    "activity exercise example exploration investigation project problem question task checkpoint practice quiz"
)
_REMARKS = words(
    "notation convention remark note warning caution observation insight assumption assemblage tip"
)
#: Blocks that have their own number or heading.
NUMBERED = _STATEMENTS | _TASKS | _REMARKS
#: Blocks that belong to another one, and the kinds that they belong to.
ATTACHED: Mapping[str, frozenset[str]] = {
    "proof": _STATEMENTS,
    "solution": _TASKS,
    "answer": _TASKS,
    "hint": _TASKS,
}
#: Blocks that stand in others without being a block that can own a solution.
INNER = frozenset({"statement", "introduction", "conclusion"})
#: Deepest nesting of blocks that is kept; what is nested deeper stands in the last one kept.
DEEPEST = 48
