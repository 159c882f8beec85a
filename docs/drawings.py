"""Drawings of the code, made of the code while the site is built: they cannot be out of date."""

import re
import tomllib
from collections.abc import Iterable
from functools import cache
from html import escape
from pathlib import Path

import grimp

import highvoltage as hv
from highvoltage.engine.parts.board import load_map, shipped_maps

ROOT = Path(__file__).parents[1]
WIDTH, HIGH, BOX, GAP = 744, 34, 128, 30
STYLE = (
    "svg{max-width:100%;height:auto}"
    "rect{fill:var(--color-background-primary,Canvas);stroke:currentColor;rx:6px}"
    "text{font:14px system-ui,sans-serif;fill:currentColor;text-anchor:middle}"
    ".small{font-size:11px;opacity:.75}"
    ".left{text-anchor:start}"
    "path{fill:none;stroke:currentColor;opacity:.45}"
)
HEAD = (
    '<marker id="head" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8"'
    ' orient="auto"><path d="M0 0L8 4L0 8"/></marker>'
)


def draw(name: str) -> str:
    """The drawing with this name: `rounds`, `maps`, or a contract of import-linter: `layers`."""
    made = {"rounds": rounds, "maps": maps}
    return made[name]() if name in made else layers(name)


def layers(contract: str) -> str:
    """The layers of a contract from top to bottom, and who imports whom.

    An arrow that two others make plain is left out.
    """
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    contracts = {each["id"]: each for each in project["tool"]["importlinter"]["contracts"]}
    (inside,) = contracts[contract]["containers"]
    rows = [re.findall(r"\w+", layer) for layer in contracts[contract]["layers"]]
    imports = _imports(inside, [name for row in rows for name in row])
    places = {
        name: ((column + 0.5) * WIDTH / len(row), index * (HIGH + GAP) + HIGH / 2 + 1)
        for index, row in enumerate(rows)
        for column, name in enumerate(row)
    }
    parts = [
        _arrow(places[name], places[other])
        for name, others in imports.items()
        for other in sorted(others - {far for near in others for far in _below(imports, near)})
    ]
    parts += [_box(*place, name) for name, place in places.items()]
    return _svg(len(rows) * (HIGH + GAP) - GAP + 2, parts)


def _imports(inside: str, names: list[str]) -> dict[str, set[str]]:
    """Which of these parts import which others, in any of their modules."""
    graph = _graph()
    found: dict[str, set[str]] = {}
    for name in names:
        own = {f"{inside}.{name}", *graph.find_descendants(f"{inside}.{name}")}
        imported = set().union(*map(graph.find_modules_directly_imported_by, own))
        met = {other.removeprefix(f"{inside}.").partition(".")[0] for other in imported}
        found[name] = (met & {*names}) - {name}
    return found


@cache
def _graph() -> grimp.ImportGraph:
    return grimp.build_graph("highvoltage", cache_dir=None)


def _below(imports: dict[str, set[str]], name: str) -> set[str]:
    return imports[name] | {far for near in imports[name] for far in _below(imports, near)}


def rounds() -> str:
    """A round of each rulebook, phase by phase, as the rulebook has it."""
    parts = []
    for line, (name, meta) in enumerate(hv.games().items()):
        top = line * (2 * HIGH + GAP)
        rules = hv.new(name, players=3, seed=1).state.rules
        phases = rules.phases[rules.opening :]
        parts.append(f'<text class="left" x="2" y="{top + 16}">{escape(meta.title)}</text>')
        for at, phase in enumerate(phases):
            x, y = at * (BOX + 20) + BOX / 2 + 2, top + 22 + HIGH / 2
            cites = re.findall(r"[A-Z]-[\d.]*\d", type(phase).__doc__ or "")
            below = f'<text class="small" x="{x}" y="{y + HIGH - 4}">{", ".join(cites)}</text>'
            before = f'<path d="M{x - BOX / 2 - 20} {y}h19" marker-end="url(#head)"/>' if at else ""
            parts += [_box(x, y, phase.name), below, before]
    return _svg(len(hv.games()) * (2 * HIGH + GAP), parts)


def maps() -> str:
    """The maps of this package in a table, as their files tell of them."""
    rows = [("map", "", "played by", "cities", "what is special")]
    for name in shipped_maps():
        board = load_map(name)
        special = board.about.get("en", "")
        rows.append((name, board.name, ", ".join(board.played_by), str(len(board.cities)), special))
    head, *lines = ("".join(f"<td>{escape(cell)}</td>" for cell in row) for row in rows)
    body = "".join(f"<tr>{line}</tr>" for line in lines)
    return (
        '<div class="table-wrapper"><table class="docutils"><thead>'
        f"<tr>{head.replace('td>', 'th>')}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _box(x: float, y: float, name: str) -> str:
    return (
        f'<rect x="{x - BOX / 2:.0f}" y="{y - HIGH / 2:.0f}" width="{BOX}" height="{HIGH}"/>'
        f'<text x="{x:.0f}" y="{y + 5:.0f}">{escape(name)}</text>'
    )


def _arrow(start: tuple[float, float], end: tuple[float, float]) -> str:
    """From the lower edge of a box to the upper edge of one below; round those between them."""
    (x, y), (to_x, to_y) = start, end
    y, to_y = y + HIGH / 2, to_y - HIGH / 2
    rows = (to_y - y - GAP) / (HIGH + GAP)
    aside = BOX * (0.9 + 0.15 * rows) if rows and abs(x - to_x) < BOX else 0
    return (
        f'<path d="M{x:.0f} {y:.0f}C{x + aside:.0f} {y + GAP:.0f}'
        f' {to_x + aside:.0f} {to_y - GAP:.0f} {to_x:.0f} {to_y:.0f}" marker-end="url(#head)"/>'
    )


def _svg(height: float, parts: Iterable[str]) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{WIDTH}" height="{height:.0f}"'
        f' viewBox="0 0 {WIDTH} {height:.0f}"><style>{STYLE}</style><defs>{HEAD}</defs>'
        f"{''.join(parts)}</svg>"
    )
