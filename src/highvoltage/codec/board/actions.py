"""The action code of the board games: every move by its place on the table."""

from typing import TYPE_CHECKING, Any

import numpy as np

from highvoltage.codec.bids import BIDS, bid_amount, bid_index, bids_mask
from highvoltage.codec.board.ground import Grounds
from highvoltage.codec.board.layout import FUELS, MIXES, MOST_TOKENS, RETURNS, action_heads
from highvoltage.codec.spec import CodecError, Mask, View, seat_to_move
from highvoltage.engine.cards import label, parse_card
from highvoltage.engine.moves import (
    Bid,
    Build,
    Buy,
    CityMove,
    Done,
    Mark,
    Move,
    Moves,
    Nominate,
    Pass,
    Place,
    Region,
    Run,
    Scrap,
)
from highvoltage.engine.parts.fuel import FuelRules, Plant

if TYPE_CHECKING:
    from collections.abc import Callable

Plants = list[dict[str, Any]]
HYBRID = (0, 1)  # coal and oil
SETTING_UP: dict[str, type[CityMove]] = {"cartel": Place, "marks": Mark}
DONE, PASS = Done(), Pass()


class BoardActions:
    """Moves and indexes for one map and one limit of plants."""

    def __init__(self, grounds: Grounds, plants: int) -> None:
        self.grounds = grounds
        self.heads = action_heads(plants)
        self.size = self.heads[-1].end
        first = {head.name: head.first for head in self.heads}
        self.nominate, self.bid, self.scrap = first["nominate"], first["bid"], first["scrap"]
        self.buy, self.city = first["buy"], first["city"]
        self.region, self.run = first["region"], first["run"]
        self.region_rows = {name: i for i, name in enumerate(grounds.board.regions)}
        self.fuel_rows = {fuel: self.buy + i * MOST_TOKENS - 1 for i, fuel in enumerate(FUELS)}
        self._of_kind: dict[type[Move], Callable[[View, Any], int]] = {
            Nominate: self._nominate_index,
            Bid: self._bid_index,
            Scrap: self._scrap_index,
            Buy: lambda _, move: self.fuel_rows[move.fuel] + move.count,
            Build: self._city_index,
            Place: self._city_index,
            Mark: self._city_index,
            Region: lambda _, move: self.region + self.region_rows[move.region],
            Run: self._run_index,
        }

    # From moves to indexes

    def mask(self, view: View, legal: Moves) -> Mask:
        seat = seat_to_move(view)
        found = bytearray(self.size)
        for span in legal.spans:
            lowest = span.lowest
            at = self.bid
            if isinstance(lowest, Nominate):
                at = self.nominate + BIDS * _place(view, lowest.card)
            found[at : at + BIDS] = bids_mask(span.high - lowest.bid)
        plain = legal.plain
        if plain and isinstance(plain[-1], Done | Pass):
            found[0] = 1
            plain = plain[:-1]
        if plain:
            self._mark(found, view, seat, plain)
        return np.frombuffer(found, np.bool_)

    def _mark(self, found: bytearray, view: View, seat: int, moves: list[Any]) -> None:
        """Mark the moves of one phase, which are of one kind."""
        kind = type(moves[0])
        if kind is Buy:
            rows = self.fuel_rows
            for move in moves:
                found[rows[move.fuel] + move.count] = 1
        elif kind is Run:
            slots = _slots(view, seat)
            for move in moves:
                found[self._run(slots, move)] = 1
        elif issubclass(kind, CityMove):
            first, city = self.city, self.grounds.of(view["regions"]).row
            for move in moves:
                found[first + city[move.city]] = 1
        else:
            for move in moves:
                found[self.index(view, move)] = 1

    def index(self, view: View, move: Move) -> int:
        seat_to_move(view)
        if type(move) is Pass or type(move) is Done:
            return 0
        try:
            return self._of_kind[type(move)](view, move)
        except (KeyError, ValueError):
            raise CodecError(
                f"'{move}' has no index here; is this the view of its moment?"
            ) from None

    def _nominate_index(self, view: View, move: Nominate) -> int:
        place = _place(view, move.card)
        lowest, highest = _opening(view, place)
        return self.nominate + BIDS * place + bid_index(move.bid, lowest, highest)

    def _bid_index(self, view: View, move: Bid) -> int:
        lowest, highest = _raises(view)
        return self.bid + bid_index(move.bid, lowest, highest)

    def _scrap_index(self, view: View, move: Scrap) -> int:
        slot = _slots(view, view["seat"])[move.card][0]
        return self.scrap + RETURNS * slot + dict(move.returned).get(FUELS[0], 0)

    def _city_index(self, view: View, move: CityMove) -> int:
        return self.city + self.grounds.of(view["regions"]).row[move.city]

    def _run_index(self, view: View, move: Run) -> int:
        return self._run(_slots(view, view["seat"]), move)

    def _run(self, slots: dict[int, tuple[int, int]], move: Run) -> int:
        at = self.run
        for card, mix in move.plants:
            at += slots[card][1] * (1 + mix.count(FUELS[0]))
        return at

    # From indexes to moves

    def move(self, view: View, index: int) -> Move:
        seat = seat_to_move(view)
        for head in self.heads:
            if head.first <= index < head.end:
                at = int(index) - head.first
                found = getattr(self, f"_{head.name}_move")(view, seat, at)
                assert isinstance(found, Move)
                return found
        raise CodecError(f"there is no index {index}: they are 0 to {self.size - 1}")

    def _done_move(self, view: View, seat: int, at: int) -> Move:
        return PASS if view["phase"] == "auction" else DONE

    def _nominate_move(self, view: View, seat: int, at: int) -> Move:
        place, bid = divmod(at, BIDS)
        offer = view["market"]["current"]
        if place >= len(offer):
            raise CodecError(f"place {place} of the market is empty")
        lowest, highest = _opening(view, place)
        card = parse_card(offer[place]["card"])
        return Nominate(card, bid_amount(bid, lowest, highest))

    def _bid_move(self, view: View, seat: int, at: int) -> Move:
        return Bid(bid_amount(at, *_raises(view)))

    def _scrap_move(self, view: View, seat: int, at: int) -> Move:
        slot, coal = divmod(at, RETURNS)
        player = view["players"][seat]
        plants = _own(view, seat)
        if slot >= len(plants):
            raise CodecError(f"there is no own plant {slot}")
        rules = _fuel_rules(plants)
        card = parse_card(plants[slot]["card"])
        kept = tuple(other for other in rules.plants if other != card)
        held = tuple(player["fuel"][fuel] for fuel in FUELS)
        for bundle in rules.returns(kept, held, card):
            if bundle[0] == coal:
                counts = zip(FUELS, bundle, strict=True)
                return Scrap(card, tuple((fuel, count) for fuel, count in counts if count))
        raise CodecError(f"plant {label(card)} does not go with {coal} coal")

    def _buy_move(self, view: View, seat: int, at: int) -> Move:
        fuel, count = divmod(at, MOST_TOKENS)
        return Buy(FUELS[fuel], count + 1)

    def _city_move(self, view: View, seat: int, at: int) -> Move:
        cities = self.grounds.of(view["regions"]).cities
        if at >= len(cities):
            raise CodecError(f"there is no city {at}: the area has {len(cities)}")
        return SETTING_UP.get(view["phase"], Build)(cities[at])

    def _region_move(self, view: View, seat: int, at: int) -> Move:
        regions = self.grounds.board.regions
        if at >= len(regions):
            raise CodecError(f"there is no region {at}: the map has {len(regions)}")
        return Region(regions[at])

    def _run_move(self, view: View, seat: int, at: int) -> Move:
        running = []
        for plant in _own(view, seat):
            at, digit = divmod(at, MIXES)
            if digit:
                running.append((parse_card(plant["card"]), _mix(plant, digit - 1)))
        if at:
            raise CodecError("this runs a plant that the player does not own")
        return Run(tuple(running))


# What the view says


def _own(view: View, seat: int) -> Plants:
    plants: Plants = view["players"][seat]["plants"]
    return plants


def _slots(view: View, seat: int) -> dict[int, tuple[int, int]]:
    """For each own card its place and what a digit there is worth."""
    return {parse_card(plant["card"]): (at, MIXES**at) for at, plant in enumerate(_own(view, seat))}


def _place(view: View, card: int) -> int:
    name = label(card)
    return [plant["card"] for plant in view["market"]["current"]].index(name)


def _opening(view: View, place: int) -> tuple[int, int]:
    """The lowest and the highest bid for a card on offer; the last buyer pays the lowest."""
    market = view["market"]
    plant = market["current"][place]
    lowest = 1 if market.get("discount") == plant["card"] else plant["number"]
    alone = len(view["auction"]["eligible"]) == 1
    return lowest, lowest if alone else max(lowest, view["players"][view["seat"]]["money"])


def _raises(view: View) -> tuple[int, int]:
    lowest = view["auction"]["bid"] + 1
    return lowest, max(lowest, view["players"][view["seat"]]["money"])


def _fuel_rules(plants: Plants) -> FuelRules:
    """What the plants of a player can store."""
    cards = {}
    for plant in plants:
        fuels = tuple(FUELS.index(fuel) for fuel in plant["fuels"])
        cards[parse_card(plant["card"])] = Plant(
            plant["number"], fuels, plant["need"], plant["powers"]
        )
    return FuelRules(FUELS, HYBRID, cards)


def _mix(plant: dict[str, Any], coal: int) -> tuple[str, ...]:
    """What a plant says it burns; only a hybrid does."""
    need: int = plant["need"]
    if len(plant["fuels"]) < 2 and not coal:
        return ()
    if len(plant["fuels"]) < 2 or coal > need:
        raise CodecError(f"plant {plant['card']} does not run with {coal} coal")
    return (FUELS[0],) * coal + (FUELS[1],) * (need - coal)
