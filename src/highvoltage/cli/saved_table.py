"""A table in the terminal: people and bots in their seats, saved to a file after every move."""

import shlex
import time
from pathlib import Path

import highvoltage as hv
from highvoltage import bots
from highvoltage.bots import Bot, BotError
from highvoltage.cli.seats import saved_kinds
from highvoltage.engine.game import Game
from highvoltage.engine.moves import Move
from highvoltage.engine.record import Record, read_record
from highvoltage.table import Advance, Entry, Seat, Table, resume_table
from highvoltage.text.narration import phase_name
from highvoltage.words import say


class SavedTable:
    """A table that plays the bots' moves and saves every move before it is applied."""

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
        """Play a move of the person to move; Refused if the rules do not allow it."""
        seat = self.game.to_move
        assert seat is not None
        table = self.table
        self._make(table.move(seat, table.seq, str(move), time.time()))

    def bid_up_to(self, card: str, limit: int) -> None:
        """Let the table bid for the person to move, by one, up to this limit."""
        seat, table = self.game.to_move, self.table
        assert seat is not None
        table.max_bid(seat, card, limit)
        if follows := table.automatic_moves(time.time()):
            self._make(follows)

    def play_bot(self) -> None:
        """Play the move of the bot to move; BotError if it fails."""
        game, table = self.game, self.table
        seat = game.to_move
        assert seat is not None
        began = time.monotonic()
        try:
            choice = bots.ask(self.bots[seat], game)
            self._keep_pace(table.seats[seat].bot or "", time.monotonic() - began)
            advance = table.move(seat, table.seq, str(choice.move), time.time(), "bot")
        except Exception as error:
            said = say(
                "terminal_bot_failed",
                bot=table.seats[seat].bot,
                name=game.names[seat],
                round=game.state.round,
                phase=phase_name(game.phase),
                error=repr(error),
                file=self.file,
            )
            raise BotError(said) from error
        self._make(advance)

    def _keep_pace(self, bot: str, took: float) -> None:
        """With hidden money, the time that a bot took would tell of its purse."""
        if self.game.rules.asks_everybody and self.people:
            from highvoltage.bots import pace  # loads the bots that search

            time.sleep(pace.remaining(bot, took))

    @property
    def latest(self) -> int | None:
        """The index in the log of the latest move of a person."""
        mine = (at for at, row in enumerate(self.game.log) if row.seat in self.people)
        return max(mine, default=None)

    def undo(self) -> str | None:
        """Take back the latest move of a person and what followed; returns the move, or None.

        A single person may always do so; with several people, only if the move revealed nothing
        new to anybody.
        """
        log, table, back = self.game.log, self.table, self.latest
        if back is None:
            return None
        undone = str(log[back].move)
        if len(self.people) > 1:
            table.commit(table.undo(log[back].seat, table.seq, back, time.time()))
        else:
            table.follow([Entry(log[back].seat, f"undo {back}", time.time())])
        self.save()
        return undone

    def save(self, file: Path | None = None) -> None:
        write(self.table.record(), file or self.file)

    @property
    def resume_command(self) -> str:
        """The command that resumes the game, with people and bots if the record lacks them."""
        words = ["highvoltage", "play", "--resume", str(self.file)]
        kinds = {number: seat.bot for number, seat in enumerate(self.table.seats) if seat.bot}
        if saved_kinds(self.table.record(), [], []) != kinds:
            words += [word for seat in self.people for word in ("--you", self.game.names[seat])]
            words += ["--bots", ",".join(kinds.values())] if kinds else []
        return shlex.join(words)

    def _make(self, advance: Advance) -> None:
        """Save the result of a decision, and only then apply it."""
        write(self.table.record(self.table.after(advance)), self.file)
        self.table.commit(advance)


def write(record: Record, file: Path) -> None:
    """Write the record atomically."""
    file.parent.mkdir(parents=True, exist_ok=True)
    draft = file.with_name(file.name + ".new")
    draft.write_text(str(record), encoding="utf-8")
    draft.replace(file)


def resume(text: str, seats: list[Seat], seed: int | str) -> Table:
    """The table of a saved game. Cards that nobody has seen are reshuffled with `seed`."""
    hv.replay(text)  # raises with a precise reason if the record is invalid
    record, _ = read_record(text)
    return resume_table(record, seats, seed)
