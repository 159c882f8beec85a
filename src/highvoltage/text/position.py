"""A position as text."""

from rich.console import Console
from rich.text import Text

from highvoltage.engine.game import Game
from highvoltage.text.narration import won
from highvoltage.text.show import renderer_for, scene_of
from highvoltage.words import say


def show_position(game: Game, console: Console) -> None:
    scene = scene_of(game, None)
    show = renderer_for(scene.view)
    console.print(show.position(scene))
    if game.outcome is None:
        assert game.to_move is not None
        console.print(say("terminal_to_move", name=scene.name(game.to_move)))
    else:
        console.print(Text(won([scene.name(seat) for seat in game.outcome.winners]), "bold"))
        console.print(show.result(scene))
