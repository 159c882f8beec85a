"""docs/machines.md and docs/records.md give what codecs, environments and moves have."""

import re
from pathlib import Path

import gymnasium
import pytest
from gymnasium import spaces

from highvoltage import codec
from highvoltage.engine.moves import parse_move
from highvoltage.games import edition

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


@pytest.mark.parametrize("rulebook", ["classic", "recharged", "cardgame", "outpost"])
def test_the_docs_name_the_spaces_of_every_environment(rulebook: str) -> None:
    line = rf"^\| {rulebook} \| `(.*)` \| (\d+) \| (.*) \|$"
    row = re.search(line, DOCS.read_text("utf-8"), re.MULTILINE)
    assert row
    env = gymnasium.make(f"highvoltage.envs:{row[1]}")
    assert isinstance(env.action_space, spaces.Discrete)
    assert env.action_space.n == int(row[2])
    assert isinstance(env.observation_space, spaces.Dict)
    shapes = {name: space.shape for name, space in env.observation_space.items()}
    named = {
        name: tuple(map(int, re.findall(r"\d+", shape)))
        for name, shape in re.findall(r"`(\w+)` ([^`]+)", row[3])
    }
    assert named == shapes


def test_the_docs_list_every_move_with_its_fields() -> None:
    text = (DOCS.parent / "records.md").read_text("utf-8")
    rows = re.findall(r"^\| `(\w+)` \| `(\w+)` \| (.*?) \| `(.*?)` \| (.*) \|$", text, re.MULTILINE)
    rulebooks = ("classic", "recharged", "cardgame", "outpost")
    moves = {kind: None for name in rulebooks for kind in edition(name).rules.moves}
    listed = []
    for name, verb, fields, example, where in rows:
        played_in = rulebooks if where == "all" else where.split(", ")
        kinds = edition(played_in[0]).rules.moves
        move = parse_move(example, kinds)
        assert (type(move).__name__, move.verb, str(move)) == (name, verb, example)
        assert re.findall(r"`(\w+):", fields) == list(type(move).__struct_fields__)
        assert [each for each in rulebooks if type(move) in edition(each).rules.moves] == [
            *played_in
        ]
        listed.append(type(move))
    assert listed == [*moves]
