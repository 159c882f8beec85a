"""The round of the 2018 edition, where it differs from the one of 2004."""

from highvoltage.engine.cards import label
from highvoltage.engine.events import Placed, Removed, Stocked, Taken
from highvoltage.engine.legal import Moves
from highvoltage.engine.moves import CityMove, Mark, Move, PlaceHouse
from highvoltage.engine.phase import TurnPhase
from highvoltage.games.classic import bureaucracy, steps
from highvoltage.games.classic import phases as classic
from highvoltage.games.classic.position import BoardPlayer
from highvoltage.games.classic.tables import FUEL_RULES, URANIUM
from highvoltage.games.recharged import tables
from highvoltage.games.recharged.state import CARTEL, MARK, Cartel, MarkedSites, RechargedState

# Set-up


class CityChoice(TurnPhase[RechargedState]):
    """The players choose cities before the first round."""

    kind: type[CityMove]
    taken: str  # the refusal of a city that is not empty

    def choices(self, s: RechargedState) -> list[int]:
        sites = s.rules.sites
        never = sites.no_start  # A-GEN-7
        return [city for city in sites.empty(s) if s.area.cities[city] not in never]

    def legal(self, s: RechargedState, seat: int) -> Moves:
        return Moves([self.kind(s.area.cities[city]) for city in self.choices(s)])

    def check(self, s: RechargedState, seat: int, move: Move) -> None:
        self.check_verb(s, move, self.kind)
        assert isinstance(move, CityMove)
        city = s.area.index.get(move.city)
        if city is None:
            raise s.rules.refuse("unknown_city", city=move.city)
        if s.houses[city]:
            raise s.rules.refuse(self.taken, city=move.city)
        if move.city in s.blocked:
            raise s.rules.refuse("city_blocked", city=move.city)
        if city not in self.choices(s):
            names = ", ".join(s.area.cities[near] for near in self.choices(s))
            raise s.rules.refuse("place_apart", city=move.city, cities=names)

    def apply(self, s: RechargedState, seat: int, move: Move) -> None:
        assert isinstance(move, CityMove)
        city = s.area.index[move.city]
        self.settle(s, city)
        s.slots[city] = s.rules.sites.slot_price(s, city)
        self.next_turn(s)

    def settle(self, s: RechargedState, city: int) -> None:
        raise NotImplementedError


class CartelHouses(CityChoice):
    """The two players place the first houses of the cartel, R-12.3."""

    name = "cartel"
    kind: type[CityMove] = PlaceHouse
    taken = "place_taken"

    def actor(self, s: RechargedState) -> int | None:
        placers = tables.CARTEL_PLACERS
        if s.turn == len(placers) or not self.choices(s):  # not over the sea, A-GEN-7
            return None
        return s.order[placers[s.turn]]

    def choices(self, s: RechargedState) -> list[int]:
        empty = super().choices(s)
        if s.turn == 0:
            return empty
        return [
            city for city in empty if any(s.houses[near] for near, _ in s.area.neighbours[city])
        ]

    def settle(self, s: RechargedState, city: int) -> None:
        place_cartel_house(s, city)


class StartingCities(CityChoice):
    """Everybody marks a city where somebody will start, R-13.1."""

    name = "marks"
    kind: type[CityMove] = Mark
    taken = "mark_taken"

    def settle(self, s: RechargedState, city: int) -> None:
        s.houses[city] = (MARK,)
        s.supply[URANIUM] -= 1
        place_cartel_house(s, city)


def place_cartel_house(s: RechargedState, city: int) -> None:
    """Place a cartel house on the next slot, if two play and the cartel has one left."""
    slots = s.rules.sites.slots_of(s.area.cities[city])
    if s.cartel and s.cartel.reserve and len(s.houses[city]) < len(slots):
        s.cartel.reserve -= 1
        s.houses[city] = (*s.houses[city], CARTEL)
        s.events.append(Placed(CARTEL, s.area.cities[city]))


# The round


class DiscountAuction(classic.PlantAuction[RechargedState]):
    """Phase 2: with the discount token, R-4, and the cartel, R-12.5."""

    def has_discount(self, s: RechargedState) -> bool:
        return s.rules.plant_market.discount  # A-BAW-7, A-RUS-9

    def third_party_turn(self, s: RechargedState) -> None:
        if s.cartel and s.market.offer:
            offer_to_cartel(s, s.cartel, s.market.offer[-1])


def offer_to_cartel(s: RechargedState, cartel: Cartel, card: int) -> None:
    """It takes a card that beats its lowest, or any while it has room, R-12.5.4."""
    kept = cartel.cards
    if len(kept) == tables.PLANT_LIMIT:
        lowest, kept = kept[0], kept[1:]
        if card < lowest:
            return
        s.market.removed.append(lowest)
        s.events.append(Removed(label(lowest), CARTEL))
    s.market.take(card)
    cartel.cards = tuple(sorted((*kept, card)))
    s.events.append(Taken(CARTEL, label(card)))
    classic.replace_sold(s)


class CartelFuel(classic.Fuel[RechargedState]):
    """Phase 3: the cartel takes its fuel between the two players, R-12.6."""

    def next_turn(self, s: RechargedState) -> None:
        super().next_turn(s)
        if s.cartel and s.turn == 1:
            stock_cartel(s, s.cartel)


def stock_cartel(s: RechargedState, cartel: Cartel) -> None:
    """It takes one run for each plant from the market, hybrids last, R-12.6.4."""
    taken = list(FUEL_RULES.none)
    plants = (s.plants.plants[card] for card in cartel.cards)
    for plant in sorted(plants, key=lambda plant: plant.hybrid):
        for token in range(plant.need):
            first = token % len(plant.fuels)  # hybrids alternate, R-12.6.3
            for kind in plant.fuels[first:] + plant.fuels[:first]:
                shelf = cheapest_shelf(s, kind)
                if shelf is not None:
                    s.stock[shelf] -= 1
                    taken[kind] += 1
                    break
    s.rules.fuel_market.taken(s)
    cartel.fuel = tuple(taken)
    s.events.append(Stocked(CARTEL, cartel.fuel))


def cheapest_shelf(s: RechargedState, kind: int) -> int | None:
    """Where a token of this kind is cheapest, of several markets; None if none is for sale."""
    market = s.rules.fuel_market
    shelves = range(kind, len(s.stock), len(FUEL_RULES.kinds))
    filled = [shelf for shelf in shelves if market.for_sale(s, shelf)]
    return min(
        filled,
        key=lambda shelf: market.ladder_now(s, shelf).price(s.stock[shelf]) or 0,
        default=None,
    )


class CartelBuilding(classic.Building[RechargedState]):
    """Phase 4: small plants stay; cartel houses and starting cities take slots, R-7, R-12.7."""

    def check_slot(self, s: RechargedState, player: BoardPlayer, city: int) -> None:
        sites = s.rules.sites
        if player.reach is not None or not isinstance(sites, MarkedSites):
            super().check_slot(s, player, city)
        elif city not in sites.starts(s):
            names = ", ".join(s.area.cities[start] for start in sites.starts(s))
            raise s.rules.refuse("start_unmarked", city=s.area.cities[city], cities=names)

    def place_house(self, s: RechargedState, seat: int, city: int) -> None:
        houses = s.houses[city]
        if houses[:1] == (MARK,) and s.players[seat].reach is None:
            s.houses[city] = (seat, *houses[1:])
            s.supply[URANIUM] += 1
            return
        super().place_house(s, seat, city)
        if not houses:
            place_cartel_house(s, city)

    def leader_grew(self, s: RechargedState) -> None:
        """The plant market does not change, R-5.3."""

    def change_step(self, s: RechargedState) -> None:
        """Not before phase 5, R-8.2; nor does the deck change while cities are connected."""


class LaterBureaucracy(bureaucracy.Bureaucracy[RechargedState]):
    """Phase 5: it starts with Step 2, R-8.2."""

    def begin(self, s: RechargedState) -> None:
        steps.start_step_2(s)
        super().begin(s)

    def refill(self, s: RechargedState) -> None:
        if s.cartel:
            s.rules.fuel_market.put_all_back(s, s.cartel.fuel)
            s.cartel.fuel = FUEL_RULES.none
        super().refill(s)

    def renew_market(self, s: RechargedState) -> None:
        if s.step3_pending:  # since Step 2 began, R-8.5.1
            steps.drop_lowest(s, 1)
        else:
            super().renew_market(s)

    def lowest_leaves(self, s: RechargedState) -> bool:
        return super().lowest_leaves(s) and not s.bidding.token_left  # A-BEN-6
