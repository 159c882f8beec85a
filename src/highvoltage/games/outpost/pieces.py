"""What a company, a player's or the Syndicate's, does with its pieces and cards."""

from highvoltage.engine.events import Placed
from highvoltage.games.outpost import tables
from highvoltage.games.outpost.state import CLOSED, PLANT, SYNDICATE, Company, OutpostState

PIECES = (tables.STATION, *tables.KINDS)


def pieces_left(company: Company, piece: str) -> int:
    """How many pieces of a kind are still on the company board."""
    if piece == tables.STATION:
        return company.stations - company.network
    return tables.SPACES - company.open[tables.KINDS.index(piece)]


# The map


def slot_price(s: OutpostState, city: int) -> int:
    """The price of the next station in a city, O-7.1.2."""
    stations = len(s.stations[city])
    return tables.STATION_PRICES[stations] if stations < s.step else CLOSED


def put_station(s: OutpostState, seat: int, company: Company, city: int) -> None:
    s.stations[city] = (*s.stations[city], seat)
    s.slots[city] = slot_price(s, city)
    company.cities = (*company.cities, city)
    company.network += 1
    add_city(s, company, city)
    if seat == SYNDICATE:
        note_placed(s, tables.STATION, city)


def put_special(s: OutpostState, seat: int, company: Company, city: int) -> None:
    """Build a plant or a habitat, depending on the city's special slot."""
    s.specials[city] = seat
    kind = tables.KINDS.index(s.planet.kinds[city])
    free = tuple(other for other in s.free[kind] if other != city)
    s.free = (free, s.free[1]) if kind == PLANT else (s.free[0], free)
    uncover(company, kind)
    add_city(s, company, city)
    if seat == SYNDICATE:
        note_placed(s, tables.KINDS[kind], city)


def add_city(s: OutpostState, company: Company, city: int) -> None:
    """Add the city to the company's structure, O-7.1.4."""
    distances = s.planet.distance[city]
    company.reach = list(map(min, company.reach, distances) if company.structure else distances)
    company.structure |= 1 << city
    company.station_reach = company.reach[:]
    for own in company.cities:
        company.station_reach[own] = CLOSED


def note_placed(s: OutpostState, piece: str, city: int) -> None:
    s.events.append(Placed(SYNDICATE, s.planet.cities[city], piece))


# The company board


def settle(company: Company, piece: str, card: int) -> None:
    """Put a piece on a Colony card, O-11.6."""
    company.colonies = (*company.colonies, (card, piece))
    if piece == tables.STATION:
        company.network += 1
    else:
        uncover(company, tables.KINDS.index(piece))


def uncover(company: Company, kind: int) -> None:
    plants, habitats = company.open
    company.open = (plants + 1, habitats) if kind == PLANT else (plants, habitats + 1)


def place(company: Company, kind: int, card: int) -> None:
    set_cards(company, kind, (*company.board[kind], card))


def swap(company: Company, kind: int, old: int, new: int) -> None:
    set_cards(company, kind, tuple(new if card == old else card for card in company.board[kind]))


def set_cards(company: Company, kind: int, cards: tuple[int, ...]) -> None:
    plants, habitats = company.board
    company.board = (cards, habitats) if kind == PLANT else (plants, cards)
