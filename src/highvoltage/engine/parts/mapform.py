"""The format of a map file: a board, and how it changes the rules.

Anything that the `rules` of a map leave out stays as in the rulebook (decision 0007). No field is
tied to one board: any map may use what a printed board once needed.
"""

import re
from collections.abc import Iterator
from typing import Annotated, Any

from msgspec import Meta, Struct, structs

TOKENS = {"coal": 24, "oil": 24, "garbage": 24, "uranium": 12}  # C-1.1.1
REGIONS_IN_PLAY = {2: 3, 3: 3, 4: 4, 5: 5, 6: 5}  # C-1.5, A-GEN-3
END_CITIES = {2: 21, 3: 17, 4: 17, 5: 15, 6: 14}  # C-1.5
HOUSES = 3  # in a city, C-1.4.1
CARDS = (*range(3, 41), 42, 44, 46, 50)  # numbers of plants, C-1.2.1
SPACES = TOKENS  # spaces on the fuel market, C-1.3.2
KINDS = (*TOKENS, "hybrid", "eco", "fusion", "mine")
NAMES = (*TOKENS, "gas")  # of fuels that a map may play with
HYBRID = ("coal", "oil")  # what hybrid plants burn, C-1.2.4
LANGUAGES = ("en", "pl", "cs", "sr", "de")


def pattern_type(pattern: str, description: str) -> Meta:
    return Meta(pattern=rf"\A({pattern})\Z", description=description)


def default_map_id(file: str) -> str:
    """The id of a map whose file has none.

    >>> default_map_id("My map")
    'my_map'
    """
    return re.sub(r"[^a-z0-9_]+", "_", file.lower()) or "map"


Slug = Annotated[str, pattern_type("[a-z0-9_]+", "lower-case letters a-z, digits and _")]
CityId = Annotated[Slug, Meta(extra_json_schema={"place": "city"})]
RegionId = Annotated[Slug, Meta(extra_json_schema={"place": "region"})]
PRINTABLE = r"[^\x00-\x1f\x7f-\x9f\ud800-\udfff]"
Line = Annotated[str, pattern_type(f"{PRINTABLE}+", "a text of one line, not empty")]
Text = Annotated[str, pattern_type(f"{PRINTABLE}*", "a text of one line")]
Fuel = Annotated[str, pattern_type("|".join(TOKENS), "coal, oil, garbage or uranium")]
FuelName = Annotated[str, pattern_type("|".join(NAMES), f"one of {', '.join(NAMES)}")]
Kind = Annotated[str, pattern_type("|".join(KINDS), f"a kind of plant: {', '.join(KINDS)}")]
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
Colour = Annotated[
    str, pattern_type("[a-z]+|#[0-9a-fA-F]{6}", 'a colour such as "green" or "#00aa66"')
]
Longitude = Annotated[float, Meta(ge=-180, le=180, description="degrees east, -180 to 180")]
Latitude = Annotated[float, Meta(ge=-90, le=90, description="degrees north, -90 to 90")]
Point = Annotated[tuple[Count, Count], Meta(description="two whole numbers [x, y], 0 or more")]
Outline = Annotated[
    str,
    Meta(
        pattern=r"\A[Mlz0-9 .-]*\Z",
        max_length=20_000,
        description="an SVG path of the commands M, l and z, at most 20,000 letters",
    ),
]
Language = Annotated[str, pattern_type("|".join(LANGUAGES), f"a language: {', '.join(LANGUAGES)}")]
Confidence = Annotated[str, pattern_type("low|medium", "low or medium")]
Difficulty = Annotated[int, Meta(ge=1, le=3, description="1 (easy), 2 or 3 (hard)")]
RuleId = Annotated[
    str, pattern_type(r"[A-Z]+-[A-Z0-9.-]+[a-z]?", "the id of a rule, such as A-FRA-3")
]
Country = Annotated[
    str, pattern_type("[0-9]{3}", 'three digits as in ISO 3166-1: "276" for Germany')
]
Regions = Annotated[
    tuple[RegionId, ...], Meta(min_length=1, description="a list of regions, not empty")
]


class Discount(Struct, frozen=True):
    """Owners of a house in `city` pay `amount` less for each token of `fuel` (C-12.3.6)."""

    city: CityId
    fuel: Fuel
    amount: Number


class PhaseOut(Struct, frozen=True):
    """Once a player has bought `plant`, `fuel` is not refilled any more (R-11.1)."""

    plant: Number
    fuel: Fuel


class Mixed(Struct, frozen=True):
    """`cards` are shuffled with this many `others` of the deck and lie next (A-RUS-4)."""

    cards: Cards
    others: Count


class Band(Struct, frozen=True, omit_defaults=True):
    """The plants up to `last` that no earlier band has; shuffled unless `ordered` (A-CHN-4)."""

    last: Card
    ordered: Flag = False
    with_step_3: Flag = False  # the Step 3 card is among them


class Deck(Struct, frozen=True, omit_defaults=True):
    """How the deck of plants is built (A-GEN-5, A-GEN-6)."""

    out: Cards = ()  # never in this game
    out_by_players: dict[Players, Cards] = {}  # further ones (A-BRE-7)
    market: Cards = ()  # always in the opening market
    top: Card | None = None  # replaces the card that the rulebook puts on top
    next: Cards = ()  # right below the top card, in this order
    mixed: Mixed | None = None  # below those
    protected: tuple[Kind, ...] = ()  # never removed at random
    removed: dict[Players, Counts] = {}  # removed at random, of each pile
    two_piles: Flag = False  # low and high cards are dealt as in rulebooks with two backs (A-EUR-4)
    low_on_top: Flag = True  # of two piles; if not, a low card on top changes with the first high
    plugs_first: Flag = False  # the low pile lies on top of the deck, not mixed with the other
    below_step_3: Count = 0  # cards that lie below the Step 3 card (A-UKI-7)
    bands: tuple[Band, ...] = ()  # the whole deck, from top to bottom; nothing else shuffles it
    step_2: Cards = ()  # put on top when Step 2 starts, the first uppermost (A-IBE-3)


class Renewal(Struct, frozen=True):
    """Plants come in phase 5 only, until the Step 3 card does (A-CHN-5 to A-CHN-8).

    By number of players: plants at the start, cards drawn in each phase 5 at least, and plants that
    lie there afterwards.
    """

    opening: dict[Players, Number]
    least: dict[Players, Count]
    size: dict[Players, Number]


class PlantMarket(Struct, frozen=True, omit_defaults=True):
    """The market of plants (A-BEN, A-QUE, A-BAW, A-RUS, A-EUR, A-CHN, A-MEA, A-MAN)."""

    current: Number = 4  # plants on offer in Steps 1 and 2
    future: Count = 4
    step_2_replaced: Flag = True  # the plant that leaves when Step 2 starts (A-EUR-5)
    step_3: Number = 6  # plants in Step 3, all on offer
    unsold: Count | None = None  # lowest plants that go if nobody buys
    unsold_in_turn: Flag = False  # each is replaced before the next one goes (A-BAW-3)
    first_pass: Flag = False  # the first to pass on the nomination makes the lowest plant go
    city_count: Flag = True  # plants not above the largest network leave (C-5.3)
    discount: Flag = True  # the lowest plant starts at 1, in rulebooks with that rule
    joins_offer: tuple[Kind, ...] = ()  # on offer as the lowest plant of the future market
    never_under_deck: tuple[Kind, ...] = ()  # the highest other plant goes instead
    phase_5: Renewal | None = None  # plants are not replaced before phase 5
    barred: tuple[Kind, ...] = ()  # in Step 1 these leave the offer at once (A-MEA-4)
    barred_out: Cards = ()  # those that leave the game; the others go under the deck
    steps_by_deck: Flag = (
        False  # the Step 3 card starts Step 2, comes back, starts Step 3 (A-MEA-5)
    )
    step_2_slides: Number = 1  # plants that go under the deck in a phase 5 of Step 2 (A-MEA-6)
    lowest_leaves: Flag = False  # in phase 5 of Steps 1 and 2, together with the highest
    three_stages: Flag = False  # no Steps: the deck is used up twice (A-MAN-4, A-MAN-7 to A-MAN-9)
    second_purchase: Flag = False  # who buys the plant with the token may buy another (A-MAN-6)


class PlantCard(Struct, frozen=True, omit_defaults=True):
    """Replaces the plant of the same number; if `region` is set, only when that is in play."""

    number: Card
    kind: Kind
    need: Count
    powers: Number
    store: Count | None = None  # tokens that it holds, if not twice its need (A-IND-7)
    region: RegionId | None = None


class Mines(Struct, frozen=True):
    """The market to which mines sell uranium; it is full at the start (A-AUS-6, A-AUS-7)."""

    spaces: dict[Number, Number]  # how many at each price
    used: dict[Players, Steps]  # tokens that leave it each round


class Outage(Struct, frozen=True):
    """If more than `houses` a player are built in a round, each own city costs `loss` (A-IND-9)."""

    houses: Number
    loss: Number


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
    starts: tuple[CityId, ...] = ()  # where they start; anywhere if left out
    surcharge: Count = 0  # on the first city of a later one
    first_round: Count = 0  # cities that a player connects in round 1 at most; 0: any number


class MapRules(Struct, frozen=True, omit_defaults=True):
    """What the board changes; anything left out stays as in the rulebook."""

    start: dict[Fuel, Count] = {}
    refill: Refill = {}
    nuclear_countries: tuple[Line, ...] = ()  # C-12.3.2
    discounts: tuple[Discount, ...] = ()
    phase_out: PhaseOut | None = None
    storage_price: dict[Fuel, Count] = {}
    deck: Deck | None = None
    plant_market: PlantMarket | None = None
    plants: tuple[PlantCard, ...] = ()
    fuel_names: dict[Fuel, FuelName] = {}  # what the game calls them, where it differs (A-DLX-1)
    hybrid: tuple[Fuel, Fuel] = HYBRID  # the fuels of hybrid plants (A-DLX-2)
    tokens: dict[Fuel, Count] = {}  # 0: the fuel does not exist (A-BRE-5)
    spaces: Spaces = {}  # of the fuel market: how many at each price
    markets: dict[Slug, FuelMarket] = {}  # several fuel markets, one of them for each turn
    storage: dict[Fuel, Number] = {}  # burned fuel is for sale at this price (A-ZAF-5)
    shifting: tuple[Fuel, ...] = ()  # a refill that lacks tokens makes the others cheaper (A-MEA-3)
    max_price: Steps | None = None  # fuel above this cannot be bought, by Step (A-IND-5)
    step_3_prices: Count = 0  # by so much each space gets dearer in Step 3 (A-AUS-10)
    mines: Mines | None = None  # plants of the kind "mine" earn money, not power (A-AUS-5)
    tokens_a_turn: Count = 0  # phase 3 goes round, so many tokens at a time (A-IND-6)
    slots: dict[CityId, tuple[Slot, ...]] = {}  # of a city, instead of 10, 15 and 20
    connection_at_most: Number | None = None  # the price of a way to any city (A-AUS-9)
    no_start: tuple[CityId, ...] = ()  # cities where no first network may start
    blocked: dict[Players, dict[Number, Number]] = {}  # cities nobody builds in, by price (A-MAN-3)
    networks: Networks | None = None
    step_2_cities: dict[Players, Number] = {}
    step_2_when_full: Flag = False  # also when every city in play has a house (A-UKI-8)
    end_cities: dict[Players, Number] = {}
    order_after_auction: Flag = False  # the turn order is set after phase 2 (A-BAW-2)
    must_supply: Flag = False  # everybody supplies as many cities as they can (A-IND-8)
    outage: Outage | None = None  # too many new houses lower all incomes (A-IND-9)

    def changed_fields(self) -> tuple[str, ...]:
        """The fields that change something, those inside others with a dot.

        >>> MapRules(start={"uranium": 8}, deck=Deck(out=(13,), top=11)).changed_fields()
        ('start', 'deck.out', 'deck.top')
        """
        return tuple(_used(self, ""))


NO_RULES = MapRules()
RULES = {  # the rule behind each field, where a board names no section of its own
    "start": "C-12.3.1",
    "refill": "C-1.6.2",
    "nuclear_countries": "C-12.3.2",
    "discounts": "C-12.3.6",
    "phase_out": "R-11.1",
    "storage_price": "R-11.2",
    "deck": "A-GEN-5",
    "plant_market": "A-RUS-3",
    "plants": "A-NOR-3",
    "fuel_names": "A-DLX-1",
    "hybrid": "A-DLX-2",
    "tokens": "C-1.1.1",
    "spaces": "C-1.3.2",
    "markets": "A-KOR",
    "storage": "A-ZAF-4",
    "shifting": "A-MEA-3",
    "max_price": "A-IND-5",
    "step_3_prices": "A-AUS-10",
    "mines": "A-AUS-5",
    "tokens_a_turn": "A-IND-6",
    "slots": "A-BAW-5",
    "connection_at_most": "A-AUS-9",
    "no_start": "A-ZAF-6",
    "blocked": "A-MAN-3",
    "networks": "A-JPN-4",
    "step_2_cities": "A-BAW-6",
    "step_2_when_full": "A-UKI-8",
    "end_cities": "A-ZAF-8",
    "order_after_auction": "A-BAW-2",
    "must_supply": "A-IND-8",
    "outage": "A-IND-9",
}


def merged(rules: MapRules, more: MapRules) -> MapRules:
    """The rules, with each field that `more` sets replaced.

    >>> merged(MapRules(end_cities={2: 18}), MapRules(no_start=("oslo",))).changed_fields()
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


class City(Struct, frozen=True, omit_defaults=True):
    """A place for houses, with its real longitude and latitude."""

    id: Slug
    name: Line
    region: Slug
    lon: Longitude
    lat: Latitude
    country: Text = ""
    cost: Count = 0  # paid on entering it, on top of the connection (A-BRE-2)


class Connection(Struct, frozen=True, array_like=True):
    """A line between two cities; in a file `["kiel", "hamburg", 8]`."""

    a: Slug
    b: Slug
    cost: Count


class Variant(Struct, frozen=True, omit_defaults=True):
    """A choice at set-up: another reading of the board, or another edition of it.

    A field of its rules replaces that of the board; a connection replaces the one between the same
    cities, or is added.
    """

    names: dict[Language, Line]
    rule: RuleId | None = None  # that describes it
    players: tuple[Players, ...] = ()  # that can choose it; all if none are named
    rules: MapRules = NO_RULES
    rulebooks: dict[Slug, MapRules] = {}
    connections: tuple[Connection, ...] = ()
    no_connections: tuple[tuple[Slug, Slug], ...] = ()  # that are not there


class Doubt(Struct, frozen=True, omit_defaults=True):
    """A fact that rests on one source, or on which sources differ (A-0.3)."""

    rule: RuleId
    sources: tuple[Line, ...]
    confidence: Confidence
    about: Text = ""  # which fact, if the rule has several
    variant: Text = ""  # that plays the other reading


class Layout(Struct, frozen=True, omit_defaults=True):
    """Where the cities are drawn, in pixels on a canvas of the given width and height."""

    canvas: Point
    cities: dict[Slug, Point]
    projection: Text = ""  # how positions were computed, so that land can be drawn to match
    outline: Outline = ""  # of the land, where no projection says what to draw


class Map(Struct, frozen=True, omit_defaults=True, eq=False):
    """A board. Maps are compared by identity, so that they can be keys of a cache."""

    id: Slug
    name: Line
    regions: tuple[Slug, ...]
    cities: tuple[City, ...]
    connections: tuple[Connection, ...]
    edition: Text = ""
    played_by: tuple[Slug, ...] = ()  # the rulebooks that list it among their maps
    called: Slug = ""  # its name there; the id if none is given
    region_colours: dict[Slug, Colour] = {}
    region_names: dict[Slug, dict[Language, Line]] = {}  # where the id is not enough
    rules: MapRules = NO_RULES
    rulebooks: dict[Slug, MapRules] = {}  # further changes, by rulebook
    regions_in_play: dict[Players, Number] = {}
    islands: tuple[Regions, ...] = ()  # regions that no connection joins to the others
    loose_regions: Flag = False  # those in play need not hang together (A-AUS-1)
    transit_cost: Count = 0  # for each city passed on the way to a new one (A-MAN-2)
    layout: Layout | None = None
    countries: tuple[Country, ...] = ()  # land to draw; by default the countries of its cities
    names: dict[Language, Line] = {}  # translated names, where they differ
    about: dict[Language, Line] = {}  # what is special, in a sentence
    difficulty: Difficulty | None = None
    section: RuleId | None = None  # of the rules on this board
    cites: dict[Slug, RuleId] = {}  # the rule of this board behind a refusal, by its code
    doubts: tuple[Doubt, ...] = ()  # what is not certain
    variants: dict[Slug, Variant] = {}  # what can be chosen at set-up

    def with_variants(self, chosen: tuple[str, ...]) -> "Map":
        """The board as these variants change it, one after the other; itself if there are none."""
        board = self
        for name in chosen:
            board = _varied(board, self.variants[name])
        return board

    def rules_for(self, rulebook: str) -> MapRules:
        """What the board changes when it is played by this rulebook."""
        more = self.rulebooks.get(rulebook)
        return merged(self.rules, more) if more else self.rules

    def connections_by(self, rules: MapRules) -> tuple[Connection, ...]:
        """The connections with their costs, after rules that make some more expensive."""
        return self.connections

    def region_count(self, players: int) -> int:
        """How many regions are in play, A-GEN-3."""
        most = len(self.regions)
        return self.regions_in_play.get(players, min(REGIONS_IN_PLAY[players], most))


def _varied(board: Map, variant: Variant) -> Map:
    links = {frozenset((link.a, link.b)): link for link in board.connections}
    links |= {frozenset((link.a, link.b)): link for link in variant.connections}
    for pair in variant.no_connections:
        links.pop(frozenset(pair), None)
    books = {
        name: merged(
            merged(board.rulebooks.get(name, NO_RULES), variant.rules),
            variant.rulebooks.get(name, NO_RULES),
        )
        for name in {**board.rulebooks, **variant.rulebooks}
    }
    return structs.replace(
        board,
        rules=merged(board.rules, variant.rules),
        rulebooks=books,
        connections=tuple(links.values()),
    )
