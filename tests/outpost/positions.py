"""Positions of Outpost, set up and shown as the rules write them.

Cards are written as in moves (`26b`; the Step 3 card is `S3`), cities by id, and a market as
`[3 4 5x2(-3) 7 | 9 9 11 14]`: stacks, and the value of the discount tokens on them (O-0.4).
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import highvoltage as hv
from highvoltage.engine.cards import LAST_CARD, number_of, parse_card, rank_of
from highvoltage.engine.events import Turned
from highvoltage.engine.game import Game
from highvoltage.games import rulebook
from highvoltage.games.laws import events_of
from highvoltage.games.outpost import pieces, tables
from highvoltage.games.outpost.board import Planet
from highvoltage.games.outpost.market import StackMarket
from highvoltage.games.outpost.rulebook import Outpost
from highvoltage.games.outpost.state import SYNDICATE, Company, OutpostState

PLAYERS = (2, 3, 4, 5, 6)
COST = 6  # of a connection that a test does not name


def state(game: hv.Game) -> OutpostState:
    assert isinstance(game.state, OutpostState)
    return game.state


def rules(game: hv.Game) -> Outpost:
    assert isinstance(game.rules, Outpost)
    return game.rules


def company(game: hv.Game, seat: int) -> Company:
    s = state(game)
    if seat == SYNDICATE:
        assert s.syndicate is not None
        return s.syndicate
    return s.players[seat]


def cards(text: str) -> tuple[int, ...]:
    return tuple(LAST_CARD if word == "S3" else parse_card(word) for word in text.split())


# Markets


class Twins:
    """Deals the cards of a number, each once: 5, 105, 205 …"""

    def __init__(self) -> None:
        self._dealt: Counter[int] = Counter()

    def deal(self, word: str) -> int:
        if word == "S3":
            return LAST_CARD
        number = int(word)
        self._dealt[number] += 1
        return number + 100 * (self._dealt[number] - 1)


def read_market(text: str, deck: str = "", twins: Twins | None = None) -> StackMarket:
    """A market in the notation of the rules; each discount is one token."""
    twins = twins or Twins()
    market = StackMarket([], [], [])
    rows = text.strip("[]").split("|")
    for row, words in enumerate(rows):
        for word in words.split():
            match = re.fullmatch(r"(S3|\d+)(?:x(\d+))?(?:\(-(\d+)\))?", word)
            assert match, word
            number, copies, discount = match.groups()
            *below, top = [twins.deal(number) for _ in range(int(copies or 1))]
            market.cards.append(top)
            market.row += row == 0
            if below:
                market.below = {**market.below, top: tuple(below)}
            if discount:
                market.tokens = {**market.tokens, top: (int(discount),)}
    if len(rows) == 1:
        market.room = tables.PLACES_IN_STEP_3
    market.deck = [twins.deal(word) for word in deck.split()]
    return market


def show(market: StackMarket) -> str:
    """The market in the notation of the rules."""

    def place(card: int) -> str:
        if card == LAST_CARD:
            return "S3"
        stack = f"x{len(market.below[card]) + 1}" if card in market.below else ""
        discount = market.discount_on(card)
        return f"{number_of(card)}{stack}" + (f"(-{discount})" if discount else "")

    words = [*map(place, market.cards)]
    if market.one_row:
        return f"[{' '.join(words)}]"
    return f"[{' '.join(words[: market.row])} | {' '.join(words[market.row :])}]"


def show_deck(market: StackMarket) -> str:
    return " ".join("S3" if card == LAST_CARD else str(number_of(card)) for card in market.deck)


def drawn(s: OutpostState) -> list[int]:
    """The numbers of the cards turned up by the latest move."""
    return [number_of(parse_card(event.card)) for event in events_of(s, Turned)]


# Positions


def game_at(
    players: int = 3,
    *,
    phase: str = "company",
    market: str | None = None,
    deck: str = "",
    money: int | Mapping[int, int] | None = None,
    own: Mapping[int, str] | None = None,
    plants: Mapping[int, str] | None = None,
    habitats: Mapping[int, str] | None = None,
    stations: Mapping[int, str] | None = None,
    buildings: Mapping[int, str] | None = None,
    uncovered: Mapping[int, tuple[int, int]] | None = None,
    networks: Mapping[int, int] | None = None,
    humans: Mapping[int, int] | None = None,
    robots: Mapping[int, int] | None = None,
    labour: int | None = None,
    costs: Mapping[str, int] | None = None,
    order: Sequence[int] | None = None,
    step: int = 1,
    round: int = 2,  # noqa: A002  # the word of the game
    chance: hv.Chance | None = None,
    version: int | None = None,
    **options: Any,
) -> hv.Game:
    """A game at the start of a phase.

    - `own` are cards in the pool, `plants` and `habitats` those on the company board.
    - `stations` and `buildings` are in the cities named, built in this order; `uncovered`
      spaces and `networks` are as large as given, whatever is on the map.
    - `labour` is what the labour market holds; without it all workers that nobody has.
    - `costs` of connections are written `c08-c09`; all others cost 6.
    - All cards that are nowhere else are in the deck; with `market`, none but `deck`.
    """
    game = hv.new("outpost", players=players, seed=1, chance=chance, **options)
    if version is not None:
        rules = rulebook("outpost", players, None, options, version)
        game = Game(rules, chance or hv.Seeded(1), game.names)
    s = state(game)
    s.step, s.round = step, round
    s.order = tuple(range(players)) if order is None else tuple(order)
    _set_planet(s, costs or {})
    for seat, player in enumerate(s.players):
        if money is not None:
            player.money = money if isinstance(money, int) else money.get(seat, player.money)
    _set_boards(s, own or {}, (plants or {}, habitats or {}))
    _set_pieces(s, stations or {}, buildings or {})
    for field, given in (("open", uncovered), ("network", networks), ("humans", humans)):
        _set(s, field, given or {})
    _set(s, "robots", robots or {})
    s.robots -= sum((robots or {}).values())
    s.labour = s.labour - sum((humans or {}).values()) if labour is None else labour
    _set_cards(s, market, deck)
    return begin(game, phase)


def begin(game: hv.Game, phase: str) -> hv.Game:
    """Begin a phase; the first of two auctions unless it is the second."""
    s = state(game)
    names = [each.name for each in game.rules.phases]
    s.phase = names.index("auction") + 1 if phase == "second auction" else names.index(phase)
    s.events, s.choices = [], ()
    game.rules.phases[s.phase].begin(s)
    game.rules.advance(s)
    game.log.clear()
    game._start = s.copy()
    return game


def _owner(s: OutpostState, seat: int) -> Company:
    if seat == SYNDICATE:
        assert s.syndicate is not None
        return s.syndicate
    return s.players[seat]


def _set(s: OutpostState, field: str, values: Mapping[int, Any]) -> None:
    for seat, value in values.items():
        setattr(_owner(s, seat), field, value)


def _set_boards(
    s: OutpostState, own: Mapping[int, str], boards: Sequence[Mapping[int, str]]
) -> None:
    for seat, words in own.items():
        _owner(s, seat).cards += cards(words)
    for kind, board in enumerate(boards):
        for seat, words in board.items():
            owner = _owner(s, seat)
            owner.cards += cards(words)
            for card in cards(words):
                pieces.uncover(owner, kind)
                pieces.place(owner, kind, card)
    for player in s.players:
        player.cards = tuple(sorted(player.cards, key=rank_of))


def _set_planet(s: OutpostState, costs: Mapping[str, int]) -> None:
    board = s.rules.map
    named = {f"{edge.a}-{edge.b}" for edge in board.edges}
    assert costs.keys() <= named, costs.keys() - named
    tokens = [costs.get(f"{edge.a}-{edge.b}", COST) for edge in board.edges]
    s.planet = Planet(board, s.planet.areas, tokens)


def _set_pieces(s: OutpostState, stations: Mapping[int, str], buildings: Mapping[int, str]) -> None:
    for seat, words in stations.items():
        for city in words.split():
            pieces.put_station(s, seat, _owner(s, seat), s.planet.index[city])
    for seat, words in buildings.items():
        for city in words.split():
            pieces.put_special(s, seat, _owner(s, seat), s.planet.index[city])
    s.slots = [pieces.slot_price(s, city) for city in range(len(s.stations))]


def _set_cards(s: OutpostState, market: str | None, deck: str) -> None:
    if market is not None:
        s.market = read_market(market, deck)
        return
    everybody = [*s.players, *([s.syndicate] if s.syndicate else [])]
    owned = {card for each in everybody for card in each.cards}
    rest = [card for card in s.rules.faces if card not in owned]
    step_3 = s.step == 3
    s.market = StackMarket(rest[: tables.PLACES], rest[tables.PLACES :], [])
    if step_3:
        s.market.unite()
    else:
        s.market.deck.append(LAST_CARD)
    while len(s.market.cards) < s.market.room:
        s.market.insert(s.market.deck.pop(0))
