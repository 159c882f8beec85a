"""What always holds in the card game: INV-01 to INV-21, one law each.

A law takes a position, or a move with the positions before and after it, and returns whether it
holds. INV-21 (same seed and moves give the same state) is a law about two games: the conformance
kit checks it with a second game and a second process.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

from highvoltage.engine.cards import LAST_CARD, label, number_of, parse_card
from highvoltage.engine.events import (
    Demolished,
    Income,
    Paid,
    Removed,
    Shuffled,
    Sold,
    Surplus,
    Taken,
    Turned,
)
from highvoltage.engine.moves import Run, Scrap
from highvoltage.engine.parts.fuel import Held
from highvoltage.games.cardgame import fuel, tables
from highvoltage.games.cardgame.fuel import Store
from highvoltage.games.cardgame.moves import BuyCard
from highvoltage.games.cardgame.state import CardPlayer, CardState
from highvoltage.games.laws import Change, Laws, LawsOf, events_of, totals_by_seat

DECK_SIZES = {2: 28, 3: 26, 4: 30, 5: 34, 6: 34}  # K-1.11, without END


CardChange = Change[CardState]


def phase_of(s: CardState) -> str:
    return s.phase_name


def stays_in_phase(before: CardState, after: CardState) -> bool:
    return (before.round, before.phase) == (after.round, after.phase)


def players_of(change: CardChange) -> Iterator[tuple[CardPlayer, CardPlayer]]:
    return zip(change.before.players, change.after.players, strict=True)


def stores(s: CardState) -> Iterator[Store]:
    yield from (player.store for player in s.players)
    if s.bank:
        yield s.bank.store


def need(s: CardState, cards: tuple[int, ...]) -> tuple[list[int], int]:
    """What one run of all plants burns: by kind, and gas and oil on hybrids."""
    pure, shared = [0] * 4, 0
    for card in cards:
        plant = s.rules.cards.plants[card]
        if plant.hybrid:
            shared += plant.need
        elif plant.fuels:
            pure[plant.fuels[0]] += plant.need
    return pure, shared


def spilled(held: Held, pure: list[int]) -> list[int]:
    return [max(0, have - store) for have, store in zip(held, pure, strict=True)]


def fits(held: Held, pure: list[int], shared: int) -> bool:
    coal, gas, oil, uranium = spilled(held, pure)
    return coal == uranium == 0 and gas + oil <= shared  # K-5.3.1


# Positions


def each_plant_is_in_one_place(s: CardState) -> bool:
    market = s.market
    owned = [card for player in s.players for card in player.cards]
    owned += s.bank.cards if s.bank else ()
    places = [*market.cards, *market.deck, *owned, *market.removed, *market.aside]
    return Counter(places) == Counter([*s.rules.cards.plants, LAST_CARD])


def market_is_sorted(s: CardState) -> bool:
    return all(number_of(low) <= number_of(high) for low, high in pairwise(s.market.cards))


def market_is_full(s: CardState) -> bool:
    size = 8
    if LAST_CARD in s.market.cards:
        size = 7
    elif s.end_round:
        size = 6
    size -= s.bidding.scrapping is not None
    plants = len(s.market.plants)
    return plants == size or (plants < size and not s.market.deck)


def four_lowest_are_on_offer(s: CardState) -> bool:
    plants = [card for card in s.market.cards if card != LAST_CARD]
    return s.market.offer == (plants if s.end_round else plants[:4])


def plant_limits_hold(s: CardState) -> bool:
    for seat, player in enumerate(s.players):
        most = tables.PLANT_LIMIT + (s.bidding.scrapping == seat)
        least = s.round > 1 or phase_of(s) != "auction"
        if not least <= len(player.cards) <= most:
            return False
    return True


def bank_buys_every_round(s: CardState) -> bool:
    if not s.bank or phase_of(s) == "auction" or not s.market.cards:
        return True
    return len(s.bank.cards) == min(s.round, tables.PLANT_LIMIT)


def money_is_never_negative(s: CardState) -> bool:
    return all(player.money >= 0 for player in s.players)


def regular_cards_are_in_one_place(s: CardState) -> bool:
    deck = s.rules.cards.fuel
    used = [card for mark in (*tables.MARKINGS[len(s.players)], "+", "++") for card in deck[mark]]
    waiting = [] if s.reshuffles else deck["++"]  # INV-18
    stored = [card for store in stores(s) for card, _ in store if not fuel.is_single(card)]
    market = [card for column in s.columns[1:] for card in column]
    return Counter([*s.pile, *s.discard, *waiting, *market, *stored]) == Counter(used)


def stored_cards_show_units(s: CardState) -> bool:
    shown = all(1 <= left <= fuel.units(card) for store in stores(s) for card, left in store)
    return shown and all(player.fuel == fuel.held(player.store) for player in s.players)


def singles_are_counted(s: CardState) -> bool:
    out = Counter(fuel.kind(card) for card in s.columns[0])
    out.update(fuel.kind(card) for store in stores(s) for card, _ in store if fuel.is_single(card))
    printed = Counter(fuel.kind(card) for card in s.rules.cards.fuel["single"])
    if s.rules.options["single_stock"] == "printed" and min(s.singles) < 0:
        return False
    return all(printed[kind] - out[kind] == count for kind, count in enumerate(s.singles))


def columns_are_in_order(s: CardState) -> bool:
    first, *others = s.columns
    return (
        all(map(fuel.is_single, first))
        and not any(fuel.is_single(card) for column in others for card in column)
        and all(len(column) <= s.rules.column_size for column in others)
        and all(list(column) == sorted(column) for column in s.columns)
    )


def fuel_fits(s: CardState) -> bool:
    for player in s.players:
        pure, shared = need(s, player.cards)
        if not fits(player.fuel, [2 * count for count in pure], 2 * shared):
            return False
    return True


def bank_keeps_no_reserve(s: CardState) -> bool:
    if not s.bank or not s.bank.store:
        return True
    return phase_of(s) != "auction" and fits(fuel.held(s.bank.store), *need(s, s.bank.cards))


def order_is_a_permutation(s: CardState) -> bool:
    return sorted(s.order) == list(range(len(s.players)))


def marker_lies_on_the_lowest(s: CardState) -> bool:
    marked = s.market.discount
    return marked is None or (phase_of(s) == "auction" and marked == s.market.cards[0])


def one_round_follows_end(s: CardState) -> bool:
    drawn = LAST_CARD not in s.market.deck
    if s.last_round and phase_of(s) == "bureaucracy":
        return False
    return drawn >= bool(s.end_round) and (not s.end_round or s.round <= s.end_round + 1)


def game_ends_after_the_last_fuel(s: CardState) -> bool:
    over = s.outcome is not None
    return not over or (s.last_round and phase_of(s) == "fuel")


def demolition_stack_stands(s: CardState) -> bool:
    if s.round <= 3 and s.demolition:
        return False
    return s.demolition <= max(0, len(s.rules.demolition) - 1)


def end_comes_nearer(s: CardState) -> bool:
    start = DECK_SIZES[len(s.players)]
    if LAST_CARD in s.market.deck and s.market.deck.index(LAST_CARD) > start - (s.round - 1):
        return False
    return s.round <= start + 2


# Moves


def twins_stay_in_order(change: CardChange) -> bool:
    before, _, after = change
    old = [card for card in before.market.cards if card in after.market.cards]
    if old != [card for card in after.market.cards if card in old]:
        return False
    new = [event.card for event in events_of(after, Turned)]
    return all(
        label(low) not in new or label(high) in new for low, high in twins(after.market.cards)
    )


def twins(cards: list[int]) -> Iterator[tuple[int, int]]:
    return ((low, high) for low, high in pairwise(cards) if number_of(low) == number_of(high))


def one_plant_a_round(change: CardChange) -> bool:
    before, _, after = change
    for seat, (old, new) in enumerate(players_of(change)):
        bought = [card for card in new.cards if card not in old.cards]
        if len(bought) > 1 or (bought and seat not in before.bidding.eligible):
            return False
        if bought and stays_in_phase(before, after) and seat in after.bidding.eligible:
            return False
    first = before.round == 1 and phase_of(before) == "auction" and before.phase != after.phase
    return not first or all(len(player.cards) == 1 for player in after.players)


def money_changes_by_rule(change: CardChange) -> bool:
    before, move, after = change
    sold, paid, income, scrapped = (
        totals_by_seat(after, kind) for kind in (Sold, Paid, Income, Demolished)
    )
    for seat, (old, new) in enumerate(players_of(change)):
        if new.money - old.money != income[seat] + scrapped[seat] - sold[seat] - paid[seat]:
            return False
    actor = before.actor
    assert actor is not None
    due = {actor: move.column} if isinstance(move, BuyCard) else {}
    return +paid == due and (not scrapped or isinstance(move, Scrap))


def units_are_conserved(change: CardChange) -> bool:
    before, move, after = change
    spent = Counter[int]()
    for seat, (old, new) in enumerate(players_of(change)):
        spent[seat] = sum(old.fuel) - sum(new.fuel)
    actor = before.actor
    assert actor is not None
    due = 0
    if isinstance(move, Run):
        due = sum(before.rules.cards.plants[card].need for card, _ in move.plants)
    elif isinstance(move, Scrap):
        due = sum(count for _, count in move.returned)
    elif isinstance(move, BuyCard):
        due = -kept(change)
        if due >= 0 or not all_of(before, move.units, -due + surplus(after)):
            return False
    return +spent == +Counter({actor: due}) and -spent == -Counter({actor: due})


def kept(change: CardChange) -> int:
    """The units that stay with the buyer of a card."""
    before, _, after = change
    assert before.actor is not None
    return sum(after.players[before.actor].fuel) - sum(before.players[before.actor].fuel)


def surplus(s: CardState) -> int:
    return sum(event.count for event in events_of(s, Surplus))


def all_of(s: CardState, units: int, found: int) -> bool:
    """No unit is lost, unless the printed singles have run out, KR-21."""
    return found == units or (s.rules.options["single_stock"] == "printed" and found < units)


def bank_units_are_conserved(change: CardChange) -> bool:
    before, _, after = change
    taken = [event for event in events_of(after, Taken) if event.column is not None]
    if not taken or not after.bank or not before.bank:
        return True
    units = sum(fuel.units(fuel.CARDS[event.card]) for event in taken)
    stored = sum(left for _, left in after.bank.store)
    return not before.bank.store and all_of(before, units, stored + surplus(after))


def refill_fills_columns(change: CardChange) -> bool:
    before, _, after = change
    if before.round == after.round:
        return all(len(new) <= len(old) for old, new in columns(change))
    full = all(len(column) == after.rules.column_size for column in after.columns[1:])
    return full or not (after.pile or after.discard)


def columns(change: CardChange) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Columns 2 to 4 before and after."""
    return zip(change.before.columns[1:], change.after.columns[1:], strict=True)


def usable(s: CardState, player: CardPlayer) -> int:
    pure, shared = need(s, player.cards)
    burned = sum(map(min, player.fuel, pure))
    _, gas, oil, _ = spilled(player.fuel, pure)
    return burned + min(shared, gas + oil)


def last_round_fuel_is_needed(change: CardChange) -> bool:
    before, move, after = change
    if not before.last_round or not isinstance(move, BuyCard):
        return True
    assert before.actor is not None
    old, new = before.players[before.actor], after.players[before.actor]
    return usable(after, new) - usable(before, old) == kept(change)


def order_is_sorted(change: CardChange) -> bool:
    before, _, after = change
    first = before.round == 1 and phase_of(before) == "auction" and before.phase != after.phase
    if not first and before.round == after.round:
        return after.order == before.order

    def sort_key(seat: int) -> tuple[int, int, int]:
        player = after.players[seat]
        plant = max(map(number_of, player.cards), default=0)
        return 0 if first else player.income, plant, before.order.index(seat)

    ranks = [sort_key(seat) for seat in after.order]
    return ranks == sorted(ranks, reverse=True)


def price_is_right(change: CardChange) -> bool:
    before, _, after = change
    for event in events_of(after, Sold):
        card = parse_card(event.card)
        lowest = 1 if card == before.market.discount else number_of(card)
        alone = len(before.bidding.eligible) == 1
        if not lowest <= event.amount <= before.players[event.seat].money:
            return False
        if alone and event.amount != lowest:
            return False
    return True


def income_is_that_of_the_plants(change: CardChange) -> bool:
    before, move, after = change
    if not isinstance(move, Run):
        return True
    assert before.actor is not None
    plants = before.rules.cards.plants
    earned = sum(plants[card].powers for card, _ in move.plants)
    pure, shared = need(before, tuple(card for card, _ in move.plants))
    held = before.players[before.actor].fuel
    left = spilled(held, pure)
    enough = all(map(int.__ge__, held, pure)) and left[tables.GAS] + left[tables.OIL] >= shared
    return enough and after.players[before.actor].income == (earned if move.plants else 1)


def end_is_drawn_once(change: CardChange) -> bool:
    before, _, after = change
    drawn = sum(event.card == after.rules.last_card for event in events_of(after, Turned))
    if drawn != (LAST_CARD in before.market.deck) - (LAST_CARD in after.market.deck):
        return False
    return after.end_round == (before.end_round or after.end_round)


def reshuffles_remove_plants(change: CardChange) -> bool:
    before, _, after = change
    happened = after.reshuffles - before.reshuffles
    events = after.events
    shuffled = [
        at
        for at, event in enumerate(events)
        if isinstance(event, Shuffled) and event.by == "reshuffle"
    ]
    if len(shuffled) != happened:
        return False
    return all(not before.market.cards or isinstance(events[at + 1], Removed) for at in shuffled)


def demolition_stack_shrinks_by_one(change: CardChange) -> bool:
    before, _, after = change
    gone = after.demolition - before.demolition
    return gone == 0 or (gone == 1 and phase_of(before) == "auction" != phase_of(after))


STATE_LAWS: LawsOf[CardState] = {
    "INV-01": (each_plant_is_in_one_place,),
    "INV-02": (market_is_sorted,),
    "INV-03": (market_is_full,),
    "INV-04": (four_lowest_are_on_offer,),
    "INV-05": (plant_limits_hold, bank_buys_every_round),
    "INV-06": (money_is_never_negative,),
    "INV-07": (regular_cards_are_in_one_place, stored_cards_show_units),
    "INV-08": (singles_are_counted,),
    "INV-10": (columns_are_in_order,),
    "INV-11": (fuel_fits, bank_keeps_no_reserve),
    "INV-13": (order_is_a_permutation,),
    "INV-14": (marker_lies_on_the_lowest,),
    "INV-17": (one_round_follows_end, game_ends_after_the_last_fuel),
    "INV-19": (demolition_stack_stands,),
    "INV-20": (end_comes_nearer,),
}
MOVE_LAWS: LawsOf[CardChange] = {
    "INV-02": (twins_stay_in_order,),
    "INV-05": (one_plant_a_round,),
    "INV-06": (money_changes_by_rule,),
    "INV-09": (units_are_conserved, bank_units_are_conserved),
    "INV-10": (refill_fills_columns,),
    "INV-12": (last_round_fuel_is_needed,),
    "INV-13": (order_is_sorted,),
    "INV-15": (price_is_right,),
    "INV-16": (income_is_that_of_the_plants,),
    "INV-17": (end_is_drawn_once,),
    "INV-18": (reshuffles_remove_plants,),
    "INV-19": (demolition_stack_shrinks_by_one,),
}
check = Laws(STATE_LAWS, {}, MOVE_LAWS).check
