"""Finds the function that answers a request of the page, and reads what it needs."""

import logging
import re
from collections.abc import Sequence
from http import HTTPStatus
from inspect import Parameter
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, unquote, urlsplit

import msgspec

from highvoltage.engine.errors import HighVoltageError
from highvoltage.rooms.messages import Problem, Ref
from highvoltage.rooms.person import Person
from highvoltage.rooms.problems import not_found, problem_for, problem_of, server_only, status_of
from highvoltage.rooms.routing import JSON, File, Route
from highvoltage.rooms.rows import write_mark
from highvoltage.rooms.store import StoreError, problem_of_failure

SAFE_METHODS = {"GET", "HEAD"}
FAULT_AT = re.compile(r" - at `\$?(?P<at>.*)`$")
"""How msgspec says where a fault is."""

log: logging.Logger = logging.getLogger(__name__)


class Answer(NamedTuple):
    """The status, the type and the text of an answer."""

    status: int
    media_type: str
    text: str


class _Invalid(Exception):
    """Something in a request cannot be read."""

    def __init__(self, source: str, name: str, error: Exception | str) -> None:
        text = str(error)
        found = FAULT_AT.search(text)
        at = found["at"].lstrip(".") if found else ""
        self.field: dict[str, str] = {
            "message": FAULT_AT.sub("", text),
            "key": at or name,
            "source": source,
        }
        super().__init__(text)


class Router:
    """The routes, those with the fewest variable parts first."""

    def __init__(self, routes: Sequence[Route]) -> None:
        found = sorted(routes, key=lambda route: route.path.count("{"))
        self._routes = [(re.compile(_pattern(route.path)), route) for route in found]

    async def answer(
        self, given: dict[str, Any], person: Person, method: str, url: str, body: str | None
    ) -> Answer:
        """The answer, or why there is none."""
        parts = urlsplit(url)
        query = dict(parse_qsl(parts.query, keep_blank_values=True))
        try:
            route, path = self._find(method, parts.path)
            ref = _convert("query", "ref", query["ref"], Ref) if "ref" in query else None
            mark = None if ref is None else write_mark(person.who, ref)
            known = {**given, "person": person, "mark": mark}
            return await _call(route, {"given": known, "path": path, "query": query}, body)
        except _Invalid as invalid:
            message = f"Validation failed for {method} {parts.path}"
            problem = Problem("bad_request", message, {"fields": [invalid.field]})
            return _refusal(HTTPStatus.BAD_REQUEST, problem)
        except HighVoltageError as error:
            problem = msgspec.structs.replace(problem_of(error), ref=query.get("ref"))
            return _refusal(status_of(error), problem)
        except StoreError as error:
            log.error("store failed", extra={"why": type(error).__name__})  # noqa: TRY400
            problem = problem_of_failure(error, may_be_kept=method not in SAFE_METHODS)
            problem.ref = query.get("ref")
            return _refusal(HTTPStatus.SERVICE_UNAVAILABLE, problem)
        except Exception:
            log.exception("request failed", extra={"path": parts.path})
            return _refusal(HTTPStatus.INTERNAL_SERVER_ERROR, problem_for("internal_error"))

    def _find(self, method: str, path: str) -> tuple[Route, dict[str, str]]:
        for pattern, route in self._routes:
            if route.method == method and (found := pattern.fullmatch(path)):
                return route, {name: unquote(part) for name, part in found.groupdict().items()}
        raise server_only() if path.startswith("/api/") else not_found("page")


async def _call(route: Route, sources: dict[str, dict[str, Any]], body: str | None) -> Answer:
    values = {
        name: _value(route, name, parameter, sources, body)
        for name, parameter in route.parameters.items()
    }
    found = await route.call(**values) if route.is_async else route.call(**values)
    if isinstance(found, File):
        return Answer(int(route.status), found.media_type, found.text)
    if route.status == HTTPStatus.NO_CONTENT:
        return Answer(int(route.status), route.media_type, "")
    text = msgspec.json.encode(found).decode() if route.media_type == JSON else found
    return Answer(int(route.status), route.media_type, text)


def _value(
    route: Route,
    name: str,
    parameter: Parameter,
    sources: dict[str, dict[str, Any]],
    body: str | None,
) -> Any:
    source = route.source(name)
    if source == "given":
        return sources["given"][name]
    if source == "body":
        return (body or "").encode()
    if source == "data":
        try:
            return msgspec.json.decode(body or "", type=parameter.annotation)
        except (msgspec.MsgspecError, RecursionError) as error:
            raise _Invalid("body", "data", error) from None
    found = sources[source]
    if name in found:
        return _convert(source, name, found[name], parameter.annotation)
    if parameter.default is Parameter.empty:
        raise _Invalid(source, name, "Missing required query parameter.")
    return parameter.default


def _convert(source: str, name: str, text: str, kind: Any) -> Any:
    try:
        return msgspec.convert(text, kind, strict=False)
    except msgspec.MsgspecError as error:
        raise _Invalid(source, name, error) from None


def _pattern(path: str) -> str:
    return re.sub(r"{(\w+)}", r"(?P<\1>[^/]+)", path)


def _refusal(status: int, problem: Problem) -> Answer:
    return Answer(int(status), JSON, msgspec.json.encode(problem).decode())
