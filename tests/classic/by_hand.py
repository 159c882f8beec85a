"""Fuel as it lies on the table, token by token on its plant: slow, but obviously correct.

Counts are by kind: coal, oil, garbage, uranium.
"""

from functools import cache, lru_cache
from itertools import product

from hypothesis import strategies as st

from highvoltage.games.classic.tables import PLANTS

Counts = tuple[int, ...]
Burns = frozenset[tuple[int, Counts]]  # by plant
NOTHING: Counts = (0, 0, 0, 0)


def less(counts: Counts, gone: Counts) -> Counts | None:
    left = tuple(have - lost for have, lost in zip(counts, gone, strict=True))
    return left if min(left) >= 0 else None


@cache
def loads(card: int) -> tuple[Counts, ...]:
    """Everything that may lie on a plant."""
    plant = PLANTS[card]
    store = 2 * plant.need
    most = [store if kind in plant.fuels else 0 for kind in range(4)]
    every = product(*(range(count + 1) for count in most))
    return tuple(load for load in every if sum(load) <= store)


@lru_cache(maxsize=20_000)
def placements(cards: tuple[int, ...], held: Counts) -> tuple[tuple[Counts, ...], ...]:
    """Every way to put all the tokens on the plants."""
    if not cards:
        return ((),) if held == NOTHING else ()
    return tuple(
        (load, *rest)
        for load in loads(cards[0])
        if (left := less(held, load)) is not None
        for rest in placements(cards[1:], left)
    )


def returned(kept: tuple[int, ...], held: Counts, scrapped: int) -> set[Counts]:
    """The smallest bundles from the scrapped plant that leave every other token on a plant."""
    bundles = [
        load
        for load in loads(scrapped)
        if (left := less(held, load)) is not None and placements(kept, left)
    ]
    fewest = min(map(sum, bundles))
    return {bundle for bundle in bundles if sum(bundle) == fewest}


def burns(cards: tuple[int, ...], held: Counts) -> set[Burns]:
    """Every choice of plants and fuel: one after the other burns what is on it at that moment."""
    found: set[Burns] = {frozenset()}
    waiting: list[tuple[Burns, Counts]] = [(frozenset(), held)]
    while waiting:
        done, left = waiting.pop()
        for at, card in enumerate(cards):
            if card in {burned for burned, _ in done}:
                continue
            need = PLANTS[card].need
            on_it = {placement[at] for placement in placements(cards, left)}
            for fuel in loads(card):
                if sum(fuel) == need and any(less(load, fuel) is not None for load in on_it):
                    more = done | {(card, fuel)}
                    rest = less(left, fuel)
                    assert rest is not None
                    if more not in found:
                        found.add(more)
                        waiting.append((more, rest))
    return found


@st.composite
def stocked(draw: st.DrawFn, most: int = 4) -> tuple[tuple[int, ...], Counts]:
    """Plants of one player, mostly hybrids and plants of their fuels, and the tokens on them."""
    numbers = st.sampled_from([3, 4, 5, 7, 9, 10, 12, 21, 29, 46]) | st.sampled_from([*PLANTS])
    cards = tuple(sorted(draw(st.sets(numbers, min_size=1, max_size=most))))
    on_them = [draw(st.sampled_from(loads(card))) for card in cards]
    return cards, tuple(map(sum, zip(*on_them, strict=True)))
