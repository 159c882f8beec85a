"""The fuel market: what fuel costs, where it comes from and where it goes.

A ruleset chooses one of the classes here: one market, one with a storage of burned fuel, one with
prices that shift or rise, one with a highest price, or several markets with one supply. A shelf is
one kind of fuel on one market.
"""

from bisect import bisect_right
from functools import cache

from highvoltage.engine.events import Event, Refilled
from highvoltage.engine.moves import Buy, Market, Move
from highvoltage.engine.parts.fuel import Held
from highvoltage.engine.parts.ladder import Ladder
from highvoltage.engine.parts.mapform import Discount  # noqa: TC001  # a field's type
from highvoltage.games.classic import tables
from highvoltage.games.classic.position import NO_MARKET, BoardPlayer, BoardPosition
from highvoltage.games.classic.ruleset import BoardRuleset

KINDS = len(tables.FUELS)
STORED_PREFIX = "stored_"
"""Prefix of the name of a fuel that is bought from the storage."""

MAX_PURCHASE = 99  # tokens
OUTSIDE_AREA = 1_000  # a city outside the regions in play
NO_FUEL = -1  # no kind of fuel


@cache
def purchases(fuels: tuple[str, ...]) -> tuple[list[Move], ...]:
    """For each kind all purchases, the smallest first."""
    return tuple([Buy(fuel, count + 1) for count in range(MAX_PURCHASE)] for fuel in fuels)


class FuelMarket:
    """One market; fuel that leaves the plants goes back to the supply."""

    def __init__(self, rules: BoardRuleset) -> None:
        own = rules.map_rules
        self.names: tuple[str, ...] = tuple(own.markets)  # of several markets
        self.opening: int = NO_MARKET if self.names else 0  # `trade` when a turn begins
        self.choices: list[Move] = [Market(name) for name in self.names]
        self.tokens: tuple[int, ...] = rules.tokens
        self.ladders: tuple[Ladder, ...] = tuple(Ladder(shelf.prices) for shelf in rules.shelves)
        self.start: tuple[int, ...] = tuple(shelf.start for shelf in rules.shelves)
        self.refills: tuple[tuple[int, ...], ...] = tuple(
            zip(*(shelf.refill for shelf in rules.shelves), strict=True)  # by Step
        )
        self.max_price: tuple[int, int, int] | None = own.max_price  # of what is for sale, by Step
        self.discounts: tuple[Discount, ...] = own.discounts
        self.beyond: tuple[int, ...] = tuple(  # price of the supply once the market is sold out
            own.storage_price.get(fuel, 0) for fuel in tables.FUELS
        )
        self.stored_prices: tuple[int, ...] = tuple(
            own.storage.get(fuel, 0) for fuel in tables.FUELS
        )
        fuels = rules.fuels
        stored = tuple(STORED_PREFIX + fuel for fuel in fuels)
        self.purchases: tuple[list[Move], ...] = purchases(fuels)
        self.stored_purchases: tuple[list[Move], ...] = purchases(stored)
        self.sources: dict[str, tuple[int, int]] = {  # what may be bought: kind, price if stored
            **{fuel: (kind, 0) for kind, fuel in enumerate(fuels)},
            **{stored[kind]: (kind, p) for kind, p in enumerate(self.stored_prices) if p},
        }
        self.phase_out: int = tables.FUELS.index(own.phase_out.fuel) if own.phase_out else NO_FUEL

    def kind_of(self, shelf: int) -> int:
        return shelf

    def opening_supply(self) -> list[int]:
        return [tokens - sum(self.start[kind::KINDS]) for kind, tokens in enumerate(self.tokens)]

    # Buying

    def ladder_now(self, s: BoardPosition, shelf: int) -> Ladder:
        """The prices on a shelf."""
        return self.ladders[shelf]

    def ladder(self, s: BoardPosition, player: BoardPlayer, shelf: int) -> Ladder:
        """The prices that this player pays on a shelf."""
        ladder = self.ladders[shelf]
        return self.discounted(s, player, shelf, ladder) if self.discounts else ladder

    def discounted(
        self, s: BoardPosition, player: BoardPlayer, shelf: int, ladder: Ladder
    ) -> Ladder:
        for discount in self.discounts:
            city = s.area.index.get(discount.city, OUTSIDE_AREA)
            if discount.fuel == tables.FUELS[self.kind_of(shelf)] and player.mask >> city & 1:
                ladder = ladder.with_discount(discount.amount)  # C-12.3.6
        return ladder

    def buys(self, s: BoardPosition, player: BoardPlayer, kind: int, room: int) -> list[Move]:
        """Every purchase of a kind that a player can pay and store."""
        shelf = s.trade + kind
        stock, money = s.stock[shelf], player.money
        ladder = self.ladder(s, player, shelf)
        count = ladder.affordable(stock, money)
        price = self.beyond[kind]
        if price and count == stock:
            count += min(s.supply[kind], (money - ladder.cost(stock, stock)) // price)
        return self.purchases[kind][: min(room, count)]

    def left(self, s: BoardPosition, move: Buy) -> int:
        """How much fuel is left of the kind that a move buys."""
        kind = self.sources[move.fuel][0]
        return s.stock[s.trade + kind] + (s.supply[kind] if self.beyond[kind] else 0)

    def for_sale(self, s: BoardPosition, shelf: int) -> int:
        """How many tokens on a shelf may be bought."""
        return s.stock[shelf]

    def cost(self, s: BoardPosition, player: BoardPlayer, move: Buy) -> int:
        kind = self.sources[move.fuel][0]
        shelf = s.trade + kind
        stock = s.stock[shelf]
        ladder = self.ladder(s, player, shelf)
        if move.count <= stock:
            return ladder.cost(stock, move.count)
        return ladder.cost(stock, stock) + (move.count - stock) * self.beyond[kind]

    def take(self, s: BoardPosition, move: Buy) -> None:
        """Take the bought fuel from the market and then from the supply."""
        kind = self.sources[move.fuel][0]
        shelf = s.trade + kind
        from_market = min(move.count, s.stock[shelf])
        s.stock[shelf] -= from_market
        s.supply[kind] -= move.count - from_market

    def taken(self, s: BoardPosition) -> None:
        """Fuel has left the market."""

    # Choosing among several markets

    def choose(self, s: BoardPosition, name: str) -> None:
        s.trade = self.names.index(name) * KINDS

    def name_in_use(self, s: BoardPosition) -> str | None:
        return None if s.trade == NO_MARKET else self.names[s.trade // KINDS]

    # Where fuel goes

    def put_all_back(self, s: BoardPosition, fuel: Held) -> None:
        """Return fuel of all kinds from plants."""
        for kind, count in enumerate(fuel):
            s.supply[kind] += count

    def put_back(self, s: BoardPosition, kind: int, count: int) -> None:
        """Return fuel of one kind from plants."""
        s.supply[kind] += count

    def take_out(self, s: BoardPosition, kind: int, most: int) -> int:
        """Take fuel for the market out of the supply, at most `most`."""
        count = min(most, s.supply[kind])  # C-8.3.1
        s.supply[kind] -= count
        return count

    def coming(self, s: BoardPosition) -> tuple[int, ...]:
        """The most fuel that each shelf gets at the next refill."""
        counts = self.refills[s.step - 1]
        if not s.phased_out:
            return counts
        return tuple(
            0 if self.kind_of(shelf) == self.phase_out else n for shelf, n in enumerate(counts)
        )

    def refill(self, s: BoardPosition) -> list[Event]:
        """Refill the shelves, one after the other, C-8.3."""
        came = []
        for shelf, nominal in enumerate(self.coming(s)):
            free = self.ladders[shelf].size - s.stock[shelf]
            count = self.take_out(s, self.kind_of(shelf), min(free, nominal))
            s.stock[shelf] += count
            came.append(count)
        return self.refilled(tuple(came))

    def refilled(self, came: tuple[int, ...]) -> list[Event]:
        return [Refilled(came)]


class StorageMarket(FuelMarket):
    """One market with a storage where burned fuel is sold again, A-ZAF-4 and A-ZAF-5."""

    def buys(self, s: BoardPosition, player: BoardPlayer, kind: int, room: int) -> list[Move]:
        moves = super().buys(s, player, kind, room)
        price = self.stored_prices[kind]
        if not price:
            return moves
        most = min(room, s.storage[kind], player.money // price)
        return moves + self.stored_purchases[kind][:most]

    def left(self, s: BoardPosition, move: Buy) -> int:
        kind, price = self.sources[move.fuel]
        return s.storage[kind] if price else super().left(s, move)

    def cost(self, s: BoardPosition, player: BoardPlayer, move: Buy) -> int:
        price = self.sources[move.fuel][1]
        return price * move.count if price else super().cost(s, player, move)

    def take(self, s: BoardPosition, move: Buy) -> None:
        kind, price = self.sources[move.fuel]
        if price:
            self.store(s, kind, -move.count)
        else:
            super().take(s, move)

    def put_back(self, s: BoardPosition, kind: int, count: int) -> None:
        if self.stored_prices[kind]:
            self.store(s, kind, count)
        else:
            super().put_back(s, kind, count)

    def put_all_back(self, s: BoardPosition, fuel: Held) -> None:
        for kind, count in enumerate(fuel):
            self.put_back(s, kind, count)

    def take_out(self, s: BoardPosition, kind: int, most: int) -> int:
        """From the storage first, then from the supply."""
        stored = min(most, s.storage[kind])
        if stored:
            self.store(s, kind, -stored)
        return stored + super().take_out(s, kind, most - stored)

    def store(self, s: BoardPosition, kind: int, count: int) -> None:
        """Add fuel to the storage."""
        storage = list(s.storage)
        storage[kind] += count
        s.storage = tuple(storage)


class ShiftingMarket(FuelMarket):
    """One market where fuels are never short: tokens that a refill lacks shift the prices, A-MEA-3.

    A missing token moves from the most expensive space to the cheapest, so the tokens fill a ladder
    that has lost its last space and has one more of the first. An empty market has its own ladder.
    """

    def __init__(self, rules: BoardRuleset) -> None:
        super().__init__(rules)
        self.shifting: tuple[int, ...] = tuple(
            tables.FUELS.index(fuel) for fuel in rules.map_rules.shifting
        )
        self.shifted: dict[tuple[int, int], Ladder] = {}  # by shelf and number of shifts

    def ladder_now(self, s: BoardPosition, shelf: int) -> Ladder:
        count = s.shifts[shelf]
        if not count:
            return self.ladders[shelf]
        known = self.shifted.get((shelf, count))
        if known is None:
            prices = self.ladders[shelf].prices
            known = Ladder([*prices[:1] * count, *prices[: len(prices) - count]])
            self.shifted[shelf, count] = known
        return known

    def ladder(self, s: BoardPosition, player: BoardPlayer, shelf: int) -> Ladder:
        return self.discounted(s, player, shelf, self.ladder_now(s, shelf))

    def take(self, s: BoardPosition, move: Buy) -> None:
        super().take(s, move)
        self.taken(s)

    def taken(self, s: BoardPosition) -> None:
        s.shifts = tuple(
            count if stock else 0 for count, stock in zip(s.shifts, s.stock, strict=True)
        )

    def refill(self, s: BoardPosition) -> list[Event]:
        lacking = [
            max(0, asked - s.supply[kind]) if kind in self.shifting else 0
            for kind, asked in enumerate(self.coming(s))
        ]
        events = super().refill(s)
        s.shifts = tuple(
            min(count + min(more, stock), ladder.size)
            for count, more, stock, ladder in zip(
                s.shifts, lacking, s.stock, self.ladders, strict=True
            )
        )
        return events


class RisingMarket(FuelMarket):
    """One market where every space gets dearer in Step 3, A-AUS-10."""

    def __init__(self, rules: BoardRuleset) -> None:
        super().__init__(rules)
        more = rules.map_rules.step_3_prices
        self.late: tuple[Ladder, ...] = tuple(
            Ladder([price + more for price in ladder.prices]) for ladder in self.ladders
        )

    def ladder_now(self, s: BoardPosition, shelf: int) -> Ladder:
        return (self.late if s.step == 3 else self.ladders)[shelf]

    def ladder(self, s: BoardPosition, player: BoardPlayer, shelf: int) -> Ladder:
        return self.discounted(s, player, shelf, self.ladder_now(s, shelf))


class CappedMarket(FuelMarket):
    """One market where only tokens up to a price may be bought, by Step, A-IND-5."""

    def for_sale(self, s: BoardPosition, shelf: int) -> int:
        assert self.max_price is not None
        ladder = self.ladders[shelf]
        up_to_cap = bisect_right(ladder.prices, self.max_price[s.step - 1])
        return max(0, up_to_cap - ladder.size + s.stock[shelf])

    def buys(self, s: BoardPosition, player: BoardPlayer, kind: int, room: int) -> list[Move]:
        return super().buys(s, player, kind, min(room, self.for_sale(s, s.trade + kind)))


class SeveralMarkets(FuelMarket):
    """Several markets with one supply; each turn a player chooses one of them, A-KOR-3."""

    def kind_of(self, shelf: int) -> int:
        return shelf % KINDS

    def refilled(self, came: tuple[int, ...]) -> list[Event]:
        begins = range(0, len(came), KINDS)
        return [
            Refilled(came[at : at + KINDS], name)
            for at, name in zip(begins, self.names, strict=True)
        ]


def fuel_market(rules: BoardRuleset) -> FuelMarket:
    """The kind of market that a ruleset needs."""
    own = rules.map_rules
    if own.markets:
        return SeveralMarkets(rules)
    if own.storage:
        return StorageMarket(rules)
    if own.max_price:
        return CappedMarket(rules)
    if own.step_3_prices:
        return RisingMarket(rules)
    return ShiftingMarket(rules) if own.shifting else FuelMarket(rules)
