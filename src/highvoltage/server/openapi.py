"""The machine-readable protocol: OpenAPI, generated from the types that the server uses.

msgspec generates the schemas, so they state exactly what is accepted and sent, including limits,
tags, the views of all families and the messages of the WebSocket.
"""

import re
from collections.abc import Iterator
from http import HTTPStatus
from typing import Any

import msgspec
from litestar import Litestar
from litestar.handlers import HTTPRouteHandler
from litestar.response import Response
from litestar.routes import HTTPRoute

from highvoltage import __version__
from highvoltage.rooms.messages import Position, Problem, Ref
from highvoltage.rooms.socket_messages import CLIENT_MESSAGES, SERVER_MESSAGES, StateMessage
from highvoltage.server.guard.identity import COOKIE
from highvoltage.server.people.messages import GameFilter, PublicGameFilter
from highvoltage.views import FAMILIES, PlainView

REFS = "#/components/schemas/{name}"
EXTRA_TYPES: dict[str, Any] = {"import_record": str}
"""Bodies that a handler reads itself."""
SECURITY = {
    "token": {"type": "http", "scheme": "bearer"},
    "cookie": {"type": "apiKey", "in": "cookie", "name": COOKIE},
}
ALSO_JSON = {"record"}
"""Handlers whose text is also available as JSON."""
FILTERS = {"game_filter": GameFilter, "public_filter": PublicGameFilter}
"""What a request may choose games by, by the parameter of its handler."""
FILES = {"export": ("application/jsonl", "application/zip")}
"""Handlers whose answer is a file of one of these types."""


def openapi(app: Litestar) -> dict[str, Any]:
    """The OpenAPI document of an application."""
    handlers = [*_handlers(app)]
    views = [*FAMILIES.values(), PlainView]
    types: list[Any] = [*CLIENT_MESSAGES, *SERVER_MESSAGES, *views, Problem]
    for path, _, handler in handlers:
        types += [kind for kind in (_body(handler), _answer(handler)) if kind is not None]
        types += [kind for _, kind, _ in _query(path, handler)]
    schemas, components = msgspec.json.schema_components(
        types, ref_template=REFS, schema_hook=_anything
    )
    written = {_key(kind): schema for kind, schema in zip(types, schemas, strict=True)}
    refs = [written[_key(view)] for view in views]
    for message in SERVER_MESSAGES:  # fields with a default are sent, too
        components[message.__name__]["required"] = [*components[message.__name__]["properties"]]
    components[StateMessage.__name__]["properties"]["view"] = {"anyOf": [*refs, {"type": "null"}]}
    components[Position.__name__]["properties"]["view"] = {"anyOf": refs}
    paths: dict[str, Any] = {}
    for path, method, handler in handlers:
        paths.setdefault(path, {})[method] = _operation(path, handler, written)
    return _short_names(
        {
            "openapi": "3.1.0",
            "info": {"title": "High Voltage", "version": __version__},
            "paths": paths,
            "components": {"schemas": components, "securitySchemes": SECURITY},
            "security": [{}, *({name: []} for name in SECURITY)],
        }
    )


def _anything(kind: type) -> dict[str, Any]:
    """The schema of `object`."""
    if kind is not object:
        raise NotImplementedError
    return {"description": "anything"}


def _handlers(app: Litestar) -> Iterator[tuple[str, str, HTTPRouteHandler]]:
    for route in app.routes:
        if isinstance(route, HTTPRoute):
            for handler in sorted(route.route_handlers, key=lambda one: one.handler_name):
                if handler.resolve_include_in_schema():
                    path = re.sub(r"{(\w+):\w+}", r"{\1}", route.path)
                    for method in handler.http_methods - {"OPTIONS", "HEAD"}:
                        yield path, method.lower(), handler


def _operation(path: str, handler: HTTPRouteHandler, written: dict[str, Any]) -> dict[str, Any]:
    problem = {"description": "Refused", "content": _json(written[_key(Problem)])}
    operation: dict[str, Any] = {
        "operationId": handler.handler_name.rpartition(".")[2],
        "summary": (handler.fn.__doc__ or "").strip(),
        "tags": [*(handler.tags or ())],
        "responses": {
            str(handler.status_code): _success(handler, written),
            **{str(code.value): problem for code in _REFUSALS},
        },
    }
    parameters = [
        {"name": name, "in": "path", "required": True, "schema": _path_type(name, handler)}
        for name in _in_path(path)
    ]
    for name, kind, required in _query(path, handler):
        schema = written[_key(kind)]
        parameters.append({"name": name, "in": "query", "required": required, "schema": schema})
    if parameters:
        operation["parameters"] = parameters
    body = _body(handler)
    if body is not None:
        kind = "text/plain" if handler.fn.__name__ in EXTRA_TYPES else "application/json"
        content = {kind: {"schema": written[_key(body)]}}
        operation["requestBody"] = {"required": True, "content": content}
    return operation


_REFUSALS = (
    HTTPStatus.BAD_REQUEST,
    HTTPStatus.UNAUTHORIZED,
    HTTPStatus.FORBIDDEN,
    HTTPStatus.NOT_FOUND,
    HTTPStatus.CONFLICT,
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    HTTPStatus.TOO_MANY_REQUESTS,
    HTTPStatus.SERVICE_UNAVAILABLE,
)


def _success(handler: HTTPRouteHandler, written: dict[str, Any]) -> dict[str, Any]:
    if handler.status_code == HTTPStatus.NO_CONTENT:
        return {"description": "Done"}
    answer = _answer(handler)
    if answer is None:
        kinds = FILES.get(handler.fn.__name__, ("text/plain",))
        content = {kind: {"schema": {"type": "string"}} for kind in kinds}
        if handler.fn.__name__ in ALSO_JSON:
            content |= _json({"type": "object"})
    else:
        content = _json(written[_key(answer)])
    return {"description": "Done", "content": content}


def _json(schema: Any) -> dict[str, Any]:
    return {"application/json": {"schema": schema}}


def _body(handler: HTTPRouteHandler) -> Any:
    data = handler.parsed_fn_signature.parameters.get("data")
    return data.raw if data else EXTRA_TYPES.get(handler.fn.__name__)


def _answer(handler: HTTPRouteHandler) -> Any:
    """The type of the answer; None for text."""
    returned = handler.parsed_fn_signature.return_type
    if returned.annotation is str or returned.is_subclass_of(Response):
        return None
    return returned.raw


def _query(path: str, handler: HTTPRouteHandler) -> list[tuple[str, Any, bool]]:
    given = {*handler.resolve_dependencies(), *_in_path(path), "data", "request", "self", "ref"}
    parameters = handler.parsed_fn_signature.parameters
    ref: list[tuple[str, Any, bool]] = [("ref", Ref, False)] if "mark" in parameters else []
    filters = [
        (field.name, field.type, False)
        for name, wanted in FILTERS.items()
        if name in parameters
        for field in msgspec.structs.fields(wanted)
    ]
    return [*ref, *filters] + [
        (name, field.raw, not field.has_default)
        for name, field in parameters.items()
        if name not in given
    ]


def _in_path(path: str) -> list[str]:
    return re.findall(r"{(\w+)}", path)


def _path_type(name: str, handler: HTTPRouteHandler) -> dict[str, Any]:
    field = handler.parsed_fn_signature.parameters[name]
    return {"type": "integer", "minimum": 0} if field.annotation is int else {"type": "string"}


def _key(kind: Any) -> str:
    return repr(kind)


def _short_names(document: dict[str, Any]) -> dict[str, Any]:
    """Distinguish types of the same name in several families by a prefix."""
    text = msgspec.json.encode(document).decode()
    text = re.sub(r"highvoltage\.views\.(\w+)\.(\w+)", lambda m: m[1].capitalize() + m[2], text)
    found: dict[str, Any] = msgspec.json.decode(text)
    return found
