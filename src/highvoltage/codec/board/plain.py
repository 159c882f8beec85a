"""The codec of the board games without NumPy, for a browser: the same numbers in rows."""

from array import array
from functools import lru_cache
from typing import Any

from highvoltage.codec.board.actions import BoardActions
from highvoltage.codec.board.areas import Areas, extras_of, region_rows
from highvoltage.codec.board.cities import city_rows
from highvoltage.codec.board.layout import (
    CARD,
    CARDS,
    CITY,
    FUELS,
    MARKET,
    OFFERED,
    SEATS,
    SLOTS,
    Extras,
)
from highvoltage.codec.board.rows import (
    CARD_FACTORS,
    FUEL_FACTORS,
    PLAYER_FACTORS,
    SCALAR_FACTORS,
    Owner,
    count_row,
    owned_places,
    plant_row,
    scaled,
    shown_places,
    viewer_first,
)
from highvoltage.codec.board.some_maps import parts_of_some_maps
from highvoltage.codec.rows import Row, clockwise, numbers
from highvoltage.codec.spec import View
from highvoltage.engine.legal import Moves
from highvoltage.engine.moves import Move
from highvoltage.games import rulebook
from highvoltage.games.classic.ruleset import BoardRuleset

COUNT_FACTORS = [*SCALAR_FACTORS, *PLAYER_FACTORS * SEATS, *FUEL_FACTORS * len(FUELS)]
FIRST_FUEL = len(COUNT_FACTORS) - len(FUEL_FACTORS) * len(FUELS)


def plain_codec_of(view: View) -> "PlainBoardCodec":
    """The codec for a view of a board game on a map that comes with the package."""
    own_rules = view.get("map_rules", True)
    variants = tuple(view.get("variants", ()))
    return _codec(view["rulebook"], view["map"], len(view["players"]), own_rules, variants)


@lru_cache(maxsize=64)
def _codec(
    name: str, board: str, players: int, own_rules: bool, variants: tuple[str, ...]
) -> "PlainBoardCodec":
    options: dict[str, Any] = {"variants": variants} | ({} if own_rules else {"map_rules": False})
    rules: Any = rulebook(name, players, board, options)
    return PlainBoardCodec(rules.ruleset)


class PlainBoardCodec:
    """For one ruleset; its indexes and numbers are those of `BoardCodec`."""

    def __init__(self, rules: BoardRuleset) -> None:
        self.grounds: Areas = Areas(rules)
        self.extras: Extras = extras_of(rules)
        self.actions: BoardActions = BoardActions(self.grounds, rules.plant_limit, self.extras)
        self._fuels: tuple[str, ...] = rules.fuels
        self._regions: list[Row] = region_rows(rules)

    def legal(self, view: View, legal: Moves) -> list[int]:
        """The indexes of the legal moves."""
        return [index for index, flag in enumerate(self.actions.flags(view, legal)) if flag]

    def move(self, view: View, index: int) -> Move:
        return self.actions.move(view, index)

    def observe(self, view: View) -> dict[str, "array[float]"]:
        """The observation: all cities, all else that every map has, and each part of some maps."""
        owners = clockwise(view)
        third = [view["cartel"]] if "cartel" in view else []
        whole = scaled(count_row(view, owners, third), COUNT_FACTORS)
        places: Row = [0] * (4 * CARDS)
        for place in shown_places(view["market"]):
            places[place] = 1
        for owner in owners + third:
            for place in owned_places(owner):
                places[place] = 1
        face_up, size = market(view, self._fuels), MARKET * len(OFFERED)
        others = [
            *whole[:FIRST_FUEL],
            *plants(view, owners + third, self._fuels),
            *filled(face_up[:size], size),
            *whole[FIRST_FUEL:],
            *places,
        ]
        for region, row in self._named():
            others += [row[0], region in view["regions"], *row[2:]]
        found = {"cities": self._cities(view), "others": others}
        found |= parts_of_some_maps(view, owners, self.grounds, self.extras)
        if more := self.extras.more_plants:
            found["more_market"] = filled(face_up[size:], more * len(OFFERED))
        return {name: array("f", row) for name, row in found.items()}

    def _named(self) -> list[tuple[str, Row]]:
        names = [*self.grounds.board.regions, *[""] * len(self._regions)]
        return list(zip(names, self._regions, strict=False))

    def _cities(self, view: View) -> Row:
        size = self.grounds.rows * len(CITY)
        if view["phase"] == "regions":
            return [0] * size
        _, columns = viewer_first(view["seat"], len(view["players"]))
        found = numbers(city_rows(self.grounds.of(view["regions"]), view))
        return [found[first + column] for first in range(0, size, len(CITY)) for column in columns]


def plants(view: View, owners: list[Owner], fuels: tuple[str, ...]) -> Row:
    new = view["auction"]["card"] if view["auction"]["scrapping"] is not None else None
    found: Row = []
    for owner in owners:
        for plant in owner["plants"]:
            found += [*scaled(plant_row(plant, fuels), CARD_FACTORS), plant["card"] == new]
        found += [0] * ((SLOTS - len(owner["plants"])) * (len(CARD) + 1))
    return found + [0] * ((SEATS - len(owners)) * SLOTS * (len(CARD) + 1))


def market(view: View, fuels: tuple[str, ...]) -> Row:
    shown, lot = view["market"], view["auction"]["card"]
    discount, on_offer = shown.get("discount"), len(shown["current"])
    found: Row = []
    for at, plant in enumerate(shown["current"] + shown["future"]):
        found += scaled(plant_row(plant, fuels), CARD_FACTORS)
        found += (at < on_offer, plant["card"] == lot, plant["card"] == discount)
    return found


def filled(row: Row, size: int) -> Row:
    return row + [0] * (size - len(row))
