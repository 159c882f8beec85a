"""The process of a bot in Python: `python -m highvoltage.tournament.worker NAME`."""

import gc
import os
import sys
from functools import cache
from typing import BinaryIO

import msgspec
from msgspec import Struct

from highvoltage import bots
from highvoltage.engine.legal import Moves
from highvoltage.engine.moves import Bid, Move, Nominate, Span, parse_move
from highvoltage.games import edition
from highvoltage.threads import one_thread
from highvoltage.tournament.processes import Choose, Chosen, Hello, NewGame


class Worker:
    """Plays one game after another with a bot."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._bot: bots.Bot = bots.make(name, 0)
        self._kinds: tuple[type[Move], ...] = ()

    def begin(self, game: NewGame) -> None:
        self._bot = bots.make(self._name, game.seed)
        self._kinds = tuple(edition(game.rulebook).rules.moves)

    def choose(self, question: Choose) -> Chosen:
        plain: list[Move] = []
        spans: list[Span] = []
        for offer in question.legal:
            move = parsed(offer.move, self._kinds)
            if offer.to is not None and isinstance(move, Nominate | Bid):
                spans.append(Span(move, offer.to))
            else:
                plain.append(move)
        legal = Moves(plain, spans)
        return Chosen(str(bots.decide(self._bot, question.view, legal).move))


parsed = cache(parse_move)


def main(name: str) -> None:
    one_thread()
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # a bot that prints disturbs no answer
    try:
        worker, hello = Worker(name), Hello(needs=bots.needs(name))
    except Exception as error:  # noqa: BLE001  # a bot may raise anything
        worker, hello = None, Hello(error=shown(error))
    gc.freeze()  # what is loaded stays: nothing of it needs to be looked at again
    decoder = msgspec.json.Decoder(Hello | NewGame | Choose)
    for line in sys.stdin.buffer:
        match decoder.decode(line):
            case Hello():
                write(answers, hello)
            case NewGame() as game if worker:
                worker.begin(game)
            case Choose() as question if worker:
                write(answers, answer(worker, question))
            case _:
                return


def answer(worker: Worker, question: Choose) -> Chosen:
    try:
        return worker.choose(question)
    except Exception as error:  # noqa: BLE001  # a bot may raise anything
        return Chosen("", error=shown(error))


def shown(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"[:300]


def write(answers: BinaryIO, message: Struct) -> None:
    answers.write(msgspec.json.encode(message) + b"\n")
    answers.flush()


if __name__ == "__main__":
    main(sys.argv[1])
