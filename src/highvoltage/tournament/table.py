"""The table of a tournament: win shares, ratings, places, time; each with its interval."""

from collections.abc import Iterable
from math import sqrt
from statistics import fmean, median
from typing import TYPE_CHECKING

from msgspec import Struct

from highvoltage.extras import extra
from highvoltage.tournament.games import Result, Tournament

if TYPE_CHECKING:
    from openskill.models import PlackettLuceRating

Z_95 = 1.96  # standard deviations of a 95 % interval


class Standing(Struct, frozen=True):
    """How one bot did. All intervals are 95 % intervals."""

    bot: str
    seats: int  # seats it held, over all games
    wins: float  # a tie for the win counts as a share
    share: float
    low: float
    high: float
    par: float  # the share of a bot exactly as strong as the others
    place: float  # mean
    rating: float
    rating_low: float
    rating_high: float
    seconds: float  # per decision, mean
    median: float
    replaced: int  # decisions that a clerk made instead
    fault: str  # why, the first time


class Standings(Struct, frozen=True):
    """The standings, best rating first."""

    cup: Tournament
    games: int
    finished: int
    rounds: float
    rows: list[Standing]
    course: dict[str, list[float]]  # win share after each game
    by_seat: list[float]  # win share of each seat


def wilson(wins: float, games: int) -> tuple[float, float]:
    """The Wilson 95 % interval of a share.

    >>> [round(end, 3) for end in wilson(45, 100)]
    [0.356, 0.548]
    """
    if not games:
        return 0.0, 1.0
    share, spread = wins / games, Z_95**2 / games
    middle = share + spread / 2
    reach = Z_95 * sqrt(share * (1 - share) / games + spread / (4 * games))
    low, high = (middle - reach) / (1 + spread), (middle + reach) / (1 + spread)
    return max(0.0, low), min(1.0, high)


def standings(cup: Tournament, results: Iterable[Result]) -> Standings:
    """Sum up the results in the order of the games, whatever order they arrived in."""
    played = sorted(results, key=lambda result: result.number)
    ended = [result for result in played if result.finished]
    rates = ratings(cup, ended)
    course = {bot: _course(cup, bot, ended) for bot in rates}
    rows = [_row(cup, bot, ended, rate) for bot, rate in rates.items()]
    return Standings(
        cup,
        len(played),
        len(ended),
        fmean(result.rounds for result in ended) if ended else 0.0,
        sorted(rows, key=lambda row: -row.rating),
        course,
        [fmean(_won(result, seat) for result in ended) for seat in range(cup.players)]
        if ended
        else [],
    )


def ratings(cup: Tournament, ended: Iterable[Result]) -> dict[str, "PlackettLuceRating"]:
    """The rating of each bot. Several seats of one bot count as the mean of their ratings."""
    with extra("tournament"):
        from openskill.models import PlackettLuce  # noqa: PLC0415
    model = PlackettLuce()
    rates = {bot: model.rating(name=bot) for bot in dict.fromkeys(cup.bots)}
    for result in ended:
        names = [cup.bots[bot] for bot in result.seats]
        teams = [[model.create_rating([rates[name].mu, rates[name].sigma])] for name in names]
        ranks = [float(place) for place in result.places]
        rated = [team[0] for team in model.rate(teams, ranks=ranks)]
        for name in set(names):
            own = [rate for rate, other in zip(rated, names, strict=True) if other == name]
            rates[name].mu = fmean(rate.mu for rate in own)
            rates[name].sigma = fmean(rate.sigma for rate in own)
    return rates


def _won(result: Result, seat: int) -> float:
    return 1 / result.places.count(1) if result.places[seat] == 1 else 0.0


def _seats_of(cup: Tournament, bot: str, result: Result) -> list[int]:
    return [seat for seat, other in enumerate(result.seats) if cup.bots[other] == bot]


def _course(cup: Tournament, bot: str, ended: list[Result]) -> list[float]:
    wins = games = 0.0
    shares = []
    for result in ended:
        seats = _seats_of(cup, bot, result)
        if seats:
            games += 1
            wins += sum(_won(result, seat) for seat in seats)
            shares.append(round(wins / games, 4))
    return shares


def _row(cup: Tournament, bot: str, ended: list[Result], rate: "PlackettLuceRating") -> Standing:
    sat = [(result, seats) for result in ended if (seats := _seats_of(cup, bot, result))]
    pairs = [(result, seat) for result, seats in sat for seat in seats]
    wins = sum(_won(result, seat) for result, seat in pairs)
    low, high = wilson(wins, len(sat))
    decisions = sum(result.decisions[seat] for result, seat in pairs)
    faults = [result.faults[seat] for result, seat in pairs if result.faults]
    return Standing(
        bot=bot,
        seats=len(pairs),
        wins=wins,
        share=wins / len(sat) if sat else 0.0,
        low=low,
        high=high,
        par=len(pairs) / (cup.players * len(sat)) if sat else 0.0,
        place=fmean(result.places[seat] for result, seat in pairs) if pairs else 0.0,
        rating=rate.mu,
        rating_low=rate.mu - Z_95 * rate.sigma,
        rating_high=rate.mu + Z_95 * rate.sigma,
        seconds=sum(result.seconds[seat] for result, seat in pairs) / max(1, decisions),
        median=median(result.medians[seat] for result, seat in pairs) if pairs else 0.0,
        replaced=sum(result.replaced[seat] for result, seat in pairs if result.replaced),
        fault=next(filter(None, faults), ""),
    )
