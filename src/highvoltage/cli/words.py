"""The game in plain words: a sentence for every move and for all that it brings about.

Moves and events are free of language; this is where they become English. A verb or an event that
is not known here is told as it is written, so that a new rulebook can be played at once.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby

from msgspec import structs

from highvoltage.engine.cards import label
from highvoltage.engine.events import (
    CannotBuy,
    Demolished,
    Event,
    Income,
    Order,
    Paid,
    Placed,
    Refilled,
    Regions,
    Removed,
    Shuffled,
    Slid,
    Sold,
    StepBegins,
    Stocked,
    Taken,
    Turned,
)
from highvoltage.engine.log import Row
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

Own = Mapping[str, Event]
"""What a move cost or earned whoever made it, by the name of the event."""


class Words:
    """Tells of one game. `places` names what is on its map, `fuels` are in the order of the market.

    A method `say_VERB` finishes a sentence that begins with the player's name, a method
    `tell_EVENT` makes a sentence of its own; an empty one is left out.

    >>> words = Words(["Ann", "Bob"], {"koeln": "Köln"}, ["coal", "oil"])
    >>> row = Row(1, "building", 0, Build("koeln"), (Paid(0, 10),))
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

    def name(self, seat: int) -> str:
        return self.names[seat] if seat >= 0 else self.third

    def card(self, card: str) -> str:
        if card in LAST_CARDS:
            return f"the {LAST_CARDS[card]} card"
        return f"{self.noun} {card}"

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
        return f"puts {self.card(label(move.card))} up for auction and bids {move.bid}"

    def say_bid(self, move: Bid, own: Own) -> str:
        return f"bids {move.bid}"

    def say_pass(self, move: Move, own: Own) -> str:
        return "passes"

    def say_done(self, move: Move, own: Own) -> str:
        return "is done"

    def say_scrap(self, move: Scrap, own: Own) -> str:
        fuel = [f"{count} {plain(kind)}" for kind, count in move.returned]
        returns = f" and returns {listed(fuel)}" if fuel else ""
        return f"gives up {self.card(label(move.card))}{returns}"

    def say_buy(self, move: Move, own: Own) -> str:
        what = f"{move.count} {plain(move.fuel)}" if isinstance(move, Buy) else self.rest(move)
        return f"buys {what}{self.price(own)}"

    def say_build(self, move: Move, own: Own) -> str:
        verb = "connects" if isinstance(move, Build) else "builds"
        return f"{verb} {self.rest(move)}{self.price(own)}"

    def say_start(self, move: Move, own: Own) -> str:
        return f"starts a network in {self.rest(move)}{self.price(own)}"

    def say_place(self, move: Move, own: Own) -> str:
        verb = "chooses" if isinstance(move, CityMove) else "places"
        return f"{verb} {self.rest(move)}{self.price(own)}"

    def say_mark(self, move: Move, own: Own) -> str:
        return f"marks {self.rest(move)} as a city to start in"

    def rest(self, move: Move) -> str:
        """What is written behind the verb, with the names of places."""
        return " ".join(map(self.place, str(move).split()[1:]))

    def price(self, own: Own) -> str:
        paid = own.get("paid")
        return f" for {paid.amount}" if isinstance(paid, Paid) else ""

    def say_run(self, move: Run, own: Own) -> str:
        plants = [
            label(card) + (f" with {listed(counted(mix))}" if mix else "")
            for card, mix in move.plants
        ]
        kind = "plant" if len(plants) == 1 else "plants"
        runs = f"runs {kind} {listed(plants)}" if plants else "runs nothing"
        income = own.get("income")
        if not isinstance(income, Income):
            return runs
        cities = many(income.supplied, "city", "cities") if income.supplied else ""
        powers = f", powers {cities}" if cities else ""
        return f"{runs}{powers} and earns {income.amount}"

    def say_market(self, move: Market, own: Own) -> str:
        return f"buys on the market {plain(move.market)}"

    def say_region(self, move: Region, own: Own) -> str:
        return f"chooses the region {plain(move.region)}"

    # Events

    def tell_unknown(self, event: Event) -> str:
        told = {name: value for name, value in structs.asdict(event).items() if value is not None}
        seat = told.pop("seat", None)
        who = "" if seat is None else f"{self.name(seat)}: "
        values = [part for value in told.values() for part in as_parts(value)]
        return who + " ".join(map(plain, [event.what, *values]))

    def tell_paid(self, event: Paid) -> str:
        return ""  # told with the move

    def tell_income(self, event: Income) -> str:
        return ""  # told with the move

    def tell_turned(self, event: Turned) -> str:
        return f"{self.card_in(event.card, event.column)} is turned up"

    def card_in(self, card: str, column: int | None) -> str:
        """A card; one with a column is a fuel card."""
        return self.card(card) if column is None else self.place(card)

    def tell_removed(self, event: Removed) -> str:
        return f"{self.card(event.card)} leaves the game"

    def tell_slid(self, event: Slid) -> str:
        return f"{self.card(event.card)} goes under the deck"

    def tell_sold(self, event: Sold) -> str:
        return f"{self.name(event.seat)} buys {self.card(event.card)} for {event.amount}"

    def tell_cannot_buy(self, event: CannotBuy) -> str:
        return f"{self.name(event.seat)} can buy none of the plants on offer"

    def tell_demolished(self, event: Demolished) -> str:
        return f"{self.name(event.seat)} is paid {event.amount} for the plant given up"

    def tell_taken(self, event: Taken) -> str:
        price = "" if event.column is None else f" at {event.column}"
        return f"{self.name(event.seat)} takes {self.card_in(event.card, event.column)}{price}"

    def tell_stocked(self, event: Stocked) -> str:
        return f"{self.name(event.seat)} takes {listed(self.counts(event.fuel))} from the market"

    def tell_placed(self, event: Placed) -> str:
        piece = plain(event.piece or "house")
        return f"a {piece} of {self.name(event.seat)} is placed in {self.place(event.city)}"

    def tell_shuffled(self, event: Shuffled) -> str:
        return "the deck is shuffled"

    def tell_order(self, event: Order) -> str:
        return f"the turn order is {listed([self.name(int(seat)) for seat in event.items])}"

    def tell_regions(self, event: Regions) -> str:
        return f"the regions in play are {listed([plain(region) for region in event.items])}"

    def tell_step(self, event: StepBegins) -> str:
        return f"Step {event.step} begins"

    def tell_refilled(self, event: Refilled) -> str:
        market = f"market {plain(event.market)}" if event.market else "fuel market"
        return f"new on the {market}: {listed(self.counts(event.fuel)) or 'nothing'}"

    def counts(self, fuel: Sequence[int]) -> list[str]:
        pairs = zip(fuel, self.fuels, strict=False)
        return [f"{count} {plain(fuel)}" for count, fuel in pairs if count]


LAST_CARDS = {"step3": "Step 3", "end": "END"}
NOTHING = {"fuel": "buys no fuel", "building": "builds nothing"}
MERGED = {verb: verb for verb in ("buy", "build")}  # several in one turn are one sentence


def turn_of(row: Row) -> tuple[int, str, int]:
    return row.round, row.phase, row.seat


def own_events(row: Row) -> Own:
    own = (event for event in row.events if getattr(event, "seat", None) == row.seat)
    return {event.what: event for event in own}


def as_parts(value: object) -> Sequence[object]:
    return value if isinstance(value, tuple) else (value,)


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


def many(count: int, one: str, more: str) -> str:
    return f"{count:,} {one}" if count == 1 else f"{count:,} {more}"


def counted(mix: Sequence[str]) -> list[str]:
    """The tokens of a mix by kind.

    >>> counted(["coal", "oil", "oil"])
    ['1 coal', '2 oil']
    """
    return [f"{mix.count(kind)} {plain(kind)}" for kind in dict.fromkeys(mix)]
