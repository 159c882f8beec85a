"""The card of a data set: what it holds, how it was made, and by whom it was played."""

from collections import Counter
from importlib.metadata import version
from typing import NamedTuple

import highvoltage as hv
from highvoltage import codec
from highvoltage.data.rows import COLUMNS, OBSERVATION_COLUMNS
from highvoltage.games import meta

SPLIT_ORDER = ("train", "validation", "test")
SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))
LARGE = "1M<n<10M"
LEVELS = {
    "random": "draws any legal move",
    "apprentice": "a clerk that misses one chance in seven",
    "clerk": "rules of thumb",
    "engineer": "values everything by what it brings in until the end of the game",
}


class Counts(NamedTuple):
    """What a data set holds."""

    games: Counter[tuple[str, str]]  # by rulebook and split
    decisions: Counter[tuple[str, str]]
    seats: Counter[tuple[str, str]]  # by rulebook and level
    wins: Counter[tuple[str, str]]


def card_text(games: int, seed: str, counts: Counts, *, observations: bool) -> str:
    """The card, with the metadata that the hub reads at its head."""
    rulebooks = [*dict.fromkeys(rulebook for rulebook, _ in counts.games)]
    switch = " --observations" if observations else ""
    return "\n".join(
        [
            *("---", *head(rulebooks, counts), "---", ""),
            "# Games of High Voltage",
            "",
            (
                f"{sum(counts.games.values()):,} whole games of the Power Grid family with"
                f" {sum(counts.decisions.values()):,} decisions, one row each. Programs of four"
                " strengths played them, mixed at random, on every board of the program."
            ),
            *("", "## Columns", "", "| column | meaning |", "| --- | --- |"),
            *(f"| `{name}` | {meaning} |" for name, meaning in COLUMNS.items()),
            *observation_lines(observations),
            *("", "`player` names the program in that seat. docs/machines.md explains the rest."),
            *("", "## Contents", "", "| rulebook | split | games | decisions |"),
            "| --- | --- | --: | --: |",
            *(
                f"| {rulebook} | {split} | {counts.games[rulebook, split]:,}"
                f" | {counts.decisions[rulebook, split]:,} |"
                for rulebook in rulebooks
                for split in splits_of(rulebook, counts)
            ),
            "",
            (
                "Splits are by deal: all decisions of a game are in one split,"
                " and no two games have the same deal."
            ),
            *("", "## Who played", "", "| program | how it plays | seats | games won |"),
            "| --- | --- | --: | --: |",
            *(level_line(level, rulebooks, counts) for level in LEVELS),
            *("", "A tie for the win counts as a share.", "", "## How it was made", ""),
            *("```sh", f"highvoltage dataset FOLDER --games {games} --seed {seed}{switch}", "```"),
            "",
            (
                f"The same command with the same versions gives the same bytes: highvoltage"
                f" {hv.__version__}, {rule_versions(rulebooks)}, codec {codec.VERSION}, pyarrow"
                f" {version('pyarrow')}. `sha256sum --check SHA256SUMS` verifies all files."
            ),
            *("", "## Licence", ""),
            (
                "MIT, as the program. High Voltage is an unofficial project,"
                " not affiliated with the publisher of the printed games."
            ),
            "",
        ]
    )


def head(rulebooks: list[str], counts: Counts) -> list[str]:
    decisions = sum(counts.decisions.values())
    size = next((name for most, name in SIZES if decisions < most), LARGE)
    lines = [
        *("license: mit", "pretty_name: Games of High Voltage", "task_categories:"),
        *("- reinforcement-learning", "tags:", "- board-games", "- imitation-learning"),
        *("size_categories:", f"- {size}", "configs:"),
    ]
    for rulebook in rulebooks:
        lines += [f"- config_name: {rulebook}", "  data_files:"]
        for split in splits_of(rulebook, counts):
            lines += [f"  - split: {split}", f"    path: data/{rulebook}/{split}-*.parquet"]
    return lines


def splits_of(rulebook: str, counts: Counts) -> list[str]:
    return [split for split in SPLIT_ORDER if counts.games[rulebook, split]]


def observation_lines(observations: bool) -> list[str]:
    if not observations:
        return []
    rows = [f"| `{name}` | {meaning} |" for name, meaning in OBSERVATION_COLUMNS.items()]
    return [*rows, "| `observation.…` | a part of what the seat saw, flat, between 0 and 1 |"]


def level_line(level: str, rulebooks: list[str], counts: Counts) -> str:
    seats = sum(counts.seats[rulebook, level] for rulebook in rulebooks)
    wins = sum(counts.wins[rulebook, level] for rulebook in rulebooks)
    share = f"{wins / seats:.1%}" if seats else ""
    return f"| `{level}` | {LEVELS[level]} | {seats:,} | {share} |"


def rule_versions(rulebooks: list[str]) -> str:
    return ", ".join(f"rules of {rulebook} {meta(rulebook).version}" for rulebook in rulebooks)
