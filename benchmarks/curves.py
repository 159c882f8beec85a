"""How a server copes with more tables and longer games: `python -m benchmarks.curves`.

Runs `load.py` with 100, 300 and 1,000 tables, and with tables that play long games; prints the
figures. `--write` plots the cost of a move to docs/tables.svg and docs/length.svg.
"""

from collections.abc import Sequence

from benchmarks import ROOT
from benchmarks.growth import plot
from benchmarks.load import Part, parse_options, run_load, whole
from benchmarks.measuring import Report, parser

DOCS = ROOT / "docs"
TABLES = (100, 300, 1000)
LONG = ("--tables", "100", "--rate", "1000", "--seconds", "30")
"""These games grow from about 100 moves to 500."""
WHAT = "microseconds of a core for a move"


def row(of: int, part: Part) -> str:
    waits = f"{1000 * part.wait(50):.0f} ms | {1000 * part.wait(99):.0f} ms"
    return f"| {of:,} | {1e6 * part.per_move:.0f} µs | {waits} | {part.per_table / 1000:.0f} kB |"


def show(report: Report, of: str, parts: dict[int, Part]) -> None:
    report.heading(
        f"| {of} | CPU time per move | p50 | p99 | memory per table |",
        "| --: | --: | --: | --: | --: |",
    )
    for each, part in parts.items():
        report.row(
            row(each, part),
            **{of: each},
            move_us=1e6 * part.per_move,
            p50_ms=1000 * part.wait(50),
            p99_ms=1000 * part.wait(99),
            table_bytes=part.per_table,
        )


def drawing(of: str, parts: dict[int, Part]) -> str:
    return plot({"": {each: 1e6 * part.per_move for each, part in parts.items()}}, WHAT, of)


def main(words: Sequence[str] | None = None) -> None:
    arguments = parser(__doc__)
    arguments.add_argument("--write", action="store_true", help="write the plots into docs")
    given = arguments.parse_args(words)
    report = Report(given)
    (long,) = run_load(parse_options(LONG), ROOT)
    lengths = {round(part.length): part for part in long}
    show(report, "moves", lengths)
    crowds = {}
    for tables in TABLES:
        options = parse_options(["--tables", str(tables), "--seconds", "12"])
        crowds[tables] = whole(run_load(options, ROOT)[0])
    show(report, "tables", crowds)
    if given.write:
        (DOCS / "length.svg").write_text(drawing("moves", lengths), "utf-8")
        (DOCS / "tables.svg").write_text(drawing("tables", crowds), "utf-8")


if __name__ == "__main__":
    main()
