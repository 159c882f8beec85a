"""The web page; each of its files is read and compressed once."""

import asyncio
import gzip
import hashlib
from functools import cache
from mimetypes import guess_type
from pathlib import Path
from typing import Any, NamedTuple

from litestar import MediaType, Request, Response, get
from litestar.di import NamedDependency as Given
from litestar.params import FromPath
from msgspec import MsgspecError

from highvoltage.rooms.problems import not_found, unavailable
from highvoltage.rooms.rooms import Rooms
from highvoltage.rooms.store import StoreError
from highvoltage.server.config import Config
from highvoltage.server.guard.identity import Visitor
from highvoltage.server.lobby.invitation import PICTURES, preview_tags
from highvoltage.server.lobby.page_build import PageBuild, waiting_page

WEB = Path(__file__).parents[2] / "web_dist"
NAMED_BY_CONTENT = {"assets", "engine"}
START_FILE = "/index.html"
PLACES = {
    "",
    "club",
    "cup",
    "cups",
    "embed",
    "games",
    "leaderboard",
    "library",
    "link",
    "mail",
    "maker",
    "new",
    "puzzle",
    "puzzles",
    "replay",
    "rules",
    "table",
    "tonight",
    "tutorial",
    "u",
}
"""How the paths of the page start (web/src/App.svelte)."""


class PageFile(NamedTuple):
    """A file of the page as it is sent."""

    kind: str
    plain: bytes
    compressed: bytes
    etag: str
    cache_control: str


@get(["/", "/{file:path}"], include_in_schema=False)
async def page(
    request: Request[Any, Any, Any],
    visitor: Given[Visitor],
    rooms: Given[Rooms],
    config: Given[Config],
    page_build: Given[PageBuild],
    file: FromPath[str] = "/",
) -> Response[bytes]:
    """The page and its files, if it was built; everything else is not found.

    For an unknown path, a person gets the page, which shows that. The page sets the cookie, so
    that all its requests come from the same visitor.
    """
    by_person = "text/html" in request.headers.get("accept", "")
    place = file.split("/")[1]
    if page_build.running and place != "api":
        if not (by_person or file == START_FILE):
            raise unavailable("The page is being built.")
        waiting = waiting_page(request.headers.get("accept-language", ""))
        return Response(waiting.encode(), status_code=503, media_type=MediaType.HTML)
    files = await asyncio.to_thread(page_files)
    exists = file in files or place in PLACES
    if START_FILE not in files or place == "api" or not (exists or by_person):
        raise not_found("page")
    name = file if file in files else START_FILE
    visitor.fresh = name == START_FILE and place != "embed"  # which is without cookies
    found = await asyncio.to_thread(_read, files[name])
    if name == START_FILE and place == "table":
        found = await _with_preview(found, file.split("/")[2:], rooms, config.origin)
    headers = {
        "cache-control": found.cache_control,
        "etag": found.etag,
        "vary": "accept, accept-encoding",
    }
    if exists and request.headers.get("if-none-match") == found.etag:
        return Response(b"", status_code=304, headers=headers)
    packed = "gzip" in request.headers.get("accept-encoding", "")
    if packed:
        headers["content-encoding"] = "gzip"
    return Response(
        found.compressed if packed else found.plain,
        status_code=200 if exists else 404,
        media_type=found.kind,
        headers=headers,
    )


async def _with_preview(start: PageFile, path: list[str], rooms: Rooms, origin: str) -> PageFile:
    """The page with what a chat shows beside a link to this table, if there is one."""
    try:
        table = await rooms.store.game(path[0]) if len(path) == 1 else None
    except StoreError:
        return start  # the page says itself that the store does not answer
    if table is None:
        return start
    pictures = frozenset(name for name in page_files() if name.startswith(PICTURES))
    try:
        tags = preview_tags(origin, *table, pictures)
    except MsgspecError:  # a table that cannot be read
        return start
    plain = start.plain.replace(b"</head>", tags.encode() + b"</head>", 1)
    return _page_file(start.kind, plain, start.cache_control)


@cache
def page_files() -> dict[str, Path]:
    """All files of the page, by path."""
    return {
        f"/{file.relative_to(WEB).as_posix()}": file for file in WEB.rglob("*") if file.is_file()
    }


@cache
def _read(file: Path) -> PageFile:
    plain = file.read_bytes()
    cache_control = (
        "public, max-age=31536000, immutable"
        if file.relative_to(WEB).parts[0] in NAMED_BY_CONTENT
        else "private, no-cache"
    )
    kind = guess_type(file.name)[0] or "application/octet-stream"
    return _page_file(kind, plain, cache_control)


def _page_file(kind: str, plain: bytes, cache_control: str) -> PageFile:
    tag = f'"{hashlib.sha256(plain).hexdigest()[:16]}"'
    return PageFile(kind, plain, gzip.compress(plain, mtime=0), tag, cache_control)
