"""A view read as a twin state; what nobody can know is drawn."""

from functools import lru_cache, partial
from typing import Any

import jax
import numpy as np

from highvoltage.batch.cardgame import play, setup
from highvoltage.batch.cardgame.exchange import CODE, PHASES, codes_of
from highvoltage.batch.cardgame.hidden import redraw
from highvoltage.batch.cardgame.state import CardState
from highvoltage.batch.cardgame.tables import (
    CARDS,
    FUELS,
    LIMIT,
    MARKET,
    NONE,
    SMALL,
    STORE,
    TYPES,
    UNITS,
    Tables,
)
from highvoltage.batch.codes import Table
from highvoltage.batch.decks import pile_of, with_back_on_top, without_removed
from highvoltage.batch.reading import StateFields, View, filled, jit_fast
from highvoltage.batch.state import (
    BID,
    FUEL,
    IN_DECK,
    IN_MARKET,
    NOMINATE,
    OVER,
    RUN,
    SCRAP,
    USED,
    Array,
)
from highvoltage.engine.cards import LAST_CARD, parse_card
from highvoltage.engine.errors import OptionError
from highvoltage.games.cardgame import tables


def from_view(t: Tables, view: View, key: Array) -> CardState:
    """The position of a view; the order of deck and pile, which it hides, is drawn from `key`."""
    check_view(t, view)
    form, redraw_hidden, ready = compiled(t)
    fields = {**moment(t, view), **players(view), **auction(t, view)}
    fields |= {"terminated": view["outcome"] is not None}
    fields |= {**plant_market(t, view), **fuel_market(t, view)}
    if form.bank is not None:
        fields["bank"] = filled(form.bank, bank(t, view))
    found: CardState = ready(redraw_hidden(filled(form, fields), key))
    return found


@lru_cache(maxsize=16)
def compiled(t: Tables) -> tuple[CardState, Any, Any]:
    """What every view needs: the form of a state, the drawing of what is hidden, and the mask."""
    form = jax.eval_shape(lambda key: setup.start(t, setup.draw_chance(t, key)), jax.random.key(0))
    return form, jit_fast(partial(redraw, t)), jit_fast(partial(play.ready, t))


def check_view(t: Tables, view: View) -> None:
    if view["rulebook"] != t.rules.name:
        raise OptionError(f"This view is of {view['rulebook']}; make the environment for that.")
    if len(view["players"]) != t.players:
        raise OptionError(
            f"This view is of {len(view['players'])} players; make the environment for so many."
        )
    if any(player["money"] is None for player in view["players"]):
        raise OptionError("This view hides money, so there is no one position that it shows.")


def mode_of(view: View) -> int:
    if view["outcome"] is not None:
        return OVER
    if view["phase"] != "auction":
        return PHASES[view["phase"]]
    if view["auction"]["scrapping"] is not None:
        return SCRAP
    return NOMINATE if view["auction"]["card"] is None else BID


def moment(t: Tables, view: View) -> StateFields:
    mode, order = mode_of(view), view["order"]
    turn = order.index(view["to_move"]) if mode in (FUEL, RUN) else 0
    return {
        "mode": mode,
        "current_player": view["to_move"] or 0,
        "round": view["round"],
        "last_round": view["last"],
        "turn": t.players - 1 - turn if mode == FUEL else turn,
        "order": [order.index(seat) for seat in range(t.players)],
    }


def hand(plants: list[dict[str, Any]], size: int) -> list[int]:
    return codes_of([parse_card(plant["card"]) for plant in plants], size)


def kind_of(card: dict[str, Any]) -> int:
    return tables.FUELS.index(card["fuel"])


def counts(cards: list[dict[str, Any]]) -> Table:
    """[type] of fuel cards with a mark."""
    types = [kind_of(card) * UNITS + card["face"] - 1 for card in cards if not card["single"]]
    return np.bincount(types, minlength=TYPES)


def singles(cards: list[dict[str, Any]]) -> Table:
    """[fuel] of the singles among fuel cards."""
    return np.bincount([kind_of(card) for card in cards if card["single"]], minlength=FUELS)


def store(cards: list[dict[str, Any]]) -> list[int]:
    row = [
        kind_of(card) << 4 | card["face"] << 2 | card["units"]
        for card in cards
        if not card["single"]
    ]
    return row + [0] * (STORE - len(row))


def players(view: View) -> StateFields:
    all_ = view["players"]
    return {
        "money": [player["money"] for player in all_],
        "plants": [hand(player["plants"], LIMIT + 1) for player in all_],
        "fuel": [[player["fuel"][fuel] for fuel in tables.FUELS] for player in all_],
        "income": [player["income"] for player in all_],
        "store": [store(player["store"]) for player in all_],
        "singles": [singles(player["store"]) for player in all_],
    }


def owners(view: View) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = view["players"]
    return found + ([view["bank"]] if "bank" in view else [])


def fuel_market(t: Tables, view: View) -> StateFields:
    """Cards face up, and a pile of those that nobody sees."""
    shown = view["fuel"]
    columns = [counts(column) for column in shown["columns"][1:]]
    seen = sum(counts(owner["store"]) for owner in owners(view))
    seen = seen + sum(columns) + counts(shown["discard"]) + counts(shown["waiting"])
    return {
        "column_1": singles(shown["columns"][0]),
        "columns": columns,
        "discard": counts(shown["discard"]),
        "reshuffles": shown["reshuffles"],
        "shuffled": t.basic + t.plus + t.plus_plus - seen,
        "places": np.arange(t.fuel_cards),
    }


def plant_market(t: Tables, view: View) -> StateFields:
    """Plants face up, and some deck that fits what everybody has seen."""
    shown = view["market"]
    up = [parse_card(plant["card"]) for plant in shown["current"] + shown["future"]]
    slid = list(map(parse_card, shown["slid"]))
    last = USED
    if shown["above_end"] is not None:
        last = IN_DECK
    elif shown["end"]:
        last = IN_MARKET
    known = {parse_card(plant["card"]) for owner in owners(view) for plant in owner["plants"]}
    known |= {*up, *slid, *map(parse_card, shown["removed"])}
    unseen = [card for card in CARDS if card not in known]
    small = {card for card, is_small in zip(CARDS, SMALL, strict=True) if is_small}
    removed = (tables.SMALL_REMOVED[t.players], tables.LARGE_REMOVED[t.players])
    in_deck = last == IN_DECK
    left, aside = without_removed(unseen, small, removed) if in_deck else (slid, unseen)
    deck = with_back_on_top(left, small, back=shown["back"] == "small")
    return {
        "market": codes_of([*up, *[LAST_CARD] * (last == IN_MARKET)], MARKET),
        "token": shown["discount"] is not None,
        "last": last,
        "pile": pile_of(CARDS, [*deck, LAST_CARD, *slid] if in_deck else deck, aside),
    }


def auction(t: Tables, view: View) -> StateFields:
    shown, seats = view["auction"], range(t.players)
    card = shown["card"]
    found: StateFields = {
        "eligible": [seat in shown["eligible"] for seat in seats],
        "ring": [seat in shown["bidders"] for seat in seats],
        "card": NONE if card is None else CODE[parse_card(card)],
        "bid": shown["bid"],
        "leader": shown["leader"] or 0,
        "sold": shown["sold"],
    }
    if "demolition" in view:
        stack = view["demolition"]
        found["demolition"] = len(t.demolition) - len(stack["stack"])
        found["demolished"] = stack["paid"]
    return found


def bank(t: Tables, view: View) -> StateFields:
    shown, auctions = view["bank"], view["auction"]
    waiting = len(auctions["eligible"]) + (auctions["scrapping"] is not None) == t.players
    units = np.zeros(FUELS, int)
    turned = np.zeros(FUELS, int)
    for card in shown["store"]:
        units[kind_of(card)] += card["units"]
        if card["units"] < card["face"]:
            turned[kind_of(card)] = card["face"]
    return {
        "plants": hand(shown["plants"], LIMIT),
        "cards": counts(shown["store"]),
        "singles": singles(shown["store"]),
        "fuel": units,
        "turned": turned,
        "done": not waiting,
    }
