"""`highvoltage admin`: what an operator does with the tables and people of a server."""

import re
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from highvoltage.cli.app import terminal
from highvoltage.engine.errors import OptionError
from highvoltage.extras import extra

if TYPE_CHECKING:  # loaded only when used
    from rich.table import Table

    from highvoltage.rooms.rows import GameRow, SeatRow
    from highvoltage.server.operating import Operator

T = TypeVar("T")

admin = typer.Typer(
    help="Look after the tables and people of a server.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

STATUSES = ("open", "running", "failed", "finished", "broken")
TableArgument = Annotated[str, typer.Argument(help="A table, by the end of its link.")]
OlderOption = Annotated[float, typer.Option("--older", metavar="DAYS", help="At least so old.")]
StatusOption = Annotated[
    str | None, typer.Option("--status", help=f"One of {', '.join(STATUSES)}.")
]


@admin.callback()
def where(
    ctx: typer.Context,
    data: Annotated[
        Path | None, typer.Option(metavar="DIR", help="The data folder of the server.")
    ] = None,
    database: Annotated[
        str | None,
        typer.Option(metavar="URL", help="sqlite:///FILE or postgresql://USER@HOST/NAME."),
    ] = None,
) -> None:
    from highvoltage.server.config import data_folder

    ctx.obj = data_folder(data), database


def _do(ctx: typer.Context, work: "Callable[[Operator], Awaitable[T]]") -> T:
    import asyncio

    with extra("server"):
        from highvoltage.server.config import load_config
        from highvoltage.server.operating import operator

    folder, database = ctx.obj
    config = load_config(folder, database=database)

    async def done() -> T:
        async with operator(config.database) as opened:
            return await work(opened)

    return asyncio.run(done())


# Tables


@admin.command("list")
def list_tables(
    ctx: typer.Context,
    status: StatusOption = None,
    older: OlderOption = 0,
    limit: Annotated[int, typer.Option(min=1, help="At most so many.")] = 50,
) -> None:
    """The tables, the latest first."""
    from rich.table import Table

    found = _do(ctx, lambda operator: operator.tables(_known(status), older, limit))
    shown = Table("table", "made", "rulebook", "status", "moves", "seats", box=None)
    for row, places in found:
        names = ", ".join(place.name or "-" for place in places)
        shown.add_row(row.id, _day(row.created), row.rulebook, row.status, str(row.moves), names)
    terminal().print(shown)


@admin.command()
def show(ctx: typer.Context, table: TableArgument) -> None:
    """One table: its seats, who holds them, how far the game is."""
    row, places = _do(ctx, lambda operator: operator.table(table))
    terminal().print(_details(row, places))


def _details(row: "GameRow", places: "list[SeatRow]") -> "Table":
    from rich.table import Table

    shown = Table.grid(padding=(0, 2, 0, 0))
    shown.add_row("table", row.id)
    shown.add_row("rulebook", row.rulebook)
    shown.add_row("status", f"{row.status}, {row.moves} moves")
    shown.add_row("made", _day(row.created))
    for place in places:
        turn = " (to move)" if place.seat == row.turn else ""
        shown.add_row(f"seat {place.seat + 1}", f"{place.name or '-'}, {place.kind}{turn}")
    return shown


@admin.command()
def export(
    ctx: typer.Context,
    table: TableArgument,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="A file for it.")] = None,
) -> None:
    """The record of a game as JSON; a running game's record so far."""
    record = _do(ctx, lambda operator: operator.record(table))
    if output is None:
        typer.echo(record)
    else:
        output.write_text(f"{record}\n", encoding="utf-8")


@admin.command()
def delete(
    ctx: typer.Context,
    tables: Annotated[list[str], typer.Argument(help="Tables, by the end of their links.")],
) -> None:
    """Delete tables with everything that belongs to them; everybody there is sent out."""
    _do(ctx, lambda operator: operator.delete(*tables))
    typer.echo(f"Deleted: {', '.join(tables)}.")


@admin.command()
def purge(
    ctx: typer.Context,
    older: OlderOption,
    status: StatusOption = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only print how many.")] = False,
) -> None:
    """Delete all tables made at least so many days ago, and data that belongs to no table."""
    found = _do(ctx, lambda operator: operator.purge(_known(status), older, dry_run=dry_run))
    counts = ", ".join(f"{count} {kind}" for kind, count in found.items())
    typer.echo(f"{'Would delete' if dry_run else 'Deleted'}: {counts or 'nothing'}.")


# Push messages to browsers


@admin.command()
def push_key(
    ctx: typer.Context,
    mail: Annotated[str, typer.Argument(help="Yours, for the services that carry the messages.")],
) -> None:
    """Make a key for Web Push, in a file of its own in the data folder."""
    from highvoltage.server.config import PUSH_FILE
    from highvoltage.server.private_files import create_private

    with extra("push"):
        from highvoltage.server.live.push_encryption import new_key

    if not re.fullmatch(r'[^\s"\\@:]+@[^\s"\\@:]+', mail):
        raise OptionError(f"{mail} is no address for mail; it is like you@example.org.")
    file: Path = ctx.obj[0] / PUSH_FILE
    try:
        create_private(file, f'key = "{new_key()}"\ncontact = "mailto:{mail}"\n')
    except FileExistsError:
        raise OptionError(
            f"{file} is there already. With another key, every browser has to open the page once"
            " before it is notified again: remove the file if you mean it."
        ) from None
    typer.echo(f"The key is in {file}, which only its owner can read. Restart the server.")


# People


@admin.command()
def accounts(ctx: typer.Context) -> None:
    """The logins of all who have an account."""
    for account in _do(ctx, lambda operator: operator.store.people.accounts()):
        typer.echo(f"{account.login}\t{account.name}")


@admin.command()
def ban(
    ctx: typer.Context,
    login: Annotated[str | None, typer.Argument(help="The login of an account.")] = None,
    seat: Annotated[
        str | None, typer.Option(metavar="TABLE:SEAT", help="Instead: the person in this seat.")
    ] = None,
    line: Annotated[
        str | None,
        typer.Option(metavar="TABLE:LINE", help="Instead: who wrote this line, as in `reports`."),
    ] = None,
    map_: Annotated[
        str | None, typer.Option("--map", metavar="MAP", help="Instead: who published this map.")
    ] = None,
    days: Annotated[
        float | None, typer.Option(min=0.001, help="For so long; without it, until pardoned.")
    ] = None,
    address: Annotated[
        bool, typer.Option("--address", help="And whoever comes from their addresses.")
    ] = False,
    reason: Annotated[str, typer.Option(help="A note for yourself.")] = "",
) -> None:
    """Let somebody only watch from now on; bots play on in all their seats."""
    if [login, seat, line, map_].count(None) != 3:
        raise OptionError("Name a login, or --seat TABLE:SEAT, --line TABLE:LINE or --map MAP.")
    if address and days is None:
        raise OptionError("Addresses pass to others: say for how long, as in --address --days 7.")

    async def work(operator: "Operator") -> list[str]:
        if seat is not None:
            table, number = _numbered(seat, "seat")
            who = await operator.owner(table, number - 1)
        elif line is not None:
            who = await operator.author(*_numbered(line, "line"))
        elif map_ is not None:
            who = await operator.map_author(map_)
        else:
            who = (await operator.account(login or "")).who
        return await operator.ban(who, days, address=address, reason=" ".join(reason.split()))

    left = _do(ctx, work)
    typer.echo(f"Banned; {len(left)} table{'s' * (len(left) != 1)} changed.")


def _numbered(text: str, what: str) -> tuple[str, int]:
    """The table and the number in `TABLE:NUMBER`."""
    table, _, number = text.rpartition(":")
    if not table or not number.isdigit():
        raise OptionError(f"{text} is no table and {what}; say for instance --{what} d3bKx:2.")
    return table, int(number)


@admin.command()
def banned(ctx: typer.Context) -> None:
    """Who may only watch: login, or identity without one; since and until when; why."""
    for ban, addresses in _do(ctx, lambda operator: operator.banned()):
        until = "pardoned" if ban.until is None else _day(ban.until)
        count = f"{addresses} address{'es' * (addresses != 1)}" if ban.address else ""
        shown = [ban.who, f"since {_day(ban.at)}", f"until {until}", count, ban.reason]
        typer.echo("\t".join(shown))


@admin.command(context_settings={"ignore_unknown_options": True})  # an identity may begin with "-"
def pardon(
    ctx: typer.Context, who: Annotated[str, typer.Argument(help="As `banned` names them.")]
) -> None:
    """Let somebody who was banned act again."""
    _do(ctx, lambda operator: operator.pardon(who))
    typer.echo(f"{who} may act again.")


@admin.command("reset-password")
def reset_password(
    ctx: typer.Context, login: Annotated[str, typer.Argument(help="Of which account.")]
) -> None:
    """A new password for somebody who has lost theirs; all their logins end."""
    password = _do(ctx, lambda operator: operator.reset_password(login))
    typer.echo(f"The new password of {login}: {password}")


@admin.command()
def reports(ctx: typer.Context) -> None:
    """Chat lines that people reported, the latest first."""
    for at, table, name, text in _do(ctx, lambda operator: operator.reports()):
        typer.echo(f"{_day(at)}\t{table}\t{name}\t{text}")


# The library


@admin.command()
def maps(
    ctx: typer.Context,
    words: Annotated[str, typer.Argument(help="In the name, the author or a city.")] = "",
    page: Annotated[int, typer.Option(min=1, help="Which part of a long list.")] = 1,
) -> None:
    """Published maps, the latest first: id, author, name, version, games, likes."""
    found, total = _do(ctx, lambda operator: operator.maps(words, page - 1))
    for each in found:
        counts = f"version {each.version}\t{each.played} games\t{each.likes} likes"
        typer.echo(f"{each.id}\t{_day(each.at)}\t{each.author}\t{each.name}\t{counts}")
    typer.echo(f"{len(found)} of {total}")


@admin.command("remove-maps")
def remove_maps(
    ctx: typer.Context,
    maps: Annotated[list[str], typer.Argument(help="Published maps, as `maps` names them.")],
) -> None:
    """Remove maps from the library; games that are played on them go on."""
    _do(ctx, lambda operator: operator.remove_maps(*maps))
    typer.echo(f"Removed: {', '.join(maps)}.")


@admin.command("map-reports")
def map_reports(ctx: typer.Context) -> None:
    """Maps that people reported, the latest first: when, id, author and name, why."""
    for row in _do(ctx, lambda operator: operator.map_reports()):
        typer.echo("\t".join([_day(row[0]), *row[1:]]))


# The store


@admin.command()
def recount(ctx: typer.Context) -> None:
    """Make results and ratings again, from the records of all finished games."""
    games = _do(ctx, lambda operator: operator.recount())
    typer.echo(f"Counted: {games} game{'s' * (games != 1)}.")


@admin.command()
def vacuum(ctx: typer.Context) -> None:
    """Free the space of what was deleted."""
    _do(ctx, lambda operator: operator.vacuum())


@admin.command()
def backup(
    ctx: typer.Context, file: Annotated[Path, typer.Argument(help="Where the copy goes.")]
) -> None:
    """Copy an SQLite store at this moment, while games go on."""

    async def work(operator: "Operator") -> None:
        operator.backup(file)

    _do(ctx, work)


def _known(status: str | None) -> str | None:
    if status not in {None, *STATUSES}:
        raise OptionError(f"There is no status {status}; there are {', '.join(STATUSES)}.")
    return status


def _day(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%M")
