"""The table of the games that are played on a map: plants, fuel, companies, cities."""

from collections.abc import Iterable, Mapping
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from highvoltage.cli.show import Entry, Menu, Scene
from highvoltage.cli.show.generic import LAST, GenericShow, header, menu_table
from highvoltage.cli.show.parts import (
    Flow,
    fuel_text,
    held_text,
    letter,
    plant_text,
    seat_mark,
    seat_name,
    seats_text,
)
from highvoltage.cli.words import listed, many, plain
from highvoltage.engine.cards import label
from highvoltage.engine.moves import Bid, Build, Buy, Move, Nominate, Region, Run, Scrap

RUNS_SHOWN = 9


class BoardShow(GenericShow):
    """Everything in 80 columns."""

    def fits(self, view: dict[str, Any]) -> bool:
        return {"market", "fuel", "auction", "houses", "connect"} <= view.keys()

    def position(self, scene: Scene) -> RenderableType:
        view = scene.view
        parts = [market_table(view), fuel_table(view), players_table(scene)]
        if auction := auction_text(scene):
            parts.append(auction)
        return Group(header(scene), *(line for part in parts for line in (part, "")))

    def focus(self, scene: Scene) -> RenderableType | None:
        view = scene.view
        if view["phase"] == "auction":
            return Group(market_table(view), auction_text(scene) or "")
        if view["phase"] == "fuel":
            return fuel_table(view)
        return None

    def expects(self, scene: Scene) -> str:
        view, moves = scene.view, scene.legal.choices
        me = view["players"][view["to_move"]]
        verbs = {move.verb for move in moves}
        if "nominate" in verbs:
            or_pass = ", or pass" if "pass" in verbs else " (in the first round you must buy)"
            return f"put a plant up for auction{or_pass}. You have {me['money']}."
        if "bid" in verbs:
            lowest = next(move.bid for move in moves if isinstance(move, Bid))
            card = view["auction"]["card"]
            return f"bid {lowest} or more for plant {card}, or pass. You have {me['money']}."
        if "scrap" in verbs:
            return "you own a plant too many: choose the one to give up."
        if view["phase"] == "fuel":
            return f"buy fuel for your plants, then say done. You have {me['money']}."
        if view["phase"] == "building":
            return f"connect cities, then say done. You have {me['money']}."
        if "run" in verbs:
            return "choose the plants to run."
        if "region" in verbs:
            return "choose a region to play in."
        return super().expects(scene)

    def menu(self, scene: Scene) -> Menu:
        kinds = {type(move) for move in scene.legal.choices}
        if Build in kinds:
            return build_menu(scene)
        if Buy in kinds:
            return buy_menu(scene)
        if Run in kinds:
            return run_menu(scene)
        entries = list(numbered(self.entry(scene, move) for move in scene.legal.choices))
        entries.sort(key=lambda entry: entry.move.verb in LAST)
        return Menu(entries, menu_table(entries), "")

    def entry(self, scene: Scene, move: Move) -> Entry:
        view = scene.view
        if isinstance(move, Nominate):
            plant = find(view["market"]["current"], move.card)
            return Entry(plant["card"], move, Text(f"from {move.bid}"), plant_in_words(plant))
        if isinstance(move, Bid):
            most = next(span.high for span in scene.legal.spans if move in span)
            note = "" if most == move.bid else f"or any amount up to {most}"
            return Entry(str(move.bid), move, Text(f"bid {move.bid}"), note)
        if isinstance(move, Scrap):
            plant = find(view["players"][view["to_move"]]["plants"], move.card)
            fuel = [f"{count} {kind}" for kind, count in move.returned]
            note = f"returns {listed(fuel)}" if fuel else "no fuel is lost"
            return Entry("", move, Text("give up ") + plant_text(plant), note)
        if isinstance(move, Region):
            return Entry("", move, Text(plain(move.region)), "")
        return Entry(move.verb, move, Text(LEAVE.get((view["phase"], move.verb), "")), "")

    def map(self, scene: Scene) -> RenderableType:
        """Every city in play, who is there, and its connections."""
        view = scene.view
        table = Table.grid(padding=(0, 2, 0, 0))
        table.add_column(no_wrap=True)
        table.add_column(no_wrap=True)
        table.add_column(style="dim")
        for region in view["regions"]:
            table.add_row(Text(plain(region), "bold"), "", "")
            for city, place in scene.places.items():
                if place.region == region:
                    links = (
                        f"{scene.places[other].name} {cost}"
                        for other, cost in place.links
                        if scene.places[other].region in view["regions"]
                    )
                    table.add_row(f"  {place.name}", houses(view, city), ", ".join(links))
        return table


LEAVE = {
    ("auction", "pass"): "bid no more",
    ("fuel", "done"): "buy no more",
    ("building", "done"): "build no more",
}


def numbered(entries: Iterable[Entry]) -> Iterable[Entry]:
    """The entries, with a number where no key suggests itself."""
    number = 0
    for entry in entries:
        if entry.key:
            yield entry
        else:
            number += 1
            yield entry._replace(key=str(number))


def find(plants: Iterable[dict[str, Any]], card: int) -> dict[str, Any]:
    return next(plant for plant in plants if plant["card"] == label(card))


def plant_in_words(plant: Mapping[str, Any]) -> str:
    fuel = f"burns {plant['need']} {' or '.join(plant['fuels'])}" if plant["fuels"] else "no fuel"
    return f"{fuel}, supplies {many(plant['powers'], 'city', 'cities')}"


# Parts of the table


def market_table(view: dict[str, Any]) -> RenderableType:
    market = view["market"]
    table = Table.grid(padding=(0, 3, 0, 0))
    table.add_column(style="dim", no_wrap=True)
    for title, plants in (("on offer", market["current"]), ("coming", market["future"])):
        cells = [market_plant(plant, market.get("discount")) for plant in plants]
        if market["step3"] and title == "coming":
            cells.append(Text("Step 3", "bold"))
        if cells:
            table.add_row(title, *cells)
    step = f"Step 2 at {view['step_2_cities']} cities, " if view["step"] == 1 else ""
    deck = (
        f"{many(market['deck'], 'card', 'cards')}; {step}last round at {view['end_cities']} cities"
    )
    return Group(table, Text(f"deck       {deck}", "dim"))


def market_plant(plant: Mapping[str, Any], discount: str | None) -> Text:
    text = plant_text(plant)
    return text + Text(" from 1", "bold green") if plant["card"] == discount else text


def fuel_table(view: dict[str, Any]) -> Table:
    """The ladder: how much lies at each price, what is left, what comes at the end of the round."""
    fuels: Mapping[str, Any] = view["fuel"]
    prices = sorted({price for fuel in fuels.values() for price in fuel["ladder"]})
    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0), header_style="dim")
    table.add_column("fuel at", style="dim", no_wrap=True)
    for price in prices:
        table.add_column(str(price), no_wrap=True)
    table.add_column("left", justify="right")
    table.add_column("new", justify="right", style="dim")
    for fuel, shelf in fuels.items():
        cells = [shelf_text(fuel, shelf, price) for price in prices]
        table.add_row(fuel, *cells, str(len(shelf["prices"])), f"+{shelf['refill']}")
    return table


def shelf_text(fuel: str, shelf: Mapping[str, Any], price: int) -> Text:
    """The tokens at one price and the empty places beside them."""
    places = shelf["ladder"].count(price)
    count = shelf["prices"].count(price)
    if count > places:  # beyond the market, from the supply
        return Text(str(count), "bold") + fuel_text(fuel)
    return fuel_text(fuel, count) + Text("·" * (places - count), "dim")


def players_table(scene: Scene) -> Table:
    view = scene.view
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("  in turn order", no_wrap=True, overflow="ellipsis")
    table.add_column("money", justify="right", no_wrap=True, min_width=5)
    table.add_column("plants", no_wrap=True)
    table.add_column("fuel", no_wrap=True)
    table.add_column("cities", justify="right", no_wrap=True, min_width=6)
    table.add_column("power", justify="right", no_wrap=True, min_width=5)
    for seat in view["order"]:
        player = view["players"][seat]
        table.add_row(
            Text("▶ " if seat == view["to_move"] else "  ") + seat_name(view["names"], seat),
            "hidden" if player["money"] is None else str(player["money"]),
            Text("  ").join([plant_text(plant) for plant in player["plants"]]) or Text("-", "dim"),
            held_text(player["fuel"]),
            str(len(player["cities"])),
            str(sum(plant["powers"] for plant in player["plants"])),
        )
    return table


def auction_text(scene: Scene) -> Text | None:
    """Who bids for what; who may still buy."""
    view = scene.view
    auction = view["auction"]
    if view["phase"] != "auction":
        return None
    names = view["names"]
    if auction["card"] is None or auction["scrapping"] is not None:
        left = seats_text(names, auction["eligible"]) or Text("nobody")
        return Text.assemble(("may still buy: ", "dim"), left)
    others = [seat for seat in auction["bidders"] if seat != auction["leader"]]
    return Text.assemble(
        f"plant {auction['card']}: ",
        (f"{auction['bid']}", "bold"),
        " bid by ",
        seat_name(names, auction["leader"]),
        ("   still bidding: ", "dim"),
        seats_text(names, others),
    )


def houses(view: dict[str, Any], city: str) -> Text:
    return Text("").join([seat_mark(seat) for seat in view["houses"].get(city, [])])


# Menus


def build_menu(scene: Scene) -> Menu:
    """The cities that can be paid, by region, cheapest first."""
    cost = {move.city: cost for move, cost in scene.costs.items() if isinstance(move, Build)}
    cities = [move.city for move in scene.legal.choices if isinstance(move, Build)]
    entries: list[Entry] = []
    lines = Table.grid(padding=(0, 2, 0, 0))
    lines.add_column(style="dim", no_wrap=True)
    lines.add_column()
    for region in scene.view["regions"]:
        here = sorted(
            (city for city in cities if scene.places[city].region == region), key=cost.__getitem__
        )
        first = len(entries)
        for city in here:
            note = f"costs {cost[city]}"
            name = Text(scene.places[city].name)
            entries.append(Entry(str(len(entries) + 1), Build(city), name, note))
        cells = [build_cell(scene, entry, cost) for entry in entries[first:]]
        if cells:
            lines.add_row(plain(region), Flow(cells))
    done = Entry("done", scene.legal.choices[-1], Text("build no more"), "")
    hint = "A number or a name connects a city; done ends your turn."
    return Menu([*entries, done], lines, hint)


def build_cell(scene: Scene, entry: Entry, cost: Mapping[str, int]) -> Text:
    city = entry.move.city if isinstance(entry.move, Build) else ""
    cell = Text.assemble(
        (entry.key, "bold cyan"), f" {entry.what.plain} ", (str(cost[city]), "bold")
    )
    marks = houses(scene.view, city)
    return cell + Text(" ") + marks if marks else cell


def buy_menu(scene: Scene) -> Menu:
    """For each fuel what every count costs; `c3` buys 3 coal."""
    view = scene.view
    entries: list[Entry] = []
    lines = Table.grid(padding=(0, 2, 0, 0))
    lines.add_column(style="dim", no_wrap=True)
    lines.add_column()
    room = view["players"][view["to_move"]]["room"]
    for fuel in view["fuel"]:
        cells = []
        for move in scene.legal.choices:
            if isinstance(move, Buy) and move.fuel == fuel:
                cost = scene.costs[move]
                key = f"{letter(fuel).lower()}{move.count}"
                what = fuel_text(fuel, move.count)
                entries.append(Entry(key, move, what, f"costs {cost}"))
                cells.append(Text.assemble((key, "bold cyan"), " ", str(cost)))
        if cells:
            lines.add_row(f"{fuel}, room for {room[fuel]}", Flow(cells, gap=3))
    done = Entry("done", scene.legal.choices[-1], Text("buy no more"), "")
    hint = "c3 or '3 coal' buys three coal at the cost shown; done ends your turn."
    return Menu([*entries, done], lines, hint)


def run_menu(scene: Scene) -> Menu:
    """The runs that earn most first, and of those the ones that burn least."""
    view = scene.view
    me = view["players"][view["to_move"]]
    plants = {plant["card"]: plant for plant in me["plants"]}

    def powers(run: Run) -> int:
        return sum(int(plants[label(card)]["powers"]) for card, _ in run.plants)

    def supplied(run: Run) -> int:
        return min(len(me["cities"]), powers(run))

    runs = [move for move in scene.legal.choices if isinstance(move, Run)]
    runs.sort(key=lambda run: (-supplied(run), sum(burned(run, plants).values())))
    entries = []
    for number, run in enumerate(runs, 1):
        cities = supplied(run)
        pay = view["payment"][min(cities, len(view["payment"]) - 1)]
        fuel = [f"{count} {kind}" for kind, count in burned(run, plants).items()]
        note = f"supplies {many(cities, 'city', 'cities')}, earns {pay}, burns {listed(fuel)}"
        entries.append(Entry(str(number), run, Text(str(run)), note))
    hidden = len(entries) - RUNS_SHOWN
    hint = f"legal shows {hidden} more." if hidden > 0 else ""
    return Menu(entries, menu_table(entries[:RUNS_SHOWN]), hint)


def burned(run: Run, plants: Mapping[str, Any]) -> dict[str, int]:
    total: dict[str, int] = {}
    for card, mix in run.plants:
        plant = plants[label(card)]
        fuels = mix or plant["fuels"][:1] * plant["need"]
        for fuel in fuels:
            total[fuel] = total.get(fuel, 0) + 1
    return total
