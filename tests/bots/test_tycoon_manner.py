"""Levels and tempers of the tycoon, and what it says of a position."""

from collections import Counter
from collections.abc import Iterator
from itertools import count
from typing import Any

import pytest

import highvoltage as hv
from highvoltage import bots, words
from highvoltage.bots.tycoon.evaluation import Candidate
from highvoltage.bots.tycoon.explaining import SOON
from highvoltage.bots.tycoon.manner import FULL, MANNERS, Manner
from highvoltage.engine.moves import Bid, Build, Buy, Pass

RULEBOOKS = ("classic", "recharged", "cardgame", "outpost")
LEVELS = ("easy", "medium", "hard")
TEMPERS = [name for name in MANNERS if name not in LEVELS]


def candidates(**probabilities: float) -> list[Candidate]:
    moves = {"bid": Bid(9), "go": Pass(), "buy": Buy("coal", 2), "build": Build("bremen")}
    return [Candidate(moves[name], share) for name, share in probabilities.items()]


def test_without_a_temper_the_likeliest_move_is_chosen() -> None:
    assert FULL.choose(candidates(bid=0.4, go=0.35, buy=0.25)).move == Bid(9)


def test_a_temper_likes_one_kind_of_move_more_but_not_at_any_price() -> None:
    liking = Manner(likes={"build": 4})
    assert liking.choose(candidates(go=0.75, build=0.2)).move == Build("bremen")
    assert liking.choose(candidates(go=0.85, build=0.15)).move == Pass()
    blind = Manner(likes={"build": 1000})
    assert blind.choose(candidates(go=0.97, build=0.03)).move == Build("bremen")
    assert blind.choose(candidates(go=0.99, build=0.01)).move == Pass()


def test_a_level_leaves_its_share_of_decisions_to_the_clerk() -> None:
    easy, clerk = bots.make("tycoon:easy", 1), bots.make("clerk", 1)
    kinds = Counter[bool]()
    for game in positions("classic", every=2):
        choice = bots.ask(easy, game)
        by_network = choice.why.code.startswith("tycoon")
        kinds[by_network] += 1
        assert by_network or choice.why.code == "start" or choice == bots.ask(clerk, game)
    assert 0 < kinds[True] / kinds.total() < 0.15  # 0.05


def positions(rulebook: str, every: int) -> Iterator[hv.Game]:
    """Some of the decisions in a game of clerks."""
    game = hv.new(rulebook, players=3, seed="manner")
    clerks = [bots.make("clerk", seat) for seat in range(3)]
    for number in count():
        if game.to_move is None:
            return
        if number % every == 0 and len(game.legal_moves) > 1:
            yield game
        game.play(bots.ask(clerks[game.to_move], game).move)


def test_a_temper_departs_in_its_direction_and_says_so() -> None:
    full, other = bots.make("tycoon", 1), bots.make("tycoon:bold", 1)
    both = [
        (bots.ask(full, game).move, bots.ask(other, game))
        for game in positions("classic", every=2)
        if game.phase == "auction"
    ]
    pairs = [(usual, own) for usual, own in both if own.move != usual]
    assert pairs
    assert all(own.move.verb in ("bid", "nominate") for _, own in pairs)
    assert all(own.why.code == "tycoon_otherwise" for _, own in pairs)
    assert all(own.why.values["second"] == str(usual) for usual, own in pairs)


@pytest.mark.parametrize(
    "rulebook",
    [
        "cardgame",
        *(pytest.param(name, marks=pytest.mark.long) for name in RULEBOOKS if name != "cardgame"),
    ],
)
def test_every_manner_plays_every_game_to_its_end(rulebook: str) -> None:
    for names in (LEVELS, TEMPERS):
        game = hv.new(rulebook, players=len(names), seed=3)
        seats = [bots.make(f"tycoon:{name}", seat) for seat, name in enumerate(names)]
        bots.play_game(game, seats)
        assert game.outcome


def test_what_is_no_manner_is_refused_with_those_there_are() -> None:
    with pytest.raises(bots.BotError, match=r"'sulky' is no budget: .*, easy, medium, .*builder"):
        bots.make("tycoon:sulky", 1)


# What it says of a position, worked out anew from the game


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_what_it_says_is_true_of_the_position(rulebook: str) -> None:
    told = Counter[str]()
    tycoon = bots.make("tycoon", 1)
    for game in positions(rulebook, every=5):
        seat = game.to_move
        assert seat is not None
        values: Any = bots.ask(tycoon, game).why.values
        view = game.view(seat)
        assert 0 <= values["sees_chances"] <= 100
        assert values["rival"] in [name for at, name in enumerate(game.names) if at != seat]
        rivals = [player for player in view["players"] if player["seat"] != seat]
        most = max((len(player["cities"]) for player in rivals), default=0) if has_end(view) else 0
        if has_end(view) and view["end_cities"] - most <= SOON:
            assert (values["ends_soon"], values["end"]) == (most, view["end_cities"])
            ender = view["players"][game.names.index(values["ender"])]
            assert len(ender["cities"]) == most
        else:
            assert "ends_soon" not in values
        if "fuel_short" in values:
            fuel = values["fuel"]
            assert any(plant["fuels"] == [fuel] for plant in view["players"][seat]["plants"])
            assert values["fuel_short"] == stock(view, fuel) < values["wanted"]
            assert values["wanted"] == wanted(view, fuel)
        elif "fuel" in view and view["phase"] in ("auction", "fuel"):
            own = {
                plant["fuels"][0]
                for plant in view["players"][seat]["plants"]
                if len(plant["fuels"]) == 1
            }
            lacked = [fuel for fuel in own if lacking(view["players"][seat], fuel)]
            assert all(stock(view, fuel) >= wanted(view, fuel) for fuel in lacked)
        told.update(values.keys())
    assert told["sees_chances"]
    assert told["ends_soon"] or rulebook == "cardgame"


def has_end(view: Any) -> bool:
    return "end_cities" in view


def stock(view: Any, fuel: str) -> int:
    if view["family"] == "board":
        return len(view["fuel"][fuel]["prices"])
    cards = [card for column in view["fuel"]["columns"] for card in column]
    units: int = sum(card["units"] for card in cards if card["fuel"] == fuel)
    return units


def wanted(view: Any, fuel: str) -> int:
    return sum(lacking(player, fuel) for player in view["players"])


def lacking(player: Any, fuel: str) -> int:
    need: int = sum(plant["need"] for plant in player["plants"] if plant["fuels"] == [fuel])
    held: int = player["fuel"][fuel]
    return max(0, need - held)


def test_it_is_said_in_every_language() -> None:
    values: dict[str, int | str] = {
        "share": 61,
        "second": "pass",
        "more": 30,
        "sees_chances": 41,
        "rival": "Ann",
    }
    values |= {"rival_chance": 33, "ends_soon": 15, "ender": "Ben", "end": 17}
    values |= {"fuel_short": 4, "fuel": "coal", "wanted": 7}
    for language in words.LANGUAGES:
        with words.speaking(language):
            said = str(bots.Reason("tycoon_otherwise", values))
        assert [str(value) for value in values.values() if str(value) not in said] == []
