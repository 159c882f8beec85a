"""The page in the browser, read and compressed once."""

import asyncio
import gzip
import hashlib
from functools import cache
from mimetypes import guess_type
from pathlib import Path
from typing import Any, NamedTuple

from litestar import Request, Response, get
from litestar.di import NamedDependency as Given
from litestar.params import FromPath

from highvoltage.server.guard.identity import Visitor
from highvoltage.server.problems import not_found

WEB = Path(__file__).parents[2] / "web_dist"
START_FILE = "/index.html"
PLACES = {"", "new", "puzzle", "puzzles", "replay", "rules", "table", "tutorial"}
"""What the addresses of the page begin with (web/src/App.svelte)."""


class PageFile(NamedTuple):
    """A file of the page as it is sent."""

    kind: str
    plain: bytes
    compressed: bytes
    etag: str
    cache_control: str  # how long a browser may keep it without asking


@get(["/", "/{file:path}"], include_in_schema=False)
async def page(
    request: Request[Any, Any, Any], visitor: Given[Visitor], file: FromPath[str] = "/"
) -> Response[bytes]:
    """The page and its files, where it was built; what is neither is not found.

    To somebody who reads it is the page that says so. The page brings the cookie, so that all it
    asks for is asked by one and the same visitor.
    """
    files = await asyncio.to_thread(page_files)
    place = file.split("/")[1]
    there = file in files or place in PLACES
    reads = "text/html" in request.headers.get("accept", "")
    if START_FILE not in files or place == "api" or not (there or reads):
        raise not_found("page")
    found = files.get(file, files[START_FILE])
    visitor.fresh = found is files[START_FILE]
    headers = {
        "cache-control": found.cache_control,
        "etag": found.etag,
        "vary": "accept, accept-encoding",
    }
    if there and request.headers.get("if-none-match") == found.etag:
        return Response(b"", status_code=304, headers=headers)
    packed = "gzip" in request.headers.get("accept-encoding", "")
    if packed:
        headers["content-encoding"] = "gzip"
    return Response(
        found.compressed if packed else found.plain,
        status_code=200 if there else 404,
        media_type=found.kind,
        headers=headers,
    )


@cache
def page_files() -> dict[str, PageFile]:
    """All files of the page, by their address."""
    files = [file for file in WEB.rglob("*") if file.is_file()]
    return {f"/{file.relative_to(WEB).as_posix()}": _read(file) for file in files}


def _read(file: Path) -> PageFile:
    plain = file.read_bytes()
    kept = (
        "public, max-age=31536000, immutable"
        if file.parent.name == "assets"
        else "private, no-cache"
    )
    kind = guess_type(file.name)[0] or "application/octet-stream"
    tag = f'"{hashlib.sha256(plain).hexdigest()[:16]}"'
    return PageFile(kind, plain, gzip.compress(plain, mtime=0), tag, kept)
