"""A rulebook, set up for one number of players, one map and one choice of options."""

from pathlib import Path
from typing import Any, ClassVar

from highvoltage.engine.cards import number_of
from highvoltage.engine.chance import Chance
from highvoltage.engine.errors import IllegalMove, OptionError
from highvoltage.engine.moves import Move
from highvoltage.engine.phase import Phase
from highvoltage.engine.state import Event, State

MapWish = str | Path | dict[str, Any] | None
"""A shipped map by name, a map file, what is in one, or whatever the rulebook takes first."""


class Rulebook:
    """What never changes during a game. Games with the same options share one."""

    name: ClassVar[str]
    moves: ClassVar[tuple[type[Move], ...]]
    cites: ClassVar[dict[str, str]]  # the rule behind each refusal
    lots: ClassVar[tuple[str, ...]] = ("order",)  # what is drawn at set-up; events name it
    chances: ClassVar[tuple[str, ...]]  # every event that chance decides, lots and shuffles

    last_card: ClassVar[str] = "step3"  # the card that changes the game, and its shuffle
    demolition: tuple[tuple[int, int], ...] = ()  # D-1.3: what each card pays, first and next

    version: int  # of the rules as played; a record names it
    players: int
    options: dict[str, Any]
    phases: tuple[Phase[Any], ...]
    asks_everybody = False  # whoever cannot pay is asked too, lest the silence tell of a purse
    opening = 0  # how many of the phases are played only once, before the first round

    @classmethod
    def make(
        cls, about: Any, players: int, wish: MapWish, options: dict[str, Any], version: int
    ) -> "Rulebook":
        """The rulebook for a game, or the error that says what is wrong with the wishes."""
        raise NotImplementedError

    @classmethod
    def map_data(cls, about: Any, wish: MapWish) -> dict[str, Any]:
        """What is on a map, as plain data."""
        raise OptionError(f"{about.title} has no map.")

    def setup(self, chance: Chance) -> State:
        raise NotImplementedError

    def view(self, s: Any, seat: int | None) -> dict[str, Any]:
        """What a seat may know; a spectator for None."""
        raise NotImplementedError

    def sorted_order(self, s: Any) -> tuple[int, ...]:
        """The seats in the turn order that is due now."""
        raise NotImplementedError

    def sort_order(self, s: Any) -> None:
        s.order = self.sorted_order(s)
        s.events.append(Event("order", items=s.order))

    def rejects(self, s: Any, card: int) -> bool:
        """A card lower than the discounted one leaves as soon as it is turned up."""
        discount = s.market.discount
        return discount is not None and number_of(card) < number_of(discount)

    def use_last_card(self, s: Any) -> None:
        """The card that changes the game takes effect and leaves the market."""
        raise NotImplementedError

    def cost(self, s: Any, seat: int, move: Move) -> int | None:
        """What a legal move takes from the money of a seat; None where it is no price."""
        return None

    def back(self, card: Any) -> str:
        """What the back of a card shows; nothing where all backs are alike."""
        return ""

    def top(self, s: Any) -> str:
        """The back of the card on top of the deck, which everybody sees."""
        return self.back(s.market.deck[0]) if s.market.deck else ""

    def recorded_options(self) -> dict[str, Any]:
        """What a record needs to set the same game up again."""
        return self.options

    def refuse(self, code: str, **values: object) -> IllegalMove:
        return IllegalMove(code, self.cites[code], values)

    def start(self, chance: Chance) -> State:
        """A new game, brought to its first decision."""
        s = self.setup(chance)
        self.phases[0].begin(s)
        self.advance(s)
        return s

    def play(self, s: State, seat: int, move: Move) -> None:
        """Carry out a legal move of a seat and everything that follows by itself."""
        s.events = []
        self.phases[s.phase].apply(s, seat, move)
        self.advance(s)

    def advance(self, s: State) -> None:
        phase = self.phases[s.phase]
        while (actor := phase.actor(s)) is None:
            phase.end(s)
            if s.outcome is not None:
                break
            s.phase += 1
            if s.phase == len(self.phases):
                s.phase = self.opening
                s.round += 1
            phase = self.phases[s.phase]
            phase.begin(s)
        s.actor = actor
