"""Turning up cards for the market, and taking the lowest away."""

from highvoltage.engine.cards import LAST_CARD, label
from highvoltage.engine.events import Removed, Shuffled, Turned
from highvoltage.engine.parts.market import M


def draw(s: M) -> None:
    """Fill one gap in the market from the deck; nothing happens when the deck is empty."""
    market, rules = s.market, s.rules
    while market.deck or rules.renew_deck(s):
        card = market.draw_top()
        if card == LAST_CARD:
            draw_last_card(s)
            return
        s.events.append(Turned(label(card)))
        if not rules.rejects(s, card):
            market.insert(card)
            if rules.bars_offer:
                rules.clear_offer(s)
            return
        market.reject(card)
        s.events.append(Removed(label(card)))


def draw_last_card(s: M) -> None:
    """Handle the Step 3 or END card: shuffle the deck; a running auction is finished first."""
    name = s.rules.last_card
    s.events.append(Turned(name))
    if s.rules.last_card_shuffles:
        s.market.deck = s.chance.arrange(name, s.market.deck, s.rules.last_card_count(s))
        s.events.append(Shuffled(name))
    if s.rules.returns_last_card(s):
        s.market.deck.append(LAST_CARD)
        s.market.slid = []
        s.rules.last_card_returned(s)
        draw(s)
        return
    if s.phase_name == "auction":
        s.market.cards.append(LAST_CARD)
    else:
        s.rules.use_last_card(s)


def remove_lowest(s: M) -> None:
    """The lowest card of the market leaves the game."""
    if (card := s.market.remove_lowest()) is not None:
        s.events.append(Removed(label(card)))
