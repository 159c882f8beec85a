"""Known games: the golden playthroughs, and finished games on boards with rules of their own."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import highvoltage as hv
from golden.playthrough import FOLDER, GAMES, moves_of, path_of, play

CORPUS = FOLDER.parent / "corpus"
OFTEN = ("germany", "usa", "central_europe")
GOLDEN = {path_of(setting).stem: setting for setting in GAMES}
FURTHER = sorted(
    file.stem
    for pattern in (
        "classic-with-*-players-version-[23].txt",
        "recharged-with-*-players-version-3.txt",
        "cardgame-with-*-[356]-players-version-2.txt",
        "outpost-with-*-[456]-players-version-3.txt",
    )
    for file in CORPUS.glob(pattern)
    if not file.stem.partition("-with-")[2].startswith(OFTEN)
)


@cache
def played(name: str) -> hv.Game:
    """A known game at its end."""
    if name in FURTHER:
        return hv.replay((CORPUS / f"{name}.txt").read_text("utf-8"))
    setting = GOLDEN[name]
    return play(setting, moves_of(path_of(setting).read_text("utf-8")))


def decisions(name: str, every: int) -> Iterator[tuple[int, hv.Game]]:
    """Every so many decisions of a known game: the number of the move, and the game before it."""
    log = played(name).log
    game, found = played(name).after(0), 0
    for move, row in enumerate(log, 1):
        if len(game.legal_moves) > 1:
            found += 1
            if found % every == 0:
                yield move, game
        game.play(row.move)


def moments(name: str, count: int) -> Iterator[hv.Game]:
    """So many positions of a known game, evenly spread, and its end."""
    moves = len(played(name).log)
    for number in range(1, count + 1):
        yield played(name).after(number * moves // (count + 1))
    yield played(name)


def write(folder: Path, name: str, text: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.txt").write_text(text, "utf-8")
