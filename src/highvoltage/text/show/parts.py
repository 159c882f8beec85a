"""Elements that every table shows: fuel, cards, players."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rich.console import Console, ConsoleOptions, RenderResult
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from highvoltage.views import CommonView
from highvoltage.words import say

FUELS = {  # letter and style, from the 256 colours; the letters suffice without colours
    "coal": ("C", "bold white on #875f00"),
    "oil": ("O", "bold white on #444444"),
    "gas": ("S", "bold black on #87afd7"),
    "garbage": ("G", "bold black on #d7af00"),
    "uranium": ("U", "bold white on #af0000"),
}
STORED_PREFIX = "stored_"  # of the name of fuel in a storage
HYBRID = ("H", "bold white on #5f5f00")
SEATS = (  # mark and colour: either alone distinguishes the players
    ("●", "bold #e5534b"),
    ("▲", "bold #4a90d9"),
    ("■", "bold #3fa45b"),
    ("◆", "bold #d9a400"),
    ("★", "bold #a06bd0"),
    ("✚", "bold #7d8590"),
)


OTHERS = {-1: ("□", "bold"), -2: ("◌", "bold")}  # the automatic opponent; a starting place


def letter(fuel: str) -> str:
    return FUELS.get(fuel, (fuel[:1].upper(), ""))[0]


def fuel_text(fuel: str, count: int = 1) -> Text:
    """Tokens of one kind.

    >>> fuel_text("coal", 3).plain
    'CCC'
    """
    sign, style = FUELS.get(fuel, (fuel[:1].upper(), "bold"))
    return Text.assemble((sign * count, style))  # text appended later keeps its own style


def plant_text(plant: Mapping[str, Any]) -> Text:
    """A plant: its number, what it burns, and the cities it powers or the money it earns.

    >>> plant_text({"card": "5", "fuels": ["coal", "oil"], "need": 2, "powers": 1}).plain
    '5 HH→1'
    """
    if "mine" in plant:
        burns = Text.assemble((say("mine"), FUELS["uranium"][1]))
    elif len(plant["fuels"]) > 1:
        burns = Text.assemble((HYBRID[0] * plant["need"], HYBRID[1]))
    elif plant["fuels"]:
        burns = fuel_text(plant["fuels"][0], plant["need"])
    else:
        burns = Text.assemble(("eco", "bold green"))
    brings = plant.get("mine") or (plant["powers"] if "powers" in plant else plant["income"])
    return Text.assemble((str(plant["card"]), "bold"), " ", burns, f"→{brings}")


def held_text(held: Mapping[str, int]) -> Text:
    """Fuel in store; a dash for none.

    >>> held_text({"coal": 4, "oil": 0, "uranium": 1}).plain
    '4C 1U'
    """
    parts = [
        Text.assemble((str(count), "bold"), fuel_text(fuel))
        for fuel, count in held.items()
        if count
    ]
    return Text(" ").join(parts) if parts else Text("-", "dim")


def mover(view: CommonView) -> int:
    """The seat to move, in a view that has one."""
    seat = view["to_move"]
    assert seat is not None
    return seat


def seat_mark(seat: int) -> Text:
    """The mark of a player, of the automatic opponent, or of a starting place."""
    return Text.assemble(OTHERS[seat] if seat < 0 else SEATS[seat % len(SEATS)])


def players_frame(owned: str, held: str, *figures: str) -> Table:
    """An empty table for the players in turn order: money, what they own and hold, figures."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column(f"  {say('terminal_in_order')}", no_wrap=True, overflow="ellipsis")
    table.add_column(heading("money"), justify="right", no_wrap=True, min_width=5)
    table.add_column(heading(owned))
    table.add_column(heading(held), no_wrap=True)
    for figure in map(heading, figures):
        table.add_column(figure, justify="right", no_wrap=True, min_width=len(figure))
    return table


def heading(column: str) -> str:
    return say(f"terminal_column_{column}")


def name_in_order(view: CommonView, seat: int) -> Text:
    """The name of a player, marked if it is their turn."""
    return Text("▶ " if seat == view["to_move"] else "  ") + seat_name(view["names"], seat)


def money_text(money: int | None) -> str:
    return say("choice_money_hidden") if money is None else str(money)


def seat_name(names: Sequence[str], seat: int) -> Text:
    mark, style = SEATS[seat % len(SEATS)]
    return Text.assemble((f"{mark} {names[seat]}", style))


def seats_text(names: Sequence[str], seats: Iterable[int]) -> Text:
    return Text(", ").join([seat_name(names, seat) for seat in seats])


class Flow:
    """Cells side by side, as many per line as fit the terminal; a cell is never broken.

    >>> from rich.console import Console
    >>> Console(width=18).print(Flow([Text("1 Essen 10"), Text("2 Bonn 4"), Text("3 Ulm 7")]))
    1 Essen 10
    2 Bonn 4  3 Ulm 7
    """

    def __init__(self, cells: Iterable[Text], gap: int = 2) -> None:
        self.cells: list[Text] = list(cells)
        self.gap = gap

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        widths = [cell.cell_len for cell in self.cells] or [0]
        return Measurement(max(widths), sum(widths) + self.gap * (len(widths) - 1))

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        line = Text()
        for cell in self.cells:
            if line and line.cell_len + self.gap + cell.cell_len > options.max_width:
                yield line
                line = Text()
            line += (Text(" " * self.gap) if line else Text()) + cell
        yield line
