"""What is drawn at set-up has the same law as in the engine: chi-square on every part of it."""

from collections import Counter
from typing import Any

import jax
import pytest

import highvoltage as hv
from highvoltage.batch.lockstep import Checker, HostStates, arrays_of, flatten
from highvoltage.testing import Setting
from twins import p_value

GAMES = 1500
UNLIKELY = 1e-5  # a hundred parts are compared; the draws are always the same
CARDS = 6  # of the deck, from its top

SETTINGS = {
    "classic": Setting("classic", "germany", 4),
    "recharged": Setting("recharged", "usa", 3),
    "cardgame": Setting("cardgame", players=4),
    "outpost": Setting("outpost", players=3),
}
DRAWN = {  # what must have come out in more than one way
    "classic": {"order 0", "area 0", "deck 1", "removed"},
    "recharged": {"order 0", "area 0", "market 0", "deck 0", "deck 3", "removed"},
    "cardgame": {"order 0", "market 0", "deck 0", "deck 3", "removed", "columns 3", "pile 0"},
    "outpost": {"order 0", "market 0", "deck 0", "deck 3", "removed"},
}


class Draws(dict[str, Counter[Any]]):
    """How often each part of a position came out in each way."""

    def add(self, fields: dict[str, Any], hidden: dict[str, list[Any]]) -> None:
        for name, value in fields.items():
            for at, part in enumerate(flatten(value)):
                self.setdefault(f"{name} {at}", Counter())[part] += 1
        for name in hidden.keys() - {"aside"}:
            for at, card in enumerate(hidden[name][:CARDS]):
                self.setdefault(f"{name} {at}", Counter())[card] += 1
        self.setdefault("removed", Counter()).update(hidden["aside"])


def engine_draws(checker: Checker) -> Draws:
    setting, draws = checker.setting, Draws()
    for seed in range(GAMES):
        game = hv.new(setting.rulebook, map=setting.map, players=setting.players, seed=seed)
        state: Any = game.state
        draws.add(checker.comparison.fields(state), checker.comparison.hidden(state))
    return draws


def twin_draws(checker: Checker, names: set[str]) -> Draws:
    draws = Draws()
    keys = jax.random.split(jax.random.key(11), GAMES)
    states = jax.device_get(checker.start(checker.draw_chance(keys)))
    lists, arrays = HostStates(states).lists, arrays_of(states)
    for at in range(GAMES):
        hidden = checker.comparison.hidden_in({n: array[at] for n, array in arrays.items()})
        draws.add({name: lists[name][at] for name in names}, hidden)
    return draws


@pytest.mark.long
@pytest.mark.parametrize("rulebook", SETTINGS)
def test_what_is_drawn_has_the_law_of_the_engine(rulebook: str) -> None:
    checker = Checker(SETTINGS[rulebook])
    theirs = engine_draws(checker)
    names = {part.rsplit(" ", 1)[0] for part in theirs} - {"deck", "pile", "removed"}
    ours = twin_draws(checker, names)
    assert ours.keys() == theirs.keys()
    varied = set()
    for part, expected in theirs.items():
        ways = sorted({*expected, *ours[part]})
        if len(ways) == 1:
            continue
        varied.add(part)
        counts = [[found[way] for way in ways] for found in (expected, ours[part])]
        assert p_value(counts) > UNLIKELY, part
    assert varied >= DRAWN[rulebook]
