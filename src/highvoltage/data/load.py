"""Loading a data set for training."""

from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from highvoltage.codec import Observation, Spec, make
from highvoltage.data.write import CODEC_KEY
from highvoltage.engine.errors import OptionError
from highvoltage.extras import extra

Numbers = np.ndarray[Any, Any]


class TrainingData(msgspec.Struct, frozen=True):
    """Decisions with observations: arrays with one row per decision.

    `legal` is the mask; `won` is the share of the win for the seat that decided.
    """

    spec: Spec
    observation: Observation
    action: Numbers
    legal: Numbers
    won: Numbers


def load(file: Path) -> TrainingData:
    """Load a Parquet file with observations; CodecError if another codec version wrote it."""
    with extra("data"):
        from pyarrow import parquet  # type: ignore[import-untyped]  # noqa: PLC0415
    table = parquet.read_table(file)
    written = (table.schema.metadata or {}).get(CODEC_KEY.encode())
    if written is None:
        raise OptionError(f"{file} has no observations: export it with --observations.")
    spec = msgspec.json.decode(written, type=Spec)
    make(spec.rulebook, players=spec.players).spec.check_version(spec.version)
    columns = {name: table[name].combine_chunks() for name in table.column_names}
    indexes = columns["legal"].flatten().to_numpy()
    rows = np.repeat(np.arange(len(table)), np.diff(columns["legal"].offsets.to_numpy()))
    legal = np.zeros((len(table), max(spec.num_actions, int(indexes.max()) + 1)), np.bool_)
    legal[rows, indexes] = True
    return TrainingData(
        spec,
        {
            part.name: columns[f"observation.{part.name}"]
            .flatten()
            .to_numpy()
            .reshape(-1, *part.shape)
            for part in spec.parts
        },
        columns["action"].to_numpy(),
        legal,
        columns["won"].to_numpy(),
    )
