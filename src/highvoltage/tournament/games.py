"""The games of a tournament: who sits where, and the result of each game."""

from itertools import combinations
from math import comb
from statistics import median
from time import perf_counter
from typing import Any

from msgspec import Struct

import highvoltage as hv
from highvoltage.engine.errors import OptionError
from highvoltage.tournament.processes import Limits, NewGame, SeatedBot, check_bot

MAX_DECISIONS = 20_000  # a longer game is abandoned


def entrants(text: str) -> list[str]:
    """The bots of a line-up; `clerk*3` stands for three of them.

    >>> entrants("engineer, clerk*3")
    ['engineer', 'clerk', 'clerk', 'clerk']
    """
    found: list[str] = []
    for part in filter(None, map(str.strip, text.split(","))):
        name, star, count = part.rpartition("*")
        if star and not (count.isdecimal() and int(count)):
            raise OptionError(f"'{part}' is not written as BOT*COUNT.")
        found += [name] * int(count) if star else [part]
    return found


class Tournament(Struct, frozen=True):
    """Which games to play. Everything about game `n` follows from this and from `n`.

    With more bots than seats, every combination of them plays. A line-up plays each deal once in
    every rotation of its seats, so nobody has the better seat or the better cards.
    """

    rulebook: str
    bots: tuple[str, ...]
    map: str | None = None
    players: int = 4
    games: int = 100
    seed: str = "1"
    options: dict[str, Any] = {}
    limits: Limits = Limits()

    def check(self) -> None:
        """Raise OptionError, MapError or BotError now rather than in the middle."""
        if len(self.bots) < self.players:
            raise OptionError(f"There are {len(self.bots)} bots for {self.players} seats.")
        hv.new(self.rulebook, map=self.map, players=self.players, seed=self.seed, **self.options)
        for name in set(self.bots):
            check_bot(name)

    def seats(self, number: int) -> tuple[int, ...]:
        """Which of the bots sits in each seat in this game.

        >>> cup = Tournament("classic", ("a", "b", "c"), players=2)
        >>> [cup.seats(number) for number in range(4)]
        [(0, 1), (1, 0), (0, 2), (2, 0)]
        """
        line_ups = comb(len(self.bots), self.players)
        line_up, turn = divmod(number, self.players)
        chosen = list(combinations(range(len(self.bots)), self.players))[line_up % line_ups]
        return (*chosen[turn:], *chosen[:turn])

    def game_seed(self, number: int) -> str:
        """The seed of a game: the same for all rotations of all line-ups."""
        turns = self.players * comb(len(self.bots), self.players)
        return f"{self.seed}/{number // turns}"


class Result(Struct, frozen=True):
    """The result of one game, by seat. `places` count from 1; tied seats share the better one."""

    number: int
    seats: tuple[int, ...]  # which of the bots
    finished: bool
    rounds: int
    places: tuple[int, ...]
    decisions: tuple[int, ...]
    seconds: tuple[float, ...]  # of all decisions together
    medians: tuple[float, ...]  # of one decision, in seconds
    replaced: tuple[int, ...] = ()  # decisions that a clerk made instead
    faults: tuple[str, ...] = ()  # why, the first time


def play_out(cup: Tournament, number: int) -> tuple[hv.Game, list[SeatedBot], list[list[float]]]:
    """Play one game of a tournament: the game, its bots, and the seconds of every decision."""
    seats = cup.seats(number)
    seed = cup.game_seed(number)
    game = hv.new(cup.rulebook, map=cup.map, players=cup.players, seed=seed, **cup.options)
    players = []
    for at, bot in enumerate(seats):
        begin = NewGame(
            *(cup.rulebook, cup.map, cup.players, at, f"{seed}/{bot}", cup.limits.seconds)
        )
        players.append(SeatedBot(cup.bots[bot], bot, cup.limits, begin))
    times: list[list[float]] = [[] for _ in seats]
    while (seat := game.to_move) is not None and len(game.log) < MAX_DECISIONS:
        began = perf_counter()
        game.play(players[seat].move(game))
        times[seat].append(perf_counter() - began)
    return game, players, times


def play_one(cup: Tournament, number: int) -> Result:
    """Play one game of a tournament and return its result."""
    game, players, times = play_out(cup, number)
    seats = cup.seats(number)
    return Result(
        number,
        seats,
        game.outcome is not None,
        game.state.round,
        places(game.outcome.ranking if game.outcome else (), len(seats)),
        tuple(map(len, times)),
        tuple(round(sum(each), 4) for each in times),
        tuple(round(median(each), 6) if each else 0.0 for each in times),
        tuple(player.replaced for player in players),
        tuple(player.faults[0] if player.faults else "" for player in players),
    )


def places(ranking: tuple[tuple[int, ...], ...], seats: int) -> tuple[int, ...]:
    """The place of each seat; last place for all if there is no ranking.

    >>> places(((2,), (0, 1)), 3)
    (2, 2, 1)
    """
    found = [seats] * seats
    ahead = 0
    for tied in ranking:
        for seat in tied:
            found[seat] = ahead + 1
        ahead += len(tied)
    return tuple(found)
