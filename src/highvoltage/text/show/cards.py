"""The table of the card game: plants, fuel in columns, and no map."""

from collections.abc import Mapping
from typing import cast

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from highvoltage.engine.events import EndResolved, Income, Surplus, Taken, Turned
from highvoltage.engine.moves import Move, Run
from highvoltage.text.narration import (
    Narrator,
    Own,
    fuel_amount,
    fuel_name,
    plants_of,
    sentence,
)
from highvoltage.text.show import Menu, MenuEntry, Scene
from highvoltage.text.show.board import back_note, demolition_note, market_rows, plants_text
from highvoltage.text.show.common import AuctionRenderer, Card, fuel_signs, in_hand, run_menu
from highvoltage.text.show.generic import LAST, either, menu_table
from highvoltage.text.show.parts import (
    Flow,
    fuel_text,
    heading,
    held_text,
    money_text,
    name_in_order,
    players_frame,
    seat_mark,
)
from highvoltage.views import CardGameView, View
from highvoltage.words import say

BANK = -1  # its seat in a view


def view_of(scene: Scene) -> CardGameView:
    """The view with its type: renderers are chosen by the family of the view."""
    return cast("CardGameView", scene.view)


class CardNarrator(Narrator):
    """Moves and events that only the card game has."""

    def move_buy(self, move: Move, name: str, own: Own) -> str:
        return say("log_buy_card", name=name, card=bought(move), column=column_of(move))

    def do_buy(self, move: Move) -> str:
        return say("hint_move_buy_card", card=bought(move), column=column_of(move))

    def move_run(self, move: Run, name: str, own: Own) -> str:
        income = own.get("income")
        earned = income.amount if isinstance(income, Income) else 0
        if not move.plants:
            return say("log_run_nothing", name=name, earned=earned)
        return say("log_run_income", name=name, plants=plants_of(move), earned=earned)

    def event_turned(self, event: Turned) -> str:
        if event.card == "end":
            return say("log_end_card")
        if event.column is None:
            return super().event_turned(event)
        return say("log_fuel_turned", column=event.column, cards=fuel_card(event.card))

    def event_taken(self, event: Taken) -> str:
        if event.column is None:
            return say("log_bank_plant", card=event.card)
        return say("log_bank_fuel", cards=fuel_card(event.card))

    def event_surplus(self, event: Surplus) -> str:
        return say("log_surplus", fuel=fuel_amount(event.count, event.fuel))

    def event_end_resolved(self, event: EndResolved) -> str:
        return say("log_end_resolved")


def bought(move: Move) -> str:
    """The card that a move buys: `buy coal 3 from 1`."""
    _, fuel, units, *_ = str(move).split()
    return f"{fuel_name(fuel)} {units}"


def column_of(move: Move) -> str:
    return str(move).rpartition(" ")[2]


def fuel_card(card: str) -> str:
    """A fuel card from its name in events, such as `coal3`.

    >>> fuel_card("coal3"), fuel_card("oil")
    ('coal 3', 'oil 1')
    """
    fuel = card.rstrip("0123456789")
    return f"{fuel_name(fuel)} {card.removeprefix(fuel) or 1}"


class CardsRenderer(AuctionRenderer):
    """Renders the card game within 80 columns."""

    def narrator(self, view: View, places: Mapping[str, str]) -> Narrator:
        return CardNarrator(view["names"], places, list(view["fuel"]["singles"]), "bank")

    def parts(self, scene: Scene) -> list[RenderableType]:
        parts = [self.market(scene), columns_table(view_of(scene)), players_table(scene)]
        if view_of(scene)["reconstructed"]:
            parts.append(Text(say("cards_note"), "dim"))
        return parts

    def market(self, scene: Scene) -> RenderableType:
        return market_table(view_of(scene))

    def focus(self, scene: Scene) -> RenderableType | None:
        return (
            columns_table(view_of(scene))
            if view_of(scene)["phase"] == "fuel"
            else super().focus(scene)
        )

    def prompt(self, scene: Scene) -> str:
        view = view_of(scene)
        if view["phase"] == "fuel":
            return f"{sentence(say('turn_you_fuel_cards'))} {in_hand(scene)}"
        if any(isinstance(move, Run) for move in scene.legal.choices):
            return sentence(say("turn_you_run"))
        return super().prompt(scene)

    def menu(self, scene: Scene) -> Menu:
        if view_of(scene)["phase"] == "fuel":
            return fuel_menu(scene)
        if any(isinstance(move, Run) for move in scene.legal.choices):
            return run_menu(scene, earned)
        return super().menu(scene)

    def syntax_help(self, scene: Scene) -> list[tuple[str, str]]:
        return [
            *super().syntax_help(scene),
            ("`2`, `buy coal 3 from 1`", say("terminal_do_buy_cardgame")),
            ("`1`, `run 5:gas,oil 13`", say("terminal_do_run_cardgame")),
            (either("d", "done"), say("terminal_do_done")),
        ]

    def legend(self, scene: Scene) -> str:
        fuels = view_of(scene)["fuel"]["singles"]
        return fuel_signs(say("terminal_legend_cardgame"), fuels, "gas", "oil")


def earned(plants: list[Card]) -> tuple[int, str]:
    """What running these plants earns; everybody earns at least 1."""
    pay = max(1, sum(int(plant["income"]) for plant in plants))
    return pay, say("terminal_earns", income=pay)


def market_table(view: CardGameView) -> RenderableType:
    market = view["market"]
    parts = [say("terminal_cards", count=market["deck"]) + back_note(market["back"])]
    if market["above_end"] is not None:
        parts.append(say("above_end", count=market["above_end"]))
    if view["last"]:
        parts.append(say("last_round"))
    notes = [f"{say('terminal_deck'):<10} {'; '.join(parts)}", *demolition_note(view)]
    return market_rows(market, say("end").upper() if market["end"] else "", notes)


def columns_table(view: CardGameView) -> Table:
    """The fuel cards by their price."""
    fuel = view["fuel"]
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(style="dim", no_wrap=True)
    table.add_column()
    for price, cards in enumerate(fuel["columns"], 1):
        cells = [fuel_text(card["fuel"], card["units"]) for card in cards]
        title = f"{heading('fuel_cardgame')} {say('terminal_price', price=price)}"
        table.add_row(title, Flow(cells) if cells else Text("-", "dim"))
    pile, discarded = say("terminal_cards", count=fuel["pile"]), len(fuel["discard"])
    table.add_row(
        say("terminal_deck"), Text(f"{pile}, {say('fuel_discard', count=discarded)}", "dim")
    )
    return table


def players_table(scene: Scene) -> Table:
    view = view_of(scene)
    table = players_frame("plants", "fuel_cardgame", "earned")
    for seat in view["order"]:
        player = view["players"][seat]
        table.add_row(
            name_in_order(view, seat),
            money_text(player["money"]),
            plants_text(player),
            held_text(player["fuel"]),
            str(player["income"]),
        )
    if bank := view.get("bank"):
        fuel: dict[str, int] = {}
        for card in bank["store"]:
            fuel[card["fuel"]] = fuel.get(card["fuel"], 0) + card["units"]
        name = Text.assemble("  ", seat_mark(BANK), f" {say('bank')}")
        table.add_row(name, "", plants_text(bank), held_text(fuel), "")
    return table


def fuel_menu(scene: Scene) -> Menu:
    """The cards that can be paid and stored, cheapest first; equal cards are one entry."""
    entries: list[MenuEntry] = []
    cells = []
    for move in scene.legal.choices:
        if move.verb not in LAST:
            _, fuel, units, _, column = str(move).split()
            what = fuel_text(fuel, int(units))
            costs = say("terminal_costs", cost=column)
            entries.append(MenuEntry(str(len(entries) + 1), move, what, costs))
            key = (entries[-1].key, "bold cyan")
            cells.append(Text.assemble(key, " ", what, f" {say('terminal_price', price=column)}"))
    others = [move for move in scene.legal.choices if move.verb in LAST]
    done = [MenuEntry(move.verb, move, Text(say("terminal_leave_fuel")), "") for move in others]
    if not cells:
        return Menu(done, menu_table(done), "")
    hint = f"{say('terminal_card_keys')}; {say('terminal_done_ends')}"
    return Menu([*entries, *done], Flow(cells, gap=3), hint)
