"""The `highvoltage` command."""

from highvoltage.cli.admin import admin
from highvoltage.cli.app import app
from highvoltage.cli.serve import serve

app.command()(serve)
app.add_typer(admin, name="admin")

__all__ = ["app"]
