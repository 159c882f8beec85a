"""docs/machines.md gives the sizes that the codecs have."""

import re
from pathlib import Path

import pytest

from highvoltage import codec

DOCS = Path(__file__).parents[2] / "docs" / "machines.md"
SECTIONS = {"classic": "The action code", "cardgame": "The Card Game", "outpost": "Outpost"}


@pytest.mark.parametrize("rulebook", SECTIONS)
def test_the_docs_give_the_sizes_of_heads_and_parts(rulebook: str) -> None:
    text = DOCS.read_text("utf-8").partition(f"\n## {SECTIONS[rulebook]}\n")[2]
    spec = codec.spec(rulebook)
    assert f"{spec.num_actions} indexes" in text
    rows = re.findall(r"^\| `(\w+)` \| (\d[^|]*) \| ([^|]*)\|", text, re.MULTILINE)
    heads = [
        (name, int(first), int(size.split()[0])) for name, first, size in rows[: len(spec.heads)]
    ]
    assert heads == [(head.name, head.first, head.size) for head in spec.heads]
    parts = rows[len(heads) : len(heads) + len(spec.parts)]
    shapes = [(name, tuple(map(int, re.findall(r"\d+", shape)))) for name, shape, _ in parts]
    assert shapes == [(part.name, part.shape) for part in spec.parts]


@pytest.mark.parametrize("rulebook", SECTIONS)
def test_no_column_is_named_twice(rulebook: str) -> None:
    for part in codec.spec(rulebook).parts:
        assert len(set(part.columns)) == len(part.columns), part.name
