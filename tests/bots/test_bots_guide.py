"""The bot that docs/bots.md shows plays indeed."""

import re
from pathlib import Path

import highvoltage as hv
from highvoltage import bots

GUIDE = Path(__file__).parents[2] / "docs" / "bots.md"


def test_the_bot_of_20_lines_plays_a_game(tmp_path: Path) -> None:
    found = re.search(r"```python\n(.*?)```", GUIDE.read_text("utf-8"), re.DOTALL)
    assert found
    assert len(found[1].strip().splitlines()) <= 22
    path = tmp_path / "mine.py"
    path.write_text(found[1], "utf-8")
    game = hv.new("classic", players=3, seed=4)
    bots.play_game(game, [bots.make(f"{path}:Greedy", seat) for seat in range(3)])
    assert game.outcome is not None
