"""What finished games cost that have become many: pages, searches, counts, profiles, ratings.

    python -m benchmarks.history                      20,000 and 200,000 games over 5,000 people
    python -m benchmarks.history --games 5000 --asked 50

The results are those of the finished games in `tests/corpus`, repeated. Some people play more than
others, and one of them has 10,000 games. The records themselves, which no question here reads, are
left out. What is measured is the processor time from the question to the encoded answer, on SQLite,
where the database is part of the process.
"""

import asyncio
import tempfile
from collections.abc import Awaitable, Callable, Iterator, Sequence
from itertools import islice
from random import Random
from statistics import median, quantiles
from time import perf_counter, process_time
from typing import Any

import msgspec
from sqlalchemy import Connection, insert

import highvoltage as hv
from benchmarks import ROOT
from benchmarks.measuring import Report, parser
from highvoltage.engine.errors import HighVoltageError
from highvoltage.rooms.rows import GameRow, SeatRow
from highvoltage.server.guard.identity import Visitor
from highvoltage.server.people.counting import results_of
from highvoltage.server.people.history import History, public_games
from highvoltage.server.people.messages import GameFilter, PublicGameFilter
from highvoltage.server.people.profile import Profiles
from highvoltage.server.people.rating import leaderboard
from highvoltage.server.store import ResultRow, SqlStore
from highvoltage.server.store.ratings import player_of
from highvoltage.server.store.schema import games, profiles, ratings, results, seats

CORPUS = ROOT / "tests" / "corpus"
PEOPLE = 5_000
BUSIEST = 10_000
"""The games of one person."""
PEOPLE_AT_TABLE = 2
DAY = 86_400.0
Played = tuple[GameRow, list[SeatRow], list[ResultRow]]


def played_games() -> list[Played]:
    """The finished games of the corpus, as a server would have them."""
    found = []
    for file in sorted(CORPUS.glob("*.txt")):
        try:
            record = hv.replay(file).record()
        except HighVoltageError:
            continue
        if record.result:
            found.append(_as_stored(record))
    return found


def _as_stored(record: hv.Record) -> Played:
    setup = msgspec.json.encode({"rulebook": record.rulebook, "title": "Tuesday"}).decode()
    row = GameRow("", "finished", record.rulebook, setup, "0", True, "", 0.0, 0.0, "{}")
    places = [SeatRow("", n, "person", name) for n, name in enumerate(record.names)]
    row.record = record.json()
    rows = results_of(row, places, 2_400.0)
    row.record = None
    return row, places, rows


def repeated(played: list[Played], count: int) -> Iterator[Played]:
    """So many games, whose people are drawn so that some play more than others."""
    rng = Random(1)
    people = [f"person {n}" for n in range(PEOPLE)]
    weights = [1 / (n + 50) for n in range(PEOPLE)]
    for n in range(count):
        row, places, rows = played[n % len(played)]
        game, at = f"game{n:08}", n * DAY / 200
        chosen = rng.choices(people, weights, k=PEOPLE_AT_TABLE)
        whos = dict(enumerate(dict.fromkeys(chosen)))
        if n % max(1, count // BUSIEST) == 0:
            whos[0] = "busiest"
        words = "\n".join(["tuesday", *(whos.get(place.seat, "clerk") for place in places)])
        yield (
            msgspec.structs.replace(row, id=game, created=at),
            [
                msgspec.structs.replace(
                    place,
                    game=game,
                    owner=whos.get(place.seat),
                    name=whos.get(place.seat, "Clerk"),
                )
                for place in places
            ],
            [
                msgspec.structs.replace(
                    each,
                    game=game,
                    who=whos.get(each.seat),
                    at=at,
                    words=words,
                    **_rated(each, whos),
                )
                for each in rows
            ],
        )


def _rated(row: ResultRow, whos: dict[int, str]) -> dict[str, Any]:
    """A rating after a game of a person, whatever it is."""
    who = whos.get(row.seat)
    return {} if who is None else {"rated_as": player_of(who), "mu": 25.0, "sigma": 5.0}


def known_people(rulebooks: set[str]) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The profiles of all people, and their ratings."""
    rng = Random(3)
    names = ["busiest", *(f"person {n}" for n in range(PEOPLE))]
    shown = [
        {"who": name, "handle": name, "public": n % 2 == 0, "key": name}
        for n, name in enumerate(names)
    ]
    rated = [
        {
            "rulebook": rulebook,
            "player": player_of(name),
            "who": name,
            "mu": rng.gauss(25, 5),
            "sigma": 5.0,
        }
        for rulebook in sorted(rulebooks)
        for name in names
    ]
    return shown, rated


def _parts(found: Iterator[Played]) -> Iterator[list[Played]]:
    while part := [*islice(found, 5_000)]:
        yield part


async def fill(store: SqlStore, played: list[Played], count: int) -> None:
    for part in _parts(repeated(played, count)):

        def work(connection: Connection, part: list[Played] = part) -> None:
            for table, found in (
                (games, [row for row, _, _ in part]),
                (seats, [place for _, places, _ in part for place in places]),
                (results, [each for _, _, rows in part for each in rows]),
            ):
                connection.execute(insert(table), [msgspec.structs.asdict(each) for each in found])

        await store.write(work)
    shown, rated = known_people({row.rulebook for row, _, _ in played})

    def add_people(connection: Connection) -> None:
        connection.execute(insert(profiles), shown)
        connection.execute(insert(ratings), rated)

    await store.write(add_people)


def questions(store: SqlStore) -> dict[str, Callable[[str, Random], Awaitable[object]]]:
    """What is asked on behalf of somebody."""
    listing: Any = History.finished_games.fn
    counting: Any = History.counts.fn
    own_profile: Any = Profiles.own_profile.fn
    by_round: Any = History.rounds.fn
    ranking: Any = leaderboard.fn
    browsing: Any = public_games.fn

    def ask(**wanted: Any) -> Callable[[str, Random], Awaitable[object]]:
        chosen = GameFilter(**wanted)
        return lambda who, _: listing(None, chosen, Visitor(who, ""), store, None)

    def browse(**wanted: Any) -> Callable[[str, Random], Awaitable[object]]:
        chosen = PublicGameFilter(**wanted)
        return lambda who, _: browsing(chosen, Visitor(who, ""), store, None)

    def later_page(who: str, rng: Random) -> Awaitable[object]:
        after = f"{rng.uniform(0, 200_000 * DAY / 200)!r}~"
        return listing(None, GameFilter(), Visitor(who, ""), store, after)  # type: ignore[no-any-return]

    return {
        "first page": ask(),
        "a later page": later_page,
        "won, on one board": ask(board="germany", won=True),
        "a name": ask(text="person 12"),
        "a name that nobody has": ask(text="nobody at all"),
        "an opening": ask(plant="13", city="essen"),
        "games of public tables": browse(),
        "of these an opening": browse(rulebook="classic", plant="13", city="essen"),
        "of these none": browse(plant="nothing"),
        "counts": lambda who, _: counting(None, Visitor(who, ""), store),
        "profile": lambda who, _: own_profile(None, Visitor(who, ""), store),
        "round by round": lambda who, _: by_round(
            None, GameFilter(rulebook="classic", players=3), Visitor(who, ""), store
        ),
        "leaderboard": lambda who, _: ranking("classic", Visitor(who, ""), store),
    }


async def measure(store: SqlStore, asked: int) -> list[tuple[str, str, list[float]]]:
    rng = Random(2)
    found = []
    for name, question in questions(store).items():
        for whom in ("anybody", "busiest"):
            times = []
            for _ in range(asked):
                who = f"person {rng.randrange(PEOPLE)}" if whom == "anybody" else whom
                began = process_time()
                msgspec.json.encode(await question(who, rng))
                times.append(1_000 * (process_time() - began))
            found.append((name, whom, times))
    return found


async def run(counts: list[int], asked: int, report: Report) -> None:
    played = played_games()
    report.heading(f"{len(played)} games of the corpus, repeated; milliseconds of processor time")
    for count in counts:
        with tempfile.TemporaryDirectory() as folder:
            store = SqlStore(f"sqlite:///{folder}/games.db")
            await store.open()
            began = perf_counter()
            await fill(store, played, count)
            report.heading(
                f"\n{count:,} games over {PEOPLE:,} people, in {perf_counter() - began:.0f} s",
                f"{'':24}{'of':10}{'median':>8}{'p99':>8}{'most':>8}",
            )
            for name, whom, times in await measure(store, asked):
                p99 = quantiles(times, n=100)[98]
                report.row(
                    f"{name:24}{whom:10}{median(times):8.1f}{p99:8.1f}{max(times):8.1f}",
                    games=count,
                    question=name,
                    of=whom,
                    median_ms=median(times),
                    p99_ms=p99,
                    most_ms=max(times),
                )
            await store.close()


def main(words: Sequence[str] | None = None) -> None:
    arguments = parser(__doc__)
    arguments.add_argument("--games", type=int, nargs="+", default=[20_000, 200_000])
    arguments.add_argument("--asked", type=int, default=200, help="how often each is asked")
    options = arguments.parse_args(words)
    asyncio.run(run(options.games, options.asked, Report(options)))


if __name__ == "__main__":
    main()
