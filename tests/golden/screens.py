"""What the terminal shows of known games: screens, menus and sentences."""

import io

from rich.console import Console, RenderableType

import highvoltage as hv
from golden.known import FURTHER, GOLDEN, played, write
from golden.playthrough import FOLDER
from highvoltage import words
from highvoltage.text.position import show_position
from highvoltage.text.show import narrator_for, renderer_for, scene_of

SCREENS = FOLDER / "screens"
WHOLE = [name for name, setting in GOLDEN.items() if setting.players == 2]
SHOWN = [*WHOLE, *FURTHER]
SHARES = (0, 0.1, 0.25, 0.4, 0.55, 0.7, 0.85, 0.95, 1)
"""Of the moves of a game, after which the screen is shown."""
SHARES_FURTHER = (0.5, 0.6)


def screens(name: str) -> str:
    """The screens of some moments with what happened since the last one."""
    game = played(name)
    shares = SHARES if name in WHOLE else SHARES_FURTHER
    console = Console(width=100, file=(shown := io.StringIO()), force_terminal=False)
    with words.speaking(words.ENGLISH):
        told = 0 if name in WHOLE else int(shares[0] * len(game.log))
        for share in shares:
            moves = int(share * len(game.log))
            before = game.log[told - 1] if told else None
            for line in narrator_for(game).rows(game.log[told:moves], before):
                console.print(line, markup=False, soft_wrap=True)
            told = moves
            show(game.after(moves), console)
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


if __name__ == "__main__":
    for name in SHOWN:
        write(SCREENS, name, screens(name))
