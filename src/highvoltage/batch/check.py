"""Compares the twin with the engine in many games, on all processors.

    python -m highvoltage.batch.check classic-germany-4 recharged-usa-2 --games 1000
    python -m highvoltage.batch.check --seconds 540 --results check.jsonl

plays the named settings; or every map with every number of players, then every option and variant
spread over them; or with `--every` all combinations. Every line of the results is one portion of
games; portions already in the file are not played again. One process plays all games of a setting,
because compiling takes as long as a hundred games.

    python -m highvoltage.batch.check --table check.jsonl

prints a summary of the results.
"""

import argparse
import gc
import json
import multiprocessing
import os
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache, partial
from pathlib import Path
from queue import Empty, Queue
from typing import Any

from highvoltage.batch.env import RULEBOOKS, make
from highvoltage.batch.lockstep import Checker, Tally
from highvoltage.engine.errors import OptionError
from highvoltage.games import rulebook
from highvoltage.games.classic.rulebook import BoardRulebook
from highvoltage.testing.settings import Setting, settings

GAMES_PER_CHUNK = 50  # games played at once
Line = dict[str, Any]
BOARD_COLUMNS = {  # events by what they are called in a table
    "step 2": "Step 2",
    "step 3": "Step 3",
    "step 3 card in building": "its card while building",
    "cannot_buy": "forced passes",
    "discount": "sold at a discount",
    "phased out": "phase-outs",
    "placed": "cartel houses",
    "demolished": "demolished",
    "tie": "ties",
}
CARD_COLUMNS = {
    "END in auction": "END in the auction",
    "END in bureaucracy": "END in the bureaucracy",
    "reshuffle": "reshuffles",
    "cannot_buy": "forced passes",
    "discount": "sold at a discount",
    "scrap": "plants given up",
    "demolished": "demolished",
    "surplus": "surpluses",
    "taken": "taken by the Bank",
    "tie": "ties",
}
OUTPOST_COLUMNS = {
    "step 2": "Step 2",
    "step 3": "Step 3",
    "step 3 card in bureaucracy": "its card in the bureaucracy",
    "cannot_buy": "forced passes",
    "discount": "sold at a discount",
    "swap": "swaps",
    "settle": "settled",
    "robot": "robots",
    "syndicate": "choices for the Syndicate",
    "taken": "taken by it",
    "tie": "ties",
}
COLUMNS = {"cardgame": CARD_COLUMNS, "outpost": OUTPOST_COLUMNS}  # the board games share theirs
COUNTED = ("games", "decisions", "moves", "observations", "exchanges")


def covered_setups() -> list[Setting]:
    """Every setting that the twin covers."""
    known = [setting for name in RULEBOOKS for setting in settings(name)]
    known = [setting for setting in known if twin_covers(setting.rulebook, setting.map)]
    boards = {(each.rulebook, each.map) for each in known if each.map and not each.options}
    return known + [each for board in sorted(boards) for each in variant_settings(*board)]


def variant_settings(name: str, board: str) -> Iterator[Setting]:
    """Every variant of a board with every number of players that can choose it."""
    rules = rulebook(name, 4, board, {})
    if not isinstance(rules, BoardRulebook):
        return
    for variant, about in rules.map.variants.items():
        for players in about.players or range(2, 7):
            yield Setting(name, board, players, {"variants": [variant]})


def asked_setups() -> list[Setting]:
    """Every map with every number of players; then the options, spread over them.

    Every choice of an option is played with every number of players, each time on the map that was
    used least, and every variant with the number that was.
    """
    known, used = covered_setups(), Counter[Any]()
    asked = [each for each in known if not each.options]
    groups: dict[tuple[str, str, int | str | None], list[Setting]] = {}
    for each in known:
        if each.options:
            spread = each.map if "variants" in each.options else each.players
            groups.setdefault((each.rulebook, str(each.options), spread), []).append(each)
    for group in groups.values():
        chosen = min(group, key=lambda each: (used[each.map], used[each.players]))
        used.update((chosen.map, chosen.players))
        asked.append(chosen)
    return asked


@cache
def twin_covers(rulebook: str, where: str | None) -> bool:
    try:
        make(rulebook, where)
    except OptionError:
        return False
    return True


@cache
def checker(name: str) -> Checker:
    """Compiled once in every process that plays this setting."""
    setting = next(setting for setting in covered_setups() if str(setting) == name)
    return Checker(setting, GAMES_PER_CHUNK)


def play(name: str, first: int, games: int) -> Line:
    """One portion of games, as a line of the results."""
    began = time.perf_counter()
    line: Line = {"setting": name, "first": first}
    try:
        tally = checker(name).run(games, first=first)
    except Exception as failure:  # noqa: BLE001  # recorded, so that other settings are played
        tally, line["difference"] = Tally(), f"{type(failure).__name__}: {failure}"
    gc.collect()
    line |= {count: getattr(tally, count) for count in COUNTED}
    line["events"] = dict(sorted(tally.events.items()))
    return line | {"seconds": round(time.perf_counter() - began, 1)}


class Plan:
    """Portions still to be played, setting after setting."""

    def __init__(self, wanted: dict[str, int], done: Iterable[Line]) -> None:
        known = {(line["setting"], line["first"]): line["games"] for line in done}
        self.open: list[tuple[str, int, int]] = [
            (name, first, min(GAMES_PER_CHUNK, games - first))
            for name, games in wanted.items()
            for first in range(0, games, GAMES_PER_CHUNK)
            if known.get((name, first), 0) < min(GAMES_PER_CHUNK, games - first)
        ]
        self.compiled: dict[int, set[str]] = {}

    def next(self, worker: int) -> tuple[str, int, int] | None:
        """Prefer a setting that this worker compiled, then one nobody has, then the most left."""
        if not self.open:
            return None
        mine = self.compiled.setdefault(worker, set())
        others = set().union(*self.compiled.values())
        left = Counter(name for name, _, _ in self.open)

        def merit(portion: tuple[str, int, int]) -> tuple[bool, bool, int]:
            name = portion[0]
            return name in mine, name not in others, left[name] if name in others else 0

        portion = max(self.open, key=merit)  # the first of the best
        self.open.remove(portion)
        mine.add(portion[0])
        return portion

    def drop(self, name: str) -> None:
        """Play no more games of a setting that has differed."""
        self.open = [portion for portion in self.open if portion[0] != name]


def pin_to_core(core: int) -> None:
    """One core for one process, and no garbage collection until the end of a portion."""
    gc.disable()  # a collection would traverse everything that was compiled
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {core})


def cores() -> list[int]:
    if hasattr(os, "sched_getaffinity"):
        return sorted(os.sched_getaffinity(0))
    return list(range(os.cpu_count() or 1))


def run_plan(plan: Plan, processes: int, seconds: float) -> Iterator[Line]:
    """Play the plan, portion by portion, until it is done or the time is over."""
    until = time.monotonic() + seconds
    spawn = multiprocessing.get_context("spawn")
    workers = [spawn.Pool(1, pin_to_core, (core,)) for core in cores()[:processes]]
    answers: Queue[tuple[int, Line | BaseException]] = Queue()
    idle = list(range(len(workers)))
    busy = 0
    try:
        while True:
            while idle and (portion := plan.next(idle[0])):
                done = partial(report, answers, idle.pop(0))
                workers[done.args[1]].apply_async(play, portion, {}, done, done)
                busy += 1
            if not busy:
                return
            at, line = answers.get(timeout=max(0.0, until - time.monotonic()))
            idle.append(at)
            busy -= 1
            if isinstance(line, BaseException):
                raise line
            if "difference" in line:
                plan.drop(line["setting"])
            yield line
    except Empty:
        return
    finally:
        for worker in workers:
            worker.terminate()


def report(answers: "Queue[tuple[int, Line | BaseException]]", at: int, line: Any) -> None:
    answers.put((at, line))


def read_results(files: Iterable[Path]) -> list[Line]:
    """The portions in these files; of one played several times, only the latest."""
    lines = [json.loads(line) for file in files for line in file.read_text("utf-8").splitlines()]
    return list({(line["setting"], line["first"]): line for line in lines}.values())


def group_of(setting: str) -> str:
    """Settings are grouped by their option, those without one by their board.

    >>> group_of("classic-usa-3"), group_of("classic-usa-3-regions=draft")
    ('classic, usa', 'classic, regions=draft')
    >>> group_of("cardgame-3"), group_of("cardgame-3-money=hidden")
    ('cardgame', 'cardgame, money=hidden')
    """
    *named, option = setting.split("-")
    return f"{named[0]}, {option}" if "=" in option else ", ".join(named)


def table(lines: Iterable[Line]) -> Iterator[str]:
    """What results say, for a page: the board games, then each of the others."""
    by_game: dict[str, list[Line]] = {}
    for line in lines:
        name = line["setting"].split("-")[0]
        by_game.setdefault(name if name in COLUMNS else "", []).append(line)
    for at, game in enumerate(sorted(by_game)):
        yield from [""] * (at > 0)
        yield from table_of(by_game[game], COLUMNS.get(game, BOARD_COLUMNS))


def table_of(lines: list[Line], columns: dict[str, str]) -> Iterator[str]:
    groups: dict[str, list[Line]] = {}
    for line in lines:
        groups.setdefault(group_of(line["setting"]), []).append(line)
    yield "| " + " | ".join(("", "settings", *COUNTED, *columns.values(), "differences")) + " |"
    yield "| --- |" + " --: |" * (len(COUNTED) + len(columns) + 2)
    rows = {name: groups[name] for name in sorted(groups, key=lambda name: ("=" in name, name))}
    for name, group in (rows | {"**together**": lines}).items():
        counts = " | ".join(f"{number:,}" for number in totals(group, columns))
        yield f"| {name} | {counts} |"


def totals(lines: list[Line], columns: Iterable[str]) -> list[int]:
    return [
        len({line["setting"] for line in lines}),
        *(sum(line[count] for line in lines) for count in COUNTED),
        *(sum(line["events"].get(column, 0) for line in lines) for column in columns),
        sum("difference" in line for line in lines),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description="Compare the twin with the engine.")
    parser.add_argument("settings", nargs="*", help="such as classic-germany-4; all if none")
    parser.add_argument("--games", type=int, default=200, help="of every setting without options")
    parser.add_argument("--others", type=int, default=20, help="of those with options")
    parser.add_argument("--every", action="store_true", help="all options on all maps")
    parser.add_argument("--left", action="store_true", help="only say how much is left to play")
    parser.add_argument("--shard", default="0/1", help="i/n: only every n-th setting from the i-th")
    parser.add_argument("--seconds", type=float, default=1e9, help="then stop")
    parser.add_argument("--processes", type=int, default=len(cores()))
    parser.add_argument("--results", type=Path, help="a file of JSON lines to add to")
    parser.add_argument("--table", type=Path, nargs="+", help="only print a summary of results")
    options = parser.parse_args()
    if options.table:
        print("\n".join(table(read_results(options.table))))
        return
    shard, shards = map(int, options.shard.split("/"))
    named = covered_setups() if options.settings or options.every else asked_setups()
    if options.settings:
        named = [one for one in named if str(one) in options.settings]
    named.sort(key=lambda one: bool(one.options))
    games = (options.games, options.others)
    wanted = {str(one): games[bool(one.options)] for one in named[shard::shards]}
    done = read_results([options.results]) if options.results and options.results.exists() else []
    plan = Plan(wanted, done)
    left, differs = len(plan.open), 0
    if options.left:
        print(f"{left} portions of {len({name for name, _, _ in plan.open})} settings left")
        return
    for line in run_plan(plan, options.processes, options.seconds):
        if options.results:
            with options.results.open("a") as file:
                file.write(json.dumps(line) + "\n")
        left -= 1
        differs += "difference" in line
        print(f"{line['setting']}, games from {line['first']}:", end=" ")
        print(line.get("difference") or f"{line['decisions']:,} decisions agree", flush=True)
    print(f"{left} portions left, {differs} differences")
    sys.exit(bool(differs))


if __name__ == "__main__":
    main()
