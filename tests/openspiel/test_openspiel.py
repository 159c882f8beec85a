"""Our games in OpenSpiel, by its own tests and by ours."""

import pickle
import subprocess
import sys
from random import Random
from typing import Any

import numpy as np
import pytest

import highvoltage as hv
from highvoltage import bots
from positions import market_of

pyspiel = pytest.importorskip(
    "pyspiel", reason="OpenSpiel has no wheel for this Python or this machine"
)

from open_spiel.python.algorithms import ismcts, mcts  # noqa: E402

from examples import spiel  # noqa: E402
from highvoltage import openspiel  # noqa: E402
from ours import RULEBOOKS  # noqa: E402

SHORT = [f"highvoltage_{name}(players=3,decisions=40,deals=3)" for name in RULEBOOKS]
WHOLE = [
    pytest.param(f"highvoltage_{name}(players={players})", marks=pytest.mark.long)
    for name in RULEBOOKS
    for players in range(2, 7)
]
OPTIONS = ["highvoltage_classic(players=2,map=korea,money=hidden,regions=draft,decisions=40)"]


def state_after(moves: int, text: str, deal: int = 1) -> openspiel.SpielState:
    state: openspiel.SpielState = pyspiel.load_game(text).new_initial_state()
    state.apply_action(deal)
    rng = Random(moves)
    for _ in range(moves):
        state.apply_action(rng.choice(state.legal_actions()))
    return state


@pytest.mark.parametrize("text", [*SHORT, *OPTIONS, "highvoltage_cardgame(players=2)", *WHOLE])
def test_random_sim_test_passes(text: str) -> None:
    pyspiel.random_sim_test(pyspiel.load_game(text), num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("text", [*SHORT, *WHOLE])
def test_its_simulation_in_python_passes(text: str) -> None:
    np.random.seed(1)  # noqa: NPY002  # it draws from there
    from open_spiel.python.tests import games_sim_test  # noqa: PLC0415

    games_sim_test.GamesSimTest().sim_game(pyspiel.load_game(text))


@pytest.mark.parametrize("text", SHORT)
def test_its_api_tests_pass(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from open_spiel.integration_tests import api_test  # noqa: PLC0415  # it loads all its games

    some = api_test.sample_some_states.sample_some_states
    monkeypatch.setattr(
        api_test.sample_some_states, "sample_some_states", lambda game, **_: some(game, 25)
    )
    game = pyspiel.load_game(text)
    case = type("Ours", (api_test.EnforceAPIOnPartialTreeBase,), {"game": game, "game_name": text})
    case.setUpClass()  # type: ignore[attr-defined]
    names = [name for name in dir(case) if name.startswith("test_")]
    assert len(names) > 4
    for name in names:
        getattr(case(name), name)()


def test_every_rulebook_is_registered() -> None:
    names = {f"highvoltage_{name}" for name in RULEBOOKS}
    types = {kind.short_name: kind for kind in pyspiel.registered_games()}
    assert names <= types.keys()
    for name in names:
        assert (types[name].min_num_players, types[name].max_num_players) == (2, 6)


def test_nothing_crashes_when_python_ends() -> None:
    ended = subprocess.run(
        [sys.executable, "-c", "import highvoltage.openspiel"], capture_output=True, check=False
    )
    assert (ended.returncode, ended.stderr) == (0, b"")


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_a_deal_is_the_game_of_that_seed(rulebook: str) -> None:
    state = state_after(0, f"highvoltage_{rulebook}(players=3)", deal=7)
    game = hv.new(rulebook, players=3, seed=7)
    assert state.dealt.game.view(0) == game.view(0)
    assert market_of(state.dealt.game).deck == market_of(game).deck


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_the_winner_has_the_whole_share(rulebook: str) -> None:
    state = state_after(0, f"highvoltage_{rulebook}(players=2)")
    rng = Random(1)
    while not state.is_terminal():
        assert state.returns() == [0, 0]
        state.apply_action(rng.choice(state.legal_actions()))
    outcome = state.dealt.game.outcome
    assert outcome is not None
    shares = [(seat in outcome.winners) / len(outcome.winners) for seat in range(2)]
    assert state.returns() == shares


def test_a_game_that_is_cut_off_is_shared_by_all() -> None:
    state = state_after(5, "highvoltage_classic(players=5,decisions=5)")
    assert state.is_terminal()
    assert state.returns() == [0.2] * 5
    assert state.legal_actions() == []


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_a_stored_state_has_the_same_unseen_cards(rulebook: str) -> None:
    state = state_after(30, f"highvoltage_{rulebook}(players=3)")
    sampled = openspiel.resampler(Random(3))(state, 0)
    for each in (state, sampled):
        each.apply_action(each.legal_actions()[0])
        game = pyspiel.load_game(f"highvoltage_{rulebook}(players=3)")
        stored = pyspiel.serialize_game_and_state(game, each)
        for back in (
            pyspiel.deserialize_game_and_state(stored)[1],
            pickle.loads(pickle.dumps(each)),
        ):
            assert str(back) == str(each)
            assert market_of(back.dealt.game).deck == market_of(each.dealt.game).deck


def test_a_damaged_state_is_refused() -> None:
    state = state_after(30, "highvoltage_cardgame(players=3)")
    record = state.dealt.game.record().json()
    assert str(openspiel.restored(record, 1, None).game.record()) == str(state)
    with pytest.raises(hv.RecordError):
        openspiel.restored(record, 2, None)


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_observations_are_the_codecs(rulebook: str) -> None:
    state = state_after(25, f"highvoltage_{rulebook}(players=3,money=hidden)")
    code = state.owner.code
    for seat in range(3):
        seen = code.observe(state.dealt.game.view(seat))
        flat = np.concatenate([part.ravel() for part in seen.values()])
        assert np.array_equal(state.observation_tensor(seat), flat)
        assert np.array_equal(state.information_state_tensor(seat), flat)
        assert state.information_state_string(seat) == f"seat {seat}\n{state.dealt.game.record()}"
    assert len({state.observation_string(seat) for seat in range(3)}) == 3


def test_the_same_sight_is_the_same_information() -> None:
    """What is unseen changes neither text nor numbers."""
    state = state_after(25, "highvoltage_classic(players=3,money=hidden)")
    other = openspiel.resampler(Random(3))(state, 1)
    assert market_of(state.dealt.game).deck != market_of(other.dealt.game).deck
    for read in ("observation_string", "information_state_string"):
        assert getattr(state, read)(1) == getattr(other, read)(1)
    assert state.observation_tensor(1) == other.observation_tensor(1)


def test_a_resampler_follows_the_position() -> None:
    state = state_after(25, "highvoltage_cardgame(players=3)")
    sample = openspiel.resampler(Random(3))
    decks = {tuple(market_of(sample(state, 1).dealt.game).deck) for _ in range(5)}
    assert len(decks) > 1
    for _ in range(5):
        state.apply_action(state.legal_actions()[-1])
        assert sample(state, 1).information_state_string(1) == state.information_state_string(1)


def choice_of_search(state: openspiel.SpielState) -> int:
    random = np.random.RandomState(5)
    evaluator = mcts.RandomRolloutEvaluator(1, random)
    bot = ismcts.ISMCTSBot(state.get_game(), evaluator, 1.0, 6, random_state=random)
    bot.set_resampler(openspiel.resampler(Random(5)))
    return int(bot.step(state))


def test_is_mcts_never_sees_the_true_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    """In two worlds that differ only in the deck it chooses the same."""
    state = state_after(12, "highvoltage_cardgame(players=2,decisions=60)")
    other = openspiel.resampler(Random(9))(state, state.current_player())
    assert market_of(state.dealt.game).deck != market_of(other.dealt.game).deck
    searched: list[Any] = []
    honest = mcts.RandomRolloutEvaluator.evaluate

    def note(self: Any, leaf: openspiel.SpielState) -> Any:
        searched.append([*market_of(leaf.dealt.game).deck])
        return honest(self, leaf)

    monkeypatch.setattr(mcts.RandomRolloutEvaluator, "evaluate", note)
    first = choice_of_search(state)
    decks, searched = searched, []
    assert choice_of_search(other) == first
    assert searched == decks


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("players=9", "is for 2 to 6 players, not 9"),
        ("map=atlantis", "there is no map of this name; take"),
        ("deals=0", "deals and decisions are at least 1"),
        ("regions=none", "Option 'regions' is 'random' or 'draft'"),
    ],
)
def test_what_cannot_be_played_is_refused(text: str, message: str) -> None:
    with pytest.raises(pyspiel.SpielError, match=message):
        pyspiel.load_game(f"highvoltage_classic({text})")


def test_before_the_deal_there_is_nothing_to_decide() -> None:
    state = pyspiel.load_game("highvoltage_classic").new_initial_state()
    assert not any(state.observation_tensor(0))
    with pytest.raises(pyspiel.SpielError, match="not dealt yet"):
        _ = state.dealt


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_our_bots_play(rulebook: str) -> None:
    """As in a game without OpenSpiel, except for bids between two steps of the code."""
    state = state_after(0, f"highvoltage_{rulebook}(players=2,decisions=30)")
    clerk, own = openspiel.SpielBot("clerk", seed=1), bots.make("clerk", seed=1)
    while not state.is_terminal():
        game = state.dealt.game
        move = bots.ask(own, game).move
        code, view = state.owner.code, state.dealt.view(state.current_player())
        action = clerk.step(state)
        assert action in state.legal_actions()
        assert action == code.index(view, move)
        state.apply_action(action)
    assert state.move_number() == 31


def test_the_example_searches_and_learns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spiel, "GAME", "highvoltage_cardgame(players=2,decisions=30)")
    monkeypatch.setattr(spiel, "SIMULATIONS", 2)
    monkeypatch.setattr(spiel, "TEST_GAMES", 1)
    assert spiel.search(1, seed=1) == 0.5  # cut off
    assert spiel.learn(1, seed=1) == (0.5, 0.5)


def test_the_learner_learns_from_the_share() -> None:
    agent = spiel.Auctioneer(pyspiel.load_game(spiel.GAME), games=1)
    state = state_after(0, spiel.GAME)
    action = agent.step(state, evaluate=False)
    assert state.action_to_string(action).split()[0] in {"nominate", "pass"}
    agent.end(1.0, evaluate=False)
    assert agent.learner._q_values["round 1, 0 plants"][action] == pytest.approx(0.1)
