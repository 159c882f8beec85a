"""Many games at once on the batched games: a vector environment by the convention of Gymnasium."""

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from highvoltage import batch
from highvoltage.batch.state import Array, GameState
from highvoltage.engine.rulebook import MapSpec
from highvoltage.envs.episodes import MAX_ROUNDS, REWARDS, EnvError, observation_space

Policy = Callable[[dict[str, Array], Array, Array], Array]
"""From the observations, masks and a key to an action for every game, as a function of JAX."""

SELF = "self"


def choose_at_random(seen: dict[str, Array], masks: Array, key: Array) -> Array:  # noqa: ARG001
    """A policy: any legal action."""
    return jax.random.categorical(key, jnp.where(masks, 0.0, -jnp.inf))


class BatchedGames(VectorEnv[Any, Any, Any]):
    """Games on one device, each with a decision of the learner at every step.

    - `others`: who sits in the other seats. "self": the learner, which decides for whoever is to
      move. "random", or a `Policy`: that, and a step lasts until the learner's next turn.
    - `seat`: where the learner sits among others; None: drawn for every game.
    - Reward: that of the seat that decided; `info["rewards"]` has those of all seats. An action
      that is not legal ends the game with -1.
    - A game that is over begins anew in the next step, whose action counts for nothing.
    - Observation, mask, truncation: as in the environment for one seat; when a game is over its
      whole mask is 1. `info["seat"]` is the seat that the observation belongs to.
    """

    metadata: dict[str, Any] = {"autoreset_mode": AutoresetMode.NEXT_STEP}  # noqa: RUF012  # as Gymnasium has it

    def __init__(
        self,
        num_envs: int = 1,
        rulebook: str = "classic",
        map: MapSpec = None,  # noqa: A002  # the word of the game
        players: int = 4,
        others: str | Policy = SELF,
        seat: int | None = None,
        reward: str = "win",
        rounds: int = MAX_ROUNDS,
        **options: Any,
    ) -> None:
        if reward not in REWARDS:
            raise EnvError(f"There is no reward '{reward}'. Rewards: {', '.join(REWARDS)}.")
        if isinstance(others, str) and others not in (SELF, "random"):
            raise EnvError(f"The others are '{SELF}', 'random' or a policy, not '{others}'.")
        if seat is not None and (others == SELF or not 0 <= seat < players):
            raise EnvError(f"There is no seat {seat} of the learner among others.")
        self.env: batch.Env = batch.make(rulebook, map, players, **options)
        self.num_envs = num_envs
        self.others: Policy | None = None if others == SELF else choose_at_random
        if callable(others):
            self.others = others
        self.fixed_seat = seat
        self.by_place: bool = reward == "place"
        self.rounds = rounds
        self.single_observation_space = observation_space(self.env.spec)
        self.single_action_space = spaces.Discrete(self.env.num_actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._begin: Any = jax.jit(self._begin_games)
        self._play: Any = jax.jit(self._play_turn)
        self._now: tuple[Any, Array] | None = None  # the states, and the learner's seats

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Deal new games, and play up to the first decision of the learner in each."""
        super().reset(seed=seed)
        self._now, told = self._begin(self._new_key())
        seen, _, _, _, info = jax.device_get(told)
        return seen, with_presence(info)

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """One decision of the learner in every game, and then those of the others."""
        if self._now is None:
            raise EnvError("There is no game yet: call reset() first.")
        chosen = np.asarray(actions, np.int32)
        if chosen.shape != (self.num_envs,):
            raise EnvError(f"{self.num_envs} games need one action each, not {chosen.shape}.")
        self._now, told = self._play(*self._now, chosen, self._new_key())
        seen, reward, terminated, truncated, info = jax.device_get(told)
        return seen, reward, terminated, truncated, with_presence(info)

    @property
    def states(self) -> Any:
        """The states of all games, for `env.to_game` and other methods of the batched games."""
        return None if self._now is None else self._now[0]

    def _new_key(self) -> Array:
        return jax.random.key(int(self.np_random.integers(2**32)))

    def _begin_games(self, key: Array) -> Any:
        states, seats = self._deal(key)
        states = self._play_others(states, seats, key)
        return (states, seats), self._tell(states, seats, seats)

    def _deal(self, key: Array) -> tuple[Any, Array]:
        """New games, and where the learner sits in them."""
        states = jax.vmap(self.env.init)(jax.random.split(key, self.num_envs))
        fixed, count = self.fixed_seat, self.env.num_players
        drawn = jax.random.randint(jax.random.fold_in(key, 1), (self.num_envs,), 0, count)
        return states, drawn if fixed is None else jnp.full_like(drawn, fixed)

    def _play_turn(self, states: Any, seats: Array, actions: Array, key: Array) -> Any:
        deals, moves = jax.random.split(key)
        over = states.terminated | states.truncated
        decided = states.current_player if self.others is None else seats
        kept = (jax.vmap(self.env.step)(states, actions), seats)
        states, seats = jax.lax.cond(
            jnp.any(over), lambda: choose_rows(over, self._deal(deals), kept), lambda: kept
        )
        states = self._play_others(states, seats, moves)
        return (states, seats), self._tell(states, seats, decided)

    def _play_others(self, states: Any, seats: Array, key: Array) -> Any:
        """Go on to the learner's turn in every game; those that are too long end there."""

        def waits(states: GameState) -> Array:
            running = ~states.terminated & (states.round <= self.rounds)
            return running & (states.current_player != seats)

        def move(now: tuple[Any, Array]) -> tuple[Any, Array]:
            states, key = now
            key, draw = jax.random.split(key)
            assert self.others is not None
            seen = jax.vmap(self.env.observe)(states)
            actions = self.others(seen, states.legal_action_mask, draw)
            moved = jax.vmap(self.env.step)(states, actions)
            return choose_rows(waits(states), moved, states), key

        if self.others is not None:
            states, _ = jax.lax.while_loop(lambda now: jnp.any(waits(now[0])), move, (states, key))
        return states.replace(truncated=~states.terminated & (states.round > self.rounds))

    def _tell(self, states: Any, seats: Array, decided: Array) -> Any:
        """What a step returns; the rewards are those of the seats that decided."""
        seats = states.current_player if self.others is None else seats
        rewards = jax.vmap(place_rewards)(states) if self.by_place else states.rewards
        own = jnp.take_along_axis(rewards, decided[:, None], axis=1)[:, 0]
        info = {
            "action_mask": states.legal_action_mask.astype(jnp.int8),
            "seat": seats,
            "rewards": rewards,
        }
        seen = jax.vmap(self.env.observe)(states, seats)
        return seen, own, states.terminated, states.truncated, info


def choose_rows(mask: Array, new: Any, old: Any) -> Any:
    """The rows of `new` where the mask is set, else those of `old`."""

    def choose(new: Array, old: Array) -> Array:
        return jnp.where(mask.reshape(mask.shape + (1,) * (new.ndim - 1)), new, old)

    return jax.tree.map(choose, new, old)


def place_rewards(state: GameState) -> Array:
    """1 for the first place, 0 for the last, even steps between; tied seats share their places."""
    place = state.place.astype(jnp.float32)
    tied = jnp.sum(place[:, None] == place[None], axis=1)
    by_place = 1 - (place + (tied - 1) / 2) / (place.shape[0] - 1)
    finished = jnp.any(state.rewards > 0)
    return jnp.where(finished, by_place, state.rewards)


def with_presence(info: dict[str, Any]) -> dict[str, Any]:
    """As vector environments have it: every game has every entry."""
    return info | {f"_{name}": np.ones(len(value), bool) for name, value in info.items()}
