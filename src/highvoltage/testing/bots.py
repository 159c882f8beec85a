"""The checks that every bot has to pass: it finishes games of every rulebook."""

from collections.abc import Callable, Iterable, Iterator
from random import Random
from typing import Any

from highvoltage.engine.game import Game
from highvoltage.engine.legal import Moves
from highvoltage.games import editions
from highvoltage.testing.kit import MAX_MOVES
from highvoltage.testing.settings import Setting
from highvoltage.views.choice import Choice, fault_of

MakeBot = Callable[[Random], Any]
"""Makes a bot from its only source of randomness; usually the bot's class."""


def every_rulebook() -> Iterator[Setting]:
    """Every rulebook with every number of players, on its maps in turn."""
    for name, edition in editions().items():
        maps: list[str | None] = [*edition.meta.maps] or [None]
        for number, players in enumerate(edition.meta.players):
            yield Setting(name, maps[number % len(maps)], players)


def check_bot(
    make: MakeBot,
    settings: Iterable[Setting] | None = None,
    *,
    seed: int = 0,
    repeatable: bool = True,
) -> None:
    """Let a bot play all seats of a game in every rulebook, or in some settings.

    Every choice has to be legal, with a readable reason. Now and then a bot is replaced by a new
    one in mid-game, as a server may do; that may cost it strength but nothing else. If it is
    `repeatable` (it does not think against the clock), the first game is played twice and has to be
    the same. AssertionError says what is broken and where.

    >>> from highvoltage.bots.random import RandomBot
    >>> check_bot(RandomBot, [Setting("cardgame", players=3)])
    """
    for number, setting in enumerate(every_rulebook() if settings is None else settings):
        played = _play(make, setting, seed)
        if repeatable and not number:
            again = _play(make, setting, seed)
            assert [row.move for row in again.log] == [row.move for row in played.log], (
                f"{setting}: with the same chance it plays another game;"
                " all its chance has to come from the one it is given"
            )


def _play(make: MakeBot, setting: Setting, seed: int) -> Game:
    rng = Random(f"{setting}/{seed}")
    game = setting.new(seed)
    bots = [make(Random(f"{seed}/{seat}")) for seat in range(setting.players)]
    needs = getattr(bots[0], "needs", "view")
    assert needs in {"nothing", "parts", "view", "history"}, f"a bot cannot need {needs!r}"
    while (seat := game.to_move) is not None:
        if rng.random() < 0.02:
            bots[seat] = make(Random(f"{seed}/{seat}/{len(game.log)}"))
        view = _view_for(needs, game, seat)
        legal = game.legal_moves
        place = f"{setting}, move {len(game.log) + 1}, {game.phase}"
        try:
            choice = bots[seat].choose(view, legal)
        except Exception as error:
            raise AssertionError(f"{place}: it fails with {error!r}") from error
        _check_choice(choice, legal, place)
        game.play(choice.move)
        assert len(game.log) < MAX_MOVES, f"{setting}: the game does not end"
    return game


def _view_for(needs: str, game: Game, seat: int) -> Any:
    if needs == "nothing":
        return {}
    if needs == "parts":
        return game.lazy_view(seat)
    return game.view(seat, history=needs == "history")


def _check_choice(choice: object, legal: Moves, place: str) -> None:
    assert not (fault := fault_of(choice)), f"{place}: {fault}"
    assert isinstance(choice, Choice)
    assert choice.move in legal, f"{place}: {choice.move} is not legal"
    why = choice.why
    assert all(isinstance(value, int | str) for value in why.values.values()), (
        f"{place}: the values of a reason are numbers and words, not {why.values}"
    )
    assert str(why).strip(), f"{place}: its reason cannot be read"
