"""O-2: set-up, and what is public (O-0.5)."""

from collections import Counter
from typing import Any

import pytest

import highvoltage as hv
from highvoltage.engine.cards import LAST_CARD, number_of, parse_card
from highvoltage.engine.events import Tokens, Turned
from highvoltage.games.outpost.board import shipped_board
from outpost.positions import PLAYERS, rules, state


def new(players: int, seed: int = 1, **options: str) -> hv.Game:
    settings: dict[str, Any] = {**options}
    return hv.new("outpost", players=players, seed=seed, **settings)


@pytest.mark.rule("O-2.1")
@pytest.mark.parametrize(
    ("players", "areas"),
    [(2, ["center"]), (3, ["center"]), (5, ["center", "north", "south"])],
)
def test_areas(players: int, areas: list[str]) -> None:
    assert new(players).view()["areas"] == areas
    assert new(6).view()["areas"] == ["center", "north", "south"]


@pytest.mark.rule("O-2.1", "OR-07")
def test_four_players_choose_the_small_area() -> None:
    assert new(4, area="south").view()["areas"] == ["center", "south"]
    assert new(4, area="north").view()["areas"] == ["center", "north"]
    drawn = {tuple(new(4, seed=seed).view()["areas"]) for seed in range(20)}
    assert drawn == {("center", "north"), ("center", "south")}
    with pytest.raises(hv.OptionError, match="Only four players"):
        new(3, area="north")


@pytest.mark.rule("O-2.2", "OR-08")
@pytest.mark.parametrize(("players", "links"), [(3, 26), (4, 36), (5, 46)])
def test_tokens_are_placed_at_random_and_count_inside_the_areas(players: int, links: int) -> None:
    games = [new(players, seed=seed) for seed in range(3)]
    board = shipped_board()
    for game in games:
        (placed,) = (event.items for event in game.setup_events if isinstance(event, Tokens))
        assert Counter(placed) == Counter(board.tokens)
        planet = state(game).planet
        assert len(planet.links) == links
        costs = dict(zip(((edge.a, edge.b) for edge in board.edges), placed, strict=True))
        inside = {city.id for city in board.cities if city.area in planet.areas}
        assert {(a, b): cost for a, b, cost in planet.links} == {
            (a, b): cost for (a, b), cost in costs.items() if {a, b} <= inside
        }
        assert game.view()["connections"][0] == {
            "a": planet.links[0][0],
            "b": planet.links[0][1],
            "cost": planet.links[0][2],
        }
    assert len({state(game).planet.links for game in games}) == 3


@pytest.mark.rule("O-2.2")
def test_the_tokens_can_be_given() -> None:
    tokens = sorted(shipped_board().tokens)
    game = hv.new("outpost", players=5, chance=hv.Scripted(tokens=tokens, order=[4, 3, 2, 1, 0]))
    assert [cost for _, _, cost in state(game).planet.links] == tokens
    assert game.view()["order"] == [4, 3, 2, 1, 0]


@pytest.mark.rule("O-2.3", "O-2.4", "O-2.5", "O-2.6", "O-2.8", "O-2.12")
@pytest.mark.parametrize("players", PLAYERS)
def test_the_start(players: int) -> None:
    view = new(players).view()
    assert view["labour"]["workers"] == len(view["labour"]["ladder"])
    assert view["robots"] == 9
    assert len(view["players"]) == players
    for player in view["players"]:
        assert (player["money"], player["stations"], player["network"]) == (60, 18, 0)
        assert player["spaces"] == {"plant": 0, "habitat": 0}
        assert (player["humans"], player["robots"], player["pool"]) == (0, 0, [])
    assert not any(city["stations"] for city in view["cities"].values())
    assert (view["step_2_cities"], view["end_cities"]) == {
        2: (7, 18),
        3: (7, 17),
        4: (7, 17),
        5: (7, 15),
        6: (6, 14),
    }[players]
    assert (view["round"], view["step"]) == (1, 1)


@pytest.mark.rule("O-2.7")
def test_the_order_is_random() -> None:
    orders = {tuple(new(3, seed=seed).view()["order"]) for seed in range(40)}
    assert len(orders) == 6


@pytest.mark.rule("O-2.9", "OD-30")
@pytest.mark.parametrize(("players", "size"), [(2, 38), (3, 38), (4, 42), (5, 46), (6, 46)])
def test_the_deck(players: int, size: int) -> None:
    for seed in range(5):
        game = new(players, seed)
        s, book = state(game), rules(game)
        turned = [parse_card(e.card) for e in game.setup_events if isinstance(e, Turned)]
        deck = [*turned, *s.market.deck]
        assert len(deck) == size
        assert deck[-1] == LAST_CARD
        backs = [book.card_back(card) for card in deck[:-1]]
        assert backs[:9] == ["plug"] * 9
        mixed = Counter(backs[9:])
        gone = Counter(book.card_back(card) for card in s.market.aside)
        assert mixed["plug"] + gone["plug"] == 4
        assert mixed["socket"] + gone["socket"] == 32
    decks = {tuple(state(new(players, seed)).market.deck) for seed in range(5)}
    assert len(decks) == 5


@pytest.mark.rule("O-2.10")
@pytest.mark.parametrize("players", PLAYERS)
def test_the_market_is_full(players: int) -> None:
    for seed in range(20):
        game = new(players, seed)
        market = state(game).market
        assert (len(market.cards), market.row) == (8, 4)
        numbers = list(map(number_of, market.offer))
        assert len(set(numbers)) == 4
        assert numbers == sorted(numbers)
        turned = [parse_card(e.card) for e in game.setup_events if isinstance(e, Turned)]
        below = [card for cards in market.below.values() for card in cards]
        assert sorted(map(str, turned)) == sorted(map(str, [*market.cards, *below]))


@pytest.mark.rule("OT-06")
def test_set_up_for_four() -> None:
    game = new(4)
    view, s = game.view(), state(game)
    assert [view["labour"]["ladder"].count(price) for price in (1, 8, 10)] == [4, 4, 8]
    assert view["labour"]["workers"] == 40
    assert len(view["areas"]) == 2
    assert (view["step_2_cities"], view["end_cities"]) == (7, 17)
    backs = Counter(rules(game).card_back(card) for card in s.market.aside)
    assert backs == {"plug": 1, "socket": 3}


@pytest.mark.rule("O-0.5")
def test_the_back_on_top_and_the_size_of_the_deck_are_public() -> None:
    game = new(3)
    s = state(game)
    market = game.view(0)["market"]
    assert market["deck"] == len(s.market.deck)
    assert market["back"] == rules(game).card_back(s.market.deck[0])
    s.market.deck = [LAST_CARD]
    assert game.view(0)["market"]["back"] == "step3"
    s.market.deck = []
    assert game.view(0)["market"]["back"] is None


@pytest.mark.rule("O-0.5")
def test_the_deck_and_the_removed_cards_are_hidden() -> None:
    game = new(3)
    before = [game.view(seat) for seat in (0, 1, 2, None)]
    s = state(game)
    top = s.market.deck[0]
    same = [
        card for card in s.market.deck if rules(game).card_back(card) == rules(game).card_back(top)
    ]
    s.market.deck = [same[-1], *(card for card in reversed(s.market.deck) if card != same[-1])]
    s.market.aside = s.market.aside[::-1]
    assert [game.view(seat) for seat in (0, 1, 2, None)] == before


@pytest.mark.rule("OR-02")
def test_money_may_be_hidden() -> None:
    assert [player["money"] for player in new(3).view(1)["players"]] == [60, 60, 60]
    hidden = new(3, money="hidden")
    assert [player["money"] for player in hidden.view(1)["players"]] == [None, 60, None]
    assert [player["money"] for player in hidden.view()["players"]] == [None] * 3
