"""Requests with a token, `Authorization: Bearer …`: from programs, and from pages of other sites.

A browser never sends a token on its own, so such a request may come from anywhere, and the page
that made it may read the answer.
"""

from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qs

FROM_ANYWHERE = (b"access-control-allow-origin", b"*")
PREFLIGHT = [
    FROM_ANYWHERE,
    (b"access-control-allow-methods", b"GET, POST, PATCH, DELETE"),
    (b"access-control-allow-headers", b"authorization, content-type"),
    (b"access-control-max-age", b"86400"),
]


def token_of(headers: Mapping[str, str]) -> str | None:
    """The token of a request, if any.

    >>> token_of({"authorization": "Bearer abc"}), token_of({"authorization": "Basic abc"})
    ('abc', None)
    """
    scheme, _, token = headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else None


def token_in_message(scope: Mapping[str, Any]) -> bool:
    """Whether the first message of a WebSocket will bring the token."""
    if scope["type"] != "websocket":
        return False
    return parse_qs(scope["query_string"].decode("latin-1")).get("auth") == ["message"]


def is_preflight(scope: Mapping[str, Any], headers: Mapping[str, str]) -> bool:
    """Whether a browser asks if a page of another site may send a request with a token."""
    requested = headers.get("access-control-request-headers", "").lower()
    return scope["method"] == "OPTIONS" and "authorization" in requested
