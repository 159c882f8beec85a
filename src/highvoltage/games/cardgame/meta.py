"""The cover of the card game."""

from msgspec.structs import replace

from highvoltage.games.classic.meta import MONEY
from highvoltage.games.meta import CARDS, DEMOLITION, Meta, Option

META = Meta(
    name="cardgame",
    title="Power Grid: The Card Game (2016)",
    about=(
        "Plants and fuel without a map, in about eight rounds: bid for plants, buy fuel cards whose"
        " surplus the next player gets for 1, earn, and count what runs at the end. Two players"
        " meet the Bank. Many card faces are reconstructed; whoever owns the printed game can load"
        " the real ones."
    ),
    family="cardgame",
    players=(2, 3, 4, 5, 6),
    maps={},
    options=(
        replace(MONEY, rule="KR-02"),
        Option(
            "single_stock",
            default="unlimited",
            choices=("unlimited", "printed"),
            about="cards for surplus fuel: as many as it takes, or the seven of the box",
            rule="KR-21",
        ),
        Option(
            "burn_from",
            default="emptiest",
            choices=("emptiest", "fullest"),
            about="the fuel card that is turned down first: the emptiest or the fullest",
            rule="KR-20",
        ),
        DEMOLITION,
        replace(CARDS, rule="A-2"),
    ),
    first_opponent="clerk",
    version=2,
)
