"""Ratings: made game by game in the order in which games ended, and made again from any of them.

What a player is rated by a game depends on nothing but the rated games before it, so that whoever
makes the ratings again comes to the same.
"""

import hashlib
from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from sqlalchemy import Connection, bindparam, delete, func, insert, select, tuple_, update

from highvoltage.server.store.database import INSERTS, Database
from highvoltage.server.store.schema import profiles, ratings, results, unrated

GAMES_AT_ONCE = 20
"""Rated in one transaction, which others who write wait for."""
BOT = "bot "
"""Before the name of a bot, in the place of a player."""


class Rate(NamedTuple):
    """A rating and its standard deviation."""

    mu: float
    sigma: float


class RatedSeat(NamedTuple):
    """A seat of a rated game, and the rating of its player before; None for newcomers."""

    player: str
    place: int
    before: Rate | None


RateGame = Callable[[str, Sequence[RatedSeat]], list[Rate]]
"""The ratings after a game by a rulebook, by seat."""


def player_of(who: str) -> str:
    """What stays of a person in ratings when everything else is deleted; it does not reveal who."""
    return hashlib.sha256(f"player {who}".encode()).hexdigest()[:24]


class Ratings:
    """The ratings of a store."""

    def __init__(self, database: Database) -> None:
        self.database = database

    async def rate_some(self, rate: RateGame) -> bool:
        """Rate some of the games that wait for it; False if none does."""

        def work(connection: Connection) -> bool:
            query = select(unrated).order_by(unrated.c.rulebook).limit(1).with_for_update()
            first = connection.execute(query).one_or_none()
            if first is None:
                return False
            _rate_from(connection, rate, *first)
            return True

        return await self.database.write(work)

    async def of(self, who: str) -> Sequence[Any]:
        """Rulebook, player, mu, sigma and number of games of a person."""
        query = select(*_LISTED).where(ratings.c.who == who).order_by(ratings.c.rulebook)
        return await self.database.rows(query)

    async def of_all(self, people: Sequence[str]) -> dict[tuple[str, str], float]:
        """The ratings of these people, by rulebook and person."""
        query = select(ratings.c.rulebook, ratings.c.who, ratings.c.mu)
        rows = await self.database.rows(query.where(ratings.c.who.in_(people)))
        return {(row.rulebook, row.who): row.mu for row in rows}

    async def curve(self, rulebook: str, player: str, most: int) -> Sequence[Any]:
        """Game, end, mu and sigma of the latest games of a player, the latest first."""
        query = select(results.c.game, results.c.at, results.c.mu, results.c.sigma)
        query = query.where(*_of_player(rulebook, player)).order_by(*_LATEST).limit(most)
        return await self.database.rows(query)

    async def best(self, rulebook: str, most_sigma: float, most: int) -> Sequence[Any]:
        """Handle, who, mu, sigma and games of those who are shown to all, the best first."""
        query = select(profiles.c.handle, ratings.c.who, ratings.c.mu, ratings.c.sigma, _GAMES)
        query = query.join(profiles, profiles.c.who == ratings.c.who)
        shown = ratings.c.rulebook == rulebook, ratings.c.sigma <= most_sigma, profiles.c.public
        query = query.where(*shown).order_by(ratings.c.mu.desc(), profiles.c.handle).limit(most)
        return await self.database.rows(query)


_LATEST = results.c.at.desc(), results.c.game.desc()
_GAMES = (
    select(func.count())
    .where(
        results.c.rated_as == ratings.c.player,
        results.c.rulebook == ratings.c.rulebook,
        results.c.mu.is_not(None),  # and not only counted
    )
    .scalar_subquery()
)
_LISTED = ratings.c.rulebook, ratings.c.player, ratings.c.mu, ratings.c.sigma, _GAMES
_moment = tuple_(results.c.at, results.c.game)


def _of_player(rulebook: str, player: str) -> tuple[Any, ...]:
    return (
        results.c.rated_as == player,
        results.c.rulebook == rulebook,
        results.c.mu.is_not(None),
    )


def _rate_from(connection: Connection, rate: RateGame, rulebook: str, at: float, game: str) -> None:
    """Rate games from this one on; the first that is left for another time is kept."""
    there = results.c.rulebook == rulebook, results.c.rated_as.is_not(None)
    rest = select(results.c.at, results.c.game).where(*there, (at, game) <= _moment).distinct()
    found = connection.execute(
        rest.order_by(results.c.at, results.c.game).limit(GAMES_AT_ONCE + 1)
    ).all()
    waiting = unrated.c.rulebook == rulebook
    if found[GAMES_AT_ONCE:]:
        later = update(unrated).where(waiting)
        connection.execute(later.values(at=found[-1].at, from_game=found[-1].game))
    else:
        connection.execute(delete(unrated).where(waiting))
    ids = [row.game for row in found[:GAMES_AT_ONCE]]
    query = select(*_SEAT).where(*there, results.c.game.in_(ids))
    rows = connection.execute(query.order_by(results.c.at, results.c.game, results.c.seat))
    known: dict[str, Rate | None] = {}
    after: list[dict[str, object]] = []
    for _, group in groupby(rows, lambda row: row.game):
        seats = [*group]
        for row in seats:
            if row.rated_as not in known:
                known[row.rated_as] = _before(connection, rulebook, row)
        rated = [RatedSeat(row.rated_as, row.place, known[row.rated_as]) for row in seats]
        for row, now in zip(seats, rate(rulebook, rated), strict=True):
            known[row.rated_as] = now
            after.append({"of": row.game, "at_seat": row.seat, "mu": now.mu, "sigma": now.sigma})
    if after:
        one = results.c.game == bindparam("of"), results.c.seat == bindparam("at_seat")
        connection.execute(update(results).where(*one), after)
    refresh_ratings(connection, rulebook, known)


_SEAT = results.c.game, results.c.seat, results.c.at, results.c.place, results.c.rated_as


def _before(connection: Connection, rulebook: str, seat: Any) -> Rate | None:
    """The rating of a player before a game."""
    query = select(results.c.mu, results.c.sigma).where(
        *_of_player(rulebook, seat.rated_as), _moment < (seat.at, seat.game)
    )
    found = connection.execute(query.order_by(*_LATEST).limit(1)).one_or_none()
    return Rate(*found) if found else None


def refresh_ratings(connection: Connection, rulebook: str, players: Iterable[str]) -> None:
    """Keep the rating after the latest game of each of these players, if there is one left."""
    for player in players:
        if player.startswith(BOT):
            continue
        query = select(results.c.who, results.c.mu, results.c.sigma)
        query = query.where(*_of_player(rulebook, player)).order_by(*_LATEST).limit(1)
        found = connection.execute(query).one_or_none()
        mine = ratings.c.rulebook == rulebook, ratings.c.player == player
        connection.execute(delete(ratings).where(*mine))
        if found is not None:
            now = {"rulebook": rulebook, "player": player, **found._mapping}  # noqa: SLF001  # its name in SQLAlchemy
            connection.execute(insert(ratings).values(now))


def queue_rating(connection: Connection, games: Sequence[tuple[str, float, str]]) -> None:
    """Have the games of a rulebook rated again from the earliest of these on."""
    earliest: dict[str, tuple[float, str]] = {}
    for rulebook, at, game in games:
        earliest[rulebook] = min(earliest.get(rulebook, (at, game)), (at, game))
    for rulebook, (at, game) in earliest.items():
        new = INSERTS[connection.dialect.name](unrated)
        new = new.values(rulebook=rulebook, at=at, from_game=game)
        connection.execute(new.on_conflict_do_nothing())
        here = unrated.c.rulebook == rulebook
        known = connection.execute(select(unrated).where(here).with_for_update()).one()
        if (at, game) < (known.at, known.from_game):
            connection.execute(update(unrated).where(here).values(at=at, from_game=game))


def unrate_games(connection: Connection, ids: Any) -> None:
    """Before games are deleted: have those after them rated again, as if these had not been."""
    rated = results.c.game.in_(ids), results.c.rated_as.is_not(None)
    columns = results.c.rulebook, results.c.at, results.c.game, results.c.rated_as
    found = connection.execute(select(*columns).where(*rated)).all()
    connection.execute(delete(results).where(results.c.game.in_([row.game for row in found])))
    queue_rating(connection, [(row.rulebook, row.at, row.game) for row in found])
    for rulebook in {row.rulebook for row in found}:
        players = {row.rated_as for row in found if row.rulebook == rulebook}
        refresh_ratings(connection, rulebook, players)


def forget_player(connection: Connection, who: str) -> None:
    """The ratings of a deleted person are nobody's; those of others stay as they are."""
    connection.execute(update(ratings).where(ratings.c.who == who).values(who=None))


def rename_player(connection: Connection, old: str, new: str) -> None:
    """The same person has another identity."""
    for column in (results.c.rated_as, ratings.c.player):
        mine = update(column.table).where(column == player_of(old))
        connection.execute(mine.values({column.name: player_of(new)}))
