"""What a seat may know of a board game (C-13, R-14.1)."""

from typing import Literal, NotRequired, TypedDict

from highvoltage.views.common import AuctionView, DemolitionView, Told


class PlantView(TypedDict):
    """A plant card."""

    card: str
    number: int
    fuels: list[str]  # none, one, or two for a hybrid
    need: int
    powers: int


class FuelView(TypedDict):
    """One shelf of the fuel market. `prices` are what the viewer pays, cheapest first.

    `ladder` are the prices of all places, empty ones too.
    """

    stock: int
    supply: int
    prices: list[int]
    ladder: list[int]
    refill: int


class MarketView(TypedDict):
    """The plant market; `slid` lie under the deck, `removed` left the game face up."""

    current: list[PlantView]
    future: list[PlantView]
    step3: bool  # the Step 3 card lies in the market
    deck: int
    slid: list[int]
    removed: list[int]
    discount: NotRequired[str | None]
    back: NotRequired[str | None]


class PlayerView(TypedDict):
    """One seat. `money` is None where it is hidden."""

    seat: int
    money: int | None
    plants: list[PlantView]
    fuel: dict[str, int]
    room: dict[str, int]
    cities: list[str]
    supplied: int


class CartelView(TypedDict):
    """The cartel, always second in the order; `reserve` counts its houses still to come."""

    plants: list[PlantView]
    fuel: dict[str, int]
    reserve: int


class BoardView(Told):
    """What a seat knows. `connect` is what each open city costs the viewer, path included.

    In `houses` -1 is the cartel and -2 the mark of a starting city.
    """

    family: Literal["board"]
    map: str
    step: int
    regions: list[str]
    market: MarketView
    fuel: dict[str, FuelView]
    auction: AuctionView
    players: list[PlayerView]
    houses: dict[str, list[int]]
    connect: dict[str, int]
    plant_limit: int
    step_2_cities: int
    end_cities: int
    payment: list[int]
    house_prices: list[int]
    demolition: NotRequired[DemolitionView]
    cartel: NotRequired[CartelView]
