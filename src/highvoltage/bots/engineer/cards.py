"""How the engineer plays the card game: money is for plants, plants are for the last run."""

from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache
from random import Random
from typing import NamedTuple

from highvoltage.bots.clerk.auction import Prospect, fair_price, find_offer, minimum
from highvoltage.bots.clerk.cards import (
    SOLD_OUT_PRICE,
    CardClerk,
    CardFigures,
    FuelCard,
    cheapest_cards,
)
from highvoltage.bots.clerk.plants import Plant, plant_sets
from highvoltage.bots.engineer.auction import bid_or_nominate, break_even_price, rivals_of
from highvoltage.bots.protocol import Choice, Reason, Values
from highvoltage.engine.cards import label
from highvoltage.engine.legal import Moves
from highvoltage.engine.moves import Move, Scrap
from highvoltage.views import CardGameView


class CardAssumptions(NamedTuple):
    """What the engineer assumes; tuned in tournaments (docs/bots.md)."""

    point: float = 10  # what one more point is worth at the end
    turned: float = 4.3  # plants turned up in a round
    dearer: float = 4  # by how much the numbers of the best plants on offer rise every round
    highest: float = 20  # the limit of that rise, before the last round
    premium: float = 1  # what a plant costs beyond its number
    fuel: float = 2.5  # fuel for a run of a plant that is not on offer yet
    lay_in: int = 2  # rounds before the end from which fuel is stored


CARD_ASSUMPTIONS = CardAssumptions()
CASH_RESERVE = 4  # money not spent on storing fuel
LAST_ROUND_PLANT = 30  # number of a plant available in the last round
Yield = tuple[float, float]  # what plants earn, and what their fuel costs


class CardCache:
    """Results that an engineer reuses throughout a game."""

    def __init__(self, assumptions: CardAssumptions) -> None:
        self.assumptions = assumptions
        self.prospects: Callable[..., dict[tuple[object, ...], Prospect]] = lru_cache(maxsize=256)(
            lambda *_: {}  # keyed by everything that the rest of the game depends on
        )


class CardPlan(CardFigures):
    """The clerk's figures, and a forecast of the rest of the game."""

    def __init__(self, view: CardGameView, cache: CardCache) -> None:
        super().__init__(view)
        self.cache = cache
        self.assumptions = cache.assumptions
        self.limit: int = view["plant_limit"]
        if view["phase"] == "auction":
            self.cards: list[FuelCard] = self._left_over()
        self._held: dict[tuple[str, ...], list[Yield]] = {}
        self._last_runs: dict[tuple[str, ...], list[Yield]] = {}

    def _left_over(self) -> list[FuelCard]:
        """The fuel cards left by those who buy earlier: the players later in the order."""
        order = self.view["order"]
        later = order[order.index(self.me["seat"]) + 1 :]
        players = [self.view["players"][seat] for seat in later]
        owners = [(dict(player["fuel"]), player["plants"]) for player in players]
        if owners and "bank" in self.view:
            owners.append(({}, self.view["bank"]["plants"]))
        left = list(self.cards)
        for held, plants in owners:
            for plant in plants:
                need = plant["need"]
                for fuel in plant["fuels"]:
                    used = min(need, held.get(fuel, 0))
                    held[fuel] = held.get(fuel, 0) - used
                    need -= used
                for card in cheapest_cards(left, tuple(plant["fuels"]), need):
                    left.remove(card)
        return left

    @cached_property
    def rounds(self) -> int:
        """Rounds left, including this one."""
        above: int | None = self.view["market"]["above_end"]
        if above is None:
            return 1 if self.view["last"] else 2
        return 2 + round(above / self.assumptions.turned)

    @cached_property
    def highest_on_offer(self) -> int:
        """The highest number on offer."""
        return max([plant["number"] for plant in self.view["market"]["current"]], default=0)

    @cached_property
    def coming(self) -> list[tuple[float, float]]:
        """Income and number of the best plant on offer in each of the rounds left."""
        best, assumptions = self.highest_on_offer, self.assumptions
        numbers = [
            max(best, min(assumptions.highest, best + assumptions.dearer * later))
            for later in range(self.rounds)
        ]
        numbers[-1] = LAST_ROUND_PLANT
        return [(4.5 + 0.28 * number, number) for number in numbers]

    def forecast(self, money: float, plants: Sequence[Plant]) -> float:
        """Final money and points, for a company with these plants."""
        if self.rounds == 1:
            brings = [won - cost for won, cost in self.last_runs(plants) if cost <= money]
            return money + max(brings, default=0)
        assumptions, limit = self.assumptions, self.limit
        held = self.held(plants)
        for later, (income, number) in enumerate(self.coming):
            runs = self.rounds - 1 - later  # runs still paid
            if later:
                least, saved = held[0] if len(held) >= limit else (0.0, 0.0)
                better = income - least
                gain = (runs + assumptions.point) * better - runs * (assumptions.fuel - saved)
                cost = number + assumptions.premium
                bill = sum(upkeep for _, upkeep in held)
                if gain > cost and money >= cost + bill:
                    held = sorted([*held, (income, assumptions.fuel)])[-limit:]
                    money -= cost
            bill = sum(upkeep for _, upkeep in held)
            earned = sum(each for each, _ in held)
            paid = min(1.0, max(0.0, money) / bill) if bill else 1.0
            money -= paid * bill
            if runs:
                money += paid * earned
        return assumptions.point * paid * earned + money

    def held(self, plants: Sequence[Plant]) -> list[Yield]:
        """Income and fuel cost of each plant if all of them run, the lowest first."""
        cards = tuple([plant["card"] for plant in plants])
        if cards not in self._held:
            left = self.cards
            found = []
            for plant in plants:
                baskets = [cheapest_cards(left, (fuel,), plant["need"]) for fuel in plant["fuels"]]
                costs = [cost_of(chosen, plant["need"]) for chosen in baskets]
                cost = min(costs, default=0)
                if baskets:
                    taken = baskets[costs.index(cost)]
                    left = [card for card in left if card not in taken]
                found.append((float(plant["income"]), float(cost)))
            self._held[cards] = sorted(found)
        return self._held[cards]

    def last_runs(self, plants: Sequence[Plant]) -> list[Yield]:
        """What each run that there is fuel for scores at the end, and what its fuel costs."""
        cards = tuple([plant["card"] for plant in plants])
        if cards not in self._last_runs:
            runs = [(each.powers, self.shopping(each)) for each in plant_sets(plants, "income")]
            self._last_runs[cards] = [
                (self.assumptions.point * income, float(sum([card.price for card in chosen])))
                for income, chosen in runs
                if chosen is not None
            ]
        return self._last_runs[cards]

    def store(self, buys: dict[FuelCard, Move]) -> Choice:
        """Towards the end, store fuel for the last run, which may be sold out by then."""
        if 1 < self.rounds <= self.assumptions.lay_in:
            needs: dict[str, int] = {}
            for plant in self.me["plants"]:
                for fuel in plant["fuels"]:
                    needs[fuel] = needs.get(fuel, 0) + plant["need"]
            for card, move in buys.items():
                short = self.me["fuel"][card.fuel] < 2 * needs.get(card.fuel, 0)
                if short and self.money - card.price >= CASH_RESERVE:
                    values: Values = {"fuel": card.fuel, "price": card.price}
                    return Choice(move, Reason("fuel_cheap", values))
        return super().store(buys)

    @cached_property
    def baseline(self) -> float:
        return self.forecast(self.money, self.me["plants"])

    def without(self, plant: Plant, plants: Sequence[Plant]) -> float:
        """The forecast for the company without a plant."""
        return self.forecast(self.money, [each for each in plants if each is not plant])

    def kept(self, plants: list[Plant]) -> list[Plant]:
        if len(plants) <= self.limit:
            return plants
        given_up = max(plants[:-1], key=lambda each: self.without(each, plants))
        return [plant for plant in plants if plant is not given_up]

    def scrap(self, legal: Moves) -> Choice:
        """Give up the plant whose loss costs least."""
        plants = self.me["plants"]
        own = {plant["card"]: plant for plant in plants}

        def left(move: Move) -> float:
            assert isinstance(move, Scrap)
            return self.without(own[label(move.card)], plants)

        move = max(legal, key=left)
        assert isinstance(move, Scrap)
        return Choice(move, Reason("weakest", {"powers": own[label(move.card)]["income"]}))

    def offers(self) -> list[Prospect]:
        return list(map(self.offer, self.view["market"]["current"]))

    @cached_property
    def prospect_cache(self) -> dict[tuple[object, ...], Prospect]:
        """Prospects of companies that face the same rest of the game."""
        held = (
            tuple(self.me["fuel"].values()) if self.rounds == 1 else ()
        )  # matters for the last run
        return self.cache.prospects(self.rounds, self.highest_on_offer, tuple(self.cards), held)

    def offer(self, plant: Plant) -> Prospect:
        price = minimum(plant, self.view)
        key = plant["card"], price, self.money, *[each["card"] for each in self.me["plants"]]
        known = self.prospect_cache.get(key)
        if known is None:
            known = self.prospect_cache[key] = self.prospect(plant, price)
        return known

    def prospect(self, plant: Plant, price: int) -> Prospect:
        plants = self.kept([*self.me["plants"], plant])
        value = break_even_price(
            price, self.money, self.baseline, lambda left: self.forecast(left, plants)
        )
        own = sum(each["income"] for each in self.me["plants"])
        more = sum(each["income"] for each in plants) - own
        values: Values = {"more": more, "upkeep": self.upkeep(plant), "rounds": self.rounds}
        code = "income" if more > 0 else "replaces"
        bill = sum(map(self.upkeep, plants)) if self.rounds == 1 else self.upkeep(plant)
        return Prospect(plant["card"], price, value, self.money - bill, code, values)


class CardEngineer(CardClerk):
    """Chooses from the view of the card game."""

    def __init__(self, rng: Random, assumptions: CardAssumptions = CARD_ASSUMPTIONS) -> None:
        super().__init__(rng)
        self._cache: CardCache = CardCache(assumptions)

    def choose(self, view: CardGameView, legal: Moves) -> Choice:
        plan = CardPlan(view, self._cache)
        if view["phase"] == "fuel":
            return plan.buy(legal)
        if view["phase"] != "auction":
            return super().choose(view, legal)
        if isinstance(legal[0], Scrap):
            return plan.scrap(legal)
        rivals = [self._fair_price(view, seat) for seat in rivals_of(view)]
        alone = len(view["players"]) == 2
        return bid_or_nominate(view["auction"]["card"], plan.offers(), legal, rivals, alone=alone)

    def _fair_price(self, view: CardGameView, rival: int) -> int:
        """What a rival would pay for the card under the hammer."""
        rival_view = view.copy()
        rival_view["seat"] = rival
        offers = CardPlan(rival_view, self._cache).offers()
        return fair_price(find_offer(offers, str(view["auction"]["card"])), offers)

    def expected_score(self, view: CardGameView) -> float:
        """The expected points of the viewer; three of them count as much as a city."""
        return CardPlan(view, self._cache).baseline / (3 * self._cache.assumptions.point)


def cost_of(cards: list[FuelCard], units: int) -> int:
    """What cards cost, plus an estimate for the units they lack."""
    missing = units - sum([card.units for card in cards])
    return sum([card.price for card in cards]) + SOLD_OUT_PRICE * max(0, missing)
