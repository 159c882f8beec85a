"""The game in plain words: a sentence for every move and for all that it brings about.

Moves and events are free of language; this is where they become English. A verb or an event that
is not known here is told as it is written, so that a new rulebook can be played at once.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby

from highvoltage.engine.cards import LAST_CARD, label
from highvoltage.engine.game import Row
from highvoltage.engine.moves import Bid, Build, Buy, Done, Move, Nominate, Region, Run, Scrap
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
        self, names: Sequence[str], places: Mapping[str, str], fuels: Sequence[str] = ()
    ) -> None:
        self.names = names
        self.places = places
        self.fuels = fuels

    def name(self, seat: int | str | None) -> str:
        return self.names[seat] if isinstance(seat, int) else "somebody"

    def place(self, name: object) -> str:
        return self.places.get(str(name), plain(name))

    def row(self, row: Row) -> list[str]:
        """The sentences for one line of the log."""
        own = {event.what: event for event in row.events if event.seat == row.seat}
        said = self.move(row.move, own)
        return [sentence(f"{self.name(row.seat)} {said}"), *self.events(row.events)]

    def move(self, move: Move, own: Own | None = None) -> str:
        """What somebody does who makes this move, without the name."""
        say = getattr(self, f"say_{move.verb}", None)
        return str(say(move, own or {})) if say else f"plays '{move}'"

    def rows(self, rows: Iterable[Row]) -> Iterator[str]:
        """The sentences for a stretch of the log; what is bought in one turn is one of them."""
        for (_, phase, seat), turn in groupby(rows, lambda row: (row.round, row.phase, row.seat)):
            name = self.name(seat)
            basket: list[Row] = []
            for row in turn:
                if isinstance(row.move, Buy | Build):
                    basket.append(row)
                    continue
                yield from self._basket(name, basket)
                if not isinstance(row.move, Done):
                    yield from self.row(row)
                else:
                    if not basket:
                        yield sentence(f"{name} {NOTHING.get(phase, 'is done')}")
                    yield from self.events(row.events)
                basket = []
            yield from self._basket(name, basket)

    def _basket(self, name: str, basket: list[Row]) -> Iterator[str]:
        bought, connected = [], []
        for row in basket:
            price = self.price({event.what: event for event in row.events})
            if isinstance(row.move, Buy):
                bought.append(f"{row.move.count} {plain(row.move.fuel)}{price}")
            elif isinstance(row.move, Build):
                connected.append(f"{self.place(row.move.city)}{price}")
        if bought:
            yield sentence(f"{name} buys {listed(bought)}")
        if connected:
            yield sentence(f"{name} connects {listed(connected)}")
        yield from self.events(event for row in basket for event in row.events)

    def events(self, events: Iterable[Event]) -> Iterator[str]:
        """The sentences for what happened beyond the move itself."""
        for event in events:
            tell = getattr(self, f"tell_{event.what}", self.tell_unknown)
            if told := tell(event):
                yield sentence(told)

    # Moves

    def say_nominate(self, move: Nominate, own: Own) -> str:
        return f"puts {card_name(move.card)} up for auction and bids {move.bid}"

    def say_bid(self, move: Bid, own: Own) -> str:
        return f"bids {move.bid}"

    def say_pass(self, move: Move, own: Own) -> str:
        return "passes"

    def say_done(self, move: Move, own: Own) -> str:
        return "is done"

    def say_scrap(self, move: Scrap, own: Own) -> str:
        fuel = [f"{count} {plain(kind)}" for kind, count in move.returned]
        returns = f" and returns {listed(fuel)}" if fuel else ""
        return f"gives up {card_name(move.card)}{returns}"

    def say_buy(self, move: Buy, own: Own) -> str:
        return f"buys {move.count} {plain(move.fuel)}{self.price(own)}"

    def say_build(self, move: Build, own: Own) -> str:
        return f"connects {self.place(move.city)}{self.price(own)}"

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
        what = plain(event.items[0]) if event.card is None else card_name(event.card)
        return f"{what} is turned up"

    def tell_removed(self, event: Event) -> str:
        return f"{card_name(event.card)} leaves the game"

    def tell_slid(self, event: Event) -> str:
        return f"{card_name(event.card)} goes under the deck"

    def tell_sold(self, event: Event) -> str:
        return f"{self.name(event.seat)} buys {card_name(event.card)} for {event.amount}"

    def tell_cannot_buy(self, event: Event) -> str:
        return f"{self.name(event.seat)} can buy none of the plants on offer"

    def tell_demolished(self, event: Event) -> str:
        return f"{self.name(event.seat)} is paid {event.amount} for the plant given up"

    def tell_shuffled(self, event: Event) -> str:
        return "the deck is shuffled"

    def tell_order(self, event: Event) -> str:
        return f"the turn order is {listed([self.name(seat) for seat in event.items])}"

    def tell_regions(self, event: Event) -> str:
        return f"the regions in play are {listed([plain(region) for region in event.items])}"

    def tell_step(self, event: Event) -> str:
        return f"Step {event.amount} begins"

    def tell_refilled(self, event: Event) -> str:
        pairs = zip(event.items, self.fuels, strict=False)
        came = [f"{count} {plain(fuel)}" for count, fuel in pairs if count]
        return f"new on the fuel market: {listed(came)}"


NOTHING = {"fuel": "buys no fuel", "building": "builds nothing"}


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


def card_name(card: int | None) -> str:
    if card is None:
        return "a card"
    return "the Step 3 card" if card == LAST_CARD else f"plant {label(card)}"
