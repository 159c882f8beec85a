"""Mines: cards that supply no city but sell uranium to a market of their own, A-AUS-5."""

from highvoltage.engine.events import Event, Mined, UraniumUsed
from highvoltage.engine.parts.ladder import Ladder
from highvoltage.games.classic.position import BoardPlayer, BoardPosition
from highvoltage.games.classic.ruleset import BoardRuleset, prices_of


class MineMarket:
    """The market that mines sell to; tokens fill its dearest spaces, as on a fuel market."""

    def __init__(self, rules: BoardRuleset) -> None:
        own = rules.map_rules.mines
        assert own is not None
        self.ladder: Ladder = Ladder(prices_of(own.spaces))
        self.used: tuple[int, int, int] = own.used[rules.refill_row]  # by Step

    def price(self, s: BoardPosition) -> int | None:
        """The dearest free price; None if no space is free."""
        free = self.ladder.size - s.mine_stock
        return self.ladder.prices[free - 1] if free else None

    def income(self, s: BoardPosition, player: BoardPlayer) -> int:
        """What selling from all mines pays a player now."""
        return (self.price(s) or 0) * sum(s.plants.plants[card].mined for card in player.mines)

    def sell(self, s: BoardPosition, seat: int) -> list[Event]:
        """Sell from all mines of a seat: one token each, on the dearest free spaces, A-AUS-7."""
        player = s.players[seat]
        amount = self.income(s, player)
        tokens = min(len(player.mines), self.ladder.size - s.mine_stock)
        if not tokens:
            return []
        player.money += amount
        s.mine_stock += tokens
        return [Mined(seat, amount, tokens)]

    def use(self, s: BoardPosition) -> list[Event]:
        """Take tokens off, the cheapest first, A-AUS-7."""
        count = min(self.used[s.step - 1], s.mine_stock)
        s.mine_stock -= count
        return [UraniumUsed(count)] if count else []


def mine_market(rules: BoardRuleset) -> MineMarket | None:
    return MineMarket(rules) if rules.map_rules.mines else None
