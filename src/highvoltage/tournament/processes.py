"""Bots in processes of their own, in any language: JSON lines on standard input and output.

A process never has the game: it is sent the view of its seat and the legal moves, and answers with
a move. docs/bots.md describes the messages. A bot that fails, answers too late or chooses no legal
move is replaced by a clerk for this move.
"""

import os
import resource
import select
import shlex
import signal
import subprocess
import sys
from contextlib import suppress
from multiprocessing.util import Finalize
from shutil import which
from time import monotonic
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from highvoltage import bots
from highvoltage.bots.protocol import Needs, view_for
from highvoltage.engine.errors import HighVoltageError
from highvoltage.engine.game import Game
from highvoltage.engine.legal import Moves
from highvoltage.engine.moves import Move
from highvoltage.table import Offer

Reply = TypeVar("Reply", bound=Struct)

PROTOCOL = 1
COMMAND = "cmd:"
"""Before a command line, in the name of a bot."""
SUBSTITUTE = "clerk"
START_SECONDS = 60.0  # until a process says hello
MAX_LINE_BYTES = 1_000_000
MAX_FAULTS = 3  # of a bot in a game; afterwards the clerk plays on


class Limits(Struct, frozen=True):
    """What a bot may use: seconds for a decision, megabytes of memory for its process."""

    seconds: float = 10.0
    memory: int = 1024


class BotFault(HighVoltageError):
    """A bot that failed, was late or chose no legal move."""


class Hello(Struct, tag_field="type", tag="hello"):
    """The first message of both sides."""

    protocol: int = PROTOCOL
    needs: Needs = "view"
    error: str = ""


class NewGame(Struct, tag_field="type", tag="game"):
    """A new game begins; there is no answer."""

    rulebook: str
    map: str | None
    players: int
    seat: int
    seed: str
    seconds: float


class Choose(Struct, tag_field="type", tag="choose"):
    """It is the bot's turn."""

    view: dict[str, Any]
    legal: list[Offer]


class Chosen(Struct, tag_field="type", tag="choice"):
    """Its answer."""

    move: str
    error: str = ""


def command_of(name: str) -> list[str]:
    """The words that start the process of a bot: a command of its own, or one of ours.

    >>> command_of("cmd:node mine.mjs --fast")
    ['node', 'mine.mjs', '--fast']
    """
    if not name.startswith(COMMAND):
        return [sys.executable, "-m", "highvoltage.tournament.worker", name]
    try:
        words = shlex.split(name.removeprefix(COMMAND))
    except ValueError as error:
        raise bots.BotError(f"'{name}' is no command line: {error}.") from None
    if not words or which(words[0]) is None:
        program = words[0] if words else ""
        raise bots.BotError(
            f"There is no program '{program}' for the bot '{name}'."
            " Write cmd:PROGRAM with its arguments; the program must be executable."
        )
    return words


def check_bot(name: str) -> None:
    """Raise BotError if a bot cannot be started. Nobody else's code is loaded here."""
    if name.partition(":")[0] in bots.names():
        bots.make(name, 0)
        return
    try:
        BotProcess(name, Limits()).close()
    except BotFault as fault:
        raise bots.BotError(f"The bot '{name}' cannot play: {fault}.") from None


class BotProcess:
    """The process of one bot, for one game after another."""

    def __init__(self, name: str, limits: Limits) -> None:
        self.name = name
        self.limits = limits
        words = command_of(name)
        try:
            self._process = subprocess.Popen(  # noqa: S603  # what the user asked for
                words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
            )
        except OSError as error:
            raise BotFault(f"its process could not be started: {error.strerror}") from None
        self._limit_memory()
        self._read = b""
        try:
            self.needs: Needs = self._greet()
        except BotFault:
            self.close()
            raise

    def _greet(self) -> Needs:
        """What the bot needs; it cannot share parts of a view, so it is given the whole."""
        self._send(Hello())
        hello = self._receive(Hello, START_SECONDS)
        if hello.error:
            raise BotFault(hello.error)
        if hello.protocol != PROTOCOL:
            raise BotFault(f"it speaks protocol {hello.protocol}, not {PROTOCOL}")
        return "view" if hello.needs == "parts" else hello.needs

    def _limit_memory(self) -> None:
        """Only Linux lets us limit another process."""
        if hasattr(resource, "prlimit"):
            most = self.limits.memory * 2**20
            with suppress(ProcessLookupError):
                resource.prlimit(self._process.pid, resource.RLIMIT_DATA, (most, most))

    def begin(self, message: NewGame) -> None:
        self._send(message)

    def choose(self, view: dict[str, Any], legal: list[Offer]) -> str:
        self._send(Choose(view, legal))
        chosen = self._receive(Chosen, self.limits.seconds)
        if chosen.error:
            raise BotFault(chosen.error)
        return chosen.move

    def close(self) -> None:
        """End the process and everything that it has started."""
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None
            with suppress(BrokenPipeError):
                pipe.close()
        self._process.wait()

    def _send(self, message: Struct) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(msgspec.json.encode(message) + b"\n")
            self._process.stdin.flush()
        except OSError:
            raise BotFault(self._ended()) from None

    def _receive(self, kind: type[Reply], seconds: float) -> Reply:
        line = self._line(monotonic() + seconds, seconds)
        try:
            return msgspec.json.decode(line, type=kind)
        except msgspec.DecodeError as error:
            shown = line[:80].decode(errors="replace")
            raise BotFault(f"its answer '{shown}' cannot be read: {error}") from None

    def _line(self, deadline: float, seconds: float) -> bytes:
        assert self._process.stdout is not None
        source = self._process.stdout.fileno()
        while b"\n" not in self._read:
            if len(self._read) > MAX_LINE_BYTES:
                raise BotFault(f"its answer is longer than {MAX_LINE_BYTES} bytes")
            ready, _, _ = select.select([source], [], [], max(0, deadline - monotonic()))
            if not ready:
                raise BotFault(f"it took longer than {seconds:g} s")
            read = os.read(source, 65536)
            if not read:
                raise BotFault(self._ended())
            self._read += read
        line, _, self._read = self._read.partition(b"\n")
        return line

    def _ended(self) -> str:
        with suppress(subprocess.TimeoutExpired):
            code = self._process.wait(1)
            how = f"signal {-code}" if code < 0 else f"exit status {code}"
            return f"its process ended ({how})"
        return "its process closed its input or output"


_running: dict[tuple[str, int, Limits], BotProcess] = {}
"""The processes of this process, by bot, its number in the line-up, and limits."""


def close_all() -> None:
    while _running:
        _running.popitem()[1].close()


Finalize(None, close_all, exitpriority=10)  # also in a worker of a pool, which skips atexit


class SeatedBot:
    """A bot in one seat of one game."""

    def __init__(self, name: str, number: int, limits: Limits, game: NewGame) -> None:
        self._key = name, number, limits
        self._game = game
        self._process: BotProcess | None = None
        self._substitute: bots.Bot | None = None
        self.faults: list[str] = []
        self.replaced: int = 0  # decisions that the substitute made

    def move(self, game: Game) -> Move:
        """Its move, or the substitute's. A forced move is played without asking."""
        legal = game.legal_moves
        if len(legal) == 1:
            return legal[0]
        if len(self.faults) < MAX_FAULTS:
            try:
                return self._choose(game, legal)
            except BotFault as fault:
                self.faults.append(str(fault))
                self._stop()
        self.replaced += 1
        self._substitute = self._substitute or bots.make(SUBSTITUTE, self._game.seed)
        return bots.ask(self._substitute, game).move

    def _choose(self, game: Game, legal: Moves) -> Move:
        process = self._started()
        plain = {str(move): move for move in legal.plain}
        offered = [*map(Offer, plain)]
        offered += [Offer(str(span.lowest), to=span.high) for span in legal.spans]
        text = process.choose(view_for(process.needs, game), offered)
        if text in plain:
            return plain[text]
        try:
            return game.check(text)
        except HighVoltageError as error:
            raise BotFault(f"its move '{text[:80]}' is refused: {error}") from None

    def _started(self) -> BotProcess:
        if self._process is None:
            process = _running.get(self._key)
            if process is None:
                name, _, limits = self._key
                process = _running[self._key] = BotProcess(name, limits)
            process.begin(self._game)
            self._process = process
        return self._process

    def _stop(self) -> None:
        """End the process: what it is doing, and what it will still answer, is unknown."""
        self._process = None
        process = _running.pop(self._key, None)
        if process is not None:
            process.close()
