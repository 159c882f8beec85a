"""The game in a browser without a server, beside the same work in native Python, in one run.

    make static && python -m benchmarks.browser

The page is opened from an empty profile (cold) and again with what it has kept (warm); the time to
the first move is from there until the quick start asks for a move. Decisions, previews and a game
of bots are then timed with the engine of the page in that browser, and here. A browser has no
processor time, only the clock: run this on an idle machine.
"""

import json
import platform
import time
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Page, sync_playwright

from benchmarks import ROOT
from benchmarks.measuring import Report, parser
from browsing import CHROMIUM, Player
from static_site import Site, build_site, profile, wait_until_kept

PYODIDE = ROOT / "web" / "node_modules" / "pyodide"
WORK = """
import json, random, time
import highvoltage as hv
from highvoltage import bots
from highvoltage.table import Seat, Table

def measured(decisions):
    rng, played, previews = random.Random(1), 0, []
    game = hv.new("classic", map="germany", players=4, seed=2)
    begun = time.process_time()
    while played < decisions:
        if game.to_move is None:
            game = hv.new("classic", map="germany", players=4, seed=played)
        game.play(rng.choice(list(game.legal_moves)))
        played += 1
    decided = (time.process_time() - begun) / decisions
    game = hv.new("classic", map="germany", players=4, seed=2)
    table = Table(game, [Seat("person", name) for name in game.names])
    rng = random.Random(2)
    for _ in range(decisions // 20):
        if game.to_move is None:
            break
        move = str(rng.choice(list(game.legal_moves)))
        begun = time.process_time()
        table.preview(game.to_move, table.seq, [move])
        previews.append(time.process_time() - begun)
        table.commit(table.move(game.to_move, table.seq, move, 0))
        game = table.game
    game = hv.new("classic", players=4, seed=1)
    begun = time.process_time()
    bots.play_game(game, [bots.make("engineer", seat) for seat in range(4)])
    return {
        "decision, microseconds": round(1e6 * decided, 1),
        "preview, milliseconds": round(1e3 * sum(previews) / len(previews), 2),
        "game of four engineers, seconds": round(time.process_time() - begun, 2),
    }
"""
IN_BROWSER = """async ([pyodide, play, work, decisions]) => {
    const { loadPyodide } = await import(pyodide)
    const page = await (await fetch(play)).text()
    const engine = new DOMParser().parseFromString(page, 'text/html')
        .querySelector('meta[name=engine]').dataset
    const folder = new URL(engine.python, play).href
    const python = await loadPyodide({ indexURL: folder })
    for (const wheel of [`${folder}msgspec.whl`, new URL(engine.wheel, play).href])
        python.unpackArchive(await (await fetch(wheel)).arrayBuffer(), 'wheel')
    const begun = performance.now()
    python.runPython(work)
    const imported = performance.now() - begun
    const found = python.runPython(`json.dumps(measured(${decisions}))`)
    return { ...JSON.parse(found), 'import, seconds': Math.round(imported) / 1000,
        'memory of WebAssembly, MB': Math.round(python._module.HEAP8.length / 1e6) }
}"""


def first_move(page: Page, url: str) -> float:
    """Seconds until the quick start of the home page asks for a move."""
    begun = time.perf_counter()
    page.goto(url)
    page.get_by_test_id("play").click()
    Player(page).wait()
    return round(time.perf_counter() - begun, 2)


def main(words: Sequence[str] | None = None) -> None:
    arguments = parser(__doc__)
    arguments.add_argument("--decisions", type=int, default=20_000, help="(20000)")
    options = arguments.parse_args(words)
    found: dict[str, object] = {}
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        # The browser of the tests does without its second compiler, on which WebAssembly relies.
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        site = Site(build_site(Path(folder)))
        (site.folder / "empty.html").write_text("<!doctype html>")  # the same host, and no policy
        (site.folder / "pyodide.mjs").write_bytes((PYODIDE / "pyodide.mjs").read_bytes())
        with profile(browser, site) as person:
            page = person.context.new_page()
            page.goto(f"{site.url}empty.html")
            found["first move, cold, seconds"] = first_move(page, site.url)
            found["fetched up to then, bytes (gzip -9)"] = sum(site.size().values())
            wait_until_kept(page)
            page.goto(f"{site.url}empty.html")
            found["first move, warm, seconds"] = first_move(page, site.url)
            page.goto(f"{site.url}empty.html")
            given = [f"{site.url}pyodide.mjs", site.url, WORK, options.decisions]
            found["browser"] = page.evaluate(IN_BROWSER, given)
        site.stop()
        browser.close()
    names: dict[str, object] = {}
    exec(WORK, names)  # noqa: S102  # the same lines as in the browser
    found["native"] = names["measured"](options.decisions)  # type: ignore[operator]
    machine = f"{platform.machine()}, CPython {platform.python_version()}"
    Report(options).row(
        f"{machine}, {Path(CHROMIUM or '').name}\n{json.dumps(found, indent=2)}",
        machine=machine,
        **found,
    )


if __name__ == "__main__":
    main()
