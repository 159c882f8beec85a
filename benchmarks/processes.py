"""What several processes on one PostgreSQL can take: `python benchmarks/processes.py`.

Runs `load.py` with 1, 2 and 4 servers behind Caddy, which sends every request to any of them, and
once more by the address asked for, so that all who are at a table meet at one process. Everything
shares the cores of this machine; with a core for each process, the processor time of a move says
how many moves it can take.
"""

from load import ROOT, Part, parse_options, run_load, whole

RUNS = ((1, "random"), (2, "random"), (4, "random"), (4, "uri_hash"))
OPTIONS = ("--postgres", "--tables", "100", "--rate", "0", "--seconds", "10")


def row(processes: int, policy: str, load: Part, seconds: float) -> str:
    moves = len(load.waits)
    costs = [1000 * used / moves for used in (load.used, load.database, load.proxy)]
    waits = [1000 * load.wait(percent) for percent in (50, 99)]
    return (
        f"| {processes} | {policy} | {moves / seconds:,.0f} | {waits[0]:.0f}, {waits[1]:.0f} ms"
        f" | {costs[0]:.2f} ms | {costs[1]:.2f} ms | {costs[2]:.2f} ms"
        f" | {load.others / seconds:.1f} |"
    )


def main() -> None:
    print("| processes | by | moves/s | p50, p99 | servers | PostgreSQL | Caddy | others, cores |")
    print("| --: | --- | --: | --: | --: | --: | --: | --: |")
    for processes, policy in RUNS:
        options = parse_options([*OPTIONS, "--processes", str(processes), "--proxy", policy])
        load = whole(run_load(options, ROOT)[0])
        print(row(processes, policy, load, options.seconds), flush=True)


if __name__ == "__main__":
    main()
