"""The parts of a view that the games share."""

from collections.abc import Callable, Collection, Mapping
from typing import Any, TypeVar

from highvoltage.engine.cards import label
from highvoltage.engine.outcome import Outcome
from highvoltage.engine.parts.market import Bidding, MarketState
from highvoltage.views.common import AuctionView, DemolitionView, OutcomeView

S = TypeVar("S")


class LazyView(dict[str, Any]):
    """A read-only view for callers that need only some of its fields.

    It starts with the fields that are free; the rest of its `fields`, the same as those of the full
    view, are computed when read. Values may be shared with other lazy views, and are valid until
    the next move.
    """

    def __init__(
        self, known: dict[str, Any], fields: Collection[str], later: Callable[[str], Any]
    ) -> None:
        super().__init__(known)
        self.fields = fields
        self.later = later

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

        def later(part: str) -> Any:
            make = parts.get(part)
            return make(s, seat) if make else whole(s, seat)[part]

        return cls(known, fields, later)

    @classmethod
    def part(cls, known: dict[str, Any], kind: Any, whole: Callable[[], Any]) -> "LazyView":
        """For a part of a view; `kind` is its TypedDict."""
        return cls(known, kind.__required_keys__, lambda field: whole()[field])

    def __missing__(self, part: str) -> Any:
        if part not in self.fields:
            raise KeyError(part)
        found = self[part] = self.later(part)
        return found

    def get(self, part: str, default: Any = None) -> Any:
        return self[part] if part in self.fields else default

    def __contains__(self, part: object) -> bool:
        return part in self.fields

    def copy(self) -> "LazyView":
        return LazyView(self, self.fields, self.later)


def outcome_view(outcome: Outcome | None) -> OutcomeView | None:
    if outcome is None:
        return None
    return {
        "reason": outcome.reason,
        "ranking": [list(place) for place in outcome.ranking],
        "scores": [dict(score) for score in outcome.scores],
    }


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
