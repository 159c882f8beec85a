"""The figures and the report of a known tournament, and of one that has no result yet."""

from collections.abc import Sequence
from typing import Any

import msgspec

from golden.known import write
from golden.playthrough import FOLDER
from highvoltage.tournament import Result, Tournament, report, standings

REPORTS = FOLDER / "reports"
CUP = Tournament("classic", ("clerk", "engineer", "a<b>"), players=2, games=6, seed="9")
PLACES = ((1, 2), (1, 2), (2, 1), (1, 1), (1, 2), (2, 1), (2, 2))
MANY = 700
"""More games than the course of a bot has points."""


def results(count: int) -> list[Result]:
    """Games whose figures all differ; in the last of the few a clerk moved, and it did not end."""
    return [
        Result(
            number,
            CUP.seats(number),
            number != len(PLACES) - 1,
            8 + number % 3,
            PLACES[number % len(PLACES)],
            (10 + number % 4, 12),
            (0.5 + number / 64, 0.25),
            (0.04, 0.02 + number / 512),
            (2, 0) if number % 5 == 1 else (),
            ("it is late", "") if number % 5 == 1 else (),
        )
        for number in range(count)
    ]


REPORTED: dict[str, tuple[Sequence[Result], str]] = {
    "begun": ([], ""),
    "few": (results(len(PLACES)), "highvoltage tournament <x>"),
    "many": (results(MANY), ""),
}


def reports(name: str) -> str:
    """Every figure on a line of its own, and the page."""
    table = standings(CUP, REPORTED[name][0])
    found: dict[str, Any] = msgspec.to_builtins(table)
    courses = found.pop("course")
    figures = [f"{key}: {rounded(value)}" for key, value in found.items() if key != "rows"]
    figures += [f"{key}: {rounded(value)}" for row in found["rows"] for key, value in row.items()]
    figures += [f"{bot}: {len(course)} {course[-3:]}" for bot, course in courses.items()]
    return "\n".join([*figures, "", report(table, REPORTED[name][1]).replace("><", ">\n<"), ""])


def rounded(value: Any) -> Any:
    """Sums of real numbers differ a little from machine to machine."""
    if isinstance(value, list):
        return [*map(rounded, value)]
    return round(value, 9) if isinstance(value, float) else value


if __name__ == "__main__":
    for name in REPORTED:
        write(REPORTS, name, reports(name))
