"""The metadata of the 2004 edition."""

from highvoltage.games.meta import DEMOLITION, Meta, Option

REGIONS = Option(
    "regions",
    default="random",
    choices=("random", "draft"),
    rule="C-2.1.2",
    takes_list=True,
)
MONEY = Option(
    "money",
    default="open",
    choices=("open", "hidden"),
    rule="C-13.2",
)

VARIANTS = Option(  # of the map
    "variants",
    default=(),
    choices=((),),
    rule="A-0.6",
    takes_list=True,
)

META = Meta(
    name="classic",
    family="board",
    players=(2, 3, 4, 5, 6),
    maps={"germany": "germany"},
    options=(
        REGIONS,
        MONEY,
        DEMOLITION,
        VARIANTS,
        Option(
            "map_rules",
            default=True,
            choices=(True, False),
            rule="C-12.3.8",
        ),
    ),
    first_opponent="apprentice",
    version=3,
)
