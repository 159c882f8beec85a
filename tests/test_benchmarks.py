"""Two checkouts, and the engine and others, are compared by processor time; here it is given."""

import os
import sys
from pathlib import Path

import pytest

from benchmarks import peers
from benchmarks.compare import ROOT, compared, source_of


def test_what_is_slower_by_more_than_the_tolerance_is_named() -> None:
    before = {"move": [10.0, 20.0], "copy": [5.0]}
    pairs = [[before, {"move": [9.9, 20.9], "copy": [time]}] for time in (5, 5.2, 9)]
    assert compared(pairs, tolerance=0.03) == ["copy"]
    assert compared(pairs, tolerance=0.05) == []


def test_what_only_one_of_two_checkouts_can_do_is_left_out(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert compared([[{"move": [1.0], "old": [1.0]}, {"move": [1.0], "new": [1.0]}]], 0.03) == []
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
    monkeypatch.setattr(sys, "argv", ["peers.py", *options])
    peers.main()
    _, _, tag, cardgame = capsys.readouterr().out.splitlines()
    assert tag == "| TAG | 4 | 500 | 1.00 (1.00 to 1.00) | 250000.0 µs | 250000.0 µs |"
    assert cardgame.startswith("| cardgame, pure |")


def test_a_peer_that_ends_is_named() -> None:
    peer = peers.Peer("TAG", [sys.executable, "-c", "raise SystemExit(3)"])
    with pytest.raises(SystemExit, match="TAG ended with status 3"):
        peer.ask("games")
    peer.close()
