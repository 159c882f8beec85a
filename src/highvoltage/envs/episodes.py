"""Shared by both environments: a game encoded as numbers, its rewards and its action mask."""

from collections.abc import Callable
from typing import Any

import numpy as np
from gymnasium import spaces

import highvoltage as hv
from highvoltage import codec
from highvoltage.codec import Spec
from highvoltage.engine.errors import HighVoltageError
from highvoltage.engine.outcome import Outcome
from highvoltage.engine.rulebook import MapSpec

MAX_ROUNDS = 60
"""The default for `rounds`: a longer game is truncated."""


class EnvError(HighVoltageError):
    """An environment cannot be created, or an action cannot be played."""


class IllegalAction(EnvError):
    """The rules do not allow this action now."""


def win_reward(outcome: Outcome, players: int) -> list[float]:
    """1 to the winner; tied winners share it.

    >>> win_reward(Outcome("cities", ((2,), (0, 1), (3,)), ()), 4)
    [0.0, 0.0, 1.0, 0.0]
    """
    first = outcome.winners
    return [(seat in first) / len(first) for seat in range(players)]


def place_reward(outcome: Outcome, players: int) -> list[float]:
    """1 for first place, 0 for last, even steps between; tied seats share their places.

    >>> place_reward(Outcome("cities", ((2,), (0, 1), (3,)), ()), 4)
    [0.5, 0.5, 1.0, 0.0]
    """
    rewards = [0.0] * players
    ahead = 0
    for seats in outcome.ranking:
        mean = ahead + (len(seats) - 1) / 2
        for seat in seats:
            rewards[seat] = 1 - mean / (players - 1)
        ahead += len(seats)
    return rewards


REWARDS: dict[str, Callable[[Outcome, int], list[float]]] = {
    "win": win_reward,
    "place": place_reward,
}
"""The reward of each seat at the end of a game; before the end every reward is 0."""

Mask = np.ndarray[Any, np.dtype[np.int8]]


class Episodes:
    """Plays one game after another with the same settings."""

    def __init__(
        self,
        rulebook: str,
        board: MapSpec,
        players: int,
        reward: str,
        rounds: int,
        options: dict[str, Any],
    ) -> None:
        if reward not in REWARDS:
            raise EnvError(f"There is no reward '{reward}'. Rewards: {', '.join(REWARDS)}.")
        if rounds < 1:
            raise EnvError(f"A game lasts at least 1 round, not {rounds}.")
        self.rulebook: str = rulebook
        self.board: MapSpec = board
        self.players: int = players
        self.options: dict[str, Any] = options
        self.reward: Callable[[Outcome, int], list[float]] = REWARDS[reward]
        self.rounds: int = rounds
        self.code: codec.Codec = codec.make(rulebook, board, players, **options)
        self.game: hv.Game | None = None
        self._view: tuple[tuple[int, int], codec.View] | None = None
        self._mask: tuple[int, Mask] | None = None

    @property
    def spec(self) -> Spec:
        return self.code.spec

    @property
    def running(self) -> hv.Game:
        if self.game is None:
            raise EnvError("There is no game yet: call reset() first.")
        return self.game

    def new_game(self, seed: int) -> hv.Game:
        """Start a new game."""
        self._view = self._mask = None
        self.game = hv.new(
            self.rulebook, map=self.board, players=self.players, seed=seed, **self.options
        )
        return self.game

    @property
    def is_truncated(self) -> bool:
        """Whether the game has exceeded its number of rounds."""
        state = self.running.state
        return state.outcome is None and state.round > self.rounds

    @property
    def over(self) -> bool:
        state = self.running.state
        return state.outcome is not None or state.round > self.rounds

    def rewards(self) -> list[float]:
        """The reward of each seat: 0 before the end of the game."""
        outcome = self.running.outcome
        return [0.0] * self.players if outcome is None else self.reward(outcome, self.players)

    def view(self, seat: int) -> codec.View:
        """The view of a seat, cached until the next move because it is needed more than once.

        The codec only reads it, so the parts that it does not read need not be computed.
        """
        game = self.game or self.running
        now = len(game.log), seat
        if self._view is None or self._view[0] != now:
            self._view = now, game.lazy_view(seat)
        return self._view[1]

    def observe(self, seat: int) -> codec.Observation:
        return self.code.observe(self.view(seat))

    def mask(self, seat: int) -> Mask:
        """The legal actions of the seat to move; all 0 for the other seats."""
        game = self.game or self.running
        state = game.state
        if seat != state.actor or state.round > self.rounds:
            return np.zeros(self.spec.num_actions, np.int8)
        return self._legal(game, seat).copy()

    def _legal(self, game: hv.Game, seat: int) -> Mask:
        """The mask of the seat to move, cached until the next move."""
        now = len(game.log)
        if self._mask is None or self._mask[0] != now:
            mask = self.code.mask(self.view(seat), game.legal_moves)
            self._mask = now, mask.view(np.int8)
        return self._mask[1]

    def step(self, action: int) -> None:
        """Play the move with this index."""
        game = self.game or self.running
        seat = game.state.actor
        if seat is None or game.state.round > self.rounds:
            raise EnvError("The game is over: call reset() to begin another.")
        index, legal = int(action), self._legal(game, seat)
        if not 0 <= index < len(legal):
            raise EnvError(f"There is no action {action}: they are 0 to {len(legal) - 1}.")
        if not legal[index]:
            head = next(head for head in self.spec.heads if index < head.end)
            raise IllegalAction(
                f"Action {index} ({head.name} {index - head.first}) is not legal now;"
                " take one for which the mask of this moment is 1."
            )
        game.play(self.code.move(self.view(seat), index))


def observation_space(spec: Spec) -> spaces.Dict:
    return spaces.Dict(
        {part.name: spaces.Box(part.low, part.high, part.shape, np.float32) for part in spec.parts}
    )
