"""The table of the games on a map: plants, fuel, companies, cities."""

from collections.abc import Iterator, Mapping
from typing import Any, cast

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from highvoltage.engine.moves import Build, Buy, CityMove, Run, Sell, Start
from highvoltage.text.narration import Narrator, fuel_name, market_name, region_name, sentence
from highvoltage.text.notation import fold
from highvoltage.text.show import Menu, MenuEntry, Scene
from highvoltage.text.show.common import (
    AuctionRenderer,
    Card,
    cost_note,
    fuel_signs,
    in_hand,
    run_menu,
)
from highvoltage.text.show.generic import LAST, either, menu_table
from highvoltage.text.show.parts import (
    STORED_PREFIX,
    Flow,
    fuel_text,
    held_text,
    letter,
    money_text,
    mover,
    name_in_order,
    plant_text,
    players_frame,
    seat_mark,
)
from highvoltage.views import BoardView, CardGameView, View
from highvoltage.views.board import FuelView, Shelves, income
from highvoltage.words import label, say

CARTEL = -1  # its seat in a view
ON_OFFER, COMING = "terminal_on_offer", "terminal_coming"
LAST_CARDS = {"end": "end_next", "step3": "step3_card"}  # by their backs
MAX_DRAWN = 4  # tokens at one price
DEARER_SHOWN = 4
REQUESTS = {
    "run": "turn_you_bureaucracy",
    "market": "pick_market",
    "sell": "turn_you_sell",
    # before the first round
    "region": "turn_you_regions",
    "place": "turn_you_cartel",
    "mark": "turn_you_marks",
}


def view_of(scene: Scene) -> BoardView:
    """The view with its type: renderers are chosen by the family of the view."""
    return cast("BoardView", scene.view)


class BoardRenderer(AuctionRenderer):
    """Renders the games on a map within 80 columns."""

    def narrator(self, view: View, places: Mapping[str, str]) -> Narrator:
        return Narrator(view["names"], places, list(view["fuel"]), "cartel")

    def parts(self, scene: Scene) -> list[RenderableType]:
        return [self.market(scene), fuel_tables(view_of(scene)), players_table(scene)]

    def market(self, scene: Scene) -> RenderableType:
        return market_table(view_of(scene))

    def focus(self, scene: Scene) -> RenderableType | None:
        return (
            fuel_tables(view_of(scene))
            if view_of(scene)["phase"] == "fuel"
            else super().focus(scene)
        )

    def prompt(self, scene: Scene) -> str:
        view = view_of(scene)
        if view["phase"] == "fuel" and "market" not in {m.verb for m in scene.legal.choices}:
            return f"{sentence(say('turn_you_fuel'))} {in_hand(scene)}"
        if view["phase"] == "building":
            return f"{sentence(say('turn_you_building'))} {in_hand(scene)}"
        verbs = {move.verb for move in scene.legal.choices} & REQUESTS.keys()
        return sentence(say(REQUESTS[verbs.pop()])) if verbs else super().prompt(scene)

    def menu(self, scene: Scene) -> Menu:
        kinds = {type(move) for move in scene.legal.choices}
        if any(issubclass(kind, CityMove) for kind in kinds):
            return city_menu(scene)
        if Buy in kinds:
            return buy_menu(scene)
        if Sell in kinds:
            return sell_menu(scene)
        if Run in kinds:
            return run_menu(scene, lambda plants: earned(view_of(scene), plants))
        return super().menu(scene)

    def syntax_help(self, scene: Scene) -> list[tuple[str, str]]:
        regions = view_of(scene)["regions"]
        city, other, *_ = (p.name for p in scene.places.values() if p.region in regions)
        return [
            *super().syntax_help(scene),
            (either("c3", "3 coal", "buy coal 3"), say("terminal_do_buy")),
            ("`c3 o2`", say("terminal_do_buy_both")),
            (either(city.casefold(), f"build {fold(city)[:3]}"), say("terminal_do_build")),
            (f"`build {city.casefold()}, {other.casefold()}`", say("terminal_do_build_several")),
            *[
                (f"`start {scene.places[start].name.casefold()}`", say("terminal_do_start"))
                for start in [*view_of(scene).get("start", ())][:1]
            ],
            ("`run 5:coal,oil 13`", say("terminal_do_run")),
            (either("d", "done"), say("terminal_do_done")),
        ]

    def legend(self, scene: Scene) -> str:
        return fuel_signs(say("terminal_legend"), view_of(scene)["fuel"], "coal", "oil")

    def map(self, scene: Scene) -> RenderableType:
        """Every city in play, who is there, and its connections."""
        view = view_of(scene)
        free = not any(cost for place in scene.places.values() for _, cost in place.links)
        table = Table.grid(padding=(0, 2, 0, 0))
        table.add_column(no_wrap=True)
        table.add_column(no_wrap=True)
        table.add_column(style="dim")
        for region in view["regions"]:
            table.add_row(Text(region_name(region, scene.region_names), "bold"), "", "")
            for city, place in scene.places.items():
                if place.region == region:
                    links = (
                        scene.places[other].name + ("" if free else f" {cost}")
                        for other, cost in place.links
                        if scene.places[other].region in view["regions"]
                    )
                    table.add_row(f"  {place.name}", site(view, city), ", ".join(links))
        return table


def earned(view: BoardView, plants: list[Card]) -> tuple[int, str]:
    """What running these plants earns the seat to move."""
    cities = len(view["players"][mover(view)]["cities"])
    supplied = min(cities, sum(plant["powers"] for plant in plants))
    pay = income(view, mover(view), supplied)
    powers, earns = say("terminal_powers", count=supplied), say("terminal_earns", income=pay)
    return pay, f"{powers}, {earns}"


# Parts of the table


def market_table(view: BoardView) -> RenderableType:
    market = view["market"]
    deck = say("terminal_cards", count=market["deck"]) + back_note(market.get("back"))
    waits = view["step"] == 1 and view["step_2_cities"]
    step = say("terminal_step_2", cities=view["step_2_cities"]) + ", " if waits else ""
    last = say("terminal_last_round", cities=view["end_cities"])
    notes = [f"{say('terminal_deck'):<10} {deck}; {step}{last}"]
    last_card = say("step", step=3) if market["step3"] else ""
    notes += demolition_note(view) + mines_note(view) + outage_note(view)
    return market_rows(market, last_card, notes)


def back_note(back: str | None) -> str:
    """What the back of the top card of the deck says, where it says something."""
    return f", {label(LAST_CARDS.get(back, f'back_{back}'), back)}" if back else ""


def market_rows(market: Mapping[str, Any], last: str, notes: list[str]) -> RenderableType:
    """The plants on offer and the future ones; `last` is the Step 3 or END card, if it is there."""
    table = Table.grid(padding=(0, 3, 0, 0))
    table.add_column(style="dim", no_wrap=True)
    for title, plants in ((ON_OFFER, market["current"]), (COMING, market["future"])):
        cells = [market_plant(plant, market.get("discount")) for plant in plants]
        if last and title == COMING:
            cells.append(Text(last, "bold"))
        if cells:
            table.add_row(say(title), *cells)
    return Group(table, *(Text(note, "dim") for note in notes))


def demolition_note(view: BoardView | CardGameView) -> list[str]:
    """What a plant given up pays now, if that expansion is played."""
    if "demolition" not in view:
        return []
    stack = view["demolition"]
    first, later = stack["stack"][0]
    if stack["paid"]:
        pays = say("demolition_next", amount=later)
    else:
        pays = say("demolition_first", first=first, next=later)
    doubt = f"; {say('terminal_amounts_reconstructed')}" if stack["reconstructed"] else ""
    return [f"{say('demolition'):<10} {pays}{doubt}"]


def mines_note(view: BoardView) -> list[str]:
    """What mines sell for now."""
    if "mines" not in view:
        return []
    price, used = view["mines"]["price"], view["mines"]["used"]
    sells = say("mines_full") if price is None else say("mines_price", price=price)
    return [f"{say('mines'):<10} {sells}; {say('mines_used', count=used)}"]


def outage_note(view: BoardView) -> list[str]:
    """How many houses may still be built before all incomes are lowered."""
    if "outage" not in view:
        return []
    return [f"{say('outage'):<10} {say('outage_count', **view['outage'])}"]


def market_plant(plant: Mapping[str, Any], discount: str | None) -> Text:
    text = plant_text(plant)
    return (
        text + Text(f" {say('terminal_from', bid=1)}", "bold green")
        if plant["card"] == discount
        else text
    )


def fuel_tables(view: BoardView) -> RenderableType:
    """The fuel market; if there are several, each with its name."""
    markets = view.get("markets", {"": view["fuel"]})
    tables = [fuel_table(shelves, name) for name, shelves in markets.items()]
    return Group(*tables, *(Text(note, "dim") for note in fuel_notes(view)))


def fuel_notes(view: BoardView) -> list[str]:
    """Limits on buying fuel."""
    found = []
    if "max_price" in view:
        found.append(say("fuel_max_price", price=view["max_price"], step=view["step"]))
    if "tokens_a_turn" in view:
        found.append(say("fuel_tokens_a_turn", count=view["tokens_a_turn"]))
    return [" · ".join(found)] if found else []


def fuel_table(fuels: Shelves, name: str = "") -> Table:
    """The ladder: how much fuel is at each price, the total, and the next refill."""
    fuels = {fuel: shelf for fuel, shelf in fuels.items() if shelf["ladder"]}
    prices = sorted({price for fuel in fuels.values() for price in fuel["ladder"]})
    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0), header_style="dim")
    market = market_name(name) if name else say("terminal_column_fuel")
    table.add_column(say("terminal_fuel_at", market=market), style="dim", no_wrap=True)
    for price in prices:
        table.add_column(str(price), no_wrap=True)
    table.add_column(say("terminal_left"), justify="right")
    table.add_column(say("terminal_new"), justify="right", style="dim")
    for fuel, shelf in fuels.items():
        cells = [shelf_text(fuel, shelf, price) for price in prices]
        table.add_row(fuel_name(fuel), *cells, str(len(shelf["prices"])), f"+{shelf['refill']}")
    return table


def shelf_text(fuel: str, shelf: FuelView, price: int) -> Text:
    """The tokens and the empty spaces at one price."""
    places = shelf["ladder"].count(price)
    count = shelf["prices"].count(price)
    fuel = fuel.removeprefix(STORED_PREFIX)
    if count > max(places, MAX_DRAWN):  # beyond the market, from the supply
        return Text.assemble((str(count), "bold"), fuel_text(fuel))
    return fuel_text(fuel, count) + Text("·" * (places - count), "dim")


def players_table(scene: Scene) -> Table:
    view = view_of(scene)
    table = players_frame("plants", "fuel", "cities", "power")
    for seat in view["order"]:
        player = view["players"][seat]
        table.add_row(
            name_in_order(view, seat),
            money_text(player["money"]),
            plants_text(player),
            held_text(player["fuel"]),
            str(len(player["cities"])),
            str(sum(plant["powers"] for plant in player["plants"])),
        )
    if cartel := view.get("cartel"):
        name = Text.assemble("  ", seat_mark(CARTEL), f" {say('cartel')}")
        houses_left = say("cartel_houses", count=cartel["reserve"])
        table.add_row(name, "", plants_text(cartel), held_text(cartel["fuel"]), houses_left, "")
    return table


def plants_text(owner: Mapping[str, Any]) -> Flow:
    """The plants of a company, on a second line if needed."""
    cards = [*owner["plants"], *owner.get("mines", ())]
    return Flow([plant_text(card) for card in cards] or [Text("-", "dim")])


def site(view: BoardView, city: str) -> Text:
    """Who is in a city, and what its next house costs where the city has its own slots."""
    if city in view.get("blocked", ()):
        return Text("x", "dim")
    built, own = houses(view, city), view.get("slots", {}).get(city, [])
    left = own[len(view["houses"].get(city, [])) :]
    opened = [str(slot["cost"]) for slot in left if slot["step"] <= view["step"]]
    return Text(" ").join([part for part in (built, Text("".join(opened[:1]), "dim")) if part])


def houses(view: BoardView, city: str) -> Text:
    return Text("").join([seat_mark(seat) for seat in view["houses"].get(city, [])])


# Menus


def city_rows(scene: Scene) -> Iterator[tuple[str, list[CityMove]]]:
    """The cities to choose from, by region, cheapest first; then starts of a new network."""
    choices = [move for move in scene.legal.choices if isinstance(move, CityMove)]
    choices.sort(key=lambda move: scene.costs.get(move, 0))
    starts: list[CityMove] = [move for move in choices if isinstance(move, Start)]
    others = [move for move in choices if move not in starts]
    for region in view_of(scene)["regions"]:
        yield (
            region_name(region, scene.region_names),
            [each for each in others if scene.places[each.city].region == region],
        )
    yield say("terminal_new_network"), starts


def city_menu(scene: Scene) -> Menu:
    """The cities to choose from, and what each of them costs."""
    entries: list[MenuEntry] = []
    lines = Table.grid(padding=(0, 2, 0, 0))
    lines.add_column(style="dim", no_wrap=True)
    lines.add_column()
    for row, moves in city_rows(scene):
        cells = []
        for move in moves:
            name = Text(scene.places[move.city].name)
            note = cost_note(scene, move)
            entries.append(MenuEntry(str(len(entries) + 1), move, name, note))
            cells.append(city_cell(scene, entries[-1], move))
        if cells:
            lines.add_row(row, Flow(cells))
    others = [move for move in scene.legal.choices if move.verb in LAST]
    last = [MenuEntry(move.verb, move, Text(say("terminal_leave_building")), "") for move in others]
    if dearer := too_dear(scene):
        lines.add_row(say("terminal_too_dear"), dearer)
    if not entries:
        return Menu(last, Group(menu_table(last), lines), "")
    ends = f"; {say('terminal_done_ends')}" if last else "."
    hint = f"{say('terminal_city_keys')}{ends}"
    return Menu([*entries, *last], lines, hint)


def too_dear(scene: Scene) -> Text | None:
    """The cheapest cities that the player cannot afford."""
    connect = view_of(scene)["connect"]
    payable = {move.city for move in scene.costs if isinstance(move, Build)}
    left = sorted((cost, city) for city, cost in connect.items() if city not in payable)
    if not left or view_of(scene)["phase"] != "building":
        return None
    shown = [f"{scene.places[city].name} {cost}" for cost, city in left[:DEARER_SHOWN]]
    return Text(", ".join(shown), "dim")


def city_cell(scene: Scene, entry: MenuEntry, move: CityMove) -> Text:
    cell = Text.assemble((entry.key, "bold cyan"), f" {entry.what.plain}")
    if move in scene.costs:
        cell.append(f" {scene.costs[move]}", "bold")
    marks = houses(view_of(scene), move.city)
    return Text.assemble(cell, " ", marks) if marks else cell


def sell_menu(scene: Scene) -> Menu:
    pays = say("terminal_earns", income=view_of(scene)["mines"]["pays"])
    sell, done = scene.legal.choices
    entries = [
        MenuEntry("sell", sell, Text(say("do_sell_uranium")), pays),
        MenuEntry("done", done, Text(say("do_sell_nothing")), ""),
    ]
    return Menu(entries, menu_table(entries), "")


def buy_menu(scene: Scene) -> Menu:
    """For each fuel, what every amount costs; `c3` buys 3 coal."""
    view = view_of(scene)
    entries: list[MenuEntry] = []
    lines = Table.grid(padding=(0, 2, 0, 0))
    lines.add_column(style="dim", no_wrap=True)
    lines.add_column()
    room = view["players"][mover(view)]["room"]
    for fuel in view["fuel"]:
        cells = []
        kind = fuel.removeprefix(STORED_PREFIX)
        sign = "s" * (kind != fuel) + letter(kind).lower()
        for move in scene.legal.choices:
            if isinstance(move, Buy) and move.fuel == fuel:
                cost = scene.costs[move]
                key = f"{sign}{move.count}"
                what = fuel_text(kind, move.count)
                entries.append(MenuEntry(key, move, what, say("terminal_costs", cost=cost)))
                cells.append(Text.assemble((key, "bold cyan"), " ", str(cost)))
        if cells:
            there = say("terminal_room", fuel=fuel_name(fuel), room=room[kind])
            lines.add_row(there, Flow(cells, gap=3))
    done = MenuEntry("done", scene.legal.choices[-1], Text(say("terminal_leave_fuel")), "")
    if not entries:
        return Menu([done], menu_table([done]), "")
    hint = f"{say('terminal_fuel_keys')}; {say('terminal_done_ends')}"
    return Menu([*entries, done], lines, hint)
