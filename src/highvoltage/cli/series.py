"""The games of a series: who sits where, and the counts of each game.

Worker processes load only this module; `simulate` shows the results.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from msgspec.structs import replace

import highvoltage as hv
from highvoltage import bots
from highvoltage.text.bot_names import bot_title

S = TypeVar("S")
T = TypeVar("T")
MAX_DECISIONS = 20_000  # a longer game is abandoned


class Series(NamedTuple):
    """Which games to play. Everything about game `n` follows from this and from `n`."""

    rulebook: str
    map: str | None
    bots: tuple[str, ...]  # one for each seat
    options: dict[str, Any]
    seed: str
    records: Path | None

    def check(self) -> None:
        """Raise OptionError, MapError or BotError now rather than in the middle."""
        names = [f"Player {n}" for n, _ in enumerate(self.bots, 1)]
        hv.new(self.rulebook, map=self.map, players=names, seed=self.seed, **self.options)
        for kind in set(self.bots):
            bots.make(kind, self.seed)

    def seats(self, number: int) -> list[int]:
        """The index of the bot in each seat: the bots move one seat with every game."""
        count = len(self.bots)
        return [(seat + number) % count for seat in range(count)]


class GameCounts(NamedTuple):
    """The counts of one game."""

    finished: bool
    decisions: int
    rounds: int
    winners: tuple[int, ...]  # indexes in the list of bots


def play_one(series: Series, number: int) -> GameCounts:
    """Play one game of a series."""
    seats = series.seats(number)
    seed = f"{series.seed}/{number}"
    names = [f"{bot_title(series.bots[bot])} {bot + 1}" for bot in seats]
    players = [bots.make(series.bots[bot], f"{seed}/{bot}") for bot in seats]
    game = hv.new(series.rulebook, map=series.map, players=names, seed=seed, **series.options)
    while (seat := game.to_move) is not None and len(game.log) < MAX_DECISIONS:
        try:
            game.play(bots.ask(players[seat], game).move)
        except Exception as error:
            raise bots.failure(series.bots[seats[seat]], number, game, error) from error
    if series.records:
        played_by = {at: series.bots[bot] for at, bot in enumerate(seats)}
        record = replace(game.record(), bots=played_by)
        (series.records / f"{number:06}.txt").write_text(str(record), encoding="utf-8")
    won = game.outcome.winners if game.outcome else ()
    return GameCounts(
        game.outcome is not None,
        len(game.log),
        game.state.round,
        tuple(seats[seat] for seat in won),
    )


def play_all(series: Series, games: int, jobs: int) -> Iterator[GameCounts]:
    """The games of a series in order, played by so many processes."""
    if series.records:
        series.records.mkdir(parents=True, exist_ok=True)
    return in_order(play_one, series, games, jobs)


def in_order(play: Callable[[S, int], T], subject: S, games: int, jobs: int) -> Iterator[T]:
    """What comes of so many games about a subject, in order, played by so many processes."""
    if jobs == 1:
        yield from (play(subject, number) for number in range(games))
        return
    from highvoltage.tournament.runs import workers

    pool = workers(jobs)
    try:
        chunk = max(1, min(50, games // (4 * jobs)))
        yield from pool.map(play, [subject] * games, range(games), chunksize=chunk)
    finally:
        pool.shutdown(cancel_futures=True)
