"""The `highvoltage` command."""

from highvoltage.cli.admin import admin
from highvoltage.cli.app import app
from highvoltage.cli.arena import arena
from highvoltage.cli.maps import maps
from highvoltage.cli.mcp import mcp
from highvoltage.cli.puzzle import puzzle
from highvoltage.cli.serve import serve

app.command()(serve)
app.command()(mcp)
app.command()(arena)
app.add_typer(maps, name="map")
app.add_typer(admin, name="admin")
app.add_typer(puzzle, name="puzzle")

__all__ = ["app"]
