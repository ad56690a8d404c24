r"""A LaTeX source made ready for reading: comments, verbatim text and definitions taken out, every offset kept.

Offers `prepare`, which returns the running text with everything else blanked out, and what was taken out of it.
It rests on `macros` and `positions`; sections, environments and formulas are for `tex` to read.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from symlin.read.blocks import ATTACHED, DIVISIONS, NUMBERED
from symlin.read.delimiters import ENVIRONMENTS
from symlin.read.macros import Braces, Definition, definitions
from symlin.read.positions import blank_out

#: What stands in place of a comment: white space that does not make its line a blank one.
FILLER = "\v"


@dataclass(frozen=True, slots=True)
class Verbatim:
    """A verbatim environment or listing: its name, language, and where its inside stands."""

    name: str
    language: str
    start: int
    end: int
    inner: int
    inner_end: int


@dataclass(slots=True)
class Source:
    """A LaTeX source taken apart.

    Args:
        text: the running text, as long as the source.
        title: of the document.
        verbatim: listings and verbatim environments.
        directives: offset and words of each ``% symlin: …``.
        definitions: macros, in order.
        kinds: the kind of block of each theorem-like environment.
        opens: macros that open a formula, and what they stand for; `closes` likewise.
        complaints: offset and message.
    """

    text: str
    title: str = ""
    verbatim: list[Verbatim] = field(default_factory=list)
    directives: list[tuple[int, str]] = field(default_factory=list)
    definitions: list[Definition] = field(default_factory=list)
    kinds: dict[str, str] = field(default_factory=dict)
    opens: dict[str, str] = field(default_factory=dict)
    closes: dict[str, str] = field(default_factory=dict)
    complaints: list[tuple[int, str]] = field(default_factory=list)


_LISTINGS = "lstlisting|minted|verbatim|Verbatim|alltt|python|pycode|sagecode|sageblock|sagesilent|pyverbatim"
_LEXER = re.compile(
    rf"\\verb\*?(?P<mark>[^A-Za-z\s*])|\\begin[ \t]*\{{(?P<name>(?:{_LISTINGS}|comment|filecontents)\*?)\}}"
    r"|\\.|%[^\r\n]*",
    re.DOTALL,
)
_DIRECTIVE = re.compile(r"%+[ \t]*symlin:[ \t]*(?P<what>[^\r\n]*)")
_OPTIONS = re.compile(r"[ \t]*(?:\[(?P<options>[^\]\r\n]{0,300})\])?[ \t]*(?:\{(?P<language>[A-Za-z+ ]*)\})?")
_LANGUAGE = re.compile(r"language\s*=\s*\{?(?:\[[^\]]*\])?(?P<language>\w+)")
_THEOREM = re.compile(
    r"\\(?:newtheorem|newmdtheoremenv|declaretheorem)\*?[ \t]*(?:\[(?P<options>[^\]]{0,300})\])?[ \t]*"
    r"\{(?P<name>[^{}]{1,60})\}[ \t]*(?:\[[^\]]{0,60}\])?[ \t]*(?:\{(?P<title>[^{}]{0,200})\})?[ \t]*(?:\[[^\]]{0,60}\])?"
)
_NAME_OPTION = re.compile(r"\b(?:name|title)\s*=\s*\{?(?P<title>[^,{}]+)")
_DOCUMENT = re.compile(r"\\begin[ \t]*\{document\}")
_TITLE = re.compile(r"\\title[ \t]*(?:\[[^\]]{0,300}\])?[ \t]*(?=\{)")
_OPENER = re.compile(r"\\begin\s*\{(?P<name>[A-Za-z]+\*?)\}\Z|\\\[\Z|\$\$\Z")
_CLOSER = re.compile(r"\\end\s*\{(?P<name>[A-Za-z]+\*?)\}\Z|\\\]\Z|\$\$\Z")
#: Usual short names of theorem-like environments.
_SHORT = {
    "thm": "theorem",
    "lem": "lemma",
    "cor": "corollary",
    "coro": "corollary",
    "prop": "proposition",
    "conj": "conjecture",
    "def": "definition",
    "defn": "definition",
    "defi": "definition",
    "dfn": "definition",
    "ex": "example",
    "exa": "example",
    "exam": "example",
    "exmp": "example",
    "eg": "example",
    "rem": "remark",
    "rmk": "remark",
    "exer": "exercise",
    "exc": "exercise",
    "prob": "problem",
    "ques": "question",
    "sol": "solution",
    "soln": "solution",
    "pf": "proof",
    "ans": "answer",
    "obs": "observation",
    "alg": "algorithm",
    "warn": "warning",
    "act": "activity",
}


def prepare(text: str) -> Source:
    r"""Take a source apart.

    Examples:
        >>> source = prepare("\\def\\R{\\mathbb R}\nLet % a comment\n$x$ 100\\%")
        >>> source.text.split(), source.definitions[0].macro.name
        (['Let', '$x$', '100\\%'], 'R')
    """
    source = Source(_without_comments(text, gathered := _Gathered()))
    source.verbatim, source.directives, source.complaints = (
        gathered.verbatim,
        gathered.directives,
        gathered.complaints,
    )
    source.kinds = {each: each for each in (*NUMBERED, *ATTACHED)} | _SHORT
    source.text = _without_theorems(source.text, source.kinds)
    source.definitions = definitions(source.text)
    source.text = blank_out(source.text, [(each.start, each.end) for each in source.definitions])
    for each in source.definitions:
        _aliases(each, source)
    titled = _TITLE.search(source.text)
    named = Braces(source.text).group(titled.end()) if titled is not None else None
    source.title = " ".join(named[0].split()) if named is not None else ""
    begins = _DOCUMENT.search(source.text)
    if begins is not None:
        source.text = blank_out(source.text, [(0, begins.end())])
    elif titled is not None and named is not None:
        source.text = blank_out(source.text, [(titled.start(), named[1])])
    ends = source.text.find("\\end{document}")
    if ends >= 0:
        source.text = blank_out(source.text, [(ends, len(text))])
    return source


@dataclass(slots=True)
class _Gathered:
    verbatim: list[Verbatim] = field(default_factory=list)
    directives: list[tuple[int, str]] = field(default_factory=list)
    complaints: list[tuple[int, str]] = field(default_factory=list)


def _without_comments(text: str, gathered: _Gathered) -> str:
    """Blank out comments and verbatim text; only the words of ``\\verb`` stay, without what looks like TeX."""
    parts: list[str] = []
    unended: set[str] = set()
    done = at = 0
    while (found := _LEXER.search(text, at)) is not None:
        at = found.end()
        if found.group()[0] == "%":
            if (directive := _DIRECTIVE.match(found.group())) is not None:
                gathered.directives.append(
                    (found.start() + directive.start("what"), directive["what"].strip())
                )
            replaced = FILLER * (at - found.start())
        elif found["mark"] is not None:
            end = text.find(found["mark"], at, at + 500)
            if end < 0 or "\n" in text[at:end]:
                continue
            words = re.sub(r"[\\{}$%&#^~]", " ", text[at:end])
            replaced, at = " " * (at - found.start()) + words + " ", end + 1
        elif found["name"] is not None:
            end = -1 if found["name"] in unended else text.find(f"\\end{{{found['name']}}}", at)
            if end < 0:
                unended.add(found["name"])
                gathered.complaints.append(
                    (found.start(), f"{found.group()} has no \\end{{{found['name']}}}")
                )
                continue
            _keep_verbatim(text, found, end, gathered)
            at = end + len(f"\\end{{{found['name']}}}")
            replaced = blank_out(text[found.start() : at], [(0, at - found.start())])
        else:
            continue
        parts += (text[done : found.start()], replaced)
        done = at
    parts.append(text[done:])
    return "".join(parts)


def _keep_verbatim(text: str, found: re.Match[str], end: int, gathered: _Gathered) -> None:
    name = found["name"].removesuffix("*")
    if name in ("comment", "filecontents"):
        return
    options = _OPTIONS.match(text, found.end(), end)
    inner = found.end()
    language = ""
    if options is not None and name in ("lstlisting", "minted", "Verbatim"):
        inner = options.end() if name == "minted" else options.end("options") + 1
        inner = inner if inner > 0 else found.end()
        told = _LANGUAGE.search(options["options"] or "")
        language = (told["language"] if told else options["language"] or "").strip().lower()
    gathered.verbatim.append(
        Verbatim(name, language, found.start(), end + len(f"\\end{{{found['name']}}}"), inner, end)
    )


def _without_theorems(text: str, kinds: dict[str, str]) -> str:
    """Blank out what declares theorem-like environments, and take note of the kind of each."""
    spans: list[tuple[int, int]] = []
    for found in _THEOREM.finditer(text):
        option = _NAME_OPTION.search(found["options"] or "")
        title = found["title"] or (option["title"] if option else found["name"])
        kinds[found["name"].removesuffix("*")] = kind_of(title, kinds)
        spans.append(found.span())
    return blank_out(text, spans) if spans else text


def kind_of(title: str, kinds: dict[str, str]) -> str:
    """The kind of block that a printed name stands for: the word in it that is one, else its first word.

    Examples:
        >>> kind_of("Key Theorem", {"theorem": "theorem"}), kind_of("Algorithmus", {})
        ('theorem', 'algorithmus')
    """
    words = re.findall(r"[^\W\d_]+", title.lower())
    known = [kinds[word] for word in words if word in kinds and word not in DIVISIONS]
    return known[-1] if known else (words[0] if words else "block")


def _aliases(definition: Definition, source: Source) -> None:
    """Macros that stand for the beginning or the end of a display (``\\be`` and ``\\ee``)."""
    macro = definition.macro
    if macro.arguments:
        return
    for pattern, table, plain in ((_OPENER, source.opens, "\\["), (_CLOSER, source.closes, "\\]")):
        found = pattern.match(macro.body)
        if found is None:
            continue
        name = found["name"]
        if name is None:
            table[macro.name] = plain
        elif name.removesuffix("*") in ENVIRONMENTS:
            table[macro.name] = name
