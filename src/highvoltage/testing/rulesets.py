"""Random rulesets: what is accepted must be playable to its end, what is not must be refused.

Map rules are drawn from the types of the map format, so that new fields are covered automatically.
"""

from collections.abc import Callable
from functools import cache
from random import Random
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin

import msgspec
from msgspec import Struct

from highvoltage.engine.chance import Seeded
from highvoltage.engine.errors import MapError, OptionError
from highvoltage.engine.game import Game
from highvoltage.engine.moves import Move
from highvoltage.engine.parts import mapform
from highvoltage.engine.parts.board import load_map
from highvoltage.engine.parts.mapform import Map, MapRules
from highvoltage.engine.rulebook import Rulebook
from highvoltage.engine.state import State
from highvoltage.games import edition, rulebook
from highvoltage.testing.kit import MAX_MOVES, random_move

MOST_ROUNDS = 100
"""A game between sensible players that takes longer counts as endless."""
MOST_FIELDS = 4  # of the map form, drawn for one map


class RulesetRequest(Struct, frozen=True):
    """What a user may request: a rulebook, a map with its own rules, players, options."""

    rulebook: str
    map: dict[str, Any] | None
    players: int
    options: dict[str, Any]

    def resolve(self) -> Rulebook[State]:
        """The rulebook for this game; MapError or OptionError says why there is none."""
        return rulebook(self.rulebook, self.players, self.map, self.options)

    def __str__(self) -> str:
        board = self.map or {}
        changed = {key: board[key] for key in ("id", "rules", "rulebooks") if board.get(key)}
        return f"{self.rulebook} with {self.players}, {self.options}, {changed}"


def draw_request(name: str, rng: Random) -> RulesetRequest:
    """Any map of the rulebook with a few rules changed at random, any options and players.

    >>> draw_request("outpost", Random(1)).rulebook
    'outpost'
    """
    about = edition(name).meta
    options = {
        option.name: rng.choice(option.choices) for option in about.options if rng.random() < 0.3
    }
    boards = [board for file in about.maps.values() if (board := _board(file)) is not None]
    changed = _changed(rng.choice(boards), name, rng) if boards else None
    return RulesetRequest(name, changed, rng.choice(about.players), options)


def check_ruleset(
    request: RulesetRequest,
    rng: Random,
    choose: Callable[[Game], Move] | None = None,
    *,
    closely: bool = True,
) -> bool:
    """Play a request to its end; return whether it was accepted at all.

    Moves are random, or made by `choose`, which has to end the game within `MOST_ROUNDS`. With
    `closely` the invariants are checked at every move. AssertionError says what is broken, with the
    request.
    """
    try:
        rules = request.resolve()
    except (MapError, OptionError):
        return False
    moves = 0
    try:
        game = Game(rules, Seeded(rng.random().hex()), list(map(str, range(request.players))))
        invariants = edition(request.rulebook).invariants if closely else _nothing
        invariants(None, None, game.state)
        while game.to_move is not None:
            move = choose(game) if choose else random_move(game.legal_moves, rng)
            before = game.state.copy() if closely else None
            game.play(move)
            invariants(before, move, game.state)
            moves += 1
            assert moves < MAX_MOVES, "the game does not end"
            assert not choose or game.state.round <= MOST_ROUNDS, "the game does not end"
        for seat in range(request.players):
            game.view(seat)
    except Exception as error:
        raise AssertionError(f"{error!r} after move {moves} of {request}") from error
    return True


def _nothing(*_: object) -> None:
    pass


@cache
def _board(file: str) -> Map | None:
    try:
        return load_map(file)
    except MapError:  # a map in a format of its own
        return None


def _changed(board: Map, rulebook: str, rng: Random) -> dict[str, Any]:
    data: dict[str, Any] = msgspec.to_builtins(board)
    rules = data.setdefault("rules", {})
    for key in [key for key in rules if rng.random() < 0.3]:
        del rules[key]
    if rng.random() < 0.3:
        rules = data.setdefault("rulebooks", {}).setdefault(rulebook, {})
    drawing = _Drawing(board, rng)
    fields = msgspec.structs.fields(MapRules)
    for field in rng.sample(fields, rng.randint(0, MOST_FIELDS)):
        rules[field.name] = drawing.value(field.type, field.name)
    return data


class _Drawing:
    """Draws values of the map format, as a user might write them."""

    def __init__(self, board: Map, rng: Random) -> None:
        self.board = board
        self.rng = rng

    def value(self, kind: object, name: str) -> Any:
        """A random value of a type; `name` is its field."""
        origin, inner = get_origin(kind), get_args(kind)
        if origin in (UnionType, Union):
            return self.value(inner[0], name)
        if origin is Annotated:
            return self._plain(kind, inner[0], name)
        if origin is dict:
            count = self.rng.randint(0, 6)
            keys = [str(self.value(inner[0], name)) for _ in range(count)]
            return {key: self.value(inner[1], name) for key in keys}
        if origin is tuple and inner[-1] is not Ellipsis:
            return [self.value(each, name) for each in inner]
        if origin is tuple:
            size = self.rng.choice([0, 1, 1, 2, 2, 3, 5, 12])
            return [self.value(inner[0], name) for _ in range(size)]
        if isinstance(kind, type) and issubclass(kind, Struct):
            return self._struct(kind)
        raise TypeError(f"{name}: no value of {kind} can be drawn")

    def _struct(self, kind: type[Struct]) -> dict[str, Any]:
        return {
            field.name: self.value(field.type, field.name)
            for field in msgspec.structs.fields(kind)
            if field.required or self.rng.random() < 0.4
        }

    def _plain(self, kind: object, base: object, name: str) -> Any:
        rng = self.rng
        if get_origin(base) is tuple:  # of counts
            size = 3 if kind == mapform.Steps else rng.randint(0, 3)
            return [rng.randint(0, 8) for _ in range(size)]
        if base is bool:
            return rng.random() < 0.5
        if base is int:
            return self._number(kind)
        if kind == mapform.Fuel:
            return rng.choice([*mapform.TOKENS])
        if kind == mapform.FuelName:
            return rng.choice(mapform.NAMES)
        if kind == mapform.Kind:
            return rng.choice(mapform.KINDS)
        if kind == mapform.Slug and name == "region":
            return rng.choice(self.board.regions)
        if kind == mapform.Slug and name != "markets":
            return rng.choice(self.board.cities).id
        return rng.choice(["north", "south", *dict.fromkeys(c.country for c in self.board.cities)])

    def _number(self, kind: object) -> int:
        rng = self.rng
        if kind == mapform.Card:
            return int(rng.choice(mapform.CARDS))
        if kind == mapform.Players:
            return rng.randint(2, 6)
        if kind == mapform.Step:
            return rng.randint(1, 3)
        least = 1 if kind == mapform.Number else 0
        most: int = rng.choice([4, 24, 60])
        return rng.randint(least, most)
