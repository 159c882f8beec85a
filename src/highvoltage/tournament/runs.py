"""Playing the games of a tournament: in this process, in several, or on a Ray cluster."""

from collections.abc import Collection, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from multiprocessing import get_context
from typing import Any

from highvoltage.extras import extra
from highvoltage.threads import one_thread
from highvoltage.tournament.games import Result, Tournament, play_one
from highvoltage.tournament.processes import close_all

QUEUED_PER_WORKER = 4  # games waiting for each worker


def workers(jobs: int) -> ProcessPoolExecutor:
    """Processes that play games, each with one math thread unless the environment sets another."""
    return ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=one_thread)


def play(cup: Tournament, jobs: int = 1, done: Collection[int] = ()) -> Iterator[Result]:
    """The results of all games that are not done yet, in the order they finish."""
    numbers = iter([number for number in range(cup.games) if number not in done])
    if jobs == 1:
        try:
            yield from (play_one(cup, number) for number in numbers)
        finally:
            close_all()
        return
    pool = workers(jobs)
    try:
        running: set[Future[Result]] = set()
        while True:
            for number in numbers:
                running.add(pool.submit(play_one, cup, number))
                if len(running) >= QUEUED_PER_WORKER * jobs:
                    break
            if not running:
                return
            ended, running = wait(running, return_when=FIRST_COMPLETED)
            yield from (each.result() for each in ended)
    finally:
        pool.shutdown(cancel_futures=True)


def play_on_ray(cup: Tournament, address: str, done: Collection[int] = ()) -> Iterator[Result]:
    """The same on a Ray cluster; `local` starts one on this machine.

    Nodes may join and leave: a game that is lost with its node is played again on another.
    """
    with extra("ray"):
        import ray  # noqa: PLC0415
    here: dict[str, bool] = {"include_dashboard": False} if address == "local" else {}
    ray.init(address, log_to_driver=False, **here)
    try:
        task = ray.remote(max_retries=-1)(play_one)
        numbers = iter([number for number in range(cup.games) if number not in done])
        running: list[Any] = []  # Ray object references
        while True:
            workers = max(1, int(ray.cluster_resources().get("CPU", 1)))
            while (
                len(running) < QUEUED_PER_WORKER * workers
                and (number := next(numbers, None)) is not None
            ):
                running.append(task.remote(cup, number))
            if not running:
                return
            ended, running = ray.wait(running)
            yield from ray.get(ended)
    finally:
        ray.shutdown()
