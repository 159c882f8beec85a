"""Sizes and columns of the code for boards. docs/machines.md explains them."""

from typing import NamedTuple

from highvoltage.codec.actions import MAX_OFFERED
from highvoltage.codec.bids import BIDS
from highvoltage.codec.plants import run_head, scrap_head
from highvoltage.codec.spec import Part, part

SEATS = 6
CITIES = 49  # of the regions in play, at most
REGIONS = 8  # of the map, at most
MARKET = 8  # plants face up, at most
SLOTS = 5  # plants of a player, with the one just bought
FIRST_CARD, CARDS = 3, 48  # plants by number, from 3 to 50
FUELS = ("coal", "oil", "garbage", "uranium")
HYBRID = (0, 1)  # burns coal and oil
MAX_TOKENS = 24  # of one fuel bought at once
PRICES = 8  # tokens whose price is included


class Extras(NamedTuple):
    """What only some maps have."""

    markets: tuple[str, ...] = ()  # of fuel, where there are several
    storage: bool = False  # burned fuel is for sale
    starts: bool = False  # starting a further network is a move of its own
    more_plants: int = 0  # face up, beyond those that every map has room for
    outage: bool = False  # new houses may lower all incomes
    mines: bool = False  # some cards sell uranium
    more_cities: int = 0  # in play, likewise
    more_offered: int = 0  # plants on offer, likewise


PLAIN = Extras()


def action_heads(plants: int, extras: Extras = PLAIN) -> tuple[tuple[str, int, str], ...]:
    """The heads after those of all games, for players who own up to `plants` plants.

    Heads that only some maps have come last, so that all other indexes mean the same everywhere.
    """
    heads: tuple[tuple[str, int, str], ...] = (
        scrap_head(SLOTS, FUELS[HYBRID[0]]),
        ("buy", len(FUELS) * MAX_TOKENS, f"fuel * {MAX_TOKENS} + tokens - 1"),
        ("city", CITIES, "city of the area: build; when setting up place or mark"),
        ("region", REGIONS, "region of the map"),
        run_head(plants),
    )
    if extras.markets:
        heads += (("trade", len(extras.markets), "fuel market of this turn, in map order"),)
    if extras.storage:
        heads += (("stored", len(FUELS) * MAX_TOKENS, f"fuel * {MAX_TOKENS} + tokens - 1"),)
    if extras.starts:
        cities = CITIES + extras.more_cities
        heads += (("start", cities, "city of the area, to start a further network"),)
    if extras.mines:
        heads += (("sell", 1, "sell uranium from all own mines"),)
    if extras.more_cities:
        heads += (("more_city", extras.more_cities, f"as city, from city {CITIES} on"),)
    if extras.more_offered:
        about = f"as nominate, from place {MAX_OFFERED} on"
        heads += (("more_nominate", extras.more_offered * BIDS, about),)
    return heads


CARD = ("present", "number", "need", "powers", *FUELS, "no_fuel")
OFFERED = (*CARD, "on_offer", "lot", "discount")
SCALARS = (
    "round",
    *(f"step_{step}" for step in (1, 2, 3)),
    *("regions", "cartel", "marks", "nominate", "bid", "scrap", "fuel", "building", "bureaucracy"),
    *("deck", "step_3_card", "plug", "socket", "sold", "standing_bid", "money_above_bid"),
    *("most_cities", "step_2_cities", "end_cities"),
    *(f"players_{count}" for count in (2, 3, 4, 5, 6)),
    *("demolition", "demolition_first", "demolition_later", "demolition_paid"),
)
PLAYER = (
    *("present", "cartel", "money_known", "money_small", "money_large"),
    *(f"order_{place}" for place in range(SEATS)),
    *("cities", "powers", "supplied", *FUELS),
    *("may_buy", "bids", "leads", "to_move", "reserve"),
)
FUEL = (
    *("stock", "supply", "refill", "held", "room"),
    *(f"price_{count}" for count in range(1, PRICES + 1)),
)
CITY = (
    *("in_play", "houses", "slot_price", "start", "marked", "cartel"),
    *(f"owner_{seat}" for seat in range(SEATS)),
    *(f"near_{seat}" for seat in range(SEATS)),
    *("links", "centre", "nuclear", "discount"),
)

MINE_MARKET = ("stock", "price", "used")
OUTAGE = ("built", "most", "out")

PARTS: tuple[Part, ...] = (
    part("scalars", (), SCALARS, "the moment, and what was agreed at the start"),
    part("players", (SEATS,), PLAYER, "the viewer, then clockwise; a cartel after the two players"),
    part("plants", (SEATS, SLOTS), (*CARD, "new"), "plants of the same rows, by number"),
    part("market", (MARKET,), OFFERED, "plants face up, by number"),
    part("fuel", (len(FUELS),), FUEL, "the fuel market, and the viewer's fuel"),
    part("cities", (CITIES,), CITY, "cities of the regions in play, in map order"),
    part("cards", (CARDS,), ("face_up", "owned", "gone", "under_deck"), "plants by number, from 3"),
    part("regions", (REGIONS,), ("there", "chosen", "cities", "dear"), "regions of the map"),
)


def parts_of(extras: Extras) -> tuple[Part, ...]:
    """The parts for a map; those that only some maps have come last."""
    found = PARTS
    if extras.markets:
        rows = (len(extras.markets), len(FUELS))
        found += (part("markets", rows, ("chosen", *FUEL), "each fuel market, as the part fuel"),)
    if extras.storage:
        found += (
            part("stored", (len(FUELS),), FUEL, "what lies in the storage, as the part fuel"),
        )
    if extras.starts:
        found += (
            part(
                "starts",
                (CITIES + extras.more_cities,),
                ("near",),
                "where the viewer may start a further network",
            ),
            part("networks", (SEATS,), ("begun",), "networks of the same rows as players"),
        )
    if extras.more_plants:
        found += (part("more_market", (extras.more_plants,), OFFERED, "further rows of market"),)
    if extras.mines:
        found += (
            part("mine_market", (), MINE_MARKET, "the market that mines sell to"),
            part("mines", (SEATS,), ("mines", "cities"), "mines of the same rows as players"),
            part("market_mines", (MARKET,), ("cities",), "mines among the rows of market"),
        )
    if extras.outage:
        found += (part("outage", (), OUTAGE, "new houses of this round, and what too many cost"),)
    if extras.more_cities:
        found += (part("more_cities", (extras.more_cities,), CITY, "further rows of cities"),)
    return found


def only_some_maps(extras: Extras) -> frozenset[str]:
    """The heads and parts of a map that not every map has."""
    plain = {part.name for part in PARTS} | {name for name, *_ in action_heads(1)}
    own = {part.name for part in parts_of(extras)} | {name for name, *_ in action_heads(1, extras)}
    return frozenset(own - plain)
