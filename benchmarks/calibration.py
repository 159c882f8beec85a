"""How often what the judge calls a chance comes true: `python benchmarks/calibration.py`.

Plays games among mixed levels that do not search, fits the judge's corrections on the games with
even numbers, and measures them on the others. Goes on where it was broken off, until
build/calibration.jsonl is removed. Writes src/highvoltage/judge/corrections.json, the table in
docs/chances.md and the curves in docs/chances.svg.
"""

import argparse
from collections.abc import Iterator, Sequence
from itertools import count
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any, NamedTuple

import msgspec
import numpy as np

import highvoltage as hv
from highvoltage import bots
from highvoltage.judge.correction import (
    UNKNOWN,
    Correction,
    FittedCorrection,
    correction_for,
    fitted,
    lateness,
)
from highvoltage.judge.estimates import ForecastEstimator, Kind, NetworkEstimator, estimator_for

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / "build" / "calibration.jsonl"
CORRECTIONS = ROOT / "src" / "highvoltage" / "judge" / "corrections.json"
DOCS = ROOT / "docs"
BEGIN, END = "<!-- calibration -->\n", "<!-- end of calibration -->"
PASS = 40  # games of a cell, before those of the next
MAPS = ("germany", "usa", "italy", "central_europe", "france")
LEVELS = ("apprentice", "clerk", "engineer", "tycoon")
UNTAUGHT_LEVELS = LEVELS[:3]
BOARD_GAMES = ("classic", "recharged")
CELLS = [(rulebook, players) for rulebook in BOARD_GAMES for players in (4, 2, 6)]
CELLS += [(rulebook, players) for rulebook in ("cardgame", "outpost") for players in (4, 2, 6)]
MAX_MOVES = 1_500
SAMPLED = 0.15  # share of the open decisions; the first of a round counts
MASKED = {True: (0.0,), False: (0.5, 1.0)}
"""Shares of seats whose level the fit does not know, by whether all are known."""
PRIOR_WEIGHT = 3.0  # positions that hold the parameters back
BINS = 10
RESAMPLES = 200
MAX_STEP = 1.0


class Position(msgspec.Struct):
    """A position of a game: the estimates, who sits there and who won."""

    rulebook: str
    players: int
    game: int
    levels: list[str]
    round: int
    seat: int
    forecast: list[float]
    won: list[float]
    network: list[float] | None = None

    def logits(self, kind: Kind) -> list[float] | None:
        return self.network if kind == "network" else self.forecast


def play(rulebook: str, players: int, number: int) -> list[Position]:
    """A position of each round of a game."""
    seed = f"calibration/{rulebook}/{players}/{number}"
    rng = Random(seed)
    board = rulebook in BOARD_GAMES
    levels = [rng.choice(LEVELS if board else UNTAUGHT_LEVELS) for _ in range(players)]
    game = hv.new(rulebook, players=players, seed=seed, map=rng.choice(MAPS) if board else None)
    seated = [bots.make(name, f"{seed}/{seat}") for seat, name in enumerate(levels)]
    found: dict[int, dict[str, Any]] = {}
    forecast = ForecastEstimator(Random(1))
    while game.to_move is not None and len(game.log) < MAX_MOVES:
        now = game.state.round
        if now not in found and len(game.legal_moves) > 1 and rng.random() < SAMPLED:
            estimator = estimator_for(game, rng)
            found[now] = {
                "round": now,
                "seat": game.to_move,
                "forecast": forecast.logits([game])[0],
            }
            if isinstance(estimator, NetworkEstimator):
                found[now]["network"] = estimator.logits([game])[0]
        game.play(bots.ask(seated[game.to_move], game).move)
    if game.outcome is None:
        return []
    winners = game.outcome.winners
    won = [(seat in winners) / len(winners) for seat in range(players)]
    return [Position(rulebook, players, number, levels, won=won, **each) for each in found.values()]


def read_positions() -> Iterator[Position]:
    if DATA.exists():
        for line in DATA.read_text("utf-8").splitlines():
            yield msgspec.json.decode(line, type=Position)


def collect(games: int, minutes: float) -> None:
    """Play what is missing, until time is up."""
    until = monotonic() + 60 * minutes
    DATA.parent.mkdir(exist_ok=True)
    done = dict.fromkeys(CELLS, 0)
    for each in read_positions():
        cell = each.rulebook, each.players
        done[cell] = max(done[cell], each.game + 1)
    with DATA.open("a", encoding="utf-8") as file:
        for goal in count(PASS, PASS):
            for cell in CELLS:
                for number in range(done[cell], min(games, goal)):
                    if monotonic() > until:
                        return
                    for each in play(*cell, number):
                        file.write(msgspec.json.encode(each).decode() + "\n")
                    file.flush()
                done[cell] = max(done[cell], min(games, goal))
            if goal >= games:
                return


class Sample(NamedTuple):
    """Positions of one cell as arrays: features by position, seat and parameter; shares won."""

    features: Any
    won: Any


def sample(
    positions: Sequence[Position], kind: Kind, levels: Sequence[str], rng: Random, masked: float
) -> Sample:
    """Parameters are the scale and the bonus of each level, at the start and how far they grow."""
    features = np.zeros((len(positions), positions[0].players, 2 + 2 * len(levels)))
    for row, each in zip(features, positions, strict=True):
        late = lateness(each.round)
        for seat, logit in enumerate(each.logits(kind) or ()):
            row[seat, :2] = logit, logit * late
            level = UNKNOWN if rng.random() < masked else each.levels[seat]
            if level in levels:
                at = 2 + 2 * levels.index(level)
                row[seat, at : at + 2] = 1, late
    return Sample(features, np.array([each.won for each in positions]))


def softmax(logits: Any) -> Any:
    raised = np.exp(logits - logits.max(1, keepdims=True))
    return raised / raised.sum(1, keepdims=True)


def loss(chances: Any, won: Any) -> float:
    return float(-(won * np.log(np.maximum(chances, 1e-12))).sum(1).mean())


def fit(some: Sample) -> Any:
    """The likeliest parameters, by Newton's method; the problem is convex."""
    features, won = some
    prior = np.zeros(features.shape[2])
    prior[0] = 0.5
    found = prior.copy()
    for _ in range(200):
        chances = softmax(features @ found)
        slope = np.einsum("nsf,ns->f", features, chances - won) + PRIOR_WEIGHT * (found - prior)
        mean = np.einsum("nsf,ns->nf", features, chances)
        bend = np.einsum("nsf,ns,nsg->fg", features, chances, features) - mean.T @ mean
        step = np.linalg.solve(bend + PRIOR_WEIGHT * np.eye(len(found)), slope)
        found -= step * min(1.0, MAX_STEP / np.abs(step).max())
        if np.abs(step).max() < 1e-7:
            break
    return found


def fit_cell(
    positions: Sequence[Position], kind: Kind, levels: Sequence[str], *, known: bool
) -> Correction:
    rng = Random(1)
    some = [sample(positions, kind, levels, rng, masked) for masked in MASKED[known]]
    found = fit(Sample(*(np.concatenate(each) for each in zip(*some, strict=True))))
    found = [round(float(each), 4) for each in found]
    bonus = {level: (found[2 + 2 * at], found[3 + 2 * at]) for at, level in enumerate(levels)}
    return Correction((found[0], found[1]), {**bonus, UNKNOWN: (0.0, 0.0)})


def cells(positions: Sequence[Position]) -> Iterator[tuple[str, int, Kind, list[Position]]]:
    kinds: tuple[Kind, ...] = ("network", "forecast")
    for rulebook, players in CELLS:
        for kind in kinds:
            some = [
                each
                for each in positions
                if (each.rulebook, each.players) == (rulebook, players) and each.logits(kind)
            ]
            if some:
                yield rulebook, players, kind, some


def fit_all(positions: Sequence[Position]) -> None:
    found = [
        FittedCorrection(
            rulebook,
            players,
            kind,
            known,
            fit_cell(
                [each for each in some if each.game % 2 == 0],
                kind,
                LEVELS if rulebook in BOARD_GAMES else UNTAUGHT_LEVELS,
                known=known,
            ),
        )
        for rulebook, players, kind, some in cells(positions)
        for known in MASKED
    ]
    text = msgspec.json.format(msgspec.json.encode(found), indent=1)
    CORRECTIONS.write_bytes(text + b"\n")
    fitted.cache_clear()
    correction_for.cache_clear()


class Measured(NamedTuple):
    """How the chances of one cell came true in games that they were not fitted on."""

    rulebook: str
    players: int
    kind: Kind
    known: bool  # the judge knows who sits there
    games: int
    positions: int
    brier: float
    raw_brier: float
    par_brier: float
    log_loss: float
    par_loss: float
    error: float  # mean distance between told and happened, weighted by count
    worst: str  # the bin that is farthest off, beyond twice its standard error
    curve: list[tuple[float, float, float]]  # told, happened, standard error


def measure(
    rulebook: str, players: int, kind: Kind, positions: Sequence[Position], *, known: bool
) -> Measured:
    correction = correction_for(rulebook, players, kind, known)
    logits = [each.logits(kind) or [] for each in positions]
    chances = np.array(
        [
            correction.chances(some, each.round, each.levels if known else [None] * players)
            for each, some in zip(positions, logits, strict=True)
        ]
    )
    raw = softmax(np.array(logits))
    won = np.array([each.won for each in positions])
    games = np.repeat([each.game for each in positions], players)
    told, happened = chances.ravel(), won.ravel()
    at = np.minimum(BINS - 1, (told * BINS).astype(int))
    curve, off, error = [], "none", 0.0
    beyond = 0.0
    for number in range(BINS):
        here = at == number
        if not here.any():
            continue
        gap = happened[here] - told[here]
        spread = bootstrap(gap, games[here])
        curve.append((float(told[here].mean()), float(happened[here].mean()), spread))
        error += abs(float(gap.mean())) * int(here.sum()) / len(told)
        excess = abs(float(gap.mean())) - 2 * spread
        if excess > max(0.0, beyond):
            beyond = excess
            off = f"{told[here].mean():.0%}: {happened[here].mean():.0%} ± {spread:.0%}"
    return Measured(
        rulebook,
        players,
        kind,
        known,
        len({*games.tolist()}),
        len(positions),
        float(((chances - won) ** 2).mean()),
        float(((raw - won) ** 2).mean()),
        (players - 1) / players**2,
        loss(chances, won),
        float(np.log(players)),
        error,
        off,
        curve,
    )


def bootstrap(gaps: Any, games: Any) -> float:
    """The standard error of a mean, by drawing whole games."""
    names, where = np.unique(games, return_inverse=True)
    sums, counts = np.bincount(where, gaps), np.bincount(where)
    rng = np.random.default_rng(1)
    drawn = rng.integers(len(names), size=(RESAMPLES, len(names)))
    return float((sums[drawn].sum(1) / counts[drawn].sum(1)).std())


def table(found: Sequence[Measured]) -> str:
    head = (
        "rulebook", "players", "judge", "levels", "games", "positions", "Brier", "uncorrected",
        "par", "log loss", "par", "off by", "worst bin beyond doubt",
    )  # fmt: skip
    rows = [
        (
            each.rulebook, f"{each.players}", each.kind, "known" if each.known else "unknown",
            f"{each.games}", f"{each.positions:,}",
            f"{each.brier:.3f}", f"{each.raw_brier:.3f}", f"{each.par_brier:.3f}",
            f"{each.log_loss:.2f}", f"{each.par_loss:.2f}", f"{100 * each.error:.1f}", each.worst,
        )
        for each in found
    ]  # fmt: skip
    aligned = ("---", "--:", "---", "---", *["--:"] * 8, "---")
    return "\n".join(f"| {' | '.join(row)} |" for row in (head, aligned, *rows)) + "\n"


SIZE, GAP, COLUMNS = 130, 34, 6


def drawing(found: Sequence[Measured]) -> str:
    """For each cell what happened against what was told, with twice the standard error."""
    parts = []
    for number, each in enumerate(found):
        left = GAP + number % COLUMNS * (SIZE + GAP)
        top = GAP + number // COLUMNS * (SIZE + 2 * GAP)
        title = f"{each.rulebook}, {each.players}, {each.kind}{'' if each.known else ' ?'}"
        parts.append(
            f'<g transform="translate({left} {top})"><rect width="{SIZE}" height="{SIZE}"'
            f' fill="none" stroke="currentColor" opacity="0.4"/><path d="M0 {SIZE}L{SIZE} 0"'
            f' stroke="currentColor" opacity="0.4"/><text y="-6">{title}</text>'
        )
        places = [(SIZE * told, SIZE * (1 - happened), SIZE * 2 * error)
                  for told, happened, error in each.curve]  # fmt: skip
        parts += [
            f'<path d="M{x:.1f} {max(0, y - bar):.1f}V{min(SIZE, y + bar):.1f}"'
            ' stroke="#2a78d6" opacity="0.5"/>'
            for x, y, bar in places
        ]
        line = "L".join(f"{x:.1f} {y:.1f}" for x, y, _ in places)
        parts.append(f'<path d="M{line}" fill="none" stroke="#2a78d6" stroke-width="2"/></g>')
    width = GAP + COLUMNS * (SIZE + GAP)
    height = GAP + -(-len(found) // COLUMNS) * (SIZE + 2 * GAP)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img"'
        ' font-family="sans-serif" font-size="11" color="#666" fill="currentColor">'
        f"<title>Chances and what came true</title>{''.join(parts)}</svg>\n"
    )


def write_docs(found: Sequence[Measured]) -> None:
    (DOCS / "chances.svg").write_text(drawing(found), "utf-8")
    page = DOCS / "chances.md"
    before, _, rest = page.read_text("utf-8").partition(BEGIN)
    after = rest.partition(END)[2]
    page.write_text(f"{before}{BEGIN}\n{table(found)}\n{END}{after}", "utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=1000, help="of each cell, half for the fit")
    parser.add_argument("--minutes", type=float, default=600, help="stop playing then")
    given = parser.parse_args()
    collect(given.games, given.minutes)
    positions = [*read_positions()]
    fit_all(positions)
    found = [
        measure(rulebook, players, kind, [each for each in some if each.game % 2], known=known)
        for rulebook, players, kind, some in cells(positions)
        for known in MASKED
    ]
    write_docs(found)
    print(table(found))


if __name__ == "__main__":
    main()
