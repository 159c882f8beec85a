"""What a seat may know of the card game (KR-02)."""

from typing import Literal, NotRequired, TypedDict

from highvoltage.views.common import AuctionView, CommonView, DemolitionView


class PlantView(TypedDict):
    """A plant card."""

    card: str
    number: int
    fuels: list[str]  # none, one, or two for a hybrid
    need: int
    income: int
    back: str


class CardView(TypedDict):
    """A fuel card: the units on it now, and those printed on it; a single has no mark."""

    fuel: str
    units: int
    face: int
    single: bool


class MarketView(TypedDict):
    """The plant market; `above_end` counts the cards of the deck above END.

    `slid` lie under the deck, `removed` left the game face up, `back` is that of the top card.
    """

    current: list[PlantView]
    future: list[PlantView]
    end: bool  # END lies in the market
    deck: int
    above_end: int | None
    back: str | None
    slid: list[str]
    removed: list[str]
    discount: str | None


class FuelMarketView(TypedDict):
    """The fuel market; `singles` are in the supply, `waiting` are ++ cards not yet in play."""

    columns: list[list[CardView]]  # for 1, 2, 3 and 4
    column_size: int
    pile: int
    discard: list[CardView]
    waiting: list[CardView]
    singles: dict[str, int]
    reshuffles: int


class PlayerView(TypedDict):
    """One seat. `money` is None where it is hidden; `room` is what may be added now."""

    seat: int
    money: int | None
    plants: list[PlantView]
    ready: list[str]  # the plants that would earn most with the available fuel
    fuel: dict[str, int]
    store: list[CardView]
    room: dict[str, int]
    income: int


class BankView(TypedDict):
    """The Bank, always second in the order; its oldest plant first."""

    plants: list[PlantView]
    store: list[CardView]


class CardGameView(CommonView):
    """What a seat knows. `last` is true in the last round."""

    family: Literal["cardgame"]
    own_cards: bool  # from a file of the players
    reconstructed: bool
    note: NotRequired[str]
    last: bool
    market: MarketView
    fuel: FuelMarketView
    auction: AuctionView
    players: list[PlayerView]
    bank: NotRequired[BankView]
    plant_limit: int
    demolition: NotRequired[DemolitionView]
