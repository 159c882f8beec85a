"""Between a twin state and the engine: the same position in both forms."""

from collections.abc import Iterable, Sequence
from functools import cache, partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from highvoltage.batch.cardgame.columns import reshuffled
from highvoltage.batch.cardgame.setup import ChanceRanks
from highvoltage.batch.cardgame.state import CardState
from highvoltage.batch.cardgame.tables import (
    CARDS,
    CODES,
    FUELS,
    LAST,
    LIMIT,
    MARKET,
    NONE,
    STORE,
    TYPES,
    Tables,
    card_of,
    counted,
)
from highvoltage.batch.codes import Table
from highvoltage.batch.decks import deck_of, last_of
from highvoltage.batch.reading import jit_fast
from highvoltage.batch.state import (
    ASIDE,
    BID,
    FUEL,
    IN_DECK,
    NOMINATE,
    OVER,
    RUN,
    SCRAP,
    UNDER,
    USED,
)
from highvoltage.engine.cards import LAST_CARD
from highvoltage.engine.errors import ChanceError
from highvoltage.engine.game import Game
from highvoltage.engine.parts.market import Bidding
from highvoltage.games.cardgame import fuel, phases
from highvoltage.games.cardgame.fuel import Store, Stored
from highvoltage.games.cardgame.state import CardState as EngineState
from highvoltage.games.cardgame.tables import CURRENT_SIZE, LATE_MARKET_SIZE

INDEX = {card: at for at, card in enumerate(CARDS)}
CODE = {card: int(code) for card, code in zip(CARDS, CODES, strict=True)} | {LAST_CARD: LAST}
CARD = {code: card for card, code in CODE.items()}
PHASES = {"fuel": FUEL, "bureaucracy": RUN}


def mode_of(s: EngineState) -> int:
    """What is to be decided."""
    if s.outcome is not None:
        return OVER
    phase = s.rules.phase_names[s.phase]
    if phase in PHASES:
        return PHASES[phase]
    if s.bidding.scrapping is not None:
        return SCRAP
    return NOMINATE if s.bidding.card is None else BID


def cards_of(codes: Any) -> list[int]:
    """The cards in a row of codes."""
    return [CARD[int(code)] for code in codes if code < NONE]


def codes_of(cards: Sequence[int], size: int) -> list[int]:
    """A row of codes."""
    return [*(CODE[card] for card in cards), *[NONE] * (size - len(cards))]


def marked(cards: Iterable[int]) -> list[int]:
    """Fuel cards without the singles."""
    return [card for card in cards if not fuel.is_single(card)]


def singles_of(cards: Iterable[int]) -> list[int]:
    """[fuel] how many singles are among fuel cards."""
    kinds = [fuel.kind(card) for card in cards if fuel.is_single(card)]
    return [kinds.count(kind) for kind in range(FUELS)]


def store_of(store: Store) -> list[int]:
    """A store as the twin keeps it, without singles."""
    row = [
        fuel.kind(card) << 4 | fuel.units(card) << 2 | left
        for card, left in store
        if not fuel.is_single(card)
    ]
    return row + [0] * (STORE - len(row))


def fields_of(t: Tables, s: EngineState) -> dict[str, Any]:
    """The fields of a twin state that stand for this position, save for deck and pile."""
    b, players, seats = s.bidding, s.players, range(t.players)
    fields = {
        "mode": mode_of(s),
        "round": s.round,
        "order": [s.order.index(seat) for seat in seats],
        "money": [player.money for player in players],
        "plants": [codes_of(player.cards, LIMIT + 1) for player in players],
        "fuel": [player.fuel for player in players],
        "income": [player.income for player in players],
        "store": [store_of(player.store) for player in players],
        "singles": [singles_of(card for card, _ in player.store) for player in players],
        "column_1": singles_of(s.columns[0]),
        "columns": [counted(list(column)).tolist() for column in s.columns[1:]],
        "discard": counted(s.discard).tolist(),
        "reshuffles": s.reshuffles,
        "last_round": s.last_round,
        "market": codes_of(s.market.cards, MARKET),
        "token": s.market.discount is not None,
        "last": last_of(s.market),
        "eligible": [seat in b.eligible for seat in seats],
        "card": CODE[b.card] if b.card is not None else NONE,
        "ring": [seat in b.ring for seat in seats],
        "sold": b.sold,
        "demolition": s.demolition,
        "demolished": b.demolished,
    }
    if b.card is not None:
        fields |= {"bid": b.bid, "leader": b.leader}
    if mode_of(s) in (FUEL, RUN):
        fields["turn"] = s.turn
    if s.bank is not None:
        stored = [card for card, _ in s.bank.store]
        fields |= {
            "bank.plants": codes_of(s.bank.cards, LIMIT),
            "bank.cards": counted(marked(stored)).tolist(),
            "bank.singles": singles_of(stored),
            "bank.fuel": fuel.held(s.bank.store),
            "bank.turned": turned_of(s.bank.store),
            "bank.done": b.third_done,
        }
    return fields


def turned_of(store: Store) -> list[int]:
    """[fuel] the units printed on the card that shows less."""
    faces = [0] * FUELS
    for card, left in store:
        if left < fuel.units(card):
            faces[fuel.kind(card)] = fuel.units(card)
    return faces


def spread(counts: Any) -> list[int]:
    """Fuel cards of so many of each type, in the order of a column."""
    return [card_of(type_) for type_ in range(TYPES) for _ in range(int(counts[type_]))]


def fuel_pile_of(shuffled: Table, places: Table, drawn: int) -> list[int]:
    """The fuel cards of the pile, top first."""
    cards = spread(shuffled)
    ordered = sorted(zip(places, cards, strict=False), key=lambda pair: int(pair[0]))
    return [card for _, card in ordered[drawn:]]


class TwinChance:
    """The engine's chance: what the twin has drawn."""

    def __init__(self, t: Tables, chance: ChanceRanks) -> None:
        self.tables = t
        self.chance = chance

    def arrange(self, event: str, items: Sequence[Any], nth: int = 0) -> list[Any]:
        if event == "order":
            return by_place(items, self.chance.order)
        if event == "fuel":
            return by_place(items, self.chance.fuel)
        if event == "reshuffle":
            shuffle = reshuffle_of(self.tables.fuel_cards)
            return by_place(items, shuffle(self.chance.seed, np.int8(nth), np.int8(len(items))))
        named = {"small": self.chance.backs, "large": self.chance.backs}
        named |= {"deck": self.chance.deck, "end": self.chance.end}
        places = np.asarray(named[event])
        return sorted(items, key=lambda card: int(places[INDEX[card]]))

    def pick(self, event: str, choices: Sequence[Any], nth: int = 0) -> Any:
        """Every `ChanceRanks` can pick; the Card Game only ever arranges cards."""
        raise ChanceError(f"The Card Game draws no '{event}'.")


@cache
def reshuffle_of(size: int) -> Any:
    return jit_fast(partial(reshuffled, size=size))


def by_place(items: Sequence[Any], places: Any) -> list[Any]:
    """The items in the order of their places."""
    order = np.argsort(np.asarray(places)[: len(items)])
    return [items[int(at)] for at in order]


def to_game(t: Tables, state: CardState) -> Game:
    """The engine's game at the position of a twin state, to play on from; its log is empty.

    What the position does not say is put in order: plants that have left the game, and those that
    were shuffled at END, stand by number, and singles lie behind the other cards of a store.
    """
    twin: CardState = jax.device_get(state)
    if np.ndim(twin.mode):
        raise ValueError(
            "this is a batch of states; take one of them: jax.tree.map(lambda x: x[0])"
        )
    basic = jnp.arange(int(t.basic.sum()))
    chance = ChanceRanks(twin.order, twin.shuffle, twin.shuffle, twin.shuffle, basic, twin.seed)
    names = [f"Player {seat + 1}" for seat in range(t.players)]
    rules: Any = t.rules  # the game asks for a rulebook of any state
    game = Game(rules, TwinChance(t, chance), names)
    s = game.state
    assert isinstance(s, EngineState)
    mode = int(twin.mode)
    name = next((n for n, m in PHASES.items() if m == mode), "fuel" if mode == OVER else "auction")
    s.phase = s.rules.phase_names.index(name)
    s.round, s.turn = int(twin.round), int(twin.turn)
    s.order = tuple(int(seat) for seat in np.argsort(twin.order))
    s.demolition = int(twin.demolition)
    if twin.last == USED:
        s.end_round = s.round - bool(twin.last_round)
        s.end_in_auction = not twin.last_round
    settle(t, s, twin)
    settle_market(s, twin)
    s.bidding = bidding_of(s, twin, mode)
    s.actor, s.events = int(twin.current_player), []
    if mode == OVER:
        s.actor = None
        phases.finish(s)
    return game


def settle(t: Tables, s: EngineState, twin: CardState) -> None:
    """The fuel market, and what the players and the Bank own."""
    singles = [fuel.single(kind) for kind in range(FUELS)]
    first = [card for card in singles for _ in range(int(twin.column_1[fuel.kind(card)]))]
    s.columns = [tuple(first), *(tuple(spread(column)) for column in twin.columns)]
    s.discard = spread(twin.discard)
    shuffled, places = np.asarray(twin.shuffled), np.asarray(twin.places)
    s.pile = fuel_pile_of(shuffled, places, int(twin.drawn))
    s.reshuffles = int(twin.reshuffles)
    for seat, player in enumerate(s.players):
        player.money, player.income = int(twin.money[seat]), int(twin.income[seat])
        player.cards = tuple(cards_of(twin.plants[seat]))
        row = [int(byte) for byte in twin.store[seat] if byte]
        store = [Stored(fuel.fuel_card(byte >> 4, byte >> 2 & 3), byte & 3) for byte in row]
        player.store = (*store, *loose(twin.singles[seat]))
        player.fuel = fuel.held(player.store)
    out = twin.column_1 + twin.singles.sum(axis=0)
    if s.bank is not None and twin.bank is not None:
        s.bank.cards = tuple(cards_of(twin.bank.plants))
        s.bank.store = bank_store(twin.bank)
        out = out + twin.bank.singles
    s.singles = (t.singles - out).tolist()


def loose(counts: Any) -> list[Stored]:
    """Singles in a store."""
    return [Stored(fuel.single(kind), 1) for kind in range(FUELS) for _ in range(int(counts[kind]))]


def bank_store(bank: Any) -> Store:
    """The Bank's fuel; of one card of a kind some units may be missing."""
    store = [Stored(card, fuel.units(card)) for card in spread(bank.cards)]
    store += loose(bank.singles)
    for kind, face in enumerate(bank.turned):
        if face:
            card = fuel.fuel_card(kind, int(face))
            over = fuel.held(tuple(store))[kind] - int(bank.fuel[kind])
            store[store.index(Stored(card, int(face)))] = Stored(card, int(face) - over)
    return tuple(store)


def settle_market(s: EngineState, twin: CardState) -> None:
    market, pile, last = s.market, np.asarray(twin.pile), int(twin.last)
    market.cards = cards_of(twin.market)
    market.deck = deck_of(CARDS, pile, last)
    market.row = LATE_MARKET_SIZE if last == USED else CURRENT_SIZE
    market.discount = market.cards[0] if twin.token else None
    market.aside = [card for card, place in zip(CARDS, pile, strict=True) if place == ASIDE]
    in_deck = [card for card, place in zip(CARDS, pile, strict=True) if place < ASIDE]
    market.slid = in_deck  # shuffled
    if last == IN_DECK:
        under = [card for card in in_deck if pile[INDEX[card]] >= UNDER]
        market.slid = sorted(under, key=lambda card: int(pile[INDEX[card]]))
    owned = [card for player in s.players for card in player.cards]
    owned += s.bank.cards if s.bank is not None else ()
    seen = {*owned, *market.cards, *in_deck, *market.aside}
    market.removed = [card for card in CARDS if card not in seen] + [LAST_CARD] * (last == USED)


def bidding_of(s: EngineState, twin: CardState, mode: int) -> Bidding:
    b = Bidding()
    seats = len(s.players)
    b.eligible = tuple(seat for seat in s.order if twin.eligible[seat])
    b.sold, b.demolished = int(twin.sold), bool(twin.demolished)
    if twin.card < LAST:
        b.card, b.bid, b.leader = CARD[int(twin.card)], int(twin.bid), int(twin.leader)
        clockwise = ((b.leader + 1 + i) % seats for i in range(seats))
        b.ring = tuple(seat for seat in clockwise if twin.ring[seat])
    b.scrapping = b.leader if mode == SCRAP else None
    if twin.bank is not None:
        b.third_done = bool(twin.bank.done)
    return b
