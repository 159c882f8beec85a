"""The page while it is built: `make play` has the server see to that, and visitors wait."""

import asyncio
import shlex
from subprocess import DEVNULL

from highvoltage.words import language_of, say, speaking

WAITING = """<!doctype html>
<html lang="{language}">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta http-equiv="refresh" content="1" />
    <title>High Voltage</title>
  </head>
  <body style="background: #0d1520; color: #e8eef5; font: 1.2rem system-ui; text-align: center">
    <svg viewBox="14 6 40 52" style="height: 6rem; margin-top: 25vh; fill: #ffd24a">
      <path d="M36 6 14 37h15l-4 21 25-33H34z" />
    </svg>
    <p>{text}</p>
  </body>
</html>
"""


class PageBuild:
    """The command that builds the page, if there is one: else the page is there."""

    def __init__(self, command: str = "") -> None:
        self.running: bool = bool(command)
        self._command = shlex.split(command)

    async def run(self) -> bool:
        """Build the page, and say whether that worked; what builds it ends with the server."""
        process = await asyncio.create_subprocess_exec(*self._command, stdin=DEVNULL)
        try:
            self.running = await process.wait() != 0
            return not self.running
        finally:
            if process.returncode is None:
                process.terminate()
                await process.wait()


def waiting_page(accepted: str) -> str:
    """What a browser shows until then, by the languages that it accepts.

    >>> waiting_page("de-AT,de;q=0.9,en;q=0.8").splitlines()[1]
    '<html lang="de">'
    """
    language = language_of(accepted)
    with speaking(language):
        return WAITING.format(language=language, text=say("page_being_built"))
