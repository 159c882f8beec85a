"""What a seat may know of the card game, as plain data (KR-02)."""

from typing import Any

from highvoltage.engine.cards import LAST_CARD, label
from highvoltage.games.cardgame import fuel, tables
from highvoltage.games.cardgame.state import Bank, CardPlayer, CardState, CardTerms
from highvoltage.games.view import auction_view, demolition_view, outcome_view
from highvoltage.views.cardgame import (
    BankView,
    CardGameView,
    CardView,
    FuelMarketView,
    MarketView,
    PlantView,
    PlayerView,
)

NOTE = (
    "Many of these card faces are reconstructed, not the printed ones. If you own the game, load"
    " your own faces with the option 'cards'."
)


def view(s: CardState, seat: int | None) -> dict[str, Any]:
    rules = s.rules
    hides = rules.options["money"] == "hidden" and s.outcome is None
    seen: CardGameView = {
        "family": "cardgame",
        "rulebook": rules.name,
        "seat": seat,
        "round": s.round,
        "phase": s.phase_name,
        "to_move": s.actor,
        "order": list(s.order),
        "outcome": outcome_view(s.outcome),
        "seq": 0,  # this and the names are told by the game
        "names": [],
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
        seen["note"] = NOTE
    if s.bank:
        seen["bank"] = bank_view(rules, s.bank)
    if rules.demolition:
        seen["demolition"] = demolition_view(s, reconstructed=rules.cards.reconstructed)
    return seen  # type: ignore[return-value]  # a TypedDict is a dict


def plant_view(rules: CardTerms, card: int) -> PlantView:
    plant = rules.cards.plants[card]
    return {
        "card": label(card),
        "number": plant.number,
        "fuels": [tables.FUELS[kind] for kind in plant.fuels],
        "need": plant.need,
        "income": plant.powers,
        "back": rules.back(card),
    }


def card_view(card: int, left: int | None = None) -> CardView:
    face = fuel.units(card)
    return {
        "fuel": tables.FUELS[fuel.kind(card)],
        "units": face if left is None else left,
        "face": face,
        "single": fuel.is_single(card),
    }


def market_view(rules: CardTerms, s: CardState) -> MarketView:
    market = s.market
    deck = market.deck
    return {
        "current": [plant_view(rules, card) for card in market.offer],
        "future": [plant_view(rules, card) for card in market.future if card != LAST_CARD],
        "end": LAST_CARD in market.cards,
        "deck": len(deck),
        "above_end": deck.index(LAST_CARD) if LAST_CARD in deck else None,
        "back": rules.top(s) or None,
        "slid": [label(card) for card in market.slid],
        "removed": [label(card) for card in market.removed if card != LAST_CARD],
        "discount": None if market.discount is None else label(market.discount),
    }


def fuel_view(rules: CardTerms, s: CardState) -> FuelMarketView:
    waiting = [] if s.reshuffles else rules.cards.fuel["++"]
    return {
        "columns": [[card_view(card) for card in column] for column in s.columns],
        "column_size": rules.column_size,
        "pile": len(s.pile),
        "discard": [card_view(card) for card in sorted(s.discard)],
        "waiting": [card_view(card) for card in waiting],
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
        "plants": [plant_view(rules, card) for card in player.cards],
        "ready": list(map(label, rules.fuel.ready(player.cards, player.fuel))),
        "fuel": dict(zip(tables.FUELS, player.fuel, strict=True)),
        "store": [card_view(card, left) for card, left in player.store],
        "room": dict(zip(tables.FUELS, rules.rooms(s, player), strict=True)),
        "income": player.income,
    }


def bank_view(rules: CardTerms, bank: Bank) -> BankView:
    return {
        "plants": [plant_view(rules, card) for card in bank.cards],
        "store": [card_view(card, left) for card, left in bank.store],
    }
