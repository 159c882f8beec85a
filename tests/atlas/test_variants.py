"""Variants of a board, chosen at set-up, above all Deluxe; and the doubts behind them."""

import re
from collections import Counter
from typing import Any

import pytest

import highvoltage as hv
from atlas.boards import BOARDS, BOOKS, at, cost, new
from highvoltage import bots, codec, rules
from highvoltage.batch import make as make_batch
from highvoltage.bots.clerk.starts import area_of_view
from highvoltage.engine.parts.board import load_map
from positions import board, idle, legal, offers, play, position, refuses

DELUXE = ("europe", "north_america")
ENOUGH = (3, 4, 5, 6)  # players
every_deluxe = pytest.mark.parametrize("map_", DELUXE)
every_book = pytest.mark.parametrize("book", BOOKS)


def deluxe(
    map_: str, book: str = "recharged", players: int = 4, seed: int = 1, **fields: Any
) -> hv.Game:
    game = hv.new(book, map=map_, players=players, seed=seed, variants=["deluxe"])
    return position(game, **fields) if fields else game


def links(game: hv.Game) -> dict[frozenset[str], int]:
    connections = game.rules.ruleset.connections  # type: ignore[attr-defined]
    return {frozenset((link.a, link.b)): link.cost for link in connections}


# Deluxe


@pytest.mark.rule("A-DLX-1", "A-DLX-4")
@every_book
@every_deluxe
def test_gas_takes_the_place_of_garbage(map_: str, book: str) -> None:
    game = deluxe(map_, book)
    fuel = game.view(0)["fuel"]
    assert [*fuel] == [*game.view(0)["players"][0]["fuel"]] == ["coal", "oil", "gas", "uranium"]
    tokens = {name: each["stock"] + each["supply"] for name, each in fuel.items()}
    assert tokens == {"coal": 27, "oil": 20, "gas": 24, "uranium": 12}
    assert {name: len(each["ladder"]) for name, each in fuel.items()} == tokens
    assert [Counter(each["ladder"])[price] for each in fuel.values() for price in (4, 9)] == [
        *(3, 2, 2, 4, 3, 0, 1, 2)
    ]
    starts = {"europe": (23, 16, 18, 4), "north_america": (23, 14, 18, 2)}
    assert tuple(each["stock"] for each in fuel.values()) == starts[map_]
    firsts = {"europe": [2, 3, 3, 8], "north_america": [2, 4, 3, 9]}
    assert [each["prices"][0] for each in fuel.values()] == firsts[map_]
    plain = board(new(map_, book, 4))
    assert board(game).rules.fuel_market.refills == plain.rules.fuel_market.refills


@pytest.mark.rule("A-DLX-1")
def test_gas_is_bought_burned_and_returned_by_its_name() -> None:
    game = deluxe("europe", plants={0: [14], 1: [4], 2: [3], 3: [7]}, money=50, phase="fuel")
    while game.to_move != 0:
        game.play("done")
    refuses(game, "buy garbage 1", "unknown_fuel", "R-1.3.1")
    play(game, "buy gas 2")
    assert game.view(0)["players"][0]["fuel"]["gas"] == 2
    assert "2 gas" in str(game.log[-1].move) or str(game.log[-1].move) == "buy gas 2"


@pytest.mark.rule("A-DLX-2")
@every_book
def test_hybrids_burn_oil_and_gas(book: str) -> None:
    game = deluxe(
        "north_america",
        book,
        plants={0: [8], 1: [4], 2: [3], 3: [7]},
        fuel={0: {"oil": 2, "garbage": 0}},
        phase="fuel",
        money=50,
    )
    while game.to_move != 0:
        game.play("done")
    assert game.view(0)["players"][0]["room"] == {"coal": 0, "oil": 4, "gas": 4, "uranium": 0}
    play(game, "buy gas 1", "done")
    idle(game, "bureaucracy")
    while game.to_move != 0:
        game.play("run nothing")
    assert "run 8:gas,oil,oil" in legal(game)
    refuses(game, "run 8:coal,oil,oil", "run_mix", {"classic": "C-1.2.4"}.get(book, "R-8.3"))
    play(game, "run 8:oil,gas,oil")  # any order is read
    assert sum(game.view(0)["players"][0]["fuel"].values()) == 0


def test_hybrids_of_the_edition_burn_what_a_map_says_too() -> None:
    data = hv.games()["classic"].map("germany")
    data["rules"] = {"hybrid": ["oil", "garbage"]}
    plants = board(hv.new("classic", map=data, players=3)).plants
    assert {plants.plants[card].fuels for card in (5, 12, 29)} == {plants.plants[46].fuels}
    assert [plants.kinds[fuel] for fuel in plants.plants[5].fuels] == ["garbage", "oil"]
    assert [plants.kinds[fuel] for fuel in plants.plants[4].fuels] == ["coal"]


@pytest.mark.rule("A-DLX-3")
@every_deluxe
def test_the_42_plants(map_: str) -> None:
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in rules.rule("A-DLX-3").text.splitlines()
        if ">" in line
    ]
    printed = {
        int(card): (kind, int(need), int(powers))
        for kind, cards in rows
        for card, need, powers in re.findall(r"(\d\d) (\d)>(\d)", cards)
    }
    assert len(printed) == 42
    plants = board(deluxe(map_)).plants
    for card, (kind, need, powers) in printed.items():
        plant = plants.plants[card]
        names = [plants.kinds[fuel] for fuel in plant.fuels]
        wanted = {"hybrid": ["gas", "oil"], "eco": []}.get(kind, [kind])
        assert (names, plant.need, plant.powers) == (wanted, need, powers), card


@pytest.mark.rule("A-DLX-5")
@every_book
@every_deluxe
@pytest.mark.parametrize("players", ENOUGH)
def test_the_opening_market(map_: str, book: str, players: int) -> None:
    removed = {3: (2, 6), 4: (1, 3), 5: (0, 0), 6: (0, 0)}[players]
    m = board(deluxe(map_, book, players)).market
    assert len(m.cards) == (9 if map_ == "europe" else 8)
    assert max(m.cards) <= 15
    assert (m.deck[0] <= 15) == (map_ == "north_america")
    low = sum(card <= 15 for card in m.aside)
    assert (low, len(m.aside) - low) == removed


@pytest.mark.rule("A-DLX-6", "A-DLX-7")
def test_only_north_america_has_the_token_and_only_in_recharged() -> None:
    assert deluxe("europe").view(0)["market"]["discount"] is None
    assert deluxe("north_america").view(0)["market"]["discount"] is not None
    assert "discount" not in deluxe("north_america", "classic").view(0)["market"]
    game = deluxe("europe", plants={0: [20], 1: [21], 2: [22], 3: [23]}, money=100)
    (lowest, *_), _ = offers(game)
    idle(game)
    assert lowest not in board(game).market.cards


@pytest.mark.rule("A-DLX-7")
@every_deluxe
def test_two_cannot_play_deluxe(map_: str) -> None:
    with pytest.raises(hv.OptionError, match=r"'deluxe' of .* is for 3, 4, 5, 6 players"):
        hv.new("recharged", map=map_, players=2, variants=["deluxe"])


@every_deluxe
def test_bots_codec_and_records_know_gas(map_: str) -> None:
    game = deluxe(map_, players=3, seed=2)
    code = codec.make("recharged", map_, 3, variants=["deluxe"])
    players = [bots.make(kind, seat) for seat, kind in enumerate(("engineer", "clerk", "clerk"))]
    bought = set()
    while game.to_move is not None and len(game.log) < 150:
        view, moves = game.view(game.to_move), game.legal_moves
        move = players[game.to_move].choose(view, moves).move
        if len(game.log) % 7 == 0:
            assert code.move(view, code.index(view, move)) == move
            assert code.observe(view)["fuel"].shape == (4, 13)
        if str(move).startswith("buy"):
            bought.add(str(move).split()[1])
        game.play(move)
    assert "gas" in bought
    assert "garbage" not in bought
    text = str(game.record())
    assert 'option variants: ["deluxe"]' in text
    assert hv.replay(text).view() == game.view()


def test_batched_games_follow_variants() -> None:
    own = hv.games()["recharged"].map("germany")
    own["variants"] = {"short": {"names": {"en": "Short"}, "rules": {"end_cities": {"3": 9}}}}
    usual = make_batch("recharged", map=own, players=3)
    short = make_batch("recharged", map=own, players=3, variants=["short"])
    assert (max(usual.tables.end_cities), max(short.tables.end_cities)) == (17, 9)


# Other readings


@pytest.mark.rule("A-0.6", "A-EUR-6")
@every_book
def test_nine_connections_of_europe_can_be_chosen(book: str) -> None:
    other = links(hv.new(book, map="europe", players=4, variants=["deluxe_connections"]))
    plain = links(new("europe", book))
    changed = {pair: other[pair] for pair in other if other[pair] != plain.get(pair)}
    assert {tuple(sorted(pair)): price for pair, price in changed.items()} == {
        ("bordeaux", "madrid"): 16,
        ("kharkiv", "moskva"): 15,
        ("muenchen", "praha"): 8,
        ("muenchen", "stuttgart"): 4,
        ("katowice", "kyjiv"): 18,
        ("kharkiv", "minsk"): 16,
        ("milano", "muenchen"): 16,
        ("muenchen", "zagreb"): 14,
        ("rhein_ruhr", "stuttgart"): 5,
    }
    assert {*plain} < {*other}


@pytest.mark.rule("A-0.6", "A-NAM-7")
def test_four_connections_of_north_america_can_be_chosen() -> None:
    game = hv.new("classic", map="north_america", players=6, variants=["other_connections"])
    other, plain = links(game), links(new("north_america"))
    assert {tuple(sorted(pair)) for pair in {*plain} - {*other}} == {
        ("las_vegas", "salt_lake_city"),
        ("regina", "salt_lake_city"),
    }
    assert other[frozenset(("atlanta", "nashville"))] == 8
    assert other[frozenset(("new_york_south", "philadelphia"))] == 5
    view: Any = game.view(0)
    area = area_of_view(view, view["connect"])
    assert area is not None
    assert area is board(game).area  # a bot measures the board that is played


@pytest.mark.rule("A-0.6", "A-BAW-3")
@every_book
@pytest.mark.parametrize("in_turn", [False, True])
def test_unsold_plants_of_baden_wuerttemberg_go_together_or_in_turn(
    book: str, in_turn: bool
) -> None:
    variants = ["unsold_in_turn"] if in_turn else []
    game = hv.new(book, map="baden_wuerttemberg", players=3, seed=1, variants=variants)
    market = [10, 12, 13, 15, 20, 21, 25, 26]
    position(game, market=market, deck=[8, 30, 31, 32], plants={0: [3], 1: [4], 2: [5]}, money=99)
    idle(game)
    left = board(game).market.cards
    assert left[0] == (12 if in_turn else 8)


def test_a_variant_that_does_not_exist_is_refused() -> None:
    with pytest.raises(hv.OptionError, match=r"Europe has no variant 'x'\. Variants: deluxe, del"):
        hv.new("classic", map="europe", players=3, variants=["x"])
    with pytest.raises(hv.OptionError, match="named twice"):
        hv.new("classic", map="europe", players=3, variants=["deluxe", "deluxe"])
    assert hv.new("classic", map="europe", players=3).view().get("variants") is None


def test_a_record_of_a_game_without_variants_does_not_mention_them() -> None:
    assert "variants" not in str(new("europe").record())


BAD: list[tuple[dict[str, Any], str]] = [
    ({"names": {"en": "X"}, "connections": [["wien", "atlantis", 4]]}, "no city atlantis"),
    ({"names": {"en": "X"}, "rules": {"start": {"coal": 99}}}, "variants.mine.rules.start.coal"),
    ({"names": {"en": "X"}, "rules": {"fuel_names": {"oil": "coal"}}}, "2 fuels are called coal"),
    ({"names": {"en": "X"}, "rules": {"hybrid": ["oil", "oil"]}}, "hybrid names oil twice"),
    ({}, "variants.mine.names is missing"),
]


@pytest.mark.parametrize(("variant", "fault"), BAD)
def test_a_faulty_variant_is_refused(variant: dict[str, Any], fault: str) -> None:
    data = hv.games()["classic"].map("europe")
    data["variants"] = {"mine": variant}
    with pytest.raises(hv.MapError) as refused:
        hv.new("classic", map=data, players=4)
    assert any(fault in problem for problem in refused.value.problems), refused.value


# Doubts


@pytest.mark.rule("A-0.3", "A-0.6")
@pytest.mark.parametrize("map_", BOARDS)
def test_every_rule_of_less_than_high_confidence_is_a_doubt(map_: str) -> None:
    chart = load_map(map_)
    told = {doubt.rule: doubt.confidence for doubt in chart.doubts}
    for name in rules.ids("atlas"):
        if name.startswith(f"{chart.section}-"):
            said = re.search(r"\([^()]*\b(low|medium)\b[^()]*\)", rules.rule(name).text)
            if said:
                low = re.search(r"\blow\b", said[0])
                assert told.get(name) == ("low" if low else "medium"), name
            elif name in told:
                assert any(doubt.variant for doubt in chart.doubts if doubt.rule == name), name
    for doubt in chart.doubts:
        assert doubt.sources
        assert doubt.rule in rules.ids("atlas")
        assert not doubt.variant or doubt.variant in chart.variants


def test_a_corrected_file_is_played() -> None:
    game = at("europe", "classic", 4)
    assert cost("europe", "muenchen", "praha") == 6
    data = hv.games()["classic"].map("europe")
    for link in data["connections"]:
        if {*link[:2]} == {"muenchen", "praha"}:
            data["connections"] = [other for other in data["connections"] if other is not link]
            data["connections"].append(["muenchen", "praha", 8])
    own = hv.new("classic", map=data, players=4)
    assert links(own)[frozenset(("muenchen", "praha"))] == 8
    assert links(game)[frozenset(("muenchen", "praha"))] == 6
    assert hv.replay(str(own.record())).view() == own.view()
