"""Between a twin state and the engine: the same position in both forms."""

from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from highvoltage.batch.cardgame.exchange import by_place
from highvoltage.batch.decks import deck_of, last_of
from highvoltage.batch.outpost.setup import ChanceRanks
from highvoltage.batch.outpost.state import BITS, COMPANY, NOBODY, VALUES, OutpostState
from highvoltage.batch.outpost.syndicate import NEVER
from highvoltage.batch.outpost.tables import (
    CARDS,
    COLONIES,
    INDEX,
    KINDS,
    LAST,
    NONE,
    PLACES,
    SPACES,
    TWINS,
    Tables,
)
from highvoltage.batch.state import (
    ASIDE,
    BID,
    IN_DECK,
    NOMINATE,
    OVER,
    PLACE,
    RUN,
    UNDER,
    USED,
)
from highvoltage.engine.cards import LAST_CARD
from highvoltage.engine.game import Game
from highvoltage.engine.parts.market import Bidding
from highvoltage.games.outpost import company, pieces, tables
from highvoltage.games.outpost.board import Planet
from highvoltage.games.outpost.state import CLOSED, FREE, SYNDICATE, Company
from highvoltage.games.outpost.state import OutpostState as EngineState

PHASES = {"syndicate": PLACE, "company": COMPANY, "bureaucracy": RUN}
CARD = {at: card for card, at in INDEX.items()}
MAKERS = ("", *company.MAKERS)


def mode_of(s: EngineState) -> int:
    """What is to be decided."""
    if s.outcome is not None:
        return OVER
    phase = s.rules.phase_names[s.phase]
    if phase in PHASES:
        return PHASES[phase]
    return NOMINATE if s.bidding.card is None else BID


def companies_of(s: EngineState) -> list[Company]:
    """The players' companies, and the Syndicate."""
    return [*s.players, *([s.syndicate] if s.syndicate else [])]


def row_of(cards: Sequence[int], size: int) -> list[int]:
    """Cards as the twin keeps them, in a row of a fixed size."""
    return [*(INDEX[card] for card in cards), *[NONE] * (size - len(cards))]


def counted(tokens: Sequence[int]) -> int:
    """Discount tokens, counted by value.

    >>> counted([1, 2, 1]) == 2 + (1 << BITS)
    True
    """
    return sum(1 << BITS * VALUES.index(value) for value in tokens)


def company_index(t: Tables, seat: int) -> int:
    return {SYNDICATE: t.players, FREE: NOBODY}.get(seat, seat)


def fields_of(t: Tables, s: EngineState) -> dict[str, Any]:
    """The fields of a twin state that stand for this position, save for the deck."""
    b, players, seats, owners = s.bidding, s.players, range(t.players), companies_of(s)
    market, unused = s.market, t.cities - len(s.stations)
    stacks = [row_of([card, *reversed(market.below.get(card, ()))], TWINS) for card in market.cards]
    tokens = [counted(market.tokens.get(card, ())) for card in market.cards]
    owned = {card: at for at, owner in enumerate(owners) for card in owner.cards}
    settled = {pair for owner in owners for pair in owner.colonies}
    slots = [[*there, *[FREE] * 3] for there in s.stations]
    auction = s.rules.phase_names.index("auction")
    fields = {
        "mode": mode_of(s),
        "round": s.round,
        "step": s.step,
        "pending": s.step3_pending,
        "second": s.round == 1 and s.phase > auction,
        "stage": s.stage,
        "replaced": [card in s.replaced for card in CARDS],
        "order": [s.order.index(seat) for seat in seats],
        "money": [player.money for player in players],
        "market": stacks + [[NONE] * TWINS] * (PLACES - len(stacks)),
        "tokens": tokens + [0] * (PLACES - len(tokens)),
        "row": market.row,
        "last": last_of(s.market),
        "eligible": [seat in b.eligible for seat in seats],
        "card": NONE if b.card is None else INDEX[b.card],
        "ring": [seat in b.ring for seat in seats],
        "sold": b.sold,
        "owner": [owned.get(card, NOBODY) for card in CARDS],
        "board": [
            [card for cards in owner.board for card in row_of(cards, SPACES)] for owner in owners
        ],
        "network": [owner.network for owner in owners],
        "opened": [owner.open for owner in owners],
        "settled": [
            [(CARDS[card], piece) in settled for piece in pieces.PIECES] for card in COLONIES
        ],
        "humans": [owner.humans for owner in owners],
        "robots": [player.robots for player in players],
        "busy": [MAKERS.index(player.busy) for player in players],
        "powered": [player.powered for player in players],
        "labour": s.labour,
        "supply": s.robots,
        "area": t.areas.index(s.planet.areas),
        "built": [owner.structure > 0 for owner in owners],
        "distance": [[*owner.reach, *[0] * unused] for owner in owners],
        "stations": [
            [*(company_index(t, there[slot]) for there in slots), *[NOBODY] * unused]
            for slot in range(len(tables.STATION_PRICES))
        ],
        "special": [*(company_index(t, seat) for seat in s.specials), *[NOBODY] * unused],
    }
    if b.card is not None:
        fields |= {"bid": b.bid, "leader": b.leader}
    if mode_of(s) in PHASES.values():
        fields["turn"] = s.turn
    if s.syndicate is not None:
        cards = s.syndicate.cards
        fields |= {
            "syndicate.taken": [cards.index(card) if card in cards else NEVER for card in CARDS],
            "syndicate.done": b.third_done,
            "syndicate.choices": [city in s.choices for city in range(t.cities)],
        }
    return fields


class TwinChance:
    """The engine's chance: what the twin has drawn."""

    def __init__(self, t: Tables, chance: ChanceRanks) -> None:
        self.tables = t
        self.chance = chance

    def arrange(self, event: str, items: Sequence[Any], nth: int = 0) -> list[Any]:
        if event == "order":
            return by_place(items, self.chance.order)
        if event == "tokens":
            return by_place(items, self.chance.tokens)
        named = {"plugs": self.chance.backs, "sockets": self.chance.backs}
        named |= {"deck": self.chance.deck, "step3": self.chance.shuffle}
        places = np.asarray(named[event])
        return sorted(items, key=lambda card: int(places[INDEX[card]]))

    def pick(self, event: str, choices: Sequence[Any], nth: int = 0) -> Any:
        return choices[int(self.chance.area)]


def to_game(t: Tables, state: OutpostState) -> Game:
    """The engine's game at the position of a twin state, to play on from; its log is empty.

    What the position does not say is put in order: the cities and Colony pieces of a company,
    tokens on a card, cards that have left the game or were shuffled.
    """
    twin: OutpostState = jax.device_get(state)
    if np.ndim(twin.mode):
        raise ValueError(
            "this is a batch of states; take one of them: jax.tree.map(lambda x: x[0])"
        )
    any_order = jnp.arange(len(t.tokens))
    cards = (twin.shuffle, twin.shuffle, twin.shuffle)
    chance = ChanceRanks(twin.order, twin.area, any_order, *cards)
    names = [f"Player {seat + 1}" for seat in range(t.players)]
    rules: Any = t.rules  # the game asks for a rulebook of any state
    game = Game(rules, TwinChance(t, chance), names)
    s = game.state
    assert isinstance(s, EngineState)
    mode = int(twin.mode)
    after = "company" if mode == OVER else "auction"
    name = next((n for n, m in PHASES.items() if m == mode), after)
    s.phase = s.rules.phase_names.index(name) + bool(name == "auction" and twin.second)
    s.round, s.turn, s.step = int(twin.round), int(twin.turn), int(twin.step)
    s.stage, s.step3_pending = int(twin.stage), bool(twin.pending)
    s.replaced = tuple(CARDS[at] for at in np.flatnonzero(twin.replaced))
    s.order = tuple(int(seat) for seat in np.argsort(twin.order))
    s.labour, s.robots = int(twin.labour), int(twin.supply)
    settle_planet(t, s, twin)
    for at, owner in enumerate(companies_of(s)):
        settle_company(t, s, twin, owner, at)
    settle_market(s, twin)
    s.bidding = bidding_of(s, twin)
    s.actor, s.events = int(twin.current_player), []
    if mode == OVER:
        s.actor = None
        company.finish(s)
    return game


def seat_of(t: Tables, owner: Any) -> int:
    """The engine's number of a company."""
    return {t.players: SYNDICATE, NOBODY: FREE}.get(int(owner), int(owner))


def settle_planet(t: Tables, s: EngineState, twin: OutpostState) -> None:
    """The planet and what is built on it."""
    area = int(twin.area)
    s.planet = Planet(t.rules.map, t.areas[area], [int(cost) for cost in twin.links])
    cities = range(len(s.planet.cities))
    s.stations = [
        tuple(seat_of(t, owner) for owner in twin.stations[:, city] if owner != NOBODY)
        for city in cities
    ]
    s.specials = [seat_of(t, twin.special[city]) for city in cities]
    s.slots = [pieces.slot_price(s, city) for city in cities]
    plants, habitats = (
        tuple(c for c in cities if s.specials[c] == FREE and s.planet.kinds[c] == kind)
        for kind in tables.KINDS
    )
    s.free = plants, habitats
    s.choices = ()
    if twin.syndicate is not None:
        s.choices = tuple(city for city in cities if twin.syndicate.choices[city])


def settle_company(t: Tables, s: EngineState, twin: OutpostState, owner: Company, at: int) -> None:
    """What one company owns."""
    cards = [card for n, card in enumerate(CARDS) if twin.owner[n] == at]
    if owner is s.syndicate and twin.syndicate is not None:
        taken = twin.syndicate.taken
        cards.sort(key=lambda card: int(taken[INDEX[card]]))
    else:
        owner.money, owner.powered = int(twin.money[at]), int(twin.powered[at])
        owner.robots, owner.busy = int(twin.robots[at]), MAKERS[int(twin.busy[at])]
    owner.cards = tuple(cards)
    plants, habitats = (
        tuple(CARDS[card] for card in half if card < LAST)
        for half in twin.board[at].reshape(KINDS, SPACES)
    )
    owner.board = plants, habitats
    owner.network, owner.humans = int(twin.network[at]), int(twin.humans[at])
    owner.open = int(twin.opened[at][0]), int(twin.opened[at][1])
    owner.colonies = tuple(
        (CARDS[card], piece)
        for colony, card in enumerate(COLONIES)
        if twin.owner[card] == at
        for n, piece in enumerate(pieces.PIECES)
        if twin.settled[colony, n]
    )
    seat = seat_of(t, at)
    cities = range(len(s.planet.cities))
    owner.cities = tuple(city for city in cities if seat in s.stations[city])
    owner.structure = sum(
        1 << city for city in cities if seat in s.stations[city] or seat == s.specials[city]
    )
    owner.reach = [int(way) for way in twin.distance[at][: len(cities)]]
    owner.station_reach = [
        CLOSED if city in owner.cities else way for city, way in enumerate(owner.reach)
    ]


def settle_market(s: EngineState, twin: OutpostState) -> None:
    market, pile, last = s.market, np.asarray(twin.pile), int(twin.last)
    stacks = [[CARD[int(card)] for card in row if card < NONE] for row in twin.market]
    market.cards = [stack[0] for stack in stacks if stack]
    market.below = {stack[0]: tuple(stack[:0:-1]) for stack in stacks if len(stack) > 1}
    market.tokens = {
        stack[0]: tuple(
            value for at, value in enumerate(VALUES) for _ in range(int(tokens) >> BITS * at & 7)
        )
        for stack, tokens in zip(stacks, twin.tokens, strict=True)
        if tokens
    }
    market.row = int(twin.row)
    market.room = tables.PLACES_IN_STEP_3 if last == USED else tables.PLACES
    market.deck = deck_of(CARDS, pile, last)
    market.aside = [card for card, place in zip(CARDS, pile, strict=True) if place == ASIDE]
    in_deck = [card for card, place in zip(CARDS, pile, strict=True) if place < ASIDE]
    market.slid = in_deck  # shuffled
    if last == IN_DECK:
        under = [card for card in in_deck if pile[INDEX[card]] >= UNDER]
        market.slid = sorted(under, key=lambda card: int(pile[INDEX[card]]))
    owned = [card for owner in companies_of(s) for card in owner.cards]
    seen = {*owned, *(card for stack in stacks for card in stack), *in_deck, *market.aside}
    market.removed = [card for card in CARDS if card not in seen] + [LAST_CARD] * (last == USED)


def bidding_of(s: EngineState, twin: OutpostState) -> Bidding:
    b = Bidding()
    seats = len(s.players)
    b.eligible = tuple(seat for seat in s.order if twin.eligible[seat])
    b.sold = int(twin.sold)
    if twin.card < LAST:
        b.card, b.bid, b.leader = CARD[int(twin.card)], int(twin.bid), int(twin.leader)
        clockwise = ((b.leader + 1 + i) % seats for i in range(seats))
        b.ring = tuple(seat for seat in clockwise if twin.ring[seat])
    if twin.syndicate is not None:
        b.third_done = bool(twin.syndicate.done)
    return b
