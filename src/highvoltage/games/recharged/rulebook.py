"""The 2018 edition for one map, one number of players and one choice of options."""

from typing import Any

from highvoltage.engine.cards import LAST_CARD
from highvoltage.engine.chance import Chance
from highvoltage.engine.moves import Mark, PlaceHouse
from highvoltage.engine.parts.deck import draw, remove_lowest
from highvoltage.engine.parts.market import CardMarket, MarketTerms
from highvoltage.engine.phase import Phase
from highvoltage.games.classic import phases as classic_phases
from highvoltage.games.classic import tables as classic_tables
from highvoltage.games.classic.rulebook import BoardRulebook
from highvoltage.games.recharged import phases, tables, view
from highvoltage.games.recharged.state import RechargedState, RechargedTerms


class Recharged(RechargedTerms, BoardRulebook[RechargedState]):
    """Power Grid Recharged, 2018."""

    name = "recharged"
    moves = (*BoardRulebook.moves, PlaceHouse, Mark)
    cites = tables.CITES
    chances = ("order", "regions", "plugs", "sockets", "deck", "step3")
    new_state = RechargedState

    def opening_phases(self) -> tuple[Phase[RechargedState], ...]:
        return (
            *super().opening_phases(),
            *((phases.CartelHouses(),) if self.players == 2 else ()),
            *((phases.StartingCities(),) if self.marks else ()),
        )

    def round_phases(self) -> tuple[Phase[RechargedState], ...]:
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

    def back(self, card: object) -> str:
        return tables.PLUG if card in tables.PLUGS else tables.SOCKET

    rejects = MarketTerms.rejects  # city counts do not matter, R-5.3

    def use_last_card(self, s: RechargedState) -> None:
        if s.step == 1:  # the Step 2 change comes first, R-9.3.5
            remove_lowest(s)
            draw(s)
        super().use_last_card(s)

    def view(self, s: RechargedState, seat: int | None) -> dict[str, Any]:
        return view.view(s, seat)
