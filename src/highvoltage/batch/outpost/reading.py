"""A view read as a twin state; what nobody can know is drawn."""

from functools import lru_cache, partial
from typing import Any

import jax
import numpy as np

from highvoltage.batch.decks import pile_of, with_back_on_top, without_removed
from highvoltage.batch.outpost import play, setup
from highvoltage.batch.outpost.exchange import MAKERS, PHASES, counted, row_of
from highvoltage.batch.outpost.hidden import redraw
from highvoltage.batch.outpost.state import COMPANY, NOBODY, OutpostState
from highvoltage.batch.outpost.syndicate import NEVER
from highvoltage.batch.outpost.tables import (
    CARDS,
    COLONIES,
    INDEX,
    NONE,
    PLACES,
    PLUGS,
    SPACES,
    TWINS,
    Tables,
)
from highvoltage.batch.reading import (
    StateFields,
    View,
    check_view,
    filled,
    jit_fast,
)
from highvoltage.batch.state import (
    BID,
    IN_DECK,
    IN_MARKET,
    NOMINATE,
    OVER,
    PLACE,
    RUN,
    USED,
    Array,
)
from highvoltage.engine.cards import LAST_CARD, label, parse_card
from highvoltage.games.outpost import tables
from highvoltage.games.outpost.board import Planet
from highvoltage.games.outpost.pieces import PIECES
from highvoltage.games.outpost.state import STAGES, SYNDICATE


def from_view(t: Tables, view: View, key: Array) -> OutpostState:
    """The position of a view; the order of the deck, which it hides, is drawn from `key`."""
    check_view(t, view)
    form, redraw_hidden, ready = compiled(t)
    fields = {**moment(t, view), **companies(view), **planet(t, view), **auction(t, view)}
    fields |= {"terminated": view["outcome"] is not None, **market(t, view)}
    if form.syndicate is not None:
        fields["syndicate"] = filled(form.syndicate, syndicate(t, view))
    found: OutpostState = ready(redraw_hidden(filled(form, fields), key))
    return found


@lru_cache(maxsize=16)
def compiled(t: Tables) -> tuple[OutpostState, Any, Any]:
    """What every view needs: the form of a state, the drawing of what is hidden, and the mask."""
    form = jax.eval_shape(lambda key: setup.start(t, setup.draw_chance(t, key)), jax.random.key(0))
    return form, jit_fast(redraw), jit_fast(partial(play.ready, t))


def mode_of(view: View) -> int:
    if view["outcome"] is not None:
        return OVER
    if view["phase"] != "auction":
        return PHASES[view["phase"]]
    return NOMINATE if view["auction"]["card"] is None else BID


def owners(view: View) -> list[dict[str, Any]]:
    """The players' companies, and the Syndicate."""
    found: list[dict[str, Any]] = view["players"]
    return found + ([view["syndicate"]] if view["syndicate"] else [])


def names(cards: list[dict[str, Any]]) -> list[int]:
    return [parse_card(card["card"]) for card in cards]


def hand(owner: dict[str, Any]) -> list[int]:
    """All cards of a company; those of its pool last."""
    return names(owner["plants"] + owner["habitats"] + owner["pool"])


def moment(t: Tables, view: View) -> StateFields:
    mode, order = mode_of(view), view["order"]
    turn = order.index(view["to_move"]) if mode in (COMPANY, RUN) else 0
    if mode == COMPANY:
        turn = 1 if view["choices"] else t.players - 1 - turn
    elif mode == PLACE:
        turn = len(view["syndicate"]["cities"])
    return {
        "mode": mode,
        "current_player": view["to_move"] or 0,
        "round": view["round"],
        "step": view["step"],
        "second": view["round"] == 1 and not view["forced"] and mode != PLACE,
        "stage": STAGES.index(view["stage"]),
        "replaced": [label(card) in view["replaced"] for card in CARDS],
        "turn": turn,
        "order": [order.index(seat) for seat in range(t.players)],
        "labour": view["labour"]["workers"],
        "supply": view["robots"],
    }


def companies(view: View) -> StateFields:
    players, all_ = view["players"], owners(view)
    owner = np.full(len(CARDS), NOBODY)
    for at, one in enumerate(all_):
        owner[[INDEX[card] for card in hand(one)]] = at
    settled = [
        [
            any(piece in one["colonies"].get(label(CARDS[card]), ()) for one in all_)
            for piece in PIECES
        ]
        for card in COLONIES
    ]
    return {
        "money": [player["money"] for player in players],
        "robots": [player["robots"] for player in players],
        "busy": [MAKERS.index(player["busy"]) for player in players],
        "powered": [player["powered"] for player in players],
        "owner": owner,
        "board": [
            [*row_of(names(one["plants"]), SPACES), *row_of(names(one["habitats"]), SPACES)]
            for one in all_
        ],
        "network": [one["network"] for one in all_],
        "opened": [[one["spaces"][kind] for kind in tables.KINDS] for one in all_],
        "settled": settled,
        "humans": [one["humans"] for one in all_],
    }


def planet(t: Tables, view: View) -> StateFields:
    """What is built, and the fields derived from that and from the tokens on connections."""
    area = t.areas.index(tuple(view["areas"]))
    board = t.rules.map
    costs = {(link["a"], link["b"]): link["cost"] for link in view["connections"]}
    links = [costs.get((edge.a, edge.b), 0) for edge in board.edges]
    ground = Planet(board, t.areas[area], links)
    third = {SYNDICATE: t.players}
    stations = np.full((len(tables.STATION_PRICES), t.cities), NOBODY)
    special = np.full(t.cities, NOBODY)
    for at, city in enumerate(view["cities"].values()):
        seats = [third.get(seat, seat) for seat in city["stations"]]
        stations[: len(seats), at] = seats
        if city["building"] is not None:
            special[at] = third.get(city["building"], city["building"])
    count = len(ground.cities)
    roads = np.full((t.cities, t.cities), np.iinfo(t.way_type).max)
    roads[:count, :count] = ground.distance
    distance = np.zeros((t.companies, t.cities), int)
    built = np.zeros(t.companies, bool)
    for at in range(t.companies):
        structure = (stations == at).any(axis=0) | (special == at)
        built[at] = structure.any()
        if built[at]:
            distance[at] = roads[structure].min(axis=0)
    return {
        "area": area,
        "links": links,
        "roads": roads,
        "built": built,
        "distance": distance,
        "stations": stations,
        "special": special,
    }


def market(t: Tables, view: View) -> StateFields:
    """Cards face up, and some deck that fits what everybody has seen."""
    shown = view["market"]
    places = shown["current"] + shown["future"]
    stacks = [names([place["card"], *place["below"][::-1]]) for place in places]
    slid = list(map(parse_card, shown["slid"]))
    last = IN_DECK if len(slid) < shown["deck"] else IN_MARKET if shown["step3"] else USED
    known = {card for owner in owners(view) for card in hand(owner)}
    known |= {*slid, *map(parse_card, shown["removed"]), *(c for stack in stacks for c in stack)}
    unseen = [card for card in CARDS if card not in known]
    plugs = {card for card, plug in zip(CARDS, PLUGS, strict=True) if plug}
    removed = (tables.REMOVED[t.players][tables.PLUG], tables.REMOVED[t.players][tables.SOCKET])
    in_deck = last == IN_DECK
    left, aside = without_removed(unseen, plugs, removed) if in_deck else (slid, unseen)
    deck = with_back_on_top(left, plugs, back=shown["back"] == tables.PLUG)
    stacks += [[LAST_CARD]] * (last == IN_MARKET)
    empty = PLACES - len(stacks)
    tokens = [counted(place["tokens"]) for place in places]
    return {
        "market": [row_of(stack, TWINS) for stack in stacks] + [[NONE] * TWINS] * empty,
        "tokens": tokens + [0] * (PLACES - len(tokens)),
        "row": len(shown["current"]),
        "last": last,
        "pending": last == USED and view["step"] < 3,
        "pile": pile_of(CARDS, [*deck, LAST_CARD, *slid] if in_deck else deck, aside),
    }


def auction(t: Tables, view: View) -> StateFields:
    shown, seats = view["auction"], range(t.players)
    card = shown["card"]
    return {
        "eligible": [seat in shown["eligible"] for seat in seats],
        "ring": [seat in shown["bidders"] for seat in seats],
        "card": NONE if card is None else INDEX[parse_card(card)],
        "bid": shown["bid"],
        "leader": shown["leader"] or 0,
        "sold": shown["sold"],
    }


def syndicate(t: Tables, view: View) -> StateFields:
    """Its cards: those on its board are taken to have come before those in its pool."""
    shown, cities = view["auction"], list(view["cities"])
    taken = np.full(len(CARDS), NEVER)
    cards = hand(view["syndicate"])
    taken[[INDEX[card] for card in cards]] = np.arange(len(cards))
    nominated = t.takes_on_nomination and shown["card"] is not None
    waiting = len(shown["eligible"]) == t.players and not nominated
    choices = np.zeros(t.cities, bool)
    choices[[cities.index(city) for city in view["choices"]]] = True
    return {
        "taken": taken,
        "done": not waiting and mode_of(view) != PLACE,
        "choices": choices,
    }
