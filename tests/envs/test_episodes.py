"""An episode that has not begun."""

import pytest

from highvoltage.envs.episodes import EnvError, Episodes, IllegalAction


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
