"""`highvoltage arena`: language models play the same deals, and a table ranks them."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from highvoltage.engine.errors import OptionError

if TYPE_CHECKING:
    from highvoltage.arena import Price

DEALS = 40


def arena(
    player: Annotated[
        list[str],
        typer.Option(
            "--player", "-p", help="NAME=openai:MODEL or NAME=mcp:'COMMAND'; repeat for more."
        ),
    ],
    file: Annotated[
        Path, typer.Option("--file", "-f", help="Keeps every move; the same command goes on.")
    ] = Path("arena.jsonl"),
    rulebook: Annotated[str, typer.Option("--rulebook", "-r", help="Which game.")] = "classic",
    deals: Annotated[int, typer.Option("--deals", "-d", min=1, help="How many deals.")] = DEALS,
    price: Annotated[
        list[str] | None,
        typer.Option("--price", help="NAME=READ,WRITTEN: money for a million tokens; repeat it."),
    ] = None,
    max_tokens: Annotated[
        int, typer.Option("--max-tokens", min=0, help="For each player, in all; 0: no limit.")
    ] = 0,
    max_money: Annotated[
        float, typer.Option("--max-money", min=0, help="For each player, in all; 0: no limit.")
    ] = 0,
    seconds: Annotated[
        float, typer.Option("--seconds", min=1, help="For a game of a player that speaks MCP.")
    ] = 3_600,
    judge: Annotated[
        str, typer.Option("--judge", help="Playouts for each decision; empty: do not judge.")
    ] = "2",
    jobs: Annotated[int, typer.Option("--jobs", "-j", min=1, help="Games at a time.")] = 1,
    table: Annotated[
        Path | None, typer.Option("--table", help="Write the table there, as Markdown.")
    ] = None,
) -> None:
    """Rank language models.

    All play the same deals against clerk, engineer and tycoon.
    OPENAI_BASE_URL and OPENAI_API_KEY say where models are, or NAME_BASE_URL and NAME_API_KEY
    for one player. A command that speaks MCP finds its table at HIGHVOLTAGE_MCP_URL.
    """
    from highvoltage import arena as contests
    from highvoltage import words
    from highvoltage.bots.director import read_budget
    from highvoltage.extras import extra
    from highvoltage.games import meta

    with extra("tournament"):  # before anything is played
        import openskill  # noqa: F401
    words.speak(words.ENGLISH)
    meta(rulebook)
    if judge:
        read_budget(judge)
    players = [contests.player_of(text) for text in player]
    names = [each.name for each in players]
    if len({*names, *contests.OPPONENTS}) < len(names) + len(contests.OPPONENTS):
        raise OptionError("Every player needs a name of its own, and none of a bot.")
    prices = dict(map(price_of, price or []))
    if unknown := prices.keys() - {*names}:
        raise OptionError(f"There is a price, but no player: {', '.join(sorted(unknown))}.")
    contest = contests.Contest(rulebook, deals)
    saved = contests.ArenaFile(file, contest)
    limits = contests.Limits(max_tokens, max_money, seconds)
    failed = False
    for who, deal, error in contests.play_all(
        contest, players, saved, limits=limits, prices=prices, judge_budget=judge, jobs=jobs
    ):
        failed = failed or error is not None
        done = f"stopped in deal {deal}: {error}" if error else f"deal {deal} is over"
        typer.echo(f"{who.name}: {done}", err=True)
    text = contests.markdown(contest, contests.rank(contest, saved, names, prices))
    typer.echo(text)
    if table:
        table.write_text(text, encoding="utf-8")
    if failed:
        raise typer.Exit(1)


def price_of(text: str) -> "tuple[str, Price]":
    """A price as it is written at the command line.

    >>> price_of("small=0.5,1.5")
    ('small', Price(read=0.5, written=1.5))
    """
    from highvoltage.arena import Price

    name, _, amounts = text.partition("=")
    try:
        read, written = map(float, amounts.split(","))
    except ValueError:
        raise OptionError(f"'{text}' is no price. Write NAME=READ,WRITTEN.") from None
    return name, Price(read, written)
