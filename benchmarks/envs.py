"""What an environment costs compared with the engine: `python -m benchmarks.envs`.

`engine` lists the legal moves and plays one, as `highvoltage bench` does. `all seats` does the same
through the environment for all seats: it observes, draws a legal action and plays it. `one seat`
plays against three clerks. Times are processor times; every game is played several times, in turns,
and the fastest counts.
"""

from collections.abc import Sequence
from functools import cache
from time import process_time

import numpy as np

from benchmarks.measuring import Report, parser
from highvoltage import envs
from highvoltage.cli.bench import random_game
from highvoltage.envs.episodes import Mask

RULEBOOKS = ("classic", "recharged", "cardgame", "outpost")
REPEATS = 5

aec_of = cache(envs.aec)
one_seat_of = cache(envs.HighVoltageEnv)  # against clerks


def engine(rulebook: str, seed: int) -> int:
    return len(random_game(rulebook, seed).log)


def all_seats(rulebook: str, seed: int) -> int:
    env = aec_of(rulebook)
    env.reset(seed=seed)
    rng = np.random.default_rng(seed)
    for _ in env.agent_iter():
        seen, _, terminated, truncated, _ = env.last()
        env.step(None if terminated or truncated else draw(rng, seen["action_mask"]))
    return len(env.episodes.running.log)


def one_seat(rulebook: str, seed: int) -> int:
    """The number of the learner's steps."""
    env = one_seat_of(rulebook)
    _, info = env.reset(seed=seed)
    rng = np.random.default_rng(seed)
    steps, over = 0, False
    while not over:
        _, _, terminated, truncated, info = env.step(draw(rng, info["action_mask"]))
        over = terminated or truncated
        steps += 1
    return steps


def draw(rng: np.random.Generator, mask: Mask) -> int:
    legal = mask.nonzero()[0]
    return int(legal[int(rng.random() * len(legal))])


def speeds(rulebook: str, games: int) -> list[float]:
    """Decisions per second of the engine and both environments."""
    plays = engine, all_seats, one_seat
    count, seconds = [0] * len(plays), [0.0] * len(plays)
    for seed in range(games):
        best = [float("inf")] * len(plays)
        for _ in range(REPEATS):
            for at, play in enumerate(plays):
                began = process_time()
                decisions = play(rulebook, seed)
                best[at] = min(best[at], process_time() - began)
                count[at] += decisions
        seconds = [sum(pair) for pair in zip(seconds, best, strict=True)]
    return [made / REPEATS / time for made, time in zip(count, seconds, strict=True)]


def main(words: Sequence[str] | None = None) -> None:
    arguments = parser(__doc__)
    arguments.add_argument("--games", type=int, default=5, help="of each rulebook (5)")
    options = arguments.parse_args(words)
    report = Report(options)
    head = f"{'engine':>10}{'all seats':>12}{'ratio':>8}{'one seat':>12}"
    report.heading(f"{'':12}{head}  decisions/s")
    for rulebook in RULEBOOKS:
        alone, everybody, one = speeds(rulebook, options.games)
        report.row(
            f"{rulebook:12}{alone:10,.0f}{everybody:12,.0f}{alone / everybody:8.1f}{one:12,.0f}",
            rulebook=rulebook,
            engine_per_second=alone,
            all_seats_per_second=everybody,
            one_seat_per_second=one,
        )


if __name__ == "__main__":
    main()
