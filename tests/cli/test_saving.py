"""Whatever has been shown is in the file: a game that is killed goes on as it was."""

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

RULEBOOKS = ("classic", "recharged", "cardgame", "outpost")
TYPED = ("pass", "5", "1", "done", "6")
"""Typed over and over this gets through any game; what does not fit is refused."""


def begun(rulebook: str, file: Path, seed: str) -> SavedTable:
    bots = ["apprentice", "engineer"]
    return new_table(game_spec(rulebook, None, 3, ["Ann"], bots, [], seed, hotseat=False), file)


class Watched(Typed):
    """Notes at every line that is printed how far the game is, and whether the file is too."""

    def __init__(self, kept: SavedTable, lines: int) -> None:
        super().__init__(islice(cycle(TYPED), lines))
        self.kept = kept
        self.moves_at: list[int] = []  # how many there were when each line of the log was shown
        self.unsaved: list[str] = []

    def print(self, *shown: Any, **how: Any) -> None:
        super().print(*shown, **how)
        line = " ".join(map(str, shown))
        if line.startswith("· "):
            self.moves_at.append(len(self.kept.game.log))
        if self.kept.file.read_text("utf-8") != str(self.kept.game.record()):
            self.unsaved.append(line)


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_every_move_is_in_the_file_before_it_is_shown(rulebook: str, tmp_path: Path) -> None:
    kept = begun(rulebook, tmp_path / "game.txt", "3")
    console = Watched(kept, lines=20)
    TerminalGame(kept, console).run()
    assert not console.unsaved
    assert {row.seat for row in kept.game.log} == {0, 1, 2}


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_a_game_that_is_killed_at_any_line_goes_on_as_it_was_shown(
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


def kill_after(shown: int, kept: SavedTable) -> None:
    """Play in a process of its own, and kill it when so many lines of the log are on the screen."""
    child, terminal = pty.fork()
    if child == 0:
        play_here(kept)
    typed = cycle(TYPED)
    screen = ""
    while screen.count("\n· ") < shown:
        screen += os.read(terminal, 1 << 16).decode(errors="replace")
        if screen.endswith("\n> "):
            os.write(terminal, f"{next(typed)}\n".encode())
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    os.close(terminal)


def play_here(kept: SavedTable) -> NoReturn:
    try:
        sys.stdin, screen = os.fdopen(0), os.fdopen(1, "w")
        TerminalGame(kept, Console(file=screen, width=80, color_system=None)).run()
    finally:
        os._exit(0)


def test_what_was_saved_and_not_yet_shown_is_told_when_the_game_goes_on(tmp_path: Path) -> None:
    names = ["Ann", "Clerk Ada"]
    game = hv.new("classic", players=names, chance=hv.Scripted(order=[0, 1]))
    kept = sit(game, tmp_path / "game.txt", {1: "clerk"})
    kept.play(game.parse("nominate 3 @3"))
    kept.play_bot()
    again = resume_table(kept.file, [], [], kept.file)
    assert [row.seat for row in again.game.log] == [0, 1]
    told = [line for line in type_lines(again).splitlines() if line.startswith("· ")]
    assert told[0] == "· Ann nominates plant 3 for 3 Ɇ."
    assert told[1].startswith("· Clerk Ada ")


def test_a_move_that_cannot_be_written_down_is_not_made(tmp_path: Path) -> None:
    game = hv.new("classic", players=["Ann", "Bob"], chance=hv.Scripted(order=[0, 1]))
    kept = sit(game, tmp_path / "game.txt")
    kept.save()
    kept.file.with_name("game.txt.new").mkdir()  # stands in the way of the draft
    with pytest.raises(OSError, match=r"game\.txt\.new"):
        kept.play(game.parse("nominate 4 @4"))
    assert not kept.game.log
    assert hv.replay(kept.file).log == kept.game.log


@pytest.mark.parametrize(
    ("bots", "told"),
    [
        ({1: "clerk", 2: "random"}, ""),
        ({1: "director:1s", 2: "random"}, " --you Ann --bots director:1s,random"),
        ({2: "random"}, " --you Ann --you 'Clerk Ada' --bots random"),
    ],
)
def test_whoever_leaves_is_told_how_to_go_on_with_the_same_bots(
    bots: dict[int, str], told: str, tmp_path: Path
) -> None:
    kept = sit(hv.new("classic", players=["Ann", "Clerk Ada", "Random Ben"]), tmp_path / "g", bots)
    kept.save()
    assert kept.resume_command == f"highvoltage play --resume {kept.file}{told}"
    words = shlex.split(kept.resume_command)
    people = [words[at + 1] for at, word in enumerate(words) if word == "--you"]
    kinds = words[-1].split(",") if "--bots" in words else []
    seats = resume_table(kept.file, people, kinds, kept.file).table.seats
    assert {seat: each.bot for seat, each in enumerate(seats) if each.bot} == bots
