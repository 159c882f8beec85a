"""A: the card file, its check, the shipped deck, and an owner's own."""

import json
import warnings
from collections.abc import Callable
from copy import deepcopy
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import highvoltage as hv
from cardgame.test_setup import DATA
from highvoltage import words
from highvoltage.games.cardgame import cards, tables
from positions import wander

Data = dict[str, Any]


def changed(change: Callable[[Data], None]) -> Data:
    data = deepcopy(DATA)
    change(data)
    return data


def problems(change: Callable[[Data], None]) -> str:
    with pytest.raises(hv.CardsError) as caught:
        cards.load(changed(change))
    return str(caught.value)


def plant(data: Data, name: str) -> Data:
    found: Data = next(each for each in data["plants"] if each["id"] == name)
    return found


def fuel(data: Data, kind: str, units: int, marking: str) -> Data:
    found: Data = next(
        row
        for row in data["resources"]["cards"]
        if (row["kind"], row["units"], row["marking"]) == (kind, units, marking)
    )
    return found


@pytest.mark.rule("A-4", "A-3")
def test_the_shipped_deck_passes_without_a_warning() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        cards.load(DATA)


@pytest.mark.rule("A-1", "A-4")
def test_every_value_of_the_shipped_deck_has_a_source() -> None:
    def fits(mark: str) -> bool:
        return mark in {"rulebook", "reconstructed"} or mark.startswith("public: ")

    for row in DATA["plants"]:
        assert set(row["source"]) == {"back", "number", "fuels", "units", "income"}
        assert all(map(fits, row["source"].values()))
    for row in DATA["resources"]["cards"]:
        assert set(row["source"]) == {"kind", "units", "marking", "count"}
        assert all(map(fits, row["source"].values()))
    for side in ("card_game", "board_game"):
        for row in DATA["demolition"][side]["cards"]:
            assert set(row["source"]) == {"number", "first", "next"}


@pytest.mark.rule("A-1", "K-1.11")
def test_the_tables_of_the_file_are_those_of_the_rules() -> None:
    setup = DATA["setup"]
    for players in (2, 3, 4, 5, 6):
        assert setup["removed_plants"][str(players)] == {
            "small": tables.SMALL_REMOVED[players],
            "large": tables.LARGE_REMOVED[players],
        }
        assert setup["resource_cards_per_column"][str(players)] == tables.COLUMN_SIZE[players]
        assert tuple(setup["markings_in_use"][str(players)]) == tables.MARKINGS[players]
    constants = {name: row["value"] for name, row in DATA["constants"].items()}
    assert constants["start_money"] == tables.START_MONEY
    assert constants["max_plants_per_player"] == tables.PLANT_LIMIT
    assert constants["market_current"] == tables.CURRENT_SIZE
    assert constants["market_last_round"] == tables.LATE_MARKET_SIZE
    assert constants["income_if_nothing_runs"] == tables.BASIC_INCOME
    assert constants["elektro_per_victory_point"] == tables.MONEY_PER_POINT
    assert [column["price"] for column in DATA["price_columns"]] == [1, 2, 3, 4]


@pytest.mark.rule("A-1")
def test_twins_are_distinguished_by_their_order_in_the_file() -> None:
    deck = cards.shipped()
    fours = [face for face in deck.faces.plants if face.number == 4]
    assert [deck.plants[card].powers for card in (4, 104, 204)] == [face.income for face in fours]
    assert [deck.plants[card].fuels for card in (4, 104)] == [(tables.COAL,), (tables.OIL,)]


@pytest.mark.rule("A-2")
def test_the_shipped_deck_has_every_stated_card() -> None:
    faces = {(p.number, p.burns, p.units, p.income) for p in cards.shipped().faces.plants}
    assert {(12, "coal", 3, 9), (7, "hybrid", 3, 8), (8, "eco", 0, 6)} <= faces
    assert any(number == 19 for number, *_ in faces)
    earned = {
        key: {income for _, kind, units, income in faces if (kind, units) == key}
        for key in (("coal", 1), ("coal", 2), ("uranium", 1))
    }
    assert any(sum(three) == 16 for three in product(*earned.values()))
    assert {("gas", 1), ("hybrid", 2), ("hybrid", 3)} <= {(k, u) for _, k, u, _ in faces}
    numbers = [face.number for face in cards.shipped().faces.plants if face.back == "small"]
    assert max(map(numbers.count, numbers)) == 3


@pytest.mark.rule("A-1")
@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda d: d.pop("plants"), "plants: a list of cards is missing (A-1)"),
        (lambda d: d.update(resources=[]), "resources.cards: a list of cards is missing (A-1)"),
        (
            lambda d: plant(d, "s05").update(number="four"),
            "plants, id s05: Expected `int`, got `str`",
        ),
        (lambda d: plant(d, "s05").update(number=99), "plants, id s05: Expected `int` <= 98"),
        (lambda d: plant(d, "s05").pop("income"), "plants, id s05: Object missing required field"),
        (lambda d: plant(d, "s05").update(back="red"), "plants, id s05: Invalid enum value 'red'"),
        (lambda d: d["plants"].append(7), "plants, row 43: Expected `object`, got `int`"),
        (
            lambda d: d["plants"].extend([7] * 1000),
            f"plants: 1042 rows; there are at most {cards.MAX_ROWS} (A-1).",
        ),
        (
            lambda d: d["demolition"]["card_game"]["cards"][2].update(first=None),
            "demolition.card_game.cards, number 3: Expected `int`, got `null`",
        ),
    ],
)
def test_what_cannot_be_read_is_named(change: Callable[[Data], None], message: str) -> None:
    assert message in problems(change)


@pytest.mark.rule("A-V1")
def test_plants_are_counted_and_named_once() -> None:
    text = problems(lambda d: plant(d, "s05").update(back="large"))
    assert "There are 12 small plants instead of 13 (A-V1)." in text
    assert "There are 30 large plants instead of 29 (A-V1)." in text
    assert "Plant s06: 2 plants have this id" in problems(
        lambda d: plant(d, "s05").update(id="s06")
    )


@pytest.mark.rule("A-V2")
def test_fuel_cards_are_counted() -> None:
    text = problems(lambda d: fuel(d, "coal", 3, "2-6").update(count=5))
    assert "There are 13 basic coal cards instead of 12 (A-V2)." in text
    text = problems(lambda d: fuel(d, "gas", 3, "+").update(kind="oil"))
    assert "There are 0 + gas cards instead of 1 (A-V2)." in text
    assert "Fuel card oil 3 (+): 2 rows are alike (A-V2)." in text
    text = problems(lambda d: fuel(d, "uranium", 1, "single").update(count=2))
    assert "There are 2 single uranium cards instead of 1 (A-V2)." in text
    text = problems(lambda d: fuel(d, "oil", 3, "++").update(count=2))
    assert "There are 5 ++ fuel cards instead of 4 (A-V2)." in text


@pytest.mark.rule("A-V3")
def test_fuel_cards_have_1_to_3_units() -> None:
    text = problems(lambda d: fuel(d, "coal", 3, "2-6").update(units=4))
    assert "Fuel card coal 4 (2-6): it has 1 unit if single, else 1 to 3 (A-V3)." in text
    assert "A-V3" in problems(lambda d: fuel(d, "coal", 1, "single").update(units=2))
    assert "A-V3" in problems(lambda d: fuel(d, "coal", 3, "+").update(units=0))


@pytest.mark.rule("A-V4")
@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        ("s05", {"units": 0, "storage": 0}, "it burns coal and needs 0"),
        ("s10", {"units": 1, "storage": 2}, "it burns eco and needs 1"),
        ("s05", {"type": "gas"}, "its type is gas, but its fuels make it coal"),
        ("s05", {"storage": 3}, "it stores 3 instead of twice its 1"),
        ("s08", {"fuels": ["coal", "oil"]}, "no plant burns coal/oil; a hybrid burns gas and oil"),
    ],
)
def test_a_plant_must_make_sense(name: str, change: Data, message: str) -> None:
    number = next(each["number"] for each in DATA["plants"] if each["id"] == name)
    text = problems(lambda d: plant(d, name).update(change))
    assert f"Plant {name} (number {number}): {message}" in text
    assert "(A-V4)" in text


@pytest.mark.rule("A-V5", "A-2")
@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda d: plant(d, "l12").update(income=8), "Plant 12: one is coal, needs 3 and earns 9"),
        (lambda d: plant(d, "l07").update(income=9), "Plant 7: one is hybrid, needs 3 and earns 8"),
        (lambda d: plant(d, "l08").update(income=7), "Plant 8: one is eco, needs 0 and earns 6"),
        (lambda d: plant(d, "l19").update(income=11), "Plant 19: with two lower ones"),
        (
            lambda d: [
                each.update(number=20 + at)
                for at, each in enumerate(d["plants"])
                if each["income"] == 7
            ],
            "Plant 19: with two lower ones",
        ),
        (
            lambda d: [each.update(income=20) for each in d["plants"] if each["type"] == "uranium"],
            "No coal plants of 1 and 2 and uranium plant of 1 earn 16 together",
        ),
        (
            lambda d: [
                each.update(units=2, storage=4) for each in d["plants"] if each["type"] == "gas"
            ],
            "A gas plant of 1 is missing",
        ),
        (
            lambda d: [each.update(number=1 + at) for at, each in enumerate(d["plants"][:13])],
            "No two small plants have the same number",
        ),
        (
            lambda d: [
                row.update(units=1) for row in d["resources"]["cards"] if row["kind"] == "gas"
            ],
            "Fuel card gas 3 is missing",
        ),
        (
            lambda d: d["demolition"]["card_game"]["cards"][0].update(first=2),
            "Demolition card 1 (card_game) pays 1 and 0",
        ),
    ],
)
def test_stated_cards_must_be_there(change: Callable[[Data], None], message: str) -> None:
    text = problems(change)
    assert message in text
    assert "(A-V5)" in text


@pytest.mark.rule("A-V6")
def test_enough_cards_for_the_set_up() -> None:
    def rare(data: Data) -> None:
        for row in data["resources"]["cards"]:
            if row["marking"] in {"2-6", "4-6"} and row["units"] > 1:
                row["marking"] = "5-6"

    text = problems(rare)
    assert "Only 5 fuel cards are for 2 players; 12 are laid out (A-V6)." in text
    assert "Only 6 fuel cards are for 4 players; 15 are laid out (A-V6)." in text


@pytest.mark.rule("A-V7", "A-3")
def test_an_expensive_small_plant_is_a_warning() -> None:
    data = changed(lambda d: plant(d, "s13").update(number=13))
    with pytest.warns(
        hv.CardsWarning, match=r"Plant s13 \(number 13\) may be too dear .* \(A-V7\)"
    ):
        cards.load(data)
    cards.load(changed(lambda d: plant(d, "s13").update(number=12)))  # what everybody starts with


@pytest.mark.rule("A-V8", "A-3")
def test_demolition_cards() -> None:
    def card(data: Data, side: str, number: int) -> Data:
        found: Data = data["demolition"][side]["cards"][number - 1]
        return found

    text = problems(lambda d: d["demolition"]["board_game"]["cards"].pop())
    assert "The board_game Demolition cards are numbered 1 to 6 (A-V8)." in text
    for wrong in ({"first": 0, "next": 0}, {"next": -1}, {"next": 9}):
        text = problems(lambda d, w=wrong: card(d, "card_game", 3).update(w))  # type: ignore[misc]
        assert "Demolition card 3 (card_game): the first is paid at least 1" in text
    for odd in ({"first": 2}, {"next": 0}):
        data = changed(lambda d, o=odd: card(d, "card_game", 3).update(o))  # type: ignore[misc]
        with pytest.warns(hv.CardsWarning, match=r"Demolition card 3 \(card_game\) pays no more"):
            cards.load(data)


@pytest.mark.rule("A-V2", "KR-39", "A-3")
def test_another_split_of_the_double_plus_cards_is_a_warning() -> None:
    data = changed(lambda d: fuel(d, "uranium", 2, "++").update(kind="coal"))
    with pytest.warns(hv.CardsWarning, match=r"\+\+ (coal|uranium) cards; we expect 1 \(A-V2\)"):
        deck = cards.load(data)
    assert len(deck.fuel["++"]) == 4


# An owner's own cards


def owners() -> Data:
    """Different card faces in the same format, without any source."""
    data: Data = {key: deepcopy(DATA[key]) for key in ("plants", "resources", "demolition")}
    for row in [
        *data["plants"],
        *data["resources"]["cards"],
        *data["demolition"]["card_game"]["cards"],
        *data["demolition"]["board_game"]["cards"],
    ]:
        del row["source"]
    plant(data, "l35")["income"] = 15
    return data


@pytest.mark.rule("A-4")
def test_the_shipped_deck_is_called_reconstructed() -> None:
    view = hv.new("cardgame", players=3, seed=1).view()
    assert view["reconstructed"] is True
    assert "reconstructed" in view["note"]
    assert "reconstructed" in words.say("cards_own_about")  # next to the option


@pytest.mark.rule("A-4", "A-1")
@pytest.mark.parametrize("form", ["path", "text", "data"])
def test_owners_load_their_own_faces(form: str, tmp_path: Path) -> None:
    file = tmp_path / "mine.json"
    file.write_text(json.dumps(owners()), encoding="utf-8")
    given = {"path": file, "text": str(file), "data": owners()}[form]
    game = hv.new("cardgame", players=3, seed=1, cards=given)
    assert game.view()["reconstructed"] is False
    assert "note" not in game.view()
    assert game.rules.cards.plants[35].powers == 15  # type: ignore[attr-defined]


@pytest.mark.rule("A-4")
def test_a_record_includes_the_owners_faces() -> None:
    game = hv.new("cardgame", players=3, seed=1, cards=owners(), demolition=True)
    for _ in wander(game, seed=1):
        pass
    record = game.record()
    again = hv.replay(str(record))
    assert again.record() == record
    assert again.view() == game.view()
    assert hv.replay(record.json()).rules.cards.plants[35].powers == 15  # type: ignore[attr-defined]
    plain = hv.new("cardgame", players=3, seed=1).record()
    assert "cards" not in plain.options


def test_a_record_with_broken_faces_is_refused() -> None:
    record = hv.new("cardgame", players=3, seed=1, cards=owners()).record()
    broken = record.json().replace('"income":15', '"income":0')
    with pytest.raises(hv.RecordError, match="id l35"):
        hv.replay(broken)


def test_a_file_that_is_not_a_deck(tmp_path: Path) -> None:
    with pytest.raises(hv.CardsError, match="cannot be read"):
        hv.new("cardgame", cards=tmp_path / "missing.json")
    (tmp_path / "bad.json").write_text("[1, 2]")
    with pytest.raises(hv.CardsError, match="should hold a JSON object"):
        hv.new("cardgame", cards=tmp_path / "bad.json")
    (tmp_path / "bad.json").write_text("{")
    with pytest.raises(hv.CardsError, match="cannot be read"):
        hv.new("cardgame", cards=tmp_path / "bad.json")
    (tmp_path / "bad.json").write_text("{}")
    with pytest.raises(hv.CardsError, match=r"bad\.json is not a deck that can be played:"):
        hv.new("cardgame", cards=tmp_path / "bad.json")
    with pytest.raises(hv.OptionError, match="None or a file"):
        hv.new("cardgame", cards=7)
    with pytest.raises(hv.OptionError, match="has no map"):
        hv.new("cardgame", map="germany")
