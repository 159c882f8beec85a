"""What is stored about people: accounts, logins, subscriptions, bans, reports."""

from collections.abc import Sequence
from time import time
from typing import Any

import msgspec
from sqlalchemy import Connection, delete, func, insert, or_, select, union, update

from highvoltage.engine.record import RECORD_DECODER
from highvoltage.rooms.names import lookalike_key
from highvoltage.rooms.rows import RENEWED, SENT_AWAY, UNFINISHED
from highvoltage.rooms.socket_messages import ChatLine
from highvoltage.rooms.store import Conflict
from highvoltage.server.store.clubs import forget_club_member, said_in_clubs
from highvoltage.server.store.contacts import forget_contacts, handles_of
from highvoltage.server.store.cups import (
    forget_cup_player,
    forget_old_cups,
    withdraw_cup_player,
)
from highvoltage.server.store.database import Database
from highvoltage.server.store.library import remove_maps
from highvoltage.server.store.mails import forget_address
from highvoltage.server.store.passkeys import PasskeyRow, add_passkey
from highvoltage.server.store.ratings import rename_player
from highvoltage.server.store.results import forget_person
from highvoltage.server.store.rows import Account, Ban, BanList, Login, ProfileRow, Subscription
from highvoltage.server.store.schema import (
    accounts,
    addresses,
    banned_origins,
    bans,
    calendars,
    chat,
    club_lines,
    club_members,
    clubs,
    contacts,
    cup_players,
    cups,
    entries,
    games,
    holidays,
    invitations,
    library,
    likes,
    logins,
    map_reports,
    metadata,
    outcasts,
    passkeys,
    profiles,
    ratings,
    reports,
    results,
    seats,
    solved_puzzles,
    subscriptions,
    turn_mails,
)

SUBSTITUTE = "clerk"
BROWSERS, BROWSERS_OF_ADDRESS = 10, 500
"""Browsers that are notified for one person, and for all subscribers of one address."""
MAX_ADDRESSES = 10
"""Addresses that are banned on account of one person."""
NAMES_PERSON = frozenset({"who", "owner", "host", "by"})
"""Columns that say whose a row is; but by whom a move was decided names nobody."""
UNSHOWN = frozenset(
    {"who", "owner", "host", "by", "left_by", "password", "key", "auth", "origin", "rated_as"}
    | {"seed", "opening", "record", "told", "other", "declined", "mailbox", "proof"}
)
"""Columns that are secrets, or long and to be had elsewhere."""
RECENT_SECONDS = 30 * 86_400.0
"""Addresses that a person used before are others' by now."""


class People:
    """The people of a store."""

    def __init__(self, database: Database) -> None:
        self.database = database

    # Accounts

    async def account(self, **known: str) -> Account | None:
        rows = await self.database.rows(select(accounts).filter_by(**known))
        return next((Account(*row) for row in rows), None)

    async def add_account(
        self,
        account: Account,
        login: Login,
        guest: str,
        mark: str | None = None,
        passkey: PasskeyRow | None = None,
    ) -> list[str] | None:
        """Turn a guest into an account that is logged in, with an identity nobody else can know.

        Returns the identity, which is another one if this was carried out before, and the games
        it concerns; None if the login, or the passkey, is taken.
        """

        def work(connection: Connection) -> list[str]:
            connection.execute(insert(accounts).values(msgspec.structs.asdict(account)))
            connection.execute(insert(logins).values(msgspec.structs.asdict(login)))
            if passkey is not None:
                add_passkey(connection, passkey)
            held = select(seats.c.game).where(seats.c.owner == guest)
            concerned = [row.game for row in connection.execute(held)]
            for column in (
                seats.c.owner,
                seats.c.left_by,
                games.c.host,
                bans.c.who,
                outcasts.c.who,
                banned_origins.c.who,
                subscriptions.c.who,
                chat.c.who,
                reports.c.by,
                reports.c.author,
                results.c.who,
                ratings.c.who,
                library.c.who,
                likes.c.who,
                map_reports.c.by,
                profiles.c.who,
                solved_puzzles.c.who,
                cups.c.host,
                cup_players.c.who,
                clubs.c.host,
                club_members.c.who,
                contacts.c.who,
                contacts.c.other,
                holidays.c.who,
                calendars.c.who,
                invitations.c.who,
                invitations.c.by,
                addresses.c.who,
                turn_mails.c.who,
            ):
                moved = update(column.table).where(column == guest)
                connection.execute(moved.values({column.name: account.who}))
            rename_player(connection, guest, account.who)
            self.database.notify(connection, *(f"{game} -1 []" for game in concerned))
            return [account.who, *concerned]

        try:
            return await self.database.write(work, mark)
        except Conflict:
            return None

    # Profiles

    async def profile(self, *, who: str | None = None, handle: str = "") -> ProfileRow | None:
        """The profile of a person, or the one with a handle, in either case of its letters."""
        columns = profiles.c.who, profiles.c.handle, profiles.c.public
        found = profiles.c.key == lookalike_key(handle) if who is None else profiles.c.who == who
        rows = [ProfileRow(*row) for row in await self.database.rows(select(*columns).where(found))]
        is_meant = (each for each in rows if who or each.handle.casefold() == handle.casefold())
        return next(is_meant, None)

    async def choose_profile(self, chosen: ProfileRow) -> bool:
        """Replace the profile of a person; False if somebody has a handle that looks the same."""
        key = lookalike_key(chosen.handle)

        def work(connection: Connection) -> None:
            connection.execute(delete(profiles).where(profiles.c.who == chosen.who))
            row = {**msgspec.structs.asdict(chosen), "key": key}
            connection.execute(insert(profiles).values(row))

        try:
            await self.database.write(work)
        except Conflict:
            return False
        return True

    async def change_account(self, who: str, **changes: str) -> None:
        query = update(accounts).where(accounts.c.who == who).values(**changes)
        await self.database.write(lambda connection: connection.execute(query))

    async def change_password(self, who: str, password: str, login: Login | None) -> None:
        """Change a password and end all logins of the account; only this one is valid then."""

        def work(connection: Connection) -> None:
            changed = update(accounts).where(accounts.c.who == who)
            connection.execute(changed.values(password=password))
            self._end_logins(connection, who)
            if login is not None:
                connection.execute(insert(logins).values(msgspec.structs.asdict(login)))

        await self.database.write(work)

    async def erase(self, who: str) -> list[str]:
        """Delete an account and all its data; returns the games to reload."""

        def work(connection: Connection) -> list[str]:
            held = select(
                seats.c.game, seats.c.seat, games.c.status, games.c.opening, games.c.record
            )
            held = held.join(games, games.c.id == seats.c.game)
            held = held.where((seats.c.owner == who) | (seats.c.left_by == who))
            concerned = connection.execute(held).all()
            for row in concerned:
                _leave(connection, row.game, row.seat, row.status)
                for column_name in ("opening", "record"):
                    _anonymise(connection, row.game, row.seat, column_name)
            forget_person(connection, who)
            forget_cup_player(connection, who)
            forget_club_member(connection, who)
            forget_contacts(connection, who)
            forget_address(connection, who)
            cleared = _clear_words(connection, who)
            remove_maps(connection, library.c.who == who)
            connection.execute(update(games).where(games.c.host == who).values(host=""))
            for column in (
                accounts.c.who,
                logins.c.who,
                passkeys.c.who,
                bans.c.who,
                reports.c.by,
                reports.c.author,
                subscriptions.c.who,
                likes.c.who,
                map_reports.c.by,
                profiles.c.who,
                solved_puzzles.c.who,
                holidays.c.who,
                calendars.c.who,
            ):
                connection.execute(delete(column.table).where(column == who))
            found = sorted({*(row.game for row in concerned), *cleared})
            self.database.notify(connection, f"{who} {SENT_AWAY} []")
            self.database.notify(connection, *(f"{game} {RENEWED} []" for game in found))
            return found

        return await self.database.write(work)

    async def all_about(self, who: str) -> dict[str, list[dict[str, Any]]]:
        """All rows about a person, by table, without secrets."""

        def work(connection: Connection) -> dict[str, list[dict[str, Any]]]:
            found = {}
            for table in metadata.sorted_tables:
                mine = [table.c[name] == who for name in NAMES_PERSON & {*table.c.keys()}]
                shown = [column for column in table.c if column.name not in UNSHOWN]
                if not mine or not shown or table is entries:
                    continue
                rows = connection.execute(select(*shown).where(or_(*mine))).mappings()
                if some := [dict(row) for row in rows]:
                    found[table.name] = some
            if said := [dict(row) for row in connection.execute(said_in_clubs(who)).mappings()]:
                found[club_lines.name] = said
            if known := [dict(row) for row in connection.execute(handles_of(who)).mappings()]:
                found[contacts.name] = known
            return found

        return await self.database.read(work)

    # Logins

    async def add_login(
        self, login: Login, replaced: str | None, *, repeatable: bool = False
    ) -> None:
        """Log a browser in, instead of the login it had."""

        def work(connection: Connection) -> None:
            connection.execute(delete(logins).where(logins.c.id == replaced))
            connection.execute(insert(logins).values(msgspec.structs.asdict(login)))

        await self.database.write(work, repeatable=repeatable)

    async def account_of_login(self, login: str) -> Account | None:
        query = select(accounts).join(logins, logins.c.who == accounts.c.who)
        rows = await self.database.rows(query.where(logins.c.id == login))
        return next((Account(*row) for row in rows), None)

    async def end_login(self, login: str) -> None:
        query = delete(logins).where(logins.c.id == login)
        await self.database.write(lambda connection: connection.execute(query))

    async def end_logins(self, who: str) -> None:
        """End all logins of an account."""
        await self.database.write(lambda connection: self._end_logins(connection, who))

    def _end_logins(self, connection: Connection, who: str) -> None:
        for column in (logins.c.who, subscriptions.c.who):
            connection.execute(delete(column.table).where(column == who))
        self.database.notify(connection, f"{who} {SENT_AWAY} []")

    # Push subscriptions

    async def subscriptions(self, who: str) -> list[Subscription]:
        found = await self.database.rows(select(subscriptions).where(subscriptions.c.who == who))
        return [Subscription(*row) for row in found]

    async def subscribe(self, browser: Subscription) -> bool:
        """Notify a browser of the turns of its current user; False if there are too many.

        The most recently used browsers of a person are kept.
        """
        columns = subscriptions.c
        alike = select(func.count()).where(columns.origin == browser.origin)
        newest = (
            select(columns.endpoint).where(columns.who == browser.who).order_by(columns.at.desc())
        )

        def work(connection: Connection) -> bool:
            connection.execute(delete(subscriptions).where(columns.endpoint == browser.endpoint))
            if connection.execute(alike).scalar_one() >= BROWSERS_OF_ADDRESS:
                return False
            old = connection.execute(newest).scalars().all()[BROWSERS - 1 :]
            connection.execute(delete(subscriptions).where(columns.endpoint.in_(old)))
            connection.execute(insert(subscriptions).values(msgspec.structs.asdict(browser)))
            return True

        try:
            return await self.database.write(work)
        except Conflict:
            return True  # the same browser has subscribed in another process

    async def unsubscribe(self, who: str, endpoint: str) -> None:
        here = subscriptions.c.who == who, subscriptions.c.endpoint == endpoint
        query = delete(subscriptions).where(*here)
        await self.database.write(lambda connection: connection.execute(query))

    def forget_strays(self, connection: Connection, before: float) -> dict[str, int]:
        """Delete what belongs to nobody; returns how many rows of each kind.

        That is: logins without an account, old subscriptions of people at no unfinished table, bans
        that are over, and old cups without tables.
        """
        playing = select(seats.c.owner).join(games, games.c.id == seats.c.game)
        playing = playing.where(seats.c.owner.is_not(None), games.c.status.in_(UNFINISHED))
        over = select(outcasts.c.who).where(outcasts.c.until < time())
        strays = {
            banned_origins: (banned_origins.c.who.in_(over),),
            outcasts: (outcasts.c.until < time(),),
            subscriptions: (subscriptions.c.at < before, subscriptions.c.who.not_in(playing)),
            logins: (logins.c.who.not_in(select(accounts.c.who)),),
        }
        found = {
            table.name: connection.execute(delete(table).where(*found)).rowcount
            for table, found in strays.items()
        }
        return {**found, "cups": forget_old_cups(connection, before)}

    # Bans and reports

    async def ban_everywhere(self, ban: Ban) -> list[str]:
        """Ban a person from this server; returns the games in which a bot plays on.

        Their logins stay: a browser that is logged out would be a new guest, and not banned.
        """
        who = ban.who

        def work(connection: Connection) -> list[str]:
            _pardon(connection, who)
            connection.execute(insert(outcasts).values(msgspec.structs.asdict(ban)))
            for origin in _recent_origins(connection, who, ban.at) if ban.address else ():
                connection.execute(insert(banned_origins).values(who=who, origin=origin))
            connection.execute(delete(subscriptions).where(subscriptions.c.who == who))
            forget_address(connection, who)
            remove_maps(connection, library.c.who == who)
            withdraw_cup_player(connection, who)
            connection.execute(delete(invitations).where(invitations.c.by == who))
            held = select(seats.c.game, seats.c.seat, games.c.status)
            held = held.join(games, games.c.id == seats.c.game).where(seats.c.owner == who)
            left = [row for row in connection.execute(held) if row.status in UNFINISHED]
            for row in left:
                _leave(connection, row.game, row.seat, row.status)
            found = sorted({*(row.game for row in left), *_clear_words(connection, who)})
            self.database.notify(connection, f"{who} {SENT_AWAY} []")
            self.database.notify(connection, *(f"{game} {RENEWED} []" for game in found))
            return found

        return await self.database.write(work)

    async def pardon(self, who: str) -> bool:
        """Lift the ban of a person; returns whether there was one."""
        return await self.database.write(lambda connection: _pardon(connection, who))

    async def ban_origin(self, who: str, origin: str) -> None:
        """Ban another network on account of a person who is banned with their addresses."""
        query = insert(banned_origins).values(who=who, origin=origin)
        try:
            await self.database.write(lambda connection: connection.execute(query))
        except Conflict:
            return  # already

    async def banned_everywhere(self) -> BanList:
        def work(connection: Connection) -> BanList:
            people = {row.who: Ban(*row) for row in connection.execute(select(outcasts))}
            origins: dict[str, list[Ban]] = {}
            for who, origin in connection.execute(select(banned_origins)):
                if who in people:
                    origins.setdefault(origin, []).append(people[who])
            return BanList(people, origins)

        return await self.database.read(work)

    async def accounts(self) -> list[Account]:
        rows = await self.database.rows(select(accounts).order_by(accounts.c.login))
        return [Account(*row) for row in rows]

    async def report(
        self, game: str, line: ChatLine, by: str, at: float, mark: str | None = None
    ) -> bool:
        """Store a report; False if the same person has reported this line before."""
        author = select(chat.c.who).where(chat.c.game == game, chat.c.n == line.n)
        query = insert(reports).values(
            game=game,
            n=line.n,
            by=by,
            name=line.name,
            text=line.text,
            at=at,
            author=author.scalar_subquery(),
        )

        def work(connection: Connection) -> bool:
            return connection.execute(query).rowcount == 1

        try:
            return await self.database.write(work, mark)
        except Conflict:
            return False


def anonymous_name(seat: int) -> str:
    """The name of a person whose account was deleted."""
    return f"Gone {seat + 1}"


def _pardon(connection: Connection, who: str) -> bool:
    """Lift the ban of a person and their addresses; returns whether there was one."""
    connection.execute(delete(banned_origins).where(banned_origins.c.who == who))
    return connection.execute(delete(outcasts).where(outcasts.c.who == who)).rowcount == 1


def _recent_origins(connection: Connection, who: str, at: float) -> Sequence[str]:
    """The hashes of the networks that a person came from lately, as far as they are known."""
    since = at - RECENT_SECONDS
    taken = select(seats.c.origin).join(games, games.c.id == seats.c.game)
    known = union(
        select(games.c.origin).where(games.c.host == who, games.c.created > since),
        taken.where(seats.c.owner == who, games.c.created > since),
        select(logins.c.origin).where(logins.c.who == who, logins.c.at > since),
        select(chat.c.origin).where(chat.c.who == who, chat.c.at > since),
        select(subscriptions.c.origin).where(
            subscriptions.c.who == who, subscriptions.c.at > since
        ),
    )
    found = connection.execute(known).scalars().all()
    return [origin for origin in found if origin][:MAX_ADDRESSES]


def _clear_words(connection: Connection, who: str) -> set[str]:
    """Clear all chat lines that a person wrote; returns their tables."""
    lines = connection.execute(select(chat.c.game, chat.c.n, chat.c.seat).where(chat.c.who == who))
    cleared = set()
    for game, n, seat in lines.all():
        name = anonymous_name(seat) if seat >= 0 else ""
        line = update(chat).where(chat.c.game == game, chat.c.n == n)
        connection.execute(line.values(name=name, text="", who=None, origin=""))
        cleared.add(game)
    return cleared


def _leave(connection: Connection, game: str, seat: int, status: str) -> None:
    """Free a seat, or let a bot play on in it."""
    place = seats.c.game == game, seats.c.seat == seat
    left: dict[str, object] = {
        "owner": None,
        "key": None,
        "left_by": "",  # nobody any more
        "origin": "",
        "name": anonymous_name(seat),
    }
    if status == "open":
        left |= {"kind": "open", "name": ""}
    elif status in UNFINISHED:
        left |= {"kind": "bot", "bot": SUBSTITUTE}
        waiting = games.c.id == game, games.c.turn == seat, games.c.status == "running"
        connection.execute(update(games).where(*waiting).values(due=0.0))
    connection.execute(update(seats).where(*place).values(**left))


def _anonymise(connection: Connection, game: str, seat: int, column: str) -> None:
    """Replace the name of a seat in a record of a game."""
    row = connection.execute(select(games.c[column]).where(games.c.id == game)).scalar()
    if row is None:
        return
    record = RECORD_DECODER.decode(row)
    names = tuple(
        anonymous_name(seat) if n == seat else name for n, name in enumerate(record.names)
    )
    text = msgspec.structs.replace(record, names=names).json()
    connection.execute(update(games).where(games.c.id == game).values({column: text}))
