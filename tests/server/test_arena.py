"""The arena: a table at which bots always play, within a share of a processor."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from finishing import in_store
from highvoltage.rooms import scheduler
from highvoltage.rooms.context import ARENA
from highvoltage.rooms.scheduler import TurnScheduler
from highvoltage.server.people import arena
from serving import ME, OPEN, Person, Server, eventually


@pytest.fixture
def quick_arena(monkeypatch: pytest.MonkeyPatch) -> None:
    """Games by bots that are soon over."""
    monkeypatch.setattr(arena, "LOOK_SECONDS", 0.05)
    monkeypatch.setattr(arena, "RESULT_LOOKS", 0)
    monkeypatch.setattr(arena, "KEPT", 1)
    monkeypatch.setattr(arena, "BOT", "random")
    monkeypatch.setattr(scheduler, "SHOWN_SECONDS", 0.0)


@pytest.mark.usefixtures("quick_arena")
@pytest.mark.long
def test_one_game_follows_the_other(tmp_path: Path) -> None:
    server = Server(tmp_path, settings="arena_share = 1.0")
    seen: dict[str, str] = {}
    with Person(server, "Ann") as ann:

        def look() -> bool:
            if found := ann.get("/api/tonight").json()["arena"]:
                seen[found["rulebook"]] = found["id"]
                assert [seat["bot"] for seat in found["seats"]] == ["random"] * 4
                assert (found["public"], found["host"]) == (True, False)
            return {"cardgame", "classic"} <= {*seen}

        eventually(look)
        assert ann.get("/api/tonight").json()["best"] is None  # which is for people
        assert ann.get(f"/api/tables/{seen['cardgame']}/line").status_code == 200
        eventually(lambda: ann.get(f"/api/tables/{seen['classic']}").status_code == 404)
        assert ann.delete(f"/api/tables/{seen['cardgame']}").status_code == 403
    assert server.stop() == 0

    (tmp_path / "server.toml").write_text("arena_share = 0.0")
    server.start()
    unfinished = f"SELECT id FROM games WHERE host = '{ARENA}' AND status != 'finished'"
    eventually(lambda: in_store(server, unfinished) == [])
    with Person(server, "Ann") as ann:
        assert ann.get("/api/tonight").json()["arena"] is None
    assert server.stop() == 0
    assert server.errors() == []


@pytest.mark.usefixtures("quick_arena")
@pytest.mark.parametrize(("share", "kept"), [("0.0", [2, 3]), ("0.5", [2, 3, 4])])
def test_the_latest_games_can_be_watched_again_and_one_goes_on(
    share: str, kept: list[int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of two that were begun the earlier stays, where there is an arena."""
    monkeypatch.setattr(arena, "KEPT", 2)
    server = Server(tmp_path, settings="arena_share = 0.0")
    with Person(server, "Ann") as ann:
        tables = [ann.table([ME, OPEN])["id"] for _ in range(6)]
        mine = ann.table([ME, OPEN])["id"]
    assert server.stop() == 0
    over = "', '".join(tables[:4])
    in_store(
        server,
        f"UPDATE games SET host = '{ARENA}' WHERE id != '{mine}'",
        f"UPDATE games SET status = 'finished' WHERE id IN ('{over}')",
    )
    (tmp_path / "server.toml").write_text(f"arena_share = {share}")
    server.start()
    of_arena = f"SELECT id FROM games WHERE host = '{ARENA}' ORDER BY created"
    eventually(lambda: in_store(server, of_arena) == [(tables[n],) for n in kept])
    with Person(server) as somebody:
        assert somebody.get(f"/api/tables/{tables[0]}").status_code == 404
        assert somebody.get(f"/api/tables/{mine}").status_code == 200
    assert server.stop() == 0
    assert server.errors() == []


def test_bots_rest_so_long_that_they_keep_to_the_share() -> None:
    def rest(host: str, thought: float, share: float) -> float:
        context = SimpleNamespace(arena_share=share)
        room: Any = SimpleNamespace(row=SimpleNamespace(host=host), context=context)
        return TurnScheduler(room)._rest(thought)

    assert rest(ARENA, thought=1.0, share=0.1) == pytest.approx(9.0)
    assert rest(ARENA, thought=0.01, share=0.5) == scheduler.SHOWN_SECONDS
    assert rest("somebody", thought=1.0, share=0.1) == 0.0
