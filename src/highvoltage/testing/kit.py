"""The checks, each for one game at one position, and the game that runs them all."""

import subprocess
import sys
from collections.abc import Iterable
from random import Random
from typing import Any

import msgspec

from highvoltage.engine.errors import HighVoltageError, IllegalMove
from highvoltage.engine.game import Game
from highvoltage.engine.legal import Moves
from highvoltage.engine.moves import Move
from highvoltage.engine.parts.mapform import Map
from highvoltage.engine.record import Record, read_record
from highvoltage.games import edition, game_of
from highvoltage.rules import ids, rule
from highvoltage.testing.settings import Setting
from highvoltage.testing.snapshot import differences, snapshot, uncopied
from highvoltage.testing.variants import MoveMutator

NOT_COPIED = "events"  # the events of the latest move are not copied
MAX_MOVES = 20_000  # moves; a longer game counts as endless


def random_move(legal: Moves, rng: Random) -> Move:
    """A random choice, mostly at its lowest price, so that random games resemble real ones."""
    return rng.choice(legal.choices if rng.random() < 0.9 else legal)


def check_game(setting: Setting, seed: int = 0, *, close: float = 0.05) -> Game:
    """Play a random game to its end, check everything, and return the game.

    Invariants are checked at every move, everything else at a share `close` of the positions,
    always including the first and the last. AssertionError says what is broken and where.

    >>> game = check_game(Setting("classic", "usa", 2), seed=1, close=0.01)
    >>> game.outcome is not None
    True
    """
    rng = Random(f"{setting}/{seed}")
    game = setting.new(seed)
    others = MoveMutator(game.rules.moves, rng)
    invariants = edition(setting.rulebook).invariants
    try:
        invariants(None, None, game.state)
        while game.to_move is not None:
            legal = game.legal_moves
            others.remember(legal.choices)
            if not game.log or rng.random() < close:
                check_position(game, others, rng)
            if not game.log or rng.random() < close / 4:  # it replays the whole game
                check_log(game, others)
            before = game.state.copy()
            move = random_move(legal, rng)
            game.play(move)
            invariants(before, move, game.state)
            assert len(game.log) < MAX_MOVES, "the game does not end"
        check_position(game, others, rng)
        check_log(game, others)
        check_worlds_differ(setting, seed)
    except (AssertionError, HighVoltageError) as error:
        moves = "\n  ".join(str(row.move) for row in game.log[-12:])
        place = f"{setting}, seed {seed}, after move {len(game.log)}"
        raise AssertionError(f"{error}\n{place}, the latest moves:\n  {moves}") from error
    return game


def check_position(game: Game, others: MoveMutator, rng: Random) -> None:
    """The checks of one position; they leave the game unchanged."""
    check_legal_moves(game, rng)
    check_refusals(game, others)
    check_views(game)
    check_copy(game, rng)


def check_log(game: Game, others: MoveMutator) -> None:
    """The checks of the moves that led to this position."""
    check_undo(game)
    check_record(game)
    check_worlds(game, others)


# Moves


def check_legal_moves(game: Game, rng: Random) -> None:
    """A running game has legal moves, without duplicates, that `check` and the notation accept."""
    legal = game.legal_moves
    moves = list(legal)
    assert bool(moves) == (game.to_move is not None), "a decision needs a legal move"
    assert len(legal) == len(moves), "len() and iteration disagree"
    assert len(set(moves)) == len(moves), "a legal move is listed twice"
    assert set(legal.choices) <= set(moves), "a choice is not among the legal moves"
    if moves:
        drawn, same = legal.random(Random(1)), Random(1).choice(legal.choices)
        assert drawn == same, "drawn otherwise than from the choices"
    for at in rng.sample(range(-len(moves), len(moves)), min(len(moves), 20)):
        assert legal[at] == legal.nth(at) == moves[at], "an index and iteration disagree"
    for move in [*legal.choices, *rng.sample(moves, min(len(moves), 20))]:
        assert move in legal, f"{move} is listed and yet not `in` the legal moves"
        assert game.parse(str(move)) == move, f"{str(move)!r} is read as {game.parse(str(move))}"
        try:
            game.check(move)
        except IllegalMove as error:
            raise AssertionError(f"{move} is legal and refused: {error}") from error


def check_refusals(game: Game, others: MoveMutator) -> None:
    """`check` refuses illegal moves, citing an existing rule, and changes nothing."""
    legal = game.legal_moves
    known = rule_ids(game)
    before = snapshot(game.state)
    for move in others.sample(legal.choices):
        refusal = refusal_of(game, move)
        if move in legal:
            assert refusal is None, f"{move} is legal and refused: {refusal}"
        else:
            assert refusal is not None, f"{move} is not legal and accepted"
            assert refusal.rule in known, f"{refusal.code}: there is no rule {refusal.rule}"
    assert not (changed := differences(before, snapshot(game.state))), f"a check changes {changed}"


def rule_ids(game: Game) -> set[str]:
    """The rules that a refusal may cite: those of the rulebook, and those that the map cites."""
    board = getattr(game.rules, "map", None)
    cited = board.cites.values() if isinstance(board, Map) else ()
    lineage = (each for name in edition(game.rules.name).lineage for each in ids(name))
    return {*lineage, *(rule(each).id for each in cited)}


def refusal_of(game: Game, move: Move) -> IllegalMove | None:
    try:
        game.check(move)
    except IllegalMove as refusal:
        return refusal
    return None


# Copies


def check_copy(game: Game, rng: Random) -> None:
    """A copy is equal in every field, and copy and original are independent."""
    assert not (lost := uncopied_fields(game)), f"copy() forgets {lost}"
    before = snapshot(game.state, leaving=(NOT_COPIED,))
    copy = game.copy()
    assert not (lost := differences(before, snapshot(copy.state, leaving=(NOT_COPIED,)))), (
        f"a copy differs: {lost}"
    )
    kept = snapshot(game.state), len(game.log)
    for _ in range(40):
        if copy.to_move is not None:
            copy.play(random_move(copy.legal_moves, rng))
    assert kept == (snapshot(game.state), len(game.log)), "moves in a copy change the original"


def uncopied_fields(game: Game) -> list[str]:
    return [field for field in uncopied(game.state) if not field.endswith(f".{NOT_COPIED}")]


def check_undo(game: Game) -> None:
    """Undoing a move restores every field, and the move can be played again."""
    if not game.log:
        return
    after = snapshot(game.state), game.log[:]
    twin = game.copy()
    twin.state.events = game.state.events
    move = twin.undo()
    assert twin.log == game.log[:-1], "undo leaves the log wrong"
    earlier = snapshot(twin.state)
    twin.play(move)
    assert (snapshot(twin.state), twin.log) == after, "the same move leads somewhere else"
    twin.undo()
    assert snapshot(twin.state) == earlier, "undo does not restore the state"


# Records and hidden worlds


def check_record(game: Game) -> None:
    """A record survives text and JSON, and replays to the same log and the same views."""
    record = game.record()
    assert read_record(str(record))[0] == read_record(record.json())[0], "text and JSON differ"
    assert str(read_record(str(record))[0]) == str(record), "the text does not survive"
    replayed = world(record, "replay")
    assert replayed.log == game.log, "a replay has another log"
    assert views(replayed) == views(game), "a replay gives other views"


def world(record: Record, seed: str) -> Game:
    """A game with the same record; unseen cards are drawn from the seed."""
    game = game_of(record, seed)
    game.follow_record(record, [0] * len(record.moves))
    return game


def views(game: Game) -> list[dict[str, Any]]:
    """What everybody sees, the spectator last."""
    return [game.view(seat) for seat in (*range(len(game.names)), None)]


def check_views(game: Game) -> None:
    """A view is plain data, shared with nobody, and hidden money stays hidden."""
    shown = views(game)
    for view in shown:
        decoded = msgspec.json.decode(msgspec.json.encode(view))
        assert not (lost := differences(decoded, view, "view")), f"a view is not plain data: {lost}"
    assert views(game) == shown, "looking changes the view"
    check_spoiled_views(game)
    if game.rules.options.get("money") == "hidden" and game.outcome is None:
        for seat in range(len(game.names)):
            richer = game.copy()
            richer.state.players[seat].money += 1
            for other, view in enumerate(views(richer)):
                assert other == seat or view == shown[other], f"seat {other} sees hidden money"


def check_spoiled_views(game: Game) -> None:
    """Modifying a view does not affect the game or later views."""
    state = snapshot(game.state)
    seats = (*range(len(game.names)), None)
    shown = [game.view(seat, history=True) for seat in seats]
    before = [msgspec.json.encode(view) for view in shown]
    clear_nested(shown)
    assert not (lost := differences(state, snapshot(game.state))), f"a view reaches {lost}"
    for seat, kept in zip(seats, before, strict=True):
        again = game.view(seat, history=True)
        if msgspec.json.encode(again) != kept:  # much faster than comparing part by part
            lost = differences(msgspec.json.decode(kept), again, "view")
            raise AssertionError(f"what is done to a view lasts: {lost}")


def clear_nested(data: Any) -> None:
    """Empty every list and every dict in plain data.

    >>> clear_nested(view := {"players": [{"plants": (plants := [4, 7])}]})
    >>> view, plants
    ({}, [])
    """
    if isinstance(data, list | dict):
        for part in data.values() if isinstance(data, dict) else data:
            clear_nested(part)
        data.clear()


def check_worlds(game: Game, others: MoveMutator) -> None:
    """Two indistinguishable worlds give the same views, moves, refusals, log and record."""
    record = game.record()
    one, two = world(record, "one"), world(record, "two")
    assert views(one) == views(two), "a view leaks what is hidden"
    assert one.log == two.log, "the log leaks what is hidden"
    assert one.setup_events == two.setup_events, "the set-up leaks what is hidden"
    assert one.record() == two.record(), "the record leaks what is hidden"
    legal = one.legal_moves
    assert list(legal) == list(two.legal_moves), "the legal moves leak what is hidden"
    for move in others.sample(legal.choices):
        refusals = [str(refusal_of(each, move)) for each in (one, two)]
        assert refusals[0] == refusals[1], f"the refusal of {move} leaks what is hidden"


def check_worlds_differ(setting: Setting, seed: int) -> None:
    """Something is hidden at the start, so that the other checks are meaningful."""
    record = setting.new(seed).record()
    one, two = world(record, "one"), world(record, "two")
    assert snapshot(one.state) != snapshot(two.state), "the hidden worlds are one and the same"


# Processes


def random_record(setting: Setting, seed: int) -> Record:
    """The record of a random game."""
    rng = Random(f"{setting}/{seed}")
    game = setting.new(seed)
    while game.to_move is not None:
        game.play(random_move(game.legal_moves, rng))
    return game.record()


def check_processes(cases: Iterable[tuple[Setting, int]]) -> None:
    """The same seeds give the same games in another process, where string hashes differ."""
    games = list(cases)
    here = "".join(str(random_record(setting, seed)) for setting, seed in games)
    for hash_seed in ("1", "2"):
        there = subprocess.run(
            [sys.executable, "-m", "highvoltage.testing"],
            input=msgspec.json.encode(games).decode(),
            env={"PYTHONHASHSEED": hash_seed, "PYTHONPATH": ":".join(sys.path)},
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=True,
        ).stdout
        assert there == here, "another process plays another game"
