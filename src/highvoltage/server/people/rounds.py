"""How a game went for each seat, round by round, and by how much it was won or lost."""

from collections.abc import Collection, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import msgspec
from sqlalchemy import ColumnElement

from highvoltage.engine.events import Income
from highvoltage.engine.game import Game
from highvoltage.engine.outcome import Outcome
from highvoltage.rooms.problems import malformed
from highvoltage.server.people.messages import (
    GameFilter,
    GameRounds,
    NotableGame,
    RoundAverages,
    RoundFigures,
    Rounds,
)
from highvoltage.server.store import ResultRow, SqlStore

TYCOON_FILE = Path(__file__).parent / "tycoon_rounds.json"
"""Written by `benchmarks/tycoon_rounds.py`."""
AVERAGED = 100
"""Games that an average is made from."""


class Margin(NamedTuple):
    """How far a seat was from the best of the others, by what counts first and what breaks ties."""

    first: int
    second: int


def rounds_of(game: Game) -> list[Rounds]:
    """The rounds of a game, by seat."""
    seats = range(len(game.names))
    ends = {row.round: moves for moves, row in enumerate(game.log, 1)}
    paid: dict[int, list[int]] = {}
    for row in game.log:
        for event in row.events:
            if isinstance(event, Income):
                paid.setdefault(row.round, [0 for _ in seats])[event.seat] += event.amount
    built = [_cities(game, moves) for moves in ends.values()]
    return [
        Rounds(
            [paid[number][seat] if number in paid else 0 for number in range(1, max(paid) + 1)]
            if paid
            else [],
            [cities[seat] for cities in built if cities],
        )
        for seat in seats
    ]


def _cities(game: Game, moves: int) -> list[int]:
    """How many cities each seat had after so many moves; none if the game has no board."""
    players = game.rules.view(game.state_after(moves), None)["players"]
    return [
        player.get("network", len(player["cities"])) for player in players if "cities" in player
    ]


def margin_of(outcome: Outcome, seat: int, others: Collection[int]) -> Margin | None:
    """By how much a seat won against the best of these others, or lost; None if there are none."""
    if not others:
        return None
    mine, best = _score(outcome, seat), max(_score(outcome, other) for other in others)
    more, less = max(mine, best), min(mine, best)
    return Margin(more[0] - less[0], more[1] - less[1])


async def round_figures(
    store: SqlStore, games: list[ColumnElement[bool]], wanted: GameFilter
) -> RoundFigures:
    """What games of one kind come to, round by round, and which of them stand out."""
    if wanted.rulebook is None or wanted.players is None:
        raise malformed("malformed", "Name the `rulebook` and the number of `players`.")
    rows = await store.results.rounds(*games, limit=AVERAGED)
    found = [GameRounds(game, msgspec.json.decode(rounds, type=Rounds)) for game, rounds in rows]
    best, narrowest = await store.results.extremes(*games)
    return RoundFigures(
        average=averages([each.rounds for each in found]),
        latest=found[0] if found else None,
        tycoon=tycoon_rounds(wanted.rulebook, wanted.players),
        best=_notable(best),
        narrowest=_notable(narrowest),
    )


def _notable(row: ResultRow | None) -> NotableGame | None:
    if row is None or row.margin is None or row.tie_margin is None:
        return None
    return NotableGame(row.game, row.at, row.place == 1, row.margin, row.tie_margin)


def averages(found: Sequence[Rounds]) -> RoundAverages:
    """The averages of games of one kind."""
    return RoundAverages(
        len(found),
        _by_round([each.income for each in found]),
        _by_round([each.cities for each in found]),
    )


def _by_round(games: Sequence[Sequence[int]]) -> list[float]:
    longest = max(map(len, games), default=0)
    reached = ([game[n] for game in games if len(game) > n] for n in range(longest))
    return [round(sum(values) / len(values), 2) for values in reached]


@cache
def tycoon_rounds(rulebook: str, players: int) -> RoundAverages | None:
    """What tycoons earn and build; None where that was not measured."""
    known = msgspec.json.decode(TYCOON_FILE.read_bytes(), type=dict[str, dict[int, RoundAverages]])
    return known.get(rulebook, {}).get(players)


def _score(outcome: Outcome, seat: int) -> tuple[int, ...]:
    return tuple(outcome.scores[seat].values())
