"""The deck of plants as the map defines it, and the kinds of plants."""

from functools import cache

from highvoltage.engine.cards import LAST_CARD
from highvoltage.engine.chance import Chance
from highvoltage.engine.parts.fuel import FuelRules
from highvoltage.engine.parts.mapform import Deck, PlantCard
from highvoltage.engine.parts.plant import Plant
from highvoltage.games.classic import tables

FUELS_OF: dict[str, tuple[int, ...]] = {
    "hybrid": tables.HYBRID,
    "eco": tables.NO_FUEL,
    "fusion": tables.NO_FUEL,
    **{fuel: (kind,) for kind, fuel in enumerate(tables.FUELS)},
}


def kind_of(plant: Plant) -> str:
    """The kind of a plant; the fusion plant burns nothing but is not an eco plant (C-1.2.5).

    >>> [kind_of(tables.PLANTS[card]) for card in (4, 5, 13, 50)]
    ['coal', 'hybrid', 'eco', 'fusion']
    """
    if not plant.fuels:
        return "fusion" if plant.number == tables.FUSION else "eco"
    return "hybrid" if plant.hybrid else tables.FUELS[plant.fuels[0]]


@cache
def plant_table(changed: tuple[PlantCard, ...]) -> FuelRules:
    """The plants, with those of the map replacing others of the same number (A-NOR-3)."""
    if not changed:
        return tables.FUEL_RULES
    own = {
        card.number: Plant(card.number, FUELS_OF[card.kind], card.need, card.powers)
        for card in changed
    }
    return FuelRules(tables.FUELS, tables.HYBRID, tables.PLANTS | own)


def fixed_cards(deck: Deck) -> set[int]:
    """The cards that the map places or removes by number."""
    mixed = deck.mixed.cards if deck.mixed else ()
    return {*deck.out, *deck.market, *deck.next, *mixed, *deck.step_2, deck.top or 0}


def protects(deck: Deck, card: int) -> bool:
    return kind_of(tables.PLANTS[card]) in deck.protected


def split_removed(cards: list[int], removed: int, deck: Deck) -> tuple[list[int], list[int]]:
    """The cards that stay, and those removed face down: the last ones that are not protected."""
    loose = [card for card in cards if not protects(deck, card)] if deck.protected else cards
    gone = loose[len(loose) - removed :]
    return [card for card in cards if card not in gone], gone


def stack(chance: Chance, deck: Deck, top: list[int], cards: list[int]) -> list[int]:
    """The deck from top to bottom: shuffled cards, with those that the map places in it."""
    if deck.mixed:
        others = deck.mixed.others
        mixed = chance.arrange("mixed", [*deck.mixed.cards, *cards[:others]])
        cards = [*mixed, *cards[others:]]
    whole = [*top, *deck.next, *cards]
    whole.insert(len(whole) - deck.below_step_3, LAST_CARD)
    return whole
