"""Every block of code in the docs is run, or says why it is not."""

import doctest
import json
import re
import shlex
import shutil
import tomllib
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from highvoltage.cli.app import app
from pages import PAGES, ROOT, Block, blocks

SHOWN = {"text"}  # shown, not run
COMPARED = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def command(line: str) -> str:
    """The output of one of our commands."""
    words = shlex.split(line, comments=True)
    assert words[0] == "highvoltage", f"only our own commands are run: {line}"
    ended = CliRunner().invoke(app, words[1:], env={"COLUMNS": "100", "LC_ALL": "en"})
    assert ended.exit_code == 0, f"{line}\n{ended.output}"
    return ended.stdout


def run(block: Block, names: dict[str, Any], page: str) -> None:
    """Run a block with the names that the page has defined so far."""
    at = f"{page}, line {block.line}"
    if block.kind == "python":
        exec(compile("\n" * block.line + block.body, page, "exec"), names)
    elif block.kind == "pycon":
        test = doctest.DocTestParser().get_doctest(block.body, names, at, page, block.line)
        test.globs = names  # the parser makes a copy
        failures: list[str] = []
        doctest.DocTestRunner(optionflags=COMPARED).run(
            test, out=failures.append, clear_globs=False
        )
        assert not failures, "".join(failures)
    elif block.kind == "sh":
        for line in re.sub(r"\\\n\s*", "", block.body).splitlines():
            if line.strip() and not line.startswith("#"):
                command(line)
    elif block.kind == "console":
        for typed, answer in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block.body, re.MULTILINE):
            got = command(typed)
            assert doctest.OutputChecker().check_output(answer, got, COMPARED), f"{at}\n{got}"
    elif block.kind == "json":
        json.loads(block.body)
    elif block.kind == "toml":
        tomllib.loads(block.body)
    else:
        pytest.fail(f"{at}: what is a block of {block.kind!r}?")


def is_to_run(block: Block, page: str) -> bool:
    """Whether a block is to be run, by the comment above it."""
    verb, _, rest = block.mark.partition(": ")
    if verb == "given":
        for name, source in re.findall(r"(\S+) is ([^\s,]+)", rest):
            shutil.copy(ROOT / source, name)
    elif verb == "saved as":
        Path(rest).write_text(block.body, "utf-8")
    elif verb == "run by":
        assert Path(page).name in (ROOT / rest).read_text("utf-8"), f"{rest} does not read {page}"
    elif verb == "not run":
        assert rest, f"{page}, line {block.line}: why not?"
        for test in re.findall(r"tests/\S+\.py", rest):
            assert (ROOT / test).exists(), test
    else:
        assert not verb, f"{page}, line {block.line}: what does '{verb}' mean?"
    return verb in {"", "given"}


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page)])
def test_blocks_are_run_or_say_why_not(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for folder in ("docs", "examples"):
        (tmp_path / folder).symlink_to(ROOT / folder)
    names: dict[str, Any] = {"__name__": "page"}
    for block in blocks(page):
        if block.kind not in SHOWN and not block.kind.startswith("{") and is_to_run(block, page):
            run(block, names, page)
