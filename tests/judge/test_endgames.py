"""The judge against exhaustion: positions of last rounds, which can be searched to their end."""

from collections.abc import Iterator
from itertools import count, islice

import pytest

import highvoltage as hv
from benchmarks.mixed_games import MixedGame
from highvoltage.judge import Evaluation, evaluate
from highvoltage.judge.evaluating import Judgement
from highvoltage.judge.evaluation import MARGIN_SIGMA
from ours import RULEBOOKS

BUDGET = "48"
PARTS, POSITIONS = 10, 20  # of each rulebook: 200
PER_GAME = 4
MIN_AGREEMENT = 0.95  # a margin of two standard errors holds 19 times of 20


def exact_positions(game: hv.Game) -> Iterator[tuple[hv.Game, Evaluation]]:
    """Positions of the last round that were searched to the end, the latest first."""
    for moves in range(len(game.log) - 1, 0, -1):
        if game.log[moves].round != game.log[-1].round:
            return
        then = game.after(moves)
        if len(then.legal_moves) > 1:
            said = evaluate(then, BUDGET)
            if said.judge != "exact":
                return
            yield then, said


def positions(rulebook: str, part: int) -> Iterator[tuple[hv.Game, Evaluation]]:
    for number in count():
        mixed = MixedGame(rulebook, 2 + number % 3, f"endgame/{part}/{number}")
        for _ in mixed.rounds():
            pass
        yield from islice(exact_positions(mixed.game), PER_GAME)


@pytest.mark.long
@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_the_judge_agrees_with_exhaustion(
    rulebook: str, part: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Everybody's chances agree within the margin, and the best move is as good as any."""
    found = [*islice(positions(rulebook, part), POSITIONS)]
    monkeypatch.setattr(Judgement, "_exact", lambda _: None)
    agreed = []
    for game, exact in found:
        moves = [game.parse(each.move) for each in exact.moves]
        told = evaluate(game, BUDGET, moves=moves)
        margin = MARGIN_SIGMA * max(told.errors)
        near = max(abs(a - b) for a, b in zip(told.chances, exact.chances, strict=True)) <= margin
        worth = {each.move: each.chances[exact.seat] for each in exact.moves}
        lost = max(worth.values()) - worth[told.moves[0].move]
        agreed.append(near and lost <= margin)
    assert sum(agreed) >= MIN_AGREEMENT * len(agreed)
