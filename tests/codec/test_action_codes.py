"""The index of every legal move, computed anew from the view by docs/machines.md."""

import re
from collections import Counter
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from codec.columns import View
from highvoltage import bots, codec
from highvoltage.engine.cards import label
from highvoltage.games import edition
from highvoltage.testing import Setting
from ours import RULEBOOKS, our_settings

DOCS = Path(__file__).parents[2] / "docs" / "machines.md"
SECTIONS = {"cardgame": "The Card Game", "outpost": "Outpost"}
STEPS = (0, 1, 2, 4, 7, 12, 20, 33)
PIECES = ("station", "plant", "habitat")


def firsts(rulebook: str) -> dict[str, int]:
    """The heads as the docs give them, each with its first index."""
    text = DOCS.read_text("utf-8").partition(f"\n## {SECTIONS.get(rulebook, 'The action code')}\n")
    table = text[2].partition("| part |")[0]
    rows = re.findall(r"^\| `(\w+)` \| (\d+) \| \d", table, re.MULTILINE)
    return {name: int(first) for name, first in rows}


def by_step(bid: int, lowest: int, highest: int) -> int:
    """The step of a bid, the lower one where it lies between two; 8 is the highest possible bid."""
    if bid == highest and highest - lowest not in STEPS:
        return 8
    return sum(step <= bid - lowest for step in STEPS) - 1


class Code:
    """The indexes of one game."""

    def __init__(self, setting: Setting, rules: Any) -> None:
        self.first = firsts(setting.rulebook)
        self.rules = rules
        if setting.rulebook in {"classic", "recharged"}:
            self.add_heads_of_the_map(rules.ruleset)
        if setting.rulebook == "outpost":
            faces = sorted((face.number, label(card)) for card, face in rules.faces.items() if face)
            self.deck: list[str] = [card for _, card in faces]

    def add_heads_of_the_map(self, ruleset: Any) -> None:
        own = ruleset.map_rules
        sizes = Counter(city.region for city in ruleset.map.cities)
        area = sum(size for _, size in sizes.most_common(ruleset.regions))
        heads = [
            ("trade", len(own.markets)),
            ("stored", 96 if own.storage else 0),
            ("start", max(49, area) if ruleset.chooses_starts else 0),
            ("sell", int(own.mines is not None)),
            ("more_city", max(0, area - 49)),
            ("more_nominate", 99),
        ]
        at = self.first["run"] + 5 ** (4 if ruleset.plant_limit == 4 else 3)
        for name, size in heads:
            self.first[name] = at
            at += size

    def of(self, view: View, move: Any) -> int:
        index: int = getattr(self, move.verb)(view, view["players"][view["seat"]], move)
        return index

    # All games

    def done(self, *_: Any) -> int:
        return 0

    pass_ = done

    def nominate(self, view: View, own: View, move: Any) -> Any:
        offer, wanted = view["market"]["current"], label(move.card)
        if view["rulebook"] == "outpost":
            place = [each["card"]["card"] for each in offer].index(wanted)
            lowest = offer[place]["minimum"]
        else:
            place = [each["card"] for each in offer].index(wanted)
            discount = view["market"].get("discount") == wanted
            lowest = 1 if discount else offer[place]["number"]
        highest = lowest if len(view["auction"]["eligible"]) == 1 else max(lowest, means(own))
        bid = by_step(move.bid, lowest, highest)
        if place >= 6:
            return self.first["more_nominate"] + 9 * (place - 6) + bid
        return self.first["nominate"] + 9 * place + bid

    def bid(self, view: View, own: View, move: Any) -> Any:
        lowest = view["auction"]["bid"] + 1
        return self.first["bid"] + by_step(move.bid, lowest, max(lowest, means(own)))

    # Plants

    def scrap(self, view: View, own: View, move: Any) -> Any:
        slot = [plant["card"] for plant in own["plants"]].index(label(move.card))
        mixed = first_of_a_hybrid(own)
        return self.first["scrap"] + 7 * slot + dict(move.returned).get(mixed, 0)

    def run(self, view: View, own: View, move: Any) -> Any:
        mixed = first_of_a_hybrid(own)
        slots = [plant["card"] for plant in own["plants"]]
        digits = [(slots.index(label(card)), 1 + mix.count(mixed)) for card, mix in move.plants]
        return self.first["run"] + sum(digit * 5**slot for slot, digit in digits)

    def buy(self, view: View, own: View, move: Any) -> Any:
        if view["rulebook"] == "cardgame":
            kind = ("coal", "gas", "oil", "uranium").index(move.fuel)
            return self.first["buy"] + (kind * 3 + move.units - 1) * 4 + move.column - 1
        head = "stored" if move.fuel.startswith("stored_") else "buy"
        kind = [*own["fuel"]].index(move.fuel.removeprefix("stored_"))
        return self.first[head] + 24 * kind + move.count - 1

    # Boards

    def city(self, view: View, name: str) -> int:
        inside = [c.id for c in self.rules.ruleset.map.cities if c.region in view["regions"]]
        return inside.index(name)

    def build(self, view: View, own: View, move: Any) -> Any:
        if view["rulebook"] == "outpost":
            return (
                self.first["build"]
                + 2 * [*view["cities"]].index(move.city)
                + (move.piece != "station")
            )
        at = self.city(view, move.city)
        return self.first["city"] + at if at < 49 else self.first["more_city"] + at - 49

    mark = syndicate = build

    def start(self, view: View, own: View, move: Any) -> Any:
        return self.first["start"] + self.city(view, move.city)

    def region(self, view: View, own: View, move: Any) -> Any:
        return self.first["region"] + [*self.rules.ruleset.map.regions].index(move.region)

    def market(self, view: View, own: View, move: Any) -> Any:
        return self.first["trade"] + [*view["markets"]].index(move.market)

    def sell(self, *_: Any) -> int:
        return self.first["sell"]

    # Outpost

    def settle(self, view: View, own: View, move: Any) -> Any:
        colony = [*own["colonies"]].index(label(move.card))
        return self.first["settle"] + 3 * colony + PIECES.index(move.piece)

    def place(self, view: View, own: View, move: Any) -> Any:
        if view["rulebook"] != "outpost":
            return self.build(view, own, move)
        card = next(each for each in own["pool"] if each["card"] == label(move.card))
        space = move.space or card["kind"]
        at = self.deck.index(label(move.card))
        return self.first["place"] + 2 * at + ("plant", "habitat").index(space)

    def swap(self, view: View, own: View, move: Any) -> Any:
        plants, habitats = ([card["card"] for card in own[hand]] for hand in ("plants", "habitats"))
        old = label(move.old)
        space = plants.index(old) if old in plants else 4 + habitats.index(old)
        return self.first["swap"] + 45 * space + self.deck.index(label(move.new))

    def hire(self, view: View, own: View, move: Any) -> Any:
        return self.first["hire"] + int(move.count)

    def power(self, view: View, own: View, move: Any) -> Any:
        return self.first["power"] + int(move.count)

    def robot(self, view: View, own: View, move: Any) -> Any:
        return self.first["robot"] + ("human", "robot").index(move.maker)


setattr(Code, "pass", Code.pass_)


def first_of_a_hybrid(own: View) -> str:
    return "gas" if "gas" in own["fuel"] else next(iter(own["fuel"]))


def means(own: View) -> int:
    saves = any(card.get("technology") == "data_library" for card in own.get("pool", ()))
    return int(own["money"]) + 5 * saves


FEW = (
    *("classic-germany-2", "classic-korea-4", "classic-japan-3", "classic-australia-4"),
    *("classic-manhattan-6", "recharged-germany-2", "recharged-south_africa-3"),
    *("recharged-usa-5-standard_starting_cities=True", "classic-usa-5-regions=draft"),
    *("cardgame-4", "outpost-planet-2", "outpost-planet-6"),
)
"""All heads."""
EVERY = {str(each): each for name in RULEBOOKS for each in our_settings(name)}


def compared(name: str, every: int) -> set[str]:
    """Play a game and compare every legal move of some positions; the verbs that came."""
    setting = EVERY[name]
    game = setting.new(4)
    mine = Code(setting, game.rules)
    code = codec.make(setting.rulebook, setting.map, setting.players, **setting.options)
    seated = [bots.make("engineer" if seat else "random", seat) for seat in range(setting.players)]
    came: set[str] = set()
    for at in count():
        if game.to_move is None:
            return came
        if at % every == 1 or game.phase in {"regions", "marks", "cartel", "syndicate"}:
            view: Any = game.view(game.to_move)
            indexes = {mine.of(view, move): move for move in reversed([*game.legal_moves])}
            for index, move in indexes.items():  # the lowest bid of those with one index
                assert code.index(view, move) == index, move
                assert code.move(view, index) == move, move
                came.add(move.verb)
            assert code.mask(view, game.legal_moves).nonzero()[0].tolist() == sorted(indexes)
        game.play(bots.ask(seated[game.to_move], game).move)
    raise AssertionError


def test_every_index_is_what_the_docs_say() -> None:
    came = {verb for name in FEW for verb in compared(name, 4)}
    assert came == {move.verb for name in RULEBOOKS for move in edition(name).rules.moves}


@pytest.mark.long
@pytest.mark.parametrize("name", [name for name in EVERY if name not in FEW])
def test_every_index_on_every_map(name: str) -> None:
    compared(name, 11)
