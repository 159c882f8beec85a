"""The engineer's way to play the card game: money is for plants, plants are for the last run."""

from functools import cached_property
from random import Random
from typing import Any, NamedTuple

from highvoltage.bots.clerk.auction import Offer, minimum
from highvoltage.bots.clerk.cards import Card as FuelCard
from highvoltage.bots.clerk.cards import CardClerk, CardDesk
from highvoltage.bots.clerk.plants import Plant
from highvoltage.bots.engineer.auction import bid_or_nominate
from highvoltage.bots.protocol import Choice, Reason, Values
from highvoltage.engine.moves import Move, Moves, Scrap


class CardHabits(NamedTuple):
    """What the engineer takes for granted; tuned in tournaments (docs/bots.md)."""

    point: float = 8  # what one more point is worth at the end
    turned: float = 0.0  # cards turned up in a round, beyond one for each player
    every: int = 1  # a better plant comes up every so many rounds
    premium: float = 3  # what a plant costs beyond its number
    better: float = 0.8  # by how much the income of new plants rises every round
    lay_in: int = 2  # rounds before the end from which fuel is laid in
    strongest: float = 14  # income of the best plants


CARD_HABITS = CardHabits()
POCKET = 4  # small change, to see what money is worth


class CardPlan(CardDesk):
    """The clerk's figures, and a forecast of the rest of the game."""

    def __init__(self, view: dict[str, Any], habits: CardHabits) -> None:
        super().__init__(view)
        self.habits = habits
        self.limit: int = view["plant_limit"]

    @cached_property
    def rounds(self) -> int:
        """Rounds to come, this one included."""
        above: int | None = self.view["market"]["above_end"]
        if above is None:
            return 1 if self.view["last"] else 2
        return 2 + int(above / (self.habits.turned + len(self.view["players"])))

    @cached_property
    def coming(self) -> tuple[int, int]:
        """What the best plant earns that comes up soon, and its number."""
        market = self.view["market"]
        plants = market["future"] or market["current"]
        return max(((plant["income"], plant["number"]) for plant in plants), default=(13, 30))

    def forecast(self, money: float, plants: list[Plant]) -> float:
        """Money at the end and points, for a company with these plants."""
        habits = self.habits
        yields = sorted(
            [(float(self.yields(plant)), float(self.upkeep(plant))) for plant in plants]
        )
        income, number = map(float, self.coming)
        for later in range(self.rounds):
            if later and later % habits.every == 0:
                cost = number + habits.premium
                gain = income - (yields[0][0] if len(yields) >= self.limit else 0)
                if gain > 0 and money >= cost:
                    yields = sorted([*yields, (income, 4.0)])[-self.limit :]
                    money -= cost
            if later and income < habits.strongest:
                income += habits.better
                number += 2
            bill = sum(upkeep for _, upkeep in yields)
            earned = sum(each for each, _ in yields)
            paid = min(1.0, max(0.0, money) / bill) if bill else 1.0
            money -= paid * bill
            if later < self.rounds - 1:
                money += paid * earned
            else:
                earned *= paid
        return habits.point * earned + money

    def yields(self, plant: Plant) -> int:
        """What a plant earns; nothing if its last run has come and there is no fuel for it."""
        if self.rounds == 1 and plant["fuels"]:
            held = self.me["fuel"]
            units = sum(held[fuel] for fuel in plant["fuels"])
            units += sum(card.units for card in self.cards if card.fuel in plant["fuels"])
            if units < plant["need"]:
                return 0
        return int(plant["income"])

    def store(self, buys: dict[FuelCard, Move]) -> Choice:
        """Towards the end fuel for the last run is laid in, for it may be sold out by then."""
        if 1 < self.rounds <= self.habits.lay_in:
            needs: dict[str, int] = {}
            for plant in self.me["plants"]:
                for fuel in plant["fuels"]:
                    needs[fuel] = needs.get(fuel, 0) + plant["need"]
            for card, move in buys.items():
                short = self.me["fuel"][card.fuel] < 2 * needs.get(card.fuel, 0)
                if short and self.money - card.price >= POCKET:
                    told: Values = {"fuel": card.fuel, "price": card.price}
                    return Choice(move, Reason("fuel_cheap", told))
        return super().store(buys)

    @cached_property
    def as_it_is(self) -> float:
        return self.forecast(self.money, self.me["plants"])

    @cached_property
    def interest(self) -> float:
        """What an Elektro is worth that is not spent now, at the end."""
        less = self.forecast(self.money - POCKET, self.me["plants"])
        return max(1.0, (self.as_it_is - less) / POCKET)

    def kept(self, plants: list[Plant]) -> list[Plant]:
        if len(plants) <= self.limit:
            return plants
        weakest = min(plants, key=lambda each: (each["income"] - self.upkeep(each), each["number"]))
        return [plant for plant in plants if plant is not weakest]

    def offer(self, plant: Plant) -> Offer:
        plants = self.kept([*self.me["plants"], plant])
        price = minimum(plant, self.view)
        gain = self.forecast(self.money - price, plants) - self.as_it_is
        worth = max(0, round(price + gain / self.interest))
        told: Values = {
            "more": sum(each["income"] for each in plants)
            - sum(each["income"] for each in self.me["plants"]),
            "upkeep": self.upkeep(plant),
            "rounds": self.rounds,
        }
        bill = sum(map(self.upkeep, plants)) if self.rounds == 1 else self.upkeep(plant)
        return Offer(plant["card"], price, worth, self.money - bill, "income", told)


class CardEngineer(CardClerk):
    """Chooses from the view of the card game."""

    def __init__(self, rng: Random, habits: CardHabits = CARD_HABITS) -> None:
        super().__init__(rng)
        self.habits = habits

    def choose(self, view: dict[str, Any], legal: Moves) -> Choice:
        plan = CardPlan(view, self.habits)
        if view["phase"] == "fuel":
            return plan.buy(legal)
        if view["phase"] != "auction" or isinstance(legal[0], Scrap):
            return super().choose(view, legal)
        offers = list(map(plan.offer, view["market"]["current"]))
        return bid_or_nominate(view["auction"]["card"], offers, legal)

    def promise(self, view: dict[str, Any]) -> float:
        """The points that the viewer comes to; three of them count as much as a city."""
        return CardPlan(view, self.habits).as_it_is / (3 * self.habits.point)
