"""What nobody at the table can know, drawn anew.

Every arrangement that fits what has been seen is equally likely. Seen are how many cards lie above
the Step 3 card, the order of those under it until it comes, how many of each pile set-up removed,
and the back on top.
"""

from collections.abc import Callable, Sequence
from functools import partial

import jax
import jax.numpy as jnp

from highvoltage.batch.codes import Table
from highvoltage.batch.dealing import DeckTables, deck_tables, mask_of, places
from highvoltage.batch.setup import ranks
from highvoltage.batch.state import ASIDE, IN_DECK, SUNK, UNDER, Array, S, State
from highvoltage.batch.tables import Tables
from highvoltage.engine.errors import OptionError

PART = 64  # more than any rank


def redraw(t: Tables, s: State, key: Array) -> State:
    """A position of a board game that looks the same to everybody."""
    d, own = deck_tables(t), t.ruleset.deck
    for name, lacks in {
        "deck.low_on_top": not own.low_on_top,
        "deck.below_step_3": own.below_step_3,
    }.items():
        if lacks:
            raise OptionError(
                f"{t.rules.map.name} has the rule '{name}': batched games cannot draw what is"
                " hidden by it anew."
            )
    known = (s.pile < len(t.waiting)) | (mask_of(d.on_top) & (s.last == IN_DECK))  # C-2.5, A-IBE-3
    untouched = d.draws_top & (jnp.sum(s.pile < UNDER) == d.size)  # by set-up it is a low card
    piles = [pile & ~d.kept for pile in d.piles]
    back = d.low if d.two_piles else None
    first_deck: Array = s.last == IN_DECK  # some of whose cards nobody has seen
    if s.called is not None:
        first_deck &= (s.step == 1) & ~s.called  # A-MEA-5
    if s.stage is not None:
        first_deck = s.stage == 1  # A-MAN-8
    if s.called is not None or s.stage is not None:
        known |= s.pile >= SUNK  # everybody has seen what goes under these decks
    if s.later is not None:
        later = ranks(jax.random.bits(jax.random.fold_in(key, 1), s.later.shape))
        s = s.replace(later=jnp.where(s.terminated, s.later, later).astype(s.later.dtype))
    seen = untouched | t.recharged
    parts = partial(in_parts, d, s, low_first=own.plugs_first)
    ordered = parts if own.plugs_first or own.mixed else None
    return redraw_deck(
        s, key, piles, back, known, seen=seen, first_deck=first_deck, ordered=ordered
    )


def in_parts(d: DeckTables, s: State, stays: Array, order: Array, *, low_first: bool) -> Array:
    """[card] a number by which the cards lie in the deck, where some kinds come before others.

    The mixed cards are among the first ones, A-RUS-4; else low cards may come first, A-RUS-5.
    """
    first_deck = s.last == IN_DECK
    order = order + PART * (~d.low & low_first & first_deck)
    left = jnp.sum(s.pile < UNDER, dtype=jnp.int8) - (d.size - d.draws_top - len(d.on_top))
    block = int(d.mixed.sum()) + d.mixed_others + jnp.minimum(0, left)
    others = stays & ~d.mixed
    early = d.mixed | (others & (places(order, others) < block - jnp.sum(stays & d.mixed)))
    late = ~early & first_deck & bool(d.mixed.any())
    return (order + 2 * PART * late).astype(jnp.uint8)


def redraw_deck(
    s: S,
    key: Array,
    piles: Sequence[Table],
    back: Table | None,
    known: Array | None = None,
    *,
    seen: Array | bool = True,
    first_deck: Array | None = None,
    ordered: Callable[[Array, Array], Array] | None = None,
) -> S:
    """The deck in another order, with other cards removed at set-up; a finished game stays.

    Cards were removed from each of the `piles`. If there are two backs, `back` says which cards
    have the first of them, and `seen` whether everybody sees the one on top. The places of `known`
    cards are known. In the `first_deck`, which ends with the last card unless told otherwise, there
    may be cards in the place of those removed. `ordered` changes the order of the cards that stay.
    """
    cards = s.pile.shape[0]
    removed, order, shuffle = (ranks(part) for part in jax.random.bits(key, (3, cards)))
    above = s.pile < UNDER
    first = above & (s.pile == jnp.min(s.pile))
    if known is not None:
        above &= ~known
    aside = (s.pile == ASIDE) & (s.last == IN_DECK if first_deck is None else first_deck)
    leaves = jnp.zeros(cards, bool)
    for whole in piles:
        some = (above | aside) & whole
        leaves |= some & (places(removed, some) < jnp.sum(aside & whole, dtype=jnp.uint8))
    stays = (above | aside) & ~leaves
    if ordered is not None:
        order = ordered(stays, order)
    if back is not None:  # one with the back that everybody sees comes first
        same = stays & (back == jnp.any(first & back)) & jnp.any(first & above)
        lowest = same & (order == jnp.min(jnp.where(same, order, cards))) & seen
        order = jnp.where(lowest, 0, order + 1)
    from_top, before = places(order, stays), places(s.pile, above)
    taken = (before[None] == from_top[:, None]) & above[None]
    place = jnp.sum(jnp.where(taken, s.pile[None], 0), axis=1, dtype=s.pile.dtype)
    pile = jnp.where(stays, place, jnp.where(leaves, ASIDE, s.pile))
    over = s.terminated
    return s.replace(
        pile=jnp.where(over, s.pile, pile).astype(s.pile.dtype),
        shuffle=jnp.where(over, s.shuffle, shuffle).astype(s.shuffle.dtype),
    )
