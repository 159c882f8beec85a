"""The deck of any game in both forms: cards in order, and the place of each card."""

from collections.abc import Container, Sequence

import numpy as np

from highvoltage.batch.codes import Table
from highvoltage.batch.state import ASIDE, GONE, IN_DECK, IN_MARKET, UNDER, USED, WAITING
from highvoltage.engine.cards import LAST_CARD
from highvoltage.engine.parts.market import CardMarket


def last_of(market: CardMarket) -> int:
    """Where the Step 3 card is."""
    if LAST_CARD in market.deck:
        return IN_DECK
    return IN_MARKET if LAST_CARD in market.cards else USED


def deck_of(cards: Sequence[int], pile: Table, last: int) -> list[int]:
    """The cards of the deck, top first."""
    order = [int(at) for at in np.argsort(pile, kind="stable") if pile[at] < WAITING]
    above = [cards[at] for at in order if pile[at] < UNDER]
    under = [cards[at] for at in order if pile[at] >= UNDER]
    return above + [LAST_CARD] * (last == IN_DECK) + under


def pile_of(cards: Sequence[int], deck: Sequence[int], aside: Sequence[int]) -> Table:
    """The place of each card, from a deck in order."""
    index = {card: at for at, card in enumerate(cards)}
    pile = np.full(len(cards), GONE, np.uint8)
    pile[[index[card] for card in aside]] = ASIDE
    under = False
    for at, card in enumerate(deck):
        if card == LAST_CARD:
            under = True
        else:
            pile[index[card]] = at + UNDER * under
    return pile


def without_removed(
    cards: list[int], marked: Container[int], removed: tuple[int, int]
) -> tuple[list[int], list[int]]:
    """All but so many of each back, and these; `marked` are the cards with the first back."""
    by_back = ([c for c in cards if c in marked], [c for c in cards if c not in marked])
    aside = [card for some, count in zip(by_back, removed, strict=True) for card in some[:count]]
    return [card for card in cards if card not in aside], aside


def with_back_on_top(cards: list[int], marked: Container[int], *, back: bool) -> list[int]:
    """The cards, one with this back first."""
    top = [card for card in cards if (card in marked) == back][:1]
    return top + [card for card in cards if card not in top]
