"""How states of the board games are held against the engine's."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, ClassVar

import jax
import numpy as np

from highvoltage.batch.codes import CARDS, FUELS, Table
from highvoltage.batch.comparing import Comparison, Fields
from highvoltage.batch.decks import deck_of
from highvoltage.batch.exchange import TwinChance, fields_of, reach_of
from highvoltage.batch.reading import compiled
from highvoltage.batch.setup import ChanceRanks
from highvoltage.batch.state import ASIDE, FUEL, REGION, RUN, UNDER, WAITING, State
from highvoltage.batch.tables import Tables
from highvoltage.games.classic.state import BoardState


class BoardComparison(Comparison[BoardState]):
    """Classic and Recharged."""

    tables: Tables
    kind = BoardState
    rules: ClassVar[dict[str, str]] = {  # where to look when a field differs
        "current_player": "C-14",
        "legal_action_mask": "C-14",
        "mode": "C-3.1",
        "order": "C-3.3",
        "money": "C-1.7.1",
        "plants": "C-4.5.1",
        "fuel": "C-6.2.1",
        "cities": "C-7.1.1",
        "slots": "C-7.3.1",
        "reach": "C-7.3.1",
        "starts": "A-JPN-4",
        "most": "C-5.3.3",
        "supplied": "C-8.2.2",
        "stock": "C-8.3.1",
        "storage": "A-ZAF-4",
        "trade": "A-KOR-3",
        "buyers": "A-IND-6",
        "built": "A-IND-9",
        "mines": "A-AUS-5",
        "mine_stock": "A-AUS-7",
        "supply": "C-8.3.1",
        "phased_out": "R-11.1.1",
        "market": "C-5.1.1",
        "token": "R-4.1.1",
        "token_left": "A-BEN-6",
        "called": "A-MEA-5",
        "shifts": "A-MEA-3",
        "stage": "A-MAN-8",
        "blocked": "A-MAN-3",
        "beside": "A-MAN-7",
        "last": "C-9.3.2",
        "pending": "C-9.3.3",
        "deck": "C-8.4.1",
        "aside": "C-2.5",
        "step": "C-9.2",
        "eligible": "C-4.1.1",
        "ring": "C-4.3.1",
        "demolition": "D-2.4",
        "demolished": "D-2.2",
        "place": "C-10.7",
        "cartel.plants": "R-12.5",
        "cartel.fuel": "R-12.6",
        "cartel.reserve": "R-12.7.4",
        "observation": "C-13",
    }

    def chance(self, drawn: ChanceRanks) -> TwinChance:
        return TwinChance(self.tables, drawn)

    def seat_view(self, s: BoardState) -> Fields:
        return super().seat_view(s) | {"regions": list(s.regions)}

    def fields(self, s: BoardState) -> Fields:
        fields = fields_of(self.tables, s)
        if fields["mode"] != REGION:
            fields["reach"] = reach_of(self.tables, s)
        return fields

    def fields_in_view(self, s: BoardState, state: State) -> Fields:
        fields = {name: getattr(state, name).tolist() for name in ("cheap", "nuclear")}
        unseen = {"token_left", "buyers", "called"}  # by anybody who has only a view
        if self.tables.tokens_a_turn and state.mode == FUEL:
            unseen.add("turn")
        if self.tables.has_mines and state.mode == RUN:
            unseen.add("turn")  # how many were not asked
        known = {name: value for name, value in self.fields(s).items() if name not in unseen}
        return known | fields

    def hidden(self, s: BoardState) -> Fields:
        beside = sorted([*s.market.waiting, *s.market.pile])
        return {"deck": s.market.deck, "aside": sorted(s.market.aside), "beside": beside}

    def hidden_in(self, arrays: dict[str, Table]) -> Fields:
        return cards_in(arrays["pile"].tobytes(), int(arrays["last"]))

    def in_order(self, view: Fields) -> Fields:
        view["regions"].sort()
        view["market"]["slid"].sort()  # the deck is compared too
        view["market"].get("pile", []).sort()
        for player in view["players"]:
            player["cities"].sort()
        return super().in_order(view)

    def scarce(self, state: Any, rng: np.random.Generator) -> Any:
        """The Step 3 card is near, fuel is short and all are rich: what comes late comes soon."""
        if self.tables.below or self.tables.waiting:
            return None  # these maps count on the cards below, or on those that wait
        pile = state.pile.copy()
        order = np.sort(pile[pile < UNDER])
        pile[(pile >= order[rng.integers(1, 10)]) & (pile < UNDER)] = ASIDE
        taken = rng.integers(state.stock + 1).astype(state.stock.dtype)
        _, _, ready = compiled(self.tables)
        changed = state.replace(
            pile=pile,
            stock=state.stock - taken,
            supply=state.supply + taken.reshape(-1, FUELS).sum(0, dtype=taken.dtype),
            money=np.full_like(state.money, rng.choice([80, 200, 600])),
        )
        return jax.device_get(ready(changed))

    def endings(self, s: BoardState) -> Iterator[str]:
        yield f"ends in step {s.step}"
        if s.phased_out:
            yield "phased out"


@lru_cache(maxsize=1024)
def cards_in(pile: bytes, last: int) -> Fields:
    """The deck, what set-up removed, and what lies beside it; asked again until a card moves."""
    found = {
        name: [card for card, at in zip(CARDS, pile, strict=True) if at == place]
        for name, place in {"aside": ASIDE, "beside": WAITING}.items()
    }
    return found | {"deck": deck_of(CARDS, np.frombuffer(pile, np.uint8), last)}
