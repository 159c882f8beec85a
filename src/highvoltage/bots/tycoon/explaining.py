"""What the tycoon says of a position besides its move: its chance, and what stands in its way.

Its network gives no reasons. These are facts of the view that any player can check.
"""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from highvoltage.bots.protocol import Values
from highvoltage.bots.tycoon.evaluation import Evaluation
from highvoltage.views import View
from highvoltage.views.reasons import ENDS_SOON, FUEL_SHORT, SEES_CHANCES

SOON = 3  # cities that the largest rival lacks to end the game
BEFORE_RUNNING = {"auction", "fuel"}  # phases in which fuel can still be had for the next run


def explain(view: View, evaluation: Evaluation) -> Values:
    """Values that add sentences to a reason."""
    return chances(view, evaluation) | near_end(view) | fuel_short(view)


def chances(view: View, evaluation: Evaluation) -> Values:
    """The network's chance for its seat, and that of the strongest rival."""
    mine, *others = sorted(
        range(len(view["players"])),
        key=lambda seat: (seat != view["seat"], -evaluation.win_chances[seat]),
    )
    own, theirs = (round(100 * evaluation.win_chances[seat]) for seat in (mine, others[0]))
    return {SEES_CHANCES: own, "rival": view["names"][others[0]], "rival_chance": theirs}


def near_end(view: View) -> Values:
    """The rival with most cities, if few are lacking to end the game."""
    if "end_cities" not in view:  # the Card Game ends with a card
        return {}
    rivals = [player for player in view["players"] if player["seat"] != view["seat"]]
    largest = max(rivals, key=lambda player: len(player["cities"]))
    built = len(largest["cities"])
    if view["end_cities"] - built > SOON:
        return {}
    return {ENDS_SOON: built, "ender": view["names"][largest["seat"]], "end": view["end_cities"]}


def fuel_short(view: View) -> Values:
    """The fuel of one's own plants that is scarcest, if the market cannot fill everybody's plants.

    Hybrids are left out: they may burn the other fuel.
    """
    if view["phase"] not in BEFORE_RUNNING or view["family"] == "outpost":
        return {}
    needs = [lacking(player) for player in view["players"]]
    wanted = sum(needs, Counter[str]())
    short = {
        fuel: (on_market(view, fuel), wanted[fuel])
        for fuel in needs[view["seat"]]
        if on_market(view, fuel) < wanted[fuel]
    }
    if not short:
        return {}
    fuel = min(short, key=lambda fuel: short[fuel][0] - short[fuel][1])
    return {FUEL_SHORT: short[fuel][0], "fuel": fuel, "wanted": short[fuel][1]}


def lacking(player: Mapping[str, Any]) -> Counter[str]:
    """What a player still needs to run every plant of a single fuel once."""
    burned = Counter[str]()
    for plant in player["plants"]:
        if len(plant["fuels"]) == 1:
            burned[plant["fuels"][0]] += plant["need"]
    return burned - Counter(player["fuel"])


def on_market(view: View, fuel: str) -> int:
    """Tokens or units of a fuel that are for sale."""
    if view["family"] == "board":
        stock: int = view["fuel"][fuel]["stock"]
        return stock
    columns = view["fuel"]["columns"]
    return sum(card["units"] for column in columns for card in column if card["fuel"] == fuel)
