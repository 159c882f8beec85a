"""A process in which bots think: it is told what a seat sees and answers with a move.

A question and an answer are one line of JSON each. Of a game that is played nothing but a seat's
view ever comes here; of one that is over the record does, for the director to judge its decisions.
The files of strangers are read here too.
"""

import os
import sys
from functools import lru_cache
from typing import Any, BinaryIO

import msgspec
from msgspec import Struct

import highvoltage as hv
from highvoltage import bots
from highvoltage.analysis import JudgedDecision, JudgeTask, judge_decision
from highvoltage.engine.errors import HighVoltageError
from highvoltage.games import edition
from highvoltage.server.bots.files import check_setup, read_game
from highvoltage.server.messages import Problem, StoredSetup
from highvoltage.server.problems import problem_of, status_of
from highvoltage.table import Offer, moves_of
from highvoltage.threads import one_thread

READY = b"ready\n"
BOT_CACHE_SIZE = 256
"""Bots that are kept for their next decision; one that is let go is made anew, forgetful."""


class ChooseRequest(Struct, tag=True):
    """What a bot is asked."""

    bot: str
    seed: str
    rulebook: str
    view: dict[str, Any]
    legal: list[Offer]
    keep_bot: bool = False  # the bot is the one that has this seed, and remembers


class ChooseReply(Struct):
    """What it chose, and why; or the error that kept it from choosing."""

    move: str = ""
    code: str = ""
    values: dict[str, Any] = {}
    text: str = ""
    error: str = ""


class JudgeRequest(Struct, tag=True):
    """A decision of a finished game to be judged."""

    record: str
    look: JudgeTask


class JudgeReply(Struct):
    """How it was judged; or the error that kept it from that."""

    judged: JudgedDecision | None = None
    error: str = ""


class CheckRequest(Struct, tag=True):
    """A game to be set up with somebody's own map or cards."""

    rulebook: str
    players: int
    map: str | dict[str, Any] | None
    options: dict[str, Any]
    own_bytes: int


class CheckReply(Struct):
    """Why it cannot be; or the error that kept it from being tried."""

    problem: Problem | None = None
    status: int = 400
    error: str = ""


class ImportRequest(Struct, tag=True):
    """A record from elsewhere."""

    record: str
    own_bytes: int


class ImportReply(Struct):
    """What is kept of it; or why it cannot be."""

    problem: Problem | None = None
    status: int = 400
    error: str = ""
    rulebook: str = ""
    setup: str = ""
    names: tuple[str, ...] = ()
    moves: int = 0
    over: bool = False
    record: str = ""


Request = ChooseRequest | JudgeRequest | CheckRequest | ImportRequest


def choose(question: ChooseRequest) -> ChooseReply:
    """Let a bot choose.

    >>> import highvoltage as hv
    >>> from highvoltage.table import offers
    >>> game = hv.new("classic", players=2, seed=1)
    >>> view = game.view(game.to_move)
    >>> choose(ChooseRequest("random", "7", "classic", view, offers(game))).code
    'random'
    """
    legal = moves_of(question.legal, edition(question.rulebook).rules.moves)
    make = _seated if question.keep_bot else bots.make
    choice = bots.decide(make(question.bot, question.seed), question.view, legal)
    if choice.move not in legal:
        raise ValueError(f"{choice.move} is not legal")
    return ChooseReply(str(choice.move), choice.why.code, dict(choice.why.values), str(choice.why))


_seated = lru_cache(maxsize=BOT_CACHE_SIZE)(bots.make)


def judge(asked: JudgeRequest) -> JudgeReply:
    return JudgeReply(judge_decision(_replayed(asked.record), asked.look))


_replayed = lru_cache(maxsize=4)(hv.replay)  # one look at a game is followed by the next


def check(asked: CheckRequest) -> CheckReply:
    try:
        check_setup(asked.rulebook, asked.players, asked.map, asked.options, asked.own_bytes)
    except HighVoltageError as error:
        return CheckReply(problem_of(error), status_of(error))
    return CheckReply()


def import_record(asked: ImportRequest) -> ImportReply:
    try:
        game = read_game(asked.record, asked.own_bytes)
    except HighVoltageError as error:
        return ImportReply(problem_of(error), status_of(error))
    record = game.record()
    options = dict(record.options)
    wish = options.pop("map", None)
    setup = StoredSetup(rulebook=record.rulebook, map=wish, options=options, auto=False)
    return ImportReply(
        rulebook=record.rulebook,
        setup=msgspec.json.encode(setup).decode(),
        names=tuple(game.names),
        moves=len(game.log),
        over=game.outcome is not None,
        record=record.json(),
    )


def reply_to(asked: Request) -> ChooseReply | JudgeReply | CheckReply | ImportReply:
    match asked:
        case ChooseRequest():
            return choose(asked)
        case JudgeRequest():
            return judge(asked)
        case CheckRequest():
            return check(asked)
        case ImportRequest():
            return import_record(asked)


def main() -> None:
    os.nice(int(sys.argv[1]))
    one_thread()
    lines = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # a bot that prints disturbs nobody
    _tell(lines, READY)
    for line in sys.stdin.buffer:
        reply: ChooseReply | JudgeReply | CheckReply | ImportReply
        try:
            reply = reply_to(msgspec.json.decode(line, type=Request))
        except Exception as error:  # noqa: BLE001  # a bot may fail in any way it likes
            _seated.cache_clear()  # and nobody knows what it has left behind
            reply = ChooseReply(error=f"{type(error).__name__}: {error}"[:300])
        _tell(lines, msgspec.json.encode(reply) + b"\n")


def _tell(lines: BinaryIO, line: bytes) -> None:
    try:
        lines.write(line)
        lines.flush()
    except BrokenPipeError:
        os._exit(0)  # the server was killed meanwhile


if __name__ == "__main__":
    main()
