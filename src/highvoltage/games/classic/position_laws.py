"""What always holds in a position of the 2004 edition; `invariants.py` has the laws of moves."""

from collections import Counter
from collections.abc import Iterable

from highvoltage.engine.cards import LAST_CARD
from highvoltage.engine.parts.fuel import Held
from highvoltage.engine.parts.plant import Plant
from highvoltage.engine.rulebook import Rulebook
from highvoltage.games.classic import tables
from highvoltage.games.classic.decks import fixed_cards, kind_of
from highvoltage.games.classic.position import CLOSED, BoardPlayer
from highvoltage.games.classic.state import BoardState
from highvoltage.games.laws import LawsOf

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
    top = [own.top or tables.TOP_OF_DECK][: has_top_card(s)]
    return s.market.deck[: len(top)] == top and deck_is_whole(s, removed)


def has_top_card(s: BoardState) -> bool:
    """Whether a card lies above those that are next: not where 13 has another place."""
    own = s.rules.deck
    if own.top is not None:
        return True
    if len(s.rules.ruleset.piles) == 2:
        return own.low_on_top
    return tables.TOP_OF_DECK not in fixed_cards(own)


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
    after_top = deck[has_top_card(s) :]
    return (
        len(market.cards) == s.rules.plant_market.current + s.rules.plant_market.future
        and len(deck) == size + with_steps
        and (not with_steps or deck[-1 - own.below_step_3] == LAST_CARD)
        and {*own.market} <= {*market.cards}
        and tuple(after_top[: len(own.next)]) == own.next
        and market.waiting == own.step_2
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
