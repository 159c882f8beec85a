"""What a refusal says, in English; the codes are the keys for every other language."""

from collections.abc import Mapping

REFUSALS = {
    "not_now": "'{move}' is not possible now. Expected: {expected}.",
    "game_over": "The game is over.",
    "not_your_turn": "It is {name}'s turn, not {other}'s.",
    # Auction
    "must_buy": "Everybody has to buy in the first round, so the nomination cannot be passed.",
    "not_on_offer": "{card} is not on offer. On offer: {offer}.",
    "barred": "Nuclear plant {card} needs a city in a country that allows nuclear power.",
    "bid_below_minimum": "The lowest bid for {card} is {minimum}.",
    "bid_above_money": "You cannot pay {bid}: you have {money}.",
    "last_buyer": "The last buyer pays exactly the minimum: {minimum} for {card}.",
    "bid_too_low": "The next bid is at least {minimum}.",
    "scrap_new": "Plant {card} has just been bought and cannot be the one given up.",
    "scrap_not_owned": "Plant {card} is not one of those that can be given up: {cards}.",
    "scrap_returns": "Giving up {card} returns exactly the fuel that finds no room: {choices}.",
    # Fuel
    "unknown_fuel": "There is no fuel '{fuel}'. Fuels: {fuels}.",
    "buy_nothing": "Buy at least one; to buy nothing, say done.",
    "no_room": "The plants have room for {room} more {fuel}, not {count}.",
    "sold_out": "The market has {left} {fuel}, not {count}.",
    "cannot_pay": "That costs {cost}, and you have {money}.",
    "unknown_market": "There is no market '{market}'. Markets: {markets}.",
    "other_market": "This turn is for the market {market}; whoever has chosen one buys only there.",
    "no_such_card": "There is no {fuel} card of {units} in column {column}.",
    "no_room_for_card": "The plants have no room for more {fuel}.",
    "enough_fuel": "In the last round one run of all plants is enough: no more {fuel}.",
    # Building
    "cannot_pay_city": "Connecting {city} costs {cost}, and you have {money}.",
    "unknown_city": "There is no city '{city}' in play.",
    "already_there": "You already have a house in {city}.",
    "city_full": "Step {step} allows {step} in a city, and {city} has {houses}.",
    "start_empty": "A network starts in an empty city, and {city} is not empty.",
    "start_elsewhere": "No network starts in {city}.",
    "start_only": "A network starts in one of these cities, not in {city}: {cities}.",
    "slot_closed": "In Step {step} no place in {city} is open.",
    "no_way": "{city} cannot be reached, and no network can start there now.",
    "first_network": "You have no network yet; 'build {city}' starts your first.",
    "no_more_starts": "You cannot start another network now.",
    "start_unmarked": "A network starts in a marked city, not in {city}. Marked: {cities}.",
    # Bureaucracy
    "run_not_owned": "Plant {card} is not yours.",
    "run_twice": "A plant runs once: {card} is named twice.",
    "run_mix": "Plant {card} burns exactly {need} of {fuels}; write {written}.",
    "run_no_fuel": "The fuel held does not run this set of plants.",
    "run_mix_unlawful": "That mix burns fuel that cannot lie on the hybrid. Possible: {choices}.",
    # Set-up: regions, houses of the third party, starting cities
    "unknown_region": "There is no region '{region}'. Regions: {regions}.",
    "region_apart": "Region {region} does not touch those chosen so far. Possible: {regions}.",
    "place_taken": "There is already a house in {city}.",
    "place_apart": "{city} is not next to a city with such a house. Possible: {cities}.",
    "mark_taken": "{city} is not empty, so it cannot be marked.",
    # Outposts: pieces, company boards, workers
    "too_late": "The turn has moved on; {what} is over.",
    "unknown_piece": "There is no piece '{piece}'. Pieces: {pieces}.",
    "no_pieces": "No {piece} is left on the company board.",
    "slot_kind": "{city} has a slot for a {kind}, not for a {piece}.",
    "slot_taken": "The {kind} slot of {city} is taken.",
    "no_colony": "{card} is not a Colony of this player.",
    "colony_full": "Colony {card} already has a {piece}.",
    "not_in_pool": "Card {card} does not lie beside the company board. There: {cards}.",
    "not_for_board": "Technology {card} needs no space on the company board.",
    "no_space": "No uncovered {kind} space is free.",
    "which_space": "Moon Base names its space, plant or habitat; no other card does.",
    "not_on_board": "Card {card} does not lie on the company board. There: {cards}.",
    "swap_kind": "Card {new} does not fit the space of {old}.",
    "swap_better": "Card {new} is not better than {old}.",
    "hire_over_need": "Workers the plants lack when all beds are filled: {lack}, not {count}.",
    "hire_idle": "Some of so many seasonal workers ({count}) would be idle. Possible: {counts}.",
    "hire_over_market": "Workers left on the labour market: {left}, not {count}.",
    "hire_nobody": "Nobody is hired and no bed is filled; to skip hiring, say done.",
    "no_robots": "No robot can be made: the Robots card and a robot in the supply are needed.",
    "no_maker": "There is no {maker} to make a robot; makers are a human or a robot.",
    "power_too_many": "Cities that can be powered: {most} at most, not {count}.",
    "syndicate_piece": "The Syndicate needs a {piece} now.",
    "syndicate_slot": "The Syndicate does not build in {city}. Possible: {cities}.",
}


def refusal(code: str, values: Mapping[str, object]) -> str:
    """The sentence for a code. A rulebook of another package may have its own, read as words.

    >>> refusal("no_trade_on_sundays", {})
    'No trade on sundays.'
    """
    if code in REFUSALS:
        return REFUSALS[code].format(**values)
    return f"{code.replace('_', ' ').capitalize()}."
