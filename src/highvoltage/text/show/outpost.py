"""The table of Outpost: cards of three kinds, workers, buildings on a planet."""

from collections.abc import Mapping
from typing import ClassVar, cast

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from highvoltage.engine.cards import label
from highvoltage.engine.events import (
    Area,
    CannotBuy,
    Hired,
    Income,
    Labour,
    Placed,
    Removed,
    Slid,
    Sold,
    Taken,
    Tokens,
    Turned,
)
from highvoltage.engine.log import Row
from highvoltage.engine.moves import Move, Nominate
from highvoltage.text.narration import Narrator, Own, piece_name, plain, price, sentence
from highvoltage.text.notation import name_words
from highvoltage.text.show import Menu, MenuEntry, Scene
from highvoltage.text.show.board import COMING, ON_OFFER, back_note
from highvoltage.text.show.common import AuctionRenderer, Card, in_hand, numbered
from highvoltage.text.show.generic import LAST, either, menu_table
from highvoltage.text.show.parts import (
    Flow,
    heading,
    money_text,
    name_in_order,
    players_frame,
    seat_mark,
)
from highvoltage.views import OutpostView, View
from highvoltage.views.outpost import CompanyView, PlaceView
from highvoltage.words import find, say

SYNDICATE = -1  # its seat in a view
BUILDS = ("build", "syndicate")
LEAVES = ("hire", "robot")  # after which a turn has less left, or nothing


def view_of(scene: Scene) -> OutpostView:
    """The view with its type: renderers are chosen by the family of the view."""
    return cast("OutpostView", scene.view)


class OutpostNarrator(Narrator):
    """Moves and events that only Outpost has."""

    def merged_kind(self, row: Row) -> None:
        """Each piece is a sentence of its own."""

    def card(self, card: str) -> str:
        return super().card(card) if card == "step3" else say("card_any", card=card)

    def move_nominate(self, move: Nominate, name: str, own: Own) -> str:
        return say("log_nominate_card", name=name, card=self.card(label(move.card)), bid=move.bid)

    def move_build(self, move: Move, name: str, own: Own) -> str:
        _, piece, city = str(move).split()
        piece, place = piece_name(piece), self.place(city)
        return say("log_build_piece", name=name, city=place, paid=price(own), piece=piece)

    def move_syndicate(self, move: Move, name: str, own: Own) -> str:
        return say("log_syndicate", name=name)

    def move_settle(self, move: Move, name: str, own: Own) -> str:
        _, piece, card = str(move).split()
        return say("log_settle", name=name, card=self.card(card), piece=piece_name(piece))

    def move_swap(self, move: Move, name: str, own: Own) -> str:
        _, old, _, card = str(move).split()
        return say("log_swap", name=name, old=self.card(old), card=self.card(card))

    def move_place(self, move: Move, name: str, own: Own) -> str:
        return say("log_place_card", name=name, card=self.card(str(move).split()[1]))

    def move_hire(self, move: Move, name: str, own: Own) -> str:
        event = own.get("hired")
        hired, free = (event.hired, event.free) if isinstance(event, Hired) else (0, 0)
        return say("log_hire", name=name, hired=hired, paid=price(own), free=free)

    def move_power(self, move: Move, name: str, own: Own) -> str:
        income = own.get("income")
        earned = income.amount if isinstance(income, Income) else 0
        return say("log_power", name=name, count=str(move).split()[1], earned=earned)

    def move_robot(self, move: Move, name: str, own: Own) -> str:
        return say("log_robot", name=name)

    def do_build(self, move: Move) -> str:
        _, piece, city = str(move).split()
        return say("hint_move_build_piece", city=self.place(city), piece=piece_name(piece))

    def do_hire(self, move: Move) -> str:
        return say("hint_move_hire", count=str(move).split()[1])

    def do_power(self, move: Move) -> str:
        return say("hint_move_power", count=str(move).split()[1])

    def do_place(self, move: Move) -> str:
        return say("hint_move_place", card=self.card(str(move).split()[1]))

    def do_robot(self, move: Move) -> str:
        return say("hint_move_robot")

    def event_sold(self, event: Sold) -> str:
        name, card = self.name(event.seat), self.card(event.card)
        return say("log_sold_card", name=name, card=card, amount=event.amount)

    def event_turned(self, event: Turned) -> str:
        if event.card == "step3":
            return super().event_turned(event)
        return say("log_turned_card", card=self.card(event.card))

    def event_removed(self, event: Removed) -> str:
        return say("log_removed_card", card=self.card(event.card))

    def event_slid(self, event: Slid) -> str:
        return say("log_slid_card", card=self.card(event.card))

    def event_taken(self, event: Taken) -> str:
        return say("log_taken_card", name=self.name(event.seat), card=self.card(event.card))

    def event_cannot_buy(self, event: CannotBuy) -> str:
        return say("log_cannot_buy_card", name=self.name(event.seat))

    def event_placed(self, event: Placed) -> str:
        city, piece = self.place(event.city), piece_name(event.piece or "station")
        return say("log_placed_piece", name=self.name(event.seat), city=city, piece=piece)

    def event_hired(self, event: Hired) -> str:
        if event.seat >= 0 or not event.hired:
            return ""  # part of the move's sentence
        return say("log_hired", name=self.name(event.seat), count=event.hired)

    def event_labour(self, event: Labour) -> str:
        return say("log_labour", count=event.workers)

    def event_tokens(self, event: Tokens) -> str:
        return ""  # the map shows them

    def event_area(self, event: Area) -> str:
        areas = ", ".join(find(f"area_{each}", {}) or plain(each) for each in event.items)
        return f"{say('option_area')}: {areas}"


class OutpostRenderer(AuctionRenderer):
    """Renders Outpost within 80 columns."""

    card: ClassVar[str] = "card"

    def narrator(self, view: View, places: Mapping[str, str]) -> Narrator:
        return OutpostNarrator(view["names"], places, (), "syndicate")

    def on_offer(self, view: View) -> list[Card]:
        return [place["card"] for place in view["market"]["current"]]

    def card_text(self, card: Card) -> Text:
        return card_text(card)

    def card_words(self, card: Card) -> str:
        if card["kind"] == "plant":
            return say("terminal_makes", count=card["workers"], energy=card["energy"])
        if card["kind"] == "habitat":
            return say("terminal_beds", count=card["places"])
        return say("terminal_technology", name=technology_name(card))

    def parts(self, scene: Scene) -> list[RenderableType]:
        view = view_of(scene)
        parts = [self.market(scene), labour_text(view), players_table(scene)]
        if view["reconstructed"]:
            parts.append(Text(say("reconstructed_note"), "dim"))
        return parts

    def market(self, scene: Scene) -> RenderableType:
        return market_table(view_of(scene))

    def prompt(self, scene: Scene) -> str:
        verbs = {move.verb for move in scene.legal.choices}
        if verbs & {"nominate", "bid", "scrap"}:
            return super().prompt(scene)
        if "syndicate" in verbs:
            return sentence(say("turn_you_syndicate_slot"))
        if "power" in verbs:
            return sentence(say("turn_you_bureaucracy"))
        return f"{sentence(say('turn_you_company'))} {in_hand(scene)}"

    def menu(self, scene: Scene) -> Menu:
        """Buildings by kind, each city with its cost; every other move on its own line."""
        entries = list(numbered(self.entry(scene, move) for move in scene.legal.choices))
        entries.sort(key=lambda entry: entry.move.verb in LAST)
        lines = Table.grid(padding=(0, 2, 0, 0))
        lines.add_column(style="dim", no_wrap=True)
        lines.add_column()
        for piece in ("station", "plant", "habitat"):
            cells = [
                Text.assemble((entry.key, "bold cyan"), " ", entry.what, f" {entry.note}")
                for entry in entries
                if entry.move.verb in BUILDS and getattr(entry.move, "piece", "") == piece
            ]
            if cells:
                lines.add_row(f"{piece_name(piece)}:", Flow(cells))
        rest = [entry for entry in entries if entry.move.verb not in BUILDS]
        return Menu(entries, Group(lines, menu_table(rest)), "")

    def syntax_help(self, scene: Scene) -> list[tuple[str, str]]:
        city = " ".join(name_words(next(iter(view_of(scene)["cities"].values()))["name"]))
        return [
            *super().syntax_help(scene),
            (f"`build station {city}`", say("terminal_do_build_piece")),
            ("`3 5`", say("terminal_do_several")),
            ("`place 23`, `swap 12 for 23`", say("terminal_do_place", old=12)),
            ("`hire 3`", say("terminal_do_hire")),
            ("`robot human`", say("terminal_do_robot")),
            ("`power 4`", say("terminal_do_power")),
            (either("d", "done"), say("terminal_do_done")),
        ]

    def legend(self, scene: Scene) -> str:
        beds, more = say("terminal_beds", count=4), say("terminal_beds", count=5)
        return say("terminal_legend_outpost", beds=beds, more_beds=more)

    def entry(self, scene: Scene, move: Move) -> MenuEntry:
        if move.verb == "power":
            cities = int(str(move).split()[1])
            earns = say("terminal_earns", income=view_of(scene)["payment"][cities])
            note = f"{say('terminal_powers', count=cities)}, {earns}"
            return MenuEntry("", move, Text(str(move)), note)
        if move.verb in LEAVES:
            entry = super().entry(scene, move)
            note = ", ".join(filter(None, (entry.note, say(f"terminal_leave_{move.verb}"))))
            return entry._replace(note=note)
        if move.verb not in BUILDS:
            return super().entry(scene, move)
        city = str(move).split()[-1]
        cost = str(scene.costs[move]) if move in scene.costs else ""
        return MenuEntry("", move, Text(scene.places[city].name), cost)

    def map(self, scene: Scene) -> RenderableType:
        table = Table.grid(padding=(0, 2, 0, 0))
        table.add_column(no_wrap=True)
        table.add_column(no_wrap=True)
        table.add_column(no_wrap=True)
        table.add_column(style="dim")
        for city, about in view_of(scene)["cities"].items():
            stations = Text("").join([seat_mark(seat) for seat in about["stations"]])
            slot = Text(f"{piece_name(about['slot'])} ", "dim")
            if about["building"] is not None:
                slot = Text.assemble(slot.plain, seat_mark(about["building"]))
            links = [
                f"{scene.places[other].name} {cost}" for other, cost in scene.places[city].links
            ]
            table.add_row(about["name"], stations, slot, ", ".join(links))
        return table


def card_text(card: Card) -> Text:
    """A plant as workers and energy, a habitat as beds, a technology by name."""
    if card["kind"] == "plant":
        text = f"{card['workers']}w→{card['energy']}"
    elif card["kind"] == "habitat":
        text = say("terminal_beds", count=card["places"])
    else:
        text = technology_name(card)
    return Text.assemble((card["card"], "bold"), f" {text}")


def technology_name(card: Card) -> str:
    return find(f"technology_{card['technology']}", {}) or card["name"] or plain(card["technology"])


def market_table(view: OutpostView) -> RenderableType:
    market = view["market"]
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(style="dim", no_wrap=True)
    table.add_column()
    for title, places in ((ON_OFFER, market["current"]), (COMING, market["future"])):
        cells = [place_text(place) for place in places]
        if market["step3"] and title == COMING:
            cells.append(Text(say("step", step=3), "bold"))
        if cells:
            table.add_row(say(title), Flow(cells, gap=3))
    deck = say("terminal_cards", count=market["deck"]) + back_note(market["back"])
    step = say("terminal_step_2", cities=view["step_2_cities"]) + ", " if view["step"] == 1 else ""
    last = say("terminal_last_round", cities=view["end_cities"])
    table.add_row(say("terminal_deck"), Text(f"{deck}; {step}{last}", "dim"))
    return table


def place_text(place: PlaceView) -> Text:
    text = card_text(place["card"])
    if place["below"]:
        text.append(f" {say('terminal_below', count=len(place['below']))}")
    if place["minimum"] != place["card"]["number"]:
        text.append(f" {say('terminal_from', bid=place['minimum'])}", "bold green")
    return text


def labour_text(view: OutpostView) -> Text:
    labour = view["labour"]
    prices = labour["prices"]
    each = ", ".join(
        f"{prices.count(price)} {say('terminal_price', price=price)}"
        for price in sorted(set(prices))
    )
    robots = say("robots_left", count=view["robots"])
    return Text.assemble(
        (f"{heading('workers'):<10} ", "dim"), f"{each or say('labour_empty')} · {robots}"
    )


def players_table(scene: Scene) -> Table:
    view = view_of(scene)
    table = players_frame("pool", "workers", "cities", "energy")
    for seat in view["order"]:
        table.add_row(name_in_order(view, seat), *company_cells(view["players"][seat]))
    if syndicate := view["syndicate"]:
        name = Text.assemble("  ", seat_mark(SYNDICATE), f" {say('syndicate')}")
        table.add_row(name, *company_cells(syndicate))
    return table


def company_cells(company: CompanyView) -> list[RenderableType]:
    cards = [card_text(card) for card in [*company["plants"], *company["habitats"]]]
    cards += [Text.assemble(("+ ", "dim"), card_text(card)) for card in company["pool"]]
    robots = f" +{company['robots']}r" if company["robots"] else ""
    beds = say("terminal_beds", count=company["beds"])
    return [
        Text(money_text(company["money"])),
        Flow(cards or [Text("-", "dim")]),
        Text(f"{company['humans']}/{company['need']}{robots}, {beds}"),
        Text(str(company["network"])),
        Text(str(company["energy"])),
    ]
