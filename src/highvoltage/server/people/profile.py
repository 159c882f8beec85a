"""Profiles: a handle that somebody has chosen, and what their games come to.

A profile is private until its owner says otherwise. Then others see the games at public tables,
which anybody could find and watch when they were played, and the numbers that these come to.
"""

import re
from collections.abc import Sequence
from typing import Any

from litestar import Controller, get, post
from litestar.di import NamedDependency as Given
from litestar.params import FromPath, JSONBody
from sqlalchemy import ColumnElement

from highvoltage.rooms.problems import malformed, not_found, not_now
from highvoltage.server.guard.identity import Visitor
from highvoltage.server.people.history import COUNTED, Cursor, games_of, page_of
from highvoltage.server.people.messages import (
    HANDLE,
    FinishedGames,
    GameCount,
    GameFilter,
    OpeningCount,
    Profile,
    ProfileChoice,
    PuzzleCount,
    RoundFigures,
)
from highvoltage.server.people.puzzles import puzzles_of
from highvoltage.server.people.rating import ratings_of
from highvoltage.server.people.rounds import round_figures
from highvoltage.server.store import ProfileRow, SqlStore
from highvoltage.server.store.results import at_public_tables

FAVOURITES = 5
"""Openings that are listed."""


class Profiles(Controller):
    """Profiles of people."""

    path = "/api"
    tags: tuple[str] = ("profiles",)

    @get("/profile")
    async def own_profile(self, visitor: Given[Visitor], store: Given[SqlStore]) -> Profile:
        """Your own profile."""
        found = await store.people.profile(who=visitor.who)
        return await _profile(store, visitor.who, found, games_of(visitor.who), mine=True)

    @post("/profile")
    async def choose_profile(
        self, data: JSONBody[ProfileChoice], visitor: Given[Visitor], store: Given[SqlStore]
    ) -> Profile:
        """Choose your handle, and whether others see more than that."""
        if visitor.account and data.handle.casefold() == visitor.account.casefold():
            raise malformed("handle_is_login")
        chosen = ProfileRow(visitor.who, data.handle, data.public)
        if not await store.people.choose_profile(chosen):
            raise not_now("handle_taken")
        return await _profile(store, visitor.who, chosen, games_of(visitor.who), mine=True)

    @get("/people/{handle:str}")
    async def profile(
        self, handle: FromPath[str], visitor: Given[Visitor], store: Given[SqlStore]
    ) -> Profile:
        """Somebody's profile; of a private one only that it exists."""
        found = await _find(store, handle)
        mine = found.who == visitor.who
        if not (mine or found.public):
            return Profile(found.handle, False, False, [], [], [], [], PuzzleCount(0, 0))
        return await _profile(store, found.who, found, _shown(found, visitor), mine=mine)

    @get("/people/{handle:str}/history")
    async def games_of_profile(
        self,
        handle: FromPath[str],
        game_filter: Given[GameFilter],
        visitor: Given[Visitor],
        store: Given[SqlStore],
        after: Cursor = None,
    ) -> FinishedGames:
        """The games that the numbers of a profile come from, as `GET /api/history` has yours."""
        found = await _find_open(store, handle, visitor)
        return await page_of(store, found.who, _shown(found, visitor, game_filter), after)

    @get("/people/{handle:str}/rounds")
    async def rounds_of_profile(
        self,
        handle: FromPath[str],
        game_filter: Given[GameFilter],
        visitor: Given[Visitor],
        store: Given[SqlStore],
    ) -> RoundFigures:
        """Games of a profile, round by round, as `GET /api/history/rounds` has yours."""
        found = await _find_open(store, handle, visitor)
        return await round_figures(store, _shown(found, visitor, game_filter), game_filter)


async def _find_open(store: SqlStore, handle: str, visitor: Visitor) -> ProfileRow:
    """A profile whose games a visitor may see."""
    found = await _find(store, handle)
    if not (found.public or found.who == visitor.who):
        raise not_found("game")
    return found


async def _find(store: SqlStore, handle: str) -> ProfileRow:
    is_one = re.fullmatch(HANDLE, handle)
    found = await store.people.profile(handle=handle) if is_one else None
    if found is None:
        raise not_found("profile")
    return found


def _shown(
    profile: ProfileRow, visitor: Visitor, wanted: GameFilter | None = None
) -> list[ColumnElement[bool]]:
    """The games of a profile that a visitor may see."""
    games = games_of(profile.who, wanted or GameFilter())
    return games if profile.who == visitor.who else [*games, at_public_tables()]


async def _profile(
    store: SqlStore,
    who: str,
    chosen: ProfileRow | None,
    games: list[ColumnElement[bool]],
    *,
    mine: bool,
) -> Profile:
    rows = await store.results.counts((*COUNTED, "plant", "city"), *games)
    return Profile(
        chosen.handle if chosen else None,
        mine=mine,
        public=bool(chosen and chosen.public),
        counts=[GameCount(*row) for row in _summed(rows, 0, 1, 2)],
        plants=_favourites(_summed(rows, 0, 3)),
        cities=_favourites(_summed(rows, 0, 4)),
        ratings=await ratings_of(store, who),
        puzzles=await puzzles_of(store, who),
    )


def _summed(rows: Sequence[Any], *columns: int) -> list[list[Any]]:
    """Some columns of rows, with the sums of games and wins, which each row ends with."""
    found: dict[tuple[Any, ...], list[int]] = {}
    for row in rows:
        sums = found.setdefault(tuple(row[n] for n in columns), [0, 0])
        sums[0] += row[-2]
        sums[1] += row[-1]
    return [[*group, *sums] for group, sums in found.items()]


def _favourites(openings: list[list[Any]]) -> list[OpeningCount]:
    """The most frequent openings; a game may have none."""
    found = [OpeningCount(*row) for row in openings if row[1]]
    return sorted(found, key=lambda each: (-each.games, each.rulebook, each.name))[:FAVOURITES]
