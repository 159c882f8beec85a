"""Positions of the card game, set up and shown as the rules write them.

Plants are written as in moves (`4b`; END is `end`), fuel cards as `coal3`, singles as `coal`, and a
stored card turned down as `coal3/2`.
"""

from collections.abc import Mapping
from typing import Any

import highvoltage as hv
from highvoltage.engine.cards import LAST_CARD, label, parse_card
from highvoltage.games.cardgame import fuel, tables
from highvoltage.games.cardgame.fuel import Store, Stored
from highvoltage.games.cardgame.state import CardState

PLAYERS = (2, 3, 4, 5, 6)


def state(game: hv.Game) -> CardState:
    assert isinstance(game.state, CardState)
    return game.state


def plants(text: str) -> list[int]:
    return [LAST_CARD if word == "end" else parse_card(word) for word in text.split()]


def fuel_cards(text: str) -> list[int]:
    return [fuel.CARDS[word] for word in text.split()]


def stored(text: str) -> Store:
    cards = [word.partition("/")[::2] for word in text.split()]
    return tuple(
        Stored(fuel.CARDS[card], int(left) if left else fuel.units(fuel.CARDS[card]))
        for card, left in cards
    )


def game_at(
    players: int = 3,
    *,
    market: str | None = None,
    deck: str | None = None,
    money: int | Mapping[int, int] = 50,
    own: Mapping[int, str] | None = None,
    store: Mapping[int, str] | None = None,
    columns: Mapping[int, str] | None = None,
    pile: str | None = None,
    discard: str | None = None,
    reshuffles: int = 0,
    bank: str = "",
    bank_store: str = "",
    income: Mapping[int, int] | None = None,
    round: int = 2,  # noqa: A002  # the word of the game
    end_round: int = 0,
    end_in_auction: bool = False,
    phase: str = "auction",
    order: tuple[int, ...] | None = None,
    demolished: int = 0,
    chance: hv.Chance | None = None,
    **options: Any,
) -> hv.Game:
    """A game at the start of a phase. What is not given stays as it was set up.

    Plants that are nowhere count as removed at set-up; END goes under a deck that does not name it
    unless it has been resolved.
    """
    game = hv.new("cardgame", players=players, seed=1, **options)
    s = state(game)
    s.chance = chance or s.chance
    s.round, s.end_round, s.end_in_auction = round, end_round, end_in_auction
    s.order = order or tuple(range(players))
    s.reshuffles, s.demolition = reshuffles, demolished
    for seat, player in enumerate(s.players):
        player.money = money if isinstance(money, int) else money.get(seat, 50)
        player.cards = tuple(sorted(plants((own or {}).get(seat, "")), key=lambda c: (c % 100, c)))
        player.store = stored((store or {}).get(seat, ""))
        player.fuel = fuel.held(player.store)
        player.income = (income or {}).get(seat, 0)
    if s.bank:
        s.bank.cards, s.bank.store = tuple(plants(bank)), stored(bank_store)
    lay_plants(s, market, deck)
    lay_fuel(s, columns, pile, discard)
    s.phase = s.rules.phase_names.index(phase)
    s.events = []
    game.rules.phases[s.phase].begin(s)
    game.rules.advance(s)
    game.log.clear()
    game._start = s.copy()
    return game


def lay_plants(s: CardState, market: str | None, deck: str | None) -> None:
    m = s.market
    m.discount = None
    m.row = tables.LATE_MARKET_SIZE if s.end_round else tables.CURRENT_SIZE
    owned = {card for player in s.players for card in player.cards}
    owned |= {*s.bank.cards} if s.bank else set()
    known = [*owned, *plants(market or ""), *plants(deck or "")]
    cards = [card for card in s.rules.cards.plants if card not in known]
    size = 6 if s.end_round else 8
    m.cards = cards[:size] if market is None else plants(market)
    cards = [card for card in cards if card not in m.cards]
    m.deck = cards[:20] if deck is None else plants(deck)
    if not s.end_round and LAST_CARD not in {*m.deck, *m.cards}:
        m.deck.append(LAST_CARD)
    m.slid = m.deck[m.deck.index(LAST_CARD) + 1 :] if LAST_CARD in m.deck else []
    m.aside = [card for card in cards if card not in m.deck]
    m.removed = [LAST_CARD] if s.end_round else []


def lay_fuel(
    s: CardState, columns: Mapping[int, str] | None, pile: str | None, discard: str | None
) -> None:
    if columns is not None:
        s.columns = [tuple(sorted(fuel_cards(columns.get(n, "")))) for n in (1, 2, 3, 4)]
    s.pile = s.pile if pile is None else fuel_cards(pile)
    s.discard = s.discard if discard is None else fuel_cards(discard)
    cards = [card for player in s.players for card, _ in player.store]
    cards += [card for card, _ in s.bank.store] if s.bank else []
    for card in (*s.columns[0], *cards):
        if fuel.is_single(card):
            s.singles[fuel.kind(card)] -= 1


# Shown


def market(game: hv.Game) -> str:
    """The plant market as `3* 4 6 7 | 8 9 10 12`, in one row once all are on offer."""
    s = state(game)
    marked = s.market.discount
    cards = [
        "END" if card == LAST_CARD else label(card) + "*" * (card == marked)
        for card in s.market.cards
    ]
    if s.end_round:
        return " ".join(cards)
    return f"{' '.join(cards[:4])} | {' '.join(cards[4:])}"


def removed(game: hv.Game) -> str:
    """The plants that have left the game face up, in order."""
    return " ".join(label(card) for card in state(game).market.removed if card != LAST_CARD)


def column(game: hv.Game, number: int) -> str:
    return " ".join(map(fuel.name, state(game).columns[number - 1]))


def store(game: hv.Game, seat: int) -> str:
    return show_store(state(game).players[seat].store)


def bank_store(game: hv.Game) -> str:
    third = state(game).bank
    assert third is not None
    return show_store(third.store)


def show_store(cards: Store) -> str:
    return " ".join(
        fuel.name(card) + (f"/{left}" if left < fuel.units(card) else "") for card, left in cards
    )


def discard(game: hv.Game) -> str:
    return " ".join(map(fuel.name, sorted(state(game).discard)))


def own(game: hv.Game, seat: int) -> str:
    return " ".join(map(label, state(game).players[seat].cards))


def bank(game: hv.Game) -> str:
    third = state(game).bank
    assert third is not None
    return " ".join(map(label, third.cards))


def money(game: hv.Game) -> list[int]:
    return [player.money for player in state(game).players]


def row(game: hv.Game) -> tuple[int, ...]:
    """The turn order; with two players the Bank is between them."""
    return state(game).order


def rooms(game: hv.Game, seat: int) -> dict[str, int]:
    room: dict[str, int] = game.view(seat)["players"][seat]["room"]
    return room
