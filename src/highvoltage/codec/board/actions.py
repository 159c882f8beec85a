"""The action code of the board games: every move is identified by position on the table."""

from collections.abc import Sequence
from typing import Any

from highvoltage.codec.board.areas import Areas
from highvoltage.codec.board.layout import CITIES, MAX_TOKENS, Extras, action_heads
from highvoltage.codec.plants import PlantActions, slots_of
from highvoltage.codec.spec import CodecError, View
from highvoltage.engine.moves import (
    Build,
    Buy,
    CityMove,
    Mark,
    Market,
    Move,
    PlaceHouse,
    Region,
    Run,
    Sell,
    Start,
)

STORED_PREFIX = "stored_"  # before the name of a fuel that lies in a storage
SETUP_MOVES: dict[str, type[CityMove]] = {"cartel": PlaceHouse, "marks": Mark}


class BoardActions(PlantActions):
    """Converts moves and indexes, for one map and one plant limit."""

    def __init__(self, grounds: Areas, plants: int, extras: Extras) -> None:
        rules = grounds.ruleset
        super().__init__(rules.fuels, rules.hybrid, action_heads(plants, extras))
        self.grounds = grounds
        self.markets: tuple[str, ...] = extras.markets
        self.buys: dict[str, int] = {
            fuel: self.first["buy"] + kind * MAX_TOKENS - 1 for kind, fuel in enumerate(self.fuels)
        }
        if extras.storage:
            first = self.first["stored"]
            self.buys |= {
                STORED_PREFIX + fuel: first + kind * MAX_TOKENS - 1
                for kind, fuel in enumerate(self.fuels)
            }
        self.regions: dict[str, int] = {
            region: self.first["region"] + at for at, region in enumerate(grounds.board.regions)
        }
        self.indexers.update(
            {
                Buy: self._buy_index,
                Market: self._trade_index,
                Region: self._region_index,
                Build: self._city_index,
                PlaceHouse: self._city_index,
                Mark: self._city_index,
                Start: self._start_index,
                Sell: self._sell_index,
            }
        )
        self.namers.update(
            buy=self._buy_move,
            city=self._city_move,
            more_city=self._more_city_move,
            region=self._region_move,
            trade=self._trade_move,
            stored=self._stored_move,
            start=self._start_move,
            sell=self._sell_move,
        )

    def mark_legal(self, found: bytearray, view: View, seat: int, moves: Sequence[Any]) -> None:
        """As in the base class, but faster where there are many moves of one kind."""
        kind = type(moves[0])
        if kind is Buy:
            buys = self.buys
            for move in moves:
                found[buys[move.fuel] + move.count] = 1
        elif kind is Run:
            slots = slots_of(view, seat)
            for move in moves:
                found[self.run_index(slots, move)] = 1
        elif issubclass(kind, CityMove):
            row = self.grounds.of(view["regions"]).row
            for move in moves:
                at = row[move.city]
                found[self.first["start"] + at if type(move) is Start else self.city_at(at)] = 1
        else:
            super().mark_legal(found, view, seat, moves)

    def _buy_index(self, view: View, move: Buy) -> int:
        return self.buys[move.fuel] + move.count

    def _trade_index(self, view: View, move: Market) -> int:
        return self.first["trade"] + self.markets.index(move.market)

    def _region_index(self, view: View, move: Region) -> int:
        return self.regions[move.region]

    def _city_index(self, view: View, move: CityMove) -> int:
        return self.city_at(self.grounds.of(view["regions"]).row[move.city])

    def city_at(self, row: int) -> int:
        """The index of a city of the area; those beyond the first ones have a head of their own."""
        return self.first["city"] + row if row < CITIES else self.first["more_city"] + row - CITIES

    def _start_index(self, view: View, move: Start) -> int:
        return self.first["start"] + self.grounds.of(view["regions"]).row[move.city]

    def _sell_index(self, view: View, move: Sell) -> int:
        return self.first["sell"]

    def _sell_move(self, view: View, seat: int, at: int) -> Move:
        return Sell()

    def _buy_move(self, view: View, seat: int, at: int) -> Move:
        fuel, count = divmod(at, MAX_TOKENS)
        return Buy(self.fuels[fuel], count + 1)

    def _stored_move(self, view: View, seat: int, at: int) -> Move:
        fuel, count = divmod(at, MAX_TOKENS)
        return Buy(STORED_PREFIX + self.fuels[fuel], count + 1)

    def _trade_move(self, view: View, seat: int, at: int) -> Move:
        return Market(self.markets[at])

    def _city_move(self, view: View, seat: int, at: int) -> Move:
        return SETUP_MOVES.get(view["phase"], Build)(self._city(view, at))

    def _more_city_move(self, view: View, seat: int, at: int) -> Move:
        return self._city_move(view, seat, CITIES + at)

    def _start_move(self, view: View, seat: int, at: int) -> Move:
        return Start(self._city(view, at))

    def _city(self, view: View, at: int) -> str:
        cities = self.grounds.of(view["regions"]).cities
        if at >= len(cities):
            raise CodecError(f"there is no city {at}: the area has {len(cities)}")
        return cities[at]

    def _region_move(self, view: View, seat: int, at: int) -> Move:
        regions = self.grounds.board.regions
        if at >= len(regions):
            raise CodecError(f"there is no region {at}: the map has {len(regions)}")
        return Region(regions[at])
