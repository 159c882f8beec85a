"""The cover of the 2018 edition."""

from highvoltage.games.classic.meta import MONEY, REGIONS
from highvoltage.games.meta import DEMOLITION, Meta, Option

META = Meta(
    name="recharged",
    title="Power Grid Recharged (2018)",
    about=(
        "The edition sold today: the smallest plant on offer starts at a bid of 1, small plants"
        " stay in the market, and two players meet a cartel that buys and builds beside them."
    ),
    family="board",
    players=(2, 3, 4, 5, 6),
    maps={"germany": "germany_recharged"},
    options=(
        REGIONS,
        MONEY,
        DEMOLITION,
        Option(
            "refill_row_two_players",
            default=2,
            choices=(2, 3),
            about="two players: the row of the refill table, theirs or that of three",
            rule="R-1.6.3",
        ),
        Option(
            "standard_starting_cities",
            default=False,
            choices=(False, True),
            about="for experts: the players mark the cities where networks start",
            rule="R-13",
        ),
    ),
    first_opponent="apprentice",
    adviser="tycoon:40",
    version=3,
)
