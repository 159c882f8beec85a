"""The numbers of one setting as arrays, made from the games' own tables and map files."""

from bisect import bisect_right
from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np

from highvoltage import codec
from highvoltage.batch.codes import CARDS, FUELS, Burning, Table, codes_of_plants
from highvoltage.codec.bids import BIDS
from highvoltage.codec.board import layout
from highvoltage.engine.errors import OptionError
from highvoltage.engine.parts.board import UNREACHABLE as NO_WAY
from highvoltage.engine.parts.board import Area, region_choices, region_sets
from highvoltage.engine.parts.fuel import FuelRules  # noqa: TC001  # a field's type
from highvoltage.engine.parts.ladder import Ladder
from highvoltage.engine.parts.mapform import Networks, PlantMarket, Slot  # fields' types
from highvoltage.engine.rulebook import MapSpec
from highvoltage.games import rulebook
from highvoltage.games.classic import tables as classic
from highvoltage.games.classic.fuelmarket import ShiftingMarket
from highvoltage.games.classic.rulebook import BoardRulebook
from highvoltage.games.classic.ruleset import PLAIN_SLOTS, BoardRuleset
from highvoltage.games.recharged.rulebook import Recharged

MARKET = layout.MARKET
COVERED_RULES = {  # of a map
    *("start", "refill", "nuclear_countries", "discounts", "phase_out", "storage_price"),
    *("tokens", "spaces", "plants", "slots", "no_start", "connection_at_most"),
    *("step_2_cities", "end_cities", "order_after_auction"),
    *("deck.out", "deck.out_by_players", "deck.market", "deck.top", "deck.next", "deck.mixed"),
    *("deck.protected", "deck.removed", "deck.two_piles", "deck.low_on_top", "deck.plugs_first"),
    *("deck.below_step_3", "deck.step_2", "deck.bands", "plant_market.phase_5"),
    *("plant_market.current", "plant_market.future", "plant_market.step_3"),
    *("plant_market.step_2_replaced", "plant_market.unsold", "plant_market.unsold_in_turn"),
    *("plant_market.first_pass", "plant_market.city_count", "plant_market.discount"),
    *("storage", "markets", "step_3_prices", "max_price", "fuel_names", "hybrid"),
    *("tokens_a_turn", "must_supply", "outage", "mines"),
    *("networks.most", "networks.starts", "networks.surcharge", "networks.first_round"),
    "step_2_when_full",
    *("plant_market.joins_offer", "plant_market.never_under_deck", "plant_market.lowest_leaves"),
    *("plant_market.barred", "plant_market.barred_out", "plant_market.steps_by_deck"),
    *("plant_market.step_2_slides", "plant_market.three_stages", "plant_market.second_purchase"),
    *("shifting", "blocked"),
}
NOT_TOGETHER = {  # covered, but not on one map
    "plant_market.steps_by_deck": (
        *("deck.bands", "deck.below_step_3", "deck.step_2", "plant_market.phase_5"),
    ),
    "plant_market.barred": ("plants",),
}
COVERED_OPTIONS = {
    *("regions", "money", "demolition", "map_rules", "variants"),
    *("refill_row_two_players", "standard_starting_cities"),
}
MAX_DISCOUNT_CITIES = 6  # cities with cheaper fuel; every set of them has a row of prices
NEVER = 9  # after all Steps
UNREACHABLE = 10_000  # more than any distance; fits twice into 16 bits


class Tables:
    """The constants of games of one rulebook, map, number of players and options."""

    def __init__(self, name: str, where: MapSpec, players: int, options: dict[str, Any]) -> None:
        rules = rulebook(name, players, where, options)
        assert isinstance(rules, BoardRulebook)
        self.rules: BoardRulebook[Any] = rules
        self.ruleset: BoardRuleset = rules.ruleset
        self.id: str = f"highvoltage_{rules.name}"
        self.players = players
        self.recharged: bool = isinstance(rules, Recharged)
        self.check_ruleset()
        self.limit: int = rules.plant_limit
        self.plant_market: PlantMarket = self.ruleset.plant_market
        self.renewal: tuple[int, int, int] | None = self.ruleset.renewal  # A-CHN-5 to A-CHN-8
        self.market: int = max(MARKET, self.ruleset.market_size)  # places for plants face up
        if self.renewal is not None:
            opening, least, size = self.renewal
            self.market = max(self.market, max(opening, size) + least)
        self.token: bool = self.recharged and self.plant_market.discount
        self.city_count: bool = not self.recharged and self.plant_market.city_count  # C-5.3, R-5.3
        self.below: int = self.ruleset.deck.below_step_3
        self.waiting: tuple[int, ...] = self.ruleset.deck.step_2
        self.networks: Networks | None = rules.map_rules.networks
        self.chooses_starts: bool = self.ruleset.chooses_starts  # A-JPN-4
        self.fuel_rules: FuelRules = classic.FUEL_RULES
        own_stores = any(card.store is not None for card in rules.map_rules.plants)
        self.burning: Burning = Burning(self.ruleset.hybrid, own_stores)
        self.spec: codec.Spec = codec.make(name, where, players, **options).spec
        self.heads: dict[str, codec.Head] = {head.name: head for head in self.spec.heads}
        self.actions: int = self.spec.num_actions
        self.rows: int = sum(self.size_of(head) for head in ("city", "more_city"))  # of cities
        self.offered: int = (self.size_of("nominate") + self.size_of("more_nominate")) // BIDS
        self.cartel: bool = self.recharged and players == 2
        self.marks: bool = isinstance(rules, Recharged) and bool(rules.marks)
        self.draft: bool = rules.options["regions"] == "draft"
        self.asks_everybody: bool = bool(rules.asks_everybody)
        self.hidden_money: bool = rules.options["money"] == "hidden"
        self.step_2_cities: int = rules.step_2_cities
        market = rules.fuel_market
        self.tokens: Table = np.array(market.tokens, np.int8)
        self.start_money: int = self.ruleset.start_money
        self.start_stock: Table = np.array(market.start, np.int8)
        self.refills: Table = np.array(market.refills, np.int8)  # [step, fuel]
        self.payment: Table = np.array(classic.PAYMENT, np.int16)
        self.demolition: Table = np.array(rules.demolition, np.int16)  # [card, first or later]
        self.storage_prices: tuple[int, ...] = market.beyond
        self.stored_prices: tuple[int, ...] = market.stored_prices  # A-ZAF-5
        self.opening_supply: Table = np.array(market.opening_supply(), np.int8)
        self.markets: tuple[str, ...] = market.names  # where there are several, A-KOR
        self.tokens_a_turn: int = rules.tokens_a_turn  # A-IND-6
        self.step_3_prices: int = rules.map_rules.step_3_prices  # A-AUS-10
        self._areas()

    def check_ruleset(self) -> None:
        """Refuse a map rule or an option that is not implemented here."""
        given, board = self.rules.map_rules, self.rules.map
        lacking = [name for name in given.changed_fields() if name not in COVERED_RULES]
        if lacking:
            raise OptionError(
                f"{board.name} has the rule '{lacking[0]}', which batched games lack;"
                " play it with highvoltage.new."
            )
        changed = set(given.changed_fields())
        for name, others in NOT_TOGETHER.items():
            for other in changed.intersection(others if name in changed else ()):
                raise OptionError(
                    f"{board.name} has the rules '{name}' and '{other}', which batched games lack"
                    " together; play it with highvoltage.new."
                )
        for option in self.ruleset.options:
            if option.changed and option.name not in COVERED_OPTIONS:
                raise OptionError(
                    f"The option '{option.name}' is {option.value!r}, which batched games lack;"
                    " play it with highvoltage.new."
                )
        if len(given.discounts) > MAX_DISCOUNT_CITIES:
            raise OptionError(
                f"{board.name} has {len(given.discounts)} 'discounts'; batched games"
                f" have room for {MAX_DISCOUNT_CITIES}."
            )

    def size_of(self, head: str) -> int:
        return self.heads[head].size if head in self.heads else 0

    def _areas(self) -> None:
        """Every set of regions that may be in play: its cities and the distances between them."""
        rules = self.rules
        chosen = rules.options["regions"]
        if isinstance(chosen, str):
            self.region_sets: tuple[tuple[str, ...], ...] = region_sets(rules.map, rules.regions)
        else:
            self.region_sets = (tuple(r for r in rules.map.regions if r in chosen),)
        self.areas: list[Area] = [self.ruleset.area(regions) for regions in self.region_sets]
        self.cities: int = max(len(area.cities) for area in self.areas)
        distances: Table = np.full(
            (len(self.areas), self.cities, self.cities), UNREACHABLE, np.int16
        )
        for table, area in zip(distances, self.areas, strict=True):
            table[: len(area.cities), : len(area.cities)] = np.minimum(area.distance, UNREACHABLE)
        costs = {cost for area in self.areas for row in area.distance for cost in row}
        longest = max(costs - {NO_WAY})
        if longest >= UNREACHABLE:
            raise OptionError(
                f"{rules.map.name} has a way of cost {longest}; at most {UNREACHABLE - 1}."
            )
        self.distances: Table = (
            distances.clip(0, 255).astype(np.uint8)
            if longest < 255 and NO_WAY not in costs
            else distances
        )
        self.end_cities: Table = np.array(  # [area] all cities, if there are fewer
            [min(rules.end_cities, len(area.cities)) for area in self.areas], np.int8
        )
        self.in_play: Table = np.array(
            [[city < len(area.cities) for city in range(self.cities)] for area in self.areas]
        )

    def of_cities(self, fact: Any) -> Table:
        """A fact of every city of every area; False for rows without a city."""
        rows = [[bool(fact(area, c)) for c in range(len(area.cities))] for area in self.areas]
        return np.array([row + [False] * (self.cities - len(row)) for row in rows])

    @cached_property
    def nuclear(self) -> Table | None:
        """The cities that allow nuclear power, C-12.3.2; None where all do."""
        countries = self.rules.map_rules.nuclear_countries
        return self.of_cities(lambda a, c: a.country(c) in countries) if countries else None

    @cached_property
    def discount_cities(self) -> Table:
        """[discount, area, city]: whether the discount belongs to the city, C-12.3.6."""
        discounts = self.rules.map_rules.discounts
        where = [self.of_cities(lambda a, c, d=d: a.cities[c] == d.city) for d in discounts]
        return np.array(where).reshape(len(discounts), len(self.areas), self.cities)

    @cached_property
    def next_to(self) -> Table:
        """[area, city, city]: whether they are joined by one connection."""
        joined = np.zeros((len(self.areas), self.cities, self.cities), bool)
        for table, area in zip(joined, self.areas, strict=True):
            for city, near in enumerate(area.neighbours):
                table[city, [other for other, _ in near]] = True
        return joined

    @cached_property
    def prices(self) -> Table:
        """[set of discounts, shelf, place]: the ladders of the fuel market, cheapest first.

        Where prices rise in Step 3, the same follows for that, A-AUS-10.
        """
        discounts = self.rules.map_rules.discounts
        ladders = self.rules.fuel_market.ladders
        size = max(ladder.size for ladder in ladders)
        found = []
        for rise in (0, self.step_3_prices) if self.step_3_prices else (0,):
            prices = np.zeros((1 << len(discounts), len(ladders), size), np.int16)
            for chosen in range(1 << len(discounts)):
                for shelf, plain in enumerate(ladders):
                    ladder = Ladder([price + rise for price in plain.prices])
                    fuel = classic.FUELS[shelf % FUELS]
                    for at, discount in enumerate(discounts):
                        if chosen >> at & 1 and discount.fuel == fuel:
                            ladder = ladder.with_discount(discount.amount)
                    prices[chosen, shelf, : ladder.size] = ladder.prices
            found.append(prices)
        return np.concatenate(found)

    @cached_property
    def under_cap(self) -> Table | None:
        """[step, shelf] the spaces up to the highest price, A-IND-5; None where there is none."""
        highest = self.rules.map_rules.max_price
        if highest is None:
            return None
        ladders = self.rules.fuel_market.ladders
        rows = [[bisect_right(ladder.prices, cap) for ladder in ladders] for cap in highest]
        return np.array(rows, np.int8)

    @property
    def plain_shelves(self) -> bool:
        """Whether there is one shelf for each fuel, and all on it is for sale."""
        return not self.markets and self.under_cap is None

    @cached_property
    def shifting(self) -> Table | None:
        """[fuel] the shifts after which all its spaces cost the same, A-MEA-3; 0 if it never does.

        None where no fuel shifts.
        """
        market = self.rules.fuel_market
        if not isinstance(market, ShiftingMarket):
            return None
        ladders = [ladder.prices for ladder in market.ladders]
        dearer = [sum(price > prices[0] for price in prices) for prices in ladders]
        shifts = [count * (fuel in market.shifting) for fuel, count in enumerate(dearer)]
        return np.array(shifts, np.int8)

    @property
    def may_overflow(self) -> bool:
        """Whether there are fewer spaces than tokens of some fuel."""
        spaces = self.ladder_sizes.reshape(-1, FUELS)
        return bool((spaces < self.tokens).any())

    @cached_property
    def most_need(self) -> int:
        """The most tokens that a plant burns."""
        return int((self.faces >> 3 & 3).max()) + self.burning.bulky

    @cached_property
    def price_sums(self) -> Table:
        """The same, as cumulative sums."""
        return np.cumsum(self.prices, axis=2, dtype=np.int16)

    @cached_property
    def ladder_sizes(self) -> Table:
        return np.array([ladder.size for ladder in self.rules.fuel_market.ladders], np.int8)

    @cached_property
    def phase_out(self) -> tuple[int, int] | None:
        """The number of the plant and the fuel that it phases out, R-11.1."""
        rule = self.rules.map_rules.phase_out
        return None if rule is None else (rule.plant, classic.FUELS.index(rule.fuel))

    @cached_property
    def faces(self) -> Table:
        """[area, card] the codes of the plants; one row where all areas have the same, A-NOR-3."""
        rows = np.array([self.codes_by(regions) for regions in self.region_sets])
        return rows[:1] if (rows == rows[0]).all() else rows

    @cached_property
    def first_faces(self) -> Table:
        """[card] the same before the regions are known."""
        return self.codes_by(())

    def codes_by(self, regions: tuple[str, ...]) -> Table:
        """[card] the codes of the plants with these regions in play."""
        own = self.rules.map_rules.plants
        changed = tuple(card for card in own if card.region is None or card.region in regions)
        return codes_of_plants(self.rules.plants_of(changed).plants)

    @cached_property
    def slot_costs(self) -> Table:
        """[slot, area, city] what a house costs there, A-BAW-5; one area where all are plain."""
        return self._of_slots(lambda slot: slot.cost, UNREACHABLE)

    @cached_property
    def slot_steps(self) -> Table:
        """[slot, area, city] the Step from which it is open."""
        return self._of_slots(lambda slot: slot.step, NEVER)

    def _of_slots(self, fact: Callable[[Slot], int], lacking: int) -> Table:
        own = self.rules.map_rules.slots
        if not own:
            plain = [[[fact(slot)] * self.cities] for slot in PLAIN_SLOTS]
            return np.array(plain, np.int16)
        most = max(len(PLAIN_SLOTS), *map(len, own.values()))
        table: Table = np.full((most, len(self.areas), self.cities), lacking, np.int16)
        for at, area in enumerate(self.areas):
            for city, name in enumerate(area.cities):
                facts = [fact(slot) for slot in self.ruleset.slots_of(name)]
                table[: len(facts), at, city] = facts
        return table

    @cached_property
    def islands(self) -> Table | None:
        """[area, city] the number of its island; None where there are none, A-UKI-5."""
        islands = self.rules.map.islands
        if not islands:
            return None
        at = {region: number for number, each in enumerate(islands) for region in each}
        table: Table = np.full((len(self.areas), self.cities), len(islands), np.int8)
        for row, area in zip(table, self.areas, strict=True):
            row[: len(area.cities)] = [at.get(region, 0) for region in area.regions_of]
        return table

    @cached_property
    def named_starts(self) -> Table | None:
        """The only cities where networks start, A-JPN-3; None where they start anywhere."""
        if self.networks is None or not self.networks.starts:
            return None
        names = self.networks.starts
        return self.of_cities(lambda a, c: a.cities[c] in names)

    @cached_property
    def no_start(self) -> Table | None:
        """The cities where no first network starts, A-ZAF-6; None where there are none."""
        names = self.rules.map_rules.no_start
        return self.of_cities(lambda a, c: a.cities[c] in names) if names else None

    @cached_property
    def region_choices(self) -> Table:
        """[regions chosen as bits, region]: whether it may be chosen next, C-2.1.2."""
        names = self.rules.map.regions
        table = np.zeros((1 << len(names), len(names)), bool)
        for bits in range(1 << len(names)):
            chosen = [name for at, name in enumerate(names) if bits >> at & 1]
            if len(chosen) < self.rules.regions:
                open_ = region_choices(self.rules.map, chosen, self.rules.regions)
                table[bits] = [name in open_ for name in names]
        return table

    @cached_property
    def area_bits(self) -> Table:
        """Each set of regions as bits."""
        names = self.rules.map.regions
        return np.array(
            [sum(1 << names.index(region) for region in regions) for regions in self.region_sets],
            np.int32,
        )

    @cached_property
    def blocked(self) -> tuple[tuple[Table, int], ...]:
        """The cities of each price, and how many of them are blocked, A-MAN-3."""
        slots = self.ruleset.slots_of
        prices = np.array([slots(city.id)[0].cost for city in self.rules.map.cities])
        return tuple((prices == price, count) for price, count in self.ruleset.blocked.items())

    # Mines, A-AUS-5

    @property
    def has_mines(self) -> bool:
        return self.rules.mine_market is not None

    @cached_property
    def mine_cards(self) -> tuple[int, ...]:
        return tuple(card.number for card in self.rules.map_rules.plants if card.kind == "mine")

    @cached_property
    def mine_codes(self) -> Table:
        return np.array([self.first_faces[CARDS.index(card)] for card in self.mine_cards], np.int16)

    @cached_property
    def mined(self) -> Table:
        """[mine] what a token of it counts, in cities."""
        return self.mine_codes & 7

    @cached_property
    def mine_prices(self) -> Table:
        assert self.rules.mine_market is not None
        return np.array(self.rules.mine_market.ladder.prices, np.int16)

    @cached_property
    def mine_used(self) -> Table:
        """[step] the tokens that leave their market each round."""
        assert self.rules.mine_market is not None
        return np.array(self.rules.mine_market.used, np.int8)

    @cached_property
    def lacking_fields(self) -> frozenset[str]:
        """Fields of a state that only some boards have, and this one has not."""
        own = self.rules.map_rules
        there = {"storage": any(self.stored_prices), "trade": self.markets}
        there |= {"buyers": own.tokens_a_turn, "built": own.outage}
        there |= {"mines": own.mines, "mine_stock": own.mines}
        there |= {"called": self.plant_market.steps_by_deck, "shifts": self.shifting is not None}
        there |= {"stage": self.plant_market.three_stages, "blocked": self.blocked}
        return frozenset(name for name, has in there.items() if not has)

    def area(self, index: int) -> Area:
        return self.areas[index]
