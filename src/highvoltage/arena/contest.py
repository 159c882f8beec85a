"""The fixed games of the arena: who sits where, and how a game goes on after an interruption."""

from collections.abc import Iterable

from msgspec import Struct

import highvoltage as hv
from highvoltage import bots
from highvoltage.arena.file import ArenaFile, Decision, MoveLine, UsageLine
from highvoltage.engine.errors import HighVoltageError
from highvoltage.table import Seat, Snapshot, Table

OPPONENTS = ("clerk", "engineer", "tycoon")
NAMES = ("Ann", "Bob", "Cem", "Dan")
"""Nobody learns from a name who sits there."""
STAND_IN = "clerk"
DEALS = 40


class Contest(Struct, frozen=True):
    """A rulebook, and how many of its deals are played. Deal `n` is the same for everybody."""

    rulebook: str = "classic"
    deals: int = DEALS

    def seats(self, deal: int) -> tuple[int, ...]:
        """Who sits in each seat: 0 is the player, the others are the opponents in their order.

        >>> [Contest().seats(deal) for deal in range(2)]
        [(0, 1, 2, 3), (3, 0, 1, 2)]
        """
        count = len(OPPONENTS) + 1
        return tuple((seat - deal) % count for seat in range(count))

    def seed(self, deal: int) -> str:
        return f"arena/{self.rulebook}/{deal}"

    def new(self, deal: int) -> hv.Game:
        return hv.new(self.rulebook, players=NAMES, seed=self.seed(deal))


class ArenaGame:
    """One player's game of one deal. Every decision is on disk before anybody sees it."""

    def __init__(self, contest: Contest, deal: int, player: str, file: ArenaFile) -> None:
        self.deal = deal
        self.player = player
        self._file = file
        sitting = contest.seats(deal)
        self.seat: int = sitting.index(0)
        seed = contest.seed(deal)
        self._bots = {
            seat: bots.make(OPPONENTS[who - 1], f"{seed}/{seat}")
            for seat, who in enumerate(sitting)
            if who
        }
        self._stand_in = bots.make(STAND_IN, f"{seed}/stand-in")
        self.table: Table = Table(contest.new(deal), [Seat("person", name) for name in NAMES])
        self._replay(file.moves(player, deal))
        self._play_bots()

    @property
    def game(self) -> hv.Game:
        return self.table.game

    @property
    def is_over(self) -> bool:
        return self.game.outcome is not None

    def _replay(self, lines: Iterable[MoveLine]) -> None:
        for line in lines:
            seat = self.game.to_move
            try:
                assert seat is not None
                self.table.commit(self.table.move(seat, self.table.seq, line.move, 0))
            except (AssertionError, HighVoltageError) as error:
                raise HighVoltageError(
                    f"Deal {self.deal} of {self.player} in {self._file.path} cannot be replayed at"
                    f" '{line.move}': {error}. It was played by other rules; use another file."
                ) from None

    def play(self, decision: Decision) -> None:
        """Play the player's move, then those of the bots; Refused if it is not legal."""
        self._commit(decision.move, decision)
        self._play_bots()

    def stand_in(self, decision: Decision) -> None:
        """Let a clerk decide for the player, who found no legal move."""
        move = bots.ask(self._stand_in, self.game).move
        decision.move, decision.stand_in = str(move), True
        self.play(decision)

    def _play_bots(self) -> None:
        while (seat := self.game.to_move) is not None and seat != self.seat:
            self._commit(str(bots.ask(self._bots[seat], self.game).move), None)

    def _commit(self, move: str, decision: Decision | None) -> None:
        seat = self.game.to_move
        assert seat is not None
        advance = self.table.move(seat, self.table.seq, move, 0)
        self._file.add(MoveLine(self.player, self.deal, move, decision))
        self.table.commit(advance)

    def report_usage(self, read: int, written: int) -> None:
        """Note tokens that belong to no decision."""
        if read or written:
            self._file.add(UsageLine(self.player, self.deal, read, written))

    def snapshot(self, since: int | None = None) -> Snapshot:
        return self.table.snapshot(self.seat, since)
