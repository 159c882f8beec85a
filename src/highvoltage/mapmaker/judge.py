"""Whether a map is a good one, by the games that clerks and engineers play on it.

Every figure is compared with the span of the official boards (`spans.json`, made by
`python -m highvoltage.mapmaker.spans`). Shares of wins by start differ by chance alone; `spread`
takes that part off, so that the figures of few and of many games can be compared.
"""

import heapq
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files
from math import sqrt
from statistics import fmean
from typing import Any, NamedTuple

import msgspec

import highvoltage as hv
from highvoltage import bots
from highvoltage.engine.events import Order
from highvoltage.engine.moves import Build
from highvoltage.engine.parts.board import load_map
from highvoltage.engine.parts.mapform import Map

GAMES = 1500
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


class Figure(NamedTuple):
    """One measure of a map, and the span of the official boards."""

    name: str
    value: float
    low: float
    high: float
    margin: float  # about twice the standard error of so many games
    where: str = ""  # the city, region or fuel that stands out

    @property
    def usual(self) -> bool:
        return self.low - self.margin <= self.value <= self.high + self.margin


class Verdict(NamedTuple):
    """What the games on a map have shown."""

    games: int
    figures: tuple[Figure, ...]
    unused: tuple[tuple[str, str], ...]  # connections that were hardly ever used

    @property
    def good(self) -> bool:
        return all(figure.usual for figure in self.figures)


def play_sample(map_: str | Map, number: int, seed: str = "judge") -> Sample:
    """Play a game; bots change seats from game to game."""
    board = map_ if isinstance(map_, str) else msgspec.to_builtins(map_, str_keys=True)
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


def measure(
    samples: Sequence[Sample], board: Map
) -> tuple[dict[str, tuple[float, str]], tuple[tuple[str, str], ...]]:
    """Every figure with what stands out in it, and the connections hardly ever used."""
    region_of = {city.id: city.region for city in board.cities}
    starts = [
        (city, share)
        for each in samples
        for city, share in zip(each.first_cities, each.shares, strict=True)
        if city
    ]
    seats = [(str(seat), share) for each in samples for seat, share in enumerate(each.shares, 1)]
    places = [
        (str(place + 1), share)
        for each in samples
        for place, share in zip(each.start_places, each.shares, strict=True)
    ]
    in_play = Counter(region for each in samples for region in each.regions)
    entered = Counter(region for each in samples for region in each.entered)
    loneliest = min(in_play, key=lambda region: entered[region] / in_play[region])
    opened = Counter(each.opened for each in samples).most_common(1)[0]
    links = [tuple(sorted((link.a, link.b))) for link in board.connections]
    possible = Counter(
        (a, b)
        for each in samples
        for a, b in links
        if {region_of[a], region_of[b]} <= {*each.regions}
    )
    used = Counter(link for each in samples for link in each.used)
    unused = tuple(link for link in possible if used[link] < RARE * possible[link])
    sold_out = Counter(fuel for each in samples for fuel in each.sold_out)
    scarce = max(sold_out, key=lambda fuel: sold_out[fuel], default="")
    games = len(samples)
    return {
        "rounds": (fmean(each.rounds for each in samples), ""),
        "first_region": spread([(region_of[city], share) for city, share in starts]),
        "first_city": spread(starts),
        "seat": spread(seats),
        "turn_order": spread(places),
        "loneliest_region": (entered[loneliest] / in_play[loneliest], loneliest),
        "unused_connections": (len(unused) / len(possible), ""),
        "opened_with": (opened[1] / games, opened[0]),
        "leader_wins": (fmean(each.leader_won for each in samples), ""),
        "sold_out": (sold_out[scarce] / games, scarce),
    }, unused


def spread(results: Sequence[tuple[str, float]]) -> tuple[float, str]:
    """How far the shares of wins differ beyond chance, and who wins most beyond chance.

    The standard deviation between groups, weighted by their sizes, without the part that equal
    groups of these sizes would show.

    >>> spread([("a", 1.0), ("a", 0.0), ("b", 0.0), ("b", 1.0)])[0]
    0.0
    """
    par = fmean(share for _, share in results)
    groups: dict[str, list[float]] = {}
    for name, share in results:
        groups.setdefault(name, []).append(share)
    noise = fmean((share - par) ** 2 for _, share in results)
    beyond = {
        name: len(shares) * ((fmean(shares) - par) ** 2 - noise / len(shares))
        for name, shares in groups.items()
    }
    better = [name for name in groups if fmean(groups[name]) > par]
    top = max(better or groups, key=lambda name: beyond[name])
    return sqrt(max(0.0, sum(beyond.values()) / len(results))), top


@cache
def spans() -> dict[str, tuple[float, float]]:
    """The lowest and highest value of each figure among the official boards."""
    text = files("highvoltage.mapmaker").joinpath(SPANS).read_bytes()
    return msgspec.json.decode(text, type=dict[str, tuple[float, float]])


def verdict(samples: Sequence[Sample], board: Map) -> Verdict:
    """The figures of a map beside those of the official boards."""
    found, unused = measure(samples, board)
    figures = tuple(
        Figure(name, value, *spans()[name], _margin(name, len(samples)), where)
        for name, (value, where) in found.items()
    )
    return Verdict(len(samples), figures, unused)


def _margin(name: str, games: int) -> float:
    """About twice the standard error of a figure at the ends of its span."""
    if name in MARGINS:
        return MARGINS[name] / sqrt(games)
    return 2 * max(sqrt(end * (1 - end)) for end in spans()[name]) / sqrt(games)


def judge(map_: str | Map, games: int = GAMES, seed: str = "judge") -> Verdict:
    """Play games on a map in this process and say how it compares."""
    board = load_map(map_) if isinstance(map_, str) else map_
    return verdict([play_sample(map_, number, seed) for number in range(games)], board)
