"""`highvoltage serve`: runs the server."""

from pathlib import Path
from typing import Annotated

import typer

from highvoltage import words
from highvoltage.extras import extra


def serve(
    host: Annotated[str | None, typer.Option(help="The address to listen on.")] = None,
    port: Annotated[int | None, typer.Option(help="The port to listen on.")] = None,
    database: Annotated[
        str | None,
        typer.Option(metavar="URL", help="sqlite:///FILE or postgresql://USER@HOST/NAME."),
    ] = None,
    data: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Where games and settings are kept.")
    ] = None,
    lan: Annotated[
        bool, typer.Option("--lan", help="Let others in this network play, too.")
    ] = False,
    open_: Annotated[
        bool, typer.Option("--open/--no-open", help="Open the page in the browser.")
    ] = False,
    build_page: Annotated[
        str, typer.Option(hidden=True, help="A command that builds the page, for `make play`.")
    ] = "",
) -> None:
    """Serve tables to browsers and programs.

    On this machine, or to the world. Games are stored in an SQLite file in the data folder, or in
    the database you name. Several processes may serve the same PostgreSQL database.
    """
    from highvoltage.server.config import (
        check_owner,
        find_data_folder,
        load_config,
        load_secret,
    )
    from highvoltage.server.network import ANY_ADDRESS, host_names

    words.speak(words.ENGLISH)  # for programs; the page uses the reader's language
    folder = find_data_folder(data)
    check_owner(folder)
    address = {"host": ANY_ADDRESS, "hosts": host_names()} if lan else {"host": host}
    config = load_config(folder, port=port, database=database, **address)

    with extra("server"):
        from highvoltage.server.run import run  # slow: imported after the options are checked

    run(config, load_secret(folder), browse=open_, build_page=build_page)
