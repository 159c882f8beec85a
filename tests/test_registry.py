import json
import os
import subprocess
import sys
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest

from highvoltage import maps, registry
from highvoltage.engine.parts.board import known_maps, load_map, maps_of
from highvoltage.entrypoints import entry_points


class Stranger:
    """A third-party package, laid out as an installer leaves it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        about = folder / "stranger-1.0.dist-info"
        about.mkdir()
        (about / "METADATA").write_text("Metadata-Version: 2.1\nName: stranger\nVersion: 1.0\n")
        self._entries = about / "entry_points.txt"

    def registers(self, group: str, **entries: str) -> None:
        lines = [f"[highvoltage.{group}]", *(f"{key} = {value}" for key, value in entries.items())]
        with self._entries.open("a") as file:
            print(*lines, sep="\n", file=file)

    def map(self, name: str, **changes: Any) -> None:
        """A map file in the package `boards`: the USA with some changes."""
        usa = json.loads(known_maps()["usa"].path.read_text("utf-8"))
        (self.folder / "boards").mkdir(exist_ok=True)
        board = {**usa, "id": name, "played_by": ["classic"], **changes}
        (self.folder / "boards" / f"{name}.json").write_text(json.dumps(board))

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "highvoltage", *words],
            env={**os.environ, "PYTHONPATH": str(self.folder)},
            capture_output=True,
            text=True,
            check=False,
        )


@pytest.fixture
def stranger(tmp_path: Path) -> Stranger:
    return Stranger(tmp_path)


@pytest.mark.parametrize("kind", ["rulebooks", "maps", "bots", "words"])
def test_the_entry_points_are_those_that_python_finds(
    kind: str, stranger: Stranger, monkeypatch: pytest.MonkeyPatch
) -> None:
    stranger.registers(kind, mine="some.module:THING", other=" some.module : OTHER [extra]")
    stranger.registers("unrelated", theirs="some.module")
    monkeypatch.syspath_prepend(stranger.folder)
    group = f"highvoltage.{kind}"
    expected = {(each.name, each.module, each.attr) for each in metadata.entry_points(group=group)}
    found = entry_points(group)
    assert {(each.name, *map(str.strip, (each.value + ":").split(":")[:2])) for each in found} == {
        (name, module, attr or "") for name, module, attr in expected
    }
    assert {each.package for each in found if each.name == "mine"} == {"stranger"}


def test_a_rulebook_that_fails_to_load_is_named_and_left_out(stranger: Stranger) -> None:
    stranger.registers("rulebooks", broken="no_such_module:EDITION")
    ended = stranger.run("games", "--json")
    assert ended.returncode == 0
    assert "broken" not in json.loads(ended.stdout)
    assert "The rulebook 'broken' of stranger is left out: no_such_module:EDITION" in ended.stderr
    assert "No module named 'no_such_module'" in ended.stderr


def test_requesting_a_rulebook_that_fails_to_load_says_why(stranger: Stranger) -> None:
    stranger.registers("rulebooks", broken="no_such_module:EDITION")
    ended = stranger.run("simulate", "broken")
    assert ended.returncode == 1
    assert "highvoltage: no_such_module:EDITION cannot be loaded" in ended.stderr


def test_a_name_cannot_be_registered_twice(stranger: Stranger) -> None:
    stranger.registers("rulebooks", classic="highvoltage.games.outpost:EDITION")
    ended = stranger.run("games", "--json")
    assert json.loads(ended.stdout)["classic"]["title"] == "Power Grid (2004)"
    assert "The rulebook 'classic' of stranger is left out" in ended.stderr
    assert "highvoltage has one of this name" in ended.stderr


def test_maps_are_found_and_one_that_cannot_be_played_is_named_and_left_out(
    stranger: Stranger,
) -> None:
    stranger.registers("maps", stranger="boards")
    stranger.map("far_away", called="moon")
    stranger.map("cut_off", connections=[])
    stranger.map("usa")
    ended = stranger.run("games", "--json")
    maps = json.loads(ended.stdout)["classic"]["maps"]
    assert maps["moon"] == "far_away"
    assert "cut_off" not in maps
    assert "cut_off.json is left out" in ended.stderr
    assert "usa.json is left out: there is another one with the id 'usa'" in ended.stderr


def test_a_file_added_to_our_own_maps_is_found_even_without_an_id(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    usa = json.loads(known_maps()["usa"].path.read_text("utf-8"))
    del usa["id"], usa["layout"]
    (tmp_path / "My land.json").write_text("\ufeff" + json.dumps(usa), "utf-8")
    (tmp_path / "torn.json").write_text("{")
    monkeypatch.setattr(maps, "__path__", [*maps.__path__, str(tmp_path)])
    known_maps.cache_clear()
    try:
        with pytest.warns(registry.RegistryWarning, match="torn.json is left out: line 1"):
            assert maps_of(["classic"])["my_land"] == "my_land"
        assert load_map("my_land").id == "my_land"
    finally:
        known_maps.cache_clear()


def test_a_record_contains_the_map_of_another_package(stranger: Stranger, tmp_path: Path) -> None:
    """It can be replayed without that package."""
    stranger.registers("maps", stranger="boards")
    stranger.map("far_away")
    records = tmp_path / "records"
    words = ["--map", "far_away", "--bots", "random", "--games", "1", "--jobs", "1"]
    ended = stranger.run("simulate", "classic", *words, "--records", str(records))
    assert ended.returncode == 0, ended.stderr
    replay = [sys.executable, "-m", "highvoltage", "replay", str(records / "000000.txt")]
    assert subprocess.run(replay, capture_output=True, check=False).returncode == 0
