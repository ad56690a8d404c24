#!/usr/bin/env python3
"""Alter the trusted code in every operator and condition, one at a time, and see whether the tests notice.

    python tools/mutate_kernel.py [--only kernel|sums] [--list] [--seconds 30]

Every comparison, boolean operator, arithmetic operator, small integer, condition and `need` of `kernel.py` and
`sums.py` is changed in turn.  A change that no test notices is printed; those listed in EQUIVALENT, with the reason
why they change nothing, are not counted.  Exit code 1 when any other survives.
"""

from __future__ import annotations

import argparse
import ast
import copy
import importlib
import os
import signal
import sys
import types
from collections.abc import Callable, Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
TESTS = ["tests/test_kernel.py", "tests/test_sums.py", "tests/decide/test_entries.py", "tests/test_replay.py"]

EQUIVALENT: dict[str, str] = {
    "kernel.py:balance[case, key] += sign * coefficient [Add to Sub]": "every total changes its sign, and 0 does not",
    "sums.py:False [False to True]": "both sides start conjugated: the same claim of the conjugate entries",
}
"""Alterations that change nothing that matters: the line as `--list` prints it, and why."""

COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.Pow: ast.Mult,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
}
Change = Callable[[ast.AST], ast.AST | None]


def changes(node: ast.AST) -> Iterator[tuple[str, Change]]:
    """The alterations of one node: a name, and what to put in its place (None: nothing)."""
    match node:
        case ast.Compare():
            for place, op in enumerate(node.ops):
                other = COMPARISONS[type(op)]
                yield f"{type(op).__name__} to {other.__name__}", _set("ops", place, other)
        case ast.BoolOp():
            other_op = ast.Or if isinstance(node.op, ast.And) else ast.And
            yield f"{type(node.op).__name__} to {other_op.__name__}", _replace("op", other_op)
        case ast.BinOp() if type(node.op) in ARITHMETIC:
            operator = ARITHMETIC[type(node.op)]
            yield f"{type(node.op).__name__} to {operator.__name__}", _replace("op", operator)
        case ast.AugAssign() if type(node.op) in ARITHMETIC:
            operator = ARITHMETIC[type(node.op)]
            yield f"{type(node.op).__name__} to {operator.__name__}", _replace("op", operator)
        case ast.UnaryOp(op=ast.Not() | ast.USub()):
            yield "sign or negation dropped", lambda at: at.operand  # type: ignore[attr-defined]
        case ast.Constant(value=bool() as value):
            yield f"{value} to {not value}", _constant(not value)
        case ast.Constant(value=int() as value):
            yield f"{value} to {value + 1}", _constant(value + 1)
        case ast.If() | ast.IfExp():
            yield "condition always", _replace("test", lambda: ast.Constant(True))
            yield "condition never", _replace("test", lambda: ast.Constant(False))
        case ast.Expr(value=ast.Call(func=ast.Name(id="need"))):
            yield "need dropped", lambda at: ast.Pass()
        case ast.Call(func=ast.Name(id="any")):
            yield "any to all", _call("all")
        case ast.Call(func=ast.Name(id="all")):
            yield "all to any", _call("any")


def _set(field: str, place: int, kind: Callable[[], ast.AST]) -> Change:
    def change(node: ast.AST) -> ast.AST:
        getattr(node, field)[place] = kind()
        return node

    return change


def _replace(field: str, kind: Callable[[], ast.AST]) -> Change:
    def change(node: ast.AST) -> ast.AST:
        setattr(node, field, kind())
        return node

    return change


def _constant(value: object) -> Change:
    return lambda node: ast.Constant(value)  # type: ignore[arg-type]


def _call(name: str) -> Change:
    return _replace("func", lambda: ast.Name(name, ast.Load()))


def mutants(tree: ast.Module) -> Iterator[tuple[str, ast.Module]]:
    """Each altered tree, with a line that says what was altered."""
    docstrings = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
        and isinstance(node.body[0], ast.Expr)
    }
    nodes = list(ast.walk(tree))
    for number, node in enumerate(nodes):
        if id(node) in docstrings or _in_annotation_or_message(node, tree):
            continue
        for name, change in changes(node):
            altered = copy.deepcopy(tree)
            target = list(ast.walk(altered))[number]
            _put(altered, target, change(target))
            line = getattr(node, "lineno", 0)
            yield (
                f"{line}: {ast.unparse(node).splitlines()[0][:90]} [{name}]",
                ast.fix_missing_locations(altered),
            )


def _in_annotation_or_message(node: ast.AST, tree: ast.Module) -> bool:
    """Types and the texts of errors are not conditions."""
    skipped = _SKIPPED.get(id(tree))
    if skipped is None:
        skipped = set()
        for at in ast.walk(tree):
            parts = [getattr(at, "annotation", None), getattr(at, "returns", None)]
            if isinstance(at, ast.Call) and isinstance(at.func, ast.Name) and at.func.id in ("need", "cast"):
                parts.append(at.args[1] if at.func.id == "need" else at.args[0])
            if isinstance(at, ast.Raise):
                parts.append(at.exc)
            if isinstance(at, ast.AnnAssign) and ast.unparse(at.annotation) == "TypeAlias":
                parts.append(at.value)
            if isinstance(at, ast.FunctionDef) and at.name == "__repr__":
                parts.append(at)
            for part in parts:
                skipped.update(id(inner) for inner in ast.walk(part) if part is not None) if part else None
        _SKIPPED[id(tree)] = skipped
    return id(node) in skipped


_SKIPPED: dict[int, set[int]] = {}


def _put(tree: ast.AST, old: ast.AST, new: ast.AST | None) -> None:
    if new is old or new is None:
        return
    for parent in ast.walk(tree):
        for field, value in ast.iter_fields(parent):
            if value is old:
                setattr(parent, field, new)
                return
            if isinstance(value, list) and old in value:
                value[value.index(old)] = new
                return


def survives(module: str, tree: ast.Module, seconds: int) -> bool:
    """Whether all tests pass with this tree in the module's place."""
    child = os.fork()
    if child:
        _, status = os.waitpid(child, 0)
        return os.waitstatus_to_exitcode(status) == 0
    quiet = os.open(os.devnull, os.O_WRONLY)
    os.dup2(quiet, 1)
    os.dup2(quiet, 2)
    signal.alarm(seconds)
    try:
        made = types.ModuleType(module)
        made.__file__ = str(ROOT / "src" / (module.replace(".", "/") + ".py"))
        sys.modules[module] = made
        exec(compile(tree, made.__file__, "exec"), made.__dict__)
        import pytest

        arguments = ["-x", "-q", "-p", "no:cacheprovider", "-p", "no:randomly", "--no-header"]
        code = pytest.main([*arguments, *(test for test in TESTS if (ROOT / test).exists())])
    except BaseException:
        code = 1
    os._exit(int(code))


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--only", choices=["kernel", "sums"], help="one of the two files")
    parser.add_argument("--list", action="store_true", help="print the alterations and stop")
    parser.add_argument("--seconds", type=int, default=30, help="for the tests of one alteration")
    parser.add_argument("--part", default="0/1", help="K/N: every N-th alteration from the K-th on")
    options = parser.parse_args()
    os.chdir(ROOT)
    sys.path[:0] = ["src", "tests", "tests/decide"]
    for name in ("pytest", "hypothesis", "symlin.construct", "symlin.statement", "symlin.errors"):
        importlib.import_module(name)
    start, step = map(int, options.part.split("/"))
    counted, survived, excused = 0, 0, 0
    for name in [options.only] if options.only else ["kernel", "sums"]:
        tree = ast.parse((ROOT / "src" / "symlin" / f"{name}.py").read_text(encoding="utf-8"))
        for number, (what, altered) in enumerate(mutants(tree)):
            if number % step != start:
                continue
            counted += 1
            line = f"{name}.py:{what}"
            if options.list:
                print(line)
            elif survives(f"symlin.{name}", altered, options.seconds):
                key = f"{name}.py:{what.split(': ', 1)[1]}"
                excused += key in EQUIVALENT
                survived += key not in EQUIVALENT
                print(f"{'excused ' if key in EQUIVALENT else 'SURVIVES'} {line}", flush=True)
    if not options.list:
        print(
            f"{counted} alterations: {counted - survived - excused} noticed, {excused} excused, {survived} survive"
        )
    return 1 if survived else 0


if __name__ == "__main__":
    sys.exit(main())
