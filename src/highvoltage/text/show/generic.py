"""A table for any game: what every view has, and the legal moves in their notation."""

from collections.abc import Mapping
from typing import Any

from rich.console import Group, RenderableType
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from highvoltage.engine.moves import Bid, Nominate
from highvoltage.text.narration import Narrator, phase_name, plain
from highvoltage.text.notation import name_words
from highvoltage.text.show import Menu, MenuEntry, Scene
from highvoltage.text.show.parts import heading, seat_name
from highvoltage.views import View
from highvoltage.words import find, say

SHOWN_ABOVE = {"rulebook", "seat", "round", "phase", "step", "to_move", "order", "players"}
NOT_SHOWN = {"names", "seq", "outcome"}
LAST = {"pass", "done"}  # at the end of every menu


class GenericRenderer:
    """Renders any game, without knowing its rules."""

    def position(self, scene: Scene) -> RenderableType:
        view = scene.view
        return Group(header(scene), self.players(scene), *self.rest(view))

    def narrator(self, view: View, places: Mapping[str, str]) -> Narrator:
        return Narrator(view["names"], places, list(view.get("fuel", {})))

    def players(self, scene: Scene) -> RenderableType:
        """One line per player, without what they do not have."""
        names = scene.view["names"]
        lines = []
        for seat in scene.view["order"]:
            owns = {key: each for key, each in scene.view["players"][seat].items() if key != "seat"}
            lines.append(Text.assemble(seat_name(names, seat), f"  {brief(owns)}"))
        return Group(*lines)

    def rest(self, view: View) -> list[Text]:
        return [
            Text.assemble((f"{plain(key)}: ", "dim"), brief(value))
            for key, value in view.items()
            if key not in SHOWN_ABOVE | NOT_SHOWN and value not in (None, [], {})
        ]

    def focus(self, scene: Scene) -> RenderableType | None:
        return None

    def prompt(self, scene: Scene) -> str:
        verbs = list(dict.fromkeys(move.verb for move in scene.legal.choices))
        return f"{phase_name(scene.view['phase'])}: {', '.join(verbs)}."

    def menu(self, scene: Scene) -> Menu:
        costs = scene.costs
        return listed_menu(
            [
                (move, say("terminal_costs", cost=costs[move]) if move in costs else "")
                for move in scene.legal.choices
            ]
        )

    def syntax_help(self, scene: Scene) -> list[tuple[str, str]]:
        return [(f"`{move}`", say("terminal_do_listed")) for move in scene.legal.choices[:1]]

    def legend(self, scene: Scene) -> str:
        return ""

    def map(self, scene: Scene) -> RenderableType | None:
        return None

    def result(self, scene: Scene) -> RenderableType:
        """The ranking, best first, with the scores of the game."""
        outcome = scene.view["outcome"]
        table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
        table.add_column("")
        table.add_column(heading("player"))
        for column in outcome["scores"][0]:
            measure = find(f"score_{column}", {}, scene.view["rulebook"]) or plain(column)
            table.add_column(measure, justify="right")
        place = 1
        for seats in outcome["ranking"]:
            for seat in seats:
                scores = map(str, outcome["scores"][seat].values())
                table.add_row(f"{place}.", seat_name(scene.view["names"], seat), *scores)
            place += len(seats)
        return table


def header(scene: Scene) -> RenderableType:
    """Round, phase, step and board, in one line."""
    view = scene.view
    where = f"{say('round', round=view['round'])} · {phase_name(view['phase'])}"
    if "step" in view:
        where += f" · {say('step', step=view['step'])}"
    return Rule(Text(f"{where} · {scene.board}", "bold"), align="left", style="dim")


def listed_menu(moves: list[tuple[Any, str]]) -> Menu:
    """Numbered moves, one per line; the key of a card or a bid is its own number."""
    entries = []
    numbers = iter(range(1, len(moves) + 1))
    for move, note in moves:
        if isinstance(move, (Nominate, Bid)):
            key = str(move).split()[1]
        elif move.verb in LAST:
            key = move.verb
        else:
            key = str(next(numbers))
        entries.append(MenuEntry(key, move, Text(str(move)), note))
    entries.sort(key=lambda entry: entry.move.verb in LAST)
    return Menu(entries, menu_table(entries), "")


def menu_table(entries: list[MenuEntry]) -> RenderableType:
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(justify="right", style="bold cyan")
    table.add_column()
    table.add_column(style="dim")
    for entry in entries:
        table.add_row(f"  {entry.key}", entry.what, entry.note)
    return table


def examples(scene: Scene, menu: Menu, narrator: Narrator) -> list[tuple[str, str]]:
    """One legal move of each verb: what to type, in Markdown, and what it does."""
    first: dict[str, MenuEntry] = {}
    for entry in menu.entries:
        first.setdefault(entry.move.verb, entry)
    return [
        (
            either(*dict.fromkeys((entry.key, spelled(scene, entry)))),
            narrator.order(entry.move),
        )
        for entry in first.values()
    ]


def either(*typed: str) -> str:
    """Several ways to type the same, in Markdown.

    >>> either("p", "pass")
    '`p` or `pass`'
    """
    return f" {say('terminal_or')} ".join(f"`{text}`" for text in typed)


def spelled(scene: Scene, entry: MenuEntry) -> str:
    """A move as people type it, with the names of cities."""
    words = str(entry.move).split()
    return " ".join(
        " ".join(name_words(scene.places[word].name)) if word in scene.places else word
        for word in words
    )


def brief(value: Any) -> str:
    """Plain data on one line."""
    if isinstance(value, dict):
        if isinstance(value.get("card"), str):
            return str(value["card"])
        return " ".join(f"{plain(key)} {brief(each)}" for key, each in value.items() if each)
    if isinstance(value, (list, tuple)):
        return " ".join(brief(each) for each in value) or "-"
    return say("choice_money_hidden") if value is None else str(value)
