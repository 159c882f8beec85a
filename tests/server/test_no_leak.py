"""No leak: two worlds that differ only in what a seat cannot know send it the same bytes.

The worlds are two servers with the same games in their stores. In the second world the rest of each
deck is in another order, and the others are other people with more money and with secret limits.
"""

import asyncio
import json
import re
import shutil
import sqlite3
from base64 import urlsafe_b64decode
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest

from highvoltage.rooms import room as room_module
from highvoltage.rooms.messages import StoredSetup, TableInfo
from highvoltage.rooms.restore import restore
from highvoltage.rooms.room import Room
from highvoltage.rooms.rows import GameRow
from highvoltage.table import Entry, Seat, Table
from highvoltage.table.clock import Span
from mcp_models import asker, connected
from ours import RULEBOOKS
from positions import market_of
from serving import ME, Live, Person, Server, eventually

LONG = pytest.mark.long
CASES = [(book, players) for book in RULEBOOKS for players in (2, 4)]
BY_TURNS = [(book, (2, 4)[n % 2]) for n, book in enumerate(sorted(RULEBOOKS))]
RICHER = 300
QUIET = {"nominate", "bid", "buy", "build"}


class World(NamedTuple):
    """One of the two servers, and the people who watch it."""

    server: Server
    ann: Person  # holds seat 0
    bob: Person  # holds all others, and is another person in each world
    eve: Person  # watches


def play_to(live: Live, moves: int, seed: int) -> None:
    rng = Random(seed)
    while live.state["view"]["seq"] < moves and live.state["legal"]:
        live.move(rng.choice(live.state["legal"])["move"])
        live.until(lambda s, seq=live.state["seq"]: s["seq"] > seq)


@pytest.fixture(scope="module", params=[(2, BY_TURNS), pytest.param((5, CASES), marks=LONG)])
def worlds(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[World, World, list[str]]]:
    """This many positions of each case, the first in the middle of an auction."""
    positions, cases = request.param
    folder = tmp_path_factory.mktemp("world")
    server = Server(folder)
    rounds = {}
    with Person(server, "Ann") as ann, Person(server, "Bob") as bob:
        for n, (rulebook, players) in enumerate([*cases * positions, cases[0]]):
            seats = [ME] * players
            table = ann.table(
                seats, rulebook=rulebook, options={"money": "hidden"}, seed=n, auto=False
            )["id"]
            with ann.live(table) as live:
                live.until(lambda s: s["legal"])
                play_to(live, 1 + 47 * (n // len(cases) % positions), n)
            if live.state["table"]["status"] == "finished":
                continue  # now everything is revealed
            for seat in range(1, players):
                key = ann.post(f"/api/tables/{table}/key", json={"seat": seat}).json()["key"]
                assert bob.post(f"/api/tables/{table}/claim", json={"key": key}).is_success
            rounds[table] = live.state["view"]["round"]
        cookies = ann.cookies
    server.stop()
    monkeypatch = pytest.MonkeyPatch()
    monkeypatch.setattr(room_module, "restore", restored_richer)
    twin = tmp_path_factory.mktemp("twin")
    for name in ("server.toml", "secret", "highvoltage.db"):
        shutil.copy(folder / name, twin / name)
    change_what_is_hidden(twin / "highvoltage.db", rounds)
    found = []
    for place in (folder, twin):
        running = Server(place)
        ann, bob, eve = (Person(running) for _ in range(3))
        ann.cookies = cookies
        with sqlite3.connect(place / "highvoltage.db") as store:
            store.execute("UPDATE seats SET owner = ? WHERE seat > 0", (identity(bob),))
        store.close()
        found.append(World(running, ann, bob, eve))
    yield found[0], found[1], [*rounds]
    for world in found:
        for person in world[1:]:
            person.close()
        assert world.server.stop() == 0
        assert world.server.errors() == []
    monkeypatch.undo()


def restored_richer(
    row: GameRow,
    seats: list[Seat],
    setup: StoredSetup,
    journal: list[Entry],
    away: list[list[Span]],
) -> Table:
    """In the second world everybody but Ann has more, whatever the journal says."""
    table = restore(row, seats, setup, journal, away)
    if row.seed.startswith("another "):
        for player in table.game.state.players[1:]:
            player.money += RICHER
    return table


def change_what_is_hidden(database: Path, rounds: dict[str, int]) -> None:
    with sqlite3.connect(database) as store:
        store.execute("UPDATE games SET seed = 'another ' || seed")
        store.execute("UPDATE seats SET key = 'another ' || seat WHERE seat > 0")
        limits = "SELECT game, seat, 1, ?, 60 FROM seats WHERE game = ? AND seat > 0"
        for game, now in rounds.items():
            store.execute(f"INSERT INTO wishes {limits}", (now, game))
    store.close()


def identity(person: Person) -> str:
    """The id by which the store knows somebody."""
    content = person.cookies["hv"].strip('"').partition(".")[0]
    return str(json.loads(urlsafe_b64decode(content))[0])


def test_the_worlds_do_differ(worlds: tuple[World, World, list[str]]) -> None:
    """Continued with the same moves, they turn up different cards sooner or later."""
    decks = [rest_of_deck(world.server.folder / "highvoltage.db") for world in worlds[:2]]
    # Near the end of a game the deck is empty, or has only cards that everybody has seen.
    differ = sum(one != other for one, other in zip(*decks, strict=True))
    assert differ > 0.8 * len(worlds[2])


def rest_of_deck(database: Path) -> list[Any]:
    """The hidden cards, read directly from the store."""
    store = sqlite3.connect(database)
    store.row_factory = sqlite3.Row
    decks = []
    for row in store.execute("SELECT * FROM games ORDER BY id"):
        entries = store.execute("SELECT * FROM entries WHERE game = ? ORDER BY seq", (row["id"],))
        journal = [
            Entry(e["seat"], e["text"], e["at"], e["by"], tuple(e["turned"].split()), e["top"])
            for e in entries
        ]
        players = len(json.loads(row["opening"])["names"])
        setup = StoredSetup(rulebook=row["rulebook"], auto=False)
        game = GameRow(**{field: row[field] for field in GameRow.__struct_fields__})
        table: Table = restore(game, [Seat("person")] * players, setup, journal)
        decks.append([*market_of(table.game).deck])
    store.close()
    return decks


def test_the_purses_and_limits_do_differ(worlds: tuple[World, World, list[str]]) -> None:
    """Bob's view of his own purse and limits differs at every table."""
    for table in worlds[2]:
        poor, rich = (world.bob.get(f"/api/tables/{table}").json() for world in worlds[:2])
        had, has = (state["view"]["players"][state["you"]]["money"] for state in (poor, rich))
        assert has == had + RICHER
        assert (poor["max_bids"], rich["max_bids"]) == ({}, {"1": 60})


@pytest.mark.long
def test_analysis_finds_the_same_in_both_worlds(worlds: tuple[World, World, list[str]]) -> None:
    """Analysing the record of a running game reveals no more than the record."""
    found = [analysed(world.eve, worlds[2][0]) for world in worlds[:2]]
    assert found[0] == found[1]
    assert json.loads(found[0])["found"]["curves"]


def analysed(person: Person, table: str) -> str:
    record = person.get(f"/api/tables/{table}/record").text
    imported = person.post("/api/import", content=record).json()["id"]
    analysis = f"/api/tables/{imported}/analysis"
    assert person.post(analysis).is_success
    eventually(lambda: bool(person.get(analysis).json()["status"] == "done"))
    return person.get(analysis).text


def test_a_leak_would_be_noticed(
    worlds: tuple[World, World, list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    honest = Room.info

    def leaky(room: Room, who: str | None) -> TableInfo:
        assert room.table is not None
        info = honest(room, who)
        info.title = str(market_of(room.table.game).deck)
        return info

    monkeypatch.setattr(Room, "info", leaky)
    moves: list[str] = []
    received = [listen(world, worlds[2][-1], 0, moves) for world in worlds[:2]]
    assert received[0] != received[1]


def test_a_model_reads_the_same_in_both_worlds(worlds: tuple[World, World, list[str]]) -> None:
    for table in worlds[2][: len(RULEBOOKS)]:
        first, second = (asyncio.run(tool_answers(world, table)) for world in worlds[:2])
        assert first == second
        assert len(first) > 5


async def tool_answers(world: World, table: str) -> list[str]:
    """What the tools of a language model answer to Ann."""
    token = world.ann.post("/api/token").json()["token"]
    at = {"table": table}
    calls: list[tuple[str, dict[str, Any]]] = [
        *((tool, at) for tool in ("look", "legal_moves", "map", "history")),
        ("look", {**at, "whole": True}),
        *(("why", {**at, "move": move}) for move in ("pass", "bid 99", "nominate 99 @1", "done")),
        ("play", {**at, "move": "run 99"}),
        ("wait", {**at, "seconds": 0}),
    ]
    async with connected(world.server, token) as client:
        ask = asker(client)
        return [await ask(tool, **arguments) for tool, arguments in calls]


def test_equal_bytes_in_both_worlds(worlds: tuple[World, World, list[str]]) -> None:
    for case, table in enumerate(worlds[2][:-1]):
        moves: list[str] = []  # the moves of the first world are made in the second
        received = [listen(world, table, case, moves) for world in worlds[:2]]
        for first, second in zip(*received, strict=True):
            assert first == second, (case, table)
        assert len(received[0]) > 20


def listen(world: World, table: str, seed: int, moves: list[str]) -> list[str]:
    """Everything that Ann and Eve are sent during the game."""
    bytes_: list[str] = []
    for person in (world.ann, world.eve):
        count = person.get(f"/api/tables/{table}").json()["view"]["seq"]
        paths = [
            "",
            "/log",
            "/record",
            "/record?form=json",
            "/analysis",
            "/line",
            f"/at/{count + 1}",
            "/at/x",
            "/nothing",
        ]
        paths += [f"/at/{n}" for n in range(0, count + 1, 7)]
        bytes_ += [person.get(f"/api/tables/{table}{path}").text for path in paths]
        for path, body in (("claim", {"key": "x"}), ("join", {}), ("rematch", {})):
            bytes_.append(person.post(f"/api/tables/{table}/{path}", json=body).text)
        record = person.get(f"/api/tables/{table}/record").text
        bytes_.append(person.post("/api/import", content=record).text)
    with ExitStack() as connections:
        ann, bob, eve = (open_connection(connections, person, table) for person in world[1:])
        for live in (ann, eve):
            provoke(live)
        chat(ann, bob, eve)
        take_back(ann, bob, eve)
        play_until_something_is_turned_up((ann, bob, eve), Random(seed), moves)
        return [plain(each) for each in bytes_ + ann.received + eve.received]


def plain(text: str) -> str:
    """Without what time and chance decide: when it was said, and the id of an imported game."""
    text = re.sub(r'"(?:at|created|since)":[\d.e+]+', '"at":0', text)
    return re.sub(r'"id":"[\w-]+"', '"id":""', text)


def chat(*lives: Live) -> None:
    for live in lives[:2]:
        live.socket.send(json.dumps({"type": "chat", "text": "How rich are you?"}))
        for each in lives:
            each.next("chat")


def take_back(ann: Live, bob: Live, eve: Live) -> None:
    """Ann makes a move that reveals nothing, and undoes it."""
    seq = ann.state["seq"]
    opening = [offer["move"] for offer in ann.state["legal"] if offer["move"].split()[0] in QUIET]
    if not opening:
        return
    ann.move(opening[0])
    all_receive((ann, bob, eve), seq)
    if ann.state["undo_to"] is not None:
        ann.send("undo", seq=seq + 1, to=ann.state["undo_to"])
        all_receive((ann, bob, eve), seq + 1)


def all_receive(lives: tuple[Live, ...], seq: int) -> None:
    for live in lives:
        live.until(lambda s: s["seq"] > seq)


def open_connection(lines: ExitStack, person: Person, table: str) -> Live:
    live = lines.enter_context(person.live(table))
    live.until(lambda s: s["view"])
    return live


def provoke(live: Live) -> None:
    """Every kind of message that is refused or answered."""
    seq = live.state["seq"]
    messages: list[dict[str, Any]] = [
        {"type": "move", "seq": seq + 5, "move": "pass"},
        {"type": "move", "seq": seq, "move": "nominate 99 @1"},
        {"type": "move", "seq": seq, "move": "no such thing"},
        {"type": "undo", "seq": seq, "to": 9999},
        {"type": "preview", "seq": seq + 5, "moves": []},
        *({"type": "preview", "seq": seq, "moves": moves} for moves in plans(live)),
        {"type": "max_bid", "card": "99", "limit": 3},
        {"type": "hint", "bot": "clerk"},
        {"type": "hint", "bot": "random"},
        {"type": "nonsense"},
    ]
    for message in messages:
        live.socket.send(json.dumps(message))
        if live.next("refused", "error", "hint", "preview")["type"] == "refused":
            live.next("state")


def plans(live: Live) -> list[list[str]]:
    """Every possible plan, to the end of the turn."""
    rest = [f"usual {verb}" for verb in ("place", "swap", "hire", "robot", "run", "done")]
    offered = [offer["move"] for offer in live.state["legal"]]
    return [["nominate 99 @1"], *([move, "look", *rest] for move in offered[:8])]


def play_until_something_is_turned_up(
    lives: tuple[Live, Live, Live], rng: Random, moves: list[str]
) -> None:
    """Random moves or, in the second world, those that were made in the first."""
    ann, bob, eve = lives
    made = list(moves)
    for number in range(40):
        mover = ann if ann.state["legal"] else bob
        state = mover.state
        if not state["legal"]:
            return
        if number == len(moves):
            quiet = [offer for offer in state["legal"] if not offer["move"].startswith("pass")]
            moves.append(rng.choice(quiet or state["legal"])["move"])
        mover.move(moves[number])
        all_receive(lives, state["seq"])
        over = ann.state["table"]["status"] == "finished"
        if over or any(event["what"] in {"turned", "shuffled"} for event in ann.log[-1]["events"]):
            ann.received.pop()  # from here on the worlds may differ
            eve.received.pop()
            return
        if made and number + 1 == len(made):
            return
