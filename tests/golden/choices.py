"""What bots choose in the positions of the golden playthroughs, and why: reviewed by their diff."""

from collections.abc import Iterator
from pathlib import Path

import highvoltage as hv
from golden.playthrough import FOLDER, GAMES, moves_of, path_of, play
from highvoltage import bots
from highvoltage.bots import Choice

CHOICES = FOLDER / "choices"
CORPUS = FOLDER.parent / "corpus"
EVERY = {"clerk": 2, "engineer": 1, "director:16": 40, "tycoon": 9}
"""Each bot with how many decisions there are to one that it is asked for."""
EVERY_IN_CORPUS = {"clerk": 15, "engineer": 8, "tycoon": 30}
OFTEN = ("germany", "usa", "central_europe")
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
"""Finished games: boards with rules of their own, and many players.

The engineer adds floats, which Python 3.12 does more exactly than 3.11; no choice here depends on
that.
"""


def path_of_choices(name: str, bot: str) -> Path:
    return CHOICES / bot.partition(":")[0] / f"{name}.txt"


def cases() -> Iterator[tuple[str, str]]:
    """The name of every game with every bot that is asked in it."""
    for setting in GAMES:
        yield from ((path_of(setting).stem, bot) for bot in EVERY)
    for name in FURTHER:
        yield from ((name, bot) for bot in EVERY_IN_CORPUS)


def choices(name: str, bot: str) -> str:
    """What a bot would do in the place of whoever is to move."""
    return "".join(f"{line}\n" for line in lines_of(name, bot))


def lines_of(name: str, bot: str) -> Iterator[str]:
    asked = bots.make(bot, 1)
    if name in FURTHER:
        played = hv.replay((CORPUS / f"{name}.txt").read_text("utf-8"))
        every = EVERY_IN_CORPUS[bot]
    else:
        setting = next(each for each in GAMES if path_of(each).stem == name)
        played = play(setting, moves_of(path_of(setting).read_text("utf-8")))
        every = EVERY[bot]
    game, decisions = played.after(0), 0
    for row in played.log:
        if len(game.legal_moves) > 1:
            decisions += 1
            if decisions % every == 0:
                yield f"{len(game.log) + 1} {game.names[row.seat]} {told(bots.ask(asked, game))}"
        game.play(row.move)


def told(choice: Choice) -> str:
    values = [f"{name}={value}" for name, value in choice.why.values.items()]
    limit = [] if choice.limit is None else [f"up to {choice.limit}"]
    return ", ".join([str(choice.move), *limit, choice.why.code, *values])


def main() -> None:
    for name, bot in cases():
        path = path_of_choices(name, bot)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(choices(name, bot), "utf-8")


if __name__ == "__main__":
    main()
