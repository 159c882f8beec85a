"""All seats learn: an environment by the AEC convention of PettingZoo."""

from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from pettingzoo import AECEnv  # type: ignore[import-untyped]

from highvoltage.engine.rulebook import MapSpec
from highvoltage.envs.episodes import MAX_ROUNDS, Episodes, observation_space
from highvoltage.envs.picture import RENDER_MODES, Renderer


class HighVoltageAEC(AECEnv):  # type: ignore[misc]  # untyped library
    """A game with an agent in every seat, `player_0` to `player_5`.

    - Observation: `observation`, the named arrays of the codec, and `action_mask`, int8, all 0
      when another seat is to move.
    - Action: an index of the codec; one that is not legal raises `EnvError`.
    - Reward, at the end of the game: `win`, 1 to the winner, shared if tied; `place`, 1 for first
      place, 0 for last.
    - Truncation: after `rounds` rounds, without a reward.
    - Render: `ansi`, the table as text; `human`, printed; `rgb_array`, the table of the web page,
      listed among the modes if Playwright and a browser are installed.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "highvoltage_v0",
        "render_modes": RENDER_MODES,
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(self, episodes: Episodes, render_mode: str | None) -> None:
        super().__init__()
        self.episodes = episodes
        self.render_mode = render_mode
        self.picture: Renderer = Renderer(render_mode)
        self.possible_agents: list[str] = [f"player_{seat}" for seat in range(episodes.players)]
        self.agents: list[str] = []
        self._seat = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        space = spaces.Dict(
            {
                "observation": observation_space(episodes.spec),
                "action_mask": spaces.Box(0, 1, (episodes.spec.num_actions,), np.int8),
            }
        )
        self.observation_spaces: dict[str, spaces.Dict] = dict.fromkeys(self.possible_agents, space)
        self.action_spaces: dict[str, spaces.Discrete] = {
            agent: spaces.Discrete(episodes.spec.num_actions) for agent in self.possible_agents
        }
        self._rng = seeding.np_random()[0]

    def __str__(self) -> str:
        return str(self.metadata["name"])

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal a new game; the same seed gives the same game."""
        if seed is not None:
            self._rng = seeding.np_random(seed)[0]
        game = self.episodes.new_game(int(self._rng.integers(2**62)))
        self.agents = self.possible_agents[:]
        self.rewards: dict[str, float] = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations: dict[str, bool] = dict.fromkeys(self.agents, False)
        self.truncations: dict[str, bool] = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        assert game.to_move is not None
        self.agent_selection: str = self.agents[game.to_move]

    def observe(self, agent: str) -> dict[str, Any]:
        seat = self._seat[agent]
        return {"observation": self.episodes.observe(seat), "action_mask": self.episodes.mask(seat)}

    def step(self, action: int | None) -> None:
        """Play the action of the agent whose turn it is."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        assert action is not None
        self.episodes.step(action)
        if self.episodes.over:  # until then every reward is 0, as reset left it
            self.rewards = dict(zip(self.agents, self.episodes.rewards(), strict=True))
            self._accumulate_rewards()
            ended = self.truncations if self.episodes.is_truncated else self.terminations
            ended.update(dict.fromkeys(self.agents, True))
            self.agent_selection = self.agents[0]
        else:
            to_move = self.episodes.running.to_move
            assert to_move is not None
            self.agent_selection = self.possible_agents[to_move]
        if self.render_mode == "human":
            self.render()

    def render(self) -> Any:
        return self.picture.render(self.episodes.running)

    def close(self) -> None:
        self.picture.close()


def aec(
    rulebook: str = "classic",
    map: MapSpec = None,  # noqa: A002  # the word of the game
    players: int = 4,
    *,
    reward: str = "win",
    rounds: int = MAX_ROUNDS,
    render_mode: str | None = None,
    **options: Any,
) -> HighVoltageAEC:
    """A game with an agent in every seat; `options` are those of the rulebook."""
    return HighVoltageAEC(Episodes(rulebook, map, players, reward, rounds, options), render_mode)
