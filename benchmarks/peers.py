"""The engine beside others: `python -m benchmarks.peers`.

`--tag` and `--boardgamers` name checkouts of github.com/GAIGResearch/TabletopGames (Java) and of
boardgamers/powergrid (TypeScript), which are built if they are not built yet. All play random legal
games of four players. Every program runs in one process, which is warmed up; they take turns, so
that a busy machine slows all alike. Times are processor times of the whole process. Games differ in
what an action is (TAG and we buy several tokens at once, boardgamers one by one), so games a second
are compared. Every ratio is against the first peer; its median is printed with the middle half of
all rounds.

`--compiled DIR` adds our compiled build (`make compiled`, then build/compiled/src).
"""

import os
import subprocess
import sys
from argparse import SUPPRESS
from collections.abc import Sequence
from pathlib import Path
from random import Random
from statistics import median, quantiles
from time import process_time
from typing import Any

from benchmarks import ROOT
from benchmarks.measuring import Report, parser

PROGRAMS = ROOT / "benchmarks" / "peer_programs"
PLAYERS = 4
BATCH = {"games": 20, "new": 200, "copy": 2000}  # of each kind, in one round
WARM_UP = 2000  # games before anything counts: Java compiles as it runs
MIDGAME = 200  # moves

Answer = tuple[float, float]
"""Seconds of the processor for one game, copy and so on, and decisions made in it."""


class Peer:
    """A program that plays when asked: a line "KIND COUNT", answered "COUNT DECISIONS SECONDS"."""

    def __init__(self, name: str, command: Sequence[str], **settings: Any) -> None:
        self.name = name
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, **settings
        )

    def ask(self, kind: str, number: int = 0) -> Answer:
        assert self.process.stdin
        assert self.process.stdout
        print(kind, number or BATCH[kind], file=self.process.stdin, flush=True)
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit(f"{self.name} ended with status {self.process.wait()}")
        count, decisions, seconds = map(float, line.split())
        return seconds / count, decisions / count

    def close(self) -> None:
        self.process.kill()
        self.process.communicate()


def build(folder: Path, *command: str) -> None:
    subprocess.run(command, cwd=folder, check=True)


def tag(folder: Path) -> Peer:
    target = folder / "target"
    if not (target / "classes").exists():
        build(folder, "mvn", "-q", "compile", "dependency:copy-dependencies")
    path = os.pathsep.join(map(str, (target / "classes", target / "dependency" / "*", target)))
    source = str(PROGRAMS / "TagPeer.java")
    build(folder, "javac", "-nowarn", "-cp", path, "-d", str(target), source)
    return Peer("TAG", ["java", "-cp", path, "TagPeer"], cwd=folder)


def boardgamers(folder: Path) -> Peer:
    engine = folder / "engine"
    if not (engine / "dist").exists():
        build(engine, "npm", "install")
        build(engine, "npm", "run", "build")
    return Peer("boardgamers", ["node", str(PROGRAMS / "boardgamers.js"), str(engine)])


def ours(rulebook: str, build: str, source: Path) -> Peer:
    command = [sys.executable, "-m", "benchmarks.peers", "--play", rulebook]
    path = os.environ | {"PYTHONPATH": str(source.resolve())}
    return Peer(f"{rulebook}, {build}", command, env=path, cwd=ROOT)


def play_when_asked(rulebook: str) -> None:
    """Our side of the protocol."""
    import highvoltage as hv  # noqa: PLC0415  # as found on the path of this process

    draw = Random(1).random
    decisions = 0

    def new() -> Any:
        return hv.new(rulebook, players=PLAYERS, seed=int(draw() * 2**40))

    def play(game: Any, most: int = sys.maxsize) -> Any:
        nonlocal decisions
        before = len(game.log)
        while game.to_move is not None and len(game.log) < most:
            choices = game.legal_moves.choices
            game.play(choices[int(draw() * len(choices))])
        decisions += len(game.log) - before
        return game

    midgame = play(new(), MIDGAME)
    work = {"games": lambda: play(new()), "new": new, "copy": midgame.copy}
    for line in sys.stdin:
        kind, count = line.split()
        decisions, began = 0, process_time()
        for _ in range(int(count)):
            work[kind]()
        print(count, decisions, process_time() - began, flush=True)


def measure(peers: list[Peer], rounds: int, warm_up: int) -> dict[str, list[list[Answer]]]:
    """For each kind and peer the answers of all rounds."""
    for peer in peers:
        peer.ask("games", warm_up)
    found: dict[str, list[list[Answer]]] = {kind: [[] for _ in peers] for kind in BATCH}
    for _ in range(rounds):
        for kind, answers in found.items():
            for peer, own in zip(peers, answers, strict=True):
                own.append(peer.ask(kind))
    return found


def ratio(first: list[Answer], other: list[Answer]) -> str:
    """How much faster `other` is than `first`, round by round."""
    ratios = [a[0] / b[0] for a, b in zip(first, other, strict=True)]
    if len(ratios) == 1:
        return f"{ratios[0]:.2f}"
    low, _, high = quantiles(ratios, n=4)
    return f"{median(ratios):.2f} ({low:.2f} to {high:.2f})"


def show(report: Report, peers: list[Peer], found: dict[str, list[list[Answer]]]) -> None:
    games = found["games"]
    report.heading(
        "| | games/s | decisions a game | against the first | copy | new game |",
        "| --- | --: | --: | --: | --: | --: |",
    )
    for at, peer in enumerate(peers):
        speed = 1 / min(seconds for seconds, _ in games[at])
        length = median(decisions for _, decisions in games[at])
        copy, new = (
            1e6 * min(seconds for seconds, _ in found[kind][at]) for kind in ("copy", "new")
        )
        compared = ratio(games[0], games[at])
        report.row(
            f"| {peer.name} | {speed:.0f} | {length:.0f} | {compared} | {copy:.1f} µs"
            f" | {new:.1f} µs |",
            program=peer.name,
            games_per_second=speed,
            decisions=length,
            against_first=compared,
            copy_us=copy,
            new_us=new,
        )


def main(words: Sequence[str] | None = None) -> None:
    arguments = parser(__doc__)
    arguments.add_argument("--tag", type=Path)
    arguments.add_argument("--boardgamers", type=Path)
    arguments.add_argument("--compiled", type=Path, help="a folder with our compiled build")
    arguments.add_argument("--rulebooks", default="classic,recharged")
    arguments.add_argument("--rounds", type=int, default=40)
    arguments.add_argument("--warm-up", type=int, default=WARM_UP, help="games before the rounds")
    arguments.add_argument("--play", help=SUPPRESS)  # what `ours` starts
    options = arguments.parse_args(words)
    if options.play:
        play_when_asked(options.play)
        return
    peers: list[Peer] = []
    try:
        if options.tag:
            peers.append(tag(options.tag.resolve()))
        if options.boardgamers:
            peers.append(boardgamers(options.boardgamers.resolve()))
        builds = {"pure": ROOT / "src", "compiled": options.compiled}
        for build, source in builds.items():
            if source:
                peers += [ours(name, build, source) for name in options.rulebooks.split(",")]
        show(Report(options), peers, measure(peers, options.rounds, options.warm_up))
    finally:
        for peer in peers:
            peer.close()


if __name__ == "__main__":
    main()
