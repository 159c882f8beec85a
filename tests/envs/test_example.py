"""The worked example runs; training takes minutes, and docs/machines.md has its results."""

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).parents[2] / "examples" / "learn.py"


@pytest.mark.long
def test_the_example_learns_plays_and_draws(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    spec = spec_from_file_location("learn", EXAMPLE)
    assert spec is not None
    assert spec.loader is not None
    learn = module_from_spec(spec)
    spec.loader.exec_module(learn)
    for name, small in {"GAMES": 2, "STEPS": 4, "EPOCHS": 1, "BATCHES": 1, "WIDTH": 8}.items():
        monkeypatch.setattr(learn, name, small)
    monkeypatch.setitem(learn.SETTING, "rounds", 2)
    weights = tmp_path / "learn.npz"
    learn.train(minutes=0, seed=1, out=weights)
    assert "8 decisions" in capsys.readouterr().out
    assert learn.play(weights, games=1, seed=2) == 0  # the game is cut off
    learn.draw(tmp_path / "learn.csv", tmp_path / "learn.svg")
    assert "<polyline" in (tmp_path / "learn.svg").read_text()
