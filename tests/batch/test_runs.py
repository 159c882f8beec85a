"""Which plants may run: the batched games add up what the engine searches for."""

from typing import Any

import jax
import numpy as np
import pytest

from highvoltage.batch import fuel
from highvoltage.batch.codes import LAST, NONE, PLAIN, code_of_plant
from highvoltage.codec.plants import MIX_CHOICES
from highvoltage.games.classic.tables import FUEL_RULES, FUELS, PLANTS
from spread import sizes

HYBRIDS = [card for card, plant in PLANTS.items() if plant.hybrid]
OTHERS = [3, 4, 6, 8, 11, 13, 25, 31]


def hand_of(rng: np.random.Generator, size: int) -> tuple[int, ...]:
    """Mostly hybrids."""
    cards = [*rng.permutation(HYBRIDS)[: rng.integers(1, size + 1)], *rng.permutation(OTHERS)]
    return tuple(sorted(int(card) for card in cards[:size]))


def stock_of(rng: np.random.Generator, cards: tuple[int, ...]) -> tuple[int, ...]:
    """Fuel until little or no room is left."""
    held = [0] * len(FUELS)
    for _ in range(rng.integers(0, 40)):
        room = FUEL_RULES.rooms(cards, tuple(held))
        kind = int(rng.integers(len(FUELS)))
        held[kind] += room[kind] > 0
    return tuple(held)


def runs_of(cards: tuple[int, ...], held: tuple[int, ...]) -> set[int]:
    """The indexes of the engine's runs."""
    found = set()
    for run in FUEL_RULES.runs(cards, held):
        index = 0
        for card, mix in run.plants:
            digit = 1 + mix.count(FUELS[0])
            index += digit * MIX_CHOICES ** cards.index(card)
        found.add(index)
    return found


@pytest.mark.parametrize("slots", sizes(3, 4))
def test_runs_are_those_of_the_engine(slots: int) -> None:
    rng = np.random.default_rng(slots)
    hands: list[Any] = [hand_of(rng, int(rng.integers(1, slots + 1))) for _ in range(600)]
    stocks = [stock_of(rng, hand) for hand in hands]
    codes = np.full((len(hands), slots), NONE, np.int16)
    for row, hand in zip(codes, hands, strict=True):
        row[: len(hand)] = [code_of_plant(PLANTS[card]) for card in hand]
    assert (codes[codes < LAST] > 0).all()
    found = np.asarray(
        jax.vmap(lambda p, h: fuel.runs(p, h, PLAIN))(codes, np.array(stocks, np.int8))
    )
    for hand, held, legal in zip(hands, stocks, found, strict=True):
        assert set(np.flatnonzero(legal).tolist()) == runs_of(hand, held), (hand, held)
