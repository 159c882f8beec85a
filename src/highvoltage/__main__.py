"""`python -m highvoltage` is the `highvoltage` command."""

from highvoltage.cli import app

app(prog_name="highvoltage")
