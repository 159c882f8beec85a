"""A table in the terminal: people and bots in their seats, and the file the game is kept in."""

import time
from pathlib import Path

import highvoltage as hv
from highvoltage import bots
from highvoltage.bots import Bot, BotError
from highvoltage.engine.game import Game
from highvoltage.engine.moves import Move
from highvoltage.engine.record import read_record
from highvoltage.table import Entry, Seat, Table, resumed


class KeptTable:
    """A table that plays the bots' moves and never loses the people's."""

    def __init__(self, table: Table, file: Path, seed: object) -> None:
        self.table = table
        self.file = file
        self.bots: dict[int, Bot] = {
            number: bots.make(seat.bot, f"{seed}/{number}")
            for number, seat in enumerate(table.seats)
            if seat.bot
        }
        self.people: list[int] = [seat for seat in range(len(table.seats)) if seat not in self.bots]

    @property
    def game(self) -> Game:
        return self.table.game

    def play(self, move: Move) -> None:
        """A move of the person to move; Refused if the rules do not allow it."""
        seat = self.game.to_move
        assert seat is not None
        table = self.table
        table.commit(table.move(seat, table.seq, str(move), time.time()))
        self.save()

    def bid_up_to(self, card: str, limit: int) -> None:
        """Let the table bid for the person to move, by one, up to this limit."""
        seat, table = self.game.to_move, self.table
        assert seat is not None
        table.max_bid(seat, card, limit)
        if follows := table.settle(time.time()):
            table.commit(follows)
            self.save()

    def play_bot(self) -> None:
        """The move of the bot to move; BotError if it fails."""
        game, table = self.game, self.table
        seat = game.to_move
        assert seat is not None
        try:
            choice = bots.ask(self.bots[seat], game)
            table.commit(table.move(seat, table.seq, str(choice.move), time.time(), "bot"))
        except Exception as error:
            self.save()
            raise BotError(
                f"The bot '{table.seats[seat].bot}' of {game.names[seat]} failed in round"
                f" {game.state.round}, {game.phase}: {error!r}. The game is saved in {self.file}."
            ) from error

    def undo(self) -> str | None:
        """Take back the latest move of a person and what followed; the move, or None.

        Whoever plays with bots alone may always do so; among people only what has told nobody
        anything new can be taken back.
        """
        log, table = self.game.log, self.table
        mine = [number for number, row in enumerate(log) if row.seat in self.people]
        if not mine:
            return None
        back = mine[-1]
        undone = str(log[back].move)
        if len(self.people) > 1:
            table.commit(table.undo(log[back].seat, table.seq, back, time.time()))
        else:
            table.follow([Entry(log[back].seat, f"undo {back}", time.time())])
        self.save()
        return undone

    def save(self, file: Path | None = None) -> None:
        """Write the record, whole or not at all."""
        file = file or self.file
        file.parent.mkdir(parents=True, exist_ok=True)
        draft = file.with_name(file.name + ".new")
        draft.write_text(str(self.game.record()), encoding="utf-8")
        draft.replace(file)


def resume(text: str, seats: list[Seat], seed: int | str) -> Table:
    """The table of a saved game. What nobody has seen yet is shuffled anew with `seed`."""
    hv.replay(text)  # says precisely what is wrong, if anything is
    record, _ = read_record(text)
    return resumed(record, seats, seed)
