"""The 2018 edition for a map, a number of players and a set of options."""

from typing import Any, ClassVar

from highvoltage.engine.chance import Chance
from highvoltage.engine.moves import Mark, Move, PlaceHouse
from highvoltage.engine.parts.mapform import Map
from highvoltage.engine.parts.market import CardMarket, MarketTerms
from highvoltage.engine.phase import Phase
from highvoltage.engine.ruleset import Chosen
from highvoltage.games.classic import steps
from highvoltage.games.classic.lazy_view import lazy_plants
from highvoltage.games.classic.rulebook import BoardRulebook
from highvoltage.games.classic.ruleset import BoardRuleset, resolve
from highvoltage.games.classic.sites import Sites
from highvoltage.games.recharged import phases, tables, view
from highvoltage.games.recharged.state import Cartel, MarkedSites, RechargedState


class Recharged(BoardRulebook[RechargedState]):
    """Power Grid Recharged, 2018."""

    name = "recharged"
    moves: ClassVar[tuple[type[Move], ...]] = (*BoardRulebook.moves, PlaceHouse, Mark)
    cites: ClassVar[dict[str, str]] = tables.CITES
    chance_events: ClassVar[tuple[str, ...]] = (
        "order",
        "regions",
        "plugs",
        "sockets",
        "deck",
        "mixed",
        "step3",
        "blocked",
        "pile",
    )
    new_state = RechargedState
    backs = True
    reference = tables.NUMBERS

    @classmethod
    def resolve(
        cls, board: Map, players: int, options: tuple[Chosen, ...], version: int
    ) -> BoardRuleset:
        for_two = {each.name: each.value for each in options}["refill_row_two_players"]
        return resolve(
            cls.name,
            cls.reference,
            board,
            players,
            options,
            version,
            refill_row=for_two if players == 2 else players,
            step_2_row=3 if players == 2 else players,  # A-GEN-7
        )

    def new_sites(self, ruleset: BoardRuleset) -> Sites:
        return MarkedSites(ruleset) if self.marks else Sites(ruleset)

    @property
    def marks(self) -> bool:
        """The players mark the cities where networks start."""
        return bool(self.options["standard_starting_cities"])

    def opening_phases(self) -> tuple[Phase[RechargedState], ...]:
        return (
            *super().opening_phases(),
            *((phases.CartelHouses(),) if self.players == 2 else ()),
            *((phases.StartingCities(),) if self.marks else ()),
        )

    def round_phases(self) -> tuple[Phase[RechargedState], ...]:
        return (
            *self.first_phases(phases.DiscountAuction()),
            phases.CartelFuel(),
            phases.CartelBuilding(),
            phases.LaterBureaucracy(),
        )

    # Set-up, R-2

    def setup(self, chance: Chance) -> RechargedState:
        s = super().setup(chance)
        s.cartel = Cartel() if self.players == 2 else None
        return s

    def setup_market(self, chance: Chance) -> CardMarket:
        return self.setup_piles(chance)

    # The plant market

    def card_back(self, card: object) -> str:
        return tables.PLUG if card in tables.PLUGS else tables.SOCKET

    def rejects(self, s: RechargedState, card: int) -> bool:
        return MarketTerms.rejects(self, s, card)  # city counts do not matter, R-5.3

    def use_last_card(self, s: RechargedState) -> None:
        if s.step == 1 and not s.step2_pending:
            steps.change_to_step_2(s)  # first, R-9.3.5, A-IBE-3a
        super().use_last_card(s)

    def view(self, s: RechargedState, seat: int | None) -> dict[str, Any]:
        return view.view(s, seat)

    def optional_fields(self) -> set[str]:
        return super().optional_fields() | ({"cartel"} if self.players == 2 else set())

    def lazy_view(self, s: RechargedState, seat: int) -> dict[str, Any]:
        result = super().lazy_view(s, seat)
        if s.cartel:
            result["cartel"] = view.cartel_view(s, s.cartel, lazy_plants)
        return result
