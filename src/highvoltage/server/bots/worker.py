"""A process in which bots think: it is told what a seat sees and answers with a move.

A question and an answer are one line of JSON each. Of a game that is played nothing but a seat's
view ever comes here; of one that is over the record does, for the director to judge its decisions.
"""

import os
import sys
from functools import lru_cache
from typing import Any

import msgspec
from msgspec import Struct

import highvoltage as hv
from highvoltage import bots
from highvoltage.analysis import Judged, Look, judge
from highvoltage.games import edition
from highvoltage.table import Offer, moves_of

READY = b"ready\n"


class Question(Struct, tag=True):
    """What a bot is asked."""

    bot: str
    seed: str
    view: dict[str, Any]
    legal: list[Offer]


class Answer(Struct):
    """What it chose, and why; or the error that kept it from choosing."""

    move: str = ""
    code: str = ""
    values: dict[str, Any] = {}
    text: str = ""
    error: str = ""


class Study(Struct, tag=True):
    """A decision of a finished game to be judged."""

    record: str
    look: Look


class Studied(Struct):
    """How it was judged; or the error that kept it from that."""

    judged: Judged | None = None
    error: str = ""


def answer(question: Question) -> Answer:
    """Let a bot choose.

    >>> import highvoltage as hv
    >>> from highvoltage.table import offers
    >>> game = hv.new("classic", players=2, seed=1)
    >>> view = game.view(game.to_move)
    >>> answer(Question("random", "7", view, offers(game))).code
    'random'
    """
    legal = moves_of(question.legal, edition(question.view["rulebook"]).rules.moves)
    choice = bots.make(question.bot, question.seed).choose(question.view, legal)
    if choice.move not in legal:
        raise ValueError(f"{choice.move} is not legal")
    return Answer(str(choice.move), choice.why.code, dict(choice.why.values), str(choice.why))


def study(asked: Study) -> Studied:
    return Studied(judge(_replayed(asked.record), asked.look))


_replayed = lru_cache(maxsize=4)(hv.replay)  # one look at a game is followed by the next


def main() -> None:
    lines = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # a bot that prints disturbs nobody
    lines.write(READY)
    lines.flush()
    for line in sys.stdin.buffer:
        reply: Answer | Studied
        try:
            asked = msgspec.json.decode(line, type=Question | Study)
            reply = answer(asked) if isinstance(asked, Question) else study(asked)
        except Exception as error:  # noqa: BLE001  # a bot may fail in any way it likes
            reply = Answer(error=f"{type(error).__name__}: {error}"[:300])
        try:
            lines.write(msgspec.json.encode(reply) + b"\n")
            lines.flush()
        except BrokenPipeError:
            os._exit(0)  # the server was killed meanwhile


if __name__ == "__main__":
    main()
