"""The games for OpenSpiel: importing this module registers one for every rulebook.

>>> import pyspiel
>>> from highvoltage import openspiel
>>> game = pyspiel.load_game("highvoltage_classic(players=3,map=usa)")
>>> state = game.new_initial_state()
>>> state.is_chance_node(), len(state.chance_outcomes())
(True, 10000)
>>> state.apply_action(7)
>>> state.current_player(), state.action_to_string(state.legal_actions()[0])
(2, 'nominate 3 @3')

The first node is the deal: its outcome is the seed of the game. After it, whatever the cards bring
is part of the move that turns them up.
"""

from collections.abc import Callable, Iterator
from random import Random
from typing import Any, ClassVar, Self

import msgspec
import numpy as np

import highvoltage as hv
from highvoltage import bots, brief, codec
from highvoltage.engine.chance import Seeded
from highvoltage.engine.record import RECORD_DECODER, Record, RecordedChance
from highvoltage.extras import extra
from highvoltage.games import game_of, metas, rules_of

with extra("openspiel"):
    import pyspiel

__all__ = ["DEALS", "MAX_DECISIONS", "SpielBot", "SpielGame", "SpielState", "resampler"]

DEALS = 10_000
"""The default for `deals`: the outcomes of the first chance node."""
MAX_DECISIONS = 5_000
"""The default for `decisions`: a longer game ends there, and all players share it equally."""
PLAYERS = 4
KINDS = pyspiel.GameType


class Position:
    """A dealt game, as a state holds it: copied with the state, stored as a record and a seed."""

    __slots__ = ("_legal", "_view", "game", "sampled", "seed")

    def __init__(self, game: hv.Game, seed: int | str, sampled: Record | None = None) -> None:
        self.game = game
        self.seed = seed
        self.sampled = sampled  # the record that the unseen cards were sampled for
        self._view: tuple[tuple[int, int], codec.View] | None = None
        self._legal: tuple[int, list[int]] | None = None

    def view(self, seat: int) -> codec.View:
        """The view of a seat, kept until the next move because it is needed more than once."""
        now = len(self.game.log), seat
        if self._view is None or self._view[0] != now:
            self._view = now, self.game.view(seat)
        return self._view[1]

    def legal(self, code: codec.Codec) -> list[int]:
        """The actions of the seat to move."""
        game, now = self.game, len(self.game.log)
        if self._legal is None or self._legal[0] != now:
            assert game.to_move is not None
            mask = code.mask(self.view(game.to_move), game.legal_moves)
            self._legal = now, np.flatnonzero(mask).tolist()
        return self._legal[1]

    def __deepcopy__(self, memo: object) -> Self:
        return type(self)(self.game.copy(), self.seed, self.sampled)

    def __reduce__(self) -> tuple[object, ...]:
        sampled = None if self.sampled is None else self.sampled.json()
        return restored, (self.game.record().json(), self.seed, sampled)


def restored(record: str, seed: int | str, sampled: str | None) -> Position:
    """The position of a record, with the same unseen cards; RecordError if it does not fit."""
    played = RECORD_DECODER.decode(record)
    if sampled is None:
        source = None
        game = hv.Game(rules_of(played), Seeded(seed), played.names)
    else:
        source = RECORD_DECODER.decode(sampled)
        game = game_of(source, seed)
    game.follow_record(played, [0] * len(played.moves))
    return Position(game, seed, source)


class SpielState(pyspiel.State):  # type: ignore[misc]  # untyped library
    """A position. `position.game` is the game itself, once it is dealt."""

    def __init__(self, game: "SpielGame") -> None:
        super().__init__(game)
        self.position: Position | None = None

    @property
    def owner(self) -> "SpielGame":
        """The game this is a state of; not an attribute, as those are copied with the state."""
        found: SpielGame = self.get_game()
        return found

    @property
    def dealt(self) -> Position:
        if self.position is None:
            raise pyspiel.SpielError("The cards are not dealt yet: apply an outcome of chance.")
        return self.position

    def current_player(self) -> int:
        if self.position is None:
            return int(pyspiel.PlayerId.CHANCE)
        seat = self.position.game.to_move
        return int(pyspiel.PlayerId.TERMINAL) if seat is None or self.is_terminal() else seat

    def is_terminal(self) -> bool:
        if self.position is None:
            return False
        game = self.position.game
        return game.outcome is not None or len(game.log) >= self.owner.decisions

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return self.owner.deal_odds

    def _legal_actions(self, player: int) -> list[int]:
        return self.dealt.legal(self.owner.code)

    def _apply_action(self, action: int) -> None:
        if self.position is None:
            self.position = Position(self.owner.deal(action), action)
            return
        game = self.position.game
        assert game.to_move is not None
        game.play(self.owner.code.move(self.position.view(game.to_move), action))

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"deal {action}"
        return str(self.owner.code.move(self.dealt.view(player), action))

    def returns(self) -> list[float]:
        """The winner's share is 1; winners that tie share it, as do all if the game is cut off."""
        players = self.num_players()
        if self.position is None or not self.is_terminal():
            return [0.0] * players
        outcome = self.position.game.outcome
        first = range(players) if outcome is None else outcome.winners
        return [(seat in first) / len(first) for seat in range(players)]

    def __str__(self) -> str:
        return "not dealt" if self.position is None else str(self.position.game.record())


class Observer:
    """What a seat sees: the arrays of the codec, and text.

    With perfect recall the text is the record so far, which holds all that was ever seen at the
    table. The arrays always describe the position alone.
    """

    def __init__(self, game: "SpielGame", kind: pyspiel.IIGObservationType) -> None:
        self.kind = kind
        spec = game.code.spec
        self._code = game.code
        self.tensor = np.zeros(spec.observation_size, np.float32)
        self.dict = {}
        first = 0
        for part in spec.parts:
            size = int(np.prod(part.shape))
            self.dict[part.name] = self.tensor[first : first + size].reshape(part.shape)
            first += size

    def set_from(self, state: SpielState, player: int) -> None:
        if state.position is None:
            self.tensor.fill(0)
            return
        for name, array in self._code.observe(state.position.view(player)).items():
            self.dict[name][...] = array

    def string_from(self, state: SpielState, player: int) -> str:
        if state.position is None:
            return ""
        if not self.kind.public_info:
            return own_money(state.position.view(player))
        if self.kind.perfect_recall:
            return f"seat {player}\n{state.position.game.record()}"
        return brief.position(state.position.view(player))


def own_money(view: codec.View) -> str:
    """What a player may keep from the others: the money, where it is played hidden."""
    return f"money {view['players'][view['seat']]['money']}"


class SpielGame(pyspiel.Game):  # type: ignore[misc]  # untyped library
    """A rulebook with its map, its players and its options, as a game of OpenSpiel.

    Each rulebook has a class of its own: OpenSpiel keeps what makes a game until after Python has
    ended, and then crashes on anything but a class.
    """

    kind: ClassVar[pyspiel.GameType]

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        kind = self.kind
        given = {**kind.parameter_specification, **(params or {})}
        players, self.deals, self.decisions = (
            given.pop(name) for name in ("players", "deals", "decisions")
        )
        if self.deals < 1 or self.decisions < 1:
            raise pyspiel.SpielError("deals and decisions are at least 1.")
        self.rulebook: str = kind.short_name.removeprefix("highvoltage_")
        self.players: int = players
        self.map: str | None = given.pop("map", None)
        self.options: dict[str, Any] = given
        try:
            self.code = codec.make(self.rulebook, self.map, players, **self.options)
        except hv.HighVoltageError as error:
            raise pyspiel.SpielError(str(error)) from None
        info = pyspiel.GameInfo(
            num_distinct_actions=self.code.spec.num_actions,
            max_chance_outcomes=self.deals,
            num_players=players,
            min_utility=0.0,
            max_utility=1.0,
            utility_sum=1.0,
            max_game_length=self.decisions,
        )
        super().__init__(kind, info, params or {})
        self.deal_odds = [(deal, 1 / self.deals) for deal in range(self.deals)]

    def __reduce__(self) -> tuple[object, ...]:
        return load, (str(self),)

    def deal(self, seed: int) -> hv.Game:
        return hv.new(self.rulebook, map=self.map, players=self.players, seed=seed, **self.options)

    def new_initial_state(self) -> SpielState:
        return SpielState(self)

    def max_chance_nodes_in_history(self) -> int:
        return 1

    def make_py_observer(
        self, iig_obs_type: pyspiel.IIGObservationType | None = None, params: object = None
    ) -> Observer:
        return Observer(self, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False))


def load(text: str) -> pyspiel.Game:
    """The game of a text; stored games name this function, so that reading one registers ours."""
    return pyspiel.load_game(text)


def resampler(rng: Random) -> Callable[[SpielState, int], SpielState]:
    """For `set_resampler` of OpenSpiel's IS-MCTS: states that fit what a player has seen.

    The unseen cards are sampled anew by `highvoltage.worlds`, from the view of the player alone.

    >>> state = pyspiel.load_game("highvoltage_cardgame").new_initial_state()
    >>> state.apply_action(7)
    >>> other = resampler(Random(1))(state, 2)
    >>> state.information_state_string(2) == other.information_state_string(2)
    True
    """
    asked: tuple[Position, int, int] | None = None
    source: Record
    worlds: Iterator[hv.Game]

    def resample(state: SpielState, player: int) -> SpielState:
        nonlocal asked, source, worlds
        position = state.dealt
        now = position, len(position.game.log), player
        if asked != now:  # a search asks for many worlds of one position
            view = position.game.view(player, history=True)
            source, worlds, asked = (
                msgspec.convert(view["record"], Record),
                hv.worlds(view, rng),
                now,
            )
        world = next(worlds)
        chance = world.state.chance
        assert isinstance(chance, RecordedChance)
        assert isinstance(chance.rest, Seeded)
        found = SpielState(state.owner)
        found.position = Position(world, chance.rest.seed, source)
        return found

    return resample


class SpielBot(pyspiel.Bot):  # type: ignore[misc]  # untyped library
    """One of our bots as a player of OpenSpiel; it sees the view of the seat to move.

    >>> state = pyspiel.load_game("highvoltage_cardgame").new_initial_state()
    >>> state.apply_action(7)
    >>> state.action_to_string(SpielBot("clerk", seed=1).step(state))
    'nominate 4c @4'
    """

    def __init__(self, name: str, seed: int | str) -> None:
        super().__init__()
        self.bot = bots.make(name, seed)

    def step(self, state: SpielState) -> int:
        position = state.dealt
        seat = position.game.to_move
        assert seat is not None
        move = bots.ask(self.bot, position.game).move
        return state.owner.code.index(position.view(seat), move)


def _register() -> None:
    for name, meta in metas().items():
        options = {option.name: option.default for option in meta.options}
        plain = {
            key: value for key, value in options.items() if isinstance(value, bool | int | str)
        }
        board = {"map": next(iter(meta.maps))} if meta.maps else {}
        kind = pyspiel.GameType(
            short_name=f"highvoltage_{name}",
            long_name=meta.title,
            dynamics=KINDS.Dynamics.SEQUENTIAL,
            chance_mode=KINDS.ChanceMode.EXPLICIT_STOCHASTIC,
            information=KINDS.Information.IMPERFECT_INFORMATION,
            utility=KINDS.Utility.CONSTANT_SUM,
            reward_model=KINDS.RewardModel.TERMINAL,
            max_num_players=max(meta.players),
            min_num_players=min(meta.players),
            provides_information_state_string=True,
            provides_information_state_tensor=True,
            provides_observation_string=True,
            provides_observation_tensor=True,
            parameter_specification={
                "players": PLAYERS,
                "deals": DEALS,
                "decisions": MAX_DECISIONS,
                **board,
                **plain,
            },
        )
        made = type(f"SpielGame_{name}", (SpielGame,), {"kind": kind})
        pyspiel.register_game(kind, made)


_register()
