"""What the terminal shows of a few golden playthroughs: screens, menus and every sentence."""

import io
from pathlib import Path

from rich.console import Console, RenderableType

import highvoltage as hv
from golden.playthrough import FOLDER, GAMES, moves_of, path_of, play
from highvoltage import words
from highvoltage.testing import Setting
from highvoltage.text.position import show_position
from highvoltage.text.show import narrator_for, renderer_for, scene_of

SHOWN = [each for each in GAMES if each.players == 2]
SCREENS = FOLDER / "screens"
SHARES = (0, 0.1, 0.25, 0.4, 0.55, 0.7, 0.85, 0.95)
"""Of the moves of a game, after which the screen is shown."""


def path_of_screens(setting: Setting) -> Path:
    return SCREENS / path_of(setting).name


def screens(setting: Setting) -> str:
    """The screens of some moments with what happened since the last one."""
    played = play(setting, moves_of(path_of(setting).read_text("utf-8")))
    console = Console(width=100, file=(shown := io.StringIO()))
    with words.speaking(words.ENGLISH):
        told = 0
        for moves in [*(int(share * len(played.log)) for share in SHARES), len(played.log)]:
            before = played.log[told - 1] if told else None
            for line in narrator_for(played).rows(played.log[told:moves], before):
                console.print(line, markup=False, soft_wrap=True)
            told = moves
            show(played.after(moves), console)
    return "\n".join(line.rstrip() for line in shown.getvalue().splitlines()) + "\n"


def show(game: hv.Game, console: Console) -> None:
    """The position, and what the seat to move may do."""
    console.print()
    show_position(game, console)
    if game.to_move is None:
        return
    scene = scene_of(game, game.to_move)
    renderer = renderer_for(scene.view)
    menu = renderer.menu(scene)
    parts: list[RenderableType | None] = [renderer.focus(scene), renderer.map(scene), menu.shown]
    first = {move.verb: move for move in reversed(scene.legal.choices)}
    advice = [narrator_for(game).order(move) for move in first.values()]
    for part in [renderer.prompt(scene), *parts, menu.hint, *advice]:
        if part is not None:
            console.print(part)


def main() -> None:
    for setting in SHOWN:
        path_of_screens(setting).write_text(screens(setting), "utf-8")


if __name__ == "__main__":
    main()
