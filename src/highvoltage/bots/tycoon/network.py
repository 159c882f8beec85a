"""The network of the tycoon, by the parts and heads of a codec.

It reads cities as rows, so one set of weights fits any map; a game without cities has none of that,
and a game without fuel has no runs. Parts and heads that only some maps have, have weights of their
own beside the others, so that what is learned on one map serves on all.
The same code runs with NumPy in play and with JAX in training: `xp` is one or the other.
"""

from collections.abc import Mapping, Sequence
from math import prod
from typing import Any, Protocol

import numpy as np

from highvoltage.codec.board.layout import CITIES
from highvoltage.codec.plants import MIX_CHOICES
from highvoltage.codec.rows import SEATS
from highvoltage.codec.spec import Spec

CITY_WIDTH = 64  # features of a city
WIDTH = 512  # features of the whole position
MAX_WIDE_INPUT = 1500  # a wider input gets fewer features, so that weights stay below 3 MB
NARROW_WIDTH = 448
LAYERS = 3
MASKED_LOGIT = -1e9
CITY_HEADS = {"city", "build"}  # as many actions for every city
MORE_CITIES = {"more_cities", "more_city"}  # rows of cities, and their wishes, like the first ones


class Array(Protocol):
    """The part used here of what arrays of NumPy and of JAX have in common."""

    @property
    def shape(self) -> tuple[int, ...]: ...
    def __getitem__(self, key: Any, /) -> "Array": ...
    def __matmul__(self, other: Any, /) -> "Array": ...
    def __add__(self, other: Any, /) -> "Array": ...
    def __sub__(self, other: Any, /) -> "Array": ...
    def __mul__(self, other: Any, /) -> "Array": ...
    def __truediv__(self, other: Any, /) -> "Array": ...
    def __gt__(self, other: Any, /) -> "Array": ...
    def sum(self, axis: int, *, keepdims: bool = ...) -> "Array": ...
    def max(self, axis: int, *, keepdims: bool = ...) -> "Array": ...
    def mean(self, axis: int, *, keepdims: bool = ...) -> "Array": ...
    def reshape(self, *shape: int) -> "Array": ...


class ArrayModule(Protocol):
    """The part used here of NumPy or `jax.numpy`."""

    def maximum(self, one: Any, other: Any, /) -> Array: ...
    def concatenate(self, arrays: Sequence[Any], axis: int, /) -> Array: ...
    def where(self, condition: Any, one: Any, other: Any, /) -> Array: ...
    def exp(self, x: Any, /) -> Array: ...
    def sqrt(self, x: Any, /) -> Array: ...


Weights = Mapping[str, Array]  # by name
Observation = Mapping[str, Array]  # an observation of the codec; many at once have leading axes


def shapes(spec: Spec) -> dict[str, tuple[int, ...]]:
    """The weights by name: matrices end in `.w`, biases in `.b`, gains in `.g`."""
    parts = {part.name: part.shape for part in spec.parts}
    heads = {head.name: head.size for head in spec.heads}
    cities, columns = parts.pop("cities", (0, 0))
    own = _own_sizes(spec, parts, heads)
    flat = sum(map(prod, parts.values())) + 2 * CITY_WIDTH * (columns > 0)
    width = WIDTH if flat <= MAX_WIDE_INPUT else NARROW_WIDTH
    plain = sum(heads[name] for name in heads.keys() - CITY_HEADS - {"run"})
    sizes = {
        "layer0": (flat, width),
        **{f"layer{i}": (width, width) for i in range(1, LAYERS)},
        "plain": (width, plain),
    }
    if "run" in heads:
        sizes["run"] = (width, (parts["plants"][1] - 1) * MIX_CHOICES)
    sizes["value"] = (width, SEATS)
    if columns:
        wishes = sum(heads[name] for name in heads.keys() & CITY_HEADS) // cities
        sizes |= {
            "city": (columns, CITY_WIDTH),
            "city_place": (CITY_WIDTH, CITY_WIDTH),
            "city_mind": (width, CITY_WIDTH),
            "city_wish": (CITY_WIDTH, wishes),
        }
    found: dict[str, tuple[int, ...]] = {}
    for name, (rows, width) in (sizes | own).items():
        found[f"{name}.w"] = (rows, width)
        found[f"{name}.b"] = (width,)
        if name.startswith("layer"):
            found[f"{name}.g"] = (width,)
    return found


def _own_sizes(
    spec: Spec, parts: dict[str, tuple[int, ...]], heads: dict[str, int]
) -> dict[str, tuple[int, int]]:
    """The weights for what only some maps have, which is taken out of the parts and heads."""
    found: dict[str, tuple[int, int]] = {}
    for name in sorted(parts.keys() & spec.some_maps):
        shape = parts.pop(name)
        if name == "starts":
            found["city_starts"] = (shape[-1], CITY_WIDTH)
        elif name not in MORE_CITIES:
            found[f"part_{name}"] = (prod(shape), WIDTH)
    for name in sorted(heads.keys() & spec.some_maps):
        size = heads.pop(name)
        if name == "start":
            found["city_start"] = (CITY_WIDTH, 1)
        elif name not in MORE_CITIES:
            found[f"head_{name}"] = (WIDTH, size)
    return found


def forward(
    weights: Mapping[str, Any], observation: Mapping[str, Any], spec: Spec, xp: Any = np
) -> tuple[Any, Any]:
    """A logit for every index of the action code, and for every seat its chance to win.

    The chances begin with the viewer's seat. Trailing rows of absent cities may be left out. Arrays
    and library are NumPy's or JAX's: no type is common to both.
    """
    return _forward(weights, observation, spec, xp)


def _forward(
    weights: Weights, observation: Observation, spec: Spec, xp: ArrayModule
) -> tuple[Array, Array]:
    cities, parts, own = None, list[Array](), list[Array]()
    if "cities" in observation:
        rows, place = _city_rows(weights, observation, xp)
        present = rows[..., :1]
        cities = xp.maximum(place, 0) * present
        summary = [cities.sum(-2) / xp.maximum(present.sum(-2), 1), cities.max(-2)]
    for part in spec.parts:
        if part.name not in {"cities", "starts", *MORE_CITIES}:
            flat = _flat(observation[part.name], part.shape)
            if part.name in spec.some_maps:
                own.append(_dense(weights, f"part_{part.name}", flat))
            else:
                parts.append(flat)
    if cities is not None:
        parts += summary
    seen = _dense(weights, "layer0", xp.concatenate(parts, -1))
    for more in own:
        seen = seen + more
    hidden = _normal(weights, "layer0", seen, xp)
    for i in range(1, LAYERS):
        hidden = hidden + _normal(weights, f"layer{i}", _dense(weights, f"layer{i}", hidden), xp)
    return _logits(weights, hidden, cities, spec, xp), _chances(weights, hidden, observation, xp)


def _city_rows(weights: Weights, observation: Observation, xp: ArrayModule) -> tuple[Array, Array]:
    """All rows of cities, and what is read in them."""
    rows = observation["cities"]
    if "more_cities" in observation:
        rows = xp.concatenate([rows, observation["more_cities"]], -2)
    place = _dense(weights, "city", rows)
    if "starts" in observation:
        starts = observation["starts"][..., : rows.shape[-2], :]
        place = place + _dense(weights, "city_starts", starts)
    return rows, place


def _logits(
    weights: Weights, hidden: Array, cities: Array | None, spec: Spec, xp: ArrayModule
) -> Array:
    """The heads of the action code in their order."""
    plain = _dense(weights, "plain", hidden)
    joint = None if cities is None else _joint(weights, hidden, cities, xp)
    found = list[Array]()
    at = 0
    for head in spec.heads:
        if head.name == "run":
            found.append(_run_logits(weights, hidden, head.size))
        elif joint is not None and head.name in CITY_HEADS | MORE_CITIES | {"start"}:
            name = "city_start" if head.name == "start" else "city_wish"
            rows = _row_logits(weights, name, joint)
            rows = rows[..., CITIES:] if head.name in MORE_CITIES else rows[..., : head.size]
            found += [rows, *[rows[..., :1] * 0] * (head.size - rows.shape[-1])]
        elif head.name in spec.some_maps:
            found.append(_dense(weights, f"head_{head.name}", hidden))
        else:
            found.append(plain[..., at : at + head.size])
            at += head.size
    return xp.concatenate(found, -1)


def _joint(weights: Weights, hidden: Array, cities: Array, xp: ArrayModule) -> Array:
    """City by city, each by its own row, in view of the whole position."""
    place = _dense(weights, "city_place", cities)
    return xp.maximum(place + _dense(weights, "city_mind", hidden)[..., None, :], 0)


def _row_logits(weights: Weights, name: str, joint: Array) -> Array:
    wishes = _dense(weights, name, joint)
    return wishes.reshape(*wishes.shape[:-2], -1)


def _run_logits(weights: Weights, hidden: Array, size: int) -> Array:
    """Plant by plant: a run has the sum over its plants."""
    digits = _dense(weights, "run", hidden)
    digits = digits.reshape(*hidden.shape[:-1], digits.shape[-1] // MIX_CHOICES, MIX_CHOICES)
    run, plant = digits[..., 0, :], 1
    while run.shape[-1] < size:
        both = digits[..., plant, :, None] + run[..., None, :]
        run, plant = both.reshape(*both.shape[:-2], -1), plant + 1
    return run


def _chances(weights: Weights, hidden: Array, observation: Observation, xp: ArrayModule) -> Array:
    """The seats' chances to win; they add up to one over the players."""
    worth = xp.where(
        observation["players"][..., 0] > 0, _dense(weights, "value", hidden), MASKED_LOGIT
    )
    raised = xp.exp(worth - worth.max(-1, keepdims=True))
    return raised / raised.sum(-1, keepdims=True)


def _dense(weights: Weights, name: str, x: Array) -> Array:
    return x @ weights[f"{name}.w"] + weights[f"{name}.b"]


def _normal(weights: Weights, name: str, y: Array, xp: ArrayModule) -> Array:
    y = y - y.mean(-1, keepdims=True)
    y = y / xp.sqrt((y * y).mean(-1, keepdims=True) + 1e-5)
    return xp.maximum(y * weights[f"{name}.g"], 0)


def _flat(part: Array, shape: tuple[int, ...]) -> Array:
    return part.reshape(*part.shape[: len(part.shape) - len(shape)], -1)
