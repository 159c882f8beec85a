"""Checks that a board game can be played to its end under its ruleset.

Every fault names the field that it lies in, and how to fix it.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import chain

from highvoltage.engine.errors import MapError, OptionError
from highvoltage.engine.parts.board import is_connected, region_sets
from highvoltage.engine.parts.rulefaults import Places, rule_faults
from highvoltage.games.classic import tables
from highvoltage.games.classic.decks import fixed_cards, kind_of
from highvoltage.games.classic.ruleset import KINDS, BoardRuleset

NUCLEAR = "uranium"
LEAVE_FOR_STEP_3 = 2  # cards of the plant market: the Step 3 card and the lowest plant, C-9.3


def check_ruleset(rules: BoardRuleset) -> None:
    """Raise OptionError or MapError with every fault."""
    if fault := next(option_faults(rules), None):
        raise OptionError(fault)
    if problems := list(map_faults(rules)):
        raise MapError(rules.map.name, problems)


def option_faults(rules: BoardRuleset) -> Iterator[str]:
    board = rules.map
    options = {each.name: each.value for each in rules.options}
    wanted = options["regions"]
    if not isinstance(wanted, str):
        known = ", ".join(board.regions)
        for region in wanted:
            if region not in board.regions:
                yield f"{board.name} has no region '{region}'. Regions: {known}."
        if len(set(wanted)) != rules.regions or len(wanted) != rules.regions:
            need = f"{rules.players} players need {rules.regions} different regions"
            yield f"{need} (C-1.5): {known}."
        if not is_connected(board, wanted):
            yield f"These regions do not hang together (C-2.1.1): {', '.join(wanted)}."
    if options.get("map_rules") is False and any(map_faults(rules)):
        yield f"{board.name} cannot be played without its own rules (C-12.3.8)."
    if options.get("standard_starting_cities"):
        yield from _mark_faults(rules)


def _mark_faults(rules: BoardRuleset) -> Iterator[str]:
    networks = rules.map_rules.networks
    if networks and networks.starts:
        yield f"{rules.map.name} has starting cities of its own (A-JPN-7)."
    start = sum(shelf.start for shelf in rules.shelves[tables.URANIUM :: KINDS])
    if rules.tokens[tables.URANIUM] - start < rules.players:
        yield f"{rules.map.name} leaves too little uranium to mark cities (R-13.1)."


def map_faults(rules: BoardRuleset) -> Iterator[str]:
    """Why this many players cannot play this map by this rulebook."""
    board = rules.map
    if rules.rulebook in board.rulebooks:  # each was checked alone, not both together
        ids = [city.id for city in board.cities]
        places = Places(board.regions, ids, {city.country for city in board.cities})
        where = f"rules and rulebooks.{rules.rulebook}"
        problems = list(rule_faults(rules.map_rules, where, places))
        if problems:
            yield from problems
            return
    yield from _fuel_faults(rules)
    yield from _deck_faults(rules)
    yield from _barred_faults(rules)
    if not any(_renewal_faults(rules)):
        yield from _round_1_faults(rules)
    yield from _island_faults(rules)
    yield from _loose_faults(rules)
    yield from _mine_faults(rules)
    yield from _blocked_faults(rules)
    room = {city.id: _room(rules, city.id) for city in board.cities}
    for regions in region_sets(board, rules.regions):
        cities = [city.id for city in board.cities if city.region in regions]
        faults = chain(_start_faults(rules, cities), _end_faults(rules, cities, room))
        if fault := next(faults, None):
            yield f"with {rules.players} players {', '.join(regions)} {fault}"
            return


def _fuel_faults(rules: BoardRuleset) -> Iterator[str]:
    for kind, fuel in enumerate(tables.FUELS):
        shelves = rules.shelves[kind::KINDS]
        start = sum(shelf.start for shelf in shelves)
        if start > rules.tokens[kind]:
            yield (
                f"rules.tokens.{fuel} is {rules.tokens[kind]}, but the market starts with {start};"
                " lower rules.start too"
            )
        for shelf in shelves:
            if shelf.start > len(shelf.prices):
                yield (
                    f"rules.spaces.{fuel} has {len(shelf.prices)} spaces, but the market starts"
                    f" with {shelf.start}; lower rules.start too"
                )


# The deck


def _deck_faults(rules: BoardRuleset) -> Iterator[str]:
    deck, removed = rules.deck, rules.removed
    if rules.plant_market.phase_5 or deck.bands:
        faults = [*_renewal_faults(rules)] or [*_band_faults(rules)]
        yield from faults
        if faults or deck.bands:
            return
    if len(removed) != len(rules.piles):
        yield (
            f"rules.deck.removed.{rules.players} has {len(removed)} numbers; the deck of"
            f" {rules.rulebook} is made of {len(rules.piles)} piles"
        )
        return
    market = rules.plant_market
    stay = rules.market_size - LEAVE_FOR_STEP_3 - (not market.step_2_replaced)
    if market.step_3 > stay:
        yield (
            f"rules.plant_market.step_3 is {market.step_3}; of a market of {rules.market_size}"
            f" {stay} are left in Step 3, at most"
        )
    fill = rules.market_size - len(deck.market)
    if fill < 0:
        yield (
            f"rules.deck.market names {len(deck.market)} plants; the market has room for"
            f" {rules.market_size}"
        )
        return
    placed = fixed_cards(deck)
    on_top = deck.low_on_top if len(rules.piles) == 2 else tables.TOP_OF_DECK not in placed
    own_top = deck.top is None and on_top
    taken = fill + own_top  # from the first pile, for the market and the top
    cards = 0
    for pile, count in zip(rules.piles, removed, strict=True):
        left = [card for card in pile if card not in placed]
        loose = [card for card in left if kind_of(tables.PLANTS[card]) not in deck.protected]
        if len(left) < taken:
            yield f"rules.deck leaves {len(left)} plants for {taken} places of the market"
            return
        if max(0, len(loose) - taken) < count:
            yield (
                f"rules.deck: {count} plants are to be removed at random, but only"
                f" {max(0, len(loose) - taken)} are sure to be there"
            )
            return
        cards += len(left) - taken - count
        taken = 0
    yield from _stack_faults(rules, cards)


def _barred_faults(rules: BoardRuleset) -> Iterator[str]:
    """Enough plants must be for sale in Step 1, whatever is removed at random."""
    own, placed = rules.plant_market, fixed_cards(rules.deck) - {*rules.deck.market}
    kinds = [kind for card, kind in _kinds(rules).items() if card not in placed]
    left = sum(kind not in own.barred for kind in kinds) - sum(rules.removed)
    if own.barred and left < rules.market_size:
        yield (
            f"rules.plant_market.barred leaves {max(0, left)} plants for Step 1; the market has"
            f" room for {rules.market_size}"
        )


def _kinds(rules: BoardRuleset) -> dict[int, str]:
    """The kind of every plant, nuclear if the regions may make it so (A-NOR-3)."""
    kinds = {card: kind_of(plant) for card, plant in tables.PLANTS.items()}
    for card in rules.map_rules.plants:
        if not (card.region and kinds[card.number] == NUCLEAR):
            kinds[card.number] = card.kind
    return kinds


def _round_1_faults(rules: BoardRuleset) -> Iterator[str]:
    """Everybody buys a plant in round 1, and nobody has a city that allows nuclear ones (C-4.7.2).

    At worst all others have bought the lowest plants that are not nuclear, and nuclear ones came.
    """
    own, deck, kinds = rules.plant_market, rules.deck, _kinds(rules)
    gone = {*deck.out, *deck.step_2}
    nuclear = [card for card, kind in kinds.items() if kind == NUCLEAR and card not in gone]
    if not rules.map_rules.nuclear_countries or NUCLEAR in own.barred:
        return
    if own.phase_5 is None and len(nuclear) < own.current:
        return
    highest = max(kinds) if own.phase_5 else nuclear[own.current - 1]
    buyable = {
        card
        for card, kind in kinds.items()
        if kind not in (NUCLEAR, *own.barred) and card <= highest
    }
    sure = sum(max(0, count - len({*cards} - buyable)) for cards, count in _opening(rules))
    if sure < rules.players:
        yield (
            f"rules.nuclear_countries: only {sure} plants that are not nuclear are sure to be on"
            f" offer in round 1, in which {rules.players} players have to buy one"
        )


def _opening(rules: BoardRuleset) -> Iterator[tuple[list[int], int]]:
    """The cards that the opening market is dealt from, and how many of them."""
    deck, fill, placed = rules.deck, rules.opening_size, fixed_cards(rules.deck)
    piles: list[tuple[list[int], bool]] = []  # with whether they lie in order
    if deck.bands:
        first = 0
        for band in deck.bands:
            piles.append(([*range(first + 1, band.last + 1)], band.ordered))
            first = band.last
    else:
        yield from (([card], 1) for card in deck.market)
        fill -= len(deck.market)
        if len(rules.piles) == 1 and deck.top is None:
            placed |= {tables.TOP_OF_DECK}
        piles.append(([*rules.piles[0]], len(rules.piles) == 1))
    for pile, ordered in piles:
        cards = [card for card in pile if card in tables.PLANTS and card not in placed]
        if ordered:
            cards = cards[:fill]
        count = min(fill, len(cards))
        fill -= count
        yield cards, count


def _renewal_faults(rules: BoardRuleset) -> Iterator[str]:
    market, row = rules.plant_market, rules.step_2_row
    own = market.phase_5
    if own is None:
        return
    where = "rules.plant_market.phase_5"
    if not all(row in each for each in (own.opening, own.least, own.size)):
        yield f"{where} lacks the numbers for {row} players"
        return
    most = max(own.opening[row], own.size[row], market.step_3)
    if market.future or market.current < most:
        yield f"{where}: all plants are on offer, so future must be 0 and current {most} or more"
    if not rules.deck.bands:
        yield f"{where}: the Step 3 card has to lie in one of deck.bands"
    if own.opening[row] < row:
        yield f"{where}.opening.{row} is {own.opening[row]}; everybody buys a plant in round 1"


def _band_faults(rules: BoardRuleset) -> Iterator[str]:
    """The market must be full before the Step 3 card can come."""
    band = next(band for band in rules.deck.bands if band.with_step_3)
    first = max((each.last for each in rules.deck.bands if each.last < band.last), default=0)
    placed = fixed_cards(rules.deck)
    before = sum(card <= first and card not in placed for card in tables.PLANTS)
    if before < rules.opening_size:
        yield (
            f"rules.deck.bands has {before} plants before the band with the Step 3 card; the market"
            f" starts with {rules.opening_size}"
        )


def _stack_faults(rules: BoardRuleset, cards: int) -> Iterator[str]:
    """Faults of a deck that has this many shuffled cards left."""
    deck = rules.deck
    mixed = deck.mixed.others if deck.mixed else 0
    if mixed > cards:
        yield f"rules.deck.mixed.others is {mixed}; only {cards} cards are left"
    whole = cards + len(deck.next) + (len(deck.mixed.cards) if deck.mixed else 0)
    if deck.below_step_3 > whole:
        yield f"rules.deck.below_step_3 is {deck.below_step_3}; the deck has {whole} cards"


# Cities


def _island_faults(rules: BoardRuleset) -> Iterator[str]:
    """A player who cannot leave an island might never reach enough cities to end the game."""
    islands, networks = rules.map.islands, rules.map_rules.networks
    most = 1 if networks is None else networks.most
    if len(islands) > most:
        yield (
            f"the map has {len(islands)} islands and a player {most} networks at most; say in"
            " rules.networks.most how many"
        )


def _loose_faults(rules: BoardRuleset) -> Iterator[str]:
    if rules.map.loose_regions and rules.map_rules.connection_at_most is None:
        yield (
            "loose_regions need not hang together, so rules.connection_at_most must say what a way"
            " to any city costs"
        )


def _mine_faults(rules: BoardRuleset) -> Iterator[str]:
    own = rules.map_rules.mines
    if own and rules.refill_row not in own.used:
        yield f"rules.mines.used lacks the numbers for {rules.refill_row} players"


def _blocked_faults(rules: BoardRuleset) -> Iterator[str]:
    """Blocked cities are drawn from the whole map."""
    where = f"rules.blocked.{rules.players}"
    if rules.blocked and rules.regions < len(rules.map.regions):
        yield f"{where}: all regions must be in play; say so in regions_in_play"
    there = Counter(rules.slots_of(city.id)[0].cost for city in rules.map.cities)
    for price, count in rules.blocked.items():
        if count > there[price]:
            yield f"{where}.{price} is {count}; {there[price]} cities have that price"


def _room(rules: BoardRuleset, city: str) -> int:
    """The houses that a city can hold in the course of the game: one of each player."""
    last = 1 if rules.plant_market.three_stages else 3
    return min(sum(slot.step <= last for slot in rules.slots_of(city)), rules.players)


def _start_faults(rules: BoardRuleset, cities: list[str]) -> Iterator[str]:
    """Every player needs a place to start in Step 1."""
    own = rules.map_rules
    starts = own.networks.starts if own.networks else ()
    if starts:
        slots = [rules.slots_of(city) for city in cities if city in starts]
        room = sum(slot.step == 1 for each in slots for slot in each)
    else:
        room = sum(rules.slots_of(city)[0].step == 1 for city in cities if city not in own.no_start)
    room -= sum(rules.blocked.values())
    need = rules.players
    if room < need:
        yield f"have {room} places to start in Step 1; {need} players need as many"


def _first_price(rules: BoardRuleset, city: str) -> int:
    return rules.slots_of(city)[0].cost


def _end_faults(rules: BoardRuleset, cities: list[str], room: dict[str, int]) -> Iterator[str]:
    """With too few places for houses the game might never end: all could stop one city short."""
    most = {
        price: max((room[city] for city in cities if _first_price(rules, city) == price), default=0)
        for price in rules.blocked
    }
    houses = sum(room[city] for city in cities) - sum(
        most[price] * n for price, n in rules.blocked.items()
    )
    last = min(rules.end_cities, len(cities))
    if houses <= rules.players * (last - 1):
        yield (
            f"hold {houses} houses, too few for anybody to be sure of {last} cities; add cities or"
            " regions_in_play"
        )
