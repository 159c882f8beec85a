"""The part of the package that the page brings along works without the rest of it."""

import os
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import highvoltage

ENGINE = Path(highvoltage.__path__[0]) / "web_dist" / "engine"
PLAYED = """
import highvoltage
from highvoltage.mapmaker import random_map
from highvoltage.mapmaker.judge import play_sample
print(highvoltage.__file__)
print(sum(play_sample(random_map("1"), 0).shares))
try:
    highvoltage.new("classic", map="atlantis", players=3)
except highvoltage.MapError as error:
    print(error)
"""


def test_bots_play_on_a_map_that_it_does_not_know(tmp_path: Path) -> None:
    (wheel,) = ENGINE.glob("highvoltage*.whl")
    with ZipFile(wheel) as archive:
        archive.extractall(tmp_path)
    done = subprocess.run(
        [sys.executable, "-c", PLAYED],
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    place, won, *refusal = done.stdout.splitlines()
    assert Path(place).is_relative_to(tmp_path)
    assert float(won) == 1.0
    assert "there is no map of this name" in "\n".join(refusal)
