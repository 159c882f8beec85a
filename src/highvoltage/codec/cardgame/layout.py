"""Sizes and columns of the code for the card game. docs/machines.md explains them."""

from highvoltage.codec.plants import run_head, scrap_head
from highvoltage.codec.rows import SEATS
from highvoltage.codec.spec import Part, part

FUELS = ("coal", "gas", "oil", "uranium")
HYBRID = (1, 2)  # burns gas and oil
COLUMNS = 4
UNITS = 3  # on a fuel card, at most
PLANTS = 3  # of a player
SLOTS = 4  # with the one just bought
MARKET = 8  # plants face up, at most
CARDS = 51  # plants by number, from 0 to 50

HEADS = (
    scrap_head(SLOTS, FUELS[HYBRID[0]]),
    ("buy", len(FUELS) * UNITS * COLUMNS, f"(fuel * {UNITS} + units - 1) * {COLUMNS} + column - 1"),
    run_head(PLANTS),
)

CARD = ("present", "number", "need", "income", *FUELS, "no_fuel")
SCALARS = (
    *("round", "last_round", "nominate", "bid", "scrap", "fuel", "bureaucracy"),
    *("deck", "above_end", "end_to_come", "end_in_market", "small", "large"),
    *("sold", "standing_bid", "money_above_bid", "pile", "reshuffles", "column_size"),
    *(f"players_{count}" for count in (2, 3, 4, 5, 6)),
    *("demolition", "demolition_first", "demolition_later", "demolition_paid"),
)
PLAYER = (
    *("present", "bank", "money_known", "money_small", "money_large"),
    *(f"order_{place}" for place in range(SEATS)),
    *("income", "all_run", *FUELS),
    *("may_buy", "bids", "leads", "to_move"),
)
BOUGHT = tuple(
    f"{units}_in_{column}" for column in range(2, COLUMNS + 1) for units in range(1, UNITS + 1)
)
FUEL = (
    *("held", "room", "in_1", *BOUGHT),
    *(f"discarded_{units}" for units in range(1, UNITS + 1)),
    *(f"waiting_{units}" for units in range(1, UNITS + 1)),
    "singles",
)

PARTS: tuple[Part, ...] = (
    part("scalars", (), SCALARS, "the moment, and what was agreed at the start"),
    part("players", (SEATS,), PLAYER, "the viewer, then clockwise; the Bank after the two players"),
    part("plants", (SEATS, SLOTS), (*CARD, "new"), "plants of the same rows, as they own them"),
    part("market", (MARKET,), (*CARD, "on_offer", "lot", "discount"), "plants face up"),
    part("fuel", (len(FUELS),), FUEL, "fuel cards by what is on them, and the viewer's fuel"),
    part("cards", (CARDS,), ("face_up", "owned", "gone", "under_deck"), "plants by number, from 0"),
)
