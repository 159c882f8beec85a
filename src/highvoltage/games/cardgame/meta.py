"""The metadata of the card game."""

from msgspec.structs import replace

from highvoltage.games.classic.meta import MONEY
from highvoltage.games.meta import CARDS, DEMOLITION, Meta, Option

META = Meta(
    name="cardgame",
    family="cardgame",
    players=(2, 3, 4, 5, 6),
    maps={},
    options=(
        replace(MONEY, rule="KR-02"),
        Option(
            "single_stock",
            default="unlimited",
            choices=("unlimited", "printed"),
            rule="KR-21",
        ),
        Option(
            "burn_from",
            default="emptiest",
            choices=("emptiest", "fullest"),
            rule="KR-20",
        ),
        DEMOLITION,
        replace(CARDS, rule="A-2"),
    ),
    first_opponent="clerk",
    version=2,
)
