"""The position of a table: what matters for the next decisions."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from highvoltage import words
from highvoltage.brief.outpost import outpost_lines
from highvoltage.brief.phrases import (
    amounts,
    cheapest,
    count,
    money,
    name_of,
    names_of,
    plants,
    runs,
)
from highvoltage.views import View

CITIES_SHOWN = 10
UNKNOWN_SHOWN = 300
"""The most characters of each part of a view of a family that is not known here."""


def position(view: View) -> str:
    """What a seat sees, as lines of text; at most 4,000 bytes for four players."""
    with words.speaking(words.ENGLISH):
        lines = {"board": board_lines, "cardgame": card_lines, "outpost": outpost_lines}
        return "\n".join([*_heading(view), *lines.get(view["family"], unknown_lines)(view)])


def _heading(view: View) -> Iterator[str]:
    title = words.label(f"game_{view['rulebook']}", view["rulebook"])
    board = f" on {view['map']}" if "map" in view else ""
    step = f", Step {view['step']}" if "step" in view else ""
    you = "You watch" if view["seat"] is None else f"You are {view['names'][view['seat']]}"
    turn = "the game is over"
    if view["to_move"] is not None:
        mover = name_of(view, view["to_move"])
        turn = "it is your turn" if mover == "you" else f"it is the turn of {mover}"
    yield f"{title}{board}, round {view['round']}, {view['phase']}{step}. {you}; {turn}."
    if outcome := view["outcome"]:
        places = [", ".join(_result(view, seat) for seat in place) for place in outcome["ranking"]]
        yield f"Places: {'; '.join(places)}."
    yield f"Turn order: {names_of(view, view['order'])}."


def _result(view: View, seat: int) -> str:
    scores = [f"{name} {score}" for name, score in view["outcome"]["scores"][seat].items()]
    return f"{name_of(view, seat)} ({', '.join(scores)})"


def auction_line(view: View) -> Iterator[str]:
    auction = view["auction"]
    if view["phase"] != "auction":
        return
    if auction["scrapping"] is not None:
        who = name_of(view, auction["scrapping"])
        yield f"Auction: {who} bought {auction['card']} and must give up a plant."
    elif auction["card"] is None:
        yield f"Auction: may still buy: {names_of(view, auction['eligible'])}."
    else:
        yield (
            f"Auction: {auction['card']}, highest bid {auction['bid']} by"
            f" {name_of(view, auction['leader'])}, bidding: {names_of(view, auction['bidders'])};"
            f" may buy this round: {names_of(view, auction['eligible'])}."
        )


def market_lines(view: View, special: str) -> Iterator[str]:
    """The plant market; `special` is the card that changes the game."""
    market = view["market"]
    yield f"Plants on offer: {plants(market['current'])}."
    face_up = f" The {special} card lies in the market." if market.get(special) else ""
    deck = count(market["deck"], "card")
    yield f"Future plants: {plants(market['future'])}. Deck: {deck}.{face_up}"
    if market.get("discount"):
        yield f"Plant {market['discount']} has the discount token: its lowest bid is 1."
    if market.get("waiting"):
        yield f"Set aside until Step 2: {plants(market['waiting'])}."


def board_lines(view: View) -> Iterator[str]:
    yield from market_lines(view, "step3")
    yield from auction_line(view)
    yield "Fuel (next prices for you, cheapest first; refill a round):"
    for place, shelves in {"": view["fuel"], **view.get("markets", {})}.items():
        at = f"at {place}, " if place else ""
        for kind, shelf in shelves.items():
            yield f"- {at}{kind}: {runs(shelf['prices'])}; refill {shelf['refill']}"
    yield "Players:"
    for seat in view["order"]:
        player = view["players"][seat]
        cities = ", ".join(player["cities"]) or "none"
        yield (
            f"- {name_of(view, seat)}: {money(player)}; plants {plants(player['plants'])};"
            f" fuel {amounts(player['fuel'])}{_room(view, player)};"
            f" {count(len(player['cities']), 'city', 'cities')}: {cities}"
        )
    if cartel := view.get("cartel"):
        yield (
            f"- the cartel: plants {plants(cartel['plants'])}; fuel {amounts(cartel['fuel'])};"
            f" {cartel['reserve']} houses to come"
        )
    yield from _board_outlook(view)


def _room(view: View, player: Mapping[str, Any]) -> str:
    """What the viewer may still store; a hybrid's room is for any of its fuels."""
    return f", room for {amounts(player['room'])}" if player["seat"] == view["seat"] else ""


def _board_outlook(view: View) -> Iterator[str]:
    if view["connect"]:
        cities = cheapest(view["connect"], CITIES_SHOWN)
        yield f"Cheapest cities for you (house and connection): {cities}."
    third = [city for city, seats in view["houses"].items() if min(seats) < 0]
    if third:
        yield f"With a house of the cartel or a mark: {', '.join(third)}."
    yield (
        f"House prices by place in the city: {runs(view['house_prices'])}. At most"
        f" {view['plant_limit']} plants. Step 2 starts at {view['step_2_cities']} cities, the game"
        f" ends at {view['end_cities']}: then who powers most cities wins, then money, then cities."
    )
    yield f"Income for 0, 1, 2 ... cities powered: {' '.join(map(str, view['payment']))}."
    if view["regions"]:
        yield f"Regions in play: {', '.join(view['regions'])}."
    if demolition := view.get("demolition"):
        yield f"Demolition: {json.dumps(demolition)}"


def card_lines(view: View) -> Iterator[str]:
    yield from market_lines(view, "end")
    if view["last"]:
        yield "This is the last round."
    yield from auction_line(view)
    yield "Fuel cards for sale (a column's number is the price of each card in it):"
    for number, column in enumerate(view["fuel"]["columns"], 1):
        cards = [f"{card['units']} {card['fuel']}" for card in column]
        yield f"- column {number}: {', '.join(_tally(cards)) or 'empty'}"
    yield "Players:"
    for seat in view["order"]:
        player = view["players"][seat]
        yield (
            f"- {name_of(view, seat)}: {money(player)}; plants {plants(player['plants'])};"
            f" fuel {amounts(player['fuel'])}{_room(view, player)}; last income {player['income']}"
        )
    if bank := view.get("bank"):
        held = _tally([f"{card['units']} {card['fuel']}" for card in bank["store"]])
        yield f"- the Bank: plants {plants(bank['plants'])}; fuel {', '.join(held) or 'none'}"
    yield (
        f"At most {view['plant_limit']} plants. In the last round nobody earns; then plants that"
        " can run score their income once more, and every 10 money one point. Most points win."
    )
    if demolition := view.get("demolition"):
        yield f"Demolition: {json.dumps(demolition)}"


def _tally(cards: list[str]) -> list[str]:
    """Equal cards once, with their number."""
    found = {card: cards.count(card) for card in cards}
    return [f"{number} x ({card})" if number > 1 else f"({card})" for card, number in found.items()]


def unknown_lines(view: View) -> Iterator[str]:
    """The parts of a view of another package's family, as data."""
    told = {"family", "rulebook", "seat", "round", "phase", "to_move", "order", "outcome", "names"}
    for key, part in view.items():
        if key not in told:
            text = json.dumps(part, ensure_ascii=False, default=str)
            yield f"{key}: {text if len(text) <= UNKNOWN_SHOWN else text[:UNKNOWN_SHOWN] + ' ...'}"
