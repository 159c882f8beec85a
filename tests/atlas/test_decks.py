"""How the decks of the expansion boards are built, and what Step 2 and Step 3 find in them."""

from collections import Counter

import pytest

import highvoltage as hv
from atlas.boards import BOOKS, PLAYERS, at, new
from highvoltage.engine.cards import LAST_CARD
from highvoltage.engine.parts.market import CardMarket
from highvoltage.games.classic import tables
from positions import board, idle, offers, play

REMOVED = {2: 8, 3: 8, 4: 4, 5: 0, 6: 0}
PLUGS_AND_SOCKETS = {2: (1, 5), 3: (2, 6), 4: (1, 3), 5: (0, 0), 6: (0, 0)}
GARBAGE = {6, 14, 19, 24, 30, 38}
NO_FUEL = {13, 18, 22, 27, 33, 37, 44, 50}
SEEDS = range(12)


def market(map_: str, book: str = "classic", players: int = 4, seed: int = 1) -> CardMarket:
    return board(new(map_, book, players, seed)).market


def backs(cards: list[int]) -> tuple[int, int]:
    """How many of the cards have a plug and how many a socket."""
    plugs = sum(card <= 15 for card in cards)
    return plugs, len(cards) - plugs


@pytest.mark.rule("A-GEN-5")
@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("map_", ["france", "brazil", "spain_portugal", "quebec", "russia"])
def test_the_usual_number_of_cards_is_removed_unseen(map_: str, players: int) -> None:
    m = market(map_, players=players)
    assert len(m.aside) == REMOVED[players]
    cards = [*m.cards, *m.deck, *m.aside, *m.removed, *m.waiting]
    assert sorted(cards) == [*tables.PLANTS, LAST_CARD]
    assert len({tuple(market(map_, players=players, seed=seed).deck) for seed in SEEDS}) > 10


@pytest.mark.rule("A-GEN-6")
@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("map_", ["brazil", "spain_portugal", "quebec", "uk_ireland", "italy"])
def test_plugs_and_sockets_are_removed_as_usual_in_recharged(map_: str, players: int) -> None:
    m = market(map_, "recharged", players)
    assert backs(m.aside) == PLUGS_AND_SOCKETS[players]
    assert max(m.cards) <= 15
    assert m.deck[0] <= 15


@pytest.mark.rule("A-GEN-5")
def test_protected_cards_are_shuffled_in_evenly() -> None:
    places = Counter(
        place
        for seed in range(400)
        for place, card in enumerate(market("brazil", players=2, seed=seed).deck[2:-1])
        if card in GARBAGE
    )
    assert len(places) == 24
    half = sum(count for place, count in places.items() if place < 12)
    assert 700 < half < 900  # of 1600


# France


@pytest.mark.rule("A-FRA-3", "AV-02")
@pytest.mark.parametrize("players", PLAYERS)
def test_france_plays_11_in_the_place_of_13(players: int) -> None:
    m = market("france", players=players)
    assert m.cards == [3, 4, 5, 6, 7, 8, 9, 10]
    assert (m.deck[0], m.deck[-1], m.removed) == (11, LAST_CARD, [13])
    assert len(m.deck) == 1 + 32 - REMOVED[players] + 1
    assert 13 not in {*m.deck, *m.aside}


@pytest.mark.rule("A-FRA-4")
@pytest.mark.parametrize("players", PLAYERS)
def test_france_recharged_has_11_in_the_market(players: int) -> None:
    plugs = {2: 0, 3: 1, 4: 0, 5: 0, 6: 0}
    sockets = {2: 5, 3: 6, 4: 3, 5: 0, 6: 0}
    for seed in SEEDS:
        m = market("france", "recharged", players, seed)
        assert 11 in m.cards
        assert len(m.cards) == 8
        assert max(m.cards) <= 15
        assert m.removed == [13]
        assert backs(m.aside) == (plugs[players], sockets[players])


# Brazil


@pytest.mark.rule("A-BRA-3", "AV-06")
def test_garbage_plants_stay_in_the_deck_of_brazil() -> None:
    for seed in SEEDS:
        m = market("brazil", players=4, seed=seed)
        assert m.deck[:2] == [13, 14]
        assert len(m.deck) == 2 + 28 + 1
        assert {19, 24, 30, 38} <= {*m.deck[2:-1]}
        assert 6 in m.cards
        assert GARBAGE.isdisjoint(market("brazil", players=2, seed=seed).aside)


@pytest.mark.rule("A-BRA-4")
def test_brazil_recharged_has_6_and_14_in_the_market() -> None:
    for seed in SEEDS:
        m = market("brazil", "recharged", 3, seed)
        assert {6, 14} <= {*m.cards}
        assert len(m.cards) == 8
        assert GARBAGE.isdisjoint(m.aside)
    assert len({*map(tuple, (market("brazil", "recharged", 3, n).cards for n in SEEDS))}) > 5


# Spain & Portugal


@pytest.mark.rule("A-IBE-3")
@pytest.mark.parametrize("book", BOOKS)
def test_three_wind_plants_wait_for_step_2(book: str) -> None:
    game = new("spain_portugal", book, 2)
    m = board(game).market
    assert m.waiting == (18, 22, 27)
    assert {18, 22, 27}.isdisjoint([*m.cards, *m.deck, *m.aside])
    assert [plant["number"] for plant in game.view(0)["market"]["waiting"]] == [18, 22, 27]


@pytest.mark.rule("A-IBE-3", "AV-07")
@pytest.mark.parametrize("book", BOOKS)
def test_the_wind_plants_come_first_when_step_2_starts(book: str) -> None:
    game = at(
        "spain_portugal",
        book,
        3,
        market=[8, 10, 11, 13, 15, 16, 20, 25],
        deck=[30, 31, 32],
        cities={0: 7},
        plants={0: [17], 1: [4], 2: [5]},
        phase="building",
    )
    idle(game, "bureaucracy")
    assert board(game).step == 2
    assert offers(game) == ([10, 11, 13, 15], [16, 18, 20, 25])
    m = board(game).market
    assert m.deck[:3] == [22, 27, 30]
    assert m.waiting == ()


def drawn_early(book: str) -> hv.Game:
    """Step 3 is drawn in Step 1, in phase 5."""
    game = at(
        "spain_portugal",
        book,
        3,
        market=[8, 10, 11, 13, 15, 16, 20, 25],
        deck=[LAST_CARD],
        plants={0: [17], 1: [4], 2: [5]},
        phase="bureaucracy",
    )
    idle(game)
    return game


@pytest.mark.rule("A-IBE-3a")
def test_in_recharged_the_wind_plants_come_before_an_early_step_3() -> None:
    game = drawn_early("recharged")
    m = board(game).market
    assert board(game).step == 3
    assert m.cards == [11, 13, 15, 16, 18, 20]  # 25 went under the deck, 8 and 10 left
    assert m.deck[:2] == [22, 27]


@pytest.mark.rule("A-IBE-3")
def test_in_the_classic_game_an_early_step_3_leaves_the_wind_plants_out() -> None:
    m = board(drawn_early("classic")).market
    assert m.waiting == ()
    assert {18, 22, 27} <= {*m.removed}


# Québec


@pytest.mark.rule("A-QUE-3")
def test_quebec_has_its_eco_plants_on_top() -> None:
    for seed in SEEDS:
        m = market("quebec", players=2, seed=seed)
        assert m.deck[:3] == [13, 18, 22]
        assert len(m.deck) == 3 + 31 - 8 + 1
        assert NO_FUEL.isdisjoint(m.aside)


@pytest.mark.rule("A-QUE-4")
def test_quebec_recharged_has_its_eco_plants_below_an_unseen_plug() -> None:
    tops, opened = set(), set()
    for seed in range(30):
        m = market("quebec", "recharged", 3, seed)
        opened.update(m.cards)
        assert m.deck[1:3] == [18, 22]
        assert len(m.cards) == 8
        assert NO_FUEL.isdisjoint(m.aside)
        tops.add(m.deck[0])
    assert max(tops) <= 15
    assert 13 in {
        card for seed in range(30) for card in market("quebec", "recharged", 3, seed).cards
    }


# Russia


@pytest.mark.rule("A-RUS-4")
@pytest.mark.parametrize("players", PLAYERS)
def test_the_deck_of_russia_begins_with_small_plants(players: int) -> None:
    for seed in SEEDS:
        m = market("russia", players=players, seed=seed)
        assert m.cards == [3, 4, 5, 7, 8, 9]
        assert m.removed == [6, 14]
        assert m.deck[0] == 13
        assert {10, 11} <= {*m.deck[1:6]}
        assert len(m.deck) == 1 + 2 + 31 - REMOVED[players] + 1
    orders = {tuple(market("russia", players=4, seed=seed).deck[1:6]) for seed in SEEDS}
    assert len({deck.index(10) for deck in orders}) > 2


@pytest.mark.rule("A-RUS-5")
@pytest.mark.parametrize("players", PLAYERS)
def test_all_plugs_lie_on_top_in_russia_recharged(players: int) -> None:
    removed = {2: 6, 3: 8, 4: 4, 5: 0, 6: 0}
    for seed in SEEDS:
        m = market("russia", "recharged", players, seed)
        assert len(m.cards) == 6
        assert sorted([*m.cards, *m.deck[:5]]) == [3, 4, 5, 7, 8, 9, 10, 11, 12, 13, 15]
        assert min(m.deck[5:]) > 15
        assert backs(m.aside) == (0, removed[players])


# UK & Ireland


@pytest.mark.rule("A-UKI-7")
@pytest.mark.parametrize("book", BOOKS)
def test_the_step_3_card_lies_third_from_the_bottom(book: str) -> None:
    game = new("uk_ireland", book)
    deck = board(game).market.deck
    assert deck.index(LAST_CARD) == len(deck) - 3
    plants = {0: [17], 1: [4], 2: [5]}
    market_ = [8, 10, 11, 13, 15, 16, 20, 25]
    deck_ = [LAST_CARD, 30, 31]
    late = at("uk_ireland", book, market=market_, deck=deck_, step=2, plants=plants, round=5)
    idle(late, "bureaucracy")
    idle(late)
    assert board(late).step == 3
    assert len(board(late).market.cards) == 6
    assert {30, 31} <= {*board(late).market.cards, *board(late).market.deck}


# South Africa


@pytest.mark.rule("A-ZAF-3")
def test_south_africa_plays_without_7() -> None:
    m = market("south_africa")
    assert (m.cards, m.deck[0], m.removed) == ([3, 4, 5, 6, 8, 9, 10, 11], 13, [7])
    recharged = market("south_africa", "recharged", 5)
    assert backs([*recharged.cards, *recharged.deck[:-1]]) == (12, 29)


# Northern Europe


@pytest.mark.rule("A-NOR-5")
def test_the_deck_of_northern_europe_is_the_usual_one() -> None:
    m, usual = market("northern_europe"), market("germany")
    assert (m.cards, m.deck, m.aside) == (usual.cards, usual.deck, usual.aside)


@pytest.mark.rule("A-GEN-5", "A-GEN-6")
@pytest.mark.parametrize("book", BOOKS)
def test_a_record_of_a_rebuilt_deck_replays(book: str) -> None:
    for map_ in ("brazil", "russia", "spain_portugal", "quebec"):
        game = new(map_, book, 3, regions="random")
        play(game, *(str(game.legal_moves.choices[0]) for _ in range(1)))
        assert hv.replay(str(game.record())).view() == game.view()
