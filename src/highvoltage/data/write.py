"""Writing data sets, row by row, in pieces that fit into memory."""

from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import msgspec
import numpy as np

from highvoltage.codec import Codec, Spec
from highvoltage.data.rows import (
    COLUMNS,
    OBSERVATION_COLUMNS,
    SourceGame,
    codec_for,
    observed_rows,
    plain_rows,
)
from highvoltage.engine.errors import OptionError
from highvoltage.extras import extra

ROWS_PER_CHUNK = 2_048  # rows
CODEC_KEY = "highvoltage.codec"

Row = tuple[Any, ...]


class WriteCounts(NamedTuple):
    """The numbers of games and decisions written."""

    games: int
    decisions: int


class Writer(Protocol):
    """Writes rows of one format until it is closed."""

    def write(self, rows: list[Row]) -> None: ...
    def close(self) -> None: ...


def export(
    games: Iterable[SourceGame],
    file: Path,
    *,
    observations: bool = False,
    progress: Callable[[WriteCounts], None] = lambda _: None,
) -> WriteCounts:
    """Write games to a .parquet or a .jsonl file; `progress` is called after every game."""
    kind = WRITERS.get(file.suffix)
    if kind is None:
        raise OptionError(f"{file} is written neither as .parquet nor as .jsonl: name it so.")
    queue = iter(games)
    first = next(queue, None)
    if first is None:
        raise OptionError("There is no game to export here.")
    code = codec_for(first.record) if observations else None
    counts, rows = WriteCounts(0, 0), list[Row]()
    writer = kind(file, code.spec if code else None)
    try:
        for source in chain([first], queue):
            before = len(rows)
            rows += _observed(source, code) if code else plain_rows(source)
            counts = WriteCounts(counts.games + 1, counts.decisions + len(rows) - before)
            if len(rows) >= ROWS_PER_CHUNK:
                writer.write(rows)
                rows = []
            progress(counts)
        if rows:
            writer.write(rows)
    finally:
        writer.close()
    return counts


def _observed(source: SourceGame, first: Codec) -> Iterator[Row]:
    code = codec_for(source.record)
    if code.spec.parts != first.spec.parts or code.spec.rulebook != first.spec.rulebook:
        raise OptionError(
            f"{source.name} is of {code.spec.rulebook}, and others are of {first.spec.rulebook};"
            " a data set with observations is of one rulebook: name it with --rulebook"
        )
    return observed_rows(source, code)


def _slices(spec: Spec | None) -> dict[str, tuple[slice, tuple[int, ...]]]:
    """The slice of each part in the row of numbers, and its shape."""
    found, first = {}, 0
    for part in spec.parts if spec else ():
        end = first + int(np.prod(part.shape))
        found[part.name] = slice(first, end), part.shape
        first = end
    return found


class JsonLinesWriter:
    """JSON, one object per line."""

    def __init__(self, file: Path, spec: Spec | None) -> None:
        self._file = file.open("wb")
        self._encoder = msgspec.json.Encoder(enc_hook=_plain)
        self._more: dict[str, Any] = {"codec": spec.version} if spec else {}
        self._names = [*COLUMNS, *(OBSERVATION_COLUMNS if spec else ())]
        self._parts = _slices(spec)

    def write(self, rows: list[Row]) -> None:
        for row in rows:
            fields = dict(zip(self._names, row, strict=False)) | self._more
            if self._parts:
                fields["observation"] = {
                    name: row[-1][at].reshape(shape) for name, (at, shape) in self._parts.items()
                }
            self._file.write(self._encoder.encode(fields) + b"\n")

    def close(self) -> None:
        self._file.close()


def _plain(value: Any) -> Any:
    if not isinstance(value, np.ndarray):
        raise TypeError(type(value))
    if value.dtype == np.float32:  # which would be written in the digits of 64 bits
        value = value.astype(float).round(4)
    return value.tolist()


class ParquetWriter:
    """Columns; the spec of the codec is in the file's metadata, under `highvoltage.codec`."""

    def __init__(self, file: Path, spec: Spec | None) -> None:
        with extra("data"):
            import pyarrow as pa  # type: ignore[import-untyped]  # noqa: PLC0415
            from pyarrow import parquet  # noqa: PLC0415
        self._pa = pa
        self._parts = _slices(spec)
        kinds = {
            **dict.fromkeys(("rules", "players", "seat", "place"), pa.int8()),
            **dict.fromkeys(("seq", "round"), pa.int32()),
            "turned": pa.list_(pa.string()),
            "won": pa.float32(),
            "action": pa.int16(),
            "legal": pa.list_(pa.int16()),
        }
        plain = [*COLUMNS, *(OBSERVATION_COLUMNS if spec else ())]
        fields = [(name, kinds.get(name, pa.string())) for name in plain]
        fields += [
            (f"observation.{name}", pa.list_(pa.float32(), int(np.prod(shape))))
            for name, (_, shape) in self._parts.items()
        ]
        metadata = {CODEC_KEY: msgspec.json.encode(spec)} if spec else {}
        self._schema = pa.schema(fields, metadata=metadata)
        self._writer = parquet.ParquetWriter(
            file, self._schema, compression="zstd", use_dictionary=plain, write_statistics=plain
        )

    def write(self, rows: list[Row]) -> None:
        pa, columns = self._pa, list(zip(*rows, strict=True))
        observed = self._observed(columns[-2:]) if self._parts else []
        plain = columns[: len(self._schema) - len(observed)]
        arrays = [
            pa.array(values, field.type) for values, field in zip(plain, self._schema, strict=False)
        ]
        self._writer.write_table(pa.Table.from_arrays(arrays + observed, schema=self._schema))

    def _observed(self, columns: list[Any]) -> list[Any]:
        """Legal indexes and observations, converted without Python lists."""
        pa, (legal, observations) = self._pa, columns
        offsets = np.cumsum([0, *map(len, legal)], dtype=np.int32)
        indexes = np.concatenate(legal).astype(np.int16)
        arrays = [pa.ListArray.from_arrays(offsets, indexes)]
        numbers = np.stack(observations)
        for at, shape in self._parts.values():
            part = pa.array(np.ascontiguousarray(numbers[:, at]).ravel())
            arrays.append(pa.FixedSizeListArray.from_arrays(part, int(np.prod(shape))))
        return arrays

    def close(self) -> None:
        self._writer.close()


WRITERS: dict[str, Callable[[Path, Spec | None], Writer]] = {
    ".parquet": ParquetWriter,
    ".jsonl": JsonLinesWriter,
}
