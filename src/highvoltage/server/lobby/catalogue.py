"""Rulebooks, maps, cards, bots and rules."""

import asyncio
import json
from functools import cache
from pathlib import Path
from typing import Annotated, Any

from litestar import Controller, MediaType, get
from litestar.params import FromPath, QueryParameter

from highvoltage import bots, rules, words
from highvoltage.engine.parts.board import known_maps
from highvoltage.games import editions, metas
from highvoltage.rooms.messages import Catalogue, MapCover
from highvoltage.rooms.problems import not_found
from highvoltage.rules import Rule, UnknownRule, player
from highvoltage.rules.player import Paragraph
from highvoltage.server.guard.budget import to_thread

Words = Annotated[str, QueryParameter(max_length=100)]
MAX_RESULTS = 60
MAX_NAME_LENGTH = 40


class Games(Controller):
    """Rulebooks, maps and rules."""

    path = "/api"
    tags: tuple[str] = ("games",)

    @get("/games")
    async def games(self) -> Catalogue:
        """The rulebooks, the maps and the bots."""
        covers = await asyncio.to_thread(_covers)
        return Catalogue(list(metas().values()), bots.names(), covers)

    @get("/words/{language:str}")
    async def words(self, language: FromPath[str]) -> dict[str, Any]:
        """The messages of other installed packages, by id: in this language, else in English."""
        if language not in words.LANGUAGES:
            raise not_found("language")
        return words.plugin_messages(words.ENGLISH) | words.plugin_messages(language)

    @get("/maps/{name:str}")
    async def map_file(self, name: FromPath[str]) -> dict[str, Any]:
        """A map, in the format of a custom map: cities, connections, layout."""
        if label := known_maps().get(name):
            return _read(label.path)
        for game in editions().values():  # a map in another format is with its rulebook
            if game.data and name in game.meta.maps:
                return _read(game.data / "map.json")
        raise not_found("map")

    @get("/cards/{rulebook:str}")
    async def cards(self, rulebook: FromPath[str]) -> dict[str, Any]:
        """The shipped card faces of a rulebook, in the format of custom ones."""
        game = editions().get(rulebook)
        if not game or not game.data or all(each.name != "cards" for each in game.meta.options):
            raise not_found("file of cards")
        return _read(game.data / "cards.json")

    @get("/rules")
    async def search(self, words: Words) -> list[Rule]:
        """The rules that contain all words."""
        return (await to_thread(rules.search, words))[:MAX_RESULTS]

    @get("/rules/{rulebook:str}", media_type=MediaType.TEXT)
    async def text(self, rulebook: FromPath[str]) -> str:
        """The rules of a rulebook, as Markdown."""
        try:
            return await asyncio.to_thread(rules.text, rulebook[:MAX_NAME_LENGTH])
        except UnknownRule:
            raise not_found("rulebook") from None

    @get("/rules/{rulebook:str}/player/{language:str}")
    async def player(self, rulebook: FromPath[str], language: FromPath[str]) -> list[Paragraph]:
        """The player's rulebook, paragraph by paragraph; empty if there is none."""
        try:
            return [*await asyncio.to_thread(player.read, rulebook[:MAX_NAME_LENGTH], language)]
        except UnknownRule:
            raise not_found("rulebook") from None

    @get("/pictures/{name:str}", media_type="image/svg+xml")
    async def picture(self, name: FromPath[str]) -> str:
        """A picture of the player's rulebooks."""
        if found := await asyncio.to_thread(player.picture, name[:MAX_NAME_LENGTH]):
            return found
        raise not_found("picture")

    @get("/rule/{name:str}")
    async def rule(self, name: FromPath[str]) -> Rule:
        """One rule, or one section with its rules."""
        try:
            return await asyncio.to_thread(rules.rule, name[:MAX_NAME_LENGTH])
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
