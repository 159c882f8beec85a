"""The players of an arena, and their games."""

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from functools import partial
from typing import Literal

from msgspec import Struct

from highvoltage.arena.contest import ArenaGame, Contest
from highvoltage.arena.endpoint import Endpoint, play_endpoint
from highvoltage.arena.file import ArenaFile, Decision
from highvoltage.arena.ranking import Price, judge
from highvoltage.engine.errors import HighVoltageError, OptionError
from highvoltage.extras import extra


class LimitReached(HighVoltageError):
    """A player has used all the tokens or the money it may use."""


class Limits(Struct, frozen=True):
    """What each player may use in the whole contest; 0 is no limit."""

    tokens: int = 0
    money: float = 0.0
    seconds: float = 3_600.0  # for a game of a player that speaks MCP


class Player(Struct, frozen=True):
    """A player: a model of an endpoint, or a command."""

    name: str
    kind: Literal["openai", "mcp"]
    what: str


def player_of(text: str) -> Player:
    """A player as it is written at the command line.

    >>> player_of("small=openai:gpt-small")
    Player(name='small', kind='openai', what='gpt-small')
    >>> player_of("mine=mcp:python mine.py")
    Player(name='mine', kind='mcp', what='python mine.py')
    """
    found = re.fullmatch(r"([\w.-]{1,40})=(openai|mcp):(.+)", text)
    if found is None:
        raise OptionError(f"'{text}' is no player. Write NAME=openai:MODEL or NAME=mcp:'COMMAND'.")
    return Player(found[1], "openai" if found[2] == "openai" else "mcp", found[3])


def check_limits(
    player: str, file: ArenaFile, limits: Limits, price: Price, decision: Decision
) -> None:
    """Raise LimitReached if a player has used too much, with what a decision took so far."""
    read, written = file.tokens(player)
    read, written = read + decision.read, written + decision.written
    if limits.tokens and read + written >= limits.tokens:
        raise LimitReached(f"{player} has used {read + written:,} of {limits.tokens:,} tokens.")
    spent = price.of(read, written)
    if limits.money and spent >= limits.money:
        raise LimitReached(f"{player} has used {spent:.2f} of {limits.money:.2f} money.")


def play_deal(
    contest: Contest, deal: int, player: Player, file: ArenaFile, limits: Limits, price: Price
) -> ArenaGame:
    """Play one deal to its end, from where it stands in the file."""
    game = ArenaGame(contest, deal, player.name, file)
    within_limits = partial(check_limits, player.name, file, limits, price)
    if player.kind == "openai":
        play_endpoint(game, Endpoint.of(player.name, player.what), within_limits)
    elif not game.is_over:
        with extra("mcp"):
            from highvoltage.arena.mcp_player import play_mcp  # noqa: PLC0415  # an extra
        within_limits(Decision())
        play_mcp(game, player.what, limits.seconds)
    return game


def play_all(
    contest: Contest,
    players: list[Player],
    file: ArenaFile,
    *,
    limits: Limits,
    prices: dict[str, Price],
    judge_budget: str,
    jobs: int,
) -> Iterator[tuple[Player, int, HighVoltageError | None]]:
    """Play what is not over yet, so many games at a time; yields each game that ends or fails.

    A player that fails or has reached a limit plays no more; the others go on.
    """
    stopped: set[str] = set()

    def play(player: Player, deal: int) -> bool:
        """Whether it was played."""
        if player.name in stopped:
            return False
        price = prices.get(player.name, Price())
        try:
            game = play_deal(contest, deal, player, file, limits, price)
        except HighVoltageError:
            stopped.add(player.name)
            raise
        if judge_budget:
            judge(game, file, judge_budget)
        return True

    pool = ThreadPoolExecutor(jobs)
    games = {
        pool.submit(play, player, deal): (player, deal)
        for deal in range(contest.deals)
        for player in players
    }
    try:
        for done in as_completed(games):
            failed = None
            try:
                played = done.result()
            except HighVoltageError as error:
                played, failed = True, error
            if played:
                yield *games[done], failed
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
