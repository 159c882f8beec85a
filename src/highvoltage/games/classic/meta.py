"""The cover of the 2004 edition."""

from highvoltage.games.meta import DEMOLITION, Meta, Option

REGIONS = Option(
    "regions",
    default="random",
    choices=("random", "draft"),
    about="regions in play: drawn at random, drafted by the players, or a list of names",
    rule="C-2.1.2",
    takes_list=True,
)
MONEY = Option(
    "money",
    default="open",
    choices=("open", "hidden"),
    about="whether others see your money",
    rule="C-13.2",
)

META = Meta(
    name="classic",
    title="Power Grid (2004)",
    about=(
        "The game that started it: bid for power plants, buy their fuel on a market that runs dry,"
        " and connect cities before the others do. Most cities powered wins."
    ),
    family="board",
    players=(2, 3, 4, 5, 6),
    maps={"germany": "germany"},
    options=(
        REGIONS,
        MONEY,
        DEMOLITION,
        Option(
            "map_rules",
            default=True,
            choices=(True, False),
            about="the map's own rules, such as Central Europe's on supply and nuclear power",
            rule="C-12.3.8",
        ),
    ),
    first_opponent="apprentice",
    adviser="tycoon:40",
    version=3,
)
