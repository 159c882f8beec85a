"""What the documents show is true."""

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from highvoltage.cli.app import app

ROOT = Path(__file__).parents[2]


def test_the_bot_in_contributing_plays(tmp_path: Path) -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    example = re.search(r"```python\n(.*?)```", text, re.DOTALL)
    assert example
    mine = tmp_path / "mine.py"
    mine.write_text(example[1], "utf-8")
    words = ["simulate", "classic", "--bots", f"{mine}:Busy,clerk", "--games", "1", "--jobs", "1"]
    result = CliRunner().invoke(app, words)
    assert result.exit_code == 0, result.output
    assert "1, finished 1" in result.stdout


PAGES = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("benchmarks/*.md")]


@pytest.mark.parametrize("page", [str(page.relative_to(ROOT)) for page in PAGES])
def test_links_between_pages_lead_somewhere(page: str) -> None:
    file = ROOT / page
    for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", file.read_text("utf-8")):
        if "://" not in target:
            assert (file.parent / target).exists(), target


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", "docs/cli.md"])
def test_commands_that_are_shown_exist(page: str) -> None:
    text = (ROOT / page).read_text("utf-8")
    shown = re.findall(r"^ *highvoltage ([a-z]+)(.*?)(?:#.*)?$", text, re.MULTILINE)
    assert shown
    for command, rest in shown:
        helped = CliRunner().invoke(app, [command, "--help"], env={"COLUMNS": "200"})
        assert helped.exit_code == 0, command
        for option in re.findall(r" (--[a-z]+)", rest):
            assert option in helped.stdout, f"{command} {option}"
