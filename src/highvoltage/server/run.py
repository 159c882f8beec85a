"""Run the application with uvicorn, with logs that a machine can read."""

import asyncio
import json
import logging
import sys
import webbrowser
from contextlib import suppress
from datetime import UTC, datetime

import uvicorn

from highvoltage.server.app import build
from highvoltage.server.config import Config

_PLAIN = {*vars(logging.makeLogRecord({})), "message", "color_message", "taskName"}


class JsonLines(logging.Formatter):
    """One JSON object per line: when, how grave, who, what, and what was given with it."""

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


def set_up_logs(level: int = logging.INFO) -> None:
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    logging.basicConfig(level=level, handlers=[handler], force=True)
    logging.getLogger("alembic").setLevel(logging.WARNING)


class Server(uvicorn.Server):
    """Says where it is once it can be reached."""

    def __init__(self, config: uvicorn.Config, *, browse: bool) -> None:
        super().__init__(config)
        self.browse = browse

    async def startup(self, sockets: list[object] | None = None) -> None:  # type: ignore[override]
        await super().startup(sockets)  # type: ignore[arg-type]
        if not self.started:
            return
        port = self.servers[0].sockets[0].getsockname()[1]
        host = self.config.host if self.config.host not in {"0.0.0.0", "::"} else "127.0.0.1"  # noqa: S104
        address = f"http://{host}:{port}/"
        print(f"High Voltage is at {address} (Ctrl+C ends it)", flush=True)  # noqa: T201
        if self.browse:
            await asyncio.to_thread(webbrowser.open, address)


def run(config: Config, secret: bytes, *, browse: bool = False) -> None:
    """Serve until told to end."""
    set_up_logs()
    settings = uvicorn.Config(
        build(config, secret),
        host=config.host,
        port=config.port,
        log_config=None,
        access_log=False,  # addresses may carry secrets
        server_header=False,
        ws="websockets-sansio",
        ws_max_size=config.limits.message_bytes,
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=5,
        lifespan="on",
    )
    with suppress(KeyboardInterrupt):
        Server(settings, browse=browse).run()
