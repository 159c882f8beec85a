import subprocess
import sys
from pathlib import Path

WEB = Path(__file__).parents[2] / "web"


def test_the_page_knows_the_protocol_as_the_server_speaks_it() -> None:
    written = subprocess.run(
        [sys.executable, WEB / "scripts" / "protocol.py"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    current = (WEB / "src" / "lib" / "net" / "schema.ts").read_text("utf-8")
    assert current == written, "the protocol has changed: run `make types`"
