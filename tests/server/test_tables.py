"""Tables over HTTP and WebSocket, at a real server; and the same in a browser, without one."""

import json
from random import Random
from typing import Any

import pytest

import highvoltage as hv
from ours import RULEBOOKS
from serving import BOT, ME, OPEN, Person, Server
from shells import in_both_shells  # noqa: F401  # the fixture `server`

FORMS = ("text", "json")


def test_two_people_find_each_other_by_a_link_and_play(ann: Person, bob: Person) -> None:
    table = ann.table([ME, OPEN, BOT], title="Friday")
    assert table["status"] == "open"
    with ann.live(table["id"]) as first, bob.live(table["id"]) as second:
        assert first.next("state")["view"] is None
        joined = bob.post(f"/api/tables/{table['id']}/join", json={}).json()
        assert joined["status"] == "running"
        assert [each["host"] for each in (table, joined)] == [True, False]
        assert [seat["mine"] for seat in joined["seats"]] == [False, True, False]
        assert [seat["name"] for seat in joined["seats"]] == ["Ann", "Bob", "Random"]
        rng = Random(1)
        for _ in range(12):
            states = [
                live.until(lambda s: s["view"] and s["view"]["to_move"] in {0, 1})
                for live in (first, second)
            ]
            latest = max(states, key=lambda s: int(s["seq"]))
            mover = (first, second)[latest["view"]["to_move"]]
            state = mover.until(lambda s, seq=latest["seq"]: s["seq"] >= seq)
            if state["legal"]:
                mover.move(rng.choice(state["legal"])["move"])
                for live in (first, second):
                    live.until(lambda s, seq=state["seq"]: s["seq"] > seq)
        low = min(len(first.log), len(second.log))
        assert low > 0
        assert first.log[:low] == second.log[:low]


def test_a_refused_move_says_why_and_a_fresh_state_follows(ann: Person) -> None:
    table = ann.table([ME, ME])
    with ann.live(table["id"]) as live:
        state = live.next("state")
        live.send("move", seq=state["seq"], move="nominate 4 @3", ref=7)
        refused = live.next("refused", "error")
        assert refused == {
            "type": "refused",
            "code": "bid_below_minimum",
            "rule": "C-4.2.1",
            "message": "The lowest bid for plant 4 is 4. (C-4.2.1)",
            "values": {"card": "4", "minimum": 4},
            "ref": 7,
        }
        assert live.next("state")["view"] == state["view"]
        live.send("move", seq=99, move="nominate 4 @4")
        assert live.next("refused")["code"] == "stale"


def test_a_preview_shows_the_result_of_moves_without_making_them(ann: Person, bob: Person) -> None:
    table = ann.table([ME, ME], public=True)
    with ann.live(table["id"], "?brief=true") as live, bob.live(table["id"]) as other:
        state = live.next("state")
        live.send("preview", seq=state["seq"], moves=["nominate 4 @5", "pass"], ref=7)
        reply = live.next("preview", "refused", "error")
        assert (reply["type"], reply["seq"], reply["ref"]) == ("preview", state["seq"], 7)
        assert (reply["stop"], reply["refused"], reply["legal"]) == ("turn", None, [])
        assert reply["view"]["auction"]["bid"] == 5
        live.send("preview", seq=state["seq"], moves=["nominate 4 @3"])
        assert live.next("preview")["refused"] == {
            "move": "nominate 4 @3",
            "code": "bid_below_minimum",
            "rule": "C-4.2.1",
            "message": "The lowest bid for plant 4 is 4. (C-4.2.1)",
            "values": {"card": "4", "minimum": 4},
        }
        other.next("state")
        other.send("preview", seq=state["seq"], moves=[])
        assert other.next("error")["code"] == "not_allowed"
        live.send("preview", seq=99, moves=[])
        assert live.next("refused")["code"] == "stale"
        assert live.next("state")["seq"] == state["seq"]


def test_one_person_in_several_seats_sees_the_view_of_the_seat_to_move(ann: Person) -> None:
    table = ann.table([ME, ME], options={"money": "hidden"})
    with ann.live(table["id"]) as live:
        rng = Random(3)
        for _ in range(10):
            state = live.until(lambda s: s["legal"])
            assert state["you"] == state["view"]["to_move"]
            live.move(rng.choice(state["legal"])["move"])
            live.until(lambda s, seq=state["seq"]: s["seq"] > seq)
        seq = live.state["seq"]
        undo = live.state["undo_to"]
        if undo is not None:
            live.send("undo", seq=seq)
            live.until(lambda s: s["seq"] == seq + 1)


def test_undo_and_secret_limits_over_websocket(ann: Person, bob: Person) -> None:
    table = ann.table([ME, OPEN], seed=5)
    bob.post(f"/api/tables/{table['id']}/join", json={"seat": 1})
    with ann.live(table["id"]) as first, bob.live(table["id"]) as second:
        lives = [first, second]
        start = first.until(lambda s: s["view"])
        mover = start["view"]["to_move"]
        nominate, answer = lives[mover], lives[1 - mover]
        nominate.until(lambda s: s["legal"])
        nominate.move("nominate 3 @3")
        assert nominate.until(lambda s: s["seq"] == 1)["undo_to"] == 0
        nominate.send("undo", seq=1)
        state = nominate.until(lambda s: s["seq"] == 2)
        assert nominate.log == []
        assert state["legal"]
        answer.until(lambda s: s["seq"] == 2)
        answer.send("max_bid", card="3", limit=6)
        assert answer.until(lambda s: s["max_bids"])["max_bids"] == {"3": 6}
        nominate.move("nominate 3 @3")
        assert nominate.until(lambda s: s["seq"] == 4)["max_bids"] == {}
        assert [row["move"] for row in nominate.log] == ["nominate 3 @3", "bid 4"]
        nominate.move("bid 6")
        nominate.until(lambda s: s["seq"] == 6)
        assert [row["move"] for row in nominate.log[2:]] == ["bid 6", "pass"]


def test_a_program_is_sent_its_turns_its_own_moves_and_the_end(ann: Person, bob: Person) -> None:
    table = ann.table([ME, OPEN], seed=5, auto=False)["id"]
    bob.post(f"/api/tables/{table}/join", json={})
    with ann.live(table, "?brief=true") as first, bob.live(table, "?brief=true") as second:
        lives = {live.next("state")["you"]: live for live in (first, second)}
        mover = next(seat for seat, live in lives.items() if live.state["legal"])
        quick, waiting = lives[mover], lives[1 - mover]
        for move in ("nominate 3 @3", "undo", "nominate 4 @4"):
            seq = quick.state["seq"]
            quick.send("undo", seq=seq) if move == "undo" else quick.move(move)
            state = quick.next("state")  # at once, though it may not be his turn
            assert state["seq"] == seq + 1
            assert (state["view"] is None) == (not state["legal"])
        received = [waiting.next("state"), waiting.next("state")]
        assert [(state["seq"], bool(state["legal"])) for state in received] == [
            (1, True),
            (3, True),
        ]
        assert [row["move"] for row in waiting.log] == ["nominate 4 @4"]


def test_all_spectators_are_sent_the_same(server: Server, ann: Person, bob: Person) -> None:
    table = ann.table([ME, ME])["id"]
    with ann.live(table) as playing, bob.live(table) as early, Person(server) as eve:
        early.until(lambda s: s["seq"] == 0)
        for seq in (1, 2):
            state = playing.until(lambda s, seq=seq: s["seq"] == seq - 1 and s["legal"])
            playing.move(state["legal"][0]["move"])
            early.until(lambda s, seq=seq: s["seq"] == seq)
        with eve.live(table) as late:  # others come and go while the two are connected
            late.next("state")
            alike = early.until(lambda s: s["seq"] == 2)
            assert late.log == early.log
            assert late.state["view"] == alike["view"]
            state = playing.until(lambda s: s["seq"] == 2)
            playing.move(state["legal"][0]["move"])
            third = [live.until(lambda s: s["seq"] == 3) for live in (early, late)]
        assert third[0] == third[1]
        assert [seat["mine"] for seat in third[0]["table"]["seats"]] == [False, False]
        assert playing.until(lambda s: s["seq"] == 3)["table"]["host"]


def test_chat_is_a_stream_of_its_own(ann: Person, bob: Person) -> None:
    table = ann.table([ME, BOT])
    with ann.live(table["id"]) as live:
        live.send("chat", text="good luck")
        assert live.next("chat")["lines"][0]["text"] == "good luck"
    with bob.live(table["id"]) as watching:
        received = watching.next("chat")["lines"]
        assert [(line["name"], line["text"]) for line in received] == [("Ann", "good luck")]
        watching.send("chat", text="who is ahead?")  # spectators may chat too
        line = watching.next("chat")["lines"][-1]
        assert (line["seat"], line["name"], line["text"]) == (-1, "Bob", "who is ahead?")
        watching.send("move", seq=0, move="pass")
        assert watching.next("error")["code"] == "not_allowed"


def test_a_hint_is_a_legal_move_with_a_reason(ann: Person) -> None:
    table = ann.table([ME, ME])
    with ann.live(table["id"]) as live:
        state = live.until(lambda s: s["legal"])
        live.send("hint", bot="clerk")
        hint = live.next("hint")
        offered = {offer["move"] for offer in state["legal"]}
        assert hint["move"].startswith(("nominate", "pass")), offered
        assert hint["why"]["text"]
        assert hint["seq"] == state["seq"]  # which position it is for
        assert state["seq"] == 0
        live.send("hint")
        for thinking in (True, False):  # the judge's first word, then its last
            hint = live.next("hint")
            assert (hint["bot"], hint["thinking"]) == ("judge", thinking)
            assert hint["move"].startswith(("nominate", "pass"))
            assert hint["why"]["text"]
        live.send("hint", bot="mine.py:Greedy")
        assert live.next("error")["code"] == "no_bot"


def test_a_coach_speaks_to_who_plays_alone(ann: Person, bob: Person) -> None:
    table = ann.table([ME, BOT])
    with ann.live(table["id"]) as live:
        state = live.until(lambda s: s["legal"])
        live.send("coach")
        first, last = live.next("coach"), live.next("coach")
        assert first == {"type": "coach", "seq": state["seq"], "lines": [], "thinking": True}
        assert not last["thinking"]
        assert last["lines"][0]["code"].startswith("weigh")
        assert "Weigh two things" in last["lines"][0]["text"]
    with bob.live(table["id"]) as watching:
        watching.send("coach")
        assert watching.next("error")["code"] == "not_allowed"
    with ann.live(ann.table([ME, ME])["id"]) as live:
        live.send("coach")
        assert live.next("refused")["code"] == "coach_alone"


def test_lobby_shows_public_tables_and_mine(ann: Person, bob: Person) -> None:
    hidden = ann.table([ME, OPEN])
    shown = ann.table([ME, OPEN], public=True)
    public = {table["id"] for table in bob.get("/api/tables").json()}
    assert shown["id"] in public
    assert hidden["id"] not in public
    mine = [table["id"] for table in ann.get("/api/tables/mine").json()]
    assert {hidden["id"], shown["id"]} <= set(mine)
    waiting = ann.table([ME, ME])  # my turn
    assert ann.get("/api/tables/mine").json()[0]["id"] == waiting["id"]


def test_a_player_who_leaves_is_replaced_by_a_bot_for_good(ann: Person, bob: Person) -> None:
    table = ann.table([ME, OPEN, OPEN])["id"]
    bob.post(f"/api/tables/{table}/join", json={"seat": 2})
    left = bob.post(f"/api/tables/{table}/leave", json={}).json()
    assert [seat["kind"] for seat in left["seats"]] == ["person", "open", "open"]
    bob.post(f"/api/tables/{table}/join", json={"seat": 2})
    assert bob.post(f"/api/tables/{table}/start", json={}).status_code == 403
    started = ann.post(f"/api/tables/{table}/start", json={"bot": "random"}).json()
    assert started["status"] == "running"
    assert ann.delete(f"/api/tables/{table}").status_code == 409  # it is also Bob's
    left = bob.post(f"/api/tables/{table}/leave", json={}).json()
    assert [seat["left"] for seat in left["seats"]] == [False, False, True]
    assert (left["seats"][2]["kind"], left["seats"][2]["name"]) == ("bot", "Bob")
    assert bob.post(f"/api/tables/{table}/stand-in", json={"seat": 2}).status_code == 403
    assert bob.delete(f"/api/tables/{table}").status_code == 403
    assert ann.delete(f"/api/tables/{table}").status_code == 204
    assert ann.get(f"/api/tables/{table}").status_code == 404
    assert table not in {each["id"] for each in ann.get("/api/tables/mine").json()}


def test_a_game_ends_without_a_winner_once_all_people_agree(ann: Person, bob: Person) -> None:
    table = ann.table([ME, ME, OPEN, BOT])["id"]
    assert bob.post(f"/api/tables/{table}/end").status_code == 409  # it has not begun
    assert bob.post(f"/api/tables/{table}/join", json={}).status_code == 201
    with ann.live(table) as live:
        live.until(lambda s: s["legal"])
        agreed = ann.post(f"/api/tables/{table}/end").json()
        assert [seat["would_end"] for seat in agreed["seats"]] == [True, True, False, False]
        assert ann.post(f"/api/tables/{table}/play-on").json()["status"] == "running"
        still = bob.post(f"/api/tables/{table}/end").json()
        assert [seat["would_end"] for seat in still["seats"]] == [False, False, True, False]
        assert still["status"] == "running"
        ended = ann.post(f"/api/tables/{table}/end").json()
        assert (ended["status"], ended["to_move"]) == ("broken", None)
        over = live.until(lambda s: s["table"]["status"] == "broken")
        assert over["legal"] == []
    assert bob.post(f"/api/tables/{table}/play-on").status_code == 409
    assert hv.replay(ann.get(f"/api/tables/{table}/record").text).outcome is None


def test_whoever_leaves_does_not_keep_others_from_ending(ann: Person, bob: Person) -> None:
    table = ann.table([ME, OPEN])["id"]
    bob.post(f"/api/tables/{table}/join", json={})
    ann.post(f"/api/tables/{table}/end")
    assert bob.post(f"/api/tables/{table}/leave", json={}).json()["status"] == "broken"
    table = ann.table([ME, BOT])["id"]
    assert bob.post(f"/api/tables/{table}/end").status_code == 403  # he does not play there
    assert bob.post(f"/api/tables/{table}/play-on").status_code == 403
    left = ann.post(f"/api/tables/{table}/leave", json={}).json()
    assert left["status"] == "running"  # bots play on
    ann.delete(f"/api/tables/{table}")


def test_people_at_one_screen_have_names_and_each_bot_its_kind(ann: Person) -> None:
    cleo = {"kind": "me", "name": "Cleo"}
    bots = [{"kind": "bot", "bot": bot} for bot in ("random", "clerk")]
    table = ann.table([ME, cleo, *bots])
    assert [seat["name"] for seat in table["seats"]] == ["Ann", "Cleo", "Random", "Clerk"]
    assert [seat["bot"] for seat in table["seats"]] == [None, None, "random", "clerk"]
    assert not any(seat["left"] for seat in table["seats"])


def test_a_seat_goes_to_the_bearer_of_its_key(ann: Person, bob: Person) -> None:
    table = ann.table([ME, BOT])["id"]
    assert bob.post(f"/api/tables/{table}/key", json={}).status_code == 403
    old = ann.post(f"/api/tables/{table}/key", json={}).json()["key"]
    key = ann.post(f"/api/tables/{table}/key", json={}).json()["key"]
    assert bob.post(f"/api/tables/{table}/claim", json={"key": old}).status_code == 404
    claimed = bob.post(f"/api/tables/{table}/claim", json={"key": key}).json()
    assert claimed["seats"][0]["mine"]
    assert claimed["seats"][0]["name"] == "Bob"
    again = ann.get(f"/api/tables/{table}").json()
    assert again["you"] is None
    assert key.encode() not in ann.server.stored()


def test_the_host_invites_somebody_to_the_seat_of_a_bot(ann: Person, bob: Person) -> None:
    table = ann.table([ME, BOT])["id"]
    assert bob.post(f"/api/tables/{table}/key", json={"seat": 1}).status_code == 403
    key = ann.post(f"/api/tables/{table}/key", json={"seat": 1}).json()
    info = bob.post(f"/api/tables/{table}/claim", json=key).json()
    seat = info["seats"][1]
    assert (info["host_seat"], seat["kind"], seat["name"], seat["bot"]) == (
        0,
        "person",
        "Bob",
        None,
    )
    assert bob.get(f"/api/tables/{table}").json()["you"] == 1
    assert ann.post(f"/api/tables/{table}/key", json={"seat": 1}).status_code == 403  # it is his
    bob.post(f"/api/tables/{table}/leave", json={}).raise_for_status()
    seat = ann.get(f"/api/tables/{table}").json()["table"]["seats"][1]
    assert (seat["left"], seat["name"]) == (True, "Bob")
    key = ann.post(f"/api/tables/{table}/key", json={"seat": 1}).json()
    assert bob.post(f"/api/tables/{table}/claim", json=key).json()["seats"][1]["mine"]


def test_a_bot_substitutes_until_the_player_is_back(ann: Person) -> None:
    table = ann.table([ME, ME])["id"]
    with ann.live(table) as live:
        live.until(lambda s: s["legal"])
        for seat in (0, 1):
            ann.post(f"/api/tables/{table}/stand-in", json={"seat": seat, "bot": "random"})
        live.until(lambda s: s["view"]["round"] > 1)
        for seat in (0, 1):
            ann.post(f"/api/tables/{table}/stand-in", json={"seat": seat, "bot": None})
        assert live.until(lambda s: s["legal"])["you"] is not None
        assert {row["by"] for row in live.log} <= {"bot", "auto"}


def test_rematch_is_one_table_for_all(ann: Person, bob: Person) -> None:
    table = ann.table([ME, OPEN, BOT])["id"]
    assert ann.post(f"/api/tables/{table}/rematch").status_code == 409
    bob.post(f"/api/tables/{table}/join", json={})
    for person, seat in ((ann, 0), (bob, 1)):
        person.post(f"/api/tables/{table}/stand-in", json={"seat": seat, "bot": "random"})
    with ann.live(table) as live:
        live.until(lambda s: s["table"]["status"] == "finished")
    first = bob.post(f"/api/tables/{table}/rematch").json()
    second = ann.post(f"/api/tables/{table}/rematch").json()
    assert first["id"] == second["id"] != table
    assert [seat["kind"] for seat in first["seats"]] == ["open", "person", "bot"]
    assert ann.get(f"/api/tables/{table}").json()["table"]["rematch"] == first["id"]
    assert bob.delete(f"/api/tables/{first['id']}").status_code == 204
    assert ann.post(f"/api/tables/{table}/rematch").json()["status"] == "open"


@pytest.fixture(scope="module")
def finished(server: Server) -> str:
    with Person(server, "Ann") as ann:
        table: str = ann.table([ME, ME], options={"money": "hidden"}, seed="a game")["id"]
        with ann.live(table) as live:
            live.play(Random(4))
    return table


def test_a_finished_game_is_shown_at_every_move_with_everybodys_money(
    finished: str, bob: Person
) -> None:
    table = finished
    log = bob.get(f"/api/tables/{table}/log").json()
    last = len(log["rows"])
    for n in (0, last // 2, last):
        position = bob.get(f"/api/tables/{table}/at/{n}").json()
        assert position["view"]["seq"] == n
        assert all(player["money"] is not None for player in position["view"]["players"])
    assert bob.get(f"/api/tables/{table}/at/{last + 1}").status_code == 404
    assert bob.get(f"/api/tables/{table}/at/-1").status_code in {400, 404}


def test_records_are_downloaded_and_imported(finished: str, bob: Person) -> None:
    table = finished
    text = bob.get(f"/api/tables/{table}/record").text
    as_json = bob.get(f"/api/tables/{table}/record?form=json").text
    assert str(hv.replay(text).record()) == text
    assert json.loads(as_json)["rulebook"] == "classic"
    for record in (text, as_json):
        imported = bob.post("/api/import", content=record)
        assert imported.status_code == 201, imported.text
        again = imported.json()
        assert again["status"] == "finished"
        assert bob.get(f"/api/tables/{again['id']}/record").text == text
        assert bob.get(f"/api/tables/{again['id']}/at/5").json()["view"]["seq"] == 5
    half = "\n".join(line for line in text.splitlines()[:40]) + "\n"
    broken = bob.post("/api/import", content=half).json()
    assert broken["status"] == "broken"
    bad = bob.post("/api/import", content=text.replace("pass", "bid 900", 1))
    assert bad.status_code == 400
    assert bad.json()["code"] == "record_error"


def test_a_game_is_shown_and_exported_up_to_its_last_move(finished: str, bob: Person) -> None:
    moves = bob.get(f"/api/tables/{finished}").json()["table"]["moves"]
    here = f"/api/tables/{finished}"
    for n, status in ((0, 200), (moves, 200), (moves + 1, 404)):
        for path in (f"{here}/at/{n}", f"{here}/record?moves={n}"):
            assert bob.get(path).status_code == status, path
    last = bob.get(f"{here}/at/{moves}").json()
    assert (last["n"], last["moves"], last["view"]["seq"]) == (moves, moves, moves)
    for n in (0, moves):
        assert len(hv.replay(bob.get(f"{here}/record?moves={n}").text).log) == n


def test_what_has_not_begun_has_no_record_and_no_log(ann: Person) -> None:
    table = ann.table([ME, OPEN])["id"]
    for what in ("record", "record?moves=0", "log", "at/0"):
        refused = ann.get(f"/api/tables/{table}/{what}")
        assert (refused.status_code, refused.json()["code"]) == (409, "not_begun"), what


def test_imports_read_no_files(finished: str, bob: Person) -> None:
    table = finished
    record: dict[str, Any] = bob.get(f"/api/tables/{table}/record?form=json").json()
    record["options"]["map"] = "/etc/hostname"
    answer = bob.post("/api/import", json=record)
    assert answer.status_code == 400
    assert "There is no map" in answer.json()["message"]


def test_tables_are_made_with_shipped_or_posted_data_only(ann: Person) -> None:
    def make(**setup: Any) -> Any:
        return ann.post("/api/tables", json={"rulebook": "classic", "seats": [ME, BOT], **setup})

    assert make(map="/etc/hostname.json").status_code == 400
    assert make(rulebook="../classic").status_code == 400
    assert make(rulebook="cardgame", options={"cards": "/etc/hostname"}).status_code == 400
    assert make(options={"regions": [["north"]]}).status_code == 400
    assert make(seats=[ME, {"kind": "bot", "bot": "mine.py:Greedy"}]).status_code == 400
    assert make(seats=[ME]).status_code == 400
    board = ann.get("/api/maps/germany").json()
    own = make(map={**board, "id": "mine", "name": "Mine"})
    assert own.status_code == 201, own.text
    assert own.json()["map"] == "Mine"
    state = ann.get(f"/api/tables/{own.json()['id']}").json()
    assert state["view"]["map"] == "mine"


@pytest.mark.parametrize("rulebook", ["cardgame", "outpost"])
def test_a_table_is_played_with_custom_cards_and_so_are_its_record_and_rematch(
    ann: Person, rulebook: str
) -> None:
    own = ann.get(f"/api/cards/{rulebook}").json()
    for card in own["plants"] if rulebook == "cardgame" else own["cards"]:
        card["source"] = "printed"
    table = ann.table([ME, BOT], rulebook=rulebook, options={"cards": own})
    assert table["options"] == {"cards": "own"}
    with ann.live(table["id"], "?brief=true") as live:
        live.play(Random(6))
    records = [ann.get(f"/api/tables/{table['id']}/record?form={form}").text for form in FORMS]
    for record in records:
        imported = ann.post("/api/import", content=record).json()
        assert imported["options"]["cards"] == "own"
        again = ann.get(f"/api/tables/{imported['id']}/record?form=json").text
        assert again == records[1]
    stored = json.loads(records[1])["options"]["cards"]
    cards = stored["plants"] if rulebook == "cardgame" else stored["cards"]
    assert {card["source"] for card in cards} == {"printed"}
    rematch = ann.post(f"/api/tables/{table['id']}/rematch").json()
    assert (rematch["status"], rematch["options"]) == ("running", {"cards": "own"})


def test_custom_cards_that_cannot_be_played_are_refused_with_every_fault(ann: Person) -> None:
    def make(cards: Any, rulebook: str = "cardgame") -> Any:
        setup = {"rulebook": rulebook, "seats": [ME, BOT], "options": {"cards": cards}}
        return ann.post("/api/tables", json=setup)

    own = ann.get("/api/cards/cardgame").json()
    assert make("my-cards.json").json()["message"].startswith("Option 'cards' is what is in")
    assert make(own, "classic").json()["code"] == "option_error"
    own["plants"][0]["income"] = 0
    own["plants"][1]["fuels"] = ["wood"]
    refused = make(own)
    assert (refused.status_code, refused.json()["code"]) == (400, "cards_error")
    assert [own["plants"][n]["id"] in refused.json()["message"] for n in (0, 1)] == [True, True]
    assert len(refused.json()["values"]["problems"]) == refused.json()["values"]["count"] == 2
    many = make({**own, "plants": [{}] * 150}).json()
    assert (len(many["values"]["problems"]), many["values"]["count"]) == (50, 50)
    large = make({**own, "note": "x" * 200_000})
    assert (large.status_code, large.json()["code"]) == (413, "too_large")


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_every_rulebook_is_played_to_its_end(ann: Person, rulebook: str) -> None:
    table = ann.table([ME, BOT, BOT], rulebook=rulebook)["id"]
    with ann.live(table, "?brief=true") as live:
        live.play(Random(5))
        assert live.state["table"]["status"] == "finished"
        assert live.state["view"]["outcome"] is not None


def test_rules_and_maps_are_there(ann: Person) -> None:
    games = ann.get("/api/games").json()
    assert [game["name"] for game in games["games"]] == [*hv.games()]
    assert "clerk" in games["bots"]
    assert ann.get("/api/rules/classic").text.startswith("# Power Grid")
    assert ann.get("/api/rule/C-4.5.1").json()["id"] == "C-4.5.1"
    assert ann.get("/api/rules/classic/player/de").json()[0]["text"].startswith("# Funkenschlag")
    assert ann.get("/api/rules/atlas/player/de").json() == []
    assert ann.get("/api/rules/atlantis/player/de").status_code == 404
    drawing = ann.get("/api/pictures/plant.svg")
    assert drawing.headers["content-type"].startswith("image/svg+xml")
    assert drawing.text.startswith("<svg")
    assert ann.get("/api/pictures/atlantis.svg").status_code == 404
    assert ann.get("/api/rules", params={"words": "Vienna garbage"}).json()[0]["id"] == "C-12.3.6"
    assert ann.get("/api/rule/C-99").status_code == 404
    assert ann.get("/api/words/pl").status_code == 200
    assert ann.get("/api/words/atlantis").status_code == 404
    assert ann.get("/api/maps/atlantis").status_code == 404
    assert ann.get("/api/cards/classic").status_code == 404
    maps = {name for game in games["games"] for name in game["maps"].values()}
    assert all(ann.get(f"/api/maps/{name}").json()["cities"] for name in maps)
    own = {"rulebook": "outpost", "seats": [ME, ME], "map": ann.get("/api/maps/planet").json()}
    assert ann.post("/api/tables", json=own).status_code == 201
