"""O-12: the Syndicate, the third company of two players."""

import pytest

import highvoltage as hv
from highvoltage.engine.cards import label
from highvoltage.engine.events import Placed
from highvoltage.games.outpost import syndicate
from highvoltage.games.outpost.state import SYNDICATE
from outpost.files import card_file, card_in
from outpost.positions import company, game_at, rules, show, state
from positions import legal, play, refuses

A, B = 0, 1
DECK = "20 22 23 25 26 27 28 30"


def stations(game: hv.Game, city: str) -> tuple[int, ...]:
    return state(game).stations[state(game).planet.index[city]]


def pool(game: hv.Game) -> list[str]:
    return [label(card) for card in company(game, SYNDICATE).pool]


# Set-up


@pytest.mark.rule("O-12.2", "OR-65", "O-12.2.1", "O-12.2.2", "O-12.2.4")
def test_set_up() -> None:
    firsts = set()
    for seed in range(10):
        game = hv.new("outpost", players=2, seed=seed)
        view = game.view()
        firsts.add(view["order"][0])
        assert game.phase == "syndicate"
        assert len(view["market"]["current"]) == 4  # all the rest of set-up is visible
        assert len(view["connections"]) == 26
        syndicate = view["syndicate"]
        assert (syndicate["stations"], syndicate["money"], syndicate["network"]) == (16, 0, 0)
        assert syndicate["spaces"] == {"plant": 0, "habitat": 0}
    assert firsts == {A, B}
    assert hv.new("outpost", players=3, seed=1).view()["syndicate"] is None


@pytest.mark.rule("O-12.2.3", "OR-55", "OD-52", "O-12.2.4")
def test_six_stations() -> None:
    game = hv.new("outpost", players=2, chance=hv.Scripted(order=[A, B]))
    assert legal(game) == {f"syndicate station c{n:02}" for n in range(8, 29)}
    refuses(game, "syndicate station c01", "unknown_city", "O-2.1")  # not in play
    refuses(game, "syndicate plant c08", "syndicate_piece", "O-12.6.5")
    refuses(game, "build station c08", "not_now", "O-3.5")
    placed = [(A, "c08"), (B, "c09"), (B, "c10"), (A, "c17"), (A, "c16"), (B, "c14")]
    for seat, city in placed:
        assert game.to_move == seat
        if city == "c17":
            assert legal(game) == {f"syndicate station {name}" for name in ("c11", "c14", "c17")}
            refuses(game, "syndicate station c08", "place_taken", "OR-55")
            refuses(game, "syndicate station c28", "place_apart", "O-12.2.3")
        play(game, f"syndicate station {city}")
    assert all(stations(game, city) == (SYNDICATE,) for _, city in placed)
    assert game.view()["syndicate"]["stations"] == 10
    assert (game.phase, game.view()["round"], game.to_move) == ("auction", 1, A)


# Phases 1 and 2


@pytest.mark.rule("O-12.4", "OI-17")
def test_the_syndicate_is_always_second() -> None:
    """The two players take the places around it, so it acts between them."""
    game = game_at(2, networks={A: 1, B: 3}, own={SYNDICATE: "40"}, order=[A, B])
    assert rules(game).sorted_order(state(game)) == (B, A)


@pytest.mark.rule("O-12.5.1", "O-12.5.2", "OR-56", "OD-46", "O-12.3.1")
def test_it_takes_the_highest_card_after_the_first_auction() -> None:
    game = game_at(2, phase="auction", market="[5 8 10 12 | 14 15 16 18]", deck="4 20 22")
    play(game, "nominate 12 @12")
    assert pool(game) == []
    play(game, "pass")
    assert pool(game) == ["10"]
    assert show(state(game).market) == "[4 5 8 14 | 15 16 18 20]"
    assert company(game, SYNDICATE).money == 0
    play(game, "nominate 5 @5")
    assert pool(game) == ["10"]  # once
    passing = game_at(2, phase="auction", market="[5 8 10 12 | 14 15 16 18]", deck="4 20 22")
    play(passing, "pass")
    assert pool(passing) == ["12"]


@pytest.mark.rule("OR-56")
def test_by_the_other_reading_it_takes_at_the_nomination() -> None:
    """The highest card other than the nominated one; the market is refilled before anybody bids."""
    fields = {"market": "[5 8 10 12 | 14 15 16 18]", "deck": "4 20 22", "order": [A, B]}
    for named, taken in ((12, "10"), (5, "12")):
        game = game_at(2, phase="auction", syndicate_takes="nomination", **fields)  # type: ignore[arg-type]
        play(game, f"nominate {named} @{named}")
        assert (pool(game), game.to_move) == ([taken], B)
        assert show(state(game).market).startswith("[4 5 8 ")
        play(game, f"bid {named + 1}", "pass")
        assert [label(card) for card in company(game, B).cards] == [str(named)]
        assert pool(game) == [taken]  # once
    passing = game_at(2, phase="auction", syndicate_takes="nomination", **fields)  # type: ignore[arg-type]
    play(passing, "pass")
    assert pool(passing) == ["12"]
    with pytest.raises(hv.OptionError, match="Only two players meet the Syndicate"):
        hv.new("outpost", players=3, syndicate_takes="nomination")


@pytest.mark.rule("OR-56", "O-6.3")
def test_a_card_turned_up_on_the_nominated_one_is_sold_instead() -> None:
    """The place was nominated, and its top card is on offer; existing records rely on this."""
    fields = {"market": "[5 8 10 12 | 14 15 16 18]", "deck": "5 20 22", "order": [A, B]}
    game = game_at(2, phase="auction", syndicate_takes="nomination", **fields)  # type: ignore[arg-type]
    play(game, "nominate 5 @5")
    assert game.view()["auction"]["card"] == "5b"
    play(game, "pass")
    assert [label(card) for card in company(game, A).cards] == ["5b"]


@pytest.mark.rule("OR-56")
def test_it_waits_for_the_sale_whoever_wins() -> None:
    game = game_at(2, phase="auction", market="[5 8 10 12 | 14 15 16 18]", deck=DECK)
    play(game, "nominate 5 @5", "bid 6", "pass")
    assert [label(card) for card in company(game, B).cards] == ["5"]
    assert pool(game) == ["14"]  # which has moved up
    assert game.to_move == A


@pytest.mark.rule("O-12.5.1", "O-9.3.4", "OD-55")
def test_in_step_3_it_takes_the_sixth() -> None:
    game = game_at(2, phase="auction", step=3, round=8, market="[5 8 10 12 14 15]", deck=DECK)
    play(game, "pass")
    assert pool(game) == ["15"]
    short = game_at(2, phase="auction", step=3, round=8, market="[5 8 10 12 14]")
    play(short, "pass")
    assert pool(short) == ["14"]


@pytest.mark.rule("O-12.5.3", "OR-57")
def test_it_takes_from_a_stack_and_in_both_auctions() -> None:
    game = game_at(
        2, phase="auction", round=1, market="[3 5 8 16x2(-1) | 18 20 22 25]", deck="26 27 28 30 S3"
    )
    play(game, "nominate 3 @3", "pass")
    assert pool(game) == ["18"]
    play(game, "nominate 5 @5")
    assert game.view()["forced"] is False
    play(game, "pass")
    assert len(pool(game)) == 2
    stack = game_at(2, phase="auction", market="[3 5 8 16x2(-1) | 18 20 22 25]", deck="26 S3")
    play(stack, "pass")
    assert pool(stack) == ["16b"]
    assert show(state(stack).market) == "[3 5 8 16 | 18 20 22 25]"
    empty = game_at(2, phase="auction", market="[ | ]", step=3)
    assert pool(empty) == []  # OR-14


@pytest.mark.rule("O-12.5.3", "OR-57")
def test_it_never_takes_the_step_3_card() -> None:
    game = game_at(2, phase="auction", market="[5 8 | S3]", step=2)
    play(game, "pass")
    assert pool(game) == ["8"]


@pytest.mark.rule("O-12.5.4", "OD-49")
def test_it_settles_a_colony_at_once() -> None:
    game = game_at(
        2,
        phase="auction",
        market="[5 8 10 31 | 32 34 36 38]",
        deck=DECK,
        stations={SYNDICATE: "c08 c09 c10 c11 c12 c13"},
    )
    play(game, "pass")
    view = game.view()["syndicate"]
    assert view["stations"] == 9
    assert view["spaces"] == {"plant": 1, "habitat": 1}
    assert view["colonies"] == {"31": ["station", "plant", "habitat"]}
    assert state(game).specials == [-2] * 21


@pytest.mark.rule("O-12.5.4")
def test_a_colony_takes_what_is_there() -> None:
    game = game_at(2, phase="auction", market="[5 8 10 31 | 32 34 36 38]", deck=DECK)
    it = company(game, SYNDICATE)
    it.network, it.open = 16, (4, 2)
    play(game, "pass")
    assert (it.network, it.open) == (16, (4, 3))


@pytest.mark.rule("O-12.5.5", "OR-58")
def test_it_uses_no_other_technology() -> None:
    game = game_at(
        2,
        plants={SYNDICATE: "12"},
        habitats={SYNDICATE: "26"},
        own={SYNDICATE: "10 20 23 27 38 46"},
        uncovered={SYNDICATE: (2, 2)},
    )
    play(game, "done")
    it = company(game, SYNDICATE)
    assert it.board == ((12,), (26,))
    assert pool(game) == ["10", "20", "23", "27", "38", "46"]
    assert rules(game).beds_and_need(it) == (3, 2)
    assert (it.humans, it.robots) == (3, 0)
    assert rules(game).most_energy(it) == 2


# Phase 3


@pytest.mark.rule("O-12.6.1", "O-12.6.9", "OR-62", "OD-48")
def test_its_turn_is_between_the_players() -> None:
    """S = 3, W = 5, H = 0: it takes five workers; three stay, and next round it takes two."""
    game = game_at(
        2,
        plants={SYNDICATE: "30"},
        habitats={SYNDICATE: "26"},
        order=[A, B],
        round=6,
        market="[3 4 5 20 | 23 27 31 38]",
        deck="46 40 S3",
    )
    it = company(game, SYNDICATE)
    play(game, "done")
    assert (game.to_move, it.humans, state(game).labour) == (A, 5, 25)
    play(game, "done", "power 0", "power 0")
    assert (it.humans, state(game).labour) == (3, 27)
    play(game, "pass", "pass", "done")
    assert it.humans == 5
    scarce = game_at(2, plants={SYNDICATE: "30"}, habitats={SYNDICATE: "26"}, labour=2)
    play(scarce, "done")
    assert (company(scarce, SYNDICATE).humans, state(scarce).labour) == (2, 0)


@pytest.mark.rule("O-12.6.2", "O-12.3.1", "OD-56")
def test_the_syndicates_start_cities_are_closed_in_step_1() -> None:
    first = game_at(2, stations={SYNDICATE: "c09"})
    refuses(first, "build station c09", "city_full", "O-7.1.2")
    money = company(first, B).money
    play(first, "build habitat c09")  # its special slot is open
    assert company(first, B).money == money - 5
    second = game_at(2, stations={SYNDICATE: "c09"}, step=2)
    play(second, "build station c09")
    assert company(second, B).money == 45
    assert stations(second, "c09") == (SYNDICATE, B)
    assert company(second, SYNDICATE).network == 1  # no shadow


@pytest.mark.rule("O-12.6.3", "O-12.6.4", "OR-59", "OD-47")
def test_the_syndicate_shadows_new_cities() -> None:
    game = game_at(2, stations={SYNDICATE: "c23 c24 c25 c26 c27 c28"})
    play(game, "build station c08")
    assert company(game, B).money == 50
    assert stations(game, "c08") == (B, SYNDICATE)
    placed = [e for e in game.log[-1].events if isinstance(e, Placed)]
    assert placed == [Placed(SYNDICATE, "c08", "station")]
    assert game.view()["syndicate"]["stations"] == 9
    for step, cost in ((2, None), (3, 20)):
        other = game_at(2, stations={B: "c08", SYNDICATE: "c08"}, step=step, order=[B, A])
        if cost is None:
            refuses(other, "build station c08", "city_full", "O-7.1.2")
        else:
            play(other, "build station c08")
            assert company(other, A).money == 60 - cost
            assert stations(other, "c08") == (B, SYNDICATE, A)


@pytest.mark.rule("OR-59", "O-12.6.4", "O-12.6.3")
def test_when_the_syndicate_does_not_shadow() -> None:
    second = game_at(2, stations={A: "c08"}, step=2)
    play(second, "build station c08")
    assert stations(second, "c08") == (A, B)  # the 15 slot is taken
    colony = game_at(2, own={B: "31"})
    play(colony, "settle station 31")
    assert company(colony, SYNDICATE).network == 0
    special = game_at(2)
    play(special, "build plant c08")
    assert stations(special, "c08") == ()  # only stations connect
    used_up = game_at(2, networks={SYNDICATE: 16})
    play(used_up, "build station c08")
    assert stations(used_up, "c08") == (B,)


@pytest.mark.rule("O-12.6.5", "O-12.6.6", "OR-60", "OD-50")
def test_where_the_syndicate_builds() -> None:
    """A plant card and no uncovered space; c09 and c11 have habitat slots, c08 and c10 plants."""
    taken = {A: "c08"}
    own_city = game_at(
        2, own={SYNDICATE: "12"}, stations={SYNDICATE: "c09 c08 c10"}, buildings=taken
    )
    play(own_city, "done")
    assert own_city.to_move == A  # c10 is the only one
    assert state(own_city).specials[own_city_index(own_city, "c10")] == SYNDICATE
    assert company(own_city, SYNDICATE).board == ((12,), ())
    neighbours = {"c09-c17": 6, "c14-c15": 4}
    cheapest = game_at(
        2,
        own={SYNDICATE: "12"},
        stations={SYNDICATE: "c09 c14"},
        buildings={A: "c08 c10"},
        costs=neighbours,
    )
    play(cheapest, "done")
    assert state(cheapest).specials[own_city_index(cheapest, "c15")] == SYNDICATE
    assert stations(cheapest, "c15") == ()  # in its structure, not in its network
    assert company(cheapest, SYNDICATE).network == 2
    assert company(cheapest, SYNDICATE).structure.bit_count() == 3


def own_city_index(game: hv.Game, city: str) -> int:
    return state(game).planet.index[city]


@pytest.mark.rule("O-12.6.5", "OR-60", "OD-50", "O-3.5")
def test_the_last_player_chooses_among_equals() -> None:
    game = game_at(
        2,
        own={SYNDICATE: "12"},
        stations={SYNDICATE: "c09 c14"},
        buildings={A: "c08 c10"},
        costs={"c09-c17": 4, "c14-c15": 4},
        order=[A, B],
    )
    play(game, "done")
    assert game.to_move == B
    assert game.view()["choices"] == ["c15", "c17"]
    assert legal(game) == {"syndicate plant c15", "syndicate plant c17"}
    refuses(game, "syndicate habitat c15", "syndicate_piece", "O-12.6.5")
    refuses(game, "syndicate plant c19", "syndicate_slot", "O-12.6.5")
    refuses(game, "syndicate plant c99", "unknown_city", "O-2.1")
    refuses(game, "done", "not_now", "O-3.5")
    play(game, "syndicate plant c17")
    assert company(game, SYNDICATE).board == ((12,), ())
    assert company(game, SYNDICATE).humans == 2
    assert (game.to_move, game.view()["choices"]) == (A, [])


@pytest.mark.rule("O-12.6.5", "OR-60")
def test_an_adjacent_city_comes_before_a_cheaper_one_further_away() -> None:
    game = game_at(
        2,
        own={SYNDICATE: "12"},
        stations={SYNDICATE: "c09"},
        buildings={A: "c10 c17"},
        costs={"c08-c09": 10, "c09-c17": 1, "c17-c18": 1, "c18-c19": 1},
    )
    play(game, "done")
    assert state(game).specials[own_city_index(game, "c08")] == SYNDICATE


@pytest.mark.rule("O-12.6.5", "OD-50")
def test_the_connection_counts_and_not_a_detour() -> None:
    """The connection to c24 costs 9, a detour through c25 costs 8; that to c28 costs 8."""
    for version, built in ((None, ["c28"]), (1, ["c24", "c28"])):
        game = game_at(
            2,
            own={SYNDICATE: "12"},
            stations={SYNDICATE: "c18 c23 c27"},
            buildings={A: "c15 c17 c19", B: "c20 c25 c26"},
            costs={"c23-c24": 9, "c18-c25": 4, "c24-c25": 4, "c27-c28": 8},
            version=version,
        )
        found = syndicate.cheapest_slots(state(game), company(game, SYNDICATE), 0)
        assert [state(game).planet.cities[city] for city in found] == built


@pytest.mark.rule("OR-60")
def test_far_slots_and_no_slot() -> None:
    """No city next to c09 has a free plant slot: the cheapest path counts; later none is left."""
    near = {A: "c08 c10", B: "c17"}
    far = game_at(2, own={SYNDICATE: "12"}, stations={SYNDICATE: "c09"}, buildings=near, money=60)
    choices = syndicate.cheapest_slots(state(far), company(far, SYNDICATE), 0)
    assert [state(far).planet.cities[city] for city in choices] == ["c15", "c19", "c25", "c26"]
    state(far).free = ((), state(far).free[1])
    play(far, "done")
    assert company(far, SYNDICATE).board == ((), ())
    assert pool(far) == ["12"]
    full = game_at(2, plants={SYNDICATE: "2"}, own={SYNDICATE: "12"}, stations={SYNDICATE: "c09"})
    state(full).free = ((), state(full).free[1])
    play(full, "done")
    assert company(full, SYNDICATE).board == ((12,), ())  # as if all spaces were uncovered
    assert pool(full) == ["2"]


@pytest.mark.rule("O-12.6.6", "OR-60", "O-12.6.10")
def test_cards_in_the_order_acquired() -> None:
    """Two habitats and a plant: each gets a building, one after the other."""
    game = game_at(
        2,
        own={SYNDICATE: "26 12 14"},
        stations={SYNDICATE: "c09 c08 c11"},
        buildings={A: "c12 c14"},
    )
    play(game, "done")
    assert legal(game) == {"syndicate habitat c09", "syndicate habitat c11"}
    play(game, "syndicate habitat c11")
    it = company(game, SYNDICATE)
    assert it.board == ((12,), (26, 14))
    placed = [(e.piece, e.city) for e in game.log[-1].events if isinstance(e, Placed)]
    assert placed == [("habitat", "c11"), ("plant", "c08"), ("habitat", "c09")]
    assert it.cities == tuple(own_city_index(game, city) for city in ("c09", "c08", "c11"))


@pytest.mark.rule("O-12.6.7", "O-12.6.8", "OR-61", "OD-51")
@pytest.mark.parametrize(
    ("workers", "energy", "replaced"),
    [(2, 3, True), (3, 2, False), (1, 2, True), (2, 2, False)],
)
def test_a_better_plant_replaces_the_worst(workers: int, energy: int, *, replaced: bool) -> None:
    """Its four plants (workers, energy) are (2,2), (3,3), (4,4) and (4,5)."""
    data = card_file()
    card_in(data, "plant-40-1").update(workers=workers, energy=energy)
    game = game_at(2, plants={SYNDICATE: "12 15 16 25"}, own={SYNDICATE: "40"}, cards=data)
    play(game, "done")
    board = company(game, SYNDICATE).board[0]
    assert board == ((40, 15, 16, 25) if replaced else (12, 15, 16, 25))
    assert pool(game) == (["12"] if replaced else ["40"])


@pytest.mark.rule("OR-61")
def test_of_two_equal_plants_the_lower_number_is_the_worse() -> None:
    """12 and 15 both yield 2 with 2 workers; 15 lies first on the board."""
    data = card_file()
    card_in(data, "plant-15-1").update(workers=2, energy=2)
    game = game_at(2, plants={SYNDICATE: "15 12 16 25"}, own={SYNDICATE: "40"}, cards=data)
    play(game, "done")
    assert company(game, SYNDICATE).board[0] == (15, 40, 16, 25)


@pytest.mark.rule("OR-61", "O-12.6.8")
def test_a_better_habitat_replaces_the_worst() -> None:
    game = game_at(2, habitats={SYNDICATE: "14 17 26 34"}, own={SYNDICATE: "26b 17b"})
    play(game, "done")
    it = company(game, SYNDICATE)
    assert it.board == ((), (126, 17, 26, 34))  # 17b has no more spots than 17
    assert sorted(pool(game)) == ["14", "17b"]


@pytest.mark.rule("O-12.3.1", "O-9.2.1")
def test_it_triggers_nothing_and_earns_nothing() -> None:
    game = game_at(2, networks={SYNDICATE: 16, A: 1}, plants={SYNDICATE: "12"}, round=6)
    play(game, "done", "done")
    assert (game.view()["step"], game.phase) == (1, "bureaucracy")
    play(game, "power 0", "power 0")
    assert company(game, SYNDICATE).money == 0
    over = game_at(2, networks={A: 18, SYNDICATE: 16}, round=6)
    play(over, "done", "done")
    assert over.outcome is not None
    assert sorted(seat for place in over.outcome.ranking for seat in place) == [A, B]
