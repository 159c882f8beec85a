"""Put somebody into the middle of a game, without playing up to there.

The game is played here, by clerks in all seats, and its journal is put into the store of a server.
This needs neither a browser nor a message, and leads to the same position every time.
"""

from collections.abc import Callable
from secrets import token_urlsafe
from time import time
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec.structs import asdict
from sqlalchemy import insert

import highvoltage as hv
from highvoltage import bots
from highvoltage.engine.chance import Seeded
from highvoltage.engine.game import Game
from highvoltage.games import rulebook as rulebook_of
from highvoltage.rooms.messages import StoredSetup
from highvoltage.rooms.rows import GameRow, JournalWrite, SeatRow
from highvoltage.server.config import load_secret
from highvoltage.server.guard.identity import COOKIE, Identities, Visitor
from highvoltage.server.store import SqlStore, schema
from highvoltage.table import Entry, Seat, Table
from serving import Server

if TYPE_CHECKING:
    from playwright._impl._api_structures import SetCookieParam

ANN = Visitor("somebody", "Ann")
CARD_GAME = {"fuel": "fuel_cards", "bureaucracy": "run"}


def cookie(server: Server) -> "SetCookieParam":
    """The cookie that makes a browser Ann's."""
    header = Identities(load_secret(server.folder)).cookie(ANN, secure=False)
    return {"name": COOKIE, "value": header.partition("=")[2].partition(";")[0], "url": server.url}


def decision_kind(game: hv.Game) -> str:
    """What the seat to move has to decide, in the words of the page."""
    view: dict[str, Any] = game.view(game.to_move)
    family, phase = view["family"], str(view["phase"])
    if phase == "auction":
        auction = view["auction"]
        if auction["scrapping"] is not None:
            return "scrap"
        kind = "nominate" if auction["card"] is None else "bid"
        if family != "outpost":
            return kind
        return "nominate_forced" if kind == "nominate" and view["forced"] else f"{kind}_card"
    if view.get("mines", {}).get("selling"):
        return "sell"
    return CARD_GAME.get(phase, phase) if family == "cardgame" else phase


def is_last(game: hv.Game) -> bool:
    """In a board game: whether the game ends before Ann's next decision if she builds no more."""
    if max(len(player["cities"]) for player in game.view()["players"]) < 12:
        return False
    return next_decision(game).outcome is not None


def next_decision(game: hv.Game) -> hv.Game:
    """The game at Ann's next decision, if she builds no more, or runs what a clerk would."""
    after = game.copy()
    move = "done" if "done" in map(str, game.legal_moves) else _clerks(game)
    after.play(move)
    while after.to_move not in {None, 0}:
        after.play(_clerks(after))
    return after


def _clerks(game: hv.Game) -> str:
    return str(bots.ask(bots.make("clerk", 1), game).move)


def seat_ann(
    server: Server,
    until: Callable[[hv.Game], bool],
    rulebook: str = "classic",
    seats: int = 3,
    *,
    seed: int = 5,
    ann: str = "clerk",
    **setup: Any,
) -> str:
    """A table where Ann, in seat 0 against clerks, has to make a decision of this kind.

    Until then she has played like a clerk, or like another bot.
    """
    stored = StoredSetup(rulebook=rulebook, seeded=True, **setup)
    names = ["Ann", *(f"Clerk {name}" for name in ("Bea", "Cid", "Dov", "Eli", "Fay"))][:seats]
    game = Game(rulebook_of(rulebook, seats, stored.map, stored.options), Seeded(str(seed)), names)
    opening = game.record().json()
    places = [Seat("person", "Ann"), *(Seat("bot", name, "clerk") for name in names[1:])]
    table = Table(game, places, auto=stored.auto)
    journal = _played(table, until, ann)
    row = GameRow(
        id=token_urlsafe(9),
        status="running",
        rulebook=rulebook,
        setup=msgspec.json.encode(stored).decode(),
        seed=str(seed),
        public=False,
        host=ANN.who,
        created=time(),
        started=0,
        opening=opening,
        turn=0,
    )
    _keep(server, row, places, journal)
    return row.id


def _played(table: Table, until: Callable[[hv.Game], bool], ann: str) -> list[Entry]:
    clerks = [bots.make("clerk" if seat else ann, seat) for seat in range(len(table.seats))]
    journal: list[Entry] = []
    while not (table.game.to_move == 0 and until(table.game)):
        seat = table.game.to_move
        assert seat is not None, "nothing of the kind came up in this game"
        move = str(bots.ask(clerks[seat], table.game).move)
        step = table.move(seat, table.seq, move, 0, "person" if seat == 0 else "bot")
        table.commit(step)
        journal += step.entries
    return journal


def _keep(server: Server, row: GameRow, places: list[Seat], journal: list[Entry]) -> None:
    held = [
        SeatRow(row.id, at, seat.kind, seat.name, ANN.who if at == 0 else None, seat.bot)
        for at, seat in enumerate(places)
    ]
    changes = {"turn": 0, "due": None, "moves": len(journal)}
    store = SqlStore(f"sqlite:///{server.folder / 'highvoltage.db'}")
    with store.engine.begin() as connection:
        connection.execute(insert(schema.games), [asdict(row)])
        connection.execute(insert(schema.seats), [asdict(seat) for seat in held])
        if journal:
            store._commit(connection, [JournalWrite(row.id, 0, journal, changes)])
    store.engine.dispose()
