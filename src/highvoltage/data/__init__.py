"""Games as data sets: one row per decision, as Parquet or as lines of JSON.

>>> from pathlib import Path
>>> from tempfile import TemporaryDirectory
>>> import highvoltage as hv
>>> from highvoltage import bots, data
>>> with TemporaryDirectory() as name:
...     folder = Path(name)
...     game = hv.new("cardgame", players=2, seed=1)
...     bots.play_game(game, [bots.make("clerk", seed) for seed in range(2)])
...     _ = (folder / "game.txt").write_text(str(game.record()))
...     counts = data.export(data.records(folder).games, folder / "games.jsonl")
...     first = (folder / "games.jsonl").read_text().splitlines()[0]
>>> counts.games, counts.decisions == len(game.log), first[:22]
(1, True, '{"game":"game","rulebo')
"""

from highvoltage.data.dataset import DataSet, make_dataset
from highvoltage.data.load import TrainingData, load
from highvoltage.data.rows import COLUMNS, SourceGame, observed_rows, plain_rows
from highvoltage.data.sources import Source, records, server_games, tournament_games
from highvoltage.data.write import WriteCounts, export

__all__ = [
    "COLUMNS",
    "DataSet",
    "Source",
    "SourceGame",
    "TrainingData",
    "WriteCounts",
    "export",
    "load",
    "make_dataset",
    "observed_rows",
    "plain_rows",
    "records",
    "server_games",
    "tournament_games",
]
