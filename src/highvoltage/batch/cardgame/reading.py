"""A view read as a twin state; what nobody can know is drawn."""

from functools import lru_cache, partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from highvoltage.batch.cardgame import play, setup
from highvoltage.batch.cardgame.columns import reshuffled
from highvoltage.batch.cardgame.exchange import CODE, INDEX, PHASES, codes_of
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
from highvoltage.batch.decks import pile_of
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

NO_RESHUFFLE = 1_000  # more than there are in a game: the order of a pile that a view hides


def from_view(t: Tables, view: View, key: Array) -> CardState:
    """The position of a view; the order of deck and pile, which it hides, is drawn from `key`."""
    check_view(t, view)
    draw, form, ready = compiled(t)
    chance, places = jax.device_get(draw(key, np.int8(view["fuel"]["pile"])))
    fields = {**moment(t, view), **players(view), **auction(t, view)}
    fields |= {
        "shuffle": chance.end,
        "seed": chance.seed,
        "terminated": view["outcome"] is not None,
    }
    fields |= plant_market(t, view, chance.deck, chance.backs)
    fields |= fuel_market(t, view) | {"places": places}
    if form.bank is not None:
        fields["bank"] = filled(form.bank, bank(t, view))
    found: CardState = ready(filled(form, fields))
    return found


@lru_cache(maxsize=16)
def compiled(t: Tables) -> tuple[Any, CardState, Any]:
    """What is needed for each view: the chance, the form of a state, and its mask."""

    def draw(key: Array, pile: Array) -> tuple[setup.ChanceRanks, Array]:
        chance = setup.draw_chance(t, key)
        return chance, reshuffled(chance.seed, jnp.int32(NO_RESHUFFLE), pile, t.fuel_cards)

    form = jax.eval_shape(lambda key: setup.start(t, setup.draw_chance(t, key)), jax.random.key(0))
    return jit_fast(draw), form, jit_fast(partial(play.ready, t))


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
    }


def plant_market(t: Tables, view: View, rank: Table, backs: Table) -> StateFields:
    """Plants face up, and a deck that fits what everybody has seen."""
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
    unseen = sorted((c for c in CARDS if c not in known), key=lambda card: int(rank[INDEX[card]]))
    if last == IN_DECK:
        deck, aside = hidden(t, shown["back"], unseen, backs)
        deck += [LAST_CARD, *slid]
    else:
        deck, aside = sorted(slid, key=lambda card: int(rank[INDEX[card]])), unseen
    return {
        "market": codes_of([*up, *[LAST_CARD] * (last == IN_MARKET)], MARKET),
        "token": shown["discount"] is not None,
        "last": last,
        "pile": pile_of(CARDS, deck, aside),
    }


def hidden(
    t: Tables, back: str | None, unseen: list[int], backs: Table
) -> tuple[list[int], list[int]]:
    """The deck above END, its top with the back that everybody sees, and what set-up removed."""
    by_back = sorted(unseen, key=lambda card: int(backs[INDEX[card]]))
    small = [card for card in by_back if SMALL[INDEX[card]]]
    large = [card for card in by_back if not SMALL[INDEX[card]]]
    aside = small[: tables.SMALL_REMOVED[t.players]] + large[: tables.LARGE_REMOVED[t.players]]
    left = [card for card in unseen if card not in aside]
    top = [card for card in left if SMALL[INDEX[card]] == (back == "small")][:1]
    return top + [card for card in left if card not in top], aside


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
