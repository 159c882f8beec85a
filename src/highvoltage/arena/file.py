"""The file of an arena: its contest, then every move and every judgement, one on each line.

A run that was interrupted goes on where it stopped, in the middle of a game, too.
"""

from pathlib import Path
from threading import Lock

import msgspec
from msgspec import Struct

from highvoltage.engine.errors import HighVoltageError


class Decision(Struct):
    """What it took to decide: attempts that were not legal, and tokens."""

    move: str = ""
    illegal: int = 0
    read: int = 0  # tokens of all questions
    written: int = 0  # tokens of all answers
    stand_in: bool = False  # a clerk decided instead


class MoveLine(Struct, tag="move", omit_defaults=True):
    """A move of a game. Those of the bots have no decision."""

    player: str
    deal: int
    move: str
    decision: Decision | None = None


class UsageLine(Struct, tag="usage"):
    """Tokens that no single decision took: of a player that counts them itself."""

    player: str
    deal: int
    read: int
    written: int


class JudgedLine(Struct, tag="judged"):
    """What the judge found: the chance to win that the player lost, by phase."""

    player: str
    deal: int
    lost: dict[str, float]


Line = MoveLine | UsageLine | JudgedLine
DECODER: msgspec.json.Decoder[Line] = msgspec.json.Decoder(Line)


class ArenaFile:
    """Lines on disk, and in memory. Several games may be played at a time."""

    def __init__(self, path: Path, head: Struct) -> None:
        self.path = path
        self.lines: list[Line] = []
        self._lock = Lock()
        first = msgspec.json.encode(head)
        if path.exists():
            self._read(first)
        else:
            path.write_bytes(first + b"\n")

    def _read(self, first: bytes) -> None:
        head, *lines = self.path.read_bytes().splitlines(keepends=True) or [b""]
        if head.rstrip() != first:
            raise HighVoltageError(f"{self.path} belongs to another contest: {head.decode()[:200]}")
        whole = [line for line in lines if line.endswith(b"\n")]
        try:
            self.lines = [DECODER.decode(line) for line in whole]
        except msgspec.MsgspecError as error:
            raise HighVoltageError(f"{self.path} is no file of an arena: {error}") from None
        self.path.write_bytes(head + b"".join(whole))  # without a line that was cut off

    def add(self, line: Line) -> None:
        with self._lock, self.path.open("ab") as file:
            file.write(msgspec.json.encode(line) + b"\n")
            self.lines.append(line)

    def moves(self, player: str, deal: int) -> list[MoveLine]:
        return [each for each in self._of(player, deal) if isinstance(each, MoveLine)]

    def judged(self, player: str, deal: int) -> JudgedLine | None:
        lines = (each for each in self._of(player, deal) if isinstance(each, JudgedLine))
        return next(lines, None)

    def decisions(self, player: str, deal: int) -> list[Decision]:
        return [line.decision for line in self.moves(player, deal) if line.decision]

    def tokens(self, player: str, deal: int | None = None) -> tuple[int, int]:
        """The tokens a player has read and written, in all games or in one."""
        read = written = 0
        with self._lock:
            for line in self.lines:
                if line.player != player or deal not in {None, line.deal}:
                    continue
                used = line.decision if isinstance(line, MoveLine) else line
                if isinstance(used, Decision | UsageLine):
                    read, written = read + used.read, written + used.written
        return read, written

    def _of(self, player: str, deal: int) -> list[Line]:
        with self._lock:
            return [each for each in self.lines if (each.player, each.deal) == (player, deal)]
