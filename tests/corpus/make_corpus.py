"""Find finished games for the corpus: games that must replay forever.

    PYTHONPATH=tests python tests/corpus/make_corpus.py [RULEBOOK …]

plays games of clerks and random bots, in every setting, and keeps a game if it shows something that
no game files so far shows. Existing files are never overwritten.
"""

import sys
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from random import Random

import highvoltage as hv
from highvoltage import bots
from highvoltage.engine.events import StepBegins, Turned
from highvoltage.testing import Setting
from ours import RULEBOOKS, our_settings

FOLDER = Path(__file__).parent
NAMES = ("Ann", "Bob", "Cyd", "Dan", "Eve", "Fay")
LINE_UPS = (("clerk",), ("random", "clerk"), ("random",))


def features(game: hv.Game) -> set[str]:
    """What a finished game shows: setting, happenings, how Step 3 started, what decided it."""
    record = game.record()
    players = f"{len(game.names)} players"
    options = {
        f"{name} {value}" for name, value in record.options.items() if isinstance(value, str | int)
    }
    return {
        players,
        f"version {record.version}",
        setting_of(game),
        *options,
        *happenings(game),
        *step_3(game),
        decision(game),
        f"{decision(game)}, {players}",
    }


def setting_of(game: hv.Game) -> str:
    """The map, the number of players, each option that is not the default, and the version."""
    record = game.record()
    usual = {option.name: option.default for option in hv.games()[record.rulebook].options}
    chosen = (
        f"{name} {value}"
        for name, value in record.options.items()
        if name in usual and isinstance(value, str | int) and value != usual[name]
    )
    where = str(record.options.get("map", "cards"))
    players, version = f"{len(game.names)} players", f"version {record.version}"
    return ", ".join([f"with {where}", players, *chosen, version])


def happenings(game: hv.Game) -> Iterator[str]:
    """Every kind of move and of event, and some rare ones."""
    for row in game.log:
        yield f"move {row.move.verb}"
        whats = [event.what for event in row.events]
        yield from (f"event {what}" for what in whats)
        if whats.count("removed") > 1:
            yield "two cards removed at once"
        if whats.count("cannot_buy") > 1:
            yield "several cannot buy"
        if row.turned.count("~reshuffle") > 1:
            yield "two reshuffles at once"


def step_3(game: hv.Game) -> Iterator[str]:
    """The phase and Step in which the last card was turned up."""
    step = 1
    for row in game.log:
        began_step_2 = False
        for event in row.events:
            if isinstance(event, StepBegins):
                step = event.step
                began_step_2 = step == 2
            if isinstance(event, Turned) and event.card == game.rules.last_card:
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
    """Endless random games, every setting in turn."""
    cases = our_settings(rulebook)
    for seed in count():
        setting = cases[seed % len(cases)]
        yield play(setting, seed, LINE_UPS[seed // len(cases) % len(LINE_UPS)])


SHORT = 700
"""Moves: a longer game is files only for something rare."""


def play(setting: Setting, seed: int, line_up: tuple[str, ...]) -> hv.Game:
    names = NAMES[: setting.players]
    game = hv.new(setting.rulebook, map=setting.map, players=names, seed=seed, **setting.options)
    rng = Random(seed)
    bots.play_game(game, [bots.make(rng.choice(line_up), f"{seed} {name}") for name in names])
    return game


def file_name(rulebook: str, shown: set[str]) -> str:
    """Named after the rarest feature it shows."""
    for start in ("victory", "two", "several", "event", "move", *RARE, "with", ""):
        for feature in sorted(shown):
            if feature.startswith(start):
                return f"{rulebook} {feature}.txt".replace(",", "").replace(" ", "-").lower()
    raise AssertionError


RARE = ("last card with", "last card", "decided")


def is_rare(feature: str) -> bool:
    return not feature.startswith(("with ", "decided"))


def main(rulebooks: list[str]) -> None:
    for rulebook in rulebooks:
        files = FOLDER.glob(f"{rulebook}-*.txt")
        known = {feature for path in files for feature in features(hv.replay(path))}
        most = 2 * len(our_settings(rulebook))
        for number, game in enumerate(games(rulebook)):
            if number == most:
                break
            new = features(game) - known
            if new and (len(game.log) <= SHORT or any(map(is_rare, new))):
                known |= new
                path = FOLDER / file_name(rulebook, new)
                path.write_text(str(game.record()), "utf-8")
                print(f"{number}: {path.name}: {', '.join(sorted(new))}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:] or list(RULEBOOKS))
