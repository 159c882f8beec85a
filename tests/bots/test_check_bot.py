import random
from random import Random
from typing import Any

import pytest

import highvoltage as hv
from highvoltage.bots import BotError, Choice, Reason, make, play_game
from highvoltage.bots.clerk import Clerk
from highvoltage.bots.director import Director
from highvoltage.cli.series import Series, play_one
from highvoltage.engine.legal import Moves
from highvoltage.engine.moves import Pass
from highvoltage.games import editions
from highvoltage.rooms.thinking import ChooseRequest, choose
from highvoltage.table import offers
from highvoltage.testing import Setting, check_bot
from highvoltage.testing.bots import every_rulebook
from ours import RULEBOOKS

SMALL = [Setting("cardgame", players=2)]


class First:
    """Plays the first legal move; each subclass spoils it in its own way."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng

    def choose(self, view: dict[str, Any], legal: Moves) -> Any:
        return Choice(legal.choices[0], Reason("takes_the_first"))


class Cheat(First):
    def choose(self, view: dict[str, Any], legal: Moves) -> Any:
        return Choice(Pass(), Reason("forced"))


class Mute(First):
    def choose(self, view: dict[str, Any], legal: Moves) -> Any:
        return legal.choices[0]


class Speaker(First):
    def choose(self, view: dict[str, Any], legal: Moves) -> Any:
        return "pass"


class Half(First):
    def choose(self, view: dict[str, Any], legal: Moves) -> Any:
        return Choice("pass", Reason("forced"))  # type: ignore[arg-type]


class Vague(First):
    def choose(self, view: dict[str, Any], legal: Moves) -> Any:
        return Choice(legal.choices[0], Reason("forced", {"view": view}))  # type: ignore[dict-item]


class Gambler(First):
    def choose(self, view: dict[str, Any], legal: Moves) -> Any:
        return Choice(random.choice(legal.choices), Reason("forced"))


class Planner(First):
    """Plans at its first decision and cannot decide later without the plan."""

    plan: object = None

    def choose(self, view: dict[str, Any], legal: Moves) -> Any:
        if view["round"] == 1:
            self.plan = "win"
        if self.plan is None:
            raise ValueError("what was the plan?")
        return super().choose(view, legal)


class Curious(First):
    needs = "everything"


@pytest.mark.parametrize(
    ("kind", "problem"),
    [
        (Cheat, "pass is not legal"),
        (Mute, r"it returned Nominate\(card=.*, and a bot returns a Choice"),
        (Speaker, "it returned 'pass', and a bot returns a Choice"),
        (Half, r"it returned Choice\(move='pass'.*, and a bot returns a Choice"),
        (Vague, "the values of a reason are numbers and words"),
        (Gambler, "all its chance has to come from the one it is given"),
        (Planner, "what was the plan"),
        (Curious, "a bot cannot need 'everything'"),
    ],
)
def test_a_bot_that_breaks_the_contract_is_reported(kind: Any, problem: str) -> None:
    random.seed()
    with pytest.raises(AssertionError, match=problem):
        check_bot(kind, SMALL * 4)


@pytest.mark.parametrize("kind", [Mute, Speaker, Half])
def test_a_bot_that_returns_no_choice_raises_an_error_that_says_what_is_wanted(kind: Any) -> None:
    message = (
        rf"{kind.__name__} cannot play: it returned .*, and a bot returns a Choice: Choice\(move"
    )
    game = hv.new("cardgame", players=2, seed=1)
    with pytest.raises(BotError, match=message):
        play_game(game, [kind(Random(seat)) for seat in range(2)])
    name = f"{__file__}:{kind.__name__}"
    failed = rf"failed in game 1 \(move 1, round 1, auction\).*{message}"
    with pytest.raises(BotError, match=failed):
        play_one(Series("cardgame", None, (name, name), {}, "1", None), 1)
    request = ChooseRequest(name, "1", "cardgame", game.view(game.to_move), offers(game))
    with pytest.raises(BotError, match=message):
        choose(request)


def test_it_is_played_in_every_rulebook_with_every_number_of_players() -> None:
    found = [(setting.rulebook, setting.players) for setting in every_rulebook()]
    assert found == [(name, n) for name, each in editions().items() for n in each.meta.players]


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_our_bots_keep_the_contract(rulebook: str) -> None:
    check_bot(Clerk, [Setting(rulebook, players=2)])


@pytest.mark.long
def test_the_director_may_forget_its_findings() -> None:
    check_bot(lambda rng: Director(rng, "2"), SMALL)


def test_custom_reasons_are_read_as_text() -> None:
    assert str(Reason("takes_the_first")) == "Takes the first."
    assert str(Reason("saves_up", {"for_plant": 13})) == "Saves up (for plant 13)."


def test_a_bot_that_needs_no_view_is_given_none() -> None:
    class Blind(First):
        needs = "nothing"

        def choose(self, view: dict[str, Any], legal: Moves) -> Any:
            assert view == {}
            return super().choose(view, legal)

    check_bot(Blind, SMALL)


def test_a_bot_may_be_a_folder(tmp_path: Any) -> None:
    folder = tmp_path / "greedy"
    folder.mkdir()
    (folder / "words.py").write_text("CODE = 'wants_it_all'\n")
    (folder / "__init__.py").write_text(
        "from highvoltage.bots import Choice, Reason\n"
        "from .words import CODE\n"
        "class Greedy:\n"
        "    def __init__(self, rng): pass\n"
        "    def choose(self, view, legal): return Choice(legal[-1], Reason(CODE))\n"
    )
    bot = make(f"{folder}:Greedy", 1)
    game = Setting("classic", players=2).new(1)
    assert str(bot.choose(game.view(0), game.legal_moves).why) == "Wants it all."
