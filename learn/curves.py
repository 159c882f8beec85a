"""Plots the progress of training: `python -m learn.curves docs/learning.svg`.

The share of games won against past selves, as a multiple of par, over the minutes of all runs. A
run begins with a pool that holds only the checkpoint it resumes from.
"""

import json
import sys
from pathlib import Path

HERE = Path(__file__).parent
COLOURS = {
    "cardgame": "#07c",
    "classic": "#0a5",
    "classic-boards": "#3c3",
    "outpost": "#808",
    "recharged": "#a50",
    "recharged-boards": "#e91",
}
WIDE, HIGH, TOP = 560, 240, 4.0  # of the plot; and the multiple of par at its upper edge

Piece = list[tuple[float, float]]  # minutes since the first piece began, multiple of par


def pieces(file: Path) -> list[Piece]:
    found: list[Piece] = []
    begun = last = 0.0
    for text in file.read_text("utf-8").splitlines():
        line = json.loads(text)
        if line["seconds"] < last or not found:
            begun += last
            found.append([])
        last = line["seconds"]
        found[-1].append(((begun + last) / 60, times_par(line["against_past"])))
    return found


def times_par(share: float | dict[str, float]) -> float:
    """Old lines have one number for all tables, which were tables of four."""
    if isinstance(share, float):
        return 4 * share
    players = {table: int(table.split(" with ")[1].split()[0]) for table in share}
    return sum(players[table] * won for table, won in share.items()) / len(share)


def plot(files: list[Path]) -> str:
    curves = {file.stem: pieces(file) for file in files}
    most = max(at for runs in curves.values() for piece in runs for at, _ in piece)
    parts = [
        f'<text x="4" y="{HIGH - HIGH * mark / TOP + 4:.0f}">{mark}</text>'
        f'<path d="M24 {HIGH - HIGH * mark / TOP:.0f}h{WIDE}" stroke="#8886"/>'
        for mark in range(1, int(TOP) + 1)
    ]
    for row, (name, runs) in enumerate(curves.items()):
        colour = COLOURS[name]
        parts.append(f'<text x="{WIDE - 100}" y="{20 + 18 * row}" fill="{colour}">{name}</text>')
        for piece in runs:
            points = " ".join(
                f"{24 + WIDE * at / most:.1f},{HIGH - HIGH * min(TOP, par) / TOP:.1f}"
                for at, par in piece
            )
            parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}"/>')
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE + 40} {HIGH + 40}"'
        ' font-family="sans-serif" font-size="13" fill="#777">'
        f'{"".join(parts)}<text x="24" y="{HIGH + 20}">minutes on one H200, 0 to {most:.0f}'
        "; games won against past selves, times par</text></svg>\n"
    )


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(plot(sorted(HERE.glob("*.jsonl"))), "utf-8")
