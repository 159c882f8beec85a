"""The 2018 edition for one map, one number of players and one choice of options."""

from typing import Any

from highvoltage.engine.cards import LAST_CARD
from highvoltage.engine.chance import Chance
from highvoltage.engine.errors import OptionError
from highvoltage.engine.moves import Mark, Place
from highvoltage.engine.parts.deck import draw, remove_lowest
from highvoltage.engine.parts.mapform import Map
from highvoltage.engine.parts.maprules import MapRules
from highvoltage.engine.parts.market import CardMarket
from highvoltage.engine.phase import Phase
from highvoltage.engine.rulebook import Rulebook
from highvoltage.games.classic import phases as classic_phases
from highvoltage.games.classic import tables as classic_tables
from highvoltage.games.classic.rulebook import Classic
from highvoltage.games.classic.state import BoardState
from highvoltage.games.recharged import phases, tables, view
from highvoltage.games.recharged.state import MARK, RechargedState


class Recharged(Classic):
    """Power Grid Recharged, 2018."""

    name = "recharged"
    moves = (*Classic.moves, Place, Mark)
    cites = tables.CITES
    chances = ("order", "regions", "plugs", "sockets", "deck", "step3")
    new_state = RechargedState
    start_stock = tables.START_STOCK

    def __init__(self, board: Map, players: int, options: dict[str, Any], version: int) -> None:
        self.marks = options["standard_starting_cities"]
        super().__init__(board, players, options, version)
        self.plant_limit = tables.PLANT_LIMIT
        self.step_2_cities = tables.STEP_2_CITIES[players]
        self.end_cities = tables.END_CITIES[players]
        self.check_uranium()

    def check_uranium(self) -> None:
        start = self.map_rules.start.get("uranium", self.start_stock[classic_tables.URANIUM])
        if self.marks and classic_tables.TOKENS[classic_tables.URANIUM] - start < self.players:
            raise OptionError(f"{self.map.name} leaves too little uranium to mark cities (R-13.1).")

    def rules_of_map(self) -> MapRules:
        return self.map.rules_by(self.name)

    @property
    def refill_row(self) -> int:
        for_two: int = self.options["refill_row_two_players"]
        return for_two if self.players == 2 else self.players

    def opening_phases(self) -> tuple[Phase[Any], ...]:
        return (
            *super().opening_phases(),
            *((phases.CartelHouses(),) if self.players == 2 else ()),
            *((phases.StartingCities(),) if self.marks else ()),
        )

    def round_phases(self) -> tuple[Phase[Any], ...]:
        return (
            classic_phases.TurnOrder(),
            phases.PlantAuction(),
            phases.Fuel(),
            phases.Building(),
            phases.Bureaucracy(),
        )

    # Set-up, R-2

    def setup_market(self, chance: Chance) -> CardMarket:
        """R-2.5; what is removed unseen comes last, so that a record need not know it."""
        plugs = chance.arrange("plugs", tables.PLUGS)
        sockets = chance.arrange("sockets", tables.SOCKETS)
        plugs_left = len(plugs) - tables.PLUGS_REMOVED[self.players]
        sockets_left = len(sockets) - tables.SOCKETS_REMOVED[self.players]
        market = tables.OPENING_MARKET
        deck = chance.arrange("deck", plugs[market + 1 : plugs_left] + sockets[:sockets_left])
        return CardMarket(
            plugs[:market],
            [plugs[market], *deck, LAST_CARD],
            plugs[plugs_left:] + sockets[sockets_left:],
            classic_tables.CURRENT,
        )

    # The plant market

    def back(self, card: int) -> str:
        return tables.PLUG if card in tables.PLUGS else tables.SOCKET

    rejects = Rulebook.rejects  # city counts do not matter, R-5.3

    def use_last_card(self, s: BoardState) -> None:
        if s.step == 1:  # the Step 2 change comes first, R-9.3.5
            remove_lowest(s)
            draw(s)
        super().use_last_card(s)

    # Building

    def starts(self, s: BoardState) -> list[int]:
        if not self.marks:
            return super().starts(s)
        return [city for city, houses in enumerate(s.houses) if houses[:1] == (MARK,)]

    def view(self, s: Any, seat: int | None) -> dict[str, Any]:
        return view.view(self, s, seat)
