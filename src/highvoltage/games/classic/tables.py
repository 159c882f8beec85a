"""The reference card of the 2004 edition: its numbers and nothing else."""

from highvoltage.engine.parts.fuel import FuelRules
from highvoltage.engine.parts.ladder import Ladder
from highvoltage.engine.parts.plant import Plant

FUELS: tuple[str, ...] = ("coal", "oil", "garbage", "uranium")
COAL, OIL, GARBAGE, URANIUM = range(4)
HYBRID = (COAL, OIL)
NO_FUEL: tuple[int, ...] = ()

TOKENS = (24, 24, 24, 12)  # C-1.1.1
LADDERS = (  # C-1.3.2
    *[Ladder([price for price in range(1, 9) for _ in range(3)])] * 3,
    Ladder([1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16]),
)
START_STOCK: tuple[int, ...] = (24, 18, 6, 2)  # C-1.3.4

PLANTS: dict[int, Plant] = {  # C-1.2.1: number: fuel, need, powers
    number: Plant(number, fuels, need, powers)
    for number, fuels, need, powers in (
        (3, (OIL,), 2, 1),
        (4, (COAL,), 2, 1),
        (5, HYBRID, 2, 1),
        (6, (GARBAGE,), 1, 1),
        (7, (OIL,), 3, 2),
        (8, (COAL,), 3, 2),
        (9, (OIL,), 1, 1),
        (10, (COAL,), 2, 2),
        (11, (URANIUM,), 1, 2),
        (12, HYBRID, 2, 2),
        (13, NO_FUEL, 0, 1),
        (14, (GARBAGE,), 2, 2),
        (15, (COAL,), 2, 3),
        (16, (OIL,), 2, 3),
        (17, (URANIUM,), 1, 2),
        (18, NO_FUEL, 0, 2),
        (19, (GARBAGE,), 2, 3),
        (20, (COAL,), 3, 5),
        (21, HYBRID, 2, 4),
        (22, NO_FUEL, 0, 2),
        (23, (URANIUM,), 1, 3),
        (24, (GARBAGE,), 2, 4),
        (25, (COAL,), 2, 5),
        (26, (OIL,), 2, 5),
        (27, NO_FUEL, 0, 3),
        (28, (URANIUM,), 1, 4),
        (29, HYBRID, 1, 4),
        (30, (GARBAGE,), 3, 6),
        (31, (COAL,), 3, 6),
        (32, (OIL,), 3, 6),
        (33, NO_FUEL, 0, 4),
        (34, (URANIUM,), 1, 5),
        (35, (OIL,), 1, 5),
        (36, (COAL,), 3, 7),
        (37, NO_FUEL, 0, 4),
        (38, (GARBAGE,), 3, 7),
        (39, (URANIUM,), 1, 6),
        (40, (OIL,), 2, 6),
        (42, (COAL,), 2, 6),
        (44, NO_FUEL, 0, 5),
        (46, HYBRID, 3, 7),
        (50, NO_FUEL, 0, 6),
    )
}
FUSION = 50  # C-1.2.5
PILES: tuple[tuple[int, ...], tuple[int, ...]] = (
    # low and high plants, which have different backs in later editions, R-1.2.2
    tuple(card for card in PLANTS if card <= 15),
    tuple(card for card in PLANTS if card > 15),
)
FUEL_RULES = FuelRules(FUELS, HYBRID, PLANTS)

OPENING_MARKET = (3, 4, 5, 6, 7, 8, 9, 10)  # C-2.5
TOP_OF_DECK = 13
CURRENT_SIZE = FUTURE_SIZE = 4  # plants on offer and to come in Steps 1 and 2, C-4.2.2
LATE_MARKET_SIZE = 6  # market in Step 3, C-5.1.1

HOUSE_PRICES: tuple[int, ...] = (10, 15, 20)  # C-1.4.1
START_MONEY = 50
PAYMENT = (  # C-1.7.1
    *(10, 22, 33, 44, 54, 64, 73, 82, 90, 98, 105),
    *(112, 118, 124, 129, 134, 138, 142, 145, 148, 150),
)

DEMOLITION = ((3, 0), (6, 3), (9, 6), (12, 9), (15, 12), (18, 15))  # D-1.3, reconstructed

# C-1.5, by number of players
PLANTS_REMOVED: dict[int, int] = {2: 8, 3: 8, 4: 4, 5: 0, 6: 0}
PLANT_LIMIT: dict[int, int] = {2: 4, 3: 3, 4: 3, 5: 3, 6: 3}
STEP_2_CITIES: dict[int, int] = {2: 10, 3: 7, 4: 7, 5: 7, 6: 6}
END_CITIES: dict[int, int] = {2: 21, 3: 17, 4: 17, 5: 15, 6: 14}

REFILL = {  # C-1.6.1, by number of players and Step: coal, oil, garbage, uranium
    2: ((3, 2, 1, 1), (4, 2, 2, 1), (3, 4, 3, 1)),
    3: ((4, 2, 1, 1), (5, 3, 2, 1), (3, 4, 3, 1)),
    4: ((5, 3, 2, 1), (6, 4, 3, 2), (4, 5, 4, 2)),
    5: ((5, 4, 3, 2), (7, 5, 3, 3), (5, 6, 5, 2)),
    6: ((7, 5, 3, 2), (9, 6, 5, 3), (6, 7, 6, 3)),
}

CITES: dict[str, str] = {  # the rule behind each refusal
    "not_now": "C-14",
    "not_your_turn": "C-14",
    "game_over": "C-10.1",
    "must_buy": "C-4.7.1",
    "not_on_offer": "C-4.2.2",
    "barred": "C-12.3.2",
    "bid_below_minimum": "C-4.2.1",
    "bid_above_money": "C-4.2.4",
    "last_buyer": "C-4.3.2",
    "bid_too_low": "C-4.4.1",
    "scrap_new": "C-4.5.2",
    "scrap_not_owned": "C-4.5.2",
    "scrap_returns": "C-4.5.4",
    "unknown_fuel": "C-1.3.1",
    "buy_nothing": "C-6.1.1",
    "no_room": "C-6.2.1",
    "sold_out": "C-6.1.3",
    "cannot_pay": "C-6.1.2",
    "tokens_a_turn": "C-6.1.1",
    "above_max_price": "C-6.1.1",
    "cannot_pay_city": "C-7.1.1",
    "unknown_city": "C-2.1",
    "already_there": "C-7.3.6",
    "city_full": "C-7.3.1",
    "start_empty": "C-7.2.1",
    "start_elsewhere": "C-7.2.1",
    "start_only": "C-7.2.1",
    "first_network": "C-7.2.1",
    "no_more_starts": "C-7.2.1",
    "slot_closed": "C-7.3.1",
    "city_blocked": "C-7.3.1",
    "no_way": "C-7.3.1",
    "unknown_market": "C-6.1.1",
    "other_market": "C-6.1.1",
    "run_not_owned": "C-8.2.1",
    "run_twice": "C-1.2.3",
    "run_mix": "C-1.2.4",
    "run_no_fuel": "C-1.2.3",
    "run_mix_unlawful": "C-8.2.7",
    "must_supply": "C-8.2.1",
    "unknown_region": "C-2.1",
    "region_apart": "C-2.1.1",
}
