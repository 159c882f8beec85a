"""Reads a view as a twin state; what nobody can know is drawn at random."""

from dataclasses import is_dataclass, replace
from functools import lru_cache, partial
from typing import Any

import jax
import numpy as np

from highvoltage.batch import play, setup
from highvoltage.batch.codes import FUELS, NONE
from highvoltage.batch.exchange import OWNERS, PHASES, codes_by_card, codes_of, padded
from highvoltage.batch.reading_deck import market
from highvoltage.batch.state import (
    BID,
    BUILD,
    DONE,
    EMPTY,
    FUEL,
    NO_MARKET,
    NOMINATE,
    OVER,
    PLACE,
    REGION,
    RUN,
    SCRAP,
    Array,
    State,
)
from highvoltage.batch.tables import Tables
from highvoltage.engine.cards import parse_card
from highvoltage.engine.errors import OptionError
from highvoltage.games.classic.fuelmarket import STORED_PREFIX
from highvoltage.games.recharged import tables as recharged

View = dict[str, Any]
StateFields = dict[str, Any]


def from_view(t: Tables, view: View, key: Array) -> State:
    """The position of a view; the unknown order of the deck is drawn from `key`."""
    check_view(t, view)
    draw, form, ready = compiled(t)
    chance = jax.device_get(draw(key))
    fields = {**moment_fields(t, view), **players(t, view), **board(t, view), **auction(t, view)}
    fields |= {"shuffle": chance.shuffle, "terminated": view["outcome"] is not None}
    fields |= fuel_market(t, view) | mines(t, view) | market(t, view, codes_in(t, view), chance)
    if form.cartel is not None:
        fields["cartel"] = filled(form.cartel, cartel(t, view))
    found: State = ready(filled(form, fields))
    return found


@lru_cache(maxsize=16)
def compiled(t: Tables) -> tuple[Any, State, Any]:
    """What every view needs: the drawing of chance, the form of a state, and its mask."""
    draw = jit_fast(partial(setup.draw_chance, t))
    form = jax.eval_shape(lambda key: setup.start(t, setup.draw_chance(t, key)), jax.random.key(0))
    return draw, form, jit_fast(partial(play.ready, t))


def jit_fast(function: Any) -> Any:
    """Compiled fast rather than optimized, for functions that are called seldom."""
    return jax.jit(function, compiler_options={"xla_backend_optimization_level": 0})


def filled(form: Any, fields: StateFields) -> Any:
    """A state, or a part of one, with these fields; the others are zero."""
    zero = jax.tree.map(lambda leaf: np.zeros(leaf.shape, leaf.dtype), form)
    changes = {
        name: value if is_dataclass(value) else np.asarray(value, getattr(form, name).dtype)
        for name, value in fields.items()
    }
    return replace(zero, **changes)


def check_view(t: Any, view: View) -> None:
    """Refuse a view of another game; `t` are the tables of any game with a map."""
    rules = t.rules
    if (view["rulebook"], view["map"]) != (rules.name, rules.map.id):
        raise OptionError(
            f"This view is of {view['rulebook']} on {view['map']}; make the environment for that."
        )
    if len(view["players"]) != t.players:
        raise OptionError(
            f"This view is of {len(view['players'])} players; make the environment for so many."
        )
    if any(player["money"] is None for player in view["players"]):
        raise OptionError("This view hides money, so there is no one position that it shows.")


def mode_of(view: View) -> int:
    if view["outcome"] is not None:
        return OVER
    sale = view["auction"]
    if view["phase"] != "auction":
        return PHASES[view["phase"]]
    if sale["scrapping"] is not None:
        return SCRAP
    return NOMINATE if sale["card"] is None else BID


def moment_fields(t: Tables, view: View) -> StateFields:
    mode, order = mode_of(view), view["order"]
    turn = order.index(view["to_move"]) if view["to_move"] is not None else 0
    if mode in (FUEL, BUILD):
        turn = t.players - 1 - turn
    elif mode == PLACE:
        turn = recharged.CARTEL_HOUSES - view["cartel"]["reserve"]
    if mode == FUEL and t.tokens_a_turn and t.cartel and any(view["cartel"]["fuel"].values()):
        turn = max(turn, t.players)  # it has had its turn, A-IND-6
    if t.has_mines and view["mines"]["selling"]:
        turn = 2 * t.players - 1 - turn  # A-AUS-7
    names = list(t.rules.map.regions)
    drafting = mode == REGION
    return {
        "mode": mode,
        "current_player": view["to_move"] or 0,
        "round": view["round"],
        "step": view["step"],
        "turn": 0 if mode in (REGION, NOMINATE, BID, SCRAP, OVER) else turn,
        "order": [order.index(seat) for seat in range(t.players)],
        "regions": sum(1 << names.index(name) for name in view["regions"]) if drafting else 0,
        "area": 0 if drafting else t.region_sets.index(tuple(view["regions"])),
    }


def counts(t: Tables, by_fuel: dict[str, int]) -> list[int]:
    return [by_fuel[fuel] for fuel in t.ruleset.fuels]


def codes_in(t: Tables, view: View) -> dict[int, int]:
    """The code of each card in this view."""
    return codes_by_card(t, () if mode_of(view) == REGION else tuple(view["regions"]))


def hand(t: Tables, view: View, plants: list[dict[str, Any]], size: int) -> list[int]:
    return codes_of(codes_in(t, view), [parse_card(plant["card"]) for plant in plants], size)


def players(t: Tables, view: View) -> StateFields:
    all_ = view["players"]
    cities = [len(player["cities"]) for player in all_]
    return {
        "money": [player["money"] for player in all_],
        "plants": [hand(t, view, player["plants"], t.limit + 1) for player in all_],
        "fuel": [counts(t, player["fuel"]) for player in all_],
        "supplied": [player["supplied"] for player in all_],
        "cities": cities,
        "most": max(cities),
    }


def fuel_market(t: Tables, view: View) -> StateFields:
    """What is on the market, and what only some boards have beside it."""
    fuels = t.ruleset.fuels
    markets = view.get("markets", {"": view["fuel"]}).values()
    shelves = [market[fuel] for market in markets for fuel in fuels]
    fields: StateFields = {
        "stock": [shelf["stock"] for shelf in shelves],
        "supply": [shelf["supply"] for shelf in shelves[:FUELS]],
    }
    if any(t.stored_prices):
        stored = [view["fuel"].get(STORED_PREFIX + fuel) for fuel in fuels]
        fields["storage"] = [shelf["stock"] if shelf else 0 for shelf in stored]
    if t.tokens_a_turn:
        fields["buyers"] = buyers(t, view)
    if t.markets:
        fields["trade"] = NO_MARKET if view["trade"] is None else t.markets.index(view["trade"])
    if t.shifting is not None:
        dearer = [sum(p > shelf["ladder"][0] for p in shelf["ladder"]) for shelf in shelves]
        fields["shifts"] = np.where(t.shifting, t.shifting - np.array(dearer), 0)
    if t.phase_out is not None:
        _, fuel = t.phase_out
        fields["phased_out"] = shelves[fuel]["refill"] < t.refills[view["step"] - 1][fuel]
    return fields


def mines(t: Tables, view: View) -> StateFields:
    if not t.has_mines:
        return {}
    owned = [{parse_card(mine["card"]) for mine in player["mines"]} for player in view["players"]]
    return {
        "mines": [[card in cards for card in t.mine_cards] for cards in owned],
        "mine_stock": view["mines"]["stock"],
    }


def board(t: Tables, view: View) -> StateFields:
    """Houses, and the fields derived from them."""
    slots = np.full((len(t.slot_costs), t.cities), EMPTY)
    fields: StateFields = {"slots": slots}
    if "outage" in view:
        fields["built"] = view["outage"]["built"]
    if t.networks is not None:
        fields["starts"] = [padded([], t.networks.most)] * t.players
    if mode_of(view) == REGION:
        return fields
    at = t.region_sets.index(tuple(view["regions"]))
    index = t.areas[at].index
    for city, seats in view["houses"].items():
        slots[: len(seats), index[city]] = [OWNERS.get(seat, seat) for seat in seats]
    own = [[index[city] for city in player["cities"]] for player in view["players"]]
    reach = np.zeros((t.players, t.cities), t.distances.dtype)
    for row, cities in zip(reach, own, strict=True):
        if cities:
            row[:] = t.distances[at][cities].min(axis=0)
    cheap = [
        sum(int(where[at, cities].any()) << n for n, where in enumerate(t.discount_cities))
        for cities in own
    ]
    fields |= {"reach": reach, "cheap": cheap}
    if t.blocked:
        fields["blocked"] = [city in view["blocked"] for city in t.areas[at].cities]
    if t.networks is not None:
        begun = [[index[city] for city in player["starts"]] for player in view["players"]]
        fields["starts"] = [padded(cities, t.networks.most) for cities in begun]
    if t.nuclear is not None:
        fields["nuclear"] = [bool(t.nuclear[at, cities].any()) for cities in own]
    return fields


def buyers(t: Tables, view: View) -> list[int]:
    """Who still buys fuel, A-IND-6; a view does not say who has stopped, so all are taken to."""
    if mode_of(view) != FUEL:
        return [DONE] * t.players
    backwards = view["order"][::-1]
    first = backwards.index(view["to_move"])
    return [(backwards.index(seat) - first) % t.players for seat in range(t.players)]


def auction(t: Tables, view: View) -> StateFields:
    sale, seats = view["auction"], range(t.players)
    card = sale["card"]
    found: StateFields = {
        "eligible": [seat in sale["eligible"] for seat in seats],
        "ring": [seat in sale["bidders"] for seat in seats],
        "card": NONE if card is None else codes_in(t, view)[parse_card(card)],
        "bid": sale["bid"],
        "leader": sale["leader"] or 0,
        "sold": sale["sold"],
    }
    if t.token and t.plant_market.lowest_leaves:  # a view says no more
        found["token_left"] = mode_of(view) in (FUEL, BUILD, RUN) and not sale["sold"]
    if "demolition" in view:
        stack = view["demolition"]
        found["demolition"] = len(t.demolition) - len(stack["stack"])
        found["demolished"] = stack["paid"]
    return found


def cartel(t: Tables, view: View) -> StateFields:
    shown, auctions = view["cartel"], view["auction"]
    opening = mode_of(view) < NOMINATE
    scrapping = auctions["scrapping"] is not None
    able = {*auctions["eligible"], *[auctions["scrapping"]] * scrapping}
    waiting = len(able) == t.players and auctions["sold"] == scrapping
    near = np.zeros(t.cities, bool)
    if mode_of(view) != REGION:
        at = t.region_sets.index(tuple(view["regions"]))
        for city in view["houses"]:
            near |= t.next_to[at, t.areas[at].index[city]]
    return {
        "plants": hand(t, view, shown["plants"], recharged.PLANT_LIMIT),
        "fuel": counts(t, shown["fuel"]),
        "reserve": shown["reserve"],
        "near": near,
        "done": not opening and not waiting,
    }
