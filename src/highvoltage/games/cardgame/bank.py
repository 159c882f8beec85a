"""The Bank, the third party in a game for two, K-8."""

from collections.abc import Collection

from highvoltage.engine.cards import label
from highvoltage.engine.events import Removed, Taken
from highvoltage.engine.parts.deck import draw
from highvoltage.games.cardgame import fuel, tables
from highvoltage.games.cardgame.columns import discard, put_surplus, take_card
from highvoltage.games.cardgame.state import Bank, CardState

BANK = -1
"""The seat number of the Bank in events."""


def take_plant(s: CardState, bank: Bank) -> None:
    """It takes the highest plant on offer and gives up its oldest, K-8.3 and K-8.4."""
    if not s.market.offer:
        return  # KR-34
    card = s.market.take(s.market.offer[-1])
    s.events.append(Taken(BANK, label(card)))
    bank.cards = (*bank.cards, card)
    if len(bank.cards) > tables.PLANT_LIMIT:
        oldest, *newer = bank.cards
        bank.cards = tuple(newer)
        s.market.removed.append(oldest)
        s.events.append(Removed(label(oldest), BANK))
    draw(s)


def take_fuel(s: CardState, bank: Bank) -> None:
    """It takes what one run of its plants needs, K-8.7 to K-8.11."""
    fleet = s.rules.fuel.fleet(bank.cards)
    hybrids = fleet.hybrid_store // 2
    for kind, store in enumerate(fleet.stores):
        need = store // 2
        while need and (found := cheapest_card(s, (kind,))):
            units = fuel.units(found[1])
            used = min(units, need)
            spare = min(units - used, hybrids) if kind in tables.HYBRID else 0  # KR-36
            need -= used
            hybrids -= spare
            store_fuel(s, bank, found, used + spare)
    while hybrids and (found := cheapest_card(s, tables.HYBRID)):
        used = min(fuel.units(found[1]), hybrids)
        hybrids -= used
        store_fuel(s, bank, found, used)


def cheapest_card(s: CardState, kinds: Collection[int]) -> tuple[int, int] | None:
    """The lowest column with a card of these kinds, and its first such card, KR-35."""
    for column, cards in enumerate(s.columns, 1):
        for card in cards:
            if fuel.kind(card) in kinds:
                return column, card
    return None


def store_fuel(s: CardState, bank: Bank, found: tuple[int, int], kept: int) -> None:
    column, card = found
    take_card(s, column, card)
    s.events.append(Taken(BANK, fuel.name(card), column))
    bank.store = (*bank.store, fuel.Stored(card, kept))
    put_surplus(s, fuel.kind(card), fuel.units(card) - kept)


def discard_fuel(s: CardState, bank: Bank) -> None:
    """Discard its fuel, whether or not its plants ran, K-8.12."""
    discard(s, (card for card, _ in bank.store))
    bank.store = ()
