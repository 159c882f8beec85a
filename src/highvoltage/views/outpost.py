"""What a seat may know of Outpost (O-0.5)."""

from typing import Literal, TypedDict

from highvoltage.views.common import AuctionView, CommonView


class CardView(TypedDict):
    """A card; values that it does not have are 0 or empty."""

    card: str
    number: int
    kind: str
    back: str
    workers: int
    energy: int
    places: int
    technology: str
    spaces: list[str]  # the kinds of spaces that it may lie on
    name: str
    reconstructed: bool


class PlaceView(TypedDict):
    """A place of the market: its top card, the cards below, the discount tokens on it."""

    card: CardView
    below: list[CardView]
    tokens: list[int]
    minimum: int


class MarketView(TypedDict):
    """The card market; `slid` lie under the deck, `removed` left the game face up."""

    current: list[PlaceView]
    future: list[PlaceView]
    step3: bool  # the Step 3 card lies in the market
    deck: int
    back: str | None  # of the top card of the deck
    slid: list[str]
    removed: list[str]


class LabourView(TypedDict):
    """The labour market: `prices` are what the viewer pays, `ladder` has those of all spaces."""

    workers: int
    prices: list[int]
    ladder: list[int]


class CompanyView(TypedDict):
    """A company, of a player or of the Syndicate. `money` is None where it is hidden.

    `plants` and `habitats` lie on `spaces` of the board; `pool` has the cards that do not.
    """

    money: int | None
    network: int
    cities: list[str]
    stations: int  # left on the company board
    spaces: dict[str, int]
    plants: list[CardView]
    habitats: list[CardView]
    pool: list[CardView]
    colonies: dict[str, list[str]]
    beds: int
    need: int
    humans: int
    robots: int
    busy: str
    energy: int  # the most that the available workers can produce
    powers: int  # the number of cities that it can power
    saving: int  # taken off what the company bids
    powered: int


class PlayerView(CompanyView):
    """A seat."""

    seat: int


class CityView(TypedDict):
    """A city in play; -1 stands for the Syndicate, `building` is None on a free special slot.

    `x` and `y` are where it is drawn on the canvas.
    """

    name: str
    x: int
    y: int
    area: str
    slot: str
    stations: list[int]
    building: int | None


class ConnectionView(TypedDict):
    """A connection in play with the token on it."""

    a: str
    b: str
    cost: int


class OutpostView(CommonView):
    """What a seat knows. `connect` is what each piece costs the viewer in each city, path included.

    `stage` is the stage of a company's turn; `replaced` are the cards that came off its board in
    this turn; `choices` are possible cities for a building of the Syndicate.
    """

    family: Literal["outpost"]
    map: str
    stage: str
    replaced: list[str]
    step: int
    areas: list[str]
    market: MarketView
    auction: AuctionView
    forced: bool
    labour: LabourView
    robots: int
    players: list[PlayerView]
    syndicate: CompanyView | None
    canvas: list[int]  # width and height
    cities: dict[str, CityView]
    connections: list[ConnectionView]
    connect: dict[str, dict[str, int]]
    choices: list[str]
    step_2_cities: int
    end_cities: int
    payment: list[int]
    station_prices: list[int]  # of the slots of a city
    board_spaces: int  # of each kind on a company board, covered ones too
    own_cards: bool  # from a file of the players
    reconstructed: bool
    note: str
