"""Benchmarks are called alike and write nothing unasked; here the times they compare are given."""

import json
import os
import sys
from argparse import Namespace
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from benchmarks import ROOT, codec, growth, peers
from benchmarks.compare import compared, source_of
from benchmarks.measuring import Report

FOLDER = ROOT / "benchmarks"
SCRIPTS = [each.stem for each in sorted(FOLDER.glob("*.py")) if "__main__" in each.read_text()]
REPORT = Report(Namespace(json=False))


def stamps() -> dict[Path, int]:
    """When everything that a benchmark might write was written."""
    written = (*FOLDER.rglob("*"), *(ROOT / "docs").glob("*"), *(ROOT / "src").rglob("*.json"))
    return {each: each.stat().st_mtime_ns for each in written if each.is_file()
            and "__pycache__" not in each.parts}  # fmt: skip


def test_every_benchmark_explains_itself_and_speaks_json(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    if sys.modules.get("uvloop", ()) is None:  # as tests of the server leave it
        monkeypatch.delitem(sys.modules, "uvloop")
    before = stamps()
    assert len(SCRIPTS) > 15
    for name in SCRIPTS:
        with pytest.raises(SystemExit) as ended:
            import_module(f"benchmarks.{name}").main(["--help"])
        shown = capsys.readouterr().out
        assert ended.value.code == 0, name
        assert "--json" in shown, name
        assert f"benchmarks.{name}" in shown, f"{name} does not say how it is called"
    assert stamps() == before
    assert [*tmp_path.iterdir()] == []


def test_a_benchmark_answers_in_json_and_writes_only_when_asked(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    curves: dict[str, Any] = {"classic": {2: 10.0, 3: 20.0}}
    found = growth.Growth(curves, {"finished": {"classic": 3.0}}, {1: (1.0, 2.0)})
    monkeypatch.setattr(growth, "measure", lambda: found)
    monkeypatch.setattr(growth, "HERE", tmp_path)
    growth.main(["--json"])
    assert json.loads(capsys.readouterr().out)["games_per_second"]["classic"]["3"] == 20
    assert [*tmp_path.iterdir()] == []
    (tmp_path / "README.md").write_text("<!-- growth -->\nold\n<!-- end -->\n")
    growth.main(["--write"])
    assert "| classic | 10 | 20 |" in (tmp_path / "README.md").read_text()
    assert {each.name for each in tmp_path.iterdir()} == {"README.md", "growth.svg"}


def test_each_row_is_one_line_of_json(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(codec, "measure", lambda _, games: [1.0, 2.0, 3.0, games])
    codec.main(["--json", "--games", "2"])
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert len(rows) == len(codec.SETTINGS)
    assert rows[0]["mask_us"] == rows[0]["observe_us"] == 2


def test_what_is_slower_by_more_than_the_tolerance_is_named() -> None:
    before = {"move": [10.0, 20.0], "copy": [5.0]}
    pairs = [[before, {"move": [9.9, 20.9], "copy": [time]}] for time in (5, 5.2, 9)]
    assert compared(REPORT, pairs, tolerance=0.03) == ["copy"]
    assert compared(REPORT, pairs, tolerance=0.05) == []


def test_what_only_one_of_two_checkouts_can_do_is_left_out(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert (
        compared(REPORT, [[{"move": [1.0], "old": [1.0]}, {"move": [1.0], "new": [1.0]}]], 0.03)
        == []
    )
    assert "old" not in capsys.readouterr().out


def test_a_checkout_is_a_folder_or_known_to_git(tmp_path: Path) -> None:
    assert source_of(str(ROOT), tmp_path) == ROOT / "src"
    with pytest.raises(SystemExit, match="'nowhere' is neither a checkout nor known to git"):
        source_of("nowhere", tmp_path)


STUB = """#!{python}
import sys
if "-d" not in sys.argv:  # the Java compiler writes; Java answers
    for line in sys.stdin:
        kind, count = line.split()
        print(count, 500 * int(count), 0.25 * int(count), flush=True)
"""


def test_a_peer_is_asked_in_turns_and_compared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("java", "javac"):
        (tmp_path / name).write_text(STUB.format(python=sys.executable))
        (tmp_path / name).chmod(0o755)
    (tmp_path / "target" / "classes").mkdir(parents=True)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    monkeypatch.setattr(peers, "BATCH", {"games": 1, "new": 2, "copy": 3})
    options = ["--tag", str(tmp_path), "--rulebooks", "cardgame", "--rounds", "2", "--warm-up", "1"]
    peers.main(options)
    _, _, tag, cardgame = capsys.readouterr().out.splitlines()
    assert tag == "| TAG | 4 | 500 | 1.00 (1.00 to 1.00) | 250000.0 µs | 250000.0 µs |"
    assert cardgame.startswith("| cardgame, pure |")


def test_a_peer_that_ends_is_named() -> None:
    peer = peers.Peer("TAG", [sys.executable, "-c", "raise SystemExit(3)"])
    with pytest.raises(SystemExit, match="TAG ended with status 3"):
        peer.ask("games")
    peer.close()
