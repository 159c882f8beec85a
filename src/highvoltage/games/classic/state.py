"""The state of a board game and the terms that its phases use."""

from functools import lru_cache
from typing import ClassVar, Self, TypeVar

from highvoltage.engine.errors import IllegalMove
from highvoltage.engine.parts.board import Area
from highvoltage.engine.parts.fuel import FuelRules
from highvoltage.engine.parts.mapform import (  # of fields
    Deck,
    Map,
    MapRules,
    Outage,
    PlantCard,
    PlantMarket,
)
from highvoltage.engine.parts.market import MarketTerms
from highvoltage.games.classic import tables
from highvoltage.games.classic.decks import kind_of, plant_table
from highvoltage.games.classic.fuelmarket import FuelMarket, fuel_market
from highvoltage.games.classic.mines import MineMarket, mine_market
from highvoltage.games.classic.position import BoardPlayer, BoardPosition
from highvoltage.games.classic.ruleset import BoardRuleset
from highvoltage.games.classic.sites import Sites
from highvoltage.views.board import BoardView

B = TypeVar("B", bound="BoardState")


class BoardState(BoardPosition):
    """A position of a board game, with the terms it is played by."""

    __slots__ = ()

    rules: "BoardTerms[Self]"


@lru_cache(maxsize=256)
def _nuclear_cities(area: Area, countries: tuple[str, ...]) -> int:
    """The cities that allow nuclear power, as bits."""
    return sum(1 << city for city in range(len(area.cities)) if area.country(city) in countries)


class BoardTerms(MarketTerms[B]):
    """A ruleset with the fuel market and the sites that it selects."""

    backs: ClassVar[bool] = False  # the backs of the plants show which pile they come from

    def __init__(self, ruleset: BoardRuleset) -> None:
        self.ruleset: BoardRuleset = ruleset
        self.players = ruleset.players
        self.version = ruleset.version
        self.options = {each.name: each.value for each in ruleset.options}
        self.hides_money: bool = self.options["money"] == "hidden"
        self.asks_everybody = self.version > 1 and self.hides_money  # C-4.4.5
        self.map: Map = ruleset.map
        self.map_rules: MapRules = ruleset.map_rules
        self.deck: Deck = ruleset.deck
        self.plant_market: PlantMarket = ruleset.plant_market
        self.regions: int = ruleset.regions
        self.plant_limit: int = ruleset.plant_limit
        self.step_2_cities: int = 0 if ruleset.steps_without_cities else ruleset.step_2_cities
        self.end_cities: int = ruleset.end_cities
        self.fuel_market: FuelMarket = fuel_market(ruleset)
        self.mine_market: MineMarket | None = mine_market(ruleset)
        self.must_supply: bool = ruleset.map_rules.must_supply
        self.outage: Outage | None = ruleset.map_rules.outage
        self.tokens_a_turn: int = ruleset.map_rules.tokens_a_turn
        self.sites: Sites = self.new_sites(ruleset)
        self.bars_offer = bool(ruleset.plant_market.barred)
        self.last_card_shuffles = not ruleset.deck.bands  # A-CHN-8
        self.demolition = tables.DEMOLITION if self.options["demolition"] else ()
        self.extras: frozenset[str] = frozenset(self.optional_fields())
        self.fields: frozenset[str] = BoardView.__required_keys__ | (self.extras - {"starts"})

    def optional_fields(self) -> set[str]:
        """View fields that not every game has; `starts` and also `mines` are of the players."""
        there = {
            "starts": self.sites.networks,
            "markets": self.fuel_market.names,
            "trade": self.fuel_market.names,
            "start": self.sites.chooses_starts,
            "slots": self.map_rules.slots,
            "connection_at_most": self.map_rules.connection_at_most,
            "mines": self.mine_market,
            "max_price": self.map_rules.max_price,
            "tokens_a_turn": self.tokens_a_turn,
            "outage": self.outage,
            "blocked": self.ruleset.blocked,
            "demolition": self.demolition,
            "variants": self.options["variants"],
            "map_rules": not self.options.get("map_rules", True),
        }
        return {field for field, is_there in there.items() if is_there}

    def plants_of(self, changed: tuple[PlantCard, ...]) -> FuelRules:
        """The plants of this game, some of them as the map changes them."""
        return plant_table(changed, self.ruleset.fuels, self.ruleset.hybrid)

    def new_sites(self, ruleset: BoardRuleset) -> Sites:
        return Sites(ruleset)

    def refuse(self, code: str, **values: object) -> IllegalMove:
        """A board may cite its own rule for a refusal."""
        rule = self.map.cites.get(code, self.cites[code])
        return IllegalMove(code, rule, values, self.name)

    # Effects of the number of cities

    def end_at(self, s: B) -> int:
        """The number of cities that ends the game; all cities, if there are fewer (A-UKI-9)."""
        return min(self.end_cities, len(s.area.cities) or self.end_cities)

    def step_2_due(self, s: B) -> bool:
        if not self.step_2_cities:
            return False
        if s.most_cities >= self.step_2_cities:
            return True
        return self.map_rules.step_2_when_full and all(s.houses)  # A-UKI-8

    # Income

    def outage_loss(self, s: B) -> int:
        """What each own city costs in this round because too many houses were built, A-IND-9."""
        own = self.outage
        return own.loss if own and s.built > own.houses * self.players else 0

    def income(self, s: B, player: BoardPlayer, supplied: int) -> int:
        """What supplying so many cities pays a player."""
        pay = tables.PAYMENT[min(supplied, len(tables.PAYMENT) - 1)]  # C-1.7.2
        if self.outage is None:
            return pay
        return max(0, pay - self.outage_loss(s) * len(player.cities))

    # The plant market

    def bars_nuclear(self, s: B, seat: int, card: int) -> bool:
        countries = self.map_rules.nuclear_countries
        if not countries or s.plants.plants[card].fuels != (tables.URANIUM,):
            return False
        return not s.players[seat].mask & _nuclear_cities(s.area, countries)

    def slides(self, s: B) -> int | None:
        """The plant that goes under the deck in phase 5: the highest that may (A-QUE-5)."""
        cards = s.market.plants
        if stay := self.plant_market.never_under_deck:
            cards = [card for card in cards if kind_of(s.plants.plants[card]) not in stay]
        return cards[-1] if cards else None
