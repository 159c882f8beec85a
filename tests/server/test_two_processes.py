"""Two servers on one PostgreSQL serve the same tables: either accepts any move."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from serving import ME, OPEN, Live, Person, Server


@pytest.fixture
def apart(postgres: str, tmp_path: Path) -> Iterator[tuple[Person, Person]]:
    """Ann is connected to one server, Bob to the other."""
    servers = [Server(tmp_path, postgres), Server(tmp_path, postgres)]
    with Person(servers[0], "Ann") as ann, Person(servers[1], "Bob") as bob:
        yield ann, bob
    for server in servers:
        assert server.stop() == 0
        assert server.errors() == []


def moves(live: Live) -> list[str]:
    return [row["move"] for row in live.log]


def test_what_one_process_accepts_the_other_sends(apart: tuple[Person, Person]) -> None:
    ann, bob = apart
    table = ann.table([ME, OPEN], seed=5, auto=False)["id"]
    with ann.live(table) as here:
        assert here.next("state")["table"]["status"] == "open"
        assert bob.post(f"/api/tables/{table}/join", json={}).status_code == 201
        here.until(lambda s: s["table"]["status"] == "running")
        with bob.live(table) as there:
            there.until(lambda s: s["view"])
            first = here.state["view"]["to_move"]
            mover, other = (here, there) if first == 0 else (there, here)
            # a move, and its undo
            mover.until(lambda s: s["legal"])
            mover.move("nominate 3 @3")
            other.until(lambda s: s["seq"] == 1)
            assert moves(other) == ["nominate 3 @3"]
            mover.until(lambda s: s["seq"] == 1)
            mover.send("undo", seq=1)
            other.until(lambda s: s["seq"] == 2)
            assert moves(other) == []
            # a secret limit in one process answers a bid in the other
            other.send("max_bid", card="3", limit=6)
            other.until(lambda s: s["max_bids"] == {"3": 6})
            mover.until(lambda s: s["seq"] == 2)
            mover.move("nominate 3 @3")
            mover.until(lambda s: s["seq"] == 4)
            assert moves(mover) == ["nominate 3 @3", "bid 4"]
            mover.move("bid 6")
            mover.until(lambda s: s["seq"] == 6)
            assert moves(mover) == moves(other) or other.until(lambda s: s["seq"] == 6)
            assert moves(mover)[2:] == ["bid 6", "pass"]
            # chat
            there.send("chat", text="hello")
            assert here.next("chat")["lines"][0]["text"] == "hello"


def test_only_one_of_two_gets_the_last_seat(apart: tuple[Person, Person]) -> None:
    ann, bob = apart
    with Person(ann.server, "Cid") as host:
        table = host.table([ME, OPEN, OPEN])["id"]
        ann.post(f"/api/tables/{table}/join", json={"seat": 1})
        taken = bob.post(f"/api/tables/{table}/join", json={"seat": 1})
        assert taken.status_code == 409
        assert bob.post(f"/api/tables/{table}/join", json={}).json()["status"] == "running"


def test_a_stale_move_is_refused_with_what_happened_elsewhere(
    apart: tuple[Person, Person],
) -> None:
    """Both servers believe that the same person, with two windows open, is to move."""
    ann, bob = apart
    table = ann.table([ME, ME], seed=5, auto=False)["id"]
    twin = bob
    twin.cookies = ann.cookies
    with ann.live(table) as here, twin.live(table) as there:
        for live in (here, there):
            live.until(lambda s: s["legal"])
            live.move("nominate 3 @3" if live is here else "nominate 4 @4")
        for live in (here, there):
            live.until(lambda s: s["seq"] >= 1)
        assert moves(here)[:1] == moves(there)[:1]
        refusals = [text for text in here.received + there.received if '"refused"' in text]
        assert len(refusals) <= 1
