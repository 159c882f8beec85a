"""What a mine brings: it powers no city but sells uranium at the end of every round."""

from highvoltage.bots.clerk.plants import Plant
from highvoltage.views.board import BoardView


def mine_worth(view: BoardView, plant: Plant, rounds: int) -> int:
    """What selling from one more mine brings in so many rounds, if every mine always sells."""
    market = view["mines"]
    ladder, stock = market["ladder"], market["stock"]
    sellers = 1 + sum(len(player["mines"]) for player in view["players"])
    cities, worth = int(plant["mine"]), 0
    for _ in range(rounds):
        free = len(ladder) - stock
        worth += cities * ladder[free - 1] if free else 0
        stock = max(0, min(len(ladder), stock + sellers) - market["used"])
    return worth
