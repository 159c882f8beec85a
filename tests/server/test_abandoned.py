"""A game in which nobody moves any more is adjourned, then ends; unless nobody waits for it."""

from collections.abc import Iterator
from typing import Any

import pytest

from finishing import counting_server, in_store
from highvoltage.rooms import abandoned, rooms
from serving import BOT, ME, OPEN, Person, Server, eventually
from spread import some


@pytest.fixture(scope="module", params=some("sqlite", of=["sqlite", "postgresql"]))
def server(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Server]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rooms, "SWEEP_SECONDS", 0.05)
        yield from counting_server(request, tmp_path_factory.mktemp("abandoned"))


def info(person: Person, table: str) -> Any:
    return person.get(f"/api/tables/{table}").json()["table"]


def made(ann: Person, seats: list[Any], **setup: Any) -> str:
    table = {"rulebook": "classic", "seats": seats, **setup}
    found: str = ann.post("/api/tables", json=table).json()["id"]
    return found


def move(person: Person, table: str) -> None:
    with person.live(table) as live:
        state = live.until(lambda s: s["legal"])
        live.move(state["legal"][0]["move"])
        live.until(lambda s: s["seq"] > state["seq"])


def test_others_are_not_kept_waiting_for_ever(
    ann: Person, bob: Person, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(abandoned, "ADJOURN_SECONDS", 0.0)
    table = made(ann, [ME, OPEN])
    bob.post(f"/api/tables/{table}/join", json={"seat": None}).raise_for_status()
    eventually(lambda: bool(info(bob, table)["closes"]))
    seen = info(bob, table)
    assert seen["closes"] == pytest.approx(seen["created"] + abandoned.CLOSE_SECONDS, abs=60)
    mover = next(each for each in (ann, bob) if info(each, table)["seats"][seen["to_move"]]["mine"])
    due = f"SELECT due FROM games WHERE id = '{table}'"
    eventually(lambda: in_store(server, due)[0][0] > seen["created"] + 86_400)  # adjourned
    monkeypatch.setattr(abandoned, "CLOSE_SECONDS", 0.0)
    move(mover, table)  # it goes on
    with ann.live(table) as live:
        live.until(lambda s: s["table"]["status"] == "broken")
    assert info(ann, table)["moves"] >= 1
    assert ann.get(f"/api/tables/{table}/record").status_code == 200
    assert info(ann, table)["closes"] is None


@pytest.mark.parametrize(
    ("seats", "pace"),
    [([ME, BOT], {"kind": "none"}), ([ME, ME], {"kind": "none"}), ([ME, BOT], {"kind": "move"})],
)
def test_nobody_is_hurried_who_keeps_nobody_waiting(
    ann: Person, server: Server, monkeypatch: pytest.MonkeyPatch, seats: list[Any], pace: Any
) -> None:
    monkeypatch.setattr(abandoned, "ADJOURN_SECONDS", 0.0)
    monkeypatch.setattr(abandoned, "CLOSE_SECONDS", 0.0)
    table = made(ann, seats, pace=pace)
    with ann.live(table) as live:
        live.until(lambda s: s["legal"])
    due = in_store(server, f"SELECT due FROM games WHERE id = '{table}'")[0][0]
    assert (due is None) == (pace["kind"] == "none")
    assert info(ann, table)["closes"] is None
    move(ann, table)
    assert info(ann, table)["status"] == "running"
