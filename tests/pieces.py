"""Long checks in pieces, so that they can be interrupted and resumed.

Finished pieces are recorded in `build`: a line of JSON for each, with the commit it ran on. A
recorded piece is skipped; without the file everything starts over. MINUTES in the environment says
for how long new pieces are started. As a program this prints the progress of a check.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic

import pytest

ROOT = Path(__file__).parent.parent
ASKED_BY = {"kill": "KILLS", "fuzz": "FUZZ", "rulesets": "RULESETS"}
BEGUN = monotonic()
MINUTES = float(os.environ.get("MINUTES", "inf"))


def sizes(total: int, size: int) -> list[tuple[int, int]]:
    """Split a number into pieces: the number of each, and how many are in it.

    >>> sizes(25, 10)
    [(0, 10), (1, 10), (2, 5)]
    """
    return [(n, min(size, total - n * size)) for n in range(-(-total // size))]


@contextmanager
def piece(check: str, name: str) -> Iterator[dict[str, object]]:
    """One piece of a check, skipped if it is recorded; the dict it yields is recorded with it.

    The small share that every test run does is not a piece, and is not recorded.
    """
    if ASKED_BY[check] not in os.environ:
        yield {}
        return
    if any(done["piece"] == name for done in recorded(check)):
        pytest.skip("done before")
    if monotonic() > BEGUN + 60 * MINUTES:
        pytest.skip("there is no time left")
    results: dict[str, object] = {}
    yield results
    with _file(check).open("a") as file:
        file.write(json.dumps({"piece": name, "commit": _commit(), **results}) + "\n")


def recorded(check: str) -> list[dict[str, object]]:
    file = _file(check)
    return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []


def _file(check: str) -> Path:
    (ROOT / "build").mkdir(exist_ok=True)
    return ROOT / "build" / f"{check}.jsonl"


def _commit() -> str:
    command = ["git", "describe", "--always", "--dirty"]
    return subprocess.check_output(command, cwd=ROOT, text=True).strip()


if __name__ == "__main__":
    done = recorded(sys.argv[1])
    counts = {key for each in done for key, value in each.items() if isinstance(value, int)}
    for key in sorted(counts):
        print(key, sum(int(str(each.get(key, 0))) for each in done))
    print("on", *sorted({str(each["commit"]) for each in done}))
