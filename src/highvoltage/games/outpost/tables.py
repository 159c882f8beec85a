"""The reference card of Outpost: its numbers, as `data/tables.json` has them."""

import json
from pathlib import Path
from typing import Any

DATA = Path(__file__).parent / "data"
_TABLES: dict[str, Any] = json.loads((DATA / "tables.json").read_bytes())


def _by_players(table: dict[str, Any]) -> dict[int, Any]:
    return {players: table[str(players)] for players in PLAYERS}


PLAYERS = (2, 3, 4, 5, 6)
STATION, PLANT, HABITAT = "station", "plant", "habitat"
KINDS = (PLANT, HABITAT)  # of cards with a space on the company board, and of special slots

START_MONEY: int = _TABLES["start_money"]["value"]  # O-1.3
STATIONS: int = _TABLES["company_board"]["station_spaces"]
SPACES: int = _TABLES["company_board"]["plant_slots"]  # as many for habitats
STATION_PRICES = tuple(_TABLES["building_costs"]["station_by_position"])
SPECIAL_PRICE: int = _TABLES["building_costs"]["plant_building"]  # as much for habitats
ROBOTS: int = _TABLES["robots"]["supply"]
PAYMENT: tuple[int, ...] = tuple(_TABLES["payment"]["elektro"])[: STATIONS + 1]  # O-8.1.3

PLACES: int = _TABLES["card_market"]["places"]  # O-5.1
CURRENT_SIZE: int = _TABLES["card_market"]["current"]
PLACES_IN_STEP_3: int = _TABLES["card_market"]["places_step3"]
DISCOUNT_ROUNDS = tuple(_TABLES["discount_tokens"]["placed_in_rounds"])  # O-8.3.1
LOWEST_BID: int = _TABLES["discount_tokens"]["lowest_opening_bid"]  # O-6.4
ON_TOP: int = _TABLES["deck_setup"]["plug_cards_set_on_top"]  # O-2.9

LABOUR_PRICES = tuple(_TABLES["labour_market"]["prices"])  # O-1.6, cheapest sector first
SECTOR_SIZES = tuple(_TABLES["labour_market"]["capacity_factor"])
TOKENS = {  # connection tokens: how many of each value
    int(value): count for value, count in _TABLES["connection_tokens"]["distribution"].items()
}

# O-1.2, by number of players
SMALL_AREAS = {2: 0, 3: 0, 4: 1, 5: 2, 6: 2}
WORKERS_IN_SECTOR = _by_players(_TABLES["labour_market"]["workers_per_sector_by_players"])
REMOVED = _by_players(_TABLES["deck_setup"]["removed_unseen_by_players"])  # by back
STEP_2_CITIES = _by_players(_TABLES["thresholds"]["step2_cities_by_players"])
END_CITIES = _by_players(_TABLES["thresholds"]["end_cities_by_players"])

SYNDICATE_STATIONS: int = _TABLES["syndicate_2p"]["stations"]  # O-12.2
SYNDICATE_PLACERS = (0, 1, 1, 0, 0, 1)  # by place in the order of the two players

PLUG, SOCKET = "plug", "socket"
CARDS_OF_BACK = {PLUG: 13, SOCKET: 32}  # O-1.1
CARDS_OF_KIND = {"plant": 22, "habitat": 15, "technology": 8, "step3": 1}
PLUG_NUMBERS = range(2, 15)
CONNECTIONS = 46
TECHNOLOGIES: dict[str, dict[str, int]] = {  # O-13.3: the effect that a card file must agree with
    "data_library": {"card_price_discount": 5},
    "ecoplants": {"seasonal_worker_discount_each": 3},
    "robots": {"robots_per_round": 1, "robots_max": 9},
    "hub_module": {"extra_places_per_habitat_card_on_board": 1},
    "colony": {"free_stations": 1, "free_plant_buildings": 1, "free_habitat_buildings": 1},
    "laboratories": {"extra_energy_per_plant_on_board": 1},
    "moon_base": {},
}
COLONIES = 2  # there is one of every other technology
MOON_BASE = {"workers": 3, "energy": 4, "places": 3}
DATA_LIBRARY_SAVING = TECHNOLOGIES["data_library"]["card_price_discount"]
ECOPLANTS_SAVING = TECHNOLOGIES["ecoplants"]["seasonal_worker_discount_each"]
HUB_BEDS = TECHNOLOGIES["hub_module"]["extra_places_per_habitat_card_on_board"]
LABORATORIES_ENERGY = TECHNOLOGIES["laboratories"]["extra_energy_per_plant_on_board"]

CITES = {  # the rule behind each refusal
    "not_now": "O-3.5",
    "not_your_turn": "O-3.5",
    "game_over": "O-10.1",
    "must_buy": "O-6.10",
    "not_on_offer": "O-6.3",
    "bid_below_minimum": "O-6.4",
    "bid_above_money": "OR-17",
    "last_buyer": "O-6.9",
    "bid_too_low": "OR-17",
    "unknown_city": "O-2.1",
    "too_late": "O-7.0.2",
    "unknown_piece": "O-7.1.1",
    "no_pieces": "O-7.1.1",
    "already_there": "O-1.5.2",
    "city_full": "O-7.1.2",
    "slot_kind": "OR-04",
    "slot_taken": "O-1.5.2",
    "cannot_pay_city": "OR-25",
    "no_colony": "O-11.6.1",
    "colony_full": "OR-52",
    "not_in_pool": "O-7.2.1",
    "replaced": "OR-26",
    "not_for_board": "O-11.1",
    "no_space": "O-7.2.1",
    "which_space": "O-11.8.1",
    "not_on_board": "O-7.2.2",
    "swap_kind": "O-7.2.5",
    "swap_better": "OR-26",
    "hire_over_need": "O-7.3.3",
    "hire_over_market": "O-7.3.1",
    "hire_idle": "OR-29",
    "hire_nobody": "O-7.3.1",
    "cannot_pay": "O-7.3.11",
    "no_robots": "O-11.4.1",
    "no_maker": "OR-50",
    "power_too_many": "O-8.1.1",
    "place_taken": "OR-55",
    "place_apart": "O-12.2.3",
    "syndicate_piece": "O-12.6.5",
    "syndicate_slot": "O-12.6.5",
}
