"""The result of `prove` in every format: text, LaTeX, Markdown, PreTeXt, and the fields of its record.

Offers `result_text`, `result_latex`, `render` and `result_record`; rests on `derivation` and `exposition`.  A result is read by its
fields, so that this layer does not import the verbs.
"""

from __future__ import annotations

from typing import Any

from symlin.errors import SymlinError
from symlin.statement import Statement
from symlin.term import Term, symbols
from symlin.write import exposition
from symlin.write.derivation import counterexample_blocks, proof_blocks, sizes_prose
from symlin.write.exposition import Block, Exposition, Inline, Prose
from symlin.write.latex import Writer, latex, relation_latex, statement_latex
from symlin.write.notation import Notation
from symlin.write.style import DEFAULT

VERSION = 1


def result_text(result: Any) -> str:
    """A result as text: the verdict, the sizes, then the derivation or the counterexample."""
    return render(result, "text")


def result_latex(result: Any) -> str:
    """A result as one display for a notebook: the chain of the derivation, or the values that refute."""
    writer = Writer(Notation.of(result_exposition(result).terms(), DEFAULT))
    lines: list[str] = []
    for verdict in result.verdicts:
        if verdict.proof is not None:
            chains = [block for block in proof_blocks(verdict.proof) if isinstance(block, exposition.Chain)]
            for chain in chains:
                lines += exposition.align_lines(
                    writer, chain, reason=lambda words: rf"\text{{{exposition.escape_latex(words)}}}"
                )
            if not chains:
                lines.append(_relation_line(writer, verdict.statement, "="))
        elif verdict.counterexample is not None:
            blocks = counterexample_blocks(verdict.statement, verdict.counterexample)
            for chain in (block for block in blocks if isinstance(block, exposition.Chain)):
                lines += exposition.align_lines(writer, chain)
        else:
            lines.append(_relation_line(writer, verdict.statement, verdict.statement.relation))
    return "$$\\begin{aligned}\n" + " \\\\\n".join(lines) + "\n\\end{aligned}$$"


def _relation_line(writer: Writer, statement: Statement, relation: str) -> str:
    sign = relation_latex(relation)
    return f"{writer.text(statement.lhs)} &{sign} {writer.text(statement.rhs)}"


def result_exposition(result: Any, explain: bool = False) -> Exposition:
    """What a result says, link by link."""
    blocks: list[Block] = []
    several = len(result.verdicts) > 1
    for verdict in result.verdicts:
        blocks += verdict_blocks(verdict, explain=explain)
    if several:
        count = len(result.verdicts)
        blocks.append(Prose((f"The chain of {count} equalities as a whole: {result.verdict}.",)))
    if result.constraints:
        blocks.append(Prose((f"Sizes are restricted: {', '.join(result.constraints)}.",)))
    return Exposition(tuple(blocks))


_OPENINGS: dict[str, tuple[str, str]] = {
    "proved": ("Proved: ", " for all values and all sizes that fit."),
    "holds": ("Holds: ", "."),
    "refuted": ("Refuted: ", " is not true in general."),
    "unknown": ("Not decided: ", "."),
    "unsupported": ("Outside what symlin decides: ", "."),
}


def verdict_blocks(verdict: Any, explain: bool = False) -> list[Block]:
    """One verdict: the statement, the sizes, and why."""
    statement = verdict.statement
    before, after = _OPENINGS[verdict.kind]
    if verdict.kind == "refuted" and not _mentions_letters(statement):
        after = " is false."
    if verdict.kind == "proved" and not _has_sizes(statement):
        after = " for all values."
    sides: list[Inline] = [statement]
    blocks: list[Block] = [Prose((before, *sides, after))]
    sizes = sizes_prose(_letters(statement), "Here ")
    if sizes is not None:
        blocks.append(sizes)
    if verdict.used:
        parts: list[Inline] = ["With "]
        for place, one in enumerate(verdict.used):
            parts += [", ", one] if place else [one]
        blocks.append(Prose((*parts, ".")))
    if verdict.proof is not None:
        blocks += proof_blocks(verdict.proof, verdict.reason if verdict.kind == "holds" else "")
    elif verdict.counterexample is not None:
        blocks += counterexample_blocks(statement, verdict.counterexample)
        if explain and verdict.reason:
            blocks.append(Prose((_sentence(verdict.reason),)))
    elif verdict.reason:
        blocks.append(Prose((_sentence(verdict.reason),)))
    return blocks


def _letters(statement: Statement) -> list[Term]:
    return list(dict.fromkeys(symbols(statement.lhs) + symbols(statement.rhs)))


def _mentions_letters(statement: Statement) -> bool:
    return bool(_letters(statement))


def _has_sizes(statement: Statement) -> bool:
    return any(dim.constant is None for letter in _letters(statement) for dim in letter.shape)


def _sentence(words: str) -> str:
    return words[:1].upper() + words[1:] + ("" if words.endswith((".", "?", "!")) else ".")


# --- formats --------------------------------------------------------------------------------------------------


def render(result: Any, form: str = "text", explain: bool = False) -> str:
    """A result in one of the forms text, latex, markdown, pretext.

    Raises:
        SymlinError: no such form.
    """
    if form not in exposition.RENDERERS:
        raise SymlinError(f"{form!r} is no form; use one of {', '.join(exposition.RENDERERS)}")
    return exposition.render(result_exposition(result, explain), form)


def result_record(result: Any) -> dict[str, object]:
    """What is known of a result, in the fields of a stored proof."""
    verdicts = result.verdicts
    proofs = [verdict.proof for verdict in verdicts if verdict.proof is not None]
    record: dict[str, object] = {
        "version": VERSION,
        "verdict": result.verdict,
        "statement": result.source,
        "reason": result.reason,
        "names": [name for name, _ in result.shapes],
        "shapes": {name: [str(rows), str(cols)] for name, (rows, cols) in result.shapes},
        "constraints": list(result.constraints),
        "hypotheses": _unique(statement_latex(one) for proof in proofs for one in proof.hypotheses),
        "axioms": _unique(name for proof in proofs for name in proof.axioms),
        "trusted": _unique(name for proof in proofs for name in proof.trusted),
        "links": [_link(verdict) for verdict in verdicts],
        "steps": [step for verdict in verdicts for step in _steps(verdict)],
    }
    if result.counterexample is not None:
        record["counterexample"] = _counterexample(result.counterexample)
    return record


def _unique(values: Any) -> list[str]:
    return list(dict.fromkeys(values))


def _link(verdict: Any) -> dict[str, object]:
    statement = verdict.statement
    return {
        "lhs": latex(statement.lhs),
        "rel": statement.relation,
        "rhs": latex(statement.rhs),
        "verdict": verdict.kind,
        "reason": verdict.reason,
    }


def _steps(verdict: Any) -> list[dict[str, str]]:
    if verdict.proof is None:
        return []
    steps = [
        {"lhs": latex(step.before), "rhs": latex(step.after), "rule": step.rule, "reason": step.reason}
        for step in (*verdict.proof.left, *reversed(verdict.proof.right))
    ]
    if not steps:
        statement = verdict.statement
        steps = [
            {
                "lhs": latex(statement.lhs),
                "rhs": latex(statement.rhs),
                "rule": verdict.proof.engine,
                "reason": "",
            }
        ]
    return steps


def _counterexample(found: Any) -> dict[str, object]:
    return {
        "values": {str(letter.data[0]): _value(value) for letter, value in found.values.items()},
        "sizes": dict(found.sizes),
        "lhs": _value(found.lhs),
        "rhs": _value(found.rhs),
        "place": list(found.place),
        "smallest": found.smallest,
    }


def _value(value: Any) -> list[list[str]]:
    return [[str(entry) for entry in row] for row in value]


__all__ = ["render", "result_exposition", "result_latex", "result_record", "result_text"]
