"""What always holds in a game by the 2004 edition: CI-01 to CI-27, one law each.

A law takes a position (`position_laws.py`), or a move with the positions before and after it, and
returns whether it holds. CI-26 (same options, seed and moves give the same state) is a law about
two games: the conformance kit checks it with a second game and a second process.
"""

from highvoltage.engine.cards import parse_card
from highvoltage.engine.events import CannotBuy, Demolished, Income, Mined, Paid, Sold
from highvoltage.engine.moves import Bid, Build, Buy, Market, Nominate, Pass, Run, Sell, Start
from highvoltage.games.classic import tables
from highvoltage.games.classic.position import BoardPlayer
from highvoltage.games.classic.position_laws import (
    KINDS,
    MARKED,
    START_LAWS,
    STATE_LAWS,
    phase_of,
    plants_of,
    slots_of,
    stays_in_phase,
)
from highvoltage.games.classic.state import BoardState
from highvoltage.games.laws import Change, Laws, LawsOf, events_of, totals_by_seat

BoardChange = Change[BoardState]


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
