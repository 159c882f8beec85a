"""Many games at once: the rules as one pure function over arrays, with JAX.

>>> import jax
>>> from highvoltage import batch
>>> env = batch.make("classic", map="germany", players=4)
>>> states = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.key(7), 3))
>>> states.legal_action_mask.shape
(3, 377)

`env.step(state, action)` plays on, under `vmap`, `jit` and `scan`; `env.observe(state)` is what the
seat to move may know. Actions and observations are those of `highvoltage.codec`. The engine is the
reference: `highvoltage.batch.check` compares every decision with it. See docs/batch.md.
"""

from highvoltage.extras import extra

with extra("batch"):
    from highvoltage.batch.cardgame.state import CardState
    from highvoltage.batch.env import Env, make, reset
    from highvoltage.batch.outpost.state import OutpostState
    from highvoltage.batch.state import GameState, State
    from highvoltage.batch.wrappers import Observed, ObservedState, auto_reset

__all__ = [
    "CardState",
    "Env",
    "GameState",
    "Observed",
    "ObservedState",
    "OutpostState",
    "State",
    "auto_reset",
    "make",
    "reset",
]
