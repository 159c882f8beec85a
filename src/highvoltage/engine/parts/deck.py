"""Turning up cards for the market, and taking the lowest away."""

from highvoltage.engine.cards import LAST_CARD
from highvoltage.engine.parts.market import M
from highvoltage.engine.state import Event


def draw(s: M) -> None:
    """Fill one gap in the market from the deck; nothing happens when the deck is empty."""
    market, rules = s.market, s.rules
    while market.deck:
        card = market.turn_up()
        if card == LAST_CARD:
            draw_last_card(s)
            return
        s.events.append(Event("turned", card=card))
        if not rules.rejects(s, card):
            market.insert(card)
            return
        market.reject(card)
        s.events.append(Event("removed", card=card))


def draw_last_card(s: M) -> None:
    """The card that changes the game: the deck is shuffled; an auction runs to its end first."""
    name = s.rules.last_card
    s.market.deck = s.chance.arrange(name, s.market.deck)
    s.events += [Event("turned", card=LAST_CARD, items=(name,)), Event("shuffled", items=(name,))]
    if s.phase_name == "auction":
        s.market.cards.append(LAST_CARD)
    else:
        s.rules.use_last_card(s)


def remove_lowest(s: M) -> None:
    """The lowest card of the market leaves the game."""
    if (card := s.market.remove_lowest()) is not None:
        s.events.append(Event("removed", card=card))
