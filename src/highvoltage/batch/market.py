"""The plant market and the deck behind it."""

import jax.numpy as jnp
import numpy as np

from highvoltage.batch.codes import CARDS, CODES, ECO, HYBRID, LAST, NONE
from highvoltage.batch.state import (
    GONE,
    IN_DECK,
    IN_MARKET,
    UNDER,
    USED,
    WAITING,
    Array,
    State,
    put_in,
    take_out,
)
from highvoltage.batch.state import kind as kind_of
from highvoltage.batch.tables import Tables
from highvoltage.games.classic.tables import FUELS, FUSION

KINDS = {fuel: at for at, fuel in enumerate(FUELS)} | {"hybrid": HYBRID, "eco": ECO, "fusion": ECO}
NO_KEY = 1 << 24  # greater than the key of every card


def codes(t: Tables, s: State) -> Array:
    """[card] the codes of the plants, which may depend on the regions, A-NOR-3."""
    return jnp.asarray(t.faces[0]) if len(t.faces) == 1 else jnp.asarray(t.faces)[s.area]


def relabelled(market: Array, faces: Array) -> Array:
    """A row of cards with these codes instead of those they had."""
    same = (market[:, None] >> 8) == (CODES >> 8)
    return jnp.where(market < LAST, jnp.sum(jnp.where(same, faces, 0), axis=1), market).astype(
        jnp.int16
    )


def of_kinds(cards: Array, kinds: tuple[str, ...]) -> Array:
    """Which cards are of these kinds of a map file; fusion is no eco plant, C-1.2.5."""
    found = jnp.zeros(cards.shape, bool)
    for name in kinds:
        same = kind_of(cards) == KINDS[name]
        if KINDS[name] == ECO:
            same &= ((cards >> 8) == FUSION) == (name == "fusion")
        found |= same & (cards < LAST)
    return found


def offer_size(t: Tables, s: State) -> Array:
    """How many places of the market are on offer, C-4.2.2 and C-5.1.1."""
    own = t.plant_market
    row = jnp.where(s.last == USED, own.step_3, own.current)
    if own.joins_offer:
        next_ = jnp.arange(len(s.market)) == row
        row += jnp.any(next_ & of_kinds(s.market, own.joins_offer))  # A-BEN-4
    return row


def remove(s: State, at: Array, when: Array) -> State:
    """Remove the card at one place; the token goes with the lowest."""
    return s.replace(market=take_out(s.market, at, when, NONE), token=s.token & ~(when & (at == 0)))


def remove_lowest(s: State, when: Array) -> State:
    """Remove the lowest plant from the game; nothing happens in an empty market."""
    return remove(s, jnp.int8(0), when & (s.market[0] < LAST))


def slide_highest(t: Tables, s: State, when: Array) -> tuple[State, Array]:
    """The highest plant goes under the deck, C-8.4.1; one per round, so the round is its place.

    Also returns whether its place is free now: not if there are only plants that stay, A-QUE-5.
    """
    stay = t.plant_market.never_under_deck
    may = s.market < LAST
    if stay:
        may &= ~of_kinds(s.market, stay)
    high = jnp.max(jnp.where(may, s.market, 0))
    slides = when & (high > 0)
    slid = (high >> 8 == CODES >> 8) & slides
    place = jnp.minimum(UNDER + t.below + s.round, WAITING - 1).astype(jnp.uint8)
    at = jnp.sum(s.market < high, dtype=jnp.int8)
    free = slides | (s.market[0] >= LAST) if stay else jnp.asarray(when)
    return s.replace(
        market=take_out(s.market, at, slides, NONE), pile=jnp.where(slid, place, s.pile)
    ), when & free


def draw(t: Tables, s: State, when: Array, *, auction: Array | bool) -> State:
    """Fill one gap: C-5.2; outside an auction the Step 3 card is used at once, C-9.3.3."""
    s, comes = turn_up(t, s, when, auction=auction)
    return s if auction is True else use_outside_auction(t, s, comes & ~jnp.asarray(auction))


def turn_up(t: Tables, s: State, when: Array, *, auction: Array | bool) -> tuple[State, Array]:
    """Turn up a card: C-5.3.1, R-4.5.1; the Step 3 card shuffles the deck, C-9.3.1.

    Also returns whether the Step 3 card has come; in an auction it stays in the market, C-9.3.2.
    """
    above, faces = s.pile < UNDER, codes(t, s)
    if t.token:
        keys = keys_of(s.pile, above, faces)
        first = jnp.min(keys)
        lower = s.token & (first < NO_KEY) & (code(first) < s.market[0])
        key = jnp.where(lower, jnp.min(jnp.where(keys > first, keys, NO_KEY)), first)
        s = s.replace(token=s.token & ~(lower & when))
    elif t.city_count:
        key = jnp.min(keys_of(s.pile, above & (s.most < CODES >> 8), faces))  # C-5.3.1
    else:
        key = jnp.min(keys_of(s.pile, above, faces))
    found = key < NO_KEY
    comes = when & ~found & (s.last == IN_DECK)
    pile = jnp.where(when & above & (s.pile <= (key >> 16)), GONE, s.pile).astype(jnp.uint8)
    pile = jnp.where(comes & (pile < WAITING), shuffled(t, s), pile)
    drawn = jnp.where(found, code(key), LAST).astype(jnp.int16)
    s = s.replace(
        pile=pile,
        market=put_in(s.market, drawn, (when & found) | (comes & auction)),
        last=jnp.where(comes, IN_MARKET, s.last).astype(jnp.int8),
    )
    return s, comes


def keys_of(pile: Array, mask: Array, faces: Array) -> Array:
    """The place of each card with its code in the lower bits, so that the minimum gives both."""
    return jnp.where(mask, pile.astype(jnp.int32) << 16 | faces, NO_KEY)


def shuffled(t: Tables, s: State) -> Array:
    """[card] its place after the shuffle at the Step 3 card, C-9.3.1.

    Cards that wait for Step 2 find room above, A-IBE-3a. Where some cards lie below the Step 3 card
    that nobody has seen, their places become odd, A-UKI-7.
    """
    if t.ruleset.deck.bands:
        return s.pile - UNDER  # nothing is shuffled, A-CHN-8
    place = s.shuffle
    if t.below:
        place = 2 * place + ~slid(t, s)
    return (place + len(t.waiting)).astype(jnp.uint8) if t.waiting else place


def slid(t: Tables, s: State) -> Array:
    """[card] whether it lies in the deck and everybody has seen it, C-13."""
    if t.ruleset.deck.bands:
        return s.pile != s.pile
    under = s.pile >= UNDER + t.below
    mixed = s.pile >= len(t.waiting)
    if t.below:
        mixed &= (s.pile - len(t.waiting)) % 2 == 0
    return (s.pile < WAITING) & (((s.last == IN_DECK) & under) | ((s.last != IN_DECK) & mixed))


def put_waiting_on_top(t: Tables, s: State, when: Array) -> State:
    """The cards that wait for Step 2 come, the first one uppermost, A-IBE-3."""
    for at, card in enumerate(t.waiting):
        comes = when & (s.pile == WAITING) & (np.array(CARDS) == card)
        s = s.replace(pile=jnp.where(comes, at, s.pile).astype(jnp.uint8))
    return s


def code(key: Array) -> Array:
    return (key & 0x7FFF).astype(jnp.int16)


def use_outside_auction(t: Tables, s: State, when: Array) -> State:
    """Use the Step 3 card at once, C-9.3.3, C-9.3.4; the Step 2 change comes first, R-9.3.5."""
    if t.recharged:
        s = change_to_step_2(t, s, when & (s.step == 1))
    s = shrink(t, remove_lowest(s, when), when)
    s = s.replace(last=jnp.where(when, USED, s.last).astype(jnp.int8))
    if t.renewal is None:
        return s.replace(pending=s.pending | when)
    s = begin_step(s, 3, when)  # at once, A-CHN-8
    size = t.plant_market.step_3
    for _ in range(size):
        s, _ = turn_up(t, s, when & (s.market[size - 1] >= LAST), auction=True)
    return s


def bring_plants(t: Tables, s: State, when: Array) -> State:
    """Plants come in phase 5, then the lowest beyond the size of the market go, A-CHN-7."""
    assert t.renewal is not None
    opening, least, size = t.renewal
    came = jnp.zeros((), bool)
    for drawn in range(max(least, size)):
        waits = when & (s.step < 3) & (s.last == IN_DECK)
        if drawn >= least:
            waits &= s.market[size - 1] >= LAST
        s, comes = turn_up(t, s, waits, auction=False)
        came |= comes
    s = use_outside_auction(t, s, came)
    for _ in range(max(opening, size) + least - size):
        s = remove_lowest(s, when & (s.step < 3) & (s.market[size] < LAST))
    return s


def replaces_sold(t: Tables, s: State) -> Array | bool:
    """Whether the gap of a plant that was sold is filled, or that waits for phase 5, A-CHN-6."""
    return True if t.renewal is None else s.step == 3


def use_after_auction(t: Tables, s: State, when: Array) -> State:
    """Remove the Step 3 card and the lowest plant; Step 3 begins, C-9.3.2."""
    when &= s.last == IN_MARKET
    if t.recharged:
        s = change_to_step_2(t, s, when & (s.step == 1))
    s = remove(s, jnp.sum(s.market < LAST, dtype=jnp.int8), when)
    s = shrink(t, remove_lowest(s, when), when)
    s = s.replace(last=jnp.where(when, USED, s.last).astype(jnp.int8))
    return begin_step(s, 3, when)


def shrink(t: Tables, s: State, when: Array) -> State:
    """The market is smaller in Step 3, C-5.1.1; what still waits for Step 2 stays out, A-IBE-3."""
    most = t.ruleset.market_size if t.renewal is None else t.market
    for _ in range(most - 2 - t.plant_market.step_3):
        s = remove_lowest(s, when & (s.market[t.plant_market.step_3] < LAST))
    if t.waiting:
        out = when & (s.pile == WAITING)
        s = s.replace(pile=jnp.where(out, GONE, s.pile).astype(jnp.uint8))
    return s


def change_to_step_2(t: Tables, s: State, when: Array) -> State:
    """R-9.3.5: remove the lowest plant before Step 3 begins; the Step 3 card has left the deck."""
    s = put_waiting_on_top(t, remove_lowest(s, when), when)
    return draw(t, s, when & t.plant_market.step_2_replaced, auction=True)  # A-EUR-5


def begin_step(s: State, step: int, when: Array) -> State:
    return s.replace(step=jnp.where(when, step, s.step).astype(jnp.int8), pending=s.pending & ~when)
