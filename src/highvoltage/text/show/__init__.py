"""Positions on the terminal: one renderer for each family of views, and one for all the rest.

A renderer gets the view of a seat, never the game. To add one, write a module with a `Renderer` for
the views of a family and list it in `renderer_for`.
"""

from collections.abc import Iterable, Mapping
from operator import itemgetter
from typing import NamedTuple, Protocol

from rich.console import RenderableType
from rich.text import Text

from highvoltage.engine.game import Game
from highvoltage.engine.legal import Moves
from highvoltage.engine.moves import Move
from highvoltage.engine.parts.mapform import Connection, Map
from highvoltage.text.bot_names import shown_name
from highvoltage.text.narration import NO_NAMES, Narrator, RegionNames, in_language
from highvoltage.views import View
from highvoltage.words import label


class Spot(NamedTuple):
    """A city: its name, its region, and the cost of its connections."""

    name: str
    region: str
    links: tuple[tuple[str, int], ...]


class Scene(NamedTuple):
    """What to show: the view of a seat, its legal moves, and what never changes in a game."""

    view: View
    legal: Moves
    costs: Mapping[Move, int]  # of the legal moves that have a fixed price
    places: Mapping[str, Spot]
    board: str  # the name of the map, or of the game if there is none
    region_names: RegionNames

    def name(self, seat: int) -> str:
        return str(self.view["names"][seat])


class MenuEntry(NamedTuple):
    """A line of the menu: what to type, its move, and what that costs or earns."""

    key: str
    move: Move
    what: Text
    note: str


class Menu(NamedTuple):
    """The moves to choose from. `shown` is their layout; `hint` explains what else can be typed."""

    entries: list[MenuEntry]
    shown: RenderableType
    hint: str


class Renderer(Protocol):
    """Shows the positions of one family of games."""

    def narrator(self, view: View, places: Mapping[str, str]) -> Narrator:
        """The narrator for moves and events; `places` are names by id."""

    def position(self, scene: Scene) -> RenderableType:
        """Everything on the table."""

    def focus(self, scene: Scene) -> RenderableType | None:
        """What the next decision needs, when the position has already been shown."""

    def prompt(self, scene: Scene) -> str:
        """What the seat to move has to do; it follows the player's name."""

    def menu(self, scene: Scene) -> Menu:
        """The moves to choose from, with what they cost or earn."""

    def syntax_help(self, scene: Scene) -> list[tuple[str, str]]:
        """What can be typed in this game, in Markdown, and what it means."""

    def legend(self, scene: Scene) -> str:
        """What the symbols and letters on the table mean, in Markdown."""

    def map(self, scene: Scene) -> RenderableType | None:
        """The map, if the game has one."""

    def result(self, scene: Scene) -> RenderableType:
        """The ranking, once the game is over."""


def renderer_for(view: View) -> Renderer:
    """The renderer for the family of a view; the generic one for an unknown family."""
    match view["family"]:
        case "board":
            from highvoltage.text.show.board import BoardRenderer

            return BoardRenderer()
        case "cardgame":
            from highvoltage.text.show.cards import CardsRenderer

            return CardsRenderer()
        case "outpost":
            from highvoltage.text.show.outpost import OutpostRenderer

            return OutpostRenderer()
        case _:
            from highvoltage.text.show.generic import GenericRenderer

            return GenericRenderer()


def scene_of(game: Game, seat: int | None) -> Scene:
    """The scene of a seat, or of a spectator."""
    legal = game.legal_moves if seat is not None and seat == game.to_move else Moves([])
    prices = {move: game.cost(move) for move in legal.plain}
    costs = {move: cost for move, cost in prices.items() if cost is not None}
    view = game.view(seat)
    view["names"] = [shown_name(name) for name in view["names"]]
    return Scene(view, legal, costs, places_of(game), board_of(game), region_names_of(game))


def places_of(game: Game) -> dict[str, Spot]:
    """The cities of the map; none in a game without one."""
    rules = game.rules.ruleset
    board = getattr(rules, "map", None)
    if isinstance(board, Map):
        return places_on(board, getattr(rules, "connections", ()))
    view = game.view()
    cities = {city: (each["name"], "") for city, each in view.get("cities", {}).items()}
    links = [(link["a"], link["b"], link["cost"]) for link in view.get("connections", [])]
    return _linked(cities, links, {})


def places_on(board: Map, connections: Iterable[Connection]) -> dict[str, Spot]:
    cities = {city.id: (city.name, city.region) for city in board.cities}
    entry = {city.id: city.cost for city in board.cities}
    return _linked(cities, [(link.a, link.b, link.cost) for link in connections], entry)


def _linked(
    cities: Mapping[str, tuple[str, str]],
    connections: Iterable[tuple[str, str, int]],
    entry: Mapping[str, int],
) -> dict[str, Spot]:
    """The cities with their connections; each costs what it takes to get to its other end."""
    links: dict[str, list[tuple[str, int]]] = {city: [] for city in cities}
    for a, b, cost in connections:
        links[a].append((b, cost + entry.get(b, 0)))
        links[b].append((a, cost + entry.get(a, 0)))
    return {
        city: Spot(*about, tuple(sorted(links[city], key=itemgetter(1))))
        for city, about in cities.items()
    }


def narrator_for(game: Game) -> Narrator:
    """The narrator of this game."""
    view = game.view()
    view["names"] = [shown_name(name) for name in view["names"]]
    places = {city: place.name for city, place in places_of(game).items()}
    narrator = renderer_for(view).narrator(view, places)
    narrator.region_names = region_names_of(game)
    return narrator


def region_names_of(game: Game) -> RegionNames:
    board = getattr(game.rules, "map", None)
    return board.region_names if isinstance(board, Map) else NO_NAMES


def board_of(game: Game) -> str:
    board = getattr(game.rules, "map", None)
    if isinstance(board, Map):
        return in_language(board.names) or board.name
    return getattr(board, "name", "") or game_name(game)


def game_name(game: Game) -> str:
    return label(f"game_{game.rules.name}", game.rules.name)


def title_of(game: Game) -> str:
    """The game and its map."""
    title = game_name(game)
    return title if board_of(game) == title else f"{title}, {board_of(game)}"
