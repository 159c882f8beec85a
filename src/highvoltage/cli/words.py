"""The game in plain words: a sentence for every move and for all that it brings about.

Moves and events are free of language; this is where they become English. A verb or an event that
is not known here is told as it is written, so that a new rulebook can be played at once.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby

from highvoltage.engine.cards import LAST_CARD, label
from highvoltage.engine.game import Row
from highvoltage.engine.moves import (
    Bid,
    Build,
    Buy,
    CityMove,
    Done,
    Market,
    Move,
    Nominate,
    Region,
    Run,
    Scrap,
)
from highvoltage.engine.state import Event

Own = Mapping[str, Event]
"""What a move cost or earned whoever made it, by the name of the event."""


class Words:
    """Tells of one game. `places` names what is on its map, `fuels` are in the order of the market.

    A method `say_VERB` finishes a sentence that begins with the player's name, a method
    `tell_EVENT` makes a sentence of its own; an empty one is left out.

    >>> words = Words(["Ann", "Bob"], {"koeln": "Köln"}, ["coal", "oil"])
    >>> row = Row(1, "building", 0, Build("koeln"), (Event("paid", seat=0, amount=10),))
    >>> words.row(row)
    ['Ann connects Köln for 10.']
    """

    def __init__(
        self,
        names: Sequence[str],
        places: Mapping[str, str],
        fuels: Sequence[str] = (),
        third: str = "nobody",
        card: str = "plant",
    ) -> None:
        self.names = names
        self.places = places
        self.fuels = fuels
        self.third = third  # the party that is no player; its seat is below 0
        self.noun = card  # what a card is called

    def name(self, seat: int | str | None) -> str:
        known = isinstance(seat, int) and seat >= 0
        return self.names[int(seat)] if known else self.third  # type: ignore[arg-type]  # known

    def card(self, card: int | None, name: object = "Step 3") -> str:
        if card == LAST_CARD:
            return f"the {LAST_CARDS.get(str(name), str(name))} card"
        return f"a {self.noun}" if card is None else f"{self.noun} {label(card)}"

    def place(self, name: object) -> str:
        return self.places.get(str(name), plain(name))

    def row(self, row: Row) -> list[str]:
        """The sentences for one line of the log."""
        said = self.move(row.move, own_events(row))
        return [sentence(f"{self.name(row.seat)} {said}"), *self.events(row.events)]

    def move(self, move: Move, own: Own | None = None) -> str:
        """What somebody does who makes this move, without the name."""
        say = getattr(self, f"say_{move.verb}", None)
        return str(say(move, own or {})) if say else f"plays '{move}'"

    def rows(self, rows: Iterable[Row], before: Row | None = None) -> Iterator[str]:
        """The sentences for a stretch of the log that follows the row `before`.

        What is bought in one turn is one sentence.
        """
        for which, turn in groupby(rows, turn_of):
            _, phase, seat = which
            idle = before is None or which != turn_of(before)
            for together, part in groupby(turn, lambda row: MERGED.get(row.move.verb)):
                for row in [] if together else part:
                    if not isinstance(row.move, Done):
                        yield from self.row(row)
                        continue
                    if idle:
                        yield sentence(f"{self.name(seat)} {NOTHING.get(phase, 'is done')}")
                    yield from self.events(row.events)
                if together:
                    yield from self.together(seat, list(part))
                idle = False

    def together(self, seat: int, rows: Sequence[Row]) -> Iterator[str]:
        """Moves of one verb as one sentence."""
        said = [self.move(row.move, own_events(row)).partition(" ") for row in rows]
        objects = [each for _, _, each in said]
        yield sentence(f"{self.name(seat)} {said[0][0]} {listed(objects)}")
        yield from self.events(event for row in rows for event in row.events)

    def events(self, events: Iterable[Event]) -> Iterator[str]:
        """The sentences for what happened beyond the move itself."""
        for event in events:
            tell = getattr(self, f"tell_{event.what}", self.tell_unknown)
            if told := tell(event):
                yield sentence(told)

    # Moves

    def say_nominate(self, move: Nominate, own: Own) -> str:
        return f"puts {self.card(move.card)} up for auction and bids {move.bid}"

    def say_bid(self, move: Bid, own: Own) -> str:
        return f"bids {move.bid}"

    def say_pass(self, move: Move, own: Own) -> str:
        return "passes"

    def say_done(self, move: Move, own: Own) -> str:
        return "is done"

    def say_scrap(self, move: Scrap, own: Own) -> str:
        fuel = [f"{count} {plain(kind)}" for kind, count in move.returned]
        returns = f" and returns {listed(fuel)}" if fuel else ""
        return f"gives up {self.card(move.card)}{returns}"

    def say_buy(self, move: Move, own: Own) -> str:
        what = f"{move.count} {plain(move.fuel)}" if isinstance(move, Buy) else self.rest(move)
        return f"buys {what}{self.price(own)}"

    def say_build(self, move: Move, own: Own) -> str:
        verb = "connects" if isinstance(move, Build) else "builds"
        return f"{verb} {self.rest(move)}{self.price(own)}"

    def say_place(self, move: Move, own: Own) -> str:
        verb = "chooses" if isinstance(move, CityMove) else "places"
        return f"{verb} {self.rest(move)}{self.price(own)}"

    def say_mark(self, move: Move, own: Own) -> str:
        return f"marks {self.rest(move)} as a city to start in"

    def rest(self, move: Move) -> str:
        """What is written behind the verb, with the names of places."""
        return " ".join(map(self.place, str(move).split()[1:]))

    def price(self, own: Own) -> str:
        return f" for {own['paid'].amount}" if "paid" in own else ""

    def say_run(self, move: Run, own: Own) -> str:
        plants = [
            label(card) + (f" with {listed(counted(mix))}" if mix else "")
            for card, mix in move.plants
        ]
        kind = "plant" if len(plants) == 1 else "plants"
        runs = f"runs {kind} {listed(plants)}" if plants else "runs nothing"
        if "income" not in own:
            return runs
        income = own["income"]
        supplied = income.items[0] if income.items else 0
        supplies = f", supplies {many(supplied, 'city', 'cities')}" if supplied else ""
        return f"{runs}{supplies} and earns {income.amount}"

    def say_market(self, move: Market, own: Own) -> str:
        return f"buys on the market {plain(move.market)}"

    def say_region(self, move: Region, own: Own) -> str:
        return f"chooses the region {plain(move.region)}"

    # Events

    def tell_unknown(self, event: Event) -> str:
        parts = [
            "" if event.seat is None else f"{self.name(event.seat)}:",
            plain(event.what),
            "" if event.card is None else label(event.card),
            "" if event.amount is None else str(event.amount),
            *map(plain, event.items),
        ]
        return " ".join(part for part in parts if part)

    def tell_paid(self, event: Event) -> str:
        return ""  # told with the move

    def tell_income(self, event: Event) -> str:
        return ""  # told with the move

    def tell_turned(self, event: Event) -> str:
        if event.card is None:
            return f"{self.place(event.items[0])} is turned up"
        return f"{self.card(event.card, *event.items)} is turned up"

    def tell_removed(self, event: Event) -> str:
        return f"{self.card(event.card)} leaves the game"

    def tell_slid(self, event: Event) -> str:
        return f"{self.card(event.card)} goes under the deck"

    def tell_sold(self, event: Event) -> str:
        return f"{self.name(event.seat)} buys {self.card(event.card)} for {event.amount}"

    def tell_cannot_buy(self, event: Event) -> str:
        return f"{self.name(event.seat)} can buy none of the plants on offer"

    def tell_demolished(self, event: Event) -> str:
        return f"{self.name(event.seat)} is paid {event.amount} for the plant given up"

    def tell_taken(self, event: Event) -> str:
        what = self.place(event.items[0]) if event.card is None else self.card(event.card)
        price = "" if event.amount is None else f" at {event.amount}"
        return f"{self.name(event.seat)} takes {what}{price}"

    def tell_stocked(self, event: Event) -> str:
        return f"{self.name(event.seat)} takes {listed(self.counts(event.items))} from the market"

    def tell_placed(self, event: Event) -> str:
        *what, city = event.items
        house = plain(what[0]) if what else "house"
        return f"a {house} of {self.name(event.seat)} is placed in {self.place(city)}"

    def tell_shuffled(self, event: Event) -> str:
        return "the deck is shuffled"

    def tell_order(self, event: Event) -> str:
        return f"the turn order is {listed([self.name(seat) for seat in event.items])}"

    def tell_regions(self, event: Event) -> str:
        return f"the regions in play are {listed([plain(region) for region in event.items])}"

    def tell_step(self, event: Event) -> str:
        return f"Step {event.amount} begins"

    def tell_refilled(self, event: Event) -> str:
        *_, last = event.items or (0,)  # of several markets the name
        market = f"market {plain(last)}" if isinstance(last, str) else "fuel market"
        counts = [count for count in event.items if isinstance(count, int)]
        return f"new on the {market}: {listed(self.counts(counts)) or 'nothing'}"

    def counts(self, items: Sequence[int | str]) -> list[str]:
        pairs = zip(items, self.fuels, strict=False)
        return [f"{count} {plain(fuel)}" for count, fuel in pairs if count]


LAST_CARDS = {"step3": "Step 3", "end": "END"}
NOTHING = {"fuel": "buys no fuel", "building": "builds nothing"}
MERGED = {verb: verb for verb in ("buy", "build")}  # several in one turn are one sentence


def turn_of(row: Row) -> tuple[int, str, int]:
    return row.round, row.phase, row.seat


def own_events(row: Row) -> Own:
    return {event.what: event for event in row.events if event.seat == row.seat}


def sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


def listed(parts: Sequence[object], word: str = "and") -> str:
    """Several things as one phrase.

    >>> listed(["coal"]), listed(["coal", "oil", "garbage"]), listed([])
    ('coal', 'coal, oil and garbage', 'nothing')
    """
    texts = [str(part) for part in parts]
    if len(texts) < 2:
        return texts[0] if texts else "nothing"
    return f"{', '.join(texts[:-1])} {word} {texts[-1]}"


def plain(name: object) -> str:
    return str(name).replace("_", " ")


def many(count: int | str, one: str, more: str) -> str:
    return f"{count} {one if count == 1 else more}"


def counted(mix: Sequence[str]) -> list[str]:
    """The tokens of a mix by kind.

    >>> counted(["coal", "oil", "oil"])
    ['1 coal', '2 oil']
    """
    return [f"{mix.count(kind)} {plain(kind)}" for kind in dict.fromkeys(mix)]
