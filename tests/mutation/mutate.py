"""Small faults, one at a time: every change of the syntax tree that a test should notice."""

import ast
import copy
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

SWAPS: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.And: ast.Or,
    ast.Or: ast.And,
}
SKIPPED = (ast.Assert, ast.Raise, ast.Import, ast.ImportFrom)
"""Statements without behaviour of their own, and the texts of errors."""
ARGUMENTS = {"frozen", "gc", "maxsize", "stacklevel", "strict"}
"""Storage and checks that change no result; mypy checks what is frozen."""


class Mutant(NamedTuple):
    """A fault: where it is, the original text, and what replaces it."""

    path: str
    line: int
    place: str
    before: str
    after: str
    number: int  # index among all faults of its file
    nth: int  # index among those with the same text in the same place

    @property
    def name(self) -> str:
        """Stays the same as long as the surrounding code does, whatever the line number."""
        again = f" ({self.nth})" if self.nth > 1 else ""
        return f"{self.path} {self.place}: {self.before} -> {self.after}{again}"


class Fault(NamedTuple):
    node: ast.AST
    place: str
    mutate: Callable[[ast.AST], None]


def faults(tree: ast.Module) -> Iterator[Fault]:
    """Every fault that can be made in a module, in a fixed order."""
    yield from _in_body(tree, "")


def _in_body(node: ast.AST, place: str) -> Iterator[Fault]:
    for field, value in ast.iter_fields(node):
        if field in {"annotation", "returns", "decorator_list", "bases", "type_comment"}:
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and not _is_skipped(child):
                yield from _of(child, place)
                inner = getattr(child, "name", "")
                named = isinstance(child, ast.FunctionDef | ast.ClassDef)
                yield from _in_body(child, f"{place}.{inner}".strip(".") if named else place)


def _is_skipped(node: ast.AST) -> bool:
    if isinstance(node, SKIPPED):
        return True
    if isinstance(node, ast.keyword):
        return node.arg in ARGUMENTS
    if isinstance(node, ast.If):
        return isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)  # a docstring


def _of(node: ast.AST, place: str) -> Iterator[Fault]:
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in SWAPS:
        yield Fault(node, place, _swap_comparison)
    if isinstance(node, ast.BinOp | ast.BoolOp | ast.AugAssign) and type(node.op) in SWAPS:
        yield Fault(node, place, _swap_operator)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield Fault(node, place, _drop_not)
    if isinstance(node, ast.Constant) and type(node.value) in {int, bool} and place:
        yield Fault(node, place, _other_constant)
    if isinstance(node, ast.If | ast.While):
        yield Fault(node, place, _never)
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        yield Fault(node, place, _drop_call)


def _swap_comparison(node: ast.AST) -> None:
    assert isinstance(node, ast.Compare)
    node.ops = [SWAPS[type(node.ops[0])]()]  # type: ignore[list-item]


def _swap_operator(node: ast.AST) -> None:
    assert isinstance(node, ast.BinOp | ast.BoolOp | ast.AugAssign)
    node.op = SWAPS[type(node.op)]()  # type: ignore[assignment]


def _drop_not(node: ast.AST) -> None:
    assert isinstance(node, ast.UnaryOp)
    node.op = ast.UAdd()
    node.operand = ast.Call(ast.Name("bool", ast.Load()), [node.operand], [])


def _other_constant(node: ast.AST) -> None:
    assert isinstance(node, ast.Constant)
    assert isinstance(node.value, int)
    node.value = not node.value if isinstance(node.value, bool) else node.value + 1


def _never(node: ast.AST) -> None:
    assert isinstance(node, ast.If | ast.While)
    node.test = ast.Constant(value=False)


def _drop_call(node: ast.AST) -> None:
    assert isinstance(node, ast.Expr)
    node.value = ast.Constant(value=None)


def mutants(path: Path, root: Path) -> list[Mutant]:
    """All faults that can be made in a file."""
    tree = ast.parse(path.read_text("utf-8"))
    found = []
    came: Counter[tuple[str, str, str]] = Counter()
    for number, fault in enumerate(faults(tree)):
        changed = copy.deepcopy(fault.node)
        fault.mutate(changed)
        before, after = (_first_line(node) for node in (fault.node, changed))
        line = getattr(fault.node, "lineno", 0)
        name = str(path.relative_to(root))
        came[fault.place, before, after] += 1
        nth = came[fault.place, before, after]
        found.append(Mutant(name, line, fault.place, before, after, number, nth))
    return found


def _first_line(node: ast.AST) -> str:
    return ast.unparse(ast.fix_missing_locations(node)).splitlines()[0]


def mutated(source: str, nth: int) -> ast.Module:
    """The module with the fault of this index."""
    tree = ast.parse(source)
    fault = next(fault for number, fault in enumerate(faults(tree)) if number == nth)
    fault.mutate(fault.node)
    return ast.fix_missing_locations(tree)
