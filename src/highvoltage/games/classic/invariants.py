"""What always holds in a game by the 2004 edition: CI-01 to CI-27, one law each.

A law takes a position, or a move with the positions before and after it, and returns whether it
holds. CI-26 (same options, seed and moves give the same state) is a law about two games: the
conformance kit checks it with a second game and a second process.
"""

from collections import Counter
from collections.abc import Iterable

from highvoltage.engine.cards import LAST_CARD, parse_card
from highvoltage.engine.events import CannotBuy, Demolished, Income, Mined, Paid, Sold
from highvoltage.engine.moves import Bid, Build, Buy, Market, Nominate, Pass, Run, Sell, Start
from highvoltage.engine.parts.fuel import Held
from highvoltage.engine.parts.plant import Plant
from highvoltage.engine.rulebook import Rulebook
from highvoltage.games.classic import tables
from highvoltage.games.classic.decks import kind_of
from highvoltage.games.classic.position import CLOSED, BoardPlayer
from highvoltage.games.classic.state import BoardState
from highvoltage.games.laws import Change, Laws, LawsOf, events_of, totals_by_seat

BoardChange = Change[BoardState]

REMOVED = {2: 8, 3: 8, 4: 4, 5: 0, 6: 0}  # C-1.5
KINDS = len(tables.FUELS)
HIGHEST_LOW = 15  # plant of the low pile, R-1.2.2
PLAIN_SLOTS = ((10, 1), (15, 2), (20, 3))  # C-1.4.1: cost and Step
MARKED = -2  # on a city that waits for a network of the 2018 edition to start


def phase_of(s: BoardState) -> str:
    return s.phase_name


def plants_of(s: BoardState, cards: Iterable[int]) -> list[Plant]:
    return [s.plants.plants[card] for card in cards]


def slots_of(s: BoardState, city: int) -> list[tuple[int, int]]:
    """The places for houses of a city: cost and Step."""
    own = s.rules.map_rules.slots.get(s.area.cities[city])
    return [*PLAIN_SLOTS] if own is None else [(slot.cost, slot.step) for slot in own]


def fuel_beside(s: BoardState) -> list[int]:
    """The tokens that no player holds, by kind: on all markets, in the storage, in the supply."""
    return [sum(s.stock[kind::KINDS]) + s.supply[kind] + s.storage[kind] for kind in range(KINDS)]


def leader_count(s: BoardState) -> int:
    return max(len(player.cities) for player in s.players)


def stays_in_phase(before: BoardState, after: BoardState) -> bool:
    return (before.round, before.phase) == (after.round, after.phase)


# Positions


def tokens_are_conserved(s: BoardState) -> bool:
    held = zip(*(player.fuel for player in s.players), strict=True)
    total = [
        beside + sum(on_plants) for beside, on_plants in zip(fuel_beside(s), held, strict=True)
    ]
    return total == list(s.rules.fuel_market.tokens)


def tokens_fill_their_spaces(s: BoardState) -> bool:
    shelves = zip(s.stock, s.rules.fuel_market.ladders, strict=True)
    fits_all = all(0 <= stock <= ladder.size for stock, ladder in shelves)
    return fits_all and min(*s.supply, *s.storage) >= 0


def money_is_never_negative(s: BoardState) -> bool:
    return all(type(player.money) is int and player.money >= 0 for player in s.players)


def each_card_is_in_one_place(s: BoardState) -> bool:
    market = s.market
    owned = [card for player in s.players for card in (*player.cards, *player.mines)]
    seen = [*market.cards, *market.removed, *market.waiting, *market.pile, *owned]
    return sorted([*seen, *market.deck, *market.aside]) == all_cards(s)


def all_cards(s: BoardState) -> list[int]:
    """The cards of this game; without Steps there is no Step 3 card (A-MAN-4)."""
    return [*tables.PLANTS, *([] if s.rules.plant_market.three_stages else [LAST_CARD])]


def market_is_sorted_and_full(s: BoardState) -> bool:
    cards = s.market.cards
    if cards != sorted(cards):
        return False
    own = s.rules.plant_market
    if own.three_stages and not market_is_in_its_stage(s):
        return False
    if own.phase_5 and LAST_CARD not in s.market.removed:
        return market_waits_for_phase_5(s)
    size = own.current + own.future - (s.step > 1 and not own.step_2_replaced)  # A-EUR-5
    if LAST_CARD in s.market.removed:
        size = own.step_3
    if s.bidding.scrapping is not None or len(cards) == size or not s.market.deck:
        return True
    left = plants_of(s, (card for card in s.market.deck if card != LAST_CARD))
    return s.step == 1 and all(kind_of(plant) in own.barred for plant in left)  # A-MEA-4


def market_is_in_its_stage(s: BoardState) -> bool:
    """Only the first stage has a pile, and only the last one neither deck nor future plants."""
    market, own = s.market, s.rules.plant_market  # A-MAN-7 to A-MAN-9
    size = own.current + own.future
    if market.stage == 1:
        return market.row == own.current
    if market.stage == 2:
        return not market.pile and market.row == own.current
    return not market.pile and not market.deck and market.row == size >= len(market.cards)


def market_waits_for_phase_5(s: BoardState) -> bool:
    """Plants come in phase 5 only; before it the market can but shrink (A-CHN-6, A-CHN-7)."""
    renewal = s.rules.ruleset.renewal
    assert renewal is not None
    opening, _, size = renewal
    cards = len(s.market.cards)
    if phase_of(s) == "bureaucracy":
        return cards == size
    return cards <= (opening if s.round == 1 else size)


def barred_plants_are_not_on_offer(s: BoardState) -> bool:
    own = s.rules.plant_market.barred  # A-MEA-4
    if s.step > 1 or s.bidding.scrapping is not None:  # a gap is filled after that
        return True
    return not any(kind_of(plant) in own for plant in plants_of(s, s.market.offer))


def ladders_shift_only_where_they_may(s: BoardState) -> bool:
    own = s.rules.map_rules.shifting  # A-MEA-3
    return all(
        shifts == 0 or (fuel in own and s.stock[kind] > 0)
        for kind, (fuel, shifts) in enumerate(zip(tables.FUELS, s.shifts, strict=True))
    )


def step_3_card_waits_in_auction_only(s: BoardState) -> bool:
    return LAST_CARD not in s.market.cards or phase_of(s) == "auction"


def market_beats_the_leader(s: BoardState) -> bool:
    small = any(card <= s.most_cities for card in s.market.cards)
    return s.most_cities == leader_count(s) and not (small and s.rules.plant_market.city_count)


def plant_limits_hold(s: BoardState) -> bool:
    for seat, player in enumerate(s.players):
        limit = s.rules.plant_limit + (seat == s.bidding.scrapping)
        bought = s.round > 1 or phase_of(s) in {"fuel", "building", "bureaucracy"}
        if len(player.cards) > limit or bought > len(player.cards) + len(player.mines):
            return False
        if not mines_are_kept_apart(s, player):
            return False
    return True


def mines_are_kept_apart(s: BoardState, player: BoardPlayer) -> bool:
    """A mine is no plant: it counts for no limit and supplies no city (A-AUS-5)."""
    mines = {card.number for card in s.rules.map_rules.plants if card.kind == "mine"}
    return mines.isdisjoint(player.cards) and mines.issuperset(player.mines)


def mine_market_holds_its_tokens(s: BoardState) -> bool:
    own = s.rules.map_rules.mines  # A-AUS-6
    size = sum(own.spaces.values()) if own else 0
    return 0 <= s.mine_stock <= size


def fuel_fits(s: BoardState) -> bool:
    return all(
        seat == s.bidding.scrapping or fits(s, player.cards, player.fuel)
        for seat, player in enumerate(s.players)
    )


def fits(s: BoardState, cards: Iterable[int], held: Held) -> bool:
    """C-6.2.2, implemented a second time, independently of the engine."""
    pure: Counter[int] = Counter()
    shared = 0
    for plant in plants_of(s, cards):
        if plant.hybrid:
            shared += room_of(s, plant)
        elif plant.fuels:
            pure[plant.fuels[0]] += room_of(s, plant)
    mixed = [tables.FUELS.index(fuel) for fuel in s.rules.map_rules.hybrid]
    over = [max(0, have - pure[kind]) for kind, have in enumerate(held)]
    return min(held) >= 0 and sum(over) == sum(over[kind] for kind in mixed) <= shared


def room_of(s: BoardState, plant: Plant) -> int:
    """The tokens that a plant holds: twice its need, or what the map says (A-IND-7)."""
    own = s.rules.map_rules.plants
    stores = {card.number: card.store for card in own if card.region in {None, *s.regions}}
    store = stores.get(plant.number)
    return 2 * plant.need if store is None else store


def houses_fill_slots_in_order(s: BoardState) -> bool:
    for city, (houses, price) in enumerate(zip(s.houses, s.slots, strict=True)):
        costs = open_costs(s, city)
        if len(houses) > len(costs) or len(set(houses)) < len(houses):
            return False
        if price != [*costs, CLOSED][len(houses)]:
            return False
    return True


def open_costs(s: BoardState, city: int) -> list[int]:
    """What the open slots of a city cost; a blocked city has none (A-MAN-3)."""
    if s.area.cities[city] in s.blocked:
        return []
    return [cost for cost, step in slots_of(s, city) if step <= s.step]


def blocked_cities_are_as_many_as_asked(s: BoardState) -> bool:
    own = s.rules.map_rules.blocked.get(len(s.players), {})
    prices = {city.id: s.rules.sites.slots_of(city.id)[0].cost for city in s.rules.map.cities}
    return Counter(prices[city] for city in s.blocked) == own  # A-MAN-3


def houses_stand_in_play(s: BoardState) -> bool:
    if not s.houses:  # the regions are still being named
        return not any(player.cities for player in s.players)
    return len(s.houses) == len(s.area.cities) and set(s.area.regions_of) == set(s.regions)


def cities_are_houses(s: BoardState) -> bool:
    return all(
        sorted(player.cities) == [city for city, houses in enumerate(s.houses) if seat in houses]
        for seat, player in enumerate(s.players)
    )


def somebody_can_move(s: BoardState) -> bool:
    if s.actor is None:
        return s.outcome is not None
    assert isinstance(s.rules, Rulebook)
    return s.outcome is None and len(s.rules.phases[s.phase].legal(s, s.actor)) > 0


def ends_after_building(s: BoardState) -> bool:
    end = min(s.rules.end_cities, len(s.area.cities) or s.rules.end_cities)  # A-UKI-9
    if phase_of(s) == "building":
        return s.outcome is None or leader_count(s) >= end
    return s.outcome is None and leader_count(s) < end


def slid_plants_wait_for_step_3(s: BoardState) -> bool:
    deck = s.market.deck
    above = s.rules.deck.below_step_3 + 1  # A-UKI-7
    if s.rules.deck.bands:  # A-CHN-4
        return deck[len(deck) - len(s.market.slid) :] == s.market.slid
    return LAST_CARD not in deck or deck[deck.index(LAST_CARD) + above :] == s.market.slid


def set_up_deck(s: BoardState) -> bool:
    own = s.rules.deck
    removed = sum(own.removed.get(len(s.players), (REMOVED[len(s.players)],)))
    if own.bands:
        return bands_are_dealt(s)
    if s.rules.plant_market.barred:
        return offer_was_cleared(s, removed)
    if own.two_piles:
        return two_piles_are_dealt(s) and deck_is_whole(s, removed)
    top = own.top or tables.TOP_OF_DECK
    return s.market.deck[0] == top and deck_is_whole(s, removed)


def offer_was_cleared(s: BoardState, removed: int) -> bool:
    """Barred plants lie under the Step 3 card or have left the game (A-MEA-4)."""
    market = s.market
    out = len(market.removed)
    size = len(tables.PLANTS) - len(market.cards) - out - len(market.waiting) - removed
    return len(market.deck) == size + 1 and slid_plants_wait_for_step_3(s)


def bands_are_dealt(s: BoardState) -> bool:
    """Every band lies below the one before, in order where it is not shuffled (A-CHN-4)."""
    market, own = s.market, s.rules.deck
    left = [*market.cards, *market.deck]
    if sorted([*left, *own.out, *own.step_2]) != [*tables.PLANTS, LAST_CARD] or market.aside:
        return False
    first = 0
    for band in own.bands:
        there = [card for card in left if first < card <= band.last]
        size = len(there) + band.with_step_3
        lies, left, first = left[:size], left[size:], band.last
        if band.ordered and lies[: len(there)] != sorted(there):
            return False
        if {*lies} != {*there} | ({LAST_CARD} if band.with_step_3 else set()):
            return False
    return len(market.cards) == s.rules.ruleset.opening_size


def two_piles_are_dealt(s: BoardState) -> bool:
    """Only low plants are in the market; one lies on top, or none does (A-EUR-4)."""
    own, top = s.rules.deck, s.market.deck[0]
    if any(card > HIGHEST_LOW for card in s.market.cards if card not in own.market):
        return False
    if own.top is None and not own.low_on_top:
        high = any(card > HIGHEST_LOW for card in s.market.deck if card != LAST_CARD)
        return top > HIGHEST_LOW or not high or bool(own.next or own.mixed)
    return top == own.top or top <= HIGHEST_LOW


def deck_is_whole(s: BoardState, removed: int) -> bool:
    """The deck has all cards except those that the set-up removes, with Step 3 in its place."""
    own, market = s.rules.deck, s.market
    size = len(tables.PLANTS) - len(market.cards) - len(own.out) - len(own.step_2) - removed
    deck, with_steps = market.deck, not s.rules.plant_market.three_stages
    return (
        len(market.cards) == s.rules.plant_market.current + s.rules.plant_market.future
        and len(deck) == size + with_steps
        and (not with_steps or deck[-1 - own.below_step_3] == LAST_CARD)
        and {*own.market} <= {*market.cards}
        and tuple(deck[1 : 1 + len(own.next)]) == own.next
        and market.waiting == own.step_2
    )


# Moves


def money_changes_by_rule(change: BoardChange) -> bool:
    before, move, after = change
    sold, paid, income = (totals_by_seat(after, kind) for kind in (Sold, Paid, Income))
    mined = totals_by_seat(after, Mined)
    scrapped = totals_by_seat(after, Demolished)  # D-2.2
    for seat, (old, new) in enumerate(zip(before.players, after.players, strict=True)):
        earned = income[seat] + mined[seat] + scrapped[seat]
        if new.money - old.money != earned - sold[seat] - paid[seat]:
            return False
    actor = before.actor
    assert actor is not None
    player = before.players[actor]
    due = 0
    if isinstance(move, Buy):
        due = fuel_price(before, player, move)
    elif isinstance(move, Build | Start):
        due = sum(connection(before, player, move))
    pays = {actor: payment(before, after.players[actor])} if isinstance(move, Run) else {}
    return +paid == ({actor: due} if due else {}) and income == pays


def fuel_price(s: BoardState, player: BoardPlayer, move: Buy) -> int:
    if move.fuel.startswith("stored_"):
        price: int = s.rules.map_rules.storage[move.fuel.removeprefix("stored_")]  # A-ZAF-5
        return price * move.count
    number = s.rules.ruleset.fuels.index(move.fuel)
    kind = s.trade + number
    ladder = s.rules.fuel_market.ladders[kind]
    own = {s.area.cities[city] for city in player.cities}
    less: int = sum(
        discount.amount
        for discount in s.rules.map_rules.discounts
        if discount.fuel == tables.FUELS[number] and discount.city in own  # C-12.3.6
    )
    shifts = s.shifts[kind % KINDS]
    more = s.rules.map_rules.step_3_prices if s.step == 3 else 0  # A-AUS-10
    ladder_prices = [*ladder.prices[:1] * shifts, *ladder.prices[: ladder.size - shifts]]  # A-MEA-3
    prices = [max(0, price + more - less) for price in ladder_prices[ladder.size - s.stock[kind] :]]
    beyond: int = s.rules.fuel_market.beyond[kind % KINDS] * (move.count - len(prices))
    return sum(prices[: move.count]) + max(0, beyond)


def connection(s: BoardState, player: BoardPlayer, move: Build | Start) -> tuple[int, int]:
    """The cost of the slot in a city and of the connection to it, C-7.3.1."""
    city = s.area.index[move.city]
    costs = [s.area.distance[own][city] for own in player.cities]
    if player.cities and (most := s.rules.map_rules.connection_at_most):
        costs.append(most)  # A-AUS-9
    own = s.rules.map_rules.networks
    if own and player.cities:
        if isinstance(move, Start):
            costs = [own.surcharge]  # A-JPN-4
        elif own.first_round and s.round == 1:
            costs = []  # A-JPN-5
        sites = s.rules.sites
        if not sites.chooses_starts and city in sites.later_starts(s, player):
            costs.append(own.surcharge)  # A-JPN-4, A-UKI-4
    slot = 0 if not player.cities and MARKED in s.houses[city] else len(s.houses[city])
    return slots_of(s, city)[slot][0], min(costs, default=0)


def payment(s: BoardState, player: BoardPlayer) -> int:
    pay = tables.PAYMENT[min(player.supplied, 20)]
    own = s.rules.map_rules.outage  # A-IND-9
    if own and s.built > own.houses * len(s.players):
        return max(0, pay - own.loss * len(player.cities))
    return pay


def houses_of_players(s: BoardState) -> int:
    return sum(len(player.cities) for player in s.players)


def new_houses_are_counted(change: BoardChange) -> bool:
    """Those of this round (A-IND-9)."""
    before, _, after = change
    more = houses_of_players(after) - houses_of_players(before)
    return after.built == (before.built + more if after.round == before.round else 0)


def buying_goes_round(change: BoardChange) -> bool:
    """With few tokens a turn everybody buys in turn until they pass (A-IND-6)."""
    before, move, after = change
    most = before.rules.map_rules.tokens_a_turn
    if phase_of(before) != "fuel" or not most or isinstance(move, Market):
        return True
    seat, *others = before.buyers
    if isinstance(move, Buy) and move.count > most:
        return False
    left = (*others, seat) if isinstance(move, Buy) else tuple(others)
    return before.actor == seat and (after.buyers == left if left else phase_of(after) != "fuel")


def nothing_above_the_highest_price_is_bought(change: BoardChange) -> bool:
    before, _, after = change
    own = before.rules.map_rules.max_price  # A-IND-5
    if own is None or phase_of(before) != "fuel":
        return True
    for kind, ladder in enumerate(before.rules.fuel_market.ladders):
        gone = ladder.prices[ladder.size - before.stock[kind] : ladder.size - after.stock[kind]]
        if any(price > own[before.step - 1] for price in gone):
            return False
    return True


def everybody_supplies_what_they_can(change: BoardChange) -> bool:
    before, move, after = change
    if not isinstance(move, Run) or not before.rules.map_rules.must_supply:
        return True
    assert before.actor is not None
    player = before.players[before.actor]
    runs = before.plants.runs(player.cards, player.fuel)
    most = max(sum(p.powers for p in plants_of(before, (c for c, _ in r.plants))) for r in runs)
    return after.players[before.actor].supplied == min(len(player.cities), most)  # A-IND-8


def bought(before: BoardState, after: BoardState) -> dict[int, int]:
    """The cards that went to a player, by seat."""
    return {
        seat: card
        for seat, (old, new) in enumerate(zip(before.players, after.players, strict=True))
        for card in (*new.cards, *new.mines)
        if card not in (*old.cards, *old.mines)
    }


def one_plant_a_round(change: BoardChange) -> bool:
    before, _, after = change
    buyers = bought(before, after)
    if not buyers.keys() <= set(before.bidding.eligible):
        return False
    done = buyers.keys() - buys_again(before, buyers)
    if stays_in_phase(before, after) and not done.isdisjoint(after.bidding.eligible):
        return False
    over = before.round == 1 and phase_of(before) == "auction" and before.phase != after.phase
    most = 2 if before.rules.plant_market.second_purchase else 1
    counts = [len(each.cards) + len(each.mines) for each in after.players]
    return not over or (min(counts) == 1 and sum(counts) < len(counts) + most)


def buys_again(before: BoardState, buyers: dict[int, int]) -> set[int]:
    """Who has bought the plant with the token where that allows another purchase (A-MAN-6)."""
    if not before.rules.plant_market.second_purchase:
        return set()
    return {seat for seat, card in buyers.items() if card == before.market.discount}


def mines_sell_by_rule(change: BoardChange) -> bool:
    """From last to first at the dearest free price, one token for each mine (A-AUS-7, A-AUS-8)."""
    before, move, after = change
    own = before.rules.map_rules.mines
    sales = events_of(after, Mined)
    if own is None:
        return not sales
    prices = sorted(price for price, count in own.spaces.items() for _ in range(count))
    stock, last = before.mine_stock, -1
    ended = after.outcome is not None
    if [sale.seat for sale in sales] != [before.actor] and sales and not ended:
        return False
    if bool(sales) != isinstance(move, Sell) and not ended:
        return False
    for sale in sales:
        place, mines = before.order[::-1].index(sale.seat), before.players[sale.seat].mines
        free = prices[: len(prices) - stock]
        cities = sum(plant.mined for plant in plants_of(before, mines))
        if place <= last or not free or sale.amount != free[-1] * cities:
            return False
        if sale.tokens != min(len(mines), len(free)):
            return False
        stock, last = stock + sale.tokens, place
    if after.round > before.round:
        stock -= min(stock, own.used[before.rules.ruleset.refill_row][before.step - 1])
    return after.mine_stock == stock


def cities_are_never_lost(change: BoardChange) -> bool:
    before, _, after = change
    return all(
        new.cities[: len(old.cities)] == old.cities
        for old, new in zip(before.players, after.players, strict=True)
    )


def steps_go_up_between_phases(change: BoardChange) -> bool:
    before, _, after = change
    if before.step == after.step:
        return True
    return before.step < after.step <= 3 and not stays_in_phase(before, after)


def order_is_sorted(change: BoardChange) -> bool:
    before, _, after = change
    if before.rules.map_rules.order_after_auction:  # A-BAW-2
        if phase_of(before) == "auction" and before.phase != after.phase:
            return after.order == standing(after)
        unasked = after.round > before.round and phase_of(after) != "auction"  # nobody could buy
        return after.order == (standing(after) if unasked else before.order)
    if after.round > before.round:
        return after.order == standing(before)  # nothing that counts changes in between
    if before.round == 1 and phase_of(before) == "auction" and before.phase != after.phase:
        return after.order == standing(after)
    return after.order == before.order


def standing(s: BoardState) -> tuple[int, ...]:
    ranks = sorted(
        (
            (len(player.cities), max(player.cards + player.mines), seat)
            for seat, player in enumerate(s.players)
        ),
        reverse=True,
    )
    return tuple(seat for _, _, seat in ranks)


def bids_rise(change: BoardChange) -> bool:
    before, move, after = change
    if isinstance(move, Bid) and move.bid <= before.bidding.bid:
        return False
    bid = move.bid if isinstance(move, Bid | Nominate) else before.bidding.bid
    for event in after.events:
        if isinstance(event, Sold):
            card = parse_card(event.card)
            money = before.players[event.seat].money
            lowest = 1 if card == before.market.discount else card
            if event.amount != bid or not lowest <= bid <= money:
                return False
    return True


def everybody_buys_or_passes(change: BoardChange) -> bool:
    before, move, after = change
    passed: set[int | None] = {event.seat for event in events_of(after, CannotBuy)}
    if phase_of(before) != "auction":
        begun = phase_of(after) == "auction"
        return not begun or {*after.bidding.eligible} == {*after.order} - passed
    if isinstance(move, Pass) and before.bidding.card is None:
        passed.add(before.actor)
    bought_now = bought(before, after)
    buyers = bought_now.keys() - buys_again(before, bought_now)
    left = {*before.bidding.eligible} - {*after.bidding.eligible}
    ended = before.phase != after.phase
    return (
        buyers.isdisjoint(passed)
        and left == buyers | passed
        and not (ended and after.bidding.eligible)
    )


def fuel_market_moves_by_rule(change: BoardChange) -> bool:
    before, move, after = change
    moved = [new - old for old, new in zip(before.stock, after.stock, strict=True)]
    if isinstance(move, Buy):
        from_shelf = before.trade + before.plants.index.get(move.fuel, len(moved))
        return moved == [
            -min(move.count, stock) if shelf == from_shelf else 0
            for shelf, stock in enumerate(before.stock)
        ]
    if after.round == before.round:
        return not any(moved)
    table = before.rules.fuel_market.coming(before)
    return all(0 <= more <= most for more, most in zip(moved, table, strict=True))


def runs_burn_their_need(change: BoardChange) -> bool:
    before, move, after = change
    if not isinstance(move, Run):
        return True
    assert before.actor is not None
    old, new = before.players[before.actor], after.players[before.actor]
    plants = plants_of(before, (card for card, _ in move.plants))
    most = min(len(old.cities), sum(plant.powers for plant in plants))
    return new.supplied == most and sum(old.fuel) - sum(new.fuel) == sum(p.need for p in plants)


def cities_cost_their_slot(change: BoardChange) -> bool:
    before, move, after = change
    if not isinstance(move, Build | Start):
        return True
    assert before.actor is not None
    player = before.players[before.actor]
    slot, _ = connection(before, player, move)
    cost = totals_by_seat(after, Paid)[before.actor]
    return cost >= slot if player.cities else cost == slot


def removed_stays_removed(change: BoardChange) -> bool:
    before, _, after = change
    gone = before.market.removed
    return after.market.removed[: len(gone)] == gone and before.market.aside == after.market.aside


def nuclear_needs_its_country(change: BoardChange) -> bool:
    before, _, after = change
    countries = before.rules.map_rules.nuclear_countries
    return not countries or all(
        before.plants.plants[card].fuels != (tables.URANIUM,)
        or any(before.area.country(city) in countries for city in before.players[seat].cities)
        for seat, card in bought(before, after).items()
    )


STATE_LAWS: LawsOf[BoardState] = {
    "CI-01": (tokens_are_conserved,),
    "CI-02": (
        tokens_fill_their_spaces,
        ladders_shift_only_where_they_may,
        mine_market_holds_its_tokens,
    ),
    "CI-03": (money_is_never_negative,),
    "CI-05": (each_card_is_in_one_place,),
    "CI-06": (market_is_sorted_and_full,),
    "CI-07": (step_3_card_waits_in_auction_only, barred_plants_are_not_on_offer),
    "CI-08": (market_beats_the_leader,),
    "CI-09": (plant_limits_hold,),
    "CI-11": (fuel_fits,),
    "CI-12": (houses_fill_slots_in_order,),
    "CI-13": (houses_stand_in_play, blocked_cities_are_as_many_as_asked),
    "CI-14": (cities_are_houses,),
    "CI-23": (somebody_can_move,),
    "CI-24": (ends_after_building,),
    "CI-25": (slid_plants_wait_for_step_3,),
}
START_LAWS: LawsOf[BoardState] = {"CI-22": (set_up_deck,)}
MOVE_LAWS: LawsOf[BoardChange] = {
    "CI-04": (money_changes_by_rule, new_houses_are_counted, mines_sell_by_rule),
    "CI-10": (one_plant_a_round,),
    "CI-14": (cities_are_never_lost,),
    "CI-15": (steps_go_up_between_phases,),
    "CI-16": (order_is_sorted,),
    "CI-17": (bids_rise,),
    "CI-18": (everybody_buys_or_passes, buying_goes_round),
    "CI-19": (fuel_market_moves_by_rule, nothing_above_the_highest_price_is_bought),
    "CI-20": (runs_burn_their_need, everybody_supplies_what_they_can),
    "CI-21": (cities_cost_their_slot,),
    "CI-25": (removed_stays_removed,),
    "CI-27": (nuclear_needs_its_country,),
}

check = Laws(STATE_LAWS, START_LAWS, MOVE_LAWS).check
