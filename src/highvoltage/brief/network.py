"""The cities in play and what the connections between them cost."""

from collections.abc import Mapping
from typing import Any

from highvoltage.views import View


def network(view: View, board: Mapping[str, Any] | None) -> str:
    """One line for each city in play; `board` is the map as data, where the view has none.

    >>> import highvoltage as hv
    >>> game = hv.new("classic", players=3, seed=1)
    >>> print(network(game.view(), game.rules.ruleset.board()).splitlines()[0])
    osnabrueck (west): muenster 7, kassel 20
    """
    if "connections" in view:
        links = [(link["a"], link["b"], link["cost"]) for link in view["connections"]]
        regions = {city: f"{each['area']}, {each['slot']}" for city, each in view["cities"].items()}
        entry: dict[str, int] = {}
    elif board:
        links = [(a, b, cost) for a, b, cost in board["connections"]]
        played = {each["id"]: each["region"] for each in board["cities"]}
        chosen = view["regions"] or {*played.values()}
        regions = {city: region for city, region in played.items() if region in chosen}
        entry = {each["id"]: each.get("cost", 0) for each in board["cities"]}
    else:
        return "This game has no map."
    near: dict[str, list[str]] = {city: [] for city in regions}
    for a, b, cost in links:
        if a in near and b in near:
            near[a].append(f"{b} {cost + entry.get(b, 0)}")
            near[b].append(f"{a} {cost + entry.get(a, 0)}")
    return "\n".join(f"{city} ({regions[city]}): {', '.join(to)}" for city, to in near.items())
