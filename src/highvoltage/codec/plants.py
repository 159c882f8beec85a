"""The part of an action code that games with plants and fuel share: scrap and run."""

from collections.abc import Sequence
from typing import Any

from highvoltage.codec.actions import Actions, parse_card
from highvoltage.codec.spec import CodecError, View
from highvoltage.engine.cards import label
from highvoltage.engine.moves import Move, Run, Scrap
from highvoltage.engine.parts.fuel import FuelRules
from highvoltage.engine.parts.plant import Plant

RETURN_CHOICES = 7  # units of the first hybrid fuel returned with a scrapped plant: 0 to 6
MIX_CHOICES = 5  # a plant does not run, or runs with 0 to 3 units of the first fuel

Plants = list[dict[str, Any]]
Slots = dict[int, tuple[int, int]]
"""For each of the player's cards its slot, and the value of its digit in the index of a run."""


MIX_WEIGHTS = tuple((at, MIX_CHOICES**at) for at in range(6))


def scrap_head(slots: int, first: str) -> tuple[str, int, str]:
    return "scrap", slots * RETURN_CHOICES, f"own plant * {RETURN_CHOICES} + {first} returned"


def run_head(plants: int) -> tuple[str, int, str]:
    return "run", MIX_CHOICES**plants, f"sum over own plants of digit * {MIX_CHOICES} ** plant"


class PlantActions(Actions):
    """Actions of games with plants, where hybrids mix two of the fuels."""

    def __init__(
        self,
        fuels: tuple[str, ...],
        hybrid: tuple[int, int],
        own: Sequence[tuple[str, int, str]],
        *,
        central: bool = False,
    ) -> None:
        super().__init__(own)
        self.fuels = fuels
        self.hybrid = hybrid
        self.central = central
        self.mixed: tuple[str, ...] = tuple(fuels[kind] for kind in hybrid)
        self.indexers.update({Scrap: self._scrap_index, Run: self._run_index})
        self.namers.update(scrap=self._scrap_move, run=self._run_move)

    # Scrap

    def _scrap_index(self, view: View, move: Scrap) -> int:
        slot = slots_of(view, view["seat"])[move.card][0]
        return (
            self.first["scrap"] + RETURN_CHOICES * slot + dict(move.returned).get(self.mixed[0], 0)
        )

    def _scrap_move(self, view: View, seat: int, at: int) -> Move:
        slot, first = divmod(at, RETURN_CHOICES)
        plants = plants_of(view, seat)
        if slot >= len(plants):
            raise CodecError(f"there is no own plant {slot}")
        rules = self._fuel_rules(plants)
        card = parse_card(plants[slot]["card"])
        kept = tuple(other for other in rules.plants if other != card)
        held = tuple(view["players"][seat]["fuel"][fuel] for fuel in self.fuels)
        for bundle in rules.returns(kept, held, card):
            if bundle[self.hybrid[0]] == first:
                counts = sorted(zip(self.fuels, bundle, strict=True))  # by name, as the engine
                return Scrap(card, tuple((fuel, count) for fuel, count in counts if count))
        raise CodecError(f"plant {label(card)} does not go with {first} {self.mixed[0]}")

    def _fuel_rules(self, plants: Plants) -> FuelRules:
        """What these plants can store; what they yield does not matter here."""
        cards = {}
        for plant in plants:
            fuels = tuple(self.fuels.index(fuel) for fuel in plant["fuels"])
            cards[parse_card(plant["card"])] = Plant(
                plant["number"], fuels, plant["need"], 0, plant.get("store")
            )
        return FuelRules(self.fuels, self.hybrid, cards, central=self.central)

    # Run

    def _run_index(self, view: View, move: Run) -> int:
        return self.run_index(slots_of(view, view["seat"]), move)

    def run_index(self, slots: Slots, move: Run) -> int:
        at, first = self.first["run"], self.mixed[0]
        for card, mix in move.plants:
            at += slots[card][1] * (1 + mix.count(first))
        return at

    def _run_move(self, view: View, seat: int, at: int) -> Move:
        running = []
        for plant in plants_of(view, seat):
            at, digit = divmod(at, MIX_CHOICES)
            if digit:
                running.append((parse_card(plant["card"]), self._mix(plant, digit - 1)))
        if at:
            raise CodecError("this runs a plant that the player does not own")
        return Run(tuple(running))

    def _mix(self, plant: dict[str, Any], first: int) -> tuple[str, ...]:
        """The fuel named in a move for a plant; empty unless it is a hybrid."""
        need: int = plant["need"]
        hybrid = len(plant["fuels"]) == 2
        if first > (need if hybrid else 0):
            raise CodecError(f"plant {plant['card']} does not run with {first} {self.mixed[0]}")
        one, two = self.mixed
        return (one,) * first + (two,) * (need - first) if hybrid else ()


def plants_of(view: View, seat: int) -> Plants:
    plants: Plants = view["players"][seat]["plants"]
    return plants


def slots_of(view: View, seat: int) -> Slots:
    plants = plants_of(view, seat)
    return {parse_card(plant["card"]): MIX_WEIGHTS[at] for at, plant in enumerate(plants)}


def check_hybrids(plants: dict[int, Plant]) -> None:
    """Refuse cards whose mixes the code cannot express."""
    for card, plant in plants.items():
        if plant.hybrid and plant.need > MIX_CHOICES - 2:
            raise CodecError(
                f"plant {label(card)} is a hybrid that burns {plant.need};"
                f" the code has room for {MIX_CHOICES - 2}"
            )
