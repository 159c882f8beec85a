"""The 2018 edition for a map, a number of players and a set of options."""

from typing import Any, ClassVar

from highvoltage.engine.chance import Chance
from highvoltage.engine.moves import Mark, Move, PlaceHouse
from highvoltage.engine.parts.mapform import Map
from highvoltage.engine.parts.market import CardMarket, MarketTerms
from highvoltage.engine.phase import Phase
from highvoltage.engine.ruleset import Chosen
from highvoltage.games.classic import phases as classic_phases
from highvoltage.games.classic.decks import fixed_cards, split_removed, stack
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
        """R-2.5, A-GEN-6; cards removed face down come last, so that a record can omit them."""
        deck = self.deck
        placed = fixed_cards(deck)
        plugs = chance.arrange("plugs", [card for card in tables.PLUGS if card not in placed])
        sockets = chance.arrange("sockets", [card for card in tables.SOCKETS if card not in placed])
        fill = self.ruleset.market_size - len(deck.market)
        market, plugs = [*deck.market, *plugs[:fill]], plugs[fill:]
        top = [plugs.pop(0) if deck.top is None else deck.top]
        plugs_removed, sockets_removed = self.ruleset.removed
        plugs, plugs_aside = split_removed(plugs, plugs_removed, deck)
        sockets, sockets_aside = split_removed(sockets, sockets_removed, deck)
        if deck.plugs_first:
            cards = [*plugs, *chance.arrange("deck", sockets)]  # A-RUS-5
        else:
            cards = chance.arrange("deck", plugs + sockets)
        return self.new_market(market, stack(chance, deck, top, cards), plugs_aside + sockets_aside)

    # The plant market

    def card_back(self, card: object) -> str:
        return tables.PLUG if card in tables.PLUGS else tables.SOCKET

    def rejects(self, s: RechargedState, card: int) -> bool:
        return MarketTerms.rejects(self, s, card)  # city counts do not matter, R-5.3

    def use_last_card(self, s: RechargedState) -> None:
        if s.step == 1:
            classic_phases.change_to_step_2(s)  # first, R-9.3.5, A-IBE-3a
        super().use_last_card(s)

    def view(self, s: RechargedState, seat: int | None) -> dict[str, Any]:
        return view.view(s, seat)

    def optional_fields(self) -> set[str]:
        return super().optional_fields() | ({"cartel"} if self.players == 2 else set())

    def lazy_view(self, s: RechargedState, seat: int) -> dict[str, Any]:
        result = super().lazy_view(s, seat)
        if s.cartel:
            result["cartel"] = view.cartel_view(s, s.cartel)
        return result
