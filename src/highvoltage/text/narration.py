"""A game in words: a sentence for every move and every event that follows from it.

Moves and events contain no language; the catalogue has the sentences. A verb or an event that it
lacks is printed as it is written, so that a new rulebook can be played at once.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from msgspec import structs

from highvoltage.engine.cards import label
from highvoltage.engine.events import (
    Blocked,
    CannotBuy,
    Demolished,
    Event,
    Income,
    LaidBy,
    Mined,
    Order,
    Paid,
    Placed,
    Refilled,
    Regions,
    Removed,
    Shuffled,
    Slid,
    Sold,
    StageBegins,
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
from highvoltage.views import Reason, reasons
from highvoltage.words import find, read_as_words, say, spoken

Own = Mapping[str, Event]
"""The events of a move that concern the seat that made it, by name."""
RegionNames = Mapping[str, Mapping[str, str]]
"""What a map calls its regions, by their id and the language."""
NO_NAMES: RegionNames = {}


class Narrator:
    """Describes one game. `places` are names by id, `fuels` are in the order of the market.

    A method `move_VERB` returns the sentence for a move, a method `event_EVENT` the one for an
    event; an empty one is left out.

    >>> narrator = Narrator(["Ann", "Bob"], {"koeln": "Köln"}, ["coal", "oil"])
    >>> row = Row(1, "building", 0, Build("koeln"), (Paid(0, 10),))
    >>> narrator.row(row)
    ['Ann connects Köln for 10 Ɇ.']
    """

    def __init__(
        self,
        names: Sequence[str],
        places: Mapping[str, str],
        fuels: Sequence[str] = (),
        third: str = "cartel",
    ) -> None:
        self.names = names
        self.places = places
        self.fuels = fuels
        self.third = third  # the message id of the automatic opponent; its seat is negative
        self.region_names: RegionNames = NO_NAMES

    def name(self, seat: int) -> str:
        return self.names[seat] if seat >= 0 else say(self.third)

    def card(self, card: str) -> str:
        """The name of a card in a sentence."""
        return {"step3": say("step3_card"), "end": say("end_card")}.get(card, card)

    def place(self, name: object) -> str:
        return self.places.get(str(name), plain(name))

    def region(self, region: object) -> str:
        return region_name(region, self.region_names)

    def row(self, row: Row) -> list[str]:
        """The sentences for one line of the log."""
        return [
            sentence(self.decision(row.move, self.name(row.seat), own_events(row))),
            *self.events(row.events),
        ]

    def decision(self, move: Move, name: str, own: Own) -> str:
        """The sentence for a move of the player `name`."""
        describe = getattr(self, f"move_{move.verb}", None)
        if describe:
            return str(describe(move, name, own))
        rest = str(move).partition(" ")[2]
        return find(f"log_{move.verb}", {"name": name, "move": rest}) or f"{name}: {move}"

    def order(self, move: Move) -> str:
        """A move as advice."""
        describe = getattr(self, f"do_{move.verb}", None)
        return str(describe(move)) if describe else str(move)

    def notation(self, move: str) -> str:
        """A move as it is written, with the names of its places."""
        return " ".join(self.places.get(word, word) for word in move.split())

    def rows(self, rows: Iterable[Row], before: Row | None = None) -> Iterator[str]:
        """The sentences for the part of the log that follows the row `before`.

        All fuel bought in one turn is one sentence, and so are all cities built.
        """
        for which, turn in groupby(rows, turn_of):
            _, phase, seat = which
            idle = before is None or which != turn_of(before)
            for kind, part in groupby(turn, self.merged_kind):
                for row in [] if kind else part:
                    if not isinstance(row.move, Done):
                        yield from self.row(row)
                        idle = isinstance(row.move, Run)  # selling is another turn
                        continue
                    if idle:
                        name = {"name": self.name(seat)}
                        nothing = find(f"log_nothing_{phase}", name)
                        yield sentence(nothing or say("log_done", **name))
                    yield from self.events(row.events)
                if kind:
                    yield from self.merged(seat, list(part))
                idle = False

    def merged_kind(self, row: Row) -> type[Move] | None:
        """The kind of a move that is merged with others of its turn into one sentence."""
        return next((kind for kind in (Buy, Build) if type(row.move) is kind), None)

    def merged(self, seat: int, rows: Sequence[Row]) -> Iterator[str]:
        """What somebody bought or built in a turn, as one sentence."""
        name, paid = self.name(seat), sum(price(own_events(row)) for row in rows)
        moves = [row.move for row in rows]
        cities = [self.place(move.city) for move in moves if isinstance(move, Build)]
        if fuel := self.total_fuel(move for move in moves if isinstance(move, Buy)):
            yield sentence(say("log_buy", name=name, fuel=fuel, paid=paid))
        else:
            yield sentence(say("log_build", name=name, city=", ".join(cities), paid=paid))
        yield from self.events(event for row in rows for event in row.events)

    def total_fuel(self, purchases: Iterable[Buy]) -> str:
        """Each fuel once, in the order of the market; others follow as they were bought."""
        totals = dict.fromkeys(self.fuels, 0)
        for move in purchases:
            kind = fuel_kind(move.fuel)
            totals[kind] = totals.get(kind, 0) + move.count
        return ", ".join(fuel_amount(count, kind) for kind, count in totals.items() if count)

    def events(self, events: Iterable[Event]) -> Iterator[str]:
        """The sentences for what happened beyond the move itself."""
        for event in events:
            describe = getattr(self, f"event_{event.what}", self.event_unknown)
            if text := describe(event):
                yield sentence(text)

    def reason(self, why: Reason, rulebook: str) -> str:
        """The sentence for a bot's reason, with names instead of ids."""
        return reasons.sentence(why.code, self.values(why.values), rulebook)

    def values(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """The values of a refusal or a reason, with names instead of ids."""
        return {key: self.readable(key, value) for key, value in values.items()}

    def readable(self, key: str, value: Any) -> Any:
        naming = self.naming().get(key)
        if naming is None or not isinstance(value, str):
            return value
        return ", ".join(map(naming, value.split(", ")))

    def naming(self) -> dict[str, Callable[[str], str]]:
        """How to turn an id into a name, by the key of the value."""
        return {
            **dict.fromkeys(("city", "cities", "built"), self.place),
            **dict.fromkeys(("fuel", "fuels"), fuel_name),
            **dict.fromkeys(("region", "regions"), self.region),
            **dict.fromkeys(("market", "markets"), market_name),
            **dict.fromkeys(("kind", "piece", "pieces"), piece_name),
            **dict.fromkeys(("card", "other", "runner_up", "old", "new"), self.card),
            **dict.fromkeys(("than", "advised", "second", "third"), self.notation),
        }

    # Moves

    def move_nominate(self, move: Nominate, name: str, own: Own) -> str:
        return say("log_nominate", name=name, card=label(move.card), bid=move.bid)

    def move_bid(self, move: Bid, name: str, own: Own) -> str:
        return say("log_bid", name=name, bid=move.bid)

    def move_pass(self, move: Move, name: str, own: Own) -> str:
        return say("log_pass", name=name)

    def move_done(self, move: Move, name: str, own: Own) -> str:
        return say("log_done", name=name)

    def move_scrap(self, move: Scrap, name: str, own: Own) -> str:
        fuel = ", ".join(fuel_amount(count, kind) for kind, count in move.returned)
        if not fuel:
            return say("log_scrap", name=name, card=label(move.card))
        return say("log_scrap_returning", name=name, card=label(move.card), fuel=fuel)

    def move_buy(self, move: Buy, name: str, own: Own) -> str:
        fuel = fuel_amount(move.count, move.fuel)
        return say("log_buy", name=name, fuel=fuel, paid=price(own))

    def move_build(self, move: Build, name: str, own: Own) -> str:
        return say("log_build", name=name, city=self.place(move.city), paid=price(own))

    def move_start(self, move: CityMove, name: str, own: Own) -> str:
        return say("log_start", name=name, city=self.place(move.city), paid=price(own))

    def move_place(self, move: CityMove, name: str, own: Own) -> str:
        return say("log_place", name=name, city=self.place(move.city))

    def move_mark(self, move: CityMove, name: str, own: Own) -> str:
        return say("log_mark", name=name, city=self.place(move.city))

    def move_run(self, move: Run, name: str, own: Own) -> str:
        income = own.get("income")
        earned, supplied = (
            (income.amount, income.supplied) if isinstance(income, Income) else (0, 0)
        )
        if not move.plants:
            return say("log_run_nothing", name=name, earned=earned)
        plants = plants_of(move)
        return say("log_run", name=name, plants=plants, count=supplied or 0, earned=earned)

    def move_sell(self, move: Move, name: str, own: Own) -> str:
        return say("log_sell", name=name)

    def move_market(self, move: Market, name: str, own: Own) -> str:
        return say("log_market", name=name, market=market_name(move.market))

    def move_region(self, move: Region, name: str, own: Own) -> str:
        return say("log_region", name=name, region=self.region(move.region))

    # Moves as advice

    def do_nominate(self, move: Nominate) -> str:
        return say("hint_move_nominate", card=label(move.card), amount=move.bid)

    def do_bid(self, move: Bid) -> str:
        return say("hint_move_bid", amount=move.bid)

    def do_pass(self, move: Move) -> str:
        return say("hint_move_pass")

    def do_done(self, move: Move) -> str:
        return say("hint_move_done")

    def do_scrap(self, move: Scrap) -> str:
        return say("hint_move_scrap", card=label(move.card))

    def do_buy(self, move: Buy) -> str:
        return say("hint_move_buy", fuel=fuel_amount(move.count, move.fuel))

    def do_build(self, move: Build) -> str:
        return say("hint_move_build", city=self.place(move.city))

    def do_start(self, move: CityMove) -> str:
        return say("hint_move_start", city=self.place(move.city))

    def do_run(self, move: Run) -> str:
        if not move.plants:
            return say("hint_move_run_nothing")
        return say("hint_move_run", plants=plants_of(move))

    def do_sell(self, move: Move) -> str:
        return say("hint_move_sell")

    # Events

    def event_mined(self, event: Mined) -> str:
        return say("log_mined", name=self.name(event.seat), amount=event.amount)

    def event_unknown(self, event: Event) -> str:
        fields = {key: value for key, value in structs.asdict(event).items() if value is not None}
        seat = fields.pop("seat", None)
        name = "" if seat is None else self.name(seat)
        if message := find(f"log_{event.what}", {**fields, "name": name}):
            return message
        values = [part for value in fields.values() for part in as_parts(value)]
        text = " ".join(map(plain, [event.what, *values]))
        return f"{name}: {text}" if name else text

    def event_paid(self, event: Paid) -> str:
        return ""  # part of the move's sentence

    def event_income(self, event: Income) -> str:
        return ""  # part of the move's sentence

    def event_turned(self, event: Turned) -> str:
        if event.card == "step3":
            return say("log_step3_card")
        return say("log_turned", card=event.card)

    def event_removed(self, event: Removed) -> str:
        return say("log_removed", card=self.card(event.card))

    def event_slid(self, event: Slid) -> str:
        return say("log_slid", card=self.card(event.card))

    def event_laid_by(self, event: LaidBy) -> str:
        return say("log_laid_by", card=self.card(event.card))

    def event_stage(self, event: StageBegins) -> str:
        return say("log_stage_2") if event.stage == 2 else say("log_stage_3")

    def event_blocked(self, event: Blocked) -> str:
        cities = ", ".join(self.place(str(city)) for city in event.items)
        return say("log_blocked", cities=cities)

    def event_sold(self, event: Sold) -> str:
        name = self.name(event.seat)
        return say("log_sold", name=name, card=event.card, amount=event.amount)

    def event_cannot_buy(self, event: CannotBuy) -> str:
        return say("log_cannot_buy", name=self.name(event.seat))

    def event_demolished(self, event: Demolished) -> str:
        return say("log_demolished", name=self.name(event.seat), amount=event.amount)

    def event_taken(self, event: Taken) -> str:
        return say("log_taken", name=self.name(event.seat), card=event.card)

    def event_stocked(self, event: Stocked) -> str:
        fuel = self.counts(event.fuel)
        return say("log_stocked", name=self.name(event.seat), fuel=fuel) if fuel else ""

    def event_placed(self, event: Placed) -> str:
        return say("log_placed", name=self.name(event.seat), city=self.place(event.city))

    def event_shuffled(self, event: Shuffled) -> str:
        return ""  # the next card turned up shows it

    def event_order(self, event: Order) -> str:
        return say("log_order", names=", ".join(self.name(int(seat)) for seat in event.items))

    def event_regions(self, event: Regions) -> str:
        return f"{say('option_regions')}: {', '.join(map(self.region, event.items))}"

    def event_step(self, event: StepBegins) -> str:
        return say("log_step", step=event.step)

    def event_refilled(self, event: Refilled) -> str:
        if not (fuel := self.counts(event.fuel)):
            return ""
        market = f"{market_name(event.market)}: " if event.market else ""
        return market + say("log_refilled", fuel=fuel)

    def counts(self, fuel: Sequence[int]) -> str:
        pairs = zip(fuel, self.fuels, strict=False)
        return ", ".join(fuel_amount(count, kind) for count, kind in pairs if count)


def turn_of(row: Row) -> tuple[int, str, int]:
    return row.round, row.phase, row.seat


def own_events(row: Row) -> Own:
    own = (event for event in row.events if getattr(event, "seat", None) == row.seat)
    return {event.what: event for event in own}


def price(own: Own) -> int:
    """What the player paid for the move."""
    paid = own.get("paid")
    return paid.amount if isinstance(paid, Paid) else 0


def plants_of(run: Run) -> str:
    return ", ".join(label(card) for card, _ in run.plants)


def as_parts(value: object) -> Sequence[object]:
    return value if isinstance(value, tuple) else (value,)


# Names


def fuel_kind(fuel: str) -> str:
    """The fuel itself, whether it comes from the market or from a storage.

    >>> fuel_kind("stored_coal")
    'coal'
    """
    return fuel.removeprefix("stored_")


def fuel_name(fuel: str) -> str:
    """The name of a fuel; stored fuel is named after its kind."""
    kind = fuel_kind(fuel)
    name = find(f"fuel_{kind}", {}) or plain(kind)
    return name if kind == fuel else say("fuel_stored", fuel=name)


def fuel_amount(count: int, fuel: str) -> str:
    """An amount of a fuel; languages with grammatical cases use another form of its name.

    >>> fuel_amount(3, "coal")
    '3 coal'
    """
    kind = fuel_kind(fuel)
    return f"{count} {find(f'fuel_of_{kind}', {}) or fuel_name(fuel)}"


def region_name(region: object, names: RegionNames = NO_NAMES) -> str:
    """A region; `names` are those of its map, by id and language."""
    own = in_language(names.get(str(region), {}))
    return own or find(f"region_{region}", {}) or plain(region)


def in_language(names: Mapping[str, str]) -> str:
    """The name in the language that is spoken, or else the English one, if there are any.

    >>> in_language({"pl": "Niemcy", "en": "Germany"})
    'Germany'
    """
    return names.get(spoken()[:2], names.get("en", ""))


def market_name(market: str) -> str:
    return find(f"market_{market}", {}) or plain(market)


def piece_name(piece: str) -> str:
    return find(f"piece_{piece}", {}) or plain(piece)


def phase_name(phase: str) -> str:
    return find(f"phase_{phase}", {}) or read_as_words(phase)


def won(names: Sequence[str]) -> str:
    """The sentence for the winners."""
    if len(names) == 1:
        return say("turn_won", name=names[0])
    return say("turn_tied", names=", ".join(names))


def sentence(text: str) -> str:
    """A text with a capital letter at the start and a full stop at the end."""
    end = "" if text.endswith((".", "!", "?")) else "."
    return f"{text[:1].upper()}{text[1:]}{end}"


def percent(share: float) -> int:
    return round(100 * share)


def percent_sign(share: float) -> str:
    """A share with its sign, which some languages write after a space.

    >>> percent_sign(0.25)
    '25%'
    """
    return say("terminal_percent", share=percent(share))


def plain(name: object) -> str:
    return str(name).replace("_", " ")
