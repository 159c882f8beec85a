"""Shared by the renderers: the auction, running plants, numbered menu entries."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar

from rich.console import Group, RenderableType
from rich.text import Text

from highvoltage import words
from highvoltage.engine.cards import label
from highvoltage.engine.moves import Bid, Move, Nominate, Run, Scrap
from highvoltage.text.narration import fuel_amount, fuel_name, sentence
from highvoltage.text.show import Menu, MenuEntry, Scene
from highvoltage.text.show.generic import LAST, GenericRenderer, either, header, menu_table
from highvoltage.text.show.parts import (
    HYBRID,
    STORED_PREFIX,
    letter,
    plant_text,
    seat_name,
    seats_text,
)
from highvoltage.views import View
from highvoltage.words import say

Card = Mapping[str, Any]
RUNS_SHOWN = 9


class AuctionRenderer(GenericRenderer):
    """A game in which cards are sold by auction."""

    card: ClassVar[str] = "plant"  # what is sold

    # To be defined or overridden for a family

    def parts(self, scene: Scene) -> list[RenderableType]:
        """The parts of the table, market first."""
        raise NotImplementedError

    def market(self, scene: Scene) -> RenderableType:
        raise NotImplementedError

    def on_offer(self, view: View) -> list[Card]:
        cards: list[Card] = view["market"]["current"]
        return cards

    def card_text(self, card: Card) -> Text:
        return plant_text(card)

    def card_words(self, card: Card) -> str:
        return f"{burns(card)}, {yields(card)}"

    # The same for all families

    def position(self, scene: Scene) -> RenderableType:
        parts = self.parts(scene)
        if auction := self.auction(scene):
            parts.append(auction)
        return Group(header(scene), *(line for part in parts for line in (part, "")))

    def focus(self, scene: Scene) -> RenderableType | None:
        bidding = self.auction(scene)
        if bidding is None or scene.view["auction"]["card"]:
            return bidding
        return Group(self.market(scene), bidding)

    def auction(self, scene: Scene) -> Text | None:
        """Who bids for what, or who may still buy."""
        view = scene.view
        auction = view["auction"]
        if view["phase"] != "auction":
            return None
        names = view["names"]
        if auction["card"] is None or auction["scrapping"] is not None:
            left = seats_text(names, auction["eligible"]) or Text("-")
            return Text.assemble((f"{say('terminal_may_buy')}: ", "dim"), left)
        others = [seat for seat in auction["bidders"] if seat != auction["leader"]]
        return Text.assemble(
            self.card_text(find(self.on_offer(view), auction["card"])),
            f", {say('terminal_bid_by', bid=auction['bid'])} ",
            seat_name(names, auction["leader"]),
            (f"   {say('terminal_still_bidding')}: ", "dim"),
            seats_text(names, others),
        )

    def prompt(self, scene: Scene) -> str:
        view = scene.view
        verbs = {move.verb for move in scene.legal.choices}
        of_cards = "" if self.card == "plant" else "_card"
        if "nominate" in verbs:
            forced = "" if "pass" in verbs else f" {self.must_buy(view)}"
            return f"{sentence(say(f'turn_you_nominate{of_cards}'))}{forced} {in_hand(scene)}"
        if "bid" in verbs:
            card, bid = view["auction"]["card"], view["auction"]["bid"]
            card_name = self.narrator(view, {}).card(card)
            request = say(f"turn_you_bid{of_cards}", card=card_name, bid=bid)
            return f"{sentence(request)} {in_hand(scene)}"
        if "scrap" in verbs:
            return sentence(say("turn_you_scrap"))
        return super().prompt(scene)

    def must_buy(self, view: View) -> str:
        return words.find("refused_must_buy", {}, view["rulebook"]) or ""

    def syntax_help(self, scene: Scene) -> list[tuple[str, str]]:
        example = next(iter(self.on_offer(scene.view)), {"card": "13"})["card"]
        rulebook = scene.view["rulebook"]
        nominate = words.find("terminal_do_nominate", {"card": example}, rulebook)
        return [
            (either(example, f"nominate {example}"), nominate or ""),
            (f"`{example} 12`", say("terminal_do_open", bid=12)),
            (either("25", "bid 25"), say("terminal_bid", bid=25)),
            ("`max 30`, `max 13 30`", say("terminal_do_max", limit=30, card=13)),
            (either("p", "pass"), say("terminal_do_pass")),
        ]

    def menu(self, scene: Scene) -> Menu:
        entries = list(numbered(self.entry(scene, move) for move in scene.legal.choices))
        entries.sort(key=lambda entry: entry.move.verb in LAST)
        return Menu(entries, menu_table(entries), "")

    def entry(self, scene: Scene, move: Move) -> MenuEntry:
        view = scene.view
        if isinstance(move, Nominate):
            card = find(self.on_offer(view), label(move.card))
            return MenuEntry(
                card["card"], move, Text(say("terminal_from", bid=move.bid)), self.card_words(card)
            )
        if isinstance(move, Bid):
            most = next(span.high for span in scene.legal.spans if move in span)
            note = "" if most == move.bid else say("terminal_up_to", most=most)
            return MenuEntry(str(move.bid), move, Text(say("terminal_bid", bid=move.bid)), note)
        if isinstance(move, Scrap):
            plant = find(view["players"][view["to_move"]]["plants"], label(move.card))
            fuel = ", ".join(fuel_amount(count, kind) for kind, count in move.returned)
            note = say("returning", fuel=fuel) if fuel else ""
            gives_up = Text(f"{say('do_scrap_short')} ")
            return MenuEntry("", move, gives_up + self.card_text(plant), note)
        if move.verb in LAST:
            leaves = words.find(f"terminal_leave_{view['phase']}", {}) or say("terminal_do_done")
            return MenuEntry(move.verb, move, Text(leaves), "")
        return MenuEntry("", move, Text(str(move)), cost_note(scene, move))


def cost_note(scene: Scene, move: Move) -> str:
    return say("terminal_costs", cost=scene.costs[move]) if move in scene.costs else ""


def burns(card: Card) -> str:
    """What a plant burns in one run."""
    if "mine" in card:
        return say("mine")
    if not card["fuels"]:
        return say("fuel_none")
    first, *others = card["fuels"]
    fuel = [fuel_amount(card["need"], first), *map(fuel_name, others)]
    return say("terminal_burns", fuel=f" {say('terminal_or')} ".join(fuel))


def in_hand(scene: Scene) -> str:
    """The money of the seat to move."""
    view = scene.view
    return say("terminal_money", money=view["players"][view["to_move"]]["money"])


def fuel_signs(plant: str, fuels: Iterable[str], *mixed: str) -> str:
    """An example of a plant, and the letters for fuels; `mixed` is what hybrids burn."""
    kinds = dict.fromkeys(fuel.removeprefix(STORED_PREFIX) for fuel in fuels)
    letters = [f"{letter(fuel)} {fuel_name(fuel)}" for fuel in kinds]
    hybrid = f" {say('terminal_or')} ".join(map(fuel_name, mixed))
    return f"{plant}\n{', '.join(letters)}, {HYBRID[0]} {hybrid}, eco {say('fuel_none')}."


def find(cards: Iterable[Card], card: str) -> Card:
    return next(each for each in cards if each["card"] == card)


def yields(card: Card) -> str:
    if "mine" in card:
        return say("mine_sells", count=card["mine"])
    if "powers" in card:
        return say("terminal_powers", count=card["powers"])
    return say("terminal_earns", income=card["income"])


def numbered(entries: Iterable[MenuEntry]) -> Iterable[MenuEntry]:
    """The entries, with a number as the key of those that have none."""
    number = 0
    for entry in entries:
        if entry.key:
            yield entry
        else:
            number += 1
            yield entry._replace(key=str(number))


def run_menu(scene: Scene, earned: Callable[[list[Card]], tuple[int, str]]) -> Menu:
    """The runs, those that earn most first, and among those the ones that burn least.

    `earned` returns what running some plants earns, and its description.
    """
    me = scene.view["players"][scene.view["to_move"]]
    plants = {plant["card"]: plant for plant in me["plants"]}
    runs = []
    for run in scene.legal.choices:
        if isinstance(run, Run):
            pay, said = earned([plants[label(card)] for card, _ in run.plants])
            spent = burned(run, plants)
            fuel = ", ".join(fuel_amount(count, kind) for kind, count in spent.items())
            burns = say("terminal_burns", fuel=fuel) if fuel else say("fuel_none")
            runs.append((-pay, sum(spent.values()), run, f"{said}, {burns}"))
    runs.sort(key=lambda each: each[:2])
    entries = [
        MenuEntry(str(number), run, Text(str(run)), note)
        for number, (_, _, run, note) in enumerate(runs, 1)
    ]
    hidden = len(entries) - RUNS_SHOWN
    hint = say("terminal_more", count=hidden) if hidden > 0 else ""
    return Menu(entries, menu_table(entries[:RUNS_SHOWN]), hint)


def burned(run: Run, plants: Mapping[str, Card]) -> dict[str, int]:
    total: dict[str, int] = {}
    for card, mix in run.plants:
        plant = plants[label(card)]
        for fuel in mix or plant["fuels"][:1] * plant["need"]:
            total[fuel] = total.get(fuel, 0) + 1
    return total
