"""Faults in the rules of a map whose fields have the right form."""

from collections import Counter
from collections.abc import Collection, Iterator
from typing import NamedTuple

from highvoltage.engine.parts.formfaults import quote, suggest
from highvoltage.engine.parts.mapform import (
    CARDS,
    HOUSES,
    SPACES,
    TOKENS,
    Deck,
    FuelMarket,
    MapRules,
    PlantCard,
    PlantMarket,
    Slot,
)

STEP_FIELDS = (  # of the plant market, that need Steps or a market that is renewed otherwise
    *("step_2_replaced", "step_3", "phase_5", "barred", "steps_by_deck", "step_2_slides"),
    *("lowest_leaves", "never_under_deck"),
)


class Places(NamedTuple):
    """The ids that rules may name."""

    regions: Collection[str]
    cities: Collection[str]
    countries: Collection[str]


def rule_faults(rules: MapRules, where: str, places: Places) -> Iterator[str]:
    """Everything that is impossible in these rules; `where` is their path in the file."""
    yield from _unknown(rules, where, places)
    yield from _name_faults(rules, where)
    yield from _fuel_faults(rules, where)
    if rules.deck:
        yield from _deck_faults(rules.deck, f"{where}.deck")
    if rules.plant_market and rules.plant_market.three_stages:
        yield from _stage_faults(rules, where)
    own = rules.plant_market
    if own and own.second_purchase and own.first_pass:
        yield f"{where}.plant_market: first_pass does not go together with second_purchase"
    if own and own.barred and not own.steps_by_deck:
        yield (
            f"{where}.plant_market: barred goes only together with steps_by_deck: in Step 1 the"
            " Step 3 card would leave such plants on offer"
        )
    for plant in rules.plants:
        yield from _plant_faults(plant, f"{where}.plants")
        if plant.kind == "mine" and rules.mines is None:
            yield f"{where}.plants: card {plant.number} is a mine; say in mines where it sells"
    for city, slots in rules.slots.items():
        yield from _slot_faults(slots, f"{where}.slots.{city}")


def _unknown(rules: MapRules, where: str, places: Places) -> Iterator[str]:
    starts = rules.networks.starts if rules.networks else ()
    named = (
        *(("slots", "city", city, places.cities) for city in rules.slots),
        *(("no_start", "city", city, places.cities) for city in rules.no_start),
        *(("networks.starts", "city", city, places.cities) for city in starts),
        *(("discounts", "city", each.city, places.cities) for each in rules.discounts),
        *(("nuclear_countries", "country", c, places.countries) for c in rules.nuclear_countries),
        *(
            ("plants", "region", plant.region, places.regions)
            for plant in rules.plants
            if plant.region
        ),
    )
    for field, what, word, known in named:
        if word not in known:
            yield f"{where}.{field}: there is no {what} {quote(word)}; {suggest(word, known)}"


# Fuel


def _fuel_faults(rules: MapRules, where: str) -> Iterator[str]:
    tokens = TOKENS | rules.tokens
    for fuel, count in rules.start.items():
        if count > tokens[fuel]:
            yield f"{where}.start.{fuel} is {count}; there are only {tokens[fuel]} tokens"
    for fuel in rules.storage.keys() & rules.storage_price.keys():
        yield f"{where}: {fuel} has a storage and a storage_price; keep one"
    for fuel in {*rules.shifting} & {*rules.storage, *rules.storage_price}:
        yield f"{where}: {fuel} is shifting and has a storage or a storage_price; keep one"
    yield from _price_faults(rules, where)
    if rules.markets:
        yield from _market_faults(rules, where)
        return
    for fuel in dict.fromkeys((*rules.start, *rules.spaces, *rules.tokens)):
        size = sum(rules.spaces[fuel].values()) if fuel in rules.spaces else SPACES[fuel]
        if rules.start.get(fuel, 0) > size:
            yield f"{where}.start.{fuel} is {rules.start[fuel]}; there are only {size} spaces"


def _price_faults(rules: MapRules, where: str) -> Iterator[str]:
    for own in ("max_price", "step_3_prices"):
        for field in ("storage", "storage_price", "shifting"):
            if getattr(rules, own) and getattr(rules, field):
                yield f"{where}.{field} does not go together with {own}; keep one"
    if rules.max_price and rules.step_3_prices:
        yield f"{where}.max_price does not go together with step_3_prices; keep one"


def _name_faults(rules: MapRules, where: str) -> Iterator[str]:
    names = [rules.fuel_names.get(fuel, fuel) for fuel in TOKENS]
    for name, times in Counter(names).items():
        if times > 1:
            yield f"{where}.fuel_names: {times} fuels are called {name}; each has its own name"
    if rules.hybrid[0] == rules.hybrid[1]:
        yield f"{where}.hybrid names {rules.hybrid[0]} twice; a hybrid plant burns two fuels"


def _market_faults(rules: MapRules, where: str) -> Iterator[str]:
    named = ("start", "refill", "spaces", "storage", "storage_price", "shifting", "discounts")
    for field in (*named, "max_price", "step_3_prices"):
        if getattr(rules, field):
            yield f"{where}.{field} does not go together with markets; set it for each market"
    if len(rules.markets) == 1:
        yield f"{where}.markets names only one; write its start, refill and spaces without a name"
    tokens = TOKENS | rules.tokens
    total: Counter[str] = Counter()
    for name, market in rules.markets.items():
        total.update(market.start)
        yield from _shelf_faults(market, f"{where}.markets.{name}")
    for fuel, count in total.items():
        if count > tokens[fuel]:
            yield f"{where}.markets start with {count} {fuel}; there are only {tokens[fuel]} tokens"


def _shelf_faults(market: FuelMarket, where: str) -> Iterator[str]:
    for fuel, count in market.start.items():
        size = sum(market.spaces.get(fuel, {}).values())
        if count > size:
            yield f"{where}.start.{fuel} is {count}; there are only {size} spaces"
    for players, row in market.refill.items():
        for fuel in row.keys() - market.spaces.keys():
            yield f"{where}.refill.{players}: there are no spaces for {fuel}"


# Plants


def _deck_faults(deck: Deck, where: str) -> Iterator[str]:
    mixed = deck.mixed.cards if deck.mixed else ()
    top = () if deck.top is None else (deck.top,)
    named = Counter((*deck.out, *deck.market, *top, *deck.next, *mixed, *deck.step_2))
    for card, times in named.items():
        if times > 1:
            yield f"{where} names card {card} {times} times; a card has one place"
        if card not in CARDS:
            yield f"{where}: there is no card {card}"
    yield from _band_faults(deck, where)
    for players, cards in deck.out_by_players.items():
        for card in cards:
            if card in named or cards.count(card) > 1:
                yield f"{where}.out_by_players.{players}: card {card} has another place already"
            if card not in CARDS:
                yield f"{where}.out_by_players.{players}: there is no card {card}"
    if any(len(counts) > 2 for counts in deck.removed.values()):
        yield f"{where}.removed: a deck is made of one or two piles"


def _band_faults(deck: Deck, where: str) -> Iterator[str]:
    bands = deck.bands
    if not bands:
        return
    lasts = [band.last for band in bands]
    if lasts != sorted(set(lasts)) or lasts[-1] != CARDS[-1]:
        yield f"{where}.bands must go up to {CARDS[-1]}, each further than the one before"
    if sum(band.with_step_3 for band in bands) != 1:
        yield f"{where}.bands: the Step 3 card lies in one of them; say with_step_3 there"
    for field in ("market", "top", "next", "mixed", "two_piles", "plugs_first", "below_step_3"):
        if getattr(deck, field):
            yield f"{where}.{field} does not go together with bands"


def _stage_faults(rules: MapRules, where: str) -> Iterator[str]:
    """Without Steps nothing may depend on them."""
    market, deck = rules.plant_market or PlantMarket(), rules.deck or Deck()
    changed = [
        *(name for name in ("step_2_cities", "step_2_when_full") if getattr(rules, name)),
        *(f"deck.{name}" for name in ("bands", "below_step_3", "step_2") if getattr(deck, name)),
        *(
            f"plant_market.{name}"
            for name in STEP_FIELDS
            if getattr(market, name) != getattr(PlantMarket(), name)
        ),
    ]
    for field in changed:
        yield f"{where}.{field} does not go together with plant_market.three_stages"


def _plant_faults(plant: PlantCard, where: str) -> Iterator[str]:
    if plant.number not in CARDS:
        yield f"{where}: there is no card {plant.number}"
    free = plant.kind in {"eco", "fusion", "mine"}
    if free != (plant.need == 0):
        reason = "burns nothing: its need is 0" if free else "needs fuel: its need is 1 or more"
        yield f"{where}: card {plant.number}, {plant.kind}, {reason}"
    if plant.store is not None and (free or plant.store < plant.need):
        yield (
            f"{where}: card {plant.number} burns {plant.need} and stores {plant.store}; its store"
            " is its need or more, and a plant that burns nothing has none"
        )


def _slot_faults(slots: tuple[Slot, ...], where: str) -> Iterator[str]:
    if not 1 <= len(slots) <= HOUSES:
        yield f"{where} has {len(slots)} slots; a city has one to {HOUSES}"
    steps = [slot.step for slot in slots]
    if steps != sorted(steps):
        yield f"{where}: a later slot opens before an earlier one; put them in order"
