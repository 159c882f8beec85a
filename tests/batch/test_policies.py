"""What the policies choose that play the games of a check."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from highvoltage import batch, codec
from highvoltage.batch.codes import code_of, number_of
from highvoltage.batch.policies import CardPolicy, OutpostPolicy, Policy
from highvoltage.engine.errors import OptionError


def playing(kind: type[Policy], name: str, rulebook: str) -> tuple[Any, Any]:
    """A policy, and where the kinds of its actions begin."""
    spec = codec.spec(rulebook, None if rulebook != "classic" else "germany", 3)
    heads = {head.name: head for head in spec.heads}
    env: Any = SimpleNamespace(num_actions=spec.num_actions, tables=SimpleNamespace(heads=heads))
    return kind(name, env, codec.make(rulebook, players=3)), heads


def among(env: Any, *legal: int) -> Any:
    mask = np.zeros(env.num_actions, bool)
    mask[list(legal)] = True
    return mask


@pytest.mark.parametrize(
    ("name", "shares"), [("even", (1 / 3,) * 3), ("idler", (30 / 32, 1 / 32, 1 / 32))]
)
def test_most_policies_draw_by_their_weights(name: str, shares: tuple[float, ...]) -> None:
    """Also which plants run; only steady and thrifty companies run what pays best."""
    policy, heads = playing(Policy, name, "classic")
    choices = [0, heads["run"].first, heads["run"].first + 1]
    legal, rng = among(policy.env, *choices), np.random.default_rng(1)
    drawn = [policy.choose(rng, {}, legal) for _ in range(3_000)]
    assert {*drawn} == {*choices}
    for choice, share in zip(choices, shares, strict=True):
        assert drawn.count(choice) / 3_000 == pytest.approx(share, abs=0.04)


@pytest.mark.parametrize(("ready", "buys"), [(1, True), (2, False)])
def test_a_thrifty_company_buys_fuel_until_every_plant_is_ready(ready: int, buys: bool) -> None:
    policy, heads = playing(CardPolicy, "thrifty", "cardgame")
    me = {"plants": [{}, {}], "ready": ["3", "4"][:ready]}
    view = {"phase": "fuel", "seat": 0, "players": [me]}
    buy = heads["buy"].first
    legal, rng = among(policy.env, 0, buy), np.random.default_rng(1)
    drawn = [policy.thrifty(rng, view, legal) for _ in range(200)]
    assert (drawn.count(buy) > 100) == buys
    assert drawn.count(buy) > 100 or drawn.count(0) > 190


@pytest.mark.parametrize("phase", ["auction", "company", "bureaucracy"])
def test_a_thrifty_company_of_outpost_ends_where_there_is_nothing_to_gain(phase: str) -> None:
    policy, heads = playing(OutpostPolicy, "thrifty", "outpost")
    legal = among(policy.env, 0, 1, heads["bid"].first)
    legal[1] = phase != "auction"  # the cheapest card
    drawn = [policy.thrifty(np.random.default_rng(n), {"phase": phase}, legal) for n in range(100)]
    assert drawn.count(0) > 95


def test_a_card_beyond_the_codes_is_refused() -> None:
    assert number_of(code_of(127)) == 127
    with pytest.raises(OptionError, match="Plant 128 does not fit"):
        code_of(128)


@pytest.mark.parametrize(
    ("rulebook", "options"),
    [
        ("outpost", {"money": "hidden"}),
        ("outpost", {"syndicate_takes": "nomination"}),
        ("cardgame", {"money": "hidden"}),
    ],
)
def test_options_that_are_covered_are_taken(rulebook: str, options: dict[str, Any]) -> None:
    env = batch.make(rulebook, players=2, **options)
    changed = {each.name for each in env.tables.rules.ruleset.options if each.changed}
    assert changed == {*options}
