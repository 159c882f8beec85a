"""Finds finished games for the corpus: games that must replay for ever.

    python tests/corpus/make_corpus.py [RULEBOOK …]

plays games of random bots and clerks and keeps one whenever it shows something that no game kept
so far shows. Files that are there already are never written again.
"""

import sys
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from random import Random

import highvoltage as hv
from highvoltage import bots
from highvoltage.engine.cards import LAST_CARD
from highvoltage.testing import Setting, settings

FOLDER = Path(__file__).parent
NAMES = ("Ann", "Bob", "Cyd", "Dan", "Eve", "Fay")
LINE_UPS = (("random",), ("clerk",), ("random", "clerk"))


def features(game: hv.Game) -> set[str]:
    """What a finished game shows: its setting, how Step 3 came, what decided it."""
    record = game.record()
    options = {
        f"{name} {value}" for name, value in record.options.items() if isinstance(value, str | bool)
    }
    return {f"{len(game.names)} players", *options, *step_3(game), decision(game)}


def step_3(game: hv.Game) -> Iterator[str]:
    """In which phase the last card was turned up, and in which Step."""
    step = 1
    for row in game.log:
        began_step_2 = False
        for event in row.events:
            if event.what == "step":
                step = event.amount or step
                began_step_2 = step == 2
            if event.what == "turned" and event.card == LAST_CARD:
                yield (
                    f"last card with Step 2, {row.phase}"
                    if began_step_2
                    else (f"last card in Step {step}, {row.phase}")
                )
                return
    yield "last card never"


def decision(game: hv.Game) -> str:
    """What the winner was ahead in."""
    assert game.outcome is not None
    first, *others = game.outcome.ranking
    if len(first) > 1:
        return "victory shared"
    best = game.outcome.scores[first[0]]
    second = game.outcome.scores[others[0][0]]
    return f"decided by {next(name for name in best if best[name] != second[name])}"


def games(rulebook: str) -> Iterator[hv.Game]:
    """Random games without end, every setting in turn."""
    cases = list(settings(rulebook))
    for seed in count():
        setting = cases[seed % len(cases)]
        yield play(setting, seed, LINE_UPS[seed // len(cases) % len(LINE_UPS)])


def play(setting: Setting, seed: int, line_up: tuple[str, ...]) -> hv.Game:
    names = NAMES[: setting.players]
    game = hv.new(setting.rulebook, map=setting.map, players=names, seed=seed, **setting.options)
    rng = Random(seed)
    bots.play_game(game, [bots.make(rng.choice(line_up), f"{seed} {name}") for name in names])
    return game


def file_name(rulebook: str, shown: set[str]) -> str:
    """Named after the rarest thing it shows."""
    for start in ("victory", "last card with", "decided", "last card", ""):
        for feature in sorted(shown):
            if feature.startswith(start):
                return f"{rulebook} {feature}.txt".replace(",", "").replace(" ", "-").lower()
    raise AssertionError


def main(rulebooks: list[str], most: int = 6_000) -> None:
    for rulebook in rulebooks:
        kept = FOLDER.glob(f"{rulebook}-*.txt")
        known = {feature for path in kept for feature in features(hv.replay(path))}
        for number, game in enumerate(games(rulebook)):
            if number == most:
                break
            if new := features(game) - known:
                known |= new
                path = FOLDER / file_name(rulebook, new)
                path.write_text(str(game.record()), "utf-8")
                print(f"{number}: {path.name}: {', '.join(sorted(new))}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:] or list(hv.games()))
