"""Long proofs in pieces, so that they can be broken off and gone on with.

What has been done is kept in `build`: a line of JSON for every piece, with the commit it was done
on. A piece that is there already is left out; without the file all begins anew. MINUTES in the
environment says for how long pieces are begun. As a program this tells how far a proof is.
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
    """So many in pieces: the number of each, and how many are in it.

    >>> sizes(25, 10)
    [(0, 10), (1, 10), (2, 5)]
    """
    return [(n, min(size, total - n * size)) for n in range(-(-total // size))]


@contextmanager
def piece(proof: str, name: str) -> Iterator[dict[str, object]]:
    """One piece of a proof, left out if it has been done; what is told of it is kept with it.

    A small share that every run of the tests does is no piece, and nothing is kept of it.
    """
    if ASKED_BY[proof] not in os.environ:
        yield {}
        return
    if any(done["piece"] == name for done in kept(proof)):
        pytest.skip("done before")
    if monotonic() > BEGUN + 60 * MINUTES:
        pytest.skip("there is no time left")
    told: dict[str, object] = {}
    yield told
    with _file(proof).open("a") as file:
        file.write(json.dumps({"piece": name, "commit": _commit(), **told}) + "\n")


def kept(proof: str) -> list[dict[str, object]]:
    file = _file(proof)
    return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []


def _file(proof: str) -> Path:
    (ROOT / "build").mkdir(exist_ok=True)
    return ROOT / "build" / f"{proof}.jsonl"


def _commit() -> str:
    asked = ["git", "describe", "--always", "--dirty"]
    return subprocess.check_output(asked, cwd=ROOT, text=True).strip()


if __name__ == "__main__":
    done = kept(sys.argv[1])
    counts = {key for each in done for key, value in each.items() if isinstance(value, int)}
    for key in sorted(counts):
        print(key, sum(int(str(each.get(key, 0))) for each in done))
    print("on", *sorted({str(each["commit"]) for each in done}))
