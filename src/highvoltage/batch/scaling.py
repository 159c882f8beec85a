"""The form of an observation: columns side by side, each scaled to at most 1."""

import jax.numpy as jnp

from highvoltage.batch.codes import Table
from highvoltage.batch.state import Array

Observation = dict[str, Array]


def scaled(columns: list[Array], scale: Table) -> Array:
    """Columns side by side, each multiplied by its scale, at most 1."""
    row = jnp.stack([jnp.asarray(column).astype(jnp.float32) for column in columns], axis=-1)
    return jnp.minimum(1, row * scale)
