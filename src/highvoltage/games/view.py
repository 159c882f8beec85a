"""The parts of a view that the games share."""

from collections.abc import Callable, Collection, Mapping
from typing import Any, Generic, TypeVar

from highvoltage.engine.cards import label
from highvoltage.engine.outcome import Outcome
from highvoltage.engine.parts.market import Bidding, MarketState
from highvoltage.views.common import AuctionView, DemolitionView, OutcomeView

S = TypeVar("S")
P = TypeVar("P")
MAX_SHARED_PARTS = 4096  # of one kind
NO_PARTS: dict[str, Any] = {}


class LazyView(dict[str, Any]):
    """A read-only view for callers that need only some of its fields.

    It starts with the fields that are free; the rest of its `fields`, the same as those of the full
    view, are computed when read. Values may be shared with other lazy views, and are valid until
    the next move.
    """

    __slots__ = ("fields", "later", "parts", "seat", "state")

    def __init__(
        self, known: dict[str, Any], fields: Collection[str], later: Callable[[str], Any]
    ) -> None:
        super().__init__(known)
        self.fields = fields
        self.later = later
        self.parts: Mapping[str, Callable[[Any, int], Any]] = NO_PARTS
        self.state: Any = None
        self.seat: int = 0

    @classmethod
    def of(
        cls,
        s: S,
        seat: int,
        known: dict[str, Any],
        fields: Collection[str],
        parts: Mapping[str, Callable[[S, int], Any]],
        whole: Callable[[S, int], Mapping[str, Any]],
    ) -> "LazyView":
        """For a position: `parts` computes fields that are read often, `whole` all others."""
        new = cls(known, fields, lambda part: whole(s, seat)[part])
        new.parts = parts
        new.state = s
        new.seat = seat
        return new

    @classmethod
    def part(cls, known: dict[str, Any], kind: Any, whole: Callable[[], Any]) -> "LazyView":
        """For a part of a view; `kind` is its TypedDict."""
        return cls(known, kind.__required_keys__, lambda field: whole()[field])

    def __missing__(self, part: str) -> Any:
        make = self.parts.get(part)
        if make is not None and part in self.fields:
            found = make(self.state, self.seat)
        elif part in self.fields:
            found = self.later(part)
        else:
            raise KeyError(part)
        self[part] = found
        return found

    def get(self, part: str, default: Any = None) -> Any:
        return self[part] if part in self.fields else default

    def __contains__(self, part: object) -> bool:
        return part in self.fields

    def copy(self) -> "LazyView":
        new = LazyView(self, self.fields, self.later)
        new.parts = self.parts
        new.state = self.state
        new.seat = self.seat
        return new


class SharedParts(Generic[P]):
    """Parts of lazy views, each made once for its key: all that the part depends on.

    Most parts have not changed since the latest view of the same seat, and comparing two keys whose
    items are the same objects is faster than finding one by its hash.
    """

    def __init__(self) -> None:
        self._known: dict[tuple[Any, ...], P] = {}
        self._latest: dict[int, tuple[tuple[Any, ...], P]] = {}

    def find(self, seat: int, key: tuple[Any, ...], make: Callable[..., P]) -> P:
        """The part for a key, of whose items it is made."""
        latest = self._latest.get(seat)
        if latest is not None and latest[0] == key:
            return latest[1]
        known = self._known.get(key)
        if known is None:
            if len(self._known) >= MAX_SHARED_PARTS:
                self._known.clear()
            known = self._known[key] = make(*key)
        self._latest[seat] = key, known
        return known


def outcome_view(outcome: Outcome | None, unfuelled: list[int] | None = None) -> OutcomeView | None:
    if outcome is None:
        return None
    shown: OutcomeView = {
        "reason": outcome.reason,
        "ranking": [list(place) for place in outcome.ranking],
        "scores": [dict(score) for score in outcome.scores],
    }
    if unfuelled is not None:
        shown["unfuelled"] = unfuelled
    return shown


def auction_view(b: Bidding) -> AuctionView:
    return {
        "eligible": list(b.eligible),
        "card": None if b.card is None else label(b.card),
        "bid": 0 if b.card is None else b.bid,
        "leader": None if b.card is None else b.leader,
        "bidders": list(b.ring),
        "scrapping": b.scrapping,
        "sold": b.sold,
    }


def demolition_view(s: MarketState, *, reconstructed: bool) -> DemolitionView:
    return {
        "stack": [list(card) for card in s.rules.demolition[s.demolition :]],
        "paid": s.bidding.demolished,
        "reconstructed": reconstructed,
    }
