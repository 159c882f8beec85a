"""What nobody at the table can know, drawn anew."""

from highvoltage.batch.hidden import redraw_deck
from highvoltage.batch.outpost.state import OutpostState
from highvoltage.batch.outpost.tables import PLUGS
from highvoltage.batch.state import Array


def redraw(s: OutpostState, key: Array) -> OutpostState:
    """A position that looks the same to everybody."""
    return redraw_deck(s, key, (PLUGS, ~PLUGS), PLUGS)
