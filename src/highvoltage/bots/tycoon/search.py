"""The tycoon that looks ahead: it tries what it wants in worlds that fit what it has seen.

The moves it wants most are carried out in the same worlds. From each of them the network plays on
in all seats for some decisions, in all these games together, and then tells the chance to win. The
weaker half of the moves drops out by and by.
"""

from math import ceil, log2, sqrt
from random import Random
from statistics import fmean
from typing import TYPE_CHECKING

import highvoltage as hv
from highvoltage.bots.director import Budget, Deadline
from highvoltage.bots.protocol import Choice, Reason
from highvoltage.bots.tycoon.mind import Mind, Thought, Wish
from highvoltage.engine.moves import Move
from highvoltage.views import View

if TYPE_CHECKING:
    from collections.abc import Iterator

WIDTH = 6  # moves that are tried
SLIGHT = 0.02  # what it wants less than this is not tried
CLEAR = 0.98  # and what it wants more than this needs no trial
AHEAD = 12  # decisions that are played on
SURE = 1.0  # standard errors by which a move has to be better than the one it wants most
VARIES = 0.05  # by how much a gain differs between worlds, as long as few have been seen


class Search:
    """Trials of some moves, all in the same worlds."""

    def __init__(self, mind: Mind, view: View, rng: Random) -> None:
        self.mind = mind
        self.seat: int = view["seat"]
        self.worlds: Iterator[hv.Game] = hv.worlds(view, rng)
        self.chances: dict[Move, list[float]] = {}

    def best(self, wishes: list[Wish], budget: Budget) -> Move:
        """The move that does best; the first unless another is better by more than chance."""
        first = wishes[0].move
        alive = [wish.move for wish in wishes]
        self.chances = {move: [] for move in alive}
        stages = ceil(log2(len(alive)))
        clock = Deadline(budget)
        while len(alive) > 1 and clock.allows(len(alive)):
            self.tried(alive)
            clock.played += len(alive)
            left = ceil(len(wishes) / 2 ** int(clock.used * stages))
            alive = sorted(alive, key=lambda move: -fmean(self.chances[move]))[: max(1, left)]
        found = alive[0]
        return found if self.better(found, first) else first

    def tried(self, moves: list[Move]) -> None:
        """One more world for each of the moves."""
        world = next(self.worlds)
        games = []
        for move in moves:
            game = world.copy()
            game.play(move)
            games.append(game)
        for move, chance in zip(moves, self.play_on(games), strict=True):
            self.chances[move].append(chance)

    def play_on(self, games: list[hv.Game]) -> list[float]:
        """The chance to win in each of the games, some decisions later."""
        found = dict[int, float]()
        for ahead in range(AHEAD + 1):
            for at, game in enumerate(games):
                if at not in found and game.outcome is not None:
                    winners = game.outcome.winners
                    found[at] = (self.seat in winners) / len(winners)
            running = [at for at in range(len(games)) if at not in found]
            if not running:
                break
            thoughts = self.mind.think_all(
                [(games[at].view(games[at].to_move), games[at].legal_moves) for at in running], 1
            )
            for at, thought in zip(running, thoughts, strict=True):
                if ahead == AHEAD:
                    found[at] = thought.chances[self.seat]
                else:
                    games[at].play(thought.wishes[0].move)
        return [found[at] for at in range(len(games))]

    def better(self, move: Move, than: Move) -> bool:
        pairs = zip(self.chances[move], self.chances[than], strict=False)
        gains = [mine - other for mine, other in pairs]
        if not gains:
            return False
        mean = fmean(gains)
        spread = VARIES**2 + sum((gain - mean) ** 2 for gain in gains)
        return mean > SURE * sqrt(spread) / len(gains)

    def told(self, move: Move, now: float) -> Reason:
        """The chance to win now and after the move, and the two best others."""
        tried = {each: fmean(found) for each, found in self.chances.items() if found}
        others = sorted((each for each in tried if each != move), key=lambda each: -tried[each])
        values: dict[str, int | str] = {
            "chance": round(100 * now),
            "after": round(100 * tried.get(move, now)),
            "playouts": sum(map(len, self.chances.values())),
            "other": str(others[0]),
            "next": round(100 * tried[others[0]]),
        }
        if len(others) == 1:
            return Reason("tycoon_ahead", values)
        values |= {"third": str(others[1]), "last": round(100 * tried[others[1]])}
        return Reason("tycoon_ahead_two", values)


def look_ahead(
    mind: Mind, view: View, thought: Thought, budget: Budget, rng: Random
) -> Choice | None:
    """The choice after looking ahead; None where there is nothing to look for."""
    wishes = [wish for wish in thought.wishes[:WIDTH] if wish.share >= SLIGHT]
    if len(wishes) < 2 or wishes[0].share > CLEAR:
        return None
    search = Search(mind, view, rng)
    move = search.best(wishes, budget)
    if not any(search.chances.values()):
        return None
    return Choice(move, search.told(move, thought.chances[search.seat]))
