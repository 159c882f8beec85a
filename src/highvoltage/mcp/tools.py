"""The tools that a model plays with."""

from asyncio import to_thread
from collections.abc import Awaitable, Callable, Coroutine
from functools import wraps
from typing import Annotated, Any, ParamSpec

import msgspec
from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from pydantic import Field

import highvoltage
from highvoltage import brief, rules
from highvoltage.engine.errors import HighVoltageError
from highvoltage.mcp.tables import Glance, Tables
from highvoltage.table import Refused

INSTRUCTIONS = """\
You play board games of the Power Grid family against others at a table.
Begin with new_game. Then, until the game is over: look, legal_moves, play. A move is written as in
legal_moves, with a number in place of BID or NUMBER: "nominate 13 @14", "bid 15", "pass",
"buy coal 3", "build essen", "run 5:coal,oil 13", "done". Building and buying fuel are one move for
each city and each fuel; "done" ends the turn. A refused move changes nothing and names its rule.
"""
RULES_SHOWN = 5
MORE_RULES = 40  # of which only the ids are named
RULE_BYTES = 700
"""The most of a rule in an answer; one that is asked for by its id is shown whole."""
HISTORY_SHOWN = 30

P = ParamSpec("P")
InThread = Callable[..., Awaitable[Any]]
CarryOut = Callable[[Awaitable[str]], Awaitable[str]]
Tool = Callable[P, Coroutine[Any, Any, str]]
Table = Annotated[str, Field(description="The id of a table; without it, the latest.")]


async def plainly(work: Awaitable[str]) -> str:
    return await work


def answering(tool: Tool[P], carry_out: CarryOut) -> Tool[P]:
    """Turn what cannot be done into an answer that the model can act on."""

    @wraps(tool)
    async def answer(*args: P.args, **named: P.kwargs) -> str:
        try:
            return await carry_out(tool(*args, **named))
        except Refused as error:
            raise ToolError(refusal_text(str(error), error.rule)) from None
        except (HighVoltageError, rules.UnknownRule) as error:
            raise ToolError(str(error)) from None

    return answer


def refusal_text(said: str, rule: str | None) -> str:
    """A refusal with the rule behind it."""
    return f"{said}\n{_cut(rules.rule(rule).text)}" if rule else said


class Tools:
    """The tools that all tables have. Texts are made with `in_thread`: some take a while."""

    def __init__(self, tables: Tables, in_thread: InThread = to_thread) -> None:
        self.tables = tables
        self._in_thread = in_thread

    async def new_game(
        self,
        rulebook: Annotated[str, Field(description="classic, recharged, cardgame or outpost")] = (
            "classic"
        ),
        players: Annotated[int, Field(description="2 to 6, you among them")] = 4,
        map: Annotated[str, Field(description="such as germany, usa; empty: the first")] = "",  # noqa: A002
        opponents: Annotated[
            str, Field(description="bots: random, apprentice, clerk, engineer, tycoon, director")
        ] = "clerk",
        options: Annotated[
            dict[str, Any] | None, Field(description='of the rulebook, such as {"money": "hidden"}')
        ] = None,
    ) -> str:
        """Start a new game against bots and take a seat in it."""
        table = await self.tables.new_game(rulebook, players, map, opponents, options or {})
        seen = await self.tables.glance(table)
        return f"Table {table}.\n{await self._in_thread(shown, seen)}"

    async def look(
        self,
        table: Table = "",
        whole: Annotated[bool, Field(description="Everything you may know, as JSON")] = False,
    ) -> str:
        """See the table in brief: what matters now. With whole, all of it."""
        seen = await self.tables.glance(table)
        if whole:
            return msgspec.json.encode(seen.snapshot.view).decode()
        return str(await self._in_thread(shown, seen))

    async def map(self, table: Table = "") -> str:
        """See the cities in play, and what the connections between them cost."""
        seen = await self.tables.glance(table)
        return str(await self._in_thread(brief.network, seen.snapshot.view, seen.board))

    async def legal_moves(self, table: Table = "") -> str:
        """List your legal moves with what they cost or earn."""
        return str(await self._in_thread(moves_text, await self.tables.glance(table)))

    async def play(
        self, move: Annotated[str, Field(description="as in legal_moves")], table: Table = ""
    ) -> str:
        """Play one of your legal moves. The answer says what happened until your next turn."""
        seen = await self.tables.play(table, move)
        return str(await self._in_thread(after_move, seen))

    async def why(
        self,
        move: Annotated[str, Field(description="a move that you think of")],
        table: Table = "",
    ) -> str:
        """Ask whether a move is legal now, and if not, why not and by which rule."""
        return await self.tables.refusal(table, move) or "This move is legal now."

    async def rules(
        self, words: Annotated[str, Field(description='words, or an id such as "C-4.5.1"')]
    ) -> str:
        """Look up the rules of all games, by words that a rule contains or by its id."""
        return str(await self._in_thread(rules_text, words))

    async def history(
        self,
        table: Table = "",
        last: Annotated[int, Field(description="how many decisions", ge=1)] = HISTORY_SHOWN,
    ) -> str:
        """See the latest decisions of everybody and what they brought."""
        return str(await self._in_thread(history_text, await self.tables.glance(table), last))


def shown(seen: Glance) -> str:
    return brief.position(seen.view)


def history_text(seen: Glance, last: int | None) -> str:
    rows = seen.snapshot.log if last is None else seen.snapshot.log[-last:]
    return brief.history(seen.view["names"], rows) or "Nothing has happened yet."


def moves_text(seen: Glance) -> str:
    view = seen.view
    if view["outcome"]:
        return "\n".join(brief.position(view).splitlines()[:2])
    if not seen.snapshot.legal:
        return f"It is the turn of {view['names'][view['to_move']]}, not yours."
    return f"Your legal moves:\n{brief.moves(view, seen.snapshot.legal)}"


def after_move(seen: Glance) -> str:
    return f"{history_text(seen, None)}\n\n{moves_text(seen)}"


def rules_text(words: str) -> str:
    """A rule by its id, or rules by words that they contain."""
    try:
        return rules.rule(words).text
    except rules.UnknownRule:
        found = rules.search(words)
    if not found:
        return f"No rule contains all of these words: {words}. Use fewer or other words."
    texts = [_cut(each.text) for each in found[:RULES_SHOWN]]
    more = ", ".join(each.id for each in found[RULES_SHOWN:][:MORE_RULES])
    return "\n\n".join(texts + ([f"Also: {more}"] if more else []))


def _cut(text: str) -> str:
    return text if len(text) <= RULE_BYTES else f"{text[:RULE_BYTES]} ..."


def model_server(tools: Tools, *more: Tool[...], carry_out: CarryOut = plainly) -> MCPServer[Any]:
    """A server of the Model Context Protocol with the tools for tables, and `more`.

    `carry_out` awaits the work of a tool; a server that measures its visitors does that in there.
    """
    server: MCPServer[Any] = MCPServer(
        "highvoltage",
        title="High Voltage",
        instructions=INSTRUCTIONS,
        version=highvoltage.__version__,
        log_level="WARNING",
    )
    own: list[Tool[...]] = [
        tools.new_game,
        tools.look,
        tools.map,
        tools.legal_moves,
        tools.play,
        tools.why,
        tools.rules,
        tools.history,
    ]
    for tool in [*own, *more]:
        server.add_tool(answering(tool, carry_out), structured_output=False)
    return server
