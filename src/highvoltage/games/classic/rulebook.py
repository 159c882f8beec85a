"""The 2004 edition for one map, one number of players and one choice of options."""

from functools import lru_cache
from typing import Any, ClassVar

import msgspec

from highvoltage.engine.cards import LAST_CARD
from highvoltage.engine.chance import Chance
from highvoltage.engine.errors import OptionError
from highvoltage.engine.moves import (
    Bid,
    Build,
    Buy,
    Done,
    Move,
    Nominate,
    Pass,
    Region,
    Run,
    Scrap,
)
from highvoltage.engine.parts.board import (
    Area,
    hangs_together,
    load_map,
    read_map,
    region_sets,
    shipped_maps,
)
from highvoltage.engine.parts.deck import remove_lowest
from highvoltage.engine.parts.ladder import Ladder
from highvoltage.engine.parts.mapform import Map
from highvoltage.engine.parts.maprules import MapRules
from highvoltage.engine.parts.market import CardMarket
from highvoltage.engine.phase import Phase
from highvoltage.engine.rulebook import MapWish, Rulebook
from highvoltage.engine.state import Event
from highvoltage.games.classic import phases, tables, view
from highvoltage.games.classic.state import CLOSED, BoardPlayer, BoardState
from highvoltage.games.meta import Meta

NOWHERE = 1_000  # a city outside the regions in play


@lru_cache(maxsize=64)
def _build_moves(cities: tuple[str, ...]) -> list[Move]:
    return [Build(city) for city in cities]


@lru_cache(maxsize=256)
def _nuclear_cities(area: Area, countries: tuple[str, ...]) -> int:
    """The cities that allow nuclear power, as bits."""
    return sum(1 << city for city in range(len(area.cities)) if area.country(city) in countries)


def find_map(about: Meta, wish: MapWish) -> Map:
    if isinstance(wish, dict):
        return read_map(wish)
    name = next(iter(about.maps)) if wish is None else str(wish)
    return load_map(about.maps.get(name, name))


class Classic(Rulebook):
    """Power Grid, 2004."""

    name = "classic"
    moves: ClassVar[tuple[type[Move], ...]] = (
        Region,
        Nominate,
        Bid,
        Pass,
        Scrap,
        Buy,
        Build,
        Run,
        Done,
    )
    cites = tables.CITES
    lots = ("order", "regions")
    chances: ClassVar[tuple[str, ...]] = ("order", "regions", "deck", "step3")
    buys = tuple(
        [Buy(fuel, count) for count in range(1, tokens + 1)]
        for fuel, tokens in zip(tables.FUELS, tables.TOKENS, strict=True)
    )

    def __init__(self, board: Map, players: int, options: dict[str, Any], version: int) -> None:
        self.map = board
        self.players = players
        self.version = version
        self.asks_everybody = version > 1 and options["money"] == "hidden"  # C-4.4.5
        self.options = options
        self.map_rules = self.rules_of_map()
        self.regions = board.in_play(players)
        self.plant_limit = tables.PLANT_LIMIT[players]
        self.step_2_cities = tables.STEP_2_CITIES[players]
        self.end_cities = tables.END_CITIES[players]
        self.refills = self.refill_table()
        self.demolition = tables.DEMOLITION if options["demolition"] else ()
        self.storage_prices = tuple(  # of fuel beyond the market, 0 where none is sold
            self.map_rules.storage_price.get(fuel, 0) for fuel in tables.FUELS
        )
        opening = self.opening_phases()
        self.opening = len(opening)
        self.phases = opening + self.round_phases()

    @classmethod
    def make(
        cls, about: Meta, players: int, wish: MapWish, options: dict[str, Any], version: int
    ) -> "Classic":
        """Find the map and hold the wishes against it."""
        rules = cls(find_map(about, wish), players, options, version)
        rules.check_regions(options["regions"])
        return rules

    @classmethod
    def map_data(cls, about: Meta, wish: MapWish) -> dict[str, Any]:
        data: dict[str, Any] = msgspec.to_builtins(find_map(about, wish))
        return data

    def check_regions(self, wish: str | tuple[str, ...]) -> None:
        if isinstance(wish, str):
            return
        known = ", ".join(self.map.regions)
        for region in wish:
            if region not in self.map.regions:
                raise OptionError(f"{self.map.name} has no region '{region}'. Regions: {known}.")
        if len(set(wish)) != self.regions or len(wish) != self.regions:
            raise OptionError(
                f"{self.players} players need {self.regions} different regions (C-1.5): {known}."
            )
        if not hangs_together(self.map, wish):
            raise OptionError(f"These regions do not hang together (C-2.1.1): {', '.join(wish)}.")

    def rules_of_map(self) -> MapRules:
        rules = self.map.rules_by(self.name)
        if self.options["central_europe_rules"]:
            return rules
        return msgspec.structs.replace(  # C-12.3.8
            rules, start={}, refill={}, nuclear_countries=(), discounts=()
        )

    def refill_table(self) -> tuple[tuple[int, ...], ...]:
        """Fuel that comes to the market, by Step and kind; a map may have its own."""
        own = self.map_rules.refill.get(self.refill_row, {})
        by_fuel = zip(*tables.REFILL[self.refill_row], strict=True)
        merged = [own.get(fuel, row) for fuel, row in zip(tables.FUELS, by_fuel, strict=True)]
        return tuple(zip(*merged, strict=True))

    @property
    def refill_row(self) -> int:
        return self.players

    def opening_phases(self) -> tuple[Phase[Any], ...]:
        """What the players decide at set-up."""
        return (phases.RegionDraft(),) if self.options["regions"] == "draft" else ()

    def round_phases(self) -> tuple[Phase[Any], ...]:
        return (
            phases.TurnOrder(),
            phases.PlantAuction(),
            phases.Fuel(),
            phases.Building(),
            phases.Bureaucracy(),
        )

    # Set-up, C-2

    def setup(self, chance: Chance) -> BoardState:
        order = tuple(chance.arrange("order", range(self.players)))  # C-2.3
        stock = [
            self.map_rules.start.get(fuel, count)
            for fuel, count in zip(tables.FUELS, self.start_stock, strict=True)
        ]
        s = self.new_state(
            self,
            chance,
            [BoardPlayer(tables.START_MONEY, tables.FUEL_RULES.none) for _ in range(self.players)],
            order,
            self.setup_market(chance),
            stock,
            [tokens - count for tokens, count in zip(tables.TOKENS, stock, strict=True)],
        )
        s.events = [
            Event("order", items=order),
            *(Event("turned", card=card) for card in s.market.cards),
        ]
        self.choose_regions(s)
        return s

    new_state: ClassVar[type[BoardState]] = BoardState
    start_stock = tables.START_STOCK

    def setup_market(self, chance: Chance) -> CardMarket:
        first = {*tables.OPENING_MARKET, tables.TOP_OF_DECK}
        deck = chance.arrange("deck", [card for card in tables.PLANTS if card not in first])
        left = len(deck) - tables.PLANTS_REMOVED[self.players]
        return CardMarket(
            list(tables.OPENING_MARKET),
            [tables.TOP_OF_DECK, *deck[:left], LAST_CARD],
            deck[left:],
            tables.CURRENT,
        )

    def choose_regions(self, s: BoardState) -> None:
        """C-2.1.2: given, drawn at random, or left to the players."""
        wish = self.options["regions"]
        if wish == "draft":
            s.area = Area(self.map, ())
            return
        if wish == "random":
            regions = s.chance.pick("regions", region_sets(self.map, self.regions))
        else:
            regions = tuple(region for region in self.map.regions if region in wish)
        phases.settle_area(s, regions)
        s.events.append(Event("regions", items=regions))

    def recorded_options(self) -> dict[str, Any]:
        shipped = self.map.id in shipped_maps() and load_map(self.map.id) is self.map
        return {"map": self.map.id if shipped else msgspec.to_builtins(self.map), **self.options}

    # The plant market

    def sorted_order(self, s: BoardState) -> tuple[int, ...]:
        def standing(seat: int) -> tuple[int, int]:
            player = s.players[seat]
            return len(player.cities), max(player.cards, default=0)

        return tuple(sorted(s.order, key=standing, reverse=True))

    def bars_nuclear(self, s: BoardState, seat: int, card: int) -> bool:
        countries = self.map_rules.nuclear_countries
        if not countries or tables.PLANTS[card].fuels != (tables.URANIUM,):
            return False
        return not s.players[seat].mask & _nuclear_cities(s.area, countries)

    def rejects(self, s: BoardState, card: int) -> bool:
        """A card just turned up that does not stay in the market."""
        return card <= s.most_cities  # C-5.3.1

    def use_last_card(self, s: BoardState) -> None:
        """The card goes, the lowest plant with it, and the market shrinks to six."""
        if s.market.cards and s.market.cards[-1] == LAST_CARD:  # C-9.3.2
            s.market.remove(LAST_CARD)
            remove_lowest(s)
            phases.begin_step(s, 3)
        else:  # C-9.3.3, C-9.3.4
            s.market.removed.append(LAST_CARD)
            remove_lowest(s)
            s.step3_pending = True
        s.market.row = tables.ALL

    # Fuel

    def ladder(self, s: BoardState, player: BoardPlayer, kind: int) -> Ladder:
        """The prices that this player pays for a kind of fuel."""
        ladder = tables.LADDERS[kind]
        for discount in self.map_rules.discounts:
            city = s.area.index.get(discount.city, NOWHERE)
            if discount.fuel == tables.FUELS[kind] and player.mask >> city & 1:
                ladder = ladder.cheaper(discount.amount)  # C-12.3.6
        return ladder

    def for_sale(self, s: BoardState, kind: int) -> int:
        return s.stock[kind] + (s.supply[kind] if self.storage_prices[kind] else 0)

    def fuel_cost(self, s: BoardState, player: BoardPlayer, kind: int, count: int) -> int:
        stock = s.stock[kind]
        ladder = self.ladder(s, player, kind)
        if count <= stock:
            return ladder.cost(stock, count)
        return ladder.cost(stock, stock) + (count - stock) * self.storage_prices[kind]

    def affordable(self, s: BoardState, player: BoardPlayer, kind: int) -> int:
        stock = s.stock[kind]
        ladder = self.ladder(s, player, kind)
        count = ladder.affordable(stock, player.money)
        price = self.storage_prices[kind]
        if price and count == stock:
            left = player.money - ladder.cost(stock, stock)
            count += min(s.supply[kind], left // price)
        return count

    def refill(self, s: BoardState) -> tuple[int, ...]:
        """How much fuel of each kind comes to the market at most."""
        counts = self.refills[s.step - 1]
        phase_out = self.map_rules.phase_out
        if phase_out is None or not s.phased_out:
            return counts
        kinds = zip(tables.FUELS, counts, strict=True)
        return tuple(0 if fuel == phase_out.fuel else count for fuel, count in kinds)

    # Building

    def build_moves(self, area: Area) -> list[Move]:
        return _build_moves(area.cities)

    def slot_price(self, s: BoardState, city: int) -> int:
        houses = len(s.houses[city])
        return tables.HOUSE_PRICES[houses] if houses < s.step else CLOSED  # C-1.4.1

    def starts(self, s: BoardState) -> list[int]:
        """The cities where a network may start, C-7.2."""
        return [city for city, houses in enumerate(s.houses) if not houses]

    def build_cost(self, s: BoardState, player: BoardPlayer, city: int) -> int:
        if player.reach is None:
            return phases.START  # C-7.2.1
        return s.slots[city] + player.reach[city]  # C-7.3.1

    def cost(self, s: BoardState, seat: int, move: Move) -> int | None:
        player = s.players[seat]
        if isinstance(move, Buy):
            return self.fuel_cost(s, player, tables.FUEL_RULES.index[move.fuel], move.count)
        if isinstance(move, Build):
            return self.build_cost(s, player, s.area.index[move.city])
        return None

    def view(self, s: BoardState, seat: int | None) -> dict[str, Any]:
        return view.view(self, s, seat)
