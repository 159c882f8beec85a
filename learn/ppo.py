"""Self-play: one network in all seats of many games, and what it learns from them.

A game is one line of time, whoever is to move: the network tells every seat's chance to win, so
the advantage of a move is the component of the seat that made it. In some of the games all seats
but one are played by others, a past self against running in circles, or company that never changes;
only the learner's decisions teach.
"""

from typing import TYPE_CHECKING, Any, NamedTuple

import jax
import jax.numpy as jnp
import optax

from highvoltage import batch
from highvoltage.bots.tycoon.network import MASKED_LOGIT, forward

if TYPE_CHECKING:
    from collections.abc import Callable

Arrays = dict[str, jax.Array]

MAX_ROUNDS = 30
"""The round in which a game is given up as a draw; only the first minutes of learning see it."""


class Settings(NamedTuple):
    """What a run of learning is made with."""

    games: int = 8192  # side by side
    past: int = 2048  # of these, games against others, as many against each
    steps: int = 64  # decisions of each game between two lessons
    epochs: int = 2
    parts: int = 32  # into which the decisions of a lesson are parted
    kept: float = 1.0  # share of the decisions that is learned from, those that were free first
    stress: float = 1.0  # weight of a decision in games against others
    trace: float = 0.97  # λ of the generalised advantages; nothing is discounted
    clip: float = 0.2
    value: float = 2.0  # weight of the chances to win in the loss


class Hyperparameters(NamedTuple):
    """What may change in the course of learning."""

    rate: float
    entropy: float


class Decision(NamedTuple):
    """What was seen and chosen."""

    seen: Arrays
    mask: jax.Array
    seat: jax.Array
    action: jax.Array
    chance: jax.Array  # logarithm of the probability with which it was chosen
    worth: jax.Array  # every seat's chance to win, as the network saw it
    mine: jax.Array  # the weight it teaches with: nothing if it was decided by others


class Effect(NamedTuple):
    """What came of it."""

    reward: jax.Array  # every seat's, once the game is over
    over: jax.Array
    rounds: jax.Array  # of a game that ended here, else 0


class Learner(NamedTuple):
    """All that a lesson changes."""

    weights: Arrays
    moments: Any  # of the optimiser
    states: Any  # the games
    key: jax.Array


def optimiser() -> optax.GradientTransformation:
    return optax.chain(optax.clip_by_global_norm(0.5), optax.scale_by_adam(eps=1e-5))


def seat_first(worth: jax.Array, seat: jax.Array, *, back: bool = False) -> jax.Array:
    """A row that begins with the seat to move, by absolute seats; or the other way `back`."""
    seats = worth.shape[-1]
    shift = jnp.arange(seats) + (seat if back else -seat)[..., None]
    return jnp.take_along_axis(worth, shift % seats, -1)


class Trainer:
    """Lessons in games of one setting: a call plays on for some steps and learns from them."""

    def __init__(self, env: batch.Env, settings: Settings) -> None:
        self.env = env
        self.settings = settings
        self.players = env.num_players
        self._adam = optimiser()
        self._run: Callable[..., Any] = jax.jit(self.run)

    def compile(self, learner: Learner, others: list[Arrays], urge: Hyperparameters) -> None:
        """Get ready for calls like this one; it may be done beside lessons of other settings."""
        self._run = jax.jit(self.run).lower(learner, others, urge).compile()

    def __call__(
        self, learner: Learner, others: list[Arrays], urge: Hyperparameters
    ) -> tuple[Learner, Arrays]:
        """`others` are the weights of those who are played against."""
        learned: tuple[Learner, Arrays] = self._run(learner, others, urge)
        return learned

    def games(self, key: jax.Array) -> Any:
        """New games, as many as are played side by side."""
        return jax.vmap(self.env.init)(jax.random.split(key, self.settings.games))

    def run(
        self, learner: Learner, others: list[Arrays], urge: Hyperparameters
    ) -> tuple[Learner, Arrays]:
        key, playing, shuffling = jax.random.split(learner.key, 3)
        each: Arrays = jax.tree.map(lambda *some: jnp.stack(some), *others)
        states, (made, came), last = self.play(learner.weights, each, learner.states, playing)
        gains = advantages(made.worth, came, last, self.settings.trace)
        weights, moments, told = self.learn(
            learner, (made, gains, gains + made.worth), urge, shuffling
        )
        told |= self.seen_of(made, came, len(others))
        return Learner(weights, moments, states, key), told

    # Playing

    def forward(
        self, weights: Arrays, seen: Arrays, mask: jax.Array
    ) -> tuple[jax.Array, jax.Array]:
        plants = self.env.tables.limit
        logits, worth = forward(halve_large_arrays(weights), halve_large_arrays(seen), plants, jnp)
        return jnp.where(mask, logits, MASKED_LOGIT), worth[..., : self.players]

    def look(self, states: Any) -> Arrays:
        """What is seen in each game, without rows for cities that no area of the map has."""
        seen: Arrays = jax.vmap(self.env.observe)(states)
        return seen | {"cities": seen["cities"][:, : self.env.tables.cities]}

    def decide(self, weights: Arrays, others: Arrays, states: Any, key: jax.Array) -> Decision:
        old, count = self.settings.past, others["value.b"].shape[0]
        seen = self.look(states)
        mask, seat = states.legal_action_mask, states.current_player
        logits, worth = self.forward(weights, seen, mask)

        def shared(part: jax.Array) -> jax.Array:
            return part[:old].reshape(count, old // count, *part.shape[1:])

        theirs, _ = jax.vmap(self.forward)(others, jax.tree.map(shared, seen), shared(mask))
        other = self.learner != seat[:old]
        theirs = theirs.reshape(old, -1)
        logits = logits.at[:old].set(jnp.where(other[:, None], theirs, logits[:old]))
        action = jax.random.categorical(key, logits)
        stress = jnp.where(other, 0.0, self.settings.stress)
        return Decision(
            seen={name: part.astype(jnp.float16) for name, part in seen.items()},
            mask=mask,
            seat=seat,
            action=action,
            chance=jnp.take_along_axis(jax.nn.log_softmax(logits), action[:, None], 1)[:, 0],
            worth=seat_first(worth, seat),
            mine=jnp.ones(mask.shape[0]).at[:old].set(stress),
        )

    @property
    def learner(self) -> jax.Array:
        """Its seat in the games against others."""
        return jnp.arange(self.settings.past) % self.players

    def play(self, weights: Arrays, others: Arrays, states: Any, key: jax.Array) -> Any:
        """The games after some steps, what was decided and came of it, and what they are worth."""
        first, rest = jax.random.split(key)
        fresh = self.games(first)

        def one(states: Any, key: jax.Array) -> tuple[Any, tuple[Decision, Effect]]:
            made = self.decide(weights, others, states, key)
            states = jax.vmap(self.env.step)(states, made.action)
            late = states.round > MAX_ROUNDS
            over = states.terminated | late
            draw = jnp.where(late, 1 / self.players, 0)[:, None]
            reward = jnp.where(states.terminated[:, None], states.rewards, draw)
            came = Effect(reward, over, jnp.where(over, states.round, 0))
            return choose(over, fresh, states), (made, came)

        states, lines = jax.lax.scan(one, states, jax.random.split(rest, self.settings.steps))
        _, worth = self.forward(weights, self.look(states), states.legal_action_mask)
        return states, lines, seat_first(worth, states.current_player)

    # Learning

    def learn(self, learner: Learner, lines: Any, urge: Hyperparameters, key: jax.Array) -> Any:
        decisions, parts = self.settings.games * self.settings.steps, self.settings.parts
        flat = jax.tree.map(lambda each: each.reshape(decisions, *each.shape[2:]), lines)
        kept = int(decisions * self.settings.kept) // parts * parts
        shuffling, key = jax.random.split(key)
        later = jax.random.uniform(shuffling, (decisions,)) + ~free(flat[0])
        first = jnp.argsort(later)[:kept]

        def part(carry: Any, rows: jax.Array) -> Any:
            weights, moments = carry
            mine = jax.tree.map(lambda each: each[rows], flat)
            (_, told), slope = jax.value_and_grad(self.loss, has_aux=True)(weights, *mine, urge)
            change, moments = self._adam.update(slope, moments)
            change = jax.tree.map(lambda each: -urge.rate * each, change)
            return (optax.apply_updates(weights, change), moments), told

        def epoch(carry: Any, key: jax.Array) -> Any:
            rows = jax.random.permutation(key, first).reshape(parts, -1)
            return jax.lax.scan(part, carry, rows)

        keys = jax.random.split(key, self.settings.epochs)
        carry, told = jax.lax.scan(epoch, (learner.weights, learner.moments), keys)
        return *carry, {name: value.mean() for name, value in told.items()}

    def loss(
        self,
        weights: Arrays,
        made: Decision,
        gains: jax.Array,
        aims: jax.Array,
        urge: Hyperparameters,
    ) -> tuple[jax.Array, Arrays]:
        logits, worth = self.forward(weights, made.seen, made.mask)
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
        told = {"policy": policy, "value": value, "entropy": entropy, "moved": moved}
        return policy + self.settings.value * value - urge.entropy * entropy, told

    def seen_of(self, made: Decision, came: Effect, count: int) -> Arrays:
        """How the games went that ended meanwhile."""
        old = self.settings.past
        over = came.over.sum()
        won = jnp.take_along_axis(came.reward[:, :old], self.learner[None, :, None], 2)
        won = won.reshape(-1, count, old // count).sum((0, 2))
        ended = came.over[:, :old].reshape(-1, count, old // count).sum((0, 2))
        return {
            "games": over,
            "rounds": came.rounds.sum() / jnp.maximum(1, over),
            "free": free(made).mean(),
            "against_past": won / jnp.maximum(1, ended),  # a number for each of the others
        }


def free(made: Decision) -> jax.Array:
    """What the learner decided, where there was a choice."""
    return (made.mine > 0) & (made.mask.sum(-1) > 1)


def halve_large_arrays(arrays: Any) -> Any:
    """In half precision what is large and need not be exact: cities, and the layers behind."""
    return {
        name: value.astype(jnp.bfloat16 if name.startswith(("cit", "layer")) else jnp.float32)
        for name, value in arrays.items()
    }


def advantages(worth: jax.Array, came: Effect, last: jax.Array, trace: float) -> jax.Array:
    """Generalised advantages of all seats along the one line of time."""

    def back(carry: Any, line: Any) -> Any:
        gain, after = carry
        worth, reward, over = line
        live = 1.0 - over[:, None]
        gain = reward + live * after - worth + live * trace * gain
        return (gain, worth), gain

    start = (jnp.zeros_like(last), last)
    gains: jax.Array
    _, gains = jax.lax.scan(back, start, (worth, came.reward, came.over), reverse=True)
    return gains


def choose(which: jax.Array, a: Any, b: Any) -> Any:
    """Of two batches of games the one or the other, game by game."""
    return jax.tree.map(
        lambda x, y: jnp.where(which.reshape(which.shape + (1,) * (x.ndim - 1)), x, y), a, b
    )
