"""The tables of `highvoltage mcp`: one model against bots, every game in a file of its own."""

import re
from asyncio import Lock, to_thread
from pathlib import Path
from typing import Any

from highvoltage.cli.game_spec import GameSpec, new_table, resume_table, unfinished
from highvoltage.cli.saved_table import SavedTable
from highvoltage.engine.errors import IllegalMove, MoveSyntaxError, OptionError
from highvoltage.mcp import Glance
from highvoltage.mcp.tables import check_choices
from highvoltage.mcp.tools import refusal_text
from highvoltage.table import Refused


class SavedTables:
    """The games in a folder. A table's id is the number in the name of its file.

    A bot may think for long, so games are played in a thread; the lock keeps them in order.
    """

    def __init__(self, folder: Path, name: str, seed: str | None = None) -> None:
        self.folder = folder
        self.name = name
        self.seed = seed
        self._open: dict[str, SavedTable] = {}
        self._latest = ""
        self._lock = Lock()

    async def new_game(
        self, rulebook: str, players: int, board: str, opponents: str, options: dict[str, Any]
    ) -> str:
        kinds = check_choices(rulebook, players, board, opponents, options)
        spec = GameSpec(rulebook, board or None, players, (self.name,), kinds, options, self.seed)
        async with self._lock:
            return await to_thread(self._start, spec)

    def _start(self, spec: GameSpec) -> str:
        table = new_table(spec, Path())
        table.file = self._new_file()  # not before it is known that the game can be played
        self._latest = table.file.stem
        self._open[self._latest] = table
        table.table.auto = True
        table.save()
        self._play_bots(table)
        return self._latest

    def _new_file(self) -> Path:
        """A file that no other game has, also not one of another process."""
        self.folder.mkdir(parents=True, exist_ok=True)
        number = 1 + max((int(each.stem) for each in self._files()), default=0)
        while True:
            file = self.folder / f"{number}.txt"
            try:
                file.touch(exist_ok=False)
            except FileExistsError:
                number += 1
            else:
                return file

    def _files(self) -> list[Path]:
        return [file for file in self.folder.glob("*.txt") if file.stem.isdecimal()]

    async def glance(self, table: str) -> Glance:
        async with self._lock:
            return self._glance(await to_thread(self._find, table))

    async def play(self, table: str, move: str) -> Glance:
        async with self._lock:
            return await to_thread(self._play, table, move)

    def _play(self, name: str, move: str) -> Glance:
        table = self._find(name)
        if table.game.outcome is not None:
            raise Refused("game_over")
        before = table.table.seq
        table.play(table.game.parse(move))
        self._play_bots(table)
        return self._glance(table, before)

    async def refusal(self, table: str, move: str) -> str:
        async with self._lock:
            found = await to_thread(self._find, table)
        try:
            found.game.check(move)
        except IllegalMove as error:
            return refusal_text(str(error), error.rule)
        except MoveSyntaxError as error:
            return str(error)
        return ""

    async def tables(self) -> str:
        """List the games that are not over yet; any tool takes such an id as table."""
        found = []
        for file in sorted(self._files(), key=lambda each: int(each.stem)):
            if record := await to_thread(unfinished, file):
                moves = f"{len(record.moves)} decisions so far"
                found.append(f"{file.stem}: {record.rulebook}, {', '.join(record.names)}, {moves}")
        return "\n".join(found) or "There is no unfinished game. Start one with new_game."

    def _find(self, name: str) -> SavedTable:
        wanted = name or self._latest
        if not wanted:
            raise OptionError("There is no game yet. Start one with new_game, or see tables.")
        if wanted not in self._open:
            file = self.folder / f"{wanted}.txt"
            if not re.fullmatch(r"\d{1,9}", wanted) or not file.is_file():
                raise OptionError(f"There is no table '{wanted}'. See tables.")
            self._open[wanted] = resume_table(file, [], [], file)
            self._open[wanted].table.auto = True
        self._latest = wanted
        return self._open[wanted]

    def _glance(self, table: SavedTable, since: int | None = None) -> Glance:
        (seat,) = table.people
        snapshot = table.table.snapshot(seat, since)
        return Glance(table.file.stem, snapshot, table.game.rules.ruleset.board())

    def _play_bots(self, table: SavedTable) -> None:
        while table.game.to_move in table.bots:
            table.play_bot()
