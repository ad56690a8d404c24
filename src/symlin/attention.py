r"""Attention as mathematics: what its matrices satisfy, each statement proved by the kernel at symbolic sizes.

Offers `facts`, the list of statements with their theorems, and `AXIOMS`, the few facts on the exponential function and
on permutations that they use; rests on `decide` and the kernel.  Tokens X are L×d with one token a row, Q = XW_Q and
K = XW_K are L×r, V = XW_V is L×s.  Source of the notions: Vaswani et al., Attention is all you need, 2017.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from symlin import kernel
from symlin.construct import (
    block,
    diag,
    divide,
    dot,
    entry,
    entrywise,
    hadamard,
    identity,
    inverse,
    number,
    ones,
    row,
    row_softmax,
    rows,
    scale,
    sum_over,
    symbol,
)
from symlin.decide import decide
from symlin.decide.theory import A, B, theorem
from symlin.dims import Dim
from symlin.errors import ProofError
from symlin.kernel import Equation, Theorem
from symlin.statement import Statement
from symlin.term import Term, make, symbols, walk

BUDGET = 10.0


@dataclass(frozen=True, slots=True)
class Axiom:
    """A fact that the proofs of this module may use and then list.

    Args:
        name: begins with ``real``: the kernel then refuses to use it beside conjugates.
        lhs: the left side.
        rhs: the right side.
        reason: the fact in words.
        hypotheses: equations under which it holds.
    """

    name: str
    lhs: Term
    rhs: Term
    reason: str
    hypotheses: tuple[Equation, ...] = ()

    def theorem(self) -> Theorem:
        """The axiom as a theorem that lists itself."""
        return kernel.axiom(self.name, self.lhs, self.rhs, self.hypotheses)


@dataclass(frozen=True, slots=True)
class Fact:
    """A statement on attention and its theorem.

    Args:
        name: what it is called.
        words: the statement in words.
        theorem: the kernel's theorem, with equations assumed and axioms used as its fields.
        carried: what is assumed besides, in words: it is no equation and no step of the proof uses it.
    """

    name: str
    words: str
    theorem: Theorem
    carried: tuple[str, ...] = ()

    @property
    def statement(self) -> Statement:
        """What the theorem says, under its hypotheses."""
        given = sorted(self.theorem.hypotheses, key=str)
        return Statement(self.theorem.lhs, self.theorem.rhs, "=", tuple(Statement(*one) for one in given))

    @property
    def axioms(self) -> tuple[str, ...]:
        """Names of the axioms used."""
        return tuple(sorted({name for name, *_ in self.theorem.axioms}))

    def __str__(self) -> str:
        notes = [f"axioms: {', '.join(self.axioms)}"] if self.axioms else []
        notes += [f"assumed: {one}" for one in self.carried]
        return "\n    ".join([f"{self.name}: {self.statement}", *notes])


def exp(term: Term) -> Term:
    """The exponential of each entry."""
    return entrywise("exp", term)


def row_sums(term: Term) -> Term:
    """The diagonal matrix of the row sums."""
    return diag(term @ ones(term.cols, 1))


def normalized(term: Term) -> Term:
    """Each row divided by its sum, for rows whose sums are not zero."""
    return inverse(row_sums(term)) @ term


_S, _C = symbol("S", "m", "n"), symbol("c", "m", 1, "bold")
_SQUARE, _P, _V = symbol("S", "n", "n"), symbol("P", "n", "n"), symbol("v", "n", 1, "bold")
_PERMUTATION: tuple[Equation, ...] = ((_P @ _P.T, identity("n")), (hadamard(_P, _P), _P))
"""PPᵀ = I and all entries 0 or 1: these are the permutation matrices over the reals."""

AXIOMS: dict[str, Axiom] = {
    one.name: one
    for one in (
        Axiom(
            "real_softmax_def",
            row_softmax(_S),
            normalized(exp(_S)),
            "softmax divides each exponential by the sum of those in its row",
        ),
        Axiom(
            "real_exp_pos",
            row_sums(exp(_S)) @ inverse(row_sums(exp(_S))),
            identity("m"),
            "exp x > 0, so that no sum of a row of exponentials is zero",
        ),
        Axiom(
            "real_expD",
            exp(_S + _C @ ones(1, "n")),
            diag(exp(_C)) @ exp(_S),
            "exp(x + y) = exp x exp y, in each entry",
        ),
        Axiom(
            "real_exp_perm",
            exp(_P @ _SQUARE @ _P.T),
            _P @ exp(_SQUARE) @ _P.T,
            "what is taken in each entry does not see the order of rows and columns",
            _PERMUTATION,
        ),
        Axiom(
            "real_diag_perm",
            diag(_P @ _V),
            _P @ diag(_V) @ _P.T,
            "reordering a column reorders the diagonal",
            _PERMUTATION,
        ),
    )
}
"""The axioms by name; S is m×n or n×n, c has m entries, v has n, P is an n×n permutation matrix."""


def instance(name: str, letters: Mapping[Term, Term], sizes: Mapping[str, Dim]) -> Theorem:
    """An axiom of this module with letters and sizes replaced."""
    return kernel.instantiate(AXIOMS[name].theorem(), letters, sizes)


def from_lemmas(goal: Statement, lemmas: Sequence[Theorem] = (), given: Iterable[Equation] = ()) -> Theorem:
    """A theorem that states the goal, from lemmas and equations assumed.

    Exponentials are letters to the engines; what they prove for every letter is then used for the exponentials.

    Raises:
        ProofError: the engines found no proof.
    """
    sides = [goal.lhs, goal.rhs, *(side for pair in given for side in pair)]
    every = [*sides, *(side for one in lemmas for side in (one.lhs, one.rhs))]
    taken = {str(letter.data[0]) for side in every for letter in symbols(side)}
    hidden: dict[Term, Term] = {}
    for side in every:
        for node in walk(side):
            if node.op in ("entrywise", "row_softmax") and node not in hidden:
                name = next(f"Z_{k}" for k in range(1, len(taken) + 2) if f"Z_{k}" not in taken)
                taken.add(name)
                hidden[node] = symbol(name, *node.shape)
    pairs = [*((one.lhs, one.rhs) for one in lemmas), *given]
    hypotheses = [Statement(_hide(lhs, hidden), _hide(rhs, hidden)) for lhs, rhs in pairs]
    plain = Statement(_hide(goal.lhs, hidden), _hide(goal.rhs, hidden))
    verdict = decide(plain.given(*hypotheses), budget=BUDGET, steps=False)
    found: Theorem | None = (
        verdict.proof.theorem if verdict.kind == "proved" and verdict.proof is not None else None
    )
    if found is None:
        raise ProofError(f"no proof of {goal} was found: {verdict.reason}")
    found = kernel.instantiate(found, {letter: node for node, letter in hidden.items()}, {})
    for lemma in lemmas:
        if (lemma.lhs, lemma.rhs) in found.hypotheses:
            found = kernel.cut(lemma, found)
    return found


def _hide(term: Term, hidden: Mapping[Term, Term]) -> Term:
    if term in hidden:
        return hidden[term]
    args = [_hide(arg, hidden) for arg in term.args]
    return term if tuple(args) == term.args else make(term.op, *args, data=term.data)


def _chain(*theorems: Theorem) -> Theorem:
    first, *others = theorems
    for one in others:
        first = kernel.transitivity(first, one)
    return first


# --- letters --------------------------------------------------------------------------------------------------

L, M, d, r, s = "L", "M", "d", "r", "s"
ROW, COL = Dim.of("i"), Dim.of("j")
X, Y = symbol("X", L, d), symbol("Y", M, d)
WQ, WK, WV = symbol("W_Q", d, r), symbol("W_K", d, r), symbol("W_V", d, s)
Q, K, V = symbol("Q", L, r), symbol("K", L, r), symbol("V", L, s)
ATT = symbol(r"A_{\mathrm{att}}", L, L)
S, P, MASK = symbol("S", L, L), symbol("P", L, L), symbol("M", L, L)
C = symbol("c", L, 1, "bold")
ONE_L = ones(L, 1)
WEIGHTS: Equation = (ATT @ ONE_L, ONE_L)
NONNEGATIVE = "α_ij ≥ 0 for all i, j"
A_ONE_IN_EACH_ROW = (
    "m_ij is 0 or 1, with at least one 1 in each row, so that the sums divided by are not zero"
)
PERMUTES: tuple[Equation, ...] = ((P @ P.T, identity(L)), (hadamard(P, P), P), (P.T @ ONE_L, ONE_L))
"""P is a permutation matrix: PPᵀ = I, entries 0 or 1, a single 1 in each column."""


def _scores() -> list[Fact]:
    scores, dotted = entry(Q @ K.T, ROW, COL), dot(row(Q, ROW).T, row(K, COL).T)
    summed = sum_over("p", 1, r, scale(entry(Q, ROW, "p"), entry(K, COL, "p")))
    roots = symbol("t", 1, 1)
    rescaled = divide(Q @ K.T, roots)
    cross = (X @ WQ) @ (Y @ WK).T
    plain = [
        ("score as dot product", "entry (i, j) of QKᵀ is q_i · k_j", scores, dotted),
        ("score as row times column", "entry (i, j) of QKᵀ is q_iᵀ k_j", scores, row(Q, ROW) @ row(K, COL).T),
        ("score as sum", "entry (i, j) of QKᵀ is Σ q_ip k_jp", scores, summed),
        (
            "columns of the transpose",
            "column j of Kᵀ is k_j",
            make("column", K.T, data=(COL,)),
            row(K, COL).T,
        ),
        ("scores from tokens", "S = X W_Q W_Kᵀ Xᵀ", (X @ WQ) @ (X @ WK).T, X @ WQ @ WK.T @ X.T),
        (
            "cross attention",
            "with tokens Y as keys, the scores are X W_Q W_Kᵀ Yᵀ",
            cross,
            X @ WQ @ WK.T @ Y.T,
        ),
        (
            "scaled scores",
            "entry (i, j) of QKᵀ/t is (q_i · k_j)/t, for instance t = √d",
            entry(rescaled, ROW, COL),
            divide(dotted, roots),
        ),
    ]
    return [Fact(name, words, from_lemmas(Statement(lhs, rhs))) for name, words, lhs, rhs in plain]


def _output() -> list[Fact]:
    output = ATT @ V
    by_rows = sum_over("j", 1, L, scale(entry(ATT, ROW, "j"), row(V, "j")))
    by_columns = sum_over("j", 1, L, scale(entry(ATT, ROW, "j"), row(V, "j").T))
    constant = symbol("c", s, 1, "bold")
    total = sum_over("j", 1, L, entry(ATT, ROW, "j"))
    at = row(ATT @ ONE_L, ROW)
    sums = _chain(
        from_lemmas(Statement(total, at)),
        kernel.congruence(at, kernel.assume(*WEIGHTS)),
        from_lemmas(Statement(row(ONE_L, ROW), number(1))),
    )
    kept = Statement(ATT @ (ONE_L @ constant.T), ONE_L @ constant.T)
    return [
        Fact("rows of the output", "h_iᵀ = Σ α_ij v_jᵀ", from_lemmas(Statement(row(output, ROW), by_rows))),
        Fact(
            "outputs as columns",
            "h_i = Σ α_ij v_j; with the next fact it is a convex combination",
            from_lemmas(Statement(row(output, ROW).T, by_columns)),
            (NONNEGATIVE,),
        ),
        Fact("weights sum to 1", "Σ_j α_ij = 1, from A_att 1 = 1", sums),
        Fact(
            "constants are kept", "if all values are c, so are all outputs", from_lemmas(kept, (), [WEIGHTS])
        ),
    ]


def _two_sided(right: Theorem) -> Theorem:
    """D⁻¹D = I from DD⁻¹ = I."""
    body, other = right.lhs.args
    turned = kernel.instantiate(theorem("mulmx1C"), {A: body, B: other}, {"n": body.rows})
    return kernel.cut(right, turned)


def _softmax() -> list[Fact]:
    sizes = {"m": Dim.of(L), "n": Dim.of(L)}
    shifted = S + C @ ones(1, L)

    def defined(scores: Term) -> tuple[Theorem, Theorem, Theorem]:
        right = instance("real_exp_pos", {_S: scores}, sizes)
        return instance("real_softmax_def", {_S: scores}, sizes), right, _two_sided(right)

    by_rows = from_lemmas(Statement(row_sums(exp(S)) @ ONE_L, exp(S) @ ONE_L))
    add = instance("real_expD", {_S: S, _C: C}, sizes)
    scaled = diag(exp(C))

    def shifts(body: Term, whole: Term) -> list[Theorem]:
        """Scaled rows have scaled sums: from ⊢ whole = diag(exp c) body."""
        moved = add if whole is add.lhs else kernel.congruence(whole, kernel.reflexivity(MASK), add)
        if moved.rhs is not scaled @ body:
            moved = _chain(moved, from_lemmas(Statement(moved.rhs, scaled @ body)))
        times_one = kernel.congruence(whole @ ONE_L, moved, kernel.reflexivity(ONE_L))
        replaced = kernel.congruence(row_sums(whole), times_one)
        return [moved, _chain(replaced, from_lemmas(Statement(replaced.rhs, scaled @ row_sums(body))))]

    one = Statement(row_softmax(S) @ ONE_L, ONE_L)
    same = Statement(row_softmax(shifted), row_softmax(S))
    masked, masked_shift = hadamard(MASK, exp(S)), hadamard(MASK, exp(shifted))
    by_masked = from_lemmas(Statement(row_sums(masked) @ ONE_L, masked @ ONE_L))
    note = (A_ONE_IN_EACH_ROW,)
    weight = scale(entry(MASK, ROW, COL), entry(exp(S), ROW, COL))
    below = sum_over("k", 1, L, scale(entry(MASK, ROW, "k"), entry(exp(S), ROW, "k")))
    hidden = kernel.assume(entry(MASK, ROW, COL), number(0))
    start = divide(weight, below)
    top = kernel.congruence(weight, hidden, kernel.reflexivity(weight.args[1]))
    masked_out = kernel.congruence(start, top, kernel.reflexivity(below))
    nothing = from_lemmas(Statement(masked_out.rhs, number(0)))
    return [
        Fact("softmax rows", "each row of softmax(S) sums to 1", from_lemmas(one, [*defined(S), by_rows])),
        Fact(
            "softmax shift",
            "adding a constant to each row of the scores changes nothing",
            from_lemmas(same, [*defined(shifted), *defined(S), *shifts(exp(S), exp(shifted))]),
        ),
        Fact(
            "masked rows",
            "with mask M, each row of weights sums to 1",
            from_lemmas(Statement(normalized(masked) @ ONE_L, ONE_L), [by_masked]),
            note,
        ),
        Fact(
            "masked shift",
            "with mask M as well, adding a constant to each row of the scores changes nothing",
            from_lemmas(
                Statement(normalized(masked_shift), normalized(masked)), shifts(masked, masked_shift)
            ),
            note,
        ),
        Fact(
            "masked out",
            "where m_ij = 0 the weight is 0; the causal mask is the case m_ij = 0 for j > i",
            _chain(masked_out, nothing),
            note,
        ),
    ]


def _heads() -> list[Fact]:
    a1, a2 = symbol("A_1", L, L), symbol("A_2", L, L)
    v1, v2 = symbol("V_1", L, s), symbol("V_2", L, s)
    o1, o2 = symbol("O_1", s, d), symbol("O_2", s, d)
    heads = block([[a1 @ v1, a2 @ v2]]) @ rows([o1, o2])
    q1, q2 = symbol("Q_1", L, r), symbol("Q_2", L, r)
    grouped = rows([q1, q2]) @ K.T
    return [
        Fact(
            "two heads",
            "heads side by side times W_O is the sum of each head times its block of W_O",
            from_lemmas(Statement(heads, a1 @ v1 @ o1 + a2 @ v2 @ o2)),
        ),
        Fact(
            "grouped queries",
            "query heads that share keys are one product of stacked queries",
            from_lemmas(Statement(grouped, rows([q1 @ K.T, q2 @ K.T]))),
        ),
    ]


def _permutations() -> list[Fact]:
    sizes = {"n": Dim.of(L)}
    square = {"m": Dim.of(L), "n": Dim.of(L)}
    moved = P @ S @ P.T
    turned = from_lemmas(
        Statement(P.T @ P, identity(L)),
        [kernel.instantiate(theorem("mulmx1C"), {A: P, B: P.T}, sizes)],
        [PERMUTES[0]],
    )
    inner = instance("real_exp_perm", {_P: P, _SQUARE: S}, sizes)
    sums = exp(S) @ ONE_L
    around = instance("real_diag_perm", {_P: P, _V: sums}, sizes)
    swept = from_lemmas(Statement(exp(moved) @ ONE_L, P @ sums), [inner], PERMUTES[2:])
    diagonal = _chain(kernel.congruence(row_sums(exp(moved)), swept), around)
    lemmas = [turned, inner, diagonal]
    for scores in (moved, S):
        right = instance("real_exp_pos", {_S: scores}, square)
        lemmas += [instance("real_softmax_def", {_S: scores}, square), right, _two_sided(right)]
    goal = Statement(row_softmax(moved), P @ row_softmax(S) @ P.T)
    weights = from_lemmas(goal, lemmas, PERMUTES)
    values = from_lemmas(
        Statement(row_softmax(moved) @ (P @ X @ WV), P @ (row_softmax(S) @ (X @ WV))),
        [weights, turned],
        PERMUTES,
    )
    return [
        Fact("reordered scores", "softmax(P S Pᵀ) = P softmax(S) Pᵀ", weights),
        Fact("equivariance", "reordering the tokens reorders the outputs", values),
    ]


_GROUPS: tuple[Callable[[], list[Fact]], ...] = (_scores, _output, _softmax, _heads, _permutations)


@cache
def facts() -> tuple[Fact, ...]:
    """All statements, each proved when this is first called.

    Raises:
        ProofError: the kernel accepts no proof of one of them.

    Examples:
        >>> next(one for one in facts() if one.name == "softmax rows").axioms
        ('mulmx1C', 'real_exp_pos', 'real_softmax_def')
    """
    return tuple(fact for group in _GROUPS for fact in group())
