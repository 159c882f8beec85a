"""Whether a map is a good one, by the games that clerks and engineers play on it.

Every figure is compared with the span of the official boards (`spans.json`, made by
`python -m highvoltage.mapmaker.spans`). Shares of wins by start differ by chance alone; `spread`
takes that part off, so that the figures of few and of many games can be compared.
"""

import heapq
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from importlib.resources import files
from math import sqrt
from statistics import fmean
from time import monotonic
from typing import Annotated, Any, NamedTuple

import msgspec
from msgspec import Meta, Struct

import highvoltage as hv
from highvoltage import bots
from highvoltage.engine.events import Order
from highvoltage.engine.moves import Build
from highvoltage.engine.parts.board import load_map, read_map
from highvoltage.engine.parts.mapform import Map

GAMES = 1500
BATCH_GAMES, BATCH_SECONDS = 50, 2.0  # played further at a time, whichever is less
PLAYERS = 4
BOTS = ("engineer", "clerk", "engineer", "clerk")
MAX_DECISIONS = 20_000  # a longer game is abandoned
RARE = 0.02  # of the games: a connection that is used less often is hardly ever used
# Twice the standard error of one game, of figures that are no shares.
MARGINS = {"rounds": 2.0, "first_region": 0.5, "first_city": 0.5, "seat": 0.5, "turn_order": 0.5}
SPANS = "spans.json"


class Sample(NamedTuple):
    """What one game says about its map. All lists are by seat."""

    rounds: int
    shares: tuple[float, ...]  # of the win
    first_cities: tuple[str, ...]
    start_places: tuple[int, ...]  # in the first turn order, from 0
    opened: str  # the first city of the game
    regions: tuple[str, ...]  # in play
    entered: frozenset[str]  # regions with a house
    used: frozenset[tuple[str, str]]  # connections that somebody paid for
    leader_won: float  # the share of the win of who led in cities at half time
    sold_out: tuple[str, ...]  # fuels of which nothing was left at some time


class Wins(Struct, array_like=True, frozen=True):
    """How often some start led to a win: shares of wins, and their squares."""

    starts: int
    shares: float
    squares: float


class Tally(Struct):
    """What games on a map add up to; two tallies of one map can be added."""

    games: Annotated[int, Meta(ge=0)] = 0
    rounds: int = 0
    leader_won: float = 0.0
    seats: dict[str, Wins] = {}
    places: dict[str, Wins] = {}  # in the first turn order
    cities: dict[str, Wins] = {}  # by first city
    opened: dict[str, int] = {}
    in_play: dict[str, int] = {}
    entered: dict[str, int] = {}
    sold_out: dict[str, int] = {}
    used: dict[str, int] = {}  # connections, as "hamburg kiel"
    possible: dict[str, int] = {}  # those between regions in play


class Figure(Struct, frozen=True):
    """One measure of a map, and the span of the official boards."""

    name: str
    value: float
    low: float
    high: float
    margin: float  # about twice the standard error of so many games
    where: str  # the city, region or fuel that stands out; or empty
    usual: bool  # within the margin of the span


class Verdict(Struct, frozen=True):
    """What the games on a map have shown."""

    games: int
    figures: tuple[Figure, ...]
    unused: tuple[tuple[str, str], ...]  # connections that were hardly ever used

    @property
    def good(self) -> bool:
        return all(figure.usual for figure in self.figures)


def play_sample(map_: str | Map | dict[str, Any], number: int, seed: str = "judge") -> Sample:
    """Play a game; bots change seats from game to game."""
    board = msgspec.to_builtins(map_, str_keys=True) if isinstance(map_, Map) else map_
    game = hv.new("classic", map=board, players=PLAYERS, seed=f"{seed}/{number}")
    kinds = [BOTS[(seat + number) % PLAYERS] for seat in range(PLAYERS)]
    players = [bots.make(kind, f"{seed}/{number}/{seat}") for seat, kind in enumerate(kinds)]
    sold_out: set[str] = set()
    phase = ""
    cities: dict[int, list[tuple[str, ...]]] = {}  # of every seat, by round
    while (seat := game.to_move) is not None and len(game.log) < MAX_DECISIONS:
        if game.phase != phase:
            phase = game.phase
            view = game.view()
            cities[view["round"]] = [tuple(each["cities"]) for each in view["players"]]
            if phase == "building":
                sold_out |= {name for name, fuel in _fuels(view) if not fuel["stock"]}
        game.play(bots.ask(players[seat], game).move)
    return _read(game, cities, tuple(sorted(sold_out)))


def _fuels(view: Any) -> Iterator[tuple[str, Any]]:
    for name, fuel in view["fuel"].items():
        if "stock" in fuel and fuel["ladder"]:
            yield name, fuel


def _read(
    game: hv.Game, cities: dict[int, list[tuple[str, ...]]], sold_out: tuple[str, ...]
) -> Sample:
    view = game.view()
    winners = game.outcome.winners if game.outcome else ()
    shares = tuple(1 / len(winners) if seat in winners else 0.0 for seat in range(PLAYERS))
    built = [(row.seat, row.move.city) for row in game.log if isinstance(row.move, Build)]
    first: dict[int, str] = {}
    for seat, city in built:
        first.setdefault(seat, city)
    half = cities[max(1, view["round"] // 2)]
    most = max(map(len, half))
    leaders = [seat for seat, own in enumerate(half) if len(own) == most]
    order = next(event.items for event in game.setup_events if isinstance(event, Order))
    board: Map = game.rules.map  # type: ignore[attr-defined]
    region_of = {city.id: city.region for city in board.cities}
    in_play = frozenset(city.id for city in board.cities if city.region in view["regions"])
    return Sample(
        rounds=view["round"],
        shares=shares,
        first_cities=tuple(first.get(seat, "") for seat in range(PLAYERS)),
        start_places=tuple(order.index(seat) for seat in range(PLAYERS)),
        opened=built[0][1] if built else "",
        regions=tuple(view["regions"]),
        entered=frozenset(region_of[city] for _, city in built),
        used=_used(board, built, in_play),
        leader_won=fmean(shares[seat] for seat in leaders),
        sold_out=sold_out,
    )


def _used(
    board: Map, built: Sequence[tuple[int, str]], in_play: frozenset[str]
) -> frozenset[tuple[str, str]]:
    """The connections on the cheapest ways to all cities that were built."""
    near: dict[str, list[tuple[int, str]]] = {city: [] for city in in_play}
    for a, b, cost in ((link.a, link.b, link.cost) for link in board.connections):
        if a in in_play and b in in_play:
            near[a].append((cost, b))
            near[b].append((cost, a))
    own: dict[int, set[str]] = {}
    used: set[tuple[str, str]] = set()
    for seat, city in built:
        mine = own.setdefault(seat, set())
        if mine:
            used |= _way(near, mine, city)
        mine.add(city)
    return frozenset(used)


def _way(near: dict[str, list[tuple[int, str]]], own: set[str], to: str) -> set[tuple[str, str]]:
    """The connections on the cheapest way from a network to a city; none if there is no way."""
    came: dict[str, str] = {}
    costs = dict.fromkeys(own, 0)
    waiting = [(0, city) for city in sorted(own)]
    while waiting:
        cost, city = heapq.heappop(waiting)
        if city == to:
            break
        for more, other in near[city]:
            if cost + more < costs.get(other, 10**9):
                costs[other] = cost + more
                came[other] = city
                heapq.heappush(waiting, (cost + more, other))
    used = set()
    while to in came:
        a, b = sorted((to, came[to]))
        used.add((a, b))
        to = came[to]
    return used


def tally(samples: Iterable[Sample], board: Map) -> Tally:
    """What these games add up to."""
    region_of = {city.id: city.region for city in board.cities}
    links = [
        (_link(link.a, link.b), {region_of[link.a], region_of[link.b]})
        for link in board.connections
    ]
    found = Tally()
    for each in samples:
        found.games += 1
        found.rounds += each.rounds
        found.leader_won += each.leader_won
        _count(found.opened, [each.opened])
        _count(found.in_play, each.regions)
        _count(found.entered, each.entered)
        _count(found.sold_out, each.sold_out)
        _count(found.used, (_link(a, b) for a, b in each.used))
        _count(found.possible, (link for link, ends in links if ends <= {*each.regions}))
        for seat, share in enumerate(each.shares):
            _add(found.seats, str(seat + 1), Wins(1, share, share**2))
            _add(found.places, str(each.start_places[seat] + 1), Wins(1, share, share**2))
            if city := each.first_cities[seat]:
                _add(found.cities, city, Wins(1, share, share**2))
    return found


def added(one: Tally, two: Tally) -> Tally:
    """Both together."""
    total = Tally(one.games + two.games, one.rounds + two.rounds, one.leader_won + two.leader_won)
    for field in ("opened", "in_play", "entered", "sold_out", "used", "possible"):
        counts = Counter(getattr(one, field)) + Counter(getattr(two, field))
        setattr(total, field, dict(counts))
    for field in ("seats", "places", "cities"):
        for each in (one, two):
            for name, wins in getattr(each, field).items():
                _add(getattr(total, field), name, wins)
    return total


def _link(a: str, b: str) -> str:
    return " ".join(sorted((a, b)))


def _count(counts: dict[str, int], names: Iterable[str]) -> None:
    for name in names:
        counts[name] = counts.get(name, 0) + 1


def _add(groups: dict[str, Wins], name: str, wins: Wins) -> None:
    old = groups.get(name, Wins(0, 0.0, 0.0))
    groups[name] = Wins(
        old.starts + wins.starts, old.shares + wins.shares, old.squares + wins.squares
    )


def measure(
    games: Tally, board: Map
) -> tuple[dict[str, tuple[float, str]], tuple[tuple[str, str], ...]]:
    """Every figure with what stands out in it, and the connections hardly ever used."""
    region_of = {city.id: city.region for city in board.cities}
    regions: dict[str, Wins] = {}
    for city, wins in games.cities.items():
        _add(regions, region_of[city], wins)
    entered, in_play, possible = games.entered, games.in_play, games.possible
    loneliest = min(in_play, key=lambda region: entered.get(region, 0) / in_play[region])
    opened = max(games.opened, key=lambda city: games.opened[city])
    rare = [link for link in possible if games.used.get(link, 0) < RARE * possible[link]]
    sold_out = games.sold_out
    scarce = max(sold_out, key=lambda fuel: sold_out[fuel], default="")
    return {
        "rounds": (games.rounds / games.games, ""),
        "first_region": spread(regions),
        "first_city": spread(games.cities),
        "seat": spread(games.seats),
        "turn_order": spread(games.places),
        "loneliest_region": (entered.get(loneliest, 0) / in_play[loneliest], loneliest),
        "unused_connections": (len(rare) / len(possible), ""),
        "opened_with": (games.opened[opened] / games.games, opened),
        "leader_wins": (games.leader_won / games.games, ""),
        "sold_out": (sold_out.get(scarce, 0) / games.games, scarce),
    }, tuple((a, b) for a, _, b in (link.partition(" ") for link in rare))


def spread(groups: dict[str, Wins]) -> tuple[float, str]:
    """How far the shares of wins differ beyond chance, and who wins most beyond chance.

    The standard deviation between groups, weighted by their sizes, without the part that equal
    groups of these sizes would show.

    >>> spread({"a": Wins(2, 1.0, 1.0), "b": Wins(2, 1.0, 1.0)})[0]
    0.0
    """
    count = sum(wins.starts for wins in groups.values())
    par = sum(wins.shares for wins in groups.values()) / count
    noise = sum(wins.squares for wins in groups.values()) / count - par**2
    mean = {name: wins.shares / wins.starts for name, wins in groups.items()}
    beyond = {name: wins.starts * (mean[name] - par) ** 2 - noise for name, wins in groups.items()}
    better = [name for name in groups if mean[name] > par]
    top = max(better or groups, key=lambda name: beyond[name])
    return sqrt(max(0.0, sum(beyond.values()) / count)), top


@cache
def spans() -> dict[str, tuple[float, float]]:
    """The lowest and highest value of each figure among the official boards."""
    text = files("highvoltage.mapmaker").joinpath(SPANS).read_bytes()
    return msgspec.json.decode(text, type=dict[str, tuple[float, float]])


def verdict(games: Tally, board: Map) -> Verdict:
    """The figures of a map beside those of the official boards."""
    found, unused = measure(games, board)
    figures = tuple(
        _figure(name, value, where, games.games) for name, (value, where) in found.items()
    )
    return Verdict(games.games, figures, unused)


def _figure(name: str, value: float, where: str, games: int) -> Figure:
    low, high = spans()[name]
    margin = _margin(name, games)
    usual = low - margin <= value <= high + margin
    return Figure(name, value, low, high, margin, where, usual)


def _margin(name: str, games: int) -> float:
    """About twice the standard error of a figure at the ends of its span."""
    if name in MARGINS:
        return MARGINS[name] / sqrt(games)
    return 2 * max(sqrt(end * (1 - end)) for end in spans()[name]) / sqrt(games)


def judge_further(
    content: dict[str, Any], so_far: Tally, games: int, seed: str
) -> tuple[Tally, Verdict]:
    """Play some more games on a map, up to so many; what all add up to, and what they show."""
    board = read_map(content)
    until = monotonic() + BATCH_SECONDS
    samples: list[Sample] = []
    for number in range(so_far.games, min(games, so_far.games + BATCH_GAMES)):
        samples.append(play_sample(content, number, seed))
        if monotonic() > until:
            break
    total = added(so_far, tally(samples, board))
    return total, verdict(total, board)


def judge(map_: str | Map, games: int = GAMES, seed: str = "judge") -> Verdict:
    """Play games on a map in this process and say how it compares."""
    board = load_map(map_) if isinstance(map_, str) else map_
    samples = (play_sample(map_, number, seed) for number in range(games))
    return verdict(tally(samples, board), board)
