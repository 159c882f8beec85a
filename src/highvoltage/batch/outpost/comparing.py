"""How states of Outpost are held against the engine's."""

from functools import lru_cache
from typing import Any, ClassVar

import jax
import numpy as np

from highvoltage.batch.codes import Table
from highvoltage.batch.comparing import Comparison, Fields
from highvoltage.batch.decks import deck_of
from highvoltage.batch.outpost.exchange import TwinChance, fields_of
from highvoltage.batch.outpost.reading import compiled
from highvoltage.batch.outpost.setup import ChanceRanks
from highvoltage.batch.outpost.tables import CARDS, Tables
from highvoltage.batch.state import ASIDE
from highvoltage.games.outpost.state import OutpostState


class OutpostComparison(Comparison[OutpostState]):
    """Outpost."""

    tables: Tables
    kind = OutpostState
    rules: ClassVar[dict[str, str]] = {
        "mode": "O-3.1",
        "step": "O-9.2",
        "pending": "O-9.3.2",
        "second": "O-3.3",
        "stage": "O-7.0.2",
        "replaced": "OR-26",
        "order": "O-4.5",
        "turn": "O-3.5",
        "money": "O-8.1.2",
        "market": "O-5.4",
        "tokens": "O-8.3",
        "row": "O-5.1",
        "last": "O-9.3.8",
        "deck": "O-8.4",
        "aside": "O-2.9",
        "eligible": "O-6.1",
        "card": "O-6.3",
        "ring": "O-6.5",
        "sold": "O-6.8",
        "owner": "O-6.8",
        "board": "O-7.2",
        "network": "O-7.1.1",
        "opened": "O-7.1.3",
        "settled": "O-11.6",
        "humans": "O-7.3.3",
        "robots": "O-11.4",
        "busy": "OR-43",
        "powered": "O-8.1.1",
        "labour": "O-8.2",
        "supply": "O-11.4.1",
        "area": "O-2.1",
        "links": "O-2.2",
        "built": "O-7.1.4",
        "distance": "O-7.1.5",
        "stations": "O-7.1.2",
        "special": "O-1.5.2",
        "place": "O-10.3",
        "syndicate.taken": "O-12.5",
        "syndicate.done": "OR-56",
        "syndicate.choices": "O-12.6.5",
        "current_player": "O-3.5",
        "legal_action_mask": "O-3.5",
        "observation": "O-0.5",
    }

    def chance(self, drawn: ChanceRanks) -> TwinChance:
        return TwinChance(self.tables, drawn)

    def fields(self, s: OutpostState) -> Fields:
        return fields_of(self.tables, s)

    def fields_in_view(self, s: OutpostState, state: Any) -> Fields:
        """A view does not say in which order the Syndicate got the cards on its board."""
        fields = self.fields(s)
        fields.pop("syndicate.taken", None)
        return fields

    def hidden(self, s: OutpostState) -> Fields:
        return {"deck": s.market.deck, "aside": sorted(s.market.aside)}

    def hidden_in(self, arrays: dict[str, Table]) -> Fields:
        return cards_in(arrays["pile"].tobytes(), int(arrays["last"]))

    def in_order(self, view: Fields) -> Fields:
        for owner in [*view["players"], *([view["syndicate"]] if view["syndicate"] else [])]:
            owner["cities"].sort()
            for settled in owner["colonies"].values():
                settled.sort()
        for place in view["market"]["current"] + view["market"]["future"]:
            place["tokens"].sort()
        return super().in_order(view)

    def scarce(self, state: Any, rng: np.random.Generator) -> Any:
        """The Step 3 card is near and all are rich: the deck runs empty, OR-14, OR-42."""
        pile = state.pile.copy()
        order = np.sort(pile[pile < ASIDE])
        pile[(pile >= order[rng.integers(1, 12)]) & (pile < ASIDE)] = ASIDE
        _, _, ready = compiled(self.tables)
        money = np.full_like(state.money, rng.choice([30, 90, 250]))
        return jax.device_get(ready(state.replace(pile=pile, money=money)))


@lru_cache(maxsize=1024)
def cards_in(pile: bytes, last: int) -> Fields:
    """The deck and what was removed at set-up; asked again until a card moves."""
    aside = [card for card, place in zip(CARDS, pile, strict=True) if place == ASIDE]
    return {"deck": deck_of(CARDS, np.frombuffer(pile, np.uint8), last), "aside": sorted(aside)}
