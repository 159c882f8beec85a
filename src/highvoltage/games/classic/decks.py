"""The deck of plants as the map defines it, and the kinds of plants."""

from functools import cache
from typing import NamedTuple

from highvoltage.engine.cards import LAST_CARD
from highvoltage.engine.chance import Chance
from highvoltage.engine.parts.fuel import FuelRules
from highvoltage.engine.parts.mapform import Deck, PlantCard
from highvoltage.engine.parts.plant import Plant
from highvoltage.games.classic import tables

FUELS_OF: dict[str, tuple[int, ...]] = {
    "eco": tables.NO_FUEL,
    "fusion": tables.NO_FUEL,
    "mine": tables.NO_FUEL,
    **{fuel: (kind,) for kind, fuel in enumerate(tables.FUELS)},
}


def kind_of(plant: Plant) -> str:
    """The kind of a plant; the fusion plant burns nothing but is not an eco plant (C-1.2.5).

    >>> [kind_of(tables.PLANTS[card]) for card in (4, 5, 13, 50)]
    ['coal', 'hybrid', 'eco', 'fusion']
    """
    if plant.mined:
        return "mine"
    if not plant.fuels:
        return "fusion" if plant.number == tables.FUSION else "eco"
    return "hybrid" if plant.hybrid else tables.FUELS[plant.fuels[0]]


@cache
def plant_table(
    changed: tuple[PlantCard, ...],
    fuels: tuple[str, ...] = tables.FUELS,
    hybrid: tuple[int, int] = tables.HYBRID,
) -> FuelRules:
    """The plants, with those of the map replacing others of the same number (A-NOR-3)."""
    if not changed and (fuels, hybrid) == (tables.FUELS, tables.HYBRID):
        return tables.FUEL_RULES
    plants = {
        card: Plant(card, hybrid if plant.hybrid else plant.fuels, plant.need, plant.powers)
        for card, plant in tables.PLANTS.items()
    }
    plants |= {card.number: changed_plant(card, hybrid) for card in changed}
    return FuelRules(fuels, hybrid, plants)


def changed_plant(card: PlantCard, hybrid: tuple[int, int]) -> Plant:
    if card.kind == "mine":
        return Plant(card.number, tables.NO_FUEL, 0, 0, mined=card.powers)  # A-AUS-5
    fuels = hybrid if card.kind == "hybrid" else FUELS_OF[card.kind]
    return Plant(card.number, fuels, card.need, card.powers, card.store)


def fixed_cards(deck: Deck) -> set[int]:
    """The cards that the map places or removes by number."""
    mixed = deck.mixed.cards if deck.mixed else ()
    return {*deck.out, *deck.market, *deck.next, *mixed, *deck.step_2, deck.top or 0}


def laid_on_deck(deck: Deck) -> int:
    """How many cards lie on those that were shuffled: the top card, and those the map puts next."""
    own_top = deck.low_on_top if deck.two_piles else tables.TOP_OF_DECK not in fixed_cards(deck)
    return 0 if deck.bands else (deck.top is not None or own_top) + len(deck.next)


def protects(deck: Deck, card: int) -> bool:
    return kind_of(tables.PLANTS[card]) in deck.protected


def split_removed(cards: list[int], removed: int, deck: Deck) -> tuple[list[int], list[int]]:
    """The cards that stay, and those removed face down: the last ones that are not protected."""
    loose = [card for card in cards if not protects(deck, card)] if deck.protected else cards
    gone = loose[len(loose) - removed :]
    return [card for card in cards if card not in gone], gone


def blocked_cities(
    arranged: list[str], prices: dict[str, int], counts: dict[int, int]
) -> frozenset[str]:
    """The first cities of each price, A-MAN-3."""
    found: set[str] = set()
    for price, count in counts.items():
        same = [city for city in arranged if prices[city] == price]
        found.update(same[:count])
    return frozenset(found)


class Deal(NamedTuple):
    """The cards as they lie after the set-up."""

    market: list[int]
    deck: list[int]  # top first
    aside: list[int]  # removed face down


def deal_two_piles(
    chance: Chance,
    deck: Deck,
    piles: tuple[tuple[int, ...], ...],
    removed: tuple[int, ...],
    market_size: int,
) -> Deal:
    """R-2.5, A-GEN-6; cards removed face down come last, so that a record can omit them."""
    placed = fixed_cards(deck)
    plugs, sockets = (
        chance.arrange(name, [card for card in pile if card not in placed])
        for name, pile in zip(("plugs", "sockets"), piles, strict=True)
    )
    fill = market_size - len(deck.market)
    market, plugs = [*deck.market, *plugs[:fill]], plugs[fill:]
    top = [] if deck.top is None else [deck.top]
    if not top and deck.low_on_top:
        top.append(plugs.pop(0))
    plugs, plugs_aside = split_removed(plugs, removed[0], deck)
    sockets, sockets_aside = split_removed(sockets, removed[1], deck)
    if deck.plugs_first:
        cards = [*plugs, *chance.arrange("deck", sockets)]  # A-RUS-5
    else:
        cards = chance.arrange("deck", plugs + sockets)
    if not deck.low_on_top:
        raise_high_card(cards, plugs)
    return Deal(market, stack(chance, deck, top, cards), plugs_aside + sockets_aside)


def deal_bands(chance: Chance, deck: Deck, market_size: int) -> Deal:
    """Plants in bands by number, each in order or shuffled, A-CHN-4; the first are the market."""
    placed = fixed_cards(deck)
    left = [card for card in tables.PLANTS if card not in placed]
    whole: list[int] = []
    for nth, band in enumerate(deck.bands):
        cards = [card for card in left if card <= band.last]
        left = left[len(cards) :]
        cards += [LAST_CARD] if band.with_step_3 else []
        whole += cards if band.ordered else chance.arrange("deck", cards, nth)
    return Deal(whole[:market_size], whole[market_size:], [])


def raise_high_card(cards: list[int], low: list[int]) -> None:
    """A low card on top changes places with the first other one, A-EUR-4."""
    high = next((at for at, card in enumerate(cards) if card not in low), 0)
    if cards:
        cards[0], cards[high] = cards[high], cards[0]


def stack(chance: Chance, deck: Deck, top: list[int], cards: list[int]) -> list[int]:
    """The deck from top to bottom: shuffled cards, with those that the map places in it."""
    if deck.mixed:
        others = deck.mixed.others
        mixed = chance.arrange("mixed", [*deck.mixed.cards, *cards[:others]])
        cards = [*mixed, *cards[others:]]
    whole = [*top, *deck.next, *cards]
    whole.insert(len(whole) - deck.below_step_3, LAST_CARD)
    return whole
