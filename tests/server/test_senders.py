"""Every message by every kind of sender: who may send it, and that nothing else changes a table."""

from collections.abc import Iterator
from contextlib import ExitStack
from random import Random

import pytest

from highvoltage.rooms.bot_service import BotService
from highvoltage.rooms.person import Asker
from highvoltage.rooms.socket_messages import CLIENT_MESSAGES
from highvoltage.rooms.thinking import ChooseReply, ChooseRequest
from serving import BOT, ME, OPEN, Live, Person, Server

# Ann has nominated plant 3 and could take that back; Bob bids next, and Cem after him.
MESSAGES: dict[str, dict[str, object]] = {
    "move": {"seq": 1, "move": "pass"},
    "undo": {"seq": 1},
    "max_bid": {"card": "5", "limit": 9},
    "pass_on": {"card": "6"},
    "hint": {"bot": "clerk"},
    "coach": {},
    "preview": {"seq": 1, "moves": []},
    "chat": {"text": "hello"},
    "ping": {},
}
SEATED = {
    "move": "not_your_turn",
    "undo": "no_undo",
    "max_bid": "done",
    "pass_on": "done",
    "hint": "not_your_turn",
    "coach": "coach_alone",  # people are no company for one
    "preview": "not_your_turn",
    "chat": "done",
    "ping": "pong",
}
OUTSIDE = {**dict.fromkeys(MESSAGES, "not_allowed"), "chat": "done", "ping": "pong"}
ANSWERS = {
    "bob": {**SEATED, "hint": "hint", "preview": "preview", "move": "done"},
    "ann": {**SEATED, "undo": "done"},
    "cem": SEATED,
    "host": OUTSIDE,  # without a seat
    "left": OUTSIDE,
    "removed": {**OUTSIDE, "chat": "sent_away"},
    "spectator": OUTSIDE,
    "nobody": OUTSIDE,  # without a cookie
}
CHANGES = [("ann", "undo"), ("bob", "move")]  # of the position; not sent with the others


def answer(live: Live, name: str, kind: str) -> str:
    """The kind of the answer, or the code of a refusal."""
    live.send(kind, ref=f"{name}-{kind}-of-1", **MESSAGES[kind])
    found = live.next("done", "refused", "error", "hint", "preview", "pong")
    return str(found.get("code", found["type"]))


@pytest.fixture
def table(server: Server) -> Iterator[tuple[str, dict[str, Person], dict[str, Live]]]:
    with ExitStack() as stack:
        people = {name: stack.enter_context(Person(server, name.title())) for name in ANSWERS}
        seats = [OPEN, OPEN, OPEN, OPEN, OPEN, BOT]
        made = people["host"].table(seats, seed=5, auto=False)["id"]
        for name in ("ann", "bob", "cem", "left", "removed"):
            people[name].post(f"/api/tables/{made}/join", json={}).raise_for_status()
        people["left"].post(f"/api/tables/{made}/leave", json={}).raise_for_status()
        away = people["host"].post(f"/api/tables/{made}/remove", json={"seat": 4})
        away.raise_for_status()
        people["nobody"].cookies.clear()
        lives = {name: stack.enter_context(each.live(made)) for name, each in people.items()}
        lives["ann"].until(lambda s: s["legal"])
        lives["ann"].move("nominate 3 @3")
        for live in lives.values():
            live.until(lambda s: s["seq"] == 1)
        yield made, people, lives


def test_who_may_send_what(table: tuple[str, dict[str, Person], dict[str, Live]]) -> None:
    made, people, lives = table
    for name, live in lives.items():
        found = {kind: answer(live, name, kind) for kind in MESSAGES if (name, kind) not in CHANGES}
        expected = {kind: ANSWERS[name][kind] for kind in found}
        assert found == expected, name
    for name, person in people.items():  # nobody's message has changed what another sees
        state = person.get(f"/api/tables/{made}").json()
        assert state["seq"] == 1
        assert state["max_bids"] == ({"5": 9, "6": 0} if ANSWERS[name]["max_bid"] == "done" else {})
    assert answer(lives["ann"], "ann", "undo") == "done"
    assert people["ann"].get(f"/api/tables/{made}").json()["seq"] == 2


def test_every_message_is_in_the_table() -> None:
    known = {kind.__struct_config__.tag for kind in CLIENT_MESSAGES}
    assert known == {"auth", *MESSAGES}  # the first message, before anybody is known


def test_a_bot_is_shown_the_view_of_its_own_seat(
    ann: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[ChooseRequest] = []
    choose = BotService.choose

    async def noted(service: BotService, question: ChooseRequest, asker: Asker) -> ChooseReply:
        asked.append(question)
        return await choose(service, question, asker)

    monkeypatch.setattr(BotService, "choose", noted)
    clerk = {"kind": "bot", "bot": "clerk"}
    table = ann.table([ME, clerk, clerk], options={"money": "hidden"}, seed=5)["id"]
    with ann.live(table) as live:
        live.play(Random(1), 3)
        live.until(lambda s: s["legal"])
    views = [question.view for question in asked if question.seed.startswith(table)]
    assert {view["seat"] for view in views} == {1, 2}
    for view in views:
        assert view["seat"] == view["to_move"]
        shown = [player["seat"] for player in view["players"] if player["money"] is not None]
        assert shown == [view["seat"]]
