"""`highvoltage mcp`: a language model plays at this machine."""

from pathlib import Path
from typing import Annotated

import typer

from highvoltage import words

GAMES = "models"


def mcp(
    name: Annotated[str, typer.Option(help="The name of the model at the table.")] = "Model",
    seed: Annotated[
        str | None, typer.Option("--seed", "-s", help="The same seed, the same game.")
    ] = None,
    games: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Where the games are saved.")
    ] = None,
) -> None:
    """Let a language model play against bots.

    It speaks the Model Context Protocol on standard input and output: add this command to the MCP
    servers of your model. Every move is saved, and a later run goes on with unfinished games.
    """
    from highvoltage.cli.model_tables import SavedTables
    from highvoltage.mcp import Tools, model_server

    words.speak(words.ENGLISH)
    folder = games or Path(typer.get_app_dir("highvoltage")) / GAMES
    tables = SavedTables(folder, name, seed)
    model_server(Tools(tables), tables.tables).run("stdio")
