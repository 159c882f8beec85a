"""Moves as people type them: `13`, `b coal 3`, `3 coal`, `build frank main`, `p`.

The text is matched against the legal moves. If it matches none, it is completed as far as possible
and passed to the game, so that the refusal names the rule.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from unicodedata import normalize

from highvoltage.engine.errors import HighVoltageError, MoveSyntaxError
from highvoltage.engine.legal import Moves
from highvoltage.engine.moves import Bid, CityMove, Move, Nominate
from highvoltage.words import say

MAX_SUGGESTIONS = 8  # in the message of an ambiguous move
REQUIRED_VERBS = ("start",)  # never left out: the name of a city alone connects it


class Ambiguous(HighVoltageError):
    """The text matches several moves."""

    def __init__(self, text: str, moves: Iterable[Move]) -> None:
        self.moves: tuple[Move, ...] = tuple(moves)
        named = ", ".join(f"'{move}'" for move in self.moves[:MAX_SUGGESTIONS])
        more = " …" if len(self.moves) > MAX_SUGGESTIONS else ""
        super().__init__(say("terminal_ambiguous", typed=text, moves=f"{named}{more}"))


def read_move(
    text: str,
    legal: Moves,
    parse: Callable[[str], Move],
    verbs: Iterable[str] = (),
    places: Mapping[str, str] | None = None,
) -> Move:
    """The move that a player means; it need not be legal. MoveSyntaxError if it is no move.

    `verbs` are those of the rulebook; `places` maps the ids of cities to their names.

    >>> from highvoltage.engine.moves import Buy, Done, parse_move
    >>> legal = Moves([Buy("coal", 1), Buy("coal", 2), Buy("oil", 1), Done()])
    >>> parse = lambda text: parse_move(text, (Buy, Done))
    >>> [str(read_move(text, legal, parse, ["buy", "done"])) for text in ("2 coal", "b o 1", "d")]
    ['buy coal 2', 'buy oil 1', 'done']
    >>> read_move("coal", legal, parse)
    Traceback (most recent call last):
    highvoltage.text.notation.Ambiguous: “coal” could be 'buy coal 1', 'buy coal 2'.
    """
    words = split(text)
    written = _first_move([text], parse)
    if written and written in legal:
        return written
    if move := _of_span(words, legal) or _bare(words, legal):
        return move
    fits = _fitting(words, legal.choices, places or {}) if words else []
    if len(fits) > 1 or any(_lacks_verb(move, words) for move in fits):
        raise Ambiguous(text, fits)
    if fits:
        return fits[0]
    if written and written.verb not in {move.verb for move in legal.choices}:
        return written
    whole = [_complete(word, legal, places or {}) for word in words]
    texts = _completions(words[:1], whole, legal, verbs)
    places_last = _ending_in_a_place(words, places or {})
    return _first_move([*texts, *places_last], parse) or written or parse(text)


def read_moves(
    text: str,
    legal: Moves,
    read: Callable[[str], Move],
    keys: Mapping[str, Move],
    places: Mapping[str, str] | None = None,
) -> list[Move]:
    """The moves that a player means: one, or several on a line.

    `read` turns a text into a move; `keys` are those of the menu.

    >>> from highvoltage.engine.moves import Build, Done, parse_move
    >>> legal = Moves([Build("essen"), Build("kiel"), Done()])
    >>> def read(text):
    ...     return read_move(text, legal, lambda text: parse_move(text, (Build, Done)))
    >>> cities = {"essen": "Essen", "kiel": "Kiel"}
    >>> for text in ("kiel", "build ess, kiel", "b essen kiel, done"):
    ...     print(*read_moves(text, legal, read, {}, cities), sep="; ")
    build kiel
    build essen; build kiel
    build essen; build kiel; done
    """
    with suppress(HighVoltageError):
        if not _all_keys(text, legal, keys) and (move := read(text)) in legal:
            return [move]
    moves: list[Move] = []
    for part in _parts(text, legal, keys, places or {}):
        moves.append(_next_move(part, moves, legal, read))
    _expect_cities(moves, places or {})
    return moves


def _expect_cities(moves: list[Move], places: Mapping[str, str]) -> None:
    """Refuse words that were read as the name of one city if there is no such city."""
    for move in moves:
        if isinstance(move, CityMove) and "_" in move.city and move.city not in places:
            words = move.city.replace("_", " ")
            raise MoveSyntaxError(say("terminal_no_city", typed=words, verb=move.verb))


def _parts(
    text: str, legal: Moves, keys: Mapping[str, Move], places: Mapping[str, str]
) -> list[str]:
    """The parts between commas, split further where one names several cities or keys."""
    if ":" in text:  # a hybrid's fuels have commas as well
        return [text]
    parts = filter(None, re.split(r"\s*[,;]\s*|\s+and\s+", text.strip()))
    return [each for part in parts for each in _row(part, legal, keys, places)] or [text]


def _row(text: str, legal: Moves, keys: Mapping[str, Move], places: Mapping[str, str]) -> list[str]:
    """One text for each of several menu keys or cities; else the text unchanged."""
    first, _, others = fold(text).partition(" ")
    is_verb = first not in keys and any(move.verb.startswith(first) for move in legal.choices)
    verb, rest = (first, others) if is_verb else ("", fold(text))
    if _all_keys(rest, legal, keys):
        named = rest.split()
    elif any(isinstance(move, CityMove) for move in legal.choices):
        named = _named(split(rest), places)
    else:
        named = []
    return [f"{verb} {name}".strip() for name in named] if len(named) > 1 else [text]


def _all_keys(text: str, legal: Moves, keys: Mapping[str, Move]) -> bool:
    """Whether these are several menu keys; in an auction numbers are a card and a bid."""
    words = fold(text).split()
    return len(words) > 1 and not legal.spans and all(word in keys for word in words)


def _named(words: list[str], places: Mapping[str, str]) -> list[str]:
    """The cities that these words name, the longest names first; empty if a word names none."""
    for count in range(len(words), 0, -1):
        city = _place(words[:count], places)
        rest = _named(words[count:], places) if city else []
        if city and (rest or count == len(words)):
            return [city, *rest]
    return []


def _place(words: list[str], places: Mapping[str, str]) -> str | None:
    """The city whose name or id matches these words best, if there is only one."""
    left: dict[str, int] = {}
    for city, name in places.items():
        for spelled in (split(city), name_words(name)):
            over = _left_over(words, ["", *spelled])
            if over is not None:
                left[city] = min(over, left.get(city, over))
    nearest = [city for city, over in left.items() if over == min(left.values())]
    return nearest[0] if len(nearest) == 1 else None


def _next_move(part: str, before: list[Move], legal: Moves, read: Callable[[str], Move]) -> Move:
    """The move of a part; one that is incomplete takes its beginning from the first: `kiel`."""
    if before:
        with suppress(HighVoltageError):
            if (move := read(part)) in legal:
                return move
        part = f"{str(before[0]).rpartition(' ')[0]} {part}"
    return read(part)


def _ending_in_a_place(words: list[str], places: Mapping[str, str]) -> Iterable[str]:
    """The words, with a city's name at the end replaced by its id."""
    for count in range(len(words) - 1, 1, -1):
        if city := _place(words[-count:], places):
            yield " ".join([*words[:-count], city])


def by_number(text: str, keys: Mapping[str, Move]) -> Move | None:
    """A move by its menu key, with or without its verb; the 3 of `hire 3` is a count, not a key.

    >>> from highvoltage.engine.moves import Build
    >>> by_number("build 2", {"1": Build("essen"), "2": Build("kiel")})
    Build(city='kiel')
    """
    if move := keys.get(fold(text)):
        return move
    verb, _, rest = fold(text).partition(" ")
    listed = keys.get(rest)
    is_meant = listed and listed.verb.startswith(verb) and re.match(r"\w+ [a-z]", str(listed))
    return listed if is_meant else None


def _first_move(texts: Iterable[str], parse: Callable[[str], Move]) -> Move | None:
    for text in texts:
        with suppress(MoveSyntaxError):
            return parse(text)
    return None


def fold(text: str) -> str:
    """Lower-case letters without accents, so that `koln` finds `Köln`.

    >>> fold("Świnoujście, Łódź")
    'swinoujscie, lodz'
    """
    letters = normalize("NFKD", text.casefold().replace("ł", "l"))
    return "".join(each for each in letters if not 0x300 <= ord(each) < 0x370)


def split(text: str) -> list[str]:
    """The words of a move; a letter followed by a number is two words: `c3`.

    >>> split("C3"), split("nominate 13 @14"), split("build frankfurt_main")
    (['c', '3'], ['nominate', '13', '14'], ['build', 'frankfurt', 'main'])
    """
    words = re.split(r"[\s@_]+", fold(text))
    parts = (re.fullmatch(r"([a-z])(\d+)", word) for word in words)
    both = ([*part.groups()] if part else [word] for part, word in zip(parts, words, strict=True))
    return [word for each in both for word in each if word]


def _of_span(words: list[str], legal: Moves) -> Move | None:
    """A bid, or a card and a bid, given by numbers."""
    numbers = [int(word) for word in words if word.isascii() and word.isdigit()]
    rest = [word for word in words if not word.isdigit()]
    for span in legal.spans:
        move = span.lowest
        if len(rest) > 1 or (rest and not move.verb.startswith(rest[0])):
            continue
        if isinstance(move, Bid) and len(numbers) == 1:
            return Bid(numbers[0])
        if isinstance(move, Nominate) and len(numbers) == 2 and numbers[0] == move.card:
            return Nominate(*numbers)
    return None


def _bare(words: list[str], legal: Moves) -> Move | None:
    """A move that is only a verb: `d` means done, even if a city starts with d."""
    found = [move for move in legal.plain if str(move) == move.verb]
    return next((move for move in found if words and move.verb.startswith(" ".join(words))), None)


def _fitting(words: list[str], moves: Sequence[Move], places: Mapping[str, str]) -> list[Move]:
    """The moves in which each typed word starts a different word; those with the fewest left."""
    best: list[Move] = []
    least = 99
    for move in moves:
        for names in _spellings(move, places):
            left = _left_over(words, names)
            if left is not None and left <= least:
                best = [*best, move] if left == least and move not in best else best
                best = [move] if left < least else best
                least = left
    return best


def _spellings(move: Move, places: Mapping[str, str]) -> list[list[str]]:
    written = str(move)
    spellings = [split(written)]
    if any(word in places for word in written.split()):
        named = [name_words(places.get(word, word)) for word in written.split()]
        spellings.append([word for each in named for word in each])
    return spellings


def name_words(name: str) -> list[str]:
    """The words of a name as people type them.

    >>> name_words("Frankfurt (Oder)")
    ['frankfurt', 'oder']
    """
    return re.findall(r"\w+", fold(name))


def _lacks_verb(move: Move, words: list[str]) -> bool:
    """Whether the verb of this move is required and was not typed."""
    return move.verb in REQUIRED_VERBS and not move.verb.startswith(words[0])


def _left_over(words: list[str], names: list[str]) -> int | None:
    """How many of the names no word matches; None if a word matches nothing.

    The verb, `names[0]`, may be omitted and does not count.
    """
    left = names[1:]
    verb = names[0]
    for at, word in enumerate(words):
        if at == 0 and verb.startswith(word):
            continue
        found = next((name for name in left if _begins(word, name)), None)
        if found is None:
            return None
        left.remove(found)
    return len(left)


def _begins(word: str, name: str) -> bool:
    number = re.match(r"\d+", name)
    if number and word.isdigit():
        return number[0] == word
    return name.startswith(word)


def _complete(word: str, legal: Moves, places: Mapping[str, str]) -> str:
    """The only word of a legal move, or else the only city, that starts like this."""
    now = {name for move in legal.choices for name in split(str(move))[1:]}
    there = {
        city
        for city, name in places.items()
        if word in {city[: len(word)], fold(name)[: len(word)]}
    }
    for near in ({name for name in now if name.startswith(word)}, there):
        if len(near) == 1 and not word.isdigit():
            return near.pop()
    return word


def _completions(
    typed: list[str], words: list[str], legal: Moves, verbs: Iterable[str]
) -> Iterable[str]:
    """What was typed, in the notation of the rulebook; verbs that are legal now come first.

    `typed` holds the first word as it was typed: `p` means pass, even if Passau is on the map.
    """
    now = dict.fromkeys(move.verb for move in legal.choices)
    rest = words[1:]
    for first in typed:
        near = [verb for verb in now if verb.startswith(first)]
        for verb in near or [verb for verb in verbs if verb.startswith(first)]:
            yield " ".join([verb, *rest])
            yield " ".join([verb, *reversed(rest)])
            yield f"{verb} {'_'.join(rest)}"
            if rest:
                yield f"{verb} {rest[0]} @{rest[-1]}"  # without a bid: the lowest possible
    for verb in now:
        yield " ".join([verb, *words])
        yield " ".join([verb, *reversed(words)])
