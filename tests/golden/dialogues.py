"""What is said at the terminal when somebody types: in known games, puzzles and the rules."""

import tempfile
from collections.abc import Callable
from contextlib import chdir
from pathlib import Path

from rich.console import Console

from cli.typing_players import Typed, sit
from golden.known import played, write
from golden.playthrough import FOLDER
from highvoltage import puzzles, words
from highvoltage.cli.play import TerminalGame
from highvoltage.cli.reading import show_query, show_rulebooks
from highvoltage.cli.replaying import show_game, step_through
from highvoltage.cli.solving import TerminalPuzzle
from highvoltage.rules import UnknownRule

DIALOGUES = FOLDER / "dialogues"
GAMES = ("classic-germany-3", "cardgame-2-demolition-True", "outpost-planet-2")
SHARES = (0.1, 0.45, 0.8)
"""Of the moves of a game, after which a person sits down among clerks."""
TYPED = """legal, table, map, log 3, log, help, rules fuel --exact, rules zebra,
save, max, max 13 99, max 99, max 1, dance, buy 99 coal, why, why --exact, undo, 1, log 2,
undo, table, quit""".replace("\n", " ").split(", ")
QUERIES = ("C-4.5.2", "K-4.1.1", "O-7.1.2", "discount token", "zebra", "X-1.1")


def in_a_game(name: str) -> Console:
    console = Typed(iter(()))
    for share in SHARES:
        game = played(name).after(int(share * len(played(name).log)))
        assert game.to_move is not None
        clerks = {seat: "clerk" for seat in range(len(game.names)) if seat != game.to_move}
        console.lines = iter(TYPED)
        TerminalGame(sit(game, Path("game.txt"), clerks), console).run()
    return console


def at_puzzles(_: str) -> Console:
    console, seen = Typed(iter(())), set()
    for puzzle in puzzles.shipped():
        if (puzzle.rulebook, puzzle.judge) not in seen:
            seen.add((puzzle.rulebook, puzzle.judge))
            wrong = next(each.move for each in puzzle.tried if each.move not in puzzle.answers)
            console.lines = iter(["help", wrong, "answer"])
            TerminalPuzzle(puzzle, console).run()
    return console


def over_a_replay(_: str) -> Console:
    console = Typed(iter(["", "b", "back", "30", "999", "q"]))
    game = played(GAMES[1])
    show_game(game, console)
    step_through(game, 3, console)
    return console


def in_the_rules(_: str) -> Console:
    console = Typed(iter(()))
    show_rulebooks(console)
    for query in QUERIES:
        for exact in (False, True):
            console.print(f"> {query}{' --exact' * exact}")
            try:
                show_query(console, query, "classic", exact=exact)
            except UnknownRule as refused:
                console.print(str(refused))
    return console


HELD: dict[str, Callable[[str], Console]] = {
    **dict.fromkeys(GAMES, in_a_game),
    "puzzles": at_puzzles,
    "replay": over_a_replay,
    "rules": in_the_rules,
}


def dialogue(name: str) -> str:
    with words.speaking(words.ENGLISH), tempfile.TemporaryDirectory() as folder, chdir(folder):
        console = HELD[name](name)
    assert isinstance(console, Typed)
    return "\n".join(line.rstrip() for line in console.text.splitlines()) + "\n"


if __name__ == "__main__":
    for name in HELD:
        write(DIALOGUES, name, dialogue(name))
