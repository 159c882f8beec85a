"""An episode that has not begun."""

from typing import Any

import pytest

from highvoltage.engine.outcome import Outcome
from highvoltage.envs.episodes import EnvError, Episodes, IllegalAction, place_reward


def test_a_step_before_the_first_reset_says_what_to_do() -> None:
    episodes = Episodes.__new__(Episodes)
    episodes.game = None
    with pytest.raises(EnvError, match=r"call reset\(\) first"):
        episodes.step(0)


def test_an_illegal_action_is_named_by_its_head() -> None:
    """Where two heads meet, an index belongs to the later one."""
    episodes = Episodes("classic", "germany", 3, "win", 200, {})
    episodes.new_game(1)
    seat = episodes.running.to_move
    assert seat is not None
    mask, named = episodes.mask(seat), 0
    for head in episodes.spec.heads:
        for at in {head.first, head.end - 1}:
            if not mask[at]:
                said = rf"Action {at} \({head.name} {at - head.first}\) is not legal now"
                with pytest.raises(IllegalAction, match=said):
                    episodes.step(at)
                named += 1
    assert named > len(episodes.spec.heads)


def test_what_is_seen_is_of_the_game_that_runs() -> None:
    episodes = Episodes("classic", "germany", 3, "win", 200, {})
    with pytest.raises(EnvError, match=r"call reset\(\) first"):
        episodes.view(0)
    episodes.new_game(1)
    assert episodes.view(0)["seat"] == 0
    assert episodes.view(0) is episodes.view(0)  # until the next move
    assert episodes.view(1)["seat"] == 1


def test_a_game_may_be_cut_off_after_its_first_round_and_not_before() -> None:
    assert Episodes("classic", "germany", 3, "win", 1, {}).rounds == 1
    with pytest.raises(EnvError, match="A game lasts at least 1 round, not 0"):
        Episodes("classic", "germany", 3, "win", 0, {})


@pytest.mark.parametrize(
    ("ranking", "rewards"),
    [
        (((2,), (0,), (1,)), [0.5, 0.0, 1.0]),
        (((2,), (0, 1), (3,)), [0.5, 0.5, 1.0, 0.0]),
        (((0, 1, 3), (2,)), [2 / 3, 2 / 3, 0.0, 2 / 3]),
    ],
)
def test_who_ties_has_the_mean_of_the_places(
    ranking: tuple[Any, ...], rewards: list[float]
) -> None:
    outcome = Outcome("cities", ranking, ())
    assert place_reward(outcome, len(rewards)) == pytest.approx(rewards)
