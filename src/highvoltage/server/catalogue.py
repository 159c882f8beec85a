"""What can be played and by which rules."""

from typing import Annotated

from litestar import Controller, MediaType, get
from litestar.params import FromPath, QueryParameter

from highvoltage import bots, rules
from highvoltage.engine.board import load_map, shipped_maps
from highvoltage.engine.mapfile import Map
from highvoltage.games import metas
from highvoltage.rules import Rule, UnknownRule
from highvoltage.server.messages import Catalogue
from highvoltage.server.problems import missing

Words = Annotated[str, QueryParameter(max_length=100)]
MOST_FOUND = 60


class Games(Controller):
    """Rulebooks, maps and rules."""

    path = "/api"
    tags = ("games",)

    @get("/games")
    async def games(self) -> Catalogue:
        """The rulebooks and the bots."""
        return Catalogue(list(metas().values()), bots.names())

    @get("/maps/{name:str}")
    async def map_file(self, name: FromPath[str]) -> Map:
        """A map: cities, regions, connections, layout."""
        if name not in shipped_maps():
            raise missing("map")
        return load_map(name)

    @get("/rules")
    async def search(self, words: Words) -> list[Rule]:
        """The rules in which all words occur."""
        return rules.search(words)[:MOST_FOUND]

    @get("/rules/{rulebook:str}", media_type=MediaType.TEXT)
    async def text(self, rulebook: FromPath[str]) -> str:
        """The rules of a rulebook, Markdown."""
        if rulebook not in rules.rulebooks():
            raise missing("rulebook")
        return rules.text(rulebook)

    @get("/rule/{name:str}")
    async def rule(self, name: FromPath[str]) -> Rule:
        """One rule, or one section with its rules."""
        try:
            return rules.rule(name)
        except UnknownRule:
            raise missing("rule") from None
