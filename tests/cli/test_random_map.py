"""`--map random`: a new map for one game, kept in its record."""

from pathlib import Path

import highvoltage as hv
from highvoltage.cli.game_spec import game_spec, new_table
from highvoltage.mapmaker import random_map


def test_a_random_map_is_by_the_seed_and_in_the_record(tmp_path: Path) -> None:
    def cities(seed: str | None) -> list[str]:
        spec = game_spec("classic", "random", 3, ["Ann"], ["clerk"], [], seed, hotseat=False)
        game = new_table(spec, tmp_path / "game.txt").table.game
        again = hv.replay(str(game.record()))
        board = again.rules.ruleset.board()
        assert board
        return [city["id"] for city in board["cities"]]

    assert cities("7") == [city["id"] for city in random_map("7")["cities"]]
    assert cities(None) != cities(None)
