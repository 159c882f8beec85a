"""One seat learns and bots play the others: an environment by the convention of Gymnasium."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AsyncVectorEnv, SyncVectorEnv, VectorEnv

from highvoltage import bots as bot_players
from highvoltage.codec import Observation
from highvoltage.engine.rulebook import MapSpec
from highvoltage.envs.episodes import (
    MAX_ROUNDS,
    EnvError,
    Episodes,
    IllegalAction,
    Mask,
    observation_space,
)
from highvoltage.envs.picture import RENDER_MODES, Renderer


class LegalActions(spaces.Discrete):
    """The action indexes of the codec; `sample` draws one that is legal now."""

    def __init__(self, actions: int) -> None:
        super().__init__(actions)
        self.legal: Mask = np.ones(actions, np.int8)

    def sample(self, mask: Any = None, probability: Any = None) -> Any:
        if mask is None and probability is None:
            mask = self.legal
        return super().sample(mask, probability)


class HighVoltageEnv(gymnasium.Env[Any, Any]):
    """A game with the learner in one seat; a step includes the bots' moves until its next turn.

    - Observation: the named arrays of the codec.
    - Mask: `info["action_mask"]`, and `action_masks()` as MaskablePPO calls it.
    - Action: an index of the codec. One that is not legal loses the game at once, with a reward of
      -1 and the reason in `info["error"]`; `action_space.sample()` gives only legal ones.
    - `bots`: one for all other seats, or a list with one for each, clockwise.
    - `seat`: where the learner sits; None: drawn at random for every game.
    - Reward, truncation, render: as in the environment for all seats.
    """

    metadata: dict[str, Any] = {"render_modes": RENDER_MODES, "render_fps": 2}  # noqa: RUF012  # as Gymnasium has it
    action_space: LegalActions

    def __init__(
        self,
        rulebook: str = "classic",
        map: MapSpec = None,  # noqa: A002  # the word of the game
        players: int = 4,
        bots: str | Sequence[str] = "clerk",
        seat: int | None = None,
        reward: str = "win",
        rounds: int = MAX_ROUNDS,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        self.episodes: Episodes = Episodes(rulebook, map, players, reward, rounds, options)
        self.bots: list[str] = [bots] * (players - 1) if isinstance(bots, str) else [*bots]
        if len(self.bots) != players - 1:
            raise EnvError(f"{players} players need {players - 1} bots, not {len(self.bots)}.")
        if seat is not None and not 0 <= seat < players:
            raise EnvError(f"There is no seat {seat}: seats are 0 to {players - 1}.")
        for name in self.bots:
            bot_players.make(name, 0)  # an unknown name fails now
        self.fixed_seat = seat
        self.seat: int = 0
        self.render_mode = render_mode
        self.picture: Renderer = Renderer(render_mode)
        self.observation_space: spaces.Dict = observation_space(self.episodes.spec)
        self.action_space = LegalActions(self.episodes.spec.num_actions)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Deal a new game and play up to the first decision of the learner."""
        super().reset(seed=seed)
        count = self.episodes.players
        fixed = self.fixed_seat
        self.seat = int(self.np_random.integers(count)) if fixed is None else fixed
        game_seed = int(self.np_random.integers(2**62))
        self.episodes.new_game(game_seed)
        self._others = {
            (self.seat + at) % count: bot_players.make(name, f"{game_seed}/{at}")
            for at, name in enumerate(self.bots, 1)
        }
        self._play_others()
        return self._observe()

    def step(self, action: int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Play an action, and then the others until it is the learner's turn again."""
        try:
            self.episodes.step(action)
        except IllegalAction as error:
            observed, info = self._observe()
            return observed, -1.0, True, False, info | {"error": str(error)}
        self._play_others()
        observed, info = self._observe()
        reward = self.episodes.rewards()[self.seat]
        ended = self.episodes.running.outcome is not None
        if self.render_mode == "human":
            self.render()
        return observed, reward, ended, self.episodes.is_truncated, info

    def action_masks(self) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """The legal actions as booleans."""
        return self.episodes.mask(self.seat).view(np.bool_)

    def render(self) -> Any:
        return self.picture.render(self.episodes.running)

    def close(self) -> None:
        self.picture.close()

    def _play_others(self) -> None:
        game = self.episodes.running
        while not self.episodes.over and game.to_move != self.seat:
            assert game.to_move is not None
            game.play(bot_players.ask(self._others[game.to_move], game).move)

    def _observe(self) -> tuple[Observation, dict[str, Any]]:
        episodes = self.episodes
        mask = episodes.mask(self.seat)
        to_move = episodes.running.to_move == self.seat and not episodes.over
        self.action_space.legal = mask if to_move else np.ones_like(mask)
        return self.episodes.observe(self.seat), {"action_mask": mask, "seat": self.seat}


def vector(
    count: int, rulebook: str = "classic", *, processes: bool = True, **settings: Any
) -> VectorEnv[Any, Any, Any]:
    """Environments in parallel, each in its own process or all in this one."""
    makers = [partial(HighVoltageEnv, rulebook, **settings)] * count
    return AsyncVectorEnv(makers) if processes else SyncVectorEnv(makers)
