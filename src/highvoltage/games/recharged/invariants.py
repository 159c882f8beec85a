"""What always holds in a game by the 2018 edition: RI-01 to RI-16, plus laws of the 2004 one."""

from itertools import zip_longest

from highvoltage.engine.cards import parse_card
from highvoltage.engine.events import Removed, Sold, Taken, Turned
from highvoltage.engine.moves import Build, Buy, Done, Start
from highvoltage.games.classic import invariants as classic
from highvoltage.games.classic import position_laws as positions
from highvoltage.games.classic.invariants import BoardChange
from highvoltage.games.classic.position import CLOSED
from highvoltage.games.classic.position_laws import phase_of
from highvoltage.games.classic.state import BoardState
from highvoltage.games.classic.tables import FUEL_RULES, FUELS, URANIUM
from highvoltage.games.laws import Laws, LawsOf
from highvoltage.games.recharged.state import CARTEL, MARK, Cartel, MarkedSites, RechargedState

UNCHANGED = (
    *("CI-02", "CI-03", "CI-04", "CI-10", "CI-11", "CI-13", "CI-14", "CI-16", "CI-17", "CI-18"),
    *("CI-19", "CI-20", "CI-21", "CI-23", "CI-24", "CI-25", "CI-26"),
)
REMOVED = {2: 6, 3: 8, 4: 4, 5: 0, 6: 0}  # of both backs
CARTEL_HOUSES = 16
MOST_PLANTS = 3


def cartel_of(s: BoardState) -> Cartel | None:
    assert isinstance(s, RechargedState)
    return s.cartel


def count(s: BoardState, seat: int) -> int:
    """The houses, or marks, of one seat on the map."""
    return sum(houses.count(seat) for houses in s.houses)


# Positions


def tokens_are_conserved(s: BoardState) -> bool:
    total = positions.fuel_beside(s)
    cartel = cartel_of(s)
    for held in [*(player.fuel for player in s.players), *([cartel.fuel] if cartel else [])]:
        total = [tokens + more for tokens, more in zip(total, held, strict=True)]
    total[URANIUM] += count(s, MARK)
    return total == list(s.rules.fuel_market.tokens)


def each_card_is_in_one_place(s: BoardState) -> bool:
    market, cartel = s.market, cartel_of(s)
    owned = [card for player in s.players for card in (*player.cards, *player.mines)]
    owned += cartel.cards if cartel else ()
    seen = [*market.cards, *market.removed, *market.waiting, *market.pile, *owned]
    return sorted([*seen, *market.deck, *market.aside]) == positions.all_cards(s)


def market_is_in_form(s: BoardState) -> bool:
    return (
        positions.market_is_sorted_and_full(s)
        and positions.step_3_card_waits_in_auction_only(s)
        and positions.barred_plants_are_not_on_offer(s)
    )


def plant_limits_hold(s: BoardState) -> bool:
    cartel = cartel_of(s)
    return (
        s.rules.plant_limit == MOST_PLANTS
        and positions.plant_limits_hold(s)
        and (cartel is None or len(cartel.cards) <= MOST_PLANTS)
    )


def token_lies_on_the_lowest(s: BoardState) -> bool:
    token = s.market.discount
    return token is None or (phase_of(s) == "auction" and token == s.market.cards[0])


def houses_fill_slots_in_order(s: BoardState) -> bool:
    for city, (houses, price) in enumerate(zip(s.houses, s.slots, strict=True)):
        slots = positions.slots_of(s, city)
        costs = positions.open_costs(s, city)
        players = [seat for seat in houses if seat >= 0]
        if len(players) > len(costs) or len(houses) > len(slots):
            return False
        if len(set(houses)) < len(houses) or CARTEL in houses[2:] or MARK in houses[1:]:
            return False
        if price != (costs[len(houses)] if len(houses) < len(costs) else CLOSED):
            return False
    return True


def cartel_keeps_its_houses_and_no_fuel(s: BoardState) -> bool:
    cartel = cartel_of(s)
    if cartel is None:
        return count(s, CARTEL) == 0
    phase = phase_of(s)
    stocked = phase in {"building", "bureaucracy"} or (phase == "fuel" and s.turn > 0)
    return (
        cartel.reserve >= 0
        and count(s, CARTEL) + cartel.reserve == CARTEL_HOUSES
        and (stocked or cartel.fuel == FUEL_RULES.none)
        and is_one_run(s, cartel)
    )


def is_one_run(s: BoardState, cartel: Cartel) -> bool:
    """The cartel holds no more than one run of its plants burns, R-12.6.4."""
    plants = positions.plants_of(s, cartel.cards)
    needs = [sum(p.need for p in plants if p.fuels == (kind,)) for kind in range(len(FUELS))]
    over = [max(0, held - need) for held, need in zip(cartel.fuel, needs, strict=True)]
    return not any(over[2:]) and sum(over) <= sum(p.need for p in plants if p.hybrid)


def cartel_is_second(s: BoardState) -> bool:
    """It is between the two in turn order, and acts once somebody has bought or passed."""
    if cartel_of(s) is None:
        return True
    b = s.bidding
    closed = b.sold - (b.scrapping is not None)
    selling = b.scrapping is not None and b.scrapping not in b.eligible  # it may buy again, A-MAN-6
    due = closed > 0 or len(b.eligible) + selling < 2
    auction = phase_of(s) == "auction"
    return sorted(s.order) == [0, 1] and (not auction or s.bidding.third_done == due)


def phase_out_is_for_good(s: BoardState) -> bool:
    phase_out = s.rules.map_rules.phase_out
    if phase_out is None:
        return not s.phased_out
    return s.phased_out or not any(phase_out.plant in player.cards for player in s.players)


def marks_wait_for_their_players(s: BoardState) -> bool:
    assert isinstance(s, RechargedState)
    if not isinstance(s.rules.sites, MarkedSites):
        return count(s, MARK) == 0
    if phase_of(s) in {"regions", "cartel", "marks"}:
        return count(s, MARK) == (s.turn if phase_of(s) == "marks" else 0)
    return count(s, MARK) == sum(not player.cities for player in s.players)


def set_up_deck(s: BoardState) -> bool:
    own = s.rules.deck
    removed = own.removed.get(len(s.players), (REMOVED[len(s.players)],))
    if own.bands:
        return positions.bands_are_dealt(s)
    if s.rules.plant_market.barred:
        return positions.offer_was_cleared(s, sum(removed))
    return positions.two_piles_are_dealt(s) and positions.deck_is_whole(s, sum(removed))


# Moves


def one_card_leaves_for_the_token(change: BoardChange) -> bool:
    """Follow the token through the events of an auction."""
    before, _, after = change
    if not before.rules.plant_market.discount:
        return after.market.discount is None  # A-BAW-7
    if phase_of(before) != "auction":
        return phase_of(after) != "auction" or after.market.discount == after.market.cards[0]
    token, lost = before.market.discount, 0
    for event, following in zip_longest(after.events, after.events[1:]):
        if isinstance(event, Sold | Taken | Removed) and parse_card(event.card) == token:
            token = None
        elif isinstance(event, Turned) and token is not None and parse_card(event.card) < token:
            if following != Removed(event.card):
                return False
            token, lost = None, lost + 1
    return lost <= 1 and (token == after.market.discount or phase_of(after) != "auction")


def token_plant_has_a_fate(change: BoardChange) -> bool:
    before, _, after = change
    token = before.market.discount
    if token is None or token == after.market.discount:
        return True
    cartel = cartel_of(after)
    owned = [card for player in after.players for card in (*player.cards, *player.mines)]
    owned += cartel.cards if cartel else ()
    gone = after.market.removed[len(before.market.removed) :]
    return token in owned or token in gone or any(card < token for card in gone)


def cartel_acts_once(change: BoardChange) -> bool:
    before, _, after = change
    then, now = cartel_of(before), cartel_of(after)
    if then is None or now is None or then.cards == now.cards:
        return True
    begun = phase_of(before) == "auction" and before.bidding.third_done
    return not begun and after.bidding.third_done


def building_leaves_the_plants_alone(change: BoardChange) -> bool:
    before, move, after = change
    if not isinstance(move, Build | Start):
        return True
    then, now = before.market, after.market
    return (then.cards, then.deck, then.removed) == (now.cards, now.deck, now.removed)


def phased_out_fuel_never_rises(change: BoardChange) -> bool:
    before, _, after = change
    if not before.phased_out:
        return True
    phase_out = before.rules.map_rules.phase_out
    assert phase_out is not None
    kind = FUELS.index(phase_out.fuel)
    return after.phased_out and sum(after.stock[kind::4]) <= sum(before.stock[kind::4])


def storage_sells_last(change: BoardChange) -> bool:
    """What is bought beyond the market comes from the storage, where the map sells from it."""
    before, move, after = change
    kinds = before.rules.ruleset.fuels
    if not isinstance(move, Buy) or move.fuel not in kinds:
        return True
    kind = kinds.index(move.fuel)
    stored = before.supply[kind] - after.supply[kind]
    if stored == 0:
        return True
    sold = FUELS[kind] in before.rules.map_rules.storage_price
    return sold and after.stock[kind] == 0 and stored <= move.count


def fuel_market_moves_by_rule(change: BoardChange) -> bool:
    before, move, after = change
    cartel = cartel_of(after)
    first = phase_of(before) == "fuel" and before.turn == 0
    few = before.rules.map_rules.tokens_a_turn > 0  # so that a purchase ends a turn
    if cartel and first and isinstance(move, (Done, Buy) if few else Done):
        gone = [then - now for then, now in zip(before.stock, after.stock, strict=True)]
        if isinstance(move, Buy):
            gone[before.trade + FUELS.index(move.fuel)] -= move.count
        taken = tuple(sum(gone[kind::4]) for kind in range(4))
        return min(gone) >= 0 and taken == cartel.fuel
    return classic.fuel_market_moves_by_rule(change)


def steps_start_at_their_time(change: BoardChange) -> bool:
    before, _, after = change
    if not classic.steps_go_up_between_phases(change):
        return False
    started = before.step == 1 and after.step == 2
    if before.rules.plant_market.steps_by_deck:
        return True  # A-MEA-5
    return not started or (phase_of(before), phase_of(after)) == ("building", "bureaucracy")


STATE_LAWS: LawsOf[BoardState] = {
    **{name: law for name, law in positions.STATE_LAWS.items() if name in UNCHANGED},
    "RI-01": (tokens_are_conserved,),
    "RI-02": (each_card_is_in_one_place,),
    "RI-03": (market_is_in_form,),
    "RI-04": (plant_limits_hold,),
    "RI-05": (token_lies_on_the_lowest,),
    "RI-08": (houses_fill_slots_in_order,),
    "RI-09": (cartel_keeps_its_houses_and_no_fuel,),
    "RI-10": (cartel_is_second,),
    "RI-12": (phase_out_is_for_good,),
    "RI-15": (marks_wait_for_their_players,),
}
START_LAWS: LawsOf[BoardState] = {"RI-16": (set_up_deck,)}
MOVE_LAWS: LawsOf[BoardChange] = {
    **{name: law for name, law in classic.MOVE_LAWS.items() if name in UNCHANGED},
    "CI-19": (fuel_market_moves_by_rule,),
    "RI-06": (one_card_leaves_for_the_token,),
    "RI-07": (token_plant_has_a_fate,),
    "RI-10": (cartel_acts_once,),
    "RI-11": (building_leaves_the_plants_alone,),
    "RI-12": (phased_out_fuel_never_rises,),
    "RI-13": (storage_sells_last,),
    "RI-14": (steps_start_at_their_time,),
}
check = Laws(STATE_LAWS, START_LAWS, MOVE_LAWS).check
