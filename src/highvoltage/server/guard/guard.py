"""Middleware for every request: checks it, identifies the visitor, and adds security headers.

A browser reports where a request comes from (`Sec-Fetch-Site`, `Origin`), so one that another site
triggered is refused. Programs other than browsers send neither header and have no cookie that
another site could misuse. With a token (`bearer.py`) the cookie is ignored.
"""

import logging
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any
from urllib.parse import urlsplit

import msgspec

from highvoltage.rooms.messages import Problem
from highvoltage.rooms.problems import (
    bad_token,
    banned,
    many_connections,
    problem_for,
    retry_header,
    too_fast,
)
from highvoltage.rooms.store import StoreError
from highvoltage.server.config import Config
from highvoltage.server.guard.bearer import (
    FROM_ANYWHERE,
    PREFLIGHT,
    is_preflight,
    token_in_message,
    token_of,
)
from highvoltage.server.guard.budget import Budget, Budgets
from highvoltage.server.guard.devices import DEVICE_COOKIE
from highvoltage.server.guard.http import TOO_MANY_KEY
from highvoltage.server.guard.identity import (
    MAX_COOKIE_LENGTH,
    Identities,
    Visitor,
    cookie_value,
    set_cookie,
)
from highvoltage.server.guard.origin import network_of
from highvoltage.server.guard.sessions import Sessions
from highvoltage.server.guard.websocket import CONNECTION_KEY
from highvoltage.server.lan import LanGate
from highvoltage.server.metrics import REQUESTS
from highvoltage.server.network import LOCAL_HOSTS, is_local

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
ASGIApp = Callable[[Any, Any, Any], Awaitable[None]]
Refusal = tuple[int, Problem]

SAFE_METHODS = {"GET", "HEAD", "OPTIONS"}

CONTENT_SECURITY_POLICY = (
    b"default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; img-src 'self' data: blob:;"
    b" style-src 'self' 'unsafe-inline'; object-src 'none'; base-uri 'none'; form-action 'self';"
    b" frame-ancestors 'none'"
)
HEADERS = [
    (b"content-security-policy", CONTENT_SECURITY_POLICY),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=()"),
]

EMBEDDED = "/embed/"
"""Where a game can be shown in a frame of another site; all other pages refuse that."""
FRAME_HEADERS = [
    (name, value.replace(b"frame-ancestors 'none'", b"frame-ancestors *"))
    for name, value in HEADERS
    if name != b"x-frame-options"
]

BAD_TOKEN = 401, bad_token().problem

log: logging.Logger = logging.getLogger(__name__)


class Guard:
    """ASGI middleware around the application."""

    def __init__(
        self,
        app: ASGIApp,
        identities: Identities,
        logins: Sessions,
        budgets: Budgets,
        config: Config,
        lan_gate: LanGate,
    ) -> None:
        self.app = app
        self.identities = identities
        self.logins = logins
        self.hosts: tuple[str, ...] = config.hosts or (LOCAL_HOSTS if is_local(config.host) else ())
        self.budgets: Budgets = budgets
        self.lan_gate: LanGate = lan_gate

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in {"http", "websocket"}:
            await self.app(scope, receive, send)
            return
        headers = {
            name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]
        }
        token = token_of(headers)
        bearer = token is not None or token_in_message(scope)
        cookies = "" if bearer else headers.get("cookie", "")
        if bearer:
            known = self.identities.read(token or "")
        else:
            known = self.identities.read_cookie(cookies)
        visitor = scope["highvoltage"] = known or self.identities.new()
        visitor.device = cookie_value(cookies, DEVICE_COOKIE)[:MAX_COOKIE_LENGTH]
        visitor.bearer = bearer
        visitor.network = network_of((scope.get("client") or ("", 0))[0])
        visitor.origin = self.identities.network_hash(visitor.network)
        budget = self.budgets.of(visitor.network, known.who if known else None)
        refusal = self._refusal(scope, headers, budget)
        if refusal is None and token is not None and known is None:
            refusal = BAD_TOKEN
        await budget.charge(self._handle(scope, receive, send, headers, known, refusal))

    async def _handle(
        self,
        scope: Scope,
        receive: Receive,
        send: Send,
        headers: dict[str, str],
        known: Visitor | None,
        refusal: Refusal | None,
    ) -> None:
        visitor: Visitor = scope["highvoltage"]
        # Over a WebSocket anybody may watch; what is sent is checked message by message.
        acts = _changes(scope) and scope["type"] == "http"
        refusal = refusal or await self._recognise(visitor, acts=acts)
        if scope["type"] == "websocket":
            await self._connect(scope, receive, send, known, refusal)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                REQUESTS.labels(message["status"]).inc()
                message["headers"] = [*message["headers"], *self._extra_headers(scope, known)]
                if visitor.bearer:
                    message["headers"].append(FROM_ANYWHERE)
            await send(message)

        if refusal is not None:
            await _refuse(send_with_headers, *refusal)
        elif is_preflight(scope, headers):
            await _answer(send_with_headers, 204, PREFLIGHT)
        else:
            await self.app(scope, receive, send_with_headers)

    def _extra_headers(self, scope: Scope, known: Visitor | None) -> list[tuple[bytes, bytes]]:
        """The headers of every answer, and a cookie for a visitor who needs a new one."""
        visitor: Visitor = scope["highvoltage"]
        headers = [*(FRAME_HEADERS if scope["path"].startswith(EMBEDDED) else HEADERS)]
        fresh = visitor.fresh or (known is None and scope["method"] not in SAFE_METHODS)
        secure = scope["scheme"] == "https"
        if fresh and not visitor.bearer:
            cookie = self.identities.cookie(visitor, secure=secure)
            headers.append((b"set-cookie", cookie.encode()))
        if visitor.new_device and not visitor.bearer:
            cookie = set_cookie(DEVICE_COOKIE, visitor.device, secure=secure)
            headers.append((b"set-cookie", cookie.encode()))
        if scope["path"].startswith("/api"):
            headers.append((b"cache-control", b"no-store"))
        return headers

    def _refusal(self, scope: Scope, headers: dict[str, str], budget: Budget) -> Refusal | None:
        host = headers.get("host", "")
        name = _name_of(host)
        known = {each.strip("[]") for each in self.hosts} | {self.lan_gate.address}
        if self.hosts and (name is None or name not in known):
            return 403, problem_for("wrong_host")
        guarded = _changes(scope) and not scope["highvoltage"].bearer
        if guarded and not _same_origin(headers, host):
            return 403, problem_for("wrong_origin")
        if TOO_MANY_KEY in scope:
            return 429, many_connections().problem
        if seconds := budget.retry_after():
            return 429, too_fast(seconds).problem
        return None

    async def _recognise(self, visitor: Visitor, *, acts: bool) -> Refusal | None:
        """Find the account of a visitor; a banned visitor may only watch."""
        try:
            if not await self.logins.is_valid(visitor):
                if visitor.bearer:
                    return BAD_TOKEN
                if not await self.logins.is_named_in_ban(visitor):  # else a ban would end with it
                    self.identities.renew(visitor)
        except StoreError:
            return 503, problem_for("no_store")
        if acts and await self.logins.is_banned(visitor):
            refused = banned()
            return refused.status, refused.problem
        return None

    async def _connect(
        self,
        scope: Scope,
        receive: Receive,
        send: Send,
        known: Visitor | None,
        refusal: Refusal | None,
    ) -> None:
        close = None
        if refusal is None:
            network = scope["highvoltage"].network
            close = self.budgets.open_websocket(network, known.who if known else None)
        if close is None:
            await receive()
            await _refuse(send, *(refusal or (429, many_connections().problem)), "websocket.")
            return
        scope[CONNECTION_KEY].add_close_callback(close)
        await self.app(scope, receive, send)


def _changes(scope: Scope) -> bool:
    """Whether a request may change something."""
    return scope["type"] == "websocket" or scope["method"] not in SAFE_METHODS


def _name_of(host: str) -> str | None:
    try:
        return urlsplit(f"//{host}").hostname
    except ValueError:  # an incomplete IPv6 address
        return None


def _same_origin(headers: dict[str, str], host: str) -> bool:
    site = headers.get("sec-fetch-site")
    if site is not None and site not in {"same-origin", "none"}:
        return False
    origin = headers.get("origin")
    try:
        return origin is None or urlsplit(origin).netloc == host
    except ValueError:
        return False


async def _refuse(send: Send, status: int, problem: Problem, kind: str = "") -> None:
    body = msgspec.json.encode(problem)
    headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]
    headers += retry_header(problem)
    if problem.code == "many_connections":
        headers.append((b"connection", b"close"))  # the rest of the request is not awaited
    await _answer(send, status, headers, body, kind)


async def _answer(
    send: Send,
    status: int,
    headers: list[tuple[bytes, bytes]],
    body: bytes = b"",
    kind: str = "",
) -> None:
    await send({"type": f"{kind}http.response.start", "status": status, "headers": headers})
    await send({"type": f"{kind}http.response.body", "body": body})
