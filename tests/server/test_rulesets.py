"""The ruleset of a table, as the server sends it once."""

import json
from typing import Any

import pytest

import highvoltage as hv
from highvoltage import puzzles
from highvoltage.engine.ruleset import Ruleset
from highvoltage.games import meta, rulebook
from highvoltage.games.classic.rulebook import Classic
from highvoltage.games.classic.ruleset import BoardRuleset
from highvoltage.rooms.messages import RulesetInfo
from ours import RULEBOOKS
from serving import BOT, ME, OPEN, Person
from shells import in_the_browser_too  # noqa: F401  # the fixture `server`


def ruleset_of(person: Person, table: str) -> dict[str, Any]:
    answer = person.get(f"/api/tables/{table}/ruleset")
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def lines_of(name: str, players: int, board: str | None, **options: Any) -> list[dict[str, Any]]:
    """The lines from the engine, as JSON."""
    found = rulebook(name, players, board, options).ruleset.lines()
    lines: list[dict[str, Any]] = json.loads(json.dumps([line._asdict() for line in found]))
    return lines


@pytest.mark.parametrize("name", RULEBOOKS)
def test_every_line_is_sent_before_the_game_and_during_it(ann: Person, name: str) -> None:
    options = {"money": "hidden"}
    expected = lines_of(name, 3, None, **options)
    for seats in ([ME, OPEN, BOT], [ME, BOT, BOT]):
        table = ann.table(seats, rulebook=name, options=options)["id"]
        found = ruleset_of(ann, table)
        lines = [{key: line[key] for key in expected[0]} for line in found["lines"]]
        assert lines == expected
        chosen = {line["name"] for line in found["lines"] if line["option"]}
        shown = {option.name for option in hv.games()[name].options} - {"variants"}  # none chosen
        assert chosen == shown
        assert (found["rulebook"], found["players"]) == (name, 3)
        assert found["version"] == meta(name).version
    assert ruleset_of(ann, table) == ruleset_of(Person(ann.server), table)  # for every caller


@pytest.mark.parametrize(("name", "board"), [("classic", "japan"), ("recharged", "usa")])
def test_the_board_is_sent_as_it_is_played(ann: Person, name: str, board: str) -> None:
    table = ann.table([ME, BOT], rulebook=name, map=board)["id"]
    played = ruleset_of(ann, table)["board"]
    ruleset = rulebook(name, 2, board, {}).ruleset
    assert isinstance(ruleset, BoardRuleset)
    assert played["connections"] == [[link.a, link.b, link.cost] for link in ruleset.connections]
    printed = ann.get(f"/api/maps/{meta(name).maps[board]}").json()
    for field in ("id", "name", "regions", "cities", "layout"):
        assert played[field] == printed[field]
    assert played["slots"].keys() == {city["id"] for city in printed["cities"]}
    if board == "japan":
        assert played["slots"]["morioka"] == printed["rules"]["slots"]["morioka"]
        assert [slot["cost"] for slot in played["slots"]["nagoya"]] == [10, 15, 20]
    assert "rules" not in played  # their result is sent


def test_imported_games_and_puzzles_have_it_too(ann: Person) -> None:
    game = hv.new("classic", map="korea", players=2, seed=1)
    game.play(game.legal_moves[0])
    record = str(game.record())
    headers = {"content-type": "text/plain"}
    table = ann.post("/api/import", content=record, headers=headers).json()["id"]
    assert "markets" in {line["name"] for line in ruleset_of(ann, table)["lines"]}
    puzzle = puzzles.shipped()[0]
    found = ann.get(f"/api/puzzles/{puzzle.name}/ruleset").json()
    assert found["rulebook"] == puzzle.rulebook
    assert found["players"] == puzzle.players
    assert ann.get("/api/puzzles/atlantis/ruleset").status_code == 404
    assert ann.get("/api/tables/atlantis/ruleset").status_code == 404


def test_custom_cards_are_named_and_not_included(ann: Person) -> None:
    cards = ann.get("/api/cards/cardgame").json()
    table = ann.table([ME, BOT], rulebook="cardgame", options={"cards": cards})["id"]
    found = ruleset_of(ann, table)
    (line,) = [line for line in found["lines"] if line["name"] == "cards"]
    assert (line["value"], line["origin"]) == ("own", "option")
    assert found["board"] is None


def test_a_rulebook_without_a_ruleset_is_described_by_its_options() -> None:
    about = meta("classic")
    options = about.chosen({each.name: each.default for each in about.options} | {"money": "x"})
    found = RulesetInfo.of(Ruleset(rulebook="classic", version=1, players=2, options=options))
    assert [line.name for line in found.lines] == [option.name for option in about.options]
    assert all(line.option for line in found.lines)
    assert [line.name for line in found.lines if line.origin == "option"] == ["money"]
    assert found.board is None


# The option for a map's own rules


def test_it_is_offered_where_a_map_can_be_played_without_its_rules(ann: Person) -> None:
    offered = {
        name for name, cover in ann.get("/api/games").json()["covers"].items() if cover.get("ruled")
    }
    expected = set()
    for name in meta("classic").maps:
        file = ann.get(f"/api/maps/{name}").json()
        if file.get("rules") or file.get("rulebooks", {}).get("classic"):
            setup = {"rulebook": "classic", "map": name, "options": {"map_rules": False}}
            seats = [ME] + [OPEN] * (max(meta("classic").players) - 1)
            made = ann.post("/api/tables", json={**setup, "seats": seats}).status_code
            assert made in {201, 400}
            expected |= {name} if made == 201 else set()
    assert offered == expected
    assert {"usa", "germany", "uk_ireland"}.isdisjoint(offered)
    assert {"central_europe", "korea", "russia"} <= offered


def test_rules_for_one_rulebook_can_be_switched_off_too() -> None:
    file = hv.games()["classic"].map("usa")
    about = meta("classic")
    assert not Classic.can_drop_map_rules(about, file)
    own = file | {"rulebooks": {"classic": {"no_start": ["seattle"]}}}
    assert Classic.can_drop_map_rules(about, own)
    other = file | {"rulebooks": {"recharged": {"no_start": ["seattle"]}}}
    assert not Classic.can_drop_map_rules(about, other)
