"""The table of how strong the bots are: what was played, and no more."""

import shutil
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from benchmarks import strength
from benchmarks.strength import PAGE, Played, Row, line_of, open_games, rows, share_won
from highvoltage.engine.parts.board import maps_of, shipped_maps
from highvoltage.tournament import Result

WEIGHTS: Any = files("highvoltage.bots.tycoon") / "weights"
PAIR = Row("classic", "tycoon,engineer", 4, 70)


def result(number: int, seats: tuple[int, ...], places: tuple[int, ...]) -> Result:
    none = tuple(0 for _ in seats)
    return Result(
        number,
        seats,
        finished=True,
        rounds=9,
        places=places,
        decisions=none,
        seconds=none,
        medians=none,
    )


def test_the_page_shows_what_was_played(tmp_path: Path) -> None:
    page = tmp_path / "bots.md"
    shutil.copy(PAGE, page)
    strength.write(Played(), page)
    assert page.read_text("utf-8") == PAGE.read_text("utf-8")


def test_every_board_has_a_row_and_every_row_is_another() -> None:
    found = [*rows()]
    assert len({row.key for row in found}) == len(found)
    for rulebook in ("classic", "recharged"):
        there = {row.board or "germany" for row in found if row.rulebook == rulebook}
        assert there == {*maps_of([rulebook])} & {*map(called, shipped_maps())}


def called(board: str) -> str:
    """Two maps have an edition of their own for Recharged, called as the others."""
    return board.removesuffix("_recharged")


def test_the_first_bot_wins_where_it_sits_and_shares_a_shared_victory() -> None:
    assert share_won(result(0, (0, 1), (1, 2))) == 1
    assert share_won(result(1, (1, 0), (1, 2))) == 0
    assert share_won(result(2, (1, 0), (1, 1))) == 0.5


def test_games_are_kept_and_not_played_again(tmp_path: Path) -> None:
    played = Played(tmp_path / "kept.jsonl")
    assert len(open_games([PAIR], played)) == 4
    for number, places in enumerate([(1, 2), (2, 1), (1, 2)]):
        played.add(PAIR, result(number, (0, 1), places))
    again = Played(tmp_path / "kept.jsonl")
    assert open_games([PAIR], again) == [(PAIR, 3)]
    line = (
        "| classic | `tycoon,engineer` | 3 of 4 | 66.7 % | 20.8 to 93.9 | 70 %: not beyond doubt |"
    )
    assert line_of(PAIR, again) == line


@pytest.mark.parametrize(("board", "network"), [(None, "classic"), ("korea", "classic-boards")])
def test_a_row_names_the_network_that_plays_it(board: str | None, network: str) -> None:
    weights = (WEIGHTS / f"{network}.safetensors").read_bytes()
    assert PAIR._replace(board=board).key.split()[-1] == sha256(weights).hexdigest()[:8]
    assert Row("classic", "clerk,random", 4).key == "classic `clerk,random` fresh40"


def test_what_another_network_played_does_not_count(tmp_path: Path) -> None:
    kept = tmp_path / "kept.jsonl"
    kept.write_text('["classic `tycoon,engineer` fresh40 01234567",0,1]\n')
    assert not Played(kept).of(PAIR)
