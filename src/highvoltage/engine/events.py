"""What a move brings about, beyond what it says itself: a frozen value for each kind of happening.

Cards are written as in moves and views, `13` or `2b`; the card that changes the game by its name. A
seat below 0 is the third party's. A rulebook of another package may bring kinds of its own.
"""

from typing import ClassVar, TypeAlias

from msgspec import Struct


class Event(Struct, frozen=True, gc=False, omit_defaults=True, tag_field="what"):
    """Something that happened because of a move, or at set-up."""

    what: ClassVar[str]


class SetupDraw(Event, frozen=True, gc=False):
    """What is drawn at set-up and stands in a record by the name of its event."""

    items: tuple[int | str, ...]


class Order(SetupDraw, frozen=True, gc=False, tag="order"):
    """The seats in turn order; later in the game it is sorted."""

    what = "order"


class Regions(SetupDraw, frozen=True, gc=False, tag="regions"):
    """The regions in play."""

    what = "regions"


class Area(SetupDraw, frozen=True, gc=False, tag="area"):
    """The areas that are played beside the centre."""

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
    """Chance has decided once more: `by` is the name of its event."""

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


class Sold(Event, frozen=True, gc=False, tag="sold"):
    """A card was bought at auction."""

    what = "sold"
    seat: int
    card: str
    amount: int


class CannotBuy(Event, frozen=True, gc=False, tag="cannot_buy"):
    """A seat passed without being asked."""

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
    """What a seat earned, and for how many cities where cities are supplied."""

    what = "income"
    seat: int
    amount: int
    supplied: int | None = None


class StepBegins(Event, frozen=True, gc=False, tag="step"):
    """The next Step of the game."""

    what = "step"
    step: int


class Refilled(Event, frozen=True, gc=False, tag="refilled"):
    """Fuel came to the market, by kind; of several markets to this one."""

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
    """Units of a fuel that were one too many went back."""

    what = "surplus"
    fuel: str
    count: int


class EndResolved(Event, frozen=True, gc=False, tag="end_resolved"):
    """The card that ends the game took effect."""

    what = "end_resolved"


class Hired(Event, frozen=True, gc=False, tag="hired"):
    """Workers came: for money, and free of charge."""

    what = "hired"
    seat: int
    hired: int
    free: int = 0


class Labour(Event, frozen=True, gc=False, tag="labour"):
    """So many workers are on the labour market."""

    what = "labour"
    workers: int


KnownEvent: TypeAlias = (
    Order
    | Regions
    | Area
    | Tokens
    | Turned
    | Shuffled
    | Removed
    | Slid
    | Sold
    | CannotBuy
    | Demolished
    | Paid
    | Income
    | StepBegins
    | Refilled
    | Taken
    | Stocked
    | Placed
    | Surplus
    | EndResolved
    | Hired
    | Labour
)
"""Every kind that comes with this package."""
