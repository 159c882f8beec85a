"""How often what the judge calls a chance comes true: `python -m benchmarks.calibration FOLDER`.

Reads the games that `benchmarks/chances.py` played into FOLDER. Fits the corrections that are
shipped, and measures them twice: on the same games, each part by what was fitted on the others, and
as they are on fresh games, on which nothing was fitted. `--write` fits them anew and writes
src/highvoltage/judge/corrections.json, the tables in docs/chances.md and the curves in
docs/chances.svg; without it the shipped ones are measured.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import msgspec
import numpy as np

from benchmarks import ROOT
from benchmarks.measuring import Report, parser
from benchmarks.mixed_games import CELLS, LEVELS, AheadGame, EstimatedGame, Estimates
from benchmarks.reproaches import Reproach
from highvoltage.judge.correction import (
    Correction,
    FittedCorrection,
    correction_for,
    fitted,
    lateness,
)
from highvoltage.judge.estimates import Kind

CORRECTIONS = ROOT / "src" / "highvoltage" / "judge" / "corrections.json"
DOCS = ROOT / "docs"
KINDS: tuple[Kind, ...] = ("network", "forecast")
MASKED = {True: (0.0,), False: (0.5, 1.0)}
"""Shares of seats whose level the fit does not know, by whether all are known."""
PRIOR_WEIGHT = 3.0  # positions that hold the parameters back
FOLDS = 5  # parts of the games, each measured by what was fitted on the others
FITTED_PARTS = ("fit", "test", "more")
"""What the corrections are fitted on: first one half and then both, when their form was chosen.

There are more of those cells that were off in fresh games after that."""
BINS = 10
MAX_ERROR = 0.02  # weighted by count
MAX_GAP = 0.04  # of a bin, beyond twice its standard error
RESAMPLES = 200
MIN_FRESH_GAMES = 100  # fewer of a cell say nothing
MAX_STEPS = 100
MIN_STEP = 1e-6


class Positions(NamedTuple):
    """Positions of one cell by one kind of estimate, as arrays by position and seat."""

    logits: Any
    skills: Any
    late: Any  # by position
    won: Any
    levels: list[list[str]]
    rounds: list[int]
    games: Any  # by position, to draw whole games

    def only(self, wanted: Any) -> "Positions":
        """Those that are wanted."""
        numbers = np.flatnonzero(wanted)
        return Positions(
            self.logits[wanted],
            self.skills[wanted],
            self.late[wanted],
            self.won[wanted],
            [self.levels[number] for number in numbers],
            [self.rounds[number] for number in numbers],
            self.games[wanted],
        )


Cell = tuple[str, int]  # rulebook and players
Read = TypeVar("Read")


def read_games(folder: Path, *parts: str) -> dict[Cell, list[EstimatedGame]]:
    return {
        cell: [each for part in parts for each in read_part(folder, part, cell, EstimatedGame)]
        for cell in CELLS
    }


def read_part(folder: Path, part: str, cell: Cell, kind: type[Read]) -> list[Read]:
    return [
        each
        for file in sorted(folder.glob(f"{part}-{cell[0]}-{cell[1]}-*.json"))
        for each in msgspec.json.decode(file.read_bytes(), type=list[kind])  # type: ignore[valid-type]
    ]


def positions_of(games: Sequence[EstimatedGame], kind: Kind) -> Positions | None:
    """Those that the judge estimates in this way; if none, those of games without tycoons.

    Where forecasts speak, the tycoon was not taught: it plays as engineers do, and its name means
    less. None if there is no such estimate in these games.
    """
    estimated = [
        (number, game, each)
        for number, game in enumerate(games)
        for each in game.rounds
        if kind in each.logits
    ]
    found = [one for one in estimated if speaking(one[2]) == kind]
    found = found or [one for one in estimated if "tycoon" not in one[1].levels]
    if not found:
        return None
    rounds = [each.round for _, _, each in found]
    return Positions(
        np.array([each.logits[kind] for _, _, each in found]),
        np.array([each.skills[kind] for _, _, each in found]),
        np.array([*map(lateness, rounds)]),
        np.array([game.won for _, game, _ in found]),
        [game.levels for _, game, _ in found],
        rounds,
        np.array([number for number, _, _ in found]),
    )


def speaking(position: Estimates) -> Kind:
    """The estimate that the judge relies on."""
    return "network" if "network" in position.logits else "forecast"


# The fit


def features(some: Positions, levels: Sequence[str], rng: Any, masked: float) -> Any:
    """By position, seat and parameter: the scale, the weight of skill, the bonus of each level.

    Each of them twice: at the start, and how far it grows. At the end leads and skills squared.
    """
    found = np.zeros((*some.logits.shape, 4 + 2 * len(levels) + 2))
    late = some.late[:, None]
    found[..., 0], found[..., 1] = some.logits, some.logits * late
    leads = some.logits - some.logits.mean(1, keepdims=True)
    found[..., -2] = leads * np.abs(leads)
    seated, unknown = np.array(some.levels), rng.random(some.logits.shape) < masked
    for at, level in enumerate((None, *levels)):
        amount = some.skills * unknown if level is None else (seated == level) & ~unknown
        found[..., 2 + 2 * at], found[..., 3 + 2 * at] = amount, amount * late
    found[..., -1] = found[..., 2] ** 2
    return found


def softmax(logits: Any) -> Any:
    raised = np.exp(logits - logits.max(1, keepdims=True))
    return raised / raised.sum(1, keepdims=True)


def loss(chances: Any, won: Any) -> float:
    return float(-(won * np.log(np.maximum(chances, 1e-12))).sum(1).mean())


def fit(features: Any, won: Any) -> list[float]:
    """The likeliest parameters, by Newton's method; the problem is convex."""
    prior = np.zeros(features.shape[2])
    prior[0] = 0.5
    found = prior.copy()

    def penalty(parameters: Any) -> float:
        held_back = PRIOR_WEIGHT / 2 * ((parameters - prior) ** 2).sum()
        return len(won) * loss(softmax(features @ parameters), won) + float(held_back)

    for _ in range(MAX_STEPS):
        chances = softmax(features @ found)
        slope = np.einsum("nsf,ns->f", features, chances - won) + PRIOR_WEIGHT * (found - prior)
        mean = np.einsum("nsf,ns->nf", features, chances)
        bend = np.einsum("nsf,ns,nsg->fg", features, chances, features, optimize=True)
        bend += PRIOR_WEIGHT * np.eye(len(found)) - mean.T @ mean
        step = np.linalg.solve(bend, slope)
        while penalty(found - step) > penalty(found) and np.abs(step).max() > MIN_STEP:
            step /= 2
        found -= step
        if np.abs(step).max() <= MIN_STEP:
            break
    return [round(float(each), 4) for each in found]


def fitted_correction(some: Positions, *, known: bool) -> Correction:
    rng = np.random.default_rng(1)
    levels = [level for level in LEVELS if any(level in seated for seated in some.levels)]
    parts = [features(some, levels, rng, masked) for masked in MASKED[known]]
    found = fit(np.concatenate(parts), np.concatenate([some.won] * len(parts)))
    scale, skill, *bonus, squares = zip(found[::2], found[1::2], strict=True)
    return Correction(scale, dict(zip(levels, bonus, strict=True)), skill, *squares)


def fit_corrections(games: dict[Cell, list[EstimatedGame]]) -> None:
    """Fit all corrections of the package, and write them."""
    found = [
        FittedCorrection(*cell, kind, known, fitted_correction(some, known=known))
        for cell, played in games.items()
        for kind in KINDS
        if (some := positions_of(played, kind))
        for known in MASKED
    ]
    text = msgspec.json.format(msgspec.json.encode(found), indent=1)
    CORRECTIONS.write_bytes(text + b"\n")
    fitted.cache_clear()
    correction_for.cache_clear()


# The measurement


class Measured(NamedTuple):
    """How the chances of one cell came true in games that they were not fitted on."""

    cell: Cell
    judge: str
    known: bool  # the judge knows who sits there
    games: int
    positions: int
    brier: float
    log_loss: float
    raw: tuple[float, float] | None  # Brier score and log loss of the estimate itself
    error: float  # mean distance between told and happened, weighted by count
    worst: str  # the bin that is farthest beyond what is allowed
    curve: list[tuple[float, float, float]]  # told, happened, standard error

    @property
    def is_calibrated(self) -> bool:
        return self.error <= MAX_ERROR and not self.worst


def measure(
    cell: Cell, judge: str, known: bool, chances: Any, won: Any, games: Any, raw: Any = None
) -> Measured:
    told, happened = chances.ravel(), won.ravel()
    by_seat = np.repeat(games, cell[1])
    at = np.minimum(BINS - 1, (told * BINS).astype(int))
    curve, worst, error = [], "", 0.0
    beyond = MAX_GAP
    for number in range(BINS):
        here = at == number
        if not here.any():
            continue
        gap = happened[here] - told[here]
        spread = bootstrap(gap, by_seat[here])
        curve.append((float(told[here].mean()), float(happened[here].mean()), spread))
        error += abs(float(gap.mean())) * int(here.sum()) / len(told)
        if abs(float(gap.mean())) - 2 * spread > beyond:
            beyond = abs(float(gap.mean())) - 2 * spread
            worst = f"{told[here].mean():.0%}: {happened[here].mean():.0%} ± {spread:.0%}"
    return Measured(
        cell,
        judge,
        known,
        len({*games.tolist()}),
        len(chances),
        brier(chances, won),
        loss(chances, won),
        None if raw is None else (brier(raw, won), loss(raw, won)),
        error,
        worst,
        curve,
    )


def brier(chances: Any, won: Any) -> float:
    return float(((chances - won) ** 2).mean())


def bootstrap(gaps: Any, games: Any) -> float:
    """The standard error of a mean, by drawing whole games."""
    names, where = np.unique(games, return_inverse=True)
    sums, counts = np.bincount(where, gaps), np.bincount(where)
    rng = np.random.default_rng(1)
    drawn = rng.integers(len(names), size=(RESAMPLES, len(names)))
    return float((sums[drawn].sum(1) / counts[drawn].sum(1)).std())


def measure_first_sight(games: dict[Cell, list[EstimatedGame]]) -> Iterator[Measured]:
    for cell, played in games.items():
        for kind in KINDS:
            some = positions_of(played, kind)
            if some is None:
                continue
            raw = softmax(some.logits)
            for known in MASKED:
                chances = cross_validated(some, known=known)
                yield measure(cell, kind, known, chances, some.won, some.games, raw)


def cross_validated(some: Positions, *, known: bool) -> Any:
    """Chances of all positions, by corrections that were fitted on other games."""
    found = np.zeros(some.won.shape)
    for part in range(FOLDS):
        here = some.games % FOLDS == part
        correction = fitted_correction(some.only(~here), known=known)
        for number in np.flatnonzero(here):
            seated = some.levels[number] if known else [None] * found.shape[1]
            found[number] = correction.chances(
                some.logits[number], some.rounds[number], seated, some.skills[number]
            )
    return found


def measure_fresh(games: dict[Cell, list[EstimatedGame]]) -> Iterator[Measured]:
    """By the corrections that are shipped: what people see, whichever estimate it comes from."""
    for cell, played in games.items():
        found = [
            (number, game, each, speaking(each))
            for number, game in enumerate(played)
            for each in game.rounds
        ]
        if len(played) < MIN_FRESH_GAMES:
            continue
        won = np.array([game.won for _, game, _, _ in found])
        numbers = np.array([number for number, _, _, _ in found])
        raw = softmax(np.array([each.logits[kind] for _, _, each, kind in found]))
        for known in MASKED:
            chances = [
                correction_for(*cell, kind, known).chances(
                    each.logits[kind],
                    each.round,
                    game.levels if known else [None] * cell[1],
                    each.skills[kind],
                )
                for _, game, each, kind in found
            ]
            judge = ", ".join(sorted({kind for *_, kind in found}, reverse=True))
            yield measure(cell, judge, known, np.array(chances), won, numbers, raw)


def measure_ahead(folder: Path) -> Iterator[Measured]:
    """Of all rulebooks together: the positions of one cell are too few for ten bins."""
    for players in dict.fromkeys(players for _, players in CELLS):
        played = [
            each
            for cell in CELLS
            if cell[1] == players
            for each in read_part(folder, "ahead", cell, AheadGame)
        ]
        if not played:
            continue
        won, games = np.array([each.won for each in played]), np.arange(len(played))
        for known in MASKED:
            told = np.array([each.known if known else each.unknown for each in played])
            yield measure(("all", players), "looking ahead", known, told, won, games)


# The documentation


def tables(
    fresh: Sequence[Measured], found: Sequence[Measured], reproaches: Sequence[Reproach]
) -> dict[str, str]:
    """The tables of the page by the name of their place."""
    reproached = [
        (
            each.rulebook, f"{each.round}", f"`{each.played}`", f"`{each.best}`",
            f"{each.cost[0]:.0%} to {each.cost[1]:.0%}",
            f"{each.played_won / each.times:.0%}", f"{each.best_won / each.times:.0%}",
        )
        for each in reproaches
    ]  # fmt: skip
    return {
        "fresh": measured_table(fresh),
        "calibration": measured_table(found),
        "reproaches": table(
            ("rulebook", "round", "played", "better", "cost", "won after it", "won after better"),
            "lrllrrr",
            reproached,
        ),
    }


def measured_table(found: Sequence[Measured]) -> str:
    head = (
        "rulebook", "players", "judge", "levels", "games", "positions", "Brier", "raw", "par",
        "log loss", "raw", "par", "off by", "bin beyond 4 points",
    )  # fmt: skip
    rows = []
    for each in found:
        players = each.cell[1]
        raw = [f"{number:.3f}" for number in each.raw] if each.raw else ["", ""]
        rows.append((
            each.cell[0], f"{players}", each.judge, "known" if each.known else "unknown",
            f"{each.games}", f"{each.positions:,}",
            f"{each.brier:.3f}", raw[0], f"{(players - 1) / players**2:.3f}",
            f"{each.log_loss:.3f}", raw[1], f"{np.log(players):.3f}",
            f"{100 * each.error:.1f}", each.worst or "none",
        ))  # fmt: skip
    return table(head, "lrllrrrrrrrrrl", rows)


def table(head: Sequence[str], aligned: str, rows: Sequence[Sequence[str]]) -> str:
    marks = ["--:" if each == "r" else "---" for each in aligned]
    return "\n".join(f"| {' | '.join(row)} |" for row in (head, marks, *rows)) + "\n"


SIZE, GAP, COLUMNS = 130, 34, 6


def drawing(found: Sequence[Measured]) -> str:
    """For each cell what happened against what was told, with twice the standard error."""
    parts = []
    for number, each in enumerate(found):
        left = GAP + number % COLUMNS * (SIZE + GAP)
        top = GAP + number // COLUMNS * (SIZE + 2 * GAP)
        title = f"{each.cell[0]}, {each.cell[1]}, {each.judge}{'' if each.known else ' ?'}"
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


def write_docs(found: Sequence[Measured], written: dict[str, str]) -> None:
    (DOCS / "chances.svg").write_text(drawing(found), "utf-8")
    page = DOCS / "chances.md"
    text = page.read_text("utf-8")
    for name, some in written.items():
        begin, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->"
        before, _, rest = text.partition(begin)
        text = f"{before}{begin}\n{some}\n{end}{rest.partition(end)[2]}"
    page.write_text(text, "utf-8")


def main(words: Sequence[str] | None = None) -> None:
    arguments = parser(__doc__)
    arguments.add_argument("folder", type=Path)
    arguments.add_argument("--write", action="store_true", help="write corrections and docs")
    options = arguments.parse_args(words)
    folder, report = options.folder, Report(options)
    games = read_games(folder, *FITTED_PARTS)
    if options.write:
        fit_corrections(games)
    fresh = [*measure_fresh(read_games(folder, "fresh"))]
    found = [*measure_first_sight(games), *measure_ahead(folder)]
    reproaches = [
        each
        for rulebook in dict.fromkeys(rulebook for rulebook, _ in CELLS)
        for each in read_part(folder, "reproach", (rulebook, 4), Reproach)
    ]
    if options.write:
        write_docs([*fresh, *found], tables(fresh, found, reproaches))
    for name, some in (("fresh", fresh), ("cross-validated", found)):
        for each in some:
            cell = f"{each.cell[0]}, {each.cell[1]} players, {each.judge}"
            worst = f", worst {each.worst}" if each.worst else ""
            report.row(
                f"{name}: {cell}, {'known' if each.known else 'unknown'}: off by {each.error:.1%}"
                f"{worst}{'' if each.is_calibrated else '  NOT calibrated'}",
                games=name,
                rulebook=each.cell[0],
                players=each.cell[1],
                judge=each.judge,
                known=each.known,
                error=float(each.error),
                is_calibrated=bool(each.is_calibrated),
            )
        calibrated = sum(bool(each.is_calibrated) for each in some)
        report.row(
            f"{name}: {calibrated} of {len(some)} are calibrated",
            games=name,
            calibrated=calibrated,
            of=len(some),
        )
    better = sum(each.best_won > each.played_won for each in reproaches)
    report.row(
        f"{better} of {len(reproaches)} reproaches win more", better=better, of=len(reproaches)
    )


if __name__ == "__main__":
    main()
