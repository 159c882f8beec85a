"""How much has to be loaded before anything is shown."""

import gzip
import re
from pathlib import Path

import pytest

import highvoltage

PAGE = Path(highvoltage.__path__[0]) / "web_dist"
FIRST = 160_000
TABLE = 240_000
TEXTS = re.compile(r"(en|pl|cs|sr-Latn|de)-.*\.js")


def _needs(name: str, found: set[str]) -> set[str]:
    """A file and everything it loads statically."""
    if name not in found:
        found.add(name)
        text = (PAGE / "assets" / name).read_text() if name.endswith(".js") else ""
        for other in re.findall(r'(?:from|import)\s*"\./([^"]+)"', text):
            _needs(other, found)
    return found


def _zipped(names: set[str]) -> int:
    return sum(len(gzip.compress((PAGE / "assets" / name).read_bytes(), 6)) for name in names)


def _texts() -> int:
    """Only one language is loaded; the words of parts, which are fewer, later."""
    sizes = [_zipped({file.name}) for file in (PAGE / "assets").iterdir() if TEXTS.match(file.name)]
    assert len(sizes) == 30
    return max(sizes)


def test_the_first_view_is_small() -> None:
    start = re.findall(r'assets/([^"]+\.(?:js|css))', (PAGE / "index.html").read_text())
    assert start
    first: set[str] = set()
    for name in start:
        _needs(name, first)
    assert _zipped(first) + _texts() <= FIRST


@pytest.mark.parametrize("scene", ["board|germany", "cardgame", "outpost"])
def test_so_is_a_table(scene: str) -> None:
    names = {path.name for path in (PAGE / "assets").iterdir()}
    table: set[str] = set()
    for name in names:
        if re.match(rf"(index|TablePage|{scene})-.*\.(js|css)$", name):
            _needs(name, table)
    assert _zipped(table) + _texts() <= TABLE
