"""A game refuses bad requests with a clear error and stays unchanged."""

from collections.abc import Sequence
from itertools import islice, permutations
from random import Random
from typing import Any

import pytest

import highvoltage as hv
from highvoltage import bots
from highvoltage.engine.legal import Moves
from highvoltage.engine.moves import Bid, Build, Done, Nominate, Pass, Span
from highvoltage.games import MAX_CACHED_RULEBOOKS, rulebook
from ours import RULEBOOKS


def game() -> hv.Game:
    return hv.new("classic", players=["Ann", "Bob", "Cem"], seed=7)


@pytest.mark.parametrize("move", [None, 5, object, ["pass"]])
def test_what_is_not_a_move(move: Any) -> None:
    with pytest.raises(hv.MoveSyntaxError) as caught:
        game().play(move)
    assert str(caught.value) == (
        f"A move is a text, a Move or what a bot has chosen, not {move!r}."
    )


@pytest.mark.parametrize("seat", ["0", True, 1.0])
def test_what_is_not_a_seat(seat: Any) -> None:
    message = f"a seat is a number, not {seat!r}: seats are 0 to 2"
    with pytest.raises(TypeError) as caught:
        game().view(seat)
    assert str(caught.value) == message
    with pytest.raises(TypeError) as caught:
        game().play("pass", seat=seat)
    assert str(caught.value) == message


@pytest.mark.parametrize("moves", [-1, 2])
def test_there_is_no_position_before_the_first_or_after_the_last_move(moves: int) -> None:
    new = game()
    new.play("nominate 3 @3")
    assert new.after(0).view() == game().view()
    with pytest.raises(IndexError, match=f"^there are 0 to 1 moves to go back to, not {moves}$"):
        new.after(moves)


def test_what_is_not_a_name() -> None:
    with pytest.raises(hv.OptionError, match="3"):
        hv.new("classic", players=["Ann", 3])  # type: ignore[list-item]


@pytest.mark.parametrize("seed", [1.5, b"1", [1]])
def test_what_is_not_a_seed(seed: Any) -> None:
    with pytest.raises(TypeError, match="a seed is a whole number or a text, not "):
        hv.new("classic", seed=seed)


@pytest.mark.parametrize("seat", [-1, 3])
def test_a_seat_that_does_not_exist(seat: int) -> None:
    with pytest.raises(IndexError, match=f"^there is no seat {seat}: seats are 0 to 2$"):
        game().view(seat)


def test_a_bots_choice_can_be_played_directly() -> None:
    new = game()
    bot = bots.make("clerk", 1)
    choice = bot.choose(new.view(new.to_move), new.legal_moves)
    new.play(choice)
    assert new.log[-1].move == choice.move


@pytest.mark.rule("C-14", "R-14.2", "K-3.1", "O-3.5")
@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_a_move_of_the_wrong_seat_is_refused(rulebook: str) -> None:
    new = hv.new(rulebook, players=["Ann", "Bob", "Cem"], seed=1)
    seat = new.to_move
    assert seat is not None
    move, other = new.legal_moves[0], (seat + 1) % 3
    with pytest.raises(hv.IllegalMove) as caught:
        new.play(move, seat=other)
    assert caught.value.code == "not_your_turn"
    assert caught.value.values == {"name": new.names[seat], "other": new.names[other]}
    assert new.log == []
    new.play(move, seat=seat)


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_a_listed_move_is_trusted_only_in_its_own_position(rulebook: str) -> None:
    game = hv.new(rulebook, players=3, seed=1)
    rng = Random(1)
    while game.to_move is not None and len(game.log) < 60:
        before = game.legal_moves
        game.play(rng.choice(before.choices))
        now = game.copy().legal_moves  # the game itself still knows the list before
        for move in before.choices:
            if move not in now:
                with pytest.raises(hv.IllegalMove):
                    game.play(move)


def test_a_listed_move_is_checked_again_after_undo() -> None:
    game = hv.new("classic", players=2, seed=1)
    game.play("nominate 3 @3")
    raised = game.legal_moves.choices[-1]
    assert str(raised) == "bid 4"
    game.undo()
    game.play("nominate 3 @10")
    with pytest.raises(hv.IllegalMove):
        game.play(raised)


def test_what_is_added_to_a_list_of_moves_is_not_legal() -> None:
    game = hv.new("classic", players=2, seed=1)
    while game.phase != "fuel":
        game.play(game.legal_moves[0])
    too_much = game.parse("buy coal 24")
    game.legal_moves.plain += (too_much,)
    with pytest.raises(hv.IllegalMove):
        game.play(too_much)


def test_a_script_that_does_not_fit_leaves_the_game_as_it_was() -> None:
    """The shuffle at the Step 3 card happens in the middle of a move, after incomes were paid."""
    chance = hv.Scripted(order=[0, 1], step3=[3])  # 3 was in the market
    new = hv.new("classic", players=["Ann", "Bob"], chance=chance)
    rng = Random(4)
    while True:
        before = new.view(), new.view(0), len(new.log)
        try:
            new.play(rng.choice(new.legal_moves.choices))
        except hv.ChanceError as error:
            message = str(error)
            break
    assert message.startswith("The script for 'step3' names 3, which is not there to be drawn")
    assert (new.view(), new.view(0), len(new.log)) == before
    assert hv.replay(str(new.record())).view() == new.view()


@pytest.mark.parametrize(
    ("rulebook", "events"),
    [
        ("classic", "order, regions, deck, removal, plugs, sockets, mixed, step3, blocked, pile"),
        ("recharged", "order, regions, plugs, sockets, deck, mixed, step3, blocked, pile"),
        ("cardgame", "order, small, large, deck, fuel, end, reshuffle"),
        ("outpost", "order, area, tokens, plugs, sockets, deck, step3"),
    ],
)
def test_a_script_names_existing_events(rulebook: str, events: str) -> None:
    with pytest.raises(hv.ChanceError) as caught:
        hv.new(rulebook, chance=hv.Scripted(oder=[0, 1, 2, 3]))
    assert str(caught.value) == f"{rulebook} has no chance event 'oder'. Events: {events}."


def test_a_script_gives_every_occurrence_of_a_repeated_event() -> None:
    chance = hv.Scripted(reshuffle=[[3, 1], [2]])
    assert chance.arrange("reshuffle", [1, 2, 3])[:2] == [3, 1]
    assert chance.arrange("reshuffle", [1, 2, 3], 1)[0] == 2
    assert sorted(chance.arrange("reshuffle", [1, 2, 3], 2)) == [1, 2, 3]


@pytest.mark.parametrize("name", ["", "a:b", "a  b", "Ann ", "x" * 41])
def test_a_name_that_a_record_could_not_hold_is_refused(name: str) -> None:
    with pytest.raises(hv.OptionError, match="is no name for a player"):
        hv.new("classic", players=["Ann Lee", name])


def test_a_script_writes_cards_as_moves_do() -> None:
    chance = hv.Scripted(small=["2b", "3b", 4], removed=["5b"])
    cards = [
        plant["card"] for plant in hv.new("cardgame", chance=chance).view()["market"]["current"]
    ]
    assert {"2b", "3b"} <= {*cards}


def test_maps_and_chance_events_are_listed_by_the_metadata() -> None:
    """What is needed to write down a real game: ids of regions and cities, names of events."""
    germany = hv.games()["classic"].map()
    assert (germany["id"], len(germany["regions"]), len(germany["cities"])) == ("germany", 6, 42)
    assert germany["connections"][0] == ["flensburg", "kiel", 4]
    assert hv.games()["recharged"].map("usa")["id"] == "usa_recharged"
    assert len(hv.games()["outpost"].map()["edges"]) == 46
    with pytest.raises(hv.OptionError, match="has no map"):
        hv.games()["cardgame"].map()
    assert hv.games()["cardgame"].chance_events[-1] == "reshuffle"


def test_games_with_the_same_options_share_their_rules_but_not_forever() -> None:
    rules = hv.new("classic", players=3).rules
    assert hv.new("classic", players=3).rules is rules
    regions = hv.games()["classic"].map()["regions"]
    for order in islice(permutations(regions, 5), MAX_CACHED_RULEBOOKS):
        rulebook("classic", 5, None, {"regions": order})
    assert hv.new("classic", players=3).rules is not rules


def test_legal_moves_are_found_at_the_places_where_they_are_listed() -> None:
    """A sequence like any other, though runs of bids are not listed one by one."""
    moves = Moves(
        [Pass(), Nominate(4, 4)], [Span(Bid(15), 20), Span(Nominate(7, 7), 9), Span(Bid(30), 30)]
    )
    listed = list(moves)
    assert ", ".join(map(str, listed)) == (
        "pass, nominate 4 @4, bid 15, bid 16, bid 17, bid 18, bid 19, bid 20,"
        " nominate 7 @7, nominate 7 @8, nominate 7 @9, bid 30"
    )
    assert len(moves) == len(listed)
    for at, move in enumerate(listed):
        assert moves.index(move) == at
        assert moves.nth(at) == moves[at] == moves[at - len(moves)] == move
        assert moves.count(move) == 1
    assert moves[1:4] == listed[1:4]
    for other in (Bid(14), Bid(21), Nominate(4, 5), Done()):
        assert moves.count(other) == 0
        with pytest.raises(ValueError, match="is not one of the legal moves"):
            moves.index(other)
    for beyond in (len(moves), -len(moves) - 1):
        with pytest.raises(IndexError):
            moves.nth(beyond)
    drawn = Random(3)
    assert {moves.random(drawn) for _ in range(200)} == {*moves.choices}
    assert len(moves.choices) == 5
    bids = Moves([], moves.spans[:1])
    assert (bids.nth(0), bids.nth(1), bids.nth(-1)) == (Bid(15), Bid(16), Bid(20))
    assert issubclass(type(moves), Sequence)
    assert repr(moves).startswith("<12 moves: pass, nominate 4 @4, bid 15, nominate 7 @7, bid 30")
    assert repr(Moves([Build(str(city)) for city in range(9)])).count("build") == 8
