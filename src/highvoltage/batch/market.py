"""The plant market and the deck behind it."""

import jax
import jax.numpy as jnp
import numpy as np

from highvoltage.batch.codes import CARDS, CODES, ECO, HYBRID, LAST, NONE
from highvoltage.batch.stages import renew_deck
from highvoltage.batch.state import (
    GONE,
    IN_DECK,
    IN_MARKET,
    SUNK,
    UNDER,
    USED,
    WAITING,
    Array,
    State,
    least,
    pick,
    put_in,
    take_out,
)
from highvoltage.batch.state import kind as kind_of
from highvoltage.batch.tables import Tables
from highvoltage.games.classic.steps import LAST_STAGE
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
    if s.stage is None:
        row = jnp.where(s.last == USED, own.step_3, own.current)
    else:
        row = jnp.where(s.stage == LAST_STAGE, t.ruleset.market_size, own.current)  # A-MAN-9
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
    place = jnp.minimum(UNDER + t.below + s.round, WAITING - 1).astype(jnp.uint8)
    if t.plant_market.steps_by_deck or t.plant_market.barred:
        place = below_deck(s)
    at = jnp.sum(s.market < high, dtype=jnp.int8)
    free = slides | (s.market[0] >= LAST) if stay else jnp.asarray(when)
    return put_away(s, at, slides, place), when & free


def put_away(s: State, at: Array, when: Array, place: Array | int) -> State:
    """The card at one place of the market goes to a place in the deck or beside it."""
    moved = (pick(s.market, at) >> 8 == CODES >> 8) & when
    return s.replace(
        market=take_out(s.market, at, when, NONE),
        pile=jnp.where(moved, place, s.pile).astype(jnp.uint8),
    )


def below_deck(s: State) -> Array:
    """The place under all cards of the deck; of one that the Step 3 card has left, from SUNK on."""
    lowest = jnp.max(jnp.where(s.pile < WAITING, s.pile, 0))
    return jnp.maximum(lowest + 1, jnp.where(s.last == IN_DECK, UNDER, SUNK)).astype(jnp.uint8)


def draw(t: Tables, s: State, when: Array, *, auction: Array | bool) -> State:
    """Fill one gap: C-5.2; outside an auction the Step 3 card is used at once, C-9.3.3."""
    before = s
    s, comes = turn_up(t, s, when, auction=auction)
    if t.plant_market.barred:
        inserted = when & (plants_in(s) > plants_in(before))
        s, more = clear_offer(t, s, inserted, auction=auction)
        comes |= more
    return s if auction is True else use_outside_auction(t, s, comes & ~jnp.asarray(auction))


def plants_in(s: State) -> Array:
    """How many plants are face up."""
    return jnp.sum(s.market < LAST, dtype=jnp.int8)


def turn_up(t: Tables, s: State, when: Array, *, auction: Array | bool) -> tuple[State, Array]:
    """Turn up a card; where the deck is used several times, the first one of the next deck.

    Also returns whether the Step 3 card has come for good; in an auction it stays in the market,
    C-9.3.2.
    """
    s, comes, lacks = turn_up_one(t, s, when, auction=auction)
    if t.plant_market.steps_by_deck:
        s, comes, _ = turn_up_one(t, s, lacks, auction=auction, comes=comes)  # A-MEA-5
    if t.plant_market.three_stages:
        s, renewed = renew_deck(s, lacks)
        s, _, lacks = turn_up_one(t, s, renewed, auction=auction)
        s, _ = renew_deck(s, lacks)
    return s, comes


def turn_up_one(
    t: Tables, s: State, when: Array, *, auction: Array | bool, comes: Array | bool = False
) -> tuple[State, Array, Array]:
    """Turn up a card: C-5.3.1, R-4.5.1; the Step 3 card shuffles the deck, C-9.3.1.

    Also returns whether the Step 3 card `comes` or has come before, and whether a card is still
    lacking because the deck has to be renewed.
    """
    above, faces = s.pile < UNDER, codes(t, s)
    if t.token:
        keys = keys_of(s.pile, above, faces)
        first = least(keys)
        lower = s.token & (first < NO_KEY) & (code(first) < s.market[0])
        key = jnp.where(lower, least(jnp.where(keys > first, keys, NO_KEY)), first)
        s = s.replace(token=s.token & ~(lower & when))
    elif t.city_count:
        key = least(keys_of(s.pile, above & (s.most < CODES >> 8), faces))  # C-5.3.1
    else:
        key = least(keys_of(s.pile, above, faces))
    found = key < NO_KEY
    lacks = when & ~found
    last = lacks & (s.last == IN_DECK)
    pile = jnp.where(when & above & (s.pile <= (key >> 16)), GONE, s.pile).astype(jnp.uint8)
    pile = jnp.where(last & (pile < WAITING), shuffled(t, s), pile)
    if s.called is not None:
        lacks = last & (s.step == 1) & ~s.called  # it lies under the deck again, A-MEA-5
        last &= ~lacks
        s = s.replace(called=s.called | lacks)
    drawn = jnp.where(found, code(key), LAST).astype(jnp.int16)
    s = s.replace(
        pile=pile,
        market=put_in(s.market, drawn, (when & found) | (last & auction)),
        last=jnp.where(last, IN_MARKET, s.last).astype(jnp.int8),
    )
    return s, last | comes, lacks


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
    if s.called is not None and s.later is not None:
        place = jnp.where(s.called | (s.step > 1), s.later, place)  # A-MEA-7
    if t.below:
        place = 2 * place + ~slid(t, s)
    return (place + len(t.waiting)).astype(jnp.uint8) if t.waiting else place


def slid(t: Tables, s: State) -> Array:
    """[card] whether it lies in the deck and everybody has seen it, C-13."""
    if t.ruleset.deck.bands:
        return s.pile != s.pile
    if s.stage is not None:
        return (s.pile < WAITING) & (s.stage > 1)  # A-MAN-8
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
    return use_now(t, step_2_first(t, s, when), when)


def use_now(t: Tables, s: State, when: Array) -> State:
    """Remove the lowest plant; the market shrinks, and Step 3 begins when the phase ends."""
    s = shrink(t, remove_lowest(s, when), when)
    s = s.replace(last=jnp.where(when, USED, s.last).astype(jnp.int8))
    if t.renewal is None:
        s = s.replace(pending=s.pending | when)
        return fill(t, s, when) if t.plant_market.steps_by_deck else s
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
    s = step_2_first(t, s, when)
    s = remove(s, plants_in(s), when)
    s = shrink(t, remove_lowest(s, when), when)
    s = s.replace(last=jnp.where(when, USED, s.last).astype(jnp.int8))
    s = begin_step(s, 3, when)
    return fill(t, s, when) if t.plant_market.steps_by_deck else s


def step_2_first(t: Tables, s: State, when: Array) -> State:
    """The Step 3 card has come: what Step 2 changes is done before, R-9.3.5, A-MEA-5."""
    if t.plant_market.steps_by_deck:
        return start_called_step(t, s, when, auction=True)
    return change_to_step_2(t, s, when & (s.step == 1)) if t.recharged else s


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


# A deck that starts the Steps, and plants that are not for sale in Step 1, A-MEA


def clear_offer(t: Tables, s: State, when: Array, *, auction: Array | bool) -> tuple[State, Array]:
    """In Step 1 plants of some kinds leave the offer at once, the lowest first, A-MEA-4.

    They are replaced unless only such plants are left. Also returns whether the Step 3 card has
    come for good; outside an auction that ends Step 1.
    """
    names = ("market", "pile", "last", "token", "called")

    def barred(s: State) -> Array:
        offered = jnp.arange(t.market) < offer_size(t, s)
        return offered & of_kinds(s.market, t.plant_market.barred)

    def goes_on(moving: dict[str, Array]) -> Array:
        now = s.replace(**{name: moving[name] for name in names})
        used = moving["comes"] & ~jnp.asarray(auction)
        return when & (s.step == 1) & ~used & jnp.any(barred(now))

    def clear_one(moving: dict[str, Array]) -> dict[str, Array]:
        now = s.replace(**{name: moving[name] for name in names})
        now = leave_offer(t, now, jnp.argmax(barred(now)).astype(jnp.int8))
        now, comes = turn_up(t, now, is_replaced(t, now), auction=auction)
        return {name: getattr(now, name) for name in names} | {"comes": moving["comes"] | comes}

    start = {name: getattr(s, name) for name in names} | {"comes": jnp.zeros((), bool)}
    moved = jax.lax.while_loop(goes_on, clear_one, start)
    return s.replace(**{name: moved[name] for name in names}), moved["comes"]


def leave_offer(t: Tables, s: State, at: Array) -> State:
    """A card on offer leaves the game, or goes under the deck, A-MEA-4."""
    card = pick(s.market, at) >> 8
    out = jnp.any(card == np.array((*t.plant_market.barred_out, 0)))
    return put_away(remove(s, at, out), at, ~out, below_deck(s))


def is_replaced(t: Tables, s: State) -> Array:
    """Whether the deck can fill a gap of Step 1: it has a plant for sale, or ends Step 1."""
    fits = jnp.any((s.pile < WAITING) & ~of_kinds(codes(t, s), t.plant_market.barred))
    ends = s.last == IN_DECK
    return fits | (ends if s.called is None else ends & ~s.called)


def start_called_step(t: Tables, s: State, when: Array, *, auction: Array | bool) -> State:
    """Step 2 starts if the deck has called it: the two lowest plants are replaced, A-MEA-5."""
    assert s.called is not None
    when &= s.called
    s = begin_step(s, 2, when).replace(called=s.called & ~when)
    s = put_waiting_on_top(t, remove_lowest(remove_lowest(s, when), when), when)
    fewer = not t.plant_market.step_2_replaced  # A-EUR-5
    size = t.ruleset.market_size - fewer

    def draw_one(at: Array, s: State) -> State:
        gap = (s.market[size - 1] >= LAST) & (s.last == IN_DECK)  # of Step 1, A-MEA-4
        s, comes = turn_up(t, s, when & ((at < 2 - fewer) | gap), auction=auction)
        return s if auction is True else use_now(t, s, comes & ~jnp.asarray(auction))

    gaps = size if t.plant_market.barred else 0
    drawn: State = jax.lax.fori_loop(0, 2 - fewer + gaps, draw_one, s)
    return drawn


def fill(t: Tables, s: State, when: Array) -> State:
    """Step 3 comes: the market may have had gaps, A-MEA-4."""

    def draw_one(_: Array, s: State) -> State:
        gap = s.market[t.plant_market.step_3 - 1] >= LAST
        return turn_up(t, s, when & gap, auction=True)[0]

    filled: State = jax.lax.fori_loop(0, t.plant_market.step_3, draw_one, s)
    return filled


def renew_by_stage(t: Tables, s: State, when: Array) -> State:
    """Phase 5: the highest plants make way for others, A-MAN-7 to A-MAN-9."""
    assert s.stage is not None
    row, stage = t.plant_market.current, s.stage
    first, second = stage == 1, stage == 2
    s, when = remove_lowest(s, when & (stage == LAST_STAGE)), when & (stage < LAST_STAGE)
    for place, leaves in ((WAITING, first), (WAITING, first), (below_deck(s), second)):
        count = plants_in(s)
        s = put_away(s, count - 1, when & leaves & (count > row), place)

    def draw_one(_: Array, s: State) -> State:
        gap = s.market[t.ruleset.market_size - 1] >= LAST
        return turn_up(t, s, when & gap, auction=False)[0]

    filled: State = jax.lax.fori_loop(0, t.ruleset.market_size, draw_one, s)
    return renew_deck(filled, when)[0]
