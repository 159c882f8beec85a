"""What always holds in a game of Outpost: OI-01 to OI-22, one law or several each.

OI-23 (same options, seed and moves give the same state) is a law about two games, which the
conformance kit checks with a second process; OI-24 is a law about one step and has its own test.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from heapq import heappop, heappush
from itertools import combinations, pairwise

from highvoltage.engine.cards import LAST_CARD, number_of, parse_card
from highvoltage.engine.events import CannotBuy, Income, Paid, Sold, Turned
from highvoltage.engine.moves import Bid, Nominate
from highvoltage.games.laws import Change, Laws, LawsOf, events_of, totals_by_seat
from highvoltage.games.outpost import tables
from highvoltage.games.outpost.cards import Card
from highvoltage.games.outpost.moves import Build, Hire, Power, Robot
from highvoltage.games.outpost.state import CLOSED, FREE, SYNDICATE, Company, OutpostState

OutpostChange = Change[OutpostState]


def phase_of(s: OutpostState) -> str:
    return s.phase_name


def companies(s: OutpostState) -> list[tuple[int, Company]]:
    return [*enumerate(s.players), *([(SYNDICATE, s.syndicate)] if s.syndicate else [])]


def both_of(change: OutpostChange) -> Iterator[tuple[Company, Company]]:
    """All companies, before and after."""
    for (_, old), (_, new) in zip(companies(change.before), companies(change.after), strict=True):
        yield old, new


def actors(change: OutpostChange) -> tuple[Company, Company]:
    """The company that moved, before and after."""
    seat = change.before.actor
    assert seat is not None
    return change.before.players[seat], change.after.players[seat]


def faces(s: OutpostState, company: Company) -> list[Card]:
    """The cards on a company board."""
    return [s.rules.faces[card] for kind in company.board for card in kind]


def owns(s: OutpostState, company: Company, technology: str) -> bool:
    own = {s.rules.faces[card].technology for card in company.cards}
    return technology in own and company is not s.syndicate


def beds(s: OutpostState, company: Company) -> int:
    more = owns(s, company, "hub_module")
    return sum(face.places + more for face in faces(s, company) if face.places)


def rising(numbers: Iterable[int], *, strictly: bool = False) -> bool:
    return all(a < b if strictly else a <= b for a, b in pairwise(numbers))


# Workers, robots, money


def workers_are_conserved(s: OutpostState) -> bool:
    total: int = tables.WORKERS_IN_SECTOR[len(s.players)] * sum(tables.SECTOR_SIZES)
    held = sum(company.humans for _, company in companies(s))
    return 0 <= s.labour <= total and s.labour + held == total


def labour_fills_from_the_dear_end(s: OutpostState) -> bool:
    sector = tables.WORKERS_IN_SECTOR[len(s.players)]
    left = s.labour
    cheapest: int | None = None
    for price, size in zip(s.rules.map.labour_prices[::-1], tables.SECTOR_SIZES[::-1], strict=True):
        if left > 0:
            cheapest = price
        left -= size * sector
    return left <= 0 and bool(s.rules.labour.price(s.labour) == cheapest)


def robots_are_conserved(s: OutpostState) -> bool:
    owned = [company for _, company in companies(s) if company.robots]
    total = s.robots + sum(company.robots for company in owned)
    return total == tables.ROBOTS and all(owns(s, company, "robots") for company in owned)


def one_robot_at_a_time(change: OutpostChange) -> bool:
    before, move, after = change
    return before.robots - after.robots == isinstance(move, Robot)


def one_robot_a_round(change: OutpostChange) -> bool:
    old, new = actors(change)
    return not isinstance(change.move, Robot) or (not old.busy and new.busy == change.move.maker)


def money_is_never_negative(s: OutpostState) -> bool:
    return all(type(player.money) is int and player.money >= 0 for player in s.players)


def money_changes_by_rule(change: OutpostChange) -> bool:
    before, _, after = change
    sold, paid, income = (totals_by_seat(after, kind) for kind in (Sold, Paid, Income))
    for seat, (old, new) in enumerate(zip(before.players, after.players, strict=True)):
        if new.money - old.money != income[seat] - sold[seat] - paid[seat]:
            return False
    return True


def everybody_earns(change: OutpostChange) -> bool:
    _, move, after = change
    income = totals_by_seat(after, Income)
    if isinstance(move, Power):
        return income == {change.before.actor: tables.PAYMENT[move.count]} and (
            tables.PAYMENT[move.count] >= tables.PAYMENT[0] == 10
        )
    return not income


# Pieces


def stations_are_conserved(s: OutpostState) -> bool:
    for seat, company in companies(s):
        most = tables.SYNDICATE_STATIONS if seat == SYNDICATE else tables.STATIONS
        on_map = sum(stations.count(seat) for stations in s.stations)
        on_colonies = sum(piece == tables.STATION for _, piece in company.colonies)
        if company.network != on_map + on_colonies or company.network > most:
            return False
        if sorted(company.cities) != [c for c, here in enumerate(s.stations) if seat in here]:
            return False
    return True


def buildings_uncover_spaces(s: OutpostState) -> bool:
    for seat, company in companies(s):
        for kind, name in enumerate(tables.KINDS):
            on_map = sum(
                owner == seat and slot == name
                for owner, slot in zip(s.specials, s.planet.kinds, strict=True)
            )
            placed = on_map + sum(piece == name for _, piece in company.colonies)
            cards = company.board[kind]
            if not len(cards) <= company.open[kind] == placed <= tables.SPACES:
                return False
            if not all(kind in s.rules.kinds_of(card) for card in cards):
                return False
    return True


def colonies_hold_one_of_each(s: OutpostState) -> bool:
    return all(
        len(set(company.colonies)) == len(company.colonies)
        and all(card in company.cards for card, _ in company.colonies)
        for _, company in companies(s)
    )


def cities_keep_to_the_step(s: OutpostState) -> bool:
    for stations in s.stations:
        shadowed = len(stations) == 2 and stations[1] == SYNDICATE
        if len(stations) > s.step and not (s.step == 1 and shadowed):
            return False
        if len(set(stations)) < len(stations):
            return False
    return all(
        (city in s.free[tables.KINDS.index(kind)]) == (owner == FREE)
        for city, (owner, kind) in enumerate(zip(s.specials, s.planet.kinds, strict=True))
    )


def slots_are_taken_in_order(s: OutpostState) -> bool:
    for stations, price in zip(s.stations, s.slots, strict=True):
        taken = len(stations)
        if price != (tables.STATION_PRICES[taken] if taken < s.step else CLOSED):
            return False
        if SYNDICATE in stations[2:]:
            return False
    return True


def pieces_never_leave(change: OutpostChange) -> bool:
    before, _, after = change
    return (
        all(
            now[: len(old)] == old for old, now in zip(before.stations, after.stations, strict=True)
        )
        and all(
            old in {FREE, now} for old, now in zip(before.specials, after.specials, strict=True)
        )
        and all(new.network >= old.network for old, new in both_of(change))
    )


def structure_is_where_buildings_are(s: OutpostState) -> bool:
    return all(
        company.structure
        == sum(
            1 << city
            for city, (stations, owner) in enumerate(zip(s.stations, s.specials, strict=True))
            if seat in stations or seat == owner
        )
        for seat, company in companies(s)
    )


def buildings_cost_slot_and_path(change: OutpostChange) -> bool:
    before, move, after = change
    if not isinstance(move, Build):
        return True
    city = before.planet.index[move.city]
    slot = (
        tables.STATION_PRICES[len(before.stations[city])]
        if move.piece == tables.STATION
        else tables.SPECIAL_PRICE
    )
    path = cheapest_path_cost(before, actors(change)[0].structure, move.city)
    return totals_by_seat(after, Paid)[before.actor or 0] == slot + path


def cheapest_path_cost(s: OutpostState, structure: int, target: str) -> int:
    """The cost of the cheapest path from a structure, recomputed from the tokens."""
    if not structure:
        return 0
    heap = [(0, name) for city, name in enumerate(s.planet.cities) if structure >> city & 1]
    seen = set()
    while heap:
        cost, name = heappop(heap)
        if name == target:
            return cost
        if name not in seen:
            seen.add(name)
            for a, b, more in s.planet.links:
                if name in {a, b}:
                    heappush(heap, (cost + more, b if name == a else a))
    raise AssertionError(f"no way leads to {target}")


# Cards and market


def each_card_is_in_one_place(s: OutpostState) -> bool:
    market = s.market
    below = [card for cards in market.below.values() for card in cards]
    owned = [card for _, company in companies(s) for card in company.cards]
    cards = [*market.cards, *below, *market.deck, *market.aside, *market.removed, *owned]
    return sorted(cards) == sorted([*s.rules.faces, LAST_CARD])


def boards_hold_own_cards(s: OutpostState) -> bool:
    for _, company in companies(s):
        placed = [*company.board[0], *company.board[1]]
        if len(set(placed)) < len(placed) or not set(placed) <= set(company.cards):
            return False
    return True


def step_3_card_waits_in_auctions_only(s: OutpostState) -> bool:
    return LAST_CARD not in s.market.cards or phase_of(s) == "auction"


def cards_are_kept(change: OutpostChange) -> bool:
    return all(set(old.cards) <= set(new.cards) for old, new in both_of(change))


def market_is_in_order(s: OutpostState) -> bool:
    numbers = [number_of(card) for card in s.market.cards]
    return rising(numbers) and rising(numbers[: s.market.row], strictly=True)


def market_is_full(s: OutpostState) -> bool:
    market = s.market
    room = tables.PLACES_IN_STEP_3 if LAST_CARD in market.removed else tables.PLACES
    if market.room != room or (len(market.cards) < room and market.deck):
        return False
    places = len([card for card in market.cards if card != LAST_CARD])
    row = places if market.one_row else min(tables.CURRENT_SIZE, places)
    return len(market.cards) <= room and market.row == row


def stacks_are_of_one_number(s: OutpostState) -> bool:
    return set(s.market.below) <= set(s.market.cards) and all(
        below and {number_of(card) for card in below} == {number_of(top)}
        for top, below in s.market.below.items()
    )


def stacks_form_in_the_current_row(change: OutpostChange) -> bool:
    before, _, after = change
    if len(events_of(after, Turned)) > 1:
        return True  # a stack may have formed and moved since then
    old, new = before.market, after.market
    known = set(map(number_of, [*old.offer, *old.below]))
    return all(number_of(top) in known for top in new.future if top in new.below)


def tokens_lie_on_cards(s: OutpostState) -> bool:
    market = s.market
    values = Counter(value for tokens in market.tokens.values() for value in tokens)
    return (
        set(market.tokens) <= set(market.plants)
        and set(values) <= set(tables.DISCOUNT_ROUNDS)
        and all(count <= 4 for count in values.values())
        and all(market.minimum(card) >= 1 for card in market.plants)
        and all(
            market.discount_on(card) < number_of(card)
            for card in market.tokens
            if card not in market.below  # a stack may be a union, OR-16
        )
    )


def tokens_come_at_the_end_of_a_round(change: OutpostChange) -> bool:
    before, _, after = change
    old, new = (
        Counter(value for tokens in s.market.tokens.values() for value in tokens)
        for s in (before, after)
    )
    placed = new - old
    return not placed or (after.round == before.round + 1 and set(placed) == {before.round})


# Auctions and order


def buyers(change: OutpostChange) -> dict[int, int]:
    """The cards that went to players, by seat."""
    return {event.seat: parse_card(event.card) for event in events_of(change.after, Sold)}


def one_card_an_auction(change: OutpostChange) -> bool:
    before, _, after = change
    bought = buyers(change)
    if not bought.keys() <= set(before.bidding.eligible):
        return False
    if before.phase == after.phase and not bought.keys().isdisjoint(after.bidding.eligible):
        return False
    ended = phase_of(before) == "auction" and before.phase != after.phase
    forced = ended and before.rules.must_buy(before)
    broke = bool(events_of(after, CannotBuy))
    return not forced or broke or all(len(player.cards) == 1 for player in after.players)


def prices_are_bid(change: OutpostChange) -> bool:
    before, move, after = change
    for event in events_of(after, Sold):
        bid = move.bid if isinstance(move, Bid | Nominate) else before.bidding.bid
        card = move.card if isinstance(move, Nominate) else before.bidding.card
        assert card is not None
        lowest = before.market.minimum(card)
        saves = owns(before, before.players[event.seat], "data_library")
        price = max(0, bid - tables.DATA_LIBRARY_SAVING) if saves else bid
        if event.amount != price or bid < lowest:
            return False
    return True


def order_is_a_permutation(s: OutpostState) -> bool:
    return sorted(s.order) == list(range(len(s.players)))


def order_changes_by_rule(change: OutpostChange) -> bool:
    before, _, after = change
    first_auction = before.round == 1 and after.round == 1 and before.phase != after.phase
    if after.round > before.round or (first_auction and phase_of(after) == "auction"):
        return True
    return before.order == after.order or phase_of(before) == "auction"


# Hiring, power, steps, end


def hiring_keeps_to_the_need(change: OutpostChange) -> bool:
    before, move, _ = change
    if not isinstance(move, Hire):
        return True
    old, new = actors(change)
    spots = beds(before, old)
    need = sum(face.workers for face in faces(before, old))
    free = new.humans - old.humans - move.count
    return move.count <= max(0, need - old.robots - max(spots, old.humans)) and (
        free == max(0, spots - old.humans) or before.labour - move.count == free
    )


def workers_without_bed_leave(change: OutpostChange) -> bool:
    before, _, after = change
    return after.round == before.round or all(
        company.humans <= beds(after, company) for _, company in companies(after)
    )


def steps_go_up(change: OutpostChange) -> bool:
    before, _, after = change
    return before.step <= after.step <= 3


def nothing_is_recycled_in_step_3(change: OutpostChange) -> bool:
    before, _, after = change
    return not before.market.one_row or {*after.market.slid} <= {*before.market.slid}


def power_comes_from_workers(change: OutpostChange) -> bool:
    before, move, _ = change
    if not isinstance(move, Power):
        return True
    old, new = actors(change)
    plants = [face for face in faces(before, old) if face.energy]
    more = owns(before, old, "laboratories")
    workers = old.humans + old.robots - bool(old.busy)
    best = max(
        sum(face.energy + more for face in run)
        for size in range(len(plants) + 1)
        for run in combinations(plants, size)
        if sum(face.workers for face in run) <= workers
    )
    return new.powered == move.count <= min(old.network, best)


def game_ends_after_phase_3(s: OutpostState) -> bool:
    reached = any(player.network >= s.rules.end_cities for player in s.players)
    if s.outcome is not None:
        return reached and phase_of(s) == "company"
    return not reached or phase_of(s) == "company"


STATE_LAWS: LawsOf[OutpostState] = {
    "OI-01": (workers_are_conserved,),
    "OI-02": (labour_fills_from_the_dear_end,),
    "OI-03": (robots_are_conserved,),
    "OI-04": (money_is_never_negative,),
    "OI-05": (stations_are_conserved, colonies_hold_one_of_each),
    "OI-06": (buildings_uncover_spaces,),
    "OI-07": (cities_keep_to_the_step,),
    "OI-08": (slots_are_taken_in_order,),
    "OI-09": (structure_is_where_buildings_are,),
    "OI-10": (
        each_card_is_in_one_place,
        boards_hold_own_cards,
        step_3_card_waits_in_auctions_only,
    ),
    "OI-11": (market_is_in_order,),
    "OI-12": (market_is_full,),
    "OI-13": (stacks_are_of_one_number,),
    "OI-14": (tokens_lie_on_cards,),
    "OI-17": (order_is_a_permutation,),
    "OI-22": (game_ends_after_phase_3,),
}
MOVE_LAWS: LawsOf[OutpostChange] = {
    "OI-03": (one_robot_at_a_time, one_robot_a_round),
    "OI-04": (money_changes_by_rule, everybody_earns),
    "OI-05": (pieces_never_leave,),
    "OI-09": (buildings_cost_slot_and_path,),
    "OI-10": (cards_are_kept,),
    "OI-13": (stacks_form_in_the_current_row,),
    "OI-14": (tokens_come_at_the_end_of_a_round,),
    "OI-15": (one_card_an_auction,),
    "OI-16": (prices_are_bid,),
    "OI-17": (order_changes_by_rule,),
    "OI-18": (hiring_keeps_to_the_need,),
    "OI-19": (workers_without_bed_leave,),
    "OI-20": (steps_go_up, nothing_is_recycled_in_step_3),
    "OI-21": (power_comes_from_workers,),
}
check = Laws(STATE_LAWS, {}, MOVE_LAWS).check
