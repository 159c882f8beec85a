import subprocess
import sys
from pathlib import Path

import pytest

WEB = Path(__file__).parents[2] / "web"


@pytest.mark.parametrize(
    ("script", "kept"), [("protocol.py", "schema.ts"), ("shipped.py", "shipped.json")]
)
def test_the_page_knows_what_the_server_says(script: str, kept: str) -> None:
    written = subprocess.run(
        [sys.executable, WEB / "scripts" / script],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    current = (WEB / "src" / "lib" / "net" / kept).read_text("utf-8")
    assert current == written, "the protocol or the catalogue has changed: run `make types`"
