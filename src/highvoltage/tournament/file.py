"""The file of a tournament: what is played, then one result a line, so that it can go on."""

from pathlib import Path

import msgspec

from highvoltage.engine.errors import HighVoltageError
from highvoltage.tournament.games import Result, Tournament


class ResultFile:
    """Results on disk; a line that was cut off when a tournament was stopped is dropped."""

    def __init__(self, path: Path, cup: Tournament) -> None:
        self.path = path
        self.results: list[Result] = []
        if path.exists():
            self._read(cup)
        else:
            path.write_bytes(msgspec.json.encode(cup) + b"\n")

    def _read(self, cup: Tournament) -> None:
        head, *lines = self.path.read_bytes().splitlines(keepends=True)
        try:
            begun = msgspec.json.decode(head, type=Tournament)
        except msgspec.DecodeError as error:
            raise HighVoltageError(f"{self.path} is no file of a tournament: {error}") from None
        if msgspec.structs.replace(begun, games=cup.games) != cup:
            raise HighVoltageError(f"{self.path} belongs to another tournament: {head.decode()}")
        whole = [line for line in lines if line.endswith(b"\n")]
        self.path.write_bytes(head + b"".join(whole))
        results = (msgspec.json.decode(line, type=Result) for line in whole)
        self.results = [result for result in results if result.number < cup.games]

    @property
    def done(self) -> set[int]:
        return {result.number for result in self.results}

    def add(self, result: Result) -> None:
        self.results.append(result)
        with self.path.open("ab") as file:
            file.write(msgspec.json.encode(result) + b"\n")
