"""Own maps over HTTP: their form, their faults, and new ones, without a table."""

import json
from typing import Any

import msgspec
import pytest

from highvoltage.engine.parts.board import known_maps, load_map
from highvoltage.engine.parts.mapform import MapRules
from highvoltage.games import check_map
from highvoltage.mapmaker import judge as judging
from highvoltage.mapmaker import make_map, random_map
from highvoltage.mapmaker.mending import mend_costs
from highvoltage.rooms.messages import MapTrial
from highvoltage.rooms.thinking import (
    CheckMapRequest,
    JudgeMapRequest,
    MapReply,
    MendMapRequest,
    reply_to,
)
from serving import Person
from shells import in_the_browser_too  # noqa: F401  # the fixture `server`


@pytest.fixture
def germany() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(known_maps()["germany"].path.read_text("utf-8"))
    return found


def test_the_form_names_every_field_and_the_rule_behind_it(ann: Person) -> None:
    form = ann.get("/api/maker/form").json()
    fields = form["schema"]["$defs"]["MapRules"]["properties"]
    assert {*fields} == {*MapRules.__struct_fields__} <= {*form["rules"]}
    assert {*form["rules"]} - {*fields} <= {*form["schema"]["$defs"]["Map"]["properties"]}
    assert fields["no_start"]["items"]["place"] == "city"
    for rule in {*form["rules"].values()}:
        assert ann.get(f"/api/rule/{rule}").json()["text"], rule


def test_faults_are_those_of_map_check_and_make_no_table(
    ann: Person, germany: dict[str, Any]
) -> None:
    assert ann.post("/api/maker/check", json={"map": germany}).json() == {"problems": []}
    germany["connections"].append(["kiel", "atlantis", 9])
    germany["cities"][0]["region"] = "nowhere"
    found = ann.post("/api/maker/check", json={"map": germany}).json()["problems"]
    assert found == check_map(germany)
    assert any("atlantis" in fault for fault in found)
    assert any("nowhere" in fault for fault in found)
    assert ann.get("/api/tables/mine").json() == []


@pytest.mark.parametrize("hostile", [{}, {"cities": 7}, {"regions": ["x"] * 13}, {"id": []}])
def test_any_content_is_answered_with_faults(ann: Person, hostile: dict[str, Any]) -> None:
    answer = ann.post("/api/maker/check", json={"map": hostile})
    assert answer.status_code == 200
    assert answer.json()["problems"]


def test_a_map_that_is_too_large_is_refused(ann: Person) -> None:
    answer = ann.post("/api/maker/check", json={"map": {"name": "x" * 100_001}})
    assert (answer.status_code, answer.json()["code"]) == (413, "too_large")


@pytest.mark.parametrize("request_", [CheckMapRequest, JudgeMapRequest, MendMapRequest])
def test_a_map_is_measured_before_anything_is_done_with_it(
    request_: Any, germany: dict[str, Any]
) -> None:
    size = len(msgspec.json.encode(germany))
    asked = germany if request_ is CheckMapRequest else MapTrial(germany, games=1)
    problem = reply_to(request_(asked, size - 1)).problem  # type: ignore[union-attr]
    assert problem is not None
    assert (problem.code, problem.message) == (
        "too_large",
        f"Your own map must not be larger than {size - 1:,} bytes.",
    )
    if request_ is CheckMapRequest:
        assert reply_to(CheckMapRequest(germany, size)) == MapReply()


def test_a_map_is_made_by_its_seed(ann: Person) -> None:
    wish = {"seed": "7", "cities": 35, "regions": 5, "language": "pl"}
    made = ann.post("/api/maker/make", json=wish).json()
    again = make_map("7", 35, 5, "germany", "pl")
    assert made == json.loads(msgspec.json.encode(msgspec.to_builtins(again, str_keys=True)))
    assert ann.post("/api/maker/check", json={"map": made}).json() == {"problems": []}
    refused = ann.post("/api/maker/make", json={**wish, "cities": 20})
    assert refused.status_code == 400
    assert "7 to 9 cities" in refused.json()["message"]


@pytest.mark.long
def test_games_on_a_map_go_on_where_they_were(
    ann: Person, germany: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(judging, "BATCH_GAMES", 1)  # where the shell of a browser answers
    so_far: dict[str, Any] = {}
    for _ in range(2):
        before = so_far.get("games", 0)
        body = {"map": germany, **({"so_far": so_far} if so_far else {})}
        found = ann.post("/api/maker/judge", json=body).json()
        so_far = found["so_far"]
        assert found["games"] == so_far["games"] > before
        assert found["of"] == judging.GAMES
    again = judging.judge("germany", found["games"])
    for figure, whole in zip(found["figures"], again.figures, strict=True):
        assert figure == pytest.approx(msgspec.to_builtins(whole))  # shares are added in parts
    assert [tuple(link) for link in found["unused"]] == [*again.unused]


def test_no_more_games_are_played_than_wanted(ann: Person, germany: dict[str, Any]) -> None:
    wish = {"map": germany, "games": 2, "seed": "mend/0"}
    found = ann.post("/api/maker/judge", json=wish).json()
    if found["games"] < 2:
        found = ann.post("/api/maker/judge", json={**wish, "so_far": found["so_far"]}).json()
    assert found["games"] == 2
    again = judging.judge("germany", 2, "mend/0")
    for figure, whole in zip(found["figures"], again.figures, strict=True):
        assert figure == pytest.approx(msgspec.to_builtins(whole))


def test_costs_are_mended_where_the_games_were_odd(ann: Person, germany: dict[str, Any]) -> None:
    board = load_map("germany")
    shares = (1.0, 0.0, 0.0, 0.0)
    firsts = ("essen", "kiel", "berlin", "koeln")
    sample = judging.Sample(
        10, shares, firsts, (0, 1, 2, 3), "essen", board.regions, frozenset(), frozenset(), 1.0, ()
    )
    so_far = judging.tally([sample] * 400, board)
    body = {"map": germany, "so_far": msgspec.to_builtins(so_far)}
    mended = ann.post("/api/maker/mend", json=body).json()
    wanted = mend_costs(board, judging.verdict(so_far, board))
    assert mended["connections"] == [*msgspec.to_builtins(wanted.connections)]
    assert mended["connections"] != germany["connections"]
    assert ann.post("/api/maker/mend", json={"map": germany}).status_code == 400  # without games


def test_only_a_map_that_can_be_played_is_judged(ann: Person, germany: dict[str, Any]) -> None:
    odd = {"games": 3, "cities": {"atlantis": [1, 1.0, 1.0]}}
    refused = ann.post("/api/maker/judge", json={"map": germany, "so_far": odd})
    assert (refused.status_code, "so_far" in refused.json()["message"]) == (400, True)
    germany["connections"].append(["kiel", "atlantis", 9])
    refused = ann.post("/api/maker/judge", json={"map": germany})
    assert (refused.status_code, refused.json()["code"]) == (400, "map_error")


@pytest.mark.long
def test_a_table_with_a_random_map_has_one_of_its_own(ann: Person) -> None:
    seats = [{"kind": "me"}, {"kind": "bot", "bot": "clerk"}]
    table = ann.table(seats, map="random", seed="7")["id"]
    cities = ann.get(f"/api/tables/{table}/ruleset").json()["board"]["cities"]
    assert [city["id"] for city in cities] == [city["id"] for city in random_map("7")["cities"]]
    refused = ann.post(
        "/api/tables", json={"rulebook": "cardgame", "map": "random", "seats": [*seats, seats[1]]}
    )
    assert refused.status_code == 400
