"""What a set of plants can supply, and what its fuel costs: arithmetic shared by the clerks."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple

SOLD_OUT_PRICE = 9
"""Assumed price of a token that is sold out."""

Plant = Mapping[str, Any]  # as a view shows it
Held = Mapping[str, int]
Prices = Mapping[str, Sequence[int]]


class PlantSet(NamedTuple):
    """Plants that run together: what they burn of one fuel each, and what hybrids burn of two."""

    powers: int  # what they yield: cities, or money
    needs: dict[str, int]
    pair: tuple[str, ...]  # fuels of the hybrids
    shared: int  # tokens the hybrids burn together


class Purchase(NamedTuple):
    """Tokens to buy for a run, and their price."""

    cost: int
    tokens: dict[str, int]


def plant_set(plants: Sequence[Plant], yields: str) -> PlantSet:
    needs: dict[str, int] = {}
    pair: tuple[str, ...] = ()
    shared = powers = 0
    for plant in plants:
        powers += plant[yields]
        fuels = plant["fuels"]
        if len(fuels) == 2:
            pair = tuple(fuels)
            shared += plant["need"]
        elif fuels:
            needs[fuels[0]] = needs.get(fuels[0], 0) + plant["need"]
    return PlantSet(powers, needs, pair, shared)


def plant_sets(plants: Sequence[Plant], yields: str = "powers") -> list[PlantSet]:
    """Every subset of the plants, the strongest first."""
    chosen = (some for size in range(len(plants) + 1) for some in combinations(plants, size))
    sets = [plant_set(some, yields) for some in chosen]
    return sorted(sets, key=lambda each: -each.powers)


class Fleet:
    """The plants of a company, with figures that depend on them alone."""

    def __init__(self, plants: Sequence[Plant]) -> None:
        self.plants: Sequence[Plant] = plants
        self.sets: list[PlantSet] = plant_sets(plants)
        self.powers: int = sum(plant["powers"] for plant in plants)
        self.burns: dict[str, float] = burn_rates(plants)


def burn_rates(plants: Sequence[Plant]) -> dict[str, float]:
    """Tokens of each fuel that plants burn in a round; hybrids half of either."""
    tokens: dict[str, float] = {}
    for plant in plants:
        for fuel in plant["fuels"]:
            tokens[fuel] = tokens.get(fuel, 0.0) + plant["need"] / len(plant["fuels"])
    return tokens


class FleetCache:
    """The fleets of a game, each computed once."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, ...], Fleet] = {}

    def of(self, plants: Sequence[Plant]) -> Fleet:
        cards = tuple([plant["card"] for plant in plants])
        known = self._known.get(cards)
        if known is None:
            known = self._known[cards] = Fleet(plants)
        return known


def can_run(plants: PlantSet, held: Held) -> bool:
    if any(held[fuel] < need for fuel, need in plants.needs.items()):
        return False
    spare = sum(held[fuel] - plants.needs.get(fuel, 0) for fuel in plants.pair)
    return spare >= plants.shared


def most_supplied(sets: Sequence[PlantSet], held: Held) -> int:
    """The most cities that the given fuel supplies."""
    return next(each.powers for each in sets if can_run(each, held))


def cheapest_purchase(plants: PlantSet, held: Held, prices: Prices) -> Purchase | None:
    """The cheapest purchase that lets the plants run; None if the market has too little."""
    tokens: dict[str, int] = {}
    cost = 0
    for fuel, need in plants.needs.items():
        missing = need - held[fuel]
        if missing > 0:
            if missing > len(prices[fuel]):
                return None
            tokens[fuel] = missing
            cost += sum(prices[fuel][:missing])
    if not plants.shared:
        return Purchase(cost, tokens)
    spare = sum(max(0, held[fuel] - plants.needs.get(fuel, 0)) for fuel in plants.pair)
    for _ in range(plants.shared - spare):
        offers = [
            (prices[fuel][bought], fuel)
            for fuel in plants.pair
            if (bought := tokens.get(fuel, 0)) < len(prices[fuel])
        ]
        if not offers:
            return None
        price, fuel = min(offers)
        tokens[fuel] = tokens.get(fuel, 0) + 1
        cost += price
    return Purchase(cost, tokens)


def upkeep(plant: Plant, prices: Prices) -> int:
    """What the fuel for one run costs at today's prices."""
    need = plant["need"]
    costs = []
    for fuel in plant["fuels"]:
        row = prices[fuel][:need]
        costs.append(sum(row) + SOLD_OUT_PRICE * (need - len(row)))
    return min(costs, default=0)
