"""The table in brief: short enough, complete, and every number as the engine has it."""

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest

import highvoltage as hv
from highvoltage import bots, brief
from highvoltage.brief.phrases import cheapest, name_of
from highvoltage.engine.events import Income
from highvoltage.table import Seat, Table, offers
from ours import RULEBOOKS
from positions import classic, market_of

SETTINGS = [(name, None) for name in RULEBOOKS] + [("classic", "korea"), ("recharged", "usa")]
MOST_BYTES = 4_000
NAMES = ["Annabel Anderson", "Benjamin Baker", "Cleopatra Carter", "Dandelion Drake"]


def positions(rulebook: str, board: str | None, **options: Any) -> Iterator[hv.Game]:
    game = hv.new(rulebook, map=board, players=NAMES, seed=3, **options)
    seats = [bots.make("clerk", seat) for seat in range(4)]
    while (seat := game.to_move) is not None:
        yield game
        game.play(bots.ask(seats[seat], game).move)
    yield game


@pytest.mark.parametrize(("rulebook", "board"), SETTINGS)
def test_every_position_of_four_players_fits(rulebook: str, board: str | None) -> None:
    for game in positions(rulebook, board):
        if len(game.log) % 3 and game.outcome is None:
            continue
        for seat in (0, game.to_move, None):
            assert len(brief.position(game.view(seat)).encode()) <= MOST_BYTES


@pytest.mark.parametrize(("rulebook", "board"), SETTINGS)
def test_every_legal_move_is_listed_with_its_cost(rulebook: str, board: str | None) -> None:
    for game in positions(rulebook, board):
        if len(game.log) % 7:
            continue
        listed = brief.moves(game.view(game.to_move), offers(game))
        lines = listed.splitlines()
        for offer in offers(game):
            what, _, last = offer.move.rpartition(" ")
            if offer.to is not None:
                assert any(f"BID, BID {last.lstrip('@')} to {offer.to}: " in line for line in lines)
            elif found := [line for line in lines if line.startswith(f"{offer.move}: ")]:
                assert offer.cost is None or found[0].endswith(f", costs {offer.cost}")
            elif found := [line for line in lines if line.startswith(f"{what} NUMBER: ")]:
                price = last if offer.cost is None else f"{last} for {offer.cost}"
                assert price in found[0].partition(": ")[2].split(", ")
            else:
                assert offer.move in lines[-1].partition(": ")[2].split("; ")


@pytest.mark.parametrize("rulebook", ["classic", "recharged", "cardgame"])
def test_the_income_of_a_run_is_what_it_pays(rulebook: str) -> None:
    checked = 0
    for game in positions(rulebook, None):
        seat = game.to_move
        if seat is None or game.phase != "bureaucracy":
            continue
        listed = brief.moves(game.view(seat), offers(game)).splitlines()
        for line in listed[:4]:
            move, _, said = line.partition(": ")
            events = game.copy().play(move)
            for event in events:
                if isinstance(event, Income) and event.seat == seat:
                    assert said.endswith(f"income {event.amount}")
                    checked += 1
    assert checked > 5


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_what_a_seat_cannot_see_changes_nothing(rulebook: str) -> None:
    rng = Random(1)
    different = 0
    for game in positions(rulebook, None, money="hidden"):
        if len(game.log) % 40 or game.to_move is None:
            continue
        world = hv.resample(game.view(1, history=True), rng)
        different += market_of(world).deck != market_of(game).deck
        assert brief.position(world.view(1)) == brief.position(game.view(1))
        assert "money hidden" in brief.position(game.view(1))
    assert different


def test_the_viewer_is_you_and_others_have_names() -> None:
    game = hv.new("classic", players=["Ann", "Bob"], seed=1)
    mine, theirs = brief.position(game.view(0)), brief.position(game.view(1))
    assert "You are Ann; it is your turn." in mine
    assert "- you: 50 money" in mine
    assert "You are Bob; it is the turn of Ann." in theirs
    assert "You watch; it is the turn of Ann." in brief.position(game.view())


def test_history_says_who_did_what() -> None:
    game = hv.new("classic", players=["Ann", "Bob"], seed=1)
    table = Table(game, [Seat("person"), Seat("person")])
    table.commit(table.move(0, 0, "nominate 3 @3", at=0))
    table.commit(table.move(1, 1, "pass", at=0))
    card = game.log[-1].turned[0]
    assert brief.history(game.names, table.snapshot(0).log).splitlines() == [
        "Round 1, auction:",
        "- Ann: nominate 3 @3",
        f"- Bob: pass (Ann buys 3 for 3; {card} turned up)",
    ]


def test_a_family_that_is_not_known_is_shown_as_data() -> None:
    view = hv.new("classic", players=2, seed=1).view(0) | {"family": "new"}
    lines = brief.position(view).splitlines()
    assert "plant_limit: 4" in lines
    assert max(map(len, lines)) < 400


@pytest.mark.parametrize("rulebook", ["classic", "outpost"])
def test_the_network_has_every_city_in_play(rulebook: str) -> None:
    game = hv.new(rulebook, players=3, seed=1)
    view = game.view(0)
    lines = brief.network(view, game.rules.ruleset.board()).splitlines()
    assert {line.split()[0] for line in lines} == {
        *(view["connect"] if rulebook == "classic" else view["cities"])
    }


def test_a_game_without_a_map_says_so() -> None:
    game = hv.new("cardgame", players=3, seed=1)
    assert brief.network(game.view(0), game.rules.ruleset.board()) == "This game has no map."


def played_until(rulebook: str, reached: Callable[[hv.Game], bool]) -> hv.Game:
    game = hv.new(rulebook, players=["Ann", "Bob"], seed=3)
    clerk = bots.make("clerk", 1)
    while not reached(game):
        game.play(bots.ask(clerk, game).move)
    return game


def test_the_third_company_is_told_with_its_houses() -> None:
    game = played_until("recharged", lambda game: game.phase == "auction")
    view = game.view(0)
    third = next(line for line in brief.position(view).splitlines() if "the cartel:" in line)
    reserve = view["cartel"]["reserve"]
    assert third == f"- the cartel: plants none; fuel none; {reserve} houses to come"


def test_the_last_round_of_the_card_game_is_told_word_for_word() -> None:
    before = played_until("cardgame", lambda game: game.state.round == 6)
    assert "This is the last round." not in brief.position(before.view(0))
    game = played_until("cardgame", lambda game: game.view(0)["last"])
    lines = brief.position(game.view(0)).splitlines()
    assert lines[0] == (
        "Power Grid: The Card Game, round 7, auction. You are Ann; it is your turn."
    )
    assert lines[1] == "Turn order: you, Bob."
    assert lines[4:7] == [
        "Plant 20 has the discount token: its lowest bid is 1.",
        "This is the last round.",
        "Auction: may still buy: you, Bob.",
    ]
    assert lines[8:10] == [
        "- column 1: 2 x (1 coal)",
        "- column 2: (1 gas), 2 x (3 gas), (1 oil)",
    ]
    assert "- Bob: 17 money; plants 7 (3 gas/oil: income 8), " in lines[14]
    assert lines[14].endswith("; fuel none; last income 15")
    assert lines[15].startswith("- the Bank: plants 16 (1 uranium: income 9), ")
    emptied = game.view(0)
    emptied["fuel"]["columns"][0] = []
    assert "- column 1: empty" in brief.position(emptied)


def test_outposts_first_auction_is_told_word_for_word() -> None:
    game = hv.new("outpost", players=["Ann", "Bob", "Cleo"], seed=1)
    told = brief.moves(game.view(2), offers(game)).splitlines()
    assert told[2] == "nominate 5b @BID, BID 5 to 60: put 5b (habitat, 1 bed) up for auction"
    game.play("nominate 2 @2")
    lines = brief.position(game.view(0)).splitlines()
    assert lines[4] == (
        "Auction: 2, highest bid 2 by Cleo, bidding: you, Bob, Cleo. Everybody must buy."
    )
    assert "- Bob: 60 money; network 0: none; plants none; habitats none; open spaces" in lines[9]
    told = brief.moves(game.view(0), offers(game)).splitlines()
    assert told == ["pass: leave this auction", "bid BID, BID 3 to 60: bid for 2"]


def test_a_connection_is_told_from_both_of_its_ends() -> None:
    game = hv.new("classic", players=3, seed=1)
    lines = brief.network(game.view(), game.rules.ruleset.board()).splitlines()
    near = {line.split()[0]: line.partition(": ")[2].split(", ") for line in lines}
    assert near["osnabrueck"] == ["muenster 7", "kassel 20"]
    for city, ways in near.items():
        for other, cost in map(str.split, ways):
            assert f"{city} {cost}" in near[other]


def test_cities_that_are_not_listed_are_counted() -> None:
    prices = {"a": 3, "b": 1, "c": 2}
    assert cheapest(prices, 3) == "b 1, c 2, a 3"
    assert cheapest(prices, 2) == "b 1, c 2 and 1 dearer ones"


def test_who_has_nothing_to_decide_has_no_moves_listed() -> None:
    assert brief.moves(hv.new("classic", players=3, seed=1).view(), []) == ""


def test_names_are_told_as_they_are_written() -> None:
    view = hv.new("classic", players=["Zoë", "Bo"], seed=1).view(0) | {"family": "new"}
    assert 'players: [{"name": "Zoë"}]' in brief.position(view | {"players": [{"name": "Zoë"}]})


def test_where_nobody_leads_it_says_so() -> None:
    view = hv.new("classic", players=["Ann", "Bob"], seed=1).view(0)
    assert [name_of(view, seat) for seat in (None, -1, 0, 1)] == [
        "nobody",
        "the cartel",
        "you",
        "Bob",
    ]


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_the_places_are_those_of_the_outcome_each_with_its_own_scores(rulebook: str) -> None:
    *_, game = positions(rulebook, None)
    assert game.outcome is not None
    told = brief.position(game.view()).splitlines()[1]
    assert told.startswith("Places: ")
    for place, seats in zip(
        told[len("Places: ") : -1].split("; "), game.outcome.ranking, strict=True
    ):
        for seat in seats:
            scores = game.view()["outcome"]["scores"][seat]
            said = ", ".join(f"{name} {score}" for name, score in scores.items())
            assert f"{NAMES[seat]} ({said})" in place


def test_more_cities_than_are_paid_for_earn_as_much_as_the_last() -> None:
    coal = {0: {"coal": 5}}
    game = classic(
        3, phase="bureaucracy", plants={0: [20, 25]}, cities={0: 4}, fuel=coal, order=(0, 1, 2)
    )
    listed = brief.moves(game.view(0) | {"payment": (10, 22, 33, 44)}, offers(game)).splitlines()
    assert listed[0] == "run 20: powers 4 cities, income 44"
    short = brief.moves(game.view(0) | {"payment": (10, 22, 33)}, offers(game)).splitlines()
    assert {line.rpartition(" ")[2] for line in short[:2]} == {"33"}
