"""Reads the plant market of a view, with a deck that fits what everybody has seen."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from highvoltage.batch.codes import CARDS, Table
from highvoltage.batch.dealing import DeckTables, deck_tables
from highvoltage.batch.exchange import INDEX, codes_of
from highvoltage.batch.setup import ChanceRanks
from highvoltage.batch.state import ASIDE, GONE, IN_DECK, IN_MARKET, UNDER, USED, WAITING
from highvoltage.batch.tables import Tables
from highvoltage.engine.cards import LAST_CARD, parse_card
from highvoltage.games.recharged import tables as recharged

View = dict[str, Any]


def market(t: Tables, view: View, codes: dict[int, int], chance: ChanceRanks) -> dict[str, Any]:
    """Cards face up, and the deck."""
    shown = view["market"]
    up = [parse_card(plant["card"]) for plant in shown["current"] + shown["future"]]
    last = last_in(t, view, len(up))
    stages = t.plant_market.three_stages
    return {
        "market": codes_of(codes, [*up, *[LAST_CARD] * (last == IN_MARKET)], t.market),
        "token": shown.get("discount") is not None,
        "last": last,
        "pending": last == USED and view["step"] < 3 and not stages,
        **({"stage": shown["stage"]} if stages else {}),
        "pile": pile_in(t, view, last, chance),
    }


def last_in(t: Tables, view: View, up: int) -> int:
    """Where the Step 3 card is: while it is in the deck, more plants are face up than later."""
    if view["market"]["step3"]:
        return IN_MARKET
    if t.plant_market.three_stages:
        return USED  # there is none, A-MAN-4
    if t.renewal is not None:
        return IN_DECK if view["step"] < 3 else USED  # A-CHN-8
    if t.plant_market.steps_by_deck and view["step"] == 1:
        return IN_DECK  # it comes back, and the market may have gaps, A-MEA-4
    return IN_DECK if view["step"] < 3 and up > t.plant_market.step_3 else USED


def pile_in(t: Tables, view: View, last: int, chance: ChanceRanks) -> Table:
    """The place of each card in a deck drawn at random."""
    shown, d = view["market"], deck_tables(t)
    if t.ruleset.deck.bands:
        return bands_in(t, view, last, chance)
    slid = list(map(parse_card, shown["slid"]))
    waiting = [parse_card(plant["card"]) for plant in shown.get("waiting", ())]
    waiting += map(parse_card, shown.get("pile", ()))  # A-MAN-7
    unseen = by_rank(unseen_cards(view, {*slid, *waiting}), chance.deck)
    on_top = [card for card in d.waiting if card in unseen]  # since Step 2 began, A-IBE-3
    unseen = [card for card in unseen if card not in on_top]
    aside = removed_in(d, by_rank(unseen, chance.backs))
    hidden = [card for card in unseen if card not in aside]
    pile: Table = np.full(len(CARDS), GONE, np.uint8)
    pile[places_of(waiting)] = WAITING
    pile[places_of(aside)] = ASIDE
    if last == IN_DECK or shown.get("stage") == 1:
        above = order_above(t, d, view, hidden)
        below = above[len(above) - t.below :]
        above = above[: len(above) - t.below]
        pile[places_of(above)] = len(d.waiting) + np.arange(len(above))
        pile[places_of(below)] = UNDER + np.arange(t.below)
        pile[places_of(slid)] = UNDER + t.below + 1 + np.arange(len(slid))
    else:
        mixed = by_rank([*hidden, *slid], chance.shuffle)
        if t.recharged and not on_top:
            mixed = raise_back(view, mixed)
        pile[places_of(mixed)] = len(d.waiting) + np.arange(len(mixed))
        if t.below:
            odd = np.array([card in hidden for card in mixed], int)
            pile[places_of(mixed)] = len(d.waiting) + 2 * np.arange(len(mixed)) + odd
    pile[places_of(on_top)] = len(d.waiting) - len(on_top) + np.arange(len(on_top))
    return pile


def bands_in(t: Tables, view: View, last: int, chance: ChanceRanks) -> Table:
    """The same where the deck has bands, A-CHN-4."""
    left, place = unseen_cards(view, set()), 0
    pile: Table = np.full(len(CARDS), GONE, np.uint8)
    for band in t.ruleset.deck.bands:
        cards = [card for card in left if card <= band.last]
        left = left[len(cards) :]
        cards += [LAST_CARD] * (band.with_step_3 and last == IN_DECK)
        for card in cards if band.ordered else by_rank(cards, chance.deck):
            if card == LAST_CARD:
                place = UNDER
            else:
                pile[INDEX[card]] = place
                place += 1
    return pile


def unseen_cards(view: View, known: set[int]) -> list[int]:
    """The cards that are neither face up nor owned nor removed nor otherwise known."""
    shown = view["market"]
    owners = view["players"] + ([view["cartel"]] if "cartel" in view else [])
    plants = [plant for owner in owners for plant in owner["plants"] + owner.get("mines", [])]
    plants += shown["current"] + shown["future"]
    known |= {*map(parse_card, shown["removed"]), *(parse_card(plant["card"]) for plant in plants)}
    return [card for card in CARDS if card not in known]


def by_rank(cards: Sequence[int], rank: Any) -> list[int]:
    return sorted(cards, key=lambda card: int(rank[INDEX.get(card, len(CARDS))]))


def places_of(cards: Sequence[int]) -> list[int]:
    return [INDEX[card] for card in cards]


def removed_in(d: DeckTables, unseen: list[int]) -> list[int]:
    """The cards that were removed at set-up, of each pile; none that is protected, A-GEN-5."""
    aside: list[int] = []
    for pile, count in zip(d.piles, d.removed, strict=True):
        may = [card for card in unseen if (pile & ~d.kept)[INDEX[card]]]
        aside += may[:count]
    return aside


def order_above(t: Tables, d: DeckTables, view: View, hidden: list[int]) -> list[int]:
    """The cards that have not come yet, with what is known about the first of them."""
    first = [card for card in d.on_top if card in hidden]  # C-2.5
    rest = [card for card in hidden if card not in first]
    if t.ruleset.deck.plugs_first:
        rest.sort(key=lambda card: not d.low[INDEX[card]])  # A-RUS-5
    if mixed := [card for card in rest if d.mixed[INDEX[card]]]:
        rest = mix(d, rest, mixed, d.size - len(hidden))  # A-RUS-4
    if len(hidden) == d.size and not t.ruleset.deck.low_on_top:
        rest = raise_card(rest, lambda card: not d.low[INDEX[card]])  # A-EUR-4
    if t.recharged and not first:
        rest = raise_back(view, rest)
    return first + rest


def mix(d: DeckTables, rest: list[int], mixed: list[int], drawn: int) -> list[int]:
    """These cards are among the first ones, of which some have been drawn."""
    others = [card for card in rest if card not in mixed]
    left = int(d.mixed.sum()) + d.mixed_others - drawn
    top = mixed + others[: left - len(mixed)]
    return sorted(top, key=rest.index) + others[left - len(mixed) :]


def raise_back(view: View, cards: list[int]) -> list[int]:
    """A card with the back that everybody sees comes on top, R-14.1."""
    plug = view["market"]["back"] == recharged.PLUG
    return raise_card(cards, lambda card: (card in recharged.PLUGS) == plug)


def raise_card(cards: list[int], fits: Any) -> list[int]:
    """The first card that fits comes on top."""
    first = [card for card in cards if fits(card)][:1]
    return first + [card for card in cards if card not in first]
