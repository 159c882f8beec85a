"""A new version takes over from an older one while people play, without disturbing them.

The older one is the commit before the store's schema last changed, laid out as a wheel would be, so
that its server continues on a store that the new one has migrated.
"""

import asyncio
import io
import subprocess
import tarfile
import tomllib
from functools import partial
from pathlib import Path

import pytest

import highvoltage as hv
from highvoltage.engine.game import Game
from highvoltage.games import rulebook
from highvoltage.rooms.messages import StoredSetup
from highvoltage.rooms.restore import restore
from highvoltage.rooms.rows import GameRow
from highvoltage.table import Seat
from playing import Player, compare_with_the_store, disturb
from serving import BOT, ME, OPEN, Person, Process

ROOT = Path(__file__).parent.parent.parent
MIGRATIONS = "src/highvoltage/server/store/migrations/versions"
GAMES = 4
QUICK_BOTS = "bot_seconds = 2"


def git(*arguments: str) -> bytes:
    return subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, check=False).stdout


def older_version(folder: Path) -> type[Process]:
    """Starts servers of the version before the store last changed."""
    commit = git("log", "-1", "--format=%H", "--", MIGRATIONS).decode().strip()
    packed = git("archive", f"{commit}^", "src", "pyproject.toml")
    if not packed:
        pytest.skip("the history of this checkout does not go back so far")
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        archive.extractall(folder, filter="data")
    project = tomllib.loads((folder / "pyproject.toml").read_text())["project"]
    info = folder / "src" / "highvoltage-0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: highvoltage\nVersion: 0\n")
    points = [
        "\n".join([f"[{group}]", *(f"{name} = {value}" for name, value in named.items())])
        for group, named in project["entry-points"].items()
    ]
    (info / "entry_points.txt").write_text("\n".join(points))
    paths = {"PYTHONPATH": str(folder / "src")}
    return type("Older", (Process,), {"environment": paths})


@pytest.mark.long
def test_a_new_version_takes_over_while_people_play(postgres: str, tmp_path: Path) -> None:
    older = older_version(tmp_path / "older")
    data = tmp_path / "data"
    servers: list[Process] = [older(data, postgres, QUICK_BOTS)] * 2
    with Person(servers[0], "Ann") as ann, Person(servers[0], "Bob") as bob:
        players = []
        for seed in range(GAMES):
            table = ann.table([ME, OPEN, BOT], seed=seed)["id"]
            assert bob.post(f"/api/tables/{table}/join", json={}).status_code == 201
            for at, who in enumerate((ann, bob)):
                server = partial(servers.__getitem__, at)
                players.append(Player(table, who.cookie, server, seed, 1.0, names=False))

    def second_comes() -> None:
        servers[1] = Process(data, postgres)

    def bob_moves_over() -> None:
        for player in players[1::2]:
            player.hang_up()

    def first_goes() -> None:
        first, servers[0] = servers[0], servers[1]
        assert first.stop() == 0

    steps = [("", second_comes), ("", bob_moves_over), ("", first_goes)]
    asyncio.run(disturb(players, steps, seed=1))
    assert not any(player.refused for player in players)
    assert all(1 <= player.cuts <= 2 for player in players)  # each reconnected
    compare_with_the_store(servers[1], players)
    assert servers[1].stop() == 0
    assert servers[1].errors() == []  # both write one log


@pytest.mark.rule("C-4.4.5")
def test_a_running_game_continues_with_the_version_it_began_with() -> None:
    """Version 1 skips a player who cannot pay, with hidden money too."""
    rules = rulebook("classic", 3, None, {"money": "hidden"}, version=1)
    opening = Game(rules, hv.Seeded("1"), ["Ann", "Bob", "Cyd"]).record().json()
    row = GameRow("x", "running", "classic", "", "1", False, "", 0, opening=opening)
    game = restore(row, [Seat("person")] * 3, StoredSetup(rulebook="classic"), []).game
    assert (game.rules.version, game.rules.asks_everybody) == (1, False)
    assert game.record().json() == opening
