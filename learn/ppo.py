"""Self-play with proximal policy optimisation: one network in all seats of many games.

A game is one line of time, whoever is to move: the network gives every seat's chance to win, so
the advantage of a move is the component of the seat that made it. In some of the games all seats
but one are played by others: a past self against running in circles, company that never changes, or
engineers; only the learner's decisions teach.
"""

from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import jax
import jax.numpy as jnp
import optax

from highvoltage import batch
from highvoltage.bots.tycoon.network import MASKED_LOGIT, forward
from learn import engineer

if TYPE_CHECKING:
    from collections.abc import Callable

Arrays = dict[str, jax.Array]

MAX_ROUNDS = 30
"""The round in which a game is stopped as a draw; only the first minutes of training reach it."""


class Settings(NamedTuple):
    """The settings of a training run."""

    games: int = 8192  # side by side
    past: int = 2048  # of these, games against others, as many against each
    engineers: int = 0  # shares of these games in which the others are engineers
    steps: int = 64  # decisions of each game between two lessons
    epochs: int = 2
    parts: int = 32  # minibatches of an update
    kept: float = 1.0  # share of the decisions that is learned from, unforced ones first
    stress: float = 1.0  # weight of a decision in games against others
    trace: float = 0.97  # λ of the generalised advantages; nothing is discounted
    clip: float = 0.2
    value: float = 2.0  # weight of the chances to win in the loss


class Hyperparameters(NamedTuple):
    """What may change in the course of training."""

    rate: float
    entropy: float


class Decision(NamedTuple):
    """An observation and what was chosen."""

    observation: Arrays
    mask: jax.Array
    seat: jax.Array
    action: jax.Array
    chance: jax.Array  # logarithm of the probability with which it was chosen
    worth: jax.Array  # every seat's chance to win, as the network estimated it
    mine: jax.Array  # its weight in the loss: 0 if it was decided by others


class Effect(NamedTuple):
    """The result of a decision."""

    reward: jax.Array  # of every seat, once the game is over
    over: jax.Array
    rounds: jax.Array  # of a game that ended here, else 0


class Learner(NamedTuple):
    """Everything that an update changes."""

    weights: Arrays
    moments: Any  # of the optimiser
    states: Any  # the games
    key: jax.Array


def optimiser() -> optax.GradientTransformation:
    return optax.chain(optax.clip_by_global_norm(0.5), optax.scale_by_adam(eps=1e-5))


def seat_first(worth: jax.Array, seat: jax.Array, *, back: bool = False) -> jax.Array:
    """A row relative to the seat to move, by absolute seats; or the inverse with `back`."""
    seats = worth.shape[-1]
    shift = jnp.arange(seats) + (seat if back else -seat)[..., None]
    return jnp.take_along_axis(worth, shift % seats, -1)


class Trainer:
    """Updates from games of one setting: a call plays on for some steps and learns from them."""

    def __init__(self, env: batch.Env, settings: Settings) -> None:
        self.env = env
        self.settings = settings
        self.players = env.num_players
        self._adam = optimiser()
        self._run: Callable[..., Any] = jax.jit(self.run)

    def compile(self, learner: Learner, others: list[Arrays], hyper: Hyperparameters) -> None:
        """Compile for such arguments; this may run in parallel with updates of other settings."""
        self._run = jax.jit(self.run).lower(learner, others, hyper).compile()

    def __call__(
        self, learner: Learner, others: list[Arrays], hyper: Hyperparameters
    ) -> tuple[Learner, Arrays]:
        """One update; `others` are the weights of the opponents."""
        learned: tuple[Learner, Arrays] = self._run(learner, others, hyper)
        return learned

    def games(self, key: jax.Array) -> Any:
        """New games, as many as are played in parallel."""
        return jax.vmap(self.env.init)(jax.random.split(key, self.settings.games))

    def run(
        self, learner: Learner, others: list[Arrays], hyper: Hyperparameters
    ) -> tuple[Learner, Arrays]:
        key, playing, shuffling = jax.random.split(learner.key, 3)
        each: Arrays = jax.tree.map(lambda *some: jnp.stack(some), *others)
        states, (made, effect), last = self.play(learner.weights, each, learner.states, playing)
        gains = advantages(made.worth, effect, last, self.settings.trace)
        weights, moments, metrics = self.learn(
            learner, (made, gains, gains + made.worth), hyper, shuffling
        )
        metrics |= self.game_metrics(made, effect, len(others))
        return Learner(weights, moments, states, key), metrics

    # Playing

    def forward(
        self, weights: Arrays, observation: Arrays, mask: jax.Array
    ) -> tuple[jax.Array, jax.Array]:
        logits, worth = forward(
            halve_large_arrays(weights), halve_large_arrays(observation), self.env.spec, jnp
        )
        return jnp.where(mask, logits, MASKED_LOGIT), worth[..., : self.players]

    def decide(self, weights: Arrays, others: Arrays, states: Any, key: jax.Array) -> Decision:
        old, count = self.settings.past, others["value.b"].shape[0]
        weighed = old // (count + self.settings.engineers) * count  # games against networks
        observation = observe(self.env, states)
        mask, seat = states.legal_action_mask, states.current_player
        logits, worth = self.forward(weights, observation, mask)

        def shared(part: jax.Array) -> jax.Array:
            return part[:weighed].reshape(count, weighed // count, *part.shape[1:])

        theirs, _ = jax.vmap(self.forward)(others, jax.tree.map(shared, observation), shared(mask))
        other = self.learner != seat[:old]
        theirs = theirs.reshape(weighed, -1)
        if self.settings.engineers:
            rest = jax.tree.map(lambda part: part[weighed:old], states)
            sure = jax.vmap(partial(engineer.choice, self.env.tables))(rest)
            chosen = jnp.arange(mask.shape[1]) == sure[:, None]
            theirs = jnp.concatenate([theirs, jnp.where(chosen, 0.0, MASKED_LOGIT)])
        logits = logits.at[:old].set(jnp.where(other[:, None], theirs, logits[:old]))
        action = jax.random.categorical(key, logits)
        stress = jnp.where(other, 0.0, self.settings.stress)
        return Decision(
            observation={name: part.astype(jnp.float16) for name, part in observation.items()},
            mask=mask,
            seat=seat,
            action=action,
            chance=jnp.take_along_axis(jax.nn.log_softmax(logits), action[:, None], 1)[:, 0],
            worth=seat_first(worth, seat),
            mine=jnp.ones(mask.shape[0]).at[:old].set(stress),
        )

    @property
    def learner(self) -> jax.Array:
        """The learner's seat in the games against others."""
        return jnp.arange(self.settings.past) % self.players

    def play(self, weights: Arrays, others: Arrays, states: Any, key: jax.Array) -> Any:
        """The games after some steps, the decisions with their results, and the final values."""
        first, rest = jax.random.split(key)
        fresh = self.games(first)

        def one(states: Any, key: jax.Array) -> tuple[Any, tuple[Decision, Effect]]:
            made = self.decide(weights, others, states, key)
            states = jax.vmap(self.env.step)(states, made.action)
            late = states.round > MAX_ROUNDS
            over = states.terminated | late
            draw = jnp.where(late, 1 / self.players, 0)[:, None]
            reward = jnp.where(states.terminated[:, None], states.rewards, draw)
            effect = Effect(reward, over, jnp.where(over, states.round, 0))
            return choose(over, fresh, states), (made, effect)

        states, lines = jax.lax.scan(one, states, jax.random.split(rest, self.settings.steps))
        _, worth = self.forward(weights, observe(self.env, states), states.legal_action_mask)
        return states, lines, seat_first(worth, states.current_player)

    # Learning

    def learn(self, learner: Learner, lines: Any, hyper: Hyperparameters, key: jax.Array) -> Any:
        decisions, parts = self.settings.games * self.settings.steps, self.settings.parts
        flat = jax.tree.map(lambda each: each.reshape(decisions, *each.shape[2:]), lines)
        kept = int(decisions * self.settings.kept) // parts * parts
        shuffling, key = jax.random.split(key)
        later = jax.random.uniform(shuffling, (decisions,)) + ~free(flat[0])
        first = jnp.argsort(later)[:kept]

        def part(carry: Any, rows: jax.Array) -> Any:
            weights, moments = carry
            mine = jax.tree.map(lambda each: each[rows], flat)
            (_, metrics), slope = jax.value_and_grad(self.loss, has_aux=True)(weights, *mine, hyper)
            change, moments = self._adam.update(slope, moments)
            change = jax.tree.map(lambda each: -hyper.rate * each, change)
            return (optax.apply_updates(weights, change), moments), metrics

        def epoch(carry: Any, key: jax.Array) -> Any:
            rows = jax.random.permutation(key, first).reshape(parts, -1)
            return jax.lax.scan(part, carry, rows)

        keys = jax.random.split(key, self.settings.epochs)
        carry, metrics = jax.lax.scan(epoch, (learner.weights, learner.moments), keys)
        return *carry, {name: value.mean() for name, value in metrics.items()}

    def loss(
        self,
        weights: Arrays,
        made: Decision,
        gains: jax.Array,
        aims: jax.Array,
        hyper: Hyperparameters,
    ) -> tuple[jax.Array, Arrays]:
        logits, worth = self.forward(weights, made.observation, made.mask)
        logs = jax.nn.log_softmax(logits)
        chance = jnp.take_along_axis(logs, made.action[:, None], 1)[:, 0]
        gain = jnp.take_along_axis(gains, made.seat[:, None], 1)[:, 0]
        weight = made.mine * free(made)
        weight = weight / jnp.maximum(1, weight.sum())
        gain = gain - (gain * weight).sum()
        gain = gain / (jnp.sqrt((gain * gain * weight).sum()) + 1e-6)
        ratio = jnp.exp(chance - made.chance)
        near = jnp.clip(ratio, 1 - self.settings.clip, 1 + self.settings.clip)
        policy = -(weight * jnp.minimum(ratio * gain, near * gain)).sum()
        value = ((worth - seat_first(aims, made.seat, back=True)) ** 2).sum(1).mean()
        entropy = -(weight * jnp.where(made.mask, jnp.exp(logs) * logs, 0).sum(1)).sum()
        moved = (weight * jnp.abs(ratio - 1)).sum()
        metrics = {"policy": policy, "value": value, "entropy": entropy, "moved": moved}
        return policy + self.settings.value * value - hyper.entropy * entropy, metrics

    def game_metrics(self, made: Decision, effect: Effect, count: int) -> Arrays:
        """How the games that ended during these steps went."""
        old = self.settings.past
        over = effect.over.sum()
        won = jnp.take_along_axis(effect.reward[:, :old], self.learner[None, :, None], 2)
        share = old // (count + self.settings.engineers)

        def of_each(part: jax.Array) -> jax.Array:
            """By who was played against, all engineers together."""
            found = part.reshape(part.shape[0], -1, share).sum((0, 2))
            return jnp.append(found[:count], found[count:].sum())

        won, ended = of_each(won[..., 0]), of_each(effect.over[:, :old])
        return {
            "games": over,
            "rounds": effect.rounds.sum() / jnp.maximum(1, over),
            "free": free(made).mean(),
            "against_past": won / jnp.maximum(1, ended),  # a number for each of the others
        }


def observe(env: batch.Env, states: Any) -> Arrays:
    """The observation of each game, without rows for cities that no area of the map has."""
    observation: Arrays = jax.vmap(env.observe)(states)
    if "cities" in observation:
        observation["cities"] = observation["cities"][:, : env.tables.cities]
    return observation


def free(made: Decision) -> jax.Array:
    """Which decisions the learner made where there was a choice."""
    return (made.mine > 0) & (made.mask.sum(-1) > 1)


def halve_large_arrays(arrays: Any) -> Any:
    """Large arrays that need not be exact in half precision: cities and hidden layers."""
    return {
        name: value.astype(jnp.bfloat16 if name.startswith(("cit", "layer")) else jnp.float32)
        for name, value in arrays.items()
    }


def advantages(worth: jax.Array, effect: Effect, last: jax.Array, trace: float) -> jax.Array:
    """Generalised advantages of all seats along the sequence of decisions."""

    def back(carry: Any, line: Any) -> Any:
        gain, after = carry
        worth, reward, over = line
        live = 1.0 - over[:, None]
        gain = reward + live * after - worth + live * trace * gain
        return (gain, worth), gain

    start = (jnp.zeros_like(last), last)
    gains: jax.Array
    _, gains = jax.lax.scan(back, start, (worth, effect.reward, effect.over), reverse=True)
    return gains


def choose(which: jax.Array, a: Any, b: Any) -> Any:
    """From two batches of games, the one or the other, game by game."""
    return jax.tree.map(
        lambda x, y: jnp.where(which.reshape(which.shape + (1,) * (x.ndim - 1)), x, y), a, b
    )
