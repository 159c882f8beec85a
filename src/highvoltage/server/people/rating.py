"""Ratings of people, on one scale with the bots: openskill's, as tournaments have them."""

from collections.abc import Sequence
from functools import cache

from litestar import get
from litestar.di import NamedDependency as Given
from litestar.params import FromQuery
from openskill.models import PlackettLuce

from highvoltage.rooms.problems import not_found
from highvoltage.rooms.strengths import MEASURED, strengths
from highvoltage.server.guard.identity import Visitor
from highvoltage.server.people.messages import RatedGame, RatedPlayer, Rating
from highvoltage.server.store import SqlStore
from highvoltage.server.store.ratings import BOT, Rate, RatedSeat

CERTAIN_SIGMA = 25 / 4
"""Below this a rating is no longer provisional: after five games against bots, or some fifteen
among people."""
BOT_SIGMA = 1.0
"""How certain the measured strengths of bots are."""
Z_95 = 1.96
CURVE = 100
"""Games on a curve."""
LISTED = 100
"""People on a leaderboard."""


@cache
def _model() -> PlackettLuce:
    return PlackettLuce()


def rate_game(rulebook: str, seats: Sequence[RatedSeat]) -> list[Rate]:
    """The ratings after a game; bots keep theirs, which were measured."""
    model, known = _model(), strengths(rulebook)
    before = [_before(seat, known, model) for seat in seats]
    rated = [n for n, rate in enumerate(before) if rate is not None]
    after = [rate or Rate(model.mu, model.sigma) for rate in before]
    if len(rated) > 1:
        teams = [[model.create_rating([*after[n]])] for n in rated]
        ranks = [float(seats[n].place) for n in rated]
        for n, [now] in zip(rated, model.rate(teams, ranks=ranks), strict=True):
            if not seats[n].player.startswith(BOT):
                after[n] = Rate(now.mu, now.sigma)
    return after


def _before(seat: RatedSeat, known: dict[str, float], model: PlackettLuce) -> Rate | None:
    """A rating before a game; None for a bot whose strength was not measured."""
    if not seat.player.startswith(BOT):
        return seat.before or Rate(model.mu, model.sigma)
    strength = known.get(seat.player.removeprefix(BOT))
    return None if strength is None else Rate(strength, BOT_SIGMA)


async def ratings_of(store: SqlStore, who: str) -> list[Rating]:
    """The ratings of a person, each with its course."""
    found = []
    for rulebook, player, mu, sigma, games in await store.ratings.of(who):
        curve = await store.ratings.curve(rulebook, player, CURVE)
        points = [RatedGame(game, at, mu, Z_95 * sigma) for game, at, mu, sigma in curve]
        is_provisional = sigma > CERTAIN_SIGMA
        rating = Rating(rulebook, mu, Z_95 * sigma, is_provisional, games, points[::-1])
        found.append(rating)
    return found


@get("/api/leaderboard", tags=["profiles"])
async def leaderboard(
    rulebook: FromQuery[str], visitor: Given[Visitor], store: Given[SqlStore]
) -> list[RatedPlayer]:
    """The best players by a rulebook whose profiles are public, and the bots among them."""
    if rulebook not in MEASURED:
        raise not_found("rulebook")
    found = [
        RatedPlayer(handle, None, mu, Z_95 * sigma, games, mine=who == visitor.who)
        for handle, who, mu, sigma, games in await store.ratings.best(
            rulebook, CERTAIN_SIGMA, LISTED
        )
    ]
    bots = [
        RatedPlayer(None, bot, mu, Z_95 * BOT_SIGMA, None, mine=False)
        for bot, mu in strengths(rulebook).items()
    ]
    return sorted([*found, *bots], key=lambda player: -player.rating)
