"""The judge against exhaustion: positions of last rounds, which can be searched to their end."""

from collections.abc import Iterator
from itertools import count, islice
from typing import NamedTuple

import pytest

import highvoltage as hv
from benchmarks.mixed_games import MixedGame
from highvoltage import bots
from highvoltage.judge import Evaluation, evaluate, make_judgement
from highvoltage.judge.evaluating import Judgement
from highvoltage.judge.evaluation import MARGIN_SIGMA
from ours import RULEBOOKS

BUDGET = "48"
POSITIONS = 200  # of each rulebook
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


def positions(rulebook: str) -> Iterator[tuple[hv.Game, Evaluation]]:
    for number in count():
        mixed = MixedGame(rulebook, 2 + number % 3, f"endgame/{number}")
        for _ in mixed.rounds():
            pass
        yield from islice(exact_positions(mixed.game), PER_GAME)


def test_a_last_round_with_a_choice_is_judged_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who is to move takes what is best for them, and trials find the same moves good and bad."""
    found = (each for each in positions("cardgame") if len({*own_worth(each[1]).values()}) > 1)
    game, exact = next(found)
    worth = own_worth(exact)
    assert exact.chances[exact.seat] == pytest.approx(max(worth.values()))
    monkeypatch.setattr(Judgement, "_exact", lambda _: None)
    told = evaluate(game, "200", moves=[game.parse(move) for move in worth])
    assert worth[told.moves[0].move] == pytest.approx(max(worth.values()))
    worse = {each.move for each in told.moves if each.is_worse}
    assert worse == {move for move in worth if worth[move] < max(worth.values())}
    with_random = evaluate(game, "200", players=["random"] * len(game.names))
    best = with_random.moves[0].chances
    assert with_random.chances == best, "who is to move takes it, even if those playing on do not"
    better, bad = game.parse(told.moves[0].move), game.parse(min(worse))
    played_out = make_judgement(game, "16")
    assert played_out.wins_more(better, than=bad)
    assert not played_out.wins_more(bad, than=better)


def own_worth(exact: Evaluation) -> dict[str, float]:
    return {each.move: each.chances[exact.seat] for each in exact.moves}


def test_looking_ahead_knows_who_is_who() -> None:
    """The tycoon is ahead of a player who chooses at random, in either seat."""
    for seat in (0, 1):
        players = ["random", "random"]
        players[seat] = "tycoon"
        game = hv.new("classic", players=2, seed=2)
        seated = [bots.make(name, 1) for name in players]
        while game.state.round < 3 or len(game.legal_moves) == 1:
            assert game.to_move is not None
            game.play(bots.ask(seated[game.to_move], game).move)
        assert evaluate(game, "8", players=players).chances[seat] > 0.6


class Comparison(NamedTuple):
    """How far the judge is off, and what its best move loses, by exhaustion."""

    off: float
    lost: float
    margin: float

    @property
    def agrees(self) -> bool:
        return max(self.off, self.lost) <= self.margin


def compared(game: hv.Game, exact: Evaluation) -> Comparison:
    """What the judge says of a searched position if it cannot search it itself."""
    told = evaluate(game, BUDGET, moves=[game.parse(each.move) for each in exact.moves])
    worth = own_worth(exact)
    return Comparison(
        max(abs(a - b) for a, b in zip(told.chances, exact.chances, strict=True)),
        max(worth.values()) - worth[told.moves[0].move],
        MARGIN_SIGMA * max(told.errors),
    )


@pytest.mark.long
@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_the_judge_agrees_with_exhaustion(rulebook: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Everybody's chances agree within the margin, and the best move is as good as any."""
    found = [*islice(positions(rulebook), POSITIONS)]
    monkeypatch.setattr(Judgement, "_exact", lambda _: None)
    agreed = [compared(game, exact).agrees for game, exact in found]
    assert sum(agreed) >= MIN_AGREEMENT * len(agreed)
