"""The application: routes, what they need, and what happens while it runs."""

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from http import HTTPStatus
from pathlib import Path
from typing import Any

import msgspec
from litestar import Litestar, MediaType, Request, Response, get
from litestar.config.compression import CompressionConfig
from litestar.di import NamedDependency as Given
from litestar.di import Provide
from litestar.exceptions import HTTPException
from litestar.params import FromPath
from litestar.response import File
from litestar.types import Scope
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from highvoltage import __version__
from highvoltage.engine.errors import CardsError, HighVoltageError, MapError
from highvoltage.server.bots.thinking import Thinkers
from highvoltage.server.config import Config
from highvoltage.server.guard.guard import Guard
from highvoltage.server.guard.identity import Identities, Visitor
from highvoltage.server.live.house import House
from highvoltage.server.live.line import live
from highvoltage.server.live.rooms import Rooms
from highvoltage.server.live.webhooks import Webhooks
from highvoltage.server.lobby.account import Accounts
from highvoltage.server.lobby.analysing import Analyses, Analysts
from highvoltage.server.lobby.catalogue import Games
from highvoltage.server.lobby.replay import Replay
from highvoltage.server.lobby.tables import Lobby
from highvoltage.server.messages import Problem
from highvoltage.server.openapi import openapi
from highvoltage.server.problems import Sorry, missing
from highvoltage.server.store import Store

log = logging.getLogger(__name__)

WEB = Path(__file__).parents[1] / "web_dist"
MOST_PROBLEMS = 50
"""So many faults of an own map or own cards are told at once."""


def build(config: Config, secret: bytes) -> Guard:
    """The application, guarded, ready for uvicorn."""
    identities = Identities(secret)
    store = Store(config.database)
    thinkers = Thinkers(config.workers, config.bot_seconds)
    analysts = Analysts(store, thinkers, config)
    rooms = Rooms(House(store, thinkers, Webhooks(private=config.private_webhooks)))

    @asynccontextmanager
    async def lifespan(_: Litestar) -> AsyncIterator[None]:
        await store.open()
        try:
            async with rooms.running():
                yield
        finally:
            await analysts.close()
            await thinkers.close()
            await store.close()

    def given(value: object) -> Provide:
        return Provide(lambda: value, sync_to_thread=False)

    app = Litestar(
        route_handlers=[
            Games,
            Accounts,
            Lobby,
            Replay,
            Analyses,
            live,
            healthz,
            metrics,
            schema,
            page,
        ],
        dependencies={
            "store": given(store),
            "rooms": given(rooms),
            "analysts": given(analysts),
            "config": given(config),
            "identities": given(identities),
            "visitor": Provide(visitor_of, sync_to_thread=False),
        },
        lifespan=[lifespan],
        exception_handlers={
            Sorry: _sorry,
            HighVoltageError: _refused,
            HTTPException: _http,
            RecursionError: _too_deep,
            Exception: _failed,
        },
        openapi_config=None,
        compression_config=CompressionConfig("gzip", gzip_compress_level=6, exclude="^/api"),
        request_max_body_size=config.limits.body_bytes,
        logging_config=None,
    )
    return Guard(app, identities, config)


def visitor_of(scope: Scope) -> Visitor:
    found: Visitor = scope["highvoltage"]  # type: ignore[typeddict-item]  # put there by the guard
    return found


@get("/healthz", tags=["server"])
async def healthz(store: Given[Store]) -> dict[str, str]:
    """Whether the server and its store are there."""
    await store.ping()
    return {"status": "ok", "version": __version__}


@get("/metrics", tags=["server"], media_type=MediaType.TEXT)
async def metrics() -> Response[bytes]:
    """What the server counts, for Prometheus."""
    return Response(generate_latest(), media_type=CONTENT_TYPE_LATEST)


@get("/schema", include_in_schema=False)
async def schema(request: Request[Any, Any, Any]) -> dict[str, Any]:
    """The protocol as OpenAPI."""
    return openapi(request.app)


@get(["/", "/{file:path}"], include_in_schema=False)
async def page(visitor: Given[Visitor], file: FromPath[Path] = Path("/")) -> File:
    """The page, where it was built; every address that is no file of it is the page's own.

    The page brings the cookie, so that all it asks for is asked by one and the same visitor.
    """
    found = (WEB / file.relative_to("/")).resolve()
    if file.parts[1:2] == ("api",) or not (WEB / "index.html").exists():
        raise missing("page")
    if not (found.is_relative_to(WEB) and found.is_file()):
        found = WEB / "index.html"
    visitor.fresh = found.name == "index.html"
    lasting = found.parent.name == "assets"
    kept = "public, max-age=31536000, immutable" if lasting else "private, no-cache"
    return File(
        found,
        filename=found.name,
        headers={"cache-control": kept},
        content_disposition_type="inline",
    )


def _problem(status: int, problem: Problem) -> Response[Problem]:
    return Response(problem, status_code=status, media_type=MediaType.JSON)


def _sorry(_: Request[Any, Any, Any], sorry: Sorry) -> Response[Problem]:
    return _problem(sorry.status, sorry.problem)


def _refused(_: Request[Any, Any, Any], error: HighVoltageError) -> Response[Problem]:
    code = "".join(f"_{c.lower()}" if c.isupper() else c for c in type(error).__name__)
    found = error.problems if isinstance(error, CardsError | MapError) else ()
    told = "\n".join(str(error).splitlines()[: MOST_PROBLEMS + 1])  # the first line introduces them
    values = {"problems": found[:MOST_PROBLEMS], "count": len(found)} if found else {}
    return _problem(HTTPStatus.BAD_REQUEST, Problem(code.strip("_"), told, values))


def _http(_: Request[Any, Any, Any], error: HTTPException) -> Response[Problem]:
    code = HTTPStatus(error.status_code).phrase.lower().replace(" ", "_")
    extra = error.extra if isinstance(error.extra, list) else []
    values = {"fields": extra} if extra else {}
    return _problem(error.status_code, Problem(code, error.detail, msgspec.to_builtins(values)))


def _too_deep(_: Request[Any, Any, Any], __: RecursionError) -> Response[Problem]:
    problem = Problem("malformed", "The JSON is nested beyond all measure.")
    return _problem(HTTPStatus.BAD_REQUEST, problem)


def _failed(request: Request[Any, Any, Any], error: Exception) -> Response[Problem]:
    log.error("request failed", exc_info=error, extra={"route": request.route_handler.handler_name})
    status = HTTPStatus.INTERNAL_SERVER_ERROR
    return _problem(status, Problem("internal_error", "Something went wrong here."))
