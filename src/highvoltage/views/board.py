"""What a seat may know of a board game (C-13, R-14.1)."""

from typing import Literal, NotRequired, TypedDict

from highvoltage.views.common import AuctionView, CommonView, DemolitionView


class PlantView(TypedDict):
    """A plant card."""

    card: str
    number: int
    fuels: list[str]  # none, one, or two for a hybrid
    need: int
    powers: int
    store: NotRequired[int]  # tokens that it holds, if not twice its need
    mine: NotRequired[int]  # what its token counts when sold, in cities; a mine powers none


class FuelView(TypedDict):
    """One shelf of the fuel market. `prices` are what the viewer pays, cheapest first.

    `ladder` has the prices of all spaces, including empty ones.
    """

    stock: int
    supply: int
    prices: list[int]
    ladder: list[int]
    refill: int


Shelves = dict[str, FuelView]


class MinesView(TypedDict):
    """The market that mines sell to. `price` is the dearest free one; `pays` what the viewer gets.

    After each round `used` tokens leave it, the cheapest first. While `selling`, the seat to move
    decides whether to sell.
    """

    stock: int
    ladder: list[int]
    price: int | None
    pays: int
    used: int
    selling: bool


class OutageView(TypedDict):
    """Each own city costs `loss` of the income if more than `most` houses are built in a round."""

    built: int
    most: int
    loss: int


class SlotView(TypedDict):
    """A house slot in a city with its own slots, and the Step that opens it."""

    cost: int
    step: int


class MarketView(TypedDict):
    """The plant market; `slid` lie under the deck, `removed` left the game face up."""

    current: list[PlantView]
    future: list[PlantView]
    step3: bool  # the Step 3 card lies in the market
    waiting: NotRequired[list[PlantView]]  # cards set aside until Step 2
    deck: int
    stage: NotRequired[int]  # of a market without Steps: 1 to 3
    pile: NotRequired[list[str]]  # that will be the next deck
    slid: list[str]
    removed: list[str]
    discount: NotRequired[str | None]
    back: NotRequired[str | None]


class PlayerView(TypedDict):
    """One seat. `money` is None where it is hidden."""

    seat: int
    money: int | None
    plants: list[PlantView]
    ready: list[str]  # the plants that would supply most with the available fuel
    fuel: dict[str, int]
    room: dict[str, int]
    cities: list[str]
    mines: NotRequired[list[PlantView]]  # on boards that have them; they are no plants
    starts: NotRequired[list[str]]  # where networks began, on boards that allow several
    supplied: int


class CartelView(TypedDict):
    """The cartel, always second in the order; `reserve` counts its houses still to come."""

    plants: list[PlantView]
    fuel: dict[str, int]
    reserve: int


class BoardView(CommonView):
    """What a seat knows. `connect` is what each open city costs the viewer, path included.

    In `houses` -1 is the cartel and -2 the mark of a starting city. Where there are several fuel
    markets, `markets` has each of them, and `fuel` the one that the seat to move has chosen or,
    for anybody else, all of them combined. Stored fuel is in `fuel` as `stored_coal` etc.
    """

    family: Literal["board"]
    map: str
    step: int
    regions: list[str]
    market: MarketView
    fuel: Shelves
    markets: NotRequired[dict[str, Shelves]]
    trade: NotRequired[str | None]  # the market that the seat to move has chosen
    auction: AuctionView
    players: list[PlayerView]
    houses: dict[str, list[int]]
    connect: dict[str, int]
    start: NotRequired[dict[str, int]]  # what a further network costs, where it is a move
    plant_limit: int
    step_2_cities: int  # 0 where cities start no Step
    end_cities: int
    payment: list[int]
    house_prices: list[int]
    map_rules: NotRequired[Literal[False]]  # the map's own rules are left out (C-12.3.8)
    slots: NotRequired[dict[str, list[SlotView]]]  # of cities that have their own
    connection_at_most: NotRequired[int]  # the price at which any city can be connected
    mines: NotRequired[MinesView]
    max_price: NotRequired[int]  # fuel above it cannot be bought now
    tokens_a_turn: NotRequired[int]  # buying goes round, so many tokens at a time
    outage: NotRequired[OutageView]
    blocked: NotRequired[list[str]]  # cities where nobody builds
    variants: NotRequired[list[str]]  # of the map, that were chosen
    demolition: NotRequired[DemolitionView]
    cartel: NotRequired[CartelView]


def income(view: BoardView, seat: int, supplied: int) -> int:
    """What supplying so many cities pays a seat in this round, as far as is known."""
    pay = view["payment"][min(supplied, len(view["payment"]) - 1)]
    outage = view.get("outage")
    if outage and outage["built"] > outage["most"]:
        return max(0, pay - outage["loss"] * len(view["players"][seat]["cities"]))
    return pay
