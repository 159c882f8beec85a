"""The Syndicate, the third company in a game for two, O-12. The players make its choices."""

from highvoltage.engine.cards import label
from highvoltage.engine.events import Hired, Taken
from highvoltage.engine.legal import Moves
from highvoltage.engine.moves import Move
from highvoltage.engine.phase import TurnPhase
from highvoltage.games.outpost import pieces, tables
from highvoltage.games.outpost.moves import Syndicate
from highvoltage.games.outpost.state import PLANT, SYNDICATE, Company, OutpostState, OutpostTerms


class SyndicateStations(TurnPhase[OutpostState]):
    """The last step of set-up: the players place six stations, O-12.2.3."""

    name = "syndicate"

    def begin(self, s: OutpostState) -> None:
        super().begin(s)
        s.choices = tuple(range(len(s.planet.cities)))

    def actor(self, s: OutpostState) -> int | None:
        placers = tables.SYNDICATE_PLACERS
        return s.order[placers[s.turn]] if s.turn < len(placers) and s.choices else None

    def legal(self, s: OutpostState, seat: int) -> Moves:
        return Moves([Syndicate(tables.STATION, s.planet.cities[city]) for city in s.choices])

    def check(self, s: OutpostState, seat: int, move: Move) -> None:
        self.check_verb(s, move, Syndicate)
        assert isinstance(move, Syndicate)
        refuse = s.rules.refuse
        city = s.planet.index.get(move.city)
        if city is None:
            raise refuse("unknown_city", city=move.city)
        if move.piece != tables.STATION:
            raise refuse("syndicate_piece", piece=tables.STATION)
        if s.stations[city]:
            raise refuse("place_taken", city=move.city)
        if city not in s.choices:
            raise refuse("place_apart", city=move.city, cities=names(s, s.choices))

    def apply(self, s: OutpostState, seat: int, move: Move) -> None:
        assert isinstance(move, Syndicate)
        assert s.syndicate is not None
        pieces.put_station(s, SYNDICATE, s.syndicate, s.planet.index[move.city])
        s.choices = tuple(
            city
            for city, stations in enumerate(s.stations)
            if not stations and any(s.stations[near] for near, _ in s.planet.neighbours[city])
        )
        self.next_turn(s)

    def end(self, s: OutpostState) -> None:
        s.choices = ()


def names(s: OutpostState, cities: tuple[int, ...]) -> str:
    return ", ".join(s.planet.cities[city] for city in cities)


# Phase 2


def take_card(s: OutpostState, company: Company, besides: int | None = None) -> None:
    """Take the highest card on offer, except `besides`, into its pool, O-12.5."""
    offer = [card for card in s.market.offer if card != besides]
    if not offer:
        return
    card = s.market.take(offer[-1])
    company.cards = (*company.cards, card)  # in the order acquired
    s.events.append(Taken(SYNDICATE, label(card)))
    if card in s.rules.colonies:
        for piece in pieces.PIECES:
            if pieces.pieces_left(company, piece):
                pieces.settle(company, piece, card)  # O-12.5.4


# Phase 3


def follow_player(s: OutpostState, city: int) -> None:
    """A player has connected a city: the Syndicate follows on the 15 slot, O-12.6.3."""
    company = s.syndicate
    alone = len(s.stations[city]) == 1  # OR-59
    if company and alone and pieces.pieces_left(company, tables.STATION):
        pieces.put_station(s, SYNDICATE, company, city)


def take_turn(s: OutpostState, company: Company) -> None:
    """Place the cards of the pool and take workers, O-12.6.10.

    Stops and sets `s.choices` where a player has to choose a slot; repeating the earlier part
    afterwards changes nothing.
    """
    for card in company.pool:
        kind = s.rules.kind_of(card)
        if kind is None:
            continue  # technologies lie in the pool, O-12.5.5
        if len(company.board[kind]) == company.open[kind] < tables.SPACES and s.free[kind]:
            slots = cheapest_slots(s, company, kind)
            if len(slots) > 1:
                s.choices = slots
                return
            pieces.put_special(s, SYNDICATE, company, slots[0])
        if len(company.board[kind]) < company.open[kind]:
            pieces.place(company, kind, card)
        elif company.board[kind]:
            replace_worst(s.rules, company, kind, card)
    beds, need = s.rules.beds_and_need(company)
    hired = min(s.labour, max(0, max(beds, need) - company.humans))  # OR-62
    company.humans += hired
    s.labour -= hired
    s.events.append(Hired(SYNDICATE, hired))


def cheapest_slots(s: OutpostState, company: Company, kind: int) -> tuple[int, ...]:
    """The cheapest free special slots of a kind, O-12.6.5 and OR-60."""
    free = s.free[kind]
    connected = tuple(city for city in free if SYNDICATE in s.stations[city])
    if connected:
        return connected
    costs = adjacent_slots(s, company, free)
    if not costs or s.rules.version == 1:  # which allowed detours to neighbours too
        costs = {city: company.reach[city] for city in costs or free}
    lowest = min(costs.values())
    return tuple(city for city, cost in costs.items() if cost == lowest)


def adjacent_slots(s: OutpostState, company: Company, free: tuple[int, ...]) -> dict[int, int]:
    """The free slots next to its structure, each with the cheapest connection to it."""
    costs = {}
    for city in free:
        links = [cost for near, cost in s.planet.neighbours[city] if company.structure >> near & 1]
        if links:
            costs[city] = min(links)
    return costs


def replace_worst(rules: OutpostTerms, company: Company, kind: int, card: int) -> None:
    """A better card takes the space of the worst, O-12.6.7 and OR-61."""

    def worth(card: int) -> tuple[int, ...]:
        face = rules.faces[card]
        return (face.energy, -face.workers) if kind == PLANT else (face.places,)

    worst = min(company.board[kind], key=lambda c: (*worth(c), rules.faces[c].number))
    if worth(card) > worth(worst):
        pieces.swap(company, kind, worst, card)


def legal(s: OutpostState) -> Moves:
    return Moves([Syndicate(s.planet.kinds[city], s.planet.cities[city]) for city in s.choices])


def check(s: OutpostState, move: Move) -> None:
    refuse = s.rules.refuse
    if not isinstance(move, Syndicate):
        raise refuse("not_now", move=move.verb, expected=Syndicate.verb)
    city = s.planet.index.get(move.city)
    if city is None:
        raise refuse("unknown_city", city=move.city)
    kind = s.planet.kinds[s.choices[0]]
    if move.piece != kind:
        raise refuse("syndicate_piece", piece=kind)
    if city not in s.choices:
        raise refuse("syndicate_slot", city=move.city, cities=names(s, s.choices))


def apply(s: OutpostState, move: Syndicate) -> None:
    assert s.syndicate is not None
    s.choices = ()
    pieces.put_special(s, SYNDICATE, s.syndicate, s.planet.index[move.city])
    take_turn(s, s.syndicate)
