"""Fuel on plants: what fits, what may be burned, what must go back.

Plants of one fuel share a store per kind; hybrids share one store for two fuels. Which token lies
on which plant follows from the totals, so a player holds one count per kind.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import permutations, product
from typing import TypeVar

from highvoltage.engine.cards import label
from highvoltage.engine.moves import Run
from highvoltage.engine.parts.plant import Plant

Held = tuple[int, ...]
"""Tokens held, one count per kind."""

COUNT_BITS = 12  # of each kind in a packed number, one of them for its guard
MAX_COUNT = (1 << COUNT_BITS - 1) - 1

T = TypeVar("T")
Of = Callable[[tuple[int, ...], Held], T]
"""A function of the plants of a player and the tokens on them."""


class FuelRules:
    """Storage and burning for one set of kinds and plants.

    Fuel lies on plants: a hybrid burns only what can lie on it, and a scrapped plant takes away
    only what could lie on it. With a `central` store for all plants neither matters.
    """

    def __init__(
        self,
        kinds: Sequence[str],
        hybrid: tuple[int, int],
        plants: dict[int, Plant],
        *,
        central: bool = False,
    ) -> None:
        self.kinds: tuple[str, ...] = tuple(kinds)
        self.index: dict[str, int] = {kind: i for i, kind in enumerate(kinds)}
        self.hybrid = hybrid
        self.plants = plants
        self.central = central
        self.none: Held = (0,) * len(self.kinds)
        self.by_name: list[tuple[str, int]] = sorted(self.index.items())
        # Asked for every view of a position; hundreds of tables share this cache.
        self.missing: Of[Held] = lru_cache(maxsize=256)(self.find_missing)
        self.ready: Of[tuple[int, ...]] = lru_cache(maxsize=4096)(self.find_ready)
        one, two = (self.kinds[kind] for kind in hybrid)
        self._fleets: dict[tuple[int, ...], Fleet] = {}
        self._guards: int = packed([MAX_COUNT + 1] * len(self.kinds))  # lost below zero
        self._mixes = {  # of a hybrid, by how much of the first fuel it burns
            card: [(one,) * n + (two,) * (plant.need - n) for n in range(plant.need + 1)]
            for card, plant in plants.items()
            if plant.hybrid
        }

    def fleet(self, cards: tuple[int, ...]) -> "Fleet":
        """What follows from owning these plants."""
        known = self._fleets.get(cards)
        if known is None:
            plants = [self.plants[card] for card in cards]
            known = self._fleets[cards] = Fleet(cards, plants, len(self.kinds))
        return known

    # Storage

    def fits(self, cards: tuple[int, ...], held: Held) -> bool:
        return min(self.rooms(cards, held)) >= 0

    def rooms(self, cards: tuple[int, ...], held: Held) -> Held:
        """How many more tokens of each kind fit, each taken alone; negative: too many are held."""
        fleet = self.fleet(cards)
        room = [store - held[kind] for kind, store in enumerate(fleet.stores)]
        shared = fleet.hybrid_store
        if shared:
            one, two = self.hybrid
            first, second = room[one], room[two]
            shared += min(0, first) + min(0, second)
            room[one] = max(0, first) + shared
            room[two] = max(0, second) + shared
        return tuple(room)

    def find_missing(self, cards: tuple[int, ...], held: Held) -> Held:
        """How many more tokens of each kind one run of all plants needs, each taken alone."""
        fleet = self.fleet(cards)
        missing = [need - held[kind] for kind, need in enumerate(fleet.needs)]
        one, two = self.hybrid
        first, second = missing[one], missing[two]
        shared = max(0, sum(fleet.hybrids) + min(0, first) + min(0, second))
        missing[one] = max(0, first) + shared
        missing[two] = max(0, second) + shared
        return tuple([max(0, count) for count in missing])

    def returns(self, cards: tuple[int, ...], held: Held, scrapped: int) -> list[Held]:
        """The smallest bundles that have to leave with a scrapped plant; `cards` are the others."""
        fleet = self.fleet(cards)
        stores = fleet.stores
        spilled = [max(0, have - stores[kind]) for kind, have in enumerate(held)]
        if not any(spilled):
            return [self.none]
        one, two = self.hybrid
        first, second = spilled[one], spilled[two]
        excess = max(0, first + second - fleet.hybrid_store)
        bundles = []
        for gone in range(min(excess, first), max(0, excess - second) - 1, -1):
            spilled[one], spilled[two] = gone, excess - gone
            bundles.append(tuple(spilled))
        if self.central:
            return bundles
        fuels = self.plants[scrapped].fuels
        return [
            bundle
            for bundle in bundles
            if all(kind in fuels for kind, count in enumerate(bundle) if count)
        ]

    # Burning

    def runs(self, cards: tuple[int, ...], held: Held) -> list[Run]:
        """Every legal choice of plants and hybrid mixes."""
        fleet = self.fleet(cards)
        have, guards = packed(held) | self._guards, self._guards
        found: list[Run] = []
        for each in self._parts(fleet):
            left = have - each.burned
            if left & guards != guards:
                continue
            if each.hybrids:
                found += [self._mixed_run(each, mix) for mix in self._mixes_of(fleet, each, left)]
            else:
                found.append(each.run)
        return found

    def burned(self, run: Run) -> Held:
        """What a legal run burns."""
        burned = [0] * len(self.kinds)
        for card, mix in run.plants:
            for fuel in mix:
                burned[self.index[fuel]] += 1
            plant = self.plants[card]
            if plant.fuels and not mix:
                burned[plant.fuels[0]] += plant.need
        return tuple(burned)

    def run_refusal(
        self, cards: tuple[int, ...], held: Held, run: Run
    ) -> tuple[str, dict[str, object]]:
        """What is wrong with a run that is not legal: the code of a refusal and its values."""
        named: set[int] = set()
        for card, mix in run.plants:
            if card not in cards:
                return "run_not_owned", {"card": label(card)}
            if card in named:
                return "run_twice", {"card": label(card)}
            named.add(card)
            plant = self.plants[card]
            fuels = [self.kinds[kind] for kind in plant.fuels]
            tokens = plant.need if plant.hybrid else 0  # only a hybrid says what it burns
            if len(mix) != tokens or not set(mix) <= set(fuels):
                written = label(card) + (f":{','.join(fuels[:1] * tokens)}" if tokens else "")
                kinds = ", ".join(fuels) or "-"
                need: dict[str, object] = {"need": plant.need, "fuels": kinds, "written": written}
                return "run_mix", {"card": label(card), **need}
        same = [run for run in self.runs(cards, held) if {card for card, _ in run.plants} == named]
        if not same:
            return "run_no_fuel", {}
        return "run_mix_unlawful", {"choices": " | ".join(map(str, same))}

    def yields(self, run: Run) -> int:
        return sum(self.plants[card].powers for card, _ in run.plants)

    def max_yield(self, cards: tuple[int, ...], held: Held) -> int:
        """The most that the plants can yield in one run."""
        return sum(self.plants[card].powers for card in self.ready(cards, held))

    def full_yield(self, cards: tuple[int, ...]) -> int:
        """What the plants yield with all the fuel they need."""
        return self.fleet(cards).powers

    def plants_enabled_by(self, cards: tuple[int, ...], held: Held, more: Held) -> set[int]:
        """The idle plants that would run with `more` fuel in place of `held`, if that pays."""
        if self.max_yield(cards, more) == self.max_yield(cards, held):
            return set()
        return {*self.ready(cards, more)} - {*self.ready(cards, held)}

    def find_ready(self, cards: tuple[int, ...], held: Held) -> tuple[int, ...]:
        """The plants that yield most in one run; a suitable mix always exists."""
        have, guards = packed(held) | self._guards, self._guards
        parts = self._parts(self.fleet(cards))
        best = parts[0]
        for each in parts:
            left = have - each.burned
            if each.powers > best.powers and left & guards == guards:
                first, second = self._hybrid_counts(left)
                if sum(each.hybrids) <= first + second:
                    best = each
        return best.cards

    def _hybrid_counts(self, packed: int) -> tuple[int, int]:
        """The counts of the two fuels that hybrids burn."""
        one, two = self.hybrid
        first, second = packed >> COUNT_BITS * one, packed >> COUNT_BITS * two
        return first & MAX_COUNT, second & MAX_COUNT

    def _parts(self, fleet: "Fleet") -> list["Fleet"]:
        """Every set of these plants, the empty one first."""
        if not fleet.parts:
            sets: list[tuple[int, ...]] = [()]
            for card in fleet.cards:
                sets += [(*before, card) for before in sets]
            fleet.parts = [self.fleet(cards) for cards in sets]
        return fleet.parts

    def _mixes_of(self, fleet: "Fleet", part: "Fleet", left: int) -> tuple[tuple[int, ...], ...]:
        """What the hybrids of a part may burn while the rest of the fleet stores fuel."""
        one, two = self.hybrid
        return hybrid_burns(
            part.hybrids,
            self._hybrid_counts(left),
            (fleet.stores[one], fleet.stores[two]),
            None if self.central else fleet.hybrid_store,
        )

    def _mixed_run(self, part: "Fleet", firsts: tuple[int, ...]) -> Run:
        """The move that runs plants with this mix, made when it is legal for the first time."""
        known = part.mixed_runs.get(firsts)
        if known is None:
            following = iter(firsts)
            plants = [
                (card, self._mixes[card][next(following)] if card in self._mixes else ())
                for card in part.cards
            ]
            known = part.mixed_runs[firsts] = Run(tuple(plants))
        return known


class Fleet:
    """Plants of one owner, or those of them that run together."""

    __slots__ = (
        *("burned", "cards", "hybrid_store", "hybrids", "mixed_runs", "needs", "parts", "powers"),
        *("run", "stores"),
    )

    def __init__(self, cards: tuple[int, ...], plants: list[Plant], kinds: int) -> None:
        stores, needs = [0] * kinds, [0] * kinds
        hybrids = [plant for plant in plants if plant.hybrid]
        for plant in plants:
            if plant.fuels and not plant.hybrid:
                stores[plant.fuels[0]] += plant.store
                needs[plant.fuels[0]] += plant.need
        self.cards: tuple[int, ...] = cards
        self.stores: Held = tuple(stores)  # room on plants of one fuel, by kind
        self.needs: Held = tuple(needs)  # what they burn, by kind
        self.burned: int = packed(needs)  # the same
        self.hybrids: tuple[int, ...] = tuple([plant.need for plant in hybrids])  # what each burns
        self.hybrid_store: int = sum([plant.store for plant in hybrids])
        self.powers: int = sum([plant.powers for plant in plants])
        self.run: Run = Run(tuple([(card, ()) for card in cards]))  # without hybrids
        self.mixed_runs: dict[tuple[int, ...], Run] = {}  # by what each hybrid burns of one fuel
        self.parts: list[Fleet] = []  # every set of the plants, once it is needed


def packed(counts: Sequence[int]) -> int:
    """Counts as one number, so that all kinds are compared and subtracted at once."""
    number = 0
    for count in reversed(counts):
        number = number << COUNT_BITS | count
    return number


@lru_cache(maxsize=20_000)
def hybrid_burns(
    needs: tuple[int, ...], held: tuple[int, int], pure: tuple[int, int], shared: int | None
) -> tuple[tuple[int, ...], ...]:
    """What hybrids may burn together: the units of the first fuel for each; the rest is the second.

    A hybrid burns what can lie on it: the remaining fuel must still find room, on `pure` plants or
    in the `shared` store without the units that this hybrid burns. Hybrids run one after the other,
    in an order the owner chooses. If `shared` is None, any mix is allowed.
    """

    def allowed(firsts: tuple[int, ...]) -> bool:
        for ordered in permutations(zip(needs, firsts, strict=True)):
            first, second = held
            for need, burned in ordered:
                first -= burned
                second -= need - burned
                spilled = max(0, first - pure[0]) + max(0, second - pure[1])
                if shared is not None and spilled > shared - need:
                    break
            else:
                return True
        return False

    return tuple(
        firsts
        for firsts in product(*(range(need, -1, -1) for need in needs))
        if sum(firsts) <= held[0] and sum(needs) - sum(firsts) <= held[1] and allowed(firsts)
    )
