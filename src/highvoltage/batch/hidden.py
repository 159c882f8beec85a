"""What nobody at the table can know, drawn anew.

Every arrangement that fits what has been seen is equally likely. Seen are how many cards lie above
the Step 3 card, the order of those under it until it comes, how many of each pile set-up removed,
and the back on top.
"""

from collections.abc import Sequence

import jax
import jax.numpy as jnp

from highvoltage.batch.codes import Table
from highvoltage.batch.dealing import deck_tables, mask_of, places
from highvoltage.batch.setup import ranks
from highvoltage.batch.state import ASIDE, IN_DECK, UNDER, Array, S, State
from highvoltage.batch.tables import Tables
from highvoltage.engine.errors import OptionError


def redraw(t: Tables, s: State, key: Array) -> State:
    """A position of a board game that looks the same to everybody."""
    d, own = deck_tables(t), t.ruleset.deck
    for name, lacks in {
        "deck.mixed": own.mixed,
        "deck.plugs_first": own.plugs_first,
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
    return redraw_deck(s, key, piles, back, known, seen=untouched | t.recharged)


def redraw_deck(
    s: S,
    key: Array,
    piles: Sequence[Table],
    back: Table | None,
    known: Array | None = None,
    *,
    seen: Array | bool = True,
) -> S:
    """The deck in another order, with other cards removed at set-up; a finished game stays.

    Cards were removed from each of the `piles`. If there are two backs, `back` says which cards
    have the first of them, and `seen` whether everybody sees the one on top. The places of `known`
    cards are known.
    """
    cards = s.pile.shape[0]
    removed, order, shuffle = (ranks(part) for part in jax.random.bits(key, (3, cards)))
    above = s.pile < UNDER
    first = above & (s.pile == jnp.min(s.pile))
    if known is not None:
        above &= ~known
    aside = (s.pile == ASIDE) & (s.last == IN_DECK)
    leaves = jnp.zeros(cards, bool)
    for whole in piles:
        some = (above | aside) & whole
        leaves |= some & (places(removed, some) < jnp.sum(aside & whole, dtype=jnp.uint8))
    stays = (above | aside) & ~leaves
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
