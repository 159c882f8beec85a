"""What the judge says in a few positions of known games, and the coach of them: in percent."""

from collections.abc import Iterator, Sequence
from itertools import cycle, islice

import highvoltage as hv
from golden.choices import told
from golden.known import GOLDEN, moments, played, write
from golden.playthrough import FOLDER
from highvoltage.coaching import changes
from highvoltage.judge import Evaluation, advise, evaluate

JUDGEMENTS = FOLDER / "judgements"
BUDGET = "8"  # playouts
LEVELS = ("tycoon", None, "clerk", "engineer")
"""Who sits there, in turn."""


def judgements(name: str) -> str:
    return "".join(f"{line}\n" for line in lines_of(name))


def lines_of(name: str) -> Iterator[str]:
    """At first sight among strangers, then played on among several levels."""
    early, late, _ = moments(name, 2)
    levels = (*islice(cycle(LEVELS), len(early.names)),)
    last = played(name).after(len(played(name).log) - 1)
    for game in map(with_a_choice, (early, late, last)):
        assert game.to_move is not None
        yield f"{len(game.log) + 1} {game.phase} {game.names[game.to_move]}"
        yield from evaluation_lines(evaluate(game))
        yield from evaluation_lines(evaluate(game, BUDGET, players=levels))
    yield from advice_lines(with_a_choice(late), levels)


def advice_lines(game: hv.Game, levels: Sequence[str | None]) -> Iterator[str]:
    """A hint at first sight, one after playing on, and what changed for a seat since it began."""
    seat = game.to_move
    assert seat is not None
    for budget in (None, BUDGET):
        view = game.view(seat, history=True)
        yield f"hint: {told(advise(view, game.legal_moves, budget=budget))}"
    first = next(number for number, row in enumerate(game.log, 1) if row.seat == seat)
    for reason in changes(game, seat, first, tuple(levels)):
        values = [f"{value}={said}" for value, said in reason.values.items()]
        yield f"coach: {', '.join([reason.code, *values])}"


def with_a_choice(game: hv.Game) -> hv.Game:
    """The position, or the last one before it in which there is a choice."""
    while len(game.legal_moves) == 1:
        game = game.after(len(game.log) - 1)
    return game


def evaluation_lines(said: Evaluation) -> Iterator[str]:
    yield f"  {said.judge} in {said.worlds} worlds: {in_percent(said.chances, said.errors)}"
    for each in said.moves:
        behind = f"{in_percent([each.behind], [each.doubt])} behind"
        yield f"    {each.move}: {in_percent(each.chances, each.errors)}; {behind}"


def in_percent(chances: Sequence[float], errors: Sequence[float]) -> str:
    return " ".join(
        f"{chance:.0%} ± {error:.0%}" for chance, error in zip(chances, errors, strict=True)
    )


if __name__ == "__main__":
    for name in GOLDEN:
        write(JUDGEMENTS, name, judgements(name))
