"""Everything that has been shown is in the file: a game that is killed resumes as it was shown."""

import os
import pty
import shlex
import signal
import sys
from itertools import cycle, islice
from pathlib import Path
from random import Random
from typing import Any, NoReturn

import pytest
from rich.console import Console

import highvoltage as hv
from cli.typing_players import Typed, sit, type_lines
from highvoltage.cli.game_spec import game_spec, new_table, resume_table
from highvoltage.cli.play import TerminalGame
from highvoltage.cli.saved_table import SavedTable
from highvoltage.engine.record import read_record
from spread import some

RULEBOOKS = ("classic", "recharged", "cardgame", "outpost")
TYPED = ("pass", "5", "1", "done", "6")
"""Typed repeatedly, these get through any game; what does not fit is refused."""


def begun(rulebook: str, file: Path, seed: str) -> SavedTable:
    bots = ["apprentice", "engineer"]
    return new_table(game_spec(rulebook, None, 3, ["Ann"], bots, [], seed, hotseat=False), file)


class Watched(Typed):
    """Records at every printed line how far the game is, and whether the file is as far."""

    def __init__(self, saved: SavedTable, lines: int) -> None:
        super().__init__(islice(cycle(TYPED), lines))
        self.saved = saved
        self.moves_at: list[int] = []  # how many there were when each line of the log was shown
        self.unsaved: list[str] = []

    def print(self, *shown: Any, **how: Any) -> None:
        super().print(*shown, **how)
        line = " ".join(map(str, shown))
        if line.startswith("· "):
            self.moves_at.append(len(self.saved.game.log))
        if self.saved.file.read_text("utf-8") != str(self.saved.table.record()):
            self.unsaved.append(line)


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_every_move_is_in_the_file_before_it_is_shown(rulebook: str, tmp_path: Path) -> None:
    saved = begun(rulebook, tmp_path / "game.txt", "3")
    console = Watched(saved, lines=20)
    TerminalGame(saved, console).run()
    assert not console.unsaved
    assert {row.seat for row in saved.game.log} == {0, 1, 2}


@pytest.mark.parametrize("rulebook", some("classic", "cardgame", of=RULEBOOKS))
def test_a_game_that_is_killed_at_any_line_resumes_as_it_was_shown(
    rulebook: str, tmp_path: Path
) -> None:
    whole = begun(rulebook, tmp_path / "whole.txt", "3")
    console = Watched(whole, lines=20)
    TerminalGame(whole, console).run()
    for shown in Random(rulebook).sample(range(1, len(console.moves_at)), 2):
        file = tmp_path / f"killed-{shown}.txt"
        kill_after(shown, begun(rulebook, file, "3"))
        again = resume_table(file, [], [], file).game
        assert len(again.log) >= console.moves_at[shown - 1]
        then = whole.game.after(len(again.log))
        assert again.log == then.log
        assert [again.view(seat) for seat in range(3)] == [then.view(seat) for seat in range(3)]


def kill_after(shown: int, saved: SavedTable) -> None:
    """Play in a separate process, and kill it when this many lines of the log are on the screen."""
    child, terminal = pty.fork()
    if child == 0:
        play_here(saved)
    typed = cycle(TYPED)
    screen = ""
    while screen.count("\n· ") < shown:
        screen += os.read(terminal, 1 << 16).decode(errors="replace")
        if screen.endswith("\n> "):
            os.write(terminal, f"{next(typed)}\n".encode())
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    os.close(terminal)


def play_here(saved: SavedTable) -> NoReturn:
    try:
        sys.stdin, screen = os.fdopen(0), os.fdopen(1, "w")
        TerminalGame(saved, Console(file=screen, width=80, color_system=None)).run()
    finally:
        os._exit(0)


def test_what_was_saved_but_not_shown_is_printed_on_resuming(tmp_path: Path) -> None:
    names = ["Ann", "Clerk Ada"]
    game = hv.new("classic", players=names, chance=hv.Scripted(order=[0, 1]))
    saved = sit(game, tmp_path / "game.txt", {1: "clerk"})
    saved.play(game.parse("nominate 3 @3"))
    saved.play_bot()
    again = resume_table(saved.file, [], [], saved.file)
    assert [row.seat for row in again.game.log] == [0, 1]
    lines = [line for line in type_lines(again).splitlines() if line.startswith("· ")]
    assert lines[0] == "· Ann nominates plant 3 for 3 Ɇ."
    assert lines[1].startswith("· Clerk Ada ")


def test_a_move_that_cannot_be_saved_is_not_made(tmp_path: Path) -> None:
    game = hv.new("classic", players=["Ann", "Bob"], chance=hv.Scripted(order=[0, 1]))
    saved = sit(game, tmp_path / "game.txt")
    saved.save()
    saved.file.with_name("game.txt.new").mkdir()  # blocks the path of the draft
    with pytest.raises(OSError, match=r"game\.txt\.new"):
        saved.play(game.parse("nominate 4 @4"))
    assert not saved.game.log
    assert hv.replay(saved.file).log == saved.game.log


@pytest.mark.parametrize(
    ("bots", "options"),
    [
        ({1: "clerk", 2: "random"}, ""),
        ({1: "director:1s", 2: "random"}, ""),
        ({2: "random"}, ""),
        ({}, " --you Ann --you 'Clerk Ada' --you 'Random Ben'"),  # as older records name bots
    ],
)
def test_leaving_prints_how_to_resume_with_the_same_bots(
    bots: dict[int, str], options: str, tmp_path: Path
) -> None:
    saved = sit(hv.new("classic", players=["Ann", "Clerk Ada", "Random Ben"]), tmp_path / "g", bots)
    saved.save()
    assert saved.resume_command == f"highvoltage play --resume {saved.file}{options}"
    words = shlex.split(saved.resume_command)
    people = [words[at + 1] for at, word in enumerate(words) if word == "--you"]
    kinds = words[-1].split(",") if "--bots" in words else []
    seats = resume_table(saved.file, people, kinds, saved.file).table.seats
    assert {seat: each.bot for seat, each in enumerate(seats) if each.bot} == bots


def test_a_record_says_which_bot_plays_a_seat(tmp_path: Path) -> None:
    bots = ["clerk:bold", "engineer"]
    spec = game_spec("cardgame", None, 3, ["Ann"], bots, [], "5", hotseat=False)
    table = new_table(spec, tmp_path / "game.txt")
    assert table.game.names == ("Ann", "Berta", "Engineer Ben")
    table.save()
    text = table.file.read_text()
    assert "bot Berta: clerk:bold\nbot Engineer Ben: engineer\n" in text
    again = resume_table(table.file, [], [], table.file)
    assert [seat.bot for seat in again.table.seats] == [None, "clerk:bold", "engineer"]
    assert read_record(read_record(text)[0].json())[0] == read_record(text)[0]
    lines = [line for line in text.splitlines(keepends=True) if not line.startswith("bot ")]
    table.file.write_text("".join(lines).replace("Berta", "Clerk bold Ada"))  # as it used to be
    old = resume_table(table.file, [], [], table.file)
    assert [seat.bot for seat in old.table.seats] == [None, "clerk:bold", "engineer"]
    table.file.write_text(text.replace("clerk:bold", f"{tmp_path}/mine.py:Evil"))
    foreign = resume_table(table.file, [], [], table.file)
    assert foreign.table.seats[1].bot == "clerk", "a record loads no code"
    table.file.write_text(text.replace("bot Berta", "bot Bertha"))
    with pytest.raises(hv.RecordError, match="nobody is called 'Bertha'"):
        resume_table(table.file, [], [], table.file)
