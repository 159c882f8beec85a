"""How speed and memory grow: `python -m benchmarks.growth`.

Random legal play of every rulebook with two to six players, the memory of a game, and the cost of a
tournament in one process and in two. Times are processor times, the best of several for every game.
`--write` (`make bench-growth`) writes the tables into README.md, between the marks, and the plot
next to it.
"""

import gc
import re
import resource
import tracemalloc
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from statistics import fmean
from time import perf_counter, process_time
from typing import Any, NamedTuple

import highvoltage as hv
from benchmarks.measuring import Report, parser
from highvoltage.cli.bench import machine
from highvoltage.tournament import Tournament, play

HERE = Path(__file__).parent
PLAYERS = range(2, 7)
GAMES = 12
REPEATS = 5
COLOURS = ("#0a5", "#05a", "#a50", "#a05")
CUP_GAMES = 24

Curves = dict[str, dict[int, float]]
"""Measurements by name, then by the quantity on the x axis."""


def random_game(rulebook: str, players: int, seed: int, most: int = 10_000) -> hv.Game:
    """A game of random legal play, stopped after `most` moves."""
    game = hv.new(rulebook, players=players, seed=seed)
    draw = Random(seed).random
    while game.to_move is not None and len(game.log) < most:
        choices = game.legal_moves.choices
        game.play(choices[int(draw() * len(choices))])
    return game


def games_per_second(rulebook: str, players: int) -> float:
    best = [float("inf")] * GAMES
    for _ in range(REPEATS):
        for seed in range(GAMES):
            began = process_time()
            random_game(rulebook, players, seed)
            best[seed] = min(best[seed], process_time() - began)
    return 1 / fmean(best)


def kilobytes(rulebook: str, share: float) -> float:
    """The memory of a game of four; maps and caches, which games share, do not count."""
    most = int(share * len(random_game(rulebook, 4, seed=1).log))
    gc.collect()
    tracemalloc.start()
    game = random_game(rulebook, 4, 1, most)
    gc.collect()
    held = tracemalloc.get_traced_memory()[0]
    del game
    gc.collect()
    left = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    return (held - left) / 1000


def processor_time() -> float:
    """Of this process and of all finished child processes."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


def cup_seconds(jobs: int) -> tuple[float, float]:
    """A short tournament of clerks: seconds of all processors, and elapsed seconds."""
    cup = Tournament("classic", ("clerk",) * 4, games=CUP_GAMES)
    began, used = perf_counter(), processor_time()
    for _ in play(cup, jobs):
        pass
    return processor_time() - used, perf_counter() - began


class Growth(NamedTuple):
    """What was measured, by rulebook or by the number of processes."""

    games_per_second: Curves
    kilobytes: dict[str, dict[str, float]]
    cup_seconds: dict[int, tuple[float, float]]


def measure() -> Growth:
    rulebooks = list(hv.games())
    return Growth(
        {name: {each: games_per_second(name, each) for each in PLAYERS} for name in rulebooks},
        {
            when: {name: kilobytes(name, share) for name in rulebooks}
            for when, share in (("in the middle", 0.5), ("finished", 1.0))
        },
        {jobs: cup_seconds(jobs) for jobs in (1, 2)},
    )


def report_lines(found: Growth, about: dict[str, Any]) -> Iterator[str]:
    speeds = found.games_per_second
    yield f"On one core of {about['cpu']} ({about['system']}) with {about['python']}.\n"
    yield "| games/s with players | " + " | ".join(map(str, PLAYERS)) + " |"
    yield "| --- |" + " --: |" * len(PLAYERS)
    for rulebook, row in speeds.items():
        yield f"| {rulebook} | " + " | ".join(f"{speed:.0f}" for speed in row.values()) + " |"
    yield "\n![Games a second by the number of players](growth.svg)\n"
    yield "| kB of one game of four | " + " | ".join(speeds) + " |"
    yield "| --- |" + " --: |" * len(speeds)
    for when, sizes in found.kilobytes.items():
        yield f"| {when} | " + " | ".join(f"{size:.0f}" for size in sizes.values()) + " |"
    yield f"\n| {CUP_GAMES} games of four clerks | processor | clock |\n| --- | --: | --: |"
    for jobs, (used, lasted) in found.cup_seconds.items():
        yield f"| {jobs} process{'es' * (jobs > 1)} | {used:.1f} s | {lasted:.1f} s |"


def plot(curves: Curves, what: str, along: str) -> str:
    """Curves over the same evenly spaced places, from zero."""
    high = 1.1 * max(value for row in curves.values() for value in row.values())
    places = list(next(iter(curves.values())))
    across = {place: 60 + 400 * n / (len(places) - 1) for n, place in enumerate(places)}
    lines = []
    for (name, row), colour in zip(curves.items(), COLOURS, strict=False):
        spots = [(across[place], 260 - 220 * value / high) for place, value in row.items()]
        path = " ".join(f"{x:.0f},{y:.0f}" for x, y in spots)
        dots = "".join(f'<circle cx="{x:.0f}" cy="{y:.0f}" r="3"/>' for x, y in spots)
        x, y = spots[-1]
        lines.append(
            f'<g fill="{colour}"><polyline points="{path}" fill="none" stroke="{colour}"'
            f' stroke-width="2"/>{dots}<text x="{x + 12:.0f}" y="{y + 4:.0f}">{name}</text></g>'
        )
    marks = "".join(f'<text x="{x:.0f}" y="280">{place}</text>' for place, x in across.items())
    scale = "".join(
        f'<text x="20" y="{264 - 220 * value / high:.0f}">{value}</text>'
        for value in range(0, int(high), 100)
    )
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 560 310" font-family="sans-serif"'
        ' font-size="12"><rect width="560" height="310" fill="#fff"/>'
        f'{"".join(lines)}{marks}{scale}<line x1="50" y1="260" x2="470" y2="260" stroke="#999"/>'
        f'<text x="60" y="20">{what}</text><text x="240" y="300">{along}</text></svg>\n'
    )


def write(found: Growth, tables: str) -> None:
    readme = HERE / "README.md"
    text = re.sub(
        r"(?s)(<!-- growth -->\n).*(<!-- end -->)",
        lambda marks: f"{marks[1]}{tables}\n{marks[2]}",
        readme.read_text("utf-8"),
    )
    readme.write_text(text, "utf-8")
    drawn = plot(found.games_per_second, "games a second of random legal play", "players")
    (HERE / "growth.svg").write_text(drawn, "utf-8")


def main(words: Sequence[str] | None = None) -> None:
    arguments = parser(__doc__)
    arguments.add_argument("--write", action="store_true", help="write README.md and the plot")
    options = arguments.parse_args(words)
    found, about = measure(), machine()
    tables = "\n".join(report_lines(found, about))
    Report(options).row(tables, machine=about, **found._asdict())
    if options.write:
        write(found, tables)


if __name__ == "__main__":
    main()
