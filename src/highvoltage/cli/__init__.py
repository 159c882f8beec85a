"""The `highvoltage` command."""

from highvoltage.cli.app import app

__all__ = ["app"]
