"""A calendar as a file (iCalendar, RFC 5545): moments in UTC, each with a name and a link."""

import re
from collections.abc import Iterable
from datetime import UTC, datetime

from msgspec import Struct

LINE_BYTES = 75
"""A line has at most so many; a longer one is folded."""
UNWRITTEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
"""Controls, which no text may have; a line break is written in another way."""


class Event(Struct, frozen=True):
    """A moment; `uid` stays the same when it is moved."""

    uid: str
    at: float
    summary: str
    url: str


def calendar_file(name: str, events: Iterable[Event], now: float) -> str:
    """The calendar of this name."""
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//High Voltage//High Voltage//EN"]
    lines += [f"X-WR-CALNAME:{escaped(name)}", "REFRESH-INTERVAL;VALUE=DURATION:PT1H"]
    for event in events:
        lines += [
            "BEGIN:VEVENT",
            f"UID:{escaped(event.uid)}",
            f"DTSTAMP:{_utc(now)}",
            f"DTSTART:{_utc(event.at)}",
            f"SUMMARY:{escaped(event.summary)}",
            *([f"URL:{event.url}"] if event.url else []),
            "END:VEVENT",
        ]
    return "".join(f"{folded(line)}\r\n" for line in (*lines, "END:VCALENDAR"))


def escaped(text: str) -> str:
    r"""A text as a value.

    >>> print(escaped("Ann; Bob, and\nme"))
    Ann\; Bob\, and\nme
    """
    text = UNWRITTEN.sub("", text.replace("\r\n", "\n"))
    return re.sub(r"[\\;,]", r"\\\g<0>", text).replace("\n", r"\n")


def folded(line: str) -> str:
    """A line in pieces that are short enough, none of which cuts a letter."""
    pieces, size = [""], 0
    for letter in line:
        size += len(letter.encode())
        if size > LINE_BYTES:
            pieces.append(" ")
            size = 1 + len(letter.encode())
        pieces[-1] += letter
    return "\r\n".join(pieces)


def _utc(moment: float) -> str:
    return datetime.fromtimestamp(moment, UTC).strftime("%Y%m%dT%H%M%SZ")
