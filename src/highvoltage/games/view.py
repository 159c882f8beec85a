"""The parts of a view that the games share."""

from highvoltage.engine.cards import label
from highvoltage.engine.parts.market import Bidding, MarketState
from highvoltage.engine.state import Outcome
from highvoltage.views.common import AuctionView, DemolitionView, OutcomeView


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
