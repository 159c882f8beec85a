"""The self-taught player; where it was not trained it plays as the engineer."""

import subprocess
import sys
from importlib import resources
from itertools import combinations, islice
from random import Random
from typing import Any

import pytest

import highvoltage as hv
from highvoltage import bots, words
from highvoltage.bots.director import Budget, Deadline, Playout
from highvoltage.bots.engineer import Engineer
from highvoltage.bots.tycoon import Tycoon, network, policy
from highvoltage.bots.tycoon.choosing import policy_of_game
from highvoltage.bots.tycoon.evaluation import NETWORKS, SETUP_PHASES, Candidate, Evaluation
from highvoltage.bots.tycoon.policy import load_policy
from highvoltage.bots.tycoon.search import Search, Trial, look_ahead, unlike_seats
from highvoltage.engine.moves import Done, Nominate, Pass
from highvoltage.games.cardgame.cards import shipped
from outpost.files import with_numbers
from spread import some


def middle(moves: int, **options: Any) -> hv.Game:
    """A game between clerks, some rounds in."""
    game = hv.new("classic", map="germany", seed="middle", **{"players": 4, **options})
    clerks = [bots.make("clerk", seat) for seat in range(len(game.names))]
    for _ in range(moves):
        assert game.to_move is not None
        game.play(bots.ask(clerks[game.to_move], game).move)
    return game


def test_it_plays_by_its_network() -> None:
    game = middle(40)
    seat = game.to_move
    while len(game.legal_moves) == 1 or seat is None:
        game.play(game.legal_moves[0])
        seat = game.to_move
    choice = Tycoon(Random(1)).choose(game.view(seat), game.legal_moves)
    assert choice.move in game.legal_moves
    assert choice.why.code in {"tycoon", "tycoon_sure"}


def test_its_network_takes_one_thread_whatever_the_program_allows(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def threads() -> list[int]:
        return [library["num_threads"] for library in policy.blas().info()]

    taken: list[int] = []

    def counting_forward(*args: Any) -> Any:
        taken.extend(threads())
        return forward(*args)

    forward = network.forward
    monkeypatch.setattr(policy, "forward", counting_forward)
    game = middle(0)
    with policy.blas().limit(limits=2):
        before = threads()
        Tycoon(Random(1)).choose(game.view(game.to_move), game.legal_moves)
        assert threads() == before
    assert set(taken) == {1}


@pytest.mark.parametrize(
    ("rulebook", "map_", "players"),
    [
        ("classic", "germany", 2),
        ("classic", "central_europe", 3),
        ("recharged", "usa", 2),
        ("recharged", "germany", 4),
        ("classic", "usa", 5),
        ("recharged", "italy", 6),
        ("recharged", "northern_europe", 4),
        ("cardgame", None, 2),
        ("cardgame", None, 5),
        ("outpost", None, 2),
        ("outpost", None, 6),
    ],
)
def test_it_was_trained_on_all_games_with_every_number_of_players(
    rulebook: str, map_: str | None, players: int
) -> None:
    game = hv.new(rulebook, map=map_, players=players, seed=3)
    tycoon = Tycoon(Random(1))
    codes = set()
    while game.state.round == 1:
        playing = game.phase not in SETUP_PHASES
        choice = bots.ask(tycoon, game)
        codes |= {choice.why.code} if playing else set()
        game.play(choice.move)
    assert codes & {"tycoon", "tycoon_sure"}
    assert codes <= {"tycoon", "tycoon_sure", "forced"}


def test_the_chances_of_all_seats_add_up() -> None:
    game = middle(60)
    assert game.to_move is not None
    policy = load_policy("classic")
    assert policy is not None
    evaluation = policy.evaluate(game.view(game.to_move), game.legal_moves)
    assert len(evaluation.win_chances) == 4
    assert sum(evaluation.win_chances) == pytest.approx(1)


def test_with_a_budget_it_looks_ahead_and_names_the_next_best() -> None:
    game = hv.new("classic", players=4, seed=6)
    plain = bots.make("tycoon", 1)
    while int((seen := bots.ask(plain, game)).why.values.get("share", 100)) > 80:
        game.play(seen.move)
    seat = game.to_move
    view, legal = game.view(seat, history=True), game.legal_moves
    choice = bots.make("tycoon:12", 1).choose(view, legal)
    again = bots.make("tycoon:12", 1).choose(view, legal)
    assert choice == again
    assert choice.move in legal
    assert choice.why.code == "tycoon_ahead"
    assert game.parse(str(choice.why.values["second"])) in legal
    assert choice.why.values["second"] != str(choice.move)
    assert game.view(seat, history=True) == view


@pytest.mark.long
@pytest.mark.parametrize(
    "rulebook", some("cardgame", of=["classic", "recharged", "cardgame", "outpost"])
)
def test_identical_worlds_are_evaluated_once(rulebook: str) -> None:
    game = hv.new(rulebook, players=4, seed=6)
    tycoon = Tycoon(Random(1))
    while game.state.round == 1:
        game.play(bots.ask(tycoon, game).move)
    policy = load_policy(rulebook)
    assert policy is not None
    search = Search(policy, game.view(game.to_move, history=True), Random(1))
    worlds = [*islice(search.worlds, 40)]
    shared = set[bool]()
    for _ in range(15):
        evaluations = search.evaluate(worlds)
        seen = [world.view(world.to_move, history=True) for world in worlds]
        for (one, mine), (other, theirs) in combinations(zip(evaluations, seen, strict=True), 2):
            assert (one is other) == (mine == theirs)
            shared.add(one is other)
        for world, view, evaluation in zip(worlds, seen, evaluations, strict=True):
            alone = policy.evaluate(view, world.legal_moves, 1)
            assert evaluation.candidates[0].move == alone.candidates[0].move
            assert evaluation.win_chances == pytest.approx(alone.win_chances, abs=1e-5)
            world.play(evaluation.candidates[0].move)
    assert shared == {True, False}


@pytest.mark.parametrize(
    "rulebook", some("classic", of=["classic", "recharged", "cardgame", "outpost"])
)
def test_it_recognises_other_tycoons_by_their_choices(rulebook: str) -> None:
    game = hv.new(rulebook, players=4, seed=6)
    policy = load_policy(rulebook)
    assert policy is not None
    assert unlike_seats(policy, game, 1) == {0, 2, 3}
    view = game.view(game.to_move, history=True)
    search = Search(policy, view, Random(1))
    search.best(policy.evaluate(view, game.legal_moves).candidates, Budget(playouts=3))
    assert search.strangers == {*range(4)} - {game.to_move}
    seats = [bots.make(bot, 1) for bot in ("engineer", "tycoon", "clerk", "tycoon")]
    while game.state.round < 5:
        assert game.to_move is not None
        game.play(bots.ask(seats[game.to_move], game).move)
    assert unlike_seats(policy, game, 1) == {0, 2}


def test_unknown_players_are_engineers_in_every_second_world() -> None:
    game = hv.new("classic", players=4, seed=6)
    tycoon = Tycoon(Random(1))
    while game.state.round == 1:
        game.play(bots.ask(tycoon, game).move)
    me, policy = game.to_move, load_policy("classic")
    assert policy is not None
    search = Search(policy, game.view(me, history=True), Random(1))
    search.strangers = {*range(4)} - {me}
    assert [next(search.with_engineers) for _ in range(4)] == [True, False, True, False]
    game.play(bots.ask(tycoon, game).move)
    with_engineers, without, expected = game.copy(), game.copy(), game.copy()
    others = Playout(expected, Engineer(Random(2)))
    while (seat := expected.to_move) not in (None, me):
        expected.play(others.move(seat))
    engineers = Playout(with_engineers, Engineer(Random(2)))
    search.play_on(
        [Trial(with_engineers, engineers), Trial(without, None)], Deadline(Budget(playouts=2))
    )
    seen = len(expected.log)
    assert with_engineers.log[:seen] == expected.log != without.log[:seen]


def test_a_move_is_better_if_it_does_better_in_the_same_worlds() -> None:
    policy = load_policy("classic")
    assert policy is not None
    search = Search(policy, hv.new("classic", players=4, seed=6).view(0, history=True), Random(1))
    one, two, lucky = Pass(), Done(), Nominate(3, 3)
    search.chances = {one: [0.5, 0.6, 0.5, 0.6], two: [0.6, 0.7, 0.6, 0.7], lucky: [0.9, 0.3]}
    assert search.better(two, one)
    assert not search.better(one, two)
    assert not search.better(lucky, one)  # 0.4 more, and 0.3 less
    assert not search.better(one, one)


@pytest.mark.parametrize(("first", "searched"), [(0.99, False), (0.6, True)])
def test_a_choice_that_is_clear_is_not_searched(first: float, searched: bool) -> None:
    game, policy = hv.new("classic", players=2, seed=6), load_policy("classic")
    assert policy is not None
    chances = (first, 1 - first)
    candidates = [*map(Candidate, game.legal_moves.choices[:2], chances)]
    view, seen = game.view(game.to_move, history=True), Evaluation(candidates, [0.5, 0.5])
    found = look_ahead(policy, view, seen, Budget(playouts=4), Random(1))
    assert (found is not None) == searched


def test_it_beats_random_players() -> None:
    for deal in range(4):
        game = hv.new("classic", players=4, seed=f"lots{deal}")
        seats = [bots.make("tycoon" if seat == deal else "random", seat) for seat in range(4)]
        bots.play_game(game, seats)
        assert game.outcome is not None
        assert game.outcome.winners == (deal,)


@pytest.mark.parametrize(
    ("rulebook", "options"),
    [
        ("classic", {"map": "north_america", "variants": ["deluxe"]}),
        ("recharged", {"map": "europe", "variants": ["deluxe"]}),
        ("cardgame", {"cards": shipped().data()}),
        ("outpost", {"cards": with_numbers({"plant-15-1": 37})}),
    ],
)
def test_where_it_was_not_trained_it_plays_as_the_engineer_and_says_so(
    rulebook: str, options: dict[str, Any]
) -> None:
    game = hv.new(rulebook, seed=3, **{"players": 4, **options})
    view, legal = game.view(game.to_move), game.legal_moves
    choice, advised = Tycoon(Random(1)).choose(view, legal), Engineer(Random(1)).choose(view, legal)
    assert choice.move == advised.move
    assert str(choice.why) == f"{words.say('hint_untaught')} {advised.why}"


def test_every_network_that_it_knows_is_there_and_no_other() -> None:
    weights = resources.files("highvoltage.bots.tycoon") / "weights"
    found = sorted(file.name.partition(".")[0] for file in weights.iterdir())
    assert found == sorted(name for names in NETWORKS.values() for name in names)


@pytest.mark.parametrize(
    ("rulebook", "options", "network"),
    [
        ("classic", {"map": "germany"}, "classic"),
        ("classic", {"map": "france"}, "classic"),
        ("classic", {"map": "korea"}, "classic-boards"),
        ("cardgame", {"demolition": True}, "cardgame"),
    ],
)
def test_the_first_network_that_knows_such_games_plays_there(
    rulebook: str, options: dict[str, Any], network: str
) -> None:
    view = hv.new(rulebook, players=4, seed=1, **options).view(0)
    assert policy_of_game(view) is load_policy(network)


@pytest.mark.parametrize("module", ["numpy", "threadpoolctl"])
def test_without_the_extra_it_plays_as_the_engineer_and_says_so(module: str) -> None:
    code = f"""
import sys
sys.modules[{module!r}] = None
import highvoltage as hv
from highvoltage import bots
game = hv.new("cardgame", players=3, seed=1)
choice, advised = (bots.ask(bots.make(name, 1), game) for name in ("tycoon", "engineer"))
print(choice.move == advised.move, str(choice.why) == sys.argv[1] + " " + str(advised.why))
"""
    said = words.say("hint_no_network")
    found = subprocess.check_output([sys.executable, "-c", code, said], text=True)
    assert found == "True True\n"


def test_it_needs_nothing_but_numpy() -> None:
    code = """
import sys
import highvoltage as hv
from highvoltage import bots
game = hv.new("classic", seed=1)
bots.ask(bots.make("tycoon", 1), game)
assert not {"jax", "optax", "safetensors", "torch"} & set(sys.modules)
"""
    subprocess.run([sys.executable, "-c", code], check=True)
