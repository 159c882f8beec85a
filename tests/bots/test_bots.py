"""Bots: they are made by name or from a file, see only a view, and finish their games."""

import json
import os
import sys
from pathlib import Path
from subprocess import run
from typing import Any

import msgspec
import pytest

import highvoltage as hv
from highvoltage import bots, words
from highvoltage.testing import Setting
from ours import RULEBOOKS, our_settings
from spread import spread

GREEDY = """
from highvoltage.bots import Choice, Reason

class Greedy:
    def __init__(self, rng):
        self.rng = rng

    def choose(self, view, legal):
        return Choice(legal.choices[0], Reason("forced"))

nothing = 3
"""

# Every map and number of players; of the options, those that add new decisions.
DECISIONS = {"regions": "draft", "standard_starting_cities": True, "demolition": True}
SETTINGS = [
    setting
    for name in RULEBOOKS
    for setting in our_settings(name)
    if not setting.options
    or (setting.options.items() <= DECISIONS.items() and setting.players in {2, 4})
]


def players(line_up: list[str], seed: int) -> list[bots.Bot]:
    return [bots.make(name, f"{seed}/{seat}") for seat, name in enumerate(line_up)]


class Watched:
    """A bot under observation: it is given plain data, and it returns a legal move."""

    def __init__(self, bot: bots.Bot) -> None:
        self.bot = bot
        self.reasons: set[str] = set()

    def choose(self, view: dict[str, Any], legal: hv.Moves) -> bots.Choice:
        choice = self.bot.choose(msgspec.json.decode(msgspec.json.encode(view)), legal)
        assert choice.move in legal
        assert str(choice.why)
        self.reasons.add(choice.why.code)
        return choice


@pytest.mark.parametrize("setting", spread(SETTINGS, one_in=4))
def test_clerks_finish_every_game_in_6_to_20_rounds(setting: Setting) -> None:
    game = setting.new(5)
    watched = [Watched(bot) for bot in players(["clerk"] * setting.players, 5)]
    bots.play_game(game, watched)
    assert game.outcome is not None
    assert 6 <= game.state.round <= 20
    assert {f"hint_{code}" for bot in watched for code in bot.reasons} <= set(words.ids("hint_"))


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_a_clerk_beats_three_random_bots(rulebook: str) -> None:
    wins = 0
    for seed in range(100, 112):
        line_up = ["random"] * 4
        line_up[seed % 4] = "clerk"
        game = Setting(rulebook, None, 4).new(seed)
        bots.play_game(game, players(line_up, seed))
        assert game.outcome is not None
        wins += seed % 4 in game.outcome.winners
    assert wins >= 8  # of 12; 3 would be an equal share


@pytest.mark.parametrize(
    "name", ["random", "apprentice", "clerk", "engineer"]
)  # the director has its own test
def test_the_same_seeds_give_the_same_game(name: str) -> None:
    games = [hv.new("classic", map="usa", players=3, seed=2) for _ in range(2)]
    for game in games:
        bots.play_game(game, players([name] * 3, 2))
    assert games[0].log == games[1].log


REPEATED = """
import highvoltage as hv
from highvoltage import bots
for rulebook in ("classic", "recharged", "cardgame", "outpost"):
    game = hv.new(rulebook, players=2, seed=1)
    bots.play_game(game, [bots.make("clerk", 1), bots.make("engineer", 2)])
    print(game.record())
"""


def test_the_same_seeds_give_the_same_game_in_every_process() -> None:
    """The iteration order of a set of strings differs from one process to the next."""
    results = [
        run(
            [sys.executable, "-c", REPEATED],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]
    assert results[0]
    assert results[0] == results[1]


def test_hidden_money_does_not_stop_a_clerk() -> None:
    game = hv.new("classic", players=4, seed=3, money="hidden")
    bots.play_game(game, players(["clerk"] * 4, 3))
    assert game.outcome is not None


@pytest.mark.parametrize("name", ["mine", "usa"])
def test_a_custom_map_does_not_stop_a_clerk(name: str, tmp_path: Path) -> None:
    path = tmp_path / f"{name}.json"
    path.write_text(json.dumps(game_map() | {"id": name}), "utf-8")
    game = hv.new("classic", map=path, players=3, seed=3)
    bots.play_game(game, players(["clerk"] * 3, 3))
    assert game.outcome is not None


def game_map() -> dict[str, Any]:
    folder = Path(hv.__file__).parent / "maps"
    read: dict[str, Any] = json.loads((folder / "germany.json").read_text("utf-8"))
    return read


def test_a_custom_bot_is_loaded_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(GREEDY, "utf-8")
    game = hv.new("classic", players=2, seed=1)
    own = bots.make(f"{path}:Greedy", 1)
    choice = own.choose(game.view(game.to_move), game.legal_moves)
    assert choice.move == game.legal_moves[0]
    assert type(bots.make(f"{path}:Greedy", 2)) is type(own)


@pytest.mark.parametrize(
    ("name", "answer"),
    [
        (
            "hal",
            f"There is no bot 'hal'. Take {', '.join(bots.names())}, FILE.py:CLASS or FOLDER",
        ),
        ("{path}:Nobody", "has no class 'Nobody' with a method 'choose'"),
        ("{path}:nothing", "has no class 'nothing' with a method 'choose'"),
        ("{path}.gone.py:Greedy", "There is no file"),
        ("{broken}:Greedy", "cannot be loaded: SyntaxError"),
    ],
)
def test_a_bot_that_cannot_be_loaded_is_refused(name: str, answer: str, tmp_path: Path) -> None:
    path, broken = tmp_path / "mine.py", tmp_path / "broken.py"
    path.write_text(GREEDY, "utf-8")
    broken.write_text("def", "utf-8")
    with pytest.raises(bots.BotError, match=answer.replace(".", r"\.")):
        bots.make(name.format(path=path, broken=broken), 1)
