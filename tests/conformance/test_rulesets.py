"""Every accepted ruleset can be played to its end; every other is refused with a reason."""

import os
from collections.abc import Callable
from random import Random
from typing import Any

import msgspec
import pytest

import highvoltage as hv
from highvoltage import bots
from highvoltage.engine.parts.board import load_map
from highvoltage.engine.parts.mapform import (
    NAMES,
    RULES,
    Count,
    FuelName,
    MapRules,
    Number,
    Players,
    Step,
)
from highvoltage.games import edition, rulebook
from highvoltage.rules import rule
from highvoltage.testing import check_ruleset, draw_request
from highvoltage.testing.rulesets import RulesetRequest, _Drawing
from ours import RULEBOOKS, our_settings
from pieces import piece, sizes
from spread import spread

DRAWN = int(os.environ.get("RULESETS", "30"))  # 100,000 by `make fuzz-rulesets`
PIECE = 50


def clerks(seed: str) -> Callable[[hv.Game], hv.Move]:
    """Lets a clerk decide for the seat to move."""
    seated: dict[int, bots.Bot] = {}

    def choose(game: hv.Game) -> hv.Move:
        seat = game.to_move
        assert seat is not None
        if seat not in seated:
            seated[seat] = bots.make("clerk", f"{seed}/{seat}")
        return bots.ask(seated[seat], game).move

    return choose


def play(number: int, *, closely: bool) -> bool:
    """Play a random ruleset, by random moves and by clerks; return whether it was accepted."""
    rng = Random(f"ruleset {number}")
    boards = ("classic", "recharged")
    request = draw_request(rng.choice(boards if number % 10 else RULEBOOKS), rng)
    accepted = check_ruleset(request, rng, closely=closely)
    return accepted and check_ruleset(request, rng, clerks(f"{number}"), closely=closely)


@pytest.mark.parametrize(("part", "count"), sizes(DRAWN, PIECE))
def test_an_accepted_ruleset_is_played_to_its_end(part: int, count: int) -> None:
    with piece("rulesets", f"{part}") as results:
        numbers = range(part * PIECE, part * PIECE + count)
        accepted = sum(play(number, closely=DRAWN > 200) for number in numbers)
        assert count * 0.3 < accepted < count  # or the fuzzer proves nothing
        results |= {"rulesets": count, "accepted": accepted}


@pytest.mark.parametrize("closely", [True, False])
def test_a_ruleset_is_checked_by_playing_it_to_its_end(closely: bool) -> None:
    games: list[hv.Game] = []
    clerk = clerks("1")

    def choose(game: hv.Game) -> hv.Move:
        games.append(game)
        return clerk(game)

    request = RulesetRequest("cardgame", None, 3, {})
    assert check_ruleset(request, Random(1), choose, closely=closely)
    assert games[-1].outcome is not None
    assert len(games) == len(games[-1].log)


def test_numbers_and_names_are_drawn_from_those_that_are_allowed() -> None:
    drawing = _Drawing(load_map("germany"), Random(1))
    drawn = {kind: {drawing._number(kind) for _ in range(500)} for kind in (Number, Count)}
    assert [min(numbers) for numbers in drawn.values()] == [1, 0]
    assert {drawing._plain(FuelName, str, "fuel") for _ in range(99)} == {*NAMES}
    assert {drawing._number(Players) for _ in range(99)} == {2, 3, 4, 5, 6}
    assert {drawing._number(Step) for _ in range(99)} == {1, 2, 3}


@pytest.mark.long
@pytest.mark.parametrize("part", range(100))
def test_five_thousand_rulesets_are_played_to_their_end(part: int) -> None:
    first = 10_000_000 + part * PIECE
    assert sum(play(number, closely=True) for number in range(first, first + PIECE))


OUT = [*range(3, 35)]
SMALL = [city.id for city in load_map("germany").cities][::7]
CRASHED: list[tuple[str, dict[str, Any], str]] = [
    ("classic 4", {"tokens": {"oil": 1}}, "rules.tokens.oil is 1, but the market starts with 18"),
    ("recharged 3", {"deck": {"removed": {"3": [2]}}}, "rules.deck.removed.3 has 1 numbers"),
    ("classic 3", {"deck": {"removed": {"3": [2, 2]}}}, "rules.deck.removed.3 has 2 numbers"),
    ("recharged 4", {"deck": {"out": OUT[:13]}}, "rules.deck leaves 0 plants for 9 places"),
    ("classic 2", {"deck": {"out": OUT}}, "rules.deck: 8 plants are to be removed at random"),
    ("classic 4", {"deck": {"below_step_3": 60}}, "rules.deck.below_step_3 is 60; the deck has"),
    ("classic 4", {"deck": {"mixed": {"cards": [10], "others": 60}}}, "rules.deck.mixed.others"),
    ("classic 4", {"plant_market": {"current": 2}}, "rules.plant_market.step_3 is 6; of a market"),
    ("classic 4", {"networks": {"starts": ["kiel"]}}, "with 4 players northwest, "),
    (
        "classic 6",
        {"slots": {"kiel": [{"cost": 10, "step": 1}]}, "end_cities": {"6": 40}},
        "with 6",
    ),
    (
        "classic 2",  # one player may take the last house of a city that the other one needs
        {"slots": {city: [{"cost": 10, "step": 1}] for city in SMALL}},
        "with 2",
    ),
]


@pytest.mark.parametrize(("setting", "rules", "fault"), CRASHED)
def test_what_cannot_be_played_is_refused_with_its_field(
    setting: str, rules: dict[str, Any], fault: str
) -> None:
    name, players = setting.split()
    with pytest.raises(hv.MapError) as refused:
        hv.new(name, map=changed("germany", rules=rules), players=int(players))
    assert any(problem.startswith(fault) for problem in refused.value.problems), refused.value


@pytest.mark.parametrize(
    ("name", "deck", "first"),
    [
        ("classic", {"next": [20]}, [13, 20]),
        ("classic", {"next": [13, 20]}, [13, 20]),  # it has another place: nothing lies above it
        ("classic", {"next": [20, 13]}, [20, 13]),
        ("classic", {"out": [13], "next": [20]}, [20]),
        ("classic", {"market": [13], "next": [20]}, [20]),
        ("classic", {"top": 30, "next": [13]}, [30, 13]),
        ("recharged", {"low_on_top": False, "next": [20, 13]}, [20, 13]),
        ("recharged", {"top": 30, "next": [20]}, [30, 20]),
    ],
)
def test_the_first_cards_of_a_deck_are_those_of_its_map(
    name: str, deck: dict[str, Any], first: list[int]
) -> None:
    game = hv.new(name, map=changed("germany", rules={"deck": deck}), players=5, seed=1)
    state: Any = game.state
    assert state.market.deck[: len(first)] == first
    check = edition(name).invariants
    check(None, None, state)
    state.market.deck.insert(2, state.market.deck.pop(0))
    with pytest.raises(AssertionError, match="set_up_deck"):
        check(None, None, state)


@pytest.mark.rule("C-4.7.2")
@pytest.mark.parametrize(
    ("name", "rules", "sure"),
    [
        # 3, 5, 7, 9 and 12 are neither coal, garbage nor nuclear, and lower than 28
        (
            "classic",
            {
                "plant_market": {
                    "future": 6,
                    "barred": ["coal", "garbage", "eco"],
                    "steps_by_deck": True,
                }
            },
            5,
        ),
        # 3, 4 and 5; 40, 42 and 44 lie above 39, the fourth nuclear plant
        ("classic", {"deck": {"market": [3, 4, 5, 17, 23, 40, 42, 44], "out": [11, 34]}}, 3),
        # of 13 low plants 4 are nuclear, and 8 are dealt
        (
            "recharged",
            {
                "plants": [
                    {"number": card, "kind": "uranium", "need": 1, "powers": 1}
                    for card in (13, 14, 15)
                ]
            },
            4,
        ),
        # 3 to 7 come first, then 5 of 12, three of which are nuclear
        (
            "classic",
            {
                "deck": {
                    "bands": [
                        {"last": 7, "ordered": True},
                        {"last": 23},
                        {"last": 50, "with_step_3": True},
                    ]
                },
                "plants": [
                    {"number": card, "kind": "uranium", "need": 1, "powers": 1}
                    for card in (3, 4, 5)
                ],
            },
            2,
        ),
    ],
)
def test_a_plant_that_is_not_nuclear_is_left_for_the_last_player(
    name: str, rules: dict[str, Any], sure: int
) -> None:
    board = changed("central_europe", rules=rules)
    for players in range(2, 7):
        if players <= sure:
            assert hv.new(name, map=board, players=players).to_move is not None
        else:
            with pytest.raises(hv.MapError, match=f"only {sure} plants that are not nuclear"):
                hv.new(name, map=board, players=players)


def test_a_top_card_that_has_another_place_takes_none_from_the_deck() -> None:
    """Of 42 plants 8 are in the market, 13 lies next and 33 are shuffled."""
    deck = {"next": [13], "mixed": {"cards": [], "others": 33}}
    assert (
        hv.new("classic", map=changed("germany", rules={"deck": deck}), players=5).to_move
        is not None
    )
    deck["mixed"] = {"cards": [], "others": 34}
    with pytest.raises(hv.MapError, match="others is 34; only 33 cards are left"):
        hv.new("classic", map=changed("germany", rules={"deck": deck}), players=5)


@pytest.mark.parametrize("rules", [{"storage_price": {"coal": 8}}, {"spaces": {"coal": {"1": 9}}}])
def test_rules_of_a_map_and_of_its_rulebook_are_checked_together(rules: dict[str, Any]) -> None:
    data = changed("korea", rulebooks={"recharged": rules})
    field = next(iter(rules))
    with pytest.raises(hv.MapError, match=f"rulebooks.recharged.{field} does not go together"):
        hv.new("recharged", map=data, players=3)
    assert hv.new("classic", map=data, players=3).to_move is not None


def changed(board: str, **fields: Any) -> dict[str, Any]:
    """A map file with other rules."""
    data: dict[str, Any] = msgspec.to_builtins(load_map(board), str_keys=True)
    return data | {"rules": data.get("rules", {}) | fields.pop("rules", {})} | fields


# The map's own rules


@pytest.mark.rule("C-12.3.8")
@pytest.mark.parametrize("board", [*hv.games()["classic"].maps])
def test_without_its_own_rules_a_board_is_played_like_germany(board: str) -> None:
    if board in {"uk_ireland", "australia"}:
        with pytest.raises(hv.OptionError, match=r"cannot be played without its own rules \(C-12"):
            hv.new("classic", map=board, map_rules=False)
        return
    rules = hv.new("classic", map=board, players=3, map_rules=False).rules.ruleset
    plain = hv.new("classic", map="germany", players=3).rules.ruleset
    own = {"map", "base", "regions", "connections"}
    for field in set(rules.__struct_fields__) - own - {"options"}:
        assert getattr(rules, field) == getattr(plain, field), field


# Lines

CENTRAL_EUROPE = {"coal": 24, "oil": 18, "garbage": 6, "uranium": 5}


@pytest.mark.parametrize(
    "setting", spread(s for n in RULEBOOKS for s in our_settings(n) if s.players in {2, 4})
)
def test_every_line_of_a_ruleset_has_a_rule_that_can_be_read(setting: Any) -> None:
    rules = rulebook(setting.rulebook, setting.players, setting.map, setting.options).ruleset
    lines = list(rules.lines())
    for line in lines:
        assert rule(line.rule).id == line.rule, line
        assert msgspec.json.decode(msgspec.json.encode(line.value)) == line.value, line
    assert len({line.name for line in lines}) == len(lines)
    chosen = {line.name for line in lines if line.origin == "option"}
    assert chosen == set(setting.options)


@pytest.mark.parametrize(
    ("board", "players", "name", "value", "origin", "cited"),
    [
        ("south_africa", 2, "end_cities", 18, "map", "A-ZAF"),
        ("south_africa", 4, "end_cities", 17, "rulebook", "C-1.5"),
        ("baden_wuerttemberg", 6, "step_2_cities", 5, "map", "A-BAW"),
        ("germany", 6, "step_2_cities", 6, "rulebook", "C-1.5"),
        ("central_europe", 3, "start", CENTRAL_EUROPE, "map", "C-12.3.1"),
        ("germany", 3, "plants_removed", [8], "rulebook", "C-1.5"),
        ("uk_ireland", 3, "step_2_when_full", True, "map", "A-UKI"),
    ],
)
def test_a_line_gives_the_value_and_its_origin(
    board: str, players: int, name: str, value: Any, origin: str, cited: str
) -> None:
    lines = rulebook("classic", players, board, {}).ruleset.lines()
    assert next(line for line in lines if line.name == name)[1:] == (value, origin, cited)


def test_every_field_of_the_map_form_has_its_rule() -> None:
    assert {*RULES} == {*MapRules.__struct_fields__}
    for name in RULES.values():
        assert rule(name).id == name


def test_equal_requests_give_equal_rulesets() -> None:
    one, two = (rulebook("classic", 4, "usa", {}).ruleset for _ in range(2))
    assert one == two
    assert hash(one) == hash(two)
    assert one != rulebook("classic", 3, "usa", {}).ruleset
    assert one != rulebook("classic", 4, "usa", {"money": "hidden"}).ruleset
    assert one != rulebook("classic", 4, "germany", {}).ruleset
