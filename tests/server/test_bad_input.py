"""Bad input: no failure of the server, no crash, no change.

`make fuzz` sends a million messages, in pieces, and resumes where it was interrupted; without FUZZ
in the environment it is a small share of them.
"""

import json
import os
import socket
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings, strategies

from pieces import piece, sizes
from serving import ME, OPEN, PATIENCE, Live, Person, Server, Watched

FUZZ = int(os.environ.get("FUZZ", "1800"))
PIECE = 30_000
PARTS = 8  # of the operations
EXAMPLES = max(1, FUZZ // 10_000)  # of every operation


# The WebSocket


def odd_value(rng: Random) -> Any:
    return rng.choice(
        [
            None,
            True,
            -1,
            0,
            10**6,
            10**30,
            2**63,
            -(2**70),
            1.5,
            1e308,
            "",
            "x" * rng.randint(1, 600),
            "nominate 3 @" + "9" * rng.randint(1, 200),
            "\u0000\ud7ff\uffff",
            [],
            [[[]]],
            {"a": {"b": []}},
        ]
    )


def message(rng: Random, seq: int, old: list[str]) -> str:
    """A message that must not change anything."""
    kind = rng.randrange(8)
    verbs = ("nominate 3 @3", "bid 9", "pass", "buy coal 1", "build essen", "run nothing", "done")
    if kind == 0:  # broken JSON
        whole = json.dumps({"type": "move", "seq": seq, "move": "pass"})
        return whole[: rng.randrange(len(whole))] + rng.choice(["", "}", '"', "\\", "[", "é"])
    if kind == 1:  # anything at all
        return "".join(
            chr(rng.randrange(1, rng.choice((127, 55_000)))) for _ in range(rng.randrange(60))
        )
    if kind == 2:  # wrong types
        fields = ("seq", "move", "to", "card", "limit", "text", "bot", "ref", "type")
        odd = {name: odd_value(rng) for name in rng.sample(fields, rng.randrange(1, 6))}
        kinds = ("move", "undo", "max_bid", "pass_on", "hint", "state", "Move", "")
        return json.dumps({"type": rng.choice(kinds), **odd, **rng.choice([{}, {"seq": -1}])})
    if kind == 3:  # too early or too late
        late = seq + rng.choice((-1, 1, 2, 1000, 999_999))
        return json.dumps({"type": "move", "seq": late, "move": rng.choice(verbs)})
    if kind == 4:  # not legal
        move = rng.choice(("nominate 3 @2", "bid 2", "nominate 50 @50", "run 3 3", "undo", "0"))
        return json.dumps({"type": "move", "seq": seq, "move": move})
    if kind == 5 and old:  # sent before
        return rng.choice(old)
    if kind == 6:
        return json.dumps({"type": "undo", "seq": seq + 1, "to": rng.randrange(50)})
    return json.dumps([odd_value(rng) for _ in range(rng.randrange(5))])


def fuzz(live: Live, rng: Random, count: int, seq: int, old: list[str]) -> int:
    """Send about this many messages; each is answered, and none has an effect."""
    rounds = -(-count // 50)
    for _ in range(rounds):
        for _ in range(50):
            live.socket.send(message(rng, seq, old))
        live.send("ping")
        live.next("pong")
    live.until(lambda s: s["seq"] == seq)
    return 50 * rounds


def view_of(person: Person, table: str) -> dict[str, Any]:
    state: dict[str, Any] = person.get(f"/api/tables/{table}").json()
    return {key: state[key] for key in ("seq", "view", "legal", "max_bids", "undo_to")}


@pytest.fixture
def server(watched: Watched) -> Watched:
    return watched


@pytest.mark.parametrize(("number", "count"), sizes(FUZZ, PIECE))
def test_a_fuzzed_websocket_changes_nothing(
    ann: Person, bob: Person, number: int, count: int
) -> None:
    with piece("fuzz", f"messages {number}") as results:
        results["messages"] = fuzz_a_table(ann, bob, Random(f"messages {number}"), count)
        assert ann.server.errors() == []


def fuzz_a_table(ann: Person, bob: Person, rng: Random, count: int) -> int:
    """How many messages were sent to the players and to a stranger."""
    table = ann.table([ME, OPEN], seed=5)["id"]
    bob.post(f"/api/tables/{table}/join", json={})
    people = [ann, bob]
    old: list[str] = []
    sent = 0
    with ann.live(table, "?brief=true") as first, bob.live(table, "?brief=true") as second:
        lives = [first, second]
        for _ in range(2):  # something for the fuzzer to repeat
            mover = lives[ann.get(f"/api/tables/{table}").json()["table"]["to_move"]]
            state = mover.until(lambda s: s["legal"])
            move = {"type": "move", "seq": state["seq"], "move": state["legal"][0]["move"]}
            old.append(json.dumps(move))
            mover.socket.send(old[-1])
            mover.until(lambda s, seq=state["seq"]: s["seq"] > seq)
        before = [view_of(person, table) for person in people]
        with Person(ann.server) as stranger, stranger.live(table, "?brief=true") as watching:
            watching.next("state")
            for live in (first, second, watching):
                sent += fuzz(live, rng, count // 3, before[0]["seq"], old)
        assert [view_of(person, table) for person in people] == before
        seat = before[0]["view"]["to_move"]
        lives[seat].move(before[seat]["legal"][0]["move"])  # and the game continues
        lives[seat].until(lambda s: s["seq"] > before[0]["seq"])
    return sent


def test_a_message_too_large_closes_the_connection_and_nothing_else(ann: Person) -> None:
    table = ann.table([ME, ME])["id"]
    with ann.live(table) as live:
        live.next("state")
        live.socket.send("x" * 100_000)
        with pytest.raises(ConnectionError):
            live.next("pong")
    assert ann.get("/healthz").status_code == 200


def test_binary_messages_and_unknown_tables(ann: Person) -> None:
    table = ann.table([ME, ME])["id"]
    with ann.live(table) as live:
        live.next("state")
        live.socket.send(b"\xff\xfe")
        live.send("ping")
        try:
            assert live.next("pong", "error")["type"] in {"pong", "error"}
        except ConnectionError:
            assert ann.get("/healthz").status_code == 200
    with ann.live("nowhere") as live:
        assert live.next("error")["code"] == "not_found"


@pytest.mark.parametrize(
    "first",
    [
        "",
        "{}",
        "[" * 4_000,
        '{"type": "ping"}',
        '{"type": "auth"}',
        '{"type": "auth", "token": 1}',
        "\ud800".encode(errors="surrogatepass"),
        b"\xff\xfe",
    ],
)
def test_a_nonsense_first_message_closes_the_connection(ann: Person, first: str | bytes) -> None:
    table = ann.table([ME, ME])["id"]
    with ann.live(table, "?auth=message") as live:
        live.socket.send(first, text=True)
        assert live.next()["code"] == "bad_token"
        with pytest.raises(ConnectionError):
            live.next()
        assert live.socket.close_code == 4401


# HTTP


@pytest.mark.parametrize(
    ("part", "examples"),
    [
        *((part, EXAMPLES) for part in range(PARTS if "FUZZ" in os.environ else 1)),
        *(pytest.param(part, 10, marks=pytest.mark.long) for part in range(PARTS)),
    ],
)
def test_http_keeps_to_its_schema_and_nobody_waits(
    server: Watched, part: int, examples: int
) -> None:
    import schemathesis  # noqa: PLC0415  # it takes a second to load

    with piece("fuzz", f"requests {part} {examples}") as results:
        schema = schemathesis.openapi.from_url(f"{server.url}/schema")
        operations: list[Any] = [result.ok() for result in schema.get_all_operations()]
        assert len(operations) > 25
        sent = 0
        with Person(server) as ann:
            for operation in operations[part::PARTS]:
                seats = ([ME, ME], [ME, OPEN]) if "{table}" in operation.path else ()
                tables = [ann.table(each)["id"] for each in seats]
                sent += check(operation, tables, ann.cookie, examples)
        assert server.errors() == []
        results["requests"] = sent


def check(operation: Any, tables: list[str], cookie: str, examples: int) -> int:
    """Request everything that the schema allows, and some that it does not; return how often."""
    from schemathesis import GenerationMode, checks  # noqa: PLC0415
    from schemathesis.specs.openapi import checks as openapi  # noqa: PLC0415

    rng = Random(1)
    requests = 0

    @settings(max_examples=examples, suppress_health_check=[*HealthCheck])
    @given(case=strategies.one_of(*(operation.as_strategy(mode) for mode in GenerationMode)))
    def ask(case: Any) -> None:
        nonlocal requests
        requests += 1
        if "table" in (case.path_parameters or {}) and rng.random() < 0.7:
            case.path_parameters["table"] = rng.choice(tables)
        case.call_and_validate(
            headers={"Cookie": cookie},
            checks=[
                checks.not_a_server_error,
                openapi.status_code_conformance,
                openapi.content_type_conformance,
                openapi.response_schema_conformance,
            ],
        )

    ask()
    return requests


def test_a_file_that_is_no_text_is_no_record(ann: Person) -> None:
    refused = ann.post("/api/import", content=b"High Voltage \xff")
    assert (refused.status_code, refused.json()["code"]) == (400, "no_record")
    assert refused.json()["message"] == "Byte 14 is not UTF-8."


def test_bodies_too_large_or_too_deep_are_refused(ann: Person) -> None:
    assert ann.post("/api/import", content=b"x" * 1_100_000).status_code == 413
    deep = b'{"rulebook": "classic", "seats": ' + b"[" * 100_000
    assert ann.post("/api/tables", content=deep).status_code == 400
    deep_map = {"rulebook": "classic", "seats": [ME, ME], "map": {"id": "x", "cities": [[[[]]]]}}
    assert ann.post("/api/tables", json=deep_map).status_code == 400
    assert ann.post("/api/import", content=b"\xff\xfe").status_code == 400
    assert ann.post("/api/import", content=b'{"rulebook": ' + b"[" * 50_000).status_code == 400


def test_a_client_refused_early_may_send_the_rest_and_another_request(server: Server) -> None:
    host, port = server.url.removeprefix("http://").split(":")
    head = f"Host: {host}\r\nContent-Length: 1100000\r\n\r\n"
    with socket.create_connection((host, int(port))) as connection:
        connection.settimeout(PATIENCE)
        connection.sendall(f"POST /api/import HTTP/1.1\r\n{head}".encode())
        assert connection.recv(12) == b"HTTP/1.1 413"
        connection.sendall(b"x" * 1_100_000)
        connection.sendall(
            f"GET /healthz HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode()
        )
        with connection.makefile("rb") as answer:
            assert b"HTTP/1.1 200 OK\r\n" in answer.read()


def test_nothing_outside_the_page_is_served(ann: Person) -> None:
    for path in ("/../../pyproject.toml", "/%2e%2e/%2e%2e/pyproject.toml", "/..%2f..%2fapp.py"):
        answer = ann.get(path)
        assert "import" not in answer.text[:200] or answer.status_code == 404
        assert "build-system" not in answer.text
