"""The parts of learning that can be checked against examples made by hand."""

import json
import random
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import highvoltage as hv
from highvoltage import batch, bots, codec
from highvoltage.batch.reading import jit_fast
from highvoltage.batch.state import BID, BUILD, FUEL, NOMINATE, RUN, SCRAP
from highvoltage.bots.clerk.starts import area_of_view, network_cost
from highvoltage.bots.tycoon.network import forward, shapes
from highvoltage.bots.tycoon.policy import NumpyPolicy, load_policy
from highvoltage.engine.moves import Build
from highvoltage.views import known_view
from learn import curves, engineer, evaluate, hidden_money, train
from learn.checkpoints import load_about, load_resume, load_weights, save_resume, save_weights
from learn.distil import SHARP, Seen, Settings, Teacher
from learn.habits import Chosen, Habits, sharper, stacked, watch
from learn.lookahead import Found, Search, better, some_of, with_found
from learn.ppo import Decision, Effect, advantages, free, optimiser, seat_first
from learn.train import Turn, initial_weights
from spread import WIDE, some

CORPUS = Path(__file__).parents[1] / "corpus"
CLASSIC = codec.spec("classic")


def test_values_from_the_seat_to_move_are_rotated_to_seats_and_back() -> None:
    values = jnp.array([[0.1, 0.2, 0.3, 0.4]])
    seat = jnp.array([2])
    by_seat = seat_first(values, seat)
    assert by_seat.tolist() == jnp.array([[0.3, 0.4, 0.1, 0.2]]).tolist()
    assert seat_first(by_seat, seat, back=True).tolist() == values.tolist()


def test_advantages_follow_one_timeline_and_stop_where_a_game_ends() -> None:
    worth = jnp.array([[[0.5, 0.5]], [[0.6, 0.4]], [[0.5, 0.5]]])
    reward = jnp.array([[[0.0, 0.0]], [[1.0, 0.0]], [[0.0, 0.0]]])
    over = jnp.array([[False], [True], [False]])
    last = jnp.array([[0.7, 0.3]])
    gains = advantages(worth, Effect(reward, over, over), last, 0.5)
    # The last game has just begun: only the value it leads to counts.
    np.testing.assert_allclose(gains[2, 0], [0.2, -0.2], atol=1e-6)
    # The game that ended: the reward minus the expected value, nothing of what came later.
    np.testing.assert_allclose(gains[1, 0], [0.4, -0.4], atol=1e-6)
    np.testing.assert_allclose(gains[0, 0], [0.1 + 0.5 * 0.4, -0.1 - 0.5 * 0.4], atol=1e-6)


@pytest.mark.long
def test_learning_resumes_from_its_file_with_the_moments(tmp_path: Path) -> None:
    begun = jax.eval_shape(
        partial(initial_weights, [CLASSIC]), jax.random.key(0)
    )  # drawing weights would be slow
    rng = np.random.default_rng(0)
    weights = {name: rng.normal(size=each.shape).astype(each.dtype) for name, each in begun.items()}
    rule = optimiser()
    slopes = jax.tree.map(lambda array: np.full_like(array, 1e-3), weights)
    _, moments = jax.jit(lambda each: rule.update(each, rule.init(weights)))(slopes)
    save_resume(tmp_path / "classic.safetensors", weights, moments[1], {"rulebook": "classic"})
    assert (tmp_path / "classic.safetensors").stat().st_size < 12_000_000
    loaded, loaded_moments = load_resume(tmp_path / "classic.safetensors", moments[1])
    assert int(loaded_moments.count) == 1
    for name, array in weights.items():
        np.testing.assert_array_equal(loaded[name], array)
        np.testing.assert_allclose(loaded_moments.mu[name], moments[1].mu[name], rtol=2e-3)
        np.testing.assert_allclose(loaded_moments.nu[name], moments[1].nu[name], rtol=4e-3)


@pytest.mark.parametrize("rulebook", some("cardgame", of=["classic", "cardgame", "outpost"]))
def test_numpy_and_jax_run_the_same_network(rulebook: str) -> None:
    policy, spec = load_policy(rulebook), codec.spec(rulebook)
    assert policy is not None
    assert {name: array.shape for name, array in policy.weights.items()} == shapes(spec)
    game = hv.replay(CORPUS / f"{rulebook}-4-players.txt").after(60)
    observation = codec.observe(game.view(game.to_move))
    ours = forward(policy.weights, observation, spec)
    arrays = {name: jnp.asarray(part) for name, part in observation.items()}
    theirs = forward(policy.weights, arrays, spec, jnp)
    for mine, other in zip(ours, theirs, strict=True):
        np.testing.assert_allclose(mine, other, rtol=1e-3, atol=1e-3)


@pytest.mark.long
@pytest.mark.parametrize("board", WIDE)
def test_what_only_some_maps_have_is_read_beside_the_rest(board: str) -> None:
    """One set of weights for all maps; each part and head of this one has its say."""
    game = hv.new("classic", map=board, players=4, seed=1)
    spec, observation = codec.spec("classic", board), codec.observe(game.view(game.to_move))
    own = shapes(spec)
    assert {name: own[name] for name in shapes(CLASSIC)} == shapes(CLASSIC)
    rng = np.random.default_rng(0)
    weights = {name: rng.normal(size=shape, scale=0.1) for name, shape in own.items()}
    logits, chances = forward(weights, observation, spec)
    arrays = {name: jnp.asarray(part) for name, part in observation.items()}
    for mine, other in zip((logits, chances), forward(weights, arrays, spec, jnp), strict=True):
        np.testing.assert_allclose(mine, other, rtol=1e-3, atol=1e-3)
    assert len(logits) == spec.num_actions
    heads = {head.name: head for head in spec.heads}
    for name in sorted(spec.some_maps):
        if name in heads:
            assert logits[heads[name].first : heads[name].end].any(), name
        if name in observation and name != "starts":  # these are there once a network is
            other = observation | {name: 1 - observation[name]}
            assert not np.allclose(forward(weights, other, spec)[1], chances), name


def test_cities_that_are_not_there_may_be_left_out() -> None:
    policy = load_policy("classic")
    assert policy is not None
    observation = codec.observe(hv.replay(CORPUS / "classic-4-players.txt").after(60).view(0))
    there = int(observation["cities"][:, 0].sum())
    assert there < len(observation["cities"])
    fewer = observation | {"cities": observation["cities"][:there]}
    (logits, chances), (fewer_logits, fewer_chances) = (
        forward(policy.weights, one, CLASSIC) for one in (observation, fewer)
    )
    np.testing.assert_allclose(fewer_chances, chances, rtol=1e-5)
    head = next(head for head in codec.spec("classic").heads if head.name == "city")
    same = np.ones(len(logits), bool)
    same[head.first + there : head.end] = False
    np.testing.assert_allclose(fewer_logits[same], logits[same], rtol=1e-3, atol=1e-4)


def test_decisions_of_others_and_forced_moves_teach_nothing() -> None:
    none = jnp.zeros(3)
    mask = jnp.array([[True, True], [True, True], [True, False]])
    made = Decision({}, mask, none, none, none, none, jnp.array([2.0, 0.0, 1.0]))
    assert free(made).tolist() == [True, False, False]


def test_a_table_is_named_by_its_map_and_players() -> None:
    assert Turn.parse("germany:6") == Turn("germany", 6)
    assert Turn.parse(":2") == Turn(None, 2)
    assert Turn.parse("maps/my:map.json:3") == Turn("maps/my:map.json", 3)
    assert Turn.parse("usa:4:money:demolition") == Turn("usa", 4, ("demolition", "money"))
    with pytest.raises(ValueError, match="usa:4:draft"):
        Turn.parse("usa:4:draft")


def test_a_curve_is_drawn_in_multiples_of_par_whatever_the_options() -> None:
    assert curves.times_par({"germany with 2": 0.5, "usa with 4 demolition money": 0.5}) == 1.5


def test_other_weights_can_be_played_against(tmp_path: Path) -> None:
    """The seat plays with the file: with weights that are all zero it never wins."""
    shipped = load_policy("classic")
    assert shipped is not None
    nothing = {name: np.zeros_like(array) for name, array in shipped.weights.items()}
    taught = '{"players": [2], "rules": []}'
    save_weights(tmp_path / "none.safetensors", nothing, {"taught": taught, "codec": "1"})
    given = ["classic", "--players", "2", "--games", "1", "--seed", "against"]
    args = evaluate.read_arguments([*given, "--against", str(tmp_path / "none.safetensors")])
    assert [*evaluate.shares(args)] == [1.0]
    args = evaluate.read_arguments([*given, "--weights", str(tmp_path / "none.safetensors")])
    assert [*evaluate.shares(args)] == [0.0]


def watched_engineer(policy: NumpyPolicy) -> Chosen:
    """Forty decisions of one, with what it could have done."""
    game = hv.new("classic", players=3, seed="habits")
    others = [bots.make("engineer", seat) for seat in range(3)]
    samples = [*islice(watch(game, policy, random.Random(1), others), 40)]
    assert {spec.num_actions for spec, _ in samples} == {CLASSIC.num_actions}
    return stacked([one for _, one in samples])


def test_a_bot_is_watched_at_what_it_may_do() -> None:
    policy = load_policy("classic")
    assert policy is not None
    chosen = watched_engineer(policy)
    assert chosen.mask[np.arange(40), chosen.action].all()
    assert len({*chosen.action.tolist()}) > 10


@pytest.mark.long
def test_a_bot_is_imitated_from_its_games(tmp_path: Path) -> None:
    policy = load_policy("classic")
    assert policy is not None
    chosen = watched_engineer(policy)
    habits = Habits(policy.weights, 12)
    before, _ = habits.missed(habits.weights, chosen, CLASSIC)
    for _ in range(12):
        habits.learn(chosen, CLASSIC)
    after, right = habits.missed(habits.weights, chosen, CLASSIC)
    assert after < before / 2
    assert right > 0.5
    save_weights(tmp_path / "habits.safetensors", habits.weights, {"habits": "engineer"})
    again = load_weights(tmp_path / "habits.safetensors")
    sure, _ = habits.missed(sharper(again, 4), chosen, CLASSIC)
    assert sure != after


@pytest.mark.long
@pytest.mark.parametrize(
    ("rulebook", "board"),
    [("recharged", "germany"), *[("classic", board) for board in ("korea", "india", "europe")]],
)
def test_the_batched_engineer_chooses_as_the_engineer(rulebook: str, board: str) -> None:
    env = batch.make(rulebook, map=board, players=3)
    twin = jit_fast(partial(engineer.choice, env.tables))
    game = hv.new(rulebook, map=board, players=3, seed="batched")
    engineers = [bots.make("engineer", seat) for seat in range(3)]
    met = dict.fromkeys((NOMINATE, BID, SCRAP, FUEL, BUILD, RUN), 0)
    while game.to_move is not None:
        seat, legal = game.to_move, game.legal_moves
        move = bots.ask(engineers[seat], game).move
        if len(legal) > 1 and len(game.log) % 2:
            view = game.view(seat)
            code = codec.of(view)
            state = env.from_view(view, jax.random.key(0))
            found = code.move(view, int(twin(state)))
            met[int(state.mode)] += 1
            if view["phase"] == "building" and not view["players"][seat]["cities"]:
                # Of starts that are as good as each other both draw one.
                seen = known_view(view)
                assert seen is not None
                assert seen["family"] == "board"
                area = area_of_view(seen, view["houses"])
                assert area is not None
                assert isinstance(found, Build)
                assert isinstance(move, Build)
                costs = [network_cost(area, each.city, view["houses"]) for each in (found, move)]
                assert costs[0] == costs[1]
            else:
                assert found == move, f"{view['phase']} of round {view['round']}"
        game.play(move)
    assert all(met.values())


@pytest.mark.long
def test_a_piece_keeps_what_earlier_pieces_were_taught(tmp_path: Path) -> None:
    weights = {name: np.zeros(shape, np.float32) for name, shape in shapes(CLASSIC).items()}
    adam = jax.eval_shape(optimiser().init, weights)[1]
    adam = jax.tree.map(lambda each: np.zeros(each.shape, each.dtype), adam)
    about = {"rulebook": "classic", "taught": '{"players": [2, 6], "rules": ["refill"]}'}
    save_resume(tmp_path / "before.safetensors", weights, adam, about)
    given = ["classic", "--tables", "germany:4:money", "--games", "8", "--out", str(tmp_path)]
    args = train.read_arguments([*given, "--resume", str(tmp_path / "before.safetensors")])
    train.Training(args).save_checkpoint()
    for name in ("classic.safetensors", "tycoon-classic.safetensors"):
        taught = json.loads(load_about(tmp_path / name)["taught"])
        assert taught == {"players": [2, 4, 6], "rules": ["refill"], "options": ["money"]}


@pytest.mark.long
def test_what_is_found_takes_the_place_of_the_likeliest_moves() -> None:
    doubt = jnp.array([False, True, False, True, True])
    at, wanted = some_of(doubt, 4, jax.random.key(0))
    assert sorted(at[wanted].tolist()) == [1, 3, 4]
    none = jnp.zeros((4, 2))
    found = Found(at + 10, none, none, none, at != 3)
    action, served = with_found(jnp.zeros(5, int), at, wanted, found)
    assert action.tolist() == [0, 11, 0, 0, 14]  # of the fourth not all moves were tried
    assert served.tolist() == [False, True, False, False, True]


@pytest.mark.long
def test_no_game_waits_for_ever() -> None:
    served = {
        int(at)
        for seed in range(40)
        for at in some_of(jnp.ones(6, bool), 2, jax.random.key(seed))[0]
    }
    assert served == {*range(6)}


def test_only_a_move_that_is_better_beyond_chance_is_preferred() -> None:
    gains = jnp.array([[[0.0, 0.0], [0.3, 0.3]], [[0.0, 0.0], [0.6, -0.5]]])
    assert better(gains, jnp.ones((2, 2), bool)).tolist() == [1, 0]
    assert better(gains, jnp.array([[True, False]] * 2)).tolist() == [0, 0]


@pytest.mark.long
def test_a_network_learns_what_was_found_and_keeps_what_was_clear() -> None:
    policy = load_policy("cardgame")
    assert policy is not None
    begun = jax.tree.map(jnp.asarray, policy.weights)
    teacher = Teacher(batch.make("cardgame", players=3), Settings(games=4, room=2))
    game = hv.new("cardgame", players=3, seed="found")
    rows = list[tuple[dict[str, Any], Any]]()
    clerks = [bots.make("clerk", seat) for seat in range(3)]
    while len(rows) < 16 and game.to_move is not None:
        legal, view = game.legal_moves, game.view(game.to_move)
        if len(legal) > 2:
            rows.append((codec.observe(view), codec.of(view).mask(view, legal)))
        game.play(bots.ask(clerks[game.to_move], game).move)
    observation = {name: jnp.stack([row[name] for row, _ in rows]) for name in rows[0][0]}
    mask = jnp.stack([row for _, row in rows])
    searched = jnp.arange(16) < 8
    gains = jnp.where(searched[:, None], jnp.array([-0.1, 0.1]), 0)
    none, worth = jnp.zeros((16, 2), int), jnp.full((16, 3), 1 / 3)
    seen = Seen(observation, mask, searched, ~searched, none[:, 0], none, gains, worth)
    tried = jax.lax.top_k(teacher.judge(begun, seen)[0], 2)[1]
    seen = seen._replace(tried=tried, move=tried[:, 1])
    moments = optimiser().init(begun)
    some = jax.tree.map(lambda each: jnp.stack([each] * 80), seen)
    weights, _, _ = teacher.learn(begun, moments, begun, some, jnp.asarray(3e-4))
    (before, _), (after, worth) = (teacher.judge(each, seen) for each in (begun, weights))
    likelier = jnp.take_along_axis(after - before, tried, 1)
    raised = (likelier[:, 1] - likelier[:, 0])[:8]
    np.testing.assert_allclose(raised, SHARP * 0.2, atol=4)
    assert (before.argmax(1) == after.argmax(1))[8:].all()
    assert float(jnp.abs(worth[:8] - 1 / 3).max()) < 0.15


@pytest.mark.long
def test_a_search_finds_a_legal_move_and_the_chances_after_it() -> None:
    policy = load_policy("cardgame")
    assert policy is not None
    lookahead = Search(batch.make("cardgame", players=2), worlds=2)
    wants = jnp.array([True, True, False])

    def searched(key: jax.Array) -> tuple[jax.Array, jax.Array, Found]:
        games = jax.vmap(lookahead.env.init)(jax.random.split(key, 3))
        logits, _ = lookahead.think(policy.weights, games)
        level = jnp.where(games.legal_action_mask, 0.0, logits)  # every move deserves a try
        found = lookahead.search(policy.weights, games, level, wants, key, 3)
        return games.legal_action_mask, level, found

    mask, level, found = jit_fast(searched)(jax.random.key(2))
    assert mask[jnp.arange(3), found.move].all()
    assert found.move[2] == level[2].argmax()
    assert bool(found.complete[2])
    there = found.complete & wants
    assert there.any()
    np.testing.assert_allclose(found.worth[there].sum(1), 1, rtol=1e-3)
    # Every move deserved a try: beside what the network would do, gains and losses are in balance.
    np.testing.assert_allclose(found.gains[there].sum(1), 0, atol=1e-5)
    assert float(jnp.abs(found.gains[there]).max()) > 0


# Hidden money


def test_the_view_with_open_money_is_that_of_the_same_game_with_open_money() -> None:
    for rulebook in ("cardgame", "outpost"):
        hides = hv.new(rulebook, players=3, seed="open", money="hidden")
        shows = hv.new(rulebook, players=3, seed="open")
        number = 0
        while (seat := hides.to_move) == shows.to_move:  # with hidden money more are asked
            assert seat is not None
            opened = hidden_money.with_open_money(hides.view(seat), hides)
            shown = codec.observe(shows.view(seat))
            for name, part in codec.observe(opened).items():
                np.testing.assert_array_equal(part, shown[name])
            move = bots.ask(bots.make("clerk", number), hides).move
            hides.play(move)
            shows.play(move)
            number += 1
        assert number > 20


def test_what_unknown_money_adds_is_added_for_each_stranger_whose_money_is_hidden() -> None:
    spec = codec.spec("cardgame", players=3)
    before = load_weights(train.HERE / "cardgame.safetensors")
    unknown = np.random.default_rng(1).normal(size=(5, before["layer0.w"].shape[1]))
    after = hidden_money.with_unknown(before, unknown, spec)
    change = np.asarray(after["layer0.w"]) - before["layer0.w"]
    for money, added in (("open", 0 * unknown[0]), ("hidden", unknown[:2].sum(0))):
        game = hv.new("cardgame", players=3, seed=1, money=money)
        seen = np.concatenate([part.ravel() for part in codec.observe(game.view(0)).values()])
        np.testing.assert_allclose(seen @ change, added, atol=1e-5)
    assert set(after) == set(before)


@pytest.mark.long
def test_a_network_that_never_played_with_hidden_money_begins_to_learn_it(
    tmp_path: Path,
) -> None:
    untaught = train.HERE / "exploiters" / "outpost.safetensors"
    begun, file = load_weights(untaught), tmp_path / "begun.safetensors"
    save_resume(file, begun, optimiser().init(begun)[1], load_about(untaught))
    where = ["--minutes", "0.5", "--resume", str(file), "--out", str(tmp_path)]
    hidden_money.main(["outpost", *where])
    learned = NumpyPolicy((tmp_path / "tycoon-outpost.safetensors").read_bytes())
    assert learned.taught.options == ["money"]
    assert set(load_weights(tmp_path / "outpost.safetensors")) == set(begun)
    before = NumpyPolicy(untaught.read_bytes())
    assert too_sure(learned, "outpost") < too_sure(before, "outpost")


@pytest.mark.parametrize("rulebook", ["cardgame", "outpost"])
def test_the_shipped_networks_expect_as_much_with_hidden_money_as_with_open(rulebook: str) -> None:
    policy = load_policy(rulebook)
    assert policy is not None
    assert abs(too_sure(policy, rulebook)) < 0.08


def too_sure(policy: NumpyPolicy, rulebook: str) -> float:
    """How much more it expects for itself than it does when it sees all money, on average."""
    found = []
    for deal in range(4):
        game = hv.new(rulebook, players=4, seed=f"sure{deal}", money="hidden")
        for number in range(40):
            view, legal = game.view(game.to_move), game.legal_moves
            opened = hidden_money.with_open_money(view, game)
            hidden, seen = (policy.evaluate(each, legal).win_chances for each in (view, opened))
            found.append(hidden[view["seat"]] - seen[view["seat"]])
            game.play(bots.ask(bots.make("engineer", number), game).move)
            if game.to_move is None:
                break
    return float(np.mean(found))
