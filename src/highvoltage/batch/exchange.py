"""Between a twin state and the engine: the same position in both forms."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from highvoltage.batch.setup import Chance
from highvoltage.batch.state import (
    ASIDE,
    BID,
    BUILD,
    CARTEL,
    EMPTY,
    FUEL,
    GONE,
    IN_DECK,
    IN_MARKET,
    MARK,
    MARKED,
    NOMINATE,
    OVER,
    PLACE,
    REGION,
    RUN,
    SCRAP,
    UNDER,
    USED,
)
from highvoltage.batch.tables import CARDS, CODES, LAST, MARKET, NONE, Table, Tables, number_of
from highvoltage.engine.cards import LAST_CARD
from highvoltage.games.classic.state import BoardState
from highvoltage.games.recharged.state import CARTEL as CARTEL_SEAT
from highvoltage.games.recharged.state import MARK as MARK_SEAT
from highvoltage.games.recharged.state import RechargedState

INDEX = {card: at for at, card in enumerate(CARDS)}
CODE = {card: int(code) for card, code in zip(CARDS, CODES, strict=True)} | {LAST_CARD: LAST}
PHASES = {"regions": REGION, "cartel": PLACE, "marks": MARK}
PHASES |= {"fuel": FUEL, "building": BUILD, "bureaucracy": RUN}
OWNERS = {CARTEL_SEAT: CARTEL, MARK_SEAT: MARKED}


def mode_of(s: BoardState) -> int:
    """What is to be decided."""
    if s.outcome is not None:
        return OVER
    phase = s.rules.phase_names[s.phase]
    if phase in PHASES:
        return PHASES[phase]
    if s.bidding.scrapping is not None:
        return SCRAP
    return NOMINATE if s.bidding.card is None else BID


def cards_of(codes: Sequence[int]) -> list[int]:
    """The numbers of the cards in a row of codes."""
    return [number_of(int(code)) for code in codes if code < NONE]


def codes_of(cards: Sequence[int], size: int) -> list[int]:
    """A row of codes."""
    return [*(CODE[card] for card in cards), *[NONE] * (size - len(cards))]


def fields_of(t: Tables, s: BoardState) -> dict[str, Any]:
    """The fields of a twin state that stand for this position, save for the deck."""
    b, players, seats = s.bidding, s.players, range(t.players)
    placed = [tuple(OWNERS.get(seat, seat) for seat in houses) for houses in s.houses]
    placed += [()] * (t.cities - len(placed))
    slots = range(len(t.house_prices))
    selling = b.card is not None
    fields = {
        "mode": mode_of(s),
        "round": s.round,
        "step": s.step,
        "order": [s.order.index(seat) for seat in seats],
        "money": [player.money for player in players],
        "plants": [codes_of(player.cards, t.limit + 1) for player in players],
        "fuel": [player.fuel for player in players],
        "cities": [len(player.cities) for player in players],
        "supplied": [player.supplied for player in players],
        "slots": [[row[slot] if slot < len(row) else EMPTY for row in placed] for slot in slots],
        "most": s.most_cities,
        "stock": s.stock,
        "supply": s.supply,
        "phased_out": s.phased_out,
        "market": codes_of(s.market.cards, MARKET),
        "token": s.market.discount is not None,
        "last": last_of(s),
        "pending": s.step3_pending,
        "eligible": [seat in b.eligible for seat in seats],
        "card": CODE[b.card] if b.card is not None else NONE,
        "ring": [seat in b.ring for seat in seats],
        "sold": b.sold,
        "demolition": s.demolition,
        "demolished": b.demolished,
    }
    if selling:
        fields |= {"bid": b.bid, "leader": b.leader}
    if mode_of(s) in (PLACE, MARK, FUEL, BUILD, RUN):
        fields["turn"] = s.turn
    if mode_of(s) == REGION:
        names = list(s.rules.map.regions)
        fields["regions"] = sum(1 << names.index(region) for region in s.regions)
    else:
        fields["area"] = t.region_sets.index(s.regions)
    if isinstance(s, RechargedState) and s.cartel is not None:
        fields |= {
            "cartel.plants": codes_of(s.cartel.cards, 3),
            "cartel.fuel": s.cartel.fuel,
            "cartel.reserve": s.cartel.reserve,
            "cartel.done": b.third_done,
        }
    return fields


def last_of(s: BoardState) -> int:
    if LAST_CARD in s.market.deck:
        return IN_DECK
    return IN_MARKET if LAST_CARD in s.market.cards else USED


def reach_of(t: Tables, s: BoardState) -> Table:
    """[seat, city] the cheapest way from each network; 0 in one's own cities."""
    reach = np.zeros((t.players, t.cities), t.ways.dtype)
    for row, player in zip(reach, s.players, strict=True):
        if player.cities:
            row[:] = t.ways[t.region_sets.index(s.regions)][list(player.cities)].min(axis=0)
    return reach


def deck_of(pile: Table, last: int) -> list[int]:
    """The cards of the deck, top first."""
    order = [int(at) for at in np.argsort(pile, kind="stable") if pile[at] < ASIDE]
    above = [CARDS[at] for at in order if pile[at] < UNDER]
    under = [CARDS[at] for at in order if pile[at] >= UNDER]
    return above + [LAST_CARD] * (last == IN_DECK) + under


def pile_of(deck: Sequence[int], aside: Sequence[int]) -> Table:
    """The place of each card, from a deck in order."""
    pile = np.full(len(CARDS), GONE, np.uint8)
    pile[[INDEX[card] for card in aside]] = ASIDE
    under = False
    for at, card in enumerate(deck):
        if card == LAST_CARD:
            under = True
        else:
            pile[INDEX[card]] = at + UNDER * under
    return pile


class Follows:
    """The engine's chance, told what the twin has drawn."""

    def __init__(self, t: Tables, chance: Chance) -> None:
        self.tables = t
        self.chance = chance

    def arrange(self, event: str, items: Sequence[Any], nth: int = 0) -> list[Any]:
        if event == "order":
            places = np.asarray(self.chance.order)
            return sorted(items, key=lambda seat: int(places[seat]))
        named = {"plugs": self.chance.backs, "sockets": self.chance.backs}
        named |= {"deck": self.chance.deck, "step3": self.chance.shuffle}
        places = np.asarray(named[event])
        return sorted(items, key=lambda card: int(places[INDEX[card]]))

    def pick(self, event: str, choices: Sequence[Any], nth: int = 0) -> Any:
        return choices[int(self.chance.area)]
