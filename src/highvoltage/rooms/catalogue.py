"""Rulebooks, maps, cards, bots and rules."""

import json
from functools import cache
from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta

from highvoltage import bots
from highvoltage import rules as rule_texts
from highvoltage import words as messages
from highvoltage.engine.parts.board import known_maps
from highvoltage.games import editions, metas
from highvoltage.rooms.messages import Catalogue, MapCover
from highvoltage.rooms.problems import not_found
from highvoltage.rooms.routing import SVG, TEXT, Routes
from highvoltage.rooms.strengths import MEASURED, strengths
from highvoltage.rules import Rule, UnknownRule
from highvoltage.rules import player as player_rules
from highvoltage.rules.player import Paragraph
from highvoltage.words import catalogue

Words = Annotated[str, Meta(max_length=100)]
MAX_RESULTS = 60
MAX_NAME_LENGTH = 40


routes = Routes("/api", "games")


@routes.get("/games")
def games() -> Catalogue:
    """The rulebooks, the maps and the bots."""
    rated = {rulebook: tuple(strengths(rulebook)) for rulebook in MEASURED}
    return Catalogue(list(metas().values()), bots.names(), rated, _covers())


@routes.get("/words/{language}")
def words(language: str) -> dict[str, Any]:
    """The messages of other installed packages, by id: in this language, else in English."""
    if language not in messages.LANGUAGES:
        raise not_found("language")
    return catalogue.of_others(messages.ENGLISH) | catalogue.of_others(language)


@routes.get("/maps/{name}")
def map_file(name: str) -> dict[str, Any]:
    """A map, in the format of a custom map: cities, connections, layout."""
    if label := known_maps().get(name):
        return _read(label.path)
    for game in editions().values():  # a map in another format is with its rulebook
        if game.data and name in game.meta.maps:
            return _read(game.data / "map.json")
    raise not_found("map")


@routes.get("/cards/{rulebook}")
def cards(rulebook: str) -> dict[str, Any]:
    """The shipped card faces of a rulebook, in the format of custom ones."""
    game = editions().get(rulebook)
    if not game or not game.data or all(each.name != "cards" for each in game.meta.options):
        raise not_found("file of cards")
    return _read(game.data / "cards.json")


@routes.get("/rules")
def search(words: Words) -> list[Rule]:
    """The rules that contain all words."""
    return rule_texts.search(words)[:MAX_RESULTS]


@routes.get("/rules/{rulebook}", media_type=TEXT)
def text(rulebook: str) -> str:
    """The rules of a rulebook, as Markdown."""
    try:
        return rule_texts.text(rulebook[:MAX_NAME_LENGTH])
    except UnknownRule:
        raise not_found("rulebook") from None


@routes.get("/rules/{rulebook}/player/{language}")
def player(rulebook: str, language: str) -> list[Paragraph]:
    """The player's rulebook, paragraph by paragraph; empty if there is none."""
    try:
        return [*player_rules.read(rulebook[:MAX_NAME_LENGTH], language)]
    except UnknownRule:
        raise not_found("rulebook") from None


@routes.get("/pictures/{name}", media_type=SVG)
def picture(name: str) -> str:
    """A picture of the player's rulebooks."""
    if found := player_rules.picture(name[:MAX_NAME_LENGTH]):
        return found
    raise not_found("picture")


@routes.get("/rule/{name}")
def rule(name: str) -> Rule:
    """One rule, or one section with its rules."""
    try:
        return rule_texts.rule(name[:MAX_NAME_LENGTH])
    except UnknownRule:
        raise not_found("rule") from None


@cache
def _covers() -> dict[str, MapCover]:
    return {
        name: MapCover(
            {"en": label.name, **label.names},
            label.about,
            label.difficulty,
            label.section,
            label.doubts,
            label.variants,
            ruled=any(
                game.rules.can_drop_map_rules(game.meta, name)
                for game in editions().values()
                if name in game.meta.maps.values()
            ),
        )
        for name, label in known_maps().items()
    }


def _read(file: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(file.read_text("utf-8"))
    return found
