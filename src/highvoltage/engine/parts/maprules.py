"""What a board may change, field by field: the `rules` of a map file.

Whatever a field leaves out stays as the rulebook has it (decision 0007). No field belongs to one
board: what a printed board needed once, an own map may use.
"""

from collections.abc import Iterator
from typing import Annotated, Any

from msgspec import Meta, Struct, structs

TOKENS = {"coal": 24, "oil": 24, "garbage": 24, "uranium": 12}  # C-1.1.1
REGIONS_IN_PLAY = {2: 3, 3: 3, 4: 4, 5: 5, 6: 5}  # C-1.5, A-GEN-3
END_CITIES = {2: 21, 3: 17, 4: 17, 5: 15, 6: 14}  # C-1.5
HOUSES = 3  # in a city, C-1.4.1
CARDS = (*range(3, 41), 42, 44, 46, 50)  # numbers of plants, C-1.2.1
SPACES = TOKENS  # spaces on the fuel market, C-1.3.2
KINDS = (*TOKENS, "hybrid", "eco", "fusion")


def text(pattern: str, description: str) -> Meta:
    return Meta(pattern=rf"\A({pattern})\Z", description=description)


Slug = Annotated[str, text("[a-z0-9_]+", "lower-case letters a-z, digits and _")]
PRINTABLE = r"[^\x00-\x1f\x7f-\x9f\ud800-\udfff]"
Line = Annotated[str, text(f"{PRINTABLE}+", "a text of one line, not empty")]
Text = Annotated[str, text(f"{PRINTABLE}*", "a text of one line")]
Fuel = Annotated[str, text("|".join(TOKENS), "coal, oil, garbage or uranium")]
Kind = Annotated[str, text("|".join(KINDS), f"a kind of plant: {', '.join(KINDS)}")]
Count = Annotated[int, Meta(ge=0, le=100_000, description="a whole number, 0 or more")]
Number = Annotated[int, Meta(ge=1, le=100_000, description="a whole number, 1 or more")]
Card = Annotated[int, Meta(ge=3, le=50, description="the number of a plant, 3 to 50")]
Players = Annotated[int, Meta(ge=2, le=6, description="a number of players, 2 to 6")]
Step = Annotated[int, Meta(ge=1, le=3, description="a Step, 1 to 3")]
Flag = Annotated[bool, Meta(description="true or false")]
Steps = Annotated[
    tuple[Count, Count, Count], Meta(description="a whole number, 0 or more, for each of 3 Steps")
]
Counts = Annotated[
    tuple[Count, ...], Meta(description="a list of whole numbers, one for each pile of the deck")
]
Cards = tuple[Card, ...]
Refill = dict[Players, dict[Fuel, Steps]]
Spaces = dict[Fuel, dict[Number, Number]]


class Discount(Struct, frozen=True):
    """Whoever has `city` in the network pays `amount` less for each token of `fuel` (C-12.3.6)."""

    city: Slug
    fuel: Fuel
    amount: Number


class PhaseOut(Struct, frozen=True):
    """Once a player has bought `plant`, `fuel` is not refilled any more (R-11.1)."""

    plant: Number
    fuel: Fuel


class Mixed(Struct, frozen=True):
    """`cards` are shuffled with so many `others` of the deck and lie next (A-RUS-4)."""

    cards: Cards
    others: Count


class Deck(Struct, frozen=True, omit_defaults=True):
    """How the deck of plants is made (A-GEN-5, A-GEN-6)."""

    out: Cards = ()  # never in this game
    market: Cards = ()  # always in the opening market
    top: Card | None = None  # instead of the card that the rulebook puts on top
    next: Cards = ()  # right below the top card, in this order
    mixed: Mixed | None = None  # below those
    protected: tuple[Kind, ...] = ()  # never removed at random
    removed: dict[Players, Counts] = {}  # removed at random, of each pile
    plugs_first: Flag = False  # the low pile lies on top of the deck, not mixed with the other
    below_step_3: Count = 0  # cards that lie below the Step 3 card (A-UKI-7)
    step_2: Cards = ()  # put on top when Step 2 starts, the first uppermost (A-IBE-3)


class PlantMarket(Struct, frozen=True, omit_defaults=True):
    """The market of plants (A-BEN, A-QUE, A-BAW, A-RUS)."""

    current: Number = 4  # plants on offer in Steps 1 and 2
    future: Count = 4
    step_3: Number = 6  # plants in Step 3, all on offer
    unsold: Count | None = None  # lowest plants that go if nobody buys
    first_pass: Flag = False  # the first to pass on the nomination makes the lowest plant go
    city_count: Flag = True  # plants not above the largest network leave (C-5.3)
    discount: Flag = True  # the lowest plant starts at 1, in rulebooks that have it so
    joins_offer: tuple[Kind, ...] = ()  # on offer as the lowest plant of the future market
    never_under_deck: tuple[Kind, ...] = ()  # the highest other plant goes instead
    lowest_leaves: Flag = False  # in phase 5 of Steps 1 and 2, together with the highest


class PlantCard(Struct, frozen=True, omit_defaults=True):
    """A plant with other values than the one of its number; only with `region` in play, if told."""

    number: Card
    kind: Kind
    need: Count
    powers: Number
    region: Slug | None = None


class Slot(Struct, frozen=True):
    """A place for a house: what it costs, and the Step from which it is open."""

    cost: Count
    step: Step


class FuelMarket(Struct, frozen=True):
    """One of several fuel markets; a fuel that it names no spaces for is not sold there."""

    spaces: Spaces
    start: dict[Fuel, Count]
    refill: Refill


class Networks(Struct, frozen=True, omit_defaults=True):
    """More than one network for each player (A-JPN-4, A-UKI-4)."""

    most: Number = 2
    starts: tuple[Slug, ...] = ()  # where they start; anywhere if left out
    surcharge: Count = 0  # on the first city of a later one
    first_round: Count = 0  # cities that a player connects in round 1 at most; 0: any number


class MapRules(Struct, frozen=True, omit_defaults=True):
    """What the board changes; whatever it leaves out stays as the rulebook has it."""

    start: dict[Fuel, Count] = {}
    refill: Refill = {}
    nuclear_countries: tuple[Line, ...] = ()  # C-12.3.2
    discounts: tuple[Discount, ...] = ()
    phase_out: PhaseOut | None = None
    storage_price: dict[Fuel, Count] = {}
    deck: Deck | None = None
    plant_market: PlantMarket | None = None
    plants: tuple[PlantCard, ...] = ()
    tokens: dict[Fuel, Number] = {}
    spaces: Spaces = {}  # of the fuel market: how many at each price
    markets: dict[Slug, FuelMarket] = {}  # several fuel markets, one of them for each turn
    storage: dict[Fuel, Number] = {}  # burned fuel is for sale at this price (A-ZAF-5)
    slots: dict[Slug, tuple[Slot, ...]] = {}  # of a city, instead of 10, 15 and 20
    no_start: tuple[Slug, ...] = ()  # cities that are never a first one
    networks: Networks | None = None
    step_2_cities: dict[Players, Number] = {}
    step_2_when_full: Flag = False  # also when every city in play has a house (A-UKI-8)
    end_cities: dict[Players, Number] = {}
    order_after_auction: Flag = False  # the turn order is set after phase 2 (A-BAW-2)

    def used(self) -> tuple[str, ...]:
        """The fields that change something, those inside others with a dot.

        >>> MapRules(start={"uranium": 8}, deck=Deck(out=(13,), top=11)).used()
        ('start', 'deck.out', 'deck.top')
        """
        return tuple(_used(self, ""))


NO_RULES = MapRules()


def merged(rules: MapRules, more: MapRules) -> MapRules:
    """The rules, with each field that `more` gives in the place of the same one.

    >>> merged(MapRules(end_cities={2: 18}), MapRules(no_start=("oslo",))).used()
    ('no_start', 'end_cities')
    """
    given = {field: value for field, value in _given(more) if value != getattr(NO_RULES, field)}
    return structs.replace(rules, **given)


def _given(one: Struct) -> Iterator[tuple[str, Any]]:
    for field in one.__struct_fields__:
        yield field, getattr(one, field)


def _used(one: Struct, path: str) -> Iterator[str]:
    standard = type(one)()
    for field, value in _given(one):
        if isinstance(value, Deck | PlantMarket | Networks):
            yield from _used(value, f"{path}{field}.")
        elif value != getattr(standard, field):
            yield f"{path}{field}"
