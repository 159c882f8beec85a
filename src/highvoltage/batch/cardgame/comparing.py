"""How states of the Card Game are held against the engine's."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, ClassVar

import jax
import numpy as np

from highvoltage.batch.cardgame.exchange import TwinChance, fields_of, fuel_pile_of
from highvoltage.batch.cardgame.reading import compiled
from highvoltage.batch.cardgame.setup import ChanceRanks
from highvoltage.batch.cardgame.tables import CARDS, TYPES, Tables
from highvoltage.batch.codes import Table
from highvoltage.batch.comparing import Comparison, Fields
from highvoltage.batch.decks import deck_of
from highvoltage.batch.state import ASIDE
from highvoltage.games.cardgame.state import CardState


class CardComparison(Comparison[CardState]):
    """The Card Game."""

    tables: Tables
    kind = CardState
    rules: ClassVar[dict[str, str]] = {
        "mode": "K-3.1",
        "order": "K-6.2.1",
        "money": "K-6.1.3",
        "plants": "K-4.5.1",
        "fuel": "K-5.3.1",
        "income": "KR-24",
        "store": "KR-20",
        "singles": "KR-20",
        "column_1": "K-5.4.1",
        "columns": "K-6.3.1",
        "discard": "K-6.1.2",
        "pile": "K-6.3.5",
        "reshuffles": "KR-26",
        "last_round": "KR-05",
        "market": "K-4.6.1",
        "token": "K-4.4.1",
        "last": "K-4.7.2",
        "deck": "K-6.4.1",
        "aside": "K-2.4",
        "eligible": "K-4.2.1",
        "ring": "K-4.3.1",
        "sold": "K-4.3.1",
        "turn": "K-3.2",
        "demolition": "D-2.4",
        "demolished": "D-2.2",
        "place": "K-7.5",
        "bank.plants": "K-8.4",
        "bank.cards": "K-8.8",
        "bank.singles": "K-8.8",
        "bank.fuel": "K-8.7",
        "bank.turned": "K-8.9",
        "bank.done": "K-8.3",
        "current_player": "K-3.2",
        "legal_action_mask": "K-3.1",
        "observation": "KR-02",
    }

    def chance(self, drawn: ChanceRanks) -> TwinChance:
        return TwinChance(self.tables, drawn)

    def fields(self, s: CardState) -> Fields:
        return fields_of(self.tables, s)

    def hidden(self, s: CardState) -> Fields:
        return {"deck": s.market.deck, "aside": sorted(s.market.aside), "pile": s.pile}

    def hidden_in(self, arrays: dict[str, Table]) -> Fields:
        deck, aside = plants_in(arrays["pile"].tobytes(), int(arrays["last"]))
        cards = (arrays[name].tobytes() for name in ("shuffled", "places"))
        return {"deck": deck, "aside": aside, "pile": fuel_in(*cards, int(arrays["drawn"]))}

    def in_order(self, view: Fields) -> Fields:
        for owner in [*view["players"], *([view["bank"]] if "bank" in view else [])]:
            owner["store"].sort(key=lambda card: card["fuel"] if card["single"] else "")
        if "bank" in view:
            view["bank"]["store"].sort(key=lambda card: (card["fuel"], card["face"], card["units"]))
        return super().in_order(view)

    def scarce(self, state: Any, rng: np.random.Generator) -> Any:
        """END is near, fuel runs out and all are rich: KR-16, KR-27, two reshuffles at once."""
        pile = state.pile.copy()
        order = np.sort(pile[pile < ASIDE])
        pile[(pile >= order[rng.integers(1, 8)]) & (pile < ASIDE)] = ASIDE
        left = int(state.shuffled.sum()) - int(state.drawn)
        _, _, ready = compiled(self.tables)
        changed = state.replace(
            pile=pile,
            drawn=(state.drawn + rng.integers(left + 1)).astype(np.int8),
            columns=state.columns * rng.integers(2, size=(3, 1), dtype=np.int8),
            discard=np.minimum(state.discard, rng.integers(2, size=TYPES, dtype=np.int8)),
            money=np.full_like(state.money, rng.choice([12, 40, 90])),
        )
        return jax.device_get(ready(changed))

    def endings(self, s: CardState) -> Iterator[str]:
        if min(s.singles) < 0:
            yield "more singles than printed"


@lru_cache(maxsize=1024)
def plants_in(pile: bytes, last: int) -> tuple[list[int], list[int]]:
    """The deck and what was removed at set-up; asked again until a card moves."""
    aside = [card for card, place in zip(CARDS, pile, strict=True) if place == ASIDE]
    return deck_of(CARDS, np.frombuffer(pile, np.uint8), last), sorted(aside)


@lru_cache(maxsize=1024)
def fuel_in(shuffled: bytes, places: bytes, drawn: int) -> list[int]:
    """The pile of fuel cards; asked again until a card moves."""
    counts, order = np.frombuffer(shuffled, np.int8), np.frombuffer(places, np.uint8)
    return fuel_pile_of(counts, order, drawn)
