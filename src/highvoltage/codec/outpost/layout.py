"""Sizes and columns of the code for Outpost. docs/machines.md explains them."""

from highvoltage.codec.rows import SEATS
from highvoltage.codec.spec import Part, part
from highvoltage.games.outpost import tables

CITIES = 49  # in play, at most
MARKET = tables.PLACES
DECK = sum(tables.CARDS_OF_BACK.values())
SPACES = tables.SPACES  # of a company board, for plants and as many for habitats
HIRES = 32  # seasonal workers hired at once: none to 31
PIECES = (tables.STATION, tables.PLANT, tables.HABITAT)
KINDS = tables.KINDS
MAKERS = ("human", "robot")
PRICES = 8  # workers whose price is included

HEADS = (
    ("build", CITIES * 2, "city * 2 + 0 for a station, 1 for the other building of the city"),
    ("settle", tables.COLONIES * len(PIECES), f"own Colony card * {len(PIECES)} + piece"),
    ("place", DECK * len(KINDS), f"card of the deck * {len(KINDS)} + kind of space"),
    ("swap", 2 * SPACES * DECK, f"space of the own board * {DECK} + card of the deck"),
    ("hire", HIRES, "seasonal workers"),
    ("power", tables.STATIONS + 1, "cities powered"),
    ("robot", len(MAKERS), "made by a human, or by a robot"),
)

CARD = ("present", "number", "plant", "habitat", "technology", "workers", "energy", "beds")
DECISIONS = ("set_up", "syndicate", "nominate", "bid", "building", "board", "hired", "bureaucracy")
SCALARS = (
    *("round", "step_1", "step_2", "step_3", *DECISIONS, "forced"),
    *("deck", "step_3_card", "plug", "socket", "sold", "standing_bid", "means_above_bid"),
    *("most_cities", "step_2_cities", "end_cities", "labour", "robots"),
    *(f"workers_{count}" for count in range(1, PRICES + 1)),
    *(f"players_{count}" for count in (2, 3, 4, 5, 6)),
)
COMPANY = (
    *("present", "syndicate", "money_known", "money_small", "money_large"),
    *(f"order_{place}" for place in range(SEATS)),
    *("cities", "stations", "plant_spaces", "habitat_spaces", "beds", "need", "humans", "robots"),
    *("busy", "energy", "powered", "may_buy", "bids", "leads", "to_move"),
    *(f"owns_{name}" for name in tables.TECHNOLOGIES),
)
CITY = (
    *("in_play", "stations", "plant_slot", "habitat_slot", "slot_free", "slot_own", "choice"),
    *(f"owner_{seat}" for seat in range(SEATS)),
    *("syndicate", "near_station", "near_other", "links", "cheap_links"),
)
WHERE = (
    *("on_offer", "future", "below", "gone", "under_deck", "on_board"),
    *(f"owner_{seat}" for seat in range(SEATS)),
)

PARTS: tuple[Part, ...] = (
    part("scalars", (), SCALARS, "the moment, and what was agreed at the start"),
    part("players", (SEATS,), COMPANY, "the viewer, then clockwise; the Syndicate after two"),
    part("boards", (SEATS, 2 * SPACES), CARD, "cards on the same companies' boards, plants first"),
    part(
        "market",
        (MARKET,),
        (*CARD, "on_offer", "lot", "lowest_bid", "tokens", "below"),
        "places of the card market",
    ),
    part("cities", (CITIES,), CITY, "cities in play, in map order"),
    part("cards", (DECK,), (*CARD, *WHERE), "all cards of the deck, by number, and where they are"),
)
