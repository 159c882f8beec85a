"""The judge's first word, which does not wait for the better one; and who advises without it."""

import asyncio
from threading import Event
from typing import Any

import pytest

import highvoltage as hv
from highvoltage import bots
from highvoltage.bots.protocol import Choice
from highvoltage.judge import advise
from highvoltage.judge.advice import HINT_BUDGET
from highvoltage.rooms import thinking
from highvoltage.rooms.bot_service import BotService
from highvoltage.rooms.counters import FAILURES
from highvoltage.rooms.person import Asker
from highvoltage.rooms.thinking import AdviseRequest, ChooseReply
from highvoltage.table import offers
from serving import ME, PATIENCE, Person
from shells import Shell


def test_the_first_word_comes_before_the_judge_has_looked_ahead(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It looks ahead only after the person has read the first word."""
    has_read = Event()
    asked: list[Any] = []

    def patient(*position: Any, budget: Any, **given: Any) -> Choice:
        asked.append(budget)
        if budget is not None:
            assert has_read.wait(PATIENCE), "nobody has read a first word"
        return advise(*position, budget=None, **given)

    monkeypatch.setattr(thinking, "advise", patient)
    shell = Shell()
    try:
        with Person(shell, "Ann") as ann, ann.live(ann.table([ME, ME])["id"]) as live:
            live.send("hint")
            assert live.next("hint")["thinking"]
            has_read.set()
            assert not live.next("hint")["thinking"]
    finally:
        has_read.set()
        shell.stop()
    assert asked == [None, HINT_BUDGET]


class Unwilling:
    """Workers that cannot ask the judge; every bot does the first thing that it may."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, Any]] = []

    async def ask(
        self, work: str, question: Any, _kind: object, _seconds: float, _asker: Asker
    ) -> ChooseReply:
        self.asked.append((work, question))
        if isinstance(question, AdviseRequest):
            return ChooseReply(error="no network")
        return ChooseReply(question.legal[0].move, "random")


@pytest.mark.parametrize(
    ("known", "adviser"),
    [(bots.names(), "engineer"), (("clerk", "director"), "director")],
)
def test_where_the_judge_fails_a_bot_advises(
    known: tuple[str, ...], adviser: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bots, "names", lambda: known)
    workers: Any = Unwilling()
    service, game = BotService(workers, 1, 1), hv.new("classic", players=2, seed=1)
    legal = offers(game)
    asked = AdviseRequest("7", "classic", game.view(game.to_move, history=True), legal, [None] * 2)
    before = FAILURES["bots"]
    given = asyncio.run(service.advise(asked, Asker("", "ann")))
    assert (given.move, given.bot) == (legal[0].move, adviser)
    assert FAILURES["bots"] == before + 1
    (_, judge), (_, bot) = workers.asked
    assert (judge, bot.bot, bot.seed, bot.view) == (asked, adviser, "7", asked.view)
    assert asyncio.run(service.first_advice(asked, Asker("", "ann"))) is None
    assert workers.asked[-1][1].at_first_sight
