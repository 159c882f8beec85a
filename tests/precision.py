"""How precisely the code is typed: what `mypy --any-exprs-report` found, package by package.

An expression is precise if there is no Any in its type. `make precision` prints the figures and
fails when one of the packages on which everything is built falls below the floor.
"""

import re
import sys
from collections import Counter
from pathlib import Path

PACKAGES = ("engine", "views", "games", "table", "bots")
FLOOR = 98.0  # per cent of the expressions of a package


def precision(report: str) -> dict[str, float]:
    """Per cent of precise expressions by package.

    >>> precision("highvoltage.table.clock  1  50  98.00%\\nhighvoltage.table  1  50  98.00%")
    {'table': 98.0}
    """
    vague: Counter[str] = Counter()
    all_: Counter[str] = Counter()
    for package, anys, expressions in re.findall(
        r"^\s*highvoltage\.(\w+)\S*\s+(\d+)\s+(\d+)\s", report, re.MULTILINE
    ):
        vague[package] += int(anys)
        all_[package] += int(expressions)
    return {name: 100 - 100 * vague[name] / count for name, count in all_.items() if count}


def main(folder: str) -> int:
    found = precision(Path(folder, "any-exprs.txt").read_text())
    print("precise types:", ", ".join(f"{name} {found[name]:.1f} %" for name in PACKAGES))
    low = [name for name in PACKAGES if found[name] < FLOOR]
    for name in low:
        print(f"{name} is below {FLOOR} %: `mypy --disallow-any-expr` shows where Any gets in")
    return 1 if low else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
