"""The deck of plants at the start, C-2.5, R-2.5, and how a map makes it, A-GEN-5, A-GEN-6."""

from functools import lru_cache
from typing import TYPE_CHECKING

import jax.numpy as jnp
import numpy as np

from highvoltage.batch.codes import CARDS, NONE, Table
from highvoltage.batch.state import ASIDE, GONE, UNDER, WAITING, Array
from highvoltage.batch.tables import Tables
from highvoltage.games.classic import tables as classic
from highvoltage.games.classic.decks import fixed_cards, protects

if TYPE_CHECKING:
    from highvoltage.batch.setup import ChanceRanks

SECOND_PILE = 64  # more than any rank


class DeckTables:
    """Which cards may be where at the start."""

    def __init__(self, t: Tables) -> None:
        rules, deck = t.ruleset, t.ruleset.deck
        self.two_piles: bool = t.recharged or deck.two_piles
        placed = fixed_cards(deck)
        top = [] if deck.top is None else [deck.top]
        if not (top or self.two_piles or classic.TOP_OF_DECK in placed):
            top = [classic.TOP_OF_DECK]
        loose = [card for card in CARDS if card not in placed and card not in top]
        fill = rules.opening_size - len(deck.market)
        opening = [*deck.market, *([] if self.two_piles else loose[:fill])]
        self.fill: int = fill if self.two_piles else 0  # low cards that are turned up, R-2.5
        self.draws_top: bool = self.two_piles and deck.top is None and deck.low_on_top
        self.on_top: tuple[int, ...] = (*top, *deck.next)
        self.opening: Table = mask_of(opening)
        self.loose: Table = mask_of([card for card in loose if card not in opening])
        self.low: Table = mask_of(classic.PILES[0])
        self.kept: Table = mask_of([card for card in CARDS if protects(deck, card)])
        self.removed: tuple[int, ...] = rules.removed  # of each pile
        self.mixed: Table = mask_of(deck.mixed.cards if deck.mixed else ())
        self.mixed_others: int = deck.mixed.others if deck.mixed else 0
        self.waiting: tuple[int, ...] = deck.step_2
        shuffled = int(self.loose.sum()) - self.fill - self.draws_top - sum(self.removed)
        self.size: int = self.draws_top + len(self.on_top) + int(self.mixed.sum()) + shuffled

    @property
    def piles(self) -> tuple[Table, ...]:
        """The cards that are shuffled, by pile."""
        return (self.loose & self.low, self.loose & ~self.low) if self.two_piles else (self.loose,)


def mask_of(cards: tuple[int, ...] | list[int]) -> Table:
    return np.array([card in cards for card in CARDS])


@lru_cache(maxsize=256)
def deck_tables(t: Tables) -> DeckTables:
    return DeckTables(t)


def places(rank: Array, some: Array | Table) -> Array:
    """The place of each card among `some` of them, by rank."""
    return jnp.sum((rank[None] < rank[:, None]) & some[None], axis=1, dtype=jnp.uint8)


def deal(t: Tables, chance: "ChanceRanks") -> tuple[Array, Array]:
    """The market and the place of each card in the deck."""
    d, own = deck_tables(t), t.ruleset.deck
    if own.bands:
        return deal_bands(t, chance)
    opening, first = jnp.asarray(d.opening), jnp.zeros(len(CARDS), bool)
    nth = order_at_removal(d, chance)
    if d.two_piles:
        low = jnp.asarray(d.loose & d.low)
        opening |= low & (nth < d.fill)
        first = low & (nth == d.fill) & d.draws_top
    stays = d.loose & ~opening & ~first & ~removed_cards(d, nth)
    place = nth
    if d.two_piles or d.kept.any():
        place = chance.deck.astype(jnp.uint8)
        if own.plugs_first:
            place = jnp.where(d.low, nth, SECOND_PILE + place)  # A-RUS-5
        if own.mixed or own.below_step_3 or not own.low_on_top:
            place = places(place, stays)  # without gaps
    if not own.low_on_top:
        place = raise_high_card(d, place, stays)
    if own.mixed:
        mixed = d.mixed | (stays & (place < d.mixed_others))  # A-RUS-4
        assert chance.mixed is not None
        behind = place + np.uint8(d.mixed.sum())
        place = jnp.where(mixed, places(chance.mixed, mixed), behind)
        stays |= mixed
    place = jnp.where(stays, place + len(d.on_top) + d.draws_top, 0)
    for at, card in enumerate(d.on_top):
        place = jnp.where(np.array(CARDS) == card, at + d.draws_top, place)
    in_deck = stays | first | mask_of(d.on_top)
    pile = jnp.where(in_deck, deck_places(t, d, place), jnp.where(opening, GONE, ASIDE))
    pile = jnp.where(mask_of(own.out), GONE, pile)
    pile = jnp.where(mask_of(d.waiting), WAITING, pile)
    return market_row(t, opening), pile.astype(jnp.uint8)


def deal_bands(t: Tables, chance: "ChanceRanks") -> tuple[Array, Array]:
    """Plants in bands by number, each in order or shuffled, A-CHN-4; the first are the market."""
    out, left = fixed_cards(t.ruleset.deck), [*CARDS]
    step_3, first = len(CARDS), 0  # where the Step 3 card is kept, behind the others
    place = jnp.full(len(CARDS) + 1, GONE, jnp.uint8)
    for band in t.ruleset.deck.bands:
        cards = [card for card in left if card <= band.last and card not in out]
        left = [card for card in left if card > band.last]
        here = np.append(mask_of(cards), band.with_step_3)
        order = np.arange(step_3 + 1) if band.ordered else chance.deck
        place = jnp.where(here, first + places(jnp.asarray(order), here), place)
        first += int(here.sum())
    size = t.ruleset.opening_size
    last, place = place[step_3], place[:step_3]
    pile = jnp.where(place < last, place, UNDER + place - last)
    gone = (place == GONE) | (place < size)
    return market_row(t, place < size), jnp.where(gone, GONE, pile).astype(jnp.uint8)


def order_at_removal(d: DeckTables, chance: "ChanceRanks") -> Array:
    """The place of each card in its pile when cards are removed unseen."""
    rank = chance.backs if d.two_piles or d.kept.any() else chance.deck
    first, *others = (places(rank, pile) for pile in d.piles)
    return jnp.where(d.low, first, others[0]) if others else first


def removed_cards(d: DeckTables, nth: Array) -> Array:
    """The last ones of each pile leave, but none that is protected, A-GEN-5."""
    gone = jnp.zeros(len(CARDS), bool)
    for pile, count in zip(d.piles, d.removed, strict=True):
        if d.kept.any():
            may = pile & ~d.kept
            after = jnp.sum((nth[None] > nth[:, None]) & may[None], axis=1)
            gone |= may & (after < count)
        else:
            gone |= pile & (nth >= int(pile.sum()) - count)
    return gone


def raise_high_card(d: DeckTables, place: Array, stays: Array | Table) -> Array:
    """A low card on top changes places with the first other one, A-EUR-4."""
    first_high = jnp.min(jnp.where(stays & ~d.low, place, SECOND_PILE)).astype(place.dtype)
    high = jnp.where(first_high == SECOND_PILE, 0, first_high)
    return jnp.where(place == 0, high, jnp.where(place == high, 0, place))


def deck_places(t: Tables, d: DeckTables, place: Array) -> Array:
    """Places from the top as they are kept: room above for Step 2, some below the Step 3 card."""
    above = place + len(d.waiting)
    if not t.below:
        return above
    last = d.size - t.below
    return jnp.where(place < last, above, UNDER + place - last)  # A-UKI-7


def market_row(t: Tables, opening: Array) -> Array:
    """The cards of the opening market, ascending."""
    at = jnp.cumsum(opening) - 1
    row = opening[None] & (at[None] == jnp.arange(t.market)[:, None])
    cards = jnp.sum(jnp.where(row, t.first_faces[None], 0), axis=1, dtype=jnp.int16)
    return jnp.where(cards == 0, NONE, cards).astype(jnp.int16)
