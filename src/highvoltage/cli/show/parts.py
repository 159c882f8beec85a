"""The small things that every table shows: fuel, cards, players."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

FUELS = {  # letter and style; letters alone must do without colours
    "coal": ("C", "bold white on #6b4226"),
    "oil": ("O", "bold white on #3c4043"),
    "gas": ("S", "bold black on #7fb7d8"),
    "garbage": ("G", "bold black on #e0b81c"),
    "uranium": ("U", "bold white on #b3261e"),
}
HYBRID = ("H", "bold white on #4f5d2f")
SEATS = (  # mark and colour: each tells the players apart without the other
    ("●", "bold #e5534b"),
    ("▲", "bold #4a90d9"),
    ("■", "bold #3fa45b"),
    ("◆", "bold #d9a400"),
    ("★", "bold #a06bd0"),
    ("✚", "bold #7d8590"),
)


def letter(fuel: str) -> str:
    return FUELS.get(fuel, (fuel[:1].upper(), ""))[0]


def fuel_text(fuel: str, count: int = 1) -> Text:
    """Tokens of one kind.

    >>> fuel_text("coal", 3).plain
    'CCC'
    """
    sign, style = FUELS.get(fuel, (fuel[:1].upper(), "bold"))
    return Text(sign * count, style)


def plant_text(plant: Mapping[str, Any]) -> Text:
    """A plant: its number, what it burns, what it yields.

    >>> plant_text({"card": "5", "fuels": ["coal", "oil"], "need": 2, "powers": 1}).plain
    '5 HH→1'
    """
    text = Text(str(plant["card"]), "bold") + Text(" ")
    if len(plant["fuels"]) > 1:
        text += Text(HYBRID[0] * plant["need"], HYBRID[1])
    elif plant["fuels"]:
        text += fuel_text(plant["fuels"][0], plant["need"])
    else:
        text += Text("eco", "bold green")
    return text + Text(f"→{plant['powers']}")


def held_text(held: Mapping[str, int]) -> Text:
    """Fuel in store; a dash for none.

    >>> held_text({"coal": 4, "oil": 0, "uranium": 1}).plain
    '4C 1U'
    """
    parts = [Text(f"{count}", "bold") + fuel_text(fuel) for fuel, count in held.items() if count]
    return Text(" ").join(parts) if parts else Text("-", "dim")


def seat_mark(seat: int) -> Text:
    return Text(*SEATS[seat % len(SEATS)])


def seat_name(names: Sequence[str], seat: int) -> Text:
    return seat_mark(seat) + Text(f" {names[seat]}", SEATS[seat % len(SEATS)][1])


def seats_text(names: Sequence[str], seats: Iterable[int]) -> Text:
    return Text(", ").join([seat_name(names, seat) for seat in seats])


class Flow:
    """Cells side by side, as many in a line as the terminal takes; a cell is never broken.

    >>> from rich.console import Console
    >>> Console(width=18).print(Flow([Text("1 Essen 10"), Text("2 Bonn 4"), Text("3 Ulm 7")]))
    1 Essen 10
    2 Bonn 4  3 Ulm 7
    """

    def __init__(self, cells: Iterable[Text], gap: int = 2) -> None:
        self.cells = list(cells)
        self.gap = gap

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        line = Text()
        for cell in self.cells:
            if line and line.cell_len + self.gap + cell.cell_len > options.max_width:
                yield line
                line = Text()
            line += (Text(" " * self.gap) if line else Text()) + cell
        yield line
