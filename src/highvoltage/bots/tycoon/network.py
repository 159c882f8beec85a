"""The network of the tycoon: it reads cities as rows, so one set of weights plays any map.

The same lines run with NumPy at the table and with JAX where it learns: `xp` is one or the other.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from highvoltage.codec.actions import SHARED
from highvoltage.codec.board.layout import PARTS, REGIONS, SEATS, SLOTS, action_heads
from highvoltage.codec.plants import MIXES

Weights = Mapping[str, Any]  # arrays of NumPy or of JAX, by name
Seen = Mapping[str, Any]  # an observation of the codec; many at once have leading axes

CITY = 64  # what is made of a city
WIDTH = 512  # what is made of the whole
LAYERS = 3
NEVER = -1e9


def shapes() -> dict[str, tuple[int, ...]]:
    """The weights by name: matrices end in `.w`, biases in `.b`, gains in `.g`."""
    flat = sum(int(np.prod(part.shape)) for part in PARTS if part.name != "cities")
    columns = next(part for part in PARTS if part.name == "cities").shape[-1]
    heads = {name: size for name, size, _ in (*SHARED, *action_heads(1))}
    plain = sum(heads.values()) - heads["city"] - heads["run"]
    sizes = {
        "city": (columns, CITY),
        "layer0": (flat + 2 * CITY, WIDTH),
        **{f"layer{i}": (WIDTH, WIDTH) for i in range(1, LAYERS)},
        "plain": (WIDTH, plain),
        "run": (WIDTH, (SLOTS - 1) * MIXES),
        "value": (WIDTH, SEATS),
        "city_place": (CITY, CITY),
        "city_mind": (WIDTH, CITY),
        "city_wish": (CITY, 1),
    }
    found: dict[str, tuple[int, ...]] = {}
    for name, (rows, width) in sizes.items():
        found[f"{name}.w"] = (rows, width)
        found[f"{name}.b"] = (width,)
        if name.startswith("layer"):
            found[f"{name}.g"] = (width,)
    return found


def forward(weights: Weights, seen: Seen, plants: int, xp: Any = np) -> tuple[Any, Any]:
    """A logit for every index of the action code, and for every seat its chance to win.

    `plants` is how many a player may keep, for the code of runs grows with it. The chances begin
    with the viewer's seat.
    """
    there = seen["cities"][..., :1]
    cities = xp.maximum(_dense(weights, "city", seen["cities"]), 0) * there
    whole = xp.concatenate(
        [
            *(_flat(seen[part.name], part.shape) for part in PARTS if part.name != "cities"),
            cities.sum(-2) / xp.maximum(there.sum(-2), 1),
            cities.max(-2),
        ],
        -1,
    )
    mind = _layer(weights, "layer0", whole, xp)
    for i in range(1, LAYERS):
        mind = mind + _layer(weights, f"layer{i}", mind, xp)
    return _logits(weights, mind, cities, plants, xp), _chances(weights, mind, seen, xp)


def _logits(weights: Weights, mind: Any, cities: Any, plants: int, xp: Any) -> Any:
    """The heads of the code in their order: a city is asked as a row, a run plant by plant."""
    place = _dense(weights, "city_place", cities)
    wish = xp.maximum(place + _dense(weights, "city_mind", mind)[..., None, :], 0)
    city = _dense(weights, "city_wish", wish)[..., 0]
    plain = _dense(weights, "plain", mind)
    digits = _dense(weights, "run", mind).reshape(*mind.shape[:-1], SLOTS - 1, MIXES)
    run = digits[..., 0, :]
    for plant in range(1, plants):
        both = digits[..., plant, :, None] + run[..., None, :]
        run = both.reshape(*both.shape[:-2], -1)
    return xp.concatenate([plain[..., :-REGIONS], city, plain[..., -REGIONS:], run], -1)


def _chances(weights: Weights, mind: Any, seen: Seen, xp: Any) -> Any:
    """They add up to one over those who play."""
    worth = xp.where(seen["players"][..., 0] > 0, _dense(weights, "value", mind), NEVER)
    raised = xp.exp(worth - worth.max(-1, keepdims=True))
    return raised / raised.sum(-1, keepdims=True)


def _dense(weights: Weights, name: str, x: Any) -> Any:
    return x @ weights[f"{name}.w"] + weights[f"{name}.b"]


def _layer(weights: Weights, name: str, x: Any, xp: Any) -> Any:
    y = _dense(weights, name, x)
    y = y - y.mean(-1, keepdims=True)
    y = y / xp.sqrt((y * y).mean(-1, keepdims=True) + 1e-5)
    return xp.maximum(y * weights[f"{name}.g"], 0)


def _flat(part: Any, shape: tuple[int, ...]) -> Any:
    return part.reshape(*part.shape[: part.ndim - len(shape)], -1)
