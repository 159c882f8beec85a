"""The table of Outpost: cards of three kinds, workers, buildings on a planet."""

from collections.abc import Mapping
from typing import ClassVar, cast

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from highvoltage.cli.narration import Narrator, Own, many, piece_name, plain, price, sentence
from highvoltage.cli.notation import name_words
from highvoltage.cli.show import Menu, MenuEntry, Scene
from highvoltage.cli.show.common import AuctionRenderer, Card, in_hand, numbered
from highvoltage.cli.show.generic import LAST, menu_table
from highvoltage.cli.show.parts import Flow, money_text, name_in_order, players_frame, seat_mark
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
from highvoltage.views import OutpostView, View
from highvoltage.views.outpost import CompanyView, PlaceView
from highvoltage.words import find, say

SYNDICATE = -1  # its seat in a view
BUILDS = ("build", "syndicate")
LEAVES = {"hire": "then nothing is built or placed", "robot": "ends your turn"}


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
            return (
                f"{many(card['workers'], 'worker makes', 'workers make')} {card['energy']} energy"
            )
        if card["kind"] == "habitat":
            return f"beds for {many(card['places'], 'worker', 'workers')}"
        return f"technology: {card['name']}"

    def parts(self, scene: Scene) -> list[RenderableType]:
        view = view_of(scene)
        parts = [self.market(scene), labour_text(view), players_table(scene)]
        if view["reconstructed"]:
            parts.append(Text("Cards, map and prices are partly reconstructed.", "dim"))
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
                lines.add_row(f"{piece} in", Flow(cells))
        rest = [entry for entry in entries if entry.move.verb not in BUILDS]
        return Menu(entries, Group(lines, menu_table(rest)), "")

    def syntax_help(self, scene: Scene) -> list[tuple[str, str]]:
        city = " ".join(name_words(next(iter(view_of(scene)["cities"].values()))["name"]))
        return [
            *super().syntax_help(scene),
            (f"`build station {city}`", "build a station, a plant or a habitat in a city"),
            ("`3 5`", "the third and the fifth of the list"),
            ("`place 23`, `swap 12 for 23`", "place a card of your pool, or exchange 12 for it"),
            ("`hire 3`", "hire three workers"),
            ("`robot human`", "let a worker make a robot"),
            ("`power 4`", "power four cities"),
            ("`d` or `done`", "end the turn"),
        ]

    def legend(self, scene: Scene) -> str:
        return (
            "`23 2w→5` is plant 23: 2 workers make 5 energy; `12 4 beds` a habitat with beds for 4"
            " workers; a technology is called by its name, and `+` stands before cards in the pool,"
            " which are not placed yet. `3/4 +1r, 5 beds` are 3 workers of the 4 that your plants"
            " need, 1 robot, and beds for 5."
        )

    def entry(self, scene: Scene, move: Move) -> MenuEntry:
        if move.verb == "power":
            cities = int(str(move).split()[1])
            earns = f"earns {view_of(scene)['payment'][cities]}"
            return MenuEntry("", move, Text(f"power {many(cities, 'city', 'cities')}"), earns)
        if move.verb in LEAVES:
            entry = super().entry(scene, move)
            note = ", ".join(filter(None, (entry.note, LEAVES[move.verb])))
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
            slot = Text(f"{about['slot']} ", "dim")
            if about["building"] is not None:
                slot = Text.assemble(f"{about['slot']} ", seat_mark(about["building"]))
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
        text = many(card["places"], "bed", "beds")
    else:
        text = card["name"] or plain(card["technology"])
    return Text.assemble((card["card"], "bold"), f" {text}")


def market_table(view: OutpostView) -> RenderableType:
    market = view["market"]
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(style="dim", no_wrap=True)
    table.add_column()
    for title, places in (("on offer", market["current"]), ("coming", market["future"])):
        cells = [place_text(place) for place in places]
        if market["step3"] and title == "coming":
            cells.append(Text("Step 3", "bold"))
        if cells:
            table.add_row(title, Flow(cells, gap=3))
    back = f", a {market['back']} on top" if market["back"] else ""
    step = f"Step 2 at {view['step_2_cities']} cities, " if view["step"] == 1 else ""
    deck = f"{many(market['deck'], 'card', 'cards')}{back}"
    table.add_row("deck", Text(f"{deck}; {step}last round at {view['end_cities']} cities", "dim"))
    return table


def place_text(place: PlaceView) -> Text:
    text = card_text(place["card"])
    if place["below"]:
        text.append(f" on {len(place['below'])} more")
    if place["minimum"] != place["card"]["number"]:
        text.append(f" from {place['minimum']}", "bold green")
    return text


def labour_text(view: OutpostView) -> Text:
    labour = view["labour"]
    prices = labour["prices"]
    each = ", ".join(f"{prices.count(price)} for {price}" for price in sorted(set(prices)))
    robots = f"; {many(view['robots'], 'robot', 'robots')} left to make"
    return Text.assemble(("workers    ", "dim"), f"{each or 'none left'}{robots}")


def players_table(scene: Scene) -> Table:
    view = view_of(scene)
    table = players_frame("cards, + in the pool", "workers", "cities", "energy")
    for seat in view["order"]:
        table.add_row(name_in_order(view, seat), *company_cells(view["players"][seat]))
    if syndicate := view["syndicate"]:
        name = Text.assemble("  ", seat_mark(SYNDICATE), " the Syndicate")
        table.add_row(name, *company_cells(syndicate))
    return table


def company_cells(company: CompanyView) -> list[RenderableType]:
    cards = [card_text(card) for card in [*company["plants"], *company["habitats"]]]
    cards += [Text.assemble(("+ ", "dim"), card_text(card)) for card in company["pool"]]
    robots = f" +{company['robots']}r" if company["robots"] else ""
    beds = many(company["beds"], "bed", "beds")
    return [
        Text(money_text(company["money"])),
        Flow(cards or [Text("-", "dim")]),
        Text(f"{company['humans']}/{company['need']}{robots}, {beds}"),
        Text(str(company["network"])),
        Text(str(company["energy"])),
    ]
