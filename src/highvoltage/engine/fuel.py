"""Fuel on plants: what fits, what may be burned, what must go back.

Plants of one fuel have a store of their own; hybrids share one store for two fuels. Which token
lies on which plant follows from the totals, so a player holds one count per kind.
"""

from collections.abc import Sequence
from itertools import combinations, permutations, product
from operator import le
from typing import NamedTuple, TypeVar

from highvoltage.engine.moves import Run

K = TypeVar("K")
V = TypeVar("V")


class Plant(NamedTuple):
    """A plant card. `powers` is what one run yields: cities, or money in the card game."""

    number: int
    fuels: tuple[int, ...]  # indexes of kinds; two for a hybrid, none for a plant without fuel
    need: int
    powers: int

    @property
    def hybrid(self) -> bool:
        return len(self.fuels) == 2


Held = tuple[int, ...]
"""Tokens held, one count per kind."""


class Running(NamedTuple):
    """What a run burns and yields."""

    burned: Held
    powers: int


class PlantSet(NamedTuple):
    """Plants that might run together; `run` and `pure` leave out what the hybrids burn."""

    run: Run
    pure: Running
    hybrids: tuple[Plant, ...]


class FuelRules:
    """Storage and burning for one set of kinds and plants; answers are cached."""

    def __init__(
        self, kinds: Sequence[str], hybrid: tuple[int, int], plants: dict[int, Plant]
    ) -> None:
        self.kinds = tuple(kinds)
        self.index = {kind: i for i, kind in enumerate(kinds)}
        self.hybrid = hybrid
        self.plants = plants
        self.none: Held = (0,) * len(self.kinds)
        self._plant_sets: dict[tuple[int, ...], dict[tuple[int, ...], PlantSet]] = {}
        self._stores: dict[tuple[int, ...], tuple[Held, int]] = {}
        self._rooms: dict[tuple[tuple[int, ...], Held], Held] = {}
        self._returns: dict[tuple[tuple[int, ...], Held, int], list[Held]] = {}

    def stores(self, cards: tuple[int, ...]) -> tuple[Held, int]:
        """Room on plants of one fuel, by kind, and room shared on hybrids."""
        known = self._stores.get(cards)
        if known is None:
            pure = [0] * len(self.kinds)
            shared = 0
            for card in cards:
                plant = self.plants[card]
                if plant.hybrid:
                    shared += 2 * plant.need
                elif plant.fuels:
                    pure[plant.fuels[0]] += 2 * plant.need
            known = self._stores[cards] = tuple(pure), shared
        return known

    def fits(self, cards: tuple[int, ...], held: Held) -> bool:
        pure, shared = self.stores(cards)
        spilled = 0
        for kind, count in enumerate(held):
            if count > pure[kind]:
                if kind not in self.hybrid:
                    return False
                spilled += count - pure[kind]
        return spilled <= shared

    def rooms(self, cards: tuple[int, ...], held: Held) -> Held:
        """How many more tokens of each kind fit, each taken alone."""
        known = self._rooms.get((cards, held))
        if known is None:
            pure, shared = self.stores(cards)
            one, two = self.hybrid
            room = [store - have for store, have in zip(pure, held, strict=True)]
            spilled = shared - max(0, -room[one]) - max(0, -room[two])  # left on the hybrids
            room[one] = max(0, room[one]) + spilled
            room[two] = max(0, room[two]) + spilled
            known = self._keep(self._rooms, (cards, held), tuple(room))
        return known

    def returns(self, cards: tuple[int, ...], held: Held, scrapped: int) -> list[Held]:
        """The smallest bundles that have to leave with a scrapped plant; `cards` are the others."""
        known = self._returns.get((cards, held, scrapped))
        if known is None:
            found = self._find_returns(cards, held, self.plants[scrapped])
            known = self._keep(self._returns, (cards, held, scrapped), found)
        return known

    def _find_returns(self, cards: tuple[int, ...], held: Held, plant: Plant) -> list[Held]:
        for total in range(2 * plant.need + 1):
            bundles = []
            for first in range(total, -1, -1) if plant.hybrid else (total,):
                bundle = list(self.none)
                for kind, count in zip(plant.fuels, (first, total - first), strict=False):
                    bundle[kind] = count
                left = tuple(have - gone for have, gone in zip(held, bundle, strict=True))
                if min(left) >= 0 and self.fits(cards, left):
                    bundles.append(tuple(bundle))
            if bundles:
                return bundles
        raise AssertionError("held fuel did not fit before the plant was scrapped")

    def runs(self, cards: tuple[int, ...], held: Held) -> list[Run]:
        """Every legal choice of plants and hybrid mixes."""
        found: list[Run] = []
        for plants in self._sets(cards).values():
            if all(map(le, plants.pure.burned, held)):
                if plants.hybrids:
                    mixes = self._mixes(cards, held, plants)
                    found += [self._run(plants, firsts) for firsts in mixes]
                else:
                    found.append(plants.run)
        return found

    def running(self, cards: tuple[int, ...], held: Held, run: Run) -> Running | None:
        """What a run burns and yields; None if it is not legal. Agrees with `runs`."""
        plants = self._sets(cards).get(tuple(card for card, _ in run.plants))
        if plants is None or not all(map(le, plants.pure.burned, held)):
            return None
        if not plants.hybrids:
            return plants.pure if run == plants.run else None
        one = self.kinds[self.hybrid[0]]
        mixes = [mix for card, mix in run.plants if self.plants[card].hybrid]
        firsts = tuple(mix.count(one) for mix in mixes)
        if any(n > plant.need for n, plant in zip(firsts, plants.hybrids, strict=True)):
            return None
        if run != self._run(plants, firsts) or not self._lawful(cards, held, plants, firsts):
            return None
        burned = list(plants.pure.burned)
        burned[self.hybrid[0]] += sum(firsts)
        burned[self.hybrid[1]] += sum(plant.need for plant in plants.hybrids) - sum(firsts)
        return Running(tuple(burned), plants.pure.powers)

    @staticmethod
    def _keep(answers: dict[K, V], question: K, answer: V) -> V:
        if len(answers) > 50_000:
            answers.clear()
        answers[question] = answer
        return answer

    def _sets(self, cards: tuple[int, ...]) -> dict[tuple[int, ...], PlantSet]:
        """Every set of the plants, whatever fuel there is."""
        known = self._plant_sets.get(cards)
        if known is None:
            found = {}
            for size in range(len(cards) + 1):
                for chosen in combinations(cards, size):
                    found[chosen] = self._plant_set(chosen)
            known = self._keep(self._plant_sets, cards, found)
        return known

    def _plant_set(self, cards: tuple[int, ...]) -> PlantSet:
        needs = list(self.none)
        plants = [self.plants[card] for card in cards]
        for plant in plants:
            if len(plant.fuels) == 1:
                needs[plant.fuels[0]] += plant.need
        return PlantSet(
            Run(tuple((card, ()) for card in cards)),
            Running(tuple(needs), sum(plant.powers for plant in plants)),
            tuple(plant for plant in plants if plant.hybrid),
        )

    def _mixes(self, cards: tuple[int, ...], held: Held, plants: PlantSet) -> list[tuple[int, ...]]:
        """For each hybrid how much of the first fuel it burns, the rest being the second."""
        ranges = (range(plant.need, -1, -1) for plant in plants.hybrids)
        return [mix for mix in product(*ranges) if self._lawful(cards, held, plants, mix)]

    def _lawful(
        self, cards: tuple[int, ...], held: Held, plants: PlantSet, mix: tuple[int, ...]
    ) -> bool:
        """A hybrid burns what can lie on it: whatever stays must still find room elsewhere.

        Plants run one after the other in an order of the owner's choice, those of one fuel first.
        """
        pure, shared = self.stores(cards)
        one, two = self.hybrid
        burns = list(zip(plants.hybrids, mix, strict=True))
        for ordered in permutations(burns) if len(burns) > 1 else (burns,):
            first = held[one] - plants.pure.burned[one]
            second = held[two] - plants.pure.burned[two]
            for plant, burned in ordered:
                first -= burned
                second -= plant.need - burned
                spilled = max(0, first - pure[one]) + max(0, second - pure[two])
                if first < 0 or second < 0 or spilled > shared - plant.need:
                    break
            else:
                return True
        return False

    def _run(self, plants: PlantSet, firsts: tuple[int, ...]) -> Run:
        first = iter(firsts)
        one, two = (self.kinds[kind] for kind in self.hybrid)
        running = []
        for card, _ in plants.run.plants:
            plant = self.plants[card]
            mix: tuple[str, ...] = ()
            if plant.hybrid:
                burned = next(first)
                mix = (one,) * burned + (two,) * (plant.need - burned)
            running.append((card, mix))
        return Run(tuple(running))

    def most(self, cards: tuple[int, ...], held: Held) -> int:
        """The most that the plants can yield in one run; some mix always suits the totals."""
        one, two = self.hybrid
        most = 0
        for plants in self._sets(cards).values():
            left = [have - need for have, need in zip(held, plants.pure.burned, strict=True)]
            shared = sum(plant.need for plant in plants.hybrids)
            if min(left) >= 0 and left[one] + left[two] >= shared:
                most = max(most, plants.pure.powers)
        return most
