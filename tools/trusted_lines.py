#!/usr/bin/env python3
"""Count the trusted base: what must be right for a proof by entries to be one.

    python tools/trusted_lines.py

Prints, for each trusted file, all lines and the lines of code (without blank lines, comments and docstrings).  Exit
code 1 when the kernel has 300 lines or more, when the whole base has more than 1,200 lines of code, or when a trusted
file imports something of ours that is not trusted.
"""

from __future__ import annotations

import ast
import io
import sys
import tokenize
from pathlib import Path

SOURCE = Path(__file__).parent.parent / "src" / "symlin"
TRUSTED = ("kernel", "sums", "term", "dims", "errors")
KERNEL_LINES, CODE_LINES = 300, 1_200


def code_lines(text: str) -> int:
    """Lines that hold code: no blank lines, comments or docstrings."""
    docstrings: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        if (
            isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
            and ast.get_docstring(node) is not None
        ):
            first = node.body[0]
            docstrings.update(range(first.lineno, (first.end_lineno or first.lineno) + 1))
    empty = (
        tokenize.COMMENT,
        tokenize.NL,
        tokenize.NEWLINE,
        tokenize.INDENT,
        tokenize.DEDENT,
        tokenize.ENDMARKER,
    )
    held: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in empty:
            held.update(range(token.start[0], token.end[0] + 1))
    return len(held - docstrings)


def strangers(text: str) -> set[str]:
    """Modules of ours that a file imports and that are not trusted."""
    modules: set[str] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ImportFrom):
            modules.add(node.module or "")
        elif isinstance(node, ast.Import):
            modules.update(name.name for name in node.names)
    ours = {name.partition(".")[2] for name in modules if name.startswith("symlin")}
    return ours - set(TRUSTED)


def main() -> int:
    """The command."""
    total, wrong = 0, []
    print(f"{'':10} {'lines':>6} {'code':>6}")
    for name in TRUSTED:
        text = (SOURCE / f"{name}.py").read_text(encoding="utf-8")
        lines, code = text.count("\n"), code_lines(text)
        total += code
        print(f"{name:10} {lines:6} {code:6}")
        if name == "kernel" and lines >= KERNEL_LINES:
            wrong.append(f"the kernel has {lines} lines")
        wrong += [f"{name} imports {other}, which is not trusted" for other in sorted(strangers(text))]
    print(f"{'together':10} {'':6} {total:6}")
    if total > CODE_LINES:
        wrong.append(f"the trusted base has {total} lines of code")
    print("\n".join(wrong), file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
