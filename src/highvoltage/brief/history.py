"""What happened at a table, one line for each decision."""

from collections.abc import Iterable, Sequence

from highvoltage.engine.events import Event, Income, Paid, Sold, StepBegins, Turned
from highvoltage.table import LogRow


def history(names: Sequence[str], rows: Iterable[LogRow]) -> str:
    """The decisions with what they cost, earned and turned up; a heading for every phase."""
    lines = []
    at: tuple[int, str] | None = None
    for row in rows:
        if at != (row.round, row.phase):
            at = row.round, row.phase
            lines.append(f"Round {row.round}, {row.phase}:")
        effects = [said for event in row.events if (said := _effect(names, event))]
        lines.append(
            f"- {names[row.seat]}: {row.move}" + (f" ({'; '.join(effects)})" if effects else "")
        )
    return "\n".join(lines)


def _effect(names: Sequence[str], event: Event) -> str:
    def name(seat: int) -> str:
        return names[seat] if seat >= 0 else "the third company"

    match event:
        case Sold():
            return f"{name(event.seat)} buys {event.card} for {event.amount}"
        case Paid():
            return f"{name(event.seat)} pays {event.amount}"
        case Income():
            return f"{name(event.seat)} earns {event.amount}"
        case Turned():
            return f"{event.card} turned up"
        case StepBegins():
            return f"Step {event.step} begins"
    return ""
