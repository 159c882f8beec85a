"""Two checkouts are compared by processor time; here the times are given."""

from pathlib import Path

import pytest

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
