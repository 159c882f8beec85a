"""The reference card of the card game: its numbers, without the card faces."""

FUELS = ("coal", "gas", "oil", "uranium")  # in market order, K-2.6
COAL, GAS, OIL, URANIUM = range(4)
HYBRID = (GAS, OIL)

START_MONEY = 12  # K-1.12
PLANT_LIMIT = 3
OPENING_MARKET = 8  # small plants that are turned up, K-2.3
CURRENT_SIZE = 4  # plants on offer until END is resolved
LATE_MARKET_SIZE = 6  # market from then on
BASIC_INCOME = 1  # the guaranteed income
MONEY_PER_POINT = 10  # Elektro

# K-1.11, by number of players
SMALL_REMOVED = {2: 1, 3: 2, 4: 1, 5: 0, 6: 0}
LARGE_REMOVED = {2: 5, 3: 6, 4: 3, 5: 0, 6: 0}
COLUMN_SIZE = {2: 4, 3: 4, 4: 5, 5: 6, 6: 6}
MARKINGS: dict[int, tuple[str, ...]] = {
    2: ("2-6",),
    3: ("2-6",),
    4: ("2-6", "4-6"),
    5: ("2-6", "4-6", "5-6"),
    6: ("2-6", "4-6", "5-6"),
}

CITES = {  # the rule behind each refusal
    "not_now": "K-3.1",
    "not_your_turn": "K-3.1",
    "game_over": "K-7.1",
    "must_buy": "K-4.2.5",
    "not_on_offer": "K-4.2.3",
    "bid_below_minimum": "K-4.1.2",
    "bid_above_money": "K-4.2.3",
    "last_buyer": "K-4.3.4",
    "bid_too_low": "KR-07",
    "scrap_new": "KR-11",
    "scrap_not_owned": "K-4.5.1",
    "scrap_returns": "KR-12",
    "unknown_fuel": "K-1.2",
    "no_such_card": "K-5.2.1",
    "no_room_for_card": "KR-19",
    "enough_fuel": "K-5.5.1",
    "cannot_pay": "K-5.2.1",
    "run_not_owned": "K-6.1.1",
    "run_twice": "K-1.5",
    "run_mix": "K-1.7",
    "run_no_fuel": "KR-23",
    "run_mix_unlawful": "KR-23",
}
