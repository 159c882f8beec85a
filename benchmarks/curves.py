"""How a server copes with more tables and longer games: `python benchmarks/curves.py`.

Runs `load.py` with 100, 300 and 1,000 tables, and with tables that play long games; prints the
figures and plots the cost of a move to docs/tables.svg and docs/length.svg.
"""

from pathlib import Path

from growth import plot
from load import ROOT, Part, parse_options, run_load, whole

DOCS = Path(__file__).resolve().parent.parent / "docs"
TABLES = (100, 300, 1000)
LONG = ("--tables", "100", "--rate", "1000", "--seconds", "30")
"""These games grow from about 100 moves to 500."""
WHAT = "microseconds of a core for a move"


def row(of: int, part: Part) -> str:
    waits = f"{1000 * part.wait(50):.0f} ms | {1000 * part.wait(99):.0f} ms"
    return f"| {of:,} | {1e6 * part.per_move:.0f} µs | {waits} | {part.per_table / 1000:.0f} kB |"


def show(of: str, parts: dict[int, Part], file: str) -> None:
    print(f"| {of} | CPU time per move | p50 | p99 | memory per table |")
    print("| --: | --: | --: | --: | --: |")
    print("\n".join(row(each, part) for each, part in parts.items()), flush=True)
    costs = {each: 1e6 * part.per_move for each, part in parts.items()}
    (DOCS / file).write_text(plot({"": costs}, WHAT, of), "utf-8")


def main() -> None:
    (long,) = run_load(parse_options(LONG), ROOT)
    show("moves", {round(part.length): part for part in long}, "length.svg")
    crowds = {}
    for tables in TABLES:
        options = parse_options(["--tables", str(tables), "--seconds", "12"])
        crowds[tables] = whole(run_load(options, ROOT)[0])
    show("tables", crowds, "tables.svg")


if __name__ == "__main__":
    main()
