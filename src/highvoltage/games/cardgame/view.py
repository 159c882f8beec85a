"""What a seat may know of the card game, as plain data (KR-02)."""

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any

from highvoltage.engine.cards import LAST_CARD, label
from highvoltage.games.cardgame import fuel, tables
from highvoltage.games.cardgame.state import Bank, CardPlayer, CardState, CardTerms
from highvoltage.games.view import LazyView, auction_view, demolition_view, outcome_view
from highvoltage.views.cardgame import (
    BankView,
    CardGameView,
    CardView,
    FuelMarketView,
    MarketView,
    PlantView,
    PlayerView,
)

Plants = Callable[[CardTerms, tuple[int, ...]], list[PlantView]]

NOTE = (
    "Many of these card faces are reconstructed, not the printed ones. If you own the game, load"
    " your own faces with the option 'cards'."
)


def unfuelled(s: CardState) -> list[int]:
    """The points of each player that only fuel was missing for."""
    plants = s.rules.fuel
    return [
        plants.full_yield(player.cards) - plants.max_yield(player.cards, player.fuel)
        for player in s.players
    ]


def view(s: CardState, seat: int | None) -> dict[str, Any]:
    rules = s.rules
    hides = rules.options["money"] == "hidden" and s.outcome is None
    result: CardGameView = {
        "family": "cardgame",
        "rulebook": rules.name,
        "seat": seat,
        "round": s.round,
        "phase": s.phase_name,
        "to_move": s.actor,
        "order": list(s.order),
        "outcome": outcome_view(s.outcome, None if s.outcome is None else unfuelled(s)),
        "seq": 0,  # filled in by the game, like the names
        "names": [],
        "own_cards": rules.options["cards"] is not None,
        "reconstructed": rules.cards.reconstructed,
        "last": s.last_round,
        "market": market_view(rules, s),
        "fuel": fuel_view(rules, s),
        "auction": auction_view(s.bidding),
        "players": [
            player_view(rules, s, player, other, hides=hides and other != seat)
            for other, player in enumerate(s.players)
        ],
        "plant_limit": tables.PLANT_LIMIT,
    }
    if rules.cards.reconstructed:
        result["note"] = NOTE
    if s.bank:
        result["bank"] = bank_view(rules, s.bank)
    if rules.demolition:
        result["demolition"] = demolition_view(s, reconstructed=rules.cards.reconstructed)
    return result  # type: ignore[return-value]  # a TypedDict is a dict


def lazy_view(s: CardState, seat: int) -> LazyView:
    """The view of a seat, computed part by part."""
    known = {
        "family": "cardgame",
        "rulebook": s.rules.name,
        "seat": seat,
        "round": s.round,
        "phase": s.phase_name,
        "to_move": s.actor,
        "order": [*s.order],
        "last": s.last_round,
        "plant_limit": tables.PLANT_LIMIT,
    }
    result = LazyView.of(s, seat, known, fields_of(s.rules), PARTS, view)
    if s.bank:
        result["bank"] = bank_view(s.rules, s.bank)
    return result


@lru_cache(maxsize=64)
def fields_of(rules: CardTerms) -> frozenset[str]:
    there = {
        "note": rules.cards.reconstructed,
        "bank": rules.players == 2,
        "demolition": rules.demolition,
    }
    optional = {field for field, is_there in there.items() if is_there}
    return CardGameView.__required_keys__ | optional


def lazy_players(s: CardState, seat: int) -> list[LazyView]:
    hides = s.rules.options["money"] == "hidden" and s.outcome is None
    return [
        lazy_player(s, player, other, hides=hides and other != seat)
        for other, player in enumerate(s.players)
    ]


def lazy_player(s: CardState, player: CardPlayer, seat: int, *, hides: bool) -> LazyView:
    known = {
        "seat": seat,
        "money": None if hides else player.money,
        "plants": lazy_plants(s.rules, player.cards),
        "fuel": dict(zip(tables.FUELS, player.fuel, strict=True)),
        "room": dict(zip(tables.FUELS, s.rules.rooms(s, player), strict=True)),
        "income": player.income,
    }
    return LazyView.part(
        known, PlayerView, lambda: player_view(s.rules, s, player, seat, hides=hides)
    )


@lru_cache(maxsize=4096)
def lazy_plants(rules: CardTerms, cards: tuple[int, ...]) -> list[PlantView]:
    known = faces(rules)
    return [known[card] for card in cards]


@lru_cache(maxsize=64)
def faces(rules: CardTerms) -> dict[int, PlantView]:
    """All plants; copy before use."""
    return {
        card: {
            "card": label(card),
            "number": plant.number,
            "fuels": [tables.FUELS[kind] for kind in plant.fuels],
            "need": plant.need,
            "income": plant.powers,
            "back": rules.card_back(card),
        }
        for card, plant in rules.cards.plants.items()
    }


def plant_views(rules: CardTerms, cards: tuple[int, ...]) -> list[PlantView]:
    known = faces(rules)
    plants = []
    for card in cards:
        plant = known[card].copy()
        plant["fuels"] = plant["fuels"][:]
        plants.append(plant)
    return plants


FUEL_CARDS: list[CardView] = [
    {
        "fuel": tables.FUELS[fuel.kind(card)],
        "units": fuel.units(card),
        "face": fuel.units(card),
        "single": fuel.is_single(card),
    }
    for card in range(len(fuel.NAMES))
]
"""All fuel cards; copy before use."""


def card_views(cards: Iterable[int]) -> list[CardView]:
    return [FUEL_CARDS[card].copy() for card in cards]


def shared_card_views(cards: Iterable[int]) -> list[CardView]:
    return [FUEL_CARDS[card] for card in cards]


def store_view(store: Iterable[tuple[int, int]]) -> list[CardView]:
    """Fuel cards with the units that are left on them."""
    result = []
    for card, left in store:
        shown = FUEL_CARDS[card].copy()
        shown["units"] = left
        result.append(shown)
    return result


def market_view(rules: CardTerms, s: CardState, plants: Plants = plant_views) -> MarketView:
    market = s.market
    deck = market.deck
    return {
        "current": plants(rules, tuple(market.offer)),
        "future": plants(rules, tuple(market.plants[market.offer_size :])),
        "end": LAST_CARD in market.cards,
        "deck": len(deck),
        "above_end": deck.index(LAST_CARD) if LAST_CARD in deck else None,
        "back": rules.top(s) or None,
        "slid": [label(card) for card in market.slid],
        "removed": [label(card) for card in market.removed if card != LAST_CARD],
        "discount": None if market.discount is None else label(market.discount),
    }


def fuel_view(
    rules: CardTerms, s: CardState, cards: Callable[[Iterable[int]], list[CardView]] = card_views
) -> FuelMarketView:
    waiting = [] if s.reshuffles else rules.cards.fuel["++"]
    return {
        "columns": list(map(cards, s.columns)),
        "column_size": rules.column_size,
        "pile": len(s.pile),
        "discard": cards(sorted(s.discard)),
        "waiting": cards(waiting),
        "singles": {
            kind: max(0, count) for kind, count in zip(tables.FUELS, s.singles, strict=True)
        },
        "reshuffles": s.reshuffles,
    }


def player_view(
    rules: CardTerms, s: CardState, player: CardPlayer, seat: int, *, hides: bool
) -> PlayerView:
    return {
        "seat": seat,
        "money": None if hides else player.money,
        "plants": plant_views(rules, player.cards),
        "ready": list(map(label, rules.fuel.ready(player.cards, player.fuel))),
        "fuel": dict(zip(tables.FUELS, player.fuel, strict=True)),
        "store": store_view(player.store),
        "room": dict(zip(tables.FUELS, rules.rooms(s, player), strict=True)),
        "income": player.income,
    }


def bank_view(rules: CardTerms, bank: Bank) -> BankView:
    return {
        "plants": plant_views(rules, bank.cards),
        "store": store_view(bank.store),
    }


PARTS: dict[str, Callable[[CardState, int], Any]] = {
    "players": lazy_players,
    "market": lambda s, _: market_view(s.rules, s, lazy_plants),
    "fuel": lambda s, _: fuel_view(s.rules, s, shared_card_views),
    "auction": lambda s, _: auction_view(s.bidding),
    "demolition": lambda s, _: demolition_view(s, reconstructed=s.rules.cards.reconstructed),
}
"""What bots read often; the rest is taken from a full view."""
