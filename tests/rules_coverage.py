"""Which rules do the tests prove? Run by `make rules-coverage`, with rulebooks as arguments.

A test names what it proves: `@pytest.mark.rule("C-4.5.1", "CV-20")`.
"""

import ast
import gc
import sys
import tomllib
from collections.abc import Iterator
from contextlib import redirect_stdout
from functools import cache
from io import StringIO
from pathlib import Path

import pytest

from highvoltage import rules

ROOT = Path(__file__).parents[1]
TESTS = ROOT / "tests"
UNPROVED = ROOT / "docs" / "rules" / "unproved.toml"


def needing_no_proof(rulebook: str) -> dict[str, str]:
    listed: dict[str, dict[str, str]] = tomllib.loads(UNPROVED.read_text(encoding="utf-8"))
    return listed.get(rulebook, {})


def faults(rulebook: str, proved: set[str]) -> list[str]:
    """What keeps a rulebook from being covered, rule by rule."""
    exempt = needing_no_proof(rulebook)
    without = [name for name in rules.ids(rulebook) if name not in proved and name not in exempt]
    return [
        *(f"{name} has no test: {rules.rule(name).title}" for name in without),
        *(f"{name} has a test and is listed as unproved" for name in exempt if name in proved),
    ]


def unknown_ids(named: set[str]) -> list[str]:
    """What the tests name although it is not a rule."""
    known = {rule for rulebook in rules.rulebooks() for rule in rules.ids(rulebook)}
    return sorted(f"a test names {name}, which is no rule" for name in named - known)


@cache
def named_in_source() -> set[str]:
    """The ids in the markers of all test files, read without running them."""
    gc.disable()  # a collection that ends during parsing may confuse Python 3.11's count of calls
    try:
        return {
            name
            for path in TESTS.rglob("*.py")
            for name in _marked(ast.parse(path.read_text(encoding="utf-8"), path))
        }
    finally:
        gc.enable()


def _marked(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _is_marker(node.func):
            for argument in node.args:
                name = ast.literal_eval(argument)
                assert isinstance(name, str), f"line {node.lineno}: an id is written as a string"
                yield name


def _is_marker(called: ast.expr) -> bool:
    return (
        isinstance(called, ast.Attribute)
        and called.attr == "rule"
        and ast.unparse(called) == "pytest.mark.rule"
    )


class Collector:
    """A pytest plugin that records the ids of every test that `make test` runs."""

    def __init__(self) -> None:
        self.named: set[str] = set()

    def pytest_itemcollected(self, item: pytest.Item) -> None:
        if not any(map(item.get_closest_marker, ("skip", "xfail", "long"))):
            self.named.update(name for marker in item.iter_markers("rule") for name in marker.args)


def named_by_pytest() -> set[str]:
    """The ids in the markers of all tests that pytest collects, without the long ones."""
    collector = Collector()
    settings = ["-c", str(ROOT / "pyproject.toml"), "-o", "addopts=", "--import-mode=importlib"]
    with redirect_stdout(StringIO()) as output:
        code = pytest.main(["--collect-only", "-q", "-s", *settings, str(TESTS)], [collector])
    if code not in {pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED}:
        sys.exit(output.getvalue())
    return collector.named


def main(rulebooks: list[str]) -> int:
    named = named_by_pytest()
    found = unknown_ids(named)
    for rulebook in rulebooks:
        exempt = needing_no_proof(rulebook)
        needed = [name for name in rules.ids(rulebook) if name not in exempt]
        print(f"{rulebook}: {len(named.intersection(needed))} of {len(needed)} rules have a test.")
        print(f"{len(exempt)} need none:")
        for name, reason in exempt.items():
            print(f"  {name:8} {reason}")
        found += faults(rulebook, named)
    print("\n".join(found) or "Nothing is missing.")
    return 1 if found else 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:] or list(rules.rulebooks())))
    except rules.UnknownRule as error:
        sys.exit(str(error))
