r"""The tables of the LaTeX reader: what each command is.

Offers sets and dictionaries only; rests on nothing.  A construct is one entry here: a relation, an operator, a
symbol, a font, an accent, a named function, a matrix environment, something that is skipped.
"""

from __future__ import annotations

SIZERS = {
    r"\left": "open",
    r"\right": "close",
    r"\middle": "",
    **{
        rf"\{size}{side}": {"l": "open", "r": "close"}.get(side, "")
        for size in ("big", "Big", "bigg", "Bigg")
        for side in ("", "l", "r", "m")
    },
}
SKIPPED = frozenset(
    rf"\{name}"
    for name in (
        "displaystyle textstyle scriptstyle scriptscriptstyle limits nolimits nonumber notag hfill hline toprule "
        "midrule bottomrule thinspace medspace thickspace negthinspace negmedspace quad@ enspace mathstrut strut "
        "centering allowbreak noindent null relax protect normalsize small large ensuremath mathop mathrel mathbin "
        "mathord mathopen mathclose mathpunct"
    ).split()
)
SKIPPED_WITH_ARGUMENT = frozenset(
    rf"\{name}"
    for name in (
        "label tag phantom hphantom vphantom hspace vspace color class cssId style kern mkern hskip mskip cline "
        "setlength arraycolsep renewcommand ref eqref cite footnote index rule raisebox"
    ).split()
)
QUADS = frozenset({r"\quad", r"\qquad"})
OPENERS = frozenset(
    {"(", "[", r"\{", r"\lbrace", r"\langle", r"\lfloor", r"\lceil", r"\lvert", r"\lVert", r"\lbrack"}
)
CLOSERS = frozenset(
    {")", "]", r"\}", r"\rbrace", r"\rangle", r"\rfloor", r"\rceil", r"\rvert", r"\rVert", r"\rbrack"}
)
DELIMITER_NAMES = {
    r"\lbrace": r"\{",
    r"\rbrace": r"\}",
    r"\lbrack": "[",
    r"\rbrack": "]",
    r"\vert": "|",
    r"\lvert": "|",
    r"\rvert": "|",
    r"\Vert": r"\|",
    r"\lVert": r"\|",
    r"\rVert": r"\|",
    r"\gt": ">",
    r"\lt": "<",
}
CLOSING_OF = {
    "(": frozenset({")", "]"}),
    "[": frozenset({"]", ")"}),
    r"\{": frozenset({r"\}"}),
    r"\langle": frozenset({r"\rangle", ">"}),
    r"\lfloor": frozenset({r"\rfloor"}),
    r"\lceil": frozenset({r"\rceil"}),
    "|": frozenset({"|"}),
    r"\|": frozenset({r"\|"}),
}
CLOSING_NAME = {"(": ")", "[": "]", r"\{": r"\}", r"\langle": r"\rangle", "|": "|", r"\|": r"\|"}

RENAMED = {r"\amp": "&", r"\ast": "*"}
"""Commands that stand for a single character (PreTeXt writes & as \\amp)."""

ADDITIVE = frozenset({"+", "-", r"\pm", r"\mp", r"\oplus", r"\ominus", r"\cup", r"\cap", r"\setminus", "−"})
MULTIPLICATIVE = {
    "*": "*",
    "/": "/",
    "·": r"\cdot",
    "×": r"\times",
    **{
        rf"\{name}": rf"\{name}"
        for name in "cdot times div otimes circ odot wedge bullet star boxtimes".split()
    },
    r"\slash": "/",
}

PLACEHOLDERS = frozenset({"*", "?", r"\cdot", r"\circ", r"\times", r"\star", r"\ldots", r"\wedge"})
"""Signs that may stand alone, for an unknown entry or for the operation itself."""

RELATIONS = {
    "=": "=",
    "<": "<",
    ">": ">",
    ":": ":",
    "≠": r"\ne",
    "≤": r"\le",
    "≥": r"\ge",
    r"\lt": "<",
    r"\gt": ">",
    r"\neq": r"\ne",
    r"\ne": r"\ne",
    r"\leq": r"\le",
    r"\le": r"\le",
    r"\leqslant": r"\le",
    r"\geq": r"\ge",
    r"\ge": r"\ge",
    r"\geqslant": r"\ge",
    r"\to": r"\rightarrow",
    r"\colon": ":",
    r"\coloneqq": ":=",
    r"\implies": r"\Rightarrow",
    r"\iff": r"\iff",
    **{
        rf"\{name}": rf"\{name}"
        for name in (
            "in notin ni subset subseteq subsetneq supset supseteq nsubseteq approx equiv sim simeq cong perp parallel "
            "mapsto longmapsto rightarrow longrightarrow leftarrow Rightarrow Longrightarrow Leftarrow Leftrightarrow "
            "Longleftrightarrow leftrightarrow longleftrightarrow hookrightarrow rightsquigarrow ll gg propto prec succ "
            "doteq triangleq mid@ vdash models"
        ).split()
    },
}
NEGATED = {"=": r"\ne", r"\in": r"\notin", r"\subseteq": r"\nsubseteq", r"\equiv": r"\not\equiv"}
LABELLED_ARROWS = frozenset(
    rf"\{name}" for name in "xrightarrow xleftarrow xleftrightarrow xRightarrow xmapsto".split()
)
CONNECTIVES = frozenset(
    {r"\land", r"\lor", r"\wedge@", r"\forall", r"\exists", r"\therefore", r"\because", r"\neg", r"\lnot"}
)

LETTERS = frozenset(
    rf"\{name}"
    for name in (
        "alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa lambda mu nu xi pi varpi rho varrho "
        "sigma varsigma tau upsilon phi varphi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega "
        "ell hbar imath jmath partial nabla Re Im aleph wp"
    ).split()
)
SYMBOLS = frozenset(
    rf"\{name}"
    for name in (
        "infty emptyset varnothing top bot intercal dagger prime square Box blacksquare checkmark degree circledast "
        "forall exists therefore because neg lnot land lor triangle angle heartsuit spadesuit clubsuit diamondsuit "
        "diamond bigcirc ddagger bigstar blacklozenge blacktriangle sharp flat natural star@ fillin lozenge S P underline@ % $ & #"
    ).split()
)
DOTS = frozenset(
    rf"\{name}" for name in "cdots ldots dots dotsc dotsb dotsm vdots ddots iddots adots hdots".split()
)
FONTS = {
    r"\mathbf": "bold",
    r"\boldsymbol": "bold",
    r"\bm": "bold",
    r"\bf": "bold",
    r"\bfseries": "bold",
    r"\pmb": "bold",
    r"\mathrm": "rm",
    r"\rm": "rm",
    r"\mathnormal": "",
    r"\mathit": "it",
    r"\it": "it",
    r"\mathcal": "cal",
    r"\cal": "cal",
    r"\mathscr": "cal",
    r"\mathbb": "bb",
    r"\mathds": "bb",
    r"\mathfrak": "frak",
    r"\mathsf": "sf",
    r"\sf": "sf",
    r"\mathtt": "tt",
    r"\tt": "tt",
}
SWITCHES = frozenset({r"\bf", r"\rm", r"\it", r"\cal", r"\sf", r"\tt", r"\bfseries"})
VECTORS = frozenset({r"\vec", r"\overrightarrow"})
ACCENTS = frozenset(
    rf"\{name}"
    for name in "hat bar tilde dot ddot check breve acute grave mathring widehat widetilde".split()
)
DECORATIONS = frozenset(
    rf"\{name}"
    for name in (
        "overline underline underbrace overbrace boxed fbox cancel bcancel xcancel smash overleftarrow "
        "underbracket overbracket mathstrut framebox sout"
    ).split()
)
STACKED = frozenset({r"\overset", r"\underset", r"\stackrel"})
FRACTIONS = frozenset({r"\frac", r"\dfrac", r"\tfrac", r"\cfrac"})
TEXTS = frozenset(
    rf"\{name}"
    for name in "text mbox hbox textrm textit textbf textsf texttt textup textnormal emph mathtext intertext".split()
)
BIG_OPERATORS = frozenset(
    rf"\{name}"
    for name in (
        "sum prod coprod int iint iiint oint bigcup bigcap bigoplus bigotimes bigvee bigwedge lim limsup liminf max min sup inf"
    ).split()
)
FUNCTIONS = {
    **{
        rf"\{name}": name
        for name in (
            "det dim ker deg gcd lcm sin cos tan cot sec csc arcsin arccos arctan sinh cosh tanh exp log ln lg arg hom "
            "tr Tr trace rank rk nullity nul Nul Null col Col Row row span Span vspan spn proj Proj diag Diag Rep "
            "sgn adj Adj im range Range codim End Aut mod bmod gr comp perm Spec char RREF rref vec@"
        ).split()
    },
}
GREEDY_FUNCTIONS = frozenset(
    "sin cos tan cot sec csc arcsin arccos arctan sinh cosh tanh exp log ln lg".split()
)
ENVIRONMENTS: dict[str, tuple[str, str]] = {
    "matrix": ("", ""),
    "smallmatrix": ("", ""),
    "bmatrix": ("[", "]"),
    "pmatrix": ("(", ")"),
    "vmatrix": ("|", "|"),
    "Vmatrix": (r"\|", r"\|"),
    "Bmatrix": (r"\{", r"\}"),
    "bsmallmatrix": ("[", "]"),
    "psmallmatrix": ("(", ")"),
    "array": ("", ""),
    "tabular": ("", ""),
    "cases": (r"\{", "."),
    "dcases": (r"\{", "."),
    "rcases": (".", r"\}"),
    "substack": ("", ""),
}
RIGID = frozenset(
    {
        "matrix",
        "smallmatrix",
        "bmatrix",
        "pmatrix",
        "vmatrix",
        "Vmatrix",
        "Bmatrix",
        "bsmallmatrix",
        "psmallmatrix",
    }
)
"""Environments whose rows must have one length."""
TRANSPARENT_ENVIRONMENTS = frozenset(
    (
        "equation displaymath math align aligned alignat alignedat split gather gathered multline eqnarray flalign "
        "subequations"
    ).split()
)
