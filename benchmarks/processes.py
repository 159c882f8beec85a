"""What several processes on one PostgreSQL can take: `python -m benchmarks.processes`.

Runs `load.py` with 1, 2 and 4 servers behind Caddy, which sends every request to any of them, and
once more by the address asked for, so that all who are at a table meet at one process. Everything
shares the cores of this machine; with a core for each process, the processor time of a move says
how many moves it can take.
"""

from collections.abc import Sequence

from benchmarks import ROOT
from benchmarks.load import Part, parse_options, run_load, whole
from benchmarks.measuring import Report, parser

RUNS = ((1, "random"), (2, "random"), (4, "random"), (4, "uri_hash"))
OPTIONS = ("--postgres", "--tables", "100", "--rate", "0", "--seconds", "10")


def show(report: Report, processes: int, policy: str, load: Part, seconds: float) -> None:
    moves = len(load.waits)
    costs = [1000 * used / moves for used in (load.used, load.database, load.proxy)]
    waits = [1000 * load.wait(percent) for percent in (50, 99)]
    report.row(
        f"| {processes} | {policy} | {moves / seconds:,.0f} | {waits[0]:.0f}, {waits[1]:.0f} ms"
        f" | {costs[0]:.2f} ms | {costs[1]:.2f} ms | {costs[2]:.2f} ms"
        f" | {load.others / seconds:.1f} |",
        processes=processes,
        policy=policy,
        moves_per_second=moves / seconds,
        p50_ms=waits[0],
        p99_ms=waits[1],
        servers_ms=costs[0],
        database_ms=costs[1],
        proxy_ms=costs[2],
        other_cores=load.others / seconds,
    )


def main(words: Sequence[str] | None = None) -> None:
    report = Report(parser(__doc__).parse_args(words))
    report.heading(
        "| processes | by | moves/s | p50, p99 | servers | PostgreSQL | Caddy | others, cores |",
        "| --: | --- | --: | --: | --: | --: | --: | --: |",
    )
    for processes, policy in RUNS:
        options = parse_options([*OPTIONS, "--processes", str(processes), "--proxy", policy])
        load = whole(run_load(options, ROOT)[0])
        show(report, processes, policy, load, options.seconds)


if __name__ == "__main__":
    main()
