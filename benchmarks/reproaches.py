"""Whether the moves that an analysis calls better win more when the games are played on.

A game among mixed levels is analysed for its first seat, as if a person sat there. From its
costliest decision the game is played on many times by mixed levels: after the move that was made,
and after the one that is called better, in the same worlds with the same players.
"""

from collections.abc import Sequence
from random import Random

from msgspec import Struct

import highvoltage as hv
from benchmarks.mixed_games import MAX_MOVES, MixedGame, levels_of
from highvoltage import bots
from highvoltage.analysis import JudgedDecision, judge_decision, plan_analysis, run_plan

BUDGET = "8"  # as on a server
PLAYED_ON = 200
MAX_GAMES = 5  # in search of a costly decision


class Reproach(Struct, frozen=True):
    """A decision that was called costly, and how often its seat won when the game was played on."""

    rulebook: str
    players: int
    game: str
    round: int
    phase: str
    played: str
    best: str
    cost: tuple[float, float]
    played_won: float  # shared victories count in part
    best_won: float
    times: int


def reproach(rulebook: str, players: int, name: str) -> Reproach | None:
    """The costliest decision of the first of some games that has one beyond doubt."""
    for number in range(MAX_GAMES):
        mixed = MixedGame(rulebook, players, f"{name}/{number}")
        for _ in mixed.rounds():
            pass
        if mixed.game.outcome and (worst := costliest(mixed)):
            return played_on(rulebook, mixed.game, f"{name}/{number}", worst)
    return None


def costliest(mixed: MixedGame) -> JudgedDecision | None:
    game = mixed.game
    own = [row.seat == 0 for row in game.log]
    plan = plan_analysis(game, BUDGET, "1", [None, *mixed.levels[1:]], own)
    found = run_plan(plan, lambda task: judge_decision(game, task))
    return found.decisions[0] if found.decisions else None


def played_on(rulebook: str, game: hv.Game, name: str, worst: JudgedDecision) -> Reproach:
    view = game.after(worst.move - 1).view(0, history=True)
    won = {worst.played: 0.0, worst.best: 0.0}
    for number in range(PLAYED_ON):
        world = hv.resample(view, Random(f"{name}/{number}"))
        for move in won:
            won[move] += share_won(world.copy(), move, levels_of(rulebook), f"{name}/{number}")
    return Reproach(
        rulebook,
        len(game.names),
        name,
        worst.round,
        worst.phase,
        worst.played,
        worst.best,
        worst.cost,
        won[worst.played],
        won[worst.best],
        PLAYED_ON,
    )


def share_won(game: hv.Game, move: str, levels: Sequence[str], name: str) -> float:
    """The first seat's share of the victory after a move, among mixed levels."""
    rng = Random(name)
    seated = [bots.make(rng.choice(levels), f"{name}/{seat}") for seat in range(len(game.names))]
    game.play(move)
    while game.to_move is not None and len(game.log) < MAX_MOVES:
        game.play(bots.ask(seated[game.to_move], game).move)
    if game.outcome is None or 0 not in game.outcome.winners:
        return 0.0
    return 1 / len(game.outcome.winners)
