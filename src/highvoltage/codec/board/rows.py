"""The observation of the board games as plain numbers: counts by column, not yet scaled."""

from collections.abc import Mapping
from itertools import accumulate
from typing import Any

from highvoltage.codec.board.layout import (
    CARD,
    CITY,
    FIRST_CARD,
    FUEL,
    FUELS,
    PLAYER,
    PRICES,
    SCALARS,
    SEATS,
)
from highvoltage.codec.rows import Row, SeatColumns, demolition, factors
from highvoltage.codec.spec import View

CARTEL, MARK = -1, -2  # in the houses of a city
START_PRICE = 10
MOST_NETWORKS = 4  # of a player; more count as 4
CLOSED_COST = 80  # a city that costs this much counts as closed
HOUSES, SLOT_PRICE, START, MARKED, OF_CARTEL = (
    CITY.index(name) for name in ("houses", "slot_price", "start", "marked", "cartel")
)
OWNER, NEARNESS = CITY.index("owner_0"), CITY.index("near_0")
SEAT_COLUMNS = SeatColumns.of(PLAYER)
DECISIONS = SCALARS[SCALARS.index("regions") : SCALARS.index("deck")]
SOLD, STANDING_BID, ABOVE_BID = (
    SCALARS.index(name) for name in ("sold", "standing_bid", "money_above_bid")
)
DECISION = {kind: SCALARS.index(kind) for kind in DECISIONS}
MOST_POWERED = 7  # cities on a card
EMPTY: dict[str, Any] = {"stock": 0, "supply": 0, "refill": 0, "prices": []}
MANY_TOKENS = 24  # held, or room for so many; more count as this many
MISSING_PRICE = 100  # what a token costs where there is none

CITY_COUNTS = {"most_cities": 21, "step_2_cities": 21, "end_cities": 21}
SCALAR_FACTORS = factors(
    SCALARS,
    round=20,
    deck=40,
    sold=SEATS,
    standing_bid=100,
    money_above_bid=100,
    **{"demolition_first": 20, "demolition_later": 20, **CITY_COUNTS},
)
PLAYER_FACTORS = factors(
    PLAYER,
    money_small=50,
    money_large=250,
    cities=21,
    powers=21,
    supplied=21,
    **{"reserve": 16, **dict.fromkeys(FUELS, 24)},
)
CARD_FACTORS = factors(CARD, number=50, need=3, powers=MOST_POWERED)
FUEL_FACTORS = factors(
    FUEL,
    stock=24,
    supply=24,
    refill=12,
    held=MANY_TOKENS,
    room=MANY_TOKENS,
    **{f"price_{count}": MISSING_PRICE for count in range(1, PRICES + 1)},
)
MAX_MONEY = 30_000  # more money counts as this much

COLUMN = {seat: OWNER + seat for seat in range(SEATS)} | {CARTEL: OF_CARTEL, MARK: MARKED}

Owner = dict[str, Any]


def scaled(row: Row, factors: Row) -> Row:
    return [min(1, value * factor) for value, factor in zip(row, factors, strict=True)]


def count_row(view: View, owners: list[Owner], third: list[Owner]) -> Row:
    """Scalars, players and fuel in one row; `third` is the cartel, if there is one."""
    row = scalars(view)
    for player in owners:
        row += player_row(view, player)
    for cartel in third:
        row += cartel_row(cartel)
    row += [0] * (len(SCALARS) + SEATS * len(PLAYER) - len(row))
    return row + fuel(view)


def scalars(view: View) -> Row:
    row = slow_scalars(view)
    for column, count in quick_scalars(view):
        row[column] = count
    return row


def slow_scalars(view: View) -> Row:
    """What does not change with every decision."""
    market, players, step = view["market"], view["players"], view["step"]
    back, count = market.get("back"), len(players)
    return [
        view["round"],
        *(step == 1, step == 2, step == 3),
        *[0] * len(DECISIONS),
        *(market["deck"], market["step3"], back == "plug", back == "socket"),
        *(0, 0, 0),
        max([len(player["cities"]) for player in players]),
        *(view["step_2_cities"], view["end_cities"]),
        *(count == 2, count == 3, count == 4, count == 5, count == 6),
        *demolition(view),
    ]


def quick_scalars(view: View) -> list[tuple[int, int]]:
    """What changes with every decision: pairs of a column and a count."""
    auction, money = view["auction"], view["players"][view["seat"]]["money"]
    bid = min(auction["bid"], MAX_MONEY) if auction["card"] is not None else 0
    found = [
        (SOLD, auction["sold"]),
        (STANDING_BID, bid),
        (ABOVE_BID, min(MAX_MONEY, max(0, money - bid))),
    ]
    if (kind := decision(view)) in DECISION:
        found.append((DECISION[kind], 1))
    return found


def decision(view: View) -> str:
    """One of nine kinds of decision; empty when the game is over."""
    if view["to_move"] is None:
        return ""
    kind: str = view["phase"]
    if kind == "auction":
        auction = view["auction"]
        if auction["scrapping"] is not None:
            return "scrap"
        return "nominate" if auction["card"] is None else "bid"
    return kind


def plant_row(plant: dict[str, Any], kinds: tuple[str, ...]) -> Row:
    """A plant; `kinds` are the fuels of the game, in the order of the columns."""
    fuels = plant["fuels"]
    burns = [fuel in fuels for fuel in kinds]
    return [1, plant["number"], plant["need"], plant["powers"], *burns, not fuels]


def player_row(view: View, player: Owner) -> Row:
    auction, seat = view["auction"], player["seat"]
    row = owner_row(player)
    row[SEAT_COLUMNS.place + view["order"].index(seat)] = 1
    row[SEAT_COLUMNS.may_buy] = seat in auction["eligible"]
    row[SEAT_COLUMNS.bids] = seat in auction["bidders"]
    row[SEAT_COLUMNS.leads] = seat == auction["leader"]
    row[SEAT_COLUMNS.to_move] = seat == view["to_move"]
    return row


def owner_row(player: Owner) -> Row:
    """A player, apart from the turn order, the auction and who is to move."""
    money = player["money"]
    known = min(money or 0, MAX_MONEY)
    return [
        *(1, 0, money is not None, known, known),
        *(0, 0, 0, 0, 0, 0),
        len(player["cities"]),
        sum([plant["powers"] for plant in player["plants"]]),
        player["supplied"],
        *player["fuel"].values(),
        *(0, 0, 0, 0, 0),
    ]


def cartel_row(cartel: Owner) -> Row:
    columns = dict.fromkeys(PLAYER, 0)
    columns |= zip(FUELS, cartel["fuel"].values(), strict=True)
    columns |= {"cartel": 1, "reserve": cartel["reserve"]}
    columns["powers"] = sum(plant["powers"] for plant in cartel["plants"])
    return list(columns.values())


def shelf_counts(shelf: Mapping[str, Any] | None, held: int, room: int) -> tuple[int, ...]:
    """A fuel: what is for sale, what the viewer holds and has room for, the cheapest prices."""
    shelf = shelf or EMPTY
    return (shelf["stock"], shelf["supply"], shelf["refill"], held, room, *shelf["prices"][:PRICES])


def shelf_row(stock: int, supply: int, refill: int, held: int, room: int, *prices: int) -> Row:
    missing = [MISSING_PRICE] * (PRICES - len(prices))
    return [stock, supply, refill, held, max(0, room), *accumulate(prices), *missing]


def fuel(view: View) -> Row:
    viewer, shelves = view["players"][view["seat"]], view["fuel"]
    held, rooms = viewer["fuel"], viewer["room"]
    counts = [shelf_counts(shelves[kind], held[kind], rooms[kind]) for kind in held]
    return [count for each in counts for count in shelf_row(*each)]


def shown_places(shown: View) -> list[int]:
    """Which numbers of the part `cards` are 1 for what the market shows."""
    first = -4 * FIRST_CARD
    places = [4 * plant["number"] + first for plant in shown["current"] + shown["future"]]
    places += [4 * int(card) + first + 2 for card in shown["removed"]]
    places += [4 * int(card) + first + 3 for card in shown["slid"]]
    return places


def owned_places(owner: Owner) -> list[int]:
    """Which numbers of the part `cards` are 1 for what somebody owns."""
    cards = owner["plants"] + owner.get("mines", [])
    return [4 * (plant["number"] - FIRST_CARD) + 1 for plant in cards]


def viewer_first(seat: int, players: int) -> tuple[list[int], list[int]]:
    """Permutations of player rows and city columns, from seat order to viewer first."""
    rows = [*range(seat, players), *range(seat), *range(players, SEATS)]
    columns = [*range(len(CITY))]
    columns[OWNER : OWNER + SEATS] = [OWNER + row for row in rows]
    columns[NEARNESS : NEARNESS + SEATS] = [NEARNESS + row for row in rows]
    return rows, columns
