"""Observations of the board games, computed anew from the view by docs/machines.md."""

from itertools import accumulate, count
from typing import Any

import numpy as np
import pytest

from codec.columns import View, differences, in_the_auction, in_turn, one_of, to_bid_above
from highvoltage import bots, codec
from ours import our_settings

CARTEL, MARK = -1, -2  # in the houses of a city
DECISIONS = ("regions", "cartel", "marks", "nominate", "bid", "scrap", "fuel", "building")
NOTHING: View = {"stock": 0, "supply": 0, "refill": 0, "prices": []}


def decision(view: View) -> str:
    if view["to_move"] is None:
        return ""
    if view["phase"] != "auction":
        return str(view["phase"])
    auction = view["auction"]
    if auction["scrapping"] is not None:
        return "scrap"
    return "bid" if auction["card"] else "nominate"


def plant(card: View, fuels: list[str]) -> list[float]:
    burns = [float(fuel in card["fuels"]) for fuel in fuels]
    numbers = [card["number"] / 50, card["need"] / 3, card["powers"] / 7]
    return [1, *numbers, *burns, not card["fuels"]]


def shelf(shown: View | None, viewer: View, fuel: str) -> list[float]:
    found = shown or NOTHING
    prices = [price / 100 for price in accumulate(found["prices"][:8])]
    return [
        *(found["stock"] / 24, found["supply"] / 24, found["refill"] / 12),
        *(viewer["fuel"][fuel] / 24, max(0, viewer["room"][fuel]) / 24),
        *prices,
        *[1] * (8 - len(prices)),
    ]


class Town:
    """A city of the regions in play: what a house costs there, and where a network may start."""

    def __init__(self, view: View, name: str, marked: bool) -> None:
        houses = view["houses"].get(name, [])
        usual = [{"cost": cost, "step": step} for step, cost in enumerate(view["house_prices"], 1)]
        slots = view.get("slots", {}).get(name, usual)
        closed = name in view.get("blocked", ())
        free = [slot["cost"] for slot in slots[len(houses) :][:1] if slot["step"] <= view["step"]]
        self.houses: list[int] = houses
        self.price: int | None = free[0] if free and not closed else None
        self.starts: bool = not closed and (MARK in houses if marked else not houses)

    def near(self, owner: View, way: int | None) -> float:
        """Nearness for a player, to whose network it is so far."""
        if way is None:
            return 1 - 10 / 80 if self.starts else 0
        if owner["seat"] in self.houses or self.price is None:
            return 0
        return max(0, 1 - (self.price + way) / 80)


def cities(view: View, rules: Any) -> list[list[float]]:
    if view["phase"] == "regions":
        return []
    area = rules.area(tuple(view["regions"]))
    own = rules.map_rules
    marked = any(MARK in houses for houses in view["houses"].values())
    rows: list[list[float]] = []
    for at, name in enumerate(area.cities):
        town = Town(view, name, marked)
        ways = dict(zip(area.cities, area.distance[at], strict=True))
        here = {city: area.distance[row][at] for row, city in enumerate(area.cities)}
        near = [
            town.near(owner, min((here[city] for city in owner["cities"]), default=None))
            for owner in in_turn(view)
        ]
        none = [0.0] * (6 - len(near))
        others = sorted(way for city, way in ways.items() if city != name)
        rows.append(
            [
                *(1, len(town.houses) / 3, (town.price or 0) / 20, town.starts),
                *(MARK in town.houses, CARTEL in town.houses),
                *(float(owner["seat"] in town.houses) for owner in in_turn(view)),
                *(*none, *near, *none),
                len(area.neighbours[at]) / 8,
                max(0, 1 - sum(others[:5]) / len(others[:5]) / 40),
                not own.nuclear_countries or area.countries[at] in own.nuclear_countries,
                sum(each.amount for each in own.discounts if each.city == name) / 5,
            ]
        )
    return rows


def regions(view: View, rules: Any) -> list[list[float]]:
    board = rules.map
    region = {city.id: city.region for city in board.cities}
    entry = {city.id: city.cost for city in board.cities}
    rows: list[list[float]] = []
    for name in board.regions:
        inside = [
            link.cost + (entry[link.a] + entry[link.b]) / 2
            for link in rules.connections
            if region[link.a] == region[link.b] == name
        ]
        mean = sum(inside) / len(inside) / 30 if inside else 1
        rows.append([1, name in view["regions"], [*region.values()].count(name) / 10, mean])
    return rows


def board(view: View, rules: Any) -> dict[str, Any]:
    market, auction, shelves = view["market"], view["auction"], view["fuel"]
    owners = in_turn(view)
    viewer, fuels = owners[0], [*shelves][:4]
    bid, above = to_bid_above(view, viewer["money"])
    demolition = view.get("demolition")
    scalars = [
        view["round"] / 20,
        *one_of(view["step"], 1, 2, 3),
        *one_of(decision(view), *DECISIONS, "bureaucracy"),
        *(market["deck"] / 40, market["step3"]),
        *one_of(market.get("back"), "plug", "socket"),
        *(auction["sold"] / 6, bid / 100, above / 100),
        max(len(owner["cities"]) for owner in owners) / 21,
        *(view["step_2_cities"] / 21, view["end_cities"] / 21),
        *one_of(len(owners), 2, 3, 4, 5, 6),
    ]
    if demolition is not None:
        first, later = demolition["stack"][0]
        scalars += [1, first / 20, later / 20, demolition["paid"]]
    else:
        scalars += [0] * 4
    players = [
        [
            *(1, 0, owner["money"] is not None),
            *((owner["money"] or 0) / 50, (owner["money"] or 0) / 250),
            *one_of(view["order"].index(owner["seat"]), 0, 1, 2, 3, 4, 5),
            len(owner["cities"]) / 21,
            sum(card["powers"] for card in owner["plants"]) / 21,
            owner["supplied"] / 21,
            *(owner["fuel"][fuel] / 24 for fuel in fuels),
            *in_the_auction(view, owner["seat"]),
        ]
        for owner in owners
    ]
    everybody = owners
    if cartel := view.get("cartel"):
        powers = sum(card["powers"] for card in cartel["plants"]) / 21
        held = [cartel["fuel"][fuel] / 24 for fuel in fuels]
        players.append([0, 1, *[0] * 10, powers, 0, *held, *[0] * 4, cartel["reserve"] / 16])
        everybody = [*owners, cartel]
    plants = [
        [
            [
                *plant(card, fuels),
                owner.get("seat") == auction["scrapping"] is not None
                and card["card"] == auction["card"],
            ]
            for card in owner["plants"]
        ]
        for owner in everybody
    ]
    shown = [*market["current"], *market["future"]]
    offered = [
        [
            *plant(card, fuels),
            at < len(market["current"]),
            card["card"] == auction["card"],
            card["card"] == market.get("discount"),
        ]
        for at, card in enumerate(shown)
    ]
    owned = [c["number"] for owner in everybody for c in owner["plants"] + owner.get("mines", [])]
    gone, under = ([int(card) for card in market[where]] for where in ("removed", "slid"))
    seen = [card["number"] for card in shown]
    rows = cities(view, rules)
    found: dict[str, Any] = {
        "scalars": scalars,
        "players": players,
        "plants": plants,
        "market": offered[:8],
        "fuel": [shelf(shelves[fuel], viewer, fuel) for fuel in fuels],
        "cities": rows[:49],
        "cards": [[float(n in some) for some in (seen, owned, gone, under)] for n in range(3, 51)],
        "regions": regions(view, rules),
        "more_market": offered[8:],
        "more_cities": rows[49:],
    }
    return found | on_some_maps(view, rules, fuels)


def on_some_maps(view: View, rules: Any, fuels: list[str]) -> dict[str, Any]:
    owners = in_turn(view)
    viewer = owners[0]
    stored = [view["fuel"].get(f"stored_{fuel}") for fuel in fuels]
    found: dict[str, Any] = {
        "stored": [shelf(each, viewer, fuel) for each, fuel in zip(stored, fuels, strict=True)]
    }
    if "markets" in view:
        found["markets"] = [
            [[name == view["trade"], *shelf(shelves[fuel], viewer, fuel)] for fuel in fuels]
            for name, shelves in view["markets"].items()
        ]
    if "start" in view and view["phase"] != "regions":
        area = rules.area(tuple(view["regions"]))
        costs = [view["start"].get(city) for city in area.cities]
        found["starts"] = [[0 if c is None else max(0, 1 - c / 80)] for c in costs]
        found["networks"] = [[len(owner["starts"]) / 4] for owner in owners]
    if "mines" in view:
        mines, spaces = view["mines"], len(view["mines"]["ladder"])
        price = (mines["price"] or 0) / 10
        found["mine_market"] = [mines["stock"] / spaces, price, mines["used"] / spaces]
        found["mines"] = [
            [len(owner["mines"]) / 5, sum(card["mine"] for card in owner["mines"]) / 24]
            for owner in owners
        ]
        shown = [*view["market"]["current"], *view["market"]["future"]]
        found["market_mines"] = [[card.get("mine", 0) / 7] for card in shown[:8]]
    if "outage" in view:
        built, most = view["outage"]["built"], view["outage"]["most"]
        found["outage"] = [built / 24, most / 24, built > most]
    return found


FEW = (
    *("classic-germany-2-demolition=True", "classic-central_europe-5", "classic-korea-4"),
    *("classic-japan-3", "classic-australia-4", "classic-india-3", "classic-manhattan-6"),
    *("recharged-germany-2", "recharged-usa-5-standard_starting_cities=True"),
    *("recharged-south_africa-3", "recharged-europe-4", "classic-usa-5-regions=draft"),
    "recharged-germany-4-money=hidden",
)
"""All parts and kinds of decision."""
EVERY = {str(each): each for name in ("classic", "recharged") for each in our_settings(name)}
FURTHER_ROWS = {"more_market": "market", "more_cities": "cities", "stored": "fuel"}


def compared(name: str, seen: dict[str, Any], every: int) -> None:
    """Play a game, compare some of its positions, and note which columns are not 0."""
    setting = EVERY[name]
    game = setting.new(6)
    rules: Any = game.rules
    code = codec.make(setting.rulebook, setting.map, setting.players, **setting.options)
    columns = {part.name: part.columns for part in code.spec.parts}
    kinds = ("clerk", "engineer", "random")
    seated = [bots.make(kinds[seat % 3], seat) for seat in range(setting.players)]
    for at in count():
        if at % every == 1 or game.to_move is None:
            seat = game.to_move if at % 2 else None
            view: Any = game.view(at // every % setting.players if seat is None else seat)
            found, expected = code.observe(view), board(view, rules.ruleset)
            for part, array in found.items():
                wrong = differences(part, array, expected.get(part, []), columns[part])
                assert wrong == [], f"{game.phase} of round {game.state.round}: {wrong[:5]}"
                used = np.reshape(array != 0, (-1, len(columns[part]))).any(0)
                like = FURTHER_ROWS.get(part, part)
                seen[like] = seen.get(like, False) | used
        if game.to_move is None:
            break
        game.play(bots.ask(seated[game.to_move], game).move)


@pytest.mark.long
def test_every_column_is_what_the_docs_say() -> None:
    seen: dict[str, Any] = {}
    for name in FEW:
        compared(name, seen, 9)
    # Nothing is compared as 0 with 0 throughout.
    names = {part.name: part.columns for each in FEW for part in spec_of(each).parts}
    assert [(part, *np.array(names[part])[~used]) for part, used in seen.items()] == [
        (part,) for part in seen
    ]


def spec_of(name: str) -> codec.Spec:
    setting = EVERY[name]
    return codec.make(setting.rulebook, setting.map, setting.players, **setting.options).spec


@pytest.mark.long
@pytest.mark.parametrize("name", [name for name in EVERY if name not in FEW])
def test_every_column_on_every_map(name: str) -> None:
    compared(name, {}, 11)
