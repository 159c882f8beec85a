"""The metadata of the 2018 edition."""

from highvoltage.games.classic.meta import MONEY, REGIONS, VARIANTS
from highvoltage.games.meta import DEMOLITION, Meta, Option

META = Meta(
    name="recharged",
    family="board",
    players=(2, 3, 4, 5, 6),
    maps={"germany": "germany_recharged"},
    options=(
        REGIONS,
        MONEY,
        DEMOLITION,
        VARIANTS,
        Option(
            "refill_row_two_players",
            default=2,
            choices=(2, 3),
            rule="R-1.6.3",
        ),
        Option(
            "standard_starting_cities",
            default=False,
            choices=(False, True),
            rule="R-13",
        ),
    ),
    first_opponent="apprentice",
    version=3,
)
