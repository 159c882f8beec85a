"""The preview: the result of moves, computed without making them and without revealing more."""

from collections.abc import Iterator
from random import Random

import msgspec
import pytest
from msgspec import to_builtins

import highvoltage as hv
from cardgame.positions import game_at
from highvoltage.engine.cards import LAST_CARD
from highvoltage.engine.record import turned_tokens
from highvoltage.table import Preview, Seat, Table
from highvoltage.table.preview import PreviewedMove, preview_moves
from highvoltage.testing.kit import random_move, views, world
from highvoltage.testing.snapshot import snapshot
from ours import RULEBOOKS
from positions import classic

USUAL = [
    "look",
    *(f"usual {verb}" for verb in ("place", "swap", "hire", "robot", "run", "power", "done")),
]


def positions(rulebook: str, every: int, seed: int = 5, players: int = 3) -> Iterator[hv.Game]:
    """Some positions of a random game, in which money is hidden."""
    rng = Random(seed)
    game = hv.new(rulebook, players=players, seed=seed, money="hidden")
    for moves in range(10_000):
        if game.to_move is None:
            return
        if moves % every == 0:
            yield game
        game.play(random_move(game.legal_moves, rng))


def seat_of(game: hv.Game) -> int:
    assert game.to_move is not None
    return game.to_move


def preview(game: hv.Game, *moves: str) -> Preview:
    return preview_moves(game, 0, moves)


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_a_preview_agrees_with_the_game_and_changes_nothing(rulebook: str) -> None:
    for game in positions(rulebook, every=7):
        before = snapshot(game.state)
        for move in game.legal_moves.choices:
            shown = preview(game, str(move))
            after = game.copy()
            events = after.play(move)
            assert [each.move for each in shown.moves] == [str(move)]
            assert shown.moves[0].cost == game.cost(move)
            assert (shown.stop == "chance") <= bool(turned_tokens(events))
            if shown.stop is None:
                assert after.to_move == game.to_move
                now = game.view(game.to_move)
                unseen = {"market": now["market"]} if turned_tokens(events) else {}
                seen = {"seq": shown.view["seq"], **unseen}
                assert shown.view == after.view(game.to_move) | seen
                assert [each.move for each in shown.legal] == [
                    str(each) for each in after.legal_moves.choices
                ]
        assert snapshot(game.state) == before


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_worlds_that_look_alike_have_the_same_previews(rulebook: str) -> None:
    """Only the cards that nobody has seen and the purses of the others differ."""
    stopped = 0
    for game in positions(rulebook, every=11):
        one, two = (world(game.record(), name) for name in ("one", "two"))
        seat = seat_of(game)
        for other, player in enumerate(two.state.players):
            player.money += 0 if other == seat else 300
        assert views(one)[seat] == views(two)[seat]
        for move in one.legal_moves.choices:
            shown, other_shown = (preview(each, str(move), *USUAL) for each in (one, two))
            assert to_builtins(shown) == to_builtins(other_shown), str(move)
            assert not turned_tokens(event for each in shown.moves for event in each.events)
            stopped += shown.stop == "chance"
    assert stopped, "nothing would have been turned up, so nothing is proved"


def test_a_preview_does_not_show_the_end_of_the_game() -> None:
    """With hidden money the end reveals what is in every purse."""
    rng, ends = Random(2), 0
    game = hv.new("outpost", players=2, seed=2, money="hidden")
    while game.to_move is not None:
        then = game.copy()
        move = random_move(game.legal_moves, rng)
        then.play(move)
        if then.outcome:
            shown = preview(game, str(move))
            assert shown.view["outcome"] is None
            assert shown.view["players"][1 - seat_of(game)]["money"] is None
            ends += 1
        game = then
    assert ends == 1


def test_moves_are_made_one_after_the_other_until_one_is_refused() -> None:
    game = classic(
        3,
        regions=["west", "northwest", "east"],
        phase="building",
        money=50,
        plants={0: [4], 1: [5], 2: [6]},
        cities={},
        order=(0, 1, 2),
    )
    shown = preview(game, "build essen", "build duisburg", "build essen", "build koeln")
    assert [(each.move, each.cost) for each in shown.moves] == [
        ("build essen", 10),
        ("build duisburg", 10),
    ]
    assert (shown.cost, shown.view["players"][2]["money"]) == (20, 30)
    assert shown.refused is not None
    assert (shown.refused.code, shown.refused.rule) == ("already_there", "C-7.3.6")
    assert shown.earns == 10  # there is no fuel yet
    for words, code in (("build where", "unknown_city"), ("?", "not_a_move")):
        refused = preview(game, words).refused
        assert refused is not None
        assert refused.code == code


@pytest.mark.rule("C-5.3.3")
@pytest.mark.parametrize("top", [30, LAST_CARD])
def test_a_plan_to_build_continues_where_a_plant_is_turned_up(top: int) -> None:
    """What is turned up changes no cost, and a Step 3 card is not revealed either."""
    game = classic(
        3,
        regions=["west", "northwest", "east"],
        phase="building",
        money=100,
        market=[4, 5, 6, 7, 8, 9, 10, 11],
        deck=[top, 20, 25],
        cities={2: ["essen", "duisburg", "muenster"]},
        order=(0, 1, 2),
    )
    shown = preview(game, "build dortmund", "build kassel")
    assert [(each.move, each.cost) for each in shown.moves] == [
        ("build dortmund", 12),
        ("build kassel", 28),
    ]
    assert [each.events for each in shown.moves] == [(), ()]
    assert (shown.cost, shown.stop, shown.refused) == (40, None, None)
    assert shown.view["market"] == game.view()["market"]
    assert shown.view["connect"]["fulda"] == 18
    assert "build fulda" in [each.move for each in shown.legal]


def test_looks_list_what_could_be_done_at_that_point() -> None:
    game = classic(3, phase="fuel", money=50, plants={0: [4], 1: [5], 2: [4]}, order=(0, 1, 2))
    shown = preview(game, "look", "buy coal 3", "look", "usual done", "buy coal 1")
    assert [len(look) for look in shown.looks] == [5, 2]  # one to four coal, or done
    assert [each.move for each in shown.moves] == ["buy coal 3", "done"]
    assert (shown.stop, shown.legal) == ("turn", [])


@pytest.mark.rule("C-8.2.2")
def test_the_usual_run_supplies_most_and_burns_least() -> None:
    game = classic(
        3,
        phase="bureaucracy",
        plants={0: [13, 20, 25]},
        cities={0: 5},
        fuel={0: {"coal": 5}},
        order=(0, 1, 2),
    )
    shown = preview(game, "usual run")
    assert [each.move for each in shown.moves] == ["run 25"]
    assert (shown.earns, shown.stop) == (64, "turn")
    assert preview(game, "run 13").earns == 22


@pytest.mark.rule("C-8.2.2")
@pytest.mark.parametrize(("cheap", "dear"), [("coal", "oil"), ("oil", "coal")])
def test_the_usual_run_burns_the_fuel_that_is_cheap_to_buy(cheap: str, dear: str) -> None:
    game = classic(
        3,
        phase="bureaucracy",
        plants={0: [5]},
        cities={0: 1},
        fuel={0: {"coal": 2, "oil": 2}},
        stock={cheap: 20, dear: 3},
        order=(0, 1, 2),
    )
    (run,) = preview(game, "usual run").moves
    assert game.legal_moves  # other mixes could be burned
    game.play(run.move)
    assert game.view()["players"][0]["fuel"] == {cheap: 0, dear: 2, "garbage": 0, "uranium": 0}


def test_a_preview_lists_the_plants_that_would_be_idle() -> None:
    """Only those that affordable fuel would let supply more."""
    game = classic(
        3,
        phase="fuel",
        money=9,
        plants={2: [4, 7, 19]},  # two coal; three oil; two garbage
        cities={2: 5},
        stock={"coal": 24, "oil": 3, "garbage": 24},
        order=(0, 1, 2),
    )
    assert preview(game).idle == ["4", "19"]  # three oil are too expensive
    assert preview(game, "buy coal 2").idle == ["19"]
    assert preview(game, "buy garbage 2").idle == ["4"]
    assert preview(game, "done").idle == []  # somebody else is to move
    mixed = classic(
        3,
        phase="fuel",
        plants={2: [5]},  # two of coal and oil, and the market has one of each
        cities={2: 5},
        stock={"coal": 1, "oil": 1},
        order=(0, 1, 2),
    )
    assert preview(mixed).idle == ["5"]
    assert preview(mixed, "buy coal 1").idle == ["5"]
    assert preview(mixed, "buy coal 1", "buy oil 1").idle == []
    few = classic(3, phase="fuel", plants={2: [4, 20]}, cities={2: 1}, order=(0, 1, 2))
    assert preview(few).idle == ["4", "20"]
    assert preview(few, "buy coal 2").idle == []  # the one city is supplied


def test_a_preview_of_the_card_game_lists_the_plants_that_would_be_idle() -> None:
    columns = {1: "coal", 2: "coal1 oil2", 4: "oil3"}
    game = game_at(3, phase="fuel", money={2: 3}, own={2: "4 7"}, columns=columns, order=(0, 1, 2))
    rich = game_at(3, phase="fuel", money={2: 9}, own={2: "4 7"}, columns=columns, order=(0, 1, 2))
    assert preview(game).idle == ["4"]
    assert preview(rich).idle == ["4", "7"]
    assert preview(rich, "buy coal 1 from 1", "buy coal 1 from 2").idle == ["7"]
    dear = game_at(3, phase="fuel", money={2: 3}, own={2: "7"}, columns={2: "oil1", 3: "oil3"})
    assert preview(dear).idle == ["7"]  # with the more expensive card
    columns = {1: "gas1", 2: "oil2"}
    mixed = game_at(3, phase="fuel", money={2: 3}, own={2: "5"}, columns=columns, order=(0, 1, 2))
    assert preview(mixed).idle == ["5"]  # three of gas and oil
    columns = {1: "oil1", 2: "gas2"}
    other = game_at(3, phase="fuel", money={2: 3}, own={2: "5"}, columns=columns, order=(0, 1, 2))
    assert preview(other).idle == ["5"]
    poor = game_at(3, phase="fuel", money={2: 2}, own={2: "5"}, columns=columns, order=(0, 1, 2))
    assert preview(poor).idle == []


@pytest.mark.parametrize("phase", ["auction", "fuel", "bureaucracy"])
def test_a_plan_to_build_can_be_made_ahead(phase: str) -> None:
    """Before it is this seat's turn, and before there is money for it."""
    game = classic(
        3,
        regions=["west", "northwest", "east"],
        phase=phase,
        money=30,
        cities={1: ["essen"]},
        order=(0, 1, 2),
    )
    table = Table(game, [Seat("person")] * 3)
    before = snapshot(game.state)
    shown = table.preview(1, 0, ["build dortmund", "build kassel"], ahead=True)
    assert [each.cost for each in shown.moves] == [14, 28]
    assert (shown.cost, shown.view["players"][1]["money"]) == (42, -12)
    assert (shown.refused, shown.legal) == (None, [])
    assert shown.view["connect"]["fulda"] == 18
    assert snapshot(game.state) == before


def test_nothing_is_planned_ahead_where_nothing_is_built() -> None:
    cards = hv.new("cardgame", players=3, seed=1)
    drafting = hv.new("classic", players=3, seed=1, regions="draft")
    for game in (cards, drafting):
        with pytest.raises(hv.HighVoltageError):
            Table(game, [Seat("person")] * 3).preview(0, 0, [], ahead=True)


def test_a_preview_is_for_the_seat_to_move_at_the_position_it_saw() -> None:
    game = hv.new("classic", players=3, seed=1)
    table = Table(game, [Seat("person")] * 3)
    seat = seat_of(game)
    assert table.preview(seat, 0, ["nominate 4 @4"]).stop == "turn"
    for other, seq in (((seat + 1) % 3, 0), (seat, 1)):
        with pytest.raises(hv.HighVoltageError):
            table.preview(other, seq, [])


def test_a_preview_that_goes_on_for_ever_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    game = classic(3, phase="fuel", plants={2: [4, 20]}, cities={2: 1}, order=(0, 1, 2))
    monkeypatch.setattr("highvoltage.table.preview.MAX_STEPS", 2)
    bought = ["buy coal 1"] * 3
    assert preview(game, *bought[:2]).refused is None
    long = preview(game, *bought)
    assert long.refused is not None
    assert (long.refused.code, len(long.moves)) == ("long_preview", 2)
    monkeypatch.setattr("highvoltage.table.preview.MAX_STEPS", 1)
    game = classic(3, phase="bureaucracy", plants={0: [13]}, cities={0: 1}, order=(0, 1, 2))
    usual = preview(game, "usual run")
    assert usual.refused is not None
    assert (usual.refused.code, usual.moves) == ("long_preview", [])


def test_what_a_previewed_move_lacks_is_not_sent() -> None:
    assert msgspec.json.encode(PreviewedMove("done")) == b'{"move":"done"}'
