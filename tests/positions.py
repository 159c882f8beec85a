"""Set up positions of the board games and play them; for every rulebook built on the 2004 one.

Seats and cards are numbers (S3 is `LAST_CARD`); cities and fuels are named as in moves.
"""

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any

import pytest

import highvoltage as hv
from highvoltage.engine.cards import LAST_CARD
from highvoltage.engine.parts.market import Bidding, CardMarket, MarketState
from highvoltage.games.classic import tables
from highvoltage.games.classic.position import CLOSED
from highvoltage.games.classic.state import BoardState

IDLE = ("pass", "done", "run nothing")


def board(game: hv.Game) -> BoardState:
    """The state of a board game."""
    assert isinstance(game.state, BoardState)
    return game.state


def position(
    game: hv.Game,
    *,
    market: Sequence[int] | None = None,
    deck: Sequence[int] | None = None,
    money: int | Mapping[int, int] | None = None,
    plants: Mapping[int, Sequence[int]] | None = None,
    fuel: Mapping[int, Mapping[str, int]] | None = None,
    cities: Mapping[int, int | Sequence[str]] | None = None,
    stock: Mapping[str, int] | None = None,
    step: int = 1,
    round: int = 2,  # noqa: A002  # the word of the game
    phase: str = "auction",
    order: Sequence[int] | None = None,
) -> hv.Game:
    """Change a new game, in place, into the given position at the start of a phase; return it.

    - `market` and `deck` (top first) are exactly these; in Steps 1 and 2 S3 goes to the bottom of
      a deck that does not name it. Without `market`, cards owned or too small are replaced.
    - `cities` are named, or so many that have room.
    - `fuel` is on plants, `stock` on the market, the rest of all tokens is the supply.
    - Cards that are nowhere count as removed at set-up. What is not given stays as it was.
    """
    s = board(game)
    s.step, s.round = step, round
    s.order = s.order if order is None else tuple(order)
    for seat, player in enumerate(s.players):
        if money is not None:
            player.money = money if isinstance(money, int) else money.get(seat, player.money)
        if plants is not None:
            player.cards = tuple(sorted(plants.get(seat, ())))
    _set_cities(s, cities or {})
    _set_fuel(s, fuel or {}, stock or {})
    _set_cards(s, market, deck)
    s.events = []
    s.phase = s.rules.phase_names.index(phase)
    game.rules.phases[s.phase].begin(s)
    game.rules.advance(s)
    game.log.clear()
    game._start = s.copy()
    return game


def market_of(game: hv.Game) -> CardMarket:
    """The card market of any game."""
    assert isinstance(game.state, MarketState)
    return game.state.market


def bidding_of(game: hv.Game) -> Bidding:
    """The auctions of any game."""
    assert isinstance(game.state, MarketState)
    return game.state.bidding


def classic(
    players: int = 3,
    *,
    map: str = "germany",  # noqa: A002  # the word of the game
    regions: str | Sequence[str] = "random",
    chance: hv.Chance | None = None,
    **fields: Any,
) -> hv.Game:
    """A position of the 2004 edition."""
    game = hv.new("classic", map=map, players=players, seed=1, regions=regions, chance=chance)
    return position(game, **fields)


def _set_cities(s: BoardState, cities: Mapping[int, int | Sequence[str]]) -> None:
    for seat, wanted in cities.items():
        if isinstance(wanted, int):
            free = [city for city, houses in enumerate(s.houses) if len(houses) < s.step]
            free = [city for city in free if s.area.cities[city] not in s.blocked]
            chosen = free[:wanted]
            assert len(chosen) == wanted, "not so many cities have room"
        else:
            chosen = [s.area.index[city] for city in wanted]
        for city in chosen:
            s.houses[city] = (*s.houses[city], seat)
        player = s.players[seat]
        player.cities = tuple(chosen)
        player.mask = sum(1 << city for city in chosen)
        player.starts = tuple(chosen[:1])
        if chosen:
            player.reach = [
                CLOSED if city in chosen else min(s.area.distance[own][city] for own in chosen)
                for city in range(len(s.houses))
            ]
    s.most_cities = max(len(player.cities) for player in s.players)
    s.rules.sites.price(s)


def _set_fuel(
    s: BoardState, fuel: Mapping[int, Mapping[str, int]], stock: Mapping[str, int]
) -> None:
    for kind, name in enumerate(tables.FUELS):
        tokens = s.stock[kind] + s.supply[kind] + sum(player.fuel[kind] for player in s.players)
        for seat, held in fuel.items():
            now = list(s.players[seat].fuel)
            now[kind] = held.get(name, 0)
            s.players[seat].fuel = tuple(now)
        left = tokens - sum(player.fuel[kind] for player in s.players)
        s.stock[kind] = stock.get(name, min(s.stock[kind], left))
        s.supply[kind] = left - s.stock[kind]
        assert s.supply[kind] >= 0, f"more {name} than there are tokens"


def _set_cards(s: BoardState, market: Sequence[int] | None, deck: Sequence[int] | None) -> None:
    m = s.market
    m.row = s.rules.plant_market.step_3 if s.step == 3 else s.rules.plant_market.current
    owned = {card for player in s.players for card in player.cards}
    rest = [card for card in m.deck if card not in owned] if deck is None else list(deck)
    if market is None:
        size = s.rules.plant_market.step_3 if s.step == 3 else len(m.cards)
        stays = [card for card in m.cards if card not in {*owned, *rest}]
        first = [card for card in stays if not s.rules.rejects(s, card)][:size]
        while len(first) < size and rest and rest[0] != LAST_CARD:
            card = rest.pop(0)
            first += [] if s.rules.rejects(s, card) else [card]
        market = first
    rest = [card for card in rest if card not in market]
    if s.step == 3:
        rest = [card for card in rest if card != LAST_CARD]
    elif LAST_CARD not in {*rest, *market} and not s.rules.plant_market.three_stages:
        rest.append(LAST_CARD)
    m.cards = sorted(market)
    m.deck = rest
    m.slid = rest[rest.index(LAST_CARD) + 1 :] if LAST_CARD in rest else []
    m.waiting = tuple(card for card in m.waiting if card not in {*m.cards, *m.deck, *owned})
    known = [*m.cards, *m.deck, *m.waiting, *owned]
    gone = {*tables.PLANTS, LAST_CARD} - {*known}
    assert len(gone) + len(known) == 43, "a card is in two places"
    m.aside = sorted(gone - {LAST_CARD})
    with_steps = not s.rules.plant_market.three_stages
    m.removed = [LAST_CARD] if LAST_CARD in gone and with_steps else []


# Driving a game


def play(game: hv.Game, *moves: str) -> None:
    """Play the moves, given as texts."""
    for move in moves:
        game.play(move)


def idle(game: hv.Game, phase: str | None = None) -> None:
    """Everybody buys, builds and runs nothing to the end of this phase, or until `phase`."""
    was = game.phase
    while game.outcome is None and (game.phase == was if phase is None else game.phase != phase):
        choices = set(map(str, game.legal_moves.choices))
        game.play(next(move for move in IDLE if move in choices))


def wander(game: hv.Game, seed: int) -> Iterator[hv.Game]:
    """Play at random, every bid at its lowest, and stop after each move until the game is over."""
    chance = Random(seed)
    while game.outcome is None:
        game.play(chance.choice(game.legal_moves.choices))
        yield game


def legal(game: hv.Game) -> set[str]:
    """The legal moves as texts."""
    return set(map(str, game.legal_moves))


def offers(game: hv.Game) -> tuple[list[int], list[int]]:
    """The plant market: current and future."""
    market = board(game).market
    return market.offer, market.future


def refuses(game: hv.Game, move: str, code: str, rule: str) -> None:
    """The move is refused for this reason, is not among the legal ones, and changes nothing."""
    assert move not in legal(game)
    before = game.view(game.to_move)
    with pytest.raises(hv.IllegalMove) as caught:
        game.play(move)
    assert (caught.value.code, caught.value.rule) == (code, rule)
    assert game.view(game.to_move) == before
