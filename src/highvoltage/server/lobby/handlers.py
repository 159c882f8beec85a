"""The requests of the rooms, over HTTP."""

from functools import cache, partial
from inspect import Parameter, Signature, signature
from typing import Annotated, Any, cast, get_args

from litestar import Request, Response
from litestar.di import NamedDependency
from litestar.handlers import HTTPRouteHandler
from litestar.params import JSONBody, PathParameter, QueryParameter, SkipValidation
from msgspec import Meta

from highvoltage.rooms.requests import ROUTES
from highvoltage.rooms.routing import File, Route, Source
from highvoltage.server.guard.budget import to_thread

SOURCES: dict[str, Any] = {"path": PathParameter, "query": QueryParameter}
BODY: Any = JSONBody
GIVEN: Any = NamedDependency
UNCHECKED: Any = SkipValidation
CONSTRAINTS = ("ge", "max_length")


@cache
def handlers() -> tuple[HTTPRouteHandler, ...]:
    return tuple(map(_handler, ROUTES))


def _handler(route: Route) -> HTTPRouteHandler:
    async def handle(**given: Any) -> Any:
        if "request" in given:
            request: Request[Any, Any, Any] = given.pop("request")
            given["body"] = await request.body()
        if route.is_async:
            found = await route.call(**given)
        else:
            found = await to_thread(partial(route.call, **given))
        return _download(found) if isinstance(found, File) else found

    kinds = _parameters(route)
    returned = signature(route.call, eval_str=True).return_annotation
    returned = Response[str] if returned is File else returned
    handle.__name__ = handle.__qualname__ = route.call.__name__
    handle.__doc__ = route.call.__doc__
    handle.__annotations__ = {kind.name: kind.annotation for kind in kinds} | {"return": returned}
    cast("Any", handle).__signature__ = Signature(kinds, return_annotation=returned)
    path = route.path
    for name, parameter in route.parameters.items():
        kind = "int" if "int" in str(parameter.annotation) else "str"
        path = path.replace(f"{{{name}}}", f"{{{name}:{kind}}}")
    return HTTPRouteHandler(
        path,
        http_method=route.method,  # type: ignore[arg-type]  # one of its literals
        status_code=route.status,
        media_type=route.media_type,
        tags=[route.tag],
    )(handle)


def _parameters(route: Route) -> list[Parameter]:
    """The parameters of a function, and how Litestar finds their values."""
    found = []
    for name, parameter in route.parameters.items():
        source = route.source(name)
        if source == "body":
            kind: Any = Request[Any, Any, Any]
            found.append(Parameter("request", Parameter.KEYWORD_ONLY, annotation=kind))
        else:
            kind = _wanted(source, parameter.annotation)
            keyword = parameter.replace(kind=Parameter.KEYWORD_ONLY, annotation=kind)
            found.append(keyword)
    return found


def _wanted(source: Source, kind: Any) -> Any:
    """A type as Litestar expects it; constraints in its own terms, for it ignores others."""
    if source == "data":
        return BODY[kind]
    if source == "given":  # a visitor is a person, which it would not believe
        return GIVEN[UNCHECKED[kind]]
    meta = next((each for each in get_args(kind) if isinstance(each, Meta)), None)
    given = {name: getattr(meta, name) for name in CONSTRAINTS if meta is not None}
    return Annotated[get_args(kind)[0] if meta else kind, SOURCES[source](**given)]


def _download(file: File) -> Response[Any]:
    text: Any = file.text if file.media_type == "text/plain" else file.text.encode()
    headers = {"content-disposition": f'attachment; filename="{file.name}"'}
    return Response(text, media_type=file.media_type, headers=headers)
