r"""What belongs together: which bar closes which, brackets that a line break cut in two, angle brackets of signs.

Offers `pair`, a pass over the tokens of a formula; rests on `lexer` and `latex_tables`.  After it every bar is an
opening or a closing delimiter, the bar of a set or of an augmented matrix, or an evaluation bar; it parses nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from symlin.read import latex_tables as tables
from symlin.read.lexer import Token

EVALUATION = "evaluated"
"""The text of a bar that closes nothing and has a script: ``f|_{x=0}``."""


@dataclass(slots=True)
class _Frame:
    """What is open: a brace, a bracket, an environment; the bars in it that nothing has closed yet."""

    kind: str
    bars: list[int] = field(default_factory=list)


def pair(tokens: list[Token]) -> list[Token]:
    """The tokens with every bar and every pair of ``<`` and ``>`` made plain.

    Examples:
        >>> from symlin.read.lexer import tokenize
        >>> [token.kind for token in pair(tokenize("|a||b|"))]
        ['open', 'letter', 'close', 'open', 'letter', 'close', 'end']
    """
    tokens = _angles(_bare(_rejoined(tokens)))
    if any(token.kind == "bar" for token in tokens):
        return _Bars(tokens).run()
    return tokens


def ends_operand(token: Token) -> bool:
    """Whether an operand may end with a token."""
    if token.kind in ("letter", "number", "close", "words", "finish"):
        return True
    if token.kind == "command":
        return not _is_sign(token.text) and token.text not in tables.QUADS
    return token.text in ("}", "'", "!", "*", "?")


def begins_operand(token: Token) -> bool:
    """Whether an operand may begin with a token."""
    if token.kind in ("letter", "number", "open", "words", "begin", "bar"):
        return True
    if token.kind == "command":
        return not _is_sign(token.text) and token.text not in tables.QUADS
    return token.text == "{"


def _is_sign(text: str) -> bool:
    return (
        text in tables.RELATIONS
        or text in tables.ADDITIVE
        or text in tables.MULTIPLICATIVE
        or text in tables.LABELLED_ARROWS
        or text in (r"\not", r"\mid")
    )


def is_blank(token: Token) -> bool:
    """Whether a token is only space: a quad, a cell boundary, a line break."""
    return token.kind == "mark" or token.text in _BLANKS


_BLANKS = frozenset({"&", *tables.QUADS})


def is_relation(tokens: list[Token], at: int) -> bool:
    r"""Whether a relation begins at a place: a sign, ``\not``, a labelled arrow, or ``\overset{?}{=}``."""
    token = tokens[at]
    if token.kind not in ("char", "command"):
        return False
    if token.text in tables.RELATIONS or token.text in _RELATION_COMMANDS:
        return True
    return token.text in tables.STACKED and stacked_relation(tokens, at) is not None


_RELATION_COMMANDS = frozenset({r"\not", *tables.LABELLED_ARROWS})


def stacked_relation(tokens: list[Token], at: int) -> tuple[int, int] | None:
    r"""Where the relation sign under or over which something is set stands, and where all of it ends.

    It is the place of ``=`` in ``\overset{?}{=}``, also in ``\overset{f}{\underset{g}{=}}``; None for anything else.
    """
    place = _after_argument(tokens, at + 1)
    braced = place < len(tokens) and tokens[place].text == "{"
    place += braced
    if place >= len(tokens) or tokens[place].kind not in ("char", "command"):
        return None
    if braced and tokens[place].text in tables.STACKED:
        inner = stacked_relation(tokens, place)
        if inner is None:
            return None
        place, end = inner
    elif tokens[place].text in tables.RELATIONS:
        end = place + 1
    else:
        return None
    if braced and (end >= len(tokens) or tokens[end].text != "}"):
        return None
    return place, end + braced


def _after_argument(tokens: list[Token], at: int) -> int:
    """The place after an argument: a group in braces or one token."""
    depth = 0
    for place in range(at, len(tokens)):
        text = tokens[place].text
        depth += (text == "{") - (text == "}")
        if depth <= 0:
            return place + 1
    return len(tokens)


def relation_end(tokens: list[Token], at: int) -> int:
    """The place after the relation at a place, with the labels of an arrow."""
    text = tokens[at].text
    if text in tables.STACKED:
        found = stacked_relation(tokens, at)
        return at + 1 if found is None else found[1]
    if text not in tables.LABELLED_ARROWS:
        return at + 1
    depth = 0
    for place in range(at + 1, len(tokens)):
        token = tokens[place]
        if (depth == 0 and token.text not in ("[", "{")) or is_blank(token):
            return place
        depth += (token.kind == "open" or token.text == "{") - (token.kind == "close" or token.text == "}")
        if depth == 0 and token.text == "}":
            return place + 1
    return len(tokens)


def leave_frame(frames: list[str], opening: str) -> None:
    """Close the innermost frame of a kind and what is open in it; a bracket never closes more than itself."""
    if opening == "open":
        if frames and frames[-1] in ("open", "label"):
            frames.pop()
    elif opening in frames:
        while frames.pop() != opening:
            pass


def _rejoined(tokens: list[Token]) -> list[Token]:
    r"""Without ``\right. \\ \left.``, which only cuts one pair of brackets at a line break."""
    if not any(token.sized and token.text == "." for token in tokens):
        return tokens
    kept: list[Token] = []
    at = 0
    while at < len(tokens):
        token = tokens[at]
        if token.kind == "close" and token.text == "." and token.sized:
            after = at + 1
            while is_blank(tokens[after]):
                after += 1
            following = tokens[after]
            if after > at + 1 and following.kind == "open" and following.text == "." and following.sized:
                at = after + 1
                continue
        kept.append(token)
        at += 1
    return kept


def _bare(tokens: list[Token]) -> list[Token]:
    """Without braces that only set the space round an operator: ``a {}+{} b``, ``a {=} b``."""
    kept: list[Token] = []
    at = 0
    while at < len(tokens):
        if tokens[at].text == "{" and tokens[at].kind == "char" and (not kept or _takes_nothing(kept[-1])):
            spacing = (
                not kept
                or kept[-1].text not in ("}", "]")
                or _is_sign_token(tokens[min(at + 2, len(tokens) - 1)])
            )
            if spacing and tokens[at + 1].text == "}" and tokens[at + 2].text not in ("_", "^"):
                at += 2
                continue
            if tokens[at + 2 :] and tokens[at + 2].text == "}" and _is_sign_token(tokens[at + 1]):
                kept.append(tokens[at + 1])
                at += 3
                continue
        kept.append(tokens[at])
        at += 1
    return kept


def _takes_nothing(token: Token) -> bool:
    """Whether a token takes no argument, so that braces after it are no argument of its."""
    if token.kind == "command":
        known = token.text in tables.LETTERS or token.text in tables.SYMBOLS or token.text in tables.DOTS
        return known or (_is_sign(token.text) and token.text not in _RELATION_COMMANDS) or is_blank(token)
    return token.text not in ("_", "^", "{")


def _is_sign_token(token: Token) -> bool:
    return token.kind in ("char", "command") and _is_sign(token.text) and token.text not in _RELATION_COMMANDS


def _angles(tokens: list[Token]) -> list[Token]:
    r"""``\lt u,v \gt`` where an operand is due is an inner product: angle brackets, not relations."""
    if not any(token.text in ("<", r"\lt") for token in tokens):
        return tokens
    changed = list(tokens)
    for at, token in enumerate(tokens):
        if token.text not in ("<", r"\lt") or token.kind not in ("char", "command"):
            continue
        if at and (ends_operand(tokens[at - 1]) or is_blank(tokens[at - 1])):
            continue
        closing = _closing_angle(tokens, at)
        if closing:
            changed[at] = token._replace(kind="open", text=r"\langle")
            changed[closing] = tokens[closing]._replace(kind="close", text=r"\rangle")
    return changed


def _closing_angle(tokens: list[Token], at: int) -> int:
    """The ``>`` that closes a ``<``, with one comma and no relation between them; 0 for none."""
    depth = commas = 0
    for place in range(at + 1, min(at + 200, len(tokens))):
        token = tokens[place]
        if token.kind in ("open", "begin") or token.text == "{":
            depth += 1
        elif token.kind in ("close", "finish") or token.text == "}":
            depth -= 1
            if depth < 0:
                return 0
        elif depth == 0 and token.text in (">", r"\gt"):
            return place if commas == 1 else 0
        elif depth == 0 and token.text in ("<", r"\lt", "=", "&", "\\\\"):
            return 0
        elif depth == 0 and token.text == ",":
            commas += 1
    return 0


class _Bars:
    """A walk that matches bars inside each frame of braces, brackets and cells."""

    def __init__(self, tokens: list[Token]) -> None:
        self.tokens = list(tokens)
        self.frames = [_Frame("top")]

    def run(self) -> list[Token]:
        for at, token in enumerate(self.tokens):
            step = _STEPS.get(token.kind) or _STEPS.get(token.text)
            if step is not None:
                step(self, at, token)
        while self.frames:
            self.leave()
        return self.tokens

    def enter(self, at: int, token: Token) -> None:
        kind = {"begin": "environment", "char": "brace"}.get(token.kind, token.text)
        self.frames.append(_Frame(kind))

    def leave(self) -> None:
        """Close a frame: a bar that is still open in it is no delimiter."""
        frame = self.frames.pop()
        for at in frame.bars:
            self.leftover(frame, at)

    def close(self, at: int, token: Token) -> None:
        if len(self.frames) > 1 and self.frames[-1].kind not in ("brace", "environment"):
            self.leave()

    def leave_until(self, kind: str) -> None:
        if any(frame.kind == kind for frame in self.frames[1:]):
            while self.frames[-1].kind != kind:
                self.leave()
            self.leave()

    def close_brace(self, at: int, token: Token) -> None:
        self.leave_until("brace")

    def finish(self, at: int, token: Token) -> None:
        self.leave_until("environment")

    def boundary(self, at: int, token: Token) -> None:
        """A new cell or line: no bar reaches over it."""
        frame = self.frames[-1]
        if frame.kind in ("environment", "top"):
            for place in frame.bars:
                self.leftover(frame, place)
            frame.bars.clear()

    def bar(self, at: int, token: Token) -> None:
        bars = self.frames[-1].bars
        before = self.tokens[at - 1] if at else None
        script = at > 1 and self.tokens[at - 2].text in ("_", "^")
        closes = (
            before is not None and before.kind not in ("open", "bar") and (script or ends_operand(before))
        )
        if closes and bars and self.tokens[bars[-1]].text == token.text:
            opening = bars.pop()
            self.tokens[opening] = self.tokens[opening]._replace(kind="open")
            self.tokens[at] = token._replace(kind="close")
        elif not bars and self.tokens[at + 1].text == "_":
            self.leftover(self.frames[-1], at)
        else:
            bars.append(at)

    def leftover(self, frame: _Frame, at: int) -> None:
        token = self.tokens[at]
        before = self.tokens[at - 1] if at else None
        if before is None or not (ends_operand(before) or is_blank(before)):
            return
        if self.tokens[at + 1].text == "_" and ends_operand(before):
            self.tokens[at] = token._replace(kind="close", text=EVALUATION)
        elif token.text == "|":
            self.tokens[at] = token._replace(kind="char", text=r"\mid")
        elif token.text == r"\|":
            self.tokens[at] = token._replace(kind="command", text=r"\parallel")


_STEPS: dict[str, Callable[[_Bars, int, Token], None]] = {
    "open": _Bars.enter,
    "begin": _Bars.enter,
    "{": _Bars.enter,
    "close": _Bars.close,
    "}": _Bars.close_brace,
    "finish": _Bars.finish,
    "&": _Bars.boundary,
    "mark": _Bars.boundary,
    "bar": _Bars.bar,
}
