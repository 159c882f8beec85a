"""Requests by method and path. The server and the browser answer them with the same functions.

A function names what it needs: `rooms`, the `analysis_runner`, the `person` who asks, the `mark` of
a write that may be repeated (from `ref` in the query), the JSON in the body as `data`, the body
itself as `body`, and parts of the path and the query by their names.
"""

from collections.abc import Callable
from functools import cached_property
from http import HTTPStatus
from inspect import Parameter, iscoroutinefunction, signature
from typing import Any, Literal, TypeVar, cast

from msgspec import Struct

JSON, TEXT, SVG = "application/json", "text/plain", "image/svg+xml"
Source = Literal["given", "path", "data", "body", "query"]
Call = TypeVar("Call", bound=Callable[..., Any])
GIVEN = {"rooms", "analysis_runner", "person", "mark"}


class File(Struct, frozen=True):
    """An answer that is saved as a file."""

    text: str
    media_type: str
    name: str


class Route(Struct, dict=True, frozen=True):
    """A request, and the function that answers it."""

    method: str
    path: str
    tag: str
    call: Callable[..., Any]
    status: HTTPStatus
    media_type: str

    @cached_property
    def parameters(self) -> dict[str, Parameter]:
        return {**signature(self.call, eval_str=True).parameters}

    @cached_property
    def is_async(self) -> bool:
        """Whether the function awaits something; else it computes, which may take its time."""
        return iscoroutinefunction(self.call)

    def source(self, name: str) -> Source:
        """Where the value of a parameter comes from."""
        if name in GIVEN:
            return "given"
        if name in {"data", "body"}:
            return cast("Source", name)
        return "path" if f"{{{name}}}" in self.path else "query"


class Routes(list[Route]):
    """The requests about one subject."""

    def __init__(self, path: str, tag: str) -> None:
        self.path = path
        self.tag = tag

    def get(self, path: str = "", media_type: str = JSON) -> Callable[[Call], Call]:
        return self._add("GET", path, HTTPStatus.OK, media_type)

    def post(
        self, path: str = "", status: HTTPStatus = HTTPStatus.CREATED
    ) -> Callable[[Call], Call]:
        return self._add("POST", path, status, JSON)

    def delete(self, path: str) -> Callable[[Call], Call]:
        return self._add("DELETE", path, HTTPStatus.NO_CONTENT, JSON)

    def _add(
        self, method: str, path: str, status: HTTPStatus, media_type: str
    ) -> Callable[[Call], Call]:
        def add(call: Call) -> Call:
            self.append(Route(method, self.path + path, self.tag, call, status, media_type))
            return call

        return add
