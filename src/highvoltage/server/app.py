"""The application: its routes, their dependencies, and its lifespan."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache, partial
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

import msgspec
from litestar import Litestar, MediaType, Request, Response, asgi, get
from litestar.di import NamedDependency as Given
from litestar.di import Provide
from litestar.exceptions import HTTPException
from litestar.params import FromQuery
from litestar.types import Scope

from highvoltage import __version__, bots
from highvoltage.engine.errors import HighVoltageError
from highvoltage.extras import extra
from highvoltage.games import metas, rulebook
from highvoltage.rooms.analysing import AnalysisRunner
from highvoltage.rooms.bot_service import BotService
from highvoltage.rooms.context import RoomContext
from highvoltage.rooms.messages import Health, Problem, Ref
from highvoltage.rooms.person import Person
from highvoltage.rooms.problems import (
    problem_for,
    problem_of,
    retry_header,
    status_of,
    unavailable,
)
from highvoltage.rooms.rooms import Rooms
from highvoltage.rooms.rows import write_mark
from highvoltage.rooms.store import StoreError, problem_of_failure
from highvoltage.rooms.tasks import report_strays
from highvoltage.server.bots.pool import Pools
from highvoltage.server.config import Config, ConfigError
from highvoltage.server.cups.clubs import Clubs
from highvoltage.server.cups.requests import Cups
from highvoltage.server.cups.rounds import CupRounds
from highvoltage.server.guard.budget import Budgets
from highvoltage.server.guard.devices import Devices
from highvoltage.server.guard.guard import Guard
from highvoltage.server.guard.identity import Identities, Visitor
from highvoltage.server.guard.origin import Site, site_of
from highvoltage.server.guard.passkeys import Passkeys
from highvoltage.server.guard.passwords import Passwords
from highvoltage.server.guard.sessions import Sessions
from highvoltage.server.lan import LanGate, server_address, switch_lan
from highvoltage.server.live.endpoint import live
from highvoltage.server.live.outgoing import OutgoingHttp
from highvoltage.server.live.webhooks import Webhooks
from highvoltage.server.lobby.account import Accounts
from highvoltage.server.lobby.handlers import handlers
from highvoltage.server.lobby.library import MapLibrary, publication_limits
from highvoltage.server.lobby.linking import Linking
from highvoltage.server.lobby.page import page
from highvoltage.server.lobby.page_build import PageBuild
from highvoltage.server.lobby.passkeys import PasskeyController
from highvoltage.server.lobby.pushing import Pushing
from highvoltage.server.lobby.reports import report_limits, report_line
from highvoltage.server.mail.keys import MailKeys
from highvoltage.server.mail.letters import Letters
from highvoltage.server.mail.requests import MailController, MailLimits
from highvoltage.server.mail.sending import Mail
from highvoltage.server.mail.smtp import SmtpSender
from highvoltage.server.metrics_server import serve_metrics
from highvoltage.server.models.endpoint import ModelEndpoint, is_installed
from highvoltage.server.openapi import openapi
from highvoltage.server.people.arena import keep_arena
from highvoltage.server.people.calendar import CalendarController
from highvoltage.server.people.contacts import (
    ContactsController,
    InvitationLimits,
    InvitationsController,
)
from highvoltage.server.people.counting import count_games
from highvoltage.server.people.history import (
    History,
    game_filter_of,
    public_filter_of,
    public_games,
)
from highvoltage.server.people.holidays import HolidaysController
from highvoltage.server.people.profile import Profiles
from highvoltage.server.people.puzzles import solve_puzzle
from highvoltage.server.people.rating import leaderboard
from highvoltage.server.people.tonight import FindLock, TonightController
from highvoltage.server.store import SqlStore
from highvoltage.server.threads import WorkThreads
from highvoltage.server.vitals import check_ready, measure_lag

if TYPE_CHECKING:  # needs an extra
    from highvoltage.server.live.push import Push

log: logging.Logger = logging.getLogger(__name__)


def prepare() -> None:
    """Do what is slow, or would crash if two threads did it at once, before the first request.

    msgspec inspects a class when it first decodes one. So each rulebook reads its files once, here.
    """
    for name, about in metas().items():
        rulebook(name, min(about.players), None, {})
    bots.names()


def build(config: Config, secret: bytes, page_build: PageBuild) -> Guard:
    """The application, guarded, ready for uvicorn."""
    identities = Identities(secret)
    store = SqlStore(config.database)
    outgoing = OutgoingHttp(private=config.private_webhooks)
    push = _push(config, store, outgoing)
    store.claim()
    logins = Sessions(store, Devices(secret))
    passwords = Passwords(config.limits)
    budgets = Budgets(config.limits)
    lan_gate = LanGate(config)
    pools = Pools(config.workers)
    bot_service = BotService(pools, config.bot_seconds, config.bot_budget)
    threads = WorkThreads()
    webhooks = Webhooks(store, outgoing)
    context = RoomContext(
        store,
        bot_service,
        threads,
        config.limits,
        webhooks,
        push,
        rates_games=True,
        arena_share=config.arena_share,
    )
    rooms = Rooms(context)
    cup_rounds = CupRounds(store, rooms)
    mail = _mail(config, store, rooms, secret)
    analysis_runner = AnalysisRunner(context, config.analysis_budget)
    supervisor, reports = rooms.supervisor, report_limits()
    models = ModelEndpoint(rooms, chat=config.model_chat, body_bytes=config.limits.body_bytes)

    @asynccontextmanager
    async def lifespan(_: Litestar) -> AsyncIterator[None]:
        report_strays(asyncio.get_running_loop())
        await store.open()
        prepare()
        try:
            lag = partial(measure_lag, supervisor)
            results = partial(count_games, store, threads.replay, supervisor)
            arena = partial(keep_arena, rooms, store)
            mails = {} if mail is None else {"mail": mail.run}
            tasks = supervisor.running(
                lag=lag, results=results, arena=arena, cups=cup_rounds.run, **mails
            )
            async with rooms.running(), tasks:
                with serve_metrics(config, partial(check_ready, store, supervisor)):
                    yield
        finally:
            if mail is not None:
                mail.close()
            await models.close()
            await analysis_runner.close()
            await webhooks.close()
            if push is not None:
                await push.close()
            outgoing.close()
            passwords.close()
            threads.close()
            await pools.close()
            await store.close()

    def provide(value: object) -> Provide:
        return Provide(lambda: value, sync_to_thread=False)

    app = Litestar(
        route_handlers=[
            *handlers(),
            Accounts,
            Clubs,
            ContactsController,
            HolidaysController,
            CalendarController,
            InvitationsController,
            Linking,
            Cups,
            Pushing,
            History,
            MailController,
            MapLibrary,
            PasskeyController,
            Profiles,
            TonightController,
            leaderboard,
            public_games,
            solve_puzzle,
            report_line,
            live,
            healthz,
            server_address,
            switch_lan,
            schema,
            page,
            *([asgi("/mcp", copy_scope=False)(models)] if is_installed() else []),
        ],
        dependencies={
            "store": provide(store),
            "rooms": provide(rooms),
            "analysis_runner": provide(analysis_runner),
            "cup_rounds": provide(cup_rounds),
            "config": provide(config),
            "budgets": provide(budgets),
            "identities": provide(identities),
            "logins": provide(logins),
            "passwords": provide(passwords),
            "passkeys": provide(Passkeys(store, secret)),
            "site": Provide(site, sync_to_thread=False),
            "visitor": Provide(visitor_of, sync_to_thread=False),
            "person": Provide(person_of, sync_to_thread=False),
            "reports": provide(reports),
            "publications": provide(publication_limits()),
            "push": provide(push),
            "mail": provide(mail),
            "mail_limits": provide(MailLimits()),
            "find_lock": provide(FindLock()),
            "invitation_limits": provide(InvitationLimits()),
            "lan_gate": provide(lan_gate),
            "page_build": provide(page_build),
            "game_filter": Provide(game_filter_of, sync_to_thread=False),
            "public_filter": Provide(public_filter_of, sync_to_thread=False),
            "mark": Provide(mark_of, sync_to_thread=False),
        },
        lifespan=[lifespan],
        exception_handlers={
            HighVoltageError: _refused,
            HTTPException: _http,
            RecursionError: _too_deep,
            StoreError: _store_failed,
            Exception: _failed,
        },
        openapi_config=None,
        request_max_body_size=config.limits.body_bytes,
        logging_config=None,
    )
    return Guard(app, identities, logins, budgets, config, lan_gate)


def _push(config: Config, store: SqlStore, outgoing: OutgoingHttp) -> "Push | None":
    if not config.push.key:
        return None
    with extra("push"):
        from highvoltage.server.live.push import Push  # noqa: PLC0415  # needs an extra
        from highvoltage.server.live.push_encryption import PushSender  # noqa: PLC0415
    try:
        sender = PushSender(config.push.key, config.push.contact)
    except ValueError:
        raise ConfigError(
            "The key of [push] is none that can be used; `highvoltage admin push-key` makes one."
        ) from None
    return Push(store, outgoing, sender)


def _mail(config: Config, store: SqlStore, rooms: Rooms, secret: bytes) -> Mail | None:
    if not config.mail.host:
        return None
    keys = MailKeys(secret)
    letters = Letters(config.mail.sender, config.origin, keys)
    return Mail(store, rooms, keys, letters, SmtpSender(config.mail))


def visitor_of(scope: Scope) -> Visitor:
    found: Visitor = scope["highvoltage"]  # type: ignore[typeddict-item]  # set by the guard
    return found


def site(request: Request[Any, Any, Any], config: Given[Config]) -> Site:
    """The site that a visitor sees."""
    host = request.headers.get("host", "")
    return site_of(str(request.scope["scheme"]), host, config.origin)


def person_of(visitor: Given[Visitor]) -> Person:
    """The visitor, as the rooms see one."""
    return visitor


def mark_of(visitor: Given[Visitor], ref: FromQuery[Ref | None] = None) -> str | None:
    """By what the store knows again what a request writes; None where it was given no name."""
    return None if ref is None else write_mark(visitor.who, ref)


@get("/healthz", tags=["server"])
async def healthz(store: Given[SqlStore], rooms: Given[Rooms]) -> Health:
    """Whether the server, its store and its background tasks are alive."""
    try:
        await store.ping()
    except TimeoutError:
        raise unavailable("The store does not answer.") from None
    if stale := rooms.supervisor.stale_tasks():
        raise unavailable(f"No sign of life from: {', '.join(stale)}.")
    return Health("ok", __version__)


@get("/schema", include_in_schema=False)
async def schema(request: Request[Any, Any, Any]) -> Response[bytes]:
    """The protocol as OpenAPI."""
    document = await asyncio.to_thread(_schema, request.app)
    return Response(document, media_type=MediaType.JSON)


@cache
def _schema(app: Litestar) -> bytes:
    return msgspec.json.encode(openapi(app))


def _problem(status: int, problem: Problem) -> Response[Problem]:
    headers = {name.decode(): value.decode() for name, value in retry_header(problem)}
    return Response(problem, status_code=status, media_type=MediaType.JSON, headers=headers)


def _refused(request: Request[Any, Any, Any], error: HighVoltageError) -> Response[Problem]:
    problem = msgspec.structs.replace(problem_of(error), ref=request.query_params.get("ref"))
    return _problem(status_of(error), problem)


def _http(_: Request[Any, Any, Any], error: HTTPException) -> Response[Problem]:
    code = HTTPStatus(error.status_code).phrase.lower().replace(" ", "_")
    extra = error.extra if isinstance(error.extra, list) else []
    values = {"fields": extra} if extra else {}
    return _problem(error.status_code, Problem(code, error.detail, msgspec.to_builtins(values)))


def _too_deep(_: Request[Any, Any, Any], __: RecursionError) -> Response[Problem]:
    problem = Problem("malformed", "The JSON is nested beyond all measure.")
    return _problem(HTTPStatus.BAD_REQUEST, problem)


def _store_failed(request: Request[Any, Any, Any], error: StoreError) -> Response[Problem]:
    log.error("store failed", extra={"why": type(error).__name__})
    problem = problem_of_failure(error, may_be_kept=request.method not in {"GET", "HEAD"})
    problem.ref = request.query_params.get("ref")
    return _problem(HTTPStatus.SERVICE_UNAVAILABLE, problem)


def _failed(request: Request[Any, Any, Any], error: Exception) -> Response[Problem]:
    log.error("request failed", exc_info=error, extra={"route": request.route_handler.handler_name})
    status = HTTPStatus.INTERNAL_SERVER_ERROR
    return _problem(status, problem_for("internal_error"))
