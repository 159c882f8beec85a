"""How long `import highvoltage` takes, beside `import msgspec`, which is most of it.

    python -m benchmarks.imports
    python -m benchmarks.imports --source build/compiled/src

Processor time of whole processes, in turns, from files that Python has compiled before.
"""

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from benchmarks import ROOT
from benchmarks.measuring import Report, parser

MODULES = ("msgspec", "highvoltage")


def milliseconds(module: str, source: Path) -> float:
    """The processor time of a Python that imports this module and ends."""
    environment = {**os.environ, "PYTHONPATH": str(source), "PYTHONDONTWRITEBYTECODE": ""}
    words = [sys.executable, "-c", f"import {module}"]
    _, status, used = os.wait4(os.posix_spawn(sys.executable, words, environment), 0)
    if status:
        raise SystemExit(f"{module} cannot be imported from {source}")
    return 1000 * (used.ru_utime + used.ru_stime)


def main(arguments: Sequence[str] | None = None) -> None:
    reader = parser(__doc__)
    reader.add_argument("--rounds", type=int, default=100)
    reader.add_argument("--source", type=Path, default=ROOT / "src", help="the folder to import")
    options = reader.parse_args(arguments)
    for module in MODULES:
        milliseconds(module, options.source)  # compiles what is not
    rounds = [
        [milliseconds(module, options.source) for module in MODULES] for _ in range(options.rounds)
    ]
    times = dict(zip(MODULES, map(median, zip(*rounds, strict=True)), strict=True))
    ratio = median(ours / theirs for theirs, ours in rounds)
    report = Report(options)
    text = ", ".join(f"import {module}: {time:.1f} ms" for module, time in times.items())
    report.row(f"{text}; ratio {ratio:.2f}", **times, ratio=ratio)


if __name__ == "__main__":
    main()
