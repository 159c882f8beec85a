"""A scripted model plays at a server, over streamable HTTP with a token."""

import asyncio
from collections.abc import Awaitable, Iterator
from pathlib import Path
from typing import Any

import pytest

from highvoltage.server.guard import budget
from highvoltage.server.models import endpoint
from mcp_models import asker, connected, play_game
from ours import RULEBOOKS
from serving import BOT, ME, OPEN, Person, Server

Call = tuple[str, dict[str, Any]]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    found = Server(tmp_path_factory.mktemp("server"))
    yield found
    assert found.stop() == 0
    assert found.errors() == []


@pytest.fixture
def ann(server: Server) -> Iterator[Person]:
    with Person(server, "Ann") as person:
        yield person


def token_of(person: Person) -> str:
    return str(person.post("/api/token").json()["token"])


def run(server: Server, token: str, *calls: Call) -> list[str]:
    async def all_answers() -> list[str]:
        async with connected(server, token) as client:
            ask = asker(client)
            return [await ask(tool, **arguments) for tool, arguments in calls]

    return asyncio.run(all_answers())


@pytest.mark.long
@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_a_whole_game(rulebook: str, server: Server, ann: Person) -> None:
    async def play() -> str:
        async with connected(server, token_of(ann)) as client:
            return await play_game(asker(client), 1, rulebook=rulebook, players=2)

    assert "Places: " in asyncio.run(play())
    assert [table["status"] for table in ann.get("/api/tables/mine").json()] == ["finished"]


def test_without_a_token_there_is_no_door(server: Server) -> None:
    with Person(server) as guest:
        refused = guest.post("/mcp", json={})
        assert (refused.status_code, refused.json()["code"]) == (401, "bad_token")
        assert refused.headers["www-authenticate"] == "Bearer"
        forged = guest.post("/mcp", json={}, headers={"Authorization": "Bearer x.y"})
        assert forged.status_code == 401


def test_without_the_extra_there_is_no_such_address(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("highvoltage.server.app.is_installed", lambda: False)
    plain = Server(tmp_path)
    with Person(plain, "Ann") as person:
        headers = {"Authorization": f"Bearer {token_of(person)}"}
        assert person.post("/mcp", json={}, headers=headers).status_code in {404, 405}
    assert plain.stop() == 0


def test_only_posts_are_answered(ann: Person) -> None:
    headers = {"Authorization": f"Bearer {token_of(ann)}"}
    refused = ann.get("/mcp", headers=headers)
    assert (refused.status_code, refused.headers["allow"]) == (405, "POST")


def test_a_model_joins_a_table_of_people(server: Server, ann: Person) -> None:
    with Person(server, "Bob") as bob:
        table = bob.table([ME, OPEN, BOT], rulebook="cardgame", seed=1)["id"]
        early, joined, seen, twice = run(
            server,
            token_of(ann),
            ("look", {"table": table}),
            ("join", {"table": table}),
            ("look", {}),
            ("join", {"table": table}),
        )
    assert f"You have no seat at table {table}" in early
    assert joined.startswith(f"{table}: cardgame, running, ")
    assert "You are Ann" in seen
    assert twice.startswith("refused: ")


def test_a_key_hands_a_seat_over(server: Server, ann: Person) -> None:
    with Person(server, "Bob") as bob:
        table = bob.table([ME, ME], rulebook="cardgame", seed=1)["id"]
        key = bob.post(f"/api/tables/{table}/key", json={"seat": 1}).json()["key"]
    joined, seen = run(
        server, token_of(ann), ("join", {"table": table, "key": key}), ("look", {"table": table})
    )
    assert f"{table}: cardgame, running, Bob, Ann, " in joined
    assert "You are Bob 2" in seen  # as the seat was called when the game began


def test_a_newcomer_sits_nowhere(server: Server) -> None:
    with Person(server, "Bob") as bob:
        told = run(server, token_of(bob), ("tables", {}))
    assert told == ["You sit at no table. Start a game or join one."]


def test_an_open_table_has_no_position_yet(server: Server, ann: Person) -> None:
    table = ann.table([ME, OPEN], rulebook="cardgame")["id"]
    answer, wrong = run(
        server, token_of(ann), ("look", {"table": table}), ("join", {"table": "../me"})
    )
    assert f"The game at table {table} has not begun: a seat is open." in answer
    assert "There is no such table." in wrong


def test_waiting_ends_with_the_turn(server: Server, ann: Person) -> None:
    with Person(server, "Bob") as bob:
        table = bob.table([ME, OPEN], rulebook="cardgame", seed=2)["id"]
        join = run(server, token_of(ann), ("join", {"table": table}))
        assert "refused" not in join[0]
        with bob.live(table) as live:
            live.until(lambda s: s["view"])
            bobs_turn = live.state["view"]["to_move"] == live.state["you"]
            waited, stays = run(
                server,
                token_of(ann),
                ("wait", {"table": table, "seconds": 0}),
                ("legal_moves", {"table": table}),
            )
            assert waited == ("It is still the turn of Bob." if bobs_turn else "It is your turn.")
            assert stays.startswith("It is the turn of Bob" if bobs_turn else "Your legal moves")
            if bobs_turn:
                live.move(live.state["legal"][0]["move"])
                live.until(lambda s: s["view"]["to_move"] != s["you"])
            (waited,) = run(server, token_of(ann), ("wait", {"table": table}))
            assert waited == "It is your turn."


def test_a_refused_move_names_its_rule_and_changes_nothing(server: Server, ann: Person) -> None:
    table = ann.table([ME, ME], rulebook="classic", seed=1)["id"]
    before, refused, why, legal, after = run(
        server,
        token_of(ann),
        ("look", {"table": table}),
        ("play", {"table": table, "move": "nominate 3 @2"}),
        ("why", {"table": table, "move": "nominate 3 @2"}),
        ("why", {"table": table, "move": "nominate 3 @3"}),
        ("look", {"table": table}),
    )
    assert "(C-4.2.1)\n**C-4.2.1**" in refused
    assert refused.endswith(why)
    assert legal == "This move is legal now."
    assert before == after


def test_chat_is_off_by_default(server: Server, ann: Person, tmp_path: Path) -> None:
    table = ann.table([ME, ME], rulebook="cardgame", seed=1)["id"]
    (refused,) = run(server, token_of(ann), ("say", {"table": table, "text": "Hello"}))
    assert "Unknown tool" in refused
    talking = Server(tmp_path, settings="model_chat = true")
    with Person(talking, "Bob") as bob:
        table = bob.table([ME, ME], rulebook="cardgame", seed=1)["id"]
        quiet, said, heard = run(
            talking,
            token_of(bob),
            ("chat", {"table": table}),
            ("say", {"table": table, "text": "Hello\n  there"}),
            ("chat", {"table": table}),
        )
    assert (quiet, said, heard) == ("Nobody has said anything.", "Said.", "Bob: Hello there")
    assert talking.stop() == 0


def test_a_model_pays_for_its_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the tools do counts for the visitor, so that one model cannot slow down the others."""
    paying: list[bool] = []

    async def noted(work: Awaitable[str]) -> str:
        paying.append(budget._paying.get() is not None)
        return await budget.at_own_expense(work)

    monkeypatch.setattr(endpoint, "at_own_expense", noted)
    server = Server(tmp_path)
    with Person(server, "Ann") as ann:
        run(server, token_of(ann), ("rules", {"words": "plant"}))
    assert paying == [True]
    assert server.stop() == 0


def test_work_in_another_task_is_paid_by_the_same_visitor() -> None:
    spent: list[float] = []

    class Counted(budget.Budget):
        def spend(self, seconds: float) -> None:
            spent.append(seconds)

    async def work() -> str:
        return "done"

    async def request() -> str:
        before = len(spent)
        answer = await asyncio.create_task(budget.at_own_expense(work()))
        assert len(spent) == before + 2  # the first step of this task, and the other task
        return answer

    assert asyncio.run(Counted().charge(request())) == "done"
    assert asyncio.run(budget.at_own_expense(work())) == "done"
