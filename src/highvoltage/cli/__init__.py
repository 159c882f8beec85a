"""The `highvoltage` command."""

from highvoltage.cli.app import app
from highvoltage.cli.serve import serve

app.command()(serve)

__all__ = ["app"]
