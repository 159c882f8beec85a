"""What a language model is told in a few positions of known games: reviewed by its diff."""

from collections.abc import Iterator

import highvoltage as hv
from golden.known import FURTHER, GOLDEN, moments, write
from golden.playthrough import FOLDER
from highvoltage import brief
from highvoltage.table import offers
from highvoltage.table.snapshot import log_row

BRIEFS = FOLDER / "briefs"
NAMES = [*GOLDEN, *FURTHER]


def briefs(name: str) -> str:
    return "\n".join(line for game in moments(name, 2) for line in lines_of(game))


def lines_of(game: hv.Game) -> Iterator[str]:
    """The position, the moves, the last moves; of a game that is over its network, too."""
    view = game.view(game.to_move)
    yield brief.position(view)
    if game.to_move is None:
        if "connect" in view:
            yield brief.network(view, game.rules.ruleset.board())
    else:
        yield brief.moves(view, offers(game))
    yield brief.history(game.names, [log_row(row, "person") for row in game.log[-12:]])
    yield ""


if __name__ == "__main__":
    for name in NAMES:
        write(BRIEFS, name, briefs(name))
