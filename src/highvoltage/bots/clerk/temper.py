"""Tempers: how a clerk or an engineer departs from what it works out.

`clerk:bold` is a clerk that bids more than a card is worth to it. Each temper costs something:
`highvoltage simulate` shows how much.
"""

from typing import NamedTuple

from highvoltage import words
from highvoltage.bots.protocol import BotError, Choice, Reason
from highvoltage.engine.legal import Moves
from highvoltage.engine.moves import Bid, Pass


class Temper(NamedTuple):
    """What a player makes of its own figures."""

    bids: float = 1.0  # the share of its limit up to which it bids
    store_price: int = 2  # a token at this price is worth storing
    cash_reserve: int = 40  # money not spent on buying ahead
    end_round: int = 14  # the round from which it builds to end the game, ahead or not
    blocks: int = 0  # what it pays more to take a city next to a rival's

    def bid(self, choice: Choice, legal: Moves) -> Choice:
        """A bid as this temper makes it; any other choice as it is."""
        if choice.limit is None or self.bids == 1:
            return choice
        lowest = legal.choices[-1]
        assert isinstance(lowest, Bid)
        most = round(choice.limit * self.bids)
        why = Reason(choice.why.code, {**choice.why.values, "limit": most})
        return Choice(lowest if lowest.bid <= most else Pass(), why, most)


EVEN = Temper()
TEMPERS = {
    "bold": Temper(bids=1.2),
    "hoarder": Temper(store_price=4, cash_reserve=10),
    "miser": Temper(bids=0.8, cash_reserve=80),
    "builder": Temper(cash_reserve=5, end_round=8),
    "blocker": Temper(bids=1.1, blocks=6),
}


def temper_called(name: str, bot: str) -> Temper:
    """The temper of this name, `bold` in `clerk:bold`; the even one without a name."""
    if name and name not in TEMPERS:
        raise BotError(words.say("terminal_bot_takes_no", name=bot, option=name))
    return TEMPERS.get(name, EVEN)
