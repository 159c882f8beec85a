"""Events: the consequences of a move, one frozen type per kind.

Cards are written as in moves and views, `13` or `2b`; the Step 3 or END card by its name. A seat
below 0 is the third party. A rulebook from another package may add kinds of its own.
"""

from typing import ClassVar, TypeAlias

from msgspec import Struct


class Event(Struct, frozen=True, gc=False, omit_defaults=True, tag_field="what"):
    """Something that happened because of a move, or at set-up."""

    what: ClassVar[str]


class SetupDraw(Event, frozen=True, gc=False):
    """Something drawn at set-up; a record lists it under the name of its event."""

    items: tuple[int | str, ...]


class Order(SetupDraw, frozen=True, gc=False, tag="order"):
    """The seats in the initial turn order; later in the game it is sorted."""

    what = "order"


class Regions(SetupDraw, frozen=True, gc=False, tag="regions"):
    """The regions in play."""

    what = "regions"


class Blocked(SetupDraw, frozen=True, gc=False, tag="blocked"):
    """The cities where nobody builds."""

    what = "blocked"


class Area(SetupDraw, frozen=True, gc=False, tag="area"):
    """The areas in play besides the centre."""

    what = "area"


class Tokens(SetupDraw, frozen=True, gc=False, tag="tokens"):
    """The tokens on the map."""

    what = "tokens"


class Turned(Event, frozen=True, gc=False, tag="turned"):
    """A card was turned up; `column` is where a fuel card lies."""

    what = "turned"
    card: str
    column: int | None = None


class Shuffled(Event, frozen=True, gc=False, tag="shuffled"):
    """A shuffle; `by` is the name of its chance event."""

    what = "shuffled"
    by: str


class Removed(Event, frozen=True, gc=False, tag="removed"):
    """A card left the game, from the market or, with a seat, from the third party."""

    what = "removed"
    card: str
    seat: int | None = None


class Slid(Event, frozen=True, gc=False, tag="slid"):
    """A card went under the deck."""

    what = "slid"
    card: str


class LaidBy(Event, frozen=True, gc=False, tag="laid_by"):
    """A card went on the pile that will be the next deck."""

    what = "laid_by"
    card: str


class Sold(Event, frozen=True, gc=False, tag="sold"):
    """A card was bought at auction."""

    what = "sold"
    seat: int
    card: str
    amount: int


class CannotBuy(Event, frozen=True, gc=False, tag="cannot_buy"):
    """A seat passed automatically: it cannot buy anything."""

    what = "cannot_buy"
    seat: int


class Demolished(Event, frozen=True, gc=False, tag="demolished"):
    """A seat was paid for a plant given up."""

    what = "demolished"
    seat: int
    amount: int


class Paid(Event, frozen=True, gc=False, tag="paid"):
    """What a move cost."""

    what = "paid"
    seat: int
    amount: int


class Income(Event, frozen=True, gc=False, tag="income"):
    """What a seat earned, and for how many supplied cities, if any."""

    what = "income"
    seat: int
    amount: int
    supplied: int | None = None


class Mined(Event, frozen=True, gc=False, tag="mined"):
    """A seat sold uranium from its mines, and put so many tokens on their market."""

    what = "mined"
    seat: int
    amount: int
    tokens: int


class UraniumUsed(Event, frozen=True, gc=False, tag="uranium_used"):
    """So many tokens left the market of the mines."""

    what = "uranium_used"
    count: int


class OutageBegins(Event, frozen=True, gc=False, tag="outage"):
    """So many houses were built that every own city costs its owner `loss` of the income."""

    what = "outage"
    houses: int
    loss: int


class StepBegins(Event, frozen=True, gc=False, tag="step"):
    """The next Step of the game."""

    what = "step"
    step: int


class StageBegins(Event, frozen=True, gc=False, tag="stage"):
    """The next stage of a card market without Steps."""

    what = "stage"
    stage: int


class Refilled(Event, frozen=True, gc=False, tag="refilled"):
    """Fuel was added to the market, by kind; `market` is set if there are several."""

    what = "refilled"
    fuel: tuple[int, ...]
    market: str | None = None


class Taken(Event, frozen=True, gc=False, tag="taken"):
    """The third party took a card; `column` is where a fuel card lay."""

    what = "taken"
    seat: int
    card: str
    column: int | None = None


class Stocked(Event, frozen=True, gc=False, tag="stocked"):
    """The third party took fuel from the market, by kind."""

    what = "stocked"
    seat: int
    fuel: tuple[int, ...]


class Placed(Event, frozen=True, gc=False, tag="placed"):
    """A house of the third party was placed, or a piece."""

    what = "placed"
    seat: int
    city: str
    piece: str | None = None


class Surplus(Event, frozen=True, gc=False, tag="surplus"):
    """Units of a fuel that had no room were returned."""

    what = "surplus"
    fuel: str
    count: int


class EndResolved(Event, frozen=True, gc=False, tag="end_resolved"):
    """The card that ends the game took effect."""

    what = "end_resolved"


class Hired(Event, frozen=True, gc=False, tag="hired"):
    """Workers were hired: some for money, some free of charge."""

    what = "hired"
    seat: int
    hired: int
    free: int = 0


class Labour(Event, frozen=True, gc=False, tag="labour"):
    """How many workers are on the labour market now."""

    what = "labour"
    workers: int


KnownEvent: TypeAlias = (
    Order
    | Regions
    | Blocked
    | Area
    | Tokens
    | Turned
    | Shuffled
    | Removed
    | Slid
    | LaidBy
    | Sold
    | CannotBuy
    | Demolished
    | Paid
    | Income
    | Mined
    | UraniumUsed
    | OutageBegins
    | StepBegins
    | StageBegins
    | Refilled
    | Taken
    | Stocked
    | Placed
    | Surplus
    | EndResolved
    | Hired
    | Labour
)
"""Every kind of event in this package."""
