"""The position of an Outpost table."""

from collections.abc import Iterator, Mapping
from typing import Any

from highvoltage.brief.phrases import cheapest, count, money, name_of, names_of, runs
from highvoltage.views import View

CITIES_SHOWN = 8


def card_words(card: Mapping[str, Any]) -> str:
    """What a card is and does."""
    if card["kind"] == "plant":
        return (
            f"{card['card']} (plant, {count(card['workers'], 'worker')}: energy {card['energy']})"
        )
    if card["kind"] == "habitat":
        return f"{card['card']} (habitat, {count(card['places'], 'bed')})"
    return f"{card['card']} ({card['name'] or card['technology'] or card['kind']})"


def _cards(cards: list[Mapping[str, Any]]) -> str:
    return ", ".join(map(card_words, cards)) or "none"


def _place(place: Mapping[str, Any]) -> str:
    below = f", {len(place['below'])} below" if place["below"] else ""
    return f"{card_words(place['card'])} from {place['minimum']}{below}"


def outpost_lines(view: View) -> Iterator[str]:
    market, auction = view["market"], view["auction"]
    yield f"Cards on offer (lowest bid): {'; '.join(map(_place, market['current'])) or 'none'}."
    step3 = " The Step 3 card lies in the market." if market["step3"] else ""
    future = _cards([place["card"] for place in market["future"]])
    yield f"Future cards: {future}. Deck: {count(market['deck'], 'card')}.{step3}"
    if view["phase"] == "auction":
        bidding = f"may still buy: {names_of(view, auction['eligible'])}"
        if auction["card"] is not None:
            leader = name_of(view, auction["leader"])
            bidders = names_of(view, auction["bidders"])
            standing = f"{auction['card']}, highest bid {auction['bid']} by {leader}"
            bidding = f"{standing}, bidding: {bidders}"
        yield f"Auction: {bidding}.{' Everybody must buy.' if view['forced'] else ''}"
    workers = runs(view["labour"]["prices"])
    yield f"Workers (next prices for you): {workers}. Robots left: {view['robots']}."
    yield "Companies:"
    companies = [(seat, view["players"][seat]) for seat in view["order"] if seat >= 0]
    if view["syndicate"]:
        companies.append((-1, view["syndicate"]))
    for seat, company in companies:
        yield f"- {name_of(view, seat)}: {_company(company)}"
    yield from _outlook(view)


def _company(company: Mapping[str, Any]) -> str:
    parts = [
        money(company),
        f"network {company['network']}: {', '.join(company['cities']) or 'none'}",
        f"plants {_cards(company['plants'])}",
        f"habitats {_cards(company['habitats'])}",
        f"pool {_cards(company['pool'])}" if company["pool"] else "",
        f"open spaces {company['spaces']['plant']} plant, {company['spaces']['habitat']} habitat",
        f"{company['humans']} humans, {company['robots']} robots, {company['beds']} beds",
        f"needs {count(company['need'], 'worker')}",
        f"can power {company['powers']}",
        f"saves {company['saving']} on bids" if company["saving"] else "",
    ]
    return "; ".join(part for part in parts if part)


def _outlook(view: View) -> Iterator[str]:
    prices = {
        f"{piece} {city}": price
        for city, pieces in view["connect"].items()
        for piece, price in pieces.items()
    }
    if prices:
        yield f"Cheapest buildings for you: {cheapest(prices, CITIES_SHOWN)}."
    if view["choices"]:
        yield f"Cities for the building of the Syndicate: {', '.join(view['choices'])}."
    yield (
        f"Station prices by place in the city: {runs(view['station_prices'])}. Step 2 starts at"
        f" {view['step_2_cities']} cities, the game ends at {view['end_cities']}: then who powers"
        " most cities wins, then money, then the larger network."
    )
    yield f"Income for 0, 1, 2 ... cities powered: {' '.join(map(str, view['payment']))}."
