"""How the clerk plays the board games.

Three rules of thumb: a plant pays for itself within a few rounds, a city is supplied in the round
in which it is connected, and a player who is ahead ends the game.
"""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from random import Random

from highvoltage.bots.clerk.auction import Prospect, auction
from highvoltage.bots.clerk.figures import BoardFigures
from highvoltage.bots.clerk.plants import (
    SOLD_OUT_PRICE,
    FleetCache,
    PlantSet,
    Purchase,
    cheapest_purchase,
    upkeep,
)
from highvoltage.bots.clerk.starts import area_of_view, connection_costs, network_cost
from highvoltage.bots.clerk.temper import EVEN, Temper
from highvoltage.bots.protocol import Choice, Reason, Values
from highvoltage.engine.cards import label
from highvoltage.engine.legal import Moves
from highvoltage.engine.moves import (
    Build,
    CityMove,
    Done,
    Mark,
    Market,
    Move,
    PlaceHouse,
    Region,
    Run,
    Scrap,
    Sell,
)
from highvoltage.views import BoardView

Chooser = Callable[[BoardFigures, Moves], Choice]
DONE = Done()


class BoardClerk:
    """Chooses from the view of a board game."""

    def __init__(self, rng: Random, temper: Temper = EVEN) -> None:
        self._rng = rng
        self.temper = temper
        self._fleets = FleetCache()
        self._offered: tuple[tuple[object, ...], list[Prospect]] = (), []
        self._phases: dict[str, Chooser] = {
            "auction": self._auction,
            "fuel": self._fuel,
            "building": self._build,
            "bureaucracy": self._run,
        }

    def choose(self, view: BoardView, legal: Moves) -> Choice:
        phase = self._phases.get(view["phase"], self._set_up)
        return phase(self._figures(view), legal)

    def _figures(self, view: BoardView) -> BoardFigures:
        return BoardFigures(view, self._fleets)

    # Set-up: regions, and in some editions houses of a third party and starting cities

    def _set_up(self, figures: BoardFigures, legal: Moves) -> Choice:
        if isinstance(legal[0], Mark):
            return self._start(figures, legal)
        if isinstance(legal[0], PlaceHouse):
            return self._out_of_the_way(figures, legal)
        return self._region(figures, legal)

    def _region(self, figures: BoardFigures, legal: Moves) -> Choice:
        """The region whose cities lie closest together."""
        costs = connection_costs(figures.view)
        regions = [move for move in legal if isinstance(move, Region) and move.region in costs]
        if not regions:
            return self._draw(legal)
        move = min(regions, key=lambda each: costs[each.region])
        return Choice(move, Reason("region", {"region": move.region, "cost": costs[move.region]}))

    def _out_of_the_way(self, figures: BoardFigures, legal: Moves) -> Choice:
        """Place a house of the cartel where it hinders least: where a network would cost most."""
        places = [move for move in legal if isinstance(move, PlaceHouse)]
        costs = self._network_costs(figures, places)
        if costs is None:
            return self._draw([*places])
        dearest = max(costs)
        move = self._rng.choice(
            [place for place, cost in zip(places, costs, strict=True) if cost == dearest]
        )
        return Choice(move, Reason("out_of_the_way", {"city": move.city, "cost": dearest}))

    def _draw(self, moves: Moves | list[Move]) -> Choice:
        return Choice(self._rng.choice(moves), Reason("random", {"moves": len(moves)}))

    def _start(self, figures: BoardFigures, legal: Moves) -> Choice:
        """Begin where the cities lie close together."""
        starts = [move for move in legal if isinstance(move, Build | Mark)]
        costs = self._network_costs(figures, starts)
        if costs is None:
            return self._draw([*starts])
        cheapest = min(costs)
        move = self._rng.choice(
            [start for start, cost in zip(starts, costs, strict=True) if cost == cheapest]
        )
        return Choice(move, Reason("start", {"city": move.city, "cost": cheapest}))

    def _network_costs(self, figures: BoardFigures, moves: Sequence[CityMove]) -> list[int] | None:
        """What a small network from each city costs; None on an unknown map."""
        view, houses = figures.view, figures.view["houses"]
        area = area_of_view(view, [*houses, *(move.city for move in moves)])
        return None if area is None else [network_cost(area, move.city, houses) for move in moves]

    # Auction

    def _auction(self, figures: BoardFigures, legal: Moves) -> Choice:
        if isinstance(legal[0], Scrap):
            return self._scrap(figures, legal)
        return auction(figures.view["auction"]["card"], self._offers(figures), legal)

    def _offers(self, figures: BoardFigures) -> list[Prospect]:
        """The cards on offer; during a sale they are worth the same at every bid."""
        depends = figures.offers_depend_on()
        if self._offered[0] != depends:
            current = figures.view["market"]["current"]
            self._offered = depends, [*map(figures.offer, current)]
        return self._offered[1]

    def _scrap(self, figures: BoardFigures, legal: Moves) -> Choice:
        """Give up the weakest plant, and with it the cheapest fuel."""
        own = {plant["card"]: plant for plant in figures.me["plants"]}

        def loss(move: Move) -> tuple[int, int, int]:
            assert isinstance(move, Scrap)
            plant = own[label(move.card)]
            fuel = sum(count * _price(figures, kind) for kind, count in move.returned)
            return plant["powers"], -upkeep(plant, figures.prices), fuel

        move = min(legal, key=loss)
        return Choice(move, Reason("weakest", {"powers": loss(move)[0]}))

    # Fuel

    def _fuel(self, figures: BoardFigures, legal: Moves) -> Choice:
        """Fuel for this round's run, one kind after the other, then some to store."""
        if isinstance(legal[0], Market):
            return self._market(figures)
        _, plants, buys = self._best_run(figures)
        for fuel, count in buys.tokens.items():
            if (move := figures.purchase(fuel, count)) in legal:
                values: Values = {"cities": plants.powers, "cost": buys.cost}
                return Choice(move, Reason("fuel", values))
        return self._store(figures, legal)

    def _market(self, figures: BoardFigures) -> Choice:
        """Of several fuel markets the one where the run of this round pays best."""
        if not any(figures.me["room"].values()):
            return Choice(DONE, Reason("fuel_enough"))
        profits = {}
        for name, shelves in figures.view["markets"].items():
            there = figures.view.copy()
            there["fuel"] = shelves
            profits[name] = self._best_run(self._figures(there))[0]
        market = max(profits, key=profits.__getitem__)
        return Choice(Market(market), Reason("market", {"market": market}))

    def _best_run(self, figures: BoardFigures) -> tuple[int, PlantSet, Purchase]:
        """What this round brings in, the plants to run for it, and what to buy for them."""
        best = -1
        chosen = None
        most = figures.cities + figures.reachable(figures.money)
        held, prices, money = figures.me["fuel"], figures.prices, figures.money
        for plants in figures.fleet.sets:
            if chosen is not None and self._earned(figures, min(plants.powers, most)) <= best:
                break  # those that supply less earn no more either
            buys = cheapest_purchase(plants, held, prices)
            if buys is None or buys.cost > money:
                continue
            cities = min(plants.powers, figures.cities + figures.reachable(money - buys.cost))
            profit = self._earned(figures, cities) - buys.cost
            if chosen is None or profit > best:
                best, chosen = profit, (plants, buys)
        assert chosen is not None  # the empty set of plants can always run
        return best, *chosen

    def _earned(self, figures: BoardFigures, cities: int) -> int:
        """The value of a run: its income, or the cities it supplies when the game may end."""
        return 1000 * cities if figures.may_be_last_round else figures.pay(cities)

    def _store(self, figures: BoardFigures, legal: Moves) -> Choice:
        """Fuel for another round, as long as it is cheap and there is money to spare."""
        if not figures.may_be_last_round:
            price, reserve = self.temper.store_price, self.temper.cash_reserve
            burned = {fuel for plant in figures.me["plants"] for fuel in plant["fuels"]}
            for fuel, prices in figures.prices.items():
                if fuel in burned:
                    room = figures.me["room"][fuel]
                    spare = max(0, figures.money - reserve) // price
                    count = min(bisect_right(prices, price), room, spare)
                    if (move := figures.purchase(fuel, count)) in legal:
                        return Choice(move, Reason("fuel_cheap", {"fuel": fuel, "price": price}))
        return Choice(DONE, Reason("fuel_enough"))

    # Building

    def _build(self, figures: BoardFigures, legal: Moves) -> Choice:
        if not figures.cities:
            return self._start(figures, legal)
        connect = figures.connect
        if not figures.reachable(figures.money):  # only a start that saves little is left
            return Choice(DONE, Reason("start_kept"))
        city = self._next_city(figures)
        supply = figures.supply(figures.me)
        values: Values = {
            "city": city,
            "cost": connect[city],
            "supply": supply,
            "cities": figures.cities,
        }
        code = self._why_build(figures, supply, connect[city])
        move = DONE if code in {"no_supply", "not_ahead"} else figures.build(city)
        return Choice(move, Reason(code, values))

    def _next_city(self, figures: BoardFigures) -> str:
        """The cheapest; for one who blocks, among the cheap ones that which a rival is next to."""
        connect, view = figures.connect, figures.view
        cheapest = min(connect, key=connect.__getitem__)
        if not self.temper.blocks:
            return cheapest
        seat = figures.me["seat"]
        others = [player["cities"] for player in view["players"] if player["seat"] != seat]
        rivals = [city for cities in others for city in cities]
        area = area_of_view(view, [*connect, *rivals])
        if area is None or not rivals:
            return cheapest
        most = min(figures.money, connect[cheapest] + self.temper.blocks)
        near = [city for city, cost in connect.items() if cost <= most] or [cheapest]
        theirs = [area.index[city] for city in rivals]

        def farther(city: str) -> tuple[int, int]:
            way = area.distance[area.index[city]]
            return min(way[each] for each in theirs), connect[city]

        return min(near, key=farther)

    def _why_build(self, figures: BoardFigures, supply: int, cost: int) -> str:
        supplied = "city" if figures.cities < supply else "no_supply"
        missing = figures.end - figures.cities
        if figures.most_cities >= figures.end:  # this is the last round
            return supplied
        if figures.view["round"] >= self.temper.end_round:
            return "city_late"
        if missing <= figures.reachable(figures.money):
            if figures.wins(
                max(figures.end, supply), figures.money - figures.city_costs[missing - 1]
            ):
                return "city_ends"
            if missing == 1:
                return "not_ahead"
        if (
            figures.cities < figures.fleet.powers
            and figures.money - cost >= self.temper.cash_reserve
        ):
            return "city_ahead" if supplied == "no_supply" else supplied
        return supplied

    # Bureaucracy

    def _run(self, figures: BoardFigures, legal: Moves) -> Choice:
        """Supply cities as long as they pay more than half the price of the fuel."""
        if isinstance(legal[0], Sell):
            return Choice(legal[0], Reason("sell", {"pay": figures.view["mines"]["pays"]}))
        plants = figures.me["plants"]
        price = {fuel: _price(figures, fuel) for plant in plants for fuel in plant["fuels"]}
        powers = {plant["card"]: plant["powers"] for plant in plants}
        burns = {
            plant["card"]: plant["need"] * price[plant["fuels"][0]]
            for plant in plants
            if len(plant["fuels"]) == 1
        }

        def profit(move: Move) -> int:
            assert isinstance(move, Run)
            cities = cost = 0
            for card, mix in move.plants:
                name = label(card)
                cities += powers[name]
                cost += sum([price[fuel] for fuel in mix]) if mix else burns.get(name, 0)
            return 2 * figures.pay(min(cities, figures.cities)) - cost

        move = max(legal, key=profit)
        assert isinstance(move, Run)
        cities = min(figures.cities, sum(powers[label(card)] for card, _ in move.plants))
        return Choice(move, Reason("run", {"cities": cities, "pay": figures.pay(cities)}))


def _price(figures: BoardFigures, fuel: str) -> int:
    """What a token of this fuel costs now."""
    prices = figures.prices[fuel]
    return int(prices[0]) if prices else SOLD_OUT_PRICE
