"""How measurements are called and answer: `--help`, `--json`, no file that was not asked for."""

import argparse
import json
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from time import monotonic
from typing import Any, TypeVar

from highvoltage.threads import one_thread
from highvoltage.tournament.runs import workers

Task = TypeVar("Task")
Done = TypeVar("Done")


def parser(doc: str | None) -> argparse.ArgumentParser:
    """A parser that explains the measurement by the documentation of its module."""
    made = argparse.ArgumentParser(
        description=doc, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    made.add_argument("--json", action="store_true", help="print a JSON object on each line")
    return made


class Report:
    """Prints each result as soon as there is one, for people or for programs."""

    def __init__(self, options: argparse.Namespace) -> None:
        self._json: bool = options.json

    def heading(self, *lines: str) -> None:
        """Explain the lines that follow; JSON names what it holds."""
        if not self._json:
            print(*lines, sep="\n", flush=True)

    def row(self, text: str, **measured: Any) -> None:
        """A line for people, and the same figures by name."""
        print(json.dumps(measured) if self._json else text, flush=True)


def run_until(
    end: float, jobs: int, run: Callable[[Task], Done], tasks: Iterable[Task]
) -> Iterator[tuple[Task, Done]]:
    """Tasks with their results, in the order they finish; what runs at the end is given up."""
    left = iter(tasks)
    running: dict[Future[Done], Task] = {}
    one_thread()  # here, because a worker imports the program before it is told
    pool = workers(jobs)
    try:
        while monotonic() < end:
            while len(running) < jobs and (task := next(left, None)) is not None:
                running[pool.submit(run, task)] = task
            if not running:
                return
            done, _ = wait(running, timeout=1, return_when=FIRST_COMPLETED)
            yield from ((running.pop(future), future.result()) for future in done)
    finally:
        for process in [*(pool._processes or {}).values()]:  # noqa: SLF001  # some take minutes
            process.terminate()
        pool.shutdown(cancel_futures=True)
