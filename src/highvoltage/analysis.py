"""A finished game under the eyes of the director: what it would have done instead.

Every decision is looked at once, which gives each player's chance to win from round to round. Those
by which most seems to be lost are looked at again, longer and in other worlds, and only what that
second look confirms counts: nobody is blamed for the luck of a few playouts.

>>> import highvoltage as hv
>>> game = hv.new("cardgame", players=2, seed=1)
>>> for _ in range(6):
...     _ = game.play(game.legal_moves.choices[0])
>>> found = run(looks(game, "1", seed="1"), lambda look: judge(game, look))
>>> found.names, len(found.curves)
(('Player 1', 'Player 2'), 2)
"""

from collections.abc import Callable, Generator
from random import Random
from statistics import fmean

from msgspec import Struct
from msgspec.structs import replace

from highvoltage.bots.director import LEAST, Budget, Search, read_budget, weigh
from highvoltage.engine.game import Game
from highvoltage.engine.moves import Move

AT_ONCE = 4  # decisions of a first look
SUSPECTS = 24  # decisions that get a second look
LONGER = 8  # times as long
SURE = 2.0  # standard errors by which something was better, so that a second look confirms it


class Judged(Struct, frozen=True):
    """A decision: the chance to win after what was played, and after what was best."""

    move: int  # its number in the game
    round: int
    phase: str
    seat: int
    played: str
    chance: float
    best: str
    best_chance: float

    @property
    def loss(self) -> float:
        return self.best_chance - self.chance

    def cleared(self) -> "Judged":
        """The same decision, with nothing to be said against it."""
        return replace(self, best=self.played, best_chance=self.chance)


class Analysis(Struct, frozen=True):
    """The decisions that were open, the largest differences first, and chances to win.

    `curves` has a line for each seat: the chance in each round, None where it decided nothing.
    """

    names: tuple[str, ...]
    decisions: list[Judged]
    curves: list[list[float | None]]


class Look(Struct, frozen=True):
    """Some decisions that are to be judged. `done` is the share of the work that lies behind."""

    moves: tuple[int, ...]
    budget: Budget
    seed: str
    done: float
    again: bool = False


def looks(game: Game, budget: str, seed: str) -> Generator[Look, list[Judged], Analysis]:
    """The looks that make an analysis; whoever runs it sends back how each was judged."""
    allowed = read_budget(budget)
    numbers = range(1, len(game.log) + 1)
    effort = len(numbers) + LONGER * SUSPECTS
    found: dict[int, Judged] = {}
    for first in numbers[::AT_ONCE]:
        some = tuple(numbers[first - 1 : first - 1 + AT_ONCE])
        judged = yield Look(some, allowed, seed, (first - 1) / effort)
        found |= {each.move: each for each in judged}
    curves = _curves(len(game.names), list(found.values()))
    suspects = sorted(found.values(), key=lambda each: -each.loss)[:SUSPECTS]
    found = {number: each.cleared() for number, each in found.items()}
    longer = Budget(allowed.seconds * LONGER, allowed.playouts * LONGER)
    for nth, suspect in enumerate(suspects):
        done = (len(numbers) + LONGER * nth) / effort
        judged = yield Look((suspect.move,), longer, f"{seed}/again", done, again=True)
        found |= {each.move: each for each in judged}
    return Analysis(game.names, sorted(found.values(), key=lambda each: -each.loss), curves)


def run(
    plan: Generator[Look, list[Judged], Analysis], answer: Callable[[Look], list[Judged]]
) -> Analysis:
    """Carry an analysis out, look by look."""
    try:
        look = next(plan)
        while True:
            look = plan.send(answer(look))
    except StopIteration as end:
        found: Analysis = end.value
        return found


def judge(game: Game, look: Look) -> list[Judged]:
    """Those of the decisions that were worth a thought."""
    judged = (_judge(game, number, look) for number in look.moves)
    return [each for each in judged if each]


def _judge(game: Game, number: int, look: Look) -> Judged | None:
    row = game.log[number - 1]
    then = game.after(number - 1)
    view = then.view(row.seat, history=True)
    rng = Random(f"{look.seed}/{number}")
    search = weigh(view, then.legal_moves, row.move, look.budget, rng)
    if search is None:
        return None
    best = max(search.values, key=lambda move: (search.mean(move), move == row.move))
    if look.again and not _confirmed(search, best, row.move):
        best = row.move
    return Judged(
        number,
        row.round,
        row.phase,
        row.seat,
        str(row.move),
        round(search.mean(row.move), 3),
        str(best),
        round(search.mean(best), 3),
    )


def _confirmed(search: Search, best: Move, played: Move) -> bool:
    return len(search.values[best]) >= LEAST and search.better(best, played, SURE)


def _curves(seats: int, decisions: list[Judged]) -> list[list[float | None]]:
    """The mean chance of what was played, by seat and round."""
    chances: dict[tuple[int, int], list[float]] = {}
    for judged in decisions:
        chances.setdefault((judged.seat, judged.round), []).append(judged.chance)
    means = {key: round(fmean(some), 3) for key, some in chances.items()}
    rounds = range(1, max((judged.round for judged in decisions), default=0) + 1)
    return [[means.get((seat, number)) for number in rounds] for seat in range(seats)]
