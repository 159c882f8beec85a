"""Measures the official boards: `python -m highvoltage.mapmaker.spans [GAMES]` writes spans.json.

Goes on where it was broken off, board by board, in build/spans.
"""

import json
import sys
from pathlib import Path

from highvoltage.engine.parts.board import known_maps, load_map
from highvoltage.mapmaker.judge import SPANS, measure, play_sample, tally

KEPT = Path("build/spans")


def measure_board(name: str, games: int) -> dict[str, float]:
    """The figures of a board, from its file if it was measured before."""
    kept = KEPT / f"{name}-{games}.json"
    if not kept.exists():
        board = load_map(name)
        samples = (play_sample(name, n, "spans") for n in range(games))
        found, _ = measure(tally(samples, board), board)
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_text(json.dumps({figure: value for figure, (value, _) in found.items()}))
    figures: dict[str, float] = json.loads(kept.read_text())
    return figures


def main() -> None:
    """Measure all boards and write the lowest and highest of each figure."""
    games = int(sys.argv[1]) if sys.argv[1:] else 400
    boards = []
    for name in known_maps():
        boards.append(measure_board(name, games))
        print(name, *(f"{figure} {value:.3f}" for figure, value in boards[-1].items()), flush=True)  # noqa: T201
    found = {
        figure: [round(pick(board[figure] for board in boards), 4) for pick in (min, max)]
        for figure in boards[0]
    }
    lines = ",\n".join(f"  {json.dumps(name)}: {json.dumps(span)}" for name, span in found.items())
    Path(__file__).with_name(SPANS).write_text(f"{{\n{lines}\n}}\n", "utf-8")


if __name__ == "__main__":
    main()
