"""How fast the twin is: random legal play with resets, on whatever JAX finds.

python -m benchmarks.batch --batches 4096 65536 --settings classic-germany-4 recharged-germany-4

`--json` prints the lines that `--plot` reads.
"""

import argparse
import json
import math
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from benchmarks.measuring import Report, parser
from highvoltage import batch

Carry = Any


def random_action(mask: jax.Array, bits: jax.Array) -> jax.Array:
    """One of the legal actions, all equally likely: the one with the highest hash."""
    index = jnp.arange(mask.shape[-1], dtype=jnp.uint32)
    mixed = (bits + index * jnp.uint32(0x9E3779B9)) * jnp.uint32(0x85EBCA6B)
    mixed = (mixed ^ mixed >> 15) * jnp.uint32(0xC2B2AE35)
    keyed = (mixed | jnp.uint32(1 << 31)) >> 10 << 10 | index
    return (jnp.max(jnp.where(mask, keyed, 0)) & 1023).astype(jnp.int16)


def xorshift(bits: jax.Array) -> jax.Array:
    bits = bits ^ bits << 13
    bits = bits ^ bits >> 17
    return bits ^ bits << 5


def rollout(env: batch.Env, outer: int, inner: int, observe: bool) -> Any:
    """`outer` times: `inner` decisions in every game, then new games for those that are over."""

    def one(carry: Carry, _: None) -> tuple[Carry, None]:
        state, bits, count, total = carry
        bits = xorshift(bits)
        count = count + jnp.sum(~state.terminated)
        actions = jax.vmap(random_action)(state.legal_action_mask, bits)
        state = jax.vmap(env.step)(state, actions)
        if observe:
            parts = jax.vmap(env.observe)(state)
            total = total + sum(
                part[0].sum() for part in jax.lax.optimization_barrier(parts).values()
            )
        return (state, bits, count, total), None

    def many(carry: Carry, key: jax.Array) -> tuple[Carry, jax.Array]:
        state, bits, games, total = carry
        zero = jnp.zeros((), jnp.int32)
        (state, bits, count, total), _ = jax.lax.scan(one, (state, bits, zero, total), length=inner)
        over = state.terminated
        state = batch.reset(env, state, key)
        return (state, bits, games + jnp.sum(over), total), count

    def play(state: batch.GameState, bits: jax.Array, key: jax.Array) -> Any:
        zero = jnp.zeros((), jnp.int32)
        carry = (state, bits, zero, jnp.zeros((), jnp.float32))
        return jax.lax.scan(many, carry, jax.random.split(key, outer))

    return jax.jit(play)


def peak(size: int) -> float | None:
    """The peak memory of the device, per game."""
    stats = jax.devices()[0].memory_stats()
    return stats["peak_bytes_in_use"] / size if stats else None


def same_on_processor(env: batch.Env, size: int, steps: int) -> bool:
    """Whether this device and the CPU play exactly the same games."""
    keys = jax.random.split(jax.random.key(3), size)
    bits = jax.random.bits(jax.random.key(4), (size,)) | 1
    ends = []
    for device in (jax.devices()[0], jax.devices("cpu")[0]):
        with jax.default_device(device):
            state = jax.jit(jax.vmap(env.init))(jax.device_put(keys, device))
            play = rollout(env, 1, steps, observe=False)
            (state, *_), _ = play(state, jax.device_put(bits, device), jax.random.key(5))
            ends.append(jax.device_get(state))
    same = jax.tree.map(np.array_equal, *ends)
    return all(jax.tree.leaves(same))


def env_of(name: str) -> batch.Env:
    rulebook, *where, players = name.split("-")
    return batch.make(rulebook, map=where[0] if where else None, players=int(players))


def measure(report: Report, name: str, size: int, args: argparse.Namespace) -> None:
    steps, inner, observe = args.steps, args.inner, args.observe
    env = env_of(name)
    key = jax.random.key(0)
    state = jax.jit(jax.vmap(env.init))(jax.random.split(key, size))
    bits = jax.random.bits(key, (size,)) | 1
    began = time.perf_counter()
    play = rollout(env, max(1, steps // inner), inner, observe).lower(state, bits, key).compile()
    compiled = time.perf_counter() - began
    memory = sum(leaf.nbytes for leaf in jax.tree.leaves(state)) / size
    rates, per_cpu = [], []
    for at in range(args.repeats + 1):
        wall, cpu = time.perf_counter(), time.process_time()
        (state, bits, games, _), counts = play(state, bits, jax.random.fold_in(key, at))
        jax.block_until_ready(games)
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        made = int(np.asarray(counts, np.int64).sum())
        if at:
            rates.append(made / wall)
            per_cpu.append(made / cpu)
    found = {
        "setting": name,
        "batch": size,
        "observe": observe,
        "per_second": max(rates),
        "per_cpu_second": max(per_cpu),
        "games": int(games),
        "compile_s": compiled,
        "bytes": memory,
        "peak_bytes": peak(size),
        "device": str(jax.devices()[0]),
    }
    report.row(
        f"{name}, {size} games at once: {max(rates):,.0f} decisions a second,"
        f" {max(per_cpu):,.0f} of processor time; {memory:,.0f} bytes a game,"
        f" compiled in {compiled:.1f} s, on {found['device']}",
        **found,
    )


def plot(lines: list[str]) -> str:
    """Decisions a second over the size of the batch, of the first setting, as SVG."""
    rows = [json.loads(line) for line in lines]
    first = [row for row in rows if row["setting"] == rows[0]["setting"] and not row["observe"]]
    points = sorted((row["batch"], row["per_second"]) for row in first)
    left, right = math.log2(points[0][0]), math.log2(points[-1][0])
    high = 1.1 * max(rate for _, rate in points)
    spots = [
        (60 + 480 * (math.log2(size) - left) / (right - left), 260 - 220 * rate / high, size, rate)
        for size, rate in points
    ]
    marks = "".join(
        f'<circle cx="{x:.0f}" cy="{y:.0f}" r="4"/><text x="{x:.0f}" y="{y - 10:.0f}">'
        f'{rate / 1e6:.0f}</text><text x="{x:.0f}" y="280">{size:,}</text>'
        for x, y, size, rate in spots
    )
    path = " ".join(f"{x:.0f},{y:.0f}" for x, y, *_ in spots)
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 600 310" font-family="sans-serif"'
        ' font-size="12" text-anchor="middle" fill="#0a5">'
        '<rect width="600" height="310" fill="#fff"/>'
        f'<polyline points="{path}" fill="none" stroke="#0a5" stroke-width="2"/>{marks}'
        '<line x1="60" y1="260" x2="540" y2="260" stroke="#999"/>'
        f'<text x="300" y="20">million decisions a second, {rows[0]["setting"]}, one'
        f' {rows[0]["device"]}</text><text x="300" y="300">games at once</text></svg>\n'
    )


def main(words: Sequence[str] | None = None) -> None:
    arguments = parser(__doc__)
    arguments.add_argument("--settings", nargs="+", default=["classic-germany-4"])
    arguments.add_argument("--batches", nargs="+", type=int, default=[1024])
    arguments.add_argument("--steps", type=int, default=512)
    arguments.add_argument("--inner", type=int, default=32, help="decisions between resets")
    arguments.add_argument("--repeats", type=int, default=2)
    arguments.add_argument("--observe", action="store_true", help="make observations too")
    arguments.add_argument("--compare", action="store_true", help="compare with the CPU")
    arguments.add_argument("--plot", nargs=2, metavar=("FIGURES", "SVG"), help="plot saved figures")
    args = arguments.parse_args(words)
    report = Report(args)
    if args.plot:
        figures, svg = map(Path, args.plot)
        svg.write_text(plot(figures.read_text("utf-8").splitlines()), "utf-8")
        return
    for name in args.settings:
        for size in args.batches:
            measure(report, name, size, args)
        if args.compare:
            same = same_on_processor(env_of(name), 512, 256)
            text = f"{name}: {'the same' if same else 'NOT the same'} as on the processor"
            report.row(text, setting=name, same_on_processor=same)


if __name__ == "__main__":
    main()
