"""What a refusal says, in English; the codes are the keys for every other language."""

REFUSALS = {
    "not_now": "'{move}' is not what is asked for now. Expected: {expected}.",
    "game_over": "The game is over.",
    # Auction
    "must_buy": "Everybody has to buy in the first round, so the nomination cannot be passed.",
    "not_on_offer": "Card {card} is not on offer. On offer: {offer}.",
    "barred": "Nuclear plant {card} needs a city in a country that allows nuclear power.",
    "bid_below_minimum": "The lowest bid for {card} is {minimum}.",
    "bid_above_money": "A bid of {bid} is more than can be paid: {money}.",
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
    "cannot_pay": "That costs {cost}; there is {money}.",
    # Building
    "cannot_pay_city": "Connecting {city} costs {cost}; there is {money}.",
    "unknown_city": "There is no city '{city}' in play.",
    "already_there": "There is already a house of this player in {city}.",
    "city_full": "Step {step} allows {step} in a city, and {city} has {houses}.",
    "start_empty": "A network starts in an empty city, and {city} is not empty.",
    "start_unmarked": "A network starts in a marked city, not in {city}. Marked: {cities}.",
    # Bureaucracy
    "run_not_owned": "Plant {card} is not owned.",
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
}
