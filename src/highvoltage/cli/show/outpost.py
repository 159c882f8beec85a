"""The table of Outpost: cards of three kinds, workers, buildings on a planet."""

from collections.abc import Mapping
from typing import ClassVar, cast

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from highvoltage.cli.notation import name_words
from highvoltage.cli.show import Menu, MenuEntry, Scene
from highvoltage.cli.show.common import AuctionShow, Card, numbered
from highvoltage.cli.show.generic import LAST, menu_table
from highvoltage.cli.show.parts import Flow, mover, name_in_order, players_frame, purse, seat_mark
from highvoltage.cli.words import Own, Words, many, plain
from highvoltage.engine.events import Area, Hired, Income, Labour, Tokens
from highvoltage.engine.moves import Move
from highvoltage.views import OutpostView, View
from highvoltage.views.outpost import CompanyView, PlaceView

SYNDICATE = -1  # its seat in a view
BUILDS = ("build", "syndicate")
LEAVES = {"hire": "then nothing is built or placed", "robot": "ends your turn"}


def seen(scene: Scene) -> OutpostView:
    """What the seat knows, for renderers are chosen by the family."""
    return cast("OutpostView", scene.view)


class OutpostWords(Words):
    """What only happens on the planet."""

    def say_build(self, move: Move, own: Own) -> str:
        _, piece, city = str(move).split()
        return f"builds a {piece} in {self.place(city)}{self.price(own)}"

    def say_syndicate(self, move: Move, own: Own) -> str:
        _, piece, city = str(move).split()
        return f"chooses {self.place(city)} for a {piece} of the Syndicate"

    def say_settle(self, move: Move, own: Own) -> str:
        return f"settles {self.rest(move)}"

    def say_swap(self, move: Move, own: Own) -> str:
        return f"swaps card {self.rest(move)}"

    def say_place(self, move: Move, own: Own) -> str:
        return f"places card {self.rest(move)}"

    def say_hire(self, move: Move, own: Own) -> str:
        came = own.get("hired")
        hired = came.hired + came.free if isinstance(came, Hired) else int(self.rest(move))
        return f"hires {many(hired, 'worker', 'workers')}{self.price(own)}"

    def say_power(self, move: Move, own: Own) -> str:
        cities = many(int(self.rest(move)), "city", "cities")
        income = own.get("income")
        earns = f" and earns {income.amount}" if isinstance(income, Income) else ""
        return f"powers {cities}{earns}"

    def say_robot(self, move: Move, own: Own) -> str:
        return f"lets a {self.rest(move)} make a robot"

    def tell_hired(self, event: Hired) -> str:
        if event.seat >= 0:
            return ""  # told with the move
        return f"{self.name(event.seat)} hires {many(event.hired, 'worker', 'workers')}"

    def tell_labour(self, event: Labour) -> str:
        return f"there are {many(event.workers, 'worker', 'workers')} on the labour market"

    def tell_tokens(self, event: Tokens) -> str:
        return ""  # they lie on the map

    def tell_area(self, event: Area) -> str:
        return f"played beside the centre: {', '.join(map(plain, event.items))}"


class OutpostShow(AuctionShow):
    """Everything in 80 columns."""

    card: ClassVar[str] = "card"

    def words(self, view: View, places: Mapping[str, str]) -> Words:
        return OutpostWords(view["names"], places, (), "the Syndicate", "card")

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
        view = seen(scene)
        parts = [self.market(scene), labour_text(view), players_table(scene)]
        if view["reconstructed"]:
            parts.append(Text("Cards, map and prices are partly reconstructed.", "dim"))
        return parts

    def market(self, scene: Scene) -> RenderableType:
        return market_table(seen(scene))

    def expects(self, scene: Scene) -> str:
        view = seen(scene)
        verbs = {move.verb for move in scene.legal.choices}
        if verbs & {"nominate", "bid", "scrap"}:
            return super().expects(scene)
        if "syndicate" in verbs:
            return "choose where the Syndicate builds."
        if "power" in verbs:
            return "choose how many cities to power."
        money = view["players"][mover(view)]["money"]
        return f"run your company, then say done. You have {money}."

    def menu(self, scene: Scene) -> Menu:
        """Buildings by kind, each city with its cost; everything else in lines of its own."""
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

    def typed(self, scene: Scene) -> list[tuple[str, str]]:
        city = " ".join(name_words(next(iter(seen(scene)["cities"].values()))["name"]))
        return [
            *super().typed(scene),
            (f"`build station {city}`", "build a station, a plant or a habitat in a city"),
            ("`3 5`", "the third and the fifth of the list"),
            ("`place 23`, `swap 12 for 23`", "place a card of your pool, or exchange 12 for it"),
            ("`hire 3`", "hire three workers"),
            ("`robot human`", "let a worker make a robot"),
            ("`power 4`", "power four cities"),
            ("`d` or `done`", "end the turn"),
        ]

    def signs(self, scene: Scene) -> str:
        return (
            "`23 2w→5` is plant 23: 2 workers make 5 energy; `12 4 beds` a habitat with beds for 4"
            " workers; a technology is called by its name, and `+` stands before cards in the pool,"
            " which are not placed yet. `3/4 +1r, 5 beds` are 3 workers of the 4 that your plants"
            " need, 1 robot, and beds for 5."
        )

    def entry(self, scene: Scene, move: Move) -> MenuEntry:
        if move.verb == "power":
            cities = int(str(move).split()[1])
            earns = f"earns {seen(scene)['payment'][cities]}"
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
        for city, about in seen(scene)["cities"].items():
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
        said = f"{card['workers']}w→{card['energy']}"
    elif card["kind"] == "habitat":
        said = many(card["places"], "bed", "beds")
    else:
        said = card["name"] or plain(card["technology"])
    return Text.assemble((card["card"], "bold"), f" {said}")


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
    view = seen(scene)
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
        Text(purse(company["money"])),
        Flow(cards or [Text("-", "dim")]),
        Text(f"{company['humans']}/{company['need']}{robots}, {beds}"),
        Text(str(company["network"])),
        Text(str(company["energy"])),
    ]
