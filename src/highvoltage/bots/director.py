"""The director: looks ahead in worlds that fit what it has seen.

It judges the few moves that deserve it by playing on from each of them, with engineers in all
seats. The worlds are drawn by `highvoltage.resample` from its view with the history: they are its
own games, and nothing of the real one is in them.
"""

import re
from collections.abc import Callable
from math import exp, sqrt
from random import Random
from statistics import fmean, stdev
from time import perf_counter
from typing import Any, NamedTuple

import highvoltage as hv
from highvoltage.bots.engineer import Engineer
from highvoltage.bots.protocol import BotError, Choice, Reason, Values
from highvoltage.engine.moves import Bid, Build, Buy, Done, Move, Moves, Nominate, Pass, Run, Scrap

BUDGET = "500ms"
MOVES = 4  # that are looked at more closely
HORIZON = 3  # rounds that are played on before a position is judged
LEAST = 2  # worlds in which every move is tried
SURE = 0.7  # standard errors by which a move has to be better than the engineer's
CLEAR = 0.5  # a bid below this share of the limit is made without looking ahead


class Director:
    """Searches within a budget: `500ms`, `2s`, or a number of playouts."""

    history = True

    def __init__(self, rng: Random, budget: str = BUDGET) -> None:
        self._rng = rng
        self._engineer = Engineer(rng)
        self._budget = read_budget(budget)

    def choose(self, view: dict[str, Any], legal: Moves) -> Choice:
        if len(legal) == 1:
            return Choice(legal[0], Reason("forced"))
        advised = self._engineer.choose(view, legal)
        moves = candidates(view, legal, advised)
        if len(moves) == 1:
            return advised
        return Search(view, moves, self._rng).choose(advised, self._budget)


class Budget(NamedTuple):
    """Seconds, or a number of playouts."""

    seconds: float = 0.0
    playouts: int = 0

    def used(self, began: float, played: int) -> float:
        """How much of it is used up: 1 is all."""
        if self.playouts:
            return played / self.playouts
        return (perf_counter() - began) / self.seconds


def read_budget(text: str) -> Budget:
    """A budget as it is written.

    >>> read_budget("500ms"), read_budget("2000")
    (Budget(seconds=0.5, playouts=0), Budget(seconds=0.0, playouts=2000))
    """
    found = re.fullmatch(r"(\d{1,6})(ms|s|)", text)
    if not found or not int(found[1]):
        raise BotError(f"'{text}' is no budget: write 500ms, 2s or a number of playouts.")
    number, unit = int(found[1]), found[2]
    if not unit:
        return Budget(playouts=number)
    return Budget(seconds=number / 1000 if unit == "ms" else number)


def weigh(
    view: dict[str, Any], legal: Moves, played: Move, budget: Budget, rng: Random
) -> "Search | None":
    """A move that was played, tried in the same worlds as those that were worth a thought.

    None where there was nothing to think about.
    """
    if len(legal) == 1:
        return None
    moves = candidates(view, legal, Engineer(rng).choose(view, legal))
    if played not in moves:
        moves.append(played)
    if len(moves) == 1:
        return None
    search = Search(view, moves, rng)
    began = perf_counter()
    while budget.used(began, search.played) < 1:
        search.tried(moves)
    return search


# Which moves deserve a closer look


def candidates(view: dict[str, Any], legal: Moves, advised: Choice) -> list[Move]:
    """The move that the engineer advises, and what else might be good."""
    move = advised.move
    if isinstance(move, Run) or view["phase"] not in WIDER:
        return [move]
    wider = WIDER[view["phase"]](view, legal, advised)
    return [move, *(other for other in wider if other != move)][:MOVES]


def _in_auction(view: dict[str, Any], legal: Moves, advised: Choice) -> list[Move]:
    if view["auction"]["card"] is None or isinstance(legal[0], Scrap):
        return sorted(legal.choices, key=lambda move: -_number(move))
    limit = int(advised.why.values.get("limit", 0))
    lowest = legal.choices[-1]
    assert isinstance(lowest, Bid)
    if isinstance(advised.move, Bid) and lowest.bid < CLEAR * limit:
        return []
    if isinstance(advised.move, Pass) and lowest.bid * CLEAR > max(1, limit):
        return []
    return legal.choices


def _number(move: Move) -> int:
    return move.card if isinstance(move, Nominate) else 0


def _in_fuel(_: dict[str, Any], legal: Moves, __: Choice) -> list[Move]:
    """To stop here, or to take as much as there is room for."""
    most = {move.fuel: move for move in legal if isinstance(move, Buy)}
    return [*(move for move in legal if isinstance(move, Done)), *most.values()]


def _in_building(view: dict[str, Any], legal: Moves, _: Choice) -> list[Move]:
    """To stop here, or the cheapest cities."""
    connect = view["connect"]
    builds = [move for move in legal if isinstance(move, Build)]
    builds.sort(key=lambda move: connect.get(move.city, 0))
    stops: list[Move] = [move for move in legal if isinstance(move, Done)]
    return [*stops, *builds[: MOVES - 1]]


WIDER: dict[str, Callable[[dict[str, Any], Moves, Choice], list[Move]]] = {
    "auction": _in_auction,
    "fuel": _in_fuel,
    "building": _in_building,
}


# Looking ahead


class Search:
    """Sequential halving: all moves are tried in the same worlds, and the worse half drops out."""

    def __init__(self, view: dict[str, Any], moves: list[Move], rng: Random) -> None:
        self.view = view
        self.seat: int = view["seat"]
        self.rng = rng
        self.values: dict[Move, list[float]] = {move: [] for move in moves}
        self.played = 0

    def choose(self, advised: Choice, budget: Budget) -> Choice:
        began = perf_counter()
        alive = list(self.values)
        stages = (len(alive) - 1).bit_length()
        for stage in range(1, stages + 1):
            while True:
                self.tried(alive)
                used = budget.used(began, self.played)
                if used >= stage / stages and len(self.values[alive[0]]) >= LEAST:
                    break
            alive.sort(key=lambda move: -self.mean(move))
            if stage < stages:
                alive = alive[: (len(alive) + 1) // 2]
        best = alive[0]
        if best != advised.move and not self.better(best, advised.move):
            best = advised.move
        return self._told(best, advised)

    def tried(self, alive: list[Move]) -> None:
        """These moves have been tried in one more world."""
        world = hv.resample(self.view, self.rng)
        for move in alive:
            self.values[move].append(self._value(world.copy(), move))
        self.played += len(alive)

    def mean(self, move: Move) -> float:
        """The chance to win after a move."""
        return fmean(self.values[move])

    def better(self, move: Move, than: Move, sure: float = SURE) -> bool:
        """Whether a move does better in the same worlds by more than chance would have it."""
        pairs = zip(self.values[move], self.values[than], strict=False)
        gains = [mine - other for mine, other in pairs]
        return fmean(gains) > sure * stdev(gains) / sqrt(len(gains))

    def _told(self, move: Move, advised: Choice) -> Choice:
        told: Values = {"chance": self._chance(move), "playouts": self.played}
        if move != advised.move:
            told |= {"advised": str(advised.move), "next": self._chance(advised.move)}
            return Choice(move, Reason("searched_instead", told))
        told["next"] = max(self._chance(other) for other in self.values if other != move)
        return Choice(move, Reason("searched", told))

    def _chance(self, move: Move) -> int:
        return round(100 * self.mean(move))

    def _value(self, world: hv.Game, move: Move) -> float:
        """How good it is to make this move in this world: 0 is lost, 1 is won."""
        world.play(move)
        players = [Playing(self.rng) for _ in world.names]
        last = self.view["round"] + HORIZON
        while (seat := world.to_move) is not None:
            if world.state.round >= last:
                return players[seat].promise(world, self.seat)
            world.play(players[seat].move(world, seat))
        return result(world, self.seat)


class Playing:
    """An engineer in a playout, who works out the limit of a bidder only once."""

    def __init__(self, rng: Random) -> None:
        self._engineer = Engineer(rng)
        self._sale: tuple[int, int | None] | None = None  # round and card
        self._limit = 0

    def move(self, world: hv.Game, seat: int) -> Move:
        legal = world.legal_moves
        if len(legal) == 1:
            return legal[0]
        lowest = legal.choices[-1]
        if not isinstance(lowest, Bid):
            return self._engineer.choose(world.view(seat), legal).move
        sale = world.state.round, world.state.bidding.card
        if sale != self._sale:
            why = self._engineer.choose(world.view(seat), legal).why
            self._sale, self._limit = sale, int(why.values["limit"])
        return lowest if lowest.bid <= self._limit else Pass()

    def promise(self, world: hv.Game, seat: int) -> float:
        """The chance of a seat to win, by the forecasts for all."""
        comes_to = [self._engineer.promise(world.view(each)) for each in range(len(world.names))]
        mine = comes_to.pop(seat)
        return likely(mine - max(comes_to))


def likely(lead: float) -> float:
    return 1 / (1 + exp(-max(-30.0, min(30.0, lead))))


def result(world: hv.Game, seat: int) -> float:
    """A win, shared by those who tie; a narrow defeat is better than a wide one."""
    over = world.outcome
    assert over is not None
    first = over.winners
    won = 1 / len(first) if seat in first else 0.0
    scores = [[*score.values(), 0][:2] for score in over.scores]
    mine = scores.pop(seat)
    best = max(scores)
    return 0.8 * won + 0.2 * likely(mine[0] - best[0] + (mine[1] - best[1]) / 100)
