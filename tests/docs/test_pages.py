"""What the docs show is true."""

import ast
import re
import subprocess
import sys
from functools import cache
from itertools import takewhile

import pytest
from typer.testing import CliRunner

import highvoltage as hv
from highvoltage.cli.app import app
from highvoltage.games import edition
from pages import PAGES, ROOT, blocks


@pytest.mark.parametrize("page", PAGES)
def test_links_between_pages_lead_somewhere(page: str) -> None:
    file = ROOT / page
    for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", file.read_text("utf-8")):
        if "://" not in target:
            assert (file.parent / target).exists(), target


@cache
def helped(*command: str) -> str:
    shown = CliRunner().invoke(app, [*command, "--help"], env={"COLUMNS": "200"})
    assert shown.exit_code == 0, command
    return shown.stdout


def test_commands_that_are_shown_exist() -> None:
    """Including those that are not run."""
    for page in PAGES:
        for block in blocks(page):
            shown = re.findall(
                r"^\W*highvoltage ((?:admin |map |puzzle )?[a-z-]+)(.*?)(?:#.*)?$",
                block.body,
                re.MULTILINE,
            )
            for command, rest in shown if block.kind in {"sh", "console"} else []:
                for option in re.findall(r" (--[a-z-]+)", rest):
                    assert option in helped(*command.split()), f"{page}: {command} {option}"


def test_examples_with_a_button_find_their_modules_in_a_browser() -> None:
    """As docs/_static/run.js chooses them: up to the first of a page that cannot be run there."""
    script = (ROOT / "docs" / "_static" / "run.js").read_text("utf-8")
    (missing,) = re.findall(r"^const MISSING = /(.+)/$", script, re.MULTILINE)
    engine = (ROOT / "web" / "scripts" / "engine.py").read_text("utf-8")
    (parts,) = re.findall(r"^NOT_PLAYED = (.+)$", engine, re.MULTILINE)
    absent = ["numpy", *(f"highvoltage.{part}" for part in ast.literal_eval(parts))]
    imports = []
    for page in PAGES:
        shown = [block.body for block in blocks(page) if block.kind == "pycon"]
        for body in takewhile(lambda body: not re.search(missing, body), shown):
            imports += re.findall(r"^>>> ((?:from|import) .+)$", body, re.MULTILINE)
    lines = [f"import sys; sys.modules.update(dict.fromkeys({absent}))", *dict.fromkeys(imports)]
    subprocess.run([sys.executable, "-c", "\n".join(lines)], check=True)


def test_the_reference_lists_the_whole_public_api() -> None:
    reference = (ROOT / "docs" / "api.rst").read_text("utf-8")
    listed = set(re.findall(r":: highvoltage\.(\w+)$", reference, re.MULTILINE))
    assert {*hv.__all__} <= listed


@pytest.mark.parametrize("rulebook", ["classic", "recharged", "cardgame", "outpost"])
def test_the_reference_documents_the_fields_of_every_move(rulebook: str) -> None:
    listed = re.findall(r"automodule:: (\S+)", (ROOT / "docs" / "api.rst").read_text("utf-8"))
    for kind in edition(rulebook).rules.moves:
        assert kind.__module__ in listed
        text = kind.__doc__ or ""
        missing = [field for field in kind.__struct_fields__ if f"`{field}`" not in text]
        assert not missing, f"{kind.__name__} does not say in its docstring what these are"


def test_the_first_page_quotes_the_figures_of_its_sources() -> None:
    sources = ("docs/index.md", "docs/bots.md", "docs/batch.md", "benchmarks/README.md")
    first, strengths, speed, engine = ((ROOT / page).read_text("utf-8") for page in sources)
    row = r"^\| (\w+) \| `tycoon,engineer\*3` \| \d+ \| ([\d.]+) %"
    *most, last = (share for _, share in re.findall(row, strengths, re.MULTILINE))
    assert len(most) == 3
    assert f"{', '.join(most)} and {last} %" in first
    (fastest,) = re.findall(r"\*\*Batched\*\* \| \[(\d+) million", first)
    assert re.search(
        rf"^\| classic, Germany, 4 players \| \d+ \| {fastest} \|", speed, re.MULTILINE
    )
    (decisions,) = re.findall(r"([\d,]+),000 decisions a second", first)
    assert re.search(rf"^\| classic \| {decisions},\d+ \|", engine, re.MULTILINE)


def test_the_readme_quotes_the_figures_beside_other_programs() -> None:
    readme, measured = (
        (ROOT / page).read_text("utf-8") for page in ("README.md", "benchmarks/README.md")
    )
    row = r"^\| ([\w ,]+?)(?: wheel| \(\w+\)) \| (\d+) \| (\d+ µs) \| ([\d.]+ µs) \|$"
    rows = re.findall(row, readme, re.MULTILINE)
    assert len(rows) == 5
    for name, games, new, copied in rows:
        there = rf"^\| {name} \| {games} \| \d+ \| .* \| {copied} \| {new} \|$"
        assert re.search(there, measured, re.MULTILINE), name
