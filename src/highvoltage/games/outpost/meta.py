"""The cover of Outpost."""

from msgspec.structs import replace

from highvoltage.games.meta import CARDS, Meta, Option

META = Meta(
    name="outpost",
    title="Power Grid: Outpost",
    about=(
        "A colony on a far planet: every game lays its connections anew, plants need workers, and"
        " workers need a bed. Two players meet the Syndicate. Many card faces, the map, the"
        " connection tokens and the labour prices are reconstructed; whoever owns the printed game"
        " can load the real ones."
    ),
    family="outpost",
    players=(2, 3, 4, 5, 6),
    maps={"planet": "planet"},
    options=(
        Option(
            "area",
            default="random",
            choices=("random", "north", "south"),
            about="four players: the small area that is played beside the centre",
            rule="O-2.1",
        ),
        Option(
            "money",
            default="open",
            choices=("open", "hidden"),
            about="whether others see your money",
            rule="O-0.5",
        ),
        Option(
            "seasonal",
            default="any",
            choices=("any", "exact"),
            about="seasonal workers: up to what all plants lack, or what some set of them lacks",
            rule="OR-29",
        ),
        Option(
            "syndicate_takes",
            default="sale",
            choices=("sale", "nomination"),
            about="two players: the Syndicate takes its card after the first sale or nomination",
            rule="OR-56",
        ),
        replace(CARDS, rule="O-13.1"),
    ),
    first_opponent="clerk",
    version=2,
)
