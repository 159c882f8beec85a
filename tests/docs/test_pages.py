"""What the docs show is true."""

import re
from functools import cache

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
