"""What a level says about itself, here and on the page, is what was measured."""

import re
from pathlib import Path

import pytest

from highvoltage import bots, words

ROOT = Path(__file__).parents[2]
MEASURED = dict(
    re.findall(
        r"^\| classic \| `([^`]+)` \|(?: fresh\d+ \|)? \d+ \| ([\d.]+) % \|",
        (ROOT / "docs" / "bots.md").read_text("utf-8"),
        re.MULTILINE,
    )
)
LINE_UPS = {
    "apprentice": "apprentice,random*3",
    "clerk": "clerk,apprentice*3",
    "engineer": "engineer,clerk*3",
    "director": "director:1s,engineer*3",
    "tycoon": "tycoon,engineer*3",
}


@pytest.mark.parametrize("language", words.LANGUAGES)
@pytest.mark.parametrize("bot", LINE_UPS)
def test_it_wins_as_often_as_it_says(bot: str, language: str) -> None:
    won = round(float(MEASURED[LINE_UPS[bot]]))
    with words.speaking(language):
        numbers = [int(number) for number in re.findall(r"\d+", bots.about(bot))]
    assert sorted(numbers)[:2] == sorted([won, 100])


def test_a_bot_without_a_description_uses_its_docstring(tmp_path: Path) -> None:
    own = tmp_path / "own_and_silent.py"
    own.write_text(
        'class Silent:\n    """Passes.\n\n    Always."""\n\n    def __init__(self, rng): ...\n\n'
        "    def choose(self, view, legal): ...\n"
    )
    assert bots.about(f"{own}:Silent") == "Passes."
