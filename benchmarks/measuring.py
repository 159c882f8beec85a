"""How measurements are called and answer: `--help`, `--json`, no file that was not asked for."""

import argparse
import json
from typing import Any


def parser(doc: str | None) -> argparse.ArgumentParser:
    """A parser that explains the measurement by the documentation of its module."""
    made = argparse.ArgumentParser(
        description=doc, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    made.add_argument("--json", action="store_true", help="print a JSON object on each line")
    return made


class Report:
    """Prints each result as soon as there is one, for people or for programs."""

    def __init__(self, options: argparse.Namespace) -> None:
        self._json: bool = options.json

    def heading(self, *lines: str) -> None:
        """Explain the lines that follow; JSON names what it holds."""
        if not self._json:
            print(*lines, sep="\n", flush=True)

    def row(self, text: str, **measured: Any) -> None:
        """A line for people, and the same figures by name."""
        print(json.dumps(measured) if self._json else text, flush=True)
