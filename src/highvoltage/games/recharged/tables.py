"""The reference card of the 2018 edition, where it differs from the one of 2004."""

from msgspec.structs import replace

from highvoltage.games.classic import tables as classic
from highvoltage.games.classic.ruleset import NUMBERS as CLASSIC

PLUG, SOCKET = "plug", "socket"  # the backs of the cards, R-1.2.2
PLUGS, SOCKETS = classic.PILES
OPENING_MARKET = 8  # plugs that are turned up, R-2.5

START_STOCK: tuple[int, ...] = (24, 18, 9, 2)
PLANT_LIMIT: int = 3

# by number of players
PLUGS_REMOVED = {2: 1, 3: 2, 4: 1, 5: 0, 6: 0}
SOCKETS_REMOVED = {2: 5, 3: 6, 4: 3, 5: 0, 6: 0}
STEP_2_CITIES = classic.STEP_2_CITIES | {2: 7}
END_CITIES = classic.END_CITIES | {2: 18}

NUMBERS = replace(
    CLASSIC,
    start=START_STOCK,
    plant_limit=dict.fromkeys(classic.PLANT_LIMIT, PLANT_LIMIT),
    step_2_cities=STEP_2_CITIES,
    end_cities=END_CITIES,
    piles=(PLUGS, SOCKETS),
    removed={n: (PLUGS_REMOVED[n], SOCKETS_REMOVED[n]) for n in PLUGS_REMOVED},
    rules={
        "regions_in_play": "R-1.5",
        "start_money": "R-2.2",
        "plant_limit": "R-1.5",
        "step_2_cities": "R-1.5",
        "end_cities": "R-1.5",
        "house_costs": "C-1.4.1",
        "plants_removed": "R-1.5",
        "tokens": "R-1.3.1",
        "start": "R-1.3.2",
        "refill": "R-1.6",
    },
)

CARTEL_HOUSES = 16
CARTEL_PLACERS = (0, 1, 1, 0, 0, 1)  # by place in the order of the two players, R-12.3.1

CITES = classic.CITES | {  # the rule behind each refusal
    "not_now": "R-14.2",
    "not_your_turn": "R-14.2",
    "game_over": "R-10.1",
    "must_buy": "R-4.3.3",
    "not_on_offer": "R-4.3.1",
    "bid_below_minimum": "R-4.3.1",
    "bid_above_money": "R-4.3.1",
    "last_buyer": "R-4.3.2",
    "bid_too_low": "R-4.3.1",
    "scrap_new": "R-4.4.1",
    "scrap_not_owned": "R-4.4.1",
    "scrap_returns": "R-4.4.1",
    "unknown_fuel": "R-1.3.1",
    "buy_nothing": "R-6.1",
    "no_room": "R-6.1",
    "sold_out": "R-6.1",
    "cannot_pay": "R-6.1",
    "tokens_a_turn": "R-6.1",
    "above_max_price": "R-6.1",
    "cannot_pay_city": "R-7.1",
    "unknown_city": "R-2.1",
    "already_there": "R-7.1",
    "city_full": "R-7.1",
    "start_empty": "R-7.1",
    "start_elsewhere": "R-7.1",
    "start_only": "R-7.1",
    "first_network": "R-7.1",
    "no_more_starts": "R-7.1",
    "slot_closed": "R-7.1",
    "city_blocked": "R-7.1",
    "no_way": "R-7.1",
    "unknown_market": "R-6.1",
    "other_market": "R-6.1",
    "start_unmarked": "R-13.2",
    "place_taken": "R-12.3.2",
    "place_apart": "R-12.3.1",
    "mark_taken": "R-13.1",
    "run_not_owned": "R-8.3",
    "run_twice": "R-8.3",
    "run_mix": "R-8.3",
    "run_no_fuel": "R-8.3",
    "run_mix_unlawful": "R-8.3",
    "must_supply": "R-8.3",
    "unknown_region": "R-2.1",
    "region_apart": "R-2.1",
}
