"""A game goes on at a new table: from its record, whoever played it and wherever."""

from random import Random
from typing import Any

import pytest

import highvoltage as hv
from ours import RULEBOOKS
from serving import BOT, ME, Person
from shells import in_the_browser_too  # noqa: F401  # the fixture `server`


def begun(rulebook: str, moves: int = 60, **options: Any) -> hv.Game:
    game = hv.new(rulebook, players=3, seed=5, **options)
    rng = Random(5)
    while len(game.log) < moves and game.to_move is not None:
        game.play(rng.choice(game.legal_moves.choices))
    return game


def resume(person: Person, game: hv.Game, seats: list[Any], query: str = "", **more: Any) -> Any:
    body = {"record": str(game.record()), "seats": seats, **more}
    return person.post(f"/api/resume{query}", json=body)


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_a_game_goes_on_where_it_was(ann: Person, rulebook: str) -> None:
    game = begun(rulebook)
    table = resume(ann, game, [ME, ME, ME]).json()
    assert (table["status"], table["moves"], table["to_move"]) == ("running", 60, game.to_move)
    assert [seat["name"] for seat in table["seats"]] == list(game.names)
    with ann.live(table["id"]) as live:
        state = live.next("state")
        assert state["view"] == hv.replay(str(game.record())).view(game.to_move)
        live.move(state["legal"][0]["move"])
        live.until(lambda s: s["seq"] > state["seq"])
    then = hv.replay(ann.get(f"/api/tables/{table['id']}/record").text)
    assert [str(row.move) for row in then.log][:60] == [str(row.move) for row in game.log]
    assert len(then.log) > 60


def test_bots_go_on_in_their_seats(ann: Person) -> None:
    game = begun("classic")
    seats: list[Any] = [BOT, BOT, BOT]
    me = (game.to_move or 0) - 1
    seats[me] = ME
    table = resume(ann, game, seats).json()
    assert [seat["mine"] for seat in table["seats"]] == [seat == ME for seat in seats]
    with ann.live(table["id"]) as live:
        live.until(lambda s: s["view"]["to_move"] == me % 3)


def test_it_goes_on_after_an_earlier_move(ann: Person) -> None:
    game = begun("classic", 10_000)
    refused = resume(ann, game, [ME, ME, ME])
    assert (refused.status_code, refused.json()["code"]) == (409, "game_over")
    assert ann.get("/api/tables/mine").json() == []
    table = resume(ann, game, [ME, ME, ME], moves=12).json()
    assert table["moves"] == 12
    cut = ann.get(f"/api/tables/{table['id']}/record?moves=7").text
    assert cut == str(game.after(7).record())
    beyond = ann.get(f"/api/tables/{table['id']}/record?moves=13")
    assert beyond.status_code == 404


def test_a_repeated_request_makes_one_table(ann: Person) -> None:
    game = begun("classic")
    made = [resume(ann, game, [ME, ME, ME], "?ref=12345678").json()["id"] for _ in range(2)]
    assert made[0] == made[1]
    assert len(ann.get("/api/tables/mine").json()) == 1


def test_everybody_needs_a_seat(ann: Person) -> None:
    refused = resume(ann, begun("classic"), [ME, ME])
    assert refused.status_code == 400
    assert "3 seats" in refused.json()["message"]
    assert (
        resume(ann, begun("classic"), [ME, ME, {"kind": "bot", "bot": "nobody"}]).status_code == 400
    )
    assert ann.get("/api/tables/mine").json() == []
