"""How the clerk plays the card game: plants that pay for themselves, fuel by the card."""

from collections.abc import Iterator
from random import Random
from typing import TYPE_CHECKING, Literal, NamedTuple

from highvoltage.bots.clerk.auction import Prospect, auction, minimum
from highvoltage.bots.clerk.plants import Plant, PlantSet, plant_sets
from highvoltage.bots.protocol import Choice, Reason, Values
from highvoltage.engine.cards import label
from highvoltage.engine.legal import Moves
from highvoltage.engine.moves import Done, Move, Run, Scrap
from highvoltage.views import CardGameView

if TYPE_CHECKING:
    from highvoltage.views.cardgame import PlayerView

PAYBACK_ROUNDS = 3  # rounds in which a plant should pay for itself
EARLY_INCOME_WORTH = (
    2  # what one more Elektro of income is worth at the end, while that is far away
)
POINT_WORTH = 10  # what it is worth when the end is near: a point
SOLD_OUT_PRICE = 3  # assumed price of a unit that is sold out
CASH_RESERVE = 6  # money not spent on buying ahead
DONE = Done()


class FuelCard(NamedTuple):
    """A fuel card on offer."""

    price: int  # its column
    fuel: str
    units: int


class CardClerk:
    """Chooses from the view of the card game."""

    def __init__(self, _: Random) -> None:
        pass

    def choose(self, view: CardGameView, legal: Moves) -> Choice:
        figures = CardFigures(view)
        if view["phase"] == "fuel":
            return figures.buy(legal)
        if view["phase"] == "bureaucracy":
            return figures.run(legal)
        if isinstance(legal[0], Scrap):
            return figures.scrap(legal)
        offers = list(map(figures.offer, view["market"]["current"]))
        return auction(view["auction"]["card"], offers, legal)


class CardFigures:
    """What the clerk works out from a view."""

    def __init__(self, view: CardGameView) -> None:
        self.view = view
        seat = view["seat"]
        assert seat is not None
        self.me: PlayerView = view["players"][seat]
        money = self.me["money"]
        assert money is not None
        self.money = money
        self.cards: list[FuelCard] = sorted(self._cards(), key=lambda card: card.price / card.units)

    def _cards(self) -> Iterator[FuelCard]:
        for price, column in enumerate(self.view["fuel"]["columns"], 1):
            for card in column:
                yield FuelCard(price, card["fuel"], card["units"])

    # Plants

    @property
    def rounds_left(self) -> int:
        """An estimate: each round turns up a card for every player, and one more."""
        above: int | None = self.view["market"]["above_end"]
        if above is None:
            return 0 if self.view["last"] else 1
        return 1 + above // (1 + len(self.view["players"]))

    def upkeep(self, plant: Plant) -> int:
        """What the fuel for one run costs, roughly."""
        costs = []
        for fuel in plant["fuels"]:
            chosen = cheapest_cards(self.cards, (fuel,), plant["need"])
            units = sum(card.units for card in chosen)
            missing = max(0, plant["need"] - units)
            costs.append(sum(card.price for card in chosen) + SOLD_OUT_PRICE * missing)
        return min(costs, default=0)

    def offer(self, plant: Plant) -> Prospect:
        more, fuel = plant["income"], self.upkeep(plant)
        cost = fuel
        own = self.me["plants"]
        if len(own) >= self.view["plant_limit"]:
            weakest = min(own, key=lambda each: (each["income"], each["number"]))
            more -= weakest["income"]
            cost -= self.upkeep(weakest)
        left = self.rounds_left
        rounds = min(PAYBACK_ROUNDS, left)
        worth = (
            rounds * max(0, more - cost) + (EARLY_INCOME_WORTH if left > 1 else POINT_WORTH) * more
        )
        spare = self.money - max(0, cost)
        values: Values = {"more": more, "upkeep": fuel, "rounds": max(1, rounds)}
        code = "income" if more > 0 else "replaces"
        return Prospect(plant["card"], minimum(plant, self.view), worth, spare, code, values)

    def scrap(self, legal: Moves) -> Choice:
        """Give up the plant that earns least."""
        income = {plant["card"]: plant["income"] for plant in self.me["plants"]}

        def loss(move: Move) -> int:
            assert isinstance(move, Scrap)
            return int(income[label(move.card)])

        move = min(legal, key=loss)
        return Choice(move, Reason("weakest", {"powers": loss(move)}))

    # Fuel

    def buy(self, legal: Moves) -> Choice:
        best: tuple[int, PlantSet, list[FuelCard]] | None = None
        for plants in plant_sets(self.me["plants"], "income"):
            chosen = self.shopping(plants)
            cost = 0 if chosen is None else sum(card.price for card in chosen)
            if chosen is None or cost > self.money:
                continue
            profit = (POINT_WORTH if self.view["last"] else 1) * plants.powers - cost
            if best is None or profit > best[0]:
                best = profit, plants, chosen
        assert best is not None  # to run nothing costs nothing
        _, plants, chosen = best
        buys = _by_card(legal)
        for card in chosen:
            if card in buys:
                cost = sum(each.price for each in chosen)
                return Choice(
                    buys[card], Reason("fuel_income", {"income": plants.powers, "cost": cost})
                )
        return self.store(buys)

    def shopping(self, plants: PlantSet) -> list[FuelCard] | None:
        """Cards that let the plants run; None if there are too few."""
        held = self.me["fuel"]
        chosen: list[FuelCard] = []
        spare = 0
        for fuel in dict.fromkeys((*plants.needs, *plants.pair)):
            missing = plants.needs.get(fuel, 0) - held[fuel]
            if missing > 0:
                cards = cheapest_cards(self.cards, (fuel,), missing)
                if (units := sum(card.units for card in cards)) < missing:
                    return None
                chosen += cards
                missing -= units
            spare += -missing if fuel in plants.pair else 0
        lacking = plants.shared - spare
        if lacking > 0:
            left = [card for card in self.cards if card not in chosen]
            cards = cheapest_cards(left, plants.pair, lacking)
            if sum(card.units for card in cards) < lacking:
                return None
            chosen += cards
        return chosen

    def store(self, buys: dict[FuelCard, Move]) -> Choice:
        """Fuel for another round, as long as it is cheap and there is money to spare."""
        if not self.view["last"] and self.rounds_left > 1:
            for card, move in buys.items():
                cheap = card.price < card.units or card.price == 1
                if cheap and self.money - card.price >= CASH_RESERVE:
                    values: Values = {"fuel": card.fuel, "price": card.price}
                    return Choice(move, Reason("fuel_cheap", values))
        return Choice(DONE, Reason("fuel_enough"))

    # Income

    def run(self, legal: Moves) -> Choice:
        """Run what earns more than its fuel is worth."""
        plants = {plant["card"]: plant for plant in self.me["plants"]}

        def total(move: Move, what: Literal["income", "need"]) -> int:
            assert isinstance(move, Run)
            return sum(plants[label(card)][what] for card, _ in move.plants)

        move = max(legal, key=lambda run: total(run, "income") - total(run, "need"))
        return Choice(move, Reason("run_income", {"income": total(move, "income")}))


def cheapest_cards(cards: list[FuelCard], fuels: tuple[str, ...], units: int) -> list[FuelCard]:
    """Cards with at least so many units of these fuels, the best value first."""
    chosen = []
    for card in cards:
        if units > 0 and card.fuel in fuels:
            chosen.append(card)
            units -= card.units
    return chosen


def _by_card(legal: Moves) -> dict[FuelCard, Move]:
    """The purchases among the legal moves."""
    buys = {}
    for move in legal:
        if move.verb == "buy":
            fuel, units, column = (getattr(move, name) for name in ("fuel", "units", "column"))
            buys[FuelCard(column, fuel, units)] = move
    return buys
