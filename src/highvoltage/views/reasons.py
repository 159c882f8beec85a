"""What our bots say about their moves, in English; the codes are the keys for other languages.

A number that is followed by what it counts gives the word for one and the word for more.
"""

from collections.abc import Mapping
from string import Formatter

REASONS = {
    "random": "One of {moves:move|moves}, drawn at random.",
    "forced": "There is no choice.",
    "hesitates": "I let this chance pass by.",
    # Clerk, auction
    "plant": (
        "{card} is worth {worth} to me and costs {price}: {more:more city|more cities} to power,"
        " {upkeep} for fuel each round, and it has {rounds:round|rounds} to pay for itself."
    ),
    "income": (
        "{card} is worth {worth} to me and costs {price}: it earns {more} more, {upkeep} for fuel"
        " each round, and it has {rounds:round|rounds} to pay for itself."
    ),
    "replaces": (
        "{card} is worth {worth} to me and costs {price}: it yields no more than the one it"
        " replaces, for {upkeep} each round."
    ),
    "card_plant": (
        "{card} is worth {worth} to me and costs {price}: {more:more city|more cities} to power,"
        " {upkeep} for workers each round, and it has {rounds:round|rounds} to pay for itself."
    ),
    "card_habitat": (
        "{card} is worth {worth} to me and costs {price}: beds for {housed:worker|workers}"
        " save {saved} a round, with {rounds:round|rounds} to pay for themselves."
    ),
    "card_beds": (
        "{card} is worth {worth} to me and costs {price}: {places:bed|beds}, for workers of plants"
        " to come."
    ),
    "card_technology": "{card} is worth {worth} to me and costs {price}.",
    "runner_up": "Next comes {runner_up}, worth {second_worth} for {second_price}.",
    "no_card": "Nothing suits me; the best, {card}, costs {price} and is worth {worth} to me.",
    "no_spare": (
        "The best, {card}, costs {price} and is worth {worth} to me, but I can spare only {spare};"
        " the rest of my money is for running it and for cities."
    ),
    "limit": (
        "I go up to {limit} for {card}, which is worth {worth} to me; the next bid is {price}."
    ),
    "limit_other": (
        "I go up to {limit} for {card}, and the next bid is {price}: it is worth {worth} to me, but"
        " {other} is worth {other_worth} and costs {other_price}."
    ),
    "limit_spare": (
        "I go up to {limit} for {card}, and the next bid is {price}: it is worth {worth} to me, but"
        " the rest of my money is for running it and for cities."
    ),
    "limit_rival": (
        "I go up to {limit} for {card}, and the next bid is {price}: it is worth {worth} to me, and"
        " what my only rival pays for it is as good as money earned."
    ),
    "limit_others": (
        "I go up to {limit} for {card}, and the next bid is {price}: it is worth {worth} to me, but"
        " less to everybody else who bids for it."
    ),
    "weakest": "The plant that I miss least: it yields {powers}.",
    # Clerk, fuel
    "fuel": "Fuel for a run that powers {cities:city|cities}, for {cost} in all.",
    "fuel_income": "Fuel for a run that earns {income}, for {cost} in all.",
    "fuel_cheap": "At {price} or less {fuel} is worth storing.",
    "fuel_scarce": "By the next round {fuel} will be sold out.",
    "market": "What is needed costs least in the market {market}.",
    "fuel_enough": "There is enough fuel for this round.",
    # Clerk, set-up
    "region": "A connection within {region} costs {cost} on average, less than elsewhere.",
    "out_of_the_way": (
        "Around {city} cities lie far apart: the nearest cost {cost} to reach, more than anywhere"
        " else. There it is least in the way."
    ),
    # Clerk, building
    "start": "From {city} four more cities cost {cost} to reach.",
    "city": "{city} costs {cost}, and I can power it: I have {cities}, and power for {supply}.",
    "start_kept": "I keep a new network for a city that lies farther away.",
    "city_ends": "{city} costs {cost} and brings the end nearer; I am ahead.",
    "city_late": "{city} costs {cost}; it is time to come to an end.",
    "city_ahead": "{city} costs {cost}; there is money to spare, and fuel will come.",
    "not_ahead": "One more city would end the game, and I am not ahead.",
    "no_supply": "I have {cities:city|cities}, and power for {supply}.",
    # Clerk, bureaucracy
    "run_income": "The plants that run earn {income}.",
    # Clerk, company
    "start_near": "The two nearest cities are {cost} away.",
    "space": "A {kind} is waiting for a space, which costs {cost}.",
    "placed": "On the board it does some good.",
    "hired": "So many workers power {cities:city|cities}, for {wage}.",
    "free": "It is free of charge.",
    "company_done": "Nothing more is worth its money.",
    "run": "{cities:city|cities} powered, for {pay}.",
    # Director
    "searched": (
        "{chance} % to win, by {playouts:game|games} played on from here; the next best, {next} %."
    ),
    "searched_instead": (
        "{chance} % to win, by {playouts:game|games} played on from here;"
        " {advised} would be {next} %."
    ),
    # What a move leads to
    "leads_to_cities": (
        "Three rounds on, or at the end: {size:city|cities} and {money} in hand. After '{than}':"
        " {other_size:city|cities} and {other_money}."
    ),
    "leads_to_income": (
        "Three rounds on, or at the end: plants that earn {size}, and {money} in hand. After"
        " '{than}': plants that earn {other_size}, and {other_money}."
    ),
    "holds_back_cities": (
        "It holds the others back. Three rounds on, or at the end, the largest of them has"
        " {rival:city|cities}; after '{than}' {other_rival:city|cities}."
    ),
    "holds_back_income": (
        "It holds the others back. Three rounds on, or at the end, the plants of the largest of"
        " them earn {rival}; after '{than}' {other_rival}."
    ),
    "wins_more": (
        "{chance} % to win, by {playouts:game|games} played on from here; after '{than}' {next} %."
    ),
    # Tycoon
    "tycoon": (
        "{chance} % to win, as I see it now. I favour this move with {share} %; '{second}' comes"
        " next, with {less} %."
    ),
    "tycoon_ahead": (
        "{chance} % to win at first sight; looking ahead, {after} % with this move and {next} %"
        " with '{second}'."
    ),
    "tycoon_ahead_two": (
        "{chance} % to win at first sight; looking ahead, {after} % with this move, {next} % with"
        " '{second}' and {last} % with '{third}'."
    ),
    "tycoon_close": (
        "{chance} % to win at first sight; looking ahead, {after} % with this move. '{second}'"
        " comes to {next} %, too close to be sure."
    ),
    "untaught": "I was not taught to play this, so I do as the engineer would.",
    "tycoon_sure": "{chance} % to win, as I see it now, and no other move is worth considering.",
}


UNTAUGHT, RUNNER_UP = "untaught", "runner_up"
"""Values that bring a sentence before, and one behind: what the move is compared with."""


class Counting(Formatter):
    """Puts numbers and what they count into a sentence.

    >>> Counting().format("{rounds:round|rounds} and {cities:city|cities}", rounds=1, cities=3)
    '1 round and 3 cities'
    """

    def format_field(self, value: object, format_spec: str) -> str:
        one, _, more = format_spec.partition("|")
        return f"{value} {one if value == 1 else more}" if format_spec else str(value)


def sentence(code: str, values: Mapping[str, int | str]) -> str:
    """The sentence for a code; one that is not ours is read as words."""
    if code in REASONS:
        parts = [part for part in (UNTAUGHT, code, RUNNER_UP) if part == code or part in values]
        return Counting().format(" ".join(REASONS[part] for part in parts), **values)
    words = code.replace("_", " ").strip()
    told = ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in values.items())
    return f"{words[:1].upper()}{words[1:]}{f' ({told})' if told else ''}."
