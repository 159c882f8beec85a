"""The table of an arena: ratings, shares, illegal moves, tokens, money, and where it was lost."""

from collections.abc import Sequence
from statistics import fmean

from msgspec import Struct

import highvoltage as hv
from highvoltage.analysis import judge_decision, plan_analysis, run_plan
from highvoltage.arena.contest import OPPONENTS, ArenaGame, Contest
from highvoltage.arena.file import ArenaFile, JudgedLine
from highvoltage.tournament import Result, Standing, Tournament, standings
from highvoltage.tournament.games import places

MILLION = 1_000_000


class Price(Struct, frozen=True):
    """Money for a million tokens read, and written."""

    read: float = 0.0
    written: float = 0.0

    def of(self, read: float, written: float) -> float:
        return (read * self.read + written * self.written) / MILLION


class Row(Struct, frozen=True):
    """How a player or an opponent did. All values but the first are means of a game."""

    name: str
    games: int
    standing: Standing
    illegal: float | None = None
    stand_ins: float | None = None
    read: float | None = None
    written: float | None = None
    money: float | None = None
    worst: str = ""  # the phase in which it lost most
    lost: float = 0.0  # of the chance to win, there


def judge(game: ArenaGame, file: ArenaFile, budget: str) -> None:
    """Find out where the player lost chances, once."""
    if file.judged(game.player, game.deal):
        return

    own = [row.seat == game.seat for row in game.game.log]
    plan = plan_analysis(game.game, budget, f"{game.deal}", own=own)
    found = run_plan(plan, lambda task: judge_decision(game.game, task))
    lost: dict[str, float] = {}
    for decision in found.decisions:
        lost[decision.phase] = lost.get(decision.phase, 0.0) + decision.loss
    file.add(JudgedLine(game.player, game.deal, lost))


def rank(
    contest: Contest, file: ArenaFile, players: Sequence[str], prices: dict[str, Price]
) -> list[Row]:
    """The rows, best rating first, from all games that are over."""
    names = (*players, *OPPONENTS)
    cup = Tournament(contest.rulebook, names, players=len(OPPONENTS) + 1)
    results: list[Result] = []
    finished: dict[str, list[int]] = {name: [] for name in players}
    for at, player in enumerate(players):
        for deal in range(contest.deals):
            game = finished_game(contest, file, player, deal)
            if game is not None:
                finished[player].append(deal)
                seats = [at if who == 0 else len(players) + who - 1 for who in contest.seats(deal)]
                results.append(_result(len(results), game, seats))
    rows = standings(cup, results).rows if results else []
    return [_row(row, file, finished, prices) for row in rows if row.seats]


def finished_game(contest: Contest, file: ArenaFile, player: str, deal: int) -> hv.Game | None:
    """The game of a deal as it is in the file, if it is over."""
    lines = file.moves(player, deal)
    if not lines:
        return None
    game = contest.new(deal)
    for line in lines:
        game.play(line.move)
    return game if game.outcome else None


def _result(number: int, game: hv.Game, seats: list[int]) -> Result:
    assert game.outcome is not None
    nothing = (0,) * len(seats)
    ranking = places(game.outcome.ranking, len(seats))
    return Result(
        number, tuple(seats), True, game.state.round, ranking, nothing, (0.0,) * 4, (0.0,) * 4
    )


def _row(
    row: Standing, file: ArenaFile, finished: dict[str, list[int]], prices: dict[str, Price]
) -> Row:
    name, deals = row.bot, finished.get(row.bot)
    if deals is None:
        return Row(name, row.seats, row)
    decisions = [each for deal in deals for each in file.decisions(name, deal)]
    tokens = [file.tokens(name, deal) for deal in deals]
    read, written = fmean(each[0] for each in tokens), fmean(each[1] for each in tokens)
    judged = [found.lost for deal in deals if (found := file.judged(name, deal))]
    phases = sorted({phase for each in judged for phase in each})
    lost = {phase: fmean(each.get(phase, 0.0) for each in judged) for phase in phases}
    worst = max(lost, key=lambda phase: lost[phase], default="")
    return Row(
        name,
        len(deals),
        row,
        sum(each.illegal for each in decisions) / len(deals),
        sum(each.stand_in for each in decisions) / len(deals),
        read,
        written,
        prices.get(name, Price()).of(read, written),
        worst if lost.get(worst) else "",
        lost.get(worst, 0.0),
    )


HEAD = (
    "player",
    "games",
    "rating",
    "95 %",
    "won",
    "95 %",
    "illegal",
    "by clerk",
    "tokens read",
    "written",
    "money",
    "lost most in",
)


def markdown(contest: Contest, rows: Sequence[Row]) -> str:
    """The table as Markdown."""
    lines = [HEAD, ("---", *["--:"] * (len(HEAD) - 2), "---"), *map(cells, rows)]
    table = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    return (
        f"{contest.deals} deals of {contest.rulebook} against {', '.join(OPPONENTS)}, in rotated"
        " seats. Illegal moves, decisions by the clerk, tokens and money are means of a game.\n\n"
        f"{table}\n"
    )


def cells(row: Row) -> tuple[str, ...]:
    one = row.standing
    played = (
        row.name,
        f"{row.games}",
        f"{one.rating:.1f}",
        f"{one.rating_low:.1f} to {one.rating_high:.1f}",
        f"{one.share:.1%}",
        f"{100 * one.low:.0f} to {100 * one.high:.0f}",
    )
    if row.illegal is None:
        return (*played, *[""] * 6)
    worst = f"{row.worst}, {row.lost:.1%} a game" if row.worst else ""
    return (
        *played,
        f"{row.illegal:.1f}",
        f"{row.stand_ins:.1f}",
        f"{row.read:,.0f}",
        f"{row.written:,.0f}",
        f"{row.money:.2f}",
        worst,
    )
