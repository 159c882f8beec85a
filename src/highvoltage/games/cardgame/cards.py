"""The card faces: read from a file of the form A-1 and checked against A-3.

The faces that ship are partly reconstructed. Owners of the printed game can put theirs in a file of
the same form; its faults are reported card by card.
"""

import json
import warnings
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from itertools import pairwise
from typing import Annotated, Any, Literal, TypeVar

import msgspec
from msgspec import Meta, Struct

from highvoltage.engine.cards import LAST_CARD
from highvoltage.engine.errors import CardsError, CardsWarning
from highvoltage.engine.parts.fuel import FuelRules
from highvoltage.engine.parts.plant import Plant
from highvoltage.games.cardfile import UNNAMED
from highvoltage.games.cardgame import tables
from highvoltage.games.cardgame.fuel import fuel_card

BASIC = ("2-6", "4-6", "5-6")
COUNTS = {  # A-V2: coal, gas, oil, uranium
    "basic": (12, 10, 9, 5),
    "+": (1, 1, 1, 1),
    "single": (2, 2, 2, 1),
}
NUMBERS = {"card_game": 5, "board_game": 6}  # Demolition cards on each side, D-1.1
STATED = {12: ("coal", 3, 9), 7: ("hybrid", 3, 8), 8: ("eco", 0, 6)}  # type, units, income
MAX_ROWS = 200  # an untrusted file may be of any size
SEEN = ("coal 2", "coal 3", "gas 2", "gas 3", "uranium 1")

Kind = Literal["coal", "gas", "oil", "uranium"]
Source = str | dict[str, str]
Row = TypeVar("Row", bound=Struct)


class PlantFace(Struct, omit_defaults=True):
    """A plant card of the file."""

    id: str
    back: Literal["small", "large"]
    number: Annotated[int, Meta(ge=1, lt=LAST_CARD)]
    fuels: list[Kind]
    units: Annotated[int, Meta(ge=0, le=100)]
    income: Annotated[int, Meta(ge=1, le=1000)]
    type: Literal["coal", "gas", "oil", "uranium", "hybrid", "eco"] | None = None
    storage: int | None = None
    source: Source = {}

    @property
    def burns(self) -> str:
        """The type that follows from the fuels."""
        if not self.fuels:
            return "eco"
        if len(self.fuels) == 1:
            return self.fuels[0]
        return "hybrid" if self.fuels == ["gas", "oil"] else "/".join(self.fuels)


class FuelFace(Struct, omit_defaults=True):
    """A number of identical fuel cards of the file."""

    kind: Kind
    units: int
    marking: Literal["2-6", "4-6", "5-6", "+", "++", "single"]
    count: Annotated[int, Meta(ge=1)]
    source: Source = {}


class DemolitionFace(Struct, omit_defaults=True):
    """One side of a Demolition card of the file."""

    number: int
    first: int
    next: int
    source: Source = {}


class Faces(Struct):
    """The content of a card file."""

    plants: list[PlantFace]
    fuel: list[FuelFace]
    demolition: dict[str, list[DemolitionFace]]


class Cards:
    """A deck that can be played."""

    def __init__(self, faces: Faces) -> None:
        self.faces = faces
        self.plants: dict[int, Plant] = {}
        self.small: list[int] = []  # plants by their backs, in the order of the file
        self.large: list[int] = []
        for face in faces.plants:
            card = face.number
            while card in self.plants:
                card += 100  # a twin
            fuels = tuple(tables.FUELS.index(fuel) for fuel in face.fuels)
            self.plants[card] = Plant(face.number, fuels, face.units, face.income)
            (self.small if face.back == "small" else self.large).append(card)
        self.fuel: dict[str, list[int]] = {mark: [] for mark in (*BASIC, "+", "++", "single")}
        for row in faces.fuel:
            card = fuel_card(tables.FUELS.index(row.kind), row.units)
            self.fuel[row.marking] += [card] * row.count
        self.demolition: tuple[tuple[int, int], ...] = tuple(
            (card.first, card.next)
            for card in sorted(faces.demolition["card_game"], key=lambda card: card.number)
        )
        self.reconstructed: bool = any(map(is_reconstructed, rows(faces)))
        self.rules: FuelRules = FuelRules(tables.FUELS, tables.HYBRID, self.plants, central=True)
        self.backs: dict[int, str] = dict.fromkeys(self.small, "small") | dict.fromkeys(
            self.large, "large"
        )

    def data(self) -> dict[str, Any]:
        """The faces in the form of a file, for a record."""
        faces: dict[str, Any] = msgspec.to_builtins(self.faces)
        return {
            "plants": faces["plants"],
            "resources": {"cards": faces["fuel"]},
            "demolition": {side: {"cards": cards} for side, cards in faces["demolition"].items()},
        }


@cache
def shipped() -> Cards:
    """The deck that ships, A-4."""
    text = files("highvoltage.games.cardgame").joinpath("data/cards.json").read_text("utf-8")
    return load(json.loads(text), "the shipped deck")


def load(data: Mapping[str, Any], source: str = UNNAMED) -> Cards:
    """The deck in a file of the form A-1; CardsError lists all its faults."""
    problems: list[str] = []
    faces = Faces(
        plants=read(data, ("plants",), PlantFace, problems),
        fuel=read(data, ("resources", "cards"), FuelFace, problems),
        demolition={
            side: read(data, ("demolition", side, "cards"), DemolitionFace, problems)
            for side in NUMBERS
        },
    )
    if not problems:
        problems = [
            *check_plants(faces.plants),
            *check_fuel(faces.fuel),
            *check_stated(faces),
            *check_demolition(faces.demolition),
        ]
    if problems:
        raise CardsError(source, problems)
    for doubt in doubts(faces):
        warnings.warn(f"{source}: {doubt}", CardsWarning, stacklevel=3)
    return Cards(faces)


# Form, A-1


def read(data: Any, path: tuple[str, ...], row: type[Row], problems: list[str]) -> list[Row]:
    """The rows at a path in the file; unreadable ones are added to the problems."""
    for key in path:
        data = data.get(key) if isinstance(data, Mapping) else None
    if not isinstance(data, list):
        problems.append(f"{'.'.join(path)}: a list of cards is missing (A-1).")
        return []
    if len(data) > MAX_ROWS:
        problems.append(f"{'.'.join(path)}: {len(data)} rows; there are at most {MAX_ROWS} (A-1).")
        return []
    found = []
    for at, card in enumerate(data):
        try:
            found.append(msgspec.convert(card, row))
        except msgspec.ValidationError as error:
            reason = str(error).replace(" - at `$.", " in `")
            problems.append(f"{'.'.join(path)}, {row_name(card, at)}: {reason} (A-1).")
    return found


def row_name(card: Any, at: int) -> str:
    """The name of an unreadable row in error messages."""
    if isinstance(card, Mapping):
        for key in ("id", "number"):
            if key in card:
                return f"{key} {str(card[key])[:40]}"
    return f"row {at + 1}"


def rows(faces: Faces) -> Iterator[PlantFace | FuelFace | DemolitionFace]:
    yield from faces.plants
    yield from faces.fuel
    for cards in faces.demolition.values():
        yield from cards


def is_reconstructed(row: PlantFace | FuelFace | DemolitionFace) -> bool:
    marks = [row.source] if isinstance(row.source, str) else row.source.values()
    return "reconstructed" in marks


# What must hold, A-3


def check_plants(plants: list[PlantFace]) -> Iterator[str]:
    for back, count in (("small", 13), ("large", 29)):
        found = sum(plant.back == back for plant in plants)
        if found != count:
            yield f"There are {found} {back} plants instead of {count} (A-V1)."
    for name, count in Counter(plant.id for plant in plants).items():
        if count > 1:
            yield f"Plant {name}: {count} plants have this id (A-V1)."
    for plant in plants:
        yield from check_plant(plant)


def check_plant(plant: PlantFace) -> Iterator[str]:
    which = f"Plant {plant.id} (number {plant.number})"
    if plant.burns not in {*tables.FUELS, "hybrid", "eco"}:
        yield f"{which}: no plant burns {plant.burns}; a hybrid burns gas and oil (A-V4)."
    if (plant.units == 0) != (not plant.fuels):
        yield f"{which}: it burns {plant.burns} and needs {plant.units} (A-V4)."
    if plant.type is not None and plant.type != plant.burns:
        yield f"{which}: its type is {plant.type}, but its fuels make it {plant.burns} (A-V4)."
    if plant.storage is not None and plant.storage != 2 * plant.units:
        yield f"{which}: it stores {plant.storage} instead of twice its {plant.units} (A-V4)."


def counted(fuel: list[FuelFace]) -> dict[str, dict[str, int]]:
    """Fuel cards by group and kind."""
    counts = {group: dict.fromkeys(tables.FUELS, 0) for group in (*COUNTS, "++")}
    for row in fuel:
        counts["basic" if row.marking in BASIC else row.marking][row.kind] += row.count
    return counts


def check_fuel(fuel: list[FuelFace]) -> Iterator[str]:
    yield from check_fuel_counts(fuel)
    same = Counter((row.kind, row.units, row.marking) for row in fuel)
    for (kind, units, marking), count in same.items():
        which = f"Fuel card {kind} {units} ({marking})"
        if count > 1:
            yield f"{which}: {count} rows are alike (A-V2)."
        if units not in ((1,) if marking == "single" else (1, 2, 3)):
            yield f"{which}: it has 1 unit if single, else 1 to 3 (A-V3)."


def check_fuel_counts(fuel: list[FuelFace]) -> Iterator[str]:
    counts = counted(fuel)
    for group, wanted in COUNTS.items():
        for kind, count in zip(tables.FUELS, wanted, strict=True):
            if (found := counts[group][kind]) != count:
                yield f"There are {found} {group} {kind} cards instead of {count} (A-V2)."
    if (found := sum(counts["++"].values())) != 4:  # their division by kind is assumed, KR-39
        yield f"There are {found} ++ fuel cards instead of 4 (A-V2)."
    for players, least in ((2, 12), (4, 15)):
        marks = tables.MARKINGS[players]
        found = sum(row.count for row in fuel if row.marking in marks)
        if found < least:
            yield f"Only {found} fuel cards are for {players} players; {least} are laid out (A-V6)."


def check_stated(faces: Faces) -> Iterator[str]:
    """What the rulebook states about single cards, A-V5."""
    yield from check_stated_plants(faces.plants)
    yield from check_examples(faces.plants)
    regular = {f"{row.kind} {row.units}" for row in faces.fuel if row.marking != "single"}
    for name in SEEN:
        if name not in regular:
            yield f"Fuel card {name} is missing (A-V5)."
    for card in faces.demolition["card_game"]:
        if card.number == 1 and (card.first, card.next) != (1, 0):
            yield "Demolition card 1 (card_game) pays 1 and 0 (A-V5)."


def check_stated_plants(plants: list[PlantFace]) -> Iterator[str]:
    known = {(plant.number, plant.burns, plant.units, plant.income) for plant in plants}
    for number, (kind, units, income) in STATED.items():
        if (number, kind, units, income) not in known:
            yield f"Plant {number}: one is {kind}, needs {units} and earns {income} (A-V5)."
    if not any((plant.burns, plant.units) == ("gas", 1) for plant in plants):
        yield "A gas plant of 1 is missing (A-V5)."
    small = [plant.number for plant in plants if plant.back == "small"]
    if len(set(small)) == len(small):
        yield "No two small plants have the same number (A-V5)."


def check_examples(plants: list[PlantFace]) -> Iterator[str]:
    """Sets of plants that the rulebook's examples need."""
    lowest = {income: min_number(plants, income) for income in (7, 9, 10)}
    if not any(
        plant.number == 19 and max(n for i, n in lowest.items() if i != plant.income) <= 19
        for plant in plants
        if plant.income in lowest
    ):
        yield "Plant 19: with two lower ones it earns 7, 9 and 10 (A-V5)."
    one, two, uranium = (
        {plant.income for plant in plants if (plant.burns, plant.units) == face}
        for face in (("coal", 1), ("coal", 2), ("uranium", 1))
    )
    if not any(a + b + c == 16 for a in one for b in two for c in uranium):
        yield "No coal plants of 1 and 2 and uranium plant of 1 earn 16 together (A-V5)."


def min_number(plants: list[PlantFace], income: int) -> int:
    return min((plant.number for plant in plants if plant.income == income), default=LAST_CARD)


def check_demolition(sides: dict[str, list[DemolitionFace]]) -> Iterator[str]:
    for side, count in NUMBERS.items():
        if sorted(card.number for card in sides[side]) != list(range(1, count + 1)):
            yield f"The {side} Demolition cards are numbered 1 to {count} (A-V8)."
        for card in sides[side]:
            if card.first < 1 or not 0 <= card.next <= card.first:
                which = f"Demolition card {card.number} ({side})"
                yield f"{which}: the first is paid at least 1, the next 0 to {card.first} (A-V8)."


# What depends on our assumptions


def doubts(faces: Faces) -> Iterator[str]:
    for kind, count in counted(faces.fuel)["++"].items():
        if count != 1:
            yield f"There are {count} ++ {kind} cards; we expect 1 (A-V2)."
    for plant in faces.plants:
        if plant.back == "small" and plant.number > tables.START_MONEY:
            yield f"Plant {plant.id} (number {plant.number}) may be too dear for round 1 (A-V7)."
    for side, cards in faces.demolition.items():
        ranked = sorted(cards, key=lambda card: card.number)
        for low, high in pairwise(ranked):
            if high.first <= low.first or high.next < low.next:
                which = f"Demolition card {high.number} ({side})"
                yield f"{which} pays no more than the one before (A-V8)."
