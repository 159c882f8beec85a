"""Runs the application with uvicorn, with logs for machines or for people."""

import asyncio
import gc
import json
import logging
import sys
import webbrowser
from contextlib import suppress
from datetime import UTC, datetime
from errno import EADDRINUSE
from functools import partial
from socket import AF_INET, AF_INET6, create_server, socket
from threading import Thread
from typing import Any

import uvicorn

from highvoltage import __version__
from highvoltage.engine.errors import HighVoltageError
from highvoltage.server import network
from highvoltage.server.app import build
from highvoltage.server.config import Config
from highvoltage.server.guard.http import HttpConnection
from highvoltage.server.guard.websocket import WebSocketConnection
from highvoltage.server.lobby.page_build import PageBuild
from highvoltage.server.network import ANY_ADDRESS

log: logging.Logger = logging.getLogger(__name__)

_PLAIN = {*vars(logging.makeLogRecord({})), "message", "color_message", "taskName"}


class JsonFormatter(logging.Formatter):
    """One JSON object per line: time, level, logger, message, and extra fields."""

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "from": record.name,
            "what": record.getMessage(),
            **{key: value for key, value in vars(record).items() if key not in _PLAIN},
        }
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False, default=str)


class PlainFormatter(logging.Formatter):
    """The same for a person: level, message and extra fields in one line."""

    def format(self, record: logging.LogRecord) -> str:
        given = [f"{key} {value}" for key, value in vars(record).items() if key not in _PLAIN]
        line = f"{record.levelname.lower()}: {', '.join([record.getMessage(), *given])}"
        return f"{line}\n{self.formatException(record.exc_info)}" if record.exc_info else line


def set_up_logs() -> None:
    """JSON for machines; warnings as plain text for a person at a terminal."""
    person = sys.stderr.isatty()
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(PlainFormatter() if person else JsonFormatter())
    level = logging.WARNING if person else logging.INFO
    logging.basicConfig(level=level, handlers=[handler], force=True)
    for chatty in ("alembic", "uvicorn"):  # uvicorn would log addresses and tables
        logging.getLogger(chatty).setLevel(logging.WARNING)


class Server(uvicorn.Server):
    """Serves one application, and prints its address once it can be reached."""

    def __init__(
        self, config: Config, secret: bytes, *, browse: bool = False, build_page: str = ""
    ) -> None:
        self.page_build = PageBuild(build_page)
        self.build_failed = False
        self._building: asyncio.Task[None] | None = None
        guard = build(config, secret, self.page_build)
        settings = uvicorn.Config(
            guard,
            host=config.host,
            port=config.port,
            forwarded_allow_ips=list(config.proxies),
            log_config=None,
            access_log=False,  # URLs may contain secrets
            server_header=False,
            http=HttpConnection.of(config, guard.budgets),
            ws=WebSocketConnection,
            ws_max_size=config.limits.message_bytes,
            ws_per_message_deflate=False,
            timeout_graceful_shutdown=5,
            lifespan="on",
        )
        super().__init__(settings)
        self.browse = browse
        guard.lan_gate.listen = self._listen
        guard.lan_gate.disconnect = self._disconnect

    async def startup(self, sockets: list[socket] | None = None) -> None:
        if self.page_build.running:
            self._building = asyncio.create_task(self._build_page())
        await super().startup(sockets)
        if self.started:
            self.on_ready()

    async def shutdown(self, sockets: list[socket] | None = None) -> None:
        await super().shutdown(sockets)
        if self._building is not None:
            self._building.cancel()
            await asyncio.wait([self._building])
        log.info("ended")

    async def _build_page(self) -> None:
        """Build the page while the server starts and serves; without a page it ends."""
        if not await self.page_build.run():
            self.build_failed = not self.should_exit  # else what ended the server ended that, too
            self.should_exit = True
        elif self.started:
            self._say_where()

    async def _listen(self, there: socket) -> asyncio.Server:
        """Accept connections at another socket, too, until the server ends."""
        protocol: Any = self.config.http_protocol_class  # its base class takes nothing
        connection = partial(
            protocol,
            config=self.config,
            server_state=self.server_state,
            app_state=self.lifespan.state,
        )
        loop = asyncio.get_running_loop()
        server = await loop.create_server(connection, sock=there, backlog=self.config.backlog)
        self.servers.append(server)
        return server

    def _disconnect(self, address: str) -> None:
        """End the connections that came to this address of this machine."""
        for connection in [*self.server_state.connections]:
            if connection.transport.get_extra_info("sockname")[0] == address:
                connection.shutdown()

    @property
    def address(self) -> str:
        port = self.servers[0].sockets[0].getsockname()[1]
        host = self.config.host if self.config.host not in {ANY_ADDRESS, "::"} else "127.0.0.1"
        return f"http://{host}:{port}"

    def on_ready(self) -> None:
        """Called once the server can be reached."""
        gc.collect()
        gc.freeze()  # what exists now stays; collecting through it would pause all requests
        log.info("opened", extra={"version": __version__})
        if not self.page_build.running:
            self._say_where()
        if self.browse:
            Thread(target=webbrowser.open, args=(f"{self.address}/",), daemon=True).start()

    def _say_where(self) -> None:
        """Print the address, once the page is there."""
        print(f"High Voltage is at {self.address}/ (Ctrl+C ends it)", flush=True)  # noqa: T201
        if self.config.host == ANY_ADDRESS and (found := network.lan_address()):
            port = self.address.rpartition(":")[2]
            print(f"In this network it is at http://{found}:{port}/", flush=True)  # noqa: T201


def check_port_free(host: str, port: int) -> None:
    """Raise HighVoltageError if the port is taken or not allowed."""
    try:
        create_server((host, port), family=AF_INET6 if ":" in host else AF_INET).close()
    except OSError as error:
        why = "is taken" if error.errno == EADDRINUSE else f"cannot be used ({error.strerror})"
        raise HighVoltageError(
            f"Port {port} {why}; perhaps High Voltage runs there already."
            f" Another port can be named: --port {port % 65535 + 1}."
        ) from None


def run(config: Config, secret: bytes, *, browse: bool = False, build_page: str = "") -> None:
    """Serve until stopped; meanwhile, build the page with this command."""
    set_up_logs()
    check_port_free(config.host, config.port)
    gc.set_threshold(5_000)  # tables produce little garbage
    server = Server(config, secret, browse=browse, build_page=build_page)
    with suppress(KeyboardInterrupt):
        server.run()
    if server.build_failed:
        raise HighVoltageError("The page could not be built, see above.")
