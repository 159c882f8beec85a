"""What the command says that compares the twin with the engine, and what it asks to be played."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from highvoltage.batch import check
from highvoltage.testing import Setting

PLAIN = [Setting("classic", "germany", 3), Setting("recharged", "usa", 2)]
HIDDEN = [
    Setting("classic", board, 3, {"money": "hidden"}) for board in ("germany", "usa", "italy")
]


def call(*words: str) -> int:
    """The exit status of the command, 0 if it just ends."""
    with pytest.MonkeyPatch.context() as changed:
        changed.setattr(sys, "argv", ["check", *words])
        changed.setattr(check, "covered_setups", lambda: [*HIDDEN, *PLAIN])
        try:
            check.main()
        except SystemExit as ended:
            return int(ended.code or 0)
    return 0


def line(setting: Setting, first: int, games: int, **more: Any) -> check.Line:
    counted = dict.fromkeys(check.COUNTED, games) | {"decisions": 1_000 * games}
    return {"setting": str(setting), "first": first, "events": {}} | counted | more


@pytest.mark.parametrize(
    ("words", "portions", "settings"),
    [
        ("", 2 * 4 + 1, 3),  # one of the settings with an option
        ("--games 50 --others 150", 2 + 3, 3),
        ("--games 51", 2 * 2 + 1, 3),
        ("--every", 2 * 4 + 3, 5),
        ("classic-germany-3", 4, 1),
        ("classic-italy-3-money=hidden classic-usa-3-money=hidden --others 51", 4, 2),
        ("--every --shard 0/2", 4 + 2, 3),  # those without options come first
        ("--every --shard 1/2", 4 + 1, 2),
    ],
)
def test_what_is_left_to_play_is_what_was_asked_for(
    words: str, portions: int, settings: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call("--left", *words.split()) == 0
    assert capsys.readouterr().out == f"{portions} portions of {settings} settings left\n"


def test_what_was_played_is_not_left(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    results = tmp_path / "results.jsonl"
    named = ["--left", "--results", str(results), str(PLAIN[0])]
    call(*named)  # there is no such file yet
    results.write_text(json.dumps(line(PLAIN[0], 50, 50)) + "\n", "utf-8")
    call(*named)
    assert (
        capsys.readouterr().out == "4 portions of 1 settings left\n3 portions of 1 settings left\n"
    )


def test_every_portion_is_told_and_kept_and_a_difference_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    results = tmp_path / "results.jsonl"
    differs = line(PLAIN[0], 50, 0, difference="Mismatch: money")
    played = [line(PLAIN[0], 0, 50), differs]

    def play(plan: check.Plan, processes: int, seconds: float) -> Iterator[check.Line]:
        assert (len(plan.open), processes, seconds) == (4, 2, 5.5)
        yield from played

    monkeypatch.setattr(check, "run_plan", play)
    asked = ["--processes", "2", "--seconds", "5.5", "--results", str(results), str(PLAIN[0])]
    assert call(*asked) == 1
    assert capsys.readouterr().out.splitlines() == [
        "classic-germany-3, games from 0: 50,000 decisions agree",
        "classic-germany-3, games from 50: Mismatch: money",
        "2 portions left, 1 differences",
    ]
    assert check.read_results([results]) == played
    played = played[:1]
    monkeypatch.setattr(check, "run_plan", lambda *_: iter(played))
    assert call(str(PLAIN[0])) == 0
    assert capsys.readouterr().out.endswith("3 portions left, 0 differences\n")


def test_a_summary_of_results_is_printed_without_playing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of a portion that was played twice the latest counts, whichever file it is in."""
    files = [tmp_path / "old.jsonl", tmp_path / "new.jsonl"]
    old, new = line(PLAIN[1], 0, 50, difference="money"), line(PLAIN[1], 0, 50)
    for file, one in zip(files, (old, new), strict=True):
        file.write_text(json.dumps(one) + "\n", "utf-8")
    assert call("--table", *map(str, files)) == 0
    *_, row, together = capsys.readouterr().out.splitlines()
    assert row.startswith("| recharged, usa | 1 | 50 | 50,000 | ")
    assert together.split(" | ")[-1] == "0 |"
