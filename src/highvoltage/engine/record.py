"""Records: a whole game as readable text or as JSON, and back.

A record holds what was decided and what was turned up. So it replays without the original random
generator, and reveals nothing that was not seen at the table.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Protocol, Self, TypeVar

import msgspec
from msgspec import Struct

from highvoltage.engine.cards import label
from highvoltage.engine.chance import Chance, Seeded
from highvoltage.engine.errors import RecordError
from highvoltage.engine.events import Event, Shuffled, Turned

T = TypeVar("T")

FORMAT = 1
"""The version of the record format; the rules have their own version."""
HEADING = "High Voltage record"
SHUFFLE_PREFIX = "~"
MAX_PLAYERS = 12
"""More than any rulebook seats; an untrusted file may name thousands."""
FIELDS = {"rulebook", "player", "bot", "option", "drawn", "turned", "top", "result", "score"}


class Line(Struct, frozen=True):
    """A move and what it turned up: cards by label, a shuffle as `~name`."""

    round: int
    phase: str
    seat: int
    move: str
    turned: tuple[str, ...] = ()


class Record(Struct, frozen=True):
    """A game from its set-up to its latest move."""

    rulebook: str
    version: int
    names: tuple[str, ...]
    options: dict[str, Any]
    drawn: dict[str, tuple[int | str, ...]]  # set-up draws
    turned: tuple[str, ...]  # cards turned up at set-up
    moves: tuple[Line, ...]
    top: str = ""  # the back of the card on top of the deck, where backs differ
    result: tuple[tuple[int, ...], ...] = ()  # places, best first; empty while the game runs
    scores: tuple[dict[str, int], ...] = ()
    bots: dict[int, str] = {}  # which bot plays a seat; older records name bots' seats after them
    format: int = FORMAT

    def json(self) -> str:
        """The same as JSON, which `highvoltage.replay` reads as well."""
        return msgspec.json.encode(self).decode()

    def __str__(self) -> str:
        return "\n".join([*_head(self), *_body(self), *_foot(self)]) + "\n"


RECORD_DECODER: msgspec.json.Decoder[Record] = msgspec.json.Decoder(Record)
"""Created at import time: msgspec inspects a class when it first decodes one, and crashes if two
threads do so at once."""


def turned_tokens(events: Iterable[Event]) -> tuple[str, ...]:
    """What a record keeps of the events of a move."""
    turned = []
    for event in events:
        if isinstance(event, Turned):
            turned.append(event.card)
        elif isinstance(event, Shuffled):
            turned.append(SHUFFLE_PREFIX + event.by)
    return tuple(turned)


PARTIAL_DRAWS = ("blocked",)
"""Set-up draws of which only the first items matter, so a record names no others."""


class Backs(Protocol):
    """What a rulebook says of the backs of its cards."""

    def card_back(self, card: object) -> str: ...

    def covers_deck(self, turned: Sequence[str]) -> bool: ...


class RecordedChance:
    """Chance read from a record; cards that were never turned up are drawn from `seed`."""

    def __init__(self, record: Record, seed: int | str, backs: Backs) -> None:
        self.drawn: dict[str, tuple[int | str, ...]] = record.drawn
        self.top: str = record.top
        self.backs = backs
        self.turned: list[str] = [
            *record.turned,
            *(token for line in record.moves for token in line.turned),
        ]
        self.rest: Chance = Seeded(seed)

    def arrange(self, event: str, items: Sequence[T], nth: int = 0) -> list[T]:
        if event in self.drawn:
            drawn: list[Any] = list(self.drawn[event])
            if event in PARTIAL_DRAWS:
                drawn += [item for item in items if item not in drawn]
            if sorted(drawn, key=str) != sorted(items, key=str):
                raise RecordError(f"'{event}' should be an arrangement of {list(items)}")
            return drawn
        left: dict[str, list[T]] = {}
        for item in items:
            left.setdefault(_token(item), []).append(item)  # equal cards have equal tokens
        first = [left[token].pop() for token in self._after(event, nth) if left.get(token)]
        unseen = [item for same in left.values() for item in same]
        return first + self._with_top(event, self.rest.arrange(event, unseen, nth), nth)

    def _with_top(self, event: str, unseen: list[T], nth: int) -> list[T]:
        """Put one of the cards with the recorded back on top of the unseen cards.

        Any of them: the first would leave cards with other backs behind it.
        """
        if self.top and not self.backs.covers_deck(self.turned):
            places = [
                at for at, card in enumerate(unseen) if self.backs.card_back(card) == self.top
            ]
            if places:
                unseen.insert(0, unseen.pop(self.rest.pick(f"top of {event}", places, nth)))
        return unseen

    def pick(self, event: str, choices: Sequence[T], nth: int = 0) -> T:
        drawn: Any = self.drawn.get(event)
        if drawn not in choices:
            raise RecordError(f"'{event}' should be one of {list(choices)}")
        chosen: T = drawn
        return chosen

    def copy(self) -> Self:
        """A copy that shares everything; whoever asked for it replaces what differs."""
        new = object.__new__(type(self))
        new.__dict__.update(self.__dict__)
        return new

    def with_turned(self, turned: Sequence[str], top: str, backs: Backs) -> Self:
        """The same chance, with the cards turned up since."""
        more = self.copy()
        more.turned = list(turned)
        more.top, more.backs = top, backs
        return more

    def _after(self, event: str, nth: int) -> list[str]:
        """What was turned up after the nth occurrence of the event."""
        shuffles = [i for i, token in enumerate(self.turned) if token == SHUFFLE_PREFIX + event]
        return self.turned[shuffles[nth] :] if nth < len(shuffles) else self.turned


def _token(item: object) -> str:
    return label(item) if isinstance(item, int) else str(item)


# Text


def _head(record: Record) -> Iterator[str]:
    yield f"{HEADING} {record.format}"
    yield f"rulebook: {record.rulebook} {record.version}"
    for name in record.names:
        yield f"player: {name}"
    for seat, bot in record.bots.items():
        yield f"bot {record.names[seat]}: {bot}"
    for option, value in record.options.items():
        yield f"option {option}: {_as_json(value)}"
    for event, items in record.drawn.items():
        yield f"drawn {event}: {_as_json(items)}"
    yield f"turned: {' '.join(record.turned)}"


def _as_json(value: Any) -> str:
    import json  # noqa: PLC0415  # no game needs it before it is written

    return json.dumps(value, ensure_ascii=False)


def _body(record: Record) -> Iterator[str]:
    at: tuple[int, str] | None = None
    for line in record.moves:
        if at != (line.round, line.phase):
            at = line.round, line.phase
            yield ""
            yield f"round {line.round}, {line.phase}"
        move = f"  {record.names[line.seat]}: {line.move}"
        yield f"{move} | {' '.join(line.turned)}" if line.turned else move


def _foot(record: Record) -> Iterator[str]:
    if record.top:
        yield ""
        yield f"top: {record.top}"
    if record.result:
        yield ""
        places = (" = ".join(record.names[seat] for seat in place) for place in record.result)
        yield f"result: {', '.join(places)}"
        for name, score in zip(record.names, record.scores, strict=True):
            yield f"score {name}: {_as_json(score)}"


def read_record(text: str) -> tuple[Record, list[int]]:
    """The record in a text or in JSON, and the line of each move (0 for JSON)."""
    if text.lstrip().startswith("{"):
        try:
            record = RECORD_DECODER.decode(text)
        except (msgspec.DecodeError, UnicodeError) as error:
            raise RecordError(f"this JSON is no record: {error}") from None
        _check_form(record)
        return record, [0] * len(record.moves)
    return _Reader(text).read()


def _check_form(record: Record) -> None:
    if record.format != FORMAT:
        raise RecordError(f"format {record.format} is not known here; this program reads {FORMAT}")
    if len(record.names) > MAX_PLAYERS:
        raise RecordError(f"it names {len(record.names)} players; no game has so many")
    for seat in record.bots:
        if not 0 <= seat < len(record.names):
            raise RecordError(f"a bot plays seat {seat}, which there is not")
    for number, line in enumerate(record.moves, 1):
        if not 0 <= line.seat < len(record.names):
            raise RecordError(f"move {number}: there is no seat {line.seat}")


class _Reader:
    """Reads the text form line by line, keeping track of the line number."""

    def __init__(self, text: str) -> None:
        self.lines = text.splitlines()
        self.number = 0
        self.fields: dict[str, Any] = {
            "names": (),
            "options": {},
            "drawn": {},
            "turned": (),
            "top": "",
            "result": (),
            "scores": (),
            "bots": {},
        }
        self.at: tuple[int, str] | None = None
        self.moves: list[Line] = []
        self.numbers: list[int] = []

    def fail(self, reason: str) -> RecordError:
        return RecordError(reason, self.number or None)

    def read(self) -> tuple[Record, list[int]]:
        self.read_heading()
        for number, line in enumerate(self.lines[1:], 2):
            self.number = number
            if line.startswith("  "):
                self.read_move(line.strip())
            elif line.strip():
                self.read_field(line.strip())
        self.number = 0
        if "rulebook" not in self.fields:
            raise self.fail("the line 'rulebook: NAME VERSION' is missing")
        record = Record(
            **self.fields,
            moves=tuple(self.moves),
        )
        return record, self.numbers

    def read_heading(self) -> None:
        self.number = 1
        first = self.lines[0].strip() if self.lines else ""
        if not re.fullmatch(rf"{HEADING} \d+", first):
            raise self.fail(f"a record starts with '{HEADING} {FORMAT}', not with {first[:60]!r}")
        if first != f"{HEADING} {FORMAT}":
            raise self.fail(f"this program reads format {FORMAT}, not {first!r}")

    def read_field(self, line: str) -> None:
        if heading := re.fullmatch(r"round (\d+), (\w+)", line):
            self.at = int(heading[1]), heading[2]
            return
        key, colon, value = line.partition(":")
        value = value.strip()
        kind, _, name = key.partition(" ")
        read = getattr(self, f"read_{kind}", None) if colon and kind in FIELDS else None
        if read is None:
            raise self.fail(f"cannot be read: {line[:60]!r}")
        read(name, value)

    def read_rulebook(self, _: str, value: str) -> None:
        if not re.fullmatch(r"\w+ \d{1,6}", value, re.ASCII):
            raise self.fail("a rulebook is written 'rulebook: NAME VERSION'")
        rulebook, version = value.split()
        self.fields |= {"rulebook": rulebook, "version": int(version)}

    def read_player(self, _: str, value: str) -> None:
        if len(self.fields["names"]) == MAX_PLAYERS:
            raise self.fail(f"no game has more than {MAX_PLAYERS} players")
        self.fields["names"] += (value,)

    def read_bot(self, name: str, value: str) -> None:
        self.fields["bots"][self.seat(name)] = value

    def read_option(self, name: str, value: str) -> None:
        self.fields["options"][name] = self.data(value)

    def read_drawn(self, name: str, value: str) -> None:
        drawn = self.data(value)
        if not isinstance(drawn, list):
            raise self.fail("lots are written as a list in brackets")
        self.fields["drawn"][name] = tuple(drawn)

    def read_turned(self, _: str, value: str) -> None:
        self.fields["turned"] = tuple(value.split())

    def read_top(self, _: str, value: str) -> None:
        self.fields["top"] = value

    def read_result(self, _: str, value: str) -> None:
        places = [place.split(" = ") for place in value.split(", ", MAX_PLAYERS)]
        self.fields["result"] = tuple(tuple(map(self.seat, place)) for place in places)

    def read_score(self, _: str, value: str) -> None:
        if len(self.fields["scores"]) == MAX_PLAYERS:
            raise self.fail("there are more scores than players")
        self.fields["scores"] += (self.data(value),)

    def data(self, value: str) -> Any:
        import json  # noqa: PLC0415  # as above

        try:
            return json.loads(value)
        except ValueError as error:
            raise self.fail(f"not JSON: {value[:60]!r} ({error})") from None

    def seat(self, name: str) -> int:
        if name not in self.fields["names"]:
            raise self.fail(f"nobody is called {name[:40]!r} here")
        return int(self.fields["names"].index(name))

    def read_move(self, line: str) -> None:
        name, colon, rest = line.partition(": ")
        if not colon or self.at is None:
            raise self.fail("a move is written 'NAME: MOVE' under a heading 'round N, PHASE'")
        move, _, turned = rest.partition(" | ")
        self.moves.append(Line(*self.at, self.seat(name), move, tuple(turned.split())))
        self.numbers.append(self.number)
