"""The file of a tournament: its settings, then one result per line, so that it can be resumed."""

from pathlib import Path

import msgspec

from highvoltage.engine.errors import HighVoltageError
from highvoltage.tournament.games import Result, Tournament


def read_results(path: Path) -> tuple[Tournament, list[Result]]:
    """The tournament and the results in a file."""
    head, *lines = path.read_bytes().splitlines(keepends=True) or [b""]
    try:
        cup = msgspec.json.decode(head, type=Tournament)
        whole = (line for line in lines if line.endswith(b"\n"))
        return cup, [msgspec.json.decode(line, type=Result) for line in whole]
    except msgspec.DecodeError as error:
        raise HighVoltageError(f"{path} is no file of a tournament: {error}") from None


class ResultFile:
    """Results on disk. A last line that was cut off when the tournament stopped is dropped."""

    def __init__(self, path: Path, cup: Tournament) -> None:
        self.path = path
        self.results: list[Result] = []
        if path.exists():
            self._read(cup)
        else:
            path.write_bytes(msgspec.json.encode(cup) + b"\n")

    def _read(self, cup: Tournament) -> None:
        begun, results = read_results(self.path)
        if msgspec.structs.replace(begun, games=cup.games) != cup:
            other = msgspec.json.encode(begun).decode()
            raise HighVoltageError(f"{self.path} belongs to another tournament: {other}")
        head, *lines = self.path.read_bytes().splitlines(keepends=True)
        self.path.write_bytes(head + b"".join(lines[: len(results)]))
        self.results = [result for result in results if result.number < cup.games]

    @property
    def done(self) -> set[int]:
        return {result.number for result in self.results}

    def add(self, result: Result) -> None:
        self.results.append(result)
        with self.path.open("ab") as file:
            file.write(msgspec.json.encode(result) + b"\n")
