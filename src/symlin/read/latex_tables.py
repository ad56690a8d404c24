r"""The tables of the LaTeX reader: what each command is.

Offers sets and dictionaries only; rests on nothing.  A construct is one entry here: a relation, an operator, a
symbol, a font, an accent, a named function, a matrix environment, something that is skipped.
"""

from __future__ import annotations

SIZERS = {
    r"\left": "open",
    r"\right": "close",
    r"\middle": "middle",
    **{
        rf"\{size}{side}": {"l": "open", "r": "close", "m": "middle"}.get(side, "")
        for size in ("big", "Big", "bigg", "Bigg")
        for side in ("", "l", "r", "m")
    },
}
SKIPPED = frozenset(
    rf"\{name}"
    for name in (
        "displaystyle textstyle scriptstyle scriptscriptstyle limits nolimits nonumber notag hfill hfil hline hdashline "
        "toprule midrule bottomrule thinspace medspace thickspace negthinspace negmedspace enspace enskip mathstrut "
        "strut centering allowbreak noindent null relax protect normalsize small footnotesize scriptsize tiny large "
        "Large ensuremath mathop mathrel mathbin mathord mathopen mathclose mathpunct mathinner boldmath nobreak "
        "begingroup endgroup displaybreak linebreak pagebreak pause vcenter lefteqn"
    ).split()
)
SKIPPED_WITH_ARGUMENTS = {
    **{
        rf"\{name}": "m"
        for name in (
            "label phantom hphantom vphantom hspace vspace class cssId style cline cmidrule ref eqref cite footnote "
            "index textcolor tag"
        ).split()
    },
    **{rf"\{name}": "d" for name in "kern mkern hskip mskip vskip raise lower arraycolsep".split()},
    **{rf"\{name}": "v" for name in "uncover only visible onslide".split()},
    **{rf"\{name}": "mm" for name in "setlength addtolength newcolumntype setcounter def let".split()},
    **{rf"\{name}": "mom" for name in "renewcommand newcommand providecommand".split()},
    r"\color": "om",
    r"\rule": "omm",
    r"\raisebox": "moo",
    r"\MoveEqLeft": "o",
}
"""What is skipped with its arguments: m in braces, o in brackets, d a length, v an overlay of slides."""
QUADS = frozenset({r"\quad", r"\qquad"})
OPENERS = frozenset(
    {
        "(",
        "[",
        r"\{",
        r"\lbrace",
        r"\langle",
        r"\lfloor",
        r"\lceil",
        r"\lvert",
        r"\lVert",
        r"\lbrack",
        r"\lgroup",
    }
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
    "(": (")", "]"),
    "[": ("]", ")"),
    r"\{": (r"\}",),
    r"\langle": (r"\rangle",),
    r"\lfloor": (r"\rfloor",),
    r"\lceil": (r"\rceil",),
    "|": ("|", r"\rangle"),
    r"\|": (r"\|",),
}
"""The delimiters that may close one, the usual one first: ``[0,1)`` is an interval, ``|v\\rangle`` a ket."""

RENAMED = {r"\amp": "&", r"\ast": "*", "−": "-", "…": r"\ldots", "∈": r"\in"}
"""Commands that stand for a single character (PreTeXt writes & as \\amp)."""

ADDITIVE = frozenset(
    {
        "+",
        "-",
        r"\pm",
        r"\mp",
        r"\oplus",
        r"\ominus",
        r"\cup",
        r"\cap",
        r"\setminus",
        r"\sqcup",
        r"\uplus",
        r"\vee",
        r"\boxplus",
        r"\plus",
    }
)
MULTIPLICATIVE = {
    "*": "*",
    "/": "/",
    "·": r"\cdot",
    "×": r"\times",
    **{
        rf"\{name}": rf"\{name}"
        for name in "cdot times div otimes circ odot wedge bullet star boxtimes ltimes rtimes diamond cdotp centerdot".split()
    },
    r"\slash": "/",
    r"\bmod": r"\bmod",
}

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
    r"\coloneq": ":=",
    r"\triangleq": ":=",
    r"\gets": r"\leftarrow",
    r"\implies": r"\Rightarrow",
    r"\iff": r"\iff",
    **{
        rf"\{name}": rf"\{name}"
        for name in (
            "in notin ni subset subseteq subsetneq supset supseteq nsubseteq approx equiv sim simeq cong perp parallel "
            "mapsto longmapsto rightarrow longrightarrow leftarrow Rightarrow Longrightarrow Leftarrow Leftrightarrow "
            "Longleftrightarrow leftrightarrow longleftrightarrow hookrightarrow rightsquigarrow ll gg propto prec succ "
            "doteq vdash models Longleftarrow uparrow downarrow nearrow searrow swarrow nwarrow rightharpoonup "
            "rightleftharpoons approxeq asymp trianglelefteq ntriangleleft sqsubseteq nmid supsetneq preceq succeq lneq "
            "gneq nless ngtr leadsto Longmapsto mapsfrom"
        ).split()
    },
}
IMPLICATIONS = frozenset(
    rf"\{name}"
    for name in "Rightarrow Longrightarrow implies iff Leftrightarrow Longleftrightarrow Leftarrow Longleftarrow".split()
)
NEGATED = {"=": r"\ne", r"\in": r"\notin", r"\subseteq": r"\nsubseteq"}
LABELLED_ARROWS = frozenset(
    rf"\{name}"
    for name in "xrightarrow xleftarrow xleftrightarrow xRightarrow xLeftarrow xmapsto xlongequal".split()
)
SCRIPT_SIGNS = frozenset("+-*'=<>") | frozenset(
    rf"\{name}"
    for name in "circ star perp parallel prime bullet times otimes oplus wedge ast odot cap cup frown in le ge".split()
)
"""Signs that may stand alone in a script."""
QUESTIONS = frozenset("?!")
"""Marks over a relation that say it is not asserted."""

LETTERS = frozenset(
    rf"\{name}"
    for name in (
        "alpha beta gamma delta epsilon varepsilon zeta eta theta vartheta iota kappa lambda mu nu xi pi varpi rho varrho "
        "sigma varsigma tau upsilon phi varphi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega "
        "ell hbar imath jmath partial nabla Re Im aleph wp complement digamma varkappa eth mho"
    ).split()
)
SYMBOLS = frozenset(
    rf"\{name}"
    for name in (
        "infty emptyset varnothing top bot intercal dagger prime square Box blacksquare checkmark degree circledast "
        "forall exists therefore because neg lnot land lor triangle angle heartsuit spadesuit clubsuit diamondsuit "
        "bigcirc ddagger bigstar blacklozenge blacktriangle sharp flat natural fillin lozenge S P upharpoonright frown smile "
        "% $ & # _ copyright ddag dag textdegree backslash"
    ).split()
)
DOTS = frozenset(
    rf"\{name}"
    for name in "cdots ldots dots dotsc dotsb dotsm vdots ddots iddots adots hdots dotsi dotso".split()
)
ROW_DOTS = frozenset({r"\vdotswithin", r"\hdotsfor", r"\shortvdotswithin"})
"""Dots with an argument that says where they stand."""
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
BLACKBOARD = {
    **{rf"\{letter}": letter for letter in "RCQZNF"},
    **{rf"\{letter}{letter}": letter for letter in "RCQZNF"},
    r"\reals": "R",
    r"\complexes": "C",
    r"\integers": "Z",
}
"""Macros that nearly every text defines for the number sets."""
SWITCHES = frozenset({r"\bf", r"\rm", r"\it", r"\cal", r"\sf", r"\tt", r"\bfseries"})
VECTORS = frozenset({r"\vec", r"\overrightarrow", r"\vect", r"\vv"})
ACCENTS = frozenset(
    rf"\{name}"
    for name in "hat bar tilde dot ddot check breve acute grave mathring widehat widetilde".split()
)
DECORATIONS = frozenset(
    rf"\{name}"
    for name in (
        "overline underline underbrace overbrace boxed fbox cancel bcancel xcancel smash overleftarrow "
        "underbracket overbracket framebox sout undertilde bbox overleftrightarrow overparen underparen"
    ).split()
)
OPTIONAL_FIRST = frozenset({r"\smash", r"\framebox", r"\bbox"})
"""Decorations with an option in brackets, which says how and not what."""
STACKED = frozenset({r"\overset", r"\underset", r"\stackrel"})
FRACTIONS = frozenset({r"\frac", r"\dfrac", r"\tfrac", r"\cfrac"})
ENCLOSING = {
    r"\norm": (r"\|", r"\|"),
    r"\abs": ("|", "|"),
    r"\absval": ("|", "|"),
    r"\card": ("|", "|"),
    r"\set": (r"\{", r"\}"),
    r"\ceil": (r"\lceil", r"\rceil"),
    r"\floor": (r"\lfloor", r"\rfloor"),
    r"\inner": (r"\langle", r"\rangle"),
    r"\innerprod": (r"\langle", r"\rangle"),
    r"\ip": (r"\langle", r"\rangle"),
}
"""Macros that many texts define for something in brackets."""
TEXTS = frozenset(
    rf"\{name}"
    for name in (
        "text mbox hbox makebox textrm textit textbf textsf texttt textup textnormal textsc emph mathtext intertext "
        "shortintertext"
    ).split()
)
WORDS = TEXTS | {r"\operatorname"}
"""Commands whose braces hold words and not mathematics."""
CONNECTING = frozenset(
    "and or if then for with where so but when while iff that such is are not hence thus since let as by to of in "
    "otherwise implies gives means because unless via from on all any each every the a an".split()
)
"""Words that connect formulas, and name no function before a bracket."""
OPTIONS_FIRST = frozenset({r"\makebox"})

BIG_OPERATORS = frozenset(
    rf"\{name}"
    for name in (
        "sum prod coprod int iint iiint oint bigcup bigcap bigsqcup bigoplus bigotimes bigodot bigvee bigwedge lim limsup "
        "liminf"
    ).split()
)
EXTREMA = {rf"\{name}": name for name in "max min sup inf argmax argmin".split()}
"""Functions with brackets after them, else operators with a body."""
LETTER_FONTS = {r"\textbf": "bold", r"\textit": "it", r"\emph": "it", r"\textsf": "sf", r"\texttt": "tt"}
"""The font of a letter that is set as text; any other command sets it upright."""
FUNCTIONS = {
    **{
        rf"\{name}": name
        for name in (
            "det dim ker deg gcd lcm sin cos tan cot sec csc arcsin arccos arctan sinh cosh tanh exp log ln lg arg hom "
            "tr Tr trace rank rk nullity nul Nul Null col Col Row row span Span vspan spn proj Proj diag Diag Rep "
            "mod sgn adj Adj im range Range codim End Aut gr comp perm Spec char RREF rref Hom Ker Ran ran Res sign softmax coker Det proj Rank Vec vecop vech cof cond "
            "Mat GL SL id Id Sym tra dist"
        ).split()
    },
}
FUNCTION_WORDS = frozenset(FUNCTIONS.values()) | frozenset({"vec", "trace"})
"""Words that are a function also when they are only set upright: ``\\mathrm{rank}(A)``, ``\\text{Span}\\{…\\}``."""
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
    "tabularx": ("", ""),
    "cases": (r"\{", "."),
    "dcases": (r"\{", "."),
    "rcases": (".", r"\}"),
    "subarray": ("", ""),
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
WITH_COLUMNS = frozenset({"array", "tabular", "alignat", "alignedat", "subarray", "xalignat"})
"""Environments with a specification in braces after their name."""
OPTIONAL_PLACE = frozenset({"aligned", "gathered", "split", "matrix"})
"""Environments that may be followed by ``[t]`` or the like."""
TRANSPARENT_ENVIRONMENTS = frozenset(
    (
        "equation displaymath math align aligned alignat alignedat xalignat split gather gathered multline eqnarray "
        "flalign subequations dmath"
    ).split()
)
"""Displays, whose rows are lines of the formula."""
PLAIN_MATRICES = {
    r"\matrix": "matrix",
    r"\pmatrix": "pmatrix",
    r"\bmatrix": "bmatrix",
    r"\vmatrix": "vmatrix",
    r"\cases": "cases",
}
"""Matrices as plain TeX writes them: ``\\pmatrix{a & b \\cr c & d}``."""
