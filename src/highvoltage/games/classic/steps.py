"""When a Step begins and what it changes, C-9, and the end of the game, C-10."""

from highvoltage.engine.cards import LAST_CARD
from highvoltage.engine.events import StepBegins
from highvoltage.engine.outcome import Outcome, rank
from highvoltage.engine.parts.deck import draw, remove_lowest
from highvoltage.games.classic.position import BoardPlayer
from highvoltage.games.classic.state import BoardState

LAST_STAGE = 3  # of a plant market without Steps, A-MAN-9


def start_step_2(s: BoardState) -> None:
    """Start Step 2 if somebody has enough cities, C-9.2."""
    if s.step == 1 and s.rules.step_2_due(s):
        begin_step(s, 2)
        change_to_step_2(s)


def start_pending_step_2(s: BoardState) -> None:
    """Start Step 2 if the deck has called it: the two lowest plants are replaced, A-MEA-5."""
    if not s.step2_pending:
        return
    s.step2_pending = False
    begin_step(s, 2)
    change_to_step_2(s, 2)


def change_to_step_2(s: BoardState, count: int = 1) -> None:
    """Replace the lowest plants; put the cards set aside for Step 2 on top, C-9.2.2, A-IBE-3."""
    for _ in range(count):
        remove_lowest(s)
    s.market.deck = [*s.market.waiting, *s.market.deck]
    s.market.waiting = ()
    own = s.rules.plant_market
    for _ in range(count - (not own.step_2_replaced)):  # A-EUR-5
        draw(s)
    size = s.rules.ruleset.market_size - (not own.step_2_replaced)
    while own.barred and len(s.market.cards) < size and LAST_CARD in s.market.deck:
        draw(s)  # gaps of Step 1, A-MEA-4


def begin_step(s: BoardState, step: int) -> None:
    s.step = step
    s.step3_pending = False
    s.rules.sites.price(s)
    s.events.append(StepBegins(step))


def drop_lowest(s: BoardState, count: int) -> None:
    """Remove this many of the lowest plants from the game, then replace them."""
    for _ in range(count):
        remove_lowest(s)
    for _ in range(count):
        draw(s)


def finish(s: BoardState) -> None:
    """The end of the game, C-10."""
    if market := s.rules.mine_market:
        for seat in reversed(s.order):
            s.events += market.sell(s, seat)  # A-AUS-8
    supplied = [most_supplied(s, player) for player in s.players]
    scores = [
        {"supplied": n, "money": player.money, "cities": len(player.cities)}
        for n, player in zip(supplied, s.players, strict=True)
    ]
    s.outcome = Outcome(
        reason="cities",
        ranking=rank([tuple(score.values()) for score in scores]),  # C-10.7
        scores=tuple(scores),
    )


def most_supplied(s: BoardState, player: BoardPlayer) -> int:
    """The most cities that a player can supply now."""
    return min(len(player.cities), s.plants.max_yield(player.cards, player.fuel))
