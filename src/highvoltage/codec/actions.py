"""The part of an action code that all games share: ending a turn, and auctions."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from highvoltage.codec.bids import BIDS, bid_amount, bid_index, bids_mask
from highvoltage.codec.spec import CodecError, Head, View, heads, seat_to_move
from highvoltage.engine import cards
from highvoltage.engine.cards import label
from highvoltage.engine.legal import Moves
from highvoltage.engine.moves import Bid, Done, Move, Nominate, Pass, Span

MAX_OFFERED = 6  # on offer, at most, where a map says nothing else
DONE, PASS = Done(), Pass()
# There are few cards, parsed often.
parse_card: Callable[[str], int] = lru_cache(maxsize=1024)(cards.parse_card)
SHARED_HEADS = (
    ("done", 1, "pass, or done"),
    ("nominate", MAX_OFFERED * BIDS, f"place in the market * {BIDS} + bid"),
    ("bid", BIDS, "bid"),
)

Indexer = Callable[[View, Any], int]
"""The index of a move of one kind."""
Namer = Callable[[View, int, int], Move]
"""The move for a view, its seat and an offset in a head."""


class Actions:
    """Converts moves to indexes and back; a game adds its heads and their conversions."""

    def __init__(self, own: Sequence[tuple[str, int, str]]) -> None:
        self.heads: tuple[Head, ...] = heads(*SHARED_HEADS, *own)
        self.size: int = self.heads[-1].end
        self.first: dict[str, int] = {head.name: head.first for head in self.heads}
        self.nominations: list[int] = [
            first
            for head in self.heads
            if head.name in {"nominate", "more_nominate"}
            for first in range(head.first, head.end, BIDS)
        ]
        """The first index for each place in the market."""
        self.head_of: list[tuple[str, int]] = [
            (head.name, head.first) for head in self.heads for _ in range(head.size)
        ]
        self.indexers: dict[type[Move], Indexer] = {
            Pass: lambda _, __: 0,
            Done: lambda _, __: 0,
            Nominate: self._nominate_index,
            Bid: self._bid_index,
        }
        self.namers: dict[str, Namer] = {
            "done": self._done_move,
            "nominate": self._nominate_move,
            "more_nominate": self._more_nominate_move,
            "bid": self._bid_move,
        }

    # What a game defines about its auctions

    def offer(self, view: View) -> list[str]:
        """The cards on offer, by label."""
        return [plant["card"] for plant in view["market"]["current"]]

    def min_bid(self, view: View, place: int) -> int:
        """The lowest opening bid for a card on offer."""
        market = view["market"]
        plant: dict[str, Any] = market["current"][place]
        lowest: int = 1 if market.get("discount") == plant["card"] else plant["number"]
        return lowest

    def max_bid(self, view: View) -> int:
        """The highest bid that the viewer can pay."""
        money: int = view["players"][view["seat"]]["money"]
        return money

    # From moves to indexes

    def flags(self, view: View, legal: Moves) -> bytearray:
        """For every index 1 if it is a legal move, else 0."""
        seat = seat_to_move(view)
        found = bytearray(self.size)
        if legal.spans:
            self._mark_bids(found, view, legal.spans)
        plain = legal.plain
        if plain and isinstance(plain[-1], Done | Pass):
            found[0] = 1
            plain = plain[:-1]
        if plain:
            self.mark_legal(found, view, seat, plain)
        return found

    def _mark_bids(self, found: bytearray, view: View, spans: Sequence[Span]) -> None:
        offer: list[str] = []
        at = self.first["bid"]
        for span in spans:
            lowest = span.lowest
            if isinstance(lowest, Nominate):
                offer = offer or self.offer(view)
                at = self.nominations[offer.index(label(lowest.card))]
            found[at : at + BIDS] = bids_mask(span.high - lowest.bid)

    def mark_legal(self, found: bytearray, view: View, seat: int, moves: Sequence[Any]) -> None:
        """Mark the legal moves of a phase that are neither bids nor the end of a turn."""
        indexers = self.indexers
        for move in moves:
            found[indexers[type(move)](view, move)] = 1

    def index(self, view: View, move: Move) -> int:
        seat_to_move(view)
        try:
            return self.indexers[type(move)](view, move)
        except (KeyError, ValueError):
            raise CodecError(
                f"'{move}' has no index here; is this the view of its moment?"
            ) from None

    def _nominate_index(self, view: View, move: Nominate) -> int:
        place = self.offer(view).index(label(move.card))
        bid = bid_index(move.bid, *self._opening(view, place))
        return self.nominations[place] + bid

    def _bid_index(self, view: View, move: Bid) -> int:
        return self.first["bid"] + bid_index(move.bid, *self._raises(view))

    # From indexes to moves

    def move(self, view: View, index: int) -> Move:
        seat = seat_to_move(view)
        if not 0 <= index < self.size:
            raise CodecError(f"there is no index {index}: they are 0 to {self.size - 1}")
        name, first = self.head_of[index]
        return self.namers[name](view, seat, int(index) - first)

    def _done_move(self, view: View, seat: int, at: int) -> Move:
        return PASS if view["phase"] == "auction" else DONE

    def _nominate_move(self, view: View, seat: int, at: int) -> Move:
        place, bid = divmod(at, BIDS)
        offer = self.offer(view)
        if place >= len(offer):
            raise CodecError(f"place {place} of the market is empty")
        amount = bid_amount(bid, *self._opening(view, place))
        return Nominate(parse_card(offer[place]), amount)

    def _more_nominate_move(self, view: View, seat: int, at: int) -> Move:
        return self._nominate_move(view, seat, MAX_OFFERED * BIDS + at)

    def _bid_move(self, view: View, seat: int, at: int) -> Move:
        return Bid(bid_amount(at, *self._raises(view)))

    # The lowest and the highest bid

    def _opening(self, view: View, place: int) -> tuple[int, int]:
        """The bounds of an opening bid for a card on offer; the last buyer pays the lowest."""
        lowest = self.min_bid(view, place)
        alone = len(view["auction"]["eligible"]) == 1
        return lowest, lowest if alone else max(lowest, self.max_bid(view))

    def _raises(self, view: View) -> tuple[int, int]:
        lowest = view["auction"]["bid"] + 1
        return lowest, max(lowest, self.max_bid(view))
