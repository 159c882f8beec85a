"""The adversaries do what they are made for, and two engineers cannot be driven up."""

from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from random import Random

import pytest

import highvoltage as hv
from benchmarks import adversaries
from benchmarks.adversaries import Blocker, Hoarder, LimitReader, Rusher
from highvoltage import bots
from highvoltage.bots import Choice
from highvoltage.bots.engineer import Engineer
from highvoltage.bots.engineer.board import MAX_BID_SHADING
from highvoltage.engine.moves import Bid


def positions(
    phase: str, players: int, seed: int = 1, rulebook: str = "classic"
) -> Iterator[hv.Game]:
    """Positions in a game of engineers where somebody decides in this phase."""
    game = hv.new(rulebook, players=players, seed=seed)
    seats = [bots.make("engineer", seat) for seat in range(players)]
    while (seat := game.to_move) is not None:
        if game.phase == phase and len(game.legal_moves) > 1:
            yield game.copy()
        game.play(bots.ask(seats[seat], game).move)


def bidding(players: int) -> Iterator[hv.Game]:
    for game in positions("auction", players):
        if isinstance(game.legal_moves.choices[-1], Bid):
            yield game


def engineers(game: hv.Game, seat: int | None = None) -> Choice:
    view = game.view(game.to_move if seat is None else seat)
    return Engineer(Random(1)).choose(view, game.legal_moves)


def test_two_engineers_leave_a_plant_at_about_the_same_price() -> None:
    """At that price the buyer gains little over the other: neither can be driven further."""
    choices = [[engineers(game, seat) for seat in (0, 1)] for game in bidding(2)]
    free = [both for both in choices if all(each.why.code == "limit_rival" for each in both)]
    assert free
    for both in free:
        low, high = sorted(each.limit or 0 for each in both)
        assert low >= (1 - MAX_BID_SHADING) * high - 1


def test_an_engineers_limit_cannot_be_predicted_and_it_keeps_to_it() -> None:
    game = max(bidding(2), key=lambda game: engineers(game).limit or 0)
    view, legal = game.view(game.to_move), game.legal_moves
    players = [Engineer(Random(seed)) for seed in range(20)]
    limits = [player.choose(view, legal).limit for player in players]
    assert len(set(limits)) > 1
    assert [player.choose(view, legal).limit for player in players] == limits


@pytest.mark.long
def test_among_several_nobody_is_driven_up_to_what_a_plant_is_worth_to_it_alone() -> None:
    """But the seat to which it is worth most still gets it."""
    found = 0
    for game in bidding(4):
        bidders = game.view()["auction"]["bidders"]
        choices = {seat: engineers(game, seat) for seat in bidders}
        for seat, choice in choices.items():
            others = [other.limit or 0 for each, other in choices.items() if each != seat]
            if choice.why.code == "limit_others" and choice.limit is not None:
                found += 1
                assert choice.limit < int(choice.why.values["worth"])
                assert choice.limit > max(others)
    assert found


def test_the_limit_reader_bids_up_to_one_below_the_highest_limit() -> None:
    driven = 0
    for game in bidding(4):
        choice = bots.ask(LimitReader(Random(1)), game)
        if choice.why.code == "drives_up":
            driven += 1
            rivals = set(game.view()["auction"]["bidders"]) - {game.to_move}
            highest = max(engineers(game, seat).limit or 0 for seat in rivals)
            assert choice.move == Bid(highest - 1)
    assert driven


@pytest.mark.parametrize(
    ("rulebook", "kind", "phase", "code"),
    [
        ("classic", LimitReader, "auction", "leads_on"),
        ("classic", Hoarder, "fuel", "hoards"),
        ("classic", Blocker, "building", "blocks"),
        ("cardgame", LimitReader, "auction", "leads_on"),
        ("cardgame", LimitReader, "auction", "drives_up"),
        ("cardgame", Hoarder, "fuel", "hoards"),
        ("outpost", LimitReader, "auction", "leads_on"),
        ("outpost", LimitReader, "auction", "drives_up"),
        ("outpost", Hoarder, "company", "hoards"),
        ("outpost", Blocker, "company", "blocks"),
        ("outpost", Rusher, "company", "city_late"),
    ],
)
def test_an_adversary_deviates_from_the_engineer(
    rulebook: str, kind: type[Engineer], phase: str, code: str
) -> None:
    """And what it does instead is legal."""
    found = 0
    for game in chain.from_iterable(positions(phase, 2, seed, rulebook) for seed in range(6)):
        choice = bots.ask(kind(Random(1)), game)
        assert choice.move in game.legal_moves
        found += choice.why.code == code and choice.move != engineers(game).move
        if found:
            break
    assert found


def test_the_rusher_builds_while_it_can() -> None:
    for game in positions("building", 2):
        assert bots.ask(Rusher(Random(1)), game).move.verb == "build"


@pytest.mark.long
def test_the_suite_prints_a_row_for_each_table_and_resumes_from_its_files(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["--rulebooks", "classic", "--players", "2", "--adversaries", "Hoarder", "Rusher"]
    rows = []
    for games in ("1", "2", "2"):
        adversaries.main([*arguments, "--games", games, "--files", str(tmp_path)])
        rows.append(capsys.readouterr().out.splitlines()[1:])
    assert [[int(row.split()[3]) for row in each] for each in rows] == [[1, 1], [2, 2], [2, 2]]
    assert rows[1] == rows[2]
    assert all(len(file.read_text().splitlines()) == 3 for file in tmp_path.iterdir())


def test_in_the_card_game_there_is_nothing_to_block_or_to_rush(
    capsys: pytest.CaptureFixture[str],
) -> None:
    adversaries.main(["--rulebooks", "cardgame", "--players", "2", "--games", "1"])
    rows = [row.split() for row in capsys.readouterr().out.splitlines()[1:]]
    assert [row[1] for row in rows] == ["LimitReader", "Hoarder"]
