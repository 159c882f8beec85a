"""Tempers really play differently: compared with an even clerk, in the positions of its game."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import highvoltage as hv
from highvoltage import bots, words
from highvoltage.bots.characters import CHARACTERS
from highvoltage.bots.clerk.temper import TEMPERS
from highvoltage.engine.moves import Bid, Build, Buy, Pass

KINDS = ("clerk", "engineer")
RULEBOOKS = ("classic", "recharged", "cardgame", "outpost")


@cache
def _clerks_game() -> tuple[str, ...]:
    game = hv.new("classic", players=4, seed=5)
    bots.play_game(game, [bots.make("clerk", seat) for seat in range(4)])
    return tuple(str(row.move) for row in game.log)


def chosen(temper: str, phase: str) -> Iterator[tuple[bots.Choice, bots.Choice]]:
    """What an even clerk and one of this temper would do, in each decision of this phase."""
    game = hv.new("classic", players=4, seed=5)
    even, other = bots.make("clerk", 1), bots.make(f"clerk:{temper}", 1)
    for move in _clerks_game():
        if game.phase == phase and game.to_move is not None:
            view, legal = game.view(game.to_move), game.legal_moves
            yield even.choose(view, legal), other.choose(view, legal)
        game.play(move)


def test_the_bold_one_bids_where_a_clerk_passes() -> None:
    pairs = [*chosen("bold", "auction")]
    more = [bold for even, bold in pairs if even.move == Pass() and isinstance(bold.move, Bid)]
    assert more
    assert all((bold.limit or 0) >= (even.limit or 0) for even, bold in pairs)
    assert all(bold.why.values["limit"] == bold.limit for bold in more)


def test_the_miser_passes_where_a_clerk_bids() -> None:
    pairs = [*chosen("miser", "auction")]
    assert any(isinstance(even.move, Bid) and miser.move == Pass() for even, miser in pairs)
    assert not any(even.move == Pass() and isinstance(miser.move, Bid) for even, miser in pairs)


def test_the_hoarder_buys_fuel_where_a_clerk_has_enough() -> None:
    pairs = [*chosen("hoarder", "fuel")]
    assert any(even.why.code == "fuel_enough" and isinstance(own.move, Buy) for even, own in pairs)


def test_the_builder_builds_where_a_clerk_waits() -> None:
    pairs = [*chosen("builder", "building")]
    assert any(
        not isinstance(even.move, Build) and isinstance(own.move, Build) for even, own in pairs
    )


def test_the_blocker_takes_another_city_than_the_cheapest() -> None:
    pairs = [*chosen("blocker", "building")]
    both = [
        (int(even.why.values["cost"]), int(own.why.values["cost"]))
        for even, own in pairs
        if isinstance(even.move, Build) and isinstance(own.move, Build) and "cost" in own.why.values
    ]
    dearer = [(cheap, own) for cheap, own in both if cheap < own]
    assert dearer
    assert all(own <= cheap + TEMPERS["blocker"].blocks for cheap, own in dearer)


def test_characters_are_called_the_same_in_every_language() -> None:
    for language in words.LANGUAGES:
        with words.speaking(language):
            named = {bot: words.say(f"bot_{bot.replace(':', '_')}") for bot in CHARACTERS}
        assert named == CHARACTERS


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_every_temper_plays_every_game_to_its_end(rulebook: str) -> None:
    game = hv.new(rulebook, players=len(TEMPERS), seed=2)
    seats = [bots.make(f"clerk:{temper}", seat) for seat, temper in enumerate(TEMPERS)]
    bots.play_game(game, seats)
    assert game.outcome


def test_an_unknown_temper_is_refused() -> None:
    for kind in KINDS:
        with pytest.raises(bots.BotError, match=f"The bot '{kind}' takes no 'sulky'"):
            bots.make(f"{kind}:sulky", 1)


DOCS = Path(__file__).parents[2] / "docs" / "bots.md"
MEASURED = {
    name: (int(games), float(share))
    for name, games, share in re.findall(
        r"`(\w+:\w+)` \(\w+\) \| (\d+) \| ([\d.]+) %", DOCS.read_text()
    )
}


@pytest.mark.parametrize("name", MEASURED)
def test_the_page_says_what_was_measured(name: str) -> None:
    share = MEASURED[name][1]
    for language in words.LANGUAGES:
        with words.speaking(language):
            about = words.say(f"bot_{name.replace(':', '_')}_about")
        assert {int(number) for number in re.findall(r"\d+", about)} >= {100, round(share + 0.01)}


@pytest.mark.long
@pytest.mark.parametrize("name", [name for name in MEASURED if name.startswith("clerk")])
def test_so_often_a_temper_wins(name: str) -> None:
    """Within four standard errors of what was measured in as many games."""
    games, share = MEASURED[name]
    won = 0.0
    for seed in range(games):
        game = hv.new("classic", players=4, seed=seed)
        at = seed % 4
        seats = [bots.make(name if seat == at else "clerk", f"{seed} {seat}") for seat in range(4)]
        bots.play_game(game, seats)
        assert game.outcome
        first = game.outcome.ranking[0]
        won += (at in first) / len(first)
    error = 100 * (share / 100 * (1 - share / 100) / games) ** 0.5
    assert abs(100 * won / games - share) < 4 * error
