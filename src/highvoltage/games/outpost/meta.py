"""The metadata of Outpost."""

from msgspec.structs import replace

from highvoltage.games.meta import CARDS, Meta, Option

META = Meta(
    name="outpost",
    family="outpost",
    players=(2, 3, 4, 5, 6),
    maps={"planet": "planet"},
    options=(
        Option(
            "area",
            default="random",
            choices=("random", "north", "south"),
            rule="O-2.1",
        ),
        Option(
            "money",
            default="open",
            choices=("open", "hidden"),
            rule="O-0.5",
        ),
        Option(
            "seasonal",
            default="any",
            choices=("any", "exact"),
            rule="OR-29",
        ),
        Option(
            "syndicate_takes",
            default="sale",
            choices=("sale", "nomination"),
            rule="OR-56",
        ),
        replace(CARDS, rule="O-13.1"),
    ),
    first_opponent="clerk",
    version=3,
)
