"""What the engineer does, and why."""

from random import Random
from typing import Any

import pytest

import highvoltage as hv
from highvoltage import bots
from highvoltage.bots.clerk.auction import Prospect
from highvoltage.bots.engineer import Engineer
from highvoltage.bots.engineer.auction import bid_or_nominate
from highvoltage.bots.engineer.cards import CARD_ASSUMPTIONS, CardCache, CardPlan
from highvoltage.bots.engineer.forecast import ASSUMPTIONS, Forecast, ForecastCache, Growth
from highvoltage.bots.engineer.plan import BoardPlan
from ours import RULEBOOKS
from spread import sizes, some
from work import max_calls


def after(rounds: int, rulebook: str = "classic", players: int = 4) -> hv.Game:
    """A game of engineers after this many rounds."""
    game = hv.new(rulebook, players=players, seed=5)
    seats = [bots.make("engineer", seat) for seat in range(players)]
    while game.state.round <= rounds and (seat := game.to_move) is not None:
        game.play(bots.ask(seats[seat], game).move)
    return game


def plan_of(view: Any) -> BoardPlan:
    return BoardPlan(view, ForecastCache(ASSUMPTIONS))


def test_whoever_supplies_more_than_the_table_has_is_paid_its_last_sum() -> None:
    forecast = Forecast(Growth((10, 22, 33), 9, ASSUMPTIONS), 3, 2, (7, 99), ())
    assert forecast._play_out(0.0, 6, [6], 0.0) == 6 * ASSUMPTIONS.last + 33  # paid once


def shares(rulebook: str, line_up: list[str], games: int) -> float:
    """The share of the games that the first of the line-up wins."""
    won = 0.0
    for number in range(games):
        turn = number % len(line_up)
        names = [*line_up[-turn:], *line_up[:-turn]] if turn else line_up
        game = hv.new(rulebook, players=len(names), seed=f"engineer/{number}")
        bots.play_game(game, [bots.make(name, f"{number}/{at}") for at, name in enumerate(names)])
        assert game.outcome is not None
        won += (turn in game.outcome.winners) / len(game.outcome.winners)
    return won / games


@pytest.mark.parametrize("games", sizes(8, 40))
@pytest.mark.parametrize("rulebook", some("classic", of=RULEBOOKS))
def test_an_engineer_wins_more_than_its_share_against_three_clerks(
    rulebook: str, games: int
) -> None:
    assert shares(rulebook, ["engineer", "clerk", "clerk", "clerk"], games) > 0.3


@pytest.mark.parametrize("rulebook", RULEBOOKS)
@pytest.mark.parametrize("players", some(3, of=[2, 3, 6]))
def test_engineers_finish_every_game(rulebook: str, players: int) -> None:
    players = min(players, max(hv.games()[rulebook].players))
    game = after(99, rulebook, players)
    assert game.outcome is not None
    assert game.state.round <= 20


def test_the_end_comes_nearer() -> None:
    views: list[Any] = [after(rounds).view(0) for rounds in (2, 5, 8)]
    left = [plan_of(view).forecast.rounds for view in views]
    assert left == sorted(left, reverse=True)
    assert left[-1] <= 4


def test_a_better_plant_is_worth_more_and_a_spare_one_nothing() -> None:
    view: Any = after(4).view(0)
    plan = plan_of(view)
    wind = {"card": "44", "number": 44, "fuels": [], "need": 0, "powers": 5}
    mill = wind | {"card": "44b", "powers": 1}
    assert plan.offer(wind).worth > plan.offer(mill).worth
    assert plan.offer(mill).worth <= 44


def test_fuel_that_everybody_burns_is_valued_higher() -> None:
    view: Any = after(3).view(0)
    before = plan_of(view).forecast.prices["garbage"]
    view["players"][1]["plants"] += [
        {"card": "38", "number": 38, "fuels": ["garbage"], "need": 3, "powers": 7}
    ] * 2
    assert plan_of(view).forecast.prices["garbage"] > before


def test_a_bidder_states_its_limit_and_keeps_it() -> None:
    game = hv.new("classic", players=3, seed=1)
    engineers = [Engineer(Random(seat)) for seat in range(3)]
    bids = 0
    for _ in range(300):
        assert game.to_move is not None
        choice = bots.ask(engineers[game.to_move], game)
        if choice.move.verb == "bid":
            bids += 1
            price, limit = choice.why.values["price"], choice.limit
            assert limit is not None
            assert int(price) <= int(limit)
            assert str(choice.why.values["worth"]) in str(choice.why)
        game.play(choice.move)
        if game.outcome:
            break
    assert bids > 5


def test_an_engineer_decides_with_little_work() -> None:
    """A decision takes a millisecond or two; a search makes a thousand times as many calls."""
    game = hv.new("classic", players=4, seed=2)
    seats = [bots.make("engineer", seat) for seat in range(4)]
    while (seat := game.to_move) is not None:
        view, legal = game.view(seat), game.legal_moves
        with max_calls(2_000):
            move = seats[seat].choose(view, legal).move
        game.play(move)


def test_fuel_that_will_sell_out_is_stocked_up_and_valued_higher() -> None:
    view: Any = after(5, "recharged", 2).view(0)
    plant = {"card": "20", "number": 20, "fuels": ["coal"], "need": 3, "powers": 5}
    view["players"][0] |= {"plants": [plant], "money": 200}
    view["players"][0]["fuel"]["coal"] = 3
    view["players"][0]["room"]["coal"] = 3
    view["cartel"]["plants"] = []
    view["players"][1]["plants"] = []
    view["fuel"]["coal"] |= {"stock": 9, "refill": 3, "prices": [6, 6, 6, 7, 7, 7, 8, 8, 8]}
    assert plan_of(view).tokens_to_store("coal") == 0
    before = plan_of(view).forecast.prices["coal"]
    view["cartel"]["plants"] = [plant] * 3
    assert plan_of(view).tokens_to_store("coal") == 3
    assert plan_of(view).forecast.prices["coal"] > max(before, 8)
    view["fuel"]["coal"] |= {"stock": 12, "refill": 0}  # what four such plants burn is all there is
    assert plan_of(view).tokens_to_store("coal") == 3
    view["fuel"]["coal"]["refill"] = 1
    assert plan_of(view).tokens_to_store("coal") == 0


@pytest.mark.parametrize(
    ("held", "room", "money", "stored"),
    [(3, 3, 200, 3), (4, 2, 200, 2), (2, 3, 200, 3), (6, 3, 200, 0), (7, 3, 200, 0)]
    + [(3, 3, money, count) for money, count in ((5, 0), (6, 1), (11, 1), (18, 3))],
)
def test_it_stores_what_another_run_burns_as_far_as_room_and_money_go(
    held: int, room: int, money: int, stored: int
) -> None:
    view: Any = after(5, "recharged", 2).view(0)
    plant = {"card": "20", "number": 20, "fuels": ["coal"], "need": 3, "powers": 5}
    view["players"][0] |= {"plants": [plant], "money": money, "cities": list("abcde")}
    view["players"][0]["fuel"]["coal"] = held
    view["players"][0]["room"]["coal"] = room
    view["fuel"]["coal"] |= {"stock": 0, "refill": 0, "prices": [6, 6, 6, 7]}
    assert plan_of(view).tokens_to_store("coal") == stored


def test_the_best_plant_to_come_is_the_best_of_the_future_market() -> None:
    """If there is none it is the best on offer, and without any plant one that supplies six."""
    view: Any = after(2).view(0)
    current, future = view["market"]["current"], view["market"]["future"]
    for plants in (future, current):
        best = max((plant["powers"], plant["number"]) for plant in plants)
        assert plan_of(view)._coming() == best
        plants.clear()
    assert plan_of(view)._coming() == (6, 36)


def test_a_bidder_says_how_far_it_would_go_and_zero_if_not_as_far_as_the_next_bid() -> None:
    game = hv.new("classic", players=3, seed=1)
    game.play(game.legal_moves[0])
    view: Any = game.view(game.to_move)
    card, lowest = view["auction"]["card"], game.legal_moves.spans[-1].lowest.bid
    for_sale = next(plant for plant in view["market"]["current"] if plant["card"] == card)
    for_sale["powers"] = 9
    worth = plan_of(view).worth_for_sale()
    assert lowest < Engineer(Random(1)).limit(view, game.legal_moves) <= worth
    for_sale["powers"] = 0
    assert plan_of(view).worth_for_sale() < lowest
    assert Engineer(Random(1)).limit(view, game.legal_moves) == 0


@pytest.mark.parametrize(("theirs", "limit"), [(8, 9), (16, 13), (40, 20)])
def test_against_one_rival_a_bidder_goes_halfway(theirs: int, limit: int) -> None:
    game = hv.new("classic", players=2, seed=1)
    game.play(game.legal_moves[0])
    offer = Prospect("13", 13, 10, 20, "plant", {"more": 1, "upkeep": 0, "rounds": 3})
    choice = bid_or_nominate("13", [offer], game.legal_moves, [theirs], alone=True)
    assert choice.limit == limit


@pytest.mark.parametrize(("worth", "said"), [(-3, 0), (0, 0), (7, 7)])
def test_no_card_is_called_worth_less_than_nothing(worth: int, said: int) -> None:
    assert Prospect("13", 13, worth, 20, "plant", {}).reason(13).values["worth"] == said


def test_the_last_to_buy_fuel_expects_what_the_others_leave() -> None:
    view: Any = after(4, "cardgame", 2).view(0)
    order = view["order"]
    plans = [CardPlan(view | {"seat": seat}, CardCache(CARD_ASSUMPTIONS)) for seat in order]
    assert len(plans[0].cards) < len(plans[1].cards)


def test_what_the_others_buy_is_what_they_do_not_hold() -> None:
    """Of two coal plants the first burns what is held, and the second has to buy."""
    view: Any = after(4, "cardgame", 3).view(0)
    view |= {"seat": 0, "order": [0, 1, 2], "phase": "auction"}
    view.pop("bank", None)
    coal = {"card": "20", "number": 20, "fuels": ["coal"], "need": 3, "income": 5}
    view["players"][1] |= {"fuel": {"coal": 4}, "plants": [coal, coal]}
    view["players"][2] |= {"fuel": {}, "plants": []}
    card = {"fuel": "coal", "units": 1}
    view["fuel"]["columns"] = [[card], [card], [card], [card]]
    assert [each.price for each in CardPlan(view, CardCache(CARD_ASSUMPTIONS)).cards] == [3, 4]
    view["players"][1]["fuel"] = {}
    view["players"][1]["plants"] = [coal | {"need": 1}] * 3
    assert [each.price for each in CardPlan(view, CardCache(CARD_ASSUMPTIONS)).cards] == [4]
    view["bank"] = {"plants": [coal | {"need": 1}]}
    assert CardPlan(view, CardCache(CARD_ASSUMPTIONS)).cards == []


def test_the_highest_number_on_offer_is_none_where_nothing_is() -> None:
    view: Any = after(4, "cardgame", 3).view(0)
    numbers = [plant["number"] for plant in view["market"]["current"]]
    assert CardPlan(view, CardCache(CARD_ASSUMPTIONS)).highest_on_offer == max(numbers) > 0
    view["market"]["current"] = []
    assert CardPlan(view, CardCache(CARD_ASSUMPTIONS)).highest_on_offer == 0


def test_another_pays_for_the_cities_that_it_has_yet_to_build() -> None:
    view: Any = after(5).view(0)
    plan = plan_of(view)
    for player in plan.others:
        cities, money = len(player["cities"]), player["money"]
        assert money is not None
        supplied = min(plan.final_cities(player), plan.supply(player))
        missing = max(0, supplied - cities)
        assert plan.final_result(player) == (supplied, money - 20 * missing)


def test_who_ties_with_the_best_of_the_others_does_not_win() -> None:
    plan = plan_of(after(5).view(0))
    cities, money = max(plan.final_result(player) for player in plan.others)
    plan.me["cities"] = list("abcdefghijklmnopqrstu")
    plan.me["plants"] = [{"card": "44", "number": 44, "fuels": [], "need": 0, "powers": cities}]
    assert plan.supply(plan.me) == cities
    assert [plan.wins(cities, money + more) for more in (-1, 0, 1)] == [False, False, True]
    assert not plan.wins(cities - 1, money + 99)
