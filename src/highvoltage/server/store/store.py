"""The store: SQLite for one machine, PostgreSQL for several processes.

A decision is one row of `entries`, and PRIMARY KEY (game, seq) decides who was first. Decisions of
all tables that arrive during a transaction are written together by the next one, so that each is
durable before it is acknowledged, and one disk write serves many.
"""

import asyncio
from collections.abc import Collection, Sequence
from typing import Any

import msgspec
from msgspec import Struct
from sqlalchemy import (
    ColumnElement,
    Connection,
    Delete,
    Insert,
    Select,
    Table,
    Update,
    bindparam,
    delete,
    exists,
    func,
    insert,
    null,
    select,
    update,
)

from highvoltage.rooms.rows import (
    DELETED,
    RENEWED,
    UNFINISHED,
    AnalysisRow,
    GameRow,
    JournalWrite,
    SeatRow,
)
from highvoltage.rooms.socket_messages import ChatLine
from highvoltage.rooms.store import CHAT_KEPT, Conflict, Found, NotWritten, Where
from highvoltage.rooms.tasks import begin
from highvoltage.server.metrics import COMMIT_SECONDS, WAITING
from highvoltage.server.store import direct
from highvoltage.server.store.calendars import Calendars
from highvoltage.server.store.clubs import Clubs
from highvoltage.server.store.contacts import Contacts
from highvoltage.server.store.cups import Cups
from highvoltage.server.store.database import Database
from highvoltage.server.store.holidays import Holidays
from highvoltage.server.store.library import Library, count_game
from highvoltage.server.store.mails import Mails
from highvoltage.server.store.passkeys import PasskeyStore
from highvoltage.server.store.people import People
from highvoltage.server.store.puzzles import Puzzles
from highvoltage.server.store.ratings import Ratings, unrate_games
from highvoltage.server.store.results import Results, queue_counting
from highvoltage.server.store.schema import (
    analyses,
    bans,
    chat,
    entries,
    games,
    max_bids,
    metadata,
    results,
    seats,
)
from highvoltage.table import Entry, MaxBid
from highvoltage.table.clock import Span

GAME_TABLES = [table for table in metadata.sorted_tables if "game" in table.c]
"""SQL tables whose rows belong to a game and are deleted with it."""
BATCH_SECONDS = 0.02
"""Pause between two transactions, in which decisions gather for the next one."""


class SqlStore(Database):
    """The reads and writes of one process."""

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.people: People = People(self)
        self.results: Results = Results(self)
        self.ratings: Ratings = Ratings(self)
        self.puzzles: Puzzles = Puzzles(self)
        self.library: Library = Library(self)
        self.cups: Cups = Cups(self)
        self.clubs: Clubs = Clubs(self)
        self.contacts: Contacts = Contacts(self)
        self.mails: Mails = Mails(self)
        self.holidays: Holidays = Holidays(self)
        self.passkeys: PasskeyStore = PasskeyStore(self)
        self.calendars: Calendars = Calendars(self)
        self._append, self._advance = (
            self.compile_statement(_APPEND),
            self.compile_statement(_ADVANCE),
        )
        self._queue: list[tuple[JournalWrite, asyncio.Future[bool]]] = []
        self._flushing: asyncio.Task[None] | None = None

    # The journal

    async def append(self, write: JournalWrite) -> bool:
        """Append entries to the journal; False if another process was faster."""
        future: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._queue.append((write, future))
        WAITING.set(len(self._queue))
        if self._flushing is None:
            self._flushing = begin(self._flush(), "write decisions")
        return await future

    async def _flush(self) -> None:
        """Write the queue, and what arrives meanwhile, and resolve the futures."""
        while self._queue:
            batch, self._queue = self._queue, []
            WAITING.set(0)
            batch.sort(key=lambda item: item[0].game)  # the same order for all: no deadlock
            writes = [write for write, _ in batch]
            for written, (_, future) in zip(await self._written(writes), batch, strict=True):
                if future.cancelled():
                    continue
                if isinstance(written, bool):
                    future.set_result(written)
                else:
                    future.set_exception(written)
            await asyncio.sleep(BATCH_SECONDS)
        self._flushing = None

    async def _written(self, batch: Sequence[JournalWrite]) -> list[bool | Exception]:
        repeatable = any(write.mark for write in batch)
        try:
            with COMMIT_SECONDS.time():
                await self.write(
                    lambda connection: self._commit(connection, batch), repeatable=repeatable
                )
        except (Conflict, NotWritten) as error:
            if len(batch) == 1:
                return [False if isinstance(error, Conflict) else error]
            if isinstance(error, Conflict) or not self.shared:  # of one of them, perhaps
                return [(await self._written([write]))[0] for write in batch]
            return [error] * len(batch)
        except Exception as error:  # noqa: BLE001  # raised to the callers
            return [error] * len(batch)
        return [True] * len(batch)

    def _commit(self, connection: Connection, batch: Sequence[JournalWrite]) -> None:
        rows = [
            {
                "game": write.game,
                "seq": write.seq + n,
                "seat": entry.seat,
                "text": entry.text,
                "at": entry.at,
                "by": entry.by,
                "turned": " ".join(entry.turned),
                "top": entry.top,
                "write": None if n else write.mark,
            }
            for write in batch
            for n, entry in enumerate(write.entries)
        ]
        direct.execute_many(connection, self._append, rows)
        changes = [{"of": write.game, **write.changes} for write in batch]
        direct.execute_many(connection, self._advance, changes)
        for write in batch:
            if write.status is not None:
                changed = update(games).where(games.c.id == write.game)
                connection.execute(changed.values(status=write.status, record=write.record))
                queue_counting(connection, games.c.id == write.game)
                if write.status == "finished":
                    count_game(connection, write.game)
            if write.forgets_seat is not None:
                _forget_max_bids(connection, write.game, write.forgets_seat)
        if self.shared:
            self.notify(connection, *map(_note, batch))

    async def journal(self, game: str, since: int = 0) -> list[Entry]:
        query = (
            select(entries)
            .where(entries.c.game == game, entries.c.seq >= since)
            .order_by(entries.c.seq)
        )

        def work(connection: Connection) -> list[Entry]:
            return [
                Entry(row.seat, row.text, row.at, row.by, tuple(row.turned.split()), row.top)
                for row in connection.execute(query)
            ]

        return await self.read(work)

    async def is_decided(self, game: str, mark: str) -> bool:
        """Whether the journal of a game has what was to be written under this mark."""
        query = select(entries.c.seq).where(entries.c.game == game, entries.c.write == mark)
        return bool(await self.rows(query))

    # Games and seats

    async def library_map(self, map_id: str) -> dict[str, Any] | None:
        return await self.library.map(map_id)

    async def create(
        self,
        game: GameRow,
        places: Sequence[SeatRow],
        mark: str | None = None,
        *,
        rematch_of: str | None = None,
    ) -> str:
        """Store a new table; returns its id, or that of the one made under this mark before."""

        def work(connection: Connection) -> str:
            connection.execute(insert(games), [_row(game)])
            connection.execute(insert(seats), [_row(place) for place in places])
            if rematch_of is not None:
                played = update(games).where(games.c.id == rematch_of)
                connection.execute(played.values(rematch=game.id))
                self.notify(connection, f"{rematch_of} -1 []")
            return game.id

        return await self.write(work, mark)

    async def game(self, game: str) -> Found | None:
        found = await self._games(select(games).where(games.c.id == game))
        return found[0] if found else None

    async def games_with(self, *conditions: Any, limit: int) -> list[Found]:
        """Games that meet the conditions, the latest first."""
        query = select(*_LISTED).where(*conditions).order_by(games.c.created.desc()).limit(limit)
        return await self._games(query)

    async def _games(self, query: Select[Any]) -> list[Found]:
        def work(connection: Connection) -> list[Found]:
            found = [GameRow(**row) for row in connection.execute(query).mappings()]
            places: dict[str, list[SeatRow]] = {game.id: [] for game in found}
            held = select(seats).where(seats.c.game.in_(places)).order_by(seats.c.seat)
            for row in connection.execute(held).mappings():
                places[row["game"]].append(SeatRow(**row))
            return [(game, places[game.id]) for game in found]

        return await self.read(work)

    async def public(self, limit: int = 100) -> list[Found]:
        return await self.games_with(games.c.public, games.c.status.in_(UNFINISHED), limit=limit)

    async def tables_with_ids(self, ids: Sequence[str]) -> list[Found]:
        return await self.games_with(games.c.id.in_(ids), limit=len(ids))

    async def waiting(self, limit: int = 100, owners: Sequence[str] | None = None) -> list[Found]:
        """Public tables at which somebody waits for others, the one that waits longest first."""
        seated = exists().where(seats.c.game == games.c.id, seats.c.kind == "person", *_of(owners))
        open_ = games.c.public, games.c.status == "open", seated
        return (await self.games_with(*open_, limit=limit))[::-1]

    async def lively(
        self, since: float, limit: int = 100, owners: Sequence[str] | None = None
    ) -> list[Found]:
        """Public games in which somebody has moved since then."""
        seated = exists().where(seats.c.game == games.c.id, *_of(owners))
        last = select(entries.c.at).where(entries.c.game == games.c.id)
        last = last.order_by(entries.c.seq.desc()).limit(1)
        running = (
            games.c.public,
            games.c.status == "running",
            last.scalar_subquery() >= since,
            seated,
        )
        return await self.games_with(*running, limit=limit)

    async def mine(self, who: str, limit: int = 200) -> list[Found]:
        held = select(seats.c.game).where(seats.c.owner == who)
        return await self.games_with(games.c.id.in_(held) | (games.c.host == who), limit=limit)

    async def count_of(
        self, who: str, origin: str, statuses: Sequence[str], *, public: bool = False
    ) -> tuple[int, int]:
        """How many tables a person has made, and how many were made from their network."""
        met = games.c.status.in_(statuses), *([games.c.public] if public else [])
        counts = [
            select(func.count()).where(made, *met).scalar_subquery()
            for made in (games.c.host == who, games.c.origin == origin)
        ]
        rows = await self.rows(select(*counts))
        return int(rows[0][0]), int(rows[0][1])

    async def holidays_of(self, people: Collection[str]) -> dict[str, list[Span]]:
        return await self.holidays.of(people)

    async def due(self, before: float) -> list[str]:
        """Running games in which a bot or the clock has to act before this moment."""
        query = select(games.c.id).where(games.c.due < before).order_by(games.c.due).limit(1000)
        return [row.id for row in await self.rows(query)]

    async def change_game(
        self, game: str, where: Where | None = None, *, mark: str | None = None, **changes: Any
    ) -> bool:
        """Change a game if it is so; returns whether it was."""
        query = update(games).where(games.c.id == game, *_conditions(games, where))
        query = query.values(**changes)
        return await self._change(game, query, mark=mark)

    async def delete(self, *ids: str, mark: str | None = None) -> int:
        """Delete tables with all that belongs to them; returns how many there were."""

        def work(connection: Connection) -> int:
            return self._forget(connection, games.c.id.in_(ids))

        return await self.write(work, mark)

    async def purge(self, *conditions: Any, before: float, dry_run: bool) -> dict[str, int]:
        """Delete tables that meet the conditions, and all data that belongs to nothing.

        Returns how many rows of each kind; a dry run rolls everything back. Rated games stay: the
        ratings come from them.
        """
        rated = select(results.c.game).where(results.c.rated_as.is_not(None))

        def work(connection: Connection) -> dict[str, int]:
            found = {"tables": self._forget(connection, *conditions, games.c.id.not_in(rated))}
            for table in GAME_TABLES:
                lost = delete(table).where(table.c.game.not_in(select(games.c.id)))
                found[f"{table.name} of no table"] = connection.execute(lost).rowcount
            found |= self.people.forget_strays(connection, before)
            if dry_run:
                connection.rollback()
            return {kind: count for kind, count in found.items() if count}

        return await self.write(work)

    def _forget(self, connection: Connection, *conditions: Any) -> int:
        chosen = select(games.c.id).where(*conditions)
        ids = connection.execute(chosen).scalars().all()
        unrate_games(connection, chosen)
        for table in GAME_TABLES:
            connection.execute(delete(table).where(table.c.game.in_(chosen)))
        connection.execute(delete(games).where(*conditions))
        self.notify(connection, *(f"{game} {DELETED} []" for game in ids))
        return len(ids)

    async def claim_notice(self, game: str, news: str) -> bool:
        """Claim the right to call a webhook for this event; False if it has been claimed."""
        query = update(games).where(games.c.id == game, games.c.told != news).values(told=news)
        return await self.write(lambda connection: connection.execute(query).rowcount == 1)

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
        """Change a seat if it is so; returns whether it was.

        `due` is when a bot has to move if it is the turn of this seat; `ban` is who may not come
        back.
        """
        place = seats.c.game == game, seats.c.seat == seat
        query = update(seats).where(*place, *_conditions(seats, where))
        also: list[Update | Insert | Delete] = []
        if due is not None:
            waiting = games.c.id == game, games.c.turn == seat, games.c.status == "running"
            also.append(update(games).where(*waiting).values(due=due))
        if ban is not None:
            also.append(delete(bans).where(bans.c.game == game, bans.c.who == ban))
            also.append(insert(bans).values(game=game, who=ban))
        return await self._change(game, query.values(**changes), *also, mark=mark)

    async def take_seat(
        self,
        game: str,
        names: dict[int, str],
        owner: str,
        origin: str,
        due: float,
        mark: str | None,
    ) -> int | None:
        """Take the first of these seats that is open, by the name for it; None if none is.

        If nobody has dealt by the time it is `due`, the sweep checks whether all seats are taken.
        """

        def work(connection: Connection) -> int | None:
            for seat, name in names.items():
                free = seats.c.game == game, seats.c.seat == seat, seats.c.kind == "open"
                taken = {"kind": "person", "owner": owner, "origin": origin, "name": name}
                if connection.execute(update(seats).where(*free).values(taken)).rowcount == 1:
                    self._expect_deal(connection, game, due)
                    return seat
            connection.rollback()
            return None

        return await self.write(work, mark)

    async def fill_seats(
        self, game: str, bot: str, name: str, due: float, mark: str | None
    ) -> None:
        """Let a bot take all seats that are open."""
        free = seats.c.game == game, seats.c.kind == "open"
        taken = update(seats).where(*free).values(kind="bot", bot=bot, name=name)

        def work(connection: Connection) -> None:
            connection.execute(taken)
            self._expect_deal(connection, game, due)

        await self.write(work, mark)

    def _expect_deal(self, connection: Connection, game: str, due: float) -> None:
        waiting = update(games).where(games.c.id == game, games.c.status == "open")
        connection.execute(waiting.values(due=due))
        self.notify(connection, f"{game} -1 []")

    async def is_banned(self, game: str, who: str) -> bool:
        here = exists().where(bans.c.game == game, bans.c.who == who)
        return bool((await self.rows(select(here)))[0][0])

    async def _change(
        self, game: str, query: Update | Insert, *also: Update | Insert | Delete, mark: str | None
    ) -> bool:
        def work(connection: Connection) -> bool:
            if connection.execute(query).rowcount != 1:
                connection.rollback()
                return False
            for statement in also:
                connection.execute(statement)
            if query.table is seats:  # a finished game counts for whoever holds its seats
                queue_counting(connection, games.c.id == game)
            self.notify(connection, f"{game} -1 []")
            return True

        return await self.write(work, mark)

    # Maximum bids and chat

    async def max_bids(self, game: str) -> list[MaxBid]:
        rows = await self.rows(select(max_bids).where(max_bids.c.game == game))
        return [MaxBid(row.seat, row.card, row.round, row.limit) for row in rows]

    async def save_max_bids(
        self, game: str, seat: int, kept: Sequence[MaxBid], mark: str | None = None
    ) -> None:
        """Replace the maximum bids of a seat."""

        def work(connection: Connection) -> None:
            _forget_max_bids(connection, game, seat)
            if kept:
                connection.execute(
                    insert(max_bids), [{"game": game, **_row(max_bid)} for max_bid in kept]
                )
            self.notify(connection, f"{game} -1 []")

        await self.write(work, mark)

    async def add_chat(
        self,
        game: str,
        seat: int,
        name: str,
        words: str,
        at: float,
        *,
        who: str | None,
        origin: str,
        mark: str | None = None,
    ) -> None:
        number = select(func.coalesce(func.max(chat.c.n), 0) + 1).where(chat.c.game == game)
        line = insert(chat).values(
            game=game,
            n=number.scalar_subquery(),
            seat=seat,
            name=name,
            text=words,
            at=at,
            who=who,
            origin=origin,
        )
        newest = select(func.max(chat.c.n)).where(chat.c.game == game).scalar_subquery()
        old = delete(chat).where(chat.c.game == game, chat.c.n <= newest - CHAT_KEPT)

        def work(connection: Connection) -> None:
            connection.execute(line)
            connection.execute(old)
            self.notify(connection, f"{game} -1 []")

        for attempt in range(5):  # two processes may find the same number
            try:
                await self.write(work, mark)
            except Conflict:
                if attempt == 4:
                    raise
            else:
                return

    async def chat(self, game: str, since: int) -> list[ChatLine]:
        query = (
            select(chat.c.n, chat.c.seat, chat.c.name, chat.c.text, chat.c.at)
            .where(chat.c.game == game, chat.c.n > since)
            .order_by(chat.c.n.desc())
            .limit(CHAT_KEPT)
        )
        return [ChatLine(*row) for row in reversed(await self.rows(query))]

    async def author(self, game: str, n: int) -> str | None:
        """The identity that wrote a chat line."""
        query = select(chat.c.who).where(chat.c.game == game, chat.c.n == n)
        return next((row.who for row in await self.rows(query)), None)

    async def remove_chat(self, game: str, n: int, mark: str | None = None) -> bool:
        """Clear the text of a chat line; returns whether there was one."""
        query = update(chat).where(chat.c.game == game, chat.c.n == n).values(text="")

        def work(connection: Connection) -> bool:
            found = connection.execute(query).rowcount == 1
            self.notify(connection, f"{game} {RENEWED} []")
            return found

        return await self.write(work, mark)

    # Analyses

    async def analysis(self, game: str) -> AnalysisRow | None:
        rows = await self.rows(select(analyses).where(analyses.c.game == game))
        return next((AnalysisRow(row.at, row.done, row.found) for row in rows), None)

    async def claim_analysis(self, game: str, at: float, given_up: float) -> bool:
        """Claim an analysis; False if it is done, or another process works on it."""
        query = insert(analyses).values(game=game, at=at, done=0.0)
        try:
            await self.write(lambda connection: connection.execute(query))
        except Conflict:
            left = analyses.c.game == game, analyses.c.done < 1, analyses.c.at < given_up
            again = update(analyses).where(*left).values(at=at, done=0.0, found=None)
            return await self.write(lambda connection: connection.execute(again).rowcount == 1)
        return True

    async def change_analysis(self, game: str, at: float, done: float, found: str) -> bool:
        changed = update(analyses).where(analyses.c.game == game)
        query = changed.values(at=at, done=done, found=found)
        return await self.write(lambda connection: connection.execute(query).rowcount == 1)

    async def drop_analysis(self, game: str) -> None:
        """Delete an analysis, so that it can be started again."""
        query = delete(analyses).where(analyses.c.game == game)
        await self.write(lambda connection: connection.execute(query))


def _of(owners: Sequence[str] | None) -> list[ColumnElement[bool]]:
    """Whose a seat must be, if that matters."""
    return [] if owners is None else [seats.c.owner.in_(owners)]


def _conditions(table: Table, where: Where | None) -> list[ColumnElement[bool]]:
    """What a row must be like: equal, or one of several."""
    return [
        table.c[name].in_(value) if isinstance(value, tuple) else table.c[name] == value
        for name, value in (where or {}).items()
    ]


MAX_NOTE_BYTES = 7_000  # PostgreSQL allows 8,000 bytes


def _note(write: JournalWrite) -> str:
    data = msgspec.json.encode(write.entries)
    return f"{write.game} {write.seq} {data.decode() if len(data) < MAX_NOTE_BYTES else '[]'}"


_APPEND = insert(entries)
_ADVANCE = (
    update(games)
    .where(games.c.id == bindparam("of"))
    .values({column: bindparam(column) for column in ("turn", "due", "moves")})
)


def _row(struct: Struct) -> dict[str, Any]:
    return {field: getattr(struct, field) for field in struct.__struct_fields__}


def _forget_max_bids(connection: Connection, game: str, seat: int) -> None:
    connection.execute(delete(max_bids).where(max_bids.c.game == game, max_bids.c.seat == seat))


_LONG = {
    **{name: null().label(name) for name in ("seed", "opening", "record")},
    "setup": func.coalesce(games.c.listed, games.c.setup).label("setup"),
}
_LISTED = [_LONG.get(column.name, column) for column in games.columns]
"""The columns for lists of tables: without secrets and records."""
