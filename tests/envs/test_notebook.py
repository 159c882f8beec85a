"""The notebook runs from its first cell to its last."""

import contextlib
import io
import json
from pathlib import Path
from typing import Any

import pytest

NOTEBOOK = Path(__file__).parents[2] / "examples" / "learn.ipynb"


@pytest.mark.long
def test_the_notebook_trains_evaluates_and_shows_a_game() -> None:
    """With fewer games: what it needs to learn something, and no more."""
    cells = json.loads(NOTEBOOK.read_text("utf-8"))["cells"]
    names: dict[str, Any] = {}
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        for cell in cells:
            if cell["cell_type"] == "code":
                source = "".join(cell["source"])
                for before, after in (
                    ("GAMES = 60", "GAMES = 12"),
                    ("MATCHES = 20", "MATCHES = 6"),
                ):
                    source = source.replace(before, after)
                exec(compile(source, str(NOTEBOOK), "exec"), names)
    assert names["test_share"] > 0.4
    assert names["won"] >= 3
    assert "The policy sits in seat" in output.getvalue()
    assert "on offer" in output.getvalue()


def test_the_notebook_is_kept_without_output() -> None:
    cells = json.loads(NOTEBOOK.read_text("utf-8"))["cells"]
    assert not any(cell.get("outputs") for cell in cells)
