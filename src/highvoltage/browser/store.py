"""The store of the rooms in a browser. Its tables are few, so all of them are in memory, too.

The keys are `game/ID`, `texts/ID` (what is long and seldom changes), `seats/ID`, `entry/ID/N` for
each entry of the journal, `bids/ID`, `chat/ID`, `bans/ID`, `analysis/ID` and `write/MARK`.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Collection, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from highvoltage.browser.storage import Storage
from highvoltage.browser.transaction import Transaction, Transactions
from highvoltage.rooms.problems import server_only
from highvoltage.rooms.rows import (
    UNFINISHED,
    AnalysisRow,
    GameRow,
    JournalWrite,
    SeatRow,
    StoreChange,
)
from highvoltage.rooms.socket_messages import ChatLine
from highvoltage.rooms.store import CHAT_KEPT, Conflict, Found, Result, Where
from highvoltage.table import Entry, MaxBid
from highvoltage.table.clock import Span

PUBLIC_LISTED, MINE_LISTED = 100, 200
PARTS = ("game", "texts", "seats", "bids", "chat", "bans", "analysis")
"""What there is of a table besides its journal."""


class Texts(Struct):
    """The long fields of a table."""

    setup: str
    listed: str | None = None
    opening: str | None = None
    record: str | None = None


class StoredEntry(Struct):
    """An entry of a journal, and by what it may be repeated."""

    entry: Entry
    mark: str | None = None


class StoredLine(Struct):
    """A line of the chat, and who wrote it."""

    line: ChatLine
    who: str | None


class BrowserStore:
    """The tables of one browser."""

    shared = False

    def __init__(self, storage: Storage) -> None:
        self.transactions: Transactions = Transactions(storage)

    @property
    def _read(self) -> Transaction:
        return self.transactions.read

    # The journal

    async def append(self, write: JournalWrite) -> bool:
        def work(transaction: Transaction) -> bool:
            row = _game(transaction, write.game)
            known = transaction.get(_entry(write.game, write.seq), StoredEntry)
            if row is None or known is not None:
                return False
            for n, entry in enumerate(write.entries):
                stored = StoredEntry(entry, None if n else write.mark)
                transaction.put(_entry(write.game, write.seq + n), stored)
            changes = dict(write.changes)
            if write.status is not None:
                changes |= {"status": write.status, "record": write.record}
            _put_game(transaction, msgspec.structs.replace(row, **changes))
            if write.forgets_seat is not None:
                _put_bids(transaction, write.game, write.forgets_seat, ())
            return True

        return await self.transactions.write(work)

    async def journal(self, game: str, since: int = 0) -> list[Entry]:
        return [stored.entry for stored in _journal(self._read, game, since)]

    async def is_decided(self, game: str, mark: str) -> bool:
        return any(stored.mark == mark for stored in _journal(self._read, game, 0))

    # Writes

    async def result_of(self, mark: str) -> Result | None:
        return self.transactions.result_of(mark)

    async def forget_writes(self) -> None:
        await self.transactions.forget_writes()

    async def settle(self) -> None:
        """Nothing is ever in doubt: a storage says what it has written."""

    async def listen(self) -> AsyncIterator[StoreChange | None]:
        """Nobody else writes to this storage."""
        await asyncio.Event().wait()
        yield None

    # Games and seats

    async def library_map(self, map_id: str) -> dict[str, Any] | None:
        raise server_only()

    async def create(
        self,
        game: GameRow,
        places: Sequence[SeatRow],
        mark: str | None = None,
        *,
        rematch_of: str | None = None,
    ) -> str:
        def work(transaction: Transaction) -> str:
            if transaction.get(f"game/{game.id}", GameRow) is not None:
                raise Conflict("There is such a table.")
            _put_game(transaction, game)
            transaction.put(f"seats/{game.id}", places)
            played = _game(transaction, rematch_of) if rematch_of is not None else None
            if played is not None:
                _put_game(transaction, msgspec.structs.replace(played, rematch=game.id))
            return game.id

        return await self.transactions.write(work, mark)

    async def game(self, game: str) -> Found | None:
        row = _game(self._read, game)
        return None if row is None else (row, _seats(self._read, game))

    async def public(self) -> list[Found]:
        found = self._games(lambda row, _: row.public and row.status in UNFINISHED)
        return found[:PUBLIC_LISTED]

    async def mine(self, who: str) -> list[Found]:
        def concerns(row: GameRow, places: list[SeatRow]) -> bool:
            return row.host == who or any(place.owner == who for place in places)

        return self._games(concerns)[:MINE_LISTED]

    def _games(self, wanted: Callable[[GameRow, list[SeatRow]], bool]) -> list[Found]:
        """Tables for a list, the latest first, without secrets and records."""
        read = self._read
        found = []
        for row in _rows(read):
            places = _seats(read, row.id)
            if wanted(row, places):
                texts = read.get(f"texts/{row.id}", Texts) or Texts("")
                setup = texts.listed or texts.setup
                found.append((msgspec.structs.replace(row, setup=setup, seed=""), places))
        return sorted(found, key=lambda each: -each[0].created)

    async def count_of(
        self, who: str, origin: str, statuses: Sequence[str], *, public: bool = False
    ) -> tuple[int, int]:
        counted = [
            row
            for row in _rows(self._read)
            if row.status in statuses and (row.public or not public)
        ]
        own = sum(row.host == who for row in counted)
        return own, sum(row.origin == origin for row in counted)

    async def holidays_of(self, people: Collection[str]) -> dict[str, list[Span]]:
        return {}  # only a server has them

    async def due(self, before: float) -> list[str]:
        found = [
            (row.due, row.id)
            for row in _rows(self._read)
            if row.due is not None and row.due < before
        ]
        return [game for _, game in sorted(found)]

    async def change_game(
        self, game: str, where: Where | None = None, *, mark: str | None = None, **changes: Any
    ) -> bool:
        def work(transaction: Transaction) -> bool:
            row = _game(transaction, game)
            if row is None or not _meets(row, where):
                return False
            _put_game(transaction, msgspec.structs.replace(row, **changes))
            return True

        return await self.transactions.write(work, mark)

    async def delete(self, *ids: str, mark: str | None = None) -> int:
        def work(transaction: Transaction) -> int:
            for game in ids:
                for n, _ in enumerate(_journal(transaction, game, 0)):
                    transaction.delete(_entry(game, n))
            return sum(
                max([transaction.delete(f"{part}/{game}") for part in PARTS]) for game in ids
            )

        return await self.transactions.write(work, mark)

    async def change_seat(
        self,
        game: str,
        seat: int,
        where: Where | None = None,
        *,
        mark: str | None = None,
        due: float | None = None,
        ban: str | None = None,
        **changes: Any,
    ) -> bool:
        def work(transaction: Transaction) -> bool:
            row, places = _game(transaction, game), _seats(transaction, game)
            if row is None or not _meets(places[seat], where):
                return False
            places[seat] = msgspec.structs.replace(places[seat], **changes)
            transaction.put(f"seats/{game}", places)
            if due is not None and row.turn == seat and row.status == "running":
                _put_game(transaction, msgspec.structs.replace(row, due=due))
            if ban is not None:
                banned = {*(transaction.get(f"bans/{game}", list[str]) or ()), ban}
                transaction.put(f"bans/{game}", sorted(banned))
            return True

        return await self.transactions.write(work, mark)

    async def take_seat(
        self,
        game: str,
        names: dict[int, str],
        owner: str,
        origin: str,
        due: float,
        mark: str | None,
    ) -> int | None:
        def work(transaction: Transaction) -> int | None:
            places = _seats(transaction, game)
            for seat, name in names.items():
                if seat < len(places) and places[seat].kind == "open":
                    place = places[seat]
                    place.kind, place.owner, place.origin, place.name = (
                        "person",
                        owner,
                        origin,
                        name,
                    )
                    transaction.put(f"seats/{game}", places)
                    _expect_deal(transaction, game, due)
                    return seat
            return None

        return await self.transactions.write(work, mark)

    async def fill_seats(
        self, game: str, bot: str, name: str, due: float, mark: str | None
    ) -> None:
        def work(transaction: Transaction) -> None:
            places = _seats(transaction, game)
            for place in places:
                if place.kind == "open":
                    place.kind, place.bot, place.name = "bot", bot, name
            transaction.put(f"seats/{game}", places)
            _expect_deal(transaction, game, due)

        await self.transactions.write(work, mark)

    async def is_banned(self, game: str, who: str) -> bool:
        return who in (self._read.get(f"bans/{game}", list[str]) or ())

    # Maximum bids and chat

    async def max_bids(self, game: str) -> list[MaxBid]:
        return self._read.get(f"bids/{game}", list[MaxBid]) or []

    async def save_max_bids(
        self, game: str, seat: int, kept: Sequence[MaxBid], mark: str | None = None
    ) -> None:
        await self.transactions.write(
            lambda transaction: _put_bids(transaction, game, seat, kept), mark
        )

    async def add_chat(
        self,
        game: str,
        seat: int,
        name: str,
        words: str,
        at: float,
        *,
        who: str | None,
        origin: str,  # there is only this browser
        mark: str | None = None,
    ) -> None:
        def work(transaction: Transaction) -> None:
            lines = _chat(transaction, game)
            n = lines[-1].line.n + 1 if lines else 1
            added = StoredLine(ChatLine(n, seat, name, words, at), who)
            transaction.put(f"chat/{game}", [*lines, added][-CHAT_KEPT:])

        await self.transactions.write(work, mark)

    async def chat(self, game: str, since: int) -> list[ChatLine]:
        return [stored.line for stored in _chat(self._read, game) if stored.line.n > since]

    async def author(self, game: str, n: int) -> str | None:
        return next((line.who for line in _chat(self._read, game) if line.line.n == n), None)

    async def remove_chat(self, game: str, n: int, mark: str | None = None) -> bool:
        def work(transaction: Transaction) -> bool:
            lines = _chat(transaction, game)
            found = next((stored for stored in lines if stored.line.n == n), None)
            if found is None:
                return False
            found.line = msgspec.structs.replace(found.line, text="")
            transaction.put(f"chat/{game}", lines)
            return True

        return await self.transactions.write(work, mark)

    # Analyses

    async def analysis(self, game: str) -> AnalysisRow | None:
        return self._read.get(f"analysis/{game}", AnalysisRow)

    async def claim_analysis(self, game: str, at: float, given_up: float) -> bool:
        def work(transaction: Transaction) -> bool:
            known = transaction.get(f"analysis/{game}", AnalysisRow)
            if known is not None and (known.done == 1 or known.at >= given_up):
                return False
            transaction.put(f"analysis/{game}", AnalysisRow(at, 0.0, None))
            return True

        return await self.transactions.write(work)

    async def change_analysis(self, game: str, at: float, done: float, found: str) -> bool:
        def work(transaction: Transaction) -> bool:
            if transaction.get(f"analysis/{game}", AnalysisRow) is None:
                return False
            transaction.put(f"analysis/{game}", AnalysisRow(at, done, found))
            return True

        return await self.transactions.write(work)

    async def drop_unfinished_analyses(self) -> None:
        """Nobody works on them any more: this browser was closed in the meantime."""

        def work(transaction: Transaction) -> None:
            for key in transaction.keys("analysis/"):
                known = transaction.get(key, AnalysisRow)
                if known is not None and known.done < 1:
                    transaction.delete(key)

        await self.transactions.write(work)

    async def drop_analysis(self, game: str) -> None:
        await self.transactions.write(lambda transaction: transaction.delete(f"analysis/{game}"))


def _entry(game: str, n: int) -> str:
    return f"entry/{game}/{n}"


def _journal(read: Transaction, game: str, since: int) -> list[StoredEntry]:
    found: list[StoredEntry] = []
    while (stored := read.get(_entry(game, since + len(found)), StoredEntry)) is not None:
        found.append(stored)
    return found


def _rows(read: Transaction) -> list[GameRow]:
    """All tables, without their texts."""
    found = (read.get(key, GameRow) for key in read.keys("game/"))
    return [row for row in found if row is not None]


def _game(read: Transaction, game: str) -> GameRow | None:
    row = read.get(f"game/{game}", GameRow)
    texts = read.get(f"texts/{game}", Texts)
    if row is None or texts is None:
        return None
    return msgspec.structs.replace(row, **msgspec.structs.asdict(texts))


def _put_game(transaction: Transaction, row: GameRow) -> None:
    texts = Texts(row.setup, row.listed, row.opening, row.record)
    if texts != transaction.get(f"texts/{row.id}", Texts):
        transaction.put(f"texts/{row.id}", texts)
    short = msgspec.structs.replace(row, setup="", listed=None, opening=None, record=None)
    transaction.put(f"game/{row.id}", short)


def _expect_deal(transaction: Transaction, game: str, due: float) -> None:
    row = _game(transaction, game)
    if row is not None and row.status == "open":
        _put_game(transaction, msgspec.structs.replace(row, due=due))


def _seats(read: Transaction, game: str) -> list[SeatRow]:
    return read.get(f"seats/{game}", list[SeatRow]) or []


def _chat(read: Transaction, game: str) -> list[StoredLine]:
    return read.get(f"chat/{game}", list[StoredLine]) or []


def _put_bids(transaction: Transaction, game: str, seat: int, kept: Sequence[MaxBid]) -> None:
    """Replace the maximum bids of a seat."""
    known = transaction.get(f"bids/{game}", list[MaxBid]) or []
    bids = [*(bid for bid in known if bid.seat != seat), *kept]
    if bids != known:
        transaction.put(f"bids/{game}", bids)


def _meets(row: GameRow | SeatRow, where: Where | None) -> bool:
    return all(
        getattr(row, name) in (value if isinstance(value, tuple) else (value,))
        for name, value in (where or {}).items()
    )
