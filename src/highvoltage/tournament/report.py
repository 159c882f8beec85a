"""The report of a tournament: one HTML file with its plots inside."""

from collections.abc import Iterable
from html import escape

from highvoltage.tournament.table import Standing, Standings

COLOURS = ("#1b6ca8", "#c0392b", "#2e8b57", "#8e5ea2", "#b8860b", "#555555")
WIDTH, LINE = 640, 34
STYLE = """
body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}
table{border-collapse:collapse}th,td{padding:.3rem .8rem;text-align:right;
border-bottom:1px solid #8884}th:first-child,td:first-child{text-align:left}
svg{max-width:100%;height:auto}svg{fill:currentColor}text{font:13px system-ui,sans-serif}
body{color-scheme:light dark}
"""


def report(table: Standings, command: str = "") -> str:
    """The whole page."""
    cup = table.cup
    about = (
        f"{cup.rulebook}, {cup.map or 'first map'}, {cup.players} players, seed {cup.seed}:"
        f" {table.games} games, {table.finished} finished, {table.rounds:.1f} rounds on average."
    )
    return "\n".join(
        [
            "<!doctype html>",
            '<html lang="en"><meta charset="utf-8"><title>Tournament</title>',
            '<meta name="viewport" content="width=device-width">',
            f"<style>{STYLE}</style>",
            "<h1>Tournament</h1>",
            f"<p>{escape(about)}</p>",
            f"<pre>{escape(command)}</pre>" if command else "",
            _table(table.rows),
            "<h2>Games won, with 95 % intervals; the mark is par</h2>",
            _bars([(r.bot, r.low, r.share, r.high, r.par) for r in table.rows], percent=True),
            "<h2>Rating (openskill), with 95 % intervals</h2>",
            _bars([(r.bot, r.rating_low, r.rating, r.rating_high, None) for r in table.rows]),
            "<h2>Games won so far</h2>",
            _curves(table),
            "<h2>Games won by seat</h2>",
            _bars(
                [
                    (f"seat {n}", 0, share, share, 1 / cup.players)
                    for n, share in enumerate(table.by_seat, 1)
                ],
                percent=True,
            ),
            "</html>",
        ]
    )


def _table(rows: Iterable[Standing]) -> str:
    heads = ("bot", "games won", "95 %", "par", "rating", "95 %", "mean place", "ms", "median ms")
    lines = [
        (
            row.bot,
            f"{row.share:.1%}",
            f"{row.low:.1%} to {row.high:.1%}",
            f"{row.par:.0%}",
            f"{row.rating:.1f}",
            f"{row.rating_low:.1f} to {row.rating_high:.1f}",
            f"{row.place:.2f}",
            f"{1000 * row.seconds:.2f}",
            f"{1000 * row.median:.2f}",
        )
        for row in rows
    ]
    head = "".join(f"<th>{name}</th>" for name in heads)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in line) + "</tr>" for line in lines
    )
    return f"<table><tr>{head}</tr>{body}</table>"


def _bars(
    bars: list[tuple[str, float, float, float, float | None]], *, percent: bool = False
) -> str:
    """A dot with its interval for each bar, and a mark where one is given."""
    if not bars:
        return ""
    left, right = 190, 60
    top = 1.0 if percent else max(high for *_, high, _ in bars)
    bottom = 0.0 if percent else min(0.0, *(low for _, low, *_ in bars))

    def x(value: float) -> float:
        return round(left + (WIDTH - left - right) * (value - bottom) / ((top - bottom) or 1), 1)

    parts = []
    for n, (name, low, value, high, mark) in enumerate(bars):
        y = LINE * n + LINE // 2
        colour = COLOURS[n % len(COLOURS)]
        text = f"{value:.1%}" if percent else f"{value:.1f}"
        parts += [
            f'<text x="{left - 8}" y="{y + 4}" text-anchor="end">{escape(name)}</text>',
            _line(x(low), x(high), y, f'stroke="{colour}" stroke-width="4"'),
            f'<circle cx="{x(value)}" cy="{y}" r="6" fill="{colour}"/>',
            f'<text x="{WIDTH - right + 6}" y="{y + 4}">{text}</text>',
        ]
        if mark is not None:
            parts.append(
                f'<line x1="{x(mark)}" x2="{x(mark)}" y1="{y - 12}" y2="{y + 12}"'
                ' stroke="currentColor" stroke-dasharray="3 2"/>'
            )
    return _svg(LINE * len(bars), parts)


def _curves(table: Standings) -> str:
    left, height = 48, 220
    parts = []
    for share in (0, 0.25, 0.5, 0.75, 1):
        y = 10 + (height - 20) * (1 - share)
        parts += [
            _line(left, WIDTH, y, 'stroke="#8884"'),
            f'<text x="{left - 6}" y="{y + 4}" text-anchor="end">{share:.0%}</text>',
        ]
    for n, row in enumerate(table.rows):
        shares = table.course[row.bot]
        step = max(1, len(shares) // 300)
        points = " ".join(
            f"{left + (WIDTH - left) * at / max(1, len(shares) - 1):.1f},"
            f"{10 + (height - 20) * (1 - shares[at]):.1f}"
            for at in range(0, len(shares), step)
        )
        colour, name = COLOURS[n % len(COLOURS)], escape(row.bot)
        parts += [
            f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>',
            f'<text x="{left + 8 + 140 * n}" y="{height + 14}" fill="{colour}">{name}</text>',
        ]
    return _svg(height + 20, parts)


def _line(start: float, end: float, y: float, style: str) -> str:
    return f'<line x1="{start}" x2="{end}" y1="{y}" y2="{y}" {style}/>'


def _svg(height: float, parts: Iterable[str]) -> str:
    size = f'viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" role="img" {size}>{"".join(parts)}</svg>'
