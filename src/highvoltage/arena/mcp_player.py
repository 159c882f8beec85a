"""A player that speaks MCP: a command that is started for every game and plays with our tools."""

import asyncio
import os
import secrets
import shlex
from asyncio import FIRST_COMPLETED
from typing import Annotated, Any

import uvicorn
from mcp.server.transport_security import TransportSecuritySettings
from pydantic import Field

from highvoltage.arena.contest import ArenaGame
from highvoltage.arena.file import Decision
from highvoltage.engine.errors import HighVoltageError, IllegalMove, MoveSyntaxError
from highvoltage.mcp import Glance, Tools, model_server
from highvoltage.mcp.tools import refusal_text
from highvoltage.table import Refused

URL, TOKEN = "HIGHVOLTAGE_MCP_URL", "HIGHVOLTAGE_MCP_TOKEN"  # a name
TABLE = "arena"


class PlayerFailed(HighVoltageError):
    """A player's command ended before its game did. The same command goes on later."""


class ArenaTables:
    """The one table of a game in the arena."""

    def __init__(self, game: ArenaGame) -> None:
        self.game = game
        self._illegal = 0
        self._lock = asyncio.Lock()

    async def new_game(self, *_: object) -> str:
        return TABLE

    async def glance(self, table: str) -> Glance:
        async with self._lock:
            return self._glance(None)

    async def play(self, table: str, move: str) -> Glance:
        async with self._lock:
            if self.game.is_over:
                raise Refused("game_over")
            before = self.game.table.seq
            decision = Decision(move, self._illegal)
            try:
                await asyncio.to_thread(self.game.play, decision)
            except Refused:
                self._illegal += 1
                raise
            self._illegal = 0
            return self._glance(before)

    async def refusal(self, table: str, move: str) -> str:
        try:
            self.game.game.check(move)
        except IllegalMove as error:
            return refusal_text(str(error), error.rule)
        except MoveSyntaxError as error:
            return str(error)
        return ""

    async def report_usage(
        self,
        read: Annotated[int, Field(ge=0, description="tokens that you have read")],
        written: Annotated[int, Field(ge=0, description="tokens that you have written")],
    ) -> str:
        """Report tokens that you have used since your last report, for the table of the arena."""
        self.game.report_usage(read, written)
        return "Noted."

    def _glance(self, since: int | None) -> Glance:
        return Glance(TABLE, self.game.snapshot(since), self.game.game.rules.ruleset.board())


def guarded(app: Any, token: str) -> Any:
    """The application, for whoever has the token."""
    wanted = f"Bearer {token}".encode()

    async def check(scope: Any, receive: Any, send: Any) -> None:
        given = dict(scope.get("headers", [])).get(b"authorization", b"")
        if scope["type"] != "http" or secrets.compare_digest(given, wanted):
            await app(scope, receive, send)
            return
        await send({"type": "http.response.start", "status": 401, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    return check


def play_mcp(game: ArenaGame, command: str, seconds: float) -> None:
    """Run a player's command until its game is over, at most for so many seconds."""
    asyncio.run(_play(game, command, seconds))
    if not game.is_over:
        raise PlayerFailed(f"'{command}' ended, or ran out of time, before deal {game.deal} did.")


async def _play(game: ArenaGame, command: str, seconds: float) -> None:
    token = secrets.token_urlsafe(24)
    tables = ArenaTables(game)
    app = model_server(Tools(tables), tables.report_usage).streamable_http_app(
        json_response=True,
        stateless_http=True,
        transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),
    )
    config = uvicorn.Config(guarded(app, token), port=0, log_config=None, log_level="error")
    server = uvicorn.Server(config)
    with config.bind_socket() as socket:
        socket.listen()  # whoever comes before the server has started waits for it
        serving = asyncio.create_task(server.serve([socket]))
        url = f"http://127.0.0.1:{socket.getsockname()[1]}/mcp"
        try:
            await _run(command, {URL: url, TOKEN: token}, serving, seconds)
        finally:
            server.should_exit = True
            await serving


async def _run(
    command: str, told: dict[str, str], serving: asyncio.Task[None], seconds: float
) -> None:
    """Run a command until it ends, its time is over or its server is gone."""
    process = await asyncio.create_subprocess_exec(
        *shlex.split(command), env={**os.environ, **told}
    )
    ended = asyncio.create_task(process.wait())
    await asyncio.wait({ended, serving}, timeout=seconds, return_when=FIRST_COMPLETED)
    if process.returncode is None:
        process.kill()
    await ended
