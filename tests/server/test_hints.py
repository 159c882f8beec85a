"""The judge's first word, which does not wait for the better one."""

from threading import Event
from typing import Any

import pytest

from highvoltage.bots.protocol import Choice
from highvoltage.judge import advise
from highvoltage.judge.advice import HINT_BUDGET
from highvoltage.rooms import thinking
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
