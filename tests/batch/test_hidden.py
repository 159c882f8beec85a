"""What nobody can know is drawn anew, uniformly among all that fits what has been seen."""

from collections import Counter
from collections.abc import Iterator
from itertools import islice, product
from random import Random
from typing import Any

import jax
import numpy as np
import pytest

import highvoltage as hv
from highvoltage import batch
from highvoltage.batch.lockstep import Checker, LockstepGame, arrays_of, row_of
from highvoltage.batch.policies import POLICIES
from highvoltage.batch.reading import jit_fast
from highvoltage.engine.errors import OptionError
from highvoltage.testing import Setting
from twins import p_value

HIDDEN = ("pile", "shuffle", "places", "seed")
WORLDS, REPLAYED = 1024, 250
UNLIKELY = 1e-4  # the draws are always the same, so this is no risk taken with every run


def positions(checker: Checker, every: int) -> Iterator[tuple[LockstepGame, Any]]:
    """Some positions of a game, in the engine and in the twin."""
    keys = jax.random.split(jax.random.key(2), checker.batch)
    chance = jax.device_get(checker.draw_chance(keys))
    state = checker.start(chance)
    steady = POLICIES.index("steady")
    match = LockstepGame(checker, steady, row_of(chance, 0), np.random.default_rng(2))
    while match.game.to_move is not None:
        here = row_of(jax.device_get(state), 0)
        match.legal = here.legal_action_mask
        match.view = match.game.view(match.game.to_move)  # type: ignore[assignment]
        if len(match.game.log) % every == 0:
            yield match, here
        state = checker.step(state, np.full(checker.batch, match.play(), np.int32))


def hidden_cards(checker: Checker, worlds: Any) -> list[dict[str, list[Any]]]:
    """The deck, the cards removed at set-up and the pile of fuel of each world."""
    arrays = arrays_of(jax.device_get(worlds))
    rows = range(len(arrays["pile"]))
    return [
        checker.comparison.hidden_in({name: array[at] for name, array in arrays.items()})
        for at in rows
    ]


def cards_at(worlds: list[dict[str, list[Any]]], name: str, at: int) -> Counter[Any]:
    """How often each card lies in one place of a pile."""
    return Counter(world[name][at] for world in worlds if len(world[name]) > at)


def alike(ours: Counter[Any], theirs: Counter[Any]) -> bool:
    """Whether two counts may have the same law."""
    cards = sorted({*ours, *theirs})
    if len(cards) < 2:
        return set(ours) == set(theirs)
    return p_value([[count[card] for card in cards] for count in (ours, theirs)]) > UNLIKELY


@pytest.mark.long
def test_worlds_of_a_view_look_like_it(either: Checker) -> None:
    """And any card that may lie on top is equally often there."""
    env, seen = either.env, []
    for match, _ in positions(either, every=120):
        seat = match.game.to_move
        worlds = env.worlds(match.game.view(seat), jax.random.key(5), WORLDS)
        for name, array in arrays_of(jax.device_get(worlds)).items():
            assert name in HIDDEN or (array == array[0]).all(), name
        in_order = match.comparison.in_order
        for at in range(3):
            world = env.to_game(row_of(worlds, at))
            assert in_order(world.view(seat)) == in_order(match.game.view(seat))
        top = cards_at(hidden_cards(either, worlds), "deck", 0)
        assert len(top) < 2 or p_value([*top.values()]) > UNLIKELY
        seen.append(len(top))
    assert max(seen) > 3


@pytest.mark.long
def test_worlds_of_a_view_have_the_law_of_resampled_games(either: Checker) -> None:
    for match, _ in positions(either, every=80):
        if before_the_first_draw(match):
            continue
        seat = match.game.to_move
        ours = hidden_cards(
            either, either.env.worlds(match.game.view(seat), jax.random.key(6), WORLDS)
        )
        theirs = [match.comparison.hidden(world.state) for world in replayed(match)]
        for name, cards in theirs[0].items():
            assert {len(world[name]) for world in ours} == {len(cards)}
        for name in theirs[0].keys() - {"aside"}:
            for at in range(4):
                assert alike(cards_at(ours, name, at), cards_at(theirs, name, at))
        removed = [Counter(c for world in of for c in world["aside"]) for of in (ours, theirs)]
        assert alike(*removed)


@pytest.mark.long
@pytest.mark.parametrize(
    ("rulebook", "board"),
    [*product(("classic", "recharged"), ("russia", "middle_east", "manhattan"))],
)
def test_further_decks_drawn_anew_have_the_law_of_resampled_games(
    rulebook: str, board: str
) -> None:
    """A view does not say all that was seen of these decks, so positions are drawn anew."""
    checker = Checker(Setting(rulebook, board, 3), batch=2)
    redraw = jit_fast(jax.vmap(checker.env.redraw, (None, 0)))
    keys, several = jax.random.split(jax.random.key(6), WORLDS), 0
    for match, here in positions(checker, every=50):
        if before_the_first_draw(match):
            continue
        ours = hidden_cards(checker, redraw(here, keys))
        theirs = [match.comparison.hidden(world.state) for world in replayed(match)]
        for at in range(6):
            counts = cards_at(ours, "deck", at)
            assert alike(counts, cards_at(theirs, "deck", at)), (len(match.game.log), at)
            several += len(counts) > 2
        removed = [Counter(c for world in of for c in world["aside"]) for of in (ours, theirs)]
        assert alike(*removed)
    assert several > 10


def before_the_first_draw(match: LockstepGame) -> bool:
    """There the second card of the engine's worlds always has the back of the first."""
    return not any(row.turned for row in match.game.log)


def replayed(match: LockstepGame) -> Iterator[hv.Game]:
    """Worlds that the engine has resampled, from all that a seat has seen."""
    view = match.game.view(match.game.to_move, history=True)
    return islice(hv.worlds(view, Random(7)), REPLAYED)


def test_a_finished_game_is_not_drawn_anew(classic: Checker) -> None:
    _, here = next(positions(classic, every=1))
    over = here.replace(terminated=np.array(True))
    again = jit_fast(classic.env.redraw)(over, jax.random.key(1))
    assert all(jax.tree.leaves(jax.tree.map(np.array_equal, over, again)))


@pytest.mark.parametrize(
    ("name", "rule"),
    [("europe", "low_on_top"), ("uk_ireland", "below_step_3")],
)
def test_decks_that_lie_in_parts_are_refused_by_name(name: str, rule: str) -> None:
    env, key = batch.make("classic", map=name, players=3), jax.random.key(0)
    start = jax.eval_shape(env.init, key)
    with pytest.raises(OptionError, match=f"has the rule 'deck.{rule}': batched games cannot"):
        jax.eval_shape(env.redraw, start, key)


@pytest.mark.long
def test_a_step_with_a_key_turns_up_what_may_come(either: Checker) -> None:
    """Cards come as in the engine's worlds; without a key the next card is always the same."""
    env, turned = either.env, 0
    plain = jit_fast(env.step)
    step = jit_fast(jax.vmap(env.step, (None, None, 0)))
    keys = jax.random.split(jax.random.key(9), WORLDS)
    for match, here in positions(either, every=1):
        action = match.policy.choose(np.random.default_rng(0), match.view, match.legal)
        after_plain = plain(here, np.int32(action))
        if np.array_equal(after_plain.market, here.market) or before_the_first_draw(match):
            continue
        after = jax.device_get(step(here, np.int32(action), keys))
        rows = after.market.reshape(WORLDS, -1)
        _, first, counts = np.unique(rows, axis=0, return_index=True, return_counts=True)
        ours: Counter[Any] = Counter()
        for at, count in zip(first, counts, strict=True):
            ours[on_show(env.to_game(row_of(after, at)))] += int(count)
        theirs: Counter[Any] = Counter()
        for world in replayed(match):
            world.play(either.code.move(match.view, action))
            theirs[on_show(world)] += 1
        assert alike(ours, theirs)
        turned += len(ours) > 5
        if turned == 3:
            break
    assert turned == 3


def on_show(game: hv.Game) -> tuple[int, ...]:
    market: Any = game.state
    return tuple(market.market.cards)
