"""A data set of games by mixed levels of bots, in the layout that the Hugging Face hub expects.

Everything about game `n` follows from the seed and from `n`, so the same seed gives the same bytes.
A folder has a card (`README.md`), Parquet shards for each rulebook and split, and checksums.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from msgspec import Struct

import highvoltage as hv
from highvoltage import bots, codec
from highvoltage.data.card import Counts, card_text
from highvoltage.data.rows import COLUMNS, SourceGame, move_rows, observed_rows
from highvoltage.data.write import ROWS_PER_CHUNK, ParquetWriter, Row
from highvoltage.engine.errors import OptionError
from highvoltage.testing import Setting, settings
from highvoltage.tournament.runs import workers

RULEBOOKS = ("classic", "recharged", "cardgame", "outpost")
LEVELS = ("random", "apprentice", "clerk", "engineer")
SPLITS = {"train": 0.9, "validation": 0.05, "test": 0.05}
GAMES_PER_SHARD = 1_000
OBSERVED_GAMES_PER_SHARD = 50
GAMES_PER_TASK = 4
MAX_DECISIONS = 20_000  # a longer game is left out
SEAT, WON = ([*COLUMNS].index(name) for name in ("seat", "won"))


@cache
def settings_of(rulebook: str, *, usual_parts: bool) -> list[Setting]:
    """Every board and number of players; or those that are observed in the usual parts."""
    known = [each for each in settings(rulebook) if not each.options]
    if not usual_parts:
        return known
    usual = codec.spec(rulebook).parts
    return [each for each in known if codec.spec(rulebook, each.map, each.players).parts == usual]


class DataSet(Struct, frozen=True):
    """Which games to play, and what to write about them."""

    games: int
    seed: str = "1"
    observations: bool = False

    def deal(self, number: int) -> "Deal":
        """Rulebook, board, players, bots and split of a game."""
        rng = Random(f"{self.seed}/{number}")
        rulebook = RULEBOOKS[number % len(RULEBOOKS)]
        setting = rng.choice(settings_of(rulebook, usual_parts=self.observations))
        levels = tuple(rng.choices(LEVELS, k=setting.players))
        split = rng.choices([*SPLITS], [*SPLITS.values()])[0]
        return Deal(number, f"{self.seed}/{number}", setting, levels, split)


class Deal(NamedTuple):
    """One game of a data set."""

    number: int
    seed: str
    setting: Setting
    levels: tuple[str, ...]  # by seat
    split: str

    @property
    def name(self) -> str:
        return f"{self.setting.rulebook}-{self.number:06}"


def make_dataset(
    about: DataSet,
    folder: Path,
    jobs: int = 1,
    progress: Callable[[int], None] = lambda _: None,
) -> Counts:
    """Play the games and write the folder; `progress` gets the number of games so far."""
    if folder.exists() and any(folder.iterdir()):
        raise OptionError(f"{folder} is not empty: name a folder that does not exist yet.")
    deals = [about.deal(number) for number in range(about.games)]
    shards = Shards(about, folder, deals)
    counts = Counts(Counter(), Counter(), Counter(), Counter())
    for done, (deal, rows) in enumerate(zip(deals, played(about, jobs), strict=True), 1):
        if rows:
            shards.write(deal, rows)
            add(counts, deal, rows)
        progress(done)
    shards.close()
    (folder / "README.md").write_text(
        card_text(about.games, about.seed, counts, observations=about.observations), "utf-8"
    )
    write_checksums(folder)
    return counts


def played(about: DataSet, jobs: int) -> Iterator[list[Row]]:
    """The rows of every game, in order."""
    tasks = [
        range(first, min(first + GAMES_PER_TASK, about.games))
        for first in range(0, about.games, GAMES_PER_TASK)
    ]
    if jobs == 1:
        for task in tasks:
            yield from play_some(about, task)
        return
    pool = workers(jobs)
    try:
        for some in pool.map(play_some, [about] * len(tasks), tasks):
            yield from some
    finally:
        pool.shutdown(cancel_futures=True)


def play_some(about: DataSet, numbers: range) -> list[list[Row]]:
    return [play_deal(about, about.deal(number)) for number in numbers]


def play_deal(about: DataSet, deal: Deal) -> list[Row]:
    """Play a game; its rows, or none if it does not end."""
    setting = deal.setting
    game = hv.new(setting.rulebook, map=setting.map, players=setting.players, seed=deal.seed)
    players = [bots.make(level, f"{deal.seed}/{at}") for at, level in enumerate(deal.levels)]
    while (seat := game.to_move) is not None:
        if len(game.log) >= MAX_DECISIONS:
            return []
        game.play(bots.ask(players[seat], game).move)
    source = SourceGame(deal.name, game.record(), deal.levels)
    if about.observations:
        code = codec.make(setting.rulebook, setting.map, setting.players)
        return [*observed_rows(source, code)]
    return [*move_rows(source)]


class Shards:
    """The Parquet files of a data set; each is closed before the next of its kind begins."""

    def __init__(self, about: DataSet, folder: Path, deals: list[Deal]) -> None:
        self._about = about
        self._folder = folder
        self._size = OBSERVED_GAMES_PER_SHARD if about.observations else GAMES_PER_SHARD
        self._games = Counter((deal.setting.rulebook, deal.split) for deal in deals)
        self._seen: Counter[tuple[str, str]] = Counter()
        self._open: dict[tuple[str, str], ParquetWriter] = {}
        self._rows: dict[tuple[str, str], list[Row]] = {}

    def write(self, deal: Deal, rows: list[Row]) -> None:
        kind = deal.setting.rulebook, deal.split
        shard, at = divmod(self._seen[kind], self._size)
        if at == 0:
            self._close(kind)
            self._open[kind] = self._begin(kind, shard)
        self._seen[kind] += 1
        waiting = self._rows.setdefault(kind, [])
        waiting += rows
        if len(waiting) >= ROWS_PER_CHUNK:
            self._open[kind].write(self._rows.pop(kind))

    def _begin(self, kind: tuple[str, str], shard: int) -> ParquetWriter:
        rulebook, split = kind
        folder = self._folder / "data" / rulebook
        folder.mkdir(parents=True, exist_ok=True)
        shards = -(-self._games[kind] // self._size)
        file = folder / f"{split}-{shard:05}-of-{shards:05}.parquet"
        return ParquetWriter(file, codec.spec(rulebook) if self._about.observations else None)

    def _close(self, kind: tuple[str, str]) -> None:
        writer = self._open.pop(kind, None)
        if writer is not None:
            if rows := self._rows.pop(kind, None):
                writer.write(rows)
            writer.close()

    def close(self) -> None:
        for kind in [*self._open]:
            self._close(kind)


def add(counts: Counts, deal: Deal, rows: list[Row]) -> None:
    rulebook = deal.setting.rulebook
    counts.games[rulebook, deal.split] += 1
    counts.decisions[rulebook, deal.split] += len(rows)
    won: dict[Any, Any] = {row[SEAT]: row[WON] for row in rows}
    for seat, level in enumerate(deal.levels):
        counts.seats[rulebook, level] += 1
        counts.wins[rulebook, level] += won.get(seat, 0)


def write_checksums(folder: Path) -> None:
    """SHA256SUMS, as `sha256sum --check` reads it."""
    files = sorted(file for file in folder.rglob("*") if file.is_file())
    lines = [
        f"{sha256(file.read_bytes()).hexdigest()}  {file.relative_to(folder)}" for file in files
    ]
    (folder / "SHA256SUMS").write_text("\n".join(lines) + "\n", "utf-8")
