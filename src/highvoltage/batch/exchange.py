"""Conversion between a twin state and the engine: the same position in both forms."""

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Any

import jax
import numpy as np

from highvoltage.batch.codes import CARDS, FUELS, LAST, NONE, Table, number_of
from highvoltage.batch.decks import deck_of, last_of
from highvoltage.batch.market import slid
from highvoltage.batch.setup import ChanceRanks
from highvoltage.batch.state import (
    ASIDE,
    BID,
    BUILD,
    CARTEL,
    DONE,
    EMPTY,
    FUEL,
    IN_DECK,
    MARK,
    MARKED,
    NO_CITY,
    NO_MARKET,
    NOMINATE,
    OVER,
    PLACE,
    REGION,
    RUN,
    SCRAP,
    USED,
    WAITING,
    State,
)
from highvoltage.batch.tables import Tables
from highvoltage.engine.cards import LAST_CARD
from highvoltage.engine.game import Game
from highvoltage.engine.parts.market import Bidding
from highvoltage.games.classic.phases import settle_area
from highvoltage.games.classic.position import CLOSED
from highvoltage.games.classic.state import BoardState
from highvoltage.games.classic.steps import LAST_STAGE, finish
from highvoltage.games.recharged.state import CARTEL as CARTEL_SEAT
from highvoltage.games.recharged.state import MARK as MARK_SEAT
from highvoltage.games.recharged.state import RechargedState

INDEX = {card: at for at, card in enumerate(CARDS)}
PHASES = {"regions": REGION, "cartel": PLACE, "marks": MARK}
PHASES |= {"fuel": FUEL, "building": BUILD, "bureaucracy": RUN}
OWNERS = {CARTEL_SEAT: CARTEL, MARK_SEAT: MARKED}


def mode_of(s: BoardState) -> int:
    """The decision to be made."""
    if s.outcome is not None:
        return OVER
    phase = s.rules.phase_names[s.phase]
    if phase in PHASES:
        return PHASES[phase]
    if s.bidding.scrapping is not None:
        return SCRAP
    return NOMINATE if s.bidding.card is None else BID


def cards_of(codes: Any) -> list[int]:
    """The numbers of the cards in a row of codes."""
    return [number_of(int(code)) for code in codes if code < NONE]


@lru_cache(maxsize=4096)
def codes_by_card(t: Tables, regions: tuple[str, ...]) -> dict[int, int]:
    """The code of each card with these regions in play."""
    return dict(zip(CARDS, t.codes_by(regions).tolist(), strict=True)) | {LAST_CARD: LAST}


def codes_of(codes: dict[int, int], cards: Sequence[int], size: int) -> list[int]:
    """A row of codes."""
    return [*(codes[card] for card in cards), *[NONE] * (size - len(cards))]


def fields_of(t: Tables, s: BoardState) -> dict[str, Any]:
    """The fields of a twin state for this position, except the deck."""
    b, players, seats = s.bidding, s.players, range(t.players)
    slots = [owners_of(houses, len(t.slot_costs)) for houses in s.houses]
    slots += [owners_of((), len(t.slot_costs))] * (t.cities - len(slots))
    selling = b.card is not None
    codes = codes_by_card(t, () if mode_of(s) == REGION else s.regions)
    fields = {
        "mode": mode_of(s),
        "round": s.round,
        "step": s.step,
        "order": [s.order.index(seat) for seat in seats],
        "money": [player.money for player in players],
        "plants": [codes_of(codes, player.cards, t.limit + 1) for player in players],
        "fuel": [player.fuel for player in players],
        "cities": [len(player.cities) for player in players],
        "supplied": [player.supplied for player in players],
        "slots": list(zip(*slots, strict=True)),
        "most": s.most_cities,
        "stock": s.stock,
        "supply": s.supply,
        "storage": s.storage,
        "trade": s.trade // FUELS,
        "buyers": [s.buyers.index(seat) if seat in s.buyers else DONE for seat in seats],
        "built": s.built,
        "mines": [[card in player.mines for card in t.mine_cards] for player in players],
        "mine_stock": s.mine_stock,
        "shifts": s.shifts if t.shifting is None else np.minimum(s.shifts, t.shifting).tolist(),
        "called": s.step2_pending,
        "stage": s.market.stage,
        "phased_out": s.phased_out,
        "market": codes_of(codes, s.market.cards, t.market),
        "token": s.market.discount is not None,
        "last": last_of(s.market),  # USED where there is none, A-MAN-4
        "pending": s.step3_pending,
        "eligible": [seat in b.eligible for seat in seats],
        "card": codes[b.card] if b.card is not None else NONE,
        "ring": [seat in b.ring for seat in seats],
        "sold": b.sold,
        "demolition": s.demolition,
        "demolished": b.demolished,
    }
    fields = {name: value for name, value in fields.items() if name not in t.lacking_fields}
    if selling:
        fields |= {"bid": b.bid, "leader": b.leader}
    if t.networks is not None:
        most = t.networks.most
        fields["starts"] = [padded(player.starts, most) for player in players]
    if t.token and t.plant_market.lowest_leaves:
        fields["token_left"] = b.token_left
    if t.blocked:
        fields["blocked"] = [city.id in s.blocked for city in t.rules.map.cities]
    if mode_of(s) in (PLACE, MARK, FUEL, BUILD, RUN):
        fields["turn"] = s.turn
    if mode_of(s) == REGION:
        names = list(s.rules.map.regions)
        fields["regions"] = sum(1 << names.index(region) for region in s.regions)
    else:
        fields["area"] = t.region_sets.index(s.regions)
    if isinstance(s, RechargedState) and s.cartel is not None:
        fields |= {
            "cartel.plants": codes_of(codes, s.cartel.cards, 3),
            "cartel.fuel": s.cartel.fuel,
            "cartel.reserve": s.cartel.reserve,
            "cartel.done": b.third_done,
        }
    return fields


def padded(cities: Sequence[int], size: int) -> list[int]:
    return [*cities, *[NO_CITY] * (size - len(cities))]


@cache
def owners_of(houses: tuple[int, ...], size: int) -> tuple[int, ...]:
    """The owners of the slots of one city, cheapest first."""
    return (*(OWNERS.get(seat, seat) for seat in houses), *[EMPTY] * (size - len(houses)))


def reach_of(t: Tables, s: BoardState) -> list[list[int]]:
    """[seat, city] the distance from each network; 0 in own cities, or without any city."""
    area = t.region_sets.index(s.regions)
    return [distances_from(t, area, player.cities) for player in s.players]


@lru_cache(maxsize=4096)
def distances_from(t: Tables, area: int, cities: tuple[int, ...]) -> list[int]:
    """The distance from a network to every city."""
    if not cities:
        return [0] * t.cities
    distances: list[int] = t.distances[area][list(cities)].min(axis=0).tolist()
    return distances


class TwinChance:
    """Chance for the engine that repeats what the twin has drawn."""

    def __init__(self, t: Tables, chance: ChanceRanks) -> None:
        self.tables = t
        self.chance = chance

    def arrange(self, event: str, items: Sequence[Any], nth: int = 0) -> list[Any]:
        if event == "order":
            places = np.asarray(self.chance.order)
            return sorted(items, key=lambda seat: int(places[seat]))
        if event == "blocked":
            cities = [city.id for city in self.tables.rules.map.cities]
            places = np.asarray(self.chance.blocked)
            return sorted(items, key=lambda city: int(places[cities.index(city)]))
        named: dict[str, Any] = {"plugs": self.chance.backs, "sockets": self.chance.backs}
        named |= {"removal": self.chance.backs, "mixed": self.chance.mixed}
        named |= {"deck": self.chance.deck, "pile": self.chance.shuffle}
        named |= {"step3": self.chance.later if nth else self.chance.shuffle}  # A-MEA-5
        places = np.asarray(named[event])
        return sorted(items, key=lambda card: int(places[INDEX.get(card, len(CARDS))]))

    def pick(self, event: str, choices: Sequence[Any], nth: int = 0) -> Any:
        return choices[int(self.chance.area)]


def to_game(t: Tables, state: State) -> Game:
    """The engine's game at the position of a twin state, ready to be played on; its log is empty.

    What the position does not record is put in a fixed order: removed cards, cards shuffled at the
    Step 3 card and the cities of a player are sorted by number, and the regions chosen so far in a
    draft as on the map.
    """
    host: State = jax.device_get(state)
    if np.ndim(host.mode):
        raise ValueError(
            "this is a batch of states; take one of them: jax.tree.map(lambda x: x[0])"
        )
    ranks: Any = np.append(host.shuffle, len(CARDS))
    later: Any = None if host.later is None else np.append(host.later, len(CARDS))
    cities: Any = np.arange(t.cities)
    chance = ChanceRanks(host.order, host.area, ranks, ranks, ranks, ranks, later, cities)
    names = [f"Player {seat + 1}" for seat in range(t.players)]
    game = Game(t.rules, TwinChance(t, chance), names)
    s = game.state
    assert isinstance(s, BoardState)
    mode = int(host.mode)
    s.phase = s.rules.phase_names.index(
        next((n for n, m in PHASES.items() if m == mode), "auction")
    )
    if mode == OVER:
        s.phase = s.rules.phase_names.index("building")
    s.round, s.step, s.turn = int(host.round), int(host.step), int(host.turn)
    s.order = tuple(int(seat) for seat in np.argsort(host.order))
    fill_fuel_market(s, host)
    s.most_cities, s.demolition = int(host.most), int(host.demolition)
    s.step3_pending, s.phased_out = bool(host.pending), bool(host.phased_out)
    s.step2_pending = host.called is not None and bool(host.called)
    fill_state(t, s, host, mode)
    fill_market(t, s, host)
    s.bidding = bidding_of(s, host, mode)
    if isinstance(s, RechargedState) and s.cartel is not None and host.cartel is not None:
        s.cartel.cards = tuple(cards_of(host.cartel.plants))
        s.cartel.fuel = tuple(host.cartel.fuel.tolist())
        s.cartel.reserve = int(host.cartel.reserve)
        s.bidding.third_done = bool(host.cartel.done)
    s.actor, s.events = int(host.current_player), []
    if mode == OVER:
        s.actor = None
        s.mine_stock = len(t.mine_prices) if t.has_mines else 0  # all have sold, A-AUS-8
        finish(s)
    if host.mine_stock is not None:
        s.mine_stock = int(host.mine_stock)
    return game


def fill_fuel_market(s: BoardState, host: State) -> None:
    """What is on the market, and what only some boards have beside it."""
    s.stock, s.supply = host.stock.tolist(), host.supply.tolist()
    if host.storage is not None:
        s.storage = tuple(host.storage.tolist())
    if host.buyers is not None:
        waiting = [seat for seat in np.argsort(host.buyers) if host.buyers[seat] < DONE]
        s.buyers = tuple(map(int, waiting))
    if host.built is not None:
        s.built = int(host.built)
    if host.shifts is not None:
        s.shifts = tuple(host.shifts.tolist())
    if host.trade is not None:
        s.trade = max(NO_MARKET, FUELS * int(host.trade))


def fill_state(t: Tables, s: BoardState, host: State, mode: int) -> None:
    """Regions, houses and what the players own."""
    if mode == REGION:
        bits = int(host.regions)
        s.regions = tuple(n for at, n in enumerate(s.rules.map.regions) if bits >> at & 1)
    else:
        if host.blocked is not None:
            places = zip(s.rules.map.cities, host.blocked, strict=True)
            s.blocked = frozenset(city.id for city, blocked in places if blocked)
        settle_area(s, t.region_sets[int(host.area)])
        back = {CARTEL: CARTEL_SEAT, MARKED: MARK_SEAT}
        columns = host.slots.T.tolist()[: len(s.houses)]
        s.houses = [
            tuple(back.get(owner, owner) for owner in slots if owner != EMPTY) for slots in columns
        ]
        s.rules.sites.price(s)
    for seat, player in enumerate(s.players):
        player.money, player.supplied = int(host.money[seat]), int(host.supplied[seat])
        player.cards = tuple(cards_of(host.plants[seat]))
        player.fuel = tuple(host.fuel[seat].tolist())
        player.cities = tuple(c for c, houses in enumerate(s.houses) if seat in houses)
        player.mask = sum(1 << city for city in player.cities)
        if host.mines is not None:
            owned = zip(t.mine_cards, host.mines[seat], strict=True)
            player.mines = tuple(sorted(card for card, has in owned if has))
        if host.starts is not None:
            player.starts = tuple(int(city) for city in host.starts[seat] if city != NO_CITY)
        if player.cities:
            distances = zip(*(s.area.distance[city] for city in player.cities), strict=True)
            reach = [min(each) for each in distances]
            player.reach = [CLOSED if c in player.cities else d for c, d in enumerate(reach)]


def fill_market(t: Tables, s: BoardState, host: State) -> None:
    market, pile, last = s.market, np.asarray(host.pile), int(host.last)
    market.cards = cards_of(host.market)
    market.deck = deck_of(CARDS, pile, last)
    market.row = t.plant_market.step_3 if last == USED else t.plant_market.current
    if host.stage is not None:
        market.stage = int(host.stage)
        market.pile = tuple(c for c, place in zip(CARDS, pile, strict=True) if place == WAITING)
        everything = market.stage == LAST_STAGE
        market.row = t.ruleset.market_size if everything else t.plant_market.current
    market.discount = market.cards[0] if host.token else None
    market.aside = [card for card, place in zip(CARDS, pile, strict=True) if place == ASIDE]
    seen: Table = np.asarray(slid(t, host))
    market.slid = [card for card in market.deck if card != LAST_CARD and seen[INDEX[card]]]
    if last != IN_DECK:
        market.slid.sort()  # shuffled
    market.waiting = tuple(card for card in t.waiting if pile[INDEX[card]] == WAITING)
    owned = {number_of(int(code)) for code in np.ravel(host.plants)}
    owned |= {card for player in s.players for card in player.mines}
    if host.cartel is not None:
        owned |= {number_of(int(code)) for code in host.cartel.plants}
    located = {*owned, *market.cards, *market.deck, *market.aside, *market.waiting, *market.pile}
    market.removed = [card for card in CARDS if card not in located]
    if last == USED and host.stage is None:
        market.removed.append(LAST_CARD)


def bidding_of(s: BoardState, host: State, mode: int) -> Bidding:
    b = Bidding()
    seats = len(s.players)
    b.eligible = tuple(seat for seat in s.order if host.eligible[seat])
    b.sold, b.demolished = int(host.sold), bool(host.demolished)
    b.token_left = host.token_left is not None and bool(host.token_left)
    if host.card < LAST:
        b.card, b.bid, b.leader = number_of(int(host.card)), int(host.bid), int(host.leader)
        clockwise = ((b.leader + 1 + i) % seats for i in range(seats))
        b.ring = tuple(seat for seat in clockwise if host.ring[seat])
    b.scrapping = b.leader if mode == SCRAP else None
    return b
